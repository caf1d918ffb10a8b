/* se3.c - Cosserat rod on SE(3): strains and body velocities, implicit in time, box in space.
 *
 * Solves, with twists (angular, linear), g = (R, r) the pose of the section, xi its strain and eta
 * its velocity in its own frame,
 *
 *   M eta_t - ad_eta^T M eta = Lam' - ad_xi^T Lam + F                     [SE] (1), with loads (1)
 *   xi_t = eta' + ad_xi eta                                               [SE] (2)            (2)
 *   g' = g xi^,   g_t = g eta^                                            [SE] (3), (4)       (3)
 *   Lam = K (xi - xi*) + D xi_t + tendons,   eta(0) = eta_base(t),   Lam(L) = W_tip           (4)
 *
 * in time by one rule X_t = c0 X + history (5), (6) in se3/step.c, in space by the box scheme (9),
 * (10) in se3/cell.c: both equations at the middle of every cell.  Each step is one Newton
 * iteration over a chain of 12 x 12 blocks, solved by the Riccati sweep of numeric/linear/linear.h.
 *
 * Symbols        here          unit            shape
 *   xi           x->work.xi         1/m, -          [n+1][6]   (bend1, bend2, twist, shear1, shear2,
 *                                                          1 + stretch)
 *   eta          x->work.eta        rad/s, m/s      [n+1][6]   body components
 *   Lam          x->work.lam        N m, N          [n+1][6]   (m, n), body components
 *   Kt           x->work.kt         stiffness       [n+1][6][6]   dLam/dxi
 *   g            x->state.g          -, m            [2n+1]     poses at nodes and middles of cells
 *   K, D, M      point->k d m
 *
 * Departs from [SE] (scheme = "notes" keeps it as written, se3/notes.c):
 *   - box scheme instead of explicit Euler in s: the energy is conserved to rounding at any step; Euler
 * with both fields forward is unstable in time for every grid.
 *   - Riccati sweep instead of single shooting, which fails for dt < 2 L/(7 c).
 *   - the tip condition Lam(L) = W holds at the time midpoint and the tip strain starts consistent;
 *     xi(L) = xi* at the new time from inconsistent data loses 28 % of the energy in the first step.
 *   - a held finish, which [SE] does not have, is held by its velocity (se3/step.c).
 *   - g is rebuilt from xi; stepping it in time as (13) of [SE] drifts from the strains.
 */
#include "method/se3/se3.h"

#define ROW(member, ...) WY_OPTION(wy_se3_options, member, #member, __VA_ARGS__)
#define WORD(member, words, value, doc)                                                            \
    WY_OPTION_WORD(wy_se3_options, member, #member, words, value, doc)

static const wy_option option_table[] = {
    ROW(n, "-", "cells along the rod", 'i', 100, 2, 100000, NULL),
    ROW(dt, "s", "time step; rounded down so that whole steps fill time.output", 'd', 0.001, 1e-9,
        1e3, NULL),
    WORD(scheme, "box|rk4|notes", WY_SE3_BOX,
         "in space: box (energy exact, second order), rk4 (fourth order), notes (Euler and "
         "shooting, as the source; unstable)"),
    WORD(time, "midpoint|bdf2|bdf_alpha", WY_SE3_MIDPOINT,
         "midpoint keeps energy; bdf2 and bdf_alpha damp what dt does not resolve"),
    ROW(alpha, "-", "of bdf_alpha: 0 is bdf2, -0.5 the trapezoidal rule", 'd', -0.2, -0.5, 0, NULL),
    WORD(tip, "midpoint|new", WY_SE3_TIP_MIDPOINT,
         "condition of the free end: at the middle of the step from consistent data, or at the new "
         "time (as the source; loses energy when the data do not meet it)"),
    WORD(start, "midpoint|rest", WY_SE3_START_MIDPOINT,
         "first step of a bdf: one midpoint step, or with the state of t = 0 before it"),
    ROW(newton_tol, "-", "largest last increment, relative; the error left is about its square",
        'd', 1e-6, 1e-13, 1e-2, NULL),
    ROW(newton_max, "-", "most iterations in a step", 'i', 30, 1, 1000, NULL),
    ROW(halvings, "-", "most halvings of a step when Newton fails", 'i', 8, 0, 30, NULL),
    {{0}, 0},
};

static withy_status accept(const withy_problem *problem, withy_error *err) {
    const withy_rod *rod = &problem->rod[0];
    if (wy_initial_shape(rod)->kind == WITHY_SHAPE_PLUCK)
        return wy_unsupported(err, "se3: initial.shape" WY_KEY
                                   " is plucked, and a kink has no finite curvature; give a "
                                   "rounded shape by curve or curvature");
    double k[WITHY_STRAINS];
    WY_TRY(wy_stiffness_at(rod, 0, k, err));
    static const char *const name[WITHY_STRAINS] = {"shear", "shear", "stretch",
                                                    "bend",  "bend",  "twist"};
    for (int i = 0; i < WITHY_STRAINS; i++)
        if (!isfinite(k[i]))
            return wy_unsupported(err,
                                  "se3: rod.stiffness.%s" WY_KEY
                                  " is not given, and se3 needs all of stretch, shear, bend and "
                                  "twist finite; give them" WY_OR_USE_ANOTHER,
                                  name[i]);
    if (rod->settled && (!wy_end_clamps(&rod->end[0]) || rod->end[0].turn == WITHY_TURN_FREE))
        return wy_unsupported(err, "se3: a start from equilibrium needs a start of the rod that is "
                                   "clamped and not free to turn; clamp it" WY_OR_USE_ANOTHER);
    int by_length = 0;
    for (int i = 0; i < rod->load_count; i++)
        by_length += rod->load[i].kind == WITHY_LOAD_TENDON && rod->load[i].displacement.size;
    for (int i = 0; i < rod->pull_count; i++)
        if (rod->settled && rod->pull[i].kind == WITHY_LOAD_TENDON)
            return wy_unsupported(
                err, "se3: a tendon among the loads of initial = static { ... } is not done; use "
                     "director, or let the tension of a tendon of the rod end at t = 0");
    if (by_length > WY_SE3_EXTRA)
        return wy_unsupported(err,
                              "se3: %d tendons have a prescribed displacement, at most %d may; "
                              "give the tension of the others",
                              by_length, WY_SE3_EXTRA);
    return WITHY_OK;
}

/* ---- the method ------------------------------------------------------------------------------ */

static withy_status check_options(const wy_se3 *x, withy_error *err) {
    const wy_se3_plan *p = &x->plan;
    const withy_rod *rod = p->rod;
    const bool loaded_tip = rod->end[1].force.size || rod->end[1].moment.size ||
                            p->end[1].has_body || p->tendon_count || p->holds_finish;
    if (p->opt.tip == WY_SE3_TIP_NEW && (loaded_tip || p->opt.time != WY_SE3_MIDPOINT))
        return wy_unsupported(
            err, "options.tip" WY_KEY
                 " = \"new\" is for a free, massless tip under time = \"midpoint\"; leave it out");
    if (p->opt.scheme == WY_SE3_RK4 && p->n < 3)
        return wy_bad_input(err,
                            "options.n" WY_KEY
                            " = %d: scheme = \"rk4\" interpolates by cubics and needs n >= 3",
                            p->n);
    for (int i = 0; i < rod->load_count && p->opt.scheme == WY_SE3_RK4; i++)
        if (rod->load[i].kind == WITHY_LOAD_POINT && rod->load[i].from > 0 &&
            rod->load[i].from < p->length)
            return wy_unsupported(err,
                                  "se3: loads[%d]" WY_KEY
                                  " acts at a point inside the rod, where scheme = \"rk4\" would "
                                  "lose its order; use scheme = \"box\"",
                                  i + 1);
    return WITHY_OK;
}

static withy_status create(const wy_setup *setup, void **self, withy_error *err) {
    wy_se3 *x = wy_arena_alloc(setup->arena, 1, sizeof *x);
    if (!x) return wy_no_memory(err, "se3: no memory for the plan");
    WY_TRY(wy_se3_make(setup, x, err));
    WY_TRY(check_options(x, err));
    if (x->plan.opt.scheme == WY_SE3_NOTES) wy_note(setup->notes, WY_NOTE(scheme_notes));
    *self = x;
    return WITHY_OK;
}

static void layout(void *self, wy_block *state, wy_block *scratch) {
    wy_se3_layout(self, state, scratch);
}

static withy_status start(void *self, withy_error *err) {
    return wy_se3_start(self, err);
}

static withy_status preferred_step(void *self, wy_preferred_step *requested, withy_error *err) {
    const wy_se3 *x = self;
    (void)err;
    *requested = (wy_preferred_step){.dt = x->plan.opt.dt, .given = 1};
    return WITHY_OK;
}

/* Schemes that march along the rod need a step that is not too short for it. */
static withy_status set_step(void *self, double h, withy_error *err) {
    const wy_se3 *x = self;
    const double per_cell = wy_se3_growth(x, h) / x->plan.n;
    if (x->plan.opt.scheme == WY_SE3_NOTES) {
        wy_se3_notes_resolution(x, h);
        return wy_se3_notes_check(x, h, err);
    }
    if (x->plan.opt.scheme == WY_SE3_RK4 && per_cell > 0.5)
        wy_note(x->setup->notes, WY_NOTE(cell_unresolved), h, per_cell,
                (int)ceil(2 * per_cell * x->plan.n));
    return WITHY_OK;
}

static withy_status advance(void *self, const wy_span *span, withy_error *err) {
    wy_se3 *x = self;
    const bool notes = x->plan.opt.scheme == WY_SE3_NOTES;
    if (notes) WY_TRY(wy_se3_notes_check(x, span->h, err));
    wy_se3_begin(x);
    for (int64_t k = span->from + 1; k <= span->to; k++) {
        WY_TRY(wy_interrupt_check(x->setup->interrupt, wy_span_time(span, k - 1), err));
        WY_TRY(
            (notes ? wy_se3_notes_step : wy_se3_make_step)(x, span->h, wy_span_time(span, k), err));
    }
    wy_se3_rebuild(x);
    return WITHY_OK;
}

static int nodes(const void *self, int rod, double *s) {
    const wy_se3 *x = self;
    (void)rod;
    for (int j = 0; s && j <= x->plan.n; j++) s[j] = x->plan.point[2 * j].s;
    return x->plan.n + 1;
}

static wy_order order(const void *options) {
    static const int space[] = {[WY_SE3_BOX] = 2, [WY_SE3_RK4] = 4, [WY_SE3_NOTES] = 1};
    return (wy_order){space[((const wy_se3_options *)options)->scheme], 2, 1.0 / 12};
}

/* Exact for the box with midpoint on a uniform rod, but for Newton's tolerance and rounding; the others
 * lose energy by design. */
static double most_drift(const void *self) {
    const wy_se3_plan *p = &((const wy_se3 *)self)->plan;
    const bool exact = p->opt.scheme == WY_SE3_BOX && p->opt.time == WY_SE3_MIDPOINT;
    return exact && p->uniform ? 1e-3 : 0.0;
}

const wy_method wy_method_se3 = {
    WY_METHOD_COMMON(se3),
    .order = order,
    .summary = "Cosserat rod on SE(3): box scheme, energy exact at any step, O(n); tendons",
    .source = "[SE]",
    .can = WY_CAN_COSSERAT | WY_CAN(LUMP_TURN) | WY_CAN(TENDON) | WY_CAN(STATE),
    /* strains and velocities are in components of the section: of the way of a free rod that a moment spins by 0.2, 0.5,
     * 1.2 in a step at most 1, 15, 40 % are wrong (random_scene.h, seeds 14000 to 14800) */
    .spin = 0.4,
    .accept = accept,
    .set_step = set_step,
    .any_step = 1,
    .equations = &wy_se3_statics,
};
