/* bench_elastica.c - how the elastica's time per step grows with N, and what example 4 costs.
 *
 * Processor time, and ratios measured in one run, because the machine may be shared: times against N = 100 and a
 * fitted exponent; example 4 against a fixed loop of floating-point work.  Exit status 1 when the
 * target is missed: exponent at most 1.15, example 4 below 60 ms.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "numeric/linear/linear.h"
#include "withy/withy.h"
#ifdef WITHY_HAVE_LIB_LAPACK
#include <lapacke.h>
#endif

/* ---- example 4 of [EL]: a slightly bent rod, clamped upright, falls -------------------------- */

static withy_status bent(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)t, (void)err;
    out[0] = 100 * (cos(s / 100) - 1), out[1] = 0, out[2] = 100 * sin(s / 100);
    return WITHY_OK;
}

static withy_sim *falling_rod(int n, double dt) {
    static withy_rod rod;
    withy_problem problem = withy_problem_default();
    rod = (withy_rod){.name = "rod", .length = 10};
    rod.stiffness[WITHY_BEND1] = rod.stiffness[WITHY_BEND2] = withy_field_number(1);
    rod.inertia[WITHY_MASS] = withy_field_number(1);
    rod.damping[WITHY_BEND1] = rod.damping[WITHY_BEND2] = withy_field_number(0.1);
    rod.initial.kind = WITHY_SHAPE_CURVE;
    rod.initial.position = (withy_field){.size = 3, .call = bent};
    rod.end[0].kind = WITHY_END_CLAMPED;
    rod.end[0].tangent = withy_field_vector(0, 0, 1);
    problem.rod = &rod, problem.rod_count = 1;
    problem.gravity = (withy_vec3){0, 0, -0.2};
    problem.request.stop = 40, problem.request.output = dt;
    const withy_option option[] = {{.name = "n", .number = n}, {.name = "dt", .number = dt}};
    withy_sim *sim;
    withy_error err = {0};
    if (withy_sim_create(&problem, "elastica", option, 2, &sim, &err) != WITHY_OK) die(err.text);
    return sim;
}

static void advance(withy_sim *sim, double t) {
    withy_error err = {0};
    if (withy_sim_advance(sim, t, &err) != WITHY_OK) die(err.text);
}

/* The same floating-point work on every machine: 10^7 dependent multiplications and additions. */
static double reference_loop(void) {
    volatile double result;
    double x = 0.5;
    const double start = processor();
    for (int i = 0; i < 10000000; i++) x = x * 0.999 + 0.001;
    result = x;
    (void)result;
    return processor() - start;
}

/* Seconds of the best of several runs. */
static double example_4(withy_stats *stats) {
    double best = INFINITY;
    for (int run = 0; run < 5; run++) {
        const double start = processor();
        withy_sim *sim = falling_rod(20, 0.1);
        for (int k = 1; k <= 400; k++) {
            advance(sim, 0.1 * k);
            if (!withy_sim_sample(sim, 0)) die("no sample");
        }
        *stats = withy_sim_stats(sim);
        withy_sim_destroy(sim);
        best = fmin(best, processor() - start);
    }
    return best;
}

/* ---- time per step --------------------------------------------------------------------------- */

/* Slope of log(time) over log(N) by least squares. */
static double fitted_exponent(int count, const int *n, const double *time) {
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int i = 0; i < count; i++) {
        const double x = log(n[i]), y = log(time[i]);
        sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

/* Seconds of processor per step, over as many short runs as make all sizes take equally long: on a
 * shared machine a short measurement is less often disturbed than a long one. */
static double step_time(int n, withy_stats *stats) {
    enum { STEPS = 5, NODES = 10000 };
    double total = 0;
    for (int run = 0; run < NODES / n; run++) {
        withy_sim *sim = falling_rod(n, 0.1);
        advance(sim, 0.1);
        const double start = processor();
        advance(sim, 0.1 * (1 + STEPS));
        total += processor() - start;
        *stats = withy_sim_stats(sim);
        withy_sim_destroy(sim);
    }
    return total / STEPS / (NODES / n);
}

/* The sizes take turns, and the best turn of each counts. */
static double growth(void) {
    static const int n[] = {100, 200, 500, 1000, 2000, 5000, 10000};
    enum { COUNT = sizeof n / sizeof *n, ROUNDS = 6 };
    withy_stats stats[COUNT];
    double time[COUNT];
    for (int r = 0; r < ROUNDS; r++)
        for (int i = 0; i < COUNT; i++) {
            const double turn = step_time(n[i], &stats[i]);
            time[i] = r ? fmin(time[i], turn) : turn;
        }
    printf("falling rod, dt = 0.1\n%8s %12s %12s %14s %16s\n", "N", "ms/step", "x N=100",
           "iterations", "max ||x'|^2-1|");
    for (int i = 0; i < COUNT; i++)
        printf("%8d %12.4f %12.2f %14.2f %16.1e\n", n[i], 1e3 * time[i], time[i] / time[0],
               (double)stats[i].iterations / (double)stats[i].steps, stats[i].constraint_max);
    return fitted_exponent(COUNT, n, time);
}

/* ---- the banded LU against LAPACK ------------------------------------------------------------ */

#ifdef WITHY_HAVE_LIB_LAPACK
enum { ROWS = 2010, KL = 12, KU = 18, LD = 2 * KL + KU + 1 };

/* A band as sparse as the elastica's: a third of its entries, large next to the diagonal. */
static double entry(int i, int j) {
    const int partner = i ^ 1;
    if (j == partner) return 5;
    return (i * 7 + j * 13) % 3 == 0 && i != j ? sin(i + 2.0 * j) : 0;
}

static void against_lapack(void) {
    static double ab[LD * ROWS], rhs[ROWS];
    static lapack_int pivot[ROWS];
    wy_arena arena = {0};
    wy_banded m;
    double ours = INFINITY, theirs = INFINITY;
    if (wy_banded_take(&arena, ROWS, KL, KU, 1, &m, NULL) != WITHY_OK) die("no memory");
    for (int run = 0; run < 50; run++) {
        memset(ab, 0, sizeof ab);
        for (int i = 0; i < ROWS; i++)
            for (int j = i > KL ? i - KL : 0; j <= i + KU && j < ROWS; j++)
                ab[j * LD + KL + KU + i - j] = entry(i, j);
        for (int i = 0; i < ROWS; i++) rhs[i] = 1;
        double start = processor();
        wy_banded_begin(&m);
        for (int i = 0; i < ROWS; i++) {
            memset(wy_banded_row(&m, i), 0, (size_t)m.width * sizeof(double));
            for (int j = i > KL ? i - KL : 0; j <= i + KU && j < ROWS; j++)
                *wy_banded_at(&m, i, j) = ab[j * LD + KL + KU + i - j];
            if (!wy_banded_eliminate(&m, i + 1)) die("singular");
        }
        wy_banded_solve(&m, rhs);
        ours = fmin(ours, processor() - start);
        for (int i = 0; i < ROWS; i++) rhs[i] = 1;
        start = processor();
        LAPACKE_dgbtrf_work(LAPACK_COL_MAJOR, ROWS, ROWS, KL, KU, ab, LD, pivot);
        LAPACKE_dgbtrs_work(LAPACK_COL_MAJOR, 'N', ROWS, KL, KU, 1, ab, LD, pivot, rhs, ROWS);
        theirs = fmin(theirs, processor() - start);
    }
    wy_arena_free(&arena);
    printf("\nbanded LU and solve, %d rows, kl = %d, ku = %d, a third filled: ours %.3f ms, LAPACK "
           "%.3f ms, ratio %.2f\n",
           ROWS, KL, KU, 1e3 * ours, 1e3 * theirs, theirs / ours);
}
#else
static void against_lapack(void) {
}
#endif

int main(void) {
    withy_stats stats;
    const double exponent = growth();
    printf("fitted exponent %.3f (target: at most 1.15)\n", exponent);
    const double reference = reference_loop(), fall = example_4(&stats);
    printf("\nexample 4 (N = 20, 400 steps, every step sampled; twenty minutes in the source): "
           "%.1f ms, "
           "%.2f x the reference loop of %.1f ms\n",
           1e3 * fall, fall / reference, 1e3 * reference);
    printf("Newton matrices: %lld, at most %d a step (target: under 60 ms)\n",
           (long long)stats.iterations, stats.iterations_max);
    against_lapack();
    return exponent <= 1.15 && fall < 0.06 ? 0 : 1;
}
