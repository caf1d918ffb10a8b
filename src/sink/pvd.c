/* pvd.c - the list of times and the folder of the snapshots. */
#include "sink/pvd.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sink/text.h"

static const char list_begin[] =
    "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n  <Collection>\n";
static const char list_end[] = "  </Collection>\n</VTKFile>\n";

/* Where the snapshot of this number is written, or where it belongs. */
static const char *name_of(const wy_pvd *x, const char *folder, int64_t index) {
    snprintf(x->file, x->file_size, "%s/%06lld.vtp", folder, (long long)index);
    return x->file;
}

static const char *folder_of(const wy_pvd *x) {
    return x->live ? x->folder : x->scratch.path;
}

/* ---- the list ---------------------------------------------------------------------------------- */

/* The end of the list behind its entries. */
static int put_end(wy_pvd *x) {
    return wy_atomic_file_put(&x->list, list_end, strlen(list_end), x->end);
}

/* The next entry and the end of the list, in one write. */
static int put_entry(wy_pvd *x, double t) {
    char *text = NULL, time[40];
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (!memory) return ENOMEM;
    snprintf(time, sizeof time, "%.17g", t);
    char *comma = strchr(time, ',');
    if (comma) *comma = '.';
    fprintf(memory, "    <DataSet timestep=\"%s\" file=\"", time);
    wy_xml_attribute(memory, x->name);
    fprintf(memory, "/%06lld.vtp\"/>\n%s", (long long)x->count, list_end);
    int code = fclose(memory) == 0 ? 0 : ENOMEM;
    if (!code) code = wy_atomic_file_put(&x->list, text, size, x->end);
    if (!code) x->end += (off_t)(size - strlen(list_end));
    free(text);
    return code;
}

/* After an entry that did not fit: the list as it was, in bytes that it had before. */
static void repair(wy_pvd *x) {
    if (ftruncate(x->list.descriptor, x->end + (off_t)strlen(list_end)) == 0) put_end(x);
}

/* A list that ends early covers the part that was run; a comment gives the reason. */
static int put_reason(wy_pvd *x, const char *how) {
    char *comment = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&comment, &size);
    if (!memory) return ENOMEM;
    wy_xml_comment(memory, how);
    int code = fclose(memory) == 0 ? 0 : ENOMEM;
    const off_t end = x->end + (off_t)strlen(list_end);
    if (!code) code = wy_atomic_file_put(&x->list, comment, size, end);
    if (code && ftruncate(x->list.descriptor, end) != 0) code = errno;
    free(comment);
    return code;
}

/* ---- opening ----------------------------------------------------------------------------------- */

static bool take_names(wy_pvd *x, wy_arena *arena, const char *path) {
    x->path = wy_arena_text(arena, path);
    x->folder = wy_text_sibling(arena, path, ".pvd", "");
    if (!x->path || !x->folder) return false;
    const char *slash = strrchr(x->folder, '/');
    x->name = slash ? slash + 1 : x->folder;
    x->file_size = strlen(x->folder) + 80;
    x->file = wy_arena_alloc(arena, x->file_size, 1);
    x->from = wy_arena_alloc(arena, x->file_size, 1);
    return x->file && x->from;
}

/* In a folder that is there, inside it, as it may be on another disk; else next to it. */
static int open_scratch(wy_pvd *x) {
    struct stat there;
    const bool found = stat(x->folder, &there) == 0;
    if (found && !S_ISDIR(there.st_mode)) return ENOTDIR;
    snprintf(x->file, x->file_size, found ? "%s/part-" : "%s.part-", x->folder);
    return wy_temporary_folder_open(&x->scratch, x->file, 0777);
}

static int open_both(wy_pvd *x, bool at_once) {
    int code = wy_atomic_file_open(&x->list, x->path, true);
    if (code) return code;
    x->live = !at_once && x->list.is_new && mkdir(x->folder, 0777) == 0;
    if (!x->live) code = open_scratch(x);
    x->end = (off_t)strlen(list_begin);
    if (!code) code = wy_atomic_file_put(&x->list, list_begin, strlen(list_begin), 0);
    if (!code) code = put_end(x);
    if (!code && x->live) code = wy_atomic_file_show(&x->list);
    if (code && x->live) rmdir(x->folder);
    return code;
}

withy_status wy_pvd_open(wy_pvd *x, wy_arena *arena, const char *path, bool at_once,
                         withy_error *err) {
    *x = (wy_pvd){0};
    if (!take_names(x, arena, path)) return wy_no_memory(err, "%s: memory ran out", path);
    if (!wy_xml_can(x->name))
        return wy_bad_input(err,
                            "%s: the name of a .pvd file must be UTF-8 without control characters, "
                            "as it is written into XML",
                            path);
    const int code = open_both(x, at_once);
    if (!code) return WITHY_OK;
    wy_pvd_drop(x);
    return wy_cannot_write(path, code, err);
}

/* ---- snapshots --------------------------------------------------------------------------------- */

static withy_status failed(wy_pvd *x, int code, withy_error *err) {
    x->broken = true;
    const char *rest = x->live ? "what was written before is kept" : "no part of it is kept";
    return wy_fail(err, WITHY_IO, "%s: writing failed: %s; %s", x->path, strerror(code), rest);
}

withy_status wy_pvd_next(wy_pvd *x, FILE **file, withy_error *err) {
    const char *name = name_of(x, folder_of(x), x->count);
    const int made = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    *file = made >= 0 ? fdopen(made, "wb") : NULL;
    if (*file) return WITHY_OK;
    const int code = errno;
    if (made >= 0) close(made), unlink(name);
    return failed(x, code, err);
}

withy_status wy_pvd_add(wy_pvd *x, FILE *file, double t, withy_error *err) {
    int code = wy_stream_sync(file);
    if (fclose(file) != 0 && !code) code = errno;
    if (!code && (code = put_entry(x, t))) repair(x);
    if (!code) return x->count++, WITHY_OK;
    unlink(name_of(x, folder_of(x), x->count));
    return failed(x, code, err);
}

/* ---- closing ----------------------------------------------------------------------------------- */

void wy_pvd_drop(wy_pvd *x) {
    wy_atomic_file_drop(&x->list);
    wy_temporary_folder_close(&x->scratch);
}

/* All snapshots are on the disk: the folder to its place or, where there is one, the files into it. */
static int move_snapshots(wy_pvd *x) {
    if (rename(x->scratch.path, x->folder) == 0) {
        wy_temporary_folder_release(&x->scratch);
        return 0;
    }
    int code = 0;
    for (int64_t k = 0; !code && k < x->count; k++) {
        memcpy(x->from, name_of(x, x->scratch.path, k), x->file_size);
        if (rename(x->from, name_of(x, x->folder, k)) != 0) code = errno;
    }
    return code;
}

/* Snapshots of an old list that was longer: whoever opens the folder would take them for these. */
static void remove_others(const wy_pvd *x) {
    for (int64_t k = x->count; unlink(name_of(x, x->folder, k)) == 0;) k++;
}

/* Are the snapshots of the list still there? */
static int find_all(const wy_pvd *x) {
    struct stat there;
    for (int64_t k = 0; k < x->count; k++)
        if (lstat(name_of(x, x->folder, k), &there) != 0) return errno;
    return 0;
}

withy_status wy_pvd_close(wy_pvd *x, const char *how, withy_error *err) {
    int code = 0;
    const bool complete = strcmp(how, "complete") == 0;
    if (x->live && x->count == 0 && !complete) {
        if (wy_atomic_file_is(x->path, x->list.descriptor)) unlink(x->path);
        rmdir(x->folder);
    }
    if ((x->broken && !x->live) || (x->count == 0 && !complete)) return wy_pvd_drop(x), WITHY_OK;
    if (!complete) code = put_reason(x, how);
    const bool is_new = x->list.is_new;
    if (!code) code = wy_atomic_file_settle(&x->list);
    if (!code && !x->live) code = move_snapshots(x);
    if (!code) code = wy_atomic_file_place(&x->list);
    if (!code && !is_new) remove_others(x);
    if (!code) code = find_all(x);
    wy_pvd_drop(x);
    if (code == ESTALE) return wy_cannot_write(x->path, code, err);
    return code && !x->broken ? failed(x, code, err) : WITHY_OK;
}
