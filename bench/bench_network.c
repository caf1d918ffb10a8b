/* bench_network.c - how the cost of networks grows: chains, trees and nets; and one rod next to them.
 *
 *   bench_network                 all tables, in about a minute; exit status 1 if a bound is missed
 *   bench_network chains|trees|nets|net20|rod
 *   bench_network chains|trees 1000    of that size alone: 10, 100, 1000 or 10000
 *
 * Processor time, the least of several repetitions, because the machine may be shared.  "element": per element
 * and Newton iteration of a motion, steps included; "set-up": from the problem to the first step, per rod.
 *
 * Growth is bounded as the largest over the smallest of these least times.  That of ten rods is the least of many short
 * pieces, which find undisturbed moments, that of 10 000 of few long ones, which do not: on a machine that is shared the
 * ratio is rather too large than too small.  Next to it is the median over the rounds of the ratio in one round, of all that was
 * measured in it: it leaves nothing out, but a round of ten rods is a few milliseconds, and tells less.
 */
#include <math.h>
#include <string.h>

#include "bench.h"
#include "director_problems.h"
#include "method/director/network.h"
#include "network_golden.h"
#include "study/sim.h"

static int broken;

static void bound(const char *what, double value, double limit) {
    const int kept = value <= limit;
    broken += !kept;
    printf("  %-66s %7.3g  at most %5.3g  %s\n", what, value, limit, kept ? "ok" : "BROKEN");
}

/* ---- networks of any size ------------------------------------------------------------------------------- */

typedef struct big {
    network_problem frame; /* its arrays are not used */
    withy_rod *rod;
    withy_joint *joint;
} big;

static void big_take(big *x, int rods, int joints) {
    network_begin(&x->frame);
    x->rod = calloc((size_t)rods, sizeof *x->rod);
    x->joint = calloc((size_t)joints + 1, sizeof *x->joint);
    if (!x->rod || !x->joint) die("no memory");
    x->frame.problem.rod = x->rod, x->frame.problem.joint = x->joint;
    x->frame.problem.gravity = v3(0, 0, -9.81);
}

static void big_give(big *x) {
    free(x->rod), free(x->joint);
}

static void add_rod(big *x, vec3 from, vec3 to) {
    network_problem *frame = &x->frame;
    const int i = frame->problem.rod_count;
    frame->problem.rod_count = 0;
    x->rod[i] = *network_rod(frame, from, to, 2e-3, 1e7, 1000);
    frame->problem.rod_count = i + 1;
}

static void join(big *x, withy_joint_kind kind, int a, double s, int b) {
    withy_joint *j = &x->joint[x->frame.problem.joint_count++];
    *j = (withy_joint){.kind = kind, .place = {on_rod(a, s), on_rod(b, 0)}};
    if (kind == WITHY_JOINT_HINGE) j->axis = v3(0, 1, 0);
}

/* Rods of 0.1 m in a zigzag, so that no chain is longer than needed for its joints to be loaded alike. */
static void chain(big *x, int rods, withy_joint_kind kind) {
    vec3 at = v3(0, 0, 0);
    big_take(x, rods, rods);
    for (int i = 0; i < rods; i++) {
        const vec3 to = v3_add(at, v3(0.08, 0, i % 2 ? 0.06 : -0.06));
        add_rod(x, at, to);
        if (i) join(x, kind, i - 1, x->rod[i - 1].length, i);
        at = to;
    }
    x->rod[0].end[0].kind = WITHY_END_CLAMPED;
}

/* Every rod carries two. */
static void tree(big *x, int rods, withy_joint_kind kind) {
    big_take(x, rods, rods);
    vec3 *tip = calloc((size_t)rods, sizeof *tip);
    for (int i = 0; i < rods; i++) {
        const int on = (i - 1) / 2;
        const vec3 from = i ? tip[on] : v3(0, 0, 0);
        const double a = 2.4 * i;
        tip[i] = v3_add(from, v3(0.06 * cos(a), 0.06 * sin(a), 0.08));
        add_rod(x, from, tip[i]);
        if (i) join(x, kind, on, x->rod[on].length, i);
    }
    free(tip);
    x->rod[0].end[0].kind = WITHY_END_CLAMPED;
}

typedef struct cost {
    double element, step, setup; /* [s]; per element and iteration, per step, all */
    double iterations;           /* per step */
} cost;

/* A network that is moving already. */
typedef struct moving {
    big x;
    withy_sim *sim;
    int elements, steps, made; /* steps of one round, and made */
    double dt;
    cost best;
    double time, work; /* of this round: [s], elements times iterations */
} moving;

static void moving_start(moving *m, const char *options) {
    withy_error err = {0};
    const double start = processor();
    if (network_start(&m->x.frame, options, &m->sim, &err) != WITHY_OK) die(err.text);
    m->best = (cost){INFINITY, INFINITY, processor() - start, 0};
    if (withy_sim_advance(m->sim, 2 * m->dt, &err) != WITHY_OK) die(err.text);
    m->made = 2;
}

static void moving_round(moving *m) {
    withy_error err = {0};
    const int64_t before = withy_sim_stats(m->sim).iterations;
    const double start = processor();
    m->made += m->steps;
    if (withy_sim_advance(m->sim, m->made * m->dt, &err) != WITHY_OK) die(err.text);
    const double time = processor() - start;
    const double iterations = (double)(withy_sim_stats(m->sim).iterations - before);
    m->time += time, m->work += iterations * m->elements;
    m->best.iterations = iterations / m->steps;
    m->best.element = fmin(m->best.element, time / (iterations * m->elements));
    m->best.step = fmin(m->best.step, time / m->steps);
}

static void moving_stop(moving *m) {
    withy_sim_destroy(m->sim);
    big_give(&m->x);
}

/* ---- growth ---------------------------------------------------------------------------------------------- */

typedef void builder(big *x, int rods, withy_joint_kind kind);

enum { SIZES = 4, ROUNDS = 8, STEPS = 4 };

static int only; /* rods; 0: all sizes */

/* Largest over smallest cost per element in the round just made. */
static double round_ratio(moving m[SIZES]) {
    double least = INFINITY, most = 0;
    for (int i = 0; i < SIZES; i++) {
        if (!(m[i].work > 0)) continue;
        least = fmin(least, m[i].time / m[i].work), most = fmax(most, m[i].time / m[i].work);
        m[i].time = m[i].work = 0;
    }
    return most / least;
}

static double median(double *x, int count) {
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && x[k] < x[k - 1]; k--) {
            const double keep = x[k];
            x[k] = x[k - 1], x[k - 1] = keep;
        }
    return 0.5 * (x[(count - 1) / 2] + x[count / 2]);
}

/* All sizes in turn, round by round: what else the machine does is the same for all.  As many steps at a time for all,
 * since the end of an advance costs too; of small networks more often, as they are over sooner.  The bound is on ratios
 * within a round: the clock of a shared processor changes by a third from minute to minute, and the least of 64 short
 * pieces finds a fast moment that the least of 8 long ones may not. */
static void growth(const char *name, builder *build, withy_joint_kind kind) {
    static const int rods[SIZES] = {10, 100, 1000, 10000};
    static const int often[SIZES] = {8, 5, 2, 1};
    moving m[SIZES] = {{.work = 0}};
    double least = INFINITY, most = 0, ratio[ROUNDS];
    printf("%s, 2 elements of degree 3 per rod, dt 1 ms\n", name);
    for (int i = 0; i < SIZES; i++) {
        if (only && only != rods[i]) continue;
        m[i] = (moving){.elements = 2 * rods[i], .steps = STEPS, .dt = 1e-3};
        build(&m[i].x, rods[i], kind);
        network_times(&m[i].x.frame, 1.3, 1.3);
        moving_start(&m[i], "n=2 degree=3 dt=0.001");
    }
    for (int k = 0; k < ROUNDS; k++) {
        for (int i = 0; i < SIZES; i++)
            for (int n = 0; n < often[i] && (!only || only == rods[i]); n++) moving_round(&m[i]);
        ratio[k] = round_ratio(m);
    }
    for (int i = 0; i < SIZES; i++) {
        if (only && only != rods[i]) continue;
        const cost c = m[i].best;
        printf("  %6d rods  %6.3f us an element, %8.3f ms a step, %.1f iterations, set-up %6.2f us "
               "a rod\n",
               rods[i], 1e6 * c.element, 1e3 * c.step, c.iterations, 1e6 * c.setup / rods[i]);
        least = fmin(least, c.element), most = fmax(most, c.element);
        moving_stop(&m[i]);
    }
    bound("cost per element, largest over smallest in one round, median", median(ratio, ROUNDS),
          1.5);
    printf("  %-66s %7.3g\n", "the same of the leasts of all rounds", most / least);
}

static void chains(void) {
    growth("chains of hinged rods", chain, WITHY_JOINT_HINGE);
    growth("chains of welded rods", chain, WITHY_JOINT_WELD);
}

static void trees(void) {
    growth("binary trees of welded rods", tree, WITHY_JOINT_WELD);
    growth("binary trees of hinged rods", tree, WITHY_JOINT_HINGE);
}

/* ---- nets -------------------------------------------------------------------------------------------------- */

static void net(big *x, int k, double radius, double young) {
    network_problem one;
    big_take(x, 2 * k, k * k);
    for (int i = 0; i < 2 * k; i++) {
        const double at = i % k / (k - 1.);
        network_begin(&one);
        x->rod[i] = *network_rod(&one, i < k ? v3(at, 0, 0) : v3(0, at, 0),
                                 i < k ? v3(at, 1, 0) : v3(1, at, 0), radius, young, 1000);
        if (i % k == 0 || i % k == k - 1)
            x->rod[i].end[0].kind = x->rod[i].end[1].kind = WITHY_END_CLAMPED;
    }
    for (int i = 0; i < k * k; i++)
        x->joint[i] = (withy_joint){
            .kind = WITHY_JOINT_WELD,
            .place = {on_rod(i / k, i % k / (k - 1.)), on_rod(k + i % k, i / k / (k - 1.))}};
    x->frame.problem.rod_count = 2 * k, x->frame.problem.joint_count = k * k;
}

/* The factorisation and the segments alone, by a tangent of statics. */
static void parts_of(withy_sim *sim, double *factor, double *segments) {
    wy_network *n = sim->self;
    *factor = *segments = INFINITY;
    for (int r = 0; r < 7; r++) {
        double start = processor();
        withy_error err = {0};
        if (wy_reduced_fill(n, 0, &err) != WITHY_OK) die(err.text);
        *segments = fmin(*segments, processor() - start);
        start = processor();
        if (!wy_blocks_factor(&n->plan.reduced, n->value, n->pivot, NULL, NULL)) die("singular");
        *factor = fmin(*factor, processor() - start);
    }
}

static void nets(void) {
    static const struct {
        int k;
        double factor; /* [ms] of the prototype, docs/theory/network.md */
    } row[4] = {{10, 0.10}, {20, 0.91}, {40, 11.2}, {60, 50}};
    printf("welded nets of k x k crossings, 2 elements of degree 1 per side\n");
    for (int i = 0; i < 4; i++) {
        const int k = row[i].k;
        big x;
        withy_sim *sim;
        withy_error err = {0};
        char options[64], what[96];
        double factor, segments;
        net(&x, k, 2e-3, 1e7);
        network_times(&x.frame, 0.1, 0.1);
        snprintf(options, sizeof options, "n=%d degree=1 dt=0.0025", 2 * (k - 1));
        const double start = processor();
        if (network_start(&x.frame, options, &sim, &err) != WITHY_OK) die(err.text);
        const double setup = processor() - start;
        if (withy_sim_advance(sim, 0.0025, &err) != WITHY_OK) die(err.text);
        parts_of(sim, &factor, &segments);
        snprintf(what, sizeof what, "k = %d: factor [ms]; segments %.2f ms, set-up %.0f ms", k,
                 1e3 * segments, 1e3 * setup);
        bound(what, 1e3 * factor, row[i].factor);
        withy_sim_destroy(sim);
        big_give(&x);
    }
}

/* A net of 20 x 20, one element of degree 3 per side, that falls. */
static void net20(void) {
    big x;
    withy_sim *sim;
    withy_error err = {0};
    net(&x, 20, 2e-3, 1e7);
    network_times(&x.frame, 0.25, 0.25);
    if (network_start(&x.frame, "n=19 degree=3 dt=0.0025", &sim, &err) != WITHY_OK) die(err.text);
    const double start = processor();
    if (withy_sim_advance(sim, 0.25, &err) != WITHY_OK) die(err.text);
    const double time = processor() - start;
    const withy_stats stats = withy_sim_stats(sim);
    printf("falling net of 20 x 20, 760 elements of degree 3, dt 2.5 ms: %.1f iterations a step\n",
           (double)stats.iterations / (double)stats.steps);
    bound("processor time over simulated time", time / 0.25, 10);
    withy_sim_destroy(sim);
    big_give(&x);
}

/* ---- one rod --------------------------------------------------------------------------------------------- */

/* To be compared with the same program of another version. */
static void rod(void) {
    for (int p = 1; p <= 3; p += 2) {
        double best = INFINITY;
        for (int k = 0; k < 15; k++) {
            director_problem x;
            withy_sim *sim;
            withy_error err = {0};
            char options[64];
            director_s2(&x);
            director_times(&x, 0.15, 0.15);
            snprintf(options, sizeof options, "n=100 degree=%d dt=0.0025", p);
            if (director_start(&x, options, &sim, &err) != WITHY_OK) die(err.text);
            const double start = processor();
            if (withy_sim_advance(sim, 0.15, &err) != WITHY_OK) die(err.text);
            const double time = processor() - start;
            best = fmin(best, time / ((double)withy_sim_stats(sim).iterations * 100));
            withy_sim_destroy(sim);
        }
        printf("one rod of 100 elements of degree %d: %.1f ns per element and iteration\n", p,
               1e9 * best);
    }
}

int main(int argc, char **argv) {
    only = argc > 2 ? atoi(argv[2]) : 0;
    static const struct {
        const char *name;
        void (*run)(void);
    } part[] = {
        {"rod", rod}, {"chains", chains}, {"trees", trees}, {"nets", nets}, {"net20", net20}};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        if (argc < 2 || strcmp(argv[1], part[i].name) == 0) part[i].run();
    return broken ? 1 : 0;
}
