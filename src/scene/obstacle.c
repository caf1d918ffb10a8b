/* obstacle.c - the list of obstacles of a scene. */
#include "scene/lua.h"

/* One number for all directions, or { forward, back, lateral }. */
withy_status wy_read_friction(wy_reader *r, const wy_key *key, double *friction) {
    char text[256];
    if (lua_type(r->lua, -1) == LUA_TTABLE && !wy_constructed_by(r->lua, -1))
        return wy_read_group(r, "friction", friction);
    if (lua_type(r->lua, -1) != LUA_TNUMBER)
        return wy_reject(r, "must be %s", wy_key_expects(key, text, sizeof text));
    const double mu = lua_tonumber(r->lua, -1);
    WY_TRY(wy_check_range(r, key, &mu, 1));
    for (int i = 0; i < WITHY_FRICTIONS; i++) friction[i] = mu;
    return WITHY_OK;
}

/* With the table of the obstacle on top of the stack: what its rows do not say. */
static withy_status finish_obstacle(wy_reader *r, int index, wy_obstacle_draft *draft) {
    withy_obstacle *obstacle = &draft->obstacle;
    obstacle->own_friction = wy_has(r, "friction");
    obstacle->own_damping = wy_has(r, "damping");
    if (draft->diameter > 0) obstacle->radius = 0.5 * draft->diameter;
    if (obstacle->name && (!obstacle->name[0] || strlen(obstacle->name) >= WITHY_NAME))
        return wy_complain(r, "name", "%s.name: must have 1 to %d characters", r->path,
                           WITHY_NAME - 1);
    WY_TRY(wy_name_entry(r, "obstacle", index, &obstacle->name));
    return draft->file ? wy_read_mesh(r, draft->file, draft->scale, obstacle) : WITHY_OK;
}

withy_status wy_read_obstacle(wy_reader *r, int index, void *to) {
    static const wy_key entry = {
        .name = "obstacle", .kind = WY_KEY_ONE_OF, .child = "obstacle", .unit = ""};
    wy_obstacle_draft draft = {.scale = 1};
    WY_TRY(wy_read_one_of(r, &entry, &draft));
    if (lua_type(r->lua, -1) == LUA_TTABLE) WY_TRY(finish_obstacle(r, index, &draft));
    *(withy_obstacle *)to = draft.obstacle;
    return WITHY_OK;
}

withy_status wy_floor_to_plane(wy_reader *r, withy_problem *problem) {
    const withy_floor *given = &problem->floor;
    const int count = problem->obstacle_count;
    withy_obstacle *all = wy_arena_alloc(&r->scene->arena, (size_t)count + 1, sizeof *all);
    if (!all) return wy_scene_no_memory(r);
    const char *name = "floor";
    for (int i = 0; i < count; i++) {
        all[i] = problem->obstacle[i];
        if (strcmp(all[i].name, name) == 0) name = "floor of the scene";
    }
    all[count] = (withy_obstacle){
        .name = name,
        .kind = WITHY_OBSTACLE_PLANE,
        .point = withy_field_vector(given->point.x, given->point.y, given->point.z),
        .along = given->normal,
        .stiffness = given->stiffness};
    problem->obstacle = all, problem->obstacle_count = count + 1;
    problem->floor.given = 0;
    return WITHY_OK;
}
