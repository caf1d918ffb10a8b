/* fdtd.h - what the files of the method fdtd share: a group of rods on a staggered grid.
 *
 * A group is one rod (lanes = 1) or up to eight rods of the same kind (lanes = 8).  Every field is
 * a flat array x[index * lanes + lane] with WY_FDTD_GHOST numbers before and after it, so that the
 * same sweep over packs of eight numbers runs along one rod or across eight rods: the neighbour of
 * a number is `lanes` further on.  See fdtd/fdtd.c for equations and symbols.
 */
#pragma once

#include "base/base.h"
#include "base/vec.h"
#include "method/fdtd/operator.h"
#include "method/method.h"
#include "model/model.h"

enum { WY_FDTD_LANES = 8, WY_FDTD_GHOST = 32 };

enum { WY_FDTD_STAGGERED, WY_FDTD_LITERAL };
enum { WY_FDTD_PHYSICAL, WY_FDTD_REGULARISED };
enum { WY_FDTD_DILATION_ON, WY_FDTD_DILATION_OFF };

typedef struct wy_fdtd_options {
    int n;        /* intervals                                               */
    double dt;    /* step [s], 0: from the limit                             */
    int order;    /* 2, 4, 6                                                 */
    int scheme;   /* WY_FDTD_STAGGERED, WY_FDTD_LITERAL                            */
    int inertia;  /* WY_FDTD_PHYSICAL, WY_FDTD_REGULARISED                         */
    double alpha; /* of the regularisation                                   */
    int dilation; /* WY_FDTD_DILATION_ON, _OFF: coupling through the mean tension */
    int safe;     /* refuse an unstable step                                 */
    int threads;
} wy_fdtd_options;

/* One end of all rods of a group; values per lane, the first one for a single rod. */
typedef struct wy_fdtd_end {
    int holds_position, holds_direction;
    int turns_free;                  /* held by its tangent only                              */
    int moves;                       /* position or frame is a function of time               */
    int loaded;                      /* a force or moment is applied                          */
    int steady;                      /* ... that is constant and dead                         */
    double r[3][WY_FDTD_LANES];      /* position at the end of the step     [m]   */
    double q[4][WY_FDTD_LANES];      /* frame at the start of the step      [-]   */
    double force[3][WY_FDTD_LANES];  /* applied, laboratory                 [N]   */
    double moment[3][WY_FDTD_LANES]; /* m at the end node, material         [N m] */
    double old_r[3][WY_FDTD_LANES], old_p[3][WY_FDTD_LANES]; /* of the end node before a sweep */
    wy_end end[WY_FDTD_LANES];
} wy_fdtd_end;

typedef struct wy_fdtd_group {
    const withy_problem *problem;
    const wy_fdtd_operator *op;
    int n, lanes, used; /* intervals, stride, rods in it                     */
    int rod[WY_FDTD_LANES];
    int rich;       /* rest strains, drag, loads, damping or sections that need the arrays */
    int viscous;    /* Kelvin-Voigt                                             */
    int drags;      /* quadratic drag: coefficients change every step           */
    double factor;  /* of constant loads; 1 in motion */
    int live_loads; /* distributed loads that depend on time or follow         */
    double dt;      /* [s] */
    double t;       /* [s] */
    int64_t step;
    int64_t forced; /* step + 1 for which f and turn hold; else they are stale */

    /* state: r, q at t; p, w half a step earlier */
    double *r[3], *p[3]; /* nodes, laboratory            [m], [m/s]   */
    double *q[4];        /* halves, material to laboratory             */
    double *w[3];        /* halves, material             [rad/s]       */
    /* work space of a step */
    double *nn[3];         /* halves: N = R n                              */
    double *tau[3];        /* halves: h P- (v x n)                         */
    double *f[3];          /* nodes: -Q^T N                                */
    double *gb[4], *ga[4]; /* nodes; order 2: torques on the half after and before */
    double *turn[3];       /* halves: h P- times the whole torque          */
    double *en[3], *eo[3]; /* halves: h P- v now and a step ago (viscous)  */
    double *zn[3], *zo[3]; /* nodes:  h P+ u now and a step ago (viscous)  */
    /* coefficients */
    double *kn[3], *n0[3];         /* halves: n = kn (h P- v) + n0                 */
    double *km[3], *m0[3];         /* nodes:  m = km (h P+ u) + m0                 */
    double *cn[3], *cm[3];         /* viscous: D_v / (h P- dt), C_v / (h P+ dt)    */
    double *pe, *pf;               /* nodes: p <- pe p + pf (F + load)             */
    double *mass;                  /* nodes: rho A h P+ (+ lumped)       [kg]      */
    double *load[3];               /* nodes: gravity and loads times h P+ [N]      */
    double *wf[3], *wg[3], *we[3]; /* halves: w <- we w + wf tau + wg w w  */
    double *inertia[3];            /* halves: rho J h P-                 [kg m^2]  */
    double *couple[3];             /* halves: moment loads times h P-, material    */
    double *drag_line, *drag_turn; /* nodes, halves: linear drag times h P  */
    double *drag_square;           /* nodes: quadratic drag times h P+             */
    double fall[3];                /* dt g                                         */
    double alpha_step;             /* step of the regularisation, 0: physical      */
    double alpha;
    double length[WY_FDTD_LANES];   /* reference length                 [m]   */
    double stretch0[WY_FDTD_LANES]; /* stretch of the straight state under the given tension */
    wy_fdtd_end end[2];

    /* what observing needs: stiffness and rest strain at the grid, [index * lanes + lane] */
    double *stiff_half[3], *stiff_node[3], *rest_half[3], *rest_node[3];
} wy_fdtd_group;

/* fdtd/kernel.c: the work of one step */
void wy_fdtd_step(wy_fdtd_group *g);
/* forces of the present state into f and turn (and nothing else that a step would change) */
void wy_fdtd_forces(wy_fdtd_group *g);

/* fdtd/group.c: memory, coefficients, initial state */
withy_status wy_fdtd_group_make(wy_fdtd_group *g, const wy_setup *setup, withy_error *err);
void wy_fdtd_group_set_step(wy_fdtd_group *g, double dt);
withy_status wy_fdtd_group_start(wy_fdtd_group *g, withy_error *err);
/* the present state, but with another step from here on */
withy_status wy_fdtd_group_change_step(wy_fdtd_group *g, double dt, withy_error *err);
/* arc length of the problem at a point of the grid (half = 0.5 for a half) */
double wy_fdtd_station(const wy_fdtd_group *g, int lane, double index);

/* fdtd/load.c: what pulls from outside, at g->t */
withy_status wy_fdtd_loads(wy_fdtd_group *g, withy_error *err);
withy_status wy_fdtd_ends(wy_fdtd_group *g, withy_error *err);
void wy_fdtd_square_drag(wy_fdtd_group *g);

/* fdtd/limit.c: the largest stable step */
typedef struct wy_fdtd_limit {
    double dt;    /* all conditions together                          [s] */
    double axial; /* of longitudinal waves alone                      [s] */
} wy_fdtd_limit;
withy_status wy_fdtd_limit_of(const withy_rod *rod, double reference, double stretch,
                              const wy_fdtd_operator *op, const wy_fdtd_options *opt,
                              wy_fdtd_limit *limit, withy_error *err);
/* Is dt stable for a uniform piece of rod?  k: stiffness, rho: inertia, eta: longest damping time.
 */
int wy_fdtd_is_stable(const double k[WITHY_STRAINS], const double rho[WITHY_INERTIAS], double eta,
                      double stretch, double wavenumber, double alpha, double dt);

/* fdtd/observe.c: strains, energies, momenta of one rod of a group */
typedef struct wy_fdtd_view {
    double *s;                /* nodes                            [n+1] */
    vec3 *r, *p;              /* nodes, p at the same time        [n+1] */
    quat *q;                  /* halves                           [n]   */
    vec3 *w;                  /* halves, material, same time      [n]   */
    vec3 *v;                  /* halves: R^T r'                   [n]   */
    vec3 *u;                  /* nodes: axial(R^T R')             [n+1] */
    quat *qn;                 /* nodes: interpolated              [n+1] */
    vec3 force[2], couple[2]; /* of the supports, laboratory         */
    withy_energies energy;
    double conserved;
    vec3 momentum, angular;
    double drift; /* largest ||q| - 1|                               */
} wy_fdtd_view;
withy_status wy_fdtd_view_make(wy_fdtd_view *view, int n, wy_arena *arena, withy_error *err);
void wy_fdtd_observe(wy_fdtd_group *g, int lane, wy_fdtd_view *view);
