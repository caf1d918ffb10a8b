/* csv.c - tidy tables: FILE.csv (stations), FILE.ledger.csv (rods), FILE.probes.csv, FILE.bodies.csv,
 * FILE.joints.csv, FILE.obstacles.csv, FILE.contacts.csv.
 *
 * One line per station and snapshot; the first column identifies the snapshot.  A quantity that a rod does not have is a column that is left out, or an
 * empty cell when another rod has it.  A run that failed ends with a line "# reason".
 */
#include <fcntl.h>
#include <unistd.h>

#include "observe/observe.h"
#include "sink/sink.h"
#include "sink/text.h"

enum {
    STATION,
    LEDGER,
    PROBE,
    BODIES,
    TOUCH = BODIES + WY_PARTS,
    TEXTS
}; /* BODIES, then joints, obstacles */

static const char *const ending[TEXTS] = {".csv",         ".ledger.csv", ".probes.csv",
                                          ".bodies.csv",  ".joints.csv", ".obstacles.csv",
                                          ".contacts.csv"};

typedef struct writer {
    wy_arena arena;
    wy_text text[TEXTS];
    wy_leftover left[TEXTS]; /* tables of an earlier run that this one does not have */
    char (*name[WITHY_OF_OBSTACLE + 1])[WITHY_NAME]; /* [count] of these */
    unsigned have;                                   /* of any rod */
    int probe_size;                                  /* most numbers in a sample */
    const char *axis; /* heads the first column: "t [s]", "load factor" */
    withy_request request;
    bool begun; /* there is a snapshot */
} writer;

/* ---- first lines ------------------------------------------------------------------------------ */

static const char station_columns[] = "rod,station,s [m]", probe_columns[] = "probe,what,rod,s [m]";

/* The first column and what identifies a row. */
static void head(const writer *w, wy_text *text, const char *columns) {
    wy_text_cell(text, w->axis);
    wy_text_put(text, ",%s", columns);
}

/* Component k of a quantity: "nx [N]", "torque_x [N m]", "frame_w [-]", "work [J]". */
static void head_column(wy_text *text, const withy_quantity *q, int k) {
    char axis[WITHY_NAME];
    const char *own = q->components;
    for (int i = 0; own && i < k; i++) own = strchr(own, ' ') + 1;
    if (own)
        wy_text_put(text, ",%.*s [%s]", (int)strcspn(own, " "), own, q->unit);
    else
        wy_text_put(text, ",%s%s%s [%s]", q->name, q->size > 1 ? "_" : "",
                    withy_quantity_component(q, k, axis, sizeof axis), q->unit);
}

/* The quantities of one kind, as far as these bits are there. */
static void head_columns(wy_text *text, int of, unsigned have) {
    for (const withy_quantity *q = NULL; (q = wy_quantity_after(of, q)) != NULL;)
        for (int k = 0; wy_quantity_in(q, have) && k < q->size; k++) head_column(text, q, k);
}

static void head_rods(const writer *w, wy_text *text, const char *columns, int of) {
    head(w, text, columns);
    head_columns(text, of, w->have);
    wy_text_put(text, "\n");
}

static const withy_quantity *quantity_of(const withy_probe *probe) {
    return withy_quantity_find((int)probe->of, probe->what);
}

static void head_probes(writer *w) {
    head(w, &w->text[PROBE], probe_columns);
    for (int i = 0; i < w->request.probe_count; i++) {
        const int size = quantity_of(&w->request.probe[i])->size;
        if (size > w->probe_size) w->probe_size = size;
    }
    for (int k = 0; k < w->probe_size; k++) wy_text_put(&w->text[PROBE], ",value%d", k + 1);
    wy_text_put(&w->text[PROBE], "\n");
}

/* ---- opening --------------------------------------------------------------------------------- */

/* One of the tables next to the first. */
static withy_status open_sibling(writer *w, const char *path, int which, withy_error *err) {
    char *own = wy_text_sibling(&w->arena, path, ending[STATION], ending[which]);
    if (!own) return wy_no_memory(err, "%s: memory ran out", path);
    return wy_text_open(&w->text[which], &w->arena, own, err);
}

static withy_status open_texts(writer *w, const char *path, withy_error *err) {
    if (!w->axis) return wy_no_memory(err, "%s: memory ran out", path);
    WY_TRY(wy_text_open(&w->text[STATION], &w->arena, path, err));
    WY_TRY(open_sibling(w, path, LEDGER, err));
    if (w->request.probe_count > 0) WY_TRY(open_sibling(w, path, PROBE, err));
    head_rods(w, &w->text[STATION], station_columns, WITHY_OF_ROD);
    head_rods(w, &w->text[LEDGER], "step,rod", WITHY_OF_LEDGER);
    if (wy_text_is_open(&w->text[PROBE])) head_probes(w);
    return WITHY_OK;
}

/* ---- bodies and joints ------------------------------------------------------------------------ */

static int text_of(int of) {
    return BODIES + of - WITHY_OF_BODY;
}

static void head_parts(wy_text *text, int of) {
    wy_text_put(text, ",%s", wy_part_noun[of]);
    head_columns(text, of, 0);
}

/* The last is the time, which comes first here. */
static void head_touches(wy_text *text) {
    int count;
    const withy_quantity *q = withy_quantity_list(WITHY_OF_CONTACT, &count);
    wy_text_put(text, ",rod,other rod,obstacle");
    for (int i = 0; i < count - 1; i++)
        for (int k = 0; k < q[i].size; k++) head_column(text, &q[i], k);
}

static withy_status open_touches(writer *w, const char *path, withy_error *err) {
    WY_TRY(open_sibling(w, path, TOUCH, err));
    wy_text_cell(&w->text[TOUCH], w->axis);
    head_touches(&w->text[TOUCH]);
    wy_text_put(&w->text[TOUCH], "\n");
    return WITHY_OK;
}

static withy_status open_parts(writer *w, const char *path, const wy_sink_meta *meta,
                               withy_error *err) {
    for (int of = WITHY_OF_BODY; meta->parts && of <= WITHY_OF_OBSTACLE; of++) {
        const int count = wy_part_count(meta->parts, of), which = text_of(of);
        if (count == 0) continue;
        w->name[of] = wy_arena_alloc(&w->arena, (size_t)count, sizeof *w->name[of]);
        if (!w->name[of]) return wy_no_memory(err, "%s: memory ran out", path);
        for (int i = 0; i < count; i++)
            wy_name_or(wy_part_name(meta, of, i), wy_part_noun[of], i, w->name[of][i], WITHY_NAME);
        WY_TRY(open_sibling(w, path, which, err));
        wy_text_cell(&w->text[which], w->axis);
        head_parts(&w->text[which], of);
        wy_text_put(&w->text[which], "\n");
    }
    return meta->parts && meta->parts->contact_room > 0 ? open_touches(w, path, err) : WITHY_OK;
}

static void drop(writer *w) {
    for (int i = 0; i < TEXTS; i++) wy_text_drop(&w->text[i]);
    wy_arena_free(&w->arena);
    wy_free(w);
}

/* Where there are no old tables, with which the new ones would be mixed. */
static void set_keeps(writer *w, bool keeps) {
    for (int i = 0; i < TEXTS; i++)
        keeps &= wy_text_is_open(&w->text[i]) ? w->text[i].file.is_new : !w->left[i].path;
    for (int i = 0; i < TEXTS; i++) w->text[i].keeps = keeps;
}

/* ---- tables of an earlier run ----------------------------------------------------------------- */

enum { LINE = 4096 }; /* longer than every first line of ours */

/* The first line of a plain file without its end; "" where there is no whole one. */
static const char *first_line(const char *path, char line[LINE]) {
    const int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    const ssize_t size = file >= 0 ? read(file, line, LINE - 1) : 0;
    line[size > 0 ? size : 0] = '\0';
    line[strchr(line, '\n') ? strcspn(line, "\n") : 0] = '\0';
    if (file >= 0) close(file);
    return line;
}

/* What follows the first column in the first line of this table; the numbers of a probe are not in it. */
static void columns_of(int which, char line[LINE]) {
    line[0] = '\0';
    wy_text text = {.file.stream = fmemopen(line, LINE, "w")};
    if (!text.file.stream) return;
    if (which == PROBE)
        wy_text_put(&text, ",%s", probe_columns);
    else if (which == TOUCH)
        head_touches(&text);
    else
        head_parts(&text, which - BODIES + WITHY_OF_BODY);
    fclose(text.file.stream);
}

/* ",value1,value2" to the end. */
static bool are_values(const char *rest) {
    char value[24];
    for (int k = 1; *rest || k == 1; k++) {
        const int length = snprintf(value, sizeof value, ",value%d", k);
        if (strncmp(rest, value, (size_t)length) != 0) return false;
        rest += length;
    }
    return true;
}

/* Has an earlier run written it, whose table of stations begins with `axis`?  Any other file may have such
 * a name. */
static bool is_ours(const char *path, int which, const char *axis, size_t length) {
    char line[LINE], columns[LINE];
    columns_of(which, columns);
    const size_t more = strlen(columns);
    if (more == 0 || strncmp(first_line(path, line), axis, length) != 0 ||
        strncmp(line + length, columns, more) != 0)
        return false;
    const char *rest = line + length + more;
    return which == PROBE ? are_values(rest) : *rest == '\0';
}

/* Tables of an earlier run that the new one does not have: they would pass for its own. */
static withy_status note_leftovers(writer *w, const char *path, withy_error *err) {
    char axis[LINE];
    if (w->text[STATION].file.is_new) return WITHY_OK;
    const char *end = strstr(first_line(path, axis), station_columns);
    if (!end || end - axis < 2 || end[-1] != ',') return WITHY_OK; /* not a result of ours */
    for (int i = PROBE; i < TEXTS; i++) {
        if (wy_text_is_open(&w->text[i])) continue;
        char *old = wy_text_sibling(&w->arena, path, ending[STATION], ending[i]);
        if (!old) return wy_no_memory(err, "%s: memory ran out", path);
        if (is_ours(old, i, axis, (size_t)(end - axis) - 1)) wy_leftover_note(&w->left[i], old);
    }
    return WITHY_OK;
}

static withy_status open_file(const char *path, const wy_sink_meta *meta,
                              const withy_snapshot *const *first, void **state, withy_error *err) {
    writer *w = wy_alloc(1, sizeof *w);
    if (!w) return wy_no_memory(err, "%s: memory ran out", path);
    w->request = meta->request;
    w->axis = wy_arena_text(&w->arena, meta->axis && meta->axis[0] ? meta->axis : "t [s]");
    for (int i = 0; i < meta->rod_count; i++) w->have |= first[i]->have;
    withy_status status = open_texts(w, path, err);
    if (status == WITHY_OK) status = open_parts(w, path, meta, err);
    if (status == WITHY_OK) status = note_leftovers(w, path, err);
    if (status != WITHY_OK) return drop(w), status;
    set_keeps(w, !meta->at_once);
    *state = w;
    return WITHY_OK;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void put_cells(wy_text *text, const double *value, int size) {
    for (int k = 0; k < size; k++) {
        wy_text_put(text, ",");
        if (value) wy_text_number(text, value[k]);
    }
}

static void put_station(writer *w, int rod, const withy_snapshot *snap, int station) {
    wy_text_number(&w->text[STATION], snap->t);
    wy_text_put(&w->text[STATION], ",%d,%d,", rod + 1, station);
    wy_text_number(&w->text[STATION], snap->s[station]);
    for (const withy_quantity *q = NULL; (q = wy_quantity_after(WITHY_OF_ROD, q)) != NULL;)
        if (wy_quantity_in(q, w->have))
            put_cells(&w->text[STATION], withy_quantity_at(q, snap, station), q->size);
    wy_text_put(&w->text[STATION], "\n");
}

static void put_ledger(writer *w, int rod, const withy_snapshot *snap) {
    wy_text_number(&w->text[LEDGER], snap->t);
    wy_text_put(&w->text[LEDGER], ",%lld,%d", (long long)snap->step, rod + 1);
    for (const withy_quantity *q = NULL; (q = wy_quantity_after(WITHY_OF_LEDGER, q)) != NULL;) {
        double value[WY_QUANTITY_SIZE];
        if (!wy_quantity_in(q, w->have)) continue;
        wy_quantity_get(q, snap, value);
        put_cells(&w->text[LEDGER], wy_quantity_in(q, snap->have) ? value : NULL, q->size);
    }
    wy_text_put(&w->text[LEDGER], "\n");
}

static withy_status write_rod(void *state, int rod, const withy_snapshot *snap, withy_error *err) {
    writer *w = state;
    w->begun = true;
    for (int i = 0; i < snap->count; i++) put_station(w, rod, snap, i);
    put_ledger(w, rod, snap);
    WY_TRY(wy_text_check(&w->text[STATION], err));
    return wy_text_check(&w->text[LEDGER], err);
}

static void put_quantities(wy_text *text, int of, int count, const withy_parts *parts, int index) {
    const withy_quantity *q = withy_quantity_list(of, NULL);
    for (int k = 0; k < count; k++)
        put_cells(text, withy_quantity_of_part(&q[k], parts, index), q[k].size);
    wy_text_put(text, "\n");
}

static void put_touch(writer *w, const withy_parts *parts, int index) {
    const withy_contact_state *contacts = &parts->contacts[index];
    wy_text *text = &w->text[TOUCH];
    int count;
    withy_quantity_list(WITHY_OF_CONTACT, &count);
    wy_text_number(text, contacts->t);
    wy_text_put(text, ",%d,", contacts->rod + 1);
    if (contacts->of == WITHY_OF_ROD) wy_text_put(text, "%d", contacts->index + 1);
    wy_text_put(text, ",");
    if (contacts->of != WITHY_OF_ROD && w->name[contacts->of])
        wy_text_cell(text, w->name[contacts->of][contacts->index]);
    put_quantities(text, WITHY_OF_CONTACT, count - 1, parts, index);
}

static withy_status write_parts(void *state, const withy_parts *parts, withy_error *err) {
    writer *w = state;
    w->begun = true;
    for (int of = WITHY_OF_BODY; of <= WITHY_OF_OBSTACLE; of++) {
        wy_text *text = &w->text[text_of(of)];
        const int many = wy_part_count(parts, of);
        int count;
        withy_quantity_list(of, &count);
        for (int i = 0; i < many; i++) {
            wy_text_number(text, parts->t);
            wy_text_put(text, ",");
            wy_text_cell(text, w->name[of][i]);
            put_quantities(text, of, count, parts, i);
        }
        if (many) WY_TRY(wy_text_check(text, err));
    }
    if (!wy_text_is_open(&w->text[TOUCH])) return WITHY_OK;
    for (int i = 0; i < parts->contact_count; i++) put_touch(w, parts, i);
    return wy_text_check(&w->text[TOUCH], err);
}

static withy_status write_probe(void *state, int index, double t, const double *value,
                                withy_error *err) {
    writer *w = state;
    const withy_probe *probe = &w->request.probe[index];
    const int size = quantity_of(probe)->size;
    wy_text_number(&w->text[PROBE], t);
    wy_text_put(&w->text[PROBE], ",");
    wy_text_cell(&w->text[PROBE], probe->name);
    wy_text_put(&w->text[PROBE], ",");
    wy_text_cell(&w->text[PROBE], probe->what);
    if (probe->of == WITHY_OF_ROD) {
        wy_text_put(&w->text[PROBE], ",%d,", probe->rod + 1);
        wy_text_number(&w->text[PROBE], probe->at);
    } else {
        wy_text_put(&w->text[PROBE], ",,"); /* no rod and no s */
    }
    put_cells(&w->text[PROBE], value, size);
    put_cells(&w->text[PROBE], NULL, w->probe_size - size);
    wy_text_put(&w->text[PROBE], "\n");
    return wy_text_check(&w->text[PROBE], err);
}

/* ---- closing --------------------------------------------------------------------------------- */

/* Its last line; all lines to the disk. */
static withy_status finish(wy_text *text, const char *status, withy_status before,
                           withy_error *err) {
    if (!wy_text_is_open(text)) return before;
    if (strcmp(status, "complete") != 0) wy_text_remark(text, status);
    text->flushed = 0;
    const withy_status done = wy_text_check(text, before == WITHY_OK ? err : NULL);
    return before == WITHY_OK ? done : before;
}

static bool has_failed(const writer *w) {
    for (int i = 0; i < TEXTS; i++)
        if (w->text[i].error) return true;
    return false;
}

/* All to the disk; false when one could not be written.  What was kept elsewhere is reported, and does not hold up the
 * others. */
static bool settle_all(writer *w, withy_status *done, withy_error *err) {
    bool whole = *done == WITHY_OK;
    for (int i = 0; i < TEXTS && whole; i++) {
        const withy_status settled = wy_text_settle(&w->text[i], *done == WITHY_OK ? err : NULL);
        if (*done == WITHY_OK) *done = settled;
        whole = settled == WITHY_OK || w->text[i].elsewhere;
    }
    return whole;
}

/* All to the disk before the first gets its name: old and new tables are never mixed.  A run that has
 * failed before its first snapshot has none, and the old ones stay. */
static withy_status close_file(void *state, const char *status, withy_error *err) {
    writer *w = state;
    withy_status done = WITHY_OK;
    if (!w->begun && strcmp(status, "complete") != 0) return drop(w), WITHY_OK;
    const bool reported = has_failed(w);
    for (int i = 0; i < TEXTS; i++) done = finish(&w->text[i], status, done, err);
    if (has_failed(w)) {
        for (int i = 0; i < TEXTS; i++) wy_text_rescue(&w->text[i]);
        return drop(w), reported ? WITHY_OK : done;
    }
    withy_status placed = settle_all(w, &done, err) ? WITHY_OK : done;
    for (int i = 0; i < TEXTS && placed == WITHY_OK; i++)
        placed = wy_text_place(&w->text[i], done == WITHY_OK ? err : NULL);
    if (done == WITHY_OK) done = placed;
    for (int i = 0; i < TEXTS && done == WITHY_OK; i++) wy_leftover_remove(&w->left[i]);
    drop(w);
    return done;
}

const wy_sink wy_sink_csv = {
    WY_SINK_COMMON("csv", ".csv",
                   "tidy tables for pandas, R and spreadsheets: stations, ledger, probes"),
    .parts = write_parts,
    .probe = write_probe,
};
