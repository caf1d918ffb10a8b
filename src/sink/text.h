/* text.h - text files: errors are recorded and checked once per snapshot; texts from outside go through
 * one file per language.  Where they are written: atomic_file.h.
 */
#pragma once

#include "sink/atomic_file.h"
#include "withy/snapshot.h"

typedef struct wy_text {
    wy_atomic_file file;
    const char *path;
    int error;      /* 0, or the errno of the first failure */
    double flushed; /* when [s] */
    bool elsewhere; /* its name was taken from it; it has been kept (wy_atomic_file_guard) */
    bool keeps;     /* whole lines stay when writing fails: wy_text_rescue */
} wy_text;

withy_status wy_text_open(wy_text *text, wy_arena *arena, const char *path, withy_error *err);
withy_status wy_text_check(wy_text *text,
                           withy_error *err); /* any error so far? flushes now and then */
/* All bytes to the disk; then, when this has succeeded for all files that belong together, its name. */
withy_status wy_text_settle(wy_text *text, withy_error *err);
withy_status wy_text_place(wy_text *text, withy_error *err);
void wy_text_drop(wy_text *text); /* removes it */
/* After a failure to write: what is whole of a new file is kept, else it is removed. */
void wy_text_rescue(wy_text *text);
bool wy_text_is_open(const wy_text *text);

void wy_text_put(wy_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* 17 digits, so that nothing is lost, and a point whatever the locale. */
void wy_text_number(wy_text *text, double value);

/* ---- quote.c: texts from outside ------------------------------------------------------------------
 *
 * A cell of a table: in quotes where it must be; where a spreadsheet would begin to calculate (= + - @ at
 * its start, or behind what may be taken for the end of a cell) there is an apostrophe before it.  A remark
 * is the same in one line without quotes.  Other control characters become blanks. */
void wy_text_cell(wy_text *text, const char *cell);
void wy_text_remark(wy_text *text, const char *remark);

/* Inside the quotes of an attribute, and inside a comment. */
void wy_xml_attribute(FILE *file, const char *text);
void wy_xml_comment(FILE *file, const char *text);
/* Can it stand in XML: UTF-8 without control characters? */
bool wy_xml_can(const char *text);

/* ---- names -------------------------------------------------------------------------------------- */

/* PATH with its last `ending` characters replaced: "a/b.csv", ".csv", ".ledger.csv". */
char *wy_text_sibling(wy_arena *arena, const char *path, const char *ending, const char *other);
