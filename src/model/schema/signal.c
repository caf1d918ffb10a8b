/* signal.c - what varies in time without a function of the user: tables and named inputs. */
#include "model/model.h"
#include "model/schema/structure.h"
#include "numeric/interpolate/interpolate.h"

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

typedef struct binder {
    wy_entries entries;
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
        return wy_bad_input(b->err,
                            "input \"%.60s\" starts at %g in one place and at %g in another; give "
                            "it one first value",
                            name, in->start[*index], value);
    if (*index < in->count) return WITHY_OK;
    in->name[*index] = wy_arena_text(b->arena, name), in->start[*index] = value;
    in->count++;
    return in->name[*index] ? WITHY_OK : wy_no_memory(b->err, "no memory for the inputs");
}

static withy_status bind_inputs(binder *b, withy_field *field) {
    follower *f = wy_arena_alloc(b->arena, 1, sizeof *f);
    if (!f) return wy_no_memory(b->err, "no memory for the inputs");
    *f = (follower){.inputs = b->inputs, .size = field->size};
    for (int i = 0; i < field->size; i++) {
        f->index[i] = -1, f->value[i] = field->value[i];
        if (field->input[i]) WY_TRY(find_input(b, field->input[i], field->value[i], &f->index[i]));
    }
    *field = (withy_field){.size = field->size, .call = call_inputs, .context = f};
    return WITHY_OK;
}

static withy_status bind_table(binder *b, withy_field *field) {
    withy_field *kept = wy_arena_alloc(b->arena, 1, sizeof *kept);
    if (!kept) return wy_no_memory(b->err, "no memory for the signals");
    *kept = *field;
    *field = (withy_field){.size = kept->size, .call = call_table, .context = kept};
    return WITHY_OK;
}

static withy_status feed_field(binder *b, withy_field *field);

static withy_status bind_field(binder *b, withy_field *field) {
    if (b->feed) return wy_field_has_input(field) ? feed_field(b, field) : WITHY_OK;
    if (field->size == 0 || (!field->table && !wy_field_has_input(field))) return WITHY_OK;
    b->found++;
    if (b->counting) return WITHY_OK;
    return field->table ? bind_table(b, field) : bind_inputs(b, field);
}

/* Lists are only read while fields are counted or fed; where they are bound, in a copy. */
static withy_status own_list(const binder *b, const wy_entry *e, char *structure) {
    int count;
    const char *list = wy_entry_first(e, structure, &count);
    if (b->counting || b->feed || count <= 0) return WITHY_OK;
    char *own = wy_arena_alloc(b->arena, (size_t)count, wy_structure_size(e->of));
    if (!own) return wy_no_memory(b->err, "no memory for the signals");
    memcpy(own, list, (size_t)count * wy_structure_size(e->of));
    memcpy(structure + e->offset, &own, sizeof own);
    return WITHY_OK;
}

static withy_status bind_structure(binder *b, wy_structure of, char *at) {
    for (int i = 0; i < b->entries.count[of]; i++) {
        const wy_entry *e = &b->entries.entry[of][i];
        int count;
        if (e->timed) WY_TRY(bind_field(b, (withy_field *)(void *)(at + e->offset)));
        if (e->kind < WY_ENTRY_WITHIN) continue;
        if (e->kind == WY_ENTRY_LIST) WY_TRY(own_list(b, e, at));
        char *first = (char *)(uintptr_t)wy_entry_first(e, at, &count);
        for (int k = 0; k < count; k++)
            WY_TRY(bind_structure(b, e->of, first + (size_t)k * wy_structure_size(e->of)));
    }
    return WITHY_OK;
}

static withy_status bind_all(binder *b, withy_problem *problem) {
    wy_entries_list(&b->entries);
    return bind_structure(b, WY_IN_PROBLEM, (char *)problem);
}

withy_status wy_signals_bind(withy_problem *problem, wy_arena *arena, wy_inputs *inputs,
                             withy_error *err) {
    binder b = {.arena = arena, .inputs = inputs, .err = err, .counting = 1};
    *inputs = (wy_inputs){0};
    WY_TRY(bind_all(&b, problem));
    if (b.found == 0) return WITHY_OK;
    const size_t most = (size_t)b.found * WITHY_FIELD_MAX;
    inputs->name = wy_arena_alloc(arena, most, sizeof *inputs->name);
    inputs->start = wy_arena_alloc(arena, most, sizeof *inputs->start);
    if (!inputs->name || !inputs->start) return wy_no_memory(err, "no memory for the signals");
    inputs->now = inputs->start;
    b.counting = 0;
    return bind_all(&b, problem);
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
    mixture *m = wy_arena_alloc(b->arena, 1, sizeof *m);
    if (!m) return wy_no_memory(b->err, "no memory for the inputs");
    m->size = field->size;
    for (int i = 0; i < field->size; i++) {
        if (field->input[i] && !found[i])
            return wy_bad_input(b->err,
                                "inputs.%.60s" WY_KEY
                                ": is in one vector with the input \"%.60s\", which is not given; "
                                "give both or neither",
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
    b.fed = wy_arena_alloc(arena, (size_t)count, sizeof *b.fed);
    if (!b.fed) return wy_no_memory(err, "no memory for the inputs");
    WY_TRY(bind_all(&b, problem));
    for (int i = 0; i < count; i++)
        if (!b.fed[i])
            return wy_bad_input(err,
                                "inputs.%.60s" WY_KEY
                                ": nothing follows an input of this name; write input \"%.60s\" in "
                                "place of a number that may change in time",
                                feed[i].name, feed[i].name);
    return WITHY_OK;
}
