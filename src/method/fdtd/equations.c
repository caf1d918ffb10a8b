/* equations.c - the equations interface: statics and modes of the semi-discrete rod.
 *
 *   r = forces and torques of the present shape = 0,   K = -dr/dx (fdtd/tangent.c),
 *   M = diag(rho A h P+, rho J h P-)
 *
 * The modes are those of the scheme in the limit of short steps.  Frames that are held are not unknowns:
 * the strain at an end node is measured against them, so that a share of the rotation to a prescribed frame
 * is an intermediate frame.
 */
#include "method/fdtd/state.h"
#include "numeric/interpolate/interpolate.h"

typedef wy_fdtd state;

static wy_vector_layout layout(const void *self) {
    const state *x = self;
    const int n = x->opt.n;
    return (wy_vector_layout){
        6 * n + 3, {0, n + 1, 6, 3, 1}, {3, n, 6, 3, 1}, x->reference[0], {0}};
}

/* A rod that starts from an equilibrium has no step yet: any value can be used. */
static void make_ready(state *x) {
    const double h = x->now->h > 0 ? x->now->h : wy_fdtd_requested_step(x);
    wy_fdtd_group_ready(&x->group[0], h, x->now->regular);
}

static withy_status open(void *self, withy_error *err) {
    state *x = self;
    const char *special = wy_fdtd_special(x);
    if (special)
        return wy_unsupported(err, "fdtd: statics and modes of %s are not computed; use %s",
                              special, x->literal ? "options.scheme = \"staggered\"" : "director");
    if (x->problem->rod_count > 1)
        return wy_unsupported(
            err, "fdtd: statics and modes are for one rod at a time; remove the others");
    wy_fdtd_group *g = &x->group[0];
    if (!x->tangent) WY_TRY(wy_fdtd_tangent_make(g, x->setup->arena, &x->tangent, err));
    x->tangent->weighed = 0;
    make_ready(x);
    return wy_fdtd_group_speed(g, 0, err);
}

/* ---- loads and ends -------------------------------------------------------------------------- */

static withy_status load_again(wy_fdtd_tangent *x, withy_error *err) {
    WY_TRY(wy_fdtd_loads(x->g, x->t, x->factor, 1, err));
    for (int e = 0; e < 2; e++) WY_TRY(wy_fdtd_end_forces(x->g, e, 0, x->t, x->factor, err));
    return wy_fdtd_state_loads_at(x->g, x->t, x->factor, WY_FDTD_AT, err);
}

static withy_status load(void *self, double factor, double t, double part, withy_error *err) {
    state *x = self;
    wy_fdtd_group *g = &x->group[0];
    x->tangent->factor = factor, x->tangent->t = t;
    for (int e = 0; e < 2; e++) {
        double(*gap)[3] = x->now->gap[e];
        wy_pose pose;
        WY_TRY(wy_end_pose(&g->end[e].end[0], t, &pose, err));
        pose.r = v3_axpy(pose.r, 1 - part, v3_from(gap[0]));
        pose.frame = m3_mulm(q_matrix(q_exp(v3_scale(1 - part, v3_from(gap[1])))), pose.frame);
        wy_fdtd_hold_at(g, e, 0, pose.r, pose.frame);
    }
    return load_again(x->tangent, err);
}

static withy_status pull(void *self, int on, withy_error *err) {
    (void)err;
    ((state *)self)->group[0].pulling = on;
    return WITHY_OK;
}

static void hold(void *self) {
    state *x = self;
    const wy_fdtd_group *g = &x->group[0];
    for (int e = 0; e < 2; e++) {
        const wy_fdtd_hold *held = &g->now.hold[e];
        const vec3 target = v3(held->r[0][0], held->r[1][0], held->r[2][0]);
        const quat frame = {held->q[0][0], held->q[1][0], held->q[2][0], held->q[3][0]};
        const mat3 shape = wy_fdtd_carried_frame(g, 0, e), requested = q_matrix(frame);
        const mat3 turn = g->end[e].turns_free ? m3_between(requested.c3, shape.c3)
                                               : m3_mulm(shape, m3_transpose(requested));
        const vec3 none = v3(0, 0, 0), r = wy_fdtd_at3(g->now.r, e ? g->n : 0);
        v3_to(g->end[e].holds_position ? v3_sub(r, target) : none, x->now->gap[e][0]);
        v3_to(g->end[e].holds_direction ? q_log(q_from_matrix(turn)) : none, x->now->gap[e][1]);
    }
}

static int potential(const void *self) {
    const state *x = self;
    return wy_has_potential(&x->problem->rod[0], x->group[0].pulling, 0);
}

/* ---- Newton ---------------------------------------------------------------------------------- */

static withy_status residual(void *self, double *r, withy_error *err) {
    state *x = self;
    WY_TRY(load_again(x->tangent, err));
    wy_fdtd_tangent_force(x->tangent, r);
    return WITHY_OK;
}

static withy_status factor(void *self, double shift, int *negative, withy_error *err) {
    *negative = -1; /* rows are exchanged, so that the pivots have no sign */
    return wy_fdtd_tangent_factor(((state *)self)->tangent, shift, err);
}

static void solve(void *self, double *b) {
    wy_banded_solve(&((state *)self)->tangent->lu, b);
}

static void move(void *self, const double *change, double share) {
    wy_fdtd_group *g = &((state *)self)->group[0];
    for (int i = 0; i <= g->n; i++) {
        const vec3 r = wy_fdtd_at3(g->now.r, i);
        wy_fdtd_put3(g->now.r, i, v3_axpy(r, share, v3_from(&change[6 * i])));
        if (i == g->n) break;
        const quat turn = q_exp(v3_scale(share, v3_from(&change[6 * i + 3])));
        wy_fdtd_put4(g->now.q, i, q_unit(q_mul(wy_fdtd_at4(g->now.q, i), turn)));
    }
}

static void mass(const void *self, const double *v, double *mv) {
    const wy_fdtd_tangent *x = ((const state *)self)->tangent;
    for (int k = 0; k < x->size; k++) mv[k] = wy_fdtd_mass_of(x, k) * v[k];
}

static void damping(const void *self, const double *v, double *cv) {
    wy_fdtd_tangent_damping(((const state *)self)->tangent, v, cv);
}

static double quotient(const void *self, const double *v, double *terms, double *round) {
    return wy_fdtd_tangent_quotient(((const state *)self)->tangent, v, terms, round);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static void weigh(void *self, int on) {
    ((state *)self)->tangent->weighed = on;
}

/* Of a cantilever, by the stiffness in its middle. */
static double rate(const void *self) {
    const state *x = self;
    const wy_fdtd_group *g = &x->group[0];
    const int k = g->n / 2, weighed = x->tangent && x->tangent->weighed;
    const double length = g->length[0];
    const double mass_per = weighed ? 1.0 : g->grid.mass[k] * g->n / length;
    const double bend = wy_min(g->grid.stiff_node[0][k], g->grid.stiff_node[1][k]);
    return 12.362 * bend / (mass_per * length * length * length * length);
}

static double energy(const void *self) {
    state *x = (state *)self; /* scratch is written */
    make_ready(x);
    wy_fdtd_observe(&x->group[0], 0, 1, &x->view);
    const withy_energies *e = &x->view.energy;
    return e->shear + e->stretch + e->bend + e->twist + e->gravity;
}

/* Linear between the neighbours: accurate enough for drawing. */
static void shape(const void *self, const double *v, withy_mode *mode) {
    const wy_fdtd_group *g = &((const state *)self)->group[0];
    const double h = g->problem->rod[g->rod[0]].length / g->n;
    for (int k = 0; k < mode->count; k++) {
        const wy_place at = wy_place_of(mode->s[k], h, g->n);
        const wy_place half = wy_place_of(mode->s[k] - 0.5 * h, h, g->n - 1);
        const double *shift = &v[6 * at.j], *turn = &v[6 * half.j + 3];
        const vec3 own = wy_place_mix(half, v3_from(turn), v3_from(turn + 6));
        mode->position[k] =
            wy_place_mix(at, wy_fdtd_at3(g->now.r, at.j), wy_fdtd_at3(g->now.r, at.j + 1));
        mode->shift[k] = wy_place_mix(at, v3_from(shift), v3_from(shift + 6));
        mode->turn[k] = q_turn(wy_fdtd_at4(g->now.q, half.j), own);
    }
}

/* ---- from and to motion ---------------------------------------------------------------------- */

/* The strains of the present shape are taken as constant in the past: no strain rates. */
static withy_status settle(void *self, double load_factor, withy_error *err) {
    wy_fdtd_group *g = &((state *)self)->group[0];
    (void)load_factor, (void)err;
    if (!g->viscous) return WITHY_OK;
    make_ready(self);
    wy_fdtd_forces(g);
    wy_fdtd_group_keep_strains(g);
    return WITHY_OK;
}

static withy_status let_go(void *self, int moving, withy_error *err) {
    state *x = self;
    WY_TRY(wy_fdtd_group_speed(&x->group[0], moving, err));
    return x->now->h > 0 ? wy_fdtd_begin(x, err) : WITHY_OK; /* or when the step is set */
}

/* Modes need the whole tangent; that of loads along the rod which turn with it, or against it, is not in
 * K.  (Newton's method finds equilibria without it.) */
static withy_status whole(void *self, void **other, withy_error *err) {
    const state *x = self;
    const withy_rod *rod = &x->problem->rod[0];
    *other = self;
    for (int i = 0; i < rod->load_count; i++)
        if ((rod->load[i].follower || rod->load[i].moment.size) &&
            !wy_load_uses_state(&rod->load[i]))
            return wy_unsupported(err,
                                  "fdtd: modes under loads[%d], which follows the rod or is a "
                                  "moment, are not computed; use director, cheb or se3",
                                  i + 1);
    return WITHY_OK;
}

const wy_equations wy_fdtd_statics = {
    WY_EQUATIONS_COMMON, .open = open,         .mass = mass,   .weigh = weigh,
    .damping = damping,  .quotient = quotient, .shape = shape, .whole = whole,
};
