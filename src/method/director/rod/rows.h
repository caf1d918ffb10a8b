/* rows.h - rows of a node (force, moment) and 3 x 3 blocks of its tangent. */
#pragma once

#include "base/vec.h"

/* b[first ..] += k f */
static inline void wy_rows_add(double b[6], int first, double k, vec3 f) {
    b[first] += k * f.x, b[first + 1] += k * f.y, b[first + 2] += k * f.z;
}

/* a[row ..][column ..] += k m */
static inline void wy_rows_block(double a[6][6], int row, int column, double k, mat3 m) {
    const vec3 c[3] = {m.c1, m.c2, m.c3};
    for (int j = 0; j < 3; j++) {
        a[row][column + j] += k * c[j].x, a[row + 1][column + j] += k * c[j].y;
        a[row + 2][column + j] += k * c[j].z;
    }
}

/* A matrix with `stride` numbers in a row += k hat(u) from (row, column) on. */
static inline void wy_rows_hat(double *m, int stride, int row, int column, double k, vec3 u) {
    double *a = &m[row * stride + column], *b = a + stride, *c = b + stride;
    a[1] -= k * u.z, a[2] += k * u.y;
    b[0] += k * u.z, b[2] -= k * u.x;
    c[0] -= k * u.y, c[1] += k * u.x;
}

/* Likewise += k hat(f) hat(b) = k (b f^T - (f.b) I) */
static inline void wy_rows_hat_product(double *m, int stride, int row, int column, double k, vec3 f,
                                       vec3 b) {
    const double fv[3] = {f.x, f.y, f.z}, bv[3] = {b.x, b.y, b.z}, dot = v3_dot(f, b);
    for (int i = 0; i < 3; i++) {
        double *a = &m[(row + i) * stride + column];
        for (int j = 0; j < 3; j++) a[j] += k * bv[i] * fv[j];
        a[i] -= k * dot;
    }
}

/* The matrix of a cross product: hat(a) b = a x b. */
static inline mat3 wy_hat(vec3 a) { /* columns */
    return (mat3){{0, a.z, -a.y}, {-a.z, 0, a.x}, {a.y, -a.x, 0}};
}
