/* section.h - what a section makes of its strains: linear elasticity, and added viscosity.
 *
 *   stress = C (S - S0) + Cv dS/dt,     V = (S - S0) . C (S - S0)/2        S = (Gamma, K), k = 0 and 1
 *
 * Everything that asks for the stress or the energy of given strains asks here; the step takes the stress of the mean of S- and
 * S+, whose work over the step is V+ - V- exactly because V is quadratic.
 */
#pragma once

#include "method/director/director.h"

static inline lane wy_section_stress(const wy_director_section *g, int k, lane s) {
    return g->c[k] * (s - g->rest[k]);
}

/* Twice V by strains, per length. */
static inline lane wy_section_energy(const wy_director_section *g, int k, lane s) {
    const lane e = s - g->rest[k];
    return g->c[k] * e * e;
}
