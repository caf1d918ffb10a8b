/* test_fits.c - from wherever in its ranges a fit or a design starts, it finds the optimum; and the standard errors of a fit are
 * those of repeated data.
 *
 *     test_fits [STARTS [SEED]]     40 starts, and the number of the day
 */
#include <stdlib.h>
#include <time.h>

#include "check.h"
#include "random_number.h"
#include "withy/withy.h"

static int starts = SANITIZED ? 8 : 40;
static uint32_t seed;

/* ---- random numbers -------------------------------------------------------------------------------------- */

static double between(double a, double b) {
    random_next(&seed);
    return a + (b - a) * (seed >> 8) / 16777216.0;
}

static double normal(void) { /* 12 of them: to 4 standard deviations */
    double sum = -6;
    for (int i = 0; i < 12; i++) sum += between(0, 1);
    return sum;
}

/* A range around the truth, linear or logarithmic, and a start in its middle, at an end, near one, or anywhere. */
static withy_fit_free stencil(const char *name, double truth, int kind) {
    withy_fit_free f = {.low = truth * between(0.2, 0.9), .high = truth * between(1.1, 4)};
    snprintf(f.name, sizeof f.name, "%s", name);
    f.log = between(0, 1) < 0.5;
    const double a = f.log ? log(f.low) : f.low, b = f.log ? log(f.high) : f.high;
    const double share[] = {0.5, 0, 1, 1e-5, 1 - 1e-5, 1e-3, 1 - 1e-3, between(0, 1)};
    const double z = a + share[kind % 8] * (b - a);
    f.value = fmin(fmax(f.log ? exp(z) : z, f.low), f.high);
    if (kind % 8 == 0 && !f.log) f.value = 0.5 * (f.low + f.high); /* as a person would say it */
    return f;
}

/* ---- a decay ------------------------------------------------------------------------------------------------ */

enum { ROWS = 60 };

typedef struct decay {
    double t[ROWS];
} decay;

static withy_status decay_model(void *context, const double *p, int rows, double *value,
                                double *slope, withy_error *err) {
    const decay *x = context;
    (void)err;
    for (int i = 0; i < rows; i++) {
        const double e = exp(-p[1] * x->t[i]);
        if (value) value[i] = p[0] * e;
        if (slope) slope[2 * i] = e, slope[2 * i + 1] = -p[0] * x->t[i] * e;
    }
    return WITHY_OK;
}

static void make_data(decay *x, const double *truth, double noise, double *data, double *sigma) {
    for (int i = 0; i < ROWS; i++) x->t[i] = (i + 0.5) / ROWS * 2 / truth[1];
    decay_model(x, truth, ROWS, data, NULL, NULL);
    for (int i = 0; i < ROWS; i++) data[i] += noise * normal(), sigma[i] = noise;
}

TEST(a_fit_finds_the_optimum_from_wherever_it_starts) {
    double worst = 0;
    int most = 0;
    for (int k = 0; k < starts; k++) {
        decay x;
        double data[ROWS], sigma[ROWS], truth[2] = {between(0.1, 10), between(0.1, 10)};
        const double noise = 1e-3 * truth[0];
        make_data(&x, truth, noise, data, sigma);
        const withy_fit_free free[2] = {stencil("a", truth[0], k),
                                        stencil("b", truth[1], k / 8 + k)};
        withy_fit_setup setup = withy_fit_default();
        withy_fit_result out;
        withy_error err = {0};
        setup.model = decay_model, setup.context = &x, setup.free = free, setup.count = 2;
        setup.data = data, setup.sigma = sigma, setup.rows = ROWS;
        if (withy_fit(&setup, &out, &err) == WITHY_UNSUPPORTED) skip(); /* without cminpack */
        for (int i = 0; i < 2; i++) { /* 6 standard errors: one in 5e8 */
            const double off = fabs(out.value[i].value - truth[i]) / out.value[i].error;
            worst = fmax(worst, off);
            if (!(off < 6) || !out.converged || !out.moved)
                fail_msg("start %d: %g in %g .. %g from %g: %g +- %g, truth %g, away %g", k,
                         (double)i, free[i].low, free[i].high, free[i].value, out.value[i].value,
                         out.value[i].error, truth[i], out.away);
        }
        if (out.runs > most) most = out.runs;
        withy_fit_free_result(&out);
    }
    print_message("%d starts: within %.2f standard errors, at most %d runs\n", starts, worst, most);
}

TEST(a_fit_that_starts_at_its_optimum_says_so_and_by_what_evidence) {
    decay x;
    double data[ROWS], sigma[ROWS], truth[2] = {2, 3};
    make_data(&x, truth, 1e-3, data, sigma);
    for (int i = 0; i < ROWS; i++) x.t[i] = (i + 0.5) / ROWS;
    decay_model(&x, truth, ROWS, data, NULL, NULL); /* without noise */
    const withy_fit_free free[2] = {{"a", 2, 1, 3, 0}, {"b", 3, 1, 5, 0}};
    withy_fit_setup setup = withy_fit_default();
    withy_fit_result out;
    withy_error err = {0};
    setup.model = decay_model, setup.context = &x, setup.free = free, setup.count = 2;
    setup.data = data, setup.sigma = sigma, setup.rows = ROWS;
    if (withy_fit(&setup, &out, &err) == WITHY_UNSUPPORTED) skip();
    CHECK(out.converged && !out.moved);
    CHECK_BELOW(out.away, 1e-6);
    withy_fit_free_result(&out);
}

/* Slopes that point nowhere keep any search where it starts. */
static withy_status stuck_model(void *context, const double *p, int rows, double *value,
                                double *slope, withy_error *err) {
    decay_model(context, p, rows, value, slope, err);
    for (int i = 0; i < rows && slope; i++) slope[2 * i] *= -1, slope[2 * i + 1] *= -1;
    return WITHY_OK;
}

TEST(a_fit_that_ends_beside_the_optimum_has_not_converged) {
    decay x;
    double data[ROWS], sigma[ROWS], truth[2] = {2, 3};
    make_data(&x, truth, 1e-3, data, sigma);
    const withy_fit_free free[2] = {{"a", 2.4, 1, 3, 0}, {"b", 4, 1, 5, 0}};
    withy_fit_setup setup = withy_fit_default();
    withy_fit_result out;
    withy_error err = {0};
    setup.model = stuck_model, setup.context = &x, setup.free = free, setup.count = 2;
    setup.data = data, setup.sigma = sigma, setup.rows = ROWS;
    if (withy_fit(&setup, &out, &err) == WITHY_UNSUPPORTED) skip();
    CHECK(!out.converged);
    CHECK(out.away > 1);
    withy_fit_free_result(&out);
}

/* ---- standard errors ----------------------------------------------------------------------------------------- */

/* With N repetitions the squares of (estimate - truth) / error have a sum of N +- sqrt(2 N) for a normal distribution;
 * 5 of them are met once in a million.  Without sigma the error is from 58 degrees of freedom, which widens both by 1.04. */
TEST(standard_errors_are_those_of_repeated_data) {
    const int many = starts < 40 ? 200 : 5 * starts; /* a normal distribution needs them */
    for (int known = 0; known < 2; known++) {
        double square[2] = {0, 0};
        int covered = 0;
        for (int k = 0; k < many; k++) {
            decay x;
            double data[ROWS], sigma[ROWS], truth[2] = {2, 3};
            make_data(&x, truth, 0.01, data, sigma);
            const withy_fit_free free[2] = {{"a", 1.5, 0.5, 8, k % 2}, {"b", 2, 1, 9, k / 2 % 2}};
            withy_fit_setup setup = withy_fit_default();
            withy_fit_result out;
            withy_error err = {0};
            setup.model = decay_model, setup.context = &x, setup.free = free, setup.count = 2;
            setup.data = data, setup.sigma = known ? sigma : NULL, setup.rows = ROWS;
            if (withy_fit(&setup, &out, &err) == WITHY_UNSUPPORTED) skip();
            CHECK(out.converged);
            for (int i = 0; i < 2; i++) {
                const withy_fit_value *v = &out.value[i];
                square[i] += pow((v->value - truth[i]) / v->error, 2);
                covered += truth[i] > v->low && truth[i] < v->high;
            }
            withy_fit_free_result(&out);
        }
        const double most = 5 * sqrt(2.0 * many), share = covered / (2.0 * many);
        print_message(
            "%d repetitions, sigma %s: chi2 %.1f and %.1f, 95 %% intervals hold %.1f %%\n", many,
            known ? "given" : "found", square[0], square[1], 100 * share);
        for (int i = 0; i < 2; i++)
            CHECK_NEAR(square[i], known ? many : 1.04 * many, known ? most : 1.04 * most);
        /* of 2 many, which are correlated: as of many */
        CHECK_NEAR(share, known ? 0.95 : 0.945, 5 * sqrt(0.05 * 0.95 / many));
    }
}

/* ---- scenes ---------------------------------------------------------------------------------------------------- */

static const char beam[] =
    "local p = params { B = { 0.6, 0.05, 5 }, m = { 0.12, 0.01, 1 }, u = { 0.5, 0, 1 } }\n"
    "return { rod = { length = 1, stiffness = { bend = p.B }, inertia = { mass = p.m } },\n"
    "  initial = { shape = straight { along = { 1, 0, 0 } } }, gravity = { 0, 0, -9.81 },\n"
    "  ends = { start = clamped {}, finish = free { force = { 0, 0, -1 + 0 * p.u } } }, options = "
    "{ n = 4 } "
    "}";

static withy_status read_beam(void *context, const char *const *override, int count,
                              withy_scene **scene, withy_error *err) {
    (void)context;
    return withy_scene_read_text(beam, sizeof beam - 1, "beam.lua", override, count, scene, err);
}

/* The shape at B = 0.5 and m = 0.1. */
static int shape(char *text, size_t size) {
    static const char *const truth[2] = {"params.B=0.5", "params.m=0.1"};
    withy_scene *scene;
    withy_sim *sim;
    withy_equilibrium at;
    withy_error err = {0};
    if (read_beam(NULL, truth, 2, &scene, &err) == WITHY_MISSING) return 0;
    CHECK_OK(withy_scene_sim(scene, NULL, &sim, &err));
    CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    size_t used = (size_t)snprintf(text, size, "s,x,z\n");
    for (int i = 0; i < now->count; i++)
        used += (size_t)snprintf(text + used, size - used, "%.17g,%.17g,%.17g\n", now->s[i],
                                 now->position[i].x, now->position[i].z);
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
    return 1;
}

TEST(a_scene_is_fitted_from_wherever_it_starts) {
    static const double middle[2] = {0.6, 0.12}, low[2] = {0.3, 0.06}, high[2] = {0.9, 0.18};
    static const double truth[2] = {0.5, 0.1};
    char text[4096];
    if (!shape(text, sizeof text)) skip();
    for (int k = 0; k < starts / 10 + 1; k++) {
        withy_fit_free free[2] = {stencil("params.B", truth[0], k),
                                  stencil("params.m", truth[1], k)};
        for (int i = 0; i < 2 && k == 0; i++) /* both in the middle of a linear range */
            free[i].value = middle[i], free[i].low = low[i], free[i].high = high[i],
            free[i].log = 0;
        withy_scene_fit setup = withy_scene_fit_default();
        withy_fit_result out;
        withy_fit_curve curve;
        withy_error err = {0};
        setup.read = read_beam, setup.data = text, setup.data_size = strlen(text);
        setup.data_name = "shape.csv", setup.free = free, setup.count = 2;
        const withy_status status = withy_fit_of_scene(&setup, &out, &curve, &err);
        if (status == WITHY_UNSUPPORTED) skip();
        if (status != WITHY_OK) fail_msg("%s", err.text);
        for (int i = 0; i < 2; i++)
            if (!(fabs(out.value[i].value / truth[i] - 1) < 1e-6) || !out.converged || !out.moved)
                fail_msg("start %d: %s in %g .. %g from %g: %.9g for %g, sum %g, away %g (%s)", k,
                         free[i].name, free[i].low, free[i].high, free[i].value, out.value[i].value,
                         truth[i], out.sum, out.away, curve.notes.text);
        if (!curve.exact) fail_msg("start %d: %s", k, curve.notes.text);
        withy_fit_free_result(&out);
        withy_fit_curve_free(&curve);
    }
}

/* ---- searches that are stopped ------------------------------------------------------------------------------------ */

/* How often it is asked until it is to stop, and what it has kept. */
typedef struct patience {
    int left, stops;
    char record[4096];
} patience;

static withy_status read_patiently(void *context, const char *const *override, int count,
                                   withy_scene **scene, withy_error *err) {
    (void)context;
    return read_beam(NULL, override, count, scene, err);
}

static int is_over(void *context) {
    patience *p = context;
    return p->left-- <= 0;
}

static void keep(void *context, const char *record) {
    patience *p = context;
    CHECK(strlen(record) < sizeof p->record);
    snprintf(p->record, sizeof p->record, "%s", record);
}

/* Stopped after a random number of questions, more each time, until it ends. */
static void fit_in_pieces(withy_scene_fit *setup, int whole, patience *p, withy_fit_result *out,
                          withy_fit_curve *curve) {
    withy_error err = {0};
    char from[sizeof p->record];
    setup->best = keep, setup->stop = is_over, setup->context = p;
    for (p->stops = 0;; p->stops++) {
        p->left = (int)between(0, 0.3 * whole * (1 + 0.1 * p->stops));
        const withy_status status = withy_fit_of_scene(setup, out, curve, &err);
        if (status == WITHY_OK) return;
        if (status != WITHY_INTERRUPTED) fail_msg("after %d stops: %s", p->stops, err.text);
        withy_fit_free_result(out);
        withy_fit_curve_free(curve);
        memcpy(from, p->record, sizeof from);
        setup->resume = p->record[0] ? from : NULL;
    }
}

/* Each end says itself how far the optimum is (away, in standard errors); they cannot be farther apart. */
TEST(a_fit_that_is_stopped_anywhere_ends_where_one_ends_that_is_not) {
    char text[4096];
    int stops = 0;
    double worst = 0;
    if (!shape(text, sizeof text)) skip();
    for (char *digit = strchr(text, '5'); digit; digit = strchr(digit + 40, '5'))
        *digit = '6'; /* data that no parameters meet: the errors are not zero */
    for (int k = 0; k < starts / 4 + 1; k++) {
        const withy_fit_free free[2] = {stencil("params.B", 0.5, k),
                                        stencil("params.m", 0.1, k / 2)};
        withy_scene_fit setup = withy_scene_fit_default();
        withy_fit_result whole, out;
        withy_fit_curve curve;
        withy_error err = {0};
        patience p = {.left = 1000000};
        setup.read = read_patiently, setup.data = text, setup.data_size = strlen(text);
        setup.data_name = "shape.csv", setup.free = free, setup.count = 2;
        setup.stop = is_over, setup.context = &p, setup.differences = k % 2;
        const withy_status status = withy_fit_of_scene(&setup, &whole, &curve, &err);
        if (status == WITHY_UNSUPPORTED) skip();
        if (status != WITHY_OK) fail_msg("%s", err.text);
        withy_fit_curve_free(&curve);
        fit_in_pieces(&setup, 1000000 - p.left, &p, &out, &curve);
        stops += p.stops;
        for (int i = 0; i < 2; i++) {
            const double off = fabs(out.value[i].value - whole.value[i].value);
            const double most = whole.away * whole.value[i].error + out.away * out.value[i].error;
            worst = fmax(worst, off / whole.value[i].error);
            if (!(off <= most + 1e-9 * fabs(whole.value[i].value)) || !out.converged || !out.moved)
                fail_msg("%d, %d stops: %s %.12g for %.12g +- %g, away %g and %g", k, p.stops,
                         free[i].name, out.value[i].value, whole.value[i].value,
                         whole.value[i].error, out.away, whole.away);
        }
        withy_fit_free_result(&whole), withy_fit_free_result(&out), withy_fit_curve_free(&curve);
    }
    CHECK(stops > starts / 4);
    print_message("%d stops: to %.1e of a standard error\n", stops, worst);
}

/* Every line of what was kept says which fit it is, or is a number that is checked. */
TEST(a_search_goes_on_only_from_what_it_has_kept_itself) {
    char text[4096], from[sizeof((patience *)0)->record], whole[sizeof from];
    patience p = {.left = 1000000};
    withy_fit_result out;
    withy_fit_curve curve;
    withy_error err = {0};
    if (!shape(text, sizeof text)) skip();
    const withy_fit_free free[2] = {{"params.B", 0.6, 0.3, 0.9, 0},
                                    {"params.m", 0.12, 0.06, 0.18, 0}};
    withy_scene_fit setup = withy_scene_fit_default();
    setup.read = read_patiently, setup.data = text, setup.data_size = strlen(text);
    setup.data_name = "shape.csv", setup.free = free, setup.count = 2;
    setup.best = keep, setup.context = &p;
    if (withy_fit_of_scene(&setup, &out, &curve, &err) == WITHY_UNSUPPORTED) skip();
    withy_fit_free_result(&out), withy_fit_curve_free(&curve);
    memcpy(whole, p.record, sizeof whole); /* every fit keeps another */
    memcpy(from, whole, sizeof from), setup.resume = from;
    CHECK_OK(withy_fit_of_scene(&setup, &out, &curve, &err));
    withy_fit_free_result(&out), withy_fit_curve_free(&curve);
    int refused = 0;
    for (size_t i = 0; whole[i]; i++) {
        memcpy(from, whole, sizeof from);
        from[i] = from[i] == '\n' ? ' ' : from[i] == '9' ? '-' : '9';
        const withy_status status = withy_fit_of_scene(&setup, &out, &curve, &err);
        refused += status == WITHY_BAD_INPUT && strncmp(err.text, "--resume: the file", 18) == 0;
        for (int k = 0; k < 2 && status == WITHY_OK; k++) /* another number within the range */
            CHECK_NEAR(out.value[k].value, k ? 0.1 : 0.5, 1e-6);
        if (status != WITHY_OK && status != WITHY_BAD_INPUT) fail_msg("%s", err.text);
        withy_fit_free_result(&out), withy_fit_curve_free(&curve);
        memcpy(from, whole, sizeof from), from[i] = '\0'; /* cut off */
        if (withy_fit_of_scene(&setup, &out, &curve, &err) != WITHY_BAD_INPUT)
            fail_msg("%d of %d bytes are enough", (int)i, (int)strlen(whole));
        withy_fit_free_result(&out), withy_fit_curve_free(&curve);
    }
    print_message("%d of %d changed bytes were refused\n", refused, (int)strlen(whole));
    CHECK(refused >= (int)strlen(whole) - 2 * 20);
}

static const char *const changed[][2] = {{"free params.B=0.3..0.9:linear", "--free params.B"},
                                         {"sigma", "--sigma"},
                                         {"data", "the data"}};

TEST(a_search_refuses_to_go_on_with_other_data_ranges_or_settings_and_names_them) {
    char text[4096], from[sizeof((patience *)0)->record];
    patience p = {.left = 1000000};
    if (!shape(text, sizeof text)) skip();
    for (int k = 0; k < 4; k++) { /* 3: nothing is changed */
        withy_fit_free free[2] = {{"params.B", 0.6, 0.3, 0.9, 0},
                                  {"params.m", 0.12, 0.06, 0.18, 0}};
        withy_scene_fit setup = withy_scene_fit_default();
        withy_fit_result out;
        withy_fit_curve curve;
        withy_error err = {0};
        setup.read = read_patiently, setup.data = text, setup.data_size = strlen(text);
        setup.data_name = "shape.csv", setup.free = free, setup.count = 2;
        setup.best = keep, setup.context = &p;
        if (withy_fit_of_scene(&setup, &out, &curve, &err) == WITHY_UNSUPPORTED) skip();
        withy_fit_free_result(&out), withy_fit_curve_free(&curve);
        memcpy(from, p.record, sizeof from), setup.resume = from;
        if (k == 0) free[0].high = 0.95;
        if (k == 1) setup.sigma = 1e-3;
        if (k == 2) strrchr(text, ',')[1] = '1';
        const withy_status status = withy_fit_of_scene(&setup, &out, &curve, &err);
        withy_fit_free_result(&out), withy_fit_curve_free(&curve);
        CHECK(status == (k == 3 ? WITHY_OK : WITHY_BAD_INPUT));
        if (k < 3 && !strstr(err.text, changed[k][0])) fail_msg("%s: %s", changed[k][1], err.text);
        shape(text, sizeof text);
    }
}

/* It stays where it is (a start is kept off its bounds by a millionth of the range), without an error; and the others keep their exact derivatives. */
TEST(a_parameter_without_effect_is_not_determined) {
    char text[4096];
    if (!shape(text, sizeof text)) skip();
    for (int alone = 0; alone < 2; alone++) {
        withy_fit_free free[2] = {{.name = "params.u", .low = 0, .high = 1},
                                  stencil("params.B", 0.5, 7)};
        free[0].value = between(0.1, 0.9);
        withy_scene_fit setup = withy_scene_fit_default();
        withy_fit_result out;
        withy_fit_curve curve;
        withy_error err = {0};
        setup.read = read_beam, setup.data = text, setup.data_size = strlen(text);
        setup.data_name = "shape.csv", setup.free = free, setup.count = alone ? 1 : 2;
        const withy_status status = withy_fit_of_scene(&setup, &out, &curve, &err);
        if (status == WITHY_UNSUPPORTED) skip();
        if (status != WITHY_OK) fail_msg("%s", err.text);
        if (!isinf(out.value[0].error) || !(fabs(out.value[0].value - free[0].value) < 1e-6) ||
            !curve.exact || curve.notes.text[0])
            fail_msg("%.12g +- %g from %.12g, exact %d: %s", out.value[0].value, out.value[0].error,
                     free[0].value, curve.exact, curve.notes.text);
        withy_fit_free_result(&out);
        withy_fit_curve_free(&curve);
    }
}

/* ---- designs ----------------------------------------------------------------------------------------------------- */

/* A valley that is not round: least at p = least, inside. */
static withy_status valley(void *context, const double *p, double *value, double *slope,
                           withy_error *err) {
    const double *least = context, a = p[0] / least[0] - 1, b = p[1] / least[1] - 1;
    (void)err;
    if (value) value[0] = 1 + a * a + 3 * b * b + a * b + 0.3 * a * a * a * a;
    if (slope) {
        slope[0] = (2 * a + b + 1.2 * a * a * a) / least[0];
        slope[1] = (6 * b + a) / least[1];
    }
    return WITHY_OK;
}

TEST(a_design_finds_its_minimum_from_wherever_it_starts) {
    double worst = 0;
    for (int k = 0; k < starts; k++) {
        double least[2] = {between(0.1, 10), between(0.1, 10)};
        const withy_fit_free free[2] = {stencil("a", least[0], k),
                                        stencil("b", least[1], k / 8 + k)};
        withy_minimise_setup setup = withy_minimise_default();
        withy_minimum out;
        withy_error err = {0};
        setup.objective = valley, setup.context = least, setup.free = free, setup.count = 2;
        if (withy_minimise(&setup, &out, &err) == WITHY_UNSUPPORTED) skip(); /* without NLopt */
        for (int i = 0; i < 2; i++) worst = fmax(worst, fabs(out.p[i] / least[i] - 1));
        /* the value is found to 1e-9 of it, which is quadratic in the parameters: some 1e-4 */
        if (!(worst < 3e-4) || !out.converged)
            fail_msg("start %d: %g %g for %g %g", k, out.p[0], out.p[1], least[0], least[1]);
    }
    print_message("%d starts: to %.1e of the parameters\n", starts, worst);
}

int main(int argc, char **argv) {
    if (argc > 1) starts = atoi(argv[1]);
    seed = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : (uint32_t)(time(NULL) / 86400);
    print_message("%d starts, seed %u\n", starts, seed);
    const struct CMUnitTest tests[] = {
        test(a_fit_finds_the_optimum_from_wherever_it_starts),
        test(a_fit_that_starts_at_its_optimum_says_so_and_by_what_evidence),
        test(a_fit_that_ends_beside_the_optimum_has_not_converged),
        test(standard_errors_are_those_of_repeated_data),
        test(a_scene_is_fitted_from_wherever_it_starts),
        test(a_parameter_without_effect_is_not_determined),
        test(a_fit_that_is_stopped_anywhere_ends_where_one_ends_that_is_not),
        test(a_search_goes_on_only_from_what_it_has_kept_itself),
        test(a_search_refuses_to_go_on_with_other_data_ranges_or_settings_and_names_them),
        test(a_design_finds_its_minimum_from_wherever_it_starts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
