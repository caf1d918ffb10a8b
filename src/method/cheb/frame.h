/* frame.h - between withy's frames and those of [CH].
 *
 * withy: (d1, d2, d3), d3 along the rod.  [CH]: A = (d3, d1, d2), its first axis along the rod; so
 * material components (a1, a2, a3) of withy are (a3, a1, a2) there.  Quaternions are scalar first
 * in both; q of [CH] is q of withy times the constant (1, -1, -1, -1)/2.
 */
#pragma once

#include "base/vec.h"

/* Node i of fields of ld numbers each: the place and the quaternion of (p, q), or any three fields. */
static inline vec3 vec_at(const double *u, int ld, int i) {
    return v3(u[i], u[ld + i], u[2 * ld + i]);
}
static inline quat quat_at(const double *u, int ld, int i) {
    return (quat){u[3 * ld + i], u[4 * ld + i], u[5 * ld + i], u[6 * ld + i]};
}
static inline void put_vec(double *u, int ld, int i, vec3 a) {
    u[i] = a.x, u[ld + i] = a.y, u[2 * ld + i] = a.z;
}
static inline void add_vec(double *u, int ld, int i, vec3 a) {
    u[i] += a.x, u[ld + i] += a.y, u[2 * ld + i] += a.z;
}
static inline void put_quat(double *u, int ld, int i, quat q) {
    u[3 * ld + i] = q.w, u[4 * ld + i] = q.x, u[5 * ld + i] = q.y, u[6 * ld + i] = q.z;
}
static inline void add_quat(double *u, int ld, int i, quat q) {
    u[3 * ld + i] += q.w, u[4 * ld + i] += q.x, u[5 * ld + i] += q.y, u[6 * ld + i] += q.z;
}

static inline mat3 wy_cheb_axes(mat3 frame) {
    return (mat3){frame.c3, frame.c1, frame.c2};
}
static inline vec3 wy_cheb_to_thesis(vec3 a) {
    return v3(a.z, a.x, a.y);
}
static inline vec3 wy_cheb_from_thesis(vec3 a) {
    return v3(a.y, a.z, a.x);
}
static inline quat wy_cheb_quat_of(mat3 frame) {
    return q_from_matrix(wy_cheb_axes(frame));
}
static inline mat3 wy_cheb_frame_of(quat q) {
    const mat3 a = q_matrix(q);
    return (mat3){a.c2, a.c3, a.c1};
}
/* E(q)^T a: the quaternion rate of a spatial angular velocity is E^T omega / 2. */
static inline quat wy_cheb_et(quat q, vec3 a) {
    return (quat){-q.x * a.x - q.y * a.y - q.z * a.z, q.w * a.x + q.z * a.y - q.y * a.z,
                  -q.z * a.x + q.w * a.y + q.x * a.z, q.y * a.x - q.x * a.y + q.w * a.z};
}
/* E(q) b = the spatial vector: omega = 2 E qdot. */
static inline vec3 wy_cheb_e(quat q, quat b) {
    return v3(-q.x * b.w + q.w * b.x - q.z * b.y + q.y * b.z,
              -q.y * b.w + q.z * b.x + q.w * b.y - q.x * b.z,
              -q.z * b.w - q.y * b.x + q.x * b.y + q.w * b.z);
}
/* G(q) b: the material vector, kappa = 2 G q'. */
static inline vec3 wy_cheb_g(quat q, quat b) {
    return v3(-q.x * b.w + q.w * b.x + q.z * b.y - q.y * b.z,
              -q.y * b.w - q.z * b.x + q.w * b.y + q.x * b.z,
              -q.z * b.w + q.y * b.x - q.x * b.y + q.w * b.z);
}
/* G(q)^T a */
static inline quat wy_cheb_gt(quat q, vec3 a) {
    return (quat){-q.x * a.x - q.y * a.y - q.z * a.z, q.w * a.x - q.z * a.y + q.y * a.z,
                  q.z * a.x + q.w * a.y - q.x * a.z, -q.y * a.x + q.x * a.y + q.w * a.z};
}
/* A = E G^T + excess (q.q - 1): with excess 0 a turned q gives a turned A whatever its length; with 1
 * it is rotate[q] as the thesis writes it.  The same while q is a unit. */
static inline mat3 wy_cheb_rotate(quat q, double excess) {
    const double ww = q.w * q.w, xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    const double more = excess * (ww + xx + yy + zz - 1.0);
    return (mat3){
        {ww + xx - yy - zz + more, 2 * (q.x * q.y + q.z * q.w), 2 * (q.x * q.z - q.y * q.w)},
        {2 * (q.x * q.y - q.z * q.w), ww - xx + yy - zz + more, 2 * (q.y * q.z + q.x * q.w)},
        {2 * (q.x * q.z + q.y * q.w), 2 * (q.y * q.z - q.x * q.w), ww - xx - yy + zz + more}};
}
