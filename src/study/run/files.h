/* files.h - the result files of a run, a path or a set of modes. */
#pragma once

#include "base/wall_clock.h"
#include "sink/sink.h"
#include "study/sim.h"
#include "withy/study.h"

enum { WY_FILES_MOST = 8 };

typedef struct wy_files {
    int count;
    size_t state_size;                      /* of the states that wy_files_keep gets; 0: none */
    double step;                            /* of the run, if all are equal [s]; 0: not known */
    bool at_once;                           /* they appear only when they are whole */
    const wy_sink *sink[WY_FILES_MOST + 1]; /* 1: a record in memory */
    void *state[WY_FILES_MOST + 1];
    bool broken[WY_FILES_MOST + 1]; /* cannot be written: gets no more, while the others continue */
    withy_error failure;            /* of the first of these */
} wy_files;

/* The kind of every file, by its name, and whether it can hold what is requested.  All names must be valid before anything is computed, and before the first
 * file is opened: opening one replaces an existing file. */
withy_status wy_files_choose(const withy_study *study, bool moves,
                             const wy_sink *sink[WY_FILES_MOST], withy_error *err);
/* Open every file of the study for the present snapshots of the simulation; axis: what their time
 * is. */
withy_status wy_files_open(wy_files *files, withy_sim *sim, const withy_study *study,
                           const char *axis, withy_error *err);
/* These fail when no file is left that can be written; wy_files_close reports one that could not. */
withy_status wy_files_write(wy_files *files, const withy_sim *sim, withy_error *err);
withy_status wy_files_probe(wy_files *files, int probe, double t, const double *value,
                            withy_error *err);

/* The state of the run into those files that keep states, see wy_sink.keep. */
withy_status wy_files_keep(wy_files *files, const void *bytes, bool last, withy_error *err);

/* Close every file with the word that belongs to `status` (err holds its message), whatever
 * happened; returns status, or the first failure to write or to close. */
withy_status wy_files_close(wy_files *files, withy_status status, withy_error *err);
