/* note.h - raising notes.  A new note is a row of note.inc. */
#pragma once

#include "withy/note.h"

typedef enum wy_note_id {
#define NOTE(id, text, values, meaning) WY_NOTE_##id,
#include "base/note.inc"
#undef NOTE
    WY_NOTE_IDS
} wy_note_id;

/* The formats, so that the compiler checks the arguments. */
#define NOTE(id, text, values, meaning)                                                            \
    static const char wy_note_format_##id[] __attribute__((unused)) = text;
#include "base/note.inc"
#undef NOTE

/* The first two arguments after `notes`, by the identifier: wy_note(notes, WY_NOTE(step_auto), method, h). */
#define WY_NOTE(id) WY_NOTE_##id, wy_note_format_##id

/* Adds a note; once, if it is raised twice with the same values. */
void wy_note(withy_notes *notes, wy_note_id id, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int wy_note_has(const withy_notes *notes, wy_note_id id);
void wy_note_drop(withy_notes *notes, wy_note_id id); /* all with this identifier */
/* Adds those of `more` that are not among them. */
void wy_note_join(withy_notes *notes, const withy_notes *more);
/* Of a file: are these lines, as many of text as of data? */
int wy_note_valid(const withy_notes *notes);
