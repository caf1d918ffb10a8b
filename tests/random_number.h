/* random_number.h - random numbers that a seed repeats on every machine. */
#pragma once

#include <stdint.h>

/* The next of the linear congruential generator of Numerical Recipes. */
static inline uint32_t random_next(uint32_t *seed) {
    return *seed = *seed * 1664525u + 1013904223u;
}

/* Uniform in [low, high); the linear congruential generator of Knuth's MMIX. */
static inline double random_between(uint64_t *seed, double low, double high) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * ((double)(*seed >> 11) / 9007199254740992.0);
}
