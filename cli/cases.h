/* cases.h - the scenes of cases/, embedded in the program at build time. */
#pragma once

#include <stddef.h>

typedef struct wy_case {
    const char *name, *text; /* folder and scene.lua */
    size_t size;
} wy_case;

extern const wy_case wy_cases[]; /* ends with a row whose name is NULL */
