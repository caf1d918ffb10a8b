/* rates.c - da/du and da/dv, for implicit integrators (numeric/time/second_order.h).
 *
 * The matrix of the balance (cheb/jacobian.c) times the inverse inertia of each node.  Terms of da/du
 * that stay small (change of the inertia with the turn, gyroscopic) are left out; the equations that are
 * solved are complete.
 */
#include "method/cheb/cheb.h"
#include "method/cheb/frame.h"
#include "numeric/linear/linear.h"

static const wy_cheb_end *end_of(const wy_cheb *x, int i) {
    for (int e = 0; e < 2; e++)
        if (i == x->end[e].node) return &x->end[e];
    return NULL;
}

/* w0 times the inverse of m (n rows of n) in what is not known, nothing in what is; inv stays where m is
 * singular. */
static void invert(int n, double *m, const int *known, double w0, double *inv) {
    double column[6];
    int pivot[6];
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n && known[r]; c++) m[r * n + c] = m[c * n + r] = r == c;
    if (!wy_lu_factor(n, n, m, pivot)) return;
    for (int c = 0; c < n; c++) {
        for (int r = 0; r < n; r++) column[r] = r == c ? w0 : 0.0;
        wy_lu_solve(n, n, m, pivot, column);
        for (int r = 0; r < n; r++) inv[r * n + c] = known[r] || known[c] ? 0.0 : column[r];
    }
}

/* Inverse inertia of a node in its own axes, [6][6] for (A^T l, A^T tau) per length; what is held has
 * none. */
static void spatial_inverse(const wy_cheb *x, int i, double inv[36]) {
    const wy_cheb_end *end = end_of(x, i);
    memset(inv, 0, sizeof(double[36]));
    for (int k = 0; k < 3; k++)
        inv[7 * k] = 1 / x->along.mass[k][i], inv[7 * (3 + k)] = 1 / x->along.turn[k][i];
    for (int k = 0; k < 6 && end && !end->body; k++)
        if (wy_cheb_is_known(end, k)) inv[7 * k] = 0;
    if (!end || !end->body) return;
    double m[36];
    int known[6];
    wy_cheb_body_matrix(x, end, m);
    for (int r = 0; r < 6; r++) known[r] = wy_cheb_is_known(end, r);
    invert(6, m, known, end->w0, inv);
}

/* The same in the plane, laboratory axes: [3][3]. */
static void planar_inverse(const wy_cheb *x, const double *u, int i, double inv[9]) {
    const wy_cheb_end *end = end_of(x, i);
    const double c = cos(u[2 * x->grid.ld + i]), s = sin(u[2 * x->grid.ld + i]);
    const double p = 1 / x->along.mass[0][i], q = 1 / x->along.mass[1][i];
    const double plain[9] = {
        c * c * p + s * s * q,  c * s * (p - q), 0, c * s * (p - q), s * s * p + c * c * q, 0, 0, 0,
        1 / x->along.turn[0][i]};
    memcpy(inv, plain, sizeof plain);
    if (!end || !end->body) return;
    const double *in = x->plane.across_in, b = in[0] * end->offset.y + in[1] * end->offset.z;
    const double m = end->mass, cx = m * (c * end->offset.x - s * b),
                 cy = m * (s * end->offset.x + c * b);
    const double mass = x->along.mass[0][i] * end->w0 + m;
    const double turn = x->along.turn[0][i] * end->w0 + wy_cheb_body_turn(x, end);
    double k[9] = {mass, 0, -cy, 0, mass, cx, -cy, cx, turn};
    const int known[3] = {end->place != WY_CHEB_LOOSE, end->place != WY_CHEB_LOOSE,
                          end->turn != WY_CHEB_LOOSE};
    invert(3, k, known, end->w0, inv);
}

/* Row of balance fields at node i times the inverse inertia: out[field] = sum inv[field][row] row. */
static void inverse_inertia(const wy_cheb *x, const double *u, int i, double inv[7][6]) {
    const int ld = x->grid.ld;
    double own[36];
    memset(inv, 0, sizeof(double[7][6]));
    if (x->planar) {
        planar_inverse(x, u, i, own);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) inv[r][c] = own[r * 3 + c];
        return;
    }
    spatial_inverse(x, i, own);
    const quat q = quat_at(u, ld, i);
    const mat3 a = wy_cheb_rotate(q, x->excess);
    for (int c = 0; c < 6;
         c++) { /* pdd = A (..), qdd = G^T (..) / 2 of the unit load in column c */
        const vec3 e = v3(c % 3 == 0, c % 3 == 1, c % 3 == 2), load = m3_tmul(a, e);
        double out[6] = {0};
        for (int r = 0; r < 6; r++)
            for (int k = 0; k < 3; k++) out[r] += own[r * 6 + c / 3 * 3 + k] * v3_get(load, k);
        const vec3 p = m3_mul(a, v3_from(out));
        const quat g = wy_cheb_gt(q, v3_scale(0.5, v3_from(out + 3)));
        const double value[7] = {p.x, p.y, p.z, g.w, g.x, g.y, g.z};
        for (int f = 0; f < 7; f++) inv[f][c] = value[f];
    }
}

withy_status wy_cheb_rates(void *self, double t, const double *u, const double *v, double *rate_u,
                           double *rate_v, withy_error *err) {
    wy_cheb *x = self;
    const int nodes = x->grid.n + 1, rows = wy_cheb_rows(x);
    const size_t m = (size_t)(x->fields * nodes);
    WY_TRY(wy_cheb_jacobian(x, t, u, v, err));
    memset(rate_u, 0, m * m * sizeof(double));
    memset(rate_v, 0, m * m * sizeof(double));
    for (int i = 0; i < nodes; i++) {
        double inv[7][6];
        inverse_inertia(x, u, i, inv);
        for (int f = 0; f < x->fields; f++) {
            if (wy_cheb_is_held(x, f, i)) continue;
            double *ru = rate_u + (size_t)(f * nodes + i) * m;
            double *rv = rate_v + (size_t)(f * nodes + i) * m;
            for (int r = 0; r < rows; r++) {
                if (inv[f][r] == 0.0) continue;
                const double k = inv[f][r];
                const double *su = x->jac.stiff + (size_t)(r * nodes + i) * m;
                const double *sv = x->jac.visc + (size_t)(r * nodes + i) * m;
                for (size_t j = 0; j < m; j++) ru[j] += k * su[j], rv[j] += k * sv[j];
            }
        }
    }
    return WITHY_OK;
}
