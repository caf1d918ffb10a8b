/* wall.c - see wall.h.  C17 has only the calendar clock, which jumps when it is set. */
#include "base/wall.h"

#include <time.h>

double wy_wall_clock(void) {
    struct timespec now = {0};
#ifdef _POSIX_C_SOURCE
    clock_gettime(CLOCK_MONOTONIC, &now);
#else
    timespec_get(&now, TIME_UTC);
#endif
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
