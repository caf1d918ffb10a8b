/* readings.h - the sets of values with which the scene of a fit or a design was read. */
#pragma once

#include <stdatomic.h>
#include <stdlib.h>

#include "check.h"
#include "withy/fit.h"

typedef struct readings {
    char set[4000][128];
    atomic_int count;
    const withy_fit_read read; /* who reads it */
} readings;

/* A withy_fit_read, by several threads at once; the context is the readings. */
static withy_status count_reading(void *context, const char *const *override, int count,
                                  withy_scene **scene, withy_error *err) {
    readings *x = context;
    const int k = x->count++;
    size_t used = 0;
    CHECK(k < 4000);
    for (int i = 0; i < count; i++)
        used += (size_t)snprintf(x->set[k] + used, sizeof *x->set - used, "%s ", override[i]);
    CHECK(used < sizeof *x->set);
    return x->read(NULL, override, count, scene, err);
}

static int by_text(const void *a, const void *b) {
    return strcmp(a, b);
}

static int count_distinct(readings *x) {
    int count = 0;
    qsort(x->set, (size_t)x->count, sizeof *x->set, by_text);
    for (int i = 0; i < x->count; i++) count += !i || strcmp(x->set[i], x->set[i - 1]) != 0;
    return count;
}
