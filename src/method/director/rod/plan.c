/* plan.c - memory of the arrays of a rod, by the table of director/rod/plan.inc. */
#include "method/director/force/muscle.h"
#include "method/director/law/law.h"
#include "model/medium.h"

typedef struct array {
    int block, per;
    size_t at, size; /* of the pointer in the structure, of an item [bytes] */
} array;

/* Of the structure: a pointer to the field, and its items. */
#define IN_PLAN(field, per)                                                                        \
    per, offsetof(wy_director, plan.field), sizeof *((wy_director *)0)->plan.field
#define IN_ROD(field, per) per, offsetof(wy_director, field), sizeof *((wy_director *)0)->field
#define WHERE_PLAN IN_PLAN
#define WHERE_DENSE IN_PLAN
#define WHERE_STATE IN_ROD
#define WHERE_ITERATE IN_ROD
#define ARRAY(block, field, per) {WY_BLOCK_##block, WHERE_##block(field, WY_PER_##per)},
static const array ARRAYS[] = {
#include "method/director/rod/plan.inc"
};
#undef ARRAY

#define FOR_EACH(a, from)                                                                          \
    for (const array *a = ARRAYS; a < ARRAYS + sizeof ARRAYS / sizeof *ARRAYS; a++)                \
        if (a->block == (from))

static size_t count_of(const wy_director_plan *x, int per) {
    const size_t n = (size_t)x->n, points = n * (size_t)x->p, loads = (size_t)x->load.count;
    const size_t tendons = (size_t)x->tendon_count;
    const int is_active = x->rod && wy_rod_is_active(x->rod);
    const size_t count[] = {[WY_PER_ONE] = 1,
                            [WY_PER_ELEMENTS] = n,
                            [WY_PER_EDGES] = n + 1,
                            [WY_PER_NODES] = points + 1,
                            [WY_PER_POINTS] = points,
                            [WY_PER_LOADS] = loads,
                            [WY_PER_STATE_LOADS] = x->uses_state & WY_USES_STATE ? loads + 2 : 0,
                            [WY_PER_TENDONS] = tendons,
                            [WY_PER_TENDON_STRESSES] = tendons ? points : 0,
                            [WY_PER_FLOWS] = x->uses_state & WY_USES_FLOW ? points + 1 : 0,
                            [WY_PER_ADDED] = x->uses_state & WY_USES_ADDED_MASS ? points + 1 : 0,
                            [WY_PER_HISTORIES] = points * (size_t)wy_section_history(x),
                            [WY_PER_OF_STEP] =
                                x->law && x->law->per_step ? (size_t)x->law->per_step(x) : 0,
                            [WY_PER_ACTIVE] = is_active ? points : 0,
                            [WY_PER_MUSCLES] = points * (size_t)wy_muscles_of(x),
                            [WY_PER_ACTIVE_INPUTS] = is_active ? WY_ACTIVE_INPUTS : 0,
                            [WY_PER_LAWS] = x->law && x->law->general ? points : 0};
    return count[per];
}

/* The pointer of an array: read and written as bytes, since its type is any. */
static char *get(const wy_director *x, const array *a) {
    char *pointer;
    memcpy(&pointer, (const char *)x + a->at, sizeof pointer);
    return pointer;
}

static void set(wy_director *x, const array *a, void *pointer) {
    memcpy((char *)x + a->at, &pointer, sizeof pointer);
}

int wy_director_take(wy_director *x, int block, wy_arena *arena) {
    wy_allocator from = {.arena = arena};
    FOR_EACH(a, block)
    set(x, a, wy_allocator_alloc(&from, count_of(&x->plan, a->per), a->size));
    return !from.failed;
}

int wy_director_pack(wy_director *x, int rods, wy_arena *arena) {
    FOR_EACH(a, WY_BLOCK_DENSE) {
        size_t all = 1;
        for (int i = 0; i < rods; i++) all += count_of(&x[i].plan, a->per);
        char *to = wy_arena_alloc(arena, all, a->size);
        if (!to) return 0;
        for (int i = 0; i < rods; i++) {
            const size_t bytes = count_of(&x[i].plan, a->per) * a->size;
            memcpy(to, get(&x[i], a), bytes);
            set(&x[i], a, to), to += bytes;
        }
    }
    return 1;
}

void wy_director_layout(wy_director *x, int rods, int block, wy_block *memory) {
    FOR_EACH(a, block)
    for (int i = 0; i < rods; i++) {
        const size_t count = count_of(&x[i].plan, a->per);
        set(&x[i], a, count ? wy_block_alloc(memory, count, a->size) : NULL);
    }
}
