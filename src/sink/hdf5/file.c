/* file.c - our own file under HDF5. */
#include "sink/hdf5/hdf5.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sink/atomic_file.h"
#include "sink/superblock.h"
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

enum { AHEAD_LEAST = 64 * 1024, AHEAD_MOST = 64 * 1024 * 1024 }; /* bytes the file runs ahead */

/* What HDF5 holds; its own part must come first. */
typedef struct driver {
    H5FD_t hdf5;
    wy_h5_file *file;
} driver;

static wy_h5_file *file_of(const H5FD_t *hdf5) {
    return ((const driver *)hdf5)->file;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

static int read_all(int descriptor, void *data, size_t size, uint64_t at) {
    for (char *p = data; size > 0;) {
        const ssize_t done = pread(descriptor, p, size, (off_t)at);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return errno;
        if (done == 0) return memset(p, 0, size), 0; /* beyond the end */
        p += done, at += (uint64_t)done, size -= (size_t)done;
    }
    return 0;
}

/* One write within the first page: after a kill, or for a reader, it is the old one or the new one. */
static int put_super(wy_h5_file *file, const void *super, uint64_t length) {
    unsigned char head[WY_SUPERBLOCK_SIZE];
    memcpy(head, super, sizeof head);
    if (!wy_superblock_is(head)) return EINVAL;
    wy_superblock_set(head, length);
    return wy_bytes_put(file->descriptor, head, sizeof head, 0);
}

static int put_length(wy_h5_file *file, uint64_t length) {
    unsigned char head[WY_SUPERBLOCK_SIZE];
    const int code = read_all(file->descriptor, head, sizeof head, 0);
    return code ? code : put_super(file, head, length);
}

/* First the file, then its superblock: never the other way round. */
static int grow(wy_h5_file *file, uint64_t end) {
    if (end <= file->length) return 0;
    uint64_t ahead = end / 8;
    if (ahead < AHEAD_LEAST) ahead = AHEAD_LEAST;
    if (ahead > AHEAD_MOST) ahead = AHEAD_MOST;
    if (ftruncate(file->descriptor, (off_t)(end + ahead)) != 0) return errno;
    file->length = end + ahead;
    return put_length(file, file->length);
}

void wy_h5_file_trim(wy_h5_file *file) {
    if (file->error || file->used >= file->length) return;
    if (put_length(file, file->used) != 0) return;
    if (ftruncate(file->descriptor, (off_t)file->used) != 0) return; /* the hole stays: no harm */
}

int wy_h5_file_put(const wy_h5_file *file, const void *data, size_t size, uint64_t at) {
    return wy_bytes_put(file->descriptor, data, size, (off_t)at);
}

/* ---- what HDF5 calls ------------------------------------------------------------------------- */

static H5FD_t *open_driver(const char *name, unsigned flags, hid_t access, haddr_t most) {
    (void)name, (void)flags, (void)most;
    wy_h5_file *const *file = H5Pget_driver_info(access);
    driver *d = file ? wy_alloc(1, sizeof *d) : NULL;
    if (!d) return NULL;
    d->file = *file;
    return &d->hdf5;
}

static herr_t close_driver(H5FD_t *hdf5) {
    wy_free(hdf5);
    return 0;
}

static int compare(const H5FD_t *a, const H5FD_t *b) {
    const wy_h5_file *x = file_of(a), *y = file_of(b);
    return (x > y) - (x < y);
}

static herr_t query(const H5FD_t *hdf5, unsigned long *features) {
    (void)hdf5;
    if (features)
        *features = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA |
                    H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_SMALLDATA |
                    H5FD_FEAT_SUPPORTS_SWMR_IO | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

static haddr_t get_used(const H5FD_t *hdf5, H5FD_mem_t type) {
    (void)type;
    return file_of(hdf5)->used;
}

static herr_t set_used(H5FD_t *hdf5, H5FD_mem_t type, haddr_t used) {
    (void)type;
    file_of(hdf5)->used = used;
    return 0;
}

static haddr_t get_length(const H5FD_t *hdf5, H5FD_mem_t type) {
    (void)type;
    return file_of(hdf5)->length;
}

static herr_t read_bytes(H5FD_t *hdf5, H5FD_mem_t type, hid_t plan, haddr_t at, size_t size,
                         void *data) {
    (void)type, (void)plan;
    return read_all(file_of(hdf5)->descriptor, data, size, at) ? -1 : 0;
}

static herr_t write_bytes(H5FD_t *hdf5, H5FD_mem_t type, hid_t plan, haddr_t at, size_t size,
                          const void *data) {
    (void)type, (void)plan;
    wy_h5_file *file = file_of(hdf5);
    if (file->error) return 0;
    file->error = grow(file, at + size);
    if (file->error) return 0;
    if (at == 0 && size >= WY_SUPERBLOCK_SIZE) {
        file->error = put_super(file, data, file->length);
        data = (const char *)data + WY_SUPERBLOCK_SIZE;
        at += WY_SUPERBLOCK_SIZE, size -= WY_SUPERBLOCK_SIZE;
    }
    if (!file->error) file->error = wy_bytes_put(file->descriptor, data, size, (off_t)at);
    return 0;
}

static const H5FD_class_t class = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = 700, /* above 511: not registered with the HDF Group */
#endif
    .name = "withy",
    .maxaddr = (haddr_t)INT64_MAX,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(wy_h5_file *),
    .open = open_driver,
    .close = close_driver,
    .cmp = compare,
    .query = query,
    .get_eoa = get_used,
    .set_eoa = set_used,
    .get_eof = get_length,
    .read = read_bytes,
    .write = write_bytes,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

/* ---- opening --------------------------------------------------------------------------------- */

/* No eviction of metadata by the library itself: rows are published only by our flushes. */
static int keep_metadata(hid_t access) {
    H5AC_cache_config_t cache = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};
    if (H5Pget_mdc_config(access, &cache) < 0) return -1;
    cache.evictions_enabled = 0;
    cache.incr_mode = H5C_incr__off;
    cache.flash_incr_mode = H5C_flash_incr__off;
    cache.decr_mode = H5C_decr__off;
    return H5Pset_mdc_config(access, &cache);
}

/* Registered once and kept: HDF5 1.10 frees a driver that nothing but the file refers to before it has
 * called its function to close.  Again where the program has closed the library in between. */
static hid_t our_driver(void) {
    static hid_t ours = -1;
    if (ours < 0 || H5Iis_valid(ours) <= 0) ours = H5FDregister(&class);
    return ours;
}

hid_t wy_h5_file_open(wy_h5_file *file, const char *path) {
    struct stat status;
    if (fstat(file->descriptor, &status) != 0) return -1;
    file->length = file->used = (uint64_t)status.st_size;
    const hid_t ours = our_driver(), access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t opened = -1;
    if (ours >= 0 && H5Pset_driver(access, ours, &file) >= 0 &&
        H5Pset_libver_bounds(access, WY_H5_LIBRARY, WY_H5_LIBRARY) >= 0 &&
        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0 && keep_metadata(access) >= 0)
        opened = H5Fopen(path, H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE, access);
    H5Pclose(access);
    return opened;
}
