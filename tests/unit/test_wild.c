/* test_wild.c - functions of the state that have no value where Newton's method only passes by; and what
 * `withy check` says of a start. */
#include "check.h"
#include "fixture.h"
#include "withy/withy.h"

#define PULL(drag, force) PULL_IN(drag, force, "")
#define PULL_IN(drag, force, more)                                                                 \
    "return { rod = { length = 1, stiffness = { stretch = 1e4, shear = 1e4, bend = 1, twist = 1 "  \
    "}, inertia = { mass = 1, rotary = 1e-3 }" drag " }, initial = { shape = straight { along = "  \
    "{ 1, 0, 0 } } }, ends = { start = clamped {} }, loads = { point { at = 1, force = "           \
    "function(s, t, state) return 0, 0, " force " end } }, time = { stop = 2, output = 0.5 }, "    \
    "options = { n = 8 }" more " }"

/* The first change of Newton's method leads below z = -0.35, where the root has no value. */
TEST(an_equilibrium_is_found_past_states_for_which_a_load_has_no_value) {
    static const char *const method[] = {"director", "cheb"};
    for (int k = 0; k < 2; k++) {
        withy_scene *scene = scene_of(PULL("", "-30 * math.sqrt(0.35 + state.position[3])"), NULL);
        const withy_run_setup setup = {.method = method[k]};
        withy_static_report report;
        withy_error err = {0};
        if (withy_static(scene, &setup, &report, &err) != WITHY_OK) fail_msg("%s", err.text);
        const withy_static_point *at = &report.point[0];
        printf("%s: tip at z = %.6f under %.5f N\n", method[k], at->position[1].z,
               at->reaction[0].z);
        CHECK_NEAR(at->reaction[0].z, 30 * sqrt(0.35 + at->position[1].z), 1e-8);
        CHECK_NEAR(at->position[1].z, -0.348409, 2e-6); /* both */
        withy_static_free(&report);
        withy_scene_destroy(scene);
    }
}

#define DRAGGED ", drag = { linear = 200 }, radius = 0.01"
#define ROOT "-80 * math.sqrt(0.6 + state.position[3])"
#define FAR ", obstacles = { plane { point = { 0, 0, -90 }, normal = { 0, 0, 1 } } }"

TEST(a_step_past_states_for_which_a_load_has_no_value_is_cut_and_not_the_end) {
    static const char *const text[2] = {PULL(DRAGGED, ROOT), PULL_IN(DRAGGED, ROOT, FAR)};
    static withy_report report[2];
    for (int k = 0; k < 2; k++) {
        withy_scene *scene = scene_of(text[k], "options.dt=0.25");
        const withy_run_setup setup = {.method = "director"};
        withy_error err = {0};
        if (withy_run(scene, &setup, &report[k], &err) != WITHY_OK) fail_msg("%s", err.text);
        CHECK(report[k].stats.halvings > 0);
        CHECK(report[k].position[1].z > -0.6);
        withy_scene_destroy(scene);
    }
    CHECK(report[0].stats.halvings == report[1].stats.halvings);
    CHECK(report[0].position[1].z == report[1].position[1].z);
    CHECK_TEXT(report[1].notes.text, report[0].notes.text);
}

/* It has no value where the rod is. */
TEST(a_load_that_has_no_value_where_the_rod_is_ends_the_run_with_its_sentence) {
    withy_scene *scene = scene_of(PULL("", "math.sqrt(-1 + 0 * state.position[3])"), NULL);
    static const char *const method[] = {"director", "cheb", "fdtd"};
    for (int k = 0; k < 3; k++) {
        static withy_report report;
        const withy_run_setup setup = {.method = method[k]};
        withy_error err = {0};
        CHECK(withy_run(scene, &setup, &report, &err) == WITHY_BAD_INPUT);
        CHECK(strstr(err.text, "its numbers must be finite"));
    }
    withy_scene_destroy(scene);
}

/* ---- withy check ------------------------------------------------------------------------------------- */

static const char gap[] =
    "return { rod = { length = 1, stiffness = { bend = 1 }, inertia = { mass = 1 } }, ends = { "
    "start = pinned { position = { 0, 0, 0 } }, finish = pinned { position = { 0.9, 0, 0 } } }, "
    "time = { stop = 1 } }";

TEST(a_scene_that_has_equilibria_but_no_start_is_accepted_for_these_only) {
    withy_scene *scene = scene_of(gap, NULL);
    static withy_report report;
    const withy_run_setup setup = {.method = "director"};
    withy_error err = {0}, own = {0};
    CHECK_OK(withy_check(scene, "director", &err));
    CHECK(withy_check_run(scene, "director", &err) == WITHY_BAD_INPUT);
    CHECK(withy_run(scene, &setup, &report, &own) == WITHY_BAD_INPUT);
    CHECK_TEXT(err.text, own.text);
    withy_scene_destroy(scene);
}

TEST(a_scene_without_a_time_has_nothing_to_start) {
    withy_scene *scene = scene_of(gap, "time=nil");
    withy_error err = {0};
    CHECK_OK(withy_check_run(scene, "director", &err));
    withy_scene_destroy(scene);
}

#define HEAVY                                                                                      \
    "return { rod = { length = 1, section = circle { diameter = 0.02 }, material = { young = "     \
    "1e7, poisson = 0.3, "                                                                         \
    "density = 1000 } }, initial = { shape = straight { along = { 1, 0, 0 } } }, ends = { start "  \
    "= clamped {} } }"

/* Squares of the largest overflow: loads were raised from a share of them that is 0 for ever. */
TEST(loads_of_any_size_end_in_an_equilibrium_or_a_sentence) {
    for (int k = -300; k <= 300; k += 25) {
        char weight[40];
        snprintf(weight, sizeof weight, "gravity={0,0,1e%d}", k);
        withy_scene *scene = scene_of(HEAVY, weight);
        const withy_run_setup setup = {.method = "director"};
        withy_static_report report;
        withy_error err = {0};
        const withy_status status = withy_static(scene, &setup, &report, &err);
        CHECK(status == WITHY_OK ? isfinite(report.point[0].position[1].z) : err.text[0] != 0);
        if (k < 0) CHECK_OK(status);
        if (status == WITHY_OK) withy_static_free(&report);
        withy_scene_destroy(scene);
    }
}

RUN(test(an_equilibrium_is_found_past_states_for_which_a_load_has_no_value),
    test(a_step_past_states_for_which_a_load_has_no_value_is_cut_and_not_the_end),
    test(a_load_that_has_no_value_where_the_rod_is_ends_the_run_with_its_sentence),
    test(a_scene_that_has_equilibria_but_no_start_is_accepted_for_these_only),
    test(a_scene_without_a_time_has_nothing_to_start),
    test(loads_of_any_size_end_in_an_equilibrium_or_a_sentence))
