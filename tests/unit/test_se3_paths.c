/* Every path through method se3 on few cells, quick enough to be run under sanitizers as well. */
#include <math.h>

#include "check.h"
#include "model/model.h"
#include "se3_problems.h"
#include "study/sim.h"
#include "withy/withy.h"

static withy_status helical(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)t, (void)err;
    out[0] = 0.004 * cos(30 * s), out[1] = 0.004 * sin(30 * s);
    return WITHY_OK;
}

static withy_status swing(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    out[0] = 0.002 * sin(9 * t), out[1] = out[2] = 0;
    return WITHY_OK;
}

/* Gravity, drag, damping, dead and follower loads, a body with offset, a driven base, and tendons
 * by tension and by length. */
static void load_everything(withy_rod *rod, withy_load load[5]) {
    load[0] = (withy_load){.from = 0.02, .to = 0.07, .force = withy_field_vector(0.1, 0.2, 0)};
    load[1] = load[0];
    load[1].follower = 1;
    load[2] = (withy_load){.kind = WITHY_LOAD_TENDON,
                           .to = SE3_L,
                           .route = {.size = 2, .value = {0.004, 0}},
                           .tension = withy_field_number(0.1)};
    load[3] = (withy_load){.kind = WITHY_LOAD_TENDON,
                           .to = 0.06,
                           .route = {.size = 2, .call = helical},
                           .displacement = withy_field_number(2e-4)};
    load[4] = load[3];
    load[4].route = (withy_field){.size = 2, .value = {0, 0.003}};
    rod->load = load, rod->load_count = 5;
    rod->damping_time = 1e-3;
    rod->drag_linear = 0.1, rod->drag_quadratic = 1, rod->drag_spin = 1e-6;
    rod->end[0].position = (withy_field){.size = 3, .call = swing};
    rod->end[1].force = withy_field_vector(0.01, 0, 0.01);
    rod->end[1].moment = withy_field_vector(0, 1e-4, 0);
    rod->end[1].mass = 1e-3;
    rod->end[1].offset = (withy_vec3){1e-3, 0, 2e-3};
}

static void run_all_schemes(const withy_problem *problem) {
    const char *options[] = {"n=8 dt=0.005", "n=8 dt=0.005 scheme=rk4", "n=8 dt=0.005 time=bdf2",
                             "n=8 dt=0.005 time=bdf_alpha alpha=-0.3 start=rest"};
    for (int k = 0; k < 4; k++) {
        withy_error err = {0};
        withy_sim *sim = NULL;
        const size_t blocks = withy_memory_blocks();
        CHECK_OK(se3_sim(problem, options[k], &sim, &err));
        const size_t takes = withy_memory_allocations();
        const unsigned have = withy_sim_sample(sim, 0)->have;
        for (int i = 1; i <= 5; i++) {
            CHECK_OK(withy_sim_advance(sim, 0.0213 * i, &err));
            const withy_snapshot *snap = withy_sim_sample(sim, 0);
            CHECK(snap != NULL);       /* everything is finite */
            CHECK(snap->have == have); /* a result file has the same columns from first to last */
            CHECK(snap->t == 0.0213 * i); /* landed exactly */
        }
        CHECK(withy_memory_allocations() == takes);
        withy_sim_destroy(sim);
        CHECK(withy_memory_blocks() == blocks);
    }
}

TEST(everything_at_once_runs_with_every_scheme_and_allocates_nothing) {
    (void)unused_state;
    withy_load load[5];
    withy_rod rod = se3_rod(se3_shape_c, NULL);
    load_everything(&rod, load);
    withy_problem problem = se3_problem(&rod, 1, 0.1);
    problem.gravity = (withy_vec3){-3, -5, -7};
    run_all_schemes(&problem);
}

/* Unknown tensions, the reaction of a held finish and both histories are in the state. */
TEST(everything_at_once_goes_on_from_a_fork_with_spoilt_scratch) {
    const char *options[] = {"n=8 dt=0.005", "n=8 dt=0.005 scheme=rk4", "n=8 dt=0.005 time=bdf2"};
    for (int k = 0; k < 6; k++) {
        withy_load load[5];
        withy_rod rod = se3_rod(se3_shape_c, NULL);
        load_everything(&rod, load);
        if (k >= 3) rod.end[1].kind = WITHY_END_PINNED;
        const withy_problem problem = se3_problem(&rod, 1, 0.1);
        withy_error err = {0};
        withy_sim *one = NULL, *two = NULL;
        CHECK_OK(se3_sim(&problem, options[k % 3], &one, &err));
        CHECK_OK(withy_sim_advance(one, 0.02, &err));
        CHECK_OK(withy_sim_fork(one, &two, &err));
        for (int i = 5; i <= 10; i++) {
            CHECK_OK(withy_sim_advance(two, 0.005 * i, &err));
            wy_sim_overwrite_scratch(two);
        }
        CHECK_OK(withy_sim_advance(one, 0.05, &err));
        CHECK(withy_sim_hash(one) == withy_sim_hash(two));
        withy_sim_destroy(one), withy_sim_destroy(two);
    }
}

TEST(all_ends_run_with_every_scheme) {
    (void)unused_state;
    const withy_end_kind kind[4] = {WITHY_END_FREE, WITHY_END_PINNED, WITHY_END_CLAMPED,
                                    WITHY_END_GUIDED};
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++) {
            withy_rod rod = se3_rod(se3_shape_c, NULL);
            rod.end[0].kind = kind[a], rod.end[1].kind = kind[b];
            rod.end[1].mass = 1e-3;
            rod.section.a = withy_field_number(0.01);
            withy_problem problem = se3_problem(&rod, 1, 0.1);
            problem.gravity = (withy_vec3){-3, -5, -7};
            run_all_schemes(&problem);
        }
}

static withy_status tapered(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)t, (void)err;
    out[0] = 0.01 * (1 - 4 * s);
    return WITHY_OK;
}

TEST(tapered_and_naturally_bent_rods_run_with_every_scheme) {
    (void)unused_state;
    withy_rod rod = se3_rod(NULL, NULL);
    rod.section.a = (withy_field){.size = 1, .call = tapered};
    rod.rest = (withy_shape){.kind = WITHY_SHAPE_HELIX, .radius = 0.02, .pitch = 0.03};
    rod.initial.kind = WITHY_SHAPE_NONE;
    withy_problem problem = se3_problem(&rod, 1, 0.1);
    problem.gravity = (withy_vec3){-3, -5, -7};
    run_all_schemes(&problem);
}

TEST(equilibria_are_found_and_time_goes_on_from_them_at_rest) {
    (void)unused_state;
    const char *options[2] = {"n=12 dt=0.005", "n=30 dt=0.02 scheme=rk4"};
    for (int k = 0; k < 2; k++) {
        withy_error err = {0};
        withy_sim *sim = NULL;
        withy_equilibrium at;
        withy_rod rod = se3_rod(NULL, NULL);
        rod.end[1].mass = 2e-3;
        withy_problem problem = se3_problem(&rod, 1, 0.1);
        problem.gravity = (withy_vec3){-9.81, 2, 0};
        CHECK_OK(se3_sim(&problem, options[k], &sim, &err));
        CHECK_OK(withy_sim_equilibrium(sim, 0.5, &at, &err));
        CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
        CHECK(at.iterations > 0 && at.factor == 1);
        const withy_vec3 rest = se3_tip(sim);
        CHECK_OK(withy_sim_advance(sim, 0.2, &err));
        /* rk4: frames of stages and of rebuilt poses differ by its error in space */
        CHECK_BELOW(se3_distance(se3_tip(sim), rest), k ? 1e-6 : 1e-10);
        withy_sim_destroy(sim);
    }
}

TEST(the_notes_scheme_runs) {
    (void)unused_state;
    const withy_vec3 tip = se3_tip_at(se3_shape_a, "n=20 dt=0.02 scheme=notes", 0.2);
    CHECK(isfinite(tip.x));
}

/* ---- held finish ------------------------------------------------------------------------------- */

static withy_sim *open_text(const char *text, withy_scene **scene, withy_error *err) {
    withy_sim *sim = NULL;
    CHECK(withy_scene_read_text(text, strlen(text), "text.lua", NULL, 0, scene, err) == WITHY_OK);
    if (withy_scene_sim(*scene, "se3", &sim, err) != WITHY_OK) sim = NULL;
    return sim;
}

/* A wire of 100 m under 200 N: a wrench that follows its end would turn it by exp(1240).  It sags as a
 * clamped beam under tension, w/T (L^2/8 - L/(2 k) tanh(k L/4)), k^2 = T/B, to second order in h k. */
TEST(a_tight_wire_between_clamps_sags_as_it_should) {
    (void)unused_state;
    withy_error err = {0};
    withy_scene *scene;
    withy_equilibrium at;
    withy_sim *sim = open_text(
        "local L = 100\n"
        "return { rod = { length = L, stiffness = { bend = 1.3, twist = 0.8, stretch = 1e5, shear "
        "= 1e5 },"
        "  inertia = { mass = 1 } }, gravity = { 0.01, 0, 0 },"
        "  ends = { start = clamped { position = { 0, 0, 0 }, tangent = { 0, 0, 1 }, normal = { 1, "
        "0, 0 } },"
        "    finish = clamped { position = { 0, 0, L + 0.2 }, tangent = { 0, 0, 1 }, normal = { 1, "
        "0, 0 } } },"
        "  initial = { shape = strain { strain = { 0, 0, 0.002, 0, 0, 0 }, along = { 0, 0, 1 },"
        "    normal = { 1, 0, 0 } } },"
        "  path = { from = 0, to = 1, steps = 1 }, method = 'se3', options = { n = 1000 } }",
        &scene, &err);
    CHECK(sim != NULL);
    CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    const double t = 200.1, k = sqrt(t / 1.3), l = 100.2;
    const double sag = 0.01 / 1.002 / t * (l * l / 8 - l / (2 * k) * tanh(k * l / 4));
    print_message("sag %.6f, formula %.6f\n", now->position[now->count / 2].x, sag);
    CHECK_NEAR(now->position[now->count / 2].x, sag, 1e-3 * sag);
    CHECK_NEAR(now->position[now->count - 1].z, l, 1e-9);
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
}

static const char coil[] =
    "local L = 2 * math.pi\n"
    "local angle = 0.3\n"
    "return { rod = { length = L, section = circle { diameter = 0.02 },"
    "  material = { young = 1e7, poisson = 0.3, density = 1000 },"
    "  rest = helix { radius = 0.5, angle = angle } },"
    "  ends = { start = clamped {}, finish = %s {} },"
    "  time = { stop = 0.1, output = 0.1 }, method = 'se3', options = { n = %d, dt = 0.01 } }";

/* Without the correction the finish is 2e-3 L away from its prescribed position with 20 cells. */
TEST(a_held_finish_starts_at_its_place_and_a_rod_at_rest_stays_there) {
    (void)unused_state;
    const char *const kind[2] = {"clamped", "pinned"};
    for (int k = 0; k < 2; k++) {
        char text[800];
        withy_error err = {0};
        withy_scene *scene;
        snprintf(text, sizeof text, coil, kind[k], 20);
        withy_sim *sim = open_text(text, &scene, &err);
        CHECK(sim != NULL);
        const withy_rod *rod = &withy_scene_problem(scene)->rod[0];
        wy_pose expected;
        CHECK_OK(wy_shape_poses(rod, &rod->rest, 1, &rod->length, &expected, &err));
        for (int i = 0; i < 2; i++) {
            CHECK_OK(withy_sim_advance(sim, 0.1 * i, &err));
            const withy_snapshot *now = withy_sim_sample(sim, 0);
            const withy_vec3 x = now->position[now->count - 1];
            CHECK_BELOW(v3_norm(v3_sub(x, expected.r)), 1e-10);
            CHECK_BELOW(now->energy.bend + now->energy.twist + now->energy.kinetic, 1e-20);
        }
        withy_sim_destroy(sim);
        withy_scene_destroy(scene);
    }
}

TEST(a_bent_rod_that_twists_by_more_than_a_radian_a_cell_is_refused_with_the_cells_it_needs) {
    (void)unused_state;
    withy_error err = {0};
    withy_scene *scene;
    withy_sim *sim = open_text(
        "return { rod = { length = 1, section = circle { diameter = 0.02 },"
        "  material = { young = 1e7, poisson = 0.3, density = 1000 } },"
        "  initial = { shape = curvature { strain = { 1, 0, 60 } } },"
        "  ends = { start = clamped {}, finish = clamped {} },"
        "  time = { stop = 0.1, output = 0.1 }, method = 'se3', options = { n = 40, dt = 0.01 } }",
        &scene, &err);
    CHECK(sim == NULL);
    CHECK_TEXT(err.text,
               "se3: the rod is bent and twists by 1.50 rad within the cell at s = 0, more than 1, "
               "which its strains do not resolve: use options.n >= 60 (now 40), or director");
    withy_scene_destroy(scene);
}

/* Each tendon alone presses with ten times the buckling load of the wire, and none of them is a danger. */
TEST(a_robot_pressed_by_its_tendons_beyond_its_buckling_load_is_found_in_few_iterations) {
    withy_problem problem = withy_problem_default();
    withy_rod rod = withy_rod_default();
    withy_load load[3];
    withy_equilibrium at;
    withy_error err = {0};
    withy_sim *sim;
    const withy_option n = {.name = "n", .number = 40};
    rod.length = 0.2, rod.section.a = withy_field_number(1e-3);
    rod.material = (withy_material){60e9, 23e9, 6450};
    rod.end[0].kind = WITHY_END_CLAMPED;
    for (int i = 0; i < 3; i++) {
        const double a = 2 * WY_PI / 3 * i;
        load[i] = (withy_load){.kind = WITHY_LOAD_TENDON, .to = rod.length};
        load[i].route = (withy_field){.size = 2, .value = {8e-3 * cos(a), 8e-3 * sin(a)}};
        load[i].tension = withy_field_number(1.0 + i);
    }
    rod.load = load, rod.load_count = 3;
    problem.rod = &rod, problem.rod_count = 1;
    problem.request.stop = problem.request.output = 1;
    CHECK_OK(withy_sim_create(&problem, "se3", &n, 1, &sim, &err));
    CHECK_OK(withy_sim_equilibrium(sim, 1.0, &at, &err));
    printf("    %d iterations\n", at.iterations);
    CHECK(at.iterations <= 20);
    /* the moments of the three are one of 8 mm sqrt(3) N, so that the rod is an arc */
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    const double bend = 60e9 * WY_PI * 1e-12 / 64, angle = 8e-3 * sqrt(3.0) / bend * rod.length;
    const withy_vec3 a = snap->position[0], b = snap->position[snap->count - 1];
    const double chord =
        sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
    CHECK_NEAR(chord / rod.length, 2 / angle * sin(angle / 2), 2e-4); /* pressed by 1.3e-4 */
    withy_sim_destroy(sim);
}

RUN(test(everything_at_once_runs_with_every_scheme_and_allocates_nothing),
    test(everything_at_once_goes_on_from_a_fork_with_spoilt_scratch),
    test(all_ends_run_with_every_scheme),
    test(tapered_and_naturally_bent_rods_run_with_every_scheme),
    test(equilibria_are_found_and_time_goes_on_from_them_at_rest), test(the_notes_scheme_runs),
    test(a_tight_wire_between_clamps_sags_as_it_should),
    test(a_held_finish_starts_at_its_place_and_a_rod_at_rest_stays_there),
    test(a_bent_rod_that_twists_by_more_than_a_radian_a_cell_is_refused_with_the_cells_it_needs),
    test(a_robot_pressed_by_its_tendons_beyond_its_buckling_load_is_found_in_few_iterations))
