/* test_tangles.c - random tangles: rods that are thrown into a tube and fall on each other.
 *
 *     test_tangles [COUNT [FIRST]]      COUNT tangles (12 in the suite, 500 in full)
 *
 * Each goes on to its end with its energy accounted for, or stops with a sentence that says where and which pair;
 * no number is ever lost.
 * slow under sanitizers
 */
#include <stdlib.h>
#include <time.h>

#include "check.h"
#include "network_golden.h"
#include "study/sim.h"

static int tangles = 12, first = 0;

static double noise(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

static vec3 noise3(uint64_t *seed, double size) {
    const double x = noise(seed), y = noise(seed), z = noise(seed);
    return v3(size * x, size * y, size * z);
}

/* Above the last one, in any direction near the horizontal. */
static void throw_rod(network_problem *x, int k, int i, uint64_t *seed) {
    const double length = 0.1, a = WY_PI * noise(seed), tilt = 0.05 * noise(seed);
    const vec3 d = v3_unit(v3(cos(a), sin(a), tilt)), at = noise3(seed, 0.02);
    const vec3 m = v3(at.x, at.y, 0.08 + 0.012 * i);
    withy_rod *rod = network_rod(x, v3_axpy(m, -0.5 * length, d), v3_axpy(m, 0.5 * length, d), 2e-3,
                                 k % 4 == 3 ? 1e6 : 1e7, 1000);
    const vec3 v = noise3(seed, 1), w = noise3(seed, 20);
    rod->velocity = withy_field_vector(v.x, v.y, v.z - 1);
    rod->spin = withy_field_vector(w.x, w.y, w.z);
}

typedef struct tally {
    int stopped, lost, open;
    double drift, deepest;
} tally;

static int is_finite(withy_sim *sim, int rods) {
    int fine = 1;
    for (int i = 0; i < rods; i++) {
        const withy_snapshot *now = withy_sim_sample(sim, i);
        for (int j = 0; j < now->count; j++) fine &= v3_finite(now->position[j]);
    }
    return fine;
}

static void one(int k, tally *sum) {
    static const double dt[3] = {5e-4, 1e-3, 3e-3};
    const withy_obstacle wall[2] = {
        {.kind = WITHY_OBSTACLE_PLANE},
        {.kind = WITHY_OBSTACLE_CYLINDER, .along = {0, 0, 1}, .radius = 0.1, .inside = 1}};
    uint64_t seed = 1 + 7919 * (uint64_t)k;
    network_problem x;
    char options[64];
    const int rods = 3 + k % 5;
    network_begin(&x);
    for (int i = 0; i < rods; i++) throw_rod(&x, k, i, &seed);
    x.problem.gravity = v3(0, 0, -9.81);
    x.problem.contact = (withy_contact){.given = 1, .stiffness = 1e6};
    x.problem.contact.damping = k % 5 == 4 ? 0.2 : 0;
    for (int i = 0; i < WITHY_FRICTIONS; i++) x.problem.contact.friction[i] = k % 2 ? 0.3 : 0;
    x.problem.obstacle = wall, x.problem.obstacle_count = 2;
    network_times(&x, 100 * dt[k % 3], 10 * dt[k % 3]);
    snprintf(options, sizeof options, "n=%d degree=%d dt=%g", k % 4 == 3 ? 20 : 8,
             k % 7 == 6 ? 2 : 1, dt[k % 3]); /* soft rods need more */
    withy_error err = {0};
    withy_sim *sim = NULL;
    CHECK_OK(network_start(&x, options, &sim, &err));
    const withy_status status = withy_sim_advance(sim, 100 * dt[k % 3], &err);
    const withy_stats stats = withy_sim_stats(sim);
    if (status != WITHY_OK) {
        sum->stopped++;
        print_message("tangle %d, dt = %g: %s\n", k, dt[k % 3], err.text);
        CHECK(strstr(err.text, "t = ") && strstr(err.text, "rods["));
    } else {
        sum->lost += !is_finite(sim, rods);
        sum->open += !(stats.energy_drift <= 1e-10);
        sum->drift = fmax(sum->drift, stats.energy_drift);
        sum->deepest = fmax(sum->deepest, withy_sim_sample(sim, 0)->touch_depth);
    }
    withy_sim_destroy(sim);
}

TEST(random_tangles_lose_no_number_and_no_energy_and_say_where_they_cannot_go_on) {
    (void)unused_state;
    tally sum = {0};
    const clock_t begun = clock();
    for (int k = first; k < first + tangles; k++) one(k, &sum);
    print_message("%d tangles: %d stopped, %d without numbers, energy to %.1e, deepest %.2f of the "
                  "radii, %.1f s\n",
                  tangles, sum.stopped, sum.lost, sum.drift, sum.deepest,
                  (double)(clock() - begun) / CLOCKS_PER_SEC);
    CHECK(sum.lost == 0 && sum.open == 0);
    CHECK(sum.stopped <= tangles / 10);
}

int main(int argc, char **argv) {
    if (argc > 1) tangles = atoi(argv[1]) > 0 ? atoi(argv[1]) : tangles;
    if (argc > 2) first = atoi(argv[2]);
    const struct CMUnitTest tests[] = {
        test(random_tangles_lose_no_number_and_no_energy_and_say_where_they_cannot_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
