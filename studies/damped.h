/* damped.h - waves along a damped straight rod, in closed form, for any method.
 *
 * A straight rod clamped at s = 0 and free at s = 1, EA = GJ = rho A = rho J = 1, damped by eta times both
 * stiffnesses: stretch and twist do not meet, and each obeys
 *
 *     y_tt = y'' + eta y''_t,     y(s, 0) = A sin(w s), y_t(s, 0) = 0,     w = pi/2,
 *     y(1, t) = A exp(-g t) (cos v t + g/v sin v t),     g = eta w^2/2,  v^2 = w^2 - g^2,
 *
 * exactly, at any amplitude: the force stays along the rod.  Half the viscosity is 14 % of A at t = 2.
 */
#pragma once

#include "director_problems.h"
#include "verify.h"

#define DAMPED_ETA 0.1
#define DAMPED_TWIST 0.4    /* A of the angle [rad] */
#define DAMPED_STRETCH 0.05 /* A of the displacement [m] */

static withy_status damped_strain(void *context, double s, double t, double *out,
                                  withy_error *err) {
    const double w = DIRECTOR_PI / 2;
    (void)context, (void)t, (void)err;
    out[0] = out[1] = out[3] = out[4] = 0;
    out[2] = DAMPED_STRETCH * w * cos(w * s), out[5] = DAMPED_TWIST * w * cos(w * s);
    return WITHY_OK;
}

static double damped_exact(double amplitude, double t) {
    const double w = DIRECTOR_PI / 2, g = 0.5 * DAMPED_ETA * w * w, v = sqrt(w * w - g * g);
    return amplitude * exp(-g * t) * (cos(v * t) + g / v * sin(v * t));
}

static inline withy_status damped_start(const char *method, const char *options, withy_sim **sim,
                                        withy_error *err) {
    static withy_rod rod;
    static withy_problem problem;
    withy_option option[8];
    rod = withy_rod_default(), problem = withy_problem_default();
    rod.section.kind = WITHY_SECTION_NONE;
    rod.length = 1;
    for (int i = 0; i < WITHY_STRAINS; i++) {
        rod.stiffness[i] = withy_field_number(1);
        rod.damping[i] = withy_field_number(DAMPED_ETA);
    }
    rod.inertia[WITHY_MASS] = rod.inertia[WITHY_ROTARY1 + 2] = withy_field_number(1);
    rod.inertia[WITHY_ROTARY1] = rod.inertia[WITHY_ROTARY1 + 1] = withy_field_number(0.5);
    rod.initial = (withy_shape){.kind = WITHY_SHAPE_STRAIN,
                                .along = {0, 0, 1},
                                .normal = {1, 0, 0},
                                .strain = {.size = 6, .call = damped_strain}};
    rod.rest = (withy_shape){.kind = WITHY_SHAPE_STRAIGHT};
    rod.end[0].kind = WITHY_END_CLAMPED;
    problem.rod = &rod, problem.rod_count = 1;
    problem.request = (withy_request){.stop = 2, .output = 0.1};
    return withy_sim_create(&problem, method, option, director_parse(options, option, 8), sim, err);
}

/* Rows: the tip at t = 2, twist and stretch; ledger: the drift of energy - work + loss, if the method keeps them. */
static inline void damped_rows(verify_log *log, const char *method, const char *options,
                               double tolerance, double ledger_sums) {
    withy_sim *sim = NULL;
    withy_error err = {0};
    withy_status status = damped_start(method, options, &sim, &err);
    for (int k = 1; k <= 20 && status == WITHY_OK; k++)
        status = withy_sim_advance(sim, 0.1 * k, &err);
    const withy_snapshot *now = status == WITHY_OK ? withy_sim_sample(sim, 0) : NULL;
    if (!now) {
        verify_failed(log, "damped waves", &err);
        withy_sim_destroy(sim);
        return;
    }
    const int tip = now->count - 1;
    const double angle = /* q and -q are the same turn */
        remainder(2 * atan2(now->frame[tip].z, now->frame[tip].w), 2 * DIRECTOR_PI);
    verify_near(log, "damped twist of the free end, t = 2 [rad]", "", damped_exact(DAMPED_TWIST, 2),
                angle, tolerance * DAMPED_TWIST, "");
    verify_near(log, "damped stretch of the free end, t = 2 [m]", "",
                damped_exact(DAMPED_STRETCH, 2), now->position[tip].z - 1,
                tolerance * DAMPED_STRETCH, "");
    if (ledger_sums > 0)
        verify_below(log, "energy + loss since t = 0, relative change", "",
                     withy_sim_stats(sim).energy_drift, ledger_sums, "");
    withy_sim_destroy(sim);
}
