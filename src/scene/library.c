/* library.c - what a scene may call: a few basic functions, parts of math, string and table, and the
 * constructors of shapes, sections, ends and loads.
 *
 * Left out are functions that reach outside (io, os, require, load, debug), that would intercept the sandbox's stop
 * (pcall, coroutines), and that can run for ever inside one C function (patterns, table.move).
 */
#include "scene/lua.h"

static const char *const keep_base[] = {"assert", "error",    "ipairs",   "next", "pairs",
                                        "select", "tonumber", "tostring", "type", NULL};
static const char *const keep_math[] = {
    "abs",  "acos",   "asin", "atan", "ceil",       "cos",       "deg",        "exp",  "floor",
    "fmod", "huge",   "log",  "max",  "maxinteger", "min",       "mininteger", "modf", "pi",
    "rad",  "random", "sin",  "sqrt", "tan",        "tointeger", "type",       "ult",  NULL};
static const char *const keep_string[] = {"byte",  "char", "format",  "len", "lower",
                                          "upper", "rep",  "reverse", "sub", NULL};
static const char *const keep_table[] = {"concat", "insert", "pack", "remove",
                                         "sort",   "unpack", NULL};

/* ---- libraries -------------------------------------------------------------------------------- */

static int is_in(const char *const *list, const char *name) {
    for (; *list; list++)
        if (strcmp(*list, name) == 0) return 1;
    return 0;
}

/* Remove from the table on top all that is not in the list. */
static void keep_only(lua_State *lua, const char *const *list) {
    lua_pushnil(lua);
    while (lua_next(lua, -2)) {
        lua_pop(lua, 1);
        if (lua_type(lua, -1) == LUA_TSTRING && is_in(list, lua_tostring(lua, -1))) continue;
        lua_pushvalue(lua, -1);
        lua_pushnil(lua);
        lua_rawset(lua, -4); /* clearing a field while traversing is allowed */
    }
}

/* Comparing and copying texts takes a time that is not seen by the counter of instructions. */
static void charge_text(lua_State *lua, int index) {
    enum { PER_UNIT = 16 }; /* bytes for the time of one instruction */
    if (lua_type(lua, index) == LUA_TSTRING)
        wy_sandbox_charge(lua, (int64_t)(lua_rawlen(lua, index) / PER_UNIT));
}

/* Call the wrapped function and charge for the sizes of what goes in and comes out. */
static int charged(lua_State *lua) {
    const int count = lua_gettop(lua);
    wy_sandbox_charge(lua, 1 + count + (int64_t)(count ? lua_rawlen(lua, 1) : 0));
    for (int i = 2; i <= count; i++) charge_text(lua, i);
    lua_pushvalue(lua, lua_upvalueindex(1));
    lua_insert(lua, 1);
    lua_call(lua, count, LUA_MULTRET);
    wy_sandbox_charge(lua, lua_gettop(lua));
    for (int i = 1; i <= lua_gettop(lua); i++) charge_text(lua, i);
    return lua_gettop(lua);
}

/* string.rep with a bound: the original loops for ever on string.rep("", 1e18). */
static int bounded_rep(lua_State *lua) {
    size_t length, between = 0;
    luaL_checklstring(lua, 1, &length);
    const lua_Integer times = luaL_checkinteger(lua, 2), most = WY_LONGEST_TEXT;
    luaL_optlstring(lua, 3, "", &between);
    if (times > most || (times > 0 && (length + between) > (size_t)(most / times)))
        return luaL_error(lua, "string.rep: the result may have at most %d characters",
                          WY_LONGEST_TEXT);
    return charged(lua);
}

/* ---- table.sort -------------------------------------------------------------------------------- */

/* Does the value at a come before the one at b?  By the function at 2, if there is one. */
static int comes_before(lua_State *lua, int a, int b) {
    a = lua_absindex(lua, a), b = lua_absindex(lua, b);
    wy_sandbox_charge(lua, 1);
    if (lua_isnil(lua, 2)) {
        charge_text(lua, a);
        return lua_compare(lua, a, b, LUA_OPLT);
    }
    lua_pushvalue(lua, 2);
    lua_pushvalue(lua, a);
    lua_pushvalue(lua, b);
    lua_call(lua, 2, 1);
    const int before = lua_toboolean(lua, -1);
    lua_pop(lua, 1);
    return before;
}

/* The value on top goes down from the root of a heap of `count` in the table at 1. */
static void sift(lua_State *lua, lua_Integer root, lua_Integer count) {
    for (lua_Integer child; (child = 2 * root) <= count; root = child) {
        lua_rawgeti(lua, 1, child);
        if (child < count) {
            lua_rawgeti(lua, 1, child + 1);
            if (comes_before(lua, -2, -1))
                lua_remove(lua, -2), child++;
            else
                lua_pop(lua, 1);
        }
        if (!comes_before(lua, -2, -1)) {
            lua_pop(lua, 1);
            break;
        }
        lua_rawseti(lua, 1, root);
    }
    lua_rawseti(lua, 1, root);
}

/* Heapsort, every comparison charged: the original compares without a count, and a function that is no order
 * leads it astray. */
static int sort(lua_State *lua) {
    luaL_checktype(lua, 1, LUA_TTABLE);
    if (!lua_isnoneornil(lua, 2)) luaL_checktype(lua, 2, LUA_TFUNCTION);
    lua_settop(lua, 2);
    const lua_Integer count = (lua_Integer)lua_rawlen(lua, 1);
    for (lua_Integer root = count / 2; root >= 1; root--) {
        lua_rawgeti(lua, 1, root);
        sift(lua, root, count);
    }
    for (lua_Integer last = count; last > 1; last--) {
        lua_rawgeti(lua, 1, last);
        lua_rawgeti(lua, 1, 1);
        lua_rawseti(lua, 1, last);
        sift(lua, 1, last - 1);
    }
    return 0;
}

/* ---- wrapping ---------------------------------------------------------------------------------- */

/* Replace table[name] (table on top) by a wrapper around it. */
static void wrap(lua_State *lua, const char *name, lua_CFunction wrapper) {
    lua_getfield(lua, -1, name);
    lua_pushcclosure(lua, wrapper, 1);
    lua_setfield(lua, -2, name);
}

static void open_one(lua_State *lua, const char *name, lua_CFunction open,
                     const char *const *list) {
    luaL_requiref(lua, name, open, 1);
    if (lua_getfield(lua, -1, "randomseed") == LUA_TFUNCTION) {
        lua_pushinteger(lua, 1); /* reproducible: the same scene gives the same numbers */
        lua_call(lua, 1, 0);
    } else {
        lua_pop(lua, 1);
    }
    keep_only(lua, list);
}

/* ---- constructors ----------------------------------------------------------------------------- */

/* The metatable that marks what a constructor made; scenes cannot see metatables. */
static void mark(lua_State *lua, const char *name) {
    lua_getfield(lua, LUA_REGISTRYINDEX, name);
    lua_setmetatable(lua, -2);
}

static const char *marker(const wy_group *group, char *text, size_t size) {
    snprintf(text, size, "withy.%s", group->where);
    return text;
}

void wy_copy_table(lua_State *lua, int index) {
    index = lua_absindex(lua, index);
    lua_newtable(lua);
    lua_pushnil(lua);
    while (lua_next(lua, index)) {
        wy_sandbox_charge(lua, 1);
        lua_pushvalue(lua, -2);
        lua_insert(lua, -2);
        lua_rawset(lua, -4);
    }
    if (lua_getmetatable(lua, index)) lua_setmetatable(lua, -2);
}

/* Is the value that of the constructor's main key: curve(f), curvature { 0, 1, 0 }? */
static int is_bare(lua_State *lua, const wy_group *group) {
    if (!group->bare) return 0;
    if (lua_type(lua, 1) == LUA_TFUNCTION) return 1;
    return lua_type(lua, 1) == LUA_TTABLE && lua_rawlen(lua, 1) > 0;
}

/* clamped { ... }: a marked copy of its table, so that two uses of one table stay apart. */
static int construct(lua_State *lua) {
    char text[WITHY_NAME];
    const wy_group *group = lua_touserdata(lua, lua_upvalueindex(1));
    if (lua_gettop(lua) > 1)
        return luaL_error(lua, "%s takes one table: %s { ... }", group->where, group->where);
    if (is_bare(lua, group)) {
        lua_newtable(lua);
        lua_pushvalue(lua, 1);
        lua_setfield(lua, -2, group->bare);
    } else if (lua_type(lua, 1) == LUA_TTABLE) {
        wy_copy_table(lua, 1);
    } else if (lua_isnoneornil(lua, 1)) {
        lua_newtable(lua);
    } else {
        return luaL_error(lua, "%s takes a table: %s { ... }", group->where, group->where);
    }
    mark(lua, marker(group, text, sizeof text));
    return 1;
}

static void open_constructor(lua_State *lua, const wy_group *group) {
    char text[WITHY_NAME];
    luaL_newmetatable(lua, marker(group, text, sizeof text));
    lua_pop(lua, 1);
    lua_pushlightuserdata(lua, (void *)(uintptr_t)group);
    lua_pushcclosure(lua, construct, 1);
    lua_setglobal(lua, group->where);
}

const char *wy_constructed_by(lua_State *lua, int index) {
    const char *name = NULL;
    if (lua_type(lua, index) != LUA_TTABLE) return NULL;
    if (luaL_getmetafield(lua, index, "__name") == LUA_TNIL) return NULL;
    name = lua_tostring(lua, -1); /* kept in the registry */
    lua_pop(lua, 1);
    return name + strlen("withy.");
}

const char *wy_constructor_itself(lua_State *lua, int index) {
    if (lua_tocfunction(lua, index) != construct) return NULL;
    lua_getupvalue(lua, index, 1);
    const wy_group *group = lua_touserdata(lua, -1);
    lua_pop(lua, 1);
    return group->where;
}

void wy_construct_empty(lua_State *lua, const wy_group *group) {
    char text[WITHY_NAME];
    lua_newtable(lua);
    mark(lua, marker(group, text, sizeof text));
}

/* ---- all together ----------------------------------------------------------------------------- */

/* A name that nothing defines would be nil, and a key of that value left out without a word. */
static int undefined(lua_State *lua) {
    const char *name = lua_type(lua, 2) == LUA_TSTRING ? lua_tostring(lua, 2) : "?";
    return luaL_error(lua, "attempt to use a nil value (global '%s')", name);
}

static void refuse_undefined(lua_State *lua) {
    lua_pushglobaltable(lua);
    lua_createtable(lua, 0, 1);
    lua_pushcfunction(lua, undefined);
    lua_setfield(lua, -2, "__index");
    lua_setmetatable(lua, -2);
    lua_pop(lua, 1);
}

void wy_library_open(lua_State *lua) {
    open_one(lua, "_G", luaopen_base, keep_base);
    open_one(lua, "math", luaopen_math, keep_math);
    open_one(lua, "string", luaopen_string, keep_string);
    for (int i = 0; keep_string[i]; i++)
        wrap(lua, keep_string[i], strcmp(keep_string[i], "rep") == 0 ? bounded_rep : charged);
    open_one(lua, "table", luaopen_table, keep_table);
    for (int i = 0; keep_table[i]; i++) wrap(lua, keep_table[i], charged);
    lua_pushcfunction(lua, sort);
    lua_setfield(lua, -2, "sort");
    lua_settop(lua, 0);
    const wy_group *group;
    for (int i = 0; (group = wy_group_at(i)) != NULL; i++)
        if (group->family) open_constructor(lua, group);
    wy_signals_open(lua);
    refuse_undefined(lua);
}

int wy_lua_line(const char *message) {
    int line = 0;
    (void)sscanf(message, WY_CHUNK ":%d:", &line); /* else 0 */
    return line;
}

const char *wy_without_place(const char *message) {
    if (strncmp(message, WY_CHUNK ":", strlen(WY_CHUNK ":")) != 0 &&
        strncmp(message, WY_SET_CHUNK ":", strlen(WY_SET_CHUNK ":")) != 0)
        return message;
    const char *rest = strstr(message, ": ");
    return rest ? rest + 2 : message;
}

int wy_library_has_math(const char *name) {
    return is_in(keep_math, name);
}

const char *wy_library_advice(const char *message, char *text, size_t size) {
    static const char *const left_out[] = {"find", "gmatch", "gsub", "match",
                                           "pack", "unpack", "dump", NULL};
    char name[WITHY_NAME];
    const char *method = strstr(message, "(method '"), *global = strstr(message, "(global '");
    const int missing = strncmp(message, "attempt to call a nil value", 27) == 0 ||
                        strncmp(message, "attempt to index a nil value", 28) == 0 ||
                        strncmp(message, "attempt to use a nil value", 26) == 0;
    if (!missing) return "";
    if (!method) method = strstr(message, "(field '");
    if (method && sscanf(method, "(%*s '%63[^']')", name) == 1 && is_in(left_out, name))
        return "; string has only byte, char, format, len, lower, rep, reverse, sub and upper here";
    if (!global || sscanf(global, "(global '%63[^']')", name) != 1) return "";
    const char *closest = wy_constructor_closest(name);
    if (closest) return wy_did_you_mean(closest, text, size);
    return "; nothing of this name is defined above, and a scene has only math, string, table and "
           "the constructors";
}
