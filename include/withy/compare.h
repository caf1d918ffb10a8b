/* withy/compare.h - one problem under several methods, each refined until its error is known, and whether
 * they agree within the sum of their error bars.
 *
 * Level k runs with n 2^k intervals and the step dt / 2^k, from k = -2 on: where the resolution of the
 * problem is fine enough, the two coarser levels show it, at a third of the cost of one run.  Error bars by
 * Richardson from the three finest levels.  Then the method with the largest bar is refined, as long as
 * that can decide something: until all bars are below the accuracy, or the time is used up.  Methods without stretch and shear solve a simpler rod: its distance from the given one is
 * computed with another method and a stiffer rod, and subtracted before comparing.
 */
#pragma once

#include "withy/study.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WITHY_COMPARE_LEVELS = 11, WITHY_COMPARE_COARSER = 2, WITHY_COMPARE_METHODS = 16 };

/* What is compared: a vector at every output time, or at every point of a static path. */
enum {
    WITHY_COMPARE_FINISH,
    WITHY_COMPARE_MIDDLE,
    WITHY_COMPARE_FORCE,
    WITHY_COMPARE_MOMENT,
    WITHY_COMPARE_WHAT
};
/* "finish", "m"; NULL past the last. */
WITHY_API const char *withy_compare_name(int what);
WITHY_API const char *withy_compare_unit(int what);

/* One run. */
typedef struct withy_compare_run {
    int level;         /* n 2^level, dt 2^-level; -2 is the coarsest                              */
    int automatic;     /* 1: the given step does not suit this method, which uses its own         */
    int n;             /* options.n as used                                                       */
    double dt;         /* step as used; 0: statics, or a step that adapts                     [s] */
    double tol;        /* options.tol, when the method adapts its step; else 0                [-] */
    double elapsed;    /*                                                                     [s] */
    double node_steps; /* n * steps, or n * iterations of all equilibria                      [-] */
    int count;         /* output times, t = 0 included; or points of the path                     */
    double *t;         /* [count] times [s] or load factors                                       */
    withy_vec3
        *at[WITHY_COMPARE_WHAT]; /* [count]                                      [m] [N] [N m] */
    unsigned have;               /* bit i: at[i] was recorded                              */
    withy_notes notes;           /* of the method                                          */
    int64_t steps;               /* of a motion                                            */
    double used;                 /* processor time                                     [s] */
    double energy;               /* of the last equilibrium                            [J] */
    int negative;                /* its unstable directions; -1: not known, or a motion    */
    double *step_error
        [2]; /* [count] of finish and middle: what the step gets wrong up to t, as far as the run shows it
                      * alone; 0: equilibria, or a step that adapts or is not of second order [m] */
} withy_compare_run;

/* A method with its runs, finest last, and the error bars of the finest. */
typedef struct withy_compare_method {
    char name[WITHY_NAME];
    unsigned rigid; /* strains it leaves out (withy_method_info)                                  */
    int levels;     /* runs done; 0: refused or failed, reason in `skipped`                       */
    int automatic;  /* 1: from some level on the method uses its own step                         */
    int known;      /* 1: the levels converge, so that the error bars are meaningful              */
    double order;   /* the lowest observed; 0: two levels, too close for a third              [-] */
    withy_compare_run run[WITHY_COMPARE_LEVELS];
    double *error[WITHY_COMPARE_WHAT];  /* [count] error bar of the finest level                  */
    double largest[WITHY_COMPARE_WHAT]; /* over all times                                         */
    char skipped[WITHY_ERROR_TEXT];     /* why the coarsest levels failed, or why no finer one    */
    int formal;                         /* order of the method in n and dt; 0: faster than any    */
    int base_n;                         /* options.n of level 0                                   */
    double base_dt, base_tol;           /* step [s] and options.tol [-] of level 0; 0: none       */
} withy_compare_method;

/* Effect of leaving out stretch and shear: position of the rigid rod relative to the given one. */
typedef struct withy_compare_model {
    unsigned left_out;                     /* strains in question; 0: all methods solve one rod   */
    int known;                             /* 0: it could not be found                            */
    char found_with[WITHY_NAME];           /* the method                                          */
    withy_vec3 *shift[WITHY_COMPARE_WHAT]; /* [count]                                             */
    double *error[WITHY_COMPARE_WHAT];     /* [count] its bar                                     */
    double largest[WITHY_COMPARE_WHAT];    /* of the shift                                        */
} withy_compare_model;

/* One observable of two methods where they are worst: relative to the sum of their bars. */
typedef struct withy_compare_pair {
    int a, b, what; /* methods (index), observable                                      */
    double t;       /* where                                                  [s] or [-] */
    double distance,
        allowed; /* between them, and the sum of their bars                           */
    int known;   /* 0: an error bar is not known                                      */
    int agree;   /* within the bars at all times                                      */
    int apart;   /* 1: they do not: their equilibria differ in energy or stability     */
} withy_compare_pair;

typedef struct withy_comparison {
    int statics;   /* 1: equilibria                                        */
    double length; /* of the first rod                                 [m] */
    double travel; /* largest distance travelled, in the first method  [m] */
    int count, refused_count;
    withy_compare_method *method;  /* [count] that were solved                             */
    withy_compare_method *refused; /* [refused_count] name and why, in `skipped`           */
    withy_compare_model model;
    int pair_count, disagreements; /* pairs that do not agree, or whose error is not known */
    withy_compare_pair *pair;      /* [pair_count]                                         */
    withy_error model_error;       /* of finding the simpler rod; code WITHY_OK: none      */
} withy_comparison;

typedef struct withy_compare_setup {
    /* Callback: the problem, options and name for a method (NULL: for no particular method, to read
     * the request); what it fills must stay valid until withy_compare returns.  study->method, output
     * and progress are not read.  A method for which it fails is left out, with the error message. */
    withy_status (*study)(void *context, const char *method, withy_study *study, withy_error *err);
    const char *const
        *method; /* [method_count]; NULL: every method of the build                  */
    int method_count;
    int refine; /* most levels beyond the resolution of the problem      1 .. LEVELS - 3      */
    double
        accuracy; /* refine until bars / distance travelled is below this  [-] 1e-9 .. 1        */
    int statics;  /* 1: equilibria along the path instead of a motion                            */
    /* Called before every run, and now and then within it; non-zero stops with WITHY_INTERRUPTED.  May be NULL. */
    int (*progress)(void *context, const char *method, int level, int stiffer);
    void *
        context; /* first argument of both                                                        */
    double
        budget; /* processor time for all of it [s]; a run that would take more is left out; 0: any */
} withy_compare_setup;

/* Compare.  WITHY_OK also when methods disagree (disagreements > 0); freed by withy_comparison_free. */
WITHY_API withy_status withy_compare(const withy_compare_setup *setup, withy_comparison **result,
                                     withy_error *err);
WITHY_API void withy_comparison_free(withy_comparison *result); /* NULL is fine */

/* The value of an observable from method i at index k, the shift of a simpler rod subtracted. */
WITHY_API withy_vec3 withy_comparison_at(const withy_comparison *result, int i, int what, int k);

#ifdef __cplusplus
}
#endif
