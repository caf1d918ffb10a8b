/* cheb.h - what the files of the cheb method share.  cheb/cheb.c states the mathematics.
 *
 * Arrays over the nodes are padded to `ld` entries, a multiple of 8, so that loops over nodes need
 * no remainder; entries past n are harmless.  A state u is `fields` such arrays one after the
 * other: (x, y, theta) in the plane, (x, y, z, q0, qi, qj, qk) in space.
 */
#pragma once

#include "base/vec.h"
#include "method/method.h"
#include "model/model.h"
#include "numeric/chebyshev.h"
#include "numeric/cosine.h"

enum {
    WY_CHEB_EULER,
    WY_CHEB_RK2,
    WY_CHEB_RK3,
    WY_CHEB_RK4,
    WY_CHEB_AB2,
    WY_CHEB_AB3,
    WY_CHEB_MIDPOINT,
    WY_CHEB_ALPHA,
    WY_CHEB_RADAU,
    WY_CHEB_ERK,
    WY_CHEB_BDF
};
enum { WY_CHEB_ENDS_A, WY_CHEB_ENDS_B, WY_CHEB_ENDS_G };
enum { WY_CHEB_AUTO, WY_CHEB_PLANAR, WY_CHEB_SPATIAL };

typedef struct wy_cheb_options {
    int n;
    double dt;
    int integrator, thesis_staging, expanded, ends, space;
    int thesis_mass;                          /* 1: pdd = A M^-1 A^T (...), not conservative */
    double mass_axial, mass_shear, mass_turn; /* factors on rho A along and across, on rho J */
    int normalise;
    double rho;                 /* spectral radius at infinity of generalised alpha */
    double tolerance, absolute; /* of the adaptive integrators */
    double newton_tol;          /* on max |du| */
    int iterations;
    int settle;
} wy_cheb_options;

/* Points, weights, derivative. */
typedef struct wy_cheb_grid {
    int n, ld;
    double length;
    double *x, *s;    /* on [-1, 1] and [0, L], increasing */
    double *w, *bary; /* quadrature weights [m], barycentric weights */
    double *d;        /* collocation matrix by columns [n+1][ld], per length */
    double *dr, *d2r; /* D and D^2 by rows, made for Newton */
    wy_cosine *fast;  /* NULL: by matrix */
} wy_cheb_grid;

withy_status wy_cheb_grid_make(wy_arena *arena, const wy_cheb_options *opt, double length,
                               wy_cheb_grid *grid, withy_error *err);
/* out = D in for `fields` arrays. */
void wy_cheb_derive(const wy_cheb_grid *grid, int fields, const double *in, double *out);
/* sum of w_i u_i */
double wy_cheb_sum(const wy_cheb_grid *grid, const double *u);

enum {
    WY_CHEB_LOOSE,
    WY_CHEB_STILL,
    WY_CHEB_DRIVEN,
    WY_CHEB_DRIVEN_VELOCITY,
    WY_CHEB_DRIVEN_ACCELERATION
};

/* One end: what is held, how it moves, what hangs on it. */
typedef struct wy_cheb_end {
    wy_end end;
    int node;        /* 0 or n */
    double out;      /* -1 at the start, +1 at the finish */
    double w0;       /* quadrature weight there [m] */
    int place, turn; /* WY_CHEB_LOOSE .. : how position and direction are held */
    int rolls;       /* direction held, free to turn about the tangent */
    double still[7]; /* the state where it does not move */
    double mass;     /* of a body hung on the end */
    vec3 inertia;    /* about the end of the rod, thesis axes (axial, 1, 2) */
    vec3 offset;     /* of its centre, thesis axes */
    double spring, spring_turn;
    vec3 spring_at;    /* where the springs are slack */
    mat3 spring_frame; /* withy axes */
} wy_cheb_end;

/* A load where it acts: everywhere, or weight times its value at s = at. */
typedef struct wy_cheb_source {
    const withy_load *load;
    int everywhere;
    double at, weight; /* [m]; 1, or the weight of a quadrature [m] */
} wy_cheb_source;

typedef struct wy_cheb {
    const withy_problem *problem;
    const withy_rod *rod;
    wy_cheb_options opt;
    withy_stats *stats;
    wy_notes *notes;
    wy_cheb_grid grid;
    int planar, fields, size; /* 3 or 7; fields * ld */
    double t;

    /* the plane: lab = x e1 + y e2 + height normal; the frame keeps material components of the
     * normal and of b = normal x d3 in (d1, d2) */
    vec3 e1, e2, normal;
    double height, normal_in[2], across_in[2];

    /* along the rod, thesis axes (axial, 1, 2); in the plane only [0], [1] of c1 and [0] of c2 */
    double *c1[3], *c2[3];   /* stiffness [N], [N m^2] */
    double *h1[3], *h2[3];   /* Kelvin-Voigt viscosity */
    double *g0[3], *k0[3];   /* rest strains, g0 = A0^T p0' */
    double *dg0[3], *dk0[3]; /* their derivatives, for the expanded form */
    double *mass[3],
        *turn[3];        /* inertia per length, scaled, end bodies not included [kg/m], [kg m] */
    double *rho;         /* true mass per length, for gravity [kg/m] */
    int viscous, scaled; /* any h; axial mass != shear mass */
    double drag, drag_quadratic, drag_spin;

    wy_cheb_end end[2];
    wy_cheb_source
        *source; /* [source_count] what acts: of the rod's loads, and before t = 0 the pull's */
    int source_count, own_sources; /* own: of the rod's loads alone, which come first */
    int settling; /* on the way to the equilibrium at t = 0: all loads and the places of the
                            * ends are reached in proportion to the factor */
    double start_at[2][7]; /* the ends as the initial shape has them */
    int varying_loads;     /* loads must be evaluated again at every time and state */
    double factor;         /* load factor of statics; 1 in dynamics */
    double drive_step;     /* for derivatives of driven ends [s] */

    double *u, *v, *a;           /* the state at t, [size] */
    double *p1, *f, *df;         /* work: u', (f, m) and its derivative, [size] */
    double *v1;                  /* v' when viscous */
    double *load;                /* force and moment per length at the nodes: 3 or 6 arrays */
    double *still_load;          /* the part that never changes */
    double *stage[12];           /* work of the integrators, [size] each */
    double *old_v[3], *old_a[3]; /* Adams-Bashforth: the last steps, newest first */
    int history;
    double excess; /* 1: rotations as the thesis writes them (cheb/frame.h), when not normalised */
    int staging;   /* inside a stage: rates of driven ends are not wanted */
    double *row;   /* Lagrange polynomials at a station, [ld] */
    double looked; /* when the decay of the series was last looked at */
    double h;      /* step in use; 0 before the first */
    double limit;  /* largest stable explicit step */
    double omega;  /* largest frequency met when it was computed [rad/s] */

    wy_arena *arena;
    double *stiff, *visc;              /* cheb/jacobian.c */
    double *part[5];                   /* coefficients of the variation, see there */
    struct wy_cheb_newton *newton;     /* cheb/static.c */
    struct wy_cheb_implicit *implicit; /* cheb/implicit.c */
    double static_factor;              /* the load factor of the present equilibrium */
    int is_static;
    void *adaptive; /* SUNDIALS */

    double energy0, energy_scale;
    int conserves, decay_told;
} wy_cheb;

static inline double *wy_cheb_field(const wy_cheb *x, double *u, int field) {
    return u + (size_t)field * (size_t)x->grid.ld;
}

/* ---- cheb/ends.c: where the ends are, and what pulls at them ---------------------------------- */
withy_status wy_cheb_ends_make(wy_cheb *x, withy_error *err);
/* Put the ends where they are held at t: positions and velocities. */
withy_status wy_cheb_bound(const wy_cheb *x, double t, double *u, double *v, withy_error *err);
/* Accelerations of held ends. */
withy_status wy_cheb_bound_accel(const wy_cheb *x, double t, const double *u, const double *v,
                                 double *a, withy_error *err);
/* External force and moment on an end that is not held, laboratory. */
withy_status wy_cheb_end_pull(const wy_cheb *x, const wy_cheb_end *end, double t, vec3 r,
                              mat3 frame, vec3 *force, vec3 *moment, withy_error *err);
/* Pose of node i of a state. */
wy_pose wy_cheb_pose(const wy_cheb *x, const double *u, int i);

/* ---- cheb/plane.c: sets planar and the axes of the plane ------------------------------------- */
withy_status wy_cheb_plane(wy_cheb *x, const wy_pose *pose, withy_error *err);

/* ---- cheb/load.c ------------------------------------------------------------------------------ */
withy_status wy_cheb_loads_make(wy_cheb *x, wy_arena *arena, withy_error *err);
/* The part of the loads that never changes, after a change of the load factor. */
withy_status wy_cheb_loads_still(wy_cheb *x, withy_error *err);
/* x->load at (t, u). */
withy_status wy_cheb_loads(wy_cheb *x, double t, const double *u, withy_error *err);
/* Turn of follower loads with the section: follower part of force, moment at node i (laboratory). */
withy_status wy_cheb_follow(const wy_cheb *x, int i, double t, mat3 frame, vec3 *force,
                            vec3 *moment, withy_error *err);

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
withy_status wy_cheb_jacobian_make(wy_cheb *x, int with_rate, withy_error *err);
withy_status wy_cheb_jacobian(wy_cheb *x, double t, const double *u, const double *v,
                              withy_error *err);

/* ---- cheb/static.c ---------------------------------------------------------------------------------- */
/* Dense Newton in displacements and turns. */
typedef struct wy_cheb_newton {
    int m, rows;           /* unknowns: rows (3 or 6) fields of n + 1 nodes */
    double *matrix;        /* [m][m], factored */
    int *pivot;            /* [m] */
    double *step, *next;   /* [m] */
    double *trial, *saved; /* states [size] */
    double *sum;           /* [n][n] D without row and column of the anchor, factored */
    int *sum_pivot;
    int anchor; /* the node the centre line is integrated from */
    int iterations;
} wy_cheb_newton;

withy_status wy_cheb_newton_make(wy_cheb *x, withy_error *err);
/* Columns of q into columns of dphi: dq = E^T dphi / 2. */
void wy_cheb_reduce_columns(const wy_cheb *x, const double *u, const double *full, double *matrix);
/* x->newton->matrix at u, whose balance has just been made; not yet factored. */
withy_status wy_cheb_matrix_at(wy_cheb *x, double t, const double *u, withy_error *err);
/* Rows of held entries become those of dx = given. */
void wy_cheb_hold_rows(const wy_cheb *x, const double *u, double *matrix);
/* initial = static { ... }: equilibrium at t = 0 from the initial shape. */
withy_status wy_cheb_settle(wy_cheb *x, withy_error *err);
/* Back to motion after statics: t = 0, all loads. */
withy_status wy_cheb_leave_statics(wy_cheb *x, withy_error *err);
/* From the equilibrium under the present factor to that under `factor`. */
withy_status wy_cheb_equilibrium(wy_cheb *x, double factor, int *iterations, withy_error *err);

/* Accelerations of the whole state. */
static inline withy_status wy_cheb_accel(wy_cheb *x, double t, const double *u, const double *v,
                                         double *a, withy_error *err) {
    return (x->planar ? wy_cheb_planar_accel : wy_cheb_spatial_accel)(x, t, u, v, a, err);
}

/* ---- cheb/step.c, cheb/implicit.c, cheb/adaptive.c -------------------------------------------- */
/* The largest stable step of the explicit integrator, from the largest frequency. */
withy_status wy_cheb_stability(wy_cheb *x, withy_error *err);
withy_status wy_cheb_step(wy_cheb *x, double t, double h, withy_error *err);
withy_status wy_cheb_implicit_make(wy_cheb *x, wy_arena *arena, withy_error *err);
withy_status wy_cheb_implicit_step(wy_cheb *x, double t, double h, withy_error *err);
/* da/du and da/dv at a state whose accelerations have just been made; row-major. */
withy_status wy_cheb_rates(wy_cheb *x, double t, const double *u, const double *v,
                           const double **rate_u, const double **rate_v, withy_error *err);
withy_status wy_cheb_adaptive_make(wy_cheb *x, wy_arena *arena, withy_error *err);
withy_status wy_cheb_adaptive_advance(wy_cheb *x, double t, withy_error *err);
void wy_cheb_adaptive_free(wy_cheb *x);
void wy_cheb_normalise(const wy_cheb *x, double *u, double *v);

/* ---- cheb/modes.c ----------------------------------------------------------------------------------- */
withy_status wy_cheb_modes(void *state, int count, withy_mode *mode, withy_error *err);

/* ---- cheb/sample.c ------------------------------------------------------------------------------ */
typedef struct wy_cheb_energy {
    withy_energies kind;
    double ends; /* springs, floor and bodies at the ends */
    double total;
} wy_cheb_energy;
wy_cheb_energy wy_cheb_energies(const wy_cheb *x);
void wy_cheb_sample(const void *state, int rod, withy_snapshot *snap);
/* How much of the series is left in its last tenth: 0 converged, 1 not at all. */
double wy_cheb_decay(const wy_cheb *x);
