/* record.c - the sink that keeps everything in memory: tables that grow by doubling.
 *
 * It has no ending and is in no list: study.record names the record, which is the state of the sink.
 */
#include "sink/sink.h"

#include "observe/observe.h"

/* One table, and where its rows come from; NULL: not from a quantity. */
typedef struct column {
    withy_table table;
    double *value;
    int64_t room;
    const withy_quantity *quantity;
} column;

/* A rod, a body, a joint, a probe, or the study. */
typedef struct part {
    char name[WITHY_NAME];
    column *column; /* [count] */
    int count;
} part;

static const char *const texts[] = {"title", "method",    "version", "scene", "scene_name",
                                    "notes", "note_data", "axis",    "status"};
enum { TEXTS = sizeof texts / sizeof *texts, STATUS = TEXTS - 1 };

struct withy_record {
    wy_arena arena;
    part *part[WITHY_RECORD_KINDS];
    int count[WITHY_RECORD_KINDS];
    const char *text[TEXTS];
    char status[WITHY_ERROR_TEXT + 16];
    bool has_parts; /* then they come first in each snapshot, and the time with them */
};

/* ---- the public functions ------------------------------------------------------------------------ */

withy_record *withy_record_create(void) {
    return wy_alloc(1, sizeof(withy_record));
}

static void clear(withy_record *record) {
    for (int of = 0; of < WITHY_RECORD_KINDS; of++)
        for (int i = 0; i < record->count[of]; i++)
            for (int k = 0; k < record->part[of][i].count; k++)
                wy_free(record->part[of][i].column[k].value);
    wy_arena_free(&record->arena);
    *record = (withy_record){0};
}

void withy_record_destroy(withy_record *record) {
    if (!record) return;
    clear(record);
    wy_free(record);
}

int withy_record_count(const withy_record *record, withy_record_of of) {
    return record && of < WITHY_RECORD_KINDS ? record->count[of] : 0;
}

static const part *part_of(const withy_record *record, withy_record_of of, int index) {
    return index >= 0 && index < withy_record_count(record, of) ? &record->part[of][index] : NULL;
}

const char *withy_record_name(const withy_record *record, withy_record_of of, int index) {
    const part *x = part_of(record, of, index);
    return x ? x->name : "";
}

int withy_record_table(const withy_record *record, withy_record_of of, int index, int number,
                       withy_table *table) {
    const part *x = part_of(record, of, index);
    if (!x || !table || number < 0 || number >= x->count) return 0;
    *table = x->column[number].table;
    return 1;
}

int withy_record_find(const withy_record *record, withy_record_of of, int index, const char *name,
                      withy_table *table) {
    for (int k = 0; name && withy_record_table(record, of, index, k, table); k++)
        if (strcmp(table->name, name) == 0) return 1;
    return 0;
}

const char *withy_record_text(const withy_record *record, const char *name) {
    for (int i = 0; record && name && i < TEXTS; i++)
        if (strcmp(texts[i], name) == 0)
            return i == STATUS ? record->status : record->text[i] ? record->text[i] : "";
    return "";
}

/* ---- rows ---------------------------------------------------------------------------------------- */

static withy_status no_memory(withy_error *err) {
    return wy_no_memory(err,
                        "no memory for the result; a longer time.output keeps fewer snapshots");
}

static size_t width(const column *x) {
    return (size_t)x->table.stations * (size_t)x->table.size;
}

/* Room for the next row, or NULL. */
static double *next_row(column *x) {
    const size_t used = (size_t)x->table.rows * width(x);
    if (x->table.rows == x->room) {
        const int64_t room = x->room ? 2 * x->room : 16;
        double *more = wy_alloc((size_t)room * width(x), sizeof *more);
        if (!more) return NULL;
        if (used) memcpy(more, x->value, used * sizeof *more);
        wy_free(x->value);
        x->table.value = x->value = more;
        x->room = room;
    }
    x->table.rows++;
    return x->value + used;
}

static withy_status add_row(column *x, const double *from, withy_error *err) {
    double *row = next_row(x);
    if (!row) return no_memory(err);
    memcpy(row, from, width(x) * sizeof *row);
    return WITHY_OK;
}

/* ---- opening ------------------------------------------------------------------------------------- */

static void name_part(part *x, const char *name) {
    const size_t length = name ? strlen(name) : 0;
    if (length) memcpy(x->name, name, length < WITHY_NAME ? length : WITHY_NAME - 1);
}

/* Parts of a kind, each with room for `most` columns. */
static part *take_parts(withy_record *record, withy_record_of of, int count, int most) {
    part *list = wy_arena_alloc(&record->arena, (size_t)count, sizeof *list);
    if (!list) return NULL;
    for (int i = 0; i < count; i++)
        list[i].column = wy_arena_alloc(&record->arena, (size_t)most, sizeof *list[i].column);
    for (int i = 0; i < count; i++)
        if (!list[i].column) return NULL;
    record->part[of] = list, record->count[of] = count;
    return list;
}

static column *add_column(part *x, const char *name, const char *unit, int stations, int size) {
    column *made = &x->column[x->count++];
    made->table = (withy_table){.name = name, .unit = unit, .stations = stations, .size = size};
    return made;
}

static void add_quantity(part *x, const withy_quantity *q, int stations) {
    add_column(x, q->name, q->unit, stations, q->size)->quantity = q;
}

static withy_status open_rod(part *x, const withy_snapshot *first, withy_error *err) {
    for (const withy_quantity *q = NULL; (q = wy_quantity_after(WITHY_OF_ROD, q)) != NULL;)
        if (withy_quantity_at(q, first, 0)) add_quantity(x, q, first->count);
    return add_row(add_column(x, "s", "m", first->count, 1), first->s, err);
}

static void open_ledger(part *x, const withy_snapshot *first) {
    for (const withy_quantity *q = NULL; (q = wy_quantity_after(WITHY_OF_LEDGER, q)) != NULL;)
        if (wy_quantity_in(q, first->have)) add_quantity(x, q, 1);
}

static withy_status open_rods(withy_record *record, const wy_sink_meta *meta,
                              const withy_snapshot *const *first, withy_error *err) {
    int quantities, entries;
    withy_quantity_list(WITHY_OF_ROD, &quantities), withy_quantity_list(WITHY_OF_LEDGER, &entries);
    part *rod = take_parts(record, WITHY_RECORD_ROD, meta->rod_count, quantities + 1);
    part *ledger = rod ? take_parts(record, WITHY_RECORD_LEDGER, meta->rod_count, entries) : NULL;
    if (!rod || !ledger) return no_memory(err);
    for (int i = 0; i < meta->rod_count; i++) {
        name_part(&rod[i], meta->rod_name ? meta->rod_name[i] : NULL);
        name_part(&ledger[i], rod[i].name);
        open_ledger(&ledger[i], first[i]);
        WY_TRY(open_rod(&rod[i], first[i], err));
    }
    return WITHY_OK;
}

/* Which tables parts of a kind fill. */
static const withy_record_of table_of[] = {[WITHY_OF_BODY] = WITHY_RECORD_BODY,
                                           [WITHY_OF_JOINT] = WITHY_RECORD_JOINT,
                                           [WITHY_OF_OBSTACLE] = WITHY_RECORD_OBSTACLE};

static bool open_parts(withy_record *record, const wy_sink_meta *meta, int of) {
    int count;
    const withy_quantity *quantity = withy_quantity_list(of, &count);
    const int parts = meta->parts ? wy_part_count(meta->parts, of) : 0;
    part *list = take_parts(record, table_of[of], parts, count);
    for (int i = 0; list && i < parts; i++) {
        name_part(&list[i], wy_part_name(meta, of, i));
        for (int k = 0; k < count; k++) add_quantity(&list[i], &quantity[k], 1);
    }
    return list != NULL;
}

static bool open_probes(withy_record *record, const withy_request *request) {
    part *probe = take_parts(record, WITHY_RECORD_PROBE, request->probe_count, 2);
    for (int i = 0; probe && i < request->probe_count; i++) {
        const withy_probe *one = &request->probe[i];
        const withy_quantity *what = withy_quantity_find((int)one->of, one->what);
        name_part(&probe[i], one->name);
        add_column(&probe[i], "t", "s", 1, 1);
        if (!what) return false;
        add_column(&probe[i], "value", what->unit, 1, what->size);
    }
    return probe != NULL;
}

static bool open_texts(withy_record *record, const wy_sink_meta *meta) {
    const char *const given[STATUS] = {meta->title,      meta->method,     meta->version,
                                       meta->scene_text, meta->scene_name, meta->notes,
                                       meta->note_data,  meta->axis};
    for (int i = 0; i < STATUS; i++) {
        if (!given[i]) continue;
        record->text[i] = wy_arena_text(&record->arena, given[i]);
        if (!record->text[i]) return false;
    }
    return true;
}

/* The time, and what belongs to all bodies and all joints: "bodies_kinetic". */
static bool open_study(withy_record *record, bool has_parts) {
    static const char *const noun[] = {"bodies", "joints"};
    const withy_quantity *sum[2];
    int count[2];
    for (int k = 0; k < 2; k++) sum[k] = withy_quantity_list(WITHY_OF_BODIES + k, &count[k]);
    part *study = take_parts(record, WITHY_RECORD_STUDY, 1, 1 + count[0] + count[1]);
    if (!study) return false;
    add_column(study, "t", "s", 1, 1);
    for (int k = 0; has_parts && k < 2; k++)
        for (int i = 0; i < count[k]; i++) {
            char name[WITHY_NAME];
            snprintf(name, sizeof name, "%s_%s", noun[k], sum[k][i].name);
            add_quantity(study, &sum[k][i], 1);
            withy_table *table = &study->column[study->count - 1].table;
            table->name = wy_arena_text(&record->arena, name);
            if (!table->name) return false;
        }
    return true;
}

/* *state is the record. */
static withy_status open_record(const char *path, const wy_sink_meta *meta,
                                const withy_snapshot *const *first, void **state,
                                withy_error *err) {
    withy_record *record = *state;
    (void)path;
    clear(record);
    strcpy(record->status, "running");
    record->has_parts = meta->parts != NULL;
    bool good = open_study(record, record->has_parts) && open_texts(record, meta) &&
                open_probes(record, &meta->request);
    for (int of = WITHY_OF_BODY; good && of <= WITHY_OF_OBSTACLE; of++)
        good = open_parts(record, meta, of);
    if (!good) return no_memory(err);
    return open_rods(record, meta, first, err);
}

/* ---- writing ------------------------------------------------------------------------------------- */

static withy_status add_time(withy_record *record, double t, withy_error *err) {
    return add_row(&record->part[WITHY_RECORD_STUDY][0].column[0], &t, err);
}

static withy_status write_rod(void *state, int rod, const withy_snapshot *snap, withy_error *err) {
    withy_record *record = state;
    if (rod == 0 && !record->has_parts) WY_TRY(add_time(record, snap->t, err));
    const part *x = &record->part[WITHY_RECORD_ROD][rod],
               *ledger = &record->part[WITHY_RECORD_LEDGER][rod];
    for (int k = 0; k < x->count; k++)
        if (x->column[k].quantity)
            WY_TRY(add_row(&x->column[k], withy_quantity_at(x->column[k].quantity, snap, 0), err));
    for (int k = 0; k < ledger->count; k++) {
        double number[WY_QUANTITY_SIZE];
        wy_quantity_get(ledger->column[k].quantity, snap, number);
        WY_TRY(add_row(&ledger->column[k], number, err));
    }
    return WITHY_OK;
}

static withy_status add_part(part *x, const withy_parts *parts, int index, withy_error *err) {
    for (int k = 0; k < x->count; k++) {
        const withy_quantity *q = x->column[k].quantity;
        if (q) WY_TRY(add_row(&x->column[k], withy_quantity_of_part(q, parts, index), err));
    }
    return WITHY_OK;
}

static withy_status write_parts(void *state, const withy_parts *parts, withy_error *err) {
    withy_record *record = state;
    WY_TRY(add_time(record, parts->t, err));
    WY_TRY(add_part(&record->part[WITHY_RECORD_STUDY][0], parts, 0, err));
    for (int of = WITHY_OF_BODY; of <= WITHY_OF_OBSTACLE; of++)
        for (int i = 0; i < record->count[table_of[of]]; i++)
            WY_TRY(add_part(&record->part[table_of[of]][i], parts, i, err));
    return WITHY_OK;
}

static withy_status write_probe(void *state, int probe, double t, const double *value,
                                withy_error *err) {
    part *x = &((withy_record *)state)->part[WITHY_RECORD_PROBE][probe];
    WY_TRY(add_row(&x->column[0], &t, err));
    return add_row(&x->column[1], value, err);
}

static withy_status close_record(void *state, const char *status, withy_error *err) {
    withy_record *record = state;
    const size_t length = strlen(status), most = sizeof record->status - 1;
    (void)err;
    memcpy(record->status, status, length < most ? length : most);
    record->status[length < most ? length : most] = '\0';
    return WITHY_OK;
}

const wy_sink wy_record_sink = {.name = "record",
                                .ending = "",
                                .summary = "tables in memory",
                                .open = open_record,
                                .write = write_rod,
                                .parts = write_parts,
                                .probe = write_probe,
                                .close = close_record};
