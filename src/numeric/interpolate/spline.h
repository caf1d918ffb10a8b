/* spline.h - cubic splines of vectors on equally spaced nodes, clamped or natural ends, [EL] (53)-(76).
 * Room: src/numeric.
 *
 *   A x'' = 2 U x - 6 z       (73), (75)   rows of A / eta: inner (1 4 1), clamped (2 1), free (1 0)
 *     x'  = B x - C x'' / 2   (74)         row j < n looks forward, row n backward
 *
 * with z_0 = x'(0), z_n = -x'(L) where clamped, else 0.
 */
#pragma once

#include "numeric/interpolate/interpolate.h"

typedef struct wy_spline {
    int n;      /* intervals             */
    double eta; /* length of each  [m]   */
    int clamped[2];
    double *diagonal, *lower, *upper; /* [n+1] factors of A / eta */
} wy_spline;

/* Is node j a clamped end? */
static inline int wy_spline_clamped(const wy_spline *s, int j) {
    return (j == 0 && s->clamped[0]) || (j == s->n && s->clamped[1]);
}
/* Entries of A / eta (53) and U eta / 3 (58): row j, column l = j - 1, j, j + 1. */
double wy_spline_a(const wy_spline *s, int j, int l);
double wy_spline_u(const wy_spline *s, int j, int l);

void wy_spline_factor(wy_spline *s); /* A, (53)-(57) */
/* Slopes u = x' and bends k = x'' from x and z, (73)-(74). */
void wy_spline_derive(const wy_spline *s, const vec3 *x, const vec3 z[2], vec3 *u, vec3 *k);
void wy_spline_adjoint(const wy_spline *s, vec3 *p);                      /* p := A^-T p */
void wy_spline_slope_adjoint(const wy_spline *s, const vec3 *r, vec3 *p); /* p -= C^T r / 2, (64) */

/* Between the nodes. */
vec3 wy_spline_at(const wy_spline *s, wy_place at, const vec3 *x, const vec3 *k);
vec3 wy_spline_slope(const wy_spline *s, wy_place at, const vec3 *x, const vec3 *k);
