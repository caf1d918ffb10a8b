/* bench_fdtd.c - how fast the explicit rod is, against what the machine can do.
 *
 * All times are processor time of this process, the best of a few repetitions, because the machine
 * may be shared.  The bound is the measured rate of independent fused multiply-adds on packs of
 * eight, divided by the 149 floating-point instructions of a step of eight nodes
 * (order 2).  A target is met when the rate is
 * reached or 65 % of the bound is; exit status 1 when one is missed.
 */
#include <string.h>

#include "bench.h"
#include "fdtd_problems.h"

enum { LANES = 8, STEP_INSTRUCTIONS = 149 };

typedef double pack __attribute__((vector_size(8 * LANES)));

static int broken;

/* Packs per second of independent a * b + c: twelve chains hide the latency. */
#if defined(__FMA__) && defined(__AVX512F__)
#define ADVANCE(x) __asm__ volatile("vfmadd213pd %1, %1, %0" : "+v"(x) : "v"(a))
#else
#define ADVANCE(x) x = x * a + a
#endif

static double instruction_rate(void) {
    double best = 0;
    for (int repeat = 0; repeat < 5; repeat++) {
        const pack a = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
        pack b = a, c = a, d = a, e = a, f = a, g = a, h = a, i = a, j = a, k = a, l = a, m = a;
        const int rounds = 2000000;
        const double start = processor();
        for (int r = 0; r < rounds; r++) {
            ADVANCE(b);
            ADVANCE(c);
            ADVANCE(d);
            ADVANCE(e);
            ADVANCE(f);
            ADVANCE(g);
            ADVANCE(h);
            ADVANCE(i);
            ADVANCE(j);
            ADVANCE(k);
            ADVANCE(l);
            ADVANCE(m);
        }
        const double took = processor() - start;
        const pack sum = b + c + d + e + f + g + h + i + j + k + l + m;
        volatile double sink = sum[0];
        (void)sink;
        best = fmax(best, 12.0 * rounds / took);
    }
    return best;
}

/* Node-steps per second [M], the best of some repetitions. */
static double rate_of(int rods, int n, int order, double steps) {
    withy_rod *rod = calloc((size_t)rods, sizeof *rod);
    withy_error err = {0};
    withy_sim *sim;
    double best = 0;
    if (!rod) die("no memory");
    for (int i = 0; i < rods; i++) {
        rod[i] = fd_string(65, WITHY_END_PINNED);
        fd_set_pluck(&rod[i], 2e-4);
    }
    fd_run how = {.n = n, .order = order, .stop = 1, .output = 1};
    const double dt = 5e-8;
    how.dt = dt, how.output = dt * steps, how.stop = 6 * how.output;
    if (fd_create(rod, rods, &how, &sim, &err) != WITHY_OK) die(err.text);
    for (int k = 1; k <= 6; k++) {
        const double start = processor();
        if (withy_sim_advance(sim, k * how.output, &err) != WITHY_OK) die(err.text);
        best = fmax(best, steps * n * rods / (processor() - start));
    }
    withy_sim_destroy(sim);
    free(rod);
    return best * 1e-6;
}

static void promise(const char *what, double got, double least, double bound) {
    const int kept = got >= least || got >= 0.65 * bound;
    printf("  %-44s %7.1f M node-steps/s (target %g, %3.0f %% of the bound)  %s\n", what, got,
           least, 100 * got / bound, kept ? "ok" : "MISSED");
    broken += !kept;
}

static void below(const char *what, double got, double most, const char *unit, const char *note) {
    printf("  %-44s %7.4g %s   (target <= %g) %s %s\n", what, got, unit, most, note,
           got <= most ? "ok" : "MISSED");
    broken += !(got <= most);
}

/* ---- scenes ---------------------------------------------------------------------------------- */

/* The regularised A string: processor seconds per second of sound, and its pitch in cents. */
static void real_time(void) {
    enum { RATE = 22050 };
    static double x[RATE];
    fd_sines sines = {.count = 1, .amplitude = {5e-6}};
    withy_rod rod = fd_string(65, WITHY_END_PINNED);
    fd_set_sines(&rod, &sines);
    const fd_run how = {.n = 40,
                        .order = 2,
                        .dt = 1.2e-6,
                        .stop = 1,
                        .output = 1.0 / RATE,
                        .stations = 3,
                        .regularised = 1};
    withy_error err = {0};
    withy_sim *sim;
    double least = INFINITY;
    if (fd_create(&rod, 1, &how, &sim, &err) != WITHY_OK) die(err.text);
    for (int k = 0; k < RATE; k++) {
        if (withy_sim_advance(sim, k * how.output, &err) != WITHY_OK) die(err.text);
        const withy_snapshot *snap = withy_sim_sample(sim, 0);
        x[k] = snap ? snap->position[1].x : NAN;
    }
    withy_sim_destroy(sim);
    withy_partial got;
    if (withy_partial_between(RATE, x, how.output, 350, 550, &got, &err) != WITHY_OK) die(err.text);
    const double cents = withy_cents(got.frequency, fd_pinned(65, 1));
    fd_run timed = how;
    timed.output = 0.2;
    for (int repeat = 0; repeat < 3; repeat++) {
        if (fd_create(&rod, 1, &timed, &sim, &err) != WITHY_OK) die(err.text);
        const double start = processor();
        if (withy_sim_advance(sim, 0.2, &err) != WITHY_OK) die(err.text);
        least = fmin(least, (processor() - start) / 0.2);
        withy_sim_destroy(sim);
    }
    below("regularised A string, CPU s per s of sound", least, 1.0 / 3, "s", "");
    below("... its pitch off by", fabs(cents), 1.0, "cent", "");
}

/* S3 of the speed comparison: a violin string, n = 50, 0.05 s, physical inertia, rounded pluck of 1 mm. */
static void violin(void) {
    withy_error err = {0};
    withy_rod rod = fd_string(65, WITHY_END_PINNED);
    rod.section.a = withy_field_number(0.3569e-3);
    rod.material.shear = 7.7e10;
    fd_set_pluck(&rod, 1e-3);
    const fd_run how = {.n = 50, .order = 2, .dt = 5.6e-8, .stop = 0.05, .output = 0.05};
    double least = INFINITY;
    for (int repeat = 0; repeat < 4; repeat++) {
        withy_sim *sim;
        const double start = processor();
        if (fd_create(&rod, 1, &how, &sim, &err) != WITHY_OK) die(err.text);
        if (withy_sim_advance(sim, 0.05, &err) != WITHY_OK) die(err.text);
        least = fmin(least, processor() - start);
        withy_sim_destroy(sim);
    }
    below("S3, violin string, n = 50, 0.05 s", least, 0.5, "s", "peers: 0.9 s, 44 s;");
}

/* S5: 1000 soft rods released from an arc, 0.1 s; tip against a converged reference. */
static void many(void) {
    enum { RODS = 1000 };
    static withy_rod rod[RODS];
    withy_error err = {0};
    const double L = 0.1, at[2][2] = {{0.0996686830902, 0.00528398660888},
                                      {0.0924449985385, -0.0331223078297}};
    for (int i = 0; i < RODS; i++) {
        rod[i] = withy_rod_default();
        rod[i].length = L;
        rod[i].section.a = withy_field_number(0.01);
        rod[i].material = (withy_material){1e6, 1e6 / 3, 1000};
        rod[i].initial = (withy_shape){.kind = WITHY_SHAPE_ARC,
                                       .along = {1, 0, 0},
                                       .normal = {0, 1, 0},
                                       .radius = L / (FD_PI / 4)};
        rod[i].end[0].kind = WITHY_END_CLAMPED;
    }
    double least = INFINITY, off = 0;
    const fd_run how = {.n = 20, .order = 2, .stop = 0.1, .output = 0.05};
    for (int repeat = 0; repeat < 3; repeat++) {
        withy_sim *sim;
        double took = processor();
        if (fd_create(rod, RODS, &how, &sim, &err) != WITHY_OK) die(err.text);
        for (int k = 0; k < 2; k++) {
            if (withy_sim_advance(sim, 0.05 * (k + 1), &err) != WITHY_OK) die(err.text);
            const withy_snapshot *snap = withy_sim_sample(sim, RODS - 1);
            off = fmax(
                off,
                hypot(snap->position[how.n].x - at[k][0], snap->position[how.n].y - at[k][1]) / L);
        }
        took = processor() - took;
        least = fmin(least, took);
        withy_sim_destroy(sim);
    }
    below("S5, 1000 rods, 0.1 s, n = 20", least, 1.0, "s", "peers: 4.1 s, 32 s;");
    below("... tip off by", 100 * off, 1.0, "% of L", "");
}

int main(void) {
    const double rate = instruction_rate();
    const double bound = rate * LANES / STEP_INSTRUCTIONS * 1e-6;
    printf("fdtd: %.2f G packs/s of multiply-adds = %.1f GF/s, so at most %.0f M node-steps/s at "
           "order 2\n",
           rate * 1e-9, rate * 1e-9 * 2 * LANES, bound);
    promise("order 2, one rod, n = 64", rate_of(1, 64, 2, 40000), 90, bound);
    promise("order 2, one rod, n = 256", rate_of(1, 256, 2, 10000), 90, bound);
    promise("order 2, 64 rods, n = 64", rate_of(64, 64, 2, 800), 140, bound);
    promise("order 4, 64 rods, n = 64", rate_of(64, 64, 4, 400), 70, bound);
    promise("order 6, 64 rods, n = 64", rate_of(64, 64, 6, 400), 60, bound);
    printf("  %-44s %7.1f and %.1f M node-steps/s\n", "orders 4 and 6, one rod, n = 64",
           rate_of(1, 64, 4, 20000), rate_of(1, 64, 6, 20000));
    real_time();
    violin();
    many();
    return broken ? 1 : 0;
}
