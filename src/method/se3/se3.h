/* se3.h - plan, state and scratch of method se3, shared by its files.  Equations: se3/se3.c.
 *
 *   se3/se3.c      the method's table: options, accept, create, advance
 *   se3/make.c     the plan from a problem, and the layout of state and scratch
 *   se3/start.c    the state at t = 0
 *   se3/step.c     one time step: rule, history, poses
 *   se3/newton.c   its unknowns
 *   se3/energy.c   energies and the ledger of work and loss
 *   se3/cell.c     stress and the box scheme of one cell
 *   se3/load.c     what acts on the rod: wrenches, drag, tendons, bodies and motion of the ends
 *   se3/state_load.c     loads that depend on the state
 *   se3/rk4.c      scheme "rk4": the same problem, fourth order in s
 *   se3/notes.c    scheme "notes": exactly the algorithm of [SE]
 *   se3/sample.c   snapshots
 *   se3/equations.c     statics and modes: the same equations without mass
 *   se3/matrix.c   their matrix
 */
#pragma once

#include "base/se3.h"
#include "method/method.h"
#include "model/load/tendon.h"
#include "numeric/interpolate/interpolate.h"
#include "numeric/linear/linear.h"

enum { WY_SE3_EXTRA = 6 }; /* most unknown tensions */

enum { WY_SE3_BOX, WY_SE3_RK4, WY_SE3_NOTES };
enum { WY_SE3_MIDPOINT, WY_SE3_BDF2, WY_SE3_BDF_ALPHA };
enum { WY_SE3_TIP_MIDPOINT, WY_SE3_TIP_NEW };
enum { WY_SE3_START_MIDPOINT, WY_SE3_START_REST };

typedef struct wy_se3_options {
    int n;
    double dt;
    int scheme, time;
    double alpha;
    int tip, start;
    double newton_tol;
    int newton_max, halvings;
} wy_se3_options;

/* X_t = c0 X + c1 X_i + c2 X_{i-1} + d1 X_t,i, for X at the time t_i + at dt. */
typedef struct wy_se3_rule {
    double dt;             /* [s] */
    double c0, c1, c2, d1; /* [1/s], d1 [-] */
    double at;             /* 1/2 midpoint, 1 new time */
    double turn, lag;      /* R = R_i exp(turn w + lag w_i) [s] */
    int moves;             /* 0: statics, no inertia, damping or drag */
    double shift;          /* of the static stiffness: less this times the mass [1/s^2] */
} wy_se3_rule;

/* The rod at one point of arc length; all arrays (angular, linear). */
typedef struct wy_se3_point {
    double s;
    double k[6], d[6], m[6]; /* stiffness, viscosity, inertia */
    double rest[6];          /* xi* */
    double scale[6];         /* h/k, of the rows of a cell */
} wy_se3_point;

/* Loads per length at a point, at the time of evaluation. */
typedef struct wy_se3_force {
    double dead[6]; /* laboratory components, gravity included */
    double body[6]; /* material components */
} wy_se3_force;

/* At the time of evaluation: a dead load a is R^T a with R = of, d(R^T a)/dw = (turned^T a)^ jacobian. */
typedef struct wy_se3_frame {
    mat3 of, turned, jacobian;
} wy_se3_frame;

/* What is attached to an end. */
typedef struct wy_se3_end {
    wy_end end;
    bool held[6];      /* is this component of eta prescribed? */
    double body[6][6]; /* M_t, inertia of the lumped body */
    bool has_body;     /* any entry of it */
    double mass;       /* [kg] */
    vec3 offset;       /* [m] */
} wy_se3_end;

/* The wrench on an end at the time of evaluation. */
typedef struct wy_se3_wrench {
    double dead[6];     /* laboratory (m, n), gravity of the body apart */
    double follow[6];   /* material */
    double sum[6];      /* W, total */
    double weight[6];   /* the part of it that is the weight of the body */
    double slope[6][6]; /* dW/deta */
} wy_se3_wrench;

/* A load that depends on the state, at a node, at the middle of a cell or at an end. */
typedef struct wy_se3_state_point {
    wy_state_point state_point;
    int pull; /* 1: of those that hold the rod before t = 0 */
} wy_se3_state_point;

/* Sums since t = 0, each by the formula for which the energy balance is exact [J]. */
typedef struct wy_se3_ledger {
    double gravity, work, lost;
} wy_se3_ledger;

/* What never changes after start. */
typedef struct wy_se3_plan {
    const withy_problem *problem;
    const withy_rod *rod;
    wy_se3_options opt;
    int n, points; /* cells; 2n + 1 points: node j is point 2j, the middle of cell j 2j + 1 */
    double h;
    double length, speed; /* scales of the Newton norm: L, slowest wave [m/s] */
    bool uniform, turns;  /* loads that need R */
    bool has_force;       /* loads along the rod, drag */
    bool quiet;           /* nothing acts on the rod: no work and no loss to sum */
    bool conserves;       /* the energy, to rounding */
    bool holds_finish;
    wy_se3_point *point;             /* [points] */
    double (*rest)[6];               /* [points] strains of the rest shape */
    double (*first)[6];              /* [n+1] of the initial shape */
    wy_load_points load;             /* without tendons */
    wy_load_points pull;             /* of those that hold the rod before t = 0 */
    wy_se3_state_point *state_point; /* NULL: no load depends on the state */
    int *state_points; /* [points + 3] where those of each point, and of the ends, begin */
    int tendon_count;
    int extra;                 /* unknowns common to all cells: tensions */
    int unknown[WY_SE3_EXTRA]; /* [extra] the tendon of each */
    wy_tendon *tendon;
    wy_se3_end end[2];
} wy_se3_plan;

/* Numbers kept between steps, at the start of the state. */
typedef struct wy_se3_now {
    double t, last_dt;    /* of the step behind (i-1); 0: none */
    double factor;        /* multiplies constant loads (statics) */
    double base_step[6];  /* motion of the base in the last step, its own frame */
    double reaction[6];   /* of a held finish: what it adds to W */
    double applied[2][6]; /* W of the ends without the inertia of their bodies */
    wy_motion missed;     /* from the prescribed pose of the finish to that of the rod at t = 0 */
    double slip; /* of the held finish from its prescribed pose now, angle or distance over L */
    wy_se3_ledger ledger;
    double power[3];   /* of gravity, work, loss at the end of the last step, for the BDF */
    double potential0; /* of gravity at t = 0 */
    double conserved0; /* energy that is to be kept, at t = 0 */
    double gap[2][6];  /* zeta from the ends to their prescribed poses at the last hold (statics) */
    int64_t iterations; /* of the last step */
    int64_t pulls;      /* 1: the loads before t = 0 are on */
} wy_se3_now;

/* Arrays of the state: at t (0), one step before (1), rates at t. */
typedef struct wy_se3_state {
    double (*xi0)[6], (*eta0)[6], (*xi1)[6], (*eta1)[6]; /* [n+1] */
    double (*xi_t)[6], (*eta_t)[6];                      /* [n+1] */
    wy_motion *g;    /* [points] poses, those of xi0 between any two calls */
    double *tension; /* [tendons] at the time of evaluation; the next guess [N] */
} wy_se3_state;

/* Numbers of the step in hand, at the start of the scratch. */
typedef struct wy_se3_step {
    wy_se3_rule rule;
    wy_se3_wrench end[2];
    double prescribed[2][6];     /* eta of the held ends at the time of evaluation           */
    double hold[6];              /* k of se3/newton.c, where the finish is held              */
    double target[WY_SE3_EXTRA]; /* prescribed lengths at the new time [m]                   */
    wy_motion place[2];          /* of the ends (statics)                                    */
    double residual;             /* last Newton increment                                    */
    double t;                    /* at which loads are taken                                 */
    wy_state_load_steps nudge; /* of loads that depend on the state                              */
    withy_status failed;       /* of one of them, and its message                         */
    withy_error why;
    bool stale;           /* g is not that of xi0 */
    wy_riccati_sum cell;  /* of the box */
    wy_riccati_cell wide; /* of rk4 */
} wy_se3_step;

/* Arrays of the step in hand: unknowns at the time of evaluation and what follows from them. */
typedef struct wy_se3_work {
    wy_se3_force *force;           /* [points] */
    double (*xi)[6], (*eta)[6];    /* [n+1] */
    double (*hx)[6], (*he)[6];     /* [points] history: X_t - c0 X */
    double (*lam)[6], (*kt)[6][6]; /* [n+1] stress and its slope */
    double (*f)[6], (*fj)[6][6];   /* [n+1] load and its slope in eta */
    wy_riccati_node *node;         /* [n+1] */
} wy_se3_work;

typedef struct wy_se3 {
    const wy_setup *setup;
    wy_se3_plan plan;
    wy_se3_now *now;
    wy_se3_state state;
    wy_se3_step *step;
    wy_se3_work work;
    struct wy_se3_static *equilibrium; /* of se3/matrix.c, NULL until it is needed */
} wy_se3;

/* The length that node j stands for in the trapezoidal rule [m]. */
static inline double wy_se3_width(const wy_se3 *x, int j) {
    return j == 0 || j == x->plan.n ? 0.5 * x->plan.h : x->plan.h;
}
/* The mean of the two nodes of cell j. */
static inline void wy_se3_mean(double (*a)[6], int j, double mean[6]) {
    for (int i = 0; i < 6; i++) mean[i] = 0.5 * (a[j][i] + a[j + 1][i]);
}
static inline double wy_se3_dot(const double a[6], const double b[6]) {
    double sum = 0;
    for (int i = 0; i < 6; i++) sum += a[i] * b[i];
    return sum;
}
/* M_t eta of the body on an end. */
static inline void wy_se3_momentum(const wy_se3_end *end, const double eta[6], double out[6]) {
    for (int i = 0; i < 6; i++) out[i] = wy_se3_dot(end->body[i], eta);
}
/* The tendon whose tension is unknown number `column`. */
static inline const wy_tendon *wy_se3_unknown(const wy_se3 *x, int column) {
    return &x->plan.tendon[x->plan.unknown[column]];
}

/* ---- se3/make.c ---- */
withy_status wy_se3_make(const wy_setup *setup, wy_se3 *x, withy_error *err);
void wy_se3_layout(wy_se3 *x, wy_block *state, wy_block *scratch);

/* ---- se3/start.c ---- */
withy_status wy_se3_start(wy_se3 *x, withy_error *err);
withy_status wy_se3_velocities(wy_se3 *x, withy_error *err); /* those the problem starts with */
/* Strains of the free ends that have the stress of their loads at t = 0; then rebuild. */
withy_status wy_se3_fit_ends(wy_se3 *x, withy_error *err);

/* ---- se3/load.c ---- */
withy_status wy_se3_load_points(wy_se3 *x, const double *s, const wy_setup *setup,
                                withy_error *err);
withy_status wy_se3_tendons(wy_se3 *x, const double *s, wy_arena *arena, withy_error *err);
withy_status wy_se3_loads(wy_se3 *x, double t, double t_new, withy_error *err);
withy_status wy_se3_end_motion(wy_se3 *x, int e, double t, double eta[6], withy_error *err);
/* F_j and dF_j/deta_j (or NULL) at a point with its own R_i, eta and lag. */
void wy_se3_force_at(const wy_se3 *x, int point, const double eta[6], const double eta0[6],
                     double f[6], double fj[6][6]);
/* The same by kind: gravity, other loads, drag. */
void wy_se3_forces_at(const wy_se3 *x, int point, const double eta[6], const double eta0[6],
                      double f[3][6]);
/* W and dW/deta of an end. */
void wy_se3_end_wrench(const wy_se3 *x, int e, const double eta[6], const double eta_t[6],
                       double c0);
/* Add the dead wrench (m, n) in the turned frame, and its slope. */
void wy_se3_add_dead(const double dead[6], const wy_se3_frame *frame, double f[6],
                     double slope[6][6]);
double wy_se3_tendon_length(const wy_se3 *x, const wy_tendon *tendon, double (*xi)[6]);

/* ---- se3/state_load.c ---- */
withy_status wy_se3_state_points(wy_se3 *x, wy_arena *arena, withy_error *err);
void wy_se3_state_load_begin(wy_se3 *x, double t);
withy_status wy_se3_state_load_status(const wy_se3 *x,
                                      withy_error *err); /* has a function failed? */
/* Add what acts at a place (a point, or points + e of an end) that is at `point`, and its slope in eta unless NULL. */
void wy_se3_state_load(const wy_se3 *x, int place, int point, const double eta[6],
                       const double eta0[6], double f[6], double slope[6][6]);
void wy_se3_state_load_damping(const wy_se3 *x, int place, int point, const double v[6],
                               double out[6]);

/* ---- se3/cell.c ---- */
/* Lam and Kt = dLam/dxi at a point; damp = dxi_t/dxi. */
void wy_se3_stress(const wy_se3 *x, int point, const double xi[6], const double xi_t[6],
                   double damp, double lam[6], double kt[6][6]);
/* xi_t at a point, as far as it is damped. */
static inline void wy_se3_strain_rate(const wy_se3 *x, int point, const double xi[6],
                                      double xi_t[6]) {
    const wy_se3_rule *rule = &x->step->rule;
    const double *hx = x->work.hx[point];
    for (int i = 0; i < 6; i++) xi_t[i] = rule->moves ? rule->c0 * xi[i] + hx[i] : 0.0;
}
static inline double wy_se3_damp(const wy_se3 *x) {
    return x->step->rule.moves ? x->step->rule.c0 : 0.0;
}
void wy_se3_box_cell(wy_se3 *x, int j);

/* ---- se3/rk4.c ---- */
void wy_se3_rk4_history(wy_se3 *x);
void wy_se3_rk4_rebuild(wy_se3 *x);
bool wy_se3_rk4_cell(wy_se3 *x, int j);
/* Lam_{j+1} - Phi: the force out of balance in cell j; eta_{j+1} := Phi. */
bool wy_se3_rk4_defect(wy_se3 *x, int j, double lam[6]);

/* ---- se3/newton.c ---- */
withy_status wy_se3_newton(wy_se3 *x, withy_error *err);
void wy_se3_evaluate(wy_se3 *x); /* stress and load of every node for the present unknowns */
void wy_se3_end_rate(const wy_se3 *x, int node, double eta_t[6]);

/* ---- se3/energy.c ---- */
double wy_se3_energy(const wy_se3 *x, withy_energies *by_kind);
void wy_se3_add_to_ledger(wy_se3 *x);
double wy_se3_conserved(const wy_se3 *x, double energy); /* of kinetic and elastic energy */
void wy_se3_start_ledger(wy_se3 *x); /* the energy that is to be kept starts here */
void wy_se3_check_energy(wy_se3 *x);
double wy_se3_potential(const wy_se3 *x); /* of gravity */

/* ---- se3/step.c ---- */
/* Initialise the scratch of a step. */
void wy_se3_begin(wy_se3 *x);
/* One step of length dt that ends at t_new. */
withy_status wy_se3_make_step(wy_se3 *x, double dt, double t_new, withy_error *err);
void wy_se3_rebuild(wy_se3 *x);

/* ---- se3/sample.c ---- */
void wy_se3_sample(const void *state, int rod, withy_snapshot *snap);
wy_motion wy_se3_pose(const wy_se3 *x, wy_place at);

/* ---- se3/notes.c ---- */
double wy_se3_growth(const wy_se3 *x, double dt);
withy_status wy_se3_notes_check(const wy_se3 *x, double dt, withy_error *err);
void wy_se3_notes_resolution(const wy_se3 *x, double dt);
withy_status wy_se3_notes_step(wy_se3 *x, double dt, double t_new, withy_error *err);

/* ---- se3/equations.c ---- */
double
wy_se3_slowest(const wy_se3 *x); /* square of about the lowest frequency of a cantilever [1/s^2] */
enum { WY_SE3_BLOCK = 12 };      /* entries of a node in a vector of statics */
extern const wy_equations wy_se3_statics;
static inline int wy_se3_chain_rows(const wy_se3 *x) {
    return WY_SE3_BLOCK * (x->plan.n + 1);
}
void wy_se3_box_force(const wy_se3 *x, int j, double r[6]); /* on cell j, after wy_se3_box_cell */
void wy_se3_look(wy_se3 *x); /* at the present shape: stress, load, wrench and their slopes */

/* ---- se3/matrix.c ---- */
withy_status wy_se3_matrix_take(wy_se3 *x, withy_error *err);
void wy_se3_carry(const wy_se3 *x, int j, double share, double f[6]); /* a wrench, along cell j */
/* K - shift M at the present shape, and, unless rk4 or NULL, the forces on its cells in the places of a
 * residual; b := (K - shift M)^-1 b. */
withy_status wy_se3_factor(wy_se3 *x, double shift, double *force, withy_error *err);
void wy_se3_solve(wy_se3 *x, double *b);
