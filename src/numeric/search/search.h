/* search.h - how a search for a minimum ends.  Room: src/numeric. */
#pragma once

#include "base/base.h"

typedef enum wy_search_end {
    WY_SEARCH_DONE,       /* a minimum, within the tolerance                  */
    WY_SEARCH_SLOW,       /* the evaluations were used up                     */
    WY_SEARCH_NOWHERE,    /* no value or no derivatives where it starts; of least squares, which
                           * need them at the answer too, no derivatives where it came to */
    WY_SEARCH_LOST,       /* no derivatives at a later point: x is the best one visited */
    WY_SEARCH_IMPOSSIBLE, /* the constraints are not met at any point visited */
    WY_SEARCH_STOPPED,    /* the model asked to stop: returned 2              */
    WY_SEARCH_MEMORY,
    WY_SEARCH_MISSING, /* the library is not in this build                 */
} wy_search_end;

/* ---- least.c: least squares by Levenberg and Marquardt, from cminpack. */

/* r[rows] at x, or (r NULL) jac[rows][count], row-major; non-zero: there is no value at x. */
typedef int (*wy_least_model)(void *context, const double *x, double *r, double *jac);

typedef struct wy_least {
    wy_least_model model;
    void *context;
    int rows, count;     /* rows >= count >= 1                                     */
    double tol;          /* relative, of the sum of squares and of x               */
    int most;            /* evaluations of r, at most                              */
    int runs, jacobians; /* made                                               */
} wy_least;

/* x[count]: start, then the best found. */
wy_search_end wy_least_squares(wy_least *least, double *x);

/* ---- descend.c: the least value of a function with bounds and constraints, from NLopt. */

/* value[1 + constraints] at x, of which the first is to be least and the others must be <= 0, or 0 where they are
 * equalities; slope[1 + constraints][count] or NULL.  1: there is none at x; 2: stop. */
typedef int (*wy_descend_model)(void *context, const double *x, double *value, double *slope);

typedef struct wy_descend {
    wy_descend_model model;
    void *context;
    int count;       /* of x: each between 0 and 1                       */
    int constraints; /* of them the first `equal` are equalities         */
    int equal;
    double tol;             /* relative, of the value and of x                  */
    double slack;           /* a constraint is met within this                  */
    int most;               /* evaluations at most                              */
    int runs, slopes;       /* made                                             */
    double best, violation; /* value, and largest violation of a constraint, there */
} wy_descend;

/* x[count]: start, then the best point that meets the constraints, or the one that misses them least. */
wy_search_end wy_descend_find(wy_descend *descend, double *x);

/* ---- damped.c: Newton's method, damped where necessary, with old factors where they suffice.
 *
 * A step is the largest fraction 1, 1/2, 1/4 ... of the correction that passes the natural monotonicity
 * test: the next correction with the same matrix must be shorter.  While corrections with the same matrix
 * shrink fast they are taken, because they are cheaper than a new matrix.
 */

typedef struct wy_damped {
    void *self;
    double tolerance; /* on the norm of a correction */
    int most;         /* factorisations */
    /* The matrix at the iterate.  False: singular. */
    bool (*factor)(void *self);
    /* Solve for the present residual into one of two corrections; returns its norm, NaN if it is not
     * finite. */
    double (*find)(void *self, int trial);
    /* The iterate becomes base + fraction times a correction, and the residual is made there. */
    void (*move)(void *self, double fraction, int trial);
    void (*set_base)(void *self); /* base := the iterate */
} wy_damped;

/* From an iterate whose residual is known; *norm: of the last correction.  False: no convergence. */
bool wy_damped_solve(const wy_damped *x, int *iterations, double *norm);
