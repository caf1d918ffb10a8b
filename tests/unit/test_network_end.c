/* Ends of rods where a joint is, and rotating frames of networks: as for one rod. */
#include <math.h>

#include "check.h"
#include "se3_problems.h"

/* The notes' rod with an end mass (kind 0), or with a body welded to that end instead (kind 1), or in two welded
 * halves (kind 2). */
typedef struct set {
    withy_rod rod[2];
    withy_joint joint;
    withy_body body;
    withy_problem problem;
} set;

static const double MASS = 0.004;
static const withy_vec3 INERTIA = {2e-7, 3e-7, 1e-7};

/* which: the end with the mass. */
static void make(set *x, int kind, int which) {
    memset(x, 0, sizeof *x);
    for (int i = 0; i < 2; i++) x->rod[i] = se3_rod(NULL, NULL);
    x->problem = se3_problem(x->rod, 0.2, 0.2);
    if (kind == 0 && which >= 0) {
        x->rod[0].end[which].mass = MASS;
        x->rod[0].end[which].inertia = INERTIA;
    }
    if (kind == 0) return;
    x->problem.joint = &x->joint, x->problem.joint_count = 1;
    x->joint.kind = WITHY_JOINT_WELD;
    if (kind == 1) {
        x->body = (withy_body){.mass = MASS, .inertia = INERTIA, .frame = {1, 0, 0, 0}};
        x->body.position.z = which ? SE3_L : 0;
        x->problem.body = &x->body, x->problem.body_count = 1;
        x->joint.place[0].s = which ? SE3_L : 0;
        x->joint.place[1].part = WITHY_PART_BODY;
        return;
    }
    x->problem.rod_count = 2;
    for (int i = 0; i < 2; i++) x->rod[i].length = SE3_L / 2;
    x->rod[0].end[1].kind = x->rod[1].end[0].kind = WITHY_END_FREE;
    x->rod[1].initial.from = x->rod[1].rest.from = (withy_vec3){0, 0, SE3_L / 2};
    x->joint.place[0].s = SE3_L / 2, x->joint.place[1].index = 1;
}

static withy_sim *start(const set *x, int kind) {
    withy_option option[16];
    withy_error err = {0};
    withy_sim *sim = NULL;
    const int count = se3_options_of(kind == 2 ? "n=3 dt=0.005" : "n=6 dt=0.005", option);
    CHECK_OK(withy_sim_create(&x->problem, "director", option, count, &sim, &err));
    return sim;
}

static withy_vec3 point(withy_sim *sim, int rod, int last) {
    const withy_snapshot *snap = withy_sim_sample(sim, rod);
    return snap->position[last ? snap->count - 1 : snap->count / 2];
}

/* Both ways of writing the end `which`, in statics or in motion: positions and reactions. */
static void same(set pair[2], int which, int moves) {
    withy_vec3 at[2][2], force[2], moment[2];
    for (int kind = 0; kind < 2; kind++) {
        withy_error err = {0};
        withy_equilibrium found;
        withy_sim *sim = start(&pair[kind], kind);
        if (moves)
            CHECK_OK(withy_sim_advance(sim, 0.2, &err));
        else
            CHECK_OK(withy_sim_equilibrium(sim, 1, &found, &err));
        CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-10);
        for (int k = 0; k < 2; k++) at[kind][k] = point(sim, 0, k);
        const withy_snapshot *snap = withy_sim_sample(sim, 0);
        force[kind] = snap->reaction[which], moment[kind] = snap->reaction_moment[which];
        withy_sim_destroy(sim);
    }
    for (int k = 0; k < 2; k++) CHECK_BELOW(se3_distance(at[0][k], at[1][k]), 1e-9 * SE3_L);
    const double scale = SE3_EI / (SE3_L * SE3_L);
    CHECK_BELOW(se3_distance(force[0], force[1]) / scale, 1e-7);
    CHECK_BELOW(se3_distance(moment[0], moment[1]) / (scale * SE3_L), 1e-7);
    CHECK(fabs(at[0][0].x) > 1e-5); /* and it moves */
}

TEST(a_guided_or_rolling_end_with_a_body_is_the_end_with_a_mass) {
    (void)unused_state;
    for (int kind = 0; kind < 3; kind++)
        for (int moves = 0; moves < 2; moves++) {
            set pair[2];
            for (int i = 0; i < 2; i++) {
                make(&pair[i], i, 1);
                withy_end *end = &pair[i].rod[0].end[1];
                end->kind = kind ? WITHY_END_GUIDED : WITHY_END_ROLLER;
                if (kind == 0) end->along = (withy_vec3){0, 0, 1};
                if (kind == 2) end->turn = WITHY_TURN_FREE;
                end->force = withy_field_vector(kind ? 0.03 : 0, 0.01, kind ? 0 : 0.02);
                pair[i].problem.gravity = (withy_vec3){-9.81, 2, 1};
            }
            same(pair, 1, moves);
        }
}

static withy_status velocity(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    out[0] = 0.1 * sin(20 * t), out[1] = 0.05 * t, out[2] = 0;
    return WITHY_OK;
}

TEST(an_end_driven_by_its_rates_with_a_body_moves_as_without) {
    (void)unused_state;
    for (int kind = 0; kind < 3; kind++) {
        set pair[2];
        for (int i = 0; i < 2; i++) {
            make(&pair[i], i, 0);
            withy_end *end = &pair[i].rod[0].end[0];
            if (kind == 2) end->kind = WITHY_END_PINNED;
            withy_field *rate = kind == 1 ? &end->acceleration : &end->velocity;
            *rate = (withy_field){.size = 3, .call = velocity};
            if (kind == 1) end->spin = withy_field_vector(0, 3, 0);
        }
        same(pair, 0, 1);
    }
}

static withy_status leaning(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    const double a = 0.3 * t * t / 0.04;
    out[0] = sin(a), out[1] = 0, out[2] = cos(a);
    return WITHY_OK;
}

static withy_status whirl(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    out[0] = 0, out[1] = 20 * t, out[2] = 5 * t;
    return WITHY_OK;
}

TEST(an_end_that_is_turned_but_not_held_in_its_place_turns_its_body_with_it) {
    (void)unused_state;
    for (int kind = 0; kind < 2; kind++) {
        set pair[2];
        for (int i = 0; i < 2; i++) {
            make(&pair[i], i, 1);
            withy_end *end = &pair[i].rod[0].end[1];
            end->kind = WITHY_END_GUIDED;
            if (kind)
                end->spin = (withy_field){.size = 3, .call = whirl};
            else
                end->tangent = (withy_field){.size = 3, .call = leaning};
            pair[i].problem.gravity = (withy_vec3){-1, 2, 1};
        }
        same(pair, 1, 1);
    }
}

/* A blade that turns about x through a point next to it, with a mass at the tip. */
TEST(a_rotating_rod_of_two_halves_has_the_shape_and_the_modes_of_the_rod) {
    (void)unused_state;
    double hz[2][6];
    withy_vec3 tip[2];
    for (int kind = 0; kind < 3; kind += 2) {
        set x;
        withy_error err = {0};
        withy_equilibrium found;
        withy_mode *mode;
        make(&x, kind, -1);
        x.rod[kind / 2].end[1].mass = MASS;
        x.problem.rotating =
            (withy_rotating){.given = 1, .spin = {9, 0, 0}, .about = {0, 0.02, -0.05}};
        withy_sim *sim = start(&x, kind);
        CHECK_OK(withy_sim_equilibrium(sim, 1, &found, &err));
        tip[kind / 2] = point(sim, kind / 2, 1);
        CHECK_OK(withy_sim_modes(sim, 6, &mode, &err));
        for (int i = 0; i < 6; i++) hz[kind / 2][i] = mode[i].frequency;
        withy_modes_free(mode, 6);
        withy_sim_destroy(sim);
    }
    CHECK_BELOW(se3_distance(tip[0], tip[1]), 1e-9 * SE3_L);
    CHECK(fabs(tip[0].y) > 1e-4);
    for (int i = 0; i < 6; i++) CHECK_NEAR(hz[0][i] / hz[1][i], 1, 1e-8);
}

RUN(test(a_guided_or_rolling_end_with_a_body_is_the_end_with_a_mass),
    test(an_end_driven_by_its_rates_with_a_body_moves_as_without),
    test(an_end_that_is_turned_but_not_held_in_its_place_turns_its_body_with_it),
    test(a_rotating_rod_of_two_halves_has_the_shape_and_the_modes_of_the_rod))
