/* inertia.h - the signs of the eigenvalues of a large symmetric matrix that is given in small pieces.
 * Room: src/numeric.
 *
 * A frontal elimination (Irons; Duff and Reid 1983): a row may be eliminated once it is complete, by a pivot of one or
 * two rows that is not small beside the other entries of its rows.  Else it waits, as a part of the front, for the pieces
 * that come later.  So no entry grows by more than a bounded factor, whatever the matrix, and the signs are those of
 * M + E with  |E| <= bound  (Sylvester; Higham, Accuracy and Stability, 11.1).
 */
#pragma once

#include "base/base.h"

typedef struct wy_inertia {
    int room, size; /* of the front, and rows in it now                     */
    double *a;      /* [room][room]                                         */
    int *row;       /* [room] which rows of the matrix are in the front     */
    char *whole;    /* [room] 1: complete                                   */
    double lift;    /* is added to the diagonal of a row when it is complete */
    int failed;     /* no memory, or no number                              */
    int widest;     /* rows of the front, at most                           */
    double largest; /* entry, or term of one, so far                        */
    int negative;   /* eigenvalues                                          */
} wy_inertia;

/* Begin anew; what the struct has of an earlier use is used again.  All zero: there is none. */
void wy_inertia_begin(wy_inertia *x, double lift);
/* Add the symmetric part of m (rows x rows, `stride` apart); row[i] < 0: left out. */
void wy_inertia_add(wy_inertia *x, int rows, const int *row, const double *m, int stride);
/* These rows are complete. */
void wy_inertia_complete(wy_inertia *x, int rows, const int *row);
/* All are.  The number of negative eigenvalues of M + lift, and the norm of the E above; -1: not known. */
int wy_inertia_end(wy_inertia *x, double *bound);
void wy_inertia_free(wy_inertia *x);
