/* trace.h - the numbers of a study at every output time or point of a path, to be compared with the same
 * numbers at another resolution (refine.h).
 *
 * A record is a row of numbers; an item is a part of it that has one error bar: a vector by its length.
 * Items of one group have one unit.
 */
#pragma once

#include "study/run/probe.h"
#include "study/run/step_error.h"
#include "study/sim.h"

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
/* Its steps are judged too (step_error.h): after the first record, and before any step. */
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
