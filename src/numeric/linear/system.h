/* system.h - a linear system as those see it who only have right sides.  Room: src/numeric.
 *
 * What orders the elimination of a system (a chain from end to end, a tree, blocks by minimum degree) has a row here: how it
 * solves with its factors, forwards or transposed, of one or of WY_PACK right sides, and what a solution misses.  The
 * factors may be those of a matrix that is only close to A (rounding in thin rods, a little stiffness added): corrections
 * with A itself remove that.
 */
#pragma once

#include "base/base.h"

typedef struct wy_system {
    void *self;
    int which;        /* of its right sides                                              */
    int rows, lanes;  /* vectors are [rows][lanes]; lanes: 1, or WY_PACK                   */
    int nodes;        /* of six rows each, three of one unit and three of another          */
    double weight[2]; /* of their squares in the size of a vector                         */
    int (*node)(const struct wy_system *x, int k); /* the first row of one; -1: it does not count */
    void (*solve)(const struct wy_system *x, double *b);
    /* rest = b - A v; v NULL: b */
    void (*miss)(const struct wy_system *x, const double *v, double *rest);
    int most;      /* corrections                                                         */
    double enough; /* and a last one                                                      */
    double *fault; /* [lanes] error that corrections leave, over the solution; or NULL        */
} wy_system;

/* v = A^-1 b.  Returns the relative error that the last corrections lead to expect, the largest of all lanes: their sum if
 * they keep shrinking at that rate. */
double wy_system_solve(const wy_system *x, double *v, double *rest);
