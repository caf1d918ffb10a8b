/* account.h - one meaning of energy, conserved and drift in every method.
 *
 *     energy     kinetic + elastic + gravity + springs (floor included)                           [J]
 *     conserved  energy - work of loads and driven ends + what damping took                       [J]
 *     floor      what rounding alone makes of a rod at rest, in its first 10^4 steps              [J]
 *     scale      largest so far of kinetic + elastic + springs, |work| and loss; at least floor   [J]
 *     drift      largest |conserved - its first value| so far / scale; 0 where that is below floor [-]
 *
 * Gravity is left out of the scale: its zero is arbitrary, and what it gives or takes shows in the
 * others.  A method that does not sum work and loss has no drift while something works on the rod.
 */
#pragma once

#include "base/base.h"
#include "withy/sim.h"

/* The account begins; known = 0: work and loss are not summed, there is no drift. */
void wy_account_open(withy_stats *stats, double energy, double floor, int known);
/* The present energy, |conserved - its first value|, and the parts without sign. */
void wy_account_keep(withy_stats *stats, double energy, double off, double size);
/* A step was made, with so many iterations of its solver. */
void wy_account_step(withy_stats *stats, int64_t iterations);
/* What `off` is in units of the scale. */
double wy_account_drift(const withy_stats *stats);
