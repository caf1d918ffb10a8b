/* viscoelastic_step.c - the inner loop of law_viscoelastic.c. */
#include "method/director/law/viscoelastic.h"

static void keep(double *to, const lane z[2]) {
    lane_store(to, z[0]), lane_store(to + 4, z[1]);
}

/* No time passes: nothing is left of the overstrain, or it takes all of the change. */
static void at_rest(const wy_director *x, int at, const wy_relaxation_at *r, const lane e[2],
                    double *after, wy_law_out *out) {
    const lane all[2] = {lane_all(1), lane_all(1)};
    lane sum[2];
    for (int k = 0; k < 2; k++) sum[k] = r->rest[k] * e[k];
    for (int i = 0; i < r->terms; i++) {
        const lane share = lane_all(x->plan.rod->law.term[i].share);
        lane z[2] = {{0}, {0}};
        if (r->sudden) wy_term_strain(r, wy_section_before(x, at), i, e, z);
        for (int k = 0; k < 2; k++) sum[k] += share * r->part[k] * z[k];
        keep(&after[WY_TERM_SIZE * i], z);
    }
    wy_stiff_times(x, at, sum, out->stress);
    wy_stiff_slope(&x->plan.section[at], r->sudden ? all : r->rest, out->slope);
    out->loss = 0;
}

static double dot(const lane weight[2], const lane a[2], const lane b[2]) {
    return lane_sum(weight[0] * a[0] * b[0]) + lane_sum(weight[1] * a[1] * b[1]);
}

/* (1), (2) of one term: what it adds to the mean strain and to its slope; returns its loss. */
static double relax(const wy_director *x, int at, const wy_relaxation_at *r, const wy_relaxing *by,
                    const lane z[2], const lane de[2], const lane cde[2], double *after,
                    lane mean[2], lane slope[2]) {
    lane next[2], pull[2], cz[2];
    for (int k = 0; k < 2; k++) {
        const lane part = lane_all(by->share) * r->part[k];
        next[k] = lane_all(by->decay) * z[k] + lane_all(by->a) * de[k];
        mean[k] += part * (lane_all(by->a) * z[k] + lane_all(by->m) * de[k]);
        slope[k] += part * lane_all(by->m);
        pull[k] = lane_all(by->zz) * z[k] + lane_all(by->ze) * de[k];
    }
    keep(after, next);
    wy_stiff_times(x, at, z, cz);
    return by->share * (dot(r->part, pull, cz) + by->ee * dot(r->part, de, cde));
}

void wy_law_viscoelastic_step(const wy_director *x, int at, double *after, wy_law_out *out) {
    const wy_relaxation_at r = wy_relaxation_of(&x->plan);
    const wy_director_section *g = &x->plan.section[at];
    const wy_relaxing *by = (const wy_relaxing *)(const void *)x->of_step;
    const lane half = lane_all(0.5);
    lane before[2], now[2], de[2], cde[2], z[2], mean[2], slope[2];
    for (int k = 0; k < 2; k++) {
        before[k] = x->strain[at].start[k] - g->rest[k];
        now[k] = x->stress[at].plus[k] - g->rest[k];
        de[k] = x->stress[at].plus[k] - x->strain[at].start[k];
        mean[k] = half * r.rest[k] * (now[k] + before[k]), slope[k] = half * r.rest[k];
    }
    if (r.sudden) keep(&after[WY_TERM_SIZE * r.terms], now);
    if (!x->step->dynamic) {
        at_rest(x, at, &r, now, after, out);
        return;
    }
    wy_stiff_times(x, at, de, cde);
    out->loss = 0;
    for (int i = 0; i < r.terms; i++) {
        wy_term_strain(&r, wy_section_before(x, at), i, before, z);
        out->loss += relax(x, at, &r, &by[i], z, de, cde, &after[WY_TERM_SIZE * i], mean, slope);
    }
    wy_stiff_times(x, at, mean, out->stress);
    wy_stiff_slope(g, slope, out->slope);
}
