/* test_kirchhoff_modes.c - frequencies, and the hourglass mode (docs/theory/kirchhoff.md) of
 * the bare strain energy.
 * (slow under sanitizers) */
#include "kirchhoff_problems.h"

#define PINNED WITHY_END_PINNED
#define CLAMPED WITHY_END_CLAMPED

enum { COUNT = 12 };

typedef struct spectrum {
    double omega[COUNT];
    double
        axial[COUNT]; /* (mean axial motion)^2 / mean motion^2: largest in the first surge mode */
} spectrum;

static spectrum modes_of(helix_wire w, withy_end_kind end, const char *energy, const char *kappa,
                         int n) {
    spring_case c;
    withy_error err = {0};
    withy_equilibrium at;
    withy_mode *mode;
    spectrum out;
    spring_of(&c, w, end, end, n, .1);
    spring_option(&c, "energy", 0, energy);
    spring_option(&c, "kappa", 0, kappa);
    spring_make(&c);
    CHECK_OK(withy_sim_equilibrium(c.sim, 1.0, &at, &err));
    CHECK_OK(withy_sim_modes(c.sim, COUNT, &mode, &err));
    for (int k = 0; k < COUNT; k++) {
        double all = 0, axial = 0;
        out.omega[k] = 2 * WY_PI * mode[k].frequency;
        for (int j = 0; j <= n; j++) {
            const vec3 d = mode[k].shift[j];
            all += v3_dot(d, d), axial += d.z;
        }
        out.axial[k] = axial * axial / (all * (n + 1));
    }
    withy_modes_free(mode, COUNT);
    spring_free(&c);
    return out;
}

/* The first surge mode: all turns move the same way along the axis. */
static double surge_of(helix_wire w, int n) {
    const spectrum s = modes_of(w, CLAMPED, "quadratic", "pointwise", n);
    int best = 0;
    for (int k = 0; k < COUNT; k++)
        if (s.axial[k] > s.axial[best]) best = k;
    return s.omega[best];
}

static double surge_formula(helix_wire w) {
    return WY_PI / wire_length(w) / w.radius * sqrt(w.twist / w.rho);
}

static helix_wire wire(double angle, double turns) {
    return (helix_wire){1, angle, turns, 1, 1 / 1.3, 1, 0};
}

static void check_surge(helix_wire w, int n, double formula, double spectral, const double error[4],
                        double tolerance) {
    double before = 0;
    CHECK_NEAR(surge_formula(w), formula, 5e-8);
    for (int k = 0; k < 4; k++) {
        const double got = surge_of(w, n << k), e = got / spectral - 1;
        print_message("a = %g, n = %g, N = %4d: %.7f, error %+.2e (notes %+.2e), order %.2f\n",
                      w.angle, w.turns, n << k, got, e, error[k], k ? log2(before / e) : NAN);
        CHECK_NEAR(e / error[k], 1.0, tolerance);
        before = e;
    }
}

TEST(surge_frequency_of_four_turns_converges_to_the_spectral_value) {
    (void)unused_state;
    const double error[4] = {-2.96e-2, -7.09e-3, -1.75e-3, -4.36e-4};
    check_surge(wire(.15, 4), 64, .1084012, .1038803, error, .01);
}

TEST(surge_frequency_of_ten_turns_converges_to_the_spectral_value) {
    (void)unused_state;
    const double error[4] = {-2.9e-2, -6.6e-3, -1.6e-3, -4.0e-4};
    check_surge(wire(.08, 10), 160, .0437126, .0429224, error, .04);
}

TEST(surge_frequencies_of_long_springs_are_those_of_the_notes) {
    (void)unused_state;
    const struct {
        double angle, turns, formula, value, tolerance;
    } row[] = {{.08, 8, .0546408, .0539745, 2e-5},
               {.04, 8, .0547723, .0544697, 2e-5},
               {.04, 14, .0312984, .031203, 2e-5},
               {.08, 14, .0312233, .0313871, 2e-5}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const helix_wire w = wire(row[i].angle, row[i].turns);
        const int n = (int)(32 * row[i].turns);
        const double coarse = surge_of(w, n), fine = surge_of(w, 2 * n),
                     limit = fine + (fine - coarse) / 3;
        print_message("a = %g, n = %g: formula %.7f (notes %.7f), Richardson %.7f (notes %.7f)\n",
                      w.angle, w.turns, surge_formula(w), row[i].formula, limit, row[i].value);
        CHECK_NEAR(surge_formula(w), row[i].formula, 1e-7);
        CHECK_NEAR(limit, row[i].value, row[i].tolerance);
    }
}

TEST(pinned_helix_has_the_four_frequencies_of_the_notes) {
    (void)unused_state;
    const double expected[4] = {.0952189, .0971878, .1039350, .1116747};
    const double error[4] = {-2.9e-4, -3.6e-4, 2.4e-4, 5.6e-4};
    const spectrum s =
        modes_of((helix_wire){1, .25, 3, 1, 1 / 1.3, 1, 0}, PINNED, "quadratic", "pointwise", 384);
    CHECK_BELOW(fabs(s.omega[0]), 1e-4); /* turning about the chord is free */
    for (int k = 0; k < 4; k++) {
        const double e = s.omega[k + 1] / expected[k] - 1;
        print_message("mode %d: %.7f, error %+.1e (notes %+.1e)\n", k + 1, s.omega[k + 1], e,
                      error[k]);
        CHECK_NEAR(e, error[k], 2e-5);
    }
}

TEST(the_bare_strain_energy_has_a_soft_mode_that_does_not_go_away_with_n) {
    (void)unused_state;
    for (int n = 48; n <= 96; n *= 2) {
        const spectrum bare = modes_of(TEST_HELIX, CLAMPED, "bare", "discrete", n);
        const spectrum full = modes_of(TEST_HELIX, CLAMPED, "strain", "discrete", n);
        const spectrum quadratic = modes_of(TEST_HELIX, CLAMPED, "quadratic", "discrete", n);
        print_message("N = %d: lowest %.5f bare, %.5f strain, %.5f quadratic\n", n, bare.omega[0],
                      full.omega[0], quadratic.omega[0]);
        CHECK(bare.omega[0] < 0.3 * quadratic.omega[0]);
        CHECK_NEAR(full.omega[0] / quadratic.omega[0], 1.0, 1e-4);
    }
}

/* Release the first mode and count: cos(Omega h) = 1/(1 + omega^2 h^2/2). */
TEST(a_released_mode_swings_at_its_frequency_with_the_correction_of_the_step) {
    (void)unused_state;
    const helix_wire w = wire(.15, 4);
    enum { N = 64 };
    spring_case c;
    withy_error err = {0};
    withy_mode *mode;
    const double h = .5;
    spring_of(&c, w, CLAMPED, CLAMPED, N, h);
    spring_make(&c);
    CHECK_OK(withy_sim_modes(c.sim, 1, &mode, &err));
    const vec3 *shape = mode->shift;
    const double omega = 2 * WY_PI * mode->frequency;
    /* start with the velocity of the mode, small enough to be linear */
    double most = 0;
    for (int j = 0; j <= N; j++) most = worst_of(most, v3_norm(shape[j]));
    for (int j = 0; j <= N; j++) c.p->v0[j] = v3_scale(1e-4 / most, shape[j]);
    c.p->state->halving.ready = 0;
    double before = 0, first = 0, last = 0, t = 0;
    int crossings = 0;
    vec3 x0[N + 1];
    memcpy(x0, c.p->now->x, sizeof x0);
    while (crossings < 25) {
        spring_steps(&c, 1);
        double along = 0;
        for (int j = 0; j <= N; j++)
            along += c.p->mass[j] * v3_dot(v3_sub(c.p->now->x[j], x0[j]), shape[j]);
        t += h;
        if (before * along < 0) {
            const double at = t - h * along / (along - before);
            if (!crossings++) first = at;
            last = at;
        }
        before = along;
    }
    const double got = WY_PI * (crossings - 1) / (last - first);
    const double expected = acos(1 / (1 + .5 * omega * omega * h * h)) / h;
    print_message("Omega %.7f, predicted %.7f, ratio - 1 = %.1e\n", got, expected,
                  got / expected - 1);
    CHECK_NEAR(got / expected, 1.0, 8.5e-4); /* the largest value of an independent code */
    withy_modes_free(mode, 1);
    spring_free(&c);
}

/* A heavy mass guided on a spring: omega^2 = k/(M + m/3). */
TEST(a_mass_on_a_spring_bounces_at_its_textbook_frequency) {
    (void)unused_state;
    const helix_wire w = wire(.1, 8);
    spring_case c;
    withy_error err = {0};
    withy_equilibrium at;
    withy_mode *mode;
    spring_of(&c, w, CLAMPED, WITHY_END_GUIDED, 8 * 64, .1);
    c.rod.end[1].mass = 20 * c.rod.length;
    spring_make(&c);
    CHECK_OK(withy_sim_equilibrium(c.sim, 1.0, &at, &err));
    withy_figure f;
    double stiff = NAN;
    for (int i = 0; withy_sim_figure(c.sim, i, &f); i++)
        if (strcmp(f.name, "stiffness") == 0) stiff = f.value;
    CHECK_OK(withy_sim_modes(c.sim, 3, &mode, &err));
    double got = 0, best = 0;
    for (int k = 0; k < 3; k++) {
        const double axial = fabs(mode[k].shift[mode[k].count - 1].z);
        if (axial > best) best = axial, got = 2 * WY_PI * mode[k].frequency;
    }
    const double expected = sqrt(stiff / (c.rod.end[1].mass + c.rod.length / 3));
    print_message("omega %.6f, textbook %.6f\n", got, expected);
    CHECK_NEAR(got / expected, 1.0, 5e-3);
    withy_modes_free(mode, 3);
    spring_free(&c);
}

RUN(test(surge_frequency_of_four_turns_converges_to_the_spectral_value),
    test(surge_frequency_of_ten_turns_converges_to_the_spectral_value),
    test(surge_frequencies_of_long_springs_are_those_of_the_notes),
    test(pinned_helix_has_the_four_frequencies_of_the_notes),
    test(the_bare_strain_energy_has_a_soft_mode_that_does_not_go_away_with_n),
    test(a_released_mode_swings_at_its_frequency_with_the_correction_of_the_step),
    test(a_mass_on_a_spring_bounces_at_its_textbook_frequency))
