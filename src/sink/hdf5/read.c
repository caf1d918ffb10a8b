/* read.c - result files read back, row by row (the layout is in hdf5.h). */
#ifdef WITHY_HAVE_LIB_HDF5

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sink/hdf5/hdf5.h"
#include "sink/ledger.h"
#include "withy/result.h"

enum { STATIONS_MOST = 100 * 1000 * 1000 }; /* beyond: damaged */

/* A data set of rows. */
typedef struct column {
    hid_t data, space, memory; /* memory: one row */
    int rank, size;            /* numbers per row */
    hsize_t shape[WY_H5_RANK];
} column;

typedef struct reader_rod {
    withy_result_rod info;
    withy_snapshot snap;
    column *field;  /* [quantities] data < 0: not in the file */
    column *ledger; /* [entries]    likewise                  */
} reader_rod;

typedef struct reader_probe {
    withy_result_probe info;
    column time, value;
} reader_probe;

static const char *const text_name[] = {"title",  "method", "version", "scene_name",
                                        "status", "scene",  "notes",   "axis"};
enum { TEXTS = sizeof text_name / sizeof *text_name };

struct withy_result {
    wy_arena arena;
    const char *path;
    hid_t file;
    int64_t count;
    column time, step;
    int rods, probes;
    reader_rod *rod;     /* [rods]   */
    reader_probe *probe; /* [probes] */
    char *text[TEXTS];
};

static withy_status damaged(const withy_result *r, const char *what, withy_error *err) {
    char cause[256];
    wy_h5_cause(cause, sizeof cause, "the file is damaged");
    return wy_fail(err, WITHY_IO, "%s: %s cannot be read: %s", r->path, what, cause);
}

static bool has(hid_t where, const char *name) {
    return H5Lexists(where, name, H5P_DEFAULT) > 0;
}

/* ---- columns --------------------------------------------------------------------------------- */

/* Open a data set whose rows hold `size` numbers. */
static int column_open(column *c, hid_t where, const char *name, int64_t size) {
    c->data = H5Dopen2(where, name, H5P_DEFAULT);
    if (c->data < 0) return -1;
    c->space = H5Dget_space(c->data);
    c->rank = H5Sget_simple_extent_ndims(c->space);
    if (c->rank < 1 || c->rank > WY_H5_RANK) return -1;
    H5Sget_simple_extent_dims(c->space, c->shape, NULL);
    hsize_t numbers = 1;
    for (int i = 1; i < c->rank; i++) numbers *= c->shape[i];
    if (numbers != (hsize_t)size) return -1;
    c->size = (int)size;
    c->memory = H5Screate_simple(1, &numbers, NULL);
    return c->memory < 0 ? -1 : 0;
}

static int column_row(const column *c, int64_t row, double *out) {
    const hsize_t start[WY_H5_RANK] = {(hsize_t)row};
    const hsize_t count[WY_H5_RANK] = {1, c->shape[1], c->shape[2]};
    if (H5Sselect_hyperslab(c->space, H5S_SELECT_SET, start, NULL, count, NULL) < 0) return -1;
    return H5Dread(c->data, H5T_NATIVE_DOUBLE, c->memory, c->space, H5P_DEFAULT, out);
}

static int column_all(const column *c, int64_t rows, double *out) {
    if (rows == 0) return 0;
    const hsize_t start[WY_H5_RANK] = {0};
    const hsize_t count[WY_H5_RANK] = {(hsize_t)rows, c->shape[1], c->shape[2]};
    const hid_t memory = H5Screate_simple(c->rank, count, NULL);
    int done = H5Sselect_hyperslab(c->space, H5S_SELECT_SET, start, NULL, count, NULL);
    if (done >= 0) done = H5Dread(c->data, H5T_NATIVE_DOUBLE, memory, c->space, H5P_DEFAULT, out);
    H5Sclose(memory);
    return done;
}

/* ---- texts ----------------------------------------------------------------------------------- */

static void read_texts(withy_result *r) {
    for (int i = 0; i < TEXTS; i++) {
        r->text[i] = wy_h5_get_text(r->file, text_name[i], &r->arena);
        if (!r->text[i]) r->text[i] = wy_h5_get_data_text(r->file, text_name[i], &r->arena);
    }
}

/* ---- rods ------------------------------------------------------------------------------------ */

static int read_arc(withy_result *r, hid_t group, withy_snapshot *snap) {
    const hid_t data = H5Dopen2(group, "s", H5P_DEFAULT);
    if (data < 0) return -1;
    const hid_t space = H5Dget_space(data);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    H5Sclose(space);
    int done = -1;
    if (count > 0 && count <= STATIONS_MOST) {
        snap->count = (int)count;
        snap->s = wy_arena_take(&r->arena, (size_t)count, sizeof *snap->s);
        if (snap->s)
            done = H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, snap->s);
    }
    H5Dclose(data);
    return done;
}

static double **array_of(const withy_quantity *quantity, withy_snapshot *snap) {
    return (double **)((char *)snap + quantity->offset);
}

static int open_fields(withy_result *r, hid_t group, reader_rod *rod) {
    int count;
    const withy_quantity *quantity = withy_quantity_list(&count);
    rod->field = wy_arena_take(&r->arena, (size_t)count, sizeof *rod->field);
    if (!rod->field) return -1;
    for (int i = 0; i < count; i++) {
        column *c = &rod->field[i];
        c->data = -1;
        if (!has(group, quantity[i].name)) continue;
        const int64_t size = (int64_t)rod->snap.count * quantity[i].size;
        if (column_open(c, group, quantity[i].name, size) < 0) return -1;
        double *array = wy_arena_take(&r->arena, (size_t)size, sizeof *array);
        if (!array || (int64_t)c->shape[0] < r->count) return -1;
        *array_of(&quantity[i], &rod->snap) = array;
        rod->snap.have |= quantity[i].have;
    }
    return 0;
}

static int open_ledger(withy_result *r, hid_t group, reader_rod *rod) {
    int count;
    const wy_ledger *entry = wy_ledger_list(&count);
    rod->ledger = wy_arena_take(&r->arena, (size_t)count, sizeof *rod->ledger);
    if (!rod->ledger) return -1;
    unsigned lacking = 0;
    for (int i = 0; i < count; i++) {
        column *c = &rod->ledger[i];
        c->data = -1;
        if (!has(group, entry[i].name)) {
            lacking |= entry[i].have;
            continue;
        }
        if (column_open(c, group, entry[i].name, entry[i].size) < 0) return -1;
        if ((int64_t)c->shape[0] < r->count) return -1;
        rod->snap.have |= entry[i].have;
    }
    rod->snap.have &= ~lacking;
    return 0;
}

static int open_rod(withy_result *r, int index) {
    char name[32], ledger[40];
    snprintf(name, sizeof name, "rod%d", index + 1);
    snprintf(ledger, sizeof ledger, "ledger/rod%d", index + 1);
    reader_rod *rod = &r->rod[index];
    const hid_t group = H5Gopen2(r->file, name, H5P_DEFAULT);
    if (group < 0) return -1;
    const char *section = wy_h5_get_text(group, "section", &r->arena);
    const char *label = wy_h5_get_text(group, "name", &r->arena);
    snprintf(rod->info.name, sizeof rod->info.name, "%s", label ? label : "");
    snprintf(rod->info.section, sizeof rod->info.section, "%s", section ? section : "none");
    rod->info.length = wy_h5_get_number(group, "length");
    rod->info.a = wy_h5_get_number(group, "section_a");
    rod->info.b = wy_h5_get_number(group, "section_b");
    int done = read_arc(r, group, &rod->snap);
    if (done >= 0) done = open_fields(r, group, rod);
    H5Gclose(group);
    const hid_t numbers = done < 0 ? -1 : H5Gopen2(r->file, ledger, H5P_DEFAULT);
    if (numbers < 0) return -1;
    done = open_ledger(r, numbers, rod);
    H5Gclose(numbers);
    return done;
}

static withy_status open_rods(withy_result *r, withy_error *err) {
    char name[32];
    do snprintf(name, sizeof name, "rod%d", r->rods + 1);
    while (has(r->file, name) && ++r->rods);
    r->rod = wy_arena_take(&r->arena, (size_t)r->rods, sizeof *r->rod);
    if (!r->rod || r->rods == 0) return damaged(r, "rod1", err);
    for (int i = 0; i < r->rods; i++) {
        snprintf(name, sizeof name, "rod%d", i + 1);
        if (open_rod(r, i) < 0) return damaged(r, name, err);
    }
    return WITHY_OK;
}

/* ---- probes ---------------------------------------------------------------------------------- */

static int open_probe(withy_result *r, hid_t group, reader_probe *probe) {
    const char *name = wy_h5_get_text(group, "name", &r->arena);
    const char *what = wy_h5_get_text(group, "what", &r->arena);
    const withy_quantity *quantity = what ? withy_quantity_find(what) : NULL;
    if (!name || !quantity) return -1;
    withy_result_probe *info = &probe->info;
    snprintf(info->name, sizeof info->name, "%s", name);
    snprintf(info->what, sizeof info->what, "%s", what);
    info->at = wy_h5_get_number(group, "at");
    info->rod = (int)wy_h5_get_number(group, "rod") - 1;
    info->size = quantity->size;
    if (info->rod < 0 || info->rod >= r->rods) return -1;
    if (column_open(&probe->value, group, "value", quantity->size) < 0) return -1;
    if (column_open(&probe->time, group, "t", 1) < 0) return -1;
    const hsize_t t = probe->time.shape[0], value = probe->value.shape[0];
    info->count = (int64_t)(t < value ? t : value);
    return 0;
}

static withy_status open_probes(withy_result *r, withy_error *err) {
    if (!has(r->file, "probes")) return WITHY_OK;
    H5G_info_t info;
    const hid_t all = H5Gopen2(r->file, "probes", H5P_DEFAULT);
    int done = all < 0 ? -1 : H5Gget_info(all, &info);
    if (done >= 0) {
        r->probe = wy_arena_take(&r->arena, (size_t)info.nlinks, sizeof *r->probe);
        if (!r->probe) done = -1;
    }
    for (hsize_t i = 0; done >= 0 && i < info.nlinks; i++) {
        const hid_t group =
            H5Oopen_by_idx(all, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, i, H5P_DEFAULT);
        done = group < 0 ? -1 : open_probe(r, group, &r->probe[i]);
        if (group >= 0) H5Oclose(group);
        if (done >= 0) r->probes++;
    }
    if (all >= 0) H5Gclose(all);
    return done < 0 ? damaged(r, "probes", err) : WITHY_OK;
}

/* ---- opening and closing ---------------------------------------------------------------------- */

static withy_status open_hdf5(withy_result *r, withy_error *err) {
    if (access(r->path, R_OK) != 0)
        return wy_fail(err, WITHY_IO, "%s: cannot be read: %s", r->path, strerror(errno));
    const htri_t is = H5Fis_hdf5(r->path);
    if (is == 0)
        return wy_fail(err, WITHY_BAD_INPUT,
                       "%s: not a result file of withy: it is not an HDF5 file", r->path);
    const hid_t plan = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fclose_degree(plan, H5F_CLOSE_STRONG);
    r->file = H5Fopen(r->path, H5F_ACC_RDONLY, plan);
    H5Pclose(plan);
    return r->file < 0 ? damaged(r, "the file", err) : WITHY_OK;
}

static withy_status check_format(withy_result *r, withy_error *err) {
    const char *format = wy_h5_get_text(r->file, "format", &r->arena);
    if (!format || strncmp(format, "withy", 5) != 0)
        return wy_fail(err, WITHY_BAD_INPUT,
                       "%s: not a result file of withy: it has no attribute format = \"%s\"",
                       r->path, WY_H5_FORMAT);
    if (strcmp(format, WY_H5_FORMAT) != 0)
        return wy_fail(err, WITHY_BAD_INPUT,
                       "%s: has the format \"%s\", this withy (%s) reads \"%s\": use a newer one",
                       r->path, format, withy_version(), WY_H5_FORMAT);
    return WITHY_OK;
}

static withy_status open_all(withy_result *r, withy_error *err) {
    WY_TRY(open_hdf5(r, err));
    WY_TRY(check_format(r, err));
    read_texts(r);
    if (column_open(&r->time, r->file, "time", 1) < 0) return damaged(r, "time", err);
    if (column_open(&r->step, r->file, "step", 1) < 0) return damaged(r, "step", err);
    r->count = (int64_t)r->time.shape[0];
    if ((int64_t)r->step.shape[0] < r->count) return damaged(r, "step", err);
    WY_TRY(open_rods(r, err));
    return open_probes(r, err);
}

withy_status withy_result_open(const char *path, withy_result **result, withy_error *err) {
    WY_NEED(result);
    *result = NULL;
    WY_NEED(path);
    *result = NULL;
    withy_result *r = wy_take(1, sizeof *r);
    if (!r) return wy_fail(err, WITHY_NO_MEMORY, "%s: memory ran out", path);
    r->file = -1;
    r->path = wy_arena_text(&r->arena, path);
    wy_h5_enter();
    const withy_status status =
        r->path ? open_all(r, err) : wy_fail(err, WITHY_NO_MEMORY, "%s: memory ran out", path);
    wy_h5_leave();
    if (status != WITHY_OK) return withy_result_close(r), status;
    *result = r;
    return WITHY_OK;
}

static void column_close(const column *c) {
    if (c->space > 0) H5Sclose(c->space);
    if (c->memory > 0) H5Sclose(c->memory);
}

static void close_rod(const reader_rod *rod) {
    int fields, entries;
    withy_quantity_list(&fields);
    wy_ledger_list(&entries);
    for (int i = 0; rod->field && i < fields; i++) column_close(&rod->field[i]);
    for (int i = 0; rod->ledger && i < entries; i++) column_close(&rod->ledger[i]);
}

void withy_result_close(withy_result *r) {
    if (!r) return;
    wy_h5_enter();
    column_close(&r->time);
    column_close(&r->step);
    for (int i = 0; r->rod && i < r->rods; i++) close_rod(&r->rod[i]);
    for (int i = 0; i < r->probes; i++) {
        column_close(&r->probe[i].time);
        column_close(&r->probe[i].value);
    }
    if (r->file >= 0) H5Fclose(r->file); /* with all data sets */
    wy_h5_leave();
    wy_arena_free(&r->arena);
    wy_give(r);
}

/* ---- reading --------------------------------------------------------------------------------- */

const char *withy_result_text(const withy_result *r, const char *name) {
    if (!r || !name) return "";
    for (int i = 0; i < TEXTS; i++)
        if (strcmp(text_name[i], name) == 0) return r->text[i] ? r->text[i] : "";
    return "";
}

int withy_result_rods(const withy_result *r) {
    if (!r) return 0;
    return r->rods;
}

int withy_result_rod_at(const withy_result *r, int rod, withy_result_rod *info) {
    if (!r || !info) return 0;
    if (rod < 0 || rod >= r->rods) return 0;
    *info = r->rod[rod].info;
    return 1;
}

int64_t withy_result_count(const withy_result *r) {
    if (!r) return 0;
    return r->count;
}

static int read_snapshot(withy_result *r, reader_rod *rod, int64_t k) {
    int fields, entries;
    double value[WY_LEDGER_SIZE];
    const withy_quantity *quantity = withy_quantity_list(&fields);
    const wy_ledger *entry = wy_ledger_list(&entries);
    for (int i = 0; i < fields; i++)
        if (rod->field[i].data >= 0 &&
            column_row(&rod->field[i], k, *array_of(&quantity[i], &rod->snap)) < 0)
            return -1;
    for (int i = 0; i < entries; i++) {
        if (rod->ledger[i].data < 0) continue;
        if (column_row(&rod->ledger[i], k, value) < 0) return -1;
        wy_ledger_put(&entry[i], &rod->snap, value);
    }
    if (column_row(&r->step, k, value) < 0) return -1;
    rod->snap.step = (int64_t)value[0];
    return column_row(&r->time, k, &rod->snap.t);
}

const withy_snapshot *withy_result_at(withy_result *r, int rod, int64_t k, withy_error *err) {
    if (!r) {
        wy_fail(err, WITHY_BAD_INPUT, "withy_result_at: the argument result is NULL");
        return NULL;
    }
    if (rod < 0 || rod >= r->rods || k < 0 || k >= r->count) {
        wy_fail(err, WITHY_BAD_INPUT,
                "%s: snapshot %lld of rod %d was requested; it holds %lld snapshots of %d rods",
                r->path, (long long)k, rod + 1, (long long)r->count, r->rods);
        return NULL;
    }
    wy_h5_enter();
    const int done = read_snapshot(r, &r->rod[rod], k);
    if (done < 0) damaged(r, "a snapshot", err);
    wy_h5_leave();
    return done < 0 ? NULL : &r->rod[rod].snap;
}

static withy_status read_all(withy_result *r, const column *c, int64_t rows, double *out,
                             const char *what, withy_error *err) {
    wy_h5_enter();
    withy_status status = WITHY_OK;
    if (column_all(c, rows, out) < 0) status = damaged(r, what, err);
    wy_h5_leave();
    return status;
}

withy_status withy_result_times(withy_result *r, double *t, withy_error *err) {
    WY_NEED(r);
    WY_NEED(t);
    return read_all(r, &r->time, r->count, t, "time", err);
}

int withy_result_ledger_at(const withy_result *r, int rod, int index, withy_result_entry *out) {
    if (!r || !out) return 0;
    int count;
    const wy_ledger *entry = wy_ledger_list(&count);
    if (rod < 0 || rod >= r->rods || index < 0) return 0;
    for (int i = 0; i < count; i++) {
        if (r->rod[rod].ledger[i].data < 0 || index-- > 0) continue;
        *out = (withy_result_entry){entry[i].name, entry[i].unit, entry[i].doc, entry[i].size};
        return 1;
    }
    return 0;
}

withy_status withy_result_ledger_read(withy_result *r, int rod, const char *name, double *value,
                                      withy_error *err) {
    WY_NEED(r);
    WY_NEED(name);
    WY_NEED(value);
    int count;
    const wy_ledger *entry = wy_ledger_list(&count);
    for (int i = 0; rod >= 0 && rod < r->rods && i < count; i++)
        if (strcmp(entry[i].name, name) == 0 && r->rod[rod].ledger[i].data >= 0)
            return read_all(r, &r->rod[rod].ledger[i], r->count, value, name, err);
    return wy_fail(err, WITHY_MISSING, "%s: holds no %s of rod %d", r->path, name, rod + 1);
}

int withy_result_probe_at(const withy_result *r, int index, withy_result_probe *probe) {
    if (!r || !probe) return 0;
    if (index < 0 || index >= r->probes) return 0;
    *probe = r->probe[index].info;
    return 1;
}

withy_status withy_result_probe_read(withy_result *r, int index, double *t, double *value,
                                     withy_error *err) {
    WY_NEED(r);
    WY_NEED(t);
    WY_NEED(value);
    if (index < 0 || index >= r->probes)
        return wy_fail(err, WITHY_BAD_INPUT, "%s: has %d probes, number %d was requested", r->path,
                       r->probes, index + 1);
    const reader_probe *probe = &r->probe[index];
    WY_TRY(read_all(r, &probe->time, probe->info.count, t, probe->info.name, err));
    return read_all(r, &probe->value, probe->info.count, value, probe->info.name, err);
}

#else
typedef int wy_no_hdf5_read; /* see result_none.c */
#endif
