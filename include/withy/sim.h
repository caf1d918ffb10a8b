/* withy/sim.h - one problem under one method: create, advance, sample, destroy.
 *
 *     withy_sim *sim;
 *     withy_sim_create(&problem, "elastica", options, option_count, &sim, &err);
 *     withy_sim_advance(sim, 0.5, &err);
 *     const withy_snapshot *now = withy_sim_sample(sim, 0);
 *     withy_sim_destroy(sim);
 *
 * All memory is allocated in create, none in advance and sample.  Different simulations may run in
 * different threads.
 */
#pragma once

#include "withy/note.h"
#include "withy/problem.h"
#include "withy/snapshot.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct withy_sim withy_sim;

/* One option of a method by name: a number, or a word. */
typedef struct withy_option {
    char name[WITHY_NAME];
    double number;         /* when word is empty */
    char word[WITHY_NAME]; /* "" or the word, e.g. "paper", "true" */
} withy_option;

/* Statistics of the simulation so far. */
typedef struct withy_stats {
    int64_t steps;         /* time steps or load steps                                          */
    int64_t iterations;    /* solver iterations in total                                        */
    int64_t halvings;      /* steps that had to be cut                                          */
    int iterations_max;    /* most in one step                                                  */
    int conserves;         /* 1: nothing works on the rod and the method keeps its energy       */
    double energy_start;   /* kinetic + elastic + gravity + springs, the first value        [J] */
    double energy_end;     /* the latest                                                    [J] */
    double energy_drift;   /* energy_off / energy_scale; 0 unless accounted                 [-] */
    double constraint_max; /* largest constraint violation so far                           [-] */
    double energy_off;     /* largest |energy - work + loss - its first value| so far       [J] */
    double energy_scale;   /* largest kinetic + elastic + springs, |work| or loss so far    [J] */
    double energy_floor;   /* what rounding makes: less than this is no drift               [J] */
    double energy_bound;   /* drift beyond which advance fails; 0: the method states none   [-] */
    int64_t accounted;     /* 1: work and loss are summed, so energy_drift is known             */
} withy_stats;

/* Make a simulation.  method NULL or "": the first in the list that accepts the problem. */
WITHY_API withy_status withy_sim_create(const withy_problem *problem, const char *method,
                                        const withy_option *option, int option_count,
                                        withy_sim **sim, withy_error *err);

/* Advance exactly to time t >= the present time.  On failure the simulation is as it was. */
WITHY_API withy_status withy_sim_advance(withy_sim *sim, double t, withy_error *err);

/* Whom to ask, about twenty times a second, while a call advances the simulation or looks for an equilibrium:
 * non-zero ends that call with WITHY_INTERRUPTED, and after an advance the simulation is as it was.  ask NULL:
 * nobody.  t: the time reached, or the load factor. */
WITHY_API void withy_sim_interrupt(withy_sim *sim, int (*ask)(void *context, double t),
                                   void *context);
WITHY_API int withy_interrupt_flag(void *context,
                                   double t); /* an `ask` that returns an int: *context */

/* The state of one rod now; owned by the simulation and overwritten by the next call.  NULL when a
 * value is not finite or there is no such rod. */
WITHY_API const withy_snapshot *withy_sim_sample(withy_sim *sim, int rod);

/* The bodies and joints now, likewise; NULL when a value is not finite, or there are none. */
WITHY_API const withy_parts *withy_sim_parts(withy_sim *sim);

WITHY_API double withy_sim_time(const withy_sim *sim); /* [s] */
/* 1: in equilibrium (withy/study.h): the time is the load factor, and the next advance starts at 0. */
WITHY_API int withy_sim_at_rest(const withy_sim *sim);
WITHY_API double withy_sim_step(const withy_sim *sim);        /* the step in use, [s]; 0: none */
WITHY_API const char *withy_sim_method(const withy_sim *sim); /* "elastica" */
WITHY_API withy_stats withy_sim_stats(const withy_sim *sim);

/* Notes of the method for the user ("treats the rod as inextensible"): never NULL. */
WITHY_API const withy_notes *withy_sim_notes(const withy_sim *sim);

/* The options as used, name and value as text; returns 0 past the last. */
WITHY_API int withy_sim_option(const withy_sim *sim, int index, char *name, char *value,
                               size_t size);

/* ---- inputs -------------------------------------------------------------------------------------
 *
 * A field may follow a named input (withy_field.input).  Its value is part of the state: it starts as
 * the problem gives, holds until it is set again, and is saved and restored with the rest.
 */

/* Set an input: it acts in every step from now on. */
WITHY_API withy_status withy_sim_input(withy_sim *sim, const char *name, double value,
                                       withy_error *err);
WITHY_API withy_status withy_sim_input_get(const withy_sim *sim, const char *name, double *value,
                                           withy_error *err);
/* Name of an input, or NULL past the last. */
WITHY_API const char *withy_sim_input_name(const withy_sim *sim, int index);

/* ---- the state as plain bytes -------------------------------------------------------------------
 *
 * Everything a simulation keeps between steps: continuing from it gives, bit for bit, the result of an
 * uninterrupted run.  Saved bytes can be restored into any simulation of the same problem, method and
 * options, in this process or another on the same kind of machine; anything else is refused.  Functions
 * are not compared with each other, and what is recorded may differ.
 */

WITHY_API size_t withy_sim_save_size(const withy_sim *sim); /* [bytes] */
WITHY_API withy_status withy_sim_save(const withy_sim *sim, void *to, size_t size,
                                      withy_error *err);
/* On failure the simulation is as it was. */
WITHY_API withy_status withy_sim_restore(withy_sim *sim, const void *from, size_t size,
                                         withy_error *err);
/* Equal for equal states, and almost never equal for different ones. */
WITHY_API uint64_t withy_sim_hash(const withy_sim *sim);
/* A second simulation in the same state; the two are then independent. */
WITHY_API withy_status withy_sim_fork(const withy_sim *sim, withy_sim **copy, withy_error *err);

WITHY_API void withy_sim_destroy(withy_sim *sim); /* NULL is fine */

#ifdef __cplusplus
}
#endif
