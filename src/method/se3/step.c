/* step.c - one step in time: rule, history, poses.
 *
 *   midpoint     c0 = 2/dt, c1 = -2/dt, then X_{i+1} = 2 X - X_i                             (5)
 *   BDF-alpha    c0 = (1.5 + a)/(dt (1 + a)), c1 = -2/dt, c2 = (0.5 + a)/(dt (1 + a)),
 *                d1 = a/(1 + a);  a = 0 is BDF2, a = -1/2 the trapezoidal rule               (6)
 */
#include "method/se3/se3.h"

#include <string.h>

/* ---- rules ------------------------------------------------------------------------------------
 */

static wy_se3_rule midpoint_rule(double dt) {
    return (wy_se3_rule){
        .dt = dt, .c0 = 2 / dt, .c1 = -2 / dt, .at = 0.5, .turn = 0.5 * dt, .moves = 1};
}

static wy_se3_rule bdf_rule(double dt, double a) {
    const double k = 1 / (dt * (1 + a));
    return (wy_se3_rule){.dt = dt,
                         .c0 = (1.5 + a) * k,
                         .c1 = -2 / dt,
                         .c2 = (0.5 + a) * k,
                         .d1 = a / (1 + a),
                         .at = 1.0,
                         .turn = 0.5 * dt,
                         .lag = 0.5 * dt,
                         .moves = 1};
}

/* A BDF needs an earlier step of the same length; where there is none, one midpoint step makes it
 * (start = "rest": the state was always what it is at t = 0). */
static wy_se3_rule choose_rule(const wy_se3 *x, double dt) {
    const wy_se3_options *o = &x->opt;
    const bool same = fabs(x->last_dt - dt) <= 1e-9 * dt;
    const bool rest = x->stats->steps == 0 && o->start == WY_SE3_START_REST;
    if (o->time == WY_SE3_MIDPOINT || !(same || rest)) return midpoint_rule(dt);
    return bdf_rule(dt, o->time == WY_SE3_BDF2 ? 0.0 : o->alpha);
}

/* hx, he = X_t - c0 X at the nodes. */
static void fill_history(wy_se3 *x) {
    const wy_se3_rule *r = &x->rule;
    for (int j = 0; j <= x->n; j++)
        for (int i = 0; i < 6; i++) {
            x->hx[2 * j][i] = r->c1 * x->xi0[j][i] + r->c2 * x->xi1[j][i] + r->d1 * x->xi_t[j][i];
            x->he[2 * j][i] =
                r->c1 * x->eta0[j][i] + r->c2 * x->eta1[j][i] + r->d1 * x->eta_t[j][i];
        }
}

/* ---- the step ---------------------------------------------------------------------------------
 */

/* Poses at t from the strains, from the base on: g_{j+1} = g_j exp(h xi^), rk4 by Magnus. */
void wy_se3_rebuild(wy_se3 *x) {
    if (x->g_is_current) return;
    x->g_is_current = true;
    if (x->opt.scheme == WY_SE3_RK4) {
        wy_se3_rk4_rebuild(x);
        return;
    }
    for (int j = 0; j < x->n; j++) {
        double xi[6];
        for (int i = 0; i < 6; i++) xi[i] = 0.5 * (x->xi0[j][i] + x->xi0[j + 1][i]);
        if (x->opt.scheme == WY_SE3_NOTES) memcpy(xi, x->xi0[j], sizeof xi); /* [SE] (12) */
        x->g[2 * j + 2] = se3_mul(x->g[2 * j], se3_exp_scaled(x->h, xi));
    }
}

/* How far the base has moved in its own frame, by the rule that holds for xi and eta: with psi for the
 * motion of this step and psi_i for that of the last, eta = c0 psi - c2 psi_i + d1 eta_i. */
static void base_motion(wy_se3 *x) {
    const wy_se3_rule *r = &x->rule;
    for (int i = 0; i < 6; i++) {
        const double eta = x->eta[0][i], before = x->eta0[0][i];
        x->base_step[i] =
            r->at < 1 ? r->dt * eta : (eta + r->c2 * x->base_step[i] - r->d1 * before) / r->c0;
    }
}

/* The pose of the base at t_new: prescribed where it is held, carried along where it is not. */
static withy_status move_base(wy_se3 *x, double t_new, withy_error *err) {
    const wy_se3_end *base = &x->end[0];
    const withy_end *given = base->end.end;
    wy_pose pose;
    WY_TRY(wy_end_pose(&base->end, t_new, &pose, err));
    base_motion(x);
    wy_motion g = se3_mul(x->g[0], se3_exp_scaled(1, x->base_step));
    if (wy_end_holds_position(given)) g.shift = pose.r;
    if (wy_end_holds_direction(given) && base->held[2]) g.turn = pose.frame;
    if (wy_end_holds_direction(given) && !base->held[2])
        g.turn = m3_mulm(m3_between(g.turn.c3, pose.frame.c3), g.turn);
    x->g[0] = g;
    return WITHY_OK;
}

/* X_{i+1}, rates, and what was X_i. */
static void accept_step(wy_se3 *x) {
    const double lead = x->rule.at < 1 ? 2.0 : 1.0;
    for (int j = 0; j <= x->n; j++)
        for (int i = 0; i < 6; i++) {
            const double xi_t = x->rule.c0 * x->xi[j][i] + x->hx[2 * j][i];
            const double eta_t = x->rule.c0 * x->eta[j][i] + x->he[2 * j][i];
            x->xi_t[j][i] =
                xi_t; /* midpoint: of the middle of the step, which does not alternate */
            x->eta_t[j][i] = eta_t;
            x->xi1[j][i] = x->xi0[j][i];
            x->eta1[j][i] = x->eta0[j][i];
            x->xi0[j][i] = lead * x->xi[j][i] - (lead - 1) * x->xi0[j][i];
            x->eta0[j][i] = lead * x->eta[j][i] - (lead - 1) * x->eta0[j][i];
        }
    x->last_dt = x->rule.dt;
    x->g_is_current = false;
}

static void count_step(wy_se3 *x) {
    withy_stats *stats = x->stats;
    stats->steps++;
    stats->iterations += x->iterations;
    if (x->iterations > stats->iterations_max) stats->iterations_max = x->iterations;
    wy_se3_watch_energy(x);
}

/* A held finish is held by its velocity, which does no work and so keeps the energy exact; its place
 * follows to second order in dt.  How far it has slipped is the constraint of the snapshot. */
static withy_status measure_slip(wy_se3 *x, withy_error *err) {
    const double most = 0.01;
    wy_pose pose;
    vec3 w, v;
    if (!x->holds_finish) return WITHY_OK;
    wy_se3_rebuild(x);
    WY_TRY(wy_end_pose(&x->end[1].end, x->t, &pose, err));
    const wy_motion place = se3_mul((wy_motion){pose.frame, pose.r}, x->missed);
    se3_log(se3_between(place, x->g[2 * x->n]), &w, &v);
    const double gap[6] = {w.x, w.y, w.z, v.x, v.y, v.z};
    x->slip = 0;
    for (int i = 0; i < 6; i++)
        if (x->end[1].held[i]) x->slip = wy_max(x->slip, fabs(gap[i]) / (i < 3 ? 1 : x->length));
    x->stats->constraint_max = wy_max(x->stats->constraint_max, x->slip);
    if (x->slip <= most) return WITHY_OK;
    return wy_fail(
        err, WITHY_NO_CONVERGENCE,
        "se3: the held finish has slipped by %.2g of the length (or rad) from its place at "
        "t = %g, more than %g; try a smaller options.dt (now %g), or use director, which "
        "holds it exactly",
        x->slip, x->t, most, x->rule.dt);
}

/* Everything Newton needs to know of the step of length dt from t. */
static withy_status prepare_step(wy_se3 *x, double dt, withy_error *err) {
    x->rule = choose_rule(x, dt);
    const bool mid = x->rule.at < 1;
    if (x->turns || x->holds_finish) wy_se3_rebuild(x);
    fill_history(x);
    if (x->opt.scheme == WY_SE3_RK4) wy_se3_rk4_history(x);
    WY_TRY(wy_se3_loads(x, x->t + x->rule.at * dt, x->t + dt, err));
    for (int e = 0; e < 2; e++) {
        const double *now = x->eta0[e ? x->n : 0];
        double *aim = x->prescribed[e];
        WY_TRY(wy_se3_end_motion(x, e, x->t + dt, aim, err));
        for (int i = 0; i < 6 && mid; i++) aim[i] = 0.5 * (aim[i] + now[i]);
    }
    return WITHY_OK;
}

/* A step for which Newton fails is done in two halves; the energy is exact for any length. */
static withy_status divided_step(wy_se3 *x, double dt, int cuts, withy_error *err) {
    const double t_new = x->t + dt;
    WY_TRY(prepare_step(x, dt, err));
    const withy_status status = wy_se3_newton(x, err);
    if (status == WITHY_NO_CONVERGENCE && cuts < x->opt.halvings) {
        x->stats->halvings++;
        WY_TRY(divided_step(x, 0.5 * dt, cuts + 1, err));
        return divided_step(x, t_new - x->t, cuts + 1, err);
    }
    WY_TRY(status);
    wy_se3_add_to_ledger(x);
    WY_TRY(move_base(x, t_new, err));
    accept_step(x);
    x->t = t_new;
    count_step(x);
    return measure_slip(x, err);
}

withy_status wy_se3_step(wy_se3 *x, double dt, withy_error *err) {
    return divided_step(x, dt, 0, err);
}
