/* sweep.h - the members of a plan, computed by threads and by the processes of an MPI job, into one file.
 *
 * With one process its threads take the members one after another.  With several, rank 0 hands members out, a few
 * at a time and fewer towards the end, to whoever is ready, and writes the rows that come back.
 * Members may also be computed several at once, where that is quicker.
 */
#pragma once

#include <stdatomic.h>

#include "base/base.h"
#include "base/mpi.h"
#include "sink/sweep.h"
#include "study/sweep/output_quantity.h"
#include "study/variant.h"

/* ---- plan.c: the members of a sweep: which values each of them has.
 *
 * Grid: all combinations, the last axis varies quickest.  Samples in the unit cube, mapped to the ranges:
 * Sobol's sequence (direction numbers of Joe and Kuo, SIAM J. Sci. Comput. 30 (2008) 2635, new-joe-kuo-6), each
 * point in the middle of its cell of 2^-32; Latin hypercube: each axis in `count` strata, one point in each.
 */

enum { WY_PLAN_AXES = 16, WY_PLAN_PATH = 128 };

typedef struct wy_axis {
    char path[WY_PLAN_PATH];
    double from, to; /* or mean and standard deviation */
    int logarithmic, normal;
    int count;     /* of a grid                                */
    double *value; /* [count] of a list; NULL: a range         */
} wy_axis;

typedef struct wy_sweep_plan {
    int axes;
    wy_axis axis[WY_PLAN_AXES];
    int64_t count; /* members                                  */
    int sampled;   /* 0: grid, 1: Sobol, 2: Latin hypercube     */
    uint64_t seed;
    uint32_t *stratum; /* [axes][count] of a Latin hypercube    */
} wy_sweep_plan;

withy_status wy_sweep_plan_make(wy_sweep_plan *plan, const char *const *over, int count,
                                const char *sample, wy_arena *arena, withy_error *err);
/* The values of a member, x[axes]. */
void wy_sweep_plan_at(const wy_sweep_plan *plan, int64_t member, double *x);

typedef struct wy_sweep {
    const wy_sweep_plan *plan;
    wy_sweep_head head;
    const char *output;
    const char
        *results; /* folder of whole results, or NULL: one that cannot be written ends the sweep */
    int resume, threads;
    atomic_int *stop;  /* set: no more members, and those in flight may end */
    atomic_flag *busy; /* report and progress are used */
    /* One member: its numbers value[head.wants], or a failure.  May be called by several threads at once.
     * WITHY_INTERRUPTED: there is no row. */
    withy_status (*member)(void *context, int64_t index, double *value, withy_error *err);
    /* Several at once, rows[count]; interrupted ones have state 0.  NULL: one by one. */
    void (*members)(void *context, const int64_t *index, int count, wy_sweep_row *row);
    int unit;  /* at most so many                                                     */
    int apart; /* 1: one call after the other, each of which uses all threads itself  */
    void *context;
    withy_sweep_progress progress;
    void *progress_context;
} wy_sweep;

/* The state of a row, and of a failure its message. */
void wy_sweep_fill(wy_sweep_row *row, withy_status status, const withy_error *err);

/* While a member is computed, by any thread: is it to be given up?  `due`: wall clock before which the progress is not
 * asked again. */
int wy_sweep_ask(const wy_sweep *sweep, const withy_sweep_report *report, _Atomic double *due);

withy_status wy_sweep_run(const wy_sweep *sweep, const wy_mpi *ranks, withy_sweep_report *report,
                          withy_error *err);

/* ---- members.c: members of a sweep, one by one (members.c) or stepped together (members_batch.c). */

typedef struct wy_members {
    const withy_sweep_setup *setup;
    const wy_sweep_plan *plan;
    const wy_variant_source *source;
    int alone;                     /* 1: there are no other ranks */
    int64_t first;                 /* the member that was read to check the sweep, -1: none */
    _Atomic(wy_variant *) variant; /* its problem, until it is computed */
    wy_output_quantity requested[WY_SWEEP_QUANTITIES];
    int quantities;
    atomic_int stop;
    atomic_flag busy;
    _Atomic double due;    /* of the next question whether to continue [s] */
    const wy_sweep *sweep; /* under way; NULL: not yet */
    const withy_sweep_report *report;
    wy_engine engine;
    int batched;     /* 1: members are stepped together, by the engine */
    char maker[300]; /* its name; "": none */
} wy_members;

/* The problem of a member, with the study that is made of it; output: room for the name of its result. */
typedef struct wy_member {
    wy_variant *variant;
    withy_study study;
    char path[4096];
    const char *output;
} wy_member;

withy_status wy_member_open(wy_members *x, int64_t index, wy_member *m, withy_error *err);
/* Numbers that are not finite are a failure. */
withy_status wy_member_check(const wy_members *x, const double *value, withy_error *err);

/* Whether members are stepped together, and by whom; then how the sweep is to call it. */
withy_status wy_members_engine(wy_members *x, const wy_variant *v, withy_error *err);
void wy_members_use(wy_members *x, wy_sweep *sweep);

/* withy_sweep of problems from any source. */
withy_status wy_sweep_of_variants(const withy_sweep_setup *setup, const wy_variant_source *source,
                                  withy_sweep_report *report, withy_error *err);
