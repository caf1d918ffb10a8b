/* pace.c - see pace.h. */
#include "base/pace.h"

#include <stdio.h>

enum { EASY = 8, CALM = 8 }; /* iterations, steps */

double wy_pace_time(const wy_pace *pace) {
    return (double)pace->tick * ldexp(pace->h, -WY_PACE_CUTS);
}

void wy_pace_try(wy_pace *pace) {
    pace->dt[0] = ldexp(pace->h, -pace->cut);
}

bool wy_pace_cut(wy_pace *pace, int most) {
    if (pace->cut >= most) return false;
    pace->cut++, pace->calm = 0;
    return true;
}

void wy_pace_take(wy_pace *pace, int iterations) {
    const int64_t step = (int64_t)1 << (WY_PACE_CUTS - pace->cut);
    pace->dt[2] = pace->dt[1], pace->dt[1] = pace->dt[0];
    pace->tick += step;
    pace->calm = iterations <= EASY ? pace->calm + 1 : 0;
    if (pace->cut == 0 || pace->calm < CALM || pace->tick % (2 * step) != 0) return;
    pace->cut--, pace->calm = 0;
}

const char *wy_pace_told(const wy_pace *pace, char *buffer, size_t size) {
    buffer[0] = '\0';
    if (pace->cut)
        snprintf(buffer, size, ", halved %d time%s", pace->cut, pace->cut > 1 ? "s" : "");
    return buffer;
}

bool wy_pace_uneven(const wy_pace *pace) {
    return pace->dt[1] > 0 && pace->dt[0] != pace->dt[1];
}

int64_t wy_pace_ticks(const wy_pace *pace, double t) {
    const double steps = t / pace->h, whole = floor(steps + 0.5);
    const double ticks = ldexp(whole, WY_PACE_CUTS);
    if (!(fabs(steps - whole) <= 1e-6) || !(ticks >= (double)pace->tick) || !(ticks < 9e18))
        return -1;
    return (int64_t)ticks;
}

double wy_pace_slope(double estimate, double dx, double dy) {
    const double secant = dx != 0 ? dy / dx : 0;
    return secant > 0.1 * estimate && secant < 10 * estimate ? secant : estimate;
}
