/* finish.c - what a single row of the table cannot express: keys that need or exclude each other, values
 * that follow from others, and the position of a rod when the scene does not give it.
 */
#include "scene/lua.h"

#include "model/model.h"

/* ---- rules ------------------------------------------------------------------------------------ */

/* How many of "a|b|c" are in the table on top; the first two of them in order. */
static int count_given(wy_reader *r, const char *keys, char first[WITHY_NAME],
                       char second[WITHY_NAME]) {
    int given = 0;
    char name[WITHY_NAME];
    for (int i = 0; wy_word_at(keys, i, name, sizeof name); i++) {
        if (!wy_has(r, name)) continue;
        if (given == 0) memcpy(first, name, WITHY_NAME);
        if (given == 1) memcpy(second, name, WITHY_NAME);
        given++;
    }
    return given;
}

static withy_status give_one(wy_reader *r, const wy_rule *rule, const char *prefix) {
    char list[256] = "", name[WITHY_NAME], after[WITHY_NAME];
    for (int i = 0; wy_word_at(rule->keys, i, name, sizeof name); i++) {
        const int last = !wy_word_at(rule->keys, i + 1, after, sizeof after);
        wy_append(list, sizeof list, "%s%s", i == 0 ? "" : last ? " or " : ", ", name);
    }
    return wy_complain(r, NULL, "%sneeds %s%s", prefix, list, wy_rule_advice(rule));
}

static withy_status check_rule(wy_reader *r, const wy_rule *rule) {
    char first[WITHY_NAME], second[WITHY_NAME], prefix[WY_PATH + 2];
    const int given = count_given(r, rule->keys, first, second);
    snprintf(prefix, sizeof prefix, "%s ", r->path[0] ? r->path : "the scene");
    if (rule->rule == WY_NEEDS) {
        wy_word_at(rule->keys, 0, first, sizeof first);
        wy_word_at(rule->keys, 1, second, sizeof second);
        if (!wy_has(r, first) || wy_has(r, second)) return WITHY_OK;
        return wy_complain(r, first, "%shas %s but no %s; give both%s", prefix, first, second,
                           wy_rule_advice(rule));
    }
    if (rule->rule == WY_INSIDE && given == 2)
        return wy_complain(r, second, "%shas %s, so %s belongs inside each of them", prefix, first,
                           second);
    if (rule->rule == WY_INSIDE) return WITHY_OK;
    if (given == 0 && rule->rule != WY_AT_MOST_ONE) return give_one(r, rule, prefix);
    if (given > 1 && rule->rule != WY_AT_LEAST_ONE)
        return wy_complain(r, second, "%shas both %s and %s; keep one", prefix, first, second);
    return WITHY_OK;
}

withy_status wy_check_rules(wy_reader *r, const char *group) {
    const wy_rule *rule;
    for (int i = 0; (rule = wy_rule_at(i)) != NULL; i++)
        if (strcmp(rule->group, group) == 0) WY_TRY(check_rule(r, rule));
    return WITHY_OK;
}

/* ---- values that follow from others ----------------------------------------------------------- */

static withy_status finish_material(wy_reader *r, void *base) {
    (void)r;
    wy_rod_draft *draft = base;
    if (!isnan(draft->poisson))
        draft->rod.material.shear = draft->rod.material.young / (2 * (1 + draft->poisson));
    return WITHY_OK;
}

static withy_status finish_tube(wy_reader *r, void *base) {
    const withy_section *tube = base;
    if (tube->a.call || tube->b.call || tube->b.value[0] < tube->a.value[0]) return WITHY_OK;
    return wy_complain(r, "inner", "%s.inner = %.10g: must be < outer = %.10g [m]", r->path,
                       tube->b.value[0], tube->a.value[0]);
}

/* Pitch from the climb angle, or from the turns that the length of the rod must fill. */
static withy_status finish_helix(wy_reader *r, void *base) {
    wy_shape_draft *draft = base;
    const double round = 2 * WY_PI * draft->shape.radius;
    if (!isnan(draft->angle)) draft->shape.pitch = round * tan(draft->angle);
    if (!isnan(draft->height)) {
        const double length = wy_helix_length(draft);
        if (!(fabs(length - *r->length) <= 1e-9 * length))
            return wy_complain(
                r, "height",
                "%s.height = %.10g: with %g turns of this radius the rod is %.10g [m] "
                "long, and rod.length = %.10g; leave out one of them",
                r->path, draft->height, draft->turns, length, *r->length);
        draft->shape.pitch = draft->height / draft->turns;
    } else if (!isnan(draft->turns)) {
        const double one = *r->length / draft->turns; /* length of rod in a turn */
        if (!(one > round))
            return wy_complain(r, "turns",
                               "%s.turns = %.10g: the rod is too short, each turn takes more than "
                               "%.10g [m]; at most %.6g turns",
                               r->path, draft->turns, round, *r->length / round);
        draft->shape.pitch = sqrt((one - round) * (one + round));
    }
    if (draft->hand == 1) draft->shape.pitch = -draft->shape.pitch;
    return WITHY_OK;
}

static withy_status finish_catenary(wy_reader *r, void *base) {
    wy_shape_draft *draft = base;
    draft->shape.has_bed = wy_has(r, "bed");
    if (isnan(draft->length) || fabs(draft->length - *r->length) <= 1e-9 * *r->length)
        return WITHY_OK;
    return wy_complain(r, "length",
                       "%s.length = %.10g: must be rod.length = %.10g [m]; leave out one of them",
                       r->path, draft->length, *r->length);
}

static withy_status finish_initial(wy_reader *r, void *base) {
    wy_rod_draft *draft = base;
    if (!wy_has(r, "strain")) return WITHY_OK;
    draft->rod.initial.kind = WITHY_SHAPE_STRAIN;
    draft->rod.initial.from = v3(NAN, NAN, NAN);
    return WITHY_OK;
}

static withy_status finish_static(wy_reader *r, void *base) {
    (void)r;
    wy_rod_draft *draft = base;
    draft->rod.settled = 1;
    return WITHY_OK;
}

static withy_status finish_distributed(wy_reader *r, void *base) {
    const withy_load *load = base;
    if (load->from < load->to) return WITHY_OK;
    return wy_complain(r, "to", "%s.to = %.10g: must be > from = %.10g [m]", r->path, load->to,
                       load->from);
}

static withy_status finish_point(wy_reader *r, void *base) {
    (void)r;
    withy_load *load = base;
    load->to = load->from;
    return WITHY_OK;
}

static withy_status finish_floor(wy_reader *r, void *base) {
    withy_floor *floor_ = base;
    floor_->given = 1, floor_->surface = !floor_->surface;
    if (floor_->surface && wy_has(r, "damping"))
        return wy_complain(r, "damping",
                           "floor.damping: a floor that touches the surface of the rod is a plane, "
                           "whose damping is another law; give floor.axis = true for this damper, "
                           "or obstacles = { plane { damping = ... } } [s/m]");
    if (v3_is_zero(floor_->normal)) floor_->normal = v3(0, 0, 1);
    return WITHY_OK;
}

/* The rows say what touches, the description what does not. */
static withy_status finish_contact(wy_reader *r, void *base) {
    withy_contact *contact = base;
    contact->given = 1;
    contact->no_self = wy_has(r, "self") && !contact->no_self;
    contact->no_rods = wy_has(r, "rods") && !contact->no_rods;
    contact->no_bodies = wy_has(r, "bodies") && !contact->no_bodies;
    return WITHY_OK;
}

static withy_status finish_rotating(wy_reader *r, void *base) {
    (void)r;
    ((withy_rotating *)base)->given = 1;
    return WITHY_OK;
}

static withy_status finish_field(wy_reader *r, void *base) {
    (void)r;
    ((withy_magnetic *)base)->given = 1;
    return WITHY_OK;
}

static withy_status finish_medium(wy_reader *r, void *base) {
    withy_medium *medium = base;
    medium->given = 1, medium->has_surface = wy_has(r, "surface");
    return WITHY_OK;
}

static withy_status finish_body_fluid(wy_reader *r, void *base) {
    (void)r;
    ((withy_body *)base)->fluid.given = 1;
    return WITHY_OK;
}

static withy_status finish_fluid(wy_reader *r, void *base) {
    (void)r;
    ((wy_rod_draft *)base)->rod.fluid.given = 1;
    return WITHY_OK;
}

static withy_status finish_limits(wy_reader *r, void *base) {
    wy_joint_draft *draft = base;
    draft->joint.limited = wy_has(r, "limits");
    return WITHY_OK;
}

static withy_status finish_time(wy_reader *r, void *base) {
    withy_request *request = base;
    request->given = wy_has(r, "stop");
    if (!request->given && wy_has(r, "output")) return wy_missing(r, wy_key_find("time", "stop"));
    if (!wy_has(r, "output")) request->output = request->stop / 100;
    if (request->output > request->stop * (1 + 1e-12))
        return wy_complain(r, "output", "%s.output = %.10g: must be at most stop = %.10g [s]",
                           r->path, request->output, request->stop);
    if (request->stations == 1)
        return wy_complain(r, "stations",
                           "%s.stations = 1: must be 0 (the method's nodes) or at least 2",
                           r->path);
    return WITHY_OK;
}

static withy_status finish_path(wy_reader *r, void *base) {
    (void)r;
    withy_path *path = base;
    path->given = 1;
    return WITHY_OK;
}

/* time = { stations = 161 } is for the snapshots of equilibria; a table without it must have a stop.
 * Without any there is nothing to run. */
static withy_status check_stop(wy_reader *r, withy_problem *problem) {
    withy_request *request = &problem->request;
    if (!request->given && !problem->path.given) request->stop = request->output = 0;
    if (!wy_has(r, "time") || request->given || problem->path.given || request->stations)
        return WITHY_OK;
    const size_t old = wy_enter(r, "time");
    const withy_status status = wy_missing(r, wy_key_find("time", "stop"));
    wy_leave(r, old);
    return status;
}

static withy_status hang_rods(wy_reader *r, wy_scene_draft *draft);

/* rod.ends and ends are equivalent: only one of them may be given. */
static withy_status finish_scene(wy_reader *r, void *base) {
    static const char *const shared[] = {"initial", "ends", "loads"};
    wy_scene_draft *draft = base;
    WY_TRY(check_stop(r, &draft->problem));
    if (draft->problem.floor.surface) WY_TRY(wy_floor_to_plane(r, &draft->problem));
    WY_TRY(hang_rods(r, draft));
    if (draft->rods) return WITHY_OK;
    draft->no_rod = !wy_has(r, "rod");
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        if (!wy_has(r, shared[i])) continue;
        if (draft->no_rod)
            return wy_complain(r, shared[i],
                               "%s belongs to a rod, and the scene has no rod; add rod = { ... }",
                               shared[i]);
        lua_getfield(r->lua, -1, "rod");
        const int twice = wy_has(r, shared[i]);
        lua_pop(r->lua, 1);
        if (twice)
            return wy_complain(r, shared[i], "%s and rod.%s are both given; keep one", shared[i],
                               shared[i]);
    }
    if (!draft->only.rod.name) draft->only.rod.name = "rod";
    return draft->no_rod ? WITHY_OK : wy_finish_rod(r, &draft->only, "");
}

withy_status wy_finish_group(wy_reader *r, const char *group, void *base) {
    static const struct {
        const char *group;
        withy_status (*finish)(wy_reader *, void *);
    } row[] = {{"material", finish_material},
               {"tube", finish_tube},
               {"helix", finish_helix},
               {"initial", finish_initial},
               {"catenary", finish_catenary},
               {"static", finish_static},
               {"distributed", finish_distributed},
               {"point", finish_point},
               {"floor", finish_floor},
               {"contact", finish_contact},
               {"rotating", finish_rotating},
               {"medium", finish_medium},
               {"field", finish_field},
               {"fluid", finish_fluid},
               {"body_fluid", finish_body_fluid},
               {"hinge", finish_limits},
               {"slider", finish_limits},
               {"time", finish_time},
               {"path", finish_path},
               {"scene", finish_scene}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (strcmp(row[i].group, group) == 0) return row[i].finish(r, base);
    return WITHY_OK;
}

/* ---- where the rod lies ----------------------------------------------------------------------- */

void wy_rod_draft_begin(wy_rod_draft *draft) {
    *draft = (wy_rod_draft){.poisson = NAN};
}

/* The pose of an end at t = 0; zero vectors where it is not given.  A start that is held, nowhere in particular, is held
 * where the shape begins: at its `from`, or at the origin. */
typedef struct advice {
    int has_position;
    vec3 position, tangent, normal;
} advice;

static withy_status advice_of(const withy_end *end, advice *out, withy_error *err) {
    double x[WITHY_FIELD_MAX] = {0};
    *out = (advice){.has_position = end->position.size > 0};
    WY_TRY(withy_field_at(&end->position, 0, 0, x, err));
    if (out->has_position) out->position = v3_from(x);
    WY_TRY(withy_field_at(&end->tangent, 0, 0, x, err));
    if (end->tangent.size) out->tangent = v3_from(x);
    WY_TRY(withy_field_at(&end->normal, 0, 0, x, err));
    if (end->normal.size) out->normal = v3_from(x);
    if (end->frame.size) {
        WY_TRY(withy_field_at(&end->frame, 0, 0, x, err));
        const mat3 frame = q_matrix((quat){x[0], x[1], x[2], x[3]});
        out->tangent = frame.c3, out->normal = frame.c1;
    }
    return WITHY_OK;
}

/* The direction of a straight rod: from end to end if both are known, else as an end points. */
static vec3 straight_along(const advice *start, const advice *finish) {
    if (start->has_position && finish->has_position) {
        const vec3 chord = v3_sub(finish->position, start->position);
        const double length = v3_norm(chord);
        if (length > 0 && isfinite(length)) return v3_scale(1 / length, chord);
    }
    if (!v3_is_zero(start->tangent)) return start->tangent;
    if (!v3_is_zero(finish->tangent)) return finish->tangent;
    return v3(0, 0, 1);
}

/* Fill what the shape leaves open from the poses of the ends. */
static void place_shape(const withy_rod *rod, withy_shape *shape, advice start,
                        const advice *finish) {
    if (!start.has_position && wy_end_places(&rod->end[0])) {
        start.has_position = 1;
        start.position = isnan(shape->from.x) ? v3(0, 0, 0) : shape->from;
    }
    const int is_line = shape->kind == WITHY_SHAPE_STRAIGHT || shape->kind == WITHY_SHAPE_PLUCK;
    if (v3_is_zero(shape->along) && is_line)
        shape->along = straight_along(&start, finish);
    else if (v3_is_zero(shape->along) && shape->kind != WITHY_SHAPE_HELIX)
        shape->along = v3_is_zero(start.tangent) ? v3(0, 0, 1) : start.tangent;
    else if (v3_is_zero(shape->along))
        shape->along = v3(0, 0, 1);
    if (v3_is_zero(shape->normal) && shape->kind != WITHY_SHAPE_HELIX) shape->normal = start.normal;
    if (isnan(shape->to.x)) shape->to = finish->has_position ? finish->position : shape->to;
    if (!isnan(shape->from.x)) return;
    if (start.has_position)
        shape->from = start.position;
    else if (is_line && finish->has_position)
        shape->from = v3_axpy(finish->position, -rod->length, shape->along);
    else
        shape->from = v3(0, 0, 0);
}

static withy_status check_pluck(wy_reader *r, const withy_shape *shape, const char *path) {
    const double slant = v3_dot(shape->direction, shape->along);
    if (shape->kind != WITHY_SHAPE_PLUCK || fabs(slant) <= 1e-6) return WITHY_OK;
    return wy_complain(r, "initial.shape.direction",
                       "%s%sinitial.shape.direction must be across the rod; it has %.3g along it",
                       path, path[0] ? "." : "", slant);
}

/* A catenary needs both of its points. */
static withy_status check_catenary(wy_reader *r, const withy_shape *shape, const char *path,
                                   const char *key) {
    if (shape->kind != WITHY_SHAPE_CATENARY || !isnan(shape->to.x)) return WITHY_OK;
    return wy_complain(r, key,
                       "%s%s%s.to is missing: give 3 numbers { x, y, z } [m] (where it ends), or "
                       "the position of ends.finish",
                       path, path[0] ? "." : "", key);
}

/* A catenary hangs in the direction of gravity, which is read last. */
static withy_status hang_down(wy_reader *r, withy_vec3 gravity, withy_shape *shape) {
    if (shape->kind != WITHY_SHAPE_CATENARY || !v3_is_zero(shape->direction)) return WITHY_OK;
    if (!(v3_norm(gravity) > 0))
        return wy_complain(r, "gravity",
                           "there is no gravity, in whose direction a catenary hangs; give "
                           "gravity, or catenary { direction = ... }");
    shape->direction = v3_unit(gravity);
    return WITHY_OK;
}

static withy_status hang_rods(wy_reader *r, wy_scene_draft *draft) {
    const int count = draft->rods ? draft->rod_count : 1;
    withy_rod *rod = draft->rods ? draft->rods : &draft->only.rod;
    for (int i = 0; i < count; i++) {
        WY_TRY(hang_down(r, draft->problem.gravity, &rod[i].rest));
        WY_TRY(hang_down(r, draft->problem.gravity, &rod[i].initial));
    }
    return WITHY_OK;
}

withy_status wy_finish_rod(wy_reader *r, wy_rod_draft *draft, const char *path) {
    withy_rod *rod = &draft->rod;
    advice start, finish;
    if (rod->rest.kind == WITHY_SHAPE_PLUCK)
        return wy_complain(r, path[0] ? "rest" : "rod.rest",
                           "%s.rest: pluck is for initial.shape only; a rest shape has no kink",
                           path[0] ? path : "rod");
    WY_TRY(advice_of(&rod->end[0], &start, r->err));
    WY_TRY(advice_of(&rod->end[1], &finish, r->err));
    if (rod->rest.kind == WITHY_SHAPE_NONE && rod->initial.kind == WITHY_SHAPE_NONE)
        rod->initial = (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .from = {NAN, NAN, NAN}};
    if (rod->rest.kind != WITHY_SHAPE_NONE) place_shape(rod, &rod->rest, start, &finish);
    if (rod->initial.kind != WITHY_SHAPE_NONE) place_shape(rod, &rod->initial, start, &finish);
    WY_TRY(check_catenary(r, &rod->rest, path, path[0] ? "rest" : "rod.rest"));
    WY_TRY(check_catenary(r, &rod->initial, path, "initial.shape"));
    return check_pluck(r, &rod->initial, path);
}
