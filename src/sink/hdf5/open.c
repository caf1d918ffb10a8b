/* open.c - a result file is opened: its texts are read, its rows are found (the contents are in layout.h, the format
 * in store.h). */
#include "observe/observe.h"
#include "sink/hdf5/layout.h"
#include "sink/hdf5/read.h"
#include "sink/hdf5/store.h"
#include "sink/sink.h"

enum { STATIONS_MOST = 100 * 1000 * 1000 }; /* beyond: damaged */

/* Files without checksums were edited on purpose, and are read. */
static bool open_check(withy_result *r, wy_rows *check, wy_object *group, uint64_t need) {
    return !wy_object_has(group, WY_CHECK) ||
           wy_rows_open(check, group, WY_CHECK, 1, need, &r->file.arena);
}

/* ---- groups ---------------------------------------------------------------------------------- */

typedef bool use_group(withy_result *r, wy_object *group, void *to);

/* Open the group at an address and hand it to `use`, whatever happens. */
static bool with_group(withy_result *r, uint64_t at, void *to, use_group *use) {
    wy_object group;
    const bool good =
        wy_object_open(&group, &r->file.store, at) && wy_object_links(&group) && use(r, &group, to);
    wy_object_close(&group);
    return good;
}

/* A group that need not be there. */
static withy_status read_group(withy_result *r, const char *name, use_group *use,
                               withy_error *err) {
    if (!wy_object_has(&r->file.root, name) ||
        with_group(r, wy_object_at(&r->file.root, name), NULL, use))
        return WITHY_OK;
    return wy_opened_damaged(&r->file, name, err);
}

/* ---- texts ----------------------------------------------------------------------------------- */

const char *const wy_result_text_name[WY_RESULT_TEXTS] = {
    "title", "method", "version",   "scene_name", "axis", "status",
    "scene", "notes",  "note_data", "source",     "set",  "hash"};
enum { STATUS = WY_RESULT_ATTRIBUTES, SOURCE = WY_RESULT_RESTART };

/* Written where it stands, without a checksum; so it is what the writer has, or unknown. */
static void check_status(const char **status) {
    static const char *const known[] = {"running", "complete", "interrupted"};
    const char *text = *status ? *status : "";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(text, known[i]) == 0) return;
    if (strncmp(text, "failed: ", 8) != 0) *status = "unknown: the file is damaged";
}

static withy_status read_texts(withy_result *r, withy_error *err) {
    for (int i = 0; i < STATUS; i++)
        r->text[i] = wy_object_text(&r->file.root, wy_result_text_name[i], &r->file.arena);
    for (int i = STATUS; i < SOURCE; i++) {
        r->text[i] = wy_rows_text(&r->file.root, wy_result_text_name[i], &r->file.arena);
        if (!r->text[i]) return wy_opened_damaged(&r->file, wy_result_text_name[i], err);
    }
    check_status(&r->text[STATUS]);
    return WITHY_OK;
}

/* What the scene was, without the comments behind it. */
static const char *cut_source(withy_result *r, double size) {
    const char *scene = withy_result_text(r, "scene");
    const size_t length = strlen(scene);
    const size_t requested = size >= 0 && size < (double)length ? (size_t)size : length;
    char *text = wy_store_take(&r->file.store, &r->file.arena, requested + 1, 1);
    if (text) memcpy(text, scene, requested);
    return text;
}

static bool read_restart(withy_result *r, wy_object *group, void *unused) {
    (void)unused;
    r->text[SOURCE] = cut_source(r, wy_object_number(group, "source"));
    for (int i = SOURCE + 1; i < WY_RESULT_TEXTS; i++)
        r->text[i] = wy_rows_text(group, wy_result_text_name[i], &r->file.arena);
    for (int i = SOURCE; i < WY_RESULT_TEXTS; i++)
        if (!r->text[i]) return false;
    return true;
}

enum { PARAMETERS_MOST = 256 };

/* Those of a scene without parameters have no group. */
static withy_status read_parameters(withy_result *r, withy_error *err) {
    wy_object group;
    if (!wy_object_has(&r->file.root, "params")) return WITHY_OK;
    char(*name)[WITHY_NAME] =
        wy_store_take(&r->file.store, &r->file.arena, PARAMETERS_MOST, sizeof *name);
    r->parameter =
        wy_store_take(&r->file.store, &r->file.arena, PARAMETERS_MOST, sizeof *r->parameter);
    const bool good = name && r->parameter &&
                      wy_object_open(&group, &r->file.store, wy_object_at(&r->file.root, "params"));
    if (!good) return wy_opened_damaged(&r->file, "params", err);
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

/* ---- rods ------------------------------------------------------------------------------------ */

static bool read_arc(withy_result *r, wy_object *group, withy_snapshot *snap) {
    uint64_t count;
    snap->s = wy_rows_list(group, "s", STATIONS_MOST, &count, &r->file.arena);
    snap->count = snap->s ? (int)count : 0;
    if (snap->s && count < 2) /* who draws it looks for the next one */
        return wy_store_fail(&r->file.store, "it has fewer than two stations");
    return snap->s != NULL;
}

/* The columns of a rod in a group, for each quantity of the kind; those of stations get their arrays.  NULL: one cannot be
 * read. */
static wy_rows *open_columns(withy_result *r, wy_object *group, int of, wy_rod_reader *rod,
                             wy_rows *check) {
    wy_arena *arena = &r->file.arena;
    const uint64_t rows = (uint64_t)r->count;
    int count;
    const withy_quantity *q = withy_quantity_list(of, &count);
    wy_rows *column = wy_store_take(&r->file.store, arena, (uint64_t)count, sizeof *column);
    if (!column || !open_check(r, check, group, rows)) return NULL;
    for (int i = 0; i < count; i++, q++) {
        const uint64_t stations = of == WITHY_OF_ROD ? (uint64_t)rod->snap.count : 1;
        const uint64_t size = stations * (uint64_t)q->size;
        if (!wy_object_has(group, q->name)) {
            rod->lacking |= q->have;
            continue;
        }
        if (!wy_rows_open(&column[i], group, q->name, size, rows, arena)) return NULL;
        rod->snap.have |= q->have;
        if (of != WITHY_OF_ROD) continue;
        double *array = wy_store_take(&r->file.store, arena, size, sizeof *array);
        if (!array) return NULL;
        wy_quantity_set_array(q, &rod->snap, array);
    }
    return column;
}

static bool open_ledger(withy_result *r, wy_object *group, void *to) {
    wy_rod_reader *rod = to;
    rod->ledger = open_columns(r, group, WITHY_OF_LEDGER, rod, &rod->ledger_check);
    rod->snap.have &= ~rod->lacking; /* a bit that several share is there when all are */
    return rod->ledger != NULL;
}

static bool describe_rod(withy_result *r, wy_object *group, void *to) {
    wy_rod_reader *rod = to;
    const char *section = wy_object_text(group, "section", &r->file.arena);
    const char *label = wy_object_text(group, "name", &r->file.arena);
    snprintf(rod->info.name, sizeof rod->info.name, "%s", label ? label : "");
    snprintf(rod->info.section, sizeof rod->info.section, "%s", section ? section : "none");
    const char *start = wy_object_text(group, "start", &r->file.arena);
    const char *finish = wy_object_text(group, "finish", &r->file.arena);
    snprintf(rod->info.start, sizeof rod->info.start, "%s", start ? start : "");
    snprintf(rod->info.finish, sizeof rod->info.finish, "%s", finish ? finish : "");
    rod->info.length = wy_object_number(group, "length");
    rod->info.a = wy_object_number(group, "section_a");
    rod->info.b = wy_object_number(group, "section_b");
    if (!read_arc(r, group, &rod->snap)) return false;
    rod->field = open_columns(r, group, WITHY_OF_ROD, rod, &rod->field_check);
    return rod->field != NULL;
}

static withy_status open_rod(withy_result *r, wy_object *ledgers, int index, withy_error *err) {
    char name[32];
    snprintf(name, sizeof name, "rod%d", index + 1);
    wy_rod_reader *rod = &r->rod[index];
    if (with_group(r, wy_object_at(&r->file.root, name), rod, describe_rod) &&
        with_group(r, wy_object_at(ledgers, name), rod, open_ledger))
        return WITHY_OK;
    return wy_opened_damaged(&r->file, name, err);
}

static withy_status open_rods(withy_result *r, withy_error *err) {
    char name[32];
    wy_object ledgers;
    do snprintf(name, sizeof name, "rod%d", r->rods + 1);
    while (wy_object_has(&r->file.root, name) && ++r->rods);
    if (r->rods == 0 && r->parts.now.body_count > 0) return WITHY_OK;
    if (r->rods == 0) wy_store_fail(&r->file.store, "it is not there");
    r->rod = wy_store_take(&r->file.store, &r->file.arena, (uint64_t)r->rods, sizeof *r->rod);
    if (!r->rod || r->rods == 0) return wy_opened_damaged(&r->file, "rod1", err);
    withy_status status = WITHY_OK;
    if (!wy_object_open(&ledgers, &r->file.store, wy_object_at(&r->file.root, "ledger")) ||
        !wy_object_links(&ledgers))
        status = wy_opened_damaged(&r->file, "ledger", err);
    for (int i = 0; i < r->rods && status == WITHY_OK; i++) status = open_rod(r, &ledgers, i, err);
    wy_object_close(&ledgers);
    return status;
}

/* ---- probes ---------------------------------------------------------------------------------- */

static bool open_samples(withy_result *r, wy_object *group, wy_probe_reader *probe, uint64_t size) {
    wy_arena *arena = &r->file.arena;
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
    const char *of = wy_object_text(group, "of", &r->file.arena);
    const double part = wy_object_number(group, of ? "part" : "rod");
    const int most[] = {r->rods, r->parts.now.body_count, r->parts.now.joint_count,
                        r->parts.now.obstacle_count, r->rods};
    for (int kind = WITHY_OF_ROD; of && kind <= WITHY_OF_LEDGER; kind++)
        if (strcmp(of, wy_part_noun[kind]) == 0) info->of = (withy_probe_of)kind;
    const int of_rod = info->of == WITHY_OF_ROD || info->of == WITHY_OF_LEDGER;
    const int least = info->of == WITHY_OF_LEDGER ? 0 : 1; /* 0: of the scene */
    const withy_quantity *quantity = withy_quantity_find((int)info->of, info->what);
    if (!quantity || !(part >= least && part <= most[info->of])) return false;
    info->size = quantity->size;
    *(of_rod ? &info->rod : &info->index) = (int)part - 1;
    return true;
}

static bool describe_probe(withy_result *r, wy_object *group, void *to) {
    wy_probe_reader *probe = to;
    const char *name = wy_object_text(group, "name", &r->file.arena);
    const char *what = wy_object_text(group, "what", &r->file.arena);
    withy_result_probe *info = &probe->info;
    snprintf(info->name, sizeof info->name, "%s", name ? name : "");
    snprintf(info->what, sizeof info->what, "%s", what ? what : "");
    if (!name || !what || !find_probed(r, group, info))
        return wy_store_fail(&r->file.store, "its name, quantity or rod is not known");
    info->at = wy_object_number(group, "at");
    return open_samples(r, group, probe, (uint64_t)info->size);
}

static bool open_probes(withy_result *r, wy_object *all, void *unused) {
    (void)unused;
    r->probe =
        wy_store_take(&r->file.store, &r->file.arena, (uint64_t)all->links, sizeof *r->probe);
    if (!r->probe) return false;
    for (; r->probes < all->links; r->probes++)
        if (!with_group(r, all->link[r->probes].at, &r->probe[r->probes], describe_probe))
            return false;
    return true;
}

/* ---- opening and closing ---------------------------------------------------------------------- */

static withy_status is_older(const withy_result *r, withy_error *err) {
    return wy_bad_input(err,
                        "%s: was written by withy 0.2.0 or older, whose texts cannot be read "
                        "safely: run its scene again, or export it with that version",
                        r->file.path);
}

static withy_status check_format(withy_result *r, withy_error *err) {
    wy_value_kind kind;
    uint64_t bytes;
    if (wy_object_attribute(&r->file.root, "format", &kind, &bytes) && kind == WY_KIND_LOOSE)
        return is_older(r, err);
    const char *format = wy_object_text(&r->file.root, "format", &r->file.arena);
    if (!format || strncmp(format, "withy ", 6) != 0)
        return wy_bad_input(err,
                            "%s: not a result file of withy: it has no attribute format = \"%s\"",
                            r->file.path, WY_H5_FORMAT);
    if (strcmp(format, "withy 1") == 0) return is_older(r, err);
    if (strncmp(format, "withy sweep ", 12) == 0)
        return wy_bad_input(err,
                            "%s: is the result of a sweep, a table without shapes: withy plot "
                            "draws it, withy export --csv writes it as text",
                            r->file.path);
    if (strcmp(format, WY_H5_FORMAT) != 0)
        return wy_bad_input(
            err, "%s: has the format \"%s\", this withy (%s) reads \"%s\": use a newer one",
            r->file.path, format, withy_version(), WY_H5_FORMAT);
    return WITHY_OK;
}

/* Time first: what it counts has been written before it. */
static withy_status open_times(withy_result *r, withy_error *err) {
    wy_arena *arena = &r->file.arena;
    if (!wy_rows_open(&r->time, &r->file.root, "time", 1, WY_ROWS_ALL, arena))
        return wy_opened_damaged(&r->file, "time", err);
    r->count = (int64_t)r->time.count;
    if (!wy_rows_open(&r->step, &r->file.root, "step", 1, r->time.count, arena) ||
        !open_check(r, &r->check, &r->file.root, r->time.count))
        return wy_opened_damaged(&r->file, "step", err);
    return WITHY_OK;
}

static withy_status open_all(void *reader, withy_error *err) {
    withy_result *r = reader;
    WY_TRY(check_format(r, err));
    if (!wy_object_links(&r->file.root)) return wy_opened_damaged(&r->file, "the file", err);
    WY_TRY(read_texts(r, err));
    WY_TRY(read_parameters(r, err));
    WY_TRY(read_group(r, "restart", read_restart, err));
    WY_TRY(open_times(r, err));
    const char *bad = wy_parts_open(&r->parts, &r->file.root, (uint64_t)r->count, &r->file.arena);
    if (bad) return wy_opened_damaged(&r->file, bad, err);
    WY_TRY(open_rods(r, err));
    if (!wy_parts_fit(&r->parts, r->rods)) return wy_opened_damaged(&r->file, "joints", err);
    if (!wy_tendons_open(&r->parts, &r->file.root, r->rods, &r->file.arena))
        return wy_opened_damaged(&r->file, "tendons", err);
    return read_group(r, "probes", open_probes, err);
}

withy_status withy_result_open(const char *path, withy_result **result, withy_error *err) {
    return wy_opened_read(__func__, path, sizeof **result, open_all, result, err);
}

void withy_result_close(withy_result *r) {
    wy_opened_free(r);
}
