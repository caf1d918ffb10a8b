/* least.h - least squares by Levenberg and Marquardt, from cminpack.  Room: src/numeric. */
#pragma once

/* r[rows] at x, or (r NULL) jac[rows][count], row-major; non-zero: there is no value at x. */
typedef int (*wy_least_model)(void *context, const double *x, double *r, double *jac);

typedef enum wy_least_end {
    WY_LEAST_DONE,    /* a minimum, within the tolerance     */
    WY_LEAST_SLOW,    /* the evaluations were used up        */
    WY_LEAST_NOWHERE, /* no value where it starts            */
    WY_LEAST_STOPPED, /* the model asked to stop: returned 2 */
    WY_LEAST_MEMORY,
    WY_LEAST_MISSING, /* the library is not in this build    */
} wy_least_end;

typedef struct wy_least {
    wy_least_model model;
    void *context;
    int rows, count;     /* rows >= count >= 1                                     */
    double tol;          /* relative, of the sum of squares and of x               */
    int most;            /* evaluations of r, at most                              */
    int runs, jacobians; /* made                                               */
} wy_least;

/* x[count]: start, then the best found. */
wy_least_end wy_least_squares(wy_least *least, double *x);
