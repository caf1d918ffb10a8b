/* bad_scenes.h - a table of scenes that must be refused, each with its exact message. */
#pragma once

#include "check.h"
#include "withy/scene.h"

typedef struct bad_scene {
    const char *text;
    const char *override; /* one --set, or NULL */
    const char *message;
} bad_scene;

/* A good scene but for `extra`, which begins on line 4. */
#define SCENE(extra)                                                                               \
    "return {\n"                                                                                   \
    "  rod = { length = 2, stiffness = { bend = 1 }, inertia = { mass = 1 } },\n"                  \
    "  time = { stop = 1 },\n  " extra "\n}\n"
/* A good scene but for `extra` in its rod, on line 4. */
#define ROD(extra)                                                                                 \
    "return {\n  rod = {\n    length = 2, stiffness = { bend = 1 }, inertia = { mass = 1 },\n   "  \
    " " extra "\n  },\n  time = { stop = 1 },\n}\n"
/* The same with nothing else but a length in the rod. */
#define BARE_ROD(extra)                                                                            \
    "return {\n  rod = {\n    length = 2,\n    " extra "\n  },\n  time = { stop = 1 },\n}\n"
/* Some other time, on line 3. */
#define TIME(extra)                                                                                \
    "return {\n"                                                                                   \
    "  rod = { length = 2, stiffness = { bend = 1 }, inertia = { mass = 1 } },\n"                  \
    "  time = { " extra " },\n}\n"
#define STEEL "material = { young = 2e11, shear = 8e10, density = 7800 }"

/* Every scene fails with its message, gives no scene and keeps no memory. */
static inline void check_bad_scenes(const bad_scene *row, size_t count) {
    for (size_t i = 0; i < count; i++) {
        withy_scene *scene = (withy_scene *)&scene;
        withy_error err = {0};
        const size_t blocks = withy_memory_blocks();
        const withy_status status =
            withy_scene_read_text(row[i].text, strlen(row[i].text), "bad.lua", &row[i].override,
                                  row[i].override != NULL, &scene, &err);
        if (status == WITHY_MISSING) skip(); /* a build without Lua */
        if (status != WITHY_BAD_INPUT || strcmp(err.text, row[i].message) != 0)
            fail_msg("row %zu:\n%s\n  got  \"%s\"\n  want \"%s\"", i, row[i].text, err.text,
                     row[i].message);
        CHECK(scene == NULL);
        CHECK(withy_memory_blocks() == blocks);
    }
}

#define CHECK_BAD_SCENES(table) check_bad_scenes(table, sizeof(table) / sizeof *(table))
