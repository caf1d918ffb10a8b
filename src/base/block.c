/* block.c - see block.h. */
#include "base/block.h"

#include <float.h>

enum { ALIGN = 64 };

static void describe(wy_ranges *kept, wy_range_piece piece, const wy_range *row) {
    piece.first = kept->rows;
    if (kept->piece) kept->piece[kept->pieces] = piece;
    for (int i = 0; kept->piece && i < piece.rows; i++) kept->row[kept->rows + i] = row[i];
    kept->pieces++, kept->rows += piece.rows;
}

void *wy_block_alloc_checked(wy_block *block, size_t count, size_t size, const wy_range *row,
                             int rows) {
    const size_t start = (block->used + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    block->used = start + count * size;
    if (block->kept) describe(block->kept, (wy_range_piece){start, count, size, 0, rows}, row);
    return block->base ? block->base + start : NULL;
}

void *wy_block_alloc(wy_block *block, size_t count, size_t size) {
    return wy_block_alloc_checked(block, count, size, NULL, 0);
}

void *wy_block_create(void (*layout)(void *self, wy_block *block), void *self) {
    wy_block room = {0};
    layout(self, &room);
    char *memory = wy_alloc(room.used + ALIGN, 1);
    if (!memory) return NULL;
    room = (wy_block){.base = memory + (ALIGN - (uintptr_t)memory % ALIGN)};
    layout(self, &room);
    return memory;
}

/* ---- what a block may hold ------------------------------------------------------------------------- */

static const wy_range NUMBER = {"a number", 0, 0, WY_RANGE_REAL, -DBL_MAX, DBL_MAX};

static withy_status refuse(const wy_range *range, double value, const char *who, withy_error *err) {
    if (!isfinite(value))
        return wy_fail(err, WITHY_BAD_INPUT,
                       "%s: the state was not written by withy: %s in it is not finite; use the "
                       "file as it was written",
                       who, range->name);
    return wy_fail(err, WITHY_BAD_INPUT,
                   "%s: the state was not written by withy: %s in it is %.9g and can only be %.9g "
                   ".. %.9g; use the file as it was written",
                   who, range->name, value, range->low, range->high);
}

static withy_status check_doubles(const wy_range *range, const char *at, size_t size,
                                  const char *who, withy_error *err) {
    for (size_t i = 0; i + sizeof(double) <= size; i += sizeof(double)) {
        double x;
        memcpy(&x, at + i, sizeof x);
        const int fits = x >= range->low && x <= range->high;
        if (!fits && !(range->kind == WY_RANGE_GAP && isnan(x))) return refuse(range, x, who, err);
    }
    return WITHY_OK;
}

static withy_status check_whole(const wy_range *range, const char *at, const char *who,
                                withy_error *err) {
    int32_t narrow;
    int64_t x = 0;
    memcpy(range->size == sizeof narrow ? (void *)&narrow : (void *)&x, at, range->size);
    if (range->size == sizeof narrow) x = narrow;
    if ((double)x >= range->low && (double)x <= range->high) return WITHY_OK;
    return refuse(range, (double)x, who, err);
}

static withy_status check_field(const wy_range *range, const char *at, const char *who,
                                withy_error *err) {
    if (range->kind == WY_RANGE_ANY) return WITHY_OK;
    if (range->kind == WY_RANGE_WHOLE) return check_whole(range, at, who, err);
    return check_doubles(range, at, range->size, who, err);
}

/* One structure: its rows, and finite doubles between them. */
static withy_status check_one(const wy_range *row, int rows, size_t size, const char *at,
                              const char *who, withy_error *err) {
    size_t done = 0;
    for (int i = 0; i < rows; i++) {
        if (row[i].offset > done)
            WY_TRY(check_doubles(&NUMBER, at + done, row[i].offset - done, who, err));
        WY_TRY(check_field(&row[i], at + row[i].offset, who, err));
        done = (row[i].offset + row[i].size + 7) & ~(size_t)7; /* after a hole */
    }
    return done < size ? check_doubles(&NUMBER, at + done, size - done, who, err) : WITHY_OK;
}

withy_status wy_ranges_check(const wy_ranges *ranges, const char *bytes, const char *who,
                             withy_error *err) {
    for (int i = 0; i < ranges->pieces; i++) {
        const wy_range_piece *piece = &ranges->piece[i];
        for (size_t k = 0; k < piece->count; k++)
            WY_TRY(check_one(&ranges->row[piece->first], piece->rows, piece->size,
                             bytes + piece->at + k * piece->size, who, err));
    }
    return WITHY_OK;
}

uint64_t wy_hash(const void *bytes, size_t size, uint64_t seed) {
    const unsigned char *at = bytes;
    uint64_t hash = seed ^ 0xcbf29ce484222325u;
    while (size > 0) {
        uint64_t word = 0;
        const size_t part = size < sizeof word ? size : sizeof word;
        memcpy(&word, at, part);
        hash = (hash ^ word) * 0x100000001b3u;
        hash ^= hash >> 29;
        at += part, size -= part;
    }
    return hash;
}
