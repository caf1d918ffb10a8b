/* text.c - texts from outside: what a result, a scene or a file name may put on a terminal.
 *
 * A text is read one character at a time.  Control characters (they move the cursor, set colours and
 * titles, type answers), the characters that reorder or break a line, and bytes that are not UTF-8
 * never pass; gnuplot, HTML and JSON have their own quoting on top of this.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

int text_size(const char *text) {
    const unsigned char *c = (const unsigned char *)text;
    if (c[0] < 0x80) return 1;
    const int size = c[0] >= 0xc2 && c[0] <= 0xdf   ? 2
                     : c[0] >= 0xe0 && c[0] <= 0xef ? 3
                     : c[0] >= 0xf0 && c[0] <= 0xf4 ? 4
                                                    : 0;
    for (int i = 1; i < size; i++)
        if ((c[i] & 0xc0) != 0x80) return 0;
    /* overlong, half of a surrogate pair, or beyond the last code point */
    const int wrong = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] > 0x9f) ||
                      (c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] > 0x8f);
    return wrong ? 0 : size;
}

int text_is_control(const char *text) {
    const unsigned char *c = (const unsigned char *)text;
    if (c[0] < 0x20 || c[0] == 0x7f) return 1;
    if (c[0] == 0xc2 && c[1] < 0xa0) return 1; /* U+0080 ... U+009F */
    if (c[0] != 0xe2) return 0;
    if (c[1] == 0x80) return c[2] >= 0xa8 && c[2] <= 0xae; /* U+2028 ... U+202E: lines, direction */
    return c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9;   /* U+2066 ... U+2069: direction */
}

int text_next(const char *text, char out[5]) {
    const int size = text_size(text);
    if (size == 0)
        memcpy(out, "\xef\xbf\xbd", 4); /* U+FFFD */
    else if (text_is_control(text))
        memcpy(out, " ", 2);
    else
        memcpy(out, text, (size_t)size), out[size] = '\0';
    return size ? size : 1;
}

/* The lines of a message are ours; a newline can do no more than end one. */
static void put(FILE *file, const char *text) {
    char one[5];
    while (*text) {
        const int newline = *text == '\n', used = text_next(text, one);
        fputs(newline ? "\n" : one, file);
        text += used;
    }
}

static void put_list(FILE *file, const char *format, va_list list) {
    char brief[2048], *text = brief;
    va_list again;
    va_copy(again, list);
    const int length = vsnprintf(brief, sizeof brief, format, list);
    if (length >= (int)sizeof brief && (text = malloc((size_t)length + 1)))
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    if (length >= 0) put(file, text ? text : brief); /* without memory: what fits */
    if (text != brief) free(text);
}

void cli_print(const char *format, ...) {
    va_list list;
    va_start(list, format);
    put_list(stdout, format, list);
    va_end(list);
}

static char last_warning[2048];

/* A message may be printed in parts: it ends with a newline. */
static void remember(const char *format, va_list list) {
    static size_t reported; /* of a message that has not ended */
    const size_t room = sizeof last_warning - reported, end = strlen(format);
    const int length = vsnprintf(last_warning + reported, room, format, list);
    if (length > 0) reported += (size_t)length < room ? (size_t)length : room - 1;
    if (end && format[end - 1] == '\n') reported = 0;
}

void cli_warn(const char *format, ...) {
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    remember(format, again);
    va_end(again);
    put_list(stderr, format, list);
    va_end(list);
}

const char *cli_last_warning(void) {
    static const char name[] = "withy: ";
    last_warning[strcspn(last_warning, "\n")] = '\0';
    const int named = strncmp(last_warning, name, sizeof name - 1) == 0;
    return last_warning + (named ? sizeof name - 1 : 0);
}
