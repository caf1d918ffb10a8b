/* table.c - numbers from a file in the folder of the scene: `local m = table "measured.csv"`.
 *
 * The file lies in the folder of the scene (scene_file.c).  m[i] is row i, a list of numbers, so that signal(m) takes it; m.force is the column of that name.
 * The library `table` (table.insert, ...) stays what it is; it can be called, that is all.
 */
#include "scene/lua.h"

#include "base/block.h"
#include "base/columns.h"

enum { MOST_BYTES = 64 << 20, MOST_NUMBERS = 1000000 };

/* Fail in Lua with a message that has its place already, or gets that of the running line. */
static int fail(lua_State *lua, const char *name, const char *why) {
    return luaL_error(lua, "table \"%s\": %s", name, why);
}

static int is_plain(const char *name) {
    return name[0] && name[0] != '.' && strlen(name) < 200 && !strpbrk(name, "/\\");
}

/* ---- two columns of one name --------------------------------------------------------------------- */

/* The first other column that has the name of column k; -1: there is none. */
static int other_of_name(const wy_columns *c, int k) {
    for (int i = 0; i < c->columns; i++)
        if (i != k && strcmp(c->name[i], c->name[k]) == 0) return i;
    return -1;
}

/* m.NAME would be one or the other. */
static int refuse_name(lua_State *lua) {
    lua_pushvalue(lua, 2);
    if (lua_rawget(lua, lua_upvalueindex(1)) != LUA_TSTRING) return 1; /* nil, as of any table */
    return luaL_error(lua, "%s", lua_tostring(lua, -1));
}

/* The table on top of the stack refuses these names; by number all its columns can be read. */
static void guard_names(lua_State *lua, const wy_columns *c, const char *file) {
    lua_createtable(lua, 0, 1);
    lua_newtable(lua); /* name: what is wrong with it */
    for (int k = 0; c->name && k < c->columns; k++) {
        const int other = c->name[k][0] ? other_of_name(c, k) : -1;
        if (other < k) continue; /* told at the first of them */
        lua_pushfstring(
            lua,
            "%s: columns %d and %d both have the name %s (what is in [] or () is a unit); take a "
            "number by its row and column, as in m[1][%d], or change one of the names",
            file, k + 1, other + 1, c->name[k], other + 1);
        lua_setfield(lua, -2, c->name[k]);
    }
    lua_pushcclosure(lua, refuse_name, 1);
    lua_setfield(lua, -2, "__index");
    lua_setmetatable(lua, -2);
}

/* ---- the table ----------------------------------------------------------------------------------- */

/* Push { { row }, ..., name = { column } }. */
static void push_table(lua_State *lua, const wy_columns *c) {
    lua_createtable(lua, c->rows, c->name ? c->columns : 0);
    for (int i = 0; i < c->rows; i++) {
        wy_sandbox_charge(lua, 1 + c->columns);
        lua_createtable(lua, c->columns, 0);
        for (int k = 0; k < c->columns; k++) {
            lua_pushnumber(lua, c->value[(size_t)i * (size_t)c->columns + (size_t)k]);
            lua_rawseti(lua, -2, k + 1);
        }
        lua_rawseti(lua, -2, i + 1);
    }
    for (int k = 0; c->name && k < c->columns; k++) {
        if (!c->name[k][0] || other_of_name(c, k) >= 0) continue;
        lua_createtable(lua, c->rows, 0);
        for (int i = 0; i < c->rows; i++) {
            lua_pushnumber(lua, c->value[(size_t)i * (size_t)c->columns + (size_t)k]);
            lua_rawseti(lua, -2, i + 1);
        }
        wy_sandbox_charge(lua, c->rows);
        lua_setfield(lua, -2, c->name[k]);
    }
}

/* The file is part of what is solved: its hash follows the text of the scene in results. */
static int remember(withy_scene *scene, const char *name, const char *text, size_t size) {
    const size_t used = scene->tables ? strlen(scene->tables) : 0, more = strlen(name) + 64;
    if (used + more > scene->tables_room) {
        const size_t room = 2 * (used + more);
        char *all = wy_arena_alloc(&scene->arena, room, 1);
        if (!all) return 0;
        if (used) memcpy(all, scene->tables, used);
        scene->tables = all, scene->tables_room = room;
    }
    snprintf(scene->tables + used, more, "\n-- table \"%s\": %016llx", name,
             (unsigned long long)wy_hash(text, size, 0));
    return 1;
}

static int make_table(lua_State *lua) {
    const char *why;
    size_t size = 0;
    withy_error err = {0};
    wy_columns columns;
    withy_scene *scene = lua_touserdata(lua, lua_upvalueindex(1));
    if (lua_gettop(lua) != 2 || lua_type(lua, 2) != LUA_TSTRING)
        return luaL_error(lua, "table takes the name of a file: table \"measured.csv\"");
    const char *name = lua_tostring(lua, 2);
    if (strlen(name) != lua_rawlen(lua, 2) || !is_plain(name))
        return fail(lua, name,
                    "must be the name of a file in the folder of the scene, without a path");
    if (!scene->box.reading) return fail(lua, name, "is read once, outside functions of t and s");
    const char *text = wy_scene_file_read(scene, name, MOST_BYTES, &size, &why);
    if (!text) return fail(lua, name, why ? why : "no memory for it");
    if (wy_columns_read(text, size, name, &scene->near, &columns, &err) != WITHY_OK)
        return luaL_error(lua, "%s", err.text);
    if (columns.rows * columns.columns > MOST_NUMBERS)
        return fail(lua, name, "has more than a million numbers; keep fewer rows or columns");
    if (!remember(scene, name, text, size)) return fail(lua, name, "no memory for it");
    push_table(lua, &columns);
    guard_names(lua, &columns, name);
    return 1;
}

void wy_tables_open(wy_reader *r) {
    lua_State *lua = r->lua;
    lua_getglobal(lua, "table");
    lua_createtable(lua, 0, 1);
    lua_pushlightuserdata(lua, r->scene);
    lua_pushcclosure(lua, make_table, 1);
    lua_setfield(lua, -2, "__call");
    lua_setmetatable(lua, -2);
    lua_pop(lua, 1);
}
