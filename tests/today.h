/* today.h - a part of many samples, another one each day.
 *
 * What `withy verify --long` or `make attack` goes through in full, or what several days go through, the suite samples.
 * WITHY_TEST_DAY=NUMBER repeats the sample of that day (since 1970).
 */
#pragma once

#include <stdlib.h>
#include <time.h>

/* The first of `share` samples out of `count` that begin with number `first`. */
static inline int today_from(int first, int count, int share) {
    const char *given = getenv("WITHY_TEST_DAY");
    const long day = given ? strtol(given, NULL, 10) : (long)(time(NULL) / 86400);
    return first + share * (int)(day % (count / share));
}
