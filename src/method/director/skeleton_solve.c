/* skeleton_solve.c - Newton's equations of a network: assembled, solved, and spread to the nodes. */
#include <stddef.h>
#include <string.h>

#include "method/director/contacts.h"
#include "numeric/stream.h"

static const double EPS = 1e-7; /* of the flexibility that a multiplier sees: director/skeleton.c */

/* The numbers of a large network come from memory: those that are needed soon are asked for.  Of a sweep that has no
 * use, there is enough to compute meanwhile. */
static void fetch(const void *from, size_t bytes) {
    for (size_t i = 0; i < bytes; i += 64) __builtin_prefetch((const char *)from + i);
}

static void fetch_segment(const wy_network *net, int segment) {
    if (segment >= net->plan.segments) return;
    const wy_network_segment *g = &net->plan.segment[segment];
    const wy_director *x = &net->rod[g->rod];
    if (g->rod + 2 < net->plan.rods)
        __builtin_prefetch(&x[2].next), __builtin_prefetch(&x[2].plan.n);
    const size_t nodes = (size_t)(g->to - g->from) * (size_t)x->plan.p;
    fetch(&net->panel[g->panel], 6 * nodes * WY_SEGMENT_PANEL * sizeof *net->panel);
    for (size_t i = 0; i <= nodes; i++)
        fetch(x->next[(size_t)(g->from * x->plan.p) + i].change, sizeof x->next->change);
}

static void fetch_joint(const wy_network *net, int joint) {
    if (joint >= net->plan.joints) return;
    const wy_network_joint *j = &net->plan.joint[joint];
    for (int k = j->first; k < j->first + j->count; k++) {
        fetch(&net->plan.link[k], offsetof(wy_network_link, g.term[1]));
        fetch(&net->pull[k], offsetof(wy_network_pull, bar));
    }
}

/* A 6 x 6 block into the values; the rows of a held cluster stay those of the identity. */
static void add_block(wy_network *net, const double *m, int stride, int row_cluster, size_t at,
                      int wide) {
    if (net->plan.cluster[row_cluster].held) return;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) net->value[at + (size_t)(i * wide + j)] += m[i * stride + j];
}

static int cluster_of(const wy_network *net, int member) {
    return member < 0 ? -1 : net->plan.member[member].cluster;
}

static void add_segment(wy_network *net, const wy_network_segment *g) {
    double front[12][WY_SEGMENT_FRONT];
    wy_segment_sweep(net, g, front);
    for (int a = 0; a < 2; a++) {
        const int c = cluster_of(net, g->member[a]);
        if (c < 0 || net->plan.cluster[c].held) continue;
        for (int i = 0; i < 6; i++) net->side[net->plan.cluster[c].row + i] += front[6 * a + i][12];
        for (int b = 0; b < 2; b++) {
            const int d = cluster_of(net, g->member[b]);
            if (d >= 0)
                add_block(net, &front[6 * a][6 * b], WY_SEGMENT_FRONT, c, g->at[a][b], g->wide[b]);
        }
    }
}

/* Inertia, weight and loads; a held cluster has its remaining way as right side. */
static void add_cluster(wy_network *net, int c) {
    const wy_network_cluster *own = &net->plan.cluster[c];
    const wy_blocks *x = &net->plan.skeleton;
    const int place = x->place[own->block], wide = x->size[place];
    double a[6][6], b[6];
    if (!own->held) {
        wy_network_cluster_terms(net, c, a, b);
        add_block(net, &a[0][0], 6, c, x->diagonal[place], wide);
    }
    for (int i = 0; i < 6; i++) {
        if (own->held) net->value[x->diagonal[place] + (size_t)(i * wide + i)] = 1;
        net->side[own->row + i] += own->held ? net->hub.next[c].change[i] : -b[i];
    }
}

/* Bbar^T slope Bplus + H, and the force. */
static void add_law(wy_network *net, const wy_network_joint *j, const wy_network_pull *pull,
                    double h[WY_PAIR][WY_PAIR]) {
    for (int n = 0; n < WY_PAIR; n++)
        for (int m = 0; m < WY_PAIR && pull->slope != 0; m++)
            h[n][m] += pull->bar[n] * pull->slope * pull->plus[m];
    for (int s = 0; s < 2; s++) {
        const int c = j->cluster[s];
        if (c < 0 || net->plan.cluster[c].held) continue;
        for (int i = 0; i < 6; i++)
            net->side[net->plan.cluster[c].row + i] -= pull->bar[6 * s + i] * pull->stress;
    }
}

/* The flexibility that the multiplier sees of the masses alone. */
static double flexibility(const wy_network *net, int c, const double *row) {
    const wy_director_mass *mass = &net->hub.plan.mass[c];
    const double h = net->hub.step->h, k = net->hub.step->dynamic ? 0.5 * h * h : 1.0;
    const double j = wy_min(mass->rotary[0], wy_min(mass->rotary[1], mass->rotary[2]));
    double sum = 0;
    for (int i = 0; i < 3; i++) sum += k * row[i] * row[i] / wy_max(mass->mass, 1e-300);
    for (int i = 3; i < 6; i++) sum += k * row[i] * row[i] / wy_max(j, 1e-300);
    return sum;
}

static void add_multiplier(wy_network *net, const wy_network_joint *j, const wy_network_link *link,
                           const wy_network_pull *pull) {
    double *side = &net->side[link->row], eps = 0;
    *side -= pull->value - pull->target;
    for (int s = 0; s < 2; s++) {
        const int c = j->cluster[s];
        if (c < 0) continue;
        const double *plus = &pull->plus[6 * s], *bar = &pull->bar[6 * s];
        const int held = net->plan.cluster[c].held;
        for (int i = 0; i < 6; i++) {
            if (!held) net->value[j->column[s] + (size_t)(i * j->wide_own + link->lies)] += bar[i];
            net->value[j->row[s] + (size_t)(link->lies * j->wide[s] + i)] += plus[i];
        }
        if (!held) eps += EPS * flexibility(net, c, plus);
    }
    if (!net->plan.redundant) return;
    const wy_blocks *x = &net->plan.skeleton;
    const int place = x->place[link->block], n = x->size[place];
    net->value[x->diagonal[place] + (size_t)(link->lies * n + link->lies)] -= eps;
}

static void add_curve(const wy_network_link *link, const wy_pair_step *at,
                      const wy_network_pull *pull, double h[WY_PAIR][WY_PAIR]) {
    if (link->kind == WY_LINK_ANGLE) {
        const wy_angle angle = {link->other, &link->g};
        wy_angle_curve(&angle, at, pull->sigma, h);
    } else {
        wy_scalar_curve(&link->g, &at->mid, &at->plus, pull->sigma, at->beta, h);
    }
}

static void add_joint(wy_network *net, const wy_network_joint *j) {
    if (j->count == 0) return; /* a weld */
    const wy_pair_step at = wy_joint_pair(net, j);
    double h[WY_PAIR][WY_PAIR] = {{0}};
    for (int k = j->first; k < j->first + j->count; k++) {
        const wy_network_link *link = &net->plan.link[k];
        wy_network_pull *pull = &net->pull[k], here;
        if (link->silent) continue;
        if (link->multiplier >= 0) { /* its rows are not needed again in this iteration */
            here = (wy_network_pull){.target = pull->target, .sigma = pull->sigma};
            wy_link_find(net, j, k, &at, &here);
            pull->value = here.value, pull->stress = here.stress;
            pull = &here;
            add_multiplier(net, j, link, pull);
        } else {
            wy_link_find(net, j, k, &at, pull);
        }
        add_law(net, j, pull, h);
        add_curve(link, &at, pull, h);
    }
    for (int s = 0; s < 2; s++)
        for (int t = 0; t < 2; t++)
            if (j->cluster[s] >= 0 && j->cluster[t] >= 0)
                add_block(net, &h[6 * s][6 * t], WY_PAIR, j->cluster[s], j->at[s][t], j->wide[t]);
}

double wy_links_quotient(const wy_network *net, double *terms) {
    double sum = 0;
    for (int i = 0; i < net->plan.joints; i++) {
        const wy_network_joint *j = &net->plan.joint[i];
        const wy_pair_step at = wy_joint_pair(net, j);
        double h[WY_PAIR][WY_PAIR] = {{0}}, u[WY_PAIR] = {0};
        for (int n = 0; n < WY_PAIR; n++)
            if (j->cluster[n / 6] >= 0) u[n] = net->hub.next[j->cluster[n / 6]].change[n % 6];
        for (int k = j->first; k < j->first + j->count; k++) {
            const wy_network_link *link = &net->plan.link[k];
            wy_network_pull pull = net->pull[k];
            if (link->silent) continue;
            wy_link_find(net, j, k, &at, &pull);
            pull.sigma = pull.stress;
            add_curve(link, &at, &pull, h);
            for (int n = 0; n < WY_PAIR * WY_PAIR; n++)
                h[n / WY_PAIR][n % WY_PAIR] +=
                    pull.bar[n / WY_PAIR] * pull.slope * pull.plus[n % WY_PAIR];
        }
        double own = 0;
        for (int n = 0; n < WY_PAIR * WY_PAIR; n++)
            own += u[n / WY_PAIR] * h[n / WY_PAIR][n % WY_PAIR] * u[n % WY_PAIR];
        sum += own, *terms += fabs(own);
    }
    return sum;
}

/* All that an iteration does with a rod before the skeleton is known, at once: its numbers are fetched once.  Returns
 * the first segment of the next rod. */
static int add_rod(wy_network *net, int rod, double share, int segment, withy_status *status,
                   withy_error *err) {
    wy_director *x = &net->rod[rod];
    if (share > 0) wy_network_move_rod(net, rod, share);
    x->step->negative = 0, x->step->fresh = net->hub.step->fresh;
    *status = wy_director_see(x, 1, err);
    for (int e = 0; wy_network_pairs(net) && e < x->plan.n; e++) wy_touch_element(net, rod, e);
    if (wy_network_pairs(net)) return 0;
    for (; segment < net->plan.segments && net->plan.segment[segment].rod == rod; segment++)
        add_segment(net, &net->plan.segment[segment]);
    return segment;
}

withy_status wy_skeleton_fill(wy_network *net, double share, withy_error *err) {
    const wy_network_plan *plan = &net->plan;
    memset(net->value, 0, plan->skeleton.values * sizeof *net->value);
    memset(net->side, 0, (size_t)plan->skeleton.rows * sizeof *net->side);
    for (int i = 0, segment = 0; i < plan->rods; i++) {
        withy_status status;
        segment = add_rod(net, i, share, segment, &status, err);
        if (status != WITHY_OK) return status;
    }
    if (plan->streams) wy_stream_end();
    for (int c = 0; c < plan->clusters; c++) add_cluster(net, c);
    for (int i = 0; i < plan->joints; i++) {
        fetch_joint(net, i + 2);
        add_joint(net, &plan->joint[i]);
    }
    if (wy_network_pairs(net)) wy_touch_fill(net);
    return WITHY_OK;
}

/* net->side, solved, into the changes of clusters and multipliers, and from there to all nodes. */
double wy_skeleton_spread(wy_network *net) {
    const wy_network_plan *plan = &net->plan;
    for (int c = 0; c < plan->clusters; c++)
        if (!plan->cluster[c].held)
            memcpy(net->hub.next[c].change, &net->side[plan->cluster[c].row], 6 * sizeof(double));
    for (int k = 0; k < plan->links; k++)
        if (plan->link[k].multiplier >= 0)
            net->change[plan->link[k].multiplier] = net->side[plan->link[k].row];
    double size = wy_director_change_size(&net->hub);
    if (wy_network_pairs(net)) wy_touch_spread(net);
    for (int i = 0, segment = 0; i < plan->rods; i++) {
        for (;
             !wy_network_pairs(net) && segment < plan->segments && plan->segment[segment].rod == i;
             segment++) {
            fetch_segment(net, segment + 2);
            wy_segment_back(net, &plan->segment[segment]);
        }
        size = wy_max(size, wy_director_change_size(&net->rod[i]));
    }
    return size;
}

withy_status wy_skeleton_solve(wy_network *net, double share, double *size, withy_error *err) {
    *size = INFINITY;
    WY_TRY(wy_skeleton_fill(net, share, err));
    if (!wy_blocks_factor(&net->plan.skeleton, net->value, net->pivot, NULL, NULL)) return WITHY_OK;
    wy_blocks_solve(&net->plan.skeleton, net->value, net->pivot, net->side);
    *size = wy_skeleton_spread(net);
    return WITHY_OK;
}
