/* newton.c - the unknowns of one step by Newton's method over the Riccati sweep.
 *
 *   tip    dxi_n = Kt^-1 (W - Lam_n) + Kt^-1 dW/deta deta_n, from Lam_n = W
 *          a held finish: W gets a reaction R - k (eta_n - prescribed) with a k that is stiffer than
 *          the rod by 1e8, and the force of k is added to R after every correction, so that k carries
 *          nothing in the end.  R itself as an unknown of the whole chain would be found by shooting:
 *          a wrench that follows the tip of a rod under tension T turns it by exp(L sqrt(T/B)).
 *   cells  backwards by numeric/linear/linear.h, from the residuals of se3/cell.c or se3/rk4.c
 *   base   deta_0 prescribed, or Lam_0 + W_0 = 0 in the components that are free
 *   tendons of prescribed length: their tensions are extra columns of the sweep, fixed at the end by
 *          length_k(xi_new) = target_k                                                          (13)
 *
 * Newton stops when max(|du| L, |dv|, |dw| L/c, |dvel|/c) < newton_tol; the error left is then about
 * its square.
 */
#include "method/se3/se3.h"

void wy_se3_end_rate(const wy_se3 *x, int node, double eta_t[6]) {
    for (int i = 0; i < 6; i++)
        eta_t[i] = x->step->rule.c0 * x->work.eta[node][i] + x->work.he[2 * node][i];
}

/* Stress and load of every node for the present unknowns. */
void wy_se3_evaluate(wy_se3 *x) {
    const double damp = wy_se3_damp(x);
    for (int j = 0; j <= x->plan.n; j++) {
        double xi_t[6];
        wy_se3_strain_rate(x, 2 * j, x->work.xi[j], xi_t);
        wy_se3_stress(x, 2 * j, x->work.xi[j], xi_t, damp, x->work.lam[j], x->work.kt[j]);
        if (x->plan.has_force)
            wy_se3_force_at(x, 2 * j, x->work.eta[j], x->state.eta0[j], x->work.f[j],
                            x->work.fj[j]);
    }
}

/* k of a held finish: the resistance of the last cell to eta_n, times a large number. */
static double hold_stiffness(const wy_se3 *x, int i) {
    const double stiffer = 1e8, *m = x->plan.point[2 * x->plan.n].m;
    const double elastic = x->work.kt[x->plan.n][i][i] / (x->plan.h * x->step->rule.c0);
    return stiffer * (elastic + m[i] * x->plan.h * x->step->rule.c0);
}

/* dxi_n = P_n deta_n + p_n + T_n t from Lam_n = W. */
static bool start_at_tip(wy_se3 *x) {
    const int n = x->plan.n;
    const bool *held = x->plan.end[1].held;
    const wy_se3_wrench *tip = &x->step->end[1];
    wy_riccati_node *last = &x->work.node[n];
    memset(last, 0, sizeof *last);
    if (x->plan.opt.tip == WY_SE3_TIP_NEW) { /* xi_{i+1} = xi*, so xi = (xi* + xi_i)/2 */
        for (int i = 0; i < 6; i++)
            last->row[i][6] =
                0.5 * (x->plan.point[2 * n].rest[i] + x->state.xi0[n][i]) - x->work.xi[n][i];
        return true;
    }
    double eta_t[6], kt[6][6], b[6][WY_RICCATI_WIDE] = {{0}};
    wy_se3_end_rate(x, n, eta_t);
    wy_se3_end_wrench(x, 1, x->work.eta[n], eta_t, x->step->rule.c0);
    memcpy(kt, x->work.kt[n], sizeof kt);
    for (int i = 0; i < 6; i++) {
        for (int c = 0; c < 6; c++) b[i][c] = tip->slope[i][c];
        b[i][6] = tip->sum[i] + x->now->reaction[i] - x->work.lam[n][i];
        if (!held[i]) continue;
        x->step->hold[i] = hold_stiffness(x, i);
        b[i][i] -= x->step->hold[i];
        b[i][6] += x->step->hold[i] * (x->step->prescribed[1][i] - x->work.eta[n][i]);
    }
    for (int k = 0; k < x->plan.extra; k++) {
        const wy_tendon *tendon = wy_se3_unknown(x, k);
        double l[6];
        wy_tendon_tension(tendon, 2 * n, x->work.xi[n], l);
        for (int i = 0; i < 6; i++) b[i][7 + k] = -tendon->weight[2 * n] * l[i];
    }
    if (!wy_solve6(kt, WY_RICCATI_WIDE, b)) return false;
    memcpy(last->row, b, sizeof b);
    return true;
}

/* deta_0 = b[.][6] + b[.][7 + k] t_k: prescribed components, and Lam_0 + W_0 = 0 in the others. */
static bool finish_at_base(wy_se3 *x, double b[6][WY_RICCATI_WIDE]) {
    const bool *held = x->plan.end[0].held;
    const wy_se3_wrench *base = &x->step->end[0];
    const wy_riccati_node *first = &x->work.node[0];
    double eta_t[6], m[6][6];
    wy_se3_end_rate(x, 0, eta_t);
    wy_se3_end_wrench(x, 0, x->work.eta[0], eta_t, x->step->rule.c0);
    memset(b, 0, 6 * sizeof *b);
    for (int i = 0; i < 6; i++) {
        if (held[i]) {
            for (int c = 0; c < 6; c++) m[i][c] = i == c;
            b[i][6] = x->step->prescribed[0][i] - x->work.eta[0][i];
            continue;
        }
        for (int c = 0; c < WY_RICCATI_WIDE; c++) {
            double sum = 0;
            for (int k = 0; k < 6; k++) sum += x->work.kt[0][i][k] * first->row[k][c];
            if (c < 6)
                m[i][c] = sum + base->slope[i][c];
            else
                b[i][c] = -sum;
        }
        b[i][6] -= x->work.lam[0][i] + base->sum[i];
        for (int k = 0; k < x->plan.extra; k++) {
            double l[6];
            wy_tendon_tension(wy_se3_unknown(x, k), 0, x->work.xi[0], l);
            b[i][7 + k] -= wy_se3_unknown(x, k)->weight[0] * l[i];
        }
    }
    return wy_solve6(m, WY_RICCATI_WIDE, b);
}

/* Row of (13) for every tendon of prescribed length, from node j with affine increments dx. */
static void add_lengths(const wy_se3 *x, int j, double dx[12][WY_RICCATI_WIDE], double m[6][6],
                        double right[6][WY_RICCATI_WIDE]) {
    const double lead = x->step->rule.at < 1 ? 2.0 : 1.0; /* dxi_new = lead dxi */
    double xi[6], l[6];
    for (int i = 0; i < 6; i++) xi[i] = lead * x->work.xi[j][i] - (lead - 1) * x->state.xi0[j][i];
    for (int row = 0; row < x->plan.extra; row++) {
        const wy_tendon *tendon = wy_se3_unknown(x, row);
        const double weight = wy_se3_width(x, j) * tendon->weight[2 * j];
        right[row][0] -= weight * wy_tendon_tension(tendon, 2 * j, xi, l);
        if (j == 0) right[row][0] += x->step->target[row];
        for (int i = 0; i < 6; i++) {
            right[row][0] -= weight * lead * l[i] * dx[i][6];
            for (int c = 0; c < x->plan.extra; c++)
                m[row][c] += weight * lead * l[i] * dx[i][7 + c];
        }
    }
}

/* Changes t of tensions: prescribed lengths reach their target, (13), when all increments are affine
 * in t. */
static bool solve_extras(const wy_se3 *x, double b[6][WY_RICCATI_WIDE], double *t) {
    double m[6][6] = {{0}}, right[6][WY_RICCATI_WIDE] = {{0}}, y[6][WY_RICCATI_WIDE];
    for (int i = x->plan.extra; i < 6; i++) m[i][i] = 1;
    memcpy(y, b, sizeof y);
    for (int j = 0; j <= x->plan.n; j++) {
        const wy_riccati_node *node = &x->work.node[j];
        double dx[12][WY_RICCATI_WIDE] = {{0}};
        for (int i = 0; i < 12; i++)
            for (int c = 6; c < 7 + x->plan.extra; c++) {
                dx[i][c] = node->row[i][c];
                for (int k = 0; k < 6; k++) dx[i][c] += node->row[i][k] * y[k][c];
            }
        add_lengths(x, j, dx, m, right);
        if (j < x->plan.n) memcpy(y, dx + 6, sizeof y);
    }
    if (!wy_solve6(m, 1, right)) return false;
    for (int k = 0; k < x->plan.extra; k++) t[k] = right[k][0];
    return true;
}

/* Forward sweep with the increments of base and tensions; returns their largest, scaled. */
static double update(wy_se3 *x, double b[6][WY_RICCATI_WIDE], const double *t) {
    const double speed = x->plan.speed;
    const double scale[4] = {x->plan.length, 1.0, x->plan.length / speed, 1.0 / speed};
    double y[6], next[6], dx[6], largest = 0, check = 0;
    for (int i = 0; i < 6; i++) {
        y[i] = b[i][6];
        for (int k = 0; k < x->plan.extra; k++) y[i] += b[i][7 + k] * t[k];
    }
    for (int j = 0; j <= x->plan.n; j++) {
        wy_riccati_forward(&x->work.node[j], x->plan.extra, y, t, dx, next);
        for (int i = 0; i < 6; i++) {
            x->work.xi[j][i] += dx[i];
            x->work.eta[j][i] += y[i];
            largest = wy_max(largest, scale[i / 3] * fabs(dx[i]));
            largest = wy_max(largest, scale[2 + i / 3] * fabs(y[i]));
            check += 0.0 * (dx[i] + y[i]);
        }
        memcpy(y, next, sizeof y);
    }
    for (int k = 0; k < x->plan.extra; k++) x->state.tension[x->plan.unknown[k]] += t[k];
    for (int i = 0; i < 6; i++)
        if (x->plan.end[1].held[i])
            x->now->reaction[i] +=
                x->step->hold[i] * (x->step->prescribed[1][i] - x->work.eta[x->plan.n][i]);
    return check == 0.0 ? largest : NAN;
}

static bool sweep_box(wy_se3 *x, int j) {
    wy_se3_box_cell(x, j);
    return wy_riccati_sum_step(&x->step->cell, x->plan.extra, &x->work.node[j + 1],
                               &x->work.node[j]);
}

static bool sweep_rk4(wy_se3 *x, int j) {
    return wy_se3_rk4_cell(x, j) &&
           wy_riccati_step(&x->step->wide, x->plan.extra, &x->work.node[j + 1], &x->work.node[j]);
}

/* One Newton correction; NAN when the system is singular. */
static double correct(wy_se3 *x) {
    double b[6][WY_RICCATI_WIDE], t[WY_RICCATI_EXTRA + 1] = {0};
    wy_se3_evaluate(x);
    if (!start_at_tip(x)) return NAN;
    for (int j = x->plan.n - 1; j >= 0; j--)
        if (!(x->plan.opt.scheme == WY_SE3_RK4 ? sweep_rk4 : sweep_box)(x, j)) return NAN;
    if (!finish_at_base(x, b)) return NAN;
    if (x->plan.extra && !solve_extras(x, b, t)) return NAN;
    return update(x, b, t);
}

/* Iterate from the present guess; WITHY_NO_CONVERGENCE without a message when it fails. */
static withy_status iterate(wy_se3 *x) {
    double size = INFINITY;
    for (int k = 0; !(size <= x->plan.opt.newton_tol); k++) {
        if (k == x->plan.opt.newton_max) return WITHY_NO_CONVERGENCE;
        const double before = size;
        size = correct(x);
        x->now->iterations++;
        x->step->residual = size;
        /* far from the solution the increments may grow once or twice; divergence does not recover */
        if (!(size <= 1e3) || (k > 4 && size > 1e2 * before)) return WITHY_NO_CONVERGENCE;
    }
    return WITHY_OK;
}

static void guess_previous(wy_se3 *x) {
    const size_t bytes = (size_t)(x->plan.n + 1) * sizeof *x->work.xi;
    memcpy(x->work.xi, x->state.xi0, bytes);
    memcpy(x->work.eta, x->state.eta0, bytes);
}

/* X_i + at (X_i - X_{i-1}); false when the last step was too large for a straight line. */
static bool guess_ahead(wy_se3 *x) {
    const double straight = 0.1; /* largest change of strain * L, or of velocity over c */
    if (!(x->now->last_dt > 0)) return false;
    const double k = x->step->rule.at * x->step->rule.dt / x->now->last_dt;
    double largest = 0;
    for (int j = 0; j <= x->plan.n; j++)
        for (int i = 0; i < 6; i++) {
            const double dx = x->state.xi0[j][i] - x->state.xi1[j][i],
                         dy = x->state.eta0[j][i] - x->state.eta1[j][i];
            x->work.xi[j][i] = x->state.xi0[j][i] + k * dx;
            x->work.eta[j][i] = x->state.eta0[j][i] + k * dy;
            largest = wy_max(largest, fabs(dx) * (i < 3 ? x->plan.length : 1));
        }
    return largest < straight;
}

/* Tensions and reactions: a failed iteration must not change them. */
typedef struct forces {
    double tension[WY_SE3_EXTRA], reaction[6];
} forces;

static void keep_forces(const wy_se3 *x, forces *kept) {
    for (int k = 0; k < x->plan.extra; k++) kept->tension[k] = x->state.tension[x->plan.unknown[k]];
    memcpy(kept->reaction, x->now->reaction, sizeof kept->reaction);
}

static void restore_forces(wy_se3 *x, const forces *kept) {
    for (int k = 0; k < x->plan.extra; k++) x->state.tension[x->plan.unknown[k]] = kept->tension[k];
    memcpy(x->now->reaction, kept->reaction, sizeof kept->reaction);
}

withy_status wy_se3_newton(wy_se3 *x, withy_error *err) {
    forces kept = {0};
    keep_forces(x, &kept);
    x->now->iterations = 0;
    x->step->failed = WITHY_OK;
    const bool ahead = guess_ahead(x);
    if (!ahead) guess_previous(x);
    if (iterate(x) == WITHY_OK) return WITHY_OK;
    restore_forces(x, &kept);
    if (ahead) {
        guess_previous(x);
        if (iterate(x) == WITHY_OK) return WITHY_OK;
        restore_forces(x, &kept);
    }
    WY_TRY(wy_se3_state_load_status(x, err));
    return wy_no_convergence(
        err,
        "se3: Newton's increment is %.1e > %.1e after %lld iterations in the step from t = %g to "
        "%g; try a smaller options.dt (now %g), or apply the load more slowly",
        x->step->residual, x->plan.opt.newton_tol, (long long)x->now->iterations, x->now->t,
        x->now->t + x->step->rule.dt, x->plan.opt.dt);
}
