/* riccati.c - the kernels of riccati.h: fixed sizes, whole rows at a time.
 *
 * The 12 equations of a cell and their right sides are one array of 12 rows; elimination works on
 * whole rows in groups of four columns, which the compiler turns into vector instructions.
 */
#include "numeric/riccati.h"

#include <math.h>
#include <string.h>

enum { UNKNOWNS = 12, ROW = UNKNOWNS + WY_RICCATI_WIDE, GROUP = 4 };

#define INLINE static inline __attribute__((always_inline))

/* row -= f * pivot from column `first` (a multiple of GROUP) to column `end`. */
INLINE void subtract(double *row, const double *pivot, double f, int first, int end) {
    for (int c = first; c < end; c += GROUP)
        for (int d = 0; d < GROUP; d++) row[c + d] -= f * pivot[c + d];
}

INLINE void swap_rows(double *a, double *b, int end) {
    for (int c = 0; c < end; c++) {
        const double keep = a[c];
        a[c] = b[c], b[c] = keep;
    }
}

/* Row of the largest entry of column k, at or below the diagonal. */
INLINE int pivot_row(double (*m)[ROW], int k) {
    int best = k;
    double size = fabs(m[k][k]);
    for (int i = k + 1; i < UNKNOWNS; i++) {
        const double other = fabs(m[i][k]);
        best = other > size ? i : best;
        size = other > size ? other : size;
    }
    return best;
}

/* Gauss elimination of the 12 x 12 part of m with all its right sides, columns 12 .. end - 1. */
INLINE bool eliminate(double (*m)[ROW], int end) {
    double inverse[UNKNOWNS];
    for (int k = 0; k < UNKNOWNS; k++) {
        const int best = pivot_row(m, k);
        if (best != k) swap_rows(m[k], m[best], end);
        inverse[k] = 1.0 / m[k][k];
        for (int i = k + 1; i < UNKNOWNS; i++)
            subtract(m[i], m[k], m[i][k] * inverse[k], k & ~(GROUP - 1), end);
    }
    double check = 0; /* infinity and NaN survive the product with zero */
    for (int k = UNKNOWNS - 1; k >= 0; k--) {
        for (int c = UNKNOWNS; c < end; c++) m[k][c] *= inverse[k];
        for (int i = 0; i < k; i++) subtract(m[i], m[k], m[i][k], UNKNOWNS, end);
        check += 0.0 * inverse[k];
    }
    return check == 0.0;
}

/* With the number of columns known to the compiler. */
INLINE bool step(const wy_riccati_cell *cell, int extra, const wy_riccati_node *next,
                 wy_riccati_node *node, int wide) {
    double m[UNKNOWNS][ROW] __attribute__((aligned(64)));
    for (int i = 0; i < UNKNOWNS; i++) {
        double bx[WY_RICCATI_WIDE] = {0}; /* B_x [P | p | T] */
        for (int k = 0; k < 6; k++)
            for (int c = 0; c < wide; c++) bx[c] += cell->bx[i][k] * next->row[k][c];
        for (int c = 0; c < 6; c++) {
            m[i][c] = cell->ax[i][c];
            m[i][6 + c] = cell->by[i][c] + bx[c];
            m[i][12 + c] = -cell->ay[i][c];
        }
        m[i][18] = -cell->r[i] - bx[6];
        for (int c = 7; c < wide; c++)
            m[i][12 + c] = c - 7 < extra ? -cell->e[i][c - 7] - bx[c] : 0.0;
    }
    if (!eliminate(m, UNKNOWNS + wide)) return false;
    for (int i = 0; i < UNKNOWNS; i++)
        memcpy(node->row[i], m[i] + UNKNOWNS, (size_t)wide * sizeof(double));
    return true;
}

bool wy_riccati_step(const wy_riccati_cell *cell, int extra, const wy_riccati_node *next,
                     wy_riccati_node *node) {
    return extra ? step(cell, extra, next, node, 12) : step(cell, 0, next, node, 8);
}

void wy_riccati_forward(const wy_riccati_node *node, int extra, const double y[6], const double *t,
                        double x[6], double y_next[6]) {
    double out[12];
    for (int i = 0; i < 12; i++) {
        const double *row = node->row[i];
        double sum = row[6];
        for (int k = 0; k < 6; k++) sum += row[k] * y[k];
        for (int k = 0; k < extra; k++) sum += row[7 + k] * t[k];
        out[i] = sum;
    }
    memcpy(x, out, 6 * sizeof *x);
    memcpy(y_next, out + 6, 6 * sizeof *y_next);
}

bool wy_solve6(double m[6][6], int columns, double b[6][WY_RICCATI_WIDE]) {
    for (int k = 0; k < 6; k++) {
        int best = k;
        for (int i = k + 1; i < 6; i++)
            if (fabs(m[i][k]) > fabs(m[best][k])) best = i;
        if (!(fabs(m[best][k]) > 0) || !isfinite(m[best][k])) return false;
        if (best != k) {
            swap_rows(m[k], m[best], 6);
            swap_rows(b[k], b[best], columns);
        }
        for (int i = k + 1; i < 6; i++) {
            const double f = m[i][k] / m[k][k];
            for (int c = k; c < 6; c++) m[i][c] -= f * m[k][c];
            for (int c = 0; c < columns; c++) b[i][c] -= f * b[k][c];
        }
    }
    for (int k = 5; k >= 0; k--)
        for (int c = 0; c < columns; c++) {
            for (int i = k + 1; i < 6; i++) b[k][c] -= m[k][i] * b[i][c];
            b[k][c] /= m[k][k];
        }
    return true;
}
