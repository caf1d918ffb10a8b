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

#include "study/run/probe.h"
#include "study/run/resolution_check.h"
#include "study/sim.h"
#include "withy/result.h"

/* ---- regrid.c: a run that continues from its last snapshot on another grid.
 *
 * The state of a method belongs to its grid and its step.  Where these are changed, the strains and velocities of the
 * last snapshot, interpolated, are the start of a new simulation, whose clock begins there: functions of time
 * are shifted (t' = t - t0), and what is written is shifted back (wy_sim.past).
 */

/* Refuse a problem of which a snapshot does not hold all that its motion needs. */
withy_status wy_regrid_check(const withy_problem *problem, const char *path, withy_error *err);

/* The problem from snapshot `row` of the result on; memory from the arena.  motion: velocities and spins of its stations
 * in place of those of the snapshot, or NULL. */
withy_status wy_regrid_problem(const withy_sim *sim, const withy_problem *problem, const char *path,
                               withy_result *result, int64_t row, const vec3 *motion,
                               wy_arena *arena, withy_problem *from_there, wy_past *past,
                               withy_error *err);

/* After its creation: has the simulation the energy of the snapshot? */
withy_status wy_regrid_agrees(withy_sim *sim, const wy_past *past, const char *path,
                              withy_error *err);

/* ---- checkpoint.c: states of a run in its result file, and a run that continues from one.
 *
 * Where a run is: `snapshots` have been written, and `done` of the pieces of the interval that follows are made
 * (steps, or for a method without a fixed step the pieces between its stops).  That, the samples of the probes,
 * what the resolution check has found, and the state of the simulation are one block of bytes; from there on the run
 * is the same, bit for bit.
 */

/* Texts of a result with states, for who reads its problem again: valid until close. */
typedef struct wy_saved_texts {
    struct withy_result *result;
    const char *source, *set, *scene, *name, *method;
} wy_saved_texts;

withy_status wy_saved_texts_open(const char *path, wy_saved_texts *texts, withy_error *err);
void wy_saved_texts_close(wy_saved_texts *texts);

/* The pieces of a run. */
typedef struct wy_saved_run {
    withy_sim *sim;
    wy_probes *probes;
    wy_resolution_check *resolution_check;
    int64_t snapshots, done;
    int64_t base;                 /* snapshots before these, on another grid   */
    const withy_problem *problem; /* as given                                  */
} wy_saved_run;

typedef struct wy_checkpoint {
    double every; /* wall time between two states; 0: none are kept       [s] */
    double next;  /* wall clock when the next is due                      [s] */
    size_t size;
    char *bytes;                 /* [size] in the arena of the simulation     */
    struct withy_result *result; /* that is continued from, or NULL             */
    const char *from;            /* its state                                 */
    const char *notes;           /* regrid: the notes in it                   */
    int64_t *samples;            /* [probes] of the result that count         */
    int regrid;                  /* 1: its last snapshot is continued from      */
    int stations; /* of the first rod, where `sample` gives other velocities than those of the present */
    vec3 *motion; /* [2 stations] velocities and spins at the last snapshot   */
} wy_checkpoint;

/* Before wy_checkpoint_open: where the state to continue from has other options than the simulation, the problem from its last
 * snapshot on, and its past; else past.t = 0. */
withy_status wy_checkpoint_regrid(wy_checkpoint *k, wy_saved_run *run, const withy_study *study,
                                  wy_arena *arena, withy_problem *problem, wy_past *past,
                                  withy_error *err);
/* For a study: how large its states are; with study->resume its last state is found, of which
 * wy_checkpoint_restore restores simulation, watches and place. */
withy_status wy_checkpoint_open(wy_checkpoint *k, const wy_saved_run *run, const withy_study *study,
                                withy_error *err);
withy_status wy_checkpoint_restore(wy_checkpoint *k, wy_saved_run *run, const withy_study *study,
                                   withy_error *err);
void wy_checkpoint_resolution_check(const wy_checkpoint *k, wy_resolution_check *resolution_check);
/* The rows of the result that is continued from, into the new file. */
withy_status wy_checkpoint_copy(wy_checkpoint *k, const wy_saved_run *run, wy_files *files,
                                withy_error *err);
/* A snapshot has been written. */
void wy_checkpoint_note(wy_checkpoint *k, const withy_sim *sim);
/* Keep the present state; when it is due. */
withy_status wy_checkpoint_keep(wy_checkpoint *k, const wy_saved_run *run, wy_files *files,
                                bool last, withy_error *err);
withy_status wy_checkpoint_tick(wy_checkpoint *k, const wy_saved_run *run, wy_files *files,
                                withy_error *err);
void wy_checkpoint_close(wy_checkpoint *k);

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
    wy_arena arena;  /* of the problem on another grid (study/run/run.h)                      */
} wy_run;

/* Study, report, trace and unseen are given, all else is 0.  After a failure too wy_run_close is called. */
withy_status wy_run_open(wy_run *x, withy_error *err);
/* The time up to which the simulation is to be advanced next; 0: the run is complete. */
int wy_run_next(wy_run *x, double *t);
/* A sample of a probe that is recorded apart (wy_probe.apart), so many steps after the last stop. */
withy_status wy_run_put(wy_run *x, int probe, int64_t steps, const double *value, withy_error *err);
/* It has been. */
withy_status wy_run_arrive(wy_run *x, withy_error *err);
/* All that a run does before its first step, and nothing is written. */
withy_status wy_run_can_start(const withy_study *study, withy_error *err);
/* Files are closed, the report is filled; returns the status of the whole run. */
withy_status wy_run_close(wy_run *x, withy_status status, withy_error *err);
