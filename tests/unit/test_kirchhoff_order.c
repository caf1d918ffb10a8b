/* test_kirchhoff_order.c - orders, choice of frame, robustness.
 * (slow under sanitizers) */
#include "kirchhoff_dense.h"
#include "kirchhoff_problems.h"

#define PINNED WITHY_END_PINNED
#define CLAMPED WITHY_END_CLAMPED
#define FREE WITHY_END_FREE

/* Position of the middle of a stretched, damped spring at time t. */
static vec3 middle_at(withy_end_kind end, int n, double h, double t, double nu, const char *start) {
    spring_case c;
    spring_of(&c, TEST_HELIX, end, end, n, h);
    spring_stretch(&c, TEST_HELIX, 1.3);
    spring_option(&c, "start", 0, start);
    c.rod.damping[WITHY_BEND1] = c.rod.damping[WITHY_BEND2] = c.rod.damping[WITHY_TWIST] =
        withy_field_number(nu);
    spring_make(&c);
    spring_steps(&c, (int)(t / h + .5));
    const vec3 x = c.p->now->x[n / 2];
    spring_free(&c);
    return x;
}

TEST(the_method_is_of_second_order_in_time_with_both_starts) {
    (void)unused_state;
    const char *starts[2] = {"one-step", "paper"};
    for (int s = 0; s < 2; s++) {
        vec3 x[5];
        for (int k = 0; k < 5; k++) x[k] = middle_at(PINNED, 24, .1 / (1 << k), 2, .05, starts[s]);
        for (int k = 0; k < 3; k++) {
            const double ratio =
                v3_norm(v3_sub(x[k], x[k + 1])) / v3_norm(v3_sub(x[k + 1], x[k + 2]));
            print_message("%s, h = %g: ratio %.2f\n", starts[s], .1 / (1 << k), ratio);
            /* the paper's start contains no damping: unresolved modes blur its order at small steps */
            CHECK_NEAR(ratio, 4.0, s == 0 ? .1 : k < 2 ? .3 : 1.5);
        }
    }
}

TEST(the_method_is_of_second_order_in_space) {
    (void)unused_state;
    const withy_end_kind ends[2] = {PINNED, CLAMPED};
    for (int e = 0; e < 2; e++) {
        vec3 x[4];
        for (int k = 0; k < 4; k++) x[k] = middle_at(ends[e], 48 << k, .1, 2, .05, "one-step");
        for (int k = 0; k < 2; k++) {
            const double ratio =
                v3_norm(v3_sub(x[k], x[k + 1])) / v3_norm(v3_sub(x[k + 1], x[k + 2]));
            print_message("%s, N = %d: ratio %.2f\n", e ? "clamped" : "pinned", 48 << k, ratio);
            CHECK(ratio > 3.5);
        }
    }
}

/* Raw data of the stretched helix with its frames turned by `by` about t, and kappa with them. */
static void turned_helix(int n, double by, double *x, double *r, double *kappa) {
    rig_helix(n, 1, .25, 1, 1.3, x, r, kappa);
    const double c = cos(by), d = sin(by);
    for (int j = 0; j <= n; j++) {
        for (int i = 0; i < 3; i++) {
            const double s1 = r[9 * j + 3 * i + 1], s2 = r[9 * j + 3 * i + 2];
            r[9 * j + 3 * i + 1] = c * s1 + d * s2, r[9 * j + 3 * i + 2] = c * s2 - d * s1;
        }
        const double k1 = kappa[2 * j], k2 = kappa[2 * j + 1];
        kappa[2 * j] = c * k1 + d * k2, kappa[2 * j + 1] = c * k2 - d * k1;
    }
}

TEST(turning_the_frames_with_the_curvature_changes_nothing) {
    (void)unused_state;
    enum { N = 16 };
    vec3 first[N + 1];
    const double by[3] = {0, .7, 2.5};
    for (int k = 0; k < 3; k++) {
        double x[3 * (N + 1)], r[9 * (N + 1)], kappa[2 * (N + 1)];
        turned_helix(N, by[k], x, r, kappa);
        const rig_setup setup = {.ends = {PINNED, PINNED},
                                 .n = N,
                                 .length = 2 * WY_PI / cos(.25),
                                 .h = .1,
                                 .sigma = 1,
                                 .ct = .8,
                                 .rho = 1,
                                 .energy = WY_KIRCHHOFF_QUADRATIC,
                                 .kappa = kappa,
                                 .x = x,
                                 .r = r};
        rig_settle(&setup, x, r);
        rig g;
        rig_make(&g, &setup);
        for (int i = 0; i < 200; i++) rig_step(&g);
        if (k == 0) memcpy(first, g.p.now->x, sizeof first);
        const double apart = positions_apart(&g.p, first, g.p.now->x);
        print_message("turned by %.1f: apart %.1e (notes 1.8e-13, 4.1e-13)\n", by[k], apart);
        CHECK_BELOW(apart, 1e-11);
        rig_free(&g);
    }
}

TEST(a_left_handed_frame_gives_the_same_motion_in_the_multiplier_form) {
    (void)unused_state;
    enum { N = 12 };
    double x[3 * (N + 1)], r[9 * (N + 1)], kappa[2 * (N + 1)], right[3 * (N + 1)];
    rig_helix(N, 1, .25, 1, 1.3, x, r, kappa);
    const rig_setup setup = {.ends = {PINNED, PINNED},
                             .n = N,
                             .length = 2 * WY_PI / cos(.25),
                             .h = .1,
                             .sigma = 1,
                             .ct = .8,
                             .rho = 1,
                             .energy = WY_KIRCHHOFF_QUADRATIC,
                             .kappa = kappa,
                             .x = x,
                             .r = r};
    rig_settle(&setup, x, r);
    double apart = 0;
    for (int hand = 0; hand < 2; hand++) {
        dense d;
        dense_make(&d, &setup);
        for (int i = 0; i < 20; i++) CHECK(dense_step(&d) > 0);
        for (int i = 0; i < 3 * (N + 1); i++) {
            if (!hand) right[i] = d.level[1][i];
            apart = worst_of(apart, fabs(d.level[1][i] - right[i]));
        }
        dense_free(&d);
        for (int j = 0; j <= N; j++) {
            kappa[2 * j + 1] = -kappa[2 * j + 1];
            for (int i = 0; i < 3; i++) r[9 * j + 3 * i + 2] = -r[9 * j + 3 * i + 2];
        }
    }
    print_message("apart %.1e\n", apart);
    CHECK_BELOW(apart, 1e-12);
}

/* ---- robustness ------------------------------------------------------------------- */

TEST(weak_ends_take_steps_from_0_5_to_100_when_stretched_1_3) {
    (void)unused_state;
    const double h[] = {.5, 5, 30, 100};
    for (size_t k = 0; k < sizeof h / sizeof *h; k++) {
        spring_case c;
        spring_of(&c, TEST_HELIX, PINNED, PINNED, 48, h[k]);
        spring_stretch(&c, TEST_HELIX, 1.3);
        spring_make(&c);
        spring_steps(&c, 60);
        const withy_stats stats = withy_sim_stats(c.sim);
        print_message("h = %g: at most %d iterations, drift %.1e\n", h[k], stats.iterations_max,
                      stats.energy_drift);
        CHECK_BELOW(stats.energy_drift, 1e-12);
        spring_free(&c);
    }
}

TEST(weak_ends_take_steps_up_to_5_when_stretched_three_times) {
    (void)unused_state;
    const double h[] = {.1, 1, 5};
    for (size_t k = 0; k < sizeof h / sizeof *h; k++) {
        spring_case c;
        spring_of(&c, TEST_HELIX, PINNED, PINNED, 48, h[k]);
        spring_stretch(&c, TEST_HELIX, 3.0);
        spring_make(&c);
        spring_steps(&c, 60);
        const withy_stats stats = withy_sim_stats(c.sim);
        print_message("h = %g: at most %d iterations, drift %.1e\n", h[k], stats.iterations_max,
                      stats.energy_drift);
        CHECK_BELOW(stats.energy_drift, 1e-12);
        spring_free(&c);
    }
}

/* Strong ends are known to fail here; the failure must be reported, without a jump in energy.
 * */
TEST(strong_ends_stretched_three_times_run_clean_or_stop_with_a_cause) {
    (void)unused_state;
    const double rotary[2] = {0, .01};
    for (int k = 0; k < 2; k++) {
        spring_case c;
        withy_error err = {0};
        helix_wire w = TEST_HELIX;
        w.rotary = rotary[k];
        spring_of(&c, w, PINNED, PINNED, 48, .1);
        spring_stretch(&c, w, 3.0);
        spring_option(&c, "ends", 0, "strong");
        if (withy_sim_create(&c.problem, "kirchhoff", c.option, c.options, &c.sim, &err) ==
            WITHY_OK) {
            const withy_status status = withy_sim_advance(c.sim, 10, &err);
            const withy_stats stats = withy_sim_stats(c.sim);
            print_message("I_d = %g: %lld steps, drift %.1e; %s\n", rotary[k],
                          (long long)stats.steps, stats.energy_drift,
                          status ? err.text : "ran to the end");
            CHECK_BELOW(stats.energy_drift, 1e-10);
            CHECK(status == WITHY_OK || strstr(err.text, "options.dt"));
        }
        spring_free(&c);
    }
}

TEST(a_nearly_straight_pinned_spring_runs_up_to_a_chord_of_0_9999) {
    (void)unused_state;
    const double chord[] = {.99, .999, .9999};
    for (int k = 0; k < 3; k++) {
        helix_wire w = TEST_HELIX;
        w.turns = 1;
        spring_case c;
        spring_of(&c, w, PINNED, PINNED, 32, .1);
        spring_stretch(&c, w, chord[k] / sin(w.angle));
        spring_make(&c);
        spring_steps(&c, 60);
        const withy_stats stats = withy_sim_stats(c.sim);
        print_message("chord %.4f L: at most %d iterations, drift %.1e\n", chord[k],
                      stats.iterations_max, stats.energy_drift);
        CHECK_BELOW(stats.energy_drift, 1e-10);
        spring_free(&c);
    }
}

/* Massless twist: an error of 0.05 rad alternates as +, 0, -, 0, + ... for ever. */
TEST(a_massless_twist_error_rings_with_period_four_steps_and_inertia_or_damping_resolves_it) {
    (void)unused_state;
    enum { N = 16 };
    for (int damped = 0; damped < 2; damped++) {
        double x[3 * (N + 1)], r[9 * (N + 1)], kappa[2 * (N + 1)];
        rig_helix(N, 1, .25, 1, 1, x, r, kappa);
        rig_setup setup = {.ends = {CLAMPED, CLAMPED},
                           .n = N,
                           .length = 2 * WY_PI / cos(.25),
                           .h = .01,
                           .sigma = 1,
                           .ct = .8,
                           .rho = 1,
                           .energy = WY_KIRCHHOFF_QUADRATIC,
                           .nu_twist = damped ? .02 : 0,
                           .start = WY_KIRCHHOFF_PAPER,
                           .kappa = kappa,
                           .x = x,
                           .r = r};
        rig_settle(&setup, x, r);
        rig g;
        rig_make(&g, &setup);
        const mat3 rest = g.p.now->frame[N / 2];
        const mat3 spun = {v3_add(v3_scale(cos(.05), rest.c1), v3_scale(sin(.05), rest.c2)),
                           v3_sub(v3_scale(cos(.05), rest.c2), v3_scale(sin(.05), rest.c1)),
                           rest.c3};
        g.p.now->frame[N / 2] = spun;
        wy_kirchhoff_strains(&g.p, g.p.now);
        double read[41];
        for (int k = 0; k <= 40; k++) {
            read[k] = asin(v3_dot(rest.c2, g.p.now->frame[N / 2].c1));
            if (k < 40) rig_step(&g);
        }
        print_message("nu_2 = %g: %+.4f %+.4f %+.4f %+.4f ... %+.4f\n", setup.nu_twist, read[0],
                      read[1], read[2], read[3], read[40]);
        if (!damped) CHECK_NEAR(read[1], 0, 1e-3);
        if (!damped) CHECK_NEAR(read[2], -.05, 1e-3);
        if (!damped) CHECK_NEAR(read[40], .05, 1e-3);
        if (damped) CHECK_BELOW(fabs(read[40]), .02);
        rig_free(&g);
    }
}

RUN(test(the_method_is_of_second_order_in_time_with_both_starts),
    test(the_method_is_of_second_order_in_space),
    test(turning_the_frames_with_the_curvature_changes_nothing),
    test(a_left_handed_frame_gives_the_same_motion_in_the_multiplier_form),
    test(weak_ends_take_steps_from_0_5_to_100_when_stretched_1_3),
    test(weak_ends_take_steps_up_to_5_when_stretched_three_times),
    test(strong_ends_stretched_three_times_run_clean_or_stop_with_a_cause),
    test(a_nearly_straight_pinned_spring_runs_up_to_a_chord_of_0_9999),
    test(a_massless_twist_error_rings_with_period_four_steps_and_inertia_or_damping_resolves_it))
