/* Materials and sections that yield: rod.law = plastic { ... } and yielding { ... }. */
#include "law_fibre_rig.h"
#include "law_scene.h"

static fibre_rig f;

/* Fibres of a round section, a tube, a grid and layers; perfect and with both kinds of hardening; then resultants. */
static const struct {
    withy_section_kind section;
    withy_law law;
} KIND[] = {
    {WITHY_SECTION_CIRCLE, {.kind = WITHY_LAW_PLASTIC, .yield = 2e4, .fibres = 32}},
    {WITHY_SECTION_TUBE, {.kind = WITHY_LAW_PLASTIC, .yield = 2e4, .hardening = 5e4, .fibres = 30}},
    {WITHY_SECTION_ELLIPSE,
     {.kind = WITHY_LAW_PLASTIC, .yield = 2e4, .isotropic = 2e4, .fibres = 16}},
    {WITHY_SECTION_RECTANGLE,
     {.kind = WITHY_LAW_PLASTIC, .yield = 2e4, .hardening = 5e4, .isotropic = 2e4, .fibres = 48}},
    {WITHY_SECTION_RECTANGLE,
     {.kind = WITHY_LAW_PLASTIC, .yield = 2e4, .isotropic = 2e4, .layers = 32}}};
enum { KINDS = sizeof KIND / sizeof *KIND };

static withy_law resultants(int round) {
    withy_law law = {.kind = WITHY_LAW_YIELDING, .hardening = round % 3 ? 0.05 : 0};
    static const double limit[6] = {1500, 1200, 2500, 40, 60, 30};
    for (int i = 0; i < 6; i++)
        if (round / 3 % 7 != i) law.limit[i] = withy_field_number(limit[i]);
    return law;
}

static void begin(rig *x, int round) {
    (void)x;
    const int k = round % (KINDS + 1);
    const withy_law law = k < KINDS ? KIND[k].law : resultants(round / (KINDS + 1));
    fibre_rig_begin(&f, k < KINDS ? &wy_law_plastic : &wy_law_yielding,
                    k < KINDS ? KIND[k].section : WITHY_SECTION_CIRCLE, &law);
}

TEST(the_work_of_10000_random_steps_is_the_energy_and_a_loss_that_is_never_negative) {
    CHECK_BELOW(rig_worst_miss(&f.x, begin), 1e-14);
    wy_arena_free(&f.arena);
}

TEST(the_slope_of_the_stress_is_that_of_its_differences) {
    for (int i = 0; i < 60; i++) {
        begin(&f.x, i);
        CHECK_BELOW(fibre_rig_worst_slope(&f.x, i / (KINDS + 1) % 2, 8), 1e-5);
    }
    wy_arena_free(&f.arena);
}

/* ---- rods ------------------------------------------------------------------------------------------------ */

#define ROD(law)                                                                                   \
    "section = circle { diameter = 0.04 }, material = { young = 2e6, poisson = 0.3, density = "    \
    "1000 }, law = " law
#define LAW "plastic { yield = 2e4, hardening = 1e5, isotropic = 2e4, fibres = 64 }"
#define WHOLE "yielding { bend = 0.1, twist = 0.1, stretch = 30, hardening = 0.02 }"
#define HELD                                                                                       \
    "initial = { shape = straight { along = { 1, 0, 0 } } }, ends = { start = clamped {}, finish " \
    "= free { force = { 0.3, 0.4, 0.8 }, moment = { 0.05, 0, 0.02 } } }, "
#define BENT                                                                                       \
    "initial = { shape = straight { along = { 1, 0, 0 } } }, ends = { start = clamped {}, finish " \
    "= free { force = { 0, 0, 0.21 } } }, "
#define OPTIONS "method = \"director\", options = { n = 6, dt = 0.005 },"

TEST(the_energy_of_a_rod_in_motion_falls_by_what_is_lost_to_1e_12) {
    static const char *const rod[] = {ROD(LAW), ROD(WHOLE)};
    for (int i = 0; i < 2; i++) {
        law_scene x;
        withy_error err = {0};
        CHECK_OK(law_begin(&x, rod[i], HELD OPTIONS, &err));
        CHECK_OK(withy_sim_advance(x.sim, 0.4, &err));
        CHECK_BELOW(withy_sim_stats(x.sim).energy_drift, 1e-12);
        CHECK(withy_sim_sample(x.sim, 0)->dissipated > 1e-3);
        law_end(&x);
    }
}

TEST(save_and_restore_repeat_the_history_bit_for_bit) {
    law_scene x;
    withy_error err = {0};
    CHECK_OK(law_begin(&x, ROD(LAW), HELD OPTIONS, &err));
    law_repeats(&x);
    law_end(&x);
}

/* A history that is nonsense, as a damaged file has it, is refused, fails, or is computed with: every result is a number. */
TEST(a_history_that_is_damaged_does_no_harm) {
    static const double nonsense[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300, -1, 1e-320};
    law_scene x;
    withy_error err = {0};
    CHECK_OK(law_begin(&x, ROD(LAW), HELD OPTIONS, &err));
    CHECK_OK(withy_sim_advance(x.sim, 0.1, &err));
    const size_t size = withy_sim_save_size(x.sim);
    char *good = malloc(size), *bad = malloc(size);
    CHECK(good && bad);
    CHECK_OK(withy_sim_save(x.sim, good, size, &err));
    for (size_t i = 0; i < 300; i++) {
        const size_t at = (size / 8 - 1) * i / 300 * 8;
        memcpy(bad, good, size);
        memcpy(bad + at, &nonsense[i % 7], 8);
        if (withy_sim_restore(x.sim, bad, size, &err) != WITHY_OK) continue;
        if (withy_sim_advance(x.sim, 0.11, &err) == WITHY_OK) CHECK(isfinite(law_tip(x.sim).x));
    }
    free(good), free(bad);
    law_end(&x);
}

/* Free to stretch alone: the stress of a perfectly plastic rod is the yield stress, and what is left the strain beyond. */
TEST(a_rod_that_is_pulled_too_far_stays_longer) {
    law_scene x;
    withy_equilibrium at;
    withy_error err = {0};
    const double area = 0.25 * acos(-1) * 0.04 * 0.04, far = 0.03, yield = 0.01;
    CHECK_OK(law_begin(&x, ROD("plastic { yield = 2e4 }"),
                       "initial = { shape = straight { along = { 1, 0, 0 } } }, ends = { start = "
                       "clamped {}, finish = pinned "
                       "{ position = function(t) return 1 + 0.03 * t, 0, 0 end } }, " OPTIONS,
                       &err));
    CHECK_OK(withy_sim_equilibrium(x.sim, 1, &at, &err));
    CHECK_NEAR(withy_sim_sample(x.sim, 0)->reaction[1].x, 2e4 * area, 1e-9);
    CHECK_OK(withy_sim_equilibrium(x.sim, (far - yield) / far, &at, &err));
    CHECK_NEAR(withy_sim_sample(x.sim, 0)->reaction[1].x, 0, 1e-9);
    CHECK_NEAR(withy_sim_sample(x.sim, 0)->dissipated, 2e4 * area * (far - yield), 1e-9);
    law_end(&x);
}

/* A path may return, and load again; its number of steps is that between two factors. */
TEST(a_path_goes_through_the_factors_that_it_is_given) {
    law_scene x;
    withy_error err = {0};
    withy_static_report report;
    CHECK_OK(law_begin(
        &x, ROD(LAW),
        BENT "path = { through = { 0, 1, 0, 0.5 }, steps = 3 }, method = \"director\"", &err));
    const withy_run_setup setup = {0};
    CHECK_OK(withy_static(x.scene, &setup, &report, &err));
    static const double factor[] = {0,       1 / 3.0, 2 / 3.0, 1,       2 / 3.0,
                                    1 / 3.0, 0,       0.5 / 3, 1 / 3.0, 0.5};
    CHECK(report.count == 10);
    for (int i = 0; i < report.count; i++) CHECK_NEAR(report.point[i].at.factor, factor[i], 1e-15);
    const withy_vec3 up = report.point[1].position[1], down = report.point[5].position[1],
                     again = report.point[8].position[1];
    CHECK(fabs(down.z - up.z) > 1e-3); /* it has yielded */
    CHECK_NEAR(again.z, down.z, 1e-9); /* and then not any more */
    withy_static_free(&report);
    law_end(&x);
}

/* ---- refused --------------------------------------------------------------------------------------------- */

TEST(what_no_section_has_is_refused_by_name) {
    law_refused(ROD("plastic { yield = -1 }"), HELD OPTIONS, "rod.law.yield = -1: must be > 0");
    law_refused(ROD("plastic { yield = 0/0 }"), HELD OPTIONS, "rod.law.yield");
    law_refused(ROD("plastic { yield = 1e4, hardening = -1e3 }"), HELD OPTIONS,
                "rod.law.hardening = -1000: must be >= 0");
    law_refused(ROD("plastic { yield = 1e4, fibres = 7 }"), HELD OPTIONS,
                "rod.law.fibres = 7: must be >= 8");
    law_refused(ROD("plastic { yield = 1e4, fibres = 64, layers = 64 }"), HELD OPTIONS, "keep one");
    law_refused(ROD("plastic {}"), HELD OPTIONS, "rod.law.yield is missing");
    law_refused("stiffness = { bend = 1 }, law = plastic { yield = 1e4 }", HELD OPTIONS,
                "the rod has none");
    law_refused(ROD(LAW) ", stiffness = { bend = 1 }", HELD OPTIONS,
                "cannot be combined with rod.stiffness");
    law_refused(ROD(LAW) ", tension = 1", HELD OPTIONS, "rod.tension");
    law_refused(ROD("yielding { bend = -1 }"), HELD OPTIONS, "bend");
    law_refused(ROD("yielding {}"), HELD OPTIONS, "bend");
    law_refused(ROD(LAW), "method = \"se3\"", "a material that yields");
    law_refused(ROD(LAW), HELD "method = \"director\", options = { dt = 0.01, order = 4 }",
                "order");
    law_refused(ROD(LAW), HELD "path = { through = { 0, 1 }, arc_length = true }",
                "path.arc_length");
    law_refused(ROD(LAW), HELD "path = { through = { 0 } }", "at least two");
    law_refused(ROD(LAW), HELD "path = { through = { 0, 1 }, to = 1 }", "keep one");
}

TEST(what_is_not_computed_is_refused_by_name) {
    law_scene x;
    withy_mode *mode = NULL;
    withy_error err = {0};
    CHECK_OK(law_begin(&x, ROD(LAW), HELD OPTIONS, &err));
    CHECK(withy_sim_modes(x.sim, 2, &mode, &err) == WITHY_UNSUPPORTED);
    CHECK(strstr(err.text, "plastic"));
    law_end(&x);
    CHECK_OK(law_begin(&x, ROD(LAW),
                       "initial = { shape = arc { radius = 0.3, normal = { 0, 1, 0 } } }, ends = { "
                       "start = clamped {} }," OPTIONS,
                       &err));
    CHECK(withy_sim_advance(x.sim, 0.1, &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "initial"));
    law_end(&x);
}

RUN(test(the_work_of_10000_random_steps_is_the_energy_and_a_loss_that_is_never_negative),
    test(the_slope_of_the_stress_is_that_of_its_differences),
    test(the_energy_of_a_rod_in_motion_falls_by_what_is_lost_to_1e_12),
    test(save_and_restore_repeat_the_history_bit_for_bit),
    test(a_history_that_is_damaged_does_no_harm), test(a_rod_that_is_pulled_too_far_stays_longer),
    test(a_path_goes_through_the_factors_that_it_is_given),
    test(what_no_section_has_is_refused_by_name), test(what_is_not_computed_is_refused_by_name))
