/* second_explicit.c - explicit steps of u'' = a(t, u, u'), and how long they may be (second_order.h).
 *
 *   Runge-Kutta 1-4 on (u, v), prescribed entries put right after every stage  [CH] 3.2.1, 4.4.1, F
 *   AB2: u += h (2/3 v_n + 1/3 v_(n-1)) + 5/6 h^2 a_n                      [CH] (3.15)
 *        v += h (3/2 a_n - 1/2 a_(n-1))
 *   AB3: u += h (11/48 v_n + 11/12 v_(n-1) - 7/48 v_(n-2)) + 9/8 h^2 a_n   [CH] (3.18)
 *        v += h (23/12 a_n - 4/3 a_(n-1) + 5/12 a_(n-2))
 *   both started with RK4.
 *
 * Departs from [CH]: prescribed entries of a stage are those of its own time t + c h (late: all of
 * t + h, which makes every scheme first order when they move; errata 4).
 *
 * Stability, z = h omega_max: RK4 2 sqrt 2, RK3 sqrt 3, AB3 0.693.  RK2, AB2 and Euler amplify the
 * highest mode always, by 1 + z^4/8, 1 + z^4/4, 1 + z^2/2 a step.
 */
#include "numeric/time/second_order.h"

/* ---- largest frequency -------------------------------------------------------------------------- */

/* out = (a(u + e z) - a(u - e z)) / 2e with respect to position (or velocity). */
static withy_status vary(wy_second *x, double t, const double *z, int velocity, double e,
                         double *out, withy_error *err) {
    double *up = x->stage[1], *down = x->stage[2], *a = x->stage[3];
    const double *base = velocity ? x->v : x->u;
    for (int i = 0; i < x->size; i++) up[i] = base[i] + e * z[i], down[i] = base[i] - e * z[i];
    const double *u1 = velocity ? x->u : up, *u2 = velocity ? x->u : down;
    const double *v1 = velocity ? up : x->v, *v2 = velocity ? down : x->v;
    WY_TRY(wy_second_accel(x, t, u1, v1, out, err));
    WY_TRY(wy_second_accel(x, t, u2, v2, a, err));
    for (int i = 0; i < x->size; i++) out[i] = (out[i] - a[i]) / (2 * e);
    return WITHY_OK;
}

/* Zero where a value is prescribed, and in the padding. */
static void keep_free(const wy_second *x, double *z) {
    const wy_second_problem *p = &x->problem;
    for (int f = 0; f * p->ld < x->size; f++)
        for (int i = 0; i < p->ld; i++)
            if (i >= p->nodes || p->held[f * p->nodes + i]) z[f * p->ld + i] = 0.0;
}

/* A fixed rough start of any iteration. */
static void rough_start(const wy_second *x, double *z) {
    unsigned seed = 12345;
    for (int i = 0; i < x->size; i++) {
        seed = seed * 1664525u + 1013904223u;
        z[i] = (seed >> 8) / 16777216.0 - 0.5;
    }
    keep_free(x, z);
}

withy_status wy_second_largest(wy_second *x, double t, int velocity, double e, double *value,
                               withy_error *err) {
    enum { TURNS = 300 };
    double *z = x->stage[0], *y = x->stage[4];
    rough_start(x, z);
    double before = 0.0;
    for (int turn = 0; turn < TURNS; turn++) {
        double big = 0.0;
        for (int i = 0; i < x->size; i++) big = wy_max(big, fabs(z[i]));
        if (!(big > 0)) break;
        for (int i = 0; i < x->size; i++) z[i] /= big;
        WY_TRY(vary(x, t, z, velocity, e, y, err));
        double zz = 0, yy = 0;
        keep_free(x, y);
        for (int i = 0; i < x->size; i++) {
            zz += z[i] * z[i], yy += y[i] * y[i], z[i] = y[i];
        }
        *value = sqrt(yy / zz);
        if (fabs(*value - before) <= 1e-7 * *value) break;
        before = *value;
    }
    return wy_second_accel(x, t, x->u, x->v, x->a, err);
}

typedef struct reach {
    double imaginary, real; /* strict limits of z on the two axes; 0: none */
    double growth, power;   /* amplification 1 + growth z^power a step */
} reach;

static const reach REACH[] = {
    [WY_SECOND_EULER] = {0, 2.0, 0.5, 2},      [WY_SECOND_RK2] = {0, 2.0, 0.125, 4},
    [WY_SECOND_RK3] = {1.7320508, 2.51, 0, 0}, [WY_SECOND_RK4] = {2.8284271, 2.785, 0, 0},
    [WY_SECOND_AB2] = {0, 1.0, 0.25, 4},       [WY_SECOND_AB3] = {0.693, 0.545, 0, 0},
};

double wy_second_longest(int kind, double omega, double loss, double time) {
    const reach *r = &REACH[kind];
    const double LOUDEST = 6.0;
    const double limit = r->imaginary > 0 ? r->imaginary / omega
                                          : pow(LOUDEST / (r->growth * time * pow(omega, r->power)),
                                                1.0 / (r->power - 1));
    /* with damping both axes matter; the boundary is close to an ellipse between them */
    return loss > 0 ? 1.0 / hypot(1.0 / limit, loss / r->real) : limit;
}

/* ---- growth of a given step ---------------------------------------------------------------------- */

/* da = (a(u + e du, v + e dv) - a(u - e du, v - e dv)) / 2e, e such that the change is small. */
static withy_status vary_both(wy_second *x, double t, const double *du, const double *dv,
                              double small, double halving, double *out, withy_error *err) {
    double *u = x->stage[0], *v = x->stage[1], *a = x->stage[2], big = 0;
    for (int i = 0; i < x->size; i++) big = wy_max(big, wy_max(fabs(du[i]), fabs(dv[i]) / halving));
    const double e = big > 0 ? small / big : 1.0;
    for (int i = 0; i < x->size; i++) u[i] = x->u[i] + e * du[i], v[i] = x->v[i] + e * dv[i];
    WY_TRY(wy_second_accel(x, t, u, v, out, err));
    for (int i = 0; i < x->size; i++) u[i] = x->u[i] - e * du[i], v[i] = x->v[i] - e * dv[i];
    WY_TRY(wy_second_accel(x, t, u, v, a, err));
    for (int i = 0; i < x->size; i++) out[i] = (out[i] - a[i]) / (2 * e);
    keep_free(x, out);
    return WITHY_OK;
}

/* A step of the linearised equations: w = (du, dv), with its accelerations.  [CH]'s Runge-Kutta rules are the
 * series of exp(h A) up to their order. */
typedef struct trial {
    double *du, *dv, *term[2], *next[2]; /* [size] each */
    double small, halving;
} trial;

static withy_status trial_step(wy_second *x, trial *w, double t, double h, int order,
                               withy_error *err) {
    const size_t bytes = (size_t)x->size * sizeof(double);
    memcpy(w->term[0], w->du, bytes), memcpy(w->term[1], w->dv, bytes);
    for (int k = 1; k <= order; k++) {
        WY_TRY(vary_both(x, t, w->term[0], w->term[1], w->small, w->halving, w->next[0], err));
        for (int i = 0; i < x->size; i++) {
            const double du = h / k * w->term[1][i], dv = h / k * w->next[0][i];
            w->term[0][i] = du, w->term[1][i] = dv;
            w->du[i] += du, w->dv[i] += dv;
        }
    }
    return WITHY_OK;
}

/* Size by accelerations and their rates: rigid and slow motions, which grow without harm, count little. */
static withy_status trial_size(wy_second *x, trial *w, double t, double *size, withy_error *err) {
    double *a = w->next[0], *b = w->next[1], sum = 0;
    WY_TRY(vary_both(x, t, w->du, w->dv, w->small, w->halving, a, err));
    WY_TRY(vary_both(x, t, w->dv, a, w->small, w->halving, b, err));
    for (int i = 0; i < x->size; i++) sum += a[i] * a[i] + b[i] * b[i] / (w->halving * w->halving);
    *size = sqrt(sum);
    return WITHY_OK;
}

withy_status wy_second_growth(wy_second *x, double t, double h, double small, double halving,
                              double *work, double *rate, withy_error *err) {
    enum { STEPS = 200 };
    static const int order[] = {
        [WY_SECOND_EULER] = 1, [WY_SECOND_RK2] = 2, [WY_SECOND_RK3] = 3, [WY_SECOND_RK4] = 4};
    const int kind = x->problem.kind;
    const size_t size = (size_t)x->size;
    trial w = {
        work,  work + size, {work + 2 * size, work + 3 * size}, {work + 4 * size, work + 5 * size},
        small, halving};
    double middle = 0, last = 0;
    *rate = INFINITY;
    if (kind > WY_SECOND_RK4) return WITHY_OK;
    rough_start(x, w.du);
    memset(w.dv, 0, size * sizeof(double));
    for (int k = 1; k <= STEPS; k++) {
        WY_TRY(trial_step(x, &w, t, h, order[kind], err));
        if (k == STEPS / 2) WY_TRY(trial_size(x, &w, t, &middle, err));
    }
    WY_TRY(trial_size(x, &w, t, &last, err));
    if (middle > 0 && isfinite(last)) *rate = log(wy_max(last, 1e-300) / middle) / (STEPS / 2 * h);
    if (last == 0.0) *rate = 0.0;
    return wy_second_accel(x, t, x->u, x->v, x->a, err);
}

/* ---- memory ------------------------------------------------------------------------------------- */

static void layout_newton(wy_second *x, wy_block *scratch) {
    wy_second_newton *w = &x->newton;
    const size_t stages = x->problem.kind == WY_SECOND_RADAU ? 2 : 1;
    const size_t m = (size_t)x->m, all = m * stages;
    w->rate_u = wy_block_alloc(scratch, m * m, sizeof(double));
    w->rate_v = wy_block_alloc(scratch, m * m, sizeof(double));
    w->matrix = wy_block_alloc(scratch, all * all, sizeof(double));
    w->pivot = wy_block_alloc(scratch, all, sizeof *w->pivot);
    w->step = wy_block_alloc(scratch, all, sizeof(double));
    double **piece[] = {&w->us, &w->vs, &w->as[0], &w->as[1], &w->found, &w->keep[0], &w->keep[1]};
    for (size_t i = 0; i < sizeof piece / sizeof *piece; i++)
        *piece[i] = wy_block_alloc(scratch, (size_t)x->size, sizeof(double));
}

void wy_second_layout(wy_second *x, wy_block *state, wy_block *scratch) {
    const int kind = x->problem.kind;
    x->m = x->problem.fields * x->problem.nodes, x->size = x->problem.fields * x->problem.ld;
    const size_t size = (size_t)x->size;
    if (kind == WY_SECOND_AB2 || kind == WY_SECOND_AB3)
        x->old = wy_block_alloc(state, 6 * size, sizeof(double));
    if (kind == WY_SECOND_BDF)
        x->old = wy_block_alloc(state, WY_SECOND_BDF_ROWS * 2 * (size_t)x->m, sizeof(double));
    for (int i = 0; i < 7; i++) x->stage[i] = wy_block_alloc(scratch, size, sizeof(double));
    if (wy_second_is_implicit(kind)) layout_newton(x, scratch);
    if (wy_second_is_adaptive(kind))
        x->y =
            wy_block_alloc(scratch, (kind == WY_SECOND_BDF ? 8 : 2) * (size_t)x->m, sizeof(double));
}

/* ---- steps --------------------------------------------------------------------------------------- */

static void axpy(int size, const double *restrict base, double h, const double *restrict rate,
                 double *restrict out) {
    for (int i = 0; i < size; i++) out[i] = base[i] + h * rate[i];
}

/* One stage: j = u + h k0, k = v + h l0, with the ends put right at time t; then l = a(t, j, k). */
static withy_status stage(wy_second *x, double t, double h, const double *k0, const double *l0,
                          double *k, double *l, withy_error *err) {
    double *j = x->stage[0];
    axpy(x->size, x->u, h, k0, j);
    axpy(x->size, x->v, h, l0, k);
    WY_TRY(x->problem.bound(x->problem.self, t, 1, j, k, err));
    return wy_second_accel(x, t, j, k, l, err);
}

/* The new state is in u, v: put the ends right and evaluate a there. */
static withy_status land(wy_second *x, double t, withy_error *err) {
    WY_TRY(x->problem.bound(x->problem.self, t, 0, x->u, x->v, err));
    if (x->problem.projects) x->problem.project(x->problem.self, x->u, x->v);
    return wy_second_accel(x, t, x->u, x->v, x->a, err);
}

static withy_status euler(wy_second *x, double t, double h, withy_error *err) {
    for (int i = 0; i < x->size; i++) x->u[i] += h * x->v[i], x->v[i] += h * x->a[i];
    return land(x, t + h, err);
}

static withy_status rk2(wy_second *x, double t, double h, withy_error *err) {
    double *k2 = x->stage[1], *l2 = x->stage[2];
    const double middle = x->problem.late ? t + h : t + 0.5 * h;
    WY_TRY(stage(x, middle, 0.5 * h, x->v, x->a, k2, l2, err));
    for (int i = 0; i < x->size; i++) x->u[i] += h * k2[i], x->v[i] += h * l2[i];
    return land(x, t + h, err);
}

static withy_status rk3(wy_second *x, double t, double h, withy_error *err) {
    double *k2 = x->stage[1], *l2 = x->stage[2], *k3 = x->stage[3], *l3 = x->stage[4];
    double *k = x->stage[5], *l = x->stage[6];
    const double middle = x->problem.late ? t + h : t + 0.5 * h;
    WY_TRY(stage(x, middle, 0.5 * h, x->v, x->a, k2, l2, err));
    for (int i = 0; i < x->size; i++) k[i] = 2 * k2[i] - x->v[i], l[i] = 2 * l2[i] - x->a[i];
    WY_TRY(stage(x, t + h, h, k, l, k3, l3, err));
    for (int i = 0; i < x->size; i++) {
        x->u[i] += h / 6 * (x->v[i] + 4 * k2[i] + k3[i]);
        x->v[i] += h / 6 * (x->a[i] + 4 * l2[i] + l3[i]);
    }
    return land(x, t + h, err);
}

static withy_status rk4(wy_second *x, double t, double h, withy_error *err) {
    double *restrict k2 = x->stage[1], *restrict l2 = x->stage[2];
    double *restrict k3 = x->stage[3], *restrict l3 = x->stage[4];
    double *restrict k4 = x->stage[5], *restrict l4 = x->stage[6];
    const double middle = x->problem.late ? t + h : t + 0.5 * h;
    WY_TRY(stage(x, middle, 0.5 * h, x->v, x->a, k2, l2, err));
    WY_TRY(stage(x, middle, 0.5 * h, k2, l2, k3, l3, err));
    WY_TRY(stage(x, t + h, h, k3, l3, k4, l4, err));
    double *restrict u = x->u, *restrict v = x->v, *restrict a = x->a;
    for (int i = 0; i < x->size; i++) {
        u[i] += h / 6 * (v[i] + 2 * (k2[i] + k3[i]) + k4[i]);
        v[i] += h / 6 * (a[i] + 2 * (l2[i] + l3[i]) + l4[i]);
    }
    return land(x, t + h, err);
}

/* (v, a) of the step that began k steps ago. */
static double *remembered(const wy_second *x, int64_t k) {
    return x->old + (x->state->newest + k) % 3 * 2 * x->size;
}

static void remember(wy_second *x) {
    x->state->newest = (x->state->newest + 2) % 3;
    x->state->history++;
    double *v = remembered(x, 0), *a = v + x->size;
    for (int i = 0; i < x->size; i++) v[i] = x->v[i], a[i] = x->a[i];
}

static withy_status adams(wy_second *x, double t, double h, withy_error *err) {
    const int order = x->problem.kind == WY_SECOND_AB2 ? 2 : 3;
    remember(x);
    if (x->state->history < order) return rk4(x, t, h, err);
    const double *v[3], *a[3];
    for (int k = 0; k < 3; k++) v[k] = remembered(x, k), a[k] = v[k] + x->size;
    for (int i = 0; i < x->size && order == 2; i++) {
        x->u[i] += h * (2. / 3 * v[0][i] + 1. / 3 * v[1][i]) + h * h * 5. / 6 * a[0][i];
        x->v[i] += h * (3. / 2 * a[0][i] - 1. / 2 * a[1][i]);
    }
    for (int i = 0; i < x->size && order == 3; i++) {
        x->u[i] += h * (11. / 48 * v[0][i] + 11. / 12 * v[1][i] - 7. / 48 * v[2][i]) +
                   h * h * 9. / 8 * a[0][i];
        x->v[i] += h * (23. / 12 * a[0][i] - 4. / 3 * a[1][i] + 5. / 12 * a[2][i]);
    }
    return land(x, t + h, err);
}

withy_status wy_second_step(wy_second *x, double t, double h, withy_error *err) {
    typedef withy_status stepper(wy_second *, double, double, withy_error *);
    static stepper *const step[] = {[WY_SECOND_EULER] = euler,
                                    [WY_SECOND_RK2] = rk2,
                                    [WY_SECOND_RK3] = rk3,
                                    [WY_SECOND_RK4] = rk4,
                                    [WY_SECOND_AB2] = adams,
                                    [WY_SECOND_AB3] = adams,
                                    [WY_SECOND_MIDPOINT] = wy_second_implicit_step,
                                    [WY_SECOND_ALPHA] = wy_second_implicit_step,
                                    [WY_SECOND_RADAU] = wy_second_implicit_step};
    if (h != x->state->h) x->state->history = 0; /* old steps were of another length */
    x->state->h = h;
    x->iterations = x->most = x->halvings = 0;
    return step[x->problem.kind](x, t, h, err);
}
