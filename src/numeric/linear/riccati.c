/* riccati.c - the kernels of linear.h: fixed sizes, whole rows at a time.
 *
 * The 12 equations of a cell and their right sides are one array of 12 rows; elimination works on
 * whole rows in groups of four columns.  Without this the compiler does not vectorise it (it cannot
 * see that rows differ), which costs a factor of two; bench/bench_se3.c measures it.
 */
#include "numeric/linear/linear.h"

#include <math.h>
#include <string.h>

#include "numeric/vector/always.h"

enum { UNKNOWNS = 12, ROW = UNKNOWNS + WY_RICCATI_WIDE, GROUP = 4 };

/* Four numbers at once, anywhere in memory; gcc and clang turn them into what the machine has. */
typedef double four __attribute__((vector_size(32), aligned(8), may_alias));

WY_ALWAYS four load(const double *from) {
    return *(const four *)from;
}
WY_ALWAYS void store(double *to, four value) {
    *(four *)to = value;
}

/* row -= f * pivot from column `first` (a multiple of GROUP) to column `end`. */
WY_ALWAYS void subtract(double *row, const double *pivot, double f, int first, int end) {
    for (int c = first; c < end; c += GROUP) store(row + c, load(row + c) - f * load(pivot + c));
}

WY_ALWAYS void multiply(double *row, double f, int first, int end) {
    for (int c = first; c < end; c += GROUP) store(row + c, f * load(row + c));
}

WY_ALWAYS void swap_rows(double *a, double *b, int end) {
    for (int c = 0; c < end; c += GROUP) {
        const four keep = load(a + c);
        store(a + c, load(b + c));
        store(b + c, keep);
    }
}

/* Row of the largest entry of column k, at or below the diagonal. */
WY_ALWAYS int pivot_row(double (*m)[ROW], int k) {
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
WY_ALWAYS bool eliminate(double (*m)[ROW], int end) {
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
        multiply(m[k], inverse[k], UNKNOWNS, end);
        for (int i = 0; i < k; i++) subtract(m[i], m[k], m[i][k], UNKNOWNS, end);
        check += 0.0 * inverse[k];
    }
    return check == 0.0;
}

/* With the number of columns known to the compiler. */
WY_ALWAYS bool step(const wy_riccati_cell *cell, int extra, const wy_riccati_node *next,
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
    return extra > 1 ? step(cell, extra, next, node, WY_RICCATI_WIDE)
                     : step(cell, extra, next, node, 8);
}

/* ---- the cell solved for x_j + x_{j+1} --------------------------------------------------- */

/* out = a b with 6 x 6 a and 6 x wide b. */
WY_ALWAYS void product(double (*out)[WY_RICCATI_WIDE], const double *a, const double *b, int stride,
                       int wide) {
    for (int c = 0; c < wide; c += GROUP) {
        four row[6];
        for (int k = 0; k < 6; k++) row[k] = load(b + k * stride + c);
        for (int i = 0; i < 6; i++) {
            four sum = a[8 * i] * row[0];
            for (int k = 1; k < 6; k++) sum += a[8 * i + k] * row[k];
            store(out[i] + c, sum);
        }
    }
}

enum { SMALL = 8, SMALL_ROW = SMALL + WY_RICCATI_WIDE };

/* Gauss elimination of the 6 x 6 part of m; right sides in columns 8 .. end - 1. */
WY_ALWAYS bool eliminate_small(double (*m)[SMALL_ROW], int end) {
    double inverse[6], check = 0;
#pragma GCC unroll 6
    for (int k = 0; k < 6; k++) {
        int best = k;
        double size = fabs(m[k][k]);
        for (int i = k + 1; i < 6; i++) {
            const double other = fabs(m[i][k]);
            best = other > size ? i : best;
            size = other > size ? other : size;
        }
        if (best != k) swap_rows(m[k], m[best], end);
        inverse[k] = 1.0 / m[k][k];
        for (int i = k + 1; i < 6; i++)
            subtract(m[i], m[k], m[i][k] * inverse[k], k & ~(GROUP - 1), end);
    }
    for (int k = 5; k >= 0; k--) {
        multiply(m[k], inverse[k], SMALL, end);
        for (int i = 0; i < k; i++) subtract(m[i], m[k], m[i][k], SMALL, end);
        check += 0.0 * inverse[k];
    }
    return check == 0.0;
}

/* p = H [P | p | T] */
WY_ALWAYS void times_h(const wy_riccati_sum *cell, const wy_riccati_node *next,
                       double (*p)[WY_RICCATI_WIDE], int wide) {
    if (!cell->diagonal) {
        product(p, cell->h[0], next->row[0], WY_RICCATI_WIDE, wide);
        return;
    }
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < wide; c += GROUP)
            store(p[i] + c, cell->h[i][i] * load(next->row[i] + c));
}

/* With z = y_{j+1}, y = y_j (3) becomes
 * [H P - A W + D] z = -[C - A V] y - [r - A u + H p] - [E + H T] t. */
WY_ALWAYS bool sum_step(const wy_riccati_sum *cell, int extra, const wy_riccati_node *next,
                        wy_riccati_node *node, int wide) {
    double m[6][SMALL_ROW] __attribute__((aligned(64)));
    double p[6][WY_RICCATI_WIDE], av[6][WY_RICCATI_WIDE], aw[6][WY_RICCATI_WIDE];
    double sum[6][8], q[6][WY_RICCATI_WIDE];
    times_h(cell, next, p, wide);
    product(av, cell->a[0], cell->v[0], 8, 8);
    product(aw, cell->a[0], cell->w[0], 8, 8);
    for (int i = 0; i < 6; i++) {
        for (int c = 0; c < 8; c += GROUP) {
            store(m[i] + c, load(p[i] + c) - load(aw[i] + c) + load(cell->d[i] + c));
            store(m[i] + SMALL + c, load(av[i] + c) - load(cell->c[i] + c));
        }
        m[i][SMALL + 6] -= p[i][6];
        for (int c = 7; c < wide; c++)
            m[i][SMALL + c] = c - 7 < extra ? -cell->e[i][c - 7] - p[i][c] : 0.0;
    }
    if (!eliminate_small(m, SMALL + wide)) return false;
    for (int i = 0; i < 6; i++) { /* x_j = -(P + W) z - V y - u - p - T t */
        for (int c = 0; c < 8; c += GROUP)
            store(sum[i] + c, load(next->row[i] + c) + load(cell->w[i] + c));
        for (int c = 0; c < wide; c += GROUP) store(node->row[6 + i] + c, load(m[i] + SMALL + c));
    }
    product(q, sum[0], node->row[6], WY_RICCATI_WIDE, wide);
    for (int i = 0; i < 6; i++) {
        double *row = node->row[i];
        for (int c = 0; c < wide; c += GROUP) {
            const four v = c < 8 ? load(cell->v[i] + c) : (four){0};
            store(row + c, -load(q[i] + c) - v);
        }
        for (int c = 6; c < 7 + extra; c++) row[c] -= next->row[i][c];
    }
    return true;
}

bool wy_riccati_sum_step(const wy_riccati_sum *cell, int extra, const wy_riccati_node *next,
                         wy_riccati_node *node) {
    return extra > 1 ? sum_step(cell, extra, next, node, WY_RICCATI_WIDE)
                     : sum_step(cell, extra, next, node, 8);
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

static void swap(double *a, double *b) {
    const double keep = *a;
    *a = *b, *b = keep;
}

bool wy_solve6(double m[6][6], int columns, double b[6][WY_RICCATI_WIDE]) {
    for (int k = 0; k < 6; k++) {
        int best = k;
        for (int i = k + 1; i < 6; i++)
            if (fabs(m[i][k]) > fabs(m[best][k])) best = i;
        if (!(fabs(m[best][k]) > 0) || !isfinite(m[best][k])) return false;
        if (best != k) {
            for (int c = 0; c < 6; c++) swap(&m[k][c], &m[best][c]);
            for (int c = 0; c < columns; c++) swap(&b[k][c], &b[best][c]);
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
