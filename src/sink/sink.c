/* sink.c - the list of sinks, and what all of them share. */
#include "sink/sink.h"

#include <strings.h>

#include "withy/list.h"

#define WY_SINK(name) extern const wy_sink wy_sink_##name;
#include "sink/list.inc"
#undef WY_SINK

static const wy_sink *const list[] = {
#define WY_SINK(name) &wy_sink_##name,
#include "sink/list.inc"
#undef WY_SINK
};

enum { SINKS = sizeof list / sizeof *list };

const char *const wy_part_noun[] = {"rod", "body", "joint", "obstacle", "ledger"};

int withy_sink_at(int index, withy_sink_info *info) {
    if (!info || index < 0 || index >= SINKS) return 0;
    const wy_sink *sink = list[index];
    *info = (withy_sink_info){sink->name, sink->ending, sink->summary, sink->needs};
    return 1;
}

static bool ends_with(const char *path, const char *ending) {
    const size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

static withy_status unknown_ending(const char *path, withy_error *err) {
    char endings[128];
    size_t used = 0;
    for (int i = 0; i < SINKS && used < sizeof endings; i++) {
        const char *between = i == 0 ? "" : i == SINKS - 1 ? " or " : ", ";
        used += (size_t)snprintf(endings + used, sizeof endings - used, "%s%s", between,
                                 list[i]->ending);
    }
    return wy_bad_input(err, "%s: the ending of a result file chooses its format: use %s", path,
                        endings);
}

withy_status wy_sink_for(const char *path, const wy_sink **sink, withy_error *err) {
    if (!path) return wy_bad_input(err, "the name of a result file is NULL");
    for (int i = 0; i < SINKS; i++) {
        if (!ends_with(path, list[i]->ending)) continue;
        if (list[i]->needs)
            return wy_fail(err, WITHY_MISSING,
                           "%s: not in this build: %s files need %s, which was not there when "
                           "withy was configured (make setup installs it)",
                           path, list[i]->ending, list[i]->needs);
        *sink = list[i];
        return WITHY_OK;
    }
    return unknown_ending(path, err);
}
