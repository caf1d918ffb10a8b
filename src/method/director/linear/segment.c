/* segment.c - a chain of elements condensed to its two ends, and the free ends of a network.
 *
 * Elements from .. to - 1 of a rod.  The unknowns of the first node, S, stay in the front all the way:
 *   per element: nodes X_e, inner ones, X_e+1, and S; X_e and the inner ones are eliminated, and the 12 rows
 *   of X_e+1 and S are added to the next element.  In the first element X_e is S itself.
 * The result is a 12 x 12 matrix with right side on the nodes at the two ends, in the order (first, last).
 *
 * An end that belongs to a rigid group is a copy of it, r_k = r + R o, d_k = R Q, with p = R o and pm its mean:
 *   rows:    F_r += F_r,k      F_phi += F_phi,k + pm x F_r,k                    columns: dr_k = dr + dphi x p+
 *   and in (phi, phi): beta hat(F_r,k) hat(p+), F_r,k the residual of the node before any elimination.
 * An end of its own (a free end) is held as the end of a single rod is, and eliminated at once.  A segment with two free ends is a
 * rod alone, and eliminated as such: nothing is left of it.
 */
#include "method/director/network.h"
#include "numeric/linear/frontal.h"

enum { FRONT = WY_SEGMENT_FRONT, PANEL = WY_DIRECTOR_BETWEEN, SIDE = 12 };

/* ---- the chain ------------------------------------------------------------------------------------ */

/* In a large network the numbers of the rod that comes next are asked for while this one is computed, a part of them
 * with each element: all at once would wait for each other. */
enum { FETCH_NODES, FETCH_POINTS, FETCH_STRESS };

/* The member at a border of two elements, or -1. */
static inline int member_at(const wy_network *net, int rod, int e) {
    const int *first = &net->plan.member_first[rod];
    return first[0] + e < first[1] ? net->plan.member_at[first[0] + e] : -1;
}

/* A member is asked for a rod earlier than its rigid group, which it names. */
static inline void fetch_member(const wy_network *net, int rod, int e) {
    const int member = rod < 0 ? -1 : member_at(net, rod, e);
    if (member >= 0) wy_fetch(&net->plan.member[member], offsetof(wy_group_node, mass));
}

static inline void fetch_rigid_group(const wy_network *net, int rod, int e) {
    const int member = member_at(net, rod, e);
    if (member < 0) return;
    const int c = net->plan.member[member].rigid_group;
    wy_fetch(&net->rigid.next[c], sizeof *net->rigid.next);
    wy_fetch(&net->rigid.node[c], sizeof net->rigid.node->d);
    __builtin_prefetch(&net->plan.rigid_group[c]);
}

static void fetch_ahead(const wy_director *own, int e, int what) {
    const wy_network *net = own->within;
    const int next = wy_network_next(net, own->plan.index);
    if (next < 0) return;
    const wy_director *x = &net->rod[next];
    const int after = wy_network_next(net, next);
    if (e == 0 && what == FETCH_NODES) {
        if (after >= 0) wy_fetch(&net->rod[after], sizeof *x);
        if (after >= 0 && net->turn.count) /* otherwise the segments are in order */
            wy_fetch(&net->plan.segment[net->turn.segment[after]], sizeof *net->plan.segment);
        wy_fetch(x->step, offsetof(wy_director_step, last));
        fetch_member(net, after, 0), fetch_rigid_group(net, next, 0);
    }
    if (e >= x->plan.n) return;
    const int p = own->plan.p;
    const size_t nodes = (size_t)p;
    if (what == FETCH_NODES) {
        for (int a = 0; a < p; a++) wy_fetch(&x->node[e * p + a], offsetof(wy_director_node, rate));
        wy_fetch(&x->next[e * p], nodes * sizeof *x->next);
        fetch_member(net, after, e + 1), fetch_rigid_group(net, next, e + 1);
    } else if (what == FETCH_POINTS) {
        wy_fetch(&x->plan.section[e * p], nodes * sizeof *x->plan.section);
        wy_fetch(&x->plan.mass[e * p], nodes * sizeof *x->plan.mass);
    } else {
        const int all =
            !x->plan
                 .skips_strains; /* otherwise the strains at the end and their rates are not touched */
        for (int g = e * p; g < e * p + p; g++) {
            wy_fetch(all ? x->stress[g].plus : x->stress[g].stress,
                     sizeof *x->stress - (all ? 0 : sizeof x->stress[g].plus));
            wy_fetch(&x->strain[g], all ? sizeof *x->strain : sizeof x->strain[g].start);
        }
    }
}

/* Changes of the nodes inside, from those of the ends: next[].change. */
WY_ALWAYS void back(const int p, wy_network *net, const wy_network_segment *g) {
    wy_director *x = &net->rod[g->rod];
    const double *s = x->next[g->from * p].change;
    for (int e = g->to - 1; e >= g->from; e--) {
        const double *panel = &net->panel[g->panel + (size_t)(e - g->from) * 6 * p * PANEL];
        const double *next = x->next[(e + 1) * p].change;
        for (int a = e == g->from; a < p; a++)
            for (int i = 0; i < 6; i++) {
                const double *row = &panel[(6 * a + i) * PANEL];
                double sum = row[6];
                for (int j = 0; j < 6; j++) sum -= row[j] * next[j] + row[7 + j] * s[j];
                x->next[e * p + a].change[i] = sum;
            }
    }
}

/* The same elimination on another right side, that of the rod's nodes in next[].change; two[12]: what is
 * left for the ends. */
WY_ALWAYS void again(const int p, wy_network *net, const wy_network_segment *g, double two[12]) {
    wy_director *x = &net->rod[g->rod];
    for (int e = g->from; e < g->to; e++) {
        double f[6 * (WY_ELEMENT_NODES + 1)] = {0};
        const int first = e == g->from;
        for (int a = 0; a < p; a++)
            for (int i = 0; i < 6; i++)
                f[6 * (first && a == 0 ? p + 1 : a) + i] = x->next[e * p + a].change[i];
        for (int i = 0; i < 6 && e == g->to - 1; i++) f[6 * p + i] = x->next[(e + 1) * p].change[i];
        for (int i = 0; i < 6 && !first; i++) f[i] += two[i], f[6 * (p + 1) + i] = two[6 + i];
        const double *keep = &net->keep[g->keep + (size_t)(e - g->from) * p * 6 * (p + 2) * 6];
        for (int b = first; b < p; b++) frontal_again(p + 1, b, &keep[b * 6 * (p + 2) * 6], f);
        double *panel = &net->panel[g->panel + (size_t)(e - g->from) * 6 * p * PANEL];
        for (int i = 6 * first; i < 6 * p; i++) panel[i * PANEL + 6] = f[i];
        memcpy(two, &f[6 * p], 12 * sizeof *two);
    }
}

/* The elements of a segment; front: from the order (last | side | first) of the sweep to (first, last | side). */
static void sweep(wy_network *net, const wy_network_segment *g, double (*front)[FRONT],
                  vec3 force[2]) {
    double two[12][WY_DIRECTOR_BETWEEN];
    wy_director_chain chain = {.from = g->from, .to = g->to, .streams = g->streams};
    chain.panel = &net->panel[g->panel], chain.keep = &net->keep[g->keep];
    chain.ahead = net->plan.streams ? fetch_ahead : NULL;
    wy_director_condense(&net->rod[g->rod], &chain, two);
    for (int i = 0; i < 12; i++) {
        const double *row = two[(i + 6) % 12];
        memcpy(front[i], &row[7], 6 * sizeof *row);
        memcpy(&front[i][6], row, 6 * sizeof *row);
        front[i][SIDE] = row[6];
    }
    force[0] = chain.force[0], force[1] = chain.force[1];
}

/* r_k = r + R o: columns dr_k = dr + dphi x p+, rows phi += pm x r, and beta hat(F_r) hat(p+). */
void wy_group_node_turn(const wy_network *net, int member, vec3 force, const wy_matrix_rows *x,
                        int at) {
    const int stride = x->stride;
    if (v3_is_zero(net->plan.member[member].o)) return;
    const vec3 p = wy_group_node_arm(net, member, 1), pm = wy_group_node_mean_arm(net, member);
    for (int i = 0; i < x->rows; i++) {
        double *row = &x->m[i * stride + at];
        const vec3 l = v3_cross(p, v3_from(row));
        row[3] += l.x, row[4] += l.y, row[5] += l.z;
    }
    double *own = &x->m[at * stride];
    for (int j = 0; j < x->columns; j++) {
        const vec3 l = v3_cross(pm, v3(own[j], own[stride + j], own[2 * stride + j]));
        own[3 * stride + j] += l.x, own[4 * stride + j] += l.y, own[5 * stride + j] += l.z;
    }
    const double beta = net->rigid.step->beta;
    for (int i = 0; i < 3; i++) {
        double *row = &own[(3 + i) * stride + at + 3];
        for (int j = 0; j < 3; j++) row[j] += beta * v3_get(p, i) * v3_get(force, j);
        row[i] -= beta * v3_dot(force, p);
    }
}

/* ---- free ends ----------------------------------------------------------------------------------------- */

/* The six rows of an end of the front are held as an end of a rod, and eliminated; the other six are left. */
static void drop_free_end(wy_director *x, int which, double (*front)[FRONT],
                          wy_network_free_end *free_end) {
    const int own = 6 * which, other = 6 - own;
    lane m[6][2];
    wy_director_hold(x, which, &front[0][0], FRONT, own, 12, SIDE + 1);
    for (int i = 0; i < 6; i++) {
        const double *row = &front[own + i][own];
        m[i][0] = lane_load(row), m[i][1] = (lane){row[4], row[5], 0, 0};
    }
    x->step->negative += frontal_invert(m);
    double inverse[6][6], in[6][6];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            inverse[i][j] = m[i][j / 4][j % 4], in[i][j] = front[other + i][own + j],
            free_end->out[i][j] = 0;
    for (int i = 0; i < 6; i++) {
        free_end->side[i] = 0;
        for (int k = 0; k < 6; k++) {
            free_end->side[i] += inverse[i][k] * front[own + k][SIDE];
            for (int j = 0; j < 6; j++)
                free_end->out[i][j] += inverse[i][k] * front[own + k][other + j];
        }
    }
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++) {
            for (int j = 0; j < 6; j++)
                front[other + i][other + j] -= in[i][k] * free_end->out[k][j];
            front[other + i][SIDE] -= in[i][k] * free_end->side[k];
        }
    if (!x->step->keeps) return;
    memcpy(free_end->inverse, inverse, sizeof inverse);
    memcpy(free_end->in, in, sizeof in);
}

void wy_segment_condense(wy_network *net, const wy_network_segment *g,
                         double front[12][WY_SEGMENT_FRONT]) {
    wy_director *x = &net->rod[g->rod];
    vec3 force[2];
    if (wy_segment_alone(g)) {
        wy_director_eliminate(x, net->free_end[g->free_end].side);
        return;
    }
    sweep(net, g, front, force);
    const wy_matrix_rows all = {12, SIDE + 1, FRONT, &front[0][0]};
    for (int i = 0; i < 2; i++)
        if (g->member[i] >= 0) wy_group_node_turn(net, g->member[i], force[i], &all, 6 * i);
    for (int i = 0; i < 2; i++)
        if (g->member[i] < 0) drop_free_end(x, i, front, &net->free_end[g->free_end]);
}

/* Change of a free end from that of the node at the other end. */
static void free_end_change(wy_director *x, int which, const wy_network_free_end *free_end,
                            const double *other) {
    double *change = x->next[x->plan.end[which].node].change;
    for (int i = 0; i < 6; i++) {
        change[i] = free_end->side[i];
        for (int j = 0; j < 6; j++) change[i] -= free_end->out[i][j] * other[j];
    }
    wy_director_hold_back(x, which, change);
}

/* The changes of the ends: copies have that of their node, but a free end is coupled to the rigid group itself. */
static void end_changes(wy_network *net, const wy_network_segment *g) {
    wy_director *x = &net->rod[g->rod];
    const double *own[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++)
        if (g->member[i] >= 0) {
            const wy_group_node *k = &net->plan.member[g->member[i]];
            own[i] = net->rigid.next[k->rigid_group].change;
            wy_group_node_change(net, g->member[i], x->next[k->node].change);
        }
    for (int i = 0; i < 2; i++)
        if (!own[i]) free_end_change(x, i, &net->free_end[g->free_end], own[1 - i]);
}

void wy_segment_back(wy_network *net, const wy_network_segment *g) {
    if (wy_segment_alone(g)) {
        wy_director_back(&net->rod[g->rod], net->free_end[g->free_end].side);
        return;
    }
    end_changes(net, g);
    WY_FOR_DEGREE(net->rod[g->rod].plan.p, back, net, g)
}

/* ---- another right side ---------------------------------------------------------------------------- */

/* b (6) is the right side of a free end, whose node was given `given`; other: that of the node behind it. */
static void free_end_again(wy_director *x, int which, const double given[6], double b[6],
                           double *other, wy_network_free_end *free_end) {
    wy_director_hold_side(x, which, given, b);
    for (int i = 0; i < 6; i++) {
        free_end->side[i] = 0;
        for (int j = 0; j < 6; j++) free_end->side[i] += free_end->inverse[i][j] * b[j];
    }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) other[i] -= free_end->in[i][j] * free_end->side[j];
}

/* A whole rod. */
static void alone_again(wy_network *net, const wy_network_segment *g) {
    wy_director *x = &net->rod[g->rod];
    const int rows = 6 * (x->plan.node_count - 1);
    double *side = net->line[0];
    for (int i = 0; i < rows + 6; i++) side[i] = x->next[i / 6].change[i % 6];
    wy_director_reduce_again(x, side);
    for (int i = 0; i < rows; i++) x->panel[i * WY_DIRECTOR_PANEL + 6] = side[i];
    memcpy(net->free_end[g->free_end].side, &side[rows], 6 * sizeof *side);
}

void wy_segment_again(wy_network *net, const wy_network_segment *g, double two[12]) {
    wy_director *x = &net->rod[g->rod];
    double given[2][6], back_to_front[12] = {0};
    if (wy_segment_alone(g)) {
        alone_again(net, g);
        return;
    }
    memcpy(given[0], x->next[g->from * x->plan.p].change, sizeof given[0]);
    memcpy(given[1], x->next[g->to * x->plan.p].change, sizeof given[1]);
    WY_FOR_DEGREE(x->plan.p, again, net, g, back_to_front)
    memcpy(two, &back_to_front[6], 6 * sizeof *two);
    memcpy(&two[6], back_to_front, 6 * sizeof *two);
    for (int i = 0; i < 2; i++) {
        double *f = &two[6 * i];
        if (g->member[i] < 0) continue;
        const vec3 p = wy_group_node_mean_arm(net, g->member[i]);
        v3_to(v3_add(v3_from(f + 3), v3_cross(p, v3_from(f))), f + 3);
    }
    for (int i = 0; i < 2; i++)
        if (g->member[i] < 0)
            free_end_again(x, i, given[i], &two[6 * i], &two[6 - 6 * i],
                           &net->free_end[g->free_end]);
}
