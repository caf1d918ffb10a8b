/* step.c - one step in time: rule, history, poses.
 *
 *   midpoint     c0 = 2/dt, c1 = -2/dt, then X_{i+1} = 2 X - X_i                             (5)
 *   BDF-alpha    c0 = (1.5 + a)/(dt (1 + a)), c1 = -2/dt, c2 = (0.5 + a)/(dt (1 + a)),
 *                d1 = a/(1 + a);  a = 0 is BDF2, a = -1/2 the trapezoidal rule               (6)
 */
#include "method/se3/se3.h"

#include "base/account.h"

/* ---- rules ----------------------------------------------------------------------------------- */

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
    const wy_se3_options *o = &x->plan.opt;
    const bool same = fabs(x->now->last_dt - dt) <= 1e-9 * dt;
    const bool rest = x->setup->stats->steps == 0 && o->start == WY_SE3_START_REST;
    if (o->time == WY_SE3_MIDPOINT || !(same || rest)) return midpoint_rule(dt);
    return bdf_rule(dt, o->time == WY_SE3_BDF2 ? 0.0 : o->alpha);
}

/* hx, he = X_t - c0 X at the nodes. */
static void fill_history(wy_se3 *x) {
    const wy_se3_rule *r = &x->step->rule;
    for (int j = 0; j <= x->plan.n; j++)
        for (int i = 0; i < 6; i++) {
            x->work.hx[2 * j][i] = r->c1 * x->state.xi0[j][i] + r->c2 * x->state.xi1[j][i] +
                                   r->d1 * x->state.xi_t[j][i];
            x->work.he[2 * j][i] = r->c1 * x->state.eta0[j][i] + r->c2 * x->state.eta1[j][i] +
                                   r->d1 * x->state.eta_t[j][i];
        }
}

/* ---- the step -------------------------------------------------------------------------------- */

/* Poses at t from the strains, from the base on: g_{j+1} = g_j exp(h xi^), rk4 by Magnus. */
void wy_se3_rebuild(wy_se3 *x) {
    if (!x->step->stale) return;
    x->step->stale = false;
    if (x->plan.opt.scheme == WY_SE3_RK4) {
        wy_se3_rk4_rebuild(x);
        return;
    }
    for (int j = 0; j < x->plan.n; j++) {
        double xi[6];
        wy_se3_mean(x->state.xi0, j, xi);
        if (x->plan.opt.scheme == WY_SE3_NOTES)
            memcpy(xi, x->state.xi0[j], sizeof xi); /* [SE] (12) */
        x->state.g[2 * j + 2] = se3_mul(x->state.g[2 * j], se3_exp_scaled(x->plan.h, xi));
    }
}

/* Displacement of the base in its own frame, by the rule used for xi and eta: with psi for the
 * motion of this step and psi_i for that of the last, eta = c0 psi - c2 psi_i + d1 eta_i. */
static void base_motion(wy_se3 *x) {
    const wy_se3_rule *r = &x->step->rule;
    for (int i = 0; i < 6; i++) {
        const double eta = x->work.eta[0][i], before = x->state.eta0[0][i];
        x->now->base_step[i] =
            r->at < 1 ? r->dt * eta : (eta + r->c2 * x->now->base_step[i] - r->d1 * before) / r->c0;
    }
}

/* By midpoint a velocity that does not change turns in the section by cay(-psi), psi = dt w; the frame
 * turns by cay(psi), so that it stays what it is in the laboratory, and its mean there moves the base. */
static wy_motion midpoint_motion(const wy_se3 *x) {
    const vec3 psi = v3_from(x->now->base_step), way = v3_from(x->now->base_step + 3);
    const vec3 before = v3_scale(0.5 * x->step->rule.dt, v3_from(x->state.eta0[0] + 3));
    const double a = 1 / (1 + 0.25 * v3_dot(psi, psi));
    const mat3 turn = se3_series_matrix(psi, 1, a, 0.5 * a);
    return (wy_motion){turn, v3_add(before, m3_mul(turn, v3_sub(way, before)))};
}

/* The pose of the base at t_new: prescribed where it is held, carried along where it is not. */
static withy_status move_base(wy_se3 *x, double t_new, withy_error *err) {
    const wy_se3_end *base = &x->plan.end[0];
    const withy_end *given = base->end.end;
    wy_pose pose;
    WY_TRY(wy_end_pose(&base->end, t_new, &pose, err));
    base_motion(x);
    wy_motion g =
        se3_mul(x->state.g[0],
                x->step->rule.at < 1 ? midpoint_motion(x) : se3_exp_scaled(1, x->now->base_step));
    if (wy_end_holds_position(given)) g.shift = pose.r;
    if (wy_end_holds_direction(given) && base->held[2]) g.turn = pose.frame;
    if (wy_end_holds_direction(given) && !base->held[2])
        g.turn = m3_mulm(m3_between(g.turn.c3, pose.frame.c3), g.turn);
    x->state.g[0] = g;
    return WITHY_OK;
}

/* X_{i+1}, rates, and what was X_i. */
static void accept_step(wy_se3 *x) {
    const double lead = x->step->rule.at < 1 ? 2.0 : 1.0;
    for (int j = 0; j <= x->plan.n; j++)
        for (int i = 0; i < 6; i++) {
            const double xi_t = x->step->rule.c0 * x->work.xi[j][i] + x->work.hx[2 * j][i];
            const double eta_t = x->step->rule.c0 * x->work.eta[j][i] + x->work.he[2 * j][i];
            x->state.xi_t[j][i] =
                xi_t; /* midpoint: of the middle of the step, which does not alternate */
            x->state.eta_t[j][i] = eta_t;
            x->state.xi1[j][i] = x->state.xi0[j][i];
            x->state.eta1[j][i] = x->state.eta0[j][i];
            x->state.xi0[j][i] = lead * x->work.xi[j][i] - (lead - 1) * x->state.xi0[j][i];
            x->state.eta0[j][i] = lead * x->work.eta[j][i] - (lead - 1) * x->state.eta0[j][i];
        }
    x->now->last_dt = x->step->rule.dt;
    x->step->stale = true;
}

/* A held finish is held by its velocity, which does no work and so keeps the energy exact; its position
 * is accurate to second order in dt.  Its error is the constraint of the snapshot. */
static withy_status measure_slip(wy_se3 *x, withy_error *err) {
    const double most = 0.01;
    wy_pose pose;
    vec3 w, v;
    if (!x->plan.holds_finish) return WITHY_OK;
    wy_se3_rebuild(x);
    WY_TRY(wy_end_pose(&x->plan.end[1].end, x->now->t, &pose, err));
    const wy_motion place = se3_mul((wy_motion){pose.frame, pose.r}, x->now->missed);
    se3_log(se3_between(place, x->state.g[2 * x->plan.n]), &w, &v);
    const double gap[6] = {w.x, w.y, w.z, v.x, v.y, v.z};
    x->now->slip = 0;
    for (int i = 0; i < 6; i++)
        if (x->plan.end[1].held[i])
            x->now->slip = wy_max(x->now->slip, fabs(gap[i]) / (i < 3 ? 1 : x->plan.length));
    x->setup->stats->constraint_max = wy_max(x->setup->stats->constraint_max, x->now->slip);
    if (x->now->slip <= most) return WITHY_OK;
    return wy_no_convergence(err,
                             "se3: the held finish has moved by %.2g of the length (or rad) from "
                             "its position at t = %g, more than %g; try a smaller options.dt (now "
                             "%g), or use director, which holds it exactly",
                             x->now->slip, x->now->t, most, x->step->rule.dt);
}

/* The data of the step of length dt from t to t_new that Newton needs. */
static withy_status prepare_step(wy_se3 *x, double dt, double t_new, withy_error *err) {
    x->step->rule = choose_rule(x, dt);
    const bool mid = x->step->rule.at < 1;
    if (x->plan.turns || x->plan.holds_finish) wy_se3_rebuild(x);
    fill_history(x);
    if (x->plan.opt.scheme == WY_SE3_RK4) wy_se3_rk4_history(x);
    WY_TRY(wy_se3_loads(x, mid ? x->now->t + 0.5 * dt : t_new, t_new, err));
    for (int e = 0; e < 2; e++) {
        const double *now = x->state.eta0[e ? x->plan.n : 0];
        double *aim = x->step->prescribed[e];
        WY_TRY(wy_se3_end_motion(x, e, t_new, aim, err));
        for (int i = 0; i < 6 && mid; i++) aim[i] = 0.5 * (aim[i] + now[i]);
    }
    return WITHY_OK;
}

/* A step for which Newton fails is done in two halves; the energy is exact for any length. */
static withy_status divided_step(wy_se3 *x, double dt, double t_new, int cuts, withy_error *err) {
    WY_TRY(prepare_step(x, dt, t_new, err));
    const withy_status status = wy_se3_newton(x, err);
    if (status == WITHY_NO_CONVERGENCE && cuts < x->plan.opt.halvings) {
        x->setup->stats->halvings++;
        WY_TRY(divided_step(x, 0.5 * dt, x->now->t + 0.5 * dt, cuts + 1, err));
        return divided_step(x, t_new - x->now->t, t_new, cuts + 1, err);
    }
    WY_TRY(status);
    wy_se3_add_to_ledger(x);
    WY_TRY(wy_se3_state_load_status(x, err));
    WY_TRY(move_base(x, t_new, err));
    accept_step(x);
    x->now->t = t_new;
    wy_account_step(x->setup->stats, x->now->iterations);
    wy_se3_check_energy(x);
    return measure_slip(x, err);
}

void wy_se3_begin(wy_se3 *x) {
    const wy_se3_plan *p = &x->plan;
    memset(x->step, 0, sizeof *x->step); /* entries of cell that stay zero, too */
    if (!p->has_force) memset(x->work.f, 0, ((size_t)p->n + 1) * sizeof *x->work.f);
}

withy_status wy_se3_make_step(wy_se3 *x, double dt, double t_new, withy_error *err) {
    return divided_step(x, dt, t_new, 0, err);
}
