/* bench_contact.c - what contact costs: finding pairs, solving with them, a pile.
 *
 *   bench_contact                 all, in about half a minute; exit status 1 if a bound is missed
 *
 * Processor time, the least of several repetitions, because the machine may be shared.
 */
#include <math.h>
#include <string.h>

#include "bench.h"
#include "method/director/contacts.h"
#include "network_golden.h"
#include "study/sim.h"

static int broken;

static void bound(const char *what, double value, double limit) {
    const int kept = value <= limit;
    broken += !kept;
    printf("  %-66s %7.3g  at most %5.3g  %s\n", what, value, limit, kept ? "ok" : "BROKEN");
}

/* ---- which boxes overlap ------------------------------------------------------------------------------------ */

static int tally(void *context, int i, int j) {
    (void)i, (void)j;
    ++*(long *)context;
    return 1;
}

/* Chords of a close coil: seconds per chord. */
static double coil(int count, long *pairs) {
    wy_arena arena = {0};
    wy_grid grid;
    withy_error err = {0};
    wy_box *box = calloc((size_t)count, sizeof *box);
    if (!box || wy_grid_make(&grid, count, &arena, &err) != WITHY_OK) die("no memory");
    for (int i = 0; i < count; i++) {
        const double a = 0.1 * i;
        const vec3 x = v3(cos(a), sin(a), 0.02 / (2 * WY_PI) * a), r = v3(0.06, 0.06, 0.012);
        box[i] = (wy_box){v3_sub(x, r), v3_add(x, r)};
    }
    double least = INFINITY;
    for (int k = 0; k < 5; k++) {
        const double from = processor();
        *pairs = 0;
        wy_grid_pairs(&grid, box, count, tally, pairs);
        least = fmin(least, processor() - from);
    }
    wy_arena_free(&arena);
    free(box);
    return least / count;
}

static void broad(void) {
    const int count[3] = {1000, 10000, 100000};
    double cost[3];
    printf("pairs of a close coil\n");
    for (int k = 0; k < 3; k++) {
        long pairs;
        cost[k] = coil(count[k], &pairs);
        printf("  %7d chords: %8.3f us each, %.2f pairs each\n", count[k], 1e6 * cost[k],
               (double)pairs / count[k]);
    }
    bound("cost per chord of 100 000 over that of 1000", cost[2] / cost[0], 3);
}

/* ---- one solve ---------------------------------------------------------------------------------------------- */

/* Two rods of 500 elements pressed together side by side. */
static withy_sim *hairpin(int touches) {
    static network_problem x;
    withy_error err = {0};
    withy_sim *sim;
    const double r = 1e-3;
    network_begin(&x);
    for (int i = 0; i < 2; i++)
        network_rod(&x, v3(0, 0, 1.999 * r * i), v3(1, 0, 1.999 * r * i), r, 1e7, 1000);
    x.problem.contact.given = touches, x.problem.contact.stiffness = 1e6;
    network_times(&x, 1e-2, 1e-2);
    if (network_start(&x, "n=500 degree=1 dt=1e-4", &sim, &err) != WITHY_OK) die(err.text);
    if (withy_sim_advance(sim, 1e-4, &err) != WITHY_OK) die(err.text);
    return sim;
}

static double solve_time(withy_sim *sim, int fills) {
    wy_network *net = wy_network_of(sim->self);
    withy_error err = {0};
    double least = INFINITY;
    for (int k = 0; k < 20; k++) {
        if (wy_skeleton_fill(net, 0, &err) != WITHY_OK) die(err.text);
        const double from = processor();
        for (int i = 0; i < fills; i++) /* the chain is eliminated while it is assembled */
            if (wy_skeleton_fill(net, 0, &err) != WITHY_OK) die(err.text);
        wy_blocks_factor(&net->plan.skeleton, net->value, net->pivot, NULL, NULL);
        wy_blocks_solve(&net->plan.skeleton, net->value, net->pivot, net->side);
        wy_skeleton_spread(net);
        least = fmin(least, processor() - from);
    }
    return least;
}

static void solves(void) {
    withy_sim *chain = hairpin(0), *pairs = hairpin(1);
    const wy_touch *touch = wy_network_of(pairs->self)->touch;
    printf("two rods of 500 elements side by side, %d contacts\n", touch->step->active);
    const double plain = solve_time(chain, 1), solved = solve_time(pairs, 0);
    const double whole = solve_time(pairs, 1);
    printf("  chains, assembled and solved %.3f ms; with contacts, solved %.3f, with assembly %.3f "
           "ms\n",
           1e3 * plain, 1e3 * solved, 1e3 * whole);
    bound("one solve with 1000 contacts over the chains alone", solved / plain, 3);
    withy_sim_destroy(chain), withy_sim_destroy(pairs);
}

/* ---- a pile ------------------------------------------------------------------------------------------------- */

static double noise(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

static void pile(void) {
    static network_problem x;
    uint64_t seed = 3;
    withy_error err = {0};
    withy_sim *sim;
    const withy_obstacle wall[2] = {
        {.kind = WITHY_OBSTACLE_PLANE},
        {.kind = WITHY_OBSTACLE_CYLINDER, .along = {0, 0, 1}, .radius = 0.05, .inside = 1}};
    network_begin(&x);
    for (int i = 0; i < 20; i++) {
        const double a = 3.14 * noise(&seed), b = 0.3 * noise(&seed);
        const vec3 d = v3(cos(a) * cos(b), sin(a) * cos(b), sin(b)),
                   at = v3(0, 0, 0.04 + 0.022 * i);
        network_rod(&x, v3_axpy(at, -0.03, d), v3_axpy(at, 0.03, d), 2e-3, 1e7, 1000);
    }
    x.problem.gravity = v3(0, 0, -9.81);
    x.problem.contact.given = 1, x.problem.contact.stiffness = 1e6;
    for (int i = 0; i < WITHY_FRICTIONS; i++) x.problem.contact.friction[i] = 0.3;
    x.problem.obstacle = wall, x.problem.obstacle_count = 2;
    network_times(&x, 0.6, 0.6);
    const double from = processor();
    if (network_start(&x, "n=10 degree=1 dt=1e-3", &sim, &err) != WITHY_OK) die(err.text);
    if (withy_sim_advance(sim, 0.6, &err) != WITHY_OK) die(err.text);
    const withy_stats stats = withy_sim_stats(sim);
    const wy_touch_now *touch = wy_network_of(sim->self)->touch->now;
    printf("20 rods fall into a tube: %.1f iterations per step, %d halvings, %d contacts, depth "
           "%.3f of the radii, ledger %.1e\n",
           (double)stats.iterations / (double)stats.steps, (int)stats.halvings, (int)touch->count,
           touch->depth, stats.energy_drift);
    bound("processor seconds for 0.6 s", processor() - from, 10);
    withy_sim_destroy(sim);
}

int main(void) {
    broad();
    solves();
    pile();
    return broken > 0;
}
