/* signal.c - what varies in time without a function of the user: tables and named inputs. */
#include <stddef.h>
#include <string.h>

#include "model/model.h"
#include "numeric/place.h"

void wy_table_at(const withy_field *field, double t, double *out) {
    const int width = 1 + field->size;
    const double *row = field->table, *last = row + (size_t)(field->rows - 1) * (size_t)width;
    if (!(t > row[0]) || t >= last[0]) {
        memcpy(out, (t >= last[0] ? last : row) + 1, (size_t)field->size * sizeof *out);
        return;
    }
    row += (size_t)wy_place_in(row, width, field->rows, t) * (size_t)width;
    const double *next = row + width, part = (t - row[0]) / (next[0] - row[0]);
    for (int i = 0; i < field->size; i++) out[i] = row[1 + i] + part * (next[1 + i] - row[1 + i]);
}

/* ---- fields that become functions --------------------------------------------------------------- */

/* The context of a field that follows inputs. */
typedef struct follower {
    const wy_inputs *inputs;
    int size, index[WITHY_FIELD_MAX]; /* which input; -1: the constant */
    double value[WITHY_FIELD_MAX];
} follower;

static withy_status call_table(void *context, double s, double t, double *out, withy_error *err) {
    (void)s, (void)err;
    wy_table_at(context, t, out);
    return WITHY_OK;
}

static withy_status call_inputs(void *context, double s, double t, double *out, withy_error *err) {
    (void)s, (void)t, (void)err;
    const follower *f = context;
    for (int i = 0; i < f->size; i++)
        out[i] = f->index[i] < 0 ? f->value[i] : f->inputs->now[f->index[i]];
    return WITHY_OK;
}

const withy_field *wy_signal_table(const withy_field *field) {
    return field->call == call_table ? field->context : NULL;
}

int wy_signal_is_input(const withy_field *field) {
    return field->call == call_inputs;
}

/* All fields that may be functions of time, and the lists in which they are. */
typedef struct branch {
    size_t list, count,
        size;            /* in the structure that has it: the list and its length; of an entry */
    const size_t *field; /* [fields] in an entry            */
    int fields;
    const struct branch *inner; /* lists of an entry, to {0}; NULL: none */
} branch;

#define AT(type, member) offsetof(type, member)
#define END(e)                                                                                     \
    AT(withy_rod, end[e].position), AT(withy_rod, end[e].tangent), AT(withy_rod, end[e].normal),   \
        AT(withy_rod, end[e].frame), AT(withy_rod, end[e].force), AT(withy_rod, end[e].moment),    \
        AT(withy_rod, end[e].velocity), AT(withy_rod, end[e].acceleration),                        \
        AT(withy_rod, end[e].spin), AT(withy_rod, end[e].spin_rate)
static const size_t of_rod[] = {END(0), END(1)};
static const size_t of_load[] = {AT(withy_load, force), AT(withy_load, moment),
                                 AT(withy_load, tension), AT(withy_load, displacement)};
static const size_t of_joint[] = {AT(withy_joint, drive), AT(withy_joint, effort),
                                  AT(withy_joint, place[0].path), AT(withy_joint, place[1].path)};
static const size_t of_body_load[] = {AT(withy_body_load, force), AT(withy_body_load, moment)};
static const size_t of_obstacle[] = {AT(withy_obstacle, point)};

#define LIST(type, name, entry) AT(type, name), AT(type, name##_count), sizeof(entry)
#define FIELDS(list) list, sizeof(list) / sizeof *(list)
static const branch of_rods[] = {{LIST(withy_rod, load, withy_load), FIELDS(of_load), NULL},
                                 {LIST(withy_rod, pull, withy_load), FIELDS(of_load), NULL},
                                 {0}};
static const branch of_bodies[] = {
    {LIST(withy_body, load, withy_body_load), FIELDS(of_body_load), NULL}, {0}};
static const branch of_problem[] = {
    {LIST(withy_problem, rod, withy_rod), FIELDS(of_rod), of_rods},
    {LIST(withy_problem, joint, withy_joint), FIELDS(of_joint), NULL},
    {LIST(withy_problem, body, withy_body), NULL, 0, of_bodies},
    {LIST(withy_problem, obstacle, withy_obstacle), FIELDS(of_obstacle), NULL},
    {0}};

typedef struct binder {
    wy_arena *arena;
    wy_inputs *inputs;
    withy_error *err;
    int counting, found; /* first pass: how many fields are tables or inputs */
    const wy_feed *feed; /* feeding only, in place */
    int feeds, *fed;     /* [feeds] how many fields follow it */
} binder;

/* The index of a name, entered with its first value if it is new. */
static withy_status find_input(binder *b, const char *name, double value, int *index) {
    wy_inputs *in = b->inputs;
    for (*index = 0; *index < in->count; ++*index)
        if (strcmp(in->name[*index], name) == 0) break;
    if (*index < in->count && in->start[*index] != value)
        return wy_fail(
            b->err, WITHY_BAD_INPUT,
            "input \"%.60s\" starts at %g in one place and at %g in another; give it one "
            "first value",
            name, in->start[*index], value);
    if (*index < in->count) return WITHY_OK;
    in->name[*index] = wy_arena_text(b->arena, name), in->start[*index] = value;
    in->count++;
    return in->name[*index] ? WITHY_OK
                            : wy_fail(b->err, WITHY_NO_MEMORY, "no memory for the inputs");
}

static withy_status bind_inputs(binder *b, withy_field *field) {
    follower *f = wy_arena_take(b->arena, 1, sizeof *f);
    if (!f) return wy_fail(b->err, WITHY_NO_MEMORY, "no memory for the inputs");
    *f = (follower){.inputs = b->inputs, .size = field->size};
    for (int i = 0; i < field->size; i++) {
        f->index[i] = -1, f->value[i] = field->value[i];
        if (field->input[i]) WY_TRY(find_input(b, field->input[i], field->value[i], &f->index[i]));
    }
    *field = (withy_field){.size = field->size, .call = call_inputs, .context = f};
    return WITHY_OK;
}

static withy_status bind_table(binder *b, withy_field *field) {
    withy_field *kept = wy_arena_take(b->arena, 1, sizeof *kept);
    if (!kept) return wy_fail(b->err, WITHY_NO_MEMORY, "no memory for the signals");
    *kept = *field;
    *field = (withy_field){.size = kept->size, .call = call_table, .context = kept};
    return WITHY_OK;
}

static withy_status feed_field(binder *b, withy_field *field);

static withy_status bind_fields(binder *b, void *base, const size_t *offset, int count) {
    for (int i = 0; i < count; i++) {
        withy_field *field = (withy_field *)(void *)((char *)base + offset[i]);
        if (b->feed) {
            if (wy_field_has_input(field)) WY_TRY(feed_field(b, field));
            continue;
        }
        if (field->size == 0 || (!field->table && !wy_field_has_input(field))) continue;
        b->found++;
        if (!b->counting) WY_TRY(field->table ? bind_table(b, field) : bind_inputs(b, field));
    }
    return WITHY_OK;
}

/* Lists are only read while fields are counted or fed; where they are bound, in a copy. */
static withy_status bind_lists(binder *b, char *base, const branch *of) {
    for (; of->size; of++) {
        char *list;
        int count;
        memcpy(&list, base + of->list, sizeof list);
        memcpy(&count, base + of->count, sizeof count);
        if (!b->counting && !b->feed && count > 0) {
            char *own = wy_arena_take(b->arena, (size_t)count, of->size);
            if (!own) return wy_fail(b->err, WITHY_NO_MEMORY, "no memory for the signals");
            list = memcpy(own, list, (size_t)count * of->size);
            memcpy(base + of->list, &list, sizeof list);
        }
        for (int i = 0; i < count; i++, list += of->size) {
            WY_TRY(bind_fields(b, list, of->field, of->fields));
            if (of->inner) WY_TRY(bind_lists(b, list, of->inner));
        }
    }
    return WITHY_OK;
}

withy_status wy_signals_bind(withy_problem *problem, wy_arena *arena, wy_inputs *inputs,
                             withy_error *err) {
    binder b = {.arena = arena, .inputs = inputs, .err = err, .counting = 1};
    *inputs = (wy_inputs){0};
    WY_TRY(bind_lists(&b, (char *)problem, of_problem));
    if (b.found == 0) return WITHY_OK;
    const size_t most = (size_t)b.found * WITHY_FIELD_MAX;
    inputs->name = wy_arena_take(arena, most, sizeof *inputs->name);
    inputs->start = wy_arena_take(arena, most, sizeof *inputs->start);
    if (!inputs->name || !inputs->start)
        return wy_fail(err, WITHY_NO_MEMORY, "no memory for the signals");
    inputs->now = inputs->start;
    b.counting = 0;
    return bind_lists(&b, (char *)problem, of_problem);
}

/* ---- inputs that are known from the start ------------------------------------------------------------ */

/* The context of a vector whose components are signals of their own. */
typedef struct mixture {
    int size;
    withy_field part[WITHY_FIELD_MAX];
} mixture;

static withy_status call_mixture(void *context, double s, double t, double *out, withy_error *err) {
    const mixture *m = context;
    for (int i = 0; i < m->size; i++) WY_TRY(withy_field_at(&m->part[i], s, t, &out[i], err));
    return WITHY_OK;
}

static const wy_feed *feed_of(const binder *b, const char *name) {
    for (int i = 0; name && i < b->feeds; i++)
        if (strcmp(b->feed[i].name, name) == 0) {
            b->fed[i]++;
            return &b->feed[i];
        }
    return NULL;
}

static withy_status feed_field(binder *b, withy_field *field) {
    const wy_feed *found[WITHY_FIELD_MAX] = {0}, *any = NULL;
    for (int i = 0; i < field->size; i++)
        if ((found[i] = feed_of(b, field->input[i]))) any = found[i];
    if (!any) return WITHY_OK;
    if (field->size == 1) {
        *field = any->from;
        return WITHY_OK;
    }
    mixture *m = wy_arena_take(b->arena, 1, sizeof *m);
    if (!m) return wy_fail(b->err, WITHY_NO_MEMORY, "no memory for the inputs");
    m->size = field->size;
    for (int i = 0; i < field->size; i++) {
        if (field->input[i] && !found[i])
            return wy_fail(b->err, WITHY_BAD_INPUT,
                           "inputs.%.60s" WY_KEY
                           ": is in one vector with the input \"%.60s\", which is not "
                           "given; give both or neither",
                           any->name, field->input[i]);
        m->part[i] = found[i] ? found[i]->from : withy_field_number(field->value[i]);
    }
    *field = (withy_field){.size = m->size, .call = call_mixture, .context = m};
    return WITHY_OK;
}

withy_status wy_signals_feed(withy_problem *problem, const wy_feed *feed, int count,
                             wy_arena *arena, withy_error *err) {
    if (count == 0) return WITHY_OK;
    binder b = {.arena = arena, .err = err, .feed = feed, .feeds = count};
    b.fed = wy_arena_take(arena, (size_t)count, sizeof *b.fed);
    if (!b.fed) return wy_fail(err, WITHY_NO_MEMORY, "no memory for the inputs");
    WY_TRY(bind_lists(&b, (char *)problem, of_problem));
    for (int i = 0; i < count; i++)
        if (!b.fed[i])
            return wy_fail(err, WITHY_BAD_INPUT,
                           "inputs.%.60s" WY_KEY
                           ": nothing follows an input of this name; write input "
                           "\"%.60s\" in place of a number that may change in time",
                           feed[i].name, feed[i].name);
    return WITHY_OK;
}
