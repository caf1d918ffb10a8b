/* withy/gradient.h - exact derivatives of a simulation by parameters.
 *
 *     withy_variation young = withy_variation_default();   the problem at four values of E:
 *     young.step = 1e-3 * E, young.at[0] = &at_minus_2, ...
 *     withy_gradient_create(&problem, NULL, options, option_count, &young, 1, &sim, &err);
 *     withy_sim_advance(sim, 0.5, &err);
 *     withy_slope slope;
 *     withy_sim_gradient(sim, 0, &slope, &err);            slope.position[i]: d r(s_i)/dE
 *
 * What is differentiated is the discrete solution itself, to rounding: the steps that were accepted are
 * kept, also where they were halved or chosen by dt = "auto".  A parameter is given by the same problem at four
 * values of it, from which only set-ups are made; nothing is solved there.  Method director, one rod.
 */
#pragma once

#include "withy/problem.h"
#include "withy/sim.h"
#include "withy/study.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A parameter: anything on which the problem depends smoothly. */
typedef struct withy_variation {
    size_t size;           /* of this struct: withy_variation_default()                           */
    char name[WITHY_NAME]; /* in messages; "": parameter 1, 2, ...                                */
    double step;           /* spacing of `at`: about 1e-3 of the parameter  [its own unit] != 0   */
    const withy_problem *at[4]; /* at value - 2 step, - step, + step, + 2 step; they must outlive
                                 * the simulation                                                 */
} withy_variation;

WITHY_API withy_variation withy_variation_default(void); /* zeros and its size */

/* As withy_sim_create, with derivatives by `count` parameters; method NULL or "": director. */
WITHY_API withy_status withy_gradient_create(const withy_problem *problem, const char *method,
                                             const withy_option *option, int option_count,
                                             const withy_variation *parameter, int count,
                                             withy_sim **sim, withy_error *err);

/* Derivatives of the first rod by one parameter, per its unit, at the stations of withy_sim_sample: at a
 * fixed share s/L of the rod. */
typedef struct withy_slope {
    int count;                  /* stations                                                       */
    const double *s;            /* [count]                                             [m]        */
    const withy_vec3 *position; /* [count] d r/dp                                      [m/unit]   */
    const withy_vec3 *turn;     /* [count] of the frame: d(d_i)/dp = turn x d_i        [rad/unit] */
    double grown; /* largest |d r/dp| of a node since t = 0: beyond a thousand lengths per relative
                   * change of the parameter the motion is about to be unpredictable   [m/unit]   */
    double
        fault; /* relative error of the solution of a step before it was corrected: beyond 1e-6 the
                   * derivatives have lost digits                                      [-] >= 0   */
} withy_slope;

/* Of the present state: a motion, or the equilibrium that withy_sim_equilibrium has found.  The arrays are
 * owned by the simulation and overwritten by the next call. */
WITHY_API withy_status withy_sim_gradient(withy_sim *sim, int parameter, withy_slope *slope,
                                          withy_error *err);

/* Derivatives of the frequencies of `total` modes that withy_sim_modes has found about the present
 * equilibrium, [Hz/unit]: frequency[total].  The equilibrium moves with the parameter, which is accounted for.
 * Undamped modes of simple frequency, at the nodes (request.stations = 0); others are refused. */
WITHY_API withy_status withy_sim_mode_gradient(withy_sim *sim, const withy_mode *mode,
                                               int parameter, double *frequency, withy_error *err);

#ifdef __cplusplus
}
#endif
