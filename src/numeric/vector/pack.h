/* pack.h - several doubles at once, vectors and quaternions of them.  Room: src/numeric.
 *
 * A pack is neighbours along one grid (stride 1) or the same point of several grids that lie side by side.  Written with
 * the vector extension of gcc and clang.  In memory numbers lie eight together, on any processor, so that arrays of them
 * are the same in every file: `packed`.  A pack is all of them; a file that defines WY_PACK_IS_REGISTER first has packs
 * as wide as a register of the processor it is compiled for, which are faster (numeric/vector/wide.h): those of the lanes
 * from `lane` on.
 */
#pragma once

#include "numeric/vector/always.h"

#define WY_INLINE WY_ALWAYS

#ifdef __wasm__ /* one vector of WebAssembly: eight would be four of them, and four times the code */
enum { WY_LANES = 2 };
#else
enum { WY_LANES = 8 };
#endif
#ifdef WY_PACK_IS_REGISTER
#include "numeric/vector/wide.h"
enum { WY_PACK = WY_WIDE };
#else
enum { WY_PACK = WY_LANES };
#endif
typedef double packed __attribute__((vector_size(8 * WY_LANES)));
typedef double pack __attribute__((vector_size(8 * WY_PACK)));

/* ---- packs ----------------------------------------------------------------------------------- */

WY_INLINE pack splat(double a) {
    return a - (pack){0}; /* also -0 */
}
WY_VECTOR_IN_MEMORY(pack)
#include "numeric/vector/formula.inc"

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
