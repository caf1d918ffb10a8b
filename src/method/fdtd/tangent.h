/* tangent.h - the stiffness matrix of the discrete rod: for equilibria and modes. */
#pragma once

#include "method/fdtd/fdtd.h"
#include "numeric/linear/banded.h"

/* One rod that is alone in its group.  Unknown 6 i + d: displacement of node i; 6 i + 3 + d: rotation
 * of half i in its own axes. */
typedef struct wy_fdtd_tangent {
    wy_fdtd_group *g;
    int n, size, band;                 /* size = 6 n + 3 */
    double factor, t;                  /* of the loads now */
    int weighed;                       /* 1: M is that of wy_equations.weigh */
    double *matrix;                    /* [size][2 band + 1] K, by rows about the diagonal */
    void *work;                        /* complex fields */
    double (*slope)[6][WY_STATE_LOAD]; /* of loads that depend on the state */
    double *torque; /* [2][3][size] what a unit (material) moment on an end adds to the residual */
    wy_banded lu;
} wy_fdtd_tangent;

withy_status wy_fdtd_tangent_make(wy_fdtd_group *g, wy_arena *arena, wy_fdtd_tangent **x,
                                  withy_error *err);
/* Forces and torques of the present shape, loads included; where held, the remaining distance. */
void wy_fdtd_tangent_force(wy_fdtd_tangent *x, double *r);
/* Factorise K - shift M. */
withy_status wy_fdtd_tangent_factor(wy_fdtd_tangent *x, double shift, withy_error *err);
/* y = C v by a directional derivative of the viscous stresses, and drag. */
void wy_fdtd_tangent_damping(wy_fdtd_tangent *x, const double *v, double *y);
/* v^T K v, see wy_equations. */
double wy_fdtd_tangent_quotient(wy_fdtd_tangent *x, const double *v, double *terms, double *round);
double wy_fdtd_mass_of(const wy_fdtd_tangent *x, int unknown); /* 0 where held */
