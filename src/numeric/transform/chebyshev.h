/* chebyshev.h - polynomials through given points; Chebyshev points.  Room: src/numeric.
 *
 * The transform is the symmetric one of [CH] (3.4)-(3.6),
 *
 *     v_k = (2n)^(-1/2) sum_j c_j u_j cos(pi j k / n),    c_0 = c_n = 1, else 2,
 *
 * which is its own inverse, in the order of its source: point 0 is the last.  All else has x_0 = -1 ... x_n = 1.
 */
#pragma once

/* Values to coefficients, and coefficients to values: the same sum, (3.4) and (3.5); each [n+1], n >= 1.  v != u. */
void wy_chebyshev_transform(int n, const double *u, double *v);

/* x_j = -cos(pi j/n), Clenshaw-Curtis weights, barycentric weights; each [n+1]. */
void wy_chebyshev_nodes(int n, double *x, double *weight, double *bary);

/* D_ij = l_j'(x_i), stored by columns: d[j * ld + i]; rows sum to zero by construction. */
void wy_collocation_matrix(int n, const double *x, const double *bary, int ld, double *d);

/* l_j(at) of the Lagrange polynomials, [n+1]; exact at the points. */
void wy_lagrange_row(int n, const double *x, const double *bary, double at, double *row);
