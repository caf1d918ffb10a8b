/* slow under sanitizers
 *
 * Damping by a named law: of the strains, or of the curve in space as [EL] and [KS] have it. */
#include "check.h"
#include "director_problems.h"

enum { STEPS = 100 };

/* Bend and twist 1, mass 1, length 1; the rest is rigid.  A quarter of a circle in the x-y plane. */
static void quarter(director_problem *x, int law, double nu) {
    memset(x, 0, sizeof *x);
    x->rod = withy_rod_default();
    x->rod.section.kind = WITHY_SECTION_NONE;
    x->rod.length = 1;
    x->rod.stiffness[WITHY_BEND1] = x->rod.stiffness[WITHY_BEND2] = withy_field_number(1);
    x->rod.inertia[WITHY_MASS] = withy_field_number(1);
    x->rod.damping[WITHY_BEND1] = x->rod.damping[WITHY_BEND2] = withy_field_number(nu);
    x->rod.damping_law = law;
    x->rod.initial = (withy_shape){.kind = WITHY_SHAPE_ARC,
                                   .along = {1, 0, 0},
                                   .normal = {0, 1, 0},
                                   .radius = 2 / DIRECTOR_PI};
    x->problem = withy_problem_default();
    x->problem.rod = &x->rod;
}

static withy_sim *started(const director_problem *x, const char *method, const char *options) {
    withy_option option[8];
    withy_sim *sim = NULL;
    withy_error err = {0};
    CHECK_OK(withy_sim_create(&x->problem, method, option, director_parse(options, option, 8), &sim,
                              &err));
    return sim;
}

/* ---- what is lost ------------------------------------------------------------------------------ */

/* Loss per time of the quarter circle that begins to turn with 1 rad/s about z. */
static withy_status turn_about_z(void *context, double s, double t, double *out, withy_error *err) {
    const double angle = s * DIRECTOR_PI / 2, r = 2 / DIRECTOR_PI;
    (void)context, (void)t, (void)err;
    out[0] = -r * (1 - cos(angle)), out[1] = r * sin(angle), out[2] = 0;
    return WITHY_OK;
}

static double loss_rate(int law, int curved) {
    director_problem x;
    withy_error err = {0};
    quarter(&x, law, 1e-9); /* so little that the turn stays rigid */
    x.rod.stiffness[WITHY_BEND1] = x.rod.stiffness[WITHY_BEND2] = withy_field_number(1e-14);
    x.rod.end[0].kind = x.rod.end[1].kind = WITHY_END_FREE;
    x.rod.velocity = (withy_field){.size = 3, .call = turn_about_z};
    x.rod.spin = withy_field_vector(0, 0, 1);
    if (curved) x.rod.rest = x.rod.initial;
    director_times(&x, 1e-4, 1e-4);
    withy_sim *sim = started(&x, "director", "n=4 degree=4 dt=1e-4");
    CHECK_OK(withy_sim_advance(sim, 1e-4, &err));
    const double lost = withy_sim_sample(sim, 0)->dissipated;
    withy_sim_destroy(sim);
    return lost / (1e-9 * 1e-4);
}

TEST(
    a_bent_rod_that_turns_rigidly_loses_nu_kappa2_w2_L_by_the_law_of_elastica_and_nothing_by_that_of_strains) {
    const double kappa = DIRECTOR_PI / 2; /* over nu; w = L = 1 */
    CHECK_NEAR(loss_rate(WITHY_DAMPING_ELASTICA, 0), kappa * kappa, 1e-3 * kappa * kappa);
    CHECK_NEAR(loss_rate(WITHY_DAMPING_DISSERTATION, 0), kappa * kappa, 1e-3 * kappa * kappa);
    CHECK_NEAR(loss_rate(WITHY_DAMPING_STRAIN, 0), 0, 1e-3);
    CHECK_NEAR(loss_rate(WITHY_DAMPING_OWN, 0), 0, 1e-3);
    CHECK_NEAR(loss_rate(WITHY_DAMPING_DISSERTATION, 1), 0, 1e-3); /* x'' = s kappa at rest */
}

TEST(the_ledger_sums_of_the_law_in_space_close_at_every_step_and_it_never_gives) {
    for (int law = WITHY_DAMPING_ELASTICA; law <= WITHY_DAMPING_DISSERTATION; law++) {
        director_problem x;
        withy_error err = {0};
        quarter(&x, law, 0.05);
        x.rod.stiffness[WITHY_TWIST] = withy_field_number(0.7);
        x.rod.damping[WITHY_TWIST] = withy_field_number(0.02);
        if (law == WITHY_DAMPING_DISSERTATION) x.rod.rest = x.rod.initial, x.rod.rest.radius = 2;
        x.problem.gravity = (withy_vec3){0, -3, 4};
        director_times(&x, 4, 0.04);
        withy_sim *sim = started(&x, "director", "n=4 degree=3 dt=0.04");
        double before = 0;
        for (int k = 1; k <= STEPS; k++) {
            CHECK_OK(withy_sim_advance(sim, 0.04 * k, &err));
            const double lost = withy_sim_sample(sim, 0)->dissipated;
            CHECK(lost >= before);
            before = lost;
        }
        CHECK(before > 0.1);
        CHECK_NEAR(withy_sim_stats(sim).energy_drift, 0, 1e-11);
        withy_sim_destroy(sim);
    }
}

/* ---- the same motion by three methods ---------------------------------------------------------- */

static withy_vec3 tip_of(const char *method, int law, const char *options) {
    director_problem x;
    withy_error err = {0};
    quarter(&x, law, 0.3);
    x.rod.end[0].kind = WITHY_END_PINNED;
    x.problem.gravity = (withy_vec3){0, -8, 0};
    director_times(&x, 1, 1);
    withy_sim *sim = started(&x, method, options);
    CHECK_OK(withy_sim_advance(sim, 1, &err));
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    const withy_vec3 tip = snap->position[snap->count - 1];
    withy_sim_destroy(sim);
    return tip;
}

static double apart(withy_vec3 a, withy_vec3 b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

/* Its first step from a shape out of equilibrium is of order one, so 2 f(h) - f(2h). */
static withy_vec3 kirchhoff_tip(int law) {
    const withy_vec3 a = tip_of("kirchhoff", law, "n=40 dt=0.005");
    const withy_vec3 b = tip_of("kirchhoff", law, "n=80 dt=0.0025");
    return (withy_vec3){2 * b.x - a.x, 2 * b.y - a.y, 2 * b.z - a.z};
}

TEST(director_kirchhoff_and_elastica_agree_on_a_damped_pendulum_by_the_same_law) {
    const withy_vec3 e = tip_of("elastica", WITHY_DAMPING_OWN, "n=80 dt=0.0025");
    const withy_vec3 k = kirchhoff_tip(WITHY_DAMPING_ELASTICA);
    const withy_vec3 d = tip_of("director", WITHY_DAMPING_ELASTICA, "n=6 degree=3 dt=0.005");
    const withy_vec3 s = tip_of("director", WITHY_DAMPING_STRAIN, "n=6 degree=3 dt=0.005");
    const withy_vec3 o = kirchhoff_tip(WITHY_DAMPING_STRAIN);
    CHECK_NEAR(apart(e, d), 0, 2e-4); /* both of order two: 1e-4 from their limits */
    CHECK_NEAR(apart(e, k), 0, 5e-4);
    CHECK_NEAR(apart(s, o), 0, 5e-4);
    CHECK(apart(e, s) > 2e-2); /* the laws differ */
}

TEST(about_a_straight_rod_the_laws_are_one_and_modes_decay_as_nu_w_over_2_EI) {
    double ratio[2];
    for (int k = 0; k < 2; k++) {
        director_problem x;
        withy_mode *mode;
        withy_error err = {0};
        quarter(&x, k ? WITHY_DAMPING_ELASTICA : WITHY_DAMPING_STRAIN, 0.01);
        x.rod.initial =
            (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .along = {1, 0, 0}, .normal = {0, 1, 0}};
        withy_sim *sim = started(&x, "director", "n=6 degree=3");
        CHECK_OK(withy_sim_modes(sim, 2, &mode, &err));
        ratio[k] = mode[0].damping;
        CHECK_NEAR(ratio[k], 0.5 * 0.01 * 3.51602, 1e-4); /* w = 3.51602 of a cantilever */
        withy_modes_free(mode, 2);
        withy_sim_destroy(sim);
    }
    CHECK_NEAR(ratio[1], ratio[0], 1e-9);
}

/* ---- refusals ---------------------------------------------------------------------------------- */

static void refused(const director_problem *x, const char *method, const char *says) {
    withy_sim *sim = NULL;
    withy_error err = {0};
    CHECK(withy_sim_create(&x->problem, method, NULL, 0, &sim, &err) != WITHY_OK);
    if (!strstr(err.text, says)) CHECK_TEXT(err.text, says);
    withy_sim_destroy(sim);
}

TEST(a_method_without_the_law_says_so_and_a_law_that_does_not_fit_says_why) {
    director_problem x;
    quarter(&x, WITHY_DAMPING_ELASTICA, 0.1);
    static const char *const others[] = {"se3", "fdtd", "cheb"};
    for (int i = 0; i < 3; i++) refused(&x, others[i], "damping of the rate of x'' in space");
    x.rod.damping_law = WITHY_DAMPING_STRAIN;
    refused(&x, "elastica", "damping of the strains");
    x.rod.damping_law = WITHY_DAMPING_ELASTICA;
    x.rod.rest = x.rod.initial;
    refused(&x, "director", "requires a straight rod.rest");
    x.rod.rest = (withy_shape){.kind = WITHY_SHAPE_STRAIGHT};
    x.rod.damping[WITHY_BEND2] = withy_field_number(0.2);
    refused(&x, "director", "one viscosity");
    x.rod.damping_law = 9;
    refused(&x, "director", "rod.damping.law = 9");
}

RUN(test(
        a_bent_rod_that_turns_rigidly_loses_nu_kappa2_w2_L_by_the_law_of_elastica_and_nothing_by_that_of_strains),
    test(the_ledger_sums_of_the_law_in_space_close_at_every_step_and_it_never_gives),
    test(director_kirchhoff_and_elastica_agree_on_a_damped_pendulum_by_the_same_law),
    test(about_a_straight_rod_the_laws_are_one_and_modes_decay_as_nu_w_over_2_EI),
    test(a_method_without_the_law_says_so_and_a_law_that_does_not_fit_says_why))
