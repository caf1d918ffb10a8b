/* vec.h - arithmetic of three numbers, for the pictures. */
#pragma once

#include <math.h>

#include "shade/shade.h"

static inline shade_vec vec(double x, double y, double z) {
    return (shade_vec){x, y, z};
}
static inline shade_vec vec_axpy(shade_vec a, double s, shade_vec b) {
    return vec(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}
static inline shade_vec vec_scale(double s, shade_vec a) {
    return vec(s * a.x, s * a.y, s * a.z);
}
static inline double vec_dot(shade_vec a, shade_vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline shade_vec vec_cross(shade_vec a, shade_vec b) {
    return vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline double vec_length(shade_vec a) {
    return sqrt(vec_dot(a, a));
}
/* Zero stays zero. */
static inline shade_vec vec_unit(shade_vec a) {
    const double length = vec_length(a);
    return length > 0 ? vec_scale(1 / length, a) : a;
}
/* Two directions across a unit vector. */
static inline void vec_across(shade_vec n, shade_vec *a, shade_vec *b) {
    *a = vec_unit(vec_cross(fabs(n.z) < 0.9 ? vec(0, 0, 1) : vec(1, 0, 0), n));
    *b = vec_cross(n, *a);
}
