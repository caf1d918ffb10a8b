/* restart.h - from a result with states to one that continues. */
#pragma once

#include "sink/sink.h"
#include "withy/result.h"

/* How many of each a result has. */
typedef struct wy_restart_parts {
    int rods, bodies, joints, obstacles, probes;
} wy_restart_parts;

/* What a study may do with a result that is there; withy_core can open none, and has nothing else. */
typedef struct wy_restart_reader {
    /* Open a result, and its texts as withy_result_text gives them. */
    withy_status (*result)(const char *path, withy_result **result, withy_error *err);
    const char *(*text)(const withy_result *result, const char *name);
    /* Open the result and find its last whole state, which is valid until close. */
    withy_status (*open)(const char *path, withy_result **result, const void **bytes, size_t *size,
                         withy_error *err);
    wy_restart_parts (*count)(const withy_result *result);
    int (*probe_size)(const withy_result *result, int probe); /* numbers of a sample */
    /* A rod in snapshot k, valid until the next. */
    const withy_snapshot *(*at)(withy_result *result, int rod, int64_t k, withy_error *err);
    /* How many samples of a probe are not later than t. */
    withy_status (*samples)(withy_result *result, int probe, double t, int64_t *samples,
                            withy_error *err);
    /* Its first snapshots, and of each probe the first samples[i], into another file; grid: the first rod is
     * interpolated to these stations; NULL: all is as it was. */
    withy_status (*copy)(withy_result *result, int64_t snapshots, const int64_t *samples,
                         const withy_snapshot *grid, const wy_sink *sink, void *state,
                         withy_error *err);
    void (*close)(withy_result *result);
} wy_restart_reader;
extern const wy_restart_reader wy_restart;
