/* kirchhoff.h - what the files of the kirchhoff method share: plan, state, scratch, the equations of a
 * step.
 *
 * kirchhoff/kirchhoff.c states the mathematics; names follow it: x, R = (s1, s2, t), m = x'', kappa,
 * e, tau, lambda.  A frame is a mat3 whose columns are s1, s2, t, that is d1, d2, d3 before the
 * material angle of the rest twist is put on (kirchhoff/start.c, kirchhoff/sample.c).
 */
#pragma once

#include "base/vec.h"
#include "method/spline_step.h"
#include "model/model.h"
#include "numeric/linear/linear.h"

/* The values of the options, in their order. */
enum { WY_KIRCHHOFF_ENDS_AUTO, WY_KIRCHHOFF_WEAK, WY_KIRCHHOFF_STRONG };
enum { WY_KIRCHHOFF_ENERGY_AUTO, WY_KIRCHHOFF_STRAIN, WY_KIRCHHOFF_QUADRATIC, WY_KIRCHHOFF_BARE };
enum { WY_KIRCHHOFF_DISCRETE, WY_KIRCHHOFF_POINTWISE };
enum { WY_KIRCHHOFF_OBJECTIVE, WY_KIRCHHOFF_DISSERTATION };
enum { WY_KIRCHHOFF_ONE_STEP, WY_KIRCHHOFF_PAPER };

typedef struct wy_kirchhoff_options {
    int n;
    double dt;
    int ends, energy, kappa, damping, start;
    double newton_tol; /* of max |dx| / L and of the turn of a frame [rad] */
    int newton_max, halvings;
    int ahead; /* no option: 1: no input acts, so that the next step is known */
} wy_kirchhoff_options;

/* Second derivatives and strains of the interval (b, c) = (j-1, j). */
typedef struct wy_kirchhoff_cell {
    vec3 m[2];      /* m_b, m_c                                          [1/m] */
    double e[2][3]; /* (s1, s2, t)^T m - kappa at b and at c             [1/m] */
    vec3 u[2];      /* m - s kappa at b and at c                         [1/m] */
    double tau;     /* twist                                             [1/m] */
} wy_kirchhoff_cell;

/* The rod at one time. */
typedef struct wy_kirchhoff_level {
    vec3 *x;                 /* [N+1] positions */
    mat3 *frame;             /* [N+1] s1, s2, t */
    wy_kirchhoff_cell *cell; /* [N]             */
} wy_kirchhoff_level;

/* The quantities of a node, in the order of the raw unknowns q = (x, t, s1, s2). */
enum {
    WY_KIRCHHOFF_RAW_X,
    WY_KIRCHHOFF_RAW_T,
    WY_KIRCHHOFF_RAW_S1,
    WY_KIRCHHOFF_RAW_S2,
    WY_KIRCHHOFF_RAWS
};

/* One set of nonlinear equations for (x+, R+, lambda): a step, the first step, the projection of a
 * shape onto the constraints, or an equilibrium.
 *
 *     mass (x+ - ahead.x) inertia + F = load,   bar q = average q+ + (1 - average) q-,
 *     dot q = rate (q+ - q-)
 *
 * A step of h_+ after one of h_-: inertia 2/(h_+ (h_+ + h_-)), rate 1/(h_+ + h_-),
 * ahead = x + h_+/h_- (x - x-).
 */
typedef struct wy_kirchhoff_equations {
    double inertia;     /* 1/h^2; 2/h^2 in the first step                              [1/s^2] */
    double average;     /* 1/2; 1 in the paper's first step and in equilibrium                 */
    double rate;        /* 1/2h; 1/h in a one-step start; 0 in equilibrium             [1/s]   */
    double elastic;     /* 1; 0 in a projection: multipliers only                              */
    const double *mass; /* [N+1] M_j                               [kg]   */
    const double (*turn)[2];               /* [N+1] inertia on s1, s2 and on t      [kg m^2] */
    vec3 *ahead_x;                         /* [N+1] position by inertia alone */
    mat3 *ahead_frame;                     /* [N+1] the same for s1, s2, t                   */
    const wy_kirchhoff_level *next, *last; /* +, -                                           */
    const mat3 *gauge;                     /* [N+1] frames that a gauged node may not spin from */
    int gauge_all;                         /* 1: every node (projection); 0: as spring->gauge */
    int spin_felt; /* 1: damping depends on a common spin; the gauged node then has only the drag below */
    double drag; /* of the gauged node, zero unless the rod is almost straight [N m per rad] */
} wy_kirchhoff_equations;

typedef struct wy_kirchhoff_end {
    wy_end end;
    int held;       /* position prescribed                                       */
    int turn;       /* WY_KIRCHHOFF_TURN_: what is prescribed of the frame                 */
    int strong;     /* x'' = s kappa imposed, (5.69)                             */
    int as_found;   /* direction not given: held as in the initial state */
    vec3 force;     /* applied at the very end, this step                    [N] */
    wy_pose target; /* at the level being solved, in the natural frame         */
} wy_kirchhoff_end;

enum { WY_KIRCHHOFF_TURN_FREE, WY_KIRCHHOFF_TURN_TANGENT, WY_KIRCHHOFF_TURN_FRAME };

/* The designer's table, kirchhoff/table.c. */
enum { WY_KIRCHHOFF_FIGURES = 16 };

/* The line along which the designer's table measures. */
typedef struct wy_kirchhoff_axis {
    int64_t known; /* 1, or -1 when there is none; 0: not yet computed */
    vec3 point, along;
    double rest; /* axial length at rest [m] */
} wy_kirchhoff_axis;

/* Kept between steps, besides levels and arrays: plain numbers without a hole. */
typedef struct wy_kirchhoff_state {
    wy_halving halving;
    wy_spline_step_balance balance;
    int64_t pulled;           /* 1: the loads that hold it until t = 0 are on          */
    vec3 gap[2], turn_gap[2]; /* of the ends at the last hold                 [m, rad] */
    wy_kirchhoff_axis axis;
    double figure[WY_KIRCHHOFF_FIGURES]; /* of an equilibrium; NAN: left out */
} wy_kirchhoff_state;

/* Valid within one call only. */
typedef struct wy_kirchhoff_work {
    wy_kirchhoff_equations eq;
    vec3 *lambda_good; /* [N+1] before a step, or a solve, was tried [N m]    */
    vec3 *nudge_x;     /* [N+1] mean velocity of a step, see base/step_halving.c      */
    mat3 *nudge_frame; /* [N+1]                                               */
    vec3 (*force)[WY_KIRCHHOFF_RAWS]; /* [N+1] F of the raw unknowns: N, N m                 */
    vec3 *pull;                       /* [N] n in each interval                       [N]    */
    wy_banded matrix;
    double *rhs;                      /* [9(N+1)]                                            */
    vec3 *balance;                    /* [2][N+1] rows (i) and (ii) before ends replace them */
    double residual;                  /* largest entry of rhs, scaled: of size 1 when sigma is */
    double turned;                    /* largest turn of a node over 2h             [rad]    */
    double *spare;                    /* [9(N+1)]                                            */
    wy_pose *pose;                    /* [N+1]                                               */
    double *spin_angle, *spin_row[3]; /* [N+1] of the twist equilibrium                      */
} wy_kirchhoff_work;

typedef struct wy_kirchhoff {
    /* plan: constant; kappa, gauge and ends whose direction is found are completed by start */
    const wy_setup *setup;
    const withy_rod *rod;
    wy_kirchhoff_options opt;
    int n;              /* N intervals                                           */
    double length, eta; /* L, L/N                                           [m]  */
    vec3 gravity;       /* g                                            [m/s^2]   */
    int massless;       /* statics only: the masses are artificial, without weight */
    double stiff;       /* a bending stiffness, for scaling            [N m^2]   */
    double *s;          /* [N+1] arc length of the nodes                         */
    double *sigma;      /* [N+1] sigma_1, bending stiffness            [N m^2]   */
    double *nu;         /* [N+1] nu_1                                [N m^2 s]   */
    double *ct;         /* [N] 2 sigma_2 = GJ                          [N m^2]   */
    double *nu_twist;   /* [N] nu_2                                  [N m^2 s]   */
    double *mass;       /* [N+1] M_j                                      [kg]   */
    double *unit_mass;  /* [N+1] w_j, the metric of a projection                 */
    double (*turn)[2];  /* [N+1] eta w (I_s, I_t)                     [kg m^2]   */
    double (*no_turn)[2];
    double (*kappa)[3];      /* [N+1] natural (s1, s2, t)^T x_0''             [1/m]   */
    double *angle;           /* [N+1] rest twist integrated: d1 = cos s1 + sin s2     */
    wy_load_points loads[2]; /* of the rod, and those that hold it until t = 0        */
    int constant_loads;      /* no load depends on time                               */
    wy_kirchhoff_end end[2];
    int gauge; /* node whose spin is fixed because no energy depends on it; -1 */
    int damped;

    /* views of the state */
    wy_kirchhoff_state *state;
    wy_kirchhoff_level level[4];
    wy_kirchhoff_level *next, *now, *last, *before; /* of level: n+1 (being solved), n, n-1, n-2 */
    vec3 *v0;                                       /* [N+1] initial velocity            [m/s]   */
    vec3 *spin0;                                    /* [N+1] initial spin              [rad/s]   */
    vec3 *lambda;                                   /* [N+1] spline multipliers          [N m]   */
    vec3 *dead;            /* [N+1] weight: its potential is part of V, other loads do work [N] */
    vec3 *load;            /* [N+1] all forces of this step                         [N]  */
    vec3 *couple;          /* [N+1] all moments of this step                      [N m]  */
    vec3 *sample_pull;     /* [N] n of the last balance                             [N]  */
    vec3 (*multiplier)[2]; /* [N+1] (beta1, beta2, alpha), (a11, a12, a22) of it [N]  */

    wy_kirchhoff_work work;
} wy_kirchhoff;

static inline double wy_kirchhoff_weight(const wy_kirchhoff *p, int j) {
    return wy_spline_step_weight(j, p->n);
}
/* The end at node j, or NULL. */
static inline const wy_kirchhoff_end *wy_kirchhoff_end_at(const wy_kirchhoff *p, int j) {
    return j == 0 ? &p->end[0] : j == p->n ? &p->end[1] : NULL;
}
static inline vec3 wy_kirchhoff_raw(const wy_kirchhoff_level *v, int j, int raw) {
    const mat3 *f = &v->frame[j];
    return raw == WY_KIRCHHOFF_RAW_X    ? v->x[j]
           : raw == WY_KIRCHHOFF_RAW_T  ? f->c3
           : raw == WY_KIRCHHOFF_RAW_S1 ? f->c1
                                        : f->c2;
}

/* s1, s2 turned by phi about t. */
static inline mat3 wy_kirchhoff_spun(mat3 f, double phi) {
    const double c = cos(phi), d = sin(phi);
    return (mat3){v3_add(v3_scale(c, f.c1), v3_scale(d, f.c2)),
                  v3_sub(v3_scale(c, f.c2), v3_scale(d, f.c1)), f.c3};
}

/* ---- kirchhoff/force.c: elements, residual --------------------------------------------------- */

/* Fill v->cell from x and frame. */
void wy_kirchhoff_strains(const wy_kirchhoff *p, const wy_kirchhoff_level *v);
/* Residual of work.eq at (next, lambda) into work.rhs (minus sign: ready to solve) and balance. */
void wy_kirchhoff_residual(wy_kirchhoff *p);
/* Stresses conjugate to e (or u) and tau in cell j, and the raw gradient of m. */
typedef struct wy_kirchhoff_stress {
    double s[2][3]; /* eta/2 (sigma bar e + nu dot e) at b, c                             */
    vec3 p[2];      /* eta/2 (sigma bar u + nu dot u) at b, c                             */
    double twist;   /* T                                                                  */
    double ke[2][3], ku[2], kt; /* their derivatives with respect to e+, u+, tau+          */
} wy_kirchhoff_stress;
wy_kirchhoff_stress wy_kirchhoff_stress_of(const wy_kirchhoff *p, int cell);
/* bar q of a raw unknown, and (bar s1, bar s2, bar t). */
vec3 wy_kirchhoff_bar(const wy_kirchhoff *p, int j, int raw);
mat3 wy_kirchhoff_bar_frame(const wy_kirchhoff *p, int j);

/* ---- kirchhoff/matrix.c: the Newton matrix --------------------------------------------------- */

/* The rows of node j, complete once those of j - 1 have been written. */
void wy_kirchhoff_rows(wy_kirchhoff *p, int j);
/* Matrix of work.eq at the state of the last residual, and its factors.  False: singular. */
bool wy_kirchhoff_factor(wy_kirchhoff *p);
/* out += C v: viscous forces of the rates v = (dx, w, -) per node, at the state of work.eq. */
void wy_kirchhoff_viscous(const wy_kirchhoff *p, const double *v, double *out);

/* ---- kirchhoff/solve.c ----------------------------------------------------------------------- */

typedef struct wy_kirchhoff_newton {
    int iterations;
    double norm; /* last correction */
} wy_kirchhoff_newton;

/* Solve work.eq from the guess in (next, lambda).  False: no convergence. */
bool wy_kirchhoff_solve(wy_kirchhoff *p, wy_kirchhoff_newton *newton);
/* A level moved by (dx [m], w [rad], dlambda [N m]) times by[0], by[1], by[2] at every node; lambda too. */
void wy_kirchhoff_move(wy_kirchhoff *p, wy_kirchhoff_level *v, const double *change,
                       const double by[3]);
/* Put the prescribed end values into a level. */
void wy_kirchhoff_impose(const wy_kirchhoff *p, wy_kirchhoff_level *v);
/* Largest turn of a node from a to b [rad]. */
double wy_kirchhoff_turn_between(const wy_kirchhoff *p, const wy_kirchhoff_level *a,
                                 const wy_kirchhoff_level *b);
/* Largest twist of an interval [rad] and where. */
double wy_kirchhoff_twist_most(const wy_kirchhoff *p, const wy_kirchhoff_level *v, int *cell);
mat3 wy_kirchhoff_orthonormal(mat3 f);

/* ---- kirchhoff/start.c ----------------------------------------------------------------------- */

/* kappa and angle from the rest shape; now = initial shape on the constraints, in twist
 * equilibrium. */
withy_status wy_kirchhoff_begin(wy_kirchhoff *p, withy_error *err);
/* Prescribed ends at t into end[].target. */
withy_status wy_kirchhoff_targets(wy_kirchhoff *p, double t, withy_error *err);
/* Refuse ends that are held as far apart as the rod is long. */
withy_status wy_kirchhoff_chord(double chord, double length, double t, withy_error *err);

/* ---- kirchhoff/sample.c ---------------------------------------------------------------------- */

double wy_kirchhoff_potential(const wy_kirchhoff *p, const wy_kirchhoff_level *v);
/* H of a pair of levels h apart; scale: the parts of it without sign. */
double wy_kirchhoff_energy(const wy_kirchhoff *p, const wy_kirchhoff_level *b,
                           const wy_kirchhoff_level *a, double h, double *scale);
double wy_kirchhoff_violation(const wy_kirchhoff *p, const wy_kirchhoff_level *v);
void wy_kirchhoff_sample(const void *self, int rod, withy_snapshot *snap);
vec3 wy_kirchhoff_position(const wy_kirchhoff *p, double s); /* of now */

/* ---- kirchhoff/step.c ------------------------------------------------------------------------ */

/* Forces and couples at time t into load, couple. */
withy_status wy_kirchhoff_loads(wy_kirchhoff *p, double t, double factor, withy_error *err);
/* Add the loads that hold the rod until it is let go at t = 0. */
withy_status wy_kirchhoff_pulls(wy_kirchhoff *p, double factor, withy_error *err);
/* What equilibria and steps have in common in work.eq. */
void wy_kirchhoff_set_equations(wy_kirchhoff *p, const wy_kirchhoff_level *next);
/* The steps of this rod, for base/step_halving.h. */
wy_halving_stepper wy_kirchhoff_stepper(wy_kirchhoff *p);
void wy_kirchhoff_keep_forces(wy_kirchhoff *p);

/* ---- kirchhoff/equations.c ------------------------------------------------------------------------ */

extern const wy_equations wy_kirchhoff_statics;
/* work.eq for an equilibrium at `now`, with mu times the inertia against motion. */
void wy_kirchhoff_static_equations(wy_kirchhoff *p, double mu);

/* ---- kirchhoff/table.c ----------------------------------------------------------------------- */

/* Fill state->figure for the equilibrium in `now`. */
void wy_kirchhoff_table(wy_kirchhoff *p);
void wy_kirchhoff_no_table(wy_kirchhoff *p);
int wy_kirchhoff_figure(const void *self, int index, withy_figure *out);

/* ---- kirchhoff/kirchhoff.c ---------------------------------------------------------------------- */

/* Memory of the plan for n intervals; eta and s set. */
withy_status wy_kirchhoff_take(wy_kirchhoff *p, wy_arena *arena, int n, double length,
                               withy_error *err);
extern const wy_method wy_method_kirchhoff;
/* Loads at t = 0 and the weight among them; initial velocities. */
withy_status wy_kirchhoff_first_loads(wy_kirchhoff *p, withy_error *err);
withy_status wy_kirchhoff_first_velocity(wy_kirchhoff *p, withy_error *err);
