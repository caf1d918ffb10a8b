/* withy/note.h - notes: what a user should know about a result, as text and as data.
 *
 * Every note has an identifier and values.  withy_note_kind_at lists all that exist (withy list notes, docs/notes.md).
 */
#pragma once

#include "withy/base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WITHY_NOTES_SIZE = 2048, WITHY_NOTE_VALUES = 12 };

/* All notes of a study, in the order in which they arose: `text` for people, one per line; `data` for
 * withy_note_at, in the same order.  Zeros: there are none. */
typedef struct withy_notes {
    char text[WITHY_NOTES_SIZE];
    char data[WITHY_NOTES_SIZE];
} withy_notes;

/* A value of a note: a number, or, with is_text, a text. */
typedef struct withy_note_value {
    char name[32];
    int is_text;
    double number;
    char text[256];
} withy_note_value;

typedef struct withy_note {
    char id[32];
    char text[1024];
    int count;
    withy_note_value value[WITHY_NOTE_VALUES]; /* [count] */
} withy_note;

/* Fill *note for index 0, 1, ...; 0 past the last.  text and data: those of withy_notes, or the texts "notes" and
 * "note_data" of a result. */
WITHY_API int withy_note_at(const char *text, const char *data, int index, withy_note *note);

/* What a note can be. */
typedef struct withy_note_kind {
    const char *id;
    char text
        [1024]; /* with {name} for each value, {...} for a word that depends on the case       */
    const char
        *meaning; /* one message                                                               */
} withy_note_kind;

/* Fill *kind for index 0, 1, ...; 0 past the last. */
WITHY_API int withy_note_kind_at(int index, withy_note_kind *kind);

#ifdef __cplusplus
}
#endif
