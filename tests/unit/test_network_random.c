/* Random networks: trees and loops of rods, bodies and ground with joints of every kind. */
#include <stdlib.h>

#include "base/base.h"
#include "base/vec.h"
#include "check.h"
#include "random_network.h"

#ifdef __SANITIZE_ADDRESS__
enum { NETWORKS = 60, STEPS = 6 };
#else
enum { NETWORKS = 300, STEPS = 12 };
#endif

/* A place on a part that is there already, and where it is. */
static withy_place place_on(const network_problem *x, uint32_t *seed, vec3 *at) {
    const int parts = x->problem.rod_count + x->problem.body_count, k = below(seed, parts + 1) - 1;
    if (k < 0) {
        *at = any(seed);
        return on_ground(at->x, at->y, at->z);
    }
    return on_part(x, seed, k, at);
}

/* One more part, with a place of it at `at`. */
static withy_place add_part(network_problem *x, uint32_t *seed, vec3 at) {
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

static void any_law(withy_joint *j, uint32_t *seed) {
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

static void make(network_problem *x, uint32_t seed) {
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

TEST(random_networks_keep_their_energy_or_say_what_is_wrong) {
    static network_problem x;
    int moved = 0;
    for (uint32_t seed = 1; seed <= networks_wanted(NETWORKS); seed++) {
        withy_error err = {0};
        withy_sim *sim = NULL;
        make(&x, seed * 7919u);
        network_times(&x, STEPS * 0.01, STEPS * 0.01);
        const withy_status status = network_start(&x, "n=2 degree=2 dt=0.01", &sim, &err);
        if (status != WITHY_OK) {
            CHECK(status != WITHY_NO_MEMORY && strlen(err.text) > 20);
            withy_sim_destroy(sim);
            continue;
        }
        if (withy_sim_advance(sim, STEPS * 0.01, &err) == WITHY_OK) {
            const withy_stats stats = withy_sim_stats(sim);
            const withy_parts *parts = withy_sim_parts(sim);
            CHECK(parts != NULL && withy_sim_sample(sim, 0) != NULL);
            if (!(stats.energy_drift <= 1e-10) || !(stats.constraint_max <= 1e-11))
                fail_msg("network %u: drift %g, constraints %g", seed, stats.energy_drift,
                         stats.constraint_max);
            moved++;
        } else {
            CHECK(strlen(err.text) > 20);
            print_message("network %u: %s\n", seed, err.text);
        }
        withy_sim_destroy(sim);
    }
    CHECK(moved > (int)networks_wanted(NETWORKS) / 2);
}

TEST(random_networks_come_to_rest_or_say_why_not) {
    static network_problem x;
    for (uint32_t seed = 1; seed <= networks_wanted(NETWORKS) / 6; seed++) {
        withy_error err = {0};
        withy_sim *sim = NULL;
        withy_equilibrium at;
        make(&x, seed * 104729u);
        x.rod[0].end[0].kind = WITHY_END_CLAMPED;
        network_times(&x, 1, 1);
        if (network_start(&x, "n=2 degree=2 dt=0.01", &sim, &err) != WITHY_OK) continue;
        if (withy_sim_equilibrium(sim, 0.05, &at, &err) == WITHY_OK) {
            CHECK(withy_sim_sample(sim, 0) != NULL);
            CHECK_BELOW(withy_sim_stats(sim).constraint_max, 1e-9);
        } else {
            CHECK(strlen(err.text) > 20);
        }
        withy_sim_destroy(sim);
    }
}

RUN(test(random_networks_keep_their_energy_or_say_what_is_wrong),
    test(random_networks_come_to_rest_or_say_why_not))
