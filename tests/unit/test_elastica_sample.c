/* Forces, moments, reactions, frames, loads and energies that the elastica reports. */
#include "elastica_problems.h"

static double size_of(withy_vec3 a) {
    return v3_norm(a);
}
static double gap(withy_vec3 a, withy_vec3 b) {
    return v3_norm(v3_sub(a, b));
}

static withy_status spinning(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)t, (void)err;
    return put3(out, 0, 0.7 * s, 0);
}

/* A stiff cantilever along x that comes to rest under a small weight and tip force. */
static void cantilever(example *x, double mass) {
    plain_rod(x, 1, 0.6);
    x->rod.initial.along = (withy_vec3){1, 0, 0};
    x->rod.end[0].kind = WITHY_END_CLAMPED;
    x->rod.end[1].force = withy_field_vector(0, 0, -0.01);
    x->rod.end[1].mass = mass;
    x->problem.gravity = (withy_vec3){0, 0, -0.02};
    finish_example(x, 60, 1);
}

TEST(a_cantilever_at_rest_balances_its_loads) {
    (void)unused_state;
    example x;
    cantilever(&x, 0.5);
    withy_sim *sim = simulate_ok(&x, "n=40 dt=0.25");
    go(sim, 60);
    const withy_snapshot *snap = now(sim);
    const double weight = 0.02, tip = 0.01 + 0.5 * 0.02;
    CHECK_BELOW(gap(snap->reaction[0], v3(0, 0, weight + tip)), 1e-8);
    CHECK_BELOW(size_of(snap->reaction[1]), 1e-15);
    /* n: what larger s exerts on smaller s, so minus the support force at the start */
    CHECK_BELOW(gap(snap->force[0], v3(0, 0, -weight - tip)), 1e-8);
    CHECK_BELOW(gap(snap->force[40], v3(0, 0, -tip)), 1e-8);
    for (int j = 0; j <= 40; j++)
        CHECK_BELOW(gap(snap->force[j], v3(0, 0, -tip - weight * (1 - snap->s[j]))), 1e-8);
    /* m' + r' x n = 0 from m(L) = 0; levers in the deformed shape */
    const withy_vec3 arm = v3_sub(snap->position[40], snap->position[0]);
    withy_vec3 expected = v3_cross(arm, v3(0, 0, -tip));
    for (int j = 0; j <= 40; j++)
        expected =
            v3_axpy(expected, (j % 40 ? 1 : 0.5) / 40,
                    v3_cross(v3_sub(snap->position[j], snap->position[0]), v3(0, 0, -weight)));
    CHECK_BELOW(gap(snap->reaction_moment[0], v3_scale(-1, expected)), 1e-7);
    CHECK_BELOW(gap(snap->moment[0], expected), 2e-5); /* order 2 in eta */
    CHECK(snap->moment[0].y > 0);
    /* Euler-Bernoulli: F L^3/3 + q L^4/8, to first order in the load */
    CHECK_NEAR(snap->position[40].z, -(tip / 3 + weight / 8), 2e-5);
    CHECK_NEAR(snap->energy.kinetic, 0, 1e-12);
    withy_sim_destroy(sim);
}

/* The mirror image, clamped at the finish: signs of the reaction moment there. */
TEST(a_cantilever_clamped_at_the_finish_has_the_mirrored_reactions) {
    (void)unused_state;
    example x, y;
    cantilever(&x, 0.5);
    cantilever(&y, 0.5);
    y.rod.initial.from = (withy_vec3){1, 0, 0};
    y.rod.initial.along = (withy_vec3){-1, 0, 0};
    y.rod.end[0] = x.rod.end[1];
    y.rod.end[1] = x.rod.end[0];
    withy_sim *a = simulate_ok(&x, "n=20 dt=0.25"), *b = simulate_ok(&y, "n=20 dt=0.25");
    for (int k = 0; k <= 4; k += 2) {
        go(a, k), go(b, k);
        CHECK_BELOW(gap(now(a)->reaction[0], now(b)->reaction[1]), 1e-9);
        CHECK_BELOW(gap(now(a)->reaction_moment[0], now(b)->reaction_moment[1]), 1e-9);
        CHECK_BELOW(gap(now(a)->moment[3], v3_scale(-1, now(b)->moment[17])), 1e-9);
        CHECK_BELOW(gap(now(a)->force[0], v3_scale(-1, now(b)->force[20])), 1e-9);
    }
    CHECK(size_of(now(a)->reaction_moment[0]) > 0.01);
    withy_sim_destroy(a), withy_sim_destroy(b);
}

/* In motion: the change of momentum is what acts from outside. */
TEST(reactions_and_weight_change_the_momentum_exactly) {
    (void)unused_state;
    example x;
    example_4(&x);
    withy_sim *sim = simulate_ok(&x, "n=20 dt=0.1");
    go(sim, 5);
    for (int k = 51; k < 60; k++) {
        const withy_vec3 before = now(sim)->momentum, first = now(sim)->reaction[0];
        go(sim, 0.1 * k);
        const withy_vec3 rate = v3_scale(10, v3_sub(now(sim)->momentum, before));
        const withy_vec3 mean = v3_scale(0.5, v3_add(first, now(sim)->reaction[0]));
        const withy_vec3 outside = v3_add(mean, v3(0, 0, -0.2 * 10));
        CHECK_BELOW(gap(rate, outside), 1e-9);
    }
    withy_sim_destroy(sim);
}

/* The angular momentum too, with the reaction moment; nu = 0, as damping is not
 * frame-indifferent. */
TEST(reaction_moments_change_the_angular_momentum_to_second_order) {
    (void)unused_state;
    double error[2];
    for (int i = 0; i < 2; i++) {
        example x;
        example_4(&x);
        x.rod.damping[WITHY_BEND1] = x.rod.damping[WITHY_BEND2] = (withy_field){0};
        x.problem.request.output = 0.1;
        withy_sim *sim = simulate_ok(&x, i ? "n=20 dt=0.025" : "n=20 dt=0.05");
        const double h = withy_sim_step(sim);
        go(sim, 10 - h);
        const withy_vec3 before = now(sim)->angular_momentum;
        /* moments of the weight about the clamp and of the clamp, mean of both ends of the step */
        withy_vec3 weight = v3_scale(0.5, now(sim)->reaction_moment[0]);
        for (int k = 0; k < 2; k++) {
            if (k) go(sim, 10);
            for (int j = 0; j <= 20; j++)
                weight = v3_axpy(weight, j % 20 ? 0.25 : 0.125,
                                 v3_cross(now(sim)->position[j], v3(0, 0, -0.2)));
        }
        weight = v3_axpy(weight, -0.5, now(sim)->reaction_moment[0]);
        const withy_vec3 rate = v3_scale(1 / h, v3_sub(now(sim)->angular_momentum, before));
        error[i] = gap(rate, v3_add(weight, now(sim)->reaction_moment[0]));
        withy_sim_destroy(sim);
    }
    CHECK_BELOW(error[0], 0.02);
    CHECK(error[0] / error[1] > 3);
}

/* ---- loads ----------------------------------------------------------------------------------- */

TEST(a_point_load_between_nodes_bends_as_euler_bernoulli_says) {
    (void)unused_state;
    for (int n = 20; n <= 21; n++) { /* on a node, and between two */
        example x;
        char grid[48];
        plain_rod(&x, 1, 0.6);
        x.rod.initial.along = (withy_vec3){1, 0, 0};
        x.rod.end[0].kind = WITHY_END_CLAMPED;
        x.load[0] = (withy_load){
            .kind = WITHY_LOAD_POINT, .from = 0.5, .force = withy_field_vector(0, 0, -0.01)};
        x.rod.load_count = 1;
        finish_example(&x, 60, 1);
        snprintf(grid, sizeof grid, "n=%d dt=0.25", n);
        withy_sim *sim = simulate_ok(&x, grid);
        go(sim, 60);
        CHECK_NEAR(now(sim)->position[n].z, -0.01 * 5.0 / 48, 6e-6);
        CHECK_BELOW(gap(now(sim)->reaction[0], v3(0, 0, 0.01)), 1e-9);
        CHECK_NEAR(now(sim)->reaction_moment[0].y, -0.005, 1e-5);
        CHECK_BELOW(size_of(now(sim)->force[n - 1]), 1e-9);
        withy_sim_destroy(sim);
    }
}

static withy_status pulse(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)err;
    return put3(out, 0.02 * sin(3 * t) * s, 0.01 * t, 0);
}

/* Constant and varying, point and distributed loads, on part of the rod: work = change of
 * energy. */
TEST(the_work_of_loads_is_the_change_of_energy) {
    (void)unused_state;
    example x;
    example_4(&x);
    x.load[0] = (withy_load){
        .kind = WITHY_LOAD_DISTRIBUTED, .from = 2.3, .to = 7.9, .force = field3(pulse)};
    x.load[1] = (withy_load){
        .kind = WITHY_LOAD_POINT, .from = 3.3, .force = withy_field_vector(0.01, 0, 0)};
    x.rod.load_count = 2;
    x.rod.end[1].force = withy_field_vector(0, 0.02, 0);
    withy_sim *sim = simulate_ok(&x, "n=20 dt=0.1");
    go(sim, 0.1);
    double expected = 0;
    for (int k = 1; k <= 100; k++) {
        go(sim, 0.1 * k);
        if (k == 2) expected = now(sim)->conserved;
        if (k > 2) CHECK_NEAR(now(sim)->conserved, expected, 1e-11);
    }
    CHECK(withy_sim_stats(sim).conserves == 0);
    withy_sim_destroy(sim);
}

TEST(dead_loads_do_not_spoil_conservation) {
    (void)unused_state;
    example x;
    example_4(&x);
    x.rod.damping[WITHY_BEND1] = x.rod.damping[WITHY_BEND2] = (withy_field){0};
    x.load[0] = (withy_load){.kind = WITHY_LOAD_DISTRIBUTED,
                             .from = 2.3,
                             .to = 7.9,
                             .force = withy_field_vector(0.02, 0.01, 0)};
    x.rod.load_count = 1;
    x.rod.end[1].force = withy_field_vector(0, 0.02, 0);
    x.rod.end[1].mass = 0.7;
    withy_sim *sim = simulate_ok(&x, "n=20 dt=0.1");
    go(sim, 40);
    CHECK(withy_sim_stats(sim).conserves == 1);
    CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-11);
    withy_sim_destroy(sim);
}

/* ---- stations, frames, rates ----------------------------------------------------------------- */

TEST(stations_between_nodes_are_on_the_spline_with_orthonormal_frames) {
    (void)unused_state;
    example x;
    example_1(&x, 6 * PI);
    x.problem.request.stations = 173;
    withy_sim *sim = simulate_ok(&x, "n=100 dt=5");
    const withy_snapshot *snap = now(sim);
    for (int i = 0; i < snap->count;
         i++) { /* t = 0: the coil, bend 1/radius^2-ish, known exactly */
        double expected[3];
        withy_error err;
        coil(NULL, snap->s[i], 0, expected, &err);
        CHECK_BELOW(gap(snap->position[i], v3_from(expected)), 3e-3);
        const mat3 frame = q_matrix(snap->frame[i]);
        CHECK_NEAR(q_norm(snap->frame[i]), 1, 1e-14);
        CHECK_NEAR(snap->bend[i].z, 0, 0);
        if (i < 20 || i > 152)
            continue; /* the spline has x'' = 0 at pinned ends, the coil has not */
        CHECK_NEAR(hypot(snap->bend[i].x, snap->bend[i].y), sin(1.8) * sin(1.8), 2e-2);
        /* m = eps t x t' in laboratory components (nothing moves yet) */
        CHECK_BELOW(gap(m3_mul(frame, snap->bend[i]), snap->moment[i]), 1e-12);
        const withy_vec3 d3 = frame.c3;
        CHECK_NEAR(d3.z, -cos(1.8), 2e-2);
    }
    go(sim, 10);
    snap = now(sim);
    CHECK(snap->have & WITHY_HAVE_FORCE);
    CHECK(snap->step == 2);
    CHECK_NEAR(snap->conserved_at, 7.5, 1e-12);
    withy_sim_destroy(sim);
}

TEST(velocity_is_second_order_and_starts_as_given) {
    (void)unused_state;
    double error[2];
    for (int i = 0; i < 2; i++) {
        example x;
        example_2(&x); /* tip speed against a fine central difference */
        x.problem.request.output = 0.01;
        withy_sim *sim = simulate_ok(&x, i ? "n=10 dt=0.005" : "n=10 dt=0.01");
        withy_sim *fine = simulate_ok(&x, "n=10 dt=0.000625");
        CHECK_BELOW(size_of(now(sim)->velocity[10]), 1e-15);
        go(sim, 1);
        go(fine, 0.99);
        const withy_vec3 a = now(fine)->position[10];
        go(fine, 1.01);
        const withy_vec3 speed = v3_scale(50, v3_sub(now(fine)->position[10], a));
        error[i] = gap(now(sim)->velocity[10], speed);
        withy_sim_destroy(sim), withy_sim_destroy(fine);
    }
    CHECK_BELOW(error[0], 2e-2);
    CHECK_BELOW(error[1], 0.35 * error[0] + 1e-3);
}

/* Forces at t = 0 are those of the first balance, so that every snapshot has the same fields. */
TEST(the_first_snapshot_has_the_same_fields_as_the_others) {
    (void)unused_state;
    example x;
    example_3(&x);
    withy_sim *sim = simulate_ok(&x, "n=15 dt=0.02");
    const unsigned have = now(sim)->have;
    CHECK_NEAR(now(sim)->conserved_at, 0, 0);
    CHECK(now(sim)->step == 0 && now(sim)->iterations == 0);
    go(sim, 0.02);
    CHECK(now(sim)->have == have);
    CHECK(now(sim)->iterations > 0);
    CHECK(have & WITHY_HAVE_REACTION);
    withy_sim_destroy(sim);
}

/* alpha'' = -rho omega^2, alpha'(0) = 0, alpha(L) = 0: theorem 1 of the source on a straight rod. */
TEST(the_multiplier_of_a_spinning_straight_rod_is_its_centrifugal_tension) {
    (void)unused_state;
    const double omega = 0.7, length = 2;
    example x;
    plain_rod(&x, length, 0);
    x.rod.initial.along = (withy_vec3){1, 0, 0};
    x.rod.end[0].kind = WITHY_END_PINNED;
    x.rod.velocity = (withy_field){.size = 3, .call = spinning};
    finish_example(&x, 2, 0.1);
    withy_sim *sim = simulate_ok(&x, "n=16 dt=0.005");
    go(sim, 2);
    const withy_snapshot *snap = now(sim);
    CHECK(snap->have & WITHY_HAVE_MULTIPLIER);
    for (int j = 1; j <= 16; j++) {
        const double s = snap->s[j], expected = 0.5 * omega * omega * (length * length - s * s);
        CHECK_NEAR(snap->multiplier[j].z, expected, 0.01);
        CHECK(snap->multiplier[j].x == 0 && snap->multiplier[j].y == 0);
    }
    withy_sim_destroy(sim);
}

RUN(test(the_multiplier_of_a_spinning_straight_rod_is_its_centrifugal_tension),
    test(a_cantilever_at_rest_balances_its_loads),
    test(a_cantilever_clamped_at_the_finish_has_the_mirrored_reactions),
    test(reactions_and_weight_change_the_momentum_exactly),
    test(reaction_moments_change_the_angular_momentum_to_second_order),
    test(a_point_load_between_nodes_bends_as_euler_bernoulli_says),
    test(the_work_of_loads_is_the_change_of_energy), test(dead_loads_do_not_spoil_conservation),
    test(stations_between_nodes_are_on_the_spline_with_orthonormal_frames),
    test(velocity_is_second_order_and_starts_as_given),
    test(the_first_snapshot_has_the_same_fields_as_the_others))
