/* law_matrix.c - linear elasticity with couplings: stress = C (S - S0) with a symmetric matrix C of rod.stiffness.matrix.
 *
 * The stress of a step is that of the mean of S- and S+, whose work is V+ - V- exactly because V is quadratic.  A rod with
 * rod.damping.matrix alone has this law too, with its diagonal C.  V by strains: of a coupling each strain has half.
 */
#include <string.h>

#include "method/director/law/law.h"

static int acts(const wy_director_plan *plan) {
    return wy_rod_has_matrix(plan->rod);
}

static void stress(const wy_director *x, int at, const lane s[2], lane out[2]) {
    const lane *rest = x->plan.section[at].rest;
    wy_law_matrix_times(x, at, (const lane[2]){s[0] - rest[0], s[1] - rest[1]}, out);
}

static void slope(const wy_director *x, int at, const lane s[2], wy_slope out) {
    (void)s;
    memcpy(out, x->plan.section[at].matrix->c, sizeof(wy_slope));
}

static void energy(const wy_director *x, int at, lane out[2]) {
    const lane *rest = x->plan.section[at].rest, *s = x->strain[at].start;
    stress(x, at, s, out);
    for (int k = 0; k < 2; k++) out[k] *= s[k] - rest[k];
}

const wy_section_law wy_law_matrix = {.name = "matrix",
                                      .general = 1,
                                      .coupled = 1,
                                      .acts = acts,
                                      .step = wy_law_matrix_step,
                                      .stress = stress,
                                      .slope = slope,
                                      .energy = energy};
