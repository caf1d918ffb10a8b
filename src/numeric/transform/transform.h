/* transform.h - Chebyshev and Legendre points, the polynomials through them, cosine and Fourier transforms.  Room: src/numeric. */
#pragma once

#include "base/base.h"

/* ---- chebyshev.c: polynomials through given points; Chebyshev points.
 *
 * The transform is the symmetric one of [CH] (3.4)-(3.6),
 *
 *     v_k = (2n)^(-1/2) sum_j c_j u_j cos(pi j k / n),    c_0 = c_n = 1, else 2,
 *
 * which is its own inverse, in the order of its source: point 0 is the last.  All else has x_0 = -1 ... x_n = 1.
 */

/* Values to coefficients, and coefficients to values: the same sum, (3.4) and (3.5); each [n+1], n >= 1.  v != u. */
void wy_chebyshev_transform(int n, const double *u, double *v);

/* x_j = -cos(pi j/n), Clenshaw-Curtis weights, barycentric weights; each [n+1]. */
void wy_chebyshev_nodes(int n, double *x, double *weight, double *bary);

/* D_ij = l_j'(x_i), stored by columns: d[j * ld + i]; rows sum to zero by construction. */
void wy_collocation_matrix(int n, const double *x, const double *bary, int ld, double *d);

/* l_j(at) of the Lagrange polynomials, [n+1]; exact at the points. */
void wy_lagrange_row(int n, const double *x, const double *bary, double at, double *row);

/* ---- cosine.c: the fast cosine transform for long Chebyshev grids. */

typedef struct wy_cosine wy_cosine;

/* A transform of n + 1 values; NULL when this build has none (the caller then uses a matrix). */
wy_cosine *wy_cosine_make(wy_arena *arena, int n);
void wy_cosine_free(wy_cosine *cosine); /* NULL is fine */

/* Derivative with respect to x at x_j = -cos(pi j/n) of the polynomial through u: (3.4), (3.9),
 * (3.5), times scale.  out != u. */
void wy_cosine_derivative(wy_cosine *cosine, double scale, const double *u, double *out);

/* ---- collocation.c: a function on [0, L] by its values at Chebyshev or Legendre points: the points, their
 * weights, and the derivative.
 *
 *   s_j = L (1 - cos(pi j/n)) / 2            Chebyshev points, [CH] (3.3), from start to finish
 *   (1 - x^2) P_n'(x) = 0                    Legendre-Gauss-Lobatto points
 *   (D u)_i = sum_j D_ij u_j                 by matrix, or by two cosine transforms when n is large
 */

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

/* ---- fourier.c: discrete Fourier transform of real data. */

/* X_k = sum_m x_m exp(-2 pi i k m/count), k = 0 .. count/2, to re and im [count/2 + 1]. */
withy_status wy_fourier(int64_t count, const double *x, double *re, double *im, withy_error *err);

/* The same by our own transform, whatever libraries there are. */
withy_status wy_fourier_own(int64_t count, const double *x, double *re, double *im,
                            withy_error *err);
