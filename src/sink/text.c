/* text.c - text files that get their name only when complete. */
#include "sink/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FLUSH_EVERY 0.1 /* [s] of wall time */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

char *wy_text_sibling(wy_arena *arena, const char *path, const char *ending, const char *other) {
    const size_t stem = strlen(path) - strlen(ending), tail = strlen(other) + 1;
    char *made = wy_arena_take(arena, stem + tail, 1);
    if (!made) return NULL;
    memcpy(made, path, stem);
    memcpy(made + stem, other, tail);
    return made;
}

withy_status wy_cannot_write(const char *path, int code, withy_error *err) {
    const char *cure = code == ENOENT   ? "; make its folder first"
                       : code == EISDIR ? "; choose another name"
                       : code == ENOSPC ? "; make room, or choose another disk"
                                        : "";
    if (code == EWOULDBLOCK)
        return wy_fail(err, WITHY_IO,
                       "%s: cannot be written: another program, or another -o, has it open; close "
                       "it or choose another name",
                       path);
    return wy_fail(err, WITHY_IO, "%s: cannot be written: %s%s", path, strerror(code), cure);
}

/* Open PATH.part, empty and locked, so that two runs never write into one file; and check now, not
 * after the run, whether it can get its name. */
static withy_status open_part(wy_text *text, const char *path, withy_error *err) {
    struct stat old;
    if (stat(path, &old) == 0 && S_ISDIR(old.st_mode)) return wy_cannot_write(path, EISDIR, err);
    const int file = open(text->part, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) return wy_cannot_write(path, errno, err);
    int code = flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK ? EWOULDBLOCK : 0;
    if (!code && ftruncate(file, 0) != 0) code = errno;
    text->file = code ? NULL : fdopen(file, "w");
    if (text->file) return WITHY_OK;
    if (!code) code = errno;
    close(file);
    return wy_cannot_write(path, code, err);
}

withy_status wy_text_open(wy_text *text, wy_arena *arena, const char *path, withy_error *err) {
    *text = (wy_text){.path = wy_arena_text(arena, path),
                      .part = wy_text_sibling(arena, path, "", ".part")};
    if (!text->path || !text->part)
        return wy_fail(err, WITHY_NO_MEMORY, "%s: memory ran out", path);
    return open_part(text, path, err);
}

void wy_text_put(wy_text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (vfprintf(text->file, format, arguments) < 0 && !text->error) text->error = errno;
    va_end(arguments);
}

void wy_text_number(wy_text *text, double value) {
    char digits[40];
    snprintf(digits, sizeof digits, "%.17g", value);
    char *comma = strchr(digits, ',');
    if (comma) *comma = '.';
    if (fputs(digits, text->file) < 0 && !text->error) text->error = errno;
}

withy_status wy_text_check(wy_text *text, withy_error *err) {
    if (now() - text->flushed > FLUSH_EVERY) {
        if (fflush(text->file) != 0 && !text->error) text->error = errno;
        text->flushed = now();
    }
    if (!text->error) return WITHY_OK;
    return wy_fail(err, WITHY_IO, "%s: writing failed: %s; what was written is in %s", text->path,
                   strerror(text->error), text->part);
}

void wy_text_drop(wy_text *text) {
    if (text->file) fclose(text->file);
    text->file = NULL;
}

withy_status wy_text_close(wy_text *text, withy_error *err) {
    if (!text->file) return WITHY_OK;
    text->flushed = 0;
    const withy_status status = wy_text_check(text, err);
    const int closed = fclose(text->file);
    text->file = NULL;
    if (status != WITHY_OK) return status;
    if (closed != 0 || rename(text->part, text->path) != 0)
        return wy_fail(err, WITHY_IO, "%s: writing failed: %s; what was written is in %s",
                       text->path, strerror(errno), text->part);
    return WITHY_OK;
}

/* ---- names ----------------------------------------------------------------------------------- */

static const struct {
    const char *quantity, *component[4];
} names[] = {
    {"position", {"x", "y", "z"}},
    {"frame", {"qw", "qx", "qy", "qz"}},
    {"velocity", {"vx", "vy", "vz"}},
    {"spin", {"wx", "wy", "wz"}},
    {"shear", {"shear1", "shear2", "stretch"}},
    {"bend", {"bend1", "bend2", "twist"}},
    {"force", {"nx", "ny", "nz"}},
    {"moment", {"mx", "my", "mz"}},
};

const char *wy_component(const withy_quantity *quantity, int component) {
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].quantity, quantity->name) == 0 && component < 4 &&
            names[i].component[component])
            return names[i].component[component];
    return quantity->name;
}
