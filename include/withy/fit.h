/* withy/fit.h - parameters from data: bounded least squares with standard errors.
 *
 * The model is any function of the parameters that gives the numbers of the data and their derivatives;
 * withy_fit_of_scene makes one of a scene.  Bounds are kept by a change of variables; parameters that range over orders of
 * magnitude are varied by their logarithm.  A motion whose phase depends on the parameters has many minima: with
 * windows the first part of the data is fitted first, then more and more of it.
 */
#pragma once

#include "withy/base.h"
#include "withy/note.h"
#include "withy/problem.h"
#include "withy/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WITHY_FIT_MOST = 256 }; /* free parameters */

/* A free parameter. */
typedef struct withy_fit_free {
    char name[WITHY_NAME];
    double value;     /* where the fit starts                       [its unit] low <= . <= high   */
    double low, high; /* bounds; -INFINITY, INFINITY: none          [its unit]                    */
    int log;          /* 1: varied by its logarithm; low > 0        0 or 1                        */
} withy_fit_free;

/* The first `rows` numbers of the data at p[count]: value[rows], or (value NULL) slope[rows][count], row-major.
 * WITHY_INTERRUPTED ends the fit; another failure means that there is no value at p. */
typedef withy_status (*withy_fit_model)(void *context, const double *p, int rows, double *value,
                                        double *slope, withy_error *err);

/* Everything is borrowed for the call. */
typedef struct withy_fit_setup {
    size_t size; /* of this struct: withy_fit_default()                                           */
    withy_fit_model model;
    void *context;              /* its first argument                                             */
    const withy_fit_free *free; /* [count]                                                        */
    int count;                  /* 1 .. WITHY_FIT_MOST                                            */
    const double *data;         /* [rows]                                                         */
    const double *sigma;        /* [rows] standard deviations, > 0; NULL: not known and all equal,
                                 * taken from the misfit                                          */
    int rows;                   /* >= count                                                       */
    const int *window; /* [windows] how many of the rows to fit first, increasing; the last is rows;
                        * NULL: all at once                                                       */
    int windows;
    int most;   /* evaluations of the model per window; 0: 200                                    */
    double tol; /* of parameters and sum of squares, relative; 0: 1e-10              [-]          */
} withy_fit_setup;

WITHY_API withy_fit_setup withy_fit_default(void); /* zeros and its size */

/* An estimated parameter. */
typedef struct withy_fit_value {
    double value;     /* the estimate                                                  [its unit] */
    double error;     /* standard error; infinite: the data do not determine it        [its unit] */
    double low, high; /* 95 % interval                                                 [its unit] */
    int bound;        /* -1, 1: it lies on its lower or upper bound; 0: inside                    */
    double null; /* share in the direction that the data determine least, -1 .. 1; of logarithms
                       * where it is varied by them                                    [-]        */
} withy_fit_value;

typedef struct withy_fit_result {
    int count;
    withy_fit_value value[WITHY_FIT_MOST];
    double *correlation; /* [count][count], owned: withy_fit_free_result                          */
    double
        condition;  /* of the scaled problem: beyond 1e4 parameters cannot be told apart; infinite:
                          * not at all                                                  [-] >= 1  */
    double least;   /* smallest singular value over the largest, of the scaled problem  [-]  */
    double sum;     /* of squares, over sigma^2 where sigma is given                         */
    double scatter; /* sigma: as given (1), or from the misfit            [unit of the data] */
    int runs, jacobians; /* evaluations of the model                                              */
    int converged; /* 0: the evaluations were used up, or it ended away from the optimum       */
    double away; /* of the optimum, by the slope of the misfit there: 0.1 is a tenth of the standard
                  * errors, beyond which it has not converged                         [-] >= 0    */
    int moved;   /* 0: the estimate is the start                                                  */
    int readings; /* of a scene: how often it was read, once for each set of values               */
} withy_fit_result;

/* WITHY_INTERRUPTED: values and sum of the best point so far are in the result, without errors. */
WITHY_API withy_status withy_fit(const withy_fit_setup *setup, withy_fit_result *result,
                                 withy_error *err);
WITHY_API void withy_fit_free_result(withy_fit_result *result); /* NULL is fine */

/* ---- of a scene -------------------------------------------------------------------------------------
 *
 * The data are a table with a row of names (units in brackets may follow):
 *   t, tip.x, tip.y      a motion: times, then components of positions: NAME is a probe of position of the
 *                        scene, or start or finish, the ends of the first rod
 *   factor, ...          equilibria under that share of the loads: the same columns
 *   force.start.x, moment.finish.z    in both: of the support on the first rod at its ends [N], [N m]
 *   s, x, y, z           the shape of the equilibrium: arc lengths, then components of positions
 *   mode, frequency      natural frequencies about the equilibrium: number of the mode (1, 2, ...) and [Hz]
 * Derivatives are exact where the method has them (withy/gradient.h), else central differences.
 */

/* The scene with these overrides ("params.young=1e6"), freed by the caller. */
typedef withy_status (*withy_fit_read)(void *context, const char *const *override,
                                       int override_count, withy_scene **scene, withy_error *err);

/* A better point was found: a text from which `resume` continues, valid during the call.  The first comes before anything is
 * computed, with the start. */
typedef void (*withy_fit_best)(void *context, const char *record);

typedef struct withy_scene_fit {
    size_t size; /* of this struct: withy_scene_fit_default()                                     */
    withy_fit_read read;
    int (*stop)(void *context); /* non-zero: end with WITHY_INTERRUPTED; NULL: never              */
    void *context;              /* first argument of all                                          */
    const char *method;         /* NULL: that of the scene                                        */
    const char *data;           /* the text of the table                                          */
    size_t data_size;           /*                                                     [bytes]    */
    const char *data_name;      /* its name in messages                                           */
    const withy_fit_free *free; /* [count] the name is the path of an override                    */
    int count;                  /* 1 .. WITHY_FIT_MOST                                            */
    double sigma;               /* standard deviation of every number; 0: from the misfit  >= 0   */
    int windows;     /* of a motion: fit 1/2^(windows - 1), .., 1/4, 1/2 of the data first  >= 1  */
    int differences; /* 1: by differences even where derivatives are exact                        */
    int threads; /* of readings and differences, 1 or more; 0: as many as there are processors.  With more than one `read` is
                  * called by several threads at once                                             */
    withy_fit_best best; /* NULL: not reported                                            */
    const char *resume;  /* such a text, of a fit with the same scene, data and settings: it
                          * continues from there; NULL: from the start                                   */
} withy_scene_fit;

WITHY_API withy_scene_fit
withy_scene_fit_default(void); /* zeros, its size, one window, one thread */

/* Data and the model at the estimate. */
typedef struct withy_fit_curve {
    int rows, columns;
    const char
        *axis; /* "t", "factor", "s" or "mode"                                               */
    char (*name)[WITHY_NAME]; /* [columns]                                                        */
    double *at;               /* [rows]                                                           */
    double *data, *model;     /* [rows][columns]                                                  */
    int exact;                /* 1: with exact derivatives                                        */
    int negative; /* of an equilibrium: unstable directions; -1: not known, or a motion */
    double
        growth; /* largest |p dr/dp| over the length: beyond 1e3 the motion is hardly predictable [-] */
    withy_notes notes; /*                                                     */
    void *memory; /* of the arrays: withy_fit_curve_free                                       */
} withy_fit_curve;

WITHY_API withy_status withy_fit_of_scene(const withy_scene_fit *setup, withy_fit_result *result,
                                          withy_fit_curve *curve, withy_error *err);
WITHY_API void withy_fit_curve_free(withy_fit_curve *curve); /* NULL is fine */

#ifdef __cplusplus
}
#endif
