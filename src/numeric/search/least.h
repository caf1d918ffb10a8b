/* least.h - least squares by Levenberg and Marquardt, from cminpack.  Room: src/numeric. */
#pragma once

#include "numeric/search/search.h"

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
