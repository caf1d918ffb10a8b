/* front.c - elimination by fronts with pivots that wait (numeric/linear/linear.h). */
#include "numeric/linear/linear.h"

#include <float.h>

/* A pivot is at least this much of its neighbours: entries grow by 1 + 1/THRESHOLD at most, and where all rows are
 * complete the largest entry off the diagonal always makes one (up to 1/2). */
static const double THRESHOLD = 0.1;
static const double LOWER = 4; /* of the lift of other rows */
enum { ROOM_FIRST = 96, ROOM_MOST = 3072, ROOM_SIGNS = 1536 };
enum { OPEN, MULTIPLIER, WHOLE }; /* state of a row */

static double *entry(const wy_front *x, int i, int j) {
    return &x->a[(size_t)i * (size_t)x->room + (size_t)j];
}

void wy_front_begin(wy_front *x, wy_arena *arena, double part) {
    x->arena = arena;
    x->size = x->failed = x->count = x->widest = x->negative = 0, x->used = 0;
    x->part = part, x->missing = 0;
}

/* ---- memory ---------------------------------------------------------------------------------------- */

static int widen(wy_front *x) {
    const int room = x->room ? 2 * x->room : ROOM_FIRST;
    if (room > (x->part != 0 ? ROOM_SIGNS : ROOM_MOST)) return 0;
    const size_t n = (size_t)room;
    wy_allocator from = {.arena = x->arena};
    wy_front next = *x;
    next.room = room;
    next.a = wy_allocator_alloc(&from, n * n, sizeof *next.a);
    next.row = wy_allocator_alloc(&from, n, sizeof *next.row);
    next.column = wy_allocator_alloc(&from, n, sizeof *next.column);
    next.state = wy_allocator_alloc(&from, 2 * n, sizeof *next.state);
    next.most = wy_allocator_alloc(&from, n, sizeof *next.most);
    next.lift = wy_allocator_alloc(&from, n, sizeof *next.lift);
    if (from.failed) return 0;
    for (int i = 0; i < x->size; i++) {
        memcpy(entry(&next, i, 0), entry(x, i, 0), (size_t)x->size * sizeof *x->a);
        next.row[i] = x->row[i], next.column[i] = x->column[i];
        next.state[i] = x->state[i], next.state[room + i] = x->state[x->room + i];
        next.most[i] = x->most[i], next.lift[i] = x->lift[i];
    }
    *x = next;
    return 1;
}

/* Room for one more pivot with `more` entries. */
static int reserve(wy_front *x, size_t more) {
    wy_allocator from = {.arena = x->arena};
    if (x->count == x->pivots) {
        const int pivots = x->pivots ? 2 * x->pivots : 1024;
        wy_front_pivot *pivot = wy_allocator_alloc(&from, (size_t)pivots, sizeof *pivot);
        double *work = wy_allocator_alloc(&from, (size_t)pivots, sizeof *work);
        if (from.failed) return 0;
        if (x->count) memcpy(pivot, x->pivot, (size_t)x->count * sizeof *pivot);
        x->pivot = pivot, x->work = work, x->pivots = pivots;
    }
    if (x->used + more > x->taken) {
        const size_t taken = 2 * (x->taken + more) + 8192;
        double *value = wy_allocator_alloc(&from, taken, sizeof *value);
        int *index = wy_allocator_alloc(&from, taken, sizeof *index);
        if (from.failed) return 0;
        if (x->used) {
            memcpy(value, x->value, x->used * sizeof *value);
            memcpy(index, x->index, x->used * sizeof *index);
        }
        x->value = value, x->index = index, x->taken = taken;
    }
    return 1;
}

/* ---- the front ------------------------------------------------------------------------------------- */

static int find(const int *list, int size, int number) {
    int i = size - 1;
    while (i >= 0 && list[i] != number) i--;
    return i;
}

/* A number that is new gets a row and a column, both zero. */
static void admit(wy_front *x, int number) {
    if (find(x->row, x->size, number) >= 0 || find(x->column, x->size, number) >= 0) return;
    if (x->size == x->room && !widen(x)) {
        x->failed = 1;
        return;
    }
    const int i = x->size++;
    for (int k = 0; k <= i; k++) *entry(x, i, k) = *entry(x, k, i) = 0;
    x->row[i] = x->column[i] = number;
    x->state[i] = x->state[x->room + i] = OPEN;
    x->most[i] = x->lift[i] = 0;
    if (x->size > x->widest) x->widest = x->size;
}

static void add_row(wy_front *x, int i, const int *place, const double *m, int stride) {
    for (int j = 0; j <= i; j++) {
        if (place[j] < 0) continue;
        const double half = 0.5 * (m[i * stride + j] + m[j * stride + i]);
        double *at = entry(x, place[i], place[j]);
        *at += half;
        if (i != j) *entry(x, place[j], place[i]) += half;
        const double size = fabs(*at);
        if (!(size <= x->most[place[i]])) x->most[place[i]] = size;
        if (!(size <= x->most[place[j]])) x->most[place[j]] = size;
    }
}

void wy_front_add(wy_front *x, int rows, const int *row, const int *column, const double *m,
                  int stride) {
    int down[WY_FRONT_PIECE], across[WY_FRONT_PIECE];
    for (int i = 0; i < rows && !x->failed; i++) {
        if (row[i] >= 0) admit(x, row[i]);
        if (column[i] >= 0) admit(x, column[i]);
    }
    if (x->failed) return;
    for (int i = 0; i < rows; i++) {
        down[i] = row[i] < 0 ? -1 : find(x->row, x->size, row[i]);
        across[i] = column[i] < 0 ? -1 : find(x->column, x->size, column[i]);
    }
    for (int i = 0; i < rows; i++) {
        if (down[i] >= 0 && x->part != 0) add_row(x, i, down, m, stride);
        for (int j = 0; j < rows && down[i] >= 0 && x->part == 0; j++)
            if (across[j] >= 0) *entry(x, down[i], across[j]) += m[i * stride + j];
    }
}

/* The last row takes the place of row r, the last column that of column c. */
static void drop(wy_front *x, int r, int c) {
    const int last = --x->size;
    if (r != last) memcpy(entry(x, r, 0), entry(x, last, 0), ((size_t)last + 1) * sizeof *x->a);
    for (int i = 0; i < last && c != last; i++) *entry(x, i, c) = *entry(x, i, last);
    x->row[r] = x->row[last], x->column[c] = x->column[last];
    x->state[r] = x->state[last], x->state[x->room + c] = x->state[x->room + last];
    x->most[r] = x->most[last], x->lift[r] = x->lift[last];
}

/* ---- LU -------------------------------------------------------------------------------------------- */

/* The multipliers of a column, then the entries of a row, without zeros. */
static void keep(wy_front *x, int r, int c, wy_front_pivot *p) {
    *p = (wy_front_pivot){x->row[r], x->column[c], 0, 0, x->used, 1 / *entry(x, r, c)};
    for (int i = 0; i < x->size; i++) {
        const double l = *entry(x, i, c) * p->inverse;
        if (i == r || l == 0) continue;
        x->value[x->used] = l, x->index[x->used++] = x->row[i], p->lower++;
    }
    for (int j = 0; j < x->size; j++) {
        if (j == c || *entry(x, r, j) == 0) continue;
        x->value[x->used] = *entry(x, r, j), x->index[x->used++] = x->column[j], p->upper++;
    }
}

static void eliminate(wy_front *x, int r, int c) {
    if (!reserve(x, 2 * (size_t)x->size)) {
        x->failed = 1;
        return;
    }
    wy_front_pivot *p = &x->pivot[x->count++];
    keep(x, r, c, p);
    const double *own = entry(x, r, 0);
    for (int i = 0; i < x->size; i++) {
        const double l = *entry(x, i, c) * p->inverse;
        double *to = entry(x, i, 0);
        for (int j = 0; j < x->size && l != 0 && i != r; j++) to[j] -= l * own[j];
    }
    drop(x, r, c);
}

/* The complete row with the largest entry of a column; *most: of all rows. */
static int largest(const wy_front *x, int c, double *most) {
    int best = -1;
    double whole = 0;
    *most = 0;
    for (int i = 0; i < x->size; i++) {
        const double size = fabs(*entry(x, i, c));
        if (size > *most) *most = size;
        if (x->state[i] == WHOLE && size > whole) whole = size, best = i;
    }
    return best;
}

/* One pivot among what is complete; 0: none is large enough. */
static int try_column(wy_front *x) {
    for (int c = 0; c < x->size; c++) {
        double most;
        if (x->state[x->room + c] != WHOLE) continue;
        const int r = largest(x, c, &most);
        if (r < 0 || !(fabs(*entry(x, r, c)) >= THRESHOLD * most)) continue;
        eliminate(x, r, c);
        return !x->failed;
    }
    return 0;
}

void wy_front_solve(const wy_front *x, double *b) {
    for (int k = 0; k < x->count; k++) {
        const wy_front_pivot *p = &x->pivot[k];
        const double *l = &x->value[p->at], y = x->work[k] = b[p->row];
        const int *at = &x->index[p->at];
        for (int i = 0; i < p->lower; i++) b[at[i]] -= l[i] * y;
    }
    for (int k = x->count - 1; k >= 0; k--) {
        const wy_front_pivot *p = &x->pivot[k];
        const double *u = &x->value[p->at + (size_t)p->lower];
        const int *at = &x->index[p->at + (size_t)p->lower];
        double sum = x->work[k];
        for (int j = 0; j < p->upper; j++) sum -= u[j] * b[at[j]];
        b[p->column] = sum * p->inverse;
    }
}

/* ---- signs ----------------------------------------------------------------------------------------- */

static void drop_sign(wy_front *x, int i) {
    const double missing = x->most[i] / fabs(x->lift[i]);
    if (!(missing <= x->missing)) x->missing = missing;
    drop(x, i, i);
}

/* The largest entry of row i off the diagonal, without that of `but`; of complete rows its place in *where. */
static double rest(const wy_front *x, int i, int but, int *where) {
    double most = 0, whole = -1;
    for (int k = 0; k < x->size; k++) {
        if (k == i || k == but) continue;
        const double size = fabs(*entry(x, i, k));
        if (size > most) most = size;
        if (where && x->state[k] == WHOLE && size > whole) whole = size, *where = k;
    }
    return most;
}

/* A -= rows with `first` and, if it is not -1, `second`, by their inverse pivot p. */
static void eliminate_pair(wy_front *x, int first, int second, const double p[3]) {
    for (int i = 0; i < x->size; i++) {
        if (i == first || i == second) continue;
        const double u = *entry(x, i, first), v = second < 0 ? 0 : *entry(x, i, second);
        const double s = u * p[0] + v * p[1], t = u * p[1] + v * p[2];
        if (s == 0 && t == 0) continue;
        const double *one = entry(x, first, 0), *two = entry(x, second < 0 ? first : second, 0);
        double *own = entry(x, i, 0), most = x->most[i];
        for (int k = 0; k < x->size; k++) {
            const double a = s * one[k], b = t * two[k], size = fabs(a) + fabs(b);
            own[k] -= a + b;
            most = size > most ? size : most;
        }
        x->most[i] = most;
        if (!isfinite(s) || !isfinite(t)) x->failed = 1;
    }
    const int high = first > second ? first : second, low = first > second ? second : first;
    drop_sign(x, high);
    if (low >= 0) drop_sign(x, low);
}

static int try_one(wy_front *x, int i, double most) {
    const double d = *entry(x, i, i);
    if (d == 0 || !(fabs(d) >= THRESHOLD * most)) return 0;
    x->negative += d < 0;
    eliminate_pair(x, i, -1, (double[3]){1 / d, 0, 0});
    return 1;
}

static int try_two(wy_front *x, int i, int k) {
    const double a = *entry(x, i, i), b = *entry(x, i, k), c = *entry(x, k, k);
    const double det = a * c - b * b, least = fabs(det) * (1 / THRESHOLD);
    const double one = rest(x, i, k, NULL), two = rest(x, k, i, NULL);
    /* of a determinant that is a difference of two numbers nothing may be left */
    if (!(fabs(det) > THRESHOLD * fabs(a * c)) || det == 0) return 0;
    if (!(fabs(c) * one + fabs(b) * two <= least) || !(fabs(b) * one + fabs(a) * two <= least))
        return 0;
    x->negative += det < 0 ? 1 : a < 0 ? 2 : 0;
    eliminate_pair(x, i, k, (double[3]){c / det, -b / det, a / det});
    return 1;
}

static int try_signs(wy_front *x) {
    for (int i = 0; i < x->size; i++) {
        int k = -1;
        if (x->state[i] != WHOLE) continue;
        const double most = rest(x, i, -1, &k);
        if (try_one(x, i, most) || (k >= 0 && try_two(x, i, k))) return 1;
    }
    return 0;
}

/* ---- all ------------------------------------------------------------------------------------------- */

void wy_front_lower(wy_front *x, int row) {
    admit(x, row);
    if (!x->failed) x->state[find(x->row, x->size, row)] = MULTIPLIER;
}

/* A row, or a column behind all rows, gets no more. */
static void finish(wy_front *x, int i) {
    if (x->part != 0 && i < x->room && x->state[i] != WHOLE) {
        const double size = x->part * (x->most[i] > 0 ? x->most[i] : 1.0);
        x->lift[i] = x->state[i] == MULTIPLIER ? -LOWER * fabs(size) : size;
        *entry(x, i, i) += x->lift[i];
    }
    x->state[i] = WHOLE;
}

static void eliminate_all(wy_front *x) {
    while (!x->failed && (x->part != 0 ? try_signs(x) : try_column(x))) {
    }
}

void wy_front_complete(wy_front *x, int rows, const int *row) {
    for (int i = 0; i < rows && !x->failed; i++) {
        if (row[i] < 0) continue;
        const int r = find(x->row, x->size, row[i]), c = find(x->column, x->size, row[i]);
        if (r >= 0) finish(x, r);
        if (c >= 0) finish(x, x->room + c);
    }
    eliminate_all(x);
}

int wy_front_end(wy_front *x) {
    for (int i = 0; i < x->size && !x->failed; i++) finish(x, i), finish(x, x->room + i);
    eliminate_all(x);
    return !x->failed && !x->size;
}

int wy_front_signs(wy_front *x, double *need) {
    const int done = wy_front_end(x);
    *need = 2 * DBL_EPSILON * x->widest * x->widest * x->missing * fabs(x->part);
    return done && isfinite(*need) ? x->negative : -1;
}
