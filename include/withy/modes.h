/* withy/modes.h - small vibrations about an equilibrium. */
#pragma once

#include "withy/run.h"
#include "withy/scene.h"
#include "withy/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One mode.  The shape is real, scaled to a largest displacement of a tenth of the rod's length (a
 * mode of pure rotation: to a largest angle of 0.1), and has a positive largest component. */
typedef struct withy_mode {
    double
        frequency;  /* of the undamped rod; 0 for a rigid motion; negative: |frequency| is the rate
                       * of growth of an unstable equilibrium over 2 pi                     [Hz] */
    double damping; /* ratio of critical, in the limit of light damping                   [-]  */
    int count;      /* stations                                                                */
    double *s;      /* where the shape is asked for                    [count]            [m]  */
    withy_vec3 *position; /* of the rod deflected by the shape           [count]            [m]  */
    withy_vec3 *shift;    /* displacement of the shape                   [count]            [m]  */
    withy_vec3 *turn;     /* rotation of the shape, laboratory           [count]            [-]  */
} withy_mode;

/* The `count` lowest modes about the present shape of a simulation, which should be an equilibrium
 * (withy_sim_equilibrium).  mode[count], freed by withy_modes_free. */
WITHY_API withy_status withy_sim_modes(withy_sim *sim, int count, withy_mode **mode,
                                       withy_error *err);
WITHY_API void withy_modes_free(withy_mode *mode, int count); /* NULL is fine */

/* Equilibrium of the scene under its loads, then its modes.  Result files hold one snapshot per
 * mode: the rod deflected by the shape, with the frequency as time. */
WITHY_API withy_status withy_modes(const withy_scene *scene, int count,
                                   const withy_run_setup *setup, withy_mode **mode,
                                   withy_error *err);

#ifdef __cplusplus
}
#endif
