/* Modes, stability, paths and starts from equilibrium of method se3, through its interface of equations. */
#include <stdlib.h>

#include "case_fixture.h"
#include "numeric/eigen/eigen.h"
#include "se3_problems.h"
#include "study/sim.h"
#include "timoshenko.h"
#include "withy/withy.h"

/* Frequencies about the equilibrium at factor 1, or about the present shape when it is at rest. */
static void frequencies(const withy_problem *problem, const char *method, const char *text,
                        int settle, int count, double *hz, double *damping) {
    withy_option option[16];
    const int given = se3_options_of(text, option);
    withy_error err = {0};
    withy_equilibrium at;
    withy_sim *sim;
    withy_mode *mode;
    CHECK_OK(withy_sim_create(problem, method, option, given, &sim, &err));
    if (settle) CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
    const uint64_t before = withy_sim_hash(sim);
    CHECK_OK(withy_sim_modes(sim, count, &mode, &err));
    CHECK(withy_sim_hash(sim) == before); /* computing modes does not change the state */
    for (int i = 0; i < count; i++) {
        hz[i] = mode[i].frequency;
        if (damping) damping[i] = mode[i].damping;
    }
    withy_modes_free(mode, count);
    withy_sim_destroy(sim);
}

static double omega_of(double hz) {
    return 2 * SE3_PI * hz;
}

/* Every bending frequency comes twice.  The other side is inverse iteration by statics, 25 times. */
TEST(the_frequencies_are_those_of_the_box) {
    withy_rod rod = se3_rod(NULL, NULL);
    const withy_problem problem = se3_problem(&rod, 1, 1);
    withy_error err = {0};
    double expected[2], hz[4];
    CHECK_OK(se3_box_frequencies(30, 2, expected, &err));
    frequencies(&problem, "se3", "n=30", 0, 4, hz, NULL);
    for (int i = 0; i < 4; i++) CHECK_NEAR(omega_of(hz[i]) / expected[i / 2], 1, 1e-6);
}

TEST(the_frequencies_come_nearer_to_timoshenkos_by_the_square_of_the_cells) {
    withy_rod rod = se3_rod(NULL, NULL);
    const withy_problem problem = se3_problem(&rod, 1, 1);
    const double area = SE3_PI * 0.25e-4, second = SE3_PI / 64 * 1e-8;
    const beam b = {SE3_L, 1e6 * second, 1e6 / 3 * area, 1000 * area, 1000 * second};
    double expected[2], hz[2][4];
    beam_frequencies(&b, "cf", 2, expected);
    frequencies(&problem, "se3", "n=40", 0, 4, hz[0], NULL);
    frequencies(&problem, "se3", "n=80", 0, 4, hz[1], NULL);
    for (int i = 0; i < 4; i += 2) {
        const double error[2] = {hz[0][i] / expected[i / 2] - 1, hz[1][i] / expected[i / 2] - 1};
        CHECK_NEAR(error[0] / error[1], 4, 0.05);
        CHECK_BELOW(fabs(error[1]), 2e-3);
    }
}

/* On a mesh that turns by 0.8 rad a cell the poses are far from the straight pieces of (9). */
TEST(newton_squares_on_a_coarse_helix_and_rk4_needs_few_more) {
    const char *scheme[2] = {"options.scheme=\"box\"", "options.scheme=\"rk4\""};
    for (int k = 0; k < 2; k++) {
        const char *set[2] = {"options.n=40", scheme[k]};
        withy_scene *scene = scene_of_case("hanging_spring", set, 2);
        const withy_run_setup setup = {.method = "se3"};
        withy_static_report report;
        withy_error err = {0};
        CHECK_OK(withy_static(scene, &setup, &report, &err));
        for (int i = 0; i < report.count; i++)
            CHECK_BELOW(report.point[i].at.iterations, k == 0 ? 6 : 10);
        withy_static_free(&report);
        withy_scene_destroy(scene);
    }
}

/* Viscosity in proportion to stiffness: C = time K, so that the ratio is omega time/2. */
TEST(kelvin_voigt_damps_every_mode_by_half_its_frequency_times_the_time) {
    withy_rod rod = se3_rod(NULL, NULL);
    rod.damping_time = 1e-3;
    const withy_problem problem = se3_problem(&rod, 1, 1);
    double hz[6], damping[6];
    frequencies(&problem, "se3", "n=20", 0, 6, hz, damping);
    for (int i = 0; i < 6; i++)
        CHECK_NEAR(damping[i] * sqrt(1 - damping[i] * damping[i]) /
                       (0.5 * omega_of(hz[i]) * rod.damping_time),
                   1, 1e-7);
}

/* Gravity across, and a body next to the tip: bending, twist and both planes are coupled. */
static withy_problem bent(withy_rod *rod) {
    *rod = se3_rod(NULL, NULL);
    rod->end[1].mass = 2e-3;
    rod->end[1].offset = (withy_vec3){5e-3, 0, 0};
    rod->end[1].inertia = (withy_vec3){1e-8, 1e-8, 1e-8};
    withy_problem problem = se3_problem(rod, 1, 1);
    problem.gravity = (withy_vec3){-3, -5, -7};
    return problem;
}

TEST(about_a_bent_shape_with_a_body_the_frequencies_are_those_of_director) {
    withy_rod rod;
    const withy_problem problem = bent(&rod);
    double expected[5], hz[2][5];
    frequencies(&problem, "director", "n=24 degree=3", 1, 5, expected, NULL);
    frequencies(&problem, "se3", "n=100", 1, 5, hz[0], NULL);
    frequencies(&problem, "se3", "n=200", 1, 5, hz[1], NULL);
    for (int i = 0; i < 5; i++) {
        const double limit = (4 * hz[1][i] - hz[0][i]) / 3; /* of the box, to fourth order */
        CHECK_NEAR(limit / expected[i], 1, 2e-6);
        CHECK_BELOW(fabs(hz[1][i] / expected[i] - 1), 1e-3);
    }
}

/* u.(A M v) = v.(A M u), A = K^-1: of the straight rod to rounding, of a bent one as far as the box
 * takes G(Lam) of the cell, by the square of its cells. */
static double asymmetry(const char *options, int settle) {
    withy_rod rod;
    const withy_problem problem = bent(&rod);
    withy_error err = {0};
    withy_equilibrium at;
    withy_sim *sim;
    int negative;
    CHECK_OK(se3_sim(&problem, options, &sim, &err));
    if (settle) CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
    const wy_equations *equations = sim->method->equations;
    const int rows = equations->layout(sim->self).rows;
    double *v = calloc(4 * (size_t)rows, sizeof *v), *u = v + rows, *mv = u + rows, *mu = mv + rows;
    CHECK_OK(equations->open(sim->self, &err));
    CHECK_OK(equations->load(sim->self, settle, settle, 1, &err));
    CHECK_OK(equations->factor(sim->self, 0, &negative, &err));
    for (int i = 0; i < rows; i++) { /* the same shapes on every mesh */
        const double place = fmin(1, (i / 12 + 0.5) / (rows / 12 - 1)),
                     size = i % 12 < 9 ? 1 : SE3_L;
        v[i] = size * sin((1 + i % 3) * place), u[i] = size * cos((2 + i % 5) * place) * place;
    }
    equations->mass(sim->self, v, mv);
    equations->mass(sim->self, u, mu);
    memcpy(v, mv, (size_t)rows * sizeof *v);
    memcpy(u, mu, (size_t)rows * sizeof *u);
    equations->solve(sim->self, v);
    equations->solve(sim->self, u);
    double uv = 0, vu = 0;
    for (int i = 0; i < rows; i++) uv += mu[i] * v[i], vu += mv[i] * u[i];
    free(v);
    withy_sim_destroy(sim);
    return fabs(uv - vu) / (fabs(uv) + fabs(vu));
}

TEST(the_stiffness_is_symmetric_as_far_as_the_box_is) {
    CHECK_BELOW(asymmetry("n=40", 0), 1e-10);
    const double coarse = asymmetry("n=20", 1), fine = asymmetry("n=80", 1);
    print_message("asymmetry %.1e at n = 20, %.1e at n = 80\n", coarse, fine);
    CHECK_BELOW(coarse, 1e-2);
    CHECK_BELOW(fine, coarse / 8);
}

/* A force that follows the tip and pushes: without potential, and without an equilibrium that ends. */
TEST(under_a_follower_force_the_frequencies_are_those_of_director) {
    withy_rod rod = se3_rod(NULL, NULL);
    rod.end[1].force = withy_field_vector(0, 0, -10 * SE3_EI / (SE3_L * SE3_L));
    rod.end[1].follower = 1;
    const withy_problem problem = se3_problem(&rod, 1, 1);
    double expected[4], hz[2][4];
    frequencies(&problem, "director", "n=24 degree=3", 1, 4, expected, NULL);
    frequencies(&problem, "se3", "n=100", 1, 4, hz[0], NULL);
    frequencies(&problem, "se3", "n=200", 1, 4, hz[1], NULL);
    for (int i = 0; i < 4; i++) CHECK_NEAR((4 * hz[1][i] - hz[0][i]) / 3 / expected[i], 1, 2e-6);
}

/* Euler's column: stable below pi^2/4, less what shear and compression take, and unstable beyond. */
TEST(a_column_is_unstable_in_two_directions_beyond_eulers_load) {
    const double euler = SE3_PI * SE3_PI / 4 * SE3_EI / (SE3_L * SE3_L);
    withy_rod rod = se3_rod(NULL, NULL);
    rod.end[1].force = withy_field_vector(0, 0, -euler);
    const withy_problem problem = se3_problem(&rod, 1, 1);
    withy_error err = {0};
    withy_equilibrium at;
    withy_sim *sim;
    CHECK_OK(se3_sim(&problem, "n=40", &sim, &err));
    CHECK_OK(withy_sim_equilibrium(sim, 0.97, &at, &err));
    CHECK(at.negative == 0);
    CHECK_OK(withy_sim_equilibrium(sim, 1.05, &at, &err));
    CHECK(at.negative == 2);
    CHECK(at.mark == WITHY_POINT_BRANCH);
    withy_sim_destroy(sim);
}

/* The crown goes down through both limit points.  A limit point lies between two points of the path, so
 * that the largest factor that was seen is below it by the square of an arc. */
static double largest_factor(const char *method, const char *n, int *limits) {
    withy_scene *scene = scene_of_case("snap_arch", (const char *[]){n, "path.steps=30"}, 2);
    const withy_run_setup setup = {.method = method};
    withy_static_report report;
    withy_error err = {0};
    double most = 0;
    CHECK_OK(withy_static(scene, &setup, &report, &err));
    *limits = 0;
    for (int i = 0; i < report.count; i++) {
        *limits += report.point[i].at.mark == WITHY_POINT_LIMIT;
        if (*limits == 0) most = worst_of(most, report.point[i].at.factor);
    }
    CHECK(report.point[report.count - 1].at.negative == 0);
    withy_static_free(&report);
    withy_scene_destroy(scene);
    return most;
}

TEST(a_shallow_arch_snaps_through_both_limit_points_as_with_director) {
    SLOW_UNDER_SANITIZERS;
    int limits[2];
    const double expected = largest_factor("director", "options.n=12", &limits[0]);
    const double got = largest_factor("se3", "options.n=60", &limits[1]);
    print_message("snaps at %.5f, director at %.5f\n", got, expected);
    CHECK(limits[0] == 2 && limits[1] == 2);
    CHECK_NEAR(got / expected, 1, 1e-2);
}

/* initial = static: pulled aside at the tip, and let go. */
TEST(a_rod_starts_from_the_equilibrium_under_the_loads_that_let_go) {
    const withy_load load = {.kind = WITHY_LOAD_POINT,
                             .from = SE3_L,
                             .to = SE3_L,
                             .force = withy_field_vector(0.3, 0, 0)};
    withy_rod held = se3_rod(NULL, NULL), freed = held;
    held.load = &load, held.load_count = 1;
    freed.settled = 1, freed.pull = &load, freed.pull_count = 1;
    const withy_problem equilibrium = se3_problem(&held, 0.2, 0.1),
                        moving = se3_problem(&freed, 0.2, 0.1);
    withy_error err = {0};
    withy_equilibrium at;
    withy_sim *sim;
    CHECK_OK(se3_sim(&equilibrium, "n=40", &sim, &err));
    CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
    const withy_vec3 expected = se3_tip(sim);
    withy_sim_destroy(sim);
    CHECK_OK(se3_sim(&moving, "n=40 dt=0.002", &sim, &err));
    CHECK_NEAR(withy_sim_time(sim), 0, 0);
    /* the tip itself is without stress from the start: half a cell of it moves the tip by 1e-4 L */
    CHECK_NEAR(se3_distance(se3_tip(sim), expected) / SE3_L, 0, 1e-3);
    CHECK(expected.x > 0.1 * SE3_L);
    CHECK_OK(withy_sim_advance(sim, 0.2, &err));
    CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-11);
    withy_sim_destroy(sim);
}

RUN(test(the_frequencies_are_those_of_the_box),
    test(the_frequencies_come_nearer_to_timoshenkos_by_the_square_of_the_cells),
    test(newton_squares_on_a_coarse_helix_and_rk4_needs_few_more),
    test(kelvin_voigt_damps_every_mode_by_half_its_frequency_times_the_time),
    test(about_a_bent_shape_with_a_body_the_frequencies_are_those_of_director),
    test(the_stiffness_is_symmetric_as_far_as_the_box_is),
    test(under_a_follower_force_the_frequencies_are_those_of_director),
    test(a_column_is_unstable_in_two_directions_beyond_eulers_load),
    test(a_shallow_arch_snaps_through_both_limit_points_as_with_director),
    test(a_rod_starts_from_the_equilibrium_under_the_loads_that_let_go))
