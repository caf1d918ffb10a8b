/* banded.c - LU of a banded matrix by rows, with partial pivoting.
 *
 * Stage k: the largest entry of column k in rows k .. k + kl becomes the pivot; its row and row k
 * are exchanged from column k on; multiples of it are subtracted from the rows below.  `last` is
 * the last column that any row of the window reaches, at most k + kl + ku.
 */
#include "numeric/banded.h"

#include <string.h>

withy_status wy_banded_take(wy_arena *arena, int n, int kl, int ku, wy_banded *m,
                            withy_error *err) {
    const int stride = (2 * kl + ku + 1 + 3) & ~3; /* whole 32-byte vectors */
    *m = (wy_banded){.n = n, .kl = kl, .ku = ku, .stride = stride};
    m->a = wy_arena_take(arena, (size_t)n * (size_t)stride, sizeof *m->a);
    m->lower = wy_arena_take(arena, (size_t)n * (size_t)kl, sizeof *m->lower);
    m->pivot = wy_arena_take(arena, (size_t)n, sizeof *m->pivot);
    if (!m->a || !m->lower || !m->pivot)
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

static void exchange(double *restrict a, double *restrict b, int count) {
    for (int c = 0; c < count; c++) {
        const double keep = a[c];
        a[c] = b[c];
        b[c] = keep;
    }
}

/* row -= factor * pivot row */
static inline void reduce(double *restrict row, const double *restrict pivot_row, double factor,
                          int count) {
    for (int c = 0; c < count; c++) row[c] -= factor * pivot_row[c];
}

bool wy_banded_factor(wy_banded *m) {
    int last = 0;
    for (int k = 0; k < m->n; k++) {
        const int end = k + m->kl + 1 < m->n ? k + m->kl + 1 : m->n;
        const int p = find_pivot(m, k, end);
        const int reach = p + m->ku < m->n - 1 ? p + m->ku : m->n - 1;
        if (reach > last) last = reach;
        double *pivot_row = wy_banded_at(m, k, k);
        m->pivot[k] = p;
        if (p != k) exchange(pivot_row, wy_banded_at(m, p, k), last - k + 1);
        const double d = pivot_row[0];
        if (!(fabs(d) > 0.0) || !isfinite(d)) return false;
        double *lower = m->lower + (size_t)k * (size_t)m->kl;
        for (int i = k + 1; i < end; i++) {
            double *row = wy_banded_at(m, i, k);
            const double factor = row[0] / d;
            lower[i - k - 1] = factor;
            if (factor != 0.0) reduce(row + 1, pivot_row + 1, factor, last - k);
        }
    }
    return true;
}

/* Four sums side by side: one would wait for itself at every term. */
static inline double dot(const double *a, const double *b, int count) {
    double sum[4] = {0};
    int c = 0;
    for (; c + 4 <= count; c += 4)
        for (int i = 0; i < 4; i++) sum[i] += a[c + i] * b[c + i];
    for (; c < count; c++) sum[0] += a[c] * b[c];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

void wy_banded_solve(const wy_banded *m, double *x) {
    for (int k = 0; k < m->n; k++) {
        const double keep = x[m->pivot[k]];
        x[m->pivot[k]] = x[k];
        x[k] = keep;
        const int count = k + m->kl < m->n ? m->kl : m->n - 1 - k;
        reduce(x + k + 1, m->lower + (size_t)k * (size_t)m->kl, keep, count);
    }
    for (int k = m->n - 1; k >= 0; k--) {
        const double *row = wy_banded_at(m, k, k);
        const int count = k + m->kl + m->ku < m->n ? m->kl + m->ku : m->n - 1 - k;
        x[k] = (x[k] - dot(row + 1, x + k + 1, count)) / row[0];
    }
}
