/* random_mechanism.h - mechanisms of bodies, rods, joints and springs, drawn at random, in balance as they are drawn. */
#pragma once

#include <math.h>
#include <time.h>

#include "base/base.h"
#include "random_network.h"

enum { BODIES = 4, TIES = 4 * BODIES + 8 };

/* WITHY_TEST_SEED=20770: another series; by default the day. */
static inline uint32_t series(void) {
    const char *given = getenv("WITHY_TEST_SEED");
    return given ? (uint32_t)strtoul(given, NULL, 10) : (uint32_t)(time(NULL) / 86400);
}

/* A joint as it is drawn: parts (-1: the ground), point and axes in the laboratory. */
typedef struct tie {
    withy_joint_kind kind;
    int part[2];
    vec3 at, axis, axis2;
    double spring; /* of a hinge or slider; of a spring, all three stretches */
    double turn;   /* of a spring */
} tie;

typedef struct mechanism {
    int bodies, ties, flat, rod; /* rod: 1 + the body that carries one                        */
    int beads;                   /* bodies on the rod: in the middle, and at its end           */
    withy_joint_kind bead[2];    /* by which joints                                            */
    double mass[BODIES];
    vec3 inertia[BODIES], centre[BODIES];
    quat frame[BODIES];
    tie tie[TIES];
    vec3 gravity, spin; /* spin: of the frame                                         */
    double damping;     /* of hinges and sliders                                      */
} mechanism;

static inline double between(uint32_t *seed, double low, double high) {
    return low + (high - low) * 0.5 * (noise(seed) + 1);
}

/* ---- drawing ------------------------------------------------------------------------------------- */

static inline vec3 point_in(const mechanism *x, uint32_t *seed) {
    vec3 p = any(seed);
    if (x->flat) p.z = 0;
    return p;
}

static const withy_joint_kind SPATIAL[] = {
    WITHY_JOINT_HINGE,     WITHY_JOINT_HINGE,       WITHY_JOINT_BALL,   WITHY_JOINT_SLIDER,
    WITHY_JOINT_UNIVERSAL, WITHY_JOINT_CYLINDRICAL, WITHY_JOINT_PLANAR, WITHY_JOINT_WELD};
static const withy_joint_kind FLAT[] = {WITHY_JOINT_HINGE, WITHY_JOINT_HINGE, WITHY_JOINT_HINGE,
                                        WITHY_JOINT_SLIDER};

static inline tie any_tie(const mechanism *x, uint32_t *seed, int a, int b) {
    tie t = {.part = {a, b}, .at = point_in(x, seed), .axis = any_unit(seed)};
    t.kind = x->flat ? FLAT[below(seed, 4)] : SPATIAL[below(seed, 8)];
    if (x->flat)
        t.axis =
            t.kind == WITHY_JOINT_HINGE ? v3(0, 0, 1) : v3_unit(v3(t.axis.x, t.axis.y + 1e-3, 0));
    t.axis2 = v3_orthogonal(t.axis);
    if ((t.kind == WITHY_JOINT_HINGE || t.kind == WITHY_JOINT_SLIDER) && below(seed, 2))
        t.spring = pow(10, between(seed, 0, 4));
    return t;
}

static inline void add_tie(mechanism *x, tie t) {
    if (x->ties < TIES) x->tie[x->ties++] = t;
}

/* Clusters of welded bodies: a joint inside of one is refused. */
static inline int cluster_of(const mechanism *x, int body) {
    if (body < 0) return -1;
    int least = body;
    for (int again = 1; again;) {
        again = 0;
        for (int i = 0; i < x->ties; i++)
            for (int s = 0; s < 2 && x->tie[i].kind == WITHY_JOINT_WELD; s++)
                if (x->tie[i].part[s] == least && x->tie[i].part[1 - s] < least)
                    least = x->tie[i].part[1 - s], again = 1;
    }
    return least;
}

/* Numbers of neighbouring seeds have nothing in common. */
static inline uint32_t mixed(uint32_t x) {
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

static inline mechanism draw(uint32_t number) {
    uint32_t seed = mixed(number);
    mechanism x = {.bodies = 1 + below(&seed, BODIES), .flat = below(&seed, 3) == 0};
    for (int i = 0; i < x.bodies; i++) {
        x.centre[i] = point_in(&x, &seed);
        x.mass[i] = between(&seed, 0.5, 3);
        x.inertia[i] =
            v3(between(&seed, 0.1, 0.15), between(&seed, 0.1, 0.15), between(&seed, 0.1, 0.15));
        const vec3 turn = v3_scale(2, any(&seed));
        x.frame[i] = q_exp(turn);
        add_tie(&x, any_tie(&x, &seed, below(&seed, i + 1) - 1, i));
    }
    for (int loops = below(&seed, 3); loops > 0; loops--) {
        const int b = below(&seed, x.bodies), a = below(&seed, b + 1) - 1;
        tie t = any_tie(&x, &seed, a, b);
        if (t.kind == WITHY_JOINT_WELD || (!x.flat && below(&seed, 2)))
            t.kind = WITHY_JOINT_BALL, t.spring = 0;
        if (cluster_of(&x, a) != cluster_of(&x, b)) add_tie(&x, t);
    }
    for (int i = 0; i < x.bodies; i++) {
        if (below(&seed, 4) == 0 || cluster_of(&x, i) < 0)
            continue; /* some move without stiffness */
        tie t = {.kind = WITHY_JOINT_SPRING, .part = {-1, i}, .at = point_in(&x, &seed)};
        t.axis = any_unit(&seed);
        t.spring = pow(10, between(&seed, 1, 4)), t.turn = pow(10, between(&seed, 1, 3));
        add_tie(&x, t);
    }
    if (below(&seed, 4) == 0) x.rod = 1 + below(&seed, x.bodies);
    x.beads = below(&seed, 3);
    for (int i = 0; i < 2; i++)
        x.bead[i] = below(&seed, 2) ? WITHY_JOINT_WELD : SPATIAL[below(&seed, 3)];
    return x;
}

/* A joint that an existing one implies. */
static inline tie implied(const tie *of, uint32_t *seed) {
    tie t = *of;
    const double way = between(seed, 0.3, 1);
    const int other = below(seed, 2);
    t.spring = 0;
    switch (of->kind) {
    case WITHY_JOINT_HINGE:
        t.at = v3_axpy(t.at, way, t.axis);
        if (other) t.kind = below(seed, 2) ? WITHY_JOINT_BALL : WITHY_JOINT_CYLINDRICAL;
        break;
    case WITHY_JOINT_CYLINDRICAL: t.at = v3_axpy(t.at, way, t.axis); break;
    case WITHY_JOINT_SLIDER:
        t.at = v3_add(t.at, any(seed));
        if (other) t.kind = WITHY_JOINT_CYLINDRICAL;
        break;
    case WITHY_JOINT_PLANAR: t.at = v3_axpy(t.at, way, t.axis2); break;
    default: break; /* a ball, a universal joint, a weld: the same once more */
    }
    return t;
}

static inline mechanism with_more(const mechanism *x, uint32_t number, int *added) {
    uint32_t seed = mixed(number + 1);
    mechanism y = *x;
    *added = 0;
    for (int i = 0; i < x->ties; i++) {
        if (x->tie[i].kind == WITHY_JOINT_SPRING || below(&seed, 2)) continue;
        add_tie(&y, implied(&x->tie[i], &seed)), ++*added;
    }
    return y;
}

/* ---- withy ----------------------------------------------------------------------------------------- */

static inline withy_place place_of(const mechanism *x, int part, vec3 at) {
    if (part < 0) return on_ground(at.x, at.y, at.z);
    const vec3 o = m3_tmul(q_matrix(x->frame[part]), v3_sub(at, x->centre[part]));
    return on_body(part, o.x, o.y, o.z);
}

static inline void build(const mechanism *x, network_problem *to) {
    network_begin(to);
    to->problem.gravity = x->gravity;
    to->problem.rotating = (withy_rotating){!v3_is_zero(x->spin), x->spin, {0, 0, 0}};
    for (int i = 0; i < x->bodies; i++)
        network_body(to, x->mass[i], x->inertia[i], x->centre[i])->frame = x->frame[i];
    for (int i = 0; i < x->ties; i++) {
        const tie *t = &x->tie[i];
        withy_joint *j = network_join(to, t->kind, place_of(x, t->part[0], t->at),
                                      place_of(x, t->part[1], t->at));
        const int plain = t->kind == WITHY_JOINT_BALL || t->kind == WITHY_JOINT_WELD;
        if (!plain && t->kind != WITHY_JOINT_SPRING) j->axis = t->axis;
        if (t->kind == WITHY_JOINT_UNIVERSAL) j->axis2 = t->axis2;
        if (t->kind != WITHY_JOINT_SPRING) {
            j->spring = t->spring;
            if (t->spring > 0) j->damping = x->damping;
            continue;
        }
        j->stretch = v3(t->spring, t->spring, t->spring), j->turn = v3(t->turn, t->turn, t->turn);
    }
    if (!x->rod) return;
    const int b = x->rod - 1;
    const vec3 from = v3_add(x->centre[b], v3(0.1, 0.2, 0)), way = {0.3, 0.6, 0.4};
    const double length = network_rod(to, from, v3_add(from, way), 0.02, 1e9, 3000)->length;
    network_join(to, WITHY_JOINT_WELD, place_of(x, b, from), on_rod(0, 0));
    for (int i = 0; i < x->beads; i++) {
        const double share = i ? 1.0 : 0.5;
        const vec3 at = v3_axpy(from, share, way), o = {0.05, -0.02, 0.03};
        network_body(to, 0.7, v3(0.02, 0.03, 0.025), v3_sub(at, o));
        withy_joint *j = network_join(to, x->bead[i], on_rod(0, share * length),
                                      on_body(x->bodies + i, o.x, o.y, o.z));
        if (x->bead[i] == WITHY_JOINT_HINGE) j->axis = v3(0, 0, 1), j->spring = 30;
    }
}
