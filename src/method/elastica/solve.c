/* solve.c - the nonlinear equations of one step of the elastica, in O(N).
 *
 * Unknowns per node j: p, x, k (three components each) and a multiplier; equations per node
 *
 *     E1  mass (fa x + a0) + 2 U^T p + B^T (W r) - load = 0      (99); held node: x given
 *     E2  A^T p + C^T (W r) / 2 - W q = 0                        adjoint of the spline
 *     E3  A k - 2 U x + 6 z = 0                                  (73)
 *     E4  (|u_j|^2 - 1)/2 = 0                                    (84); clamped end: alpha = 0
 *
 * which is (99) with D2^T W q + D1^T W r = 2 U^T p + B^T W r.  In the order "p1 x1 k1 p2 x2 k2 p3
 * x3 k3 alpha" of unknowns and "E4 E1_1 E2_1 E3_1 E1_2 ..." of equations the Newton matrix is
 * banded with kl = 12, ku = 18.  E2 and E3 are linear, so k and p are always solved for exactly
 * (two tridiagonal solves) and only E1 and E4 have a residual: the iterates are those of Newton on
 * (x, alpha) alone.
 *
 * Each interval J gives the tangent at its two ends from its own data:
 *     u_J     = (x_{J+1} - x_J)/eta - eta (2 k_J + k_{J+1})/6
 *     u_{J+1} = (x_{J+1} - x_J)/eta + eta (k_J + 2 k_{J+1})/6
 * The source uses the first, and the second at the last node only.
 *
 * Cure B: without a clamped end sum_j (-1)^j W_j u_j = 0 identically, so that the N + 1 constraints
 * and multipliers have an alternating mode that is (nearly) free.  Taking c_j = (-1)^j delta and
 * sum_j (-1)^j W_j alpha_j = 0 instead is the same as one constraint c_J + c_{J+1} = 0 and one
 * multiplier beta_J per interval, W_j alpha_j = beta_{j-1} + beta_j.  Written with the two tangents
 * of the interval it keeps the band, and needs no border.
 */
#include <float.h>

#include "method/elastica/elastica.h"
#include "numeric/search/search.h"

enum { BLOCK = 10, UNKNOWN_P = 0, UNKNOWN_X = 1, UNKNOWN_K = 2, UNKNOWN_ALPHA = 9 };
enum { EQUATION_E4 = 0, EQUATION_E1 = 1, EQUATION_E2 = 2, EQUATION_E3 = 3 };

/* ---- residual -------------------------------------------------------------------------------- */

/* W_j alpha_j from the multipliers of either kind. */
static void weigh_multipliers(wy_elastica *e) {
    const double *a = e->work.alpha;
    for (int j = 0; j <= e->n; j++) {
        const double before = j > 0 ? a[j - 1] : 0.0, here = j < e->n ? a[j] : 0.0;
        e->work.alpha_w[j] = e->pairs ? before + here : wy_elastica_weight(e, j) * a[j];
    }
}

/* p = A^-T (W q - C^T (W r)/2), C of (64). */
static void solve_adjoint(wy_elastica *e) {
    vec3 *p = e->work.p;
    for (int j = 0; j <= e->n; j++) p[j] = v3_scale(wy_elastica_weight(e, j), e->work.q[j]);
    wy_spline_slope_adjoint(&e->spline, e->work.rw, p);
    wy_spline_adjoint(&e->spline, p);
}

/* n at the middle of interval J: the force of 2 U^T p + B^T (W r) on the chord x_{J+1} - x_J.
 * At an end that is not clamped the spline row is k = 0 and contains no chord. */
static vec3 cell_force(const wy_elastica *e, int cell) {
    const int n = e->n;
    vec3 force = e->work.rw[cell];
    if (cell == n - 1) force = v3_add(force, e->work.rw[n]);
    if (cell > 0 || e->spline.clamped[0]) force = v3_axpy(force, 6.0, e->work.p[cell]);
    if (cell < n - 1 || e->spline.clamped[1]) force = v3_axpy(force, -6.0, e->work.p[cell + 1]);
    return force;
}

/* Residual of work.eq at (next->x, alpha): fills next->u, next->k, p, rw, residual, violation. */
static void evaluate(wy_elastica *e) {
    const wy_elastica_equations *eq = &e->work.eq;
    const wy_elastica_level *v = e->next;
    const int n = e->n;
    wy_elastica_derive(e, e->next);
    weigh_multipliers(e);
    for (int j = 0; j <= n; j++) {
        const vec3 mid = v3_axpy(eq->u0[j], eq->ua, v->u[j]);
        const vec3 turn = v3_axpy(eq->s0[j], wy_elastica_fs(e, j), v->u[j]);
        e->work.q[j] = v3_axpy(eq->q0[j], wy_elastica_kq(e, j), v->k[j]);
        e->work.rw[j] = v3_axpy(v3_scale(e->work.alpha_w[j], mid), wy_elastica_weight(e, j), turn);
        e->work.violation[j] = 0.5 * (v3_dot(v->u[j], v->u[j]) - 1.0);
    }
    solve_adjoint(e);
    for (int j = 0; j < n; j++) e->work.pull[j] = cell_force(e, j);
    for (int j = 0; j <= n; j++) {
        const vec3 inertia = v3_scale(eq->mass[j], v3_axpy(eq->a0[j], eq->fa, v->x[j]));
        vec3 net = v3(0, 0, 0);
        if (j > 0) net = v3_add(net, e->work.pull[j - 1]);
        if (j < n) net = v3_sub(net, e->work.pull[j]);
        e->work.residual[j] = v3_sub(v3_axpy(inertia, 1.0 / e->eta, net), eq->load[j]);
    }
}

/* ---- matrix ---------------------------------------------------------------------------------- */

/* Row and column scales that make all entries O(1). */
typedef struct scales {
    double e1, e2, e3, e4, x, k, p, alpha;
} scales;

static scales scales_of(const wy_elastica *e) {
    const double eta = e->eta, c = e->work.eq.scale, eta2 = eta * eta;
    return (scales){.e1 = eta2 * eta2 / c,
                    .e2 = eta2 / c,
                    .e3 = eta,
                    .e4 = eta,
                    .x = 1.0,
                    .k = 1.0 / eta2,
                    .p = c / (eta2 * eta),
                    .alpha = c / (eta2 * eta)};
}

static inline int row_of(int j, int equation, int i) {
    return BLOCK * j + equation + 3 * i;
}
static inline int column_of(int j, int unknown, int i) {
    return BLOCK * j + unknown + 3 * i;
}

/* Rows of node j: inertia, bending and the spline relation, which change only with the step. */
static void fill_fixed_node(const wy_elastica *e, int j) {
    const scales c = scales_of(e);
    const wy_elastica_equations *eq = &e->work.eq;
    const wy_banded *m = &e->work.matrix;
    const double u = 6.0 / e->eta;
    const int held = wy_elastica_node_held(e, j);
    for (int i = 0; i < 3; i++) {
        const int e1 = row_of(j, EQUATION_E1, i), e2 = row_of(j, EQUATION_E2, i);
        const int e3 = row_of(j, EQUATION_E3, i), x = column_of(j, UNKNOWN_X, i);
        *wy_banded_at(m, e1, x) = held ? 1.0 : c.e1 * c.x * eq->mass[j] * eq->fa;
        *wy_banded_at(m, e2, column_of(j, UNKNOWN_K, i)) =
            -c.e2 * c.k * wy_elastica_weight(e, j) * wy_elastica_kq(e, j);
        for (int l = j > 0 ? j - 1 : 0; l <= (j < e->n ? j + 1 : j); l++) {
            const int pl = column_of(l, UNKNOWN_P, i), kl = column_of(l, UNKNOWN_K, i);
            if (!held) *wy_banded_at(m, e1, pl) = c.e1 * c.p * u * wy_spline_u(&e->spline, l, j);
            *wy_banded_at(m, e2, pl) = c.e2 * c.p * e->eta * wy_spline_a(&e->spline, l, j);
            *wy_banded_at(m, e3, kl) = c.e3 * c.k * e->eta * wy_spline_a(&e->spline, j, l);
            *wy_banded_at(m, e3, column_of(l, UNKNOWN_X, i)) -=
                c.e3 * c.x * u * wy_spline_u(&e->spline, j, l);
        }
    }
}

/* In a uniform rod these rows are the same for all inner nodes but for the slots of the band, which repeat
 * after 16 nodes (10 columns each, 32 slots): the first 18 nodes and the last two stand for all. */
enum { FIXED_REPEAT = 16, FIXED_NODES = 2 + FIXED_REPEAT };

static double *fixed_rows(const wy_elastica *e, int j) {
    int place = j < FIXED_NODES ? j : 2 + (j - 2) % FIXED_REPEAT;
    if (j >= e->n - 1) place = FIXED_NODES + j - (e->n - 1);
    if (e->varies) place = j;
    return e->work.fixed + (size_t)place * (size_t)(BLOCK * e->work.matrix.width);
}

/* Rows of a node may wrap around the window: copy them one by one. */
static void fill_fixed(wy_elastica *e) {
    const wy_banded *m = &e->work.matrix;
    const size_t width = (size_t)m->width;
    for (int j = 0; j <= e->n; j++) {
        if (!e->varies && j >= FIXED_NODES && j < e->n - 1) continue;
        for (int i = 0; i < BLOCK; i++)
            memset(wy_banded_row(m, BLOCK * j + i), 0, width * sizeof *m->window);
        fill_fixed_node(e, j);
        for (size_t i = 0; i < BLOCK; i++)
            memcpy(fixed_rows(e, j) + i * width, wy_banded_row(m, BLOCK * j + (int)i),
                   width * sizeof *m->window);
    }
    e->work.fixed_fa = e->work.eq.fa, e->work.fixed_kq = e->work.eq.kq;
}

static void begin_node(const wy_elastica *e, int j) {
    const wy_banded *m = &e->work.matrix;
    const double *from = fixed_rows(e, j);
    for (int i = 0; i < BLOCK; i++)
        memcpy(wy_banded_row(m, BLOCK * j + i), from + (size_t)i * (size_t)m->width,
               (size_t)m->width * sizeof *from);
}

/* A tangent from the data of one interval: u = sum_a (b_a x_a + c_a k_a) over its nodes a = 0, 1. */
typedef struct view {
    int cell, multiplier;
    int active; /* is its length constrained? */
    double b[2], c[2];
    double weight; /* of d alpha in d(W r)       */
    double stiff;  /* d(W r) / du                */
    double u[3], mid[3];
} view;

/* d(W r) = stiff du + weight mid dalpha enters E1 with b and E2 with -c. */
static void add_view(const wy_elastica *e, const scales *s, const view *w) {
    const wy_banded *m = &e->work.matrix;
    const int alpha = BLOCK * w->multiplier + UNKNOWN_ALPHA,
              e4 = BLOCK * w->multiplier + EQUATION_E4;
    for (int i = 0; i < 3; i++)
        for (int a = 0; a < 2; a++) {
            const int j = w->cell + a;
            const int e1 = row_of(j, EQUATION_E1, i), e2 = row_of(j, EQUATION_E2, i);
            const double f1 = wy_elastica_node_held(e, j) ? 0.0 : s->e1 * w->b[a],
                         f2 = -s->e2 * w->c[a];
            for (int d = 0; d < 2; d++) {
                const int x = column_of(w->cell + d, UNKNOWN_X, i);
                const int k = column_of(w->cell + d, UNKNOWN_K, i);
                const double bx = w->stiff * w->b[d] * s->x, ck = w->stiff * w->c[d] * s->k;
                *wy_banded_at(m, e1, x) += f1 * bx;
                *wy_banded_at(m, e1, k) += f1 * ck;
                *wy_banded_at(m, e2, x) += f2 * bx;
                *wy_banded_at(m, e2, k) += f2 * ck;
            }
            if (!w->active) continue;
            const double pull = w->weight * w->mid[i] * s->alpha;
            *wy_banded_at(m, e1, alpha) += f1 * pull;
            *wy_banded_at(m, e2, alpha) += f2 * pull;
            const int x = column_of(j, UNKNOWN_X, i), k = column_of(j, UNKNOWN_K, i);
            *wy_banded_at(m, e4, x) += s->e4 * s->x * w->u[i] * w->b[a];
            *wy_banded_at(m, e4, k) += s->e4 * s->k * w->u[i] * w->c[a];
        }
}

/* The tangent at end `side` of an interval; the source's form counts node N with the last interval.
 */
static view view_of(const wy_elastica *e, int cell, int side) {
    const int j = cell + side, own = side == 0 || j == e->n;
    const wy_elastica_equations *eq = &e->work.eq;
    const double t = e->eta / 6.0;
    view w = {.cell = cell, .b = {-1.0 / e->eta, 1.0 / e->eta}};
    w.c[0] = side ? t : -2 * t;
    w.c[1] = side ? 2 * t : -t;
    w.multiplier = e->pairs ? cell : j;
    w.active = e->pairs || (own && !wy_spline_clamped(&e->spline, j));
    w.weight = e->pairs ? 1.0 : wy_elastica_weight(e, j);
    const double tension = e->pairs ? e->work.alpha[cell] : own ? e->work.alpha_w[j] : 0.0;
    w.stiff = tension * eq->ua + (own ? wy_elastica_weight(e, j) * wy_elastica_fs(e, j) : 0.0);
    v3_to(e->next->u[j], w.u);
    v3_to(v3_axpy(eq->u0[j], eq->ua, e->next->u[j]), w.mid);
    return w;
}

/* Multipliers that do not exist: alpha at clamped ends, beta_N. */
static int multiplier_exists(const wy_elastica *e, int j) {
    return e->pairs ? j < e->n : !wy_spline_clamped(&e->spline, j);
}

/* Complete the rows of node j and hand them over. */
static bool end_node(wy_elastica *e, const scales *s, int j) {
    double *diagonal =
        wy_banded_at(&e->work.matrix, BLOCK * j + EQUATION_E4, BLOCK * j + UNKNOWN_ALPHA);
    *diagonal += multiplier_exists(e, j) ? -s->e4 * s->alpha * e->work.eq.tau : 1.0;
    return wy_banded_eliminate(&e->work.matrix, BLOCK * (j + 1));
}

/* Assemble the Newton matrix at (x, alpha), node by node, and factor it row by row. */
static bool factor(wy_elastica *e) {
    if (e->work.fixed_fa != e->work.eq.fa || e->work.fixed_kq != e->work.eq.kq) fill_fixed(e);
    const scales s = scales_of(e);
    wy_banded_begin(&e->work.matrix);
    begin_node(e, 0);
    for (int cell = 0; cell < e->n; cell++) {
        begin_node(e, cell + 1);
        const view left = view_of(e, cell, 0);
        add_view(e, &s, &left);
        if (e->pairs || cell == e->n - 1) {
            const view right = view_of(e, cell, 1);
            add_view(e, &s, &right);
        }
        if (!end_node(e, &s, cell)) return false;
    }
    return end_node(e, &s, e->n);
}

/* ---- Newton ---------------------------------------------------------------------------------- */

/* Violation of constraint row j. */
static double constraint(const wy_elastica *e, int j) {
    if (!multiplier_exists(e, j)) return 0.0;
    return e->pairs ? e->work.violation[j] + e->work.violation[j + 1] : e->work.violation[j];
}

/* Solve with the factors at hand for the present residual; returns max |dx|. */
static double correction(const wy_elastica *e, vec3 *dx, double *dalpha) {
    const scales s = scales_of(e);
    memset(e->work.rhs, 0, (size_t)e->work.matrix.n * sizeof *e->work.rhs);
    for (int j = 0; j <= e->n; j++) {
        e->work.rhs[BLOCK * j + EQUATION_E4] = -s.e4 * constraint(e, j);
        if (wy_elastica_node_held(e, j)) continue;
        double f[3];
        v3_to(e->work.residual[j], f);
        for (int i = 0; i < 3; i++) e->work.rhs[row_of(j, EQUATION_E1, i)] = -s.e1 * f[i];
    }
    wy_banded_solve(&e->work.matrix, e->work.rhs);
    double norm = 0.0;
    for (int j = 0; j <= e->n; j++) {
        const double *at = e->work.rhs + BLOCK * j + UNKNOWN_X;
        /* held nodes stay exact to the last bit, regardless of pivoting */
        dx[j] = wy_elastica_node_held(e, j) ? v3(0, 0, 0) : v3_scale(s.x, v3(at[0], at[3], at[6]));
        dalpha[j] = s.alpha * e->work.rhs[BLOCK * j + UNKNOWN_ALPHA];
        const double size = v3_norm(dx[j]);
        if (!(size <= norm)) norm = size; /* NaN stays */
    }
    return norm;
}

/* ---- callbacks of the damped Newton method ------------------------------------------------------ */

static bool factor_again(void *self) {
    return factor(self);
}

/* The correction of the iterate, or (trial = 1) of the one tried. */
static double find(void *self, int trial) {
    const wy_elastica *e = self;
    return correction(e, trial ? e->work.ex : e->work.dx, trial ? e->work.ealpha : e->work.dalpha);
}

/* (x, alpha) = base + fraction * (dx, dalpha), and the residual there. */
static void move(void *self, double fraction, int trial) {
    wy_elastica *e = self;
    const vec3 *dx = trial ? e->work.ex : e->work.dx;
    const double *dalpha = trial ? e->work.ealpha : e->work.dalpha;
    for (int j = 0; j <= e->n; j++) {
        e->next->x[j] = v3_axpy(e->work.x_base[j], fraction, dx[j]);
        e->work.alpha[j] = e->work.alpha_base[j] + fraction * dalpha[j];
    }
    evaluate(e);
}

static void set_base(void *self) {
    wy_elastica *e = self;
    memcpy(e->work.x_base, e->next->x, (size_t)(e->n + 1) * sizeof *e->work.x_base);
    memcpy(e->work.alpha_base, e->work.alpha, (size_t)(e->n + 1) * sizeof *e->work.alpha_base);
}

/* max |dx| that counts as converged; far from the origin rounding is larger. */
static double tolerance_of(const wy_elastica *e) {
    double reach = 0;
    for (int j = 0; j <= e->n; j += e->n) reach = wy_max(reach, v3_norm(e->now->x[j]));
    return e->opt.newton_tol * e->length + 1e3 * DBL_EPSILON * reach;
}

bool wy_elastica_solve(wy_elastica *e, wy_elastica_newton *newton) {
    const wy_damped damped = {.self = e,
                              .tolerance = tolerance_of(e),
                              .most = e->opt.newton_max,
                              .factor = factor_again,
                              .find = find,
                              .move = move,
                              .set_base = set_base};
    evaluate(e);
    return wy_damped_solve(&damped, &newton->iterations, &newton->norm);
}
