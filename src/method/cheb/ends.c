/* ends.c - the ends of the rod: stationary, driven by position, velocity or acceleration, or
 * loose with a force, a moment, springs and a body.
 *
 *   Dirichlet0   u given; v by differences of it                      [CH] Appendix E
 *   Dirichlet1   v given, qdot = E^T omega / 2; u integrated
 *   Dirichlet2   a given, qdd = E^T alpha / 2 - (omega.omega/4) q     (2.76); u, v integrated
 *
 * Departs from [CH]: every derivative of a driven end is set, not only the given one (its kinetic
 * energy was wrong and AB lost its order), and position and direction are held independently.
 */
#include "method/cheb/cheb.h"
#include "method/cheb/frame.h"

/* ---- the state of a node --------------------------------------------------------------------- */

static double near_angle(double angle, double near) {
    return angle + 2.0 * WY_PI * rint((near - angle) / (2.0 * WY_PI));
}

static void put_place(const wy_cheb *x, double *at, int ld, vec3 r) {
    if (x->planar) {
        at[0] = v3_dot(r, x->plane.e1), at[ld] = v3_dot(r, x->plane.e2);
    } else {
        put_vec(at, ld, 0, r);
    }
}

/* The frame as an angle or a quaternion, on the branch that is closest to the one there. */
static void put_turn(const wy_cheb *x, double *at, int ld, mat3 frame) {
    if (x->planar) {
        const double angle = atan2(v3_dot(frame.c3, x->plane.e2), v3_dot(frame.c3, x->plane.e1));
        at[2 * ld] = near_angle(angle, at[2 * ld]);
        return;
    }
    put_quat(at, ld, 0, q_near(wy_cheb_quat_of(frame), quat_at(at, ld, 0)));
}

wy_pose wy_cheb_pose_of(const wy_cheb *x, const double *at, int ld) {
    if (!x->planar) {
        const quat q = q_unit(quat_at(at, ld, 0));
        return (wy_pose){vec_at(at, ld, 0), wy_cheb_frame_of(q)};
    }
    const wy_plane *p = &x->plane;
    const vec3 r = v3_axpy(v3_axpy(v3_scale(p->height, p->normal), at[0], p->e1), at[ld], p->e2);
    const double c = cos(at[2 * ld]), s = sin(at[2 * ld]);
    const vec3 d3 = v3_axpy(v3_scale(c, p->e1), s, p->e2), b = v3_cross(p->normal, d3);
    const vec3 d1 = v3_axpy(v3_scale(p->normal_in[0], p->normal), p->across_in[0], b);
    const vec3 d2 = v3_axpy(v3_scale(p->normal_in[1], p->normal), p->across_in[1], b);
    return (wy_pose){r, {d1, d2, d3}};
}

/* In the plane: what is prescribed must lie in it, or along its normal, at every time it is read; nothing is
 * projected away. */
static withy_status out_of_plane(const wy_cheb_end *end, const char *what, double t,
                                 withy_error *err) {
    return wy_unsupported(err,
                          "cheb: ends.%s.%s" WY_KEY
                          " leaves the plane of the rod at t = %g; set options.space = \"spatial\"",
                          end->node ? "finish" : "start", what, t);
}

static int is_across(const wy_cheb *x, vec3 a) {
    return !x->planar || fabs(v3_dot(a, x->plane.normal)) <= 1e-9 * v3_norm(a);
}

static int is_along_normal(const wy_cheb *x, vec3 a) {
    return !x->planar || v3_norm(v3_cross(a, x->plane.normal)) <= 1e-9 * v3_norm(a);
}

static withy_status check_pose(const wy_cheb *x, const wy_cheb_end *end, double t,
                               const wy_pose *pose, withy_error *err) {
    if (!x->planar) return WITHY_OK;
    const wy_plane *p = &x->plane;
    const double off = v3_dot(pose->r, p->normal) - p->height;
    if (end->place == WY_CHEB_DRIVEN && !(fabs(off) <= 1e-9 * (x->grid.length + v3_norm(pose->r))))
        return out_of_plane(end, "position", t, err);
    if (end->turn != WY_CHEB_DRIVEN) return WITHY_OK;
    const int twisted = !end->end.turns_free &&
                        !(fabs(v3_dot(pose->frame.c1, p->normal) - p->normal_in[0]) <= 1e-7);
    if (twisted || !is_across(x, pose->frame.c3)) return out_of_plane(end, "frame", t, err);
    return WITHY_OK;
}

/* ---- driven ends ------------------------------------------------------------------------------ */

/* Fourth-order differences at t: central, or forward near t = 0, where a scene's functions begin. */
static const double CENTRAL1[5] = {1. / 12, -8. / 12, 0, 8. / 12, -1. / 12};
static const double CENTRAL2[5] = {-1. / 12, 16. / 12, -30. / 12, 16. / 12, -1. / 12};
static const double FORWARD1[5] = {-25. / 12, 48. / 12, -36. / 12, 16. / 12, -3. / 12};
static const double FORWARD2[5] = {35. / 12, -104. / 12, 114. / 12, -56. / 12, 11. / 12};

/* d/dt or d2/dt2 of the prescribed pose, written into the held parts of node entries of `out`. */
static withy_status pose_rate(const wy_cheb *x, const wy_cheb_end *end, double t, int order,
                              const double *u, double *out, withy_error *err) {
    const int i = end->node, ld = x->grid.ld, fields = x->fields, turn = wy_cheb_places(x);
    const double h = x->drive_step;
    const int forward = t < 2 * h;
    const double *weight =
        order == 1 ? (forward ? FORWARD1 : CENTRAL1) : (forward ? FORWARD2 : CENTRAL2);
    double sum[7] = {0};
    for (int k = 0; k < 5; k++) {
        if (weight[k] == 0.0) continue;
        wy_pose pose;
        const double at = t + (k - (forward ? 0 : 2)) * h;
        WY_TRY(wy_end_pose(&end->end, at, &pose, err));
        WY_TRY(check_pose(x, end, at, &pose, err));
        double node[7];
        for (int f = 0; f < fields; f++) node[f] = u[f * ld + i];
        put_place(x, node, 1, pose.r);
        put_turn(x, node, 1, pose.frame);
        for (int f = 0; f < fields; f++) sum[f] += weight[k] * node[f] / (order == 1 ? h : h * h);
    }
    for (int f = 0; f < fields; f++) {
        const int kind = wy_cheb_kind(x, end, f);
        if (kind == WY_CHEB_DRIVEN && !(f >= turn && end->rolls)) out[f * ld + i] = sum[f];
    }
    return WITHY_OK;
}

/* A prescribed rate: of the place it lies in the plane, of the turn along its normal. */
static withy_status rate_field(const wy_cheb *x, const wy_cheb_end *end, const withy_field *field,
                               double t, vec3 *out, withy_error *err) {
    const withy_end *given = end->end.end;
    const int turns = field == &given->spin || field == &given->spin_rate;
    double value[WITHY_FIELD_MAX] = {0};
    WY_TRY(withy_field_at(field, end->end.s, t, value, err));
    *out = v3_from(value);
    if (turns ? is_along_normal(x, *out) : is_across(x, *out)) return WITHY_OK;
    return out_of_plane(end,
                        field == &given->velocity       ? "velocity"
                        : field == &given->acceleration ? "acceleration"
                        : field == &given->spin         ? "spin"
                                                        : "spin_rate",
                        t, err);
}

static void put_spin(const wy_cheb *x, const double *u, double *v, int i, vec3 spin) {
    const int ld = x->grid.ld;
    if (x->planar)
        v[2 * ld + i] = v3_dot(spin, x->plane.normal);
    else
        put_quat(v, ld, i, wy_cheb_et(quat_at(u, ld, i), v3_scale(0.5, spin)));
}

/* A tangent that is held while the section may turn about it: the smallest rotation that corrects it.  The
 * quaternion keeps its length, as those of the other nodes do within a step. */
static void aim(const wy_cheb *x, double *u, int i, vec3 tangent) {
    const int ld = x->grid.ld;
    const vec3 now = wy_cheb_pose(x, u, i).frame.c3;
    if (v3_norm(v3_cross(now, tangent)) == 0.0 && v3_dot(now, tangent) > 0) return;
    put_quat(u, ld, i, q_mul(q_from_matrix(m3_between(now, tangent)), quat_at(u, ld, i)));
}

/* First and second rate of the held tangent at t. */
static withy_status tangent_rates(const wy_cheb *x, const wy_cheb_end *end, double t, vec3 rate[2],
                                  withy_error *err) {
    const double h = x->drive_step;
    const int forward = t < 2 * h;
    rate[0] = rate[1] = v3(0, 0, 0);
    for (int k = 0; k < 5 && end->turn == WY_CHEB_DRIVEN; k++) {
        wy_pose pose;
        WY_TRY(wy_end_pose(&end->end, t + (k - (forward ? 0 : 2)) * h, &pose, err));
        rate[0] = v3_axpy(rate[0], (forward ? FORWARD1 : CENTRAL1)[k] / h, pose.frame.c3);
        rate[1] = v3_axpy(rate[1], (forward ? FORWARD2 : CENTRAL2)[k] / (h * h), pose.frame.c3);
    }
    return WITHY_OK;
}

/* The spin of a section whose tangent is held: across it that of the tangent, along it its own. */
static withy_status aim_rate(const wy_cheb *x, const wy_cheb_end *end, double t, const double *u,
                             double *v, withy_error *err) {
    const int ld = x->grid.ld, i = end->node;
    const quat q = quat_at(u, ld, i);
    const vec3 d3 = wy_cheb_pose(x, u, i).frame.c3;
    vec3 rate[2];
    WY_TRY(tangent_rates(x, end, t, rate, err));
    const vec3 spin = v3_scale(2.0 / q_dot(q, q), wy_cheb_e(q, quat_at(v, ld, i)));
    const vec3 more = v3_sub(v3_axpy(v3_cross(d3, rate[0]), v3_dot(spin, d3), d3), spin);
    add_quat(v, ld, i, wy_cheb_et(q, v3_scale(0.5, more)));
    return WITHY_OK;
}

/* Its angular acceleration likewise: alpha = t x t'' + (t.omega) t' + (t.alpha) t. */
static withy_status aim_accel(const wy_cheb *x, const wy_cheb_end *end, double t, const double *u,
                              const double *v, double *a, withy_error *err) {
    const int ld = x->grid.ld, i = end->node;
    if (end->turn != WY_CHEB_DRIVEN) return WITHY_OK;
    const quat q = quat_at(u, ld, i);
    const vec3 d3 = wy_cheb_pose(x, u, i).frame.c3;
    vec3 rate[2];
    WY_TRY(tangent_rates(x, end, t, rate, err));
    const double turns = 2.0 * v3_dot(wy_cheb_e(q, quat_at(v, ld, i)), d3);
    const vec3 was = v3_scale(2.0, wy_cheb_e(q, quat_at(a, ld, i)));
    const vec3 now = v3_axpy(v3_axpy(v3_cross(d3, rate[1]), turns, rate[0]), v3_dot(was, d3), d3);
    add_quat(a, ld, i, wy_cheb_et(q, v3_scale(0.5, v3_sub(now, was))));
    return WITHY_OK;
}

static withy_status bound_one(const wy_cheb *x, const wy_cheb_end *end, double t, double *u,
                              double *v, withy_error *err) {
    const int i = end->node, ld = x->grid.ld, turn = x->planar ? 2 : 3;
    for (int f = 0; f < x->fields; f++) {
        const int kind = wy_cheb_kind(x, end, f);
        if (kind != WY_CHEB_STATIC || (f >= turn && end->rolls)) continue;
        u[f * ld + i] = end->equilibrium[f];
        if (v) v[f * ld + i] = 0.0;
    }
    wy_pose pose;
    if (end->place == WY_CHEB_DRIVEN || end->turn == WY_CHEB_DRIVEN || end->rolls) {
        WY_TRY(wy_end_pose(&end->end, t, &pose, err));
        WY_TRY(check_pose(x, end, t, &pose, err));
        if (end->place == WY_CHEB_DRIVEN) put_place(x, u + i, ld, pose.r);
        if (end->rolls) {
            aim(x, u, i, pose.frame.c3);
            if (v) WY_TRY(aim_rate(x, end, t, u, v, err));
        } else if (end->turn == WY_CHEB_DRIVEN) {
            put_turn(x, u + i, ld, pose.frame);
        }
        if (v && (x->along.viscous || !x->staging)) WY_TRY(pose_rate(x, end, t, 1, u, v, err));
    }
    if (!v) return WITHY_OK;
    vec3 rate;
    if (end->place == WY_CHEB_DRIVEN_VELOCITY) {
        WY_TRY(rate_field(x, end, &end->end.end->velocity, t, &rate, err));
        put_place(x, v + i, ld, rate);
    }
    if (end->turn == WY_CHEB_DRIVEN_VELOCITY) {
        WY_TRY(rate_field(x, end, &end->end.end->spin, t, &rate, err));
        put_spin(x, u, v, i, rate);
    }
    return WITHY_OK;
}

withy_status wy_cheb_bound(const wy_cheb *x, double t, double *u, double *v, withy_error *err) {
    for (int e = 0; e < 2; e++)
        if (x->end[e].place != WY_CHEB_LOOSE || x->end[e].turn != WY_CHEB_LOOSE)
            WY_TRY(bound_one(x, &x->end[e], t, u, v, err));
    return WITHY_OK;
}

/* Rate of a velocity that is given as a function, by central differences (forward near 0). */
static withy_status field_rate(const wy_cheb *x, const wy_cheb_end *end, const withy_field *field,
                               double t, vec3 *out, withy_error *err) {
    const double h = x->drive_step;
    const int forward = t < 2 * h;
    *out = v3(0, 0, 0);
    for (int k = 0; k < 5; k++) {
        vec3 value;
        WY_TRY(rate_field(x, end, field, t + (k - (forward ? 0 : 2)) * h, &value, err));
        *out = v3_axpy(*out, (forward ? FORWARD1 : CENTRAL1)[k] / h, value);
    }
    return WITHY_OK;
}

static void put_spin_rate(const wy_cheb *x, const double *u, const double *v, double *a, int i,
                          vec3 alpha) {
    put_spin(x, u, a, i, alpha);
    if (x->planar) return;
    const int ld = x->grid.ld; /* (2.76): the quaternion keeps its length */
    double square = 0;
    for (int f = 3; f < 7; f++) square += v[f * ld + i] * v[f * ld + i];
    for (int f = 3; f < 7; f++) a[f * ld + i] -= square * u[f * ld + i];
}

static withy_status accel_one(const wy_cheb *x, const wy_cheb_end *end, double t, const double *u,
                              const double *v, double *a, withy_error *err) {
    const int i = end->node, ld = x->grid.ld, turn = x->planar ? 2 : 3;
    const withy_end *given = end->end.end;
    for (int f = 0; f < x->fields; f++) {
        const int kind = wy_cheb_kind(x, end, f);
        if (kind != WY_CHEB_LOOSE && !(f >= turn && end->rolls)) a[f * ld + i] = 0.0;
    }
    if (end->rolls) WY_TRY(aim_accel(x, end, t, u, v, a, err));
    /* Runge-Kutta never uses the acceleration of an end whose position or velocity is given */
    const int requested = x->opt.integrator >= WY_SECOND_AB2 || end->mass > 0;
    if (requested && (end->place == WY_CHEB_DRIVEN || (end->turn == WY_CHEB_DRIVEN && !end->rolls)))
        WY_TRY(pose_rate(x, end, t, 2, u, a, err));
    vec3 rate = v3(0, 0, 0);
    if (end->place == WY_CHEB_DRIVEN_ACCELERATION)
        WY_TRY(rate_field(x, end, &given->acceleration, t, &rate, err));
    if (end->place == WY_CHEB_DRIVEN_VELOCITY && requested)
        WY_TRY(field_rate(x, end, &given->velocity, t, &rate, err));
    if (end->place >= WY_CHEB_DRIVEN_VELOCITY) put_place(x, a + i, ld, rate);
    rate = v3(0, 0, 0);
    if (end->turn == WY_CHEB_DRIVEN_ACCELERATION)
        WY_TRY(rate_field(x, end, &given->spin_rate, t, &rate, err));
    if (end->turn == WY_CHEB_DRIVEN_VELOCITY && requested)
        WY_TRY(field_rate(x, end, &given->spin, t, &rate, err));
    if (end->turn >= WY_CHEB_DRIVEN_VELOCITY) put_spin_rate(x, u, v, a, i, rate);
    return WITHY_OK;
}

withy_status wy_cheb_bound_accel(const wy_cheb *x, double t, const double *u, const double *v,
                                 double *a, withy_error *err) {
    for (int e = 0; e < 2; e++)
        if (x->end[e].place != WY_CHEB_LOOSE || x->end[e].turn != WY_CHEB_LOOSE)
            WY_TRY(accel_one(x, &x->end[e], t, u, v, a, err));
    return WITHY_OK;
}

/* ---- loose ends ------------------------------------------------------------------------------ */

vec3 wy_cheb_spring_turn(const wy_cheb_end *end, mat3 frame) {
    if (!(end->spring_turn > 0)) return v3(0, 0, 0);
    return q_log(q_from_matrix(m3_mulm(frame, m3_transpose(end->spring_frame))));
}

withy_status wy_cheb_end_load_held(const wy_cheb *x, const wy_cheb_end *end, double t,
                                   const withy_section_state *at, vec3 *force, vec3 *moment,
                                   withy_error *err) {
    const wy_state_point state_point = wy_state_point_end(&end->end);
    const mat3 frame = {at->frame[0], at->frame[1], at->frame[2]};
    const vec3 r = at->position;
    double apply[6];
    WY_TRY(wy_state_load_value(&state_point, t, x->state->factor, at, apply, err));
    *force = v3_from(apply), *moment = v3_from(apply + 3);
    if (end->mass > 0) {
        const vec3 weight = v3_scale(end->mass * x->state->factor, x->problem->gravity);
        const mat3 thesis = wy_cheb_axes(frame);
        *force = v3_add(*force, weight);
        *moment = v3_add(*moment, v3_cross(m3_mul(thesis, end->offset), weight));
    }
    if (end->spring > 0) *force = v3_axpy(*force, -end->spring, v3_sub(r, end->spring_at));
    if (end->spring_turn > 0)
        *moment = v3_axpy(*moment, -end->spring_turn, wy_cheb_spring_turn(end, frame));
    return WITHY_OK;
}

/* The same in the fields of the balance. */
static withy_status pull_fields(const wy_cheb *x, const wy_cheb_end *end, double t, const double *u,
                                const double *v, double out[6], withy_error *err) {
    for (int f = 0; f < 6; f++) out[f] = 0.0;
    if (!end->pulled) return WITHY_OK;
    vec3 force, moment;
    const withy_section_state at =
        wy_cheb_state_of(x, u + end->node, v ? v + end->node : NULL, x->grid.ld);
    WY_TRY(wy_cheb_end_load_held(x, end, t, &at, &force, &moment, err));
    if (!x->planar) {
        v3_to(force, out), v3_to(moment, out + 3);
        return WITHY_OK;
    }
    const wy_plane *p = &x->plane;
    /* springs and weights have rounding where they are nearly zero: measured by the rod's own stiffness */
    const double stiff = 1e-9 * x->along.c2[0][end->node] / x->grid.length;
    if (!is_across(x, force) && fabs(v3_dot(force, p->normal)) > stiff / x->grid.length)
        return out_of_plane(end, "force", t, err);
    if (!is_along_normal(x, moment) && v3_norm(v3_cross(moment, p->normal)) > stiff)
        return out_of_plane(end, "moment", t, err);
    out[0] = v3_dot(force, p->e1), out[1] = v3_dot(force, p->e2),
    out[2] = v3_dot(moment, p->normal);
    return WITHY_OK;
}

static int is_loose(const wy_cheb_end *end) {
    return end->place == WY_CHEB_LOOSE || end->turn == WY_CHEB_LOOSE || end->rolls;
}

withy_status wy_cheb_replace_ends(wy_cheb *x, double t, const double *u, const double *v,
                                  withy_error *err) {
    const int ld = x->grid.ld;
    for (int e = 0; e < 2; e++) {
        const wy_cheb_end *end = &x->end[e];
        double pull[6], *f = x->f + end->node;
        if (!is_loose(end)) continue;
        WY_TRY(pull_fields(x, end, t, u, v, pull, err));
        if (end->rolls) { /* only the moment about the tangent is known */
            const vec3 d3 = wy_cheb_pose(x, u, end->node).frame.c3;
            const vec3 m = vec_at(f + 3 * ld, ld, 0);
            const double known = end->out * v3_dot(v3_from(pull + 3), d3);
            put_vec(f + 3 * ld, ld, 0, v3_axpy(m, known - v3_dot(m, d3), d3));
        }
        for (int k = 0; k < wy_cheb_rows(x); k++)
            if (wy_cheb_kind(x, end, k) == WY_CHEB_LOOSE) f[k * ld] = end->out * pull[k];
    }
    return WITHY_OK;
}

withy_status wy_cheb_weigh_ends(wy_cheb *x, double t, const double *u, const double *v,
                                withy_error *err) {
    const int ld = x->grid.ld;
    for (int e = 0; e < 2; e++) {
        const wy_cheb_end *end = &x->end[e];
        double pull[6];
        if (!is_loose(end)) continue;
        WY_TRY(pull_fields(x, end, t, u, v, pull, err));
        const int places = wy_cheb_places(x);
        const int from = end->place == WY_CHEB_LOOSE ? 0 : places;
        const int to = end->turn == WY_CHEB_LOOSE || end->rolls ? wy_cheb_rows(x) : places;
        const double per = 1.0 / end->w0, out = end->out;
        const double *f = x->f + end->node;
        double *df = x->df + end->node;
        for (int k = from; k < to; k++) df[k * ld] += per * (pull[k] - out * f[k * ld]);
    }
    return WITHY_OK;
}

/* ---- floor and drag ------------------------------------------------------------------------------- */

void wy_cheb_floor_normal(const wy_cheb *x, double normal[3]) {
    const vec3 n = x->problem->floor.normal;
    v3_to(n, normal);
    if (x->planar) normal[0] = v3_dot(n, x->plane.e1), normal[1] = v3_dot(n, x->plane.e2);
}

static void push_floor(const wy_cheb *x, const double *u, const double *v) {
    const withy_floor *floor = &x->problem->floor;
    const int ld = x->grid.ld, places = wy_cheb_places(x);
    double n[3], level = v3_dot(floor->point, floor->normal);
    wy_cheb_floor_normal(x, n);
    if (x->planar) level -= x->plane.height * v3_dot(floor->normal, x->plane.normal);
    for (int i = 0; i <= x->grid.n; i++) {
        double depth = level, speed = 0;
        for (int f = 0; f < places; f++) {
            depth -= n[f] * u[f * ld + i];
            if (v) speed += n[f] * v[f * ld + i];
        }
        const double push = floor->stiffness * depth - floor->damping * speed;
        for (int f = 0; f < places && (depth > 0 || x->touching); f++)
            x->df[f * ld + i] += push * n[f];
    }
}

void wy_cheb_resist(wy_cheb *x, const double *u, const double *v) {
    const wy_cheb_along *r = &x->along;
    const int ld = x->grid.ld, places = wy_cheb_places(x);
    if (x->problem->floor.given) push_floor(x, u, v);
    if (!v) return;
    for (int i = 0; i <= x->grid.n; i++) {
        double square = 0, *df = x->df + i;
        for (int f = 0; f < places; f++) square += v[f * ld + i] * v[f * ld + i];
        const double k = r->drag + r->drag_quadratic * sqrt(square);
        for (int f = 0; f < places; f++) df[f * ld] -= k * v[f * ld + i];
        if (x->planar) {
            df[2 * ld] -= r->drag_spin * v[2 * ld + i];
        } else if (r->drag_spin > 0) {
            const vec3 half = wy_cheb_e(quat_at(u, ld, i), quat_at(v, ld, i));
            add_vec(df + 3 * ld, ld, 0, v3_scale(-2 * r->drag_spin, half));
        }
    }
}

/* ---- made once ------------------------------------------------------------------------------------ */

static int hold_of(int holds, const withy_field *rate, const withy_field *rate2, int driven) {
    if (!holds) return WY_CHEB_LOOSE;
    if (rate2->size) return WY_CHEB_DRIVEN_ACCELERATION;
    if (rate->size) return WY_CHEB_DRIVEN_VELOCITY;
    return driven ? WY_CHEB_DRIVEN : WY_CHEB_STATIC;
}

/* A body, by its inertia about the end of the rod, and springs. */
static void attach(wy_cheb_end *end, const withy_end *given) {
    const vec3 c = wy_cheb_to_thesis(given->offset), centre = wy_cheb_to_thesis(given->inertia);
    end->mass = given->mass, end->offset = c;
    end->body = given->mass > 0 || !v3_is_zero(given->inertia);
    const double m = given->mass, cc = v3_dot(c, c); /* J = J_centre + m (c.c 1 - c c^T) */
    end->inertia = (mat3){v3(centre.x + m * (cc - c.x * c.x), -m * c.y * c.x, -m * c.z * c.x),
                          v3(-m * c.x * c.y, centre.y + m * (cc - c.y * c.y), -m * c.z * c.y),
                          v3(-m * c.x * c.z, -m * c.y * c.z, centre.z + m * (cc - c.z * c.z))};
    end->spring = given->spring, end->spring_turn = given->spring_turn;
    end->pulled = given->force.size || given->moment.size || given->mass > 0 || given->spring > 0 ||
                  given->spring_turn > 0;
    end->spring_at = end->end.start.r, end->spring_frame = end->end.start.frame;
}

withy_status wy_cheb_ends_make(wy_cheb *x, double *u, withy_error *err) {
    const int ld = x->grid.ld;
    for (int e = 0; e < 2; e++) {
        wy_cheb_end *end = &x->end[e];
        const withy_end *given = &x->rod->end[e];
        WY_TRY(wy_model_end(x->setup->model, 0, e, &end->end, err));
        end->node = e ? x->grid.n : 0;
        end->out = e ? 1.0 : -1.0;
        end->w0 = x->grid.w[end->node];
        end->place = hold_of(wy_end_holds_position(given), &given->velocity, &given->acceleration,
                             end->end.drives_position);
        end->turn = hold_of(wy_end_holds_direction(given), &given->spin, &given->spin_rate,
                            end->end.drives_frame);
        end->rolls = !x->planar && end->end.turns_free && end->turn <= WY_CHEB_DRIVEN;
        attach(end, given);
        wy_pose pose;
        WY_TRY(wy_end_pose(&end->end, 0.0, &pose, err));
        double at[7], *node = u + end->node;
        for (int f = 0; f < x->fields; f++) at[f] = node[f * ld];
        /* start on the branch of the neighbouring section */
        if (end->place == WY_CHEB_STATIC || end->place == WY_CHEB_DRIVEN)
            put_place(x, node, ld, pose.r);
        if (end->turn == WY_CHEB_STATIC || end->turn == WY_CHEB_DRIVEN)
            put_turn(x, node, ld, pose.frame);
        for (int f = 0; f < x->fields; f++) {
            end->equilibrium[f] = node[f * ld];
            if (x->rod->settled || end->end.misses)
                node[f * ld] = at[f]; /* the distance is covered by the statics */
        }
    }
    return WITHY_OK;
}
