/* mixed_static.c - the static equations of rods so thin that their axial stiffness hides the others.
 *
 *     [ B_m^T C_m B_m + geometric   B_n^T    ] [q]   [ f - B_n^T sigma - B_m^T m   ]
 *     [ B_n                         -C_n^-1  ] [s] = [ C_n^-1 sigma - (strain - rest) ]
 *
 * with the forces s = C_n B_n q (n: shear and stretch) as unknowns (director/static/mixed.h).  sigma, the stress of the mixed
 * Newton method, stays of the size of the loads, while the stress C_n (strain - rest) of an iterate that has turned is
 * larger by (L/r)^2.  The pieces are eliminated with row exchanges (numeric/linear/linear.h), which leave no count of negative
 * eigenvalues.  One rod or a network: the same.
 */
#include <float.h>

#include "method/director/law/law.h"
#include "method/director/static/mixed.h"

/* Of a rod. */
struct wy_director_mixed {
    int on;
    int known;           /* sigma is one of these equations                               */
    int misses, is_new;  /* gap is that of the residual just computed; force has its forces */
    double *gap, *force; /* [n][p][3]                                                     */
};

struct wy_mixed_system {
    wy_front lu;
    wy_mixed at;
    double *side; /* [rows] */
};

/* ---- memory ---------------------------------------------------------------------------------------- */

static withy_status make_rod(wy_director *x, withy_error *err) {
    wy_allocator from = {.arena = x->setup->arena};
    const size_t points = (size_t)(x->plan.n * x->plan.p);
    struct wy_director_mixed *t = wy_allocator_alloc(&from, 1, sizeof *t);
    if (x->thin) return WITHY_OK;
    double *gap = wy_allocator_alloc(&from, 3 * points, sizeof *gap);
    double *force = wy_allocator_alloc(&from, 3 * points, sizeof *force);
    if (from.failed) return wy_no_memory(err, "director: no memory for a thin rod");
    t->gap = gap, t->force = force;
    x->thin = t;
    return WITHY_OK;
}

static struct wy_mixed_system *make_system(const wy_network *net) {
    wy_allocator from = {.arena = net->rigid.setup->arena};
    struct wy_mixed_system *s = wy_allocator_alloc(&from, 1, sizeof *s);
    wy_mixed_rod *at = wy_allocator_alloc(&from, (size_t)net->plan.rods + 1, sizeof *at);
    const size_t rigid_groups = (size_t)net->plan.rigid_groups,
                 locks = (size_t)net->plan.multipliers;
    size_t rows = 6 * rigid_groups + locks;
    for (int i = 0; i < net->plan.rods && !from.failed; i++) {
        const wy_director_plan *rod = &net->rod[i].plan;
        const size_t nodes = (size_t)rod->node_count, forces = 3 * (size_t)(rod->n * rod->p);
        at[i].node = wy_allocator_alloc(&from, nodes, sizeof *at[i].node);
        at[i].force = wy_allocator_alloc(&from, forces, sizeof *at[i].force);
        rows += 6 * nodes + forces;
    }
    if (from.failed) return NULL;
    s->at.rod = at;
    s->side = wy_allocator_alloc(&from, rows + 1, sizeof *s->side);
    s->at.lock = wy_allocator_alloc(&from, locks + 1, sizeof *s->at.lock);
    s->at.lock_unit = wy_allocator_alloc(&from, locks + 1, sizeof *s->at.lock_unit);
    s->at.rigid_group = wy_allocator_alloc(&from, rigid_groups + 1, sizeof *s->at.rigid_group);
    s->at.turn =
        wy_allocator_alloc(&from, rigid_groups + (size_t)net->plan.joints + 1, sizeof *s->at.turn);
    return from.failed ? NULL : s;
}

withy_status wy_network_mixed_make(wy_network *net, withy_error *err) {
    for (int i = 0; i < net->plan.rods; i++) WY_TRY(make_rod(&net->rod[i], err));
    if (!net->thin) net->thin = make_system(net);
    return net->thin ? WITHY_OK : wy_no_memory(err, "director: no memory for thin rods");
}

/* ---- the stress of Newton's method ------------------------------------------------------------------- */

void wy_director_mixed_set(wy_director *x, int on) {
    if (x->thin) x->thin->on = on, x->thin->known = 0;
}

int wy_director_is_mixed(const wy_director *x) {
    return x->thin && x->thin->on;
}

static void reset(wy_director *x) {
    if (x->thin) x->thin->misses = x->thin->is_new = 0;
}

int wy_network_is_mixed(const wy_network *net) {
    return net->plan.rods > 0 && wy_director_is_mixed(&net->rod[0]);
}

void wy_network_mixed_clear(wy_network *net) {
    for (int i = 0; i < net->plan.rods; i++) reset(&net->rod[i]);
}

int wy_network_mixed_misses(const wy_network *net) {
    return net->rod[0].thin->misses;
}

void wy_network_mixed_repeat(wy_network *net) {
    for (int i = 0; i < net->plan.rods; i++) net->rod[i].thin->misses = 1;
}

double *wy_director_mixed_gap(wy_director *x, int e) {
    x->thin->misses = 1;
    return &x->thin->gap[3 * e * x->plan.p];
}

void wy_director_mixed_move(wy_director *x, double share) {
    struct wy_director_mixed *t = x->thin;
    const int points = x->plan.n * x->plan.p, is_new = wy_director_is_mixed(x) && t->is_new;
    for (int i = 0; i < points && is_new; i++)
        for (int k = 0; k < 3; k++)
            t->gap[3 * i + k] = x->stress[i].sigma[0][k] + share * t->force[3 * i + k];
    wy_director_correct(x, share);
    for (int i = 0; i < points && is_new; i++)
        for (int k = 0; k < 3; k++) x->stress[i].sigma[0][k] = t->gap[3 * i + k];
    reset(x);
}

/* A shape that has turned by a finite angle is stretched by its square, which in a thin rod is more
 * stress than any load: the sigma of before is then the better one. */
void wy_director_mixed_begin(wy_director *x) {
    const lane most = lane_all(2e-15 * x->plan.node_count); /* rounding of strains */
    for (int i = 0; i < x->plan.n * x->plan.p; i++) {
        const wy_director_section *g = &x->plan.section[i];
        lane *sigma = x->stress[i].sigma, stress[2];
        wy_section_stress_at(x, i, x->strain[i].start, stress);
        const lane n = stress[0], room = most * g->c[0];
        for (int k = 0; k < 3; k++)
            if (!x->thin->known ||
                !(fabs(sigma[0][k] - n[k]) <= room[k] || fabs(sigma[0][k]) < fabs(n[k])))
                sigma[0][k] = n[k];
        sigma[0][3] = 0;
        sigma[1] = stress[1];
    }
    x->thin->known = 1;
    reset(x);
}

void wy_director_mixed_settle(wy_director *x) {
    wy_director_mixed_begin(x);
    for (int i = 0; i < x->plan.n * x->plan.p; i++) {
        const wy_director_section *g = &x->plan.section[i];
        for (int k = 0; k < 3; k++)
            x->strain[i].start[0][k] = g->rest[0][k] + x->stress[i].sigma[0][k] / g->c[0][k];
    }
}

withy_status wy_network_mixed_factor(wy_network *net, withy_error *err) {
    struct wy_mixed_system *s = net->thin;
    s->at.to = &s->lu, s->at.holds = 1;
    s->at.rows = s->at.forces = 0;
    wy_front_begin(&s->lu, net->rigid.setup->arena, 0);
    WY_TRY(wy_mixed_fill(&s->at, net, err));
    if (wy_front_end(&s->lu)) return WITHY_OK;
    if (s->lu.failed) return wy_no_memory(err, "director: no memory for thin rods");
    return wy_no_convergence(err, "director: the tangent is singular");
}

/* ---- what rounding does -------------------------------------------------------------------------- */

/* A length that is wrong by the rounding of its places, all points the same way. */
static double rounding_at(const wy_director *x, int e, int g) {
    double sum = 0;
    for (int a = 0; a <= x->plan.p; a++)
        sum += fabs(x->plan.rule->slope[g][a]) * v3_norm(x->node[e * x->plan.p + a].r);
    return DBL_EPSILON * sum / x->plan.size[e];
}

const double *wy_director_mixed_rounding(const wy_director *x) {
    return x->thin->gap;
}

void wy_network_mixed_rounding(wy_network *net) {
    struct wy_mixed_system *s = net->thin;
    memset(s->side, 0, (size_t)s->at.rows * sizeof *s->side);
    for (int i = 0; i < net->plan.rods; i++) {
        const wy_director *x = &net->rod[i];
        const wy_mixed_rod *at = &s->at.rod[i];
        for (int k = 0; k < x->plan.n * x->plan.p; k++)
            s->side[at->force[3 * k + 2]] =
                at->unit * x->plan.section[k].weight * rounding_at(x, k / x->plan.p, k % x->plan.p);
    }
    wy_front_solve(&s->lu, s->side);
    for (int i = 0; i < net->plan.rods; i++) {
        wy_director *x = &net->rod[i];
        const wy_mixed_rod *at = &s->at.rod[i];
        for (int k = 0; k < 3 * x->plan.n * x->plan.p; k++)
            x->thin->gap[k] = at->unit * s->side[at->force[k]];
    }
}

/* ---- solutions ----------------------------------------------------------------------------------- */

/* The right side of a rod; returns what follows its nodes. */
static const double *load_rod(struct wy_mixed_system *s, wy_director *x, int rod, const double *b) {
    const wy_mixed_rod *at = &s->at.rod[rod];
    for (int j = 0; j < x->plan.node_count; j++) {
        double side[6];
        if (at->node[j].member >= 0) continue;
        memcpy(side, b, sizeof side);
        if (wy_director_end_of(x, j) >= 0)
            wy_director_hold_side(x, wy_director_end_of(x, j), b, side);
        for (int k = 0; k < 6; k++)
            s->side[at->node[j].row[k]] = wy_mixed_scale(&at->node[j], k) * side[k];
        b += 6;
    }
    for (int i = 0; i < 3 * x->plan.n * x->plan.p; i++)
        s->side[at->force[i]] = x->thin->misses ? at->unit * x->thin->gap[i] : 0.0;
    x->thin->is_new = x->thin->misses, x->thin->misses = 0;
    return b;
}

static double *take_rod(const struct wy_mixed_system *s, wy_director *x, int rod, double *b) {
    const wy_mixed_rod *at = &s->at.rod[rod];
    for (int j = 0; j < x->plan.node_count; j++) {
        if (at->node[j].member >= 0) continue;
        for (int k = 0; k < 6; k++)
            b[k] = wy_mixed_scale(&at->node[j], k) * s->side[at->node[j].row[k]];
        if (wy_director_end_of(x, j) >= 0) wy_director_hold_back(x, wy_director_end_of(x, j), b);
        b += 6;
    }
    for (int i = 0; i < 3 * x->plan.n * x->plan.p; i++)
        x->thin->force[i] = at->unit * s->side[at->force[i]];
    return b;
}

void wy_network_mixed_solve(wy_network *net, double *b) {
    struct wy_mixed_system *s = net->thin;
    const wy_mixed_place *rigid_group = s->at.rigid_group;
    const int places = 6 * net->plan.rigid_groups;
    const double *from = b + places;
    for (int i = 0; i < places; i++) {
        const wy_mixed_place *c = &rigid_group[i / 6];
        const double scale = wy_mixed_scale(c, i % 6);
        s->side[c->row[i % 6]] = c->held ? b[i] / scale : scale * b[i];
    }
    for (int i = 0; i < net->plan.rods; i++) from = load_rod(s, &net->rod[i], i, from);
    for (int m = 0; m < net->plan.multipliers; m++)
        s->side[s->at.lock[m]] = s->at.lock_unit[m] * from[m];
    wy_front_solve(&s->lu, s->side);
    double *to = b + places;
    for (int i = 0; i < places; i++)
        b[i] = wy_mixed_scale(&rigid_group[i / 6], i % 6) * s->side[rigid_group[i / 6].row[i % 6]];
    for (int i = 0; i < net->plan.rods; i++) to = take_rod(s, &net->rod[i], i, to);
    for (int m = 0; m < net->plan.multipliers; m++)
        to[m] = s->at.lock_unit[m] * s->side[s->at.lock[m]];
}
