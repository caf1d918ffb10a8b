/* linear.h - systems of linear equations: dense, banded, of blocks, by a front, along a rod.  Room: src/numeric. */
#pragma once

#include <stdbool.h>

#include "base/base.h"
#include "base/block.h"

/* ---- dense.c: dense linear systems by LU with row exchanges, in place. */

/* Factor a [n][ld], row-major; pivot [n].  Returns 0 when the matrix is singular or not finite. */
int wy_lu_factor(int n, int ld, double *a, int *pivot);

/* Solve for one right-hand side, in place. */
void wy_lu_solve(int n, int ld, const double *a, const int *pivot, double *b);

/* The same with the transposed matrix. */
void wy_lu_solve_transposed(int n, int ld, const double *a, const int *pivot, double *b);

/* Is a symmetric matrix [n][n], of which the upper half is given, positive definite?  By elimination, in
 * place. */
int wy_is_definite(int n, double *a);

/* ---- banded.c: LU with partial pivoting of a banded matrix that is handed over row by row.
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

/* ---- blocks.c: LU of a large sparse matrix of small dense blocks.
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
/* The block of the caller on the diagonal, in the values; it is *width wide. */
static inline double *wy_blocks_diagonal(const wy_blocks *x, double *value, int i, int *width) {
    *width = x->size[x->place[i]];
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

/* ---- front.c: a large sparse matrix that is given in small pieces: its LU, or the signs of its eigenvalues.
 *
 * A frontal elimination (Irons 1970; Hood 1976): rows and columns are eliminated once they are complete, by a pivot that is
 * not small compared with the entries next to it; else they wait, as a part of the front, for the pieces that come later (Duff
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

/* ---- riccati.c: linear two-point boundary value problems along a chain of cells, O(n), no growth.
 *
 * Every node j = 0 .. n carries two blocks of six unknowns, x_j and y_j.  Every cell gives twelve
 * equations, with m = WY_RICCATI_EXTRA or fewer extra unknowns t common to all cells:
 *
 *     A_x x_j + A_y y_j + B_x x_{j+1} + B_y y_{j+1} = -r - E t                               (1)
 *
 * and the last node gives  x_n = P_n y_n + p_n + T_n t.  The sweep from the last cell to the first
 * solves, with partial pivoting,
 *
 *     [A_x | B_x P_{j+1} + B_y] (x_j, y_{j+1}) = -r - B_x p_{j+1} - A_y y_j - (E + B_x T_{j+1}) t
 *     x_j = P_j y_j + p_j + T_j t,     y_{j+1} = Q_j y_j + q_j + U_j t                       (2)
 *
 * Unlike shooting from node 0, (2) never multiplies by a growing solution.
 */

enum {
    WY_RICCATI_EXTRA = 9,
    WY_RICCATI_WIDE = 16, /* columns of [P | p | T]: 6 + 1 + 9 */
};

/* Equations (1) of one cell; e holds the columns of E. */
typedef struct wy_riccati_cell {
    double ax[12][6], ay[12][6], bx[12][6], by[12][6];
    double r[12];
    double e[12][WY_RICCATI_EXTRA];
} wy_riccati_cell;

/* Relations (2) of one node and the cell after it: rows 0-5 [P | p | T], rows 6-11 [Q | q | U]. */
typedef struct wy_riccati_node {
    double row[12][WY_RICCATI_WIDE];
} wy_riccati_node;

/* Equations of a cell whose first six have been solved for the sum x_j + x_{j+1}, which the box scheme
 * allows in closed form:
 *
 *     x_j + x_{j+1} = -u - V y_j - W y_{j+1}
 *     A (x_j + x_{j+1}) + H x_{j+1} + C y_j + D y_{j+1} = -r - E t                           (3)
 *
 * Then only a 6 x 6 system is left to solve.  Column 6 of v is u, column 6 of c is r; column 7 of all
 * is zero: rows of eight fill whole vector registers. */
typedef struct wy_riccati_sum {
    double v[6][8], w[6][8], a[6][8], h[6][8], c[6][8], d[6][8];
    double e[6][WY_RICCATI_EXTRA];
    bool diagonal; /* only the diagonal of h is not zero */
} wy_riccati_sum;

/* As wy_riccati_step, for a cell of the form (3). */
bool wy_riccati_sum_step(const wy_riccati_sum *cell, int extra, const wy_riccati_node *next,
                         wy_riccati_node *node);

/* One cell of the sweep, from node j+1 to node j, with `extra` columns of E.  False when the cell
 * is singular or holds a number that is not finite. */
bool wy_riccati_step(const wy_riccati_cell *cell, int extra, const wy_riccati_node *next,
                     wy_riccati_node *node);

/* x and y of node j and y of node j + 1 from y of node j and t, by (2). */
void wy_riccati_forward(const wy_riccati_node *node, int extra, const double y[6], const double *t,
                        double x[6], double y_next[6]);

/* Solve the 6 x 6 system m x = b for `columns` right sides by elimination with partial pivoting; b
 * becomes x.  False when singular. */
bool wy_solve6(double m[6][6], int columns, double b[6][WY_RICCATI_WIDE]);

/* ---- system.c: a linear system as those see it who only have right sides.
 *
 * What orders the elimination of a system (a chain from end to end, a tree, blocks by minimum degree) has a row here: how it
 * solves with its factors, forwards or transposed, of one or of WY_PACK right sides, and what a solution misses.  The
 * factors may be those of a matrix that is only close to A (rounding in thin rods, a little stiffness added): corrections
 * with A itself remove that.
 */

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
