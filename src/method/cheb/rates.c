/* rates.c - da/du and da/dv, for implicit integrators (numeric/second_order.h).
 *
 * The matrix of the balance (cheb/jacobian.c) times the inverse inertia of each node.  Terms of da/du
 * that stay small (change of the inertia with the turn, gyroscopic) are left out; the equations that are
 * solved are complete.
 */
#include <string.h>

#include "method/cheb/cheb.h"
#include "method/cheb/frame.h"

/* A body on the end adds to the inertia of its node. */
static double node_mass(const wy_cheb *x, int i) {
    double mass = x->along.mass[0][i];
    for (int e = 0; e < 2; e++)
        if (i == x->end[e].node) mass += x->end[e].mass / x->end[e].w0;
    return mass;
}

static void node_turn(const wy_cheb *x, int i, double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = x->along.turn[k][i];
    for (int e = 0; e < 2; e++) {
        const wy_cheb_end *end = &x->end[e];
        if (i != end->node) continue;
        if (end->rolls) out[1] = out[2] = INFINITY; /* only the turn about the tangent is left */
        const vec3 j = end->inertia;
        if (x->planar) {
            const double a = x->plane.normal_in[0], b = x->plane.normal_in[1];
            out[0] += (a * a * j.y + b * b * j.z) / end->w0;
        } else {
            out[0] += j.x / end->w0, out[1] += j.y / end->w0, out[2] += j.z / end->w0;
        }
    }
}

/* Row of balance fields at node i times the inverse inertia: out[field] = sum inv[field][row] row. */
static void inverse_inertia(const wy_cheb *x, const double *u, int i, double inv[7][6]) {
    const int ld = x->grid.ld;
    double turn[3];
    node_turn(x, i, turn);
    memset(inv, 0, sizeof(double[7][6]));
    const double mass = node_mass(x, i), across = mass - x->along.mass[0][i] + x->along.mass[1][i];
    if (x->planar) {
        const double c = cos(u[2 * ld + i]), s = sin(u[2 * ld + i]), p = 1 / mass, q = 1 / across;
        inv[0][0] = c * c * p + s * s * q, inv[1][1] = s * s * p + c * c * q;
        inv[0][1] = inv[1][0] = c * s * (p - q);
        inv[2][2] = 1 / turn[0];
        return;
    }
    const quat q = {u[3 * ld + i], u[4 * ld + i], u[5 * ld + i], u[6 * ld + i]};
    const mat3 a = wy_cheb_rotate(q, x->excess);
    const vec3 column[3] = {a.c1, a.c2, a.c3};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                inv[r][c] += (&column[k].x)[r] * (&column[k].x)[c] / (k ? across : mass);
    for (int c = 0; c < 3; c++) { /* qdd = G^T J^-1 A^T tau / 2 */
        const vec3 e = v3(c == 0, c == 1, c == 2), t = m3_tmul(a, e);
        const quat g =
            wy_cheb_gt(q, v3(0.5 * t.x / turn[0], 0.5 * t.y / turn[1], 0.5 * t.z / turn[2]));
        inv[3][3 + c] = g.w, inv[4][3 + c] = g.x, inv[5][3 + c] = g.y, inv[6][3 + c] = g.z;
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
