/* Rods that act: strains at rest that change with time and temperature. */
#include <stdlib.h>

#include "law_scene.h"

#define STIFF "stiffness = { bend = { 1, 1.5 }, twist = 0.8, stretch = 2500, shear = 1000 },"
#define WILD                                                                                       \
    "rest = strain(function(s, t) return 0.01 * t, 0, 0.1 * math.sin(5 * t) * s, 3 * math.sin(7 "  \
    "* t), math.cos(s) * t, 4 * s * t end),"
#define HEAT                                                                                       \
    "heat = { expansion = 1e-2, temperature = function(s, t) return 3 * t end, gradient = "        \
    "function(s, t) return 40 * t, -20 * t * s end },"
#define START "initial = { shape = straight { along = { 0, 0, 1 }, normal = { 1, 0, 0 } } },"
#define HELD START "ends = { start = clamped {} },"

static void begin(law_scene *x, const char *rod, const char *more) {
    withy_error err = {0};
    CHECK_OK(law_begin(x, rod, more, &err));
}

/* ---- the ledger ------------------------------------------------------------------------------------ */

static void check_ledger(const char *rod, double dt) {
    char more[256];
    law_scene x;
    withy_error err = {0};
    snprintf(more, sizeof more, HELD "options = { n = 6, dt = %g }", dt);
    begin(&x, rod, more);
    CHECK_OK(withy_sim_advance(x.sim, 0.4, &err));
    CHECK_BELOW(withy_sim_stats(x.sim).energy_drift, 1e-12);
    const withy_snapshot *now = withy_sim_sample(x.sim, 0);
    CHECK(now->have & WITHY_HAVE_ACTIVE);
    CHECK_NEAR(now->active.rest, now->work, 1e-12 * fabs(now->work)); /* nothing else works */
    CHECK(fabs(now->work) > 1e-2);
    law_end(&x);
}

TEST(energy_is_balanced_at_steps_over_three_decades_under_every_law) {
    static const double dt[] = {2e-4, 2e-3, 2e-2, 2e-1};
    for (int i = 0; i < 4; i++) {
        check_ledger(STIFF WILD HEAT, dt[i]);
        check_ledger(STIFF WILD HEAT "damping = { bend = 0.01, twist = 0.02, stretch = 1 },",
                     dt[i]);
        check_ledger(STIFF WILD HEAT "law = viscoelastic { { 0.3, 0.02 }, { 0.2, 0.2 } },", dt[i]);
        check_ledger(STIFF WILD HEAT "law = yielding { bend = 0.5, twist = 0.5 },", dt[i]);
    }
}

TEST(a_thread_without_inertia_takes_its_curvature_with_a_balanced_energy) {
    law_scene x;
    withy_error err = {0};
    begin(&x,
          STIFF
          "rest = curvature(function(s, t) return 0, 4 * math.sin(9 * t) + 2, 2 * s * t end), "
          "viscous = { normal = 2, tangential = 1, spin = 0.01, inertia = 'none' },",
          START "options = { n = 6, dt = 0.01 }");
    CHECK_OK(withy_sim_advance(x.sim, 0.4, &err));
    CHECK_BELOW(withy_sim_stats(x.sim).energy_drift, 1e-12);
    CHECK(withy_sim_sample(x.sim, 0)->active.rest > 0.1);
    CHECK(withy_sim_sample(x.sim, 0)->dissipated > 0.1);
    law_end(&x);
}

/* ---- shapes ------------------------------------------------------------------------------------------ */

/* A cantilever whose curvature at rest is 3 at factor 1 is an arc, without stress, on four elements. */
TEST(a_rod_takes_the_shape_that_it_has_at_rest) {
    static const char *const rod[] = {
        STIFF "heat = { expansion = 2, temperature = 0, gradient = { -1.5, 0 } },",
        STIFF "heat = { expansion = 2, gradient = function(s, t) return -1.5 * t, 0 end },",
        STIFF "rest = curvature(function(s, t) return 0, 3 * t, 0 end),",
        STIFF "rest = strain { 0, 0, 0, 0, input { 'k', value = 3 }, 0 },",
        STIFF "rest = curvature(signal { { 0, 0, 0, 0 }, { 2, 0, 6, 0 } }),"};
    for (int i = 0; i < 5; i++) {
        law_scene x;
        withy_equilibrium at;
        withy_error err = {0};
        begin(&x, rod[i], HELD "options = { n = 4 }");
        CHECK_OK(withy_sim_equilibrium(x.sim, 1, &at, &err));
        const withy_vec3 tip = law_tip(x.sim);
        CHECK_NEAR(tip.x, (1 - cos(3)) / 3, 1e-12);
        CHECK_NEAR(tip.z, sin(3) / 3, 1e-12);
        CHECK_BELOW(at.energy, 1e-24);
        law_end(&x);
    }
}

/* Half of a constant temperature gradient at half the factor. */
TEST(constants_of_heat_are_multiplied_by_the_factor) {
    law_scene x;
    withy_equilibrium at;
    withy_error err = {0};
    begin(&x, STIFF "heat = { expansion = 2, temperature = 0.02, gradient = { -1.5, 0 } },",
          HELD "options = { n = 4 }");
    CHECK_OK(withy_sim_equilibrium(x.sim, 0.5, &at, &err));
    const double k = 1.5 / 1, stretch = 1.02; /* K per length at rest */
    CHECK_NEAR(law_tip(x.sim).x, stretch * (1 - cos(k)) / k, 1e-12);
    CHECK_NEAR(law_tip(x.sim).z, stretch * sin(k) / k, 1e-12);
    law_end(&x);
}

/* A rest shape in space, the same at all times: nothing moves, whatever the shape. */
TEST(a_rest_shape_that_stays_moves_nothing) {
    law_scene x;
    withy_error err = {0};
    begin(&x,
          STIFF "rest = strain(function(s, t) return 0.01 * s, 0, 0.1 * s, 3 * s, math.cos(s), 4 * "
                "s end),",
          "ends = { start = clamped {} }, options = { n = 6, dt = 0.01 }");
    const withy_vec3 before = law_tip(x.sim);
    CHECK_OK(withy_sim_advance(x.sim, 0.4, &err));
    const withy_vec3 after = law_tip(x.sim);
    CHECK_NEAR(after.x, before.x, 1e-12);
    CHECK_NEAR(after.y, before.y, 1e-12);
    CHECK_NEAR(after.z, before.z, 1e-12);
    law_end(&x);
}

/* ---- inputs, steps, state -------------------------------------------------------------------------- */

/* The shape does not change in a jump: the rod is let go from it, and energy is kept from there. */
TEST(an_input_that_jumps_works_at_fixed_shape) {
    law_scene x;
    withy_error err = {0};
    begin(&x, STIFF "rest = curvature { 0, input 'k', 0 },", HELD "options = { n = 6, dt = 0.01 }");
    CHECK_OK(withy_sim_advance(x.sim, 0.1, &err));
    CHECK_NEAR(withy_sim_sample(x.sim, 0)->active.rest, 0, 1e-30);
    CHECK_OK(withy_sim_input(x.sim, "k", 2, &err));
    CHECK_OK(withy_sim_advance(x.sim, 0.4, &err));
    CHECK_NEAR(withy_sim_sample(x.sim, 0)->active.rest, 0.5 * 1.5 * 2 * 2,
               1e-6); /* EI K^2/2, K of six elements */
    CHECK_BELOW(withy_sim_stats(x.sim).energy_drift, 1e-12);
    CHECK(law_tip(x.sim).x > 0.1);
    law_end(&x);
}

TEST(the_motion_does_not_depend_on_where_a_run_pauses) {
    law_scene one, many;
    withy_error err = {0};
    begin(&one, STIFF WILD HEAT, HELD "options = { n = 6, dt = 0.01 }");
    begin(&many, STIFF WILD HEAT, HELD "options = { n = 6, dt = 0.01 }");
    CHECK_OK(withy_sim_advance(one.sim, 0.4, &err));
    for (int i = 1; i <= 10; i++) CHECK_OK(withy_sim_advance(many.sim, 0.04 * i, &err));
    CHECK(withy_sim_hash(one.sim) == withy_sim_hash(many.sim));
    law_end(&one), law_end(&many);
}

TEST(a_state_that_is_restored_moves_on_with_the_same_bits) {
    law_scene x;
    begin(&x, STIFF WILD "law = viscoelastic { { 0.3, 0.02 } },",
          HELD "options = { n = 6, dt = 0.01 }");
    law_repeats(&x);
    law_end(&x);
}

/* A twitch of 4 ms in the middle. */
TEST(automatic_steps_do_not_step_over_a_change) {
    static const char rod[] =
        STIFF "rest = curvature(function(s, t) return 0, 4 * math.exp(-((t - 0.2) / 2e-3) ^ 2), 0 "
              "end),";
    law_scene coarse, fine;
    withy_error err = {0};
    begin(&coarse, rod, HELD "options = { n = 4 }");
    begin(&fine, rod, HELD "options = { n = 4, dt = 1e-4 }");
    CHECK_OK(withy_sim_advance(coarse.sim, 0.4, &err));
    CHECK_OK(withy_sim_advance(fine.sim, 0.4, &err));
    const withy_vec3 a = law_tip(coarse.sim), b = law_tip(fine.sim);
    CHECK(fabs(b.x) > 1e-2); /* without the twitch it is 0 */
    CHECK_NEAR(a.x, b.x, 1e-3);
    law_end(&coarse), law_end(&fine);
}

/* ---- muscles and chambers --------------------------------------------------------------------------- */

#define MUSCLES                                                                                    \
    "loads = { muscle { route = function(s) return 0.05, 0.01 * s end, area = function(s) return " \
    "2e-3 * (1 - 0.5 * s) end, stress = 1e4, activation = function(s, t) return math.sin(20 * t "  \
    "+ s) ^ 2 end, rise = 0.03, fall = 0.05, length_law = 0.45, velocity_law = { most = 4 }, "     \
    "swell = true }, muscle { route = function(s) return 0.04 * math.cos(6 * s), 0.04 * "          \
    "math.sin(6 * s) end, area = 1e-3, stress = 1e4, activation = 0.5, swell = true }, muscle { "  \
    "across = true, area = 5e-3, stress = 1e4, activation = function(s, t) return math.min(1, 3 "  \
    "* "                                                                                           \
    "t) end, length_law = 0.45, velocity_law = { most = 4, shape = 0.3 } }, chamber { route = { "  \
    "-0.03, 0.02 }, area = 2e-3, pressure = function(t) return 4e3 * math.sin(9 * t) end } },"

TEST(energy_is_balanced_with_muscles_and_chambers_at_steps_over_three_decades) {
    static const double dt[] = {2e-4, 2e-3, 2e-2, 1e-1};
    for (int i = 0; i < 4; i++) {
        char more[2048];
        law_scene x;
        withy_error err = {0};
        snprintf(more, sizeof more, HELD MUSCLES "options = { n = 6, dt = %g }", dt[i]);
        begin(&x, STIFF WILD HEAT "damping = { time = 1e-3 },", more);
        CHECK_OK(withy_sim_advance(x.sim, 0.4, &err));
        CHECK_BELOW(withy_sim_stats(x.sim).energy_drift, 1e-12);
        const withy_snapshot *now = withy_sim_sample(x.sim, 0);
        const withy_active_work *of = &now->active;
        CHECK_NEAR(of->rest + of->muscle + of->pressure, now->work, 1e-12 * fabs(now->work));
        CHECK(fabs(of->muscle) > 1e-3 && fabs(of->pressure) > 1e-3);
        law_end(&x);
    }
}

/* Muscles pull a free rod along itself only: both momenta stay. */
TEST(muscles_conserve_both_momenta) {
    law_scene x;
    withy_error err = {0};
    begin(&x, STIFF, START MUSCLES "options = { n = 6, dt = 0.02 }");
    CHECK_OK(withy_sim_advance(x.sim, 0.4, &err));
    const withy_snapshot *now = withy_sim_sample(x.sim, 0);
    CHECK(fabs(now->energy.kinetic) > 1e-3);
    CHECK_BELOW(fabs(now->momentum.x) + fabs(now->momentum.y) + fabs(now->momentum.z), 1e-12);
    CHECK_BELOW(fabs(now->angular_momentum.x) + fabs(now->angular_momentum.y) +
                    fabs(now->angular_momentum.z),
                1e-12);
    law_end(&x);
}

/* a = 1 - exp(-t/rise): a central muscle without laws pulls with it. */
TEST(activation_follows_exactly_whatever_the_step) {
    static const char pulls[] =
        HELD "loads = { muscle { route = { 0, 0 }, area = 1e-3, stress = 1e4, activation = "
             "function(s, t) return t > 0 and 1 or 0 end, rise = 0.1 } }, options = { n = 2, dt = "
             "0.4 }";
    law_scene x;
    withy_error err = {0};
    begin(&x, STIFF, pulls);
    CHECK_OK(withy_sim_advance(x.sim, 0.4, &err));
    /* energy balance of one step: the work is that of T in its middle */
    const withy_snapshot *now = withy_sim_sample(x.sim, 0);
    const double tip = law_tip(x.sim).z - 1;
    CHECK_NEAR(now->active.muscle, -10 * (1 - exp(-2)) * tip, 1e-12);
    law_end(&x);
}

/* As two tendons of that tension; and an obtuse helix twists the rod. */
TEST(a_muscle_of_constant_tension_is_a_tendon_and_a_chamber_one_that_pushes) {
    static const char *const loads[] = {
        "loads = { tendon { route = { 0.03, 0.01 }, tension = 5 } },",
        "loads = { muscle { route = { 0.03, 0.01 }, area = 1e-3, stress = 1e4, activation = 0.5 } "
        "},",
        "loads = { chamber { route = { 0.03, 0.01 }, area = 1e-3, pressure = -5e3 } },"};
    withy_vec3 tip[3];
    for (int i = 0; i < 3; i++) {
        char more[512];
        law_scene x;
        withy_error err = {0};
        snprintf(more, sizeof more, HELD "%s options = { n = 4, dt = 0.02 }", loads[i]);
        begin(&x, STIFF, more);
        CHECK_OK(withy_sim_advance(x.sim, 0.4, &err));
        tip[i] = law_tip(x.sim);
        law_end(&x);
    }
    for (int i = 1; i < 3; i++) {
        CHECK_NEAR(tip[i].x, tip[0].x, 1e-13);
        CHECK_NEAR(tip[i].y, tip[0].y, 1e-13);
        CHECK_NEAR(tip[i].z, tip[0].z, 1e-13);
    }
}

TEST(muscles_that_are_restored_move_on_with_the_same_bits) {
    law_scene x;
    begin(&x, STIFF WILD, HELD MUSCLES "options = { n = 6, dt = 0.01 }");
    law_repeats(&x);
    law_end(&x);
}

TEST(what_muscles_cannot_be_is_refused_by_name) {
#define MUSCLE(keys) HELD "loads = { muscle { stress = 1e4, " keys " } }, options = { n = 4 }"
    law_refused(STIFF, MUSCLE("route = { 0.05, 0 }, area = -1, activation = 1"), "area");
    law_refused(STIFF,
                MUSCLE("route = { 0.05, 0 }, area = function(s) return 0.5 - s end, "
                       "activation = 1"),
                "area");
    law_refused(STIFF, MUSCLE("route = { 0.05, 0 }, area = 1, activation = 1e300"), "activation");
    law_refused(STIFF, MUSCLE("route = { 0.05, 0 }, area = 1, activation = 0 / 0"), "activation");
    law_refused(STIFF, MUSCLE("route = { 0.05, 0 }, across = true, area = 1, activation = 1"),
                "across");
    law_refused(STIFF, MUSCLE("area = 1, activation = 1"), "across");
    law_refused(STIFF, MUSCLE("route = { 0.05, 0 }, area = 1"), "activation");
    law_refused(STIFF,
                HELD "loads = { chamber { route = { 0, 0 }, area = 1 } }, options = { n = 4 }",
                "pressure");
    law_refused(STIFF,
                HELD "loads = { chamber { route = { 0, 0 }, area = 1, pressure = 1 } }, method = "
                     "'se3'",
                "muscles and chambers");
}

TEST(an_activation_beyond_1_stops_a_run_with_a_message) {
    law_scene x;
    withy_error err = {0};
    begin(&x, STIFF,
          MUSCLE("route = { 0.05, 0 }, area = 1e-4, activation = function(s, t) return 5 "
                 "* t end"));
    CHECK(withy_sim_advance(x.sim, 0.4, &err) == WITHY_BAD_INPUT);
    if (!strstr(err.text, "must be 0 .. 1")) fail_msg("%s", err.text);
    law_end(&x);
}

/* ---- symmetries ----------------------------------------------------------------------------------------- */

/* Energies and works at 0.4 s. */
static void look(const char *rod, const char *more, double out[4]) {
    law_scene x;
    withy_error err = {0};
    begin(&x, rod, more);
    CHECK_OK(withy_sim_advance(x.sim, 0.4, &err));
    const withy_snapshot *now = withy_sim_sample(x.sim, 0);
    out[0] = now->energy.kinetic, out[1] = now->energy.bend;
    out[2] = now->active.muscle, out[3] = now->active.rest;
    law_end(&x);
}

static void compare(const char *rod, const char *one, const char *rod2, const char *other,
                    double digits) {
    double a[4], b[4];
    look(rod, one, a), look(rod2, other, b);
    for (int i = 0; i < 4; i++) CHECK_NEAR(b[i], a[i], digits * (1 + fabs(a[i])));
}

#define FIRST                                                                                      \
    "muscle { route = function(s) return 0.05, 0.01 * s end, area = 2e-3, stress = 1e4, "          \
    "activation = function(s, t) return math.sin(20 * t + s) ^ 2 end, rise = 0.03, length_law = "  \
    "0.45, velocity_law = { most = 4 }, swell = true }"
#define SECOND                                                                                     \
    "muscle { across = true, area = 5e-3, stress = 1e4, activation = 0.3, rise = 0.1, fall = 0.1 " \
    "}"
#define THIRD "chamber { route = { -0.03, 0.02 }, area = 2e-3, pressure = 3e3 }"
#define STEPS " options = { n = 4, dt = 0.02 }"

TEST(answers_do_not_depend_on_directions_or_on_the_order_of_muscles) {
    static const char one[] = HELD "loads = { " FIRST "," SECOND "," THIRD " }," STEPS;
    compare(
        STIFF WILD HEAT, one, STIFF WILD HEAT,
        "initial = { shape = straight { along = { 0.6, 0, 0.8 }, normal = { 0, 1, 0 } } }, ends "
        "= { start = clamped {} }, loads = { " FIRST "," SECOND "," THIRD " }," STEPS,
        1e-11);
    compare(STIFF WILD HEAT, one, STIFF WILD HEAT,
            HELD "loads = { " THIRD "," SECOND "," FIRST " }," STEPS, 1e-11);
}

/* Seen in a mirror, d2 -> -d2: routes, shear1 and stretch stay, bend1 and twist turn round. */
TEST(answers_are_those_of_the_mirrored_rod) {
    compare(STIFF "rest = strain(function(s, t) return 0.01 * t, 0.02 * t, 0.1 * s * t, 3 * t, 2 * "
                  "s, 4 * t end),",
            HELD "loads = { muscle { route = { 0.02, 0.05 }, area = 1e-3, stress = 1e4, activation "
                 "= 0.5, swell = true } }," STEPS,
            STIFF "rest = strain(function(s, t) return 0.01 * t, -0.02 * t, 0.1 * s * t, -3 * t, 2 "
                  "* s, -4 * t end),",
            HELD
            "loads = { muscle { route = { 0.02, -0.05 }, area = 1e-3, stress = 1e4, activation "
            "= 0.5, swell = true } }," STEPS,
            1e-11);
}

TEST(what_does_not_act_changes_nothing) {
    compare(STIFF "rest = curvature { 0, 2, 1 },", HELD STEPS ", gravity = { 1, 2, -3 }",
            STIFF "rest = curvature(function(s, t) return 0, 2, 1 end), heat = { expansion = 1e-3, "
                  "temperature = 0 },",
            HELD "loads = { muscle { route = { 0.05, 0 }, area = 1e-3, stress = 1e4, activation = "
                 "0, swell = true }, chamber { route = { 0, 0 }, area = 1, pressure = 0 } }, "
                 "gravity = { 1, 2, -3 }," STEPS,
            1e-10);
}

/* ---- refused ------------------------------------------------------------------------------------------ */

TEST(what_strains_at_rest_cannot_be_is_refused_by_name) {
    static const char here[] = HELD "options = { n = 4 }";
    law_refused(STIFF "rest = straight {},",
                "initial = { shape = curvature(function(s, t) return 0, t, 0 end) }",
                "only the strains of rod.rest");
    law_refused(STIFF "rest = curvature(function(s, t, state) return 0, t, 0 end),", here,
                "3 parameters");
    law_refused(STIFF "rest = curvature(function(s, t) return 0, t end),", here, "2 numbers");
    law_refused(STIFF "rest = curvature(function(s, t) return 0, 0 / 0, 0 end),", here, "nan");
    law_refused(STIFF "heat = { expansion = 1e-5 },", here, "temperature");
    law_refused(STIFF "heat = { temperature = 1 },", here, "expansion");
    law_refused(STIFF "heat = { expansion = 1e-5, temperature = 1 }, tension = 1,", here,
                "rod.tension");
    law_refused(STIFF "damping = { bend = 0.1, law = 'elastica' }, heat = { expansion = 1e-5, "
                      "temperature = 1 },",
                here, "rod.damping.law");
    law_refused("kind = 'cable', stiffness = { stretch = 1e3 }, heat = { expansion = 1e-5, "
                "temperature = 1 },",
                START "ends = { start = pinned {} }", "a cable");
    law_refused(STIFF "rest = curvature(function(s, t) return 0, t, 0 end),", HELD "method = 'se3'",
                "strains at rest that change");
}

TEST(a_function_that_fails_in_a_run_stops_it_with_a_message) {
    law_scene x;
    withy_error err = {0};
    begin(&x, STIFF "rest = curvature(function(s, t) return 0, math.sqrt(0.1 - t), 0 end),",
          HELD "options = { n = 4, dt = 0.01 }");
    CHECK(withy_sim_advance(x.sim, 0.4, &err) == WITHY_BAD_INPUT);
    if (!strstr(err.text, "nan")) fail_msg("%s", err.text);
    law_end(&x);
}

RUN(test(energy_is_balanced_at_steps_over_three_decades_under_every_law),
    test(a_thread_without_inertia_takes_its_curvature_with_a_balanced_energy),
    test(a_rod_takes_the_shape_that_it_has_at_rest),
    test(constants_of_heat_are_multiplied_by_the_factor),
    test(a_rest_shape_that_stays_moves_nothing), test(an_input_that_jumps_works_at_fixed_shape),
    test(the_motion_does_not_depend_on_where_a_run_pauses),
    test(a_state_that_is_restored_moves_on_with_the_same_bits),
    test(automatic_steps_do_not_step_over_a_change),
    test(energy_is_balanced_with_muscles_and_chambers_at_steps_over_three_decades),
    test(muscles_conserve_both_momenta), test(activation_follows_exactly_whatever_the_step),
    test(a_muscle_of_constant_tension_is_a_tendon_and_a_chamber_one_that_pushes),
    test(muscles_that_are_restored_move_on_with_the_same_bits),
    test(what_muscles_cannot_be_is_refused_by_name),
    test(an_activation_beyond_1_stops_a_run_with_a_message),
    test(answers_do_not_depend_on_directions_or_on_the_order_of_muscles),
    test(answers_are_those_of_the_mirrored_rod), test(what_does_not_act_changes_nothing),
    test(what_strains_at_rest_cannot_be_is_refused_by_name),
    test(a_function_that_fails_in_a_run_stops_it_with_a_message))
