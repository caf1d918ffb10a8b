/* note.c - notes of a method for the user. */
#include <stdarg.h>
#include <stdio.h>

#include "method/method.h"

void wy_note(wy_notes *notes, const char *format, ...) {
    if (notes->used + 2 >= sizeof notes->text) return;
    va_list arguments;
    va_start(arguments, format);
    const size_t room = sizeof notes->text - notes->used - 1;
    const int wrote = vsnprintf(notes->text + notes->used, room, format, arguments);
    va_end(arguments);
    if (wrote <= 0) return;
    notes->used += (size_t)wrote < room ? (size_t)wrote : room - 1;
    notes->text[notes->used++] = '\n';
    notes->text[notes->used] = '\0';
}
