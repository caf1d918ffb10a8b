/* sample.c - the state of method se3 as a snapshot.
 *
 * Between nodes the strain is linear; the pose follows it from the node before by one exponential,
 * g(s_j + a) = g_j exp(a mean xi), which meets the next node.
 */
#include "method/se3/se3.h"

/* Stress at node j now: the rates are those of the last step. */
static void stress_now(const wy_se3 *x, int j, double lam[6]) {
    double kt[6][6];
    wy_se3_stress(x, 2 * j, x->state.xi0[j], x->state.xi_t[j], 0, lam, kt);
}

static void mix(const double a[6], const double b[6], double f, double out[6]) {
    for (int i = 0; i < 6; i++) out[i] = (1 - f) * a[i] + f * b[i];
}

wy_motion wy_se3_pose(const wy_se3 *x, wy_place at) {
    const int j = at.j;
    const double f = at.f;
    double xi[6], mean[6];
    if (f > 0.999999) return x->state.g[2 * j + 2];
    if (!(f > 1e-6)) return x->state.g[2 * j];
    mix(x->state.xi0[j], x->state.xi0[j + 1], f, xi);
    mix(x->state.xi0[j], xi, 0.5, mean);
    return se3_mul(x->state.g[2 * j], se3_exp_scaled(f * x->plan.h, mean));
}

static void sample_station(const wy_se3 *x, withy_snapshot *snap, int k) {
    const wy_place at = wy_place_of(snap->s[k], x->plan.h, x->plan.n);
    const wy_motion g = wy_se3_pose(x, at);
    const int j = at.j;
    const double f = at.f;
    double xi[6], eta[6], lam[6], a[6], b[6], rest[6];
    mix(x->state.xi0[j], x->state.xi0[j + 1], f, xi);
    mix(x->state.eta0[j], x->state.eta0[j + 1], f, eta);
    mix(x->plan.point[2 * j].rest, x->plan.point[2 * j + 2].rest, f, rest);
    stress_now(x, j, a);
    stress_now(x, j + 1, b);
    mix(a, b, f, lam);
    snap->position[k] = g.shift;
    snap->frame[k] = q_from_matrix(g.turn);
    snap->spin[k] = m3_mul(g.turn, v3_from(eta));
    snap->velocity[k] = m3_mul(g.turn, v3_from(eta + 3));
    for (int i = 0; i < 6; i++) xi[i] -= rest[i];
    snap->bend[k] = v3_from(xi);
    snap->shear[k] = v3_from(xi + 3);
    snap->moment[k] = m3_mul(g.turn, v3_from(lam));
    snap->force[k] = m3_mul(g.turn, v3_from(lam + 3));
}

/* Momenta by the trapezoidal rule over the nodes, bodies included. */
static void sample_sums(const wy_se3 *x, withy_snapshot *snap) {
    vec3 p = v3(0, 0, 0), l = p;
    for (int j = 0; j <= x->plan.n; j++) {
        const double w = wy_se3_width(x, j), *m = x->plan.point[2 * j].m, *eta = x->state.eta0[j];
        const wy_motion g = x->state.g[2 * j];
        const vec3 push = v3_scale(w * m[3], m3_mul(g.turn, v3_from(eta + 3)));
        const vec3 turn = v3(w * m[0] * eta[0], w * m[1] * eta[1], w * m[2] * eta[2]);
        p = v3_add(p, push);
        l = v3_add(l, v3_add(v3_cross(g.shift, push), m3_mul(g.turn, turn)));
    }
    for (int e = 0; e < 2; e++) {
        const wy_se3_end *end = &x->plan.end[e];
        if (!end->has_body || (e == 0 && end->held[3])) continue;
        const double *eta = x->state.eta0[e ? x->plan.n : 0];
        const wy_motion g = x->state.g[e ? 2 * x->plan.n : 0];
        double own[6];
        wy_se3_momentum(end, eta, own);
        const vec3 push = m3_mul(g.turn, v3_from(own + 3));
        p = v3_add(p, push);
        l = v3_add(l, v3_add(v3_cross(g.shift, push), m3_mul(g.turn, v3_from(own))));
    }
    snap->momentum = p;
    snap->angular_momentum = l;
}

/* A support balances the stress of the section and the load on the end: at the start -(Lam_0 + W_0), at
 * the finish Lam_n - W_n. */
static void sample_reactions(const wy_se3 *x, withy_snapshot *snap) {
    for (int e = 0; e < 2; e++) {
        const int node = e ? x->plan.n : 0;
        const bool *held = x->plan.end[e].held;
        const double *applied = x->now->applied[e];
        double lam[6];
        stress_now(x, node, lam);
        for (int i = 0; i < 6; i++) lam[i] = !held[i] ? 0.0 : (e ? lam[i] : -lam[i]) - applied[i];
        snap->reaction_moment[e] = m3_mul(x->state.g[2 * node].turn, v3_from(lam));
        snap->reaction[e] = m3_mul(x->state.g[2 * node].turn, v3_from(lam + 3));
    }
}

void wy_se3_sample(const void *state, int rod, withy_snapshot *snap) {
    const wy_se3 *x = state;
    (void)rod;
    for (int k = 0; k < snap->count; k++) sample_station(x, snap, k);
    snap->have = WITHY_HAVE_POSITION | WITHY_HAVE_FRAME | WITHY_HAVE_VELOCITY | WITHY_HAVE_SPIN |
                 WITHY_HAVE_SHEAR | WITHY_HAVE_BEND | WITHY_HAVE_FORCE | WITHY_HAVE_MOMENT;
    snap->iterations = (int)x->now->iterations;
    if (!(snap->requested & WITHY_HAVE_ENERGY)) return; /* a probe: one station, no sums */
    snap->conserved = wy_se3_conserved(x, wy_se3_energy(x, &snap->energy));
    snap->energy.gravity = wy_se3_potential(x);
    snap->conserved_at = x->now->t;
    sample_sums(x, snap);
    sample_reactions(x, snap);
    snap->constraint = x->now->slip;
    if (x->plan.holds_finish) snap->have |= WITHY_HAVE_CONSTRAINT;
    snap->work = x->now->ledger.work;
    snap->dissipated = x->now->ledger.lost;
    snap->have |= WITHY_HAVE_ENERGY | WITHY_HAVE_CONSERVED | WITHY_HAVE_MOMENTUM |
                  WITHY_HAVE_REACTION | WITHY_HAVE_REACTION_MOMENT | WITHY_HAVE_WORK;
}
