/* fit.h - what the files of a fit of a problem to data share; least_squares.c is the search. */
#pragma once

#include "base/columns.h"
#include "study/fit/difference.h"
#include "study/fit/search_record.h"
#include "study/fit/variants.h"
#include "study/sim.h"
#include "withy/fit.h"
#include "withy/minimise.h"

typedef enum wy_fit_kind { WY_FIT_MOTION, WY_FIT_PATH, WY_FIT_SHAPE, WY_FIT_MODE } wy_fit_kind;

/* Where a column of numbers is observed. */
typedef struct wy_fit_column {
    int station, axis; /* of position: 0, 1, 2                                     */
    int other;         /* 1: another number, which is differentiated by differences */
} wy_fit_column;

typedef struct wy_fit_state {
    const withy_scene_fit *setup;
    wy_variants *variants;
    withy_fit_curve *curve;
    wy_arena *arena;
    wy_fit_kind kind;
    wy_columns table;
    wy_fit_column column[WY_COLUMNS_MOST];
    double *s; /* [stations] where, at the start of the fit */
    int *rod;  /* [stations] on which rod */
    int stations;
    int others; /* is any column another number than a position of a rod? */
    int exact;
    int rows; /* for which differences were last taken with care */
    wy_difference difference;
    int window[32], windows; /* numbers to fit first, then more of them */
    wy_search_record best;
} wy_fit_state;

/* fit_data.c: the table, and where its columns are observed in a problem: s[stations]. */
withy_status wy_fit_read(wy_fit_state *x, const withy_problem *problem, withy_error *err);
withy_status wy_fit_places(const wy_fit_state *x, const withy_problem *problem, double *s,
                           withy_error *err);
/* What column k names in a problem. */
withy_status wy_fit_number(const wy_fit_state *x, const withy_problem *problem, int k,
                           withy_number *number, withy_error *err);
int wy_fit_numbers(const wy_fit_state *x);           /* in a row */
double wy_fit_size(const wy_fit_state *x, int rows); /* of the data: root of the sum of squares */

/* fit_observe.c: the first `rows` numbers of a simulation, value[rows], or their derivatives, slope[rows][count]. */
withy_status wy_fit_observe(wy_fit_state *x, withy_sim *sim, const double *p, int rows,
                            double *value, double *slope, withy_error *err);

/* fit_derivative.c: numbers and derivatives at p. */
withy_status wy_fit_values(wy_fit_state *x, const double *p, int rows, const wy_known **known,
                           withy_error *err);
withy_status wy_fit_slopes(wy_fit_state *x, const double *p, int rows, double *slope,
                           withy_error *err);
/* As a wy_difference_model, in threads; the context is the observer. */
withy_status wy_fit_solve(void *observer, const double *p, int rows, double *value,
                          withy_error *err);

/* fit_check.c: after the search, from p. */
withy_status wy_fit_check_exact(wy_fit_state *x, const double *p, int rows, int *holds,
                                withy_error *err);
/* From p, by differences, when the exact ones do not hold. */
withy_status wy_fit_again(wy_fit_state *x, const withy_fit_setup *fit, double *p,
                          withy_fit_result *result, withy_error *err);
withy_status wy_fit_check_differences(wy_fit_state *x, const double *p, int rows,
                                      withy_fit_result *result, withy_error *err);

/* fit.c, design.c: withy_fit_of_scene and withy_minimise_scene of problems from any source. */
withy_status wy_fit_of_variants(const withy_scene_fit *setup, const wy_variant_source *source,
                                withy_fit_result *result, withy_fit_curve *curve, withy_error *err);
withy_status wy_minimise_variants(const withy_scene_minimise *setup,
                                  const wy_variant_source *source, withy_minimum *minimum,
                                  withy_error *err);
