/* tendon.h - tendons that run next to the centre line of a rod and pull on its sections.  Room: src/model.
 *
 *   l = (r x t, t),   t = p/|p|,   p = v + u x r + r'       r(s): route, material components
 *
 * is the wrench of a unit of tension on a section with strains xi = (u, v), angular part first, and the
 * change of the tendon's length with them.
 */
#pragma once

#include "model/model.h"

typedef struct wy_tendon {
    const withy_load *load;
    vec3 *r, *slope; /* [points] where it runs [m], dr/ds                                       */
    double *weight;  /* [points] share of the cell around the point where it runs              */
    double length0;  /* along the shape that the rod starts from [m]; the caller's             */
    double *rest;    /* [points] of a muscle: lengths of its fibres at rest; the caller's     */
    int first;       /* of a muscle: where its activations begin; the caller's                */
    int column;      /* number of its unknown tension; -1: given                               */
    const withy_load *by; /* whose tension or displacement it has: load, or what that continues */
} wy_tendon;

/* Where it runs, at count stations s of a rod, each amid a cell of this width. */
withy_status wy_tendon_trace(const withy_rod *rod, const withy_load *load, int count,
                             const double *s, double width, wy_arena *arena, wy_tendon *tendon,
                             withy_error *err);
/* l at a point; returns |p|. */
double wy_tendon_tension(const wy_tendon *tendon, int point, const double xi[6], double l[6]);
/* Kt += (tau/|p|) P^T (1 - t t^T) P with P = [-r^, 1]: the change of direction of the tendon. */
void wy_tendon_add_slope(double tau, vec3 r, vec3 t, double p, double kt[6][6]);
/* Its tension or the length pulled in, whichever is given, at t: constants are multiplied by the factor. */
withy_status wy_tendon_value(const wy_tendon *tendon, double t, double factor, double *value,
                             withy_error *err);
