/* What the elastica refuses, its messages on failure, and that it allocates no memory while
 * stepping. */
#include "elastica_problems.h"

static void refuses(const example *x, const char *options, const char *message) {
    withy_error err = {0};
    withy_sim *sim = simulate(x, options, &err);
    if (sim) fail_msg("not refused: %s", message);
    CHECK_TEXT(err.text, message);
}

/* The message of the failure while advancing to stop. */
static void fails(const example *x, const char *options, const char *message) {
    withy_error err = {0};
    withy_sim *sim = simulate_ok(x, options);
    CHECK(withy_sim_advance(sim, x->problem.request.stop, &err) != WITHY_OK);
    CHECK_TEXT(err.text, message);
    CHECK(now(sim) != NULL); /* what was reached is still there, and finite */
    withy_sim_destroy(sim);
}

static withy_status receding(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    return put3(out, 0, 0, -1 - 2 * t);
}

static withy_status long_tangent(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    return put3(out, 0, 0, t < 0.25 ? 1.0 : 1.5);
}

TEST(ends_further_apart_than_the_rod_is_long_are_refused_at_once) {
    (void)unused_state;
    example x;
    example_3(&x);
    x.rod.length = 1.5; /* half of the arc, but its end still held at -1 */
    refuses(
        &x, "n=15",
        "the initial shape puts ends.finish 1.46 m (0.98 of the length) from its position at t "
        "= 0 "
        "(the ends are held 2 m apart, and the rod is 1.5 m long); move the end or give an initial "
        "shape "
        "that fits, or start in equilibrium with initial = static {}");
}

TEST(ends_pulled_apart_are_reported_with_time_and_distance) {
    (void)unused_state;
    example x;
    example_3(&x);
    x.rod.end[1].position = field3(receding);
    fails(&x, "n=16 dt=0.02",
          "elastica: at t = 0.58 the ends are held 3.16 apart, but the rod is only 3.14159265 long "
          "and "
          "does not stretch; move the ends closer or make rod.length larger");
}

TEST(a_straight_held_rod_under_transverse_load_is_refused) {
    (void)unused_state;
    example x;
    plain_rod(&x, 2, 0);
    x.rod.end[0].kind = x.rod.end[1].kind = WITHY_END_PINNED;
    x.problem.gravity = (withy_vec3){0, -1, 0};
    finish_example(&x, 1, 0.1);
    refuses(
        &x, "n=16 dt=0.1",
        "elastica: at t = 0 the rod is straight between its held ends (2 apart, rod.length = 2): "
        "nothing determines the tension of a rod that does not stretch then, and no finite one "
        "carries a load across; bring the ends closer together, free one, or use director");
}

/* Any tension is in balance, so that rounding over h^2 was reported: 0.5 EI/L^2 at dt = 6e-5. */
TEST(a_straight_rod_held_at_full_length_is_refused_as_nothing_determines_its_tension) {
    (void)unused_state;
    for (int kind = 0; kind < 3; kind++) {
        example x;
        plain_rod(&x, 2, 0);
        x.rod.end[0].kind = kind == 2 ? WITHY_END_CLAMPED : WITHY_END_PINNED;
        x.rod.end[1].kind = kind >= 1 ? WITHY_END_CLAMPED : WITHY_END_PINNED;
        if (kind) x.problem.gravity = (withy_vec3){0, 0, -1};
        finish_example(&x, 1, 0.02);
        refuses(
            &x, "n=16 dt=0.02",
            "elastica: at t = 0 the rod is straight between its held ends (2 apart, rod.length = "
            "2): nothing determines the tension of a rod that does not stretch then, and no finite "
            "one carries a load across; bring the ends closer together, free one, or use "
            "director");
    }
}

TEST(no_convergence_names_time_step_residual_and_what_to_try) {
    (void)unused_state;
    example x;
    example_1(&x, 6 * PI);
    withy_error err = {0};
    withy_sim *sim = simulate_ok(&x, "n=50 dt=5 start=paper project=false newton_max=1 halvings=0");
    CHECK(withy_sim_advance(sim, 5, &err) == WITHY_NO_CONVERGENCE);
    CHECK(strstr(err.text,
                 "elastica: no convergence at t = 5 (step 1): the last Newton correction was "));
    CHECK(strstr(err.text,
                 " L, tolerance 1.0e-11 L; try a smaller options.dt (now 5), options.start = "
                 "\"one-step\", options.cure = \"B\", or another options.n (now 50)"));
    CHECK(now(sim) != NULL && !(now(sim)->have & WITHY_HAVE_FORCE));
    withy_sim_destroy(sim);
}

TEST(a_tangent_that_is_not_unit_is_reported) {
    (void)unused_state;
    example x;
    example_4(&x);
    x.rod.end[0].tangent = field3(long_tangent);
    fails(
        &x, "n=20 dt=0.1",
        "ends.start.tangent has length 1.5 at t = 0.3; it must be a unit vector (divide it by its "
        "length)");
}

TEST(an_end_that_is_not_where_the_shape_starts_is_refused) {
    (void)unused_state;
    example x;
    example_4(&x);
    x.rod.end[0].position = withy_field_vector(0, 0.5, 0);
    refuses(
        &x, "n=20 dt=0.1",
        "the initial shape puts ends.start 0.5 m (0.05 of the length) from its position at t = 0; "
        "move the end or give an initial shape that fits, or start in equilibrium with initial = "
        "static {}");
}

TEST(a_time_between_steps_is_refused) {
    (void)unused_state;
    example x;
    withy_error err = {0};
    example_4(&x);
    withy_sim *sim = simulate_ok(&x, "n=20 dt=0.1");
    go(sim, 0.2);
    CHECK(withy_sim_advance(sim, 0.25, &err) == WITHY_BAD_INPUT);
    CHECK_TEXT(
        err.text,
        "elastica: t = 0.25 is not a whole number of steps of 0.1 from t = 0; choose such a time, "
        "or choose options.dt so that it is");
    withy_sim_destroy(sim);
}

TEST(unequal_dampings_and_inertias_are_refused) {
    (void)unused_state;
    example x;
    example_4(&x);
    x.rod.damping[WITHY_BEND2] = withy_field_number(0.2);
    refuses(&x, "n=20",
            "elastica: does not support two different bending dampings (0.1 and 0.2); make them "
            "equal, or use "
            "a method with two bending directions (kirchhoff, director)");
    example_4(&x);
    x.rod.inertia[WITHY_ROTARY1] = withy_field_number(0.2);
    refuses(&x, "n=20",
            "elastica: does not support two different rotary inertias (0.2 and 0); make them "
            "equal, or use a "
            "method with two bending directions (kirchhoff, director)");
}

TEST(what_the_model_leaves_out_is_refused_or_noted) {
    (void)unused_state;
    example x;
    withy_error err = {0};
    example_4(&x);
    x.rod.stiffness[WITHY_BEND2] = withy_field_number(2);
    CHECK(simulate(&x, "n=20", &err) == NULL);
    CHECK(strstr(err.text, "elastica: does not support two different bending stiffnesses"));
    example_4(&x);
    x.rod.rest = (withy_shape){
        .kind = WITHY_SHAPE_ARC, .radius = 5, .along = {0, 0, 1}, .normal = {1, 0, 0}};
    CHECK(simulate(&x, "n=20", &err) == NULL);
    CHECK(strstr(err.text, "elastica: does not support a rest shape that is not straight"));
    example_4(&x);
    x.rod.end[1].moment = withy_field_vector(0, 1, 0);
    CHECK(simulate(&x, "n=20", &err) == NULL);
    CHECK(strstr(err.text, "elastica: does not support applied moments"));

    example_4(&x);
    x.rod.stiffness[WITHY_STRETCH] = withy_field_number(500);
    withy_sim *damped = simulate_ok(&x, "n=20 dt=0.1");
    CHECK(strstr(withy_sim_notes(damped)->text, "elastica: damping acts on the rate of x''"));
    withy_sim_destroy(damped);
    x.rod.damping[WITHY_BEND1] = x.rod.damping[WITHY_BEND2] = withy_field_number(0);
    withy_sim *sim = simulate_ok(&x, "n=20 dt=0.1");
    CHECK_TEXT(withy_sim_notes(sim)->text, "elastica: leaves out stretch: EA L^2/EI = 5e+04\n");
    withy_sim_destroy(sim);
}

TEST(the_step_divides_the_output_interval_and_a_change_is_noted) {
    (void)unused_state;
    example x;
    example_4(&x);
    x.rod.damping[WITHY_BEND1] = x.rod.damping[WITHY_BEND2] = withy_field_number(0);
    x.problem.request.output = 1;
    withy_sim *sim = simulate_ok(&x, "n=20 dt=0.3");
    CHECK_NEAR(withy_sim_step(sim), 0.25, 1e-15);
    CHECK_TEXT(withy_sim_notes(sim)->text,
               "options.dt is 0.25 instead of 0.3, so that whole steps fill time.output = 1\n");
    withy_sim_destroy(sim);
    sim = simulate_ok(&x, "n=20");
    CHECK(strstr(withy_sim_notes(sim)->text, "elastica: options.dt = auto is 0.2"));
    withy_sim_destroy(sim);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Count every malloc of the program, also those of libraries (glibc; not under the sanitizers). */
static size_t mallocs;
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
void *__libc_malloc(size_t size);
void *malloc(size_t size) {
    mallocs++;
    return __libc_malloc(size);
}
#endif

TEST(advance_and_sample_take_no_memory_and_destroy_gives_all_back) {
    (void)unused_state;
    example x;
    example_3(&x);
    const size_t blocks = withy_memory_blocks();
    withy_sim *sim = simulate_ok(&x, "n=30 dt=0.02");
    const size_t takes = withy_memory_allocations(), calls = mallocs;
    for (int k = 1; k <= 150; k++) {
        go(sim, 0.02 * k);
        CHECK(now(sim) != NULL);
    }
    CHECK(withy_memory_allocations() == takes);
    CHECK(mallocs == calls);
    withy_sim_destroy(sim);
    CHECK(withy_memory_blocks() == blocks);
}

static void *no_memory_left(size_t size) {
    return size > 200000 ? NULL : malloc(size);
}

TEST(running_out_of_memory_is_an_error_not_a_crash) {
    (void)unused_state;
    example x;
    withy_error err = {0};
    example_3(&x);
    withy_memory_hooks(no_memory_left, free);
    CHECK(simulate(&x, "n=3000 dt=0.02", &err) == NULL);
    withy_memory_hooks(NULL, NULL);
    CHECK(err.code == WITHY_NO_MEMORY);
    CHECK(
        strstr(err.text, "no memory")); /* of the model or the method, whichever allocates first */
}

RUN(test(ends_further_apart_than_the_rod_is_long_are_refused_at_once),
    test(ends_pulled_apart_are_reported_with_time_and_distance),
    test(a_straight_held_rod_under_transverse_load_is_refused),
    test(a_straight_rod_held_at_full_length_is_refused_as_nothing_determines_its_tension),
    test(no_convergence_names_time_step_residual_and_what_to_try),
    test(a_tangent_that_is_not_unit_is_reported),
    test(an_end_that_is_not_where_the_shape_starts_is_refused),
    test(a_time_between_steps_is_refused), test(unequal_dampings_and_inertias_are_refused),
    test(what_the_model_leaves_out_is_refused_or_noted),
    test(the_step_divides_the_output_interval_and_a_change_is_noted),
    test(advance_and_sample_take_no_memory_and_destroy_gives_all_back),
    test(running_out_of_memory_is_an_error_not_a_crash))
