/* observe.h - what every method's snapshots have in common.  Room: src/observe. */
#pragma once

#include "base/base.h"
#include "model/model.h"
#include "withy/snapshot.h"

/* Arrays for count stations, from the arena; s is copied. */
withy_status wy_snapshot_make(wy_arena *arena, int count, const double *s, withy_snapshot *snap,
                              withy_error *err);

/* Everything needed to complete snapshots of a rod at fixed stations: sampled once, because the
 * section may be a function in the scene. */
typedef struct wy_observer {
    int count;
    vec3 gravity;
    double (*stiffness)[WITHY_STRAINS]; /* [count] */
    double (*inertia)[WITHY_INERTIAS];  /* [count] */
    double *weight;                     /* [count] trapezoidal rule over s */
} wy_observer;

withy_status wy_observer_make(wy_arena *arena, const withy_problem *problem, int rod,
                              const withy_snapshot *snap, wy_observer *observer, withy_error *err);

/* Fill what the method did not: n and m from the strains, energies and momenta by quadrature. */
void wy_observe(const wy_observer *observer, withy_snapshot *snap);

/* What a probe records; size 0: there is no such quantity. */
typedef struct wy_probed {
    const char *unit, *doc;
    int size;
} wy_probed;

wy_probed wy_probe_quantity(const withy_probe *probe);

/* NULL, or the name of the first filled field with a value that is not finite. */
const char *wy_snapshot_not_finite(const withy_snapshot *snap);
