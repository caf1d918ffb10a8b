/* note.c - notes of a method for the user. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "method/method.h"

/* Is the line at `line`, the last one, also an earlier one? */
static int is_known(const char *text, const char *line) {
    const size_t length = strlen(line);
    for (const char *at = text; at < line; at = strchr(at, '\n') + 1)
        if (strncmp(at, line, length) == 0) return 1;
    return 0;
}

void wy_note(wy_notes *notes, const char *format, ...) {
    if (notes->used + 2 >= sizeof notes->text) return;
    va_list arguments;
    va_start(arguments, format);
    char *line = notes->text + notes->used;
    const size_t room = sizeof notes->text - notes->used - 1;
    const int wrote = vsnprintf(line, room, format, arguments);
    va_end(arguments);
    if (wrote <= 0) return;
    size_t used = notes->used + ((size_t)wrote < room ? (size_t)wrote : room - 1);
    notes->text[used++] = '\n';
    notes->text[used] = '\0';
    if (is_known(notes->text, line))
        *line = '\0'; /* once is enough */
    else
        notes->used = used;
}

void wy_note_drop(wy_notes *notes, const char *begins) {
    for (char *line = notes->text; *line;) {
        char *end = strchr(line, '\n'), *next = end ? end + 1 : line + strlen(line);
        if (strncmp(line, begins, strlen(begins)) == 0)
            memmove(line, next, strlen(next) + 1);
        else
            line = next;
    }
    notes->used = strlen(notes->text);
}
