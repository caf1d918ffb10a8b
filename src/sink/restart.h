/* restart.h - from a result with states to one that goes on. */
#pragma once

#include "sink/sink.h"
#include "withy/result.h"

/* Open a result, and its texts as withy_result_text gives them. */
withy_status wy_restart_result(const char *path, withy_result **result, withy_error *err);
const char *wy_restart_text(const withy_result *result, const char *name);
/* Open the result and find its last whole state, which is valid until close. */
withy_status wy_restart_open(const char *path, withy_result **result, const void **bytes,
                             size_t *size, withy_error *err);
/* How many of each it has; the numbers of a sample of a probe. */
typedef struct wy_restart_parts {
    int rods, bodies, joints, obstacles, probes;
} wy_restart_parts;
wy_restart_parts wy_restart_count(const withy_result *result);
int wy_restart_probe_size(const withy_result *result, int probe);
/* The first rod in snapshot k, valid until the next. */
const withy_snapshot *wy_restart_at(withy_result *result, int64_t k, withy_error *err);
/* How many samples of a probe are not later than t. */
withy_status wy_restart_samples(withy_result *result, int probe, double t, int64_t *samples,
                                withy_error *err);
/* Its first snapshots, and of each probe the first samples[i], into another file; grid: the first rod is
 * interpolated to these stations; NULL: all is as it was. */
withy_status wy_restart_copy(withy_result *result, int64_t snapshots, const int64_t *samples,
                             const withy_snapshot *grid, const wy_sink *sink, void *state,
                             withy_error *err);
void wy_restart_close(withy_result *result);
