/* want.h - the numbers of a member of a sweep: NAME[.COMPONENT][:HOW].
 *
 *   run     a probe; a number by name (withy/snapshot.h); at the end start, finish, force.start, ..., energy, kinetic, ...
 *   static  the same; energy, factor, negative, stress; figure.NAME of the method
 *   modes   frequency.K, damping.K, growth.K of mode K = 1, 2, ...
 *
 * Component: x, y, z, norm, or a number from 1.  How: last, max, min, mean, at=T, frequency.
 */
#pragma once

#include "withy/study.h"
#include "withy/sweep.h"

typedef enum wy_want_how {
    WY_WANT_LAST,
    WY_WANT_MAX,
    WY_WANT_MIN,
    WY_WANT_MEAN,
    WY_WANT_AT,
    WY_WANT_FREQUENCY
} wy_want_how;

typedef struct wy_want {
    char text[128];
    char name[128];                 /* of a probe, a figure or a number          */
    int source;                     /* which row of its table, or WY_WANT_PROBE  */
    const withy_quantity *quantity; /* how many numbers the name has    */
    int component;                  /* of withy_component_of            */
    int number;                     /* of a mode, from 1                */
    const char *unit;               /* "": not known                    */
    wy_want_how how;
    double at; /* [s], or the load factor                   */
} wy_want;

/* A probe of the problem; a figure; a number that gets a probe of its own. */
enum { WY_WANT_PROBE = -1, WY_WANT_FIGURE = -2, WY_WANT_NUMBER = -3 };

withy_status wy_want_read(wy_want *want, const char *text, withy_sweep_kind kind,
                          const withy_problem *problem, withy_error *err);
/* What every member has, where nothing is named: returns how many. */
int wy_want_usual(wy_want *want, withy_sweep_kind kind, const withy_problem *problem, int modes);

/* ---- values ------------------------------------------------------------------------------------- */

/* A series that grows. */
typedef struct wy_samples {
    int64_t count, room;
    double *t, *x;
} wy_samples;

/* The samples of the probes that are wanted. */
typedef struct wy_series {
    const wy_want *wants;
    int count;
    int probe[64];          /* number of the probe, -1: none             */
    wy_samples samples[64]; /* of each want                              */
    int failed;             /* 1: memory ran out                         */
    withy_problem problem;  /* that of the study, with a probe for each number */
    withy_probe *probes;
} wy_series;

/* From now on the study hands its samples to the series, which stays where it is. */
withy_status wy_series_attach(wy_series *series, withy_study *study, withy_error *err);
void wy_series_free(wy_series *series);

withy_status wy_want_of_run(const wy_series *series, int which, const withy_report *report,
                            double *value, withy_error *err);
withy_status wy_want_of_path(const wy_series *series, int which, const withy_static_report *report,
                             double *value, withy_error *err);
withy_status wy_want_of_modes(const wy_want *want, const withy_mode *mode, double *value,
                              withy_error *err);
