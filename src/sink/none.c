/* none.c - the list of sinks of withy_core: there are none. */
#include "sink/sink.h"
#include "withy/list.h"

int withy_sink_at(int index, withy_sink_info *info) {
    (void)index, (void)info;
    return 0;
}

withy_status wy_sink_for(const char *path, const wy_sink **sink, withy_error *err) {
    *sink = NULL;
    return wy_fail(err, WITHY_MISSING,
                   "%s: withy_core writes no files; link withy instead, or sample the simulation",
                   path);
}

static withy_status no_result(const char *path, withy_result **result, withy_error *err) {
    *result = NULL;
    return wy_fail(err, WITHY_MISSING, "%s: withy_core reads no files; link withy instead", path);
}

static withy_status no_state(const char *path, withy_result **result, const void **bytes,
                             size_t *size, withy_error *err) {
    *result = NULL, *bytes = NULL, *size = 0;
    return wy_fail(err, WITHY_MISSING,
                   "%s: withy_core reads no files; link withy instead, or use withy_sim_restore",
                   path);
}

const wy_restart_reader wy_restart = {.result = no_result, .open = no_state};
