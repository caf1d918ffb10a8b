/* static.c - equilibria.
 *
 * Equilibrium: the equations of kirchhoff/force.c with bar q = q, no rates, and in place of inertia
 * the proximal term mu M (x - x_k), k = 0, 1, ...: each solve is a step of steepest descent that
 * cannot run away, mu falls as long as Newton converges and rises when it does not, and at the end
 * it only fixes what nothing else does (the turn of a pinned spring about its chord).
 */
#include "method/kirchhoff/kirchhoff.h"

#include <string.h>

static const double TWIST_MOST = 0.25 * WY_PI; /* of a cell in equilibrium */

/* ---- equilibrium ----------------------------------------------------------------------------- */

/* The lowest bending eigenvalue of a rod of this length, sigma/(rho L^4): the unit of mu. */
double wy_kirchhoff_slow_rate(const wy_kirchhoff *p) {
    const double rho = p->mass[p->n / 2] / p->eta, l2 = p->length * p->length;
    return p->stiff / (rho * l2 * l2);
}

void wy_kirchhoff_static_equations(wy_kirchhoff *p, double mu) {
    const size_t count = (size_t)p->n + 1;
    p->work.eq = (wy_kirchhoff_equations){.inertia = mu,
                                          .average = 1.0,
                                          .elastic = 1.0,
                                          .mass = p->mass,
                                          .turn = (const double(*)[2])p->turn,
                                          .ahead_x = p->work.eq.ahead_x,
                                          .ahead_frame = p->work.eq.ahead_frame,
                                          .next = p->next,
                                          .gauge = p->now->frame};
    memcpy(p->work.eq.ahead_x, p->now->x, count * sizeof *p->now->x);
    memcpy(p->work.eq.ahead_frame, p->now->frame, count * sizeof *p->now->frame);
}

void wy_kirchhoff_copy(const wy_kirchhoff *p, wy_kirchhoff_level *to,
                       const wy_kirchhoff_level *from) {
    memcpy(to->x, from->x, (size_t)((char *)p->now->x - (char *)p->next->x));
}

static double moved_between(const wy_kirchhoff *p, const wy_kirchhoff_level *a,
                            const wy_kirchhoff_level *b) {
    double most = 0;
    for (int j = 0; j <= p->n; j++)
        most = wy_max(most, v3_norm(v3_sub(a->x[j], b->x[j])) / p->length);
    return most;
}

/* Loads and prescribed ends under a load factor: constants times it, functions at t = factor. */
static withy_status static_loads(wy_kirchhoff *p, double factor, withy_error *err) {
    WY_TRY(wy_kirchhoff_loads(p, factor, factor, err));
    for (int j = 0; j <= p->n; j++) p->dead[j] = p->load[j];
    return wy_kirchhoff_targets(p, factor, err);
}

/* One proximal solve from now into next; false leaves lambda as it was. */
static bool proximal(wy_kirchhoff *p, double mu, int *iterations) {
    wy_kirchhoff_newton newton = {0};
    const size_t count = (size_t)p->n + 1;
    vec3 *keep = p->work.lambda_good;
    memcpy(keep, p->lambda, count * sizeof *keep);
    wy_kirchhoff_static_equations(p, mu);
    wy_kirchhoff_copy(p, p->next, p->now);
    const bool solved = wy_kirchhoff_solve(p, &newton);
    *iterations += newton.iterations;
    int cell = 0;
    if (solved && wy_kirchhoff_turn_between(p, p->now, p->next) < 2.5 &&
        wy_kirchhoff_twist_most(p, p->next, &cell) < 0.5 * WY_PI)
        return true;
    memcpy(p->lambda, keep, count * sizeof *keep);
    return false;
}

/* The torque of a cell, (GJ/eta) sin theta cos theta, falls again beyond an eighth of a turn: a cell
 * left there by the motion of an end holds the others in an equilibrium that only the mesh has. */
static bool twists_truly(const wy_kirchhoff *p) {
    int cell = 0;
    return wy_kirchhoff_twist_most(p, p->now, &cell) < TWIST_MOST;
}

/* Descend until a solve with negligible mu moves nothing. */
static bool relax(wy_kirchhoff *p, int *iterations) {
    enum { SOLVES = 200 };
    const double unit = wy_kirchhoff_slow_rate(p), least = 0.1 * unit, most = 1e12 * unit;
    double mu = 10.0 * unit;
    for (int k = 0; k < SOLVES; k++) {
        if (!proximal(p, mu, iterations)) {
            mu *= 100.0;
            if (mu > most) return false;
            continue;
        }
        const double moved =
            moved_between(p, p->now, p->next) + wy_kirchhoff_turn_between(p, p->now, p->next);
        wy_kirchhoff_copy(p, p->now, p->next);
        if (mu <= least && moved <= 1e-9) return twists_truly(p);
        mu = wy_max(least, 0.1 * mu);
    }
    return false;
}

withy_status wy_kirchhoff_rest(wy_kirchhoff *p, withy_error *err) {
    int iterations = 0;
    if (!relax(p, &iterations))
        return wy_fail(
            err, WITHY_NO_CONVERGENCE,
            "kirchhoff: the initial shape finds no equilibrium under the loads of t = 0; give "
            "a shape closer to it");
    memset(p->lambda, 0, ((size_t)p->n + 1) * sizeof *p->lambda);
    return WITHY_OK;
}

/* Forces of the equilibrium in now. */
static void static_forces(wy_kirchhoff *p) {
    wy_kirchhoff_static_equations(p, 0.0);
    wy_kirchhoff_copy(p, p->next, p->now);
    wy_kirchhoff_residual(p);
    wy_kirchhoff_keep_forces(p);
    p->state->pace = (wy_pace){.h = p->state->pace.h};
    memset(p->v0, 0, ((size_t)p->n + 1) * sizeof *p->v0);
    memset(p->spin0, 0, ((size_t)p->n + 1) * sizeof *p->spin0);
    p->state->pace.energy = wy_kirchhoff_potential(p, p->now);
}

/* Approach the factor in fractions that are halved when the descent fails. */
withy_status wy_kirchhoff_relax(wy_kirchhoff *p, double factor, int *iterations, withy_error *err) {
    double done = p->state->factor_known ? p->state->factor : factor, part = 1.0;
    const double from = done;
    double reached = 0.0;
    int cell = 0;
    *iterations = 0;
    while (reached < 1.0) {
        const double next = wy_min(1.0, reached + part);
        wy_kirchhoff_copy(p, p->before, p->now);
        WY_TRY(static_loads(p, from + next * (factor - from), err));
        if (relax(p, iterations)) {
            reached = next;
            part *= 2.0;
            continue;
        }
        wy_kirchhoff_copy(p, p->now, p->before);
        part *= 0.25;
        if (part >= 1e-4 && from != factor) continue;
        const double twist = wy_kirchhoff_twist_most(p, p->now, &cell);
        if (twist > 0.9 * TWIST_MOST)
            return wy_fail(err, WITHY_NO_CONVERGENCE,
                           "kirchhoff: at load factor %g the interval at s = %g is twisted by %.2f "
                           "rad, and beyond pi/4 the method knows no equilibrium; use more "
                           "intervals (options.n, now %d)",
                           from + reached * (factor - from), p->s[cell], twist, p->n);
        return wy_fail(err, WITHY_NO_CONVERGENCE,
                       "kirchhoff: no equilibrium was found at load factor %g (the last one is at "
                       "%g); the spring may snap there: take more points of the path, or let it "
                       "settle with damping in a run",
                       factor, from + reached * (factor - from));
    }
    p->state->factor = factor, p->state->factor_known = 1;
    static_forces(p);
    return WITHY_OK;
}

/* ---- the door -------------------------------------------------------------------------------- */

/* Negative eigenvalues among the lowest modes, or -1 when they cannot be found. */
static int count_negative(wy_kirchhoff *p) {
    enum { LOOK = 3 };
    double omega2[LOOK];
    if (wy_kirchhoff_modes(p, LOOK, omega2, NULL, NULL) != WITHY_OK) return -1;
    int negative = 0;
    for (int i = 0; i < LOOK; i++) negative += omega2[i] < -1e-3 * wy_kirchhoff_slow_rate(p);
    return negative;
}

withy_status wy_kirchhoff_equilibrium(void *state, double factor, withy_equilibrium *point,
                                      withy_error *err) {
    wy_kirchhoff *p = state;
    const int before = (int)p->state->negative, known = (int)p->state->factor_known;
    WY_TRY(wy_kirchhoff_relax(p, factor, &point->iterations, err));
    point->negative = count_negative(p);
    p->state->negative = point->negative;
    point->factor = factor;
    point->energy = p->state->pace.energy;
    point->mark = known && before >= 0 && p->state->negative >= 0 && before != point->negative
                      ? WITHY_POINT_BRANCH
                      : WITHY_POINT;
    p->setup->stats->steps++;
    p->setup->stats->iterations += point->iterations;
    wy_kirchhoff_table(p);
    return WITHY_OK;
}
