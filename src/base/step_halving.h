/* step_halving.h - the steps of a method with two levels and a fixed step that may be cut into halves.
 *
 * A step for which the solver fails is halved, repeatedly if necessary; steps then stay short until
 * CALM of them in a row have converged easily, and grow back where the time is a multiple of the longer one.  Times
 * are whole numbers of the shortest possible step, so that the uncut steps end exactly on them.
 *
 * The next step may have been solved ahead (at t = 0, for the forces there): its data stay
 * in next_ until the step is committed.
 */
#pragma once

#include <float.h>

#include "base/base.h"
#include "base/block.h"
#include "base/interrupt.h"
#include "base/vec.h"
#include "withy/sim.h"
#include "withy/snapshot.h"

enum { WY_HALVING_CUTS = 20 }; /* most halvings */

/* Energies below this times EI/L are rounding: a rod that cannot stretch, held at full length, moves
 * sideways by the root of the tolerance of its length. */
static const double WY_HALVING_ROUNDING = 1e-8;

/* Work and loss, from the energy identity. */
typedef struct wy_energy_flows {
    double ends, loads, dissipated; /* [J] */
} wy_energy_flows;

/* Plain numbers without a hole: part of a method's state. */
typedef struct wy_halving {
    double h;                            /* step, not cut                              [s] */
    double dt[3];                        /* now to next, last to now, before to last   [s] */
    int64_t tick;                        /* time in h 2^-WY_HALVING_CUTS                      */
    int64_t cut;                         /* steps are h 2^-cut                             */
    int64_t calm;                        /* easy steps since the last cut                  */
    int64_t step;                        /* steps taken, short ones too                    */
    int64_t ready;                       /* 1: the next step has been solved               */
    int64_t iterations;                  /* of the newest step                             */
    int64_t next_iterations;             /* of the one being solved                        */
    double energy, next_energy;          /* H of either                                [J] */
    double energy_scale, next_scale;     /* largest energy seen, parts without sign    [J] */
    wy_energy_flows ledger, next_ledger; /* since t = 0, and of the next step              */
    double first;                        /* H - work + losses, of the first step  [J] */
    double miss;                         /* of H in a step of another length, 0: none  [J] */
} wy_halving;

/* The rows of the table of a state whose member `pace` this is (wy_block_alloc_checked). */
#define WY_HALVING_ROWS(STATE)                                                                     \
    WY_REAL(STATE, halving.h, 0, DBL_MAX), WY_REAL(STATE, halving.dt, 0, DBL_MAX),                 \
        WY_WHOLE(STATE, halving.tick, 0, 0x1p62),                                                  \
        WY_WHOLE(STATE, halving.cut, 0, WY_HALVING_CUTS), WY_COUNT(STATE, halving.calm),           \
        WY_COUNT(STATE, halving.step), WY_FLAG(STATE, halving.ready),                              \
        WY_WHOLE(STATE, halving.iterations, 0, INT32_MAX / 2),                                     \
        WY_WHOLE(STATE, halving.next_iterations, 0, INT32_MAX / 2)

/* Callbacks of a method: every function has the method as `self`. */
typedef struct wy_halving_calls {
    /* Solve for the level dt[0] ahead; WITHY_NO_CONVERGENCE: a shorter step may succeed. */
    withy_status (*attempt)(void *self, withy_error *err);
    bool (*solve)(void *self); /* the equations of the last attempt again; counted  */
    wy_energy_flows (*ledger)(
        const void *self); /* of the step that has been solved                 */
    double (*energy)(const void *self, double *scale); /* its H, and the parts without sign    */
    /* When the step changes: c, the mean velocity of the step solved, zero where it is held;
     * (c, x+ - x-)_M / (h_+ + h_-); and mu c added to the velocity at the beginning of the step. */
    void (*find_nudge)(void *self);
    double (*nudge_gain)(const void *self);
    void (*nudge)(void *self, double mu);
    void (*keep)(void *self);     /* the step is final: forces and reactions               */
    double (*commit)(void *self); /* next becomes now; returns the violation of constraints */
} wy_halving_calls;

/* A method with its pace, put together where it is used. */
typedef struct wy_halving_stepper {
    const wy_halving_calls *lends;
    void *self;
    wy_halving *halving;
    withy_stats *stats;
    int halvings; /* most, for one step */
    wy_interrupt *interrupt;
    int ahead; /* 1: advance ends with the next step solved, whose balance is that of the present: forces */
} wy_halving_stepper;

/* Has it made `step` uncut steps of h?  (Where it stops, it has.) */
int wy_halving_is_at(const wy_halving *halving, double h, int64_t step);
/* Solve the next step, halved if necessary. */
withy_status wy_halving_next(const wy_halving_stepper *stepper, withy_error *err);
/* Make steps until `to` of the uncut ones are done. */
withy_status wy_halving_advance(const wy_halving_stepper *stepper, int64_t to, withy_error *err);
/* Solve again until H changes by work and loss only.  False: the solver fails, or a defect is left. */
bool wy_halving_match_energy(const wy_halving_stepper *stepper);

/* The first step, for the forces at t = 0: a failure is reported by advance. */
withy_status wy_halving_first(const wy_halving_stepper *stepper, withy_error *err);

double wy_halving_time(const wy_halving *halving);
/* dt[0] of the step to try. */
void wy_halving_try(wy_halving *halving);
/* Halve it, at most `most` times in all.  False: it is short enough. */
bool wy_halving_cut(wy_halving *halving, int most);
/* The step that was tried is taken; `iterations` show whether it was easy. */
void wy_halving_take(wy_halving *halving, int64_t iterations);
/* ", halved 3 times" or "", for a message that names h. */
const char *wy_halving_cuts(const wy_halving *halving, char *buffer, size_t size);
/* "; with the step cut, ... J would be lost or made", or "" when that is not why a step failed. */
const char *wy_halving_defect(const wy_halving *halving, char *buffer, size_t size);
/* Is the step to try another than the last one? */
bool wy_halving_uneven(const wy_halving *halving);
/* Rate of a quantity from its newest three values and its rate at t = 0, one-sided and of second order: the
 * parabola through them, (3 a_n - 4 a_{n-1} + a_{n-2})/2h when they are equally far apart; after the first
 * step 2 (a_1 - a_0)/h - a'(0). */
vec3 wy_halving_rate(const wy_halving *halving, vec3 now, vec3 last, vec3 before, vec3 first);
/* From the middle of the last step to that of the next: the part until now. */
static inline double wy_halving_part(const wy_halving *halving) {
    return halving->dt[1] / (halving->dt[0] + halving->dt[1]);
}
/* Time, energy and work into a snapshot. */
void wy_halving_sample(const wy_halving *halving, withy_snapshot *snap);
/* When H is of, and reactions; without a balance (the first step could not be solved) neither these nor the quantities
 * `from_it` are known. */
void wy_halving_sample_balance(const wy_halving *halving, const vec3 reaction[2],
                               const vec3 reaction_moment[2], int balanced, unsigned from_it,
                               withy_snapshot *snap);
