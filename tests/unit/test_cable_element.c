/* Cables, rod.kind = "cable": the law, motions, forms, and what is refused. */
#include "fixture.h"
#include "law_rig.h"
#include "withy/math.h"
#include "withy/withy.h"

/* ---- the law ------------------------------------------------------------------------------------------- */

static void begin(rig *x, int round) {
    x->given.kind = WITHY_CABLE, x->given.compression = round % 2;
    rig_begin(x, &wy_law_cable, 0);
}

TEST(the_work_of_10000_random_steps_is_the_energy_and_a_loss_that_is_never_negative) {
    static rig x;
    CHECK_BELOW(rig_worst_miss(&x, begin), 1e-14);
}

/* Taut, slack, and from one to the other; without viscosity, whose limit is a kink. */
TEST(the_slope_of_the_tension_is_that_of_its_differences) {
    static rig x;
    for (int i = 0; i < 1000; i++) {
        begin(&x, i);
        const double by = 1e-4, rest = x.section.rest[0][2];
        x.section.cv[0] = x.section.cv[1] = lane_all(0);
        x.strain.start[0][2] = rest + 0.1 * rig_random();
        rig_step(&x, 0.1, 1);
        x.step.xi = 0;
        if (fabs(x.stress.plus[0][2] - rest) < 100 * by ||
            fabs(x.strain.start[0][2] - rest) < 100 * by)
            continue; /* at a kink, or next to one */
        double f[3], kept = x.stress.plus[0][2];
        for (int k = 0; k < 3; k++) {
            x.stress.plus[0][2] = kept + (k - 1) * by;
            wy_section_step(&x.rod, 0);
            f[k] = x.stress.stress[0][2];
        }
        x.stress.plus[0][2] = kept;
        wy_section_step(&x.rod, 0);
        CHECK_NEAR(x.out.slope[2][0][2], (f[2] - f[0]) / (2 * by), 1e-3 * x.section.c[0][2]);
        if (!x.given.compression) CHECK(f[1] >= 0);
    }
}

/* ---- scenes ---------------------------------------------------------------------------------------------- */

#define CABLE "kind = \"cable\", stiffness = { stretch = 1e4 }, inertia = { mass = 0.1 }"
#define DIRECTOR "method = \"director\", options = { n = 8, dt = 2e-3 }"

static withy_sim *start(withy_scene **scene, const char *rod, const char *more) {
    char text[2048];
    withy_sim *sim;
    withy_error err = {0};
    snprintf(text, sizeof text, "return { rod = { length = 1, %s }, %s }", rod, more);
    *scene = scene_with(text, NULL, 0);
    CHECK_OK(withy_scene_sim(*scene, NULL, &sim, &err));
    return sim;
}

static void end(withy_scene *scene, withy_sim *sim) {
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
}

#define HANGS                                                                                      \
    "gravity = { 0, 0, -9.81 }, time = { stop = 0.5, output = 0.5 }, initial = { shape = "         \
    "catenary { from = { 0, 0, 0 }, to = { 0.5, 0, 0 } } }, ends = { start = pinned {} }, "

TEST(a_released_cable_keeps_its_energy_and_never_pushes) {
    withy_scene *scene;
    withy_error err = {0};
    withy_sim *sim = start(&scene, CABLE, HANGS DIRECTOR);
    for (int k = 1; k <= 25; k++) {
        CHECK_OK(withy_sim_advance(sim, 0.02 * k, &err));
        const withy_snapshot *now = withy_sim_sample(sim, 0);
        for (int i = 0; i < now->count; i++) {
            const mat3 frame = q_matrix(now->frame[i]);
            CHECK(v3_dot(now->force[i], frame.c3) >= 0);
            CHECK_BELOW(v3_norm(v3_cross(now->force[i], frame.c3)), 1e-9);
            CHECK_BELOW(v3_norm(now->moment[i]), 0);
        }
        CHECK(!(now->have & WITHY_HAVE_BEND));
    }
    CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-10);
    end(scene, sim);
}

TEST(a_damped_cable_loses_what_its_ledger_has) {
    withy_scene *scene;
    withy_error err = {0};
    withy_sim *sim = start(&scene, CABLE ", damping = { time = 1e-3 }", HANGS DIRECTOR);
    CHECK_OK(withy_sim_advance(sim, 0.5, &err));
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    CHECK(now->dissipated > 1e-6);
    CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-10);
    end(scene, sim);
}

/* The frames of results do not depend on the stations: those of two meshes of stations agree where they meet. */
TEST(frames_follow_the_tangent_without_turning_about_it) {
    withy_scene *scene[2];
    withy_sim *sim[2];
    withy_error err = {0};
    withy_equilibrium at;
    for (int k = 0; k < 2; k++) {
        char more[1024];
        snprintf(more, sizeof more,
                 "gravity = { 0, 0, -9.81 }, initial = { shape = catenary { from = { 0, 0, 0 }, to "
                 "= { 0.5, 0, 0 } } }, ends = { start = pinned {}, finish = pinned {} }, time = { "
                 "stop = 1, output = 1, stations = %d }, " DIRECTOR,
                 k ? 33 : 9);
        sim[k] = start(&scene[k], CABLE, more);
        CHECK_OK(withy_sim_equilibrium(sim[k], 1, &at, &err));
    }
    const withy_snapshot *few = withy_sim_sample(sim[0], 0), *many = withy_sim_sample(sim[1], 0);
    const vec3 across = q_matrix(few->frame[0]).c2;
    for (int i = 0; i < few->count; i++) {
        const mat3 a = q_matrix(few->frame[i]), b = q_matrix(many->frame[4 * i]);
        CHECK_BELOW(v3_norm(v3_sub(a.c1, b.c1)) + v3_norm(v3_sub(a.c3, b.c3)), 1e-12);
        CHECK_NEAR(a.c2.y * across.y, across.y * across.y, 1e-9); /* in the plane xz */
    }
    for (int k = 0; k < 2; k++) end(scene[k], sim[k]);
}

/* ---- slack ---------------------------------------------------------------------------------------------- */

TEST(a_slack_cable_is_in_balance_with_a_note_and_has_no_modes) {
    withy_scene *scene;
    withy_error err = {0};
    withy_equilibrium at;
    withy_mode *mode;
    withy_sim *sim = start(
        &scene, CABLE,
        "ends = { start = pinned {}, finish = pinned { position = { 0.9, 0, 0 } } }, " DIRECTOR);
    CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
    CHECK(at.negative == -1);
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    for (int i = 0; i < now->count; i++) CHECK_BELOW(v3_norm(now->force[i]), 1e-9);
    CHECK(strstr(withy_sim_notes(sim)->text, "is slack"));
    CHECK(withy_sim_modes(sim, 2, &mode, &err) == WITHY_UNSUPPORTED);
    CHECK(strstr(err.text, "is slack"));
    end(scene, sim);
}

/* Pressed between its pins: without bending stiffness nothing holds it there. */
TEST(a_cable_under_pressure_is_not_called_stable_and_has_no_modes) {
    withy_scene *scene;
    withy_error err = {0};
    withy_equilibrium at;
    withy_mode *mode;
    withy_sim *sim = start(
        &scene, CABLE ", compression = true",
        "ends = { start = pinned {}, finish = pinned { position = { 0.99, 0, 0 } } }, " DIRECTOR);
    CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
    CHECK_NEAR(withy_sim_sample(sim, 0)->force[1].x, -100, 1e-6);
    CHECK(at.negative == -1);
    CHECK(strstr(withy_sim_notes(sim)->text, "bears pressure"));
    CHECK(withy_sim_modes(sim, 2, &mode, &err) == WITHY_UNSUPPORTED);
    CHECK(strstr(err.text, "bears pressure"));
    end(scene, sim);
}

/* ---- rods, bodies and other cables --------------------------------------------------------------------- */

/* A mass on two cables that meet at it: each carries half of the weight over the sine of its angle. */
TEST(two_cables_carry_a_body) {
    const char *text =
        "local function c(name, from, along) return { name = name, length = 1, kind = 'cable', "
        "stiffness = { "
        "stretch = 1e9 }, inertia = { mass = 1e-6 }, initial = { shape = straight { from = from, "
        "along = "
        "along } }, ends = { start = pinned {} } } end "
        "return { rods = { c('a', { 0, 0, 0 }, { 0.6, 0, -0.8 }), c('b', { 1.2, 0, 0 }, { -0.6, 0, "
        "-0.8 }) }, "
        "bodies = { { name = 'm', mass = 2, inertia = { 1, 1, 1 }, position = { 0.6, 0, -0.8 } } "
        "}, "
        "joints = { weld { parts = { 'a', 'm' }, at = { 1, { 0, 0, 0 } } }, ball { parts = { 'b', "
        "'m' }, at = { 1, { "
        "0, 0, 0 } } } }, gravity = { 0, 0, -9.81 }, method = 'director', options = { n = 2 } }";
    withy_scene *scene = scene_with(text, NULL, 0);
    withy_sim *sim;
    withy_equilibrium at;
    withy_error err = {0};
    CHECK_OK(withy_scene_sim(scene, NULL, &sim, &err));
    CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
    for (int i = 0; i < 2; i++)
        CHECK_NEAR(v3_norm(withy_sim_sample(sim, i)->force[1]), 9.81 / 0.8, 1e-4);
    end(scene, sim);
}

/* Force densities alone turn it upside down, which is in balance too. */
TEST(a_body_on_two_cables_hangs_below_them) {
    static const char text[] =
        "local function c(name, length, x, z) return { name = name, length = length, kind = "
        "'cable', stiffness = { stretch = 1e4 }, inertia = { mass = 0.1 }, ends = { start = pinned "
        "{ position = { x, 0, z } } }, initial = { shape = straight { from = { x, 0, z }, along = "
        "{ 0, 0, -1 } } } } end "
        "return { rods = { c('a', 1, 0, 0), c('b', 1.2, 1, 0.2) }, bodies = { { name = 'm', mass = "
        "3, inertia = { 0.1, 0.3, 0.3 }, position = { 0.4, 0, -1.1 } } }, joints = { ball { parts "
        "= { 'a', 'm' }, at = { 1, { -0.4, 0, 0.1 } } }, ball { parts = { 'b', 'm' }, at = { 1.2, "
        "{ 0.6, 0, 0.1 } } } }, gravity = { 0, 0, -9.81 }, method = 'director', options = { n = 8, "
        "degree = 2 } }";
    withy_scene *scene = scene_with(text, NULL, 0);
    withy_sim *sim;
    withy_equilibrium at;
    withy_error err = {0};
    CHECK_OK(withy_scene_sim(scene, NULL, &sim, &err));
    CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
    CHECK(at.negative == 0);
    const withy_snapshot *a = withy_sim_sample(sim, 0);
    CHECK_BELOW(a->position[a->count - 1].z, -1);
    CHECK_NEAR(a->force[1].z, -(3 * 0.6 + 0.1) * 9.81, 0.2); /* its share, its own weight */
    end(scene, sim);
}

/* ---- refused ------------------------------------------------------------------------------------------- */

static void refused(const char *rod, const char *more, const char *words) {
    char text[2048];
    withy_scene *scene = NULL;
    withy_sim *sim = NULL;
    withy_error err = {0};
    snprintf(text, sizeof text, "return { rod = { length = 1, %s }, %s }", rod, more);
    withy_status status = withy_scene_read_text(text, strlen(text), "t.lua", NULL, 0, &scene, &err);
    if (status == WITHY_MISSING) skip(); /* a build without Lua */
    if (status == WITHY_OK) status = withy_scene_sim(scene, NULL, &sim, &err);
    CHECK(status == WITHY_BAD_INPUT || status == WITHY_UNSUPPORTED);
    if (!strstr(err.text, words)) fail_msg("%s", err.text);
    end(scene, sim);
}

TEST(what_a_cable_does_not_have_is_refused_by_name) {
    static const char *const key[][2] = {
        {"stiffness = { bend = 0, stretch = 1 }, inertia = { mass = 1 }", "rod.kind = \"cable\""},
        {CABLE ", inertia = { mass = 1, rotary = 1 }", "rod.inertia.rotary"},
        {CABLE ", damping = { bend = 1 }", "rod.damping.bend"},
        {CABLE ", rest = arc { radius = 1 }", "rod.rest"},
        {CABLE ", drag = { spin = 1 }", "rod.drag.spin"},
        {CABLE ", law = viscoelastic { { 0.3, 1 } }", "rod.law"},
        {"kind = \"cable\", stiffness = { bend = 1, stretch = 1 }, inertia = { mass = 1 }",
         "rod.stiffness.bend"},
        {"kind = \"cable\", stiffness = {}, inertia = { mass = 1 }", "stiffness EA"},
        {"compression = true, stiffness = { bend = 1 }, inertia = { mass = 1 }",
         "rod.compression"}};
    static const char *const more[][2] = {
        {"ends = { start = clamped {} }", "no direction that an end could hold"},
        {"ends = { start = pinned { moment = { 1, 0, 0 } } }", "ends.start.moment"},
        {"loads = { point { at = 1, moment = { 1, 0, 0 } } }", "loads[1].moment"},
        {"loads = { tendon { tension = 1 } }", "loads[1]"},
        {"obstacles = { plane { point = { 0, 0, -1 }, friction = 0.1 } }, contact = { self = false "
         "}",
         "friction"},
        {"method = \"cheb\"", "does not support cables"}};
    for (size_t i = 0; i < sizeof key / sizeof *key; i++)
        refused(key[i][0], "method = \"director\"", key[i][1]);
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        refused(CABLE ", radius = 0.01", more[i][0], more[i][1]);
}

TEST(a_joint_that_needs_a_frame_is_refused_at_a_cable) {
    withy_scene *scene = NULL;
    withy_sim *sim = NULL;
    withy_error err = {0};
    const char *text = "return { rod = { length = 1, " CABLE " }, joints = { hinge { parts = { "
                       "'ground', 'rod' }, at = { { 0, 0, 1 }, 1 }, axis = { 1, 0, 0 } } } }";
    const withy_status status =
        withy_scene_read_text(text, strlen(text), "t.lua", NULL, 0, &scene, &err);
    if (status == WITHY_MISSING) skip(); /* a build without Lua */
    CHECK(status != WITHY_OK || withy_scene_sim(scene, NULL, &sim, &err) == WITHY_BAD_INPUT);
    if (!strstr(err.text, "a cable has no frame")) fail_msg("%s", err.text);
    end(scene, sim);
}

TEST(a_cable_so_stiff_that_rounding_decides_its_tension_is_refused) {
    static const char text[] =
        "return { rod = { length = 10, kind = 'cable', stiffness = { stretch = 1e10 }, inertia = { "
        "mass "
        "= 1 } }, gravity = { 0, 0, -9.81 }, initial = { shape = straight { along = { 1, 0, 0 } } "
        "}, "
        "ends = { start = pinned {} }, time = { stop = 1, output = 1 }, options = { n = 8 } }";
    static const struct {
        const char *set;
        int refused;
    } row[] = {{"rod.stiffness.stretch=1e14", 0},
               {"rod.stiffness.stretch=1e16", 1},
               {"rod.stiffness.stretch=1e20", 1},
               {"rod.inertia.mass=1e-300", 1}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        withy_error err = {0};
        withy_static_report report;
        withy_scene *scene = scene_with(text, &row[i].set, 1);
        const withy_run_setup setup = {.method = "director"};
        const withy_status status = withy_static(scene, &setup, &report, &err);
        CHECK(status == (row[i].refused ? WITHY_BAD_INPUT : WITHY_OK));
        if (row[i].refused) CHECK(strstr(err.text, "rounding of its places"));
        if (!row[i].refused) /* of the whole weight at the pin */
            CHECK_NEAR(report.point[0].reaction[0].z, 98.1, 1e-3 * 98.1);
        withy_static_free(&report);
        withy_scene_destroy(scene);
    }
}

RUN(test(the_work_of_10000_random_steps_is_the_energy_and_a_loss_that_is_never_negative),
    test(the_slope_of_the_tension_is_that_of_its_differences),
    test(a_released_cable_keeps_its_energy_and_never_pushes),
    test(a_damped_cable_loses_what_its_ledger_has),
    test(frames_follow_the_tangent_without_turning_about_it),
    test(a_slack_cable_is_in_balance_with_a_note_and_has_no_modes),
    test(a_cable_under_pressure_is_not_called_stable_and_has_no_modes),
    test(two_cables_carry_a_body), test(a_body_on_two_cables_hangs_below_them),
    test(a_cable_so_stiff_that_rounding_decides_its_tension_is_refused),
    test(what_a_cable_does_not_have_is_refused_by_name),
    test(a_joint_that_needs_a_frame_is_refused_at_a_cable))
