/* chebyshev.c - Chebyshev series and collocation, [CH] 3.1 and 4.2.
 *
 *   v_k = (2n)^(-1/2) sum_j c_j u_j cos(pi j k/n)                     (3.4), self-inverse
 *   u(x) = (2n)^(-1/2) sum_k c_k v_k T_k(x)                           (3.8)
 *   v'_n = 0, v'_(n-1) = n v_n, v'_k = v'_(k+2) + 2(k+1) v_(k+1)      (3.9)
 *   w_j = (c_j/n) sum_k c_k / (1 - 4k^2) cos(2 pi j k/n)              Clenshaw-Curtis, k = 0..n/2
 *   l_j(x) = (b_j/(x - x_j)) / sum_k b_k/(x - x_k)                    barycentric form
 *   D_ij = (b_j/b_i)/(x_i - x_j), D_ii = -sum of the others           collocation matrix
 *
 * Departs from [CH] in one place: its derivative needs an even n, a limit of its code
 * only; (3.9) does not.
 */
#include "numeric/chebyshev.h"

#include <math.h>

#include "base/base.h"

/* ---- series ---------------------------------------------------------------------------------- */

void wy_chebyshev_points(int n, double a, double b, double *x) {
    for (int j = 0; j <= n; j++) /* the sine keeps the points exactly symmetric */
        x[j] = 0.5 * (a + b) + 0.5 * (b - a) * sin(0.5 * WY_PI * (n - 2 * j) / n);
}

void wy_chebyshev_transform(int n, const double *u, double *v) {
    const double scale = 1.0 / sqrt(2.0 * n);
    for (int k = 0; k <= n; k++) {
        double sum = u[0] + (k % 2 ? -u[n] : u[n]);
        for (int j = 1; j < n; j++) /* j k mod 2n keeps the argument small and exact */
            sum += 2.0 * u[j] * cos(WY_PI * (double)((long)j * k % (2 * n)) / n);
        v[k] = scale * sum;
    }
}

void wy_chebyshev_derivative(int n, const double *v, double length, double *w) {
    const double scale = 2.0 / length;
    w[n] = 0.0;
    w[n - 1] = n * v[n];
    for (int k = n - 2; k >= 0; k--)
        w[k] = (k + 2 <= n ? w[k + 2] : 0.0) + 2.0 * (k + 1) * v[k + 1];
    for (int k = 0; k < n; k++) w[k] *= scale;
}

void wy_chebyshev_integral(int n, const double *v, double length, double *w) {
    const double scale = 0.5 * length;
    w[0] = 0.0;
    for (int k = 1; k < n; k++)
        w[k] = scale * (v[k - 1] - (k + 1 < n ? v[k + 1] : 0.0)) / (2.0 * k);
    w[n] = scale * v[n - 1] / n;
}

double wy_chebyshev_sum(int n, const double *u, double length, int top) {
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

void wy_chebyshev_resize(int n, const double *v, int m, double *w) {
    const double scale = sqrt((double)m / n);
    for (int k = 0; k <= m; k++) w[k] = k <= n ? scale * v[k] : 0.0;
    if (m < n) w[m] *= 2.0; /* c_m goes from 2 to 1 */
    if (m > n) w[n] *= 0.5; /* c_n goes from 1 to 2 */
}

double wy_chebyshev_at(int n, const double *v, double a, double b, double x) {
    const double y = (2.0 * x - a - b) / (b - a);
    double b1 = 0.0, b2 = 0.0; /* Clenshaw's recurrence */
    for (int k = n; k >= 1; k--) {
        const double b0 = (k == n ? 1.0 : 2.0) * v[k] + 2.0 * y * b1 - b2;
        b2 = b1, b1 = b0;
    }
    return (v[0] + y * b1 - b2) / sqrt(2.0 * n);
}

withy_status wy_chebyshev_polynomial(int n, const double *v, double *power) {
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

/* ---- points ---------------------------------------------------------------------------------- */

void wy_chebyshev_nodes(int n, double *x, double *weight, double *bary) {
    for (int j = 0; j <= n; j++) {
        x[j] = -sin(0.5 * WY_PI * (n - 2 * j) / n);
        bary[j] = (j % 2 ? -1.0 : 1.0) * (j == 0 || j == n ? 0.5 : 1.0);
        double sum = 0.0;
        for (int k = 0; 2 * k <= n; k++) {
            const double c = k == 0 || 2 * k == n ? 1.0 : 2.0;
            sum += c / (1.0 - 4.0 * k * k) * cos(2.0 * WY_PI * (double)((long)j * k % n) / n);
        }
        weight[j] = (j == 0 || j == n ? 1.0 : 2.0) * sum / n;
    }
}

void wy_collocation_matrix(int n, const double *x, const double *bary, int ld, double *d) {
    for (int i = 0; i <= n; i++) {
        double sum = 0.0;
        for (int j = 0; j <= n; j++) {
            if (j == i) continue;
            d[j * ld + i] = bary[j] / bary[i] / (x[i] - x[j]);
            sum += d[j * ld + i];
        }
        d[i * ld + i] = -sum;
    }
}

void wy_lagrange_row(int n, const double *x, const double *bary, double at, double *row) {
    double sum = 0.0;
    for (int j = 0; j <= n; j++) {
        if (at == x[j]) {
            for (int k = 0; k <= n; k++) row[k] = k == j ? 1.0 : 0.0;
            return;
        }
        row[j] = bary[j] / (at - x[j]);
        sum += row[j];
    }
    for (int j = 0; j <= n; j++) row[j] /= sum;
}
