/* Random networks: trees and loops of rods, bodies and ground with joints of every kind. */
#include <stdlib.h>

#include "any_network.h"
#include "base/base.h"
#include "base/vec.h"
#include "check.h"

#ifdef __SANITIZE_ADDRESS__
enum { NETWORKS = 60, STEPS = 6 };
#else
enum { NETWORKS = 300, STEPS = 12 };
#endif

TEST(random_networks_keep_their_energy_or_say_what_is_wrong) {
    static network_problem x;
    int moved = 0;
    for (uint32_t seed = 1; seed <= networks_wanted(NETWORKS); seed++) {
        withy_error err = {0};
        withy_sim *sim = NULL;
        any_network(&x, seed * 7919u);
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
        any_network(&x, seed * 104729u);
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
