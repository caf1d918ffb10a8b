/* spline_step.h - what the methods on cubic splines of even nodes that step by base/step_halving.h share: elastica, kirchhoff.
 * Room: src/method. */
#pragma once

#include "base/step_halving.h"
#include "method/method.h"
#include "numeric/interpolate/interpolate.h"

/* The last rows of their table of options; tries: the default of newton_max. */
#define WY_SPLINE_STEP_OPTIONS(OPTIONS, tries)                                                     \
    WY_OPTION(OPTIONS, newton_max, "newton_max", "-", "most Newton matrices per attempt", 'i',     \
              tries, 1, 1000, NULL),                                                               \
        WY_OPTION(OPTIONS, halvings, "halvings", "-", "most halvings of a step when Newton fails", \
                  'i', 8, 0, WY_HALVING_CUTS, NULL),                                               \
    {                                                                                              \
        {0}, 0                                                                                     \
    }

/* Of the last balance that was solved: of the next step, centred on the newest level, where that is solved ahead.
 * Plain numbers without a hole: part of a method's state. */
typedef struct wy_spline_step_balance {
    int64_t known; /* 1: there is one */
    vec3 reaction[2], reaction_moment[2];
    vec3 end[2]; /* n at s = 0 and s = L [N] */
} wy_spline_step_balance;

/* The weight of node j of 0 .. n in the trapezoidal rule. */
static inline double wy_spline_step_weight(int j, int n) {
    return j == 0 || j == n ? 0.5 : 1.0;
}
/* Arc lengths of nodes that are eta apart. */
void wy_spline_step_nodes(int n, double length, double *s);

/* n at a place: from the ends and the means of the cells next to the nodes. */
vec3 wy_spline_step_force(const wy_spline_step_balance *balance, const vec3 *cell, int n,
                          wy_place at);
/* A rod of this length and stiffness: a fiftieth of its slowest period of bending between pins [s]. */
double wy_spline_step_step(double length, double rho, double stiff);
wy_order wy_spline_step_order(const void *options);
/* The step is h; the first one is solved now, unless nothing moves.  An automatic one is noted. */
withy_status wy_spline_step_set_step(const wy_halving_stepper *stepper, const wy_setup *setup,
                                     const char *method, double given, double h, int moves,
                                     withy_error *err);

/* How the state becomes a snapshot. */
typedef struct wy_spline_step_sampler {
    void (*station)(const void *self, withy_snapshot *snap, int i);
    void (*sums)(const void *self, withy_snapshot *snap); /* energies, momenta, constraint */
    unsigned pointwise, balance; /* WITHY_HAVE_ of station; those that need a balance */
} wy_spline_step_sampler;
void wy_spline_step_sample(const wy_spline_step_sampler *sampler, const void *self,
                           const wy_halving *halving, const wy_spline_step_balance *balance,
                           withy_snapshot *snap);
