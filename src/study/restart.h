/* restart.h - states of a run in its result file, and a run that goes on from one.
 *
 * Where a run is: `snapshots` have been written, and `done` of the pieces of the interval that follows are made
 * (steps, or for a method without a fixed step the pieces between its stops).  That, the samples of the probes,
 * what the doubts have seen, and the state of the simulation are one block of bytes; from there on the run
 * is the same, bit for bit.
 */
#pragma once

#include "study/doubt.h"
#include "study/regrid.h"
#include "study/watch.h"

/* Texts of a result with states, for who reads its problem again: valid until close. */
typedef struct wy_kept_texts {
    struct withy_result *result;
    const char *source, *set, *scene, *name, *method;
} wy_kept_texts;

withy_status wy_kept_texts_open(const char *path, wy_kept_texts *texts, withy_error *err);
void wy_kept_texts_close(wy_kept_texts *texts);

/* The pieces of a run. */
typedef struct wy_kept_run {
    withy_sim *sim;
    wy_watches *watches;
    wy_doubts *doubts;
    int64_t snapshots, done;
    int64_t base;                 /* snapshots before these, on another grid   */
    const withy_problem *problem; /* as given                                  */
} wy_kept_run;

typedef struct wy_keeper {
    double every; /* wall time between two states; 0: none are kept       [s] */
    double next;  /* wall clock when the next is due                      [s] */
    size_t size;
    char *bytes;                 /* [size] in the arena of the simulation     */
    struct withy_result *result; /* that is gone on from, or NULL             */
    const char *from;            /* its state                                 */
    const char *notes;           /* regrid: the notes in it                   */
    int64_t *samples;            /* [probes] of the result that count         */
    int regrid;                  /* 1: its last snapshot is gone on from      */
    int stations; /* of the first rod, where `sample` gives other velocities than those of the present */
    vec3 *motion; /* [2 stations] velocities and spins at the last snapshot   */
} wy_keeper;

/* Before wy_keeper_open: where the state to go on from has other options than the simulation, the problem from its last
 * snapshot on, and its past; else past.t = 0. */
withy_status wy_keeper_regrid(wy_keeper *k, wy_kept_run *run, const withy_study *study,
                              wy_arena *arena, withy_problem *problem, wy_past *past,
                              withy_error *err);
/* For a study: how large its states are; with study->resume its last state is found, of which
 * wy_keeper_restore restores simulation, watches and place. */
withy_status wy_keeper_open(wy_keeper *k, const wy_kept_run *run, const withy_study *study,
                            withy_error *err);
withy_status wy_keeper_restore(wy_keeper *k, wy_kept_run *run, const withy_study *study,
                               withy_error *err);
void wy_keeper_doubts(const wy_keeper *k, wy_doubts *doubts);
/* The rows of the result that is gone on from, into the new file. */
withy_status wy_keeper_copy(wy_keeper *k, const wy_kept_run *run, wy_files *files,
                            withy_error *err);
/* A snapshot has been written. */
void wy_keeper_note(wy_keeper *k, const withy_sim *sim);
/* Keep the present state; when it is due. */
withy_status wy_keeper_keep(wy_keeper *k, const wy_kept_run *run, wy_files *files, bool last,
                            withy_error *err);
withy_status wy_keeper_tick(wy_keeper *k, const wy_kept_run *run, wy_files *files,
                            withy_error *err);
void wy_keeper_close(wy_keeper *k);
