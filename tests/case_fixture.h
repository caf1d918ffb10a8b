/* case_fixture.h - the scene of a case with overrides. */
#pragma once

#include "cases.h"
#include "fixture.h"

static inline withy_scene *scene_of_case(const char *name, const char *const *set, int count) {
    for (const wy_case *c = wy_cases; c->name; c++)
        if (strcmp(c->name, name) == 0) return scene_with(c->text, set, count);
    fail_msg("there is no case %s", name);
    return NULL;
}
