/* row.c - see observe.h. */
#include "observe/observe.h"

#include "numeric/interpolate/interpolate.h"

/* q and -q are one rotation: each next one is that which is nearer. */
static void align(int count, double *q) {
    for (int i = 1; i < count; i++) {
        double *at = q + 4 * (size_t)i, dot = 0;
        for (int k = 0; k < 4; k++) dot += at[k] * at[k - 4];
        for (int k = 0; k < 4 && dot < 0; k++) at[k] = -at[k];
    }
}

/* Slopes m of the spline: at inner stations, with d_i = (v_i+1 - v_i)/h_i,
 *
 *   h_i m_i-1 + 2 (h_i-1 + h_i) m_i + h_i-1 m_i+1 = 3 (h_i d_i-1 + h_i-1 d_i)
 *
 * and at the ends h_1 m_0 + (h_0 + h_1) m_1 = ((h_0 + 2 (h_0 + h_1)) h_1 d_0 + h_0^2 d_1)/(h_0 + h_1), likewise at the
 * other.  a, b, c: the three diagonals; what is eliminated is the same for every component. */
typedef struct tridiagonal {
    double a, b, c;
} tridiagonal;

static tridiagonal spline_row(const double *s, int count, int i) {
    const int last = count - 1;
    if (i == 0) return (tridiagonal){0, s[2] - s[1], s[2] - s[0]};
    if (i == last) return (tridiagonal){s[last] - s[last - 2], s[last - 1] - s[last - 2], 0};
    return (tridiagonal){s[i + 1] - s[i], 2 * (s[i + 1] - s[i - 1]), s[i] - s[i - 1]};
}

static double spline_side(const wy_row *row, int i, int c) {
    const int last = row->count - 1;
    const size_t size = (size_t)row->size;
    const double *s = row->s, *v = row->value + c;
    const int left = i == 0 ? 0 : i == last ? last - 2 : i - 1; /* of the two pieces */
    const double h0 = s[left + 1] - s[left], h1 = s[left + 2] - s[left + 1];
    const double *at = v + (size_t)left * size;
    const double d0 = (at[size] - at[0]) / h0, d1 = (at[2 * size] - at[size]) / h1;
    if (i == 0) return ((h0 + 2 * (h0 + h1)) * h1 * d0 + h0 * h0 * d1) / (h0 + h1);
    if (i == last) return (h1 * h1 * d0 + (2 * (h0 + h1) + h1) * h0 * d1) / (h0 + h1);
    return 3 * (h1 * d0 + h0 * d1);
}

static void find_slopes(const wy_row *row, double *diagonal, double *slope) {
    const size_t size = (size_t)row->size;
    for (int i = 0; i < row->count; i++) {
        const tridiagonal t = spline_row(row->s, row->count, i);
        const double c = i > 0 ? spline_row(row->s, row->count, i - 1).c : 0;
        const double factor = i > 0 ? t.a / diagonal[i - 1] : 0;
        double *m = slope + (size_t)i * size;
        diagonal[i] = t.b - factor * c;
        for (int k = 0; k < row->size; k++)
            m[k] = spline_side(row, i, k) - (i > 0 ? factor * (m - size)[k] : 0);
    }
    for (int i = row->count - 1; i >= 0; i--) {
        const double c = spline_row(row->s, row->count, i).c;
        double *m = slope + (size_t)i * size;
        for (int k = 0; k < row->size; k++)
            m[k] = (m[k] - (i < row->count - 1 ? c * (m + size)[k] : 0)) / diagonal[i];
    }
}

int wy_row_take(wy_row *row, const withy_snapshot *snap, const withy_quantity *quantity,
                wy_arena *arena) {
    const double *from = quantity ? withy_quantity_at(quantity, snap, 0) : NULL;
    if (!from || snap->count < 3) return 0;
    const size_t count = (size_t)snap->count, size = (size_t)quantity->size;
    double *s = wy_arena_alloc(arena, 2 * count, sizeof *s);
    double *value = wy_arena_alloc(arena, 2 * count * size, sizeof *value);
    if (!s || !value) return 0;
    memcpy(s, snap->s, count * sizeof *s);
    memcpy(value, from, count * size * sizeof *value);
    *row = (wy_row){.count = snap->count,
                    .size = quantity->size,
                    .unit = quantity->have == WITHY_HAVE_FRAME,
                    .s = s,
                    .value = value,
                    .slope = value + count * size};
    if (row->unit) align(row->count, value);
    find_slopes(row, s + count, value + count * size);
    return 1;
}

/* Hermite's cubic of the piece around s: x = 0 .. 1 in it, weights of v, v', v, v'. */
static int piece_at(const wy_row *row, double s, double *x, double *h) {
    const int low = wy_place_in(row->s, 1, row->count, s);
    *h = row->s[low + 1] - row->s[low];
    *x = (s - row->s[low]) / *h;
    return low;
}

static void combine(const wy_row *row, int piece, const double w[4], double *out) {
    const size_t size = (size_t)row->size;
    const double *v = row->value + (size_t)piece * size, *m = row->slope + (size_t)piece * size;
    for (size_t c = 0; c < size; c++)
        out[c] = w[0] * v[c] + w[1] * m[c] + w[2] * v[size + c] + w[3] * m[size + c];
}

void wy_row_at(const wy_row *row, double s, double *out) {
    double x, h;
    const int piece = piece_at(row, s, &x, &h);
    const double y = 1 - x;
    const double w[4] = {y * y * (1 + 2 * x), h * x * y * y, x * x * (1 + 2 * y), -h * x * x * y};
    combine(row, piece, w, out);
    if (!row->unit) return;
    double square = 0;
    for (int c = 0; c < 4; c++) square += out[c] * out[c];
    for (int c = 0; c < 4; c++) out[c] /= sqrt(square);
}

void wy_row_slope(const wy_row *row, double s, double *out) {
    double x, h;
    const int piece = piece_at(row, s, &x, &h);
    const double y = 1 - x;
    const double w[4] = {-6 * x * y / h, y * (1 - 3 * x), 6 * x * y / h, x * (1 - 3 * y)};
    combine(row, piece, w, out);
}

withy_status wy_snapshot_regrid(const withy_snapshot *from, withy_snapshot *to, withy_error *err) {
    withy_snapshot kept = *to;
    *to = *from; /* the numbers of the whole rod */
    to->count = kept.count, to->s = kept.s;
    wy_arena arena = {0};
    for (const withy_quantity *q = NULL; (q = wy_quantity_after(WITHY_OF_ROD, q)) != NULL;) {
        wy_row row;
        double *own = wy_quantity_array(q, &kept);
        wy_quantity_set_array(q, to, own);
        if (!wy_quantity_in(q, from->have) || !own) continue;
        if (!wy_row_take(&row, from, q, &arena)) {
            wy_arena_free(&arena);
            return wy_no_memory(err, "no memory for a snapshot on another grid");
        }
        for (int i = 0; i < to->count; i++)
            wy_row_at(&row, to->s[i], own + (size_t)i * (size_t)row.size);
    }
    wy_arena_free(&arena);
    return WITHY_OK;
}
