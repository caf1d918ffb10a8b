/* function.c - functions of s and t in a scene, kept in Lua and called while the problem is solved.
 *
 * A call passes numbers and takes numbers, so it takes no memory unless the function builds tables.
 * A function of three parameters where the schema allows it, function(s, t, state), also gets the
 * state of the section, in one table that is filled again for every call.
 */
#include "scene/lua.h"

#include <stdarg.h>

/* The context of a withy_field that calls Lua. */
typedef struct call {
    withy_scene *scene;
    const wy_key *key;
    const char *path;  /* "ends.start.tangent"                                           */
    const char *where; /* "file.lua:12: ", where the function begins                    */
    int line;          /* there; 0: not in the file                                      */
    int reference;     /* of the function in Lua's registry                              */
    int count;         /* numbers it returns                                             */
    int pick;          /* which of them belongs to this field; -1: all                        */
    double factor;     /* times this                                                     */
    int uses_state;    /* 1: it is called with s, t and the state                        */
    int has_time;      /* 1: of two parameters, s and t                                  */
} call;

/* One call: what the function gets. */
typedef struct given {
    double s, t;
    const withy_section_state *state; /* of a function that depends on it */
    withy_vec3 at;                    /* of a function of x, y, z   */
} given;

/* ---- failing ---------------------------------------------------------------------------------- */

static const char *arguments_text(const call *c, const given *what, char *text, size_t size) {
    const double s = what->s, t = what->t;
    if (c->key->kind == WY_KEY_DISTANCE)
        snprintf(text, size, "x = %.6g, y = %.6g, z = %.6g", what->at.x, what->at.y, what->at.z);
    else if (c->key->kind == WY_KEY_FLOW)
        snprintf(text, size, "x = %.6g, y = %.6g, z = %.6g, t = %.6g", what->at.x, what->at.y,
                 what->at.z, t);
    else if (c->key->arguments == 'b' || c->uses_state)
        snprintf(text, size, "s = %.10g, t = %.10g", s, t);
    else
        snprintf(text, size, "%c = %.10g", c->key->arguments, c->key->arguments == 's' ? s : t);
    return text;
}

/* The message of a function, with its path and line. */
static withy_status keep_raised(const call *c, int line, withy_error *err) {
    if (!err) return WITHY_BAD_INPUT;
    wy_scene_point(c->scene, c->path, err);
    err->line = line;
    c->scene->raised = *err;
    return WITHY_BAD_INPUT;
}

static withy_status raised(const call *c, int code, const given *what, withy_error *err) {
    char where[256], at[96], advice[128];
    lua_State *lua = c->scene->box.lua;
    const char *message = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : "it failed";
    int line = wy_lua_line(message);
    if (c->scene->box.interrupted)
        return wy_fail(err, WITHY_INTERRUPTED, "stopped on request at t = %g", what->t);
    snprintf(where, sizeof where, "%s", c->where);
    if (code == LUA_ERRMEM) {
        if (!c->scene->box.refused) return wy_no_memory(err, "no memory for the scene");
        message = "stopped, as it uses too much memory; is there an endless loop?";
        line = c->scene->box.line;
    }
    if (line > 0) snprintf(where, sizeof where, "%.200s:%d: ", c->scene->name, line);
    wy_bad_input(err, "%s%s at %s: %.400s%s", where, c->path,
                 arguments_text(c, what, at, sizeof at), wy_without_place(message),
                 wy_lua_advice(wy_without_place(message), advice, sizeof advice));
    return keep_raised(c, line > 0 ? line : c->line, err);
}

__attribute__((format(printf, 3, 5))) static withy_status
wrong_result(const call *c, const given *what, const char *format, withy_error *err, ...) {
    char text[256], at[96];
    va_list arguments;
    va_start(arguments, err);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    wy_bad_input(err, "%s%s at %s: %s", c->where, c->path, arguments_text(c, what, at, sizeof at),
                 text);
    return keep_raised(c, c->line, err);
}

static const char *requested_text(const wy_key *key, char *text, size_t size) {
    if (key->kind == WY_KEY_STRAIN)
        snprintf(text, size, "3 or 6 numbers");
    else if (key->kind == WY_KEY_SPREAD || key->kind == WY_KEY_ROTARY)
        snprintf(text, size, "1 or %d numbers", key->size);
    else
        snprintf(text, size, "%d number%s", key->size, key->size == 1 ? "" : "s");
    return text;
}

static int count_fits(const wy_key *key, int count) {
    if (count == key->size) return 1;
    if (key->kind == WY_KEY_STRAIN) return count == 3;
    return (key->kind == WY_KEY_SPREAD || key->kind == WY_KEY_ROTARY) && count == 1;
}

/* ---- calling ---------------------------------------------------------------------------------- */

/* Numbers above `base` on the stack, or in the one table there; -1: something else. */
static int take_results(lua_State *lua, int base, double *number, char *other, size_t size) {
    const int count = lua_gettop(lua) - base;
    if (count == 1 && lua_type(lua, -1) == LUA_TTABLE) {
        const int listed = wy_read_numbers(lua, -1, number, WITHY_FIELD_MAX);
        if (listed == 0) wy_value_text(lua, -1, other, size);
        return listed ? listed : -1;
    }
    for (int i = 0; i < count && i < WITHY_FIELD_MAX; i++) {
        if (lua_type(lua, base + 1 + i) != LUA_TNUMBER) {
            wy_value_text(lua, base + 1 + i, other, size);
            return -1;
        }
        number[i] = lua_tonumber(lua, base + 1 + i);
    }
    return count;
}

/* The key of the table with the state in Lua's registry: only its address is used. */
static const char STATE = 0;

/* { x, y, z } of the table on top, at name or at index; made if it is not there (the function may have
 * removed it). */
static void put_vector(lua_State *lua, const char *name, int index, withy_vec3 v) {
    const double x[3] = {v.x, v.y, v.z};
    const int type = name ? lua_getfield(lua, -1, name) : lua_rawgeti(lua, -1, index);
    if (type != LUA_TTABLE) {
        lua_pop(lua, 1);
        lua_createtable(lua, 3, 0);
        lua_pushvalue(lua, -1);
        if (name)
            lua_setfield(lua, -3, name);
        else
            lua_rawseti(lua, -3, index);
    }
    for (int i = 0; i < 3; i++) {
        lua_pushnumber(lua, x[i]);
        lua_rawseti(lua, -2, i + 1);
    }
    lua_pop(lua, 1);
}

static void push_state(lua_State *lua, const withy_section_state *state) {
    if (lua_rawgetp(lua, LUA_REGISTRYINDEX, &STATE) != LUA_TTABLE) {
        lua_pop(lua, 1);
        lua_createtable(lua, 0, 4);
        lua_pushvalue(lua, -1);
        lua_rawsetp(lua, LUA_REGISTRYINDEX, &STATE);
    }
    put_vector(lua, "position", 0, state->position);
    put_vector(lua, "velocity", 0, state->velocity);
    put_vector(lua, "spin", 0, state->spin);
    if (lua_getfield(lua, -1, "frame") != LUA_TTABLE) {
        lua_pop(lua, 1);
        lua_createtable(lua, 3, 0);
        lua_pushvalue(lua, -1);
        lua_setfield(lua, -3, "frame");
    }
    for (int i = 0; i < 3; i++) put_vector(lua, NULL, i + 1, state->frame[i]);
    lua_pop(lua, 1);
}

/* Called by Lua with (given, function), so that a lack of memory in here is one of the scene's. */
static int call_seeing(lua_State *lua) {
    const given *what = lua_touserdata(lua, 1);
    lua_pushnumber(lua, what->s);
    lua_pushnumber(lua, what->t);
    push_state(lua, what->state);
    lua_call(lua, 3, LUA_MULTRET);
    return lua_gettop(lua) - 1;
}

static int push_arguments(lua_State *lua, char arguments, double s, double t) {
    if (arguments != 't') lua_pushnumber(lua, s);
    if (arguments != 's') lua_pushnumber(lua, t);
    return arguments == 'b' ? 2 : 1;
}

/* The function and its arguments: how many. */
static int push_call(const call *c, given *what) {
    lua_State *lua = c->scene->box.lua;
    if (c->uses_state) {
        lua_pushcfunction(lua, call_seeing);
        lua_pushlightuserdata(lua, what);
        lua_rawgeti(lua, LUA_REGISTRYINDEX, c->reference);
        return 2;
    }
    lua_rawgeti(lua, LUA_REGISTRYINDEX, c->reference);
    const int flow = c->key->kind == WY_KEY_FLOW;
    if (c->key->kind != WY_KEY_DISTANCE && !flow)
        return push_arguments(lua, c->key->arguments, what->s, what->t);
    lua_pushnumber(lua, what->at.x);
    lua_pushnumber(lua, what->at.y);
    lua_pushnumber(lua, what->at.z);
    if (flow) lua_pushnumber(lua, what->t);
    return flow ? 4 : 3;
}

/* Call the function: how many numbers it returned. */
static withy_status evaluate(const call *c, given what, double *number, int *count,
                             withy_error *err) {
    lua_State *lua = c->scene->box.lua;
    const int base = lua_gettop(lua);
    char requested[32], other[160] = "";
    wy_sandbox *box = &c->scene->box;
    if (!box->reading) wy_sandbox_call(box, what.t);
    const int arguments = push_call(c, &what);
    const int code = lua_pcall(lua, arguments, LUA_MULTRET, 0);
    const int allowed = box->reading || wy_sandbox_called(box);
    withy_status status = WITHY_OK;
    if (code != LUA_OK) {
        status = raised(c, code, &what, err);
    } else if (!allowed) {
        status =
            wrong_result(c, &what,
                         "stopped, as the functions of the scene take too long, and a run calls "
                         "them at every step; compute what does not change outside of them",
                         err);
    } else {
        lua_checkstack(lua, 8);
        *count = take_results(lua, base, number, other, sizeof other);
        const int fits = c->count ? *count == c->count : count_fits(c->key, *count);
        requested_text(c->key, requested, sizeof requested);
        if (*count < 0)
            status = wrong_result(c, &what, "the function returned %s; it must return %s", err,
                                  other, requested);
        else if (!fits)
            status = wrong_result(c, &what, "the function returned %d number%s; it must return %s",
                                  err, *count, *count == 1 ? "" : "s", requested);
    }
    lua_settop(lua, base);
    return status;
}

/* Behind every field that is a function in the scene. */
static withy_status call_any(const call *c, given what, double *out, withy_error *err) {
    double number[WITHY_FIELD_MAX];
    int count = 0;
    WY_TRY(evaluate(c, what, number, &count, err));
    for (int i = 0; i < count; i++)
        if (!isfinite(number[i]))
            return wrong_result(c, &what, "the function returned %g; its numbers must be finite",
                                err, isnan(number[i]) ? (double)NAN : number[i]);
    if (c->pick >= 0)
        out[0] = c->factor * number[c->pick];
    else
        memcpy(out, number, (size_t)count * sizeof *out);
    return WITHY_OK;
}

static withy_status call_lua(void *context, double s, double t, double *out, withy_error *err) {
    return call_any(context, (given){.s = s, .t = t}, out, err);
}

static withy_status call_lua_state(void *context, double s, double t,
                                   const withy_section_state *state, double *out,
                                   withy_error *err) {
    return call_any(context, (given){.s = s, .t = t, .state = state}, out, err);
}

static withy_status distance_lua(void *context, withy_vec3 at, double *out, withy_error *err) {
    return call_any(context, (given){.at = at}, out, err);
}

static withy_status flow_lua(void *context, withy_vec3 at, double t, withy_vec3 *velocity,
                             withy_error *err) {
    double out[WITHY_FIELD_MAX] = {0};
    WY_TRY(call_any(context, (given){.at = at, .t = t}, out, err));
    *velocity = (withy_vec3){out[0], out[1], out[2]};
    return WITHY_OK;
}

/* ---- reading ---------------------------------------------------------------------------------- */

/* Try the function once, so that mistakes are reported before the run.  The state is not known yet: of
 * a function that depends on it, on a straight rod at rest, only the kind of its results is checked. */
static withy_status probe(wy_reader *r, call *c, double s) {
    const withy_section_state state = {.position = {0, 0, s},
                                       .frame = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    char range[128];
    double number[WITHY_FIELD_MAX], length;
    int count = 0;
    const given what = {.s = s, .state = &state};
    WY_TRY(evaluate(c, what, number, &count, r->err));
    c->count = count;
    if (c->uses_state) return WITHY_OK;
    for (int i = 0; i < count; i++) {
        const double x = number[i];
        const int low = c->key->open_min ? x > c->key->min : x >= c->key->min;
        if (!isfinite(x) || !low || x > c->key->max)
            return wrong_result(c, &what, "the function returned %g; must be %s", r->err,
                                isnan(x) ? (double)NAN : x,
                                wy_key_range(c->key, range, sizeof range));
    }
    if (c->key->kind == WY_KEY_UNIT && !wy_make_unit(number, count, &length))
        return wrong_result(c, &what,
                            "the function returned a vector of length %.6g; it must have length 1, "
                            "divide it by its length",
                            r->err, length);
    return WITHY_OK;
}

/* "file.lua:12: " where the function begins, else where its key stands. */
static const char *place_of(wy_reader *r, int *line) {
    char text[256];
    withy_error key;
    lua_Debug about;
    lua_pushvalue(r->lua, -1);
    lua_getinfo(r->lua, ">S", &about);
    wy_scene_where(r->scene, r->path, text, sizeof text);
    wy_scene_point(r->scene, r->path, &key);
    *line = key.line;
    if (about.linedefined > 0 && strcmp(about.short_src, WY_CHUNK) == 0) {
        *line = about.linedefined;
        snprintf(text, sizeof text, "%.200s:%d: ", r->scene->name, *line);
    }
    return wy_arena_text(&r->scene->arena, text);
}

/* By the number of its parameters: does it see the state?  One that takes none of the forms allowed is
 * refused, as it would get other arguments than it is written for. */
static withy_status find_form(wy_reader *r, const wy_key *key, int *uses_state) {
    lua_Debug about;
    lua_pushvalue(r->lua, -1);
    lua_getinfo(r->lua, ">u", &about);
    *uses_state = key->uses_state && !about.isvararg && about.nparams == 3;
    const int checked = key->uses_state || key->arguments == 'b';
    if (!checked || *uses_state || about.isvararg) return WITHY_OK;
    if (about.nparams <= (key->arguments == 'b' ? 2 : 1)) return WITHY_OK;
    return wy_complain(r, NULL, "%s: the function has %d parameters; it must be function(%s)%s",
                       r->path, about.nparams, key->arguments == 'b' ? "s, t" : "t",
                       key->uses_state ? " or function(s, t, state)" : "");
}

/* The function on top of the stack, kept, with room for `count` of them; NULL: no memory. */
static call *keep(wy_reader *r, const wy_key *key, int uses_state, int count) {
    int line;
    call *c = wy_arena_alloc(&r->scene->arena, (size_t)count, sizeof *c);
    const char *path = wy_arena_text(&r->scene->arena, r->path), *where = place_of(r, &line);
    if (!c || !path || !where) return NULL;
    lua_Debug about;
    lua_pushvalue(r->lua, -1);
    lua_getinfo(r->lua, ">u", &about);
    lua_pushvalue(r->lua, -1);
    c[0] = (call){.scene = r->scene,
                  .key = key,
                  .path = path,
                  .where = where,
                  .line = line,
                  .pick = -1,
                  .factor = 1,
                  .uses_state = uses_state,
                  .has_time = !about.isvararg && about.nparams == 2,
                  .reference = luaL_ref(r->lua, LUA_REGISTRYINDEX)};
    return c;
}

withy_status wy_read_distance(wy_reader *r, const wy_key *key, withy_obstacle *obstacle) {
    char text[256];
    double unused;
    if (lua_type(r->lua, -1) != LUA_TFUNCTION)
        return wy_reject(r, "must be %s", wy_key_expects(key, text, sizeof text));
    call *c = keep(r, key, 0, 1);
    if (!c) return wy_scene_no_memory(r);
    c->count = 1;
    obstacle->distance = distance_lua, obstacle->context = c;
    return distance_lua(c, (withy_vec3){0}, &unused, r->err);
}

withy_status wy_read_flow_function(wy_reader *r, const wy_key *key, withy_medium *medium) {
    withy_vec3 unused;
    call *c = keep(r, key, 0, 1);
    if (!c) return wy_scene_no_memory(r);
    c->count = 3;
    medium->flow = flow_lua, medium->context = c;
    return flow_lua(c, (withy_vec3){0}, 0, &unused, r->err);
}

int wy_function_has_time(const withy_field *field) {
    return field->call == call_lua && ((const call *)field->context)->has_time;
}

withy_status wy_read_function(wy_reader *r, const wy_key *key, withy_field *field) {
    int uses_state;
    WY_TRY(find_form(r, key, &uses_state));
    const int fields = key->kind == WY_KEY_SPREAD || key->kind == WY_KEY_ROTARY ? key->size : 1;
    call *c = keep(r, key, uses_state, fields);
    if (!c) return wy_scene_no_memory(r);
    WY_TRY(probe(r, &c[0], 0));
    if (key->arguments != 't' || uses_state) WY_TRY(probe(r, &c[0], *r->length));
    const int size = c[0].count;
    for (int i = fields - 1; i >= 0; i--) {
        c[i] = c[0];
        if (fields > 1) {
            c[i].pick = size == 1 ? 0 : i;
            c[i].factor = key->kind == WY_KEY_ROTARY && i == 2 && size == 1 ? 2.0 : 1.0;
        }
        field[i] = (withy_field){.size = fields > 1 ? 1 : size,
                                 .call = uses_state ? NULL : call_lua,
                                 .from_state = uses_state ? call_lua_state : NULL,
                                 .context = &c[i]};
    }
    return WITHY_OK;
}
