/* signal.c - what a scene may give in place of a function of t: input "name", or a table of values.
 *
 *     tension = input "motor"        force = { 0, 0, input { "push", value = 2 } }
 *     force   = signal { { 0, 0, 0, 0 }, { 1, 0, 0, -3 } }
 */
#include "scene/lua.h"

static const char INPUT[] = "withy.input",
                  SIGNAL[] = "withy.signal"; /* as constructors are marked */

/* input "u" or input { "u", value = 0 }: { name, value }. */
static int make_input(lua_State *lua) {
    static const char usage[] = "input takes a name: input \"u\" or input { \"u\", value = 0 }";
    double value = 0;
    if (lua_gettop(lua) != 1) return luaL_error(lua, usage);
    if (lua_type(lua, 1) == LUA_TTABLE) {
        if (lua_getfield(lua, 1, "value") != LUA_TNIL && lua_type(lua, -1) != LUA_TNUMBER)
            return luaL_error(lua, "the value of an input is a number, its first one");
        value = lua_tonumber(lua, -1); /* 0 for nil */
        for (lua_pushnil(lua); lua_next(lua, 1); lua_pop(lua, 1)) {
            const int name = lua_type(lua, -2) == LUA_TNUMBER && lua_tonumber(lua, -2) == 1;
            const int known = lua_type(lua, -2) == LUA_TSTRING && !wy_is_cut(lua, -2) &&
                              strcmp(lua_tostring(lua, -2), "value") == 0;
            if (!name && !known) return luaL_error(lua, usage);
        }
        lua_rawgeti(lua, 1, 1);
        lua_replace(lua, 1);
    }
    if (lua_type(lua, 1) != LUA_TSTRING || lua_rawlen(lua, 1) == 0 ||
        lua_rawlen(lua, 1) >= WITHY_NAME || wy_is_cut(lua, 1))
        return luaL_error(lua, usage);
    lua_newtable(lua);
    lua_pushvalue(lua, 1);
    lua_rawseti(lua, -2, 1);
    lua_pushnumber(lua, value);
    lua_rawseti(lua, -2, 2);
    luaL_setmetatable(lua, INPUT);
    return 1;
}

static int make_signal(lua_State *lua) {
    if (lua_gettop(lua) != 1 || lua_type(lua, 1) != LUA_TTABLE || lua_rawlen(lua, 1) == 0)
        return luaL_error(lua, "signal takes rows: signal { { t, value }, { t, value }, ... }");
    wy_copy_table(lua, 1);
    luaL_setmetatable(lua, SIGNAL);
    return 1;
}

void wy_signals_open(lua_State *lua) {
    luaL_newmetatable(lua, INPUT);
    luaL_newmetatable(lua, SIGNAL);
    wy_signal_sum_open(lua);
    lua_pop(lua, 2);
    lua_pushcfunction(lua, make_input);
    lua_setglobal(lua, "input");
    lua_pushcfunction(lua, make_signal);
    lua_setglobal(lua, "signal");
}

/* ---- reading ------------------------------------------------------------------------------------ */

static int made_by(lua_State *lua, int index, const char *name) {
    const char *made = wy_constructed_by(lua, index);
    return made && strcmp(made, name + strlen("withy.")) == 0;
}

/* A signal and a function give all components of a vector, and are none of one. */
static int is_whole(lua_State *lua, int index) {
    return made_by(lua, index, SIGNAL) || lua_type(lua, index) == LUA_TFUNCTION;
}

int wy_is_signal(lua_State *lua, int index) {
    index = lua_absindex(lua, index);
    if (made_by(lua, index, INPUT) || made_by(lua, index, SIGNAL)) return 1;
    int any = 0;
    if (lua_type(lua, index) != LUA_TTABLE || wy_constructed_by(lua, index)) return 0;
    for (int i = 1; i <= WITHY_FIELD_MAX; i++) {
        lua_rawgeti(lua, index, i);
        any |= made_by(lua, -1, INPUT) || is_whole(lua, -1);
        lua_pop(lua, 1);
    }
    return any;
}

/* A number or an input, on top of the stack, as component i. */
static withy_status read_component(wy_reader *r, withy_field *field, int i) {
    if (lua_type(r->lua, -1) == LUA_TNUMBER) {
        field->value[i] = lua_tonumber(r->lua, -1);
        return WITHY_OK;
    }
    if (!made_by(r->lua, -1, INPUT))
        return wy_complain(r, NULL, "%s: number %d must be a number or an input", r->path, i + 1);
    lua_rawgeti(r->lua, -1, 1);
    lua_rawgeti(r->lua, -2, 2);
    field->input[i] = wy_arena_text(&r->scene->arena, lua_tostring(r->lua, -2));
    field->value[i] = lua_tonumber(r->lua, -1);
    lua_pop(r->lua, 2);
    return field->input[i] ? WITHY_OK : wy_no_memory(r->err, "no memory for the scene");
}

/* force = { 0, 0, signal { ... } }: what to write instead. */
static withy_status check_whole(wy_reader *r, const wy_key *key) {
    const int list = lua_type(r->lua, -1) == LUA_TTABLE && !wy_constructed_by(r->lua, -1);
    for (int i = 1; list && i <= WITHY_FIELD_MAX; i++) {
        lua_rawgeti(r->lua, -1, i);
        const int whole = is_whole(r->lua, -1), is_signal = made_by(r->lua, -1, SIGNAL);
        lua_pop(r->lua, 1);
        if (whole)
            return wy_complain(r, NULL, "%s: number %d is a %s; one %s gives all %d numbers: %s",
                               r->path, i, is_signal ? "signal" : "function",
                               is_signal ? "signal" : "function", key->size,
                               is_signal ? "signal { { t, x, y, ... }, ... }"
                                         : "function(t) return x, y, ... end");
    }
    return WITHY_OK;
}

static withy_status read_inputs(wy_reader *r, const wy_key *key, withy_field *field) {
    const int alone = made_by(r->lua, -1, INPUT);
    const int count = alone ? 1 : (int)lua_rawlen(r->lua, -1);
    if (count != key->size)
        return wy_reject(r, "has %d number%s; it must have %d, each a number or an input", count,
                         count == 1 ? "" : "s", key->size);
    field->size = count;
    for (int i = 0; i < count && !alone; i++) {
        lua_rawgeti(r->lua, -1, i + 1);
        WY_TRY(read_component(r, field, i));
        lua_pop(r->lua, 1);
    }
    if (alone) WY_TRY(read_component(r, field, 0));
    return wy_check_range(r, key, field->value, count);
}

/* { t, x, y, z } or { t, { x, y, z } }, on top of the stack. */
static int read_row(lua_State *lua, int size, double *row) {
    const int flat = wy_read_numbers(lua, -1, row, 1 + size);
    if (flat == 1 + size && lua_type(lua, -1) == LUA_TTABLE) return 1;
    if (lua_type(lua, -1) != LUA_TTABLE || lua_rawlen(lua, -1) != 2) return 0;
    int fine = lua_rawgeti(lua, -1, 1) == LUA_TNUMBER;
    row[0] = lua_tonumber(lua, -1);
    lua_rawgeti(lua, -2, 2);
    fine &= wy_read_numbers(lua, -1, row + 1, size) == size;
    lua_pop(lua, 2);
    return fine;
}

static withy_status read_rows(wy_reader *r, const wy_key *key, withy_field *field) {
    const size_t rows = lua_rawlen(r->lua, -1), width = 1 + (size_t)key->size;
    double *table = wy_arena_alloc(&r->scene->arena, rows * width, sizeof *table);
    if (!table) return wy_no_memory(r->err, "no memory for the scene");
    for (size_t i = 0; i < rows; i++) {
        double *row = table + i * width;
        wy_sandbox_charge(r->lua, 1 + (int64_t)width);
        lua_rawgeti(r->lua, -1, (lua_Integer)i + 1);
        const int fine = read_row(r->lua, key->size, row);
        lua_pop(r->lua, 1);
        if (!fine)
            return wy_complain(r, NULL, "%s: row %zu of the signal must be { t, %s }", r->path,
                               i + 1, key->size == 1 ? "value" : "{ x, y, ... }");
        if (i > 0 && !(row[0] > row[-(ptrdiff_t)width]))
            return wy_complain(
                r, NULL,
                "%s: row %zu of the signal is at t = %g, not after t = %g; times must increase",
                r->path, i + 1, row[0], row[-(ptrdiff_t)width]);
        WY_TRY(wy_check_range(r, key, row + 1, key->size));
    }
    *field = withy_field_table(key->size, (int)rows, table);
    return WITHY_OK;
}

withy_status wy_read_signal(wy_reader *r, const wy_key *key, withy_field *to) {
    withy_field field = {0};
    WY_TRY(check_whole(r, key));
    if (key->arguments != 't' && key->arguments != 'b')
        return wy_reject(r, "is not a function of t, so it cannot be a signal or an input");
    if (key->kind == WY_KEY_UNIT)
        return wy_reject(r, "must have length 1 at all times: give a function of t");
    WY_TRY(made_by(r->lua, -1, SIGNAL) ? read_rows(r, key, &field) : read_inputs(r, key, &field));
    *to = field;
    return WITHY_OK;
}
