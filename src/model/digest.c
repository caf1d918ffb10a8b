/* digest.c - a number that two descriptions of one problem share: by it a saved state is known.
 *
 * One table per structure, with a row for each of its members in their order: what is added to the number, or that it does
 * not belong to the problem (names, what is recorded, until when).  A member without a row is found by
 * wy_digest_hole, and so by a test.
 */
#include <stddef.h>
#include <string.h>

#include "model/model.h"

typedef enum kind {
    NUMBERS, /* doubles, or structures of doubles                                        */
    WHOLES,  /* int                                                                      */
    FIELDS,  /* withy_field                                                              */
    WITHIN,  /* structures of the table `of`                                             */
    GIVEN,   /* the same, of which nothing but the first member counts where that is 0   */
    LIST,    /* pointer to structures of the table `of`; their number is in `count`      */
    PLAIN,   /* pointer to `count` times `each` bytes                                    */
    TEXT,    /* const char *                                                             */
    THERE,   /* a pointer: is there one?                                                 */
    APART,   /* no part of the problem                                                   */
} kind;

typedef struct member {
    size_t offset, size;
    kind kind;
    const struct table *of;
    size_t count, each;
} member;

typedef struct table {
    const char *name;
    size_t size;
    const member *member;
    int members;
} table;

#define ROW(field, what, ...)                                                                      \
    {                                                                                              \
        .offset = offsetof(STRUCTURE, field), .size = sizeof(((STRUCTURE *)0)->field),             \
        .kind = (what), __VA_ARGS__                                                                \
    }
#define OF(structure) .of = &structure##_table
#define NUMBER(field) .count = offsetof(STRUCTURE, field)
#define TABLE(type)                                                                                \
    static const table type##_table = {#type, sizeof(type), type##_member,                         \
                                       sizeof type##_member / sizeof *type##_member}

#define STRUCTURE withy_shape
static const member withy_shape_member[] = {
    ROW(kind, WHOLES, .of = NULL),
    ROW(from, NUMBERS, .of = NULL),
    ROW(along, NUMBERS, .of = NULL),
    ROW(normal, NUMBERS, .of = NULL),
    ROW(radius, NUMBERS, .of = NULL),
    ROW(pitch, NUMBERS, .of = NULL),
    ROW(at, NUMBERS, .of = NULL),
    ROW(height, NUMBERS, .of = NULL),
    ROW(direction, NUMBERS, .of = NULL),
    ROW(position, FIELDS, .of = NULL),
    ROW(strain, FIELDS, .of = NULL),
    ROW(to, NUMBERS, .of = NULL),
    ROW(point, PLAIN, NUMBER(point_count), .each = sizeof(withy_vec3)),
    ROW(point_count, WHOLES, .of = NULL),
    ROW(frame, FIELDS, .of = NULL)};
TABLE(withy_shape);
#undef STRUCTURE

#define STRUCTURE withy_section
static const member withy_section_member[] = {ROW(kind, WHOLES, .of = NULL),
                                              ROW(a, FIELDS, .of = NULL),
                                              ROW(b, FIELDS, .of = NULL),
                                              ROW(area, FIELDS, .of = NULL),
                                              ROW(second, FIELDS, .of = NULL),
                                              ROW(torsion, FIELDS, .of = NULL),
                                              ROW(shear_factor, NUMBERS, .of = NULL)};
TABLE(withy_section);
#undef STRUCTURE

#define STRUCTURE withy_end
static const member withy_end_member[] = {
    ROW(kind, WHOLES, .of = NULL),         ROW(position, FIELDS, .of = NULL),
    ROW(tangent, FIELDS, .of = NULL),      ROW(normal, FIELDS, .of = NULL),
    ROW(frame, FIELDS, .of = NULL),        ROW(force, FIELDS, .of = NULL),
    ROW(moment, FIELDS, .of = NULL),       ROW(follower, WHOLES, .of = NULL),
    ROW(mass, NUMBERS, .of = NULL),        ROW(inertia, NUMBERS, .of = NULL),
    ROW(offset, NUMBERS, .of = NULL),      ROW(spring, NUMBERS, .of = NULL),
    ROW(spring_turn, NUMBERS, .of = NULL), ROW(velocity, FIELDS, .of = NULL),
    ROW(acceleration, FIELDS, .of = NULL), ROW(spin, FIELDS, .of = NULL),
    ROW(spin_rate, FIELDS, .of = NULL),    ROW(turn, WHOLES, .of = NULL),
    ROW(along, NUMBERS, .of = NULL)};
TABLE(withy_end);
#undef STRUCTURE

#define STRUCTURE withy_load
static const member withy_load_member[] = {
    ROW(kind, WHOLES, .of = NULL),         ROW(follower, WHOLES, .of = NULL),
    ROW(from, NUMBERS, .of = NULL),        ROW(to, NUMBERS, .of = NULL),
    ROW(force, FIELDS, .of = NULL),        ROW(moment, FIELDS, .of = NULL),
    ROW(route, FIELDS, .of = NULL),        ROW(tension, FIELDS, .of = NULL),
    ROW(displacement, FIELDS, .of = NULL), ROW(name, TEXT, .of = NULL),
    ROW(continues, TEXT, .of = NULL)};
TABLE(withy_load);
#undef STRUCTURE

#define STRUCTURE withy_rod
static const member withy_rod_member[] = {ROW(name, APART, .of = NULL),
                                          ROW(length, NUMBERS, .of = NULL),
                                          ROW(section, WITHIN, OF(withy_section)),
                                          ROW(material, NUMBERS, .of = NULL),
                                          ROW(stiffness, FIELDS, .of = NULL),
                                          ROW(inertia, FIELDS, .of = NULL),
                                          ROW(damping, FIELDS, .of = NULL),
                                          ROW(damping_time, NUMBERS, .of = NULL),
                                          ROW(drag_linear, NUMBERS, .of = NULL),
                                          ROW(drag_quadratic, NUMBERS, .of = NULL),
                                          ROW(drag_spin, NUMBERS, .of = NULL),
                                          ROW(tension, NUMBERS, .of = NULL),
                                          ROW(rest, WITHIN, OF(withy_shape)),
                                          ROW(initial, WITHIN, OF(withy_shape)),
                                          ROW(velocity, FIELDS, .of = NULL),
                                          ROW(spin, FIELDS, .of = NULL),
                                          ROW(settled, WHOLES, .of = NULL),
                                          ROW(pull, LIST, OF(withy_load), NUMBER(pull_count)),
                                          ROW(pull_count, WHOLES, .of = NULL),
                                          ROW(end, WITHIN, OF(withy_end)),
                                          ROW(load, LIST, OF(withy_load), NUMBER(load_count)),
                                          ROW(load_count, WHOLES, .of = NULL),
                                          ROW(damping_law, WHOLES, .of = NULL),
                                          ROW(radius, FIELDS, .of = NULL)};
TABLE(withy_rod);
#undef STRUCTURE

#define STRUCTURE withy_body_load
static const member withy_body_load_member[] = {
    ROW(at, NUMBERS, .of = NULL), ROW(force, FIELDS, .of = NULL), ROW(moment, FIELDS, .of = NULL),
    ROW(follower, WHOLES, .of = NULL)};
TABLE(withy_body_load);
#undef STRUCTURE

#define STRUCTURE withy_body
static const member withy_body_member[] = {
    ROW(name, APART, .of = NULL),        ROW(mass, NUMBERS, .of = NULL),
    ROW(inertia, NUMBERS, .of = NULL),   ROW(position, NUMBERS, .of = NULL),
    ROW(frame, NUMBERS, .of = NULL),     ROW(velocity, NUMBERS, .of = NULL),
    ROW(spin, NUMBERS, .of = NULL),      ROW(load, LIST, OF(withy_body_load), NUMBER(load_count)),
    ROW(load_count, WHOLES, .of = NULL), ROW(shape, WHOLES, .of = NULL),
    ROW(size, NUMBERS, .of = NULL)};
TABLE(withy_body);
#undef STRUCTURE

#define STRUCTURE withy_place
static const member withy_place_member[] = {
    ROW(part, WHOLES, .of = NULL), ROW(index, WHOLES, .of = NULL), ROW(s, NUMBERS, .of = NULL),
    ROW(at, NUMBERS, .of = NULL), ROW(path, FIELDS, .of = NULL)};
TABLE(withy_place);
#undef STRUCTURE

#define STRUCTURE withy_joint
static const member withy_joint_member[] = {ROW(name, APART, .of = NULL),
                                            ROW(kind, WHOLES, .of = NULL),
                                            ROW(place, WITHIN, OF(withy_place)),
                                            ROW(axis, NUMBERS, .of = NULL),
                                            ROW(axis2, NUMBERS, .of = NULL),
                                            ROW(spring, NUMBERS, .of = NULL),
                                            ROW(rest, NUMBERS, .of = NULL),
                                            ROW(damping, NUMBERS, .of = NULL),
                                            ROW(limited, WHOLES, .of = NULL),
                                            ROW(limit, NUMBERS, .of = NULL),
                                            ROW(limit_stiffness, NUMBERS, .of = NULL),
                                            ROW(drive, FIELDS, .of = NULL),
                                            ROW(effort, FIELDS, .of = NULL),
                                            ROW(length, NUMBERS, .of = NULL),
                                            ROW(stretch, NUMBERS, .of = NULL),
                                            ROW(turn, NUMBERS, .of = NULL),
                                            ROW(stretch_damping, NUMBERS, .of = NULL),
                                            ROW(turn_damping, NUMBERS, .of = NULL)};
TABLE(withy_joint);
#undef STRUCTURE

/* Of a distance function it is known only that there is one. */
#define STRUCTURE withy_obstacle
static const member withy_obstacle_member[] = {
    ROW(name, APART, .of = NULL),
    ROW(kind, WHOLES, .of = NULL),
    ROW(inside, WHOLES, .of = NULL),
    ROW(point, FIELDS, .of = NULL),
    ROW(along, NUMBERS, .of = NULL),
    ROW(frame, NUMBERS, .of = NULL),
    ROW(radius, NUMBERS, .of = NULL),
    ROW(length, NUMBERS, .of = NULL),
    ROW(size, NUMBERS, .of = NULL),
    ROW(vertex, PLAIN, NUMBER(vertex_count), .each = sizeof(withy_vec3)),
    ROW(vertex_count, WHOLES, .of = NULL),
    ROW(triangle, PLAIN, NUMBER(triangle_count), .each = sizeof(int[3])),
    ROW(triangle_count, WHOLES, .of = NULL),
    ROW(distance, THERE, .of = NULL),
    ROW(context, APART, .of = NULL),
    ROW(own_friction, WHOLES, .of = NULL),
    ROW(friction, NUMBERS, .of = NULL),
    ROW(stiffness, NUMBERS, .of = NULL),
    ROW(own_damping, WHOLES, .of = NULL),
    ROW(damping, NUMBERS, .of = NULL)};
TABLE(withy_obstacle);
#undef STRUCTURE

#define STRUCTURE withy_floor
static const member withy_floor_member[] = {
    ROW(given, WHOLES, .of = NULL),    ROW(point, NUMBERS, .of = NULL),
    ROW(normal, NUMBERS, .of = NULL),  ROW(stiffness, NUMBERS, .of = NULL),
    ROW(damping, NUMBERS, .of = NULL), ROW(surface, WHOLES, .of = NULL)};
TABLE(withy_floor);
#undef STRUCTURE

#define STRUCTURE withy_rotating
static const member withy_rotating_member[] = {ROW(given, WHOLES, .of = NULL),
                                               ROW(spin, NUMBERS, .of = NULL),
                                               ROW(about, NUMBERS, .of = NULL)};
TABLE(withy_rotating);
#undef STRUCTURE

#define STRUCTURE withy_contact
static const member withy_contact_member[] = {
    ROW(given, WHOLES, .of = NULL),     ROW(no_self, WHOLES, .of = NULL),
    ROW(no_rods, WHOLES, .of = NULL),   ROW(no_bodies, WHOLES, .of = NULL),
    ROW(law, WHOLES, .of = NULL),       ROW(stiffness, NUMBERS, .of = NULL),
    ROW(pair, NUMBERS, .of = NULL),     ROW(gap, NUMBERS, .of = NULL),
    ROW(friction, NUMBERS, .of = NULL), ROW(damping, NUMBERS, .of = NULL),
    ROW(exclude, NUMBERS, .of = NULL)};
TABLE(withy_contact);
#undef STRUCTURE

#define STRUCTURE withy_problem
static const member withy_problem_member[] = {
    ROW(layout, APART, .of = NULL),
    ROW(title, APART, .of = NULL),
    ROW(rod, LIST, OF(withy_rod), NUMBER(rod_count)),
    ROW(rod_count, WHOLES, .of = NULL),
    ROW(joint, LIST, OF(withy_joint), NUMBER(joint_count)),
    ROW(joint_count, WHOLES, .of = NULL),
    ROW(gravity, NUMBERS, .of = NULL),
    ROW(floor, GIVEN, OF(withy_floor)),
    ROW(request, APART, .of = NULL),
    ROW(path, APART, .of = NULL),
    ROW(model, APART, .of = NULL),
    ROW(rotating, GIVEN, OF(withy_rotating)),
    ROW(body, LIST, OF(withy_body), NUMBER(body_count)),
    ROW(body_count, WHOLES, .of = NULL),
    ROW(contact, GIVEN, OF(withy_contact)),
    ROW(obstacle, LIST, OF(withy_obstacle), NUMBER(obstacle_count)),
    ROW(obstacle_count, WHOLES, .of = NULL)};
TABLE(withy_problem);
#undef STRUCTURE

/* ---- the number ------------------------------------------------------------------------------------ */

static void add(uint64_t *hash, const void *bytes, size_t size) {
    *hash = wy_hash(bytes, size, *hash);
}

static void add_number(uint64_t *hash, double value) {
    add(hash, &value, sizeof value);
}

static void add_text(uint64_t *hash, const char *text) {
    add_number(hash, text ? (double)strlen(text) : -1);
    if (text) add(hash, text, strlen(text));
}

/* Of a function it is known only that there is one. */
static void add_field(uint64_t *hash, const withy_field *field) {
    add_number(hash, field->size);
    add_number(hash, (field->call != NULL) + 2 * (field->see != NULL));
    for (int i = 0; i < field->size && !wy_field_varies(field); i++) {
        add_number(hash, field->value[i]);
        add_text(hash, field->input[i]);
    }
    for (int i = 0; field->table && i < field->rows * (1 + field->size); i++)
        add_number(hash, field->table[i]);
}

static void add_structures(uint64_t *hash, const table *of, const char *at, size_t count);

static void add_pointed(uint64_t *hash, const member *m, const char *structure) {
    const void *to;
    int count = 0;
    memcpy(&to, structure + m->offset, sizeof to);
    if (m->kind == LIST || m->kind == PLAIN) memcpy(&count, structure + m->count, sizeof count);
    if (m->kind == TEXT) add_text(hash, to);
    if (m->kind == THERE) add_number(hash, to != NULL);
    if (to && count > 0 && m->kind == LIST) add_structures(hash, m->of, to, (size_t)count);
    if (to && count > 0 && m->kind == PLAIN) add(hash, to, (size_t)count * m->each);
}

static void add_member(uint64_t *hash, const member *m, const char *structure) {
    const char *at = structure + m->offset;
    const withy_field *field = (const void *)at;
    int given;
    memcpy(&given, at, sizeof given);
    if (m->kind == NUMBERS || m->kind == WHOLES) add(hash, at, m->size);
    if (m->kind == FIELDS)
        for (size_t i = 0; i < m->size / sizeof *field; i++) add_field(hash, &field[i]);
    if (m->kind == GIVEN) add_number(hash, given != 0);
    if (m->kind == WITHIN || (m->kind == GIVEN && given))
        add_structures(hash, m->of, at, m->size / m->of->size);
    if (m->kind >= LIST) add_pointed(hash, m, structure);
}

static void add_structures(uint64_t *hash, const table *of, const char *at, size_t count) {
    for (size_t i = 0; i < count; i++, at += of->size)
        for (int k = 0; k < of->members; k++) add_member(hash, &of->member[k], at);
}

uint64_t wy_problem_digest(const withy_problem *problem) {
    uint64_t hash = 0;
    add_structures(&hash, &withy_problem_table, (const char *)problem, 1);
    return hash;
}

/* ---- is it whole? ---------------------------------------------------------------------------------- */

const char *wy_digest_hole(void) {
    static const table *const all[] = {
        &withy_shape_table,     &withy_section_table,  &withy_end_table,   &withy_load_table,
        &withy_rod_table,       &withy_body_table,     &withy_place_table, &withy_joint_table,
        &withy_body_load_table, &withy_obstacle_table, &withy_floor_table, &withy_rotating_table,
        &withy_contact_table,   &withy_problem_table};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        size_t end = 0;
        for (int k = 0; k < all[i]->members; k++) {
            const member *m = &all[i]->member[k];
            const size_t unit = m->size % 8 == 0 ? 8 : 4; /* to which the member is aligned */
            if (m->offset != (end + unit - 1) / unit * unit) return all[i]->name;
            end = m->offset + m->size;
        }
        if ((end + 7) / 8 * 8 != all[i]->size) return all[i]->name;
    }
    return NULL;
}
