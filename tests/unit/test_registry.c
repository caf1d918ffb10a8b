/* Methods by name, their options, refusals, and a simulation through the public interface. */
#include "check.h"
#include "study/sim.h"
#include "withy/withy.h"

static withy_error err;

/* A rod that the elastica accepts. */
static withy_rod plain_rod(void) {
    withy_rod rod = {.name = "rod", .length = 1.0};
    rod.stiffness[WITHY_BEND1] = rod.stiffness[WITHY_BEND2] = withy_field_number(1);
    rod.inertia[WITHY_MASS] = withy_field_number(1);
    rod.end[0].kind = WITHY_END_CLAMPED;
    return rod;
}

static withy_problem problem_of(const withy_rod *rod) {
    withy_problem problem = withy_problem_default();
    problem.rod = rod;
    problem.gravity = (withy_vec3){-1, 0, 0};
    problem.request = (withy_request){.stop = 1, .output = 0.1};
    return problem;
}

static withy_status create(const withy_problem *problem, const withy_option *option, int count) {
    withy_sim *sim;
    const withy_status status = withy_sim_create(problem, "elastica", option, count, &sim, &err);
    withy_sim_destroy(sim);
    return status;
}

TEST(an_unknown_method_gets_the_closest_name) {
    const wy_method *method;
    CHECK(wy_method_find("elastika", &method, &err) == WITHY_BAD_INPUT);
    const char *start =
        "method = \"elastika\": there is no such method; did you mean \"elastica\"? "
        "(known: ";
    CHECK(strncmp(err.text, start, strlen(start)) == 0);
}

TEST(an_option_out_of_range_is_reported_its_range) {
    const withy_rod rod = plain_rod();
    const withy_problem problem = problem_of(&rod);
    const withy_option option = {.name = "dt", .number = -1};
    CHECK(create(&problem, &option, 1) == WITHY_BAD_INPUT);
    const char *start = "options.dt = -1: method elastica takes a number from ";
    CHECK(strncmp(err.text, start, strlen(start)) == 0);
}

TEST(an_option_that_does_not_exist_gets_the_closest_name) {
    const withy_rod rod = plain_rod();
    const withy_problem problem = problem_of(&rod);
    const withy_option option = {.name = "stat", .word = "paper"};
    CHECK(create(&problem, &option, 1) == WITHY_BAD_INPUT);
    CHECK_TEXT(err.text,
               "options.stat: method elastica has no such option; did you mean \"start\"? "
               "(withy list methods elastica shows them)");
}

TEST(a_word_that_is_not_among_the_words_is_reported_the_words) {
    const withy_rod rod = plain_rod();
    const withy_problem problem = problem_of(&rod);
    const withy_option option = {.name = "start", .word = "papyrus"};
    CHECK(create(&problem, &option, 1) == WITHY_BAD_INPUT);
    const char *start = "options.start = \"papyrus\": method elastica takes one of ";
    CHECK(strncmp(err.text, start, strlen(start)) == 0);
}

/* Everything the elastica cannot do, and the words of its refusal. */
static void check_refusal(void (*spoil)(withy_rod *), const char *what) {
    withy_rod rod = plain_rod();
    spoil(&rod);
    const withy_problem problem = problem_of(&rod);
    CHECK(create(&problem, NULL, 0) == WITHY_UNSUPPORTED);
    char start[256];
    snprintf(start, sizeof start, "elastica: does not support %s; ", what);
    if (strncmp(err.text, start, strlen(start)) != 0) CHECK_TEXT(err.text, start);
}

static void curve_it(withy_rod *rod) {
    rod->rest = (withy_shape){.kind = WITHY_SHAPE_ARC, .radius = 1};
}
static void flatten_it(withy_rod *rod) {
    rod->stiffness[WITHY_BEND2] = withy_field_number(2);
}
static void guide_it(withy_rod *rod) {
    rod->end[1].kind = WITHY_END_GUIDED;
}
static void twist_it(withy_rod *rod) {
    rod->end[1].moment = withy_field_vector(0, 0, 1);
}
static void drag_it(withy_rod *rod) {
    rod->drag_linear = 1;
}
static void pull_it(withy_rod *rod) {
    rod->tension = 1;
}
static void chase_it(withy_rod *rod) {
    rod->end[1].force = withy_field_vector(0, 0, 1);
    rod->end[1].follower = 1;
}
static void spring_it(withy_rod *rod) {
    rod->end[1].spring = 1;
}
static void spin_it(withy_rod *rod) {
    rod->spin = withy_field_vector(0, 0, 1);
}

TEST(the_elastica_refuses_what_it_cannot_do_and_says_who_can) {
    check_refusal(curve_it, "a rest shape that is not straight");
    check_refusal(flatten_it, "two different bending stiffnesses");
    check_refusal(guide_it, "guided ends");
    check_refusal(twist_it, "applied moments");
    check_refusal(drag_it, "external drag");
    check_refusal(pull_it, "a prescribed tension");
    check_refusal(chase_it, "loads that follow the rod");
    check_refusal(spring_it, "springs at the ends");
    check_refusal(spin_it, "an initial angular velocity of the sections");
}

TEST(the_output_interval_is_fitted_to_the_last_time_and_a_note_says_so) {
    const withy_rod rod = plain_rod();
    withy_problem problem = problem_of(&rod);
    problem.request.output = 0.3;
    withy_sim *sim;
    CHECK_OK(withy_sim_create(&problem, "elastica", NULL, 0, &sim, &err));
    CHECK(strstr(withy_sim_notes(sim)->text, "time.output is 0.25 instead of 0.3"));
    withy_sim_destroy(sim);
}

TEST(time_does_not_run_backwards) {
    const withy_rod rod = plain_rod();
    const withy_problem problem = problem_of(&rod);
    withy_sim *sim;
    CHECK_OK(withy_sim_create(&problem, "elastica", NULL, 0, &sim, &err));
    CHECK_OK(withy_sim_advance(sim, 0.2, &err));
    CHECK(withy_sim_advance(sim, 0.1, &err) == WITHY_BAD_INPUT);
    CHECK_TEXT(err.text,
               "elastica: cannot advance to t = 0.1, which is before the present t = 0.2");
    CHECK(withy_sim_advance(sim, INFINITY, &err) == WITHY_BAD_INPUT);
    CHECK_TEXT(err.text, "elastica: cannot advance to t = inf; it must be finite");
    CHECK(withy_sim_sample(sim, 1) == NULL);
    CHECK_NEAR(withy_sim_sample(sim, 0)->t, 0.2, 0);
    withy_sim_destroy(sim);
}

TEST(a_simulation_gives_all_its_memory_back) {
    const size_t before = withy_memory_blocks();
    const withy_rod rod = plain_rod();
    const withy_problem problem = problem_of(&rod);
    withy_sim *sim;
    CHECK_OK(withy_sim_create(&problem, NULL, NULL, 0, &sim, &err));
    withy_sim_destroy(sim);
    CHECK(withy_sim_create(&problem, "none", NULL, 0, &sim, &err) == WITHY_BAD_INPUT);
    CHECK(withy_memory_blocks() == before);
}

RUN(test(an_unknown_method_gets_the_closest_name),
    test(an_option_out_of_range_is_reported_its_range),
    test(an_option_that_does_not_exist_gets_the_closest_name),
    test(a_word_that_is_not_among_the_words_is_reported_the_words),
    test(the_elastica_refuses_what_it_cannot_do_and_says_who_can),
    test(the_output_interval_is_fitted_to_the_last_time_and_a_note_says_so),
    test(time_does_not_run_backwards), test(a_simulation_gives_all_its_memory_back))
