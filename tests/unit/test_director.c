/* What the director method conserves, exactly, at any step: energy, momenta, the ledger.
 * (slow under sanitizers: 10^4 steps and more; the other director programs cover the code there) */
#include "base/vec.h"
#include "check.h"
#include "director_problems.h"

static withy_sim *start(const director_problem *x, const char *options) {
    withy_error err = {0};
    withy_sim *sim = NULL;
    CHECK_OK(director_start(x, options, &sim, &err));
    return sim;
}

static const withy_snapshot *go(withy_sim *sim, double t) {
    withy_error err = {0};
    CHECK_OK(withy_sim_advance(sim, t, &err));
    return withy_sim_sample(sim, 0);
}

static double apart(withy_vec3 a, withy_vec3 b) {
    return v3_norm(v3_sub(a, b));
}

static const withy_end_kind C = WITHY_END_CLAMPED, P = WITHY_END_PINNED, F = WITHY_END_FREE,
                            G = WITHY_END_GUIDED;

/* ---- conservation ---------------------------------------------------------------------------- */

/* Largest drift of the energy over `steps`; with free ends also of the momenta. */
static double drift(withy_end_kind a, withy_end_kind b, const char *mesh, double dt, int steps) {
    director_problem x;
    char options[128];
    director_large_motion(&x, a, b);
    director_times(&x, steps * dt, dt);
    snprintf(options, sizeof options, "%s dt=%g", mesh, dt);
    withy_sim *sim = start(&x, options);
    const withy_snapshot first = *withy_sim_sample(sim, 0);
    double worst = 0;
    for (int k = 1; k <= steps; k++) {
        withy_error err = {0};
        CHECK_OK(withy_sim_advance(sim, k * dt, &err));
        if (a != F || b != F || k % 20) continue;
        const withy_snapshot *now = withy_sim_sample(sim, 0);
        const double p = apart(now->momentum, first.momentum) / v3_norm(first.momentum);
        const double l =
            apart(now->angular_momentum, first.angular_momentum) / v3_norm(first.angular_momentum);
        worst = worst_of(worst, fmax(p, l));
    }
    const withy_stats stats = withy_sim_stats(sim);
    CHECK(stats.conserves == 1);
    worst = worst_of(worst, stats.energy_drift);
    withy_sim_destroy(sim);
    return worst;
}

TEST(every_end_pair_keeps_its_energy_at_steps_from_1e_5_to_0_1) {
    (void)unused_state;
    const withy_end_kind kind[4] = {C, P, F, G};
    const double dt[5] = {1e-5, 1e-4, 1e-3, 1e-2, 1e-1};
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
            for (int k = 0; k < 5; k++) {
                CHECK_BELOW(drift(kind[a], kind[b], "n=12 degree=1", dt[k], k == 4 ? 40 : 150),
                            1e-10);
                CHECK_BELOW(drift(kind[a], kind[b], "n=3 degree=3", dt[k], k == 4 ? 40 : 150),
                            1e-10);
            }
}

/* prototype: 2e-12 and 5e-12 */
TEST(energy_and_momenta_drift_less_than_2e_12_in_10000_steps) {
    (void)unused_state;
    CHECK_BELOW(drift(C, F, "n=20 degree=1", 1e-3, 10000), 2e-12);
    CHECK_BELOW(drift(C, C, "n=5 degree=3", 1e-3, 10000), 2e-12);
    CHECK_BELOW(drift(P, P, "n=5 degree=3", 1e-3, 10000), 2e-12);
    CHECK_BELOW(drift(F, F, "n=20 degree=1", 1e-3, 10000), 5e-12);
}

TEST(all_degrees_and_order_4_conserve) {
    (void)unused_state;
    CHECK_BELOW(drift(C, F, "n=4 degree=2", 1e-2, 300), 1e-11);
    CHECK_BELOW(drift(C, F, "n=3 degree=4", 1e-2, 300), 1e-11);
    CHECK_BELOW(drift(F, F, "n=3 degree=3 order=4", 5e-3, 300), 1e-11);
}

TEST(a_rod_far_from_the_origin_keeps_its_momenta) {
    (void)unused_state;
    director_problem x;
    director_large_motion(&x, F, F);
    x.rod.initial.from = (withy_vec3){0, 0, 0};
    x.rod.velocity = withy_field_vector(100, 0, 0); /* 200 m in 2 s, the rod is 0.1 m */
    director_times(&x, 2, 0.002);
    withy_sim *sim = start(&x, "n=10 degree=1 dt=0.002");
    const withy_snapshot first = *withy_sim_sample(sim, 0);
    const withy_snapshot *now = go(sim, 2);
    CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-12);
    CHECK_BELOW(apart(now->momentum, first.momentum) / v3_norm(first.momentum), 1e-13);
    /* the spin about the centre: lab value minus centre of mass times momentum needs all digits */
    const double scale = 200 * v3_norm(first.momentum);
    CHECK_BELOW(apart(now->angular_momentum, first.angular_momentum) / scale, 1e-13);
    withy_sim_destroy(sim);
}

/* ---- the ledger ------------------------------------------------------------------------------- */

static withy_status swing(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    out[0] = 0.01 * sin(30 * t), out[1] = 0, out[2] = 0.005 * (1 - cos(20 * t));
    return WITHY_OK;
}
static withy_status nod(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    const double a = 0.4 * sin(15 * t);
    out[0] = cos(a), out[1] = sin(a), out[2] = 0;
    return WITHY_OK;
}
static withy_status pulse(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    out[0] = 0, out[1] = 0.02 * sin(40 * t), out[2] = 0.01;
    return WITHY_OK;
}

/* Everything at once: driven clamp, loads of every kind, damping, drag, a lump on an arm, springs. */
static void everything(director_problem *x) {
    director_rod_t(x);
    withy_rod *rod = &x->rod;
    rod->rest =
        (withy_shape){.kind = WITHY_SHAPE_HELIX, .along = {0, 0, 1}, .radius = 0.02, .pitch = 0.03};
    rod->initial = (withy_shape){.kind = WITHY_SHAPE_NONE};
    rod->damping_time = 2e-4;
    rod->drag_linear = 0.02, rod->drag_quadratic = 0.5, rod->drag_spin = 1e-7;
    rod->end[0].position = (withy_field){.size = 3, .call = swing};
    withy_end *tip = &rod->end[1];
    tip->mass = 1e-3, tip->inertia = (withy_vec3){1e-8, 2e-8, 3e-8};
    tip->offset = (withy_vec3){0.004, -0.002, 0.006};
    tip->spring = 0.3, tip->spring_turn = 1e-4;
    tip->force = (withy_field){.size = 3, .call = pulse}, tip->follower = 1;
    tip->moment = withy_field_vector(1e-5, 0, 2e-5);
    x->load[0] = (withy_load){.kind = WITHY_LOAD_DISTRIBUTED,
                              .from = 0.013,
                              .to = 0.071,
                              .force = withy_field_vector(0, 0.2, 0),
                              .moment = withy_field_vector(1e-4, 0, 0)};
    x->load[1] = (withy_load){.kind = WITHY_LOAD_POINT,
                              .follower = 1,
                              .from = 0.047,
                              .force = {.size = 3, .call = pulse},
                              .moment = withy_field_vector(0, 1e-5, 0)};
    rod->load_count = 2;
    x->problem.gravity = (withy_vec3){0, 0, -9.81};
}

static void check_ledger(director_problem *x, const char *options, double stop, double dt,
                         double most) {
    director_times(x, stop, dt);
    withy_sim *sim = start(x, options);
    const double first = withy_sim_sample(sim, 0)->conserved;
    double scale = 0, worst = 0;
    for (int k = 1; k * dt <= stop * (1 + 1e-9); k++) {
        const withy_snapshot *now = go(sim, k * dt);
        scale = worst_of(scale, fmax(fabs(now->work), now->energy.kinetic + now->energy.bend));
        worst = worst_of(worst, fabs(now->conserved - first));
    }
    CHECK_BELOW(worst / scale, most);
    withy_sim_destroy(sim);
}

TEST(the_ledger_closes_with_driven_ends_loads_damping_lumps_and_springs) {
    (void)unused_state;
    director_problem x;
    everything(&x);
    check_ledger(&x, "n=6 degree=3 dt=1e-3", 0.5, 1e-3, 1e-12);
    check_ledger(&x, "n=20 degree=1 dt=1e-2", 1.0, 1e-2, 1e-12);
    check_ledger(&x, "n=6 degree=3 dt=1e-4 xi=0.2", 0.05, 1e-4, 1e-12);
}

TEST(an_end_that_is_free_to_turn_about_its_tangent_closes_the_ledger) {
    (void)unused_state;
    director_problem x;
    director_large_motion(&x, C, F);
    x.rod.end[0].tangent = (withy_field){.size = 3, .call = nod};
    check_ledger(&x, "n=5 degree=3 dt=1e-3", 0.5, 1e-3, 1e-12); /* and one that is not */
    x.rod.end[0].turn = WITHY_TURN_FREE;
    check_ledger(&x, "n=5 degree=3 dt=1e-3", 0.5, 1e-3, 1e-12);
}

TEST(a_rod_dropped_on_a_floor_keeps_its_energy_and_a_damped_floor_takes_it) {
    (void)unused_state;
    director_problem x;
    director_rod_t(&x);
    director_ends(&x, F, F);
    x.rod.initial.from = (withy_vec3){0, 0, 0.05};
    x.rod.initial.along = (withy_vec3){1, 0, 0.3};
    x.problem.gravity = (withy_vec3){0, 0, -9.81};
    x.problem.floor = (withy_floor){.given = 1, .normal = {0, 0, 1}, .stiffness = 2e3};
    check_ledger(&x, "n=6 degree=2 dt=1e-3", 1.0, 1e-3, 1e-11);
    x.problem.floor.damping = 20;
    director_times(&x, 1.0, 0.1);
    withy_sim *sim = start(&x, "n=6 degree=2 dt=1e-3");
    const withy_snapshot *now = go(sim, 1.0);
    CHECK(now->dissipated > 0);
    CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-11);
    withy_sim_destroy(sim);
}

TEST(held_ends_are_held_to_rounding) {
    (void)unused_state;
    director_problem x;
    director_large_motion(&x, C, C);
    x.rod.end[0].position = (withy_field){.size = 3, .call = swing};
    director_times(&x, 0.5, 0.001);
    withy_sim *sim = start(&x, "n=5 degree=3 dt=0.001");
    const withy_snapshot first = *withy_sim_sample(sim, 0);
    const withy_vec3 finish = first.position[first.count - 1];
    for (int k = 1; k <= 500; k++) {
        const withy_snapshot *now = go(sim, 0.001 * k);
        double expected[3];
        swing(NULL, 0, 0.001 * k, expected, NULL);
        CHECK_BELOW(apart(now->position[0], v3_from(expected)), 1e-16);
        CHECK_BELOW(apart(now->position[now->count - 1], finish), 1e-16);
        CHECK_BELOW(now->constraint, 1e-15);
    }
    withy_sim_destroy(sim);
}

/* ---- exact solutions ---------------------------------------------------------------------------- */

static withy_status rise(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    out[0] = out[1] = 0, out[2] = 0.5 * 9.81 * t * t;
    return WITHY_OK;
}

TEST(an_accelerated_clamp_is_gravity) {
    (void)unused_state;
    director_problem driven, heavy;
    director_rod_t(&driven);
    heavy = driven;
    heavy.problem.rod = &heavy.rod;
    driven.rod.end[0].position = (withy_field){.size = 3, .call = rise};
    heavy.problem.gravity = (withy_vec3){0, 0, -9.81};
    director_times(&driven, 0.5, 0.001);
    director_times(&heavy, 0.5, 0.001);
    withy_sim *a = start(&driven, "n=6 degree=2 dt=0.001"),
              *b = start(&heavy, "n=6 degree=2 dt=0.001");
    for (int k = 1; k <= 500; k++) {
        const withy_snapshot *x = go(a, 0.001 * k), *y = go(b, 0.001 * k);
        const withy_vec3 relative = v3_sub(x->position[x->count - 1], x->position[0]);
        CHECK_BELOW(apart(relative, y->position[y->count - 1]) / 0.1, 1e-11);
    }
    withy_sim_destroy(a);
    withy_sim_destroy(b);
}

TEST(free_fall_is_exact) {
    (void)unused_state;
    director_problem x;
    director_rod_t(&x);
    director_ends(&x, F, F);
    x.problem.gravity = (withy_vec3){0, 0, -9.81};
    director_times(&x, 1.0, 0.1);
    withy_sim *sim = start(&x, "n=4 degree=1 dt=0.02");
    CHECK_NEAR(go(sim, 1.0)->position[2].z, -0.5 * 9.81, 1e-13);
    withy_sim_destroy(sim);
}

TEST(the_work_of_a_follower_force_is_the_gain_of_energy) {
    (void)unused_state;
    director_problem x;
    director_rod_t(&x);
    x.rod.end[1].force = withy_field_vector(0, 0.02, 0);
    x.rod.end[1].follower = 1;
    check_ledger(&x, "n=6 degree=3 dt=1e-3", 1.0, 1e-3, 1e-12);
}

TEST(any_rest_shape_is_free_of_stress_to_rounding) {
    (void)unused_state;
    director_problem x;
    director_rod_t(&x);
    x.rod.rest =
        (withy_shape){.kind = WITHY_SHAPE_HELIX, .along = {0, 0, 1}, .radius = 0.01, .pitch = 0.01};
    x.rod.initial.kind = WITHY_SHAPE_NONE;
    director_times(&x, 1.0, 0.1);
    withy_sim *sim = start(&x, "n=10 degree=2 dt=0.01");
    const withy_snapshot *now = go(sim, 1.0);
    /* strains of 1e-15 in a rod of EA L = 8 J hold some 1e-29 J; room for the compiler to differ */
    CHECK_BELOW(now->energy.bend + now->energy.stretch + now->energy.kinetic, 1e-26);
    withy_sim_destroy(sim);
}

/* Thin as a hair: on the nodes of the exact arc the stretch would hold several hundred times the
 * energy of the bending. */
TEST(an_initial_arc_is_placed_without_stretch) {
    (void)unused_state;
    director_problem x;
    director_plain(&x, 1, 2e-4, 1e9, 4e8, 1000);
    x.rod.initial.kind = WITHY_SHAPE_ARC;
    x.rod.initial.radius = 1 / DIRECTOR_PI;
    for (int p = 1; p <= 4; p++) {
        char options[64];
        snprintf(options, sizeof options, "n=20 degree=%d dt=1", p);
        withy_sim *sim = start(&x, options);
        const withy_snapshot *now = withy_sim_sample(sim, 0);
        CHECK_BELOW(now->energy.stretch + now->energy.shear, 1e-12 * now->energy.bend);
        withy_sim_destroy(sim);
    }
}

TEST(prescribed_tension_is_there_at_the_start) {
    (void)unused_state;
    director_problem x;
    director_plain(&x, 0.328, 0.36e-3, 2e11, 7.7e10, 7800);
    director_ends(&x, P, P);
    x.rod.tension = 65;
    withy_sim *sim = start(&x, "n=8 degree=3 dt=1e-4");
    CHECK_NEAR(withy_sim_sample(sim, 0)->force[5].x, 65, 1e-9);
    const withy_snapshot *now = go(sim, 0.01);
    CHECK_NEAR(now->force[5].x, 65, 1e-6);
    CHECK_NEAR(now->reaction[1].x, 65, 1e-6);
    withy_sim_destroy(sim);
}

/* ---- public functions ------------------------------------------------------------------------------------ */

TEST(advance_takes_no_memory) {
    (void)unused_state;
    director_problem x;
    everything(&x);
    director_times(&x, 0.1, 0.01);
    withy_sim *sim = start(&x, "n=6 degree=3 dt=1e-3");
    const size_t before = withy_memory_allocations();
    go(sim, 0.1);
    CHECK(withy_memory_allocations() == before);
    withy_sim_destroy(sim);
}

TEST(automatic_steps_follow_the_tolerance) {
    (void)unused_state;
    withy_error err = {0};
    double rough, fine;
    CHECK_OK(director_tip_error(2, "n=3 degree=3 dt=auto tol=1e-4", &rough, &err));
    CHECK_OK(director_tip_error(2, "n=3 degree=3 dt=auto tol=1e-6", &fine, &err));
    CHECK_BELOW(rough, 1e-2);
    CHECK_BELOW(fine, 5e-4);
}

TEST(order_4_is_refused_with_damping) {
    (void)unused_state;
    director_problem x;
    withy_sim *sim;
    withy_error err = {0};
    director_rod_t(&x);
    x.rod.damping_time = 1e-3;
    CHECK(director_start(&x, "order=4 dt=0.01", &sim, &err) == WITHY_BAD_INPUT);
    CHECK_TEXT(err.text, "options.order = 4: not possible with damping, drag or yielding, because "
                         "each step contains a "
                         "substep backwards in time; use order = 2");
}

TEST(an_initial_shape_that_misses_its_end_is_refused) {
    (void)unused_state;
    director_problem x;
    withy_sim *sim;
    withy_error err = {0};
    director_rod_t(&x);
    x.rod.end[0].position = withy_field_vector(0, 0.05, 0);
    CHECK_OK(director_start(&x, "dt=0.01", &sim, &err));
    CHECK(withy_sim_advance(sim, 0.01, &err) == WITHY_BAD_INPUT);
    CHECK_TEXT(
        err.text,
        "the initial shape puts ends.start 0.05 m (0.5 of the length) from its position at t = 0; "
        "move the end or give an initial shape that fits, or start in equilibrium with "
        "initial = static {}");
    withy_sim_destroy(sim);
}

RUN(test(every_end_pair_keeps_its_energy_at_steps_from_1e_5_to_0_1),
    test(energy_and_momenta_drift_less_than_2e_12_in_10000_steps),
    test(all_degrees_and_order_4_conserve), test(a_rod_far_from_the_origin_keeps_its_momenta),
    test(the_ledger_closes_with_driven_ends_loads_damping_lumps_and_springs),
    test(an_end_that_is_free_to_turn_about_its_tangent_closes_the_ledger),
    test(a_rod_dropped_on_a_floor_keeps_its_energy_and_a_damped_floor_takes_it),
    test(held_ends_are_held_to_rounding), test(an_accelerated_clamp_is_gravity),
    test(free_fall_is_exact), test(the_work_of_a_follower_force_is_the_gain_of_energy),
    test(any_rest_shape_is_free_of_stress_to_rounding),
    test(an_initial_arc_is_placed_without_stretch), test(prescribed_tension_is_there_at_the_start),
    test(advance_takes_no_memory), test(automatic_steps_follow_the_tolerance),
    test(order_4_is_refused_with_damping), test(an_initial_shape_that_misses_its_end_is_refused))
