/* quadrature.h - the rules of Gauss and Lobatto, from Legendre polynomials.  Room: src/numeric.
 *
 * Points are found by Newton's method: exact to rounding for every degree, without tables.
 */
#pragma once

/* Gauss's rule on [0, 1]: count >= 1 points inside, exact to degree 2 count - 1. */
void wy_gauss_points(int count, double *point, double *weight);

/* Lobatto's rule on [0, 1]: n + 1 points with both ends, n >= 1, exact to degree 2n - 1. */
void wy_lobatto_points(int n, double *point, double *weight);

/* Its points on [-1, 1], where (1 - x^2) P_n'(x) = 0, their weights 2/(n(n+1) P_n^2) and the
 * barycentric weights of the polynomial through them; each [n+1]. */
void wy_lobatto_nodes(int n, double *x, double *weight, double *bary);
