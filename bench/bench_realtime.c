/* bench_realtime.c - robots in real time, with method director.
 *
 * gripper: three fingers of 16 elements with tendons on a body, at 1 kHz, the tendons set by an input between
 * steps; 99.9 % of the steps below 1 ms, and no allocation.  stewart: forward statics of six elastic legs with a
 * platform from pose to pose, median below 2 ms, and the workspace they reach.  Times are those of the processor
 * for this thread (CLOCK_THREAD_CPUTIME_ID), as the machine may be shared: they say what a machine of its own
 * would need, not when a step is ready on this one.
 */
#include <math.h>
#include <string.h>

#include "bench.h"
#include "cases.h"
#include "withy/withy.h"

enum { STEPS = 4000, POSES = 400 };

static double thread_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static withy_scene *scene_of(const char *name, const char *const *set, int count) {
    withy_error err = {0};
    withy_scene *scene = NULL;
    for (const wy_case *c = wy_cases; c->name; c++)
        if (strcmp(c->name, name) == 0 &&
            withy_scene_read_text(c->text, c->size, name, set, count, &scene, &err) != WITHY_OK)
            die(err.text);
    if (!scene) die("no such case");
    return scene;
}

static withy_sim *sim_of(const withy_scene *scene) {
    withy_error err = {0};
    withy_sim *sim = NULL;
    if (withy_scene_sim(scene, NULL, &sim, &err) != WITHY_OK) die(err.text);
    return sim;
}

static void gripper(const char *degree) {
    static double time[STEPS];
    char option[32];
    const char *set[] = {"inputs={}", "time.stop=4", option};
    snprintf(option, sizeof option, "options.degree=%s", degree);
    withy_scene *scene = scene_of("gripper", set, 3);
    withy_sim *sim = sim_of(scene);
    withy_error err = {0};
    const size_t takes = withy_memory_allocations();
    int late = 0;
    for (int k = 0; k < STEPS; k++) {
        const double t = 1e-3 * k; /* closes and opens twice, at once at 1.5 and 3.5 s */
        const double grip = fmod(t, 2) < 1.5 ? 0.4 * (1 - cos(2 * 3.14159265358979 * t / 1.5)) : 0;
        const double start = thread_time();
        if (withy_sim_input(sim, "grip", grip, &err) != WITHY_OK ||
            withy_sim_advance(sim, 1e-3 * (k + 1), &err) != WITHY_OK)
            die(err.text);
        time[k] = thread_time() - start;
        late += time[k] >= 1e-3;
    }
    const size_t taken = withy_memory_allocations() - takes;
    qsort(time, STEPS, sizeof *time, by_size);
    printf("gripper, 3 x 16 elements of degree %s, %d steps of 1 ms: median %.0f us, 99.9 %% below "
           "%.0f us, worst %.0f us, %.2f %% below 1 ms, %zu allocations, drift %.1e\n",
           degree, STEPS, 1e6 * time[STEPS / 2], 1e6 * time[STEPS - 1 - STEPS / 1000],
           1e6 * time[STEPS - 1], 100.0 * (STEPS - late) / STEPS, taken,
           withy_sim_stats(sim).energy_drift);
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
}

/* A leg as a controller drives it: where it leaves the base. */
typedef struct leg {
    double from[3], along[3], push;
} leg;

static withy_status leg_at(void *context, double s, double t, double *out, withy_error *err) {
    (void)s, (void)t, (void)err;
    const leg *x = context;
    for (int i = 0; i < 3; i++) out[i] = x->from[i] + x->push * x->along[i];
    return WITHY_OK;
}

/* The problem of the scene with its six legs in hand. */
static withy_problem driven(const withy_scene *scene, withy_rod rod[6], leg legs[6]) {
    withy_problem problem = *withy_scene_problem(scene);
    withy_error err = {0};
    for (int k = 0; k < 6; k++) {
        rod[k] = problem.rod[k];
        withy_end *end = &rod[k].end[0];
        double at[2][WITHY_FIELD_MAX];
        for (int i = 0; i < 2; i++)
            if (withy_field_at(i ? &end->tangent : &end->position, 0, 0, at[i], &err) != WITHY_OK)
                die(err.text);
        for (int i = 0; i < 3; i++) legs[k].from[i] = at[0][i], legs[k].along[i] = at[1][i];
        legs[k].push = 0;
        end->position = (withy_field){.size = 3, .call = leg_at, .context = &legs[k]};
    }
    problem.rod = rod, problem.model = NULL;
    return problem;
}

static void stewart(void) {
    static double time[POSES];
    withy_rod rod[6];
    leg legs[6];
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    withy_scene *scene = scene_of("stewart", NULL, 0);
    const withy_problem problem = driven(scene, rod, legs);
    withy_error err = {0};
    withy_sim *sim = NULL;
    withy_equilibrium at;
    if (withy_scene_sim_of(scene, &problem, NULL, &sim, &err) != WITHY_OK) die(err.text);
    int unstable = 0, iterations = 0;
    for (int k = 0; k < POSES; k++) {
        for (int i = 0; i < 6; i++) /* up and down, aside, tilted: incommensurable */
            legs[i].push = 0.02 * sin(0.05 * k) + 0.04 * sin(0.037 * k) * cos(i * 1.0472) +
                           0.04 * sin(0.023 * k) * sin(i * 1.0472);
        const double start = thread_time();
        if (withy_sim_equilibrium(sim, 1, &at, &err) != WITHY_OK) die(err.text);
        time[k] = thread_time() - start;
        unstable += at.negative > 0, iterations += at.iterations;
        const withy_vec3 r = withy_sim_parts(sim)->body[0].position;
        const double x[3] = {r.x, r.y, r.z};
        for (int i = 0; i < 3; i++) low[i] = fmin(low[i], x[i]), high[i] = fmax(high[i], x[i]);
    }
    qsort(time, POSES, sizeof *time, by_size);
    printf(
        "stewart, 6 legs of 4 elements of degree 3, %d poses: median %.2f ms, 99 %% below %.2f ms, "
        "worst %.2f ms, %.1f iterations, %d unstable; platform in x %.3f .. %.3f, y %.3f .. %.3f, "
        "z %.3f .. %.3f m\n",
        POSES, 1e3 * time[POSES / 2], 1e3 * time[POSES - 1 - POSES / 100], 1e3 * time[POSES - 1],
        (double)iterations / POSES, unstable, low[0], high[0], low[1], high[1], low[2], high[2]);
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
}

int main(void) {
    gripper("1");
    gripper("2");
    stewart();
    return 0;
}
