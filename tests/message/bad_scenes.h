/* bad_scenes.h - a table of scenes that must be refused, each with its exact message. */
#pragma once

#include "check.h"
#include "model/schema/schema.h"
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

/* Is the word a key of the group, or of any (NULL)? */
static inline int is_key(const char *group, const char *word, size_t length) {
    const wy_key *key;
    for (int i = 0; (key = wy_key_at(i)) != NULL; i++)
        if ((!group || strcmp(key->group, group) == 0) && strlen(key->name) == length &&
            memcmp(key->name, word, length) == 0)
            return 1;
    return 0;
}

/* Is it a path of the schema: keys, numbers of entries, and the names that a scene gives to probes, inputs and options? */
static inline int is_schema_path(const char *path) {
    int named = 0;
    for (const char *word = path; *word;) {
        const size_t length = strcspn(word, ".[");
        if (!named && !is_key(word == path ? "scene" : NULL, word, length)) return 0;
        named = word == path &&
                (strncmp(word, "probes", length) == 0 || strncmp(word, "inputs", length) == 0 ||
                 strncmp(word, "options", length) == 0);
        word += length;
        while (*word == '[') word += strcspn(word, "]") + 1;
        word += *word == '.';
    }
    return 1;
}

/* The data of a message: a path of the schema, and the line that the message begins with. */
static inline void check_error_data(const withy_error *err, const char *text) {
    int line = 0;
    (void)sscanf(err->text, "bad.lua:%d:", &line);
    if (err->line != line || !is_schema_path(err->path))
        fail_msg("%s\n  \"%s\"\n  has line %d and path \"%s\"", text, err->text, err->line,
                 err->path);
}

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
        check_error_data(&err, row[i].text);
        CHECK(scene == NULL);
        CHECK(withy_memory_blocks() == blocks);
    }
}

#define CHECK_BAD_SCENES(table) check_bad_scenes(table, sizeof(table) / sizeof *(table))
