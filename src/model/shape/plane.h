/* plane.h - does everything lie in one plane?  Then three numbers per section do instead of seven.
 * Room: src/model.
 *
 * Vectors that must lie in the plane: tangents, chords, weight, forces, velocities, held positions.
 * Vectors that must be normal to it: moments, spins.  The sections must have a principal axis along
 * the normal.  Functions of time are evaluated at t = 0 and at times scattered over four decades, about
 * the rod's own slow motion and about 1 (seconds, or the factor of a path); what leaves the plane at
 * another time has to be refused when it happens.
 */
#pragma once

#include "model/model.h"

/* lab = x e1 + y e2 + height normal; the frame keeps the components of the normal and of
 * b = normal x d3 along (d1, d2). */
typedef struct wy_plane {
    vec3 e1, e2, normal;
    double height, normal_in[2], across_in[2];
} wy_plane;

/* A rod at count stations: what it starts from and what it is made of. */
typedef struct wy_stations {
    int count;
    const double *s;
    const wy_pose *pose;
    const wy_section_at *section;
    const double (*rest)[WITHY_STRAINS];
} wy_stations;

/* The scale of slow motions, the largest L^2 sqrt(rho / EI) [s]; a cantilever's first period is 1.8 of
 * it. */
double wy_slow_motion(double length, const wy_stations *at);
/* Rod number `rod`; *planar: is there one?  WY_PLANE_UNLESS: yes as far as anything is known; there are loads that see
 * the state, and these may leave it.  model may be NULL: the shape is followed anew. */
enum { WY_PLANE_NONE, WY_PLANE_FOUND, WY_PLANE_UNLESS };
withy_status wy_plane_find(const withy_problem *problem, const wy_model *model, int rod,
                           const wy_stations *at, wy_plane *plane, int *planar, withy_error *err);
/* One rod of a problem, before it is compiled. */
int wy_stays_in_plane(const withy_problem *problem, const withy_rod *rod);
