/* read.c - result files read back, row by row (the contents are in layout.h, the format in store.h). */
#include <stdio.h>
#include <string.h>

#include "observe/observe.h"
#include "sink/hdf5/check.h"
#include "sink/hdf5/layout.h"
#include "sink/hdf5/read_parts.h"
#include "sink/hdf5/rows.h"
#include "sink/hdf5/state.h"
#include "sink/ledger.h"
#include "withy/result.h"

enum { STATIONS_MOST = 100 * 1000 * 1000 }; /* beyond: damaged */

typedef struct reader_rod {
    withy_result_rod info;
    withy_snapshot snap;
    wy_rows *field;  /* [quantities]                     */
    wy_rows *ledger; /* [entries]                        */
    wy_rows field_check, ledger_check;
    bool ledger_good; /* all its rows have been checked */
} reader_rod;

typedef struct reader_probe {
    withy_result_probe info;
    wy_rows time, value, check;
} reader_probe;

static const char *const text_name[] = {"title", "method", "version", "scene_name", "axis"};
static const char *const data_name[] = {"status", "scene", "notes"};
enum {
    TEXTS = sizeof text_name / sizeof *text_name,
    DATA_TEXTS = sizeof data_name / sizeof *data_name
};

struct withy_result {
    wy_arena arena;
    const char *path;
    wy_store store;
    wy_object root;
    int64_t count;
    wy_rows time, step, check;
    int rods, probes;
    wy_part_reader parts;
    reader_rod *rod;     /* [rods]   */
    reader_probe *probe; /* [probes] */
    const char *text[TEXTS], *data_text[DATA_TEXTS];
    withy_parameter *parameter; /* [parameters] */
    int parameters;
    const char *restart_text[3]; /* source, set, hash; NULL: it has no states */
};

static withy_status damaged(const withy_result *r, const char *what, withy_error *err) {
    return wy_fail(err, WITHY_IO, "%s: %s cannot be read: %s", r->path, what, r->store.why);
}

static bool has(wy_object *group, const char *name) {
    return wy_object_at(group, name) != WY_STORE_NOWHERE;
}

/* ---- checksums --------------------------------------------------------------------------------- */

/* Files without checksums were edited on purpose, and are read. */
static bool open_check(withy_result *r, wy_rows *check, wy_object *group, uint64_t need) {
    return !has(group, WY_CHECK) || wy_rows_open(check, group, WY_CHECK, 1, need, &r->arena);
}

/* Rows that are read together, and their checksums. */
enum { BLOCK = 256 };
typedef struct block {
    uint64_t first, count;
    uint64_t sum[BLOCK];
} block;

/* The next block of `rows` rows; false past the last.  Begin with {0}. */
static bool next_block(block *b, int64_t rows) {
    b->first += b->count;
    const uint64_t left = (uint64_t)rows - b->first;
    b->count = left < BLOCK ? left : BLOCK;
    memset(b->sum, 0, sizeof b->sum);
    return b->count > 0;
}

/* Read a column, and add it to the checksums. */
static bool get(withy_result *r, const wy_rows *rows, block *b, double *out) {
    if (!wy_rows_get(&r->store, rows, b->first, b->count, out)) return false;
    for (uint64_t i = 0; i < b->count; i++)
        b->sum[i] += wy_check_row(rows->seed, out + i * rows->size, (size_t)rows->size);
    return true;
}

static bool is_right(withy_result *r, const wy_rows *check, const block *b) {
    double want[BLOCK];
    if (!check->there) return true;
    if (!wy_rows_get(&r->store, check, b->first, b->count, want)) return false;
    for (uint64_t i = 0; i < b->count; i++)
        if (want[i] != wy_check_number(b->sum[i]))
            return wy_store_fail(&r->store, "row %llu has a wrong checksum: the file is damaged",
                                 (unsigned long long)(b->first + i + 1));
    return true;
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* Written where it stands, without a checksum; so it is what the writer knows, or unknown. */
static void check_status(const char **status) {
    static const char *const known[] = {"running", "complete", "interrupted"};
    const char *text = *status ? *status : "";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(text, known[i]) == 0) return;
    if (strncmp(text, "failed: ", 8) != 0) *status = "unknown: the file is damaged";
}

static withy_status read_texts(withy_result *r, withy_error *err) {
    for (int i = 0; i < TEXTS; i++) r->text[i] = wy_object_text(&r->root, text_name[i], &r->arena);
    for (int i = 0; i < DATA_TEXTS; i++) {
        r->data_text[i] = wy_rows_text(&r->root, data_name[i], &r->arena);
        if (!r->data_text[i]) return damaged(r, data_name[i], err);
    }
    check_status(&r->data_text[0]);
    return WITHY_OK;
}

static const char *const restart_name[] = {"source", "set", "hash"};

/* What the scene was, without the comments behind it. */
static const char *cut_source(withy_result *r, double size) {
    const char *scene = withy_result_text(r, "scene");
    const size_t length = strlen(scene);
    const size_t want = size >= 0 && size < (double)length ? (size_t)size : length;
    char *text = wy_store_take(&r->store, &r->arena, want + 1, 1);
    if (text) memcpy(text, scene, want);
    return text;
}

static withy_status read_restart(withy_result *r, withy_error *err) {
    wy_object group;
    if (!has(&r->root, "restart")) return WITHY_OK;
    bool good = wy_object_open(&group, &r->store, wy_object_at(&r->root, "restart")) &&
                wy_object_links(&group);
    if (good) {
        r->restart_text[0] = cut_source(r, wy_object_number(&group, "source"));
        for (int i = 1; i < 3; i++)
            r->restart_text[i] = wy_rows_text(&group, restart_name[i], &r->arena);
    }
    good = good && r->restart_text[0] && r->restart_text[1] && r->restart_text[2];
    wy_object_close(&group);
    return good ? WITHY_OK : damaged(r, "restart", err);
}

const void *wy_result_state(withy_result *r, size_t *size) {
    return wy_state_read(&r->root, &r->arena, size);
}

enum { PARAMETERS_MOST = 256 };

/* Those of a scene without parameters have no group. */
static withy_status read_parameters(withy_result *r, withy_error *err) {
    wy_object group;
    if (!has(&r->root, "params")) return WITHY_OK;
    char(*name)[WITHY_NAME] = wy_store_take(&r->store, &r->arena, PARAMETERS_MOST, sizeof *name);
    r->parameter = wy_store_take(&r->store, &r->arena, PARAMETERS_MOST, sizeof *r->parameter);
    const bool good =
        name && r->parameter && wy_object_open(&group, &r->store, wy_object_at(&r->root, "params"));
    if (!good) return damaged(r, "params", err);
    r->parameters = wy_object_numbers(&group, name, PARAMETERS_MOST);
    for (int i = 0; i < r->parameters; i++) {
        withy_parameter *p = &r->parameter[i];
        *p = (withy_parameter){.value = wy_object_number(&group, name[i])};
        p->given = p->value, p->min = -INFINITY, p->max = INFINITY;
        memcpy(p->name, name[i], sizeof p->name);
    }
    wy_object_close(&group);
    return WITHY_OK;
}

int withy_result_parameter(const withy_result *r, int index, withy_parameter *parameter) {
    if (!r || !parameter || index < 0 || index >= r->parameters) return 0;
    *parameter = r->parameter[index];
    return 1;
}

/* ---- rods ------------------------------------------------------------------------------------ */

static bool read_arc(withy_result *r, wy_object *group, withy_snapshot *snap) {
    uint64_t count;
    snap->s = wy_rows_list(group, "s", STATIONS_MOST, &count, &r->arena);
    snap->count = snap->s ? (int)count : 0;
    return snap->s != NULL;
}

static double **array_of(const withy_quantity *quantity, withy_snapshot *snap) {
    return (double **)((char *)snap + quantity->offset);
}

static bool open_fields(withy_result *r, wy_object *group, reader_rod *rod) {
    int count;
    const withy_quantity *quantity = withy_quantity_list(&count);
    const uint64_t rows = (uint64_t)r->count;
    rod->field = wy_store_take(&r->store, &r->arena, (uint64_t)count, sizeof *rod->field);
    if (!rod->field || !open_check(r, &rod->field_check, group, rows)) return false;
    for (int i = 0; i < count; i++) {
        if (!has(group, quantity[i].name)) continue;
        const uint64_t size = (uint64_t)rod->snap.count * (uint64_t)quantity[i].size;
        if (!wy_rows_open(&rod->field[i], group, quantity[i].name, size, rows, &r->arena))
            return false;
        double *array = wy_store_take(&r->store, &r->arena, size, sizeof *array);
        if (!array) return false;
        *array_of(&quantity[i], &rod->snap) = array;
        rod->snap.have |= quantity[i].have;
    }
    return true;
}

static bool open_ledger(withy_result *r, wy_object *group, reader_rod *rod) {
    int count;
    const wy_ledger *entry = wy_ledger_list(&count);
    const uint64_t rows = (uint64_t)r->count;
    rod->ledger = wy_store_take(&r->store, &r->arena, (uint64_t)count, sizeof *rod->ledger);
    if (!rod->ledger || !open_check(r, &rod->ledger_check, group, rows)) return false;
    unsigned lacking = 0;
    for (int i = 0; i < count; i++) {
        const wy_ledger *e = &entry[i];
        if (!has(group, e->name)) {
            lacking |= e->have;
            continue;
        }
        if (!wy_rows_open(&rod->ledger[i], group, e->name, (uint64_t)e->size, rows, &r->arena))
            return false;
        rod->snap.have |= e->have;
    }
    rod->snap.have &= ~lacking;
    return true;
}

static bool describe_rod(withy_result *r, wy_object *group, reader_rod *rod) {
    const char *section = wy_object_text(group, "section", &r->arena);
    const char *label = wy_object_text(group, "name", &r->arena);
    snprintf(rod->info.name, sizeof rod->info.name, "%s", label ? label : "");
    snprintf(rod->info.section, sizeof rod->info.section, "%s", section ? section : "none");
    const char *start = wy_object_text(group, "start", &r->arena);
    const char *finish = wy_object_text(group, "finish", &r->arena);
    snprintf(rod->info.start, sizeof rod->info.start, "%s", start ? start : "");
    snprintf(rod->info.finish, sizeof rod->info.finish, "%s", finish ? finish : "");
    rod->info.length = wy_object_number(group, "length");
    rod->info.a = wy_object_number(group, "section_a");
    rod->info.b = wy_object_number(group, "section_b");
    return read_arc(r, group, &rod->snap) && open_fields(r, group, rod);
}

/* Open a group and hand it to `use`, whatever happens. */
static bool with_group(withy_result *r, wy_object *parent, const char *name, reader_rod *rod,
                       bool (*use)(withy_result *, wy_object *, reader_rod *)) {
    wy_object group;
    const bool good = wy_object_open(&group, &r->store, wy_object_at(parent, name)) &&
                      wy_object_links(&group) && use(r, &group, rod);
    wy_object_close(&group);
    return good;
}

static withy_status open_rod(withy_result *r, wy_object *ledgers, int index, withy_error *err) {
    char name[32];
    snprintf(name, sizeof name, "rod%d", index + 1);
    reader_rod *rod = &r->rod[index];
    if (with_group(r, &r->root, name, rod, describe_rod) &&
        with_group(r, ledgers, name, rod, open_ledger))
        return WITHY_OK;
    return damaged(r, name, err);
}

static withy_status open_rods(withy_result *r, withy_error *err) {
    char name[32];
    wy_object ledgers;
    do snprintf(name, sizeof name, "rod%d", r->rods + 1);
    while (has(&r->root, name) && ++r->rods);
    if (r->rods == 0 && r->parts.now.body_count > 0) return WITHY_OK;
    if (r->rods == 0) wy_store_fail(&r->store, "it is not there");
    r->rod = wy_store_take(&r->store, &r->arena, (uint64_t)r->rods, sizeof *r->rod);
    if (!r->rod || r->rods == 0) return damaged(r, "rod1", err);
    withy_status status = WITHY_OK;
    if (!wy_object_open(&ledgers, &r->store, wy_object_at(&r->root, "ledger")) ||
        !wy_object_links(&ledgers))
        status = damaged(r, "ledger", err);
    for (int i = 0; i < r->rods && status == WITHY_OK; i++) status = open_rod(r, &ledgers, i, err);
    wy_object_close(&ledgers);
    return status;
}

/* ---- probes ---------------------------------------------------------------------------------- */

static bool open_samples(withy_result *r, wy_object *group, reader_probe *probe, uint64_t size) {
    wy_arena *arena = &r->arena;
    if (!wy_rows_open(&probe->value, group, "value", size, WY_ROWS_ALL, arena)) return false;
    if (!wy_rows_open(&probe->time, group, "t", 1, WY_ROWS_ALL, arena)) return false;
    if (!open_check(r, &probe->check, group, WY_ROWS_ALL)) return false;
    uint64_t count = probe->time.count;
    if (probe->value.count < count) count = probe->value.count;
    if (probe->check.there && probe->check.count < count) count = probe->check.count;
    probe->info.count = (int64_t)count;
    return true;
}

/* The rod, body or joint that a probe belongs to, and the size of its quantity. */
static bool find_probed(withy_result *r, wy_object *group, withy_result_probe *info) {
    const char *of = wy_object_text(group, "of", &r->arena);
    const double part = wy_object_number(group, of ? "part" : "rod");
    if (of)
        info->of = strcmp(of, "body") == 0       ? WITHY_OF_BODY
                   : strcmp(of, "obstacle") == 0 ? WITHY_OF_OBSTACLE
                                                 : WITHY_OF_JOINT;
    const int most = info->of == WITHY_OF_BODY       ? r->parts.now.body_count
                     : info->of == WITHY_OF_JOINT    ? r->parts.now.joint_count
                     : info->of == WITHY_OF_OBSTACLE ? r->parts.now.obstacle_count
                                                     : r->rods;
    withy_probe asked = {.of = info->of};
    memcpy(asked.what, info->what, sizeof asked.what);
    info->size = wy_probe_quantity(&asked).size;
    if (!info->size || !(part >= 1 && part <= most)) return false;
    *(of ? &info->index : &info->rod) = (int)part - 1;
    return true;
}

static bool describe_probe(withy_result *r, wy_object *group, reader_probe *probe) {
    const char *name = wy_object_text(group, "name", &r->arena);
    const char *what = wy_object_text(group, "what", &r->arena);
    withy_result_probe *info = &probe->info;
    snprintf(info->name, sizeof info->name, "%s", name ? name : "");
    snprintf(info->what, sizeof info->what, "%s", what ? what : "");
    if (!name || !what || !find_probed(r, group, info))
        return wy_store_fail(&r->store, "its name, quantity or rod is not known");
    info->at = wy_object_number(group, "at");
    return open_samples(r, group, probe, (uint64_t)info->size);
}

static bool open_probe(withy_result *r, uint64_t at, reader_probe *probe) {
    wy_object group;
    const bool good = wy_object_open(&group, &r->store, at) && wy_object_links(&group) &&
                      describe_probe(r, &group, probe);
    wy_object_close(&group);
    return good;
}

static withy_status open_probes(withy_result *r, withy_error *err) {
    wy_object all;
    if (!has(&r->root, "probes")) return WITHY_OK;
    bool good =
        wy_object_open(&all, &r->store, wy_object_at(&r->root, "probes")) && wy_object_links(&all);
    if (good) r->probe = wy_store_take(&r->store, &r->arena, (uint64_t)all.links, sizeof *r->probe);
    good = good && r->probe;
    for (int i = 0; good && i < all.links; i++) {
        good = open_probe(r, all.link[i].at, &r->probe[i]);
        if (good) r->probes++;
    }
    wy_object_close(&all);
    return good ? WITHY_OK : damaged(r, "probes", err);
}

/* ---- opening and closing ---------------------------------------------------------------------- */

static withy_status is_older(const withy_result *r, withy_error *err) {
    return wy_fail(
        err, WITHY_BAD_INPUT,
        "%s: was written by withy 0.2.0 or older, whose texts cannot be read safely: run "
        "its scene again, or export it with that version",
        r->path);
}

static withy_status check_format(withy_result *r, withy_error *err) {
    wy_kind kind;
    uint64_t bytes;
    if (wy_object_attribute(&r->root, "format", &kind, &bytes) && kind == WY_KIND_LOOSE)
        return is_older(r, err);
    const char *format = wy_object_text(&r->root, "format", &r->arena);
    if (!format || strncmp(format, "withy ", 6) != 0)
        return wy_fail(err, WITHY_BAD_INPUT,
                       "%s: not a result file of withy: it has no attribute format = \"%s\"",
                       r->path, WY_H5_FORMAT);
    if (strcmp(format, "withy 1") == 0) return is_older(r, err);
    if (strcmp(format, WY_H5_FORMAT) != 0)
        return wy_fail(err, WITHY_BAD_INPUT,
                       "%s: has the format \"%s\", this withy (%s) reads \"%s\": use a newer one",
                       r->path, format, withy_version(), WY_H5_FORMAT);
    return WITHY_OK;
}

/* Time first: what it counts has been written before it. */
static withy_status open_times(withy_result *r, withy_error *err) {
    wy_arena *arena = &r->arena;
    if (!wy_rows_open(&r->time, &r->root, "time", 1, WY_ROWS_ALL, arena))
        return damaged(r, "time", err);
    r->count = (int64_t)r->time.count;
    if (!wy_rows_open(&r->step, &r->root, "step", 1, r->time.count, arena) ||
        !open_check(r, &r->check, &r->root, r->time.count))
        return damaged(r, "step", err);
    return WITHY_OK;
}

static withy_status open_all(withy_result *r, withy_error *err) {
    WY_TRY(wy_store_open(&r->store, r->path, err));
    if (!wy_object_open(&r->root, &r->store, r->store.root)) return damaged(r, "the file", err);
    WY_TRY(check_format(r, err));
    if (!wy_object_links(&r->root)) return damaged(r, "the file", err);
    WY_TRY(read_texts(r, err));
    WY_TRY(read_parameters(r, err));
    WY_TRY(read_restart(r, err));
    WY_TRY(open_times(r, err));
    const char *bad = wy_parts_open(&r->parts, &r->root, (uint64_t)r->count, &r->arena);
    if (bad) return damaged(r, bad, err);
    WY_TRY(open_rods(r, err));
    if (!wy_tendons_open(&r->parts, &r->root, r->rods, &r->arena))
        return damaged(r, "tendons", err);
    return open_probes(r, err);
}

withy_status withy_result_open(const char *path, withy_result **result, withy_error *err) {
    WY_NEED(result);
    *result = NULL;
    WY_NEED(path);
    withy_result *r = wy_take(1, sizeof *r);
    if (!r) return wy_fail(err, WITHY_NO_MEMORY, "%s: memory ran out", path);
    r->store.descriptor = -1;
    r->path = wy_arena_text(&r->arena, path);
    const withy_status status =
        r->path ? open_all(r, err) : wy_fail(err, WITHY_NO_MEMORY, "%s: memory ran out", path);
    if (status != WITHY_OK) return withy_result_close(r), status;
    *result = r;
    return WITHY_OK;
}

void withy_result_close(withy_result *r) {
    if (!r) return;
    wy_object_close(&r->root);
    wy_store_close(&r->store);
    wy_arena_free(&r->arena);
    wy_give(r);
}

/* ---- reading --------------------------------------------------------------------------------- */

const char *withy_result_text(const withy_result *r, const char *name) {
    if (!r || !name) return "";
    for (int i = 0; i < TEXTS; i++)
        if (strcmp(text_name[i], name) == 0) return r->text[i] ? r->text[i] : "";
    for (int i = 0; i < DATA_TEXTS; i++)
        if (strcmp(data_name[i], name) == 0) return r->data_text[i];
    for (int i = 0; i < 3; i++)
        if (strcmp(restart_name[i], name) == 0 && r->restart_text[i]) return r->restart_text[i];
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

static bool read_fields(withy_result *r, reader_rod *rod, uint64_t k) {
    int fields;
    block b = {.first = k, .count = 1};
    const withy_quantity *quantity = withy_quantity_list(&fields);
    for (int i = 0; i < fields; i++)
        if (rod->field[i].there && !get(r, &rod->field[i], &b, *array_of(&quantity[i], &rod->snap)))
            return false;
    return is_right(r, &rod->field_check, &b);
}

static bool read_ledger(withy_result *r, reader_rod *rod, uint64_t k) {
    int entries;
    block b = {.first = k, .count = 1};
    double value[WY_LEDGER_SIZE];
    const wy_ledger *entry = wy_ledger_list(&entries);
    for (int i = 0; i < entries; i++) {
        if (!rod->ledger[i].there) continue;
        if (!get(r, &rod->ledger[i], &b, value)) return false;
        wy_ledger_put(&entry[i], &rod->snap, value);
    }
    return is_right(r, &rod->ledger_check, &b);
}

int withy_result_bodies(const withy_result *r) {
    return r ? r->parts.now.body_count : 0;
}

int withy_result_joints(const withy_result *r) {
    return r ? r->parts.now.joint_count : 0;
}

int withy_result_body_at(const withy_result *r, int body, withy_body *info) {
    if (body < 0 || body >= withy_result_bodies(r) || !info) return 0;
    *info = r->parts.body[body];
    return 1;
}

int withy_result_joint_at(const withy_result *r, int joint, withy_joint *info) {
    if (joint < 0 || joint >= withy_result_joints(r) || !info) return 0;
    *info = r->parts.joint[joint];
    return 1;
}

static bool read_time(withy_result *r, block *b, double *t, double *step) {
    return get(r, &r->step, b, step) && get(r, &r->time, b, t) && is_right(r, &r->check, b);
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
    reader_rod *from = &r->rod[rod];
    block row = {.first = (uint64_t)k, .count = 1};
    double step;
    if (!read_fields(r, from, (uint64_t)k) || !read_ledger(r, from, (uint64_t)k) ||
        !read_time(r, &row, &from->snap.t, &step)) {
        damaged(r, "a snapshot", err);
        return NULL;
    }
    from->snap.step = fabs(step) < 9e18 ? (int64_t)step : 0; /* a number of any size may be there */
    return &from->snap;
}

const withy_parts *withy_result_parts_at(withy_result *r, int64_t k, withy_error *err) {
    const withy_parts *now = r ? &r->parts.now : NULL;
    if (!r || k < 0 || k >= r->count ||
        now->body_count + now->joint_count + now->obstacle_count + now->touch_room == 0) {
        wy_fail(err, WITHY_BAD_INPUT,
                "withy_result_parts_at: there is no snapshot %lld of bodies, joints or obstacles",
                (long long)k);
        return NULL;
    }
    block row = {.first = (uint64_t)k, .count = 1};
    double step;
    if (!wy_parts_read(&r->parts, (uint64_t)k) || !read_time(r, &row, &r->parts.now.t, &step)) {
        damaged(r, "a snapshot of the bodies", err);
        return NULL;
    }
    if (!wy_touches_of(&r->parts, r->parts.now.t, &r->arena)) {
        damaged(r, "contacts", err);
        return NULL;
    }
    r->parts.now.step = fabs(step) < 9e18 ? (int64_t)step : 0;
    return &r->parts.now;
}

int withy_result_obstacles(const withy_result *r) {
    return r ? r->parts.now.obstacle_count : 0;
}

int withy_result_obstacle_at(const withy_result *r, int obstacle, withy_obstacle *info) {
    if (!r || !info || obstacle < 0 || obstacle >= r->parts.now.obstacle_count) return 0;
    *info = r->parts.obstacle[obstacle];
    return 1;
}

int withy_result_tendons(const withy_result *r) {
    return r ? r->parts.tendon_count : 0;
}

int withy_result_tendon_at(const withy_result *r, int tendon, withy_result_tendon *info) {
    if (!r || !info || tendon < 0 || tendon >= r->parts.tendon_count) return 0;
    *info = r->parts.tendon[tendon];
    return 1;
}

int64_t withy_result_touches(const withy_result *r) {
    return r ? (int64_t)r->parts.touches : 0;
}

withy_status withy_result_touch_read(withy_result *r, int64_t first, int64_t count,
                                     withy_touch *touch, withy_error *err) {
    WY_NEED(r);
    if (count > 0) WY_NEED(touch);
    if (first < 0 || count < 0 || (uint64_t)first + (uint64_t)count > r->parts.touches)
        return wy_fail(
            err, WITHY_BAD_INPUT, "%s: contacts %lld .. %lld were requested; it holds %lld",
            r->path, (long long)first + 1, (long long)(first + count), (long long)r->parts.touches);
    for (int64_t i = 0; i < count; i++)
        if (!wy_touch_read(&r->parts, (uint64_t)(first + i), &touch[i]))
            return damaged(r, "a contact", err);
    return WITHY_OK;
}

withy_status withy_result_times(withy_result *r, double *t, withy_error *err) {
    WY_NEED(r);
    WY_NEED(t);
    double step[BLOCK];
    for (block b = {0}; next_block(&b, r->count);)
        if (!read_time(r, &b, t + b.first, step)) return damaged(r, "time", err);
    return WITHY_OK;
}

int withy_result_ledger_at(const withy_result *r, int rod, int index, withy_result_entry *out) {
    if (!r || !out) return 0;
    int count;
    const wy_ledger *entry = wy_ledger_list(&count);
    if (rod < 0 || rod >= r->rods || index < 0) return 0;
    for (int i = 0; i < count; i++) {
        if (!r->rod[rod].ledger[i].there || index-- > 0) continue;
        *out = (withy_result_entry){entry[i].name, entry[i].unit, entry[i].doc, entry[i].size};
        return 1;
    }
    return 0;
}

/* One entry can only be checked with the others of its row. */
static bool check_ledger(withy_result *r, reader_rod *rod) {
    int entries;
    double value[BLOCK * WY_LEDGER_SIZE];
    wy_ledger_list(&entries);
    if (rod->ledger_good || !rod->ledger_check.there) return true;
    for (block b = {0}; next_block(&b, r->count);) {
        for (int i = 0; i < entries; i++)
            if (rod->ledger[i].there && !get(r, &rod->ledger[i], &b, value)) return false;
        if (!is_right(r, &rod->ledger_check, &b)) return false;
    }
    rod->ledger_good = true;
    return true;
}

withy_status withy_result_ledger_read(withy_result *r, int rod, const char *name, double *value,
                                      withy_error *err) {
    WY_NEED(r);
    WY_NEED(name);
    WY_NEED(value);
    int count;
    const wy_ledger *entry = wy_ledger_list(&count);
    for (int i = 0; rod >= 0 && rod < r->rods && i < count; i++) {
        const wy_rows *rows = &r->rod[rod].ledger[i];
        if (strcmp(entry[i].name, name) != 0 || !rows->there) continue;
        if (check_ledger(r, &r->rod[rod]) &&
            wy_rows_get(&r->store, rows, 0, (uint64_t)r->count, value))
            return WITHY_OK;
        return damaged(r, name, err);
    }
    return wy_fail(err, WITHY_MISSING, "%s: holds no %s of rod %d", r->path, name, rod + 1);
}

int withy_result_probe_at(const withy_result *r, int index, withy_result_probe *probe) {
    if (!r || !probe) return 0;
    if (index < 0 || index >= r->probes) return 0;
    *probe = r->probe[index].info;
    return 1;
}

static bool read_samples(withy_result *r, const reader_probe *probe, double *t, double *value) {
    for (block b = {0}; next_block(&b, probe->info.count);)
        if (!get(r, &probe->value, &b, value + b.first * (uint64_t)probe->info.size) ||
            !get(r, &probe->time, &b, t + b.first) || !is_right(r, &probe->check, &b))
            return false;
    return true;
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
    return read_samples(r, probe, t, value) ? WITHY_OK : damaged(r, probe->info.name, err);
}
