/* lane.h - three directors at once: one lane for each of d1, d2, d3.  Room: src/numeric.
 *
 * A `tri` holds the three directors of a section by components: x = (d1.x, d2.x, d3.x, 0), and so
 * on.  What is done to directors is done to all three alike, so that a cross product
 * of three pairs is six multiplications of lanes.  The cyclic neighbours (i+1, i+2) of a formula
 * with (i, k, l) cyclic are the lanes turned by one and by two.  The fourth lane is always 0.
 * Vector types of gcc and clang: one AVX2 register, two SSE2 ones, or whatever the machine has.
 */
#pragma once

#include "base/vec.h"
#include "numeric/vector/always.h"

typedef double lane __attribute__((vector_size(32)));

typedef struct tri {
    lane x, y, z;
} tri;

WY_ALWAYS lane lane_all(double a) {
    return (lane){a, a, a, a};
}
WY_VECTOR_IN_MEMORY(lane)
/* lane i of the one at v, in all: from memory, which 128-bit machines do in one instruction */
WY_ALWAYS lane lane_spread(const lane *v, int i) {
    return lane_all(((const double *)v)[i]);
}
/* lanes (2, 3, 1) and (3, 1, 2) */
WY_ALWAYS lane lane_next(lane a) {
    return __builtin_shufflevector(a, a, 1, 2, 0, 3);
}
WY_ALWAYS lane lane_last(lane a) {
    return __builtin_shufflevector(a, a, 2, 0, 1, 3);
}
WY_ALWAYS double lane_sum(lane a) {
    return a[0] + a[1] + a[2];
}

WY_ALWAYS tri tri_next(tri a) {
    return (tri){lane_next(a.x), lane_next(a.y), lane_next(a.z)};
}
WY_ALWAYS tri tri_last(tri a) {
    return (tri){lane_last(a.x), lane_last(a.y), lane_last(a.z)};
}
WY_ALWAYS tri tri_add(tri a, tri b) {
    return (tri){a.x + b.x, a.y + b.y, a.z + b.z};
}
WY_ALWAYS tri tri_sub(tri a, tri b) {
    return (tri){a.x - b.x, a.y - b.y, a.z - b.z};
}
WY_ALWAYS tri tri_scale(lane k, tri a) {
    return (tri){k * a.x, k * a.y, k * a.z};
}
WY_ALWAYS tri tri_axpy(tri a, lane k, tri b) {
    return (tri){a.x + k * b.x, a.y + k * b.y, a.z + k * b.z};
}
WY_ALWAYS tri tri_all(vec3 a) {
    return (tri){lane_all(a.x), lane_all(a.y), lane_all(a.z)};
}
WY_ALWAYS tri tri_cross(tri a, tri b) {
    return (tri){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
WY_ALWAYS lane tri_dot(tri a, tri b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
/* (sum of x, sum of y, sum of z, 0) over the lanes */
WY_ALWAYS lane tri_sum(tri a) {
    const lane zero = {0, 0, 0, 0};
    const lane xy = __builtin_shufflevector(a.x, a.y, 0, 4, 2, 6) +
                    __builtin_shufflevector(a.x, a.y, 1, 5, 3, 7);
    const lane z0 = __builtin_shufflevector(a.z, zero, 0, 4, 2, 6) +
                    __builtin_shufflevector(a.z, zero, 1, 5, 3, 7);
    return __builtin_shufflevector(xy, z0, 0, 1, 4, 5) +
           __builtin_shufflevector(xy, z0, 2, 3, 6, 7);
}
WY_ALWAYS vec3 tri_sum3(tri a) {
    const lane s = tri_sum(a);
    return (vec3){s[0], s[1], s[2]};
}
/* Row i = (x_i, y_i, z_i, 0): the transpose. */
WY_ALWAYS void tri_rows(tri a, lane row[3]) {
    const lane zero = {0, 0, 0, 0};
    const lane xy0 = __builtin_shufflevector(a.x, a.y, 0, 4, 2, 6);
    const lane xy1 = __builtin_shufflevector(a.x, a.y, 1, 5, 3, 7);
    const lane zz0 = __builtin_shufflevector(a.z, zero, 0, 4, 2, 6);
    const lane zz1 = __builtin_shufflevector(a.z, zero, 1, 5, 3, 7);
    row[0] = __builtin_shufflevector(xy0, zz0, 0, 1, 4, 5);
    row[1] = __builtin_shufflevector(xy1, zz1, 0, 1, 4, 5);
    row[2] = __builtin_shufflevector(xy0, zz0, 2, 3, 6, 7);
}

WY_ALWAYS vec3 lane_vec3(lane a) {
    return (vec3){a[0], a[1], a[2]};
}
WY_ALWAYS lane vec3_lane(vec3 a) {
    return (lane){a.x, a.y, a.z, 0};
}
WY_ALWAYS tri tri_from(mat3 m) {
    return (tri){
        {m.c1.x, m.c2.x, m.c3.x, 0}, {m.c1.y, m.c2.y, m.c3.y, 0}, {m.c1.z, m.c2.z, m.c3.z, 0}};
}
WY_ALWAYS mat3 tri_matrix(tri a) {
    return (mat3){{a.x[0], a.y[0], a.z[0]}, {a.x[1], a.y[1], a.z[1]}, {a.x[2], a.y[2], a.z[2]}};
}

/* cay(t) applied to three directors: x + (t x x + t x (t x x)/2) / (1 + |t|^2/4). */
WY_ALWAYS tri tri_cayley(vec3 t, tri d) {
    const tri u = tri_all(t), first = tri_cross(u, d), second = tri_cross(u, first);
    const lane k = lane_all(1.0 / (1.0 + 0.25 * v3_dot(t, t)));
    return tri_axpy(d, k, tri_axpy(first, lane_all(0.5), second));
}
/* One Newton step towards orthonormality: R (3 I - R^T R) / 2. */
WY_ALWAYS tri tri_orthonormal(tri d) {
    const tri next = tri_next(d), last = tri_last(d);
    const lane own = lane_all(1.5) - lane_all(0.5) * tri_dot(d, d);
    const lane with_next = lane_all(-0.5) * tri_dot(d, next);
    const lane with_last = lane_all(-0.5) * tri_dot(d, last);
    return tri_axpy(tri_axpy(tri_scale(own, d), with_next, next), with_last, last);
}

/* Composition of Cayley vectors: cay(out) = cay(b) cay(a). */
WY_ALWAYS vec3 cayley_after(vec3 a, vec3 b) {
    const double k = 1.0 / (1.0 - 0.25 * v3_dot(a, b));
    return v3_scale(k, v3_axpy(v3_add(a, b), 0.5, v3_cross(b, a)));
}
/* Cayley vector of the rotation that takes the frame a to the frame b. */
static inline vec3 cayley_between(mat3 a, mat3 b) {
    quat q = q_from_matrix(m3_mulm(b, m3_transpose(a)));
    const double floor =
        1e-8; /* half a turn has no Cayley vector; a very long one is used instead */
    const double w = fabs(q.w) > floor ? q.w : floor;
    return v3_scale(2.0 / w, v3(q.x, q.y, q.z));
}
