/* complex.h - vectors and quaternions of complex numbers, for derivatives by complex steps.
 * Room: src/numeric.
 */
#pragma once

#include <complex.h>

typedef double complex wy_complex;

static inline void wy_complex_cross(const wy_complex a[3], const wy_complex b[3],
                                    wy_complex out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline void wy_complex_matrix(const wy_complex q[4], wy_complex R[3][3]) {
    const wy_complex w = q[0], x = q[1], y = q[2], z = q[3];
    R[0][0] = 1 - 2 * (y * y + z * z), R[0][1] = 2 * (x * y - w * z), R[0][2] = 2 * (x * z + w * y);
    R[1][0] = 2 * (x * y + w * z), R[1][1] = 1 - 2 * (x * x + z * z), R[1][2] = 2 * (y * z - w * x);
    R[2][0] = 2 * (x * z - w * y), R[2][1] = 2 * (y * z + w * x), R[2][2] = 1 - 2 * (x * x + y * y);
}

/* a* b, and a (0, m) */
static inline void wy_complex_conj_times(const wy_complex a[4], const wy_complex b[4],
                                         wy_complex out[3]) {
    out[0] = a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2];
    out[1] = a[0] * b[2] - a[2] * b[0] - a[3] * b[1] + a[1] * b[3];
    out[2] = a[0] * b[3] - a[3] * b[0] - a[1] * b[2] + a[2] * b[1];
}
static inline void wy_complex_times_vector(const wy_complex a[4], const wy_complex m[3],
                                           wy_complex out[4]) {
    out[0] = -a[1] * m[0] - a[2] * m[1] - a[3] * m[2];
    out[1] = a[0] * m[0] + a[2] * m[2] - a[3] * m[1];
    out[2] = a[0] * m[1] + a[3] * m[0] - a[1] * m[2];
    out[3] = a[0] * m[2] + a[1] * m[1] - a[2] * m[0];
}
