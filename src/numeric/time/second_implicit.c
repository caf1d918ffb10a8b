/* second_implicit.c - implicit steps of u'' = a(t, u, u') with dense Newton (second_order.h).
 *
 * Unknown are the accelerations a_i of the stages,
 *
 *     U_i = u + c_i h v + h^2 sum_j B_ij a_j,   V_i = v + h sum_j A_ij a_j,   a_i = a(t_i, U_i, V_i)
 *     u <- u + h v + h^2 sum_j Bb_j a_j,        v <- v + h sum_j b_j a_j
 *
 *   midpoint      A = 1/2, B = 1/4, b = 1, Bb = 1/2                         order 2, conserves
 *   Radau IIA-2   A = [[5/12, -1/12], [3/4, 1/4]], B = A^2, last row last   order 3, L-stable
 *   alpha         (1 - am) a+ + am a = a(t + (1-af) h, (1-af) u+ + af u, likewise v),
 *                 Newmark's u+, v+ with beta, gamma (Chung and Hulbert 1993) order 2, damps by rho
 *
 * Newton's matrix I - h^2 B da/du - h A da/dv is made anew while corrections are large or an iteration
 * gains less than a factor 10.
 */
#include "numeric/linear/linear.h"
#include "numeric/time/second_order.h"

enum { STAGES = 2, SPLITS = 8 };

/* Beyond corrections of this size, in units, the matrix changes too much to keep. */
static const double SMALL = 1e-4;

typedef struct scheme {
    int stages;
    double c[STAGES], a[STAGES][STAGES], b2[STAGES][STAGES], b[STAGES], bb[STAGES];
} scheme;

static const scheme MIDPOINT = {1, {0.5}, {{0.5}}, {{0.25}}, {1.0}, {0.5}};
static const scheme RADAU = {2,
                             {1. / 3, 1},
                             {{5. / 12, -1. / 12}, {3. / 4, 1. / 4}},
                             {{1. / 9, -1. / 18}, {1. / 2, 0}},
                             {3. / 4, 1. / 4},
                             {1. / 2, 0}};

static withy_status bound(const wy_second *x, double t, double *u, double *v, withy_error *err) {
    return x->problem.bound(x->problem.self, t, 0, u, v, err);
}
static void project(const wy_second *x, double *u, double *v) {
    x->problem.project(x->problem.self, u, v);
}
static withy_status rates(wy_second *x, double t, const double *u, const double *v,
                          withy_error *err) {
    return x->problem.rates(x->problem.self, t, u, v, x->newton.rate_u, x->newton.rate_v, err);
}

/* Rows of stage i: blocks diag delta_ij I - h^2 B_ij da/du - h A_ij da/dv; held columns are known. */
static void fill(wy_second *x, int stages, int i, double diag, const double *kb, const double *ka) {
    wy_second_newton *w = &x->newton;
    const int m = x->m, all = stages * m;
    for (int r = 0; r < m; r++)
        for (int j = 0; j < stages; j++) {
            double *out = w->matrix + (size_t)(i * m + r) * (size_t)all + (size_t)(j * m);
            const double *ru = w->rate_u + (size_t)r * (size_t)m;
            const double *rv = w->rate_v + (size_t)r * (size_t)m;
            for (int c = 0; c < m; c++) out[c] = -kb[j] * ru[c] - ka[j] * rv[c];
            for (int c = 0; c < m; c++)
                if (x->problem.held[c]) out[c] = 0.0;
            if (i == j) out[r] += diag;
        }
}

static int factor(const wy_second *x, int stages) {
    const wy_second_newton *w = &x->newton;
    return wy_lu_factor(stages * x->m, stages * x->m, w->matrix, w->pivot);
}

/* ---- stages: each is projected, whatever problem.projects is for the result ------------------------ */

static withy_status stage_accel(wy_second *x, double t, double *u, double *v, double *a,
                                withy_error *err) {
    WY_TRY(bound(x, t, u, v, err));
    project(x, u, v);
    return wy_second_accel(x, t, u, v, a, err);
}

/* The prescribed entries of a state are those of the old and the new state in proportion: others
 * between them would shake the rest.  The new state is in newton.keep, as the accelerations have it: of an
 * entry whose rate is prescribed the value itself follows from them. */
static withy_status blend_held(wy_second *x, double t, double part, double *u, double *v,
                               withy_error *err) {
    const wy_second_newton *w = &x->newton;
    WY_TRY(bound(x, t, w->keep[0], w->keep[1], err));
    const wy_second_problem *p = &x->problem;
    for (int f = 0; f < p->fields; f++)
        for (int i = 0; i < p->nodes; i++) {
            const int k = f * p->ld + i;
            if (!p->held[f * p->nodes + i]) continue;
            u[k] = part * w->keep[0][k] + (1 - part) * x->u[k];
            v[k] = part * w->keep[1][k] + (1 - part) * x->v[k];
        }
    return WITHY_OK;
}

static void place_stage(const wy_second *x, const scheme *s, int i, double h) {
    const wy_second_newton *w = &x->newton;
    for (int k = 0; k < x->size; k++) {
        double du = 0, dv = 0;
        for (int j = 0; j < s->stages; j++)
            du += s->b2[i][j] * w->as[j][k], dv += s->a[i][j] * w->as[j][k];
        w->us[k] = x->u[k] + s->c[i] * h * x->v[k] + h * h * du;
        w->vs[k] = x->v[k] + h * dv;
    }
}

/* The state that the stages lead to. */
static void place_end(const wy_second *x, const scheme *s, double h, double *u, double *v) {
    const wy_second_newton *w = &x->newton;
    for (int k = 0; k < x->size; k++) {
        double du = 0, dv = 0;
        for (int j = 0; j < s->stages; j++)
            du += s->bb[j] * w->as[j][k], dv += s->b[j] * w->as[j][k];
        u[k] = x->u[k] + h * x->v[k] + h * h * du;
        v[k] = x->v[k] + h * dv;
    }
}

/* What the accelerations of stage i lack, into its part of step. */
static withy_status stage_residual(wy_second *x, const scheme *s, int i, double t, double h,
                                   withy_error *err) {
    wy_second_newton *w = &x->newton;
    const int fields = x->problem.fields, nodes = x->problem.nodes, ld = x->problem.ld;
    place_stage(x, s, i, h);
    if (s->stages == 1) {
        place_end(x, s, h, w->keep[0], w->keep[1]);
        WY_TRY(blend_held(x, t + h, 0.5, w->us, w->vs, err));
        project(x, w->us, w->vs);
        WY_TRY(wy_second_accel(x, t + 0.5 * h, w->us, w->vs, w->found, err));
    } else {
        WY_TRY(stage_accel(x, t + s->c[i] * h, w->us, w->vs, w->found, err));
    }
    for (int f = 0; f < fields; f++)
        for (int k = 0; k < nodes; k++)
            w->step[i * x->m + f * nodes + k] = w->found[f * ld + k] - w->as[i][f * ld + k];
    return WITHY_OK;
}

/* as_i += step_i; the largest displacement this means, in units. */
static double correct(wy_second *x, int stages, double scale) {
    const wy_second_problem *p = &x->problem;
    wy_second_newton *w = &x->newton;
    double largest = 0;
    for (int i = 0; i < stages; i++)
        for (int f = 0; f < p->fields; f++)
            for (int k = 0; k < p->nodes; k++) {
                const double d = w->step[i * x->m + f * p->nodes + k];
                w->as[i][f * p->ld + k] += d;
                if (p->held[f * p->nodes + k]) continue;
                largest = fmax(largest, fabs(scale * d) / p->unit[f]);
                if (!isfinite(d)) largest = INFINITY;
            }
    return largest;
}

typedef struct progress {
    int done, iterations;
    double before;
} progress;

/* 1: continue, 2: continue with a new matrix, 0: stop (done gives the result). */
static int judge(const wy_second *x, progress *p, double largest) {
    p->iterations++;
    p->done = largest <= x->problem.newton_tol;
    if (p->done || p->iterations >= x->problem.newton_max || !(largest < 1e3)) return 0;
    /* Rounding leaves no more to gain; an iteration that gains little may be one that converges slowly, as where
     * a rod spins by radians in a step. */
    if (largest < 1e3 * x->problem.newton_tol && largest >= p->before) return p->done = 1, 0;
    const int slow = largest > SMALL || largest > p->before / 10;
    p->before = largest;
    return slow ? 2 : 1;
}

static withy_status collocate(wy_second *x, const scheme *s, double t, double h, progress *p,
                              withy_error *err) {
    wy_second_newton *w = &x->newton;
    double kb[STAGES][STAGES] = {{0}}, ka[STAGES][STAGES] = {{0}};
    for (int i = 0; i < s->stages; i++)
        for (int j = 0; j < s->stages; j++)
            kb[i][j] = h * h * s->b2[i][j], ka[i][j] = h * s->a[i][j];
    for (int i = 0; i < s->stages; i++) memset(w->as[i], 0, (size_t)x->size * sizeof(double));
    for (int again = 1; again;) {
        const int anew = again == 2 || p->iterations == 0;
        WY_TRY(wy_interrupt_check(x->problem.interrupt, t, err));
        for (int i = 0; i < s->stages; i++) {
            WY_TRY(stage_residual(x, s, i, t, h, err));
            if (anew) WY_TRY(rates(x, t + s->c[i] * h, w->us, w->vs, err));
            if (anew) fill(x, s->stages, i, 1.0, kb[i], ka[i]);
        }
        if (anew && !factor(x, s->stages)) return WITHY_OK;
        wy_lu_solve(s->stages * x->m, s->stages * x->m, w->matrix, w->pivot, w->step);
        again = judge(x, p, correct(x, s->stages, h * h));
    }
    if (!p->done) return WITHY_OK;
    place_end(x, s, h, x->u, x->v);
    WY_TRY(bound(x, t + h, x->u, x->v, err));
    project(x, x->u, x->v);
    return wy_second_accel(x, t + h, x->u, x->v, x->a, err);
}

static withy_status alpha(wy_second *x, double t, double h, progress *p, withy_error *err) {
    wy_second_newton *w = &x->newton;
    const double rho = x->problem.rho, am = (2 * rho - 1) / (rho + 1), af = rho / (rho + 1);
    const double gamma = 0.5 - am + af, beta = 0.25 * (1 - am + af) * (1 - am + af);
    const int fields = x->problem.fields, nodes = x->problem.nodes, ld = x->problem.ld;
    double kb[STAGES][STAGES] = {{(1 - af) * beta * h * h}},
           ka[STAGES][STAGES] = {{(1 - af) * gamma * h}};
    double *next = w->as[0];
    for (int k = 0; k < x->size; k++) next[k] = -(0.5 - beta) / beta * x->a[k]; /* u+ = u + h v */
    for (int again = 1; again;) {
        WY_TRY(wy_interrupt_check(x->problem.interrupt, t, err));
        for (int k = 0; k < x->size; k++) {
            const double u1 =
                x->u[k] + h * x->v[k] + h * h * ((0.5 - beta) * x->a[k] + beta * next[k]);
            const double v1 = x->v[k] + h * ((1 - gamma) * x->a[k] + gamma * next[k]);
            w->us[k] = (1 - af) * u1 + af * x->u[k], w->vs[k] = (1 - af) * v1 + af * x->v[k];
            w->keep[0][k] = u1, w->keep[1][k] = v1;
        }
        const double at = t + (1 - af) * h;
        WY_TRY(blend_held(x, t + h, 1 - af, w->us, w->vs, err));
        project(x, w->us, w->vs);
        WY_TRY(wy_second_accel(x, at, w->us, w->vs, w->found, err));
        if (again == 2 || p->iterations == 0) {
            WY_TRY(rates(x, at, w->us, w->vs, err));
            fill(x, 1, 0, 1 - am, kb[0], ka[0]);
            if (!factor(x, 1)) return WITHY_OK;
        }
        for (int f = 0; f < fields; f++)
            for (int k = 0; k < nodes; k++) {
                const int at_k = f * ld + k;
                w->step[f * nodes + k] = w->found[at_k] - (1 - am) * next[at_k] - am * x->a[at_k];
            }
        wy_lu_solve(x->m, x->m, w->matrix, w->pivot, w->step);
        again = judge(x, p, correct(x, 1, beta * h * h));
    }
    if (!p->done) return WITHY_OK;
    for (int k = 0; k < x->size; k++) {
        x->u[k] += h * x->v[k] + h * h * ((0.5 - beta) * x->a[k] + beta * next[k]);
        x->v[k] += h * ((1 - gamma) * x->a[k] + gamma * next[k]);
    }
    /* the scheme's own accelerations, those of t + h + (am - af) h, also where they are prescribed */
    memcpy(x->a, next, (size_t)x->size * sizeof(double));
    WY_TRY(bound(x, t + h, x->u, x->v, err));
    project(x, x->u, x->v);
    return wy_second_accel(x, t + h, x->u, x->v, w->found, err); /* stresses for sampling */
}

/* ---- a step, cut where Newton fails ----------------------------------------------------------------------- */

static withy_status attempt(wy_second *x, double t, double h, int splits, withy_error *err) {
    progress p = {.before = INFINITY};
    withy_status status;
    switch (x->problem.kind) {
    case WY_SECOND_MIDPOINT: status = collocate(x, &MIDPOINT, t, h, &p, err); break;
    case WY_SECOND_RADAU: status = collocate(x, &RADAU, t, h, &p, err); break;
    default: status = alpha(x, t, h, &p, err);
    }
    /* before convergence a function of the state may have no value */
    if (!(status == WITHY_BAD_INPUT && p.iterations > 0 && !p.done)) WY_TRY(status);
    x->iterations += p.iterations;
    x->most = p.iterations > x->most ? p.iterations : x->most;
    if (p.done) return WITHY_OK;
    if (splits == 0)
        return wy_no_convergence(
            err, "%s: no convergence at t = %g with a step of %g after %d iterations; %s",
            x->problem.who, t, h, p.iterations, x->problem.cure);
    x->halvings++;
    WY_TRY(attempt(x, t, 0.5 * h, splits - 1, err));
    return attempt(x, t + 0.5 * h, 0.5 * h, splits - 1, err);
}

withy_status wy_second_implicit_step(wy_second *x, double t, double h, withy_error *err) {
    return attempt(x, t, h, SPLITS, err);
}
