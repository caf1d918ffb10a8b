/* bench_batch.c - how fast many rods are on a device, or eight to a vector: bench_batch [rods [opencl|vector [kinds]]].
 *
 * Strings of 32 intervals whose tensions differ, physical inertia.  Rates are intervals times steps: those of
 * the kernel by the clock of the device, and those of a whole withy_batch_advance, transfers and ledger
 * included, by the wall clock.  One member in sixty-four is also advanced alone for 1000 steps, and the
 * largest difference of its positions over the length is printed.
 */
#include <string.h>

#include "base/wall_clock.h"
#include "bench.h"
#include "fdtd_problems.h"

typedef struct ensemble {
    int count, order, n, probes, rich;
    withy_sim **sim;
    withy_rod *rod;
    withy_probe probe;
    withy_batch *batch;
} ensemble;

static const double STOP = 0.004, RATE = 48000;

static void make_one(ensemble *x, int i, withy_sim **sim) {
    withy_error err = {0};
    withy_problem problem = withy_problem_default();
    const withy_option option[] = {fd_option("n", x->n, ""), fd_option("order", x->order, "")};
    x->rod[i] = fd_string(60 + 10.0 * i / x->count, WITHY_END_PINNED);
    fd_set_pluck(&x->rod[i], 2e-4);
    if (x->rich) x->rod[i].damping_time = 1e-9, x->rod[i].drag_linear = 1e-3;
    problem.rod = &x->rod[i], problem.rod_count = 1;
    problem.request.stop = problem.request.output = STOP;
    problem.request.probe = &x->probe, problem.request.probe_count = 1;
    if (withy_sim_create(&problem, "fdtd", option, 2, sim, &err) != WITHY_OK) die(err.text);
}

static void make_ensemble(ensemble *x, withy_engine engine) {
    withy_error err = {0};
    withy_batch_options how = withy_batch_default();
    how.engine = engine;
    x->sim = calloc((size_t)x->count, sizeof(withy_sim *));
    x->rod = calloc((size_t)x->count, sizeof *x->rod);
    if (!x->sim || !x->rod) die("no memory");
    x->probe = (withy_probe){.name = "bridge", .at = 0.3 * FD_LENGTH, .every = 1 / RATE};
    snprintf(x->probe.what, sizeof x->probe.what, x->probes ? "position" : "velocity");
    for (int i = 0; i < x->count; i++) make_one(x, i, &x->sim[i]);
    if (withy_batch_create(x->sim, x->count, &how, &x->batch, &err) != WITHY_OK) die(err.text);
}

static void free_ensemble(ensemble *x) {
    withy_batch_destroy(x->batch);
    for (int i = 0; i < x->count; i++) withy_sim_destroy(x->sim[i]);
    free(x->sim), free(x->rod);
}

/* After 1000 steps. */
static double difference(ensemble *x) {
    double most = 0;
    withy_error err = {0};
    const double t = 1000 * withy_sim_step(x->sim[0]);
    if (withy_batch_advance(x->batch, t, &err) != WITHY_OK) die(err.text);
    for (int i = 0; i < x->count; i += 64) {
        withy_sim *alone;
        make_one(x, i, &alone);
        if (withy_sim_advance(alone, t, &err) != WITHY_OK) die(err.text);
        const withy_snapshot *a = withy_sim_sample(alone, 0), *b = withy_sim_sample(x->sim[i], 0);
        for (int k = 0; k < a->count; k++) {
            const withy_vec3 p = a->position[k], q = b->position[k];
            most = fmax(most, sqrt((p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y) +
                                   (p.z - q.z) * (p.z - q.z)) /
                                  FD_LENGTH);
        }
        withy_sim_destroy(alone);
    }
    return most;
}

static void measure(const char *what, ensemble x, withy_engine engine) {
    withy_error err = {0};
    const double start = wy_wall_clock();
    make_ensemble(&x, engine);
    const double made = wy_wall_clock() - start, off = difference(&x);
    const double device = withy_batch_seconds(x.batch), elapsed = wy_wall_clock();
    const double from = withy_sim_time(x.sim[0]), h = withy_sim_step(x.sim[0]);
    if (withy_batch_advance(x.batch, STOP, &err) != WITHY_OK) die(err.text);
    const double work = (STOP - from) / h * x.n * x.count;
    const double took = wy_wall_clock() - elapsed, own = withy_batch_seconds(x.batch) - device;
    int64_t records = 0;
    withy_batch_probe(x.batch, 0, 0, &records);
    printf("%-26s %6d rods: kernel %8.3f G/s, advance %8.3f G/s (%.2f s), made in %.2f s, %lld "
           "records, off %.1e   %s\n",
           what, x.count, own > 0 ? 1e-9 * work / own : 0, 1e-9 * work / took, took, made,
           (long long)records, off, withy_batch_engine(x.batch));
    fflush(stdout);
    free_ensemble(&x);
}

int main(int argc, char **argv) {
    const int rods = argc > 1 ? atoi(argv[1]) : 64;
    const withy_engine engine =
        argc > 2 && strcmp(argv[2], "vector") == 0 ? WITHY_ENGINE_VECTOR : WITHY_ENGINE_OPENCL;
    const int kinds = argc > 3 ? atoi(argv[3]) : 5;
    static const struct {
        const char *what;
        ensemble x;
    } list[] = {{"order 2", {.order = 2}},
                {"order 2, a probe at 48 kHz", {.order = 2, .probes = 1}},
                {"order 2, damped, a probe", {.order = 2, .probes = 1, .rich = 1}},
                {"order 4", {.order = 4}},
                {"order 6", {.order = 6}}};
    for (int i = 0; i < kinds && i < 5; i++) {
        ensemble x = list[i].x;
        x.count = rods, x.n = 32;
        measure(list[i].what, x, engine);
    }
    return 0;
}
