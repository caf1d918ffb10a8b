/* gradient_transposed.c - transposed products and elimination, and what the fields of an element gain.
 *
 * Forwards x = B^-1 y is hold, eliminate, invert the last front, substitute back (element.c); transposed it is the
 * same steps in reverse, each transposed: substitution forwards, the front, elimination backwards
 * (docs/theory/gradient.md).  With mu the multiplier of the rows of an element and Bbar of element.c (1), (2),
 *
 *   e = Bbar mu,   mu . F = w sigma . e                                                              (1)
 *   mu . dF = w e . dsigma + (dw - w dh/h) sigma . e + dh/h w sum_a N_a n_3 mu_phi . (D_3 x (-a_3))    (2)
 *
 * with dsigma of gradient_lane.c (1).  Compiled with fused multiply-add, as element.c.
 */
#include "method/director/gradient.h"
#include "method/director/strain.h"

/* ---- products -------------------------------------------------------------------------------------- */

WY_ALWAYS void transposed(const int p, const double (*m)[WY_DIRECTOR_STRIDE], const double *x,
                          double *y) {
    lane sum[8] = {{0}};
    const int rows = 6 * (p + 1), lanes = (rows + 3) / 4;
    for (int i = 0; i < rows; i++)
        for (int c = 0; c < lanes; c++) sum[c] += lane_all(x[i]) * lane_load(&m[i][4 * c]);
    for (int k = 0; k < rows; k++) y[k] += sum[k / 4][k % 4];
}

void wy_slope_transposed(int p, const double (*m)[WY_DIRECTOR_STRIDE], const double *x, double *y) {
    WY_FOR_DEGREE(p, transposed, m, x, y)
}

/* ---- elimination ------------------------------------------------------------------------------------- */

/* wy_director_hold_back, transposed. */
static void hold_back(const wy_director *x, int which, double *side) {
    const wy_director_end *end = &x->plan.end[which];
    if (end->slides) v3_to(m3_tmul(end->track, v3_from(side)), side);
    if (end->holds_frame && end->turns_free)
        v3_to(m3_tmul(x->step->end[which].target, v3_from(side + 3)), side + 3);
}

/* wy_director_hold_side, transposed: of side what goes to `given`, and what stays. */
static void hold_side(const wy_director *x, int which, double *side, double given[6]) {
    const wy_director_end *end = &x->plan.end[which];
    const wy_director_end_step *to = &x->step->end[which];
    const int places = end->holds_position ? 3 : end->slides ? 2 : 0;
    const int turns = !end->holds_frame ? 0 : end->turns_free ? 2 : 3;
    for (int i = 0; i < 6; i++) {
        const int held = i < 3 ? i < places : i - 3 < turns;
        given[i] = held ? to->size[i] * side[i] : 0;
        if (held) side[i] = 0;
    }
    double *const both[2] = {side, given};
    for (int k = 0; k < 2; k++) {
        if (end->slides) v3_to(m3_mul(end->track, v3_from(both[k])), both[k]);
        if (end->holds_frame && end->turns_free)
            v3_to(m3_mul(to->target, v3_from(both[k] + 3)), both[k] + 3);
    }
}

/* frontal_again (numeric/frontal.h), transposed. */
WY_ALWAYS void again(const int p, const int b, const double *keep, double *f) {
    double y[6];
    for (int k = 0; k < 6; k++) y[k] = f[6 * b + k];
    for (int i = 0; i < 6 * (p + 1); i++) {
        if (i / 6 == b) continue;
        for (int k = 0; k < 6; k++) y[k] -= keep[i * 6 + k] * f[i];
    }
    double out[6] = {0};
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++) out[k] += keep[(6 * b + i) * 6 + k] * y[i];
    for (int k = 0; k < 6; k++) f[6 * b + k] = out[k];
}

WY_ALWAYS void solve(const int p, const wy_director *x, double *side) {
    const int rows = 6 * (p + 1);
    double *end = &side[6 * (x->plan.node_count - 1)], given[6], z[6] = {0};
    hold_back(x, 0, side);
    for (int e = 0; e < x->plan.n; e++) {
        const double *panel = &x->panel[(size_t)e * 6 * (size_t)p * WY_DIRECTOR_PANEL];
        double *next = &side[6 * (e + 1) * p];
        for (int i = 0; i < 6 * p; i++)
            for (int j = 0; j < 6; j++)
                next[j] -= panel[i * WY_DIRECTOR_PANEL + j] * side[6 * e * p + i];
    }
    hold_back(x, 1, end);
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++) z[k] += x->step->last[i][k] * end[i];
    for (int k = 0; k < 6; k++) end[k] = z[k];
    hold_side(x, 1, end, given);
    for (int e = x->plan.n - 1; e >= 0; e--)
        for (int b = p - 1; b >= 0; b--)
            again(p, b, &x->keep[((size_t)e * (size_t)p + (size_t)b) * (size_t)rows * 6],
                  &side[6 * e * p]);
    for (int i = 0; i < 6; i++) end[i] += given[i];
    hold_side(x, 0, side, given);
    for (int i = 0; i < 6; i++) side[i] += given[i];
}

void wy_slope_solve_transposed(const wy_director *x, double *side) {
    WY_FOR_DEGREE(x->plan.p, solve, x, side);
}

/* ---- sections and lengths ------------------------------------------------------------------------------ */

/* (1), and the last sum of (2) without w dh/h. */
WY_ALWAYS void spread(const int p, const wy_director *x, const fields *mid, const tri *d,
                      const double *value, const double *slope, const double *mu, lane n,
                      lane out[2], double *flat) {
    out[0] = out[1] = lane_all(0);
    lane turned = lane_all(0);
    for (int a = 0; a <= p; a++) {
        tri c_next, c_last, gamma, k;
        const tri way = tri_all(v3_from(&mu[6 * a])), turn = tri_all(v3_from(&mu[6 * a + 3]));
        c_of(mid, value[a], slope[a], &c_next, &c_last);
        rows_of(mid, d[a], value[a], c_next, c_last, &gamma, &k);
        out[0] += lane_all(slope[a]) * tri_dot(mid->a, way) + tri_dot(gamma, turn);
        out[1] += tri_dot(k, turn);
        turned += lane_all(-value[a]) * tri_dot(tri_cross(d[a], mid->a), turn);
    }
    *flat = (turned * n * x->plan.third)[2];
}

static double sum_of(lane a) {
    return a[0] + a[1] + a[2];
}

/* (2) of one Gauss point. */
WY_ALWAYS void pull(const wy_director *x, int at, const strains s[2], const lane flat[2],
                    const lane e[2], double turned, wy_adjoint_section *by, double *longer) {
    const wy_director_section *section = &x->plan.section[at];
    const wy_director_step *step = x->step;
    const lane beta = lane_all(step->beta), before = lane_all(1 - step->beta);
    const lane w = lane_all(section->weight);
    double stress = 0, stretched = 0; /* sigma . e, and e . dsigma by dh/h */
    for (int k = 0; k < 2; k++) {
        const lane from = k ? s[0].k : s[0].gamma, to = k ? s[1].k : s[1].gamma;
        const lane mean = beta * to + before * from, rate = to - from;
        const lane flat_mean = k ? lane_all(0) : beta * flat[1] + before * flat[0];
        const lane flat_rate = k ? lane_all(0) : flat[1] - flat[0];
        by->c[k] -= w * e[k] * (mean - section->rest[k] + lane_all(step->xi) * rate);
        by->cv[k] -= w * e[k] * lane_all(step->per) * rate;
        by->rest[k] += w * e[k] * section->c[k];
        stress += sum_of(x->stress[at].stress[k] * e[k]);
        stretched -= sum_of(e[k] * (section->c[k] * (mean - flat_mean) +
                                    viscous(step, section, k) * (rate - flat_rate)));
    }
    by->weight -= stress;
    *longer -= section->weight * (stretched - stress + turned);
}

WY_ALWAYS void element_pull(const int p, const wy_director *x, int e, const double *mu,
                            wy_adjoint_fields *by) {
    const lane third = x->plan.third, half = lane_all(0.5), one = lane_all(1);
    const int still = x->step->beta == 1.0; /* the mean is the iterate */
    local q;
    tri minus[WY_ELEMENT_NODES];
    lane r_minus[WY_ELEMENT_NODES];
    double longer = 0;
    gather(p, x, e, &q);
    for (int a = 0; a <= p; a++)
        minus[a] = x->node[e * p + a].d, r_minus[a] = vec3_lane(x->node[e * p + a].r);
    for (int g = 0; g < p; g++) {
        const double *value = q.value[g], *slope = q.slope[g];
        const fields end = fields_at(p, q.plus, q.r_plus, value, slope, third);
        const fields start = still ? end : fields_at(p, minus, r_minus, value, slope, third);
        const fields mid = still ? end : fields_at(p, q.mid, q.r_mid, value, slope, third);
        const strains s[2] = {strains_of(&start, third), strains_of(&end, third)};
        const lane flat[2] = {half * third * (one - tri_dot(start.a, start.a)),
                              half * third * (one - tri_dot(end.a, end.a))};
        const int at = e * p + g;
        lane strain[2];
        double turned;
        spread(p, x, &mid, still ? q.plus : q.mid, value, slope, mu, x->stress[at].stress[0],
               strain, &turned);
        pull(x, at, s, flat, strain, turned, &by->section[at], &longer);
    }
    by->size[e] += longer / x->plan.size[e];
}

void wy_slope_element_pull(const wy_director *x, int e, const double *mu, wy_adjoint_fields *by) {
    WY_FOR_DEGREE(x->plan.p, element_pull, x, e, mu, by)
}
