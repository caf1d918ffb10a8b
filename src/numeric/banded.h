/* banded.h - LU with partial pivoting of a banded matrix, in memory taken once.  Room: src/numeric.
 *
 * One code for every build.  On the narrow, sparse bands of rods (kl = 12, ku = 18) it is several times
 * faster than LAPACK's dgbtrf, which falls back to its unblocked form there: rows are contiguous and
 * aligned, and multipliers that are zero by structure cost nothing.  (tests/unit/test_banded.c compares
 * the results with LAPACK, bench/bench_elastica.c the times.)
 */
#pragma once

#include "base/base.h"

/* A has n rows; row i holds columns i - kl .. i + ku.  Interchanges fill in up to kl more on the
 * right, but by then as many on the left are gone: at any time a row needs kl + ku + 1 numbers.  So
 * column j lives in slot j mod width of its row, width being a power of two, and all row operations
 * run over whole rows. */
typedef struct wy_banded {
    int n, kl, ku;
    int width; /* numbers per row: the power of two >= kl + ku + 1, at least 8         */
    double *a; /* [n][width]; entry (i, j) in slot j mod width                         */
    /* stage k of the elimination */
    int *pivot;     /* [n] row exchanged with row k                                         */
    int *count;     /* [n] multipliers that are not zero; they follow one another in        */
    int *row;       /* [n kl] the row each acts on                                          */
    double *factor; /* [n kl] and the multiplier                                        */
} wy_banded;

withy_status wy_banded_take(wy_arena *arena, int n, int kl, int ku, wy_banded *m, withy_error *err);

static inline double *wy_banded_at(const wy_banded *m, int i, int j) {
    return &m->a[(size_t)i * (size_t)m->width + (size_t)(j & (m->width - 1))];
}
/* How many doubles m->a holds, for clearing or copying a whole matrix. */
static inline size_t wy_banded_size(const wy_banded *m) {
    return (size_t)m->n * (size_t)m->width;
}

/* Factor in place.  False when a pivot is exactly zero or not finite. */
bool wy_banded_factor(wy_banded *m);

/* x := A^-1 x with the factors. */
void wy_banded_solve(const wy_banded *m, double *x);
