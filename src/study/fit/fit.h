/* fit.h - what the files of a fit of a problem to data share; least_squares.c is the search. */
#pragma once

#include <stdatomic.h>

#include "base/base.h"
#include "base/columns.h"
#include "numeric/search/search.h"
#include "study/sim.h"
#include "study/sweep/output_quantity.h"
#include "study/variant.h"
#include "withy/base.h"
#include "withy/fit.h"
#include "withy/gradient.h"
#include "withy/minimise.h"

/* ---- parameters that a search varies: what fit.c and minimise.c share. */

static inline double wy_free_parameter_scale(const withy_fit_free *f,
                                             double p) { /* z = p, or ln p */
    return f->log ? log(p) : p;
}

/* dp/dz, and p = p(z). */
static inline double wy_free_parameter_at(const withy_fit_free *f, double z, double *slope) {
    const double p = f->log ? exp(z) : z;
    *slope = f->log ? p : 1;
    return p;
}

/* Its start and its scale; `what` is searching: "the fit". */
static inline withy_status wy_free_parameter_check(const withy_fit_free *f, const char *what,
                                                   withy_error *err) {
    if (!(f->value >= f->low && f->value <= f->high))
        return wy_bad_input(err, "%s = %g: %s starts outside its range %g .. %g", f->name, f->value,
                            what, f->low, f->high);
    if (f->log && !(f->low > 0))
        return wy_bad_input(err, "%s: %g .. %g: a logarithmic range begins above 0; leave :log out",
                            f->name, f->low, f->high);
    return WITHY_OK;
}

/* The interval that holds p with 95 % of a normal distribution, whose standard deviation is that of z. */
static inline void wy_free_parameter_interval(const withy_fit_free *f, double deviation,
                                              withy_fit_value *v) {
    static const double NORMAL_95 = 1.959964;
    const double by = NORMAL_95 * deviation;
    v->low = f->log ? v->value * exp(-by) : v->value - by;
    v->high = f->log ? v->value * exp(by) : v->value + by;
}

/* The point where a search asks its model, and why there was no value when it last failed. */
typedef struct wy_search_point {
    double p[WITHY_FIT_MOST], by[WITHY_FIT_MOST]; /* parameters, and dp/du */
    withy_status status;
    withy_error err;
} wy_search_point;

/* to_p: p(u) and dp/du. */
static inline void wy_search_point_at(wy_search_point *x, const withy_fit_free *free, int count,
                                      const double *u,
                                      double (*to_p)(const withy_fit_free *, double, double *)) {
    for (int k = 0; k < count; k++) x->p[k] = to_p(&free[k], u[k], &x->by[k]);
}

/* What the search is reported: 0, 1: there is no value here, 2: it is to end. */
static inline int wy_search_point_end(wy_search_point *x, withy_status status,
                                      const withy_error *err) {
    if (status == WITHY_OK) return 0;
    x->status = status, x->err = *err;
    return status == WITHY_INTERRUPTED ? 2 : 1;
}

/* Its own message, when that is why a search has ended. */
static inline withy_status wy_search_point_error(const wy_search_point *x, withy_error *err) {
    if (err) *err = x->err;
    return x->status;
}

/* How a search of `what` ended, as far as it does not depend on which: "NLopt", "--minimise needs", "a design". */
static inline withy_status wy_search_point_ended(const wy_search_point *x, wy_search_end end,
                                                 const char *library, const char *needs,
                                                 const char *what, withy_error *err) {
    switch (end) {
    case WY_SEARCH_MISSING:
        return wy_unsupported(
            err, "this build has no %s, which %s; install it (make setup) and build again", library,
            needs);
    case WY_SEARCH_MEMORY: return wy_no_memory(err, "no memory for %s", what);
    case WY_SEARCH_NOWHERE:
    case WY_SEARCH_STOPPED: return wy_search_point_error(x, err);
    default: return WITHY_OK;
    }
}

/* ---- variants.c: the problems of sets of parameter values, for a fit or a design: a set is made into a problem once.
 *
 * A search asks again for the set at which it stands, for its numbers and then for their derivatives: the last set, the
 * set with derivatives and the best one are kept with their problems and numbers.
 */

enum { WY_KNOWN_SETS = 3 };

/* A set of values and what is known there. */
typedef struct wy_known {
    double p[WITHY_FIT_MOST];
    int used;            /* 1: it is one */
    wy_variant *variant; /* NULL: not made yet */
    int values, slopes;  /* how many numbers, and how many of them with derivatives */
    double *value;       /* [most] */
    int negative;        /* unstable directions; -1: not known */
} wy_known;

typedef struct wy_variants {
    const wy_variant_source *source;
    int (*stop)(void *context); /* NULL: never */
    void *context;
    const withy_fit_free *free; /* [count] */
    int count;
    int threads;     /* 0: as many as there are processors */
    atomic_int made; /* problems */
    wy_known known[WY_KNOWN_SETS];
    int based, best; /* the set with derivatives, and the best */
    double *slope;   /* [most][count] of known[based] */
} wy_variants;

/* Of a withy_scene_fit or a withy_scene_minimise. */
#define WY_VARIANTS_OF(setup, from)                                                                \
    {                                                                                              \
        .source = (from), .stop = (setup)->stop, .context = (setup)->context,                      \
        .free = (setup)->free, .count = (setup)->count, .threads = (setup)->threads                \
    }

/* Room for `most` numbers of each set; slopes: and for derivatives. */
withy_status wy_variants_room(wy_variants *x, int most, int slopes, wy_arena *arena,
                              withy_error *err);
void wy_variants_close(wy_variants *x);

/* A new problem, which is the caller's. */
withy_status wy_variants_make(wy_variants *x, const double *p, wy_variant **out, withy_error *err);
/* What is known of a set, or room for it. */
wy_known *wy_variants_at(wy_variants *x, const double *p);
/* Its problem, made when it is first asked for. */
withy_status wy_variants_of(wy_variants *x, wy_known *k, const wy_variant **out, withy_error *err);
/* Derivatives are those of this set, then of none. */
void wy_variants_base(wy_variants *x, const wy_known *k);
void wy_variants_clear(wy_variants *x);

withy_status wy_variants_stopped(const wy_variants *x, withy_error *err);
/* The same as withy_progress and for withy_sim_interrupt; the context is the wy_variants. */
int wy_variants_progress(void *variants, double t, double stop, int64_t step);
int wy_variants_interrupt(void *variants, double t);

/* Problems at four values around each parameter. */
typedef struct wy_neighbours {
    wy_variant *at[WITHY_FIT_MOST][4]; /* -2, -1, 1, 2 steps from p */
    withy_variation vary[WITHY_FIT_MOST];
    withy_status status[WITHY_FIT_MOST][4];
    withy_error err[WITHY_FIT_MOST][4];
} wy_neighbours;

/* step[count]; what was made before a failure is freed by wy_neighbours_free too. */
withy_status wy_neighbours_make(wy_variants *x, const double *p, const double *step,
                                wy_neighbours *a, withy_error *err);
void wy_neighbours_free(wy_neighbours *a, int count);

/* ---- difference.c: derivatives of numbers by parameters from differences of whole solutions, with what is known of their error.
 *
 * Numbers that are computed need not be smooth in a parameter: signals switch between two samples of a step, a rod gets other
 * elements, a body touches another later or not at all.  Carefully, a derivative is taken from steps h and h/2 to both sides:
 * the central one where the two agree, else that of one side, else longer steps are tried, beyond the grain of the numbers.
 */

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

/* ---- search_record.c: the best point of a search as a text, from which a search that was stopped continues.
 *
 * The text says first, a line each, which search it is: its scene with overrides, tables and meshes, its data, its settings.
 * A search continues only where its own lines are the same.
 */

typedef struct wy_search_record {
    const wy_variants *variants;
    withy_fit_best report; /* NULL: not reported */
    char *text;            /* NULL: nor continues from one */
    size_t used;           /* of the text: which search it is */
    int stage;             /* of the best point: windows that are done before it */
    double missed;         /* there, of the constraints; then what is to be least */
    double value;
} wy_search_record;

/* A search of a problem, as it is where it starts, with data; where it is neither reported nor
 * continues from `record`, nothing is done. */
withy_status wy_search_record_open(wy_search_record *b, const wy_variants *variants,
                                   withy_fit_best report, const char *record, wy_arena *arena,
                                   withy_error *err);
void wy_search_record_describe(wy_search_record *b, const wy_variant *v, const char *data,
                               size_t size);
void wy_search_record_line(wy_search_record *b, const char *format,
                           ...); /* a setting, ended by its newline */
/* Where the search begins: p[count] and how many of its `stages` are done, from the record, or as it is given. */
withy_status wy_search_record_start(wy_search_record *b, const char *record, int stages, double *p,
                                    int *stage, withy_error *err);
/* A point was visited; 1: it is of a later stage, or of the same and better. */
int wy_search_record_try(wy_search_record *b, int stage, double missed, double value,
                         const double *p);

/* ---- expression.c: arithmetic of named numbers, with derivatives.
 *
 *   sum  = term { (+ | -) term }      term = power { (* | /) power }      power = sign [ ^ power ]
 *   sign = - power | number | name | function ( sum [, sum] ) | ( sum )
 *
 * Names: tip.z:max, params.wire, force.start.z, tip.x:at=0.1.  Functions: abs, sqrt, log, exp, sin, cos, min(a, b),
 * max(a, b), cents(f, reference) = 1200 log2(f/reference).
 */

enum { WY_EXPRESSION_NAMES = 24, WY_EXPRESSION_TEXT = 128 };

/* The names that occur, in all expressions that were read with it. */
typedef struct wy_names {
    int count;
    char text[WY_EXPRESSION_NAMES][WY_EXPRESSION_TEXT];
} wy_names;

/* A number and its derivatives by those names. */
typedef struct wy_dual {
    double value, by[WY_EXPRESSION_NAMES];
} wy_dual;

/* Add the names of an expression; `what` begins the message: "--minimise". */
withy_status wy_expression_read(const char *what, const char *text, wy_names *names,
                                withy_error *err);
/* Its value, at[names->count]. */
withy_status wy_expression_value(const char *what, const char *text, wy_names *names,
                                 const double *at, wy_dual *out, withy_error *err);

/* ---- objective.c: the numbers of a design: which there are, and their values for a problem. */

typedef enum wy_objective_kind {
    WY_OBJECTIVE_PARAMETER,
    WY_OBJECTIVE_MASS,
    WY_OBJECTIVE_LENGTH,
    WY_OBJECTIVE_STRESS,
    WY_OBJECTIVE_MISS,
    WY_OBJECTIVE_MISS_MAX,
    WY_OBJECTIVE_STUDY, /* of the equilibrium, or of the motion */
    WY_OBJECTIVE_MODE
} wy_objective_kind;

typedef struct wy_objective_number {
    wy_objective_kind kind;
    wy_output_quantity requested;
} wy_objective_number;

typedef struct wy_objective {
    const withy_scene_minimise *setup;
    wy_variants *variants; /* who may stop it */
    wy_names names;
    wy_objective_number number[WY_EXPRESSION_NAMES];
    wy_columns target;      /* s, x, y, z */
    double *s;              /* [target.rows] */
    int equilibrium, modes; /* is an equilibrium needed; how many modes */
    int solved;             /* is anything to be solved but for misses? */
    int negative;           /* of the last equilibrium; -1: not known */
} wy_objective;

/* What the names mean in this problem. */
withy_status wy_objective_bind(wy_objective *objective, const wy_variant *v, withy_error *err);
/* The numbers of the problem: value[names.count]. */
withy_status wy_objective_numbers(wy_objective *objective, const wy_variant *v, double *value,
                                  withy_error *err);
/* Mass and length need nothing solved. */
withy_status wy_objective_plain(const wy_objective *objective, const wy_variant *v, double *value,
                                withy_error *err);
/* The miss of positions at the places of the target and its derivatives by them; largest: miss.max. */
double wy_objective_miss(const wy_objective *objective, int largest, const withy_vec3 *position,
                         withy_vec3 *slope);

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
