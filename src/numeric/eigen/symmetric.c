/* symmetric.c - Jacobi's method, cyclic.
 *
 * Slower than a tridiagonal QR by a small factor, but twenty lines, and it finds small eigenvalues
 * to high relative accuracy, which matters where they are frequencies squared.  For n up to ~100.
 */
#include "numeric/eigen/eigen.h"

#include <math.h>

/* One rotation that zeroes a[p][q]. */
static void rotate(int n, double *a, double *v, int p, int q) {
    const double apq = a[p * n + q];
    const double theta = (a[q * n + q] - a[p * n + p]) / (2 * apq);
    const double t = (theta >= 0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(1 + theta * theta));
    const double c = 1 / sqrt(1 + t * t), s = t * c;
    for (int k = 0; k < n; k++) {
        const double x = a[k * n + p], y = a[k * n + q];
        a[k * n + p] = c * x - s * y, a[k * n + q] = s * x + c * y;
    }
    for (int k = 0; k < n; k++) {
        const double x = a[p * n + k], y = a[q * n + k];
        a[p * n + k] = c * x - s * y, a[q * n + k] = s * x + c * y;
    }
    for (int k = 0; k < n; k++) {
        const double x = v[k * n + p], y = v[k * n + q];
        v[k * n + p] = c * x - s * y, v[k * n + q] = s * x + c * y;
    }
}

static void sort_pairs(int n, double *value, double *v) {
    for (int i = 0; i < n; i++) {
        int least = i;
        for (int j = i + 1; j < n; j++)
            if (value[j] < value[least]) least = j;
        const double swap = value[i];
        value[i] = value[least], value[least] = swap;
        for (int k = 0; k < n && least != i; k++) {
            const double x = v[k * n + i];
            v[k * n + i] = v[k * n + least], v[k * n + least] = x;
        }
    }
}

void wy_symmetric_eigen(int n, double *a, double *value, double *vector) {
    enum { SWEEPS = 60 };
    for (int i = 0; i < n * n; i++) vector[i] = i % (n + 1) == 0;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        int turned = 0;
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) {
                const double small = 1e-17 * sqrt(fabs(a[p * n + p] * a[q * n + q]));
                if (!(fabs(a[p * n + q]) > small)) continue;
                rotate(n, a, vector, p, q);
                turned = 1;
            }
        if (!turned) break;
    }
    for (int i = 0; i < n; i++) value[i] = a[i * n + i];
    sort_pairs(n, value, vector);
}
