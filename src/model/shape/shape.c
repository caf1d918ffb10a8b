/* shape.c - the shapes that are known in closed form, and the choice of the shape.
 *
 * A frame rotates as little as possible along its curve (Bishop's frame, also called rotation
 * minimising): d1' and d2' are along d3, so twist is zero by construction.  For straight, arc and
 * helix it is known in closed form; curve.c follows the others.
 */
#include "model/shape/shape.h"

const withy_shape *wy_initial_shape(const withy_rod *rod) {
    return rod->initial.kind != WITHY_SHAPE_NONE ? &rod->initial : &rod->rest;
}

int wy_shape_is_straight(const withy_shape *shape) {
    return shape->kind == WITHY_SHAPE_NONE || shape->kind == WITHY_SHAPE_STRAIGHT ||
           (shape->kind == WITHY_SHAPE_PLUCK && shape->height == 0.0);
}

/* The frame at s = 0 from along and normal; z and any normal when they are not given. */
mat3 wy_shape_start_frame(const withy_shape *shape) {
    const vec3 t = v3_is_zero(shape->along) ? v3(0, 0, 1) : v3_unit(shape->along);
    const vec3 n = v3_is_zero(shape->normal) ? v3_orthogonal(t) : shape->normal;
    return m3_frame(t, n);
}

/* ---- closed forms ---------------------------------------------------------------------------- */

static wy_pose straight_pose(const withy_shape *shape, double s) {
    const mat3 frame = wy_shape_start_frame(shape);
    return (wy_pose){v3_axpy(shape->from, s, frame.c3), frame};
}

/* d1(0) points to the centre; d1 and d3 turn together about d2. */
static wy_pose arc_pose(const withy_shape *shape, double s) {
    const mat3 f = wy_shape_start_frame(shape);
    const double a = shape->radius, c = cos(s / a), d = sin(s / a);
    const vec3 r = v3_axpy(v3_axpy(shape->from, a * d, f.c3), a * (1 - c), f.c1);
    const vec3 d3 = v3_add(v3_scale(c, f.c3), v3_scale(d, f.c1));
    const vec3 d1 = v3_sub(v3_scale(c, f.c1), v3_scale(d, f.c3));
    return (wy_pose){r, {d1, f.c2, d3}};
}

typedef struct helix {
    vec3 axis, radial;         /* k, and from the axis to r(0)         */
    double a, b, c, hand;      /* radius, climb/2pi, sqrt(a^2 + b^2)   */
    double curvature, torsion; /* a/c^2, +-b/c^2                       */
} helix;

static helix helix_of(const withy_shape *shape) {
    helix h = {.a = shape->radius, .b = fabs(shape->pitch) / (2 * WY_PI)};
    h.axis = v3_is_zero(shape->along) ? v3(0, 0, 1) : v3_unit(shape->along);
    h.radial = v3_is_zero(shape->normal) ? v3_orthogonal(h.axis) : v3_reject(shape->normal, h.axis);
    h.hand = shape->pitch < 0 ? -1.0 : 1.0;
    h.c = hypot(h.a, h.b);
    h.curvature = h.a / (h.c * h.c);
    h.torsion = h.hand * h.b / (h.c * h.c);
    return h;
}

/* Bishop's frame of a helix is Frenet's, turned back by torsion * s; d1(0) is radial. */
static wy_pose helix_pose(const withy_shape *shape, double s) {
    const helix h = helix_of(shape);
    const double phi = s / h.c, c = cos(phi), d = h.hand * sin(phi);
    const vec3 across = v3_cross(h.axis, h.radial);
    const vec3 radial = v3_add(v3_scale(c, h.radial), v3_scale(d, across));
    const vec3 stencil = v3_scale(h.hand, v3_cross(h.axis, radial));
    vec3 r = v3_axpy(shape->from, h.a, v3_sub(radial, h.radial));
    r = v3_axpy(r, h.b * phi, h.axis);
    const vec3 d3 = v3_add(v3_scale(h.a / h.c, stencil), v3_scale(h.b / h.c, h.axis));
    const vec3 binormal = v3_cross(d3, v3_scale(-1.0, radial));
    const double theta = -h.torsion * s;
    const vec3 d1 = v3_sub(v3_scale(cos(theta), radial), v3_scale(sin(theta), binormal));
    return (wy_pose){r, {d1, v3_cross(d3, d1), d3}};
}

/* Straight to the plucked point, straight on to the end. */
static wy_pose pluck_pose(const withy_shape *shape, double length, double s) {
    wy_pose pose = straight_pose(shape, s);
    const double before = shape->height / shape->at, after = shape->height / (length - shape->at);
    const double rise = s <= shape->at ? before * s : after * (length - s);
    const double slope = s <= shape->at ? before : -after;
    pose.r = v3_axpy(pose.r, rise, shape->direction);
    const vec3 tangent = v3_unit(v3_axpy(pose.frame.c3, slope, shape->direction));
    pose.frame = m3_mulm(m3_between(pose.frame.c3, tangent), pose.frame);
    return pose;
}

/* ---- poses and strains ---------------------------------------------------------------------------- */

wy_pose wy_shape_closed_pose(const withy_shape *shape, double length, double s) {
    switch (shape->kind) {
    case WITHY_SHAPE_ARC: return arc_pose(shape, s);
    case WITHY_SHAPE_HELIX: return helix_pose(shape, s);
    case WITHY_SHAPE_PLUCK: return pluck_pose(shape, length, s);
    default: return straight_pose(shape, s);
    }
}

void wy_shape_closed_strain(const withy_shape *shape, double s, double strain[WITHY_STRAINS]) {
    for (int j = 0; j < WITHY_STRAINS; j++) strain[j] = 0.0;
    if (shape->kind == WITHY_SHAPE_ARC) strain[WITHY_BEND2] = 1.0 / shape->radius;
    if (shape->kind == WITHY_SHAPE_HELIX) {
        const helix h = helix_of(shape);
        strain[WITHY_BEND1] = h.curvature * sin(h.torsion * s);
        strain[WITHY_BEND2] = -h.curvature * cos(h.torsion * s);
    }
}

withy_status wy_rod_has_three_strains(const char *method, const withy_rod *rod, withy_error *err) {
    const withy_shape *shapes[2] = {&rod->rest, wy_initial_shape(rod)};
    for (int i = 0; i < 2; i++)
        if (shapes[i]->kind == WITHY_SHAPE_STRAIN && shapes[i]->strain.size == 6)
            return wy_unsupported(err,
                                  "%s: the rod neither shears nor stretches; give the %s shape by "
                                  "three strains (bend1, bend2, twist)" WY_OR_USE_ANOTHER,
                                  method, i ? "initial" : "rest");
    return WITHY_OK;
}
