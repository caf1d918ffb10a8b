/* Linear systems about an equilibrium (withy/linear.h): what they predict, and what they refuse. */
#include <stdlib.h>

#include "base/base.h"
#include "check.h"
#include "numeric/eigen/eigen.h"
#include "numeric/linear/linear.h"
#include "withy/withy.h"

/* A wire with a weight at its end, pulled by a tendon and pushed by a force, sagging. */
#define WIRE(method, n, load) WIRE_STEP(method, n, "0.001", load)
#define WIRE_STEP(method, n, dt, load)                                                             \
    "return { rod = { length = 0.2, section = circle { diameter = 1e-3 }, "                        \
    "material = { young = 60e9, shear = 23e9, density = 6450 }, "                                  \
    "inertia = { mass = 0.05, rotary = 2e-6 }, damping = { time = 0.005 } }, "                     \
    "gravity = { 0, 0, -9.81 }, initial = { shape = straight { along = { 0, 0, 1 }, "              \
    "normal = { 1, 0, 0 } } }, " load ", time = { stop = 1, output = 0.1 }, "                      \
    "probes = { tip = { at = 0.2, what = \"position\" }, velocity = { at = 0.15, what = "          \
    "\"velocity\" } }, method = \"" method "\", options = { n = " n ", dt = " dt " } }"
#define TENDON                                                                                     \
    "ends = { start = clamped {}, finish = free { mass = 2e-3 } }, loads = { tendon { "            \
    "route = { 8e-3, 0 }, tension = input \"pull\" } }"
#define FORCE "ends = { start = clamped {}, finish = free { force = { input \"push\", 0, 0 } } }"

typedef struct bench {
    withy_scene *scene;
    withy_sim *sim;
} bench;

static withy_status make(const char *text, bench *b, withy_error *err) {
    *b = (bench){0};
    withy_status status =
        withy_scene_read_text(text, strlen(text), "test.lua", NULL, 0, &b->scene, err);
    if (status == WITHY_MISSING) skip();
    if (status == WITHY_OK) status = withy_scene_sim(b->scene, NULL, &b->sim, err);
    return status;
}

static bench need(const char *text) {
    bench b;
    withy_error err = {0};
    if (make(text, &b, &err) != WITHY_OK) fail_msg("%s", err.text);
    return b;
}

static void drop(bench *b) {
    withy_sim_destroy(b->sim);
    withy_scene_destroy(b->scene);
}

static void set(withy_sim *sim, const char *name, double value) {
    withy_error err = {0};
    if (withy_sim_input(sim, name, value, &err) != WITHY_OK) fail_msg("%s", err.text);
}

static void rest(withy_sim *sim) {
    withy_error err = {0};
    withy_equilibrium point;
    if (withy_sim_rest(sim, 1, &point, &err) != WITHY_OK) fail_msg("%s", err.text);
}

static withy_linear *linear_of(withy_sim *sim, int modes) {
    withy_linear *lin = NULL;
    withy_error err = {0};
    const withy_status status = withy_sim_linearise(sim, modes, &lin, &err);
    if (status == WITHY_UNSUPPORTED && strstr(err.text, "without LAPACK")) skip();
    if (status != WITHY_OK) fail_msg("%s", err.text);
    return lin;
}

static withy_vec3 tip(withy_sim *sim) {
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    return snap->position[snap->count - 1];
}

/* x <- x + h (A (x + x1)/2 + B u): the trapezoidal rule, as the methods step. */
typedef struct stepper {
    int n;
    double *left, *right, *x;
    int *pivot;
} stepper;

static stepper step_of(const withy_linear *lin, double h) {
    const int n = lin->states;
    const size_t square = (size_t)n * (size_t)n;
    stepper s = {n, calloc(square, sizeof(double)), calloc(square, sizeof(double)),
                 calloc(2 * (size_t)n, sizeof(double)), calloc((size_t)n, sizeof(int))};
    for (int i = 0; i < n * n; i++) {
        const double one = i / n == i % n;
        s.left[i] = one - 0.5 * h * lin->a[i], s.right[i] = one + 0.5 * h * lin->a[i];
    }
    CHECK(wy_lu_factor(n, n, s.left, s.pivot));
    return s;
}

static void advance(stepper *s, const withy_linear *lin, int input, double h, double u) {
    double *next = s->x + s->n;
    for (int i = 0; i < s->n; i++) {
        next[i] = h * lin->b[i * lin->inputs + input] * u;
        for (int k = 0; k < s->n; k++) next[i] += s->right[i * s->n + k] * s->x[k];
    }
    wy_lu_solve(s->n, s->n, s->left, s->pivot, next);
    memcpy(s->x, next, (size_t)s->n * sizeof *next);
}

static double output(const withy_linear *lin, const double *x, int row, int input, double u) {
    double y = lin->d[row * lin->inputs + input] * u;
    for (int k = 0; k < lin->states; k++) y += lin->c[row * lin->states + k] * x[k];
    return y;
}

/* Largest error of the predicted tip over 100 ms after a step u of the tension, over the largest motion. */
static double mistake(withy_sim *sim, const withy_linear *lin, double u) {
    const double h = 1e-3;
    withy_error err = {0};
    withy_sim *copy = NULL;
    stepper s = step_of(lin, h);
    double worst = 0, most = 0;
    CHECK(withy_sim_fork(sim, &copy, &err) == WITHY_OK);
    set(copy, lin->input_name[0], lin->u0[0] + u);
    for (int k = 1; k <= 100; k++) {
        if (withy_sim_advance(copy, k * h, &err) != WITHY_OK) fail_msg("%s", err.text);
        advance(&s, lin, 0, h, u);
        const withy_vec3 at = tip(copy);
        const double moved[3] = {at.x - lin->y0[0], at.y - lin->y0[1], at.z - lin->y0[2]};
        for (int i = 0; i < 3; i++) {
            worst = fmax(worst, fabs(moved[i] - output(lin, s.x, i, 0, u)));
            most = fmax(most, fabs(moved[i]));
        }
    }
    withy_sim_destroy(copy);
    free(s.left), free(s.right), free(s.x), free(s.pivot);
    return worst / most;
}

static void check_prediction(const char *text) {
    bench b = need(text);
    set(b.sim, "pull", 2);
    rest(b.sim);
    const uint64_t before = withy_sim_hash(b.sim);
    withy_linear *lin = linear_of(b.sim, 12);
    CHECK(withy_sim_hash(b.sim) == before);
    const double large = mistake(b.sim, lin, 0.2), small = mistake(b.sim, lin, 0.02);
    printf("  steps of 0.2 and 0.02 N: relative errors %.2e, %.2e\n", large, small);
    CHECK_BELOW(large, 0.1);
    CHECK_NEAR(large / small, 10, 1.5); /* what is left out is of second order */
    withy_linear_free(lin);
    drop(&b);
}

TEST(the_error_of_a_predicted_step_response_falls_with_the_size_of_the_step) {
    check_prediction(WIRE("director", "8", TENDON));
    check_prediction(WIRE("se3", "20", TENDON));
}

/* D - C A^-1 B, the answer to a constant input. */
static void gain_of(const withy_linear *lin, int input, double *gain) {
    const int n = lin->states;
    double a[32 * 32], x[32] = {0};
    int pivot[32];
    CHECK(n <= 32);
    memcpy(a, lin->a, (size_t)n * (size_t)n * sizeof *a);
    for (int i = 0; i < n; i++) x[i] = -lin->b[i * lin->inputs + input];
    CHECK(wy_lu_factor(n, n, a, pivot));
    wy_lu_solve(n, n, a, pivot, x);
    for (int i = 0; i < 3; i++) gain[i] = output(lin, x, i, input, 1);
}

static void check_gain(const char *text, const char *input, double u, double h) {
    bench b = need(text);
    set(b.sim, input, u);
    rest(b.sim);
    withy_linear *lin = linear_of(b.sim, 3);
    CHECK_TEXT(lin->input_name[0], input);
    CHECK_TEXT(lin->output_name[1], "tip.y");
    double gain[3];
    gain_of(lin, 0, gain);
    withy_vec3 at[2];
    for (int k = 0; k < 2; k++) {
        set(b.sim, input, u + (k ? h : -h));
        rest(b.sim);
        at[k] = tip(b.sim);
    }
    const double expected[3] = {(at[1].x - at[0].x) / (2 * h), (at[1].y - at[0].y) / (2 * h),
                                (at[1].z - at[0].z) / (2 * h)};
    const double size = fmax(fabs(expected[0]), fmax(fabs(expected[1]), fabs(expected[2])));
    for (int i = 0; i < 3; i++) CHECK_NEAR(gain[i], expected[i], 2e-5 * size);
    withy_linear_free(lin);
    drop(&b);
}

TEST(the_gain_of_a_constant_input_is_that_of_the_equilibria_in_every_method) {
    check_gain(WIRE("director", "8", TENDON), "pull", 2, 1e-3);
    check_gain(WIRE("se3", "20", TENDON), "pull", 2, 1e-3);
    check_gain(WIRE("director", "8", FORCE), "push", 0.1, 1e-4);
    check_gain(WIRE("se3", "20", FORCE), "push", 0.1, 1e-4);
    check_gain(WIRE_STEP("cheb", "16", "\"auto\"", FORCE), "push", 0.1, 1e-4);
    check_gain(WIRE("kirchhoff", "20", FORCE), "push", 0.1, 1e-4);
    check_gain(WIRE_STEP("fdtd", "20", "\"auto\"", FORCE), "push", 0.1, 1e-4);
}

/* Of the first four modes: the largest distance of a mode from the nearest pole of A. */
static double pole_error(const withy_linear *lin, const withy_mode *mode) {
    const int n = lin->states;
    double a[32 * 32], re[32], im[32], vector[32 * 32], worst = 0;
    memcpy(a, lin->a, (size_t)n * (size_t)n * sizeof *a);
    if (!wy_eigen_general(n, a, re, im, vector)) skip();
    for (int k = 0; k < 4; k++) {
        double near = INFINITY;
        const double omega = 2 * WY_PI * mode[k].frequency, size = hypot(omega, mode[k].growth);
        for (int i = 0; i < n; i++)
            near = fmin(near, hypot(re[i] - mode[k].growth, im[i] - omega) / size);
        worst = fmax(worst, near);
    }
    return worst;
}

/* The undamped shapes are not quite those of the damped modes: more of them come closer. */
TEST(the_poles_converge_to_the_damped_modes) {
    bench b = need(WIRE("director", "8", TENDON));
    withy_error err = {0};
    withy_mode *mode = NULL;
    set(b.sim, "pull", 2);
    rest(b.sim);
    CHECK(withy_sim_modes(b.sim, 4, &mode, &err) == WITHY_OK);
    double error[3];
    for (int k = 0; k < 3; k++) {
        withy_linear *lin = linear_of(b.sim, (const int[]){4, 8, 16}[k]);
        error[k] = pole_error(lin, mode);
        withy_linear_free(lin);
    }
    printf("  4, 8, 16 modes: relative errors of the first four poles %.1e %.1e %.1e\n", error[0],
           error[1], error[2]);
    CHECK_BELOW(error[1], 0.5 * error[0]);
    CHECK_BELOW(error[2], 0.5 * error[1]);
    CHECK_BELOW(error[2], 1e-4);
    withy_modes_free(mode, 4);
    drop(&b);
}

/* ---- networks -------------------------------------------------------------------------------------------- */

#define FORK                                                                                       \
    "local rods, joints = {}, {} for k = 1, 2 do rods[k] = { name = \"finger\" .. k, "             \
    "length = 0.08, section = circle { diameter = 0.01 }, material = { young = 1e6, poisson = "    \
    "0.45, density = 1100 }, damping = { time = 0.01 }, initial = { shape = straight { from = { "  \
    "0.03 * (2 * k - 3), 0, 0 }, along = { 0, 0, -1 }, normal = { 3 - 2 * k, 0, 0 } } }, ends = "  \
    "{ start = free {}, finish = free {} }, loads = { tendon { route = { 4e-3, 0 }, tension = "    \
    "input (\"grip\" .. k) } } } joints[k] = weld { parts = { \"palm\", \"finger\" .. k }, at = "  \
    "{ { 0.03 * (2 * k - 3), 0, -0.01 }, 0 } } end joints[3] = slider { parts = { \"ground\", "    \
    "\"palm\" }, at = { { 0, 0, 0.01 }, { 0, 0, 0 } }, axis = { 0, 0, 1 }, spring = 500, "         \
    "damping = 2 } return { rods = rods, joints = joints, bodies = { { name = \"palm\", mass = "   \
    "0.2, inertia = { 1e-4, 1e-4, 1e-4 }, position = { 0, 0, 0.01 } } }, gravity = { 0, 0, -9.81 " \
    "}, time = { stop = 1, output = 0.1 }, probes = { tip = { rod = \"finger1\", at = 0.08, what " \
    "= \"position\" }, wrist = { body = \"palm\", what = \"position\" } }, method = "              \
    "\"director\", "                                                                               \
    "options = { n = 6, dt = 0.001 } }"

TEST(fingers_on_a_palm_have_a_linear_system_with_the_palm_as_an_output) {
    bench b = need(FORK);
    set(b.sim, "grip1", 0.5);
    set(b.sim, "grip2", 0.5);
    rest(b.sim);
    withy_linear *lin = linear_of(b.sim, 40);
    CHECK(lin->inputs == 2 && lin->outputs == 6);
    CHECK_TEXT(lin->output_name[5], "wrist.z");
    const double large = mistake(b.sim, lin, 0.1), small = mistake(b.sim, lin, 0.01);
    printf("  steps of 0.1 and 0.01 N: relative errors %.2e, %.2e\n", large, small);
    CHECK_BELOW(large, 0.1);
    CHECK_NEAR(large / small, 10, 3);
    const withy_parts *parts = withy_sim_parts(b.sim);
    CHECK_NEAR(lin->y0[5], parts->body[0].position.z, 1e-12);
    withy_linear_free(lin);
    drop(&b);
}

/* ---- refusals -------------------------------------------------------------------------------------------- */

static void check_refused(const char *text, double until, int modes, const char *says) {
    bench b = need(text);
    withy_error err = {0};
    withy_linear *lin = NULL;
    if (until > 0) set(b.sim, "pull", 1);
    if (until > 0 && withy_sim_advance(b.sim, until, &err) != WITHY_OK) fail_msg("%s", err.text);
    CHECK(withy_sim_linearise(b.sim, modes, &lin, &err) != WITHY_OK);
    if (!strstr(err.text, says)) fail_msg("says \"%s\"", err.text);
    CHECK(!lin);
    drop(&b);
}

TEST(what_has_no_linear_system_is_reported_so) {
    check_refused(WIRE("director", "4", TENDON), 0.05, 4, "the rod moves at");
    check_refused(WIRE("director", "4", FORCE), 0, 0, "at least 1");
    check_refused(WIRE("director", "4", FORCE), 0, 4000, "the mesh has only");
    check_refused(
        WIRE("director", "4", "ends = { start = clamped { position = { input \"base\", 0, 0 } } }"),
        0, 4, "input \"base\" moves an end");
    check_refused("return { rod = { length = 1, stiffness = { bend = 1, twist = 1 }, inertia = { "
                  "mass = 1 } }, ends = { start = clamped {} }, time = { stop = 1 }, "
                  "initial = { shape = straight { along = { 1, 0, 0 } } }, "
                  "probes = { f = { at = 0, what = \"force\" } }, method = \"director\" }",
                  0, 4, "probes.f.what = \"force\"");
}

/* ---- modes at the time of their equilibrium ------------------------------------------------------------------ */

TEST(modes_of_loads_that_are_functions_of_time_are_about_the_equilibrium_of_the_same_time) {
    bench b =
        need("return { rod = { length = 1, section = circle { diameter = 0.01 }, material = { "
             "young = 1e7, poisson = 0.3, density = 1000 } }, ends = { start = clamped {}, "
             "finish = free { force = function(t) return { 0, 0, -1e-3 * (1 + t) } end } }, "
             "initial = { shape = straight { along = { 1, 0, 0 } } }, method = \"director\", "
             "time = { stop = 1, output = 0.1 }, options = { n = 8, dt = 0.01 } }");
    withy_error err = {0};
    withy_mode *mode = NULL;
    const withy_run_setup setup = {0};
    if (withy_modes(b.scene, 2, &setup, &mode, &err) != WITHY_OK) fail_msg("%s", err.text);
    CHECK_NEAR(mode[0].frequency, 0.14017, 1e-4);
    withy_modes_free(mode, 2);
    drop(&b);
}

RUN(test(the_error_of_a_predicted_step_response_falls_with_the_size_of_the_step),
    test(the_gain_of_a_constant_input_is_that_of_the_equilibria_in_every_method),
    test(the_poles_converge_to_the_damped_modes),
    test(fingers_on_a_palm_have_a_linear_system_with_the_palm_as_an_output),
    test(what_has_no_linear_system_is_reported_so),
    test(modes_of_loads_that_are_functions_of_time_are_about_the_equilibrium_of_the_same_time))
