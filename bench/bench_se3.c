/* bench_se3.c - cost of a step of se3: real time, a robot at 1 kHz, growth with n, time to accuracy.
 *
 * Processor time of this thread, best of several runs, because the machine may be shared.  Exit
 * status 1 when a target is missed: test C at n = 100, dt = 0.01 at least 60 times faster than
 * real time; the tendon robot (n = 40) at 1 kHz with 99.9 % of its steps under 0.3 ms and without any
 * allocation; time per step growing no faster than n^1.15.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "director_problems.h"
#include "se3_problems.h"

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int failures;

static void promise(int kept, const char *text) {
    printf("  %s  %s\n", kept ? "kept  " : "BROKEN", text);
    failures += !kept;
}

/* Best seconds of a run of the notes' rod, and its statistics. */
static double time_run(withy_function shape, const char *options, double stop, int runs,
                       withy_stats *stats) {
    const withy_rod rod = se3_rod(shape, NULL);
    const withy_problem problem = se3_problem(&rod, stop, stop);
    double best = INFINITY;
    for (int k = 0; k < runs; k++) {
        withy_error err = {0};
        withy_sim *sim;
        if (se3_sim(&problem, options, &sim, &err) != WITHY_OK) die(err.text);
        const double start = seconds();
        if (withy_sim_advance(sim, stop, &err) != WITHY_OK) die(err.text);
        best = fmin(best, seconds() - start);
        *stats = withy_sim_stats(sim);
        withy_sim_destroy(sim);
    }
    return best;
}

static void real_time(void) {
    static const struct {
        const char *name, *options;
        withy_function shape;
    } row[] = {{"C", "n=100 dt=0.01", se3_shape_c},
               {"A", "n=100 dt=0.01", se3_shape_a},
               {"C", "n=100 dt=0.005", se3_shape_c},
               {"C", "n=100 dt=0.001", se3_shape_c},
               {"C", "n=25 dt=0.01", se3_shape_c},
               {"C", "n=50 dt=0.01", se3_shape_c},
               {"C", "n=400 dt=0.01", se3_shape_c},
               {"C", "n=100 dt=0.01 time=bdf2", se3_shape_c},
               {"C", "n=50 dt=0.01 scheme=rk4", se3_shape_c},
               {"A", "n=99 dt=0.01 scheme=notes", se3_shape_a}};
    double first = 0;
    printf("\none second of motion of the notes' rod\n  %-5s %-28s %6s %12s %14s %16s\n", "test",
           "options", "its", "us per step", "x real time", "us per cell, it");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        withy_stats stats = {0};
        const double took = time_run(row[i].shape, row[i].options, 1, i ? 3 : 15, &stats);
        const double steps = (double)stats.steps, its = (double)stats.iterations;
        const int cells = atoi(row[i].options + 2);
        if (i == 0) first = 1 / took;
        printf("  %-5s %-28s %6.2f %12.1f %14.1f %16.3f\n", row[i].name, row[i].options,
               its / steps, 1e6 * took / steps, 1 / took, 1e6 * took / its / cells);
    }
    promise(first >= 60, "test C, n = 100, dt = 0.01: at least 60 times real time");
}

static void growth(void) {
    withy_stats stats;
    const int n[] = {100, 1000, 10000};
    double took[3];
    printf("\ntime per step against n, test C, dt = 0.01\n");
    for (int k = 0; k < 3; k++) {
        char options[64];
        snprintf(options, sizeof options, "n=%d dt=0.01", n[k]);
        took[k] =
            time_run(se3_shape_c, options, k < 2 ? 0.2 : 0.1, 3, &stats) / (double)stats.iterations;
        printf("  n = %-6d %10.1f us per iteration, %.2f times per cell of n = 100\n", n[k],
               1e6 * took[k], took[k] / took[0] * 100 / n[k]);
    }
    const double exponent = log(took[2] / took[0]) / log(100);
    printf("  exponent %.3f\n", exponent);
    promise(exponent <= 1.15, "time per step grows no faster than n^1.15");
}

/* ---- the robot ---------------------------------------------------------------------------------- */

enum { TENDONS = 3, TICKS = 20000 };
static double tension[TENDONS];

static withy_status read_tension(void *context, double s, double t, double *out, withy_error *err) {
    (void)s, (void)t, (void)err;
    out[0] = *(const double *)context;
    return WITHY_OK;
}

static withy_rod robot(withy_load load[TENDONS]) {
    withy_rod rod = withy_rod_default();
    rod.length = 0.2;
    rod.material = (withy_material){.young = 60e9, .shear = 23e9, .density = 6450};
    rod.inertia[WITHY_MASS] = withy_field_number(0.05);
    for (int i = WITHY_ROTARY1; i <= WITHY_ROTARY3; i++) rod.inertia[i] = withy_field_number(2e-6);
    rod.damping_time = 0.02;
    for (int k = 0; k < TENDONS; k++) {
        const double angle = 2 * SE3_PI * k / TENDONS;
        load[k] = (withy_load){.kind = WITHY_LOAD_TENDON, .to = 0.2};
        load[k].route = (withy_field){.size = 2, .value = {8e-3 * cos(angle), 8e-3 * sin(angle)}};
        load[k].tension = (withy_field){.size = 1, .call = read_tension, .context = &tension[k]};
    }
    rod.load = load, rod.load_count = TENDONS;
    return rod;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Tensions jump every half second, the hardest case for a controller. */
static void one_kilohertz(void) {
    static double took[TICKS];
    withy_load load[TENDONS];
    const withy_rod rod = robot(load);
    withy_problem problem = se3_problem(&rod, TICKS * 1e-3, 1e-3);
    problem.gravity = (withy_vec3){0, 0, -9.81};
    withy_error err = {0};
    withy_sim *sim;
    if (se3_sim(&problem, "n=40 dt=0.001", &sim, &err) != WITHY_OK) die(err.text);
    const size_t takes = withy_memory_allocations();
    for (int k = 0; k < TICKS; k++) {
        if (k % 500 == 0)
            for (int i = 0; i < TENDONS; i++)
                tension[i] = 0.2 + 3 * ((k / 500 * 7 + i * 5) % 11) / 11.;
        const double start = seconds();
        if (withy_sim_advance(sim, 1e-3 * (k + 1), &err) != WITHY_OK) die(err.text);
        took[k] = seconds() - start;
    }
    const size_t taken = withy_memory_allocations() - takes;
    const withy_stats stats = withy_sim_stats(sim);
    withy_sim_destroy(sim);
    qsort(took, TICKS, sizeof *took, by_size);
    const double most = took[TICKS - 1 - TICKS / 1000];
    printf("\ntendon robot, n = 40, 1 kHz, %d steps: iterations mean %.2f, most %d\n", TICKS,
           (double)stats.iterations / (double)stats.steps, stats.iterations_max);
    printf("  median %.0f us, 99.9 %% below %.0f us, worst %.0f us, %zu allocations\n",
           1e6 * took[TICKS / 2], 1e6 * most, 1e6 * took[TICKS - 1], taken);
    promise(most < 3e-4, "99.9 % of the steps under 0.3 ms");
    promise(taken == 0, "no allocation");
}

/* ---- time to accuracy, scenes S1 and S2 of the speed comparison --------------------------------- */

static void to_accuracy(void) {
    static const char *const options[] = {"n=10 dt=0.005",   "n=20 dt=0.002",
                                          "n=40 dt=0.001",   "n=80 dt=0.0005",
                                          "n=160 dt=0.0002", "n=20 dt=0.001 scheme=rk4"};
    printf("\n0.5 s of S1 (release) and S2 (gravity): largest tip error over L at ten times\n");
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        for (int scene = 1; scene <= 2; scene++) {
            director_problem x;
            withy_error err = {0};
            withy_sim *sim;
            withy_option option[8];
            if (scene == 1)
                director_s1(&x);
            else
                director_s2(&x);
            if (withy_sim_create(&x.problem, "se3", option, se3_options_of(options[i], option),
                                 &sim, &err) != WITHY_OK)
                die(err.text);
            double worst = 0;
            const double start = seconds();
            for (int k = 0; k < 10; k++) {
                if (withy_sim_advance(sim, 0.05 * (k + 1), &err) != WITHY_OK) die(err.text);
                const withy_vec3 tip = se3_tip(sim);
                const double *expected = director_tips[scene - 1][k];
                worst = fmax(worst, hypot(tip.x - expected[0], tip.y - expected[1]) / SE3_L);
            }
            printf("  S%d %-26s %9.2f ms   error %.2e\n", scene, options[i],
                   1e3 * (seconds() - start), worst);
            withy_sim_destroy(sim);
        }
}

int main(void) {
    real_time();
    one_kilohertz();
    growth();
    to_accuracy();
    return failures ? 1 : 0;
}
