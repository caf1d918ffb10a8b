/* restart.c - see restart.h. */
#include "sink/restart.h"

#include "sink/hdf5/state.h"

withy_status wy_restart_open(const char *path, withy_result **result, const void **bytes,
                             size_t *size, withy_error *err) {
    WY_TRY(withy_result_open(path, result, err));
    *bytes = wy_result_state(*result, size);
    if (*bytes) return WITHY_OK;
    withy_result_close(*result);
    *result = NULL;
    return wy_fail(
        err, WITHY_BAD_INPUT,
        "%s: holds no state to go on from; run the scene with --checkpoint SECONDS, which "
        "keeps them",
        path);
}

withy_status wy_restart_result(const char *path, withy_result **result, withy_error *err) {
    return withy_result_open(path, result, err);
}

const char *wy_restart_text(const withy_result *result, const char *name) {
    return withy_result_text(result, name);
}

static withy_status copy_snapshot(withy_result *result, int64_t k, const wy_sink *sink, void *state,
                                  withy_error *err) {
    if (withy_result_bodies(result) + withy_result_joints(result) + withy_result_obstacles(result) >
            0 ||
        withy_result_touches(result) > 0) {
        const withy_parts *parts = withy_result_parts_at(result, k, err);
        if (!parts) return WITHY_IO;
        WY_TRY(sink->parts(state, parts, err));
    }
    for (int rod = 0; rod < withy_result_rods(result); rod++) {
        const withy_snapshot *snap = withy_result_at(result, rod, k, err);
        if (!snap) return WITHY_IO;
        WY_TRY(sink->write(state, rod, snap, err));
    }
    return WITHY_OK;
}

static withy_status copy_probe(withy_result *result, int index, int64_t samples,
                               const wy_sink *sink, void *state, withy_error *err) {
    withy_result_probe info;
    wy_arena arena = {0};
    if (!withy_result_probe_at(result, index, &info) || info.count < samples)
        return wy_fail(err, WITHY_IO, "probe %d: its samples are lost: the file is damaged",
                       index + 1);
    const size_t count = (size_t)info.count, size = (size_t)info.size;
    double *t = wy_arena_take(&arena, count, sizeof *t);
    double *value = wy_arena_take(&arena, count * size, sizeof *value);
    withy_status status =
        t && value ? withy_result_probe_read(result, index, t, value, err)
                   : wy_fail(err, WITHY_NO_MEMORY, "probe %s: memory ran out", info.name);
    for (size_t k = 0; status == WITHY_OK && t && value && k < (size_t)samples; k++)
        status = sink->probe(state, index, t[k], value + k * size, err);
    wy_arena_free(&arena);
    return status;
}

withy_status wy_restart_copy(withy_result *result, int64_t snapshots, const int64_t *samples,
                             const wy_sink *sink, void *state, withy_error *err) {
    withy_result_probe info;
    if (withy_result_count(result) < snapshots)
        return wy_fail(err, WITHY_IO, "its snapshots are lost: the file is damaged");
    for (int64_t k = 0; k < snapshots; k++) WY_TRY(copy_snapshot(result, k, sink, state, err));
    for (int i = 0; withy_result_probe_at(result, i, &info); i++)
        WY_TRY(copy_probe(result, i, samples[i], sink, state, err));
    return WITHY_OK;
}

void wy_restart_close(withy_result *result) {
    withy_result_close(result);
}
