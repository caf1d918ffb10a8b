/* damping_in_space.c - damping of the curve in space: the laws of [EL] and [KS] (rod.damping.law).
 *
 * [EL] (50) and [KS] (5.78) damp the rate of x'' - s kappa in laboratory axes, not that of the strains, so
 * they also slow the rigid rotation of a bent rod.  Here x' = d3, and with d3' = k2 d1 - k1 d2,
 *
 *     u = d3' - k2* d1 + k1* d2,      loss = int nu |u_t|^2 ds,                                (1)
 *
 * k1*, k2* the natural curvatures ([EL]: 0).  u is linear in the directors of the nodes: at a Gauss point
 *
 *     u = sum_a w_a,    w_a = N_a' d3_a - N_a (k2* d1_a - k1* d2_a).                            (2)
 *
 * The stress of a step is P = nu (u+ - u-)/h.  With d+ - d- = theta x dbar, dbar the mean, its work is
 *
 *     h P . (u+ - u-)/h = sum_a theta_a . (wbar_a x P),                                         (3)
 *
 * so the moments wbar_a x P on the nodes lose exactly nu |u+ - u-|^2/h >= 0: the energy balance close to rounding.
 * A variation is delta d+ = delta x d+:
 *
 *     d(wbar_a x P) = 1/2 (w+_a P^T - (P . w+_a) 1) delta_a
 *                     + nu/h sum_b ((wbar_a . w+_b) 1 - w+_b wbar_a^T) delta_b.                 (4)
 *
 * The section's moment has d3 x P added.  Twist, shear and stretch keep their own damping.
 */
#include "method/director/director.h"

/* (2) for directors d. */
static vec3 arm_of(const wy_director *x, int e, int g, int a, tri d) {
    const wy_director_section *section = &x->plan.section[e * x->plan.p + g];
    const double slope = x->plan.rule->slope[g][a] / x->plan.size[e];
    const double value = x->plan.rule->value[g][a];
    const lane k = section->rest[1];
    const lane part = {-value * k[1] * section->curved, value * k[0] * section->curved, slope, 0};
    return tri_sum3(tri_scale(part, d));
}

/* w_a of the mean and of the end of the step, and their sums u+ - u-. */
typedef struct arms {
    vec3 mid[WY_ELEMENT_NODES], plus[WY_ELEMENT_NODES], change;
} arms;

static arms arms_of(const wy_director *x, int e, int g) {
    arms w = {.change = v3(0, 0, 0)};
    for (int a = 0; a <= x->plan.p; a++) {
        const int j = e * x->plan.p + a;
        const vec3 minus = arm_of(x, e, g, a, x->node[j].d);
        w.plus[a] = arm_of(x, e, g, a, x->next[j].d);
        w.mid[a] = v3_scale(0.5, v3_add(minus, w.plus[a]));
        w.change = v3_add(w.change, v3_sub(w.plus[a], minus));
    }
    return w;
}

/* m += k a b^T, m += k 1: three rows and columns from (row, column) on. */
static void add_outer(double *m, int stride, int row, int column, double k, vec3 a, vec3 b) {
    const double u[3] = {a.x, a.y, a.z}, v[3] = {b.x, b.y, b.z};
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++) m[(row + i) * stride + column + c] += k * u[i] * v[c];
}
static void add_one(double *m, int stride, int row, int column, double k) {
    for (int i = 0; i < 3; i++) m[(row + i) * stride + column + i] += k;
}

/* (3) as a load of the element, (4) in its matrix. */
void wy_director_space_add(const wy_director *x, int e, double *matrix, int stride, int column) {
    if (!x->step->dynamic) return;
    for (int g = 0; g < x->plan.p; g++) {
        const wy_director_section *section = &x->plan.section[e * x->plan.p + g];
        const double c = section->weight * section->space * x->step->per;
        const arms w = arms_of(x, e, g);
        const vec3 p = v3_scale(c, w.change);
        for (int a = 0; a <= x->plan.p; a++) {
            const int row = 6 * a + 3;
            double moment[3];
            v3_to(v3_cross(w.mid[a], p), moment);
            for (int i = 0; i < 3; i++) matrix[(row + i) * stride + column] -= moment[i];
            add_outer(matrix, stride, row, row, 0.5, w.plus[a], p);
            add_one(matrix, stride, row, row, -0.5 * v3_dot(p, w.plus[a]));
            for (int b = 0; b <= x->plan.p; b++) {
                add_one(matrix, stride, row, 6 * b + 3, c * v3_dot(w.mid[a], w.plus[b]));
                add_outer(matrix, stride, row, 6 * b + 3, -c, w.plus[b], w.mid[a]);
            }
        }
    }
}

/* nu |u+ - u-|^2/h of the step; the rate of the strain whose product with nu is the moment d3 x P. */
double wy_director_space_loss(wy_director *x) {
    double lost = 0;
    for (int e = 0; e < x->plan.n; e++)
        for (int g = 0; g < x->plan.p; g++) {
            const int at = e * x->plan.p + g;
            const wy_director_section *section = &x->plan.section[at];
            const vec3 change = arms_of(x, e, g).change;
            lost += section->weight * section->space * x->step->per * v3_dot(change, change);
            tri d = {{0}, {0}, {0}};
            for (int a = 0; a <= x->plan.p; a++)
                d = tri_axpy(d, lane_all(x->plan.rule->value[g][a]),
                             wy_director_mid(x, e * x->plan.p + a));
            const lane along = lane_all(x->step->per) * tri_dot(d, tri_all(change));
            x->strain[at].rate[1][0] = -along[1], x->strain[at].rate[1][1] = along[0];
        }
    return lost;
}

/* f += the damping forces of velocities v about the present state, both [6 node_count]. */
void wy_director_space_damping(const wy_director *x, int e, const double *v, double *f) {
    for (int g = 0; g < x->plan.p; g++) {
        const wy_director_section *section = &x->plan.section[e * x->plan.p + g];
        vec3 rate = v3(0, 0, 0), w[WY_ELEMENT_NODES];
        for (int a = 0; a <= x->plan.p; a++) {
            const int j = e * x->plan.p + a;
            w[a] = arm_of(x, e, g, a, x->node[j].d);
            rate = v3_add(rate, v3_cross(v3_from(&v[6 * j + 3]), w[a]));
        }
        const vec3 p = v3_scale(section->weight * section->space, rate);
        for (int a = 0; a <= x->plan.p; a++) {
            double moment[3];
            v3_to(v3_cross(w[a], p), moment);
            for (int i = 0; i < 3; i++) f[6 * (e * x->plan.p + a) + 3 + i] += moment[i];
        }
    }
}
