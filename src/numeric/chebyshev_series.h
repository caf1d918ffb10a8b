/* chebyshev_series.h - Chebyshev series on the points x_j = (a+b)/2 + (b-a)/2 cos(pi j / n).
 *
 * The transform is the symmetric one of [CH] (3.4)-(3.6),
 *
 *     v_k = (2n)^(-1/2) sum_j c_j u_j cos(pi j k / n),    c_0 = c_n = 1, else 2,
 *
 * which is its own inverse.  n >= 1 (and m >= 1) everywhere; arrays have n + 1 entries; point 0 is b,
 * point n is a.
 */
#pragma once

#include "withy/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The points, from b down to a, (3.3). */
void wy_chebyshev_points(int n, double a, double b, double *x);

/* Values to coefficients, and coefficients to values: the same sum, (3.4) and (3.5).  v != u. */
void wy_chebyshev_transform(int n, const double *u, double *v);

/* Coefficients of the derivative of a function on an interval of that length, (3.9).  w != v. */
void wy_chebyshev_derivative(int n, const double *v, double length, double *w);

/* Coefficients of an integral; the mode T_n of the integrand is dropped, as in [CH] 4.2.3.  w != v.
 */
void wy_chebyshev_integral(int n, const double *v, double length, double *w);

/* The integral over the interval from values at the points: Clenshaw-Curtis, with (top = 1) or
 * without (top = 0, as [CH]) the mode T_n. */
double wy_chebyshev_sum(int n, const double *u, double length, int top);

/* Coefficients for m + 1 points from those for n + 1: truncation or extension, ResizeChebyshev. */
void wy_chebyshev_resize(int n, const double *v, int m, double *w);

/* The sum of the series at x in [a, b], (3.8). */
double wy_chebyshev_at(int n, const double *v, double a, double b, double x);

/* Coefficients of 1, x, x^2, ... on [-1, 1]; loses digits quickly beyond n = 20.
 * WITHY_BAD_INPUT when n > 64. */
withy_status wy_chebyshev_polynomial(int n, const double *v, double *power);

#ifdef __cplusplus
}
#endif
