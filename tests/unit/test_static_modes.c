/* Equilibria, paths and modes of a scene: from Lua to files. */
#include "base/vec.h"
#include "check.h"
#include "fixture.h"
#include "withy/withy.h"

#define ROD                                                                                        \
    "rod = { length = 1, section = circle { diameter = 0.02 }, material = { young = 1e8, shear = " \
    "4e7, density = 1000 } }, "
#define ALONG_X                                                                                    \
    "initial = { shape = straight { from = { 0, 0, 0 }, along = { 1, 0, 0 }, normal = { 0, 1, 0 "  \
    "} } }, "

TEST(without_a_path_there_is_one_equilibrium_under_the_full_load) {
    (void)unused_state;
    withy_scene *scene = scene_of("return { " ROD ALONG_X
                                  "ends = { start = clamped {} }, gravity = { 0, -9.81, 0 }, "
                                  "time = { stop = 1 }, options = { n = 4 } }",
                                  NULL);
    const withy_run_setup setup = {0};
    withy_static_report report;
    withy_error err = {0};
    CHECK_OK(withy_static(scene, &setup, &report, &err));
    CHECK(report.count == 1);
    CHECK_TEXT(report.method, "director");
    CHECK_NEAR(report.point[0].at.factor, 1, 0);
    CHECK(report.point[0].at.negative == 0);
    const double weight = 1000 * 3.14159265358979 * 1e-4 * 9.81;
    CHECK_NEAR(report.point[0].reaction[0].y, weight, 1e-8);
    withy_static_free(&report);
    withy_scene_destroy(scene);
}

/* An inextensible rod, pressed to 95 % of its length, needs no mass. */
TEST(a_path_of_equilibria_needs_no_mass_and_multiplies_the_loads) {
    (void)unused_state;
    withy_scene *scene =
        scene_of("return { rod = { length = 1, stiffness = { bend = 1 } }, " ALONG_X
                 "ends = { start = clamped {}, finish = free { force = { 0, 10, 0 } } }, "
                 "path = { to = 1, steps = 4 }, options = { n = 8, degree = 4 } }",
                 NULL);
    const withy_run_setup setup = {0};
    withy_static_report report;
    withy_error err = {0};
    CHECK_OK(withy_static(scene, &setup, &report, &err));
    CHECK(report.count == 5);
    CHECK_NEAR(report.point[2].at.factor, 0.5, 1e-15);
    CHECK_NEAR(report.point[2].position[1].y, 0.71379152, 2e-7);
    CHECK_NEAR(report.point[4].position[1].y, 0.81060902, 2e-7);
    CHECK(strstr(report.notes.text, "rigid strains") != NULL);
    withy_static_free(&report);
    withy_scene_destroy(scene);
}

TEST(arc_length_marks_the_limit_points_and_ends_at_the_last_factor) {
    (void)unused_state;
    withy_scene *scene = scene_of(
        "local h = 0.25\n"
        "return { rod = { length = 2 * h, section = rectangle { width = 0.004, height = 0.04 }, "
        "material = { young = 1e9, shear = 4e8, density = 1000 }, rest = arc { from = { "
        "-math.sin(h), 0, 0 }, along = { math.cos(h), 0, math.sin(h) }, normal = { math.sin(h), 0, "
        "-math.cos(h) }, radius = 1 } }, ends = { start = clamped {}, finish = clamped {} }, "
        "loads = { point { at = h, force = { 0, 0, -20 } } }, path = { to = 1, steps = 30, "
        "arc_length = true }, options = { n = 8, degree = 3 } }",
        NULL);
    const withy_run_setup setup = {0};
    withy_static_report report;
    withy_error err = {0};
    CHECK_OK(withy_static(scene, &setup, &report, &err));
    int limits = 0;
    for (int i = 0; i < report.count; i++) limits += report.point[i].at.mark == WITHY_POINT_LIMIT;
    CHECK(limits == 2);
    CHECK_NEAR(report.point[report.count - 1].at.factor, 1, 1e-15);
    CHECK(report.point[report.count - 1].at.negative == 0);
    withy_static_free(&report);
    withy_scene_destroy(scene);
}

static withy_status hang(const char *elements, withy_static_report *report, withy_error *err) {
    withy_scene *scene;
    const withy_run_setup setup = {0};
    const char *const catenary = WITHY_SOURCE "/cases/catenary/scene.lua";
    withy_status status = withy_scene_read(catenary, &elements, 1, &scene, err);
    if (status == WITHY_MISSING) skip();
    if (status != WITHY_OK) fail_msg("%s", err->text);
    status = withy_static(scene, &setup, report, err);
    withy_scene_destroy(scene);
    return status;
}

/* The soft rod turns within sqrt(EI/H) = 0.012 L of its clamps: 16 cubic elements hold 45 degrees
 * between their nodes up to two thirds of the weight, 24 of them the whole. */
TEST(a_mesh_too_coarse_for_the_turn_at_a_clamp_is_reported_with_the_cure) {
    withy_error err = {0};
    withy_static_report report;
    CHECK(hang("options.n=16", &report, &err) == WITHY_NO_CONVERGENCE);
    CHECK(strstr(err.text, "more than the mesh resolves (45); use more nodes (options.n, now 16)"));
    CHECK(strstr(report.notes.text, "at factor 0.7 the rod turns by 50 degrees between two nodes"));
    withy_static_free(&report);
    CHECK_OK(hang("options.n=24", &report, &err));
    CHECK(strstr(report.notes.text, "degrees") == NULL);
    withy_static_free(&report);
}

TEST(modes_of_a_scene_come_in_order) {
    (void)unused_state;
    withy_scene *scene = scene_of(
        "return { " ROD ALONG_X "ends = { start = clamped {} }, time = { stop = 1 } }", NULL);
    const withy_run_setup setup = {0};
    withy_mode *mode;
    withy_error err = {0};
    CHECK_OK(withy_modes(scene, 6, &setup, &mode, &err));
    for (int i = 1; i < 6; i++) CHECK(mode[i].frequency >= mode[i - 1].frequency);
    /* Euler-Bernoulli, 3.5160/(2 pi) sqrt(EI/rho A)/L^2, less shear and rotary inertia */
    CHECK_NEAR(mode[0].frequency, 3.5160 / 6.28318530718 * sqrt(1e8 * 0.01 * 0.01 / 4 / 1000),
               2e-3);
    withy_modes_free(mode, 6);
    withy_scene_destroy(scene);
}

/* Gyroscopic forces make some stiffer shapes slower than softer ones. */
TEST(the_first_modes_of_a_turning_rod_are_those_of_a_longer_list) {
    SLOW_UNDER_SANITIZERS; /* test_modes has rotating blades */
    static const char *const spins[] = {"9, 0, 0", "0, 3, 4"};
    for (int k = 0; k < 2; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 "return { rod = { length = 0.1, section = circle { diameter = 0.01 }, material = "
                 "{ young = 1e6, shear "
                 "= 4e5, density = 1000 } }, " ALONG_X
                 "ends = { start = clamped {}, finish = free { mass = 0.004 } }, rotating = { spin "
                 "= { %s }, about = "
                 "{ 0, 0.02, -0.05 } }, options = { n = 6 }, method = \"director\" }",
                 spins[k]);
        withy_scene *scene = scene_of(text, NULL);
        const withy_run_setup setup = {0};
        withy_mode *all, *some;
        withy_error err = {0};
        CHECK_OK(withy_modes(scene, 12, &setup, &all, &err));
        for (int count = 3; count < 9; count += 2) {
            CHECK_OK(withy_modes(scene, count, &setup, &some, &err));
            for (int i = 0; i < count; i++)
                CHECK_NEAR(some[i].frequency / all[i].frequency, 1, 1e-6);
            withy_modes_free(some, count);
        }
        withy_modes_free(all, 12);
        withy_scene_destroy(scene);
    }
}

TEST(a_bent_free_rod_is_no_equilibrium_and_has_no_modes) {
    (void)unused_state;
    withy_scene *scene =
        scene_of("return { " ROD "initial = { shape = arc { radius = 1, normal = { 1, 0, 0 } } }, "
                 "time = { stop = 1 } }",
                 NULL);
    const withy_run_setup setup = {0};
    withy_mode *mode;
    withy_error err = {0};
    CHECK(withy_modes(scene, 6, &setup, &mode, &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "director: the shape is not an equilibrium") == err.text);
    CHECK(mode == NULL);
    withy_scene_destroy(scene);
}

static const char *const plucked =
    "return { " ROD "ends = { start = clamped {}, finish = clamped {} }, "
    "initial = static { shape = straight { from = { 0, 0, 0 }, along = { 1, 0, 0 } }, "
    "loads = { point { at = 0.5, force = { 0, 2, 0 } } } }, "
    "time = { stop = 0.1, output = 0.01 }, options = { n = 8, dt = 1e-3 } }";

TEST(a_rod_pulled_aside_in_equilibrium_is_let_go) {
    (void)unused_state;
    withy_scene *scene = scene_of(plucked, NULL);
    withy_sim *sim;
    withy_error err = {0};
    CHECK_OK(withy_scene_sim(scene, NULL, &sim, &err));
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    const double pulled = now->position[now->count / 2].y;
    CHECK(pulled > 0.01);
    CHECK_NEAR(now->energy.kinetic, 0, 0);
    CHECK_NEAR(withy_sim_time(sim), 0, 0);
    CHECK_OK(withy_sim_advance(sim, 0.1, &err));
    now = withy_sim_sample(sim, 0);
    CHECK(now->position[now->count / 2].y < 0.9 * pulled);
    CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-11);
    CHECK(withy_sim_stats(sim).conserves == 1);
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
}

TEST(a_method_that_cannot_settle_says_so) {
    (void)unused_state;
    withy_scene *scene = scene_of(plucked, NULL);
    withy_sim *sim;
    withy_error err = {0};
    CHECK(withy_scene_sim(scene, "elastica", &sim, &err) == WITHY_UNSUPPORTED);
    /* not kirchhoff, which cannot bend a rod whose ends are as far apart as it is long */
    CHECK_TEXT(
        err.text,
        "elastica: does not support a start from equilibrium; use director, se3, fdtd or cheb");
    withy_scene_destroy(scene);
}

TEST(a_method_without_statics_or_modes_says_so) {
    (void)unused_state;
    withy_scene *scene =
        scene_of("return { rod = { length = 1, stiffness = { bend = 1 }, inertia = "
                 "{ mass = 1 } }, ends = { start = clamped {} }, time = { stop = 1 } }",
                 NULL);
    const withy_run_setup setup = {.method = "elastica"};
    withy_static_report report;
    withy_mode *mode;
    withy_error err = {0};
    CHECK(withy_static(scene, &setup, &report, &err) == WITHY_UNSUPPORTED);
    CHECK_TEXT(err.text, "elastica: the method has no statics; use director, or run the scene with "
                         "damping");
    CHECK(withy_modes(scene, 2, &setup, &mode, &err) == WITHY_UNSUPPORTED);
    withy_scene_destroy(scene);
}

RUN(test(without_a_path_there_is_one_equilibrium_under_the_full_load),
    test(a_path_of_equilibria_needs_no_mass_and_multiplies_the_loads),
    test(arc_length_marks_the_limit_points_and_ends_at_the_last_factor),
    test(a_mesh_too_coarse_for_the_turn_at_a_clamp_is_reported_with_the_cure),
    test(modes_of_a_scene_come_in_order),
    test(the_first_modes_of_a_turning_rod_are_those_of_a_longer_list),
    test(a_bent_free_rod_is_no_equilibrium_and_has_no_modes),
    test(a_rod_pulled_aside_in_equilibrium_is_let_go), test(a_method_that_cannot_settle_says_so),
    test(a_method_without_statics_or_modes_says_so))
