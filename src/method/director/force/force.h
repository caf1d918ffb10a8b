/* force.h - forces of a field on the nodes of a rod: what the medium around it and the floor do.
 *
 * A force is one file, director/force/force_NAME.c, with the functions declared here, and one row of force.inc; everything
 * else (residual, ledger, modes, derivatives) goes through the table of director/force/force.c.
 */
#pragma once

#include "method/director/gradient/gradient.h"

/* Of each force:
 *   acts       is there any in this scene?
 *   potential  at rest: does it have one?  (Else the tangent is not symmetric.)
 *   add        residual b += F and tangent a += dF/dq+ of node j, in a step or at rest
 *   energy     stored, where node j is at r                                                            [J]
 *   lost       in the step just solved, by node j; work that the force puts in without being lost: added to *work [J]
 *   damp       cv += C v of node j at rest, v and cv [6]
 *   derive     columns of F of node j by the fields (those by q- are of `add`, seen from the end of the step) */
#define WY_FORCE(NAME)                                                                             \
    int wy_force_##NAME##_acts(const wy_director_plan *plan);                                      \
    int wy_force_##NAME##_potential(const wy_director *x);                                         \
    void wy_force_##NAME##_add(const wy_director *x, int j, double a[6][6], double b[6]);          \
    double wy_force_##NAME##_energy(const wy_director *x, int j, vec3 r);                          \
    double wy_force_##NAME##_lost(const wy_director *x, int j, double *work);                      \
    void wy_force_##NAME##_damp(const wy_director *x, int j, const double *v, double *cv);         \
    void wy_force_##NAME##_derive(const wy_director *x, int j, wy_slope_columns *to);
#include "method/director/force/force.inc"
#undef WY_FORCE

/* All that act on a rod: plan->forces has a bit for each. */
void wy_forces_find(wy_director_plan *plan);
int wy_forces_potential(const wy_director *x);
void wy_forces_add(const wy_director *x, int j, double a[6][6], double b[6]);
double wy_forces_energy(const wy_director *x, int j, vec3 r);
double wy_forces_lost(const wy_director *x, int j, double *work);
void wy_forces_damp(const wy_director *x, int j, const double *v, double *cv);
void wy_forces_derive(const wy_director *x, int j, wy_slope_columns *to);
