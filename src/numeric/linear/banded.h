/* banded.h - LU with partial pivoting of a banded matrix that is handed over row by row.  Room:
 * src/numeric.
 *
 *     wy_banded_begin(&m);
 *     for each row i: write all of wy_banded_row(&m, i), its entries through wy_banded_at(&m, i, j)
 *         and 0 into every other of its `width` slots, then wy_banded_eliminate(&m, i + 1);
 *     wy_banded_solve(&m, x);
 *
 * One code for every build.  The bands of rods are narrow (kl = 12, ku = 18) and two thirds of
 * them are zero, where LAPACK's dgbtrf falls back to its unblocked form and keeps the zeros.  Here
 * only a window of rows is ever dense and stays in the fastest cache, and the factors are stored
 * without zeros.  (tests/unit/test_banded.c compares results with LAPACK, bench/bench_elastica.c
 * times.)
 */
#pragma once

#include "base/base.h"
#include "base/block.h"

/* A has n rows; row i holds columns i - kl .. i + ku.  Interchanges fill in up to kl more on the
 * right, but by then as many on the left are gone: at any time a row needs kl + ku + 1 numbers.  So
 * column j is in slot j mod width of its row, and row i in place i mod rows of the window. */
typedef struct wy_banded {
    int n, kl, ku;
    int width;      /* numbers per row: the power of two >= kl + ku + 1, at least 8       */
    int rows;       /* rows of the window: the power of two >= kl + 1 + ahead             */
    double *window; /* [rows][width]                                                      */
    int stage;      /* columns eliminated so far                                          */
    int last;       /* last column that a row of the window reaches                       */
    size_t lower_used, upper_used;
    /* stage k of the elimination; lower and upper entries follow one another without gaps */
    int *pivot;                         /* [n] row exchanged with row k                  */
    double *inverse;                    /* [n] 1 / U_kk                                  */
    unsigned char *lower_count;         /* [n] multipliers of column k                   */
    unsigned char *upper_count;         /* [n] entries of row k right of the diagonal    */
    double *lower, *upper;              /* [<= n kl], [<= n (kl + ku)]                   */
    unsigned char *lower_at, *upper_at; /* how far below, or right of, k                 */
} wy_banded;

/* ahead: how many rows the caller fills beyond the last one that it has declared ready. */
withy_status wy_banded_take(wy_arena *arena, int n, int kl, int ku, int ahead, wy_banded *m,
                            withy_error *err);
/* The same from a block (base/block.h); the band is known to be narrow enough. */
void wy_banded_layout(wy_block *block, int n, int kl, int ku, int ahead, wy_banded *m);

static inline double *wy_banded_row(const wy_banded *m, int i) {
    return &m->window[(size_t)(i & (m->rows - 1)) * (size_t)m->width];
}
static inline double *wy_banded_at(const wy_banded *m, int i, int j) {
    return &wy_banded_row(m, i)[j & (m->width - 1)];
}

void wy_banded_begin(wy_banded *m);

/* Rows 0 .. ready - 1 are complete: eliminate as far as they allow, to the end when ready = n.
 * False when a pivot is exactly zero or not finite. */
bool wy_banded_eliminate(wy_banded *m, int ready);

/* x := A^-1 x with the factors. */
void wy_banded_solve(const wy_banded *m, double *x);
