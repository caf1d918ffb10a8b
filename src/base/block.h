/* block.h - one block of memory, laid out twice: counted first, then handed out.
 *
 * A function that takes all its pieces from a block is called with an empty block to count the size,
 * and again with memory of that size.  It must take the same pieces both times.
 */
#pragma once

#include "base/base.h"

typedef struct wy_block {
    char *base;             /* NULL: only count */
    size_t used;            /* bytes */
    struct wy_ranges *kept; /* what its numbers may be; NULL: not needed */
} wy_block;

/* The next piece, 64-byte aligned if base is; NULL while counting. */
void *wy_block_alloc(wy_block *block, size_t count, size_t size);

/* Memory for all that `lay` takes, laid in it; NULL: there is none.  Given back by wy_free. */
void *wy_block_create(void (*layout)(void *self, wy_block *block), void *self);

/* ---- what a block may hold -------------------------------------------------------------------------
 *
 * A state may come from a file that somebody has made: whatever is read of it is checked against the pieces that were
 * laid.  A piece holds finite doubles but for the rows of a table, one for each field of its structure that is a whole
 * number or has less room than all numbers. */
enum { WY_RANGE_WHOLE, WY_RANGE_REAL, WY_RANGE_GAP, WY_RANGE_ANY };

typedef struct wy_range {
    const char *name;
    size_t offset, size; /* of the field [bytes] */
    int kind; /* WHOLE: int32_t or int64_t; REAL: doubles; GAP: doubles or NAN; ANY: bytes */
    double low, high; /* both included */
} wy_range;

#define WY_RANGE(type, field, kind, low, high)                                                     \
    { #field, offsetof(type, field), sizeof(((type *)0)->field), kind, low, high }
#define WY_WHOLE(type, field, low, high) WY_RANGE(type, field, WY_RANGE_WHOLE, low, high)
#define WY_REAL(type, field, low, high) WY_RANGE(type, field, WY_RANGE_REAL, low, high)
#define WY_FLAG(type, field) WY_WHOLE(type, field, 0, 1)
#define WY_COUNT(type, field) WY_WHOLE(type, field, 0, WY_COUNT_MOST)
#define WY_COUNT_MOST 0x1p52

/* As wy_block_alloc; rows: in the order of their offsets, copied. */
void *wy_block_alloc_checked(wy_block *block, size_t count, size_t size, const wy_range *row,
                             int rows);
#define WY_ALLOC_CHECKED(block, count, type, list)                                                 \
    wy_block_alloc_checked(block, count, sizeof(type), list, (int)(sizeof(list) / sizeof *(list)))

/* The pieces of a block: counted in the first pass, stored in the second. */
typedef struct wy_range_piece {
    size_t at, count, size; /* where, how many, of how many bytes */
    int first, rows;        /* of its table                       */
} wy_range_piece;

typedef struct wy_ranges {
    wy_range_piece *piece; /* NULL: only count */
    wy_range *row;
    int pieces, rows;
} wy_ranges;

/* Are bytes what the block may hold?  Else a message that begins with `who`. */
withy_status wy_ranges_check(const wy_ranges *ranges, const char *bytes, const char *who,
                             withy_error *err);

/* An array for each pointer in a list of their addresses, all of `count` elements; take: wy_block_alloc or
 * wy_allocator_alloc. */
#define WY_TAKE_EACH(take, from, list, count)                                                      \
    for (size_t at_ = 0; at_ < sizeof(list) / sizeof *(list); at_++)                               \
    *(list)[at_] = take(from, count, sizeof **(list)[at_])

/* Hash of bytes (FNV-1a over 64-bit words). */
uint64_t wy_hash(const void *bytes, size_t size, uint64_t seed);
