/* compare.h - what the files of the comparison share. */
#pragma once

#include "base/base.h"
#include "study/run/probe.h"
#include "study/run/resolution_check.h"
#include "study/sim.h"
#include "withy/compare.h"
#include "withy/sim.h"
#include "withy/study.h"

/* ---- resolution.c: the options of a study at another resolution. */

enum { WY_RESOLUTION_OPTIONS = 64 };

typedef struct wy_resolution {
    withy_option option[WY_RESOLUTION_OPTIONS];
    int count;
} wy_resolution;

/* The options of the study as given. */
void wy_resolution_of(const withy_study *study, wy_resolution *out);
/* Set or replace an option; a word or, when it is empty, a number. */
void wy_resolution_set(wy_resolution *x, const char *name, double number, const char *word);
/* A number among the options as used; 0 when no option has that name. */
double wy_resolution_used(const withy_sim *sim, const char *name);

/* ---- error_bar.c: the error of a number, from the same number at three resolutions, each about twice as fine as
 * the one before.
 *
 * Let the differences be coarse = |a - b| and fine = |b - c|.  A group of numbers that belong together (all
 * positions, all forces) shows by how much differences fall, ratio = largest coarse / largest fine; it is
 * 2^p for an error of order p.  A single number may agree by accident, since its error changes sign
 * somewhere, so that coarse / ratio counts as much as fine.  A ratio beyond 2^order of the method comes from
 * a coarse run that was too coarse, and counts as 2^order.  The ratio is trusted from sqrt 2 on, and the
 * sum of what is still to come, fine / (ratio - 1), is taken with at most 4 of it: a method may be better than second
 * order on a smooth problem, but a bar must not rely on it.  It counts three times, the safety factor of a grid
 * convergence index whose order is not known (Roache; Oberkampf & Roy 2010, 8.7): an error that is in part of
 * first and in part of second order, or not smooth, shows a ratio that does not last.  At second order the bar of c is
 * then fine itself.  Without a trusted ratio the larger difference is taken three times.
 *
 * A difference that is NaN says that one of the two runs does not have the number: a critical factor, a mode that strong
 * damping hides.  If a finer run has it not, nothing is known of it; if only the coarse one lacks it, the other difference
 * is taken three times.
 */

enum { WY_ERROR_BAR_COARSEST, WY_ERROR_BAR_MIDDLE, WY_ERROR_BAR_FINEST }; /* whose error */

/* By how much differences fall, at most 2^order (order 0: any); the fine one is at least `least`, what
 * rounding makes. */
double wy_error_bar_ratio(double coarse, double fine, double least, int order);
int wy_error_bar_trusted(double ratio);

/* The bar of a, b or c of a number in a group with this ratio. */
double wy_error_bar(int which, double coarse, double fine, double ratio);

/* largest[k] = the largest of x[k - before .. k + after]. */
void wy_error_bar_window(const double *x, int count, int before, int after, double *largest);

/* ---- trace.c: the numbers of a study at every output time or point of a path, to be compared with the same
 * numbers at another resolution (refine.c).
 *
 * A record is a row of numbers; an item is a part of it that has one error bar: a vector by its length.
 * Items of one group have one unit.
 */

enum { WY_TRACE_STATIONS = 9, WY_TRACE_FIXED = 5, WY_TRACE_CRITICALS = 8 };

/* Groups: those of the rod, then one for each figure, probe and critical factor. */
enum { WY_TRACE_PLACE, WY_TRACE_FORCE, WY_TRACE_MOMENT, WY_TRACE_ENERGY, WY_TRACE_OTHERS };

typedef struct wy_item {
    int first, size, group;
} wy_item;

/* Where the items of a kind begin, and how many there are. */
typedef struct wy_item_range {
    int first, count;
} wy_item_range;

typedef struct wy_trace {
    int n;          /* options.n as used                                       */
    double dt, tol; /* step as used, 0: it adapts; options.tol, 0: none [s] [-] */
    int64_t steps;  /* so far                                                  */
    int halvings; /* of the step, until it follows all that turns (resolution_check.h); 0: it does */
    wy_order order; /* of the method                                           */
    double length;  /* the unit of lengths [m]                                  */
    int items, width;
    wy_item *item; /* [items]                                                 */
    wy_item_range place, force, moment, energy, figure, probe, critical;
    unsigned have; /* of the first rod: WITHY_HAVE_ bits                       */
    int count, room;
    double *value;        /* [count * width]                                         */
    double *step_error;   /* [count * items] what the step gets wrong; NULL: not asked */
    wy_step_error judged; /* see wy_trace_judge                                      */
    int *first;           /* [items + 1] of it                                        */
    double *look;         /* [width] its numbers now, then its room                   */
    wy_view *view;        /* [rods] in the arena of the simulation                   */
    wy_probes probes;
} wy_trace;

/* For the simulation that will be recorded.  The trace outlives it; statics: with figures. */
withy_status wy_trace_open(wy_trace *trace, withy_sim *sim, int statics, withy_error *err);
withy_status wy_trace_add(wy_trace *trace, withy_sim *sim, double energy, withy_error *err);
/* Its steps are judged too (step_error.c): after the first record, and before any step. */
withy_status wy_trace_judge(wy_trace *trace, withy_sim *sim, withy_error *err);
/* After a step that stands for so many. */
withy_status wy_trace_step(wy_trace *trace, withy_sim *sim, double stands, withy_error *err);
/* Critical factors of a whole path, the same in all records; NAN: there are fewer. */
void wy_trace_criticals(wy_trace *trace, const withy_critical *critical, int count);
/* One record of `count` numbers, each a group of its own: to be filled in. */
withy_status wy_trace_numbers(wy_trace *trace, const withy_sim *sim, int count, withy_error *err);
/* Of a path by arc length, whose points differ with the resolution. */
void wy_trace_keep_last(wy_trace *trace);
void wy_trace_free(wy_trace *trace);

/* A study as it is solved: what it finds goes to `to`; trace: NULL, or filled for its errors. */
typedef withy_status wy_trace_solve(const withy_study *study, void *to, wy_trace *trace,
                                    withy_error *err);
/* With a trace where the study asks for its errors, and an error of its own where err is NULL. */
withy_status wy_trace_study(const withy_study *study, wy_trace_solve *solve, void *to,
                            withy_error *err);

/* ---- refine.c: the errors of a study: run it again with half and with twice the elements, and with a step twice as
 * long and half as long, and compare (error_bar.c).
 *
 * The mesh and the step are varied one at a time, since errors of both may cancel; the bar is the sum of
 * the two.  Where the coarser run is not possible (a step beyond the stability limit, a mesh too coarse for
 * Newton), a second finer one takes its place.
 */

/* Do the study as it is given and record it. */
typedef withy_status (*wy_traced)(const withy_study *study, wy_trace *trace, withy_error *err);

typedef struct wy_error_bars {
    int count, items;
    double *bar;   /* [count * items], of the trace; infinite: not known */
    char *trusted; /* [items] 1: the differences fall with the resolution */
    withy_error_summary summary;
} wy_error_bars;

/* The bars of `given`, the record of this study; moving: its step is varied too. */
withy_status wy_refine(const withy_study *study, const wy_trace *given, int moving, wy_traced solve,
                       wy_error_bars *bars, withy_error *err);
void wy_error_bars_free(wy_error_bars *bars);

/* Of item i at record k. */
static inline double wy_error_bars_at(const wy_error_bars *bars, int k, int i) {
    return bars->bar[(size_t)k * (size_t)bars->items + (size_t)i];
}

typedef struct wy_compare_what {
    const char *name, *unit;
    unsigned have;   /* a method must compute these (WITHY_HAVE_ bits) */
    int only_static; /* forces of a motion oscillate with the finest waves, and are not compared */
} wy_compare_what;
extern const wy_compare_what wy_compare_list[WITHY_COMPARE_WHAT];

/* The setup, and what follows from the problem. */
typedef struct wy_compare_task {
    const withy_compare_setup *setup;
    int statics;
    double length; /* of the first rod [m] */
    double
        stiff[2]; /* its largest EA or GA [N], and EI [N m^2]: a force is known to their rounding */
    int jumps; /* 1: a load begins, ends or acts at a point inside it, or a moment at an end: errors fall
                   * irregularly */
    double accuracy; /* relative to the distance travelled */
    double until;    /* processor time at which the whole comparison must end [s] */
    double allowed;  /* and the present run */
} wy_compare_task;

double wy_compare_clock(void); /* processor time used [s] */

/* The first three levels that succeed.  On refusal or failure err gives the reason. */
withy_status wy_compare_solve(wy_compare_task *task, const char *method, withy_compare_method *out,
                              withy_error *err);
/* One level more.  done = 0: there is none, for the reason in m->skipped. */
withy_status wy_compare_refine(wy_compare_task *task, withy_compare_method *m, int *done,
                               withy_error *err);
/* The largest error bar of a position. */
double wy_compare_worst(const withy_compare_method *m);

/* Bars of a method from its runs so far; 1 when they are known and below the accuracy. */
int wy_compare_estimate(const wy_compare_task *task, withy_compare_method *m);

/* Fill *out when the methods differ in what they leave out. */
withy_status wy_compare_find_model(const wy_compare_task *task, const withy_compare_method *method,
                                   int count, withy_compare_model *out, withy_error *err);

/* The run of run->level and run->automatic, with the stiffness of some strains multiplied. */
withy_status wy_compare_once(const wy_compare_task *task, const withy_compare_method *m,
                             unsigned strains, double factor, withy_compare_run *run,
                             withy_error *err);

/* What the step of a run gets wrong, at finish and middle (compare_step.c). */
enum { WY_COMPARE_PLACES = 2 };
typedef struct wy_compare_steps {
    wy_step_error step_error;
    double room[WY_STEP_ERROR_ROOM(WY_COMPARE_PLACES, 3 * WY_COMPARE_PLACES)];
} wy_compare_steps;
void wy_compare_observe_begin(wy_compare_steps *x, withy_sim *sim, int statics);
/* After a step of a row that stands for so many. */
void wy_compare_observe(wy_compare_steps *x, withy_sim *sim, double stands);

void wy_compare_run_free(withy_compare_run *run);
void wy_compare_free(withy_compare_method *method);

/* The largest distance travelled by a point in this run [m]; the length of the rod when nothing moves. */
double wy_compare_displacement(const wy_compare_task *task, const withy_compare_run *run);

/* Of two points. */
static inline double wy_compare_distance(vec3 a, vec3 b) {
    return v3_norm(v3_sub(a, b));
}

static inline const withy_compare_run *wy_compare_finest(const withy_compare_method *m) {
    return &m->run[m->levels - 1];
}
