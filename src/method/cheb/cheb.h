/* cheb.h - what the files of the cheb method share.  cheb/cheb.c states the mathematics.
 *
 * Arrays over the nodes are padded to `ld` entries, a multiple of 8, so that loops over nodes need
 * no remainder; entries past n are harmless.  A state u is `fields` such arrays one after the
 * other: (x, y, theta) in the plane, (x, y, z, q0, qi, qj, qk) in space.
 */
#pragma once

#include "base/vec.h"
#include "method/method.h"
#include "model/shape/shape.h"
#include "numeric/time/second_order.h"
#include "numeric/transform/transform.h"

enum { WY_CHEB_ENDS_AUTO, WY_CHEB_ENDS_A, WY_CHEB_ENDS_B, WY_CHEB_ENDS_G };
/* What becomes of the energy: it stays, it can only fall, or loads and drives change it. */
enum { WY_CHEB_STAYS, WY_CHEB_FALLS, WY_CHEB_OPEN };
enum { WY_CHEB_AUTO, WY_CHEB_PLANAR, WY_CHEB_SPATIAL };

typedef struct wy_cheb_options {
    int n;
    double dt;
    int integrator, thesis_staging, expanded, ends, space;
    int thesis_mass;                          /* 1: pdd = A M^-1 A^T (...), not conservative */
    double mass_axial, mass_shear, mass_turn; /* factors on rho A along and across, on rho J */
    double mass_shear2; /* along d2, where mass_shear is along d1; 0: the same */
    int normalise;
    double rho;           /* spectral radius at infinity of generalised alpha */
    double tol, absolute; /* of the adaptive integrators */
    double newton_tol;    /* on max |du| */
    int newton_max;
    int safe; /* 0: steps beyond the limit run, [CH] 5.2.3 */
} wy_cheb_options;

enum {
    WY_CHEB_LOOSE,
    WY_CHEB_STATIC,
    WY_CHEB_DRIVEN,
    WY_CHEB_DRIVEN_VELOCITY,
    WY_CHEB_DRIVEN_ACCELERATION
};

/* One end: what is held, how it moves, what is attached to it. */
typedef struct wy_cheb_end {
    wy_end end;
    int node;              /* 0 or n */
    double out;            /* -1 at the start, +1 at the finish */
    double w0;             /* quadrature weight there [m] */
    int place, turn;       /* WY_CHEB_LOOSE .. : how position and direction are held */
    int rolls;             /* direction held, free to turn about the tangent */
    double equilibrium[7]; /* the state where it does not move */
    double mass;           /* of a body hung on the end */
    int body;              /* it has mass or inertia */
    mat3 inertia; /* about the end of the rod, thesis axes (axial, 1, 2), products included */
    vec3 offset;  /* of its centre, thesis axes */
    double spring, spring_turn;
    int pulled;        /* an external load acts on it */
    vec3 spring_at;    /* where the springs are slack */
    mat3 spring_frame; /* withy axes */
} wy_cheb_end;

/* Along the rod at the nodes, thesis axes (axial, 1, 2); in the plane only [0], [1] of c1 and [0] of c2. */
typedef struct wy_cheb_along {
    double *c1[3], *c2[3];     /* stiffness [N], [N m^2] */
    double *h1[3], *h2[3];     /* Kelvin-Voigt viscosity */
    double *g0[3], *k0[3];     /* rest strains, g0 = A0^T p0' */
    double *dg0[3], *dk0[3];   /* their derivatives, for the expanded form */
    double *mass[3], *turn[3]; /* inertia per length, scaled, bodies at the ends not included */
    double *rho;               /* true mass per length, for gravity [kg/m] */
    int viscous, scaled;       /* any h; masses that differ by direction */
    double drag, drag_quadratic, drag_spin;
    int resisted; /* by drag or a floor */
    double slow;  /* largest L^2 sqrt(rho / EI) [s]: the scale of slow motions; a cantilever's first
                  * period is 1.8 of it */
} wy_cheb_along;

/* What acts along the rod: [0] its own loads and weight, [1] the loads that hold it before t = 0. */
typedef struct wy_cheb_loads {
    wy_load_points points[2];
    double *spread[2]; /* [count][ld] l_i(s) / w_i of the points that lie between nodes */
    double
        *equilibrium[2]; /* force and moment per length of what never changes, at load factor 1 */
    int varying[2];      /* some must be evaluated again at every time and state */
} wy_cheb_loads;

/* Kept besides the arrays: the first piece of the state. */
typedef struct wy_cheb_state {
    double t; /* now [s] */
    wy_second_state second;
    double factor;         /* of the loads; 1 in motion */
    double energy0, scale; /* energy at the start; largest of motion and deformation so far [J] */
    double off;            /* largest deviation from energy0 so far [J] */
    double look;           /* time of the next check of the series [s] */
    int64_t decay_noted;   /* 1: it did not decay, and a note was written */
    int64_t pull;          /* 1: the loads before t = 0 act */
    double gap[2][6];      /* distances of the ends to their prescribed poses when a path began */
} wy_cheb_state;

/* Matrix of the balance: cheb/jacobian.c. */
typedef struct wy_cheb_jac {
    double *stiff, *visc; /* with respect to the state and to its rate */
    double *part[5];      /* coefficients of the variation, see there */
    double *turn;         /* those of form G in space */
} wy_cheb_jac;

typedef struct wy_cheb {
    /* plan: never changes once the first step is known */
    const wy_setup *setup;
    const withy_problem *problem;
    const withy_rod *rod;
    wy_cheb_options opt;
    wy_collocation grid;
    int planar, fields, size; /* 3 or 7; fields * ld */
    wy_plane plane;
    wy_cheb_along along;
    wy_cheb_loads loads;
    wy_cheb_end end[2];
    double *initial[2]; /* u and v of the problem at t = 0, [size] */
    double drive_step;  /* for derivatives of driven ends [s] */
    double excess; /* 1: rotations as the thesis writes them (cheb/frame.h), when not normalised */
    double omega;  /* largest frequency at t = 0 [rad/s] */
    double limit, good; /* explicit steps: the longest that is accepted, that of dt = auto [s] */
    int balance;        /* WY_CHEB_STAYS .. */
    double least;       /* energy below which there is rounding only [J] */

    /* state */
    wy_cheb_state *state;
    double *u, *v, *a;   /* at t, [size] */
    double *p1, *f, *df; /* u', (f, m) and the balance that belong to it, [size] */

    /* scratch */
    double *v1;       /* v' when viscous */
    double *load;     /* force and moment per length at the nodes: 3 or 6 arrays */
    double *stage[7]; /* work, [size] each; the last two of the balance */
    double *row;      /* Lagrange polynomials at a station, [ld] */
    int staging;      /* inside a stage: rates of driven ends are not needed */
    int touching;     /* while stability is examined: every node touches the floor */
    wy_cheb_jac jac;
    struct wy_cheb_static *equilibrium; /* statics and modes: cheb/equations.c */
    wy_second second;                   /* the integrator */
} wy_cheb;

/* Fields of the balance: 3 forces and moments in the plane, 6 in space; positions come first. */
static inline int wy_cheb_rows(const wy_cheb *x) {
    return x->planar ? 3 : 6;
}
static inline int wy_cheb_places(const wy_cheb *x) {
    return x->planar ? 2 : 3;
}
/* How an end holds a field. */
static inline int wy_cheb_kind(const wy_cheb *x, const wy_cheb_end *end, int field) {
    return field < wy_cheb_places(x) ? end->place : end->turn;
}
/* Is a field of a node prescribed?  (The turn of a rolling end is not.) */
static inline int wy_cheb_is_held(const wy_cheb *x, int field, int node) {
    for (int e = 0; e < 2; e++) {
        const wy_cheb_end *end = &x->end[e];
        if (node != end->node) continue;
        return field < wy_cheb_places(x) ? end->place != WY_CHEB_LOOSE
                                         : end->turn != WY_CHEB_LOOSE && !end->rolls;
    }
    return 0;
}
/* Inertia of a body about the normal of the plane. */
static inline double wy_cheb_body_turn(const wy_cheb *x, const wy_cheb_end *end) {
    const vec3 n = v3(0, x->plane.normal_in[0], x->plane.normal_in[1]);
    return v3_dot(n, m3_mul(end->inertia, n));
}
/* Is the acceleration of entry k (3 places, 3 turns in thesis axes) of an end prescribed, in space? */
static inline int wy_cheb_is_known(const wy_cheb_end *end, int k) {
    if (k < 3) return end->place != WY_CHEB_LOOSE;
    return end->turn != WY_CHEB_LOOSE && !(end->rolls && k == 3);
}
/* The next `count` doubles of a block. */
static inline double *wy_cheb_take(wy_block *block, size_t count) {
    return wy_block_alloc(block, count, sizeof(double));
}

/* ---- cheb/ends.c: poses of the ends, and the loads on them ---------------------------------- */
/* From the initial shape u; ends that are held at once are put there. */
withy_status wy_cheb_ends_make(wy_cheb *x, double *u, withy_error *err);
/* Put the ends where they are held at t: positions and velocities. */
withy_status wy_cheb_bound(const wy_cheb *x, double t, double *u, double *v, withy_error *err);
/* Accelerations of held ends. */
withy_status wy_cheb_bound_accel(const wy_cheb *x, double t, const double *u, const double *v,
                                 double *a, withy_error *err);
/* Rotation vector from where the turning spring is at rest, laboratory [rad]; 0: there is none. */
vec3 wy_cheb_spring_turn(const wy_cheb_end *end, mat3 frame);
/* External force and moment on an end that is not held, laboratory. */
withy_status wy_cheb_end_load_held(const wy_cheb *x, const wy_cheb_end *end, double t,
                                   const withy_section_state *at, vec3 *force, vec3 *moment,
                                   withy_error *err);
/* Loose ends: the stress there is the external load (method A), before x->f is derived; or the
 * difference weighs on the balance x->df (B, G), after it.  v NULL: at rest. */
withy_status wy_cheb_replace_ends(wy_cheb *x, double t, const double *u, const double *v,
                                  withy_error *err);
withy_status wy_cheb_weigh_ends(wy_cheb *x, double t, const double *u, const double *v,
                                withy_error *err);
/* Floor and drag into x->df; v NULL: at rest. */
void wy_cheb_resist(wy_cheb *x, const double *u, const double *v);
void wy_cheb_floor_normal(const wy_cheb *x, double normal[3]); /* in the fields of a position */
/* Pose of a node whose fields are at[0], at[ld], ... */
wy_pose wy_cheb_pose_of(const wy_cheb *x, const double *at, int ld);
/* Pose of node i of a state. */
static inline wy_pose wy_cheb_pose(const wy_cheb *x, const double *u, int i) {
    return wy_cheb_pose_of(x, u + i, x->grid.ld);
}

/* ---- cheb/load.c ------------------------------------------------------------------------------ */
withy_status wy_cheb_loads_make(wy_cheb *x, withy_error *err);
/* Force and moment per length at the nodes at (t, u, v), laid out as x->load.  v NULL: at rest. */
withy_status wy_cheb_loads_at(wy_cheb *x, double t, const double *u, const double *v,
                              const double **load, withy_error *err);
/* Turn of follower loads with the section: follower part of force, moment at node i (laboratory). */
withy_status wy_cheb_follow(const wy_cheb *x, int i, double t, mat3 frame, vec3 *force,
                            vec3 *moment, withy_error *err);
static inline int wy_cheb_loads_vary(const wy_cheb *x) {
    return x->loads.varying[0] || (x->state->pull && x->loads.varying[1]);
}

/* Inertia of an end node with its body, [6][6] in thesis axes: (A^T pdd, Wdot).  In cheb/spatial.c. */
void wy_cheb_body_matrix(const wy_cheb *x, const wy_cheb_end *end, double k[36]);

/* ---- cheb/state_load.c: loads that depend on the state ------------------------------------------------------ */
/* A section whose fields and rates are u[0], u[ld], ... and v[0], ...  v NULL: at rest. */
withy_section_state wy_cheb_state_of(const wy_cheb *x, const double *u, const double *v, int ld);
/* Point k of a list: weight times force and moment, laboratory. */
withy_status wy_cheb_state_load_point(const wy_cheb *x, int list, int k, double t, double factor,
                                      const double *u, const double *v, vec3 *force, vec3 *moment,
                                      withy_error *err);
/* All of them into x->jac, once it is assembled. */
withy_status wy_cheb_state_load_vary(const wy_cheb *x, double t, const double *u, const double *v,
                                     withy_error *err);
/* d(rows of the load on an end) with the fields of its node, and with their rates. */
withy_status wy_cheb_state_load_end(const wy_cheb *x, const wy_cheb_end *end, double t,
                                    const double *u, const double *v, double part[2][6][7],
                                    withy_error *err);

/* ---- cheb/planar.c, cheb/spatial.c ------------------------------------------------------------- */
/* Fill x->p1, x->f (with the end values of method A) and x->df = load side of the balance at every
 * node: force and moment per length.  v NULL: at rest. */
withy_status wy_cheb_planar_balance(wy_cheb *x, double t, const double *u, const double *v,
                                    withy_error *err);
withy_status wy_cheb_spatial_balance(wy_cheb *x, double t, const double *u, const double *v,
                                     withy_error *err);
withy_status wy_cheb_planar_accel(wy_cheb *x, double t, const double *u, const double *v, double *a,
                                  withy_error *err);
withy_status wy_cheb_spatial_accel(wy_cheb *x, double t, const double *u, const double *v,
                                   double *a, withy_error *err);

/* ---- cheb/jacobian.c ----------------------------------------------------------------------------- */
/* The matrix of the balance with respect to the state, x->stiff, and to its rate, x->visc (only when
 * v is given): row-major [rows][cols], row = field * (n+1) + node with 3 or 6 fields of balance, col
 * likewise with the 3 or 7 fields of the state.  Viscous terms that are small are left out. */
void wy_cheb_jacobian_layout(wy_cheb *x, int with_rate, wy_block *block);
withy_status wy_cheb_jacobian(wy_cheb *x, double t, const double *u, const double *v,
                              withy_error *err);

/* The end term of the balance a at node i: -out/w0 where it is loose (B, G). */
double wy_cheb_corner(const wy_cheb *x, int a, int i);

extern const wy_method wy_method_cheb; /* cheb/cheb.c */

/* ---- cheb/equations.c ---------------------------------------------------------------------------------- */
extern const wy_equations wy_cheb_statics;
/* At rest, with the memory of Newton's method. */
withy_status wy_cheb_open(void *self, withy_error *err);

/* ---- cheb/ledger.c -------------------------------------------------------------------------------- */
void wy_cheb_ledger_make(wy_cheb *x);
void wy_cheb_ledger_start(wy_cheb *x);
static const double WY_CHEB_BOUND = 0.1; /* of the energy drift of a run: cheb/ledger.c */
/* Keep the present energy and refuse one that cannot be; `step`: now and then. */
withy_status wy_cheb_ledger_keep(wy_cheb *x, double t, withy_error *err);
withy_status wy_cheb_ledger_step(wy_cheb *x, double t, withy_error *err);
/* Statistics at the end of a call. */
withy_status wy_cheb_ledger_report(const wy_cheb *x, withy_error *err);

/* ---- cheb/cheb.c ---------------------------------------------------------------------------------- */
/* Motion starts from (u, v) at t = 0: ends, accelerations and ledger. */
withy_status wy_cheb_start_motion(wy_cheb *x, withy_error *err);
/* Note once that the series does not decay. */
void wy_cheb_note_decay(wy_cheb *x);

/* Accelerations of the whole state. */
static inline withy_status wy_cheb_accel(wy_cheb *x, double t, const double *u, const double *v,
                                         double *a, withy_error *err) {
    return (x->planar ? wy_cheb_planar_accel : wy_cheb_spatial_accel)(x, t, u, v, a, err);
}

/* ---- cheb/step.c, cheb/rates.c ------------------------------------------------------------------ */
/* x->second.problem, when the ends are known. */
withy_status wy_cheb_motion_make(wy_cheb *x, withy_error *err);
/* x->omega and, of an explicit integrator, x->limit and x->good. */
withy_status wy_cheb_stability(wy_cheb *x, withy_error *err);
/* x->limit becomes dt if that is stable, else the longest stable step below it, if dt is not far beyond. */
withy_status wy_cheb_try_step(wy_cheb *x, double dt, withy_error *err);
withy_status wy_cheb_step(wy_cheb *x, double t, double h, withy_error *err);
withy_status wy_cheb_adaptive_make(wy_cheb *x, withy_error *err);
withy_status wy_cheb_adaptive_advance(wy_cheb *x, double t, withy_error *err);
/* da/du and da/dv at a state whose accelerations have just been made; row-major. */
withy_status wy_cheb_rates(void *self, double t, const double *u, const double *v, double *rate_u,
                           double *rate_v, withy_error *err);

/* ---- cheb/sample.c ------------------------------------------------------------------------------ */
typedef struct wy_cheb_energy {
    withy_energies kind;
    double ends;   /* springs, floor and bodies at the ends */
    double bodies; /* their motion, and what springs and floor hold: without the weight */
    double total;
} wy_cheb_energy;
wy_cheb_energy wy_cheb_energies(const wy_cheb *x);
void wy_cheb_sample(const void *state, int rod, withy_snapshot *snap);
/* Share of the series in its last tenth: 0 converged, 1 not at all. */
double wy_cheb_decay(const wy_cheb *x);
