/* A scene that names no method is run by the first that takes all of it. */
#include "cases.h"
#include "check.h"
#include "fixture.h"
#include "withy/withy.h"

/* Does the method take the scene, not only what it asks for: is there a simulation? */
static int takes(const withy_scene *scene, const char *method, withy_error *err) {
    withy_sim *sim = NULL;
    const withy_status status = withy_scene_sim(scene, method, &sim, err);
    withy_sim_destroy(sim);
    return status == WITHY_OK;
}

TEST(every_case_without_its_method_is_made_by_the_first_method_of_the_list_that_takes_it) {
    static const char *const without[] = {"method=nil", "options=nil"};
    int cases = 0, director = 0;
    for (const wy_case *at = wy_cases; at->name; at++, cases++) {
        withy_scene *scene = scene_with(at->text, without, 2);
        const withy_problem *problem = withy_scene_problem(scene);
        if (problem->body_count > 0 || problem->joint_count > 0) { /* its step must be given */
            withy_scene_destroy(scene);
            scene = scene_with(at->text, without, 1);
        }
        withy_sim *sim;
        withy_error err = {0}, why = {0};
        withy_method_info info;
        const withy_status status = withy_scene_sim(scene, NULL, &sim, &err);
        if (status != WITHY_OK) fail_msg("%s: no method takes it: %s", at->name, err.text);
        for (int i = 0; withy_method_at(i, &info); i++) {
            if (strcmp(info.name, withy_sim_method(sim)) == 0) break;
            if (takes(scene, info.name, &why))
                fail_msg("%s: %s takes it, but %s was chosen", at->name, info.name,
                         withy_sim_method(sim));
        }
        director += strcmp(withy_sim_method(sim), "director") == 0;
        withy_sim_destroy(sim);
        withy_scene_destroy(scene);
    }
    printf("%d cases without method and options: %d are made by director, %d by a later method, "
           "none by a method after one that takes it\n",
           cases, director, cases - director);
}

/* A compression spring of 8 coils. */
#define SPRING                                                                                     \
    "local L = 8 * math.sqrt((math.pi * 20e-3)^2 + 6e-3^2)\n"                                      \
    "return { rod = { length = L, section = circle { diameter = 2e-3 }, material = { young = "     \
    "206e9, shear = 79e9, density = 7850 }, rest = helix { radius = 10e-3, turns = 8 } }, ends = " \
    "{ start = clamped {}, finish = clamped { position = function(t) return 0, 0, 48e-3 - t * "    \
    "20e-3 end } }, path = { from = 0, to = 1, steps = 1 } }"

static int finish_of(const char *text, const char *const *set, int count, withy_vec3 *force,
                     withy_error *err) {
    withy_scene *scene = scene_with(text, set, count);
    const withy_run_setup setup = {0};
    withy_static_report report;
    const withy_status status = withy_static(scene, &setup, &report, err);
    if (status == WITHY_OK) {
        CHECK_TEXT(report.method, "director");
        *force = report.point[report.count - 1].reaction[1];
        withy_static_free(&report);
    }
    withy_scene_destroy(scene);
    return status == WITHY_OK;
}

TEST(a_spring_that_gives_neither_method_nor_n_gets_the_elements_that_its_coils_need) {
    static const char *const fine[] = {"options.n=192"};
    withy_vec3 force, limit;
    withy_error err = {0};
    if (!finish_of(SPRING, NULL, 0, &force, &err)) fail_msg("%s", err.text);
    if (!finish_of(SPRING, fine, 1, &limit, &err)) fail_msg("%s", err.text);
    printf("the force of a spring of 8 coils pushed by 20 mm is %.5f N at the n that director "
           "chooses, %.5f N at n = 192\n",
           force.z, limit.z);
    CHECK_NEAR(force.z, limit.z, 1e-4 * fabs(limit.z));
}

TEST(an_n_that_is_given_is_kept_and_refused_where_it_is_too_small) {
    static const char *const coarse[] = {"options.n=16"};
    withy_vec3 force;
    withy_error err = {0};
    CHECK(!finish_of(SPRING, coarse, 1, &force, &err));
    CHECK(strstr(err.text, "options.n = 16") && strstr(err.text, "is needed"));
}

/* A coil as small as 1/6000 of the length: too sharp for any n that director chooses by itself. */
TEST(a_scene_that_director_refuses_is_run_by_the_next_method_that_takes_it_and_a_note_says_so) {
    static const char text[] =
        "return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e4, shear = "
        "1e4 }, inertia = { mass = 1, rotary = 1e-3 }, rest = curvature(function(s) return 0, "
        "math.abs(s - 0.5) < 5e-4 and 6000 or 0, 0 end) }, ends = { start = clamped {} }, time = { "
        "stop = 1e-3 } }";
    withy_scene *scene = scene_with(text, NULL, 0);
    withy_sim *sim = NULL;
    withy_error err = {0}, why = {0};
    CHECK(!takes(scene, "director", &why));
    if (withy_scene_sim(scene, NULL, &sim, &err) != WITHY_OK) fail_msg("%s", err.text);
    CHECK(strcmp(withy_sim_method(sim), "director") != 0);
    CHECK(strstr(withy_sim_notes(sim)->text, "is used, because director refuses: options.n = "));
    printf("note: %s\n", withy_sim_notes(sim)->text);
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
}

TEST(a_scene_that_is_wrong_for_every_method_gets_the_sentence_of_the_preferred_one) {
    static const char text[] =
        "return { rod = { length = 1, stiffness = { bend = 1 }, inertia = { mass = 1 } }, ends = { "
        "start = clamped {} }, time = { stop = 1 }, options = { n = 0 } }";
    withy_scene *scene = scene_with(text, NULL, 0);
    withy_error err = {0};
    CHECK(!takes(scene, NULL, &err));
    CHECK(strstr(err.text, "method director takes a whole number"));
    withy_scene_destroy(scene);
}

RUN(test(every_case_without_its_method_is_made_by_the_first_method_of_the_list_that_takes_it),
    test(a_spring_that_gives_neither_method_nor_n_gets_the_elements_that_its_coils_need),
    test(an_n_that_is_given_is_kept_and_refused_where_it_is_too_small),
    test(a_scene_that_director_refuses_is_run_by_the_next_method_that_takes_it_and_a_note_says_so),
    test(a_scene_that_is_wrong_for_every_method_gets_the_sentence_of_the_preferred_one))
