/* superelastic_step.c - the inner loop of law_superelastic.c. */
#include "method/director/law/superelastic.h"

typedef struct material {
    double young, forward, reverse, slope, most;
} material;

static material material_of(const wy_director *x, const wy_fibres *f) {
    const withy_law *law = &x->plan.rod->law;
    return (material){f->young, law->forward, law->reverse, law->slope, law->strain};
}

/* x grows at the rate k while the strain goes from `from` on, by `room` at most: by how much, and its integral, until `to`. */
typedef struct ramp {
    double grown, integral, rate; /* rate: as the line ends */
} ramp;

static inline ramp climb(double from, double to, double k, double room) {
    const double way = to > from ? to - from : 0, reach = room / k,
                 part = way < reach ? way : reach;
    const double grown = k * part;
    return (ramp){grown, 0.5 * grown * part + grown * (way - part), way > 0 && way < reach ? k : 0};
}

/* Of a line of strain that goes up from e0 to e1: what is left of a compression goes back, then the tension transforms. */
static inline ramp go_up(const material *m, double x0, double e0, double e1) {
    const double k = m->young / (m->young + m->slope), base = x0 > 0 ? x0 : 0;
    ramp back = {0};
    if (x0 < 0) {
        const double at = ((m->young + m->slope) * x0 - m->reverse) / m->young;
        back = climb(at > e0 ? at : e0, e1, k, -x0);
    }
    const double at = (m->forward + (m->young + m->slope) * base) / m->young;
    const ramp on = climb(at > e0 ? at : e0, e1, k, m->most > base ? m->most - base : 0);
    return (ramp){back.grown + on.grown, back.integral + on.integral, back.rate + on.rate};
}

/* Mean and end of x on the line from e0 to e1, and by how much the slope of the mean stress is below E/2. */
typedef struct change {
    double mean, end, slope;
} change;

static inline change transform(const material *m, double x0, double e0, double e1) {
    const double de = fabs(e1 - e0), sign = e1 < e0 ? -1 : 1;
    const ramp w = go_up(m, sign * x0, sign * e0, sign * e1);
    if (!(de > 0)) return (change){x0, x0, 0};
    const double mean = w.integral / de;
    return (change){x0 + sign * mean, x0 + sign * w.grown, m->young * (w.grown - mean) / de};
}

/* At rest: the end of a line that comes from anywhere inside. */
static inline change settle(const material *m, double x0, double e) {
    const ramp up = go_up(m, x0, -INFINITY, e), down = go_up(m, -x0, -INFINITY, -e);
    const double end = x0 + up.grown - down.grown;
    return (change){end, end, m->young * (up.rate + down.rate)};
}

static void step_all(const wy_director *x, int at, const lane minus[2], const lane plus[2],
                     double *after, wy_law_out *out) {
    const wy_fibres *f = wy_fibres_at(x, at);
    const material m = material_of(x, f);
    const double *before = wy_section_before(x, at) + 1, lost = 0.5 * (m.forward - m.reverse);
    const int moving = x->step->dynamic;
    wy_fibre_sum sum = {0};
    lane mean[2];
    after[0] = 0, out->loss = 0;
    for (int i = 0; i < f->count; i += WY_FIBRE_PACK) {
        const wy_fibre_pack pack = wy_fibre_pack_at(f, i);
        lane e0[3], e1[3], held[3], slope[3][3] = {{{0}}};
        wy_fibre_strain(1, f, &pack, minus, e0), wy_fibre_strain(1, f, &pack, plus, e1);
        for (int n = 0; n < WY_FIBRE_PACK; n++) {
            const double x0 = before[i + n];
            const change c =
                moving ? transform(&m, x0, e0[0][n], e1[0][n]) : settle(&m, x0, e1[0][n]);
            const double e = moving ? 0.5 * (e0[0][n] + e1[0][n]) : e1[0][n];
            held[0][n] = pack.area[n] * m.young * (e - c.mean);
            slope[0][0][n] = pack.area[n] * c.slope;
            after[1 + i + n] = c.end, after[0] = wy_max(after[0], fabs(c.end));
            out->loss += pack.area[n] * lost * fabs(c.end - x0);
        }
        wy_fibre_spread(1, f, &pack, held, sum.force);
        wy_fibre_spread_slope(1, f, &pack, slope, sum.slope);
    }
    for (int k = 0; k < 2; k++) mean[k] = moving ? lane_all(0.5) * (minus[k] + plus[k]) : plus[k];
    wy_fibres_finish(&x->plan.section[at], f, mean, moving ? 0.5 : 1, &sum, out);
}

void wy_law_superelastic_step(const wy_director *x, int at, double *after, wy_law_out *out) {
    const wy_director_section *g = &x->plan.section[at];
    const wy_fibres *f = wy_fibres_at(x, at);
    lane minus[2], plus[2];
    double eps, gamma;
    for (int k = 0; k < 2; k++) {
        minus[k] = x->strain[at].start[k] - g->rest[k];
        plus[k] = x->stress[at].plus[k] - g->rest[k];
    }
    wy_fibres_bound(f, plus, &eps, &gamma);
    if (wy_section_before(x, at)[0] == 0 && f->young * eps < x->plan.rod->law.forward) {
        wy_fibres_elastic(x, at, minus, plus, after, out);
    } else {
        step_all(x, at, minus, plus, after, out);
    }
}

void wy_law_superelastic_state(const wy_director *x, int at, const lane e[2], wy_fibre_state *out) {
    const wy_fibres *f = wy_fibres_at(x, at);
    const material m = material_of(x, f);
    const double *before = wy_section_before(x, at) + 1;
    lane all[6] = {{0}};
    *out = (wy_fibre_state){0};
    for (int i = 0; i < f->count; i += WY_FIBRE_PACK) {
        const wy_fibre_pack pack = wy_fibre_pack_at(f, i);
        lane strain[3], held[3];
        wy_fibre_strain(1, f, &pack, e, strain);
        for (int n = 0; n < WY_FIBRE_PACK; n++) {
            const double x0 = before[i + n], size = fabs(x0), elastic = strain[0][n] - x0;
            const double stress = m.young * elastic;
            held[0][n] = pack.area[n] * stress;
            out->along +=
                pack.area[n] * (stress * elastic + (m.forward + m.reverse + m.slope * size) * size);
            if (pack.area[n] > 0 && size < m.most)
                out->beyond = wy_max(out->beyond, fabs(stress) / (m.forward + m.slope * size));
        }
        wy_fibre_spread(1, f, &pack, held, all);
    }
    for (int i = 0; i < 6; i++) out->force[i] = wy_fibre_total(all[i]);
}
