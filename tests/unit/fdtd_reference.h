/* fdtd_reference.h - the staggered scheme of docs/theory/fdtd.md, in its plainest form:
 * one rod, arrays of vectors, every operator as a full sum.  The kernels are tested against it. */
#pragma once

#include <stdlib.h>

#include "base/vec.h"
#include "model/model.h"
#include "numeric/interpolate/sbp.h"

enum { REFERENCE_MOST = 160 };

typedef struct reference {
    const withy_rod *rod;
    withy_vec3 gravity;
    wy_sbp op;
    int n;
    double h, dt, t;
    double k[WITHY_STRAINS], c[WITHY_STRAINS], rho[WITHY_INERTIAS];
    vec3 r[REFERENCE_MOST], p[REFERENCE_MOST], w[REFERENCE_MOST];
    vec3 force[REFERENCE_MOST], torque[REFERENCE_MOST];
    vec3 v[REFERENCE_MOST], u[REFERENCE_MOST], v_old[REFERENCE_MOST], u_old[REFERENCE_MOST];
    vec3 v0[REFERENCE_MOST], u0[REFERENCE_MOST];
    quat q[REFERENCE_MOST];
    wy_end end[2];
} reference;

static inline quat ref_add(quat a, double k, quat b) {
    return (quat){a.w + k * b.w, a.x + k * b.x, a.y + k * b.y, a.z + k * b.z};
}
static inline quat ref_pure(vec3 a) {
    return (quat){0, a.x, a.y, a.z};
}
static inline vec3 ref_imag(quat a) {
    return v3(a.x, a.y, a.z);
}
static inline vec3 ref_times(const double *k, vec3 a) {
    return v3(k[0] * a.x, k[1] * a.y, k[2] * a.z);
}
static inline double ref_plus(const reference *x, int i) {
    return x->h * wy_sbp_node_weight(&x->op, i);
}
static inline double ref_minus(const reference *x, int j) {
    return x->h * wy_sbp_half_weight(&x->op, j);
}

/* The frame an end holds, with the sign of its neighbour. */
static inline quat ref_held(const reference *x, int end, double t) {
    wy_pose pose;
    wy_end_pose(&x->end[end], t, &pose, NULL);
    quat q = q_from_matrix(pose.frame);
    const quat near = x->q[end ? x->n - 1 : 0];
    if (q.w * near.w + q.x * near.x + q.y * near.y + q.z * near.z < 0)
        q = (quat){-q.w, -q.x, -q.y, -q.z};
    return q;
}

/* Steps 1 to 4: forces on the nodes, torques on the halves (weighted). */
static inline void ref_forces(reference *x) {
    static vec3 nn[REFERENCE_MOST];
    static quat gb[REFERENCE_MOST], ga[REFERENCE_MOST];
    const int n = x->n;
    for (int j = 0; j < n; j++) {
        vec3 d = v3(0, 0, 0);
        for (int i = 0; i <= n; i++) d = v3_axpy(d, wy_sbp_q_entry(&x->op, j, i), x->r[i]);
        const mat3 R = q_matrix(x->q[j]);
        x->v[j] = v3_scale(1 / ref_minus(x, j), m3_tmul(R, d));
        const vec3 rate = v3_scale(1 / x->dt, v3_sub(x->v[j], x->v_old[j]));
        const vec3 force =
            v3_add(ref_times(x->k, v3_sub(x->v[j], x->v0[j])), ref_times(x->c, rate));
        nn[j] = m3_mul(R, force);
        x->torque[j] = v3_scale(ref_minus(x, j), v3_cross(x->v[j], force));
    }
    for (int i = 0; i <= n; i++) {
        const int end = i == 0 ? 0 : i == n ? 1 : -1;
        const int held = end >= 0 && wy_end_holds_direction(x->end[end].end);
        quat a = {0}, b = {0};
        x->force[i] = v3(0, 0, 0);
        for (int j = 0; j < n; j++) {
            x->force[i] = v3_axpy(x->force[i], -wy_sbp_q_entry(&x->op, j, i), nn[j]);
            a = ref_add(a, wy_sbp_i_entry(&x->op, i, j), x->q[j]);
            b = ref_add(b, -wy_sbp_q_entry(&x->op, j, i), x->q[j]);
        }
        vec3 m, tip, moment;
        if (end >= 0) {
            a = held ? ref_held(x, end, x->t) : q_unit(a);
            wy_end_load(&x->end[end], x->t, 1.0, q_matrix(a), &tip, &moment, NULL);
            x->force[i] = v3_add(x->force[i], tip);
        }
        const int acted = end >= 0 && !held;
        const double square = a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z;
        if (acted) { /* an inner node that has the strain of this couple */
            m = v3_scale(end ? 1 : -1, m3_tmul(q_matrix(a), moment));
            x->u[i] = v3_add(x->u0[i], v3(m.x / x->k[3], m.y / x->k[4], m.z / x->k[5]));
            b = ref_add((quat){0}, 0.5, q_mul(a, ref_pure(x->u[i])));
        } else {
            if (held) b = ref_add(b, end ? 1 : -1, a);
            b = ref_add((quat){0}, 1 / ref_plus(x, i), b);
            x->u[i] = v3_scale(2 / square, ref_imag(q_mul(q_conj(a), b)));
            const vec3 rate = v3_scale(1 / x->dt, v3_sub(x->u[i], x->u_old[i]));
            m = v3_add(ref_times(x->k + 3, v3_sub(x->u[i], x->u0[i])), ref_times(x->c + 3, rate));
        }
        const double scale = 2 / square;
        gb[i] = ref_add((quat){0}, scale, q_mul(a, ref_pure(m)));
        ga[i] = (quat){0};
        if (acted && x->op.reach == 1) { /* the same vector on the half next to the end */
            const quat q = x->q[end ? n - 1 : 0];
            const vec3 own = m3_tmul(q_matrix(q), m3_mul(q_matrix(a), m));
            gb[i] = ref_add((quat){0}, 2, q_mul(q, ref_pure(own)));
        } else if (!held)
            ga[i] = ref_add((quat){0}, -scale * ref_plus(x, i),
                            ref_add(q_mul(b, ref_pure(m)), v3_dot(m, x->u[i]), a));
    }
    for (int j = 0; j < n; j++) {
        quat G = {0};
        for (int i = 0; i <= n; i++) {
            G = ref_add(G, wy_sbp_q_entry(&x->op, j, i), gb[i]);
            G = ref_add(G, -wy_sbp_i_entry(&x->op, i, j), ga[i]);
        }
        x->torque[j] = v3_axpy(x->torque[j], 0.5, ref_imag(q_mul(q_conj(x->q[j]), G)));
    }
    for (int i = 0; i <= n; i++) {
        vec3 f, l;
        wy_load_density(x->rod, i * x->rod->length / n, x->t, 1.0, m3_identity(), &f, &l, NULL);
        x->force[i] = v3_axpy(x->force[i], ref_plus(x, i), f);
        x->force[i] = v3_axpy(x->force[i], ref_plus(x, i) * x->rho[0], x->gravity);
    }
}

static inline vec3 ref_gyro(const reference *x, vec3 w) {
    return v3_scale(-1, v3_cross(w, ref_times(x->rho + 1, w)));
}
static inline vec3 ref_over(const double *J, vec3 a) {
    return v3(a.x / J[0], a.y / J[1], a.z / J[2]);
}

static inline quat ref_turned(quat q, vec3 w, double dt) {
    const vec3 k = v3_scale(dt / 4, w);
    const double s = v3_dot(k, k);
    const quat turn = {(1 - s) / (1 + s), 2 * k.x / (1 + s), 2 * k.y / (1 + s), 2 * k.z / (1 + s)};
    return q_mul(q, turn);
}

/* Steps 5 and 6. */
static inline void ref_step(reference *x) {
    ref_forces(x);
    for (int j = 0; j < x->n; j++) {
        const double *J = x->rho + 1, half = 0.5 * x->dt;
        const double c = half * x->rod->drag_spin;
        const vec3 tau = v3_scale(1 / ref_minus(x, j), x->torque[j]);
        const vec3 w = x->w[j],
                   G = v3((J[1] - J[2]) / J[0], (J[2] - J[0]) / J[1], (J[0] - J[1]) / J[2]);
        const vec3 d = v3(1 + c / J[0], 1 + c / J[1], 1 + c / J[2]);
        const vec3 kick = ref_over(J, v3(tau.x / d.x, tau.y / d.y, tau.z / d.z));
        const vec3 slow =
            v3((1 - c / J[0]) / d.x * w.x, (1 - c / J[1]) / d.y * w.y, (1 - c / J[2]) / d.z * w.z);
        const vec3 start = v3_axpy(slow, x->dt, kick), a = v3_scale(0.5, v3_add(start, w));
        vec3 mid = v3(0, 0, a.z + half * G.z * a.x * a.y); /* m1 and m2 solved with this m3 */
        const double g1 = half * G.x * mid.z, g2 = half * G.y * mid.z;
        mid.x = (a.x + g1 * a.y) / (1 - g1 * g2), mid.y = (a.y + g2 * a.x) / (1 - g1 * g2);
        x->w[j] = v3_axpy(start, x->dt, ref_over(J, ref_gyro(x, mid)));
        x->q[j] = ref_turned(x->q[j], x->w[j], x->dt);
        x->v_old[j] = x->v[j];
    }
    for (int i = 0; i <= x->n; i++) {
        const int end = i == 0 ? 0 : i == x->n ? 1 : -1;
        x->u_old[i] = x->u[i];
        if (end >= 0 && wy_end_holds_position(x->end[end].end)) {
            wy_pose pose;
            wy_end_pose(&x->end[end], x->t + x->dt, &pose, NULL);
            x->p[i] = v3_scale(1 / x->dt, v3_sub(pose.r, x->r[i]));
            x->r[i] = pose.r;
            continue;
        }
        const double mass = ref_plus(x, i) * x->rho[0];
        const double drag = x->rod->drag_linear + x->rod->drag_quadratic * v3_norm(x->p[i]);
        const double c = 0.5 * x->dt * ref_plus(x, i) * drag / mass;
        x->p[i] =
            v3_scale(1 / (1 + c), v3_axpy(v3_scale(1 - c, x->p[i]), x->dt / mass, x->force[i]));
        x->r[i] = v3_axpy(x->r[i], x->dt, x->p[i]);
    }
    x->t += x->dt;
}

static inline void ref_back(reference *x, double dt) {
    for (int i = 0; i <= x->n; i++) x->r[i] = v3_axpy(x->r[i], dt, x->p[i]);
    for (int j = 0; j < x->n; j++) x->q[j] = ref_turned(x->q[j], x->w[j], dt);
}

static inline withy_status ref_make(reference *x, const withy_rod *rod, withy_vec3 gravity,
                                    int order, int n, double dt, withy_error *err) {
    *x = (reference){.rod = rod, .gravity = gravity, .n = n, .h = rod->length / n, .dt = dt};
    wy_sbp_make(order, n, &x->op);
    WY_TRY(wy_stiffness_at(rod, 0, x->k, err));
    WY_TRY(wy_damping_at(rod, 0, x->c, err));
    WY_TRY(wy_inertia_at(rod, 0, x->rho, err));
    double s[REFERENCE_MOST], e[REFERENCE_MOST][WITHY_STRAINS];
    wy_pose pose[REFERENCE_MOST];
    for (int i = 0; i <= n; i++) s[i] = i * rod->length / n;
    WY_TRY(wy_shape_poses(rod, wy_initial_shape(rod), n + 1, s, pose, err));
    WY_TRY(wy_shape_strains(rod, &rod->rest, n + 1, s, e, err));
    for (int i = 0; i <= n; i++) {
        vec3 spin;
        x->r[i] = pose[i].r, x->u0[i] = v3_from(e[i] + 3);
        WY_TRY(wy_velocity_at(rod, s[i], &x->p[i], &spin, err));
    }
    for (int j = 0; j < n; j++) s[j] = (j + 0.5) * rod->length / n;
    WY_TRY(wy_shape_poses(rod, wy_initial_shape(rod), n, s, pose, err));
    WY_TRY(wy_shape_strains(rod, &rod->rest, n, s, e, err));
    for (int j = 0; j < n; j++) {
        vec3 v, spin;
        WY_TRY(wy_velocity_at(rod, s[j], &v, &spin, err));
        x->q[j] = q_from_matrix(pose[j].frame);
        if (j && ref_imag(q_mul(q_conj(x->q[j - 1]), x->q[j])).x < -2) return WITHY_BAD_INPUT;
        const quat z = j ? q_mul(q_conj(x->q[j - 1]), x->q[j]) : (quat){1, 0, 0, 0};
        if (z.w < 0) x->q[j] = ref_add((quat){0}, -1, x->q[j]);
        x->w[j] = m3_tmul(pose[j].frame, spin);
        x->v0[j] = v3_add(v3_from(e[j]), v3(0, 0, 1));
    }
    for (int end = 0; end < 2; end++) {
        wy_pose now, later;
        WY_TRY(wy_end_prepare(rod, end, &x->end[end], err));
        WY_TRY(wy_end_pose(&x->end[end], 0, &now, err));
        WY_TRY(wy_end_pose(&x->end[end], dt, &later, err));
        if (wy_end_holds_position(&rod->end[end]))
            x->p[end ? n : 0] = v3_scale(1 / dt, v3_sub(later.r, now.r));
    }
    /* strains a step ago, then half a step back */
    ref_back(x, -dt);
    ref_forces(x);
    ref_back(x, dt);
    for (int i = 0; i <= n; i++) x->v_old[i] = x->v[i], x->u_old[i] = x->u[i];
    ref_forces(x);
    for (int i = 0; i <= n; i++) {
        const int end = i == 0 ? 0 : i == n ? 1 : -1;
        if (end >= 0 && wy_end_holds_position(&rod->end[end])) continue;
        const double weight = ref_plus(x, i);
        const vec3 f = v3_axpy(x->force[i], -weight * rod->drag_linear, x->p[i]);
        x->p[i] = v3_axpy(x->p[i], -0.5 * dt / (weight * x->rho[0]), f);
    }
    for (int j = 0; j < n; j++) {
        vec3 tau = v3_scale(1 / ref_minus(x, j), x->torque[j]);
        tau = v3_axpy(v3_add(tau, ref_gyro(x, x->w[j])), -rod->drag_spin, x->w[j]);
        x->w[j] = v3_axpy(x->w[j], -0.5 * dt, ref_over(x->rho + 1, tau));
    }
    return WITHY_OK;
}
