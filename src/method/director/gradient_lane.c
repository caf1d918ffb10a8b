/* gradient_lane.c - products and eliminations of eight right sides at once, and the residual of an element by its
 * fields.
 *
 * With the residual of an element F_a = sum_g w Bbar_a^T sigma (element.c (1) - (4)), its derivative by the
 * sections and by its length h is, with e = dh/h, S' the part of the strains that has a slope, (a . rho, K),
 *
 *   dsigma = C (-e S'mean - dS0) - e Cv/h (S'+ - S'-) + dC (Smean - S0) + dCv/h (S+ - S-)          (1)
 *   dF_a   = w Bbar_a^T dsigma + (dw/w - e) F_a + e w N_a n_3 D_3 x (-a_3)                          (2)
 *
 * the last term being the part of F_a without a slope.  Compiled with fused multiply-add, as element.c.
 */
#include "method/director/gradient.h"
#include "method/director/strain.h"

/* ---- products ------------------------------------------------------------------------------------- */

WY_ALWAYS void times(const int rows, const double (*m)[WY_DIRECTOR_STRIDE], const pack *x,
                     pack *side) {
    for (int i = 0; i < rows; i += 3) { /* three rows share what is loaded */
        pack a = side[i], b = side[i + 1], c = side[i + 2];
        for (int k = 0; k < rows; k++) {
            const pack v = x[k];
            a -= m[i][k] * v, b -= m[i + 1][k] * v, c -= m[i + 2][k] * v;
        }
        side[i] = a, side[i + 1] = b, side[i + 2] = c;
    }
}

void wy_slope_times(int p, const double (*m)[WY_DIRECTOR_STRIDE], const pack *change, pack *side) {
    switch (p) {
    case 1: times(12, m, change, side); break;
    case 2: times(18, m, change, side); break;
    case 3: times(24, m, change, side); break;
    default: times(30, m, change, side);
    }
}

void wy_slope_times_nodes(int p, const double (*m)[WY_DIRECTOR_STRIDE], const wy_slope_node *node,
                          pack *side) {
    pack x[6 * WY_ELEMENT_NODES];
    for (int a = 0; a <= p; a++)
        for (int i = 0; i < 3; i++) x[6 * a + i] = node[a].r[i], x[6 * a + 3 + i] = node[a].phi[i];
    wy_slope_times(p, m, x, side);
}

/* ---- elimination ---------------------------------------------------------------------------------- */

static int in_own_axes(const wy_director_end *end) {
    return end->slides || (end->holds_frame && end->turns_free);
}

static void hold_side(const wy_director *x, int which, pack *side, const pack given[6]) {
    const wy_director_end *end = &x->plan.end[which];
    const double *size = x->step->end[which].size;
    if (!in_own_axes(end)) {
        for (int i = 0; i < 6; i++)
            if (i < 3 ? end->holds_position : end->holds_frame) side[i] = size[i] * given[i];
        return;
    }
    for (int l = 0; l < WY_PACK; l++) {
        double in[6], out[6];
        for (int i = 0; i < 6; i++) in[i] = given[i][l], out[i] = side[i][l];
        wy_director_hold_side(x, which, in, out);
        for (int i = 0; i < 6; i++) side[i][l] = out[i];
    }
}

static void hold_back(const wy_director *x, int which, pack *change) {
    if (!in_own_axes(&x->plan.end[which])) return;
    for (int l = 0; l < WY_PACK; l++) {
        double c[6];
        for (int i = 0; i < 6; i++) c[i] = change[i][l];
        wy_director_hold_back(x, which, c);
        for (int i = 0; i < 6; i++) change[i][l] = c[i];
    }
}

/* numeric/frontal.h: frontal_again. */
WY_ALWAYS void again(const int p, const int b, const double *keep, pack *f) {
    pack y[6];
    for (int i = 0; i < 6; i++) {
        y[i] = splat(0);
        for (int k = 0; k < 6; k++) y[i] += keep[(6 * b + i) * 6 + k] * f[6 * b + k];
    }
    for (int i = 0; i < 6 * (p + 1); i++) {
        if (i / 6 == b) continue;
        for (int k = 0; k < 6; k++) f[i] -= keep[i * 6 + k] * y[k];
    }
    for (int i = 0; i < 6; i++) f[6 * b + i] = y[i];
}

WY_ALWAYS void solve(const int p, const wy_director *x, pack *side) {
    const int rows = 6 * (p + 1);
    pack *end = &side[6 * (x->plan.node_count - 1)], first[6], last[6], z[6];
    for (int i = 0; i < 6; i++) first[i] = side[i], last[i] = end[i];
    hold_side(x, 0, side, first);
    for (int e = 0; e < x->plan.n; e++)
        for (int b = 0; b < p; b++)
            again(p, b, &x->keep[((size_t)e * (size_t)p + (size_t)b) * (size_t)rows * 6],
                  &side[6 * e * p]);
    hold_side(x, 1, end, last);
    for (int i = 0; i < 6; i++) {
        z[i] = splat(0);
        for (int k = 0; k < 6; k++) z[i] += x->step->last[i][k] * end[k];
    }
    for (int i = 0; i < 6; i++) end[i] = z[i];
    hold_back(x, 1, end);
    for (int e = x->plan.n - 1; e >= 0; e--) {
        const double *panel = &x->panel[(size_t)e * 6 * (size_t)p * WY_DIRECTOR_PANEL];
        const pack *next = &side[6 * (e + 1) * p];
        for (int i = 0; i < 6 * p; i++)
            for (int j = 0; j < 6; j++)
                side[6 * e * p + i] -= panel[i * WY_DIRECTOR_PANEL + j] * next[j];
    }
    hold_back(x, 0, side);
}

void wy_slope_solve(const wy_director *x, pack *side) {
    switch (x->plan.p) {
    case 1: solve(1, x, side); break;
    case 2: solve(2, x, side); break;
    case 3: solve(3, x, side); break;
    default: solve(4, x, side);
    }
}

/* ---- sections and lengths ------------------------------------------------------------------------- */

/* A Gauss point of the converged step: what its lanes share. */
typedef struct point {
    double mean[6], rate[6];             /* Smean - S0, S+ - S- */
    double slope_mean[6], slope_rate[6]; /* of S' */
    double c[6], viscous[6];
} point;

static void point_at(const wy_director *x, const fields *plus, const fields *minus, int at,
                     point *out) {
    const wy_director_section *section = &x->plan.section[at];
    const lane third = x->plan.third, none = lane_all(0), one = lane_all(1.0);
    const double beta = x->step->beta;
    const strains s[2] = {strains_of(minus, third), strains_of(plus, third)};
    const lane t[2] = {lane_all(0.5) * third * (one - tri_dot(minus->a, minus->a)),
                       lane_all(0.5) * third * (one - tri_dot(plus->a, plus->a))};
    for (int k = 0; k < 2; k++) {
        const lane from = k ? s[0].k : s[0].gamma, to = k ? s[1].k : s[1].gamma;
        const lane t0 = k ? none : t[0], t1 = k ? none : t[1];
        const lane mean = lane_all(beta) * to + lane_all(1 - beta) * from;
        const lane flat = lane_all(beta) * t1 + lane_all(1 - beta) * t0;
        const lane viscosity = viscous(x->step, section, k);
        for (int i = 0; i < 3; i++) {
            out->mean[3 * k + i] = mean[i] - section->rest[k][i];
            out->rate[3 * k + i] = to[i] - from[i];
            out->slope_mean[3 * k + i] = mean[i] - flat[i];
            out->slope_rate[3 * k + i] = to[i] - from[i] - (t1[i] - t0[i]);
            out->c[3 * k + i] = section->c[k][i], out->viscous[3 * k + i] = viscosity[i];
        }
    }
}

/* (1) */
WY_ALWAYS void stress_slope(const wy_director_step *step, const point *at,
                            const wy_slope_section *d, pack e, pack out[6]) {
    for (int i = 0; i < 6; i++)
        out[i] = at->c[i] * (-e * at->slope_mean[i] - d->rest[i]) -
                 e * (at->viscous[i] * at->slope_rate[i]) +
                 d->c[i] * (at->mean[i] + step->xi * at->rate[i]) +
                 d->cv[i] * (step->per * at->rate[i]);
}

/* (2) of node a */
WY_ALWAYS void add_node(const wy_director *x, const fields *mid, tri d, const double shape[2],
                        int at, const pack stress[6], pack grow, pack e, pack *side) {
    const wy_director_section *section = &x->plan.section[at];
    const double w = section->weight, slope = shape[1];
    tri c_next, c_last, gamma, k;
    c_of(mid, shape[0], slope, &c_next, &c_last);
    rows_of(mid, d, shape[0], c_next, c_last, &gamma, &k);
    const lane n = x->stress[at].stress[0], m = x->stress[at].stress[1];
    const lane force = lane_all(slope) * tri_sum(tri_scale(n, mid->a));
    const lane moment = tri_sum(tri_add(tri_scale(n, gamma), tri_scale(m, k)));
    const lane turned =
        tri_sum(tri_scale(lane_all(-shape[0]) * x->plan.third * n, tri_cross(d, mid->a)));
    const lane a[3] = {mid->a.x, mid->a.y, mid->a.z}, g[3] = {gamma.x, gamma.y, gamma.z};
    const lane r[3] = {k.x, k.y, k.z};
    for (int c = 0; c < 3; c++) {
        pack df = grow * force[c], dm = grow * moment[c] + e * turned[c];
        for (int i = 0; i < 3; i++) {
            df += (slope * a[c][i]) * stress[i];
            dm += g[c][i] * stress[i] + r[c][i] * stress[3 + i];
        }
        side[c] -= w * df, side[3 + c] -= w * dm;
    }
}

void wy_slope_element(const wy_director *x, int e, const wy_slope_fields *field, pack *side) {
    const int p = x->plan.p;
    const pack long_by = field->size[e] / splat(x->plan.size[e]);
    if (!field->strains && !field->lengths) return;
    local q;
    tri minus[WY_ELEMENT_NODES];
    lane r_minus[WY_ELEMENT_NODES];
    gather(p, x, e, &q);
    for (int a = 0; a <= p; a++)
        minus[a] = x->node[e * p + a].d, r_minus[a] = vec3_lane(x->node[e * p + a].r);
    for (int g = 0; g < p; g++) {
        const int at = e * p + g;
        const lane third = x->plan.third;
        const fields end = fields_at(p, q.plus, q.r_plus, q.value[g], q.slope[g], third);
        const fields start = fields_at(p, minus, r_minus, q.value[g], q.slope[g], third);
        const int still = x->step->beta == 1.0; /* the mean is the iterate */
        const fields mid =
            still ? end : fields_at(p, q.mid, q.r_mid, q.value[g], q.slope[g], third);
        point here;
        pack stress[6];
        point_at(x, &end, still ? &end : &start, at, &here);
        stress_slope(x->step, &here, &field->section[at], long_by, stress);
        const pack grow = field->section[at].weight / splat(x->plan.section[at].weight) - long_by;
        for (int a = 0; a <= p; a++) {
            const double shape[2] = {q.value[g][a], q.slope[g][a]};
            add_node(x, &mid, still ? q.plus[a] : q.mid[a], shape, at, stress, grow, long_by,
                     &side[6 * a]);
        }
    }
}
