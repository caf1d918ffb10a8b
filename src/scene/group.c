/* group.c - tables of a scene by the rows of their group, and what constructors made. */
#include "scene/lua.h"

int wy_has(wy_reader *r, const char *name) {
    lua_pushstring(r->lua, name);
    const int type = lua_rawget(r->lua, -2);
    lua_pop(r->lua, 1);
    return type != LUA_TNIL;
}

/* ---- unknown keys ----------------------------------------------------------------------------- */

/* The key on top of the stack as text; never empty. */
static void key_text(lua_State *lua, char *text, size_t size) {
    const char *name = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : NULL;
    if (name && wy_is_cut(lua, -1))
        snprintf(text, size, "%.40s?", name); /* no key has such a name */
    else if (name && name[0] == '\0')
        snprintf(text, size, "(empty)");
    else if (name)
        snprintf(text, size, "%.60s", name);
    else if (lua_type(lua, -1) == LUA_TNUMBER)
        snprintf(text, size, "%.14g", lua_tonumber(lua, -1));
    else if (lua_type(lua, -1) == LUA_TBOOLEAN)
        snprintf(text, size, lua_toboolean(lua, -1) ? "true" : "false");
    else
        snprintf(text, size, "a %s", lua_typename(lua, lua_type(lua, -1)));
}

/* Does `name` come before `other` in the file, or else in the alphabet? */
static int comes_before(wy_reader *r, const char *name, const char *other) {
    if (!other[0]) return 1;
    size_t old = wy_enter(r, name);
    const int line = wy_lines_find(&r->scene->lines, r->path);
    wy_leave(r, old);
    old = wy_enter(r, other);
    const int other_line = wy_lines_find(&r->scene->lines, r->path);
    wy_leave(r, old);
    return line != other_line ? line < other_line : strcmp(name, other) < 0;
}

static withy_status refuse_key(wy_reader *r, const char *group, const char *name) {
    char list[512], advice[WITHY_NAME + 32];
    const char *dot = r->path[0] ? "." : "";
    const wy_group *info = wy_group_find(group);
    const char *closest = wy_key_closest(group, name), *meant = wy_key_meant(group, name);
    if (meant)
        return wy_complain(r, name, "unknown key \"%s%s%s\"; did you mean %s?", r->path, dot, name,
                           meant);
    if (name[0] >= '1' && name[0] <= '9')
        return wy_complain(r, name,
                           "%s[%s]: a value without a key; write key = value, and a number with a "
                           "decimal point, not a comma (known here: %s)",
                           r->path, name, wy_key_names(group, list, sizeof list));
    if (closest) {
        char full[WY_PATH + WITHY_NAME];
        snprintf(full, sizeof full, "%s%s%s", r->path, dot, closest);
        return wy_complain(r, name, "unknown key \"%s%s%s\"%s", r->path, dot, name,
                           wy_did_you_mean(full, advice, sizeof advice));
    }
    if (info->family && wy_family_with(info->family, name, list, sizeof list)[0])
        return wy_complain(r, name, "%s%s%s: %s takes no %s; %s %s", r->path, dot, name,
                           info->where, name, list, strchr(list, ' ') ? "do" : "does");
    return wy_complain(r, name, "unknown key \"%s%s%s\"; known here: %s", r->path, dot, name,
                       wy_key_names(group, list, sizeof list));
}

/* The path of the error is that of the table: the schema has no such key. */
static withy_status unknown_key(wy_reader *r, const char *group, const char *name) {
    const withy_status status = refuse_key(r, group, name);
    if (!r->err) return status;
    const int line = r->err->line;
    wy_scene_point(r->scene, r->path, r->err);
    r->err->line = line;
    return status;
}

/* Every key of the table must have a row; of several that have none, the first in the file is reported,
 * as Lua's order of keys changes from run to run. */
static withy_status check_keys(wy_reader *r, const char *group) {
    char first[WITHY_NAME] = "", name[WITHY_NAME];
    for (lua_pushnil(r->lua); lua_next(r->lua, -2);) {
        lua_pop(r->lua, 1);
        wy_sandbox_charge(r->lua, 1);
        key_text(r->lua, name, sizeof name);
        const int known = lua_type(r->lua, -1) == LUA_TSTRING && wy_key_find(group, name);
        if (!known && comes_before(r, name, first)) memcpy(first, name, sizeof first);
    }
    return first[0] ? unknown_key(r, group, first) : WITHY_OK;
}

/* ---- known keys ------------------------------------------------------------------------------- */

withy_status wy_missing(wy_reader *r, const wy_key *key) {
    char text[256];
    return wy_complain(r, key->name, "%s%s%s is missing: give %s (%s)", r->path,
                       r->path[0] ? "." : "", key->name, wy_key_expects(key, text, sizeof text),
                       key->doc);
}

/* A key that is needed and not given; a rod may have its length from its shape. */
static withy_status read_missing(wy_reader *r, const wy_key *key, void *base) {
    double length = 0;
    if (strcmp(key->group, "rod") == 0 && strcmp(key->name, "length") == 0)
        WY_TRY(wy_measure_rod(r, &length));
    if (!(length > 0)) return wy_missing(r, key);
    memcpy((char *)base + key->offset, &length, sizeof length);
    return WITHY_OK;
}

static withy_status read_key(wy_reader *r, const wy_key *key, void *base) {
    lua_pushstring(r->lua, key->name);
    if (lua_rawget(r->lua, -2) == LUA_TNIL) {
        lua_pop(r->lua, 1);
        return key->fallback ? WITHY_OK : read_missing(r, key, base);
    }
    const size_t old = wy_enter(r, key->name);
    WY_TRY(wy_read_value(r, key, (char *)base + key->offset));
    wy_leave(r, old);
    lua_pop(r->lua, 1);
    return WITHY_OK;
}

withy_status wy_read_group(wy_reader *r, const char *group, void *base) {
    luaL_checkstack(r->lua, 10, "too many levels");
    WY_TRY(check_keys(r, group));
    WY_TRY(wy_check_rules(r, group));
    const wy_key *key;
    for (int i = 0; (key = wy_key_at(i)) != NULL; i++)
        if (strcmp(key->group, group) == 0) WY_TRY(read_key(r, key, base));
    return wy_finish_group(r, group, base);
}

/* A plain table, or what a constructor of the family of that name made: initial = static { ... }. */
static withy_status read_table(wy_reader *r, const wy_key *key, void *to) {
    char text[256];
    const char *made = wy_constructed_by(r->lua, -1);
    const wy_group *group = made ? wy_constructor_find(key->child, made) : NULL;
    if (group) return wy_read_group(r, group->name, to);
    if (lua_type(r->lua, -1) != LUA_TTABLE || made)
        return wy_reject(r, "must be %s", wy_key_expects(key, text, sizeof text));
    return wy_read_group(r, key->child, to);
}

withy_status wy_read_value(wy_reader *r, const wy_key *key, void *to) {
    switch (key->kind) {
    case WY_KEY_GROUP: return read_table(r, key, to);
    case WY_KEY_ONE_OF: return wy_read_one_of(r, key, to);
    default: return wy_read_list(r, key, to);
    }
}

/* ---- what constructors made ------------------------------------------------------------------- */

static withy_status read_shape(wy_reader *r, const wy_group *group, withy_shape *to) {
    wy_shape_draft draft = {.angle = NAN, .turns = NAN, .height = NAN, .length = NAN};
    draft.shape.kind = (withy_shape_kind)group->tag;
    draft.shape.from = (withy_vec3){NAN, NAN, NAN};
    draft.shape.pitch = NAN;
    draft.shape.to = draft.shape.from;
    WY_TRY(wy_read_group(r, group->name, &draft));
    draft.shape.in_time =
        wy_shape_in_time(&draft.shape) || wy_function_has_time(&draft.shape.strain);
    *to = draft.shape;
    return WITHY_OK;
}

static withy_status read_made(wy_reader *r, const wy_group *group, void *to) {
    if (strcmp(group->family, "shape") == 0) return read_shape(r, group, to);
    if (strcmp(group->family, "joint") == 0) {
        ((wy_joint_draft *)to)->joint.kind = (withy_joint_kind)group->tag;
        return wy_read_group(r, group->name, to);
    }
    if (strcmp(group->family, "obstacle") == 0) {
        ((wy_obstacle_draft *)to)->obstacle.kind = (withy_obstacle_kind)group->tag;
        return wy_read_group(r, group->name, to);
    }
    if (strcmp(group->family, "body") == 0) {
        ((withy_body *)to)->shape = (withy_body_shape)group->tag;
        return wy_read_group(r, group->name, to);
    }
    if (strcmp(group->family, "current") == 0) return wy_read_group(r, group->name, to);
    if (strcmp(group->family, "section") == 0)
        *(withy_section *)to =
            (withy_section){.kind = (withy_section_kind)group->tag, .shear_factor = 1.0};
    else if (strcmp(group->family, "wave") == 0)
        *(withy_wave *)to =
            (withy_wave){.kind = (withy_wave_kind)group->tag, .gamma = 3.3, .components = 64};
    else if (strcmp(group->family, "law") == 0)
        *(withy_law *)to = (withy_law){.kind = (withy_law_kind)group->tag};
    else if (strcmp(group->family, "end") == 0)
        *(withy_end *)to = (withy_end){.kind = (withy_end_kind)group->tag};
    else
        *(withy_load *)to = (withy_load){.kind = (withy_load_kind)group->tag, .to = *r->length};
    return wy_read_group(r, group->name, to);
}

/* `free {}`, and also `free` and "free" for a constructor that needs no keys. */
static const char *constructor_of(lua_State *lua) {
    const char *name = wy_constructed_by(lua, -1);
    if (name) return name;
    if (lua_type(lua, -1) == LUA_TSTRING) return lua_tostring(lua, -1);
    return wy_constructor_itself(lua, -1);
}

withy_status wy_read_one_of(wy_reader *r, const wy_key *key, void *to) {
    char text[256];
    WY_TRY(wy_check_uncut(r));
    const char *name = constructor_of(r->lua);
    const wy_group *group = name ? wy_constructor_find(key->child, name) : NULL;
    if (!group) return wy_reject(r, "must be %s", wy_key_expects(key, text, sizeof text));
    if (lua_type(r->lua, -1) == LUA_TTABLE) return read_made(r, group, to);
    wy_construct_empty(r->lua, group);
    WY_TRY(read_made(r, group, to));
    lua_pop(r->lua, 1);
    return WITHY_OK;
}
