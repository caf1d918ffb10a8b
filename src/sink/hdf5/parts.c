/* parts.c - bodies and joints in a result file: one table for all bodies, one for all joints.
 *
 * A table for each part would be many data sets with few numbers: a net has hundreds of joints.
 */
#ifdef WITHY_HAVE_LIB_HDF5

#include <stdio.h>
#include <string.h>

#include "model/model.h"
#include "sink/hdf5/head.h"

enum { BODIES, JOINTS, MORE = 2, LINKS = 16 };

static const char *const group_name[] = {"bodies", "joints"};
static const int of_group[] = {WITHY_OF_BODY, WITHY_OF_JOINT};

static int count_of(const withy_parts *parts, int which) {
    return which == BODIES ? parts->body_count : parts->joint_count;
}

/* Energies of all of them: columns after the quantities. */
static const struct {
    int which;
    wy_column_info info;
    size_t offset;
} sum[] = {
    {BODIES, {"kinetic", "J", "of all bodies", 1, 1, 0}, offsetof(withy_parts, kinetic)},
    {BODIES, {"gravity", "J", "of all bodies", 1, 1, 0}, offsetof(withy_parts, gravity)},
    {JOINTS, {"springs", "J", "of all joints", 1, 1, 0}, offsetof(withy_parts, springs)},
};
enum { SUMS = sizeof sum / sizeof *sum };

/* ---- what does not grow ------------------------------------------------------------------------ */

static const char *const shape_name[] = {"ellipsoid", "sphere", "box", "cylinder", "capsule"};

static const char *word_of(const wy_sink_meta *meta, int which, int i) {
    return which == BODIES ? shape_name[meta->body[i].shape]
                           : wy_joint_kind_name(meta->joint[i].kind);
}

/* Names and kinds, a line for each. */
static int put_texts(const wy_h5_place *place, hid_t group, const wy_sink_meta *meta, int which) {
    const int count = count_of(meta->parts, which);
    const size_t room = (size_t)count * (WITHY_NAME + 1) + 1;
    char *name = wy_arena_take(place->arena, room, 1), *word = wy_arena_take(place->arena, room, 1);
    char own[WITHY_NAME], *n = name, *w = word;
    if (!name || !word) return -1;
    for (int i = 0; i < count; i++) {
        wy_name_or(which == BODIES ? meta->body[i].name : meta->joint[i].name,
                   which == BODIES ? "body" : "joint", i, own, sizeof own);
        for (char *c = own; *c; c++)
            if (*c == '\n') *c = ' ';
        n += sprintf(n, "%s\n", own), w += sprintf(w, "%s\n", word_of(meta, which, i));
    }
    if (wy_h5_make_text(group, "name", name) < 0) return -1;
    return wy_h5_make_text(group, which == BODIES ? "shape" : "kind", word);
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

/* ---- what grows -------------------------------------------------------------------------------- */

static int add_columns(wy_table *table, const wy_h5_place *place, hid_t group, int which,
                       int count) {
    int quantities;
    const withy_part_quantity *q = withy_part_quantity_list(&quantities);
    if (wy_table_open(table, place->arena, quantities + MORE, place->expect) < 0) return -1;
    if (wy_table_check(table, place->arena, group) < 0) return -1;
    for (int i = 0; i < quantities; i++) {
        const wy_column_info info = {q[i].name, q[i].unit, q[i].doc, count, q[i].size, 0};
        if (q[i].of == of_group[which] && wy_table_add(table, place->arena, group, &info) < 0)
            return -1;
    }
    for (int i = 0; i < SUMS; i++)
        if (sum[i].which == which && wy_table_add(table, place->arena, group, &sum[i].info) < 0)
            return -1;
    return wy_table_ready(table, place->arena);
}

int wy_h5_parts(wy_h5_tables *tables, const wy_h5_place *place, const wy_sink_meta *meta) {
    for (int which = BODIES; meta->parts && which <= JOINTS; which++) {
        const int count = count_of(meta->parts, which);
        if (count == 0) continue;
        const hid_t group = wy_h5_group(place->file, group_name[which], LINKS);
        int done = group < 0 ? -1 : put_texts(place, group, meta, which);
        if (done >= 0) done = (which == BODIES ? put_masses : put_links)(place, group, meta);
        if (done >= 0) done = add_columns(&tables->part[which], place, group, which, count);
        if (group >= 0) H5Gclose(group);
        if (done < 0) return -1;
    }
    return 0;
}

void wy_h5_stage_parts(wy_h5_tables *tables, const withy_parts *parts) {
    int quantities;
    const withy_part_quantity *q = withy_part_quantity_list(&quantities);
    for (int which = BODIES; which <= JOINTS; which++) {
        wy_table *table = &tables->part[which];
        int column = 0;
        if (!table->count) continue;
        for (int i = 0; i < quantities; i++) {
            if (q[i].of != of_group[which]) continue;
            double *row = wy_table_row(table, column++);
            for (int k = 0; k < count_of(parts, which); k++, row += q[i].size)
                memcpy(row, withy_part_quantity_at(&q[i], parts, k),
                       (size_t)q[i].size * sizeof *row);
        }
        for (int i = 0; i < SUMS; i++)
            if (sum[i].which == which)
                memcpy(wy_table_row(table, column++), (const char *)parts + sum[i].offset,
                       sizeof(double));
    }
}

#else
typedef int wy_no_hdf5_parts; /* an empty file is not C */
#endif
