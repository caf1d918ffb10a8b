/* equations.h - equilibria, paths, stability and modes through the equations interface of a method
 * (method/method.h): Newton in newton.c, motions without stiffness in zero_modes.c, natural continuation in
 * equilibrium.c, descent in relax.c, arc length in follow.c, stability of a point in stability.c and
 * eigen_lowest.c, modes in eigenmodes.c.
 */
#pragma once

#include "study/sim.h"
#include "withy/study.h"

/* Return at once when a call that has an error of its own fails, unless it only has not found what it looked for. */
#define WY_TRY_TO_FIND(call, own, err)                                                             \
    do {                                                                                           \
        const withy_status found_ = (call);                                                        \
        if (found_ == WITHY_OK || found_ == WITHY_NO_CONVERGENCE) break;                           \
        if (err) *(err) = (own);                                                                   \
        return found_;                                                                             \
    } while (0)

/* Most motions without stiffness: of a rod on a floor; of a closed rod, which may also move along itself, that nothing holds. */
enum { WY_STATIC_ZERO_MODES = 5, WY_STATIC_ZERO_CLOSED = 8 };

/* Memory and present numbers of the drivers, made at the first use.  Nothing in it is kept from
 * one call to the next: what is kept is in the state (wy_core, wy_sim.tangent). */
typedef struct wy_static {
    withy_sim *sim;
    const wy_equations *equations;
    void *self; /* the method's */
    wy_vector_layout layout;
    int rows; /* of it */
    double *change, *side, *moved,
        *toward;     /* [rows] Newton's change; work; sum of the changes since
                                             * the last equilibrium; change per unit of the factor */
    double *missing; /* [rows] residual of the shape where the path begins */
    double left;     /* the share of it that may remain */
    int unbalanced;  /* 1: it is above rounding */
    char *saved, *tried,
        *begun;           /* copies of the state: the last equilibrium, the last iterate, before
                                  * the first equilibrium */
    double unit;          /* of stiffnesses: about the lowest of a cantilever, in the M in use */
    int round;            /* 1: both bending stiffnesses are equal */
    int exact;            /* 1: wy_equations.exact is in use */
    double slender;       /* the largest stiffness of a section over L^-2 times the least */
    double spring_ratio;  /* the stiffness of a rod over that of the softest spring, at least 1 */
    double fine, lost;    /* in that unit: above the rounding of K, and what counts as none */
    double shift;         /* keeps K regular where a motion has no stiffness */
    int candidates, soft; /* motions that the ends may leave free, and those without stiffness */
    double *loose;        /* [candidates][rows] the latter first */
    int loose_known;      /* they are near those of the shape */
    int counted;          /* so many were counted as without stiffness: stability.c */
    int slides;           /* 1: a load acts along one of them */
    int seeks,
        branches; /* 1: the stable equilibrium is looked for; its path has lost a stiffness */
    int bold; /* 1: between two points of a path that is known: a change of stability is no reason for care */
    int led;        /* 1: ends had to be moved to where they are held in the last descent */
    int rough;      /* 1: meanwhile the rod may be unstable: a coarse mesh of a cable always is */
    int at_start;   /* functions of time are taken at t = 0: initial = static */
    int iterations; /* since the last point */
    int negative;   /* of the last factorisation; once judged, the unstable directions */
    int neutral;    /* then, those that are neither stable nor unstable */
    int judged;     /* 1: they are those of the present shape */
    int flat;       /* 1: it is unstable only out of the plane in which it was computed */
    double first;   /* size of the first change of the last Newton run */
    int predicted;  /* 1: the shape is that of wy_static_predict */
    double ahead;   /* where stability was lost: that of all that is left of the way */
    int stopped;    /* 1: wy_static_may_continue was answered no */
    int only;       /* 1 + group of the layout whose motions are looked at; 0: all */
} wy_static;

/* Ready for an equilibrium, a path or modes; refuses methods without static equations. */
withy_status wy_static_open(withy_sim *sim, wy_static **equilibrium, withy_error *err);
/* The same with the M of wy_equations.weigh: for equilibria and paths. */
withy_status wy_static_begin(withy_sim *sim, wy_static **equilibrium, withy_error *err);
/* Within long work on vectors, before every piece of it: 0 when it is to be left, now and until wy_static_interrupted, which
 * the work ends with, has told so. */
int wy_static_may_continue(wy_static *x);
withy_status wy_static_interrupted(wy_static *x, withy_error *err);
/* Refuse a problem in which nothing is held. */
withy_status wy_static_check_supports(const withy_sim *sim, withy_error *err);
int wy_is_unsupported(const withy_problem *problem); /* its rods are not supported */

/* Take the care that wy_equations.exact takes. */
withy_status wy_static_exact(wy_static *x, withy_error *err);
/* Without it again, as far as the rod is not too thin: it is ten times quicker. */
withy_status wy_static_inexact(wy_static *x, withy_error *err);
withy_status wy_static_load(wy_static *x, double factor, double part, withy_error *err);
void wy_static_save(wy_static *x);
void wy_static_restore(wy_static *x); /* then load */

/* The shape from which the first path begins is seldom in balance: store its residual, so that it can
 * be reduced gradually. */
withy_status wy_static_store_residual(wy_static *x, withy_error *err);
/* Newton's change at the present shape into x->change; again: equations->solve is called afterwards.
 * WITHY_NO_CONVERGENCE: singular. */
withy_status wy_static_change(wy_static *x, double shift, int again, withy_error *err);
/* Largest displacement over L or rotation [rad] in a change; infinite when it is not finite. */
double wy_static_size(const wy_static *x, const double *change);
double wy_static_shift(const wy_static *x, const double *change); /* the former alone */
/* Mean of a.b along the rods, displacements over L, the sum of those of all groups: the measure of arc lengths. */
double wy_static_product(const wy_static *x, const double *a, const double *b);
double wy_static_unit(const wy_vector_layout *l,
                      int node); /* of the displacement of a node: the length of its group */
/* count vectors [rows] that have a part of everything, always the same: a congruential sequence for each group, so that parts do not
 * depend on others. */
void wy_static_random_vectors(const wy_static *x, uint32_t seed, int count, double *v);
int wy_static_uses_row(const wy_static *x, int row); /* is a row of the group x->only? */
/* Move by the change, bounded; returns the share of it. */
double wy_static_move(wy_static *x, double size);
/* Has it converged, after a change of this size and the one before? */
int wy_static_done(double size, double before);
/* Newton at fixed loads from the saved equilibrium; stiffer: slower, but robust against a stiffness
 * that is almost zero. */
withy_status wy_static_newton(wy_static *x, int stiffer, int *converged, withy_error *err);
/* Before it, under the loads of the last equilibrium: their stiffness is kept, for wy_static_predict under the next
 * loads, which moves along the tangent of the path; ready = 0: there is none, or it leads too far. */
withy_status wy_static_prepare_prediction(wy_static *x, int *ready, withy_error *err);
withy_status wy_static_predict(wy_static *x, int *ready, withy_error *err);
/* From the present equilibrium along its softest motion, `way` in lengths or rad; pushed = 0: it is not known. */
withy_status wy_static_perturb(wy_static *x, double way, int *pushed, withy_error *err);
/* Descend from the present shape to an equilibrium under the loads of this factor; found = 0: none.
 * held: what the shape misses of its held ends is made up for at once. */
withy_status wy_static_relax(wy_static *x, double factor, int held, int *found, withy_error *err);
/* From the unstable equilibrium `point`, the present shape, along its least stable motion to a stable one
 * under the same loads; on failure nothing has changed. */
withy_status wy_static_leave(wy_static *x, double factor, withy_equilibrium *point,
                             withy_error *err);
/* How far the sections have moved or turned since the last equilibrium; infinite: folded. */
double wy_static_displacement(const wy_static *x);
/* At an equilibrium: correct it once more, and count its unstable directions into x->negative (-1: not
 * known) and its neutral ones into x->neutral. */
withy_status wy_static_stability(wy_static *x, withy_error *err);
/* Of a stable equilibrium that a method has computed in a plane: is it stable out of it? */
withy_status wy_static_stability_whole(wy_static *x, withy_equilibrium *point, withy_error *err);
/* The present shape is the equilibrium `point` of the path. */
withy_status wy_static_accept(wy_static *x, double factor, withy_equilibrium *point,
                              withy_error *err);

/* ---- zero_modes.c ------------------------------------------------------------------------------------- */

double wy_vector_largest(const wy_vector_range *e,
                         const double *v);      /* the largest norm of a node */
int wy_static_candidates(const withy_sim *sim); /* 0: the ends hold the rod */
double wy_static_slender(const withy_sim *sim, int *round);
double wy_static_spring_ratio(const withy_sim *sim);
/* The motions without stiffness, with the factors just made; fresh: their number as well. */
void wy_static_find_zero_modes(wy_static *x, int is_new);
/* Of these, those along which a load acts are kept: at a limit point that is the motion of the path. */
void wy_static_keep(wy_static *x, const double *load);
/* Take them out of a change; returns how far it went along them, in turns of 1 rad. */
double wy_static_project(wy_static *x, double *change);
int wy_static_slides(double way); /* is that more than rounding? */
/* Is the present shape in balance but for a load along such a motion?  And the message about it. */
int wy_static_is_unsupported(wy_static *x);
withy_status wy_static_unsupported(wy_static *x, withy_error *err);

/* ---- eigen_lowest.c -------------------------------------------------------------------------------------- */

typedef struct wy_lowest_modes {
    int count;      /* that have been found; 0: not known           */
    double *lambda; /* [count] increasing, in units of wy_static.unit */
    double *vector; /* [count][rows]                                 */
    void *memory;
} wy_lowest_modes;

/* The `count` lowest motions of the present shape; wy_lowest_modes_free in any case. */
withy_status wy_static_lowest(wy_static *x, int count, wy_lowest_modes *low, withy_error *err);
void wy_lowest_modes_free(wy_lowest_modes *low);
/* Unstable directions, at least so many, by the work of loads (load_work.c), where `found` are known; -1: they do not show. */
withy_status wy_static_forced(wy_static *x, int found, int *least, withy_error *err);

static const double WY_STATIC_SLENDER =
    1e5; /* of slender: beyond, rounding may turn the sign of a pivot */
static const double WY_STATIC_LARGEST_CHANGE = 1e8; /* a larger change is rejected */
static const double WY_STATIC_GAP_SHARE =
    0.2;                                  /* of the gap at a held end, by one step of a descent */
static const double WY_STATIC_JUMP = 1.0; /* of a section between two points: more is a jump */

/* ---- what the library calls ---------------------------------------------------------------------- */

withy_status wy_equilibrium_find(withy_sim *sim, double factor, int seeks, withy_equilibrium *point,
                                 withy_error *err);
withy_status wy_equilibrium_leave(withy_sim *sim, withy_equilibrium *point, withy_error *err);
/* A point of a path that is followed in a plane: its unstable directions out of it are added. */
withy_status wy_equilibrium_check_whole(withy_sim *sim, withy_equilibrium *point, withy_error *err);
/* A piece of a path: along an arc (span > 0), or from one factor to another; and what was found on it so far. */
typedef struct wy_path_piece {
    double arc, span;
    double from, to;
    int neutral; /* directions at both of its ends                                          */
    int loose;   /* those where it begins                                                   */
    char *base, *low,
        *top;        /* states: its begin; before and behind the change that was found          */
    double done;     /* share of it up to `top`; 0: nothing was found yet                       */
    int anew;        /* 1: trials begin where it does, not at `low`                             */
    wy_core at, end; /* at `done`, where it ends                                                */
} wy_path_piece;
/* The next change of stability, or turn of the factor, between way->done and the end of the stretch: out->factor, mark,
 * change and mode.  The state of the simulation is the last one before it.  WITHY_NO_CONVERGENCE: it was not found. */
withy_status wy_equilibrium_critical(withy_sim *sim, wy_path_piece *way, withy_critical *out,
                                     withy_error *err);
int wy_path_piece_changes(const wy_path_piece *way); /* 1: there is one */
/* exactly: at this arc, and at none that is shorter. */
withy_status wy_equilibrium_follow(withy_sim *sim, double arc, double span, int exactly,
                                   withy_equilibrium *point, withy_error *err);
/* At least `count` modes and all that grow; the array is made by wy_modes_take. */
withy_status wy_modes_find(withy_sim *sim, int count, withy_mode **mode, withy_error *err);
withy_status wy_modes_allowed(const withy_sim *sim, int count, withy_error *err);
/* Modes of the first rod at its stations, zeroed: one block of memory. */
withy_status wy_modes_take(withy_sim *sim, int total, withy_mode **mode, withy_error *err);
/* To a largest displacement of a tenth of the length, or a largest turn of 0.1, positive; position becomes
 * that of the deflected rod. */
void wy_mode_scale(withy_mode *mode, double length);
void wy_mode_to_laboratory(const withy_sim *sim,
                           withy_mode *mode); /* from the origin of the model */
/* What became of an equilibrium that was unstable in `lost` directions. */
void wy_note_unstable(withy_sim *sim, int lost, int negative);
/* An equilibrium that is unstable, or of which it is not known, on a mesh twice as fine: what both meshes do not share is
 * not known. */
void wy_equilibrium_check_mesh(withy_sim *sim, const withy_problem *problem, withy_equilibrium *at);
/* initial = static { ... }: equilibrium at t = 0, with the loads that act before. */
withy_status wy_equilibrium_initial(withy_sim *sim, withy_error *err);
