/* gradient.h - derivatives of the solution of director by parameters: what the files on a single rod share.
 *
 * A parameter reaches the discrete equations only through fields: stiffness, viscosity and rest strains of
 * the Gauss points, lengths of the elements, masses, loads, ends, gravity, the start (docs/theory/gradient.md).
 * Eight parameters go together, one to a lane (numeric/vector/pack.h).  Symbols: dr, dphi (spatial: d(d_i) = dphi x
 * d_i), dv, dW (body) are the derivatives of the state of a node by a parameter.
 *
 * Files: gradient_field.c (the table of the fields, from problems to sums), gradient_node.c (nodes), gradient_lane.c
 * (elements), gradient.c (right sides of a step and of an equilibrium, its end); backwards, one scalar by everything:
 * gradient_reverse.c (a step); gradient_chain.c (the equations of a rod alone, both ways).  The rest is of networks, of
 * which a rod alone is one: gradient_network.h.
 */
#pragma once

#include "method/director/director.h"
#include "numeric/vector/pack.h"

/* ---- fields -------------------------------------------------------------------------------------------- */

/* The numbers of a rod, or of the rigid groups of a network, that a parameter can change: F(record, how many, its numbers).  Each
 * record is one of derivatives by eight parameters (wy_slope_, packed), and one of those of J by its numbers (wy_adjoint_,
 * double).  All records of a part are one array, so that sums over fields are sums over numbers; where its numbers are found
 * in the part is given by the table of gradient_field.c.  Those of a step come first, those of the start last.
 *   load     at factor 1                              act   on an end, and the pose in which it is held
 *   hold     that pose in motion: of the start        section, size   of a Gauss point, of an element
 *   mass     xx yy zz, of a rigid group yz zx xy; force: a constant one on the node
 *   member   of a copy, axes of its rigid group           node, lump   (dr, dphi), dv, dW; backwards: by the state */
#define WY_FIELD_LIST(F)                                                                           \
    F(load, plan->load.count, force[3], moment[3])                                                 \
    F(act, ends, force[3], moment[3], place[3], turn[3])                                           \
    F(hold, ends, place[3], turn[3])                                                               \
    F(section, points, c[6], cv[6], rest[6], weight)                                               \
    F(size, plan->n, length)                                                                       \
    F(mass, nodes, mass, share, inertia[6], excess[3], force[3])                                   \
    F(end, ends, mass, spring, spring_turn, arm[3], spring_r[3])                                   \
    F(whole, 1, gravity[3], drag[3], current[3])                                                   \
    F(fluid, x->fluid ? nodes : 0, k[6])                                                           \
    F(member, members, o[3], q[3])                                                                 \
    F(node, nodes, q[6], v[3], w[3])                                                               \
    F(lump, ends, u[3])

#define WY_FIELD_RECORD(name, count, ...)                                                          \
    typedef struct wy_slope_##name {                                                               \
        packed __VA_ARGS__;                                                                        \
    } wy_slope_##name;                                                                             \
    typedef struct wy_adjoint_##name {                                                             \
        double __VA_ARGS__;                                                                        \
    } wy_adjoint_##name;
#define WY_FIELD_KIND(name, ...) WY_FIELD_##name,
#define WY_FIELD_SLOPE(name, ...) wy_slope_##name *name;
#define WY_FIELD_ADJOINT(name, ...) wy_adjoint_##name *name;
WY_FIELD_LIST(WY_FIELD_RECORD)
enum { WY_FIELD_LIST(WY_FIELD_KIND) WY_FIELD_KINDS };
typedef struct wy_slope_fields {
    packed *all; /* [wy_slopes.at[WY_FIELD_KINDS]] */
    WY_FIELD_LIST(WY_FIELD_SLOPE)
    int strained; /* does any parameter change sections or lengths? */
} wy_slope_fields;
typedef struct wy_adjoint_fields {
    double *all;
    WY_FIELD_LIST(WY_FIELD_ADJOINT)
} wy_adjoint_fields;

/* The rod at four values of a parameter, where loads or ends are functions of time; the rigid groups of a network, where its
 * joints, loads of bodies or held rigid groups depend on it. */
typedef struct wy_slope_live {
    wy_director *at[4]; /* NULL: they do not */
    double step;
    double rough; /* of all numbers that were differenced: wy_slope_rough */
} wy_slope_live;

/* What is kept of a group: part of the state. */
typedef struct wy_slope_kept {
    packed grown; /* largest |dr|^2 of a node so far */
    double fault; /* largest correction of the refinement over the solution */
} wy_slope_kept;

/* ---- backwards: derivatives of one number J ---------------------------------------------------- */

/* Of the step at hand. */
typedef struct wy_adjoint_now {
    double *mu, *side, *rest; /* [6 node_count] the multiplier, dJ/dq+, what remains of it */
    wy_adjoint_fields acting; /* loads and ends alone */
} wy_adjoint_now;

typedef struct wy_slopes {
    int count, groups, nodes,
        rows;       /* nodes: of the rigid groups all of them; rows: 6 of each, and multipliers */
    int alone;      /* 1: the rod belongs to no rigid group (gradient_chain.c) */
    int in_contact; /* 1: a node of it touches something in this step */
    int at[WY_FIELD_KINDS + 1]; /* where the records of each kind begin in the array of all */
    wy_slope_fields *field;     /* [groups] */
    wy_slope_live *live;        /* [count] */

    packed *start;       /* state: [groups] as the fields from WY_FIELD_node on */
    wy_slope_kept *kept; /* state: [groups] */

    /* scratch */
    double (*plus)[WY_DIRECTOR_STRIDE]; /* [n][6(p+1)] dF/dq+ of the elements */
    double (*node_plus)[6][6];          /* [node_count] of the nodes */
    packed *side, *change, *rest;       /* [groups][6 node_count], [6 node_count] twice */
    wy_slope_fields *acting;            /* [groups] loads and ends of the step alone */
    wy_director back;                   /* the step seen from its end: q+ and q- exchanged, -h */

    /* backwards: instead of the state */
    wy_adjoint_fields by;
    double *live_by; /* [count] by parameters on which functions of time depend */
    wy_adjoint_now now;
} wy_slopes;

/* ---- gradient_lane.c ------------------------------------------------------------------------------- */

/* side -= m change, both [6(p+1)]. */
void wy_slope_times(int p, const double (*m)[WY_DIRECTOR_STRIDE], const packed *change,
                    packed *side);
/* The residual of an element by its sections, its length and the start of the step, without loads: the sides of all
 * groups -= it. */
void wy_slope_element(const wy_director *x, int e);

/* y += m^T x, both [6(p+1)]. */
void wy_slope_transposed(int p, const double (*m)[WY_DIRECTOR_STRIDE], const double *x, double *y);
/* by -= mu dF/d(sections and length) of an element. */
void wy_slope_element_pull(const wy_director *x, int e, const double *mu, wy_adjoint_fields *by);

/* ---- gradient_field.c ------------------------------------------------------------------------------ */

/* Where the records of a rod are; memory for those of all parameters, and for the sums backwards. */
void wy_fields_count(wy_director *x);
void wy_fields_take(wy_director *x, wy_allocator *from);
void wy_fields_take_by(wy_director *x, wy_allocator *from);
void wy_fields_layout_acting(wy_slopes *s, wy_block *scratch);
/* All of parameter k, from the rod set up at four values of it. */
void wy_fields_seed(wy_director *x, int k, wy_director *const at[4], double step);
/* Loads and ends of the step, of all parameters; of parameter k, where they are functions of time.  And backwards. */
withy_status wy_fields_act(wy_director *x, double t_load, double t_pose, withy_error *err);
withy_status wy_fields_act_live(wy_director *x, int k, double t_load, double t_pose,
                                withy_error *err);
void wy_fields_act_pull(wy_director *x);
/* The fields of the rod, all but those of the start; and there the derivatives by parameter k, times `way`. */
void wy_fields_get(const wy_director *x, double *home);
void wy_fields_set(wy_director *x, const double *home, int k, double way);
/* Does any parameter change this number? */
int wy_fields_vary(const wy_slopes *s, int at);
double wy_fields_sum(const wy_slopes *s, int k, int from, int to); /* by . field */

/* The place of a number in the array of all. */
#define WY_AT(s, record, i, member)                                                                \
    ((s)->at[WY_FIELD_##record] +                                                                  \
     (int)(((size_t)(i) * sizeof(wy_adjoint_##record) + offsetof(wy_adjoint_##record, member)) /   \
           sizeof(double)))

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

/* ---- gradient_node.c ------------------------------------------------------------------------------- */

/* Inertia and weight of a node: dF_phi = plus dphi+ + minus dphi- + spin dW- + sum of J times dJ; dF_r = shift (dr+ - dr-) -
 * speed dv- + pull dm - weight dg. */
typedef struct wy_slope_inertia {
    mat3 plus, minus, spin;
    vec3 j[6];
    int moments;                 /* of J: three, of a rigid group six */
    double shift, speed, weight; /* 2 m/h^2, 2 m/h, m times the factor */
    vec3 pull;
    int moving;
} wy_slope_inertia;

/* All else on which the residual of a node depends, number by number (WY_FIELD): the fields, and the start of the step. */
typedef struct wy_slope_columns {
    int count, at[56];
    double by[56][6];
} wy_slope_columns;
static inline void wy_slope_column(wy_slope_columns *to, int at, vec3 force, vec3 moment) {
    to->at[to->count] = at;
    v3_to(force, to->by[to->count]), v3_to(moment, to->by[to->count++] + 3);
}

/* The step as seen from its end, in slopes->back; after S+ of the converged iterate is in stress[].plus. */
void wy_slope_turn_back(wy_director *x);
/* Is it an inner node on which nothing acts but inertia and loads? */
static inline int wy_slope_is_plain(const wy_director *x, int j) {
    return j > 0 && j < x->plan.node_count - 1 && !x->plan.forces && !x->slopes->in_contact;
}
wy_slope_inertia wy_slope_inertia_of(const wy_director *x, int j);
void wy_slope_take_inertia(const wy_slope_inertia *i, const wy_slope_node *node,
                           const wy_slope_mass *mass, const wy_slope_whole *whole, packed *side);
void wy_slope_pull_inertia(const wy_slope_inertia *i, const double *mu, wy_adjoint_node *node,
                           wy_adjoint_mass *mass, wy_adjoint_whole *whole);
/* dF/dq+ of all nodes into node_plus; their sides of all groups; and backwards, from now.mu. */
void wy_slope_nodes_plus(wy_director *x);
void wy_slope_nodes_take(wy_director *x);
void wy_slope_nodes_pull(wy_director *x);

/* ---- gradient.c --------------------------------------------------------------------------------------- */

withy_status wy_slope_take(wy_director *x, int alone, withy_error *err); /* memory for the fields */
void wy_slope_layout(wy_director *x, wy_block *state, wy_block *scratch);
void wy_slope_plus(wy_director *x); /* dF/dq+ of the elements; of a rod alone with its factors */
/* side -= A change and y += A^T mu with A of plus and node_plus. */
void wy_slope_plus_times(const wy_director *x, const packed *change, packed *side);
void wy_slope_plus_transposed(const wy_director *x, const double *mu, double *y);
/* All but the solution, into plus, node_plus and side. */
withy_status wy_slope_assemble(wy_director *x, double t_load, double t_pose, withy_error *err);
/* Where the end is held, side becomes what is given there less the change so far (NULL: none). */
void wy_slope_hold_end(const wy_director *x, int which, const wy_slope_act *to,
                       const packed *change, packed side[6]);
/* From `change` the state after the step, or of the equilibrium; fault: of its solution. */
void wy_slope_keep(wy_director *x, int group, double fault);

/* ---- gradient_reverse.c ------------------------------------------------------------------------------- */

/* The part of now.mu that belongs to the held pose of an end, taken out of it. */
void wy_slope_part_held(wy_director *x, int which, double held[6]);
static inline vec3 wy_slope_held_turn(const wy_director *x, int which, vec3 v) {
    const wy_director_end *end = &x->plan.end[which];
    const vec3 axis = x->step->end[which].target.c3;
    if (!end->holds_frame) return v3(0, 0, 0);
    return end->turns_free ? v3_axpy(v, -v3_dot(axis, v), axis) : v;
}

/* ---- gradient_chain.c: the equations of a rod alone ---------------------------------------------------- */

void wy_chain_factor(wy_director *x); /* dF/dq+ of the elements, into plus, and its factors */
/* change = A^-1 side of a group, and now.mu = A^-T now.side.  Return the relative size of the last correction. */
double wy_chain_solve(wy_director *x, int group);
double wy_chain_solve_transposed(wy_director *x);

/* Right sides and derivatives of a group of parameters. */
static inline packed *wy_slope_side(const wy_director *x, int group) {
    return &x->slopes->side[(size_t)group * (size_t)x->slopes->rows];
}
static inline packed *wy_slope_start(const wy_director *x, int group) {
    const int *at = x->slopes->at;
    return &x->slopes->start[(size_t)group * (size_t)(at[WY_FIELD_KINDS] - at[WY_FIELD_node])];
}
static inline size_t wy_slope_start_size(const wy_director *x) { /* [bytes] of a group */
    const int *at = x->slopes->at;
    return (size_t)(at[WY_FIELD_KINDS] - at[WY_FIELD_node]) * sizeof(packed);
}
static inline wy_slope_node *wy_slope_nodes(const wy_director *x, int group) {
    return (wy_slope_node *)(void *)wy_slope_start(x, group);
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
/* The pack of the lanes from `first` on. */
static inline pack pack_of(const packed *a, int first) {
    return pack_load((const double *)a + first);
}
static inline pack3 pack3_of(const packed a[3], int first) {
    return (pack3){pack_of(&a[0], first), pack_of(&a[1], first), pack_of(&a[2], first)};
}
static inline void pack_to(packed *a, int first, pack v) {
    pack_store((double *)a + first, v);
}
static inline void pack3_take(packed side[3], int first, pack3 a) {
    pack_to(&side[0], first, pack_of(&side[0], first) - a.x);
    pack_to(&side[1], first, pack_of(&side[1], first) - a.y);
    pack_to(&side[2], first, pack_of(&side[2], first) - a.z);
}
#define WY_EACH_PART(first) for (int first = 0; first < WY_LANES; first += WY_PACK)
static inline vec3 wy_slope_lane(const packed a[3], int l) {
    return v3(a[0][l], a[1][l], a[2][l]);
}
static inline vec3 axis3(int i) {
    return v3(i == 0, i == 1, i == 2);
}
static inline vec3 column3(mat3 m, int i) {
    return i == 0 ? m.c1 : i == 1 ? m.c2 : m.c3;
}
/* ---- sums of vectors, and of pairs (force or shift, moment or turn) ---------------------------------------- */

static inline void add_at(double a[3], double k, vec3 b) {
    v3_to(v3_axpy(v3_from(a), k, b), a);
}
static inline void add6(double *a, double k, vec3 r, vec3 phi) {
    v3_to(v3_axpy(v3_from(a), k, r), a);
    v3_to(v3_axpy(v3_from(a + 3), k, phi), a + 3);
}
