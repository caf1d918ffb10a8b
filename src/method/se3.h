/* se3.h - the state of method se3, shared by its files.  Equations: method_se3.c.
 *
 *   method_se3.c   the doors: options, accept, create, advance, sample
 *   se3_make.c     the state at t = 0 from a problem
 *   se3_step.c     one time step: rule, history, poses
 *   se3_newton.c   its unknowns
 *   se3_energy.c   energies and the ledger of work and loss
 *   se3_cell.c     stress and the box scheme of one cell
 *   se3_load.c     what acts on the rod: wrenches, drag, tendons, bodies and motion of the ends
 *   se3_rk4.c      scheme "rk4": the same problem, fourth order in s
 *   se3_notes.c    scheme "notes": exactly the algorithm of [SE]
 *   se3_sample.c   snapshots
 *   se3_static.c   equilibrium: the same equations without mass
 */
#pragma once

#include "base/se3.h"
#include "method/method.h"
#include "model/model.h"
#include "numeric/riccati.h"

enum { SE3_EXTRA = 6 }; /* most unknown tensions */

enum { SE3_BOX, SE3_RK4, SE3_NOTES };
enum { SE3_MIDPOINT, SE3_BDF2, SE3_BDF_ALPHA };
enum { SE3_TIP_MIDPOINT, SE3_TIP_NEW };
enum { SE3_START_MIDPOINT, SE3_START_REST };

typedef struct se3_options {
    int n;
    double dt;
    int scheme, time;
    double alpha;
    int tip, start;
    double newton_tol;
    int newton_max, halvings;
} se3_options;

/* X_t = c0 X + c1 X_i + c2 X_{i-1} + d1 X_t,i, for X at the time t_i + at dt. */
typedef struct se3_rule {
    double dt;             /* [s]                                                                */
    double c0, c1, c2, d1; /* [1/s], d1 [-]                                                      */
    double at;             /* 1/2 midpoint, 1 new time                                           */
    double turn, lag;      /* R = R_i exp(turn w + lag w_i)                                   [s] */
    int moves;             /* 0: statics, no inertia, damping or drag                            */
} se3_rule;

/* The rod at one point of arc length; all arrays (angular, linear). */
typedef struct se3_point {
    double s;
    double k[6], d[6], m[6]; /* stiffness, viscosity, inertia                                    */
    double rest[6];          /* xi*                                                              */
    double scale[6];         /* h/k, of the rows of a cell                                       */
} se3_point;

/* Loads per length at a point, at the time of evaluation. */
typedef struct se3_force {
    double dead[6]; /* laboratory components, gravity included */
    double body[6]; /* material components                     */
} se3_force;

typedef struct se3_tendon {
    const withy_load *load;
    vec3 *r, *slope; /* [points] route r_k and r_k' [m], [-]                            */
    double *weight;  /* [points] 1 where it runs, a fraction in the cell of its ends    */
    double tension;  /* [N], at the time of evaluation                                  */
    double length0;  /* at t = 0 [m]                                                    */
    double target;   /* prescribed length at the new time [m]                           */
    int column;      /* of the extra unknown, or -1 when the tension is given           */
} se3_tendon;

/* What is attached to an end, and the wrench it exerts there at the time of evaluation. */
typedef struct se3_end {
    wy_end end;
    bool held[6];      /* is this component of eta prescribed?                            */
    double body[6][6]; /* M_t, inertia of the lumped body                                  */
    bool has_body;     /* any entry of it                                                  */
    double mass;       /* [kg]                                                             */
    vec3 offset;       /* [m]                                                              */
    double dead[6];    /* laboratory (m, n), gravity of the body apart                     */
    double follow[6];  /* material                                                         */
    double point[6];   /* dead, from point loads that sit on the end                       */
    double point_body[6];
    double wrench[6];   /* W, total                                                         */
    double applied[6];  /* W without the inertia of the body                                */
    double weight[6];   /* the part of it that is the weight of the body                    */
    double slope[6][6]; /* dW/deta                                                          */
} se3_end;

/* Sums since t = 0, each by the formula that makes the balance of energy exact [J]. */
typedef struct se3_ledger {
    double gravity, work, lost;
} se3_ledger;

typedef struct se3 {
    const withy_problem *problem;
    const withy_rod *rod;
    se3_options opt;
    withy_stats *stats;
    int n, points; /* cells; 2n + 1 points: node j is point 2j, the middle of cell j 2j + 1  */
    double h;
    double step; /* [s] */
    double t;
    double length, speed; /* scales of the Newton norm: L, slowest wave [m/s]                */
    bool uniform, turns;  /* loads that need R                                               */
    double factor;        /* multiplies constant loads (statics)                             */
    double settled;       /* the factor of the last equilibrium, 0 at first                  */

    se3_point *point; /* [points]                                                            */
    se3_force *force; /* [points]                                                            */
    bool has_force;
    int tendon_count;
    int extra; /* unknowns common to all cells: tensions                                     */
    se3_tendon *tendon;
    se3_end end[2];
    double prescribed[2][6]; /* eta of the held ends at the time of evaluation               */
    double reaction[6];      /* of a held finish: what it adds to W                          */
    double hold[6];          /* k of se3_newton.c, where it is held                          */
    bool holds_finish;
    wy_motion
        missed;  /* from the prescribed pose of the finish to that of the discrete rod at t = 0 */
    double slip; /* of the held finish from its place now, angle or distance over L     */

    /* state at t: (i), one step before: (i-1) */
    double (*xi0)[6], (*eta0)[6], (*xi1)[6], (*eta1)[6]; /* [n+1]                            */
    double (*xi_t)[6], (*eta_t)[6];                      /* [n+1] rates at t                 */
    wy_motion *g;                                        /* [points] pose at t               */
    double base_step[6]; /* motion of the base in the last step, its own frame              */
    bool g_is_current;
    double last_dt; /* of the step behind (i-1); 0: none                                     */

    /* unknowns at the time of evaluation */
    se3_rule rule;
    double (*xi)[6], (*eta)[6];    /* [n+1]                                       */
    double (*hx)[6], (*he)[6];     /* [points] history: X_t - c0 X                */
    double (*lam)[6], (*kt)[6][6]; /* [n+1] stress and its slope                  */
    double (*f)[6], (*fj)[6][6];   /* [n+1] load and its slope in eta             */
    wy_riccati_sum cell;   /* of the box                                                     */
    wy_riccati_cell wide;  /* of rk4                                                         */
    wy_riccati_node *node; /* [n+1]                                       */

    se3_ledger ledger;
    double power[3];     /* of gravity, work, loss at the end of the last step, for the BDF      */
    double potential0;   /* of gravity at t = 0                                               */
    double energy_scale; /* largest kinetic and elastic energy so far                         */
    bool quiet;          /* nothing acts on the rod: no books to keep                         */
    int iterations;      /* of the last step                                                     */
    double residual;     /* of the last step: last Newton increment                              */
} se3;

/* ---- se3_make.c ---- */
withy_status wy_se3_make(const wy_setup *setup, se3 *x, withy_error *err);

/* ---- se3_load.c ---- */
withy_status wy_se3_tendons(se3 *x, wy_arena *arena, withy_error *err);
withy_status wy_se3_loads(se3 *x, double t, double t_new, withy_error *err);
withy_status wy_se3_end_motion(se3 *x, int e, double t, double eta[6], withy_error *err);
/* F_j and dF_j/deta_j at a point with its own R_i, eta and lag. */
void wy_se3_force_at(const se3 *x, int point, const double eta[6], const double eta0[6],
                     double f[6], double fj[6][6]);
/* The same by kind: gravity, other loads, drag. */
void wy_se3_forces_at(const se3 *x, int point, const double eta[6], const double eta0[6],
                      double f[3][6]);
/* W and dW/deta of an end. */
void wy_se3_end_wrench(const se3 *x, se3_end *end, int node, const double eta[6],
                       const double eta_t[6], double c0);
double wy_se3_tendon_length(const se3 *x, const se3_tendon *tendon, double (*xi)[6]);
/* |p_k| and its gradient in xi at a point. */
double wy_se3_tendon_pull(const se3_tendon *tendon, int point, const double xi[6], double l[6]);

/* ---- se3_cell.c ---- */
/* Lam and Kt = dLam/dxi at a point. */
void wy_se3_stress(const se3 *x, int point, const double xi[6], const double hx[6], double lam[6],
                   double kt[6][6]);
void wy_se3_box_cell(se3 *x, int j);

/* ---- se3_rk4.c ---- */
void wy_se3_rk4_history(se3 *x);
void wy_se3_rk4_rebuild(se3 *x);
bool wy_se3_rk4_cell(se3 *x, int j);
void wy_se3_cubic(int n, double (*a)[6], int j, double fraction, double out[6]);

/* ---- se3_newton.c ---- */
withy_status wy_se3_newton(se3 *x, withy_error *err);
void wy_se3_evaluate(se3 *x); /* stress and load of every node for the present unknowns */
void wy_se3_end_rate(const se3 *x, int node, double eta_t[6]);

/* ---- se3_energy.c ---- */
double wy_se3_energy(const se3 *x, withy_energies *by_kind);
void wy_se3_add_to_ledger(se3 *x);
void wy_se3_open_books(se3 *x); /* the energy that is to be kept starts here */
void wy_se3_watch_energy(se3 *x);
double wy_se3_potential(const se3 *x); /* of gravity */

/* ---- se3_step.c ---- */
withy_status wy_se3_step(se3 *x, double dt, withy_error *err);
void wy_se3_rebuild(se3 *x);

/* ---- se3_sample.c ---- */
void wy_se3_sample(const void *state, int rod, withy_snapshot *snap);
void wy_se3_stress_now(const se3 *x, int j, double lam[6]);

/* ---- se3_notes.c ---- */
double wy_se3_growth(const se3 *x);
withy_status wy_se3_notes_check(const se3 *x, withy_error *err);
withy_status wy_se3_notes_step(se3 *x, double dt, withy_error *err);
double wy_se3_notes_energy(const se3 *x);

/* ---- se3_static.c ---- */
withy_status wy_se3_equilibrium(void *state, double factor, withy_equilibrium *point,
                                withy_error *err);
