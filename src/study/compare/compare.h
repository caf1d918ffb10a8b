/* compare.h - what the files of the comparison share. */
#pragma once

#include "base/base.h"
#include "study/run/step_error.h"
#include "study/sim.h"
#include "withy/compare.h"

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

double wy_compare_distance(withy_vec3 a, withy_vec3 b);

static inline const withy_compare_run *wy_compare_finest(const withy_compare_method *m) {
    return &m->run[m->levels - 1];
}
