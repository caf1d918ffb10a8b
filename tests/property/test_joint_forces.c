/* Free-body diagrams: what joints report is what every body and every rod needs.
 *
 * Random mechanisms, with welds, rods and bodies on rods: of each part
 *
 *   d(momentum)/dt = weight + joints,   d(angular momentum)/dt = moments of both
 *
 * over the last step of a motion, as the means of that step; at rest under weight; and at rest in a turning
 * frame, where the left sides are the sums of m W x (W x r) and of r x that and W x J W over the masses of the mesh.
 *
 *   WITHY_TEST_NETWORKS=300   as many mechanisms
 *   WITHY_TEST_SEED=20770     another series
 */
#include <stdio.h>

#include "check.h"
#include "method/director/network.h"
#include "network_fixture.h"
#include "random_mechanism.h"
#include "study/sim.h"

enum { USUAL = 30, PIECES = 400, JOINTS = 64 };

/* A mass of the mesh, or a body. */
typedef struct piece {
    double mass;
    lane rotary;
    vec3 r, v, spin;
    mat3 axes;
} piece;

typedef struct instant {
    int count;
    piece piece[PIECES];
    vec3 place[JOINTS];
} instant;

static piece at_cluster(const wy_network *net, int c, vec3 o, mat3 q, double mass, lane rotary) {
    const wy_director_node *node = &net->rigid.node[c];
    const mat3 frame = tri_matrix(node->d);
    const vec3 arm = m3_mul(frame, o), spin = m3_mul(frame, lane_vec3(node->w));
    return (piece){
        mass, rotary,           v3_add(node->r, arm), v3_add(node->v, v3_cross(spin, arm)),
        spin, m3_mulm(frame, q)};
}

static piece at_node(const wy_director *rod, int j) {
    const wy_director_node *node = &rod->node[j];
    const mat3 frame = tri_matrix(node->d);
    const wy_director_mass *mass = &rod->plan.mass[j];
    return (piece){mass->mass, mass->rotary, node->r, node->v, m3_mul(frame, lane_vec3(node->w)),
                   frame};
}

/* Of rod 0 (part 0), or of body part - 1, as the state of the simulation has it. */
static void look(withy_sim *sim, int part, instant *x) {
    const wy_network *net = sim->self;
    const vec3 origin = v3_add(wy_model_origin(sim->setup.model), net->rigid.now->origin);
    const withy_parts *parts = withy_sim_parts(sim);
    x->count = 0;
    for (int i = 0; i < parts->joint_count; i++) x->place[i] = parts->joint[i].place[1];
    if (part > 0) {
        const withy_body *body = &sim->problem.body[part - 1];
        const wy_network_body *own = &net->plan.body[part - 1];
        x->piece[x->count++] =
            at_cluster(net, own->rigid_group, own->o, own->q, body->mass, vec3_lane(body->inertia));
    }
    for (int j = 0; part == 0 && j < net->rod[0].plan.node_count; j++) {
        const int p = net->rod[0].plan.p, k = j % p ? -1 : wy_group_node_of(net, 0, j);
        const wy_group_node *m = k < 0 ? NULL : &net->plan.member[k];
        x->piece[x->count++] =
            m ? at_cluster(net, m->rigid_group, m->o, m->q, m->mass.mass, m->mass.rotary)
              : at_node(&net->rod[0], j);
    }
    for (int i = 0; i < x->count; i++) x->piece[i].r = v3_add(x->piece[i].r, origin);
}

static vec3 inertia_times(const piece *x, vec3 w) {
    return m3_mul(x->axes, lane_vec3(x->rotary * vec3_lane(m3_tmul(x->axes, w))));
}

/* What a part needs: force, and moment about the origin; size: of the terms. */
typedef struct need {
    vec3 f, l;
    double size;
} need;

static void add_need(need *x, double k, vec3 at, vec3 f, vec3 l) {
    const vec3 all = v3_add(l, v3_cross(at, f));
    x->f = v3_axpy(x->f, k, f), x->l = v3_axpy(x->l, k, all);
    x->size += fabs(k) * (v3_norm(f) + v3_norm(all));
}

static need inertia_of(const instant *from, const instant *to, double h, vec3 w, vec3 gravity) {
    need x = {0};
    for (int i = 0; i < to->count; i++) {
        const piece *a = &from->piece[i], *b = &to->piece[i];
        const vec3 middle = v3_scale(0.5, v3_add(a->r, b->r)), none = v3(0, 0, 0);
        const vec3 force = v3_scale(b->mass, v3_cross(w, v3_cross(w, b->r)));
        add_need(&x, -1, middle, v3_scale(b->mass, gravity), none);
        add_need(&x, 1, b->r, force, v3_cross(w, inertia_times(b, w)));
        if (!(h > 0)) continue;
        add_need(&x, 1 / h, b->r, v3_scale(b->mass, b->v), inertia_times(b, b->spin));
        add_need(&x, -1 / h, a->r, v3_scale(a->mass, a->v), inertia_times(a, a->spin));
    }
    return x;
}

static int is_part(const withy_place *place, int part) {
    return part ? place->part == WITHY_PART_BODY && place->index == part - 1
                : place->part == WITHY_PART_ROD;
}

/* The rest, of the size of its terms, once the joints of a part are taken from its need: the means of the last step, from which
 * those at its end are extrapolated (test_times). */
static double rest_of(withy_sim *sim, int part, const instant *from, const instant *to, need x) {
    const wy_network *net = sim->self;
    const withy_parts *parts = withy_sim_parts(sim);
    for (int i = 0; i < parts->joint_count; i++)
        for (int s = 0; s < 2; s++)
            if (is_part(&sim->problem.joint[i].place[s], part))
                add_need(&x, s ? -1 : 1, v3_scale(0.5, v3_add(from->place[i], to->place[i])),
                         net->joint[i].force[0], net->joint[i].torque[0]);
    return (v3_norm(x.f) + v3_norm(x.l)) / (x.size + 1e-3);
}

static double worst_part(withy_sim *sim, const instant *before, double h) {
    const withy_problem *p = &sim->problem;
    double worst = 0;
    instant *now = malloc(sizeof *now);
    for (int part = p->rod_count ? 0 : 1; part <= p->body_count; part++) {
        look(sim, part, now);
        const instant *from = h > 0 ? &before[part] : now;
        const need x = inertia_of(from, now, h, p->rotating.spin, p->gravity);
        const double rest = rest_of(sim, part, from, now, x);
        if (!(rest <= worst)) worst = rest;
    }
    free(now);
    return worst;
}

/* ---- samples ------------------------------------------------------------------------------------- */

typedef struct sums {
    int moved, rested, turned, refused;
    double worst[3]; /* in motion, at rest, in a turning frame */
} sums;

/* Constraints of a step are met to 1e-10 of a length, at a time step of 1e-2: forces to about 1e-6. */
static const double MOTION = 1e-7;
/* Newton's method ends where its changes are 1e-10 or less, of stiffnesses up to 1e5 times the forces. */
static const double REST = 1e-7;

static void note(const char *what, uint32_t number, const mechanism *x, double rest, double limit,
                 double *worst) {
    if (!(rest <= *worst)) *worst = rest;
    if (rest <= limit) return;
    print_error("mechanism %u %s: %.3g (%d bodies, %d joints, rod %d, %d beads by %d, %d)\n",
                number, what, rest, x->bodies, x->ties, x->rod, x->beads, x->bead[0], x->bead[1]);
}

static void try_motion(uint32_t number, mechanism x, sums *sum) {
    network_problem *p = malloc(sizeof *p);
    instant *before = calloc(BODIES + 3, sizeof *before);
    withy_sim *sim = NULL;
    withy_error err = {0};
    const double h = 1e-3;
    x.gravity = v3(1, 2, -9.81), x.damping = number % 2 ? 0.1 : 0;
    build(&x, p);
    network_times(p, 1, 1);
    int fits = network_start(p, "n=4 dt=1e-3 order=2", &sim, &err) == WITHY_OK;
    fits = fits && withy_sim_advance(sim, 10 * h, &err) == WITHY_OK;
    for (int part = 0; fits && part <= p->problem.body_count; part++)
        if (part || p->problem.rod_count) look(sim, part, &before[part]);
    fits = fits && withy_sim_advance(sim, 11 * h, &err) == WITHY_OK;
    if (fits) note("in motion", number, &x, worst_part(sim, before, h), MOTION, &sum->worst[0]);
    if (!fits) print_message("mechanism %u: %s\n", number, err.text);
    sum->moved += fits, sum->refused += !fits;
    withy_sim_destroy(sim);
    free(before), free(p);
}

static void try_rest(uint32_t number, mechanism x, int turns, sums *sum) {
    network_problem *p = malloc(sizeof *p);
    withy_sim *sim = NULL;
    withy_error err = {0};
    withy_equilibrium at;
    x.gravity = turns ? v3(0, 0, 0) : v3(0.1, 0.2, -0.5);
    x.spin = turns ? v3(0.5, 0.2, 0.4) : v3(0, 0, 0);
    build(&x, p);
    int fits = network_start(p, "n=4", &sim, &err) == WITHY_OK;
    fits = fits && withy_sim_equilibrium(sim, 1, &at, &err) == WITHY_OK;
    if (fits)
        note(turns ? "in a turning frame" : "at rest", number, &x, worst_part(sim, NULL, 0), REST,
             &sum->worst[1 + turns]);
    if (turns)
        sum->turned += fits;
    else
        sum->rested += fits;
    sum->refused += !fits;
    withy_sim_destroy(sim);
    free(p);
}

TEST(joints_carry_what_every_body_and_rod_needs) {
    const uint32_t first = 1000u * series() + 500u;
    sums sum = {0};
    for (uint32_t i = 0; i < networks_wanted(USUAL); i++) {
        mechanism x = draw(first + i);
        if (i % 2) x.rod = 1 + (int)(i / 2) % x.bodies;
        if (i % 3 == 0) x = with_more(&x, first + i, &(int){0});
        try_motion(first + i, x, &sum);
        try_rest(first + i, x, 0, &sum);
        try_rest(first + i, x, 1, &sum);
    }
    print_message("seed %u: %d in motion, %d at rest, %d in a turning frame, %d without "
                  "equilibrium or motion; worst %.2g, %.2g, %.2g\n",
                  series(), sum.moved, sum.rested, sum.turned, sum.refused, sum.worst[0],
                  sum.worst[1], sum.worst[2]);
    CHECK(sum.moved > 0 && sum.rested > 0 && sum.turned > 0);
    CHECK_BELOW(sum.worst[0], MOTION);
    CHECK_BELOW(sum.worst[1], REST);
    CHECK_BELOW(sum.worst[2], REST);
}

/* A rod that turns about its start at 3 rad/s: m w^2 r of a body at its end, and of one in its middle. */
TEST(welds_to_a_turning_rod_carry_the_centrifugal_force) {
    network_problem p;
    withy_equilibrium at;
    withy_error err = {0};
    network_begin(&p);
    withy_rod *rod = network_rod(&p, v3(0, 0, 0), v3(1, 0, 0), 0.02, 2e11, 1000);
    rod->end[0].kind = WITHY_END_CLAMPED;
    network_body(&p, 2, v3(0.1, 0.1, 0.1), v3(1.2, 0, 0));
    network_body(&p, 3, v3(0.1, 0.1, 0.1), v3(0.5, 0, 0.1));
    network_join(&p, WITHY_JOINT_WELD, on_rod(0, 1), on_body(0, -0.2, 0, 0));
    network_join(&p, WITHY_JOINT_WELD, on_body(1, 0, 0, -0.1), on_rod(0, 0.5));
    p.problem.rotating = (withy_rotating){1, {0, 0, 3}, {0, 0, 0}};
    withy_sim *sim = start(&p, "");
    CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
    const withy_parts *parts = withy_sim_parts(sim);
    /* stretched by 1e-6: forces by as much */
    CHECK_NEAR(parts->joint[0].force.x, -2 * 9 * 1.2, 1e-4);
    CHECK_NEAR(parts->joint[1].force.x, 3 * 9 * 0.5, 1e-4);
    CHECK_NEAR(parts->joint[1].torque.y, 0.1 * 13.5, 1e-4);
    withy_sim_destroy(sim);
}

/* Velocity and spin x arm are the same but for rounding; and where they are not. */
TEST(a_body_may_start_with_a_spin_about_the_place_of_its_joint) {
    uint32_t seed = mixed(series());
    for (int i = 0; i < 200; i++) {
        network_problem p;
        withy_sim *sim = NULL;
        withy_error err = {0};
        const vec3 arm = v3_scale(pow(10, 2 * noise(&seed)), any_unit(&seed)),
                   axis = any_unit(&seed);
        const double speed = pow(10, 3 * noise(&seed));
        const quat frame = q_exp(v3_scale(2, any(&seed)));
        network_begin(&p);
        withy_body *body = network_body(&p, 1, v3(0.1, 0.1, 0.1), arm);
        body->frame = frame, body->spin = v3_scale(speed, i % 2 ? axis : v3_unit(arm));
        body->velocity = i % 2 ? v3_cross(body->spin, arm) : v3(0, 0, 0);
        const vec3 o = m3_tmul(q_matrix(frame), v3_scale(-1, arm));
        network_join(&p, WITHY_JOINT_BALL, on_ground(0, 0, 0), on_body(0, o.x, o.y, o.z));
        network_times(&p, 1e-5, 1e-5);
        CHECK_OK(network_start(&p, "dt=1e-5", &sim, &err));
        CHECK_OK(withy_sim_advance(sim, 1e-5, &err));
        withy_sim_destroy(sim);
        const double off = 1e-4 * speed * v3_norm(arm);
        body->velocity = v3_axpy(body->velocity, off, any_unit(&seed));
        const withy_status status = network_start(&p, "dt=1e-5", &sim, &err);
        CHECK(status != WITHY_OK || withy_sim_advance(sim, 1e-5, &err) == WITHY_BAD_INPUT);
        withy_sim_destroy(sim);
    }
}

RUN(test(a_body_may_start_with_a_spin_about_the_place_of_its_joint),
    test(joints_carry_what_every_body_and_rod_needs),
    test(welds_to_a_turning_rod_carry_the_centrifugal_force))
