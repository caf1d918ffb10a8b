/* front.h - LU of a large sparse matrix that is given in small pieces.  Room: src/numeric.
 *
 * A frontal elimination (Irons 1970; Hood 1976): rows and columns are eliminated once they are complete, those of a pivot
 * that is not small in its column; else they wait, as a part of the front, for the pieces that come later (Duff and
 * Reid 1984).  So no entry grows by more than a bounded factor at a pivot, and the order in which pieces come decides what it
 * costs: along a chain, up a tree, around loops.
 *
 *     wy_front_begin(&x, arena);
 *     for each piece: wy_front_add(&x, ...), then wy_front_complete(&x, ...) of rows that get no more;
 *     if (wy_front_end(&x)) wy_front_solve(&x, b);
 */
#pragma once

#include "base/base.h"

/* Rows and columns that were eliminated together: entries `at` on are `lower` multipliers, then `upper` of the row. */
typedef struct wy_front_pivot {
    int row, column, lower, upper;
    size_t at;
    double inverse;
} wy_front_pivot;

typedef struct wy_front {
    wy_arena *arena;
    int room, size;    /* of the front, and rows in it now                 */
    double *a;         /* [room][room]                                     */
    int *row, *column; /* [room] which of the matrix are in the front      */
    char *whole;       /* [2][room] rows, columns: all pieces are there    */
    int failed;        /* no memory                                        */
    int count, pivots; /* pivots, and room for them                        */
    wy_front_pivot *pivot;
    size_t used, taken; /* entries of the factors, and room for them        */
    double *value;
    int *index;
    double *work; /* [pivots] */
} wy_front;

/* Begin anew; memory of an earlier use is used again.  All zero: there is none. */
void wy_front_begin(wy_front *x, wy_arena *arena);
/* Add m (rows x rows, `stride` apart); row[i] < 0, column[j] < 0: left out. */
void wy_front_add(wy_front *x, int rows, const int *row, const int *column, const double *m,
                  int stride);
/* These rows, and the columns of the same numbers, are complete. */
void wy_front_complete(wy_front *x, int rows, const int *row);
/* All are.  0: the matrix is singular, or there is no memory (failed). */
int wy_front_end(wy_front *x);
/* b := A^-1 b. */
void wy_front_solve(const wy_front *x, double *b);
