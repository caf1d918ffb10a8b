/* gradient_chain.c - a rod that belongs to no cluster: its linear equations, by the elimination of its elements.
 *
 * Nothing couples such a rod to the rest of a network, and its matrix is a chain of elements, which wy_director_sweep
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
#include "method/director/gradient.h"

#include <string.h>

enum { REFINEMENTS = 4 };
static const double REFINED = 3e-7; /* a correction: the next would be its square, or rounding */

void wy_chain_factor(wy_director *x) {
    double side[6];
    wy_director_step *step = x->step;
    const wy_director_step kept = *step;
    step->fresh = step->keeps = 1, step->plus = x->slopes->plus; /* sigma is the stress itself */
    if (!step->dynamic) step->weighed = 1, step->shift = -wy_director_little(x);
    wy_director_sweep(x, side);
    step->fresh = 0, step->keeps = kept.keeps, step->plus = NULL;
    step->weighed = kept.weighed, step->shift = kept.shift;
}

/* ---- eight right sides -------------------------------------------------------------------------------- */

static int in_own_axes(const wy_director_end *end) {
    return end->slides || (end->holds_frame && end->turns_free);
}

static void hold_side(const wy_director *x, int which, pack *side, const pack given[6]) {
    const wy_director_end *end = &x->plan.end[which];
    const double *size = x->step->end[which].size;
    if (!in_own_axes(end)) {
        for (int i = 0; i < 6; i++)
            if (i < 3 ? end->places : end->holds_frame) side[i] = size[i] * given[i];
        return;
    }
    for (int l = 0; l < WY_PACK; l++) {
        double in[6], out[6];
        for (int i = 0; i < 6; i++) in[i] = given[i][l], out[i] = side[i][l];
        wy_director_hold_side(x, which, in, out);
        for (int i = 0; i < 6; i++) side[i][l] = out[i];
    }
}

static void hold_back(const wy_director *x, int which, pack *change) {
    if (!in_own_axes(&x->plan.end[which])) return;
    for (int l = 0; l < WY_PACK; l++) {
        double c[6];
        for (int i = 0; i < 6; i++) c[i] = change[i][l];
        wy_director_hold_back(x, which, c);
        for (int i = 0; i < 6; i++) change[i][l] = c[i];
    }
}

/* numeric/frontal.h: frontal_again. */
WY_ALWAYS void again(const int p, const int b, const double *keep, pack *f) {
    pack y[6];
    for (int i = 0; i < 6; i++) {
        y[i] = splat(0);
        for (int k = 0; k < 6; k++) y[i] += keep[(6 * b + i) * 6 + k] * f[6 * b + k];
    }
    for (int i = 0; i < 6 * (p + 1); i++) {
        if (i / 6 == b) continue;
        for (int k = 0; k < 6; k++) f[i] -= keep[i * 6 + k] * y[k];
    }
    for (int i = 0; i < 6; i++) f[6 * b + i] = y[i];
}

/* side := B^-1 side */
WY_ALWAYS void solve(const int p, const wy_director *x, pack *side) {
    const int rows = 6 * (p + 1);
    pack *end = &side[6 * (x->plan.node_count - 1)], first[6], last[6], z[6];
    for (int i = 0; i < 6; i++) first[i] = side[i], last[i] = end[i];
    hold_side(x, 0, side, first);
    for (int e = 0; e < x->plan.n; e++)
        for (int b = 0; b < p; b++)
            again(p, b, &x->keep[((size_t)e * (size_t)p + (size_t)b) * (size_t)rows * 6],
                  &side[6 * e * p]);
    hold_side(x, 1, end, last);
    for (int i = 0; i < 6; i++) {
        z[i] = splat(0);
        for (int k = 0; k < 6; k++) z[i] += x->step->last[i][k] * end[k];
    }
    for (int i = 0; i < 6; i++) end[i] = z[i];
    hold_back(x, 1, end);
    for (int e = x->plan.n - 1; e >= 0; e--) {
        const double *panel = &x->panel[(size_t)e * 6 * (size_t)p * WY_DIRECTOR_PANEL];
        const pack *next = &side[6 * (e + 1) * p];
        for (int i = 0; i < 6 * p; i++)
            for (int j = 0; j < 6; j++)
                side[6 * e * p + i] -= panel[i * WY_DIRECTOR_PANEL + j] * next[j];
    }
    hold_back(x, 0, side);
}

static void solve_lanes(const wy_director *x, pack *side) {
    WY_FOR_DEGREE(x->plan.p, solve, x, side)
}

/* M side + (1 - M) (given - change) at the ends of the rod; change NULL: none yet. */
static void hold_ends(const wy_director *x, int group, const pack *change, pack *side) {
    for (int i = 0; i < 2; i++) {
        const int at = 6 * x->plan.end[i].node;
        const wy_slope_act *to = &x->slopes->acting[group].act[i];
        wy_slope_hold_end(x, i, to, change ? &change[at] : NULL, &side[at]);
    }
}

/* rest = side - B change */
static void remaining(const wy_director *x, int group) {
    const wy_slopes *s = x->slopes;
    memcpy(s->rest, wy_slope_side(x, group), (size_t)s->rows * sizeof *s->rest);
    wy_slope_plus_times(x, s->change, s->rest);
    hold_ends(x, group, s->change, s->rest);
}

/* The largest correction of a lane over its change, by their mean squares. */
static double fault_of(const wy_director *x) {
    const wy_slopes *s = x->slopes;
    const double unit = 1.0 / (x->plan.length * x->plan.length);
    pack small = splat(0), whole = splat(0);
    for (int i = 0; i < 6 * x->plan.node_count; i++) {
        const double k = i % 6 < 3 ? unit : 1;
        small += k * s->rest[i] * s->rest[i], whole += k * s->change[i] * s->change[i];
    }
    double most = 0;
    for (int l = 0; l < WY_PACK; l++)
        if (whole[l] > 0) most = wy_max(most, small[l] / whole[l]);
    return sqrt(most);
}

double wy_chain_solve(wy_director *x, int group) {
    wy_slopes *s = x->slopes;
    const int count = 6 * x->plan.node_count;
    double fault = 1;
    memcpy(s->change, wy_slope_side(x, group), (size_t)count * sizeof *s->change);
    hold_ends(x, group, NULL, s->change);
    solve_lanes(x, s->change);
    for (int k = 0; k < REFINEMENTS && fault > REFINED; k++) {
        remaining(x, group);
        solve_lanes(x, s->rest);
        for (int i = 0; i < count; i++) s->change[i] += s->rest[i];
        fault = fault_of(x);
    }
    return fault;
}

/* ---- transposed ----------------------------------------------------------------------------------------- */

/* wy_director_hold_back, transposed. */
static void hold_back_transposed(const wy_director *x, int which, double *side) {
    const wy_director_end *end = &x->plan.end[which];
    if (end->slides) v3_to(m3_tmul(end->track, v3_from(side)), side);
    if (end->holds_frame && end->turns_free)
        v3_to(m3_tmul(x->step->end[which].target, v3_from(side + 3)), side + 3);
}

/* wy_director_hold_side, transposed: of side what goes to `given`, and what stays. */
static void hold_side_transposed(const wy_director *x, int which, double *side, double given[6]) {
    const wy_director_end *end = &x->plan.end[which];
    const wy_director_end_step *to = &x->step->end[which];
    for (int i = 0; i < 6; i++) {
        const int held = wy_director_holds(end, i);
        given[i] = held ? to->size[i] * side[i] : 0;
        if (held) side[i] = 0;
    }
    double *const both[2] = {side, given};
    for (int k = 0; k < 2; k++) {
        if (end->slides) v3_to(m3_mul(end->track, v3_from(both[k])), both[k]);
        if (end->holds_frame && end->turns_free)
            v3_to(m3_mul(to->target, v3_from(both[k] + 3)), both[k] + 3);
    }
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
    hold_back_transposed(x, 0, side);
    for (int e = 0; e < x->plan.n; e++) {
        const double *panel = &x->panel[(size_t)e * 6 * (size_t)p * WY_DIRECTOR_PANEL];
        double *next = &side[6 * (e + 1) * p];
        for (int i = 0; i < 6 * p; i++)
            for (int j = 0; j < 6; j++)
                next[j] -= panel[i * WY_DIRECTOR_PANEL + j] * side[6 * e * p + i];
    }
    hold_back_transposed(x, 1, end);
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

static void solve_back(const wy_director *x, double *side) {
    WY_FOR_DEGREE(x->plan.p, solve_transposed, x, side)
}

/* rest = side - B^T mu */
static void remaining_transposed(wy_director *x) {
    const wy_adjoint_now *now = &x->slopes->now;
    const int count = x->slopes->rows;
    double held[2][6];
    for (int i = 0; i < 2; i++) wy_slope_part_held(x, i, held[i]);
    memset(now->rest, 0, (size_t)count * sizeof *now->rest);
    wy_slope_plus_transposed(x, now->mu, now->rest);
    for (int n = 0; n < 12; n++) {
        const int at = 6 * x->plan.end[n / 6].node + n % 6;
        now->rest[at] += held[n / 6][n % 6], now->mu[at] += held[n / 6][n % 6];
    }
    for (int i = 0; i < count; i++) now->rest[i] = now->side[i] - now->rest[i];
}

/* Moments count by their force at the other end of the rod. */
static double size_of(const wy_director *x, const double *a) {
    const double unit = 1.0 / (x->plan.length * x->plan.length);
    double sum = 0;
    for (int i = 0; i < 6 * x->plan.node_count; i++) sum += (i % 6 < 3 ? 1 : unit) * a[i] * a[i];
    return sqrt(sum);
}

double wy_chain_solve_transposed(wy_director *x) {
    wy_adjoint_now *now = &x->slopes->now;
    const size_t count = 6 * (size_t)x->plan.node_count;
    double fault = 1;
    memcpy(now->mu, now->side, count * sizeof *now->mu);
    solve_back(x, now->mu);
    for (int k = 0; k < REFINEMENTS && fault > REFINED; k++) {
        remaining_transposed(x);
        solve_back(x, now->rest);
        for (size_t i = 0; i < count; i++) now->mu[i] += now->rest[i];
        const double size = size_of(x, now->mu);
        fault = size > 0 ? size_of(x, now->rest) / size : 0;
    }
    return fault;
}
