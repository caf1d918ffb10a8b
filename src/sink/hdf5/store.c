/* store.c - a result file as bytes that may hold anything. */
#include "sink/hdf5/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sink/superblock.h"

enum {
    TRIES = 4,                 /* a structure may be read while it is written              */
    MEMORY_TIMES = 64,         /* memory, as a multiple of the length ...                  */
    MEMORY_LEAST = 16 << 20,   /* ... and what is always allowed                 [bytes]   */
    STRUCTURE_TIMES = 4,       /* structures, as a multiple of the length ...              */
    STRUCTURE_LEAST = 1 << 18, /* ... and what is always allowed                [bytes]   */
    BLOCK_LEAST = 512,         /* what a structure counts at least, for its time [bytes]   */
    SPARSE_TIMES = 1024,       /* length over what the disk holds: beyond, it is a hole     */
    SPARSE_LEAST = 16 << 20    /*                                                [bytes]   */
};

bool wy_store_fail(wy_store *store, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(store->why, sizeof store->why, format, list);
    va_end(list);
    return false;
}

/* ---- bounds ---------------------------------------------------------------------------------- */

/* The length is now this: what may be read and taken grows with it. */
static void set_length(wy_store *store, uint64_t length) {
    if (length <= store->length) return;
    const uint64_t more = length - store->length;
    store->structure += STRUCTURE_TIMES * more;
    store->rows += more;
    store->memory += MEMORY_TIMES * more;
    store->length = length;
}

bool wy_store_within(wy_store *store, uint64_t at, uint64_t size) {
    struct stat now;
    if (size <= store->length && at <= store->length - size) return true;
    if (fstat(store->descriptor, &now) == 0 && now.st_size > 0)
        set_length(store, (uint64_t)now.st_size);
    if (size <= store->length && at <= store->length - size) return true;
    return wy_store_fail(store, "it refers to bytes beyond the end of the file");
}

void *wy_store_take(wy_store *store, wy_arena *arena, uint64_t count, size_t size) {
    if (count > store->memory / size) {
        wy_store_fail(store, "it claims to be larger than the file can hold");
        return NULL;
    }
    void *taken = wy_arena_alloc(arena, (size_t)count, size);
    if (taken)
        store->memory -= count * size;
    else
        wy_store_fail(store, "memory ran out");
    return taken;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

bool wy_store_get(wy_store *store, uint64_t at, void *out, size_t size) {
    if (!wy_store_within(store, at, size)) return false;
    for (char *p = out; size > 0;) {
        const ssize_t done = pread(store->descriptor, p, size, (off_t)at);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return wy_store_fail(store, "%s", strerror(errno));
        if (done == 0) return wy_store_fail(store, "the file has become shorter");
        p += done, at += (uint64_t)done, size -= (size_t)done;
    }
    return true;
}

static bool is_right(const unsigned char *block, size_t size) {
#ifdef WITHY_FUZZING /* the fuzzer cannot guess checksums, a hostile writer can compute them */
    (void)block, (void)size;
    return true;
#else
    return wy_superblock_checksum(block, size - 4) == wy_store_whole(block + size - 4, 4);
#endif
}

bool wy_store_block(wy_store *store, uint64_t at, const char *signature, unsigned char *out,
                    size_t size) {
    const struct timespec moment = {.tv_nsec = 300 * 1000};
    const uint64_t cost = size < BLOCK_LEAST ? BLOCK_LEAST : size;
    if (size < 8 || cost > store->structure)
        return wy_store_fail(store, "its structure is larger than the file or refers to itself");
    store->structure -= cost;
    for (int i = 0; i < TRIES; i++) {
        if (i > 0) nanosleep(&moment, NULL);
        if (!wy_store_get(store, at, out, size)) return false;
        if (memcmp(out, signature, 4) == 0 && is_right(out, size)) return true;
    }
    return wy_store_fail(store, "a part of the file (at byte %llu) is damaged",
                         (unsigned long long)at);
}

/* ---- opening --------------------------------------------------------------------------------- */

static withy_status no_hdf5(const char *path, const char *why, withy_error *err) {
    return wy_bad_input(err, "%s: not a result file of withy: %s", path, why);
}

/* Without waiting: a pipe or a device would let us wait for ever. */
static withy_status open_regular(wy_store *store, const char *path, withy_error *err) {
    struct stat info;
    store->descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (store->descriptor < 0 || fstat(store->descriptor, &info) != 0)
        return wy_fail(err, WITHY_IO, "%s: cannot be read: %s", path, strerror(errno));
    if (S_ISDIR(info.st_mode))
        return wy_fail(err, WITHY_IO, "%s: cannot be read: %s", path, strerror(EISDIR));
    if (!S_ISREG(info.st_mode)) return no_hdf5(path, "it is not a regular file", err);
    const uint64_t length = (uint64_t)info.st_size, held = 512 * (uint64_t)info.st_blocks;
    if (held > 0 && length > SPARSE_LEAST && length / SPARSE_TIMES > held)
        return wy_fail(err, WITHY_IO,
                       "%s: cannot be read: it is empty but for %llu of its %llu bytes", path,
                       (unsigned long long)held, (unsigned long long)length);
    store->structure = STRUCTURE_LEAST, store->memory = MEMORY_LEAST;
    set_length(store, length);
    return WITHY_OK;
}

static withy_status read_super(wy_store *store, const char *path, withy_error *err) {
    static const char signature[] = "\211HDF\r\n\032\n";
    unsigned char head[WY_SUPERBLOCK_SIZE];
    if (store->length < sizeof head || !wy_store_get(store, 0, head, sizeof head) ||
        memcmp(head, signature, 8) != 0)
        return no_hdf5(path, "it is not an HDF5 file", err);
    if (!wy_superblock_is(head))
        return no_hdf5(path, "withy writes HDF5 files of another kind", err);
    if (!wy_store_block(store, 0, "\211HDF", head, sizeof head) ||
        wy_store_whole(head + 12, 8) != 0)
        return wy_fail(err, WITHY_IO, "%s: cannot be read: its first bytes are damaged", path);
    const uint64_t end = wy_store_whole(head + 28, 8);
    /* Once it has begun, a file grows before its first bytes say so. */
    if (!wy_store_within(store, end, 0))
        return wy_fail(err, WITHY_IO,
                       "%s: cannot be read: it is cut off: %llu of %llu bytes are there, as when a "
                       "run is killed as it begins, or a copy is not complete",
                       path, (unsigned long long)store->length, (unsigned long long)end);
    store->root = wy_store_whole(head + 36, 8);
    return WITHY_OK;
}

withy_status wy_store_open(wy_store *store, const char *path, withy_error *err) {
    *store = (wy_store){.descriptor = -1};
    WY_TRY(open_regular(store, path, err));
    return read_super(store, path, err);
}

void wy_store_close(wy_store *store) {
    if (store->descriptor >= 0) close(store->descriptor);
    store->descriptor = -1;
}
