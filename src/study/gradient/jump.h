/* jump.h - places and times at which a function of a scene jumps, and whether a parameter moves them.
 *
 * A method samples functions at its own places and times, so that one which jumps at a place that depends on a parameter
 * (force = function(t) return t > p.t0 and 5 or 0 end) has the derivative 0 at every sample: that of what is computed, and
 * not that of what is meant.
 */
#pragma once

#include "base/base.h"
#include "withy/problem.h"

/* Over which a function is searched. */
typedef struct wy_jump_range {
    int along_s;     /* 1: functions of s, all along rods; 0: signals from `from` to `to` */
    double from, to; /* [s] */
    int samples;     /* jumps closer to each other than two samples may be missed */
} wy_jump_range;

/* One that parameter k moves: *moved, with its name and where it is; -1: of all.  near[2 count]: the problem at a smaller and at
 * a larger value of each parameter. */
typedef struct wy_jump {
    int moved; /* 0: there is none */
    int parameter;
    char what[64];
    double at;
} wy_jump;

withy_status wy_jump_find(const withy_problem *here, const withy_problem *const *near, int count,
                          const wy_jump_range *range, wy_jump *found, withy_error *err);
