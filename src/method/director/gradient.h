/* gradient.h - derivatives of the solution of director by parameters: what the files on a single rod share.
 *
 * A parameter reaches the discrete equations only through fields: stiffness, viscosity and rest strains of
 * the Gauss points, lengths of the elements, masses, loads, ends, gravity, the start (docs/theory/gradient.md).
 * Eight parameters go together, one to a lane (numeric/pack.h).  Symbols: dr, dphi (spatial: d(d_i) = dphi x
 * d_i), dv, dW (body) are the derivatives of the state of a node by a parameter.
 *
 * Files: gradient.c (right sides of a step and of an equilibrium, its end), gradient_field.c (the residual by the
 * fields), gradient_lane.c (elements), gradient_start.c (a step by its start), gradient_seed.c (fields from
 * problems); backwards, one scalar by everything: gradient_reverse.c (a step);
 * gradient_chain.c (the equations of a rod alone, both ways).  The rest is of networks, of which a rod alone is one:
 * gradient_network.h.
 */
#pragma once

#include "method/director/director.h"
#include "numeric/pack.h"

/* ---- derivatives of the fields, eight parameters in lanes ---------------------------------------- */

typedef struct wy_slope_section { /* of a Gauss point */
    pack c[6], cv[6], rest[6], weight;
} wy_slope_section;

typedef struct wy_slope_mass { /* of a node */
    pack mass, share, rotary[3];
} wy_slope_mass;

typedef struct wy_slope_force {
    pack force[3], moment[3];
} wy_slope_force;

typedef struct wy_slope_end {
    pack mass, arm[3], spring, spring_turn, spring_r[3];
    pack place[3], turn[3]; /* of the pose in which it is held; turn: spatial */
    wy_slope_force apply;
} wy_slope_end;

typedef struct wy_slope_node { /* the state of a node */
    pack r[3], phi[3], v[3], w[3];
} wy_slope_node;

/* The fields of eight parameters, and the start. */
typedef struct wy_slope_fields {
    wy_slope_section *section; /* [n][p] */
    pack *size;                /* [n] lengths of the elements */
    wy_slope_mass *mass;       /* [node_count] */
    wy_slope_force *load;      /* [load.count] at factor 1 */
    wy_slope_end end[2];
    pack gravity[3], drag[3];
    wy_slope_node *first; /* [node_count] */
    pack first_u[2][3];   /* of the lumps */
    int strains, lengths; /* does any parameter change sections; or lengths of elements? */
} wy_slope_fields;

/* The problem at four values of a parameter, where loads or ends are functions of time. */
typedef struct wy_slope_live {
    wy_director *at[4]; /* NULL: they are not, or do not depend on it */
    double step;
    double rough; /* of all numbers that were differenced: wy_slope_rough */
} wy_slope_live;

/* Loads and ends in the present step. */
typedef struct wy_slope_acting {
    wy_slope_force *load; /* [load.count] */
    wy_slope_end end[2];  /* place, turn, apply */
} wy_slope_acting;

/* What is kept of a group: part of the state. */
typedef struct wy_slope_kept {
    pack u[2][3]; /* velocities of the lumps */
    pack grown;   /* largest |dr|^2 of a node so far */
    double fault; /* largest correction of the refinement over the solution */
} wy_slope_kept;

/* ---- backwards: derivatives of one number J ---------------------------------------------------- */

typedef struct wy_adjoint_section { /* by the fields of a Gauss point */
    lane c[2], cv[2], rest[2];
    double weight;
} wy_adjoint_section;

typedef struct wy_adjoint_mass { /* of a node */
    lane rotary;
    double mass, share;
    vec3 force; /* by a constant force on the node */
} wy_adjoint_mass;

typedef struct wy_adjoint_end {
    double mass, spring, spring_turn;
    vec3 arm, spring_r;
    vec3 place, turn;             /* of the pose in which it is held: statics */
    vec3 first_place, first_turn; /* in motion */
    wy_director_force apply;
} wy_adjoint_end;

typedef struct wy_adjoint_node { /* by the state of a node */
    vec3 r, phi, v, w;
} wy_adjoint_node;

/* dJ by all fields, and by the state: at last by the start. */
typedef struct wy_adjoint_fields {
    wy_adjoint_section *section; /* [n][p] */
    double *size;                /* [n] */
    wy_adjoint_mass *mass;       /* [node_count] */
    wy_director_force *load;     /* [load.count] at factor 1 */
    wy_adjoint_end end[2];
    vec3 gravity;
    double drag[3];
    wy_adjoint_node *node; /* [node_count] */
    vec3 u[2];             /* by the velocities of the lumps */
    double *live;          /* [count] by parameters on which functions of time depend */
} wy_adjoint_fields;

/* Of the step at hand. */
typedef struct wy_adjoint_now {
    double *mu, *side, *rest; /* [6 node_count] the multiplier, dJ/dq+, what remains of it */
    wy_director_force *load;  /* [load.count] */
    wy_adjoint_end end[2];    /* place, turn, apply */
} wy_adjoint_now;

typedef struct wy_slopes {
    int count, groups;
    int alone;              /* 1: the rod belongs to no cluster (gradient_chain.c) */
    wy_slope_fields *field; /* [groups] */
    wy_slope_live *live;    /* [count] */

    wy_slope_node *node; /* state: [groups][node_count] */
    wy_slope_kept *kept; /* state: [groups] */

    /* scratch */
    double (*plus)[WY_DIRECTOR_STRIDE]; /* [n][6(p+1)] dF/dq+ of the elements */
    double (*node_plus)[6][6];          /* [node_count] of the nodes */
    pack *side, *change, *rest;         /* [groups][6 node_count], [6 node_count] twice */
    wy_slope_acting *acting;            /* [groups] */
    wy_director back;                   /* the step seen from its end: q+ and q- exchanged, -h */

    /* backwards: instead of the state */
    wy_adjoint_fields by;
    wy_adjoint_now now;
} wy_slopes;

/* ---- gradient_lane.c ------------------------------------------------------------------------------- */

/* side -= m times the (dr, dphi) of the element's nodes, m[6(p+1)][]. */
void wy_slope_times_nodes(int p, const double (*m)[WY_DIRECTOR_STRIDE], const wy_slope_node *node,
                          pack *side);
/* side -= m change, both [6(p+1)]. */
void wy_slope_times(int p, const double (*m)[WY_DIRECTOR_STRIDE], const pack *change, pack *side);
/* The residual of an element by its sections, its length and the start of the step, without loads: the sides of all
 * groups -= it. */
void wy_slope_element(const wy_director *x, int e);

/* y += m^T x, both [6(p+1)]. */
void wy_slope_transposed(int p, const double (*m)[WY_DIRECTOR_STRIDE], const double *x, double *y);
/* by -= mu dF/d(sections and length) of an element. */
void wy_slope_element_pull(const wy_director *x, int e, const double *mu, wy_adjoint_fields *by);

/* ---- gradient_start.c ------------------------------------------------------------------------------ */

/* What a node has at the start of the step: place[] by (dr-, dphi-), rate[] by (dv-, dW-). */
typedef struct wy_slope_before {
    double place[6][6], rate[6][6], lump[6][3];
} wy_slope_before;

/* Inertia of a node at both ends of the step: dF_phi = plus dphi+ + minus dphi- + spin dW-; dF_r likewise with
 * 2 m/h^2, -2 m/h^2 and -2 m/h. */
typedef struct wy_slope_inertia {
    mat3 plus, minus, spin;
    double shift, speed; /* 2 m/h^2, 2 m/h */
} wy_slope_inertia;

/* The step as seen from its end, in slopes->back; after S+ of the converged iterate is in stress[].plus. */
void wy_slope_turn_back(wy_director *x);
/* Is it an inner node on which nothing acts but inertia and loads? */
static inline int wy_slope_is_plain(const wy_director *x, int j) {
    return x->step->dynamic && j > 0 && j < x->plan.node_count - 1 && !x->plan.forces;
}
wy_slope_inertia wy_slope_inertia_of(const wy_director *x, int j);
void wy_slope_keep_inertia(const wy_slope_inertia *i, double a[6][6]); /* dF/dq+ of a plain node */
void wy_slope_node_before(const wy_director *x, int j, const wy_slope_inertia *i,
                          wy_slope_before *b);

/* ---- gradient_field.c ------------------------------------------------------------------------------ */

/* Loads and ends of the step. */
withy_status wy_slope_act(wy_director *x, double t_load, double t_pose, withy_error *err);
/* Of parameter k, where loads or ends are functions of time. */
withy_status wy_slope_act_live(wy_director *x, int k, double t_load, double t_pose,
                               withy_error *err);
int wy_slope_load_acts(const wy_director *x, int load);
vec3 wy_slope_unit_turn(const wy_director *x, int which); /* moment of a turning spring of 1 N m */
/* side -= of node j: masses, gravity, drag, lumps, springs, end forces. */
void wy_slope_node_fields(const wy_director *x, int j, int group, pack *side);
/* side -= of the loads. */
void wy_slope_loads(const wy_director *x, int group, pack *side);

/* Derivatives of numbers, vectors and frames that are known at -2, -1, 1, 2 steps; of a frame the spatial
 * rotation vector per unit. */
double wy_slope_five(const double f[4], double step);
vec3 wy_slope_five3(const vec3 f[4], double step);
vec3 wy_slope_turn3(const mat3 f[4], double step);
/* Do the slopes of the three intervals between four values lie on a line, as those of a smooth function do to 1e-6?  *rough
 * grows to the largest distance from it, relative to the slopes: a corner or a jump among them gives about 1.  unit: of the
 * values, where they may be nothing but rounding. */
void wy_slope_rough(const double f[4], double unit, double *rough);
void wy_slope_rough3(const vec3 f[4], double unit, double *rough);

/* ---- gradient.c --------------------------------------------------------------------------------------- */

withy_status wy_slope_take(wy_director *x, int alone, withy_error *err); /* memory for the fields */
void wy_slope_lay(wy_director *x, wy_block *state, wy_block *scratch);
void wy_slope_begin(wy_director *x); /* the derivatives at t = 0 are those of the fields */
void wy_slope_plus(wy_director *x);  /* dF/dq+ of the elements; of a rod alone with its factors */
/* All but the solution, into plus, node_plus and side. */
withy_status wy_slope_assemble(wy_director *x, double t_load, double t_pose, withy_error *err);
/* side -= inertia by the state at the start of the step. */
void wy_slope_take_inertia(const wy_slope_inertia *i, const wy_slope_node *node, pack *side);
/* Where the end is held, side becomes what is given there less the change so far (NULL: none). */
void wy_slope_hold(const wy_director *x, int which, const wy_slope_end *to, const pack *change,
                   pack side[6]);
/* From `change` the state after the step, of a rod and of one node; the state of an equilibrium. */
void wy_slope_move(wy_director *x, int group);
void wy_slope_move_node(const wy_director *x, int j, const pack change[6], wy_slope_node *node);
void wy_slope_rest(wy_director *x, int group);

/* ---- gradient_seed.c ---------------------------------------------------------------------------------- */

/* Parameter k of a rod, from four of them. */
withy_status wy_slope_seed(wy_director *x, int k, wy_director *const at[4], double step,
                           withy_error *err);
int wy_slope_lives(const wy_director *x); /* are loads or ends functions of time? */
/* wy_slope_door */
void wy_slope_sample(const wy_director *x, int k, int count, const double *s, vec3 *position,
                     vec3 *turn);
wy_slope_quality wy_slope_quality_of(const wy_director *x, int k);

/* ---- gradient_reverse.c ------------------------------------------------------------------------------- */

void wy_slope_take_by(wy_director *x, wy_taker *from); /* memory of by and now */
void wy_slope_clear(wy_director *x);                   /* all sums are zero */
/* (1) and (3) without F of node j, a is dJ/d(its state); of all nodes and lumps into now.side, with dF/dq+ of the rod;
 * the rest after now.mu is known without what is held, which is in now.end. */
void wy_slope_leave_node(const wy_director *x, int j, double twice, wy_adjoint_node *a,
                         double side[6]);
void wy_slope_reverse_open(wy_director *x);
withy_status wy_slope_reverse_close(wy_director *x, double t_load, double t_pose, withy_error *err);
/* The part of now.mu that belongs to the held pose of an end, taken out of it. */
void wy_slope_part_held(wy_director *x, int which, double held[6]);
static inline vec3 wy_slope_held_turn(const wy_director *x, int which, vec3 v) {
    const wy_director_end *end = &x->plan.end[which];
    const vec3 axis = x->step->end[which].target.c3;
    if (!end->holds_frame) return v3(0, 0, 0);
    return end->turns_free ? v3_axpy(v, -v3_dot(axis, v), axis) : v;
}
double wy_slope_reverse_sum(const wy_director *x, int k, int moved,
                            int settled); /* dJ by parameter k */

/* ---- gradient_chain.c: the equations of a rod alone ---------------------------------------------------- */

void wy_chain_factor(wy_director *x); /* dF/dq+ of the elements, into plus, and its factors */
/* change = A^-1 side of a group, and now.mu = A^-T now.side.  Return the relative size of the last correction. */
double wy_chain_solve(wy_director *x, int group);
double wy_chain_solve_transposed(wy_director *x);

/* Right sides and derivatives of a group of parameters. */
static inline pack *wy_slope_side(const wy_director *x, int group) {
    return &x->slopes->side[(size_t)group * 6 * (size_t)x->plan.node_count];
}
static inline wy_slope_node *wy_slope_nodes(const wy_director *x, int group) {
    return &x->slopes->node[(size_t)group * (size_t)x->plan.node_count];
}

/* ---- vectors of eight parameters ------------------------------------------------------------------------- */

static inline pack3 of3(const pack a[3]) {
    return (pack3){a[0], a[1], a[2]};
}
static inline void keep3(pack a[3], pack3 v) {
    a[0] = v.x, a[1] = v.y, a[2] = v.z;
}
static inline pack3 splat3(vec3 a) {
    return (pack3){splat(a.x), splat(a.y), splat(a.z)};
}
static inline pack3 times3(mat3 m, pack3 a) {
    return (pack3){m.c1.x * a.x + m.c2.x * a.y + m.c3.x * a.z,
                   m.c1.y * a.x + m.c2.y * a.y + m.c3.y * a.z,
                   m.c1.z * a.x + m.c2.z * a.y + m.c3.z * a.z};
}
/* R a: material components into laboratory ones. */
static inline pack3 turned3(tri d, pack3 a) {
    return times3(tri_matrix(d), a);
}
static inline void take3(pack side[3], pack3 a) {
    side[0] -= a.x, side[1] -= a.y, side[2] -= a.z;
}
static inline vec3 wy_slope_lane(const pack a[3], int l) {
    return v3(a[0][l], a[1][l], a[2][l]);
}
static inline double wy_slope_dot(vec3 a, const pack b[3], int l) {
    return v3_dot(a, wy_slope_lane(b, l));
}
static inline void wy_slope_set(pack a[3], int l, vec3 v) {
    a[0][l] = v.x, a[1][l] = v.y, a[2][l] = v.z;
}

/* ---- sums of vectors, and of pairs (force or shift, moment or turn) ---------------------------------------- */

static inline void add_to(vec3 *a, double k, vec3 b) {
    *a = v3_axpy(*a, k, b);
}
static inline void add6(double *a, double k, vec3 r, vec3 phi) {
    v3_to(v3_axpy(v3_from(a), k, r), a);
    v3_to(v3_axpy(v3_from(a + 3), k, phi), a + 3);
}
