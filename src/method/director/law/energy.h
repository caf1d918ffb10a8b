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

/* V and its derivatives at the strains e of a Gauss point.  Strains that no section has: NaN, and the step fails. */
typedef void wy_energy_of(const wy_director *x, int at, const double e[6], wy_energy *out);

/* The entries of wy_section_law of a law that has it. */
void wy_energy_step(wy_energy_of *of, const wy_director *x, int at, wy_law_out *out);
void wy_energy_stress(wy_energy_of *of, const wy_director *x, int at, const lane s[2], lane out[2]);
void wy_energy_slope(wy_energy_of *of, const wy_director *x, int at, const lane s[2], wy_slope out);
void wy_energy_by_strains(wy_energy_of *of, const wy_director *x, int at, lane out[2]);
