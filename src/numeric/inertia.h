/* inertia.h - the signs of the eigenvalues of a large symmetric matrix that is given in small pieces.
 * Room: src/numeric.
 *
 * A frontal elimination (Irons; Duff and Reid 1983): a row may be eliminated once it is complete, by a pivot of one or
 * two rows that is not small beside the other entries of its rows.  Else it waits, as a part of the front, for the pieces
 * that come later.  So no entry grows by more than a bounded factor, whatever the matrix, and the signs are those of
 * M + E with  |E_ij| <= 2 eps F min(m_i, m_j),  F the rows of the front, m_i the largest term that row i ever had, hence
 * -D <= E <= D,  D = diag(2 eps F^2 m_i)  (Sylvester; Higham, Accuracy and Stability, chapter 11).
 */
#pragma once

#include "base/base.h"

enum { WY_INERTIA_PIECE = 64 }; /* rows of a piece, at most */

typedef struct wy_inertia {
    int room, size; /* of the front, and rows in it now                              */
    double *a;      /* [room][room]                                                  */
    int *row;       /* [room] which rows of the matrix are in the front              */
    char *state;    /* [room]                                                        */
    double *most;   /* [room] m_i so far                                             */
    double *lift;   /* [room] what has been added to the diagonal                    */
    double part;    /* of m_i: that, when a row is complete; negative: it is taken off */
    int failed;     /* no memory, or no number                                       */
    int widest;     /* rows of the front, at most                                    */
    double missing; /* the largest m_i/|lift_i|                                      */
    int negative;   /* eigenvalues                                                   */
} wy_inertia;

/* Begin anew; what the struct has of an earlier use is used again.  All zero: there is none. */
void wy_inertia_begin(wy_inertia *x, double part);
/* Add the symmetric part of m (rows x rows, `stride` apart); row[i] < 0: left out. */
void wy_inertia_add(wy_inertia *x, int rows, const int *row, const double *m, int stride);
/* The row of a multiplier, with zero on the diagonal: that is lowered in any case, by more than rounding, so that it
 * counts as one that is negative even where it depends on others. */
void wy_inertia_lower(wy_inertia *x, int row);
/* These rows are complete. */
void wy_inertia_complete(wy_inertia *x, int rows, const int *row);
/* All are.  The number of negative eigenvalues of M + part m_i; -1: not known.  *need: the part that makes it surely no
 * more (or, negative, no fewer) than those of M. */
int wy_inertia_end(wy_inertia *x, double *need);
void wy_inertia_free(wy_inertia *x);
