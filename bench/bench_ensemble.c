/* bench_ensemble.c - how fast many rods of one scene step: bench_ensemble [members [elements [engine [steps [threads [dt]]]]]].
 *
 * A soft arm, clamped and damped, in drag and under gravity, bent by six actions that differ from member to member (curvature
 * of three parts about two axes); nine observations.  A call makes 20 steps and moves actions in and
 * observations out.  One member is also advanced alone, without actions, for the rate of a single simulation.
 */
#include <string.h>

#include "base/wall_clock.h"
#include "bench.h"
#include "withy/withy.h"

enum { ACTIONS = 6, EACH = 20 };
static double DT = 1e-3;
static const double LENGTH = 0.4;

static withy_sim *make_sim(int n) {
    withy_error err = {0};
    withy_problem problem = withy_problem_default();
    static withy_rod rod; /* a simulation reads it as long as it lives */
    withy_sim *sim = NULL;
    const withy_option option[] = {{"n", n, ""}, {"degree", 1, ""}, {"dt", DT, ""}};
    rod = withy_rod_default(), rod.length = LENGTH, rod.section.a = withy_field_number(0.01);
    rod.material = (withy_material){1e6, 1e6 / 3, 1000};
    rod.damping_time = 2e-3, rod.drag_linear = 0.05, rod.drag_quadratic = 0.1;
    rod.initial =
        (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .along = {0, 0, -1}, .normal = {1, 0, 0}};
    rod.end[0].kind = WITHY_END_CLAMPED;
    problem.gravity = (withy_vec3){0, 0, -9.81};
    problem.rod = &rod, problem.rod_count = 1;
    problem.request.stop = 10000 * DT * EACH, problem.request.output = DT * EACH;
    if (withy_sim_create(&problem, "director", option, 3, &sim, &err) != WITHY_OK) die(err.text);
    return sim;
}

static double random_number(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 24) - 0.5;
}

int main(int argc, char **argv) {
    const int count = argc > 1 ? atoi(argv[1]) : 1024, n = argc > 2 ? atoi(argv[2]) : 20;
    const char *engine = argc > 3 ? argv[3] : "vector";
    const int calls = (argc > 4 ? atoi(argv[4]) : 200) / EACH;
    const int threads = argc > 5 ? atoi(argv[5]) : 0;
    if (argc > 6) DT = strtod(argv[6], NULL);
    withy_error err = {0};
    withy_action action[ACTIONS] = {{0}};
    for (int k = 0; k < ACTIONS; k++)
        action[k] = (withy_action){.on = WITHY_ACTS_REST,
                                   .part = 3 + k % 2,
                                   .ramp = 1,
                                   .from = LENGTH * (k / 2) / 3,
                                   .to = LENGTH * (k / 2 + 1) / 3};
    const withy_observed observe[] = {{WITHY_OBSERVES_POSITION, LENGTH},
                                      {WITHY_OBSERVES_VELOCITY, LENGTH},
                                      {WITHY_OBSERVES_POSITION, LENGTH / 2}};
    withy_ensemble_options how = withy_ensemble_default();
    how.engine = strcmp(engine, "opencl") == 0 ? WITHY_ENGINE_OPENCL : WITHY_ENGINE_VECTOR;
    how.threads = threads, how.action = action, how.action_count = ACTIONS;
    how.observe = observe, how.observe_count = 3;
    withy_sim *sim = make_sim(n);
    withy_ensemble *all;
    double start = wy_wall_clock();
    if (withy_ensemble_create(sim, count, &how, &all, &err) != WITHY_OK) die(err.text);
    const double made = wy_wall_clock() - start;
    double *in = calloc((size_t)count, ACTIONS * sizeof *in),
           *out = calloc((size_t)count, 9 * sizeof *out);
    int *failed = calloc((size_t)count, sizeof *failed);
    if (!in || !out || !failed) die("no memory");
    unsigned seed = 1;
    double device = 0;
    start = 0;
    for (int c = -2; c < calls; c++) { /* two calls to warm up */
        if (c == 0) start = wy_wall_clock(), device = withy_ensemble_seconds(all);
        for (int i = 0; i < count * ACTIONS; i++) in[i] = 0.98 * in[i] + 4.0 * random_number(&seed);
        if (withy_ensemble_step(all, EACH * DT, in, out, failed, &err) != WITHY_OK) die(err.text);
    }
    const double wall = wy_wall_clock() - start;
    device = withy_ensemble_seconds(all) - device;
    int bad = 0;
    for (int i = 0; i < count; i++) bad += failed[i];
    withy_sim *one;
    double iterations = 0, steps = 0;
    for (int i = 0; i < count; i += 1 + count / 64) {
        if (withy_ensemble_member(all, i, &one, &err) != WITHY_OK) die(err.text);
        iterations += (double)withy_sim_stats(one).iterations,
            steps += (double)withy_sim_stats(one).steps;
    }
    const double per = iterations / steps, made_steps = (double)count * calls * EACH;
    printf("%s\n%d members, n = %d: set-up %.3f s, %.2f iterations, %d failed\n",
           withy_ensemble_engine(all), count, n, made, per, bad);
    printf("whole call: %.4g M rod-steps/s, %.4g G element-iterations/s, %.1f ns each",
           made_steps / wall * 1e-6, made_steps / wall * n * per * 1e-9,
           wall / (made_steps * n * per) * 1e9);
    if (device > 0)
        printf("; device: %.4g M, %.4g G", made_steps / device * 1e-6,
               made_steps / device * n * per * 1e-9);
    const int alone = 400;
    start = wy_wall_clock();
    if (withy_sim_advance(sim, alone * DT, &err) != WITHY_OK) die(err.text);
    const double single = wy_wall_clock() - start;
    printf("\none alone: %.4g M rod-steps/s, %.1f ns for each element and iteration (%.2f "
           "iterations)\n",
           alone / single * 1e-6,
           single / (alone * n * (double)withy_sim_stats(sim).iterations / alone) * 1e9,
           (double)withy_sim_stats(sim).iterations / alone);
    withy_ensemble_destroy(all);
    withy_sim_destroy(sim);
    free(in), free(out), free(failed);
    return 0;
}
