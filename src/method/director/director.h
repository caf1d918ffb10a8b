/* director.h - what the files of the method `director` share.  The scheme: director/director.c. */
#pragma once

#include "method/method.h"
#include "model/load/tendon.h"
#include "model/model.h"
#include "numeric/interpolate/interpolate.h"
#include "numeric/vector/lane.h"

enum {
    WY_DIRECTOR_HISTORY = 3, /* past increments used for the guess */
    WY_DIRECTOR_RATES =
        4, /* past increments kept: those, and one to tell what reverses (report.c) */
    WY_DIRECTOR_PAST = 5,  /* forces of past steps kept */
    WY_DIRECTOR_PANEL = 8, /* one eliminated row: 6 couplings to the next front, right side, pad */
    WY_DIRECTOR_BETWEEN = 13,  /* of a chain between two ends: those, and 6 to its first node */
    WY_DIRECTOR_STRIDE = 32,   /* doubles per row of an element matrix */
    WY_DIRECTOR_RIGID = 1,     /* is any strain rigid? */
    WY_DIRECTOR_INERTIA = 2,   /* is the rotary inertia more than that of the rod? */
    WY_DIRECTOR_BREAKS = 1024, /* places of a rod where an element must end, at most */
};

/* ---- the plan: fixed by create ------------------------------------------------------------------- */

typedef struct wy_director_options {
    int n, degree;
    double dt;      /* 0: auto */
    int order;      /* 2 or 4; 0: chosen, see director.c */
    double tol;     /* of dt = "auto" */
    double xi;      /* algorithmic damping */
    int newton_max; /* iterations per guess */
    int halvings;   /* deepest halving */
    int plain;      /* strains without the correction of Gamma3 */
} wy_director_options;

/* Of a node. */
typedef struct wy_director_mass {
    lane rotary; /* J = w_j (rho I1, rho I2, rho I3) [kg m^2]*/
    lane excess; /* of it, what a thin rod has not: for steps in time alone; kept at copies */
    double mass, share; /* m_j [kg] and the length w_j it represents [m] */
} wy_director_mass;

/* A 6 x 6 matrix of stresses by strains: row i in two lanes, by Gamma and by K. */
typedef lane wy_slope[6][2];

/* Where strains are coupled (rod.stiffness.matrix, rod.damping.matrix). */
typedef struct wy_director_matrix {
    wy_slope c, cv;
} wy_director_matrix;

/* Of a Gauss point. */
typedef struct wy_director_section {
    lane c[2], cv[2]; /* stiffness and viscosity of (Gamma, K) */
    lane rest[2];     /* raw strains of the stress-free shape, prescribed tension included */
    double weight;    /* w_g [m] */
    double space;     /* nu of the law in space (damping_in_space.c) [N m^2 s] */
    double curved;    /* 1: about the natural curvature, 0: [EL] */
    wy_director_matrix *matrix; /* with the diagonals c and cv; NULL: nothing is coupled */
} wy_director_section;

/* Of a Gauss point whose strains at rest change: those of the rest shape, and what they are as strains of the element. */
typedef struct wy_active_rest {
    double base[WITHY_STRAINS];
    lane raw[2];
} wy_active_rest;

/* What a section is at rest beyond the plan: S0(t) less section.rest. */
typedef struct wy_active {
    lane rest[2];
} wy_active;

/* What is attached to an end and how it is held. */
typedef struct wy_director_end {
    wy_end end;
    int node, element, local; /* its node, its element and the node's number there */
    int places, slides; /* so many displacements are held; some, not all: the first of `track` */
    int holds_frame, turns_free, loaded;
    mat3 track;
    int rates;   /* 1: position by its rates, 2: direction, 3: both */
    double mass; /* of the lump */
    vec3 arm;    /* its offset (material) */
    double spring, spring_turn;
} wy_director_end;

/* The part of a displacement that the end holds. */
static inline vec3 wy_director_held(const wy_director_end *end, vec3 v) {
    return wy_held_part(end->places, &end->track, v);
}

struct wy_director_node;
struct wy_contacts;    /* director/contact/contacts.h */
struct wy_fluid;       /* director/force/fluid.h */
struct wy_flow;        /* model/medium.h */
struct wy_section_law; /* director/law/law.h */
struct wy_law_out;

typedef struct wy_director_plan {
    const withy_problem *problem;
    const withy_rod *rod;
    int index; /* of the rod */
    const double
        *joint_s; /* [joint_count] inside the rod, increasing: where a network needs a node */
    int joint_count;
    wy_director_options opt;
    const wy_element *rule; /* of degree p; rods of one network share it */
    lane axial; /* (0, 0, 1, 0): where Gamma3 is corrected for turned directors; plain: 0 */
    int n, p, node_count;   /* elements, degree, n p + 1 */
    double length, whole;   /* L, and wy_model_whole: the scale of what is soft */
    double *start, *size;   /* [n+1], [n] where each element begins, and its length; start[n] = L */
    double *s;              /* [node_count] */
    wy_director_mass *mass; /* [node_count] */
    wy_director_section *section;   /* [n][p] */
    struct wy_director_node *first; /* [node_count] at t = 0; rate[0]: velocity and spin */
    const withy_load *source;       /* loads of the rod, then those that act before t = 0 */
    int source_count;
    wy_load_points load; /* of all sources; cells: elements */
    /* [load.count] shape functions at the loads */
    double (*value)[WY_ELEMENT_NODES];
    wy_director_end end[2];
    int has_damping_in_space;         /* is the bending damped in space (damping_in_space.c)? */
    const struct wy_section_law *law; /* of its sections */
    const void *of_law;               /* what its law has made of them */
    unsigned forces;   /* of a field, that act on it: a bit for each (director/force/force.h) */
    int damped;        /* is there any? */
    int skips_strains; /* 1: nothing needs S+ of an iteration (wy_director_stress.plus) */
    unsigned more;     /* WY_DIRECTOR_RIGID, _INERTIA: what the rod has of it that was not given */
    vec3 about;        /* a point of the axis of a rotating frame, in the model */
    vec3 home;         /* of a rod that is tied to nothing: its start, in the model */
    int lone;          /* 1: it is tied to nothing, and its coordinates are from there */
    int uses_state;    /* WY_USES_: does any load depend on the state? */
    wy_tendon *tendon; /* [tendon_count] along the Gauss points; column: of the border */
    int tendon_count, columns; /* columns: tensions that are unknown */
    wy_changes changes;        /* dt = "auto": what must not be stepped over */
    double horizon;            /* of the tolerance [s]; 0: not known */
} wy_director_plan;

/* Its element is that of director/rod/cable.h. */
static inline int wy_is_cable(const wy_director_plan *plan) {
    return plan->rod->kind == WITHY_CABLE;
}

/* Has it weight, but no inertia (viscous.inertia = "none")? */
static inline int wy_is_massless(const wy_director_plan *plan) {
    return plan->rod && plan->rod->viscous.massless;
}

/* What is found at each iterate (wy_director_state_loads_at): loads of the state, the medium; whether that has added mass as momentum,
 * and puts in work. */
enum { WY_USES_STATE = 1, WY_USES_FLOW = 2, WY_USES_ADDED_MASS = 4, WY_USES_STREAM = 8 };

/* ---- the state: kept between steps ------------------------------------------------------------------ */

/* Mean rates of a step. */
typedef struct wy_director_rate {
    vec3 dr, theta;
} wy_director_rate;

typedef struct wy_director_node {
    tri d;                                    /* R- */
    lane w;                                   /* W-, body components [rad/s] */
    vec3 r;                                   /* r- from the local origin [m] */
    vec3 v;                                   /* v-, laboratory [m/s] */
    wy_director_rate rate[WY_DIRECTOR_RATES]; /* of past steps, newest first: guess, reports */
} wy_director_node;

/* Of a Gauss point. */
typedef struct wy_director_strain {
    lane start[2]; /* raw strains S- at the start of the step */
    lane rate[2];  /* (S+ - S-)/h of the step just made, for viscous stresses */
} wy_director_strain;

typedef struct wy_director_end_now {
    vec3 u;                          /* velocity u- of the lump */
    vec3 offset_r;                   /* placement error of the initial shape, kept for all times */
    vec3 offset_turn;                /* likewise, Cayley vector */
    vec3 spring_r;                   /* where the spring is fixed */
    mat3 spring_d;                   /* and its directors */
    wy_end_driven driven;            /* where an end is that is given by its rates */
    vec3 gap_r, gap_turn;            /* statics: from where it is held to where it is */
    vec3 reaction[WY_DIRECTOR_PAST]; /* of the support on the rod, middle of the last steps */
    vec3 reaction_moment[WY_DIRECTOR_PAST];
} wy_director_end_now;

typedef struct wy_director_now {
    wy_director_end_now end[2];
    vec3 origin;

    /* the guess and the step */
    double rate_time[WY_DIRECTOR_PAST]; /* the middle of past steps; first of all: t = 0 */
    double rate_step[WY_DIRECTOR_PAST]; /* and their length; of t = 0: 0 */
    double passed;                      /* so many of them are known */
    int64_t history;                    /* past rates for the guess */
    int64_t guess;                      /* 0: q-, 1 .. 3: that many past rates */
    double square;                      /* measured constant of Newton's squaring, 0: not yet */
    int64_t solves;
    int64_t iterations; /* of the last step */
    int64_t cut;        /* 1: that steps are halved is noted */
    int64_t started;    /* 1: in motion */
    int64_t taped;      /* steps recorded (director/gradient/gradient_tape.c) */

    /* the ledger */
    withy_energies energy;
    double spring_energy, field_energy;
    double work, dissipated;
    withy_active_work active; /* of that work */
    double fallen;            /* energy of gravity since t = 0 */
    double balance_start;     /* first value of the ledger */

    /* statics */
    int64_t pulling; /* 1: the loads that act before t = 0 are on */
} wy_director_now;

/* dt = "auto" (director/step/step_size.c).  Errors and sizes are over L. */
typedef struct wy_director_step_size {
    double from, to;  /* the window for which the step was chosen [s] */
    double h;         /* the step [s] */
    double size;      /* largest distance of a point of the rod from where it started */
    double error;     /* expected */
    int64_t first;    /* steps of the first trial */
    int64_t order;    /* 2 or 4; 0: not chosen yet */
    int64_t cut;      /* steps are h 2^-cut, after some that did not converge */
    int64_t calm;     /* steps since the last that did not */
    int64_t reported; /* that the tolerance was missed is noted */
} wy_director_step_size;

/* Where a node was when the motion started, or at a mark of a trial. */
typedef struct wy_director_reference {
    tri d;
    vec3 r; /* laboratory */
} wy_director_reference;

enum { WY_DIRECTOR_WHOLE = 2 };     /* halvings of a step of dt = "auto" before it is refused */
#define WY_DIRECTOR_FOLD_SHORT 1e-6 /* of the time: a shorter step is not to blame for a fold */

enum {
    WY_DIRECTOR_MARKS = 16, /* instants at which trials are compared ... */
    WY_DIRECTOR_MARKED = 33 /* ... at no more than so many nodes of a rod */
};

/* ---- the scratch: true within one step --------------------------------------------------------------- */

/* A node at the iterate. */
typedef struct wy_director_next {
    tri d;            /* R+ */
    vec3 dr;          /* r+ - r-, the unknown [m] */
    vec3 theta;       /* Cayley vector of R+ R-^T, the unknown [-] */
    double change[6]; /* Newton increment (dr, dphi) */
} wy_director_next;

/* A Gauss point at the iterate. */
typedef struct wy_director_stress {
    lane plus[2];   /* raw strains S+ */
    lane stress[2]; /* (nbar, mbar) */
    lane sigma[2];  /* the independent stress of the mixed Newton method */
} wy_director_stress;

/* A load, times the length it represents, at the middle of the step: laboratory or, of a follower,
 * material components. */
typedef struct wy_director_force {
    vec3 force, moment;
} wy_director_force;

/* The stress of all tendons at a Gauss point, mean over the step: (n, m) [N, N m]. */
typedef struct wy_tendon_stress {
    lane stress[2];
} wy_tendon_stress;

/* Unknown tensions added to a system that is solved: director/linear/border.c. */
typedef struct wy_border {
    int count, rows;
    double *bar, *plus; /* [count][rows] columns at the mean, rows at the end of the step */
    double *spread;     /* [count][rows] the columns, solved */
    double *schur;      /* [count][count] rows times that, factorised */
    double *gap;        /* [count] what a length misses */
    double *change;     /* [count] of the tensions */
    double *kept;       /* [count] tensions before the step */
    double *line, *sum; /* [rows] */
    int *pivot;         /* [count] */
    int negative;       /* negative eigenvalues of schur; -1: not known */
} wy_border;

/* How a load that depends on the state changes with it: loads, then ends. */
typedef struct wy_director_state_load {
    double slope[6][WY_STATE_LOAD]; /* d(force, moment), laboratory */
    mat3 turn[WY_ELEMENT_NODES];    /* turn of the frame there with the turn of each node */
} wy_director_state_load;

typedef struct wy_director_end_step {
    vec3 target_r;           /* prescribed r+ from the local origin */
    mat3 target;             /* prescribed R+ */
    wy_end_driven driven;    /* where an end will be that is given by its rates */
    wy_director_force apply; /* what is applied */
    double size[6];          /* scale of the held rows */
} wy_director_end_step;

/* Is the step one that is taken back?  Without a ledger, or with one, because its forces are read. */
enum wy_director_trial { WY_TRIAL_NONE, WY_TRIAL_NO_LEDGER, WY_TRIAL_LEDGER };

typedef struct wy_director_step {
    double t, h;    /* its start and length */
    double when;    /* the time of its loads */
    double factor;  /* of loads and gravity: 1 in dynamics */
    double beta;    /* weight of the end of the step in means: 1/2; statics: 1 */
    double per, xi; /* 1/h and xi/2; statics: 0 */
    double shift;   /* modes: K - shift M is factorised */
    vec3 gravity;
    vec3 field;              /* B at the middle of the step [T] (director/force/force_magnet.c) */
    vec3 spin;               /* statics: of the frame, times the root of the factor */
    int dynamic;             /* 0: statics */
    int weighed;             /* 1: M is that of wy_equations.weigh */
    int has_stress_of_guess; /* start sigma from the stress of the guess */
    int negative;            /* negative pivots of the last elimination */
    int keeps;               /* 1: the elimination keeps its multipliers, for more right sides */
    int begins;              /* 1: t = 0 of a motion that does not begin in an equilibrium */
    int is_never_halved;     /* dt = "auto": a step that does not converge is refused, not halved */
    int refused;             /* and it was */
    int order;               /* 2 or 4 */
    int trial;               /* wy_director_trial */
    int late;                /* 1: with the stress of its end: director/step/network_step.c (1) */
    int near;      /* 1: something came near an obstacle, or a joint to its limit, since it was 0 */
    double enough; /* Newton's error may be this large; 0: rounding */
    double (*plus)[WY_DIRECTOR_STRIDE]; /* where a sweep leaves the matrices; NULL: nowhere */
    double last[6][6];                  /* inverse of the last front */
    wy_director_end_step end[2];
    int turns;             /* of all: a Gauss point of a cable becomes taut or slack in this step */
    double least, density; /* of a cable whose form is looked for: static/cable_form.c [N] */
} wy_director_step;

/* What few rods have. */
typedef struct wy_director_rare {
    const vec3
        *magnet; /* [node_count] moment of a magnetised rod, section frame [A m^2]; NULL: none */
    double link; /* of a closed rod: its excess link (director/rod/closed.c) */
} wy_director_rare;

typedef struct wy_director {
    const wy_setup *setup; /* its notes, and its stats from start on */
    wy_director_plan plan;

    wy_director_now *now;
    wy_director_node *node;     /* [node_count] */
    wy_director_strain *strain; /* [n][p] */
    double *history;            /* [n][p][wy_section_history] of the section law */
    double *tension;            /* [tendon_count] of the last step [N] */
    const wy_active_rest *rest; /* [n][p] where strains at rest change: of the plan */
    wy_active *active;    /* [n][p] as the step begins, where strains at rest change, else NULL */
    double *activation;   /* [muscles][n][p] */
    double *active_input; /* [WY_ACTIVE_INPUTS] the inputs that they follow */
    lane *
        u; /* [node_count] velocity through the fluid, body components, with added mass, else NULL [m/s] */

    /* dt = "auto" only */
    wy_director_step_size *step_size;
    wy_change_range *range;      /* [plan.changes.count] */
    wy_change_map *map;          /* of plan.changes */
    wy_director_reference *home; /* [wy_director_marked] */
    wy_director_reference *mark; /* scratch: [WY_DIRECTOR_MARKS][wy_director_marked] of a trial */

    wy_director_step *step;
    wy_director_next *next;     /* [node_count] */
    wy_director_stress *stress; /* [n][p] */
    struct wy_law_out *law;     /* [n][p] where the section law is not linear, else NULL */
    double *after;              /* [n][p][wy_section_history] as the step ends */
    wy_active *active_plus;     /* [n][p] as the step ends */
    double *activation_mid,
        *activation_plus;     /* [muscles][n][p] in the middle of the step, and as it ends */
    double *of_step;          /* of the section law: what follows from h */
    wy_director_force *force; /* [load.count] */
    wy_director_state_load *state_load; /* [load.count + 2] where any load depends on the state */
    wy_tendon_stress *tendon_stress;    /* [n][p] where there are tendons, else NULL */
    struct wy_flow *flow;               /* [node_count] of the fluid, where it is felt, else NULL */
    double *target;                     /* [tendon_count] lengths at the end of the step [m] */
    double *panel;                      /* [n][6p][WY_DIRECTOR_PANEL] eliminated rows */
    double *keep;                       /* [n][p][6(p+1)][6] multipliers */
    struct wy_director_mixed *thin;  /* of director/static/mixed_static.c, from its first use on */
    const struct wy_fluid *fluid;    /* how it feels the medium; NULL: not at all */
    const struct wy_network *within; /* NULL: it is not a rod of a network */
    struct wy_contacts *contacts;    /* a rod that may touch something, else NULL */
    struct wy_slopes
        *slopes; /* derivatives of the motion (director/gradient/gradient.h), or NULL */
    wy_director_rare rare;
    int network; /* 1: it is the rigid groups of a network (director/network.h), and its nodes are rigid groups */
} wy_director;

/* One compiled copy of a function per degree. */
#define WY_FOR_DEGREE(p, function, ...)                                                            \
    switch (p) {                                                                                   \
    case 1: function(1, __VA_ARGS__); break;                                                       \
    case 2: function(2, __VA_ARGS__); break;                                                       \
    case 3: function(3, __VA_ARGS__); break;                                                       \
    default: function(4, __VA_ARGS__);                                                             \
    }

/* Rows of an element with the forces of its Gauss points. */
enum { WY_DIRECTOR_MIXED = 6 * WY_ELEMENT_NODES + 3 * WY_ELEMENT_DEGREE };

/* ---- director/rod/plan.c: the arrays of director/rod/plan.inc ---------------------------------------------- */
enum { WY_BLOCK_PLAN, WY_BLOCK_DENSE, WY_BLOCK_STATE, WY_BLOCK_ITERATE };
enum {
    WY_PER_ONE,
    WY_PER_ELEMENTS,
    WY_PER_EDGES,
    WY_PER_NODES,
    WY_PER_POINTS,
    WY_PER_LOADS,
    WY_PER_STATE_LOADS,
    WY_PER_TENDONS,
    WY_PER_TENDON_STRESSES,
    WY_PER_FLOWS,
    WY_PER_ADDED,
    WY_PER_HISTORIES,
    WY_PER_OF_STEP,
    WY_PER_LAWS,
    WY_PER_ACTIVE,
    WY_PER_MUSCLES,
    WY_PER_ACTIVE_INPUTS
};
/* All of a block: from an arena, 0: no memory; DENSE of x[rods] moved together; from a block, NULL where there are none. */
int wy_director_take(wy_director *x, int block, wy_arena *arena);
int wy_director_pack(wy_director *x, int rods, wy_arena *arena);
void wy_director_layout(wy_director *x, int rods, int block, wy_block *memory);

/* ---- director/rod/mesh.c: the plan, and where state and scratch are ----------------------------------- */
/* The plan of a rod; plan.index and joint_s are given and the rest is zero. */
withy_status wy_director_make_rod(const wy_setup *setup, wy_director *x, withy_error *err);
/* Its numbers, with a table of what they can be; taped: steps that can be recorded. */
void *wy_director_keep_now(wy_block *state, double taped);
const char *wy_director_state_error(const void *self, const wy_span *at);
void wy_director_layout_state(wy_director *x, int rods, wy_block *state); /* x[rods] */
void wy_director_layout_auto(wy_director *x, wy_block *state, wy_block *scratch);
withy_status wy_director_horizon(wy_director *x, withy_error *err); /* of dt = "auto" */

/* ---- director/rod/initial.c: everything at t = 0 ------------------------------------------------------ */

/* Rest strains and the first shape, for the plan: from the kernels, with memory of their own. */
withy_status wy_director_shapes(wy_director *x, withy_error *err);
void wy_director_place_first(wy_director *x); /* the nodes at t = 0, without velocities */
/* Velocities at t = 0 from those given. */
withy_status wy_director_velocities(wy_director *x, withy_error *err);
/* Of poses at 0, step .. 4 step, at 0: one-sided differences of fourth order. */
enum { WY_POSE_RATES = 5 };
void wy_director_pose_rate(const wy_pose at[WY_POSE_RATES], double step, vec3 *v, vec3 *spin);
int wy_director_conserves(const wy_director_plan *x); /* without unaccounted work? */
/* Set the iterate to the state. */
void wy_director_zero_increment(wy_director *x);
/* Before the first step: distance of the placed ends from where they are held. */
withy_status wy_director_offsets(wy_director *x, withy_error *err);
/* The largest angle between two neighbouring nodes, and the first of them. */
double wy_director_turn(const wy_director *x, int *node);

/* ---- director/rod/element.c: the kernels, compiled for each degree ----------------------------------- */

/* Assemble and eliminate from the first element to the last; the result is in the panels, step->last and the right side
 * of the last node. */
void wy_director_eliminate(wy_director *x, double side[6]);
/* Back substitution into next[].change. */
void wy_director_back(wy_director *x, const double side[6]);
/* Elements of a rod that are condensed to the nodes at their two ends. */
typedef struct wy_director_chain {
    int from, to;  /* elements from .. to - 1 */
    double *panel; /* [to - from][6p][WY_DIRECTOR_BETWEEN] eliminated rows */
    double *keep;  /* [to - from][p][6(p+2)][6] multipliers */
    int streams;   /* 1: panels go to memory past the caches */
    void (*ahead)(const wy_director *x, int e, int stage); /* at three stages of each element */
    vec3 force[2]; /* out: residual of its first and last node, before any elimination */
} wy_director_chain;
/* front: rows of its last and its first node; columns: last node, minus the residual, first node. */
void wy_director_condense(wy_director *x, wy_director_chain *chain,
                          double front[12][WY_DIRECTOR_BETWEEN]);
/* The matrix of one element with its loads, minus the residual in the column
 * after the last. */
void wy_director_element(wy_director *x, int e, double (*m)[WY_DIRECTOR_STRIDE]);
/* sigma <- stress + tangent * share of change; then the nodes move by it. */
void wy_director_correct(wy_director *x, double share);
/* Strains S+ of the iterate (and start = plus when asked). */
void wy_director_strains(wy_director *x, int commit);
/* Internal force on the nodes of one element at the iterate, stresses included: f[p+1][6]. */
void wy_director_element_force(wy_director *x, int e, double f[WY_ELEMENT_NODES][6]);
/* Viscous forces of velocities v, added to f, both [6 node_count]. */
void wy_director_element_damping(const wy_director *x, int e, const double *v, double *f);
/* B^T of a stress (n, m) per Gauss point, times their lengths: at the mean or at the end of the step. */
void wy_director_element_wrench(wy_director *x, int e, int plus, const wy_tendon_stress *stress,
                                double f[WY_ELEMENT_NODES][6]);
/* Of director/static/mixed_static.c. */
void wy_director_element_pull(wy_director *x, int e, double f[][6], double *gap);
void wy_director_element_mixed(wy_director *x, int e, double m[][WY_DIRECTOR_MIXED + 1]);
/* The sweep again with the kept multipliers, on another right side [6 node_count]: the rows of the last node are left. */
void wy_director_reduce_again(wy_director *x, double *side);

/* ---- director/rod/node.c: what acts on one node ------------------------------------------------------ */

/* Residual b (to be zero) and tangent a of inertia, gravity, forces of a field and, at the ends, lumps,
 * springs and forces. */
/* Axis and angle 0 .. pi of the turn from the directors `home` to d. */
vec3 wy_director_spring_turn(tri d, mat3 home, double *phi);
void wy_director_node_terms(const wy_director *x, int j, double a[6][6], double b[6]);
/* Of these, added to a and b: forces of a field, springs and forces, which depend on both ends of the step
 * alike. */
void wy_director_node_forces(const wy_director *x, int j, double a[6][6], double b[6]);
/* Statics in a rotating frame, director/rod/rotating.c: residual and tangent of the centrifugal forces; and the
 * gyroscopic forces of velocities v, added to cv. */
void wy_director_rotating_terms(const wy_director *x, int j, double a[6][6], double b[6]);
void wy_director_gyroscopic(const wy_director *x, const double *v, double *cv);
/* The same added to a matrix, the node's rows from `at` on, and with minus b to its column `side`. */
void wy_director_add_node(const wy_director *x, int j, double *matrix, int stride, int at,
                          int side);
/* Which end of the rod a node is; -1: none. */
static inline int wy_director_end_of(const wy_director *x, int node) {
    return node == 0 ? 0 : node == x->plan.node_count - 1 ? 1 : -1;
}
/* Replace the rows of the node that an end holds: matrix with `stride` doubles per row, the node's
 * rows from `at` on, `columns` columns of which the last is the right side. */
void wy_director_hold(wy_director *x, int which, double *matrix, int stride, int at, int rows,
                      int columns);
int wy_director_holds(const wy_director_end *end, int k); /* row k of its node, in its axes */
/* In a right side of the same system, the remaining distance where the node is held. */
void wy_director_hold_gap(const wy_director *x, int which, double side[6]);
/* Before a node is solved for: its held rows become what was given there, scaled as they are, in the
 * node's own axes if it has them. */
void wy_director_hold_side(const wy_director *x, int which, const double given[6], double side[6]);
/* Numbers of a node in the axes that it is held in; and from there back in laboratory axes. */
void wy_director_own_axes(const wy_director *x, int which, double v[6]);
void wy_director_hold_back(const wy_director *x, int which, double v[6]);

/* ---- director/force/load.c ----------------------------------------------------------------------------- */
withy_status wy_director_loads_make(wy_director_plan *plan, wy_arena *arena, withy_error *err);
withy_status wy_director_loads_at(wy_director *x, double t, withy_error *err);
void wy_director_loads_add(const wy_director *x, int e, double *matrix, int stride, int column);
double wy_director_loads_work(const wy_director *x); /* over the step just solved */
/* What is applied to the ends at t_load and where they are held at t_pose. */
withy_status wy_director_ends_at(wy_director *x, double t_load, double t_pose, withy_error *err);

/* ---- director/rod/active.c: strains at rest that change ------------------------------------------------ */
enum { WY_ACTIVE_INPUTS = 12 };
withy_status wy_active_make(wy_director *x, const wy_setup *setup, withy_error *err);
/* What sections are at rest as the step ends; at rest, and now. */
withy_status wy_active_at(wy_director *x, double t, withy_error *err);
/* An input was changed from outside: its effect at fixed shape. */
withy_status wy_active_jump(wy_director *x, double t, withy_error *err);
void wy_active_commit(wy_director *x);

/* ---- director/force/tendon.c ---------------------------------------------------------------------------- */
withy_status wy_director_tendons_make(wy_director_plan *plan, wy_arena *arena, withy_error *err);
void wy_director_tendons_first(
    wy_director *x); /* lengths at t = 0, from the strains of the state */
/* Tensions at t_pull, lengths at t_length. */
withy_status wy_director_tendons_at(wy_director *x, double t_pull, double t_length,
                                    withy_error *err);
/* pull[at] at the iterate. */
void wy_director_tendon_stress(const wy_director *x, int at);
/* The same, and what tendons add to what the rows b of the strains of a Gauss point give: add[6][] with minus the stress
 * in the column after the last. */
void wy_director_tendon_rows(const wy_director *x, int at, int columns,
                             const double (*b)[WY_DIRECTOR_STRIDE],
                             double (*add)[WY_DIRECTOR_STRIDE]);
/* Stress of all tendons at strains of the state, added to (n, m). */
void wy_director_tendon_sample(const wy_director *x, int at, lane stress[2]);
double wy_director_tendon_length(const wy_director *x, int tendon, int plus);
/* Over the step just solved; that of muscles and chambers is added to *of too. */
double wy_director_tendons_work(const wy_director *x, withy_active_work *of);
/* Second variation of the length times the tension, from those of the strains at one Gauss point. */
double wy_director_tendon_quotient(const wy_director *x, int at, const lane one[2],
                                   const lane two[2], double *terms);
/* Column of a tendon at the mean (plus = 0) or its row at the end of the step, added to f[6 node_count]. */
void wy_director_tendon_line(wy_director *x, int tendon, int plus, double *f);
void wy_director_tendons_move(wy_director *x, const wy_border *border, double share);

/* Unknown tensions before the step are kept; and are put back, after an iteration that failed. */
void wy_director_tendons_keep(const wy_director *x, const wy_border *border);
void wy_director_tendons_back(wy_director *x, const wy_border *border);

/* ---- director/linear/border.c ------------------------------------------------------------------------------ */
void wy_border_layout(wy_border *border, int count, int rows, wy_block *scratch);
/* Signs of the pivots of a symmetric matrix [n][n], in place; -1: a pivot is lost in rounding. */
int wy_border_negative(int n, double *a);
double wy_border_dot(int n, const double *a, const double *b);
/* schur from plus and spread; 0: singular. */
int wy_border_close(wy_border *border);
/* change from dq, solved without the border, and gap; dq with it. */
void wy_border_solve(wy_border *border, double *dq);
void wy_border_solve_side(wy_border *border, double *side); /* gap from its end, dT to it */

/* ---- director/force/state_load.c: loads that depend on the state --------------------------------------------------- */

/* Their values at the iterate, and their slopes when asked. */
withy_status wy_director_state_loads_at(wy_director *x, int slopes, withy_error *err);
/* Load i (load.count + e: end e) in the matrix of its nodes. */
void wy_director_state_load_add(const wy_director *x, int i, double *matrix, int stride);
/* f += C v of the interface, both [6 node_count]. */
void wy_director_state_load_damping(const wy_director *x, const double *v, double *f);
/* G = I + theta theta^T/4 - hat(theta)/2: d(theta) = G dphi. */
static inline mat3 wy_director_spin_map(vec3 t) {
    const vec3 q = v3_scale(0.25, t), h = v3_scale(0.5, t);
    return (mat3){{1 + q.x * t.x, q.x * t.y - h.z, q.x * t.z + h.y},
                  {q.y * t.x + h.z, 1 + q.y * t.y, q.y * t.z - h.x},
                  {q.z * t.x - h.y, q.z * t.y + h.x, 1 + q.z * t.z}};
}

/* ---- director/step/step.c ------------------------------------------------------------------------------- */
/* The parts of a step, which a network makes of many rods at once: the guess from `count` past rates; the
 * errors that guesses would have had, added to miss; the best of them; the size of Newton's changes, its
 * constant, and whether the next iteration is below rounding; and what is kept. */
void wy_director_guess(wy_director *x, int count);
void wy_director_past_start(wy_director_now *now); /* the motion starts: its velocities are known */
void wy_director_guess_miss(const wy_director *x, double miss[WY_DIRECTOR_HISTORY + 1]);
int wy_director_guess_best(int history, const double miss[WY_DIRECTOR_HISTORY + 1]);
double wy_director_change_size(const wy_director *x);
void wy_director_measure(wy_director_now *x, double before, double size);
int wy_director_below_rounding(const wy_director *x, int iteration, double size);
void wy_director_straighten(wy_director *x);
void wy_director_keep_rates(wy_director *x);
void wy_director_keep_nodes(wy_director *x);
/* Newton starts with the stress of the state. */
void wy_director_sigma(wy_director *x);
/* Statics: the increments become the shape. */
void wy_director_accept_increment(wy_director *x);
double wy_director_compliance(const wy_director *x);  /* L^3/EI, mean along the rod [m/N] */
double wy_director_slow_period(const wy_director *x); /* about that of the first bending mode [s] */
double wy_director_first_dt(const wy_director *x);    /* a short time [s] */

/* ---- director/step/step_size.c: dt = "auto" ---------------------------------------------------------------- */
void wy_director_auto_start(wy_director *x);
withy_status wy_director_auto_advance(wy_director *x, const wy_span *span, withy_error *err);
/* From *t the next part of the way to `stop`, at most to an edge, with `steps` for the whole window; step->refused:
 * the last one does not converge.  *made: steps made; *local, unless NULL: the errors of single steps are added. */
withy_status wy_director_auto_piece(wy_director *x, double *t, double stop, double steps,
                                    double *made, double *local, withy_error *err);

/* ---- director/step/step_trial.c ------------------------------------------------------------------------------ */

/* How many nodes trials are compared at (of every rod, and all rigid groups; director/step/network_step.c), each with the
 * origin of its coordinates, but for what is the same at all times; and where they are: [wy_director_marked]. */
int wy_director_marked(const wy_director *rigid);
const wy_director_node *wy_director_mark_at(const wy_director *rigid, int i, vec3 *origin);
void wy_director_mark(const wy_director *x, wy_director_reference *mark);
/* No error is requested below this, of the length. */
static const double WY_DIRECTOR_ROUNDING = 1e-11;
/* The error of the last step over the length; INFINITY: not known. */
double wy_director_local(const wy_director *x);
/* Order and step for pace->from .. pace->to, by trials; pace->to may come nearer.  *needed: steps that it would take where that is
 * more than are tried, 0: that were not the reason why the tolerance is missed. */
withy_status wy_director_try_steps(wy_director *x, double *needed, withy_error *err);

/* ---- director/rod/taut.c: is the mesh of a taut rod stable? -------------------------------------------- */

/* Of all rods: how much of its limit the one nearest to it has, and how far the tension of positions is from that of strains
 * where that is most; NULL: nowhere. */
typedef struct wy_taut {
    double ratio, gap;
    const struct wy_director *nearest, *gapped;
} wy_taut;
void wy_director_taut(const wy_director *x, wy_taut *worst); /* and this one */

/* ---- director/rod/ledger.c ------------------------------------------------------------------------- */
void wy_director_ledger_add(wy_director *x); /* a solved step, before it is committed */
void wy_director_energies(wy_director *x);
/* Those of the sections, in place; returns their sum. */
double wy_director_strain_energy(const wy_director *x, withy_energies *e);
void wy_director_reactions(wy_director *x);

/* ---- director/rod/report.c: at the time of the state -------------------------------------------------- */
void wy_director_speed(const wy_director *x, int j, vec3 *v,
                       vec3 *spin); /* of a node, laboratory */
/* From the means of past steps, newest first. */
vec3 wy_director_force_now(const wy_director_now *now, const vec3 m[WY_DIRECTOR_PAST]);
void wy_director_force_pass(vec3 m[WY_DIRECTOR_PAST]); /* there is room for the next */
/* Minus the forces of an element and of its loads on its nodes. */
void wy_director_element_side(wy_director *x, int e, double f[WY_ELEMENT_NODES][6]);

/* ---- director/static/static.c, director/static/modes.c: a rod at rest --------------------------------------------- */
void wy_director_rest(wy_director *x); /* without velocities and without a past */
/* Loads and gravity are those of the factor; ends that miss their place by less than 1 - part of the gap. */
void wy_director_set_factor(wy_director *x, double factor);
void wy_director_approach(wy_director *x, double part);
void wy_director_find_gaps(wy_director *x);  /* from where the ends are held to where they are */
void wy_director_rest_begin(wy_director *x); /* strains of the state, and sigma from them */
/* The largest turn between two nodes, over that of which the mesh may make an artefact; and where. */
double wy_director_coarseness(const wy_director *x, double *s);
/* Without a potential the tangent is not symmetric, and the signs of its pivots do not decide
 * stability. */
int wy_director_has_potential(const wy_director *x);
/* What of W makes the tangent of an equilibrium regular where a motion has no stiffness: above its rounding, as in study/equilibrium/newton.c. */
double wy_director_regularisation(const wy_director *x);
double wy_director_unit(const wy_director *x); /* the same of K, W: wy_equations.weigh */
double wy_director_frequency_square(const wy_director *x); /* about the lowest eigenvalue of K, M */
double wy_director_mass_frequency_square(const wy_director *x); /* the same of K and its own M */
void wy_director_mass_times(const void *self, const double *v, double *mv);
/* Remove the components that an end holds. */
void wy_director_release(const wy_director *x, int which, double a[6]);
void wy_director_damping_times(const void *self, const double *v, double *cv);
double wy_director_quotient(const void *self, const double *v, double *terms, double *round);
/* v^T K v of forces, [n][p][3], that are added. */
double wy_director_held_by(const wy_director *x, const double *v, const double *force);
void wy_director_shape_at(const wy_director *x, const double *v, int i, withy_mode *mode);

double wy_director_slender(const wy_director *x); /* EA L^2/EI */
/* Times that, and the softest stiffness: what is unstable by more is no artefact of a coarse mesh. */
#define WY_DIRECTOR_MESH 1e-6

/* ---- director/static/mixed_static.c: elimination that keeps the digits of a thin rod, for statics ----------------- */
void wy_director_mixed_set(wy_director *x, int on);
int wy_director_is_mixed(const wy_director *x);
/* J in modes: with the digits of a thin rod its own.  That of a copy is with its rigid group, and only the excess is here. */
static inline lane wy_director_rotary(const wy_director *x, int node) {
    const wy_director_mass *mass = &x->plan.mass[node];
    return wy_director_is_mixed(x) ? mass->rotary - mass->excess : mass->rotary;
}
/* A note on the inertia that a thin rod has in motion. */
void wy_director_note_inertia(const wy_director *x);
/* Of the next solution, how far the strains of an element miss sigma: [n][p][3]; none: it has no gaps. */
double *wy_director_mixed_gap(wy_director *x, int e);
/* Newton starts with the stress of the state, or with the sigma of before. */
void wy_director_mixed_begin(wy_director *x);
/* Forces that rounding of places makes, [n][p][3], until the next gap; of all rods with the factors just made. */
const double *wy_director_mixed_rounding(const wy_director *x);
/* The strains of the state become those of sigma. */
void wy_director_mixed_settle(wy_director *x);
/* The shape moves by a share of the solution just found; sigma with it. */
void wy_director_mixed_move(wy_director *x, double share);

/* ---- director/force/damping_in_space.c ------------------------------------------------------------------------------ */
void wy_director_space_add(const wy_director *x, int e, double *matrix, int stride, int column);
double wy_director_space_loss(wy_director *x);
void wy_director_space_damping(const wy_director *x, int e, const double *v, double *f);

/* ---- director/force/force_magnet.c --------------------------------------------------------------------- */
withy_status wy_magnet_make(wy_director *x, const wy_setup *setup, withy_error *err);
/* B of the step, at t, which all rods share. */
withy_status wy_magnet_field(wy_director *rigid, double t, withy_error *err);

/* ---- director/rod/closed.c ----------------------------------------------------------------------------- */
/* The link of a closed rod, at t = 0; and its numbers. */
withy_status wy_closed_make(wy_director *x, withy_error *err);
void wy_closed_sample(const wy_director *x, withy_snapshot *snap);

/* ---- director/rod/sample.c ----------------------------------------------------------------------------- */
/* Of the end of the last step. */
void wy_director_speeds(const wy_director *x, int count, const double *s, vec3 *velocity,
                        vec3 *spin);
/* Momenta about the local origin, added. */
void wy_director_add_momenta(const wy_director *x, vec3 *p, vec3 *l);
/* All but what belongs to the whole. */
void wy_director_sample(const wy_director *x, withy_snapshot *snap);
int wy_director_nodes(const wy_director *x, double *s);
/* The element of an arc length, and the shape functions there. */
int wy_director_place(const wy_director *x, double s, double value[WY_ELEMENT_NODES]);

/* Does a load act inside element e?  A rod without loads is not asked for its list: in a large network that is
 * one more way to memory. */
static inline int wy_director_loaded(const wy_director *x, int e) {
    const wy_load_points *load = &x->plan.load;
    return (load->count > 0 && load->first[e] < load->first[e + 1]) ||
           (x->fluid && wy_is_cable(&x->plan)); /* force/cable_fluid.c */
}

static inline vec3 wy_director_mid_r(const wy_director *x, int j) {
    return v3_axpy(x->node[j].r, 0.5, x->next[j].dr);
}
static inline vec3 wy_director_plus_r(const wy_director *x, int j) {
    return v3_add(x->node[j].r, x->next[j].dr);
}
/* How far the origin has followed since the start. */
static inline vec3 wy_director_origin_shift(const wy_director *x) {
    return v3_sub(x->now->origin, x->plan.home);
}
static inline tri wy_director_mid(const wy_director *x, int j) {
    const lane half = lane_all(0.5);
    return tri_scale(half, tri_add(x->node[j].d, x->next[j].d));
}
/* In a rotating frame: from a point of its axis, at the iterate. */
static inline vec3 wy_director_from_axis(const wy_director *x, int j) {
    return v3_sub(v3_add(x->now->origin, wy_director_plus_r(x, j)), x->plan.about);
}
/* Directors and position at which loads act: means over the step; statics: the iterate. */
static inline tri wy_director_acting(const wy_director *x, int j) {
    return x->step->dynamic ? wy_director_mid(x, j) : x->next[j].d;
}
