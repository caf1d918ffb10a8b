/* ensemble.c - 4096 members for 10 000 steps with actions at random, resets, and members that are driven to failure: every
 * number is finite, every failure has its message, and memory does not grow.  ensemble [members [calls [vector|opencl]]]. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "withy/withy.h"

enum { EACH = 10, ACTIONS = 4, OBSERVED = 18 };
static const double DT = 5e-3;
static withy_rod rod;

static void fail(const char *what, const char *why) {
    fprintf(stderr, "ensemble: %s: %s\n", what, why);
    exit(1);
}

static unsigned seed = 1;
static double number(void) {
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / (1 << 24);
}

static long memory(void) {
    struct rusage now;
    getrusage(RUSAGE_SELF, &now);
    return now.ru_maxrss;
}

static withy_sim *make_sim(void) {
    withy_error err;
    withy_sim *sim = NULL;
    withy_problem problem = withy_problem_default();
    const withy_option option[] = {
        {"n", 6, ""}, {"degree", 1, ""}, {"dt", DT, ""}, {"halvings", 4, ""}};
    rod = withy_rod_default();
    rod.length = 0.4, rod.section.a = withy_field_number(0.01);
    rod.material = (withy_material){1e6, 1e6 / 3, 1000};
    rod.damping_time = 5e-3, rod.drag_linear = 0.2;
    rod.initial =
        (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .along = {0, 0, -1}, .normal = {1, 0, 0}};
    rod.end[0].kind = WITHY_END_CLAMPED;
    problem.gravity = (withy_vec3){0, 0, -9.81}, problem.rod = &rod, problem.rod_count = 1;
    problem.request.stop = 1e4 * DT, problem.request.output = EACH * DT;
    if (withy_sim_create(&problem, "director", option, 4, &sim, &err)) fail("create", err.text);
    return sim;
}

static withy_ensemble *make(int count, withy_engine engine) {
    static const withy_action action[ACTIONS] = {
        {.on = WITHY_ACTS_REST, .part = 3},
        {.on = WITHY_ACTS_REST, .part = 4, .from = 0.2, .to = 0.4},
        {.on = WITHY_ACTS_POSE, .part = 0, .ramp = 1},
        {.on = WITHY_ACTS_LOAD, .part = 7}};
    static const withy_observed observe[] = {
        {WITHY_OBSERVES_POSITION, 0.4}, {WITHY_OBSERVES_FRAME, 0.2}, {WITHY_OBSERVES_STRAIN, 0.1}};
    withy_error err;
    withy_ensemble *all = NULL;
    withy_sim *sim = make_sim();
    withy_ensemble_options how = withy_ensemble_default();
    how.engine = engine, how.action = action, how.action_count = ACTIONS, how.observe = observe;
    how.observe_count = 3;
    if (withy_ensemble_create(sim, count, &how, &all, &err)) fail("create", err.text);
    withy_sim_destroy(sim);
    return all;
}

int main(int argc, char **argv) {
    const int count = argc > 1 ? atoi(argv[1]) : 4096, calls = argc > 2 ? atoi(argv[2]) : 1000;
    const int opencl = argc > 3 && strcmp(argv[3], "opencl") == 0;
    withy_error err;
    withy_ensemble *all = make(count, opencl ? WITHY_ENGINE_OPENCL : WITHY_ENGINE_VECTOR);
    double *in = calloc((size_t)count, ACTIONS * sizeof *in),
           *out = calloc((size_t)count, OBSERVED * sizeof *out);
    int *failed = calloc((size_t)count, sizeof *failed),
        *list = calloc((size_t)count, sizeof *list);
    if (!in || !out || !failed || !list) fail("memory", "none");
    long failures = 0, resets = 0, before = 0;
    for (int c = 0; c < calls; c++) {
        int again = 0;
        for (int i = 0; i < count; i++) {
            double *a = in + i * ACTIONS;
            const int wild = number() < 0.001; /* one in a hundred within ten calls */
            a[0] = (wild ? 2000 : 8) * (number() - 0.5), a[1] = 8 * (number() - 0.5);
            a[2] = 0.05 * (number() - 0.5), a[3] = (wild ? 100 : 0.02) * (number() - 0.5);
        }
        if (withy_ensemble_step(all, EACH * DT, in, out, failed, &err)) fail("step", err.text);
        for (int i = 0; i < count * OBSERVED; i++)
            if (!isfinite(out[i])) fail("observation", "a number is not finite");
        for (int i = 0; i < count; i++) {
            const withy_status why = withy_ensemble_failure(all, i, &err);
            if ((why != WITHY_OK) != failed[i])
                fail("failure", "the mark and the message disagree");
            if (failed[i] && strlen(err.text) < 40) fail("failure", "no message");
            failures += failed[i];
            if (failed[i] || number() < 0.01) list[again++] = i;
        }
        resets += again;
        if (withy_ensemble_reset(all, list, again, &err)) fail("reset", err.text);
        if (c == calls / 10) before = memory();
    }
    if (memory() > before + 256) fail("memory", "it grows");
    if (failures == 0) fail("failures", "there was none: the test proves nothing");
    printf("%d members, %d steps, %s: %ld failures with their messages, %ld resets\n", count,
           calls * EACH, withy_ensemble_engine(all), failures, resets);
    withy_ensemble_destroy(all);
    free(in), free(out), free(failed), free(list);
    return 0;
}
