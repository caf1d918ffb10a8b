/* director_sweep.h - rods for which other programs fail: stiff, thin, small, soft, long, with steps
 * unrelated to their periods.  Every one must run to its end with a balanced ledger,
 * or stop with a stated cause.  For the test (short) and the study (long). */
#pragma once

#include <time.h>

#include "director_problems.h"

typedef struct director_sweep_row {
    withy_status status;
    double drift;   /* of the ledger, relative                     */
    double seconds; /* of the processor                            */
    int finite;     /* is every number of the last snapshot finite? */
    withy_stats stats;
    char text[WITHY_ERROR_TEXT];
} director_sweep_row;

enum { DIRECTOR_SWEEP = 64 };

/* A bend of two radians over the rod, growing along it, and a twist of one. */
static inline withy_status director_sweep_strain(void *context, double s, double t, double *out,
                                                 withy_error *err) {
    (void)t, (void)err;
    const double length = *(const double *)context;
    out[0] = 1.2 / length, out[1] = (1 + 2 * s / length) / length, out[2] = 1 / length;
    return WITHY_OK;
}

/* Row 0 .. 63: Young's modulus, slenderness, length, end pair and step in all mixtures. */
static inline void director_sweep_make(int row, director_problem *x, double *dt) {
    static const double young[4] = {1e4, 1e6, 1e9, 2e11};
    static const double radius[4] = {1e-5, 5e-4, 5e-3, 0.1};
    static const double slender[4] = {0.1, 0.01, 1e-3, 2e-4};
    static const double step[6] = {1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1};
    static const withy_end_kind kind[4] = {WITHY_END_CLAMPED, WITHY_END_PINNED, WITHY_END_FREE,
                                           WITHY_END_GUIDED};
    const double r = radius[row / 4 % 4];
    double length = r / slender[(row + row / 16) % 4];
    length = fmin(100, fmax(1e-3, length));
    director_plain(x, length, 2 * r, young[row % 4], young[row % 4] / 2.6, 1000);
    director_ends(x, kind[row % 4], kind[(row / 4 + row / 16) % 4]);
    x->context[0] = length;
    x->rod.initial.kind = WITHY_SHAPE_STRAIN;
    x->rod.initial.strain =
        (withy_field){.size = 3, .call = director_sweep_strain, .context = x->context};
    x->problem.gravity = (withy_vec3){0, 0, -9.81};
    *dt = step[(row * 5 + row / 6) % 6];
}

static inline director_sweep_row director_sweep_run(int row, int steps) {
    director_problem x;
    director_sweep_row out = {0};
    withy_error err = {0};
    withy_sim *sim;
    double dt;
    char options[96];
    director_sweep_make(row, &x, &dt);
    director_times(&x, steps * dt, dt);
    snprintf(options, sizeof options, "%s dt=%g", row % 3 ? "n=6 degree=3" : "n=20 degree=1", dt);
    const clock_t start = clock();
    out.status = director_start(&x, options, &sim, &err);
    for (int k = 1; k <= steps && out.status == WITHY_OK; k++)
        out.status = withy_sim_advance(sim, k * dt, &err);
    snprintf(out.text, sizeof out.text, "%s", err.text);
    if (!sim) return out;
    out.seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    out.finite = withy_sim_sample(sim, 0) != NULL;
    out.stats = withy_sim_stats(sim);
    out.drift = out.stats.energy_drift;
    withy_sim_destroy(sim);
    return out;
}
