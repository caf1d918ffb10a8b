/* The banded LU against a dense elimination, and against LAPACK where it is built in. */
#include <stdlib.h>

#include "check.h"
#include "numeric/linear/linear.h"
#include "random_number.h"
#ifdef WITHY_HAVE_LIB_LAPACK
#include <lapacke.h>
#endif

static double noise(uint32_t *seed) {
    random_next(seed);
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

/* Solve a x = b densely with partial pivoting; a and b are destroyed. */
static void solve_dense(int n, double *a, double *b) {
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[p * n + k])) p = i;
        for (int j = 0; j < n; j++) {
            const double keep = a[k * n + j];
            a[k * n + j] = a[p * n + j], a[p * n + j] = keep;
        }
        const double keep = b[k];
        b[k] = b[p], b[p] = keep;
        for (int i = k + 1; i < n; i++) {
            const double f = a[i * n + k] / a[k * n + k];
            for (int j = k; j < n; j++) a[i * n + j] -= f * a[k * n + j];
            b[i] -= f * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) b[k] -= a[k * n + j] * b[j];
        b[k] /= a[k * n + k];
    }
}

/* A random band, one entry in three zero.  The diagonal is zero and its neighbours in pairs (0 1),
 * (2 3) ... are large: regular, but only with pivoting.  Factored as it is filled. */
static bool fill(wy_banded *m, double *dense, uint32_t seed) {
    const int n = m->n;
    memset(dense, 0, (size_t)(n * n) * sizeof *dense);
    wy_banded_begin(m);
    for (int i = 0; i < n; i++) {
        memset(wy_banded_row(m, i), 0, (size_t)m->width * sizeof *dense);
        for (int j = i - m->kl > 0 ? i - m->kl : 0; j <= i + m->ku && j < n; j++) {
            const int partner = (i ^ 1) < n ? i ^ 1 : i;
            const double value = noise(&seed), keep = noise(&seed);
            if (j != partner && (keep < -0.3 || i == j)) continue;
            *wy_banded_at(m, i, j) = dense[i * n + j] = value + (j == partner ? 5 : 0);
        }
        if (!wy_banded_eliminate(m, i + 1)) return false;
    }
    return true;
}

enum { MOST = 130 };
static double dense[MOST * MOST], x[MOST], expected[MOST];

static void compare(int n, int kl, int ku, uint32_t seed) {
    wy_arena arena = {0};
    wy_banded m;
    withy_error err = {0};
    CHECK_OK(wy_banded_take(&arena, n, kl, ku, 1, &m, &err));
    CHECK(fill(&m, dense, seed));
    for (int i = 0; i < n; i++) x[i] = expected[i] = noise(&seed);
    wy_banded_solve(&m, x);
    solve_dense(n, dense, expected);
    double largest = 1;
    for (int i = 0; i < n; i++) largest = worst_of(largest, fabs(expected[i]));
    for (int i = 0; i < n; i++) CHECK_NEAR(x[i], expected[i], 1e-9 * largest);
    wy_arena_free(&arena);
}

TEST(banded_and_dense_elimination_agree_on_random_bands) {
    (void)unused_state;
    static const int band[][2] = {{12, 18}, {1, 1}, {2, 5}, {5, 2}, {20, 20}, {3, 40}, {8, 7}};
    for (size_t b = 0; b < sizeof band / sizeof *band; b++)
        for (uint32_t seed = 1; seed <= 20; seed++)
            compare(MOST, band[b][0], band[b][1], 977 * seed);
}

TEST(a_matrix_smaller_than_its_band_works) {
    (void)unused_state;
    for (int n = 3; n < 40; n++) compare(n, 12, 18, 31u * (uint32_t)n);
}

static bool factor_diagonal(wy_banded *m, double odd_one) {
    wy_banded_begin(m);
    for (int i = 0; i < m->n; i++) {
        memset(wy_banded_row(m, i), 0, (size_t)m->width * sizeof(double));
        *wy_banded_at(m, i, i) = i == 6 ? odd_one : 1.0;
        if (!wy_banded_eliminate(m, i + 1)) return false;
    }
    return true;
}

TEST(a_singular_matrix_is_reported) {
    (void)unused_state;
    wy_arena arena = {0};
    wy_banded m;
    withy_error err = {0};
    CHECK_OK(wy_banded_take(&arena, 10, 2, 2, 1, &m, &err));
    CHECK(factor_diagonal(&m, 2.0));
    CHECK(!factor_diagonal(&m, 0.0));
    CHECK(!factor_diagonal(&m, NAN));
    wy_arena_free(&arena);
}

TEST(too_wide_a_band_is_refused) {
    (void)unused_state;
    wy_arena arena = {0};
    wy_banded m;
    withy_error err = {0};
    CHECK(wy_banded_take(&arena, 1000, 200, 200, 1, &m, &err) == WITHY_UNSUPPORTED);
    CHECK_TEXT(err.text, "a band of 200 + 200 + 1 is wider than 256");
}

#ifdef WITHY_HAVE_LIB_LAPACK
TEST(banded_and_lapack_dgbsv_agree) {
    (void)unused_state;
    enum { KL = 12, KU = 18, LD = 2 * KL + KU + 1 };
    static double ab[LD * MOST];
    wy_arena arena = {0};
    wy_banded m;
    withy_error err = {0};
    CHECK_OK(wy_banded_take(&arena, MOST, KL, KU, 1, &m, &err));
    for (uint32_t seed = 5; seed < 25; seed++) {
        uint32_t more = seed * 7919;
        lapack_int pivot[MOST];
        CHECK(fill(&m, dense, more));
        memset(ab, 0, sizeof ab);
        for (int i = 0; i < MOST; i++)
            for (int j = i - KL > 0 ? i - KL : 0; j <= i + KU && j < MOST; j++)
                ab[j * LD + KL + KU + i - j] = dense[i * MOST + j];
        for (int i = 0; i < MOST; i++) x[i] = expected[i] = noise(&more);
        wy_banded_solve(&m, x);
        CHECK(LAPACKE_dgbsv(LAPACK_COL_MAJOR, MOST, KL, KU, 1, ab, LD, pivot, expected, MOST) == 0);
        double largest = 1;
        for (int i = 0; i < MOST; i++) largest = worst_of(largest, fabs(expected[i]));
        for (int i = 0; i < MOST; i++) CHECK_NEAR(x[i], expected[i], 1e-9 * largest);
    }
    wy_arena_free(&arena);
}
#define LAPACK_TEST , test(banded_and_lapack_dgbsv_agree)
#else
#define LAPACK_TEST
#endif

RUN(test(banded_and_dense_elimination_agree_on_random_bands),
    test(a_matrix_smaller_than_its_band_works), test(a_singular_matrix_is_reported),
    test(too_wide_a_band_is_refused) LAPACK_TEST)
