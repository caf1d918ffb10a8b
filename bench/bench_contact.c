/* bench_contact.c - what contact costs: finding pairs, solving with them, a pile.
 *
 *   bench_contact                 all, in about half a minute; exit status 1 if a bound is missed
 *   bench_contact free            only scenes without contact, to set next to those of another build
 *
 * Processor time, the least of several repetitions, because the machine may be shared.
 */
#include <math.h>
#include <string.h>

#include "bench.h"
#include "method/director/contact/contacts.h"
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

static double noise(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

/* A chord of a close coil, or anywhere in a cube in which each meets 7 others. */
static wy_box box_of(int i, int count, int tangled, uint64_t *seed) {
    const double a = 0.1 * i, side = 0.5 * cbrt(count / 1.75);
    const vec3 x = tangled ? v3(side * noise(seed), side * noise(seed), side * noise(seed))
                           : v3(cos(a), sin(a), 0.02 / (2 * WY_PI) * a);
    const vec3 r = tangled ? v3(0.5, 0.5, 0.5) : v3(0.06, 0.06, 0.012);
    return (wy_box){v3_sub(x, r), v3_add(x, r)};
}

/* Seconds per chord. */
static double search(int count, int tangled, long *pairs) {
    wy_arena arena = {0};
    wy_grid grid;
    withy_error err = {0};
    wy_box *box = calloc((size_t)count, sizeof *box);
    if (!box || wy_grid_make(&grid, count, &arena, &err) != WITHY_OK) die("no memory");
    uint64_t seed = 5;
    for (int i = 0; i < count; i++) box[i] = box_of(i, count, tangled, &seed);
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
    const char *const name[2] = {"a close coil", "a tangle, in no order"};
    for (int tangled = 0; tangled < 2; tangled++) {
        double cost[3];
        printf("pairs of %s\n", name[tangled]);
        for (int k = 0; k < 3; k++) {
            long pairs;
            cost[k] = search(count[k], tangled, &pairs);
            printf("  %7d chords: %8.3f us each, %.2f pairs each\n", count[k], 1e6 * cost[k],
                   (double)pairs / count[k]);
        }
        bound("cost per chord of 100 000 over that of 1000", cost[2] / cost[0], 3);
    }
}

/* ---- surfaces of triangles ---------------------------------------------------------------------------------- */

/* A torus of n by 2 n places, two triangles each: making its tree, and the distance of a place near it. */
static void surface(int n) {
    const int count = 2 * n * n;
    wy_arena arena = {0};
    withy_error err = {0};
    const wy_mesh *mesh;
    vec3 *vertex = calloc((size_t)count, sizeof *vertex), unused;
    int(*triangle)[3] = calloc(2 * (size_t)count, sizeof *triangle);
    if (!vertex || !triangle) die("no memory");
    for (int i = 0; i < count; i++) {
        const double a = 2 * WY_PI * (i / n) / (2 * n), b = 2 * WY_PI * (i % n) / n;
        vertex[i] = v3((1 + 0.3 * cos(b)) * cos(a), (1 + 0.3 * cos(b)) * sin(a), 0.3 * sin(b));
        const int next = (i / n + 1) % (2 * n) * n, own = i / n * n, on = (i % n + 1) % n;
        memcpy(triangle[2 * i], (int[3]){i, next + i % n, next + on}, sizeof *triangle);
        memcpy(triangle[2 * i + 1], (int[3]){i, next + on, own + on}, sizeof *triangle);
    }
    double from = processor();
    if (wy_mesh_make(vertex, count, (const int(*)[3])triangle, 2 * count, &arena, &mesh, &err) !=
        WITHY_OK)
        die(err.text);
    const double made = processor() - from;
    enum { ASKED = 20000 };
    uint64_t seed = 1;
    double sum = 0;
    from = processor();
    for (int k = 0; k < ASKED; k++) {
        const double a = WY_PI * noise(&seed), b = WY_PI * noise(&seed),
                     r = 0.3 + 0.02 * noise(&seed);
        sum += wy_mesh_distance(
            mesh, v3((1 + r * cos(b)) * cos(a), (1 + r * cos(b)) * sin(a), r * sin(b)), &unused);
    }
    printf("  %8d triangles: tree in %6.3f s, %6.2f us a distance (mean %.4f m)\n", 2 * count, made,
           1e6 * (processor() - from) / ASKED, sum / ASKED);
    wy_arena_free(&arena);
    free(vertex), free(triangle);
}

static void surfaces(void) {
    const int n[4] = {16, 50, 158, 500};
    printf("surfaces of triangles\n");
    for (int k = 0; k < 4; k++) surface(n[k]);
}

/* ---- without contact ---------------------------------------------------------------------------------------- */

/* Twenty steps, from the same state again and again: the least. */
static void repeat(const char *name, network_problem *x, const char *options) {
    withy_error err = {0};
    withy_sim *sim;
    network_times(x, 1, 1);
    if (network_start(x, options, &sim, &err) != WITHY_OK) die(err.text);
    const size_t size = withy_sim_save_size(sim);
    void *state = malloc(size);
    if (!state || withy_sim_save(sim, state, size, &err) != WITHY_OK) die(err.text);
    double least = INFINITY;
    for (int k = 0; k < 400; k++) {
        if (withy_sim_restore(sim, state, size, &err) != WITHY_OK) die(err.text);
        const double from = processor();
        if (withy_sim_advance(sim, 0.02, &err) != WITHY_OK) die(err.text);
        least = fmin(least, processor() - from);
    }
    printf("  %-40s %8.2f us a step\n", name, 1e6 * least / 20);
    free(state), withy_sim_destroy(sim);
}

static void without(void) {
    static network_problem x;
    printf("scenes without contact\n");
    network_begin(&x);
    x.problem.gravity = v3(0, 0, -9.81);
    network_rod(&x, v3(0, 0, 0), v3(1, 0, 0), 5e-3, 1e7, 1000)->end[0].kind = WITHY_END_PINNED;
    repeat("a pendulum of 50 elements", &x, "n=50 degree=1 dt=1e-3");
    network_begin(&x);
    golden_all_kinds(&x);
    x.problem.gravity = v3(0, 0, -9.81);
    repeat("a network of all kinds of joints", &x, "n=10 dt=1e-3");
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
        if (wy_reduced_fill(net, 0, &err) != WITHY_OK) die(err.text);
        const double from = processor();
        for (int i = 0; i < fills; i++) /* the chain is eliminated while it is assembled */
            if (wy_reduced_fill(net, 0, &err) != WITHY_OK) die(err.text);
        wy_blocks_factor(&net->plan.reduced, net->value, net->pivot, NULL, NULL);
        wy_blocks_solve(&net->plan.reduced, net->value, net->pivot, net->side);
        wy_reduced_spread(net);
        least = fmin(least, processor() - from);
    }
    return least;
}

static void solves(void) {
    withy_sim *chain = hairpin(0), *pairs = hairpin(1);
    const wy_contacts *contacts = wy_network_of(pairs->self)->contacts;
    printf("two rods of 500 elements side by side, %d contacts\n", contacts->step->active);
    const double plain = solve_time(chain, 1), solved = solve_time(pairs, 0);
    const double whole = solve_time(pairs, 1);
    printf("  chains, assembled and solved %.3f ms; with contacts, solved %.3f, with assembly %.3f "
           "ms\n",
           1e3 * plain, 1e3 * solved, 1e3 * whole);
    bound("one solve with 1000 contacts over the chains alone", solved / plain, 3);
    withy_sim_destroy(chain), withy_sim_destroy(pairs);
}

/* ---- a pile ------------------------------------------------------------------------------------------------- */

static void pile(void) {
    static network_problem x;
    uint64_t seed = 3;
    withy_error err = {0};
    withy_sim *sim;
    const withy_obstacle obstacle[2] = {
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
    x.problem.obstacle = obstacle, x.problem.obstacle_count = 2;
    network_times(&x, 0.6, 0.6);
    const double from = processor();
    if (network_start(&x, "n=10 degree=1 dt=1e-3", &sim, &err) != WITHY_OK) die(err.text);
    if (withy_sim_advance(sim, 0.6, &err) != WITHY_OK) die(err.text);
    const withy_stats stats = withy_sim_stats(sim);
    const wy_contacts_now *contacts = wy_network_of(sim->self)->contacts->now;
    printf("20 rods fall into a tube: %.1f iterations per step, %d halvings, %d contacts, depth "
           "%.3f of the radii, ledger %.1e\n",
           (double)stats.iterations / (double)stats.steps, (int)stats.halvings,
           (int)contacts->count, contacts->depth, stats.energy_drift);
    bound("processor seconds for 0.6 s", processor() - from, 10);
    withy_sim_destroy(sim);
}

int main(int argc, char **argv) {
    without();
    if (argc > 1 && strcmp(argv[1], "free") == 0) return 0;
    broad();
    surfaces();
    solves();
    pile();
    return broken > 0;
}
