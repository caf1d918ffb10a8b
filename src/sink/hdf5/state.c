/* state.c - see store.h. */
#include "sink/hdf5/store.h"

#include "base/block.h"

static const char MAGIC[8] = "withy\0k1";
static const uint64_t WORDS_MOST = UINT64_C(1) << 32;

static uint64_t hash_of(uint64_t number, const void *bytes, size_t size) {
    const uint64_t begin[] = {number, size};
    return wy_hash(bytes, size, wy_hash(begin, sizeof begin, 0));
}

void wy_state_seal(wy_state_head *head, uint64_t number, const void *bytes, size_t size) {
    *head = (wy_state_head){.number = number, .size = size};
    head->hash = hash_of(number, bytes, size);
    memcpy(head->magic, MAGIC, sizeof MAGIC);
}

/* The number of a place that is whole; 0: it is not. */
static uint64_t number_of(const uint64_t *word, uint64_t count) {
    wy_state_head head;
    if (!word || 8 * count < sizeof head) return 0;
    memcpy(&head, word, sizeof head);
    if (memcmp(head.magic, MAGIC, sizeof MAGIC) != 0) return 0;
    if (head.size > 8 * count - sizeof head) return 0;
    const char *bytes = (const char *)word + sizeof head;
    return head.hash == hash_of(head.number, bytes, (size_t)head.size) ? head.number : 0;
}

static const void *newest(wy_object *group, wy_arena *arena, size_t *size) {
    static const char *const name[] = {"state0", "state1"};
    const uint64_t *best = NULL;
    uint64_t highest = 0;
    for (int i = 0; i < 2; i++) {
        uint64_t count;
        const uint64_t *word = wy_rows_words(group, name[i], WORDS_MOST, &count, arena);
        const uint64_t number = number_of(word, count);
        if (number > highest) best = word, highest = number;
    }
    wy_state_head head;
    if (!best) return NULL;
    memcpy(&head, best, sizeof head);
    *size = (size_t)head.size;
    return (const char *)best + sizeof head;
}

const void *wy_state_read(wy_object *root, wy_arena *arena, size_t *size) {
    wy_object group;
    const uint64_t at = wy_object_at(root, "restart");
    const void *bytes = NULL;
    *size = 0;
    if (at == WY_STORE_NOWHERE) return NULL;
    if (wy_object_open(&group, root->store, at) && wy_object_links(&group))
        bytes = newest(&group, arena, size);
    wy_object_close(&group);
    return bytes;
}
