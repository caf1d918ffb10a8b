/* collocation.h - a function on [0, L] by its values at Chebyshev or Legendre points: the points, their
 * weights, and the derivative.  Room: src/numeric.
 *
 *   s_j = L (1 - cos(pi j/n)) / 2            Chebyshev points, [CH] (3.3), from start to finish
 *   (1 - x^2) P_n'(x) = 0                    Legendre-Gauss-Lobatto points
 *   (D u)_i = sum_j D_ij u_j                 by matrix, or by two cosine transforms when n is large
 */
#pragma once

#include "base/base.h"
#include "numeric/transform/chebyshev.h"
#include "numeric/transform/cosine.h"

typedef struct wy_collocation {
    int n, ld; /* degree; length of an array of n + 1 values, padded */
    double length;
    int legendre;     /* Legendre points */
    double *x, *s;    /* on [-1, 1] and [0, L], increasing */
    double *w, *bary; /* quadrature weights [m], barycentric weights */
    double *d;        /* collocation matrix by columns [n+1][ld], per length */
    double *dr, *d2r; /* D and D^2 by rows, made by wy_collocation_rows */
    wy_cosine *fast;  /* NULL: by matrix; to be freed */
} wy_collocation;

/* 0: no memory. */
int wy_collocation_make(wy_arena *arena, int n, int legendre, double length, wy_collocation *grid);
int wy_collocation_rows(wy_arena *arena, wy_collocation *grid);
/* out = D in for `fields` arrays. */
void wy_collocation_derive(const wy_collocation *grid, int fields, const double *in, double *out);
/* Is n enough?  Largest of the last coefficients of the series over the largest of all (but the mean) of
 * `fields` arrays, which share a unit; work: [2 n]. */
double wy_collocation_tail(const wy_collocation *grid, int fields, const double *u, double unit,
                           double *work);
