/* sweep.h - the members of a plan, computed by threads and by the processes of an MPI job, into one file.
 *
 * With one process its threads take the members one after another.  With several, rank 0 hands members out, a few
 * at a time and fewer towards the end, to whoever is ready, and writes the rows that come back.
 * Members may also be computed several at once, where that is quicker.
 */
#pragma once

#include <stdatomic.h>

#include "base/mpi.h"
#include "sink/sweep.h"
#include "study/sweep/plan.h"

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
