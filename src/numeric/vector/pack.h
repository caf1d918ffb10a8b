/* pack.h - several doubles at once, vectors and quaternions of them.  Room: src/numeric.
 *
 * A pack is neighbours along one grid (stride 1) or the same point of several grids that lie side by side.  Written with
 * the vector extension of gcc and clang.  A pack has eight numbers, on any processor, so that arrays of packs are the
 * same in every file; a file that defines WY_PACK_IS_REGISTER first has packs as wide as a register of the
 * processor it is compiled for, which are faster (numeric/vector/wide.h), and may not share them with another.
 */
#pragma once

#include "numeric/vector/always.h"

#define WY_INLINE WY_ALWAYS

#ifdef WY_PACK_IS_REGISTER
#include "numeric/vector/wide.h"
enum { WY_PACK = WY_WIDE };
#elif defined                                                                                      \
    __wasm__ /* one vector of WebAssembly: eight would be four of them, and four times the code */
enum { WY_PACK = 2 };
#else
enum { WY_PACK = 8 };
#endif
typedef double pack __attribute__((vector_size(8 * WY_PACK)));

typedef struct pack3 {
    pack x, y, z;
} pack3;

typedef struct pack4 {
    pack w, x, y, z;
} pack4;

/* ---- packs ----------------------------------------------------------------------------------- */

WY_INLINE pack splat(double a) {
    return a - (pack){0}; /* also -0 */
}
WY_VECTOR_IN_MEMORY(pack)
WY_INLINE pack3 load3(double *const x[3], int k) {
    return (pack3){pack_load(x[0] + k), pack_load(x[1] + k), pack_load(x[2] + k)};
}
WY_INLINE pack4 load4(double *const x[4], int k) {
    return (pack4){pack_load(x[0] + k), pack_load(x[1] + k), pack_load(x[2] + k),
                   pack_load(x[3] + k)};
}
WY_INLINE void store3(double *const x[3], int k, pack3 a) {
    pack_store(x[0] + k, a.x), pack_store(x[1] + k, a.y), pack_store(x[2] + k, a.z);
}
WY_INLINE void store4(double *const x[4], int k, pack4 a) {
    pack_store(x[0] + k, a.w), pack_store(x[1] + k, a.x), pack_store(x[2] + k, a.y),
        pack_store(x[3] + k, a.z);
}
/* Values per lane: all of them for grids side by side, the first one alone for a single grid. */
WY_INLINE void put3(double *const x[3], int k, pack3 a, int stride) {
    if (stride > 1)
        store3(x, k, a);
    else
        x[0][k] = a.x[0], x[1][k] = a.y[0], x[2][k] = a.z[0];
}
WY_INLINE void put4(double *const x[4], int k, pack4 a, int stride) {
    if (stride > 1)
        store4(x, k, a);
    else
        x[0][k] = a.w[0], x[1][k] = a.x[0], x[2][k] = a.y[0], x[3][k] = a.z[0];
}
WY_INLINE pack3 zero3(void) {
    return (pack3){splat(0), splat(0), splat(0)};
}
WY_INLINE pack3 add3(pack3 a, pack3 b) {
    return (pack3){a.x + b.x, a.y + b.y, a.z + b.z};
}
WY_INLINE pack3 sub3(pack3 a, pack3 b) {
    return (pack3){a.x - b.x, a.y - b.y, a.z - b.z};
}
WY_INLINE pack3 mul3(pack3 a, pack3 b) { /* component by component */
    return (pack3){a.x * b.x, a.y * b.y, a.z * b.z};
}
WY_INLINE pack3 scale3(pack k, pack3 a) {
    return (pack3){k * a.x, k * a.y, k * a.z};
}
WY_INLINE pack3 cross3(pack3 a, pack3 b) {
    return (pack3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
WY_INLINE pack dot3(pack3 a, pack3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
/* scalar and vector part of a* b */
WY_INLINE pack re_conj(pack4 a, pack4 b) {
    return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}
WY_INLINE pack3 im_conj(pack4 a, pack4 b) {
    return (pack3){a.w * b.x - a.x * b.w - a.y * b.z + a.z * b.y,
                   a.w * b.y - a.y * b.w - a.z * b.x + a.x * b.z,
                   a.w * b.z - a.z * b.w - a.x * b.y + a.y * b.x};
}
/* a (0, m) */
WY_INLINE pack4 times_vector(pack4 a, pack3 m) {
    return (pack4){-(a.x * m.x) - a.y * m.y - a.z * m.z, a.w * m.x + a.y * m.z - a.z * m.y,
                   a.w * m.y + a.z * m.x - a.x * m.z, a.w * m.z + a.x * m.y - a.y * m.x};
}

typedef struct frame {
    pack3 d1, d2, d3;
} frame;

WY_INLINE frame frame_of(pack4 q) {
    const pack x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    const pack wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    const pack one_xx = 1.0 - q.x * x2, yy = q.y * y2, zz = q.z * z2;
    const pack one_yy_zz = 1.0 - yy - zz;
    return (frame){{one_yy_zz, q.y * x2 + wz, q.z * x2 - wy},
                   {q.y * x2 - wz, one_xx - zz, q.z * y2 + wx},
                   {q.z * x2 + wy, q.z * y2 - wx, one_xx - yy}};
}
WY_INLINE pack3 to_material(frame R, pack3 a) {
    return (pack3){dot3(R.d1, a), dot3(R.d2, a), dot3(R.d3, a)};
}
WY_INLINE pack3 to_laboratory(frame R, pack3 a) {
    return (pack3){R.d1.x * a.x + R.d2.x * a.y + R.d3.x * a.z,
                   R.d1.y * a.x + R.d2.y * a.y + R.d3.y * a.z,
                   R.d1.z * a.x + R.d2.z * a.y + R.d3.z * a.z};
}
