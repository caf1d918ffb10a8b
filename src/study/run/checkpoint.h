/* checkpoint.h - states of a run in its result file, and a run that continues from one.
 *
 * Where a run is: `snapshots` have been written, and `done` of the pieces of the interval that follows are made
 * (steps, or for a method without a fixed step the pieces between its stops).  That, the samples of the probes,
 * what the resolution check has found, and the state of the simulation are one block of bytes; from there on the run
 * is the same, bit for bit.
 */
#pragma once

#include "study/run/probe.h"
#include "study/run/regrid.h"
#include "study/run/resolution_check.h"

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
