/* inertia.c - the number of unstable directions, by the inertia of the mixed matrix (wy_door.inertia).
 *
 *   M = [ A    B^T   ]    A: bending, twist, geometric terms, nodes, clusters     B: rows of shear and stretch
 *       [ B   -C^-1  ]    (director/thin.c)
 *
 *   negative(M) = forces + negative(A + B^T C B)        (Haynsworth; C > 0, and C^-1 may go to zero)            (1)
 *
 * so that nothing of a thin rod is lost.  A multiplier of a joint, or of a tendon of given length, is a row like that of
 * a force, with zero on the diagonal; if its row depends on others, it counts nevertheless (wy_inertia_lower).  Rows are
 * scaled, each rod with its own stiffness and force, a cluster with those of the stiffest: congruence changes no sign.
 *
 * The elimination (numeric/inertia.h) gives the signs of M + E, -D <= E <= D.  M + D + E has at most, and M - D + E at least
 * as many negative eigenvalues as M (Weyl): so a count is made of the former for a number that is surely reached, and of
 * the latter for one that is surely not exceeded.
 */
#include <string.h>

#include "method/director/contacts.h"
#include "numeric/inertia.h"

enum { LOCAL = WY_DIRECTOR_MIXED, RODS_MOST = 512, TRIES = 4 };
static const double LIFT = 2e-12; /* the first one: what is mostly enough */

/* One count. */
typedef struct front {
    wy_inertia sum;
    int rows;   /* given out so far           */
    int forces; /* and multipliers among them */
} front;

/* ---- an element -------------------------------------------------------------------------------------- */

/* Where a node of a rod is in the matrix. */
typedef struct place {
    int row[6];         /* -1: held                                                     */
    double shift, turn; /* scales                                                       */
    int member;         /* of a network: the node is a copy of a cluster; -1: it is not */
} place;

/* L and 1, over the root of a moment: EI/L, or that of the largest force at a distance of L. */
static place scales_of(const wy_director *x) {
    const double length = x->plan.length, bend = length * length / wy_director_soft(x);
    double most = 0;
    for (int i = 0; i < x->plan.n * x->plan.p; i++)
        for (int k = 0; k < 3; k++) most = wy_max(most, fabs(x->stress[i].sigma[0][k]));
    const double turn = 1 / sqrt(wy_max(bend, most * length));
    return (place){.shift = turn * length, .turn = turn, .member = -1};
}

static double scale_of(const place *at, int k) {
    return k < 3 ? at->shift : at->turn;
}

static void add_node(const wy_director *x, int node, int local, double (*m)[LOCAL + 1]) {
    double block[6][6], b[6];
    wy_director_node_terms(x, node, block, b);
    for (int i = 0; i < 36; i++) m[6 * local + i / 6][6 * local + i % 6] += block[i / 6][i % 6];
}

/* Held rows and the axes of an end that slides or turns; what factors made before have of it is kept. */
static void hold_end(wy_director *x, int which, int local, int rows, double (*m)[LOCAL + 1]) {
    wy_director_end_step *to = &x->step->end[which];
    const wy_director_end_step kept = *to;
    double own[LOCAL][LOCAL + 1];
    int order[LOCAL];
    for (int i = 0; i < rows; i++) {
        order[i] = i;
        if (i < 6)
            order[i] = 6 * local + i;
        else if (i / 6 == local && i < 6 * (local + 1))
            order[i] = i % 6;
    }
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < rows; j++) own[i][j] = m[order[i]][order[j]];
        own[i][rows] = 0;
    }
    wy_director_hold(x, which, &own[0][0], LOCAL + 1, rows, rows + 1);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++) m[order[i]][order[j]] = own[i][j];
    *to = kept;
}

/* Row, column k of the node: that of phi += p x that of r (director/segment.c). */
static void turn_member(const wy_network *net, int member, const double force[3], int at, int rows,
                        double (*m)[LOCAL + 1]) {
    const wy_network_member *k = &net->plan.member[member];
    const vec3 p = m3_mul(tri_matrix(net->hub.next[k->cluster].d), k->o);
    if (v3_is_zero(k->o)) return;
    for (int i = 0; i < rows; i++) {
        const vec3 l = v3_cross(p, v3_from(&m[i][at]));
        m[i][at + 3] += l.x, m[i][at + 4] += l.y, m[i][at + 5] += l.z;
    }
    for (int j = 0; j < rows; j++) {
        const vec3 l = v3_cross(p, v3(m[at][j], m[at + 1][j], m[at + 2][j]));
        m[at + 3][j] += l.x, m[at + 4][j] += l.y, m[at + 5][j] += l.z;
    }
    const double pv[3] = {p.x, p.y, p.z};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) m[at + 3 + i][at + 3 + j] += pv[i] * force[j];
        m[at + 3 + i][at + 3 + i] -= v3_dot(v3_from(force), p);
    }
}

/* The copies among the nodes of element e; first, last: their terms of nodes alone belong to it. */
static void turn_members(const wy_network *net, wy_director *x, int e, const place *at, int rows,
                         double (*m)[LOCAL + 1]) {
    const int p = x->plan.p;
    double f[WY_ELEMENT_NODES][6];
    if (at[0].member < 0 && at[p].member < 0) return;
    wy_director_element_side(x, e, f);
    for (int a = 0; a <= p; a += p) {
        const int own = a == 0 || e == x->plan.n - 1;
        double block[6][6], b[6] = {0}, force[3];
        if (at[a].member < 0) continue;
        if (own) wy_director_node_terms(x, e * p + a, block, b);
        for (int k = 0; k < 3; k++) force[k] = b[k] - f[a][k];
        turn_member(net, at[a].member, force, 6 * a, rows, m);
    }
}

/* ---- tendons of given length ------------------------------------------------------------------------- */

/* Of its column the rows of a node. */
static void add_pull(front *w, wy_director *x, int k, int row, int node, const place *at) {
    const int end = node == 0 ? 0 : node == x->plan.node_count - 1 ? 1 : -1;
    double m[7][7] = {{0}}, f[6];
    const double none[6] = {0};
    int to[7] = {[6] = row};
    memcpy(f, &x->border.bar[(size_t)k * (size_t)x->border.rows + (size_t)(6 * node)], sizeof f);
    if (end >= 0) wy_director_hold_side(x, end, none, f);
    for (int i = 0; i < 6; i++) m[i][6] = m[6][i] = f[i] * scale_of(at, i), to[i] = at->row[i];
    wy_inertia_add(&w->sum, 7, to, &m[0][0], 7);
}

static void find_pulls(wy_director *x) {
    const size_t rows = (size_t)x->border.rows;
    if (!x->border.count) return;
    wy_director_strains(x, 0);
    for (int k = 0; k < x->plan.tendon_count; k++) {
        const int column = x->plan.tendon[k].column;
        if (column < 0) continue;
        double *bar = &x->border.bar[(size_t)column * rows];
        memset(bar, 0, rows * sizeof *bar);
        wy_director_tendon_line(x, k, 0, bar);
        for (int i = 0; i < 2; i++) wy_director_release(x, i, &bar[6 * x->plan.end[i].node]);
    }
}

/* ---- a rod ------------------------------------------------------------------------------------------- */

/* The rows of a network that are there before its rods. */
typedef struct hub {
    const wy_network *net; /* NULL: one rod */
    place *cluster;
    place own; /* scales of the present rod */
} hub;

static place place_of(front *w, const hub *h, const wy_director *x, int rod, int node) {
    const int copy = h->net && node % x->plan.p == 0 ? wy_network_member_of(h->net, rod, node) : -1;
    const int end = node == 0 ? 0 : node == x->plan.node_count - 1 ? 1 : -1;
    place at = h->own;
    if (copy >= 0) {
        at = h->cluster[h->net->plan.member[copy].cluster];
        at.member = copy;
        return at;
    }
    for (int k = 0; k < 6; k++) {
        const int held = end >= 0 && wy_director_holds(&x->plan.end[end], k);
        at.row[k] = held ? -1 : w->rows++;
    }
    return at;
}

static void add_element(front *w, const hub *h, wy_director *x, int e, const place *at) {
    const int p = x->plan.p, nodes = 6 * (p + 1), rows = nodes + 3 * p, last = e == x->plan.n - 1;
    const double force = 1 / h->own.shift;
    double m[LOCAL][LOCAL + 1], scale[LOCAL];
    int row[LOCAL];
    wy_director_element_mixed(x, e, m);
    for (int a = 0; a < p + last; a++) add_node(x, e * p + a, a, m);
    if (h->net) turn_members(h->net, x, e, at, rows, m);
    if (e == 0 && at[0].member < 0) hold_end(x, 0, 0, rows, m);
    if (last && at[p].member < 0) hold_end(x, 1, p, rows, m);
    for (int i = 0; i < rows; i++) {
        const place *node = &at[i < nodes ? i / 6 : 0];
        row[i] = i < nodes ? node->row[i % 6] : w->rows++;
        scale[i] = i < nodes ? scale_of(node, i % 6) : force;
    }
    w->forces += 3 * p;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++) m[i][j] *= scale[i] * scale[j];
    wy_inertia_add(&w->sum, rows, row, &m[0][0], LOCAL + 1);
    for (int a = 0; a <= p; a++)
        if (at[a].member >= 0 || (a == p && !last)) memset(&row[6 * a], -1, 6 * sizeof *row);
    for (int k = 0; k < x->border.count && !h->net; k++)
        for (int a = 0; a < p + last; a++) add_pull(w, x, k, k, e * p + a, &at[a]);
    wy_inertia_complete(&w->sum, rows, row);
}

static withy_status add_rod(front *w, hub *h, wy_director *x, int rod, withy_error *err) {
    place at[WY_ELEMENT_NODES];
    WY_TRY(wy_director_see(x, 1, err));
    h->own = scales_of(x);
    at[0] = place_of(w, h, x, rod, 0);
    for (int e = 0; e < x->plan.n && !w->sum.failed; e++) {
        for (int a = 1; a <= x->plan.p; a++) at[a] = place_of(w, h, x, rod, e * x->plan.p + a);
        add_element(w, h, x, e, at);
        at[0] = at[x->plan.p];
    }
    return WITHY_OK;
}

static withy_status fill_rod(front *w, void *self, withy_error *err) {
    wy_director *x = self;
    hub none = {0};
    find_pulls(x);
    for (int k = 0; k < x->border.count; k++) wy_inertia_lower(&w->sum, w->rows++), w->forces++;
    return add_rod(w, &none, x, 0, err);
}

/* ---- a network --------------------------------------------------------------------------------------- */

/* The stiffest rod of each cluster; of one without a rod, that of all. */
static void place_clusters(front *w, const wy_network *net, place *at) {
    place all = {.shift = INFINITY};
    for (int i = 0; i < net->plan.rods; i++) {
        const place own = scales_of(&net->rod[i]);
        if (own.shift < all.shift) all = own;
    }
    if (!net->plan.rods) {
        const double rate = wy_network_door.rate(net), length = net->plan.length;
        all.shift = rate > 0 ? 1 / sqrt(rate * length) : 1.0, all.turn = all.shift / length;
    }
    for (int c = 0; c < net->plan.clusters; c++) at[c] = (place){.shift = INFINITY};
    for (int i = 0; i < net->plan.members; i++) {
        const wy_network_member *k = &net->plan.member[i];
        const place own = scales_of(&net->rod[k->rod]);
        if (own.shift < at[k->cluster].shift) at[k->cluster] = own;
    }
    for (int c = 0; c < net->plan.clusters; c++) {
        if (!(at[c].shift < INFINITY)) at[c] = all;
        for (int k = 0; k < 6; k++) at[c].row[k] = net->plan.cluster[c].held ? -1 : w->rows++;
    }
}

static void add_cluster(front *w, const wy_network *net, int c, const place *at) {
    double a[6][6], b[6];
    if (net->plan.cluster[c].held) return;
    wy_network_cluster_terms(net, c, a, b);
    for (int i = 0; i < 36; i++) a[i / 6][i % 6] *= scale_of(at, i / 6) * scale_of(at, i % 6);
    wy_inertia_add(&w->sum, 6, at->row, &a[0][0], 6);
}

/* The row of a multiplier, scaled to length 1, and complete. */
static void add_lock(front *w, const int *row, const double *scale, const double *plus) {
    double m[WY_PAIR + 1][WY_PAIR + 1] = {{0}}, square = 0;
    int to[WY_PAIR + 1];
    for (int i = 0; i < WY_PAIR; i++)
        if (row[i] >= 0) square += scale[i] * plus[i] * scale[i] * plus[i];
    for (int i = 0; i < WY_PAIR; i++) {
        to[i] = row[i];
        m[i][WY_PAIR] = m[WY_PAIR][i] = square > 0 ? scale[i] * plus[i] / sqrt(square) : 0.0;
    }
    to[WY_PAIR] = w->rows++;
    wy_inertia_lower(&w->sum, to[WY_PAIR]);
    w->forces++;
    wy_inertia_add(&w->sum, WY_PAIR + 1, to, &m[0][0], WY_PAIR + 1);
    wy_inertia_complete(&w->sum, 1, &to[WY_PAIR]);
}

static void add_joint(front *w, const wy_network *net, const wy_network_joint *j,
                      const place *cluster) {
    const wy_pair_step at = wy_joint_pair(net, j);
    double h[WY_PAIR][WY_PAIR] = {{0}}, scale[WY_PAIR];
    int row[WY_PAIR];
    for (int i = 0; i < WY_PAIR; i++) {
        const int c = j->cluster[i / 6];
        row[i] = c < 0 ? -1 : cluster[c].row[i % 6];
        scale[i] = c < 0 ? 0 : scale_of(&cluster[c], i % 6);
    }
    for (int k = j->first; k < j->first + j->count - j->quiet; k++) {
        const wy_network_link *link = &net->plan.link[k];
        wy_network_pull pull = net->pull[k];
        if (link->silent) continue;
        wy_link_find(net, j, k, &at, &pull);
        pull.sigma = pull.stress;
        for (int i = 0; i < WY_PAIR * WY_PAIR && pull.slope != 0; i++)
            h[i / WY_PAIR][i % WY_PAIR] +=
                pull.bar[i / WY_PAIR] * pull.slope * pull.plus[i % WY_PAIR];
        wy_link_curve(link, &at, &pull, h);
        if (link->multiplier >= 0) add_lock(w, row, scale, pull.plus);
    }
    for (int i = 0; i < WY_PAIR * WY_PAIR; i++)
        h[i / WY_PAIR][i % WY_PAIR] *= scale[i / WY_PAIR] * scale[i % WY_PAIR];
    wy_inertia_add(&w->sum, WY_PAIR, row, &h[0][0], WY_PAIR);
}

/* After which rod a joint, and a cluster with all its joints, is complete. */
static void find_turns(const wy_network *net, int *cluster, int *joint) {
    const wy_network_plan *plan = &net->plan;
    for (int c = 0; c < plan->clusters; c++) cluster[c] = 0;
    for (int i = 0; i < plan->members; i++) {
        int *of = &cluster[plan->member[i].cluster];
        *of = wy_max(*of, plan->member[i].rod);
    }
    for (int i = 0; i < plan->joints; i++) {
        joint[i] = 0;
        for (int s = 0; s < 2; s++)
            if (plan->joint[i].cluster[s] >= 0)
                joint[i] = wy_max(joint[i], cluster[plan->joint[i].cluster[s]]);
    }
    for (int i = 0; i < plan->joints; i++)
        for (int s = 0; s < 2; s++) {
            const int c = plan->joint[i].cluster[s];
            if (c >= 0) cluster[c] = wy_max(cluster[c], joint[i]);
        }
}

static withy_status fill_parts(front *w, wy_network *net, place *at, int *turn, withy_error *err) {
    const wy_network_plan *plan = &net->plan;
    hub h = {.net = net, .cluster = at};
    int *joint = turn + plan->clusters;
    place_clusters(w, net, at);
    find_turns(net, turn, joint);
    for (int i = 0; i < wy_max(plan->rods, 1) && !w->sum.failed; i++) {
        if (plan->rods) WY_TRY(add_rod(w, &h, &net->rod[i], i, err));
        for (int k = 0; k < plan->joints; k++)
            if (joint[k] == i) add_joint(w, net, &plan->joint[k], at);
        for (int c = 0; c < plan->clusters; c++) {
            if (turn[c] != i) continue;
            add_cluster(w, net, c, &at[c]);
            wy_inertia_complete(&w->sum, 6, at[c].row);
        }
    }
    return WITHY_OK;
}

static withy_status fill_network(front *w, void *self, withy_error *err) {
    wy_network *net = self;
    const size_t clusters = (size_t)net->plan.clusters;
    place *at = wy_take(clusters + 1, sizeof *at);
    int *turn = wy_take(clusters + (size_t)net->plan.joints + 1, sizeof *turn);
    withy_status status = WITHY_OK;
    if (at && turn)
        status = fill_parts(w, net, at, turn, err);
    else
        w->sum.failed = 1;
    wy_give(at), wy_give(turn);
    return status;
}

/* ---- the count --------------------------------------------------------------------------------------- */

static withy_status count(withy_status (*fill)(front *, void *, withy_error *), void *self,
                          int most, int *negative, withy_error *err) {
    front w = {0};
    withy_status status = WITHY_OK;
    double part = LIFT, need;
    *negative = -1;
    for (int k = 0; k < TRIES && status == WITHY_OK; k++, part = 2 * need) {
        w.rows = w.forces = 0;
        wy_inertia_begin(&w.sum, most ? -part : part);
        status = fill(&w, self, err);
        const int below = wy_inertia_end(&w.sum, &need);
        if (below >= 0 && need <= part) *negative = below - w.forces;
        if (below < 0 || need <= part) break;
    }
    wy_inertia_free(&w.sum);
    return status;
}

withy_status wy_director_inertia(void *self, double shift, int most, int *negative,
                                 withy_error *err) {
    ((wy_director *)self)->step->shift = shift;
    return count(fill_rod, self, most, negative, err);
}

/* Not of rods that touch rods, of tendons that are tied to each other, and of what is too large for it. */
withy_status wy_network_inertia(void *self, double shift, int most, int *negative,
                                withy_error *err) {
    wy_network *net = self;
    *negative = -1;
    if (net->border.count || net->plan.spans || net->plan.rods > RODS_MOST) return WITHY_OK;
    if (wy_network_pairs(net) || !wy_network_door.potential(net)) return WITHY_OK;
    net->hub.step->shift = shift;
    wy_network_share_step(net);
    WY_TRY(wy_clusters_hold(net, net->hub.step->t, err));
    if (net->touch) WY_TRY(wy_touch_still(net, err));
    return count(fill_network, net, most, negative, err);
}
