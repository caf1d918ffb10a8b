/* hdf5.c - one HDF5 file per run, readable whenever the run is killed.
 *
 * How that is done: all groups and data sets exist before the first snapshot (head.c).  From
 * then on the file is written in HDF5's single-writer mode, in which what is on disk refers only to what
 * is on disk, through a file driver of our own for the rest (file.c).  Rows are
 * published by flushing every data set, `time` last: its length is the number of snapshots.
 */
#include "sink/sink.h"

#define SUMMARY "one file with everything: h5py, MATLAB, Julia, withy plot and export"

#ifdef WITHY_HAVE_LIB_HDF5

#include <errno.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/wall_clock.h"
#include "observe/observe.h"
#include "sink/atomic_file.h"
#include "sink/hdf5/hdf5.h"
#include "sink/hdf5/store.h"
#include "sink/superblock.h"

#define FLUSH_EVERY 0.1 /* [s] of wall time                                                */
#define FLUSH_SHARE 20  /* flushing takes at most one part in this many, however many rods */
#define FLUSH_MOST 5.0  /* [s] at most lost by a kill                               */
#define MANY 8          /* rods whose data sets are flushed one by one              */
#define GROUP 100       /* of more rods, how many are flushed at once               */

typedef struct writer {
    wy_arena arena;
    wy_h5_tables tables;
    wy_h5_file file;
    wy_atomic_file place;
    char *path;
    hid_t hdf5;
    uint64_t status_at;            /* where the text of /status is                        */
    size_t state_size;             /* of the states that are kept; 0: none                */
    uint64_t state_at[2];          /* where they go                                       */
    uint64_t hash_at;              /* and the hash of the last one                        */
    uint64_t states;               /* kept so far                                         */
    uint64_t published;            /* snapshots on disk                                   */
    double flushed, pause;         /* when last, and how long until the next          [s] */
    bool broken;                   /* a write has failed                                  */
    bool at_once;                  /* nothing is kept of a part                           */
    const char *notes, *note_data; /* of the caller, who may add to them until close */
    size_t noted;                  /* how long they were when the file was made           */
    char why[WY_H5_STATUS];
} writer;

/* The file's own error, or HDF5's message. */
static void find_cause(const writer *w, char *text, size_t size) {
    if (w->file.error)
        snprintf(text, size, "%s", strerror(w->file.error));
    else
        wy_h5_cause(text, size, "HDF5 gives no reason");
}

/* A write has failed: keep the reason, so that close can write it to the file. */
static withy_status failed(writer *w, withy_error *err) {
    char cause[256];
    find_cause(w, cause, sizeof cause);
    w->broken = true;
    snprintf(w->why, sizeof w->why, "failed: writing stopped: %s", cause);
    const unsigned long long kept = w->published;
    if (w->place.shown)
        return wy_fail(
            err, WITHY_IO,
            "%s: writing failed: %s; the file holds what was written before (snapshots: %llu)",
            w->path, cause, kept);
    if (!kept || w->at_once)
        return wy_fail(err, WITHY_IO, "%s: writing failed: %s; no part of it is kept", w->path,
                       cause);
    return wy_fail(err, WITHY_IO,
                   "%s: writing failed: %s; the old file stays, and what was written before is in "
                   "%s (snapshots: %llu)",
                   w->path, cause, w->place.name, kept);
}

/* ---- opening --------------------------------------------------------------------------------- */

/* The head is whole before the file can be seen: there is no time at which it exists and cannot be read.
 * Where there is no old file it takes its place at once, so that a kill leaves it there; else it is moved
 * over the old one when it is finished.  Others may read it, but not write (HDF5 uses the same lock). */
static int put_head(writer *w, void *image, size_t size) {
    if (size < WY_SUPERBLOCK_SIZE || !wy_superblock_is(image)) return EINVAL;
    wy_superblock_set(image, size); /* HDF5 leaves a wrong checksum in an image */
    int code = wy_atomic_file_open(&w->place, w->path, true);
    if (code) return code;
    w->file.descriptor = w->place.descriptor;
    flock(w->file.descriptor, LOCK_SH | LOCK_NB);
    code = wy_h5_file_put(&w->file, image, size, 0);
    if (!code && w->place.is_new && !w->at_once && !w->state_size)
        code = wy_atomic_file_show(&w->place);
    return code;
}

static int attach(writer *w) {
    wy_h5_tables *tables = &w->tables;
    int done = wy_table_attach(&tables->time, w->hdf5);
    for (int i = 0; i < tables->all_count && done >= 0; i++)
        done = wy_table_attach(&tables->all[i], w->hdf5);
    return done;
}

static withy_status cannot_build(const writer *w, withy_error *err) {
    char cause[256];
    find_cause(w, cause, sizeof cause);
    return wy_fail(err, WITHY_IO, "%s: cannot be written: %s", w->path, cause);
}

static withy_status start(writer *w, withy_error *err) {
    w->hdf5 = wy_h5_file_open(&w->file, w->path);
    if (w->hdf5 < 0 || attach(w) < 0 || w->file.error) return cannot_build(w, err);
    w->status_at = wy_h5_place_at(w->hdf5, "status");
    if (w->status_at == 0) return cannot_build(w, err);
    if (w->state_size == 0) return WITHY_OK;
    w->state_at[0] = wy_h5_place_at(w->hdf5, "restart/state0");
    w->state_at[1] = wy_h5_place_at(w->hdf5, "restart/state1");
    w->hash_at = wy_h5_place_at(w->hdf5, "restart/hash");
    return w->state_at[0] && w->state_at[1] && w->hash_at ? WITHY_OK : cannot_build(w, err);
}

static void drop(writer *w) {
    wy_atomic_file_drop(&w->place);
    wy_arena_free(&w->arena);
    wy_free(w);
}

static withy_status create(writer *w, const wy_sink_meta *meta, const withy_snapshot *const *first,
                           withy_error *err) {
    void *image = NULL;
    size_t size = 0;
    if (wy_h5_head(&w->tables, &w->arena, meta, first, &image, &size) < 0)
        return cannot_build(w, err);
    const int code = put_head(w, image, size);
    if (code) return wy_cannot_write(w->path, code, err);
    const withy_status status = start(w, err);
    if (status != WITHY_OK) {
        if (w->hdf5 >= 0) H5Fclose(w->hdf5);
        if (w->place.shown) unlink(w->path); /* a head that cannot be used */
    }
    return status;
}

static withy_status open_file(const char *path, const wy_sink_meta *meta,
                              const withy_snapshot *const *first, void **state, withy_error *err) {
    writer *w = wy_alloc(1, sizeof *w);
    if (!w) return wy_no_memory(err, "%s: memory ran out", path);
    w->file.descriptor = -1;
    w->hdf5 = -1;
    w->at_once = meta->at_once;
    w->notes = meta->notes ? meta->notes : "", w->noted = strlen(w->notes);
    w->note_data = meta->note_data;
    w->state_size = meta->state_size;
    w->path = wy_arena_text(&w->arena, path);
    withy_status status = WITHY_OK;
    if (!w->path || !wy_h5_has_room(WY_H5_ROOM + (size_t)meta->rod_count * (size_t)WY_H5_ROOM_ROD))
        status = wy_no_memory(err, "%s: memory ran out", path);
    if (status != WITHY_OK) return drop(w), status;
    wy_h5_enter();
    status = create(w, meta, first, err);
    wy_h5_leave();
    WY_HAND_OVER(status, w, drop, state);
}

/* ---- writing --------------------------------------------------------------------------------- */

/* All rows to the disk: rods and probes, then time.  Flushing one data set looks at all of the file, so that many are
 * flushed at once; but not too many, since HDF5 begins anew to look for what can be written after each piece that has
 * been, and passes all that have to wait. */
static int publish(writer *w) {
    wy_h5_tables *tables = &w->tables;
    const bool many = tables->rod_count > MANY;
    int (*const to_disk)(wy_table *) = many ? wy_table_push : wy_table_flush;
    int done = 0;
    for (int i = 0; i < tables->all_count && done >= 0; i++) {
        done = to_disk(&tables->all[i]);
        if (many && i % GROUP == GROUP - 1 && done >= 0) done = H5Fflush(w->hdf5, H5F_SCOPE_LOCAL);
    }
    if (many && done >= 0) done = H5Fflush(w->hdf5, H5F_SCOPE_LOCAL);
    return done < 0 ? -1 : wy_table_flush(&tables->time);
}

static withy_status flush(writer *w, withy_error *err) {
    const double before = wy_wall_clock();
    if (publish(w) < 0 || w->file.error) return failed(w, err);
    const bool first =
        w->published == 0; /* it also creates the chunks, so its time is not typical */
    w->published = w->tables.time.rows;
    w->flushed = wy_wall_clock();
    w->pause = first ? FLUSH_EVERY : wy_max(FLUSH_EVERY, FLUSH_SHARE * (w->flushed - before));
    w->pause = wy_min(w->pause, FLUSH_MOST);
    return WITHY_OK;
}

static withy_status push(writer *w, wy_table *table, withy_error *err) {
    return wy_table_push(table) < 0 || w->file.error ? failed(w, err) : WITHY_OK;
}

/* A row has been added to the table; `last`: the snapshot is complete with it. */
static withy_status added(writer *w, wy_table *table, bool last, withy_error *err) {
    const bool full = wy_table_next(table);
    const bool due = last && wy_wall_clock() - w->flushed >= w->pause;
    if (!full && !due) return WITHY_OK;
    wy_h5_enter();
    if (!wy_h5_has_room(WY_H5_ROOM_ROWS)) w->file.error = ENOMEM;
    const withy_status status = w->file.error ? failed(w, err)
                                : due         ? flush(w, err)
                                              : push(w, table, err);
    wy_h5_leave();
    return status;
}

static withy_status refuse(const writer *w, withy_error *err) {
    return wy_fail(err, WITHY_IO, "%s: %s", w->path, w->why);
}

static void stage(wy_table *table, unsigned have, const withy_snapshot *snap) {
    int column = 0;
    for (const withy_quantity *q = NULL; (q = wy_quantity_after(WITHY_OF_ROD, q)) != NULL;) {
        if (!wy_quantity_in(q, have)) continue;
        const size_t bytes = sizeof(double) * (size_t)(snap->count * q->size);
        memcpy(wy_table_row(table, column++), withy_quantity_at(q, snap, 0), bytes);
    }
    for (const withy_quantity *q = NULL; (q = wy_quantity_after(WITHY_OF_LEDGER, q)) != NULL;)
        if (wy_quantity_in(q, have)) wy_quantity_get(q, snap, wy_table_row(table, column++));
}

/* Time last: its length is the number of snapshots. */
static withy_status end_snapshot(writer *w, int64_t step, double t, withy_error *err) {
    wy_table *time = &w->tables.time;
    *wy_table_row(time, 0) = (double)step;
    *wy_table_row(time, 1) = t;
    return added(w, time, true, err);
}

static withy_status write_rod(void *state, int rod, const withy_snapshot *snap, withy_error *err) {
    writer *w = state;
    wy_h5_tables *tables = &w->tables;
    if (w->broken) return refuse(w, err);
    if (snap->count != tables->count[rod] || (tables->have[rod] & ~snap->have))
        return wy_bad_input(err,
                            "%s: the snapshot of rod %d at t = %g lacks what the first one had",
                            w->path, rod + 1, snap->t);
    stage(&tables->rod[rod], tables->have[rod], snap);
    WY_TRY(added(w, &tables->rod[rod], false, err));
    return rod == tables->rod_count - 1 ? end_snapshot(w, snap->step, snap->t, err) : WITHY_OK;
}

static withy_status write_parts(void *state, const withy_parts *parts, withy_error *err) {
    writer *w = state;
    if (w->broken) return refuse(w, err);
    wy_h5_stage_parts(&w->tables, parts);
    for (int i = 0; i < WY_H5_PARTS; i++)
        if (w->tables.part[i].count) WY_TRY(added(w, &w->tables.part[i], false, err));
    for (int i = 0; w->tables.contacts->count && i < parts->contact_count; i++) {
        wy_h5_stage_contact(w->tables.contacts, &parts->contacts[i]);
        WY_TRY(added(w, w->tables.contacts, false, err));
    }
    return w->tables.rod_count ? WITHY_OK : end_snapshot(w, parts->step, parts->t, err);
}

static withy_status write_probe(void *state, int probe, double t, const double *value,
                                withy_error *err) {
    writer *w = state;
    if (w->broken) return refuse(w, err);
    wy_table *table = &w->tables.probe[probe];
    memcpy(wy_table_row(table, 0), value, sizeof *value * (size_t)table->column[0].size);
    *wy_table_row(table, 1) = t;
    return added(w, table, false, err);
}

/* ---- states ---------------------------------------------------------------------------------- */

static int put_state(writer *w, int place, uint64_t number, const void *bytes) {
    wy_state_head head;
    wy_state_seal(&head, number, bytes, w->state_size);
    const uint64_t at = w->state_at[place];
    const int code = wy_h5_file_put(&w->file, &head, sizeof head, at);
    return code ? code : wy_h5_file_put(&w->file, bytes, w->state_size, at + sizeof head);
}

/* The older place first: until it is whole the newer one counts. */
static int put_states(writer *w, const void *bytes, bool last) {
    char hash[WY_H5_HASH + 1];
    const int place = (int)(w->states % 2);
    const uint64_t number = last ? UINT64_MAX : ++w->states;
    int code = put_state(w, place, number, bytes);
    if (!code && last) code = put_state(w, 1 - place, number, bytes);
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)wy_hash(bytes, w->state_size, 0));
    return code ? code : wy_h5_file_put(&w->file, hash, WY_H5_HASH, w->hash_at);
}

static withy_status keep_state(void *state, const void *bytes, bool last, withy_error *err) {
    writer *w = state;
    if (w->broken) return refuse(w, err);
    wy_h5_enter();
    if (!wy_h5_has_room(WY_H5_ROOM_ROWS)) w->file.error = ENOMEM;
    withy_status status = w->file.error ? failed(w, err) : flush(w, err);
    if (status == WITHY_OK) {
        fsync(w->file.descriptor); /* rows first, also when the power fails */
        w->file.error = put_states(w, bytes, last);
        if (!w->file.error && !w->place.shown) w->file.error = wy_atomic_file_take(&w->place);
        if (w->file.error) status = failed(w, err);
    }
    wy_h5_leave();
    return status;
}

/* ---- closing --------------------------------------------------------------------------------- */

/* Past HDF5, in place, so that it also works when nothing else does. */
static int put_status(writer *w, const char *status) {
    char text[WY_H5_STATUS] = {0};
    snprintf(text, sizeof text, "%s", status);
    return wy_h5_file_put(&w->file, text, sizeof text, w->status_at);
}

/* A run that has failed before its first snapshot has no result: the old one stays. */
static withy_status keep(writer *w, const char *status, withy_error *err) {
    if (w->published == 0 && strcmp(status, "complete") != 0) {
        if (w->place.shown && wy_atomic_file_is(w->path, w->place.descriptor)) unlink(w->path);
        return WITHY_OK;
    }
    if (w->state_size && !w->place.shown && strcmp(status, "complete") != 0)
        return WITHY_OK; /* it does not hold yet what the old file has */
    const int code = wy_atomic_file_keep(&w->place);
    return code ? wy_cannot_write(w->path, code, err) : WITHY_OK;
}

/* All is on disk.  HDF5 gives back the metadata of an open file by looking through all of it for every piece that others
 * refer to; as a cache that has become too small it looks at each once. */
static void let_go(writer *w) {
    H5AC_cache_config_t cache = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};
    const ssize_t open = H5Fget_obj_count(w->hdf5, H5F_OBJ_DATASET);
    hid_t *data = open > 0 ? wy_alloc((size_t)open, sizeof *data) : NULL;
    const ssize_t got = data ? H5Fget_obj_ids(w->hdf5, H5F_OBJ_DATASET, (size_t)open, data) : 0;
    for (ssize_t i = 0; i < got; i++) H5Dclose(data[i]);
    wy_free(data);
    if (H5Fget_mdc_config(w->hdf5, &cache) < 0) return;
    cache.evictions_enabled = 1;
    cache.set_initial_size = 1;
    cache.initial_size = cache.min_size = 64 * 1024;
    if (H5Fset_mdc_config(w->hdf5, &cache) < 0) return;
    const hid_t time = H5Dopen2(w->hdf5, "time", H5P_DEFAULT);
    if (time >= 0) H5Dclose(time);
}

static withy_status close_file(void *state, const char *status, withy_error *err) {
    writer *w = state;
    wy_h5_enter();
    withy_status done = w->broken ? WITHY_OK : flush(w, err);
    if (!w->broken && strlen(w->notes) != w->noted &&
        (H5Ldelete(w->hdf5, "notes", H5P_DEFAULT) < 0 ||
         H5Ldelete(w->hdf5, "note_data", H5P_DEFAULT) < 0 ||
         wy_h5_make_notes(w->hdf5, w->notes, w->note_data) < 0))
        done = failed(w, err);
    if (!w->broken && w->tables.rod_count > MANY) let_go(w);
    if (H5Fclose(w->hdf5) < 0 || (w->file.error && !w->broken)) done = failed(w, err);
    if (!w->broken) wy_h5_file_trim(&w->file);
    w->file.error = put_status(w, w->broken ? w->why : status);
    if (w->file.error && !w->broken) done = failed(w, err);
    wy_h5_leave();
    if (!w->broken && done == WITHY_OK) done = keep(w, status, err);
    if (w->broken && w->published > 0 && !w->at_once) wy_atomic_file_leave(&w->place);
    drop(w);
    return done;
}

const wy_sink wy_sink_hdf5 = {
    WY_SINK_COMMON("hdf5", ".h5", SUMMARY),
    .parts = write_parts,
    .probe = write_probe,
    .keep = keep_state,
};

#else

const wy_sink wy_sink_hdf5 = {.name = "hdf5", .ending = ".h5", .summary = SUMMARY, .needs = "HDF5"};

#endif
