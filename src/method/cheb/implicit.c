/* implicit.c - implicit steps of u'' = a(t, u, u') with dense Newton (cheb.md section 8).
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
 * gains less than a factor 10.  Terms of da/du that stay small (change of the
 * inertia with the turn, gyroscopic) are left out of it; the equations solved are complete.
 */
#include <string.h>

#include "method/cheb/cheb.h"
#include "method/cheb/frame.h"
#include "numeric/dense.h"

enum { STAGES = 2, SPLITS = 8 };

/* Beyond corrections of this size (of the rod, or in radians) the matrix changes too much to keep. */
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

void wy_cheb_implicit_lay(wy_cheb *x, wy_block *scratch) {
    wy_cheb_implicit *w = x->implicit;
    w->m = x->fields * (x->grid.n + 1);
    const size_t stages = x->opt.integrator == WY_CHEB_RADAU ? 2 : 1;
    const size_t m = (size_t)w->m, all = m * stages, size = (size_t)x->size;
    w->rate_u = wy_cheb_take(scratch, m * m);
    w->rate_v = wy_cheb_take(scratch, m * m);
    w->matrix = wy_cheb_take(scratch, all * all);
    w->pivot = wy_block_take(scratch, all, sizeof *w->pivot);
    w->step = wy_cheb_take(scratch, all);
    double **state[] = {&w->us, &w->vs, &w->as[0], &w->as[1], &w->found, &w->keep[0], &w->keep[1]};
    for (size_t i = 0; i < sizeof state / sizeof *state; i++)
        *state[i] = wy_cheb_take(scratch, size);
    wy_cheb_jacobian_lay(x, 1, scratch);
}

/* ---- from the balance to accelerations -------------------------------------------------------------- */

/* A body on the end adds to the inertia of its node. */
static double node_mass(const wy_cheb *x, int i) {
    double mass = x->along.mass[0][i];
    for (int e = 0; e < 2; e++)
        if (i == x->end[e].node) mass += x->end[e].mass / x->end[e].w0;
    return mass;
}

static void node_turn(const wy_cheb *x, int i, double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = x->along.turn[k][i];
    for (int e = 0; e < 2; e++) {
        const wy_cheb_end *end = &x->end[e];
        if (i != end->node) continue;
        if (end->rolls) out[1] = out[2] = INFINITY; /* only the turn about the tangent is left */
        const vec3 j = end->inertia;
        if (x->planar) {
            const double a = x->plane.normal_in[0], b = x->plane.normal_in[1];
            out[0] += (a * a * j.y + b * b * j.z) / end->w0;
        } else {
            out[0] += j.x / end->w0, out[1] += j.y / end->w0, out[2] += j.z / end->w0;
        }
    }
}

/* Row of balance fields at node i times the inverse inertia: out[field] = sum inv[field][row] row. */
static void inverse_inertia(const wy_cheb *x, const double *u, int i, double inv[7][6]) {
    const int ld = x->grid.ld;
    double turn[3];
    node_turn(x, i, turn);
    memset(inv, 0, sizeof(double[7][6]));
    const double mass = node_mass(x, i), across = mass - x->along.mass[0][i] + x->along.mass[1][i];
    if (x->planar) {
        const double c = cos(u[2 * ld + i]), s = sin(u[2 * ld + i]), p = 1 / mass, q = 1 / across;
        inv[0][0] = c * c * p + s * s * q, inv[1][1] = s * s * p + c * c * q;
        inv[0][1] = inv[1][0] = c * s * (p - q);
        inv[2][2] = 1 / turn[0];
        return;
    }
    const quat q = {u[3 * ld + i], u[4 * ld + i], u[5 * ld + i], u[6 * ld + i]};
    const mat3 a = wy_cheb_rotate(q, x->excess);
    const vec3 column[3] = {a.c1, a.c2, a.c3};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                inv[r][c] += (&column[k].x)[r] * (&column[k].x)[c] / (k ? across : mass);
    for (int c = 0; c < 3; c++) { /* qdd = G^T J^-1 A^T tau / 2 */
        const vec3 e = v3(c == 0, c == 1, c == 2), t = m3_tmul(a, e);
        const quat g =
            wy_cheb_gt(q, v3(0.5 * t.x / turn[0], 0.5 * t.y / turn[1], 0.5 * t.z / turn[2]));
        inv[3][3 + c] = g.w, inv[4][3 + c] = g.x, inv[5][3 + c] = g.y, inv[6][3 + c] = g.z;
    }
}

/* da/du and da/dv from the matrices of the balance at (u, v), whose balance has just been made. */
static withy_status rates(wy_cheb *x, double t, const double *u, const double *v,
                          withy_error *err) {
    wy_cheb_implicit *w = x->implicit;
    const int nodes = x->grid.n + 1, rows = wy_cheb_rows(x);
    const size_t m = (size_t)w->m;
    WY_TRY(wy_cheb_jacobian(x, t, u, v, err));
    memset(w->rate_u, 0, m * m * sizeof(double));
    memset(w->rate_v, 0, m * m * sizeof(double));
    for (int i = 0; i < nodes; i++) {
        double inv[7][6];
        inverse_inertia(x, u, i, inv);
        for (int f = 0; f < x->fields; f++) {
            if (wy_cheb_is_held(x, f, i)) continue;
            double *ru = w->rate_u + (size_t)(f * nodes + i) * m;
            double *rv = w->rate_v + (size_t)(f * nodes + i) * m;
            for (int r = 0; r < rows; r++) {
                if (inv[f][r] == 0.0) continue;
                const double k = inv[f][r];
                const double *su = x->jac.stiff + (size_t)(r * nodes + i) * m;
                const double *sv = x->jac.visc + (size_t)(r * nodes + i) * m;
                for (size_t j = 0; j < m; j++) ru[j] += k * su[j], rv[j] += k * sv[j];
            }
        }
    }
    return WITHY_OK;
}

withy_status wy_cheb_rates(wy_cheb *x, double t, const double *u, const double *v,
                           const double **rate_u, const double **rate_v, withy_error *err) {
    *rate_u = x->implicit->rate_u, *rate_v = x->implicit->rate_v;
    return rates(x, t, u, v, err);
}

/* Rows of stage i: blocks diag delta_ij I - h^2 B_ij da/du - h A_ij da/dv; held columns are known. */
static void fill(wy_cheb *x, int stages, int i, double diag, const double *kb, const double *ka) {
    wy_cheb_implicit *w = x->implicit;
    const int nodes = x->grid.n + 1, m = w->m, all = stages * m;
    for (int r = 0; r < m; r++)
        for (int j = 0; j < stages; j++) {
            double *out = w->matrix + (size_t)(i * m + r) * (size_t)all + (size_t)(j * m);
            const double *ru = w->rate_u + (size_t)r * (size_t)m;
            const double *rv = w->rate_v + (size_t)r * (size_t)m;
            for (int c = 0; c < m; c++) out[c] = -kb[j] * ru[c] - ka[j] * rv[c];
            for (int e = 0; e < 2; e++)
                for (int f = 0; f < x->fields; f++)
                    if (wy_cheb_is_held(x, f, x->end[e].node))
                        out[f * nodes + x->end[e].node] = 0.0;
            if (i == j) out[r] += diag;
        }
}

static int factor(const wy_cheb *x, int stages) {
    const wy_cheb_implicit *w = x->implicit;
    return wy_lu_factor(stages * w->m, stages * w->m, w->matrix, w->pivot);
}

/* ---- stages (their quaternions are units, whatever options.normalise says of the result) ------------------------------------------------------------------------------------------ */

static withy_status stage_accel(wy_cheb *x, double t, double *u, double *v, double *a,
                                withy_error *err) {
    WY_TRY(wy_cheb_bound(x, t, u, v, err));
    wy_cheb_normalise(x, u, v);
    return wy_cheb_accel(x, t, u, v, a, err);
}

/* The held entries of a state are those of the old and the new state in proportion: an end that went
 * its own way between them would shake the rod. */
static withy_status blend_ends(wy_cheb *x, double t, double part, double *u, double *v,
                               withy_error *err) {
    wy_cheb_implicit *w = x->implicit;
    memcpy(w->keep[0], x->u, (size_t)x->size * sizeof(double));
    memcpy(w->keep[1], x->v, (size_t)x->size * sizeof(double));
    WY_TRY(wy_cheb_bound(x, t, w->keep[0], w->keep[1], err));
    const int ld = x->grid.ld;
    for (int e = 0; e < 2; e++)
        for (int f = 0; f < x->fields; f++) {
            const int k = f * ld + x->end[e].node;
            if (!wy_cheb_is_held(x, f, x->end[e].node)) continue;
            u[k] = part * w->keep[0][k] + (1 - part) * x->u[k];
            v[k] = part * w->keep[1][k] + (1 - part) * x->v[k];
        }
    return WITHY_OK;
}

static void place_stage(const wy_cheb *x, const scheme *s, int i, double h) {
    wy_cheb_implicit *w = x->implicit;
    for (int k = 0; k < x->size; k++) {
        double du = 0, dv = 0;
        for (int j = 0; j < s->stages; j++)
            du += s->b2[i][j] * w->as[j][k], dv += s->a[i][j] * w->as[j][k];
        w->us[k] = x->u[k] + s->c[i] * h * x->v[k] + h * h * du;
        w->vs[k] = x->v[k] + h * dv;
    }
}

/* What the accelerations of stage i lack, into its part of step. */
static withy_status stage_residual(wy_cheb *x, const scheme *s, int i, double t, double h,
                                   withy_error *err) {
    wy_cheb_implicit *w = x->implicit;
    const int nodes = x->grid.n + 1, ld = x->grid.ld;
    place_stage(x, s, i, h);
    if (s->stages == 1) {
        WY_TRY(blend_ends(x, t + h, 0.5, w->us, w->vs, err));
        wy_cheb_normalise(x, w->us, w->vs);
        WY_TRY(wy_cheb_accel(x, t + 0.5 * h, w->us, w->vs, w->found, err));
    } else {
        WY_TRY(stage_accel(x, t + s->c[i] * h, w->us, w->vs, w->found, err));
    }
    for (int f = 0; f < x->fields; f++)
        for (int k = 0; k < nodes; k++)
            w->step[i * w->m + f * nodes + k] = w->found[f * ld + k] - w->as[i][f * ld + k];
    return WITHY_OK;
}

/* as_i += step_i; the largest displacement this means, lengths in units of the rod. */
static double correct(wy_cheb *x, int stages, double scale) {
    wy_cheb_implicit *w = x->implicit;
    const int nodes = x->grid.n + 1, ld = x->grid.ld, turn = wy_cheb_places(x);
    double largest = 0;
    for (int i = 0; i < stages; i++)
        for (int f = 0; f < x->fields; f++)
            for (int k = 0; k < nodes; k++) {
                const double d = w->step[i * w->m + f * nodes + k];
                w->as[i][f * ld + k] += d;
                if (wy_cheb_is_held(x, f, k)) continue;
                largest = fmax(largest, fabs(scale * d) / (f < turn ? x->grid.length : 1.0));
                if (!isfinite(d)) largest = INFINITY;
            }
    return largest;
}

typedef struct progress {
    int done, iterations;
    double before;
} progress;

/* 1: go on, 2: go on with a new matrix, 0: stop (done says how). */
static int judge(const wy_cheb *x, progress *p, double largest) {
    p->iterations++;
    p->done = largest <= x->opt.newton_tol;
    if (p->done || p->iterations >= x->opt.newton_max || !(largest < 1e3)) return 0;
    /* rounding leaves no more to gain */
    if (largest < 1e3 * x->opt.newton_tol && largest > 0.5 * p->before) return p->done = 1, 0;
    const int slow = largest > SMALL || largest > p->before / 10;
    p->before = largest;
    return slow ? 2 : 1;
}

static withy_status collocate(wy_cheb *x, const scheme *s, double t, double h, progress *p,
                              withy_error *err) {
    wy_cheb_implicit *w = x->implicit;
    double kb[STAGES][STAGES] = {{0}}, ka[STAGES][STAGES] = {{0}};
    for (int i = 0; i < s->stages; i++)
        for (int j = 0; j < s->stages; j++)
            kb[i][j] = h * h * s->b2[i][j], ka[i][j] = h * s->a[i][j];
    for (int i = 0; i < s->stages; i++) memset(w->as[i], 0, (size_t)x->size * sizeof(double));
    for (int fresh = 1; fresh;) {
        const int anew = fresh == 2 || p->iterations == 0;
        for (int i = 0; i < s->stages; i++) {
            WY_TRY(stage_residual(x, s, i, t, h, err));
            if (anew) WY_TRY(rates(x, t + s->c[i] * h, w->us, w->vs, err));
            if (anew) fill(x, s->stages, i, 1.0, kb[i], ka[i]);
        }
        if (anew && !factor(x, s->stages)) return WITHY_OK;
        wy_lu_solve(s->stages * w->m, s->stages * w->m, w->matrix, w->pivot, w->step);
        fresh = judge(x, p, correct(x, s->stages, h * h));
    }
    if (!p->done) return WITHY_OK;
    for (int k = 0; k < x->size; k++) {
        double du = 0, dv = 0;
        for (int j = 0; j < s->stages; j++)
            du += s->bb[j] * w->as[j][k], dv += s->b[j] * w->as[j][k];
        x->u[k] += h * x->v[k] + h * h * du;
        x->v[k] += h * dv;
    }
    WY_TRY(wy_cheb_bound(x, t + h, x->u, x->v, err));
    wy_cheb_normalise(x, x->u, x->v);
    return wy_cheb_accel(x, t + h, x->u, x->v, x->a, err);
}

/* ---- generalised alpha ---------------------------------------------------------------------------------- */

static withy_status alpha(wy_cheb *x, double t, double h, progress *p, withy_error *err) {
    wy_cheb_implicit *w = x->implicit;
    const double rho = x->opt.rho, am = (2 * rho - 1) / (rho + 1), af = rho / (rho + 1);
    const double gamma = 0.5 - am + af, beta = 0.25 * (1 - am + af) * (1 - am + af);
    const int nodes = x->grid.n + 1, ld = x->grid.ld;
    double kb[STAGES][STAGES] = {{(1 - af) * beta * h * h}},
           ka[STAGES][STAGES] = {{(1 - af) * gamma * h}};
    double *next = w->as[0];
    for (int k = 0; k < x->size; k++) next[k] = -(0.5 - beta) / beta * x->a[k]; /* u+ = u + h v */
    for (int fresh = 1; fresh;) {
        for (int k = 0; k < x->size; k++) {
            const double u1 =
                x->u[k] + h * x->v[k] + h * h * ((0.5 - beta) * x->a[k] + beta * next[k]);
            const double v1 = x->v[k] + h * ((1 - gamma) * x->a[k] + gamma * next[k]);
            w->us[k] = (1 - af) * u1 + af * x->u[k], w->vs[k] = (1 - af) * v1 + af * x->v[k];
        }
        const double at = t + (1 - af) * h;
        WY_TRY(blend_ends(x, t + h, 1 - af, w->us, w->vs, err));
        wy_cheb_normalise(x, w->us, w->vs);
        WY_TRY(wy_cheb_accel(x, at, w->us, w->vs, w->found, err));
        if (fresh == 2 || p->iterations == 0) {
            WY_TRY(rates(x, at, w->us, w->vs, err));
            fill(x, 1, 0, 1 - am, kb[0], ka[0]);
            if (!factor(x, 1)) return WITHY_OK;
        }
        for (int f = 0; f < x->fields; f++)
            for (int k = 0; k < nodes; k++) {
                const int at_k = f * ld + k;
                w->step[f * nodes + k] = w->found[at_k] - (1 - am) * next[at_k] - am * x->a[at_k];
            }
        wy_lu_solve(w->m, w->m, w->matrix, w->pivot, w->step);
        fresh = judge(x, p, correct(x, 1, beta * h * h));
    }
    if (!p->done) return WITHY_OK;
    for (int k = 0; k < x->size; k++) {
        x->u[k] += h * x->v[k] + h * h * ((0.5 - beta) * x->a[k] + beta * next[k]);
        x->v[k] += h * ((1 - gamma) * x->a[k] + gamma * next[k]);
    }
    memcpy(x->a, next, (size_t)x->size * sizeof(double)); /* the scheme's own, not a(t, u, v) */
    WY_TRY(wy_cheb_bound(x, t + h, x->u, x->v, err));
    wy_cheb_normalise(x, x->u, x->v);
    WY_TRY(wy_cheb_bound_accel(x, t + h, x->u, x->v, x->a, err));
    return wy_cheb_accel(x, t + h, x->u, x->v, w->found, err); /* stresses for sampling */
}

/* ---- a step, cut where Newton fails ----------------------------------------------------------------------- */

static withy_status attempt(wy_cheb *x, double t, double h, int splits, withy_error *err) {
    progress p = {.before = INFINITY};
    switch (x->opt.integrator) {
    case WY_CHEB_MIDPOINT: WY_TRY(collocate(x, &MIDPOINT, t, h, &p, err)); break;
    case WY_CHEB_RADAU: WY_TRY(collocate(x, &RADAU, t, h, &p, err)); break;
    default: WY_TRY(alpha(x, t, h, &p, err));
    }
    x->setup->stats->iterations += p.iterations;
    if (p.iterations > x->setup->stats->iterations_max)
        x->setup->stats->iterations_max = p.iterations;
    if (p.done) return WITHY_OK;
    if (splits == 0)
        return wy_fail(
            err, WITHY_NO_CONVERGENCE,
            "cheb: no convergence at t = %g with a step of %g after %d iterations; reduce "
            "options.dt or increase options.n",
            t, h, p.iterations);
    x->setup->stats->halvings++;
    WY_TRY(attempt(x, t, 0.5 * h, splits - 1, err));
    return attempt(x, t + 0.5 * h, 0.5 * h, splits - 1, err);
}

withy_status wy_cheb_implicit_step(wy_cheb *x, double t, double h, withy_error *err) {
    return attempt(x, t, h, SPLITS, err);
}
