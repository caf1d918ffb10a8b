/* Error bars on random scenes that nobody looked at: the bars of 120 of them, half of them every second day, in every method that solves
 * them, hold against the same method on a mesh four times as fine with a step four times as short.  (slow under sanitizers) */
#include "check.h"
#include "fixture.h"
#include "today.h"
#include "withy/withy.h"

static const char *const methods[] = {"director", "se3", "cheb", "kirchhoff", "elastica", "fdtd"};
enum { METHODS = 6, STATIC_SCENES = 80, MOVING_SCENES = 40 };

static uint64_t seed;

static double uniform(double from, double to) {
    return random_between(&seed, from, to);
}

typedef struct tally {
    int bars, low, high; /* checked; error beyond the bar; bar beyond 30 times the error */
    double worst;        /* largest error / bar */
} tally;

static double distance(withy_vec3 a, withy_vec3 b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

static void count_bar(tally *t, const char *what, const char *method, const char *text,
                      double error, double bar, double rounding) {
    t->bars++;
    if (error > rounding) t->worst = fmax(t->worst, error / bar);
    if (!(error <= bar + rounding)) {
        t->low++;
        printf("%s, %s: error %.3g, bar %.3g\n%s\n", what, method, error, bar, text);
    }
    if (!(bar <= 30 * error + 100 * rounding)) t->high++;
}

/* The options of the reference. */
static void finer(const char *method, int n, double dt, int moving, char n_text[32],
                  char dt_text[48]) {
    const int times = strcmp(method, "cheb") == 0 ? 2 : 4;
    snprintf(n_text, 32, "options.n=%d", times * n);
    snprintf(dt_text, 48, "options.dt=%s%.17g", "", dt / 4);
    if (moving && strcmp(method, "fdtd") == 0) snprintf(dt_text, 48, "options.dt=\"auto\"");
}

/* ---- equilibria -------------------------------------------------------------------------------------- */

/* A straight, bent or coiled rod, clamped at its start, under weight and a force at its end, or pushed in
 * a little between two clamps. */
static int random_static(char *text, size_t size) {
    const int n = (int)uniform(6, 16);
    const double bend = exp(uniform(-1, 1)), thick = exp(uniform(log(1e-3), log(3e-2)));
    const double stretch = bend / (thick * thick);
    char rest[160], ends[240];
    const int kind = (int)uniform(0, 3);
    if (kind == 0) snprintf(rest, sizeof rest, "straight {}");
    if (kind == 1) snprintf(rest, sizeof rest, "arc { radius = %.6g }", uniform(0.4, 2));
    if (kind == 2)
        snprintf(rest, sizeof rest, "helix { radius = %.6g, turns = 1 }", uniform(0.05, 0.14));
    if (uniform(0, 1) < 0.7)
        snprintf(ends, sizeof ends,
                 "start = clamped {}, finish = free { force = { %.6g, %.6g, %.6g } }",
                 uniform(-2, 2) * bend, uniform(-2, 2) * bend, uniform(0, 3) * bend);
    else
        snprintf(ends, sizeof ends, "start = clamped {}, finish = clamped {}");
    snprintf(
        text, size,
        "return { rod = { length = 1, stiffness = { bend = %.6g, twist = %.6g, stretch = "
        "%.6g, shear = %.6g }, inertia = { mass = 1, rotary = %.6g }, rest = %s }, ends = { %s "
        "}, gravity = { %.6g, %.6g, %.6g }, path = { from = 0, to = 1, steps = 2 }, options = "
        "{ n = %d } }",
        bend, bend * uniform(0.5, 1), stretch, stretch / 3, thick * thick, rest, ends,
        uniform(-3, 3) * bend, uniform(-3, 3) * bend, uniform(-3, 3) * bend, n);
    return n;
}

static void check_static(const char *method, const char *text, int n, tally *t) {
    char n_text[32], dt_text[48];
    const char *set[] = {n_text};
    finer(method, n, 0, 0, n_text, dt_text);
    withy_scene *scene = scene_with(text, NULL, 0), *fine = scene_with(text, set, 1);
    withy_static_report a = {0}, b = {0};
    withy_error err = {0};
    const withy_run_setup with = {.method = method, .error = 1}, plain = {.method = method};
    if (withy_static(scene, &with, &a, &err) == WITHY_OK &&
        withy_static(fine, &plain, &b, &err) == WITHY_OK) {
        const withy_static_point *p = &a.point[a.count - 1], *q = &b.point[b.count - 1];
        const double force =
            1e-8 * (fabs(p->reaction[0].x) + fabs(p->reaction[0].y) + fabs(p->reaction[0].z) + 1);
        count_bar(t, "finish", method, text, distance(p->position[1], q->position[1]),
                  p->position_error[1], 1e-9);
        count_bar(t, "force", method, text, distance(p->reaction[0], q->reaction[0]),
                  p->reaction_error[0], force);
        count_bar(t, "moment", method, text, distance(p->reaction_moment[0], q->reaction_moment[0]),
                  p->reaction_moment_error[0], force);
    }
    withy_static_free(&a), withy_static_free(&b);
    withy_scene_destroy(scene), withy_scene_destroy(fine);
}

TEST(bars_of_random_equilibria_hold_in_every_method) {
    tally t = {0};
    char text[1200];
    seed = 20261115;
    for (int i = 0; i < STATIC_SCENES; i++) {
        const int n = random_static(text, sizeof text);
        if (i / METHODS % 2 != today_from(0, 2, 1)) continue;
        for (int m = 0; m < 2; m++) check_static(methods[(i + 3 * m) % METHODS], text, n, &t);
    }
    printf("%d bars, %d too small (largest error / bar %.2f), %d more than 30 times the error\n",
           t.bars, t.low, t.worst, t.high);
    CHECK(t.bars >= STATIC_SCENES && t.low == 0 && t.high <= t.bars / 50);
}

/* ---- motions ------------------------------------------------------------------------------------------ */

static int random_motion(char *text, size_t size, double *dt) {
    const int n = (int)uniform(4, 12);
    const double gravity = uniform(0.2, 3), thick = uniform(0.02, 0.1);
    *dt = 0.05 / floor(uniform(2, 10));
    snprintf(text, size,
             "return { rod = { length = 1, stiffness = { bend = 1, twist = 0.8, stretch = %.6g, "
             "shear = %.6g }, inertia = { mass = 1, rotary = %.6g } }, initial = { shape = %s }, "
             "ends = { start = %s {}, finish = free {} }, gravity = { 0, %.6g, %.6g }, time = { "
             "stop = 0.5, output = 0.05 }, options = { n = %d, dt = %.17g } }",
             1 / (thick * thick), 0.35 / (thick * thick), thick * thick,
             uniform(0, 1) < 0.5 ? "straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } }"
                                 : "arc { along = { 1, 0, 0 }, normal = { 0, 1, 0 }, radius = 2 }",
             uniform(0, 1) < 0.7 ? "clamped" : "pinned", -gravity, uniform(0, 1), n, *dt);
    return n;
}

/* Errors of a motion oscillate: the bar at the end is for the last quarter. */
static void check_motion(const char *method, const char *text, int n, double dt, tally *t) {
    char n_text[32], dt_text[48];
    const int free_step = strcmp(method, "fdtd") == 0, cheb = strcmp(method, "cheb") == 0;
    const char *set[] = {n_text, dt_text, "options.integrator=midpoint"};
    const char *given[] = {free_step ? "options.dt=\"auto\"" : set[2]};
    finer(method, n, dt, 1, n_text, dt_text);
    withy_scene *scene = scene_with(text, given, cheb || free_step),
                *fine = scene_with(text, set, 2 + cheb);
    static withy_report a, b;
    withy_error err = {0};
    const withy_run_setup with = {.method = method, .error = 1}, plain = {.method = method};
    if (withy_run(scene, &with, &a, &err) == WITHY_OK &&
        withy_run(fine, &plain, &b, &err) == WITHY_OK)
        count_bar(t, "finish", method, text, distance(a.position[1], b.position[1]),
                  a.position_error[1], 1e-8);
    withy_scene_destroy(scene), withy_scene_destroy(fine);
}

TEST(bars_of_random_motions_hold_in_every_method) {
    tally t = {0};
    char text[1200];
    seed = 42;
    for (int i = 0; i < MOVING_SCENES; i++) {
        double dt;
        const int n = random_motion(text, sizeof text, &dt);
        if (i / METHODS % 2 != today_from(0, 2, 1)) continue;
        const int m = i % METHODS; /* one method each: a reference takes 16 times as long */
        check_motion(methods[m], text, n, dt, &t);
    }
    printf("%d bars, %d too small (largest error / bar %.2f), %d more than 30 times the error\n",
           t.bars, t.low, t.worst, t.high);
    CHECK(t.bars >= MOVING_SCENES / 4 && t.low == 0 && t.high <= t.bars / 10);
}

RUN(test(bars_of_random_equilibria_hold_in_every_method),
    test(bars_of_random_motions_hold_in_every_method))
