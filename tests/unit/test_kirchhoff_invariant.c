/* test_kirchhoff_invariant.c - energy, momentum, work.
 * (slow under sanitizers) */
#include "kirchhoff_problems.h"
#include "kirchhoff_rig.h"
#include "today.h"

#define PINNED WITHY_END_PINNED
#define CLAMPED WITHY_END_CLAMPED
#define FREE WITHY_END_FREE

static double drift_of(spring_case *c, int steps) {
    spring_make(c);
    spring_steps(c, steps);
    const withy_stats stats = withy_sim_stats(c->sim);
    CHECK(stats.conserves);
    spring_free(c);
    return stats.energy_drift;
}

TEST(energy_is_constant_over_1000_steps_for_every_pair_of_ends_and_both_energies) {
    (void)unused_state;
    const withy_end_kind ends[][2] = {{PINNED, PINNED},
                                      {CLAMPED, FREE},
                                      {CLAMPED, CLAMPED},
                                      {FREE, FREE},
                                      {PINNED, FREE},
                                      {CLAMPED, PINNED},
                                      {WITHY_END_GUIDED, CLAMPED},
                                      {WITHY_END_GUIDED, PINNED}};
    double most = 0;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) { /* the other one tomorrow */
        const int energy = ((int)i + today_from(0, 2, 1)) % 2;
        spring_case c;
        spring_of(&c, TEST_HELIX, ends[i][0], ends[i][1], 24, 0.1);
        spring_stretch(&c, TEST_HELIX, 1.3);
        spring_option(&c, "energy", 0, energy ? "quadratic" : "strain");
        const double drift = drift_of(&c, 1000);
        most = worst_of(most, drift);
    }
    print_message("largest relative drift %.1e\n", most);
    CHECK_BELOW(most, 1e-10);
}

TEST(energy_is_constant_with_strong_ends_stretched_1_3_as_in_the_notes) {
    (void)unused_state;
    const char *energies[] = {"quadratic", "strain"};
    for (int k = 0; k < 4; k++) {
        spring_case c;
        helix_wire w = TEST_HELIX;
        if (k == 2) w.rotary = .01;
        spring_of(&c, w, PINNED, PINNED, 48, k == 3 ? .5 : .05);
        spring_stretch(&c, w, 1.3);
        spring_option(&c, "ends", 0, "strong");
        spring_option(&c, "kappa", 0, "pointwise");
        spring_option(&c, "energy", 0, energies[k == 1]);
        const double drift = drift_of(&c, 1000);
        print_message("%s, I_d = %g, h = %g: drift %.1e\n", energies[k == 1], w.rotary,
                      k == 3 ? .5 : .05, drift);
        CHECK_BELOW(drift, 1e-10);
    }
}

TEST(energy_is_constant_with_weak_ends_stretched_twice) {
    (void)unused_state;
    spring_case c;
    spring_of(&c, TEST_HELIX, PINNED, PINNED, 48, .1);
    spring_stretch(&c, TEST_HELIX, 2.0);
    spring_option(&c, "energy", 0, "quadratic");
    spring_option(&c, "kappa", 0, "pointwise");
    const double drift = drift_of(&c, 1000);
    print_message("drift %.1e\n", drift);
    CHECK_BELOW(drift, 1e-10);
}

TEST(damped_energy_falls_in_every_step_and_ends_at_0_9135_of_the_start) {
    (void)unused_state;
    enum { N = 48 };
    double x[3 * (N + 1)], r[9 * (N + 1)], kappa[2 * (N + 1)];
    rig_helix(N, 1, .25, 3, 1.3, x, r, kappa);
    const rig_setup setup = {.ends = {PINNED, PINNED},
                             .strong = 1,
                             .n = N,
                             .length = 6 * WY_PI / cos(.25),
                             .h = .05,
                             .sigma = 1,
                             .ct = .8,
                             .rho = 1,
                             .nu = .05,
                             .nu_twist = .05,
                             .energy = WY_KIRCHHOFF_QUADRATIC,
                             .damping = WY_KIRCHHOFF_DISSERTATION,
                             .start = WY_KIRCHHOFF_PAPER,
                             .kappa = kappa,
                             .x = x,
                             .r = r};
    rig_settle(&setup, x, r);
    rig g;
    rig_make(&g, &setup);
    rig_step(&g);
    const double start = g.p.state->halving.energy;
    double before = start, rise = -1;
    for (int k = 1; k < 2000; k++) {
        rig_step(&g);
        rise = worst_of(rise, (g.p.state->halving.energy - before) / start);
        before = g.p.state->halving.energy;
    }
    print_message("largest increment %.2e H_0, H_end/H_0 = %.4f\n", rise, before / start);
    CHECK_BELOW(rise, 1e-13);
    CHECK_NEAR(rise, -2.4e-6, 1e-7);
    CHECK_NEAR(before / start, .9135, 1e-4);
    /* the ledger balances: H_end = H_0 - dissipated */
    CHECK_NEAR((before + g.p.state->halving.ledger.dissipated) / start, 1.0, 1e-12);
    rig_free(&g);
}

typedef struct momenta {
    vec3 p, l;
} momenta;

static momenta momenta_of(spring_case *c) {
    const withy_snapshot *snap = withy_sim_sample(c->sim, 0);
    return (momenta){snap->momentum, snap->angular_momentum};
}

static withy_status tumble(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)t, (void)err;
    out[0] = .02 * cos(s), out[1] = .01 + .01 * sin(.7 * s), out[2] = .02 * sin(.3 * s);
    return WITHY_OK;
}

/* Changes of linear and angular momentum of a stretched free spring over 400 steps. */
static void free_flight(const char *damping, double nu, double rotary, vec3 *dp, vec3 *dl) {
    spring_case c;
    helix_wire w = TEST_HELIX;
    w.rotary = rotary;
    spring_of(&c, w, FREE, FREE, 32, .1);
    spring_stretch(&c, w, 1.3);
    spring_option(&c, "damping", 0, damping);
    c.rod.damping[WITHY_BEND1] = c.rod.damping[WITHY_BEND2] = c.rod.damping[WITHY_TWIST] =
        withy_field_number(nu);
    c.rod.velocity = (withy_field){.size = 3, .call = tumble};
    spring_make(&c);
    spring_steps(&c, 1);
    const momenta a = momenta_of(&c);
    spring_steps(&c, 400);
    const momenta b = momenta_of(&c);
    *dp = v3_sub(b.p, a.p), *dl = v3_sub(b.l, a.l);
    spring_free(&c);
}

TEST(a_free_spring_keeps_linear_and_angular_momentum) {
    (void)unused_state;
    for (int turns = 0; turns < 2; turns++) {
        vec3 dp, dl;
        free_flight("objective", 0, turns ? .01 : 0, &dp, &dl);
        print_message("I_d = %g: |dP| %.1e, |dL| %.1e\n", turns ? .01 : 0, v3_norm(dp),
                      v3_norm(dl));
        CHECK_BELOW(v3_norm(dp), 3e-11);
        CHECK_BELOW(v3_norm(dl), 3e-11);
    }
}

TEST(objective_damping_keeps_angular_momentum_and_the_dissertations_does_not) {
    (void)unused_state;
    vec3 dp, dl, dl2;
    free_flight("objective", .1, 0, &dp, &dl);
    free_flight("dissertation", .1, 0, &dp, &dl2);
    print_message("|dL| objective %.1e, dissertation %.1e\n", v3_norm(dl), v3_norm(dl2));
    CHECK_BELOW(v3_norm(dl), 3e-11);
    CHECK(v3_norm(dl2) > 1e-5);
}

/* Of the loss in bending, sum nu |dot e|^2, that of the component t . x'', over 60 steps of a spring that swings. */
static double share_along(int n) {
    static wy_kirchhoff_cell before[96];
    spring_case c;
    double along = 0, all = 0;
    spring_of(&c, TEST_HELIX, CLAMPED, CLAMPED, n, .1);
    c.rod.damping[WITHY_BEND1] = c.rod.damping[WITHY_BEND2] = c.rod.damping[WITHY_TWIST] =
        withy_field_number(.1);
    c.problem.gravity = (withy_vec3){.002, 0, -.01};
    spring_make(&c);
    for (int k = 0; k < 60; k++) {
        memcpy(before, c.p->now->cell, (size_t)n * sizeof *before);
        spring_steps(&c, 1);
        for (int j = 0; j < n; j++)
            for (int end = 0; end < 2; end++)
                for (int d = 0; d < 3; d++) {
                    const double rate = c.p->now->cell[j].e[end][d] - before[j].e[end][d];
                    all += rate * rate, along += d == 2 ? rate * rate : 0;
                }
    }
    spring_free(&c);
    return along / all;
}

/* Objective damping damps the third component of the strain too, which vanishes in the rod. */
TEST(the_share_of_t_x_in_the_loss_falls_with_the_fourth_power_of_the_mesh) {
    (void)unused_state;
    const double share[3] = {share_along(24), share_along(48), share_along(96)};
    print_message("share %.2e, %.2e, %.2e of the loss\n", share[0], share[1], share[2]);
    for (int k = 0; k < 2; k++) CHECK_NEAR(log2(share[k] / share[k + 1]), 4, 0.4);
}

static withy_status drive(void *context, double s, double t, double *out, withy_error *err) {
    const double *at = context;
    (void)s, (void)err;
    out[0] = at[0] + .1 * sin(t), out[1] = at[1] + .05 * (1 - cos(2 * t)),
    out[2] = at[2] - .2 * sin(.7 * t);
    return WITHY_OK;
}

static withy_status swing(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    const quat q = q_mul(q_exp(v3(.3 * sin(t), .2 * (1 - cos(t)), .1 * t)),
                         q_from_matrix(m3_frame(*(const vec3 *)context, v3(1, 0, 0))));
    out[0] = q.w, out[1] = q.x, out[2] = q.y, out[3] = q.z;
    return WITHY_OK;
}

static withy_status push(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    out[0] = .01 * cos(t), out[1] = 0, out[2] = .02 * sin(3 * t);
    return WITHY_OK;
}

TEST(work_of_driven_ends_loads_and_losses_balance_to_1e_12) {
    (void)unused_state;
    const withy_end_kind kinds[] = {PINNED, CLAMPED};
    for (int k = 0; k < 8; k++) {
        spring_case c;
        helix_wire w = TEST_HELIX;
        const int cuts = k >= 4;
        w.rotary = k % 4 >= 2 ? .01 : 0;
        spring_of(&c, w, CLAMPED, kinds[k % 2], 24, .05);
        double at[3] = {cos(2 * WY_PI * 3), 0, c.rod.length * sin(w.angle)};
        const withy_shape *rest = &c.rod.rest;
        wy_pose first;
        const double zero = 0;
        wy_shape_poses(&c.rod, rest, 1, &zero, &first, NULL);
        c.rod.end[1].position = (withy_field){.size = 3, .call = drive, .context = at};
        c.rod.end[0].frame = (withy_field){.size = 4, .call = swing, .context = &first.frame.c3};
        c.rod.end[1].moment = withy_field_vector(.01, -.02, .03);
        if (kinds[k % 2] == CLAMPED) c.rod.end[1].moment = (withy_field){0};
        const withy_load load = {.kind = WITHY_LOAD_DISTRIBUTED,
                                 .from = 0,
                                 .to = c.rod.length,
                                 .force = {.size = 3, .call = push}};
        c.rod.load = &load, c.rod.load_count = 1;
        c.rod.damping[WITHY_BEND1] = c.rod.damping[WITHY_BEND2] = withy_field_number(.02);
        c.rod.damping[WITHY_TWIST] = withy_field_number(.01);
        c.problem.gravity = v3(0, 0, -.01);
        spring_make(&c);
        spring_steps(&c, 1);
        const wy_energy_flows begun = c.p->state->halving.ledger; /* the first half step */
        const double start =
            c.p->state->halving.energy - begun.ends - begun.loads + begun.dissipated;
        double worst = 0, size = 0;
        for (int i = 0; i < 200; i++) {
            if (cuts && i % 50 == 20) /* as if Newton had failed twice in the next step */
                c.p->state->halving.cut = 2, c.p->state->halving.ready = 0;
            spring_steps(&c, 1);
            const wy_energy_flows *l = &c.p->state->halving.ledger;
            const double gap =
                c.p->state->halving.energy - start - l->ends - l->loads + l->dissipated;
            worst = worst_of(worst, fabs(gap));
            size = worst_of(size, fabs(l->ends));
        }
        print_message("finish %d, I_d %g: gap %.1e, work of ends %.3f, of loads %.3f, loss %.3f\n",
                      kinds[k % 2], w.rotary, worst, c.p->state->halving.ledger.ends,
                      c.p->state->halving.ledger.loads, c.p->state->halving.ledger.dissipated);
        CHECK_BELOW(worst, 1e-12 * wy_max(1.0, size));
        CHECK(size > 1e-3);
        CHECK((c.p->state->halving.step > 201) == cuts);
        spring_free(&c);
    }
}

/* Positions of a damped stretched spring at t = 12, its step cut to a quarter every 2.4. */
static void cut_positions(double h, int cuts, vec3 x[25]) {
    spring_case c;
    spring_of(&c, TEST_HELIX, CLAMPED, FREE, 24, h);
    spring_stretch(&c, TEST_HELIX, 1.3);
    c.rod.damping[WITHY_BEND1] = c.rod.damping[WITHY_BEND2] = withy_field_number(.05);
    c.rod.damping[WITHY_TWIST] = withy_field_number(.05);
    spring_make(&c);
    for (int i = 0; i < 5; i++) {
        if (cuts && i) c.p->state->halving.cut = 2, c.p->state->halving.ready = 0;
        spring_steps(&c, (int)lround(2.4 / h));
    }
    CHECK_NEAR(withy_sim_time(c.sim), 12, 1e-9);
    memcpy(x, c.p->now->x, 25 * sizeof *x);
    spring_free(&c);
}

/* Errors of h = 0.1, 0.05, 0.025: 3.26e-4, 8.5e-5, 2.1e-5 without cuts, 2.65e-4, 7.7e-5, 2.05e-5 with
 * them; a cut run is the better one, because it is finer for a while. */
TEST(steps_that_change_their_length_leave_the_order_at_two) {
    (void)unused_state;
    vec3 fine[25], x[25];
    double error[2][2];
    cut_positions(.003125, 0, fine);
    for (int cuts = 0; cuts < 2; cuts++)
        for (int k = 0; k < 2; k++) {
            cut_positions(k ? .025 : .05, cuts, x);
            double *most = &error[cuts][k];
            *most = 0;
            for (int j = 0; j <= 24; j++) *most = wy_max(*most, v3_norm(v3_sub(x[j], fine[j])));
        }
    print_message("error %.2e, %.2e with cuts, %.2e, %.2e without\n", error[1][0], error[1][1],
                  error[0][0], error[0][1]);
    CHECK(error[1][0] / error[1][1] > 3.6);
    CHECK(error[1][0] < error[0][0] && error[1][1] < error[0][1]);
}

/* Bounces under its weight, twice as long as its wire can go: Newton fails at full steps. */
TEST(a_hanging_spring_is_cut_through_its_bounce_with_its_energy) {
    (void)unused_state;
    spring_case c;
    helix_wire w = {.bend = 4.9e-3,
                    .twist = 3.27e-3,
                    .rho = .1,
                    .radius = .05,
                    .angle = .0952,
                    .turns = 5,
                    .rotary = 6.25e-7};
    spring_of(&c, w, CLAMPED, FREE, 80, .01);
    c.rod.rest.along = v3(0, 0, -1);
    c.problem.gravity = v3(0, 0, -9.81);
    spring_make(&c);
    spring_steps(&c, 200);
    const withy_stats stats = withy_sim_stats(c.sim);
    print_message("%lld halvings, drift %.1e\n", (long long)stats.halvings, stats.energy_drift);
    CHECK(stats.halvings > 0);
    CHECK(stats.conserves);
    CHECK_BELOW(stats.energy_drift, 1e-11);
    spring_free(&c);
}

TEST(energy_is_constant_with_a_clamp_that_lets_the_section_spin) {
    (void)unused_state;
    spring_case c;
    spring_of(&c, TEST_HELIX, CLAMPED, FREE, 24, .1);
    c.rod.end[0].tangent = withy_field_vector(0, cos(asin(1.3 * sin(.25))), 1.3 * sin(.25));
    c.rod.end[0].turn = WITHY_TURN_FREE;
    spring_stretch(&c, TEST_HELIX, 1.3);
    const double drift = drift_of(&c, 100);
    print_message("drift %.1e (notes 1.1e-13)\n", drift);
    CHECK_BELOW(drift, 1e-11);
}

/* Rotate all data: the answer rotates with them. */
TEST(a_rotated_world_gives_the_rotated_motion) {
    (void)unused_state;
    const quat turn = q_exp(v3(.4, -1.1, .7));
    vec3 x[25];
    double most = 0;
    for (int k = 0; k < 2; k++) {
        spring_case c;
        const quat q = k ? turn : (quat){1, 0, 0, 0};
        spring_of(&c, TEST_HELIX, CLAMPED, FREE, 24, .1);
        spring_stretch(&c, TEST_HELIX, 1.2);
        withy_shape *shape[2] = {&c.rod.rest, &c.rod.initial};
        for (int i = 0; i < 2; i++) {
            shape[i]->from = q_turn(q, shape[i]->from);
            shape[i]->along = q_turn(q, shape[i]->along);
            shape[i]->normal = q_turn(q, shape[i]->normal);
        }
        c.problem.gravity = q_turn(q, v3(.002, 0, -.01));
        spring_make(&c);
        spring_steps(&c, 100);
        for (int j = 0; j <= 24; j++) {
            if (k == 0) x[j] = q_turn(turn, c.p->now->x[j]);
            if (k == 1) most = worst_of(most, v3_norm(v3_sub(x[j], c.p->now->x[j])));
        }
        spring_free(&c);
    }
    print_message("apart %.1e\n", most);
    CHECK_BELOW(most, 1e-10);
}

static withy_status taper(void *context, double s, double t, double *out, withy_error *err) {
    (void)t, (void)err;
    out[0] = *(const double *)context * (1 + .05 * s);
    return WITHY_OK;
}

TEST(a_tapered_wire_conserves_energy_and_rests) {
    (void)unused_state;
    static double bend = 1, twist = .8, mass = 1;
    spring_case c;
    spring_of(&c, TEST_HELIX, CLAMPED, FREE, 24, .1);
    spring_stretch(&c, TEST_HELIX, 1.3);
    c.rod.stiffness[WITHY_BEND1] = c.rod.stiffness[WITHY_BEND2] =
        (withy_field){.size = 1, .call = taper, .context = &bend};
    c.rod.stiffness[WITHY_TWIST] = (withy_field){.size = 1, .call = taper, .context = &twist};
    c.rod.inertia[WITHY_MASS] = (withy_field){.size = 1, .call = taper, .context = &mass};
    const double drift = drift_of(&c, 300);
    print_message("drift %.1e\n", drift);
    CHECK_BELOW(drift, 1e-11);
}

RUN(test(energy_is_constant_over_1000_steps_for_every_pair_of_ends_and_both_energies),
    test(energy_is_constant_with_strong_ends_stretched_1_3_as_in_the_notes),
    test(energy_is_constant_with_weak_ends_stretched_twice),
    test(damped_energy_falls_in_every_step_and_ends_at_0_9135_of_the_start),
    test(a_free_spring_keeps_linear_and_angular_momentum),
    test(objective_damping_keeps_angular_momentum_and_the_dissertations_does_not),
    test(the_share_of_t_x_in_the_loss_falls_with_the_fourth_power_of_the_mesh),
    test(work_of_driven_ends_loads_and_losses_balance_to_1e_12),
    test(steps_that_change_their_length_leave_the_order_at_two),
    test(a_hanging_spring_is_cut_through_its_bounce_with_its_energy),
    test(energy_is_constant_with_a_clamp_that_lets_the_section_spin),
    test(a_rotated_world_gives_the_rotated_motion), test(a_tapered_wire_conserves_energy_and_rests))
