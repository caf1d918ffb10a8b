/* fit.h - what withy fit writes. */
#pragma once

#include "cli.h"

/* Data (dots) and model (lines) over time, arc length or mode: .svg or .png; 0: a sentence has been printed. */
int fit_draw(const withy_fit_curve *curve, const char *scene, const char *path);
/* The same as a table. */
int fit_table(const withy_fit_curve *curve, const char *path);
/* The text of the scene with the estimates as values of its params { }. */
int fit_scene_write(const withy_scene *scene, const withy_fit_free *free, int count,
                    const withy_fit_result *result, const char *path);
