/* scene.h - what other rooms may use of a scene beyond the public header.  Room: src/scene. */
#pragma once

#include "study/variant.h"
#include "withy/scene.h"

/* Where a key of the scene was written, as the beginning of a message: "file.lua:12: ",
 * "--set options.n=4: ", or "file.lua: " when the line is not known.  The registry checks options
 * and uses this for "options.n". */
const char *wy_scene_where(const withy_scene *scene, const char *path, char *text, size_t size);

/* As data: the path and the line of a message about this key (dots or brackets). */
void wy_scene_point(const withy_scene *scene, const char *path, withy_error *err);
/* Both, for a message about err->path, and where before it. */
void wy_scene_place(const withy_scene *scene, withy_error *err);

/* While the scene is solved its functions ask `progress` now and then whether to continue, with step -1; NULL:
 * not. */
void wy_scene_set_progress(const withy_scene *scene, withy_progress progress, void *context);

/* The opening of docs/scene.md, lines of docs/scene_opening.txt. */
extern const char wy_scene_opening[];

/* The parameters of the scene: [*count]. */
const withy_parameter *wy_scene_parameters(const withy_scene *scene, int *count);

/* The overrides that it was read with, each ended by '\x1e', and the length of its text without them. */
const char *wy_scene_set(const withy_scene *scene, int64_t *source);

/* study.c: the study of a scene under a method (NULL: its own), which owns the scene from then on. */
withy_status wy_scene_variant(const withy_scene *scene, const char *method, wy_variant *to,
                              withy_error *err);

/* resume.c: a run that continues is made with the method of the file. */
withy_status wy_resume_method(withy_run_setup *setup, char method[WITHY_NAME], withy_error *err);

/* 1 when the value of this path was given on the command line. */
int wy_scene_overridden(const withy_scene *scene, const char *path);
/* A scene in memory. */
typedef struct wy_scene_source {
    const char *text, *name;
    size_t size;
    int folder_access; /* 1: name is the path of its file, in whose folder other files may lie; -1: too far away (resume.c) */
    const withy_host
        *host; /* NULL, or functions of the calling program                           */
} wy_scene_source;

/* The text of a file, freed with wy_free. */
withy_status wy_scene_load(const char *path, char **text, size_t *size, withy_error *err);

withy_status wy_scene_read_from(const wy_scene_source *from, const char *const *override,
                                int override_count, withy_scene **scene, withy_error *err);
