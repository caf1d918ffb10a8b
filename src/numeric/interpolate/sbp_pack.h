/* sbp_pack.h - the operators of sbp.h applied to packs.  Room: src/numeric.
 *
 * With stride 1 a pack is neighbours along one grid, else the same point of as many of the `stride` grids that lie side
 * by side.
 */
#pragma once

#define WY_PACK_IS_REGISTER
#include "numeric/interpolate/sbp.h"
#include "numeric/vector/pack.h"

_Static_assert((int)WY_PACK == (int)WY_WIDE, "numeric/vector/pack.h was included before");

/* Interior formulas; reach is a constant, so the loops unroll. */
WY_INLINE pack difference(const double *x, int stride, int reach, const double *c) {
    pack sum = c[0] * (pack_load(x + stride) - pack_load(x));
    for (int l = 1; l < reach; l++)
        sum += c[l] * (pack_load(x + (1 + l) * stride) - pack_load(x - l * stride));
    return sum;
}
/* -Q^T */
WY_INLINE pack divergence(const double *x, int stride, int reach, const double *c) {
    pack sum = c[0] * (pack_load(x) - pack_load(x - stride));
    for (int l = 1; l < reach; l++)
        sum += c[l] * (pack_load(x + l * stride) - pack_load(x - (1 + l) * stride));
    return sum;
}
WY_INLINE pack mean(const double *x, int stride, int reach, const double *e) {
    pack sum = e[0] * (pack_load(x) + pack_load(x - stride));
    for (int l = 1; l < reach; l++)
        sum += e[l] * (pack_load(x + l * stride) + pack_load(x - (1 + l) * stride));
    return sum;
}
WY_INLINE pack mean_t(const double *x, int stride, int reach, const double *e) {
    pack sum = e[0] * (pack_load(x) + pack_load(x + stride));
    for (int l = 1; l < reach; l++)
        sum += e[l] * (pack_load(x - l * stride) + pack_load(x + (1 + l) * stride));
    return sum;
}
/* Rows of a closure: along one rod a pack of them from `row` on; row number `row` of rods side by side. */
WY_INLINE pack closed(const wy_sbp_block *block, const double *x, int row, int stride) {
    pack sum = splat(0);
    for (int c = 0; c < block->cols; c++)
        sum += stride == 1 ? pack_load(block->m[c] + row) * x[c]
                           : block->m[c][row] * pack_load(x + c * stride);
    return sum;
}
/* How often `closed` is called for one end, and the row of call i. */
WY_INLINE int closure_calls(const wy_sbp *op, int stride) {
    return stride == 1 ? WY_SBP_ROWS / WY_PACK : op->rows;
}
WY_INLINE int closure_row(int i, int end, int stride) {
    return stride == 1 ? i * WY_PACK : end ? WY_SBP_ROWS - 1 - i : i;
}
/* First column of a block in an array of `count` points. */
WY_INLINE int first_column(const wy_sbp_block *block, int end, int count, int stride) {
    return end ? (count - block->cols) * stride : 0;
}
