/* memory.c - the library's only calls of malloc, and arenas on top of them. */
#include <stdatomic.h>

#include "base/base.h"
#include "base/wall_clock.h"

static void *(*take_hook)(size_t) = malloc;
static void (*give_hook)(void *) = free;
static atomic_size_t blocks, takes;

void withy_memory_hooks(void *(*take)(size_t size), void (*give)(void *pointer)) {
    take_hook = take ? take : malloc;
    give_hook = give ? give : free;
}

size_t withy_memory_blocks(void) {
    return blocks;
}

size_t withy_memory_allocations(void) {
    return takes;
}

static void *take_raw(size_t bytes) {
    void *pointer = take_hook(bytes);
    if (!pointer) return NULL;
    blocks++;
    takes++;
    return pointer;
}

void *wy_alloc(size_t count, size_t size) {
    if (size && count > SIZE_MAX / size) return NULL;
    const size_t bytes = count > 0 && size > 0 ? count * size : 1;
    void *pointer = take_raw(bytes);
    return pointer ? memset(pointer, 0, bytes) : NULL;
}

void wy_free(void *pointer) {
    if (!pointer) return;
    blocks--;
    give_hook(pointer);
}

/* ---- arena: a chain of blocks ---------------------------------------------------------------- */

/* A block holds at least what the arena holds so far, so that there are few; zeros are written piece by piece,
 * since the first touch of a page costs more than what a small rod computes in it. */
enum { ARENA_FIRST = 4 * 1024, ARENA_MOST = 64 * 1024, ARENA_ALIGN = 64 };
/* An arena of so much is that of a thousand rods: more of it is taken in large pages, a hundredth of the faults. */
enum { ARENA_LARGE = 4 * 1024 * 1024, ARENA_PAGES = 16 * 1024 * 1024 };

struct wy_arena_block {
    struct wy_arena_block *next;
    size_t size, used; /* of the bytes behind this header */
};

static uintptr_t align_up(uintptr_t address) {
    return (address + ARENA_ALIGN - 1) & ~(uintptr_t)(ARENA_ALIGN - 1);
}

/* Blocks that arenas gave back wait here for the next one: a heap whose end is free is cut at every free, and pages
 * touched anew are a tenth of the cost of a small equilibrium.  Under the address sanitizer and under hooks every
 * block goes back, so that a use after it is seen. */
#ifdef __SANITIZE_ADDRESS__
enum { POOL = 0, SLOTS = 1 };
#else
enum { POOL = 8, SLOTS = POOL };
#endif
enum { POOL_LEAST = 16 * 1024, POOL_MOST = 512 * 1024 }; /* bytes of a block that is kept */

static _Atomic(struct wy_arena_block *) pool[SLOTS];

static void give_block(struct wy_arena_block *block) {
    const size_t size = block->size;
    struct wy_arena_block *none = NULL;
    for (int i = 0; i < POOL && give_hook == free && size >= POOL_LEAST && size <= POOL_MOST; i++)
        if (atomic_compare_exchange_strong(&pool[i], &none, block)) {
            blocks--;
            return;
        } else
            none = NULL;
    wy_free(block);
}

/* A kept block of at least `room` bytes and at most four times as many, or NULL. */
static struct wy_arena_block *take_kept(size_t room) {
    for (int i = 0; i < POOL && take_hook == malloc && room >= POOL_LEAST; i++) {
        struct wy_arena_block *block = atomic_exchange(&pool[i], NULL);
        if (!block) continue;
        blocks++;
        if (block->size >= room && block->size / 4 <= room) {
            takes++;
            return block;
        }
        give_block(block);
    }
    return NULL;
}

static struct wy_arena_block *take_block(size_t room) {
    struct wy_arena_block *block = take_kept(room);
    if (block) room = block->size;
    if (!block) block = take_raw(sizeof *block + room);
    if (!block) return NULL;
    if (take_hook == malloc) wy_large_pages(block, sizeof *block + room);
    *block = (struct wy_arena_block){.size = room};
    return block;
}

/* The next aligned piece of a block, or NULL when it does not fit. */
static void *carve(struct wy_arena_block *block, size_t bytes) {
    const uintptr_t base = (uintptr_t)(block + 1);
    const size_t start = align_up(base + block->used) - base;
    if (start > block->size || bytes > block->size - start) return NULL;
    block->used = start + bytes;
    return (char *)(block + 1) + start;
}

static size_t room_for(const wy_arena *arena, size_t bytes) {
    size_t room = arena->bytes < ARENA_MOST ? arena->bytes : ARENA_MOST;
    if (room < ARENA_FIRST) room = ARENA_FIRST;
    if (arena->bytes >= ARENA_LARGE) room = ARENA_PAGES;
    return bytes + ARENA_ALIGN > room ? bytes + ARENA_ALIGN : room;
}

void *wy_arena_alloc_raw(wy_arena *arena, size_t count, size_t size) {
    if (size && count > (SIZE_MAX / 2) / size) return NULL;
    const size_t bytes = count * size;
    void *piece = arena->block ? carve(arena->block, bytes) : NULL;
    if (!piece) {
        const size_t room = room_for(arena, bytes);
        struct wy_arena_block *block = take_block(room);
        if (!block) return NULL;
        block->next = arena->block;
        arena->block = block;
        piece = carve(block, bytes);
    }
    arena->bytes += bytes;
    return piece;
}

void *wy_arena_alloc(wy_arena *arena, size_t count, size_t size) {
    void *piece = wy_arena_alloc_raw(arena, count, size);
    return piece ? memset(piece, 0, count * size) : NULL;
}

void *wy_allocator_alloc(wy_allocator *from, size_t count, size_t size) {
    void *piece = wy_arena_alloc(from->arena, count, size);
    if (!piece) from->failed = 1;
    return piece;
}

char *wy_arena_text(wy_arena *arena, const char *text) {
    const size_t size = strlen(text) + 1;
    char *copy = wy_arena_alloc(arena, size, 1);
    return copy ? memcpy(copy, text, size) : NULL;
}

void wy_arena_free(wy_arena *arena) {
    while (arena->block) {
        struct wy_arena_block *next = arena->block->next;
        give_block(arena->block);
        arena->block = next;
    }
    arena->bytes = 0;
}
