/* sample.c - the state as a snapshot: positions, frames, strains, stresses, energies, at any s.
 *
 *   u(s) = sum_j l_j(s) u_j                              the polynomial itself, at every station
 *   E = 1/2 int [gamma.C1 gamma + k.C2 k + rhoA pdot^2 + W.rhoJ W] ds     by the weights of the grid
 *
 * Conventions are converted here and in create only (cheb/frame.h).
 */
#include "method/cheb/cheb.h"
#include "method/cheb/frame.h"

/* At a node, or (node < 0) at the station of x->row. */
static double at_row(const wy_cheb *x, int node, const double *u) {
    if (node >= 0) return u[node];
    double sum = 0.0;
    for (int j = 0; j <= x->grid.n; j++) sum += x->row[j] * u[j];
    return sum;
}

static void at_rows(const wy_cheb *x, int node, const double *u, int fields, double *out) {
    for (int f = 0; f < fields; f++) out[f] = at_row(x, node, u + f * x->grid.ld);
}

/* Everything at one station, thesis axes for material components. */
typedef struct station {
    wy_pose pose; /* withy axes */
    quat q;       /* in space: withy's, as the method holds it */
    vec3 v, spin, gamma, kappa, force, moment;
} station;

static vec3 rest_at(const wy_cheb *x, int node, double *const rest[3]) {
    return v3(at_row(x, node, rest[0]), at_row(x, node, rest[1]), at_row(x, node, rest[2]));
}

static station planar_station(const wy_cheb *x, int node) {
    station o;
    double u[3], v[3], p1[3], f[3];
    at_rows(x, node, x->u, 3, u), at_rows(x, node, x->v, 3, v);
    at_rows(x, node, x->p1, 3, p1), at_rows(x, node, x->f, 3, f);
    o.pose = wy_cheb_pose_of(x, u, 1);
    o.v = v3_axpy(v3_scale(v[0], x->plane.e1), v[1], x->plane.e2);
    o.spin = v3_scale(v[2], x->plane.normal);
    const double c = cos(u[2]), s = sin(u[2]);
    const double g1 = c * p1[0] + s * p1[1] - at_row(x, node, x->along.g0[0]);
    const double g2 = c * p1[1] - s * p1[0] - at_row(x, node, x->along.g0[1]);
    const double k = p1[2] - at_row(x, node, x->along.k0[0]);
    o.gamma = v3(g1, g2 * x->plane.across_in[0], g2 * x->plane.across_in[1]);
    o.kappa = v3(0, k * x->plane.normal_in[0], k * x->plane.normal_in[1]);
    o.force = v3_axpy(v3_scale(f[0], x->plane.e1), f[1], x->plane.e2);
    o.moment = v3_scale(f[2], x->plane.normal);
    return o;
}

static station spatial_station(const wy_cheb *x, int node) {
    station o;
    double u[7], v[7], p1[7], f[6];
    at_rows(x, node, x->u, 7, u), at_rows(x, node, x->v, 7, v);
    at_rows(x, node, x->p1, 7, p1), at_rows(x, node, x->f, 6, f);
    const quat raw = quat_at(u, 1, 0), qd = quat_at(v, 1, 0), q1 = quat_at(p1, 1, 0);
    const quat q = x->opt.normalise ? q_unit(raw) : raw;
    o.pose = (wy_pose){v3_from(u), wy_cheb_frame_of(q_unit(raw))};
    o.q = q_mul(q, (quat){0.5, 0.5, 0.5, 0.5});
    o.v = v3_from(v);
    o.spin = v3_scale(2.0, wy_cheb_e(q, qd));
    const vec3 slope = m3_tmul(wy_cheb_rotate(q, x->excess), v3_from(p1));
    o.gamma = v3_sub(slope, rest_at(x, node, x->along.g0));
    o.kappa = v3_sub(v3_scale(2.0, wy_cheb_g(q, q1)), rest_at(x, node, x->along.k0));
    o.force = v3_from(f), o.moment = v3_from(f + 3);
    return o;
}

static station node_station(const wy_cheb *x, int i) {
    return (x->planar ? planar_station : spatial_station)(x, i);
}

static station station_at(const wy_cheb *x, double s) {
    for (int j = 0; j <= x->grid.n; j++)
        if (s == x->grid.s[j]) return node_station(x, j);
    wy_lagrange_row(x->grid.n, x->grid.x, x->grid.bary, 2.0 * s / x->grid.length - 1.0, x->row);
    return (x->planar ? planar_station : spatial_station)(x, -1);
}

/* ---- energy and momentum --------------------------------------------------------------------- */

static double quadratic(double *const c[3], int i, vec3 a) {
    return c[0][i] * a.x * a.x + c[1][i] * a.y * a.y + c[2][i] * a.z * a.z;
}

/* In the plane gamma, kappa carry material components of both section axes; fold them back. */
static void fold(const wy_cheb *x, station *o) {
    if (!x->planar) return;
    o->gamma =
        v3(o->gamma.x, o->gamma.y * x->plane.across_in[0] + o->gamma.z * x->plane.across_in[1], 0);
    o->kappa = v3(o->kappa.y * x->plane.normal_in[0] + o->kappa.z * x->plane.normal_in[1], 0, 0);
}

/* *weight: the part of it that has a sign. */
static double end_energy(const wy_cheb *x, const wy_cheb_end *end, double *weight) {
    double sum = 0;
    *weight = 0;
    const station o = node_station(x, end->node);
    if (end->place == WY_CHEB_LOOSE && end->spring > 0) {
        const vec3 d = v3_sub(o.pose.r, end->spring_at);
        sum += 0.5 * end->spring * v3_dot(d, d);
    }
    if (end->turn == WY_CHEB_LOOSE && end->spring_turn > 0) {
        const vec3 phi = wy_cheb_spring_turn(end, o.pose.frame);
        sum += 0.5 * end->spring_turn * v3_dot(phi, phi);
    }
    if (!end->body) return sum;
    const mat3 a = wy_cheb_axes(o.pose.frame);
    const vec3 w = m3_tmul(a, o.spin), c = m3_mul(a, end->offset);
    /* inertia is about the end: 1/2 m v^2 + m v.(w x c) + 1/2 w.J w */
    sum += 0.5 * end->mass * v3_dot(o.v, o.v) + end->mass * v3_dot(o.v, v3_cross(o.spin, c));
    sum += 0.5 * v3_dot(w, m3_mul(end->inertia, w));
    *weight = -end->mass * v3_dot(x->problem->gravity, v3_add(o.pose.r, c));
    return sum + *weight;
}

wy_cheb_energy wy_cheb_energies(const wy_cheb *x) {
    wy_cheb_energy e = {0};
    const withy_floor *floor = &x->problem->floor;
    for (int i = 0; i <= x->grid.n; i++) {
        station o = node_station(x, i);
        const double w = x->grid.w[i];
        fold(x, &o);
        const vec3 g = o.gamma, k = o.kappa;
        e.kind.stretch += 0.5 * w * x->along.c1[0][i] * g.x * g.x;
        e.kind.shear += 0.5 * w * quadratic(x->along.c1, i, v3(0, g.y, g.z));
        if (x->planar) {
            e.kind.bend += 0.5 * w * x->along.c2[0][i] * k.x * k.x;
        } else {
            e.kind.twist += 0.5 * w * x->along.c2[0][i] * k.x * k.x;
            e.kind.bend += 0.5 * w * quadratic(x->along.c2, i, v3(0, k.y, k.z));
        }
        const mat3 a = wy_cheb_axes(o.pose.frame);
        vec3 v = m3_tmul(a, o.v), spin = m3_tmul(a, o.spin);
        if (x->planar) {
            v = v3(v.x, v.y * x->plane.across_in[0] + v.z * x->plane.across_in[1], 0);
            spin = v3(v3_dot(o.spin, x->plane.normal), 0, 0);
        }
        e.kind.kinetic +=
            0.5 * w * (quadratic(x->along.mass, i, v) + quadratic(x->along.turn, i, spin));
        e.kind.gravity -= w * x->along.rho[i] * v3_dot(x->problem->gravity, o.pose.r);
        const double depth = v3_dot(v3_sub(floor->point, o.pose.r), floor->normal);
        if (floor->given && depth > 0) e.ends += 0.5 * w * floor->stiffness * depth * depth;
    }
    e.bodies = e.ends;
    for (int i = 0; i < 2; i++) {
        double weight;
        const double sum = end_energy(x, &x->end[i], &weight);
        e.ends += sum, e.bodies += sum - weight;
    }
    e.total = e.kind.kinetic + e.kind.shear + e.kind.stretch + e.kind.bend + e.kind.twist +
              e.kind.gravity + e.ends;
    return e;
}

/* A M A^T v of a node: the masses along and across the rod may differ. */
static vec3 momentum_at(const wy_cheb *x, int i, mat3 a, vec3 v) {
    const double along = x->along.mass[0][i], across = x->along.mass[1][i];
    const double second = x->planar ? across : x->along.mass[2][i];
    const vec3 p = v3_axpy(v3_scale(across, v), (along - across) * v3_dot(a.c1, v), a.c1);
    return v3_axpy(p, (second - across) * v3_dot(a.c3, v), a.c3);
}

static void momenta(const wy_cheb *x, withy_snapshot *snap) {
    vec3 linear = v3(0, 0, 0), angular = linear;
    for (int i = 0; i <= x->grid.n; i++) {
        const station o = node_station(x, i);
        const mat3 a = wy_cheb_axes(o.pose.frame);
        const vec3 w = m3_tmul(a, o.spin);
        const vec3 p = v3_scale(x->grid.w[i], momentum_at(x, i, a, o.v));
        linear = v3_add(linear, p);
        angular = v3_add(angular, v3_cross(o.pose.r, p));
        const vec3 turn = x->planar
                              ? v3_scale(x->along.turn[0][i], o.spin)
                              : m3_mul(a, v3(x->along.turn[0][i] * w.x, x->along.turn[1][i] * w.y,
                                             x->along.turn[2][i] * w.z));
        angular = v3_axpy(angular, x->grid.w[i], turn);
    }
    for (int e = 0; e < 2; e++) {
        const wy_cheb_end *end = &x->end[e];
        if (!end->body) continue;
        const station o = node_station(x, end->node);
        const mat3 a = wy_cheb_axes(o.pose.frame);
        const vec3 c = m3_mul(a, end->offset), w = m3_tmul(a, o.spin);
        const vec3 p = v3_scale(end->mass, v3_add(o.v, v3_cross(o.spin, c)));
        linear = v3_add(linear, p);
        angular = v3_add(angular, v3_cross(o.pose.r, p));
        angular = v3_axpy(angular, end->mass, v3_cross(c, o.v));
        angular = v3_add(angular, m3_mul(a, m3_mul(end->inertia, w)));
    }
    snap->momentum = linear, snap->angular_momentum = angular;
}

/* The residual of the balance at a fixed node, over its weight: with it the supports carry the
 * loads in full even where a kink keeps the stress at the node from converging. */
static void missing(const wy_cheb *x, const wy_cheb_end *end, vec3 *force, vec3 *moment) {
    const double *b = x->df + end->node;
    const int ld = x->grid.ld;
    *force = *moment = v3(0, 0, 0);
    if (x->planar) {
        if (end->place == WY_CHEB_STATIC)
            *force = v3_axpy(v3_scale(b[0], x->plane.e1), b[ld], x->plane.e2);
        if (end->turn == WY_CHEB_STATIC) *moment = v3_scale(b[2 * ld], x->plane.normal);
    } else {
        if (end->place == WY_CHEB_STATIC) *force = vec_at(b, ld, 0);
        if (end->turn == WY_CHEB_STATIC && !end->rolls) *moment = vec_at(b + 3 * ld, ld, 0);
    }
    *force = v3_scale(end->w0, *force), *moment = v3_scale(end->w0, *moment);
}

/* Force and moment of the supports: what acts on the rod at a held end beyond the applied loads. */
static void reactions(const wy_cheb *x, withy_snapshot *snap) {
    for (int e = 0; e < 2; e++) {
        const wy_cheb_end *end = &x->end[e];
        station o = node_station(x, end->node);
        vec3 lacks, turn_lacks;
        missing(x, end, &lacks, &turn_lacks);
        o.force = v3_axpy(o.force, -end->out, lacks),
        o.moment = v3_axpy(o.moment, -end->out, turn_lacks);
        vec3 force = v3(0, 0, 0), moment = force;
        const withy_section_state at = wy_section_state_of(o.pose.r, o.pose.frame, o.v, o.spin);
        wy_cheb_end_load_held(x, end, x->state->t, &at, &force, &moment, NULL);
        const vec3 none = v3(0, 0, 0);
        snap->reaction[e] =
            end->place == WY_CHEB_LOOSE ? none : v3_sub(v3_scale(end->out, o.force), force);
        snap->reaction_moment[e] =
            end->turn == WY_CHEB_LOOSE ? none : v3_sub(v3_scale(end->out, o.moment), moment);
    }
}

static double quaternion_error(const wy_cheb *x) {
    double worst = 0;
    const int ld = x->grid.ld;
    for (int i = 0; i <= x->grid.n && !x->planar; i++) {
        const quat q = quat_at(x->u, ld, i);
        worst = wy_max(worst, fabs(q_dot(q, q) - 1.0));
    }
    return worst;
}

void wy_cheb_sample(const void *state, int rod, withy_snapshot *snap) {
    (void)rod;
    const wy_cheb *x = state;
    for (int i = 0; i < snap->count; i++) {
        const station o = station_at(x, snap->s[i]);
        snap->position[i] = o.pose.r;
        snap->frame[i] = x->planar ? q_from_matrix(o.pose.frame) : o.q;
        snap->velocity[i] = o.v;
        snap->spin[i] = o.spin;
        snap->shear[i] = wy_cheb_from_thesis(o.gamma);
        snap->bend[i] = wy_cheb_from_thesis(o.kappa);
        snap->force[i] = o.force;
        snap->moment[i] = o.moment;
    }
    snap->have = WITHY_HAVE_POSITION | WITHY_HAVE_FRAME | WITHY_HAVE_VELOCITY | WITHY_HAVE_SPIN |
                 WITHY_HAVE_SHEAR | WITHY_HAVE_BEND | WITHY_HAVE_FORCE | WITHY_HAVE_MOMENT;
    if (snap->requested & (WITHY_HAVE_REACTION | WITHY_HAVE_REACTION_MOMENT)) {
        reactions(x, snap);
        snap->have |= WITHY_HAVE_REACTION | WITHY_HAVE_REACTION_MOMENT;
    }
    if (snap->requested & (WITHY_HAVE_ENERGY | WITHY_HAVE_CONSERVED)) {
        const wy_cheb_energy e = wy_cheb_energies(x);
        snap->energy = e.kind;
        snap->conserved = e.total, snap->conserved_at = x->state->t;
        snap->have |= WITHY_HAVE_ENERGY | (x->balance == WY_CHEB_STAYS ? WITHY_HAVE_CONSERVED : 0u);
    }
    if (snap->requested & WITHY_HAVE_MOMENTUM) {
        momenta(x, snap);
        snap->have |= WITHY_HAVE_MOMENTUM;
    }
    if (!x->planar) {
        snap->constraint = quaternion_error(x);
        snap->have |= WITHY_HAVE_CONSTRAINT;
    }
}

double wy_cheb_decay(const wy_cheb *x) {
    const int turn = wy_cheb_places(x);
    /* coordinates share a scale, and so do components of a turn */
    const double *turns = x->u + turn * x->grid.ld;
    return wy_max(wy_collocation_tail(&x->grid, turn, x->u, x->grid.length, x->stage[0]),
                  wy_collocation_tail(&x->grid, x->fields - turn, turns, 1.0, x->stage[0]));
}
