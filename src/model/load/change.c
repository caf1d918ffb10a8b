/* change.c - where loads and driven ends change: what a method that chooses its own steps must not step
 * over.
 *
 * Tables are known: their rows are the samples, however close they are.  Functions are sampled at
 * 5000 instants, once, so that a pulse longer than two of their distances, two grains, is seen wherever it lies; where two samples differ by
 * much of the range of the signal, bisection decides whether there is a jump, and finds it to rounding.
 * The result is a map: the jumps, and for every cell of the time it covers the longest step within which each
 * signal follows the parabola through its ends and its middle.
 */
#include "model/model.h"
#include "model/schema/structure.h"
#include "numeric/interpolate/interpolate.h"

/* Allowed distance from the parabola, and the least jump between two samples that is looked into, of
 * the range of the signal. */
static const double FOLLOWS = 0.05, JUMP = 0.2;
/* Of the time: what changes fast more often than that is not an exception. */
static const double SELDOM = 0.1;
/* Grains of a cell, and of the longest interval that is compared with a parabola. */
enum { CELL = 16, CHUNK = 512, GRAINS = CELL * WY_CHANGE_CELLS };
/* FIRST: samples for a first range of a signal. */
enum { FIRST = 64, ROWS_MOST = 64, BISECTIONS = 60, STATIONS = 5 };

static const double station[STATIONS] = {0.03, 0.25, 0.5, 0.75, 0.97};

/* ---- the list ------------------------------------------------------------------------------------ */

static void add(wy_changes *x, const withy_field *field, double s) {
    if (field->size == 0 || !field->call) return;
    if (wy_signal_is_input(field)) {
        x->live = 1;
        return;
    }
    if (x->signal) x->signal[x->count] = (wy_change){field, wy_signal_table(field), s};
    x->count++;
}

/* What acts along the rod is sampled at some stations; its table is the same at all of them. */
static void add_along(wy_changes *x, const withy_field *field, double from, double to) {
    const int one = !(to > from) || wy_signal_table(field);
    for (int k = 0; k < (one ? 1 : STATIONS); k++)
        add(x, field, one ? from : from + station[k] * (to - from));
}

static void add_load(wy_changes *x, const withy_load *load, const withy_field *field) {
    add_along(x, field, load->from, load->kind == WITHY_LOAD_DISTRIBUTED ? load->to : load->from);
}

/* Strains of a shape change in the rest shape alone. */
static void add_shape(wy_changes *x, const wy_instance *at, const withy_field *field) {
    const withy_rod *rod = (const void *)at->in->at;
    if (at->at == (const char *)&rod->rest && wy_shape_in_time(&rod->rest))
        add_along(x, field, 0, rod->length);
}

/* Loads that are removed at t = 0 change nothing. */
static int is_removed(const wy_instance *x) {
    return x->of == WY_IN_LOAD && x->by->offset == offsetof(withy_rod, pull);
}

static int add_structure(void *context, const wy_entries *entries, const wy_instance *x) {
    const void *at = x->at;
    if (is_removed(x)) return 0;
    for (int i = 0; i < entries->count[x->of]; i++) {
        const wy_entry *e = &entries->entry[x->of][i];
        const withy_field *field = (const void *)(x->at + e->offset);
        if (!e->timed) continue;
        if (x->of == WY_IN_LOAD)
            add_load(context, at, field);
        else if (x->of == WY_IN_ROD)
            add_along(context, field, 0, ((const withy_rod *)at)->length);
        else if (x->of == WY_IN_SHAPE)
            add_shape(context, x, field);
        else
            add(context, field,
                x->of == WY_IN_END && x->index
                    ? ((const withy_rod *)(const void *)x->in->at)->length
                    : 0);
    }
    return 1;
}

static void list(wy_changes *x, const withy_problem *problem) {
    const wy_instance whole = {.of = WY_IN_PROBLEM, .at = (const char *)problem};
    wy_entries entries;
    x->count = x->live = 0;
    wy_entries_list(&entries);
    wy_structures_visit(&entries, &whole, add_structure, x);
}

withy_status wy_changes_make(const withy_problem *problem, wy_arena *arena, wy_changes *out,
                             withy_error *err) {
    *out = (wy_changes){0};
    list(out, problem);
    out->signal = wy_arena_alloc(arena, (size_t)out->count + 1, sizeof *out->signal);
    if (!out->signal) return wy_no_memory(err, "no memory for the signals");
    list(out, problem);
    return WITHY_OK;
}

/* ---- one signal ---------------------------------------------------------------------------------- */

typedef struct scan {
    const wy_change *signal;
    wy_change_range *range;
    double from, to, least; /* changes that are closer to `from` than `least` are behind it */
    withy_error *err;
} scan;

static withy_status value(const scan *x, double t, double *out) {
    return withy_field_at(x->signal->field, x->signal->s, t, out, x->err);
}

static void widen(wy_change_range *range, const double *f, int size) {
    for (int i = 0; i < size; i++) {
        if (!range->known || f[i] < range->low[i]) range->low[i] = f[i];
        if (!range->known || f[i] > range->high[i]) range->high[i] = f[i];
    }
    range->known = 1;
}

/* Largest difference of two values over the range of the signal, all components together. */
static double apart(const scan *x, const double *a, const double *b) {
    double most = 0, whole = 0;
    for (int i = 0; i < x->signal->field->size; i++) {
        most = wy_max(most, fabs(a[i] - b[i]));
        whole = wy_max(whole, x->range->high[i] - x->range->low[i]);
    }
    return whole > 0 ? most / whole : 0;
}

/* A jump between a and b, found to rounding: *at; or none. */
static withy_status find_jump(const scan *x, double a, double b, int *found, double *at) {
    double fa[WITHY_FIELD_MAX], fb[WITHY_FIELD_MAX], fm[WITHY_FIELD_MAX];
    WY_TRY(value(x, a, fa));
    WY_TRY(value(x, b, fb));
    const double whole = apart(x, fa, fb);
    for (int i = 0; i < BISECTIONS; i++) {
        const double m = a + 0.5 * (b - a);
        if (!(m > a && m < b)) break;
        WY_TRY(value(x, m, fm));
        const int first = apart(x, fa, fm) > apart(x, fm, fb);
        if (first)
            b = m;
        else
            a = m;
        for (int k = 0; k < x->signal->field->size; k++) (first ? fb : fa)[k] = fm[k];
        if (apart(x, fa, fb) < 0.25 * whole) break; /* steep, but without a jump */
    }
    *found = apart(x, fa, fb) > 0.5 * whole;
    *at = b;
    return WITHY_OK;
}

/* ---- the map of the functions ---------------------------------------------------------------------- */

/* The samples of CHUNK grains, and which of the intervals between them hold a jump. */
typedef struct chunk {
    double f[CHUNK + 1][WITHY_FIELD_MAX];
    unsigned char jump[CHUNK];
} chunk;

static double sample_time(const wy_change_map *map, int i) {
    return map->from + map->grain * i;
}

static void add_edge(wy_change_map *map, double at) {
    int i = (int)map->edges;
    while (i > 0 && map->edge[i - 1] > at) i--;
    if (i > 0 && map->edge[i - 1] == at) return;
    if (map->edges == WY_CHANGE_EDGES) { /* no room: the map ends before the last */
        map->to = wy_min(map->to, map->edge[--map->edges]);
        if (i > map->edges) {
            map->to = wy_min(map->to, at);
            return;
        }
    }
    for (int k = (int)map->edges; k > i; k--) map->edge[k] = map->edge[k - 1];
    map->edge[i] = at;
    map->edges++;
}

/* Sample and look for jumps. */
static withy_status fill(const scan *x, wy_change_map *map, int first, chunk *c) {
    const int size = x->signal->field->size;
    for (int i = 0; i <= CHUNK; i++) {
        WY_TRY(value(x, sample_time(map, first + i), c->f[i]));
        widen(x->range, c->f[i], size);
        if (i == 0) continue;
        int found = 0;
        double at;
        if (apart(x, c->f[i - 1], c->f[i]) > JUMP)
            WY_TRY(find_jump(x, sample_time(map, first + i - 1), sample_time(map, first + i),
                             &found, &at));
        if (found) add_edge(map, at);
        c->jump[i - 1] = (unsigned char)found;
    }
    return WITHY_OK;
}

/* Do the samples a .. b follow the parabola through both ends and the middle?  On either side of a jump by
 * themselves. */
static int follows(const scan *x, const chunk *c, int a, int b) {
    for (int i = a; i < b; i++)
        if (c->jump[i]) return follows(x, c, a, i) && follows(x, c, i + 1, b);
    const int middle = (a + b) / 2;
    if (b - a < 3) return 1;
    const double v = (double)(middle - a) / (b - a);
    for (int i = a + 1; i < b; i++) {
        double p[WITHY_FIELD_MAX];
        const double u = (double)(i - a) / (b - a), l0 = (u - v) * (u - 1) / v,
                     l1 = u * (u - 1) / (v * (v - 1)), l2 = u * (u - v) / (1 - v);
        for (int k = 0; k < x->signal->field->size; k++)
            p[k] = l0 * c->f[a][k] + l1 * c->f[middle][k] + l2 * c->f[b][k];
        if (apart(x, c->f[i], p) > FOLLOWS) return 0;
    }
    return 1;
}

/* The longest steps within the samples a .. b of the chunk that begins with sample `first`. */
static void limit_cells(const scan *x, const chunk *c, int first, int a, int b,
                        wy_change_map *map) {
    if (b - a > 2 && !follows(x, c, a, b)) {
        limit_cells(x, c, first, a, (a + b) / 2, map);
        limit_cells(x, c, first, (a + b) / 2, b, map);
        return;
    }
    if (b - a == CHUNK) return; /* no limit */
    for (int i = a / CELL; i * CELL < b; i++) {
        double *limit = &map->limit[first / CELL + i];
        *limit = wy_min(*limit, (b - a) * map->grain);
    }
}

static withy_status scan_function(const scan *x, wy_change_map *map, chunk *c) {
    const int size = x->signal->field->size, count = GRAINS;
    for (int i = 0; i <= FIRST; i++) {
        WY_TRY(value(x, map->from + (map->to - map->from) * i / FIRST, c->f[0]));
        widen(x->range, c->f[0], size);
    }
    for (int first = 0; first < count; first += CHUNK) {
        WY_TRY(fill(x, map, first, c));
        limit_cells(x, c, first, 0, CHUNK, map);
    }
    return WITHY_OK;
}

/* From t to the end. */
static withy_status draw(const wy_changes *x, wy_change_range *range, double t, wy_change_map *map,
                         withy_error *err) {
    chunk c;
    map->from = t, map->to = map->end, map->grain = (map->end - t) / GRAINS, map->edges = 0;
    for (int i = 0; i < WY_CHANGE_CELLS; i++) map->limit[i] = INFINITY;
    for (int i = 0; i < x->count; i++) {
        const scan at = {&x->signal[i], &range[i], map->from, map->end, 0, err};
        if (!at.signal->table) WY_TRY(scan_function(&at, map, &c));
    }
    return WITHY_OK;
}

static int has_functions(const wy_changes *x) {
    int functions = 0;
    for (int i = 0; i < x->count; i++) functions |= !x->signal[i].table;
    return functions;
}

withy_status wy_changes_begin(const wy_changes *x, wy_change_range *range, wy_change_map *map,
                              double begin, double end, withy_error *err) {
    *map = (wy_change_map){.begin = begin, .end = end, .grain = (end - begin) / GRAINS};
    return has_functions(x) ? draw(x, range, begin, map, err) : WITHY_OK;
}

int wy_changes_halvings(const wy_changes *x, const wy_change_map *map, double longest) {
    for (int halvings = 0; has_functions(x); longest *= 0.5, halvings++) {
        int few = 0;
        for (int i = 0; i < WY_CHANGE_CELLS; i++) few += map->limit[i] < longest;
        if (few <= SELDOM * WY_CHANGE_CELLS || longest < map->grain) return halvings;
    }
    return 0;
}

/* from .. *to without an edge inside; and either without a cell that allows less than `longest`, or not longer
 * than such cells allow. */
static void limit_functions(const wy_change_map *map, double from, double longest, double *to,
                            int *shape) {
    const double least = 1e-9 * map->grain, cell = CELL * map->grain;
    for (int i = 0; i < map->edges && map->edge[i] < *to; i++)
        if (map->edge[i] > from + least) *to = map->edge[i], *shape = 0;
    const double place = (from + least - map->from) / cell; /* a map from a file may be elsewhere */
    const int first = (int)wy_max(0, wy_min(place, WY_CHANGE_CELLS));
    const int limited = first < WY_CHANGE_CELLS && map->limit[first] < longest;
    for (int i = first; i < WY_CHANGE_CELLS; i++) {
        const double begin = map->from + cell * i;
        if (begin >= *to) break;
        if (map->limit[i] >= longest) continue;
        const double end = limited ? wy_max(begin, from + map->limit[i]) : begin;
        if (end < *to) *to = end, *shape = limited;
    }
    if (map->to > from + least && map->to < *to) *to = map->to, *shape = 0;
}

/* ---- tables ---------------------------------------------------------------------------------------- */

/* The first row after t. */
static int row_after(const withy_field *table, double t) {
    const int width = 1 + table->size;
    int row = wy_place_in(table->table, width, table->rows, t);
    while (row < table->rows && table->table[(size_t)row * (size_t)width] <= t) row++;
    return row;
}

/* Rows between both ends, by their distance from the straight line: the interval ends at the first row beyond
 * which it would be too far. */
static withy_status limit_table(scan *x) {
    const withy_field *table = x->signal->table;
    const size_t width = 1 + (size_t)table->size;
    double a[WITHY_FIELD_MAX], b[WITHY_FIELD_MAX], p[WITHY_FIELD_MAX];
    WY_TRY(value(x, x->from, a));
    widen(x->range, a, table->size);
    const int first = row_after(table, x->from + x->least);
    for (int row = first; row < table->rows; row++) {
        const double *end = &table->table[(size_t)row * width];
        if (end[0] >= x->to) break;
        widen(x->range, end + 1, table->size);
    }
    for (int row = first + 1; row <= table->rows; row++) {
        const double *last = &table->table[(size_t)(row - 1) * width]; /* it would be passed */
        if (row - 1 >= table->rows || last[0] >= x->to) break;
        if (row - first > ROWS_MOST) {
            x->to = last[0];
            break;
        }
        const double t =
            row < table->rows ? wy_min(table->table[(size_t)row * width], x->to) : x->to;
        WY_TRY(value(x, t, b));
        for (int k = first; k < row; k++) {
            const double *at = &table->table[(size_t)k * width],
                         u = (at[0] - x->from) / (t - x->from);
            for (int i = 0; i < table->size; i++) p[i] = a[i] + u * (b[i] - a[i]);
            if (apart(x, at + 1, p) <= FOLLOWS) continue;
            x->to = last[0];
            return WITHY_OK;
        }
    }
    return WITHY_OK;
}

/* The map ends before its time when it has too many edges: it is drawn anew from there, and
 * again for a motion that begins again. */
static withy_status look_up(const wy_changes *x, wy_change_range *range, double t,
                            wy_change_map *map, withy_error *err) {
    const double least = 1e-9 * map->grain;
    if (t >= map->from && (t < map->to - least || !(map->to < map->end - least))) return WITHY_OK;
    return draw(x, range, t < map->from ? map->begin : t, map, err);
}

withy_status wy_changes_limit(const wy_changes *x, wy_change_range *range, wy_change_map *map,
                              double from, double longest, double *to, int *shape,
                              withy_error *err) {
    *shape = 0;
    for (int i = 0; i < x->count; i++) {
        scan at = {&x->signal[i], &range[i], from, *to, 1e-9 * map->grain, err};
        if (at.signal->table) WY_TRY(limit_table(&at));
        if (at.to < *to) *to = at.to, *shape = 1;
    }
    if (!has_functions(x)) return WITHY_OK;
    WY_TRY(look_up(x, range, from, map, err));
    limit_functions(map, from, longest, to, shape);
    return WITHY_OK;
}

/* ---- late changes ------------------------------------------------------------------------------------ */

static const double BENDS =
    1e-4; /* of the range: what a sample is off the line through its neighbours */
static const double LATE = 3; /* times what is left: a rest before a change */

/* The changes of one signal as they come; `late`: the first one after a rest LATE times as long as what is left after it. */
typedef struct late_changes {
    double last, end, late;
} late_changes;

static void add_change(late_changes *changes, double t) {
    if (t - changes->last > LATE * (changes->end - t) && t < changes->late) changes->late = t;
    changes->last = t;
}

static int bends(const scan *x, const double *a, double ta, const double *b, double tb,
                 const double *c, double tc) {
    double p[WITHY_FIELD_MAX];
    const double u = tc > ta ? (tb - ta) / (tc - ta) : 0;
    for (int i = 0; i < x->signal->field->size; i++) p[i] = a[i] + u * (c[i] - a[i]);
    return apart(x, b, p) > BENDS;
}

static withy_status late_rows(const scan *x, late_changes *changes) {
    const withy_field *table = x->signal->table;
    const size_t width = 1 + (size_t)table->size;
    for (int pass = 0; pass < 2; pass++)
        for (int row = row_after(table, x->from); row < table->rows; row++) {
            const double *at = &table->table[(size_t)row * width];
            const double *before = row > 0 ? at - width : at;
            const double *after = row + 1 < table->rows ? at + width : at;
            if (at[0] >= x->to) break;
            if (pass == 0) widen(x->range, at + 1, table->size);
            /* beyond its rows a table stays as it is */
            const double t0 = row > 0 ? before[0] : at[0] - 1;
            const double t2 = row + 1 < table->rows ? after[0] : at[0] + 1;
            if (pass && bends(x, before + 1, t0, at + 1, at[0], after + 1, t2))
                add_change(changes, at[0]);
        }
    return WITHY_OK;
}

static withy_status late_samples(const scan *x, late_changes *changes) {
    double f[3][WITHY_FIELD_MAX];
    const double grain = (x->to - x->from) / GRAINS;
    for (int i = 0; i <= GRAINS; i++) {
        for (int k = 0; k < WITHY_FIELD_MAX; k++) f[0][k] = f[1][k], f[1][k] = f[2][k];
        WY_TRY(value(x, x->from + grain * i, f[2]));
        widen(x->range, f[2], x->signal->field->size);
        if (i > 1 && bends(x, f[0], 0, f[1], 1, f[2], 2))
            add_change(changes, x->from + grain * (i - 1));
    }
    return WITHY_OK;
}

withy_status wy_changes_late(const wy_changes *x, wy_change_range *range, double from, double *to,
                             withy_error *err) {
    double late = *to;
    for (int i = 0; i < x->count; i++) {
        const scan at = {&x->signal[i], &range[i], from, *to, 0, err};
        late_changes changes = {from, *to, *to};
        WY_TRY(at.signal->table ? late_rows(&at, &changes) : late_samples(&at, &changes));
        late = wy_min(late, changes.late);
    }
    *to = late;
    return WITHY_OK;
}
