/* law_toy.c - a section whose bending stiffens: with q = (S - S0) . C (S - S0)/2 of the bending strains,
 *
 *   V = q (1 + a q),    moment of a step = C ebar (1 + a (q+ + q-)),    at rest C e (1 + 2 a q)        a = rod.toy
 *
 * whose work is V+ - V- exactly, because q+ - q- = ebar . C de.  q- is kept as a history, so that energy is conserved only
 * if the history is.  For the test that a section law is one file and one row. */
#include "method/director/law/law.h"
#include "method/director/law/section.h"

static int acts(const wy_director_plan *plan) {
    return plan->rod->toy > 0;
}

static int history(const wy_director_plan *plan) {
    (void)plan;
    return 1;
}

/* C e of bending, and q. */
static double bend(const wy_director *x, int at, lane k, double force[2]) {
    const lane m = wy_section_stress(&x->plan.section[at], 1, k),
               e = k - x->plan.section[at].rest[1];
    for (int i = 0; i < 2; i++) force[i] = m[i];
    return 0.5 * (m[0] * e[0] + m[1] * e[1]);
}

static void step(const wy_director *x, int at, double *after, wy_law_out *out) {
    const double a = x->plan.rod->toy, beta = x->step->beta;
    const lane *plus = x->stress[at].plus, *start = x->strain[at].start;
    double end[2], mean[2];
    after[0] = bend(x, at, plus[1], end);
    bend(x, at, lane_all(beta) * plus[1] + lane_all(1 - beta) * start[1], mean);
    const double stiffer = 1 + a * (after[0] + (x->step->dynamic ? x->history[at] : after[0]));
    wy_law_linear.step(x, at, NULL, out);
    for (int i = 0; i < 2; i++) {
        out->stress[1][i] *= stiffer, out->slope[3 + i][1][i] *= stiffer;
        for (int k = 0; k < 2; k++)
            out->slope[3 + i][1][k] += (x->step->dynamic ? 1 : 2) * a * mean[i] * end[k];
    }
}

static void stress(const wy_director *x, int at, const lane s[2], lane out[2]) {
    double force[2];
    wy_law_linear.stress(x, at, s, out);
    const double stiffer = 1 + 2 * x->plan.rod->toy * bend(x, at, s[1], force);
    for (int i = 0; i < 2; i++) out[1][i] *= stiffer;
}

static void slope(const wy_director *x, int at, const lane s[2], wy_slope out) {
    double force[2];
    const double a = x->plan.rod->toy, q = bend(x, at, s[1], force);
    wy_law_linear.slope(x, at, s, out);
    for (int i = 0; i < 4; i++)
        out[3 + i / 2][1][i % 2] =
            (1 + 2 * a * q) * out[3 + i / 2][1][i % 2] + 2 * a * force[i / 2] * force[i % 2];
}

static void energy(const wy_director *x, int at, lane out[2]) {
    double force[2];
    const double stiffer = 1 + x->plan.rod->toy * bend(x, at, x->strain[at].start[1], force);
    wy_law_linear.energy(x, at, out);
    for (int i = 0; i < 2; i++) out[1][i] *= stiffer;
}

const wy_section_law wy_law_toy = {.name = "toy",
                                   .general = 1,
                                   .acts = acts,
                                   .history = history,
                                   .step = step,
                                   .stress = stress,
                                   .slope = slope,
                                   .energy = energy};
