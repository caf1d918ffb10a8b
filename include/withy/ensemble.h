/* withy/ensemble.h - thousands of rods of one scene that step together, each with its own inputs.
 *
 *     withy_ensemble_options how = withy_ensemble_default();
 *     how.action = action, how.action_count = 2, how.observe = observe, how.observe_count = 1;
 *     withy_ensemble_create(sim, 8192, &how, &ensemble, &err);
 *     withy_ensemble_step(ensemble, 0.02, actions, observations, failed, &err);
 *     withy_ensemble_reset(ensemble, members, count, &err);
 *     withy_ensemble_destroy(ensemble);
 *
 * A member is a state of the simulation: the scene is compiled once.  Members begin in the state that the simulation has.
 * A member that fails stands still until it is reset, and does not stop the others.  What a member does depends neither on
 * the others nor on the number of threads.  Members are counted from 0.
 */
#pragma once

#include "withy/batch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What an action of a member changes.  All but INPUT are added to what the scene has; 0 at the start. */
typedef enum withy_acts {
    WITHY_ACTS_REST, /* rest strains from s = from to s = to: part 0 .. 5: shear1, shear2, stretch [-],
                      * bend1, bend2, twist [1/m]                                                     */
    WITHY_ACTS_POSE, /* where the start is held: part 0 .. 2 the place [m], 3 .. 5 its turn: 2 tan(phi/2)
                      * times the axis [-], laboratory; 6 .. 11 the finish                            */
    WITHY_ACTS_LOAD, /* force [N] and moment [N m] on the start: part 0 .. 5, laboratory; 6 .. 11 on the finish */
    WITHY_ACTS_INPUT /* a named input of the scene (members one by one)                               */
} withy_acts;

typedef struct withy_action {
    withy_acts on;
    int part;
    int ramp; /* 1: in a straight line from the last value to the new one; 0: the new one at once */
    double from,
        to; /* of REST [m]; both 0: all of the rod                                             */
    char input[WITHY_NAME];
} withy_action;

/* What is observed of a member, at the node nearest to s. */
typedef enum withy_observes {
    WITHY_OBSERVES_POSITION, /* [3] [m]                                              */
    WITHY_OBSERVES_FRAME,    /* [9] d1, d2, d3                                       */
    WITHY_OBSERVES_VELOCITY, /* [3] [m/s]                                            */
    WITHY_OBSERVES_SPIN,     /* [3] about d1, d2, d3 [rad/s]                         */
    WITHY_OBSERVES_STRAIN /* [6] of the element at s, as part of REST, less those of the rest shape */
} withy_observes;

typedef struct withy_observed {
    withy_observes what;
    double s; /* [m] */
} withy_observed;

typedef struct withy_ensemble_options {
    size_t size; /* sizeof(withy_ensemble_options): set by withy_ensemble_default */
    withy_engine
        engine;  /* AUTO: a GPU where there is one and it can, else vectors, else one by one */
    int device;  /* of withy_device_name, -1: the first GPU, or else the first    */
    int threads; /* of the host, 0: as many as it has                             */
    const withy_action *action;
    int action_count;
    const withy_observed *observe;
    int observe_count;
} withy_ensemble_options;

typedef struct withy_ensemble withy_ensemble;

WITHY_API withy_ensemble_options withy_ensemble_default(void);

/* The simulation may be destroyed afterwards.  Vectors and devices take one rod by the method director with options.degree =
 * 1 and a given options.dt; WITHY_ENGINE_AUTO takes every other scene too, one member after the other, with actions INPUT. */
WITHY_API withy_status withy_ensemble_create(const withy_sim *sim, int count,
                                             const withy_ensemble_options *how,
                                             withy_ensemble **ensemble, withy_error *err);
WITHY_API const char *withy_ensemble_engine(const withy_ensemble *ensemble);
/* Numbers of a member in one observation. */
WITHY_API int withy_ensemble_width(const withy_ensemble *ensemble);
WITHY_API int withy_ensemble_count(const withy_ensemble *ensemble);

/* All members by a time that is a whole number of steps.  action[count][action_count]; out[count][width]; failed[count]: 1
 * where a member stands still.  Each may be NULL: actions keep their values. */
WITHY_API withy_status withy_ensemble_step(withy_ensemble *ensemble, double duration,
                                           const double *action, double *out, int *failed,
                                           withy_error *err);
/* The observations alone. */
WITHY_API withy_status withy_ensemble_observe(withy_ensemble *ensemble, double *out,
                                              withy_error *err);
/* Why a member stands still; WITHY_OK: it does not. */
WITHY_API withy_status withy_ensemble_failure(withy_ensemble *ensemble, int member,
                                              withy_error *err);

/* Members back to the start, with actions of 0. */
WITHY_API withy_status withy_ensemble_reset(withy_ensemble *ensemble, const int *member, int count,
                                            withy_error *err);
/* Member `to` becomes what member `from` is. */
WITHY_API withy_status withy_ensemble_fork(withy_ensemble *ensemble, int to, int from,
                                           withy_error *err);
/* A simulation in the state of a member, to be sampled or saved: it belongs to the ensemble and is overwritten by the next call. */
WITHY_API withy_status withy_ensemble_member(withy_ensemble *ensemble, int member, withy_sim **sim,
                                             withy_error *err);
/* The simulation of withy_ensemble_member, as it is now (restored, advanced), becomes the state of a member. */
WITHY_API withy_status withy_ensemble_put(withy_ensemble *ensemble, int member, withy_error *err);

/* Time that a device has computed so far, transfers not counted [s]; 0: no device. */
WITHY_API double withy_ensemble_seconds(const withy_ensemble *ensemble);
WITHY_API void withy_ensemble_destroy(withy_ensemble *ensemble); /* NULL is fine */

#ifdef __cplusplus
}
#endif
