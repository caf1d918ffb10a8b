/* Where a rod starts: one rule for all methods when held ends and initial shape differ, and what a clamp
 * holds. */
#include "base/vec.h"
#include "check.h"
#include "fixture.h"
#include "withy/withy.h"

static const char *const METHOD[] = {"director", "cheb", "se3", "fdtd", "kirchhoff", "elastica"};
enum { METHODS = sizeof METHOD / sizeof *METHOD };

/* A soft rod of unit length along x. */
typedef struct start_case {
    withy_rod rod;
    withy_problem problem;
} start_case;

static void soft(start_case *x) {
    static const double stiffness[WITHY_STRAINS] = {50, 50, 100, 0.1, 0.1, 0.08};
    static const double inertia[WITHY_INERTIAS] = {1, 1e-3, 1e-3, 2e-3};
    x->rod = withy_rod_default();
    x->rod.section.kind = WITHY_SECTION_NONE;
    for (int i = 0; i < WITHY_STRAINS; i++) x->rod.stiffness[i] = withy_field_number(stiffness[i]);
    for (int i = 0; i < WITHY_INERTIAS; i++) x->rod.inertia[i] = withy_field_number(inertia[i]);
    x->rod.initial = (withy_shape){
        .kind = WITHY_SHAPE_ARC, .along = {1, 0, 0}, .normal = {0, 1, 0}, .radius = 1.5};
    x->rod.rest = x->rod.initial;
    x->rod.rest.kind = WITHY_SHAPE_STRAIGHT;
    x->problem = withy_problem_default();
    x->problem.rod = &x->rod;
    x->problem.request.stop = x->problem.request.output = 1e-3;
}

/* ---- ends that miss the shape -------------------------------------------------------------------- */

/* Create and step once; the message of what refused it. */
static withy_status start_once(const withy_problem *problem, const char *method, withy_error *err) {
    withy_option small[] = {{.name = "n", .number = 16}};
    withy_sim *sim = NULL;
    withy_status status = withy_sim_create(problem, method, small, 1, &sim, err);
    if (status == WITHY_OK) status = withy_sim_advance(sim, problem->request.stop, err);
    withy_sim_destroy(sim);
    return status;
}

/* Ends of the arc: position and tangent at s = 0 and at s = 1. */
static withy_vec3 arc_position(int finish) {
    const double a = 1 / 1.5;
    return finish ? v3(1.5 * sin(a), 1.5 * (1 - cos(a)), 0) : v3(0, 0, 0);
}
static withy_vec3 arc_tangent(int finish) {
    const double a = 1 / 1.5;
    return finish ? v3(cos(a), sin(a), 0) : v3(1, 0, 0);
}

/* Held at both ends where the arc is, but for one thing at one end, which is off by `off`. */
static void held_but(start_case *x, uint64_t *seed, double off, int turned, int *which) {
    soft(x);
    *which = random_between(seed, 0, 1) < 0.5;
    const double angle = 6.28 * random_between(seed, 0, 1);
    for (int i = 0; i < 2; i++) {
        const withy_vec3 p = arc_position(i), t = arc_tangent(i);
        const double by = i == *which ? off : 0, c = by * cos(angle), s = by * sin(angle);
        withy_end *end = &x->rod.end[i];
        *end = (withy_end){.kind = WITHY_END_CLAMPED, .turn = WITHY_TURN_FREE};
        if (!turned && random_between(seed, 0, 1) < 0.5) end->kind = WITHY_END_PINNED;
        end->position = withy_field_vector(p.x + (turned ? 0 : c), p.y, p.z + (turned ? 0 : s));
        withy_vec3 aim = v3_unit(v3(t.x, t.y + (turned ? c / t.x : 0), t.z + (turned ? s : 0)));
        if (end->kind == WITHY_END_CLAMPED) end->tangent = withy_field_vector(aim.x, aim.y, aim.z);
    }
}

TEST(a_start_that_misses_its_end_by_more_than_rounding_is_refused_by_all_six_methods) {
    uint64_t seed = 11;
    for (int k = 0; k < 60; k++) {
        start_case x;
        int which;
        const int turned = k % 2;
        /* positions from 1e-8 of the length on, directions from 1e-5 rad on */
        const double off =
            (turned ? 2e-5 : 1e-8) * pow(10, (turned ? 4 : 7) * random_between(&seed, 0, 1));
        held_but(&x, &seed, off, turned, &which);
        for (int m = 0; m < METHODS; m++) {
            withy_error err = {0};
            CHECK(start_once(&x.problem, METHOD[m], &err) == WITHY_BAD_INPUT);
            const char *name = which ? "ends.finish" : "ends.start";
            if (!strstr(err.text, name) || !strstr(err.text, "initial = static {}"))
                fail_msg("%s, off by %g: \"%s\" does not name %s", METHOD[m], off, err.text, name);
        }
    }
}

TEST(a_start_that_misses_its_end_by_rounding_is_moved_by_all_six_methods) {
    uint64_t seed = 5;
    for (int k = 0; k < 6; k++) {
        start_case x;
        int which;
        held_but(&x, &seed, k % 2 ? 3e-7 : 3e-10, k % 2, &which);
        for (int m = 0; m < METHODS; m++) {
            withy_error err = {0};
            CHECK_OK(start_once(&x.problem, METHOD[m], &err));
        }
    }
}

/* A band of 1 m held 1.02 m apart pulls with EA 0.02 = 1.571 N. */
TEST(a_band_held_longer_than_it_is_pulls_under_static_and_a_run_says_why_it_cannot_start) {
    start_case x;
    soft(&x);
    const double ea = 1e6 * 3.14159265358979 * 0.25e-4;
    x.rod.stiffness[WITHY_STRETCH] = withy_field_number(ea);
    x.rod.initial = x.rod.rest = (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .along = {1, 0, 0}};
    x.rod.end[0] = x.rod.end[1] = (withy_end){.kind = WITHY_END_PINNED};
    x.rod.end[1].position = withy_field_vector(1.02, 0, 0);
    withy_error err = {0};
    CHECK(start_once(&x.problem, "director", &err) == WITHY_BAD_INPUT);
    CHECK_TEXT(
        err.text,
        "the initial shape puts ends.finish 0.02 m (0.02 of the length) from its position at "
        "t = 0 (the ends are held 1.02 m apart, and the rod is 1 m long); move the end or give "
        "an initial shape that fits, or start in equilibrium with initial = static {}");
    x.rod.end[0].kind = WITHY_END_CLAMPED; /* as se3 needs it */
    for (int m = 0; m < 4; m++)
        for (int settled = 0; settled < 2; settled++) {
            withy_sim *sim = NULL;
            withy_equilibrium at;
            x.rod.settled = settled;
            CHECK_OK(withy_sim_create(&x.problem, METHOD[m], NULL, 0, &sim, &err));
            if (settled)
                CHECK_OK(withy_sim_advance(sim, x.problem.request.stop, &err));
            else
                CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
            const withy_snapshot *snap = withy_sim_sample(sim, 0);
            CHECK_NEAR(snap->reaction[1].x, 0.02 * ea, 1e-7);
            CHECK_NEAR(snap->position[snap->count - 1].x, 1.02, 1e-11);
            CHECK_NEAR(snap->energy.stretch, 0.5 * ea * 4e-4, 1e-8);
            CHECK_NEAR(snap->energy.kinetic, 0, 1e-12);
            withy_sim_destroy(sim);
        }
}

static withy_status lifted(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    out[0] = 1, out[1] = 0.01 * t, out[2] = 0;
    return WITHY_OK;
}

TEST(an_equilibrium_with_its_ends_elsewhere_is_no_start_of_a_motion) {
    start_case x;
    soft(&x);
    x.rod.initial = x.rod.rest = (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .along = {1, 0, 0}};
    x.rod.end[1] = (withy_end){.kind = WITHY_END_PINNED};
    x.rod.end[1].position = (withy_field){.size = 3, .call = lifted};
    withy_error err = {0};
    for (int m = 0; m < 2; m++) {
        withy_sim *sim = NULL;
        withy_equilibrium at;
        CHECK_OK(withy_sim_create(&x.problem, METHOD[m], NULL, 0, &sim, &err));
        CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
        CHECK(withy_sim_advance(sim, 1e-3, &err) != WITHY_OK);
        CHECK_OK(withy_sim_equilibrium(sim, 0, &at, &err));
        CHECK_OK(withy_sim_advance(sim, 1e-3, &err));
        withy_sim_destroy(sim);
    }
}

/* The end is lifted by 0.01 t: without a path it is where it is at t = 0. */
TEST(without_a_path_an_equilibrium_is_that_of_t_0_whatever_the_unit_of_time) {
    start_case x;
    soft(&x);
    x.rod.initial = x.rod.rest = (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .along = {1, 0, 0}};
    x.rod.end[1] = (withy_end){.kind = WITHY_END_PINNED};
    x.rod.end[1].position = (withy_field){.size = 3, .call = lifted};
    x.problem.request = (withy_request){0};
    withy_error err = {0};
    for (int path = 0; path < 2; path++) {
        withy_static_report report;
        withy_study study = withy_study_default();
        if (path) x.problem.path = (withy_path){.given = 1, .to = 1, .steps = 1};
        study.problem = &x.problem, study.method = "director";
        CHECK_OK(withy_study_static(&study, &report, &err));
        CHECK_NEAR(report.point[report.count - 1].position[1].y, path ? 0.01 : 0, 1e-12);
        withy_static_free(&report);
    }
}

TEST(a_problem_without_time_has_equilibria_and_modes_and_nothing_to_run) {
    start_case x;
    soft(&x);
    x.rod.rest = x.rod.initial;
    x.problem.request = (withy_request){0};
    withy_study study = withy_study_default();
    study.problem = &x.problem, study.method = "director", study.name = "arc";
    withy_error err = {0};
    withy_static_report equilibrium;
    withy_report run;
    withy_mode *mode;
    CHECK_OK(withy_study_static(&study, &equilibrium, &err));
    withy_static_free(&equilibrium);
    CHECK_OK(withy_study_modes(&study, 2, &mode, &err));
    CHECK(mode[0].frequency > 0);
    withy_modes_free(mode, 2);
    CHECK(withy_study_run(&study, &run, &err) == WITHY_BAD_INPUT);
    CHECK_TEXT(err.text, "arc: has neither time nor path, so there is nothing to run; withy static "
                         "finds its equilibrium, or give time = { stop = ... }");
}

/* ---- what a clamp holds --------------------------------------------------------------------------- */

/* A straight rod under a twisting moment of 0.02 per length, held at both ends. */
static void twisted(start_case *x, withy_load *load, withy_turn turn) {
    soft(x);
    x->rod.initial = x->rod.rest = (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .along = {1, 0, 0}};
    x->rod.end[0] = x->rod.end[1] =
        (withy_end){.kind = WITHY_END_CLAMPED, .tangent = withy_field_vector(1, 0, 0)};
    x->rod.end[1].turn = turn;
    *load = (withy_load){
        .kind = WITHY_LOAD_DISTRIBUTED, .to = 1, .moment = withy_field_vector(0.02, 0, 0)};
    x->rod.load = load, x->rod.load_count = 1;
}

TEST(a_clamp_by_its_tangent_holds_the_section_and_one_that_is_free_to_turn_does_not) {
    static const char *const statics[] = {"director", "cheb", "se3", "fdtd"};
    for (size_t m = 0; m < sizeof statics / sizeof *statics; m++)
        for (int turn = 0; turn < 2; turn++) {
            start_case x;
            withy_load load;
            withy_error err = {0};
            withy_sim *sim = NULL;
            withy_equilibrium at;
            twisted(&x, &load, turn ? WITHY_TURN_FREE : WITHY_TURN_HELD);
            CHECK_OK(withy_sim_create(&x.problem, statics[m], NULL, 0, &sim, &err));
            CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
            const withy_snapshot *snap = withy_sim_sample(sim, 0);
            CHECK_NEAR(snap->reaction_moment[0].x, turn ? -0.02 : -0.01, 1e-8);
            CHECK_NEAR(snap->reaction_moment[1].x, turn ? 0 : -0.01, 1e-8);
            withy_sim_destroy(sim);
        }
}

/* Bends of 1 and 3, ends that the shape misses in place and direction: a turn about the tangent shows in
 * the moments.  The others to what their meshes leave. */
TEST(four_methods_agree_on_clamps_that_hold_the_section_and_on_clamps_that_do_not) {
    static const struct {
        const char *method;
        double n, error;
    } row[] = {{"director", 24, 0}, {"cheb", 16, 1e-4}, {"se3", 60, 4e-3}, {"fdtd", 50, 1e-2}};
    for (int turn = 0; turn < 2; turn++) {
        vec3 expected = {0, 0, 0};
        for (size_t m = 0; m < 4; m++) {
            start_case x;
            soft(&x);
            x.rod.initial = x.rod.rest = (withy_shape){
                .kind = WITHY_SHAPE_STRAIGHT, .along = {0.9, 0.1, 0.1}, .normal = {0, 1, 1}};
            const double stiffness[WITHY_STRAINS] = {1e3, 1e3, 1e3, 1, 3, 1};
            for (int i = 0; i < WITHY_STRAINS; i++)
                x.rod.stiffness[i] = withy_field_number(stiffness[i]);
            x.rod.end[0].tangent = withy_field_vector(1, 0, 0);
            x.rod.end[0].turn = turn ? WITHY_TURN_FREE : WITHY_TURN_HELD;
            x.rod.end[1] = (withy_end){.kind = WITHY_END_CLAMPED, .turn = WITHY_TURN_FREE};
            x.rod.end[1].position = withy_field_vector(0.9, 0.1, 0.1);
            x.rod.end[1].tangent = withy_field_vector(0.8, 0.6, 0);
            x.problem.gravity = v3(0.4, -1, -2);
            withy_option n = {.name = "n", .number = row[m].n};
            withy_error err = {0};
            withy_static_report report;
            withy_study study = withy_study_default();
            study.problem = &x.problem, study.method = row[m].method;
            study.option = &n, study.option_count = 1;
            const withy_status status = withy_study_static(&study, &report, &err);
            if (turn && strcmp(row[m].method, "se3") == 0) { /* says that it cannot */
                CHECK(status == WITHY_UNSUPPORTED);
            } else {
                if (status != WITHY_OK) fail_msg("%s", err.text);
                const vec3 moment = report.point[0].reaction_moment[0];
                if (m == 0) expected = moment;
                CHECK_BELOW(v3_norm(v3_sub(moment, expected)), row[m].error * v3_norm(expected));
            }
            withy_static_free(&report);
        }
        CHECK_NEAR(expected.x, turn ? 0 : -0.7604047, 1e-6);
    }
}

TEST(a_method_without_twist_refuses_two_ends_that_hold_the_section_out_of_a_plane) {
    for (int k = 0; k < 3; k++) { /* a coil; one with an end that may turn; an arc */
        start_case x;
        soft(&x);
        x.rod.end[0] = x.rod.end[1] = (withy_end){.kind = WITHY_END_CLAMPED};
        if (k < 2)
            x.rod.initial = (withy_shape){
                .kind = WITHY_SHAPE_HELIX, .along = {0, 0, 1}, .radius = 0.2, .pitch = 0.3};
        if (k == 1) x.rod.end[1].turn = WITHY_TURN_FREE;
        withy_error err = {0};
        const withy_status status = start_once(&x.problem, "elastica", &err);
        CHECK(k == 0 ? status == WITHY_UNSUPPORTED : status == WITHY_OK);
        if (k == 0) CHECK(strstr(err.text, "hold the section against turning about the tangent"));
    }
}

static withy_status turning(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    out[0] = cos(t), out[1] = sin(t), out[2] = 0;
    return WITHY_OK;
}

/* The frame of a clamp whose tangent turns in a plane passes the opposite direction without a jump. */
TEST(a_tangent_that_turns_over_takes_the_section_along) {
    start_case x;
    soft(&x);
    x.rod.end[0].tangent = (withy_field){.size = 3, .call = turning};
    x.problem.request.stop = x.problem.request.output = 4.0;
    x.rod.damping_time = 0.1;
    withy_error err = {0};
    withy_option option[] = {{.name = "n", .number = 8}, {.name = "dt", .number = 0.04}};
    withy_sim *sim = NULL;
    CHECK_OK(withy_sim_create(&x.problem, "director", option, 2, &sim, &err));
    for (int k = 0; k <= 25; k++) {
        const double t = k * 0.16;
        CHECK_OK(withy_sim_advance(sim, t, &err));
        const withy_quat q = withy_sim_sample(sim, 0)->frame[0];
        const vec3 d3 = q_turn(q, v3(0, 0, 1)), d1 = q_turn(q, v3(1, 0, 0));
        CHECK_NEAR(d3.x, cos(t), 1e-9);
        CHECK_NEAR(d1.z, 0, 1e-9); /* d1 starts along y and stays in the plane */
        CHECK_NEAR(d1.x, -sin(t), 1e-9);
    }
    withy_sim_destroy(sim);
}

TEST(an_end_that_is_free_to_turn_is_not_reported_how_it_is_turned) {
    start_case x;
    soft(&x);
    x.rod.end[0].turn = WITHY_TURN_FREE;
    x.rod.end[0].normal = withy_field_vector(0, 1, 0);
    withy_error err = {0};
    CHECK(withy_problem_check(&x.problem, &err) == WITHY_BAD_INPUT);
    CHECK_TEXT(err.text, "ends.start: turn = \"free\" lets the section turn about the tangent and "
                         "normal says how it is turned; keep one");
}

static withy_status count_wave(void *context, double s, double t, double *out, withy_error *err) {
    (void)t, (void)err;
    ++*(long *)context;
    for (int d = 0; d < WITHY_STRAINS; d++) out[d] = d == WITHY_BEND2 ? 3 * cos(10 * s) : 0;
    return WITHY_OK;
}

/* What set-up costs next to the steps is the walk along the curve: 1024 parts of four strains; a second one, or one for
 * every node, would show. */
TEST(a_strain_function_is_walked_once_before_the_first_step_and_never_after_it) {
    static const char *const name[] = {"director", "se3", "fdtd", "cheb"};
    static const int nodes[] = {30, 100, 100, 16};
    for (int m = 0; m < 4; m++) {
        long calls = 0;
        withy_problem problem = withy_problem_default();
        withy_rod rod = withy_rod_default();
        withy_sim *sim;
        withy_error err = {0};
        const withy_option n = {.name = "n", .number = nodes[m]};
        rod.length = 0.1, rod.section.a = withy_field_number(0.01);
        rod.material = (withy_material){1e6, 1e6 / 3, 1000};
        rod.rest = (withy_shape){.kind = WITHY_SHAPE_STRAIGHT};
        rod.initial = (withy_shape){.kind = WITHY_SHAPE_STRAIN,
                                    .along = {0, 0, 1},
                                    .normal = {1, 0, 0},
                                    .strain = {.size = 6, .call = count_wave, .context = &calls}};
        rod.end[0].kind = WITHY_END_CLAMPED;
        problem.rod = &rod, problem.rod_count = 1;
        problem.request = (withy_request){.given = 1, .stop = 1e-3, .output = 1e-3, .stations = 5};
        CHECK_OK(withy_sim_create(&problem, name[m], &n, 1, &sim, &err));
        const long made = calls;
        CHECK_OK(withy_sim_advance(sim, 1e-3, &err));
        printf("%s: %ld calls before the first step, %ld after it\n", name[m], made, calls - made);
        CHECK(made <= 4096 + 15 * nodes[m] && calls == made);
        withy_sim_destroy(sim);
    }
}

RUN(test(a_start_that_misses_its_end_by_more_than_rounding_is_refused_by_all_six_methods),
    test(a_start_that_misses_its_end_by_rounding_is_moved_by_all_six_methods),
    test(a_band_held_longer_than_it_is_pulls_under_static_and_a_run_says_why_it_cannot_start),
    test(an_equilibrium_with_its_ends_elsewhere_is_no_start_of_a_motion),
    test(without_a_path_an_equilibrium_is_that_of_t_0_whatever_the_unit_of_time),
    test(a_problem_without_time_has_equilibria_and_modes_and_nothing_to_run),
    test(a_clamp_by_its_tangent_holds_the_section_and_one_that_is_free_to_turn_does_not),
    test(four_methods_agree_on_clamps_that_hold_the_section_and_on_clamps_that_do_not),
    test(a_method_without_twist_refuses_two_ends_that_hold_the_section_out_of_a_plane),
    test(a_tangent_that_turns_over_takes_the_section_along),
    test(an_end_that_is_free_to_turn_is_not_reported_how_it_is_turned),
    test(a_strain_function_is_walked_once_before_the_first_step_and_never_after_it))
