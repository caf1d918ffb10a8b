/* se3.h - rigid motions and twists: exp, log, ad, by value and on arrays of six.
 *
 * A twist is (w, v): angular part first, then linear.  A wrench is (m, n), so that their product is
 * a power.  A motion is a wy_motion g = (R, p) and acts as x -> R x + p.
 *
 *   ad_x = [[w^, 0], [v^, w^]],    ad_x^T (m, n) = (-w x m - v x n, -w x n)
 *   exp(w, v) = (exp w^, V v),     V(w) = I + b w^ + c w^ w^
 *   b = (1 - cos q)/q^2,  c = (q - sin q)/q^3,  q = |w|
 */
#pragma once

#include "base/vec.h"

typedef struct wy_motion {
    mat3 turn;
    vec3 shift;
} wy_motion;

static inline wy_motion se3_mul(wy_motion a, wy_motion b) {
    return (wy_motion){m3_mulm(a.turn, b.turn), v3_add(m3_mul(a.turn, b.shift), a.shift)};
}

/* a^-1 b */
static inline wy_motion se3_between(wy_motion a, wy_motion b) {
    return (wy_motion){m3_mulm(m3_transpose(a.turn), b.turn),
                       m3_tmul(a.turn, v3_sub(b.shift, a.shift))};
}

/* sin q/q, (1 - cos q)/q^2, (q - sin q)/q^3; by series below q = 0.5, where the closed forms cancel
 * (the first neglected term is below 1e-17) and where all steps along a rod lie. */
static inline void se3_coefficients(double square, double *a, double *b, double *c) {
    if (square < 0.25) {
        const double x = square;
        *a = 1 - x / 6 * (1 - x / 20 * (1 - x / 42 * (1 - x / 72 * (1 - x / 110 * (1 - x / 156)))));
        *b = 0.5 *
             (1 -
              x / 12 * (1 - x / 30 * (1 - x / 56 * (1 - x / 90 * (1 - x / 132 * (1 - x / 182))))));
        *c = (1 - x / 20 * (1 - x / 42 * (1 - x / 72 * (1 - x / 110 * (1 - x / 156))))) / 6;
        return;
    }
    const double q = sqrt(square);
    *a = sin(q) / q;
    *b = (1 - cos(q)) / square;
    *c = (1 - *a) / square;
}

/* a x + b w x x + c w x (w x x): exp, V and Jr are all of this form. */
static inline vec3 se3_series(vec3 w, vec3 x, double a, double b, double c) {
    const vec3 wx = v3_cross(w, x);
    return v3_axpy(v3_axpy(v3_scale(a, x), b, wx), c, v3_cross(w, wx));
}

static inline mat3 se3_series_matrix(vec3 w, double a, double b, double c) {
    return (mat3){se3_series(w, v3(1, 0, 0), a, b, c), se3_series(w, v3(0, 1, 0), a, b, c),
                  se3_series(w, v3(0, 0, 1), a, b, c)};
}

static inline mat3 so3_exp(vec3 w) {
    double a, b, c;
    se3_coefficients(v3_dot(w, w), &a, &b, &c);
    return se3_series_matrix(w, 1, a, b);
}

/* Right Jacobian: exp(w + d) = exp(w) exp(Jr d) + O(d^2). */
static inline mat3 so3_right_jacobian(vec3 w) {
    double a, b, c;
    se3_coefficients(v3_dot(w, w), &a, &b, &c);
    return se3_series_matrix(w, 1, -b, c);
}

static inline wy_motion se3_exp(vec3 w, vec3 v) {
    double a, b, c;
    se3_coefficients(v3_dot(w, w), &a, &b, &c);
    return (wy_motion){se3_series_matrix(w, 1, a, b), se3_series(w, v, 1, b, c)};
}

/* The twist (w, v), |w| <= pi, with exp(w, v) = g. */
static inline void se3_log(wy_motion g, vec3 *w, vec3 *v) {
    double a, b, c;
    *w = q_log(q_from_matrix(g.turn));
    const double square = v3_dot(*w, *w);
    se3_coefficients(square, &a, &b, &c);
    /* V^-1 = I - w^/2 + k w^ w^,  k = (1 - a/(2 b))/q^2; its limit is 1/12 */
    const double k =
        square > 1e-4 ? (1 - 0.5 * a / b) / square : (1 + square / 60 * (1 + square / 42)) / 12;
    *v = se3_series(*w, g.shift, 1, -0.5, k);
}

/* ---- on arrays of six ------------------------------------------------------------------------ */

static inline void se3_ad(const double x[6], const double y[6], double out[6]) {
    const vec3 w = v3_from(x), v = v3_from(x + 3), a = v3_from(y), b = v3_from(y + 3);
    v3_to(v3_cross(w, a), out);
    v3_to(v3_add(v3_cross(v, a), v3_cross(w, b)), out + 3);
}

static inline void se3_ad_transposed(const double x[6], const double f[6], double out[6]) {
    const vec3 w = v3_from(x), v = v3_from(x + 3), m = v3_from(f), n = v3_from(f + 3);
    v3_to(v3_add(v3_cross(m, w), v3_cross(n, v)), out);
    v3_to(v3_cross(n, w), out + 3);
}

static inline wy_motion se3_exp_scaled(double k, const double x[6]) {
    return se3_exp(v3_scale(k, v3_from(x)), v3_scale(k, v3_from(x + 3)));
}

/* c2, c4 of x/(1 - exp(-x)) = 1 + x/2 + c2 x^2 + c4 x^4 for x = ad of a twist that turns by `turn`,
 * where x^5 = -2 turn^2 x^3 - turn^4 x; near 0 by Bernoulli's numbers. */
static inline void se3_bernoulli(double turn, double *c2, double *c4) {
    const double t2 = turn * turn, t4 = t2 * t2;
    if (turn < 0.1) {
        *c2 = 1 / 12. - t4 / 30240 - t4 * t2 / 604800;
        *c4 = -1 / 720. - t2 / 15120 - t4 / 403200;
        return;
    }
    const double s = sin(turn), k = 4 * (cos(turn) - 1);
    *c2 = 2 / t2 + (turn + 3 * s) / (turn * k);
    *c4 = 1 / t4 + (turn + s) / (turn * t2 * k);
}

static inline void se3_multiply(double a[6][6], double b[6][6], double out[6][6]) {
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < 6; c++) {
            out[i][c] = 0;
            for (int k = 0; k < 6; k++) out[i][c] += a[i][k] * b[k][c];
        }
}

/* c2 x^2 + c4 x^4, the even part of x/(1 - exp(-x)) but for the 1, for x = ad_xi. */
static inline void se3_even(const double xi[6], double out[6][6]) {
    double ad[6][6], square[6][6], fourth[6][6], c2, c4;
    for (int c = 0; c < 6; c++) {
        const double e[6] = {c == 0, c == 1, c == 2, c == 3, c == 4, c == 5};
        double column[6];
        se3_ad(xi, e, column);
        for (int i = 0; i < 6; i++) ad[i][c] = column[i];
    }
    se3_multiply(ad, ad, square);
    se3_multiply(square, square, fourth);
    se3_bernoulli(v3_norm(v3_from(xi)), &c2, &c4);
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < 6; c++) out[i][c] = c2 * square[i][c] + c4 * fourth[i][c];
}
