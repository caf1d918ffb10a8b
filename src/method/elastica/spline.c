/* spline.c - cubic splines with clamped or natural ends, [EL] (53)-(76).
 *
 * A x'' = 2 U x - 6 z       (73), (75)   rows of A / eta: inner (1 4 1), clamped (2 1), free (1 0)
 *   x'  = B x - C x'' / 2   (74)         row j < N looks forward, row N backward
 */
#include "method/elastica/elastica.h"

/* A / eta = lower * upper without pivoting: A is diagonally dominant. */
void wy_elastica_spline_prepare(wy_elastica *e) {
    const int n = e->n;
    for (int j = 0; j <= n; j++) {
        const int inner = j > 0 && j < n;
        const int clamped = wy_elastica_node_clamped(e, j);
        const double diagonal = inner ? 4.0 : clamped ? 2.0 : 1.0;
        const double side = inner || clamped ? 1.0 : 0.0;
        e->lu_lower[j] = j > 0 ? side / e->lu_diagonal[j - 1] : 0.0;
        e->lu_upper[j] = j < n ? side : 0.0;
        e->lu_diagonal[j] = diagonal - (j > 0 ? e->lu_lower[j] * e->lu_upper[j - 1] : 0.0);
    }
}

/* Right side of A x'' = 2 U x - 6 z, divided by eta. */
static vec3 bend_of_chords(const wy_elastica *e, const wy_elastica_level *v, int j) {
    const double c = 6.0 / (e->eta * e->eta);
    const vec3 *x = v->x;
    if (j > 0 && j < e->n)
        return v3_scale(c, v3_sub(v3_sub(x[j + 1], x[j]), v3_sub(x[j], x[j - 1])));
    if (!wy_elastica_node_clamped(e, j)) return v3(0, 0, 0);
    const vec3 chord = j == 0 ? v3_sub(x[1], x[0]) : v3_sub(x[j - 1], x[j]);
    return v3_axpy(v3_scale(c, chord), -6.0 / e->eta, v->z[j > 0]);
}

void wy_elastica_spline_derive(const wy_elastica *e, wy_elastica_level *v) {
    const int n = e->n;
    const double *l = e->lu_lower, *up = e->lu_upper, *d = e->lu_diagonal, eta = e->eta;
    vec3 *k = v->k;
    k[0] = bend_of_chords(e, v, 0);
    for (int j = 1; j <= n; j++) k[j] = v3_axpy(bend_of_chords(e, v, j), -l[j], k[j - 1]);
    k[n] = v3_scale(1.0 / d[n], k[n]);
    for (int j = n - 1; j >= 0; j--) k[j] = v3_scale(1.0 / d[j], v3_axpy(k[j], -up[j], k[j + 1]));

    for (int j = 0; j < n; j++) {
        const vec3 chord = v3_scale(1.0 / eta, v3_sub(v->x[j + 1], v->x[j]));
        v->u[j] = v3_axpy(v3_axpy(chord, -eta / 3.0, k[j]), -eta / 6.0, k[j + 1]);
    }
    const vec3 chord = v3_scale(1.0 / eta, v3_sub(v->x[n], v->x[n - 1]));
    v->u[n] = v3_axpy(v3_axpy(chord, eta / 6.0, k[n - 1]), eta / 3.0, k[n]);
}

void wy_elastica_spline_adjoint(const wy_elastica *e, vec3 *p) {
    const int n = e->n;
    const double *l = e->lu_lower, *up = e->lu_upper, *d = e->lu_diagonal;
    p[0] = v3_scale(1.0 / (e->eta * d[0]), p[0]);
    for (int j = 1; j <= n; j++)
        p[j] = v3_scale(1.0 / d[j], v3_axpy(v3_scale(1.0 / e->eta, p[j]), -up[j - 1], p[j - 1]));
    for (int j = n - 1; j >= 0; j--) p[j] = v3_axpy(p[j], -l[j + 1], p[j + 1]);
}

vec3 wy_elastica_spline_at(const wy_elastica *e, wy_place at, const vec3 *x, const vec3 *k) {
    const double b = at.f, a = 1.0 - b, c = e->eta * e->eta / 6.0;
    const vec3 bow =
        v3_add(v3_scale(c * (a * a * a - a), k[at.j]), v3_scale(c * (b * b * b - b), k[at.j + 1]));
    return v3_add(wy_place_linear(at, x), bow);
}

vec3 wy_elastica_spline_slope(const wy_elastica *e, wy_place at, const vec3 *x, const vec3 *k) {
    const double b = at.f, a = 1.0 - b, c = e->eta / 6.0;
    const vec3 chord = v3_scale(1.0 / e->eta, v3_sub(x[at.j + 1], x[at.j]));
    return v3_axpy(v3_axpy(chord, -c * (3 * a * a - 1), k[at.j]), c * (3 * b * b - 1), k[at.j + 1]);
}
