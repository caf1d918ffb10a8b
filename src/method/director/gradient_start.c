/* gradient_start.c - a converged step by where it starts.
 *
 * All terms of F but inertia depend on q+ and q- alike: seen from its end, with q+ and q- exchanged and -h for h,
 * the step has the same stresses and forces, so that dF/dq- is what the kernels assemble as dF/dq+ of that step.
 * Inertia and lumps, which contain v- and u-, are differentiated here.
 */
#include "method/director/gradient.h"

#include <string.h>

/* ---- the step seen from its end ---------------------------------------------------------------------- */

void wy_slope_turn_back(wy_director *x) {
    wy_slopes *s = x->slopes;
    const wy_director old = s->back;
    wy_director *back = &s->back;
    *back = *x;
    back->node = old.node, back->next = old.next, back->strain = old.strain;
    back->stress = old.stress, back->step = old.step, back->slopes = NULL;
    *back->step = *x->step;
    back->step->h = -x->step->h, back->step->per = -x->step->per, back->step->xi = -x->step->xi;
    for (int j = 0; j < x->plan.node_count; j++) {
        wy_director_next *next = &back->next[j];
        back->node[j].d = x->next[j].d, back->node[j].r = wy_director_plus_r(x, j);
        next->d = x->node[j].d;
        next->dr = v3_scale(-1, x->next[j].dr), next->theta = v3_scale(-1, x->next[j].theta);
    }
    for (int i = 0; i < x->plan.n * x->plan.p; i++)
        for (int k = 0; k < 2; k++) back->strain[i].start[k] = x->stress[i].plus[k];
}

/* ---- inertia by the start of the step ---------------------------------------------------------------- */

static void add_matrix(double a[6][6], int row, int column, double k, mat3 m) {
    const vec3 c[3] = {m.c1, m.c2, m.c3};
    for (int i = 0; i < 3; i++) {
        a[row][column + i] += k * c[i].x, a[row + 1][column + i] += k * c[i].y;
        a[row + 2][column + i] += k * c[i].z;
    }
}
static mat3 hat(vec3 u) {
    return (mat3){{0, u.z, -u.y}, {-u.z, 0, u.x}, {u.y, -u.x, 0}};
}

static mat3 sum_of(mat3 a, double k, mat3 b) {
    return (mat3){v3_axpy(a.c1, k, b.c1), v3_axpy(a.c2, k, b.c2), v3_axpy(a.c3, k, b.c3)};
}
static mat3 times_of(double k, mat3 a) {
    return (mat3){v3_scale(k, a.c1), v3_scale(k, a.c2), v3_scale(k, a.c3)};
}
/* R diag(a) */
static mat3 scaled(tri d, lane a) {
    return tri_matrix(tri_scale(a, d));
}

wy_slope_inertia wy_slope_inertia_of(const wy_director *x, int j) {
    const wy_director_node *node = &x->node[j];
    const wy_director_next *next = &x->next[j];
    const double per = 1.0 / x->step->h, m = x->plan.mass[j].mass;
    const lane rotary = x->plan.mass[j].rotary;
    const lane w_plus = lane_all(2 * per) * tri_dot(node->d, tri_all(next->theta)) - node->w;
    const vec3 p_plus = tri_sum3(tri_scale(rotary * w_plus, next->d));
    const vec3 p_minus = tri_sum3(tri_scale(rotary * node->w, node->d));
    const mat3 out = scaled(next->d, rotary), in = scaled(node->d, rotary);
    const mat3 turn = m3_mulm(m3_transpose(tri_matrix(node->d)), wy_director_spin_map(next->theta));
    const mat3 both = times_of(2 * per * per, m3_mulm(out, turn));
    return (wy_slope_inertia){.plus = sum_of(both, -per, hat(p_plus)),
                              .minus = sum_of(times_of(-1, both), per, hat(p_minus)),
                              .spin = times_of(-per, sum_of(out, 1, in)),
                              .shift = 2 * m * per * per,
                              .speed = 2 * m * per};
}

static void inertia_before(const wy_slope_inertia *i, wy_slope_before *b) {
    for (int k = 0; k < 3; k++) b->place[k][k] -= i->shift, b->rate[k][k] -= i->speed;
    add_matrix(b->place, 3, 3, 1, i->minus);
    add_matrix(b->rate, 3, 3, 1, i->spin);
}

static void lump_before(const wy_director *x, int which, wy_slope_before *b) {
    const wy_director_end *end = &x->plan.end[which];
    const wy_director_next *next = &x->next[end->node];
    const double per = 1.0 / x->step->h, m = end->mass, k = 2 * m * per * per;
    const lane arm = vec3_lane(end->arm);
    const vec3 c = tri_sum3(tri_scale(arm, wy_director_mid(x, end->node)));
    const mat3 c_minus = hat(tri_sum3(tri_scale(arm, x->node[end->node].d)));
    const vec3 way = v3_add(next->dr, v3_cross(next->theta, c));
    const vec3 f = v3_axpy(v3_scale(-m, x->step->gravity), 2 * m * per,
                           v3_sub(v3_scale(per, way), x->now->end[which].u));
    for (int i = 0; i < 3; i++) b->place[i][i] -= k, b->lump[i][i] -= 2 * m * per;
    add_matrix(b->place, 0, 3, k, c_minus);
    add_matrix(b->place, 3, 0, -k, hat(c));
    add_matrix(b->place, 3, 3, k, m3_mulm(hat(c), c_minus));
    add_matrix(b->place, 3, 3, 0.5, m3_mulm(hat(f), c_minus));
    const vec3 column[3] = {hat(c).c1, hat(c).c2, hat(c).c3};
    for (int i = 0; i < 3; i++) {
        b->lump[3][i] -= 2 * m * per * column[i].x, b->lump[4][i] -= 2 * m * per * column[i].y;
        b->lump[5][i] -= 2 * m * per * column[i].z;
    }
}

void wy_slope_node_before(const wy_director *x, int j, const wy_slope_inertia *i,
                          wy_slope_before *b) {
    double unused[6] = {0};
    memset(b, 0, sizeof *b);
    wy_director_node_forces(&x->slopes->back, j, b->place, unused);
    inertia_before(i, b);
    if (j == 0 && x->plan.end[0].mass > 0) lump_before(x, 0, b);
    if (j == x->plan.node_count - 1 && x->plan.end[1].mass > 0) lump_before(x, 1, b);
}

void wy_slope_keep_inertia(const wy_slope_inertia *i, double a[6][6]) {
    memset(a, 0, 36 * sizeof **a);
    const vec3 column[3] = {i->plus.c1, i->plus.c2, i->plus.c3};
    for (int k = 0; k < 3; k++) {
        a[k][k] = i->shift;
        a[3][3 + k] = column[k].x, a[4][3 + k] = column[k].y, a[5][3 + k] = column[k].z;
    }
}
