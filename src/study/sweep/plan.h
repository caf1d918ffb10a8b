/* sweep_plan.h - the members of a sweep: which values each of them has.
 *
 * Grid: all combinations, the last axis varies quickest.  Samples in the unit cube, mapped to the ranges:
 * Sobol's sequence (direction numbers of Joe and Kuo, SIAM J. Sci. Comput. 30 (2008) 2635, new-joe-kuo-6), each
 * point in the middle of its cell of 2^-32; Latin hypercube: each axis in `count` strata, one point in each.
 */
#pragma once

#include "base/base.h"

enum { WY_PLAN_AXES = 16, WY_PLAN_PATH = 128 };

typedef struct wy_axis {
    char path[WY_PLAN_PATH];
    double from, to;
    int logarithmic;
    int count;     /* of a grid                                */
    double *value; /* [count] of a list; NULL: a range         */
} wy_axis;

typedef struct wy_sweep_plan {
    int axes;
    wy_axis axis[WY_PLAN_AXES];
    int64_t count; /* members                                  */
    int sampled;   /* 0: grid, 1: Sobol, 2: Latin hypercube     */
    uint64_t seed;
    uint32_t *stratum; /* [axes][count] of a Latin hypercube    */
} wy_sweep_plan;

withy_status wy_sweep_plan_make(wy_sweep_plan *plan, const char *const *over, int count,
                                const char *sample, wy_arena *arena, withy_error *err);
/* The values of a member, x[axes]. */
void wy_sweep_plan_at(const wy_sweep_plan *plan, int64_t member, double *x);
