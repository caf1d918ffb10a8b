/* rotating.c - equilibrium and modes in a frame that turns with the angular velocity W about a point.
 *
 * Force and moment to be zero, of a node of mass m and inertia J = R J0 R^T (laboratory axes that turn):
 *   m W x (W x r)                  K = m W^2 (W^2: twice the cross product)     C = 2 m W x
 *   W x J W                        K = W^ (J W^ - (J W)^)                       C = W^ J + J W^ - (J W)^
 * where ^ is the matrix of a cross product; those of J because a turn phi changes J by phi^ J - J phi^.
 * A lump on an arm c is a particle at r + c.  Air outside is at rest: its drag acts on the velocity
 * W x r + v.  The tension that the first makes stiffens a blade, its K softens it in the plane of rotation, and
 * C couples both: docs/theory/director.md.
 */
#include "method/director/director.h"

static mat3 hat(vec3 a) { /* columns */
    return (mat3){{0, a.z, -a.y}, {-a.z, 0, a.x}, {a.y, -a.x, 0}};
}

static mat3 plus(mat3 a, double k, mat3 b) {
    return (mat3){v3_axpy(a.c1, k, b.c1), v3_axpy(a.c2, k, b.c2), v3_axpy(a.c3, k, b.c3)};
}

static void add_block(double a[6][6], int row, int column, double k, mat3 m) {
    const vec3 c[3] = {m.c1, m.c2, m.c3};
    for (int j = 0; j < 3; j++) {
        a[row][column + j] += k * c[j].x, a[row + 1][column + j] += k * c[j].y;
        a[row + 2][column + j] += k * c[j].z;
    }
}

static void add_to(double b[6], int first, double k, vec3 f) {
    b[first] += k * f.x, b[first + 1] += k * f.y, b[first + 2] += k * f.z;
}

static vec3 from_axis(const wy_director *x, int j) {
    return v3_sub(v3_add(x->now->origin, wy_director_plus_r(x, j)), x->plan.about);
}

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
    const vec3 f =
        v3_scale(end->mass, v3_cross(w, v3_cross(w, v3_add(from_axis(x, end->node), c))));
    const mat3 twice = m3_mulm(hat(w), hat(w)), arm = hat(c), both = m3_mulm(twice, arm);
    add_to(b, 0, 1, f);
    add_to(b, 3, 1, v3_cross(c, f));
    add_block(a, 0, 0, end->mass, twice);
    add_block(a, 0, 3, -end->mass, both);
    add_block(a, 3, 0, end->mass, m3_mulm(arm, twice));
    add_block(a, 3, 3, -end->mass, m3_mulm(arm, both));
    add_block(a, 3, 3, 1, m3_mulm(hat(f), arm)); /* (phi x c) x f */
}

/* d(k |u| u)/du of drag, k1 u + k2 |u| u. */
static mat3 drag_slope(const wy_director *x, int j, vec3 u) {
    const double share = x->plan.mass[j].share, speed = v3_norm(u);
    const double k = share * (x->plan.rod->drag_linear + x->plan.rod->drag_quadratic * speed);
    const double more = speed > 0 ? share * x->plan.rod->drag_quadratic / speed : 0;
    return (mat3){v3_axpy(v3(k, 0, 0), more * u.x, u), v3_axpy(v3(0, k, 0), more * u.y, u),
                  v3_axpy(v3(0, 0, k), more * u.z, u)};
}

static void add_drag(const wy_director *x, int j, double a[6][6], double b[6]) {
    const vec3 w = x->step->spin, u = v3_cross(w, from_axis(x, j));
    const double share = x->plan.mass[j].share;
    const double k = x->plan.rod->drag_linear + x->plan.rod->drag_quadratic * v3_norm(u);
    add_to(b, 0, share * k, u);
    add_to(b, 3, share * x->plan.rod->drag_spin, w);
    add_block(a, 0, 0, 1, m3_mulm(drag_slope(x, j, u), hat(w)));
}

void wy_director_rotating_terms(const wy_director *x, int j, double a[6][6], double b[6]) {
    const vec3 w = x->step->spin;
    const double m = x->plan.mass[j].mass;
    const mat3 turn = hat(w), inertia = inertia_of(x, j);
    const vec3 h = m3_mul(inertia, w);
    add_to(b, 0, m, v3_cross(w, v3_cross(w, from_axis(x, j))));
    add_block(a, 0, 0, m, m3_mulm(turn, turn));
    add_to(b, 3, 1, v3_cross(w, h));
    add_block(a, 3, 3, 1, m3_mulm(turn, plus(m3_mulm(inertia, turn), -1, hat(h))));
    if (x->plan.drags) add_drag(x, j, a, b);
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
        add_to(&cv[6 * j], 0, 2 * x->plan.mass[j].mass, v3_cross(w, rate));
        add_to(&cv[6 * j], 3, 1, v3_sub(moment, v3_cross(h, spin)));
        if (x->plan.drags) { /* the linear part is there already */
            const vec3 f = m3_mul(drag_slope(x, j, v3_cross(w, from_axis(x, j))), rate);
            add_to(&cv[6 * j], 0, 1, f);
            add_to(&cv[6 * j], 0, -x->plan.mass[j].share * x->plan.rod->drag_linear, rate);
        }
        const wy_director_end *end = lump_at(x, j);
        if (!end) continue;
        const vec3 c = arm_of(x, end);
        const vec3 f = v3_scale(2 * end->mass, v3_cross(w, v3_add(rate, v3_cross(spin, c))));
        add_to(&cv[6 * j], 0, 1, f);
        add_to(&cv[6 * j], 3, 1, v3_cross(c, f));
    }
}
