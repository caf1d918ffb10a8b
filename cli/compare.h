/* compare.h - the picture of a comparison. */
#pragma once

#include "withy/withy.h"

/* Draw it to FILE.svg or FILE.png; 0: it could not, and the reason is printed. */
int compare_draw(const withy_comparison *c, const char *scene, const char *path);
