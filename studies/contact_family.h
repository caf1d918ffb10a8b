/* contact_family.h - random tangles and fast crossings of rods, which tests and studies share. */
#pragma once

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "network_golden.h"
#include "study/sim.h"

static inline double family_noise(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

static inline vec3 family_noise3(uint64_t *seed, double size) {
    const double x = family_noise(seed), y = family_noise(seed), z = family_noise(seed);
    return v3(size * x, size * y, size * z);
}

/* ---- tangles: rods that are thrown into a tube and fall on each other ---------------------------------------- */

/* Above the last one, in any direction near the horizontal. */
static inline void tangle_throw(network_problem *x, int k, int i, uint64_t *seed) {
    const double length = 0.1, a = WY_PI * family_noise(seed), tilt = 0.05 * family_noise(seed);
    const vec3 d = v3_unit(v3(cos(a), sin(a), tilt)), at = family_noise3(seed, 0.02);
    const vec3 m = v3(at.x, at.y, 0.08 + 0.012 * i);
    withy_rod *rod = network_rod(x, v3_axpy(m, -0.5 * length, d), v3_axpy(m, 0.5 * length, d), 2e-3,
                                 k % 4 == 3 ? 1e6 : 1e7, 1000);
    const vec3 v = family_noise3(seed, 1), w = family_noise3(seed, 20);
    rod->velocity = withy_field_vector(v.x, v.y, v.z - 1);
    rod->spin = withy_field_vector(w.x, w.y, w.z);
}

/* Of many tangles: such as stopped with a message, lost a number or energy, and the worst of the others. */
typedef struct tangle_tally {
    int stopped, lost, open, mute; /* mute: the message does not say when and which rods */
    double drift, deepest;
    char text[WITHY_ERROR_TEXT]; /* of the last that stopped */
} tangle_tally;

static inline int tangle_is_finite(withy_sim *sim, int rods) {
    int fine = 1;
    for (int i = 0; i < rods; i++) {
        const withy_snapshot *now = withy_sim_sample(sim, i);
        for (int j = 0; j < now->count; j++) fine &= v3_finite(now->position[j]);
    }
    return fine;
}

/* 100 steps of tangle k; the status is that of its start. */
static inline withy_status tangle_run(int k, tangle_tally *sum, withy_error *err) {
    static const double dt[3] = {5e-4, 1e-3, 3e-3};
    const withy_obstacle obstacle[2] = {
        {.kind = WITHY_OBSTACLE_PLANE},
        {.kind = WITHY_OBSTACLE_CYLINDER, .along = {0, 0, 1}, .radius = 0.1, .inside = 1}};
    uint64_t seed = 1 + 7919 * (uint64_t)k;
    network_problem x;
    char options[64];
    const int rods = 3 + k % 5;
    network_begin(&x);
    for (int i = 0; i < rods; i++) tangle_throw(&x, k, i, &seed);
    x.problem.gravity = v3(0, 0, -9.81);
    x.problem.contact = (withy_contact){.given = 1, .stiffness = 1e6};
    x.problem.contact.damping = k % 5 == 4 ? 0.2 : 0;
    for (int i = 0; i < WITHY_FRICTIONS; i++) x.problem.contact.friction[i] = k % 2 ? 0.3 : 0;
    x.problem.obstacle = obstacle, x.problem.obstacle_count = 2;
    network_times(&x, 100 * dt[k % 3], 10 * dt[k % 3]);
    snprintf(options, sizeof options, "n=%d degree=%d dt=%g", k % 4 == 3 ? 20 : 8,
             k % 7 == 6 ? 2 : 1, dt[k % 3]); /* soft rods need more */
    withy_sim *sim = NULL;
    WY_TRY(network_start(&x, options, &sim, err));
    if (withy_sim_advance(sim, 100 * dt[k % 3], err) != WITHY_OK) {
        sum->stopped++;
        sum->mute += !(strstr(err->text, "t = ") && strstr(err->text, "rods["));
        snprintf(sum->text, sizeof sum->text, "tangle %d, dt = %g: %.300s", k, dt[k % 3],
                 err->text);
    } else {
        const double drift = withy_sim_stats(sim).energy_drift;
        sum->lost += !tangle_is_finite(sim, rods);
        sum->open += !(drift <= 1e-10);
        sum->drift = fmax(sum->drift, drift);
        sum->deepest = fmax(sum->deepest, withy_sim_sample(sim, 0)->contact_depth);
    }
    withy_sim_destroy(sim);
    return WITHY_OK;
}

/* ---- crossings ------------------------------------------------------------------------------------------------ */

/* Rod 0 clamped at both ends along x; rod 1 flies at it from above, fast, across. */
static inline void crossing_make(network_problem *x, uint64_t *seed, double v) {
    network_begin(x);
    withy_rod *a =
        network_rod(x, network_vec(-0.25, 0, 0), network_vec(0.25, 0, 0), 0.002, 1e9, 1000);
    a->end[0].kind = a->end[1].kind = WITHY_END_CLAMPED;
    const double turn = 1.2 * family_noise(seed), tilt = 0.02 * family_noise(seed),
                 at = 0.1 * family_noise(seed);
    const double c = cos(turn), s = sin(turn), z = 0.02 + 0.01 * family_noise(seed);
    withy_rod *b = network_rod(x, network_vec(at - 0.15 * s, -0.15 * c, z - tilt),
                               network_vec(at + 0.15 * s, 0.15 * c, z + tilt), 0.002, 1e9, 1000);
    b->velocity =
        withy_field_vector(0.2 * v * family_noise(seed), 0.1 * v * family_noise(seed), -v);
    x->problem.contact.given = 1, x->problem.contact.pair = 1e6;
}

/* The rods cross seen along z: is the flying one below there? */
static inline int crossing_is_below(withy_sim *sim) {
    const withy_snapshot one = *withy_sim_sample(sim, 0);
    vec3 a[64], b[64];
    const int n = one.count < 64 ? one.count : 64;
    for (int i = 0; i < n; i++) a[i] = one.position[i];
    const withy_snapshot *two = withy_sim_sample(sim, 1);
    const int m = two->count < 64 ? two->count : 64;
    for (int i = 0; i < m; i++) b[i] = two->position[i];
    for (int i = 0; i + 1 < n; i++)
        for (int j = 0; j + 1 < m; j++) {
            const vec3 u = v3_sub(a[i + 1], a[i]), v = v3_sub(b[j + 1], b[j]),
                       d = v3_sub(b[j], a[i]);
            const double det = u.x * v.y - u.y * v.x;
            const double s = (d.x * v.y - d.y * v.x) / det, t = (d.x * u.y - d.y * u.x) / det;
            if (!(s >= 0 && s <= 1 && t >= 0 && t <= 1)) continue;
            return b[j].z + t * v.z < a[i].z + s * u.z;
        }
    return 0; /* they do not cross any more: it went round an end, or is off */
}

/* 10 m/s in steps of dt, four of them: how many pass through; *drift: the worst energy. */
static inline withy_status crossings_run(int count, uint64_t seed, double dt, int *through,
                                         double *drift, withy_error *err) {
    for (int k = 0; k < count; k++) {
        network_problem x;
        withy_sim *sim = NULL;
        char options[64];
        withy_status status = WITHY_OK;
        int below = 0;
        crossing_make(&x, &seed, 10);
        network_times(&x, 4 * dt, dt);
        snprintf(options, sizeof options, "n=10 degree=1 dt=%g", dt);
        WY_TRY(network_start(&x, options, &sim, err));
        for (int i = 1; i <= 4 && !below && status == WITHY_OK; i++) {
            status = withy_sim_advance(sim, i * dt, err);
            if (status == WITHY_OK) below = crossing_is_below(sim);
        }
        *through += below;
        *drift = fmax(*drift, withy_sim_stats(sim).energy_drift);
        withy_sim_destroy(sim);
        WY_TRY(status);
    }
    return WITHY_OK;
}
