/* parts.c - bodies, joints, obstacles and contacts in a result file: one table for all of each.
 *
 * A table for each part would be many data sets with few numbers: a net has hundreds of joints.
 */
#include "observe/observe.h"
#include "sink/hdf5/hdf5.h"

enum { LINKS = 16, TOUCH_ROWS = 4096 };

/* ---- what does not grow ------------------------------------------------------------------------ */

static const char *word_of(const wy_sink_meta *meta, int of, int i) {
    if (of == WITHY_OF_OBSTACLE) return wy_h5_obstacle[meta->obstacle[i].kind];
    return of == WITHY_OF_BODY ? wy_h5_shape[meta->body[i].shape]
                               : wy_joint_kind_name(meta->joint[i].kind);
}

/* Names and kinds, a line for each. */
static int put_texts(const wy_h5_place *place, hid_t group, const wy_sink_meta *meta, int of) {
    const int count = wy_part_count(meta->parts, of);
    const size_t room = (size_t)count * (WITHY_NAME + 1) + 1;
    char *name = wy_arena_alloc(place->arena, room, 1),
         *word = wy_arena_alloc(place->arena, room, 1);
    char own[WITHY_NAME], *n = name, *w = word;
    if (!name || !word) return -1;
    for (int i = 0; i < count; i++) {
        wy_name_or(wy_part_name(meta, of, i), wy_part_noun[of], i, own, sizeof own);
        for (char *c = own; *c; c++)
            if (*c == '\n') *c = ' ';
        n += sprintf(n, "%s\n", own), w += sprintf(w, "%s\n", word_of(meta, of, i));
    }
    if (wy_h5_make_text(group, "name", name) < 0) return -1;
    return wy_h5_make_text(group, of == WITHY_OF_BODY ? "shape" : "kind", word);
}

static int put_masses(const wy_h5_place *place, hid_t group, const wy_sink_meta *meta) {
    const int count = meta->parts->body_count;
    const wy_column_info info[] = {
        {"mass", "kg", "of each body", count, 1, 0},
        {"inertia", "kg m^2", "about the axes of each body", count, 3, 0},
        {"size", "m", "of the shape of each body", count, 3, 0}};
    double *value = wy_arena_alloc(place->arena, 7 * (size_t)count, sizeof *value);
    if (!value) return -1;
    double *inertia = value + count, *size = inertia + 3 * (size_t)count;
    for (int i = 0; i < count; i++) {
        const withy_body *body = &meta->body[i];
        value[i] = body->mass;
        memcpy(inertia + 3 * (size_t)i, &body->inertia, sizeof body->inertia);
        memcpy(size + 3 * (size_t)i, body->size, sizeof body->size);
    }
    if (wy_h5_make_list(group, &info[0], value) < 0) return -1;
    if (wy_h5_make_list(group, &info[1], inertia) < 0) return -1;
    return wy_h5_make_list(group, &info[2], size);
}

/* Rod i: i, body i: -i, the ground: 0. */
static int put_links(const wy_h5_place *place, hid_t group, const wy_sink_meta *meta) {
    const int count = meta->parts->joint_count;
    const wy_column_info info = {"parts", "-", "rod i, -(body i) or 0 for the ground", count, 2, 0};
    double *value = wy_arena_alloc(place->arena, 2 * (size_t)count, sizeof *value);
    if (!value) return -1;
    for (int i = 0; i < 2 * count; i++) {
        const withy_place *at = &meta->joint[i / 2].place[i % 2];
        value[i] = at->part == WITHY_PART_ROD    ? at->index + 1
                   : at->part == WITHY_PART_BODY ? -1 - at->index
                                                 : 0;
    }
    return wy_h5_make_list(group, &info, value);
}

/* radius, length, size (3), axis (3), inside: as far as the kind has them. */
static int put_sizes(const wy_h5_place *place, hid_t group, const wy_sink_meta *meta) {
    const int count = meta->parts->obstacle_count;
    enum { EACH = 13 };
    const wy_column_info info = {
        "size", "m, -", "radius, length, size x y z, direction x y z, frame w x y z, inside",
        count,  EACH,   0};
    double *value = wy_arena_alloc(place->arena, EACH * (size_t)count, sizeof *value);
    if (!value) return -1;
    for (int i = 0; i < count; i++) {
        const withy_obstacle *at = &meta->obstacle[i];
        const double row[EACH] = {at->radius,  at->length,  at->size.x,  at->size.y,  at->size.z,
                                  at->along.x, at->along.y, at->along.z, at->frame.w, at->frame.x,
                                  at->frame.y, at->frame.z, at->inside};
        memcpy(value + EACH * (size_t)i, row, sizeof row);
    }
    if (wy_h5_make_list(group, &info, value) < 0) return -1;
    return wy_h5_surfaces(place, group, meta);
}

/* ---- contacts ---------------------------------------------------------------------------------- */

static int add_column(wy_table *table, const wy_h5_place *place, hid_t group,
                      const withy_quantity *q, int stations) {
    const wy_column_info info = {q->name, q->unit, q->doc, stations, q->size, q->whole};
    return wy_table_add(table, place->arena, group, &info);
}

/* A row for each contact of each snapshot.  parts before t: the row counts when its time is there. */
static int add_touches(wy_table *table, const wy_h5_place *place) {
    static const wy_column_info with = {
        "parts", "-", "rod i, and rod i, -(obstacle i) or -(2^20 + body i), from 1", 1, 2, 0};
    int count;
    const withy_quantity *q = withy_quantity_list(WITHY_OF_CONTACT, &count);
    const hid_t group = wy_h5_group(place->file, "contacts", LINKS);
    int done = group < 0 ? -1 : wy_table_open(table, place->arena, count + 1, TOUCH_ROWS);
    if (done >= 0) done = wy_table_check(table, place->arena, group);
    if (done >= 0) done = wy_table_add(table, place->arena, group, &with);
    for (int i = 0; i < count && done >= 0; i++) done = add_column(table, place, group, &q[i], 1);
    if (done >= 0) done = wy_table_ready(table, place->arena);
    if (group >= 0) H5Gclose(group);
    return done;
}

void wy_h5_stage_contact(wy_table *table, const withy_contact_state *contacts) {
    double *parts = wy_table_row(table, 0);
    int count;
    const withy_quantity *q = withy_quantity_list(WITHY_OF_CONTACT, &count);
    parts[0] = contacts->rod + 1;
    parts[1] = contacts->of == WITHY_OF_ROD ? contacts->index + 1 : -1 - contacts->index;
    if (contacts->of == WITHY_OF_BODY) parts[1] -= WY_CONTACTS_BODY;
    for (int i = 0; i < count; i++) wy_quantity_get(&q[i], contacts, wy_table_row(table, i + 1));
}

/* ---- what grows -------------------------------------------------------------------------------- */

static int add_columns(wy_table *table, const wy_h5_place *place, hid_t group, int of, int count) {
    const withy_quantity *q;
    int columns = 0;
    while (wy_part_column(of, columns)) columns++;
    if (wy_table_open(table, place->arena, columns, place->expect) < 0) return -1;
    if (wy_table_check(table, place->arena, group) < 0) return -1;
    for (int i = 0; (q = wy_part_column(of, i)) != NULL; i++)
        if (add_column(table, place, group, q, (int)q->of == of ? count : 1) < 0) return -1;
    return wy_table_ready(table, place->arena);
}

int wy_h5_parts(wy_h5_tables *tables, const wy_h5_place *place, const wy_sink_meta *meta) {
    static int (*const put[])(const wy_h5_place *, hid_t,
                              const wy_sink_meta *) = {put_masses, put_links, put_sizes};
    for (int i = 0; meta->parts && i < WY_H5_PARTS; i++) {
        const int of = WITHY_OF_BODY + i, count = wy_part_count(meta->parts, of);
        if (count == 0) continue;
        const hid_t group = wy_h5_group(place->file, wy_h5_parts_name[i], LINKS);
        int done = group < 0 ? -1 : put_texts(place, group, meta, of);
        if (done >= 0) done = put[i](place, group, meta);
        if (done >= 0) done = add_columns(&tables->part[i], place, group, of, count);
        if (group >= 0) H5Gclose(group);
        if (done < 0) return -1;
    }
    return meta->parts && meta->parts->contact_room > 0 ? add_touches(tables->contacts, place) : 0;
}

void wy_h5_stage_parts(wy_h5_tables *tables, const withy_parts *parts) {
    const withy_quantity *q;
    for (int i = 0; i < WY_H5_PARTS; i++) {
        wy_table *table = &tables->part[i];
        const int of = WITHY_OF_BODY + i, count = wy_part_count(parts, of);
        for (int c = 0; table->count && (q = wy_part_column(of, c)) != NULL; c++) {
            double *row = wy_table_row(table, c);
            for (int k = 0; k < ((int)q->of == of ? count : 1); k++, row += q->size)
                memcpy(row, withy_quantity_of_part(q, parts, k), (size_t)q->size * sizeof *row);
        }
    }
}
