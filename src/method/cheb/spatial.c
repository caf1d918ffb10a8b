/* spatial.c - the rod in space: p = (x, y, z), q = (q0, qi, qj, qk).
 *
 *   A = rotate[q], N = C1 (A^T p' - g0), f = A N                                       (2.29), (2.58)
 *   M = C2 (2 G q' - kappa0), m = A M                                                  (2.32)
 *   viscous: N += H1 A^T (pdot' - omega x p'), M += H2 d(2 G q')/dt
 *   rhoA pdd = f' + fbar - k1 pdot                                                     (2.92)
 *   R = rhoJ^-1 [A^T tau - W x rhoJ W] / 2, qdd = G^T R - (qdot.qdot) q                (2.93)
 * with tau = m' + p' x f + mbar - k2 omega, W = 2 G qdot.  [CH] writes 4 G Gdot^T for W x, which is
 * the same while q.qdot = 0.
 * direct:   f' = D f, m' = D m
 * expanded: A^T f' = kappa x N + C1 (A^T p'' - kappa x A^T p' - g0'), likewise for m
 * G:        A^T m' = G G(q')^T M + G D (G^T M), on Legendre points, where with the end terms it is
 * the variation of the discrete energy
 * Different inertia along and across, V = A^T pdot:
 *   pdd = A [M^-1 (A^T l - W x M V) + W x V],  rhoJ Wdot + W x rhoJ W + V x M V = A^T tau
 */
#include "method/cheb/cheb.h"
#include "method/cheb/vary.h"
#include "numeric/linear/linear.h"

static inline vec3 times(double *const c[3], int i, vec3 a) {
    return v3(c[0][i] * a.x, c[1][i] * a.y, c[2][i] * a.z);
}
static inline vec3 nodal(double *const c[3], int i) {
    return v3(c[0][i], c[1][i], c[2][i]);
}

/* ---- strains and stresses -------------------------------------------------------------------- */

/* x->f = (f, m), spatial, from x->p1 = (p', q'). */
static void stresses(const wy_cheb *x, const double *u) {
    const int ld = x->grid.ld;
    const double *restrict p1 = x->p1, *restrict s = u;
    double *restrict f = x->f;
    for (int i = 0; i < ld; i++) {
        const quat q = quat_at(s, ld, i);
        const mat3 a = wy_cheb_rotate(q, x->excess);
        const vec3 gamma = v3_sub(m3_tmul(a, vec_at(p1, ld, i)), nodal(x->along.g0, i));
        const vec3 kappa =
            v3_sub(v3_scale(2.0, wy_cheb_g(q, quat_at(p1, ld, i))), nodal(x->along.k0, i));
        put_vec(f, ld, i, m3_mul(a, times(x->along.c1, i, gamma)));
        put_vec(f + 3 * ld, ld, i, m3_mul(a, times(x->along.c2, i, kappa)));
    }
}

static void viscous_stresses(const wy_cheb *x, const double *u, const double *v) {
    const int ld = x->grid.ld;
    for (int i = 0; i <= x->grid.n; i++) {
        const quat q = quat_at(u, ld, i), qd = quat_at(v, ld, i);
        const mat3 a = wy_cheb_rotate(q, x->excess);
        const vec3 omega = v3_scale(2.0, wy_cheb_e(q, qd));
        const vec3 rate = v3_sub(vec_at(x->v1, ld, i), v3_cross(omega, vec_at(x->p1, ld, i)));
        const vec3 bend = v3_scale(
            2.0, v3_add(wy_cheb_g(qd, quat_at(x->p1, ld, i)), wy_cheb_g(q, quat_at(x->v1, ld, i))));
        add_vec(x->f, ld, i, m3_mul(a, times(x->along.h1, i, m3_tmul(a, rate))));
        add_vec(x->f + 3 * ld, ld, i, m3_mul(a, times(x->along.h2, i, bend)));
    }
}

/* ---- derivative of the stresses -------------------------------------------------------------- */

static void expand(wy_cheb *x, const double *u) {
    const int ld = x->grid.ld;
    double *second = x->stage[6];
    wy_collocation_derive(&x->grid, 7, x->p1, second);
    for (int i = 0; i <= x->grid.n; i++) {
        const quat q = quat_at(u, ld, i);
        const mat3 a = wy_cheb_rotate(q, x->excess);
        const vec3 kappa = v3_scale(2.0, wy_cheb_g(q, quat_at(x->p1, ld, i)));
        const vec3 slope = m3_tmul(a, vec_at(x->p1, ld, i));
        const vec3 n = m3_tmul(a, vec_at(x->f, ld, i)),
                   m = m3_tmul(a, vec_at(x->f + 3 * ld, ld, i));
        const vec3 slope1 = v3_sub(m3_tmul(a, vec_at(second, ld, i)), v3_cross(kappa, slope));
        const vec3 kappa1 = v3_scale(2.0, wy_cheb_g(q, quat_at(second, ld, i)));
        const vec3 n1 = v3_add(v3_cross(kappa, n),
                               times(x->along.c1, i, v3_sub(slope1, nodal(x->along.dg0, i))));
        const vec3 m1 = v3_add(v3_cross(kappa, m),
                               times(x->along.c2, i, v3_sub(kappa1, nodal(x->along.dk0, i))));
        put_vec(x->df, ld, i, m3_mul(a, n1));
        put_vec(x->df + 3 * ld, ld, i, m3_mul(a, m1));
    }
}

/* m' of form G, into x->df[3..5]. */
static void vary_moment(wy_cheb *x, const double *u) {
    const int ld = x->grid.ld;
    const double *dy = x->stage[6];
    wy_cheb_turned_moment(x, u, x->stage[5], x->stage[6]);
    for (int i = 0; i <= x->grid.n; i++) {
        const quat q = quat_at(u, ld, i), q1 = quat_at(x->p1, ld, i);
        const mat3 a = wy_cheb_rotate(q, x->excess);
        const vec3 m = m3_tmul(a, vec_at(x->f + 3 * ld, ld, i));
        const vec3 turn =
            v3_add(wy_cheb_g(q, wy_cheb_gt(q1, m)),
                   wy_cheb_g(q, (quat){dy[i], dy[ld + i], dy[2 * ld + i], dy[3 * ld + i]}));
        put_vec(x->df + 3 * ld, ld, i, m3_mul(a, turn));
    }
}

withy_status wy_cheb_spatial_balance(wy_cheb *x, double t, const double *u, const double *v,
                                     withy_error *err) {
    const int ld = x->grid.ld;
    wy_collocation_derive(&x->grid, 7, u, x->p1);
    stresses(x, u);
    if (x->along.viscous && v) {
        wy_collocation_derive(&x->grid, 7, v, x->v1);
        viscous_stresses(x, u, v);
    }
    if (x->opt.ends == WY_CHEB_ENDS_A) WY_TRY(wy_cheb_replace_ends(x, t, u, v, err));
    if (x->opt.expanded) {
        expand(x, u);
    } else {
        wy_collocation_derive(&x->grid, x->opt.ends == WY_CHEB_ENDS_G ? 3 : 6, x->f, x->df);
        if (x->opt.ends == WY_CHEB_ENDS_G) vary_moment(x, u);
    }
    if (x->opt.ends != WY_CHEB_ENDS_A) WY_TRY(wy_cheb_weigh_ends(x, t, u, v, err));
    const double *acts;
    WY_TRY(wy_cheb_loads_at(x, t, u, v, &acts, err));
    const double *restrict load = acts;
    double *restrict df = x->df;
    const double *restrict f = x->f, *restrict p1 = x->p1;
    for (int i = 0; i < ld; i++) {
        const vec3 cross = v3_cross(vec_at(p1, ld, i), vec_at(f, ld, i));
        add_vec(df, ld, i, vec_at(load, ld, i));
        add_vec(df + 3 * ld, ld, i, v3_add(cross, vec_at(load + 3 * ld, ld, i)));
    }
    if (x->along.resisted) wy_cheb_resist(x, u, v);
    return WITHY_OK;
}

/* ---- acceleration ---------------------------------------------------------------------------- */

/* qdd whose part along the rotation is g: the other part keeps |q|. */
static inline quat kept_length(quat q, quat qd, quat g) {
    const double square = q_dot(qd, qd);
    return (quat){g.w - square * q.w, g.x - square * q.x, g.y - square * q.y, g.z - square * q.z};
}

/* qdd from the torque in material axes, (2.93). */
static inline quat turn_rate(quat q, quat qd, vec3 torque, vec3 inertia) {
    const vec3 w = v3_scale(2.0, wy_cheb_g(q, qd));
    const vec3 h = v3(inertia.x * w.x, inertia.y * w.y, inertia.z * w.z);
    const vec3 r = v3_scale(0.5, v3_sub(torque, v3_cross(w, h)));
    const vec3 rate = v3(r.x / inertia.x, r.y / inertia.y, r.z / inertia.z);
    return kept_length(q, qd, wy_cheb_gt(q, rate));
}

static void scaled_node(const wy_cheb *x, const double *u, const double *v, double *a, int i) {
    const int ld = x->grid.ld;
    const double keep = x->opt.thesis_mass ? 0.0 : 1.0; /* the thesis drops the rates of the axes */
    const quat q = quat_at(u, ld, i), qd = quat_at(v, ld, i);
    const mat3 frame = wy_cheb_rotate(q, x->excess);
    const vec3 w = v3_scale(2.0 * keep, wy_cheb_g(q, qd)), vm = m3_tmul(frame, vec_at(v, ld, i));
    const vec3 mv = times(x->along.mass, i, vm), l = m3_tmul(frame, vec_at(x->df, ld, i));
    const vec3 push = v3_sub(l, v3_cross(w, mv));
    const vec3 rate = v3_add(v3(push.x / x->along.mass[0][i], push.y / x->along.mass[1][i],
                                push.z / x->along.mass[2][i]),
                             v3_cross(w, vm));
    put_vec(a, ld, i, m3_mul(frame, rate));
    const vec3 torque =
        v3_axpy(m3_tmul(frame, vec_at(x->df + 3 * ld, ld, i)), -keep, v3_cross(vm, mv));
    put_quat(a, ld, i, turn_rate(q, qd, torque, nodal(x->along.turn, i)));
}

/* A body on the end, six equations for (pdd, Wdot): inertia about the end, centre at c = A offset.
 *   (rhoA w0 + m) pdd + m alpha x c = w0 l - m omega x (omega x c)
 *   (rhoJ w0 + J) Wdot + A^T (m c x pdd) = A^T w0 tau - W x (rhoJ w0 + J) W            */
void wy_cheb_body_matrix(const wy_cheb *x, const wy_cheb_end *end, double k[36]) {
    const int i = end->node;
    const double m = end->mass, w0 = end->w0;
    const vec3 c = end->offset;
    const double s[3][3] = {{0, -m * c.z, m * c.y}, {m * c.z, 0, -m * c.x}, {-m * c.y, m * c.x, 0}};
    for (int r = 0; r < 3; r++)
        for (int j = 0; j < 3; j++) {
            k[r * 6 + j] = r == j ? x->along.mass[0][i] * w0 + m : 0.0;
            k[r * 6 + 3 + j] = -s[r][j], k[(3 + r) * 6 + j] = s[r][j];
            k[(3 + r) * 6 + 3 + j] =
                v3_get(m3_column(end->inertia, j), r) + (r == j ? x->along.turn[r][i] * w0 : 0.0);
        }
}

static void carry_body(const wy_cheb *x, const wy_cheb_end *end, const double *u, const double *v,
                       double *a) {
    if (!end->body) return;
    const int i = end->node, ld = x->grid.ld;
    const quat q = quat_at(u, ld, i), qd = quat_at(v, ld, i);
    const mat3 frame = wy_cheb_rotate(q, x->excess);
    const vec3 w = v3_scale(2.0, wy_cheb_g(q, qd)), c = end->offset;
    const double w0 = end->w0;
    const vec3 own = times(x->along.turn, i, w);
    const vec3 h = v3_axpy(m3_mul(end->inertia, w), w0, own);
    /* everything in material axes: unknowns A^T pdd and Wdot */
    const vec3 l = v3_scale(w0, m3_tmul(frame, vec_at(x->df, ld, i)));
    const vec3 tau = v3_scale(w0, m3_tmul(frame, vec_at(x->df + 3 * ld, ld, i)));
    const vec3 b1 = v3_axpy(l, -end->mass, v3_cross(w, v3_cross(w, c)));
    const vec3 b2 = v3_sub(tau, v3_cross(w, h));
    double k[36], b[6] = {b1.x, b1.y, b1.z, b2.x, b2.y, b2.z};
    int pivot[6];
    const vec3 given = m3_tmul(frame, vec_at(a, ld, i));
    const vec3 spun = v3_scale(2.0, wy_cheb_g(q, quat_at(a, ld, i)));
    wy_cheb_body_matrix(x, end, k);
    for (int r = 0; r < 6; r++) { /* what is held is known */
        if (!wy_cheb_is_known(end, r)) continue;
        for (int j = 0; j < 6; j++) k[r * 6 + j] = r == j ? 1.0 : 0.0;
        b[r] = r < 3 ? v3_get(given, r) : v3_get(spun, r - 3);
    }
    if (!wy_lu_factor(6, 6, k, pivot)) return;
    wy_lu_solve(6, 6, k, pivot, b);
    if (end->place == WY_CHEB_LOOSE) put_vec(a, ld, i, m3_mul(frame, v3_from(b)));
    if (end->turn != WY_CHEB_LOOSE && !end->rolls) return;
    const quat g = wy_cheb_gt(q, v3_scale(0.5, v3_from(b + 3)));
    put_quat(a, ld, i, kept_length(q, qd, g));
}

/* The tangent is held: only the turn about it follows the balance. */
static void roll_only(const wy_cheb *x, const wy_cheb_end *end, const double *u, const double *v,
                      double *a) {
    if (!end->rolls) return;
    const int i = end->node, ld = x->grid.ld;
    const quat q = quat_at(u, ld, i), qd = quat_at(v, ld, i);
    const vec3 rate = wy_cheb_g(q, quat_at(a, ld, i));
    const quat g = wy_cheb_gt(q, v3(rate.x, 0, 0));
    put_quat(a, ld, i, kept_length(q, qd, g));
}

withy_status wy_cheb_spatial_accel(wy_cheb *x, double t, const double *u, const double *v,
                                   double *a, withy_error *err) {
    WY_TRY(wy_cheb_spatial_balance(x, t, u, v, err));
    const int ld = x->grid.ld;
    if (x->along.scaled) {
        for (int i = 0; i < ld; i++) scaled_node(x, u, v, a, i);
    } else {
        const double *restrict df = x->df, *restrict us = u, *restrict vs = v;
        double *restrict out = a;
        for (int i = 0; i < ld; i++) {
            const quat q = quat_at(us, ld, i);
            const vec3 torque = m3_tmul(wy_cheb_rotate(q, x->excess), vec_at(df + 3 * ld, ld, i));
            put_vec(out, ld, i, v3_scale(1.0 / x->along.mass[0][i], vec_at(df, ld, i)));
            put_quat(out, ld, i, turn_rate(q, quat_at(vs, ld, i), torque, nodal(x->along.turn, i)));
        }
    }
    for (int e = 0; e < 2; e++) roll_only(x, &x->end[e], u, v, a);
    WY_TRY(wy_cheb_bound_accel(x, t, u, v, a, err));
    for (int e = 0; e < 2; e++) carry_body(x, &x->end[e], u, v, a);
    return WITHY_OK;
}
