/* slow under sanitizers
 *
 * A rod bent further than its mesh can hold must not snap into a fold that costs no energy. */
#include "case_fixture.h"
#include "withy/withy.h"

static withy_error err;

/* Run the falling rod under the director method with n elements. */
static withy_status fall(const char *n, withy_report *report) {
    const char *set[] = {n, "options.dt=0.1", "method=director"};
    withy_scene *scene = scene_of_case("falling_rod", set, 3);
    const withy_run_setup setup = {0};
    const withy_status status = withy_run(scene, &setup, report, &err);
    withy_scene_destroy(scene);
    return status;
}

TEST(a_fold_between_two_nodes_is_reported_with_time_place_and_what_to_do) {
    withy_report report;
    CHECK(fall("options.n=10", &report) == WITHY_NO_CONVERGENCE);
    CHECK(strncmp(err.text, "director: at t = 2", 18) == 0);
    CHECK(strstr(err.text, " degrees between two nodes at s = "));
    CHECK(strstr(err.text, "use more elements (options.n, now 10)"));
    CHECK(report.snapshots > 20); /* what was right is kept */
}

static withy_vec3 tip(const char *n, const char *method) {
    /* undamped: the damping of [EL] is not the objective one */
    const char *set[] = {n, "options.dt=0.0125", method, "time.stop=15", "rod.damping.bend=0"};
    withy_scene *scene = scene_of_case("falling_rod", set, 5);
    withy_report report;
    const withy_run_setup setup = {0};
    CHECK_OK(withy_run(scene, &setup, &report, &err));
    withy_scene_destroy(scene);
    return report.position[1];
}

/* Two codes that share nothing but the scene, before the whip that amplifies everything.  Elastica:
 * second order in 1/80, some 1e-3 of a tip that has moved 8. */
TEST(a_mesh_that_holds_follows_the_elastica) {
    const withy_vec3 a = tip("options.n=40", "method=director");
    const withy_vec3 b = tip("options.n=160", "method=elastica");
    CHECK_NEAR(a.x, b.x, 3e-3);
    CHECK_NEAR(a.z, b.z, 3e-3);
}

RUN(test(a_fold_between_two_nodes_is_reported_with_time_place_and_what_to_do),
    test(a_mesh_that_holds_follows_the_elastica))
