/* law_cable.c - the stress of a cable: tension N of its stretch e, and nothing else.
 *
 *   W = EA e^2/2,  e = |r'| - rest;  0 where e < 0, unless rod.compression                                     (1)
 *   N = (W+ - W-)/(e+ - e-)   which works W+ - W- exactly; by cases, so that nothing is divided by a difference
 *                             of two strains of one sign:                                                      (2)
 *       both taut  EA (e+ + e-)/2       the end  EA e+^2/(2 (e+ - e-))       the start  EA e-^2/(2 (e- - e+))
 *
 * Viscosity acts on the taut part of the stretch, c (max(e+, 0) - max(e-, 0))/h, and makes no pressure: a slack cable does not
 * resist.  It stands in the place of the viscosity of shear, which a cable does not have.
 */
#include "method/director/law/law.h"
#include "method/director/network.h"

static int acts(const wy_director_plan *plan) {
    return plan->rod->kind == WITHY_CABLE;
}

static double viscosity(const wy_director_section *g) {
    return g->cv[0][WITHY_SHEAR1];
}

static double taut(const wy_director *x, double e) {
    return x->plan.rod->compression ? e : wy_max(e, 0.0);
}

/* Over EA: (2) and its derivative by e+. */
static double mean(double minus, double plus, double *slope) {
    const double low = wy_max(minus, 0.0), high = wy_max(plus, 0.0), apart = plus - minus;
    *slope = 0;
    if (!(low > 0) && !(high > 0)) return 0;
    if (low > 0 && high > 0) return *slope = 0.5, 0.5 * (low + high);
    if (high > 0)
        *slope = high * (plus - 2 * minus) / (2 * apart * apart);
    else
        *slope = low * low / (2 * apart * apart);
    return (high + low) * (high - low) / (2 * apart);
}

/* The tension has a kink. */
static void turn(const wy_director *x) {
    if (x->within) x->within->rigid.step->turns = 1;
}

static void step(const wy_director *x, int at, double *after, wy_law_out *out) {
    (void)after;
    const wy_director_section *g = &x->plan.section[at];
    const double ea = g->c[0][WITHY_STRETCH], rest = g->rest[0][WITHY_STRETCH];
    const double plus = x->stress[at].plus[0][WITHY_STRETCH] - rest;
    const double minus = x->strain[at].start[0][WITHY_STRETCH] - rest;
    double n, slope;
    *out = (wy_law_out){0};
    if (!x->step->dynamic) {
        n = taut(x, plus), slope = x->plan.rod->compression || plus > 0;
    } else if (x->plan.rod->compression) {
        n = 0.5 * (plus + minus), slope = 0.5;
    } else {
        n = mean(minus, plus, &slope);
        if ((plus > 0) != (minus > 0)) turn(x);
    }
    const double c = viscosity(g) * x->step->per, rate = taut(x, plus) - taut(x, minus);
    if (!x->plan.rod->compression &&
        ea * n + c * rate < 0) { /* what is lost is all that was stored */
        turn(x), out->loss = -ea * n * (plus - minus);
        return;
    }
    out->stress[0][WITHY_STRETCH] = ea * n + c * rate;
    out->slope[WITHY_STRETCH][0][WITHY_STRETCH] =
        ea * slope + (plus > 0 || x->plan.rod->compression ? c : 0.0);
    out->loss = c * rate * (plus - minus);
}

/* With the viscous part of the last step, so far as the cable is taut now. */
static void stress(const wy_director *x, int at, const lane s[2], lane out[2]) {
    const wy_director_section *g = &x->plan.section[at];
    const double e = s[0][WITHY_STRETCH] - g->rest[0][WITHY_STRETCH];
    out[0] = out[1] = lane_all(0);
    out[0][WITHY_STRETCH] = g->c[0][WITHY_STRETCH] * taut(x, e);
    if (taut(x, e) != 0)
        out[0][WITHY_STRETCH] += viscosity(g) * x->strain[at].rate[0][WITHY_STRETCH];
    if (!x->plan.rod->compression) out[0][WITHY_STRETCH] = wy_max(out[0][WITHY_STRETCH], 0);
}

static void slope(const wy_director *x, int at, const lane s[2], wy_slope out) {
    const wy_director_section *g = &x->plan.section[at];
    const double e = s[0][WITHY_STRETCH] - g->rest[0][WITHY_STRETCH];
    for (int i = 0; i < 12; i++) out[i / 2][i % 2] = lane_all(0);
    if (x->plan.rod->compression || e > 0)
        out[WITHY_STRETCH][0][WITHY_STRETCH] = g->c[0][WITHY_STRETCH];
}

static void energy(const wy_director *x, int at, lane out[2]) {
    const wy_director_section *g = &x->plan.section[at];
    const double e = taut(x, x->strain[at].start[0][WITHY_STRETCH] - g->rest[0][WITHY_STRETCH]);
    out[0] = out[1] = lane_all(0);
    out[0][WITHY_STRETCH] = g->c[0][WITHY_STRETCH] * e * e;
}

const wy_section_law wy_law_cable = {.name = "cable",
                                     .general = 1,
                                     .acts = acts,
                                     .step = step,
                                     .stress = stress,
                                     .slope = slope,
                                     .energy = energy};
