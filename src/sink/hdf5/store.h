/* store.h - a result file as bytes that may hold anything.
 *
 * Results are read here and in object.c, rows.c without the HDF5 library, which crashes or does not
 * return on some damaged files.  What withy writes needs few structures of the format (HDF5 File Format
 * Specification 3.0), and all of them have checksums: superblock version 3, object headers version 2 with
 * the links and attributes inside, texts of fixed length, rows in chunks behind an extensible array.
 * Anything else is refused: links out of the file, storage elsewhere, filters, other versions.
 *
 * Bounds: nothing beyond the end of the file is read, and a file holds each of its bytes once.  So the
 * structures that are read are together no longer than the file, the rows neither, and the memory taken is
 * at most a fixed multiple of its length.
 */
#pragma once

#include "base/base.h"

enum { WY_STORE_WHY = 160 };
#define WY_STORE_NOWHERE UINT64_MAX         /* the address of what is not there                */
#define WY_STORE_ELSEWHERE (UINT64_MAX - 1) /* of what another file or name holds: not followed */

typedef struct wy_store {
    int descriptor;
    uint64_t length;    /* of the file                                        */
    uint64_t structure; /* bytes of structures that may still be read         */
    uint64_t rows;      /* bytes of rows that may still be referred to        */
    uint64_t memory;    /* bytes of memory that may still be taken            */
    uint64_t root;      /* where the root group is                            */
    char why[WY_STORE_WHY];
} wy_store;

/* Open a regular file and read its superblock; WITHY_BAD_INPUT: no such HDF5 file, WITHY_IO otherwise. */
withy_status wy_store_open(wy_store *store, const char *path, withy_error *err);
void wy_store_close(wy_store *store);

/* Note why something cannot be read; false, so that `return wy_store_fail(...)` reads well. */
bool wy_store_fail(wy_store *store, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Are there `size` bytes at `at`?  A file that is being written may have grown. */
bool wy_store_within(wy_store *store, uint64_t at, uint64_t size);

/* Bytes as they are. */
bool wy_store_get(wy_store *store, uint64_t at, void *out, size_t size);

/* A structure: it begins with the signature (4 characters) and ends with its checksum. */
bool wy_store_block(wy_store *store, uint64_t at, const char *signature, unsigned char *out,
                    size_t size);

/* Memory within the bounds; NULL when there is none. */
void *wy_store_take(wy_store *store, wy_arena *arena, uint64_t count, size_t size);

/* Whole numbers in the file have their lowest byte first. */
static inline uint64_t wy_store_whole(const unsigned char *from, int bytes) {
    uint64_t value = 0;
    for (int i = bytes; i-- > 0;) value = value << 8 | from[i];
    return value;
}
