/* medium.c - the medium of a scene: its current, a profile over the height, waves. */
#include "scene/lua.h"

/* Numbers or a signal. */
static withy_status read_uniform(wy_reader *r, const wy_key *key, withy_field *to) {
    wy_key *field = wy_arena_alloc(&r->scene->arena, 1, sizeof *field);
    if (!field) return wy_scene_no_memory(r);
    *field = *key, field->kind = WY_KEY_FIELD, field->arguments = 't', field->child = "{ x, y, z }";
    return wy_read_simple(r, field, to);
}

withy_status wy_read_flow(wy_reader *r, const wy_key *key, withy_medium *medium) {
    static const wy_key profile = {
        .name = "current", .kind = WY_KEY_ONE_OF, .child = "current", .unit = ""};
    char text[256];
    const int type = lua_type(r->lua, -1);
    if (type == LUA_TFUNCTION && !wy_constructor_itself(r->lua, -1))
        return wy_read_flow_function(r, key, medium);
    const int uniform = wy_is_signal(r->lua, -1);
    if (!uniform && wy_constructed_by(r->lua, -1)) return wy_read_one_of(r, &profile, medium);
    if (uniform || (type == LUA_TTABLE && lua_rawlen(r->lua, -1) == 3))
        return read_uniform(r, key, &medium->current);
    return wy_reject(r, "must be %s", wy_key_expects(key, text, sizeof text));
}

static withy_status read_row(wy_reader *r, const double *before, double *row) {
    if (wy_read_numbers(r->lua, -1, row, 4) != 4)
        return wy_reject(r, "must be 4 numbers { height, velocity x, y, z } [m, m/s]");
    for (int k = 0; k < 4; k++)
        if (!isfinite(row[k])) return wy_reject(r, "its numbers must be finite");
    if (before && !(row[0] > before[0]))
        return wy_reject(r, "the heights must increase, and that of the row before is %.10g",
                         before[0]);
    return WITHY_OK;
}

/* Any number of rows: a file may have many. */
withy_status wy_read_profile(wy_reader *r, withy_medium *medium) {
    enum { MOST = 100000 };
    if (lua_type(r->lua, -1) != LUA_TTABLE || wy_constructed_by(r->lua, -1))
        return wy_reject(r, "must be a list { { height, x, y, z }, ... }");
    const lua_Unsigned count = lua_rawlen(r->lua, -1);
    if (count < 1 || count > MOST)
        return wy_complain(r, NULL, "%s has %llu rows; it must have 1 to %d", r->path,
                           (unsigned long long)count, MOST);
    double *row = wy_arena_alloc(&r->scene->arena, 4 * (size_t)count, sizeof *row);
    if (!row) return wy_scene_no_memory(r);
    for (int i = 0; i < (int)count; i++) {
        const size_t old = wy_enter_entry(r, i);
        WY_TRY(read_row(r, i ? &row[4 * (i - 1)] : NULL, &row[4 * i]));
        wy_leave_entry(r, old);
    }
    medium->profile = (const double(*)[4])(const void *)row;
    medium->profile_count = (int)count;
    return WITHY_OK;
}

withy_status wy_read_waves(wy_reader *r, const wy_key *key, withy_medium *medium) {
    static const wy_key one = {.name = "waves", .kind = WY_KEY_ONE_OF, .child = "wave", .unit = ""};
    char text[256];
    const int several = lua_type(r->lua, -1) == LUA_TTABLE && !wy_constructed_by(r->lua, -1);
    const lua_Unsigned count = several ? lua_rawlen(r->lua, -1) : 1;
    if (count < 1 || count > WY_MOST_ENTRIES)
        return wy_reject(r, "must be %s", wy_key_expects(key, text, sizeof text));
    withy_wave *wave = wy_arena_alloc(&r->scene->arena, (size_t)count, sizeof *wave);
    if (!wave) return wy_scene_no_memory(r);
    for (int i = 0; i < (int)count; i++) {
        if (!several) {
            WY_TRY(wy_read_one_of(r, &one, &wave[i]));
            break;
        }
        const size_t old = wy_enter_entry(r, i);
        WY_TRY(wy_read_one_of(r, &one, &wave[i]));
        wy_leave_entry(r, old);
    }
    medium->wave = wave, medium->wave_count = (int)count;
    return WITHY_OK;
}
