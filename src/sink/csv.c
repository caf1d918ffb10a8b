/* csv.c - tidy tables: FILE.csv (stations), FILE.ledger.csv (rods), FILE.probes.csv, FILE.bodies.csv,
 * FILE.joints.csv, FILE.obstacles.csv, FILE.contacts.csv.
 *
 * One line per station and snapshot; the first column identifies the snapshot.  A quantity that a rod does not have is a column that is left out, or an
 * empty cell when another rod has it.  A run that failed ends with a line "# reason".
 */
#include <string.h>

#include "observe/observe.h"
#include "sink/ledger.h"
#include "sink/sink.h"
#include "sink/text.h"

enum { BODIES, JOINTS, OBSTACLES, PARTS };

typedef struct writer {
    wy_arena arena;
    wy_text station, ledger, probe, part[PARTS], touch; /* part: bodies, joints, obstacles */
    char (*name[PARTS])[WITHY_NAME];                    /* [count] of these */
    unsigned have;                                      /* of any rod */
    int probe_size;                                     /* most numbers in a sample */
    const char *axis; /* heads the first column: "t [s]", "load factor" */
    withy_request request;
    bool begun; /* there is a snapshot */
} writer;

static const char *const part[] = {"_x", "_y", "_z"};

/* ---- first lines ------------------------------------------------------------------------------ */

static void head_stations(writer *w) {
    int count;
    const withy_quantity *quantity = withy_quantity_list(&count);
    wy_text_cell(&w->station, w->axis);
    wy_text_put(&w->station, ",rod,station,s [m]");
    for (int i = 0; i < count; i++)
        for (int k = 0; (w->have & quantity[i].have) && k < quantity[i].size; k++)
            wy_text_put(&w->station, ",%s [%s]", wy_component(&quantity[i], k), quantity[i].unit);
    wy_text_put(&w->station, "\n");
}

static void head_ledger(writer *w) {
    int count;
    const wy_ledger *entry = wy_ledger_list(&count);
    wy_text_cell(&w->ledger, w->axis);
    wy_text_put(&w->ledger, ",step,rod");
    for (int i = 0; i < count; i++)
        for (int k = 0; wy_ledger_in(&entry[i], w->have) && k < entry[i].size; k++)
            wy_text_put(&w->ledger, ",%s%s [%s]", entry[i].name,
                        entry[i].size > 1 ? part[k % 3] : "", entry[i].unit);
    wy_text_put(&w->ledger, "\n");
}

static void head_probes(writer *w) {
    wy_text_cell(&w->probe, w->axis);
    wy_text_put(&w->probe, ",probe,what,rod,s [m]");
    for (int i = 0; i < w->request.probe_count; i++) {
        const int size = wy_probe_quantity(&w->request.probe[i]).size;
        if (size > w->probe_size) w->probe_size = size;
    }
    for (int k = 0; k < w->probe_size; k++) wy_text_put(&w->probe, ",value%d", k + 1);
    wy_text_put(&w->probe, "\n");
}

/* ---- opening --------------------------------------------------------------------------------- */

static withy_status open_texts(writer *w, const char *path, withy_error *err) {
    char *ledger = wy_text_sibling(&w->arena, path, ".csv", ".ledger.csv");
    char *probes = wy_text_sibling(&w->arena, path, ".csv", ".probes.csv");
    if (!ledger || !probes || !w->axis)
        return wy_fail(err, WITHY_NO_MEMORY, "%s: memory ran out", path);
    WY_TRY(wy_text_open(&w->station, &w->arena, path, err));
    WY_TRY(wy_text_open(&w->ledger, &w->arena, ledger, err));
    if (w->request.probe_count > 0) WY_TRY(wy_text_open(&w->probe, &w->arena, probes, err));
    head_stations(w);
    head_ledger(w);
    if (wy_text_is_open(&w->probe)) head_probes(w);
    return WITHY_OK;
}

/* ---- bodies and joints ------------------------------------------------------------------------ */

static const char *const part_word[] = {"body", "joint", "obstacle"};
static const char *const part_end[] = {".bodies.csv", ".joints.csv", ".obstacles.csv"};

static int of_part(const withy_part_quantity *q, int which) {
    static const int of[] = {WITHY_OF_BODY, WITHY_OF_JOINT, WITHY_OF_OBSTACLE};
    return q->of == of[which];
}

static int count_of(const withy_parts *parts, int which) {
    const int count[] = {parts->body_count, parts->joint_count, parts->obstacle_count};
    return count[which];
}

static const char *given_name(const wy_sink_meta *meta, int which, int i) {
    return which == BODIES   ? meta->body[i].name
           : which == JOINTS ? meta->joint[i].name
                             : meta->obstacle[i].name;
}

static void head_parts(writer *w, int which) {
    static const char *const four[] = {"_w", "_x", "_y", "_z"};
    int count;
    const withy_part_quantity *q = withy_part_quantity_list(&count);
    wy_text_cell(&w->part[which], w->axis);
    wy_text_put(&w->part[which], ",%s", part_word[which]);
    for (int i = 0; i < count; i++)
        for (int k = 0; of_part(&q[i], which) && k < q[i].size; k++)
            wy_text_put(&w->part[which], ",%s%s [%s]", q[i].name,
                        q[i].size == 4   ? four[k]
                        : q[i].size == 3 ? part[k]
                                         : "",
                        q[i].unit);
    wy_text_put(&w->part[which], "\n");
}

static withy_status open_touches(writer *w, const char *path, withy_error *err) {
    char *own = wy_text_sibling(&w->arena, path, ".csv", ".contacts.csv");
    if (!own) return wy_fail(err, WITHY_NO_MEMORY, "%s: memory ran out", path);
    WY_TRY(wy_text_open(&w->touch, &w->arena, own, err));
    wy_text_cell(&w->touch, w->axis);
    wy_text_put(&w->touch,
                ",rod,other rod,obstacle,s [m],s2 [m],gap [m],push [N],friction [N],force_x "
                "[N],force_y [N],force_z [N],position_x [m],position_y [m],position_z [m]\n");
    return WITHY_OK;
}

static withy_status open_parts(writer *w, const char *path, const wy_sink_meta *meta,
                               withy_error *err) {
    for (int which = BODIES; meta->parts && which <= OBSTACLES; which++) {
        const int count = count_of(meta->parts, which);
        if (count == 0) continue;
        char *own = wy_text_sibling(&w->arena, path, ".csv", part_end[which]);
        w->name[which] = wy_arena_take(&w->arena, (size_t)count, sizeof *w->name[which]);
        if (!own || !w->name[which])
            return wy_fail(err, WITHY_NO_MEMORY, "%s: memory ran out", path);
        for (int i = 0; i < count; i++)
            wy_name_or(given_name(meta, which, i), part_word[which], i, w->name[which][i],
                       WITHY_NAME);
        WY_TRY(wy_text_open(&w->part[which], &w->arena, own, err));
        head_parts(w, which);
    }
    return meta->parts && meta->parts->touch_room > 0 ? open_touches(w, path, err) : WITHY_OK;
}

static void drop(writer *w) {
    wy_text_drop(&w->station);
    wy_text_drop(&w->ledger);
    wy_text_drop(&w->probe);
    for (int i = 0; i < PARTS; i++) wy_text_drop(&w->part[i]);
    wy_text_drop(&w->touch);
    wy_arena_free(&w->arena);
    wy_give(w);
}

/* Where there are no old tables, with which the new ones would be mixed. */
static void set_keeps(writer *w, bool keeps) {
    wy_text *const text[] = {&w->station, &w->ledger,  &w->probe, &w->part[0],
                             &w->part[1], &w->part[2], &w->touch};
    enum { TEXTS = sizeof text / sizeof *text };
    for (int i = 0; i < TEXTS; i++)
        if (wy_text_is_open(text[i])) keeps &= text[i]->file.fresh;
    for (int i = 0; i < TEXTS; i++) text[i]->keeps = keeps;
}

static withy_status open_file(const char *path, const wy_sink_meta *meta,
                              const withy_snapshot *const *first, void **state, withy_error *err) {
    writer *w = wy_take(1, sizeof *w);
    if (!w) return wy_fail(err, WITHY_NO_MEMORY, "%s: memory ran out", path);
    w->request = meta->request;
    w->axis = wy_arena_text(&w->arena, meta->axis && meta->axis[0] ? meta->axis : "t [s]");
    for (int i = 0; i < meta->rod_count; i++) w->have |= first[i]->have;
    withy_status status = open_texts(w, path, err);
    if (status == WITHY_OK) status = open_parts(w, path, meta, err);
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
    int count;
    const withy_quantity *quantity = withy_quantity_list(&count);
    wy_text_number(&w->station, snap->t);
    wy_text_put(&w->station, ",%d,%d,", rod + 1, station);
    wy_text_number(&w->station, snap->s[station]);
    for (int i = 0; i < count; i++)
        if (w->have & quantity[i].have)
            put_cells(&w->station, withy_quantity_at(&quantity[i], snap, station),
                      quantity[i].size);
    wy_text_put(&w->station, "\n");
}

static void put_ledger(writer *w, int rod, const withy_snapshot *snap) {
    int count;
    const wy_ledger *entry = wy_ledger_list(&count);
    wy_text_number(&w->ledger, snap->t);
    wy_text_put(&w->ledger, ",%lld,%d", (long long)snap->step, rod + 1);
    for (int i = 0; i < count; i++) {
        double value[WY_LEDGER_SIZE];
        if (!wy_ledger_in(&entry[i], w->have)) continue;
        wy_ledger_get(&entry[i], snap, value);
        put_cells(&w->ledger, wy_ledger_in(&entry[i], snap->have) ? value : NULL, entry[i].size);
    }
    wy_text_put(&w->ledger, "\n");
}

static withy_status write_rod(void *state, int rod, const withy_snapshot *snap, withy_error *err) {
    writer *w = state;
    w->begun = true;
    for (int i = 0; i < snap->count; i++) put_station(w, rod, snap, i);
    put_ledger(w, rod, snap);
    WY_TRY(wy_text_check(&w->station, err));
    return wy_text_check(&w->ledger, err);
}

static void put_touch(writer *w, const withy_touch *touch) {
    const double number[] = {touch->s, touch->s2, touch->gap, touch->push, touch->friction};
    const int rod = touch->of == WITHY_OF_ROD;
    wy_text_number(&w->touch, touch->t);
    wy_text_put(&w->touch, ",%d,", touch->rod + 1);
    if (rod) wy_text_put(&w->touch, "%d", touch->index + 1);
    wy_text_put(&w->touch, ",");
    if (touch->of == WITHY_OF_BODY && w->name[BODIES])
        wy_text_cell(&w->touch, w->name[BODIES][touch->index]);
    if (touch->of == WITHY_OF_OBSTACLE && w->name[OBSTACLES])
        wy_text_cell(&w->touch, w->name[OBSTACLES][touch->index]);
    put_cells(&w->touch, number, 5);
    put_cells(&w->touch, &touch->force.x, 3);
    put_cells(&w->touch, &touch->position.x, 3);
    wy_text_put(&w->touch, "\n");
}

static withy_status write_parts(void *state, const withy_parts *parts, withy_error *err) {
    writer *w = state;
    int count;
    const withy_part_quantity *q = withy_part_quantity_list(&count);
    w->begun = true;
    for (int which = BODIES; which <= OBSTACLES; which++) {
        wy_text *text = &w->part[which];
        const int many = count_of(parts, which);
        for (int i = 0; i < many; i++) {
            wy_text_number(text, parts->t);
            wy_text_put(text, ",");
            wy_text_cell(text, w->name[which][i]);
            for (int k = 0; k < count; k++)
                if (of_part(&q[k], which))
                    put_cells(text, withy_part_quantity_at(&q[k], parts, i), q[k].size);
            wy_text_put(text, "\n");
        }
        if (many) WY_TRY(wy_text_check(text, err));
    }
    if (!wy_text_is_open(&w->touch)) return WITHY_OK;
    for (int i = 0; i < parts->touch_count; i++) put_touch(w, &parts->touch[i]);
    return wy_text_check(&w->touch, err);
}

static withy_status write_probe(void *state, int index, double t, const double *value,
                                withy_error *err) {
    writer *w = state;
    const withy_probe *probe = &w->request.probe[index];
    const int size = wy_probe_quantity(probe).size;
    wy_text_number(&w->probe, t);
    wy_text_put(&w->probe, ",");
    wy_text_cell(&w->probe, probe->name);
    wy_text_put(&w->probe, ",");
    wy_text_cell(&w->probe, probe->what);
    if (probe->of == WITHY_OF_ROD) {
        wy_text_put(&w->probe, ",%d,", probe->rod + 1);
        wy_text_number(&w->probe, probe->at);
    } else {
        wy_text_put(&w->probe, ",,"); /* no rod and no s */
    }
    put_cells(&w->probe, value, size);
    put_cells(&w->probe, NULL, w->probe_size - size);
    wy_text_put(&w->probe, "\n");
    return wy_text_check(&w->probe, err);
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

static bool has_failed(wy_text *const *text, int count) {
    for (int i = 0; i < count; i++)
        if (text[i]->error) return true;
    return false;
}

/* All to the disk before the first gets its name: old and new tables are never mixed.  A run that has
 * failed before its first snapshot has none, and the old ones stay. */
static withy_status close_file(void *state, const char *status, withy_error *err) {
    writer *w = state;
    wy_text *const text[] = {&w->station, &w->ledger,  &w->probe, &w->part[0],
                             &w->part[1], &w->part[2], &w->touch};
    enum { TEXTS = sizeof text / sizeof *text };
    withy_status done = WITHY_OK;
    if (!w->begun && strcmp(status, "complete") != 0) return drop(w), WITHY_OK;
    const bool told = has_failed(text, TEXTS);
    for (int i = 0; i < TEXTS; i++) done = finish(text[i], status, done, err);
    if (has_failed(text, TEXTS)) {
        for (int i = 0; i < TEXTS; i++) wy_text_rescue(text[i]);
        return drop(w), told ? WITHY_OK : done;
    }
    for (int i = 0; i < TEXTS && done == WITHY_OK; i++) done = wy_text_settle(text[i], err);
    for (int i = 0; i < TEXTS && done == WITHY_OK; i++) done = wy_text_place(text[i], err);
    drop(w);
    return done;
}

const wy_sink wy_sink_csv = {
    .name = "csv",
    .ending = ".csv",
    .summary = "tidy tables for pandas, R and spreadsheets: stations, ledger, probes",
    WY_SINK_COMMON,
    .parts = write_parts,
    .probe = write_probe,
};
