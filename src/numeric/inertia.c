/* inertia.c - a frontal elimination with pivots that are chosen by a threshold (numeric/inertia.h). */
#include "numeric/inertia.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A pivot is at least this much of what is beside it: entries grow by 1 + 1/THRESHOLD at most, and where all rows are
 * complete the largest entry off the diagonal always makes one (up to 1/2). */
static const double THRESHOLD = 0.1;
static const double LOWER = 4; /* of the lift of other rows */
enum { ROOM_FIRST = 96, ROOM_MOST = 1536 };
enum { OPEN, MULTIPLIER, WHOLE }; /* state of a row */

static double *entry(const wy_inertia *x, int i, int j) {
    return &x->a[(size_t)i * (size_t)x->room + (size_t)j];
}

void wy_inertia_begin(wy_inertia *x, double part) {
    x->size = x->failed = x->widest = x->negative = 0;
    x->part = part, x->missing = 0;
}

void wy_inertia_free(wy_inertia *x) {
    wy_give(x->a);
    wy_give(x->row), wy_give(x->state), wy_give(x->most), wy_give(x->lift);
    *x = (wy_inertia){0};
}

/* ---- the front ------------------------------------------------------------------------------------- */

static int widen(wy_inertia *x) {
    const int room = x->room ? 2 * x->room : ROOM_FIRST;
    if (room > ROOM_MOST) return 0;
    wy_inertia next = *x;
    next.room = room;
    next.a = wy_take((size_t)room * (size_t)room, sizeof *next.a);
    next.row = wy_take((size_t)room, sizeof *next.row);
    next.state = wy_take((size_t)room, sizeof *next.state);
    next.most = wy_take((size_t)room, sizeof *next.most);
    next.lift = wy_take((size_t)room, sizeof *next.lift);
    const int done = next.a && next.row && next.state && next.most && next.lift;
    for (int i = 0; i < x->size && done; i++) {
        memcpy(entry(&next, i, 0), entry(x, i, 0), (size_t)x->size * sizeof *x->a);
        next.row[i] = x->row[i], next.state[i] = x->state[i];
        next.most[i] = x->most[i], next.lift[i] = x->lift[i];
    }
    wy_inertia old = done ? *x : next;
    if (done) *x = next;
    wy_inertia_free(&old);
    return done;
}

/* Where a row of the matrix is in the front; one that is new is zero. */
static int place_of(wy_inertia *x, int row) {
    for (int i = x->size - 1; i >= 0; i--)
        if (x->row[i] == row) return i;
    if (x->size == x->room && !widen(x)) {
        x->failed = 1;
        return -1;
    }
    const int i = x->size++;
    for (int k = 0; k <= i; k++) *entry(x, i, k) = *entry(x, k, i) = 0;
    x->row[i] = row, x->state[i] = OPEN, x->most[i] = x->lift[i] = 0;
    if (x->size > x->widest) x->widest = x->size;
    return i;
}

static void add_row(wy_inertia *x, int i, const int *row, const int *place, const double *m,
                    int stride) {
    for (int j = 0; j <= i; j++) {
        if (row[j] < 0) continue;
        const double half = 0.5 * (m[i * stride + j] + m[j * stride + i]);
        double *at = entry(x, place[i], place[j]);
        *at += half;
        if (i != j) *entry(x, place[j], place[i]) += half;
        const double size = fabs(*at);
        if (!(size <= x->most[place[i]])) x->most[place[i]] = size;
        if (!(size <= x->most[place[j]])) x->most[place[j]] = size;
    }
}

void wy_inertia_add(wy_inertia *x, int rows, const int *row, const double *m, int stride) {
    int place[WY_INERTIA_PIECE];
    for (int i = 0; i < rows && !x->failed; i++)
        if (row[i] >= 0) place[i] = place_of(x, row[i]);
    for (int i = 0; i < rows && !x->failed; i++)
        if (row[i] >= 0) add_row(x, i, row, place, m, stride);
}

/* ---- elimination ----------------------------------------------------------------------------------- */

/* The last row takes the place of row i. */
static void drop(wy_inertia *x, int i) {
    const int last = --x->size;
    const double missing = x->most[i] / fabs(x->lift[i]);
    if (!(missing <= x->missing)) x->missing = missing;
    if (i == last) return;
    for (int k = 0; k < last; k++) *entry(x, i, k) = *entry(x, last, k);
    for (int k = 0; k < last; k++) *entry(x, k, i) = *entry(x, k, last);
    *entry(x, i, i) = *entry(x, last, last);
    x->row[i] = x->row[last], x->state[i] = x->state[last];
    x->most[i] = x->most[last], x->lift[i] = x->lift[last];
}

/* The largest entry of row i off the diagonal, without that of `but`; of complete rows its place in *where. */
static double beside(const wy_inertia *x, int i, int but, int *where) {
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
static void eliminate(wy_inertia *x, int first, int second, const double p[3]) {
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
    drop(x, high);
    if (low >= 0) drop(x, low);
}

static int try_one(wy_inertia *x, int i, double most) {
    const double d = *entry(x, i, i);
    if (d == 0 || !(fabs(d) >= THRESHOLD * most)) return 0;
    x->negative += d < 0;
    eliminate(x, i, -1, (double[3]){1 / d, 0, 0});
    return 1;
}

static int try_two(wy_inertia *x, int i, int k) {
    const double a = *entry(x, i, i), b = *entry(x, i, k), c = *entry(x, k, k);
    const double det = a * c - b * b, least = fabs(det) * (1 / THRESHOLD);
    const double one = beside(x, i, k, NULL), two = beside(x, k, i, NULL);
    /* of a determinant that is a difference of two numbers nothing may be left */
    if (!(fabs(det) > THRESHOLD * fabs(a * c)) || det == 0) return 0;
    if (!(fabs(c) * one + fabs(b) * two <= least) || !(fabs(b) * one + fabs(a) * two <= least))
        return 0;
    x->negative += det < 0 ? 1 : a < 0 ? 2 : 0;
    eliminate(x, i, k, (double[3]){c / det, -b / det, a / det});
    return 1;
}

/* One pivot among the complete rows; 0: none is large enough. */
static int try_any(wy_inertia *x) {
    for (int i = 0; i < x->size; i++) {
        int k = -1;
        if (x->state[i] != WHOLE) continue;
        const double most = beside(x, i, -1, &k);
        if (try_one(x, i, most) || (k >= 0 && try_two(x, i, k))) return 1;
    }
    return 0;
}

void wy_inertia_lower(wy_inertia *x, int row) {
    const int at = place_of(x, row);
    if (at >= 0) x->state[at] = MULTIPLIER;
}

static void lift(wy_inertia *x, int i) {
    const double size = x->part * (x->most[i] > 0 ? x->most[i] : 1.0);
    x->lift[i] = x->state[i] == MULTIPLIER ? -LOWER * fabs(size) : size;
    *entry(x, i, i) += x->lift[i];
    x->state[i] = WHOLE;
}

void wy_inertia_complete(wy_inertia *x, int rows, const int *row) {
    for (int i = 0; i < rows && !x->failed; i++) {
        const int at = row[i] < 0 ? -1 : place_of(x, row[i]);
        if (at >= 0 && x->state[at] != WHOLE) lift(x, at);
    }
    while (!x->failed && try_any(x)) {
    }
}

int wy_inertia_end(wy_inertia *x, double *need) {
    for (int i = 0; i < x->size && !x->failed; i++)
        if (x->state[i] != WHOLE) lift(x, i);
    while (x->size && !x->failed && try_any(x)) {
    }
    *need = 2 * DBL_EPSILON * x->widest * x->widest * x->missing * fabs(x->part);
    return x->failed || x->size || !isfinite(*need) ? -1 : x->negative;
}
