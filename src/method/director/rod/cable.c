/* cable.c - the element of a cable: positions only.
 *
 * With rho = sum N'_a r_a at a Gauss point, e = |rho| - rest and W(e) of director/law/law_cable.c, the force of a step is
 *
 *   n = Nbar tbar,  tbar = (rho+ + rho-)/(|rho+| + |rho-|),  Nbar = (W+ - W-)/(e+ - e-)                          (1)
 *
 * Energy is exact, as tbar . (rho+ - rho-) = |rho+| - |rho-|; angular momentum too, as n is along rho+ + rho-.
 *
 *   dn/drho+ = Nbar' tbar t+^T + Nbar/(|rho+| + |rho-|) (1 - tbar t+^T),   t = rho/|rho|                        (2)
 *
 * which is not symmetric.  At rest n = N t and dn/drho = N' t t^T + N/|rho| (1 - t t^T); while a form is looked for, the
 * second with no less than step->least for N, or the force densities n = q rho instead (director/static/cable_form.c).
 * Directors are carried along and do nothing: force_cable.c holds them at rest, and in motion their inertia, which nothing
 * turns.  docs/theory/cable.md.
 */
#include "method/director/rod/cable.h"

#include <float.h>

#include "method/director/law/law.h"

static const double COLLAPSED = 1e-9; /* of |r'|: such an element has no direction */

/* ---- a Gauss point ----------------------------------------------------------------------------- */

typedef struct stretch {
    vec3 minus, plus;
    double before, after; /* their lengths */
} stretch;

static stretch stretch_at(const wy_director *x, int e, int g) {
    const int p = x->plan.p;
    const double per = 1.0 / x->plan.size[e], *slope = x->plan.rule->slope[g];
    vec3 minus = v3(0, 0, 0), way = minus;
    for (int a = 0; a <= p; a++) {
        minus = v3_axpy(minus, per * slope[a], x->node[e * p + a].r);
        way = v3_axpy(way, per * slope[a], x->next[e * p + a].dr);
    }
    stretch s = {.minus = minus, .plus = v3_add(minus, way)};
    s.before = v3_norm(s.minus), s.after = v3_norm(s.plus);
    return s;
}

static vec3 unit(vec3 v, double length) {
    return v3_scale(1 / wy_max(length, COLLAPSED), v);
}

/* Force and its derivative by rho+, by columns. */
typedef struct pull {
    vec3 n;
    mat3 slope;
} pull;

/* k1 u v^T + k2 (1 - u v^T) */
static mat3 slope_of(double k1, double k2, vec3 u, vec3 v) {
    const double k = k1 - k2;
    return (mat3){v3_axpy(v3(k2, 0, 0), k * v.x, u), v3_axpy(v3(0, k2, 0), k * v.y, u),
                  v3_axpy(v3(0, 0, k2), k * v.z, u)};
}

/* S+ of the law, its stress and slope. */
static void find_stress(const wy_director *x, int at, double length) {
    wy_director_stress *out = &x->stress[at];
    out->plus[0] = (lane){0, 0, length, 0}, out->plus[1] = lane_all(0);
    wy_section_step(x, at);
}

static pull pull_of(const wy_director *x, int at, const stretch *s) {
    find_stress(x, at, s->after);
    const double n = x->stress[at].stress[0][WITHY_STRETCH];
    const double more = x->law[at].slope[WITHY_STRETCH][0][WITHY_STRETCH];
    const vec3 t = unit(s->plus, s->after);
    if (x->step->dynamic) {
        const double both = wy_max(s->before + s->after, 2 * COLLAPSED);
        const vec3 mean = v3_scale(1 / both, v3_add(s->plus, s->minus));
        return (pull){v3_scale(n, mean), slope_of(more, n / both, mean, t)};
    }
    if (x->step->density > 0)
        return (pull){v3_scale(x->step->density, s->plus),
                      slope_of(x->step->density, x->step->density, t, t)};
    const double least = wy_max(n, x->step->least);
    return (pull){v3_scale(n, t), slope_of(more, least / wy_max(s->after, COLLAPSED), t, t)};
}

/* ---- forces and tangents --------------------------------------------------------------------------- */

static double slope_in(const wy_director *x, int e, int g, int a) {
    return x->plan.rule->slope[g][a] / x->plan.size[e];
}

/* m += w N'_a N'_b k */
static void add_slope(const wy_director *x, int e, int g, mat3 k, double *m, int stride) {
    const vec3 column[3] = {k.c1, k.c2, k.c3};
    const double weight = x->plan.section[e * x->plan.p + g].weight;
    for (int a = 0; a <= x->plan.p; a++)
        for (int b = 0; b <= x->plan.p; b++) {
            const double w = weight * slope_in(x, e, g, a) * slope_in(x, e, g, b);
            double *to = &m[6 * a * stride + 6 * b];
            for (int c = 0; c < 3; c++) {
                to[c] += w * column[c].x;
                to[stride + c] += w * column[c].y;
                to[2 * stride + c] += w * column[c].z;
            }
        }
}

void wy_cable_element(wy_director *x, int e, double *m, int stride) {
    const int p = x->plan.p, side = 6 * (p + 1);
    for (int i = 0; i < side; i++) memset(&m[i * stride], 0, (size_t)(side + 1) * sizeof *m);
    for (int g = 0; g < p; g++) {
        const stretch s = stretch_at(x, e, g);
        const pull f = pull_of(x, e * p + g, &s);
        add_slope(x, e, g, f.slope, m, stride);
        for (int a = 0; a <= p; a++) {
            const double w = x->plan.section[e * p + g].weight * slope_in(x, e, g, a);
            double *to = &m[6 * a * stride + side];
            to[0] -= w * f.n.x, to[stride] -= w * f.n.y, to[2 * stride] -= w * f.n.z;
        }
    }
    if (wy_director_loaded(x, e)) wy_director_loads_add(x, e, m, stride, side);
}

static void clear(const wy_director *x, double f[][6]) {
    for (int a = 0; a <= x->plan.p; a++)
        for (int i = 0; i < 6; i++) f[a][i] = 0;
}

static void add_force(const wy_director *x, int e, int g, vec3 n, double f[][6]) {
    for (int a = 0; a <= x->plan.p; a++) {
        const double w = x->plan.section[e * x->plan.p + g].weight * slope_in(x, e, g, a);
        f[a][0] += w * n.x, f[a][1] += w * n.y, f[a][2] += w * n.z;
    }
}

void wy_cable_force(wy_director *x, int e, double f[WY_ELEMENT_NODES][6]) {
    clear(x, f);
    for (int g = 0; g < x->plan.p; g++) {
        const stretch s = stretch_at(x, e, g);
        add_force(x, e, g, pull_of(x, e * x->plan.p + g, &s).n, f);
    }
}

/* C v of vibrations about a state at rest. */
void wy_cable_damping(const wy_director *x, int e, const double *v, double *f) {
    const int p = x->plan.p;
    double own[WY_ELEMENT_NODES][6];
    clear(x, own);
    for (int g = 0; g < p; g++) {
        const stretch s = stretch_at(x, e, g);
        const vec3 t = unit(s.plus, s.after);
        const double c = x->plan.section[e * p + g].cv[0][WITHY_SHEAR1]; /* law_cable.c */
        double rate = 0;
        for (int a = 0; a <= p; a++)
            rate += slope_in(x, e, g, a) * v3_dot(t, v3_from(&v[6 * (e * p + a)]));
        add_force(x, e, g, v3_scale(c * rate, t), own);
    }
    for (int i = 0; i < 6 * (p + 1); i++) f[6 * e * p + i] += own[i / 6][i % 6];
}

/* ---- tensions as unknowns (director/static/mixed.h) ---------------------------------------------------
 *
 *   [ K_geo(T)  B^T   ]     K_geo = w N'N' T/|rho| (1 - t t^T) with T not below 0,  B = w N' t^T
 *   [ B        -w/EA  ]     gap = w (T/EA - e)
 *
 * A Gauss point without tension and without stretch is slack: its row says that the tension becomes 0.  The two
 * shear forces of a rod, which have rows there, are 0.
 */

static int is_slack(const wy_director *x, int at, const stretch *s) {
    if (x->plan.rod->compression) return 0;
    return !(x->stress[at].sigma[0][WITHY_STRETCH] > 0) &&
           !(s->after > x->plan.section[at].rest[0][WITHY_STRETCH]);
}

void wy_cable_pull(wy_director *x, int e, double f[][6], double *gap) {
    const int p = x->plan.p;
    clear(x, f);
    for (int g = 0; g < p; g++) {
        const int at = e * p + g;
        const wy_director_section *own = &x->plan.section[at];
        const stretch s = stretch_at(x, e, g);
        const double n = x->stress[at].sigma[0][WITHY_STRETCH];
        const double e_at = s.after - own->rest[0][WITHY_STRETCH];
        find_stress(x, at, s.after);
        add_force(x, e, g, v3_scale(n, unit(s.plus, s.after)), f);
        gap[3 * g] = gap[3 * g + 1] = 0;
        gap[3 * g + 2] =
            own->weight * (n / own->c[0][WITHY_STRETCH] - (is_slack(x, at, &s) ? 0 : e_at));
    }
}

void wy_cable_mixed(wy_director *x, int e, double m[][WY_DIRECTOR_MIXED + 1]) {
    enum { STRIDE = WY_DIRECTOR_MIXED + 1 };
    const int p = x->plan.p, nodes = 6 * (p + 1), rows = nodes + 3 * p;
    for (int i = 0; i < rows; i++) memset(m[i], 0, sizeof m[i]);
    for (int g = 0; g < p; g++) {
        const int at = e * p + g;
        const wy_director_section *own = &x->plan.section[at];
        const stretch s = stretch_at(x, e, g);
        const vec3 t = unit(s.plus, s.after);
        const int slack = is_slack(x, at, &s);
        const double n = wy_max(x->stress[at].sigma[0][WITHY_STRETCH], x->step->least);
        for (int k = 0; k < 3; k++)
            m[nodes + 3 * g + k][nodes + 3 * g + k] = -own->weight / own->c[0][k];
        for (int a = 0; a <= p && !slack; a++)
            for (int c = 0; c < 3; c++) {
                const double b = own->weight * slope_in(x, e, g, a) * v3_get(t, c);
                m[6 * a + c][nodes + 3 * g + 2] = m[nodes + 3 * g + 2][6 * a + c] = b;
            }
        add_slope(x, e, g, slope_of(0, n / wy_max(s.after, COLLAPSED), t, t), &m[0][0], STRIDE);
    }
    if (wy_director_loaded(x, e)) wy_director_loads_add(x, e, &m[0][0], STRIDE, rows);
    for (int i = 0; i < nodes; i++) m[i][rows] = 0;
}

/* ---- the shape ------------------------------------------------------------------------------------------ */

/* Directors stay, except those of nodes that follow a rigid group (wy_rod_follows). */
void wy_cable_correct(wy_director *x, double share) {
    for (int j = 0; j < x->plan.node_count; j++) {
        wy_director_next *next = &x->next[j];
        next->dr = v3_axpy(next->dr, share, v3_from(next->change));
    }
}

void wy_cable_strains(wy_director *x, int commit) {
    for (int at = 0; at < x->plan.n * x->plan.p; at++) {
        const stretch s = stretch_at(x, at / x->plan.p, at % x->plan.p);
        x->stress[at].plus[0] = (lane){0, 0, s.after, 0}, x->stress[at].plus[1] = lane_all(0);
        for (int k = 0; k < 2 && commit; k++) x->strain[at].start[k] = x->stress[at].plus[k];
    }
}

vec3 wy_cable_slope(mat3 a, double length) {
    return v3_scale(length, v3_unit(a.c3));
}

void wy_cable_variations(const wy_director *x, const double *v, int e, int g, lane one[2],
                         lane two[2], double size[2]) {
    const stretch s = stretch_at(x, e, g);
    const vec3 t = unit(s.plus, s.after);
    vec3 way = v3(0, 0, 0);
    size[0] = size[1] = 0;
    for (int a = 0; a <= x->plan.p; a++) {
        const int j = e * x->plan.p + a;
        way = v3_axpy(way, slope_in(x, e, g, a), v3_from(&v[6 * j]));
        size[0] += fabs(slope_in(x, e, g, a)) * v3_norm(x->node[j].r);
    }
    const double along = v3_dot(t, way);
    one[0] = one[1] = two[0] = two[1] = lane_all(0);
    one[0][WITHY_STRETCH] = along;
    two[0][WITHY_STRETCH] = (v3_dot(way, way) - along * along) / wy_max(s.after, COLLAPSED);
}

/* ---- scales ---------------------------------------------------------------------------------------------- */

/* About the tension: the weight, and no less than a small part of EA.  Where a rod has EI/L^2. */
double wy_cable_scale(const wy_director_plan *plan) {
    static const double PART = 1e-6;
    double mass = 0, ea = 0;
    for (int j = 0; j < plan->node_count; j++) mass += plan->mass[j].mass;
    for (int i = 0; i < plan->n * plan->p; i++)
        ea = wy_max(ea, plan->section[i].c[0][WITHY_STRETCH]);
    return wy_max(mass * v3_norm(plan->problem->gravity), PART * ea);
}

int wy_cable_is_slack(const wy_director *x, double *s) {
    if (x->plan.rod->compression) return 0;
    for (int at = 0; at < x->plan.n * x->plan.p; at++) {
        const double n = wy_director_is_mixed(x) ? x->stress[at].sigma[0][WITHY_STRETCH]
                                                 : x->strain[at].start[0][WITHY_STRETCH] -
                                                       x->plan.section[at].rest[0][WITHY_STRETCH];
        if (n > 0) continue;
        const int e = at / x->plan.p;
        *s = x->plan.start[e] + x->plan.rule->point[at % x->plan.p] * x->plan.size[e];
        return 1;
    }
    return 0;
}

/* ---- frames for results -------------------------------------------------------------------------------------- */

/* Tangent and its rate where the shape functions have these slopes. */
static vec3 tangent_at(const wy_director *x, int e, double xi, vec3 before, vec3 *spin) {
    double value[WY_ELEMENT_NODES], slope[WY_ELEMENT_NODES];
    vec3 rho = v3(0, 0, 0), rate = rho;
    wy_element_values(x->plan.rule, xi, value, slope);
    for (int a = 0; a <= x->plan.p; a++) {
        const wy_director_node *node = &x->node[e * x->plan.p + a];
        rho = v3_axpy(rho, slope[a], node->r);
        rate = v3_axpy(rate, slope[a], node->v);
    }
    const double length = v3_norm(rho);
    *spin = v3(0, 0, 0);
    if (!(length > COLLAPSED * x->plan.size[e])) return before;
    const vec3 t = v3_scale(1 / length, rho);
    *spin = v3_scale(1 / length, v3_cross(t, rate));
    return t;
}

/* From tangent to tangent by the shortest turn: at every Gauss point, so that the stations do not matter. */
void wy_cable_frames(const wy_director *x, withy_snapshot *snap) {
    const wy_director_plan *plan = &x->plan;
    mat3 frame = tri_matrix(x->node[0].d);
    vec3 spin;
    int at = 0; /* Gauss points passed */
    const int points = plan->n * plan->p;
    frame = m3_mulm(m3_between(frame.c3, tangent_at(x, 0, 0, frame.c3, &spin)), frame);
    for (int i = 0; i < snap->count; i++) {
        const int e = wy_place_in(plan->start, 1, plan->n + 1, snap->s[i]);
        const double xi = (snap->s[i] - plan->start[e]) / plan->size[e];
        for (; at < points; at++) {
            const int own = at / plan->p;
            const double point = plan->rule->point[at % plan->p];
            if (own > e || (own == e && point > xi)) break;
            const vec3 t = tangent_at(x, own, point, frame.c3, &spin);
            frame = m3_mulm(m3_between(frame.c3, t), frame);
        }
        const vec3 t = tangent_at(x, e, xi, frame.c3, &spin);
        const double n = q_turn(q_conj(snap->frame[i]), snap->force[i]).z;
        snap->force[i] = v3_scale(plan->rod->compression ? n : wy_max(n, 0), t);
        snap->frame[i] = q_from_matrix(m3_mulm(m3_between(frame.c3, t), frame));
        snap->spin[i] = spin;
    }
    snap->have &= ~(unsigned)WITHY_HAVE_BEND; /* it has curvature, but no stress of it */
}
