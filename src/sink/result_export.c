/* result_export.c - a result through another sink. */
#include "sink/sink.h"
#include "withy/result.h"

/* What stays while the sink is open. */
typedef struct job {
    wy_arena arena;
    withy_result *result;
    const wy_sink *sink;
    void *state;
    withy_probe *probe; /* [probe_count] */
    int probe_count;
    withy_body *body;         /* [bodies] */
    withy_joint *joint;       /* [joints] */
    withy_obstacle *obstacle; /* [obstacles] */
} job;

static withy_status no_memory(const char *path, withy_error *err) {
    return wy_no_memory(err, "%s: memory ran out", path);
}

static bool take_probes(job *j) {
    withy_result_probe info;
    while (withy_result_probe_at(j->result, j->probe_count, &info)) j->probe_count++;
    j->probe = wy_arena_alloc(&j->arena, (size_t)j->probe_count, sizeof *j->probe);
    if (!j->probe) return false;
    for (int i = 0; i < j->probe_count; i++) {
        withy_result_probe_at(j->result, i, &info);
        j->probe[i].rod = info.rod;
        j->probe[i].at = info.at;
        j->probe[i].of = info.of, j->probe[i].index = info.index;
        memcpy(j->probe[i].name, info.name, sizeof info.name);
        memcpy(j->probe[i].what, info.what, sizeof info.what);
    }
    return true;
}

/* Bodies, joints and obstacles of the first snapshot; *parts stays NULL when there are none. */
static withy_status take_parts(job *j, const char *path, const withy_parts **parts,
                               withy_error *err) {
    const int bodies = withy_result_bodies(j->result), joints = withy_result_joints(j->result),
              obstacles = withy_result_obstacles(j->result);
    if (!wy_result_has_parts(j->result)) return WITHY_OK;
    j->body = wy_arena_alloc(&j->arena, (size_t)bodies, sizeof *j->body);
    j->joint = wy_arena_alloc(&j->arena, (size_t)joints, sizeof *j->joint);
    j->obstacle = wy_arena_alloc(&j->arena, (size_t)obstacles, sizeof *j->obstacle);
    if (!j->body || !j->joint || !j->obstacle) return no_memory(path, err);
    for (int i = 0; i < obstacles; i++) withy_result_obstacle_at(j->result, i, &j->obstacle[i]);
    for (int i = 0; i < bodies; i++) withy_result_body_at(j->result, i, &j->body[i]);
    for (int i = 0; i < joints; i++) withy_result_joint_at(j->result, i, &j->joint[i]);
    *parts = withy_result_parts_at(j->result, 0, err);
    return *parts ? WITHY_OK : WITHY_IO;
}

static withy_status open_sink(job *j, const char *path, withy_error *err) {
    withy_result *r = j->result;
    const int rods = withy_result_rods(r);
    const withy_snapshot **first = wy_arena_alloc(&j->arena, (size_t)rods, sizeof *first);
    if (!first || !take_probes(j)) return no_memory(path, err);
    for (int rod = 0; rod < rods; rod++) { /* each rod has its own, so all stay valid */
        first[rod] = withy_result_at(r, rod, 0, err);
        if (!first[rod]) return WITHY_IO;
    }
    const withy_parts *parts = NULL;
    WY_TRY(take_parts(j, path, &parts, err));
    withy_result_rod *info = wy_arena_alloc(&j->arena, (size_t)rods, sizeof *info);
    const char **name = wy_arena_alloc(&j->arena, (size_t)rods, sizeof *name);
    if (!info || !name) return no_memory(path, err);
    for (int rod = 0; rod < rods; rod++)
        if (withy_result_rod_at(r, rod, &info[rod])) name[rod] = info[rod].name;
    const wy_sink_meta meta = {.title = withy_result_text(r, "title"),
                               .method = withy_result_text(r, "method"),
                               .version = withy_result_text(r, "version"),
                               .scene_name = withy_result_text(r, "scene_name"),
                               .scene_text = withy_result_text(r, "scene"),
                               .notes = withy_result_text(r, "notes"),
                               .note_data = withy_result_text(r, "note_data"),
                               .axis = withy_result_text(r, "axis"),
                               .request = {.probe = j->probe, .probe_count = j->probe_count},
                               .rod_count = rods,
                               .rod_name = name,
                               .parts = parts,
                               .body = j->body,
                               .joint = j->joint,
                               .obstacle = j->obstacle,
                               .at_once = true};
    return j->sink->open(path, &meta, first, &j->state, err);
}

static withy_status export(job *j, const char *path, withy_error *err) {
    const int64_t count = withy_result_count(j->result);
    if (count == 0) return wy_bad_input(err, "%s: the result holds no snapshot", path);
    WY_TRY(open_sink(j, path, err));
    const withy_status status =
        wy_result_copy(j->result, count, NULL, NULL, j->sink, j->state, err);
    /* the first failure is reported; "running" is the status left by a killed run */
    const char *how =
        status == WITHY_OK ? withy_result_text(j->result, "status") : "failed: the export stopped";
    const withy_status closed = j->sink->close(j->state, how, status == WITHY_OK ? err : NULL);
    return status == WITHY_OK ? closed : status;
}

withy_status withy_result_export(withy_result *result, const char *path, withy_error *err) {
    WY_NEED(result, path);
    job j = {.result = result};
    WY_TRY(wy_sink_for(path, &j.sink, err));
    const withy_status status = export(&j, path, err);
    wy_arena_free(&j.arena);
    return status;
}

withy_status withy_record_read(withy_record *record, const char *path, withy_error *err) {
    WY_NEED(record, path);
    job j = {.sink = &wy_record_sink, .state = record};
    WY_TRY(withy_result_open(path, &j.result, err));
    const withy_status status = export(&j, path, err);
    withy_result_close(j.result);
    wy_arena_free(&j.arena);
    return status;
}
