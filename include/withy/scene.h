/* withy/scene.h - a scene file (Lua 5.4, sandboxed) read into a problem, a method and its options.
 *
 * Functions in the scene stay alive inside the withy_scene and are called while the problem is
 * solved, so the scene must outlive every simulation made from it, and a scene must not be used by
 * two threads at once.
 */
#pragma once

#include "withy/problem.h"
#include "withy/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct withy_scene withy_scene;

/* Read a file.  override[]: "path=value" texts as on the command line ("time.stop=20",
 * "options.n=40", "method=elastica"); each replaces or adds one value of the table. */
WITHY_API withy_status withy_scene_read(const char *path, const char *const *override,
                                        int override_count, withy_scene **scene, withy_error *err);

/* The same from memory; name stands for the file in messages. */
WITHY_API withy_status withy_scene_read_text(const char *text, size_t size, const char *name,
                                             const char *const *override, int override_count,
                                             withy_scene **scene, withy_error *err);

WITHY_API const withy_problem *withy_scene_problem(const withy_scene *scene);
WITHY_API const char *withy_scene_method(const withy_scene *scene); /* "" when not named */
WITHY_API const char *withy_scene_text(const withy_scene *scene);   /* the source, and the
                                                                     * overrides as comments */
WITHY_API const char *withy_scene_name(const withy_scene *scene);   /* the file */
WITHY_API const withy_option *withy_scene_options(const withy_scene *scene, int *count);

WITHY_API void withy_scene_destroy(withy_scene *scene); /* NULL is fine */

/* The reference page of every key and constructor, in Markdown, from the table that validates: one
 * line per row, good until this thread's next call; NULL past the last. */
WITHY_API const char *withy_scene_reference(int row);

#ifdef __cplusplus
}
#endif
