/* rk4.c - scheme = "rk4": the time-discrete problem as an ODE in s, fourth order.
 *
 *   Lam' = M (c0 eta + he) - ad_eta^T M eta + ad_xi^T Lam - F                               (15)
 *   eta' = c0 xi + hx - ad_xi eta,      xi from Lam by (8)                                  (16)
 *
 * One classical Runge-Kutta step per cell gives Phi(Lam_j, eta_j); the cell's equations are
 * (Lam, eta)_{j+1} = Phi, with the derivative of Phi carried through the four stages.  The history
 * at the middle of a cell is interpolated by cubics, the pose by Magnus' fourth-order exponential
 * over half cells,
 *
 *   g(s + a) = g(s) exp(a (xi1 + xi2)/2 + a^2 sqrt(3)/12 [xi1, xi2]),  xi1, xi2 at Gauss' points.
 *
 * Energy is not exact, and cells must be shorter than 1/lambda (docs/theory/se3.md, Other schemes);
 * the box has neither limit.
 */
#include "method/se3/se3.h"

enum { MOST = 12 + WY_RICCATI_EXTRA };

/* Rows Lam, eta; columns Lam_j, eta_j, tensions. */
typedef struct slope {
    double m[12][MOST];
} slope;

void wy_se3_rk4_history(wy_se3 *x) {
    const wy_se3_rule *r = &x->step->rule;
    for (int j = 0; j < x->plan.n; j++) {
        double now[2][6], before[2][6], rate[2][6];
        wy_place_cubic(x->plan.n, x->state.xi0, j, 0.5, now[0]);
        wy_place_cubic(x->plan.n, x->state.eta0, j, 0.5, now[1]);
        wy_place_cubic(x->plan.n, x->state.xi1, j, 0.5, before[0]);
        wy_place_cubic(x->plan.n, x->state.eta1, j, 0.5, before[1]);
        wy_place_cubic(x->plan.n, x->state.xi_t, j, 0.5, rate[0]);
        wy_place_cubic(x->plan.n, x->state.eta_t, j, 0.5, rate[1]);
        for (int i = 0; i < 6; i++) {
            x->work.hx[2 * j + 1][i] =
                r->c1 * now[0][i] + r->c2 * before[0][i] + r->d1 * rate[0][i];
            x->work.he[2 * j + 1][i] =
                r->c1 * now[1][i] + r->c2 * before[1][i] + r->d1 * rate[1][i];
        }
    }
}

/* The motion over a part of cell j, from fraction `from` to fraction `from + 1/2`. */
static wy_motion magnus(const wy_se3 *x, int j, double from) {
    const double a = 0.5 * x->plan.h, offset = sqrt(3.0) / 12;
    double one[6], two[6], bracket[6];
    wy_place_cubic(x->plan.n, x->state.xi0, j, from + 0.25 - offset, one);
    wy_place_cubic(x->plan.n, x->state.xi0, j, from + 0.25 + offset, two);
    se3_ad(one, two, bracket);
    for (int i = 0; i < 6; i++)
        one[i] = 0.5 * a * (one[i] + two[i]) + a * a * sqrt(3.0) / 12 * bracket[i];
    return se3_exp_scaled(1, one);
}

void wy_se3_rk4_rebuild(wy_se3 *x) {
    for (int j = 0; j < x->plan.n; j++) {
        x->state.g[2 * j + 1] = se3_mul(x->state.g[2 * j], magnus(x, j, 0));
        x->state.g[2 * j + 2] = se3_mul(x->state.g[2 * j + 1], magnus(x, j, 0.5));
    }
}

/* xi with stress Lam at a point, starting from the value in xi; inverse = (dLam/dxi)^-1. */
static bool strain_of(const wy_se3 *x, int point, const double lam[6], double xi[6],
                      double inverse[6][WY_RICCATI_WIDE]) {
    const int most = x->plan.tendon_count ? 30 : 1; /* linear without tendons: one solve is exact */
    for (int k = 0; k < most; k++) {
        double now[6], xi_t[6], kt[6][6], change = 0;
        wy_se3_strain_rate(x, point, xi, xi_t);
        wy_se3_stress(x, point, xi, xi_t, wy_se3_damp(x), now, kt);
        memset(inverse, 0, 6 * sizeof *inverse);
        for (int i = 0; i < 6; i++) inverse[i][i] = 1, inverse[i][6] = lam[i] - now[i];
        if (!wy_solve6(kt, 7, inverse)) return false;
        for (int i = 0; i < 6; i++) {
            xi[i] += inverse[i][6];
            change = wy_max(change, fabs(inverse[i][6]) * (i < 3 ? x->plan.length : 1));
        }
        if (change <= 1e-13) return true;
    }
    return !x->plan.tendon_count;
}

/* The unit vector e_c. */
static void unit(int c, double e[6]) {
    for (int i = 0; i < 6; i++) e[i] = i == c;
}

/* Right sides (15), (16) at a point and their derivatives by Lam, eta and the tensions. */
static bool rates(wy_se3 *x, int point, const double y[12], double xi[6], double out[12],
                  slope *j) {
    const wy_se3_point *at = &x->plan.point[point];
    const double c0 = x->step->rule.c0, inertia = x->step->rule.moves ? 1 : 0, *lam = y,
                 *eta = y + 6;
    double s[6][WY_RICCATI_WIDE], p[6], gyro[6], turn[6], carry[6], f[6] = {0}, fj[6][6] = {{0}};
    if (!strain_of(x, point, lam, xi, s)) return false;
    double eta0[6] = {0};
    if (x->step->rule.lag != 0) {
        if (point % 2)
            wy_place_cubic(x->plan.n, x->state.eta0, point / 2, 0.5, eta0);
        else
            memcpy(eta0, x->state.eta0[point / 2], sizeof eta0);
    }
    if (x->plan.has_force) wy_se3_force_at(x, point, eta, eta0, f, fj);
    for (int i = 0; i < 6; i++) p[i] = inertia * at->m[i] * eta[i];
    se3_ad_transposed(eta, p, gyro);
    se3_ad_transposed(xi, lam, turn);
    se3_ad(xi, eta, carry);
    for (int i = 0; i < 6; i++) {
        const double eta_t = c0 * eta[i] + x->work.he[point][i];
        out[i] = inertia * at->m[i] * eta_t - gyro[i] + turn[i] - f[i];
        out[6 + i] = c0 * xi[i] + x->work.hx[point][i] - carry[i];
    }
    memset(j, 0, sizeof *j);
    for (int c = 0; c < 6 + x->plan.extra; c++) { /* through xi: by Lam, and by the tensions */
        double dxi[6], a[6], b[6], l[6];
        for (int i = 0; i < 6; i++) dxi[i] = c < 6 ? s[i][c] : 0;
        if (c >= 6) {
            const wy_tendon *tendon = wy_se3_unknown(x, c - 6);
            wy_tendon_tension(tendon, point, xi, l);
            for (int i = 0; i < 6; i++) dxi[i] -= tendon->weight[point] * wy_se3_dot(s[i], l);
        }
        se3_ad_transposed(dxi, lam, a);
        se3_ad(dxi, eta, b);
        for (int i = 0; i < 6; i++) {
            j->m[i][c < 6 ? c : 6 + c] = a[i];
            j->m[6 + i][c < 6 ? c : 6 + c] = c0 * dxi[i] - b[i];
        }
    }
    for (int c = 0; c < 6; c++) { /* directly: by Lam and by eta */
        double e[6], dp[6], a[6], b[6], d[6], k[6];
        unit(c, e);
        for (int i = 0; i < 6; i++) dp[i] = inertia * at->m[i] * e[i];
        se3_ad_transposed(xi, e, a);
        se3_ad_transposed(e, p, b);
        se3_ad_transposed(eta, dp, d);
        se3_ad(xi, e, k);
        for (int i = 0; i < 6; i++) {
            j->m[i][c] += a[i];
            j->m[i][6 + c] =
                c0 * dp[i] - b[i] - d[i] - fj[i][c] - x->step->rule.shift * at->m[i] * e[i];
            j->m[6 + i][6 + c] = -k[i];
        }
    }
    return true;
}

/* total = j (1 + a before) in the first twelve columns, plus j's own columns of the tensions. */
static void chain(const slope *j, double a, const slope *before, int columns, slope *total) {
    for (int i = 0; i < 12; i++) {
        for (int c = 0; c < columns; c++) total->m[i][c] = j->m[i][c];
        for (int k = 0; k < 12; k++)
            for (int c = 0; c < columns; c++) total->m[i][c] += a * j->m[i][k] * before->m[k][c];
    }
}

/* Phi and its derivative over cell j. */
static bool runge_kutta(wy_se3 *x, int j, double phi[12], slope *dphi) {
    static const double reach[4] = {0, 0.5, 0.5, 1}, weight[4] = {1 / 6., 1 / 3., 1 / 3., 1 / 6.};
    const int point[4] = {2 * j, 2 * j + 1, 2 * j + 1, 2 * j + 2}, columns = 12 + x->plan.extra;
    double y[12], rate[12] = {0}, stage[12], xi[6];
    slope own, total[2] = {{{{0}}}, {{{0}}}};
    memcpy(y, x->work.lam[j], 6 * sizeof *y);
    memcpy(y + 6, x->work.eta[j], 6 * sizeof *y);
    memcpy(xi, x->work.xi[j], sizeof xi);
    memcpy(phi, y, sizeof y);
    memset(dphi, 0, sizeof *dphi);
    for (int i = 0; i < 12; i++) dphi->m[i][i] = 1;
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < 12; i++) stage[i] = y[i] + reach[k] * x->plan.h * rate[i];
        if (!rates(x, point[k], stage, xi, rate, &own)) return false;
        chain(&own, reach[k] * x->plan.h, &total[k % 2], columns, &total[1 - k % 2]);
        for (int i = 0; i < 12; i++) {
            phi[i] += weight[k] * x->plan.h * rate[i];
            for (int c = 0; c < columns; c++)
                dphi->m[i][c] += weight[k] * x->plan.h * total[1 - k % 2].m[i][c];
        }
    }
    return true;
}

/* Columns of the unknown tensions: Lam at both nodes depends on them as well. */
static void tension_columns(wy_se3 *x, int j, const slope *dphi, const double scale[12]) {
    for (int column = 0; column < x->plan.extra; column++) {
        const wy_tendon *tendon = wy_se3_unknown(x, column);
        double a[6], b[6];
        wy_tendon_tension(tendon, 2 * j, x->work.xi[j], a);
        wy_tendon_tension(tendon, 2 * j + 2, x->work.xi[j + 1], b);
        for (int i = 0; i < 12; i++) {
            double sum = dphi->m[i][12 + column];
            for (int c = 0; c < 6; c++) sum += dphi->m[i][c] * tendon->weight[2 * j] * a[c];
            const double own = i < 6 ? tendon->weight[2 * j + 2] * b[i] : 0;
            x->step->wide.e[i][column] = scale[i] * (own - sum);
        }
    }
}

bool wy_se3_rk4_defect(wy_se3 *x, int j, double lam[6]) {
    double phi[12];
    slope dphi;
    if (!runge_kutta(x, j, phi, &dphi)) return false;
    for (int i = 0; i < 6; i++) {
        lam[i] = x->work.lam[j + 1][i] - phi[i];
        x->work.eta[j + 1][i] = phi[6 + i];
    }
    return true;
}

bool wy_se3_rk4_cell(wy_se3 *x, int j) {
    wy_riccati_cell *cell = &x->step->wide;
    double phi[12], scale[12];
    slope dphi;
    if (!runge_kutta(x, j, phi, &dphi)) return false;
    for (int i = 0; i < 6; i++) {
        scale[i] = 1 / x->plan.point[2 * j + 1].k[i];
        scale[6 + i] = 1 / (x->step->rule.c0 * x->plan.h);
    }
    for (int i = 0; i < 12; i++) {
        const double value = i < 6 ? x->work.lam[j + 1][i] : x->work.eta[j + 1][i - 6];
        cell->r[i] = scale[i] * (value - phi[i]);
        for (int c = 0; c < 6; c++) {
            double sum = 0;
            for (int k = 0; k < 6; k++) sum += dphi.m[i][k] * x->work.kt[j][k][c];
            cell->ax[i][c] = -scale[i] * sum;
            cell->ay[i][c] = -scale[i] * dphi.m[i][6 + c];
            cell->bx[i][c] = i < 6 ? scale[i] * x->work.kt[j + 1][i][c] : 0;
            cell->by[i][c] = i == 6 + c ? scale[i] : 0;
        }
    }
    if (x->plan.extra) tension_columns(x, j, &dphi, scale);
    return true;
}
