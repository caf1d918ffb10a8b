/* Sections with a stored energy: rod.law = rubber {} and ribbon {}. */
#include "law_fibre_rig.h"
#include "law_scene.h"

static fibre_rig f;

/* Rubber, and ribbons from narrow to wide. */
static void begin(rig *x, int round) {
    const withy_law law = {.kind = round % 2 ? WITHY_LAW_RIBBON : WITHY_LAW_RUBBER,
                           .model = round % 4 == 3};
    fibre_rig_begin(&f, round % 2 ? &wy_law_ribbon : &wy_law_rubber, WITHY_SECTION_RECTANGLE, &law);
    x->section.rest[0] = (lane){0, 0, 1, 0}, x->section.rest[1] = lane_all(0);
    for (int k = 0; k < 2; k++) x->strain.start[k] = x->section.rest[k];
}

/* A stretch that rubber has: it is never turned inside out. */
static double worst_miss(void) {
    double worst = 0;
    for (int i = 0; i < RIG_STEPS; i++) {
        if (i % 100 == 0) begin(&f.x, i / 100);
        rig_step(&f.x, rig_decades(1e-3, 0.6), rig_decades(1e-4, 1e2));
        CHECK(f.x.out.loss >= 0);
        worst = fmax(worst, rig_miss(&f.x));
    }
    return worst;
}

TEST(the_work_of_10000_random_steps_is_the_energy) {
    CHECK_BELOW(worst_miss(), 1e-14);
    wy_arena_free(&f.arena);
}

TEST(the_slope_of_the_stress_is_that_of_its_differences) {
    for (int i = 0; i < 40; i++) {
        begin(&f.x, i);
        CHECK_BELOW(fibre_rig_worst_slope(&f.x, i / 20, 8), 1e-6);
    }
    wy_arena_free(&f.arena);
}

/* A ribbon 10 mm wide, 0.2 mm thick, with nu = 0.3, as a helix k = 10, t = 6: closed form. */
static void bend_ribbon(int model, double moment, double torque) {
    const withy_law law = {.kind = WITHY_LAW_RIBBON, .model = model};
    withy_error err = {0};
    rig *x = &f.x;
    double stiff[WITHY_STRAINS];
    begin(x, 1);
    x->given.section.a = withy_field_number(10e-3), x->given.section.b = withy_field_number(0.2e-3);
    x->given.material = (withy_material){2e11, 2e11 / 2.6, 7800};
    x->given.law = law;
    CHECK_OK(wy_stiffness_at(&x->given, 0, stiff, &err));
    for (int i = 0; i < 6; i++) x->section.c[i / 3][i % 3] = stiff[i];
    wy_director_plan plan = x->rod.plan;
    plan.start = f.start, plan.size = f.size, plan.rule = &f.rule;
    const wy_setup setup = {.arena = &f.arena};
    CHECK_OK(wy_law_ribbon.make(&plan, &setup, &err));
    x->rod.plan.of_law = plan.of_law;
    const lane s[2] = {{0, 0, 1, 0}, {10, 0, 6, 0}};
    lane out[2];
    wy_law_ribbon.stress(&x->rod, 0, s, out);
    const double plate = stiff[WITHY_BEND1] / 0.91;
    CHECK_NEAR(out[1][0] / plate, moment, 1e-10);
    CHECK_NEAR(out[1][2] / plate, torque, 1e-10);
    wy_arena_free(&f.arena);
}

TEST(a_ribbon_bent_to_a_helix_has_the_moment_and_torque_of_the_plate) {
    bend_ribbon(WITHY_RIBBON_SANO, 9.8594593332, 10.5774018127);
    bend_ribbon(WITHY_RIBBON_AUDOLY, 9.7004347045, 10.3503067475);
}

/* ---- tables ---------------------------------------------------------------------------------------------- */

/* Random tables of every strain, of one sign or both, that never fall. */
static void begin_tables(rig *x, int round) {
    enum { ROWS = 7 };
    static double row[WITHY_STRAINS][ROWS][2];
    withy_law law = {.kind = WITHY_LAW_TABULATED};
    for (int i = 0; i < WITHY_STRAINS; i++) {
        const int below = (round + i) % 3 == 0 ? 3 : 0;
        double e = 0, y = 0;
        for (int k = below; k < ROWS; k++) {
            e += 0.01 + 0.1 * fabs(rig_random()), y += k == below ? 1 : 5 * (rig_random() > 0);
            row[i][k][0] = e, row[i][k][1] = y;
        }
        for (int k = below, sign = -1; k > 0; k--)
            row[i][k - 1][0] = sign * 0.05 * (below - k + 1),
                       row[i][k - 1][1] = sign * (2.0 - k / 3);
        law.curve[i] = (withy_curve){(const double(*)[2])row[i], (round + i) % 5 ? ROWS : 0};
    }
    fibre_rig_begin(&f, &wy_law_tabulated, WITHY_SECTION_RECTANGLE, &law);
    x->section.rest[0] = (lane){0, 0, 1, 0}, x->section.rest[1] = lane_all(0);
    for (int k = 0; k < 2; k++) x->strain.start[k] = x->section.rest[k];
}

TEST(the_work_of_10000_random_steps_along_tables_is_the_energy) {
    CHECK_BELOW(rig_worst_miss(&f.x, begin_tables), 1e-14);
    for (int i = 0; i < 40; i++) {
        begin_tables(&f.x, i);
        CHECK_BELOW(fibre_rig_worst_slope(&f.x, 0.5, 8), 1e-5);
    }
    wy_arena_free(&f.arena);
}

/* ---- rods ------------------------------------------------------------------------------------------------ */

#define RUBBER                                                                                     \
    "section = circle { diameter = 0.04 }, material = { young = 2e6, poisson = 0.5, density = "    \
    "1000 }, law = rubber {}"
#define RIBBON                                                                                     \
    "section = rectangle { width = 0.08, height = 0.005 }, material = { young = 3e8, poisson = "   \
    "0.3, density = 1000 }, law = ribbon {}"
#define TABLE                                                                                      \
    "stiffness = { bend = 1, twist = 1, stretch = 1e4, shear = 1e4 }, inertia = { mass = 1, "      \
    "rotary = 1e-4 }, law = tabulated { bend1 = { { 0.5, 2 }, { 2, 5 } }, bend2 = { { -1, -2 }, "  \
    "{ -0.5, -1.5 }, { 1, 1 } } }"
#define HELD                                                                                       \
    "initial = { shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } } }, ends = { "      \
    "start = clamped {}, finish "                                                                  \
    "= free { force = { 30, 0.3, 0.8 }, moment = { 0.1, 0, 0.05 } } }, "
#define OPTIONS "method = \"director\", options = { n = 6, dt = 0.005 },"

TEST(the_energy_of_a_rod_in_motion_is_kept_to_1e_12) {
    static const char *const rod[] = {RUBBER, RIBBON, TABLE};
    for (int i = 0; i < 3; i++) {
        law_scene x;
        withy_error err = {0};
        CHECK_OK(law_begin(&x, rod[i], HELD OPTIONS, &err));
        CHECK_OK(withy_sim_advance(x.sim, 0.4, &err));
        CHECK_BELOW(withy_sim_stats(x.sim).energy_drift, 1e-12);
        CHECK(withy_sim_sample(x.sim, 0)->dissipated == 0);
        law_end(&x);
    }
}

/* Pulled by F the stretch of rubber is l with F = mu A (l - 1/l^2); and it is stable. */
TEST(rubber_that_is_pulled_has_the_stretch_of_the_closed_form) {
    law_scene x;
    withy_equilibrium at;
    withy_error err = {0};
    const double pull = 2e6 / 3 * 0.25 * acos(-1) * 0.04 * 0.04, l = 1.5;
    char more[256];
    snprintf(more, sizeof more,
             "initial = { shape = straight { along = { 1, 0, 0 } } }, ends = { start = clamped {}, "
             "finish = free { force = { %.17g, 0, 0 } } }, method = \"director\"",
             pull * (l - 1 / (l * l)));
    CHECK_OK(law_begin(&x, RUBBER, more, &err));
    CHECK_OK(withy_sim_equilibrium(x.sim, 1, &at, &err));
    CHECK_NEAR(law_tip(x.sim).x, l, 1e-10);
    CHECK(at.negative == 0);
    law_end(&x);
}

TEST(frequencies_are_those_of_the_slope_of_the_equilibrium) {
    law_scene x[2];
    double hz[2];
    static const char *const rod[2] = {RUBBER, "section = circle { diameter = 0.04 }, material = { "
                                               "young = 2e6, poisson = 0.5, density = 1000 }"};
    for (int i = 0; i < 2; i++) {
        withy_mode *mode = NULL;
        withy_error err = {0};
        CHECK_OK(law_begin(&x[i], rod[i],
                           "initial = { shape = straight { along = { 1, 0, 0 } } }, ends = { start "
                           "= clamped {} }, method = \"director\"",
                           &err));
        CHECK_OK(withy_sim_modes(x[i].sim, 1, &mode, &err));
        hz[i] = mode->frequency;
        withy_modes_free(mode, 1);
        law_end(&x[i]);
    }
    CHECK_NEAR(hz[1], hz[0], 1e-9 * hz[0]);
}

/* 3 N m is 1/m about d1, -1.75 N m is -0.75/m about d2: arcs. */
TEST(a_moment_at_the_tip_bends_a_rod_to_the_curvature_of_its_table) {
    static const char *const moment[2] = {"0, 3, 0", "0, 0, -1.75"};
    static const double curvature[2] = {1, 0.75};
    for (int i = 0; i < 2; i++) {
        law_scene x;
        withy_equilibrium at;
        withy_error err = {0};
        char more[256];
        snprintf(more, sizeof more,
                 "initial = { shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } } }, "
                 "ends = { start = clamped {}, finish = free { moment = { %s } } }, method = "
                 "\"director\", options = { n = 8, degree = 3 }",
                 moment[i]);
        CHECK_OK(law_begin(&x, TABLE, more, &err));
        const double length = 1, k = curvature[i];
        CHECK_OK(withy_sim_equilibrium(x.sim, 1, &at, &err));
        const withy_vec3 tip = law_tip(x.sim);
        CHECK_NEAR(tip.x, sin(k * length) / k, 1e-9);
        CHECK_NEAR(hypot(tip.y, tip.z), (1 - cos(k * length)) / k, 1e-9);
        law_end(&x);
    }
}

TEST(what_these_laws_need_is_asked_for_by_name) {
    static const char *const wrong[][2] = {
        {"", "tabulated needs a table"},
        {"bend1 = { { 1, 2 }, { 2, 1 } }", "row 2, { 2, 1 }, falls"},
        {"bend1 = { { 1, 2 }, { 1, 3 } }", "not above that of the row before"},
        {"bend1 = { { 0, 2 }, { 1, 3 } }", "has not the sign of its strain"},
        {"twist = { { -2, -2 }, { -1, -1 } }", "no row has a positive strain"},
        {"twist = { { 1, 0 } }", "has no force"},
        {"stretch = { { 1, 2, 3 } }", "must be 2 numbers"},
        {"bend1 = {}", "is empty"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char rod[256];
        snprintf(rod, sizeof rod,
                 "stiffness = { bend = 1 }, inertia = { mass = 1 }, law = tabulated { %s }",
                 wrong[i][0]);
        law_refused(rod, HELD OPTIONS, wrong[i][1]);
    }
    law_refused("section = circle { diameter = 0.04 }, material = { young = 2e6, poisson = 0.3, "
                "density = 1000 }, law = rubber {}",
                HELD OPTIONS, "poisson");
    law_refused("stiffness = { bend = 1 }, law = rubber {}", HELD OPTIONS, "rod.section");
    law_refused(RUBBER ", tension = 1", HELD OPTIONS, "rod.tension");
    law_refused(RUBBER, "method = \"se3\"", "a nonlinear elastic section");
    law_refused("section = circle { diameter = 0.04 }, material = { young = 2e6, poisson = 0.3, "
                "density = 1000 }, law = ribbon {}",
                HELD OPTIONS, "rectangle");
    law_refused("section = rectangle { width = 0.01, height = 0.02 }, material = { young = 2e6, "
                "poisson = 0.3, density = 1000 }, law = ribbon {}",
                HELD OPTIONS, "must be the smaller");
    law_refused(RIBBON ", rest = arc { radius = 1, normal = { 0, 1, 0 } }", HELD OPTIONS,
                "straight rod.rest");
}

RUN(test(the_work_of_10000_random_steps_is_the_energy),
    test(the_slope_of_the_stress_is_that_of_its_differences),
    test(a_ribbon_bent_to_a_helix_has_the_moment_and_torque_of_the_plate),
    test(the_work_of_10000_random_steps_along_tables_is_the_energy),
    test(a_moment_at_the_tip_bends_a_rod_to_the_curvature_of_its_table),
    test(the_energy_of_a_rod_in_motion_is_kept_to_1e_12),
    test(rubber_that_is_pulled_has_the_stretch_of_the_closed_form),
    test(frequencies_are_those_of_the_slope_of_the_equilibrium),
    test(what_these_laws_need_is_asked_for_by_name))
