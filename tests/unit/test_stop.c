/* A request to stop is handled by every integrator of every method within a long interval of output. */
#include <time.h>

#include "check.h"
#include "machine_speed.h"
#include "withy/withy.h"

typedef struct listener {
    double begun, asked; /* processor time: the first call, the one that expected to stop */
    double last, gap;    /* the last call, and the longest time between two: how late it may be */
    int after;           /* calls after the request */
} listener;

/* Processor time [s]: other programs on the machine do not make it longer. */
static double now_is(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

/* Asks to stop 0.1 s after the first call. */
static int listen(void *context, double t, double stop, int64_t step) {
    listener *x = context;
    const double now = now_is();
    (void)t, (void)stop, (void)step;
    if (x->asked > 0) x->after++;
    if (!(x->begun > 0)) x->begun = x->last = now;
    x->gap = fmax(x->gap, now - x->last), x->last = now;
    if (now - x->begun < 0.1) return 0;
    if (!(x->asked > 0)) x->asked = now;
    return 1;
}

static withy_problem swinging(withy_rod *rod) {
    withy_problem problem = withy_problem_default();
    const double stiffness[] = {3e3, 3e3, 9e3, 0.4, 0.4, 0.3}, inertia[] = {1, 5e-4, 5e-4, 1e-3};
    *rod = withy_rod_default();
    rod->name = "rod", rod->length = 1;
    for (int i = 0; i < WITHY_STRAINS; i++) rod->stiffness[i] = withy_field_number(stiffness[i]);
    for (int i = 0; i < WITHY_INERTIAS; i++) rod->inertia[i] = withy_field_number(inertia[i]);
    rod->initial =
        (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .along = {0, 0, 1}, .normal = {1, 0, 0}};
    rod->end[0].kind = WITHY_END_CLAMPED;
    problem.rod = rod;
    problem.gravity = (withy_vec3){0, -0.5, 0};
    problem.request = (withy_request){.given = 1, .stop = 1e4, .output = 1e4};
    return problem;
}

static void stops(const char *method, const withy_option *option, int count) {
    withy_rod rod;
    withy_error err = {0};
    withy_report report;
    listener x = {0};
    const withy_problem problem = swinging(&rod);
    const withy_study study = {.problem = &problem,
                               .method = method,
                               .option = option,
                               .option_count = count,
                               .progress = listen,
                               .context = &x};
    const double slower = machine_speed(); /* measured before the run begins */
    const withy_status status = withy_study_run(&study, &report, &err);
    const double late = fmax(x.gap, now_is() - x.asked);
    if (status == WITHY_MISSING) return;
    printf("%s %s: checks for a stop at least every %.3f s\n", method, option[count - 1].word,
           late);
    if (status != WITHY_INTERRUPTED) fail_msg("%s: %s", method, err.text);
    CHECK(report.status == WITHY_INTERRUPTED);
    CHECK(x.after == 0);
    CHECK_BELOW(late, 0.2 * 5 * slower); /* 0.2 s; sanitizers take several times as long */
}

TEST(every_integrator_of_cheb_stops_on_request_within_an_interval_of_output) {
    static const char *const name[] = {"euler",    "rk2",   "rk3",   "rk4", "ab2", "ab3",
                                       "midpoint", "alpha", "radau", "erk", "bdf"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        withy_option option[] = {
            {.name = "n", .number = 12}, {.name = "dt"}, {.name = "integrator"}};
        option[1].number = i < 6 ? 1e-7 : 1e-4;
        snprintf(option[2].word, WITHY_NAME, "%s", name[i]);
        stops("cheb", option, 3);
    }
}

TEST(every_method_stops_on_request_within_an_interval_of_output) {
    static const char *const name[] = {"director", "se3", "kirchhoff", "elastica", "fdtd"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        const withy_option option[] = {{.name = "n", .number = 16}, {.name = "dt", .number = 1e-4}};
        stops(name[i], option, 2);
    }
    const withy_option automatic[] = {{.name = "n", .number = 16}, {.name = "tol", .number = 1e-8}};
    stops("director", automatic, 2); /* chooses its own steps */
}

/* ---- what is no motion ----------------------------------------------------------------------------- */

static void heard(const char *what, const listener *x, withy_status status,
                  const withy_error *err) {
    const double late = fmax(x->gap, now_is() - x->asked);
    printf("%s: checks for a stop at least every %.3f s\n", what, late);
    if (status != WITHY_INTERRUPTED) fail_msg("%s: status %d: %s", what, status, err->text);
    CHECK(x->after == 0);
    CHECK_BELOW(late, 0.2 * 5);
}

/* drag: of the rod, so that the modes are damped. */
static void modes_stop(const char *what, int n, int count, double drag, int error) {
    withy_rod rod;
    withy_error err = {0};
    withy_mode *mode;
    listener x = {0};
    withy_problem problem = swinging(&rod);
    const withy_option option[] = {{.name = "n", .number = n}};
    rod.drag_linear = drag, problem.gravity = (withy_vec3){0};
    const withy_study study = {.problem = &problem,
                               .method = "director",
                               .option = option,
                               .option_count = 1,
                               .progress = listen,
                               .context = &x,
                               .error = error};
    const withy_status status = withy_study_modes(&study, count, &mode, &err);
    if (status == WITHY_UNSUPPORTED) return; /* without LAPACK */
    heard(what, &x, status, &err);
    CHECK(mode == NULL);
}

TEST(modes_stop_on_request) {
    modes_stop("modes", 600, 60, 0, 0);
    modes_stop("damped modes", 300, 30, 0.1, 0);
    modes_stop("modes with errors", 250, 30, 0, 1);
}

static int watch(void *context, double t) {
    return listen(context, t, 0, 0);
}

TEST(a_linear_system_stops_on_request_and_can_be_made_again) {
    withy_rod rod;
    withy_error err = {0};
    withy_sim *sim = NULL;
    withy_linear *linear = NULL;
    listener x = {0};
    withy_problem problem = swinging(&rod);
    const withy_option option[] = {{.name = "n", .number = 400}};
    problem.gravity = (withy_vec3){0};
    if (withy_sim_create(&problem, "director", option, 1, &sim, &err) != WITHY_OK)
        fail_msg("%s", err.text);
    withy_sim_interrupt(sim, watch, &x);
    heard("a linear system", &x, withy_sim_linearise(sim, 60, &linear, &err), &err);
    CHECK(linear == NULL);
    withy_sim_interrupt(sim, NULL, NULL);
    if (withy_sim_linearise(sim, 2, &linear, &err) != WITHY_OK) fail_msg("%s", err.text);
    withy_linear_free(linear);
    withy_sim_destroy(sim);
}

typedef struct comparison {
    listener x;
    withy_rod rod;
    withy_problem problem;
} comparison;

static withy_status compared(void *context, const char *method, withy_study *study,
                             withy_error *err) {
    (void)method, (void)err;
    *study = (withy_study){.problem = &((comparison *)context)->problem, .name = "swinging"};
    return WITHY_OK;
}

static int between(void *context, const char *method, int level, int stiffer) {
    (void)method, (void)level, (void)stiffer;
    return listen(context, 0, 0, 0);
}

TEST(a_comparison_stops_on_request_within_a_run) {
    comparison c = {.x = {0}};
    withy_error err = {0};
    withy_comparison *result = NULL;
    const char *method[] = {"director", "se3"};
    c.problem = swinging(&c.rod);
    const withy_compare_setup setup = {.study = compared,
                                       .method = method,
                                       .method_count = 2,
                                       .refine = 1,
                                       .accuracy = 0.5,
                                       .progress = between,
                                       .context = &c};
    heard("a comparison", &c.x, withy_compare(&setup, &result, &err), &err);
    withy_comparison_free(result);
}

/* ---- a simulation ---------------------------------------------------------------------------------- */

static int ask_at_once(void *context, double t) {
    (void)t;
    return ++*(int *)context > 1; /* the second time */
}

TEST(a_simulation_that_is_watched_stops_on_request_and_is_as_it_was) {
    withy_rod rod;
    withy_error err = {0};
    const withy_problem problem = swinging(&rod);
    const withy_option option[] = {{.name = "n", .number = 8}, {.name = "dt", .number = 1e-3}};
    withy_sim *sim = NULL;
    int asked = 0;
    if (withy_sim_create(&problem, "director", option, 2, &sim, &err) != WITHY_OK)
        fail_msg("%s", err.text);
    CHECK(withy_sim_advance(sim, 0.01, &err) == WITHY_OK);
    const uint64_t before = withy_sim_hash(sim);
    withy_sim_interrupt(sim, ask_at_once, &asked);
    CHECK(withy_sim_advance(sim, 1e4, &err) == WITHY_INTERRUPTED);
    CHECK(withy_sim_hash(sim) == before);
    withy_sim_interrupt(sim, NULL, NULL);
    CHECK(withy_sim_advance(sim, 0.02, &err) == WITHY_OK && asked == 2);
    withy_sim_destroy(sim);
}

RUN(test(a_simulation_that_is_watched_stops_on_request_and_is_as_it_was),
    test(every_integrator_of_cheb_stops_on_request_within_an_interval_of_output),
    test(every_method_stops_on_request_within_an_interval_of_output), test(modes_stop_on_request),
    test(a_linear_system_stops_on_request_and_can_be_made_again),
    test(a_comparison_stops_on_request_within_a_run))
