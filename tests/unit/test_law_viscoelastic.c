/* Stresses that relax: rod.law = viscoelastic { ... }. */
#include "law_rig.h"
#include "law_scene.h"

static const withy_relaxation TERM[3] = {{0.3, 0.003}, {0.3, 0.1}, {0.2, 5}};

static void begin(rig *x, int coupled, int of, int at_rest) {
    x->given.law = (withy_law){.kind = WITHY_LAW_VISCOELASTIC,
                               .term = TERM,
                               .term_count = 3,
                               .of = coupled ? WITHY_OF_ALL : of,
                               .at_rest = at_rest};
    memset(x->history, 0, sizeof x->history);
    rig_begin(x, &wy_law_viscoelastic, coupled);
}

/* Coupled or not, all or shear alone, relaxed or sudden, in turn. */
static void begin_round(rig *x, int round) {
    begin(x, round % 2, round / 2 % 2, round / 4 % 2);
}

TEST(the_work_of_10000_random_steps_of_any_length_is_the_energy_and_a_loss_that_is_never_negative) {
    static rig x;
    CHECK_BELOW(rig_worst_miss(&x, begin_round), 1e-14);
}

TEST(the_slope_of_the_stress_is_that_of_its_differences) {
    static rig x;
    for (int i = 0; i < 100; i++) {
        begin(&x, i % 2, i / 2 % 2, i / 4 % 2);
        for (int k = 0; k < 3; k++) rig_step(&x, 0.1, rig_decades(1e-4, 1e2)), rig_keep(&x);
        rig_step(&x, 0.1, rig_decades(1e-4, 1e2));
        CHECK_BELOW(rig_slope_miss(&x, 1e-3), 1e-10);
    }
}

/* Held at a strain, the stress falls as the series says, in one step as in many, and never rings. */
TEST(a_strain_that_is_held_relaxes_exactly_in_steps_of_any_length) {
    static rig x;
    for (int steps = 1; steps <= 1000; steps *= 10) {
        const double time = 0.3;
        begin(&x, 0, WITHY_OF_ALL, WITHY_AT_REST_SUDDEN);
        x.rod.plan.damped = 0;
        x.strain.start[1][0] += 0.5; /* sudden */
        for (int i = 0; i < steps; i++) {
            rig_step(&x, 0, time / steps);
            memcpy(x.stress.plus, x.strain.start, sizeof x.stress.plus);
            wy_section_step(&x.rod, 0);
            rig_keep(&x);
        }
        double share = 1;
        for (int i = 0; i < 3; i++) share -= TERM[i].share * -expm1(-time / TERM[i].time);
        lane now[2];
        wy_law_viscoelastic.stress(&x.rod, 0, x.strain.start, now);
        CHECK_NEAR(now[1][0], share * 0.5 * x.section.c[1][0], 1e-13 * x.section.c[1][0]);
    }
}

/* ---- rods ------------------------------------------------------------------------------------------------ */

#define STIFF "stiffness = { shear = 1000, stretch = 3000, bend = { 2, 1 }, twist = 1.3 }, "
#define LAW "law = viscoelastic { { 0.3, 0.02 }, { 0.3, 0.5 } }"
#define HELD                                                                                       \
    "initial = { shape = straight { along = { 1, 0, 0 } } }, ends = { start = clamped {}, finish " \
    "= free { force = { 0.3, 1, 2 }, moment = { 0.2, 0, 0.1 } } }, "
#define OPTIONS "method = \"director\", options = { n = 6, dt = 0.01 },"

TEST(the_energy_of_a_rod_in_motion_falls_by_what_is_lost_to_1e_12) {
    law_scene x;
    withy_error err = {0};
    CHECK_OK(law_begin(&x, STIFF LAW, HELD OPTIONS, &err));
    CHECK_OK(withy_sim_advance(x.sim, 0.4, &err));
    CHECK_BELOW(withy_sim_stats(x.sim).energy_drift, 1e-12);
    CHECK(withy_sim_sample(x.sim, 0)->dissipated > 0.05);
    law_end(&x);
}

/* Next to a step: what never relaxes, and what has relaxed at once. */
TEST(times_of_any_size_leave_the_energy_balanced) {
    static const char *const law[] = {"law = viscoelastic { { 0.3, 1e300 } }",
                                      "law = viscoelastic { { 0.3, 1e9 } }",
                                      "law = viscoelastic { { 0.3, 1e-9 }, { 0.3, 1e-300 } }"};
    for (int i = 0; i < 3; i++) {
        law_scene x;
        char rod[256];
        withy_error err = {0};
        snprintf(rod, sizeof rod, "%s%s", STIFF, law[i]);
        CHECK_OK(law_begin(&x, rod, HELD OPTIONS, &err));
        CHECK_OK(withy_sim_advance(x.sim, 0.4, &err));
        CHECK_BELOW(withy_sim_stats(x.sim).energy_drift, 1e-12);
        law_end(&x);
    }
}

TEST(save_and_restore_repeat_the_history_bit_for_bit) {
    law_scene x;
    withy_error err = {0};
    CHECK_OK(law_begin(&x, STIFF LAW, HELD OPTIONS, &err));
    law_repeats(&x);
    law_end(&x);
}

TEST(an_equilibrium_is_that_of_the_relaxed_stiffness_or_of_the_one_at_once) {
    static const char *const rod[3] = {
        STIFF LAW, "stiffness = { shear = 400, stretch = 1200, bend = { 0.8, 0.4 }, twist = 0.52 }",
        STIFF
        "law = viscoelastic { terms = { { 0.3, 0.02 }, { 0.3, 0.5 } }, static = \"sudden\" }"};
    withy_vec3 tip[4];
    for (int i = 0; i < 4; i++) {
        law_scene x;
        withy_equilibrium at;
        withy_error err = {0};
        CHECK_OK(law_begin(
            &x,
            i < 3 ? rod[i]
                  : "stiffness = { shear = 1000, stretch = 3000, bend = { 2, 1 }, twist = 1.3 }",
            HELD OPTIONS, &err));
        for (double factor = 0.5; factor <= 1; factor += 0.5)
            CHECK_OK(withy_sim_equilibrium(x.sim, factor, &at, &err));
        tip[i] = law_tip(x.sim);
        law_end(&x);
    }
    CHECK_BELOW(hypot(hypot(tip[1].x - tip[0].x, tip[1].y - tip[0].y), tip[1].z - tip[0].z), 1e-10);
    CHECK_BELOW(hypot(hypot(tip[3].x - tip[2].x, tip[3].y - tip[2].y), tip[3].z - tip[2].z), 1e-10);
}

/* ---- refused ----------------------------------------------------------------------------------------------- */

TEST(what_relaxes_in_no_way_or_wholly_and_what_is_not_computed_is_refused_by_name) {
    law_scene x;
    withy_mode *mode = NULL;
    withy_error err = {0};
    law_refused(STIFF "law = viscoelastic { { 0.6, 0.02 }, { 0.4, 0.5 } }", HELD OPTIONS,
                "the shares are 1 together");
    law_refused(STIFF "law = viscoelastic { { 0.6, 0 } }", HELD OPTIONS, "rod.law.terms[1]");
    law_refused(STIFF "law = viscoelastic {}", HELD OPTIONS, "terms");
    law_refused(STIFF LAW, "method = \"se3\"", "relaxes (viscoelastic)");
    law_refused(STIFF LAW, HELD "method = \"director\", options = { dt = 0.01, order = 4 }",
                "order");
    CHECK_OK(law_begin(&x, STIFF LAW, HELD OPTIONS, &err));
    CHECK(withy_sim_modes(x.sim, 2, &mode, &err) == WITHY_UNSUPPORTED);
    CHECK(strstr(err.text, "viscoelastic"));
    law_end(&x);
}

RUN(test(
        the_work_of_10000_random_steps_of_any_length_is_the_energy_and_a_loss_that_is_never_negative),
    test(the_slope_of_the_stress_is_that_of_its_differences),
    test(a_strain_that_is_held_relaxes_exactly_in_steps_of_any_length),
    test(the_energy_of_a_rod_in_motion_falls_by_what_is_lost_to_1e_12),
    test(times_of_any_size_leave_the_energy_balanced),
    test(save_and_restore_repeat_the_history_bit_for_bit),
    test(an_equilibrium_is_that_of_the_relaxed_stiffness_or_of_the_one_at_once),
    test(what_relaxes_in_no_way_or_wholly_and_what_is_not_computed_is_refused_by_name))
