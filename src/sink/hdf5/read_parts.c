/* read_parts.c - see read_parts.h. */
#include "sink/hdf5/read_parts.h"

#include <stdio.h>
#include <string.h>

#include "model/model.h"
#include "sink/hdf5/check.h"

enum { BODIES, JOINTS, PARTS_MOST = 10 * 1000 * 1000 };

static const int of_group[] = {WITHY_OF_BODY, WITHY_OF_JOINT};
static const struct {
    int which;
    const char *name;
    size_t offset;
} sum[] = {{BODIES, "kinetic", offsetof(withy_parts, kinetic)},
           {BODIES, "gravity", offsetof(withy_parts, gravity)},
           {JOINTS, "springs", offsetof(withy_parts, springs)}};
enum { SUMS = sizeof sum / sizeof *sum };

/* ---- texts, a line for each part ----------------------------------------------------------------- */

static uint64_t lines_in(const char *text) {
    uint64_t count = 0;
    for (; text && *text; text++) count += *text == '\n';
    return count;
}

/* The next line of a text, ended in place; "" past the last. */
static char *next_line(char **text) {
    char *line = *text, *end = strchr(line, '\n');
    if (!end) return line + strlen(line);
    *end = '\0', *text = end + 1;
    return line;
}

static int word_index(const char *const *word, int count, const char *text) {
    for (int i = 0; i < count; i++)
        if (strcmp(word[i], text) == 0) return i;
    return 0;
}

static bool describe_bodies(wy_part_reader *r, wy_object *group, wy_arena *arena) {
    static const char *const shape[] = {"ellipsoid", "sphere", "box", "cylinder", "capsule"};
    char *name = wy_rows_text(group, "name", arena), *word = wy_rows_text(group, "shape", arena);
    const uint64_t count = lines_in(name);
    uint64_t masses, inertias, sizes;
    const double *mass = wy_rows_list(group, "mass", PARTS_MOST, &masses, arena);
    const double *inertia = wy_rows_list(group, "inertia", 3 * PARTS_MOST, &inertias, arena);
    const double *size = wy_rows_list(group, "size", 3 * PARTS_MOST, &sizes, arena);
    if (!name || !word || !mass || !inertia || !size) return false;
    if (count == 0 || masses != count || inertias != 3 * count || sizes != 3 * count)
        return wy_store_fail(r->store, "names, masses and sizes are not equally many");
    r->body = wy_store_take(r->store, arena, count, sizeof *r->body);
    r->now.body = wy_store_take(r->store, arena, count, sizeof *r->now.body);
    if (!r->body || !r->now.body) return false;
    r->now.body_count = (int)count;
    for (uint64_t i = 0; i < count; i++) {
        withy_body *body = &r->body[i];
        body->name = next_line(&name), body->mass = mass[i];
        body->shape = (withy_body_shape)word_index(shape, 5, next_line(&word));
        memcpy(&body->inertia, inertia + 3 * i, sizeof body->inertia);
        memcpy(body->size, size + 3 * i, sizeof body->size);
    }
    return true;
}

static withy_place place_of(double part) {
    const int index = fabs(part) <= PARTS_MOST ? (int)part : 0;
    return (withy_place){.part = index > 0   ? WITHY_PART_ROD
                                 : index < 0 ? WITHY_PART_BODY
                                             : WITHY_PART_GROUND,
                         .index = index > 0   ? index - 1
                                  : index < 0 ? -1 - index
                                              : 0};
}

static bool describe_joints(wy_part_reader *r, wy_object *group, wy_arena *arena) {
    char *name = wy_rows_text(group, "name", arena), *word = wy_rows_text(group, "kind", arena);
    const uint64_t count = lines_in(name);
    uint64_t links;
    const double *part = wy_rows_list(group, "parts", 2 * PARTS_MOST, &links, arena);
    if (!name || !word || !part) return false;
    if (links != 2 * count) return wy_store_fail(r->store, "names and parts are not equally many");
    if (count == 0 || count > PARTS_MOST) return wy_store_fail(r->store, "it names no joints");
    r->joint = wy_store_take(r->store, arena, count, sizeof *r->joint);
    r->now.joint = wy_store_take(r->store, arena, count, sizeof *r->now.joint);
    if (!r->joint || !r->now.joint) return false;
    r->now.joint_count = (int)count;
    for (uint64_t i = 0; i < count; i++) {
        const char *kind = (r->joint[i].name = next_line(&name), next_line(&word));
        for (int k = WITHY_JOINT_BALL; k <= WITHY_JOINT_LINK; k++)
            if (strcmp(wy_joint_kind_name((withy_joint_kind)k), kind) == 0)
                r->joint[i].kind = (withy_joint_kind)k;
        for (int side = 0; side < 2; side++)
            r->joint[i].place[side] = place_of(part[2 * i + (uint64_t)side]);
    }
    return true;
}

/* ---- rows ---------------------------------------------------------------------------------------- */

static bool has(wy_object *group, const char *name) {
    return wy_object_at(group, name) != WY_STORE_NOWHERE;
}

static bool open_columns(wy_part_reader *r, wy_object *group, int which, uint64_t rows,
                         wy_arena *arena) {
    int count, column = 0;
    const withy_part_quantity *q = withy_part_quantity_list(&count);
    wy_part_table *table = &r->table[which];
    const uint64_t many = (uint64_t)(which == BODIES ? r->now.body_count : r->now.joint_count);
    table->row = wy_store_take(r->store, arena, 4 * many, sizeof *table->row);
    if (!table->row) return false;
    for (int i = 0; i < count; i++) {
        if (q[i].of != of_group[which]) continue;
        wy_rows *own = &table->column[column++];
        if (!wy_rows_open(own, group, q[i].name, many * (uint64_t)q[i].size, rows, arena))
            return false;
    }
    for (int i = 0; i < SUMS; i++)
        if (sum[i].which == which &&
            !wy_rows_open(&table->column[column++], group, sum[i].name, 1, rows, arena))
            return false;
    return !has(group, WY_CHECK) || wy_rows_open(&table->check, group, WY_CHECK, 1, rows, arena);
}

const char *wy_parts_open(wy_part_reader *r, wy_object *root, uint64_t rows, wy_arena *arena) {
    static const char *const name[] = {"bodies", "joints"};
    r->store = root->store;
    for (int which = BODIES; which <= JOINTS; which++) {
        wy_object group;
        if (!has(root, name[which])) continue;
        const bool good = wy_object_open(&group, r->store, wy_object_at(root, name[which])) &&
                          wy_object_links(&group) &&
                          (which == BODIES ? describe_bodies(r, &group, arena)
                                           : describe_joints(r, &group, arena)) &&
                          open_columns(r, &group, which, rows, arena);
        wy_object_close(&group);
        if (!good) return name[which];
    }
    return NULL;
}

/* One column of a row, added to its checksum. */
static bool get(wy_part_reader *r, int which, int column, uint64_t k, uint64_t *total) {
    const wy_part_table *table = &r->table[which];
    const wy_rows *rows = &table->column[column];
    if (!wy_rows_get(r->store, rows, k, 1, table->row)) return false;
    *total += wy_check_row(rows->seed, table->row, (size_t)rows->size);
    return true;
}

static bool read_table(wy_part_reader *r, int which, uint64_t k) {
    int count, column = 0;
    uint64_t total = 0;
    double want;
    const withy_part_quantity *q = withy_part_quantity_list(&count);
    const wy_part_table *table = &r->table[which];
    const int many = which == BODIES ? r->now.body_count : r->now.joint_count;
    for (int i = 0; i < count; i++) {
        if (q[i].of != of_group[which]) continue;
        if (!get(r, which, column++, k, &total)) return false;
        for (int p = 0; p < many; p++) {
            char *part = which == BODIES ? (char *)&r->now.body[p] : (char *)&r->now.joint[p];
            memcpy(part + q[i].offset, table->row + (size_t)p * (size_t)q[i].size,
                   (size_t)q[i].size * sizeof *table->row);
        }
    }
    for (int i = 0; i < SUMS; i++) {
        if (sum[i].which != which) continue;
        if (!get(r, which, column++, k, &total)) return false;
        memcpy((char *)&r->now + sum[i].offset, table->row, sizeof *table->row);
    }
    if (!table->check.there) return true;
    if (!wy_rows_get(r->store, &table->check, k, 1, &want)) return false;
    return want == wy_check_number(total) ||
           wy_store_fail(r->store, "row %llu has a wrong checksum: the file is damaged",
                         (unsigned long long)(k + 1));
}

bool wy_parts_read(wy_part_reader *r, uint64_t k) {
    return (r->now.body_count == 0 || read_table(r, BODIES, k)) &&
           (r->now.joint_count == 0 || read_table(r, JOINTS, k));
}
