/* spline.c - see spline.h. */
#include "numeric/interpolate/spline.h"

double wy_spline_a(const wy_spline *s, int j, int l) {
    const int inner = j > 0 && j < s->n, clamped = wy_spline_clamped(s, j);
    if (l == j) return inner ? 4.0 : clamped ? 2.0 : 1.0;
    return inner || clamped ? 1.0 : 0.0;
}

double wy_spline_u(const wy_spline *s, int j, int l) {
    const int inner = j > 0 && j < s->n;
    if (!inner && !wy_spline_clamped(s, j)) return 0.0;
    return l != j ? 1.0 : inner ? -2.0 : -1.0;
}

/* A / eta = lower * upper without pivoting: A is diagonally dominant. */
void wy_spline_factor(wy_spline *s) {
    double *l = s->lower, *up = s->upper, *d = s->diagonal;
    for (int j = 0; j <= s->n; j++) {
        const double side = wy_spline_a(s, j, j + 1);
        l[j] = j > 0 ? side / d[j - 1] : 0.0;
        up[j] = j < s->n ? side : 0.0;
        d[j] = wy_spline_a(s, j, j) - (j > 0 ? l[j] * up[j - 1] : 0.0);
    }
}

/* Right side of A x'' = 2 U x - 6 z, divided by eta. */
static vec3 bend_of_chords(const wy_spline *s, const vec3 *x, const vec3 *z, int j) {
    const double c = 6.0 / (s->eta * s->eta);
    if (j > 0 && j < s->n)
        return v3_scale(c, v3_sub(v3_sub(x[j + 1], x[j]), v3_sub(x[j], x[j - 1])));
    if (!wy_spline_clamped(s, j)) return v3(0, 0, 0);
    const vec3 chord = j == 0 ? v3_sub(x[1], x[0]) : v3_sub(x[j - 1], x[j]);
    return v3_axpy(v3_scale(c, chord), -6.0 / s->eta, z[j > 0]);
}

void wy_spline_derive(const wy_spline *s, const vec3 *x, const vec3 z[2], vec3 *u, vec3 *k) {
    const int n = s->n;
    const double *l = s->lower, *up = s->upper, *d = s->diagonal, eta = s->eta;
    k[0] = bend_of_chords(s, x, z, 0);
    for (int j = 1; j <= n; j++) k[j] = v3_axpy(bend_of_chords(s, x, z, j), -l[j], k[j - 1]);
    k[n] = v3_scale(1.0 / d[n], k[n]);
    for (int j = n - 1; j >= 0; j--) k[j] = v3_scale(1.0 / d[j], v3_axpy(k[j], -up[j], k[j + 1]));

    for (int j = 0; j < n; j++) {
        const vec3 chord = v3_scale(1.0 / eta, v3_sub(x[j + 1], x[j]));
        u[j] = v3_axpy(v3_axpy(chord, -eta / 3.0, k[j]), -eta / 6.0, k[j + 1]);
    }
    const vec3 chord = v3_scale(1.0 / eta, v3_sub(x[n], x[n - 1]));
    u[n] = v3_axpy(v3_axpy(chord, eta / 6.0, k[n - 1]), eta / 3.0, k[n]);
}

void wy_spline_adjoint(const wy_spline *s, vec3 *p) {
    const int n = s->n;
    const double *l = s->lower, *up = s->upper, *d = s->diagonal;
    p[0] = v3_scale(1.0 / (s->eta * d[0]), p[0]);
    for (int j = 1; j <= n; j++)
        p[j] = v3_scale(1.0 / d[j], v3_axpy(v3_scale(1.0 / s->eta, p[j]), -up[j - 1], p[j - 1]));
    for (int j = n - 1; j >= 0; j--) p[j] = v3_axpy(p[j], -l[j + 1], p[j + 1]);
}

void wy_spline_slope_adjoint(const wy_spline *s, const vec3 *r, vec3 *p) {
    const int n = s->n;
    const double c = s->eta / 6.0;
    for (int j = 0; j < n; j++) {
        p[j] = v3_axpy(p[j], -2 * c, r[j]);
        p[j + 1] = v3_axpy(p[j + 1], -c, r[j]);
    }
    p[n - 1] = v3_axpy(p[n - 1], c, r[n]);
    p[n] = v3_axpy(p[n], 2 * c, r[n]);
}

vec3 wy_spline_at(const wy_spline *s, wy_place at, const vec3 *x, const vec3 *k) {
    const double b = at.f, a = 1.0 - b, c = s->eta * s->eta / 6.0;
    const vec3 bow =
        v3_add(v3_scale(c * (a * a * a - a), k[at.j]), v3_scale(c * (b * b * b - b), k[at.j + 1]));
    return v3_add(wy_place_linear(at, x), bow);
}

vec3 wy_spline_slope(const wy_spline *s, wy_place at, const vec3 *x, const vec3 *k) {
    const double b = at.f, a = 1.0 - b, c = s->eta / 6.0;
    const vec3 chord = v3_scale(1.0 / s->eta, v3_sub(x[at.j + 1], x[at.j]));
    return v3_axpy(v3_axpy(chord, -c * (3 * a * a - 1), k[at.j]), c * (3 * b * b - 1), k[at.j + 1]);
}
