/* static.c - equilibrium by the same equations without mass.
 *
 * A displacement zeta of the sections (g = g_i exp zeta) changes the strains by
 * xi - xi_i = zeta' + ad_xi zeta, which is (2) with c0 = 1, history -xi_i and zeta in the place of
 * eta.  So a "step" of (9), (10) with c0 = 1, turn = 1 and neither inertia nor damping solves
 *
 *   Lam' - ad_xi^T Lam + F = 0,   Lam(L) = W                                                (14)
 *
 * at the new place; frames R_i exp(w) and frames rebuilt from xi agree when zeta = 0, so the step is
 * repeated until nothing moves.  A load that is too large for one step is applied in parts.
 */
#include "method/se3/se3.h"

#include <string.h>

enum { MOST_STEPS = 60, MOST_CUTS = 12 };

static const double STILL = 1e-11; /* largest change of strain (times L) in the last move */

/* How far the held ends are from where they should be: the zeta to prescribe. */
static withy_status aim_ends(wy_se3 *x, double t, withy_error *err) {
    for (int e = 0; e < 2; e++) {
        wy_pose pose;
        vec3 w, v;
        WY_TRY(wy_end_pose(&x->plan.end[e].end, t, &pose, err));
        const wy_motion g = x->state.g[e ? 2 * x->plan.n : 0];
        se3_log(se3_between(g, (wy_motion){pose.frame, pose.r}), &w, &v);
        v3_to(w, x->step->prescribed[e]);
        v3_to(v, x->step->prescribed[e] + 3);
    }
    return WITHY_OK;
}

/* Change of the strains (angles over L).  Not zeta itself: under rk4 a zeta of the order of its error
 * in space stays, because its stages and the cubics of the history differ by as much. */
static double largest_move(const wy_se3 *x) {
    double largest = 0;
    for (int j = 0; j <= x->plan.n; j++)
        for (int i = 0; i < 6; i++) {
            const double change = fabs(x->work.xi[j][i] - x->state.xi0[j][i]);
            largest = wy_max(largest, change * (i < 3 ? x->plan.length : 1));
        }
    return largest;
}

/* Solve (14) from the present place and move there; *move tells how far it was. */
static withy_status one_move(wy_se3 *x, double t, double *move, withy_error *err) {
    const size_t bytes = (size_t)(x->plan.n + 1) * sizeof *x->state.eta0;
    x->step->rule = (wy_se3_rule){.dt = 1, .c0 = 1, .c1 = -1, .at = 1, .turn = 1};
    x->now->last_dt = 0;
    memset(x->state.eta0, 0, bytes);
    wy_se3_rebuild(x);
    WY_TRY(wy_se3_loads(x, t, t, err));
    WY_TRY(aim_ends(x, t, err));
    for (int j = 0; j <= x->plan.n; j++)
        for (int i = 0; i < 6; i++)
            x->work.hx[2 * j][i] = -x->state.xi0[j][i], x->work.he[2 * j][i] = 0;
    if (x->plan.opt.scheme == WY_SE3_RK4) wy_se3_rk4_history(x);
    WY_TRY(wy_se3_newton(x, err));
    *move = largest_move(x);
    memcpy(x->state.xi0, x->work.xi, bytes);
    x->state.g[0] = se3_mul(x->state.g[0], se3_exp_scaled(1, x->step->prescribed[0]));
    x->step->stale = true;
    x->setup->stats->iterations += x->now->iterations;
    return WITHY_OK;
}

/* Repeat until nothing moves. */
static withy_status come_to_rest(wy_se3 *x, double t, withy_error *err) {
    double move = INFINITY;
    for (int k = 0; !(move <= STILL); k++) {
        if (k == MOST_STEPS)
            return wy_fail(err, WITHY_NO_CONVERGENCE,
                           "se3: the rod still moves by %.1e after %d static steps", move, k);
        WY_TRY(one_move(x, t, &move, err));
    }
    return WITHY_OK;
}

/* From the factor of the present shape to the wanted one, at once if possible; a part that fails is
 * cut.  On failure the last equilibrium found stays. */
static withy_status load_in_parts(wy_se3 *x, double wanted, withy_error *err) {
    const size_t bytes = (size_t)(x->plan.n + 1) * sizeof *x->state.xi0;
    const double from = x->now->settled;
    double done = 0, part = 1;
    for (int cuts = 0; done < 1;) {
        const double next = wy_min(1, done + part);
        const wy_motion base = x->state.g[0];
        memcpy(x->state.xi1, x->state.xi0, bytes); /* to come back to */
        x->now->factor = next < 1 ? from + next * (wanted - from) : wanted;
        if (come_to_rest(x, x->now->factor, err) == WITHY_OK) {
            x->now->settled = x->now->factor;
            done = next;
            part *= 2;
            continue;
        }
        memcpy(x->state.xi0, x->state.xi1, bytes);
        x->state.g[0] = base;
        x->step->stale = true;
        if (++cuts > MOST_CUTS)
            return wy_fail_in(
                err, WITHY_NO_CONVERGENCE,
                "no equilibrium was found beyond %.4g times the load: ", x->now->settled);
        part *= 0.25;
    }
    return WITHY_OK;
}

/* What the next time step starts from: rest. */
static void forget_motion(wy_se3 *x) {
    const size_t bytes = (size_t)(x->plan.n + 1) * sizeof *x->state.xi0;
    wy_se3_rebuild(x);
    memset(x->state.eta0, 0, bytes);
    memset(x->state.xi_t, 0, bytes);
    memset(x->state.eta_t, 0, bytes);
    memset(x->now->base_step, 0, sizeof x->now->base_step);
    memcpy(x->state.xi1, x->state.xi0, bytes);
    memcpy(x->state.eta1, x->state.eta0, bytes);
    x->now->last_dt = 0;
    x->now->factor = 1, x->now->t = 0;
    x->now->missed = (wy_motion){m3_identity(), v3(0, 0, 0)};
    wy_se3_start_ledger(x);
}

withy_status wy_se3_equilibrium(void *state, double factor, withy_equilibrium *point,
                                withy_error *err) {
    wy_se3 *x = state;
    wy_se3_begin(x);
    const int64_t before = x->setup->stats->iterations;
    bool *held = x->plan.end[0].held, turns = !held[2];
    if (x->plan.rod->end[0].kind != WITHY_END_CLAMPED || x->plan.opt.scheme == WY_SE3_NOTES)
        return wy_fail(err, WITHY_UNSUPPORTED,
                       "se3: an equilibrium needs a clamped start and scheme \"box\" or \"rk4\"; "
                       "clamp the start, or use director");
    held[2] =
        true; /* a clamp that leaves the twist free does not stop the rod from turning round */
    const withy_status status = load_in_parts(x, factor, err);
    held[2] = !turns;
    forget_motion(x);
    WY_TRY(status);
    x->setup->stats->steps++;
    point->factor = factor;
    point->iterations = (int)(x->setup->stats->iterations - before);
    point->energy = x->setup->stats->energy_end + factor * x->now->potential0;
    return WITHY_OK;
}
