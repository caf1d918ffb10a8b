/* lines.h - on which line of a scene a key stands.
 *
 * Lua's tables do not record their position in the text, so it is read a second time by a
 * small scanner that follows the returned table constructor.  It is used for messages only: where it
 * cannot follow (computed tables), the nearest known ancestor's line is given.
 */
#pragma once

#include "base/base.h"

typedef struct wy_line {
    struct wy_line *next;
    int line;
    char path[]; /* "ends.start.tangent", "loads[1].force" */
} wy_line;

typedef struct wy_lines {
    wy_line *first;
    int count;
} wy_lines;

void wy_lines_scan(wy_lines *lines, wy_arena *arena, const char *text, size_t size);

/* The line of exactly this path; 0: unknown. */
int wy_lines_exact(const wy_lines *lines, const char *path);
/* The line of the path or of its nearest known ancestor; 0: unknown. */
int wy_lines_find(const wy_lines *lines, const char *path);
