/* front.c - LU by fronts with pivots that wait (numeric/front.h). */
#include "numeric/front.h"

#include <math.h>
#include <string.h>

static const double THRESHOLD = 0.1; /* a pivot is at least this much of its column */
enum { ROOM_FIRST = 96, ROOM_MOST = 3072, PIECE = 64 };

static double *entry(const wy_front *x, int i, int j) {
    return &x->a[(size_t)i * (size_t)x->room + (size_t)j];
}

void wy_front_begin(wy_front *x, wy_arena *arena) {
    x->arena = arena;
    x->size = x->failed = x->count = 0, x->used = 0;
}

/* ---- memory ---------------------------------------------------------------------------------------- */

static int widen(wy_front *x) {
    const int room = x->room ? 2 * x->room : ROOM_FIRST;
    if (room > ROOM_MOST) return 0;
    const size_t n = (size_t)room;
    wy_taker from = {.arena = x->arena};
    wy_front next = *x;
    next.room = room;
    next.a = wy_taker_take(&from, n * n, sizeof *next.a);
    next.row = wy_taker_take(&from, n, sizeof *next.row);
    next.column = wy_taker_take(&from, n, sizeof *next.column);
    next.whole = wy_taker_take(&from, 2 * n, sizeof *next.whole);
    if (from.failed) return 0;
    for (int i = 0; i < x->size; i++) {
        memcpy(entry(&next, i, 0), entry(x, i, 0), (size_t)x->size * sizeof *x->a);
        next.row[i] = x->row[i], next.column[i] = x->column[i];
        next.whole[i] = x->whole[i], next.whole[room + i] = x->whole[x->room + i];
    }
    *x = next;
    return 1;
}

/* Room for one more pivot with `more` entries. */
static int reserve(wy_front *x, size_t more) {
    wy_taker from = {.arena = x->arena};
    if (x->count == x->pivots) {
        const int pivots = x->pivots ? 2 * x->pivots : 1024;
        wy_front_pivot *pivot = wy_taker_take(&from, (size_t)pivots, sizeof *pivot);
        double *work = wy_taker_take(&from, (size_t)pivots, sizeof *work);
        if (from.failed) return 0;
        if (x->count) memcpy(pivot, x->pivot, (size_t)x->count * sizeof *pivot);
        x->pivot = pivot, x->work = work, x->pivots = pivots;
    }
    if (x->used + more > x->taken) {
        const size_t taken = 2 * (x->taken + more) + 8192;
        double *value = wy_taker_take(&from, taken, sizeof *value);
        int *index = wy_taker_take(&from, taken, sizeof *index);
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
static int admit(wy_front *x, int number) {
    if (find(x->row, x->size, number) >= 0 || find(x->column, x->size, number) >= 0) return 1;
    if (x->size == x->room && !widen(x)) {
        x->failed = 1;
        return 0;
    }
    const int i = x->size++;
    for (int k = 0; k <= i; k++) *entry(x, i, k) = *entry(x, k, i) = 0;
    x->row[i] = x->column[i] = number;
    x->whole[i] = x->whole[x->room + i] = 0;
    return 1;
}

void wy_front_add(wy_front *x, int rows, const int *row, const int *column, const double *m,
                  int stride) {
    int down[PIECE], across[PIECE];
    for (int i = 0; i < rows && !x->failed; i++) {
        if (row[i] >= 0) admit(x, row[i]);
        if (column[i] >= 0) admit(x, column[i]);
    }
    if (x->failed) return;
    for (int i = 0; i < rows; i++) {
        down[i] = row[i] < 0 ? -1 : find(x->row, x->size, row[i]);
        across[i] = column[i] < 0 ? -1 : find(x->column, x->size, column[i]);
    }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows && down[i] >= 0; j++)
            if (across[j] >= 0) *entry(x, down[i], across[j]) += m[i * stride + j];
}

/* ---- elimination ----------------------------------------------------------------------------------- */

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

/* The last row takes the place of row r, the last column that of column c. */
static void drop(wy_front *x, int r, int c) {
    const int last = --x->size;
    if (r != last) memcpy(entry(x, r, 0), entry(x, last, 0), ((size_t)last + 1) * sizeof *x->a);
    for (int i = 0; i < last && c != last; i++) *entry(x, i, c) = *entry(x, i, last);
    x->row[r] = x->row[last], x->column[c] = x->column[last];
    x->whole[r] = x->whole[last], x->whole[x->room + c] = x->whole[x->room + last];
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
        if (x->whole[i] && size > whole) whole = size, best = i;
    }
    return best;
}

/* One pivot among what is complete; 0: none is large enough. */
static int try_any(wy_front *x) {
    for (int c = 0; c < x->size; c++) {
        double most;
        if (!x->whole[x->room + c]) continue;
        const int r = largest(x, c, &most);
        if (r < 0 || !(fabs(*entry(x, r, c)) >= THRESHOLD * most)) continue;
        eliminate(x, r, c);
        return !x->failed;
    }
    return 0;
}

void wy_front_complete(wy_front *x, int rows, const int *row) {
    for (int i = 0; i < rows && !x->failed; i++) {
        if (row[i] < 0) continue;
        const int r = find(x->row, x->size, row[i]), c = find(x->column, x->size, row[i]);
        if (r >= 0) x->whole[r] = 1;
        if (c >= 0) x->whole[x->room + c] = 1;
    }
    while (!x->failed && try_any(x)) {
    }
}

int wy_front_end(wy_front *x) {
    for (int i = 0; i < x->size; i++) x->whole[i] = x->whole[x->room + i] = 1;
    while (!x->failed && try_any(x)) {
    }
    return !x->failed && !x->size;
}

/* ---- solution -------------------------------------------------------------------------------------- */

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
