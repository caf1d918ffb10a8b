/* sweep.h - the file of a sweep: one row per member, each in its place from the beginning.
 *
 * The file is made whole, with empty rows; then a row is written where it stands, past HDF5, its checksum last.
 * So rows may come in any order and from several threads, a kill leaves a file that can be read and continued
 * with, and the finished file does not tell in which order its rows came.
 *
 *   /          attributes format ("withy sweep 1"), title, version, scene_name, kind, grid (1: all combinations)
 *   /status    text: "running", then "complete" or "interrupted"
 *   /plan      text: all that decides what the rows are; a sweep continues only where it is the same
 *   /over      PATH [members]: the values that are varied
 *   /want      NAME [members]: the numbers that were asked for
 *   /state     [members] 0: not computed, 1: success, 1 + withy_status: failure
 *   /message  [members] texts: of failures
 *   /check     [members] checksums of state, numbers and message
 */
#pragma once

#include "base/base.h"
#include "withy/sweep.h"

enum { WY_SWEEP_MESSAGE = 240, WY_SWEEP_QUANTITIES = 64, WY_SWEEP_NAME = 128 };

typedef struct wy_sweep_head {
    const char *title, *scene_name, *kind, *plan;
    int grid;
    int64_t count;
    int axes, quantities;
    const char (*path)[WY_SWEEP_NAME];      /* [axes]                 */
    const double *over;                     /* [axes][count]          */
    const char (*requested)[WY_SWEEP_NAME]; /* [wants]                */
} wy_sweep_head;

/* One row as bytes. */
typedef struct wy_sweep_row {
    int64_t state;
    char message[WY_SWEEP_MESSAGE];
    double value[WY_SWEEP_QUANTITIES];
} wy_sweep_row;

typedef struct wy_sweep_writer wy_sweep_writer;

/* One that cannot be created is not there for the others. */
typedef struct wy_sweep_writing {
    /* resume: the file must be there and have the same plan; done[count] tells which rows it has. */
    withy_status (*create)(const char *path, const wy_sweep_head *head, bool resume, char *done,
                           wy_sweep_writer **writer, withy_error *err);
    /* From any thread. */
    withy_status (*put)(wy_sweep_writer *writer, int64_t member, const wy_sweep_row *row,
                        withy_error *err);
    /* The row as it is in the file, read back; false: it is not there. */
    bool (*get)(wy_sweep_writer *writer, int64_t member, wy_sweep_row *row);
    withy_status (*finish)(wy_sweep_writer *writer, const char *status, withy_error *err);
} wy_sweep_writing;
extern const wy_sweep_writing wy_sweep_file;
