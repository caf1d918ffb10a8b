/* today.h - a part of many samples, another one each day.
 *
 * What `withy verify --long` or `make attack` goes through in full, the suite samples: whoever sees a failure reads the first number
 * of the sample and repeats it.
 */
#pragma once

#include <time.h>

/* The first of `share` samples out of `count` that begin with number `first`. */
static inline int today_from(int first, int count, int share) {
    const long day = (long)(time(NULL) / 86400);
    return first + share * (int)(day % (count / share));
}
