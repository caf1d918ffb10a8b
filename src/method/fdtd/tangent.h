/* tangent.h - the stiffness matrix of the discrete rod: for equilibria and modes. */
#pragma once

#include "method/fdtd/fdtd.h"
#include "numeric/banded.h"

/* Row of an operator: weight[c] belongs to point first + c. */
enum { WY_FDTD_REACH = 12 };
typedef struct wy_fdtd_row {
    int first, count;
    double weight[2 * WY_FDTD_REACH + 1];
} wy_fdtd_row;

/* One rod of a group, taken out of its lanes.  Unknown 6 i + d: displacement of node i; 6 i + 3 + d:
 * rotation of half i in its own axes. */
typedef struct wy_fdtd_tangent {
    wy_fdtd_group *g;
    int lane, n, size, band; /* size = 6 n + 3 */
    wy_fdtd_row *q, *qt, *i; /* [n], [n + 1], [n + 1] */
    double *mass;            /* [size] */
    double *force;           /* [size] forces and torques of the present shape */
    void *work;              /* complex fields */
    wy_banded lu;
} wy_fdtd_tangent;

withy_status wy_fdtd_tangent_make(wy_fdtd_group *g, int lane, wy_arena *arena, wy_fdtd_tangent *x,
                                  withy_error *err);
/* Forces of the present shape, loads included, into x->force (zero where held); their largest
 * acceleration-like size is returned. */
void wy_fdtd_tangent_force(wy_fdtd_tangent *x);
/* Factorise K - shift M. */
withy_status wy_fdtd_tangent_factor(wy_fdtd_tangent *x, double shift, withy_error *err);
/* y = K v by a directional derivative; viscous = 1: the damping matrix instead. */
void wy_fdtd_tangent_times(wy_fdtd_tangent *x, const double *v, int viscous, double *y);
/* Move the rod by v (displacements and rotations). */
void wy_fdtd_tangent_move(wy_fdtd_tangent *x, const double *v);

withy_status wy_fdtd_modes(wy_fdtd_group *g, int lane, wy_arena *arena, int count, withy_mode *mode,
                           withy_error *err);
withy_status wy_fdtd_equilibrium(wy_fdtd_group *g, int lane, wy_arena *arena, double factor,
                                 withy_equilibrium *point, withy_error *err);
