/* Designs: the least value of a number within bounds and under constraints. */
#include "base/base.h"
#include "check.h"
#include "readings.h"
#include "study/fit/fit.h"
#include "withy/minimise.h"

/* ---- expressions ------------------------------------------------------------------------------------- */

TEST(an_expression_has_the_value_and_the_derivatives_of_arithmetic) {
    static const struct {
        const char *text;
        double value, by_a, by_b; /* at a = 2, b = 3 */
    } known[] = {{"a + b*a^2", 14, 13, 4},
                 {"-(a - b)^2", -1, 2, -2},
                 {"a^b / 4", 2, 3, 0.25 * 8 * 0.69314718055994531},
                 {"max(a, b) - min(a, b)", 1, -1, 1},
                 {"sqrt(2*a) + abs(-b)", 5, 0.5, 1},
                 {"cents(2*a, a)", 1200, 0, 0},
                 {"log(exp(b)) * 2e0", 6, 0, 2},
                 {"2^3^0", 2, 0, 0}};
    const double at[2] = {2, 3};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        wy_names names = {2, {"a", "b"}};
        wy_dual out;
        withy_error err = {0};
        CHECK_OK(wy_expression_value("--minimise", known[i].text, &names, at, &out, &err));
        CHECK(names.count == 2);
        CHECK_NEAR(out.value, known[i].value, 1e-12);
        CHECK_NEAR(out.by[0], known[i].by_a, 1e-12);
        CHECK_NEAR(out.by[1], known[i].by_b, 1e-12);
    }
    wy_names names = {0};
    withy_error err = {0};
    CHECK_OK(
        wy_expression_read("--minimise", "tip.z:max - tip.x:at=1e-3 + params.wire", &names, &err));
    CHECK(names.count == 3);
    CHECK_TEXT(names.text[1], "tip.x:at=1e-3");
    names.count = 0; /* a place by its arc length */
    CHECK_OK(
        wy_expression_read("--minimise", "s=0.37.tension*2 - arm.s=2e-1.y:max/s=1", &names, &err));
    CHECK(names.count == 3);
    CHECK_TEXT(names.text[0], "s=0.37.tension");
    CHECK_TEXT(names.text[1], "arm.s=2e-1.y:max");
    CHECK_TEXT(names.text[2], "s=1");
}

TEST(an_expression_that_cannot_be_meant_is_refused_with_its_place) {
    static const char *const wrong[][2] = {
        {"mass +",
         "--minimise \"mass +\": a number, a name or a bracket is missing at \"the end\""},
        {"(mass", "--minimise \"(mass\": a closing bracket is missing at \"the end\""},
        {"mass 2", "--minimise \"mass 2\": something follows at \"2\""},
        {"root(mass)", "--minimise \"root(mass)\": there is no such function; there are abs, sqrt, "
                       "log, exp, sin, cos, min, max and cents at \"root(mass)\""},
        {"max(1)", "--minimise \"max(1)\": a second number, after a comma, is missing at \")\""}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        wy_names names = {0};
        withy_error err = {0};
        CHECK(wy_expression_read("--minimise", wrong[i][0], &names, &err) == WITHY_BAD_INPUT);
        CHECK_TEXT(err.text, wrong[i][1]);
    }
}

/* ---- any function -------------------------------------------------------------------------------------- */

/* Rosenbrock's valley, inside x + y <= limit and with x y = product where there is one. */
static withy_status valley(void *context, const double *p, double *value, double *slope,
                           withy_error *err) {
    const double x = p[0], y = p[1], w = y - x * x, limit = *(const double *)context;
    (void)err;
    if (value) value[0] = 100 * w * w + (1 - x) * (1 - x), value[1] = x + y - limit;
    if (slope) {
        slope[0] = -400 * x * w - 2 * (1 - x), slope[1] = 200 * w;
        slope[2] = slope[3] = 1;
    }
    return WITHY_OK;
}

static withy_minimise_setup valley_setup(withy_fit_free *f, double *limit) {
    withy_minimise_setup setup = withy_minimise_default();
    f[0] = (withy_fit_free){.name = "x", .value = -1.2, .low = -2, .high = 2};
    f[1] = (withy_fit_free){.name = "y", .value = 1, .low = -2, .high = 2};
    setup.objective = valley, setup.context = limit, setup.free = f, setup.count = 2;
    setup.constraints = 1;
    return setup;
}

TEST(a_minimum_is_found_inside_on_a_bound_and_on_a_constraint) {
    withy_fit_free f[2];
    withy_minimum m;
    withy_error err = {0};
    double limit = 10;
    withy_minimise_setup setup = valley_setup(f, &limit);
    const withy_status status = withy_minimise(&setup, &m, &err);
    if (status == WITHY_UNSUPPORTED) skip(); /* without NLopt */
    CHECK_OK(status);
    CHECK(m.converged);
    CHECK_NEAR(m.p[0], 1, 1e-5);
    CHECK_NEAR(m.p[1], 1, 1e-5);
    CHECK_NEAR(m.first, 24.2, 1e-3);
    limit = 0.5; /* then 4 x^3 ... : least on the line y = 1/2 - x */
    CHECK_OK(withy_minimise(&setup, &m, &err));
    CHECK_NEAR(m.p[0] + m.p[1], 0.5, 1e-6);
    const double x = m.p[0], w = 0.5 - x - x * x;
    CHECK_BELOW(fabs(200 * w * (-1 - 2 * x) - 2 * (1 - x)), 1e-3); /* stationary along it */
    limit = 10, f[0].high = 0.5, f[0].value = 0;
    CHECK_OK(withy_minimise(&setup, &m, &err));
    CHECK(m.bound[0] == 1 && m.bound[1] == 0);
    CHECK_NEAR(m.p[1], 0.25, 1e-4);
    limit = -5;
    CHECK(withy_minimise(&setup, &m, &err) == WITHY_NO_CONVERGENCE);
    CHECK(strstr(err.text, "no point that meets all constraints was found"));
    f[1].high = INFINITY;
    CHECK(withy_minimise(&setup, &m, &err) == WITHY_BAD_INPUT);
    CHECK_TEXT(err.text,
               "y: a design needs a range LOW..HIGH for every parameter; it has -2 .. inf");
}

/* A square with a value everywhere; its slope fails, or is no number. */
static withy_status slopeless(void *context, const double *p, double *value, double *slope,
                              withy_error *err) {
    const int fails = *(const int *)context;
    if (value) value[0] = p[0] * p[0];
    if (slope) slope[0] = NAN;
    if (slope && fails) snprintf(err->text, sizeof err->text, "there is no slope at %g", p[0]);
    return slope && fails ? WITHY_NO_CONVERGENCE : WITHY_OK;
}

TEST(a_start_without_derivatives_is_not_taken_for_a_minimum) {
    const withy_fit_free f = {.name = "x", .value = 1, .low = -2, .high = 2};
    withy_minimum m;
    withy_error err = {0};
    int fails = 1;
    withy_minimise_setup setup = withy_minimise_default();
    setup.objective = slopeless, setup.context = &fails, setup.free = &f, setup.count = 1;
    const withy_status status = withy_minimise(&setup, &m, &err);
    if (status == WITHY_UNSUPPORTED) skip(); /* without NLopt */
    CHECK(status == WITHY_NO_CONVERGENCE);
    CHECK(strstr(err.text, "there is no slope at 1") ||
          strstr(err.text, "there is no slope at 0.99"));
    CHECK(!m.converged);
    fails = 0;
    CHECK(withy_minimise(&setup, &m, &err) == WITHY_NO_CONVERGENCE);
    CHECK(strstr(err.text, "is not finite"));
}

/* The valley, of which the slopes fail from the third point on. */
typedef struct fading {
    double limit, best;
    int slopes, last; /* asked for; the last that there is */
} fading;

static withy_status fades(void *context, const double *p, double *value, double *slope,
                          withy_error *err) {
    fading *f = context;
    const withy_status status = valley(&f->limit, p, value, slope, err);
    if (value && value[1] <= 0) f->best = fmin(f->best, value[0]);
    if (slope && ++f->slopes > f->last) slope[0] = INFINITY;
    return status;
}

TEST(slopes_that_fail_later_leave_the_best_point_visited) {
    withy_fit_free f[2];
    withy_minimum m;
    withy_error err = {0};
    fading x = {.limit = 10, .best = INFINITY, .last = 2};
    double unused;
    withy_minimise_setup setup = valley_setup(f, &unused);
    setup.objective = fades, setup.context = &x;
    const withy_status status = withy_minimise(&setup, &m, &err);
    if (status == WITHY_UNSUPPORTED) skip(); /* without NLopt */
    CHECK_OK(status);
    CHECK(x.slopes == 3 && m.slopes == 3 && !m.converged);
    CHECK(m.value == x.best && m.value < m.first);
    const double w = m.p[1] - m.p[0] * m.p[0]; /* the point is that of the value */
    CHECK_NEAR(100 * w * w + (1 - m.p[0]) * (1 - m.p[0]), m.value, 1e-12 * m.first);
    CHECK(strstr(m.notes.text,
                 "the search ended at one without derivatives: the objective, or a derivative"));
    /* where no point meets the constraints there is no design */
    x = (fading){.limit = -5, .best = INFINITY, .last = 1};
    CHECK(withy_minimise(&setup, &m, &err) == WITHY_NO_CONVERGENCE);
    CHECK(strstr(err.text, "is not finite"));
}

TEST(a_search_that_is_cut_short_says_so) {
    withy_fit_free f[2];
    withy_minimum m;
    withy_error err = {0};
    double limit = 10;
    withy_minimise_setup setup = valley_setup(f, &limit);
    setup.most = 3;
    const withy_status status = withy_minimise(&setup, &m, &err);
    if (status == WITHY_UNSUPPORTED) skip();
    CHECK_OK(status);
    CHECK(!m.converged && strstr(m.notes.text, "the evaluations were used up"));
}

/* ---- of a scene -------------------------------------------------------------------------------------------- */

static const char *const beam =
    "local p = params { d = { 6e-3, 2e-3, 20e-3 }, k1 = 0, k2 = 0 }\n"
    "return { rod = { length = 0.3, section = circle { diameter = p.d },\n"
    "  material = { young = 2e11, poisson = 0.3, density = 7850 },\n"
    "  rest = strain { strain = function(s) return 0, s < 0.15 and p.k1 or p.k2, 0 end, along = "
    "{1, 0, 0},\n"
    "                  normal = {0, 0, 1} },\n"
    "  ends = { start = clamped {}, finish = free { force = { 0, 0, -2 } } } },\n"
    "  method = 'director', options = { n = 4 }, time = { stop = 1, output = 0.5 } }\n";

static withy_status read_beam(void *context, const char *const *override, int count,
                              withy_scene **scene, withy_error *err) {
    (void)context;
    return withy_scene_read_text(beam, strlen(beam), "beam.lua", override, count, scene, err);
}

static withy_scene_minimise beam_setup(const withy_fit_free *f, int count, const char *objective) {
    withy_scene_minimise setup = withy_scene_minimise_default();
    setup.read = read_beam, setup.free = f, setup.count = count, setup.objective = objective;
    setup.threads = 2;
    return setup;
}

TEST(the_lightest_beam_that_is_stiff_and_strong_enough_is_that_of_the_book) {
    static withy_minimum m;
    const withy_fit_free f = {.name = "params.d", .value = 6e-3, .low = 2e-3, .high = 20e-3};
    const char *const subject[] = {"finish.z >= -1e-3", "stress <= 1e8"};
    withy_scene_minimise setup = beam_setup(&f, 1, "mass");
    withy_error err = {0};
    setup.subject = subject, setup.subject_count = 2;
    static readings x = {.read = read_beam};
    setup.read = count_reading, setup.context = &x;
    const withy_status status = withy_minimise_scene(&setup, &m, &err);
    if (status == WITHY_UNSUPPORTED) skip();
    CHECK_OK(status);
    print_message("%d readings, %d sets: %.17g\n", x.count, count_distinct(&x), m.p[0]);
    CHECK(m.readings == x.count && count_distinct(&x) == x.count);
    /* F L^3/(3 E pi d^4/64) = 1 mm; shear and the curve of large displacements are within 1e-3 */
    const double d = pow(64 * 2 * 0.027 / (3 * 2e11 * WY_PI * 1e-3), 0.25);
    CHECK_NEAR(m.p[0] / d, 1, 1e-3);
    CHECK(m.numbers == 3 && strcmp(m.name[0], "mass") == 0 && strcmp(m.name[2], "stress") == 0);
    CHECK_NEAR(m.number[0] / (7850 * 0.25 * WY_PI * m.p[0] * m.p[0] * 0.3), 1, 1e-12);
    CHECK_NEAR(m.number[2] / (32 * 0.6 / (WY_PI * pow(m.p[0], 3))), 1, 2e-3);
    const char *const pitch = "cents(frequency.1, 60)^2";
    setup.objective = pitch, setup.subject_count = 0;
    CHECK_OK(withy_minimise_scene(&setup, &m, &err));
    CHECK_BELOW(m.value, 1e-4); /* a hundredth of a cent */
}

TEST(a_shape_is_approached_alike_with_the_way_back_and_with_differences) {
    static withy_minimum m[2];
    static const char target[] = "s,x,y,z\n0.15,0.149,0,0.015\n0.3,0.294,0,0.05\n";
    const withy_fit_free f[2] = {{.name = "params.k1", .value = 0, .low = -5, .high = 5},
                                 {.name = "params.k2", .value = 0, .low = -5, .high = 5}};
    withy_scene_minimise setup = beam_setup(f, 2, "miss^2*1e6 + 1e-3*params.k2^2");
    withy_error err = {0};
    setup.target = target, setup.target_size = strlen(target), setup.target_name = "target.csv";
    static readings x = {.read = read_beam};
    setup.read = count_reading, setup.context = &x;
    for (int i = 0; i < 2; i++) {
        const size_t blocks = withy_memory_blocks();
        setup.differences = i, x.count = 0;
        const withy_status status = withy_minimise_scene(&setup, &m[i], &err);
        if (status == WITHY_UNSUPPORTED) skip();
        CHECK_OK(status);
        print_message("%d readings, %d sets: %.17g %.17g\n", x.count, count_distinct(&x), m[i].p[0],
                      m[i].p[1]);
        CHECK(withy_memory_blocks() == blocks);
        CHECK(m[i].readings == x.count && count_distinct(&x) == x.count);
        CHECK(m[i].exact == !i);
        CHECK(m[i].value < 0.05 * m[i].first);
    }
    CHECK_NEAR(m[0].p[0], m[1].p[0], 1e-4);
    CHECK_NEAR(m[0].p[1], m[1].p[1], 1e-4);
}

TEST(a_design_that_cannot_be_meant_is_refused_with_a_sentence) {
    static withy_minimum m;
    static const char *const wrong[][3] = {
        {"mass", "stress < 1e8",
         "--subject \"stress < 1e8\": must be EXPRESSION <= EXPRESSION, >= or ==, of less than 256 "
         "characters each"},
        {"params.e", "1 <= 2", "--minimise, --subject: params.e: the scene has no such parameter"},
        {"miss", "1 <= 2",
         "miss: is the distance from a target, a table s, x, y, z; give it with --data FILE.csv"},
        {"weight", "1 <= 2", "--minimise, --subject: weight: there is no such number"}};
    const withy_fit_free f = {.name = "params.d", .value = 6e-3, .low = 2e-3, .high = 20e-3};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        withy_scene_minimise setup = beam_setup(&f, 1, wrong[i][0]);
        withy_error err = {0};
        setup.subject = &wrong[i][1], setup.subject_count = 1;
        CHECK(withy_minimise_scene(&setup, &m, &err) == WITHY_BAD_INPUT);
        CHECK(strncmp(err.text, wrong[i][2], strlen(wrong[i][2])) == 0);
    }
}

RUN(test(an_expression_has_the_value_and_the_derivatives_of_arithmetic),
    test(an_expression_that_cannot_be_meant_is_refused_with_its_place),
    test(a_minimum_is_found_inside_on_a_bound_and_on_a_constraint),
    test(a_start_without_derivatives_is_not_taken_for_a_minimum),
    test(slopes_that_fail_later_leave_the_best_point_visited),
    test(a_search_that_is_cut_short_says_so),
    test(the_lightest_beam_that_is_stiff_and_strong_enough_is_that_of_the_book),
    test(a_shape_is_approached_alike_with_the_way_back_and_with_differences),
    test(a_design_that_cannot_be_meant_is_refused_with_a_sentence))
