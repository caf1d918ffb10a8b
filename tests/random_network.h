/* random_network.h - what tests of random networks draw from. */
#pragma once

#include <stdlib.h>

#include "base/vec.h"
#include "network_problems.h"
#include "random_number.h"

/* WITHY_TEST_NETWORKS=1000: as many networks, instead of `usual`. */
static inline uint32_t networks_wanted(uint32_t usual) {
    const char *given = getenv("WITHY_TEST_NETWORKS");
    return given ? (uint32_t)atoi(given) : usual;
}

static inline double noise(uint32_t *seed) {
    random_next(seed);
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

static inline int below(uint32_t *seed, int n) {
    const int k = (int)(0.5 * (noise(seed) + 1) * n);
    return k < n ? k : n - 1;
}

static inline vec3 any(uint32_t *seed) {
    const double x = noise(seed), y = noise(seed);
    return v3(x, y, noise(seed));
}

static inline vec3 any_unit(uint32_t *seed) {
    for (;;) {
        const vec3 v = any(seed);
        if (v3_norm(v) > 0.2) return v3_unit(v);
    }
}

/* A place on part k (rods, then bodies), and where it is. */
static inline withy_place on_part(const network_problem *x, uint32_t *seed, int k, vec3 *at) {
    if (k < x->problem.rod_count) {
        const withy_rod *rod = &x->rod[k];
        const double s = rod->length * 0.25 * below(seed, 5);
        *at = v3_axpy(rod->initial.from, s, rod->initial.along);
        return on_rod(k, s);
    }
    const withy_body *body = &x->body[k - x->problem.rod_count];
    const vec3 o = v3_scale(0.3, any(seed));
    *at = v3_add(body->position, o);
    return on_body(k - x->problem.rod_count, o.x, o.y, o.z);
}
