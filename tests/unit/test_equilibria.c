/* test_equilibria.c - equilibria that are found, and what is said about them. */
#include "check.h"
#include "director_problems.h"

static void give(director_problem *x, double bend1, double bend2, double twist, double stiff) {
    const double k[WITHY_STRAINS] = {stiff, stiff, stiff, bend1, bend2, twist};
    for (int i = 0; i < WITHY_STRAINS; i++) x->rod.stiffness[i] = withy_field_number(k[i]);
    x->rod.inertia[0] = withy_field_number(1);
    for (int i = 1; i < WITHY_INERTIAS; i++) x->rod.inertia[i] = withy_field_number(1e-6);
}

/* ---- stability ----------------------------------------------------------------------------------- */

static void heavy_column(director_problem *x, double from, double to) {
    director_plain(x, 1, 0.01, 1, 1, 1);
    give(x, 1.3, 1, 0.7, 1e8);
    x->rod.initial.along = (withy_vec3){0, 0, 1}, x->rod.initial.normal = (withy_vec3){1, 0, 0};
    x->problem.gravity = (withy_vec3){0, 0, -1};
    x->problem.path = (withy_path){.given = 1, .from = from, .to = to, .steps = 4};
}

static void solve(const director_problem *x, int branch, withy_static_report *report) {
    withy_error err = {0};
    const withy_option n = {.name = "n", .number = 8};
    withy_study study = withy_study_default();
    study.problem = &x->problem, study.method = "director";
    study.option = &n, study.option_count = 1, study.branch = branch;
    CHECK_OK(withy_study_static(&study, report, &err));
}

/* A column under its own weight buckles at 7.8373 EI/L^3 (Greenhill). */
TEST(a_heavy_column_loses_its_stability_at_7_837_on_the_way_up_and_gains_it_there_on_the_way_down) {
    (void)unused_state;
    double critical[2];
    for (int down = 0; down < 2; down++) {
        director_problem x;
        withy_static_report report;
        heavy_column(&x, down ? 8.3 : 7.5, down ? 7.5 : 8.3);
        solve(&x, 0, &report);
        CHECK(report.count == 5);
        for (int i = 0; i < 5; i++)
            CHECK(report.point[i].at.negative == (report.point[i].at.factor > 7.84));
        CHECK(report.critical_count == 1);
        CHECK(report.critical[0].change == (down ? -1 : 1));
        CHECK(report.critical[0].mode != NULL);
        critical[down] = report.critical[0].factor;
        const withy_mode *mode = report.critical[0].mode;
        const withy_vec3 tip = mode->shift[mode->count - 1]; /* it bends about d2: along x */
        CHECK_NEAR(tip.x, 0.1, 1e-9);
        CHECK_NEAR(tip.y, 0, 1e-6);
        withy_static_free(&report);
    }
    CHECK_NEAR(critical[0], 7.8373, 2e-4); /* n = 8 */
    /* the band in which rounding decides: 2e-14 EA L^2/EI each way, and EA L^2/EI is 1e8 here */
    CHECK_NEAR(critical[0] / critical[1], 1, 4e-6);
}

TEST(statics_do_not_say_what_a_run_would_do_to_its_steps) {
    (void)unused_state;
    director_problem x;
    withy_static_report report;
    withy_sim *sim = NULL;
    withy_error err = {0};
    const withy_option option[] = {{.name = "n", .number = 8}, {.name = "dt", .number = 0.3}};
    withy_study study = withy_study_default();
    heavy_column(&x, 1, 2);
    x.problem.request = (withy_request){.given = 1, .stop = 1, .output = 0.7, .stations = 5};
    CHECK_OK(withy_sim_create(&x.problem, "director", option, 2, &sim, &err)); /* which may run */
    CHECK(strstr(withy_sim_notes(sim)->text, "options.dt is 0.25 instead of 0.3"));
    CHECK(strstr(withy_sim_notes(sim)->text, "time.output is 0.5 instead of 0.7"));
    withy_sim_destroy(sim);
    study.problem = &x.problem, study.method = "director";
    study.option = option, study.option_count = 2;
    CHECK_OK(withy_study_static(&study, &report, &err));
    CHECK(!strstr(report.notes.text, "options.dt") && !strstr(report.notes.text, "time.output"));
    withy_static_free(&report);
}

TEST(a_path_that_may_branch_goes_on_along_the_bent_column) {
    (void)unused_state;
    director_problem x;
    withy_static_report report;
    heavy_column(&x, 7.5, 8.3);
    solve(&x, 1, &report);
    for (int i = 0; i < 5; i++) CHECK(report.point[i].at.negative == 0);
    CHECK_BELOW(report.point[4].position[1].z, 0.9);
    CHECK(report.point[2].at.mark == WITHY_POINT_BRANCH);
    withy_static_free(&report);
}

TEST(a_round_rod_between_pins_is_stable_with_a_neutral_spin_and_its_arch_with_a_neutral_plane_too) {
    (void)unused_state;
    withy_error err = {0};
    const double chord[3] = {1, 0.9, 0.9};
    const int neutral[3] = {1, 2, 1};
    for (int k = 0; k < 3; k++) {
        director_problem x;
        withy_sim *sim = NULL;
        withy_equilibrium at;
        director_plain(&x, 1, 0.01, 1, 1, 1);
        give(&x, 1, 1, 0.8, 1e5);
        const withy_end_kind kind = k < 2 ? WITHY_END_PINNED : WITHY_END_CLAMPED;
        director_ends(&x, kind, kind);
        CHECK_OK(director_start(&x, "n=8", &sim, &err));
        withy_sim_destroy(sim);
        x.rod.end[1].position = withy_field_vector(chord[k], 0, 0);
        CHECK_OK(director_start(&x, "n=8", &sim, &err));
        CHECK_OK(withy_sim_rest(sim, 1.0, &at, &err));
        CHECK(at.negative == 0);
        CHECK(at.neutral == neutral[k]);
        withy_sim_destroy(sim);
    }
}

/* ---- found ------------------------------------------------------------------------------------------ */

/* K and E of the modulus k by the arithmetic-geometric mean. */
static void elliptic(double k, double *first, double *second) {
    double a = 1, b = sqrt(1 - k * k), sum = 0.5 * k * k, power = 0.5;
    for (int i = 0; i < 40; i++) {
        const double mean = 0.5 * (a + b), c = 0.5 * (a - b);
        b = sqrt(a * b), a = mean, power *= 2, sum += power * c * c;
    }
    *first = asin(1) / a, *second = *first * (1 - sum);
}

/* Of the elastica between two clamps: chord/L = 2 E/K - 1, P = 16 K^2 EI/L^2. */
static double clamped_force(double chord) {
    double low = 0, high = 0.99, first, second;
    for (int i = 0; i < 60; i++) {
        const double k = 0.5 * (low + high);
        elliptic(k, &first, &second);
        if (2 * second / first - 1 > chord)
            low = k;
        else
            high = k;
    }
    return 16 * first * first;
}

TEST(a_round_column_pressed_between_clamps_bows_however_stout_it_is_and_however_far_it_is_pressed) {
    SLOW_UNDER_SANITIZERS;
    (void)unused_state;
    static const double thin[] = {0.0077, 0.0036, 6e-4, 1e-5};
    for (int i = 0; i < 4; i++)
        for (double chord = 0.97; chord > 0.6; chord -= 0.09) {
            director_problem x;
            withy_sim *sim = NULL;
            withy_equilibrium at;
            withy_error err = {0};
            const withy_option n = {.name = "n", .number = 16};
            director_plain(&x, 1, thin[i], 1, 1, 1);
            give(&x, 1, 1, 0.77, 4 / (thin[i] * thin[i]));
            x.rod.initial.along = (withy_vec3){0.6, 0, 0.8};
            x.rod.end[0].kind = x.rod.end[1].kind = WITHY_END_CLAMPED;
            x.rod.end[1].position = withy_field_vector(0.6 * chord, 0, 0.8 * chord);
            CHECK_OK(withy_sim_create(&x.problem, "director", &n, 1, &sim, &err));
            CHECK_OK(withy_sim_rest(sim, 1, &at, &err));
            const withy_vec3 force = withy_sim_sample(sim, 0)->reaction[0];
            const double along = 0.6 * force.x + 0.8 * force.z;
            CHECK(at.negative == 0);
            CHECK_NEAR(along / clamped_force(chord), 1, 0.01); /* without stretch and shear */
            withy_sim_destroy(sim);
        }
}

TEST(a_pendulum_on_a_pin_hangs_whatever_direction_it_starts_in) {
    (void)unused_state;
    const withy_vec3 along[4] = {{1, 0, 0}, {0, 0, 1}, {0.3, -0.2, 0.9}, {0, 0, -1}};
    for (int k = 0; k < 4; k++) {
        director_problem x;
        withy_sim *sim = NULL;
        withy_error err = {0};
        withy_equilibrium at;
        director_plain(&x, 1, 0.01, 5e6, 5e6 / 3, 1100);
        director_ends(&x, WITHY_END_PINNED, WITHY_END_FREE);
        x.rod.initial.along = along[k], x.rod.initial.normal = (withy_vec3){0, 1, 0};
        x.problem.gravity = (withy_vec3){0, 0, -9.81};
        CHECK_OK(director_start(&x, "n=16", &sim, &err));
        CHECK_OK(withy_sim_rest(sim, 1.0, &at, &err));
        CHECK(at.negative == 0 && at.neutral == 1); /* its spin */
        const withy_snapshot *now = withy_sim_sample(sim, 0);
        CHECK_NEAR(now->position[now->count - 1].z, -1.0010791, 1e-6); /* 1 + rho g L/2E */
        withy_sim_destroy(sim);
    }
}

/* Elastic catenary: span = H L/EA + 2 H/w asinh(w L/2H). */
static double catenary(double span, double length, double weight, double stretch) {
    double low = 1, high = 1e7;
    for (int i = 0; i < 200; i++) {
        const double h = sqrt(low * high);
        const double reach =
            h * length / stretch + 2 * h / weight * asinh(0.5 * weight * length / h);
        if (reach > span)
            high = h;
        else
            low = h;
    }
    return low;
}

TEST(a_slack_cable_hangs_as_the_elastic_catenary_on_every_mesh) {
    (void)unused_state;
    const double length[4] = {300.29, 300.3, 300.31, 310};
    for (int k = 0; k < 8; k++) {
        director_problem x;
        withy_sim *sim = NULL;
        withy_error err = {0};
        withy_equilibrium at;
        const double EA = 3.28e7;
        director_plain(&x, length[k / 2], 0.01, 1, 1, 1);
        give(&x, 214, 214, 171, EA);
        x.rod.inertia[0] = withy_field_number(1.628);
        x.rod.initial = (withy_shape){0};
        director_ends(&x, WITHY_END_PINNED, WITHY_END_PINNED);
        x.rod.end[0].position = withy_field_vector(0, 0, 0);
        x.rod.end[1].position = withy_field_vector(300, 0, 0);
        x.problem.gravity = (withy_vec3){0, 0, -9.81};
        CHECK_OK(director_start(&x, k % 2 ? "n=40" : "n=16", &sim, &err));
        CHECK_OK(withy_sim_rest(sim, 1.0, &at, &err));
        CHECK(at.negative == 0 && at.neutral == 1);
        const withy_snapshot *now = withy_sim_sample(sim, 0);
        const double expected = catenary(300, length[k / 2], 1.628 * 9.81, EA);
        CHECK_NEAR(-now->reaction[0].x / expected, 1, 2e-3); /* the rod bends, a little */
        withy_sim_destroy(sim);
    }
}

TEST(
    a_cantilever_has_the_same_shape_and_its_reactions_at_every_thickness_down_to_1e_7_of_its_length) {
    (void)unused_state;
    withy_vec3 first = {0};
    for (int k = 3; k <= 7; k++) {
        director_problem x;
        withy_sim *sim = NULL;
        withy_error err = {0};
        withy_equilibrium at;
        director_plain(&x, 1, 0.01, 1, 1, 1);
        give(&x, 1, 1, 0.77, 4 * pow(10, 2 * k));
        x.rod.initial.along = (withy_vec3){1, 0.3, 0.2};
        x.rod.end[1].force = withy_field_vector(-1, 2, 1.5);
        CHECK_OK(director_start(&x, "n=16", &sim, &err));
        CHECK_OK(withy_sim_equilibrium(sim, 1.0, &at, &err));
        print_message("r/L 1e-%d: negative %d, neutral %d\n", k, at.negative, at.neutral);
        CHECK(at.negative == 0);
        CHECK_BELOW(at.iterations, 9);
        const withy_snapshot *now = withy_sim_sample(sim, 0);
        const withy_vec3 tip = now->position[now->count - 1];
        if (k == 3) first = tip;
        CHECK_NEAR(tip.x, first.x, 2e-6); /* 1e-6: shear and stretch at r/L = 1e-3 */
        CHECK_NEAR(tip.y, first.y, 2e-6);
        CHECK_NEAR(now->reaction[0].x, 1, 1e-6);
        CHECK_NEAR(now->reaction[0].y, -2, 1e-6);
        withy_sim_destroy(sim);
    }
}

/* ---- not there ---------------------------------------------------------------------------------------- */

TEST(a_moment_about_an_axis_on_which_nothing_resists_is_reported) {
    (void)unused_state;
    director_problem x;
    withy_sim *sim = NULL;
    withy_error err = {0};
    withy_equilibrium at;
    director_plain(&x, 1, 0.01, 1, 1, 1);
    give(&x, 1, 1, 0.8, 1e5);
    director_ends(&x, WITHY_END_PINNED, WITHY_END_PINNED);
    x.rod.end[1].moment = withy_field_vector(0.5, 0, 0);
    CHECK_OK(director_start(&x, "n=8", &sim, &err));
    CHECK(withy_sim_equilibrium(sim, 1.0, &at, &err) == WITHY_NO_CONVERGENCE);
    CHECK(strstr(err.text, "on which nothing resists") != NULL);
    withy_sim_destroy(sim);
}

/* A rod above the floor, held nowhere: more nodes would not help. */
TEST(a_rod_that_only_the_floor_could_hold_is_found_or_reported_so) {
    (void)unused_state;
    director_problem x;
    withy_sim *sim = NULL;
    withy_error err = {0};
    withy_equilibrium at;
    director_plain(&x, 1, 0.02, 1e6, 4e5, 1100);
    director_ends(&x, WITHY_END_FREE, WITHY_END_FREE);
    x.rod.initial.along = (withy_vec3){1, 0, 0};
    x.rod.initial.normal = (withy_vec3){0, 1, 0};
    x.rod.initial.from = (withy_vec3){0, 0, 0.05};
    x.problem.gravity = (withy_vec3){0, 0, -9.81};
    x.problem.floor =
        (withy_floor){.given = 1, .normal = {0, 0, 1}, .stiffness = 1e5, .damping = 100};
    CHECK_OK(director_start(&x, "n=8", &sim, &err));
    if (withy_sim_equilibrium(sim, 1.0, &at, &err) == WITHY_OK) {
        const withy_snapshot *now = withy_sim_sample(sim, 0);
        CHECK_NEAR(now->position[now->count / 2].z, -0.345575 * 9.81 / 1e5, 1e-6);
    } else
        CHECK(strstr(err.text, "no end is held") != NULL);
    withy_sim_destroy(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(
            a_heavy_column_loses_its_stability_at_7_837_on_the_way_up_and_gains_it_there_on_the_way_down),
        test(statics_do_not_say_what_a_run_would_do_to_its_steps),
        test(a_path_that_may_branch_goes_on_along_the_bent_column),
        test(
            a_round_rod_between_pins_is_stable_with_a_neutral_spin_and_its_arch_with_a_neutral_plane_too),
        test(
            a_round_column_pressed_between_clamps_bows_however_stout_it_is_and_however_far_it_is_pressed),
        test(a_pendulum_on_a_pin_hangs_whatever_direction_it_starts_in),
        test(a_slack_cable_hangs_as_the_elastic_catenary_on_every_mesh),
        test(
            a_cantilever_has_the_same_shape_and_its_reactions_at_every_thickness_down_to_1e_7_of_its_length),
        test(a_moment_about_an_axis_on_which_nothing_resists_is_reported),
        test(a_rod_that_only_the_floor_could_hold_is_found_or_reported_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
