/* law_linear.c - the linear law of a section, stress = C (S - S0): for all but the kernels, which have it inlined. */
#include "method/director/law/law.h"
#include "method/director/law/section.h"

static int acts(const wy_director_plan *plan) {
    return plan->n > 0;
}

static void set_slope(const wy_director_section *g, double beta, wy_slope out) {
    for (int i = 0; i < 12; i++) out[i / 2][i % 2] = lane_all(0);
    for (int i = 0; i < 6; i++) out[i][i / 3][i % 3] = beta * g->c[i / 3][i % 3];
}

/* The stress of the mean of S- and S+, whose work is V+ - V- exactly because V is quadratic. */
static void step(const wy_director *x, int at, double *after, wy_law_out *out) {
    (void)after;
    const wy_director_section *g = &x->plan.section[at];
    const lane beta = lane_all(x->step->beta), before = lane_all(1.0 - x->step->beta);
    for (int k = 0; k < 2; k++)
        out->stress[k] =
            wy_section_stress(g, k, beta * x->stress[at].plus[k] + before * x->strain[at].start[k]);
    set_slope(g, x->step->beta, out->slope);
    out->loss = 0;
}

static void stress(const wy_director *x, int at, const lane s[2], lane out[2]) {
    for (int k = 0; k < 2; k++) out[k] = wy_section_stress(&x->plan.section[at], k, s[k]);
}

void wy_law_linear_slope(const wy_director *x, int at, const lane s[2], wy_slope out) {
    (void)s;
    set_slope(&x->plan.section[at], 1.0, out);
}

static void energy(const wy_director *x, int at, lane out[2]) {
    for (int k = 0; k < 2; k++)
        out[k] = wy_section_energy(&x->plan.section[at], k, x->strain[at].start[k]);
}

const wy_section_law wy_law_linear = {.name = "linear",
                                      .acts = acts,
                                      .step = step,
                                      .stress = stress,
                                      .slope = wy_law_linear_slope,
                                      .energy = energy};

/* The same where strains at rest change: its step, not inlined, is given strains that are relative to them (law.c). */
static int is_active(const wy_director_plan *plan) {
    return wy_rod_is_active(plan->rod);
}

const wy_section_law wy_law_active = {.name = "strains at rest that change",
                                      .general = 1,
                                      .coupled = 1,
                                      .diagonal = 1,
                                      .acts = is_active,
                                      .step = step,
                                      .stress = stress,
                                      .slope = wy_law_linear_slope,
                                      .energy = energy};
