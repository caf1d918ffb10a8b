/* block.h - one block of memory, laid out twice: counted first, then handed out.
 *
 * A function that takes all its pieces from a block is called with an empty block to count the size,
 * and again with memory of that size.  It must take the same pieces both times.
 */
#pragma once

#include "base/base.h"

typedef struct wy_block {
    char *base;  /* NULL: only count */
    size_t used; /* bytes */
} wy_block;

/* The next piece, 64-byte aligned if base is; NULL while counting. */
void *wy_block_take(wy_block *block, size_t count, size_t size);

/* An array for each pointer in a list of their addresses, all of `count` elements; take: wy_block_take or
 * wy_taker_take. */
#define WY_TAKE_EACH(take, from, list, count)                                                      \
    for (size_t at_ = 0; at_ < sizeof(list) / sizeof *(list); at_++)                               \
    *(list)[at_] = take(from, count, sizeof **(list)[at_])

/* Hash of bytes (FNV-1a over 64-bit words). */
uint64_t wy_hash(const void *bytes, size_t size, uint64_t seed);
