/* none.c - the list of sinks of withy_core: there are none. */
#include "sink/restart.h"
#include "sink/sink.h"
#include "withy/list.h"

int withy_sink_at(int index, withy_sink_info *info) {
    if (!info) return 0;
    (void)index, (void)info;
    return 0;
}

withy_status wy_sink_for(const char *path, const wy_sink **sink, withy_error *err) {
    *sink = NULL;
    return wy_fail(err, WITHY_MISSING,
                   "%s: withy_core writes no files; link withy instead, or sample the simulation",
                   path);
}

withy_status wy_restart_result(const char *path, withy_result **result, withy_error *err) {
    *result = NULL;
    return wy_fail(err, WITHY_MISSING, "%s: withy_core reads no files; link withy instead", path);
}

const char *wy_restart_text(const withy_result *result, const char *name) {
    (void)result, (void)name;
    return "";
}

withy_status wy_restart_open(const char *path, withy_result **result, const void **bytes,
                             size_t *size, withy_error *err) {
    *result = NULL, *bytes = NULL, *size = 0;
    return wy_fail(err, WITHY_MISSING,
                   "%s: withy_core reads no files; link withy instead, or use withy_sim_restore",
                   path);
}

wy_restart_parts wy_restart_count(const withy_result *result) {
    (void)result;
    return (wy_restart_parts){0};
}

int wy_restart_probe_size(const withy_result *result, int probe) {
    (void)result, (void)probe;
    return 0;
}

const withy_snapshot *wy_restart_at(withy_result *result, int64_t k, withy_error *err) {
    (void)result, (void)k;
    wy_fail(err, WITHY_MISSING, "withy_core reads no files");
    return NULL;
}

withy_status wy_restart_samples(withy_result *result, int probe, double t, int64_t *samples,
                                withy_error *err) {
    (void)result, (void)probe, (void)t, (void)samples;
    return wy_fail(err, WITHY_MISSING, "withy_core reads no files");
}

withy_status wy_restart_copy(withy_result *result, int64_t snapshots, const int64_t *samples,
                             const withy_snapshot *grid, const wy_sink *sink, void *state,
                             withy_error *err) {
    (void)result, (void)snapshots, (void)samples, (void)grid, (void)sink, (void)state;
    return wy_fail(err, WITHY_MISSING, "withy_core reads no files");
}

void wy_restart_close(withy_result *result) {
    (void)result;
}
