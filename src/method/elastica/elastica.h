/* elastica.h - what the files of the elastica method share: plan, state, scratch, the equations of a
 * step.
 *
 * elastica/elastica.c states the mathematics and the names: x, u = x', k = x'', z, alpha, p, q, r.
 * Everything per node is divided by eta, as in [EL] (83), so a force [N] is eta times an entry.
 */
#pragma once

#include "base/vec.h"
#include "method/spline_step.h"
#include "model/model.h"
#include "numeric/interpolate/spline.h"
#include "numeric/linear/linear.h"

enum { WY_ELASTICA_FIXED_NODES = 20 }; /* 18 + 2, see elastica/solve.c */
enum { WY_ELASTICA_START_ONE_STEP, WY_ELASTICA_START_PAPER };
enum { WY_ELASTICA_CURE_AUTO, WY_ELASTICA_CURE_NONE, WY_ELASTICA_CURE_A, WY_ELASTICA_CURE_B };

typedef struct wy_elastica_options {
    int n;
    double dt;
    int start, project, cure;
    double newton_tol; /* of max |dx| / L */
    int newton_max, halvings;
} wy_elastica_options;

/* The rod at one time: a spline through the nodes. */
typedef struct wy_elastica_level {
    vec3 *x; /* [N+1] positions                                                */
    vec3 *u; /* [N+1] x',  (74)                                                */
    vec3 *k; /* [N+1] x'', (73)                                                */
    vec3 *z; /* [2] z_0 = x'(0), z_N = -x'(L) where clamped, else 0, (69)-(72) */
} wy_elastica_level;

/* One set of nonlinear equations for (x+, alpha): a step, a first step, or the projection.
 *
 *     mass_j (fa x+ + a0)_j + (D2^T W q + D1^T (W r))_j - load_j = 0
 *     q = kq k+ + q0,   W r = (W alpha) (ua u+ + u0) + W (fs u+ + s0)
 *     kq = ke eps + kn nu and fs = ff sigma of the node, which may vary along the rod
 */
typedef struct wy_elastica_equations {
    double fa, ke, kn, ua, ff;
    double kq;          /* the largest of the nodes */
    const double *mass; /* [N+1] */
    vec3 *a0, *q0, *u0, *s0;
    const vec3 *load; /* [N+1] weight and applied forces / eta */
    double tau;       /* cure A: keeps the matrix regular, never enters the residual */
    double scale;     /* bending plus inertia, makes the entries of the matrix O(1)  */
} wy_elastica_equations;

/* Kept between steps, besides the levels and two arrays: plain numbers without a hole. */
typedef struct wy_elastica_state {
    wy_halving halving;
    mat3 frame0; /* frame at s = 0, carried in time */
    wy_spline_step_balance balance;
} wy_elastica_state;

/* Valid within one call only. */
typedef struct wy_elastica_work {
    vec3 *load;        /* [N+1] all loads and weight / eta, this step     */
    vec3 end_force[2]; /* applied at the very ends, this step        [N]  */
    wy_elastica_equations eq;
    double *alpha;     /* [N+1] multipliers: alpha_j, or beta_j under cure B */
    double *alpha_w;   /* [N+1] W_j alpha_j, whatever the cure             */
    vec3 *q, *rw, *p;  /* [N+1] bending force, W r, adjoint of the spline  */
    vec3 *pull;        /* [N] n at the middle of each interval             */
    vec3 *residual;    /* [N+1] left side of (99); reaction / eta at held nodes */
    double *violation; /* [N+1] (|u|^2 - 1)/2                              */
    wy_banded matrix;  /* Newton matrix, then its factors                  */
    double *fixed; /* rows of WY_ELASTICA_FIXED_NODES nodes, what only a new step length changes */
    double fixed_fa, fixed_kq;            /* for which they are made; NAN: not yet in this call   */
    double *rhs;                          /* [10(N+1)]                                        */
    vec3 *dx, *ex, *x_base;               /* [N+1] */
    double *dalpha, *ealpha, *alpha_base; /* [N+1] */
    vec3 *nudge_x, *nudge_u; /* [N+1] mean velocity of a step, see base/step_halving.c   */
    wy_pose *pose;           /* [N+1] of sample                                  */
} wy_elastica_work;

typedef struct wy_elastica {
    /* plan: never changes after create */
    const wy_setup *setup;
    const withy_rod *rod;
    wy_elastica_options opt;
    int n;              /* N intervals                                     */
    double length, eta; /* L, L/N                                     [m]  */
    double rho;         /* mass per length, the least                [kg/m]  */
    double eps, nu;     /* bending stiffness [N m^2], its damping [N m^2 s]: the largest */
    double *eps_at, *nu_at, *sigma_at; /* [N+1] at the nodes; sigma: rotary inertia [kg m] */
    int varies;                        /* 1: rho, eps, nu or sigma differ from node to node */
    vec3 g;
    wy_end end[2];
    int held[2];
    int pairs;               /* 1: cure B, one multiplier per interval          */
    double *s;               /* [N+1] arc length of the nodes              [m]  */
    wy_load_points loads;    /* where they act                                  */
    double *mass;            /* [N+1] rho W_j + lumped mass / eta               */
    double *unit_mass;       /* [N+1] W_j: the metric of the projection         */
    vec3 *dead;              /* [N+1] constant loads / eta                      */
    vec3 dead_end[2];        /* those at the very ends                     [N]  */
    wy_elastica_level first; /* G and its derivatives: initial velocity         */
    wy_spline spline;        /* through the nodes of a level */
    wy_changes changes;      /* live: inputs act, of which the next step is not known yet */

    /* views of the state */
    wy_elastica_state *state;
    wy_elastica_level level[4];
    wy_elastica_level *next, *now, *last, *before; /* of level: n+1 (being solved), n, n-1, n-2 */
    double *alpha_last;                            /* [N+1] of the last good step                 */
    vec3 *cell_n;                                  /* [N] n at the middle of each interval   [N]  */

    wy_elastica_work work;
} wy_elastica;

/* W of the trapezoidal rule. */
static inline double wy_elastica_weight(const wy_elastica *e, int j) {
    return wy_spline_step_weight(j, e->n);
}
/* Is node j an end that is held? */
static inline int wy_elastica_node_held(const wy_elastica *e, int j) {
    return (j == 0 && e->held[0]) || (j == e->n && e->held[1]);
}
/* kq and fs of work.eq at a node. */
static inline double wy_elastica_kq(const wy_elastica *e, int j) {
    return e->work.eq.ke * e->eps_at[j] + e->work.eq.kn * e->nu_at[j];
}
static inline double wy_elastica_fs(const wy_elastica *e, int j) {
    return e->work.eq.ff * e->sigma_at[j];
}
/* Nodes whose fixed rows are kept: of a uniform rod some stand for all (elastica/solve.c). */
static inline int wy_elastica_fixed_nodes(const wy_elastica *e) {
    return e->varies && e->n + 1 > WY_ELASTICA_FIXED_NODES ? e->n + 1 : WY_ELASTICA_FIXED_NODES;
}
/* u and k of a level from x and z. */
static inline void wy_elastica_derive(const wy_elastica *e, wy_elastica_level *v) {
    wy_spline_derive(&e->spline, v->x, v->z, v->u, v->k);
}

/* ---- elastica/solve.c ------------------------------------------------------------------------ */

typedef struct wy_elastica_newton {
    int iterations; /* factorisations */
    double norm;    /* last max |dx|  */
} wy_elastica_newton;

/* Solve work.eq from the guess in (next->x, alpha).  False: no convergence. */
bool wy_elastica_solve(wy_elastica *e, wy_elastica_newton *newton);

/* ---- elastica/step.c ------------------------------------------------------------------------- */

withy_status wy_elastica_dead_loads(wy_elastica *e, withy_error *err);
/* Prescribed positions and z at t; fails when their distance exceeds the length of the rod. */
withy_status wy_elastica_ends(const wy_elastica *e, double t, vec3 at[2], vec3 z[2],
                              withy_error *err);
/* Are held ends as far apart as the rod is long? */
int wy_elastica_is_taut(double chord, double length);
/* Move `now` onto the constraints; *moved: how far [m]. */
withy_status wy_elastica_project(wy_elastica *e, double *moved, withy_error *err);
/* The steps of this rod, for base/step_halving.h. */
wy_halving_stepper wy_elastica_stepper(wy_elastica *e);

/* ---- elastica/sample.c ----------------------------------------------------------------------- */

/* H_n of (101) of two levels; *scale: the part of it that has a size of its own, motion and bending. */
double wy_elastica_energy(const wy_elastica *e, const wy_elastica_level *now,
                          const wy_elastica_level *last, double h, double *scale);
double wy_elastica_initial_energy(const wy_elastica *e); /* E(G) + V(F) */
double wy_elastica_violation(const wy_elastica *e, const wy_elastica_level *v);
void wy_elastica_sample(const void *state, int rod, withy_snapshot *snap);
