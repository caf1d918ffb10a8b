/* relax.c - descent to an equilibrium from a shape that is far from one, in damped pseudo time.
 *
 *   r(x) - mu W (x - x_k) = 0,   x_(k+1) its solution,   k = 0, 1, ...
 *
 * Each solution is a bounded step down the potential (implicit Euler of W x' = r with step 1/mu): mu falls as long
 * as Newton finds one at once, and rises when it does not, when a section turns too far or when
 * K + mu W is not positive definite, which could lead to a saddle.  Near the equilibrium Newton's method
 * alone finishes.  W is the M of wy_equations.weigh.
 */
#include "study/equilibrium/equations.h"

static const double FIRST = 10.0;              /* mu, in units of the lowest stiffness */
static const double LEAST = 1e-8, MOST = 1e13; /* a soft motion needs a long step */
static const double NEAR = 2e-2; /* moved by a step: Newton may finish                  */
/* mu, in the same unit: beyond any load.  A change of a thin rod that still climbs there closes strains that its
 * forces are not taken from. */
static const double SURE = 1e6;
static const double RESTS = 1e-7;      /* moved by a step: the rod is at rest                 */
static const double STABLE_MOST = 0.5; /* way of Newton to a stable equilibrium           */
static const double TURN_MOST = 1.0;   /* of a section in one step down                       */
static const double CLOSE = 1e-2;      /* of the first change: a step need not be solved exactly, */
static const double CLOSED =
    1e-5; /* but it meets the constraints of joints, as Newton's method converges: to 1e-10 */
enum { STEPS = 400, ITERATIONS = 8, KINKED = 30, QUICK = 3, TRIES = 12 };

/* Does a change go against the force that causes it?  Then K + mu W is not positive definite, whether
 * pivots show it or not. */
static int climbs(const wy_static *x) {
    double sum = 0;
    for (int i = 0; i < x->rows; i++) sum += x->side[i] * x->change[i];
    return sum < 0 && x->equations->potential(x->self);
}

/* Contact begins and ends only near an obstacle: one far away leaves the limits of a smooth rod. */
static int has_kinks(const wy_static *x) {
    return x->equations->kinks && x->equations->kinks(x->self);
}

/* One step down from the saved shape; returns its iterations, 0: there is none for this mu. */
static withy_status step_down(wy_static *x, double mu, int driven, int *taken, withy_error *err) {
    const wy_equations *equations = x->equations;
    double before = INFINITY, first = 0;
    const int joined = x->sim->problem.joint_count > 0;
    int negative, k, most = ITERATIONS;
    *taken = 0;
    memset(x->moved, 0, (size_t)x->rows * sizeof *x->moved);
    if (equations->begin) equations->begin(x->self);
    for (k = 0; k < most; k++) {
        const int kinks = has_kinks(x);
        most = kinks ? KINKED : ITERATIONS;
        WY_TRY(wy_interrupt_check(&x->sim->interrupt, x->sim->core->t, err));
        const withy_status status = equations->residual(x->self, x->change, err);
        if (status == WITHY_BAD_INPUT && k > 0) return WITHY_OK; /* a function of the state */
        WY_TRY(status);
        equations->mass(x->self, x->moved, x->side);
        for (int i = 0; i < x->rows; i++) x->change[i] -= mu * x->side[i];
        memcpy(x->side, x->change, (size_t)x->rows * sizeof *x->side);
        WY_TRY(equations->factor(x->self, -mu, &negative, err));
        equations->solve(x->self, x->change);
        if (k == 0 && !driven && mu < SURE * x->unit && climbs(x)) return WITHY_OK;
        x->iterations++;
        const double size = wy_static_size(x, x->change);
        if (k == 0) first = size;
        if (negative > 0 && !(driven && x->rough)) return WITHY_OK;
        if (!(size <= 4 * TURN_MOST) || (!(size <= 0.7 * before) && !kinks)) return WITHY_OK;
        wy_static_move(x, size);
        if (!(wy_static_displacement(x) <= TURN_MOST)) return WITHY_OK;
        if ((size <= CLOSE * first && (!joined || size <= CLOSED)) || size <= 1e-8) break;
        before = size;
    }
    *taken = k < most ? k + 1 : 0;
    return WITHY_OK;
}

/* Newton from a shape near the equilibrium; the shape is that of before unless it stays near and continues
 * in the direction of the last step down: back is the saddle that the rod comes from. */
static withy_status close_in(wy_static *x, double factor, int *found, withy_error *err) {
    wy_static_save(x);
    WY_TRY(wy_static_newton(x, 0, found, err));
    const double way = wy_static_displacement(x);
    const int back = way > 1e-6 && wy_static_product(x, x->toward, x->moved) < 0;
    /* a round rod that has bowed turns freely about its chord: rounding decides the sign of that pivot; and where
     * pivots do not tell (-1), a rod that has hardly begun to fall may be back where it stood */
    if (*found && x->negative != 0) WY_TRY(wy_static_stability(x, err));
    /* a stable one may be further away: along a soft motion a step down is short, and Newton's is not */
    const double most = x->negative == 0 ? STABLE_MOST : 10 * NEAR;
    *found = *found && way < most && !back && !(x->negative > 0);
    if (*found) return WITHY_OK;
    wy_static_restore(x);
    return wy_static_load(x, factor, 1, err);
}

/* Where the rod rests and Newton does not, a symmetry leaves its change undetermined: that is looked for. */
static withy_status finish(wy_static *x, double factor, double way, int *found, withy_error *err) {
    memcpy(x->toward, x->moved, (size_t)x->rows * sizeof *x->moved);
    WY_TRY(close_in(x, factor, found, err));
    if (*found || !(way <= RESTS) || x->candidates) return WITHY_OK;
    WY_TRY(wy_static_stability(x, err));
    return x->candidates ? close_in(x, factor, found, err) : WITHY_OK;
}

/* Ends that the shape misses are approached; *driven: there are such. */
static withy_status begin(wy_static *x, double factor, int *driven, withy_error *err) {
    x->left = 0, *driven = 0;
    WY_TRY(wy_static_load(x, factor, 1, err));
    if (x->equations->hold) x->equations->hold(x->self);
    WY_TRY(wy_static_load(x, factor, 0, err));
    if (x->equations->begin) x->equations->begin(x->self);
    WY_TRY(x->equations->residual(x->self, x->side, err));
    WY_TRY(wy_static_load(x, factor, 1, err));
    WY_TRY(x->equations->residual(x->self, x->change, err));
    for (int i = 0; i < x->rows; i++) *driven |= !(fabs(x->change[i] - x->side[i]) <= 1e-12);
    return WITHY_OK;
}

withy_status wy_static_relax(wy_static *x, double factor, int held, int *found, withy_error *err) {
    const double unit = x->unit;
    double mu = FIRST * unit, part = 0, near = NEAR, closes = WY_STATIC_GAP_SHARE;
    int tries = 0, driven;
    *found = 0;
    if (!(unit > 0)) return WITHY_OK;
    WY_TRY(begin(x, factor, &driven, err));
    if (!driven || held) part = 1, driven = 0;
    x->led = driven;
    for (int k = 0; k < STEPS && mu <= MOST * unit; k++) {
        int taken;
        const double next = wy_min(1, part + closes);
        wy_static_save(x);
        WY_TRY(wy_static_load(x, factor, next, err));
        const withy_status status = step_down(x, mu, driven, &taken, err);
        if (status != WITHY_OK && status != WITHY_NO_CONVERGENCE) return status;
        if (status != WITHY_OK || !taken) {
            wy_static_restore(x);
            mu *= 10, closes = wy_max(0.5 * closes, 1e-3);
            continue;
        }
        driven = part < 1;
        part = next, closes = wy_min(WY_STATIC_GAP_SHARE, 1.5 * closes);
        const double way = wy_static_displacement(x);
        if (part == 1 && way <= near && tries < TRIES) {
            WY_TRY(finish(x, factor, way, found, err));
            if (*found) return WITHY_OK;
            near = way / 3, tries++;
        }
        mu = wy_max(wy_max(LEAST, 10 * x->fine) * unit, (taken <= QUICK ? 0.2 : 0.6) * mu);
    }
    return WITHY_OK;
}

/* ---- away from an unstable equilibrium ------------------------------------------------------------- */

static const double PUSH = 0.02;   /* of the length, or rad */
static const double SHIFTS = 0.02; /* of a motion: it is more than a twist */
enum { MORE = 8 };                 /* lowest motions to choose from */

/* Neutral motions lead nowhere; nor does a stable one that only twists: before the load that bends it aside, a
 * straight rod may have a twist as its softest motion. */
static int leads_aside(const wy_static *x, const wy_lowest_modes *low, int k) {
    const double *v = low->vector + (size_t)k * (size_t)x->rows;
    if (low->lambda[k] < -x->lost) return 1;
    return low->lambda[k] > x->lost && wy_static_shift(x, v) > SHIFTS * wy_static_size(x, v);
}

/* Along the least stable motion, with its largest part positive. */
withy_status wy_static_perturb(wy_static *x, double way, int *pushed, withy_error *err) {
    wy_lowest_modes low;
    double sign = 0, most = 0;
    *pushed = 0;
    WY_TRY(wy_static_lowest(x, 1 + x->candidates, &low, err));
    if (low.count && !leads_aside(x, &low, low.count - 1)) {
        wy_lowest_modes_free(&low);
        WY_TRY(wy_static_lowest(x, MORE + x->candidates, &low, err));
    }
    int k = 0;
    while (k + 1 < low.count && !leads_aside(x, &low, k)) k++;
    const double *v = low.vector + (size_t)k * (size_t)x->rows;
    if (low.count) {
        const double size = wy_static_size(x, v);
        for (int i = 0; i < x->rows; i++)
            if (fabs(v[i]) > 1.0001 * most) most = fabs(v[i]), sign = v[i];
        for (int i = 0; i < x->rows; i++) x->change[i] = v[i] * copysign(way / size, sign);
        if (x->equations->begin) x->equations->begin(x->self);
        x->equations->move(x->self, x->change, 1.0);
        *pushed = 1;
    }
    wy_lowest_modes_free(&low);
    return WITHY_OK;
}

/* One push and one descent.  A push misses a held end by little; while that is made up for in parts, nothing tells a
 * descent from the adjoint, which held = 1 avoids. */
static withy_status leave_once(wy_static *x, double factor, int held, int *moved,
                               withy_equilibrium *point, withy_error *err) {
    int found = 0;
    WY_TRY(wy_static_perturb(x, PUSH, moved, err));
    if (!*moved) return WITHY_OK;
    WY_TRY(wy_static_relax(x, factor, held, &found, err));
    if (found) return wy_static_accept(x, factor, point, err);
    return wy_no_convergence(
        err,
        "%s: the equilibrium at factor %g is unstable in %d directions, and no stable one "
        "was found next to it; compute the motion from the initial shape instead, with damping",
        x->sim->method->name, factor, point->negative);
}

withy_status wy_static_leave(wy_static *x, double factor, withy_equilibrium *point,
                             withy_error *err) {
    enum { ATTEMPTS = 4 };
    const wy_block *state = &x->sim->state;
    const withy_equilibrium before = *point;
    withy_status status = WITHY_OK;
    int moved = 1, iterations = point->iterations;
    memcpy(x->begun, state->base, state->used);
    x->sim->core->tangent = 0;
    for (int k = 0; k < ATTEMPTS && status == WITHY_OK && moved && point->negative > 0; k++) {
        x->iterations = 0;
        status = leave_once(x, factor, k > 0, &moved, point, err);
        iterations += x->iterations;
    }
    point->iterations = iterations;
    if (status == WITHY_OK && moved) return WITHY_OK;
    memcpy(state->base, x->begun, state->used);
    *point = before;
    return status;
}

withy_status wy_equilibrium_leave(withy_sim *sim, withy_equilibrium *point, withy_error *err) {
    wy_static *x;
    WY_TRY(wy_static_begin(sim, &x, err));
    WY_TRY(wy_static_load(x, sim->core->t, 1, err));
    return wy_static_leave(x, sim->core->t, point, err);
}
