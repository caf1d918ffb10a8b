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
 * values of it, from which only set-ups are made; nothing is solved there.  Method director: rods,
 * bodies and joints; not contact, tendons and loads that depend on the state.
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
 * fixed share s/L of the rod.  A parameter that moves a joint or a load along the rod is refused between its ends. */
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
/* The same of another rod: 0, 1, ... */
WITHY_API withy_status withy_sim_gradient_rod(withy_sim *sim, int rod, int parameter,
                                              withy_slope *slope, withy_error *err);

/* Derivatives of the frequencies of `total` modes that withy_sim_modes has found about the present
 * equilibrium, [Hz/unit]: frequency[total].  The equilibrium moves with the parameter, which is accounted for.
 * Undamped modes of simple frequency, at the nodes (request.stations = 0); others are refused. */
WITHY_API withy_status withy_sim_mode_gradient(withy_sim *sim, const withy_mode *mode,
                                               int parameter, double *frequency, withy_error *err);

/* ---- backwards: one number by many parameters ---------------------------------------------------------
 *
 *     withy_adjoint_create(&problem, NULL, options, option_count, parameter, 1000, &sim, &err);
 *     withy_sim_adjoint(sim, at, count, objective, context, &value, gradient, &err);
 *
 * J is a function of positions of rods at given times; its derivatives by all parameters take about as
 * long as the motion itself, however many they are.  Without parameters (count = 0) there are still the derivatives
 * by the fields of the rod (withy_sim_sensitivity), for which no other problem is set up.
 */

/* As withy_gradient_create, for withy_sim_adjoint; count may be 0. */
WITHY_API withy_status withy_adjoint_create(const withy_problem *problem, const char *method,
                                            const withy_option *option, int option_count,
                                            const withy_variation *parameter, int count,
                                            withy_sim **sim, withy_error *err);

/* A position that J depends on. */
typedef struct withy_observation {
    double
        t; /* when; of an equilibrium: without meaning                      [s] >= 0, not falling */
    double
        s; /* where on the rod                                              [m] 0 .. length       */
    int rod; /* which: 0, the first, ...                                      rods of the problem   */
} withy_observation;

/* J and its derivatives by the observed positions: slope[count], per metre. */
typedef withy_status (*withy_objective)(void *context, int count, const withy_vec3 *position,
                                        double *value, withy_vec3 *slope, withy_error *err);

/* J and gradient[parameters] [unit of J per that of the parameter].  Of a simulation at t = 0 the motion up to the
 * last observation, at whose end it remains; or, after withy_sim_equilibrium, of that equilibrium. */
WITHY_API withy_status withy_sim_adjoint(withy_sim *sim, const withy_observation *at, int count,
                                         withy_objective objective, void *context, double *value,
                                         double *gradient, withy_error *err);

/* dJ by what a stretch of the rod is made of; strains: shear 1, 2, stretch, curvature 1, 2, twist. */
typedef struct withy_field_slope {
    double s;      /* its middle, about                                             [m]          */
    double length; /* of the stretch                                                [m] > 0      */
    double stiffness
        [6]; /* by GA1, GA2, EA, EI1, EI2, GJ of it                 [J/N, J/(N m^2)]       */
    double
        damping[6]; /* by their viscosities                                                       */
    double rest[6]; /* by the strains in which it is free of stress               [J, J m]        */
} withy_field_slope;

/* dJ by what belongs to a node. */
typedef struct withy_node_slope {
    double s;         /* [m]                                                                      */
    double mass;      /* by its mass                                                  [J/kg]      */
    withy_vec3 force; /* by a constant force on it, laboratory                        [J/N]       */
    withy_vec3
        position;    /* by where it starts (a motion)                                [J/m]       */
    withy_vec3 turn; /* by a turn of its frame at the start                          [J/rad]     */
    withy_vec3
        velocity;    /* by its velocity at the start                                 [J s/m]     */
    withy_vec3 spin; /* by its angular velocity at the start, body components        [J s/rad]   */
} withy_node_slope;

typedef struct withy_sensitivity {
    int points, nodes;
    const withy_field_slope *point; /* [points] */
    const withy_node_slope *node;   /* [nodes]  */
    double
        fault; /* relative error of a solution before it was corrected: see withy_slope  [-] >= 0   */
} withy_sensitivity;

/* Of the last withy_sim_adjoint.  J stands for the unit of the objective.  The arrays are owned by the simulation. */
WITHY_API withy_status withy_sim_sensitivity(withy_sim *sim, withy_sensitivity *out,
                                             withy_error *err);

#ifdef __cplusplus
}
#endif
