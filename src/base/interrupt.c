/* interrupt.c - see interrupt.h. */
#include "base/interrupt.h"

#include "base/wall_clock.h"

static const double EVERY = 0.05; /* [s] */

withy_status wy_interrupt_check(wy_interrupt *interrupt, double t, withy_error *err) {
    if (!interrupt || !interrupt->ask) return WITHY_OK;
    const double now = wy_wall_clock();
    if (now < interrupt->due) return WITHY_OK;
    interrupt->due = now + EVERY;
    if (!interrupt->ask(interrupt->context, t)) return WITHY_OK;
    return wy_fail(err, WITHY_INTERRUPTED, "stopped on request at t = %g", t);
}
