/* sweep.h - the members of a plan, computed by threads and by the processes of an MPI job, into one file.
 *
 * With one process its threads take the members one after another.  With several, rank 0 hands members out, a few
 * at a time and fewer towards the end, to whoever is ready, and writes the rows that come back.
 */
#pragma once

#include <stdatomic.h>

#include "base/ranks.h"
#include "sink/sweep.h"
#include "study/plan.h"

typedef struct wy_sweep {
    const wy_plan *plan;
    wy_sweep_head head;
    const char *output;
    int resume, threads;
    atomic_int *stop; /* set: no more members, and those in flight may end */
    /* One member: its numbers value[head.wants], or a failure.  May be called by several threads at once.
     * WITHY_INTERRUPTED: there is no row. */
    withy_status (*member)(void *context, int64_t index, const double *x, double *value,
                           withy_error *err);
    void *context;
    withy_sweep_progress progress;
    void *progress_context;
} wy_sweep;

withy_status wy_sweep_run(const wy_sweep *sweep, const wy_ranks *ranks, withy_sweep_report *report,
                          withy_error *err);
