/* door.h - equilibria, paths, stability and modes through the equations door of a method
 * (method/method.h): Newton and what is known of a point in newton.c, natural continuation in
 * equilibrium.c, descent in relax.c, arc length in follow.c, modes in subspace.c.
 */
#pragma once

#include "study/sim.h"
#include "withy/study.h"

/* Memory and present numbers of the drivers, made at the first use.  Nothing in it is kept from
 * one call to the next: what is kept is in the state (wy_core, wy_sim.tangent). */
typedef struct wy_still {
    withy_sim *sim;
    const wy_door *door;
    void *self; /* the method's */
    wy_layout layout;
    int rows; /* of it */
    double *change, *side, *moved,
        *toward;     /* [rows] Newton's change; work; sum of the changes since
                                             * the last equilibrium; change per unit of the factor */
    double *missing; /* [rows] residual of the shape where the path begins */
    double left;     /* the share of it that may remain */
    int unbalanced;  /* 1: it is above rounding */
    char *saved, *tried,
        *begun;     /* copies of the state: the last equilibrium, the last iterate, before
                                  * the first equilibrium */
    double shift;   /* keeps K regular where a motion has no stiffness */
    int at_start;   /* functions of time are taken at t = 0: initial = static */
    int iterations; /* since the last point */
    int negative;   /* of the last factorisation; once judged, the unstable directions */
    int judged;     /* 1: they are those of the present shape */
    double first;   /* size of the first change of the last Newton run */
    double last;    /* of the change since the last factorisation */
} wy_still;

/* Ready for an equilibrium, a path or modes; refuses methods without a door. */
withy_status wy_still_open(withy_sim *sim, wy_still **still, withy_error *err);
/* Refuse a problem in which nothing is held. */
withy_status wy_still_held(const withy_sim *sim, withy_error *err);
int wy_floats(const withy_problem *problem); /* its rods are not supported */

withy_status wy_still_load(wy_still *x, double factor, double part, withy_error *err);
void wy_still_save(wy_still *x);
void wy_still_restore(wy_still *x); /* then load */

/* The shape from which the first path begins is seldom in balance: store its residual, so that it can
 * be reduced gradually. */
withy_status wy_still_miss(wy_still *x, withy_error *err);
/* Newton's change at the present shape into x->change; again: door->solve is called afterwards.
 * WITHY_NO_CONVERGENCE: singular. */
withy_status wy_still_change(wy_still *x, double shift, int again, withy_error *err);
/* Largest displacement over L or rotation [rad] in a change; infinite when it is not finite. */
double wy_still_size(const wy_still *x, const double *change);
/* Mean over the nodes of a.b, displacements over L: the measure of arc lengths. */
double wy_still_product(const wy_still *x, const double *a, const double *b);
/* Move by the change, bounded; returns the share of it. */
double wy_still_move(wy_still *x, double size);
/* Has it converged, after a change of this size and the one before? */
int wy_still_done(double size, double before);
/* Newton at fixed loads from the saved equilibrium; stiffer: slower, but robust against a stiffness
 * that is almost zero. */
withy_status wy_still_newton(wy_still *x, int stiffer, int *converged, withy_error *err);
/* Descend from the present shape to an equilibrium under the loads of this factor; found = 0: none. */
withy_status wy_still_relax(wy_still *x, double factor, int *found, withy_error *err);
/* How far the sections have moved or turned since the last equilibrium; infinite: folded. */
double wy_still_way(const wy_still *x);
/* After Newton or a tangent: factorise at the present shape, an equilibrium, and count its unstable directions into x->negative;
 * -1: not known. */
withy_status wy_still_judge(wy_still *x, withy_error *err);
/* The present shape is the equilibrium `point` of the path. */
withy_status wy_still_arrive(wy_still *x, double factor, withy_equilibrium *point,
                             withy_error *err);

static const double WY_STILL_WILD = 1e8; /* a larger change is rejected */
static const double WY_STILL_JUMP = 1.0; /* of a section between two points: more is a jump */

/* ---- what the library calls ---------------------------------------------------------------------- */

withy_status wy_door_equilibrium(withy_sim *sim, double factor, withy_equilibrium *point,
                                 withy_error *err);
withy_status wy_door_follow(withy_sim *sim, double arc, double span, withy_equilibrium *point,
                            withy_error *err);
withy_status wy_door_modes(withy_sim *sim, int count, withy_mode *mode, withy_error *err);
/* initial = static { ... }: equilibrium at t = 0, with the loads that act before. */
withy_status wy_door_settle(withy_sim *sim, withy_error *err);
/* Modes with a frequency squared below `least`, in units of door->rate; -1: not known, or many. */
int wy_door_count(wy_still *x, double least);
