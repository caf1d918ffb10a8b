/* change.c - where loads and driven ends change: what a method that chooses its own steps must not step
 * over.
 *
 * Tables are known: their rows are the samples, however close they are.  Functions are sampled `grain`
 * apart, so that a pulse longer than two grains is seen wherever it lies; where two samples differ by much
 * of the range of the signal, bisection decides whether there is a jump, and finds it to rounding.
 * An interval is accepted when each signal follows, within it, the parabola through its ends and its
 * middle.
 */
#include "model/model.h"

/* Allowed distance from the parabola, and the least jump between two samples that is looked into, of
 * the range of the signal. */
static const double FOLLOWS = 0.05, JUMP = 0.2;
/* Samples of one interval: at least, and at most. */
enum { LEAST = 4, MOST = 1 << 15, ROWS_MOST = 64, BISECTIONS = 60, STATIONS = 5 };

static const double station[STATIONS] = {0.03, 0.25, 0.5, 0.75, 0.97};

/* ---- the list ------------------------------------------------------------------------------------ */

static void add(wy_changes *x, const withy_field *field, double s) {
    if (field->size == 0 || !field->call || wy_signal_is_input(field)) return;
    if (x->signal) x->signal[x->count] = (wy_change){field, wy_signal_table(field), s};
    x->count++;
}

static void add_load(wy_changes *x, const withy_load *load) {
    const withy_field *const field[] = {&load->force, &load->moment, &load->tension,
                                        &load->displacement};
    for (int i = 0; i < 4; i++) {
        const int one = load->kind != WITHY_LOAD_DISTRIBUTED || wy_signal_table(field[i]);
        for (int k = 0; k < (one ? 1 : STATIONS); k++)
            add(x, field[i], one ? load->from : load->from + station[k] * (load->to - load->from));
    }
}

static void list(wy_changes *x, const withy_rod *rod) {
    x->count = 0;
    for (int i = 0; i < 2; i++) {
        const withy_end *end = &rod->end[i];
        const withy_field *const field[] = {
            &end->position, &end->tangent,  &end->normal,       &end->frame, &end->force,
            &end->moment,   &end->velocity, &end->acceleration, &end->spin,  &end->spin_rate};
        for (size_t k = 0; k < sizeof field / sizeof *field; k++)
            add(x, field[k], i ? rod->length : 0);
    }
    for (int i = 0; i < rod->load_count; i++) add_load(x, &rod->load[i]);
}

withy_status wy_changes_make(const withy_rod *rod, double grain, wy_arena *arena, wy_changes *out,
                             withy_error *err) {
    *out = (wy_changes){.grain = grain};
    list(out, rod);
    out->signal = wy_arena_take(arena, (size_t)out->count + 1, sizeof *out->signal);
    if (!out->signal) return wy_fail(err, WITHY_NO_MEMORY, "no memory for the signals");
    list(out, rod);
    return WITHY_OK;
}

/* ---- one signal over one interval ---------------------------------------------------------------- */

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

/* The samples: i = 0 .. count. */
static int sample_count(const scan *x, double grain) {
    const double count = ceil((x->to - x->from) / grain);
    return (int)wy_max(LEAST, wy_min(MOST, count));
}

/* The range with all samples; the first jump ends the interval. */
static withy_status look(scan *x, int count) {
    double before[WITHY_FIELD_MAX], f[WITHY_FIELD_MAX];
    const double first = x->from + x->least, way = x->to - first;
    const int size = x->signal->field->size;
    WY_TRY(value(x, first, before));
    widen(x->range, before, size);
    for (int i = 1; i <= count; i++) {
        const double a = first + way * (i - 1) / count, b = first + way * i / count;
        int found = 0;
        double at;
        WY_TRY(value(x, b, f));
        widen(x->range, f, size);
        if (apart(x, before, f) > JUMP) WY_TRY(find_jump(x, a, b, &found, &at));
        if (found) {
            x->to = at;
            return WITHY_OK;
        }
        for (int k = 0; k < size; k++) before[k] = f[k];
    }
    return WITHY_OK;
}

/* Does it follow the parabola through both ends and the middle? */
static withy_status follows(const scan *x, int count, int *yes) {
    double end[3][WITHY_FIELD_MAX], f[WITHY_FIELD_MAX], p[WITHY_FIELD_MAX];
    const double first = x->from + x->least, way = x->to - x->least - first;
    for (int i = 0; i < 3; i++) WY_TRY(value(x, first + 0.5 * i * way, end[i]));
    *yes = 1;
    for (int i = 1; i < count && *yes; i++) {
        const double u = (double)i / count, a = (1 - u) * (1 - 2 * u), b = 4 * u * (1 - u),
                     c = u * (2 * u - 1);
        WY_TRY(value(x, first + u * way, f));
        for (int k = 0; k < x->signal->field->size; k++)
            p[k] = a * end[0][k] + b * end[1][k] + c * end[2][k];
        *yes = apart(x, f, p) <= FOLLOWS;
    }
    return WITHY_OK;
}

static withy_status limit_function(scan *x, double grain) {
    WY_TRY(look(x, sample_count(x, grain)));
    for (int yes = 0; !yes && x->to - x->from > 0.5 * grain;) {
        WY_TRY(follows(x, sample_count(x, grain), &yes));
        if (!yes) x->to = x->from + 0.5 * (x->to - x->from);
    }
    return WITHY_OK;
}

/* ---- tables ---------------------------------------------------------------------------------------- */

/* The first row after t. */
static int row_after(const withy_field *table, double t) {
    int low = 0, high = table->rows;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (table->table[(size_t)middle * (size_t)(1 + table->size)] > t)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
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

withy_status wy_changes_limit(const wy_changes *x, wy_change_range *range, double from, double *to,
                              withy_error *err) {
    for (int i = 0; i < x->count; i++) {
        scan at = {&x->signal[i], &range[i], from, *to, 1e-9 * x->grain, err};
        WY_TRY(at.signal->table ? limit_table(&at) : limit_function(&at, x->grain));
        *to = wy_min(*to, at.to);
    }
    return WITHY_OK;
}
