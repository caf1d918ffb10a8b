/* any_network.h - networks of rods, bodies and ground by number, for tests. */
#pragma once

#include "random_network.h"

/* A place on a part that is there already, and where it is. */
static inline withy_place place_on(const network_problem *x, uint32_t *seed, vec3 *at) {
    const int parts = x->problem.rod_count + x->problem.body_count, k = below(seed, parts + 1) - 1;
    if (k < 0) {
        *at = any(seed);
        return on_ground(at->x, at->y, at->z);
    }
    return on_part(x, seed, k, at);
}

/* One more part, with a place of it at `at`. */
static inline withy_place add_part(network_problem *x, uint32_t *seed, vec3 at) {
    if (noise(seed) < 0.2) {
        const vec3 along = v3_scale(0.4 + 0.3 * noise(seed), any_unit(seed));
        network_rod(x, at, v3_add(at, along), 0.02, 1e8 * (1.5 + noise(seed)), 1000);
        return on_rod(x->problem.rod_count - 1, 0);
    }
    const vec3 o = v3_scale(0.2, any(seed));
    const double j = 1e-2 * (1.5 + noise(seed));
    network_body(x, 1.5 + noise(seed), v3(j, 1.2 * j, 0.9 * j), v3_sub(at, o));
    return on_body(x->problem.body_count - 1, o.x, o.y, o.z);
}

static inline void any_law(withy_joint *j, uint32_t *seed) {
    if (j->kind == WITHY_JOINT_HINGE || j->kind == WITHY_JOINT_SLIDER) {
        if (noise(seed) < 0) j->spring = 5, j->rest = 0.1 * noise(seed);
        if (noise(seed) < 0)
            j->limited = 1, j->limit[0] = -0.1, j->limit[1] = 0.2, j->limit_stiffness = 50;
    }
    if (j->kind == WITHY_JOINT_SPRING) {
        j->stretch = v3(300, 200, 250), j->turn = v3(3, 4, 5);
    }
    if (j->kind == WITHY_JOINT_LINK && noise(seed) < 0) j->spring = 50;
}

/* A tree, and perhaps a loop, of rods, bodies and ground with joints of every kind. */
static inline void any_network(network_problem *x, uint32_t seed) {
    network_begin(x);
    x->problem.gravity = v3_scale(5, any(&seed));
    network_rod(x, v3(0, 0, 0), v3(0.7, 0, 0), 0.02, 1e8, 1000);
    const int parts = 2 + below(&seed, 5);
    for (int i = 0; i < parts; i++) {
        vec3 at;
        const withy_place first = place_on(x, &seed, &at);
        const withy_joint_kind kind = (withy_joint_kind)below(&seed, WITHY_JOINT_LINK + 1);
        const vec3 apart = kind == WITHY_JOINT_LINK ? v3_scale(0.3, any_unit(&seed)) : v3(0, 0, 0);
        const withy_place second = add_part(x, &seed, v3_add(at, apart));
        withy_joint *j = network_join(x, kind, first, second);
        const vec3 axis = any_unit(&seed);
        if (kind >= WITHY_JOINT_HINGE && kind <= WITHY_JOINT_PLANAR) j->axis = axis;
        if (kind == WITHY_JOINT_UNIVERSAL) j->axis2 = v3_orthogonal(axis);
        any_law(j, &seed);
    }
    if (noise(&seed) < 0) { /* and a loop */
        vec3 a, b;
        const withy_place first = place_on(x, &seed, &a), second = place_on(x, &seed, &b);
        if (v3_norm(v3_sub(a, b)) > 0.1 &&
            !(first.part == second.part && first.index == second.index))
            network_join(x, WITHY_JOINT_LINK, first, second);
    }
}
