/* The box scheme, its relatives and the notes' own scheme: acceptance numbers of docs/theory/se3.md and independent codes;
 * slow under sanitizers. */
#include <math.h>

#include "check.h"
#include "se3_problems.h"
#include "timoshenko.h"

/* ---- row 6: exact box values ------------------------------------------------------------------- */

static void check_tip(withy_function shape, const char *options, double t, double x, double z) {
    const withy_vec3 tip = se3_tip_at(shape, options, t);
    CHECK_NEAR(tip.x, x, 1e-8);
    CHECK_NEAR(tip.z, z, 1e-8);
    CHECK_NEAR(tip.y, 0, 1e-14);
}

TEST(box_values_of_test_a_are_those_of_two_other_implementations) {
    (void)unused_state;
    check_tip(se3_shape_a, "n=100 dt=0.01", 0.1, -0.0311436057, 0.0941924486);
    check_tip(se3_shape_a, "n=100 dt=0.01", 1.0, -0.0211312686, 0.0976312074);
    check_tip(se3_shape_a, "n=100 dt=0.01", 10.0, -0.0118320542, 0.0989539710);
    check_tip(se3_shape_a, "n=100 dt=0.01 tip=new", 0.1, -0.0277991634, 0.0957508778);
}

TEST(box_values_of_test_c_are_those_of_another_implementation) {
    (void)unused_state;
    check_tip(se3_shape_c, "n=100 dt=0.01", 0.1, -0.0205607746, 0.0975159102);
    check_tip(se3_shape_c, "n=100 dt=0.01", 1.0, -0.0157443589, 0.0985566246);
    check_tip(se3_shape_c, "n=100 dt=0.005", 0.1, -0.0206569852, 0.0974914500);
    check_tip(se3_shape_c, "n=100 dt=0.005", 1.0, -0.0176538418, 0.0981809657);
    check_tip(se3_shape_c, "n=100 dt=0.001", 0.1, -0.0206928938, 0.0974842491);
    check_tip(se3_shape_c, "n=100 dt=0.001", 1.0, -0.0182014513, 0.0980611782);
}

static withy_stats stats_of(withy_function shape, const char *options, double stop) {
    const withy_rod rod = se3_rod(shape, NULL);
    const withy_problem problem = se3_problem(&rod, stop, stop);
    withy_error err = {0};
    withy_sim *sim = NULL;
    CHECK_OK(se3_sim(&problem, options, &sim, &err));
    CHECK_OK(withy_sim_advance(sim, stop, &err));
    const withy_stats stats = withy_sim_stats(sim);
    withy_sim_destroy(sim);
    return stats;
}

TEST(energies_of_the_box_are_those_of_the_page) {
    (void)unused_state;
    CHECK_NEAR(stats_of(se3_shape_a, "n=100 dt=0.01", 0.1).energy_end, 1.502623515879e-3, 1e-15);
    CHECK_NEAR(stats_of(se3_shape_c, "n=100 dt=0.01", 0.1).energy_end, 3.817835473954e-4, 1e-15);
    /* the condition at the new time, from data that do not meet it, costs 28 % in the first step */
    CHECK_NEAR(stats_of(se3_shape_a, "n=100 dt=0.01 tip=new", 0.01).energy_end, 1.0934172248e-3,
               1e-12);
}

/* ---- rows 5 and 12: energy and solvability ----------------------------------------------------- */

TEST(energy_is_kept_to_1e_11_over_ten_thousand_steps) {
    (void)unused_state;
    const withy_stats a = stats_of(se3_shape_a, "n=100 dt=0.01 newton_tol=1e-9", 100);
    CHECK(a.steps == 10000 && a.conserves);
    CHECK_BELOW(a.energy_drift, 1e-11);
    const withy_stats c = stats_of(se3_shape_c, "n=100 dt=0.001", 2);
    CHECK_BELOW(c.energy_drift, 1e-11);
}

TEST(the_box_converges_for_steps_from_a_microsecond_to_a_tenth_of_a_second) {
    (void)unused_state;
    const double dt[] = {1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.05, 0.1};
    const int n[] = {5, 30, 100, 1000};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 7; k++) {
            char options[64];
            snprintf(options, sizeof options, "n=%d dt=%g newton_tol=1e-9", n[i], dt[k]);
            const withy_stats got = stats_of(se3_shape_a, options, (n[i] > 500 ? 20 : 200) * dt[k]);
            CHECK_BELOW(got.iterations_max, 7);
            CHECK_BELOW(got.energy_drift, 1e-11);
        }
}

/* ---- rows 7 to 10: truth, orders, frequencies -------------------------------------------------- */

TEST(test_c_follows_the_truth_of_an_independent_code) {
    (void)unused_state;
    withy_error err = {0};
    double worst[2];
    CHECK_OK(se3_against_truth(se3_shape_c, se3_truth_c, "n=100 dt=0.001", worst, &err));
    CHECK_BELOW(worst[0], 2e-5);
    CHECK_BELOW(worst[1], 4e-6);
}

TEST(test_a_follows_the_truth_as_well_as_its_jump_allows) {
    (void)unused_state;
    withy_error err = {0};
    double worst[2];
    CHECK_OK(se3_against_truth(se3_shape_a, se3_truth_a, "n=100 dt=0.0002", worst, &err));
    CHECK_BELOW(worst[0], 6e-4);
    CHECK_BELOW(worst[1], 6e-4);
}

/* Observed order from n to 2n against a converged limit, t = 0.1, dt = 0.01. */
static double order(const char *scheme, int n) {
    double error[2];
    for (int k = 0; k < 2; k++) {
        char options[64];
        snprintf(options, sizeof options, "n=%d dt=0.01 tip=new scheme=%s", n << k, scheme);
        error[k] = fabs(se3_tip_at(se3_shape_a, options, 0.1).x + 0.027792585);
    }
    return log2(error[0] / error[1]);
}

TEST(space_orders_are_1_for_euler_2_for_the_box_4_for_rk4) {
    (void)unused_state;
    CHECK_NEAR(order("notes", 100), 0.95, 0.1);
    CHECK_NEAR(order("notes", 200), 0.95, 0.1);
    CHECK_NEAR(order("box", 50), 2.0, 0.1);
    CHECK_NEAR(order("box", 100), 2.0, 0.1);
    CHECK_NEAR(order("rk4", 25), 4.05, 0.2);
    CHECK_NEAR(order("rk4", 50), 4.05, 0.2);
}

TEST(rk4_values_are_those_of_the_page) {
    (void)unused_state;
    CHECK_NEAR(se3_tip_at(se3_shape_a, "n=50 dt=0.01 tip=new scheme=rk4", 0.1).x, -0.0277925467,
               2e-10);
    CHECK_NEAR(se3_tip_at(se3_shape_a, "n=100 dt=0.01 tip=new scheme=rk4", 0.1).x, -0.0277925827,
               2e-10);
}

TEST(frequencies_of_the_box_approach_timoshenkos) {
    (void)unused_state;
    withy_error err = {0};
    const double exact[3] = {27.636713, 167.564360, 447.212691};
    const double box[3] = {27.6376, 167.6265, 447.6368}, close[3] = {1e-4, 4e-4, 1e-3};
    double omega[3];
    CHECK_OK(se3_box_frequencies(99, 3, omega, &err));
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(omega[k], box[k], 1e-4); /* digits of the page */
        CHECK_NEAR(omega[k] / exact[k], 1, close[k]);
    }
}

/* Small motion in mode 1: the tip obeys x_{k+1} + x_{k-1} = 2 cos(omega dt) x_k. */
TEST(the_midpoint_rule_shifts_frequencies_to_2_dt_atan_omega_dt_2) {
    (void)unused_state;
    withy_error err = {0};
    double scale = 1e-4, omega = NAN, num = 0, den = 0, x[3] = {0};
    CHECK_OK(se3_box_frequencies(40, 1, &omega, &err));
    const withy_rod rod = se3_rod(se3_shape_c, &scale);
    const withy_problem problem = se3_problem(&rod, 2, 0.01);
    withy_sim *sim = NULL;
    CHECK_OK(se3_sim(&problem, "n=40 dt=0.01", &sim, &err));
    for (int k = 0; k < 200; k++) {
        CHECK_OK(withy_sim_advance(sim, 0.01 * (k + 1), &err));
        x[0] = x[1], x[1] = x[2], x[2] = se3_tip(sim).x;
        if (k >= 2) num += x[1] * (x[0] + x[2]), den += x[1] * x[1];
    }
    withy_sim_destroy(sim);
    const double measured = acos(num / den / 2) / 0.01;
    /* mode 2 is 0.1 % of the signal and weighs (omega_2/omega_1)^2 in the fit */
    CHECK_NEAR(measured / (2 / 0.01 * atan(omega * 0.01 / 2)), 1, 2e-4);
}

/* ---- row 13: dissipation ----------------------------------------------------------------------- */

TEST(backward_differences_lose_what_theory_says_per_period) {
    (void)unused_state;
    withy_error err = {0};
    const double period = 2 * SE3_PI / 27.636713;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            char options[128];
            double e[2];
            snprintf(options, sizeof options, "n=50 dt=%g time=bdf_alpha alpha=%g", se3_loss_dt[k],
                     se3_losses[i].alpha);
            CHECK_OK(se3_energies(options, 1e-3, 0.5, 1.0, e, &err));
            CHECK_NEAR(pow(e[1] / e[0], period / 0.5), se3_losses[i].period[k], 1e-3);
        }
}

TEST(energy_left_after_a_second_is_that_of_the_page) {
    (void)unused_state;
    withy_error err = {0};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            char options[128];
            double e[2];
            snprintf(options, sizeof options, "n=100 dt=%g time=bdf_alpha alpha=%g start=rest",
                     se3_loss_dt[k], se3_losses[i].alpha);
            CHECK_OK(se3_energies(options, 1, 0.5, 1.0, e, &err));
            CHECK_NEAR(e[1] / 3.817835473954e-4, se3_losses[i].second[k], 1e-3);
        }
}

TEST(bdf2_is_bdf_alpha_with_alpha_0) {
    (void)unused_state;
    const withy_vec3 a = se3_tip_at(se3_shape_c, "n=30 dt=0.01 time=bdf2", 0.5);
    const withy_vec3 b = se3_tip_at(se3_shape_c, "n=30 dt=0.01 time=bdf_alpha alpha=0", 0.5);
    CHECK_NEAR(a.x, b.x, 1e-15);
}

/* ---- rows 1 to 4: the notes as written --------------------------------------------------------- */

TEST(the_notes_scheme_gives_the_notes_numbers_and_diverges_near_step_600) {
    (void)unused_state;
    const withy_rod rod = se3_rod(se3_shape_a, NULL);
    const withy_problem problem = se3_problem(&rod, 10, 0.01);
    const double energy[3] = {1.52927106e-3, 1.09388363e-3, 1.06684884e-3};
    withy_error err = {0};
    withy_sim *sim = NULL;
    double low = INFINITY, high = 0;
    int k = 0;
    CHECK_OK(se3_sim(&problem, "n=99 dt=0.01 scheme=notes", &sim, &err));
    for (; k <= 1000; k++) {
        if (withy_sim_advance(sim, 0.01 * k, &err) != WITHY_OK) break;
        const withy_snapshot *snap = withy_sim_sample(sim, 0);
        if (k < 3) CHECK_NEAR(snap->conserved, energy[k], 1e-9);
        if (k == 10) {
            CHECK_NEAR(se3_tip(sim).x, -0.0270661, 2e-6);
            CHECK_NEAR(se3_tip(sim).z, 0.0956655, 2e-6);
        }
        if (k >= 1 && k <= 100)
            low = fmin(low, snap->conserved), high = worst_of(high, snap->conserved);
    }
    CHECK_NEAR(low, 1.02153e-3, 1e-7);
    CHECK_NEAR(high, 1.11525e-3, 1e-7);
    CHECK(k >= 550 && k <= 700);
    CHECK(withy_sim_stats(sim).conserves == 0);
    CHECK(strstr(err.text, "unstable") != NULL);
    CHECK(strstr(withy_sim_notes(sim)->text, "does not conserve energy") != NULL);
    withy_sim_destroy(sim);
}

TEST(shooting_refuses_steps_below_its_window_and_names_the_box) {
    (void)unused_state;
    const withy_rod rod = se3_rod(se3_shape_a, NULL);
    const withy_problem problem = se3_problem(&rod, 1, 0.01);
    withy_error err = {0};
    withy_sim *sim = NULL;
    CHECK(se3_sim(&problem, "n=99 dt=0.00025 scheme=notes", &sim, &err) == WITHY_UNSUPPORTED);
    CHECK_TEXT(
        err.text,
        "se3: scheme = \"notes\" shoots along the rod, where solutions grow by exp(43.8) at "
        "dt = 0.00025; it needs at most exp(30), roughly dt/L >= 2/(30 c) = 0.00365 s/m (now "
        "0.0025); use scheme = \"box\", which has no such limit");
}

/* Above exp(7) single shooting fails for large motions, not for small ones: it runs, and says so. */
TEST(the_notes_scheme_takes_small_steps_where_it_can_and_its_energy_is_their_sum) {
    (void)unused_state;
    double small = 0.01;
    const withy_rod rod = se3_rod(se3_shape_c, &small);
    const withy_problem problem = se3_problem(&rod, 0.06, 0.01);
    withy_error err = {0};
    withy_sim *sim = NULL;
    CHECK_OK(se3_sim(&problem, "n=99 dt=0.001 scheme=notes", &sim, &err));
    CHECK(strstr(withy_sim_notes(sim)->text, "grow by exp(13.1)") != NULL);
    CHECK_OK(withy_sim_advance(sim, 0.06, &err));
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    const withy_energies *e = &snap->energy;
    double sum = 0; /* H: every node counts whole */
    for (int j = 0; j < snap->count; j++)
        sum += 0.5 * SE3_L / 99 * (SE3_EI * snap->bend[j].y * snap->bend[j].y);
    CHECK_NEAR(e->bend, sum, 1e-12 * sum);
    CHECK_NEAR(snap->conserved, e->kinetic + e->bend + e->twist + e->shear + e->stretch,
               1e-15 * snap->conserved);
    withy_sim_destroy(sim);
}

TEST(a_rod_without_shear_stiffness_is_refused) {
    (void)unused_state;
    withy_rod rod = {.name = "rod", .length = 1};
    rod.stiffness[WITHY_BEND1] = rod.stiffness[WITHY_BEND2] = withy_field_number(1);
    rod.inertia[WITHY_MASS] = withy_field_number(1);
    rod.end[0].kind = WITHY_END_CLAMPED;
    const withy_problem problem = se3_problem(&rod, 1, 0.1);
    withy_error err = {0};
    withy_sim *sim = NULL;
    CHECK(se3_sim(&problem, "n=10", &sim, &err) == WITHY_UNSUPPORTED);
    CHECK(strstr(err.text, "rod.stiffness.shear is not given") != NULL);
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void check_refusal(const withy_rod *rod, const char *options, const char *expected) {
    const withy_problem problem = se3_problem(rod, 1, 0.1);
    withy_error err = {0};
    withy_sim *sim = NULL;
    CHECK(se3_sim(&problem, options, &sim, &err) != WITHY_OK);
    CHECK_TEXT(err.text, expected);
}

TEST(what_cannot_be_done_is_refused_with_a_way_out) {
    (void)unused_state;
    withy_rod rod = se3_rod(NULL, NULL);
    check_refusal(&rod, "n=2 scheme=rk4",
                  "options.n = 2: scheme = \"rk4\" interpolates by cubics and needs n >= 3");
    withy_load load[7] = {
        {.kind = WITHY_LOAD_POINT, .from = 0.05, .force = withy_field_vector(1, 0, 0)}};
    rod.load = load, rod.load_count = 1;
    check_refusal(&rod, "n=20 scheme=rk4",
                  "se3: loads[1] acts at a point inside the rod, where scheme = \"rk4\" would lose "
                  "its order; use scheme = \"box\"");
    check_refusal(&rod, "n=20 scheme=notes dt=0.01",
                  "se3: scheme = \"notes\" is a uniform rod, clamped at rest and free, without any "
                  "load, as in the source; use scheme = \"box\"");
    for (int i = 0; i < 7; i++)
        load[i] = (withy_load){.kind = WITHY_LOAD_TENDON,
                               .to = SE3_L,
                               .route = {.size = 2, .value = {0.004, 0}},
                               .displacement = withy_field_number(0)};
    rod.load_count = 7;
    check_refusal(&rod, "n=20",
                  "se3: 7 tendons have a prescribed displacement, at most 6 may; "
                  "give the tension of the others");
    rod.load_count = 0;
    rod.end[1].mass = 0.1;
    check_refusal(&rod, "n=20 tip=new",
                  "options.tip = \"new\" is for a free, massless tip under time = \"midpoint\"; "
                  "leave it out");
    rod.initial = (withy_shape){.kind = WITHY_SHAPE_PLUCK,
                                .along = {0, 0, 1},
                                .at = 0.05,
                                .height = 1e-3,
                                .direction = {1, 0, 0}};
    check_refusal(
        &rod, "n=20",
        "se3: initial.shape is plucked, and a kink has no finite curvature; give a rounded "
        "shape by curve or curvature");
}

TEST(statics_need_a_clamped_start) {
    (void)unused_state;
    withy_rod rod = se3_rod(NULL, NULL);
    rod.end[0].kind = WITHY_END_PINNED;
    const withy_problem problem = se3_problem(&rod, 1, 0.1);
    withy_error err = {0};
    withy_sim *sim = NULL;
    withy_equilibrium at;
    CHECK_OK(se3_sim(&problem, "n=10", &sim, &err));
    CHECK(withy_sim_equilibrium(sim, 1, &at, &err) == WITHY_UNSUPPORTED);
    CHECK_TEXT(err.text,
               "se3: an equilibrium needs a start that is clamped and not free to turn, and "
               "scheme \"box\" or \"rk4\"; clamp the start, or use director");
    withy_sim_destroy(sim);
}

RUN(test(box_values_of_test_a_are_those_of_two_other_implementations),
    test(box_values_of_test_c_are_those_of_another_implementation),
    test(energies_of_the_box_are_those_of_the_page),
    test(energy_is_kept_to_1e_11_over_ten_thousand_steps),
    test(the_box_converges_for_steps_from_a_microsecond_to_a_tenth_of_a_second),
    test(test_c_follows_the_truth_of_an_independent_code),
    test(test_a_follows_the_truth_as_well_as_its_jump_allows),
    test(space_orders_are_1_for_euler_2_for_the_box_4_for_rk4),
    test(rk4_values_are_those_of_the_page), test(frequencies_of_the_box_approach_timoshenkos),
    test(the_midpoint_rule_shifts_frequencies_to_2_dt_atan_omega_dt_2),
    test(backward_differences_lose_what_theory_says_per_period),
    test(energy_left_after_a_second_is_that_of_the_page), test(bdf2_is_bdf_alpha_with_alpha_0),
    test(the_notes_scheme_gives_the_notes_numbers_and_diverges_near_step_600),
    test(shooting_refuses_steps_below_its_window_and_names_the_box),
    test(the_notes_scheme_takes_small_steps_where_it_can_and_its_energy_is_their_sum),
    test(a_rod_without_shear_stiffness_is_refused),
    test(what_cannot_be_done_is_refused_with_a_way_out), test(statics_need_a_clamped_start))
