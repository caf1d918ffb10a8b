/* test_bodies.c - bodies that nobody would throw at each other: random pairs and bars that cross, of every shape.
 *
 * Two free bodies of any shapes, masses 1e-3 .. 1e3 and sizes that differ by up to thirty, meet at any speed, spin and step.  Whatever
 * happens, energy and both momenta are kept; with friction or damping the kinetic energy never grows; and two bodies that would
 * overlap in free flight do not fly on as if nothing were there.
 *
 *     test_bodies [COUNT [FIRST]]
 */
#include <stdlib.h>
#include <time.h>

#include "base/base.h"
#include "base/vec.h"
#include "check.h"
#include "network_problems.h"
#include "random_scene.h"

static int scenes = 30, crossings = 9, first = 1;
static const double ENOUGH = 1.0; /* processor time of a run, then it is stopped [s] */

static struct tally {
    int complete, failed, cut, met;
    double energy, momentum, angular;
} tally;

/* ---- the geometry, by itself --------------------------------------------------------------------------------------- */

static double smaller(double a, double b) {
    return a < b ? a : b;
}
static double larger(double a, double b) {
    return a > b ? a : b;
}

/* Of a ball the radius, of the others what is left next to their skeleton of points. */
typedef struct solid {
    withy_body_shape shape;
    double half[3], round, least, reach;
} solid;

static solid solid_of(const withy_body *b) {
    solid x = {b->shape, {0}, 0, 0, 0};
    const double *s = b->size;
    if (b->shape == WITHY_BODY_BOX) {
        for (int i = 0; i < 3; i++) x.half[i] = 0.5 * s[i];
        x.least = smaller(x.half[0], smaller(x.half[1], x.half[2]));
    } else if (b->shape == WITHY_BODY_SPHERE) {
        x.round = x.least = 0.5 * s[0];
    } else {
        x.half[0] = x.half[1] = 0.5 * s[0], x.half[2] = 0.5 * s[1];
        x.least = 0.5 * s[0];
        if (b->shape == WITHY_BODY_CAPSULE)
            x.round = x.half[0], x.half[2] -= x.round, x.half[0] = x.half[1] = 0;
        else
            x.least = smaller(x.least, x.half[2]);
    }
    x.reach = x.round + sqrt(x.half[0] * x.half[0] + x.half[1] * x.half[1] + x.half[2] * x.half[2]);
    return x;
}

static double box_distance(const double *p, const double *half, int count) {
    double out = 0, in = -INFINITY;
    for (int i = 0; i < count; i++) {
        const double d = fabs(p[i]) - half[i];
        in = larger(in, d);
        if (d > 0) out += d * d;
    }
    return out > 0 ? sqrt(out) : in;
}

static double distance_to(const solid *x, vec3 at) {
    if (x->shape == WITHY_BODY_CYLINDER) {
        const double p[2] = {hypot(at.x, at.y), at.z}, half[2] = {x->half[0], x->half[2]};
        return box_distance(p, half, 2);
    }
    if (x->shape == WITHY_BODY_BOX) {
        const double p[3] = {at.x, at.y, at.z};
        return box_distance(p, x->half, 3);
    }
    const double along = larger(-x->half[2], smaller(x->half[2], at.z));
    return sqrt(at.x * at.x + at.y * at.y + (at.z - along) * (at.z - along)) - x->round;
}

static vec3 turned(withy_quat q, vec3 v) {
    return m3_mul(q_matrix(q), v);
}

/* How deep the skeleton of one is in the other. */
static double sinks(const solid *a, vec3 ra, withy_quat qa, const solid *b, vec3 rb,
                    withy_quat qb) {
    enum { N = 24 };
    double deepest = -INFINITY;
    for (int i = 0; i <= N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < 3; k++) {
                vec3 at = v3(0, 0, a->half[2] * (2.0 * i / N - 1));
                if (a->shape == WITHY_BODY_SPHERE || a->shape == WITHY_BODY_CAPSULE) {
                    if (j || k) continue;
                } else if (a->shape == WITHY_BODY_CYLINDER) {
                    if (k) continue;
                    at.x = a->half[0] * cos(2 * WY_PI * j / N),
                    at.y = a->half[0] * sin(2 * WY_PI * j / N);
                } else { /* edges */
                    if (j > 3) continue;
                    double c[3];
                    c[k] = a->half[k] * (2.0 * i / N - 1);
                    c[(k + 1) % 3] = a->half[(k + 1) % 3] * (j & 1 ? 1 : -1);
                    c[(k + 2) % 3] = a->half[(k + 2) % 3] * (j & 2 ? 1 : -1);
                    at = v3(c[0], c[1], c[2]);
                }
                const vec3 x = v3_add(ra, turned(qa, at));
                deepest = larger(deepest,
                                 a->round - distance_to(b, m3_tmul(q_matrix(qb), v3_sub(x, rb))));
            }
    return deepest;
}

static double overlap(const solid x[2], const vec3 r[2], const withy_quat q[2]) {
    if (v3_norm(v3_sub(r[0], r[1])) > x[0].reach + x[1].reach) return 0;
    return larger(sinks(&x[0], r[0], q[0], &x[1], r[1], q[1]),
                  sinks(&x[1], r[1], q[1], &x[0], r[0], q[0]));
}

/* ---- two bodies -------------------------------------------------------------------------------------------------------- */

typedef struct pair_scene {
    network_problem x;
    double stop, speed, mu, damping, dt;
    int round; /* inertia of a ball: in free flight they turn about a fixed axis */
    char options[96], what[400];
} pair_scene;

static withy_quat random_frame(random_source *s) {
    const withy_quat q = {random_in(s, -1, 1), random_in(s, -1, 1), random_in(s, -1, 1),
                          random_in(s, -1, 1)};
    return q_unit(q);
}

static void shape_at_random(random_source *s, withy_body *b, double size) {
    static const withy_body_shape kind[4] = {WITHY_BODY_SPHERE, WITHY_BODY_BOX, WITHY_BODY_CAPSULE,
                                             WITHY_BODY_CYLINDER};
    b->shape = kind[(int)random_in(s, 0, 4)];
    const double slender = random_chance(s, 0.5) ? 30 : 3; /* bars, plates and needles too */
    for (int i = 0; i < 3; i++) b->size[i] = size * random_size(s, 1 / slender, 1);
    if (b->shape == WITHY_BODY_CAPSULE) b->size[1] = b->size[0] * random_size(s, 1.1, slender);
}

static void make_pair(int seed, pair_scene *p) {
    random_source s = {(uint64_t)seed * 7919 + 3};
    for (int i = 0; i < 4; i++) random_unit(&s);
    memset(p, 0, sizeof *p);
    network_begin(&p->x);
    const double size = random_size(&s, 1e-3, 10);
    p->speed = size * random_size(&s, 1, 100);
    p->round = random_chance(&s, 0.6);
    solid x[2];
    for (int i = 0; i < 2; i++) {
        withy_body *b = network_body(&p->x, random_size(&s, 1e-3, 1e3), v3(1, 1, 1), v3(0, 0, 0));
        shape_at_random(&s, b, size * random_size(&s, 0.3, 3));
        x[i] = solid_of(b);
        const double j = 0.4 * b->mass * x[i].least * x[i].reach;
        b->inertia =
            p->round ? v3(j, j, j) : v3(j, random_in(&s, 0.6, 1) * j, random_in(&s, 0.6, 1) * j);
        b->frame = random_frame(&s);
    }
    const vec3 way = random_direction(&s), side = random_direction(&s);
    const double apart = 1.1 * (x[0].reach + x[1].reach),
                 off = random_in(&s, 0, 0.7) * (x[0].least + x[1].least);
    const double share = random_in(&s, 0, 1);
    const double turn = p->speed / apart * random_size(&s, 1e-2, 3);
    for (int i = 0; i < 2; i++) {
        withy_body *b = &p->x.body[i];
        b->position = v3_scale(i ? -0.5 * apart : 0.5 * apart, way);
        if (i) b->position = v3_axpy(b->position, off, v3_axpy(side, -v3_dot(side, way), way));
        b->velocity = v3_scale((i ? share : share - 1) * p->speed, way);
        if (random_chance(&s, 0.7)) b->spin = v3_scale(turn, random_direction(&s));
    }
    const double least = smaller(x[0].least, x[1].least);
    const double m =
        p->x.body[0].mass * p->x.body[1].mass / (p->x.body[0].mass + p->x.body[1].mass);
    const double soft = random_size(&s, 0.01, 0.3) * least;
    p->x.problem.contact =
        (withy_contact){.given = 1, .stiffness = m * p->speed * p->speed / (soft * soft * least)};
    p->mu = random_chance(&s, 0.5) ? random_size(&s, 0.05, 1.5) : 0;
    p->damping = random_chance(&s, 0.3) ? random_size(&s, 0.01, 3) / p->speed : 0;
    for (int i = 0; i < WITHY_FRICTIONS; i++) p->x.problem.contact.friction[i] = p->mu;
    p->x.problem.contact.damping = p->damping;
    /* a rod that rests far away: with one, momenta and losses are sampled */
    network_rod(&p->x, v3(9 * apart, 0, 0), v3(10 * apart, 0, 0), 1e-2 * apart, 1e9, 1e-6);
    p->stop = 2.2 * apart / p->speed;
    p->dt = p->stop / random_size(&s, 3, 300);
    const int order = random_chance(&s, 0.15) ? 4 : 2;
    network_times(&p->x, p->stop, p->stop);
    if (random_chance(&s, 0.1))
        snprintf(p->options, sizeof p->options, "n=1 dt=auto");
    else
        snprintf(p->options, sizeof p->options, "n=1 dt=%.17g order=%d", p->dt, order);
    if (order == 4 && (p->mu > 0 || p->damping > 0))
        snprintf(p->options, sizeof p->options, "n=1 dt=%.17g", p->dt);
    snprintf(p->what, sizeof p->what,
             "scene %d: shapes %d (%.3g %.3g %.3g), %d (%.3g %.3g %.3g), mu %.3g, damping %.3g, "
             "%s, way of a step over the least size %.3g, soft %.3g",
             seed, p->x.body[0].shape, p->x.body[0].size[0], p->x.body[0].size[1],
             p->x.body[0].size[2], p->x.body[1].shape, p->x.body[1].size[0], p->x.body[1].size[1],
             p->x.body[1].size[2], p->mu, p->damping, p->options, p->dt * p->speed / least,
             soft / least);
}

/* The deepest overlap of the free flight, over the smaller size. */
static double free_overlap(const pair_scene *p) {
    enum { TIMES = 120 };
    const solid x[2] = {solid_of(&p->x.body[0]), solid_of(&p->x.body[1])};
    double deepest = 0;
    for (int k = 0; k <= TIMES; k++) {
        const double t = p->stop * k / TIMES;
        vec3 r[2];
        withy_quat q[2];
        for (int i = 0; i < 2; i++) {
            const withy_body *b = &p->x.body[i];
            const double w = v3_norm(b->spin), half = 0.5 * w * t;
            const vec3 axis = w > 0 ? v3_scale(sin(half) / w, b->spin) : v3(0, 0, 0);
            r[i] = v3_axpy(b->position, t, b->velocity);
            q[i] = q_unit(q_mul((withy_quat){cos(half), axis.x, axis.y, axis.z}, b->frame));
        }
        deepest = larger(deepest, overlap(x, r, q));
    }
    return deepest / smaller(x[0].least, x[1].least);
}

typedef struct sums {
    vec3 p, l;
    double kinetic, size, turn, lost;
} sums;

static sums sums_of(const pair_scene *p, withy_sim *sim) {
    sums out = {0};
    const withy_parts *parts = withy_sim_parts(sim);
    if (!parts) fail_msg("%s: a sample is not finite", p->what);
    for (int i = 0; i < 2; i++) {
        const withy_body *b = &p->x.body[i];
        const withy_body_state *at = &parts->body[i];
        const vec3 own = v3_scale(b->mass, at->velocity),
                   w = m3_tmul(q_matrix(at->frame), at->spin);
        const vec3 jw = v3(b->inertia.x * w.x, b->inertia.y * w.y, b->inertia.z * w.z);
        out.kinetic += 0.5 * v3_dot(own, at->velocity) + 0.5 * v3_dot(w, jw);
        out.size += v3_norm(own);
        out.turn += v3_norm(own) * v3_norm(at->position) + v3_norm(jw);
    }
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    if (!now) fail_msg("%s: a sample is not finite", p->what);
    out.p = now->momentum, out.l = now->angular_momentum, out.lost = now->contact_loss;
    return out;
}

static int enough(void *begin, double t) {
    (void)t;
    return (double)(clock() - *(clock_t *)begin) > ENOUGH * CLOCKS_PER_SEC;
}

static void check_message(const withy_error *err, const char *what) {
    if (strlen(err->text) < 10 || strstr(err->text, "nan") || strstr(err->text, "inf "))
        fail_msg("%s: no message: \"%s\"", what, err->text);
}

static double overlap_now(const pair_scene *p, withy_sim *sim) {
    const withy_body_state *at = withy_sim_parts(sim)->body;
    const solid x[2] = {solid_of(&p->x.body[0]), solid_of(&p->x.body[1])};
    const vec3 r[2] = {at[0].position, at[1].position};
    const withy_quat q[2] = {at[0].frame, at[1].frame};
    return overlap(x, r, q) / smaller(x[0].least, x[1].least);
}

/* Against the first of them: 1: they have met. */
static int check_sums(const pair_scene *p, withy_sim *sim, const sums *first_sums, sums *last) {
    const sums now = sums_of(p, sim);
    const double dp = v3_norm(v3_sub(now.p, first_sums->p)) / larger(first_sums->size, now.size);
    const double dl = v3_norm(v3_sub(now.l, first_sums->l)) / larger(first_sums->turn, now.turn);
    const double drift = withy_sim_stats(sim).energy_drift, e = first_sums->kinetic;
    tally.momentum = larger(tally.momentum, dp), tally.angular = larger(tally.angular, dl);
    tally.energy = larger(tally.energy, drift);
    if (!(dp <= 1e-10) || !(dl <= 1e-10))
        fail_msg("%s: momenta off by %.3g, %.3g", p->what, dp, dl);
    if (!(drift <= 1e-10)) fail_msg("%s: energy off by %.3g", p->what, drift);
    if (!(now.kinetic <= (1 + 1e-10) * e)) fail_msg("%s: kinetic energy grew", p->what);
    if (!(now.lost >= last->lost - 1e-12 * e)) fail_msg("%s: friction gave energy", p->what);
    if (p->mu == 0 && p->damping == 0 && !(fabs(now.lost) <= 1e-10 * e))
        fail_msg("%s: %.3g J lost without friction and damping", p->what, now.lost);
    *last = now;
    const vec3 v = withy_sim_parts(sim)->body[0].velocity;
    return v3_norm(v3_sub(v, p->x.body[0].velocity)) > 1e-9 * p->speed;
}

static withy_status fly(const pair_scene *p, withy_sim *sim, int *met, double *deep,
                        withy_error *err) {
    const sums before = sums_of(p, sim);
    sums last = before;
    clock_t begin = clock();
    withy_sim_interrupt(sim, enough, &begin);
    for (int k = 1; k <= 8; k++) {
        const withy_status status = withy_sim_advance(sim, p->stop * k / 8, err);
        if (status != WITHY_OK) return status;
        *met |= check_sums(p, sim, &before, &last);
        *deep = larger(*deep, overlap_now(p, sim));
    }
    return WITHY_OK;
}

static void check_pair(int seed) {
    static pair_scene p;
    withy_error err = {0};
    withy_sim *sim = NULL;
    int met = 0;
    double deep = 0;
    make_pair(seed, &p);
    const double meets = p.round ? free_overlap(&p) : 0;
    if (network_start(&p.x, p.options, &sim, &err) != WITHY_OK)
        fail_msg("%s: refused: %s", p.what, err.text);
    const withy_status status = fly(&p, sim, &met, &deep, &err);
    tally.complete += status == WITHY_OK, tally.cut += status == WITHY_INTERRUPTED;
    if (status != WITHY_OK && status != WITHY_INTERRUPTED)
        tally.failed++, check_message(&err, p.what);
    tally.met += met;
    if (status == WITHY_OK && meets > 0.1 && !met)
        fail_msg("%s: they overlap by %.3g in free flight, and do not meet", p.what, meets);
    if (deep > 0.8) fail_msg("%s: %.3g of the size deep", p.what, deep);
    withy_sim_destroy(sim);
}

TEST(two_bodies_keep_what_they_have_and_do_not_fly_on_as_if_nothing_were_there) {
    for (int i = 0; i < scenes; i++) check_pair(first + i);
    print_message("%d complete, %d failed, %d cut, %d met; energy %.2g, momenta %.2g, %.2g\n",
                  tally.complete, tally.failed, tally.cut, tally.met, tally.energy, tally.momentum,
                  tally.angular);
    CHECK(tally.complete >= 0.8 * scenes); /* the others end with their message, or take too long */
    CHECK(tally.met > 0);
}

/* ---- bars that cross ----------------------------------------------------------------------------------------------------- */

static withy_quat about(vec3 axis, double angle) {
    const vec3 v = v3_scale(sin(0.5 * angle) / v3_norm(axis), axis);
    return (withy_quat){cos(0.5 * angle), v.x, v.y, v.z};
}

/* Bars of 1 m, 10 to 40 mm thick, rolled by any angle about their axes, cross somewhere between their ends. */
static void cross(int seed, network_problem *x) {
    static const withy_body_shape kind[3] = {WITHY_BODY_BOX, WITHY_BODY_CAPSULE,
                                             WITHY_BODY_CYLINDER};
    random_source s = {(uint64_t)seed * 31 + 7};
    for (int i = 0; i < 4; i++) random_unit(&s);
    network_begin(x);
    for (int i = 0; i < 2; i++) {
        withy_body *b =
            network_body(x, random_size(&s, 0.03, 3), v3(1e-2, 1e-2, 1e-2), v3(0, 0, 0));
        const double thick = 0.02 * random_size(&s, 0.5, 2), turn = i ? random_in(&s, 0.5, 1.5) : 0;
        const vec3 axis = v3(cos(turn), sin(turn), 0);
        b->shape = kind[(seed + i * (seed / 3)) % 3];
        b->size[0] = thick, b->size[1] = b->shape == WITHY_BODY_BOX ? thick : 1, b->size[2] = 1;
        b->frame = q_unit(q_mul(about(axis, random_in(&s, 0, WY_PI)),
                                about(v3(-axis.y, axis.x, 0), 0.5 * WY_PI)));
        b->position = v3_axpy(v3(0, 0, i ? -0.05 : 0.05), random_in(&s, -0.4, 0.4), axis);
        b->velocity = v3(0, 0, i ? 0.5 : -0.5);
    }
    x->problem.contact = (withy_contact){.given = 1, .stiffness = 1e7};
    for (int i = 0; i < WITHY_FRICTIONS; i++) x->problem.contact.friction[i] = seed % 2 ? 0.4 : 0;
    network_times(x, 0.2, 0.2);
}

/* The way between their axes, up from the second to the first. */
static double above(withy_sim *sim) {
    const withy_body_state *at = withy_sim_parts(sim)->body;
    vec3 n = v3_cross(turned(at[0].frame, v3(0, 0, 1)), turned(at[1].frame, v3(0, 0, 1)));
    if (n.z < 0) n = v3_scale(-1, n);
    return v3_dot(n, v3_sub(at[0].position, at[1].position)) / v3_norm(n);
}

TEST(bars_of_any_shapes_that_cross_stay_on_their_sides) {
    static const double dt[3] = {2e-4, 1e-3, 1e-2};
    for (int i = 0; i < crossings; i++) {
        network_problem x;
        char options[64];
        withy_error err = {0};
        withy_sim *sim = NULL;
        cross(first + i, &x);
        snprintf(options, sizeof options, "dt=%g", dt[i % 3]);
        CHECK_OK(network_start(&x, options, &sim, &err));
        for (int k = 1; k <= 20; k++) {
            CHECK_OK(withy_sim_advance(sim, 0.01 * k, &err));
            const double left = above(sim) / (0.5 * (x.body[0].size[0] + x.body[1].size[0]));
            if (!(left > 0.5)) /* 0.7 of the thinner half at most, and edges are rounded */
                fail_msg("crossing %d: shapes %d and %d, %.3g of their thickness left", first + i,
                         x.body[0].shape, x.body[1].shape, left);
        }
        CHECK_BELOW(withy_sim_stats(sim).energy_drift, 1e-11);
        withy_sim_destroy(sim);
    }
}

int main(int argc, char **argv) {
    if (argc > 1) scenes = crossings = atoi(argv[1]);
    if (argc > 2) first = atoi(argv[2]);
    const struct CMUnitTest tests[] = {
        test(two_bodies_keep_what_they_have_and_do_not_fly_on_as_if_nothing_were_there),
        test(bars_of_any_shapes_that_cross_stay_on_their_sides)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
