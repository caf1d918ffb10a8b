/* sweep_none.c - sweeps where no .h5 file can be written: in withy_core, and in a build without HDF5. */
#include "sink/sweep.h"

#include "sink/sink.h"

/* The list of sinks says what is missing. */
withy_status wy_sweep_create(const char *path, const wy_sweep_head *head, bool resume, char *done,
                             wy_sweep_writer **writer, withy_error *err) {
    const wy_sink *other;
    (void)head, (void)resume, (void)done;
    *writer = NULL;
    WY_TRY(wy_sink_for(path, &other, err));
    return wy_fail(err, WITHY_MISSING, "%s: a sweep is written to .h5 files only", path);
}

withy_status wy_sweep_put(wy_sweep_writer *writer, int64_t member, const wy_sweep_row *row,
                          withy_error *err) {
    (void)writer, (void)member, (void)row;
    return wy_fail(err, WITHY_MISSING, "this build writes no sweeps");
}

bool wy_sweep_get(wy_sweep_writer *writer, int64_t member, wy_sweep_row *row) {
    (void)writer, (void)member, (void)row;
    return false;
}

withy_status wy_sweep_finish(wy_sweep_writer *writer, const char *status, withy_error *err) {
    (void)writer, (void)status;
    return wy_fail(err, WITHY_MISSING, "this build writes no sweeps");
}
