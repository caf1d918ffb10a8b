/* test_elastica_vary.c - rods whose mass, stiffness, damping and rotary inertia are functions of s. */
#include <stdlib.h>
#include <time.h>

#include "check.h"
#include "withy/withy.h"

static withy_sim *sim_of(const char *text, withy_scene **scene) {
    withy_sim *sim = NULL;
    withy_error err = {0};
    CHECK_OK(withy_scene_read_text(text, strlen(text), "vary.lua", NULL, 0, scene, &err));
    CHECK_OK(withy_scene_sim(*scene, "elastica", &sim, &err));
    return sim;
}

/* stiffness, mass, damping, rotary inertia; ends; gravity; n, dt, stop */
#define ROD                                                                                        \
    "return { rod = { length = 1, stiffness = { bend = %s }, inertia = { mass = %s, rotary = %s "  \
    "}, damping = { bend = %s } }, initial = { shape = straight { from = { 0, 0, "                 \
    "0 }, along = { 1, 0, 0 } } }, ends = { %s }, gravity = { 0, 0, %g }, time = { stop = %g, "    \
    "output = %g }, options = { n = %d, dt = %g } }"

/* A clamped rod with EI = 1 + s sinks under its weight by (mu g/2) int (1-s)^3/(1+s) ds. */
TEST(a_rod_of_growing_stiffness_comes_to_rest_where_beam_theory_puts_it) {
    const double g = 1e-3, expected = 0.5 * g * (8 * log(2) - 16.0 / 3);
    double off[2];
    for (int i = 0; i < 2; i++) {
        char text[2048];
        withy_scene *scene;
        withy_error err = {0};
        snprintf(text, sizeof text, ROD, "function(s) return 1 + s end", "1", "0", "0.3",
                 "start = clamped {}", -g, 30.0, 30.0, 16 << i, 0.05);
        withy_sim *sim = sim_of(text, &scene);
        CHECK_OK(withy_sim_advance(sim, 30, &err));
        const withy_snapshot *now = withy_sim_sample(sim, 0);
        off[i] = fabs(now->position[now->count - 1].z / -expected - 1);
        withy_sim_destroy(sim), withy_scene_destroy(scene);
    }
    printf("tip off by %.2e with n = 16, %.2e with n = 32\n", off[0], off[1]);
    CHECK_BELOW(off[1], 2e-3);
    CHECK_BELOW(off[1], off[0] / 3.3); /* second order */
}

/* A function that is constant is the constant: the same motion, though no row of the matrix is shared. */
TEST(a_function_that_is_constant_gives_the_motion_of_the_constant) {
    double z[2];
    for (int i = 0; i < 2; i++) {
        char text[2048];
        withy_scene *scene;
        withy_error err = {0};
        snprintf(text, sizeof text, ROD, i ? "function(s) return 0.1 + 0 * s end" : "0.1",
                 i ? "function(s) return 0.3 + 1e-14 * s end" : "0.3", "1e-4", "1e-3",
                 "start = clamped {}", -1.0, 1.0, 1.0, 40, 0.01);
        withy_sim *sim = sim_of(text, &scene);
        CHECK_OK(withy_sim_advance(sim, 1, &err));
        const withy_snapshot *now = withy_sim_sample(sim, 0);
        z[i] = now->position[now->count - 1].z;
        withy_sim_destroy(sim), withy_scene_destroy(scene);
    }
    CHECK_NEAR(z[1], z[0], 1e-9);
}

static double draw(double from, double to) {
    return from + (to - from) * rand() / RAND_MAX;
}

/* a + b sin(w s + p), positive. */
static void wave(char *out, size_t size, double scale) {
    const double a = scale * draw(0.5, 2);
    snprintf(out, size, "function(s) return %.17g + %.17g * math.sin(%.17g * s + %.17g) end", a,
             a * draw(-0.9, 0.9), draw(0, 12), draw(0, 6));
}

/* Theorem 3 for functions of s: H is constant, or falls by what the damping takes. */
static int rods = 12;
TEST(energy_is_kept_whatever_varies_along_the_rod) {
    static const char *const ends[] = {"start = clamped {}", "start = pinned {}",
                                       "finish = clamped {}", ""};
    double worst = 0;
    const unsigned seed = getenv("WITHY_SEED") ? (unsigned)atoi(getenv("WITHY_SEED"))
                                               : (unsigned)(time(NULL) / 86400);
    printf("seed %u (WITHY_SEED), %d rods\n", seed, rods);
    srand(seed);
    for (int i = 0; i < rods; i++) {
        char bend[256], mass[256], turn[256], loss[256], text[4096];
        withy_scene *scene;
        withy_error err = {0};
        wave(bend, sizeof bend, 0.1), wave(mass, sizeof mass, 0.3), wave(turn, sizeof turn, 1e-4);
        wave(loss, sizeof loss, 1e-2);
        const int damped = i % 3 == 0;
        snprintf(text, sizeof text, ROD, bend, mass, turn, damped ? loss : "0", ends[i % 4],
                 -draw(0, 3), 1.0, 0.1, (int)draw(12, 60), draw(0.004, 0.02));
        withy_sim *sim = sim_of(text, &scene);
        double least = INFINITY, most = -INFINITY, scale = 0;
        for (int k = 1; k <= 10; k++) {
            if (withy_sim_advance(sim, 0.1 * k, &err) != WITHY_OK)
                fail_msg("rod %d: %s\n%s", i, err.text, text);
            const withy_snapshot *now = withy_sim_sample(sim, 0);
            /* H with the work of the weight and what the damping took: [EL] (101), (102) */
            least = fmin(least, now->conserved), most = fmax(most, now->conserved);
            scale = fmax(scale, now->energy.kinetic + now->energy.bend);
        }
        const double drift = (most - least) / scale;
        worst = fmax(worst, drift);
        if (!(drift <= 1e-8)) fail_msg("rod %d: drift %g\n%s", i, drift, text);
        const withy_stats stats = withy_sim_stats(sim);
        CHECK(stats.conserves == !damped);
        withy_sim_destroy(sim), withy_scene_destroy(scene);
    }
    printf("largest drift %.1e\n", worst);
}

TEST(a_mass_that_vanishes_on_the_way_is_refused_with_its_place) {
    char text[2048];
    withy_scene *scene;
    withy_error err = {0};
    snprintf(text, sizeof text, ROD, "0.1", "function(s) return math.max(0, 0.5 - s) end", "0", "0",
             "start = clamped {}", 0.0, 1.0, 1.0, 16, 0.01);
    const withy_status status =
        withy_scene_read_text(text, strlen(text), "vary.lua", NULL, 0, &scene, &err);
    if (status == WITHY_OK) {
        CHECK(withy_check(scene, "elastica", &err) != WITHY_OK);
        withy_scene_destroy(scene);
    }
    CHECK(strstr(err.text, "mass") != NULL);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        test(a_rod_of_growing_stiffness_comes_to_rest_where_beam_theory_puts_it),
        test(a_function_that_is_constant_gives_the_motion_of_the_constant),
        test(energy_is_kept_whatever_varies_along_the_rod),
        test(a_mass_that_vanishes_on_the_way_is_refused_with_its_place)};
    if (argc > 1) rods = atoi(argv[1]); /* for a long run */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
