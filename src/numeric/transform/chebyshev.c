/* chebyshev.c - Chebyshev transform and collocation, [CH] 3.1 and 4.2.
 *
 *   v_k = (2n)^(-1/2) sum_j c_j u_j cos(pi j k/n)                     (3.4), self-inverse
 *   w_j = (c_j/n) sum_k c_k / (1 - 4k^2) cos(2 pi j k/n)              Clenshaw-Curtis, k = 0..n/2
 *   l_j(x) = (b_j/(x - x_j)) / sum_k b_k/(x - x_k)                    barycentric form
 *   D_ij = (b_j/b_i)/(x_i - x_j), D_ii = -sum of the others           collocation matrix
 */
#include "numeric/transform/transform.h"

#include "base/base.h"

void wy_chebyshev_transform(int n, const double *u, double *v) {
    const double scale = 1.0 / sqrt(2.0 * n);
    for (int k = 0; k <= n; k++) {
        double sum = u[0] + (k % 2 ? -u[n] : u[n]);
        for (int j = 1; j < n; j++) /* j k mod 2n keeps the argument small and exact */
            sum += 2.0 * u[j] * cos(WY_PI * (double)((long)j * k % (2 * n)) / n);
        v[k] = scale * sum;
    }
}

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
