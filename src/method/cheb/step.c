/* step.c - explicit steps of u'' = a(t, u, u'), and how long they may be.
 *
 *   Runge-Kutta 1-4 on (u, v), the ends put right after every stage        [CH] 3.2.1, 4.4.1, F
 *   AB2: u += h (2/3 v_n + 1/3 v_(n-1)) + 5/6 h^2 a_n                      [CH] (3.15)
 *        v += h (3/2 a_n - 1/2 a_(n-1))
 *   AB3: u += h (11/48 v_n + 11/12 v_(n-1) - 7/48 v_(n-2)) + 9/8 h^2 a_n   [CH] (3.18)
 *        v += h (23/12 a_n - 4/3 a_(n-1) + 5/12 a_(n-2))
 *   both started with RK4.
 *
 * Departs from [CH]: a stage looks at the ends at its own time t + c h (staging = "thesis": all at
 * t + h, which makes every scheme first order when an end moves; errata 4).
 *
 * Stability, z = h omega_max: RK4 2 sqrt 2, RK3 sqrt 3, AB3 0.693.  RK2, AB2 and Euler amplify the
 * highest mode always, by 1 + z^4/8, 1 + z^4/4, 1 + z^2/2 a step.  There a step is refused when that makes
 * exp(6) within half of the rod's slow motion (the runs of [CH] stay below), and dt = auto keeps it below
 * that for ten slow motions; a longer run needs a shorter step, or another integrator.
 */
#include "method/cheb/cheb.h"

/* ---- largest frequency --------------------------------------------------------------------------
 */

/* out = (a(u + e z) - a(u - e z)) / 2e with respect to position (or velocity). */
static withy_status vary(wy_cheb *x, const double *z, int velocity, double e, double *out,
                         withy_error *err) {
    double *up = x->stage[1], *down = x->stage[2], *a = x->stage[3];
    const double *base = velocity ? x->v : x->u;
    for (int i = 0; i < x->size; i++) up[i] = base[i] + e * z[i], down[i] = base[i] - e * z[i];
    const double *u1 = velocity ? x->u : up, *u2 = velocity ? x->u : down;
    const double *v1 = velocity ? up : x->v, *v2 = velocity ? down : x->v;
    WY_TRY(wy_cheb_accel(x, x->state->t, u1, v1, out, err));
    WY_TRY(wy_cheb_accel(x, x->state->t, u2, v2, a, err));
    for (int i = 0; i < x->size; i++) out[i] = (out[i] - a[i]) / (2 * e);
    return WITHY_OK;
}

static int free_entry(const wy_cheb *x, int index) {
    const int f = index / x->grid.ld, i = index % x->grid.ld;
    return i <= x->grid.n && !wy_cheb_is_held(x, f, i);
}

/* Largest |eigenvalue| of da/du or da/dv by power iteration from a fixed rough start. */
static withy_status largest(wy_cheb *x, int velocity, double *value, withy_error *err) {
    enum { TURNS = 300 };
    double *z = x->stage[0], *y = x->stage[4];
    unsigned seed = 12345;
    for (int i = 0; i < x->size; i++) {
        seed = seed * 1664525u + 1013904223u;
        z[i] = free_entry(x, i) ? (seed >> 8) / 16777216.0 - 0.5 : 0.0;
    }
    double before = 0.0;
    for (int turn = 0; turn < TURNS; turn++) {
        double big = 0.0;
        for (int i = 0; i < x->size; i++) big = wy_max(big, fabs(z[i]));
        if (!(big > 0)) break;
        for (int i = 0; i < x->size; i++) z[i] /= big;
        WY_TRY(vary(x, z, velocity, 1e-6 * x->grid.length, y, err));
        double zz = 0, yy = 0;
        for (int i = 0; i < x->size; i++) {
            if (!free_entry(x, i)) y[i] = 0.0;
            zz += z[i] * z[i], yy += y[i] * y[i], z[i] = y[i];
        }
        *value = sqrt(yy / zz);
        if (fabs(*value - before) <= 1e-7 * *value) break;
        before = *value;
    }
    return WITHY_OK;
}

typedef struct reach {
    double imaginary, real; /* strict limits of z on the two axes; 0: none */
    double growth, power;   /* amplification 1 + growth z^power a step */
} reach;

static const reach REACH[] = {
    [WY_CHEB_EULER] = {0, 2.0, 0.5, 2},      [WY_CHEB_RK2] = {0, 2.0, 0.125, 4},
    [WY_CHEB_RK3] = {1.7320508, 2.51, 0, 0}, [WY_CHEB_RK4] = {2.8284271, 2.785, 0, 0},
    [WY_CHEB_AB2] = {0, 1.0, 0.25, 4},       [WY_CHEB_AB3] = {0.693, 0.545, 0, 0},
};

/* The step by which the highest mode grows by exp(6) within a time, or from where on it is unstable. */
static double longest(const reach *r, double omega, double loss, double time) {
    const double LOUDEST = 6.0;
    const double limit = r->imaginary > 0 ? r->imaginary / omega
                                          : pow(LOUDEST / (r->growth * time * pow(omega, r->power)),
                                                1.0 / (r->power - 1));
    /* with damping both axes matter; the boundary is close to an ellipse between them */
    return loss > 0 ? 1.0 / hypot(1.0 / limit, loss / r->real) : limit;
}

withy_status wy_cheb_stability(wy_cheb *x, withy_error *err) {
    const double SHORT = 0.5, LONG = 10.0; /* slow motions */
    double square = 0.0, loss = 0.0;
    WY_TRY(largest(x, 0, &square, err));
    if (wy_rod_is_damped(x->rod) || x->problem->floor.damping > 0)
        WY_TRY(largest(x, 1, &loss, err));
    const withy_floor *floor = &x->problem->floor;
    if (floor->given && floor->stiffness > 0) { /* it may touch later */
        double lightest = INFINITY;
        for (int i = 0; i <= x->grid.n; i++) lightest = wy_min(lightest, x->along.mass[0][i]);
        square += floor->stiffness / lightest;
    }
    x->omega = sqrt(square);
    if (x->opt.integrator <= WY_CHEB_AB3) {
        const reach *r = &REACH[x->opt.integrator];
        x->limit = longest(r, x->omega, loss, SHORT * x->along.slow);
        x->good = 0.9 * longest(r, x->omega, loss, LONG * x->along.slow);
    }
    return wy_cheb_accel(x, x->state->t, x->u, x->v, x->a, err); /* p1, f, df of the state again */
}

/* ---- steps --------------------------------------------------------------------------------------
 */

static void axpy(int size, const double *restrict base, double h, const double *restrict rate,
                 double *restrict out) {
    for (int i = 0; i < size; i++) out[i] = base[i] + h * rate[i];
}

void wy_cheb_normalise(const wy_cheb *x, double *u, double *v) {
    const int ld = x->grid.ld;
    for (int i = 0; i <= x->grid.n && !x->planar; i++) {
        double *q = u + 3 * ld + i, *w = v + 3 * ld + i, qq = 0, qw = 0;
        for (int k = 0; k < 4; k++) qq += q[k * ld] * q[k * ld];
        const double scale = 1.0 / sqrt(qq);
        for (int k = 0; k < 4; k++) q[k * ld] *= scale, qw += q[k * ld] * w[k * ld];
        for (int k = 0; k < 4; k++) w[k * ld] -= qw * q[k * ld];
    }
}

/* One stage: j = u + h k0, k = v + h l0, with the ends put right at time t; then l = a(t, j, k). */
static withy_status stage(wy_cheb *x, double t, double h, const double *k0, const double *l0,
                          double *k, double *l, withy_error *err) {
    double *j = x->stage[0];
    axpy(x->size, x->u, h, k0, j);
    axpy(x->size, x->v, h, l0, k);
    x->staging = 1;
    const withy_status status = wy_cheb_bound(x, t, j, k, err);
    x->staging = 0;
    if (status != WITHY_OK) return status;
    return wy_cheb_accel(x, t, j, k, l, err);
}

/* The new state is in u, v: put the ends right and evaluate a there. */
static withy_status land(wy_cheb *x, double t, withy_error *err) {
    WY_TRY(wy_cheb_bound(x, t, x->u, x->v, err));
    if (x->opt.normalise) wy_cheb_normalise(x, x->u, x->v);
    return wy_cheb_accel(x, t, x->u, x->v, x->a, err);
}

static withy_status euler(wy_cheb *x, double t, double h, withy_error *err) {
    for (int i = 0; i < x->size; i++) x->u[i] += h * x->v[i], x->v[i] += h * x->a[i];
    return land(x, t + h, err);
}

static withy_status rk2(wy_cheb *x, double t, double h, withy_error *err) {
    double *k2 = x->stage[1], *l2 = x->stage[2];
    const double middle = x->opt.thesis_staging ? t + h : t + 0.5 * h;
    WY_TRY(stage(x, middle, 0.5 * h, x->v, x->a, k2, l2, err));
    for (int i = 0; i < x->size; i++) x->u[i] += h * k2[i], x->v[i] += h * l2[i];
    return land(x, t + h, err);
}

static withy_status rk3(wy_cheb *x, double t, double h, withy_error *err) {
    double *k2 = x->stage[1], *l2 = x->stage[2], *k3 = x->stage[3], *l3 = x->stage[4];
    double *k = x->stage[5], *l = x->stage[6];
    const double middle = x->opt.thesis_staging ? t + h : t + 0.5 * h;
    WY_TRY(stage(x, middle, 0.5 * h, x->v, x->a, k2, l2, err));
    for (int i = 0; i < x->size; i++) k[i] = 2 * k2[i] - x->v[i], l[i] = 2 * l2[i] - x->a[i];
    WY_TRY(stage(x, t + h, h, k, l, k3, l3, err));
    for (int i = 0; i < x->size; i++) {
        x->u[i] += h / 6 * (x->v[i] + 4 * k2[i] + k3[i]);
        x->v[i] += h / 6 * (x->a[i] + 4 * l2[i] + l3[i]);
    }
    return land(x, t + h, err);
}

static withy_status rk4(wy_cheb *x, double t, double h, withy_error *err) {
    double *restrict k2 = x->stage[1], *restrict l2 = x->stage[2];
    double *restrict k3 = x->stage[3], *restrict l3 = x->stage[4];
    double *restrict k4 = x->stage[5], *restrict l4 = x->stage[6];
    const double middle = x->opt.thesis_staging ? t + h : t + 0.5 * h;
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
static double *remembered(const wy_cheb *x, int64_t k) {
    return x->old + (x->state->newest + k) % 3 * 2 * x->size;
}

static void remember(wy_cheb *x) {
    x->state->newest = (x->state->newest + 2) % 3;
    x->state->history++;
    double *v = remembered(x, 0), *a = v + x->size;
    for (int i = 0; i < x->size; i++) v[i] = x->v[i], a[i] = x->a[i];
}

static withy_status adams(wy_cheb *x, double t, double h, withy_error *err) {
    const int order = x->opt.integrator == WY_CHEB_AB2 ? 2 : 3;
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

withy_status wy_cheb_step(wy_cheb *x, double t, double h, withy_error *err) {
    static withy_status (*const step[])(wy_cheb *, double, double,
                                        withy_error *) = {euler,
                                                          rk2,
                                                          rk3,
                                                          rk4,
                                                          adams,
                                                          adams,
                                                          wy_cheb_implicit_step,
                                                          wy_cheb_implicit_step,
                                                          wy_cheb_implicit_step};
    if (h != x->state->h) x->state->history = 0; /* old steps were of another length */
    x->state->h = h;
    return step[x->opt.integrator](x, t, h, err);
}
