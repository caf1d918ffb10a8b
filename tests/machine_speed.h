/* machine_speed.h - limits of processor time that hold on a machine of any speed.
 *
 * Processor time does not see other programs, but a machine four times slower takes four times as much of it.  So a
 * limit is multiplied by what a fixed piece of work takes here: arithmetic that waits for itself and passes over
 * memory, 0.07 s where the limits were written.  The factor is at least 1.
 */
#pragma once

#include <stdlib.h>
#include <string.h>
#include <time.h>

static inline double machine_speed(void) {
    static double factor;
    if (factor > 0) return factor;
    enum { SIZE = 1 << 20, TIMES = 400, TURNS = 20000000 };
    const clock_t begun = clock();
    char *a = malloc(SIZE), *b = malloc(SIZE);
    volatile double x = 1, kept = 0;
    if (!a || !b) abort();
    for (int k = 0; k < TIMES; k++) {
        memset(a, k, SIZE), memset(b, k, SIZE);
        kept = memcmp(a, b, SIZE);
    }
    double y = x;
    for (int i = 0; i < TURNS; i++) y = y * 0.999999 + 1e-6;
    x = y + kept;
    free(a), free(b);
    factor = (double)(clock() - begun) / CLOCKS_PER_SEC / 0.07;
    if (factor < 1) factor = 1;
    return factor;
}
