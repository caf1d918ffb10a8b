/* fdtd.h - what the files of the method fdtd share: a group of rods on a staggered grid.
 *
 * A group is one rod (lanes = 1) or up to eight rods of the same kind (lanes = 8).  Every field is
 * a flat array x[index * lanes + lane] with WY_FDTD_GHOST numbers before and after it, so that the
 * same sweep over packs of eight numbers runs along one rod or across eight rods: the neighbour of
 * a number is `lanes` further on.  See fdtd/fdtd.c for equations and symbols.
 */
#pragma once

#include "base/base.h"
#include "base/vec.h"
#include "method/method.h"
#include "model/model.h"
#include "numeric/interpolate/sbp.h"

#ifdef __wasm__ /* lanes: rods side by side, a pack of numeric/vector/pack.h or several */
enum { WY_FDTD_LANES = 2, WY_FDTD_GHOST = 32 };
#else
enum { WY_FDTD_LANES = 8, WY_FDTD_GHOST = 32 };
#endif

enum { WY_FDTD_STAGGERED, WY_FDTD_LITERAL };
enum { WY_FDTD_PHYSICAL, WY_FDTD_REGULARISED };
enum { WY_FDTD_DILATION_ON, WY_FDTD_DILATION_OFF };

typedef struct wy_fdtd_options {
    int n;                /* intervals                                               */
    double dt;            /* step [s], 0: from the limit                             */
    int order;            /* 2, 4, 6                                                 */
    int scheme;           /* WY_FDTD_STAGGERED, WY_FDTD_LITERAL                      */
    int inertia;          /* WY_FDTD_PHYSICAL, WY_FDTD_REGULARISED                   */
    double inertia_alpha; /* of the regularisation                           */
    int dilation;         /* WY_FDTD_DILATION_ON, _OFF: coupling through the mean tension */
    int safe;             /* refuse an unstable step                                 */
    int threads;
} wy_fdtd_options;

/* ---- a group --------------------------------------------------------------------------------- */

/* One end of all rods of a group: what never changes. */
typedef struct wy_fdtd_end {
    int holds_position, holds_direction;
    int turns_free; /* held by its tangent only                              */
    int moves;      /* position or frame is a function of time               */
    int loaded;     /* a force or moment is applied                          */
    int steady;     /* ... that is constant and dead                         */
    wy_end end[WY_FDTD_LANES];
} wy_fdtd_end;

/* At the points of the grid, from the problem. */
typedef struct wy_fdtd_grid {
    double *kn[3], *n0[3];         /* halves: n = kn (h P- v) + n0                 */
    double *km[3], *m0[3];         /* nodes:  m = km (h P+ u) + m0                 */
    double *cn[3], *cm[3];         /* viscous: D_v / (h P-), C_v / (h P+)          */
    double *mass;                  /* nodes: rho A h P+ (+ lumped)       [kg]      */
    double *inertia[3];            /* halves: rho J h P-                 [kg m^2]  */
    double *drag_line, *drag_turn; /* nodes, halves: linear drag times h P         */
    double *drag_square;           /* nodes: quadratic drag times h P+             */
    double *stiff_half[3], *stiff_node[3], *rest_half[3], *rest_node[3]; /* for observing */
    double
        *rest_stretch; /* halves: v3 of the rod at rest; rest_half[2] is that of the law in use */
} wy_fdtd_grid;

/* Factors of a step of h: made again from the grid when the state has another step. */
typedef struct wy_fdtd_rate {
    double h, regular;             /* [s] for which they were made                 */
    double step[WY_FDTD_LANES];    /* h of each rod: of one problem they are equal */
    double fall[3][WY_FDTD_LANES]; /* h g                                          */
    double *pe, *pf;               /* nodes: p <- pe p + pf (F + load)             */
    double *wf[3], *wg[3], *we[3]; /* halves: w <- we w + wf tau + wg w w          */
    double *cn[3], *cm[3];         /* viscous, over h                              */
    double *inertia[3];            /* halves: with what the regularisation adds    */
} wy_fdtd_rate;

/* What an end prescribes for the rods; values per lane, the first one for a single rod. */
typedef struct wy_fdtd_hold {
    double r[3][WY_FDTD_LANES];      /* position at the end of the step     [m]   */
    double q[4][WY_FDTD_LANES];      /* frame at the start of the step      [-]   */
    double force[3][WY_FDTD_LANES];  /* applied, laboratory                 [N]   */
    double moment[3][WY_FDTD_LANES]; /* m at the end node, material         [N m] */
} wy_fdtd_hold;

/* State: r, q at t; p, w half a step earlier. */
typedef struct wy_fdtd_now {
    double *r[3], *p[3];   /* nodes, laboratory            [m], [m/s]          */
    double *q[4];          /* halves, material to laboratory                   */
    double *w[3];          /* halves, material             [rad/s]             */
    double *eo[3], *zo[3]; /* viscous: h P- v, h P+ u a step ago                */
    double *load[3];       /* nodes: gravity and loads times h P+ [N]          */
    double *couple[3];     /* halves: moment loads times h P-, material        */
    wy_fdtd_hold *hold;    /* [2] */
    vec3 *shift;   /* [obstacles] how far they have moved since t = 0                      [m] */
    double *depth; /* with obstacles: the largest so far, over the radius                  [-] */
    double (*state_load)
        [6]; /* [spot_count] force and moment of loads that depend on the state, laboratory */
} wy_fdtd_now;

/* Scratch of a step. */
typedef struct wy_fdtd_work {
    double *nn[3];         /* halves: N = R n                              */
    double *tau[3];        /* halves: h P- (v x n)                         */
    double *f[3];          /* nodes: -Q^T N                                */
    double *gb[4], *ga[4]; /* nodes; order 2: torques on the half after and before */
    double *turn[3];       /* halves: h P- times the whole torque          */
    double *en[3], *zn[3]; /* viscous: h P- v, h P+ u now                  */
    double old_r[2][3][WY_FDTD_LANES], old_p[2][3][WY_FDTD_LANES]; /* ends before a sweep */
} wy_fdtd_work;

/* Loads of a rod: forces at nodes and between them, moments on the whole rod at halves. */
typedef struct wy_fdtd_points {
    wy_load_points force, moment;
} wy_fdtd_points;

/* Where a load that depends on the state acts: it takes sum n r of two nodes and the frame sum h q of two
 * halves, and acts on those nodes by n and on the halves by share. */
typedef struct wy_fdtd_spot {
    wy_state_point state_point;
    int lane, pull, end; /* pull: only before t = 0; end: 0, 1, or -1 for a load along the rod */
    int node[2], half[2];
    double n[2], h[2], share[2];
} wy_fdtd_spot;

struct wy_fdtd_joints;  /* fdtd/joint.h */
struct wy_fdtd_contact; /* fdtd/contact.c */

typedef struct wy_fdtd_group {
    const withy_problem *problem;
    const wy_model *model;
    const wy_sbp *op;
    int n, lanes, used; /* intervals, stride, rods in it                     */
    int rod[WY_FDTD_LANES];
    int rich;       /* rest strains, drag, loads, damping or sections that need the arrays */
    int viscous;    /* Kelvin-Voigt                                             */
    int drags;      /* quadratic drag: coefficients change every step           */
    int live_loads; /* distributed loads that depend on time or follow         */
    double alpha;   /* of the regularisation, 0: physical */
    double length[WY_FDTD_LANES];   /* reference length                 [m]   */
    double stretch0[WY_FDTD_LANES]; /* stretch of the straight state under the given tension */
    wy_fdtd_points load[WY_FDTD_LANES];
    wy_fdtd_points pull;             /* of a rod that is alone: what holds it until t = 0 */
    int pulling;                     /* 1: while that equilibrium is sought */
    int spot_count;                  /* of loads that depend on the state; 0: none does */
    wy_fdtd_spot *spot;              /* [spot_count] */
    struct wy_fdtd_joints *joints;   /* NULL: there are none in the problem */
    struct wy_fdtd_contact *contact; /* NULL: there are no obstacles */
    int *joined;                     /* [(n + 1) * lanes] 1 + the member that a node is, or 0 */
    wy_fdtd_end end[2];
    wy_fdtd_grid grid;
    wy_fdtd_rate rate;
    wy_fdtd_now now;
    wy_fdtd_work work;
} wy_fdtd_group;

/* fdtd/kernel.c: the work of one step */
void wy_fdtd_step(wy_fdtd_group *g);
/* forces of the present state into f and turn (and nothing else that a step would change) */
void wy_fdtd_forces(wy_fdtd_group *g);
/* with these forces, the rest of a step */
void wy_fdtd_push(wy_fdtd_group *g);
void wy_fdtd_swap_strains(wy_fdtd_group *g);

/* fdtd/group.c: memory, coefficients, initial state */
withy_status wy_fdtd_group_make(wy_fdtd_group *g, const wy_setup *setup, withy_error *err);
void wy_fdtd_group_layout(wy_fdtd_group *g, wy_block *state, wy_block *scratch);
withy_status wy_fdtd_group_place(wy_fdtd_group *g, withy_error *err); /* the initial shape */
withy_status wy_fdtd_group_speed(wy_fdtd_group *g, int moving,
                                 withy_error *err); /* initial, or 0 */
/* A group of rods of different simulations: memory for eight of the kind of `like`; what the kernels read and
 * write of one rod, to and from it. */
withy_status wy_fdtd_group_borrow(wy_fdtd_group *g, const wy_fdtd_group *like, wy_arena *arena,
                                  withy_error *err);
void wy_fdtd_group_take_lane(wy_fdtd_group *g, int lane, wy_fdtd_group *from, int from_lane);
void wy_fdtd_group_give_lane(wy_fdtd_group *g, int lane, wy_fdtd_group *to, int to_lane);
/* Factors for steps of h, and scratch that a sweep may reach beyond the rod: before any sweep. */
void wy_fdtd_group_ready(wy_fdtd_group *g, double h, double regular);
/* Loads and ends of t = 0, whose p and w belong to that time. */
withy_status wy_fdtd_group_load(wy_fdtd_group *g, withy_error *err);
void wy_fdtd_group_remember(
    wy_fdtd_group *g); /* strains of a step ago, for the first strain rates */
/* Change p and w by `time` times the present accelerations, whose forces are in scratch. */
void wy_fdtd_group_kick(wy_fdtd_group *g, double time);
/* Advance by a time without forces: used to extrapolate backwards. */
void wy_fdtd_drift(wy_fdtd_group *g, double time);
/* Loads and ends of t as in every other step, with p and w half a step back. */
withy_status wy_fdtd_group_again(wy_fdtd_group *g, double t, int all, withy_error *err);
/* The present state, with the forces in scratch, but another step from here on. */
withy_status wy_fdtd_group_change_step(wy_fdtd_group *g, double t, double h, withy_error *err);
/* Strains that a sweep has left in scratch go to the state. */
void wy_fdtd_group_keep_strains(wy_fdtd_group *g);
/* With the forces of the present state in scratch: loads at a node, and accelerations (0 where held). */
vec3 wy_fdtd_outer_force(const wy_fdtd_group *g, int i, int lane);
vec3 wy_fdtd_node_rate(const wy_fdtd_group *g, int i, int lane);
vec3 wy_fdtd_half_rate(const wy_fdtd_group *g, int x);
/* The initial poses at `count` points of a rod of n intervals, the first `first` intervals from its start;
 * from the arena. */
withy_status wy_fdtd_initial_poses(const wy_model *model, const withy_rod *rod, int index, int n,
                                   double first, int count, wy_arena *arena, wy_pose **pose,
                                   withy_error *err);
/* Arc length of the problem at a point of the grid (half = 0.5 for a half). */
double wy_fdtd_station(const wy_fdtd_group *g, int lane, double index);

static inline vec3 wy_fdtd_times(vec3 a, vec3 b) {
    return v3(a.x * b.x, a.y * b.y, a.z * b.z);
}
static inline vec3 wy_fdtd_at3(double *const x[3], int k) {
    return v3(x[0][k], x[1][k], x[2][k]);
}
static inline void wy_fdtd_put3(double *const x[3], int k, vec3 a) {
    x[0][k] = a.x, x[1][k] = a.y, x[2][k] = a.z;
}
static inline quat wy_fdtd_at4(double *const x[4], int k) {
    return (quat){x[0][k], x[1][k], x[2][k], x[3][k]};
}
static inline void wy_fdtd_put4(double *const x[4], int k, quat q) {
    x[0][k] = q.w, x[1][k] = q.x, x[2][k] = q.y, x[3][k] = q.z;
}
/* 0, 1: the end at which node i lies; -1: none. */
static inline int wy_fdtd_end_at(const wy_fdtd_group *g, int i) {
    return i == 0 ? 0 : i == g->n ? 1 : -1;
}

/* fdtd/load.c: external loads at t, constants times a factor.  all = 0: only what changes
 * from step to step. */
withy_status wy_fdtd_loads(wy_fdtd_group *g, double t, double factor, int all, withy_error *err);
withy_status wy_fdtd_ends(wy_fdtd_group *g, double t, double factor, int all, withy_error *err);
withy_status wy_fdtd_end_forces(wy_fdtd_group *g, int which, int lane, double t, double factor,
                                withy_error *err);
/* Where an end is held: position at the end of the step, frame at its start. */
void wy_fdtd_hold_at(wy_fdtd_group *g, int which, int lane, vec3 r, mat3 frame);
/* Frame of an end node, the halves carried on as the kernel does it. */
mat3 wy_fdtd_carried_frame(const wy_fdtd_group *g, int lane, int end);
mat3 wy_fdtd_end_frame(const wy_fdtd_group *g, int lane, int end); /* as it is held, or that */
withy_status wy_fdtd_load_points(wy_fdtd_group *g, int lane, const wy_setup *setup,
                                 withy_error *err);
void wy_fdtd_square_drag(wy_fdtd_group *g);
/* The share that the lower of the two nodes around s has in a load there; the other has the rest. */
double wy_fdtd_node_share(const wy_fdtd_group *g, int lane, double s, int *node);

/* fdtd/state_load.c: loads that depend on the state */
withy_status wy_fdtd_spots_make(wy_fdtd_group *g, const wy_setup *setup, withy_error *err);
/* After wy_fdtd_loads and wy_fdtd_ends: their share.  level 0: p and w belong to t; 1: they are half a
 * step back, and the velocities of t are found together with the loads. */
enum { WY_FDTD_AT, WY_FDTD_BACK };
withy_status wy_fdtd_state_loads_at(wy_fdtd_group *g, double t, double factor, int level,
                                    withy_error *err);
/* Refuse a step that the stiffness of such loads makes unstable; limit: of the rod itself. */
withy_status wy_fdtd_state_load_limit(wy_fdtd_group *g, double limit, withy_error *err);
/* d(force, moment) of each spot with the state at rest, by differences. */
withy_status wy_fdtd_state_load_slopes(wy_fdtd_group *g, double t, double factor,
                                       double (*slope)[6][WY_STATE_LOAD], withy_error *err);

/* fdtd/contact.c: obstacles */
int wy_fdtd_has_contacts(const withy_problem *problem);
withy_status wy_fdtd_accept_contact(const withy_problem *problem, withy_error *err);
withy_status wy_fdtd_contact_make(wy_fdtd_group *g, const wy_setup *setup, withy_error *err);
void wy_fdtd_contact_layout(wy_fdtd_group *g, wy_block *state);
/* Their push at t, added to the loads. */
withy_status wy_fdtd_contact_push(wy_fdtd_group *g, double t, withy_error *err);
double wy_fdtd_contact_energy(const wy_fdtd_group *g, int lane);
void wy_fdtd_contact_sample(const wy_fdtd_group *g, int lane, withy_snapshot *snap);
void wy_fdtd_contact_parts(const wy_fdtd_group *g, int lane, withy_parts *parts);

/* fdtd/limit.c: the largest stable step */
typedef struct wy_fdtd_limit {
    double dt;    /* all conditions together                          [s] */
    double axial; /* of longitudinal waves alone                      [s] */
} wy_fdtd_limit;
withy_status wy_fdtd_limit_of(const withy_rod *rod, double reference, double stretch,
                              const wy_sbp *op, const wy_fdtd_options *opt, wy_fdtd_limit *limit,
                              withy_error *err);
/* chi over w3 dt, of a section with these rotary inertias; the largest step of a rod that turns about its axis, of
 * which `still` is the limit without that, rate = gyration |w3| [1/s]. */
double wy_fdtd_gyration(const double J[3]);
double wy_fdtd_spun_limit(double equilibrium, double rate, int viscous);

/* fdtd/observe.c: strains, energies, momenta of one rod of a group */
typedef struct wy_fdtd_view {
    vec3 *r, *p; /* nodes, p at the same time        [n+1] */
    quat *q;     /* halves                           [n]   */
    vec3 *w;     /* halves, material, same time      [n]   */
    vec3 *v;     /* halves: R^T r'                   [n]   */
    vec3 *u;     /* nodes: axial(R^T R')             [n+1] */
    quat *qn;    /* nodes: interpolated              [n+1] */
    vec3 *n, *m; /* halves, nodes: stresses with their viscous part, material [N], [N m] */
    vec3 force[2], couple[2]; /* of the supports, laboratory         */
    withy_energies energy;
    double conserved;
    vec3 momentum, angular;
    double drift; /* largest ||q| - 1|                               */
} wy_fdtd_view;
void wy_fdtd_view_layout(wy_fdtd_view *view, int n, wy_block *scratch);
/* The group must be ready; forces = 0: those of the present state are in scratch already. */
void wy_fdtd_observe(wy_fdtd_group *g, int lane, int forces, wy_fdtd_view *view);
/* The energies alone, of such a group. */
void wy_fdtd_weigh(wy_fdtd_group *g, int lane, wy_fdtd_view *view);
