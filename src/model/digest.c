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
#define MEMBER(field, what) ROW(field, what, .of = NULL)
#define OF(structure) .of = &structure##_table
#define NUMBER(field) .count = offsetof(STRUCTURE, field)
#define TABLE(type)                                                                                \
    static const table type##_table = {#type, sizeof(type), type##_member,                         \
                                       sizeof type##_member / sizeof *type##_member}

#define STRUCTURE withy_shape
static const member withy_shape_member[] = {
    MEMBER(kind, WHOLES),
    MEMBER(from, NUMBERS),
    MEMBER(along, NUMBERS),
    MEMBER(normal, NUMBERS),
    MEMBER(radius, NUMBERS),
    MEMBER(pitch, NUMBERS),
    MEMBER(at, NUMBERS),
    MEMBER(height, NUMBERS),
    MEMBER(direction, NUMBERS),
    MEMBER(position, FIELDS),
    MEMBER(strain, FIELDS),
    MEMBER(to, NUMBERS),
    ROW(point, PLAIN, NUMBER(point_count), .each = sizeof(withy_vec3)),
    MEMBER(point_count, WHOLES),
    MEMBER(frame, FIELDS)};
TABLE(withy_shape);
#undef STRUCTURE

#define STRUCTURE withy_section
static const member withy_section_member[] = {
    MEMBER(kind, WHOLES),         MEMBER(a, FIELDS),      MEMBER(b, FIELDS),
    MEMBER(area, FIELDS),         MEMBER(second, FIELDS), MEMBER(torsion, FIELDS),
    MEMBER(shear_factor, NUMBERS)};
TABLE(withy_section);
#undef STRUCTURE

#define STRUCTURE withy_end
static const member withy_end_member[] = {
    MEMBER(kind, WHOLES),         MEMBER(position, FIELDS),  MEMBER(tangent, FIELDS),
    MEMBER(normal, FIELDS),       MEMBER(frame, FIELDS),     MEMBER(force, FIELDS),
    MEMBER(moment, FIELDS),       MEMBER(follower, WHOLES),  MEMBER(mass, NUMBERS),
    MEMBER(inertia, NUMBERS),     MEMBER(offset, NUMBERS),   MEMBER(spring, NUMBERS),
    MEMBER(spring_turn, NUMBERS), MEMBER(velocity, FIELDS),  MEMBER(acceleration, FIELDS),
    MEMBER(spin, FIELDS),         MEMBER(spin_rate, FIELDS), MEMBER(turn, WHOLES),
    MEMBER(along, NUMBERS)};
TABLE(withy_end);
#undef STRUCTURE

#define STRUCTURE withy_load
static const member withy_load_member[] = {
    MEMBER(kind, WHOLES),  MEMBER(follower, WHOLES), MEMBER(from, NUMBERS),
    MEMBER(to, NUMBERS),   MEMBER(force, FIELDS),    MEMBER(moment, FIELDS),
    MEMBER(route, FIELDS), MEMBER(tension, FIELDS),  MEMBER(displacement, FIELDS),
    MEMBER(name, TEXT),    MEMBER(continues, TEXT)};
TABLE(withy_load);
#undef STRUCTURE

#define STRUCTURE withy_rod
static const member withy_rod_member[] = {MEMBER(name, APART),
                                          MEMBER(length, NUMBERS),
                                          ROW(section, WITHIN, OF(withy_section)),
                                          MEMBER(material, NUMBERS),
                                          MEMBER(stiffness, FIELDS),
                                          MEMBER(inertia, FIELDS),
                                          MEMBER(damping, FIELDS),
                                          MEMBER(damping_time, NUMBERS),
                                          MEMBER(drag_linear, NUMBERS),
                                          MEMBER(drag_quadratic, NUMBERS),
                                          MEMBER(drag_spin, NUMBERS),
                                          MEMBER(tension, NUMBERS),
                                          ROW(rest, WITHIN, OF(withy_shape)),
                                          ROW(initial, WITHIN, OF(withy_shape)),
                                          MEMBER(velocity, FIELDS),
                                          MEMBER(spin, FIELDS),
                                          MEMBER(settled, WHOLES),
                                          ROW(pull, LIST, OF(withy_load), NUMBER(pull_count)),
                                          MEMBER(pull_count, WHOLES),
                                          ROW(end, WITHIN, OF(withy_end)),
                                          ROW(load, LIST, OF(withy_load), NUMBER(load_count)),
                                          MEMBER(load_count, WHOLES),
                                          MEMBER(damping_law, WHOLES),
                                          MEMBER(radius, FIELDS)};
TABLE(withy_rod);
#undef STRUCTURE

#define STRUCTURE withy_body_load
static const member withy_body_load_member[] = {MEMBER(at, NUMBERS), MEMBER(force, FIELDS),
                                                MEMBER(moment, FIELDS), MEMBER(follower, WHOLES)};
TABLE(withy_body_load);
#undef STRUCTURE

#define STRUCTURE withy_body
static const member withy_body_member[] = {
    MEMBER(name, APART),        MEMBER(mass, NUMBERS),
    MEMBER(inertia, NUMBERS),   MEMBER(position, NUMBERS),
    MEMBER(frame, NUMBERS),     MEMBER(velocity, NUMBERS),
    MEMBER(spin, NUMBERS),      ROW(load, LIST, OF(withy_body_load), NUMBER(load_count)),
    MEMBER(load_count, WHOLES), MEMBER(shape, WHOLES),
    MEMBER(size, NUMBERS)};
TABLE(withy_body);
#undef STRUCTURE

#define STRUCTURE withy_place
static const member withy_place_member[] = {MEMBER(part, WHOLES), MEMBER(index, WHOLES),
                                            MEMBER(s, NUMBERS), MEMBER(at, NUMBERS),
                                            MEMBER(path, FIELDS)};
TABLE(withy_place);
#undef STRUCTURE

#define STRUCTURE withy_joint
static const member withy_joint_member[] = {MEMBER(name, APART),
                                            MEMBER(kind, WHOLES),
                                            ROW(place, WITHIN, OF(withy_place)),
                                            MEMBER(axis, NUMBERS),
                                            MEMBER(axis2, NUMBERS),
                                            MEMBER(spring, NUMBERS),
                                            MEMBER(rest, NUMBERS),
                                            MEMBER(damping, NUMBERS),
                                            MEMBER(limited, WHOLES),
                                            MEMBER(limit, NUMBERS),
                                            MEMBER(limit_stiffness, NUMBERS),
                                            MEMBER(drive, FIELDS),
                                            MEMBER(effort, FIELDS),
                                            MEMBER(length, NUMBERS),
                                            MEMBER(stretch, NUMBERS),
                                            MEMBER(turn, NUMBERS),
                                            MEMBER(stretch_damping, NUMBERS),
                                            MEMBER(turn_damping, NUMBERS)};
TABLE(withy_joint);
#undef STRUCTURE

/* Of a distance function it is known only that there is one. */
#define STRUCTURE withy_obstacle
static const member withy_obstacle_member[] = {
    MEMBER(name, APART),
    MEMBER(kind, WHOLES),
    MEMBER(inside, WHOLES),
    MEMBER(point, FIELDS),
    MEMBER(along, NUMBERS),
    MEMBER(frame, NUMBERS),
    MEMBER(radius, NUMBERS),
    MEMBER(length, NUMBERS),
    MEMBER(size, NUMBERS),
    ROW(vertex, PLAIN, NUMBER(vertex_count), .each = sizeof(withy_vec3)),
    MEMBER(vertex_count, WHOLES),
    ROW(triangle, PLAIN, NUMBER(triangle_count), .each = sizeof(int[3])),
    MEMBER(triangle_count, WHOLES),
    MEMBER(distance, THERE),
    MEMBER(context, APART),
    MEMBER(own_friction, WHOLES),
    MEMBER(friction, NUMBERS),
    MEMBER(stiffness, NUMBERS),
    MEMBER(own_damping, WHOLES),
    MEMBER(damping, NUMBERS)};
TABLE(withy_obstacle);
#undef STRUCTURE

#define STRUCTURE withy_floor
static const member withy_floor_member[] = {MEMBER(given, WHOLES),    MEMBER(point, NUMBERS),
                                            MEMBER(normal, NUMBERS),  MEMBER(stiffness, NUMBERS),
                                            MEMBER(damping, NUMBERS), MEMBER(surface, WHOLES)};
TABLE(withy_floor);
#undef STRUCTURE

#define STRUCTURE withy_rotating
static const member withy_rotating_member[] = {MEMBER(given, WHOLES), MEMBER(spin, NUMBERS),
                                               MEMBER(about, NUMBERS)};
TABLE(withy_rotating);
#undef STRUCTURE

#define STRUCTURE withy_contact
static const member withy_contact_member[] = {
    MEMBER(given, WHOLES),     MEMBER(no_self, WHOLES), MEMBER(no_rods, WHOLES),
    MEMBER(no_bodies, WHOLES), MEMBER(law, WHOLES),     MEMBER(stiffness, NUMBERS),
    MEMBER(pair, NUMBERS),     MEMBER(gap, NUMBERS),    MEMBER(friction, NUMBERS),
    MEMBER(damping, NUMBERS),  MEMBER(exclude, NUMBERS)};
TABLE(withy_contact);
#undef STRUCTURE

#define STRUCTURE withy_problem
static const member withy_problem_member[] = {
    MEMBER(layout, APART),
    MEMBER(title, APART),
    ROW(rod, LIST, OF(withy_rod), NUMBER(rod_count)),
    MEMBER(rod_count, WHOLES),
    ROW(joint, LIST, OF(withy_joint), NUMBER(joint_count)),
    MEMBER(joint_count, WHOLES),
    MEMBER(gravity, NUMBERS),
    ROW(floor, GIVEN, OF(withy_floor)),
    MEMBER(request, APART),
    MEMBER(path, APART),
    MEMBER(model, APART),
    ROW(rotating, GIVEN, OF(withy_rotating)),
    ROW(body, LIST, OF(withy_body), NUMBER(body_count)),
    MEMBER(body_count, WHOLES),
    ROW(contact, GIVEN, OF(withy_contact)),
    ROW(obstacle, LIST, OF(withy_obstacle), NUMBER(obstacle_count)),
    MEMBER(obstacle_count, WHOLES)};
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
