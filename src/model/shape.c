/* shape.c - poses and strains of the shapes a scene can name.
 *
 * A frame turns as little as possible along its curve (Bishop's frame, also called rotation
 * minimising): d1' and d2' are along d3, so twist is zero by construction.  For straight, arc and
 * helix it is known in closed form; along any other curve it is carried by double reflection (Wang,
 * Juettler, Zheng, Liu 2008), which is of fourth order, in steps of at most L/512.  A shape given
 * by strains is integrated by classical Runge-Kutta in steps of at most L/2048.
 */
#include "model/model.h"

enum { CURVE_STEPS = 512, STRAIN_STEPS = 2048 };

/* How far |r'| of a curve may be from 1: a user's own approximation is fine, a wrong parameter not.
 */
static const double ARC_LENGTH_TOLERANCE = 1e-3;

const withy_shape *wy_initial_shape(const withy_rod *rod) {
    return rod->initial.kind != WITHY_SHAPE_NONE ? &rod->initial : &rod->rest;
}

int wy_shape_is_straight(const withy_shape *shape) {
    return shape->kind == WITHY_SHAPE_NONE || shape->kind == WITHY_SHAPE_STRAIGHT ||
           (shape->kind == WITHY_SHAPE_PLUCK && shape->height == 0.0);
}

/* The frame at s = 0 from along and normal; z and any normal when they are not given. */
static mat3 start_frame(const withy_shape *shape) {
    const vec3 t = v3_is_zero(shape->along) ? v3(0, 0, 1) : v3_unit(shape->along);
    const vec3 n = v3_is_zero(shape->normal) ? v3_orthogonal(t) : shape->normal;
    return m3_frame(t, n);
}

/* ---- closed forms ---------------------------------------------------------------------------- */

static wy_pose straight_pose(const withy_shape *shape, double s) {
    const mat3 frame = start_frame(shape);
    return (wy_pose){v3_axpy(shape->from, s, frame.c3), frame};
}

/* d1(0) points to the centre; d1 and d3 turn together about d2. */
static wy_pose arc_pose(const withy_shape *shape, double s) {
    const mat3 f = start_frame(shape);
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
    const vec3 around = v3_scale(h.hand, v3_cross(h.axis, radial));
    vec3 r = v3_axpy(shape->from, h.a, v3_sub(radial, h.radial));
    r = v3_axpy(r, h.b * phi, h.axis);
    const vec3 d3 = v3_add(v3_scale(h.a / h.c, around), v3_scale(h.b / h.c, h.axis));
    const vec3 binormal = v3_cross(d3, v3_scale(-1.0, radial));
    const double theta = -h.torsion * s;
    const vec3 d1 = v3_sub(v3_scale(cos(theta), radial), v3_scale(sin(theta), binormal));
    return (wy_pose){r, {d1, v3_cross(d3, d1), d3}};
}

/* Straight to the plucked point, straight on to the end. */
static wy_pose pluck_pose(const withy_rod *rod, const withy_shape *shape, double s) {
    wy_pose pose = straight_pose(shape, s);
    const double before = shape->height / shape->at,
                 after = shape->height / (rod->length - shape->at);
    const double rise = s <= shape->at ? before * s : after * (rod->length - s);
    const double slope = s <= shape->at ? before : -after;
    pose.r = v3_axpy(pose.r, rise, shape->direction);
    const vec3 tangent = v3_unit(v3_axpy(pose.frame.c3, slope, shape->direction));
    pose.frame = m3_mulm(m3_between(pose.frame.c3, tangent), pose.frame);
    return pose;
}

/* ---- curves ---------------------------------------------------------------------------------- */

/* Weights of the derivatives at one of seven equidistant points (sixth order, exact to degree 6),
 * by Fornberg's recursion, which is exact in a few lines for any point. */
static void difference_weights(double at, double first[7], double second[7]) {
    double c[7][3] = {{1.0, 0.0, 0.0}};
    double c1 = 1.0, c4 = 0.0 - at;
    for (int i = 1; i < 7; i++) {
        const int order = i < 2 ? i : 2;
        double c2 = 1.0;
        const double c5 = c4;
        c4 = i - at;
        for (int j = 0; j < i; j++) {
            const double c3 = i - j;
            c2 *= c3;
            if (j == i - 1) {
                for (int k = order; k >= 1; k--)
                    c[i][k] = c1 * (k * c[i - 1][k - 1] - c5 * c[i - 1][k]) / c2;
                c[i][0] = -c1 * c5 * c[i - 1][0] / c2;
            }
            for (int k = order; k >= 1; k--) c[j][k] = (c4 * c[j][k] - k * c[j][k - 1]) / c3;
            c[j][0] = c4 * c[j][0] / c3;
        }
        c1 = c2;
    }
    for (int i = 0; i < 7; i++) first[i] = c[i][1], second[i] = c[i][2];
}

/* r, r' and r'' of a curve at s, using only points in [0, L]. */
static withy_status curve_at(const withy_rod *rod, const withy_shape *shape, double s, vec3 *r,
                             vec3 *slope, vec3 *bend, withy_error *err) {
    const double step = 2e-3 * rod->length;
    double left = s - 3 * step; /* the seven points start here */
    if (left < 0) left = 0;
    if (left + 6 * step > rod->length) left = rod->length - 6 * step;
    double first[7], second[7], x[WITHY_FIELD_MAX];
    difference_weights((s - left) / step, first, second);
    *slope = *bend = v3(0, 0, 0);
    for (int i = 0; i < 7; i++) {
        WY_TRY(withy_field_at(&shape->position, left + i * step, 0, x, err));
        *slope = v3_axpy(*slope, first[i] / step, v3_from(x));
        *bend = v3_axpy(*bend, second[i] / (step * step), v3_from(x));
    }
    WY_TRY(withy_field_at(&shape->position, s, 0, x, err));
    *r = v3_from(x);
    const double speed = v3_norm(*slope);
    if (!(fabs(speed - 1.0) <= ARC_LENGTH_TOLERANCE))
        return wy_fail(
            err, WITHY_BAD_INPUT,
            "the curve is not parametrised by arc length: it moves %.6g per unit of s at "
            "s = %g; divide its parameter by that speed or change rod.length",
            speed, s);
    return WITHY_OK;
}

/* Carry d1, d2 from one point of a curve to the next: reflect in the plane between the points, then
 * in the plane that brings the reflected tangent onto the new one. */
static void double_reflection(const wy_pose *from, wy_pose *to) {
    const vec3 v1 = v3_sub(to->r, from->r);
    const double c1 = v3_dot(v1, v1);
    if (!(c1 > 0)) { /* the same point: only the tangent may have turned */
        to->frame = m3_mulm(m3_between(from->frame.c3, to->frame.c3), from->frame);
        return;
    }
    const vec3 d1 = v3_axpy(from->frame.c1, -2.0 / c1 * v3_dot(v1, from->frame.c1), v1);
    const vec3 d3 = v3_axpy(from->frame.c3, -2.0 / c1 * v3_dot(v1, from->frame.c3), v1);
    const vec3 v2 = v3_sub(to->frame.c3, d3);
    const double c2 = v3_dot(v2, v2);
    const vec3 turned = c2 > 0 ? v3_axpy(d1, -2.0 / c2 * v3_dot(v2, d1), v2) : d1;
    to->frame = m3_frame(to->frame.c3, turned);
}

void wy_frames_along(int count, wy_pose *pose) {
    for (int i = 1; i < count; i++) double_reflection(&pose[i - 1], &pose[i]);
}

static withy_status curve_pose(const withy_rod *rod, const withy_shape *shape, double s,
                               wy_pose *pose, withy_error *err) {
    vec3 slope, bend;
    WY_TRY(curve_at(rod, shape, s, &pose->r, &slope, &bend, err));
    pose->frame.c3 = v3_unit(slope);
    return WITHY_OK;
}

/* Carry the frame of *pose (at from) along the curve to s. */
static withy_status curve_walk(const withy_rod *rod, const withy_shape *shape, double from,
                               double s, wy_pose *pose, withy_error *err) {
    const int steps = (int)ceil((s - from) / rod->length * CURVE_STEPS - 1e-9);
    for (int i = 1; i <= steps; i++) {
        wy_pose next;
        WY_TRY(curve_pose(rod, shape, from + (s - from) * i / steps, &next, err));
        double_reflection(pose, &next);
        *pose = next;
    }
    return WITHY_OK;
}

static withy_status curve_start(const withy_rod *rod, const withy_shape *shape, wy_pose *pose,
                                withy_error *err) {
    WY_TRY(curve_pose(rod, shape, 0, pose, err));
    const vec3 t = pose->frame.c3;
    vec3 n = shape->normal;
    if (v3_is_zero(n) || v3_norm(v3_cross(n, t)) < 1e-9 * v3_norm(n)) n = v3_orthogonal(t);
    pose->frame = m3_frame(t, n);
    return WITHY_OK;
}

/* ---- strains --------------------------------------------------------------------------------- */

static withy_status strain_at(const withy_shape *shape, double s, double e[WITHY_STRAINS],
                              withy_error *err) {
    double x[WITHY_FIELD_MAX];
    WY_TRY(withy_field_at(&shape->strain, s, 0, x, err));
    const int first = shape->strain.size == 3 ? 3 : 0;
    for (int i = 0; i < WITHY_STRAINS; i++) e[i] = i < first ? 0.0 : x[i - first];
    return WITHY_OK;
}

typedef struct rate {
    vec3 r;
    quat q;
} rate;

/* r' = R (e3 + gamma), q' = q (0, kappa) / 2. */
static rate strain_rate(quat q, const double e[WITHY_STRAINS]) {
    const quat half = {0, 0.5 * e[WITHY_BEND1], 0.5 * e[WITHY_BEND2], 0.5 * e[WITHY_TWIST]};
    return (rate){q_turn(q_unit(q), v3(e[0], e[1], 1.0 + e[2])), q_mul(q, half)};
}

static quat q_axpy(quat a, double k, quat b) {
    return (quat){a.w + k * b.w, a.x + k * b.x, a.y + k * b.y, a.z + k * b.z};
}

/* One classical Runge-Kutta step of length h. */
static withy_status strain_step(const withy_shape *shape, double s, double h, vec3 *r, quat *q,
                                withy_error *err) {
    double e0[WITHY_STRAINS], e1[WITHY_STRAINS], e2[WITHY_STRAINS];
    WY_TRY(strain_at(shape, s, e0, err));
    WY_TRY(strain_at(shape, s + 0.5 * h, e1, err));
    WY_TRY(strain_at(shape, s + h, e2, err));
    const rate k1 = strain_rate(*q, e0);
    const rate k2 = strain_rate(q_axpy(*q, 0.5 * h, k1.q), e1);
    const rate k3 = strain_rate(q_axpy(*q, 0.5 * h, k2.q), e1);
    const rate k4 = strain_rate(q_axpy(*q, h, k3.q), e2);
    *r = v3_axpy(*r, h / 6, v3_add(v3_add(k1.r, k4.r), v3_scale(2, v3_add(k2.r, k3.r))));
    const quat sum = q_axpy(q_axpy(q_axpy(k1.q, 2, k2.q), 2, k3.q), 1, k4.q);
    *q = q_unit(q_axpy(*q, h / 6, sum));
    return WITHY_OK;
}

static withy_status strain_walk(const withy_rod *rod, const withy_shape *shape, double from,
                                double s, wy_pose *pose, withy_error *err) {
    const int steps = (int)ceil((s - from) / rod->length * STRAIN_STEPS - 1e-9);
    quat q = q_from_matrix(pose->frame);
    for (int i = 0; i < steps; i++) {
        const double h = (s - from) / steps;
        WY_TRY(strain_step(shape, from + i * h, h, &pose->r, &q, err));
    }
    pose->frame = q_matrix(q);
    return WITHY_OK;
}

/* ---- the two doors -----------------------------------------------------------------------------
 */

/* Shapes that must be followed from s = 0. */
static withy_status walk(const withy_rod *rod, const withy_shape *shape, int count, const double *s,
                         wy_pose *pose, withy_error *err) {
    const int curve = shape->kind == WITHY_SHAPE_CURVE;
    wy_pose now = {shape->from, start_frame(shape)};
    if (curve) WY_TRY(curve_start(rod, shape, &now, err));
    double from = 0;
    for (int i = 0; i < count; i++) {
        WY_TRY((curve ? curve_walk : strain_walk)(rod, shape, from, s[i], &now, err));
        from = s[i];
        pose[i] = now;
    }
    return WITHY_OK;
}

withy_status wy_shape_poses(const withy_rod *rod, const withy_shape *shape, int count,
                            const double *s, wy_pose *pose, withy_error *err) {
    const int held = wy_end_holds_position(&rod->end[0]) && wy_end_holds_position(&rod->end[1]);
    if (shape->kind == WITHY_SHAPE_PLUCK && held)
        return wy_pluck_poses(rod, shape, count, s, pose, err);
    if (shape->kind == WITHY_SHAPE_CURVE || shape->kind == WITHY_SHAPE_STRAIN)
        return walk(rod, shape, count, s, pose, err);
    for (int i = 0; i < count; i++) {
        switch (shape->kind) {
        case WITHY_SHAPE_ARC: pose[i] = arc_pose(shape, s[i]); break;
        case WITHY_SHAPE_HELIX: pose[i] = helix_pose(shape, s[i]); break;
        case WITHY_SHAPE_PLUCK: pose[i] = pluck_pose(rod, shape, s[i]); break;
        default: pose[i] = straight_pose(shape, s[i]);
        }
    }
    return WITHY_OK;
}

/* The curvature vector of a curve is t x t'; its components in Bishop's frame are the bends. */
static withy_status curve_strains(const withy_rod *rod, const withy_shape *shape, int count,
                                  const double *s, double (*strain)[WITHY_STRAINS],
                                  withy_error *err) {
    wy_pose now;
    WY_TRY(curve_start(rod, shape, &now, err));
    double from = 0;
    for (int i = 0; i < count; i++) {
        WY_TRY(curve_walk(rod, shape, from, s[i], &now, err));
        from = s[i];
        vec3 r, slope, bend;
        WY_TRY(curve_at(rod, shape, s[i], &r, &slope, &bend, err));
        const vec3 kappa = m3_tmul(now.frame, v3_cross(slope, bend));
        strain[i][WITHY_BEND1] = kappa.x, strain[i][WITHY_BEND2] = kappa.y;
    }
    return WITHY_OK;
}

withy_status wy_shape_strains(const withy_rod *rod, const withy_shape *shape, int count,
                              const double *s, double (*strain)[WITHY_STRAINS], withy_error *err) {
    for (int i = 0; i < count; i++)
        for (int j = 0; j < WITHY_STRAINS; j++) strain[i][j] = 0.0;
    if (shape->kind == WITHY_SHAPE_CURVE) return curve_strains(rod, shape, count, s, strain, err);
    for (int i = 0; i < count; i++) {
        if (shape->kind == WITHY_SHAPE_ARC) strain[i][WITHY_BEND2] = 1.0 / shape->radius;
        if (shape->kind == WITHY_SHAPE_HELIX) {
            const helix h = helix_of(shape);
            strain[i][WITHY_BEND1] = h.curvature * sin(h.torsion * s[i]);
            strain[i][WITHY_BEND2] = -h.curvature * cos(h.torsion * s[i]);
        }
        if (shape->kind == WITHY_SHAPE_STRAIN) WY_TRY(strain_at(shape, s[i], strain[i], err));
    }
    return WITHY_OK;
}
