/* chebyshev.h - polynomials through given points; Chebyshev points.  Room: src/numeric.
 *
 * Here points increase: x_0 = -1 ... x_n = 1 (withy/chebyshev.h keeps the order of its source).
 */
#pragma once

#include "numeric/chebyshev_series.h"

/* x_j = -cos(pi j/n), Clenshaw-Curtis weights, barycentric weights; each [n+1]. */
void wy_chebyshev_nodes(int n, double *x, double *weight, double *bary);

/* D_ij = l_j'(x_i), stored by columns: d[j * ld + i]; rows sum to zero by construction. */
void wy_collocation_matrix(int n, const double *x, const double *bary, int ld, double *d);

/* l_j(at) of the Lagrange polynomials, [n+1]; exact at the points. */
void wy_lagrange_row(int n, const double *x, const double *bary, double at, double *row);
