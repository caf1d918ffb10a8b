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

static void put_place(const wy_cheb *x, double *u, int i, vec3 r) {
    const int ld = x->grid.ld;
    if (x->planar) {
        u[i] = v3_dot(r, x->e1), u[ld + i] = v3_dot(r, x->e2);
    } else {
        u[i] = r.x, u[ld + i] = r.y, u[2 * ld + i] = r.z;
    }
}

/* The frame as an angle or a quaternion, on the branch that is closest to the one there. */
static void put_turn(const wy_cheb *x, double *u, int i, mat3 frame) {
    const int ld = x->grid.ld;
    if (x->planar) {
        const double angle = atan2(v3_dot(frame.c3, x->e2), v3_dot(frame.c3, x->e1));
        u[2 * ld + i] = near_angle(angle, u[2 * ld + i]);
        return;
    }
    quat q = wy_cheb_quat_of(frame);
    double *at = u + 3 * ld + i;
    if (q.w * at[0] + q.x * at[ld] + q.y * at[2 * ld] + q.z * at[3 * ld] < 0)
        q = (quat){-q.w, -q.x, -q.y, -q.z};
    at[0] = q.w, at[ld] = q.x, at[2 * ld] = q.y, at[3 * ld] = q.z;
}

wy_pose wy_cheb_pose(const wy_cheb *x, const double *u, int i) {
    const int ld = x->grid.ld;
    if (!x->planar) {
        const quat q = q_unit((quat){u[3 * ld + i], u[4 * ld + i], u[5 * ld + i], u[6 * ld + i]});
        return (wy_pose){v3(u[i], u[ld + i], u[2 * ld + i]), wy_cheb_frame_of(q)};
    }
    const vec3 r = v3_axpy(v3_axpy(v3_scale(x->height, x->normal), u[i], x->e1), u[ld + i], x->e2);
    const double c = cos(u[2 * ld + i]), s = sin(u[2 * ld + i]);
    const vec3 d3 = v3_axpy(v3_scale(c, x->e1), s, x->e2), b = v3_cross(x->normal, d3);
    const vec3 d1 = v3_axpy(v3_scale(x->normal_in[0], x->normal), x->across_in[0], b);
    const vec3 d2 = v3_axpy(v3_scale(x->normal_in[1], x->normal), x->across_in[1], b);
    return (wy_pose){r, {d1, d2, d3}};
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
    const int i = end->node, ld = x->grid.ld, fields = x->fields, turn = x->planar ? 2 : 3;
    const double h = x->drive_step;
    const int forward = t < 2 * h;
    const double *weight =
        order == 1 ? (forward ? FORWARD1 : CENTRAL1) : (forward ? FORWARD2 : CENTRAL2);
    double sum[7] = {0};
    for (int k = 0; k < 5; k++) {
        if (weight[k] == 0.0) continue;
        wy_pose pose;
        WY_TRY(wy_end_pose(&end->end, t + (k - (forward ? 0 : 2)) * h, &pose, err));
        double node[7 * 8]; /* one node of a state of leading dimension 1 */
        for (int f = 0; f < fields; f++) node[f] = u[f * ld + i];
        wy_cheb one = {.planar = x->planar, .e1 = x->e1, .e2 = x->e2, .grid = {.ld = 1}};
        put_place(&one, node, 0, pose.r);
        put_turn(&one, node, 0, pose.frame);
        for (int f = 0; f < fields; f++) sum[f] += weight[k] * node[f] / (order == 1 ? h : h * h);
    }
    for (int f = 0; f < fields; f++) {
        const int kind = f < turn ? end->place : end->turn;
        if (kind == WY_CHEB_DRIVEN && !(f >= turn && end->rolls)) out[f * ld + i] = sum[f];
    }
    return WITHY_OK;
}

static withy_status rate_field(const withy_field *field, double s, double t, vec3 *out,
                               withy_error *err) {
    double x[WITHY_FIELD_MAX] = {0};
    WY_TRY(withy_field_at(field, s, t, x, err));
    *out = v3_from(x);
    return WITHY_OK;
}

static void put_spin(const wy_cheb *x, const double *u, double *v, int i, vec3 spin) {
    const int ld = x->grid.ld;
    if (x->planar) {
        v[2 * ld + i] = v3_dot(spin, x->normal);
        return;
    }
    const double *q = u + 3 * ld + i;
    const quat qd = wy_cheb_et((quat){q[0], q[ld], q[2 * ld], q[3 * ld]}, v3_scale(0.5, spin));
    double *at = v + 3 * ld + i;
    at[0] = qd.w, at[ld] = qd.x, at[2 * ld] = qd.y, at[3 * ld] = qd.z;
}

/* A tangent that is held while the section may turn about it: the smallest turn that puts it right.
 */
static void aim(const wy_cheb *x, double *u, int i, vec3 tangent) {
    wy_pose now = wy_cheb_pose(x, u, i);
    put_turn(x, u, i, m3_mulm(m3_between(now.frame.c3, tangent), now.frame));
}

static withy_status bound_one(const wy_cheb *x, const wy_cheb_end *end, double t, double *u,
                              double *v, withy_error *err) {
    const int i = end->node, ld = x->grid.ld, turn = x->planar ? 2 : 3;
    for (int f = 0; f < x->fields; f++) {
        const int kind = f < turn ? end->place : end->turn;
        if (kind != WY_CHEB_STILL || (f >= turn && end->rolls)) continue;
        u[f * ld + i] = end->still[f];
        if (v) v[f * ld + i] = 0.0;
    }
    wy_pose pose;
    if (end->place == WY_CHEB_DRIVEN || end->turn == WY_CHEB_DRIVEN || end->rolls) {
        WY_TRY(wy_end_pose(&end->end, t, &pose, err));
        if (end->place == WY_CHEB_DRIVEN) put_place(x, u, i, pose.r);
        if (end->rolls)
            aim(x, u, i, pose.frame.c3);
        else if (end->turn == WY_CHEB_DRIVEN)
            put_turn(x, u, i, pose.frame);
        if (v && (x->viscous || !x->staging)) WY_TRY(pose_rate(x, end, t, 1, u, v, err));
    }
    if (!v) return WITHY_OK;
    vec3 rate;
    if (end->place == WY_CHEB_DRIVEN_VELOCITY) {
        WY_TRY(rate_field(&end->end.end->velocity, end->end.s, t, &rate, err));
        put_place(x, v, i, rate);
    }
    if (end->turn == WY_CHEB_DRIVEN_VELOCITY) {
        WY_TRY(rate_field(&end->end.end->spin, end->end.s, t, &rate, err));
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
        WY_TRY(rate_field(field, end->end.s, t + (k - (forward ? 0 : 2)) * h, &value, err));
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
        const int kind = f < turn ? end->place : end->turn;
        if (kind != WY_CHEB_LOOSE && !(f >= turn && end->rolls)) a[f * ld + i] = 0.0;
    }
    /* Runge-Kutta never uses the acceleration of an end whose position or velocity is given */
    const int wanted = x->opt.integrator >= WY_CHEB_AB2 || end->mass > 0;
    if (wanted && (end->place == WY_CHEB_DRIVEN || (end->turn == WY_CHEB_DRIVEN && !end->rolls)))
        WY_TRY(pose_rate(x, end, t, 2, u, a, err));
    vec3 rate = v3(0, 0, 0);
    if (end->place == WY_CHEB_DRIVEN_ACCELERATION)
        WY_TRY(rate_field(&given->acceleration, end->end.s, t, &rate, err));
    if (end->place == WY_CHEB_DRIVEN_VELOCITY && wanted)
        WY_TRY(field_rate(x, end, &given->velocity, t, &rate, err));
    if (end->place >= WY_CHEB_DRIVEN_VELOCITY) put_place(x, a, i, rate);
    rate = v3(0, 0, 0);
    if (end->turn == WY_CHEB_DRIVEN_ACCELERATION)
        WY_TRY(rate_field(&given->spin_rate, end->end.s, t, &rate, err));
    if (end->turn == WY_CHEB_DRIVEN_VELOCITY && wanted)
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

/* ---- loose ends ---------------------------------------------------------------------------------
 */

withy_status wy_cheb_end_pull(const wy_cheb *x, const wy_cheb_end *end, double t, vec3 r,
                              mat3 frame, vec3 *force, vec3 *moment, withy_error *err) {
    WY_TRY(wy_end_load(&end->end, t, 1.0, frame, force, moment, err));
    if (x->factor != 1.0) {
        if (!end->end.end->force.call || x->settling) *force = v3_scale(x->factor, *force);
        if (!end->end.end->moment.call || x->settling) *moment = v3_scale(x->factor, *moment);
    }
    if (end->mass > 0) {
        const vec3 weight = v3_scale(end->mass * x->factor, x->problem->gravity);
        const mat3 thesis = wy_cheb_axes(frame);
        *force = v3_add(*force, weight);
        *moment = v3_add(*moment, v3_cross(m3_mul(thesis, end->offset), weight));
    }
    if (end->spring > 0) *force = v3_axpy(*force, -end->spring, v3_sub(r, end->spring_at));
    if (end->spring_turn > 0) {
        const mat3 turn = m3_mulm(frame, m3_transpose(end->spring_frame));
        *moment = v3_axpy(*moment, -end->spring_turn, q_log(q_from_matrix(turn)));
    }
    return WITHY_OK;
}

static int hold_of(int holds, const withy_field *rate, const withy_field *rate2, int driven) {
    if (!holds) return WY_CHEB_LOOSE;
    if (rate2->size) return WY_CHEB_DRIVEN_ACCELERATION;
    if (rate->size) return WY_CHEB_DRIVEN_VELOCITY;
    return driven ? WY_CHEB_DRIVEN : WY_CHEB_STILL;
}

withy_status wy_cheb_ends_make(wy_cheb *x, withy_error *err) {
    for (int e = 0; e < 2; e++) {
        wy_cheb_end *end = &x->end[e];
        const withy_end *given = &x->rod->end[e];
        WY_TRY(wy_end_prepare(x->rod, e, &end->end, err));
        end->node = e ? x->grid.n : 0;
        end->out = e ? 1.0 : -1.0;
        end->w0 = x->grid.w[end->node];
        end->place = hold_of(wy_end_holds_position(given), &given->velocity, &given->acceleration,
                             end->end.drives_position);
        end->turn = hold_of(wy_end_holds_direction(given), &given->spin, &given->spin_rate,
                            end->end.drives_frame);
        end->rolls = !x->planar && end->end.turns_free && end->turn <= WY_CHEB_DRIVEN;
        wy_pose pose;
        WY_TRY(wy_end_pose(&end->end, 0.0, &pose, err));
        end->mass = given->mass;
        end->offset = wy_cheb_to_thesis(given->offset);
        const vec3 c = end->offset, centre = wy_cheb_to_thesis(given->inertia);
        end->inertia = v3(centre.x + given->mass * (c.y * c.y + c.z * c.z),
                          centre.y + given->mass * (c.x * c.x + c.z * c.z),
                          centre.z + given->mass * (c.x * c.x + c.y * c.y));
        end->spring = given->spring, end->spring_turn = given->spring_turn;
        end->spring_at = end->end.start.r, end->spring_frame = end->end.start.frame;
        double *at = x->start_at[e];
        for (int f = 0; f < x->fields; f++) at[f] = x->u[f * x->grid.ld + end->node];
        /* start on the branch of the neighbouring section */
        if (end->place == WY_CHEB_STILL || end->place == WY_CHEB_DRIVEN)
            put_place(x, x->u, end->node, pose.r);
        if (end->turn == WY_CHEB_STILL || end->turn == WY_CHEB_DRIVEN)
            put_turn(x, x->u, end->node, pose.frame);
        for (int f = 0; f < x->fields; f++) {
            double *u = &x->u[f * x->grid.ld + end->node];
            end->still[f] = *u;
            if (x->rod->settled) *u = at[f]; /* the way there is part of the statics */
        }
    }
    return WITHY_OK;
}
