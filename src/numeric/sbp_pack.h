/* sbp_pack.h - the operators of sbp.h applied to packs.  Room: src/numeric.
 *
 * With stride 1 a pack is eight neighbours along one grid, with stride WY_PACK the same point of eight
 * grids.
 */
#pragma once

#include "numeric/pack.h"
#include "numeric/sbp.h"
#include "numeric/wide.h" /* a pack may be several registers */

WY_VECTOR_IN_MEMORY(wide)

/* Interior formulas; reach is a constant, so the loops unroll. */
WY_INLINE pack difference(const double *x, int stride, int reach, const double *c) {
    double sum[WY_PACK];
    for (int at = 0; at < WY_PACK; at += WY_WIDE, x += WY_WIDE) {
        wide part = c[0] * (wide_load(x + stride) - wide_load(x));
        for (int l = 1; l < reach; l++)
            part += c[l] * (wide_load(x + (1 + l) * stride) - wide_load(x - l * stride));
        wide_store(sum + at, part);
    }
    return pack_load(sum);
}
/* -Q^T */
WY_INLINE pack divergence(const double *x, int stride, int reach, const double *c) {
    double sum[WY_PACK];
    for (int at = 0; at < WY_PACK; at += WY_WIDE, x += WY_WIDE) {
        wide part = c[0] * (wide_load(x) - wide_load(x - stride));
        for (int l = 1; l < reach; l++)
            part += c[l] * (wide_load(x + l * stride) - wide_load(x - (1 + l) * stride));
        wide_store(sum + at, part);
    }
    return pack_load(sum);
}
WY_INLINE pack mean(const double *x, int stride, int reach, const double *e) {
    double sum[WY_PACK];
    for (int at = 0; at < WY_PACK; at += WY_WIDE, x += WY_WIDE) {
        wide part = e[0] * (wide_load(x) + wide_load(x - stride));
        for (int l = 1; l < reach; l++)
            part += e[l] * (wide_load(x + l * stride) + wide_load(x - (1 + l) * stride));
        wide_store(sum + at, part);
    }
    return pack_load(sum);
}
WY_INLINE pack mean_t(const double *x, int stride, int reach, const double *e) {
    double sum[WY_PACK];
    for (int at = 0; at < WY_PACK; at += WY_WIDE, x += WY_WIDE) {
        wide part = e[0] * (wide_load(x) + wide_load(x + stride));
        for (int l = 1; l < reach; l++)
            part += e[l] * (wide_load(x - l * stride) + wide_load(x + (1 + l) * stride));
        wide_store(sum + at, part);
    }
    return pack_load(sum);
}
/* Rows of a closure: along one rod a pack of them from `row` on, all eight where a pack is that wide; row number `row`
 * of eight rods. */
WY_INLINE pack closed(const wy_sbp_block *block, const double *x, int row, int stride) {
    double sum[WY_PACK];
    for (int at = 0; at < WY_PACK; at += WY_WIDE) {
        wide part = {0};
        for (int c = 0; c < block->cols; c++)
            part += stride == 1 ? wide_load(block->m[c] + row + at) * x[c]
                                : block->m[c][row] * wide_load(x + c * WY_PACK + at);
        wide_store(sum + at, part);
    }
    return pack_load(sum);
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
