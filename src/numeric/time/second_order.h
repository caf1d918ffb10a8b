/* second_order.h - integrators of u'' = a(t, u, u') with prescribed entries.  Room: src/numeric.
 *
 * Explicit (second_explicit.c): Euler, Runge-Kutta of order 2, 3, 4, Adams-Bashforth of order 2, 3.  Implicit,
 * by dense Newton (second_implicit.c): the midpoint rule, generalised alpha, Radau IIA of two stages.  With
 * the step chosen from the error: explicit Runge-Kutta of order 5 by SUNDIALS (second_adaptive.c), and BDF of
 * order 1 to 5 (second_bdf.c).
 *
 * The state is `fields` arrays of `nodes` numbers, `ld` apart.  Some entries are prescribed (bound), and
 * each node may have a constraint of its own, such as quaternions of length 1 (project).
 */
#pragma once

#include "base/base.h"
#include "base/block.h"
#include "base/interrupt.h"

enum {
    WY_SECOND_EULER,
    WY_SECOND_RK2,
    WY_SECOND_RK3,
    WY_SECOND_RK4,
    WY_SECOND_AB2,
    WY_SECOND_AB3,
    WY_SECOND_MIDPOINT,
    WY_SECOND_ALPHA,
    WY_SECOND_RADAU,
    WY_SECOND_ERK,
    WY_SECOND_BDF
};

enum { WY_SECOND_BDF_ORDER = 5, WY_SECOND_BDF_ROWS = WY_SECOND_BDF_ORDER + 3 };

typedef struct wy_second_problem {
    int kind; /* WY_SECOND_EULER .. */
    const char *who,
        *cure; /* for the message about a step that does not converge: method, advice */
    int fields, nodes, ld;
    const char *held;   /* [fields][nodes] 1: prescribed */
    const double *unit; /* [fields] of Newton's corrections and of absolute errors */
    int projects;       /* project also after explicit and adaptive steps */
    int late;           /* every stage of Runge-Kutta has the prescribed entries of t + h */
    double rho;         /* spectral radius at infinity of generalised alpha */
    double newton_tol;  /* on the largest correction of u, in units */
    int newton_max;
    double relative, absolute; /* errors of the adaptive ones, absolute in units */
    wy_interrupt *interrupt;   /* asked between steps of their own and between iterations */

    void *self;
    withy_status (*accel)(void *self, double t, const double *u, const double *v, double *a,
                          withy_error *err);
    /* Prescribed entries of u and v at t; inside a stage rates are not needed. */
    withy_status (*bound)(void *self, double t, int stage, double *u, double *v, withy_error *err);
    void (*project)(void *self, double *u, double *v);
    /* After each step of an adaptive one, (t, u, v) and the accelerations there: an error ends the call. */
    withy_status (*stepped)(void *self, double t, withy_error *err);
    /* da/du and da/dv, row-major [fields nodes][fields nodes] without padding, at a state whose
     * accelerations have just been made; rows of prescribed entries are zero. */
    withy_status (*rates)(void *self, double t, const double *u, const double *v, double *rate_u,
                          double *rate_v, withy_error *err);
} wy_second_problem;

/* Kept besides the arrays. */
typedef struct wy_second_state {
    double h;                /* the last step (adaptive: the next), 0 before the first [s] */
    int64_t history, newest; /* Adams-Bashforth: steps kept, the index of the last */
    int64_t order, equal;    /* BDF: order (0: not started), steps of the present length */
    double now;              /* BDF: time of the differences [s] */
} wy_second_state;

/* Newton in time. */
typedef struct wy_second_newton {
    double *rate_u, *rate_v; /* [m][m] da/du, da/dv; m = fields nodes */
    double *matrix;          /* [stages m][stages m], factored */
    int *pivot;
    double *step;            /* [stages m] */
    double *us, *vs;         /* a stage, [size] */
    double *as[2];           /* accelerations of the stages, [size] */
    double *found, *keep[2]; /* [size] */
} wy_second_newton;

typedef struct wy_second {
    wy_second_problem problem;
    int m, size;            /* fields nodes, fields ld */
    wy_second_state *state; /* the caller's */
    double *u, *v, *a;      /* [size] state and accelerations at t, the caller's */
    double *old;            /* state, Adams-Bashforth: (v, a) of the last three steps, [3][2][size];
                  * BDF: backward differences of y = (u, v), [WY_SECOND_BDF_ROWS][2 m] */
    double *stage[7];       /* scratch [size] */
    wy_second_newton newton; /* scratch of an implicit one */
    struct wy_ode *ode;      /* of erk */
    double *y;               /* [2 m] scratch of an adaptive one; BDF: [4][2 m] */
    double halving;          /* of an adaptive one: absolute errors of v over those of u [1/s] */
    int have_matrix;         /* BDF: rate_u and rate_v are those of this call */
    int iterations, most, halvings; /* of Newton in the last step: sum, largest, steps cut in two */
    long steps;                     /* of an adaptive one in the last call */
} wy_second;

static inline int wy_second_is_explicit(int kind) {
    return kind <= WY_SECOND_AB3;
}
static inline int wy_second_is_adaptive(int kind) {
    return kind >= WY_SECOND_ERK;
}
/* Does it need da/du and da/dv? */
static inline int wy_second_is_implicit(int kind) {
    return !wy_second_is_explicit(kind) && kind != WY_SECOND_ERK;
}

/* Sizes from the problem; then the arrays of the integrator from state and scratch. */
void wy_second_layout(wy_second *x, wy_block *state, wy_block *scratch);
/* One step of an explicit or implicit integrator. */
withy_status wy_second_step(wy_second *x, double t, double h, withy_error *err);

/* Largest |eigenvalue| of da/du (or of da/dv) at the present state, by power iteration with
 * differences of length e.  The accelerations are made anew afterwards. */
withy_status wy_second_largest(wy_second *x, double t, int velocity, double e, double *value,
                               withy_error *err);
/* The longest step of an explicit integrator by which the highest mode, of frequency omega and decay
 * `loss`, stays bounded or, where it always grows, grows by exp(6) at most within a time. */
double wy_second_longest(int kind, double omega, double loss, double time);

/* The rate [1/s] at which a step h of Runge-Kutta makes the linearised motion grow, about the present state
 * with all its damping: 200 steps of it from a rough start.  Changes are of size `small`, pace: about the largest
 * frequency.  work: [6 size].  INFINITY: not known (Adams-Bashforth), or beyond all numbers. */
withy_status wy_second_growth(wy_second *x, double t, double h, double small, double halving,
                              double *work, double *rate, withy_error *err);

/* Adaptive: pace [1/s] turns absolute errors of u into those of v. */
withy_status wy_second_adaptive_make(wy_second *x, double halving, wy_arena *arena,
                                     withy_error *err);
/* From t to `to`.  What is kept between two calls is part of the state: the step last suggested, and the
 * differences of BDF.  The steps depend on where it stops. */
withy_status wy_second_adaptive_advance(wy_second *x, double t, double to, withy_error *err);

/* ---- between the files ------------------------------------------------------------------------- */
static inline withy_status wy_second_accel(const wy_second *x, double t, const double *u,
                                           const double *v, double *a, withy_error *err) {
    return x->problem.accel(x->problem.self, t, u, v, a, err);
}
withy_status wy_second_implicit_step(wy_second *x, double t, double h, withy_error *err);
withy_status wy_second_bdf_advance(wy_second *x, double t, double to, withy_error *err);
/* An array of the problem without its padding. */
void wy_second_pack(const wy_second *x, const double *u, double *y);
/* y' at (t, y); da/du and da/dv there, in newton.rate_u and rate_v; what is done after each step. */
withy_status wy_second_rate(void *x, double t, const double *y, double *dy, withy_error *err);
withy_status wy_second_matrices(wy_second *x, double t, const double *y, withy_error *err);
withy_status wy_second_stepped(void *x, double t, const double *y, withy_error *err);
