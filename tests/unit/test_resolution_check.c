/* Notes when mesh or step cannot carry the answer, and none where they can. */
#include "check.h"
#include "fixture.h"
#include "withy/withy.h"

static int notes_of_static(const char *text, const char *method, const char *set,
                           const char *wanted) {
    withy_scene *scene = scene_of(text, set);
    const withy_run_setup setup = {.method = method};
    withy_static_report report;
    withy_error err = {0};
    CHECK_OK(withy_static(scene, &setup, &report, &err));
    const int found = strstr(report.notes.text, wanted) != NULL;
    withy_static_free(&report);
    withy_scene_destroy(scene);
    return found;
}

static int notes_of_run(const char *text, const char *method, const char *set, const char *wanted) {
    withy_scene *scene = scene_of(text, set);
    const withy_run_setup setup = {.method = method};
    static withy_report report;
    withy_error err = {0};
    CHECK_OK(withy_run(scene, &setup, &report, &err));
    const int found = strstr(report.notes.text, wanted) != NULL;
    withy_scene_destroy(scene);
    return found;
}

/* A compression spring of 8 coils: kirchhoff at n = 100 finds 2235 N/m, the limit is 2433. */
static const char spring[] =
    "local L = 8 * math.sqrt((math.pi * 20e-3)^2 + 6e-3^2)\n"
    "return { rod = { length = L, section = circle { diameter = 2e-3 }, material = { young = "
    "206e9, "
    "shear = 79e9, density = 7850 }, rest = helix { radius = 10e-3, turns = 8 } }, ends = { start "
    "= "
    "clamped {}, finish = clamped { position = function(t) return 0, 0, 48e-3 - t * 1e-3 end } }, "
    "path = { from = 0, to = 1, steps = 1 } }";
static const char turns[] = "from one node to the next";

TEST(too_few_nodes_for_the_coils_of_a_spring_are_noted) {
    CHECK(notes_of_static(spring, "kirchhoff", NULL, turns));
    CHECK(notes_of_static(spring, "fdtd", "options.n=200", turns));
}

TEST(a_spring_with_enough_nodes_is_not_doubted) {
    CHECK(!notes_of_static(spring, "kirchhoff", "options.n=300", turns));
    CHECK(!notes_of_static(spring, "se3", NULL, turns));
    CHECK(!notes_of_static(spring, "director", "options.n=48", turns));
}

/* The first bending mode of this cantilever has a period of 1.79 s. */
static const char swing[] =
    "return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 400, shear = 150 }, "
    "inertia = { mass = 1, rotary = 2.5e-3 } }, initial = { shape = straight { along = { 1, 0, 0 } "
    "} }, "
    "ends = { start = clamped {} }, gravity = { 0, 0, -0.5 }, time = { stop = 12, output = 0.4 }, "
    "options = { n = 6, dt = 0.2 } }";
static const char steps[] = "are long for this motion";

TEST(steps_that_are_long_for_the_motion_are_noted) {
    CHECK(notes_of_run(swing, "director", NULL, steps));
    CHECK(notes_of_run(swing, "se3", NULL, steps));
    CHECK(notes_of_run(swing, "director", "options.dt=0.4", steps));
}

TEST(steps_that_resolve_the_motion_are_not_doubted) {
    CHECK(!notes_of_run(swing, "director", "options.dt=0.02", steps));
    CHECK(!notes_of_run(swing, "se3", "options.dt=0.02", steps));
    CHECK(!notes_of_run(swing, "fdtd", "options.dt=\"auto\"", steps));
}

/* A thin rod that flies and is twisted at its end, by 80 degrees in a step of se3. */
static const char whirl[] =
    "return { rod = { length = 1, stiffness = { bend = 1, twist = 0.8, stretch = 2900, shear = "
    "1000 }, inertia = { mass = 1, rotary = { 3.4e-4, 3.4e-4, 6.8e-4 } } }, initial = { shape = "
    "straight { along = { 1, 0, 0 } }, velocity = { 0, 1, 0 } }, ends = { finish = free { moment = "
    "function(t) return math.min(1, 4 * t) * 0.4, 0, 0 end } }, time = { stop = 0.6, output = 0.1 "
    "}, options = { n = 16, dt = 5e-3 } }";

TEST(sections_that_spin_further_in_a_step_than_se3_follows_are_noted) {
    static const char spin[] = "sections spin about the axis by up to";
    CHECK(notes_of_run(whirl, "se3", NULL, spin));
    CHECK(!notes_of_run(whirl, "se3", "options.dt=2.5e-4", spin));
    CHECK(!notes_of_run(whirl, "director", "options.n=4", spin));
}

/* Recording and looking must not change the motion. */
TEST(looking_for_checks_changes_no_bit_of_the_motion) {
    withy_scene *scene = scene_of(swing, NULL);
    withy_sim *sim;
    withy_error err = {0};
    static withy_report report;
    const withy_run_setup setup = {.method = "se3"};
    CHECK_OK(withy_run(scene, &setup, &report, &err));
    CHECK_OK(withy_scene_sim(scene, "se3", &sim, &err));
    CHECK_OK(withy_sim_advance(sim, 12, &err));
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    CHECK(now->position[now->count - 1].z == report.position[1].z);
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
}

RUN(test(too_few_nodes_for_the_coils_of_a_spring_are_noted),
    test(a_spring_with_enough_nodes_is_not_doubted),
    test(steps_that_are_long_for_the_motion_are_noted),
    test(steps_that_resolve_the_motion_are_not_doubted),
    test(sections_that_spin_further_in_a_step_than_se3_follows_are_noted),
    test(looking_for_checks_changes_no_bit_of_the_motion))
