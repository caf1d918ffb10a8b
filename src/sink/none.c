/* none.c - the list of sinks of withy_core: there are none. */
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
