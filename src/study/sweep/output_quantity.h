/* output_quantity.h - the numbers of a member of a sweep: NAME[.COMPONENT][:HOW].
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

typedef enum wy_reduction {
    WY_REDUCE_LAST,
    WY_REDUCE_MAX,
    WY_REDUCE_MIN,
    WY_REDUCE_MEAN,
    WY_REDUCE_AT,
    WY_REDUCE_FREQUENCY
} wy_reduction;

typedef struct wy_output_quantity {
    char text[128];
    char name[128];                 /* of a probe, a figure or a number          */
    int source;                     /* which row of its table, or WY_OUTPUT_PROBE  */
    const withy_quantity *quantity; /* how many numbers the name has    */
    int component;                  /* of withy_component_of            */
    int number;                     /* of a mode, from 1                */
    const char *unit;               /* "": not known                    */
    wy_reduction how;
    double at; /* [s], or the load factor                   */
} wy_output_quantity;

/* A probe of the problem; a figure; a number that gets a probe of its own. */
enum { WY_OUTPUT_PROBE = -1, WY_OUTPUT_FIGURE = -2, WY_OUTPUT_NUMBER = -3 };

withy_status wy_output_quantity_read(wy_output_quantity *requested, const char *text,
                                     withy_sweep_kind kind, const withy_problem *problem,
                                     withy_error *err);
/* What every member has, where nothing is named: returns how many. */
int wy_output_quantity_usual(wy_output_quantity *requested, withy_sweep_kind kind,
                             const withy_problem *problem, int modes);

/* ---- values ------------------------------------------------------------------------------------- */

/* A series that grows. */
typedef struct wy_samples {
    int64_t count, room;
    double *t, *x;
} wy_samples;

/* The samples of the probes that are requested. */
typedef struct wy_series {
    const wy_output_quantity *quantities;
    int count;
    int probe[64];          /* number of the probe, -1: none             */
    wy_samples samples[64]; /* of each want                              */
    int failed;             /* 1: memory ran out                         */
    withy_probe *more;      /* a probe for each number                   */
} wy_series;

/* From now on the study hands its samples to the series, which stays where it is. */
withy_status wy_series_attach(wy_series *series, withy_study *study, withy_error *err);
void wy_series_free(wy_series *series);

withy_status wy_output_quantity_of_run(const wy_series *series, int which,
                                       const withy_report *report, double *value, withy_error *err);
withy_status wy_output_quantity_of_path(const wy_series *series, int which,
                                        const withy_static_report *report, double *value,
                                        withy_error *err);
withy_status wy_output_quantity_of_modes(const wy_output_quantity *requested,
                                         const withy_mode *mode, double *value, withy_error *err);
