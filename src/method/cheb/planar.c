/* planar.c - the rod in a plane: p = (x, y), theta.
 *
 *   A = [[c, -s], [s, c]],  R = [[0, -1], [1, 0]],  c = cos theta, s = sin theta
 *   f = A N,  N = C1 (A^T p' - g0) + H1 A^T (pdot' - thetadot R p')            [CH] (D.3)
 *   m = EI (theta' - k0) + H2 thetadot'
 *   rhoA pdd = f' + fbar - k1 pdot                                             [CH] (4.1)
 *   rhoI thdd = m' + p' x f + mbar - k2 thetadot                               [CH] (4.2)
 * direct:   f' = D f, m' = D m
 * expanded: f' = theta' R f + A (C1 [A^T (p'' - theta' R p') - g0']), m' = EI (theta'' - k0')
 * loose ends with external F and M (docs/theory/cheb.md, section 1):
 *   A: f_end = out F, m_end = out M before D
 *   B, G: (F - out f)/w0 added to f', (M - out m)/w0 to m'
 * Variation for Newton, K = A C1 A^T:
 *   df = K dp' + (R f - K R p') dtheta,  dm = EI dtheta'
 */
#include "method/cheb/cheb.h"

/* ---- sine and cosine of all nodes at once -------------------------------------------------------
 * Cody-Waite reduction and the fdlibm polynomials, without branches, so that it vectorises; within
 * 1 ulp for |theta| < 1e5 (a rod wound 16000 times).  libm would take most of the time of a step. */
static inline void sincos8(const double *restrict angle, double *restrict sine,
                           double *restrict cosine) {
    double shifted[8], s[8], c[8];
    uint64_t k[8], sb[8], cb[8];
    for (int l = 0; l < 8; l++) shifted[l] = angle[l] * 0.63661977236758134308 + 0x1.8p52;
    memcpy(k, shifted, sizeof k); /* its last bits are the number of quarter turns */
    for (int l = 0; l < 8; l++) {
        const double n = shifted[l] - 0x1.8p52;
        const double r = ((angle[l] - n * 0x1.921fb54400000p0) - n * 0x1.0b4611a600000p-34) -
                         n * 0x1.3198a2e037073p-69;
        const double z = r * r;
        const double p =
            -1.66666666666666324348e-01 +
            z * (8.33333333332248946124e-03 +
                 z * (-1.98412698298579493134e-04 +
                      z * (2.75573137070700676789e-06 +
                           z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10))));
        const double q =
            4.16666666666666019037e-02 +
            z * (-1.38888888888741095749e-03 +
                 z * (2.48015872894767294178e-05 +
                      z * (-2.75573143513906633035e-07 +
                           z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))));
        s[l] = r + r * z * p;
        c[l] = 1.0 - 0.5 * z + z * z * q;
    }
    memcpy(sb, s, sizeof sb), memcpy(cb, c, sizeof cb);
    for (int l = 0; l < 8; l++) { /* an odd quarter turn swaps sine and cosine; then the signs */
        const uint64_t odd = 0u - (k[l] & 1u), both = (sb[l] ^ cb[l]) & odd;
        sb[l] ^= both ^ ((k[l] & 2u) << 62);
        cb[l] ^= both ^ (((k[l] + 1u) & 2u) << 62);
    }
    memcpy(sine, sb, sizeof sb), memcpy(cosine, cb, sizeof cb);
}

/* ---- strains and stresses -------------------------------------------------------------------- */

typedef struct fields {
    double *restrict x, *restrict y, *restrict th;
} fields;

static inline fields split(const wy_cheb *x, double *u) {
    return (fields){u, u + x->grid.ld, u + 2 * x->grid.ld};
}

/* x->f = (fx, fy, m) from x->p1 = (p', theta'). */
static void stresses(const wy_cheb *x, const double *u, const double *v) {
    const int ld = x->grid.ld;
    const fields p1 = split(x, x->p1), f = split(x, x->f);
    const double *restrict th = u + 2 * ld, *restrict ea = x->along.c1[0],
                           *restrict ga = x->along.c1[1];
    const double *restrict ei = x->along.c2[0], *restrict g1 = x->along.g0[0],
                           *restrict g2 = x->along.g0[1];
    const double *restrict k0 = x->along.k0[0];
    for (int i = 0; i < ld; i += 8) {
        double s[8], c[8];
        sincos8(th + i, s, c);
        for (int l = 0; l < 8; l++) {
            const int j = i + l;
            const double n1 = ea[j] * (c[l] * p1.x[j] + s[l] * p1.y[j] - g1[j]);
            const double n2 = ga[j] * (c[l] * p1.y[j] - s[l] * p1.x[j] - g2[j]);
            f.x[j] = c[l] * n1 - s[l] * n2;
            f.y[j] = s[l] * n1 + c[l] * n2;
            f.th[j] = ei[j] * (p1.th[j] - k0[j]);
        }
    }
    if (!x->along.viscous || !v) return;
    const fields v1 = split(x, x->v1);
    const double *restrict w = v + 2 * ld;
    for (int i = 0; i <= x->grid.n; i++) {
        const double c = cos(th[i]), s = sin(th[i]);
        const double ex = v1.x[i] + w[i] * p1.y[i], ey = v1.y[i] - w[i] * p1.x[i];
        const double n1 = x->along.h1[0][i] * (c * ex + s * ey),
                     n2 = x->along.h1[1][i] * (c * ey - s * ex);
        f.x[i] += c * n1 - s * n2;
        f.y[i] += s * n1 + c * n2;
        f.th[i] += x->along.h2[0][i] * v1.th[i];
    }
}

/* The chain-rule form of (f', m') into x->df; x->stage[6] holds the second derivatives. */
static void expand(wy_cheb *x, const double *u) {
    const int ld = x->grid.ld;
    const fields p1 = split(x, x->p1), f = split(x, x->f), df = split(x, x->df);
    double *second = x->stage[6];
    wy_collocation_derive(&x->grid, 3, x->p1, second);
    const fields p2 = split(x, second);
    for (int i = 0; i <= x->grid.n; i++) {
        const double c = cos(u[2 * ld + i]), s = sin(u[2 * ld + i]), k = p1.th[i];
        const double ex = p2.x[i] + k * p1.y[i], ey = p2.y[i] - k * p1.x[i];
        const double n1 = x->along.c1[0][i] * (c * ex + s * ey - x->along.dg0[0][i]);
        const double n2 = x->along.c1[1][i] * (c * ey - s * ex - x->along.dg0[1][i]);
        df.x[i] = -k * f.y[i] + c * n1 - s * n2;
        df.y[i] = k * f.x[i] + s * n1 + c * n2;
        df.th[i] = x->along.c2[0][i] * (p2.th[i] - x->along.dk0[0][i]);
    }
}

/* ---- balance and acceleration ---------------------------------------------------------------- */

withy_status wy_cheb_planar_balance(wy_cheb *x, double t, const double *u, const double *v,
                                    withy_error *err) {
    const int ld = x->grid.ld;
    wy_collocation_derive(&x->grid, 3, u, x->p1);
    if (x->along.viscous && v) wy_collocation_derive(&x->grid, 3, v, x->v1);
    stresses(x, u, v);
    if (x->opt.ends == WY_CHEB_ENDS_A) WY_TRY(wy_cheb_replace_ends(x, t, u, v, err));
    if (x->opt.expanded)
        expand(x, u);
    else
        wy_collocation_derive(&x->grid, 3, x->f, x->df);
    if (x->opt.ends != WY_CHEB_ENDS_A) WY_TRY(wy_cheb_weigh_ends(x, t, u, v, err));
    const double *acts;
    WY_TRY(wy_cheb_loads_at(x, t, u, v, &acts, err));
    const double *restrict load = acts;
    const fields p1 = split(x, x->p1), f = split(x, x->f), df = split(x, x->df);
    for (int i = 0; i < ld; i++) {
        df.th[i] += p1.x[i] * f.y[i] - p1.y[i] * f.x[i] + load[2 * ld + i];
        df.x[i] += load[i];
        df.y[i] += load[ld + i];
    }
    if (x->along.resisted) wy_cheb_resist(x, u, v);
    return WITHY_OK;
}

/* A body on the end: (rhoA w0 + m) pdd + m R c thdd = w0 l + m thd^2 c, likewise for theta. */
static void carry_body(const wy_cheb *x, const wy_cheb_end *end, const double *u, const double *v,
                       double *a) {
    if (!end->body) return;
    const int i = end->node, ld = x->grid.ld;
    const double w0 = end->w0, m = end->mass, c = cos(u[2 * ld + i]), s = sin(u[2 * ld + i]);
    const double b = x->plane.across_in[0] * end->offset.y + x->plane.across_in[1] * end->offset.z;
    const double cx = c * end->offset.x - s * b, cy = s * end->offset.x + c * b;
    const double mass = x->along.mass[0][i] * w0 + m;
    const double turn = x->along.turn[0][i] * w0 + wy_cheb_body_turn(x, end);
    const double w = v[2 * ld + i];
    const fields df = {x->df, x->df + ld, x->df + 2 * ld};
    const double fx = w0 * df.x[i] + m * w * w * cx, fy = w0 * df.y[i] + m * w * w * cy;
    const double tau = w0 * df.th[i];
    if (end->place != WY_CHEB_LOOSE) { /* the end is held: only the turn is left */
        if (end->turn == WY_CHEB_LOOSE)
            a[2 * ld + i] = (tau - m * (cx * a[ld + i] - cy * a[i])) / turn;
        return;
    }
    double thdd = a[2 * ld + i];
    if (end->turn == WY_CHEB_LOOSE) /* eliminate pdd from the moment balance */
        thdd = (tau - m / mass * (cx * fy - cy * fx)) / (turn - m * m / mass * (cx * cx + cy * cy));
    a[i] = (fx + m * cy * thdd) / mass;
    a[ld + i] = (fy - m * cx * thdd) / mass;
    a[2 * ld + i] = thdd;
}

/* Different inertia along and across: V = A^T pdot, pdd = A [M^-1 (A^T l - W x M V) + W x V]. */
static void scaled_accel(const wy_cheb *x, const double *u, const double *v, double *a) {
    const int ld = x->grid.ld;
    const double *lx = x->df, *ly = x->df + ld, *tau = x->df + 2 * ld;
    const double keep = x->opt.thesis_mass ? 0.0 : 1.0; /* the thesis drops the rates of the axes */
    for (int i = 0; i < ld; i++) {
        const double c = cos(u[2 * ld + i]), s = sin(u[2 * ld + i]), w = keep * v[2 * ld + i];
        const double m1 = x->along.mass[0][i], m2 = x->along.mass[1][i];
        const double v1 = c * v[i] + s * v[ld + i], v2 = c * v[ld + i] - s * v[i];
        const double b1 = (c * lx[i] + s * ly[i] + w * m2 * v2) / m1 - w * v2;
        const double b2 = (c * ly[i] - s * lx[i] - w * m1 * v1) / m2 + w * v1;
        a[i] = c * b1 - s * b2;
        a[ld + i] = s * b1 + c * b2;
        a[2 * ld + i] = (tau[i] - keep * (m2 - m1) * v1 * v2) / x->along.turn[0][i];
    }
}

withy_status wy_cheb_planar_accel(wy_cheb *x, double t, const double *u, const double *v, double *a,
                                  withy_error *err) {
    WY_TRY(wy_cheb_planar_balance(x, t, u, v, err));
    const int ld = x->grid.ld;
    const double *restrict l = x->df, *restrict mass = x->along.mass[0],
                           *restrict turn = x->along.turn[0];
    double *restrict out = a;
    if (x->along.scaled) {
        scaled_accel(x, u, v, a);
    } else {
        for (int i = 0; i < ld; i++) {
            const double k = 1.0 / mass[i];
            out[i] = k * l[i];
            out[ld + i] = k * l[ld + i];
            out[2 * ld + i] = l[2 * ld + i] / turn[i];
        }
    }
    WY_TRY(wy_cheb_bound_accel(x, t, u, v, a, err));
    for (int e = 0; e < 2; e++) carry_body(x, &x->end[e], u, v, a);
    return WITHY_OK;
}
