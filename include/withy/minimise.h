/* withy/minimise.h - design: parameters for which a number is least, within bounds and under constraints.
 *
 *     withy fit spring.lua --minimise mass --subject "force.finish.z >= 12" --subject "stress <= 4e8"
 *
 * withy_minimise takes any function of the parameters; withy_minimise_scene makes one of a scene and of expressions.
 * Local minima are found, from where the parameters start.  Optimisers: NLopt (SLSQP; for more than a hundred
 * parameters L-BFGS or CCSA).
 */
#pragma once

#include "withy/fit.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WITHY_MINIMISE_NUMBERS = 24, WITHY_MINIMISE_CONSTRAINTS = 32 };

/* value[1 + constraints] at p[count], or (value NULL) slope[1 + constraints][count], row-major: first the number that
 * is to be least, then those that must be 0 (`equal` of them), then those that must be <= 0, each of the size 1: they
 * hold within 1e-8.
 * WITHY_INTERRUPTED ends the search; another failure means that there is no value at p.  Derivatives that fail, or are not
 * finite, where there is a value end it too: with the best point visited, or, at the start, with that failure. */
typedef withy_status (*withy_minimise_model)(void *context, const double *p, double *value,
                                             double *slope, withy_error *err);

/* Everything is borrowed for the call. */
typedef struct withy_minimise_setup {
    size_t size; /* of this struct: withy_minimise_default()                                      */
    withy_minimise_model objective;
    void *context;              /* its first argument                                             */
    const withy_fit_free *free; /* [count] with finite bounds                                     */
    int count;                  /* 1 .. WITHY_FIT_MOST                                            */
    int constraints, equal; /* 0 .. WITHY_MINIMISE_CONSTRAINTS; equal <= constraints              */
    int most;               /* evaluations; 0: 500                                            */
    double tol;             /* of parameters and value, relative; 0: 1e-9         [-]         */
} withy_minimise_setup;

WITHY_API withy_minimise_setup withy_minimise_default(void); /* zeros and its size */

typedef struct withy_minimum {
    int count;
    double p[WITHY_FIT_MOST]; /* the parameters                                      [their unit] */
    int bound
        [WITHY_FIT_MOST]; /* -1, 1: on its lower or upper bound; 0: inside                    */
    double value;         /* there                                                            */
    double first;         /* where it started                                                 */
    double
        violation; /* largest, of the constraints                             [as the objective's] */
    int runs, slopes; /* evaluations of values and of derivatives                                 */
    int converged;    /* 0: the evaluations were used up, or derivatives failed: notes            */
    /* of a scene: the numbers that occur in the expressions, at the minimum and at the start */
    int numbers;
    char name[WITHY_MINIMISE_NUMBERS][128];
    double number[WITHY_MINIMISE_NUMBERS], number_first[WITHY_MINIMISE_NUMBERS];
    int exact;    /* 1: with exact derivatives                                                 */
    int negative; /* of an equilibrium: unstable directions; -1: not known                     */
    withy_notes notes;
    int readings; /* of the scene, one for each set of values                                  */
    /* with `derive`: of the objective by the parameters, and by how much differences with other steps disagree, over it */
    double slope[WITHY_FIT_MOST], slope_error[WITHY_FIT_MOST];
} withy_minimum;

WITHY_API withy_status withy_minimise(const withy_minimise_setup *setup, withy_minimum *minimum,
                                      withy_error *err);

/* Expressions of numbers with + - * / ^, brackets, abs, sqrt, log, exp, sin, cos, min, max and
 * cents(f, reference).  Numbers:
 *   params.NAME, mass [kg], length [m]               of the scene
 *   stress [Pa]                                      largest in the equilibrium (von Mises, beam theory;
 *                                                    round and tubular sections)
 *   miss, miss.max [m]                               distance of the equilibrium from the target, root mean
 *                                                    square and largest
 *   finish.z, force.start.z, energy, negative, ...   of the equilibrium, as docs/sweep.md has them
 *   frequency.1, damping.1, ...                      of modes
 *   with `run`: probes (tip.z:max), energy, ...      of the motion, instead of the equilibrium
 */
typedef struct withy_scene_minimise {
    size_t size; /* of this struct: withy_scene_minimise_default()                                */
    withy_fit_read read; /* may be called by several threads at once where threads > 1            */
    int (*stop)(void *context); /* non-zero: end with WITHY_INTERRUPTED; NULL: never              */
    void *context;              /* first argument of all                                          */
    const char *method;         /* NULL: that of the scene                                        */
    const char *objective;      /* expression that is to be least                                 */
    const char *const *subject; /* [subject_count] "stress <= 4e8", "finish.z >= 0.1", "a == b"   */
    int subject_count; /* 0 .. WITHY_MINIMISE_CONSTRAINTS                                    */
    const withy_fit_free *free; /* [count] the name is the path of an override; finite bounds     */
    int count;                  /* 1 .. WITHY_FIT_MOST                                            */
    const char *target;         /* the text of a table s, x, y, z; NULL: there is none            */
    size_t target_size;         /*                                                     [bytes]    */
    const char *target_name;    /* its name in messages                                           */
    int run;                    /* 1: names are those of the motion                               */
    int differences;            /* 1: by differences even where derivatives are exact             */
    int threads; /* of readings and differences, 1 or more; 0: as many as there are processors    */
    int most;    /* evaluations; 0: 500                                            */
    withy_fit_best best; /* NULL: not reported                                            */
    const char *resume;  /* such a text, of the same search; NULL: from the start                 */
    int derive; /* 1: no search, but the derivatives of the objective at the start; ranges may be infinite */
} withy_scene_minimise;

WITHY_API withy_scene_minimise withy_scene_minimise_default(void); /* zeros, its size, one thread */

WITHY_API withy_status withy_minimise_scene(const withy_scene_minimise *setup,
                                            withy_minimum *minimum, withy_error *err);

#ifdef __cplusplus
}
#endif
