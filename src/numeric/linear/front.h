/* front.h - a large sparse matrix that is given in small pieces: its LU, or the signs of its eigenvalues.
 * Room: src/numeric.
 *
 * A frontal elimination (Irons 1970; Hood 1976): rows and columns are eliminated once they are complete, by a pivot that is
 * not small beside the entries next to it; else they wait, as a part of the front, for the pieces that come later (Duff
 * and Reid 1983, 1984).  So no entry grows by more than a bounded factor at a pivot, and the order in which pieces come decides
 * what it costs: along a chain, up a tree, around loops.
 *
 *     wy_front_begin(&x, arena, 0);
 *     for each piece: wy_front_add(&x, ...), then wy_front_complete(&x, ...) of rows that get no more;
 *     if (wy_front_end(&x)) wy_front_solve(&x, b);
 *
 * Of a symmetric matrix pivots of one or two rows have the signs of the eigenvalues of M + E with
 * |E_ij| <= 2 eps F min(m_i, m_j),  F the rows of the front, m_i the largest term that row i ever had, hence
 * -D <= E <= D,  D = diag(2 eps F^2 m_i)  (Sylvester; Higham, Accuracy and Stability, chapter 11).
 */
#pragma once

#include "base/base.h"

enum { WY_FRONT_PIECE = 64 }; /* rows of a piece, at most */

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
    char *state;       /* [2][room] of rows, columns                       */
    int failed;        /* no memory, or no number                          */

    /* LU */
    int count, pivots; /* pivots, and room for them                        */
    wy_front_pivot *pivot;
    size_t used, taken; /* entries of the factors, and room for them        */
    double *value;
    int *index;
    double *work; /* [pivots] */

    /* signs: rows and columns are the same */
    double part; /* of m_i is added to the diagonal when a row is complete; 0: an LU is made */
    double *most, *lift; /* [room] m_i so far, and what has been added                        */
    int widest;          /* rows of the front, at most                                        */
    double missing;      /* the largest m_i/|lift_i|                                          */
    int negative;        /* eigenvalues                                                       */
} wy_front;

/* Begin anew; memory of an earlier use is used again.  All zero: there is none.  part: 0, or for signs alone. */
void wy_front_begin(wy_front *x, wy_arena *arena, double part);
/* Add m (rows x rows, `stride` apart), for signs its symmetric part; row[i] < 0, column[j] < 0: left out. */
void wy_front_add(wy_front *x, int rows, const int *row, const int *column, const double *m,
                  int stride);
/* Signs: the row of a multiplier, with zero on the diagonal: that is lowered in any case, by more than rounding, so that it
 * counts as one that is negative even where it depends on others. */
void wy_front_lower(wy_front *x, int row);
/* These rows, and the columns of the same numbers, are complete. */
void wy_front_complete(wy_front *x, int rows, const int *row);
/* All are.  0: the matrix is singular, or there is no memory (failed). */
int wy_front_end(wy_front *x);
/* b := A^-1 b. */
void wy_front_solve(const wy_front *x, double *b);
/* Instead of wy_front_end: the number of negative eigenvalues of M + part m_i; -1: not known.  *need: the part that makes it
 * surely no more (or, negative, no fewer) than those of M. */
int wy_front_signs(wy_front *x, double *need);
