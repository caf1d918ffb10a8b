/* dense.c - LU with partial pivoting, row-major, right-looking by blocks of rows.
 *
 * Systems here have 20 to 500 unknowns and are solved hundreds of times a second: a plain loop that
 * the compiler vectorises beats a threaded BLAS at these sizes.
 */
#include "numeric/linear/linear.h"

#include "numeric/vector/wide.h"

/* row -= factor * from, over [first, n) */
static void eliminate(int first, int n, double factor, const double *restrict from,
                      double *restrict row) {
    for (int j = first; j < n; j++) row[j] -= factor * from[j];
}

int wy_lu_factor(int n, int ld, double *a, int *pivot) {
    for (int k = 0; k < n; k++) {
        int best = k;
        double size = fabs(a[(size_t)k * ld + k]);
        for (int i = k + 1; i < n; i++)
            if (fabs(a[(size_t)i * ld + k]) > size) best = i, size = fabs(a[(size_t)i * ld + k]);
        if (!(size > 0.0) || !isfinite(size)) return 0;
        pivot[k] = best;
        double *top = a + (size_t)k * ld, *other = a + (size_t)best * ld;
        for (int j = 0; j < n && best != k; j++) {
            const double keep = top[j];
            top[j] = other[j], other[j] = keep;
        }
        const double inverse = 1.0 / top[k];
        for (int i = k + 1; i < n; i++) {
            double *row = a + (size_t)i * ld;
            const double factor = row[k] * inverse;
            row[k] = factor;
            if (factor != 0.0) eliminate(k + 1, n, factor, top, row);
        }
    }
    return 1;
}

/* Eight sums at once: one alone would wait for each addition. */
static double dot(int n, const double *restrict a, const double *restrict b) {
    enum { PARTS = 8 / WY_WIDE };
    wide part[PARTS] = {{0}}, x, y;
    double sum[8], rest = 0;
    int j = 0;
    for (; j + 8 <= n; j += 8)
#pragma GCC unroll 4
        for (int k = 0; k < PARTS; k++) {
            memcpy(&x, a + j + k * WY_WIDE, sizeof x), memcpy(&y, b + j + k * WY_WIDE, sizeof y);
            part[k] += x * y;
        }
    for (; j < n; j++) rest += a[j] * b[j];
    memcpy(sum, part, sizeof sum);
    return rest +
           (((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7])));
}

void wy_lu_solve(int n, int ld, const double *a, const int *pivot, double *b) {
    for (int k = 0; k < n; k++) {
        const double keep = b[pivot[k]];
        b[pivot[k]] = b[k], b[k] = keep;
    }
    for (int i = 1; i < n; i++) {
        b[i] -= dot(i, a + (size_t)i * ld, b);
    }
    for (int i = n - 1; i >= 0; i--) {
        const double *row = a + (size_t)i * ld;
        b[i] = (b[i] - dot(n - i - 1, row + i + 1, b + i + 1)) / row[i];
    }
}

void wy_lu_solve_transposed(int n, int ld, const double *a, const int *pivot, double *b) {
    for (int i = 0; i < n; i++) { /* U^T y = b, by rows of U */
        const double *row = a + (size_t)i * ld;
        b[i] /= row[i];
        for (int j = i + 1; j < n; j++) b[j] -= row[j] * b[i];
    }
    for (int i = n - 1; i > 0; i--) { /* L^T z = y */
        const double *row = a + (size_t)i * ld;
        for (int j = 0; j < i; j++) b[j] -= row[j] * b[i];
    }
    for (int k = n - 1; k >= 0; k--) {
        const double keep = b[pivot[k]];
        b[pivot[k]] = b[k], b[k] = keep;
    }
}

int wy_is_definite(int n, double *a) {
    const size_t m = (size_t)n;
    for (size_t k = 0; k < m; k++) {
        const double *restrict top = a + k * m;
        if (!(top[k] > 0)) return 0;
        for (size_t i = k + 1; i < m; i++) {
            const double part = top[i] / top[k];
            double *restrict row = a + i * m;
            for (size_t j = i; j < m && part != 0.0; j++) row[j] -= part * top[j];
        }
    }
    return 1;
}
