/* fixture.h - what tests begin with: scenes from texts, and random numbers that a seed repeats. */
#pragma once

#include "check.h"
#include "random_number.h"
#include "withy/scene.h"

/* A scene with `count` overrides as those of --set; where the build has no Lua, the test is skipped. */
static inline withy_scene *scene_with(const char *text, const char *const *set, int count) {
    withy_scene *scene = NULL;
    withy_error err = {0};
    const withy_status status =
        withy_scene_read_text(text, strlen(text), "test.lua", set, count, &scene, &err);
    if (status == WITHY_MISSING) skip();
    if (status != WITHY_OK) fail_msg("%s\n%s", err.text, text);
    return scene;
}

/* set: one override, or NULL. */
static inline withy_scene *scene_of(const char *text, const char *set) {
    return scene_with(text, &set, set != NULL);
}
