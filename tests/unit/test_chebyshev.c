/* Chebyshev and Legendre points: identities of the series, the derivative, the weights. */
#include "base/base.h"
#include "chebyshev_series.h"
#include "check.h"
#include "numeric/interpolate/interpolate.h"
#include "numeric/linear/linear.h"
#include "numeric/transform/transform.h"

TEST(the_transform_is_its_own_inverse) {
    (void)unused_state;
    double u[18], v[18], w[18];
    for (int j = 0; j < 18; j++) u[j] = sin(3.0 * j) + 0.1 * j;
    wy_chebyshev_transform(17, u, v);
    wy_chebyshev_transform(17, v, w);
    for (int j = 0; j < 18; j++) CHECK_NEAR(w[j], u[j], 1e-14);
}

TEST(the_series_of_a_pulse_is_that_of_the_thesis) {
    (void)unused_state;
    const double expected[] = {1, 0, -3.4083437, 0, 4.5150819, 0, -2.0204714};
    const double slope[] = {0, -6.8166875, 0, 18.0603275, 0, -12.1228283, 0};
    double x[7], u[7], v[7], w[7], p[7];
    wy_chebyshev_points(6, -1, 1, x);
    for (int j = 0; j < 7; j++) u[j] = 1 / cosh(WY_PI * x[j]);
    wy_chebyshev_transform(6, u, v);
    wy_chebyshev_polynomial(6, v, p);
    for (int j = 0; j < 7; j++) CHECK_NEAR(p[j], expected[j], 1e-7);
    wy_chebyshev_derivative(6, v, 2, w);
    wy_chebyshev_polynomial(6, w, p);
    for (int j = 0; j < 7; j++) CHECK_NEAR(p[j], slope[j], 1e-7);
    for (int j = 0; j < 7; j++) CHECK_NEAR(wy_chebyshev_at(6, v, -1, 1, x[j]), u[j], 1e-14);
}

TEST(differentiating_an_integral_returns_the_series_but_its_last_mode) {
    (void)unused_state;
    double v[13], w[13], back[13];
    for (int k = 0; k < 13; k++) v[k] = cos(2.0 * k) / (1 + k);
    wy_chebyshev_integral(12, v, 0.4, w);
    wy_chebyshev_derivative(12, w, 0.4, back);
    for (int k = 0; k < 12; k++) CHECK_NEAR(back[k], v[k], 1e-14);
    CHECK_NEAR(back[12], 0, 0);
}

TEST(resizing_keeps_the_polynomial) {
    (void)unused_state;
    double x[9], u[9], v[9], w[21];
    wy_chebyshev_points(8, 0, 0.4, x);
    for (int j = 0; j < 9; j++) u[j] = 1 + x[j] * x[j] - 3 * x[j] * x[j] * x[j];
    wy_chebyshev_transform(8, u, v);
    wy_chebyshev_resize(8, v, 20, w);
    for (int i = 0; i <= 10; i++) {
        const double at = 0.04 * i;
        CHECK_NEAR(wy_chebyshev_at(20, w, 0, 0.4, at), 1 + at * at - 3 * at * at * at, 1e-14);
    }
    wy_chebyshev_resize(20, w, 8, x);
    for (int k = 0; k <= 8; k++) CHECK_NEAR(x[k], v[k], 1e-14);
}

TEST(quadrature_without_the_top_mode_is_that_of_the_thesis) {
    (void)unused_state;
    double x[9], u[9], t8[9];
    wy_chebyshev_points(8, -1, 1, x);
    for (int j = 0; j < 9; j++) u[j] = exp(x[j]), t8[j] = j % 2 ? -1.0 : 1.0; /* T_8 */
    CHECK_NEAR(wy_chebyshev_sum(8, u, 2, 1), exp(1) - exp(-1), 1e-9);
    CHECK_NEAR(wy_chebyshev_sum(8, t8, 2, 0), 0, 1e-15);
    CHECK_NEAR(wy_chebyshev_sum(8, t8, 2, 1), 2.0 / (1 - 64), 1e-15);
}

TEST(lobatto_weights_are_exact_to_degree_2n_minus_1) {
    (void)unused_state;
    double x[13], w[13], b[13];
    wy_lobatto_nodes(12, x, w, b);
    for (int degree = 0; degree <= 23; degree++) {
        double sum = 0;
        for (int j = 0; j < 13; j++) sum += w[j] * pow(x[j], degree);
        CHECK_NEAR(sum, degree % 2 ? 0 : 2.0 / (degree + 1), 1e-14);
    }
}

TEST(gauss_and_lobatto_on_the_unit_interval_are_exact_to_their_degree) {
    (void)unused_state;
    double x[9], w[9];
    for (int count = 1; count <= 8; count++)
        for (int lobatto = 0; lobatto < 2; lobatto++) {
            (lobatto ? wy_lobatto_points : wy_gauss_points)(count, x, w);
            for (int degree = 0; degree < 2 * count; degree++) {
                double sum = 0;
                for (int j = 0; j < count + lobatto; j++) sum += w[j] * pow(x[j], degree);
                CHECK_NEAR(sum, 1.0 / (degree + 1), 1e-15);
            }
        }
}

TEST(on_lobatto_points_the_derivative_is_summation_by_parts) {
    (void)unused_state;
    enum { N = 10, LD = 16 };
    double x[N + 1], w[N + 1], b[N + 1], d[(N + 1) * LD];
    wy_lobatto_nodes(N, x, w, b);
    wy_collocation_matrix(N, x, b, LD, d);
    for (int i = 0; i <= N; i++)
        for (int j = 0; j <= N; j++) {
            const double edge = i != j ? 0 : i == 0 ? -1 : i == N ? 1 : 0;
            CHECK_NEAR(w[i] * d[j * LD + i] + w[j] * d[i * LD + j], edge, 1e-13);
        }
}

TEST(the_fast_derivative_is_the_matrix_derivative) {
    (void)unused_state;
    enum { N = 64, LD = 72 };
    static double x[LD], w[LD], b[LD], d[(N + 1) * LD], u[LD], fast[LD];
    wy_arena arena = {0};
    wy_cosine *cosine = wy_cosine_make(&arena, N);
    wy_chebyshev_nodes(N, x, w, b);
    wy_collocation_matrix(N, x, b, LD, d);
    for (int j = 0; j <= N; j++) u[j] = sin(5 * x[j]);
    if (cosine) {
        wy_cosine_derivative(cosine, 1.0, u, fast);
        for (int i = 0; i <= N; i++) {
            double sum = 0;
            for (int j = 0; j <= N; j++) sum += d[j * LD + i] * u[j];
            CHECK_NEAR(fast[i], sum, 1e-11);
            CHECK_NEAR(fast[i], 5 * cos(5 * x[i]), 1e-11);
        }
    }
    wy_cosine_free(cosine);
    wy_arena_free(&arena);
}

TEST(lu_solves_a_system_and_its_transpose) {
    (void)unused_state;
    enum { N = 7 };
    double a[N * N], lu[N * N], expected[N], b[N], c[N];
    int pivot[N];
    for (int i = 0; i < N * N; i++) a[i] = sin(1.7 * i * i + 0.3);
    for (int i = 0; i < N; i++) expected[i] = i - 2.5, b[i] = c[i] = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            b[i] += a[i * N + j] * expected[j], c[j] += a[i * N + j] * expected[i];
    memcpy(lu, a, sizeof a);
    CHECK(wy_lu_factor(N, N, lu, pivot));
    wy_lu_solve(N, N, lu, pivot, b);
    wy_lu_solve_transposed(N, N, lu, pivot, c);
    for (int i = 0; i < N; i++) {
        CHECK_NEAR(b[i], expected[i], 1e-12);
        CHECK_NEAR(c[i], expected[i], 1e-12);
    }
    memset(lu, 0, sizeof lu);
    CHECK(!wy_lu_factor(N, N, lu, pivot));
}

/* ---- functions that are sampled once -------------------------------------------------------------- */

typedef struct asked {
    int calls, kind;
} asked;

/* 0: smooth, 1: a kink, 2: a jump, 3: noise, 4: fails beyond 0.7 */
static withy_status sampled(void *context, double x, double *y, withy_error *err) {
    asked *a = context;
    unsigned bits = (unsigned)(x * 4e9);
    a->calls++;
    if (a->kind == 4 && x > 0.7) return wy_fail(err, WITHY_BAD_INPUT, "too far");
    y[0] = sin(20 * x), y[1] = exp(-x);
    if (a->kind == 1) y[1] = fabs(x - 0.3);
    if (a->kind == 2) y[1] = x < 0.3 ? 1 : 2;
    if (a->kind == 3) y[1] = 1e-13 * (double)(bits * 2654435761u >> 16);
    return WITHY_OK;
}

TEST(a_sampled_function_is_repeated_to_rounding_and_asked_itself_where_it_is_not_smooth) {
    for (int kind = 0; kind < 5; kind++) {
        wy_arena arena = {0};
        wy_piecewise f;
        withy_error err = {0};
        asked a = {.kind = kind};
        CHECK_OK(wy_piecewise_make(sampled, &a, 2, 0, 1, 8, 1, &arena, &f, &err));
        const int before = a.calls;
        for (int i = 0; i <= 1000; i++) {
            const double x = 0.001 * i;
            double got[3] = {0}, expected[3] = {0};
            const withy_status status = wy_piecewise_at(&f, x, got, &err);
            CHECK(status == (kind == 4 && x > 0.7 ? WITHY_BAD_INPUT : WITHY_OK));
            if (status != WITHY_OK) continue;
            sampled(&(asked){.kind = kind}, x, expected, NULL);
            for (int d = 0; d < 2; d++) CHECK_NEAR(got[d], expected[d], 1e-14);
        }
        const int called = a.calls - before;
        static const int least[] = {0, 0, 0, 1001, 300}, most[] = {0, 10, 10, 1001, 376};
        CHECK(called >= least[kind] && called <= most[kind]);
        CHECK(before <= 1500); /* noise is detected in two halvings */
        wy_arena_free(&arena);
    }
}

RUN(test(the_transform_is_its_own_inverse), test(the_series_of_a_pulse_is_that_of_the_thesis),
    test(differentiating_an_integral_returns_the_series_but_its_last_mode),
    test(resizing_keeps_the_polynomial),
    test(quadrature_without_the_top_mode_is_that_of_the_thesis),
    test(lobatto_weights_are_exact_to_degree_2n_minus_1),
    test(gauss_and_lobatto_on_the_unit_interval_are_exact_to_their_degree),
    test(on_lobatto_points_the_derivative_is_summation_by_parts),
    test(the_fast_derivative_is_the_matrix_derivative), test(lu_solves_a_system_and_its_transpose),
    test(a_sampled_function_is_repeated_to_rounding_and_asked_itself_where_it_is_not_smooth))
