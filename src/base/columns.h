/* columns.h - a table of numbers from a text: rows of cells between commas, semicolons, tabs or blanks.
 *
 * The first row may be names, with or without units: t [s],force [N].  Lines that are empty or begin with #
 * are left out.  What is not a number is refused with file, line and column: a gap is never guessed.
 */
#pragma once

#include "base/base.h"

enum { WY_COLUMNS_MOST = 64, WY_COLUMNS_ROWS = 100000, WY_COLUMNS_NAME = 64 };

typedef struct wy_columns {
    int columns, rows;
    char (*name)[WY_COLUMNS_NAME]; /* [columns], without the unit; NULL: no row of names */
    double *value;                 /* [rows][columns]                                     */
} wy_columns;

/* `file`: its name in messages.  Memory is from the arena. */
withy_status wy_columns_read(const char *text, size_t size, const char *file, wy_arena *arena,
                             wy_columns *out, withy_error *err);
