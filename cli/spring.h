/* spring.h - the designer's table of a helical spring (withy static --spring). */
#pragma once

#include "cli.h"

/* Rate, surge, solid length, stress and buckling of the spring in a scene, by a method (NULL: that of the scene)
 * and next to them the formula of the textbook.  Returns the exit status. */
int cli_spring(const withy_scene *scene, const char *method, int as_json);
