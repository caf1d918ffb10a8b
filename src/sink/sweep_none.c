/* sweep_none.c - sweeps where no .h5 file can be written: in withy_core, and in a build without HDF5. */
#include "sink/sweep.h"

#include "sink/sink.h"

/* The list of sinks says what is missing. */
static withy_status create(const char *path, const wy_sweep_head *head, bool resume, char *done,
                           wy_sweep_writer **writer, withy_error *err) {
    const wy_sink *other;
    (void)head, (void)resume, (void)done;
    *writer = NULL;
    WY_TRY(wy_sink_for(path, &other, err));
    return wy_fail(err, WITHY_MISSING, "%s: a sweep is written to .h5 files only", path);
}

const wy_sweep_writing wy_sweep_file = {.create = create};
