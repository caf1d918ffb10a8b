/* Two methods, one problem: fdtd and director on a soft cantilever that swings far; slow under sanitizers. */
#include "check.h"
#include "fdtd_problems.h"

/* Tip after t under gravity across the rod. */
static withy_vec3 tip(const char *method, const withy_option *option, int count, double t) {
    withy_rod rod = fd_soft_rod(WITHY_END_CLAMPED, WITHY_END_FREE);
    withy_problem problem = withy_problem_default();
    withy_error err = {0};
    withy_sim *sim;
    problem.rod = &rod, problem.rod_count = 1;
    problem.gravity = (withy_vec3){9.81, 0, 0};
    problem.request.stop = t, problem.request.output = t / 10, problem.request.stations = 2;
    CHECK_OK(withy_sim_create(&problem, method, option, count, &sim, &err));
    for (int k = 1; k <= 10; k++) CHECK_OK(withy_sim_advance(sim, t * k / 10, &err));
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    CHECK(snap != NULL);
    const withy_vec3 r = snap->position[1];
    withy_sim_destroy(sim);
    return r;
}

static double apart(withy_vec3 a, withy_vec3 b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

TEST(fdtd_and_director_agree_on_a_soft_cantilever_in_large_motion) {
    const double t = 1.0;
    const withy_option coarse[] = {fd_option("n", 40, ""), fd_option("dt", 2e-4, ""),
                                   fd_option("order", 4, "")};
    const withy_option fine[] = {fd_option("n", 80, ""), fd_option("dt", 1e-4, ""),
                                 fd_option("order", 4, "")};
    const withy_option few[] = {fd_option("n", 10, ""), fd_option("dt", 2e-3, "")};
    const withy_option many[] = {fd_option("n", 20, ""), fd_option("dt", 1e-3, "")};
    const withy_vec3 f1 = tip("fdtd", coarse, 3, t), f2 = tip("fdtd", fine, 3, t);
    const withy_vec3 d1 = tip("director", few, 2, t), d2 = tip("director", many, 2, t);
    const double fdtd_error = apart(f1, f2), director_error = apart(d1, d2), off = apart(f2, d2);
    printf("fdtd (%.7f, %.7f) +- %.1e, director (%.7f, %.7f) +- %.1e, apart %.1e\n", f2.x, f2.z,
           fdtd_error, d2.x, d2.z, director_error, off);
    CHECK_BELOW(off, fdtd_error + director_error);
    CHECK_BELOW(fdtd_error, 1e-3);
    CHECK_BELOW(director_error, 1e-2);
    CHECK_BELOW(f2.z, -0.3); /* from z = 1 at the start to below the clamp */
}

static withy_status thinner(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)t, (void)err;
    out[0] = 0.05 - 0.02 * s;
    return WITHY_OK;
}

/* A tapered rod, curved at rest, pulled by a force that turns with its tip. */
static withy_vec3 tapered(const char *method, const withy_option *option, int count, double t) {
    withy_rod rod = fd_soft_rod(WITHY_END_CLAMPED, WITHY_END_FREE);
    withy_problem problem = withy_problem_default();
    withy_error err = {0};
    withy_sim *sim;
    rod.section.a = (withy_field){.size = 1, .call = thinner};
    rod.rest = (withy_shape){
        .kind = WITHY_SHAPE_ARC, .along = {0, 0, 1}, .normal = {1, 0, 0}, .radius = 0.7};
    rod.initial = rod.rest;
    rod.end[1].force = withy_field_vector(0, 0.05, -0.1);
    rod.end[1].follower = 1;
    problem.rod = &rod, problem.rod_count = 1;
    problem.gravity = (withy_vec3){0, 0, -3};
    problem.request.stop = t, problem.request.output = t, problem.request.stations = 2;
    CHECK_OK(withy_sim_create(&problem, method, option, count, &sim, &err));
    CHECK_OK(withy_sim_advance(sim, t, &err));
    const withy_vec3 r = withy_sim_sample(sim, 0)->position[1];
    withy_sim_destroy(sim);
    return r;
}

TEST(they_agree_on_a_tapered_curved_rod_under_a_follower_force) {
    const withy_option coarse[] = {fd_option("n", 40, ""), fd_option("dt", 2e-4, ""),
                                   fd_option("order", 4, "")};
    const withy_option fine[] = {fd_option("n", 80, ""), fd_option("dt", 1e-4, ""),
                                 fd_option("order", 4, "")};
    const withy_option few[] = {fd_option("n", 10, ""), fd_option("dt", 2e-3, "")};
    const withy_option many[] = {fd_option("n", 20, ""), fd_option("dt", 1e-3, "")};
    const withy_vec3 f1 = tapered("fdtd", coarse, 3, 0.6), f2 = tapered("fdtd", fine, 3, 0.6);
    const withy_vec3 d1 = tapered("director", few, 2, 0.6), d2 = tapered("director", many, 2, 0.6);
    printf("fdtd (%.6f, %.6f, %.6f) +- %.1e, director +- %.1e, apart %.1e\n", f2.x, f2.y, f2.z,
           apart(f1, f2), apart(d1, d2), apart(f2, d2));
    CHECK_BELOW(apart(f2, d2), apart(f1, f2) + apart(d1, d2));
    CHECK_BELOW(apart(f1, f2) + apart(d1, d2), 2e-3);
}

/* ---- a plucked string ------------------------------------------------------------------------------ */

static withy_sim *string(const char *method, const withy_rod *rod, const withy_option *option,
                         int count) {
    withy_problem problem = withy_problem_default();
    withy_error err = {0};
    withy_sim *sim;
    problem.rod = rod;
    problem.request.stop = 5e-4, problem.request.output = 2.5e-4, problem.request.stations = 11;
    CHECK_OK(withy_sim_create(&problem, method, option, count, &sim, &err));
    return sim;
}

TEST(a_plucked_string_starts_in_the_same_place_under_both) {
    withy_rod rod = fd_string(65, WITHY_END_PINNED);
    fd_set_pluck(&rod, 2e-4);
    const withy_option n = fd_option("n", 100, "");
    withy_sim *a = string("fdtd", &rod, &n, 1), *b = string("director", &rod, &n, 1);
    const withy_snapshot *x = withy_sim_sample(a, 0), *y = withy_sim_sample(b, 0);
    /* every tenth node is a station; between nodes the peak would be cut */
    for (int i = 0; i <= 10; i++) CHECK_BELOW(apart(x->position[i], y->position[i]), 1e-11);
    withy_sim_destroy(a);
    withy_sim_destroy(b);
}

/* A string between its bridges is stretched by T/EA = 0.3 %, and its rest length is shorter: 0.16 % in pitch. */
TEST(a_tension_means_the_same_pitch_under_both) {
    const withy_rod rod = fd_string(65, WITHY_END_PINNED);
    const withy_option fine[] = {fd_option("n", 200, ""), fd_option("order", 4, "")};
    const withy_option few[] = {fd_option("n", 20, ""), fd_option("degree", 3, "")};
    double pitch[2];
    for (int i = 0; i < 2; i++) {
        withy_error err = {0};
        withy_equilibrium at;
        withy_mode *mode;
        withy_sim *sim = i ? string("director", &rod, few, 2) : string("fdtd", &rod, fine, 2);
        CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
        CHECK_OK(withy_sim_modes(sim, 2, &mode, &err));
        pitch[i] = mode[1].frequency; /* on pins the string may also turn about itself, at 0 Hz */
        withy_modes_free(mode, 2);
        withy_sim_destroy(sim);
    }
    CHECK_NEAR(pitch[1] / pitch[0], 1, 1e-5);
}

/* The first steps that dt = "auto" tries are thirty times too long for a string. */
TEST(automatic_steps_hold_their_tolerance_on_a_string) {
    withy_rod rod = fd_string(65, WITHY_END_PINNED);
    fd_set_pluck(&rod, 2e-4);
    const withy_option fixed[] = {fd_option("n", 10, ""), fd_option("dt", 1e-6, "")};
    const withy_option adapts[] = {fd_option("n", 10, ""), fd_option("tol", 1e-3, "")};
    withy_sim *a = string("director", &rod, fixed, 2), *b = string("director", &rod, adapts, 2);
    withy_error err = {0};
    CHECK_OK(withy_sim_advance(a, 2.5e-4, &err));
    CHECK_OK(withy_sim_advance(b, 2.5e-4, &err));
    const withy_snapshot *x = withy_sim_sample(a, 0), *y = withy_sim_sample(b, 0);
    CHECK_BELOW(x->position[2].x, 1.5e-4); /* the peak has moved */
    for (int i = 0; i <= 10; i++)
        CHECK_BELOW(apart(x->position[i], y->position[i]), 3e-3 * 4e-4); /* of twice the pluck */
    withy_sim_destroy(a);
    withy_sim_destroy(b);
}

static withy_status led(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    out[0] = 0.3 * t, out[1] = 0, out[2] = 1 - 0.5 * t;
    return WITHY_OK;
}
static withy_status turned(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    out[0] = cos(0.5 * t), out[1] = 0, out[2] = sin(0.5 * t), out[3] = 0; /* about y, by t */
    return WITHY_OK;
}

static withy_vec3 middle_of_led(const char *method, const withy_option *option, int count) {
    withy_rod rod = fd_soft_rod(WITHY_END_CLAMPED, WITHY_END_CLAMPED);
    withy_problem problem = withy_problem_default();
    withy_error err = {0};
    withy_equilibrium point;
    withy_sim *sim;
    rod.end[1].position = (withy_field){.size = 3, .call = led};
    rod.end[1].frame = (withy_field){.size = 4, .call = turned};
    problem.rod = &rod, problem.rod_count = 1, problem.request.stations = 3;
    CHECK_OK(withy_sim_create(&problem, method, option, count, &sim, &err));
    for (int k = 1; k <= 5; k++) CHECK_OK(withy_sim_equilibrium(sim, 0.2 * k, &point, &err));
    const withy_vec3 r = withy_sim_sample(sim, 0)->position[1];
    withy_sim_destroy(sim);
    return r;
}

TEST(they_agree_on_the_equilibrium_of_a_rod_whose_end_is_led_and_turned) {
    const withy_option coarse[] = {fd_option("n", 32, ""), fd_option("order", 4, "")};
    const withy_option fine[] = {fd_option("n", 64, ""), fd_option("order", 4, "")};
    const withy_option few[] = {fd_option("n", 10, "")}, many[] = {fd_option("n", 20, "")};
    const withy_vec3 f1 = middle_of_led("fdtd", coarse, 2), f2 = middle_of_led("fdtd", fine, 2);
    const withy_vec3 d1 = middle_of_led("director", few, 1);
    const withy_vec3 d2 = middle_of_led("director", many, 1);
    printf("fdtd +- %.1e, director +- %.1e, apart %.1e\n", apart(f1, f2), apart(d1, d2),
           apart(f2, d2));
    CHECK_BELOW(apart(f2, d2), apart(f1, f2) + apart(d1, d2));
    CHECK_BELOW(apart(f1, f2), 1e-4);
}

static withy_vec3 pulled_aside(const char *method, const withy_option *option, int count) {
    withy_rod rod = fd_soft_rod(WITHY_END_CLAMPED, WITHY_END_CLAMPED);
    const withy_load pull = {
        .kind = WITHY_LOAD_POINT, .from = 0.5, .to = 0.5, .force = withy_field_vector(8, 0, 0)};
    withy_problem problem = withy_problem_default();
    withy_error err = {0};
    withy_sim *sim;
    rod.settled = 1, rod.pull = &pull, rod.pull_count = 1, rod.damping_time = 1e-4;
    problem.rod = &rod, problem.rod_count = 1, problem.request.stations = 3;
    problem.request.stop = problem.request.output = 0.02;
    CHECK_OK(withy_sim_create(&problem, method, option, count, &sim, &err));
    const withy_vec3 start = withy_sim_sample(sim, 0)->position[1];
    CHECK_OK(withy_sim_advance(sim, 0.02, &err)); /* without the pull it goes back */
    CHECK_BELOW(withy_sim_sample(sim, 0)->position[1].x, 0.98 * start.x);
    withy_sim_destroy(sim);
    return start;
}

TEST(they_agree_on_a_rod_that_is_pulled_aside_until_it_is_let_go) {
    const withy_option coarse[] = {fd_option("n", 40, ""), fd_option("order", 2, "")};
    const withy_option fine[] = {fd_option("n", 80, ""), fd_option("order", 2, "")};
    const withy_option few[] = {fd_option("n", 16, ""), fd_option("dt", 1e-3, "")};
    const withy_option many[] = {fd_option("n", 32, ""), fd_option("dt", 1e-3, "")};
    const withy_vec3 f1 = pulled_aside("fdtd", coarse, 2), f2 = pulled_aside("fdtd", fine, 2);
    const withy_vec3 d1 = pulled_aside("director", few, 2);
    const withy_vec3 d2 = pulled_aside("director", many, 2);
    printf("(%.6f, %.6f): fdtd +- %.1e, director +- %.1e, apart %.1e\n", f2.x, f2.z, apart(f1, f2),
           apart(d1, d2), apart(f2, d2));
    CHECK_BELOW(apart(f2, d2), apart(f1, f2) + apart(d1, d2));
    CHECK_BELOW(apart(f1, f2), 1e-3);
}

/* Highest load of the first fold of a shallow clamped arch. */
static double fold(const char *method, const withy_option *option, int count) {
    withy_problem problem = withy_problem_default();
    withy_rod rod = withy_rod_default();
    withy_load load = {.kind = WITHY_LOAD_POINT, .from = 0.25, .to = 0.25};
    withy_error err = {0};
    withy_equilibrium point = {0};
    withy_sim *sim;
    rod.length = 0.5;
    rod.section = (withy_section){.kind = WITHY_SECTION_RECTANGLE,
                                  .a = withy_field_number(0.004),
                                  .b = withy_field_number(0.04),
                                  .shear_factor = 1};
    rod.material = (withy_material){1e9, 4e8, 1000};
    rod.rest = rod.initial = (withy_shape){.kind = WITHY_SHAPE_ARC,
                                           .along = {cos(0.25), 0, sin(0.25)},
                                           .normal = {sin(0.25), 0, -cos(0.25)},
                                           .radius = 1};
    rod.end[0].kind = rod.end[1].kind = WITHY_END_CLAMPED;
    load.force = withy_field_vector(0, 0, -20);
    rod.load = &load, rod.load_count = 1;
    problem.rod = &rod, problem.rod_count = 1;
    CHECK_OK(withy_sim_create(&problem, method, option, count, &sim, &err));
    double most = 0;
    for (int k = 0; k < 200 && point.mark != WITHY_POINT_LIMIT; k++) {
        CHECK_OK(withy_sim_follow(sim, 0.01, 1, &point, &err));
        most = worst_of(most, point.factor);
    }
    CHECK(point.mark == WITHY_POINT_LIMIT && point.negative == 1);
    withy_sim_destroy(sim);
    return most;
}

TEST(they_agree_on_the_load_at_which_an_arch_snaps) {
    const withy_option fine[] = {fd_option("n", 48, ""), fd_option("order", 4, "")};
    const withy_option many[] = {fd_option("n", 12, ""), fd_option("degree", 3, "")};
    const double a = fold("fdtd", fine, 2), b = fold("director", many, 2);
    CHECK_NEAR(a / b, 1, 2e-3); /* a point of the path on each side: arcs of 0.01 */
}

RUN(test(fdtd_and_director_agree_on_a_soft_cantilever_in_large_motion),
    test(they_agree_on_a_tapered_curved_rod_under_a_follower_force),
    test(a_plucked_string_starts_in_the_same_place_under_both),
    test(a_tension_means_the_same_pitch_under_both),
    test(automatic_steps_hold_their_tolerance_on_a_string),
    test(they_agree_on_the_equilibrium_of_a_rod_whose_end_is_led_and_turned),
    test(they_agree_on_a_rod_that_is_pulled_aside_until_it_is_let_go),
    test(they_agree_on_the_load_at_which_an_arch_snaps))
