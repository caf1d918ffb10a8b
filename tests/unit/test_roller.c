/* test_roller.c - an end that is held across a line and free along it. */
#include "check.h"
#include "fixture.h"
#include "withy/withy.h"

static const double PI = 3.14159265358979323846;

static withy_static_report solve(const char *text, const char *set) {
    withy_scene *scene = scene_of(text, set);
    const withy_run_setup setup = {0};
    withy_static_report report;
    withy_error err = {0};
    if (withy_static(scene, &setup, &report, &err) != WITHY_OK) fail_msg("%s", err.text);
    withy_scene_destroy(scene);
    return report;
}

#define ROD(stiff)                                                                                 \
    "rod = { length = 1, stiffness = { stretch = " stiff ", shear = " stiff                        \
    ", bend = 1, twist = 1 }, inertia = { mass = 1, rotary = 1e-5 } }, "
#define ALONG_X "initial = { shape = straight { along = { 1, 0, 0 } } }, "

/* ---- statics --------------------------------------------------------------------------------------- */

/* P = pi^2 EI/L^2; with EA = GA the shortening and the shear, each P/EA of it, cancel. */
TEST(a_column_between_a_pin_and_a_roller_buckles_at_pi_squared_ei_over_l_squared) {
    static const char *const text[2] = {
        "return { " ROD("1e6") ALONG_X
        "ends = { start = pinned {}, finish = roller { force = { -1, 0, 0 } } }, path = { from = "
        "9, to = 10.5, steps = 3 } }",
        "return { " ROD("1e6") ALONG_X
        "ends = { start = roller { force = { 1, 0, 0 } }, finish = pinned {} }, path = { from = 9, "
        "to = 10.5, steps = 3 } }"};
    for (int k = 0; k < 2; k++) {
        withy_static_report report = solve(text[k], NULL);
        CHECK(report.critical_count == 1);
        printf("critical force %.6f EI/L^2, pi^2 = %.6f\n", report.critical[0].factor, PI * PI);
        CHECK_NEAR(report.critical[0].factor, PI * PI, 2e-6 * PI * PI);
        CHECK(report.critical[0].change == 2); /* about both axes */
        withy_static_free(&report);
    }
}

TEST(a_roller_gives_way_along_its_line_and_carries_half_of_the_weight_across_it) {
    static const char text[] = "return { " ROD("100") ALONG_X
        "gravity = { 0, 0, -0.01 }, ends = { start = pinned {}, finish = roller { force = { 5, 0, "
        "0 } } } }";
    withy_static_report report = solve(text, NULL);
    const withy_static_point *at = &report.point[0];
    CHECK_NEAR(at->position[1].x, 1.05, 1e-5); /* F L/EA; the sag shortens it by 1e-7 */
    CHECK_NEAR(at->position[1].y, 0, 1e-14);
    CHECK_NEAR(at->position[1].z, 0, 1e-14);
    CHECK(at->reaction[1].x == 0);
    CHECK_NEAR(at->reaction[1].z, 0.005, 1e-9);
    CHECK_NEAR(at->reaction[0].x, -5, 1e-8);
    CHECK(at->at.negative == 0 && at->at.neutral == 1);
    withy_static_free(&report);
}

/* A stiff bar on a pin and on a line that climbs by 30 degrees: of moments about the pin,
 * N L cos(30) = W L/2. */
TEST(a_roller_on_an_inclined_line_pushes_at_right_angles_to_it) {
    static const char text[] =
        "return { rod = { length = 1, stiffness = { stretch = 1e8, shear = 1e8, bend = 1e6, twist "
        "= 1e6 }, inertia = { mass = 1, rotary = 1e-5 } }, " ALONG_X
        "gravity = { 0, 0, -1 }, ends = { start = pinned {}, finish = roller { along = { "
        "math.sqrt(3), 0, 1 } } } }";
    withy_static_report report = solve(text, NULL);
    const withy_vec3 r = report.point[0].reaction[1];
    const double c = sqrt(0.75), push = 0.5 / c;
    CHECK_NEAR(r.x, -0.5 * push, 1e-5);
    CHECK_NEAR(r.z, c * push, 1e-5);
    CHECK_NEAR(r.x * c + r.z * 0.5, 0, 1e-14);
    withy_static_free(&report);
}

/* The line is led across by a function: the rod on pin and roller turns, and does not stretch. */
TEST(a_roller_whose_line_moves_takes_the_rod_across_without_stretching_it) {
    static const char text[] = "return { " ROD("1e6") ALONG_X
        "ends = { start = pinned {}, finish = roller { along = { 1, 0, 0 }, position = function(t) "
        "return 1, 0, 0.6 * t end } }, path = { from = 0, to = 1, steps = 2 } }";
    withy_static_report report = solve(text, NULL);
    const withy_vec3 at = report.point[2].position[1];
    CHECK_NEAR(at.x, 0.8, 1e-9);
    CHECK_NEAR(at.z, 0.6, 1e-12);
    CHECK_NEAR(report.point[2].reaction[1].z, 0, 1e-6);
    withy_static_free(&report);
}

/* Only along the line does nothing hold it. */
TEST(a_rod_on_two_rollers_under_a_force_along_its_line_is_reported_that_nothing_holds_it) {
    static const char text[] = "return { " ROD("1e4") ALONG_X
        "ends = { start = roller { force = { 1, 0, 0 } }, finish = roller {} } }";
    withy_scene *scene = scene_of(text, NULL);
    const withy_run_setup setup = {0};
    withy_static_report report;
    withy_error err = {0};
    const withy_status status = withy_static(scene, &setup, &report, &err);
    CHECK(status == WITHY_NO_CONVERGENCE);
    printf("%s\n", err.text);
    CHECK(strstr(err.text, "a force of 1 N moves the rod along a line on which nothing resists"));
    withy_scene_destroy(scene);
}

/* Half of von Mises' truss: a bar of length L from a pin to a roller on an upright line at distance a.
 * P(y) = EA y (1/l - 1/L) with l^2 = a^2 + y^2 turns where l^3 = a^2 L. */
TEST(the_limit_point_of_a_von_mises_truss_is_found_to_1e_6) {
    static const char text[] =
        "return { rod = { length = math.sqrt(1.04), stiffness = { stretch = 1000, shear = 1000, "
        "bend = 100, twist = 100 }, inertia = { mass = 1, rotary = 1e-4 } }, initial = { shape = "
        "straight { along = { 1, 0, 0.2 }, normal = { 0, 1, 0 } } }, ends = { start = pinned {}, "
        "finish = roller { along = { 0, 0, 1 }, force = { 0, 0, -1 } } }, path = { from = 0, to = "
        "3, steps = 40, arc_length = true }, options = { n = 4 } }";
    const double length = sqrt(1.04), l = cbrt(length), y = sqrt(l * l - 1);
    const double exact = 1000 * y * (1 / l - 1 / length);
    withy_static_report report = solve(text, NULL);
    CHECK(report.critical_count >= 1);
    const withy_critical *at = &report.critical[0];
    printf("limit load %.9f, exact %.9f\n", at->factor, exact);
    CHECK(at->mark == WITHY_POINT_LIMIT && at->change == 1);
    CHECK_NEAR(at->factor, exact, 1e-6 * exact);
    const withy_mode *mode =
        at->mode; /* the bar turns about the pin, its upper end goes down or up */
    CHECK(mode != NULL);
    const withy_vec3 top = mode->shift[mode->count - 1];
    CHECK_NEAR(top.x, 0, 1e-9);
    CHECK(fabs(top.z) > 0.09);
    withy_static_free(&report);
}

/* ---- motion ---------------------------------------------------------------------------------------- */

static double finish_x(withy_sim *sim, double t, withy_vec3 *finish) {
    withy_error err = {0};
    CHECK_OK(withy_sim_advance(sim, t, &err));
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    CHECK(now != NULL);
    *finish = now->position[now->count - 1];
    return finish->x;
}

TEST(a_rod_on_two_rollers_falls_freely_along_their_line) {
    static const char text[] = "return { " ROD("1e4") ALONG_X
        "gravity = { 2, 0, 0 }, ends = { start = roller {}, finish = roller "
        "{} }, time = { stop = 1, output = 0.5 }, options = { n = 4, dt = "
        "0.05 } }";
    withy_scene *scene = scene_of(text, NULL);
    withy_sim *sim;
    withy_error err = {0};
    withy_vec3 at;
    CHECK_OK(withy_scene_sim(scene, NULL, &sim, &err));
    CHECK_NEAR(finish_x(sim, 1.0, &at), 2.0, 1e-12);
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
}

/* It swings and slides down: the energy is the only measure, and the line does no work. */
TEST(a_rod_that_slides_on_an_inclined_roller_keeps_its_energy_and_its_line) {
    static const char text[] = "return { " ROD("1e3") ALONG_X
        "gravity = { 0, 0, -3 }, ends = { start = roller { along = { 1, 0, -0.3 } } }, time = { "
        "stop = 3, output = 1 }, options = { n = 6, dt = 0.01 } }";
    withy_scene *scene = scene_of(text, NULL);
    static withy_report report;
    const withy_run_setup setup = {0};
    withy_error err = {0};
    CHECK_OK(withy_run(scene, &setup, &report, &err));
    printf("start at (%.4f, %.1e, %.4f), energy constant to %.1e\n", report.position[0].x,
           report.position[0].y, report.position[0].z, report.stats.energy_drift);
    CHECK_BELOW(report.stats.energy_drift, 1e-10);
    CHECK(report.position[0].x > 0.1);
    CHECK_NEAR(report.position[0].z, -0.3 * report.position[0].x, 1e-12);
    withy_scene_destroy(scene);
}

/* Along: a bar held at one end, pi/2 sqrt(EA/m)/L.  Across: pinned at both, pi^2 sqrt(EI/m)/L^2. */
TEST(a_beam_on_pin_and_roller_has_the_bending_of_two_pins_and_the_axial_modes_of_one) {
    static const char text[] =
        "return { rod = { length = 1, stiffness = { stretch = 400, shear = 1e7, bend = 1, twist = "
        "1e4 }, inertia = { mass = 1, rotary = 1e-7 } }, " ALONG_X
        "ends = { start = pinned {}, finish = roller {} } }";
    withy_scene *scene = scene_of(text, NULL);
    const withy_run_setup setup = {0};
    withy_mode *mode;
    withy_error err = {0};
    if (withy_modes(scene, 6, &setup, &mode, &err) != WITHY_OK) fail_msg("%s", err.text);
    int along = 0, across = 0;
    for (int i = 0; i < mode[0].total; i++) {
        const double omega = 2 * PI * mode[i].frequency;
        along += fabs(omega - 0.5 * PI * 20) < 1e-4 * omega;
        across += fabs(omega - PI * PI) < 1e-4 * omega;
    }
    printf("%d mode along, %d across\n", along, across);
    CHECK(along == 1 && across == 2);
    withy_modes_free(mode, mode[0].total);
    withy_scene_destroy(scene);
}

TEST(methods_without_rollers_refuse_them_and_name_the_one_that_has_them) {
    static const char text[] = "return { " ROD("1e4") ALONG_X
        "ends = { start = pinned {}, finish = roller {} }, time = { stop = "
        "1 } }";
    withy_scene *scene = scene_of(text, NULL);
    withy_method_info info;
    for (int i = 0; withy_method_at(i, &info); i++) {
        withy_error err = {0};
        const int accepts = withy_check(scene, info.name, &err) == WITHY_OK;
        CHECK(accepts == (strcmp(info.name, "director") == 0));
        if (!accepts) CHECK(strstr(err.text, "does not support roller ends; use director"));
    }
    withy_scene_destroy(scene);
}

RUN(test(a_column_between_a_pin_and_a_roller_buckles_at_pi_squared_ei_over_l_squared),
    test(a_roller_gives_way_along_its_line_and_carries_half_of_the_weight_across_it),
    test(a_roller_on_an_inclined_line_pushes_at_right_angles_to_it),
    test(a_roller_whose_line_moves_takes_the_rod_across_without_stretching_it),
    test(a_rod_on_two_rollers_under_a_force_along_its_line_is_reported_that_nothing_holds_it),
    test(the_limit_point_of_a_von_mises_truss_is_found_to_1e_6),
    test(a_rod_on_two_rollers_falls_freely_along_their_line),
    test(a_rod_that_slides_on_an_inclined_roller_keeps_its_energy_and_its_line),
    test(a_beam_on_pin_and_roller_has_the_bending_of_two_pins_and_the_axial_modes_of_one),
    test(methods_without_rollers_refuse_them_and_name_the_one_that_has_them))
