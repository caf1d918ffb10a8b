/* energy_of.h - the energy of a snapshot, where the method sums work and loss. */
#pragma once

#include "withy/snapshot.h"

/* conserved = energy - work + dissipated: the method's own discrete energy (H of [EL], [KS]) [J]. */
static inline double energy_of(const withy_snapshot *snap) {
    return snap->conserved + snap->work - snap->dissipated;
}
