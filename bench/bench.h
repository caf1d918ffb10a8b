/* bench.h - what every bench program needs: processor time, and exit on failure. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Processor time of this process [s]: the machine may be shared. */
static inline double processor(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void die(const char *text) {
    fprintf(stderr, "bench: %s\n", text);
    exit(1);
}
