/* params.c - the numbers of a scene that have names: `local p = params { wire = 2e-3, coils = 8 }`.
 *
 * A parameter is a number, or { value, min, max, unit, doc } in this order or by these names.  Its value may
 * come from --set params.NAME=VALUE; that is known before the text runs, so that all that the text computes
 * from it follows.
 */
#include "scene/lua.h"

#include <ctype.h>

enum { MOST = 256 };

static const char *const field[] = {"value", "min", "max", "unit", "doc"};
enum { VALUE, MIN, MAX, UNIT, DOC, FIELDS };

static const char *field_at(const void *unused, int index) {
    (void)unused;
    return index < FIELDS ? field[index] : NULL;
}

static const char *name_at(const void *context, int index) {
    const withy_scene *scene = context;
    return index < scene->parameter_count ? scene->parameter[index].name : NULL;
}

/* ---- one parameter ------------------------------------------------------------------------------ */

/* Which of the fields the key at the index is; -1: none. */
static int which_field(lua_State *lua, int index) {
    if (lua_isinteger(lua, index)) {
        const lua_Integer i = lua_tointeger(lua, index);
        return i >= 1 && i <= FIELDS ? (int)i - 1 : -1;
    }
    for (int i = 0; i < FIELDS && lua_type(lua, index) == LUA_TSTRING; i++)
        if (strcmp(lua_tostring(lua, index), field[i]) == 0 && !wy_is_cut(lua, index)) return i;
    return -1;
}

static int wrong_field(lua_State *lua, const char *name) {
    char advice[WITHY_NAME + 32];
    const char *key = lua_type(lua, -2) == LUA_TSTRING ? lua_tostring(lua, -2) : "?";
    const bool cut = lua_type(lua, -2) == LUA_TSTRING && wy_is_cut(lua, -2); /* at a zero byte */
    return luaL_error(
        lua, "params.%s has no \"%s%s\"%s it is a number or { value, min, max, unit, doc }", name,
        key, cut ? "?" : "",
        wy_did_you_mean_or(wy_suggest(key, field_at, NULL), advice, sizeof advice));
}

/* The value of a field, on top of the stack. */
static void take_field(lua_State *lua, int which, withy_parameter *p) {
    double *const number[] = {&p->given, &p->min, &p->max};
    if (which <= MAX) {
        if (lua_type(lua, -1) != LUA_TNUMBER)
            luaL_error(lua, "params.%s: %s must be a number", p->name, field[which]);
        *number[which] = lua_tonumber(lua, -1);
        return;
    }
    if (lua_type(lua, -1) != LUA_TSTRING)
        luaL_error(lua, "params.%s: %s must be a string", p->name, field[which]);
    if (wy_is_cut(lua, -1))
        luaL_error(lua, "params.%s: %s must not contain a zero byte, which ends a string", p->name,
                   field[which]);
    snprintf(which == UNIT ? p->unit : p->doc, which == UNIT ? sizeof p->unit : sizeof p->doc, "%s",
             lua_tostring(lua, -1));
}

static void read_fields(lua_State *lua, int table, withy_parameter *p) {
    for (lua_pushnil(lua); lua_next(lua, table); lua_pop(lua, 1)) {
        const int which = which_field(lua, -2);
        if (which >= 0)
            take_field(lua, which, p);
        else
            wrong_field(lua, p->name);
    }
}

/* "must be between 1 and 4 [m]", "must be at least 1", ... */
static const char *range_text(const withy_parameter *p, char *text, size_t size) {
    char unit[WITHY_NAME + 8] = "";
    if (p->unit[0]) snprintf(unit, sizeof unit, " [%s]", p->unit);
    if (isfinite(p->min) && isfinite(p->max))
        snprintf(text, size, "must be between %g and %g%s", p->min, p->max, unit);
    else if (isfinite(p->min))
        snprintf(text, size, "must be at least %g%s", p->min, unit);
    else
        snprintf(text, size, "must be at most %g%s", p->max, unit);
    return text;
}

static void check_bounds(lua_State *lua, const withy_parameter *p) {
    char text[256];
    if (!isfinite(p->given))
        luaL_error(lua, "params.%s: the value must be a finite number", p->name);
    if (!(p->min <= p->max))
        luaL_error(lua, "params.%s: min = %f is above max = %f; no value can be in between",
                   p->name, p->min, p->max);
    if (!(p->given >= p->min && p->given <= p->max))
        luaL_error(lua, "params.%s = %f %s", p->name, p->given, range_text(p, text, sizeof text));
}

/* The value of --set, if there is one: the last. */
static void take_set(lua_State *lua, withy_scene *scene, withy_parameter *p) {
    char text[256];
    p->value = p->given;
    for (int i = 0; i < scene->param_set_count; i++) {
        wy_param_set *set = &scene->param_set[i];
        if (strcmp(set->name, p->name) != 0) continue;
        set->used = 1;
        p->value = set->value;
        if (p->value >= p->min && p->value <= p->max) continue;
        lua_pushfstring(lua, "--set %s: %s", set->text, range_text(p, text, sizeof text));
        lua_error(lua);
    }
}

/* Key and value are on top of the stack. */
static void read_parameter(lua_State *lua, withy_scene *scene, withy_parameter *p) {
    const char *name = lua_type(lua, -2) == LUA_TSTRING ? lua_tostring(lua, -2) : "";
    size_t letters = 0;
    while (isalnum((unsigned char)name[letters]) || name[letters] == '_') letters++;
    if (letters == 0 || letters != lua_rawlen(lua, -2) || isdigit((unsigned char)name[0]) ||
        letters >= WITHY_NAME)
        luaL_error(lua, "params takes names and numbers: params { wire = 2e-3, coils = 8 }");
    *p = (withy_parameter){.given = NAN, .min = -INFINITY, .max = INFINITY};
    memcpy(p->name, name, letters);
    if (lua_type(lua, -1) == LUA_TNUMBER)
        p->given = lua_tonumber(lua, -1);
    else if (lua_type(lua, -1) == LUA_TTABLE)
        read_fields(lua, lua_gettop(lua), p);
    else
        luaL_error(lua, "params.%s must be a number or { value, min, max, unit, doc }", name);
    check_bounds(lua, p);
    take_set(lua, scene, p);
}

/* ---- all of them -------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b) {
    return strcmp(((const withy_parameter *)a)->name, ((const withy_parameter *)b)->name);
}

/* A name that is not there is a mistake, not nil. */
static int no_parameter(lua_State *lua) {
    char advice[WITHY_NAME + 32];
    const withy_scene *scene = lua_touserdata(lua, lua_upvalueindex(1));
    const char *name = lua_type(lua, 2) == LUA_TSTRING ? lua_tostring(lua, 2) : "?";
    return luaL_error(lua, "params has no \"%s\"%s", name,
                      wy_did_you_mean(wy_suggest(name, name_at, scene), advice, sizeof advice));
}

/* Into the table at 2.  A whole number stays one for Lua if the scene has written it so: a loop counts to it;
 * any other is a float, whose products do not overflow. */
static void keep_value(lua_State *lua, const withy_parameter *p) {
    int whole = lua_isinteger(lua, -1);
    if (lua_type(lua, -1) == LUA_TTABLE) {
        if (lua_rawgeti(lua, -1, 1) == LUA_TNIL) lua_pop(lua, 1), lua_getfield(lua, -1, "value");
        whole = lua_isinteger(lua, -1);
        lua_pop(lua, 1);
    }
    if (whole && p->value == floor(p->value) && fabs(p->value) < 9e15)
        lua_pushinteger(lua, (lua_Integer)p->value);
    else
        lua_pushnumber(lua, p->value);
    lua_setfield(lua, 2, p->name);
}

static void refuse_others(lua_State *lua, withy_scene *scene) {
    lua_createtable(lua, 0, 1);
    lua_pushlightuserdata(lua, scene);
    lua_pushcclosure(lua, no_parameter, 1);
    lua_setfield(lua, -2, "__index");
    lua_setmetatable(lua, 2);
}

static int make_params(lua_State *lua) {
    withy_scene *scene = lua_touserdata(lua, lua_upvalueindex(1));
    if (lua_gettop(lua) != 1 || lua_type(lua, 1) != LUA_TTABLE || wy_constructed_by(lua, 1))
        return luaL_error(lua, "params takes a table: params { wire = 2e-3, coils = 8 }");
    if (scene->has_params)
        return luaL_error(lua, "params is given twice; keep all parameters in one table");
    scene->parameter = wy_arena_alloc(&scene->arena, MOST, sizeof *scene->parameter);
    if (!scene->parameter) return luaL_error(lua, "no memory for the parameters");
    scene->has_params = 1;
    lua_newtable(lua);
    for (lua_pushnil(lua); lua_next(lua, 1); lua_pop(lua, 1)) {
        if (scene->parameter_count == MOST) return luaL_error(lua, "params: at most %d", MOST);
        read_parameter(lua, scene, &scene->parameter[scene->parameter_count]);
        keep_value(lua, &scene->parameter[scene->parameter_count]);
        scene->parameter_count++;
    }
    qsort(scene->parameter, (size_t)scene->parameter_count, sizeof *scene->parameter, by_name);
    refuse_others(lua, scene);
    return 1;
}

void wy_params_open(wy_reader *r) {
    lua_pushlightuserdata(r->lua, r->scene);
    lua_pushcclosure(r->lua, make_params, 1);
    lua_setglobal(r->lua, "params");
}

/* "wire, coils", or as many as there is room for. */
static const char *all_names(const withy_scene *scene, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < scene->parameter_count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "",
                                 scene->parameter[i].name);
    return text;
}

withy_status wy_params_check(wy_reader *r) {
    const withy_scene *scene = r->scene;
    char advice[WITHY_NAME + 32], names[256];
    for (int i = 0; i < scene->param_set_count; i++) {
        const wy_param_set *set = &scene->param_set[i];
        if (set->used) continue;
        if (scene->parameter_count == 0)
            return wy_bad_input(r->err,
                                "--set %.60s: %.200s has no parameters; name them with local p = "
                                "params { %.40s = ... }",
                                set->text, scene->name, set->name);
        return wy_bad_input(
            r->err, "--set %.60s: %.200s has no parameter \"%.40s\"%s%s%s", set->text, scene->name,
            set->name,
            wy_did_you_mean_or(wy_suggest(set->name, name_at, scene), advice, sizeof advice),
            " it has ", all_names(scene, names, sizeof names));
    }
    return WITHY_OK;
}
