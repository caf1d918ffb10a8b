/* cable_fluid.c - drag, viscous resistance and added mass on an element of a cable, which has no frames: the axis of node a is
 *
 *   t = r'/|r'|,   r' = sum_b N'_b(a) r_b, in a step of the mean of both ends,
 *
 * seen from each of its elements, with the element's share of the node.  All but the axis is that of a rod: force_fluid.c (1),
 * and added mass as a force, force_added_mass.c.
 *
 *   dF/dr_b = dF/dt (1 - t t^T)/|r'| N'_b(a)  (in a step half of it),   dF_m/dt = (Mat - Man) ((t . l) 1 + t l^T)     (1)
 *
 * with l the acceleration that the added mass F_m = -(Man (1 - t t^T) + Mat t t^T) l resists.
 */
#include "method/director/force/fluid.h"
#include "method/director/rod/rows.h"

vec3 wy_cable_axis(const wy_director *x, int e, int a, double *size) {
    const double part = x->step->dynamic ? 0.5 : 1, per = 1 / x->plan.size[e];
    vec3 slope = v3(0, 0, 0);
    for (int b = 0; b <= x->plan.p; b++) {
        const int j = e * x->plan.p + b;
        const vec3 r = v3_axpy(x->node[j].r, part, x->next[j].dr);
        slope = v3_axpy(slope, per * x->plan.rule->slope_at[a][b], r);
    }
    *size = v3_norm(slope);
    return *size > 0 ? v3_scale(1 / *size, slope) : slope; /* collapsed: it has no axis */
}

/* m += k a b^T */
static mat3 plus_outer(mat3 m, double k, vec3 a, vec3 b) {
    return (mat3){v3_axpy(m.c1, k * b.x, a), v3_axpy(m.c2, k * b.y, a), v3_axpy(m.c3, k * b.z, a)};
}

static mat3 diagonal(double k) {
    return (mat3){{k, 0, 0}, {0, k, 0}, {0, 0, k}};
}

/* The force of node j as one element sees it, and its derivatives by the place of the node and by t. */
typedef struct pull {
    vec3 force;
    mat3 by_r, by_t;
} pull;

static pull drag_of(const wy_director *x, int j, const wy_fluid_state *s) {
    const double k = s->share * x->step->factor, per = x->step->dynamic ? 1 / x->step->h : 0;
    wy_resistance wet, dry;
    wy_fluid_resist(x, j, s, &wet, &dry);
    const mat3 by_w = m3_axpy(wet.by_w, 1, dry.by_w);
    mat3 by_r = m3_axpy(diagonal(0), -k * per, by_w);
    if (!x->fluid->at_rest) by_r = m3_axpy(by_r, k, m3_mulm(wet.by_w, wy_fluid_slope(x, j)));
    return (pull){v3_scale(k, v3_add(wet.force, dry.force)), by_r,
                  m3_axpy(m3_axpy(diagonal(0), k, wet.by_t), k, dry.by_t)};
}

static void add_mass(const wy_director *x, int j, const wy_fluid_state *s, pull *to) {
    const lane mass = x->fluid->node[j].added;
    const double across = s->share * mass[0], more = s->share * (mass[2] - mass[0]);
    const double per = x->step->dynamic ? 1 / x->step->h : 0;
    const vec3 lag = wy_added_mass_rate(x, j);
    const double along = v3_dot(s->t, lag);
    to->force = v3_axpy(v3_axpy(to->force, -across, lag), -more * along, s->t);
    to->by_r = m3_axpy(to->by_r, -2 * per * per, plus_outer(diagonal(across), more, s->t, s->t));
    to->by_t = m3_axpy(to->by_t, -1, plus_outer(diagonal(more * along), more, s->t, lag));
}

/* m -= k d, three rows and columns. */
static void take(double *m, int stride, double k, mat3 d) {
    const vec3 column[3] = {d.c1, d.c2, d.c3};
    for (int c = 0; c < 3; c++)
        m[c] -= k * column[c].x, m[stride + c] -= k * column[c].y,
            m[2 * stride + c] -= k * column[c].z;
}

void wy_cable_fluid_add(const wy_director *x, int e, double *matrix, int stride, int column) {
    const int p = x->plan.p;
    const double part = (x->step->dynamic ? 0.5 : 1) / x->plan.size[e];
    for (int a = 0; a <= p; a++) {
        const int j = e * p + a;
        wy_fluid_state s[2];
        const int count = wy_fluid_states(x, j, s), own = count == 2 && a == 0;
        pull f = drag_of(x, j, &s[own]);
        if (x->fluid->stirs) add_mass(x, j, &s[own], &f);
        double *row = &matrix[6 * a * stride];
        row[column] += f.force.x, row[stride + column] += f.force.y;
        row[2 * stride + column] += f.force.z;
        take(&row[6 * a], stride, 1, f.by_r);
        if (!(s[own].size > 0)) continue;
        const vec3 t = s[own].t;
        const mat3 across = plus_outer(diagonal(1), -1, t, t);
        const mat3 by_slope = m3_mulm(f.by_t, across);
        for (int b = 0; b <= p; b++)
            take(&row[6 * b], stride, part * x->plan.rule->slope_at[a][b] / s[own].size, by_slope);
    }
}
