/* override.c - "path=value" from the command line, applied to the scene's table before it is read. */
#include "scene/lua.h"

#include <ctype.h>

static withy_status wrong_set(wy_reader *r, const char *text, const char *why) {
    return wy_bad_input(r->err, "--set %.60s: %.600s", text, why);
}

static int is_word(const char *text) {
    if (!isalpha((unsigned char)text[0]) && text[0] != '_') return 0;
    for (; *text; text++)
        if (!isalnum((unsigned char)*text) && *text != '_') return 0;
    return 1;
}

/* The path of "loads.1.force=2" or "loads[1].force=2", words and numbers, as "loads[1].force"; returns the value behind
 * "=", NULL: there is none, or this is no path. */
static const char *read_path(const char *text, char *path, size_t size) {
    size_t used = 0;
    for (int first = 1;; first = 0) {
        const int bracket = !first && *text == '[';
        if (!first && *text == '=') return text + 1;
        if (!first && !bracket && *text != '.') return NULL;
        text += !first;
        const size_t digits = strspn(text, "0123456789");
        size_t length = 0;
        while (isalnum((unsigned char)text[length]) || text[length] == '_') length++;
        if (length == 0 || (digits > 0 && (digits != length || digits > 6))) return NULL;
        if ((bracket && (!digits || text[length] != ']')) || (first && digits)) return NULL;
        if (used + length + 3 > size) return NULL;
        used += (size_t)snprintf(path + used, size - used, digits ? "%s[%.*s]" : "%s%.*s",
                                 digits || first ? "" : ".", (int)length, text);
        text += length + (size_t)bracket;
    }
}

/* ---- values ----------------------------------------------------------------------------------- */

/* A bare word is itself, unless it is a value of Lua: `elastica`, but not `true`. */
static int is_bare_word(const char *value) {
    static const char *const literal[] = {"true", "false", "nil"};
    for (size_t i = 0; i < sizeof literal / sizeof *literal; i++)
        if (strcmp(value, literal[i]) == 0) return 0;
    return is_word(value);
}

/* Could it be a text without its quotes: "rotating clamp"? */
static int is_plain_text(const char *value) {
    if (!isalpha((unsigned char)value[0])) return 0;
    for (; *value; value++)
        if (!isalnum((unsigned char)*value) && !strchr(" _-.,:/", *value)) return 0;
    return 1;
}

static int load_value(wy_reader *r, const char *form, const char *value) {
    lua_State *lua = r->lua;
    lua_pushfstring(lua, form, value);
    const char *chunk = lua_tostring(lua, -1);
    const int code = wy_sandbox_load(lua, chunk, strlen(chunk), "=" WY_SET_CHUNK);
    lua_remove(lua, -2);
    return code;
}

/* The chunk "return value" may have more after the value: "1,5" is two, "1 -- x" one and a comment. */
static int load_one(wy_reader *r, const char *value, int *more) {
    int code = load_value(r, "return %s", value);
    *more = 0;
    if (code != LUA_OK) return code;
    lua_pop(r->lua, 1);
    code = load_value(r, "return (%s)", value);
    *more = code == LUA_ERRSYNTAX;
    return code;
}

/* Push the value of a Lua expression. */
static withy_status push_value(wy_reader *r, const char *text, const char *value) {
    lua_State *lua = r->lua;
    if (is_bare_word(value)) {
        lua_pushstring(lua, value);
        return WITHY_OK;
    }
    int more, code = load_one(r, value, &more);
    if (more && !is_plain_text(value)) {
        lua_pop(lua, 1);
        return wrong_set(r, text,
                         "must be one value and nothing after it; a decimal point is written "
                         "\".\", as in 1.5, and a list is { 1, 5 }");
    }
    if (code == LUA_OK) code = lua_pcall(lua, 0, 1, 0);
    if (code == LUA_OK) return WITHY_OK;
    /* neither an expression nor one that can be computed ("one-step"): a text without its quotes */
    if (code != LUA_ERRMEM && is_plain_text(value)) {
        lua_pop(lua, 1);
        lua_pushstring(lua, value);
        return WITHY_OK;
    }
    const char *message = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : "it failed";
    if (code == LUA_ERRMEM && !r->scene->box.refused)
        return wy_no_memory(r->err, "no memory for the scene");
    if (code == LUA_ERRMEM) message = "stopped, as it uses too much memory";
    return wrong_set(r, text, wy_without_place(message));
}

/* ---- paths ----------------------------------------------------------------------------------- */

/* Push the key of the first step of a path. */
static void push_step(lua_State *lua, const char *path) {
    if (isdigit((unsigned char)path[0]))
        lua_pushinteger(lua, strtol(path, NULL, 10));
    else
        lua_pushlstring(lua, path, strcspn(path, ".["));
}

/* The step behind the first; NULL: there is none. */
static const char *next_step(const char *path) {
    path += strcspn(path, ".[]");
    path += *path == ']';
    return *path ? path + 1 : NULL;
}

/* Replace the table on top by its entry, which becomes a table of its own: a copy, as the scene may
 * use one table in two places. */
static withy_status descend(wy_reader *r, const char *text, const char *path) {
    char value[160];
    lua_State *lua = r->lua;
    push_step(lua, path);
    lua_pushvalue(lua, -1);
    const int type = lua_rawget(lua, -3);
    if (type == LUA_TNIL) {
        lua_pop(lua, 1);
        lua_newtable(lua);
    } else if (type == LUA_TTABLE) {
        wy_copy_table(lua, -1);
        lua_remove(lua, -2);
    } else {
        char why[256];
        snprintf(why, sizeof why, "the scene has %s there, not a table",
                 wy_value_text(lua, -1, value, sizeof value));
        return wrong_set(r, text, why);
    }
    lua_pushvalue(lua, -1);
    lua_insert(lua, -3); /* table, entry, key, entry */
    lua_rawset(lua, -4);
    lua_remove(lua, -2);
    return WITHY_OK;
}

static withy_status set(wy_reader *r, const wy_override *override) {
    lua_State *lua = r->lua;
    const char *step = override->path;
    const int base = lua_gettop(lua);
    luaL_checkstack(lua, 10, "too many levels");
    lua_pushvalue(lua, -1);
    for (const char *next; (next = next_step(step)) != NULL; step = next)
        WY_TRY(descend(r, override->text, step));
    push_step(lua, step);
    WY_TRY(push_value(r, override->text, override->value));
    lua_rawset(lua, -3);
    lua_settop(lua, base);
    return WITHY_OK;
}

/* "params.wire=3e-3": a number, known before the text runs. */
static withy_status keep_parameter(wy_reader *r, const wy_override *override) {
    withy_scene *scene = r->scene;
    const char *name = override->path + strlen("params.");
    if (strchr(name, '.'))
        return wrong_set(r, override->text, "a parameter is a number, as in params.wire=3e-3");
    WY_TRY(push_value(r, override->text, override->value));
    const double value = lua_tonumber(r->lua, -1);
    const int is_number = lua_type(r->lua, -1) == LUA_TNUMBER && isfinite(value);
    lua_pop(r->lua, 1);
    if (!is_number) return wrong_set(r, override->text, "a parameter must be a finite number");
    scene->param_set[scene->param_set_count++] =
        (wy_param_set){.name = name, .text = override->text, .value = value};
    return WITHY_OK;
}

static int is_parameter(const wy_override *override) {
    return strncmp(override->path, "params.", strlen("params.")) == 0;
}

withy_status wy_override_keep(wy_reader *r, const char *const *override, int count) {
    withy_scene *scene = r->scene;
    scene->override = wy_arena_alloc(&scene->arena, (size_t)count, sizeof *scene->override);
    scene->param_set = wy_arena_alloc(&scene->arena, (size_t)count, sizeof *scene->param_set);
    for (int i = 0; i < count; i++) {
        char *text = wy_arena_text(&scene->arena, override[i]);
        char *path = wy_arena_alloc(&scene->arena, WY_PATH / 2, 1);
        if (!scene->override || !scene->param_set || !text || !path)
            return wy_no_memory(r->err, "no memory for the scene");
        const char *value = read_path(text, path, WY_PATH / 2);
        if (!value) return wrong_set(r, text, "must be path=value, e.g. time.stop=20");
        scene->override[i] = (wy_override){path, text, value};
        if (is_parameter(&scene->override[i])) WY_TRY(keep_parameter(r, &scene->override[i]));
        scene->override_count = i + 1;
    }
    return WITHY_OK;
}

/* An override counts from the moment it is applied: messages before that are about the text. */
withy_status wy_override_all(wy_reader *r) {
    withy_scene *scene = r->scene;
    const int count = scene->override_count;
    for (int i = 0; i < count; i++) {
        scene->override_count = i;
        if (!is_parameter(&scene->override[i])) WY_TRY(set(r, &scene->override[i]));
    }
    scene->override_count = count;
    return WITHY_OK;
}
