/* gradient.h - derivatives of the solution of director by parameters: what its files share.
 *
 * A parameter reaches the discrete equations only through fields: stiffness, viscosity and rest strains of
 * the Gauss points, lengths of the elements, masses, loads, ends, gravity, the start (docs/theory/gradient.md).
 * Eight parameters go together, one to a lane (numeric/pack.h).  Symbols: dr, dphi (spatial: d(d_i) = dphi x
 * d_i), dv, dW (body) are the derivatives of the state of a node by a parameter.
 *
 * Files: gradient.c (a step, equilibria), gradient_field.c (the residual by the fields), gradient_lane.c (products
 * and the elimination in lanes), gradient_seed.c (fields from problems), gradient_mode.c (frequencies).
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

typedef struct wy_slopes {
    int count, groups;
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
} wy_slopes;

/* ---- gradient_lane.c ------------------------------------------------------------------------------- */

/* side -= m times the (dr, dphi) of the element's nodes, m[6(p+1)][]. */
void wy_slope_times_nodes(int p, const double (*m)[WY_DIRECTOR_STRIDE], const wy_slope_node *node,
                          pack *side);
/* side -= m change, both [6(p+1)]. */
void wy_slope_times(int p, const double (*m)[WY_DIRECTOR_STRIDE], const pack *change, pack *side);
/* Solve with the kept elimination, in place: side[6 node_count]. */
void wy_slope_solve(const wy_director *x, pack *side);
/* The residual of an element by its sections and its length: side -= it. */
void wy_slope_element(const wy_director *x, int e, const wy_slope_fields *field, pack *side);

/* ---- gradient_field.c ------------------------------------------------------------------------------ */

/* Loads and ends of the step. */
withy_status wy_slope_act(wy_director *x, double t_load, double t_pose, withy_error *err);
/* side -= of node j: masses, gravity, drag, lumps, springs, end forces. */
void wy_slope_node_fields(const wy_director *x, int j, int group, pack *side);
/* side -= of the loads. */
void wy_slope_loads(const wy_director *x, int group, pack *side);

/* Derivatives of numbers, vectors and frames that are known at -2, -1, 1, 2 steps; of a frame the spatial
 * rotation vector per unit. */
double wy_slope_five(const double f[4], double step);
vec3 wy_slope_five3(const vec3 f[4], double step);
vec3 wy_slope_turn3(const mat3 f[4], double step);

/* ---- gradient.c, gradient_seed.c ------------------------------------------------------------------- */

/* The derivatives at t = 0 are those of the fields. */
void wy_director_slopes_start(wy_director *x);
/* Of the present equilibrium: after factor(0) of the door, functions of time at t. */
withy_status wy_director_slopes_still(wy_director *x, double t, withy_error *err);

/* ---- gradient_mode.c ------------------------------------------------------------------------------- */

/* d(omega^2) by parameter k of a mode given at the nodes; after wy_director_slopes_still. */
withy_status wy_director_slope_mode(wy_director *x, int k, const withy_mode *mode, double *slope,
                                    withy_error *err);

static inline vec3 wy_slope_lane(const pack a[3], int l) {
    return v3(a[0][l], a[1][l], a[2][l]);
}
static inline void wy_slope_set(pack a[3], int l, vec3 v) {
    a[0][l] = v.x, a[1][l] = v.y, a[2][l] = v.z;
}
