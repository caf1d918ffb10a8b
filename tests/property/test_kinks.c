/* test_kinks.c - derivatives of scenes with limits, switching times, places of jumps and ramps are those of whole runs, or are refused
 * by the name of the parameter; and a fit of a switching time holds within its error.
 *
 *     test_kinks [SCENES [SEED]]     12 scenes, and the number of the day
 *
 * (slow under sanitizers)
 */
#include <stdlib.h>
#include <time.h>

#include "check.h"
#include "random_number.h"
#include "withy/withy.h"

static int scenes = 12;
static uint32_t seed;
static char text[2048];

static double between(double a, double b) {
    random_next(&seed);
    return a + (b - a) * (seed >> 8) / 16777216.0;
}

/* ---- scenes of one parameter q ------------------------------------------------------------------------- */

typedef struct kinked {
    double q, stop;
    int must; /* 1: it must have a derivative; -1: it cannot have one; 0: either */
} kinked;

static const char rod[] = "rods = { { name = 'r', length = 1, stiffness = { bend = %.3g, twist = "
                          "50, stretch = 1e5, shear = "
                          "1e5 }, inertia = { mass = 1, rotary = 1e-3 }, initial = { shape = "
                          "straight { along = { 1, 0, 0 "
                          "} } } } }";

/* A hinge that falls onto its limit, above or below. */
static kinked make_limits(void) {
    const int below = between(0, 1) < 0.5;
    const kinked x = {.q = between(0.15, 0.6), .stop = between(0.35, 0.7), .must = 1};
    char one[512];
    snprintf(one, sizeof one, rod, between(5, 100));
    snprintf(
        text, sizeof text,
        "local p = params { q = %.17g }\nreturn { %s, joints = { hinge { parts = { 'ground', "
        "'r' }, at = { { 0, 0, 0 }, 0 }, axis = { 0, %d, 0 }, limits = { %s }, "
        "limit_stiffness = %.4g } }, gravity = { 0, 0, -9.81 }, time = { stop = 1 }, options = "
        "{ n = 2, dt = %.3g }, method = 'director' }",
        x.q, one, below ? -1 : 1, below ? "-p.q, 1" : "-1, p.q", pow(10, between(2, 4)),
        between(2e-3, 2e-2));
    return x;
}

static void cantilever(double q, const char *load, const char *bend, double dt) {
    snprintf(text, sizeof text,
             "local p = params { q = { %.17g, 0.01, 0.99 } }\nreturn { rod = { length = 1, "
             "stiffness = { "
             "bend = %s, twist = 1, stretch = 1e4, shear = 1e4 }, inertia = { mass = 0.3, rotary = "
             "1e-5 } }, initial = { shape = straight { along = { 1, 0, 0 } } }, ends = { start = "
             "clamped {} }, loads = { %s }, time = { stop = 1 }, options = { n = 4, dt = %.3g }, "
             "method = 'director' }",
             q, bend, load, dt);
}

static kinked make_switch(void) {
    const kinked x = {.q = between(0.1, 0.25), .stop = 0.4, .must = -1};
    static const char *const load[] = {
        "point { at = 1, force = function(t) return 0, 0, t > p.q and 1 or 0 end }",
        "point { at = 1, force = function(t) return 0, 0, t > 1.5 * p.q and 0 or math.cos(3 * t) "
        "end "
        "}",
        "point { at = 0.5, force = function(t) return 0, 0, (t > 0.05 and t < p.q) and 1 or 0.3 "
        "end }",
        "distributed { force = function(s, t) return 0, 0, t > p.q and 1 + s or s end }"};
    cantilever(x.q, load[(int)between(0, 3.999)], "1", between(1e-3, 8e-3));
    return x;
}

/* A table that rises within a small part of a step, which no step resolves. */
static kinked make_steep(void) {
    const kinked x = {.q = between(0.1, 0.25), .stop = 0.4, .must = -1};
    const double dt = between(1e-3, 8e-3);
    char load[256];
    snprintf(load, sizeof load,
             "point { at = 1, force = signal { { 0, 0, 0, 0 }, { p.q, 0, 0, 0 }, { p.q + %.3g, 0, "
             "0, 1 }, { 1, 0, 0, 1 } } }",
             dt * pow(10, between(-7, -2)));
    cantilever(x.q, load, "1", dt);
    return x;
}

/* Within several, and a corner among the samples that are searched. */
static kinked make_table(void) {
    const kinked x = {.q = 0.04 * floor(between(3, 6)), .stop = 0.4, .must = 0};
    cantilever(x.q,
               "point { at = 1, force = signal { { 0, 0, 0, 0 }, { p.q, 0, 0, 0 }, { p.q + 0.08, "
               "0, 0, 1 }, { 1, 0, 0, 1 } } }",
               "1", 0.04 / floor(between(8, 30)));
    return x;
}

/* Of the value itself: on one side of q one problem, on the other another. */
static kinked make_threshold(void) {
    const kinked x = {.q = between(0.1, 0.25), .stop = 0.2, .must = -1};
    char load[256];
    snprintf(load, sizeof load, "point { at = 1, force = { 0, 0, p.q > %.17g and 1 or 0.5 } }",
             x.q);
    cantilever(x.q, load, "1", between(2e-3, 8e-3));
    return x;
}

static kinked make_place(void) {
    const kinked x = {.q = between(0.2, 0.8), .stop = 0.2, .must = -1};
    static const char *const at[][2] = {
        {"distributed { force = function(s, t) return 0, 0, s > p.q and 1 or 0 end }", "1"},
        {"point { at = 1, force = { 0, 0, 1 } }", "function(s) return s > p.q and 1 or 2 end"}};
    const int k = (int)between(0, 1.999);
    cantilever(x.q, at[k][0], at[k][1], between(2e-3, 8e-3));
    return x;
}

/* Continuous: the derivative of what is computed is that of whole runs, unless a corner lies among what is differenced. */
static kinked make_ramp(void) {
    const kinked x = {.q = between(0.1, 0.25), .stop = 0.4, .must = 0};
    cantilever(x.q, "point { at = 1, force = function(t) return 0, 0, math.max(0, t - p.q) end }",
               "1", between(1e-3, 8e-3));
    return x;
}

/* Smooth, though a jump stays where it is and changes its height. */
static kinked make_smooth(void) {
    const kinked x = {.q = between(0.1, 0.9), .stop = 0.3, .must = 1};
    cantilever(x.q,
               "point { at = 1, force = function(t) return 0, 0, t > 0.1 and p.q or p.q^2 end }",
               "function(s) return s > 0.5 and 1 or 1 + 0.1 * p.q end", between(2e-3, 8e-3));
    return x;
}

/* ---- derivatives and runs ------------------------------------------------------------------------------------ */

static withy_status read_at(double q, withy_scene **scene, withy_error *err) {
    char set[64];
    const char *const override[] = {set};
    snprintf(set, sizeof set, "params.q=%.17g", q);
    const withy_status status =
        withy_scene_read_text(text, strlen(text), "kinked.lua", override, 1, scene, err);
    if (status == WITHY_MISSING) skip();
    return status;
}

static withy_vec3 tip_at(double q, double stop) {
    withy_scene *scene;
    withy_sim *sim;
    withy_error err = {0};
    if (read_at(q, &scene, &err) != WITHY_OK) fail_msg("%s\n%s", err.text, text);
    CHECK_OK(withy_scene_sim(scene, NULL, &sim, &err));
    CHECK_OK(withy_sim_advance(sim, stop, &err));
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    const withy_vec3 tip = now->position[now->count - 1];
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
    return tip;
}

static withy_vec3 difference(const kinked *x, double h) {
    const withy_vec3 a = tip_at(x->q + h, x->stop), b = tip_at(x->q - h, x->stop);
    return (withy_vec3){(a.x - b.x) / (2 * h), (a.y - b.y) / (2 * h), (a.z - b.z) / (2 * h)};
}

static double apart(withy_vec3 a, withy_vec3 b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

static withy_status height(void *context, int count, const withy_vec3 *position, double *value,
                           withy_vec3 *slope, withy_error *err) {
    (void)context, (void)count, (void)err;
    *value = position[0].z, slope[0] = (withy_vec3){0, 0, 1};
    return WITHY_OK;
}

/* Backwards it is the same, or refused too. */
static void compare_back(const kinked *x, const withy_study *study, const withy_option *option,
                         const withy_variation *vary, withy_status forwards, double slope) {
    withy_sim *sim = NULL;
    withy_error err = {0};
    double value, back;
    const withy_observation at = {.t = x->stop, .s = 1};
    withy_status status = withy_adjoint_create(study->problem, study->method, option,
                                               study->option_count, vary, 1, &sim, &err);
    if (status == WITHY_OK)
        status = withy_sim_adjoint(sim, &at, 1, height, NULL, &value, &back, &err);
    withy_sim_destroy(sim);
    if (status != forwards ||
        (status == WITHY_OK && !(fabs(back - slope) <= 1e-6 * fabs(slope) + 1e-9)))
        fail_msg("q = %.9g: forwards %d, %g; backwards %d, %g %s\n%s", x->q, forwards, slope,
                 status, back, err.text, text);
}

static withy_status derivative(const kinked *x, withy_vec3 *out, withy_error *err) {
    withy_scene *here, *at[4];
    withy_option option[WITHY_SCENE_OPTIONS];
    withy_study study;
    withy_slope slope;
    withy_sim *sim = NULL;
    withy_variation vary = withy_variation_default();
    vary.step = 1e-3 * x->q;
    snprintf(vary.name, sizeof vary.name, "params.q");
    CHECK(read_at(x->q, &here, err) == WITHY_OK);
    for (int i = 0; i < 4; i++) {
        CHECK(read_at(x->q + (double[]){-2, -1, 1, 2}[i] * vary.step, &at[i], err) == WITHY_OK);
        vary.at[i] = withy_scene_problem(at[i]);
    }
    CHECK(withy_scene_study(here, NULL, option, &study, err) == WITHY_OK);
    withy_status status = withy_gradient_create(study.problem, study.method, option,
                                                study.option_count, &vary, 1, &sim, err);
    if (status == WITHY_OK) status = withy_sim_advance(sim, x->stop, err);
    if (status == WITHY_OK) status = withy_sim_gradient(sim, 0, &slope, err);
    if (status == WITHY_OK) *out = slope.position[slope.count - 1];
    compare_back(x, &study, option, &vary, status, out->z);
    withy_sim_destroy(sim);
    for (int i = 0; i < 4; i++) withy_scene_destroy(at[i]);
    withy_scene_destroy(here);
    return status;
}

/* Differences of runs that are solved to about 1e-10, and that two steps of them know of themselves. */
TEST(derivatives_across_kinks_are_those_of_whole_runs_or_refused_by_name) {
    kinked (*const make[])(void) = {make_limits, make_switch, make_steep,     make_place, make_ramp,
                                    make_smooth, make_limits, make_threshold, make_table};
    int exact = 0, refused = 0;
    double worst = 0;
    for (int k = 0; k < scenes; k++) {
        const kinked x = make[k % 9]();
        withy_vec3 found = {0, 0, 0};
        withy_error err = {0};
        const withy_status status = derivative(&x, &found, &err);
        if (status != WITHY_OK) {
            refused++;
            if (status != WITHY_UNSUPPORTED || !strstr(err.text, "params.q") || x.must > 0 ||
                (make[k % 9] == make_table && strstr(err.text, "jumps")))
                fail_msg("scene %d, q = %.9g: %s\n%s", k, x.q, err.text, text);
            continue;
        }
        const withy_vec3 one = difference(&x, 1e-5 * x.q), two = difference(&x, 3e-6 * x.q);
        const double size = apart(two, (withy_vec3){0, 0, 0});
        const double allowed = 1e-5 * size + 1e-6 + 3 * apart(one, two);
        exact++, worst = fmax(worst, apart(found, two) / (size + 1e-3));
        if (x.must < 0 || !(apart(found, two) <= allowed))
            fail_msg("scene %d, q = %.9g: (%g %g %g), runs (%g %g %g) and (%g %g %g)\n%s", k, x.q,
                     found.x, found.y, found.z, one.x, one.y, one.z, two.x, two.y, two.z, text);
    }
    print_message("%d scenes: %d exact to %.1e, %d refused\n", scenes, exact, worst, refused);
}

/* ---- fits of switching times ---------------------------------------------------------------------------------- */

static withy_status read_fit(void *context, const char *const *override, int count,
                             withy_scene **scene, withy_error *err) {
    (void)context;
    return withy_scene_read_text(text, strlen(text), "kinked.lua", override, count, scene, err);
}

TEST(a_fit_of_a_switching_time_holds_within_its_error_and_is_not_called_exact) {
    for (int k = 0; k < scenes / 6 + 1; k++) {
        const double dt = between(1e-3, 4e-3), truth = between(0.17, 0.23);
        cantilever(truth,
                   "point { at = 1, force = function(t) return 0, 0, t > p.q and 1 or 0 end }", "1",
                   dt);
        char data[4096] = "t,finish.x,finish.z\n";
        for (int i = 1; i <= 10; i++) {
            const withy_vec3 tip = tip_at(truth, 0.04 * i);
            snprintf(data + strlen(data), sizeof data - strlen(data), "%g,%.15g,%.15g\n", 0.04 * i,
                     tip.x, tip.z);
        }
        const withy_fit_free free = {"params.q", 0.2 + between(-0.02, 0.02), 0.15, 0.25, 0};
        withy_scene_fit setup = withy_scene_fit_default();
        withy_fit_result out;
        withy_fit_curve curve;
        withy_error err = {0};
        setup.read = read_fit, setup.data = data, setup.data_size = strlen(data);
        setup.data_name = "film.csv", setup.free = &free, setup.count = 1;
        const withy_status status = withy_fit_of_scene(&setup, &out, &curve, &err);
        if (status == WITHY_UNSUPPORTED) skip();
        if (status != WITHY_OK) fail_msg("%s", err.text);
        const double off = fabs(out.value[0].value - truth);
        print_message("switch at %.6f: %.6f +- %.2g\n", truth, out.value[0].value,
                      out.value[0].error);
        CHECK(!curve.exact && strstr(curve.notes.text, "params.q moves the time"));
        /* 95 % of a normal distribution is 2 errors, of even numbers within a step less */
        if (out.converged && !(off <= 2 * out.value[0].error))
            fail_msg("%.9g for %.9g, dt %g\n%s", out.value[0].value, truth, dt, curve.notes.text);
        withy_fit_free_result(&out);
        withy_fit_curve_free(&curve);
    }
}

int main(int argc, char **argv) {
    if (argc > 1) scenes = atoi(argv[1]);
    seed = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : (uint32_t)(time(NULL) / 86400);
    print_message("%d scenes, seed %u\n", scenes, seed);
    const struct CMUnitTest tests[] = {
        test(derivatives_across_kinks_are_those_of_whole_runs_or_refused_by_name),
        test(a_fit_of_a_switching_time_holds_within_its_error_and_is_not_called_exact)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
