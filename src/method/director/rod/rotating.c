/* rotating.c - equilibrium and modes in a frame that turns with the angular velocity W about a point.
 *
 * Force and moment to be zero, of a node of mass m and inertia J = R J0 R^T (laboratory axes that turn):
 *   m W x (W x r)                  K = m W^2 (W^2: twice the cross product)     C = 2 m W x
 *   W x J W                        K = W^ (J W^ - (J W)^)                       C = W^ J + J W^ - (J W)^
 * where ^ is the matrix of a cross product; those of J because a turn phi changes J by phi^ J - J phi^.
 * A lump on an arm c is a particle at r + c.  The tension that the first makes stiffens a blade, its K softens it in the plane of rotation, and
 * C couples both: docs/theory/director.md.
 */
#include "method/director/director.h"
#include "method/director/rod/rows.h"

static mat3 inertia_of(const wy_director *x, int j) {
    const mat3 d = tri_matrix(x->next[j].d);
    const lane k = x->plan.mass[j].rotary;
    const mat3 scaled = {v3_scale(k[0], d.c1), v3_scale(k[1], d.c2), v3_scale(k[2], d.c3)};
    return m3_mulm(scaled, m3_transpose(d));
}

static const wy_director_end *lump_at(const wy_director *x, int j) {
    const int last = x->plan.node_count - 1;
    const wy_director_end *end = j == 0 ? &x->plan.end[0] : j == last ? &x->plan.end[1] : NULL;
    return end && end->mass > 0 ? end : NULL;
}

static vec3 arm_of(const wy_director *x, const wy_director_end *end) {
    return tri_sum3(tri_scale(vec3_lane(end->arm), x->next[end->node].d));
}

static void add_lump(const wy_director *x, const wy_director_end *end, double a[6][6],
                     double b[6]) {
    const vec3 w = x->step->spin, c = arm_of(x, end);
    const vec3 f = v3_scale(
        end->mass, v3_cross(w, v3_cross(w, v3_add(wy_director_from_axis(x, end->node), c))));
    const mat3 twice = m3_mulm(wy_hat(w), wy_hat(w)), arm = wy_hat(c), both = m3_mulm(twice, arm);
    wy_rows_add(b, 0, 1, f);
    wy_rows_add(b, 3, 1, v3_cross(c, f));
    wy_rows_block(a, 0, 0, end->mass, twice);
    wy_rows_block(a, 0, 3, -end->mass, both);
    wy_rows_block(a, 3, 0, end->mass, m3_mulm(arm, twice));
    wy_rows_block(a, 3, 3, -end->mass, m3_mulm(arm, both));
    wy_rows_block(a, 3, 3, 1, m3_mulm(wy_hat(f), arm)); /* (phi x c) x f */
}

void wy_director_rotating_terms(const wy_director *x, int j, double a[6][6], double b[6]) {
    const vec3 w = x->step->spin;
    const double m = x->plan.mass[j].mass;
    const mat3 turn = wy_hat(w), inertia = inertia_of(x, j);
    const vec3 h = m3_mul(inertia, w);
    wy_rows_add(b, 0, m, v3_cross(w, v3_cross(w, wy_director_from_axis(x, j))));
    wy_rows_block(a, 0, 0, m, m3_mulm(turn, turn));
    wy_rows_add(b, 3, 1, v3_cross(w, h));
    wy_rows_block(a, 3, 3, 1, m3_mulm(turn, m3_axpy(m3_mulm(inertia, turn), -1, wy_hat(h))));
    const wy_director_end *end = lump_at(x, j);
    if (end) add_lump(x, end, a, b);
}

void wy_director_gyroscopic(const wy_director *x, const double *v, double *cv) {
    const vec3 w = x->step->spin;
    for (int j = 0; j < x->plan.node_count; j++) {
        const vec3 rate = v3_from(&v[6 * j]), spin = v3_from(&v[6 * j + 3]);
        const mat3 inertia = inertia_of(x, j);
        const vec3 h = m3_mul(inertia, w);
        const vec3 moment =
            v3_add(v3_cross(w, m3_mul(inertia, spin)), m3_mul(inertia, v3_cross(w, spin)));
        wy_rows_add(&cv[6 * j], 0, 2 * x->plan.mass[j].mass, v3_cross(w, rate));
        wy_rows_add(&cv[6 * j], 3, 1, v3_sub(moment, v3_cross(h, spin)));
        const wy_director_end *end = lump_at(x, j);
        if (!end) continue;
        const vec3 c = arm_of(x, end);
        const vec3 f = v3_scale(2 * end->mass, v3_cross(w, v3_add(rate, v3_cross(spin, c))));
        wy_rows_add(&cv[6 * j], 0, 1, f);
        wy_rows_add(&cv[6 * j], 3, 1, v3_cross(c, f));
    }
}
