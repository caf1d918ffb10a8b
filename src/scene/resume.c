/* resume.c - the scene of a result with states, to be run on. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <limits.h>
#include <sys/stat.h>

#include "scene/scene.h"
#include "study/run/run.h"

#ifdef __wasi__ /* a page has no files */
#define realpath(path, to) NULL
#endif

enum { MOST = 256 };

/* A state belongs to its problem: what may be changed has no part in it. */
static int may_change(const char *override) {
    const size_t length = strcspn(override, "=");
    if (length == strlen("time.stop") && memcmp(override, "time.stop", length) == 0) return 1;
    if (strncmp(override, "options.", strlen("options.")) == 0) return 1; /* study/run/run.h */
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
            return wy_bad_input(err,
                                "--set %.60s: the state in %.200s belongs to the problem as it "
                                "was; a run that continues may change time.stop, damping and "
                                "options, anything else needs a new run",
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
        return wy_bad_input(err, "more than %d overrides, with those of the file", MOST);
    for (int i = 0; i < count; i++) all[(*total)++] = override[i];
    return WITHY_OK;
}

/* The files that it reads (table "...") must be what they were. */
static withy_status check_tables(const wy_saved_texts *kept, const withy_scene *scene,
                                 const char *path, withy_error *err) {
    static const char mark[] = "\n-- table \"";
    const char *was = strstr(kept->scene, mark);
    const char *now = strstr(withy_scene_text(scene), mark);
    if (strcmp(was ? was : "", now ? now : "") == 0) return WITHY_OK;
    return wy_bad_input(
        err, "%.200s: a table that its scene reads has changed since; put the old one back", path);
}

/* The folder that holds a file, without links; "": there is none. */
static void folder_of(const char *file, char *folder) {
    const char *slash = strrchr(file, '/');
    const size_t length = slash ? (size_t)(slash - file) : 0;
    char given[PATH_MAX];
    folder[0] = '\0';
    if (length >= sizeof given) return;
    snprintf(given, sizeof given, "%.*s", (int)length, file);
    if (!realpath(length ? given : slash ? "/" : ".", folder)) folder[0] = '\0';
}

static int is_below(const char *folder, const char *top) {
    const size_t length = strlen(top);
    if (!length || !folder[0]) return 0;
    return strcmp(top, "/") == 0 ||
           (strncmp(folder, top, length) == 0 && (folder[length] == '/' || !folder[length]));
}

/* As wy_scene_source.folder_access.  A case of the program has a name without a file.  The name is what somebody wrote into
 * the result: the scene reads no files elsewhere, however it is called. */
static int lies_near(const char *name, const char *result) {
    char folder[PATH_MAX], here[PATH_MAX], near[PATH_MAX];
    struct stat about;
    if (stat(name, &about) != 0 || !S_ISREG(about.st_mode)) return 0;
    folder_of(name, folder);
    folder_of("", here);
    folder_of(result, near);
    return is_below(folder, here) || is_below(folder, near) ? 1 : -1;
}

static withy_status read_source(const wy_saved_texts *kept, const char *path,
                                const char *const *all, int total, withy_scene **scene,
                                withy_error *err) {
    const wy_scene_source from = {.text = kept->source,
                                  .size = strlen(kept->source),
                                  .name = kept->name,
                                  .folder_access = lies_near(kept->name, path)};
    return wy_scene_read_from(&from, all, total, scene, err);
}

static withy_status read_kept(const wy_saved_texts *kept, const char *path,
                              const char *const *override, int count, withy_scene **scene,
                              withy_error *err) {
    const char *all[MOST];
    int total;
    wy_arena arena = {0};
    char *set = wy_arena_text(&arena, kept->set);
    if (!set) return wy_no_memory(err, "no memory for the scene");
    withy_status status = collect(set, override, count, all, &total, err);
    if (status == WITHY_OK) status = read_source(kept, path, all, total, scene, err);
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
    wy_saved_texts kept;
    WY_TRY(wy_saved_texts_open(path, &kept, err));
    withy_status status = check_changes(path, override, override_count, err);
    if (status == WITHY_OK) status = read_kept(&kept, path, override, override_count, scene, err);
    wy_saved_texts_close(&kept);
    return status;
}

withy_status wy_resume_method(withy_run_setup *setup, char method[WITHY_NAME], withy_error *err) {
    wy_saved_texts kept;
    if (!setup->resume || setup->method) return WITHY_OK;
    WY_TRY(wy_saved_texts_open(setup->resume, &kept, err));
    snprintf(method, WITHY_NAME, "%s", kept.method);
    wy_saved_texts_close(&kept);
    setup->method = method;
    return WITHY_OK;
}
