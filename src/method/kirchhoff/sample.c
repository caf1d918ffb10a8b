/* sample.c - energies of the spring, and its state in the shape all methods share.
 *
 * Between nodes the centreline is the cubic with the nodal tangents, the frame turns evenly and is
 * then aligned with the cubic's tangent.  Rates are those of base/step_halving.h.
 *
 * Forces and reactions belong to the last balance that was solved: that of the next step, which is solved ahead and
 * is centred on the newest level (where it is not, for inputs or a step that fails: one step before).  n is the resultant that balances the accelerations
 * cell by cell, never the multiplier, which carries a zigzag that does not converge.
 */
#include "method/kirchhoff/kirchhoff.h"

/* ---- energies -------------------------------------------------------------------------------- */

static double bend_energy(const wy_kirchhoff *p, const wy_kirchhoff_level *v) {
    const int quadratic = p->opt.energy == WY_KIRCHHOFF_QUADRATIC;
    const int bare = p->opt.energy == WY_KIRCHHOFF_BARE;
    double sum = 0;
    for (int cell = 0; cell < p->n; cell++)
        for (int end = 0; end < 2; end++) {
            const double *e = v->cell[cell].e[end];
            const vec3 u = v->cell[cell].u[end];
            const double along = bare ? 0.0 : e[2] * e[2];
            const double size = quadratic ? v3_dot(u, u) : e[0] * e[0] + e[1] * e[1] + along;
            sum += 0.25 * p->eta * p->sigma[cell + end] * size;
        }
    return sum;
}

static double twist_energy(const wy_kirchhoff *p, const wy_kirchhoff_level *v) {
    double sum = 0;
    for (int cell = 0; cell < p->n; cell++)
        sum += 0.5 * p->eta * p->ct[cell] * v->cell[cell].tau * v->cell[cell].tau;
    return sum;
}

double wy_kirchhoff_potential(const wy_kirchhoff *p, const wy_kirchhoff_level *v) {
    double dead = 0;
    for (int j = 0; j <= p->n; j++) dead += v3_dot(p->dead[j], v->x[j]);
    return bend_energy(p, v) + twist_energy(p, v) - dead;
}

static double gravity_energy(const wy_kirchhoff *p, const wy_kirchhoff_level *v) {
    double sum = 0;
    for (int j = 0; j <= p->n; j++) sum += p->mass[j] * v3_dot(p->gravity, v->x[j]);
    return -sum;
}

static double square(vec3 a) {
    return v3_dot(a, a);
}

static double kinetic_between(const wy_kirchhoff *p, const wy_kirchhoff_level *b,
                              const wy_kirchhoff_level *a, double h) {
    const double r = 1.0 / (h * h);
    double sum = 0;
    for (int j = 0; j <= p->n; j++) {
        const mat3 *f = &b->frame[j], *g = &a->frame[j];
        sum += p->mass[j] * square(v3_sub(b->x[j], a->x[j]));
        sum += p->turn[j][0] * (square(v3_sub(f->c1, g->c1)) + square(v3_sub(f->c2, g->c2)));
        sum += p->turn[j][1] * square(v3_sub(f->c3, g->c3));
    }
    return 0.5 * r * sum;
}

double wy_kirchhoff_energy(const wy_kirchhoff *p, const wy_kirchhoff_level *b,
                           const wy_kirchhoff_level *a, double h, double *scale) {
    const double kinetic = kinetic_between(p, b, a, h);
    *scale = kinetic + bend_energy(p, b) + twist_energy(p, b);
    return kinetic + 0.5 * (wy_kirchhoff_potential(p, b) + wy_kirchhoff_potential(p, a));
}

/* The spline condition at the inner nodes, as an angle over one interval. */
double wy_kirchhoff_violation(const wy_kirchhoff *p, const wy_kirchhoff_level *v) {
    double largest = 0;
    for (int j = 1; j < p->n; j++) {
        const double gap = p->eta * v3_norm(v3_sub(v->cell[j - 1].m[1], v->cell[j].m[0]));
        if (!(gap <= largest)) largest = gap;
    }
    return largest;
}

/* ---- rates ----------------------------------------------------------------------------------- */

static vec3 node_velocity(const wy_kirchhoff *p, int j) {
    return wy_halving_rate(&p->state->halving, p->now->x[j], p->last->x[j], p->before->x[j],
                           p->v0[j]);
}

static vec3 turn_rate(mat3 to, mat3 from, double h) {
    const mat3 turn = m3_mulm(to, m3_transpose(from));
    return v3_scale(1.0 / h, q_log(q_from_matrix(turn)));
}

static vec3 node_spin(const wy_kirchhoff *p, int j) {
    if (p->state->halving.step == 0) return p->spin0[j];
    const double h = p->state->halving.dt[1], k = p->state->halving.dt[2];
    const vec3 w = turn_rate(p->now->frame[j], p->last->frame[j], h);
    if (p->state->halving.step == 1) return v3_sub(v3_scale(2.0, w), p->spin0[j]);
    const vec3 before = turn_rate(p->last->frame[j], p->before->frame[j], k);
    return v3_axpy(w, h / (h + k), v3_sub(w, before));
}

static double kinetic_now(const wy_kirchhoff *p) {
    double sum = 0;
    for (int j = 0; j <= p->n; j++) {
        sum += p->mass[j] * square(node_velocity(p, j));
        if (p->turn[j][0] == 0 && p->turn[j][1] == 0) continue;
        const vec3 w = node_spin(p, j);
        const mat3 *f = &p->now->frame[j];
        sum += p->turn[j][0] * (square(v3_cross(w, f->c1)) + square(v3_cross(w, f->c2)));
        sum += p->turn[j][1] * square(v3_cross(w, f->c3));
    }
    return 0.5 * sum;
}

/* += part of sum M (b - a)/h and its moment, which the scheme conserves exactly. */
static void add_momenta(const wy_kirchhoff *p, const wy_kirchhoff_level *b,
                        const wy_kirchhoff_level *a, double r, vec3 momentum[2]) {
    vec3 turn = v3(0, 0, 0);
    for (int j = 0; j <= p->n; j++) {
        const vec3 v = v3_sub(b->x[j], a->x[j]);
        const mat3 *f = &b->frame[j], *g = &a->frame[j];
        momentum[0] = v3_axpy(momentum[0], r * p->mass[j], v);
        turn = v3_axpy(turn, r * p->mass[j], v3_cross(a->x[j], v));
        turn = v3_axpy(turn, r * p->turn[j][0], v3_cross(g->c1, f->c1));
        turn = v3_axpy(turn, r * p->turn[j][0], v3_cross(g->c2, f->c2));
        turn = v3_axpy(turn, r * p->turn[j][1], v3_cross(g->c3, f->c3));
    }
    momentum[1] = v3_add(momentum[1], turn);
}

/* Conserved in the middle of the steps; now between the last and the next (at t = 0: that of the first). */
static void momenta(const wy_kirchhoff *p, vec3 *linear, vec3 *angular) {
    const wy_halving *halving = &p->state->halving;
    const double part = !halving->ready ? 0 : halving->step ? wy_halving_part(halving) : 1;
    vec3 sum[2] = {v3(0, 0, 0), v3(0, 0, 0)};
    if (part < 1 && halving->step)
        add_momenta(p, p->now, p->last, (1 - part) / halving->dt[1], sum);
    if (part > 0) add_momenta(p, p->next, p->now, part / halving->dt[0], sum);
    *linear = sum[0], *angular = sum[1];
}

/* ---- stations -------------------------------------------------------------------------------- */

/* The cubic with the nodal tangents, and its derivative. */
static vec3 cubic_at(const wy_kirchhoff *p, wy_place at, vec3 *slope) {
    const vec3 *x = &p->now->x[at.j];
    const vec3 tb = p->now->frame[at.j].c3, tc = p->now->frame[at.j + 1].c3;
    const double f = at.f, g = 1.0 - f, eta = p->eta;
    const vec3 chord = v3_sub(x[1], x[0]);
    const vec3 r = v3_axpy(v3_axpy(x[0], f * f * (3 - 2 * f), chord), eta * f * g * g, tb);
    const vec3 d = v3_axpy(v3_scale(6 * f * g / eta, chord), g * (1 - 3 * f), tb);
    *slope = v3_axpy(d, f * (3 * f - 2), tc);
    return v3_axpy(r, -eta * f * f * g, tc);
}

vec3 wy_kirchhoff_position(const wy_kirchhoff *p, double s) {
    vec3 slope;
    return cubic_at(p, wy_place_of(s, p->eta, p->n), &slope);
}

/* Natural frame between nodes, aligned with the tangent; then the rest twist's angle. */
static mat3 material_frame(const wy_kirchhoff *p, wy_place at, vec3 tangent) {
    const mat3 *f = &p->now->frame[at.j];
    mat3 natural = at.f >= 1.0 ? f[1] : f[0];
    if (at.f > 0.0 && at.f < 1.0) {
        const vec3 turn = q_log(q_from_matrix(m3_mulm(f[1], m3_transpose(f[0]))));
        natural = m3_mulm(q_matrix(q_exp(v3_scale(at.f, turn))), f[0]);
        natural = m3_mulm(m3_between(natural.c3, tangent), natural);
    }
    const double a = (1.0 - at.f) * p->angle[at.j] + at.f * p->angle[at.j + 1];
    return wy_kirchhoff_spun(natural, a);
}

static double node_twist(const wy_kirchhoff *p, int j) {
    const wy_kirchhoff_cell *cell = p->now->cell;
    if (j == 0) return 1.5 * cell[0].tau - 0.5 * cell[1].tau;
    if (j == p->n) return 1.5 * cell[j - 1].tau - 0.5 * cell[j - 2].tau;
    return 0.5 * (cell[j - 1].tau + cell[j].tau);
}

/* e of a node: of the ends, where x'' of the spline is of order 1 only, from the three nodes next to it. */
static double node_bend(const wy_kirchhoff *p, int j, int axis) {
    const wy_kirchhoff_cell *cell = p->now->cell;
    const int n = p->n, in = j == 0 ? 1 : -1;
    if (j > 0 && j < n) return j < n ? cell[j].e[0][axis] : cell[j - 1].e[1][axis];
    return 3 * (node_bend(p, j + in, axis) - node_bend(p, j + 2 * in, axis)) +
           node_bend(p, j + 3 * in, axis);
}

/* (bend1, bend2, twist) = (-e.d2, e.d1, tau); see the head of kirchhoff/kirchhoff.c. */
static vec3 strain_at(const wy_kirchhoff *p, wy_place at) {
    const double f = at.f, g = 1.0 - f;
    const double e1 = g * node_bend(p, at.j, 0) + f * node_bend(p, at.j + 1, 0);
    const double e2 = g * node_bend(p, at.j, 1) + f * node_bend(p, at.j + 1, 1);
    const double a = g * p->angle[at.j] + f * p->angle[at.j + 1];
    return v3(sin(a) * e1 - cos(a) * e2, cos(a) * e1 + sin(a) * e2,
              g * node_twist(p, at.j) + f * node_twist(p, at.j + 1));
}

/* s kappa: the natural curvature, constant in the frame, where the section is now; [KS] (3.4). */
static vec3 kappa_at(const wy_kirchhoff *p, wy_place at, mat3 material) {
    const double *b = p->kappa[at.j], *c = p->kappa[at.j + 1], f = at.f, g = 1.0 - f;
    const double k1 = g * b[0] + f * c[0], k2 = g * b[1] + f * c[1];
    const double a = g * p->angle[at.j] + f * p->angle[at.j + 1];
    return v3_add(v3_scale(cos(a) * k1 + sin(a) * k2, material.c1),
                  v3_scale(cos(a) * k2 - sin(a) * k1, material.c2));
}

/* The multipliers carry a zigzag of the grid, which moves nothing and does not converge; the mean
 * over three nodes has none of it. */
static vec3 node_multiplier(const wy_kirchhoff *p, int j, int which) {
    const vec3(*m)[2] = (const vec3(*)[2])p->multiplier;
    const int n = p->n, in = j ? -1 : 1;
    if (j == 0 || j == n)
        return v3_axpy(v3_scale(2.0, node_multiplier(p, j + in, which)), -1.0,
                       node_multiplier(p, j + 2 * in, which));
    const vec3 neighbours = v3_add(m[j - 1][which], m[j + 1][which]);
    return v3_scale(0.25, v3_axpy(neighbours, 2.0, m[j][which]));
}

static void sample_station(const void *self, withy_snapshot *snap, int i) {
    const wy_kirchhoff *p = self;
    const wy_place at = wy_place_of(snap->s[i], p->eta, p->n);
    vec3 slope;
    snap->position[i] = cubic_at(p, at, &slope);
    if (snap->requested & (WITHY_HAVE_FRAME | WITHY_HAVE_KAPPA)) {
        const mat3 frame = material_frame(p, at, v3_unit(slope));
        snap->frame[i] = q_from_matrix(frame);
        snap->kappa[i] = kappa_at(p, at, frame);
    }
    if (snap->requested & WITHY_HAVE_VELOCITY)
        snap->velocity[i] = wy_place_mix(at, node_velocity(p, at.j), node_velocity(p, at.j + 1));
    if (snap->requested & WITHY_HAVE_SPIN)
        snap->spin[i] = wy_place_mix(at, node_spin(p, at.j), node_spin(p, at.j + 1));
    if (snap->requested & WITHY_HAVE_BEND) snap->bend[i] = strain_at(p, at);
    if (snap->requested & WITHY_HAVE_FORCE)
        snap->force[i] = wy_spline_step_force(&p->state->balance, p->sample_pull, p->n, at);
    if (snap->requested & WITHY_HAVE_MULTIPLIER)
        snap->multiplier[i] =
            wy_place_mix(at, node_multiplier(p, at.j, 0), node_multiplier(p, at.j + 1, 0));
    if (snap->requested & WITHY_HAVE_MULTIPLIER_FRAME)
        snap->multiplier_frame[i] =
            wy_place_mix(at, node_multiplier(p, at.j, 1), node_multiplier(p, at.j + 1, 1));
}

static void sample_sums(const void *self, withy_snapshot *snap) {
    const wy_kirchhoff *p = self;
    snap->energy = (withy_energies){.kinetic = kinetic_now(p),
                                    .bend = bend_energy(p, p->now),
                                    .twist = twist_energy(p, p->now),
                                    .gravity = gravity_energy(p, p->now)};
    momenta(p, &snap->momentum, &snap->angular_momentum);
    snap->constraint = wy_kirchhoff_violation(p, p->now);
}

enum {
    BALANCE = WITHY_HAVE_FORCE | WITHY_HAVE_MULTIPLIER | WITHY_HAVE_MULTIPLIER_FRAME,
    POINTWISE = WITHY_HAVE_FRAME | WITHY_HAVE_VELOCITY | WITHY_HAVE_SPIN | WITHY_HAVE_BEND |
                WITHY_HAVE_KAPPA | BALANCE
};

void wy_kirchhoff_sample(const void *self, int rod, withy_snapshot *snap) {
    static const wy_spline_step_sampler sampler = {sample_station, sample_sums, POINTWISE, BALANCE};
    const wy_kirchhoff *p = self;
    (void)rod;
    wy_spline_step_sample(&sampler, p, &p->state->halving, &p->state->balance, snap);
    snap->iterations = (int)p->state->halving.next_iterations;
}
