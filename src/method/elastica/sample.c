/* sample.c - energies of the elastica, and its state in the shape all methods share.
 *
 * Positions, tangents and curvatures come from the spline at any station.  Rates are those of base/step_halving.h.
 *
 * Forces belong to the last balance (99) that was solved: that of the next step, which is solved ahead and is
 * centred on the newest level.  Where it is not (inputs, which may change before it; a step that fails), n and the
 * reactions lag by h.  alpha is not
 * the tension: n.x' = alpha + eps |x''|^2, and alpha carries the alternating mode.  Here n is the
 * resultant that balances the accelerations exactly, cell by cell.
 */
#include "method/elastica/elastica.h"

/* ---- energies -------------------------------------------------------------------------------- */

static double bend_energy(const wy_elastica *e, const wy_elastica_level *v) {
    double sum = 0;
    for (int j = 0; j <= e->n; j++)
        sum += wy_elastica_weight(e, j) * e->eps_at[j] * v3_dot(v->k[j], v->k[j]);
    return 0.5 * e->eta * sum; /* (78) */
}

static double gravity_energy(const wy_elastica *e, const wy_elastica_level *v) {
    double sum = 0;
    for (int j = 0; j <= e->n; j++) sum += e->mass[j] * v3_dot(e->g, v->x[j]);
    return -e->eta * sum;
}

static double potential_energy(const wy_elastica *e, const wy_elastica_level *v) {
    return bend_energy(e, v) + gravity_energy(e, v);
}

/* (77) and (12) for the rates a x + b y of two levels. */
static double kinetic_energy(const wy_elastica *e, double a, const wy_elastica_level *x, double b,
                             const wy_elastica_level *y) {
    double sum = 0;
    for (int j = 0; j <= e->n; j++) {
        const vec3 v = v3_axpy(v3_scale(a, x->x[j]), b, y->x[j]);
        const vec3 w = v3_axpy(v3_scale(a, x->u[j]), b, y->u[j]);
        sum += e->mass[j] * v3_dot(v, v) + e->sigma_at[j] * wy_elastica_weight(e, j) * v3_dot(w, w);
    }
    return 0.5 * e->eta * sum;
}

double wy_elastica_energy(const wy_elastica *e, const wy_elastica_level *now,
                          const wy_elastica_level *last, double h, double *scale) {
    const double kinetic = kinetic_energy(e, 1.0 / h, now, -1.0 / h, last);
    const double potential = 0.5 * (potential_energy(e, now) + potential_energy(e, last));
    *scale = kinetic + bend_energy(e, now);
    return kinetic + potential;
}

double wy_elastica_initial_energy(const wy_elastica *e) {
    return kinetic_energy(e, 1.0, &e->first, 0.0, &e->first) + potential_energy(e, e->now);
}

double wy_elastica_violation(const wy_elastica *e, const wy_elastica_level *v) {
    double largest = 0;
    for (int j = 0; j <= e->n; j++) {
        const double c = fabs(v3_dot(v->u[j], v->u[j]) - 1.0);
        if (!(c <= largest)) largest = c;
    }
    return largest;
}

/* ---- rates ----------------------------------------------------------------------------------- */

static double kinetic_now(const wy_elastica *e) {
    const wy_halving *halving = &e->state->halving;
    const wy_elastica_level *a = e->now, *b = e->last, *c = e->before, *d = &e->first;
    double sum = 0;
    for (int j = 0; j <= e->n; j++) {
        const vec3 v = wy_halving_rate(halving, a->x[j], b->x[j], c->x[j], d->x[j]);
        const vec3 w = wy_halving_rate(halving, a->u[j], b->u[j], c->u[j], d->u[j]);
        sum += e->mass[j] * v3_dot(v, v) + e->sigma_at[j] * wy_elastica_weight(e, j) * v3_dot(w, w);
    }
    return 0.5 * e->eta * sum;
}

static vec3 velocity_at(const wy_elastica *e, wy_place at) {
    const wy_elastica_level *a = e->now, *b = e->last, *c = e->before, *d = &e->first;
    return wy_halving_rate(&e->state->halving, wy_spline_at(&e->spline, at, a->x, a->k),
                           wy_spline_at(&e->spline, at, b->x, b->k),
                           wy_spline_at(&e->spline, at, c->x, c->k),
                           wy_spline_at(&e->spline, at, d->x, d->k));
}

/* x'' at a station.  At a clamp the trapezoidal rule counts x'' half, and leaves it off by O(eta)
 * in that one node; the nodes next to it give it to second order. */
static vec3 node_bend(const wy_elastica *e, const wy_elastica_level *v, int j) {
    if (!wy_spline_clamped(&e->spline, j)) return v->k[j];
    return j ? v3_axpy(v3_scale(2.0, v->k[j - 1]), -1.0, v->k[j - 2])
             : v3_axpy(v3_scale(2.0, v->k[1]), -1.0, v->k[2]);
}
static vec3 bend_at(const wy_elastica *e, wy_place at, const wy_elastica_level *v) {
    return wy_place_mix(at, node_bend(e, v, at.j), node_bend(e, v, at.j + 1));
}

static double between(wy_place at, const double *value) {
    return value[at.j] + at.f * (value[at.j + 1] - value[at.j]);
}

/* m = x' x (eps x'' + nu x''dot): the moment of (50), whose damping is not frame-indifferent. */
static vec3 moment_at(const wy_elastica *e, wy_place at, vec3 tangent) {
    const vec3 k = bend_at(e, at, e->now);
    const vec3 rate_k = wy_halving_rate(&e->state->halving, k, bend_at(e, at, e->last),
                                        bend_at(e, at, e->before), bend_at(e, at, &e->first));
    return v3_cross(tangent,
                    v3_axpy(v3_scale(between(at, e->eps_at), k), between(at, e->nu_at), rate_k));
}

/* ---- momentum, linear and angular: conserved exactly by the scheme -------------- */

/* += part of those between levels a and b, r = 1/h; b NULL: of the velocities at t = 0. */
static void add_momenta(const wy_elastica *e, const wy_elastica_level *a,
                        const wy_elastica_level *b, double r, double part, vec3 momentum[2]) {
    for (int j = 0; j <= e->n; j++) {
        const double m = part * e->eta * e->mass[j] * r;
        const double turn = part * e->eta * e->sigma_at[j] * wy_elastica_weight(e, j) * r;
        const vec3 v = b ? v3_sub(a->x[j], b->x[j]) : e->first.x[j];
        const vec3 w = b ? v3_sub(a->u[j], b->u[j]) : e->first.u[j];
        momentum[0] = v3_axpy(momentum[0], m, v);
        momentum[1] = v3_axpy(momentum[1], m, v3_cross(a->x[j], v));
        momentum[1] = v3_axpy(momentum[1], turn, v3_cross(a->u[j], w));
    }
}

/* Conserved in the middle of the steps; now between the last and the next. */
static void momenta(const wy_elastica *e, vec3 *linear, vec3 *angular) {
    const wy_halving *halving = &e->state->halving;
    const double part = halving->step && halving->ready ? wy_halving_part(halving) : 0;
    vec3 sum[2] = {v3(0, 0, 0), v3(0, 0, 0)};
    if (halving->step)
        add_momenta(e, e->now, e->last, 1.0 / halving->dt[1], 1 - part, sum);
    else
        add_momenta(e, e->now, NULL, 1, 1, sum);
    if (part > 0) add_momenta(e, e->next, e->now, 1.0 / halving->dt[0], part, sum);
    *linear = sum[0], *angular = sum[1];
}

/* ---- multipliers ----------------------------------------------------------------------------- */

/* alpha_j of the last balance. */
static double node_alpha(const wy_elastica *e, int j) {
    const double *a = e->alpha_last;
    if (!e->pairs) return a[j];
    return ((j > 0 ? a[j - 1] : 0.0) + (j < e->n ? a[j] : 0.0)) / wy_elastica_weight(e, j);
}

/* Without a clamp alpha carries the alternating mode, which moves nothing: the mean over three nodes
 * has none of it.  A clamped node has no alpha, and that of another end belongs to half an interval:
 * the nodes next to it give it to second order. */
static double smooth_alpha(const wy_elastica *e, int j) {
    const int in = j ? -1 : 1, clamped = e->spline.clamped[0] || e->spline.clamped[1];
    if (j == 0 || j == e->n) return 2.0 * smooth_alpha(e, j + in) - smooth_alpha(e, j + 2 * in);
    if (clamped || e->pairs) return node_alpha(e, j);
    return 0.25 * (node_alpha(e, j - 1) + 2.0 * node_alpha(e, j) + node_alpha(e, j + 1));
}

/* ---- sample ---------------------------------------------------------------------------------- */

enum {
    FRAMES = WITHY_HAVE_FRAME | WITHY_HAVE_BEND,
    BALANCE = WITHY_HAVE_FORCE | WITHY_HAVE_MULTIPLIER,
    POINTWISE = WITHY_HAVE_VELOCITY | WITHY_HAVE_MOMENT | BALANCE
};

/* Between nodes of a far too coarse grid the slope may vanish; the node's does not. */
static vec3 tangent_at(const wy_elastica *e, wy_place at) {
    const vec3 slope = wy_spline_slope(&e->spline, at, e->now->x, e->now->k);
    return v3_unit(v3_norm(slope) > 1e-6 ? slope : e->now->u[at.j]);
}

/* Frames at the nodes, turning as little as possible from the one carried at the start. */
static void node_frames(const wy_elastica *e) {
    for (int j = 0; j <= e->n; j++) {
        e->work.pose[j].r = e->now->x[j];
        e->work.pose[j].frame.c3 = v3_unit(e->now->u[j]);
    }
    e->work.pose[0].frame = e->state->frame0;
    wy_frames_along(e->n + 1, e->work.pose);
}

static mat3 frame_at(const wy_elastica *e, wy_place at, vec3 position, vec3 tangent) {
    wy_pose pair[2] = {e->work.pose[at.j], {.r = position, .frame = {.c3 = tangent}}};
    if (at.f <= 0.0) return e->work.pose[at.j].frame;
    if (at.f >= 1.0) return e->work.pose[at.j + 1].frame;
    wy_frames_along(2, pair);
    return pair[1].frame;
}

static void sample_station(const void *self, withy_snapshot *snap, int i) {
    const wy_elastica *e = self;
    const unsigned requested = snap->requested;
    const wy_place at = wy_place_of(snap->s[i], e->eta, e->n);
    const vec3 tangent = tangent_at(e, at);
    snap->position[i] = wy_spline_at(&e->spline, at, e->now->x, e->now->k);
    if (requested & WITHY_HAVE_VELOCITY) snap->velocity[i] = velocity_at(e, at);
    if (requested & WITHY_HAVE_MOMENT) snap->moment[i] = moment_at(e, at, tangent);
    if (requested & WITHY_HAVE_FORCE)
        snap->force[i] = wy_spline_step_force(&e->state->balance, e->cell_n, e->n, at);
    if (requested & WITHY_HAVE_MULTIPLIER)
        snap->multiplier[i] =
            v3(0.0, 0.0, (1.0 - at.f) * smooth_alpha(e, at.j) + at.f * smooth_alpha(e, at.j + 1));
    if (requested & FRAMES) {
        const mat3 frame = frame_at(e, at, snap->position[i], tangent);
        snap->frame[i] = q_from_matrix(frame);
        snap->bend[i] = m3_tmul(frame, v3_cross(tangent, bend_at(e, at, e->now)));
        snap->bend[i].z = 0.0; /* no torsion in this model */
    }
}

static void sample_sums(const void *self, withy_snapshot *snap) {
    const wy_elastica *e = self;
    snap->energy = (withy_energies){.kinetic = kinetic_now(e),
                                    .bend = bend_energy(e, e->now),
                                    .gravity = gravity_energy(e, e->now)};
    momenta(e, &snap->momentum, &snap->angular_momentum);
    snap->constraint = wy_elastica_violation(e, e->now);
}

void wy_elastica_sample(const void *self, int rod, withy_snapshot *snap) {
    static const wy_spline_step_sampler sampler = {sample_station, sample_sums, POINTWISE, BALANCE};
    const wy_elastica *e = self;
    (void)rod;
    if (snap->requested & FRAMES) node_frames(e);
    wy_spline_step_sample(&sampler, e, &e->state->halving, &e->state->balance, snap);
    snap->iterations = (int)e->state->halving.iterations;
    if (snap->requested & FRAMES) snap->have |= FRAMES;
}
