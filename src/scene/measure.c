/* measure.c - the length of a rod whose table gives none: that of its shape, if it has one of its own.
 * It is needed before anything else of the rod is read, so the shape is looked for ahead of its turn. */
#include "scene/lua.h"

double wy_helix_length(const wy_shape_draft *draft) {
    return hypot(2 * WY_PI * draft->shape.radius * draft->turns, draft->height);
}

/* Of a number in the table on top of the stack. */
static double number_of(wy_reader *r, const char *key) {
    const int number = lua_getfield(r->lua, -1, key) == LUA_TNUMBER;
    const double x = number ? lua_tonumber(r->lua, -1) : NAN;
    lua_pop(r->lua, 1);
    return x;
}

/* Of the shape on top of the stack. */
static withy_status measure_shape(wy_reader *r, double *length) {
    const char *name = wy_constructed_by(r->lua, -1);
    if (name && strcmp(name, "catenary") == 0) {
        const double given = number_of(r, "length");
        if (!isnan(given)) *length = given;
    } else if (name && strcmp(name, "helix") == 0) {
        const wy_shape_draft draft = {.shape = {.radius = number_of(r, "radius")},
                                      .turns = number_of(r, "turns"),
                                      .height = number_of(r, "height")};
        const double found = wy_helix_length(&draft);
        if (isfinite(found)) *length = found;
    } else if (name && strcmp(name, "through") == 0) {
        wy_shape_draft draft = {.shape = {.kind = WITHY_SHAPE_THROUGH}};
        withy_error own = {0};
        WY_TRY(wy_read_group(r, name, &draft));
        if (withy_shape_length(&draft.shape, length, &own) != WITHY_OK)
            return wy_complain(r, NULL, "%s: %s", r->path, own.text);
    }
    return WITHY_OK;
}

/* Of the shape under this key of the table at index, or of the `shape` in the table there. */
static withy_status look_under(wy_reader *r, int index, const char *key, double *length) {
    lua_State *lua = r->lua;
    const size_t old = wy_enter(r, key);
    const int top = lua_gettop(lua);
    withy_status status = WITHY_OK;
    lua_pushvalue(lua, index);
    lua_pushstring(lua, key);
    if (lua_rawget(lua, -2) == LUA_TTABLE) {
        const char *name = wy_constructed_by(lua, -1);
        if (!name || strcmp(name, "static") == 0) {
            wy_enter(r, "shape");
            lua_pushstring(lua, "shape");
            lua_rawget(lua, -2);
        }
        if (lua_type(lua, -1) == LUA_TTABLE) status = measure_shape(r, length);
    }
    lua_settop(lua, top);
    if (status == WITHY_OK) wy_leave(r, old);
    return status;
}

withy_status wy_measure_rod(wy_reader *r, double *length) {
    char path[WY_PATH];
    *length = 0;
    WY_TRY(look_under(r, -1, "rest", length));
    if (!(*length > 0)) WY_TRY(look_under(r, -1, "initial", length));
    if (*length > 0 || strcmp(r->path, "rod") != 0) return WITHY_OK;
    memcpy(path, r->path, sizeof path);
    r->path[0] = '\0'; /* initial stands next to the rod, in the scene below it */
    WY_TRY(look_under(r, -2, "initial", length));
    memcpy(r->path, path, sizeof path);
    return WITHY_OK;
}
