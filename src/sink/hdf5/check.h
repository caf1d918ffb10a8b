/* check.h - checksums of numbers and texts.
 *
 * HDF5 protects its own structures by checksums, not the numbers.  Here every row of a table has one,
 * so that a lost sector is found when the row is read, and a row cut short by a kill is found too.  It
 * is the sum over the columns of a hash of name and numbers, so that it does not depend on their order;
 * 53 bits of it are kept, which a number holds exactly.
 */
#pragma once

#include "base/base.h"

#define WY_CHECK "check" /* its name in the file */

/* One step of a multiplicative hash: every bit of x reaches the upper half of the product. */
static inline uint64_t wy_check_mix(uint64_t hash, uint64_t x) {
    hash = (hash ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

static inline uint64_t wy_check_bytes(const char *text, size_t size) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325) + size;
    for (size_t i = 0; i < size; i++) hash = wy_check_mix(hash, (unsigned char)text[i]);
    return hash;
}

/* `seed`: wy_check_bytes() of the name of the column. */
static inline uint64_t wy_check_row(uint64_t seed, const double *value, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &value[i], sizeof bits);
        seed = wy_check_mix(seed, bits);
    }
    return seed;
}

static inline double wy_check_number(uint64_t sum) {
    return (double)(sum >> 11);
}
