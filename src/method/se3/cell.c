/* cell.c - stress at a point, and residual and Jacobian of the box scheme in one cell.
 *
 *   Lam = K (xi - xi*) + D xi_t + sum_k tau_k l_k,    l_k = [r_k x t_k; t_k]                  (8)
 *   r1  = c0 xi^ + hx^ - ad_xi^ eta^ - (eta_{j+1} - eta_j)/h                                  (9)
 *   r2  = (Lam_{j+1} - Lam_j)/h - ad_xi^^T Lam^ - M (c0 eta^ + he^) + ad_eta^^T M eta^ + F^  (10)
 *
 * Hats are means of the two nodes of the cell.  Their derivatives, with G(m, n) = [[m^, n^], [n^,
 * 0]] because ad_x^T (m, n) = G(m, n) x:
 *
 *   dr1/dxi = (c0 + ad_eta^)/2                      dr1/deta = -ad_xi^/2 -+ 1/h
 *   dr2/dxi = +-Kt/h - (ad_xi^^T Kt + G(Lam^))/2    dr2/deta = (-c0 M + ad_eta^^T M + G(M eta^)
 *                                                               + dF/deta)/2
 *
 * (9) is solved in closed form for dxi_j + dxi_{j+1}, because both have the coefficient
 * (c0 + ad_eta^)/2; the rows of (10) are divided by K/h, so that pivots are comparable.
 */
#include "method/se3/se3.h"

/* Matrices here have rows of eight, the last two zero, so that a row fills vector registers. */
enum { ROW = 8 };

/* rows s of ad_x^T diag(k) + G(f) into m, entry by entry: where m is zero it stays so.  Written out,
 * because half of the entries are zero and the rest are sums of one or two products. */
static void put_turned(const double x[6], const double k[6], const double f[6], const double s[6],
                       double (*m)[ROW]) {
    m[0][1] = s[0] * (x[2] * k[1] - f[2]), m[0][2] = s[0] * (f[1] - x[1] * k[2]);
    m[0][4] = s[0] * (x[5] * k[4] - f[5]), m[0][5] = s[0] * (f[4] - x[4] * k[5]);
    m[1][0] = s[1] * (f[2] - x[2] * k[0]), m[1][2] = s[1] * (x[0] * k[2] - f[0]);
    m[1][3] = s[1] * (f[5] - x[5] * k[3]), m[1][5] = s[1] * (x[3] * k[5] - f[3]);
    m[2][0] = s[2] * (x[1] * k[0] - f[1]), m[2][1] = s[2] * (f[0] - x[0] * k[1]);
    m[2][3] = s[2] * (x[4] * k[3] - f[4]), m[2][4] = s[2] * (f[3] - x[3] * k[4]);
    m[3][1] = -s[3] * f[5], m[3][2] = s[3] * f[4];
    m[3][4] = s[3] * x[2] * k[4], m[3][5] = -s[3] * x[1] * k[5];
    m[4][0] = s[4] * f[5], m[4][2] = -s[4] * f[3];
    m[4][3] = -s[4] * x[2] * k[3], m[4][5] = s[4] * x[0] * k[5];
    m[5][0] = -s[5] * f[4], m[5][1] = s[5] * f[3];
    m[5][3] = s[5] * x[1] * k[3], m[5][4] = -s[5] * x[0] * k[4];
}

void wy_se3_stress(const wy_se3 *x, int point, const double xi[6], const double xi_t[6],
                   double damp, double lam[6], double kt[6][6]) {
    const wy_se3_point *at = &x->plan.point[point];
    for (int i = 0; i < 6; i++) {
        lam[i] = at->k[i] * (xi[i] - at->rest[i]) + at->d[i] * xi_t[i];
        for (int k = 0; k < 6; k++) kt[i][k] = 0;
        kt[i][i] = at->k[i] + damp * at->d[i];
    }
    for (int k = 0; k < x->plan.tendon_count; k++) {
        const wy_tendon *tendon = &x->plan.tendon[k];
        const double tau = x->state.tension[k] * tendon->weight[point];
        double l[6];
        if (tendon->weight[point] == 0) continue;
        const double p = wy_tendon_tension(tendon, point, xi, l);
        for (int i = 0; i < 6; i++) lam[i] += tau * l[i];
        wy_tendon_add_slope(tau, tendon->r[point], v3_from(l + 3), p, kt);
    }
}

/* dr2/dxi: A = -Kt_j/h - (ad_xi^T Kt_j + G(Lam))/2 of node j, and H = B - A, where B is that of node
 * j + 1; rows scaled.  With one diagonal Kt for both nodes H is 2 Kt/h. */
static void balance_in_strain(wy_se3 *x, int j, const double xi[6], const double lam[6],
                              const double scale[6]) {
    wy_riccati_sum *cell = &x->step->cell;
    const double ih = 1 / x->plan.h, none[6] = {0};
    double half[6], k[6];
    for (int i = 0; i < 6; i++) half[i] = -0.5 * scale[i], k[i] = x->work.kt[j][i][i];
    cell->diagonal = x->plan.uniform && !x->plan.tendon_count;
    if (cell->diagonal) {
        put_turned(xi, k, lam, half, cell->a);
        for (int i = 0; i < 6; i++) {
            cell->a[i][i] = -ih * scale[i] * k[i];
            cell->h[i][i] = 2 * ih * scale[i] * k[i];
        }
        return;
    }
    double turn[6][ROW] = {{0}}, dual[6][ROW] = {{0}};
    const double one[6] = {1, 1, 1, 1, 1, 1};
    put_turned(xi, one, none, one, turn); /* ad_xi^T */
    put_turned(none, none, lam, one, dual);
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < 6; c++) {
            double side[2];
            for (int node = 0; node < 2; node++) {
                double(*kt)[6] = x->work.kt[j + node], sum = dual[i][c];
                for (int q = 0; q < 6; q++) sum += turn[i][q] * kt[q][c];
                side[node] = scale[i] * ((node ? ih : -ih) * kt[i][c] - 0.5 * sum);
            }
            cell->a[i][c] = side[0];
            cell->h[i][c] = side[1] - side[0];
        }
}

/* dr2/dtau_k of the tendons whose tension is unknown. */
static void balance_in_tension(const wy_se3 *x, int j, const double xi[6], const double scale[6],
                               double (*e)[WY_RICCATI_EXTRA]) {
    for (int k = 0; k < x->plan.extra; k++) {
        const wy_tendon *tendon = wy_se3_unknown(x, k);
        double a[6], b[6], mean[6], turned[6];
        wy_tendon_tension(tendon, 2 * j, x->work.xi[j], a);
        wy_tendon_tension(tendon, 2 * j + 2, x->work.xi[j + 1], b);
        for (int i = 0; i < 6; i++) {
            a[i] *= tendon->weight[2 * j], b[i] *= tendon->weight[2 * j + 2];
            mean[i] = 0.5 * (a[i] + b[i]);
        }
        se3_ad_transposed(xi, mean, turned);
        for (int i = 0; i < 6; i++) e[i][k] = scale[i] * ((b[i] - a[i]) / x->plan.h - turned[i]);
    }
}

/* m a^: column c is m (a x e_c). */
static mat3 times_skew(mat3 m, vec3 a) {
    return (mat3){m3_mul(m, v3(0, a.z, -a.y)), m3_mul(m, v3(-a.z, 0, a.x)),
                  m3_mul(m, v3(a.y, -a.x, 0))};
}

/* (c0 + ad_eta)^-1 = [[b, 0], [-b v^ b, b]],  b = (c0 + w^)^-1 = (c0^2 + w w^T - c0 w^)/(c0 (c0^2 +
 * w w)). */
static void inverse_turn(double c0, const double eta[6], mat3 *b, mat3 *c) {
    const vec3 w = v3_from(eta), v = v3_from(eta + 3);
    const double k = 1 / (c0 * (c0 * c0 + v3_dot(w, w)));
    const double d = c0 * c0;
    *b = (mat3){v3_scale(k, v3(d + w.x * w.x, w.y * w.x - c0 * w.z, w.z * w.x + c0 * w.y)),
                v3_scale(k, v3(w.x * w.y + c0 * w.z, d + w.y * w.y, w.z * w.y - c0 * w.x)),
                v3_scale(k, v3(w.x * w.z - c0 * w.y, w.y * w.z + c0 * w.x, d + w.z * w.z))};
    *c = m3_mulm(times_skew(*b, v3_scale(-1, v)), *b);
}

/* V = even + odd, W = even - odd in one 3 x 3 block. */
static void put_block(wy_riccati_sum *cell, int row, int column, mat3 even, mat3 odd, double k) {
    const double e[3][3] = {{even.c1.x, even.c2.x, even.c3.x},
                            {even.c1.y, even.c2.y, even.c3.y},
                            {even.c1.z, even.c2.z, even.c3.z}};
    const double o[3][3] = {{k * odd.c1.x, k * odd.c2.x, k * odd.c3.x},
                            {k * odd.c1.y, k * odd.c2.y, k * odd.c3.y},
                            {k * odd.c1.z, k * odd.c2.z, k * odd.c3.z}};
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++) {
            cell->v[row + i][column + c] = o[i][c] - e[i][c];
            cell->w[row + i][column + c] = -o[i][c] - e[i][c];
        }
}

/* (9) solved for dxi_j + dxi_{j+1}: u, V, W = 2 (c0 + ad_eta)^-1 (r1, dr1/deta_j, dr1/deta_j+1),
 * where 2 dr1/deta = -ad_xi +- 2/h. */
static void kinematics(wy_se3 *x, int j, const double xi[6], const double eta[6]) {
    const double c0 = x->step->rule.c0, ih = 1 / x->plan.h;
    const vec3 curve = v3_from(xi), stretch = v3_from(xi + 3);
    double r[6], turn[6];
    mat3 b, c;
    se3_ad(xi, eta, turn);
    for (int i = 0; i < 6; i++) {
        const double history = 0.5 * (x->work.hx[2 * j][i] + x->work.hx[2 * j + 2][i]);
        r[i] =
            2 * (c0 * xi[i] + history - turn[i] - ih * (x->work.eta[j + 1][i] - x->work.eta[j][i]));
    }
    inverse_turn(c0, eta, &b, &c);
    const mat3 diagonal = times_skew(b, curve), p = times_skew(c, curve),
               q = times_skew(b, stretch);
    const mat3 low = {v3_add(p.c1, q.c1), v3_add(p.c2, q.c2), v3_add(p.c3, q.c3)};
    put_block(&x->step->cell, 0, 0, diagonal, b, 2 * ih);
    put_block(&x->step->cell, 3, 3, diagonal, b, 2 * ih);
    put_block(&x->step->cell, 3, 0, low, c, 2 * ih);
    const vec3 up = m3_mul(b, v3_from(r));
    const vec3 down = v3_add(m3_mul(c, v3_from(r)), m3_mul(b, v3_from(r + 3)));
    double u[6];
    v3_to(up, u);
    v3_to(down, u + 3);
    for (int i = 0; i < 6; i++) x->step->cell.v[i][6] = u[i];
}

/* r2, and its derivatives in eta: C = D = (ad_eta^T M + G(M eta) - c0 M)/2, and the loads. */
static void balance(wy_se3 *x, int j, const double xi[6], const double eta[6], const double lam[6],
                    const double scale[6]) {
    wy_riccati_sum *cell = &x->step->cell;
    const double c0 = x->step->rule.c0, ih = 1 / x->plan.h;
    double m[6], momentum[6], turn[6], gyro[6], half[6];
    for (int i = 0; i < 6; i++) {
        m[i] = x->step->rule.moves ? x->plan.point[2 * j + 1].m[i] : 0.0;
        momentum[i] = m[i] * eta[i];
        half[i] = 0.5 * scale[i];
    }
    se3_ad_transposed(xi, lam, turn);
    se3_ad_transposed(eta, momentum, gyro);
    if (x->plan.has_force)
        memset(cell->c, 0, sizeof cell->c); /* the slope of loads fills all of it */
    put_turned(eta, m, momentum, half, cell->c);
    for (int i = 0; i < 6; i++) {
        const double he = 0.5 * (x->work.he[2 * j][i] + x->work.he[2 * j + 2][i]);
        const double load = 0.5 * (x->work.f[j][i] + x->work.f[j + 1][i]);
        const double change = ih * (x->work.lam[j + 1][i] - x->work.lam[j][i]);
        cell->c[i][i] = -half[i] * c0 * m[i];
        cell->c[i][6] = scale[i] * (change - turn[i] - m[i] * (c0 * eta[i] + he) + gyro[i] + load);
    }
    if (!x->plan.has_force) {
        put_turned(eta, m, momentum, half, cell->d);
        for (int i = 0; i < 6; i++) cell->d[i][i] = cell->c[i][i];
        return;
    }
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < 6; c++) {
            const double own = cell->c[i][c];
            cell->d[i][c] = own + half[i] * x->work.fj[j + 1][i][c];
            cell->c[i][c] = own + half[i] * x->work.fj[j][i][c];
        }
}

void wy_se3_box_cell(wy_se3 *x, int j) {
    const double *scale = x->plan.point[2 * j + 1].scale;
    double xi[6], eta[6], lam[6];
    wy_se3_mean(x->work.xi, j, xi);
    wy_se3_mean(x->work.eta, j, eta);
    wy_se3_mean(x->work.lam, j, lam);
    kinematics(x, j, xi, eta);
    balance(x, j, xi, eta, lam, scale);
    balance_in_strain(x, j, xi, lam, scale);
    if (x->plan.extra) balance_in_tension(x, j, xi, scale, x->step->cell.e);
}
