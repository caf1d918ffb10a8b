/* jump.c - see gradient.h.  Where two samples differ, halves of the interval tell whether there is a jump, and find it to
 * rounding; a function whose jump is still there, and as high, at other values of a parameter is not moved by it. */
#include "study/gradient/gradient.h"

#include "model/schema/schema.h"

/* A function, and its argument that is not searched. */
typedef struct place {
    const withy_field *field;
    double other, length; /* s, or t; of its rod */
    char what[64];
} place;

typedef struct list {
    const wy_entries *entries;
    int along_s, count, room;
    double length; /* of the rod that is visited */
    place *place;  /* NULL: only counted */
} list;

/* "force of end 2 of rod 1": the key that writes the field, and the tables it is in. */
static void name_of(place *to, const wy_entries *entries, const wy_instance *x, size_t offset) {
    const int tag = wy_structure_tag(entries, x->of, x->at);
    const wy_key *key;
    for (int i = 0; (key = wy_key_at(i)) != NULL && !to->what[0]; i++)
        if (key->offset == offset && wy_key_is_in(key, x->of, tag))
            wy_append(to->what, sizeof to->what, "%s", key->name);
    for (; x->in; x = x->in) {
        const int several = x->by->count || x->by->size > wy_structure_size(x->of);
        wy_append(to->what, sizeof to->what, " of %s", wy_structure_group(x->of));
        if (several) wy_append(to->what, sizeof to->what, " %d", x->index + 1);
    }
}

/* A function of a structure; other: its argument that is not searched. */
typedef struct function {
    const wy_entries *entries;
    const wy_instance *in;
    size_t offset;
    const withy_field *field;
} function;

static void add(list *x, const function *f, double other) {
    if (f->field->size == 0 || (!f->field->call && !f->field->table) || f->field->input[0]) return;
    if (x->place && x->count < x->room) {
        place *to = &x->place[x->count];
        *to = (place){.field = f->field, .other = other, .length = x->length};
        name_of(to, f->entries, f->in, f->offset);
    }
    x->count++;
}

/* A load along the rod is a function of both: over time it is looked at at some stations. */
static void add_load(list *x, const function *f) {
    static const double share[] = {0.03, 0.25, 0.5, 0.75, 0.97};
    const withy_load *load = (const void *)f->in->at;
    const int spread = load->kind == WITHY_LOAD_DISTRIBUTED;
    if (x->along_s && spread) add(x, f, 0);
    for (int k = 0; k < (spread ? 5 : 1) && !x->along_s; k++)
        add(x, f, load->from + (spread ? share[k] : 0) * (load->to - load->from));
}

/* Along s: what a rod is made of, and its loads; over time all others. */
static int add_structure(void *context, const wy_entries *entries, const wy_instance *in) {
    list *x = context;
    const int is_rod = in->of == WY_IN_ROD || in->of == WY_IN_SECTION || in->of == WY_IN_SHAPE;
    if (in->of == WY_IN_ROD) x->length = ((const withy_rod *)(const void *)in->at)->length;
    if (in->of == WY_IN_LOAD && in->by->offset == offsetof(withy_rod, pull)) return 0;
    for (int i = 0; i < entries->count[in->of]; i++) {
        const wy_entry *e = &entries->entry[in->of][i];
        function f = {entries, in, e->offset, (const void *)(in->at + e->offset)};
        const int timed = e->timed && !is_rod;
        if (e->kind != WY_ENTRY_FIELDS || timed == is_rod) continue;
        for (size_t k = 0; k < e->size / sizeof *f.field; k++, f.field++)
            if (in->of == WY_IN_LOAD)
                add_load(x, &f);
            else if (x->along_s == is_rod)
                add(x, &f, in->of == WY_IN_END && in->index ? x->length : 0);
    }
    return 1;
}

static void list_all(list *x, const withy_problem *problem) {
    const wy_instance whole = {.of = WY_IN_PROBLEM, .at = (const char *)problem};
    x->count = 0, x->length = 1;
    wy_structures_visit(x->entries, &whole, add_structure, x);
}

/* ---- jumps ------------------------------------------------------------------------------------------- */

static withy_status value(const place *p, int along_s, double at, double *out, withy_error *err) {
    return along_s ? withy_field_at(p->field, at, p->other, out, err)
                   : withy_field_at(p->field, p->other, at, out, err);
}

static double apart(const place *p, const double *a, const double *b) {
    double most = 0;
    for (int i = 0; i < p->field->size; i++) most = wy_max(most, fabs(a[i] - b[i]));
    return most;
}

/* A jump between *a and *b, which close in on it; fa, fb: the values there.  A jump of the size of rounding, of `scale`, does not count: a corner
 * next to a sample.  A change that is steep, but no jump, counts where it is sudden and high: no step resolves it. */
static withy_status find_jump(const place *p, int along_s, double scale, double *a, double *b,
                              double *fa, double *fb, int *found, withy_error *err) {
    enum { MOST = 60, SOON = 4 };
    static const double ROUNDING = 1e-12, HIGH = 0.1;
    const double whole = apart(p, fa, fb);
    double fm[WITHY_FIELD_MAX];
    *found = whole > ROUNDING * scale;
    for (int i = 0; i < MOST && *found; i++) {
        const double m = *a + 0.5 * (*b - *a);
        if (!(m > *a && m < *b)) break;
        WY_TRY(value(p, along_s, m, fm, err));
        const int first = apart(p, fa, fm) > apart(p, fm, fb);
        if (i >= SOON && !(wy_max(apart(p, fa, fm), apart(p, fm, fb)) > 0.4 * whole)) {
            *found = i > SOON && whole > HIGH * scale;
            break;
        }
        *(first ? b : a) = m;
        memcpy(first ? fb : fa, fm, (size_t)p->field->size * sizeof *fm);
    }
    return WITHY_OK;
}

/* The largest of its values. */
static withy_status scale_of(const place *p, int along_s, double from, double to, double *scale,
                             withy_error *err) {
    enum { SAMPLES = 64 };
    double at[WITHY_FIELD_MAX], none[WITHY_FIELD_MAX] = {0};
    *scale = 0;
    for (int n = 0; n <= SAMPLES; n++) {
        WY_TRY(value(p, along_s, from + (to - from) * n / SAMPLES, at, err));
        *scale = wy_max(*scale, apart(p, at, none));
    }
    return WITHY_OK;
}

typedef struct search {
    const wy_jump_range *range;
    const list *here;
    const list *near; /* [2 count] */
    int count;
    wy_jump *found;
    withy_error *err;
} search;

/* How high function i jumps there in another problem: height[]. */
static withy_status height_in(search *x, const list *near, int i, double a, double b,
                              double *height) {
    static const double SAME = 1e-9; /* of the range: the same place */
    const place *p = &x->here->place[i], *q = &near->place[i];
    const int along_s = x->range->along_s;
    const double wide = SAME * (along_s ? p->length : x->range->to);
    const double scale = along_s ? q->length / p->length : 1; /* shares of a rod */
    double before[WITHY_FIELD_MAX], after[WITHY_FIELD_MAX];
    WY_TRY(value(q, along_s, scale * wy_max(a - wide, 0), before, x->err));
    WY_TRY(value(q, along_s, scale * (b + wide), after, x->err));
    for (int c = 0; c < p->field->size; c++) height[c] = after[c] - before[c];
    return WITHY_OK;
}

static int is_alike(const search *x, const list *near, int i) {
    return near->count == x->here->count &&
           near->place[i].field->size == x->here->place[i].field->size;
}

/* Is the jump of function i between a and b elsewhere for other values of a parameter?  One that stays is as high in the mean of
 * a smaller and a larger value; of one that is moved nothing is left there. */
static withy_status compare(search *x, int i, double a, double b, const double *fa,
                            const double *fb) {
    const place *p = &x->here->place[i];
    for (int k = 0; k < x->count && !x->found->moved; k++) {
        const list *near = &x->near[2 * k];
        double low[WITHY_FIELD_MAX], high[WITHY_FIELD_MAX], miss = 0;
        if (!is_alike(x, &near[0], i) || !is_alike(x, &near[1], i))
            continue; /* refused elsewhere */
        WY_TRY(height_in(x, &near[0], i, a, b, low));
        WY_TRY(height_in(x, &near[1], i, a, b, high));
        for (int c = 0; c < p->field->size; c++)
            miss = wy_max(miss, fabs(0.5 * (low[c] + high[c]) - (fb[c] - fa[c])));
        if (!(miss > 0.25 * apart(p, fa, fb))) continue;
        x->found->moved = 1, x->found->parameter = k, x->found->at = b;
        memcpy(x->found->what, p->what, sizeof p->what);
    }
    return WITHY_OK;
}

static withy_status scan(search *x, int i) {
    const place *p = &x->here->place[i];
    const wy_jump_range *r = x->range;
    const double from = r->along_s ? 0 : r->from, to = r->along_s ? p->length : r->to;
    double before[WITHY_FIELD_MAX], now[WITHY_FIELD_MAX], scale;
    WY_TRY(scale_of(p, r->along_s, from, to, &scale, x->err));
    WY_TRY(value(p, r->along_s, from, before, x->err));
    for (int n = 1; n <= r->samples && !x->found->moved; n++) {
        double a = from + (to - from) * (n - 1) / r->samples, fa[WITHY_FIELD_MAX];
        double b = from + (to - from) * n / r->samples, fb[WITHY_FIELD_MAX];
        int found;
        WY_TRY(value(p, r->along_s, b, now, x->err));
        memcpy(fa, before, sizeof fa), memcpy(fb, now, sizeof fb);
        WY_TRY(find_jump(p, r->along_s, scale, &a, &b, fa, fb, &found, x->err));
        if (found) WY_TRY(compare(x, i, a, b, fa, fb));
        memcpy(before, now, sizeof before);
    }
    return WITHY_OK;
}

static withy_status make_list(const withy_problem *problem, const wy_entries *entries, int along_s,
                              wy_arena *arena, list *x, withy_error *err) {
    *x = (list){.entries = entries, .along_s = along_s};
    list_all(x, problem);
    x->room = x->count;
    x->place = wy_arena_alloc(arena, (size_t)x->count + 1, sizeof *x->place);
    if (!x->place) return wy_no_memory(err, "no memory for derivatives");
    list_all(x, problem);
    return WITHY_OK;
}

withy_status wy_jump_find(const withy_problem *here, const withy_problem *const *near, int count,
                          const wy_jump_range *range, wy_jump *found, withy_error *err) {
    wy_arena arena = {0};
    wy_entries entries;
    wy_entries_list(&entries);
    list own, *other = wy_arena_alloc(&arena, 2 * (size_t)count + 1, sizeof *other);
    *found = (wy_jump){0};
    withy_status status = make_list(here, &entries, range->along_s, &arena, &own, err);
    if (!other) status = wy_no_memory(err, "no memory for derivatives");
    for (int k = 0; k < 2 * count && status == WITHY_OK && own.count > 0; k++)
        status = make_list(near[k], &entries, range->along_s, &arena, &other[k], err);
    search x = {range, &own, other, count, found, err};
    for (int i = 0; i < own.count && status == WITHY_OK && !found->moved; i++) status = scan(&x, i);
    wy_arena_free(&arena);
    return status;
}
