/* Rods, bodies and joints in motion: known motions, and what is conserved. */
#include <stdlib.h>

#include "check.h"
#include "network_fixture.h"
#include "network_golden.h"
#include "study/sim.h"

/* ---- double pendulum --------------------------------------------------------------------------- */

static const double TIP[3] = {-1.66211514, 0, -1.04146664}; /* at t = 1, by an ODE solver */

static double pendulum_error(const char *options, withy_stats *stats) {
    network_problem x;
    golden_rigid_pendulum(&x);
    withy_sim *sim = start(&x, options);
    go(sim, 1);
    const withy_parts *parts = withy_sim_parts(sim);
    CHECK(parts != NULL);
    const vec3 tip = v3_add(parts->body[1].position, q_turn(parts->body[1].frame, v3(0.5, 0, 0)));
    *stats = withy_sim_stats(sim);
    withy_sim_destroy(sim);
    return v3_norm(v3_sub(tip, v3_from(TIP)));
}

TEST(a_rigid_double_pendulum_converges_to_the_solution_of_its_ode) {
    withy_stats stats;
    const double coarse = pendulum_error("dt=0.01", &stats);
    CHECK_NEAR(coarse, 8.05e-4, 0.02e-4);
    CHECK_BELOW(stats.energy_drift, 1e-11);
    CHECK_BELOW(stats.constraint_max, 1e-13);
    CHECK_NEAR(pendulum_error("dt=0.005", &stats), 2.01e-4, 0.01e-4);
    CHECK_BELOW(pendulum_error("dt=0.0025 order=4", &stats), 1.2e-8);
}

static vec3 last_of(withy_sim *sim, int rod) {
    const withy_snapshot *now = withy_sim_sample(sim, rod);
    CHECK(now != NULL);
    return now->position[now->count - 1];
}

static double flexible_error(double young) {
    network_problem x;
    golden_flexible_pendulum(&x, young);
    withy_sim *sim = start(&x, "n=2 degree=3 dt=0.0025 order=4");
    go(sim, 1);
    const double error = v3_norm(v3_sub(last_of(sim, 1), v3_from(TIP)));
    CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-11);
    withy_sim_destroy(sim);
    return error;
}

TEST(a_flexible_double_pendulum_comes_near_the_rigid_one_as_it_stiffens) {
    CHECK_NEAR(1e9 * flexible_error(1e9), 1e6, 0.15e6); /* as 1/E */
    CHECK_NEAR(1e10 * flexible_error(1e10), 1e6, 0.15e6);
}

/* ---- one rod or many ----------------------------------------------------------------------------- */

/* A cantilever that swings from a pull at its end, cut into pieces that are welded again. */
static vec3 welded(int pieces, int turned, withy_stats *stats) {
    network_problem x;
    double length[8];
    network_begin(&x);
    network_times(&x, 0.2, 0.2);
    x.problem.gravity = network_vec(0.3, -1, -9.81);
    for (int i = 0; i < pieces; i++) {
        const double a = 0.8 * i / pieces, b = 0.8 * (i + 1) / pieces;
        const int back = turned && i % 2;
        withy_rod *rod = network_rod(&x, network_vec(back ? b : a, 0, 0),
                                     network_vec(back ? a : b, 0, 0), 0.01, 1e7, 1000);
        length[i] = rod->length;
        if (i == 0) rod->end[0].kind = WITHY_END_CLAMPED;
    }
    for (int i = 0; i + 1 < pieces; i++)
        network_join(&x, WITHY_JOINT_WELD, on_rod(i, turned && i % 2 ? 0 : length[i]),
                     on_rod(i + 1, turned && (i + 1) % 2 ? length[i + 1] : 0));
    char options[64];
    snprintf(options, sizeof options, "n=%d degree=2 dt=0.004", 24 / pieces);
    withy_sim *sim = start(&x, options);
    go(sim, 0.2);
    const int end = turned && (pieces - 1) % 2 ? 0 : 1;
    const withy_snapshot *now = withy_sim_sample(sim, pieces - 1);
    const vec3 tip = now->position[end ? now->count - 1 : 0];
    *stats = withy_sim_stats(sim);
    withy_sim_destroy(sim);
    return tip;
}

TEST(a_rod_welded_together_from_2_3_or_8_parts_moves_as_one) {
    withy_stats stats;
    const vec3 one = welded(1, 0, &stats);
    CHECK(one.z < -0.05);
    for (int k = 0; k < 6; k++) {
        const int pieces[3] = {2, 3, 8};
        const vec3 many = welded(pieces[k % 3], k / 3, &stats);
        CHECK_BELOW(v3_norm(v3_sub(many, one)), 1e-12);
        CHECK_BELOW(stats.energy_drift, 1e-11);
    }
}

/* A light spring to the ground in the middle of a rod cuts it in two segments, and changes nothing. */
TEST(a_joint_inside_a_rod_cuts_it_without_a_change) {
    vec3 tip[3];
    for (int k = 0; k < 3; k++) {
        network_problem x;
        network_begin(&x);
        network_times(&x, 0.2, 0.2);
        x.problem.gravity = network_vec(0, 0, -9.81);
        withy_rod *rod =
            network_rod(&x, network_vec(0, 0, 0), network_vec(0.8, 0, 0), 0.01, 1e7, 1000);
        rod->end[0].kind = WITHY_END_CLAMPED;
        const double s[3] = {0.4, 0.2, 0.6};
        for (int i = 0; i < 2 * k; i++)
            network_join(&x, WITHY_JOINT_SPRING, on_ground(s[i % 3], 0, 0), on_rod(0, s[i % 3]))
                ->stretch.x = 1e-300;
        withy_sim *sim = start(&x, "n=8 degree=3 dt=0.004");
        go(sim, 0.2);
        tip[k] = last_of(sim, 0);
        withy_sim_destroy(sim);
    }
    CHECK(tip[0].z < -0.05);
    for (int k = 1; k < 3; k++) CHECK_BELOW(v3_norm(v3_sub(tip[k], tip[0])), 1e-13);
}

/* ---- free flight ------------------------------------------------------------------------------------ */

typedef struct drift {
    double energy, momentum, spin, gap;
} drift;

static drift fly(const network_problem *x, const char *options, double dt, int steps) {
    withy_sim *sim = start(x, options);
    const withy_snapshot first = *withy_sim_sample(sim, 0);
    drift worst = {0};
    for (int k = 1; k <= steps; k++) {
        go(sim, k * dt);
        if (k % 20 && k < steps) continue;
        const withy_snapshot *now = withy_sim_sample(sim, 0);
        worst.momentum = worst_of(worst.momentum, v3_norm(v3_sub(now->momentum, first.momentum)) /
                                                      v3_norm(first.momentum));
        worst.spin =
            worst_of(worst.spin, v3_norm(v3_sub(now->angular_momentum, first.angular_momentum)) /
                                     v3_norm(first.angular_momentum));
    }
    const withy_stats stats = withy_sim_stats(sim);
    worst.energy = stats.energy_drift, worst.gap = stats.constraint_max;
    CHECK(stats.conserves == 1);
    withy_sim_destroy(sim);
    return worst;
}

TEST(a_satellite_with_flexible_arms_keeps_energy_and_momenta_at_any_step) {
    const double dt[3] = {1e-3, 1e-2, 1e-1};
    for (int k = 0; k < 3; k++) {
        network_problem x;
        char options[64];
        golden_satellite(&x);
        network_times(&x, 200 * dt[k], 200 * dt[k]);
        snprintf(options, sizeof options, "n=2 degree=3 dt=%g", dt[k]);
        const drift d = fly(&x, options, dt[k], 200);
        CHECK_BELOW(d.energy, 1e-11);
        CHECK_BELOW(d.momentum, 1e-10);
        CHECK_BELOW(d.spin, 1e-10);
    }
}

TEST(a_free_network_with_every_kind_of_joint_keeps_energy_momenta_and_constraints) {
    const struct {
        double dt;
        int steps;
        const char *mesh;
    } run[4] = {{1e-4, 300, "n=1 degree=3"},
                {1e-3, 600, "n=2 degree=1"},
                {1e-2, 300, "n=1 degree=3"},
                {5e-2, 40, "n=1 degree=3"}};
    for (int k = 0; k < 4; k++) {
        network_problem x;
        char options[64];
        const char *given = getenv("WITHY_TEST_STEPS"); /* 2000: a minute */
        const int steps = given ? atoi(given) : run[k].steps;
        golden_all_kinds(&x);
        network_times(&x, steps * run[k].dt, steps * run[k].dt);
        snprintf(options, sizeof options, "%s dt=%g", run[k].mesh, run[k].dt);
        const drift d = fly(&x, options, run[k].dt, steps);
        if (given)
            print_message("dt %g, %d steps: energy %.1e, momenta %.1e %.1e, constraints %.1e\n",
                          run[k].dt, steps, d.energy, d.momentum, d.spin, d.gap);
        CHECK_BELOW(d.energy, 1e-11);
        CHECK_BELOW(d.momentum, 1e-10);
        CHECK_BELOW(d.spin, 1e-10);
        CHECK_BELOW(d.gap, 1e-13);
    }
}

TEST(energies_of_rods_bodies_and_joints_add_up_to_that_of_the_network) {
    network_problem x;
    golden_all_kinds(&x);
    x.problem.gravity = network_vec(1, 2, -9.81);
    network_times(&x, 0.1, 0.1);
    withy_sim *sim = start(&x, "n=1 degree=3 dt=0.005");
    go(sim, 0.1);
    const withy_parts *parts = withy_sim_parts(sim);
    double sum = parts->kinetic + parts->gravity + parts->springs;
    for (int i = 0; i < x.problem.rod_count; i++) {
        const withy_energies e = withy_sim_sample(sim, i)->energy;
        sum += e.kinetic + e.shear + e.stretch + e.bend + e.twist + e.gravity;
    }
    CHECK_NEAR(sum, withy_sim_stats(sim).energy_end, 1e-11 * withy_sim_stats(sim).energy_scale);
    withy_sim_destroy(sim);
}

/* With dampers in the hinge, the slider and the springs the energy falls and the momenta stay. */
TEST(dampers_of_joints_take_energy_and_no_momentum) {
    network_problem x;
    golden_all_kinds(&x);
    for (int i = 0; i < x.problem.joint_count; i++) {
        withy_joint *j = &x.joint[i];
        if (j->kind == WITHY_JOINT_HINGE || j->kind == WITHY_JOINT_SLIDER) j->damping = 0.5;
        if (j->kind == WITHY_JOINT_LINK && j->spring > 0) j->damping = 0.5;
        if (j->kind != WITHY_JOINT_SPRING) continue;
        j->stretch_damping = network_vec(1, 1, 1), j->turn_damping = network_vec(0.1, 0.1, 0.1);
    }
    network_times(&x, 1, 1);
    withy_sim *sim = start(&x, "n=1 degree=3 dt=0.005");
    const withy_snapshot first = *withy_sim_sample(sim, 0);
    double before = withy_sim_stats(sim).energy_end, lost = 0;
    for (int k = 1; k <= 200; k++) {
        go(sim, 0.005 * k);
        const withy_snapshot *now = withy_sim_sample(sim, 0);
        const double energy = withy_sim_stats(sim).energy_end;
        CHECK(energy <= before + 1e-12);
        CHECK(now->dissipated >= lost);
        before = energy, lost = now->dissipated;
        CHECK_BELOW(v3_norm(v3_sub(now->momentum, first.momentum)), 1e-11);
        CHECK_BELOW(v3_norm(v3_sub(now->angular_momentum, first.angular_momentum)), 1e-10);
    }
    CHECK(lost > 0.1);
    CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-11);
    withy_sim_destroy(sim);
}

/* ---- mechanisms ----------------------------------------------------------------------------------- */

static withy_status crank_angle(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    *out = 2 * t * t / (1 + t);
    return WITHY_OK;
}

static vec3 rocker_end(withy_sim *sim, const network_problem *x) {
    const withy_parts *parts = withy_sim_parts(sim);
    CHECK(parts != NULL);
    const vec3 arm = v3_sub(x->body[1].position, v3(1, 0, 0));
    return v3_add(parts->body[1].position, q_turn(parts->body[1].frame, arm));
}

TEST(a_driven_four_bar_follows_its_kinematics_and_the_drive_pays_for_it) {
    for (int rigid = 0; rigid < 2; rigid++) {
        network_problem x;
        golden_four_bar(&x, rigid, 2e11);
        withy_joint *drive = &x.joint[x.problem.joint_count - 1];
        drive->drive = (withy_field){.size = 1, .call = crank_angle};
        network_times(&x, 1.5, 1.5);
        withy_sim *sim = start(&x, "n=2 degree=3 dt=0.002");
        go(sim, 1.5);
        const double angle = 0.4 + 2 * 1.5 * 1.5 / 2.5;
        const vec3 a = v3(0.3 * cos(angle), 0.3 * sin(angle), 0);
        const vec3 expected = golden_meet(a, 1, v3(1, 0, 0), 0.7);
        CHECK_BELOW(v3_norm(v3_sub(rocker_end(sim, &x), expected)), rigid ? 1e-12 : 2e-6);
        const withy_parts *parts = withy_sim_parts(sim);
        CHECK_NEAR(parts->joint[x.problem.joint_count - 1].angle, angle - 0.4, 1e-13);
        const withy_stats stats = withy_sim_stats(sim);
        CHECK_BELOW(stats.energy_drift, 1e-10);
        CHECK_BELOW(stats.constraint_max, 1e-12);
        withy_sim_destroy(sim);
    }
}

/* Once the crank is let go nothing works on it. */
TEST(a_rigid_four_bar_with_three_constraints_too_many_keeps_its_energy) {
    network_problem x;
    golden_four_bar(&x, 1, 0);
    x.problem.gravity = network_vec(0, -9.81, 0);
    network_times(&x, 2, 2);
    withy_sim *sim = start(&x, "dt=0.002");
    go(sim, 2);
    const withy_stats stats = withy_sim_stats(sim);
    CHECK_BELOW(stats.energy_drift, 1e-10);
    CHECK_BELOW(stats.constraint_max, 1e-12);
    CHECK(stats.iterations < 4 * stats.steps);
    withy_sim_destroy(sim);
}

TEST(a_slider_crank_stays_on_its_line_and_on_its_kinematics) {
    network_problem x;
    golden_slider_crank(&x);
    network_times(&x, 2, 2);
    withy_sim *sim = start(&x, "n=2 degree=3 dt=0.001");
    go(sim, 2);
    const withy_parts *parts = withy_sim_parts(sim);
    const double a = parts->joint[0].angle, y = 0.3 * sin(a);
    CHECK(a > 6.5); /* it has turned more than once */
    CHECK_NEAR(parts->body[1].position.x, 0.3 * cos(a) + sqrt(0.81 - y * y), 2e-7);
    CHECK_NEAR(parts->joint[3].travel, parts->body[1].position.x - 1.2, 1e-13);
    CHECK_BELOW(hypot(parts->body[1].position.y, parts->body[1].position.z), 1e-13);
    CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-11);
    withy_sim_destroy(sim);
}

/* Simo and Vu-Quoc 1988: a right angle of two legs, pulled out of its plane at the elbow. */
TEST(the_dynamic_right_angle_cantilever_moves_as_in_the_literature) {
    SLOW_UNDER_SANITIZERS; /* rods welded together of parts have the same joints */
    network_problem x;
    golden_cantilever(&x);
    network_times(&x, 5, 1);
    withy_sim *sim = start(&x, "n=5 degree=4 dt=0.0125 order=4");
    const double expected[2][3] = {{2, 4.11525, 0.06926}, {5, 3.11142, 5.47940}};
    for (int k = 0; k < 2; k++) {
        go(sim, expected[k][0]);
        CHECK_NEAR(last_of(sim, 0).z, expected[k][1], 2e-5);
        CHECK_NEAR(last_of(sim, 1).z, expected[k][2], 2e-5);
    }
    CHECK_NEAR(withy_sim_stats(sim).energy_end, 114.8803, 2e-4);
    CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-11);
    withy_sim_destroy(sim);
}

/* A point of the ground that accelerates at g is gravity the other way. */
static withy_status falling(void *context, double s, double t, double *out, withy_error *err) {
    (void)s, (void)err;
    const double *from = context;
    out[0] = from[0], out[1] = from[1], out[2] = from[2] + 0.5 * 9.81 * t * t;
    return WITHY_OK;
}

TEST(an_accelerated_point_of_the_ground_acts_as_gravity) {
    const withy_joint_kind kind[3] = {WITHY_JOINT_BALL, WITHY_JOINT_LINK, WITHY_JOINT_LINK};
    for (int k = 0; k < 3; k++) {
        vec3 at[2];
        for (int moving = 0; moving < 2; moving++) {
            network_problem x;
            double from[3] = {k ? -0.3 : 0, 0, k ? 0.4 : 0};
            network_begin(&x);
            network_rod(&x, v3(0, 0, 0), v3(1, 0, 0), 0.02, 1e7, 1000);
            withy_place ground = on_ground(from[0], from[1], from[2]);
            if (moving) ground.path = (withy_field){.size = 3, .call = falling, .context = from};
            withy_joint *j = network_join(&x, kind[k], ground, on_rod(0, 0));
            if (k == 2) j->spring = 300;
            if (!moving) x.problem.gravity = network_vec(0, 0, -9.81);
            network_times(&x, 0.6, 0.6);
            withy_sim *sim = start(&x, "n=2 degree=3 dt=0.002");
            go(sim, 0.6);
            at[moving] = last_of(sim, 0);
            CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-11);
            withy_sim_destroy(sim);
        }
        at[1].z -= 0.5 * 9.81 * 0.36;
        CHECK_BELOW(v3_norm(v3_sub(at[0], at[1])), 1e-11);
    }
}

/* ---- state ------------------------------------------------------------------------------------------- */

TEST(the_state_of_a_network_is_all_that_is_kept) {
    static network_problem x;
    withy_error err = {0};
    golden_all_kinds(&x);
    network_times(&x, 0.4, 0.1);
    withy_sim *one = start(&x, "n=1 degree=3 dt=0.01"), *two = start(&x, "n=1 degree=3 dt=0.01");
    wy_sim_overwrite_scratch(two);
    for (int k = 1; k <= 20; k++) {
        go(one, 0.01 * k), go(two, 0.01 * k);
        wy_sim_overwrite_scratch(two);
        CHECK(withy_sim_hash(one) == withy_sim_hash(two));
    }
    const size_t size = withy_sim_save_size(one);
    void *saved = malloc(size);
    CHECK_OK(withy_sim_save(one, saved, size, &err));
    go(one, 0.4);
    CHECK_OK(withy_sim_restore(two, saved, size, &err));
    wy_sim_overwrite_scratch(two);
    go(two, 0.4);
    CHECK(withy_sim_hash(one) == withy_sim_hash(two));
    free(saved);
    withy_sim_destroy(one), withy_sim_destroy(two);
}

/* ---- order ------------------------------------------------------------------------------------------- */

TEST(the_order_in_which_rods_and_joints_are_listed_changes_nothing) {
    static network_problem x, y;
    golden_satellite(&x);
    golden_satellite(&y);
    const int turned[4] = {2, 0, 3, 1};
    for (int i = 0; i < 4; i++) y.rod[turned[i]] = x.rod[i];
    for (int i = 0; i < 4; i++) y.rod[i].velocity.context = &y.rod[i];
    for (int i = 0; i < 5; i++) {
        y.joint[4 - i] = x.joint[i];
        for (int s = 0; s < 2; s++)
            if (x.joint[i].place[s].part == WITHY_PART_ROD)
                y.joint[4 - i].place[s].index = turned[x.joint[i].place[s].index];
    }
    network_times(&x, 0.5, 0.5), network_times(&y, 0.5, 0.5);
    withy_sim *one = start(&x, "n=2 degree=3 dt=0.005"), *two = start(&y, "n=2 degree=3 dt=0.005");
    go(one, 0.5), go(two, 0.5);
    for (int i = 0; i < 4; i++)
        CHECK_BELOW(v3_norm(v3_sub(last_of(one, i), last_of(two, turned[i]))), 1e-12);
    withy_sim_destroy(one), withy_sim_destroy(two);
}

/* ---- what cannot be ------------------------------------------------------------------------------------ */

static void refused(const network_problem *x, const char *options, const char *words) {
    withy_error err = {0};
    withy_sim *sim = NULL;
    CHECK(network_start(x, options, &sim, &err) != WITHY_OK);
    if (!strstr(err.text, words)) fail_msg("got \"%s\", want \"%s\"", err.text, words);
    withy_sim_destroy(sim);
}

TEST(networks_that_cannot_be_are_refused_with_the_names_of_their_parts) {
    static network_problem x;
    golden_rigid_pendulum(&x);
    x.body[0].name = "upper", x.body[1].name = "lower";
    network_join(&x, WITHY_JOINT_WELD, on_body(0, 0.5, 0, 0), on_body(1, -0.5, 0, 0));
    refused(&x, "dt=0.01", "lower): its two parts are welded together already");
    golden_rigid_pendulum(&x);
    network_join(&x, WITHY_JOINT_WELD, on_ground(0.5, 0, 0), on_body(0, 0, 0, 0))->name = "stop";
    refused(&x, "dt=0.01", "both of its parts are held already");
    golden_rigid_pendulum(&x);
    network_join(&x, WITHY_JOINT_LINK, on_body(0, 0.5, 0, 0), on_body(1, -0.5, 0, 0));
    refused(&x, "dt=0.01", "use a ball joint");
}

TEST(without_a_step_a_network_is_right_to_its_tolerance) {
    withy_stats stats;
    CHECK_BELOW(pendulum_error("tol=1e-2", &stats), 3e-2);
    CHECK(stats.steps < 200);
    CHECK_BELOW(pendulum_error("tol=1e-3", &stats), 3e-3);
    CHECK_BELOW(pendulum_error("tol=1e-5", &stats), 3e-5);
    CHECK_BELOW(stats.energy_drift, 1e-11);
    CHECK_BELOW(stats.constraint_max, 1e-13);
}

/* 5e-3 N m s on 0.1 kg m^2, within a thousandth of the motion. */
TEST(without_a_step_a_pulse_of_torque_in_a_hinge_is_not_stepped_over) {
    static const double pulse[] = {0, 0, 0.5, 0, 0.5005, 10, 0.501, 0, 1, 0};
    static network_problem x;
    network_begin(&x);
    network_times(&x, 1, 1);
    network_body(&x, 1, v3(0.1, 0.1, 0.1), v3(0, 0, 0));
    withy_joint *hinge =
        network_join(&x, WITHY_JOINT_HINGE, on_ground(0, 0, 0), on_body(0, 0, 0, 0));
    hinge->axis = v3(0, 1, 0), hinge->effort = withy_field_table(1, 5, pulse);
    withy_sim *sim = start(&x, "");
    go(sim, 1);
    CHECK_NEAR(withy_sim_parts(sim)->body[0].spin.y, 0.05, 1e-3);
    CHECK(withy_sim_stats(sim).steps < 300);
    withy_sim_destroy(sim);
}

/* A loop that cannot be closed: the crank is driven further than the rocker reaches. */
TEST(a_loop_that_cannot_be_closed_stops_with_a_sentence) {
    static network_problem x;
    withy_error err = {0};
    const double turn[] = {0, 0, 1, 3};
    golden_four_bar(&x, 1, 0);
    x.joint[2].drive = withy_field_table(1, 2, turn); /* the rocker of a Grashof loop only swings */
    network_times(&x, 1, 1);
    withy_sim *sim = start(&x, "dt=0.01");
    CHECK(withy_sim_advance(sim, 1, &err) == WITHY_NO_CONVERGENCE);
    CHECK(strstr(err.text, "cannot be closed") != NULL);
    CHECK(strstr(err.text, "bodies[") != NULL || strstr(err.text, "joints[") != NULL);
    withy_sim_destroy(sim);
}

/* An arm whose angle is given, and whose far end is tied to a point: the message names joint and parts. */
TEST(a_drive_that_contradicts_a_joint_stops_with_the_names_of_its_parts) {
    static network_problem x;
    withy_error err = {0};
    const double turn[] = {0, 0, 1, 0, 2, 1};
    network_begin(&x);
    network_body(&x, 1, network_vec(0.1, 0.1, 0.1), network_vec(0.5, 0, 0))->name = "arm";
    network_body(&x, 1, network_vec(0.1, 0.1, 0.1), network_vec(1, 0, 0))->name = "disc";
    network_join(&x, WITHY_JOINT_HINGE, on_ground(0, 0, 0), on_body(0, -0.5, 0, 0))->drive =
        withy_field_table(1, 3, turn);
    network_join(&x, WITHY_JOINT_HINGE, on_ground(1, 0, 0), on_body(1, 0, 0, 0));
    network_join(&x, WITHY_JOINT_HINGE, on_body(0, 0.5, 0, 0), on_body(1, 0, 0, 0));
    for (int i = 0; i < 3; i++) x.joint[i].axis = network_vec(0, 0, 1);
    network_times(&x, 2, 1);
    withy_sim *sim = start(&x, "dt=0.01");
    go(sim, 1);
    CHECK(withy_sim_advance(sim, 2, &err) == WITHY_NO_CONVERGENCE);
    CHECK(strstr(err.text, "cannot be closed") != NULL && strstr(err.text, "arm") != NULL);
    withy_sim_destroy(sim);
}

/* Two welded rods that fly off at 1e6 lengths a second; held: a third that has nothing to do with them is clamped. */
static double bent_in_flight(int held) {
    network_problem x;
    network_begin(&x);
    for (int i = 0; i < 2; i++) {
        withy_rod *rod = network_rod(&x, v3(i, 0, 0), v3(i + 1, 0, 0), 0.01, 1e9, 1000);
        rod->velocity = withy_field_vector(1e6, 0, i);
    }
    network_join(&x, WITHY_JOINT_WELD, on_rod(0, 1), on_rod(1, 0));
    if (held)
        network_rod(&x, v3(0, 5, 0), v3(1, 5, 0), 0.01, 1e9, 1000)->end[0].kind = WITHY_END_CLAMPED;
    withy_sim *sim = start(&x, "n=4 dt=5e-3");
    go(sim, 0.5);
    const withy_energies e = withy_sim_sample(sim, 1)->energy;
    withy_sim_destroy(sim);
    return e.bend + e.stretch + e.shear;
}

TEST(what_flies_far_keeps_its_digits_beside_a_rod_that_is_held) {
    CHECK_NEAR(bent_in_flight(1) / bent_in_flight(0), 1, 1e-12);
}

RUN(test(a_rigid_double_pendulum_converges_to_the_solution_of_its_ode),
    test(a_flexible_double_pendulum_comes_near_the_rigid_one_as_it_stiffens),
    test(a_rod_welded_together_from_2_3_or_8_parts_moves_as_one),
    test(a_joint_inside_a_rod_cuts_it_without_a_change),
    test(a_satellite_with_flexible_arms_keeps_energy_and_momenta_at_any_step),
    test(a_free_network_with_every_kind_of_joint_keeps_energy_momenta_and_constraints),
    test(energies_of_rods_bodies_and_joints_add_up_to_that_of_the_network),
    test(dampers_of_joints_take_energy_and_no_momentum),
    test(a_driven_four_bar_follows_its_kinematics_and_the_drive_pays_for_it),
    test(a_rigid_four_bar_with_three_constraints_too_many_keeps_its_energy),
    test(a_slider_crank_stays_on_its_line_and_on_its_kinematics),
    test(the_dynamic_right_angle_cantilever_moves_as_in_the_literature),
    test(an_accelerated_point_of_the_ground_acts_as_gravity),
    test(what_flies_far_keeps_its_digits_beside_a_rod_that_is_held),
    test(the_state_of_a_network_is_all_that_is_kept),
    test(the_order_in_which_rods_and_joints_are_listed_changes_nothing),
    test(networks_that_cannot_be_are_refused_with_the_names_of_their_parts),
    test(without_a_step_a_network_is_right_to_its_tolerance),
    test(without_a_step_a_pulse_of_torque_in_a_hinge_is_not_stepped_over),
    test(a_loop_that_cannot_be_closed_stops_with_a_sentence),
    test(a_drive_that_contradicts_a_joint_stops_with_the_names_of_its_parts))
