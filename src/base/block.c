/* block.c - see block.h. */
#include "base/block.h"

#include <string.h>

enum { ALIGN = 64 };

void *wy_block_take(wy_block *block, size_t count, size_t size) {
    const size_t start = (block->used + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    block->used = start + count * size;
    return block->base ? block->base + start : NULL;
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
