/* test_kirchhoff_curvature.c - transported natural curvature: propositions 3 to 6 of the source;
 * natural spline of (5.30). */
#include "kirchhoff_dense.h"
#include "kirchhoff_problems.h"

/* (3.6): x = (alpha s, beta cos gamma s, beta sin gamma s). */
static const double ALPHA = .3, BETA = 1.7, LENGTH = 20;

static double gamma_of(void) {
    return sqrt(1 - ALPHA * ALPHA) / BETA;
}
static vec3 helix_x(double s) {
    const double g = gamma_of();
    return v3(ALPHA * s, BETA * cos(g * s), BETA * sin(g * s));
}
static vec3 helix_t(double s) {
    const double g = gamma_of();
    return v3(ALPHA, -g * BETA * sin(g * s), g * BETA * cos(g * s));
}
static vec3 helix_m(double s) {
    const double g = gamma_of();
    return v3(0, -g * g * BETA * cos(g * s), -g * g * BETA * sin(g * s));
}

/* exp(a Omega_i), proposition 3. */
static mat3 turn_about_i(double a) {
    return (mat3){v3(1, 0, 0), v3(0, cos(a), sin(a)), v3(0, -sin(a), cos(a))};
}

static mat3 start_columns(void) { /* t, normal, binormal */
    const vec3 t = helix_t(0), n = v3_unit(helix_m(0));
    return (mat3){t, n, v3_cross(t, n)};
}

/* (3.12): r_0(s) = exp(gamma s Omega) r_0(0) exp(-mu s Omega), mu = alpha gamma. */
static mat3 closed_frame(double s) {
    const double g = gamma_of();
    return m3_mulm(turn_about_i(g * s), m3_mulm(start_columns(), turn_about_i(-ALPHA * g * s)));
}

/* (3.17), without its first component, which is zero. */
static void closed_kappa(double s, double k[2]) {
    const double g = gamma_of();
    k[0] = BETA * g * g * cos(ALPHA * g * s), k[1] = BETA * g * g * sin(ALPHA * g * s);
}

static double columns_apart(mat3 a, mat3 b) {
    return wy_max(v3_norm(v3_sub(a.c1, b.c1)),
                  wy_max(v3_norm(v3_sub(a.c2, b.c2)), v3_norm(v3_sub(a.c3, b.c3))));
}

/* r' = (x' x x'') x r, (3.3), one Runge-Kutta step. */
static vec3 slope_of(double s, vec3 r) {
    return v3_cross(v3_cross(helix_t(s), helix_m(s)), r);
}
static vec3 rk4(double s, double h, vec3 r) {
    const vec3 a = slope_of(s, r), b = slope_of(s + h / 2, v3_axpy(r, h / 2, a));
    const vec3 c = slope_of(s + h / 2, v3_axpy(r, h / 2, b)), d = slope_of(s + h, v3_axpy(r, h, c));
    return v3_axpy(r, h / 6, v3_add(v3_add(a, d), v3_scale(2, v3_add(b, c))));
}

static double kappa_error(vec3 s1, vec3 s2, double s) {
    double k[2];
    closed_kappa(s, k);
    return hypot(v3_dot(s1, helix_m(s)) - k[0], v3_dot(s2, helix_m(s)) - k[1]);
}

TEST(proposition_3_exponential_of_a_turn_about_i) {
    (void)unused_state;
    for (double a = -3; a <= 3; a += .37) {
        /* sum the series of exp(a Omega_i) */
        mat3 sum = m3_identity(), term = sum;
        const mat3 omega = {v3(0, 0, 0), v3(0, 0, a), v3(0, -a, 0)};
        for (int k = 1; k < 40; k++) {
            term = m3_mulm(term, omega);
            term = (mat3){v3_scale(1.0 / k, term.c1), v3_scale(1.0 / k, term.c2),
                          v3_scale(1.0 / k, term.c3)};
            sum = (mat3){v3_add(sum.c1, term.c1), v3_add(sum.c2, term.c2), v3_add(sum.c3, term.c3)};
        }
        CHECK_BELOW(columns_apart(sum, turn_about_i(a)), 2e-14);
    }
}

TEST(proposition_5_and_6_closed_frame_and_curvature_of_the_helix) {
    (void)unused_state;
    double frame = 0, kappa = 0;
    mat3 r = start_columns();
    enum { FINE = 20000 };
    for (int i = 0; i < FINE; i++) {
        const double s = LENGTH * i / FINE, h = LENGTH / FINE;
        r = (mat3){rk4(s, h, r.c1), rk4(s, h, r.c2), rk4(s, h, r.c3)};
        const mat3 f = closed_frame(s + h);
        frame = worst_of(frame, columns_apart(r, f));
        kappa = worst_of(kappa, kappa_error(f.c2, f.c3, s + h));
        CHECK_BELOW(v3_norm(v3_sub(f.c1, helix_t(s + h))), 2e-15);
    }
    print_message("(3.12) against Runge-Kutta %.1e, (3.17) against (3.12) %.1e\n", frame, kappa);
    CHECK_BELOW(frame, 1e-12);
    CHECK_BELOW(kappa, 1e-14);
}

TEST(transports_have_the_errors_and_orders_of_the_notes) {
    (void)unused_state;
    const double expected[3][4] = {{3.1e-5, 1.9e-6, 1.1e-7, 7.1e-9},
                                   {5.1e-7, 3.2e-8, 2.0e-9, 1.2e-10},
                                   {6.7e-3, 1.7e-3, 4.2e-4, 1.0e-4}};
    const char *name[3] = {"RK4", "double reflection", "minimal rotation"};
    for (int k = 0; k < 4; k++) {
        const int n = 50 << k;
        double error[3] = {0};
        mat3 r = start_columns();
        vec3 a = r.c2, b = r.c3;
        wy_pose pose[401];
        mat3 small = {r.c2, r.c3, r.c1};
        for (int j = 0; j <= n; j++)
            pose[j] = (wy_pose){helix_x(LENGTH * j / n), {.c3 = helix_t(LENGTH * j / n)}};
        pose[0].frame = small;
        wy_frames_along(n + 1, pose);
        for (int j = 1; j <= n; j++) {
            const double s = LENGTH * j / n, h = LENGTH / n;
            a = rk4(s - h, h, a), b = rk4(s - h, h, b);
            small = m3_mulm(m3_between(small.c3, pose[j].frame.c3), small);
            error[0] = worst_of(error[0], kappa_error(a, b, s));
            error[1] = worst_of(error[1], kappa_error(pose[j].frame.c1, pose[j].frame.c2, s));
            error[2] = worst_of(error[2], kappa_error(small.c1, small.c2, s));
        }
        for (int i = 0; i < 3; i++) {
            print_message("N = %3d %-17s %.1e (notes %.1e)\n", n, name[i], error[i],
                          expected[i][k]);
            CHECK_NEAR(error[i] / expected[i][k], 1.0, .1);
        }
    }
}

TEST(the_model_gives_the_closed_form_for_helices_and_fourth_order_for_curves) {
    (void)unused_state;
    const double g = gamma_of();
    withy_rod rod = {.name = "helix", .length = LENGTH};
    rod.rest = (withy_shape){.kind = WITHY_SHAPE_HELIX,
                             .from = {0, BETA, 0},
                             .along = {1, 0, 0},
                             .normal = {0, 1, 0},
                             .radius = BETA,
                             .pitch = 2 * WY_PI * ALPHA / g};
    double most = 0;
    for (int j = 0; j <= 100; j++) {
        const double s = LENGTH * j / 100;
        double e[1][WITHY_STRAINS], k[2];
        wy_shape_strains(&rod, &rod.rest, 1, &s, e, NULL);
        closed_kappa(s, k);
        /* d1(0) points away from the axis, the source's second column towards it */
        most = worst_of(most, hypot(-e[0][WITHY_BEND2] - k[0], e[0][WITHY_BEND1] - k[1]));
    }
    print_message("wy_shape_strains against (3.17): %.1e\n", most);
    CHECK_BELOW(most, 1e-12);
}

/* The literal (5.30), x'' = 0 at both ends: the end tangent is first order wrong. */
TEST(a_natural_spline_has_a_first_order_error_of_the_end_tangent) {
    (void)unused_state;
    const double expected[3] = {.216, .112, .056};
    double before = 0;
    for (int k = 0; k < 3; k++) {
        const int n = 24 << k;
        double x[3 * 97], r[9 * 97], kappa[2 * 97];
        rig_helix(n, 1, .25, 3, 1, x, r, kappa);
        const rig_setup setup = {.n = n, .length = 6 * WY_PI / cos(.25), .x = x, .r = r};
        dense d;
        dense_make(&d, &setup);
        memset(&d.level[1][3 * (n + 1)], 0, 6 * sizeof(double)); /* k_0 = k_N = 0 */
        const vec3 t = dense_apply(&d, d.d1, d.level[1], 0);
        const double error = v3_norm(v3_sub(t, v3(0, cos(.25), sin(.25))));
        print_message("N = %d: %.3f (notes %.3f)\n", n, error, expected[k]);
        CHECK_NEAR(error / expected[k], 1.0, .08); /* theirs after projection */
        if (k) CHECK_NEAR(log2(before / error), 1.0, .1);
        before = error;
        dense_free(&d);
    }
}

/* Start energies of weak ends at N = 48, 96. */
TEST(weak_ends_start_with_the_small_energy_of_the_notes) {
    (void)unused_state;
    const double expected[2] = {.0022, 1.0e-4};
    for (int k = 0; k < 2; k++) {
        spring_case c;
        spring_of(&c, TEST_HELIX, WITHY_END_PINNED, WITHY_END_PINNED, 48 << k, .1);
        spring_option(&c, "kappa", 0, "pointwise");
        spring_option(&c, "energy", 0, "quadratic");
        spring_make(&c);
        const double v = wy_kirchhoff_potential(c.p, c.p->now);
        print_message("N = %d: V = %.2e (notes %.2e)\n", 48 << k, v, expected[k]);
        CHECK_BELOW(v, 1.5 * expected[k]);
        spring_free(&c);
    }
}

/* A spring pulled straight carries |kappa| = cos^2 a / r in every section, the free end included, and
 * turning at the rate of its torsion; strains are not it. */
TEST(the_carried_natural_curvature_is_that_of_the_rest_shape_up_to_the_free_end) {
    (void)unused_state;
    const double k = cos(.25) * cos(.25), mu = sin(.25) * cos(.25);
    for (int moved = 0; moved < 2; moved++) {
        spring_case c;
        spring_of(&c, TEST_HELIX, WITHY_END_CLAMPED, WITHY_END_FREE, 48, .05);
        c.rod.initial =
            (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .along = {1, 0, 0}, .normal = {0, 1, 0}};
        spring_option(&c, "kappa", 0, "pointwise");
        spring_make(&c);
        if (moved) spring_steps(&c, 20);
        const withy_snapshot *snap = withy_sim_sample(c.sim, 0);
        CHECK(snap->have & WITHY_HAVE_KAPPA);
        double first = 0;
        for (int j = 0; j <= 48; j++) {
            const vec3 own = m3_tmul(q_matrix(snap->frame[j]), snap->kappa[j]);
            const double at = atan2(own.y, own.x) - mu * snap->s[j];
            if (j == 0) first = at;
            CHECK_NEAR(v3_norm(snap->kappa[j]), k, 1e-12);
            CHECK_BELOW(fabs(own.z), 1e-12);
            CHECK_BELOW(fabs(sin(at - first)), 1e-10); /* (3.17) */
        }
        spring_free(&c);
    }
}

RUN(test(the_carried_natural_curvature_is_that_of_the_rest_shape_up_to_the_free_end),
    test(proposition_3_exponential_of_a_turn_about_i),
    test(proposition_5_and_6_closed_frame_and_curvature_of_the_helix),
    test(transports_have_the_errors_and_orders_of_the_notes),
    test(the_model_gives_the_closed_form_for_helices_and_fourth_order_for_curves),
    test(a_natural_spline_has_a_first_order_error_of_the_end_tangent),
    test(weak_ends_start_with_the_small_energy_of_the_notes))
