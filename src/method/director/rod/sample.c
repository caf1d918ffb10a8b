/* sample.c - from nodes and Gauss points to stations.
 *
 * Positions, frames and velocities are interpolated by the shape functions (frames made orthonormal
 * again); strains and stresses are at the Gauss points, where they are most accurate, and are
 * carried to a station by the polynomial through the Gauss points of its element (degree 1: the
 * line through the middles of neighbouring elements); on the border of two elements the mean of
 * both.  Velocities and forces of ends at the time of the state: director/rod/report.c.
 */
#include "method/director/force/fluid.h"
#include "method/director/law/law.h"
#include "method/director/rod/cable.h"

typedef struct place {
    int e;
    double xi, value[WY_ELEMENT_NODES];
} place;

static place place_of(const wy_director *x, double s) {
    const int low = wy_place_in(x->plan.start, 1, x->plan.n + 1, s);
    place at = {.e = low, .xi = (s - x->plan.start[low]) / x->plan.size[low]};
    double slope[WY_ELEMENT_NODES];
    wy_element_values(x->plan.rule, at.xi, at.value, slope);
    return at;
}

int wy_director_place(const wy_director *x, double s, double value[WY_ELEMENT_NODES]) {
    const place at = place_of(x, s);
    for (int a = 0; a <= x->plan.p; a++) value[a] = at.value[a];
    return at.e;
}

static void sample_node_fields(const wy_director *x, const place *at, int i, withy_snapshot *snap) {
    const wy_director_node *node = &x->node[at->e * x->plan.p];
    vec3 r = x->now->origin, v = v3(0, 0, 0), spin = v;
    tri d = {{0}, {0}, {0}};
    for (int a = 0; a <= x->plan.p; a++) {
        r = v3_axpy(r, at->value[a], node[a].r);
        vec3 own, turn;
        wy_director_speed(x, at->e * x->plan.p + a, &own, &turn);
        v = v3_axpy(v, at->value[a], own), spin = v3_axpy(spin, at->value[a], turn);
        d = tri_axpy(d, lane_all(at->value[a]), node[a].d);
    }
    for (int k = 0; k < 4; k++) d = tri_orthonormal(d);
    snap->position[i] = r;
    snap->frame[i] = q_from_matrix(tri_matrix(d));
    snap->velocity[i] = v;
    snap->spin[i] = spin;
}

/* Strains minus rest and stresses at a Gauss point now. */
static void gauss_values(const wy_director *x, int index, lane out[4]) {
    const wy_director_section *g = &x->plan.section[index];
    const wy_director_strain *now = &x->strain[index];
    wy_section_stress_at(x, index, now->start, &out[2]);
    for (int k = 0; k < 2; k++) out[k] = now->start[k] - g->rest[k];
    for (int k = 0; k < 2 && x->active; k++) out[k] -= x->active[index].rest[k];
    wy_section_damp(x, index, now->rate, &out[2]);
    if (x->tendon_stress) wy_director_tendon_sample(x, index, &out[2]);
    for (int i = 0; i < 2; i++)
        out[3][i] += g->space * now->rate[1][i]; /* 0 but for damping_in_space.c */
}

/* Polynomial through the Gauss points of element e at xi. */
static void element_values(const wy_director *x, int e, double xi, lane out[4]) {
    for (int k = 0; k < 4; k++) out[k] = lane_all(0);
    for (int g = 0; g < x->plan.p; g++) {
        double l = 1.0;
        for (int m = 0; m < x->plan.p; m++)
            if (m != g)
                l *= (xi - x->plan.rule->point[m]) /
                     (x->plan.rule->point[g] - x->plan.rule->point[m]);
        lane at[4];
        gauss_values(x, e * x->plan.p + g, at);
        for (int k = 0; k < 4; k++) out[k] += lane_all(l) * at[k];
    }
}

/* Degree 1: the line through the middles of this element and the nearer neighbour. */
static void line_values(const wy_director *x, int e, double s, lane out[4]) {
    int left = s < x->plan.start[e] + 0.5 * x->plan.size[e] ? e - 1 : e;
    if (left < 0) left = 0;
    if (left > x->plan.n - 2) left = x->plan.n - 2;
    if (x->plan.n == 1) {
        gauss_values(x, 0, out);
        return;
    }
    const double a = x->plan.start[left] + 0.5 * x->plan.size[left];
    const double b = x->plan.start[left + 1] + 0.5 * x->plan.size[left + 1], k = (s - a) / (b - a);
    lane right[4];
    gauss_values(x, left, out);
    gauss_values(x, left + 1, right);
    for (int i = 0; i < 4; i++) out[i] += lane_all(k) * (right[i] - out[i]);
}

static void sample_gauss_fields(const wy_director *x, const place *at, int i,
                                withy_snapshot *snap) {
    lane out[4], other[4];
    if (x->plan.p == 1)
        line_values(x, at->e, snap->s[i], out);
    else
        element_values(x, at->e, at->xi, out);
    if (x->plan.p > 1 && at->xi < 1e-9 && at->e > 0) {
        element_values(x, at->e - 1, 1.0, other);
        for (int k = 0; k < 4; k++) out[k] = lane_all(0.5) * (out[k] + other[k]);
    }
    const mat3 frame = q_matrix(snap->frame[i]);
    snap->shear[i] = lane_vec3(out[0]), snap->bend[i] = lane_vec3(out[1]);
    snap->force[i] = m3_mul(frame, lane_vec3(out[2]));
    snap->moment[i] = m3_mul(frame, lane_vec3(out[3]));
}

/* At the nearest Gauss point: it is the largest of a section, and no line through several. */
static void sample_plastic(const wy_director *x, const place *at, int i, withy_snapshot *snap) {
    int nearest = 0;
    for (int g = 1; g < x->plan.p; g++)
        if (fabs(x->plan.rule->point[g] - at->xi) < fabs(x->plan.rule->point[nearest] - at->xi))
            nearest = g;
    snap->plastic[i] = x->plan.law->most(x, at->e * x->plan.p + nearest);
}

void wy_director_add_momenta(const wy_director *x, vec3 *p, vec3 *l) {
    if (wy_is_massless(&x->plan)) return;
    for (int j = 0; j < x->plan.node_count; j++) {
        const wy_director_node *node = &x->node[j];
        vec3 mv = v3_scale(x->plan.mass[j].mass, node->v);
        if (x->u) mv = v3_add(mv, wy_added_mass_momentum(x, j));
        *p = v3_add(*p, mv);
        *l = v3_add(*l, v3_cross(node->r, mv));
        *l = v3_add(*l, tri_sum3(tri_scale(x->plan.mass[j].rotary * node->w, node->d)));
    }
    for (int i = 0; i < 2 && x->plan.n > 0; i++) {
        const wy_director_end *end = &x->plan.end[i];
        const wy_director_node *node = &x->node[end->node];
        const vec3 at = v3_add(node->r, tri_sum3(tri_scale(vec3_lane(end->arm), node->d)));
        const vec3 mu = v3_scale(end->mass, x->now->end[i].u);
        *p = v3_add(*p, mu);
        *l = v3_add(*l, v3_cross(at, mu));
    }
}

/* Largest deviation of the directors from unit length and right angles. */
static double orthonormality(const wy_director *x) {
    double worst = 0;
    for (int j = 0; j < x->plan.node_count; j++) {
        const tri d = x->node[j].d, next = tri_next(d);
        const lane unit = tri_dot(d, d) - lane_all(1.0), across = tri_dot(d, next);
        for (int k = 0; k < 3; k++) worst = wy_max(worst, wy_max(fabs(unit[k]), fabs(across[k])));
    }
    return worst;
}

void wy_director_speeds(const wy_director *x, int count, const double *s, vec3 *velocity,
                        vec3 *spin) {
    for (int i = 0; i < count; i++) {
        const place at = place_of(x, s[i]);
        const wy_director_node *node = &x->node[at.e * x->plan.p];
        velocity[i] = spin[i] = v3(0, 0, 0);
        for (int a = 0; a <= x->plan.p; a++) {
            const vec3 turns = m3_mul(tri_matrix(node[a].d), lane_vec3(node[a].w));
            velocity[i] = v3_axpy(velocity[i], at.value[a], node[a].v);
            spin[i] = v3_axpy(spin[i], at.value[a], turns);
        }
    }
}

int wy_director_nodes(const wy_director *x, double *s) {
    for (int j = 0; s && j < x->plan.node_count; j++) s[j] = x->plan.s[j];
    return x->plan.node_count;
}

static int has_chamber(const wy_director *x) {
    for (int k = 0; k < x->plan.tendon_count; k++)
        if (x->plan.tendon[k].load->kind == WITHY_LOAD_CHAMBER) return 1;
    return 0;
}

void wy_director_sample(const wy_director *x, withy_snapshot *snap) {
    const unsigned gauss =
        WITHY_HAVE_SHEAR | WITHY_HAVE_BEND | WITHY_HAVE_FORCE | WITHY_HAVE_MOMENT;
    snap->have = WITHY_HAVE_POSITION | WITHY_HAVE_FRAME | WITHY_HAVE_VELOCITY | WITHY_HAVE_SPIN |
                 WITHY_HAVE_ENERGY | WITHY_HAVE_CONSERVED | WITHY_HAVE_REACTION |
                 WITHY_HAVE_REACTION_MOMENT | WITHY_HAVE_WORK;
    const int medium = x->fluid && (snap->requested & WITHY_HAVE_FLUID);
    if (x->plan.law->most) snap->have |= WITHY_HAVE_PLASTIC;
    if (medium) snap->have |= WITHY_HAVE_FLUID;
    if (x->active || x->activation || has_chamber(x))
        snap->have |= WITHY_HAVE_ACTIVE, snap->active = x->now->active;
    for (int i = 0; i < snap->count; i++) {
        const place at = place_of(x, snap->s[i]);
        sample_node_fields(x, &at, i, snap);
        if (snap->requested & gauss) sample_gauss_fields(x, &at, i, snap);
        if (x->plan.law->most) sample_plastic(x, &at, i, snap);
    }
    if (snap->requested & gauss) snap->have |= gauss;
    if (wy_is_cable(&x->plan)) wy_cable_frames(x, snap);
    if (x->plan.rod->closed) wy_closed_sample(x, snap);
    for (int i = 0; i < snap->count && medium; i++) {
        const place at = place_of(x, snap->s[i]);
        if (!wy_fluid_sample(x, at.e, at.value, i, snap)) snap->have &= ~(unsigned)WITHY_HAVE_FLUID;
    }
    snap->energy = x->now->energy;
    snap->conserved_at = snap->t;
    snap->work = x->now->work, snap->dissipated = x->now->dissipated;
    if (snap->requested & WITHY_HAVE_CONSTRAINT) {
        snap->constraint = orthonormality(x);
        snap->have |= WITHY_HAVE_CONSTRAINT;
    }
    for (int i = 0; i < 2; i++) {
        snap->reaction[i] = wy_director_force_now(x->now, x->now->end[i].reaction);
        snap->reaction_moment[i] = wy_director_force_now(x->now, x->now->end[i].reaction_moment);
    }
}
