/* run.h - the only loop over time in the program: advance, sample, observe, write.
 *
 *     wy_run_open(&x, err);
 *     while (wy_run_next(&x, &t)) advance x.sim to t, wy_run_arrive(&x, err);
 *     wy_run_close(&x, status, err);
 *
 * Who advances the simulation is left to the caller: withy_study_run itself, or a batch for many runs at once
 * (study/run/ensemble.c).
 */
#pragma once

#include "study/run/checkpoint.h"
#include "study/run/probe.h"
#include "study/run/resolution_check.h"

typedef struct wy_run {
    /* given */
    const withy_study *study;
    withy_report *report;
    struct wy_trace
        *trace; /* for error bars, or NULL                                              */
    int unseen; /* 1: nobody reads the notes, so that its steps are not judged          */
    /* own */
    withy_sim *sim;
    wy_probes probes;
    wy_files files;
    wy_resolution_check resolution_check;
    int64_t alone;  /* steps at the end of the present interval that are made one at a time  */
    int64_t stands; /* steps for which the last of them stands                               */
    double row;     /* steps for which the next stop stands in the trace; 0: it does not      */
    int64_t burst;  /* most steps to the next stop                                           */
    wy_checkpoint checkpoint;
    wy_saved_run at; /* where the run is, for it                                              */
    int64_t last;    /* intervals                                                             */
    int within; /* 1: in an interval, of `total` steps, after at.done of them on the way to `reach` */
    int64_t total, reach;
    double from, to; /* its times [s]                                                        */
    double start;    /* wall clock [s]                                                       */
    wy_arena arena;  /* of the problem on another grid (study/run/regrid.h)                      */
} wy_run;

/* Study, report, trace and unseen are given, all else is 0.  After a failure too wy_run_close is called. */
withy_status wy_run_open(wy_run *x, withy_error *err);
/* The time up to which the simulation is to be advanced next; 0: the run is complete. */
int wy_run_next(wy_run *x, double *t);
/* A sample of a probe that is recorded apart (wy_probe.apart), so many steps after the last stop. */
withy_status wy_run_put(wy_run *x, int probe, int64_t steps, const double *value, withy_error *err);
/* It has been. */
withy_status wy_run_arrive(wy_run *x, withy_error *err);
/* Files are closed, the report is filled; returns the status of the whole run. */
withy_status wy_run_close(wy_run *x, withy_status status, withy_error *err);
