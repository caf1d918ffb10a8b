/* atomic_file.c - files that are written next to their place and moved there when they are whole. */
#include "sink/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    TRIES = 100,
    STEM_MOST = 200
}; /* names; bytes of the stem in a name, of which 255 may be used */

/* ---- what is open ------------------------------------------------------------------------------ */

static pthread_mutex_t equations = PTHREAD_MUTEX_INITIALIZER;
static wy_atomic_file *first;
static uint64_t count; /* of names made */

void wy_registry_enter(void) {
    pthread_mutex_lock(&equations);
}

void wy_registry_leave(void) {
    pthread_mutex_unlock(&equations);
}

/* Nothing depends on the letters being unknown to others: O_EXCL decides. */
void wy_registry_letters(char letters[7]) {
    static const char letter[] = "abcdefghijkmnpqrstuvwxyz23456789";
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t x = (uint64_t)now.tv_nsec + ((uint64_t)now.tv_sec << 30) + ((uint64_t)getpid() << 44) +
                 ++count * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9); /* splitmix64 */
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    for (int i = 0; i < 6; i++) letters[i] = letter[x >> (20 + 5 * i) & 31];
    letters[6] = '\0';
}

bool wy_atomic_file_results(void) {
    bool found = false;
    wy_registry_enter();
    for (const wy_atomic_file *file = first; file; file = file->next) found |= file->result;
    wy_registry_leave();
    return found;
}

void wy_atomic_file_abandon(void) {
    wy_registry_enter(); /* and never leave */
    for (const wy_atomic_file *file = first; file; file = file->next)
        if (!file->shown) unlink(file->name);
    wy_temporary_folder_abandon();
}

/* ---- names ------------------------------------------------------------------------------------- */

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* How many bytes of the name stand before ".part": whole characters, and not its ending. */
static size_t stem_of(const char *name, const char **ending) {
    const char *dot = strrchr(name, '.');
    *ending = dot && dot > name && strlen(dot) < 16 ? dot : "";
    size_t stem = strlen(name) - strlen(*ending);
    if (stem > STEM_MOST) stem = STEM_MOST;
    while (stem > 0 && ((unsigned char)name[stem] & 0xc0) == 0x80) stem--; /* UTF-8 */
    return stem;
}

static void make_name(wy_atomic_file *file, size_t size) {
    char letters[7];
    const char *ending, *base = last_part(file->path);
    const size_t stem = stem_of(base, &ending);
    wy_registry_letters(letters);
    snprintf(file->name, size, "%.*s%.*s.part-%s%s", (int)(base - file->path), file->path,
             (int)stem, base, letters, ending);
}

/* The folder of the path: "a/" of "a/b", "." of "b". */
static int find_folder(const char *path, char *folder, size_t size) {
    const size_t length = (size_t)(last_part(path) - path);
    if (length >= size) return ENAMETOOLONG;
    snprintf(folder, size, "%.*s", (int)length, length ? path : ".");
    if (!length) snprintf(folder, size, ".");
    return 0;
}

/* ---- what is there ------------------------------------------------------------------------------ */

/* Locked as HDF5 locks: others may read it, and no other writer comes.  A file that cannot be locked is
 * only not protected. */
static int lock_old(wy_atomic_file *file) {
    file->old = open(file->path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file->old < 0) return 0;
    if (flock(file->old, LOCK_EX | LOCK_NB) == 0) {
        flock(file->old, LOCK_SH | LOCK_NB);
        return 0;
    }
    const int why = errno;
    if (why == EWOULDBLOCK) close(file->old), file->old = -1;
    return why == EWOULDBLOCK ? why : 0;
}

/* May what is at the place be replaced? */
static int check_old(wy_atomic_file *file, mode_t *mode) {
    struct stat old, folder;
    char path[4096];
    *mode = 0;
    int code = find_folder(file->path, path, sizeof path);
    if (code) return code;
    if (stat(path, &folder) != 0) return errno;
    file->device = folder.st_dev, file->folder = folder.st_ino;
    file->is_new = lstat(file->path, &old) != 0;
    if (file->is_new) return errno == ENOENT ? 0 : errno;
    if (S_ISLNK(old.st_mode)) return 0;
    if (S_ISDIR(old.st_mode)) return EISDIR;
    if (!S_ISREG(old.st_mode)) return EEXIST; /* a pipe, a device */
    if (access(file->path, W_OK) != 0) return errno;
    *mode = old.st_mode & 0777;
    return 0;
}

/* The same place, perhaps under another spelling, while the interface is held. */
static bool is_open(const wy_atomic_file *file) {
    for (const wy_atomic_file *other = first; other; other = other->next)
        if (other->device == file->device && other->folder == file->folder &&
            strcmp(last_part(other->path), last_part(file->path)) == 0)
            return true;
    return false;
}

/* ---- opening ----------------------------------------------------------------------------------- */

static int create(wy_atomic_file *file, size_t size, mode_t mode) {
    for (int i = 0; i < TRIES; i++) {
        make_name(file, size);
        file->descriptor =
            open(file->name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (file->descriptor >= 0 || errno != EEXIST) break;
    }
    if (file->descriptor < 0) return errno;
    if (mode) fchmod(file->descriptor, mode); /* a private file stays private */
    return 0;
}

static void give(wy_atomic_file *file) {
    if (file->old >= 0) close(file->old);
    wy_free(file->path);
    wy_free(file->name);
    *file = (wy_atomic_file){.old = -1};
}

static int open_new(wy_atomic_file *file, size_t size) {
    mode_t mode;
    int code = check_old(file, &mode);
    if (!code && is_open(file)) code = EWOULDBLOCK;
    if (!code && file->result && !file->is_new) code = lock_old(file);
    if (!code) code = create(file, size, mode);
    if (!code) file->next = first, first = file;
    return code;
}

int wy_atomic_file_open(wy_atomic_file *file, const char *path, bool result) {
    const size_t length = strlen(path), size = length + 32;
    *file = (wy_atomic_file){.old = -1, .descriptor = -1, .result = result};
    if (length == 0 || path[length - 1] == '/') return length ? EISDIR : ENOENT;
    file->path = wy_alloc(length + 1, 1), file->name = wy_alloc(size, 1);
    int code = file->path && file->name ? 0 : ENOMEM;
    if (!code) {
        memcpy(file->path, path, length + 1);
        wy_registry_enter();
        code = open_new(file, size);
        wy_registry_leave();
    }
    if (code) give(file);
    return code;
}

int wy_atomic_file_stream(wy_atomic_file *file) {
    file->stream = fdopen(file->descriptor, "w+b");
    if (file->stream) return 0;
    const int code = errno;
    wy_atomic_file_drop(file);
    return code;
}

int wy_bytes_put(int descriptor, const void *data, size_t size, off_t at) {
    for (const char *p = data; size > 0;) {
        const ssize_t done = pwrite(descriptor, p, size, at);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return done < 0 ? errno : EIO;
        p += done, at += done, size -= (size_t)done;
    }
    return 0;
}

int wy_atomic_file_put(const wy_atomic_file *file, const void *data, size_t size, off_t at) {
    return wy_bytes_put(file->descriptor, data, size, at);
}

int wy_atomic_file_try(const char *path) {
    wy_atomic_file file;
    const int code = wy_atomic_file_open(&file, path, false);
    if (!code) wy_atomic_file_drop(&file);
    return code;
}

/* ---- what an earlier run has left --------------------------------------------------------------- */

/* A file that was replaced by another may have the number of the old one, but not its time. */
void wy_leftover_note(wy_leftover *left, char *path) {
    struct stat old;
    *left = (wy_leftover){0};
    if (lstat(path, &old) != 0 || !S_ISREG(old.st_mode)) return;
    *left = (wy_leftover){path, old.st_dev, old.st_ino, old.st_ctim};
}

static bool is_the_same(const wy_leftover *left) {
    wy_leftover now;
    wy_leftover_note(&now, left->path);
    return now.path && now.device == left->device && now.file == left->file &&
           now.changed.tv_sec == left->changed.tv_sec &&
           now.changed.tv_nsec == left->changed.tv_nsec;
}

void wy_leftover_remove(const wy_leftover *left) {
    mode_t mode;
    wy_atomic_file old = {.path = left->path, .old = -1};
    if (!left->path) return;
    wy_registry_enter();
    if (check_old(&old, &mode) == 0 && !is_open(&old) && lock_old(&old) == 0 && is_the_same(left))
        unlink(left->path);
    wy_registry_leave();
    if (old.old >= 0) close(old.old);
}

/* ---- closing ----------------------------------------------------------------------------------- */

static void release(wy_atomic_file *file) {
    wy_registry_enter();
    for (wy_atomic_file **at = &first; *at; at = &(*at)->next)
        if (*at == file) {
            *at = file->next;
            break;
        }
    wy_registry_leave();
    give(file);
}

static int sync_file(int descriptor) {
    while (fsync(descriptor) != 0)
        if (errno != EINTR) return errno == EINVAL || errno == ENOTSUP ? 0 : errno;
    return 0;
}

/* A stream remembers that it failed, not why: one more byte fails for the same reason. */
static int why_failed(int descriptor) {
    const off_t end = lseek(descriptor, 0, SEEK_END);
    if (end >= 0 && pwrite(descriptor, "", 1, end) < 0) return errno;
    return EIO;
}

int wy_stream_sync(FILE *stream) {
    if (ferror(stream)) return why_failed(fileno(stream));
    if (fflush(stream) != 0) return errno;
    return sync_file(fileno(stream));
}

static int close_file(wy_atomic_file *file) {
    int closed = 0;
    if (file->settled) return 0;
    if (file->stream ? fclose(file->stream) != 0 : close(file->descriptor) != 0) closed = errno;
    file->stream = NULL, file->descriptor = -1, file->settled = true;
    return closed;
}

void wy_atomic_file_drop(wy_atomic_file *file) {
    const int why = errno;
    if (file->name) {
        close_file(file);
        if (!file->shown) unlink(file->name);
        release(file);
    }
    errno = why;
}

/* To the end of its last whole line; its length, 0 where there is none. */
static off_t cut(int descriptor) {
    char part[4096];
    off_t end = lseek(descriptor, 0, SEEK_END);
    while (end > 0) {
        const off_t from = end > (off_t)sizeof part ? end - (off_t)sizeof part : 0;
        ssize_t size = pread(descriptor, part, (size_t)(end - from), from);
        if (size != end - from) return 0;
        while (size > 0 && part[size - 1] != '\n') size--;
        end = from + (off_t)size;
        if (size > 0) break;
    }
    return end > 0 && ftruncate(descriptor, end) == 0 ? end : 0;
}

bool wy_atomic_file_rescue(wy_atomic_file *file, const char *remark) {
    if (!file->name) return false;
    const int copy = dup(file->descriptor); /* closing the stream writes what it still holds */
    const bool unshown = file->is_new && !file->shown;
    close_file(file);
    const off_t end = copy >= 0 && unshown ? cut(copy) : 0;
    if (end > 0 &&
        wy_atomic_file_put(&(wy_atomic_file){.descriptor = copy}, remark, strlen(remark), end) != 0)
        cut(copy);
    if (copy >= 0) sync_file(copy), close(copy);
    if (end <= 0 || wy_atomic_file_place(file) != 0) return wy_atomic_file_drop(file), false;
    return true;
}

void wy_atomic_file_leave(wy_atomic_file *file) {
    if (!file->name) return;
    close_file(file);
    release(file);
}

/* ---- a file whose name was taken away ----------------------------------------------------------- */

static _Thread_local char salvaged[4200]; /* where the last one is now */

bool wy_atomic_file_is(const char *name, int descriptor) {
    struct stat there, ours;
    return lstat(name, &there) == 0 && fstat(descriptor, &ours) == 0 &&
           there.st_dev == ours.st_dev && there.st_ino == ours.st_ino;
}

static int copy_all(int from, int to) {
    char part[65536];
    const wy_atomic_file target = {.descriptor = to};
    for (off_t at = 0;;) {
        const ssize_t got = pread(from, part, sizeof part, at);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return got < 0 ? errno : sync_file(to);
        const int code = wy_atomic_file_put(&target, part, (size_t)got, at);
        if (code) return code;
        at += got;
    }
}

/* A copy under a new name: of `path` while it has a folder, else for temporary files; its name is in `salvaged`. */
static int copy_aside(const char *path, int descriptor) {
    char letters[7];
    const char *ending, *base = last_part(path), *place = getenv("TMPDIR");
    const int folder = (int)(base - path), stem = (int)stem_of(base, &ending);
    int to = -1, code = ENOENT;
    for (int temporary = 0; temporary < 2 && to < 0; temporary++) {
        wy_registry_letters(letters);
        if (temporary)
            snprintf(salvaged, sizeof salvaged, "%s/withy-%s-%.*s%s", place ? place : "/tmp",
                     letters, stem, base, ending);
        else
            snprintf(salvaged, sizeof salvaged, "%.*s%.*s.part-%s%s", folder, path, stem, base,
                     letters, ending);
        to = open(salvaged, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (to < 0) code = errno;
    }
    if (to < 0) return code;
    code = copy_all(descriptor, to);
    if (close(to) != 0 && !code) code = errno;
    if (code) unlink(salvaged);
    return code;
}

/* The file is still open and nobody reads it: a copy of it goes to its place, unless another file has come there. */
int wy_atomic_file_guard(const char *path, const char *name, int descriptor) {
    struct stat there;
    if (wy_atomic_file_is(name, descriptor)) return 0;
    const int code = copy_aside(path, descriptor);
    if (code) return code;
    const bool taken = strcmp(name, path) == 0 && lstat(path, &there) == 0;
    if (!taken && rename(salvaged, path) == 0) snprintf(salvaged, sizeof salvaged, "%s", path);
    return ESTALE;
}

static withy_status was_removed(const char *path, withy_error *err) {
    if (strcmp(path, salvaged) == 0)
        return wy_fail(
            err, WITHY_IO,
            "%s: was removed while it was written; it is there again, with all that it had", path);
    return wy_fail(err, WITHY_IO,
                   "%s: it or its folder was removed or replaced while it was written; all that it "
                   "had is in %.300s",
                   path, salvaged);
}

int wy_atomic_file_settle(wy_atomic_file *file) {
    int code = file->stream ? wy_stream_sync(file->stream) : sync_file(file->descriptor);
    if (!code)
        code = wy_atomic_file_guard(file->path, file->shown ? file->path : file->name,
                                    file->descriptor);
    const int closed = close_file(file);
    if (!code) code = closed;
    if (code) wy_atomic_file_drop(file);
    return code;
}

/* The names in a folder are data of the folder; not every file system can sync them. */
static void sync_folder(const char *path) {
    char folder[4096];
    if (find_folder(path, folder, sizeof folder)) return;
    const int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) return;
    fsync(file);
    close(file);
}

int wy_atomic_file_place(wy_atomic_file *file) {
    int code = 0;
    if (!file->shown && rename(file->name, file->path) != 0) code = errno;
    if (code) return wy_atomic_file_drop(file), code;
    file->shown = true;
    sync_folder(file->path);
    release(file);
    return 0;
}

int wy_atomic_file_keep(wy_atomic_file *file) {
    const int code = wy_atomic_file_settle(file);
    return code ? code : wy_atomic_file_place(file);
}

/* A link in place of a move, which would replace what another program has put there since; where the file
 * system has no links, a move. */
int wy_atomic_file_show(wy_atomic_file *file) {
    if (link(file->name, file->path) == 0)
        unlink(file->name);
    else if (errno == EEXIST)
        return EWOULDBLOCK;
    else if (rename(file->name, file->path) != 0)
        return errno;
    file->shown = true;
    return 0;
}

int wy_atomic_file_take(wy_atomic_file *file) {
    if (rename(file->name, file->path) != 0) return errno;
    file->shown = true;
    return 0;
}

withy_status wy_cannot_write(const char *path, int code, withy_error *err) {
    static const struct {
        int code;
        const char *cure;
    } known[] = {{ENOENT, "; make its folder first"},
                 {EISDIR, "; choose another name"},
                 {ENOSPC, "; make room, or choose another disk"},
                 {EDQUOT, "; make room, or choose another disk"},
                 {EROFS, "; choose another folder"}};
    const char *cure = "";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].code == code) cure = known[i].cure;
    if (code == ESTALE && salvaged[0]) return was_removed(path, err);
    if (code == EWOULDBLOCK)
        return wy_fail(err, WITHY_IO,
                       "%s: cannot be written: another program, or another -o, has it open; close "
                       "it or choose another name",
                       path);
    if (code == EEXIST)
        return wy_fail(err, WITHY_IO,
                       "%s: cannot be written: it is a pipe or a device, not a plain file; choose "
                       "another name",
                       path);
    return wy_fail(err, WITHY_IO, "%s: cannot be written: %s%s", path, strerror(code), cure);
}
