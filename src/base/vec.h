/* vec.h - vectors, 3x3 matrices, quaternions by value, so that a formula reads as a formula. */
#pragma once

#include <math.h>

#include "withy/math.h"

typedef withy_vec3 vec3;
typedef withy_quat quat;

/* Columns are the images of e1, e2, e3: for a frame, d1, d2, d3. */
typedef struct mat3 {
    vec3 c1, c2, c3;
} mat3;

static inline vec3 v3(double x, double y, double z) {
    return (vec3){x, y, z};
}
static inline vec3 v3_from(const double *a) {
    return (vec3){a[0], a[1], a[2]};
}
static inline void v3_to(vec3 a, double *out) {
    out[0] = a.x, out[1] = a.y, out[2] = a.z;
}
/* Component k = 0, 1, 2, and the unit vector along it.  (&a.x)[k] would be no access to y and z: clang takes it for one to
 * x whatever k is, and moves it before their assignment. */
static inline double v3_get(vec3 a, int k) {
    return k == 0 ? a.x : k == 1 ? a.y : a.z;
}
static inline vec3 v3_axis(int k) {
    return (vec3){k == 0, k == 1, k == 2};
}
static inline vec3 v3_add(vec3 a, vec3 b) {
    return (vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline vec3 v3_sub(vec3 a, vec3 b) {
    return (vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline vec3 v3_scale(double k, vec3 a) {
    return (vec3){k * a.x, k * a.y, k * a.z};
}
/* a + k b */
static inline vec3 v3_axpy(vec3 a, double k, vec3 b) {
    return (vec3){a.x + k * b.x, a.y + k * b.y, a.z + k * b.z};
}
static inline double v3_dot(vec3 a, vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline vec3 v3_cross(vec3 a, vec3 b) {
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double v3_norm(vec3 a) {
    return sqrt(v3_dot(a, a));
}
static inline vec3 v3_unit(vec3 a) {
    return v3_scale(1.0 / v3_norm(a), a);
}
/* The same of a vector of any length whose square may be out of range: { 0, 1e-200, 0 } has a direction. */
static inline vec3 v3_direction(vec3 a) {
    const double most = fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
    if (most > 1e-100 && most < 1e100) return v3_unit(a);
    return v3_unit((vec3){a.x / most, a.y / most, a.z / most});
}
static inline int v3_finite(vec3 a) {
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}
static inline int v3_is_zero(vec3 a) {
    return a.x == 0.0 && a.y == 0.0 && a.z == 0.0;
}
/* Any unit vector orthogonal to the unit vector t. */
static inline vec3 v3_orthogonal(vec3 t) {
    const vec3 axis = fabs(t.x) < 0.6 ? v3(1, 0, 0) : v3(0, 1, 0);
    return v3_unit(v3_axpy(axis, -v3_dot(axis, t), t));
}
/* The part of a orthogonal to the unit vector t, made unit. */
static inline vec3 v3_reject(vec3 a, vec3 t) {
    return v3_unit(v3_axpy(a, -v3_dot(a, t), t));
}

static inline vec3 m3_column(mat3 m, int k) {
    return k == 0 ? m.c1 : k == 1 ? m.c2 : m.c3;
}
static inline vec3 m3_mul(mat3 m, vec3 a) {
    return v3_axpy(v3_axpy(v3_scale(a.x, m.c1), a.y, m.c2), a.z, m.c3);
}
/* m^T a: laboratory to material components when m is a frame. */
static inline vec3 m3_tmul(mat3 m, vec3 a) {
    return (vec3){v3_dot(m.c1, a), v3_dot(m.c2, a), v3_dot(m.c3, a)};
}
static inline mat3 m3_axpy(mat3 a, double k, mat3 b) {
    return (mat3){v3_axpy(a.c1, k, b.c1), v3_axpy(a.c2, k, b.c2), v3_axpy(a.c3, k, b.c3)};
}
static inline mat3 m3_mulm(mat3 a, mat3 b) {
    return (mat3){m3_mul(a, b.c1), m3_mul(a, b.c2), m3_mul(a, b.c3)};
}
static inline mat3 m3_transpose(mat3 m) {
    return (mat3){{m.c1.x, m.c2.x, m.c3.x}, {m.c1.y, m.c2.y, m.c3.y}, {m.c1.z, m.c2.z, m.c3.z}};
}
static inline mat3 m3_identity(void) {
    return (mat3){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
}
/* The frame with d3 = t (unit) and d1 = the direction of n made orthogonal to t. */
static inline mat3 m3_frame(vec3 t, vec3 n) {
    const vec3 d1 = v3_reject(n, t);
    return (mat3){d1, v3_cross(t, d1), t};
}

static inline quat q_mul(quat a, quat b) {
    return (quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                  a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                  a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                  a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
static inline quat q_conj(quat a) {
    return (quat){a.w, -a.x, -a.y, -a.z};
}
static inline double q_dot(quat a, quat b) {
    return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline double q_norm(quat a) {
    return sqrt(q_dot(a, a));
}
/* q or -q, which are the same rotation: the one that is nearer to `other`. */
static inline quat q_near(quat q, quat other) {
    return q_dot(q, other) < 0 ? (quat){-q.w, -q.x, -q.y, -q.z} : q;
}
static inline quat q_unit(quat a) {
    const double k = 1.0 / q_norm(a);
    return (quat){k * a.w, k * a.x, k * a.y, k * a.z};
}
static inline mat3 q_matrix(quat q) {
    const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    const double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (mat3){{1 - 2 * (yy + zz), 2 * (xy + wz), 2 * (xz - wy)},
                  {2 * (xy - wz), 1 - 2 * (xx + zz), 2 * (yz + wx)},
                  {2 * (xz + wy), 2 * (yz - wx), 1 - 2 * (xx + yy)}};
}
static inline vec3 q_turn(quat q, vec3 a) {
    return m3_mul(q_matrix(q), a);
}
/* Quaternion of a rotation matrix, by the largest of the four components (never cancels). */
static inline quat q_from_matrix(mat3 m) {
    const double xx = m.c1.x, yy = m.c2.y, zz = m.c3.z;
    quat q;
    if (xx + yy + zz > 0) {
        q = (quat){1 + xx + yy + zz, m.c2.z - m.c3.y, m.c3.x - m.c1.z, m.c1.y - m.c2.x};
    } else if (xx > yy && xx > zz) {
        q = (quat){m.c2.z - m.c3.y, 1 + xx - yy - zz, m.c1.y + m.c2.x, m.c3.x + m.c1.z};
    } else if (yy > zz) {
        q = (quat){m.c3.x - m.c1.z, m.c1.y + m.c2.x, 1 + yy - xx - zz, m.c2.z + m.c3.y};
    } else {
        q = (quat){m.c1.y - m.c2.x, m.c3.x + m.c1.z, m.c2.z + m.c3.y, 1 + zz - xx - yy};
    }
    return q_unit(q);
}
/* The rotation by the vector a: axis a/|a|, angle |a|. */
static inline quat q_exp(vec3 a) {
    const double angle = v3_norm(a);
    const double k = angle > 1e-4 ? sin(0.5 * angle) / angle : 0.5 - angle * angle / 48.0;
    return (quat){cos(0.5 * angle), k * a.x, k * a.y, k * a.z};
}
/* The rotation vector of q, shorter than or equal to pi. */
static inline vec3 q_log(quat q) {
    if (q.w < 0) q = (quat){-q.w, -q.x, -q.y, -q.z};
    const double sine = sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
    const double k = sine > 1e-4 ? 2.0 * atan2(sine, q.w) / sine
                                 : 2.0 / q.w * (1.0 - sine * sine / (3.0 * q.w * q.w));
    return (vec3){k * q.x, k * q.y, k * q.z};
}
/* The smallest rotation that takes the unit vector a to the unit vector b; 1 + a.b is written as
 * |a + b|^2 / 2 so that it keeps its digits when they are nearly opposite. */
static inline mat3 m3_between(vec3 a, vec3 b) {
    const vec3 axis = v3_cross(a, b), sum = v3_add(a, b);
    const double w = 0.5 * v3_dot(sum, sum);
    if (!(w > 1e-28)) return q_matrix(q_exp(v3_scale(3.14159265358979323846, v3_orthogonal(a))));
    return q_matrix(q_unit((quat){w, axis.x, axis.y, axis.z}));
}

/* The area of the unit sphere from which the pieces a0 a1 and b0 b1 are seen to cross, with the sign of the crossing
 * (K. Klenin, J. Langowski, Computation of writhe in modeling of supercoiled DNA, Biopolymers 54 (2000), method 1a). */
static inline double v3_crossing_area(vec3 a0, vec3 a1, vec3 b0, vec3 b1) {
    const vec3 r00 = v3_sub(b0, a0), r01 = v3_sub(b1, a0), r10 = v3_sub(b0, a1);
    const vec3 r11 = v3_sub(b1, a1);
    vec3 n[4] = {v3_cross(r00, r01), v3_cross(r01, r11), v3_cross(r11, r10), v3_cross(r10, r00)};
    double area = 0;
    for (int i = 0; i < 4; i++) n[i] = v3_scale(1 / fmax(v3_norm(n[i]), 1e-300), n[i]);
    for (int i = 0; i < 4; i++) area += asin(fmax(-1, fmin(1, v3_dot(n[i], n[(i + 1) % 4]))));
    return copysign(area, v3_dot(v3_cross(v3_sub(b1, b0), v3_sub(a1, a0)), r00));
}
