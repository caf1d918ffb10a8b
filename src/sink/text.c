/* text.c - text files. */
#include "sink/text.h"

#include <errno.h>
#include <stdarg.h>

#include "base/wall_clock.h"

#define FLUSH_EVERY 0.1 /* [s] of wall time */

char *wy_text_sibling(wy_arena *arena, const char *path, const char *ending, const char *other) {
    const size_t stem = strlen(path) - strlen(ending), tail = strlen(other) + 1;
    char *made = wy_arena_alloc(arena, stem + tail, 1);
    if (!made) return NULL;
    memcpy(made, path, stem);
    memcpy(made + stem, other, tail);
    return made;
}

withy_status wy_text_open(wy_text *text, wy_arena *arena, const char *path, withy_error *err) {
    *text = (wy_text){.path = wy_arena_text(arena, path)};
    if (!text->path) return wy_no_memory(err, "%s: memory ran out", path);
    int code = wy_atomic_file_open(&text->file, path, true);
    if (!code) code = wy_atomic_file_stream(&text->file);
    if (!code) return WITHY_OK;
    if (code == ENOMEM) return wy_no_memory(err, "%s: memory ran out", path);
    return wy_cannot_write(path, code, err);
}

bool wy_text_is_open(const wy_text *text) {
    return text->file.stream != NULL;
}

/* Nothing after a failure: what is in the file is the beginning of what should be. */
void wy_text_put(wy_text *text, const char *format, ...) {
    va_list arguments;
    if (text->error) return;
    va_start(arguments, format);
    if (vfprintf(text->file.stream, format, arguments) < 0) text->error = errno;
    va_end(arguments);
}

void wy_text_number(wy_text *text, double value) {
    char digits[40];
    if (text->error) return;
    snprintf(digits, sizeof digits, "%.17g", value);
    char *comma = strchr(digits, ',');
    if (comma) *comma = '.';
    if (fputs(digits, text->file.stream) < 0) text->error = errno;
}

static withy_status failed(const wy_text *text, int code, withy_error *err) {
    return wy_fail(err, WITHY_IO, "%s: writing failed: %s; %s", text->path, strerror(code),
                   text->keeps ? "the lines that were written before are kept"
                               : "no part of it is kept");
}

withy_status wy_text_check(wy_text *text, withy_error *err) {
    if (wy_wall_clock() - text->flushed > FLUSH_EVERY) {
        if (fflush(text->file.stream) != 0 && !text->error) text->error = errno;
        text->flushed = wy_wall_clock();
    }
    return text->error ? failed(text, text->error, err) : WITHY_OK;
}

void wy_text_rescue(wy_text *text) {
    char remark[160] = "";
    if (text->error)
        snprintf(remark, sizeof remark, "# failed: writing stopped: %.100s\n",
                 strerror(text->error));
    if (text->keeps) wy_atomic_file_rescue(&text->file, remark);
    wy_text_drop(text);
}

void wy_text_drop(wy_text *text) {
    wy_atomic_file_drop(&text->file);
}

withy_status wy_text_settle(wy_text *text, withy_error *err) {
    if (!wy_text_is_open(text)) return WITHY_OK;
    text->flushed = 0;
    WY_TRY(wy_text_check(text, err));
    const int code = wy_atomic_file_settle(&text->file);
    text->elsewhere = code == ESTALE;
    if (text->elsewhere) return wy_cannot_write(text->path, code, err);
    if (code) text->keeps = false;
    return code ? failed(text, code, err) : WITHY_OK;
}

withy_status wy_text_place(wy_text *text, withy_error *err) {
    if (!text->file.name) return WITHY_OK;
    const int code = wy_atomic_file_place(&text->file);
    return code ? failed(text, code, err) : WITHY_OK;
}
