/* Every path through method se3 on few cells, quick enough to be run under sanitizers as well. */
#include <math.h>

#include "check.h"
#include "se3_problems.h"

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
        const size_t takes = withy_memory_takes();
        const unsigned have = withy_sim_sample(sim, 0)->have;
        for (int i = 1; i <= 5; i++) {
            CHECK_OK(withy_sim_advance(sim, 0.0213 * i, &err));
            const withy_snapshot *snap = withy_sim_sample(sim, 0);
            CHECK(snap != NULL);       /* everything is finite */
            CHECK(snap->have == have); /* a result file has the same columns from first to last */
            CHECK(snap->t == 0.0213 * i); /* landed exactly */
        }
        CHECK(withy_memory_takes() == takes);
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

RUN(test(everything_at_once_runs_with_every_scheme_and_allocates_nothing),
    test(all_ends_run_with_every_scheme),
    test(tapered_and_naturally_bent_rods_run_with_every_scheme),
    test(equilibria_are_found_and_time_goes_on_from_them_at_rest), test(the_notes_scheme_runs))
