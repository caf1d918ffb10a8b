/* network.c - bodies and joints of a scene: their lists, and parts by their names. */
#include "scene/lua.h"

#include "model/model.h"

/* ---- names ------------------------------------------------------------------------------------ */

static const withy_rod *rods_of(const wy_reader *r) {
    return r->draft->rods ? r->draft->rods : &r->draft->only.rod;
}

static const char *rod_name(const wy_reader *r, int rod) {
    const char *name = rods_of(r)[rod].name;
    return name ? name : "rod"; /* the only one; in a list all have names */
}

/* Names that a value may have: of these lists, one behind the other. */
typedef struct namer {
    const char *noun; /* "rod or body" */
    const wy_reader *r;
    bool rods, bodies, joints, obstacles, ground;
} namer;

/* NULL past the last. */
static const char *name_at(const void *context, int index) {
    const namer *n = context;
    const withy_problem *p = &n->r->draft->problem;
    const int rods = n->rods ? wy_rod_count(n->r) : 0, bodies = n->bodies ? p->body_count : 0;
    if (index < rods) return rod_name(n->r, index);
    if ((index -= rods) < bodies) return p->body[index].name;
    index -= bodies;
    if (n->joints && index < p->joint_count) return p->joint[index].name;
    if (n->obstacles && index < p->obstacle_count) return p->obstacle[index].name;
    return n->ground && index == 0 ? "ground" : NULL;
}

static withy_status no_such(wy_reader *r, const namer *n, const char *key, const char *name) {
    enum { SHOWN = 8 };
    char list[512] = "", advice[WITHY_NAME + 32];
    const size_t old = strlen(r->path);
    for (int i = 0; name_at(n, i) && i < SHOWN; i++)
        wy_append(list, sizeof list, "%s%.40s", i ? ", " : "", name_at(n, i));
    if (name_at(n, SHOWN)) wy_append(list, sizeof list, ", ...");
    if (key) wy_enter(r, key);
    const withy_status status = wy_complain(
        r, NULL, "%s = \"%.40s\": there is no %s of this name%s%s%s", r->path, name, n->noun,
        list[0] ? wy_did_you_mean_or(wy_suggest(name, name_at, n), advice, sizeof advice) : "",
        list[0] ? " there are " : "", list);
    wy_leave(r, old);
    return status;
}

/* Which of the names it is; key: below the path, or NULL. */
static withy_status find_name(wy_reader *r, const namer *n, const char *key, const char *name,
                              int *index) {
    *index = -1;
    for (int i = 0; name_at(n, i); i++) {
        if (strcmp(name_at(n, i), name) != 0) continue;
        if (*index >= 0)
            return wy_complain(
                r, key,
                "%s%s%s: there are two parts of the name \"%.40s\"; give one of them another",
                r->path, key ? "." : "", key ? key : "", name);
        *index = i;
    }
    return *index >= 0 ? WITHY_OK : no_such(r, n, key, name);
}

/* An entry without a name has its number. */
static withy_status check_name(wy_reader *r, const char *name) {
    if (name && (!name[0] || strlen(name) >= WITHY_NAME))
        return wy_complain(r, "name", "%s.name: must have 1 to %d characters", r->path,
                           WITHY_NAME - 1);
    if (name && strcmp(name, "ground") == 0)
        return wy_complain(
            r, "name", "%s.name = \"ground\": stands for the laboratory in joints; choose another",
            r->path);
    return WITHY_OK;
}

/* ---- bodies ----------------------------------------------------------------------------------- */

withy_status wy_read_body_load(wy_reader *r, int index, void *to) {
    const char *made = wy_constructed_by(r->lua, -1);
    (void)index;
    if (!made || strcmp(made, "point") != 0)
        return wy_reject(r, "must be point { ... }: a body has no other loads");
    return wy_read_group(r, "body_point", to);
}

withy_status wy_read_body(wy_reader *r, int index, void *to) {
    withy_body *body = to;
    WY_TRY(wy_read_plain(r, "body", body));
    WY_TRY(check_name(r, body->name));
    return wy_name_entry(r, "body", index, &body->name);
}

/* ---- joints ----------------------------------------------------------------------------------- */

/* Two entries in a list: the key `parts` or `at`. */
static withy_status check_pair(wy_reader *r, const char *what) {
    if (lua_type(r->lua, -1) == LUA_TTABLE && !wy_constructed_by(r->lua, -1) &&
        lua_rawlen(r->lua, -1) == 2)
        return WITHY_OK;
    return wy_reject(r, "must be %s", what);
}

withy_status wy_read_parts(wy_reader *r, withy_place place[2]) {
    const namer parts = {"rod or body", r, .rods = true, .bodies = true, .ground = true};
    const int rods = wy_rod_count(r), bodies = r->draft->problem.body_count;
    WY_TRY(check_pair(r, "two names { \"one\", \"other\" } of rods or bodies, or \"ground\""));
    for (int side = 0; side < 2; side++) {
        int at;
        const size_t old = wy_enter_entry(r, side);
        if (lua_type(r->lua, -1) != LUA_TSTRING)
            return wy_reject(r, "must be the name of a rod or body, or \"ground\"");
        WY_TRY(wy_check_uncut(r));
        WY_TRY(find_name(r, &parts, NULL, lua_tostring(r->lua, -1), &at));
        place[side].part = at < rods            ? WITHY_PART_ROD
                           : at < rods + bodies ? WITHY_PART_BODY
                                                : WITHY_PART_GROUND;
        place[side].index = at < rods ? at : at < rods + bodies ? at - rods : 0;
        wy_leave_entry(r, old);
    }
    return WITHY_OK;
}

static withy_status read_s(wy_reader *r, withy_place *place) {
    const double length = rods_of(r)[place->index].length, s = lua_tonumber(r->lua, -1);
    if (lua_type(r->lua, -1) != LUA_TNUMBER || !(s >= 0 && s <= length * (1 + 1e-12)))
        return wy_reject(r, "must be a number, s on rod %.40s, 0 .. %.10g [m]",
                         rod_name(r, place->index), length);
    place->s = wy_min(s, length);
    return WITHY_OK;
}

static withy_status read_place(wy_reader *r, withy_place *place) {
    static const wy_key moved = {.name = "at",
                                 .kind = WY_KEY_FIELD,
                                 .size = 3,
                                 .arguments = 't',
                                 .child = "{ x, y, z }",
                                 .unit = "m",
                                 .min = -INFINITY,
                                 .max = INFINITY};
    const int ground = place->part == WITHY_PART_GROUND;
    double x[3];
    if (place->part == WITHY_PART_ROD) return read_s(r, place);
    if (ground && lua_type(r->lua, -1) == LUA_TFUNCTION)
        return wy_read_function(r, &moved, &place->path);
    if (ground && wy_is_signal(r->lua, -1)) return wy_read_signal(r, &moved, &place->path);
    if (lua_type(r->lua, -1) != LUA_TTABLE || wy_read_numbers(r->lua, -1, x, 3) != 3)
        return wy_reject(r, "must be 3 numbers { x, y, z } %s [m]",
                         ground ? "in space, or a function of t" : "in the frame of the body");
    place->at = (withy_vec3){x[0], x[1], x[2]};
    return WITHY_OK;
}

withy_status wy_read_places(wy_reader *r, withy_place place[2]) {
    WY_TRY(check_pair(
        r, "two places { on one, on other }: s on a rod, { x, y, z } on a body or the ground"));
    for (int side = 0; side < 2; side++) {
        const size_t old = wy_enter_entry(r, side);
        WY_TRY(read_place(r, &place[side]));
        wy_leave_entry(r, old);
    }
    return WITHY_OK;
}

/* { rods = { 1, 2 }, at = { 1, 0 }, rigid = true }. */
static withy_status finish_short(wy_reader *r, wy_joint_draft *draft) {
    withy_joint *joint = &draft->joint;
    for (int side = 0; side < 2; side++) {
        const double length = wy_length_of(r, draft->rods[side]);
        if (length < 0)
            return wy_complain(r, "rods", "%s.rods names rod %.10g; there are rods 1 .. %d",
                               r->path, draft->rods[side], wy_rod_count(r));
        if (draft->at[side] > length * (1 + 1e-12))
            return wy_complain(r, "at", "%s.at = %.10g is not on rod %d: it must be 0 .. %.10g [m]",
                               r->path, draft->at[side], (int)draft->rods[side], length);
        joint->place[side].index = (int)draft->rods[side] - 1;
        joint->place[side].s = wy_min(draft->at[side], length);
    }
    joint->kind = draft->rigid ? WITHY_JOINT_WELD : WITHY_JOINT_BALL;
    return WITHY_OK;
}

withy_status wy_read_joint(wy_reader *r, int index, void *to) {
    static const wy_key entry = {
        .name = "joint", .kind = WY_KEY_ONE_OF, .child = "joint", .unit = ""};
    wy_joint_draft draft = {0};
    if (lua_type(r->lua, -1) == LUA_TTABLE && !wy_constructed_by(r->lua, -1)) {
        WY_TRY(wy_read_group(r, "joint", &draft));
        WY_TRY(finish_short(r, &draft));
    } else {
        WY_TRY(wy_read_one_of(r, &entry, &draft));
    }
    WY_TRY(check_name(r, draft.joint.name));
    WY_TRY(wy_name_entry(r, "joint", index, &draft.joint.name));
    *(withy_joint *)to = draft.joint;
    return WITHY_OK;
}

/* ---- probes ----------------------------------------------------------------------------------- */

withy_status wy_read_rod_name(wy_reader *r, int *rod) {
    const namer rods = {"rod", r, .rods = true};
    const double x = lua_tonumber(r->lua, -1);
    if (lua_type(r->lua, -1) == LUA_TSTRING) {
        WY_TRY(wy_check_uncut(r));
        WY_TRY(find_name(r, &rods, NULL, lua_tostring(r->lua, -1), rod));
        ++*rod;
        return WITHY_OK;
    }
    if (lua_type(r->lua, -1) != LUA_TNUMBER || x != floor(x) || !(x >= 1 && x <= 1e6))
        return wy_reject(r, "must be the name of a rod, or its number, from 1");
    *rod = (int)x;
    return WITHY_OK;
}

withy_status wy_find_probed(wy_reader *r, const wy_probe_draft *draft, withy_probe *probe) {
    const namer bodies = {"body", r, .bodies = true}, joints = {"joint", r, .joints = true},
                obstacles = {"obstacle", r, .obstacles = true};
    if (draft->obstacle) {
        probe->of = WITHY_OF_OBSTACLE;
        return find_name(r, &obstacles, "obstacle", draft->obstacle, &probe->index);
    }
    probe->of = draft->body ? WITHY_OF_BODY : WITHY_OF_JOINT;
    return draft->body ? find_name(r, &bodies, "body", draft->body, &probe->index)
                       : find_name(r, &joints, "joint", draft->joint, &probe->index);
}
