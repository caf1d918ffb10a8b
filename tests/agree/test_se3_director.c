/* se3 and director, two formulations without common code, on four problems: their tips differ by no
 * more than the sum of their errors, each taken as the change from a coarser run; slow under sanitizers. */
#include <math.h>

#include "check.h"
#include "se3_problems.h"

enum { TIMES = 5 };

typedef struct answer {
    withy_vec3 tip[TIMES];
    double error; /* largest change from the coarser run over all times */
} answer;

static void run(const withy_problem *problem, const char *method, const char *options,
                withy_vec3 tip[TIMES]) {
    withy_option option[16];
    withy_error err = {0};
    withy_sim *sim = NULL;
    CHECK_OK(
        withy_sim_create(problem, method, option, se3_options_of(options, option), &sim, &err));
    for (int k = 0; k < TIMES; k++) {
        CHECK_OK(withy_sim_advance(sim, problem->request.stop * (k + 1) / TIMES, &err));
        tip[k] = se3_tip(sim);
    }
    withy_sim_destroy(sim);
}

static answer solve(const withy_problem *problem, const char *method, const char *coarse,
                    const char *fine) {
    answer x = {.error = 0};
    withy_vec3 before[TIMES];
    run(problem, method, coarse, before);
    run(problem, method, fine, x.tip);
    for (int k = 0; k < TIMES; k++) x.error = worst_of(x.error, se3_distance(before[k], x.tip[k]));
    return x;
}

/* Both methods, refined together in space and time; limit guards against two poor answers. */
static void check_agreement(const withy_problem *problem, double limit) {
    const answer a = solve(problem, "se3", "n=100 dt=0.0005", "n=200 dt=0.00025");
    const answer b =
        solve(problem, "director", "n=4 degree=4 dt=0.0005", "n=8 degree=4 dt=0.00025");
    CHECK_BELOW(a.error + b.error, limit);
    for (int k = 0; k < TIMES; k++)
        CHECK_BELOW(se3_distance(a.tip[k], b.tip[k]), a.error + b.error);
}

TEST(they_agree_on_the_release_of_a_bent_rod) {
    (void)unused_state;
    const withy_rod rod = se3_rod(se3_shape_c, NULL);
    const withy_problem problem = se3_problem(&rod, 0.5, 0.1);
    check_agreement(&problem, 2e-4 * SE3_L);
}

TEST(they_agree_on_a_heavy_cantilever_let_go) {
    (void)unused_state;
    const withy_rod rod = se3_rod(NULL, NULL);
    withy_problem problem = se3_problem(&rod, 0.5, 0.1);
    problem.gravity = (withy_vec3){-9.81, 0, 0};
    check_agreement(&problem, 5e-4 * SE3_L);
}

/* The force grows smoothly: a jump would excite waves that neither resolves. */
static withy_status push(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    const double x = t < 0.2 ? t / 0.2 : 1;
    out[0] = 2 * SE3_EI / (SE3_L * SE3_L) * x * x * (3 - 2 * x), out[1] = 0, out[2] = 0;
    return WITHY_OK;
}

TEST(they_agree_on_a_follower_force) {
    (void)unused_state;
    withy_rod rod = se3_rod(NULL, NULL);
    rod.end[1].force = (withy_field){.size = 3, .call = push};
    rod.end[1].follower = 1;
    const withy_problem problem = se3_problem(&rod, 0.5, 0.1);
    check_agreement(&problem, 5e-4 * SE3_L);
}

TEST(they_agree_on_a_tip_mass_with_offset) {
    (void)unused_state;
    withy_rod rod = se3_rod(se3_shape_c, NULL);
    rod.end[1].mass = 7.853981633974483e-2 * SE3_L / 2;
    rod.end[1].offset = (withy_vec3){0.002, 0.003, 0.004};
    rod.end[1].inertia = (withy_vec3){2e-7, 1e-7, 1e-7};
    withy_problem problem = se3_problem(&rod, 0.5, 0.1);
    problem.gravity = (withy_vec3){0, -2, -3};
    check_agreement(&problem, 1e-3 * SE3_L);
}

static withy_vec3 middle(withy_sim *sim) {
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    return snap->position[snap->count / 2];
}

/* Clamped at both ends under its weight: sag, stretch, reactions. */
TEST(they_agree_on_a_rod_held_at_both_ends) {
    (void)unused_state;
    const char *method[2] = {"se3", "director"};
    const char *options[2] = {"n=200 scheme=rk4", "n=16 degree=4"};
    withy_vec3 at[2], push[2];
    for (int k = 0; k < 2; k++) {
        withy_rod rod = se3_rod(NULL, NULL);
        rod.end[1].kind = WITHY_END_CLAMPED;
        withy_problem problem = se3_problem(&rod, 1, 0.1);
        problem.gravity = (withy_vec3){-60, 20, 10};
        withy_option option[8];
        withy_error err = {0};
        withy_sim *sim = NULL;
        withy_equilibrium point;
        CHECK_OK(withy_sim_create(&problem, method[k], option, se3_options_of(options[k], option),
                                  &sim, &err));
        CHECK_OK(withy_sim_equilibrium(sim, 1, &point, &err));
        at[k] = middle(sim);
        push[k] = withy_sim_sample(sim, 0)->reaction[1];
        withy_sim_destroy(sim);
    }
    CHECK(fabs(at[0].x) > 1e-3);
    CHECK_BELOW(se3_distance(at[0], at[1]) / SE3_L, 1e-7);
    CHECK_BELOW(se3_distance(push[0], push[1]), 1e-7);
}

TEST(they_agree_on_equilibria) {
    (void)unused_state;
    for (int k = 0; k < SE3_STATICS; k++) {
        if (se3_statics[k].tendon > 0) continue;
        withy_error err = {0};
        withy_vec3 tip = {0}, force, moment;
        CHECK_OK(
            se3_solve_static(&se3_statics[k], "n=100 scheme=rk4", &tip, &force, &moment, &err));
        withy_rod rod = se3_rod(NULL, NULL);
        const se3_static_case *expected = &se3_statics[k];
        rod.end[1].force =
            withy_field_vector(expected->force * SE3_EI / (SE3_L * SE3_L) + expected->dead.x,
                               expected->dead.y, expected->dead.z);
        rod.end[1].moment = withy_field_vector(0, expected->moment * SE3_EI / SE3_L, 0);
        rod.end[1].follower = expected->follower;
        rod.end[1].mass = expected->mass;
        withy_problem problem = se3_problem(&rod, 1, 0.1);
        problem.gravity = expected->gravity;
        withy_sim *sim = NULL;
        withy_equilibrium at;
        withy_option option[4];
        CHECK_OK(withy_sim_create(&problem, "director", option,
                                  se3_options_of("n=16 degree=4", option), &sim, &err));
        CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
        CHECK_BELOW(se3_distance(tip, se3_tip(sim)) / SE3_L, 1e-7);
        withy_sim_destroy(sim);
    }
}

RUN(test(they_agree_on_the_release_of_a_bent_rod), test(they_agree_on_a_heavy_cantilever_let_go),
    test(they_agree_on_a_follower_force), test(they_agree_on_a_tip_mass_with_offset),
    test(they_agree_on_a_rod_held_at_both_ends), test(they_agree_on_equilibria))
