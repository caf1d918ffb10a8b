/* kirchhoff.h - what the files of the kirchhoff method share: state, levels, equations of a step.
 *
 * method_kirchhoff.c states the mathematics; names follow it: x, R = (s1, s2, t), m = x'', kappa,
 * e, tau, lambda.  A frame is a mat3 whose columns are s1, s2, t, that is d1, d2, d3 before the
 * material angle of the rest twist is put on (kirchhoff_start.c, kirchhoff_sample.c).
 */
#pragma once

#include "base/pace.h"
#include "base/vec.h"
#include "method/method.h"
#include "model/model.h"
#include "numeric/banded.h"

/* The words of the options, in their order. */
enum { WY_SPRING_ENDS_AUTO, WY_SPRING_WEAK, WY_SPRING_STRONG };
enum { WY_SPRING_ENERGY_AUTO, WY_SPRING_STRAIN, WY_SPRING_QUADRATIC, WY_SPRING_BARE };
enum { WY_SPRING_DISCRETE, WY_SPRING_POINTWISE };
enum { WY_SPRING_OBJECTIVE, WY_SPRING_DISSERTATION };
enum { WY_SPRING_ONE_STEP, WY_SPRING_PAPER };

typedef struct wy_spring_options {
    int n;
    double dt;
    int ends, energy, kappa, damping, start;
    double tolerance; /* of max |dx| / L and of the turn of a frame [rad] */
    int iterations, halvings;
} wy_spring_options;

/* Second derivatives and strains of the interval (b, c) = (j-1, j). */
typedef struct wy_spring_cell {
    vec3 m[2];      /* m_b, m_c                                          [1/m] */
    double e[2][3]; /* (s1, s2, t)^T m - kappa at b and at c             [1/m] */
    vec3 u[2];      /* m - s kappa at b and at c                         [1/m] */
    double tau;     /* twist                                             [1/m] */
} wy_spring_cell;

/* The rod at one time. */
typedef struct wy_spring_level {
    vec3 *x;              /* [N+1] positions */
    mat3 *frame;          /* [N+1] s1, s2, t */
    wy_spring_cell *cell; /* [N]             */
} wy_spring_level;

/* What a node carries, in the order of the raw unknowns q = (x, t, s1, s2). */
enum { WY_RAW_X, WY_RAW_T, WY_RAW_S1, WY_RAW_S2, WY_RAWS };

/* One set of nonlinear equations for (x+, R+, lambda): a step, the first step, the projection of a
 * shape onto the constraints, or an equilibrium.
 *
 *     mass (x+ - ahead.x) inertia + F = load,   bar q = average q+ + (1 - average) q-,
 *     dot q = rate (q+ - q-)
 *
 * A step of h_+ after one of h_-: inertia 2/(h_+ (h_+ + h_-)), rate 1/(h_+ + h_-),
 * ahead = x + h_+/h_- (x - x-).
 */
typedef struct wy_spring_equations {
    double inertia;     /* 1/h^2; 2/h^2 in the first step                              [1/s^2] */
    double average;     /* 1/2; 1 in the paper's first step and in equilibrium                 */
    double rate;        /* 1/2h; 1/h in a one-step start; 0 in equilibrium             [1/s]   */
    double elastic;     /* 1; 0 in a projection: multipliers only                              */
    const double *mass; /* [N+1] M_j                               [kg]   */
    const double (*turn)[2];            /* [N+1] inertia on s1, s2 and on t      [kg m^2] */
    vec3 *ahead_x;                      /* [N+1] where inertia alone would go             */
    mat3 *ahead_frame;                  /* [N+1] the same for s1, s2, t                   */
    const wy_spring_level *next, *last; /* +, -                                           */
    const mat3 *gauge;                  /* [N+1] frames that a gauged node may not spin from */
    int gauge_all;                      /* 1: every node (projection); 0: as spring->gauge */
    int spin_felt; /* 1: damping feels a common spin, and the gauged node is only slowed by */
    double drag;   /* this, zero unless the rod is as good as straight     [N m per rad] */
} wy_spring_equations;

typedef struct wy_spring_end {
    wy_end end;
    int held;       /* position prescribed                                       */
    int turn;       /* WY_TURN_: what is prescribed of the frame                 */
    int strong;     /* x'' = s kappa imposed, (5.69)                             */
    int as_found;   /* direction not given: held as the initial state has it     */
    vec3 force;     /* applied at the very end, this step                    [N] */
    wy_pose target; /* at the level being solved, in the natural frame         */
} wy_spring_end;

enum { WY_TURN_FREE, WY_TURN_TANGENT, WY_TURN_FRAME };

/* Work and loss since t = 0, from the energy identity. */
typedef struct wy_spring_ledger {
    double ends, loads, dissipated; /* [J] */
} wy_spring_ledger;

typedef struct wy_spring {
    const withy_problem *problem;
    const withy_rod *rod;
    wy_spring_options opt;
    withy_stats *stats;
    int n;              /* N intervals                                           */
    double length, eta; /* L, L/N                                           [m]  */
    vec3 gravity;       /* g                                            [m/s^2]   */
    int massless;       /* statics only: the masses are ours, and weigh nothing   */
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
    double (*kappa)[3]; /* [N+1] natural (s1, s2, t)^T x_0''             [1/m]   */
    double *angle;      /* [N+1] rest twist integrated: d1 = cos s1 + sin s2     */
    vec3 *dead;         /* [N+1] constant forces: weight, constant loads    [N]  */
    vec3 *load;         /* [N+1] all forces of this step                    [N]  */
    vec3 *couple;       /* [N+1] all moments of this step                 [N m]  */
    int constant_loads; /* load = dead, couple constant                          */
    wy_spring_end end[2];
    int gauge; /* node whose spin is fixed because nothing feels it; -1 */
    int damped, driven;

    wy_spring_level level[4];
    wy_spring_level *next, *now, *last, *before; /* n+1 (being solved), n, n-1, n-2 */
    wy_pace pace;
    int64_t step; /* n                              */
    int ready;    /* next holds step n+1 already    */
    vec3 *v0;     /* [N+1] initial velocity   [m/s] */
    vec3 *spin0;  /* [N+1] initial spin     [rad/s] */

    wy_spring_equations eq;
    vec3 *lambda;           /* [N+1] spline multipliers                   [N m]    */
    vec3 *lambda_good;      /* [N+1] of the last step that was solved     [N m]    */
    vec3 *nudge_x;          /* [N+1] mean velocity of a step, see kirchhoff_step.c   */
    mat3 *nudge_frame;      /* [N+1]                                                 */
    vec3 (*force)[WY_RAWS]; /* [N+1] F of the raw unknowns: N, N m                 */
    vec3 *pull;             /* [N] n in each interval                       [N]    */
    wy_banded matrix;
    double *rhs;     /* [9(N+1)]                                            */
    vec3 *balance;   /* [2][N+1] rows (i) and (ii) before ends replace them */
    double residual; /* largest entry of rhs, scaled: of size 1 when sigma is */

    vec3 reaction[2], reaction_moment[2];
    vec3 *sample_pull; /* [N] n of the last balance                    [N]    */
    vec3 end_pull[2];  /* n at the very ends                           [N]    */
    int iterations;
    wy_spring_ledger ledger;
    double energy; /* H_{n-1/2}                                    [J]    */
    double energy_scale;
    double next_energy, next_scale; /* of the step that is ready      */
    double turned;                  /* largest turn of a node over 2h             [rad]    */
    int balanced;                   /* is there a balance to take forces from?             */
    double factor;                  /* of the last equilibrium                             */
    int factor_known, negative;
    int axis_known; /* of the designer's table: 1, or -1 when there is none   */
    vec3 axis_point, axis_along;
    double axis_rest;
    int figures;
    withy_figure figure[WITHY_FIGURES]; /* the designer's table                    */
    wy_arena *arena;                    /* for modes, which are asked for after create */
    double *room;                       /* [room_size] of the mode solver          */
    size_t room_size;
    double *spare;                    /* [9(N+1)]                                            */
    wy_pose *pose;                    /* [N+1] scratch                                       */
    double *spin_angle, *spin_row[3]; /* [N+1] scratch of the twist equilibrium     */
} wy_spring;

static inline double wy_spring_weight(const wy_spring *p, int j) {
    return j == 0 || j == p->n ? 0.5 : 1.0;
}
/* The end at node j, or NULL. */
static inline const wy_spring_end *wy_spring_end_at(const wy_spring *p, int j) {
    return j == 0 ? &p->end[0] : j == p->n ? &p->end[1] : NULL;
}
static inline vec3 wy_raw(const wy_spring_level *v, int j, int raw) {
    const mat3 *f = &v->frame[j];
    return raw == WY_RAW_X ? v->x[j] : raw == WY_RAW_T ? f->c3 : raw == WY_RAW_S1 ? f->c1 : f->c2;
}

/* ---- kirchhoff_force.c: elements, residual --------------------------------------------------- */

/* Fill v->cell from x and frame. */
void wy_spring_strains(const wy_spring *p, const wy_spring_level *v);
/* Residual of p->eq at (next, lambda) into p->rhs (minus sign: ready to solve) and p->balance. */
void wy_spring_residual(wy_spring *p);
/* Stresses conjugate to e (or u) and tau in cell j, and the raw gradient of m. */
typedef struct wy_spring_stress {
    double s[2][3]; /* eta/2 (sigma bar e + nu dot e) at b, c                             */
    vec3 p[2];      /* eta/2 (sigma bar u + nu dot u) at b, c                             */
    double twist;   /* T                                                                  */
    double ke[2][3], ku[2], kt; /* their derivatives with respect to e+, u+, tau+          */
} wy_spring_stress;
wy_spring_stress wy_spring_stress_of(const wy_spring *p, int cell);
/* bar q of a raw unknown, and (bar s1, bar s2, bar t). */
vec3 wy_spring_bar(const wy_spring *p, int j, int raw);
mat3 wy_spring_bar_frame(const wy_spring *p, int j);

/* ---- kirchhoff_matrix.c: the Newton matrix --------------------------------------------------- */

/* The rows of node j, complete once those of j - 1 have been written. */
void wy_spring_rows(wy_spring *p, int j);
/* Matrix of p->eq at the state of the last residual, and its factors.  False: singular. */
bool wy_spring_factor(wy_spring *p);

/* ---- kirchhoff_solve.c ----------------------------------------------------------------------- */

typedef struct wy_spring_newton {
    int iterations;
    double norm; /* last correction */
} wy_spring_newton;

/* Solve p->eq from the guess in (next, lambda).  False: no convergence. */
bool wy_spring_solve(wy_spring *p, wy_spring_newton *newton);
/* Put the prescribed end values into next. */
void wy_spring_impose(wy_spring *p);
/* Largest turn of a node from a to b [rad]. */
double wy_spring_turn_between(const wy_spring *p, const wy_spring_level *a,
                              const wy_spring_level *b);
/* Largest twist of an interval [rad] and where. */
double wy_spring_twist_most(const wy_spring *p, const wy_spring_level *v, int *cell);
mat3 wy_spring_orthonormal(mat3 f);

/* ---- kirchhoff_start.c ----------------------------------------------------------------------- */

/* kappa and angle from the rest shape; now = initial shape on the constraints, in twist
 * equilibrium. */
withy_status wy_spring_begin(wy_spring *p, wy_notes *notes, withy_error *err);
/* Prescribed ends at t into end[].target. */
withy_status wy_spring_targets(wy_spring *p, double t, withy_error *err);

/* ---- kirchhoff_sample.c ---------------------------------------------------------------------- */

double wy_spring_potential(const wy_spring *p, const wy_spring_level *v);
/* H of a pair of levels h apart; scale: the parts of it without sign. */
double wy_spring_energy(const wy_spring *p, const wy_spring_level *b, const wy_spring_level *a,
                        double h, double *scale);
double wy_spring_violation(const wy_spring *p, const wy_spring_level *v);
void wy_spring_sample(const void *state, int rod, withy_snapshot *snap);
vec3 wy_spring_position(const wy_spring *p, double s); /* of now */

/* ---- kirchhoff_step.c ------------------------------------------------------------------------ */

/* Forces and couples at time t into load, couple. */
withy_status wy_spring_loads(wy_spring *p, double t, double factor, withy_error *err);
/* Add the loads that hold the rod until it is let go at t = 0. */
withy_status wy_spring_pulls(wy_spring *p, withy_error *err);
/* Solve the next step into `next`, guarded and cut if need be; commit makes it the present. */
withy_status wy_spring_step(wy_spring *p, withy_error *err);
void wy_spring_commit(wy_spring *p);
void wy_spring_keep_forces(wy_spring *p);

/* ---- kirchhoff_static.c ---------------------------------------------------------------------- */

/* p->eq for an equilibrium near now, with mu times the inertia against motion. */
void wy_spring_static_equations(wy_spring *p, double mu);
void wy_spring_copy(const wy_spring *p, wy_spring_level *to, const wy_spring_level *from);
double wy_spring_slow_rate(const wy_spring *p); /* sigma/(rho L^4) [1/s^2] */
/* Bring `now` to equilibrium under the loads that are set, or under a load factor. */
withy_status wy_spring_rest(wy_spring *p, withy_error *err);
withy_status wy_spring_relax(wy_spring *p, double factor, int *iterations, withy_error *err);
withy_status wy_spring_equilibrium(void *state, double factor, withy_equilibrium *point,
                                   withy_error *err);

/* ---- kirchhoff_modes.c ----------------------------------------------------------------------- */

/* The lowest modes about `now`: omega^2 [count], (dx, w, dlambda) [count][9(N+1)] unless NULL. */
withy_status wy_spring_modes(wy_spring *p, int count, double *omega2, double *shape,
                             withy_error *err);
withy_status wy_spring_mode_shapes(void *state, int count, withy_mode *mode, withy_error *err);

/* ---- kirchhoff_table.c ----------------------------------------------------------------------- */

/* Fill p->figure for the equilibrium in `now`. */
void wy_spring_table(wy_spring *p);
int wy_spring_figure(const void *state, int index, withy_figure *out);

/* ---- method_kirchhoff.c ---------------------------------------------------------------------- */

/* All memory for n intervals; eta, s and levels set. */
withy_status wy_spring_take(wy_spring *p, wy_arena *arena, int n, double length, withy_error *err);
