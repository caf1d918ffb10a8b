/* sbp.h - the difference operators of the staggered grid, orders 2, 4 and 6.  Room: src/numeric.
 *
 * Nodes i = 0 .. n sit at s = i h, halves j = 0 .. n-1 at s = (j + 1/2) h.  On the unit grid
 *
 *   (Q r)_j = sum_l c_l (r_(j+1+l) - r_(j-l))         differences of node values at the halves
 *   (I q)_i = sum_l e_l (q_(i+l) + q_(i-1-l))         half values interpolated to the nodes
 *
 * with closures near the ends, and norms P+ (nodes), P- (halves) such that summation by parts is
 * exact: P+ D+ = B - Q^T, P- D- = Q, B = diag(-1, 0 .. 0, 1).
 */
#pragma once

enum { WY_SBP_ROWS = 8, WY_SBP_COLS = 12 };

/* The first or the last WY_SBP_ROWS rows of an operator, column by column: m[col][row].  The right
 * block ends with the last row and the last column of the operator. */
typedef struct wy_sbp_block {
    int cols;
    double m[WY_SBP_COLS][WY_SBP_ROWS];
} wy_sbp_block;

/* One row: weight[c] belongs to the point first + c. */
typedef struct wy_sbp_row {
    int first, count;
    const double *weight;
} wy_sbp_row;

/* All rows of an operator: those near the ends, and between them one that repeats itself. */
enum { WY_SBP_EDGE = 12, WY_SBP_REACH = 12 };
typedef struct wy_sbp_rows {
    int count; /* rows of the operator */
    int first[2 * WY_SBP_EDGE + 1], used[2 * WY_SBP_EDGE + 1];
    double weight[2 * WY_SBP_EDGE + 1][2 * WY_SBP_REACH + 1];
} wy_sbp_rows;

typedef struct wy_sbp {
    int order, n;
    int reach; /* K = order / 2: entries of c and e                       */
    int rows;  /* rows that differ from the interior, at each end: 0 | 4 | 6 */
    double c[3], e[3];
    double sigma;       /* spectral radius of Q on the unit grid                   */
    wy_sbp_block q[2];  /* Q,   rows: halves, columns: nodes; left and right end   */
    wy_sbp_block qt[2]; /* Q^T, rows: nodes, columns: halves                       */
    wy_sbp_block i[2];  /* I,   rows: nodes, columns: halves                       */
    wy_sbp_block it[2]; /* I^T, rows: halves, columns: nodes                       */
    wy_sbp_rows row_q, row_qt, row_i, row_it; /* the same, row by row */
} wy_sbp;

wy_sbp_row wy_sbp_row_of(const wy_sbp_rows *rows, int i);

/* Fewest intervals the order allows: the two closures must not overlap. */
int wy_sbp_least_n(int order);
void wy_sbp_make(int order, int n, wy_sbp *op);

/* Single entries Q[j][i] and I[i][j], and the weights P+_i, P-_j. */
double wy_sbp_q_entry(const wy_sbp *op, int j, int i);
double wy_sbp_i_entry(const wy_sbp *op, int i, int j);
double wy_sbp_node_weight(const wy_sbp *op, int i);
double wy_sbp_half_weight(const wy_sbp *op, int j);
