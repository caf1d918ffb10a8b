/* interrupt.h - may a long call continue?  An integrator asks between its own steps and between iterations,
 * so that a request to stop is handled long before a call ends.
 */
#pragma once

#include "base/base.h"

typedef struct wy_interrupt {
    int (*ask)(void *context, double t); /* non-zero: stop; NULL: nobody can stop it */
    void *context;
    double due; /* wall clock before which it is not asked again [s] */
} wy_interrupt;

/* WITHY_INTERRUPTED when the call is to be stopped.  Asks at most twenty times a second.  interrupt NULL:
 * continue. */
withy_status wy_interrupt_check(wy_interrupt *interrupt, double t, withy_error *err);
