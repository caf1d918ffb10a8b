/* step_error.h - what the step of a single run gets wrong, from numbers one step apart.
 *
 * A method of order p has the phase of x = A cos omega t wrong by c (omega h)^(p+1) in every step: A c (omega h)^(p+1) is
 * lost, and adds up, to 2 A at most (c = 1/12 for the midpoint rule).  Of p + 2 numbers one step apart the central
 * differences are
 *
 *   |D_k| = A s^(k/2) |sin| or |cos|,   s = 4 sin^2(omega h / 2),
 *
 * so that the sum of c |D_(p+1)| is 2/pi of what is lost, the mean of |sin|, and the amplitude is
 *
 *   A = |D_p|^(p+1) / |D_(p+1)|^p,   of mean squares, 1/2 of the largest,   A = 2^(1/2) <D_p^2>^((p+1)/2) / <D_(p+1)^2>^(p/2):
 *
 * of waves of several lengths that of the shortest ones, which are first wrong by all of it.  A likely error is limited
 * by the second, an error bar by the largest of the first.
 * What has s = |D_(p+1)| / |D_(p-1)| > 1/2 is not resolved: in a step less than c |D_(p+1)| / (1 - s/2) is lost by the
 * midpoint rule (2 tan(x/2) - x, x = omega h) and by that of kirchhoff and elastica, and the amplitude is
 * |D_(p-1)| / s^((p-1)/2), or where a slow motion adds to |D_(p-1)| less, down to |D_(p+1)| / 2^(p+1).  A likely error has
 * the least amplitude once, an error bar the sum, up to twice the larger one.
 * Euler's method, p = 1, is looked at with the differences of p = 2 and loses c |D_2|.
 *
 * It sees what oscillates between two outputs, where runs with a longer and a shorter step may meet by chance
 * (refine.h, compare.h), and costs no other run (resolution_check.h).
 */
#pragma once

#include "base/base.h"
#include "study/sim.h"

enum { WY_STEP_ERROR_ORDER = 4, WY_STEP_ERROR_RING = WY_STEP_ERROR_ORDER + 2 };
/* Of `items` vectors of `width` numbers in all. */
#define WY_STEP_ERROR_ROOM(items, width) (WY_STEP_ERROR_RING * (width) + 7 * (items))

typedef struct wy_step_error {
    int order;        /* p; 0: the step is not judged                       */
    double part;      /* c                                                  */
    int rows;         /* that differences are taken of                      */
    int items, width; /* vectors, and numbers of them all                   */
    const int *first; /* [items + 1] the first number of each               */
    double steps;     /* that have been judged                              */
    int filled;       /* rows of the ring                                   */
    double last;      /* time of the newest [s]                             */
    double *ring;     /* [WY_STEP_ERROR_RING][width]                              */
    double *sum[2];   /* [items] what is lost: resolved, not resolved       */
    double *mean[2];  /* [items] sums of |D_p|^2 and |D_(p+1)|^2 */
    double *size[3];  /* [items] amplitudes: resolved, not resolved, and the least of these */
} wy_step_error;

/* Of a motion with this simulation; a step that adapts is not judged.  room: WY_STEP_ERROR_ROOM numbers, 0. */
void wy_step_error_open(wy_step_error *x, const withy_sim *sim, int items, const int *first,
                        double *room);
/* How many steps to make at once, after `done` of `steps` in an interval, `most` at most; stands > 0: one, and then
 * look: it is of a row that stands for so many. */
double wy_step_error_skip(const wy_step_error *x, double done, double steps, double most,
                          double *stands);
/* The numbers now, where this step stands for so many; 0: it only leads up to one that does. */
void wy_step_error_add(wy_step_error *x, const withy_sim *sim, const double *value, double stands);
/* What is likely lost so far. */
double wy_step_error_estimate(const wy_step_error *x, int item);
/* What is lost at most: first terms of series in omega h, so that half as much again is added. */
double wy_step_error_bound(const wy_step_error *x, int item);
