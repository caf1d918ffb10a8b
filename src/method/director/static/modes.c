/* modes.c - what modes need of director: inertia, damping, shapes, and frequencies from strains.
 *
 *   M = diag(m, R J R^T) and the lumps,   C of the viscous strains and the linear drag
 */
#include <float.h>

#include "method/director/force/fluid.h"
#include "method/director/force/force.h"
#include "method/director/law/law.h"
#include "method/director/rod/cable.h"

void wy_director_release(const wy_director *x, int which, double a[6]) {
    const wy_director_end *end = &x->plan.end[which];
    v3_to(v3_sub(v3_from(a), wy_director_held(end, v3_from(a))), a);
    if (!end->holds_frame) return;
    const vec3 along = x->step->end[which].target.c3, turn = v3_from(a + 3);
    v3_to(end->turns_free ? v3_scale(v3_dot(along, turn), along) : v3(0, 0, 0), a + 3);
}

static void add_lump(const wy_director *x, const wy_director_end *end, const double a[6],
                     double b[6]) {
    const vec3 arm = tri_sum3(tri_scale(vec3_lane(end->arm), x->node[end->node].d));
    const vec3 shift = v3_add(v3_from(a), v3_cross(v3_from(a + 3), arm));
    const vec3 f = v3_scale(end->mass, shift), l = v3_cross(arm, f);
    v3_to(v3_add(v3_from(b), f), b);
    v3_to(v3_add(v3_from(b + 3), l), b + 3);
}

static void add_stirred(const wy_director *x, int j, const double a[6], double b[6]) {
    double m[6][6] = {{0}};
    wy_added_mass_inertia(x, j, 1, m);
    for (int i = 0; i < 9; i++) b[i / 3] += m[i / 3][i % 3] * a[i % 3];
}

/* M of wy_equations.weigh. */
static void weight_times(const wy_director *x, const double *v, double *mv) {
    const double turn = WY_WEIGHT_TURN * x->plan.whole * x->plan.whole;
    memcpy(mv, v, 6 * (size_t)x->plan.node_count * sizeof *mv);
    for (int i = 0; i < 2; i++) wy_director_release(x, i, &mv[6 * x->plan.end[i].node]);
    for (int i = 0; i < 6 * x->plan.node_count; i++)
        mv[i] *= x->plan.mass[i / 6].share * (i % 6 < 3 ? 1 : turn);
}

void wy_director_mass_times(const void *self, const double *v, double *mv) {
    const wy_director *x = self;
    const int last = x->plan.node_count - 1;
    if (x->step->weighed) {
        weight_times(x, v, mv);
        return;
    }
    for (int j = 0; j <= last; j++) {
        const int which = j == 0 ? 0 : j == last ? 1 : -1;
        double a[6], *b = &mv[6 * j];
        memcpy(a, &v[6 * j], sizeof a);
        if (which >= 0) wy_director_release(x, which, a);
        v3_to(v3_scale(x->plan.mass[j].mass, v3_from(a)), b);
        const tri d = x->node[j].d;
        const lane body = tri_dot(d, tri_all(v3_from(a + 3)));
        v3_to(tri_sum3(tri_scale(wy_director_rotary(x, j) * body, d)), b + 3);
        if (x->fluid && x->fluid->stirs) add_stirred(x, j, a, b);
        if (which < 0) continue;
        if (x->plan.end[which].mass > 0) add_lump(x, &x->plan.end[which], a, b);
        wy_director_release(x, which, b);
    }
}

void wy_director_damping_times(const void *self, const double *v, double *cv) {
    const wy_director *x = self;
    memset(cv, 0, 6 * (size_t)x->plan.node_count * sizeof *cv);
    for (int j = 0; j < x->plan.node_count && x->plan.forces; j++)
        wy_forces_damp(x, j, &v[6 * j], &cv[6 * j]);
    for (int e = 0; e < x->plan.n; e++) wy_director_element_damping(x, e, v, cv);
    for (int e = 0; e < x->plan.n && x->plan.has_damping_in_space; e++)
        wy_director_space_damping(x, e, v, cv);
    wy_director_state_load_damping(x, v, cv);
    if (!v3_is_zero(x->step->spin)) wy_director_gyroscopic(x, v, cv);
    for (int i = 0; i < 2; i++) wy_director_release(x, i, &cv[6 * x->plan.end[i].node]);
}

/* First and second variation of the strains (Gamma, K) at one Gauss point along the motion v: with
 * d' = w x d and d'' = w x (w x d), both bilinear forms differentiated twice.  size: of Gamma and of K, the sum of the
 * terms that rounding is relative to: their differences between nodes are much smaller. */
static void variations(const wy_director *x, const double *v, int e, int g, lane one[2],
                       lane two[2], double size[2]) {
    if (wy_is_cable(&x->plan)) {
        wy_cable_variations(x, v, e, g, one, two, size);
        return;
    }
    tri a = {{0}, {0}, {0}}, b = a, a1 = a, b1 = a, a2 = a, b2 = a;
    vec3 rho = v3(0, 0, 0), rho1 = rho;
    size[0] = size[1] = 0;
    for (int k = 0; k <= x->plan.p; k++) {
        const int j = e * x->plan.p + k;
        const double value = x->plan.rule->value[g][k],
                     slope = x->plan.rule->slope[g][k] / x->plan.size[e];
        const lane n = lane_all(value), m = lane_all(slope);
        const tri w = tri_all(v3_from(&v[6 * j + 3])), d = x->node[j].d;
        const tri d1 = tri_cross(w, d), d2 = tri_cross(w, d1);
        a = tri_axpy(a, n, d), a1 = tri_axpy(a1, n, d1), a2 = tri_axpy(a2, n, d2);
        b = tri_axpy(b, m, d), b1 = tri_axpy(b1, m, d1), b2 = tri_axpy(b2, m, d2);
        rho = v3_axpy(rho, slope, x->node[j].r);
        rho1 = v3_axpy(rho1, slope, v3_from(&v[6 * j]));
        size[0] += fabs(slope) * v3_norm(x->node[j].r), size[1] += fabs(slope);
    }
    const lane half = lane_all(0.5), twice = lane_all(2.0);
    const tri arm = tri_axpy(tri_all(rho), -x->plan.axial, a);
    one[0] = tri_dot(a, tri_all(rho1)) + tri_dot(a1, arm);
    two[0] =
        twice * tri_dot(a1, tri_all(rho1)) + tri_dot(a2, arm) - x->plan.axial * tri_dot(a1, a1);
    const tri al = tri_last(a), an = tri_next(a), bl = tri_last(b), bn = tri_next(b);
    one[1] = half * (tri_dot(tri_last(a1), bn) + tri_dot(al, tri_next(b1)) -
                     tri_dot(tri_next(a1), bl) - tri_dot(an, tri_last(b1)));
    two[1] = half * (tri_dot(tri_last(a2), bn) + twice * tri_dot(tri_last(a1), tri_next(b1)) +
                     tri_dot(al, tri_next(b2)) - tri_dot(tri_next(a2), bl) -
                     twice * tri_dot(tri_next(a1), tri_last(b1)) - tri_dot(an, tri_last(b2)));
}

/* v^T K v from strains: a rigid motion has none, to rounding of the strains, so that it finds
 * frequencies that the factorised matrix no longer resolves. */
double wy_director_quotient(const void *self, const double *v, double *terms, double *round) {
    const wy_director *x = self;
    double stiff = 0;
    *terms = *round = 0;
    x->step->shift = 0;
    for (int i = 0; i < x->plan.n * x->plan.p; i++) {
        const wy_director_section *section = &x->plan.section[i];
        lane one[2], two[2];
        double size[2];
        variations(x, v, i / x->plan.p, i % x->plan.p, one, two, size);
        if (x->tendon_stress) stiff += wy_director_tendon_quotient(x, i, one, two, terms);
        lane stress[2], change[2] = {{0}, {0}};
        wy_slope slope;
        wy_section_stress_at(x, i, x->strain[i].start, stress);
        wy_section_slope_at(x, i, x->strain[i].start, slope);
        wy_section_times(slope, one, change);
        for (int k = 0; k < 2; k++) {
            const double held = section->weight * lane_sum(stress[k] * two[k]);
            stiff += section->weight * lane_sum(change[k] * one[k]) + held;
            const lane loose = section->c[k] * lane_all(size[k]) * two[k];
            *terms += fabs(held);
            for (int c = 0; c < 3; c++) *round += DBL_EPSILON * section->weight * fabs(loose[c]);
        }
    }
    for (int j = 0; j < x->plan.node_count; j++) {
        double a[6][6], b[6];
        const double *c = &v[6 * j];
        wy_director_node_terms(x, j, a, b);
        for (int i = 0; i < 36; i++) {
            const double term = c[i / 6] * a[i / 6][i % 6] * c[i % 6];
            stiff += term, *terms += fabs(term);
        }
    }
    return stiff;
}

double wy_director_held_by(const wy_director *x, const double *v, const double *force) {
    double sum = 0;
    for (int i = 0; i < x->plan.n * x->plan.p; i++) {
        lane one[2], two[2];
        double size[2];
        variations(x, v, i / x->plan.p, i % x->plan.p, one, two, size);
        for (int k = 0; k < 3; k++) sum += x->plan.section[i].weight * force[3 * i + k] * two[0][k];
    }
    return sum;
}

void wy_director_shape_at(const wy_director *x, const double *v, int i, withy_mode *mode) {
    double value[WY_ELEMENT_NODES];
    const int first = wy_director_place(x, mode->s[i], value) * x->plan.p;
    vec3 r = x->now->origin, shift = v3(0, 0, 0), turn = shift;
    for (int a = 0; a <= x->plan.p; a++) {
        r = v3_axpy(r, value[a], x->node[first + a].r);
        shift = v3_axpy(shift, value[a], v3_from(&v[6 * (first + a)]));
        turn = v3_axpy(turn, value[a], v3_from(&v[6 * (first + a) + 3]));
    }
    mode->position[i] = r, mode->shift[i] = shift, mode->turn[i] = turn;
}
