/* fdtd_tangent.h - the stiffness matrix of the discrete rod: for equilibria and modes. */
#pragma once

#include "method/fdtd.h"
#include "numeric/banded.h"

/* Row of an operator: weight[c] belongs to point first + c. */
enum { FDTD_REACH = 12 };
typedef struct fdtd_row {
    int first, count;
    double weight[2 * FDTD_REACH + 1];
} fdtd_row;

/* One rod of a group, taken out of its lanes.  Unknown 6 i + d: displacement of node i; 6 i + 3 + d:
 * rotation of half i in its own axes. */
typedef struct fdtd_tangent {
    fdtd_group *g;
    int lane, n, size, band; /* size = 6 n + 3 */
    fdtd_row *q, *qt, *i;    /* [n], [n + 1], [n + 1] */
    double *mass;            /* [size] */
    double *force;           /* [size] forces and torques of the present shape */
    void *work;              /* complex fields */
    wy_banded lu;
} fdtd_tangent;

withy_status fdtd_tangent_make(fdtd_group *g, int lane, wy_arena *arena, fdtd_tangent *x,
                               withy_error *err);
/* Forces of the present shape, loads included, into x->force (zero where held); their largest
 * acceleration-like size is returned. */
void fdtd_tangent_force(fdtd_tangent *x);
/* Factorise K - shift M. */
withy_status fdtd_tangent_factor(fdtd_tangent *x, double shift, withy_error *err);
/* y = K v by a directional derivative; viscous = 1: the damping matrix instead. */
void fdtd_tangent_times(fdtd_tangent *x, const double *v, int viscous, double *y);
/* Move the rod by v (displacements and rotations). */
void fdtd_tangent_move(fdtd_tangent *x, const double *v);

withy_status fdtd_modes(fdtd_group *g, int lane, wy_arena *arena, int count, withy_mode *mode,
                        withy_error *err);
withy_status fdtd_equilibrium(fdtd_group *g, int lane, wy_arena *arena, double factor,
                              withy_equilibrium *point, withy_error *err);
