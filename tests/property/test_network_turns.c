/* Newton's equations of a network without loops are assembled and eliminated in one pass, turn by turn
 * (director/linear/reduced_solve.c).  Random networks with all that a network may have give the same changes as the plain way,
 * which assembles all, factorises all and solves, whatever the memory held before; and the same motion.
 *
 * WITHY_TEST_NETWORKS=2000: as many networks.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/vec.h"
#include "check.h"
#include "method/director/network.h"
#include "random_network.h"
#include "study/sim.h"

#ifdef __SANITIZE_ADDRESS__
enum { NETWORKS = 40 };
#else
enum { NETWORKS = 240 };
#endif

enum { STEPS = 3 };

/* ---- random networks ----------------------------------------------------------------------------------- */

static int chance(uint32_t *seed, double p) {
    return 0.5 * (noise(seed) + 1) < p;
}

typedef struct forest {
    network_problem x;
    withy_load load[NETWORK_RODS];
    withy_body_load push[NETWORK_BODIES];
    char name[NETWORK_RODS][16];
    double from[NETWORK_JOINTS][3]; /* of ground that moves */
    char options[64];
} forest;

static withy_status swing(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    *out = 0.3 * sin(3 * t);
    return WITHY_OK;
}

static withy_status way(void *context, double s, double t, double *out, withy_error *err) {
    (void)s, (void)err;
    for (int i = 0; i < 3; i++) out[i] = ((const double *)context)[i] + 0.1 * (i + 1) * t * t;
    return WITHY_OK;
}

static withy_place at_ground(forest *f, uint32_t *seed, vec3 at) {
    withy_place place = on_ground(at.x, at.y, at.z);
    double *from = f->from[f->x.problem.joint_count];
    from[0] = at.x, from[1] = at.y, from[2] = at.z;
    if (chance(seed, 0.3)) place.path = (withy_field){.size = 3, .call = way, .context = from};
    return place;
}

static withy_place add_rod(forest *f, uint32_t *seed, vec3 at) {
    const vec3 along = v3_scale(0.4 + 0.3 * noise(seed), any_unit(seed));
    const int reversed = chance(seed, 0.5);
    withy_rod *rod =
        network_rod(&f->x, reversed ? v3_add(at, along) : at, reversed ? at : v3_add(at, along),
                    0.02, 1e8 * (1.5 + noise(seed)), 1000);
    if (chance(seed, 0.2)) rod->damping_time = 1e-3;
    if (chance(seed, 0.2)) rod->drag_linear = 0.5;
    if (chance(seed, 0.2))
        rod->end[!reversed].mass = 0.2, rod->end[!reversed].offset = v3(0, 0.02, 0.03);
    if (chance(seed, 0.2)) rod->end[!reversed].force = withy_field_vector(1, -2, 0.5);
    if (chance(seed, 0.1)) rod->end[!reversed].spring = 20, rod->end[!reversed].spring_turn = 1;
    return on_rod(f->x.problem.rod_count - 1, reversed ? rod->length : 0);
}

static withy_place add_body(forest *f, uint32_t *seed, vec3 at) {
    const vec3 o = v3_scale(0.2, any(seed));
    const double j = 1e-2 * (1.5 + noise(seed));
    withy_body *body =
        network_body(&f->x, 1.5 + noise(seed), v3(j, 1.2 * j, 0.9 * j), v3_sub(at, o));
    if (chance(seed, 0.3)) {
        withy_body_load *push = &f->push[f->x.problem.body_count - 1];
        *push = (withy_body_load){.at = v3(0.1, 0, 0),
                                  .force = withy_field_vector(0.5, 0, -1),
                                  .follower = chance(seed, 0.5)};
        body->load = push, body->load_count = 1;
    }
    return on_body(f->x.problem.body_count - 1, o.x, o.y, o.z);
}

static withy_place add_part(forest *f, uint32_t *seed, vec3 at) {
    if (chance(seed, 0.65) || f->x.problem.body_count >= NETWORK_BODIES)
        return add_rod(f, seed, at);
    return add_body(f, seed, at);
}

static void any_law(withy_joint *j, uint32_t *seed) {
    const int turns = j->kind == WITHY_JOINT_HINGE, slides = j->kind == WITHY_JOINT_SLIDER;
    if (turns || slides) {
        const int which = below(seed, 6);
        if (which == 0) j->drive = (withy_field){.size = 1, .call = swing};
        if (which == 1) j->effort = withy_field_number(0.3);
        if (which == 2 || which == 3)
            j->spring = 5, j->rest = 0.1 * noise(seed), j->damping = which == 3 ? 0.1 : 0;
        if (which == 4)
            j->limited = 1, j->limit[0] = -0.1, j->limit[1] = 0.2, j->limit_stiffness = 50;
    }
    if (j->kind == WITHY_JOINT_SPRING) {
        j->stretch = v3(300, 200, 250), j->turn = v3(3, 4, 5);
        if (chance(seed, 0.5)) j->stretch_damping = v3(1, 1, 1);
    }
    if (j->kind == WITHY_JOINT_LINK && chance(seed, 0.5)) j->spring = 50;
}

static void tie(forest *f, uint32_t *seed, withy_place first, withy_place second,
                withy_joint_kind kind) {
    withy_joint *j = network_join(&f->x, kind, first, second);
    const vec3 axis = any_unit(seed);
    if (kind >= WITHY_JOINT_HINGE && kind <= WITHY_JOINT_PLANAR) j->axis = axis;
    if (kind == WITHY_JOINT_UNIVERSAL) j->axis2 = v3_orthogonal(axis);
    any_law(j, seed);
}

/* What holds the first part of a piece: nothing, its own end, or a joint to the ground, perhaps two. */
static void root(forest *f, uint32_t *seed, int part, vec3 at) {
    const int how = below(seed, 4), rods = f->x.problem.rod_count;
    if (how == 1 && part < rods)
        f->x.rod[part].end[below(seed, 2)].kind = (withy_end_kind)(1 + below(seed, 4));
    for (int i = 2; i <= how; i++) {
        const withy_place second = on_part(&f->x, seed, part, &at);
        withy_joint_kind kind = (withy_joint_kind)below(seed, WITHY_JOINT_LINK + 1);
        if (i == 3)
            kind = WITHY_JOINT_BALL; /* two balls, of which the second says one thing twice */
        const vec3 apart = kind == WITHY_JOINT_LINK ? v3_scale(0.3, any_unit(seed)) : v3(0, 0, 0);
        tie(f, seed, at_ground(f, seed, v3_add(at, apart)), second, kind);
    }
}

/* A tendon in a rod, and on in another one. */
static void add_tendons(forest *f, uint32_t *seed) {
    const int rods = f->x.problem.rod_count, count = 1 + below(seed, rods < 3 ? rods : 3);
    const int given_length = chance(seed, 0.5);
    for (int i = 0; i < count; i++) {
        withy_rod *rod = &f->x.rod[i];
        f->load[i] = (withy_load){.kind = WITHY_LOAD_TENDON,
                                  .to = rod->length,
                                  .route = {.size = 2, .value = {0.01, 0.002 * i}}};
        snprintf(f->name[i], sizeof f->name[i], "t%d", i);
        f->load[i].name = f->name[i];
        if (i && chance(seed, 0.5))
            f->load[i].continues = f->name[i - 1];
        else if (given_length)
            f->load[i].displacement = withy_field_number(1e-4);
        else
            f->load[i].tension = withy_field_number(0.5);
        rod->load = &f->load[i], rod->load_count = 1;
    }
}

static void make(forest *f, uint32_t seed) {
    memset(f, 0, sizeof *f);
    network_begin(&f->x);
    f->x.problem.gravity = v3_scale(5, any(&seed));
    const int pieces = 1 + below(&seed, 3);
    for (int i = 0; i < pieces; i++) {
        const int rods = f->x.problem.rod_count, bodies = f->x.problem.body_count;
        const vec3 at = v3_scale(3.0 * i, v3(1, 1, 0));
        const withy_place star = add_rod(f, &seed, at);
        root(f, &seed, rods, at);
        const int parts = below(&seed, chance(&seed, 0.15) ? 20 : 9), many = chance(&seed, 0.2);
        for (int k = 0; k < parts && f->x.problem.rod_count < 60; k++) {
            const int own = f->x.problem.rod_count - rods,
                      own_bodies = f->x.problem.body_count - bodies;
            const int pick = below(&seed, own + own_bodies);
            const int on = pick < own ? rods + pick : f->x.problem.rod_count + bodies + pick - own;
            withy_joint_kind kind = (withy_joint_kind)below(&seed, WITHY_JOINT_LINK + 1);
            vec3 from;
            withy_place first = on_part(&f->x, &seed, on, &from);
            if (many) first = star, from = at, kind = k ? WITHY_JOINT_WELD : kind;
            const vec3 apart =
                kind == WITHY_JOINT_LINK ? v3_scale(0.3, any_unit(&seed)) : v3(0, 0, 0);
            const int before = f->x.problem.rod_count;
            const withy_place second = add_part(f, &seed, v3_add(from, apart));
            if (chance(&seed, 0.15) && f->x.problem.rod_count > before) /* its other end */
                f->x.rod[before].end[second.s == 0].kind = (withy_end_kind)(1 + below(&seed, 4));
            tie(f, &seed, first, second, kind);
        }
    }
    if (chance(&seed, 0.25)) add_tendons(f, &seed);
    const int degree = 1 + below(&seed, 4), n = 1 + below(&seed, 3);
    snprintf(f->options, sizeof f->options, "n=%d degree=%d dt=0.004", n, degree);
    network_times(&f->x, 1, 1);
}

/* ---- the two ways -------------------------------------------------------------------------------------- */

/* What an iteration writes must not depend on what was there. */
static void spoil(wy_network *net) {
    const wy_blocks *x = &net->plan.reduced;
    memset(net->value, 0xff, x->values * sizeof *net->value);
    memset(net->side, 0xff, (size_t)x->rows * sizeof *net->side);
    memset(net->pivot, 0xff, (size_t)x->rows * sizeof *net->pivot);
    memset(net->panel, 0xff, net->plan.panels * sizeof *net->panel);
    memset(net->free_end, 0xff, (size_t)net->plan.free_ends * sizeof *net->free_end);
    memset(net->change, 0xff, (size_t)net->plan.multipliers * sizeof *net->change);
}

/* Changes of clusters, nodes and multipliers: how many, and which. */
static int changes(const wy_network *net) {
    int n = 6 * net->plan.rigid_groups + net->plan.multipliers;
    for (int i = 0; i < net->plan.rods; i++) n += 6 * net->rod[i].plan.node_count;
    return n;
}

static void gather(const wy_network *net, double *to) {
    int n = 0;
    for (int c = 0; c < net->plan.rigid_groups; c++)
        for (int k = 0; k < 6; k++) to[n++] = net->rigid.next[c].change[k];
    for (int i = 0; i < net->plan.rods; i++)
        for (int j = 0; j < net->rod[i].plan.node_count; j++)
            for (int k = 0; k < 6; k++) to[n++] = net->rod[i].next[j].change[k];
    for (int m = 0; m < net->plan.multipliers; m++) to[n++] = net->change[m];
}

enum { MOST = 40000 };

typedef struct extent {
    double all, apart; /* the largest number, and the largest difference */
} extent;

static extent compare(const double *a, const double *b, int from, int to) {
    extent x = {0, 0};
    for (int i = from; i < to; i++) {
        x.all = wy_max(x.all, fabs(a[i]));
        if (!(fabs(a[i] - b[i]) <= x.apart)) x.apart = fabs(a[i] - b[i]);
    }
    return x;
}

/* Forces of inertia of such changes: what the multipliers of joints that carry nothing are rounded to. */
static double inertia_of(const wy_network *net, double change) {
    double mass = 0;
    for (int c = 0; c < net->plan.rigid_groups; c++)
        mass = wy_max(mass, net->rigid.plan.mass[c].mass);
    return 2 * mass * change / (net->rigid.step->h * net->rigid.step->h);
}

/* How constraints that depend on each other share their force is decided by eps = 1e-7 of director/linear/reduced.c: it is
 * rounded 1e7 times as much. */
static double unshared(const wy_network *net) {
    return net->plan.closing.redundant ? 1e-4 : 1;
}

/* The equations of the iterate in both ways; the relative difference. */
static double both_ways(wy_network *net, int *singular) {
    static double one[MOST], two[MOST];
    const int turns = net->turn.count, n = changes(net);
    double size[2];
    withy_error err = {0};
    CHECK(n <= MOST);
    spoil(net);
    CHECK_OK(wy_reduced_solve(net, 0, &size[0], &err));
    gather(net, one);
    net->turn.count = 0;
    spoil(net);
    CHECK_OK(wy_reduced_solve(net, 0, &size[1], &err));
    gather(net, two);
    net->turn.count = turns;
    *singular = !isfinite(size[0]);
    CHECK(isfinite(size[0]) == isfinite(size[1]));
    if (*singular) return 0;
    const int moves = n - net->plan.multipliers;
    const extent move = compare(two, one, 0, moves), pull = compare(two, one, moves, n);
    CHECK(move.all > 0);
    const double force = wy_max(pull.all, inertia_of(net, move.all));
    return wy_max(move.apart / move.all, unshared(net) * pull.apart / force);
}

/* Two iterates of the next step. */
static double next_step(wy_network *net, int *singular) {
    withy_error err = {0};
    const wy_director_step *step = net->rigid.step;
    const double t = step->t, h = step->h;
    CHECK_OK(wy_network_loads_at(net, t, t + 0.5 * h, t + h, &err));
    wy_constraints_begin(net);
    CHECK_OK(wy_rigid_groups_hold(net, t + h, &err));
    double worst = both_ways(net, singular);
    if (*singular) return worst;
    wy_network_move(net, 0.7);
    CHECK_OK(wy_rigid_groups_hold(net, t + h, &err));
    return wy_max(worst, both_ways(net, singular));
}

/* A message without its numbers, which are rounded. */
static void words_of(const char *text, char *out) {
    for (; *text; text++)
        if (!strchr("0123456789.e+-", *text)) *out++ = *text;
    *out = 0;
}

typedef struct tally {
    int made, turned, singular, redundant, bordered, failed;
    int uneven; /* not the same iterations */
    double worst, apart;
} tally;

/* Of the nodes of two motions, over the length. */
static double apart(const wy_network *a, const wy_network *b) {
    double most = 0;
    for (int i = 0; i < a->plan.rods; i++)
        for (int j = 0; j < a->rod[i].plan.node_count; j++) {
            const double d = v3_norm(v3_sub(a->rod[i].node[j].r, b->rod[i].node[j].r));
            if (!(d / a->plan.length <= most)) most = d / a->plan.length;
        }
    return most;
}

/* The same motion in both ways, and then the same equations. */
static void move_both(withy_sim *sim[2], uint32_t seed, tally *sum) {
    withy_error err[2] = {{0}};
    withy_status status[2];
    char words[2][sizeof err->text];
    for (int i = 0; i < 2; i++) {
        status[i] = withy_sim_advance(sim[i], STEPS * 0.004, &err[i]);
        words_of(err[i].text, words[i]);
    }
    CHECK(status[0] == status[1]);
    CHECK_TEXT(words[0], words[1]);
    sum->failed += status[0] != WITHY_OK;
    if (status[0] != WITHY_OK) return;
    const withy_stats a = withy_sim_stats(sim[0]), b = withy_sim_stats(sim[1]);
    sum->uneven += a.iterations != b.iterations;
    sum->apart = wy_max(sum->apart, apart(sim[0]->self, sim[1]->self));
    int singular;
    const double miss = next_step(sim[0]->self, &singular);
    sum->singular += singular;
    if (!(miss <= 1e-10)) print_message("network %u: %g\n", seed, miss);
    if (!(miss <= sum->worst)) sum->worst = miss;
}

static void add_network(forest *f, uint32_t seed, tally *sum) {
    withy_error err = {0};
    withy_sim *sim[2] = {NULL};
    make(f, seed);
    const int fits = network_start(&f->x, f->options, &sim[0], &err) == WITHY_OK;
    sum->made += fits;
    const wy_network *net = fits ? sim[0]->self : NULL;
    if (fits && net->rigid.network && net->turn.count) {
        sum->turned++, sum->redundant += net->plan.closing.redundant;
        sum->bordered += net->border.count > 0;
        CHECK_OK(network_start(&f->x, f->options, &sim[1], &err));
        ((wy_network *)sim[1]->self)->turn.count = 0;
        move_both(sim, seed, sum);
    }
    withy_sim_destroy(sim[0]), withy_sim_destroy(sim[1]);
}

TEST(a_network_without_loops_is_solved_turn_by_turn_as_in_the_plain_way) {
    static forest f;
    tally sum = {0};
    for (uint32_t seed = 1; seed <= networks_wanted(NETWORKS); seed++)
        add_network(&f, seed * 7919u, &sum);
    print_message(
        "%d networks, %d by turns, %d redundant, %d with unknown tensions, %d singular, %d failed, "
        "%d with other iterations; changes differ by %.2g, motions by %.2g\n",
        sum.made, sum.turned, sum.redundant, sum.bordered, sum.singular, sum.failed, sum.uneven,
        sum.worst, sum.apart);
    CHECK(sum.turned > (int)networks_wanted(NETWORKS) / 2 && sum.redundant > 0 && sum.bordered > 0);
    CHECK(sum.failed + sum.singular <= sum.turned / 10); /* of those nothing is compared */
    CHECK(sum.uneven <= sum.turned / 100);               /* rounding may decide */
    CHECK_BELOW(sum.worst, 1e-10);
    CHECK_BELOW(sum.apart, 1e-9);
}

/* A body without mass on a ball, and two of them: nothing says how they turn. */
TEST(a_singular_row_is_found_in_both_ways_and_said_in_the_same_words) {
    static forest f;
    int singular = 0;
    for (uint32_t seed = 1; seed <= 400 && singular < 20; seed++) {
        withy_error err[2] = {{0}};
        withy_sim *sim[2] = {NULL};
        make(&f, seed * 104729u);
        if (!f.x.problem.body_count) continue;
        for (int i = 0; i < 2; i++)
            if (network_start(&f.x, f.options, &sim[i], &err[i]) == WITHY_OK) {
                wy_network *net = sim[i]->self;
                if (!net->rigid.network || !net->turn.count || net->plan.closing.redundant)
                    continue;
                const int c = net->plan.body[0].rigid_group;
                net->rigid.plan.mass[c] = (wy_director_mass){.mass = 0};
                if (i) net->turn.count = 0;
                err[i].text[0] = 0;
                const withy_status status = withy_sim_advance(sim[i], 0.004, &err[i]);
                if (i) singular += status != WITHY_OK;
            }
        char words[2][sizeof err->text];
        for (int i = 0; i < 2; i++) words_of(err[i].text, words[i]);
        CHECK_TEXT(words[0], words[1]);
        withy_sim_destroy(sim[0]), withy_sim_destroy(sim[1]);
    }
    CHECK(singular >= 5);
}

TEST(turns_and_the_plain_way_choose_the_same_steps) {
    static forest f;
    int moved = 0;
    for (uint32_t seed = 1; seed <= 4; seed++) {
        withy_error err[2] = {{0}};
        withy_sim *sim[2] = {NULL};
        make(&f, seed * 15485863u);
        network_times(&f.x, 0.002, 0.002); /* a trial has many steps */
        withy_status status[2];
        for (int i = 0; i < 2; i++) {
            status[i] = network_start(&f.x, "n=1 degree=1 tol=0.01", &sim[i], &err[i]);
            if (status[i] != WITHY_OK) continue;
            if (i && ((wy_network *)sim[1]->self)->rigid.network)
                ((wy_network *)sim[1]->self)->turn.count = 0;
            status[i] = withy_sim_advance(sim[i], 0.002, &err[i]);
        }
        CHECK(status[0] == status[1]);
        if (status[0] == WITHY_OK && ((wy_network *)sim[0]->self)->rigid.network) {
            CHECK_BELOW(apart(sim[0]->self, sim[1]->self), 1e-9);
            CHECK(withy_sim_stats(sim[0]).steps == withy_sim_stats(sim[1]).steps);
            moved++;
        }
        withy_sim_destroy(sim[0]), withy_sim_destroy(sim[1]);
    }
    CHECK(moved > 0);
}

RUN(test(a_network_without_loops_is_solved_turn_by_turn_as_in_the_plain_way),
    test(a_singular_row_is_found_in_both_ways_and_said_in_the_same_words),
    test(turns_and_the_plain_way_choose_the_same_steps))
