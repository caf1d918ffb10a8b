/* blocks.h - LU of a large sparse matrix of small dense blocks.  Room: src/numeric.
 *
 * For the skeleton of a network: a block row is a rigid cluster of rods and bodies with the multipliers
 * of joints that belong to it, 6 to 12 rows.  The pattern is symmetric, the values need not be.
 *
 * The order is found once, by minimum degree, and with it every place that the elimination writes to, so
 * that a factorisation has no search in it.  Rows are exchanged inside diagonal blocks only: the order
 * stays that of minimum degree whatever the values, which on saddle points is worth far more than the
 * digits that a free choice of pivots would save.  A block that has no stiffness of its own (multipliers
 * alone) is eliminated after those that give it some: wy_blocks_spec.after.
 *
 *   D_k = A_kk             = L U with row exchanges
 *   U_kj = D_k^-1 A_kj     for the neighbours j > k
 *   A_ij -= A_ik U_kj      for the neighbours i, j > k
 */
#pragma once

#include "base/base.h"

enum { WY_BLOCKS_LARGEST = 64 }; /* rows of a block, at most */

typedef struct wy_blocks_spec {
    int count, *size; /* block rows, and rows of each, 1 .. WY_BLOCKS_LARGEST                */
    int pairs,
        (*pair)[2];  /* blocks off the diagonal that are not zero, either order, repeats allowed */
    int (*after)[2]; /* [count] block rows to be eliminated before this one, or -1; NULL: none */
} wy_blocks_spec;

/* One more pair; a block row below zero stands for no block. */
static inline void wy_blocks_couple(wy_blocks_spec *x, int a, int b) {
    if (a < 0 || b < 0 || a == b) return;
    x->pair[x->pairs][0] = a, x->pair[x->pairs++][1] = b;
}

typedef struct wy_blocks {
    int count;
    int *size;             /* [count] in the order of elimination, as all that follows          */
    int *first;            /* [count] where its rows are in a vector                            */
    int *place;            /* [count] of the caller's block row in the order of elimination     */
    int *begin;            /* [count + 1] its neighbours that are eliminated later              */
    int *neighbour;        /* [begin[count]] increasing for each                                */
    size_t *diagonal;      /* [count] where blocks begin in the values                          */
    size_t *upper, *lower; /* [begin[count]] A_k,neighbour and A_neighbour,k                    */
    int *link;         /* pairs of neighbours, in order: which block off the diagonal they update */
    int rows, largest; /* in all; of the largest block                                      */
    size_t values;     /* doubles of all blocks                                             */
} wy_blocks;

withy_status wy_blocks_make(const wy_blocks_spec *spec, wy_arena *arena, wy_blocks *out,
                            withy_error *err);
/* The same in memory that is used again for each pattern, and without any other: 0 where it is too small. */
typedef struct wy_blocks_room {
    char *base; /* 16-byte aligned */
    size_t size, used;
} wy_blocks_room;

int wy_blocks_again(const wy_blocks_spec *spec, wy_blocks_room *room, wy_blocks *out);
/* Where block (i, j) of the caller begins in the values, row by row; it is size_j wide.  It must be in the
 * pattern. */
size_t wy_blocks_at(const wy_blocks *x, int i, int j);
/* The block of the caller on the diagonal, in the values; it is *wide wide. */
static inline double *wy_blocks_diagonal(const wy_blocks *x, double *value, int i, int *wide) {
    *wide = x->size[x->place[i]];
    return &value[x->diagonal[x->place[i]]];
}
/* Where the rows of a block row of the caller begin in a vector: in the order they were given. */
int wy_blocks_row(const wy_blocks *x, int i);

/* Factorise in place (blocks below the diagonal are transposed by it); pivot: [rows].  negative (or NULL): the number of negative eigenvalues, of a
 * symmetric matrix.  least (or NULL): the smallest pivot.  0: singular or not finite. */
int wy_blocks_factor(const wy_blocks *x, double *value, int *pivot, int *negative, double *least);
/* b := A^-1 b with the factors; b: [rows]. */
void wy_blocks_solve(const wy_blocks *x, const double *value, const int *pivot, double *b);
/* The same of eight right sides, b: [rows][WY_PACK]. */
void wy_blocks_solve_packs(const wy_blocks *x, const double *value, const int *pivot, double *b);
/* rest -= A v of as many vectors, and rest -= A^T v of one, with the matrix itself: what a solution misses. */
void wy_blocks_take_packs(const wy_blocks *x, const double *matrix, const double *v, double *rest);
void wy_blocks_take_transposed(const wy_blocks *x, const double *matrix, const double *v,
                               double *rest);
/* A pattern without loops: every block row has at most one neighbour that is eliminated later.  A row can then be
 * eliminated as soon as it is written, while it is in the caches, and a row and that neighbour are all that is touched.
 */
int wy_blocks_forest(const wy_blocks *x);
/* Row k of such a pattern, after all rows before it: its part of wy_blocks_factor, and of the first half of
 * wy_blocks_solve.  0: singular or not finite. */
int wy_blocks_eliminate(const wy_blocks *x, int k, double *value, int *pivot, double *b);
/* Its part of the second half, after all rows behind it. */
void wy_blocks_back(const wy_blocks *x, int k, const double *value, double *b);
/* b := A^-T b with the same factors. */
void wy_blocks_solve_transposed(const wy_blocks *x, const double *value, const int *pivot,
                                double *b);
