/* gradient.h - what gradient.c and adjoint.c share. */
#pragma once

#include "base/base.h"
#include "study/equilibrium/equations.h"
#include "study/sim.h"
#include "withy/gradient.h"
#include "withy/problem.h"

typedef struct wy_gradient {
    int count;
    const withy_problem **near; /* [2 count] at the least and the largest value of each */
    double searched;            /* time up to which no parameter moves a jump of a signal */
    int64_t steps;              /* then */
    withy_sim **neighbours; /* [4 count] set-ups that are asked in each step; NULL: not needed */
    int neighbour_count;
    char (*name)[WITHY_NAME]; /* [count] of the parameters, in messages */
    vec3 *origin;             /* [count] of the model, by each parameter */
    char *slides;             /* [count][rods] 1: the parameter moves nodes along the rod */
    vec3 *position, *turn;    /* [most stations of a rod] */
    uint64_t known;           /* hash of the equilibrium whose derivatives are in the state */
    int backwards;            /* 1: for withy_sim_adjoint */
    withy_field_slope *point; /* and its sensitivity */
    withy_node_slope *node;
    int ready; /* 1: they are known */
} wy_gradient;

/* Derivatives at stations of a rod, in the laboratory. */
void wy_gradient_sample(const withy_sim *sim, int rod, int parameter, int count, const double *s,
                        vec3 *position, vec3 *turn);
/* Is a position at these places differentiated by a parameter, -1: by all?  What moves a joint, a point load or the edge of a
 * load along a rod moves its nodes with it, and the derivatives are those of the nodes. */
withy_status wy_gradient_fixed(const withy_sim *sim, int rod, int parameter, int count,
                               const double *s, withy_error *err);
/* withy_sim_gradient_rod, also where nodes move. */
withy_status wy_gradient_rod(withy_sim *sim, int rod, int parameter, withy_slope *slope,
                             withy_error *err);
/* Refuse derivatives by a parameter, -1: by all, whose equations were solved to `fault` only. */
withy_status wy_gradient_trust(const withy_sim *sim, int parameter, double fault, withy_error *err);
/* Refuse derivatives of a motion in which a parameter, -1: any, moves the time at which a signal jumps. */
withy_status wy_gradient_jumps(withy_sim *sim, int parameter, withy_error *err);
/* Refuse derivatives by a parameter of which the scene makes what is not smooth in it. */
withy_status wy_gradient_smooth(const withy_sim *sim, int parameter, withy_error *err);
/* Does the motion begin from an equilibrium? */
int wy_gradient_settles(const withy_sim *sim);
/* Factors of the present equilibrium. */
withy_status wy_gradient_factor(withy_sim *sim, double factor, double t, int pull,
                                withy_error *err);

/* ---- jump.c: places and times at which a function of a scene jumps, and whether a parameter moves them.
 *
 * A method samples functions at its own places and times, so that one which jumps at a place that depends on a parameter
 * (force = function(t) return t > p.t0 and 5 or 0 end) has the derivative 0 at every sample: that of what is computed, and
 * not that of what is meant.
 */

/* Over which a function is searched. */
typedef struct wy_jump_range {
    int along_s;     /* 1: functions of s, all along rods; 0: signals from `from` to `to` */
    double from, to; /* [s] */
    int samples;     /* jumps closer to each other than two samples may be missed */
} wy_jump_range;

/* One that parameter k moves: *moved, with its name and where it is; -1: of all.  near[2 count]: the problem at a smaller and at
 * a larger value of each parameter. */
typedef struct wy_jump {
    int moved; /* 0: there is none */
    int parameter;
    char what[64];
    double at;
} wy_jump;

withy_status wy_jump_find(const withy_problem *here, const withy_problem *const *near, int count,
                          const wy_jump_range *range, wy_jump *found, withy_error *err);
