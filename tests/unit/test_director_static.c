/* Equilibria of the director method: closed forms, orders, stability, limit points. */
#include "base/vec.h"
#include "check.h"
#include "director_problems.h"

static withy_sim *solve(const director_problem *x, const char *options, double factor,
                        withy_equilibrium *at) {
    withy_error err = {0};
    withy_sim *sim = NULL;
    CHECK_OK(director_start(x, options, &sim, &err));
    CHECK_OK(withy_sim_equilibrium(sim, factor, at, &err));
    return sim;
}

static withy_vec3 tip_of(const director_problem *x, const char *options, withy_equilibrium *at) {
    withy_sim *sim = solve(x, options, 1.0, at);
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    const withy_vec3 tip = now->position[now->count - 1];
    withy_sim_destroy(sim);
    return tip;
}

static void mesh(char *text, size_t size, int n, int degree) {
    snprintf(text, size, "n=%d degree=%d", n, degree);
}

/* ---- closed forms ------------------------------------------------------------------------------- */

/* Inextensible cantilever under a dead end force P (L = EI = 1): Bisshopp and Drucker, elliptic
 * integrals; own evaluation for P = 10, Mattiasson (1981) for the others. */
TEST(a_dead_force_gives_the_elastica_of_bisshopp_and_drucker) {
    (void)unused_state;
    const double expected[4][3] = {{1, 0.30172077, 0.05643324},
                                   {2, 0.49345748, 0.16064170},
                                   {5, 0.71379152, 0.38762839},
                                   {10, 0.81060902, 0.55499560}};
    for (int k = 0; k < 4; k++) {
        director_problem x;
        withy_equilibrium at;
        director_s4(&x, 1e-4);
        x.rod.end[1].force = withy_field_vector(0, expected[k][0], 0);
        const withy_vec3 tip = tip_of(&x, "n=8 degree=4", &at);
        CHECK_NEAR(tip.y, expected[k][1], 2e-7);
        CHECK_NEAR(1 - tip.x, expected[k][2], 2e-7);
        CHECK(at.negative == 0);
    }
}

/* docs/theory/director.md, section 6 */
TEST(the_force_10_at_slenderness_1e_4_matches_the_page_to_1e_7) {
    (void)unused_state;
    director_problem x;
    withy_equilibrium at;
    director_s4(&x, 1e-4);
    x.rod.end[1].force = withy_field_vector(0, 10, 0);
    const withy_vec3 tip = tip_of(&x, "n=8 degree=4", &at);
    CHECK_NEAR(tip.y, 0.81060907, 1e-8);
    CHECK_NEAR(1 - tip.x, 0.55499561, 1e-8);
    CHECK_BELOW(at.iterations, 47); /* the prototype's count */
}

static double circle_error(int n, int degree) {
    director_problem x;
    withy_equilibrium at;
    char options[64];
    director_s4(&x, 0.01);
    x.rod.end[1].moment = withy_field_vector(0, 0, 2 * DIRECTOR_PI);
    mesh(options, sizeof options, n, degree);
    withy_sim *sim = solve(&x, options, 1.0, &at);
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    const withy_quat q = now->frame[now->count - 1], first = now->frame[0];
    const withy_quat turn = q_mul(q, q_conj(first));
    withy_sim_destroy(sim);
    return 2 * fabs(atan2(sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z), fabs(turn.w)));
}

/* Tip angle; 4.4e-7 at degree 4, n = 8 (docs/theory/director.md). */
TEST(an_end_moment_closes_the_circle_with_order_2p) {
    (void)unused_state;
    CHECK_NEAR(circle_error(8, 4), 4.4e-7, 1e-7);
    CHECK_NEAR(circle_error(8, 3), 1.7e-4, 2e-5);
    CHECK_NEAR(circle_error(16, 2), 1.9e-3, 2e-4);
    CHECK_NEAR(circle_error(80, 1), 0.0261, 1e-3);
    for (int p = 1; p <= 4; p++) {
        const int n = p == 1 ? 40 : 8;
        const double order = log2(circle_error(n, p) / circle_error(2 * n, p));
        CHECK(order > 2 * p - 0.2);
    }
}

/* ---- follower force ------------------------------------------------------------------------------ */

/* In the frame of the tip the force is fixed, so the rod is an initial value problem from the tip:
 * theta'' = -P cos(theta), theta = theta' = 0 there; inextensible, EI = L = 1. */
static void follower_truth(double force, double *x, double *y) {
    enum { STEPS = 20000 };
    const double h = 1.0 / STEPS;
    double theta = 0, rate = 0, px = 0, py = 0;
    for (int i = 0; i < STEPS;
         i++) { /* Simpson for the place, Stoermer-Verlet is not enough: RK4 */
        const double k1 = rate, l1 = -force * cos(theta);
        const double k2 = rate + 0.5 * h * l1, l2 = -force * cos(theta + 0.5 * h * k1);
        const double k3 = rate + 0.5 * h * l2, l3 = -force * cos(theta + 0.5 * h * k2);
        const double k4 = rate + h * l3, l4 = -force * cos(theta + h * k3);
        const double next = theta + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
        const double middle = theta + 0.5 * h * (k1 + 0.25 * h * (l1 + l2) / 1.0);
        px += h / 6 * (cos(theta) + 4 * cos(middle) + cos(next));
        py += h / 6 * (sin(theta) + 4 * sin(middle) + sin(next));
        rate += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
        theta = next;
    }
    /* from the tip back to the clamp is (px, py) in axes of the tip; seen from the clamp: */
    const double c = cos(theta), s = sin(theta);
    *x = c * px + s * py, *y = s * px - c * py;
}

static double follower_error(int n, int degree) {
    director_problem x;
    withy_equilibrium at;
    char options[64];
    double wx, wy;
    director_s4(&x, 1e-4);
    x.rod.end[1].force = withy_field_vector(5, 0, 0); /* along d1 = y */
    x.rod.end[1].follower = 1;
    mesh(options, sizeof options, n, degree);
    const withy_vec3 tip = tip_of(&x, options, &at);
    CHECK(at.negative == -1); /* no potential: the pivots do not decide stability */
    follower_truth(5, &wx, &wy);
    return hypot(tip.x - wx, fabs(tip.y) - fabs(wy));
}

TEST(a_follower_force_bends_the_rod_as_the_initial_value_problem_says_with_order_2p) {
    (void)unused_state;
    CHECK_BELOW(follower_error(8, 4), 2e-7); /* shear and stretch at r/L = 1e-4: 5e-8 */
    for (int p = 1; p <= 3; p++) {
        const int n = p == 1 ? 40 : p == 2 ? 6 : 3;
        CHECK(log2(follower_error(n, p) / follower_error(2 * n, p)) > 2 * p - 0.25);
    }
}

/* ---- heavy elastica --------------------------------------------------------------------------------- */

/* w L^3/EI = 20, clamped level: order 2p against degree 4 on a fine mesh. */
static withy_vec3 heavy_tip(int n, int degree) {
    director_problem x;
    withy_equilibrium at;
    char options[64];
    director_s4(&x, 1e-3);
    const double line = DIRECTOR_PI * 1e-6; /* rho A */
    x.problem.gravity = (withy_vec3){0, -20 / line, 0};
    mesh(options, sizeof options, n, degree);
    const withy_vec3 tip = tip_of(&x, options, &at);
    CHECK(at.negative == 0);
    return tip;
}

TEST(the_heavy_cantilever_converges_with_order_2p) {
    (void)unused_state;
    const withy_vec3 truth = heavy_tip(24, 4);
    for (int p = 1; p <= 3; p++) {
        const int n = p == 1 ? 20 : p == 2 ? 6 : 3;
        const double a = v3_norm(v3_sub(heavy_tip(n, p), truth));
        const double b = v3_norm(v3_sub(heavy_tip(2 * n, p), truth));
        CHECK(log2(a / b) > 2 * p - 0.4);
    }
}

TEST(the_supports_carry_what_hangs_on_them) {
    (void)unused_state;
    director_problem x;
    withy_equilibrium at;
    director_s4(&x, 1e-2);
    const double weight = DIRECTOR_PI * 1e-4 * 3;
    x.problem.gravity = (withy_vec3){0, -3, 0};
    x.rod.end[1].force = withy_field_vector(0.1, 0.2, 0.3);
    withy_sim *sim = solve(&x, "n=4 degree=3", 1.0, &at);
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    CHECK_NEAR(now->reaction[0].x, -0.1, 1e-9);
    CHECK_NEAR(now->reaction[0].y, weight - 0.2, 1e-9);
    CHECK_NEAR(now->reaction[0].z, -0.3, 1e-9);
    withy_sim_destroy(sim);
}

/* ---- stability ------------------------------------------------------------------------------------- */

/* 10 EI/L^2 is four Euler loads of a cantilever: two unstable directions, one in each plane. */
TEST(a_straight_column_above_its_euler_load_has_two_negative_pivots) {
    (void)unused_state;
    director_problem x;
    withy_equilibrium at;
    director_s4(&x, 1e-3);
    x.rod.end[1].force = withy_field_vector(-10, 0, 0);
    for (int p = 1; p <= 3; p += 2) {
        withy_sim *sim = solve(&x, p == 1 ? "n=20 degree=1" : "n=6 degree=3", 0.24, &at);
        withy_error err = {0};
        CHECK(at.negative == 0); /* 2.4 < pi^2/4 */
        CHECK_OK(withy_sim_equilibrium(sim, 0.26, &at, &err));
        CHECK(at.negative == 2);
        CHECK(at.mark == WITHY_POINT_BRANCH);
        CHECK_OK(withy_sim_equilibrium(sim, 1.0, &at, &err));
        CHECK(at.negative == 2);
        withy_sim_destroy(sim);
    }
}

/* A shallow arch, clamped, loaded at the crown: the load turns back at the limit point and again at
 * the second one, and the arch ends hanging on the other side. */
static void arch(director_problem *x) {
    const double half = 0.25;
    director_plain(x, 2 * half, 0.01, 1e9, 4e8, 1000);
    x->rod.section = (withy_section){.kind = WITHY_SECTION_RECTANGLE,
                                     .a = withy_field_number(0.004),
                                     .b = withy_field_number(0.04),
                                     .shear_factor = 1};
    x->rod.initial.kind = WITHY_SHAPE_NONE;
    x->rod.rest = (withy_shape){.kind = WITHY_SHAPE_ARC,
                                .radius = 1,
                                .from = {-sin(half), 0, 0},
                                .along = {cos(half), 0, sin(half)},
                                .normal = {sin(half), 0, -cos(half)}};
    director_ends(x, WITHY_END_CLAMPED, WITHY_END_CLAMPED);
    x->load[0] = (withy_load){
        .kind = WITHY_LOAD_POINT, .from = half, .force = withy_field_vector(0, 0, -20)};
    x->rod.load_count = 1;
}

TEST(arc_length_leads_a_shallow_arch_through_its_limit_points) {
    (void)unused_state;
    director_problem x;
    withy_equilibrium at;
    withy_error err = {0};
    arch(&x);
    withy_sim *sim = solve(&x, "n=12 degree=3", 0.0, &at);
    int limits = 0;
    double largest = 0, crown = 0;
    for (int k = 0; k < 400 && limits < 2; k++) {
        CHECK_OK(withy_sim_follow(sim, 0.02, 1.0, &at, &err));
        limits += at.mark == WITHY_POINT_LIMIT;
        largest = worst_of(largest, at.factor);
        const withy_snapshot *now = withy_sim_sample(sim, 0);
        crown = now->position[now->count / 2].z;
    }
    CHECK(limits == 2);
    CHECK(crown < 0);
    CHECK(at.factor < largest);
    for (int k = 0; k < 30; k++) CHECK_OK(withy_sim_follow(sim, 0.02, 1.0, &at, &err));
    CHECK(at.negative == 0); /* stable again on the other side */
    withy_sim_destroy(sim);
}

/* The same points by both ways. */
TEST(arc_length_and_natural_continuation_agree) {
    (void)unused_state;
    director_problem x;
    withy_equilibrium at;
    withy_error err = {0};
    director_s4(&x, 1e-2);
    x.rod.end[1].force = withy_field_vector(0, 5, 0);
    withy_sim *a = solve(&x, "n=4 degree=3", 0.0, &at);
    for (int k = 0; k < 5; k++) CHECK_OK(withy_sim_follow(a, 0.2, 1.0, &at, &err));
    const withy_snapshot *now = withy_sim_sample(a, 0);
    const withy_vec3 tip = now->position[now->count - 1];
    withy_sim *b = solve(&x, "n=4 degree=3", at.factor, &at);
    now = withy_sim_sample(b, 0);
    CHECK_BELOW(v3_norm(v3_sub(now->position[now->count - 1], tip)), 1e-9);
    withy_sim_destroy(a);
    withy_sim_destroy(b);
}

/* ---- held ends ---------------------------------------------------------------------------------------- */

static withy_status approach(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    out[0] = 1 - 0.4 * t, out[1] = out[2] = 0;
    return WITHY_OK;
}

TEST(a_path_moves_an_end) {
    (void)unused_state;
    director_problem x;
    withy_equilibrium at;
    director_s4(&x, 1e-2);
    director_ends(&x, WITHY_END_CLAMPED, WITHY_END_CLAMPED);
    x.rod.end[1].position = (withy_field){.size = 3, .call = approach};
    x.load[0] =
        (withy_load){.kind = WITHY_LOAD_POINT, .from = 0.5, .force = withy_field_vector(0, 1, 0)};
    x.rod.load_count = 1;
    withy_sim *sim = solve(&x, "n=8 degree=3", 1.0, &at);
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    CHECK_NEAR(now->position[now->count - 1].x, 0.6, 1e-15);
    CHECK(now->position[now->count / 2].y > 0.2);
    CHECK(at.negative == 0);
    withy_sim_destroy(sim);
}

TEST(a_rod_that_nothing_holds_has_no_statics) {
    (void)unused_state;
    director_problem x;
    withy_sim *sim;
    withy_equilibrium at;
    withy_error err = {0};
    director_rod_t(&x);
    director_ends(&x, WITHY_END_FREE, WITHY_END_FREE);
    CHECK_OK(director_start(&x, "n=2", &sim, &err));
    CHECK(withy_sim_equilibrium(sim, 1, &at, &err) == WITHY_UNSUPPORTED);
    CHECK_TEXT(err.text,
               "director: the rod is not supported (no end is clamped, pinned or on a spring), "
               "so its equilibrium is not unique; hold an end, or compute its motion from an "
               "initial shape (withy run)");
    withy_sim_destroy(sim);
}

TEST(a_run_in_time_can_start_from_an_equilibrium) {
    (void)unused_state;
    director_problem x;
    withy_equilibrium at;
    withy_error err = {0};
    director_rod_t(&x);
    x.problem.gravity = (withy_vec3){0, -9.81, 0};
    director_times(&x, 1, 0.1);
    withy_sim *sim = solve(&x, "n=4 degree=3 dt=0.01", 1.0, &at);
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    const withy_vec3 tip = now->position[now->count - 1];
    CHECK_OK(withy_sim_advance(sim, 1.0, &err));
    now = withy_sim_sample(sim, 0);
    CHECK_BELOW(v3_norm(v3_sub(now->position[now->count - 1], tip)), 1e-10);
    withy_sim_destroy(sim);
}

RUN(test(a_dead_force_gives_the_elastica_of_bisshopp_and_drucker),
    test(the_force_10_at_slenderness_1e_4_matches_the_page_to_1e_7),
    test(an_end_moment_closes_the_circle_with_order_2p),
    test(a_follower_force_bends_the_rod_as_the_initial_value_problem_says_with_order_2p),
    test(the_heavy_cantilever_converges_with_order_2p), test(the_supports_carry_what_hangs_on_them),
    test(a_straight_column_above_its_euler_load_has_two_negative_pivots),
    test(arc_length_leads_a_shallow_arch_through_its_limit_points),
    test(arc_length_and_natural_continuation_agree), test(a_path_moves_an_end),
    test(a_rod_that_nothing_holds_has_no_statics),
    test(a_run_in_time_can_start_from_an_equilibrium))
