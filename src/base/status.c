/* status.c - codes, sentences and error reporting. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"

static const char *const sentence[] = {
#define SENTENCE(code, text) [code] = text,
    WITHY_STATUS_LIST(SENTENCE)
#undef SENTENCE
};

const char *withy_status_text(withy_status code) {
    const size_t count = sizeof sentence / sizeof *sentence;
    return (size_t)code < count ? sentence[code] : "unknown status";
}

const char *withy_version(void) {
    return WITHY_VERSION;
}

/* A list behind a guess: 'did you mean "a"?; there are' becomes 'did you mean "a"? there are'. */
static void join_guess(char *text) {
    char *at = strstr(text, "\"?; ");
    if (at) memmove(at + 2, at + 3, strlen(at + 3) + 1);
}

withy_status wy_fail(withy_error *err, withy_status code, const char *format, ...) {
    if (!err) return code;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(err->text, sizeof err->text, format, arguments);
    va_end(arguments);
    join_guess(err->text);
    err->code = code;
    return code;
}

withy_status wy_fail_in(withy_error *err, withy_status code, const char *format, ...) {
    if (!err) return code;
    char prefix[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(prefix, sizeof prefix, format, arguments);
    va_end(arguments);
    /* shift the old sentence by the length of the prefix, cutting its tail if it must be */
    const size_t gap = strlen(prefix);
    size_t length = strlen(err->text);
    if (length + gap >= sizeof err->text) length = sizeof err->text - gap - 1;
    memmove(err->text + gap, err->text, length);
    memcpy(err->text, prefix, gap);
    err->text[gap + length] = '\0';
    err->code = code;
    return code;
}
