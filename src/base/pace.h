/* pace.h - the clock of a method with a fixed step that may be cut into halves.
 *
 * A step for which the solver fails is halved, again and again if need be; steps then stay short until
 * CALM of them in a row were easy, and grow back where the time is a multiple of the longer one.  Times
 * are whole numbers of the shortest step there can be, so that the uncut steps are met exactly.
 */
#pragma once

#include "base/base.h"

enum { WY_PACE_CUTS = 20 }; /* most halvings */

typedef struct wy_pace {
    double h;     /* step, not cut                                   [s] */
    double dt[3]; /* now to next, last to now, before to last        [s] */
    int64_t tick; /* time in h 2^-WY_PACE_CUTS                           */
    int cut;      /* steps are h 2^-cut                                  */
    int calm;     /* easy steps since the last cut                       */
} wy_pace;

double wy_pace_time(const wy_pace *pace);
/* dt[0] of the step to try. */
void wy_pace_try(wy_pace *pace);
/* Halve it, at most `most` times in all.  False: it is short enough. */
bool wy_pace_cut(wy_pace *pace, int most);
/* The step that was tried is taken; `iterations` tell whether it was easy. */
void wy_pace_take(wy_pace *pace, int iterations);
/* ", halved 3 times" or "", for a sentence that names h. */
const char *wy_pace_told(const wy_pace *pace, char *buffer, size_t size);
/* Is the step to try another than the last one? */
bool wy_pace_uneven(const wy_pace *pace);
/* Ticks at time t, or -1 when t is no whole number of steps or before now. */
int64_t wy_pace_ticks(const wy_pace *pace, double t);
/* dy/dx by the secant of the last correction where that is near the estimate, which it is unless x is
 * lost in rounding. */
double wy_pace_slope(double estimate, double dx, double dy);
