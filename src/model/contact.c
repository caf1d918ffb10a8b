/* contact.c - what touches: radii, obstacles, and the checks that need no method. */
#include "model/contact.h"

#include "model/schema/schema.h"

/* ---- rods --------------------------------------------------------------------------------------------- */

withy_status wy_rod_radius(const withy_rod *rod, double s, double *radius, withy_error *err) {
    double x[WITHY_FIELD_MAX] = {0};
    const withy_section *section = &rod->section;
    const int round = section->kind == WITHY_SECTION_CIRCLE || section->kind == WITHY_SECTION_TUBE;
    if (!rod->radius.size && !round)
        return wy_bad_input(err,
                            "rod.radius" WY_KEY
                            " is missing: the section is not round, so contact needs the radius of "
                            "its surface (for a flat section, half its larger side)");
    WY_TRY(withy_field_at(rod->radius.size ? &rod->radius : &section->a, s, 0, x, err));
    *radius = rod->radius.size ? x[0] : 0.5 * x[0];
    if (*radius > 0) return WITHY_OK;
    return wy_bad_input(err, "rod.radius" WY_KEY " = %g at s = %g: must be > 0 [m]", *radius, s);
}

withy_status wy_rod_hardness(const withy_problem *problem, const withy_rod *rod, double s,
                             double *stiffness, withy_error *err) {
    double k[WITHY_STRAINS], radius = 0;
    *stiffness = problem->contact.stiffness;
    if (*stiffness > 0) return WITHY_OK;
    WY_TRY(wy_rod_radius(rod, s, &radius, err));
    WY_TRY(wy_stiffness_at(rod, s, k, err));
    *stiffness = k[WITHY_STRETCH] / (WY_PI * radius * radius);
    if (isfinite(*stiffness)) return WITHY_OK;
    return wy_bad_input(err,
                        "contact.stiffness" WY_KEY " is missing: the rod cannot stretch, so it has "
                        "no modulus to take it from; give it [N/m^2]");
}

/* ---- checks ------------------------------------------------------------------------------------------- */

typedef struct number {
    const char *key, *unit;
    double value;
    int positive;
} number;

static withy_status check_numbers(const char *where, const number *row, int count,
                                  withy_error *err) {
    char key[2 * WITHY_NAME];
    for (int i = 0; i < count; i++) {
        snprintf(key, sizeof key, "%s.%s", where, row[i].key);
        WY_TRY(row[i].positive ? wy_check_positive(key, row[i].value, row[i].unit, err)
                               : wy_check_not_negative(key, row[i].value, row[i].unit, err));
    }
    return WITHY_OK;
}

static withy_status check_contact(const withy_contact *at, withy_error *err) {
    WY_TRY(wy_check_values(WY_IN_CONTACT, 0, at, "contact", err));
    const wy_contact_kind *law = wy_contact_kind_of((int)at->law);
    if (law->begins && !(at->gap > 0 && isfinite(at->gap)))
        return wy_bad_input(err, "contact.gap" WY_KEY " = %g: a %s needs where it begins, > 0 [m]",
                            at->gap, law->name);
    if (!law->begins && at->gap != 0)
        return wy_bad_input(
            err, "contact.gap" WY_KEY ": belongs to law = \"barrier\"; a %s contact has none",
            law->name);
    return WITHY_OK;
}

static withy_status check_size(const char *where, const withy_obstacle *at, withy_error *err) {
    const number ball[] = {{"radius", "m", at->radius, 1}, {"length", "m", at->length, 0}};
    const number box[] = {
        {"size", "m", at->size.x, 1}, {"size", "m", at->size.y, 1}, {"size", "m", at->size.z, 1}};
    switch (at->kind) {
    case WITHY_OBSTACLE_SPHERE:
    case WITHY_OBSTACLE_CYLINDER: WY_TRY(check_numbers(where, ball, 2, err)); break;
    case WITHY_OBSTACLE_CAPSULE:
        WY_TRY(check_numbers(where, ball, 2, err));
        if (!(at->length > 2 * at->radius))
            return wy_bad_input(err,
                                "%s.length" WY_KEY
                                " = %g: is with the caps and must be > %g, its diameter [m]",
                                where, at->length, 2 * at->radius);
        break;
    case WITHY_OBSTACLE_BOX: WY_TRY(check_numbers(where, box, 3, err)); break;
    case WITHY_OBSTACLE_MESH:
        WY_TRY(wy_check_count(where, at->triangle_count, at->triangle, err));
        return wy_check_count(where, at->vertex_count, at->vertex, err);
    case WITHY_OBSTACLE_DISTANCE:
        if (!at->distance)
            return wy_bad_input(err, "%s.value" WY_KEY " is missing: give a function", where);
        break;
    case WITHY_OBSTACLE_PLANE: break;
    }
    if (at->inside && at->kind == WITHY_OBSTACLE_CYLINDER && at->length > 0)
        return wy_bad_input(err,
                            "%s" WY_KEY
                            ": a cylinder with a length that holds the rod inside would be closed "
                            "at its ends; leave out length for a tube, or use a capsule",
                            where);
    return WITHY_OK;
}

static withy_status check_obstacle(const char *where, const withy_obstacle *at, withy_error *err) {
    const double norm = q_norm(at->frame);
    if ((unsigned)at->kind > WITHY_OBSTACLE_DISTANCE)
        return wy_bad_input(err, "%s.kind" WY_KEY " = %d: must be 0 .. %d, see withy_obstacle_kind",
                            where, (int)at->kind, WITHY_OBSTACLE_DISTANCE);
    if (norm != 0 && !(fabs(norm - 1) <= 1e-6))
        return wy_bad_input(err,
                            "%s.frame" WY_KEY " has length %.9g; it must be a unit quaternion { w, "
                            "x, y, z } (divide it by its length)",
                            where, norm);
    WY_TRY(wy_check_values(WY_IN_OBSTACLE, (int)at->kind, at, where, err));
    return check_size(where, at, err);
}

/* Radius and modulus of every rod, where they are needed. */
static withy_status check_rods(const withy_problem *problem, withy_error *err) {
    enum { SAMPLES = 5 };
    for (int i = 0; i < problem->rod_count; i++) {
        const withy_rod *rod = &problem->rod[i];
        for (int k = 0; k < SAMPLES; k++) {
            const double s = rod->length * k / (SAMPLES - 1);
            double unused;
            withy_status status = wy_rod_radius(rod, s, &unused, err);
            if (status == WITHY_OK) status = wy_rod_hardness(problem, rod, s, &unused, err);
            if (status != WITHY_OK && problem->rod_count > 1) return wy_fail_in_rod(err, status, i);
            WY_TRY(status);
        }
    }
    return WITHY_OK;
}

withy_status wy_contact_check(const withy_problem *problem, withy_error *err) {
    WY_TRY(wy_check_count("obstacles", problem->obstacle_count, problem->obstacle, err));
    if (!problem->contact.given && problem->obstacle_count == 0) return WITHY_OK;
    if (problem->contact.given) WY_TRY(check_contact(&problem->contact, err));
    for (int i = 0; i < problem->obstacle_count; i++) {
        char where[WITHY_NAME];
        snprintf(where, sizeof where, "obstacles[%d]", i + 1);
        WY_TRY(check_obstacle(where, &problem->obstacle[i], err));
    }
    const withy_status status = check_rods(problem, err);
    if (status == WITHY_OK || !problem->floor.surface) return status;
    return wy_fail_in(err, status, "floor" WY_KEY " (with axis = true the axis touches it): ");
}

/* ---- surfaces ----------------------------------------------------------------------------------------- */

/* What a function of the user says; where it fails there is no number. */
static double call_distance(const void *self, vec3 x) {
    const withy_obstacle *obstacle = self;
    double distance = NAN;
    const withy_status status = obstacle->distance(obstacle->context, x, &distance, NULL);
    return status == WITHY_OK ? distance : NAN;
}

static mat3 frame_of(const withy_obstacle *at) {
    const vec3 axis = v3_is_zero(at->along) ? v3(0, 0, 1) : v3_unit(at->along);
    const quat q = at->frame;
    if (q_norm(q) != 0) return q_matrix(q_unit(q));
    return v3_is_zero(at->along) ? m3_identity() : m3_frame(axis, v3_orthogonal(axis));
}

/* Size and kind, about the origin. */
static wy_obstacle surface_of(const withy_obstacle *at) {
    wy_obstacle out = {.kind = (wy_obstacle_kind)at->kind,
                       .inside = at->inside,
                       .frame = frame_of(at),
                       .radius = at->radius,
                       .half = v3_scale(0.5, at->size),
                       .distance = call_distance,
                       .self = at};
    if (at->kind == WITHY_OBSTACLE_CYLINDER && at->length > 0)
        out.kind = WY_OBSTACLE_DRUM, out.half.z = 0.5 * at->length;
    if (at->kind == WITHY_OBSTACLE_CAPSULE) out.half.z = 0.5 * at->length - at->radius;
    return out;
}

static int has_friction(const double friction[WITHY_FRICTIONS]) {
    int any = 0;
    for (int i = 0; i < WITHY_FRICTIONS; i++) any |= friction[i] > 0;
    return any;
}

const wy_contact_kind *wy_contact_law_of(const withy_problem *problem) {
    return wy_contact_kind_of(problem->contact.given ? (int)problem->contact.law : 0);
}

int wy_contact_has_friction(const withy_problem *problem) {
    int any = problem->contact.given && has_friction(problem->contact.friction);
    for (int i = 0; i < problem->obstacle_count; i++)
        any |= problem->obstacle[i].own_friction && has_friction(problem->obstacle[i].friction);
    return any;
}

int wy_body_surface(const withy_body *body, wy_obstacle *out) {
    static const withy_obstacle_kind kind[] = {
        [WITHY_BODY_SPHERE] = WITHY_OBSTACLE_SPHERE,
        [WITHY_BODY_BOX] = WITHY_OBSTACLE_BOX,
        [WITHY_BODY_CYLINDER] = WITHY_OBSTACLE_CYLINDER,
        [WITHY_BODY_CAPSULE] = WITHY_OBSTACLE_CAPSULE,
    };
    const double *size = body->size;
    if (body->shape == WITHY_BODY_ELLIPSOID || !(size[0] > 0)) return 0;
    const withy_obstacle same = {.kind = kind[body->shape],
                                 .radius = 0.5 * size[0],
                                 .length = size[1],
                                 .size = {size[0], size[1], size[2]}};
    *out = surface_of(&same);
    out->self = NULL;
    return 1;
}

/* The size of what touches obstacles: the thinnest rod, or the smallest body. */
static double touching_size(const withy_problem *problem) {
    double least = INFINITY, radius = 0;
    withy_error unused;
    for (int i = 0; i < problem->rod_count; i++)
        if (wy_rod_radius(&problem->rod[i], 0, &radius, &unused) == WITHY_OK)
            least = wy_min(least, radius);
    for (int i = 0; i < problem->body_count; i++)
        if (problem->body[i].size[0] > 0) least = wy_min(least, 0.5 * problem->body[i].size[0]);
    return isfinite(least) ? least : 1e-3;
}

static int same_mesh(const withy_obstacle *a, const withy_obstacle *b) {
    return a->kind == b->kind && a->triangle == b->triangle && a->vertex == b->vertex &&
           a->triangle_count == b->triangle_count && a->vertex_count == b->vertex_count;
}

static withy_status compile_one(const withy_problem *problem, int i, vec3 origin,
                                const wy_obstacle *mesh, wy_arena *arena, wy_obstacle_model *out,
                                withy_error *err) {
    const withy_obstacle *at = &problem->obstacle[i];
    const withy_contact *contact = &problem->contact;
    double x[WITHY_FIELD_MAX] = {0};
    *out = (wy_obstacle_model){.shape = surface_of(at),
                               .moves = wy_field_varies(&at->point) || at->point.table ||
                                        wy_field_has_input(&at->point),
                               .stiffness = at->stiffness,
                               .damping = at->own_damping ? at->damping : contact->damping};
    memcpy(out->friction, at->own_friction ? at->friction : contact->friction,
           sizeof out->friction);
    WY_TRY(withy_field_at(&at->point, 0, 0, x, err));
    out->shape.point = v3_sub(v3_from(x), origin);
    out->shape.touches = touching_size(problem);
    if (mesh) out->shape.self = mesh->self;
    if (mesh || at->kind != WITHY_OBSTACLE_MESH) return WITHY_OK;
    const wy_mesh *made;
    const withy_status status = wy_mesh_make(at->vertex, at->vertex_count, at->triangle,
                                             at->triangle_count, arena, &made, err);
    out->shape.self = made;
    return status == WITHY_OK ? status
                              : wy_fail_in(err, status, "obstacles[%d]" WY_KEY ": ", i + 1);
}

withy_status wy_obstacles_compile(const withy_problem *problem, vec3 origin,
                                  const withy_problem *like, const wy_obstacle_model *known,
                                  wy_arena *arena, const wy_obstacle_model **out,
                                  withy_error *err) {
    const int count = problem->obstacle_count;
    *out = NULL;
    if (count == 0) return WITHY_OK;
    wy_obstacle_model *made = wy_arena_alloc(arena, (size_t)count, sizeof *made);
    if (!made) return wy_no_memory(err, "no memory for the obstacles");
    for (int i = 0; i < count; i++) {
        const int same = like && i < like->obstacle_count &&
                         problem->obstacle[i].kind == WITHY_OBSTACLE_MESH &&
                         same_mesh(&problem->obstacle[i], &like->obstacle[i]);
        WY_TRY(
            compile_one(problem, i, origin, same ? &known[i].shape : NULL, arena, &made[i], err));
    }
    *out = made;
    return WITHY_OK;
}
