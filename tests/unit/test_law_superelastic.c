/* A material that transforms and goes back: rod.law = superelastic { ... }. */
#include "law_fibre_rig.h"
#include "law_scene.h"

static fibre_rig f;
static const withy_section_kind SECTION[] = {WITHY_SECTION_CIRCLE, WITHY_SECTION_TUBE,
                                             WITHY_SECTION_RECTANGLE};

/* With and without a slope; a transformation that is complete soon, and one that never is. */
static void begin(rig *x, int round) {
    (void)x;
    withy_law law = {.kind = WITHY_LAW_SUPERELASTIC,
                     .forward = 2e4,
                     .reverse = 8e3,
                     .slope = round / 3 % 2 ? 3e4 : 0,
                     .strain = round / 6 % 2 ? 0.05 : 5};
    if (round % 3 == 2 && round / 12 % 2)
        law.layers = 32;
    else
        law.fibres = 32;
    fibre_rig_begin(&f, &wy_law_superelastic, SECTION[round % 3], &law);
}

TEST(the_work_of_10000_random_steps_is_the_energy_and_a_loss_that_is_never_negative) {
    CHECK_BELOW(rig_worst_miss(&f.x, begin), 1e-14);
    wy_arena_free(&f.arena);
}

TEST(the_slope_of_the_stress_is_that_of_its_differences) {
    for (int i = 0; i < 48; i++) {
        begin(&f.x, i);
        CHECK_BELOW(fibre_rig_worst_slope(&f.x, i / 24, 8), 1e-5);
    }
    wy_arena_free(&f.arena);
}

/* A fibre between two strains that it goes to and fro: the area of its loop, as the material says. */
TEST(a_cycle_of_tension_loses_the_area_between_the_two_plateaus) {
    const double most = 0.05, area = 0.25 * acos(-1) * 0.4 * 0.4;
    withy_law law = {.kind = WITHY_LAW_SUPERELASTIC,
                     .forward = 2e4,
                     .reverse = 8e3,
                     .slope = 3e4,
                     .strain = most,
                     .fibres = 32};
    for (int steps = 1; steps <= 1000; steps *= 10) {
        double lost = 0, work = 0;
        fibre_rig_begin(&f, &wy_law_superelastic, WITHY_SECTION_CIRCLE, &law);
        rig *x = &f.x;
        x->rod.plan.damped = 0;
        for (int i = 1; i <= 2 * steps; i++) {
            const double strain = 0.1 * (i <= steps ? i : 2 * steps - i) / steps;
            rig_step(x, 0, 1);
            for (int k = 0; k < 2; k++) x->stress.plus[k] = x->section.rest[k];
            x->stress.plus[0][2] += strain;
            wy_section_step(&x->rod, 0);
            lost += x->out.loss,
                work += x->out.stress[0][2] * (x->stress.plus[0][2] - x->strain.start[0][2]);
            rig_keep(x);
        }
        CHECK_NEAR(lost, area * (law.forward - law.reverse) * most, 1e-12 * area * law.forward);
        CHECK_NEAR(work, lost, 1e-12 * area * law.forward);
        CHECK_BELOW(x->history[0], 1e-15);
    }
    wy_arena_free(&f.arena);
}

/* ---- rods ------------------------------------------------------------------------------------------------ */

#define ROD(law)                                                                                   \
    "section = circle { diameter = 0.04 }, material = { young = 2e6, poisson = 0.3, density = "    \
    "1000 }, law = " law
#define LAW "superelastic { forward = 2e4, reverse = 8e3, slope = 1e5, strain = 0.06, fibres = 64 }"
#define HELD                                                                                       \
    "initial = { shape = straight { along = { 1, 0, 0 } } }, ends = { start = clamped {}, finish " \
    "= free { force = { 0.3, 0.4, 0.6 } } }, "
#define OPTIONS "method = \"director\", options = { n = 6, dt = 0.01 },"

TEST(the_energy_of_a_rod_in_motion_falls_by_what_is_lost_to_1e_12) {
    law_scene x;
    withy_error err = {0};
    CHECK_OK(law_begin(&x, ROD(LAW), HELD OPTIONS, &err));
    CHECK_OK(withy_sim_advance(x.sim, 0.4, &err));
    CHECK_BELOW(withy_sim_stats(x.sim).energy_drift, 1e-12);
    CHECK(withy_sim_sample(x.sim, 0)->dissipated > 1e-3);
    law_end(&x);
}

TEST(save_and_restore_repeat_the_history_bit_for_bit) {
    law_scene x;
    withy_error err = {0};
    CHECK_OK(law_begin(&x, ROD(LAW), HELD OPTIONS, &err));
    law_repeats(&x);
    law_end(&x);
}

TEST(a_rod_that_was_bent_goes_back_to_its_shape) {
    law_scene x;
    withy_equilibrium at;
    withy_error err = {0};
    CHECK_OK(law_begin(&x, ROD(LAW), HELD OPTIONS, &err));
    for (int k = 0; k <= 8; k++)
        CHECK_OK(withy_sim_equilibrium(x.sim, (k < 4 ? k : 8 - k) / 4.0, &at, &err));
    const withy_vec3 tip = law_tip(x.sim);
    CHECK(at.negative == -1);
    CHECK_BELOW(hypot(hypot(tip.x - 1, tip.y), tip.z), 1e-9);
    CHECK(withy_sim_sample(x.sim, 0)->dissipated > 1e-3);
    law_end(&x);
}

TEST(what_does_not_return_or_has_no_fibres_is_refused_by_name) {
    law_refused(ROD("superelastic { forward = 2e4, reverse = 3e4, strain = 0.06 }"), HELD OPTIONS,
                "rod.law.reverse");
    law_refused(ROD("superelastic { forward = 2e4, reverse = -1, strain = 0.06 }"), HELD OPTIONS,
                "reverse");
    law_refused(ROD("superelastic { forward = 2e4, strain = 0.06 }"), HELD OPTIONS,
                "reverse is missing");
    law_refused(ROD("superelastic { forward = 2e4, reverse = 1e4, strain = 0.06, layers = 16 }"),
                HELD OPTIONS, "only a rectangle has layers");
    law_refused("stiffness = { bend = 1 }, law = " LAW, HELD OPTIONS, "yielding");
    law_refused(ROD(LAW), "method = \"se3\"", "a material that yields");
}

RUN(test(the_work_of_10000_random_steps_is_the_energy_and_a_loss_that_is_never_negative),
    test(the_slope_of_the_stress_is_that_of_its_differences),
    test(a_cycle_of_tension_loses_the_area_between_the_two_plateaus),
    test(the_energy_of_a_rod_in_motion_falls_by_what_is_lost_to_1e_12),
    test(save_and_restore_repeat_the_history_bit_for_bit),
    test(a_rod_that_was_bent_goes_back_to_its_shape),
    test(what_does_not_return_or_has_no_fibres_is_refused_by_name))
