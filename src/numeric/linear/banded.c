/* banded.c - LU of a banded matrix by rows, with partial pivoting.
 *
 * Stage k: the largest entry of column k in rows k .. k + kl becomes the pivot; its row and row k
 * are exchanged: row k is final, and is packed.  Multiples of it are subtracted from the rows below,
 * whose entries in column k are set to zero, so that their slots are free for column k + width.
 */
#include "numeric/linear/linear.h"

#include "numeric/vector/wide.h"

enum { WIDTH_MAX = 256, BLOCK = 8, USUAL = 32 };

typedef wide slots __attribute__((aligned(8), may_alias));

static int power_of_two(int least, int requested) {
    int size = least;
    while (size < requested) size *= 2;
    return size;
}

void wy_banded_layout(wy_block *block, int n, int kl, int ku, int ahead, wy_banded *m) {
    const int width = power_of_two(8, kl + ku + 1), rows = power_of_two(8, kl + 1 + ahead);
    *m = (wy_banded){.n = n, .kl = kl, .ku = ku, .width = width, .rows = rows};
    const size_t size = (size_t)n, lower = size * (size_t)kl;
    /* packing writes one entry past the last that it keeps */
    const size_t upper = size * (size_t)(kl + ku) + 1;
    m->window = wy_block_alloc(block, (size_t)rows * (size_t)width, sizeof *m->window);
    m->pivot = wy_block_alloc(block, size, sizeof *m->pivot);
    m->inverse = wy_block_alloc(block, size, sizeof *m->inverse);
    m->lower_count = wy_block_alloc(block, size, 1);
    m->upper_count = wy_block_alloc(block, size, 1);
    m->lower = wy_block_alloc(block, lower, sizeof *m->lower);
    m->upper = wy_block_alloc(block, upper, sizeof *m->upper);
    m->lower_at = wy_block_alloc(block, lower, 1);
    m->upper_at = wy_block_alloc(block, upper, 1);
}

withy_status wy_banded_take(wy_arena *arena, int n, int kl, int ku, int ahead, wy_banded *m,
                            withy_error *err) {
    wy_block block = {0};
    if (power_of_two(8, kl + ku + 1) > WIDTH_MAX)
        return wy_unsupported(err, "a band of %d + %d + 1 is wider than %d", kl, ku, WIDTH_MAX);
    wy_banded_layout(&block, n, kl, ku, ahead, m);
    block.base = wy_arena_alloc(arena, block.used, 1);
    if (!block.base) return wy_no_memory(err, "no memory for a banded matrix of %d rows", n);
    block.used = 0;
    wy_banded_layout(&block, n, kl, ku, ahead, m);
    return WITHY_OK;
}

void wy_banded_begin(wy_banded *m) {
    m->stage = m->last = 0;
    m->lower_used = m->upper_used = 0;
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

/* Keep what is not zero of row k, written without a branch; how far right of the diagonal its last entry is. */
static int pack_row(wy_banded *m, int k) {
    const double *row = wy_banded_row(m, k);
    double *upper =
        m->upper + m->upper_used; /* in locals: a char that is written may be any of *m */
    unsigned char *at = m->upper_at + m->upper_used;
    const int last = m->last - k, mask = m->width - 1;
    int used = 0;
    for (int c = 1; c <= last; c++) {
        const double value = row[(k + c) & mask];
        upper[used] = value;
        at[used] = (unsigned char)c;
        used += value != 0.0;
    }
    m->upper_used += (size_t)used;
    m->upper_count[k] = (unsigned char)used;
    return used > 0 ? at[used - 1] : 0;
}

/* row -= factor * pivot row, a block at a time.  Of the usual width all slots, without a loop whose end is hard to foresee: those
 * beyond the last entry of the pivot row are 0 in it, because the whole of a row has been written. */
static inline void reduce(double *row, const double *pivot_row, double factor, int first,
                          int blocks, int mask) {
    if (mask == USUAL - 1) {
        for (int at = 0; at < USUAL; at += WY_WIDE)
            *(slots *)&row[at] -= factor * *(const slots *)&pivot_row[at];
        return;
    }
    for (int b = 0; b < blocks; b++) {
        const int at = (first + b * BLOCK) & mask;
        for (int c = at; c < at + BLOCK; c += WY_WIDE)
            *(slots *)&row[c] -= factor * *(const slots *)&pivot_row[c];
    }
}

/* Clear column k below the diagonal; rows that have a zero there are skipped, and so are, but of the usual
 * width, blocks beyond the last entry of the pivot row, which is `far` right of the diagonal. */
static void clear_column(wy_banded *m, int k, int end, int far) {
    const double *pivot_row = wy_banded_row(m, k), inverse = m->inverse[k];
    double *window = m->window, *lower = m->lower + m->lower_used;
    unsigned char *at = m->lower_at + m->lower_used;
    const int from = k / BLOCK * BLOCK, span = (k + far) / BLOCK - k / BLOCK + 1;
    const int blocks = span * BLOCK < m->width ? span : m->width / BLOCK; /* each but once */
    const int rows = m->rows - 1, mask = m->width - 1, width = m->width;
    int used = 0;
    for (int i = k + 1; i < end; i++) {
        double *row = &window[(i & rows) * width], *entry = &row[k & mask];
        if (*entry == 0.0) continue;
        const double factor = *entry * inverse;
        lower[used] = factor;
        at[used++] = (unsigned char)(i - k);
        reduce(row, pivot_row, factor, from, blocks, mask);
        *entry = 0.0;
    }
    m->lower_used += (size_t)used;
    m->lower_count[k] = (unsigned char)used;
}

bool wy_banded_eliminate(wy_banded *m, int ready) {
    for (int k = m->stage; k < m->n && (k + m->kl < ready || ready == m->n); k++) {
        const int end = k + m->kl + 1 < m->n ? k + m->kl + 1 : m->n;
        const int p = find_pivot(m, k, end);
        const int reach = p + m->ku < m->n - 1 ? p + m->ku : m->n - 1;
        if (reach > m->last) m->last = reach;
        m->pivot[k] = p;
        if (p != k) exchange(wy_banded_row(m, k), wy_banded_row(m, p), m->width);
        const double diagonal = *wy_banded_at(m, k, k);
        if (!(fabs(diagonal) > 0.0) || !isfinite(diagonal)) return false;
        m->inverse[k] = 1.0 / diagonal;
        clear_column(m, k, end, pack_row(m, k));
        m->stage = k + 1;
    }
    return true;
}

void wy_banded_solve(const wy_banded *m, double *x) {
    const double *lower = m->lower, *upper = m->upper + m->upper_used;
    const unsigned char *lower_at = m->lower_at, *upper_at = m->upper_at + m->upper_used;
    for (int k = 0; k < m->n; k++) {
        const double keep = x[m->pivot[k]];
        x[m->pivot[k]] = x[k];
        x[k] = keep;
        for (int i = 0; i < m->lower_count[k]; i++) x[k + *lower_at++] -= *lower++ * keep;
    }
    for (int k = m->n - 1; k >= 0; k--) { /* from far to near: the nearest is known last */
        double sum = x[k];
        for (int i = 0; i < m->upper_count[k]; i++) sum -= *--upper * x[k + *--upper_at];
        x[k] = sum * m->inverse[k];
    }
}
