/* ledger.c - the ledger as a table. */
#include "sink/ledger.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

#define AT(field) offsetof(withy_snapshot, field)

static const wy_ledger table[] = {
    {"kinetic", "J", "kinetic energy", 1, WITHY_HAVE_ENERGY, AT(energy.kinetic), 0},
    {"shear", "J", "shear energy", 1, WITHY_HAVE_ENERGY, AT(energy.shear), 0},
    {"stretch", "J", "stretching energy", 1, WITHY_HAVE_ENERGY, AT(energy.stretch), 0},
    {"bend", "J", "bending energy", 1, WITHY_HAVE_ENERGY, AT(energy.bend), 0},
    {"twist", "J", "twisting energy", 1, WITHY_HAVE_ENERGY, AT(energy.twist), 0},
    {"gravity", "J", "energy in the field of gravity", 1, WITHY_HAVE_ENERGY, AT(energy.gravity), 0},
    {"conserved", "J", "energy - work + dissipated: constant", 1, WITHY_HAVE_CONSERVED,
     AT(conserved), 0},
    {"conserved_at", "s", "the time it belongs to", 1, WITHY_HAVE_CONSERVED, AT(conserved_at), 0},
    {"work", "J", "done by loads and driven ends since t = 0", 1, WITHY_HAVE_WORK, AT(work), 0},
    {"dissipated", "J", "lost to damping since t = 0", 1, WITHY_HAVE_WORK, AT(dissipated), 0},
    {"momentum", "kg m/s", "linear momentum", 3, WITHY_HAVE_MOMENTUM, AT(momentum), 0},
    {"angular_momentum", "kg m^2/s", "about the laboratory origin", 3, WITHY_HAVE_MOMENTUM,
     AT(angular_momentum), 0},
    {"constraint", "-", "largest violation of the method's constraints", 1, WITHY_HAVE_CONSTRAINT,
     AT(constraint), 0},
    {"reaction_start", "N", "force of the support on the rod at s = 0", 3, WITHY_HAVE_REACTION,
     AT(reaction[0]), 0},
    {"reaction_finish", "N", "force of the support on the rod at s = L", 3, WITHY_HAVE_REACTION,
     AT(reaction[1]), 0},
    {"reaction_moment_start", "N m", "moment of the support on the rod at s = 0", 3,
     WITHY_HAVE_REACTION_MOMENT, AT(reaction_moment[0]), 0},
    {"reaction_moment_finish", "N m", "moment of the support on the rod at s = L", 3,
     WITHY_HAVE_REACTION_MOMENT, AT(reaction_moment[1]), 0},
    {"touch_energy", "J", "energy of contacts and of what sticks", 1, WITHY_HAVE_CONTACT,
     AT(touch_energy), 0},
    {"touch_lost", "J", "lost to friction and damping of contacts since t = 0", 1,
     WITHY_HAVE_CONTACT, AT(touch_lost), 0},
    {"touch_depth", "-",
     "largest overlap since t = 0 over the radius, of a body over half its smallest side", 1,
     WITHY_HAVE_CONTACT, AT(touch_depth), 0},
    {"damping", "-", "damping ratio of the mode", 1, WITHY_HAVE_MODE, AT(vibration.damping), 0},
    {"growth", "1/s", "growth rate of the mode", 1, WITHY_HAVE_MODE, AT(vibration.growth), 0},
    {"kind", "-", "of the mode: 0 stable, 1 overdamped, 2 neutral, 3 flutter, 4 divergence", 1,
     WITHY_HAVE_MODE, AT(vibration.kind), 1},
    {"frequency_error", "Hz", "error of the frequency", 1, WITHY_HAVE_MODE_ERROR,
     AT(vibration.frequency_error), 0},
    {"damping_error", "-", "error of the damping ratio", 1, WITHY_HAVE_MODE_ERROR,
     AT(vibration.damping_error), 0},
    {"growth_error", "1/s", "error of the growth rate", 1, WITHY_HAVE_MODE_ERROR,
     AT(vibration.growth_error), 0},
    {"unstable", "-", "unstable directions of the equilibrium, -1: not known", 1,
     WITHY_HAVE_VERDICT, AT(vibration.unstable), 1},
    {"neutral", "-", "directions of the equilibrium in which nothing resists", 1,
     WITHY_HAVE_VERDICT, AT(vibration.neutral), 1},
    {"iterations", "-", "of the solver in the last step", 1, 0, AT(iterations), 1},
};

const wy_ledger *wy_ledger_list(int *count) {
    *count = sizeof table / sizeof *table;
    return table;
}

void wy_ledger_get(const wy_ledger *entry, const withy_snapshot *snap, double *out) {
    const char *from = (const char *)snap + entry->offset;
    if (entry->whole) {
        int number;
        memcpy(&number, from, sizeof number);
        *out = number;
    } else {
        memcpy(out, from, (size_t)entry->size * sizeof *out);
    }
}

void wy_ledger_put(const wy_ledger *entry, withy_snapshot *snap, const double *in) {
    char *to = (char *)snap + entry->offset;
    if (entry->whole) {
        const int number = fabs(*in) <= INT_MAX ? (int)*in : 0; /* a file may hold anything */
        memcpy(to, &number, sizeof number);
    } else {
        memcpy(to, in, (size_t)entry->size * sizeof *in);
    }
}
