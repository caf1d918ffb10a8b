/* banded.h - LU with partial pivoting of a banded matrix, in memory taken once.  Room: src/numeric.
 *
 * One code for every build: on the narrow bands of rods (kl = 12, ku = 18) it is faster than
 * LAPACK's dgbtrf, which falls back to its unblocked form there, because it keeps rows contiguous
 * and skips multipliers that are zero by structure (tests/unit/test_banded.c compares results,
 * bench/bench_elastica.c the times).
 */
#pragma once

#include "base/base.h"

/* A has n rows; row i holds columns i - kl .. i + ku, and room for the kl columns that row
 * interchanges fill in. */
typedef struct wy_banded {
    int n, kl, ku;
    int stride;    /* doubles per row: 2 kl + ku + 1, rounded up                      */
    double *a;     /* [n][stride]; entry (i, j) at a[i * stride + j - i + kl]         */
    double *lower; /* [n][kl] multipliers of column k below the diagonal              */
    int *pivot;    /* [n] row exchanged with row k at stage k                         */
} wy_banded;

withy_status wy_banded_take(wy_arena *arena, int n, int kl, int ku, wy_banded *m, withy_error *err);

static inline double *wy_banded_at(const wy_banded *m, int i, int j) {
    return &m->a[(size_t)i * (size_t)m->stride + (size_t)(j - i + m->kl)];
}
/* How many doubles m->a holds, for clearing or copying a whole matrix. */
static inline size_t wy_banded_size(const wy_banded *m) {
    return (size_t)m->n * (size_t)m->stride;
}

/* Factor in place.  False when a pivot is exactly zero or not finite. */
bool wy_banded_factor(wy_banded *m);

/* x := A^-1 x with the factors. */
void wy_banded_solve(const wy_banded *m, double *x);
