/* host.c - functions of the calling program: host(index, ...) in a scene.
 *
 * A program that writes its scene as text can give functions of its own, say of another language, where the
 * scene has functions of s and t: function(s, t) return host(3, s, t) end.
 */
#include "scene/lua.h"

/* The numbers of a call so far. */
typedef struct numbers {
    double value[WITHY_HOST_MOST];
    int count;
} numbers;

static void add(lua_State *lua, numbers *in, double value) {
    if (in->count == WITHY_HOST_MOST)
        luaL_error(lua, "host takes at most %d numbers", WITHY_HOST_MOST);
    in->value[in->count++] = value;
}

/* The three numbers of the table on top, which is removed. */
static void add_vector(lua_State *lua, numbers *in) {
    if (!lua_istable(lua, -1)) luaL_error(lua, "host takes numbers, or numbers and then the state");
    for (int i = 1; i <= 3; i++) {
        lua_rawgeti(lua, -1, i);
        add(lua, in, lua_tonumber(lua, -1));
        lua_pop(lua, 1);
    }
    lua_pop(lua, 1);
}

static void add_state(lua_State *lua, int index, numbers *in) {
    static const char *const name[] = {"position", "velocity", "spin"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        lua_getfield(lua, index, name[i]);
        add_vector(lua, in);
    }
    lua_getfield(lua, index, "frame");
    if (!lua_istable(lua, -1)) luaL_error(lua, "host takes numbers, or numbers and then the state");
    for (int i = 1; i <= 3; i++) {
        lua_rawgeti(lua, -1, i);
        add_vector(lua, in);
    }
    lua_pop(lua, 1);
}

static int call_host(lua_State *lua) {
    const withy_scene *scene = lua_touserdata(lua, lua_upvalueindex(1));
    const int index = (int)luaL_checkinteger(lua, 1), count = lua_gettop(lua);
    numbers in = {.count = 0};
    double out[WITHY_FIELD_MAX];
    int got = 0;
    withy_error err = {0};
    for (int i = 2; i <= count; i++) {
        if (lua_istable(lua, i))
            add_state(lua, i, &in);
        else
            add(lua, &in, luaL_checknumber(lua, i));
    }
    if (scene->host.call(scene->host.context, index, in.value, in.count, out, &got, &err) !=
        WITHY_OK)
        return luaL_error(lua, "%s", err.text);
    if (got < 0 || got > WITHY_FIELD_MAX)
        return luaL_error(lua, "a function of the host returned %d numbers", got);
    for (int i = 0; i < got; i++) lua_pushnumber(lua, out[i]);
    return got;
}

void wy_host_open(wy_reader *r) {
    if (!r->scene->host.call) return;
    lua_pushlightuserdata(r->lua, r->scene);
    lua_pushcclosure(r->lua, call_host, 1);
    lua_setglobal(r->lua, "host");
}
