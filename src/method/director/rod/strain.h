/* strain.h - strains of an element and how they vary, for element.c and the gradients.
 *
 * The formulas (1), (2) of element.c: all take the degree p, a constant where they are inlined into a kernel.
 */
#pragma once

#include "method/director/director.h"

typedef struct fields {
    tri a, b, a_next, a_last, b_next, b_last;
    tri rho; /* in every lane */
    tri arm; /* rho - [i = 3] a_3 */
} fields;

/* One element gathered: middle and end of the step, shape functions in arc length. */
typedef struct local {
    tri mid[WY_ELEMENT_NODES], plus[WY_ELEMENT_NODES];
    lane r_mid[WY_ELEMENT_NODES], r_plus[WY_ELEMENT_NODES];
    double value[WY_ELEMENT_DEGREE][WY_ELEMENT_NODES];
    double slope[WY_ELEMENT_DEGREE][WY_ELEMENT_NODES];
} local;

typedef struct strains {
    lane gamma, k;
} strains;

WY_ALWAYS void gather(const int p, const wy_director *x, int e, local *q) {
    const wy_director_node *node = &x->node[e * p];
    const wy_director_next *next = &x->next[e * p];
    const double per = 1.0 / x->plan.size[e];
    const lane half = lane_all(0.5);
    for (int a = 0; a <= p; a++) {
        q->plus[a] = next[a].d;
        q->mid[a] = tri_scale(half, tri_add(node[a].d, next[a].d));
        const lane r = vec3_lane(node[a].r), dr = vec3_lane(next[a].dr);
        q->r_mid[a] = r + half * dr;
        q->r_plus[a] = r + dr;
    }
    for (int g = 0; g < p; g++)
        for (int a = 0; a <= p; a++) {
            q->value[g][a] = x->plan.rule->value[g][a];
            q->slope[g][a] = per * x->plan.rule->slope[g][a];
        }
}

/* third = (0, 0, 1, 0), or 0 for the plain strains. */
WY_ALWAYS fields fields_at(const int p, const tri *d, const lane *r, const double *value,
                           const double *slope, lane axial) {
    fields f;
    f.a = tri_scale(lane_all(value[0]), d[0]);
    f.b = tri_scale(lane_all(slope[0]), d[0]);
    lane rho = lane_all(slope[0]) * r[0];
    for (int a = 1; a <= p; a++) {
        f.a = tri_axpy(f.a, lane_all(value[a]), d[a]);
        f.b = tri_axpy(f.b, lane_all(slope[a]), d[a]);
        rho += lane_all(slope[a]) * r[a];
    }
    f.a_next = tri_next(f.a), f.a_last = tri_last(f.a);
    f.b_next = tri_next(f.b), f.b_last = tri_last(f.b);
    f.rho = (tri){lane_all(rho[0]), lane_all(rho[1]), lane_all(rho[2])};
    f.arm = tri_axpy(f.rho, -axial, f.a);
    return f;
}

/* (1), (2) */
WY_ALWAYS strains strains_of(const fields *f, lane axial) {
    const lane half = lane_all(0.5), one = lane_all(1.0);
    return (strains){tri_dot(f->a, f->rho) + half * axial * (one - tri_dot(f->a, f->a)),
                     half * (tri_dot(f->a_last, f->b_next) - tri_dot(f->a_next, f->b_last))};
}

/* c_k and c_l of node a in the lanes of i. */
WY_ALWAYS void c_of(const fields *f, double value, double slope, tri *c_next, tri *c_last) {
    const lane n = lane_all(0.5 * value), m = lane_all(-0.5 * slope);
    *c_next = tri_axpy(tri_scale(n, f->b_next), m, f->a_next);
    *c_last = tri_axpy(tri_scale(n, f->b_last), m, f->a_last);
}

/* Rotation columns of the rows (1), (2) of node a. */
WY_ALWAYS void rows_of(const fields *f, tri d, double value, tri c_next, tri c_last, tri *gamma,
                       tri *k) {
    *gamma = tri_scale(lane_all(value), tri_cross(d, f->arm));
    *k = tri_sub(tri_cross(tri_last(d), c_next), tri_cross(tri_next(d), c_last));
}

/* Cv/h, with the algorithmic damping xi h C/2 in Cv; nothing in statics. */
WY_ALWAYS lane viscous(const wy_director_step *step, const wy_director_section *g, int i) {
    return lane_all(step->per) * g->cv[i] + lane_all(step->xi) * g->c[i];
}

/* Derivative of the mean stress with respect to S+. */
WY_ALWAYS lane tangent_of(const wy_director_step *step, const wy_director_section *g, int i) {
    return lane_all(step->beta) * g->c[i] + viscous(step, g, i);
}
