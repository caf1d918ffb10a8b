/* Coupled sections: rod.stiffness.matrix and rod.damping.matrix. */
#include <stdlib.h>

#include "law_rig.h"
#include "law_scene.h"

static void begin(rig *x, int round) {
    (void)round;
    rig_begin(x, &wy_law_matrix, 1);
}

TEST(the_work_of_10000_random_steps_is_the_energy_and_a_loss_that_is_never_negative) {
    static rig x;
    CHECK_BELOW(rig_worst_miss(&x, begin), 1e-14);
}

TEST(the_slope_of_the_stress_is_that_of_its_differences) {
    static rig x;
    for (int i = 0; i < 100; i++) {
        rig_begin(&x, &wy_law_matrix, 1);
        rig_step(&x, 0.1, rig_decades(1e-4, 1e2));
        CHECK_BELOW(rig_slope_miss(&x, 1e-3), 1e-10); /* linear: rounding of differences of 1e-3 */
    }
}

/* ---- scenes -------------------------------------------------------------------------------------------- */

/* A section with two bending and two shear stiffnesses, seen from axes that are turned by `angle` about d3. */
static void turned_rows(double angle, const double k[6], const char *key, char *text, size_t size) {
    const double c = cos(angle), s = sin(angle);
    size_t used = (size_t)snprintf(text, size, "%s = { matrix = {", key);
    for (int i = 0; i < 6; i++) {
        double row[6] = {0};
        const double *own = &k[i - i % 3];
        if (i % 3 == 2) row[i] = k[i];
        if (i % 3 == 0)
            row[i] = c * c * own[0] + s * s * own[1], row[i + 1] = s * c * (own[0] - own[1]);
        if (i % 3 == 1)
            row[i] = s * s * own[0] + c * c * own[1], row[i - 1] = s * c * (own[0] - own[1]);
        used += (size_t)snprintf(text + used, size - used,
                                 "{ %.17g, %.17g, %.17g, %.17g, %.17g, %.17g },", row[0], row[1],
                                 row[2], row[3], row[4], row[5]);
    }
    snprintf(text + used, size - used, "} },");
}

static const double K[6] = {800, 1100, 3000, 2, 1, 1.3}, V[6] = {0.5, 0.7, 2, 0.01, 0.02, 0.03};
#define STRAIGHT(normal)                                                                           \
    "initial = { shape = straight { along = { 1, 0, 0 }, normal = " normal " } },"
#define HELD                                                                                       \
    "ends = { start = clamped {}, finish = free { force = { 0.3, 1, 2 }, moment = { 0.2, 0, 0.1 "  \
    "} } },"
#define OPTIONS "method = \"director\", options = { n = 6, dt = 0.01 },"

/* The same rod by its own axes, and by a matrix in axes turned by 30 degrees. */
static void both(law_scene *own, law_scene *turned, int damped) {
    char rod[2048], rows[1024];
    withy_error err = {0};
    CHECK_OK(law_begin(
        own,
        damped
            ? "stiffness = { shear = { 800, 1100 }, stretch = 3000, bend = { 2, 1 }, twist = 1.3 },"
              "damping = { shear = { 0.5, 0.7 }, stretch = 2, bend = { 0.01, 0.02 }, twist = 0.03 }"
            : "stiffness = { shear = { 800, 1100 }, stretch = 3000, bend = { 2, 1 }, twist = 1.3 }",
        STRAIGHT("{ 0, 1, 0 }") HELD OPTIONS, &err));
    turned_rows(acos(-1) / 6, K, "stiffness", rod, sizeof rod);
    if (damped) {
        turned_rows(acos(-1) / 6, V, "damping", rows, sizeof rows);
        strcat(rod, rows);
    }
    CHECK_OK(
        law_begin(turned, rod, STRAIGHT("{ 0, 0.86602540378443865, -0.5 }") HELD OPTIONS, &err));
}

static void compare_tips(withy_sim *a, withy_sim *b, double digits) {
    const withy_snapshot *one = withy_sim_sample(a, 0), *other = withy_sim_sample(b, 0);
    const vec3 p = one->position[one->count - 1], q = other->position[other->count - 1];
    const vec3 m = one->moment[0], o = other->moment[0];
    CHECK_BELOW(v3_norm(v3_sub(q, p)), digits);
    CHECK_BELOW(v3_norm(v3_sub(o, m)), 10 * digits);
}

TEST(a_section_seen_from_turned_axes_bends_the_same_at_rest) {
    law_scene own, turned;
    withy_equilibrium at;
    withy_error err = {0};
    both(&own, &turned, 0);
    CHECK_OK(withy_sim_equilibrium(own.sim, 1, &at, &err));
    CHECK_OK(withy_sim_equilibrium(turned.sim, 1, &at, &err));
    compare_tips(own.sim, turned.sim, 1e-11);
    law_end(&own), law_end(&turned);
}

/* A row that is a function of s is called while the simulation is made, long after the scene was read. */
TEST(rows_that_are_functions_of_s_are_those_of_numbers) {
#define LAST "{ 0, 0, 0, 0.4, 1, 0 }, { 0, 0, 0, 0, 0, 1.3 } } }"
#define FIRST                                                                                      \
    "stiffness = { matrix = { { 800, 0, 0, 0, 0, 0 }, { 0, 1100, 0, 0, 0, 0 }, { 0, 0, 3000, 0, "  \
    "0, 0 },"
    law_scene numbers, functions;
    withy_equilibrium at;
    withy_error err = {0};
    CHECK_OK(law_begin(&numbers, FIRST "{ 0, 0, 0, 2, 0.4, 0 }," LAST,
                       STRAIGHT("{ 0, 1, 0 }") HELD OPTIONS, &err));
    CHECK_OK(law_begin(&functions, FIRST "function(s) return 0, 0, 0, 2 + 0 * s, 0.4, 0 end," LAST,
                       STRAIGHT("{ 0, 1, 0 }") HELD OPTIONS, &err));
    CHECK_OK(withy_sim_equilibrium(numbers.sim, 1, &at, &err));
    CHECK_OK(withy_sim_equilibrium(functions.sim, 1, &at, &err));
    compare_tips(numbers.sim, functions.sim, 1e-15);
    law_end(&numbers), law_end(&functions);
}

TEST(the_energy_of_a_coupled_rod_in_motion_is_kept_to_1e_12) {
    for (int damped = 0; damped < 2; damped++) {
        law_scene own, turned;
        withy_error err = {0};
        both(&own, &turned, damped);
        CHECK_OK(withy_sim_advance(turned.sim, 0.4, &err));
        CHECK_BELOW(withy_sim_stats(turned.sim).energy_drift, 1e-12);
        const double lost = withy_sim_sample(turned.sim, 0)->dissipated;
        CHECK(damped ? lost > 1e-3 : lost == 0);
        law_end(&own), law_end(&turned);
    }
}

TEST(save_and_restore_repeat_a_coupled_rod_bit_for_bit) {
    law_scene own, x;
    both(&own, &x, 1);
    law_repeats(&x);
    law_end(&own), law_end(&x);
}

/* ---- refused ------------------------------------------------------------------------------------------- */

#define ROWS(second, corner)                                                                       \
    "stiffness = { matrix = { { 9, 0, 0, 0, 0, 0 }, { 0, 9, 0, 0, 0, 0 }, { 0, 0, 9, 0, 0, 0 },"   \
    "{ 0, 0, 0, 4, " corner ", 0 }, { 0, 0, 0, " second ", 1, 0 }, { 0, 0, 0, 0, 0, 1 } } }"

TEST(a_matrix_that_stores_no_energy_or_is_not_symmetric_is_refused_with_its_numbers) {
    law_refused(ROWS("2.5", "2.5"), OPTIONS, "the smallest is -0.25");
    law_refused(ROWS("1", "1.5"), OPTIONS, "number 4 of row 5 is 1, and number 5 of row 4 is 1.5");
    law_refused("stiffness = { matrix = { { 1, 2, 3, 4, 5, 6 } } }", OPTIONS, "it must have 6");
    law_refused("stiffness = { bend = 1, matrix = { { 1, 2, 3, 4, 5, 6 } } }", OPTIONS, "matrix");
}

TEST(what_a_coupled_rod_cannot_do_is_refused_by_name) {
    law_refused(ROWS("1", "1"), "method = \"se3\"", "does not support rod.stiffness.matrix");
    law_refused(ROWS("1", "1") ", tension = 2", OPTIONS, "rod.tension");
}

RUN(test(the_work_of_10000_random_steps_is_the_energy_and_a_loss_that_is_never_negative),
    test(the_slope_of_the_stress_is_that_of_its_differences),
    test(a_section_seen_from_turned_axes_bends_the_same_at_rest),
    test(rows_that_are_functions_of_s_are_those_of_numbers),
    test(the_energy_of_a_coupled_rod_in_motion_is_kept_to_1e_12),
    test(save_and_restore_repeat_a_coupled_rod_bit_for_bit),
    test(a_matrix_that_stores_no_energy_or_is_not_symmetric_is_refused_with_its_numbers),
    test(what_a_coupled_rod_cannot_do_is_refused_by_name))
