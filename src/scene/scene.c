/* scene.c - scene files: text to problem, method and options. */
#include "scene/lua.h"

#include <errno.h>

#include "model/model.h"

/* ---- files ------------------------------------------------------------------------------------ */

enum { MOST_TEXT = 4 << 20 };

static withy_status read_all(FILE *file, const char *path, char *text, size_t *size,
                             withy_error *err) {
    *size = fread(text, 1, MOST_TEXT + 1, file);
    if (ferror(file))
        return wy_fail(err, WITHY_IO, "%.200s: cannot be read: %s", path, strerror(errno));
    if (*size > MOST_TEXT)
        return wy_bad_input(err, "%.200s: longer than %d MiB; a scene is a small text", path,
                            MOST_TEXT >> 20);
    return WITHY_OK;
}

withy_status wy_scene_load(const char *path, char **text, size_t *size, withy_error *err) {
    FILE *file = fopen(path, "rb");
    if (!file) return wy_fail(err, WITHY_IO, "%.200s: cannot be opened: %s", path, strerror(errno));
    char *all = wy_alloc(1, MOST_TEXT + 1);
    const withy_status status =
        all ? read_all(file, path, all, size, err) : wy_no_memory(err, "no memory for the scene");
    fclose(file);
    WY_HAND_OVER(status, all, wy_free, text);
}

withy_status withy_scene_read(const char *path, const char *const *override, int override_count,
                              withy_scene **scene, withy_error *err) {
    char *text;
    size_t size;
    WY_NEED(scene);
    *scene = NULL;
    WY_NEED(path);
    WY_TRY(wy_scene_load(path, &text, &size, err));
    const withy_status status = wy_scene_read_from(
        &(wy_scene_source){.text = text, .size = size, .name = path, .folder_access = 1}, override,
        override_count, scene, err);
    wy_free(text);
    return status;
}

withy_status withy_scene_read_host(const char *text, size_t size, const char *name,
                                   const char *const *override, int override_count,
                                   const withy_host *host, withy_scene **scene, withy_error *err) {
    return wy_scene_read_from(
        &(wy_scene_source){.text = text, .size = size, .name = name, .host = host}, override,
        override_count, scene, err);
}

withy_status withy_scene_read_text(const char *text, size_t size, const char *name,
                                   const char *const *override, int override_count,
                                   withy_scene **scene, withy_error *err) {
    return withy_scene_read_host(text, size, name, override, override_count, NULL, scene, err);
}

/* ---- what was read ----------------------------------------------------------------------------- */

const withy_problem *withy_scene_problem(const withy_scene *scene) {
    return scene ? &scene->problem : NULL;
}

const char *withy_scene_method(const withy_scene *scene) {
    return scene ? scene->method : "";
}

const char *withy_scene_text(const withy_scene *scene) {
    return scene ? scene->solved : "";
}

const char *withy_scene_name(const withy_scene *scene) {
    return scene ? scene->name : "";
}

const withy_option *withy_scene_options(const withy_scene *scene, int *count) {
    if (count) *count = scene ? scene->option_count : 0;
    return scene ? scene->option : NULL;
}

int withy_scene_parameter(const withy_scene *scene, int index, withy_parameter *parameter) {
    if (!scene || !parameter || index < 0 || index >= scene->parameter_count) return 0;
    *parameter = scene->parameter[index];
    return 1;
}

const withy_parameter *wy_scene_parameters(const withy_scene *scene, int *count) {
    *count = scene->parameter_count;
    return scene->parameter;
}

const char *wy_scene_set(const withy_scene *scene, int64_t *source) {
    *source = (int64_t)scene->size;
    return scene->set;
}

int wy_scene_overridden(const withy_scene *scene, const char *path) {
    for (int i = 0; i < scene->override_count; i++)
        if (strcmp(scene->override[i].path, path) == 0) return 1;
    return 0;
}

static int ask(void *context, double t) {
    const withy_scene *scene = context;
    return scene->progress(scene->context, t, scene->problem.request.stop, -1);
}

/* What a caller may not change of a scene, its functions may: they are Lua. */
void wy_scene_set_progress(const withy_scene *scene, withy_progress progress, void *context) {
    withy_scene *mine = (withy_scene *)(uintptr_t)scene;
    mine->progress = progress, mine->context = context;
    mine->box.interrupt =
        progress ? (wy_interrupt){.ask = ask, .context = mine} : (wy_interrupt){0};
}

#ifdef WITHY_HAVE_LIB_LUA

/* ---- reading, protected ----------------------------------------------------------------------- */

/* What crosses lua_pcall. */
typedef struct job {
    wy_reader reader;
    const char *const *override;
    int override_count;
    withy_status status;
} job;

/* Binary: a byte in its first lines that no text has. */
static int is_binary(const char *text, size_t size) {
    for (size_t i = 0; i < size && i < 512; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (c < ' ' && !(c >= '\t' && c <= '\r') && c != 27) return 1;
    }
    return 0;
}

static withy_status refuse_binary(const withy_scene *scene, withy_error *err) {
    const int result = scene->size >= 8 && memcmp(scene->text, "\x89HDF\r\n\x1a\n", 8) == 0;
    return wy_bad_input(
        err,
        result ? "%.200s: is a result, not a scene; withy plot draws it, withy view replays it"
               : "%.200s: is not a text file; a scene is a small Lua file that returns a table",
        scene->name);
}

/* The text has returned nothing: keys that it has set instead, as a newcomer does. */
static const char *set_instead(lua_State *lua) {
    static const char *const key[] = {"rod", "rods", "bodies", "time", "method"};
    for (size_t i = 0; i < sizeof key / sizeof *key; i++) {
        lua_pushglobaltable(lua);
        lua_pushstring(lua, key[i]);
        const int type = lua_rawget(lua, -2); /* which may be undefined */
        lua_pop(lua, 2);
        if (type == LUA_TTABLE) return key[i];
    }
    return NULL;
}

static withy_status returns_wrong(wy_reader *r) {
    char value[160];
    const char *name = r->scene->name;
    if (!lua_isnil(r->lua, -1))
        return wy_bad_input(r->err, "%.200s: returns %s; a scene must end with return { ... }",
                            name, wy_value_text(r->lua, -1, value, sizeof value));
    const char *key = set_instead(r->lua);
    if (key)
        return wy_bad_input(
            r->err,
            "%.200s: sets %s but returns nothing; a scene must end with return { %s = %s, ... }",
            name, key, key, key);
    return wy_bad_input(r->err, "%.200s: returns nothing; a scene must end with return { ... }",
                        name);
}

/* Run the text; leaves its table on the stack. */
static withy_status run_text(wy_reader *r) {
    withy_scene *scene = r->scene;
    const char *text = scene->text;
    size_t size = scene->size;
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        text += 3, size -= 3; /* byte order mark */
    if (size > 0 && text[0] == LUA_SIGNATURE[0])
        return wy_bad_input(r->err, "%.200s: is compiled Lua; a scene must be text", scene->name);
    if (is_binary(text, size)) return refuse_binary(scene, r->err);
    if (wy_sandbox_load(r->lua, text, size, "=" WY_CHUNK) != LUA_OK) lua_error(r->lua);
    lua_call(r->lua, 0, 1);
    if (lua_type(r->lua, -1) != LUA_TTABLE || wy_constructed_by(r->lua, -1))
        return returns_wrong(r);
    return WITHY_OK;
}

/* From the draft to the scene's own description. */
static withy_status settle(withy_scene *scene, const wy_scene_draft *draft, withy_error *err) {
    withy_rod *rod = draft->rods;
    scene->problem = draft->problem;
    scene->problem.rod_count = draft->rods ? draft->rod_count : !draft->no_rod;
    if (!rod) {
        rod = wy_arena_alloc(&scene->arena, 1, sizeof *rod);
        if (!rod) return wy_no_memory(err, "no memory for the scene");
        *rod = draft->only.rod;
    }
    scene->problem.rod = rod;
    const char *slash = strrchr(scene->name, '/');
    if (!scene->problem.title) scene->problem.title = slash ? slash + 1 : scene->name;
    scene->method = draft->method ? draft->method : "";
    scene->option = draft->option;
    scene->option_count = draft->option_count;
    return wy_signals_feed(&scene->problem, draft->input, draft->input_count, &scene->arena, err);
}

/* Put file and line before a message of the model, which may be that of a function of the scene behind a prefix: it has
 * them already. */
static void place(const withy_scene *scene, withy_error *err) {
    const withy_error *raised = &scene->raised;
    const size_t length = strlen(err->text), end = strlen(raised->text);
    if (end > 0 && length >= end && strcmp(err->text + length - end, raised->text) == 0)
        *err = *raised;
    else
        wy_scene_place(scene, err);
}

static withy_status read_scene(job *j) {
    wy_reader *r = &j->reader;
    withy_scene *scene = r->scene;
    wy_library_open(r->lua);
    wy_params_open(r);
    wy_host_open(r);
    wy_tables_open(r);
    WY_TRY(wy_override_keep(r, j->override, j->override_count));
    WY_TRY(run_text(r));
    WY_TRY(wy_params_check(r));
    wy_copy_table(r->lua, -1); /* overrides must not reach tables that functions of the scene use */
    lua_remove(r->lua, -2);
    WY_TRY(wy_override_all(r));
    WY_TRY(wy_read_group(r, "scene", r->draft));
    WY_TRY(settle(scene, r->draft, r->err));
    const int rods = scene->problem.rod_count; /* each follows its curves; bounded all the same */
    wy_sandbox_check(&scene->box, rods < 10 ? rods : 10);
    withy_status status =
        wy_model_compile(&scene->problem, NULL, &scene->arena, &scene->problem.model, r->err);
    if (status == WITHY_OK) status = wy_request_check(&scene->problem, r->err);
    if (status != WITHY_OK && r->err) place(scene, r->err);
    return status;
}

static int read_protected(lua_State *lua) {
    job *j = lua_touserdata(lua, 1);
    lua_settop(lua, 0);
    j->status = read_scene(j);
    return 0;
}

/* Lua stopped: its message with our file's name, and a hint. */
static withy_status stopped(const withy_scene *scene, int code, withy_error *err) {
    lua_State *lua = scene->box.lua;
    char advice[128], where[24] = "";
    if (code == LUA_ERRMEM) {
        if (scene->box.line > 0) snprintf(where, sizeof where, ":%d", scene->box.line);
        if (!scene->box.refused) return wy_no_memory(err, "no memory for the scene");
        wy_bad_input(err,
                     "%.200s%s: stopped, as it uses too much memory; is there an endless loop?",
                     scene->name, where);
        if (err) err->line = scene->box.line;
        return WITHY_BAD_INPUT;
    }
    if (lua_type(lua, -1) != LUA_TSTRING)
        return wy_bad_input(err, "%.200s: raised an error that is not a string", scene->name);
    const char *message = lua_tostring(lua, -1);
    const size_t prefix = strlen(WY_CHUNK ":");
    const int placed = strncmp(message, WY_CHUNK ":", prefix) == 0;
    wy_bad_input(err, placed ? "%.200s:%.600s%s" : "%.200s: %.600s%s", scene->name,
                 placed ? message + prefix : message,
                 wy_lua_advice(wy_without_place(message), advice, sizeof advice));
    if (err) err->line = wy_lua_line(message);
    return WITHY_BAD_INPUT;
}

static withy_status read_into(withy_scene *scene, const char *const *override, int override_count,
                              withy_error *err) {
    wy_scene_draft draft = {.problem = withy_problem_default()};
    draft.problem.title = NULL;
    draft.problem.path = (withy_path){.to = 1, .steps = 10};
    wy_rod_draft_begin(&draft.only);
    WY_TRY(wy_sandbox_open(&scene->box, err));
    job j = {.override = override, .override_count = override_count};
    j.reader = (wy_reader){.scene = scene,
                           .lua = scene->box.lua,
                           .err = err,
                           .draft = &draft,
                           .length = &draft.only.rod.length};
    lua_pushcfunction(scene->box.lua, read_protected);
    lua_pushlightuserdata(scene->box.lua, &j);
    const int code = lua_pcall(scene->box.lua, 1, 0, 0);
    scene->box.reading = 0;
    wy_arena_free(&scene->near);
    if (code != LUA_OK) j.status = stopped(scene, code, err);
    lua_settop(scene->box.lua, 0);
    return j.status;
}

/* A result file must record what was solved: the overrides follow the text as comments, and so do the files
 * that it has read. */
static withy_status report_overrides(withy_scene *scene, withy_error *err) {
    const char *tables = scene->tables ? scene->tables : "";
    size_t size = scene->size + 1 + strlen(tables);
    for (int i = 0; i < scene->override_count; i++)
        size += strlen(scene->override[i].text) + sizeof "\n-- solved with --set ";
    char *text = wy_arena_alloc(&scene->arena, size, 1);
    if (!text) return wy_no_memory(err, "no memory for the scene");
    memcpy(text, scene->text, scene->size);
    size_t used = scene->size;
    for (int i = 0; i < scene->override_count; i++)
        used += (size_t)snprintf(text + used, size - used, "\n-- solved with --set %s",
                                 scene->override[i].text);
    snprintf(text + used, size - used, "%s", tables);
    scene->solved = text;
    return WITHY_OK;
}

static withy_status join_overrides(withy_scene *scene, withy_error *err) {
    size_t size = 1, used = 0;
    for (int i = 0; i < scene->override_count; i++) size += strlen(scene->override[i].text) + 1;
    char *set = wy_arena_alloc(&scene->arena, size, 1);
    if (!set) return wy_no_memory(err, "no memory for the scene");
    for (int i = 0; i < scene->override_count; i++)
        used += (size_t)snprintf(set + used, size - used, "%s\x1e", scene->override[i].text);
    scene->set = set;
    return WITHY_OK;
}

/* ---- the public functions --------------------------------------------------------------------- */

withy_status wy_scene_read_from(const wy_scene_source *from, const char *const *override,
                                int override_count, withy_scene **out, withy_error *err) {
    const char *const text = from->text, *const name = from->name;
    const size_t size = from->size;
    WY_NEED(out);
    *out = NULL;
    WY_NEED(name);
    if (size > 0) WY_NEED(text);
    if (override_count < 0)
        return wy_bad_input(err, "%s: override_count = %d is negative", name, override_count);
    if (override_count > 0) WY_NEED(override);
    for (int i = 0; i < override_count; i++) WY_NEED(override[i]);
    withy_scene *scene = wy_alloc(1, sizeof *scene);
    if (!scene) return wy_no_memory(err, "no memory for the scene");
    char *copy = wy_arena_alloc(&scene->arena, size + 1, 1);
    scene->name = wy_arena_text(&scene->arena, name);
    scene->text = copy;
    scene->size = size;
    scene->folder_access = from->folder_access;
    if (from->host) scene->host = *from->host;
    withy_status status = WITHY_NO_MEMORY;
    if (!copy || !scene->name) {
        wy_no_memory(err, "no memory for the scene");
    } else {
        if (size > 0) memcpy(copy, text, size);
        wy_lines_scan(&scene->lines, &scene->arena, copy, size);
        status = read_into(scene, override, override_count, err);
    }
    if (status == WITHY_OK) status = report_overrides(scene, err);
    if (status == WITHY_OK) status = join_overrides(scene, err);
    if (status == WITHY_OK)
        *out = scene;
    else
        withy_scene_destroy(scene);
    return status;
}

void withy_scene_destroy(withy_scene *scene) {
    if (!scene) return;
    wy_sandbox_close(&scene->box);
    wy_arena_free(&scene->arena);
    wy_free(scene);
}

#else /* no Lua, and so no scene */

withy_status wy_scene_read_from(const wy_scene_source *from, const char *const *override,
                                int override_count, withy_scene **scene, withy_error *err) {
    const char *const name = from->name;
    (void) override, (void)override_count;
    *scene = NULL;
    return wy_fail(err, WITHY_MISSING,
                   "%.200s: scene files cannot be read: configured without Lua 5.4 (install "
                   "liblua5.4-dev and configure again)",
                   name);
}

void withy_scene_destroy(withy_scene *scene) {
    (void)scene;
}

void wy_scene_place(const withy_scene *scene, withy_error *err) {
    (void)scene, (void)err;
}

void wy_scene_point(const withy_scene *scene, const char *path, withy_error *err) {
    (void)scene, (void)path, (void)err;
}
#endif
