/* banded.c - LU of a banded matrix by rows, with partial pivoting.
 *
 * Stage k: the largest entry of column k in rows k .. k + kl becomes the pivot; its row and row k are
 * exchanged; multiples of it are subtracted from the rows below, whose entries in column k are set to
 * zero, so that their slots are free for column k + width.
 */
#include "numeric/banded.h"

#include <string.h>

enum { WIDTH_MAX = 256, USUAL = 32 };

withy_status wy_banded_take(wy_arena *arena, int n, int kl, int ku, wy_banded *m,
                            withy_error *err) {
    int width = 8;
    while (width < kl + ku + 1) width *= 2;
    if (width > WIDTH_MAX)
        return wy_fail(err, WITHY_UNSUPPORTED, "a band of %d + %d + 1 is wider than %d", kl, ku,
                       WIDTH_MAX);
    *m = (wy_banded){.n = n, .kl = kl, .ku = ku, .width = width};
    const size_t rows = (size_t)n, entries = rows * (size_t)(kl > 0 ? kl : 1);
    m->a = wy_arena_take(arena, rows * (size_t)width, sizeof *m->a);
    m->pivot = wy_arena_take(arena, rows, sizeof *m->pivot);
    m->count = wy_arena_take(arena, rows, sizeof *m->count);
    m->row = wy_arena_take(arena, entries, sizeof *m->row);
    m->factor = wy_arena_take(arena, entries, sizeof *m->factor);
    if (!m->a || !m->pivot || !m->count || !m->row || !m->factor)
        return wy_fail(err, WITHY_NO_MEMORY, "no memory for a banded matrix of %d rows", n);
    return WITHY_OK;
}

/* The row of the largest entry of column k in rows k .. end - 1. */
static int find_pivot(const wy_banded *m, int k, int end) {
    int best = k;
    double largest = fabs(*wy_banded_at(m, k, k));
    for (int i = k + 1; i < end; i++) {
        const double size = fabs(*wy_banded_at(m, i, k));
        if (size > largest) largest = size, best = i;
    }
    return best;
}

static inline void exchange(double *restrict a, double *restrict b, int width) {
    for (int c = 0; c < width; c++) {
        const double keep = a[c];
        a[c] = b[c];
        b[c] = keep;
    }
}

/* row -= factor * pivot row; a width the compiler knows makes this a handful of instructions. */
static inline void reduce(double *restrict row, const double *restrict pivot_row, double factor,
                          int width) {
    if (width == USUAL)
        for (int c = 0; c < USUAL; c++) row[c] -= factor * pivot_row[c];
    else
        for (int c = 0; c < width; c++) row[c] -= factor * pivot_row[c];
}

/* Clear column k below the diagonal; returns how many entries were not zero already. */
static int eliminate(const wy_banded *m, int k, int end, int *row_of, double *factor) {
    const double *pivot_row = wy_banded_at(m, k, 0);
    const double diagonal = *wy_banded_at(m, k, k);
    int count = 0;
    for (int i = k + 1; i < end; i++) {
        double *entry = wy_banded_at(m, i, k);
        if (*entry == 0.0) continue;
        row_of[count] = i;
        factor[count] = *entry / diagonal;
        reduce(wy_banded_at(m, i, 0), pivot_row, factor[count], m->width);
        *entry = 0.0;
        count++;
    }
    return count;
}

bool wy_banded_factor(wy_banded *m) {
    size_t used = 0;
    for (int k = 0; k < m->n; k++) {
        const int end = k + m->kl + 1 < m->n ? k + m->kl + 1 : m->n;
        const int p = find_pivot(m, k, end);
        m->pivot[k] = p;
        if (p != k) exchange(wy_banded_at(m, k, 0), wy_banded_at(m, p, 0), m->width);
        const double diagonal = *wy_banded_at(m, k, k);
        if (!(fabs(diagonal) > 0.0) || !isfinite(diagonal)) return false;
        m->count[k] = eliminate(m, k, end, m->row + used, m->factor + used);
        used += (size_t)m->count[k];
    }
    return true;
}

static inline double dot(const double *a, const double *b, int width) {
    double sum[8] = {0};
    for (int c = 0; c < width; c += 8)
        for (int i = 0; i < 8; i++) sum[i] += a[c + i] * b[c + i];
    return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

/* U x = x from the last row up.  `window` holds the x that row k meets, in the slots of its columns,
 * except the NEAR latest: those are only just computed, and a vector load would wait for them. */
static void back_substitute(const wy_banded *m, double *x) {
    enum { NEAR = 4 };
    double window[WIDTH_MAX] __attribute__((aligned(64))) = {0};
    const int mask = m->width - 1;
    for (int k = m->n - 1; k >= 0; k--) {
        const double *row = wy_banded_at(m, k, 0);
        const int near = m->n - 1 - k < NEAR ? m->n - 1 - k : NEAR;
        window[k & mask] = 0.0; /* was column k + width */
        if (k + NEAR + 1 < m->n) window[(k + NEAR + 1) & mask] = x[k + NEAR + 1];
        double sum = m->width == USUAL ? dot(row, window, USUAL) : dot(row, window, m->width);
        for (int c = near; c >= 1; c--) sum += row[(k + c) & mask] * x[k + c];
        x[k] = (x[k] - sum) / row[k & mask];
    }
}

void wy_banded_solve(const wy_banded *m, double *x) {
    const int *row = m->row;
    const double *factor = m->factor;
    for (int k = 0; k < m->n; k++) {
        const double keep = x[m->pivot[k]];
        x[m->pivot[k]] = x[k];
        x[k] = keep;
        for (int i = 0; i < m->count[k]; i++) x[*row++] -= *factor++ * keep;
    }
    back_substitute(m, x);
}
