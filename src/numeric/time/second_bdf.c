/* second_bdf.c - backward differences of variable order and step for y = (u, v), y' = (v, a) (second_order.h).
 *
 * Numerical differentiation formulas of order 1 to 5 in backward differences D[0..order] of a step that stays
 * for a while (Shampine and Reichelt, The MATLAB ODE suite, 1997):
 *
 *     y = sum D,  psi = sum gamma_k D[k] / alpha,  d = c f(t + h, y + d) - psi,  c = h / alpha
 *     error = e_order d;    a step of another length: D <- (R(factor) R(1))^T D
 *
 * Newton's matrix 1 - c df/dy has a block 0 1, so that only 1 - c da/dv - c^2 da/du is factorised.
 * The differences are part of the state: a stop at a time that is requested changes the length of the steps
 * before it by less than two, and neither the order nor the history is lost.
 */
#include "numeric/linear/linear.h"
#include "numeric/time/second_order.h"

enum { MOST = WY_SECOND_BDF_ORDER, ROWS = WY_SECOND_BDF_ROWS, ITERATIONS = 4 };

static const double KAPPA[MOST + 2] = {0, -0.1850, -1. / 9, -0.0823, -0.0415, 0, 0};
static const double GAMMA[MOST + 2] = {0, 1, 1.5, 11. / 6, 25. / 12, 137. / 60, 2.45};
static const double LEAST = 0.2, LARGEST = 10.0; /* factors of the step */

static double alpha_of(int order) {
    return (1 - KAPPA[order]) * GAMMA[order];
}
static double error_of(int order) {
    return KAPPA[order] * GAMMA[order] + 1.0 / (order + 1);
}

/* One attempt at a step. */
typedef struct trial {
    wy_second *x;
    double t, h;                        /* from, and how far [s] */
    int order, is_new, factored, count; /* matrix of this step; factors of this h; iterations */
    double *y, *psi, *d, *f;            /* [2 m] */
    withy_error *err;
} trial;

static double *row(const wy_second *x, int k) {
    return x->old + (size_t)k * 2 * (size_t)x->m;
}

static double norm(const wy_second *x, double scale, const double *a, const double *y) {
    const wy_second_problem *p = &x->problem;
    double sum = 0;
    for (int i = 0; i < 2 * x->m; i++) {
        const double least =
            p->absolute * p->unit[i % x->m / p->nodes] * (i < x->m ? 1 : x->halving);
        const double e = scale * a[i] / (least + p->relative * fabs(y[i]));
        sum += e * e;
    }
    return sqrt(sum / (2 * x->m));
}

/* ---- another step length ------------------------------------------------------------------------------ */

static void change_matrix(int order, double factor, double r[MOST + 1][MOST + 1]) {
    for (int j = 0; j <= order; j++) r[0][j] = 1;
    for (int i = 1; i <= order; i++)
        for (int j = 0; j <= order; j++) r[i][j] = r[i - 1][j] * (j ? (i - 1 - factor * j) / i : 0);
    for (int i = 1; i <= order; i++) r[i][0] = 0;
}

static void change_step(wy_second *x, double factor) {
    double r[MOST + 1][MOST + 1], u[MOST + 1][MOST + 1], ru[MOST + 1][MOST + 1];
    const int order = (int)x->state->order;
    change_matrix(order, factor, r), change_matrix(order, 1.0, u);
    for (int i = 0; i <= order; i++)
        for (int j = 0; j <= order; j++) {
            ru[i][j] = 0;
            for (int k = 0; k <= order; k++) ru[i][j] += r[i][k] * u[k][j];
        }
    for (int i = 0; i < 2 * x->m; i++) {
        double old[MOST + 1];
        for (int k = 0; k <= order; k++) old[k] = row(x, k)[i];
        for (int j = 0; j <= order; j++) {
            double sum = 0;
            for (int k = 0; k <= order; k++) sum += ru[k][j] * old[k];
            row(x, j)[i] = sum;
        }
    }
    x->state->h *= factor, x->state->equal = 0;
}

/* ---- one step ------------------------------------------------------------------------------------------ */

/* 1 - c da/dv - c^2 da/du, factorised; prescribed entries do not change. */
static int factorise(trial *w, double c) {
    wy_second *x = w->x;
    const size_t m = (size_t)x->m;
    double *k = x->newton.matrix;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) {
            const size_t at = i * m + j;
            k[at] =
                x->problem.held[j] ? 0.0 : -c * x->newton.rate_v[at] - c * c * x->newton.rate_u[at];
            if (i == j) k[at] += 1.0;
        }
    return wy_lu_factor(x->m, x->m, k, x->newton.pivot);
}

/* r := (1 - c df/dy)^-1 r. */
static void solve(const trial *w, double c, double *r) {
    const wy_second *x = w->x;
    const int m = x->m;
    double *du = r, *dv = r + m;
    for (int i = 0; i < m; i++) {
        const double *k = x->newton.rate_u + (size_t)i * (size_t)m;
        double sum = 0;
        for (int j = 0; j < m; j++)
            if (!x->problem.held[j]) sum += k[j] * du[j];
        dv[i] += c * sum;
    }
    wy_lu_solve(m, m, x->newton.matrix, x->newton.pivot, dv);
    for (int i = 0; i < m; i++) du[i] += c * dv[i];
}

/* Newton for d, from 0.  *done: it has converged. */
static withy_status newton(trial *w, double c, int *done) {
    wy_second *x = w->x;
    const double relative = x->problem.relative;
    const double tol = wy_max(10 * 2.2e-16 / relative, wy_min(0.03, sqrt(relative)));
    double before = 0;
    *done = 0;
    memset(w->d, 0, 2 * (size_t)x->m * sizeof(double));
    for (w->count = 1; w->count <= ITERATIONS; w->count++) {
        double *f = w->f;
        WY_TRY(wy_second_rate(x, w->t + w->h, w->y, f, w->err));
        for (int i = 0; i < 2 * x->m; i++) f[i] = c * f[i] - w->psi[i] - w->d[i];
        solve(w, c, f);
        const double size = norm(x, 1.0, f, w->y), rate = before > 0 ? size / before : 0;
        if (!isfinite(size)) return WITHY_OK;
        if (before > 0 &&
            (rate >= 1 || pow(rate, ITERATIONS + 1 - w->count) / (1 - rate) * size > tol))
            return WITHY_OK;
        for (int i = 0; i < 2 * x->m; i++) w->y[i] += f[i], w->d[i] += f[i];
        *done = size == 0 || (before > 0 && rate / (1 - rate) * size < tol);
        if (*done) return WITHY_OK;
        before = size;
    }
    return WITHY_OK;
}

/* The step with matrices that fit; *done = 0: it must be shorter. */
static withy_status attempt(trial *w, int *done) {
    wy_second *x = w->x;
    const double c = w->h / alpha_of(w->order);
    const size_t all = 2 * (size_t)x->m;
    for (;;) {
        for (size_t i = 0; i < all; i++) {
            w->y[i] = w->psi[i] = 0;
            for (int k = 0; k <= w->order; k++) {
                w->y[i] += row(x, k)[i];
                w->psi[i] += GAMMA[k] / alpha_of(w->order) * row(x, k)[i];
            }
        }
        const int is_new = !x->have_matrix;
        if (is_new) {
            WY_TRY(wy_second_matrices(x, w->t + w->h, w->y, w->err));
            x->have_matrix = 1, w->factored = 0;
        }
        *done = 0;
        if (!w->factored && !factorise(w, c)) return WITHY_OK;
        w->factored = 1;
        WY_TRY(newton(w, c, done));
        if (*done || is_new) return WITHY_OK;
        x->have_matrix = 0;
    }
}

/* The differences after a step that is accepted. */
static void accept(trial *w) {
    wy_second *x = w->x;
    const int order = w->order;
    for (int i = 0; i < 2 * x->m; i++) {
        row(x, order + 2)[i] = w->d[i] - row(x, order + 1)[i];
        row(x, order + 1)[i] = w->d[i];
        for (int k = order; k >= 0; k--) row(x, k)[i] += row(x, k + 1)[i];
    }
    x->state->equal++, x->state->now = w->t + w->h;
}

/* Order and step from the errors of the neighbouring orders. */
static void choose_order(trial *w, double error, double safety) {
    wy_second *x = w->x;
    const int order = w->order;
    if (x->state->equal < order + 1) return;
    double best = 0;
    int to = order;
    for (int k = order - 1; k <= order + 1; k++) {
        if (k < 1 || k > MOST) continue;
        const double size = k == order ? error : norm(x, error_of(k), row(x, k + 1), w->y);
        const double factor = size > 0 ? pow(size, -1.0 / (k + 1)) : LARGEST;
        if (factor > best) best = factor, to = k;
    }
    x->state->order = to;
    change_step(x, wy_min(LARGEST, safety * best));
}

static withy_status step(wy_second *x, double to, withy_error *err) {
    const size_t all = 2 * (size_t)x->m;
    trial w = {
        .x = x, .err = err, .y = x->y, .psi = x->y + all, .d = x->y + 2 * all, .f = x->y + 3 * all};
    for (;;) {
        w.t = x->state->now, w.order = (int)x->state->order, w.factored = 0;
        const double left = to - w.t, pieces = ceil(left / x->state->h - 1e-9);
        const double factor = left / (wy_max(pieces, 1) * x->state->h);
        if (pieces <= 2 && fabs(factor - 1) > 1e-9) change_step(x, factor);
        w.h = x->state->h;
        if (!(w.t + 0.1 * w.h > w.t))
            return wy_no_convergence(err,
                                     "%s: bdf finds no step at t = %g that meets options.tol = %g; "
                                     "loosen it, or use radau",
                                     x->problem.who, w.t, x->problem.relative);
        int done;
        WY_TRY(wy_interrupt_check(x->problem.interrupt, w.t, err));
        WY_TRY(attempt(&w, &done));
        x->iterations += w.count;
        if (!done) {
            x->halvings++, x->have_matrix = 0;
            change_step(x, 0.5);
            continue;
        }
        const double safety = 0.9 * (2 * ITERATIONS + 1) / (2 * ITERATIONS + w.count);
        const double error = norm(x, error_of(w.order), w.d, w.y);
        if (error > 1) {
            change_step(x, wy_max(LEAST, safety * pow(error, -1.0 / (w.order + 1))));
            continue;
        }
        accept(&w);
        choose_order(&w, error, safety);
        return WITHY_OK;
    }
}

/* ---- a call --------------------------------------------------------------------------------------------- */

/* The first step, of order 1, from the size of y' and its change. */
static withy_status start(wy_second *x, double t, double to, withy_error *err) {
    const size_t all = 2 * (size_t)x->m;
    double *y = row(x, 0), *f = row(x, 1), *y1 = x->y, *f1 = x->y + all;
    memset(x->old, 0, ROWS * all * sizeof(double));
    wy_second_pack(x, x->u, y), wy_second_pack(x, x->v, y + x->m);
    memcpy(y1, y, all * sizeof(double));
    WY_TRY(wy_second_rate(x, t, y1, f, err));
    const double d0 = norm(x, 1, y, y), d1 = norm(x, 1, f, y);
    const double h0 = wy_min(to - t, d0 < 1e-5 || d1 < 1e-5 ? 1e-6 * (to - t) : 0.01 * d0 / d1);
    for (size_t i = 0; i < all; i++) y1[i] = y[i] + h0 * f[i];
    WY_TRY(wy_second_rate(x, t + h0, y1, f1, err));
    for (size_t i = 0; i < all; i++) f1[i] -= f[i];
    const double d2 = norm(x, 1 / h0, f1, y), most = wy_max(d1, d2);
    const double h1 = most > 1e-15 ? sqrt(0.01 / most) : wy_max(1e-6 * (to - t), 1e-3 * h0);
    const double h = wy_min(wy_min(100 * h0, h1), to - t);
    for (size_t i = 0; i < all; i++) f[i] *= h;
    x->state->h = h, x->state->order = 1, x->state->equal = 0, x->state->now = t;
    return WITHY_OK;
}

withy_status wy_second_bdf_advance(wy_second *x, double t, double to, withy_error *err) {
    x->have_matrix = 0, x->iterations = 0, x->halvings = 0, x->steps = 0;
    if (!(x->state->order > 0) || x->state->now != t) WY_TRY(start(x, t, to, err));
    while (x->state->now < to) {
        WY_TRY(step(x, to, err));
        if (!(to - x->state->now > 1e-12 * (to - t))) x->state->now = to;
        x->steps++;
        memcpy(x->y, row(x, 0), 2 * (size_t)x->m * sizeof(double));
        WY_TRY(wy_second_stepped(x, x->state->now, x->y, err));
    }
    return WITHY_OK;
}
