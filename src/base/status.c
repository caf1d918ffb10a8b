/* status.c - codes, messages and error reporting. */
#include <stdarg.h>

#include "base/base.h"

static const struct {
    const char *name, *message;
} status_row[] = {
#define ROW(code, name, text) [code] = {name, text},
    WITHY_STATUS_LIST(ROW)
#undef ROW
};

enum { STATUSES = sizeof status_row / sizeof *status_row };

const char *withy_status_text(withy_status code) {
    return (size_t)code < STATUSES ? status_row[code].message : "unknown status";
}

const char *withy_status_name(withy_status code) {
    return (size_t)code < STATUSES ? status_row[code].name : "unknown";
}

const char *withy_version(void) {
    return WITHY_VERSION;
}

/* The key before the mark, which is removed: the word that ends there, or else the first one. */
static void take_key(char *text, char path[WITHY_ERROR_PATH]) {
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.0123456789[]";
    char *mark = strchr(text, WY_KEY[0]);
    path[0] = '\0';
    if (!mark) return;
    const char *from = mark;
    while (from > text && strchr(letters, from[-1])) from--;
    const size_t length = from < mark ? (size_t)(mark - from) : strspn(text, letters);
    snprintf(path, WITHY_ERROR_PATH, "%.*s", (int)length, from < mark ? from : text);
    memmove(mark, mark + 1, strlen(mark + 1) + 1);
}

withy_status wy_fail(withy_error *err, withy_status code, const char *format, ...) {
    if (!err) return code;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(err->text, sizeof err->text, format, arguments);
    va_end(arguments);
    take_key(err->text, err->path);
    err->code = code, err->line = 0;
    return code;
}

withy_status wy_need(const char *function, const char *names, const void *const *argument,
                     size_t count, withy_error *err) {
    for (size_t i = 0; i < count; i++, names += strspn(names, ", ")) {
        const int length = (int)strcspn(names, ",");
        if (!argument[i])
            return wy_bad_input(err, "%s: the argument %.*s is NULL", function, length, names);
        names += length;
    }
    return WITHY_OK;
}

withy_status wy_fail_in(withy_error *err, withy_status code, const char *format, ...) {
    if (!err) return code;
    char prefix[256], path[WITHY_ERROR_PATH];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(prefix, sizeof prefix, format, arguments);
    va_end(arguments);
    take_key(prefix, path);
    if (!err->path[0]) memcpy(err->path, path, sizeof path);
    /* shift the old message by the length of the prefix, cutting its tail if it must be */
    const size_t gap = strlen(prefix);
    size_t length = strlen(err->text);
    if (length + gap >= sizeof err->text) length = sizeof err->text - gap - 1;
    memmove(err->text + gap, err->text, length);
    memcpy(err->text, prefix, gap);
    err->text[gap + length] = '\0';
    err->code = code;
    return code;
}
