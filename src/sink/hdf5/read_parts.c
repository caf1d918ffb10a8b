/* read_parts.c - see read.h. */
#include "sink/hdf5/read.h"

#include "observe/observe.h"
#include "sink/hdf5/layout.h"
#include "sink/sink.h"

enum { PARTS_MOST = 10 * 1000 * 1000 };

const char *const wy_h5_parts_name[] = {"bodies", "joints", "obstacles"};
const char *const wy_h5_shape[] = {"ellipsoid", "sphere", "box", "cylinder", "capsule"};
const char *const wy_h5_obstacle[] = {"plane",   "sphere", "cylinder", "box",
                                      "capsule", "mesh",   "distance"};

/* ---- texts, a line for each part ----------------------------------------------------------------- */

uint64_t wy_lines_in(const char *text) {
    uint64_t count = 0;
    for (; text && *text; text++) count += *text == '\n';
    return count;
}

char *wy_next_line(char **text) {
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
    char *name = wy_rows_text(group, "name", arena), *word = wy_rows_text(group, "shape", arena);
    const uint64_t count = wy_lines_in(name);
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
        body->name = wy_next_line(&name), body->mass = mass[i];
        body->shape = (withy_body_shape)word_index(wy_h5_shape, WY_H5_SHAPES, wy_next_line(&word));
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
    const uint64_t count = wy_lines_in(name);
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
        const char *kind = (r->joint[i].name = wy_next_line(&name), wy_next_line(&word));
        for (int k = WITHY_JOINT_BALL; k <= WITHY_JOINT_LINK; k++)
            if (strcmp(wy_joint_kind_name((withy_joint_kind)k), kind) == 0)
                r->joint[i].kind = (withy_joint_kind)k;
        for (int side = 0; side < 2; side++)
            r->joint[i].place[side] = place_of(part[2 * i + (uint64_t)side]);
    }
    return true;
}

bool wy_parts_fit(wy_part_reader *r, int rods) {
    r->rods = rods;
    for (int i = 0; i < 2 * r->now.joint_count; i++) {
        const withy_place *at = &r->joint[i / 2].place[i % 2];
        const int most = at->part == WITHY_PART_ROD    ? rods
                         : at->part == WITHY_PART_BODY ? r->now.body_count
                                                       : 1;
        if (at->index < 0 || at->index >= most)
            return wy_store_fail(r->store, "joint %d is on a rod or body that is not there",
                                 i / 2 + 1);
    }
    return true;
}

static bool describe_obstacles(wy_part_reader *r, wy_object *group, wy_arena *arena) {
    enum { EACH = 13 };
    char *name = wy_rows_text(group, "name", arena), *word = wy_rows_text(group, "kind", arena);
    const uint64_t count = wy_lines_in(name);
    uint64_t sizes;
    const double *size = wy_rows_list(group, "size", EACH * PARTS_MOST, &sizes, arena);
    if (!name || !word || !size) return false;
    if (count == 0 || count > PARTS_MOST || sizes != EACH * count)
        return wy_store_fail(r->store, "names and sizes are not equally many");
    r->obstacle = wy_store_take(r->store, arena, count, sizeof *r->obstacle);
    r->now.obstacle = wy_store_take(r->store, arena, count, sizeof *r->now.obstacle);
    if (!r->obstacle || !r->now.obstacle) return false;
    r->now.obstacle_count = (int)count;
    for (uint64_t i = 0; i < count; i++, size += EACH) {
        withy_obstacle *at = &r->obstacle[i];
        at->name = wy_next_line(&name);
        at->kind =
            (withy_obstacle_kind)word_index(wy_h5_obstacle, WY_H5_OBSTACLES, wy_next_line(&word));
        at->radius = size[0], at->length = size[1];
        at->size = (withy_vec3){size[2], size[3], size[4]};
        at->along = (withy_vec3){size[5], size[6], size[7]};
        at->frame = (withy_quat){size[8], size[9], size[10], size[11]};
        at->inside = size[12] != 0;
    }
    return wy_surfaces_read(r, group, arena);
}

/* ---- rows ---------------------------------------------------------------------------------------- */

static bool open_check(wy_part_table *table, wy_object *group, uint64_t rows, wy_arena *arena) {
    return !wy_object_has(group, WY_CHECK) ||
           wy_rows_open(&table->check, group, WY_CHECK, 1, rows, arena);
}

static bool open_columns(wy_part_reader *r, wy_object *group, int of, uint64_t rows,
                         wy_arena *arena) {
    wy_part_table *table = &r->table[of];
    const withy_quantity *q;
    const uint64_t many = (uint64_t)wy_part_count(&r->now, of);
    uint64_t columns = 0;
    while (wy_part_column(of, (int)columns)) columns++;
    table->row = wy_store_take(r->store, arena, WY_QUANTITY_SIZE * many, sizeof *table->row);
    table->column = wy_store_take(r->store, arena, columns, sizeof *table->column);
    if (!table->row || !table->column) return false;
    for (int i = 0; (q = wy_part_column(of, i)) != NULL; i++) {
        const uint64_t size = (uint64_t)q->size * ((int)q->of == of ? many : 1);
        if (!wy_rows_open(&table->column[i], group, q->name, size, rows, arena)) return false;
    }
    return open_check(table, group, rows, arena);
}

/* ---- contacts ------------------------------------------------------------------------------------ */

static bool open_touches(wy_part_reader *r, wy_object *group, wy_arena *arena) {
    int count;
    const withy_quantity *q = withy_quantity_list(WITHY_OF_CONTACT, &count);
    wy_rows *column = wy_store_take(r->store, arena, (uint64_t)count + 1, sizeof *column);
    r->contacts.column = column;
    if (!column || !wy_rows_open(&column[0], group, "parts", 2, WY_ROWS_ALL, arena)) return false;
    r->touches = column[0].count;
    r->now.contact_room = 1; /* there may be some */
    for (int i = 0; i < count; i++) {
        wy_rows *own = &column[i + 1];
        if (!wy_rows_open(own, group, q[i].name, (uint64_t)q[i].size, WY_ROWS_ALL, arena))
            return false;
        if (own->count < r->touches) r->touches = own->count;
    }
    if (!open_check(&r->contacts, group, WY_ROWS_ALL, arena)) return false;
    if (r->contacts.check.there && r->contacts.check.count < r->touches)
        r->touches = r->contacts.check.count;
    return true;
}

static int number_of(double part) {
    return fabs(part) <= PARTS_MOST ? (int)part : 0;
}

/* On a rod, and by a rod, body or obstacle that the result has? */
static bool fits(const wy_part_reader *r, const withy_contact_state *contacts) {
    const int most = contacts->of == WITHY_OF_ROD    ? r->rods
                     : contacts->of == WITHY_OF_BODY ? r->now.body_count
                                                     : r->now.obstacle_count;
    return contacts->rod >= 0 && contacts->rod < r->rods && contacts->index >= 0 &&
           contacts->index < most;
}

bool wy_contacts_read(wy_part_reader *r, uint64_t k, withy_contact_state *out) {
    double row[WY_QUANTITY_SIZE];
    wy_sums b = {.first = k, .count = 1};
    int count;
    const withy_quantity *q = withy_quantity_list(WITHY_OF_CONTACT, &count);
    const wy_rows *column = r->contacts.column;
    if (!wy_sums_get(r->store, &column[0], &b, row)) return false;
    const int one = number_of(row[0]), other = number_of(row[1]);
    *out = (withy_contact_state){.rod = one - 1,
                                 .of = other > 0 ? WITHY_OF_ROD : WITHY_OF_OBSTACLE,
                                 .index = other > 0 ? other - 1 : -1 - other};
    if (other < -WY_CONTACTS_BODY) out->of = WITHY_OF_BODY, out->index -= WY_CONTACTS_BODY;
    if (!fits(r, out))
        return wy_store_fail(r->store,
                             "contact %llu is of a rod, body or obstacle that is not there",
                             (unsigned long long)(k + 1));
    for (int i = 0; i < count; i++) {
        if (!wy_sums_get(r->store, &column[i + 1], &b, row)) return false;
        wy_quantity_put(&q[i], out, row);
    }
    return wy_sums_check(r->store, &r->contacts.check, &b, "contact");
}

/* The first contact that is not before t. */
static bool first_at(wy_part_reader *r, double t, uint64_t *first) {
    uint64_t low = 0, high = r->touches;
    int time; /* the last column */
    withy_quantity_list(WITHY_OF_CONTACT, &time);
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        double at;
        if (!wy_rows_get(r->store, &r->contacts.column[time], middle, 1, &at)) return false;
        if (at < t)
            low = middle + 1;
        else
            high = middle;
    }
    *first = low;
    return true;
}

/* Of snapshots of one time all have the contacts of all: a few there may be, as on a path that comes back. */
static bool is_shared_by_many(wy_part_reader *r, uint64_t snapshot, double t) {
    enum { TIMES = 16, LEAST = 4096 };
    const withy_parts *now = &r->now;
    if (snapshot != r->last && now->contact_count > 0 && now->contacts[0].t == t)
        r->shared += (uint64_t)now->contact_count;
    r->last = snapshot;
    return r->shared > TIMES * r->touches + LEAST;
}

bool wy_contacts_of(wy_part_reader *r, uint64_t snapshot, double t, wy_arena *arena) {
    withy_parts *now = &r->now;
    uint64_t k;
    if (is_shared_by_many(r, snapshot, t))
        return wy_store_fail(r->store, "the contacts of t = %g belong to many snapshots", t);
    now->contact_count = 0;
    if (!first_at(r, t, &k)) return false;
    for (; k < r->touches; k++) {
        withy_contact_state contacts;
        if (!wy_contacts_read(r, k, &contacts)) return false;
        if (contacts.t != t) break;
        if (now->contact_count >= now->contact_room || !now->contacts) {
            const int room = 2 * now->contact_room + 64;
            withy_contact_state *more =
                wy_store_take(r->store, arena, (uint64_t)room, sizeof *more);
            if (!more) return false;
            if (now->contacts && now->contact_count > 0)
                memcpy(more, now->contacts, (size_t)now->contact_count * sizeof *more);
            now->contacts = more, now->contact_room = room;
        }
        now->contacts[now->contact_count++] = contacts;
    }
    return true;
}

const char *wy_parts_open(wy_part_reader *r, wy_object *root, uint64_t rows, wy_arena *arena) {
    static bool (*const describe[])(wy_part_reader *, wy_object *, wy_arena *) = {
        describe_bodies, describe_joints, describe_obstacles, open_touches};
    enum { KINDS = 4 };
    r->store = root->store;
    for (int i = 0; i < KINDS; i++) {
        wy_object group;
        const char *name = i < WY_PARTS ? wy_h5_parts_name[i] : "contacts";
        if (!wy_object_has(root, name)) continue;
        const bool good =
            wy_object_open(&group, r->store, wy_object_at(root, name)) && wy_object_links(&group) &&
            describe[i](r, &group, arena) &&
            (i >= WY_PARTS || open_columns(r, &group, WITHY_OF_BODY + i, rows, arena));
        wy_object_close(&group);
        if (!good) return name;
    }
    return NULL;
}

static bool read_table(wy_part_reader *r, int of, uint64_t k) {
    wy_sums b = {.first = k, .count = 1};
    const withy_quantity *q;
    const wy_part_table *table = &r->table[of];
    const int many = wy_part_count(&r->now, of);
    for (int i = 0; many && (q = wy_part_column(of, i)) != NULL; i++) {
        const wy_rows *rows = &table->column[i];
        if (!wy_sums_get(r->store, rows, &b, table->row)) return false;
        for (int p = 0; p < ((int)q->of == of ? many : 1); p++)
            memcpy(wy_quantity_place(q, &r->now, p), table->row + (size_t)p * (size_t)q->size,
                   (size_t)q->size * sizeof *table->row);
    }
    return wy_sums_check(r->store, &table->check, &b, "row");
}

bool wy_parts_read(wy_part_reader *r, uint64_t k) {
    for (int of = WITHY_OF_BODY; of <= WITHY_OF_OBSTACLE; of++)
        if (!read_table(r, of, k)) return false;
    return true;
}
