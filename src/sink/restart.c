/* restart.c - see sink.h. */
#include "sink/sink.h"

#include "observe/observe.h"
#include "sink/hdf5/store.h"

static withy_status open_state(const char *path, withy_result **result, const void **bytes,
                               size_t *size, withy_error *err) {
    WY_TRY(withy_result_open(path, result, err));
    *bytes = wy_result_state(*result, size);
    if (*bytes) return WITHY_OK;
    withy_result_close(*result);
    *result = NULL;
    return wy_bad_input(err,
                        "%s: holds no state to continue from; run the scene with --checkpoint "
                        "SECONDS, which keeps them",
                        path);
}

static wy_restart_parts count(const withy_result *result) {
    withy_result_probe info;
    wy_restart_parts has = {withy_result_rods(result), withy_result_bodies(result),
                            withy_result_joints(result), withy_result_obstacles(result), 0};
    while (withy_result_probe_at(result, has.probes, &info)) has.probes++;
    return has;
}

static int probe_size(const withy_result *result, int probe) {
    withy_result_probe info;
    return withy_result_probe_at(result, probe, &info) ? info.size : 0;
}

bool wy_result_has_parts(const withy_result *r) {
    return withy_result_bodies(r) + withy_result_joints(r) + withy_result_obstacles(r) > 0 ||
           withy_result_contacts(r) > 0;
}

/* own: the first rod at its new stations, or NULL. */
static withy_status copy_snapshot(withy_result *result, int64_t k, withy_snapshot *own,
                                  const wy_sink *sink, void *state, withy_error *err) {
    if (sink->parts && wy_result_has_parts(result)) {
        const withy_parts *parts = withy_result_parts_at(result, k, err);
        if (!parts) return WITHY_IO;
        WY_TRY(sink->parts(state, parts, err));
    }
    for (int rod = 0; rod < withy_result_rods(result); rod++) {
        const withy_snapshot *snap = withy_result_at(result, rod, k, err);
        if (!snap) return WITHY_IO;
        if (own) WY_TRY(wy_snapshot_regrid(snap, own, err));
        WY_TRY(sink->write(state, rod, own ? own : snap, err));
    }
    return WITHY_OK;
}

/* All samples of a probe. */
typedef struct track {
    withy_result_probe info;
    double *t, *value;
    wy_arena arena;
} track;

static withy_status read_track(withy_result *result, int index, track *x, withy_error *err) {
    *x = (track){0};
    if (!withy_result_probe_at(result, index, &x->info))
        return wy_fail(err, WITHY_IO, "probe %d is lost: the file is damaged", index + 1);
    const size_t count = (size_t)x->info.count, size = (size_t)x->info.size;
    x->t = wy_arena_alloc(&x->arena, count, sizeof *x->t);
    x->value = wy_arena_alloc(&x->arena, count * size, sizeof *x->value);
    if (!x->t || !x->value) return wy_no_memory(err, "probe %s: memory ran out", x->info.name);
    return withy_result_probe_read(result, index, x->t, x->value, err);
}

static withy_status count_samples(withy_result *result, int probe, double t, int64_t *samples,
                                  withy_error *err) {
    track x;
    const withy_status status = read_track(result, probe, &x, err);
    *samples = 0;
    while (status == WITHY_OK && *samples < x.info.count && x.t[*samples] <= t * (1 + 1e-9))
        ++*samples;
    wy_arena_free(&x.arena);
    return status;
}

/* samples: the first so many; NULL: all. */
static withy_status copy_probe(withy_result *result, int index, const int64_t *samples,
                               const wy_sink *sink, void *state, withy_error *err) {
    track x;
    withy_status status = read_track(result, index, &x, err);
    if (status == WITHY_OK && samples && x.info.count < *samples)
        status = wy_fail(err, WITHY_IO, "probe %d: its samples are lost: the file is damaged",
                         index + 1);
    const size_t size = (size_t)x.info.size, count = (size_t)(samples ? *samples : x.info.count);
    for (size_t k = 0; status == WITHY_OK && k < count; k++)
        status = sink->probe(state, index, x.t[k], x.value + k * size, err);
    wy_arena_free(&x.arena);
    return status;
}

static withy_status copy_snapshots(withy_result *result, int64_t snapshots,
                                   const withy_snapshot *grid, const wy_sink *sink, void *state,
                                   withy_error *err) {
    wy_arena arena = {0};
    withy_snapshot own;
    withy_status status =
        grid ? wy_snapshot_make(&arena, grid->count, grid->s, &own, err) : WITHY_OK;
    for (int64_t k = 0; k < snapshots && status == WITHY_OK; k++)
        status = copy_snapshot(result, k, grid ? &own : NULL, sink, state, err);
    wy_arena_free(&arena);
    return status;
}

withy_status wy_result_copy(withy_result *result, int64_t snapshots, const int64_t *samples,
                            const withy_snapshot *grid, const wy_sink *sink, void *state,
                            withy_error *err) {
    withy_result_probe info;
    if (withy_result_count(result) < snapshots)
        return wy_fail(err, WITHY_IO, "its snapshots are lost: the file is damaged");
    WY_TRY(copy_snapshots(result, snapshots, grid, sink, state, err));
    for (int i = 0; sink->probe && withy_result_probe_at(result, i, &info); i++)
        WY_TRY(copy_probe(result, i, samples ? &samples[i] : NULL, sink, state, err));
    return WITHY_OK;
}

const wy_restart_reader wy_restart = {.result = withy_result_open,
                                      .text = withy_result_text,
                                      .open = open_state,
                                      .count = count,
                                      .probe_size = probe_size,
                                      .at = withy_result_at,
                                      .samples = count_samples,
                                      .copy = wy_result_copy,
                                      .close = withy_result_close};
