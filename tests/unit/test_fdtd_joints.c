/* Joined rods in fdtd: a weld leaves no trace, energy is kept, director agrees, and what is refused says why. */
#include <stdlib.h>

#include "base/base.h"
#include "base/vec.h"
#include "check.h"
#include "network_problems.h"
#include "study/sim.h"

static withy_sim *start(const network_problem *x, const char *method, const char *options) {
    withy_option option[16];
    withy_error err = {0};
    withy_sim *sim = NULL;
    CHECK_OK(withy_sim_create(&x->problem, method, option, director_parse(options, option, 16),
                              &sim, &err));
    return sim;
}

static void go(withy_sim *sim, double t) {
    withy_error err = {0};
    CHECK_OK(withy_sim_advance(sim, t, &err));
}

/* Where a place of a rod is. */
static vec3 place(withy_sim *sim, int rod, int at_finish) {
    const withy_snapshot *snap = withy_sim_sample(sim, rod);
    CHECK(snap != NULL);
    return snap->position[at_finish ? snap->count - 1 : 0];
}

/* ---- a rod made of pieces -------------------------------------------------------------------------- */

static withy_status swing(void *context, double s, double t, double *out, withy_error *err) {
    const double *way = context, x = way[0] + way[1] * s; /* along the whole rod */
    (void)t, (void)err;
    out[0] = 0, out[1] = way[2] * x * x, out[2] = x * x * x;
    return WITHY_OK;
}

static double along[8][3];

/* A soft cantilever of 1 m in `pieces`, every second one turned round; kick: out of its plane. */
static void pieces_of(network_problem *x, int pieces, int turned, double kick) {
    network_begin(x);
    network_times(x, 0.3, 0.3);
    x->problem.gravity = network_vec(0, 0, -9.81);
    for (int i = 0; i < pieces; i++) {
        const int back = turned && i % 2;
        const double a = (double)(i + back) / pieces, b = (double)(i + 1 - back) / pieces;
        withy_rod *rod =
            network_rod(x, network_vec(a, 0, 0), network_vec(b, 0, 0), 0.015, 1e6, 1000);
        rod->initial.normal = rod->rest.normal = network_vec(0, 0, 1);
        rod->section.kind = WITHY_SECTION_RECTANGLE, rod->section.b = withy_field_number(0.02);
        along[i][0] = a, along[i][1] = back ? -1 : 1, along[i][2] = kick;
        rod->velocity = (withy_field){.size = 3, .call = swing, .context = along[i]};
        rod->damping_time = 1e-5;
        if (i == 0) rod->end[0].kind = WITHY_END_CLAMPED;
    }
    for (int i = 1; i < pieces; i++) {
        const double l = x->rod[0].length;
        network_join(x, WITHY_JOINT_WELD, on_rod(i - 1, turned && (i - 1) % 2 ? 0 : l),
                     on_rod(i, turned && i % 2 ? l : 0));
    }
}

static vec3 tip_of(int pieces, int turned, double kick, const char *options) {
    network_problem x;
    pieces_of(&x, pieces, turned, kick);
    withy_sim *sim = start(&x, "fdtd", options);
    go(sim, 0.3);
    const vec3 tip = place(sim, pieces - 1, !(turned && pieces % 2 == 0));
    withy_sim_destroy(sim);
    return tip;
}

static double apart(vec3 a, vec3 b) {
    return v3_norm(v3_sub(a, b));
}

TEST(a_rod_welded_together_moves_in_a_plane_as_the_whole_rod_to_rounding) {
    const vec3 whole = tip_of(1, 0, 0, "n=32 dt=1e-4");
    CHECK_BELOW(apart(tip_of(2, 0, 0, "n=16 dt=1e-4"), whole), 1e-11);
    CHECK_BELOW(apart(tip_of(2, 1, 0, "n=16 dt=1e-4"), whole), 1e-11);
    CHECK_BELOW(apart(tip_of(8, 1, 0, "n=4 dt=1e-4"), whole), 1e-11);
}

/* In space the frame of a weld is where the moments balance, that of a node in the middle. */
TEST(and_in_space_as_the_whole_rod_to_a_higher_order_than_its_error) {
    double off[2];
    for (int i = 0; i < 2; i++) {
        const char *one = i ? "n=64 dt=2.5e-5" : "n=32 dt=5e-5";
        off[i] = apart(tip_of(4, 1, 1, i ? "n=16 dt=2.5e-5" : "n=8 dt=5e-5"), tip_of(1, 0, 1, one));
    }
    CHECK_BELOW(off[0], 1e-6);
    CHECK_BELOW(off[1], off[0] / 5.5); /* h^3: 8 in the limit */
}

/* ---- a joint inside a rod, at the ground, at a held end -------------------------------------------- */

/* A beam that two rods support from below: by a ball joint at mid-span, by a weld at the end. */
static void bench(network_problem *x) {
    network_begin(x);
    network_times(x, 0.2, 0.2);
    x->problem.gravity = network_vec(0, 1, -9.81);
    network_rod(x, network_vec(0, 0, 0), network_vec(1, 0, 0), 0.02, 1e6, 1000);
    network_rod(x, network_vec(0.5, 0, 0), network_vec(0.5, 0, -0.5), 0.02, 1e6, 1000);
    network_rod(x, network_vec(1, 0, 0), network_vec(1, 0, -0.5), 0.02, 1e6, 1000);
    for (int i = 0; i < 3; i++) x->rod[i].damping_time = 1e-3;
    network_join(x, WITHY_JOINT_BALL, on_rod(0, 0.5), on_rod(1, 0));
    network_join(x, WITHY_JOINT_WELD, on_rod(0, 1), on_rod(2, 0));
    network_join(x, WITHY_JOINT_WELD, on_ground(0.5, 0, -0.5), on_rod(1, 0.5));
    network_join(x, WITHY_JOINT_BALL, on_ground(1, 0, -0.5), on_rod(2, 0.5));
    network_join(x, WITHY_JOINT_WELD, on_rod(0, 0), on_ground(0, 0, 0));
}

/* fdtd with n and 2 n, and what it tends to with h^2, against director. */
TEST(joined_rods_move_as_in_director_and_their_joints_carry_the_same) {
    network_problem x;
    vec3 at[3][5], force[3][5], torque[3][5];
    static const char *const options[3] = {"n=16 dt=8e-5", "n=32 dt=4e-5", "n=8 dt=5e-4"};
    bench(&x);
    for (int k = 0; k < 3; k++) {
        withy_sim *sim = start(&x, k == 2 ? "director" : "fdtd", options[k]);
        go(sim, 0.2);
        const withy_joint_state *joint = withy_sim_parts(sim)->joint;
        for (int i = 0; i < 5; i++)
            at[k][i] = joint[i].place[1], force[k][i] = joint[i].force,
            torque[k][i] = joint[i].torque;
        withy_sim_destroy(sim);
    }
    for (int i = 0; i < 5; i++) {
        const vec3 limit = v3_axpy(at[1][i], 1. / 3, v3_sub(at[1][i], at[0][i]));
        CHECK_BELOW(apart(limit, at[2][i]), 0.05 * apart(at[0][i], at[2][i]) + 1e-12);
        CHECK_BELOW(apart(force[1][i], force[2][i]), 0.5 * apart(force[0][i], force[2][i]));
        CHECK_BELOW(apart(force[1][i], force[2][i]), 0.15 * v3_norm(force[2][i]));
        /* h^2 is 1/4; director's torque is that of this time and changes by 1e-4 of it with dt and n */
        CHECK_BELOW(apart(torque[1][i], torque[2][i]),
                    0.35 * apart(torque[0][i], torque[2][i]) + 1e-15);
        CHECK_BELOW(apart(torque[1][i], torque[2][i]), 0.08 * v3_norm(torque[2][i]) + 1e-15);
    }
}

/* A rod that is held by the ground, by its own end, or by the end of another. */
TEST(a_joint_to_the_ground_is_a_clamped_or_pinned_end) {
    static const withy_end_kind end[2] = {WITHY_END_PINNED, WITHY_END_CLAMPED};
    static const withy_joint_kind joint[2] = {WITHY_JOINT_BALL, WITHY_JOINT_WELD};
    for (int k = 0; k < 2; k++) {
        vec3 tip[2];
        for (int ground = 0; ground < 2; ground++) {
            network_problem x;
            network_begin(&x);
            network_times(&x, 0.1, 0.1);
            x.problem.gravity = network_vec(0, 0, -9.81);
            withy_rod *rod =
                network_rod(&x, network_vec(0, 0, 0), network_vec(1, 0, 0), 0.02, 1e6, 1000);
            if (!ground) rod->end[0].kind = end[k];
            if (ground) network_join(&x, joint[k], on_ground(0, 0, 0), on_rod(0, 0));
            withy_sim *sim = start(&x, "fdtd", "n=24 dt=1e-4");
            go(sim, 0.1);
            tip[ground] = place(sim, 0, 1);
            const withy_vec3 carried = ground ? withy_sim_parts(sim)->joint[0].force
                                              : withy_sim_sample(sim, 0)->reaction[0];
            CHECK(v3_norm(carried) > 0.1);
            withy_sim_destroy(sim);
        }
        CHECK_BELOW(apart(tip[0], tip[1]), k ? 1e-6 : 1e-13);
    }
}

/* ---- energy, momenta, the step --------------------------------------------------------------------- */

/* A free frame: three legs welded at a point, one of them carrying a chain on a ball joint. */
static void flyer(network_problem *x) {
    network_begin(x);
    network_times(x, 0.5, 0.5);
    const withy_vec3 tip[4] = {{0.4, 0, 0}, {0, 0.4, 0}, {0, 0, 0.4}, {0.4, 0.4, 0}};
    for (int i = 0; i < 4; i++) {
        const withy_vec3 from = i == 3 ? tip[0] : network_vec(0, 0, 0);
        withy_rod *rod = network_rod(x, from, tip[i], 0.01, 1e6, 1000);
        rod->spin = withy_field_vector(1, 2, 3);
        rod->velocity = withy_field_vector(1, 0.2 * i, 0); /* welded nodes take their mean */
    }
    network_join(x, WITHY_JOINT_WELD, on_rod(0, 0), on_rod(1, 0));
    network_join(x, WITHY_JOINT_WELD, on_rod(1, 0), on_rod(2, 0));
    x->rod[3].velocity = withy_field_vector(1, 0, 0);
    network_join(x, WITHY_JOINT_BALL, on_rod(0, 0.4), on_rod(3, 0));
}

TEST(free_joined_rods_keep_their_energy_as_one_rod_does_and_their_momentum_to_rounding) {
    network_problem x;
    double drift[2];
    flyer(&x);
    for (int half = 0; half < 2; half++) {
        withy_sim *sim = start(&x, "fdtd", half ? "n=12 dt=5e-5" : "n=12 dt=1e-4");
        const withy_vec3 p = withy_sim_sample(sim, 0)->momentum;
        const double l = v3_norm(withy_sim_sample(sim, 0)->angular_momentum);
        const withy_vec3 turn = withy_sim_sample(sim, 0)->angular_momentum;
        go(sim, 0.5);
        CHECK_BELOW(apart(withy_sim_sample(sim, 2)->momentum, p), 1e-12 * v3_norm(p));
        CHECK_BELOW(apart(withy_sim_sample(sim, 1)->angular_momentum, turn), 1e-4 * l);
        drift[half] = withy_sim_stats(sim).energy_drift;
        withy_sim_destroy(sim);
    }
    CHECK_BELOW(drift[0], 1e-4);
    CHECK_BELOW(drift[1], drift[0] / 3); /* a bound that the step sets */
}

/* Joints take motions away, so that the fastest is no faster than in a rod alone. */
TEST(joined_rods_are_stable_up_to_the_limit_of_their_rods) {
    static const char *const order[3] = {"n=18 order=2", "n=18 order=4", "n=18 order=6"};
    for (int k = 0; k < 3; k++) {
        network_problem x;
        flyer(&x);
        for (int i = 0; i < 2 && k > 0; i++) x.joint[i].kind = WITHY_JOINT_BALL;
        for (int i = 0; i < 3 && k > 0; i++) x.rod[i].velocity = withy_field_vector(1, 0, 0);
        withy_sim *sim = start(&x, "fdtd", order[k]); /* dt: 0.95 of the limit */
        go(sim, 0.5);
        CHECK_BELOW(withy_sim_stats(sim).energy_drift, 0.02);
        withy_sim_destroy(sim);
    }
}

/* ---- save and restore ------------------------------------------------------------------------------ */

TEST(joined_rods_continue_from_what_was_saved_bit_by_bit) {
    network_problem x;
    bench(&x);
    withy_error err = {0};
    withy_sim *sim = start(&x, "fdtd", "n=8"), *other = start(&x, "fdtd", "n=8");
    go(sim, 0.1);
    const size_t size = withy_sim_save_size(sim);
    void *saved = malloc(size);
    CHECK(saved != NULL);
    CHECK_OK(withy_sim_save(sim, saved, size, &err));
    CHECK_OK(withy_sim_restore(other, saved, size, &err));
    free(saved);
    go(sim, 0.2), go(other, 0.2);
    CHECK(withy_sim_hash(sim) == withy_sim_hash(other));
    withy_sim_destroy(sim), withy_sim_destroy(other);
}

/* ---- what is refused ------------------------------------------------------------------------------- */

static void refused(const network_problem *x, const char *options, const char *message) {
    withy_option option[16];
    withy_error err = {0};
    withy_sim *sim = NULL;
    CHECK(withy_sim_create(&x->problem, "fdtd", option, director_parse(options, option, 16), &sim,
                           &err) != WITHY_OK);
    if (!strstr(err.text, message)) CHECK_TEXT(err.text, message);
}

TEST(what_fdtd_cannot_join_is_refused_with_a_sentence_that_names_director) {
    network_problem x;
    bench(&x);
    x.joint[0].place[0].s = 0.45, x.rod[1].initial.from.x = 0.45;
    x.joint[2].place[0].at.x = 0.45;
    refused(&x, "n=16",
            "between two nodes of the rod (the nearest is at s = 0.4375); choose "
            "options.n so that a node is there, or use director");
    bench(&x);
    refused(&x, "n=16 order=4", "is inside a rod, for which fdtd has differences of order 2 only");
    flyer(&x);
    refused(&x, "n=20 order=6 scheme=literal", "the literal scheme does not support joints");
    bench(&x);
    x.joint[0].kind = WITHY_JOINT_HINGE, x.joint[0].axis = network_vec(0, 1, 0);
    refused(&x, "n=16",
            "fdtd: does not support joints other than welds and ball joints; use director");
    bench(&x);
    x.rod[1].initial.from.z = -0.1, x.joint[0].kind = WITHY_JOINT_WELD;
    x.joint[2].place[0].at.z = -0.6;
    refused(&x, "n=16",
            "its places are 0.1 m apart, and welded nodes must be one point; move a part "
            "so that they meet, or use director");
    bench(&x);
    network_body(&x, 1, network_vec(1, 1, 1), network_vec(0, 0, 1));
    refused(&x, "n=16", "fdtd: does not support bodies; use director");
    bench(&x);
    x.rod[0].settled = 1;
    refused(&x, "n=16",
            "a start from the equilibrium of joined rods is not computed; use director");
}

TEST(equilibria_and_modes_of_joined_rods_are_refused_with_a_sentence) {
    network_problem x;
    withy_error err = {0};
    withy_equilibrium point;
    bench(&x);
    withy_sim *sim = start(&x, "fdtd", "n=8");
    CHECK(withy_sim_rest(sim, 1, &point, &err) == WITHY_UNSUPPORTED);
    CHECK(
        strstr(err.text, "fdtd: statics and modes of joined rods are not computed; use director"));
    withy_sim_destroy(sim);
}

RUN(test(a_rod_welded_together_moves_in_a_plane_as_the_whole_rod_to_rounding),
    test(and_in_space_as_the_whole_rod_to_a_higher_order_than_its_error),
    test(joined_rods_move_as_in_director_and_their_joints_carry_the_same),
    test(a_joint_to_the_ground_is_a_clamped_or_pinned_end),
    test(free_joined_rods_keep_their_energy_as_one_rod_does_and_their_momentum_to_rounding),
    test(joined_rods_are_stable_up_to_the_limit_of_their_rods),
    test(joined_rods_continue_from_what_was_saved_bit_by_bit),
    test(what_fdtd_cannot_join_is_refused_with_a_sentence_that_names_director),
    test(equilibria_and_modes_of_joined_rods_are_refused_with_a_sentence))
