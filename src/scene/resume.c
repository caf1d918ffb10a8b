/* resume.c - the scene of a result with states, to be run on. */
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "scene/scene.h"
#include "study/restart.h"

enum { MOST = 256 };

/* A state belongs to its problem: what may be changed has no part in it. */
static int may_change(const char *override) {
    const size_t length = strcspn(override, "=");
    if (length == strlen("time.stop") && memcmp(override, "time.stop", length) == 0) return 1;
    if (strncmp(override, "options.", strlen("options.")) == 0) return 1; /* study/regrid.h */
    for (const char *step = override; step < override + length;) {
        const size_t word = strcspn(step, ".=");
        if (strncmp(step, "damping", 7) == 0 || strncmp(step, "drag", 4) == 0) return 1;
        if (strncmp(step, "stretch_damping", 15) == 0 || strncmp(step, "turn_damping", 12) == 0)
            return 1;
        step += word + 1;
    }
    return 0;
}

static withy_status check_changes(const char *path, const char *const *override, int count,
                                  withy_error *err) {
    for (int i = 0; i < count; i++) {
        WY_NEED(override[i]);
        if (!may_change(override[i]))
            return wy_fail(
                err, WITHY_BAD_INPUT,
                "--set %.60s: the state in %.200s belongs to the problem as it was; a run "
                "that goes on may change time.stop, damping and options, anything else needs a "
                "new run",
                override[i], path);
    }
    return WITHY_OK;
}

/* The overrides of the file, then the new ones; `text` is cut at the marks. */
static withy_status collect(char *text, const char *const *override, int count, const char **all,
                            int *total, withy_error *err) {
    *total = 0;
    for (char *end; (end = strchr(text, '\x1e')) != NULL; text = end + 1) {
        if (*total == MOST) break;
        *end = '\0';
        all[(*total)++] = text;
    }
    if (*total + count > MOST)
        return wy_fail(err, WITHY_BAD_INPUT, "more than %d overrides, with those of the file",
                       MOST);
    for (int i = 0; i < count; i++) all[(*total)++] = override[i];
    return WITHY_OK;
}

/* The files that it reads (table "...") must be what they were. */
static withy_status check_tables(const wy_kept_texts *kept, const withy_scene *scene,
                                 const char *path, withy_error *err) {
    static const char mark[] = "\n-- table \"";
    const char *was = strstr(kept->scene, mark);
    const char *now = strstr(withy_scene_text(scene), mark);
    if (strcmp(was ? was : "", now ? now : "") == 0) return WITHY_OK;
    return wy_fail(err, WITHY_BAD_INPUT,
                   "%.200s: a table that its scene reads has changed since; put the old one back",
                   path);
}

/* A case of the program has a name without a file. */
static int is_file(const char *name) {
    FILE *file = fopen(name, "rb");
    if (file) fclose(file);
    return file != NULL;
}

static withy_status read_source(const wy_kept_texts *kept, const char *const *all, int total,
                                withy_scene **scene, withy_error *err) {
    const wy_scene_source from = {.text = kept->source,
                                  .size = strlen(kept->source),
                                  .name = kept->name,
                                  .beside = is_file(kept->name)};
    return wy_scene_read_from(&from, all, total, scene, err);
}

static withy_status read_kept(const wy_kept_texts *kept, const char *path,
                              const char *const *override, int count, withy_scene **scene,
                              withy_error *err) {
    const char *all[MOST];
    int total;
    wy_arena arena = {0};
    char *set = wy_arena_text(&arena, kept->set);
    if (!set) return wy_fail(err, WITHY_NO_MEMORY, "no memory for the scene");
    withy_status status = collect(set, override, count, all, &total, err);
    if (status == WITHY_OK) status = read_source(kept, all, total, scene, err);
    wy_arena_free(&arena);
    if (status == WITHY_OK && (status = check_tables(kept, *scene, path, err)) != WITHY_OK)
        withy_scene_destroy(*scene), *scene = NULL;
    return status;
}

withy_status withy_scene_resume(const char *path, const char *const *override, int override_count,
                                withy_scene **scene, withy_error *err) {
    WY_NEED(scene);
    *scene = NULL;
    WY_NEED(path);
    if (override_count > 0) WY_NEED(override);
    wy_kept_texts kept;
    WY_TRY(wy_kept_texts_open(path, &kept, err));
    withy_status status = check_changes(path, override, override_count, err);
    if (status == WITHY_OK) status = read_kept(&kept, path, override, override_count, scene, err);
    wy_kept_texts_close(&kept);
    return status;
}

withy_status wy_resume_method(withy_run_setup *setup, char method[WITHY_NAME], withy_error *err) {
    wy_kept_texts kept;
    if (!setup->resume || setup->method) return WITHY_OK;
    WY_TRY(wy_kept_texts_open(setup->resume, &kept, err));
    snprintf(method, WITHY_NAME, "%s", kept.method);
    wy_kept_texts_close(&kept);
    setup->method = method;
    return WITHY_OK;
}
