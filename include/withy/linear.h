/* withy/linear.h - small motions about an equilibrium as a linear system, for controllers.
 *
 *     withy_linear *lin;
 *     withy_sim_linearise(sim, 6, &lin, &err);
 *     x' = A x + B (u - u0),   y - y0 = C x + D (u - u0)
 *     withy_linear_free(lin);
 *
 * u: the named inputs of the simulation (withy_sim_input), y: its probes.  The state x holds the
 * amplitudes q of the lowest undamped modes, whose shapes have the length 1 in the product of the mass
 * matrix, and then their rates q'.  A is that of the tangent from which the modes come: with damping,
 * dampers of joints and gyroscopic terms.  D is what the modes that are left out contribute at rest, so
 * that the gain of a constant input, D - C A^-1 B, is that of the whole mesh.
 */
#pragma once

#include "withy/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Units: q is in kg^1/2 m, [u] and [y] are those of inputs and outputs. */
typedef struct withy_linear {
    int states;       /* n: twice the number of modes                                            */
    int inputs;       /* m: named inputs, in the order of withy_sim_input_name                   */
    int outputs;      /* p: the numbers of the probes in turn                                    */
    const double *a;  /* [n][n] A by rows: 0 and 1, then [1/s^2] and [1/s]                       */
    const double *b;  /* [n][m] B by rows: 0, then                     [kg^1/2 m/s^2 / [u]]      */
    const double *c;  /* [p][n] C by rows: of amplitudes, then of rates  [[y] / (kg^1/2 m (/s))] */
    const double *d;  /* [p][m] D by rows                              [[y] / [u]]               */
    const double *u0; /* [m] inputs now                                [[u]]                     */
    const double *y0; /* [p] outputs now                               [[y]]                     */
    const char *const *input_name;  /* [m] "grip"                                                */
    const char *const *output_name; /* [p] "tip.x"                                               */
} withy_linear;

/* About the present state, which must be an equilibrium at rest: that of withy_sim_equilibrium or
 * withy_sim_rest, a scene with initial = static {}, or a motion that has ended.  modes: how many, 1 or
 * more; all that grow are included, so that there may be more.  Outputs are position, velocity and spin
 * of rods and bodies, inputs are loads: an input that moves an end, a joint or an obstacle is refused.
 * The simulation is as it was.  Freed by withy_linear_free. */
WITHY_API withy_status withy_sim_linearise(withy_sim *sim, int modes, withy_linear **linear,
                                           withy_error *err);
WITHY_API void withy_linear_free(withy_linear *linear); /* NULL is fine */

#ifdef __cplusplus
}
#endif
