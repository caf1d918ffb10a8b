/* poll.c - see poll.h. */
#include "base/poll.h"

#include "base/wall.h"

static const double EVERY = 0.05; /* [s] */

withy_status wy_poll_ask(wy_poll *poll, double t, withy_error *err) {
    if (!poll || !poll->ask) return WITHY_OK;
    const double now = wy_wall_clock();
    if (now < poll->due) return WITHY_OK;
    poll->due = now + EVERY;
    if (!poll->ask(poll->context, t)) return WITHY_OK;
    return wy_fail(err, WITHY_INTERRUPTED, "stopped on request at t = %g", t);
}
