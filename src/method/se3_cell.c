/* se3_cell.c - stress at a point, and residual and Jacobian of the box scheme in one cell.
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
#include "method/se3.h"

#include <string.h>

/* Matrices here have rows of eight, the last two zero, so that a row fills vector registers. */
enum { ROW = 8 };

/* ad_x^T */
static void ad_transposed(const double x[6], double m[6][ROW]) {
    const double fill[6][ROW] = {
        {0, x[2], -x[1], 0, x[5], -x[4], 0, 0}, {-x[2], 0, x[0], -x[5], 0, x[3], 0, 0},
        {x[1], -x[0], 0, x[4], -x[3], 0, 0, 0}, {0, 0, 0, 0, x[2], -x[1], 0, 0},
        {0, 0, 0, -x[2], 0, x[0], 0, 0},        {0, 0, 0, x[1], -x[0], 0, 0, 0}};
    memcpy(m, fill, sizeof fill);
}

/* G(m, n) */
static void dual_matrix(const double f[6], double m[6][ROW]) {
    const double fill[6][ROW] = {
        {0, -f[2], f[1], 0, -f[5], f[4], 0, 0}, {f[2], 0, -f[0], f[5], 0, -f[3], 0, 0},
        {-f[1], f[0], 0, -f[4], f[3], 0, 0, 0}, {0, -f[5], f[4], 0, 0, 0, 0, 0},
        {f[5], 0, -f[3], 0, 0, 0, 0, 0},        {-f[4], f[3], 0, 0, 0, 0, 0, 0}};
    memcpy(m, fill, sizeof fill);
}

/* Kt += (tau/|p|) P^T (1 - t t^T) P with P = [-r^, 1]: the change of direction of the tendon. */
static void add_tendon_slope(double tau, vec3 r, vec3 t, double p, double kt[6][6]) {
    double column[6][3]; /* (1 - t t^T) P, by columns of P */
    for (int c = 0; c < 6; c++) {
        const vec3 e = v3(c % 3 == 0, c % 3 == 1, c % 3 == 2);
        const vec3 pe = c < 3 ? v3_cross(e, r) : e;
        v3_to(v3_axpy(pe, -v3_dot(t, pe), t), column[c]);
    }
    for (int c = 0; c < 6; c++) {
        const vec3 y = v3_from(column[c]), m = v3_cross(r, y); /* P^T y = (r x y, y) */
        const double add[6] = {m.x, m.y, m.z, y.x, y.y, y.z};
        for (int i = 0; i < 6; i++) kt[i][c] += tau / p * add[i];
    }
}

void wy_se3_stress(const se3 *x, int point, const double xi[6], const double hx[6], double lam[6],
                   double kt[6][6]) {
    const se3_point *at = &x->point[point];
    const double damp = x->rule.moves ? 1.0 : 0.0;
    for (int i = 0; i < 6; i++) {
        const double d = damp * at->d[i];
        lam[i] = at->k[i] * (xi[i] - at->rest[i]) + d * (x->rule.c0 * xi[i] + hx[i]);
        for (int k = 0; k < 6; k++) kt[i][k] = 0;
        kt[i][i] = at->k[i] + x->rule.c0 * d;
    }
    for (int k = 0; k < x->tendon_count; k++) {
        const se3_tendon *tendon = &x->tendon[k];
        const double tau = tendon->tension * tendon->weight[point];
        double l[6];
        if (tendon->weight[point] == 0) continue;
        const double p = wy_se3_tendon_pull(tendon, point, xi, l);
        for (int i = 0; i < 6; i++) lam[i] += tau * l[i];
        add_tendon_slope(tau, tendon->r[point], v3_from(l + 3), p, kt);
    }
}

/* dr2/dxi of one node: side/h Kt - (ad_xi^T Kt + G(Lam))/2, rows scaled. */
static void balance_in_strain(const se3 *x, double ad_t[6][ROW], double g[6][ROW], int node,
                              double side, const double scale[6], double (*out)[ROW]) {
    double(*kt)[6] = x->kt[node];
    if (!x->tendon_count) { /* Kt is diagonal */
        double k[ROW] = {0};
        for (int i = 0; i < 6; i++) k[i] = kt[i][i];
        for (int i = 0; i < 6; i++) {
            const double half = -0.5 * scale[i];
            for (int c = 0; c < ROW; c++) out[i][c] = half * (ad_t[i][c] * k[c] + g[i][c]);
            out[i][i] += side * scale[i] / x->h * k[i];
        }
        return;
    }
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < 6; c++) {
            double sum = 0;
            for (int k = 0; k < 6; k++) sum += ad_t[i][k] * kt[k][c];
            out[i][c] = scale[i] * (side / x->h * kt[i][c] - 0.5 * (sum + g[i][c]));
        }
}

/* dr2/dtau_k of the tendons whose tension is unknown. */
static void balance_in_tension(const se3 *x, int j, double ad_t[6][ROW], const double scale[6],
                               double (*e)[WY_RICCATI_EXTRA]) {
    for (int k = 0; k < x->tendon_count; k++) {
        const se3_tendon *tendon = &x->tendon[k];
        if (tendon->column < 0) continue;
        double a[6], b[6];
        wy_se3_tendon_pull(tendon, 2 * j, x->xi[j], a);
        wy_se3_tendon_pull(tendon, 2 * j + 2, x->xi[j + 1], b);
        for (int i = 0; i < 6; i++)
            a[i] *= tendon->weight[2 * j], b[i] *= tendon->weight[2 * j + 2];
        for (int i = 0; i < 6; i++) {
            double sum = 0;
            for (int c = 0; c < 6; c++) sum += ad_t[i][c] * 0.5 * (a[c] + b[c]);
            e[i][tendon->column] = scale[i] * ((b[i] - a[i]) / x->h - sum);
        }
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
static void kinematics(se3 *x, int j, const double xi[6], const double eta[6]) {
    const double c0 = x->rule.c0, ih = 1 / x->h;
    const vec3 curve = v3_from(xi), stretch = v3_from(xi + 3);
    double r[6], turn[6];
    mat3 b, c;
    se3_ad(xi, eta, turn);
    for (int i = 0; i < 6; i++) {
        const double history = 0.5 * (x->hx[2 * j][i] + x->hx[2 * j + 2][i]);
        r[i] = 2 * (c0 * xi[i] + history - turn[i] - ih * (x->eta[j + 1][i] - x->eta[j][i]));
    }
    inverse_turn(c0, eta, &b, &c);
    const mat3 diagonal = times_skew(b, curve), p = times_skew(c, curve),
               q = times_skew(b, stretch);
    const mat3 low = {v3_add(p.c1, q.c1), v3_add(p.c2, q.c2), v3_add(p.c3, q.c3)};
    put_block(&x->cell, 0, 0, diagonal, b, 2 * ih);
    put_block(&x->cell, 3, 3, diagonal, b, 2 * ih);
    put_block(&x->cell, 3, 0, low, c, 2 * ih);
    const vec3 up = m3_mul(b, v3_from(r));
    const vec3 down = v3_add(m3_mul(c, v3_from(r)), m3_mul(b, v3_from(r + 3)));
    double u[6];
    v3_to(up, u);
    v3_to(down, u + 3);
    for (int i = 0; i < 6; i++) x->cell.v[i][6] = u[i];
}

/* r2, and its derivatives in eta. */
static void balance(se3 *x, int j, const double xi[6], const double eta[6], const double lam[6],
                    const double scale[6]) {
    wy_riccati_sum *cell = &x->cell;
    const double c0 = x->rule.c0;
    double m[ROW] = {0}, momentum[6], turn[6], gyro[6], slope[6][ROW], ad_t[6][ROW];
    for (int i = 0; i < 6; i++) {
        m[i] = x->rule.moves ? x->point[2 * j + 1].m[i] : 0.0;
        momentum[i] = m[i] * eta[i];
    }
    se3_ad_transposed(xi, lam, turn);
    se3_ad_transposed(eta, momentum, gyro);
    dual_matrix(momentum, slope);
    ad_transposed(eta, ad_t);
    for (int i = 0; i < 6; i++) {
        const double half = 0.5 * scale[i];
        for (int c = 0; c < ROW; c++)
            cell->c[i][c] = cell->d[i][c] = half * (slope[i][c] + ad_t[i][c] * m[c]);
        cell->c[i][i] -= half * c0 * m[i];
        cell->d[i][i] -= half * c0 * m[i];
        const double he = 0.5 * (x->he[2 * j][i] + x->he[2 * j + 2][i]);
        const double load = 0.5 * (x->f[j][i] + x->f[j + 1][i]);
        const double change = (x->lam[j + 1][i] - x->lam[j][i]) / x->h;
        cell->c[i][6] = scale[i] * (change - turn[i] - m[i] * (c0 * eta[i] + he) + gyro[i] + load);
    }
    if (!x->has_force) return;
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < 6; c++) {
            cell->c[i][c] += 0.5 * scale[i] * x->fj[j][i][c];
            cell->d[i][c] += 0.5 * scale[i] * x->fj[j + 1][i][c];
        }
}

void wy_se3_box_cell(se3 *x, int j) {
    double xi[6], eta[6], lam[6], scale[6], ad_t[6][ROW], dual[6][ROW];
    for (int i = 0; i < 6; i++) {
        xi[i] = 0.5 * (x->xi[j][i] + x->xi[j + 1][i]);
        eta[i] = 0.5 * (x->eta[j][i] + x->eta[j + 1][i]);
        lam[i] = 0.5 * (x->lam[j][i] + x->lam[j + 1][i]);
        scale[i] = x->h / x->point[2 * j + 1].k[i];
    }
    ad_transposed(xi, ad_t);
    dual_matrix(lam, dual);
    kinematics(x, j, xi, eta);
    balance(x, j, xi, eta, lam, scale);
    balance_in_strain(x, ad_t, dual, j, -1.0, scale, x->cell.a);
    if (x->uniform && !x->tendon_count) { /* both nodes have the same Kt */
        memcpy(x->cell.b, x->cell.a, sizeof x->cell.b);
        for (int i = 0; i < 6; i++) x->cell.b[i][i] += 2 * scale[i] / x->h * x->kt[j][i][i];
    } else {
        balance_in_strain(x, ad_t, dual, j + 1, 1.0, scale, x->cell.b);
    }
    if (x->extra) balance_in_tension(x, j, ad_t, scale, x->cell.e);
}
