/* value.c - single values of a scene: numbers, words, texts, directions, fields; and their messages.
 */
#include "scene/lua.h"

#include "base/vec.h"

#include <ctype.h>
#include <float.h>
#include <stdarg.h>

/* ---- where we are ----------------------------------------------------------------------------- */

size_t wy_enter(wy_reader *r, const char *name) {
    const size_t old = strlen(r->path);
    const int entry = isdigit((unsigned char)name[0]);
    const char *dot = old && !entry ? "." : "";
    snprintf(r->path + old, sizeof r->path - old, entry ? "%s[%s]" : "%s%s", dot, name);
    return old;
}

void wy_leave(wy_reader *r, size_t old) {
    r->path[old] = '\0';
}

/* ---- describing a value ------------------------------------------------------------------- */

static void number_text(double x, char *text, size_t size) {
    if (isnan(x))
        snprintf(text, size, "nan"); /* printf may write "-nan" */
    else
        snprintf(text, size, "%.14g", x);
}

static void list_text(const double *number, int count, char *text, size_t size) {
    size_t used = (size_t)snprintf(text, size, "{ ");
    for (int i = 0; i < count && used < size; i++) {
        char one[32];
        number_text(number[i], one, sizeof one);
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s", one, i + 1 < count ? ", " : " }");
    }
}

/* Quoted, short, and without characters that would break the line. */
static void quoted_text(const char *value, char *text, size_t size) {
    enum { SHOWN = 40 };
    size_t used = (size_t)snprintf(text, size, "\"%.*s%s\"", SHOWN, value,
                                   strlen(value) > SHOWN ? "..." : "");
    for (size_t i = 0; i < used && text[i]; i++)
        if (iscntrl((unsigned char)text[i])) text[i] = '?';
}

const char *wy_value_text(lua_State *lua, int index, char *text, size_t size) {
    double number[WITHY_FIELD_MAX];
    const char *name = wy_constructed_by(lua, index);
    if (!name) name = wy_constructor_itself(lua, index);
    const int count = name ? 0 : wy_read_numbers(lua, index, number, WITHY_FIELD_MAX);
    const int type = lua_type(lua, index);
    if (name)
        snprintf(text, size, type == LUA_TTABLE ? "%s { ... }" : "%s", name);
    else if (type == LUA_TNUMBER)
        number_text(number[0], text, size);
    else if (count > 0)
        list_text(number, count, text, size);
    else if (type == LUA_TSTRING)
        quoted_text(lua_tostring(lua, index), text, size);
    else if (type == LUA_TBOOLEAN)
        snprintf(text, size, lua_toboolean(lua, index) ? "true" : "false");
    else if (type == LUA_TTABLE)
        snprintf(text, size, "{ ... }");
    else
        snprintf(text, size, "a %s", lua_typename(lua, type));
    return text;
}

/* ---- failing ---------------------------------------------------------------------------------- */

/* Does the path equal `above` or lie below it? */
static int lies_in(const char *path, const char *above) {
    const size_t length = strlen(above);
    return strncmp(path, above, length) == 0 && strchr(".[", path[length]) != NULL; /* or the end */
}

/* The last override that gave the value at the path, or that made the table there. */
static const wy_override *override_of(const withy_scene *scene, const char *path) {
    const int written = wy_lines_exact(&scene->lines, path) > 0;
    for (int i = scene->override_count - 1; i >= 0; i--) {
        const wy_override *override = &scene->override[i];
        if (lies_in(path, override->path)) return override;
        if (!written && path[0] && lies_in(override->path, path)) return override;
    }
    return NULL;
}

const char *wy_scene_where(const withy_scene *scene, const char *path, char *text, size_t size) {
    const wy_override *override = override_of(scene, path);
    const int line = wy_lines_find(&scene->lines, path);
    if (override)
        snprintf(text, size, "--set %.60s: ", override->text);
    else if (line > 0)
        snprintf(text, size, "%.200s:%d: ", scene->name, line);
    else
        snprintf(text, size, "%.200s: ", scene->name);
    return text;
}

void wy_scene_point(const withy_scene *scene, const char *path, withy_error *err) {
    if (path != err->path) snprintf(err->path, sizeof err->path, "%s", path);
    err->line = override_of(scene, path) ? 0 : wy_lines_find(&scene->lines, path);
}

void wy_scene_place(const withy_scene *scene, withy_error *err) {
    char where[256];
    wy_scene_point(scene, err->path, err);
    wy_fail_in(err, err->code, "%s", wy_scene_where(scene, err->path, where, sizeof where));
}

/* The message of the reader about a key. */
static withy_status about(const wy_reader *r, const char *path, withy_status status) {
    if (r->err) wy_scene_point(r->scene, path, r->err);
    return status;
}

withy_status wy_reject(wy_reader *r, const char *format, ...) {
    char where[256], value[160], text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    wy_scene_where(r->scene, r->path, where, sizeof where);
    const wy_override *override = override_of(r->scene, r->path);
    if (override &&
        strcmp(override->path, r->path) == 0) /* path and value are already in the message */
        return about(r, r->path, wy_bad_input(r->err, "%s%s", where, text));
    return about(r, r->path,
                 wy_bad_input(r->err, "%s%s = %s: %s", where, r->path,
                              wy_value_text(r->lua, -1, value, sizeof value), text));
}

withy_status wy_complain(wy_reader *r, const char *name, const char *format, ...) {
    char where[256], text[700];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const size_t old = strlen(r->path);
    if (name) wy_enter(r, name);
    wy_scene_where(r->scene, r->path, where, sizeof where);
    const withy_status status = about(r, r->path, wy_bad_input(r->err, "%s%s", where, text));
    wy_leave(r, old);
    return status;
}

static withy_status wrong_type(wy_reader *r, const wy_key *key) {
    char text[256];
    return wy_reject(r, "must be %s", wy_key_expects(key, text, sizeof text));
}

/* ---- numbers ---------------------------------------------------------------------------------- */

int wy_read_numbers(lua_State *lua, int index, double *number, int most) {
    index = lua_absindex(lua, index);
    if (lua_type(lua, index) == LUA_TNUMBER) {
        number[0] = lua_tonumber(lua, index);
        return 1;
    }
    if (lua_type(lua, index) != LUA_TTABLE || lua_rawlen(lua, index) > (lua_Unsigned)most) return 0;
    int count = (int)lua_rawlen(lua, index), others = -count, fine = 1;
    for (int i = 0; i < count; i++) {
        fine &= lua_rawgeti(lua, index, i + 1) == LUA_TNUMBER;
        number[i] = lua_tonumber(lua, -1);
        lua_pop(lua, 1);
    }
    for (lua_pushnil(lua); lua_next(lua, index); lua_pop(lua, 1)) others++;
    return fine && others == 0 ? count : 0;
}

static int in_range(const wy_key *key, double x) {
    const int low = key->open_min ? x > key->min : x >= key->min;
    const int high = key->open_max ? x < key->max : x <= key->max;
    return low && high; /* false for NaN */
}

/* Does wy_key_range say more than "finite"? */
static int has_bound(const wy_key *key) {
    return key->min > -DBL_MAX || key->max < DBL_MAX;
}

withy_status wy_check_range(wy_reader *r, const wy_key *key, const double *number, int count) {
    char text[256];
    for (int i = 0; i < count; i++)
        if (!in_range(key, number[i]))
            return wy_reject(r, "must be %s%s%s",
                             isinf(number[i]) && has_bound(key) ? "finite and " : "",
                             wy_key_range(key, text, sizeof text), wy_range_advice(key));
    return WITHY_OK;
}

static withy_status read_number(wy_reader *r, const wy_key *key, double *to) {
    double number[WITHY_FIELD_MAX];
    const int scalar = lua_type(r->lua, -1) == LUA_TNUMBER;
    if (wy_read_numbers(r->lua, -1, number, WITHY_FIELD_MAX) != key->size ||
        (key->size == 1) != scalar)
        return wrong_type(r, key);
    WY_TRY(wy_check_range(r, key, number, key->size));
    memcpy(to, number, (size_t)key->size * sizeof *to);
    return WITHY_OK;
}

/* An arc length; rounding in `3 * (L / 3)` must not push it off the rod. */
static withy_status read_place(wy_reader *r, const wy_key *key, double *to) {
    if (lua_type(r->lua, -1) != LUA_TNUMBER) return wrong_type(r, key);
    const double s = lua_tonumber(r->lua, -1), length = *r->length;
    if (key->open_min && !(s > 0 && s < length))
        return wy_reject(r, "must lie between the ends of the rod, 0 .. %.10g [m]", length);
    if (!(s >= 0 && s <= length * (1 + 1e-12)))
        return wy_reject(r, "must lie on the rod, 0 .. %.10g [m]", length);
    *to = wy_min(s, length);
    return WITHY_OK;
}

static withy_status read_whole(wy_reader *r, const wy_key *key, int *to) {
    const double x = lua_tonumber(r->lua, -1);
    if (lua_type(r->lua, -1) != LUA_TNUMBER || x != floor(x)) return wrong_type(r, key);
    WY_TRY(wy_check_range(r, key, &x, 1));
    *to = (int)x; /* every row of this kind has a range within int */
    return WITHY_OK;
}

static withy_status read_flag(wy_reader *r, const wy_key *key, int *to) {
    if (lua_type(r->lua, -1) != LUA_TBOOLEAN) return wrong_type(r, key);
    *to = lua_toboolean(r->lua, -1);
    return WITHY_OK;
}

/* ---- words and directions --------------------------------------------------------------------- */

bool wy_is_cut(lua_State *lua, int index) {
    return strlen(lua_tostring(lua, index)) != lua_rawlen(lua, index);
}

withy_status wy_check_uncut(wy_reader *r) {
    if (lua_type(r->lua, -1) != LUA_TSTRING || !wy_is_cut(r->lua, -1)) return WITHY_OK;
    return wy_reject(r, "must not contain a zero byte, which ends a string");
}

static withy_status read_word(wy_reader *r, const wy_key *key, int *to) {
    if (lua_type(r->lua, -1) != LUA_TSTRING) return wrong_type(r, key);
    WY_TRY(wy_check_uncut(r));
    *to = wy_word_index(key->child, lua_tostring(r->lua, -1));
    return *to >= 0 ? WITHY_OK : wrong_type(r, key);
}

static withy_status read_text(wy_reader *r, const wy_key *key, const char **to) {
    if (lua_type(r->lua, -1) != LUA_TSTRING) return wrong_type(r, key);
    WY_TRY(wy_check_uncut(r));
    *to = wy_arena_text(&r->scene->arena, lua_tostring(r->lua, -1));
    return *to ? WITHY_OK : wy_no_memory(r->err, "no memory for the scene");
}

static withy_status read_direction(wy_reader *r, const wy_key *key, withy_vec3 *to) {
    double x[WITHY_FIELD_MAX];
    if (wy_read_numbers(r->lua, -1, x, WITHY_FIELD_MAX) != 3) return wrong_type(r, key);
    const vec3 given = {x[0], x[1], x[2]};
    if (v3_is_zero(given) || !v3_finite(given)) return wrong_type(r, key);
    *to = v3_direction(given);
    return WITHY_OK;
}

int wy_make_unit(double *x, int count, double *length) {
    double square = 0;
    for (int i = 0; i < count; i++) square += x[i] * x[i];
    *length = sqrt(square);
    if (!(fabs(*length - 1.0) <= 1e-6)) return 0;
    for (int i = 0; i < count; i++) x[i] /= *length;
    return 1;
}

/* ---- fields ----------------------------------------------------------------------------------- */

static withy_status read_constant_field(wy_reader *r, const wy_key *key, withy_field *to) {
    withy_field field = {0};
    double length;
    field.size = wy_read_numbers(r->lua, -1, field.value, WITHY_FIELD_MAX);
    const int fits = field.size == key->size || (key->kind == WY_KEY_STRAIN && field.size == 3);
    if (!fits) return wrong_type(r, key);
    WY_TRY(wy_check_range(r, key, field.value, field.size));
    if (key->kind == WY_KEY_UNIT && !wy_make_unit(field.value, field.size, &length))
        return wy_reject(r, "must have length 1, has %.6g; divide it by its length", length);
    *to = field;
    return WITHY_OK;
}

/* One number for all, or one each; the rotary inertia about d3 is the sum of the others'. */
static withy_status read_constant_spread(wy_reader *r, const wy_key *key, withy_field *to) {
    double number[WITHY_FIELD_MAX];
    const int count = wy_read_numbers(r->lua, -1, number, WITHY_FIELD_MAX);
    if (count != 1 && count != key->size) return wrong_type(r, key);
    WY_TRY(wy_check_range(r, key, number, count));
    for (int i = 0; i < key->size; i++) {
        const double factor = key->kind == WY_KEY_ROTARY && i == 2 && count == 1 ? 2.0 : 1.0;
        to[i] = withy_field_number(factor * number[count == 1 ? 0 : i]);
    }
    return WITHY_OK;
}

static withy_status read_field(wy_reader *r, const wy_key *key, withy_field *to) {
    if (lua_type(r->lua, -1) == LUA_TFUNCTION) return wy_read_function(r, key, to);
    if (wy_is_signal(r->lua, -1)) return wy_read_signal(r, key, to);
    if (key->kind == WY_KEY_SPREAD || key->kind == WY_KEY_ROTARY)
        return read_constant_spread(r, key, to);
    return read_constant_field(r, key, to);
}

withy_status wy_read_simple(wy_reader *r, const wy_key *key, void *to) {
    switch (key->kind) {
    case WY_KEY_NUMBER: return read_number(r, key, to);
    case WY_KEY_PLACE: return read_place(r, key, to);
    case WY_KEY_WHOLE: return read_whole(r, key, to);
    case WY_KEY_FLAG: return read_flag(r, key, to);
    case WY_KEY_WORD: return read_word(r, key, to);
    case WY_KEY_TEXT: return read_text(r, key, to);
    case WY_KEY_DIRECTION: return read_direction(r, key, to);
    default: return read_field(r, key, to);
    }
}
