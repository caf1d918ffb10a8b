/* state.h - the whole simulation: groups of rods, one step for all. */
#pragma once

#include "method/fdtd/fdtd.h"
#include "numeric/linear/linear.h"

/* ---- literal.c: the scheme as [FD] prints it, for comparison. */

/* One time level, nodes -3 .. n+3. */
typedef struct wy_fdtd_level {
    vec3 *r, *w, *u;
    mat3 *frame;
} wy_fdtd_level;

/* One rod. */
typedef struct wy_fdtd_literal {
    const withy_problem *problem;
    const wy_model *model;
    int rod, n;
    const double *difference; /* D: of the first, second and third neighbours [-] */
    int free;                 /* both ends are free; else pinned */
    double h;                 /* [m] */
    double k[WITHY_STRAINS], rho[WITHY_INERTIAS];
    wy_fdtd_level now, before; /* state */
    wy_fdtd_level next;        /* scratch */
    vec3 *v;                   /* scratch */
} wy_fdtd_literal;

/* Lower least->dt to what the scheme allows; refuses what it cannot express. */
withy_status wy_fdtd_literal_limit(const withy_problem *problem, const wy_fdtd_options *opt,
                                   wy_fdtd_limit *least, withy_error *err);
withy_status wy_fdtd_literal_make(const wy_setup *setup, int rod, wy_fdtd_literal *x,
                                  withy_error *err);
void wy_fdtd_literal_layout(wy_fdtd_literal *x, wy_block *state, wy_block *scratch);
/* The initial shape, and the level before it by a step of dt. */
withy_status wy_fdtd_literal_place(wy_fdtd_literal *x, withy_error *err);
withy_status wy_fdtd_literal_begin(wy_fdtd_literal *x, double dt, withy_error *err);
withy_status wy_fdtd_literal_advance(wy_fdtd_literal *x, const wy_span *span, withy_error *err);
double wy_fdtd_literal_energy(const wy_fdtd_literal *x, double dt); /* [J] */
void wy_fdtd_literal_sample(const wy_fdtd_literal *x, double dt, withy_snapshot *snap);

/* ---- tangent.c: the stiffness matrix of the discrete rod: for equilibria and modes. */

/* One rod that is alone in its group.  Unknown 6 i + d: displacement of node i; 6 i + 3 + d: rotation
 * of half i in its own axes. */
typedef struct wy_fdtd_tangent {
    wy_fdtd_group *g;
    int n, size, band;                 /* size = 6 n + 3 */
    double factor, t;                  /* of the loads now */
    int weighed;                       /* 1: M is that of wy_equations.weigh */
    double *matrix;                    /* [size][2 band + 1] K, by rows about the diagonal */
    void *work;                        /* complex fields */
    double (*slope)[6][WY_STATE_LOAD]; /* of loads that depend on the state */
    double *torque; /* [2][3][size] what a unit (material) moment on an end adds to the residual */
    wy_banded lu;
} wy_fdtd_tangent;

withy_status wy_fdtd_tangent_make(wy_fdtd_group *g, wy_arena *arena, wy_fdtd_tangent **x,
                                  withy_error *err);
/* Forces and torques of the present shape, loads included; where held, the remaining distance. */
void wy_fdtd_tangent_force(wy_fdtd_tangent *x, double *r);
/* Factorise K - shift M. */
withy_status wy_fdtd_tangent_factor(wy_fdtd_tangent *x, double shift, withy_error *err);
/* y = C v by a directional derivative of the viscous stresses, and drag. */
void wy_fdtd_tangent_damping(wy_fdtd_tangent *x, const double *v, double *y);
/* v^T K v, see wy_equations. */
double wy_fdtd_tangent_quotient(wy_fdtd_tangent *x, const double *v, double *terms, double *round);
double wy_fdtd_mass_of(const wy_fdtd_tangent *x, int unknown); /* 0 where held */

/* ---- joint.c: rods that meet: nodes that are one point (ball joints, welds), and frames that are one (welds).
 *
 * See docs/theory/fdtd.md, Joints.  fdtd/joint.c reads the problem, fdtd/network.c computes.
 */

/* A place that joints connect: a node of a rod, or a place on the ground. */
typedef struct wy_fdtd_member {
    int group, lane, node;   /* group -1: the ground */
    int x;                   /* node * lanes + lane */
    int rod, end;            /* end: 0, 1, or -1 inside the rod */
    int point, shared_point; /* of which it is a part; shared_point -1: its frame is its own */
    int side, sides;         /* of the shared point: first and count */
    int joint, place;        /* ground: whose place it is */
    quat turn;               /* Q: its frame in that of the shared point */
} wy_fdtd_member;

/* Members that are one point. */
typedef struct wy_fdtd_point {
    int first, count; /* in wy_fdtd_joints.order */
    int holder;       /* member that is held, or -1 */
} wy_fdtd_point;

/* Members that have one frame, without inertia. */
typedef struct wy_fdtd_shared_point {
    int first, count; /* sides */
    int holder;       /* member whose frame is held, or -1 */
} wy_fdtd_shared_point;

/* A half next to a node of a shared point: the spring of half an interval is between the two. */
typedef struct wy_fdtd_side {
    int member, shared_point;
    int half;     /* j * lanes + lane */
    double sign;  /* +1: the half follows the node, -1: it precedes */
    double share; /* of the flexibility of the node's interval: 1 at an end, 2 inside */
} wy_fdtd_side;

/* Joints form trees, rooted at the first member of a point: a joint carries what its child and those beyond it need. */
typedef struct wy_fdtd_branch {
    int child, parent; /* members; child -1: the joint closes a loop and carries nothing */
} wy_fdtd_branch;

/* Found with the forces of the present. */
typedef struct wy_fdtd_load_on { /* of a member */
    vec3 need, turn;             /* force and moment that it takes from the joints, laboratory */
} wy_fdtd_load_on;
typedef struct wy_fdtd_side_now {
    vec3 z, m, torque, couple; /* strain h u, stress; on the half, on the frame; material */
} wy_fdtd_side_now;
typedef struct wy_fdtd_point_now {
    vec3 rate, r, p; /* acceleration; after the step */
} wy_fdtd_point_now;

typedef struct wy_fdtd_joints {
    int member_count, point_count, shared_point_count, side_count, joint_count;
    wy_fdtd_member *member; /* [member_count] */
    int *order;             /* [member_count] members, point by point */
    wy_fdtd_point *point;
    wy_fdtd_shared_point *shared_point;
    wy_fdtd_side *side;     /* point by point, and of a member one after the other */
    wy_fdtd_branch *branch; /* [joint_count] */
    int (*pair)[2];         /* [joint_count] members on the first and the second part */
    int *sweep;             /* [sweep_count] joints, from the leaves of the trees to their roots */
    int sweep_count;
    int moves; /* a place on the ground is a function of time */
    int viscous;
    /* state */
    quat *frame; /* [hub_count] of the last step: where the search begins */
    vec3 *zo;    /* [side_count] strains a step ago */
    vec3 *held;  /* [point_count] where the ground holds it at the end of the step */
    /* scratch */
    quat *frame_now; /* [hub_count] */
    wy_fdtd_side_now *side_now;
    wy_fdtd_point_now *point_now;
    wy_fdtd_load_on *on;
} wy_fdtd_joints;

/* The member at a node, or NULL. */
static inline const wy_fdtd_member *wy_fdtd_member_at(const wy_fdtd_group *g, int x) {
    if (!g->joined || g->joined[x] == 0) return NULL;
    return &g->joints->member[g->joined[x] - 1];
}

/* Kept besides the fields of the groups. */
typedef struct wy_fdtd_head {
    double h;       /* p and w lie h/2 back; 0: no step is known yet [s] */
    double regular; /* step of the regularised inertia [s] */
    double first;   /* conserved energy at t = 0 [J] */
    double gap[2][2]
              [3]; /* of the ends, position and rotation vector, at the last equations->hold */
    int64_t steps;
} wy_fdtd_head;

typedef struct wy_fdtd {
    const withy_problem *problem;
    const wy_setup *setup;
    wy_fdtd_options opt;
    wy_sbp op;
    wy_fdtd_group *group; /* [group_count] */
    int group_count;
    int *group_of, *lane_of;     /* [rod_count] */
    wy_fdtd_joints *joints;      /* NULL: none */
    wy_fdtd_literal *literal;    /* [rod_count], or NULL */
    double *reference, *stretch; /* [rod_count] */
    int closed;                  /* no damping, no driven end: the energy should stay constant */
    double limit, equilibrium;   /* of the step with the spin of t = 0, and without any [s] */
    wy_fdtd_head *now;           /* state */
    wy_fdtd_view view;           /* scratch */
    wy_fdtd_tangent *tangent;    /* statics and modes; NULL before the first */
} wy_fdtd;

/* fdtd/plan.c: reference lengths, the step, which rods go together */
withy_status wy_fdtd_find_lengths(wy_fdtd *x, withy_error *err);
withy_status wy_fdtd_find_limit(wy_fdtd *x, withy_error *err);
double wy_fdtd_requested_step(const wy_fdtd *x);
withy_status wy_fdtd_note_step(const wy_fdtd *x, double h, withy_error *err);
void wy_fdtd_form_groups(wy_fdtd *x);
int wy_fdtd_same_kind(const wy_fdtd_group *a, const wy_fdtd_group *b); /* one kernel does both */
int wy_fdtd_conserves(const wy_fdtd *x);
/* What of a scene is stepped in its own way, the literal scheme first; NULL: nothing. */
const char *wy_fdtd_special(const wy_fdtd *x);

/* fdtd/contact.c: *dt, the limit of the step, falls to that with contact */
withy_status wy_fdtd_contact_limit(const wy_fdtd *x, double *dt, withy_error *err);

/* fdtd/fdtd.c: factors of the present step, in all groups */
void wy_fdtd_ready(wy_fdtd *x);
/* Motion and ledger begin at t = 0, with the step of the state */
withy_status wy_fdtd_begin(wy_fdtd *x, withy_error *err);
/* What precedes and follows the steps of a span that others make (fdtd/batch.h): factors of the step;
 * loads and ends of its last time, the ledger, and whether all is finite. */
withy_status wy_fdtd_open_span(wy_fdtd *x, const wy_span *span, withy_error *err);
withy_status wy_fdtd_close_span(wy_fdtd *x, const wy_span *span, withy_error *err);
int wy_fdtd_is_live(const wy_fdtd_group *g); /* loads or ends change from step to step */

/* fdtd/joint.c: what joints make of the nodes */
withy_status wy_fdtd_accept_joints(const wy_model *model, const withy_problem *problem,
                                   withy_error *err);
withy_status wy_fdtd_joints_make(wy_fdtd *x, withy_error *err);
void wy_fdtd_joints_layout(wy_fdtd_joints *net, wy_block *memory, wy_block *scratch);

/* fdtd/network.c: forces of all groups, which joints connect; steps of joined rods */
withy_status wy_fdtd_all_forces(wy_fdtd *x, withy_error *err);
withy_status wy_fdtd_network_step(wy_fdtd *x, withy_error *err);
/* Where the ground holds points at the end of the step from t. */
withy_status wy_fdtd_joints_hold(wy_fdtd *x, double t, withy_error *err);
withy_status wy_fdtd_joints_begin(wy_fdtd *x, withy_error *err);
void wy_fdtd_joints_change_step(wy_fdtd *x, double ratio);
void wy_fdtd_sample_parts(const void *self, withy_parts *parts);

/* fdtd/sample.c */
void wy_fdtd_sample(const void *self, int rod, withy_snapshot *snap);
/* A position between nodes: the first of the nodes that it is made of, and their weights. */
enum { WY_FDTD_STENCIL = 6 };
int wy_fdtd_place_weights(const wy_fdtd *x, int rod, double s, double weight[WY_FDTD_STENCIL]);

extern const wy_equations wy_fdtd_statics; /* fdtd/equations.c */
extern const wy_batch wy_fdtd_batch;       /* fdtd/batch.c */
