/* parts.c - bodies, joints, obstacles and contacts in a result file: one table for all of each.
 *
 * A table for each part would be many data sets with few numbers: a net has hundreds of joints.
 */
#include <stdio.h>
#include <string.h>

#include "model/model.h"
#include "sink/hdf5/head.h"
#include "sink/hdf5/layout.h"

enum { MORE = 2, LINKS = 16 };

static const char *const group_name[] = {"bodies", "joints", "obstacles"};

/* Energies of all of them: columns after the quantities. */
static const struct {
    int which;
    wy_column_info info;
    size_t offset;
} sum[] = {
    {WY_BODIES, {"kinetic", "J", "of all bodies", 1, 1, 0}, offsetof(withy_parts, kinetic)},
    {WY_BODIES, {"gravity", "J", "of all bodies", 1, 1, 0}, offsetof(withy_parts, gravity)},
    {WY_JOINTS, {"springs", "J", "of all joints", 1, 1, 0}, offsetof(withy_parts, springs)},
};
enum { SUMS = sizeof sum / sizeof *sum };

/* ---- what does not grow ------------------------------------------------------------------------ */

static const char *const shape_name[] = {"ellipsoid", "sphere", "box", "cylinder", "capsule"};

static const char *const obstacle_word[] = {"plane",   "sphere", "cylinder", "box",
                                            "capsule", "mesh",   "distance"};

static const char *word_of(const wy_sink_meta *meta, int which, int i) {
    if (which == WY_OBSTACLES) return obstacle_word[meta->obstacle[i].kind];
    return which == WY_BODIES ? shape_name[meta->body[i].shape]
                              : wy_joint_kind_name(meta->joint[i].kind);
}

/* Names and kinds, a line for each. */
static int put_texts(const wy_h5_place *place, hid_t group, const wy_sink_meta *meta, int which) {
    const int count = wy_part_count(meta->parts, which);
    const size_t room = (size_t)count * (WITHY_NAME + 1) + 1;
    char *name = wy_arena_take(place->arena, room, 1), *word = wy_arena_take(place->arena, room, 1);
    char own[WITHY_NAME], *n = name, *w = word;
    if (!name || !word) return -1;
    for (int i = 0; i < count; i++) {
        static const char *const noun[] = {"body", "joint", "obstacle"};
        wy_name_or(which == WY_BODIES   ? meta->body[i].name
                   : which == WY_JOINTS ? meta->joint[i].name
                                        : meta->obstacle[i].name,
                   noun[which], i, own, sizeof own);
        for (char *c = own; *c; c++)
            if (*c == '\n') *c = ' ';
        n += sprintf(n, "%s\n", own), w += sprintf(w, "%s\n", word_of(meta, which, i));
    }
    if (wy_h5_make_text(group, "name", name) < 0) return -1;
    return wy_h5_make_text(group, which == WY_BODIES ? "shape" : "kind", word);
}

static int put_masses(const wy_h5_place *place, hid_t group, const wy_sink_meta *meta) {
    const int count = meta->parts->body_count;
    const wy_column_info info[] = {
        {"mass", "kg", "of each body", count, 1, 0},
        {"inertia", "kg m^2", "about the axes of each body", count, 3, 0},
        {"size", "m", "of the shape of each body", count, 3, 0}};
    double *value = wy_arena_take(place->arena, 7 * (size_t)count, sizeof *value);
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
    double *value = wy_arena_take(place->arena, 2 * (size_t)count, sizeof *value);
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
    double *value = wy_arena_take(place->arena, EACH * (size_t)count, sizeof *value);
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

/* A row for each contact of each snapshot. */
static const struct {
    wy_column_info info;
    size_t offset;
} touch_column[] = {
    {{"s", "m", "where on the rod", 1, 1, 0}, offsetof(withy_touch, s)},
    {{"s2", "m", "where on the other rod", 1, 1, 0}, offsetof(withy_touch, s2)},
    {{"gap", "m", "of the surfaces, negative where they overlap", 1, 1, 0},
     offsetof(withy_touch, gap)},
    {{"push", "N", "normal force", 1, 1, 0}, offsetof(withy_touch, push)},
    {{"friction", "N", "size of the tangential force", 1, 1, 0}, offsetof(withy_touch, friction)},
    {{"force", "N", "on the rod, laboratory", 1, 3, 0}, offsetof(withy_touch, force)},
    {{"position", "m", "of the axis of the rod there", 1, 3, 0}, offsetof(withy_touch, position)},
    {{"t", "s", "time of the snapshot", 1, 1, 0}, offsetof(withy_touch, t)},
};
enum { TOUCHES = sizeof touch_column / sizeof *touch_column, TOUCH_ROWS = 4096 };

/* parts before t: the row counts when its time is there. */
static int add_touches(wy_table *table, const wy_h5_place *place) {
    static const wy_column_info with = {
        "parts", "-", "rod i, and rod i, -(obstacle i) or -(2^20 + body i), from 1", 1, 2, 0};
    const hid_t group = wy_h5_group(place->file, "contacts", LINKS);
    int done = group < 0 ? -1 : wy_table_open(table, place->arena, TOUCHES + 1, TOUCH_ROWS);
    if (done >= 0) done = wy_table_check(table, place->arena, group);
    if (done >= 0) done = wy_table_add(table, place->arena, group, &with);
    for (int i = 0; i < TOUCHES && done >= 0; i++)
        done = wy_table_add(table, place->arena, group, &touch_column[i].info);
    if (done >= 0) done = wy_table_ready(table, place->arena);
    if (group >= 0) H5Gclose(group);
    return done;
}

void wy_h5_stage_touch(wy_table *table, const withy_touch *touch) {
    double *parts = wy_table_row(table, 0);
    parts[0] = touch->rod + 1;
    parts[1] = touch->of == WITHY_OF_ROD ? touch->index + 1 : -1 - touch->index;
    if (touch->of == WITHY_OF_BODY) parts[1] -= WY_TOUCH_BODY;
    for (int i = 0; i < TOUCHES; i++)
        memcpy(wy_table_row(table, i + 1), (const char *)touch + touch_column[i].offset,
               (size_t)touch_column[i].info.size * sizeof(double));
}

/* ---- what grows -------------------------------------------------------------------------------- */

static int add_columns(wy_table *table, const wy_h5_place *place, hid_t group, int which,
                       int count) {
    int quantities;
    const withy_part_quantity *q = withy_part_quantity_list(&quantities);
    if (wy_table_open(table, place->arena, quantities + MORE, place->expect) < 0) return -1;
    if (wy_table_check(table, place->arena, group) < 0) return -1;
    for (int i = 0; i < quantities; i++) {
        const wy_column_info info = {q[i].name, q[i].unit, q[i].doc, count, q[i].size, 0};
        if (wy_part_has(which, &q[i]) && wy_table_add(table, place->arena, group, &info) < 0)
            return -1;
    }
    for (int i = 0; i < SUMS; i++)
        if (sum[i].which == which && wy_table_add(table, place->arena, group, &sum[i].info) < 0)
            return -1;
    return wy_table_ready(table, place->arena);
}

int wy_h5_parts(wy_h5_tables *tables, const wy_h5_place *place, const wy_sink_meta *meta) {
    for (int which = WY_BODIES; meta->parts && which <= WY_OBSTACLES; which++) {
        const int count = wy_part_count(meta->parts, which);
        if (count == 0) continue;
        const hid_t group = wy_h5_group(place->file, group_name[which], LINKS);
        int done = group < 0 ? -1 : put_texts(place, group, meta, which);
        static int (*const put[])(const wy_h5_place *, hid_t,
                                  const wy_sink_meta *) = {put_masses, put_links, put_sizes};
        if (done >= 0) done = put[which](place, group, meta);
        if (done >= 0) done = add_columns(&tables->part[which], place, group, which, count);
        if (group >= 0) H5Gclose(group);
        if (done < 0) return -1;
    }
    return meta->parts && meta->parts->touch_room > 0 ? add_touches(tables->touch, place) : 0;
}

void wy_h5_stage_parts(wy_h5_tables *tables, const withy_parts *parts) {
    int quantities;
    const withy_part_quantity *q = withy_part_quantity_list(&quantities);
    for (int which = WY_BODIES; which <= WY_OBSTACLES; which++) {
        wy_table *table = &tables->part[which];
        int column = 0;
        if (!table->count) continue;
        for (int i = 0; i < quantities; i++) {
            if (!wy_part_has(which, &q[i])) continue;
            double *row = wy_table_row(table, column++);
            for (int k = 0; k < wy_part_count(parts, which); k++, row += q[i].size)
                memcpy(row, withy_part_quantity_at(&q[i], parts, k),
                       (size_t)q[i].size * sizeof *row);
        }
        for (int i = 0; i < SUMS; i++)
            if (sum[i].which == which)
                memcpy(wy_table_row(table, column++), (const char *)parts + sum[i].offset,
                       sizeof(double));
    }
}
