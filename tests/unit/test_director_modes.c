/* Natural frequencies of the director method against Timoshenko's beam, and about other equilibria.
 */
#include "base/vec.h"
#include "check.h"
#include "director_problems.h"
#include "timoshenko.h"

enum { MODES = 24 };

static withy_end_kind kind_of(char c) {
    return c == 'c' ? WITHY_END_CLAMPED : c == 'p' ? WITHY_END_PINNED : WITHY_END_FREE;
}

static withy_mode *modes_of(const director_problem *x, const char *options, int count) {
    withy_error err = {0};
    withy_sim *sim;
    withy_mode *mode;
    CHECK_OK(director_start(x, options, &sim, &err));
    CHECK_OK(withy_sim_modes(sim, count, &mode, &err));
    CHECK_TEXT(withy_sim_notes(sim)->text, "");
    withy_sim_destroy(sim);
    return mode;
}

/* The first five bending frequencies (each comes twice), sorted out by their sideways motion. */
static void bending(const director_problem *x, const char *options, double hz[5]) {
    withy_mode *mode = modes_of(x, options, MODES);
    int found = 0;
    for (int i = 0; i < MODES && found < 10; i++) {
        double side = 0, along = 0;
        for (int k = 0; k < mode[i].count; k++) {
            side = worst_of(side, hypot(mode[i].shift[k].y, mode[i].shift[k].z));
            along = worst_of(along, fabs(mode[i].shift[k].x));
        }
        if (mode[i].frequency > 0 && side > along && side > 1e-3 * x->rod.length)
            hz[found++ / 2] = mode[i].frequency;
    }
    CHECK(found == 10);
    withy_modes_free(mode, MODES);
}

static double worst_error(const char *ends, int n, int degree, double expected[5]) {
    director_problem x;
    char options[64];
    double hz[5], worst = 0;
    director_rod_t(&x);
    director_ends(&x, kind_of(ends[0]), kind_of(ends[1]));
    snprintf(options, sizeof options, "n=%d degree=%d", n, degree);
    bending(&x, options, hz);
    for (int i = 0; i < 5; i++) worst = worst_of(worst, fabs(hz[i] / expected[i] - 1));
    return worst;
}

static void timoshenko(const char *ends, double hz[5]) {
    const double area = DIRECTOR_PI * 0.25e-4, second = DIRECTOR_PI / 64 * 1e-8;
    const beam b = {0.1, 1e6 * second, 1e6 / 3 * area, 1000 * area, 1000 * second};
    beam_frequencies(&b, ends, 5, hz);
}

/* as in verify_se3.c: 4.398520, 26.668696, 71.176110 Hz */
TEST(the_transfer_matrix_gives_the_published_frequencies) {
    (void)unused_state;
    double hz[5];
    timoshenko("cf", hz);
    CHECK_NEAR(hz[0], 4.398520, 1e-6);
    CHECK_NEAR(hz[1], 26.668696, 1e-6);
    CHECK_NEAR(hz[2], 71.176110, 1e-6);
}

TEST(five_timoshenko_frequencies_of_four_end_pairs_with_order_2p) {
    (void)unused_state;
    static const char *const pair[4] = {"cf", "ff", "pp", "cc"};
    for (int e = 0; e < 4; e++) {
        double expected[5];
        timoshenko(pair[e], expected);
        CHECK_BELOW(worst_error(pair[e], 24, 3, expected), 1e-6);
        for (int p = 1; p <= 3; p++) {
            const int n = p == 1 ? 32 : p == 2 ? 10 : 12;
            const double a = worst_error(pair[e], n, p, expected);
            const double b = worst_error(pair[e], 2 * n, p, expected);
            CHECK(log2(a / b) > 2 * p - 0.3);
        }
    }
}

TEST(a_steel_wire_sounds_at_25_3252_and_158_7035_and_444_346_hz) {
    (void)unused_state;
    const double expected[3] = {25.3252, 158.7035, 444.346};
    director_problem x;
    double hz[5];
    director_plain(&x, 0.1, 0.3575e-3, 2e11, 7.7e10, 7800);
    bending(&x, "n=200 degree=1", hz);
    for (int i = 0; i < 3; i++) CHECK_NEAR(hz[i] / expected[i], 1, 1e-4);
    bending(&x, "n=200 degree=3", hz);
    for (int i = 0; i < 3; i++) CHECK_NEAR(hz[i] / expected[i], 1, 1e-5);
}

TEST(a_free_rod_has_six_rigid_motions) {
    (void)unused_state;
    director_problem x;
    director_rod_t(&x);
    director_ends(&x, WITHY_END_FREE, WITHY_END_FREE);
    withy_mode *mode = modes_of(&x, "n=8 degree=3", 8);
    for (int i = 0; i < 6; i++) CHECK_NEAR(mode[i].frequency, 0, 0);
    CHECK(mode[6].frequency > 1);
    withy_modes_free(mode, 8);
}

/* f_k = k/(2L) sqrt(T/mu) without stiffness; 65 N makes the stiffness a small correction. */
TEST(a_string_under_tension_sounds_at_its_pitch) {
    (void)unused_state;
    director_problem x;
    withy_mode *mode;
    director_plain(&x, 0.328, 0.3569e-3, 2e11, 7.7e10, 7800);
    director_ends(&x, WITHY_END_PINNED, WITHY_END_PINNED);
    x.rod.tension = 65;
    mode = modes_of(&x, "n=12 degree=3", 5);
    const double area = DIRECTOR_PI / 4 * 0.3569e-3 * 0.3569e-3, length = 0.328;
    /* the speaking length holds less than a length of the rod at rest: it is stretched by T/EA */
    const double stretch = 1 + 65 / (2e11 * area);
    const double pitch = sqrt(65 * stretch / (7800 * area)) / (2 * length);
    const double second = area * area / (4 * DIRECTOR_PI);
    const double stiff = DIRECTOR_PI * DIRECTOR_PI * 2e11 * second / (65 * length * length);
    CHECK_NEAR(mode[1].frequency / (pitch * sqrt(1 + stiff)), 1, 1e-4);
    CHECK_NEAR(mode[3].frequency / (2 * pitch * sqrt(1 + 4 * stiff)), 1, 1e-4);
    withy_modes_free(mode, 5);
}

/* Euler-Bernoulli limit: omega^2 falls linearly with the axial force on a pinned column, and the
 * frequency is zero at Euler's load. */
TEST(compression_lowers_the_frequency_of_a_column) {
    (void)unused_state;
    director_problem x;
    withy_sim *sim;
    withy_equilibrium at;
    withy_mode *mode;
    withy_error err = {0};
    director_s4(&x, 1e-3);
    director_ends(&x, WITHY_END_PINNED, WITHY_END_FREE);
    x.rod.end[0] = (withy_end){.kind = WITHY_END_CLAMPED};
    const double euler = DIRECTOR_PI * DIRECTOR_PI / 4;
    x.rod.end[1].force = withy_field_vector(-euler, 0, 0);
    double hz[2];
    CHECK_OK(director_start(&x, "n=8 degree=3", &sim, &err));
    for (int k = 0; k < 2; k++) {
        CHECK_OK(withy_sim_equilibrium(sim, k ? 0.99 : 0.0, &at, &err));
        CHECK_OK(withy_sim_modes(sim, 2, &mode, &err));
        hz[k] = mode[0].frequency;
        withy_modes_free(mode, 2);
    }
    CHECK_NEAR(hz[1] * hz[1] / (hz[0] * hz[0]), 0.01, 1e-3);
    CHECK_OK(withy_sim_equilibrium(sim, 1.05, &at, &err));
    CHECK_OK(withy_sim_modes(sim, 2, &mode, &err));
    CHECK(mode[0].frequency < 0 && mode[1].frequency < 0); /* both planes grow */
    withy_modes_free(mode, 2);
    withy_sim_destroy(sim);
}

/* Kelvin-Voigt with one time constant: zeta = omega tau/2 for every mode. */
TEST(damping_ratios_are_those_of_the_material) {
    (void)unused_state;
    director_problem x;
    director_rod_t(&x);
    x.rod.damping_time = 1e-4;
    withy_mode *mode = modes_of(&x, "n=6 degree=3", 6);
    for (int i = 0; i < 6; i++) {
        const double omega = hypot(mode[i].growth, 2 * DIRECTOR_PI * mode[i].frequency);
        CHECK_NEAR(mode[i].damping / (0.5 * omega * 1e-4), 1, 1e-8);
    }
    withy_modes_free(mode, 6);
}

/* A swing in time has the frequency of the mode: small release from the first shape. */
TEST(a_heavy_lump_on_an_arm_swings_as_a_pendulum) {
    (void)unused_state;
    director_problem x;
    director_plain(&x, 1, 0.02, 2e11, 8e10, 1e-3);
    director_ends(&x, WITHY_END_PINNED, WITHY_END_FREE);
    x.rod.initial.along = (withy_vec3){0, 0, -1};
    x.problem.gravity = (withy_vec3){0, 0, -9.81};
    x.rod.end[1].mass = 2, x.rod.end[1].offset = (withy_vec3){0, 0, 0.5};
    withy_sim *sim;
    withy_equilibrium at;
    withy_mode *mode;
    withy_error err = {0};
    CHECK_OK(director_start(&x, "n=4 degree=3", &sim, &err));
    CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
    CHECK_OK(withy_sim_modes(sim, 3, &mode, &err));
    CHECK_NEAR(mode[1].frequency, sqrt(9.81 / 1.5) / (2 * DIRECTOR_PI), 1e-5);
    withy_modes_free(mode, 3);
    withy_sim_destroy(sim);
}

RUN(test(the_transfer_matrix_gives_the_published_frequencies),
    test(five_timoshenko_frequencies_of_four_end_pairs_with_order_2p),
    test(a_steel_wire_sounds_at_25_3252_and_158_7035_and_444_346_hz),
    test(a_free_rod_has_six_rigid_motions), test(a_string_under_tension_sounds_at_its_pitch),
    test(compression_lowers_the_frequency_of_a_column),
    test(damping_ratios_are_those_of_the_material),
    test(a_heavy_lump_on_an_arm_swings_as_a_pendulum))
