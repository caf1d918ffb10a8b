/* worst.h - the larger of two errors, for studies and tests: unlike fmax it keeps a NaN. */
#pragma once

static inline double worst_of(double a, double b) {
    return a != a || b <= a ? a : b;
}
