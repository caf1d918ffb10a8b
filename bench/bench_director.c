/* bench_director.c - cost of the director method: per element and iteration, with n, and to an
 * accuracy.
 *
 *   bench_director             the targets, in about half a minute; exit status 1 if one is missed
 *   bench_director --sweep     every setting tried, one line each: scene p n dt order error ms
 *
 * Processor time, the least of several repetitions, because the machine may be shared; every figure
 * is printed also divided by a fixed loop of floating-point work timed in the same run.  The best peers are those of the speed comparison (EXUDYN, PyElastica).
 */
#include <string.h>

#include "bench.h"
#include "cases.h"
#include "director_problems.h"

static int broken;

/* 10^6 dependent multiplications and additions: the same work on every machine. */
static double reference(void) {
    double best = INFINITY;
    for (int k = 0; k < 20; k++) {
        volatile double result;
        double x = 0.5;
        const double start = processor();
        for (int i = 0; i < 1000000; i++) x = x * 0.999 + 0.001;
        result = x;
        (void)result;
        best = fmin(best, processor() - start);
    }
    return best;
}

static void promise(const char *what, double value, const char *unit, double per, double limit) {
    const int kept = value <= limit;
    broken += !kept;
    printf("  %-46s %10.4g %-3s  at most %8.4g  %7.3g ref  %s\n", what, value, unit, limit, per,
           kept ? "ok" : "BROKEN");
}

/* ---- per element and iteration ------------------------------------------------------------------ */

/* Swinging cantilever, n elements: processor time per element and Newton iteration, all included. */
static double per_element(int n, int degree, int steps, double *per_step) {
    double best = INFINITY;
    for (int k = 0; k < 5; k++) {
        director_problem x;
        withy_sim *sim;
        withy_error err = {0};
        char options[64];
        const double dt = 2.5e-3;
        director_s2(&x);
        director_times(&x, steps * dt, steps * dt);
        snprintf(options, sizeof options, "n=%d degree=%d dt=%g", n, degree, dt);
        if (director_start(&x, options, &sim, &err) != WITHY_OK) die(err.text);
        const double start = processor();
        if (withy_sim_advance(sim, steps * dt, &err) != WITHY_OK) die(err.text);
        const double time = processor() - start;
        const withy_stats stats = withy_sim_stats(sim);
        if (time / ((double)stats.iterations * n) < best) {
            best = time / ((double)stats.iterations * n);
            *per_step = time / steps;
        }
        withy_sim_destroy(sim);
        if (n > 20000) break;
    }
    return best;
}

static void costs(double unit) {
    double step;
    printf("cost per element and Newton iteration (n = 100), steps included\n");
    for (int p = 1; p <= 4; p++) {
        static const double limit[5] = {0, 400, INFINITY, 2000, INFINITY};
        char name[64];
        const double ns = 1e9 * per_element(100, p, 60, &step);
        snprintf(name, sizeof name, "degree %d", p);
        promise(name, ns, "ns", 1e-9 * ns / unit, limit[p]);
    }
}

static void scaling(double unit) {
    static const int n[4] = {100, 1000, 10000, 100000};
    double step[4], sx = 0, sy = 0, sxx = 0, sxy = 0;
    printf("time per step with n, degree 1\n");
    for (int i = 0; i < 4; i++) {
        const double ns = 1e9 * per_element(n[i], 1,
                                            n[i] > 20000  ? 3
                                            : n[i] > 5000 ? 6
                                                          : 20,
                                            &step[i]);
        const double a = log(n[i]), b = log(step[i]);
        sx += a, sy += b, sxx += a * a, sxy += a * b;
        printf("  n = %-7d %10.4g ms a step, %6.4g ns per element and iteration, %8.4g ref\n", n[i],
               1e3 * step[i], ns, step[i] / unit);
    }
    promise("exponent", (4 * sxy - sx * sy) / (4 * sxx - sx * sx), "", 0, 1.1);
}

/* ---- time to accuracy --------------------------------------------------------------------------- */

typedef struct setting {
    int n, degree, order, plain;
    double dt, error, ms;
} setting;

static double time_of(int scene, setting *s, int repeat) {
    char options[96];
    withy_error err = {0};
    snprintf(options, sizeof options, "n=%d degree=%d order=%d dt=%.17g%s", s->n, s->degree,
             s->order, s->dt, s->plain ? " plain=true" : "");
    s->ms = INFINITY;
    for (int k = 0; k < repeat; k++) {
        const double start = processor();
        if (director_tip_error(scene, options, &s->error, &err) != WITHY_OK) die(err.text);
        s->ms = fmin(s->ms, 1e3 * (processor() - start));
    }
    return s->error;
}

/* The settings that reach an accuracy fastest, found by --sweep on the reference known: best of
 * sweep, as the figures of the peers are. */
static void accuracy(double unit) {
    static const struct {
        int scene;
        double error, ms, peer;
        setting s;
    } row[] = {
        {2, 1e-2, 2, 7, {2, 3, 2, 0, 0.05 / 7, 0, 0}},
        {2, 1e-3, 5, 7, {2, 3, 4, 0, 0.05 / 7, 0, 0}},
        {2, 1e-4, 15, 68, {3, 3, 4, 0, 0.05 / 21, 0, 0}},
        {1, 1e-2, 10, 15, {3, 2, 2, 0, 1.25e-3, 0, 0}},
        {1, 1e-3, 250, 2700, {3, 4, 2, 1, 1e-4, 0, 0}},
    };
    printf("time to accuracy, 0.5 s of motion, largest tip error over L at 10 instants\n");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        setting s = row[i].s;
        char name[96];
        time_of(row[i].scene, &s, row[i].error < 2e-3 && row[i].scene == 1 ? 3 : 10);
        snprintf(name, sizeof name, "S%d to %g %%: p%d n%d order %d%s, error %.2g", row[i].scene,
                 100 * row[i].error, s.degree, s.n, s.order, s.plain ? " plain" : "", s.error);
        promise(name, s.error <= row[i].error ? s.ms : INFINITY, "ms", 1e-3 * s.ms / unit,
                row[i].ms);
        printf("  %46s best peer %g ms\n", "", row[i].peer);
    }
}

static void statics(double unit) {
    printf("statics (S4), each answer\n");
    for (int which = 0; which < 2; which++) {
        double best = INFINITY;
        for (int k = 0; k < 10; k++) {
            director_problem x;
            withy_sim *sim;
            withy_equilibrium at;
            withy_error err = {0};
            director_s4(&x, 0.01);
            if (which == 0)
                x.rod.end[1].moment = withy_field_vector(0, 0, 2 * DIRECTOR_PI);
            else
                x.rod.end[1].force = withy_field_vector(0, 10, 0);
            const double start = processor();
            if (director_start(&x, "n=8 degree=3", &sim, &err) != WITHY_OK ||
                withy_sim_equilibrium(sim, 1, &at, &err) != WITHY_OK)
                die(err.text);
            best = fmin(best, 1e3 * (processor() - start));
            withy_sim_destroy(sim);
        }
        promise(which ? "dead force 10 EI/L^2, degree 3, n 8"
                      : "end moment 2 pi EI/L, degree 3, n 8",
                best, "ms", 1e-3 * best / unit, 2);
    }
}

/* Every setting, for the table and the picture: withy's bench/director.gp draws it. */
static void sweep(void) {
    static const double step[] = {25e-3,  12.5e-3, 0.05 / 6, 6.25e-3, 5e-3,
                                  2.5e-3, 1.25e-3, 5e-4,     2.5e-4,  1e-4};
    static const int element[] = {1, 2, 3, 4, 6, 8, 12, 20, 40};
    printf("# scene degree n order dt error ms\n");
    for (int scene = 1; scene <= 2; scene++)
        for (int degree = 1; degree <= 4; degree++)
            for (size_t e = 0; e < sizeof element / sizeof *element; e++)
                for (int order = 2; order <= 4; order += 2)
                    for (size_t k = 0; k < sizeof step / sizeof *step; k++) {
                        const int nodes = element[e] * degree;
                        if (nodes < 3 || nodes > (degree == 1 ? 40 : 24)) continue;
                        if (order == 4 && step[k] < 1e-3) continue;
                        if (nodes / step[k] > 2e5) continue;
                        setting s = {element[e], degree, order, 0, step[k], 0, 0};
                        time_of(scene, &s, 2);
                        printf("%d %d %d %d %.6g %.4e %.4g\n", scene, degree, s.n, order, s.dt,
                               s.error, s.ms);
                    }
}

/* ---- real time -------------------------------------------------------------------------------------- */

static const char cantilever[] =
    "return { rod = { length = 1, section = circle { diameter = 0.01 },\n"
    "  material = { young = 5e10, shear = 2e10, density = 2000 } }, gravity = { 0, -9.81, 0 },\n"
    "  initial = { shape = straight { along = { 1, 0, 0 } } }, ends = { start = clamped {} },\n"
    "  time = { stop = 1, output = 0.05 }, method = 'director', options = { n = 10, dt = 1e-3 } }";

/* Processor time of a run over the time it simulates, the least of three. */
static double slowness(const char *text, size_t size, const char *name) {
    double best = INFINITY;
    for (int k = 0; k < 3; k++) {
        withy_error err = {0};
        withy_scene *scene;
        withy_report report;
        const withy_run_setup setup = {0};
        if (withy_scene_read_text(text, size, name, NULL, 0, &scene, &err) != WITHY_OK)
            die(err.text);
        const double start = processor();
        if (withy_run(scene, &setup, &report, &err) != WITHY_OK) die(err.text);
        best = fmin(best, (processor() - start) / report.t);
        withy_scene_destroy(scene);
    }
    return best;
}

static void real_time(double unit) {
    printf("\nreal time at steps of 1 ms: processor time per simulated second\n");
    for (const wy_case *c = wy_cases; c->name; c++) {
        if (strcmp(c->name, "suture_thread") != 0) continue;
        const double suture = slowness(c->text, c->size, c->name);
        promise("suture thread, n = 50", suture, "s/s", suture / unit, 1.0);
    }
    const double beam = slowness(cantilever, sizeof cantilever - 1, "cantilever");
    promise("50 GPa cantilever, n = 10", beam, "s/s", beam / unit, 1.0);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "--sweep") == 0) {
        sweep();
        return 0;
    }
    const double unit = reference();
    printf("reference loop (ref): %.4g ms\n", 1e3 * unit);
    costs(unit);
    scaling(unit);
    accuracy(unit);
    statics(unit);
    real_time(unit);
    return broken ? 1 : 0;
}
