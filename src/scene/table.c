/* table.c - numbers from a file beside the scene: `local m = table "measured.csv"`.
 *
 * The file is opened here, not by Lua, and only in the folder of the scene: a plain name, no link, a regular
 * file.  m[i] is row i, a list of numbers, so that signal(m) takes it; m.force is the column of that name.
 * The library `table` (table.insert, ...) stays what it is; it can be called, that is all.
 */
#include "scene/lua.h"

#ifdef WITHY_HAVE_LIB_LUA

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/block.h"
#include "base/columns.h"

enum { MOST_BYTES = 64 << 20, MOST_NUMBERS = 1000000 };

/* Fail in Lua with a sentence that has its place already, or gets that of the running line. */
static int fail(lua_State *lua, const char *name, const char *why) {
    return luaL_error(lua, "table \"%s\": %s", name, why);
}

static int is_plain(const char *name) {
    return name[0] && name[0] != '.' && strlen(name) < 200 && !strpbrk(name, "/\\");
}

/* FOLDER of the scene / NAME. */
static void path_of(const withy_scene *scene, const char *name, char *path, size_t size) {
    const char *slash = strrchr(scene->name, '/');
    const int folder = slash ? (int)(slash - scene->name) + 1 : 0;
    snprintf(path, size, "%.*s%s", folder, scene->name, name);
}

/* All of a regular file, from the arena; NULL and a reason. */
static char *read_file(wy_arena *arena, const char *path, size_t *size, const char **why) {
    struct stat about;
    const int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    char *text = NULL;
    *why = NULL, *size = 0;
    if (file < 0) {
        *why = errno == ELOOP ? "is a link; put the file itself beside the scene" : strerror(errno);
        return NULL;
    }
    if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode))
        *why = "is not a regular file";
    else if (about.st_size > MOST_BYTES)
        *why = "is longer than 64 MiB; keep every tenth row, say";
    else
        text = wy_arena_take(arena, (size_t)about.st_size + 1, 1);
    for (ssize_t got = 1; text && got > 0 && *size < (size_t)about.st_size;) {
        got = read(file, text + *size, (size_t)about.st_size - *size);
        if (got < 0) *why = strerror(errno);
        if (got > 0) *size += (size_t)got;
    }
    close(file);
    if (!text && !*why) *why = "no memory for it";
    return *why ? NULL : text;
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
        lua_pushfstring(lua,
                        "%s: columns %d and %d both have the name %s (what is in [] or () is a "
                        "unit); take a number by its row and column, as in m[1][%d], or change one "
                        "of the names",
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
    const char *before = scene->tables ? scene->tables : "";
    const size_t room = strlen(before) + strlen(name) + 64;
    char *all = wy_arena_take(&scene->arena, room, 1);
    if (!all) return 0;
    snprintf(all, room, "%s\n-- table \"%s\": %016llx", before, name,
             (unsigned long long)wy_hash(text, size, 0));
    scene->tables = all;
    return 1;
}

static int make_table(lua_State *lua) {
    char path[4096];
    const char *why;
    size_t size;
    withy_error err = {0};
    wy_columns columns;
    withy_scene *scene = lua_touserdata(lua, lua_upvalueindex(1));
    if (lua_gettop(lua) != 2 || lua_type(lua, 2) != LUA_TSTRING)
        return luaL_error(lua, "table takes the name of a file: table \"measured.csv\"");
    const char *name = lua_tostring(lua, 2);
    if (strlen(name) != lua_rawlen(lua, 2) || !is_plain(name))
        return fail(lua, name, "must be the plain name of a file beside the scene");
    if (!scene->beside) return fail(lua, name, "lies beside a scene, and this scene is not a file");
    if (!scene->box.reading) return fail(lua, name, "is read once, outside functions of t and s");
    path_of(scene, name, path, sizeof path);
    const char *text = read_file(&scene->arena, path, &size, &why);
    if (!text) return fail(lua, name, why);
    if (wy_columns_read(text, size, name, &scene->arena, &columns, &err) != WITHY_OK)
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
#endif
