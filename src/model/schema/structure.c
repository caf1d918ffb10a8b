/* structure.c - see structure.h. */
#include "model/schema/structure.h"

#include <stdatomic.h>

#include "model/schema/schema.h"

/* ---- what no key says ------------------------------------------------------------------------------ */

#define ROW(in_, type, member)                                                                     \
    .in = WY_IN_##in_, .offset = offsetof(type, member), .size = sizeof(((type *)0)->member)
#define OWN(in, type, member, what)                                                                \
    { ROW(in, type, member), .kind = WY_ENTRY_##what }
#define STRUCTURES(in, type, member, what, of_)                                                    \
    { ROW(in, type, member), .kind = WY_ENTRY_##what, .of = WY_IN_##of_ }
#define LIST(in, type, member, of_)                                                                \
    OWN(in, type, member##_count, BYTES), {                                                        \
        ROW(in, type, member), .kind = WY_ENTRY_LIST, .of = WY_IN_##of_,                           \
                               .count = offsetof(type, member##_count)                             \
    }
#define PLAIN(in, type, member)                                                                    \
    OWN(in, type, member##_count, BYTES), {                                                        \
        ROW(in, type, member), .kind = WY_ENTRY_PLAIN, .count = offsetof(type, member##_count),    \
                               .each = sizeof *((type *)0)->member                                 \
    }

static const wy_entry own[] = {
    OWN(PROBLEM, withy_problem, layout, APART),
    OWN(PROBLEM, withy_problem, title, APART),
    LIST(PROBLEM, withy_problem, rod, ROD),
    LIST(PROBLEM, withy_problem, joint, JOINT),
    LIST(PROBLEM, withy_problem, body, BODY),
    LIST(PROBLEM, withy_problem, obstacle, OBSTACLE),
    STRUCTURES(PROBLEM, withy_problem, floor, GIVEN, FLOOR),
    STRUCTURES(PROBLEM, withy_problem, rotating, GIVEN, ROTATING),
    STRUCTURES(PROBLEM, withy_problem, contact, GIVEN, CONTACT),
    OWN(PROBLEM, withy_problem, request, APART),
    OWN(PROBLEM, withy_problem, path, APART),
    OWN(PROBLEM, withy_problem, model, APART),
    OWN(ROD, withy_rod, name, APART),
    OWN(ROD, withy_rod, settled, BYTES),
    STRUCTURES(ROD, withy_rod, section, WITHIN, SECTION),
    STRUCTURES(ROD, withy_rod, law, WITHIN, LAW),
    STRUCTURES(ROD, withy_rod, rest, WITHIN, SHAPE),
    STRUCTURES(ROD, withy_rod, initial, WITHIN, SHAPE),
    STRUCTURES(ROD, withy_rod, end, WITHIN, END),
    LIST(ROD, withy_rod, load, LOAD),
    LIST(ROD, withy_rod, pull, LOAD),
    OWN(SECTION, withy_section, kind, TAG),
    OWN(LAW, withy_law, kind, TAG),
    PLAIN(LAW, withy_law, term),
    PLAIN(LAW, withy_law, curve[0].row),
    PLAIN(LAW, withy_law, curve[1].row),
    PLAIN(LAW, withy_law, curve[2].row),
    PLAIN(LAW, withy_law, curve[3].row),
    PLAIN(LAW, withy_law, curve[4].row),
    PLAIN(LAW, withy_law, curve[5].row),
    OWN(SHAPE, withy_shape, kind, TAG),
    OWN(SHAPE, withy_shape, in_time, BYTES),
    OWN(SHAPE, withy_shape, has_bed, BYTES),
    PLAIN(SHAPE, withy_shape, point),
    OWN(END, withy_end, kind, TAG),
    OWN(LOAD, withy_load, kind, TAG),
    OWN(BODY, withy_body, name, APART),
    OWN(BODY, withy_body, shape, TAG),
    LIST(BODY, withy_body, load, BODY_LOAD),
    OWN(BODY, withy_body, fluid.given, BYTES),
    OWN(JOINT, withy_joint, name, APART),
    OWN(JOINT, withy_joint, kind, TAG),
    OWN(JOINT, withy_joint, limited, BYTES),
    STRUCTURES(JOINT, withy_joint, place, WITHIN, PLACE),
    OWN(PLACE, withy_place, part, BYTES),
    OWN(PLACE, withy_place, index, BYTES),
    OWN(PLACE, withy_place, s, BYTES),
    OWN(PLACE, withy_place, at, BYTES),
    {ROW(PLACE, withy_place, path), .kind = WY_ENTRY_FIELDS, .timed = 1},
    OWN(OBSTACLE, withy_obstacle, name, APART),
    OWN(OBSTACLE, withy_obstacle, kind, TAG),
    PLAIN(OBSTACLE, withy_obstacle, vertex),
    PLAIN(OBSTACLE, withy_obstacle, triangle),
    OWN(OBSTACLE, withy_obstacle, distance, THERE),
    OWN(OBSTACLE, withy_obstacle, context, APART),
    OWN(OBSTACLE, withy_obstacle, own_friction, BYTES),
    OWN(OBSTACLE, withy_obstacle, own_damping, BYTES),
    OWN(FLOOR, withy_floor, given, BYTES),
    OWN(ROTATING, withy_rotating, given, BYTES),
    OWN(CONTACT, withy_contact, given, BYTES),
    STRUCTURES(PROBLEM, withy_problem, magnetic, GIVEN, MAGNETIC),
    OWN(MAGNETIC, withy_magnetic, given, BYTES),
    STRUCTURES(PROBLEM, withy_problem, medium, GIVEN, MEDIUM),
    OWN(ROD, withy_rod, fluid.given, BYTES),
    OWN(MEDIUM, withy_medium, given, BYTES),
    OWN(MEDIUM, withy_medium, has_surface, BYTES),
    {ROW(MEDIUM, withy_medium, current), .kind = WY_ENTRY_FIELDS, .timed = 1},
    OWN(MEDIUM, withy_medium, flow, THERE),
    OWN(MEDIUM, withy_medium, context, APART),
    PLAIN(MEDIUM, withy_medium, profile),
    LIST(MEDIUM, withy_medium, wave, WAVE),
    OWN(WAVE, withy_wave, kind, TAG)};

static const struct {
    size_t size;
    const char *group;
} structure[WY_STRUCTURES] = {[WY_IN_NOTHING] = {0, ""},
                              [WY_IN_PROBLEM] = {sizeof(withy_problem), "scene"},
                              [WY_IN_ROD] = {sizeof(withy_rod), "rod"},
                              [WY_IN_SECTION] = {sizeof(withy_section), "section"},
                              [WY_IN_LAW] = {sizeof(withy_law), "law"},
                              [WY_IN_SHAPE] = {sizeof(withy_shape), "shape"},
                              [WY_IN_END] = {sizeof(withy_end), "end"},
                              [WY_IN_LOAD] = {sizeof(withy_load), "load"},
                              [WY_IN_BODY] = {sizeof(withy_body), "body"},
                              [WY_IN_BODY_LOAD] = {sizeof(withy_body_load), "body_point"},
                              [WY_IN_JOINT] = {sizeof(withy_joint), "joint"},
                              [WY_IN_PLACE] = {sizeof(withy_place), ""},
                              [WY_IN_OBSTACLE] = {sizeof(withy_obstacle), "obstacle"},
                              [WY_IN_FLOOR] = {sizeof(withy_floor), "floor"},
                              [WY_IN_ROTATING] = {sizeof(withy_rotating), "rotating"},
                              [WY_IN_CONTACT] = {sizeof(withy_contact), "contact"},
                              [WY_IN_MAGNETIC] = {sizeof(withy_magnetic), "field"},
                              [WY_IN_MEDIUM] = {sizeof(withy_medium), "medium"},
                              [WY_IN_WAVE] = {sizeof(withy_wave), "wave"}};

size_t wy_structure_size(wy_structure of) {
    return structure[of].size;
}

const char *wy_structure_group(wy_structure of) {
    return structure[of].group;
}

int wy_structure_tag(const wy_entries *entries, wy_structure of, const void *at) {
    int tag = 0;
    for (int i = 0; i < entries->count[of]; i++)
        if (entries->entry[of][i].kind == WY_ENTRY_TAG)
            memcpy(&tag, (const char *)at + entries->entry[of][i].offset, sizeof tag);
    return tag;
}

int wy_group_is_of(const wy_group *group, wy_structure of, int tag) {
    if (group->family) return strcmp(group->family, structure[of].group) == 0 && group->tag == tag;
    return strcmp(group->name, structure[of].group) == 0;
}

/* Has the constructor a key that is this table? */
static int has_table(wy_structure of, int tag, const char *table) {
    const wy_key *key;
    for (int i = 0; (key = wy_key_at(i)) != NULL; i++)
        if (key->kind == WY_KEY_GROUP && strcmp(key->child, table) == 0 &&
            wy_group_is_of(wy_group_find(key->group), of, tag))
            return 1;
    return 0;
}

int wy_key_is_in(const wy_key *key, wy_structure of, int tag) {
    if (key->in != of) return 0;
    const wy_group *group = wy_group_find(key->group);
    if (group->family || of == WY_IN_ROD) return !group->family || wy_group_is_of(group, of, tag);
    return wy_group_is_of(group, of, tag) || has_table(of, tag, group->name);
}

/* ---- with the rows of the schema --------------------------------------------------------------------- */

/* What a key writes; 0: tables and lists, which write by keys of their own, or into a draft. */
static int entry_of(const wy_key *key, wy_entry *to) {
    const size_t count = key->size > 0 ? (size_t)key->size : 1;
    const int timed = key->arguments == 't' || key->arguments == 'b';
    *to = (wy_entry){.offset = key->offset, .kind = WY_ENTRY_BYTES};
    switch (key->kind) {
    case WY_KEY_NUMBER:
    case WY_KEY_PLACE:
    case WY_KEY_DIRECTION: return to->size = count * sizeof(double), 1;
    case WY_KEY_FRICTION: return to->size = WITHY_FRICTIONS * sizeof(double), 1;
    case WY_KEY_WHOLE:
    case WY_KEY_FLAG:
    case WY_KEY_WORD: return to->size = sizeof(int), 1;
    case WY_KEY_TEXT: return to->kind = WY_ENTRY_TEXT, to->size = sizeof(char *), 1;
    case WY_KEY_FIELD:
    case WY_KEY_UNIT:
    case WY_KEY_STRAIN:
        return to->kind = WY_ENTRY_FIELDS, to->timed = timed, to->size = sizeof(withy_field), 1;
    case WY_KEY_SPREAD:
    case WY_KEY_ROTARY:
    case WY_KEY_ROWS: return to->kind = WY_ENTRY_FIELDS, to->size = count * sizeof(withy_field), 1;
    default: return 0;
    }
}

/* In the order of the structure; where a member has several keys, or one of `own`, it is entered once. */
static void enter(wy_entries *x, wy_structure in, const wy_entry *e) {
    wy_entry *list = x->entry[in];
    int at = x->count[in];
    for (int i = 0; i < at; i++)
        if (e->offset >= list[i].offset && e->offset + e->size <= list[i].offset + list[i].size)
            return;
    if (at == WY_ENTRIES_MOST) return;
    for (; at > 0 && list[at - 1].offset > e->offset; at--) list[at] = list[at - 1];
    list[at] = *e;
    x->count[in]++;
}

static void make_list(wy_entries *out) {
    const wy_key *key;
    wy_entry e;
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) enter(out, own[i].in, &own[i]);
    for (int i = 0; (key = wy_key_at(i)) != NULL; i++)
        if (key->in && entry_of(key, &e)) enter(out, key->in, &e);
}

/* It is the same each time, and takes as long as a small equilibrium: the first one is kept, whichever thread makes it. */
void wy_entries_list(wy_entries *out) {
    enum { NONE, WRITTEN, READY };
    static wy_entries kept;
    static atomic_int state = NONE;
    if (atomic_load(&state) == READY) {
        *out = kept;
        return;
    }
    make_list(out);
    int none = NONE;
    if (!atomic_compare_exchange_strong(&state, &none, WRITTEN)) return;
    kept = *out;
    atomic_store(&state, READY);
}

/* ---- walking ------------------------------------------------------------------------------------------ */

const char *wy_entry_first(const wy_entry *e, const char *at, int *count) {
    const char *first = at + e->offset;
    *count = e->of ? (int)(e->size / structure[e->of].size) : 1;
    if (e->kind == WY_ENTRY_GIVEN) memcpy(count, first, sizeof *count), *count = *count != 0;
    if (e->kind != WY_ENTRY_LIST && e->kind != WY_ENTRY_PLAIN) return first;
    const void *list;
    memcpy(count, at + e->count, sizeof *count);
    memcpy(&list, first, sizeof list);
    if (!list) *count = 0;
    return list;
}

void wy_structures_visit(const wy_entries *entries, const wy_instance *x, wy_visitor visit,
                         void *context) {
    if (!visit(context, entries, x)) return;
    for (int i = 0; i < entries->count[x->of]; i++) {
        const wy_entry *e = &entries->entry[x->of][i];
        int count;
        if (e->kind < WY_ENTRY_WITHIN) continue;
        const char *at = wy_entry_first(e, x->at, &count);
        for (int k = 0; k < count; k++) {
            const wy_instance next = {e->of, at + (size_t)k * structure[e->of].size, k, e, x};
            wy_structures_visit(entries, &next, visit, context);
        }
    }
}

const char *wy_structure_hole(void) {
    wy_entries x;
    wy_entries_list(&x);
    for (int of = WY_IN_PROBLEM; of < WY_STRUCTURES; of++) {
        char known[sizeof(withy_rod) + sizeof(withy_problem)] = {0};
        size_t missing = 0;
        for (int i = 0; i < x.count[of]; i++)
            memset(known + x.entry[of][i].offset, 1, x.entry[of][i].size);
        if (x.count[of] == WY_ENTRIES_MOST) return structure[of].group;
        for (size_t i = 0; i < structure[of].size; i++) {
            missing = known[i] ? 0 : missing + 1;
            /* an int before what is aligned to 8 bytes */
            if (missing > 4 || (missing == 4 && i % 8 != 7)) return structure[of].group;
        }
    }
    return NULL;
}
