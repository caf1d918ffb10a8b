/* energy.h - sections with any stored energy V(e), e = S - S0: their step conserves it exactly.
 *
 *   s = (g_1 + g_2)/2,   g_q = V'(e- + x_q de),   x_q = 1/2 -+ 1/(2 sqrt 3)                                       (1)
 *   rest = V+ - V- - s . de:   s += rest G de/(de . G de)                                                         (2)
 *
 * (1) is the mean of V' over the line of strain by two Gauss points; what its work misses of V+ - V-, of fifth order in de, goes
 * along G de, with the stiffness G at rest.  The slope is that of both.
 *
 * V must be computed without differences of large numbers: the rounding of rest would go into s over de.
 */
#pragma once

#include "method/director/law/law.h"

typedef struct wy_energy {
    double by[6]; /* V by strains, in the order of S [J/m] */
    double d[6], dd[6][6];
} wy_energy;

/* wy_energy_of of the law: V and its derivatives at the strains e of a Gauss point.  Strains that no section has: NaN, and the
 * step fails.  The entries of wy_section_law that follow from it: */
#define WY_LAW_OF_ENERGY                                                                           \
    .general = 1, .coupled = 1, .step = wy_energy_step, .stress = wy_energy_stress,                \
    .slope = wy_energy_slope, .energy = wy_energy_by_strains
void wy_energy_step(const wy_director *x, int at, double *after, wy_law_out *out);
void wy_energy_stress(const wy_director *x, int at, const lane s[2], lane out[2]);
void wy_energy_slope(const wy_director *x, int at, const lane s[2], wy_slope out);
void wy_energy_by_strains(const wy_director *x, int at, lane out[2]);
