/* law_viscoelastic.c - a stress that relaxes: Prony series, exact along the line of strain of a step.
 *
 * Each term k has a share g_k of the stiffness C and a time tau_k; its overstrain z_k follows z' = e' - z/tau_k, and
 *
 *   stress = C ((1 - sum g_k) e + sum g_k z_k),      2 V = (1 - sum g_k) e.C e + sum g_k z_k.C z_k         e = S - S0
 *
 * With a constant rate de/h over the step, y = h/tau, E = exp(-y), a = (1 - E)/y, m = (1 - a)/y:
 *
 *   z+ = E z + a de,   mean of z = a z + m de,   slope of the mean = m                                          (1)
 *   loss = g [ (1 - E^2)/2 z.C z + (1 - E) a z.C de + ((1 - E^2)/2 - 2 (1 - E) + y)/y^2 de.C de ]               (2)
 *
 * so that no step is too long: nothing rings, and the loss is never negative.  At rest no time passes: all has relaxed, z = 0,
 * or (rod.law.static = "sudden") all is strained at once, z+ = z + de, from the strain of the last equilibrium, which
 * the history has.
 */
#include "method/director/law/viscoelastic.h"

static int history(const wy_director_plan *plan) {
    const withy_law *law = &plan->rod->law;
    return WY_TERM_SIZE * (law->term_count + (law->at_rest == WITHY_AT_REST_SUDDEN));
}

static int per_step(const wy_director_plan *plan) {
    return WY_RELAXING * plan->rod->law.term_count;
}

/* m and the last factor of (2) of short steps, where their formulas cancel. */
static void series(double y, double *m, double *ee) {
    double term = 1; /* (-y)^(n-1)/n!, as y^2 may be 0 */
    *m = 0.5, *ee = 0;
    for (int n = 2; n < 20; n++) {
        term *= -y / n;
        *m += term / (n + 1);
        if (n >= 3) *ee -= term / y * (2 - ldexp(0.5, n));
    }
}

static void begin(const wy_director *x, double *of_step) {
    static const double SHORT = 0.5;
    const withy_law *law = &x->plan.rod->law;
    wy_relaxing *out = (wy_relaxing *)(void *)of_step;
    for (int i = 0; i < law->term_count; i++) {
        const double y = x->step->h / law->term[i].time, lost = -expm1(-y), a = lost / y;
        wy_relaxing now = {.share = law->term[i].share, .decay = exp(-y), .a = a};
        now.zz = -0.5 * expm1(-2 * y), now.ze = lost * a;
        now.m = (1 - a) / y, now.ee = (now.zz - 2 * lost + y) / (y * y);
        if (y < SHORT) series(y, &now.m, &now.ee);
        out[i] = now;
    }
}

/* What C is multiplied with: (1 - sum g) e + sum g z. */
static void strain_of(const wy_director *x, int at, const lane s[2], lane out[2]) {
    const wy_relaxation_at r = wy_relaxation_of(&x->plan);
    const lane *rest = x->plan.section[at].rest, e[2] = {s[0] - rest[0], s[1] - rest[1]};
    for (int k = 0; k < 2; k++) out[k] = r.rest[k] * e[k];
    for (int i = 0; i < r.terms; i++) {
        lane z[2];
        wy_term_strain(&r, wy_section_before(x, at), i, e, z);
        for (int k = 0; k < 2; k++)
            out[k] += lane_all(x->plan.rod->law.term[i].share) * r.part[k] * z[k];
    }
}

static void stress(const wy_director *x, int at, const lane s[2], lane out[2]) {
    lane e[2];
    strain_of(x, at, s, e);
    wy_stiff_times(x, at, e, out);
}

/* As in the step: at rest what has relaxed has no stiffness. */
static void slope(const wy_director *x, int at, const lane s[2], wy_slope out) {
    (void)s;
    const wy_relaxation_at r = wy_relaxation_of(&x->plan);
    const lane all[2] = {lane_all(1), lane_all(1)};
    wy_stiff_slope(&x->plan.section[at], x->step->dynamic || r.sudden ? all : r.rest, out);
}

static void energy(const wy_director *x, int at, lane out[2]) {
    const wy_relaxation_at r = wy_relaxation_of(&x->plan);
    const lane *rest = x->plan.section[at].rest, *s = x->strain[at].start;
    const lane e[2] = {s[0] - rest[0], s[1] - rest[1]};
    wy_stiff_times(x, at, e, out);
    for (int k = 0; k < 2; k++) out[k] *= r.rest[k] * e[k];
    for (int i = 0; i < r.terms; i++) {
        lane z[2], cz[2];
        wy_term_strain(&r, wy_section_before(x, at), i, e, z);
        wy_stiff_times(x, at, z, cz);
        for (int k = 0; k < 2; k++)
            out[k] += lane_all(x->plan.rod->law.term[i].share) * r.part[k] * z[k] * cz[k];
    }
}

const wy_section_law wy_law_viscoelastic = {.name = "viscoelastic",
                                            .general = 1,
                                            .coupled = 1,
                                            .diagonal = 1,
                                            .loses = 1,
                                            .kind = WITHY_LAW_VISCOELASTIC,
                                            .history = history,
                                            .per_step = per_step,
                                            .begin = begin,
                                            .step = wy_law_viscoelastic_step,
                                            .stress = stress,
                                            .slope = slope,
                                            .energy = energy};
