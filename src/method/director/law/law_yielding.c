/* law_yielding.c - a section that yields as a whole: plasticity of its forces and moments.
 *
 * With C the stiffness of the section (diagonal), L its yield forces and moments (without end: that one never yields), P = 1/L^2,
 * and H = hardening C:
 *
 *   xi = C (e - p) - H p,   q = sqrt(xi . P xi) <= 1,   dp along P xi,   2 V = (e - p).C (e - p) + p.H p,   loss = da
 *
 * The line of a step as in law_plastic.c, (2) to (4) there, with R = 1 and no isotropic hardening; at rest backward Euler.
 */
#include "method/director/law/law.h"

/* Of a Gauss point, made once. */
typedef struct limits {
    lane p[2]; /* 1/L^2 */
} limits;

enum { P = 0, A = 8, HISTORY = 9, ROUNDS = 60 };

static int history(const wy_director_plan *plan) {
    (void)plan;
    return HISTORY;
}

static withy_status make(wy_director_plan *plan, const wy_setup *setup, withy_error *err) {
    const int points = plan->n * plan->p;
    limits *list = wy_arena_alloc(setup->arena, (size_t)points, sizeof *list);
    if (!list) return wy_no_memory(err, "director: no memory for the sections");
    for (int i = 0; i < points; i++) {
        const int e = i / plan->p;
        const double s = plan->start[e] + plan->rule->point[i % plan->p] * plan->size[e];
        for (int k = 0; k < 6; k++) {
            const withy_field *field = &plan->rod->law.limit[k];
            double limit[WITHY_FIELD_MAX] = {INFINITY};
            if (field->size && field->call) WY_TRY(withy_field_at(field, s, 0, limit, err));
            if (field->size && !field->call) limit[0] = field->value[0]; /* may be infinite */
            if (!(limit[0] > 0))
                return wy_bad_input(err,
                                    "director: rod.law" WY_KEY
                                    ": a yield force or moment is %g at s = %g; it must be > 0",
                                    limit[0], s);
            list[i].p[k / 3][k % 3] = 1 / limit[0] / limit[0];
        }
    }
    plan->of_law = list;
    return WITHY_OK;
}

/* Everything about a Gauss point; xi of the strain e, with p- */
typedef struct point {
    const wy_director_section *g;
    const lane *p;  /* P */
    lane flowed[2]; /* p- */
    double hard, a;
} point;

static point point_of(const wy_director *x, int at) {
    const double *before = wy_section_before(x, at);
    return (point){&x->plan.section[at],
                   ((const limits *)x->plan.of_law)[at].p,
                   {lane_load(&before[P]), lane_load(&before[P + 4])},
                   x->plan.rod->law.hardening,
                   before[A]};
}

static double dot(const point *x, const lane a[2], const lane b[2]) {
    return lane_sum(x->p[0] * a[0] * b[0]) + lane_sum(x->p[1] * a[1] * b[1]);
}

static void find_xi(const point *x, const lane s[2], lane xi[2]) {
    for (int k = 0; k < 2; k++)
        xi[k] = x->g->c[k] * (s[k] - x->g->rest[k] - lane_all(1 + x->hard) * x->flowed[k]);
}

static double elastic_part(const point *x, const lane xi[2], const lane d[2]) {
    const double c = wy_min(dot(x, xi, xi) - 1, 0), b = dot(x, d, xi), a = dot(x, d, d);
    const double root = sqrt(wy_max(b * b - a * c, 0));
    const double t = b > 0 ? -c / (b + root) : a > 0 ? (root - b) / a : 1;
    return wy_max(0, wy_min(1, t));
}

/* xi = xtr/(1 + beta g) on the surface; as in plastic_step.c */
typedef struct flow {
    lane xi[2], w[2], g[2], dp[2], d[2], at[2]; /* at: where the line meets the surface */
    double beta, q, t, share;
    int moving;
} flow;

static void find_flow(const point *x, const lane trial[2], flow *f) {
    double last = INFINITY;
    for (int round = 0;; round++) {
        lane fall[2];
        for (int k = 0; k < 2; k++) {
            f->g[k] = lane_all((f->moving ? 0.5 : 1) * (1 + x->hard)) * x->g->c[k] * x->p[k];
            f->w[k] = lane_all(1) / (lane_all(1) + lane_all(f->beta) * f->g[k]);
            f->xi[k] = trial[k] * f->w[k];
            fall[k] = f->g[k] * f->w[k] * f->xi[k];
        }
        f->q = sqrt(dot(x, f->xi, f->xi));
        const double miss = 1 - 1 / f->q;
        if (round == ROUNDS || fabs(miss) >= last) break; /* rounding: it falls until then */
        last = fabs(miss);
        f->beta += miss * f->q * f->q * f->q / dot(x, f->xi, fall);
    }
    for (int k = 0; k < 2; k++) f->dp[k] = lane_all(f->beta) * x->p[k] * f->xi[k];
}

static lane unit(int k, int i, lane size) {
    lane out = lane_all(0);
    if (k >= 0) out[i] = size[i];
    return out;
}

/* By how much column n of the slope is below that of C. */
static void slope_column(const point *x, const flow *f, int n, lane out[2]) {
    lane dd[2], trial[2], part[2], size[2];
    for (int k = 0; k < 2; k++) dd[k] = unit(n / 3 == k ? 0 : -1, n % 3, x->g->c[k]);
    const double leaves = f->moving ? dot(x, f->at, f->d) : 0;
    const double dt = leaves > 0 ? -f->t * dot(x, f->at, dd) / leaves : 0;
    for (int k = 0; k < 2; k++) {
        trial[k] =
            f->moving ? lane_all(0.5 * (1 + f->t)) * dd[k] + lane_all(0.5 * dt) * f->d[k] : dd[k];
        part[k] = f->w[k] * trial[k], size[k] = f->w[k] * f->g[k] * f->xi[k];
    }
    const double dbeta = dot(x, f->xi, part) / dot(x, f->xi, size);
    for (int k = 0; k < 2; k++) {
        const lane ddp = x->p[k] * (lane_all(dbeta) * f->xi[k] +
                                    lane_all(f->beta) * f->w[k] *
                                        (trial[k] - lane_all(dbeta) * f->g[k] * f->xi[k]));
        out[k] = x->g->c[k] * (lane_all(f->share) * ddp - lane_all(0.5 * dt) * f->dp[k]);
    }
}

static void keep(const point *x, const flow *f, double *after) {
    for (int k = 0; k < 2; k++) lane_store(&after[P + 4 * k], x->flowed[k] + f->dp[k]);
    after[A] = x->a + f->beta * f->q;
}

static void yield(const point *x, const lane first[2], flow *f, double *after, wy_law_out *out) {
    lane trial[2];
    for (int k = 0; k < 2; k++) {
        f->at[k] = first[k] + lane_all(f->t) * f->d[k];
        trial[k] = first[k] + lane_all(f->moving ? 0.5 * (1 + f->t) : 1) * f->d[k];
    }
    f->share = f->moving ? 0.5 * (1 - f->t) : 1;
    find_flow(x, trial, f);
    for (int k = 0; k < 2; k++) out->stress[k] -= lane_all(f->share) * x->g->c[k] * f->dp[k];
    for (int n = 0; n < 6; n++) {
        lane column[2];
        slope_column(x, f, n, column);
        for (int i = 0; i < 6; i++) out->slope[i][n / 3][n % 3] -= column[i / 3][i % 3];
    }
    out->loss = f->beta * f->q;
    keep(x, f, after);
}

static void step(const wy_director *x, int at, double *after, wy_law_out *out) {
    const point here = point_of(x, at);
    flow f = {.moving = x->step->dynamic};
    const lane beta = lane_all(x->step->beta), before = lane_all(1 - x->step->beta);
    lane first[2], last[2];
    find_xi(&here, x->strain[at].start, first), find_xi(&here, x->stress[at].plus, last);
    for (int i = 0; i < 12; i++) out->slope[i / 2][i % 2] = lane_all(0);
    for (int i = 0; i < 6; i++)
        out->slope[i][i / 3][i % 3] = x->step->beta * here.g->c[i / 3][i % 3];
    for (int k = 0; k < 2; k++) {
        const lane *rest = here.g->rest, minus = x->strain[at].start[k] - rest[k];
        const lane plus = x->stress[at].plus[k] - rest[k];
        out->stress[k] = here.g->c[k] * (beta * plus + before * minus - here.flowed[k]);
        f.d[k] = last[k] - first[k];
    }
    out->loss = 0;
    keep(&here, &f, after);
    if (!(dot(&here, last, last) > 1)) return;
    f.t = f.moving ? elastic_part(&here, first, f.d) : 0;
    if (f.t < 1) yield(&here, first, &f, after, out);
}

static void stress(const wy_director *x, int at, const lane s[2], lane out[2]) {
    const point here = point_of(x, at);
    for (int k = 0; k < 2; k++) out[k] = here.g->c[k] * (s[k] - here.g->rest[k] - here.flowed[k]);
}

static void energy(const wy_director *x, int at, lane out[2]) {
    const point here = point_of(x, at);
    for (int k = 0; k < 2; k++) {
        const lane e = x->strain[at].start[k] - here.g->rest[k] - here.flowed[k];
        out[k] = here.g->c[k] * (e * e + lane_all(here.hard) * here.flowed[k] * here.flowed[k]);
    }
}

static double beyond(const wy_director *x, int at) {
    const point here = point_of(x, at);
    lane xi[2];
    find_xi(&here, x->strain[at].start, xi);
    return sqrt(dot(&here, xi, xi));
}

const wy_section_law wy_law_yielding = {.name = "yielding",
                                        .general = 1,
                                        .coupled = 1,
                                        .loses = 1,
                                        .loads = 1,
                                        .kind = WITHY_LAW_YIELDING,
                                        .make = make,
                                        .history = history,
                                        .step = step,
                                        .stress = stress,
                                        .slope = wy_law_linear_slope,
                                        .energy = energy,
                                        .beyond = beyond};
