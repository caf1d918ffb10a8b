/* plastic_step.c - the inner loop of law_plastic.c, four fibres at a time. */
#include "method/director/law/plastic.h"

typedef long long choice __attribute__((vector_size(32)));

static const double TINY = 1e-300;
enum { ROUNDS = 6 }; /* of Newton's method for beta: 4 reach rounding */

WY_ALWAYS lane pick(choice on, lane a, lane b) {
    return (lane)(((choice)a & on) | ((choice)b & ~on));
}

WY_ALWAYS int any(choice on) {
    return (on[0] | on[1] | on[2] | on[3]) != 0;
}

WY_ALWAYS lane root(lane a) {
    return (lane){sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3])};
}

/* Four fibres: strains e-, e+ and p-, and what follows from them. */
typedef struct fibres {
    lane minus[3], plus[3], p[3], a, limit; /* limit: R = sy + Hi a- */
    lane t, share, beta, q, kap; /* (2) to (4) of law_plastic.c; share: of C dp in the stress */
    lane first[3], d[3], xi[3], dp[3], w[3], g[3];
    choice flows;
} fibres;

WY_ALWAYS lane dot(const int m, const wy_yield *y, const lane *a, const lane *b) {
    lane sum = lane_all(y->p[0]) * a[0] * b[0];
    for (int i = 1; i < m; i++) sum += lane_all(y->p[i]) * a[i] * b[i];
    return sum;
}

/* The fraction t of the line that is elastic; a start outside counts as one on the surface. */
WY_ALWAYS void find_elastic_part(const int m, const wy_yield *y, fibres *x) {
    const lane zero = lane_all(0), one = lane_all(1), tiny = lane_all(TINY);
    const lane c0 = dot(m, y, x->first, x->first) - x->limit * x->limit,
               c = pick((choice)(c0 < zero), c0, zero);
    const lane b = dot(m, y, x->d, x->first), a = dot(m, y, x->d, x->d);
    const lane s2 = b * b - a * c, s = root(pick((choice)(s2 > zero), s2, zero));
    const lane t = pick((choice)(b > zero), -c / (b + s + tiny), (s - b) / (a + tiny));
    x->t = pick((choice)(t > zero), pick((choice)(t < one), t, one), zero);
    x->flows &= (choice)(x->t < one);
}

/* xi = xtr/(1 + beta g) on the surface: concave in beta, so that Newton's method from 0 never passes the root. */
WY_ALWAYS void flow(const int m, const wy_yield *y, double half, const lane *trial, fibres *x) {
    const lane one = lane_all(1), zero = lane_all(0), hard = lane_all(half * y->isotropic);
    x->beta = zero;
    for (int round = 0; round <= ROUNDS; round++) {
        for (int i = 0; i < m; i++) {
            x->g[i] = lane_all(half * (y->c[i] + y->h[i]) * y->p[i]);
            x->w[i] = one / (one + x->beta * x->g[i]);
            x->xi[i] = trial[i] * x->w[i];
        }
        x->q = root(dot(m, y, x->xi, x->xi) + lane_all(TINY));
        x->kap = one - hard * x->beta;
        if (round == ROUNDS) break;
        lane fall = lane_all(0); /* - q dq/dbeta */
        for (int i = 0; i < m; i++)
            fall += lane_all(y->p[i]) * x->xi[i] * x->xi[i] * x->g[i] * x->w[i];
        const lane per = one / x->q, miss = x->kap / x->limit - per;
        const lane beta = x->beta + miss / (fall * per * per * per + hard / x->limit);
        x->beta = pick(x->flows & (choice)(beta > zero), beta, zero);
    }
    for (int i = 0; i < m; i++) x->dp[i] = x->beta * lane_all(y->p[i]) * x->xi[i];
}

/* By how much d(stress)/d(e+) is below that of C: column k. */
WY_ALWAYS void slope_column(const int m, const wy_yield *y, double half, int moving, int k,
                            const fibres *x, lane column[3]) {
    const lane zero = lane_all(0), c = lane_all(y->c[k]);
    lane dt = zero, sum = zero, size = zero, trial[3];
    if (moving) {
        lane at[3];
        for (int i = 0; i < m; i++) at[i] = x->first[i] + x->t * x->d[i];
        const lane out = dot(m, y, at, x->d), push = x->t * lane_all(y->p[k]) * at[k] * c;
        dt = pick((choice)(out > lane_all(TINY)), -push / (out + lane_all(TINY)), zero);
    }
    for (int i = 0; i < m; i++) {
        trial[i] = moving ? lane_all(0.5) * dt * x->d[i] : zero;
        if (i == k) trial[i] += moving ? lane_all(0.5) * (lane_all(1) + x->t) * c : c;
        const lane part = lane_all(y->p[i]) * x->xi[i] * x->w[i];
        sum += part * trial[i], size += part * x->xi[i] * x->g[i];
    }
    const lane slow = x->kap / x->q,
               dbeta = slow * sum / (slow * size + x->q * lane_all(half * y->isotropic));
    for (int i = 0; i < m; i++) {
        const lane ddp =
            lane_all(y->p[i]) *
            (x->xi[i] * dbeta + x->beta * x->w[i] * (trial[i] - x->xi[i] * x->g[i] * dbeta));
        column[i] = lane_all(y->c[i]) * (x->share * ddp - lane_all(0.5) * dt * x->dp[i]);
    }
}

/* What the flow of four fibres takes from stress and slope, and its loss. */
WY_ALWAYS void add_flow(const int m, const wy_fibres *f, const wy_yield *y, int moving,
                        const wy_fibre_pack *at, fibres *x, wy_fibre_sum *sum, lane *lost) {
    const double half = moving ? 0.5 : 1;
    const lane zero = lane_all(0), area = pick(x->flows, at->area, zero);
    lane trial[3], less[3], slope[3][3];
    for (int i = 0; i < m; i++)
        trial[i] =
            moving ? x->first[i] + lane_all(0.5) * (lane_all(1) + x->t) * x->d[i] : x->first[i];
    flow(m, y, half, trial, x);
    x->share = moving ? lane_all(0.5) * (lane_all(1) - x->t) : lane_all(1);
    for (int i = 0; i < m; i++) less[i] = -area * x->share * lane_all(y->c[i]) * x->dp[i];
    wy_fibre_spread(m, f, at, less, sum->force);
    for (int k = 0; k < m; k++) {
        lane column[3];
        slope_column(m, y, half, moving, k, x, column);
        for (int i = 0; i < m; i++) slope[i][k] = area * pick(x->flows, column[i], zero);
    }
    wy_fibre_spread_slope(m, f, at, slope, sum->slope);
    *lost += area * lane_all(y->limit) * x->beta * x->q;
}

WY_ALWAYS void step_pack(const int m, const wy_fibres *f, const wy_yield *y, const lane minus[2],
                         const lane plus[2], int moving, const double *before, double *after, int i,
                         wy_fibre_sum *sum, lane *lost, lane *most) {
    const wy_fibre_pack at = wy_fibre_pack_at(f, i);
    const int n = f->count;
    fibres x;
    lane held[3], last[3];
    x.a = lane_load(&before[m * n + i]);
    x.limit = lane_all(y->limit) + lane_all(y->isotropic) * x.a;
    wy_fibre_strain(m, f, &at, minus, x.minus), wy_fibre_strain(m, f, &at, plus, x.plus);
    for (int k = 0; k < m; k++) {
        const lane c = lane_all(y->c[k]), h = lane_all(y->h[k]);
        x.p[k] = lane_load(&before[k * n + i]);
        last[k] = c * (x.plus[k] - x.p[k]) - h * x.p[k];
        x.first[k] = moving ? c * (x.minus[k] - x.p[k]) - h * x.p[k] : last[k];
        x.d[k] = c * (x.plus[k] - x.minus[k]);
        const lane mean = moving ? lane_all(0.5) * (x.minus[k] + x.plus[k]) : x.plus[k];
        held[k] = at.area * c * (mean - x.p[k]), x.dp[k] = lane_all(0);
    }
    wy_fibre_spread(m, f, &at, held, sum->force);
    x.flows = (choice)(dot(m, y, last, last) > x.limit * x.limit);
    x.beta = x.q = x.t = lane_all(0);
    if (moving && any(x.flows)) find_elastic_part(m, y, &x);
    if (any(x.flows)) add_flow(m, f, y, moving, &at, &x, sum, lost);
    const lane a = x.a + x.beta * x.q;
    for (int k = 0; k < m; k++) lane_store(&after[k * n + i], x.p[k] + x.dp[k]);
    lane_store(&after[m * n + i], a);
    *most = pick((choice)(a > *most), a, *most);
}

WY_ALWAYS void step_all(const int m, const wy_director *x, int at, const lane minus[2],
                        const lane plus[2], double *after, wy_law_out *out) {
    const wy_fibres *f = wy_fibres_at(x, at);
    const wy_yield y = wy_yield_of(x, f);
    const int moving = x->step->dynamic;
    const double *before = wy_section_before(x, at);
    wy_fibre_sum sum = {0};
    lane lost = lane_all(0), most = lane_all(0), mean[2];
    for (int i = 0; i < f->count; i += WY_FIBRE_PACK)
        step_pack(m, f, &y, minus, plus, moving, before + 1, after + 1, i, &sum, &lost, &most);
    after[0] = wy_max(wy_max(most[0], most[1]), wy_max(most[2], most[3]));
    for (int k = 0; k < 2; k++) mean[k] = moving ? lane_all(0.5) * (minus[k] + plus[k]) : plus[k];
    wy_fibres_finish(&x->plan.section[at], f, mean, moving ? 0.5 : 1, &sum, out);
    out->loss = wy_fibre_total(lost);
}

/* A section that has never yielded, and does not now. */
static int is_elastic(const wy_director *x, int at, const lane plus[2]) {
    const wy_fibres *f = wy_fibres_at(x, at);
    double eps, gamma;
    if (wy_section_before(x, at)[0] != 0) return 0;
    wy_fibres_bound(f, plus, &eps, &gamma);
    eps *= f->young, gamma *= f->parts == 3 ? f->shear : 0;
    return eps * eps + 3 * gamma * gamma < x->plan.rod->law.yield * x->plan.rod->law.yield;
}

void wy_law_plastic_step(const wy_director *x, int at, double *after, wy_law_out *out) {
    const wy_director_section *g = &x->plan.section[at];
    lane minus[2], plus[2];
    for (int k = 0; k < 2; k++) {
        minus[k] = x->strain[at].start[k] - g->rest[k];
        plus[k] = x->stress[at].plus[k] - g->rest[k];
    }
    if (is_elastic(x, at, plus)) {
        wy_fibres_elastic(x, at, minus, plus, after, out);
    } else if (wy_fibres_at(x, at)->parts == 1) {
        step_all(1, x, at, minus, plus, after, out);
    } else {
        step_all(3, x, at, minus, plus, after, out);
    }
}

void wy_law_plastic_state(const wy_director *x, int at, const lane e[2], wy_fibre_state *out) {
    const wy_fibres *f = wy_fibres_at(x, at);
    const wy_yield y = wy_yield_of(x, f);
    const double *before = wy_section_before(x, at) + 1;
    const int n = f->count, m = f->parts;
    lane all[6] = {{0}}, part[2] = {{0}}, worst = lane_all(0);
    for (int i = 0; i < n; i += WY_FIBRE_PACK) {
        const wy_fibre_pack pack = wy_fibre_pack_at(f, i);
        const lane a = lane_load(&before[m * n + i]);
        const lane limit = lane_all(y.limit) + lane_all(y.isotropic) * a;
        lane strain[3], held[3], xi[3];
        wy_fibre_strain(m, f, &pack, e, strain);
        part[0] += pack.area * lane_all(y.isotropic) * a * a;
        for (int k = 0; k < m; k++) {
            const lane p = lane_load(&before[k * n + i]), h = lane_all(y.h[k]) * p;
            const lane elastic = strain[k] - p, stress = lane_all(y.c[k]) * elastic;
            held[k] = pack.area * stress, xi[k] = stress - h;
            part[k > 0] += pack.area * (stress * elastic + h * p);
        }
        wy_fibre_spread(m, f, &pack, held, all);
        const lane size = dot(m, &y, xi, xi) / (limit * limit);
        worst = pick((choice)(size > worst) & (choice)(pack.area > lane_all(0)), size, worst);
    }
    for (int i = 0; i < 6; i++) out->force[i] = wy_fibre_total(all[i]);
    out->along = wy_fibre_total(part[0]), out->across = wy_fibre_total(part[1]);
    out->beyond = sqrt(wy_max(wy_max(worst[0], worst[1]), wy_max(worst[2], worst[3])));
}
