/* signal_sum.c - what a scene may do with a signal: call it, add to it, scale it, shift it in time.
 *
 *     local push = signal { { 0, 0 }, { 1, 5 } }
 *     push(0.5)           push + 1           2 * push           push - other           push:shift(0.2)
 *
 * A sum of signals has the rows of both: straight between them, it is exact.
 */
#include "scene/lua.h"

enum { ROW = 1 + WITHY_FIELD_MAX }; /* t and the values */

/* Row i, flat or { t, { x, y } }; returns how many values it has.  A row of anything else is an error of the scene. */
static int get_row(lua_State *lua, int index, lua_Integer i, double row[ROW]) {
    lua_rawgeti(lua, index, i);
    const int at = lua_gettop(lua);
    int count = lua_type(lua, at) == LUA_TTABLE ? wy_read_numbers(lua, at, row, ROW) : 0;
    if (count < 2 && lua_type(lua, at) == LUA_TTABLE && lua_rawlen(lua, at) == 2) {
        const int timed = lua_rawgeti(lua, at, 1) == LUA_TNUMBER;
        row[0] = lua_tonumber(lua, -1);
        lua_rawgeti(lua, at, 2);
        count = timed && lua_type(lua, -1) == LUA_TTABLE
                    ? 1 + wy_read_numbers(lua, -1, row + 1, ROW - 1)
                    : 0;
    }
    lua_settop(lua, at - 1);
    if (count < 2 || count > ROW || !isfinite(row[0]))
        luaL_error(lua, "row %d of a signal must be { t, value, ... }", (int)i);
    return count - 1;
}

static int width_of(lua_State *lua, int index) {
    double row[ROW];
    return get_row(lua, index, 1, row);
}

/* Straight between two rows, constant before and after; at row *from or later. */
static void value_at(lua_State *lua, int index, double t, lua_Integer *from, double out[ROW]) {
    double next[ROW];
    const lua_Integer count = (lua_Integer)lua_rawlen(lua, index);
    const int n = get_row(lua, index, *from, out);
    while (*from < count) {
        if (get_row(lua, index, *from + 1, next) != n)
            luaL_error(lua, "rows of a signal have different lengths");
        if (next[0] > t) break;
        memcpy(out, next, sizeof next), ++*from;
    }
    wy_sandbox_charge(lua, n);
    if (*from == count || t <= out[0] || !(next[0] > out[0])) return;
    const double u = (t - out[0]) / (next[0] - out[0]);
    for (int c = 1; c <= n; c++) out[c] += u * (next[c] - out[c]);
}

static void push_row(lua_State *lua, lua_Integer i, double t, const double *value, int n) {
    wy_sandbox_charge(lua, 1 + n);
    lua_createtable(lua, 1 + n, 0);
    lua_pushnumber(lua, t), lua_rawseti(lua, -2, 1);
    for (int c = 0; c < n; c++) lua_pushnumber(lua, value[c]), lua_rawseti(lua, -2, c + 2);
    lua_rawseti(lua, -2, i);
}

static int call(lua_State *lua) {
    double row[ROW];
    lua_Integer from = 1;
    const double t = luaL_checknumber(lua, 2);
    const lua_Integer count = (lua_Integer)lua_rawlen(lua, 1);
    wy_sandbox_charge(lua, count);
    value_at(lua, 1, t, &from, row);
    const int n = width_of(lua, 1);
    for (int c = 1; c <= n; c++) lua_pushnumber(lua, row[c]);
    return n;
}

static int is_signal(lua_State *lua, int index) {
    const char *made = wy_constructed_by(lua, index);
    return made && strcmp(made, "signal") == 0;
}

/* value <- a value + b, of every row, moved by `later`; a new signal on the stack. */
static int changed(lua_State *lua, int index, double a, const double *b, double later) {
    double row[ROW];
    const lua_Integer count = (lua_Integer)lua_rawlen(lua, index);
    lua_createtable(lua, (int)count, 0);
    for (lua_Integer i = 1; i <= count; i++) {
        const int n = get_row(lua, index, i, row);
        for (int c = 1; c <= n; c++) row[c] = a * row[c] + (b ? b[c - 1] : 0);
        push_row(lua, i, row[0] + later, row + 1, n);
    }
    luaL_setmetatable(lua, "withy.signal");
    return 1;
}

/* The rows of both, in the order of time: first + sign second. */
static int combined(lua_State *lua, double sign) {
    const lua_Integer count[2] = {(lua_Integer)lua_rawlen(lua, 1), (lua_Integer)lua_rawlen(lua, 2)};
    const int n = width_of(lua, 1);
    lua_Integer at[2] = {1, 1}, from[2] = {1, 1}, rows = 0;
    if (width_of(lua, 2) != n)
        return luaL_error(lua, "signals of %d and %d values cannot be added", n, width_of(lua, 2));
    lua_newtable(lua);
    while (at[0] <= count[0] || at[1] <= count[1]) {
        double time[2], row[2][ROW];
        for (int k = 0; k < 2; k++) {
            time[k] = INFINITY;
            if (at[k] <= count[k]) get_row(lua, k + 1, at[k], row[k]), time[k] = row[k][0];
        }
        const double t = fmin(time[0], time[1]);
        for (int k = 0; k < 2; k++)
            at[k] += time[k] <= t, value_at(lua, k + 1, t, &from[k], row[k]);
        for (int c = 1; c <= n; c++) row[0][c] += sign * row[1][c];
        push_row(lua, ++rows, t, row[0] + 1, n);
    }
    luaL_setmetatable(lua, "withy.signal");
    return 1;
}

/* A number, or as many as the signal has. */
static void get_constant(lua_State *lua, int index, int n, double b[ROW]) {
    double all[ROW];
    int count = 1;
    if (lua_type(lua, index) == LUA_TNUMBER)
        all[0] = lua_tonumber(lua, index);
    else
        count = lua_type(lua, index) == LUA_TTABLE ? wy_read_numbers(lua, index, all, ROW) : 0;
    if (count != n)
        luaL_error(lua, "to a signal of %d value%s %s is added, or another signal", n,
                   n > 1 ? "s" : "", n > 1 ? "a list of as many numbers" : "a number");
    memcpy(b, all, (size_t)n * sizeof *b);
}

static int sum_of(lua_State *lua, double sign) {
    const int first = is_signal(lua, 1), second = is_signal(lua, 2), at = first ? 1 : 2;
    double b[ROW];
    if (first && second) return combined(lua, sign);
    const int n = width_of(lua, at);
    get_constant(lua, 3 - at, n, b);
    for (int c = 0; c < n && first; c++) b[c] *= sign;
    return changed(lua, at, first ? 1 : sign, b, 0);
}

static int add(lua_State *lua) {
    return sum_of(lua, 1);
}
static int subtract(lua_State *lua) {
    return sum_of(lua, -1);
}
static int scale(lua_State *lua) {
    const int at = is_signal(lua, 1) ? 1 : 2;
    return changed(lua, at, luaL_checknumber(lua, 3 - at), NULL, 0);
}
static int divide(lua_State *lua) {
    const double by = luaL_checknumber(lua, 2);
    if (!is_signal(lua, 1) || by == 0)
        return luaL_error(lua, "a signal can be divided by a number that is not 0");
    return changed(lua, 1, 1 / by, NULL, 0);
}
static int negate(lua_State *lua) {
    return changed(lua, 1, -1, NULL, 0);
}
static int shift(lua_State *lua) {
    if (!is_signal(lua, 1)) return luaL_error(lua, "shift is called as motion:shift(seconds)");
    return changed(lua, 1, 1, NULL, luaL_checknumber(lua, 2));
}

void wy_signal_sum_open(lua_State *lua) {
    static const luaL_Reg event[] = {{"__call", call}, {"__add", add},    {"__sub", subtract},
                                     {"__mul", scale}, {"__div", divide}, {"__unm", negate},
                                     {NULL, NULL}};
    luaL_setfuncs(lua, event, 0);
    lua_newtable(lua);
    lua_pushcfunction(lua, shift);
    lua_setfield(lua, -2, "shift");
    lua_setfield(lua, -2, "__index");
}
