/* step.c - the rod as u'' = a(t, u, u') for the integrators of numeric/time/second_order.h.
 *
 * An explicit step that makes the motion grow by exp(6) within half of the rod's slow motion is refused
 * (the runs of [CH] stay below), and dt = auto keeps it below that for ten slow motions; a longer run needs
 * a shorter step, or another integrator.  A bound from the largest frequency and the largest loss decides
 * first; it is too strict where the two belong to different modes, so a step beyond it is tried on the
 * linearised equations.
 */
#include "method/cheb/cheb.h"

static withy_status accel(void *self, double t, const double *u, const double *v, double *a,
                          withy_error *err) {
    return wy_cheb_accel(self, t, u, v, a, err);
}

static withy_status bound(void *self, double t, int stage, double *u, double *v, withy_error *err) {
    wy_cheb *x = self;
    x->staging = stage;
    const withy_status status = wy_cheb_bound(x, t, u, v, err);
    x->staging = 0;
    return status;
}

static withy_status stepped(void *self, double t, withy_error *err) {
    return wy_cheb_ledger_keep(self, t, err);
}

/* Quaternions of length 1, and rates orthogonal to them, (2.79) and (2.80). */
static void normalise(void *self, double *u, double *v) {
    const wy_cheb *x = self;
    const int ld = x->grid.ld;
    for (int i = 0; i <= x->grid.n && !x->planar; i++) {
        double *q = u + 3 * ld + i, *w = v + 3 * ld + i, qq = 0, qw = 0;
        for (int k = 0; k < 4; k++) qq += q[k * ld] * q[k * ld];
        const double scale = 1.0 / sqrt(qq);
        for (int k = 0; k < 4; k++) q[k * ld] *= scale, qw += q[k * ld] * w[k * ld];
        for (int k = 0; k < 4; k++) w[k * ld] -= qw * q[k * ld];
    }
}

withy_status wy_cheb_motion_make(wy_cheb *x, withy_error *err) {
    const int nodes = x->grid.n + 1;
    wy_allocator from = {.arena = x->setup->arena};
    char *held = wy_allocator_alloc(&from, (size_t)(x->fields * nodes), sizeof *held);
    double *unit = wy_allocator_alloc(&from, (size_t)x->fields, sizeof *unit);
    if (from.failed) return wy_no_memory(err, "cheb: no memory for the integrator");
    for (int f = 0; f < x->fields; f++) {
        unit[f] = f < wy_cheb_places(x) ? x->grid.length : 1.0;
        for (int i = 0; i < nodes; i++) held[f * nodes + i] = (char)wy_cheb_is_held(x, f, i);
    }
    x->second.problem = (wy_second_problem){.kind = x->opt.integrator,
                                            .who = "cheb",
                                            .cure = "reduce options.dt or increase options.n",
                                            .fields = x->fields,
                                            .nodes = nodes,
                                            .ld = x->grid.ld,
                                            .held = held,
                                            .unit = unit,
                                            .projects = x->opt.normalise,
                                            .late = x->opt.thesis_staging,
                                            .rho = x->opt.rho,
                                            .newton_tol = x->opt.newton_tol,
                                            .newton_max = x->opt.newton_max,
                                            .relative = x->opt.tol,
                                            .absolute = x->opt.absolute,
                                            .interrupt = x->setup->interrupt,
                                            .self = x,
                                            .accel = accel,
                                            .bound = bound,
                                            .project = normalise,
                                            .stepped = stepped,
                                            .rates = wy_cheb_rates};
    return WITHY_OK;
}

static const double SHORT = 0.5, LONG = 10.0; /* slow motions */
static const double LOUDEST = 6.0;
static const double STEADY = 5e-3; /* growth in a step that the trial cannot tell from none */
/* Of the limit of the linear theory: there h |lambda| > 7.8 for the fastest motion, since |lambda| is at least omega, and
 * with c > 2 omega at least c/2; rk3 and rk4 are stable for |z| < 3 at most, and no trial is needed. */
static const double FAR = 8.0;

withy_status wy_cheb_stability(wy_cheb *x, withy_error *err) {
    const double t = x->state->t, nudge = 1e-6 * x->grid.length;
    double square = 0.0, loss = 0.0;
    WY_TRY(wy_second_largest(&x->second, t, 0, nudge, &square, err));
    if (wy_rod_is_damped(x->rod) || x->problem->floor.damping > 0 || wy_rod_uses_state(x->rod))
        WY_TRY(wy_second_largest(&x->second, t, 1, nudge, &loss, err));
    const withy_floor *floor = &x->problem->floor;
    if (floor->given && floor->stiffness > 0) { /* it may touch later */
        double lightest = INFINITY;
        for (int i = 0; i <= x->grid.n; i++)
            for (int k = 0; k < wy_cheb_places(x); k++)
                lightest = wy_min(lightest, x->along.mass[k][i]);
        square += floor->stiffness / lightest;
    }
    x->omega = sqrt(square);
    if (wy_second_is_explicit(x->opt.integrator)) {
        const double slow = x->along.slow;
        x->limit = wy_second_longest(x->opt.integrator, x->omega, loss, SHORT * slow);
        x->good = 0.9 * wy_second_longest(x->opt.integrator, x->omega, loss, LONG * slow);
    }
    return WITHY_OK;
}

/* rk3 and rk4 have a limit beyond which they explode; euler and rk2 always grow, more or less. */
static int is_strict(const wy_cheb *x) {
    return x->opt.integrator == WY_SECOND_RK3 || x->opt.integrator == WY_SECOND_RK4;
}

/* Does a step stay within the growth that is accepted, tried on the linearised equations? */
static withy_status holds(wy_cheb *x, double h, double *work, int *yes, withy_error *err) {
    double rate;
    x->touching = x->problem->floor.given;
    const withy_status status = wy_second_growth(&x->second, x->state->t, h, 1e-6 * x->grid.length,
                                                 x->omega, work, &rate, err);
    x->touching = 0;
    *yes = is_strict(x) ? rate * h <= STEADY : rate * SHORT * x->along.slow <= LOUDEST;
    return status;
}

withy_status wy_cheb_try_step(wy_cheb *x, double dt, withy_error *err) {
    enum { HALVINGS = 10 };
    if (dt <= x->limit || (is_strict(x) && dt > FAR * x->limit)) return WITHY_OK;
    double *work = wy_arena_alloc(x->setup->arena, 6 * (size_t)x->size, sizeof *work);
    if (!work) return wy_no_memory(err, "cheb: no memory to try the step");
    int yes;
    double from = x->limit, to = dt;
    WY_TRY(holds(x, dt, work, &yes, err));
    if (yes) x->limit = dt;
    for (int k = 0; k < HALVINGS && !yes && to > 1.001 * from;
         k++) { /* what it allows, for the message */
        const double middle = 0.5 * (from + to);
        int good;
        WY_TRY(holds(x, middle, work, &good, err));
        *(good ? &from : &to) = middle;
    }
    if (!yes) x->limit = from;
    return wy_cheb_accel(x, x->state->t, x->u, x->v, x->a, err);
}

withy_status wy_cheb_step(wy_cheb *x, double t, double h, withy_error *err) {
    withy_stats *stats = x->setup->stats;
    const wy_second *second = &x->second;
    const withy_status status = wy_second_step(&x->second, t, h, err);
    stats->steps += status == WITHY_OK;
    stats->iterations += second->iterations, stats->halvings += second->halvings;
    if (second->most > stats->iterations_max) stats->iterations_max = second->most;
    return status;
}

withy_status wy_cheb_adaptive_make(wy_cheb *x, withy_error *err) {
    const double halving = x->omega / ((double)x->grid.n * x->grid.n);
    return wy_second_adaptive_make(&x->second, halving, x->setup->arena, err);
}

withy_status wy_cheb_adaptive_advance(wy_cheb *x, double t, withy_error *err) {
    withy_stats *stats = x->setup->stats;
    WY_TRY(wy_second_adaptive_advance(&x->second, x->state->t, t, err));
    stats->steps += x->second.steps;
    if (x->second.ode) return WITHY_OK;
    stats->iterations += x->second.iterations, stats->halvings += x->second.halvings;
    return WITHY_OK;
}
