/* matrix.c - the Newton matrix of kirchhoff/force.c, 9 unknowns per node, kl = ku = 17.
 *
 * Unknowns of node j: dx, the turn w (dq = w x q+ for q = t, s1, s2), dlambda.  A raw force F_i
 * depends on the raw unknowns q_k of one interval through
 *
 *     dF_i = c_ik dq_k  +  k bar g_i (g_k . dq_k)        c_ik a number times the unit matrix
 *
 * (c from second derivatives of the bilinear strains, g their gradients), and the moment row is
 * bar q_i x F_i, so that the chain rule gives, with v_i = sum_k c_ik q_k+,
 *
 *     force row, w column     - v x                        moment row, dx column    (c bar q) x
 *     moment row, w column    (bar q_i . v_i) I - v_i bar q_i^T
 *     bar q_i moves too       average (q_i F_i^T - (q_i . F_i) I)
 *
 * Rows and columns are scaled so that all entries are of size one whatever the units.
 */
#include "method/kirchhoff/kirchhoff.h"

enum { ROW_FORCE, ROW_MOMENT, ROW_SPLINE }; /* also the columns dx, w, dlambda */
enum { XB, TB, S1B, S2B, XC, TC, S1C, S2C, RAW2 };

typedef struct block {
    double a[3][3];
} block;

static block scalar_block(double k) {
    return (block){{{k, 0, 0}, {0, k, 0}, {0, 0, k}}};
}
/* a -> v x a, times k */
static block cross_block(double k, vec3 v) {
    return (block){{{0, -k * v.z, k * v.y}, {k * v.z, 0, -k * v.x}, {-k * v.y, k * v.x, 0}}};
}
/* k a b^T */
static block outer_block(double k, vec3 a, vec3 b) {
    return (block){{{k * a.x * b.x, k * a.x * b.y, k * a.x * b.z},
                    {k * a.y * b.x, k * a.y * b.y, k * a.y * b.z},
                    {k * a.z * b.x, k * a.z * b.y, k * a.z * b.z}}};
}

/* Add a block at (node i, row kind) x (node j, column kind). */
static void put(wy_kirchhoff *p, int i, int row, int j, int column, block b) {
    const double eta = p->eta;
    const double rows[3] = {eta * eta / p->stiff, eta / p->stiff, eta};
    const double columns[3] = {eta, 1.0, p->stiff};
    const double k = rows[row] * columns[column];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            *wy_banded_at(&p->work.matrix, 9 * i + 3 * row + r, 9 * j + 3 * column + c) +=
                k * b.a[r][c];
}

/* ---- one interval ---------------------------------------------------------------------------- */

/* Everything of an interval that its blocks are made of. */
typedef struct interval {
    int cell;
    double mu[2][RAW2];   /* dm_b, dm_c by the raw unknowns                      */
    double c[RAW2][RAW2]; /* c_ik                                                */
    vec3 bar[RAW2], plus[RAW2];
    wy_kirchhoff_stress f;
} interval;

static void second_derivatives(const wy_kirchhoff *p, interval *v) {
    for (int end = 0; end < 2; end++) {
        const int s1 = S1B + 4 * end, t = TB + 4 * end;
        double w[RAW2];
        memcpy(w, v->mu[end], sizeof w);
        w[s1] = -p->kappa[v->cell + end][0], w[s1 + 1] = -p->kappa[v->cell + end][1];
        for (int i = 0; i < RAW2 && v->f.ku[end] != 0.0; i++)
            for (int k = 0; k < RAW2; k++) v->c[i][k] += v->f.ku[end] * w[i] * w[k];
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < RAW2; i++) {
                const double add = p->work.eq.average * v->f.s[end][k] * v->mu[end][i];
                const int q = k < 2 ? s1 + k : t;
                v->c[i][q] += add;
                v->c[q][i] += add;
            }
    }
    const double half = 0.5 * p->work.eq.average * v->f.twist;
    v->c[S2B][S1C] += half, v->c[S1C][S2B] += half;
    v->c[S1B][S2C] -= half, v->c[S2C][S1B] -= half;
}

static interval interval_of(const wy_kirchhoff *p, int cell) {
    const double six = 6.0 / (p->eta * p->eta), two = 2.0 / p->eta, four = 4.0 / p->eta;
    interval v = {.cell = cell, .f = wy_kirchhoff_stress_of(p, cell)};
    v.mu[0][XB] = -six, v.mu[0][TB] = -four, v.mu[0][XC] = six, v.mu[0][TC] = -two;
    v.mu[1][XB] = six, v.mu[1][TB] = two, v.mu[1][XC] = -six, v.mu[1][TC] = four;
    for (int i = 0; i < RAW2; i++) {
        const int j = cell + i / WY_KIRCHHOFF_RAWS, raw = i % WY_KIRCHHOFF_RAWS;
        v.bar[i] = wy_kirchhoff_bar(p, j, raw);
        v.plus[i] = wy_kirchhoff_raw(p->work.eq.next, j, raw);
    }
    second_derivatives(p, &v);
    return v;
}

/* The blocks of c_ik between node `a` (rows) and node `b` (columns) of the interval. */
static void put_second(wy_kirchhoff *p, const interval *v, int a, int b) {
    const int i0 = WY_KIRCHHOFF_RAWS * a, k0 = WY_KIRCHHOFF_RAWS * b, row = v->cell + a,
              column = v->cell + b;
    vec3 right = v3(0, 0, 0), left = right;
    block turn = scalar_block(0.0);
    for (int k = 1; k < WY_KIRCHHOFF_RAWS; k++) {
        right = v3_axpy(right, v->c[i0][k0 + k], v->plus[k0 + k]);
        left = v3_axpy(left, v->c[i0 + k][k0], v->bar[i0 + k]);
    }
    for (int i = i0 + 1; i < i0 + WY_KIRCHHOFF_RAWS; i++) {
        vec3 sum = v3(0, 0, 0);
        for (int k = k0 + 1; k < k0 + WY_KIRCHHOFF_RAWS; k++)
            sum = v3_axpy(sum, v->c[i][k], v->plus[k]);
        const block away = outer_block(-1.0, sum, v->bar[i]);
        const double along = v3_dot(v->bar[i], sum);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) turn.a[r][c] += away.a[r][c] + (r == c ? along : 0.0);
    }
    put(p, row, ROW_FORCE, column, ROW_FORCE, scalar_block(v->c[i0][k0]));
    put(p, row, ROW_FORCE, column, ROW_MOMENT, cross_block(-1.0, right));
    put(p, row, ROW_MOMENT, column, ROW_FORCE, cross_block(1.0, left));
    put(p, row, ROW_MOMENT, column, ROW_MOMENT, turn);
}

/* Gradient of a scalar strain by (dx_b, w_b, dx_c, w_c), from its raw gradient. */
static inline void turn_gradient(const vec3 raw[RAW2], const vec3 q[RAW2], vec3 out[4]) {
    for (int node = 0; node < 2; node++) {
        const int i0 = WY_KIRCHHOFF_RAWS * node;
        out[2 * node] = raw[i0];
        vec3 sum = v3(0, 0, 0);
        for (int i = i0 + 1; i < i0 + WY_KIRCHHOFF_RAWS; i++)
            sum = v3_add(sum, v3_cross(q[i], raw[i]));
        out[2 * node + 1] = sum;
    }
}

static void put_rank_one(wy_kirchhoff *p, int cell, double k, const vec3 left[4],
                         const vec3 right[4]) {
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            put(p, cell + i / 2, i % 2, cell + j / 2, j % 2, outer_block(k, left[i], right[j]));
}

/* Gradient of e_k = s_k . m (k = 2: t . m) at one end of the interval, with q and m there. */
static inline void bend_gradient(const interval *v, int end, int k, const vec3 q[RAW2], vec3 m,
                                 vec3 out[4]) {
    vec3 raw[RAW2];
    const int s = (k < 2 ? S1B + k : TB) + 4 * end;
    for (int i = 0; i < RAW2; i++) raw[i] = v3_scale(v->mu[end][i], q[s]);
    raw[s] = v3_add(raw[s], m);
    turn_gradient(raw, q, out);
}

static void put_bend(wy_kirchhoff *p, const interval *v, int end, int k) {
    vec3 left[4], right[4];
    const double a = p->work.eq.average;
    const vec3 next = p->work.eq.next->cell[v->cell].m[end];
    vec3 bar = next;
    if (a != 1.0)
        bar = v3_add(v3_scale(a, next), v3_scale(1.0 - a, p->work.eq.last->cell[v->cell].m[end]));
    bend_gradient(v, end, k, v->bar, bar, left);
    bend_gradient(v, end, k, v->plus, next, right);
    put_rank_one(p, v->cell, v->f.ke[end][k], left, right);
}

/* eta tau = (s2_b . s1_c - s1_b . s2_c)/2. */
static void twist_gradient(const vec3 q[RAW2], vec3 out[4]) {
    vec3 raw[RAW2] = {0};
    raw[S1B] = v3_scale(-0.5, q[S2C]), raw[S2B] = v3_scale(0.5, q[S1C]);
    raw[S1C] = v3_scale(0.5, q[S2B]), raw[S2C] = v3_scale(-0.5, q[S1B]);
    turn_gradient(raw, q, out);
}

/* lambda in the forces, and the spline condition, whose gradient is the same. */
static void put_spline(wy_kirchhoff *p, const interval *v) {
    for (int end = 0; end < 2; end++) {
        const int j = v->cell + end;
        const double sign = end ? 1.0 : -1.0;
        const wy_kirchhoff_end *at = wy_kirchhoff_end_at(p, j);
        for (int node = 0; node < 2; node++) {
            const int x = WY_KIRCHHOFF_RAWS * node, other = v->cell + node;
            const double mx = sign * v->mu[end][x], mt = sign * v->mu[end][x + 1];
            put(p, other, ROW_FORCE, j, ROW_SPLINE, scalar_block(mx));
            put(p, other, ROW_MOMENT, j, ROW_SPLINE, cross_block(mt, v->bar[x + 1]));
            if (at && !at->strong) continue;
            put(p, j, ROW_SPLINE, other, ROW_FORCE, scalar_block(mx));
            put(p, j, ROW_SPLINE, other, ROW_MOMENT, cross_block(-mt, v->plus[x + 1]));
        }
    }
}

static void put_interval(wy_kirchhoff *p, int cell) {
    const interval v = interval_of(p, cell);
    for (int a = 0; a < 2 && p->work.eq.elastic != 0.0; a++)
        for (int b = 0; b < 2; b++) put_second(p, &v, a, b);
    for (int end = 0; end < 2; end++)
        for (int k = 0; k < 3; k++)
            if (v.f.ke[end][k] != 0.0) put_bend(p, &v, end, k);
    if (v.f.kt != 0.0) {
        vec3 left[4], right[4];
        twist_gradient(v.bar, left);
        twist_gradient(v.plus, right);
        put_rank_one(p, cell, v.f.kt, left, right);
    }
    put_spline(p, &v);
}

/* ---- one node -------------------------------------------------------------------------------- */

/* Inertia, and the turning of bar q in the moment row. */
static void put_node(wy_kirchhoff *p, int j) {
    const wy_kirchhoff_equations *eq = &p->work.eq;
    put(p, j, ROW_FORCE, j, ROW_FORCE, scalar_block(eq->mass[j] * eq->inertia));
    block turn = scalar_block(0.0);
    for (int raw = WY_KIRCHHOFF_RAW_T; raw <= WY_KIRCHHOFF_RAW_S2; raw++) {
        const vec3 bar = wy_kirchhoff_bar(p, j, raw), q = wy_kirchhoff_raw(eq->next, j, raw);
        const vec3 f = p->work.force[j][raw];
        const double mass = eq->turn[j][raw == WY_KIRCHHOFF_RAW_T] * eq->inertia;
        const block away = outer_block(-mass, q, bar), geometric = outer_block(eq->average, q, f);
        const double along = mass * v3_dot(bar, q) - eq->average * v3_dot(q, f);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                turn.a[r][c] += away.a[r][c] + geometric.a[r][c] + (r == c ? along : 0.0);
    }
    put(p, j, ROW_MOMENT, j, ROW_MOMENT, turn);
}

/* x'' = s kappa imposed with its multiplier, or lambda = 0. */
static void put_end(wy_kirchhoff *p, int j) {
    if (!wy_kirchhoff_end_at(p, j)->strong) {
        put(p, j, ROW_SPLINE, j, ROW_SPLINE, scalar_block(1.0 / p->eta)); /* 1 after scaling */
        for (int r = 0; r < 3; r++)
            *wy_banded_at(&p->work.matrix, 9 * j + 6 + r, 9 * j + 6 + r) = 1.0;
        return;
    }
    const double sign = j == 0 ? 1.0 : -1.0;
    for (int k = 0; k < 2; k++) {
        const double by = sign * p->kappa[j][k];
        put(p, j, ROW_MOMENT, j, ROW_SPLINE,
            cross_block(by, wy_kirchhoff_bar(p, j, WY_KIRCHHOFF_RAW_S1 + k)));
        put(p, j, ROW_SPLINE, j, ROW_MOMENT,
            cross_block(-by, wy_kirchhoff_raw(p->work.eq.next, j, WY_KIRCHHOFF_RAW_S1 + k)));
    }
}

/* ---- rows that prescribe --------------------------------------------------------------------- */

typedef struct window {
    int first, count; /* columns that the rows of a node reach */
} window;

static window window_of(const wy_kirchhoff *p, int j) {
    const int first = j > 0 ? 9 * (j - 1) : 0, end = j < p->n ? 9 * (j + 2) : 9 * (j + 1);
    return (window){first, end - first};
}

/* Rows 3 .. 5 of node j, moments in laboratory components, become their components along bar s1,
 * bar s2, bar t, which turn too. */
static void turn_rows(wy_kirchhoff *p, int j) {
    const window w = window_of(p, j);
    const mat3 by = wy_kirchhoff_bar_frame(p, j), *f = &p->work.eq.next->frame[j];
    const vec3 moment = p->work.balance[p->n + 1 + j], axis[3] = {f->c1, f->c2, f->c3};
    double *row[3];
    for (int i = 0; i < 3; i++) row[i] = wy_banded_row(&p->work.matrix, 9 * j + 3 + i);
    for (int c = w.first; c < w.first + w.count; c++) {
        const int at = c & (p->work.matrix.width - 1);
        const vec3 mixed = m3_tmul(by, v3(row[0][at], row[1][at], row[2][at]));
        row[0][at] = mixed.x, row[1][at] = mixed.y, row[2][at] = mixed.z;
    }
    for (int i = 0; i < 3; i++) {
        const vec3 a = v3_scale(p->work.eq.average * p->eta / p->stiff, v3_cross(axis[i], moment));
        const double add[3] = {a.x, a.y, a.z};
        for (int c = 0; c < 3; c++)
            *wy_banded_at(&p->work.matrix, 9 * j + 3 + i, 9 * j + 3 + c) += add[c];
    }
}

/* Row i of node j gains a . (unknowns from `column` on). */
static void add_row(wy_kirchhoff *p, int j, int row, int column, vec3 a) {
    const double value[3] = {a.x, a.y, a.z};
    for (int c = 0; c < 3; c++)
        *wy_banded_at(&p->work.matrix, 9 * j + row, 9 * j + column + c) += value[c];
}

/* Row i of node j becomes a . (unknowns from `column` on). */
static void set_row(wy_kirchhoff *p, int j, int row, int column, vec3 a) {
    const window w = window_of(p, j);
    for (int c = w.first; c < w.first + w.count; c++)
        *wy_banded_at(&p->work.matrix, 9 * j + row, c) = 0.0;
    add_row(p, j, row, column, a);
}

static void set_identity(wy_kirchhoff *p, int j, int row) {
    set_row(p, j, row, row, v3(1, 0, 0));
    set_row(p, j, row + 1, row, v3(0, 1, 0));
    set_row(p, j, row + 2, row, v3(0, 0, 1));
}

static void prescribe(wy_kirchhoff *p, int j) {
    const wy_kirchhoff_end *end = wy_kirchhoff_end_at(p, j);
    const mat3 *f = &p->work.eq.next->frame[j];
    if (end && end->held) set_identity(p, j, 0);
    if (end && end->turn == WY_KIRCHHOFF_TURN_FRAME) {
        set_identity(p, j, 3);
        return;
    }
    if (end && end->turn == WY_KIRCHHOFF_TURN_TANGENT) {
        set_row(p, j, 3, 3, f->c1);
        set_row(p, j, 4, 3, f->c2);
    }
    if (!p->work.eq.gauge_all && j != p->gauge) return;
    const vec3 spin = v3_cross(f->c1, p->work.eq.gauge[j].c2);
    if (p->work.eq.spin_felt)
        add_row(p, j, 5, 3, v3_scale(p->work.eq.drag * p->eta / p->stiff, spin));
    else
        set_row(p, j, 5, 3, spin);
}

/* ---- the whole matrix, node by node ---------------------------------------------------------- */

static void clear_rows(wy_kirchhoff *p, int j) {
    for (int i = 0; i < 9; i++)
        memset(wy_banded_row(&p->work.matrix, 9 * j + i), 0,
               (size_t)p->work.matrix.width * sizeof *p->work.matrix.window);
}

void wy_kirchhoff_rows(wy_kirchhoff *p, int j) {
    if (j == 0) clear_rows(p, 0);
    if (j < p->n) {
        clear_rows(p, j + 1);
        put_interval(p, j);
    }
    put_node(p, j);
    if (j == 0 || j == p->n) put_end(p, j);
    turn_rows(p, j);
    if (j == 0 || j == p->n || j == p->gauge || p->work.eq.gauge_all) prescribe(p, j);
}

bool wy_kirchhoff_factor(wy_kirchhoff *p) {
    wy_banded_begin(&p->work.matrix);
    for (int j = 0; j <= p->n; j++) {
        wy_kirchhoff_rows(p, j);
        if (!wy_banded_eliminate(&p->work.matrix, 9 * (j + 1))) return false;
    }
    return true;
}

/* ---- damping --------------------------------------------------------------------------------- */

static double along_rates(const vec3 g[4], const double *v) {
    double sum = 0;
    for (int i = 0; i < 4; i++) sum += v3_dot(g[i], v3_from(&v[9 * (i / 2) + 3 * (i % 2)]));
    return sum;
}

static void add_forces(const vec3 g[4], double k, double *out) {
    for (int i = 0; i < 4; i++) {
        double *at = &out[9 * (i / 2) + 3 * (i % 2)];
        v3_to(v3_axpy(v3_from(at), k, g[i]), at);
    }
}

/* u = x'' - s kappa, a combination of the raw unknowns, along each axis of the laboratory. */
static void viscous_bend_direct(const interval *v, int end, const double *kappa, double nu,
                                const double *rate, double *out) {
    static const vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double w[RAW2];
    memcpy(w, v->mu[end], sizeof w);
    w[S1B + 4 * end] = -kappa[0], w[S2B + 4 * end] = -kappa[1];
    for (int k = 0; k < 3; k++) {
        vec3 raw[RAW2], g[4];
        for (int i = 0; i < RAW2; i++) raw[i] = v3_scale(w[i], axis[k]);
        turn_gradient(raw, v->plus, g);
        add_forces(g, nu * along_rates(g, rate), out);
    }
}

void wy_kirchhoff_viscous(const wy_kirchhoff *p, const double *v, double *out) {
    const int direct = p->opt.damping == WY_KIRCHHOFF_DISSERTATION;
    for (int cell = 0; cell < p->n; cell++) {
        const interval in = interval_of(p, cell);
        const double *rate = &v[9 * cell];
        vec3 g[4];
        for (int end = 0; end < 2; end++) {
            const double nu = 0.5 * p->eta * p->nu[cell + end];
            if (direct)
                viscous_bend_direct(&in, end, p->kappa[cell + end], nu, rate, &out[9 * cell]);
            for (int k = 0; k < 3 && !direct; k++) {
                bend_gradient(&in, end, k, in.plus, p->work.eq.next->cell[cell].m[end], g);
                add_forces(g, nu * along_rates(g, rate), &out[9 * cell]);
            }
        }
        twist_gradient(in.plus, g);
        add_forces(g, p->nu_twist[cell] / p->eta * along_rates(g, rate), &out[9 * cell]);
    }
}
