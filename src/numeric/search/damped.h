/* damped.h - Newton's method, damped where necessary, with old factors where they suffice.
 * Room: src/numeric.
 *
 * A step is the largest fraction 1, 1/2, 1/4 ... of the correction that passes the natural monotonicity
 * test: the next correction with the same matrix must be shorter.  While corrections with the same matrix
 * shrink fast they are taken, because they are cheaper than a new matrix.
 */
#pragma once

#include "base/base.h"

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
