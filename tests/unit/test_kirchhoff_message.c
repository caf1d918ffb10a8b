/* test_kirchhoff_message.c - what the method refuses or reports, and that advance takes no memory.
 * */
#include "kirchhoff_problems.h"

#define PINNED WITHY_END_PINNED
#define CLAMPED WITHY_END_CLAMPED
#define FREE WITHY_END_FREE

static void check_refused(spring_case *c, withy_status code, const char *words) {
    withy_error err = {0};
    const withy_status status =
        withy_sim_create(&c->problem, "kirchhoff", c->option, c->options, &c->sim, &err);
    if (status != code || !strstr(err.text, words))
        fail_msg("status %d, \"%s\"; wanted %d with \"%s\"", status, err.text, code, words);
    print_message("%s\n", err.text);
    spring_free(c);
}

TEST(two_bending_stiffnesses_are_refused) {
    (void)unused_state;
    spring_case c;
    spring_of(&c, TEST_HELIX, CLAMPED, FREE, 24, .1);
    c.rod.stiffness[WITHY_BEND2] = withy_field_number(2);
    check_refused(&c, WITHY_UNSUPPORTED, "bending stiffnesses");
}

TEST(a_spring_without_twist_stiffness_is_refused) {
    (void)unused_state;
    spring_case c;
    spring_of(&c, TEST_HELIX, CLAMPED, FREE, 24, .1);
    c.rod.stiffness[WITHY_TWIST] = (withy_field){0};
    check_refused(&c, WITHY_UNSUPPORTED, "rod.stiffness.twist");
}

TEST(ends_held_a_length_apart_are_refused) {
    (void)unused_state;
    spring_case c;
    spring_of(&c, TEST_HELIX, PINNED, PINNED, 24, .1);
    c.rod.initial = (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .along = {0, 0, 1}};
    check_refused(&c, WITHY_UNSUPPORTED, "an inextensible rod cannot move then");
}

TEST(an_end_that_is_not_where_the_shape_ends_is_refused) {
    (void)unused_state;
    spring_case c;
    spring_of(&c, TEST_HELIX, PINNED, PINNED, 24, .1);
    c.rod.end[1].position = withy_field_vector(0, 0, 1);
    withy_error err = {0};
    CHECK_OK(withy_sim_create(&c.problem, "kirchhoff", c.option, c.options, &c.sim, &err));
    CHECK(withy_sim_advance(c.sim, .1, &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "the initial shape puts ends.finish"));
    spring_free(&c);
}

TEST(too_much_twist_per_interval_is_refused) {
    (void)unused_state;
    spring_case c;
    helix_wire w = TEST_HELIX;
    w.rotary = .01;
    spring_of(&c, w, CLAMPED, FREE, 8, .1);
    c.rod.rest = (withy_shape){0};
    c.rod.initial = (withy_shape){.kind = WITHY_SHAPE_STRAIN,
                                  .along = {0, 0, 1},
                                  .strain = {.size = 3, .value = {.05, 0, .8}}};
    check_refused(&c, WITHY_UNSUPPORTED, "twists by");
}

TEST(a_moment_on_a_straight_rod_that_may_spin_is_refused) {
    (void)unused_state;
    spring_case c;
    spring_of(&c, TEST_HELIX, FREE, FREE, 24, .1);
    c.rod.rest = (withy_shape){0};
    c.rod.end[1].moment = withy_field_vector(0, 0, .1);
    check_refused(&c, WITHY_UNSUPPORTED, "rod.inertia.rotary");
}

TEST(a_stop_between_steps_is_refused) {
    (void)unused_state;
    spring_case c;
    withy_error err = {0};
    spring_of(&c, TEST_HELIX, CLAMPED, FREE, 24, .1);
    spring_make(&c);
    CHECK(withy_sim_advance(c.sim, .05, &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "whole number of steps"));
    spring_free(&c);
}

static withy_status spin_end(void *context, double s, double t, double *out, withy_error *err) {
    (void)s, (void)err;
    const quat q = q_mul(q_exp(v3(0, 0, 3 * t)), q_from_matrix(*(const mat3 *)context));
    out[0] = q.w, out[1] = q.x, out[2] = q.y, out[3] = q.z;
    return WITHY_OK;
}

TEST(a_rod_wound_up_beyond_half_pi_an_interval_stops_with_the_place) {
    (void)unused_state;
    spring_case c;
    withy_error err = {0};
    helix_wire w = TEST_HELIX;
    w.rotary = .05;
    spring_of(&c, w, CLAMPED, CLAMPED, 24, .05);
    wy_pose last;
    wy_shape_poses(&c.rod, &c.rod.rest, 1, &c.rod.length, &last, NULL);
    c.rod.end[1].frame = (withy_field){.size = 4, .call = spin_end, .context = &last.frame};
    spring_make(&c);
    CHECK(withy_sim_advance(c.sim, 60, &err) == WITHY_NO_CONVERGENCE);
    print_message("%s\n", err.text);
    CHECK(strstr(err.text, "twisted by") || strstr(err.text, "options.dt"));
    spring_free(&c);
}

TEST(a_step_that_turns_sections_by_half_a_turn_is_reported) {
    (void)unused_state;
    spring_case c;
    withy_error err = {0};
    spring_of(&c, TEST_HELIX, CLAMPED, FREE, 24, .52); /* 3.12 rad over two steps */
    spring_option(&c, "halvings", 0, NULL);
    wy_pose first;
    const double zero = 0;
    wy_shape_poses(&c.rod, &c.rod.rest, 1, &zero, &first, NULL);
    c.rod.end[0].frame = (withy_field){.size = 4, .call = spin_end, .context = &first.frame};
    spring_make(&c);
    CHECK(withy_sim_advance(c.sim, 26, &err) == WITHY_NO_CONVERGENCE);
    print_message("%s\n", err.text);
    CHECK(strstr(err.text, "options.dt"));
    spring_free(&c);
}

TEST(advance_and_sample_take_no_memory) {
    (void)unused_state;
    spring_case c;
    spring_of(&c, TEST_HELIX, CLAMPED, FREE, 24, .1);
    c.problem.gravity = v3(0, 0, -.01);
    spring_make(&c);
    const size_t before = withy_memory_allocations();
    spring_steps(&c, 50);
    CHECK(withy_sim_sample(c.sim, 0) != NULL);
    CHECK(withy_memory_allocations() == before);
    spring_free(&c);
    CHECK(withy_memory_blocks() == 0);
}

TEST(the_first_snapshot_has_the_fields_of_the_later_ones) {
    (void)unused_state;
    spring_case c;
    spring_of(&c, TEST_HELIX, CLAMPED, FREE, 24, .1);
    spring_make(&c);
    const unsigned first = withy_sim_sample(c.sim, 0)->have;
    spring_steps(&c, 1);
    CHECK(withy_sim_sample(c.sim, 0)->have == first);
    spring_steps(&c, 5);
    CHECK(withy_sim_sample(c.sim, 0)->have == first);
    CHECK(first & WITHY_HAVE_REACTION);
    spring_free(&c);
}

RUN(test(two_bending_stiffnesses_are_refused), test(a_spring_without_twist_stiffness_is_refused),
    test(ends_held_a_length_apart_are_refused),
    test(an_end_that_is_not_where_the_shape_ends_is_refused),
    test(too_much_twist_per_interval_is_refused),
    test(a_moment_on_a_straight_rod_that_may_spin_is_refused),
    test(a_stop_between_steps_is_refused),
    test(a_rod_wound_up_beyond_half_pi_an_interval_stops_with_the_place),
    test(a_step_that_turns_sections_by_half_a_turn_is_reported),
    test(advance_and_sample_take_no_memory),
    test(the_first_snapshot_has_the_fields_of_the_later_ones))
