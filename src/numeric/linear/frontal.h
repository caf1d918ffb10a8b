/* frontal.h - elimination of a chain of elements, six unknowns per node.  Room: src/numeric.
 *
 * The matrix of an element of degree p is dense, 6(p+1) rows, with the right side as one more column.
 * The 6p rows that no later element reaches are eliminated node by node by block Gauss-Jordan, and the
 * last 6 rows are the front that is added to the next element.
 * Gauss-Jordan instead of LU: the eliminated
 * rows shrink to 6 couplings and one right side, which is a third of the memory, and back
 * substitution has no chain.  No pivoting: none was needed in any test, and the count of
 * negative pivots is then the number of negative eigenvalues of a symmetric tangent.
 *
 * The degree is a constant where these are inlined, so that all loops have constant bounds.
 */
#pragma once

#include "numeric/interpolate/interpolate.h"
#include "numeric/vector/lane.h"

/* Vectors per matrix row, right side included. */
#define WY_FRONTAL_LANES(p) ((6 * ((p) + 1) + 1 + 3) / 4)

/* Inverse of a 6x6 block in place (rows of two vectors); returns the number of negative pivots. */
WY_ALWAYS int frontal_invert(lane m[6][2]) {
    int negative = 0;
#pragma GCC unroll 6
    for (int k = 0; k < 6; k++) {
        const double pivot = m[k][k / 4][k % 4];
        negative += pivot < 0;
        const lane inverse = lane_all(1.0 / pivot);
        m[k][k / 4][k % 4] = 1.0;
        m[k][0] *= inverse, m[k][1] *= inverse;
#pragma GCC unroll 6
        for (int i = 0; i < 6; i++) {
            if (i == k) continue;
            const lane l = lane_all(m[i][k / 4][k % 4]);
            m[i][k / 4][k % 4] = 0.0;
            m[i][0] -= l * m[k][0], m[i][1] -= l * m[k][1];
        }
    }
    return negative;
}

/* Eliminate the rows of node b of the element from all other rows; keep (or NULL): the multipliers,
 * [6 (p + 1)][6]; stride: doubles per row of m.  Returns the number of negative pivots. */
WY_ALWAYS int frontal_eliminate(const int p, const int b, const int stride, double *m,
                                double (*keep)[6]) {
    lane inverse[6][2];
    double in[6][8];
    for (int i = 0; i < 6; i++) {
        inverse[i][0] = lane_load(&m[(6 * b + i) * stride + 6 * b]);
        inverse[i][1] = lane_load(&m[(6 * b + i) * stride + 6 * b + 4]);
        inverse[i][1][2] = inverse[i][1][3] = 0.0;
    }
    const int negative = frontal_invert(inverse);
    __builtin_memcpy(in, inverse, sizeof in);
    const int first = 6 * (b + 1) / 4; /* columns before are finished */
    for (int i = 0; keep && i < 6 * (p + 1);
         i++) { /* the last two are overwritten by what follows */
        const double *row = i / 6 == b ? in[i - 6 * b] : &m[i * stride + 6 * b];
        lane_store(keep[i], lane_load(row));
        lane_store(keep[i] + 4, lane_load(row + 4));
    }
    /* the columns of b, before the first vector overwrites some of them */
    double l[6 * (WY_ELEMENT_DEGREE + 2)][6];
    for (int i = 0; i < 6 * (p + 1); i++)
        __builtin_memcpy(l[i], &m[i * stride + 6 * b], sizeof l[i]);
    for (int c = first; c < WY_FRONTAL_LANES(p); c++) {
        lane old[6], u[6]; /* u stays in registers for all rows */
#pragma GCC unroll 6
        for (int k = 0; k < 6; k++) old[k] = lane_load(&m[(6 * b + k) * stride + 4 * c]);
#pragma GCC unroll 6
        for (int k = 0; k < 6; k++) {
            u[k] = lane_all(in[k][0]) * old[0];
#pragma GCC unroll 6
            for (int j = 1; j < 6; j++) u[k] += lane_all(in[k][j]) * old[j];
        }
        for (int i = 0; i < 6 * (p + 1); i++) {
            if (i / 6 == b) continue;
            lane sum = lane_load(&m[i * stride + 4 * c]);
#pragma GCC unroll 6
            for (int k = 0; k < 6; k++) sum -= lane_all(l[i][k]) * u[k];
            lane_store(&m[i * stride + 4 * c], sum);
        }
#pragma GCC unroll 6
        for (int k = 0; k < 6; k++) lane_store(&m[(6 * b + k) * stride + 4 * c], u[k]);
    }
    return negative;
}

/* The elimination of node b on one more right side f[6 (p + 1)], by the multipliers that were kept. */
WY_ALWAYS void frontal_again(const int p, const int b, const double *keep, double *f) {
    double y[6];
    for (int i = 0; i < 6; i++) {
        y[i] = 0;
        for (int k = 0; k < 6; k++) y[i] += keep[(6 * b + i) * 6 + k] * f[6 * b + k];
    }
    for (int i = 0; i < 6 * (p + 1); i++) {
        if (i / 6 == b) continue;
        for (int k = 0; k < 6; k++) f[i] -= keep[i * 6 + k] * y[k];
    }
    for (int i = 0; i < 6; i++) f[6 * b + i] = y[i];
}
