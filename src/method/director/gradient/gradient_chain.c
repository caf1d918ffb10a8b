/* gradient_chain.c - a rod that belongs to no rigid group: its linear equations, by the elimination of its elements.
 *
 * Nothing couples such a rod to the rest of a network, and its matrix is a chain of elements, which wy_director_eliminate
 * eliminates in a third of the time that the blocks of gradient_network_matrix.c take.  With M what an end leaves free,
 *
 *   B = M A + (1 - M),   A = dF/dq+            B dq+ = M side + (1 - M) given,      B^T mu = dJ/dq+            (1)
 *
 * The sweep is made at the solution, not taken from Newton's last iteration, and so gives A and its factors at once;
 * one correction with A removes what rounding of the elimination loses in a thin rod, and a little of W, without which the
 * tangent of an equilibrium is singular where a rod may turn about itself.  Forwards x = B^-1 y is: hold,
 * eliminate, invert the last front, substitute back (element.c); transposed it is the same steps in reverse, each
 * transposed (docs/theory/gradient.md).  Compiled with fused multiply-add, as element.c.
 */
#define WY_PACK_IS_REGISTER /* solve_lanes */
#include "method/director/gradient/gradient.h"

#include "numeric/linear/linear.h"

enum { REFINEMENTS = 4 };
static const double REFINED = 3e-7; /* a correction: the next would be its square, or rounding */

void wy_chain_factor(wy_director *x) {
    double side[6];
    wy_director_step *step = x->step;
    const wy_director_step kept = *step;
    step->has_stress_of_guess = step->keeps = 1,
    step->plus = x->slopes->plus; /* sigma is the stress itself */
    if (!step->dynamic) step->weighed = 1, step->shift = -wy_director_regularisation(x);
    wy_director_eliminate(x, side);
    step->has_stress_of_guess = 0, step->keeps = kept.keeps, step->plus = NULL;
    step->weighed = kept.weighed, step->shift = kept.shift;
}

/* ---- eight right sides -------------------------------------------------------------------------------- */

static int in_own_axes(const wy_director_end *end) {
    return end->slides || (end->holds_frame && end->turns_free);
}

static void hold_side(const wy_director *x, int which, packed *side, const packed given[6]) {
    const wy_director_end *end = &x->plan.end[which];
    const double *size = x->step->end[which].size;
    if (!in_own_axes(end)) {
        for (int i = 0; i < 6; i++)
            if (i < 3 ? end->places : end->holds_frame) side[i] = size[i] * given[i];
        return;
    }
    for (int l = 0; l < WY_LANES; l++) {
        double in[6], out[6];
        for (int i = 0; i < 6; i++) in[i] = given[i][l], out[i] = side[i][l];
        wy_director_hold_side(x, which, in, out);
        for (int i = 0; i < 6; i++) side[i][l] = out[i];
    }
}

static void hold_back(const wy_director *x, int which, packed *change) {
    if (!in_own_axes(&x->plan.end[which])) return;
    for (int l = 0; l < WY_LANES; l++) {
        double c[6];
        for (int i = 0; i < 6; i++) c[i] = change[i][l];
        wy_director_hold_back(x, which, c);
        for (int i = 0; i < 6; i++) change[i][l] = c[i];
    }
}

/* numeric/linear/frontal.h: frontal_again. */
WY_ALWAYS void again(const int p, const int b, const double *keep, packed *f, int first) {
    pack y[6];
    for (int i = 0; i < 6; i++) {
        y[i] = splat(0);
        for (int k = 0; k < 6; k++)
            y[i] += keep[(6 * b + i) * 6 + k] * pack_of(&f[6 * b + k], first);
    }
    for (int i = 0; i < 6 * (p + 1); i++) {
        if (i / 6 == b) continue;
        pack sum = pack_of(&f[i], first);
        for (int k = 0; k < 6; k++) sum -= keep[i * 6 + k] * y[k];
        pack_to(&f[i], first, sum);
    }
    for (int i = 0; i < 6; i++) pack_to(&f[6 * b + i], first, y[i]);
}

/* The rows of all elements, and back. */
WY_ALWAYS void eliminate(const int p, const wy_director *x, packed *side, int first) {
    const int rows = 6 * (p + 1);
    for (int e = 0; e < x->plan.n; e++)
        for (int b = 0; b < p; b++)
            again(p, b, &x->keep[((size_t)e * (size_t)p + (size_t)b) * (size_t)rows * 6],
                  &side[6 * e * p], first);
}
WY_ALWAYS void substitute(const int p, const wy_director *x, packed *side, int first) {
    for (int e = x->plan.n - 1; e >= 0; e--) {
        const double *panel = &x->panel[(size_t)e * 6 * (size_t)p * WY_DIRECTOR_PANEL];
        pack next[6];
        for (int j = 0; j < 6; j++) next[j] = pack_of(&side[6 * (e + 1) * p + j], first);
        for (int i = 0; i < 6 * p; i++) {
            pack sum = pack_of(&side[6 * e * p + i], first);
            for (int j = 0; j < 6; j++) sum -= panel[i * WY_DIRECTOR_PANEL + j] * next[j];
            pack_to(&side[6 * e * p + i], first, sum);
        }
    }
}

/* side := B^-1 side */
WY_ALWAYS void solve(const int p, const wy_director *x, packed *side) {
    packed *end = &side[6 * (x->plan.node_count - 1)], given[2][6], z[6];
    for (int i = 0; i < 6; i++) given[0][i] = side[i], given[1][i] = end[i];
    hold_side(x, 0, side, given[0]);
    WY_EACH_PART(first) eliminate(p, x, side, first);
    hold_side(x, 1, end, given[1]);
    for (int i = 0; i < 6; i++) {
        z[i] = x->step->last[i][0] * end[0];
        for (int k = 1; k < 6; k++) z[i] += x->step->last[i][k] * end[k];
    }
    for (int i = 0; i < 6; i++) end[i] = z[i];
    hold_back(x, 1, end);
    WY_EACH_PART(first) substitute(p, x, side, first);
    hold_back(x, 0, side);
}

static void solve_lanes(const wy_director *x, packed *side) {
    WY_FOR_DEGREE(x->plan.p, solve, x, side)
}

/* M side + (1 - M) (given - change) at the ends of the rod; change NULL: none yet. */
static void hold_ends(const wy_director *x, int group, const packed *change, packed *side) {
    for (int i = 0; i < 2; i++) {
        const int at = 6 * x->plan.end[i].node;
        const wy_slope_act *to = &x->slopes->acting[group].act[i];
        wy_slope_hold_end(x, i, to, change ? &change[at] : NULL, &side[at]);
    }
}

static int node_row(const wy_system *s, int k) {
    (void)s;
    return 6 * k;
}

static void solve_eight(const wy_system *s, double *b) {
    solve_lanes(s->self, (packed *)(void *)b);
}

/* side - B change */
static void miss_eight(const wy_system *s, const double *change, double *rest) {
    const wy_director *x = s->self;
    const packed *v = (const packed *)(const void *)change;
    packed *side = (packed *)(void *)rest;
    memcpy(side, wy_slope_side(x, s->which), (size_t)s->rows * sizeof *side);
    if (v) wy_slope_plus_times(x, v, side);
    hold_ends(x, s->which, v, side);
}

/* A moment counts by its force, a turn by its way, at the other end of the rod. */
static wy_system system_of(wy_director *x) {
    const double unit = 1.0 / (x->plan.length * x->plan.length);
    return (wy_system){.self = x,
                       .rows = x->slopes->rows,
                       .lanes = 1,
                       .nodes = x->plan.node_count,
                       .weight = {1, unit},
                       .node = node_row,
                       .most = REFINEMENTS,
                       .enough = REFINED};
}

double wy_chain_solve(wy_director *x, int group) {
    wy_system s = system_of(x);
    s.which = group, s.lanes = WY_LANES, s.solve = solve_eight, s.miss = miss_eight;
    s.weight[0] = s.weight[1], s.weight[1] = 1;
    return wy_system_solve(&s, (double *)x->slopes->change, (double *)x->slopes->rest);
}

/* ---- transposed ----------------------------------------------------------------------------------------- */

/* wy_director_hold_side, transposed: held rows were given, and all go back to laboratory axes. */
static void hold_side_transposed(const wy_director *x, int which, double *side, double given[6]) {
    for (int i = 0; i < 6; i++) {
        const int held = wy_director_holds(&x->plan.end[which], i);
        given[i] = held ? x->step->end[which].size[i] * side[i] : 0;
        if (held) side[i] = 0;
    }
    wy_director_hold_back(x, which, side), wy_director_hold_back(x, which, given);
}

/* frontal_again, transposed. */
WY_ALWAYS void again_transposed(const int p, const int b, const double *keep, double *f) {
    double y[6];
    for (int k = 0; k < 6; k++) y[k] = f[6 * b + k];
    for (int i = 0; i < 6 * (p + 1); i++) {
        if (i / 6 == b) continue;
        for (int k = 0; k < 6; k++) y[k] -= keep[i * 6 + k] * f[i];
    }
    double out[6] = {0};
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++) out[k] += keep[(6 * b + i) * 6 + k] * y[i];
    for (int k = 0; k < 6; k++) f[6 * b + k] = out[k];
}

/* side := B^-T side */
WY_ALWAYS void solve_transposed(const int p, const wy_director *x, double *side) {
    const int rows = 6 * (p + 1);
    double *end = &side[6 * (x->plan.node_count - 1)], given[6], z[6] = {0};
    wy_director_own_axes(x, 0, side);
    for (int e = 0; e < x->plan.n; e++) {
        const double *panel = &x->panel[(size_t)e * 6 * (size_t)p * WY_DIRECTOR_PANEL];
        double *next = &side[6 * (e + 1) * p];
        for (int i = 0; i < 6 * p; i++)
            for (int j = 0; j < 6; j++)
                next[j] -= panel[i * WY_DIRECTOR_PANEL + j] * side[6 * e * p + i];
    }
    wy_director_own_axes(x, 1, end);
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++) z[k] += x->step->last[i][k] * end[i];
    for (int k = 0; k < 6; k++) end[k] = z[k];
    hold_side_transposed(x, 1, end, given);
    for (int e = x->plan.n - 1; e >= 0; e--)
        for (int b = p - 1; b >= 0; b--)
            again_transposed(p, b, &x->keep[((size_t)e * (size_t)p + (size_t)b) * (size_t)rows * 6],
                             &side[6 * e * p]);
    for (int i = 0; i < 6; i++) end[i] += given[i];
    hold_side_transposed(x, 0, side, given);
    for (int i = 0; i < 6; i++) side[i] += given[i];
}

static void solve_one(const wy_system *s, double *b) {
    const wy_director *x = s->self;
    WY_FOR_DEGREE(x->plan.p, solve_transposed, x, b)
}

/* side - B^T mu, of now.mu */
static void miss_one(const wy_system *s, const double *mu, double *rest) {
    wy_director *x = s->self;
    const wy_adjoint_now *now = &x->slopes->now;
    double held[2][6];
    if (!mu) {
        memcpy(rest, now->side, (size_t)s->rows * sizeof *rest);
        return;
    }
    for (int i = 0; i < 2; i++) wy_slope_part_held(x, i, held[i]);
    memset(rest, 0, (size_t)s->rows * sizeof *rest);
    wy_slope_plus_transposed(x, mu, rest);
    for (int n = 0; n < 12; n++) {
        const int at = 6 * x->plan.end[n / 6].node + n % 6;
        rest[at] += held[n / 6][n % 6], now->mu[at] += held[n / 6][n % 6];
    }
    for (int i = 0; i < s->rows; i++) rest[i] = now->side[i] - rest[i];
}

double wy_chain_solve_transposed(wy_director *x) {
    wy_system s = system_of(x);
    s.solve = solve_one, s.miss = miss_one;
    return wy_system_solve(&s, x->slopes->now.mu, x->slopes->now.rest);
}
