/* withy/sweep.h - many members of one scene: grids, lists and samples of its parameters.
 *
 *     const char *over[] = {"params.wire=1e-3..4e-3:32", "params.coils=6,8,10"};
 *     withy_sweep_setup setup = {.scene = "spring.lua", .kind = WITHY_SWEEP_STATIC, .over = over,
 *                                .over_count = 2, .output = "sweep.h5"};
 *     withy_sweep(&setup, &report, &err);
 *
 * One row per member: its numbers, or the message of its failure.  Rows do not depend on the order in which
 * they are computed, nor on by how many threads or processes.
 */
#pragma once

#include "withy/study.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum withy_sweep_kind {
    WITHY_SWEEP_RUN,    /* withy_run: numbers of a motion                                         */
    WITHY_SWEEP_STATIC, /* withy_static: of an equilibrium, or of a path of them                   */
    WITHY_SWEEP_MODES, /* withy_modes: of the lowest modes                                        */
} withy_sweep_kind;

/* Called after each member, now and then while members are computed, and with done = 0 while the first ones cannot be read;
 * by one thread at a time.  Return non-zero to stop: members in flight are given up, rows stay. */
typedef int (*withy_sweep_progress)(void *context, int64_t done, int64_t failed, int64_t total);

typedef struct withy_sweep_setup {
    const char *scene; /* path of the scene                                                      */
    const char *text;  /* its text, when it is not a file; NULL: it is read from `scene`         */
    const char *const *set; /* [set_count] "path=value" for all members                          */
    int set_count;
    const char *const
        *over;          /* [over_count] "path=1e-3..4e-3:32", ":32:log", "path=1,2,5"; a grid of
                              * all of them, the last one varies quickest                         */
    int over_count;     /* 1 .. 16                                                          */
    const char *sample; /* instead of a grid, "sobol:4096", "lhs:100" or "lhs:100:SEED" points
                              * within the ranges "path=1e-3..4e-3", ":log"; NULL: the grid       */
    const char *const *requested; /* [want_count] "tip.z:max", "finish.x", "frequency.1", see
                              * docs/sweep.md; 0: a few that every member has                     */
    int requested_count; /* 0 .. 64                                                          */
    withy_sweep_kind kind;
    int modes;          /* how many, of WITHY_SWEEP_MODES; 0: 6, or all if there are fewer        */
    const char *method; /* NULL: that of the scene                                               */
    const char *output; /* FILE.h5                                                               */
    const char
        *results; /* folder for the whole result of each member, 000000.h5, ...; NULL: none */
    int resume;   /* 1: `output` is there, by the same sweep: only the rows that it lacks    */
    int threads;  /* 0: as many as there are processors                                     */
    withy_sweep_progress progress; /* may be NULL                                                 */
    void *context;                 /* its first argument                                          */
    const char
        *engine; /* of runs: who makes the steps of members, see docs/sweep.md: "threads": each
                         * for itself; "vector": eight to a vector; "opencl", "opencl:N": on the
                         * first GPU, or device N of withy_device_name; "auto": on a GPU where there
                         * is one, else in vectors.  NULL: in vectors where the method can, else
                         * each for itself                                                        */
} withy_sweep_setup;

typedef struct withy_sweep_report {
    int64_t total;  /* members                                                                   */
    int64_t done;   /* rows in the file                                                          */
    int64_t failed; /* of them, with a message                                                  */
    int64_t
        before;    /* rows that were there, of a sweep that continues                             */
    int64_t first; /* the first that failed, from 0; -1: none                                   */
    char message[WITHY_ERROR_TEXT]; /* its message                                             */
    double elapsed;                 /* elapsed                                              [s] */
    int rank, ranks; /* of MPI: 0 writes the file and reports                                    */
    char
        engine[300]; /* who made the steps: "OpenCL on NVIDIA H200 (NVIDIA CUDA)"; "": no batches */
} withy_sweep_report;

/* Compute the rows that are missing.  Members that fail are rows with a message, not a failure of the sweep. */
WITHY_API withy_status withy_sweep(const withy_sweep_setup *setup, withy_sweep_report *report,
                                   withy_error *err);

/* ---- reading ------------------------------------------------------------------------------------- */

typedef struct withy_sweep_file withy_sweep_file;

/* A column: what is varied, then what is recorded. */
typedef struct withy_sweep_column {
    char name[128];
    char unit[64]; /* "": not known                                                              */
    int over;      /* 1: varied                                                            */
    const double *value; /* [count]; NAN where the member failed or has not been computed         */
} withy_sweep_column;

/* WITHY_UNSUPPORTED: a result file, but not of a sweep. */
WITHY_API withy_status withy_sweep_open(const char *path, withy_sweep_file **file,
                                        withy_error *err);
WITHY_API void withy_sweep_close(withy_sweep_file *file);          /* NULL is fine */
WITHY_API int64_t withy_sweep_count(const withy_sweep_file *file); /* members */
WITHY_API int withy_sweep_is_grid(const withy_sweep_file *file);   /* or sampled */
/* "title", "status", "scene_name", "kind", "plan"; "" when absent. */
WITHY_API const char *withy_sweep_text(const withy_sweep_file *file, const char *name);
/* Fill *column for index 0, 1, ...; returns 0 past the last. */
WITHY_API int withy_sweep_column_at(const withy_sweep_file *file, int index,
                                    withy_sweep_column *column);
/* All rows as a table, FILE.csv: member, the columns with their units, status, message. */
WITHY_API withy_status withy_sweep_export(const withy_sweep_file *file, const char *path,
                                          withy_error *err);
/* -1: not computed, else the withy_status of the member; *message (may be NULL): of its failure, or "". */
WITHY_API int withy_sweep_status(const withy_sweep_file *file, int64_t member,
                                 const char **message);

#ifdef __cplusplus
}
#endif
