/* Eigenvalues and vectors of general matrices, for builds without LAPACK: A v = lambda v to rounding, for any matrix. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "numeric/eigen/eigen.h"
#include "random_number.h"

enum { MOST = 24 };

static double random_number(void) {
    static uint32_t seed = 1;
    random_next(&seed);
    return (double)(seed >> 8) / 8388608.0 - 1.0;
}

/* The largest component of A v - lambda v; a pair has its imaginary part in the next column. */
static double residual(int n, const double *a, const double *re, const double *im, const double *v,
                       int k) {
    const int pair = im[k] > 0;
    double most = 0;
    for (int i = 0; i < n; i++) {
        double x = 0, y = 0;
        for (int j = 0; j < n; j++) {
            x += a[i * n + j] * v[j * n + k];
            if (pair) y += a[i * n + j] * v[j * n + k + 1];
        }
        const double p = v[i * n + k], q = pair ? v[i * n + k + 1] : 0;
        most = fmax(most, hypot(x - re[k] * p + im[k] * q, y - re[k] * q - im[k] * p));
    }
    return most;
}

/* kind 0: any, 1: skew (all values imaginary), 2: symmetric (all real). */
static void fill(int n, int kind, double *a) {
    for (int i = 0; i < n * n; i++) a[i] = random_number();
    for (int i = 0; i < n && kind; i++)
        for (int j = 0; j <= i; j++)
            a[i * n + j] = kind == 2 ? a[j * n + i] : i == j ? 0 : -a[j * n + i];
}

static void test_every_pair_solves(void **state) {
    static double a[MOST * MOST], v[MOST * MOST], work[4 * MOST * (MOST + 1)];
    double re[MOST], im[MOST];
    (void)state;
    for (int n = 1; n <= MOST; n++)
        for (int kind = 0; kind < 3; kind++) {
            fill(n, kind, a);
            assert_int_equal(wy_general_eigen(n, a, re, im, v, work), 1);
            double trace = 0, sum = 0;
            for (int k = 0; k < n; k++) {
                trace += a[k * n + k], sum += re[k];
                if (im[k] >= 0) assert_true(residual(n, a, re, im, v, k) < 1e-13 * n);
                if (im[k] > 0) assert_true(re[k + 1] == re[k] && im[k + 1] == -im[k]);
                if (kind == 1) assert_true(fabs(re[k]) < 1e-13 * n);
                if (kind == 2) assert_true(im[k] == 0);
            }
            assert_true(fabs(trace - sum) < 1e-13 * n);
        }
}

static void test_what_is_not_finite_is_refused(void **state) {
    double a[4] = {1, NAN, 0, 1}, re[2], im[2], v[4], work[24];
    (void)state;
    assert_int_equal(wy_general_eigen(2, a, re, im, v, work), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_pair_solves),
                                       cmocka_unit_test(test_what_is_not_finite_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
