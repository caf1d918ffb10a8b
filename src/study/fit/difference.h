/* difference.h - derivatives of numbers by parameters from differences of whole solutions, with what is known of their error.
 *
 * Numbers that are computed need not be smooth in a parameter: signals switch between two samples of a step, a rod gets other
 * elements, a body touches another later or not at all.  Carefully, a derivative is taken from steps h and h/2 to both sides:
 * the central one where the two agree, else that of one side, else longer steps are tried, beyond the grain of the numbers.
 */
#pragma once

#include "base/base.h"
#include "withy/fit.h"

/* value[rows] at p[count]; may be called by several threads at once. */
typedef withy_status (*wy_difference_model)(void *context, const double *p, int rows, double *value,
                                            withy_error *err);

/* Of one parameter. */
typedef struct wy_difference_by {
    double step;  /* relative; 0: the least                                              */
    double grain; /* below which the numbers are no function of it, 0: none  [its unit]  */
    double miss;  /* by which differences disagree, over the derivative; 1: no derivative */
} wy_difference_by;

/* Zeros but for the first five; freed with wy_difference_free. */
typedef struct wy_difference {
    const withy_fit_free *free; /* [count] */
    int count, threads;         /* threads 0: as many as there are processors */
    wy_difference_model model;
    void *context;
    wy_difference_by by[WITHY_FIT_MOST];
    /* the solutions around the last set, so that none is computed twice */
    double p[WITHY_FIT_MOST];
    int rows;
    struct wy_difference_point *point;
    wy_arena memory;
} wy_difference;

/* The step of a difference within the range of a parameter. */
double wy_difference_step(const withy_fit_free *f, double p, double relative);
/* slope[rows][count] at p, where the numbers are here[rows]; with care, and then `by` is found, or with the steps that are
 * in it. */
withy_status wy_difference_find(wy_difference *x, int careful, const double *p, const double *here,
                                int rows, double *slope, withy_error *err);
void wy_difference_free(wy_difference *x);
