/* curve.c - shapes that must be followed from s = 0, followed once.
 *
 * Along a curve the frame is carried by double reflection (Wang, Juettler, Zheng, Liu 2008), which is
 * of fourth order, in steps of L/512; a shape given by strains is integrated by classical Runge-Kutta
 * in steps of L/2048.  The grid is kept, and a station is reached from the grid point before it by one
 * more step.  position(s) of a curve is sampled once (numeric/interpolate/interpolate.h): its slopes take seven
 * points each, and none of them calls the user's function again.  A placed rod is read where it is asked for.
 * Everything is followed relative to r(0), so that a rod far from the origin is as exact as one at it.
 */
#include "model/shape/shape.h"

enum { CURVE_STEPS = 512, STRAIN_STEPS = 2048, FIRST_PIECES = 8 };

/* How far |r'| of a curve may be from 1: an approximate parametrisation is accepted, a wrong one is not.
 */
static const double ARC_LENGTH_TOLERANCE = 1e-3;

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

/* Relative to the start. */
static withy_status call_position(void *context, double s, double *x, withy_error *err) {
    const wy_curve *curve = context;
    WY_TRY(withy_field_at(&curve->shape.position, s, 0, x, err));
    v3_to(v3_sub(v3_from(x), curve->from), x);
    return WITHY_OK;
}

static withy_status curve_point(const wy_curve *curve, double s, double *x, withy_error *err) {
    return wy_piecewise_at(&curve->sampled, s, x, err);
}

/* r, r' and r'' of a curve at s, using only points in [0, L]. */
static withy_status curve_at(const wy_curve *curve, double s, vec3 *r, vec3 *slope, vec3 *bend,
                             withy_error *err) {
    if (curve->shape.kind == WITHY_SHAPE_THROUGH) {
        wy_thread_at(&curve->thread, s, r, slope, bend);
        return WITHY_OK;
    }
    const double step = 2e-3 * curve->length;
    double left = s - 3 * step; /* the seven points start here */
    if (left < 0) left = 0;
    if (left + 6 * step > curve->length) left = curve->length - 6 * step;
    double first[7], second[7], x[WITHY_FIELD_MAX];
    difference_weights((s - left) / step, first, second);
    *slope = *bend = v3(0, 0, 0);
    for (int i = 0; i < 7; i++) {
        WY_TRY(curve_point(curve, left + i * step, x, err));
        *slope = v3_axpy(*slope, first[i] / step, v3_from(x));
        *bend = v3_axpy(*bend, second[i] / (step * step), v3_from(x));
    }
    WY_TRY(curve_point(curve, s, x, err));
    *r = v3_from(x);
    const double speed = v3_norm(*slope);
    if (!(fabs(speed - 1.0) <= ARC_LENGTH_TOLERANCE))
        return wy_bad_input(
            err,
            "the curve is not parametrised by arc length: it moves %.6g per unit of s at s = %g; "
            "divide its parameter by that speed or change rod.length",
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

static withy_status curve_pose(const wy_curve *curve, double s, wy_pose *pose, withy_error *err) {
    vec3 slope, bend;
    WY_TRY(curve_at(curve, s, &pose->r, &slope, &bend, err));
    pose->frame.c3 = v3_unit(slope);
    return WITHY_OK;
}

static withy_status curve_start(const wy_curve *curve, wy_pose *pose, withy_error *err) {
    WY_TRY(curve_pose(curve, 0, pose, err));
    const vec3 t = pose->frame.c3;
    vec3 n = curve->shape.normal;
    if (v3_is_zero(n) || v3_norm(v3_cross(n, t)) < 1e-9 * v3_norm(n)) n = v3_orthogonal(t);
    pose->frame = m3_frame(t, n);
    return WITHY_OK;
}

static double grid_at(const wy_curve *curve, int intervals, int i) {
    return curve->length * i / intervals;
}

/* The last grid point before s, or at it. */
static int grid_before(const wy_curve *curve, int intervals, double s) {
    const double i = floor(s / curve->length * intervals + 1e-9);
    return (int)wy_max(0, wy_min(curve->steps, i));
}

static withy_status sample_curve(wy_curve *curve, wy_arena *arena, withy_error *err) {
    double x[WITHY_FIELD_MAX];
    if (curve->shape.position.call)
        WY_TRY(withy_field_at(&curve->shape.position, 0, 0, x, err)); /* its size is known */
    else
        return wy_bad_input(err, "a curve is a function of s; it is not given");
    curve->from = v3_from(x);
    const double scale = wy_max(curve->length, v3_norm(curve->from)); /* its rounding */
    return wy_piecewise_make(call_position, curve, 3, 0, curve->length, FIRST_PIECES, scale, arena,
                             &curve->sampled, err);
}

static withy_status follow_curve(wy_curve *curve, wy_arena *arena, withy_error *err) {
    if (curve->shape.kind == WITHY_SHAPE_THROUGH) {
        WY_TRY(wy_thread_make(curve->length, &curve->shape, arena, &curve->thread, err));
        curve->from = curve->shape.point[0];
    } else {
        WY_TRY(sample_curve(curve, arena, err));
    }
    curve->curve = wy_arena_alloc(arena, (size_t)curve->steps + 1, sizeof *curve->curve);
    if (!curve->curve) return wy_no_memory(err, "no memory for a curve");
    WY_TRY(curve_start(curve, &curve->curve[0], err));
    for (int i = 1; i <= curve->steps; i++) {
        WY_TRY(curve_pose(curve, grid_at(curve, CURVE_STEPS, i), &curve->curve[i], err));
        double_reflection(&curve->curve[i - 1], &curve->curve[i]);
    }
    return WITHY_OK;
}

/* From the grid point before it, by one more reflection. */
static withy_status curve_at_station(const wy_curve *curve, double s, wy_pose *pose,
                                     withy_error *err) {
    const int i = grid_before(curve, CURVE_STEPS, s);
    *pose = curve->curve[i];
    if (!(s > grid_at(curve, CURVE_STEPS, i))) return WITHY_OK;
    WY_TRY(curve_pose(curve, s, pose, err));
    double_reflection(&curve->curve[i], pose);
    return WITHY_OK;
}

/* The curvature vector of a curve is t x t'; its components in Bishop's frame are the bends. */
static withy_status curve_strain(const wy_curve *curve, double s, double strain[WITHY_STRAINS],
                                 withy_error *err) {
    wy_pose pose;
    vec3 r, slope, bend;
    WY_TRY(curve_at_station(curve, s, &pose, err));
    WY_TRY(curve_at(curve, s, &r, &slope, &bend, err));
    const vec3 kappa = m3_tmul(pose.frame, v3_cross(slope, bend));
    for (int i = 0; i < WITHY_STRAINS; i++) strain[i] = 0.0;
    strain[WITHY_BEND1] = kappa.x, strain[WITHY_BEND2] = kappa.y;
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

/* One classical Runge-Kutta step of length h from s, where the strains are e0; those at its end are
 * left in e0. */
static withy_status strain_step(const withy_shape *shape, double s, double h, double *e0,
                                wy_stand *at, withy_error *err) {
    double e1[WITHY_STRAINS], e2[WITHY_STRAINS];
    const quat q = at->q;
    WY_TRY(strain_at(shape, s + 0.5 * h, e1, err));
    WY_TRY(strain_at(shape, s + h, e2, err));
    const rate k1 = strain_rate(q, e0);
    const rate k2 = strain_rate(q_axpy(q, 0.5 * h, k1.q), e1);
    const rate k3 = strain_rate(q_axpy(q, 0.5 * h, k2.q), e1);
    const rate k4 = strain_rate(q_axpy(q, h, k3.q), e2);
    at->r = v3_axpy(at->r, h / 6, v3_add(v3_add(k1.r, k4.r), v3_scale(2, v3_add(k2.r, k3.r))));
    const quat sum = q_axpy(q_axpy(q_axpy(k1.q, 2, k2.q), 2, k3.q), 1, k4.q);
    at->q = q_unit(q_axpy(q, h / 6, sum));
    memcpy(e0, e2, sizeof e2);
    return WITHY_OK;
}

static withy_status follow_strain(wy_curve *curve, wy_arena *arena, withy_error *err) {
    double e[WITHY_STRAINS];
    curve->stand = wy_arena_alloc(arena, (size_t)curve->steps + 1, sizeof *curve->stand);
    if (!curve->stand) return wy_no_memory(err, "no memory for a shape");
    wy_stand at = {curve->shape.from, q_from_matrix(wy_shape_start_frame(&curve->shape))};
    WY_TRY(strain_at(&curve->shape, 0, e, err));
    curve->stand[0] = at;
    for (int i = 1; i <= curve->steps; i++) {
        const double s = grid_at(curve, STRAIN_STEPS, i - 1);
        const double h = grid_at(curve, STRAIN_STEPS, i) - s;
        WY_TRY(strain_step(&curve->shape, s, h, e, &at, err));
        curve->stand[i] = at;
    }
    return WITHY_OK;
}

/* From the grid point before it, by one more step. */
static withy_status strain_at_station(const wy_curve *curve, double s, wy_pose *pose,
                                      withy_error *err) {
    const int i = grid_before(curve, STRAIN_STEPS, s);
    const double from = grid_at(curve, STRAIN_STEPS, i);
    wy_stand at = curve->stand[i];
    double e[WITHY_STRAINS];
    if (s > from) {
        WY_TRY(strain_at(&curve->shape, from, e, err));
        WY_TRY(strain_step(&curve->shape, from, s - from, e, &at, err));
    }
    *pose = (wy_pose){at.r, q_matrix(at.q)};
    return WITHY_OK;
}

/* ---- places and frames ----------------------------------------------------------------------- */

static withy_status placed_at(const wy_curve *curve, double s, vec3 *r, quat *q, withy_error *err) {
    double x[WITHY_FIELD_MAX];
    WY_TRY(withy_field_at(&curve->shape.position, s, 0, x, err));
    *r = v3_sub(v3_from(x), curve->from);
    WY_TRY(withy_field_at(&curve->shape.frame, s, 0, x, err));
    *q = (quat){x[0], x[1], x[2], x[3]};
    const double size = sqrt(q->w * q->w + q->x * q->x + q->y * q->y + q->z * q->z);
    if (!(fabs(size - 1.0) <= 1e-6))
        return wy_bad_input(
            err, "frame has the length %.9g at s = %g; it must be a unit quaternion { w, x, y, z }",
            size, s);
    *q = q_unit(*q);
    return WITHY_OK;
}

static withy_status placed_pose(const wy_curve *curve, double s, wy_pose *pose, withy_error *err) {
    quat q;
    WY_TRY(placed_at(curve, s, &pose->r, &q, err));
    pose->frame = q_matrix(q);
    return WITHY_OK;
}

static withy_status follow_placed(wy_curve *curve, withy_error *err) {
    double x[WITHY_FIELD_MAX];
    wy_pose pose;
    WY_TRY(withy_field_at(&curve->shape.position, 0, 0, x, err));
    curve->from = v3_from(x);
    for (int i = 0; i <= FIRST_PIECES; i++) /* an invalid frame is reported before the run */
        WY_TRY(placed_pose(curve, grid_at(curve, FIRST_PIECES, i), &pose, err));
    return WITHY_OK;
}

/* gamma = R^T r' - e3, kappa = 2 Im(q* q'), the derivatives from seven points in [0, L]; q and -q are
 * the same frame. */
static withy_status placed_strain(const wy_curve *curve, double s, double strain[WITHY_STRAINS],
                                  withy_error *err) {
    const double step = 2e-3 * curve->length;
    const double left = wy_min(wy_max(s - 3 * step, 0), curve->length - 6 * step);
    double first[7], second[7];
    vec3 r, slope = v3(0, 0, 0);
    quat at, q, turn = {0};
    difference_weights((s - left) / step, first, second);
    WY_TRY(placed_at(curve, s, &r, &at, err));
    for (int i = 0; i < 7; i++) {
        WY_TRY(placed_at(curve, left + i * step, &r, &q, err));
        const double same = q.w * at.w + q.x * at.x + q.y * at.y + q.z * at.z < 0 ? -1.0 : 1.0;
        slope = v3_axpy(slope, first[i] / step, r);
        turn = q_axpy(turn, same * first[i] / step, q);
    }
    const vec3 v = m3_tmul(q_matrix(at), slope);
    const quat u = q_mul((quat){at.w, -at.x, -at.y, -at.z}, turn);
    const double e[WITHY_STRAINS] = {v.x, v.y, v.z - 1.0, 2 * u.x, 2 * u.y, 2 * u.z};
    memcpy(strain, e, sizeof e);
    return WITHY_OK;
}

/* ---- walks ----------------------------------------------------------------------------------- */

static int is_plucked(const withy_rod *rod, const withy_shape *shape) {
    return shape->kind == WITHY_SHAPE_PLUCK && wy_end_holds_position(&rod->end[0]) &&
           wy_end_holds_position(&rod->end[1]);
}

/* Follow a shape from 0 as far as `reach`. */
static withy_status follow(const withy_rod *rod, const withy_shape *shape, double reach,
                           wy_arena *arena, wy_curve *curve, withy_error *err) {
    const int is_curve = shape->kind == WITHY_SHAPE_CURVE || shape->kind == WITHY_SHAPE_THROUGH;
    const int intervals = is_curve ? CURVE_STEPS : STRAIN_STEPS;
    *curve = (wy_curve){.length = rod->length, .shape = *shape, .from = shape->from};
    curve->shape.from = v3(0, 0, 0);
    curve->steps = (int)wy_min(intervals, ceil(reach / rod->length * intervals - 1e-9));
    curve->plucked = is_plucked(rod, shape);
    if (curve->plucked) return wy_pluck_make(rod, &curve->shape, arena, &curve->pluck, err);
    if (is_curve) return follow_curve(curve, arena, err);
    if (shape->kind == WITHY_SHAPE_CATENARY)
        return wy_catenary_make(rod->length, shape, &curve->hang, err);
    if (shape->kind == WITHY_SHAPE_STRAIN) return follow_strain(curve, arena, err);
    if (shape->kind == WITHY_SHAPE_PLACED) return follow_placed(curve, err);
    return WITHY_OK;
}

withy_status wy_curve_make(const withy_rod *rod, const withy_shape *shape, wy_arena *arena,
                           const wy_curve **curve, withy_error *err) {
    wy_curve *made = wy_arena_alloc(arena, 1, sizeof *made);
    if (!made) return wy_no_memory(err, "no memory for a shape");
    *curve = made;
    return follow(rod, shape, rod->length, arena, made, err);
}

withy_status wy_curve_poses(const wy_curve *curve, vec3 origin, int count, const double *s,
                            wy_pose *pose, withy_error *err) {
    const vec3 from = v3_sub(curve->from, origin);
    for (int i = 0; i < count; i++) {
        if (curve->curve)
            WY_TRY(curve_at_station(curve, s[i], &pose[i], err));
        else if (curve->stand)
            WY_TRY(strain_at_station(curve, s[i], &pose[i], err));
        else if (curve->shape.kind == WITHY_SHAPE_CATENARY)
            pose[i] = wy_catenary_pose(&curve->hang, s[i]);
        else if (curve->shape.kind == WITHY_SHAPE_PLACED)
            WY_TRY(placed_pose(curve, s[i], &pose[i], err));
        else
            pose[i] = curve->plucked ? wy_pluck_pose(&curve->pluck, s[i])
                                     : wy_shape_closed_pose(&curve->shape, curve->length, s[i]);
        pose[i].r = v3_add(from, pose[i].r);
    }
    return WITHY_OK;
}

withy_status wy_curve_strains(const wy_curve *curve, int count, const double *s,
                              double (*strain)[WITHY_STRAINS], withy_error *err) {
    for (int i = 0; i < count; i++) {
        if (curve->curve)
            WY_TRY(curve_strain(curve, s[i], strain[i], err));
        else if (curve->shape.kind == WITHY_SHAPE_STRAIN)
            WY_TRY(strain_at(&curve->shape, s[i], strain[i], err));
        else if (curve->shape.kind == WITHY_SHAPE_CATENARY)
            wy_catenary_strain(&curve->hang, s[i], strain[i]);
        else if (curve->shape.kind == WITHY_SHAPE_PLACED)
            WY_TRY(placed_strain(curve, s[i], strain[i], err));
        else
            wy_shape_closed_strain(&curve->shape, s[i], strain[i]);
    }
    return WITHY_OK;
}

/* ---- a shape that has not been walked yet ----------------------------------------------------- */

withy_status wy_shape_poses(const withy_rod *rod, const withy_shape *shape, int count,
                            const double *s, wy_pose *pose, withy_error *err) {
    wy_arena arena = {0};
    wy_curve curve;
    if (count < 1) return WITHY_OK;
    withy_status status = follow(rod, shape, s[count - 1], &arena, &curve, err);
    if (status == WITHY_OK) status = wy_curve_poses(&curve, v3(0, 0, 0), count, s, pose, err);
    wy_arena_free(&arena);
    return status;
}

withy_status wy_shape_strains(const withy_rod *rod, const withy_shape *shape, int count,
                              const double *s, double (*strain)[WITHY_STRAINS], withy_error *err) {
    wy_arena arena = {0};
    wy_curve curve = {.length = rod->length, .shape = *shape};
    withy_status status = WITHY_OK;
    if (count > 0 && shape->kind != WITHY_SHAPE_STRAIN)
        status = follow(rod, shape, s[count - 1], &arena, &curve, err);
    if (status == WITHY_OK) status = wy_curve_strains(&curve, count, s, strain, err);
    wy_arena_free(&arena);
    return status;
}
