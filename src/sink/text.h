/* text.h - text files that get their name only when complete.
 *
 * A file is written as PATH.part and renamed when it is closed successfully; what a kill or a full disk
 * leaves behind is called .part.  Errors are recorded and checked once per snapshot.
 */
#pragma once

#include <stdio.h>

#include "base/base.h"
#include "withy/snapshot.h"

typedef struct wy_text {
    FILE *file;
    char *path, *part;
    int error;      /* 0, or the errno of the first failure */
    double flushed; /* when [s] */
} wy_text;

/* "PATH: cannot be written: why; what to do", from an errno. */
withy_status wy_cannot_write(const char *path, int code, withy_error *err);

withy_status wy_text_open(wy_text *text, wy_arena *arena, const char *path, withy_error *err);
withy_status wy_text_check(wy_text *text,
                           withy_error *err); /* any error so far? flushes now and then */
withy_status wy_text_close(wy_text *text, withy_error *err); /* gives the file its name */
void wy_text_drop(wy_text *text);                            /* leaves PATH.part */

void wy_text_put(wy_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* 17 digits, so that nothing is lost, and a point whatever the locale. */
void wy_text_number(wy_text *text, double value);

/* PATH with its last `ending` characters replaced: "a/b.csv", ".csv", ".ledger.csv". */
char *wy_text_sibling(wy_arena *arena, const char *path, const char *ending, const char *other);

/* The name of one component: "x" of position, "qw" of frame, "bend1" of bend. */
const char *wy_component(const withy_quantity *quantity, int component);
