/* chebyshev_series.h - what [CH] does with Chebyshev series and the method does not need, on the points
 * x_j = (a+b)/2 + (b-a)/2 cos(pi j / n) with the transform of numeric/transform/transform.h.
 *
 *   u(x) = (2n)^(-1/2) sum_k c_k v_k T_k(x)                           (3.8)
 *   v'_n = 0, v'_(n-1) = n v_n, v'_k = v'_(k+2) + 2(k+1) v_(k+1)      (3.9)
 *
 * Departs from [CH] in one place: its derivative needs an even n, a limit of its code only; (3.9) does not.
 */
#pragma once

#include <math.h>

#include "base/base.h"
#include "numeric/transform/transform.h"

/* The points, from b down to a, (3.3). */
static inline void wy_chebyshev_points(int n, double a, double b, double *x) {
    for (int j = 0; j <= n; j++) /* the sine keeps the points exactly symmetric */
        x[j] = 0.5 * (a + b) + 0.5 * (b - a) * sin(0.5 * WY_PI * (n - 2 * j) / n);
}

/* Coefficients of the derivative of a function on an interval of that length, (3.9).  w != v. */
static inline void wy_chebyshev_derivative(int n, const double *v, double length, double *w) {
    const double scale = 2.0 / length;
    w[n] = 0.0;
    w[n - 1] = n * v[n];
    for (int k = n - 2; k >= 0; k--)
        w[k] = (k + 2 <= n ? w[k + 2] : 0.0) + 2.0 * (k + 1) * v[k + 1];
    for (int k = 0; k < n; k++) w[k] *= scale;
}

/* Coefficients of an integral; the mode T_n of the integrand is dropped, as in [CH] 4.2.3.  w != v.
 */
static inline void wy_chebyshev_integral(int n, const double *v, double length, double *w) {
    const double scale = 0.5 * length;
    w[0] = 0.0;
    for (int k = 1; k < n; k++)
        w[k] = scale * (v[k - 1] - (k + 1 < n ? v[k + 1] : 0.0)) / (2.0 * k);
    w[n] = scale * v[n - 1] / n;
}

/* The integral over the interval from values at the points: Clenshaw-Curtis, with (top = 1) or
 * without (top = 0, as [CH]) the mode T_n. */
static inline double wy_chebyshev_sum(int n, const double *u, double length, int top) {
    const int last = top ? n : n - 1;
    double sum = 0.0;
    for (int k = 0; k <= last; k += 2) { /* int T_k = 2/(1 - k^2) for even k, 0 for odd */
        double v = u[0] + u[n];
        for (int j = 1; j < n; j++)
            v += 2.0 * u[j] * cos(WY_PI * (double)((long)j * k % (2 * n)) / n);
        sum += (k == 0 || k == n ? 1.0 : 2.0) * v / (2.0 * n) * 2.0 / (1.0 - (double)k * k);
    }
    return 0.5 * length * sum;
}

/* Coefficients for m + 1 points from those for n + 1: truncation or extension, ResizeChebyshev. */
static inline void wy_chebyshev_resize(int n, const double *v, int m, double *w) {
    const double scale = sqrt((double)m / n);
    for (int k = 0; k <= m; k++) w[k] = k <= n ? scale * v[k] : 0.0;
    if (m < n) w[m] *= 2.0; /* c_m goes from 2 to 1 */
    if (m > n) w[n] *= 0.5; /* c_n goes from 1 to 2 */
}

/* The sum of the series at x in [a, b], (3.8). */
static inline double wy_chebyshev_at(int n, const double *v, double a, double b, double x) {
    const double y = (2.0 * x - a - b) / (b - a);
    double b1 = 0.0, b2 = 0.0; /* Clenshaw's recurrence */
    for (int k = n; k >= 1; k--) {
        const double b0 = (k == n ? 1.0 : 2.0) * v[k] + 2.0 * y * b1 - b2;
        b2 = b1, b1 = b0;
    }
    return (v[0] + y * b1 - b2) / sqrt(2.0 * n);
}

/* Coefficients of 1, x, x^2, ... on [-1, 1]; loses digits quickly beyond n = 20.
 * WITHY_BAD_INPUT when n > 64. */
static inline withy_status wy_chebyshev_polynomial(int n, const double *v, double *power) {
    enum { MOST = 64 };
    if (n < 1 || n > MOST) return WITHY_BAD_INPUT;
    double old[MOST + 1] = {1.0}, now[MOST + 1] = {0.0, 1.0}; /* T_0, T_1 in powers of x */
    const double scale = 1.0 / sqrt(2.0 * n);
    for (int i = 0; i <= n; i++) power[i] = 0.0;
    for (int k = 0; k <= n; k++) {
        const double *t = k == 0 ? old : now;
        for (int i = 0; i <= k; i++)
            power[i] += scale * (k == 0 || k == n ? 1.0 : 2.0) * v[k] * t[i];
        if (k == 0) continue;
        double next[MOST + 1] = {0.0}; /* T_(k+1) = 2 x T_k - T_(k-1) */
        for (int i = 0; i <= k && i < n; i++) next[i + 1] = 2.0 * now[i];
        for (int i = 0; i < k; i++) next[i] -= old[i];
        for (int i = 0; i <= n; i++) old[i] = now[i], now[i] = next[i];
    }
    return WITHY_OK;
}
