/* Compare on random scenes that nobody looked at: two methods differ by less than the sum of their bars, and
 * a comparison keeps to its time; half of the scenes every second day; slow under sanitizers. */
#include "check.h"
#include "fixture.h"
#include "today.h"
#include "withy/withy.h"

enum { SCENES = 30 };

static uint64_t seed = 7;

static double uniform(double from, double to) {
    return random_between(&seed, from, to);
}

typedef struct reading {
    withy_scene *scene;
    withy_option option[2][WITHY_SCENE_OPTIONS];
    int runs;
} reading;

static withy_status study_of(void *context, const char *method, withy_study *study,
                             withy_error *err) {
    reading *x = context;
    return withy_scene_study(x->scene, method, x->option[0], study, err);
}

static int count_run(void *context, const char *method, int level, int stiffer) {
    (void)method, (void)level, (void)stiffer;
    ((reading *)context)->runs++;
    return 0;
}

static withy_comparison *compare(reading *x, const char *text, const char *const *method, int count,
                                 double accuracy, double budget) {
    withy_error err = {0};
    const withy_status status =
        withy_scene_read_text(text, strlen(text), "random.lua", NULL, 0, &x->scene, &err);
    if (status == WITHY_MISSING) skip();
    if (status != WITHY_OK) fail_msg("%s\n%s", err.text, text);
    const withy_compare_setup setup = {.study = study_of,
                                       .method = method,
                                       .method_count = count,
                                       .refine = 3,
                                       .accuracy = accuracy,
                                       .progress = count_run,
                                       .context = x,
                                       .budget = budget};
    withy_comparison *c = NULL;
    CHECK_OK(withy_compare(&setup, &c, &err));
    return c;
}

/* A stubby rod, so that explicit methods are quick: bent, pulled or falling, at rest at the start. */
static void random_scene(char *text, size_t size) {
    const double thick = uniform(0.05, 0.15);
    const char *shape = uniform(0, 1) < 0.5
                            ? "straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } }"
                            : "arc { along = { 1, 0, 0 }, normal = { 0, 1, 0 }, "
                              "radius = 1.5 }";
    snprintf(text, size,
             "return { rod = { length = 1, stiffness = { bend = 1, twist = 0.8, stretch = %.6g, "
             "shear = %.6g }, inertia = { mass = 1, rotary = %.6g } }, initial = { shape = %s }, "
             "ends = { start = clamped {}, finish = free { force = { %.4g, %.4g, %.4g } } }, "
             "gravity = { 0, %.4g, %.4g }, time = { stop = 0.4, output = 0.02 }, options = { n = "
             "%d, dt = %.6g } }",
             1 / (thick * thick), 0.35 / (thick * thick), thick * thick, shape, uniform(-0.3, 0.3),
             uniform(-0.5, 0.5), uniform(-0.5, 0.5), uniform(-2, 2), uniform(-2, 2),
             8 + 2 * (int)uniform(0, 5), 0.02 / floor(uniform(1, 5)));
}

TEST(two_methods_differ_by_less_than_their_bars_on_random_scenes) {
    static const char *const pair[][2] = {
        {"director", "fdtd"}, {"se3", "fdtd"}, {"director", "se3"}, {"fdtd", "cheb"}};
    int judged = 0, beyond = 0, unknown = 0;
    for (int i = 0; i < SCENES; i++) {
        char text[900];
        reading x = {0};
        random_scene(text, sizeof text);
        if (i / 4 % 2 != today_from(0, 2, 1)) continue;
        withy_comparison *c = compare(&x, text, pair[i % 4], 2, 1e-2, 0);
        for (int k = 0; k < c->pair_count; k++) {
            const withy_compare_pair *p = &c->pair[k];
            judged += p->known, unknown += !p->known, beyond += p->known && !p->agree;
            if (p->known && !p->agree)
                printf("%s and %s: %.3g apart, bars %.3g, at t = %g of\n%s\n", pair[i % 4][0],
                       pair[i % 4][1], p->distance, p->allowed, p->t, text);
        }
        withy_comparison_free(c);
        withy_scene_destroy(x.scene);
    }
    printf("%d pairs judged, %d beyond their bars, %d not known\n", judged, beyond, unknown);
    CHECK(judged >= SCENES / 2 && beyond == 0);
}

/* A cantilever released from the curvature of its first mode, with the shear that belongs to it: a scene on which bars
 * were too small, and cheb was refined for minutes. */
TEST(four_methods_agree_on_a_cantilever_released_from_its_first_mode) {
    static const char *const method[] = {"director", "se3", "fdtd", "cheb"};
    reading x = {0};
    withy_comparison *c = compare(
        &x,
        "local L, D, E, bL = 0.1, 0.01, 1e6, 1.8751\n"
        "local EI, GA, b = E * math.pi * D^4 / 64, E / 3 * math.pi * D^2 / 4, bL / L\n"
        "local function ch(x) return (math.exp(x) + math.exp(-x)) / 2 end\n"
        "local function sh(x) return (math.exp(x) - math.exp(-x)) / 2 end\n"
        "local cos, sin, k0 = math.cos, math.sin, math.pi / 8 / L\n"
        "local q = (ch(bL) + cos(bL)) / (sh(bL) + sin(bL))\n"
        "local function k(x) return k0 * (ch(x) + cos(x) - q * (sh(x) + sin(x))) end\n"
        "local function dk(x) return k0 * b * (sh(x) - sin(x) - q * (ch(x) + cos(x))) end\n"
        "return { rod = { length = L, section = circle { diameter = D }, material = { young = E, "
        "shear = E / 3, density = 1000 }, rest = straight {} }, initial = { strain = function(s) "
        "return -EI / GA * dk(b * s), 0, 0, 0, k(b * s), 0 end }, ends = { start = clamped {} }, "
        "time = { stop = 0.06, output = 0.02 }, options = { n = 100, dt = 0.01 } }",
        method, 4, 1e-2, 0);
    CHECK(c->count == 4 && c->disagreements == 0);
    for (int k = 0; k < c->pair_count; k++) CHECK(c->pair[k].known && c->pair[k].agree);
    CHECK(c->method[3].levels <= 3);
    withy_comparison_free(c);
    withy_scene_destroy(x.scene);
}

/* cheb at n = 48 knows its error from n = 12 and 24, and is not run there. */
TEST(a_method_is_not_refined_where_that_decides_nothing) {
    static const char *const both[] = {"director", "cheb"};
    reading x = {0};
    withy_comparison *c = compare(&x,
                                  "return { rod = { length = 1, stiffness = { bend = 1, twist = "
                                  "0.8, stretch = 100, shear = 35 "
                                  "}, inertia = { mass = 1, rotary = 0.01 } }, initial = { shape = "
                                  "straight { along = { 1, 0, 0 "
                                  "}, normal = { 0, 1, 0 } } }, ends = { start = clamped {} }, "
                                  "gravity = { 0, -1, 0 }, time = { "
                                  "stop = 0.4, output = 0.04 }, options = { n = 48, dt = 0.02 } }",
                                  both, 2, 1e-2, 0);
    CHECK(c->count == 2 && c->disagreements == 0);
    CHECK(c->method[1].run[c->method[1].levels - 1].n <= 24);
    withy_comparison_free(c);
    withy_scene_destroy(x.scene);
}

/* A thin rod for which the explicit method needs hours. */
TEST(a_method_that_needs_more_time_than_is_left_is_left_out_with_a_sentence) {
    static const char *const both[] = {"director", "fdtd"};
    reading x = {0};
    withy_comparison *c = compare(&x,
                                  "return { rod = { length = 1, section = circle { diameter = 1e-4 "
                                  "}, material = { young = 2e11, "
                                  "shear = 8e10, density = 8000 } }, initial = { shape = straight "
                                  "{ along = { 1, 0, 0 } } }, ends "
                                  "= { start = clamped {} }, gravity = { 0, -1e-3, 0 }, time = { "
                                  "stop = 1, output = 0.1 }, options "
                                  "= { n = 16, dt = 0.05 } }",
                                  both, 2, 1e-2, 0.6);
    CHECK(c->count == 1 && c->refused_count == 1);
    CHECK(strstr(c->refused[0].skipped, "needs more processor time than is left") != NULL);
    withy_comparison_free(c);
    withy_scene_destroy(x.scene);
}

RUN(test(two_methods_differ_by_less_than_their_bars_on_random_scenes),
    test(four_methods_agree_on_a_cantilever_released_from_its_first_mode),
    test(a_method_is_not_refined_where_that_decides_nothing),
    test(a_method_that_needs_more_time_than_is_left_is_left_out_with_a_sentence))
