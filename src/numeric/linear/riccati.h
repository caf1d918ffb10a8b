/* riccati.h - linear two-point boundary value problems along a chain of cells, O(n), no growth.
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
#pragma once

#include <stdbool.h>

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
