/* state.h - the states of a run in its result file, for a run that continues after a kill.
 *
 * There are two places of equal size; the older one is overwritten, so that one of them is whole at any time.
 * A place is a head and the bytes of the state, as whole numbers of 8 bytes; the head has a number that counts
 * up and a hash of the bytes.  When the run is over both hold its last state, under the highest number.
 */
#pragma once

#include "sink/hdf5/store.h"
#include "withy/result.h"

typedef struct wy_state_head {
    char magic[8];
    uint64_t number; /* 1, 2, ...; UINT64_MAX: the last                   */
    uint64_t size;   /* of the bytes                                      */
    uint64_t hash;   /* of the number, the size and the bytes             */
} wy_state_head;

/* Words of 8 bytes of a place for states of so many bytes. */
static inline uint64_t wy_state_words(size_t size) {
    return (sizeof(wy_state_head) + size + 7) / 8;
}

void wy_state_seal(wy_state_head *head, uint64_t number, const void *bytes, size_t size);

/* The bytes of the newest state that is whole, or NULL. */
const void *wy_state_read(wy_object *root, wy_arena *arena, size_t *size);

/* read.c: of an open result. */
const void *wy_result_state(withy_result *result, size_t *size);
