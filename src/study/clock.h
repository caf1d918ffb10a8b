/* clock.h - the one clock: the step of a method and the times at which it stops.
 *
 * Outputs and probes need records at certain times; a method has a preferred step.
 * The clock takes the longest step that is not longer than the method's and of which a whole number
 * fills every recorded interval, and writes a note when the user had given another.
 */
#pragma once

#include "method/method.h"

/* Of a simulation, plain numbers: part of its state. */
typedef struct wy_clock {
    double origin, h; /* step k ends at origin + k h [s]; h = 0: the method has no fixed step */
    int64_t step;     /* k now */
} wy_clock;

/* The step of a run. */
double wy_clock_fit(const withy_request *request, const wy_preferred_step *preferred_step,
                    withy_notes *notes);

/* The steps to t: those of the method, or equal shorter ones if t lies between two of them and the method
 * allows it (odd), after which the count begins anew. */
typedef struct wy_clock_steps {
    wy_span span; /* no step: from = to */
    int odd;
} wy_clock_steps;
withy_status wy_clock_steps_to(const wy_clock *clock, const wy_method *method, double now, double t,
                               wy_clock_steps *way, withy_error *err);
/* Is it at t, as far as it can be elsewhere by rounding and by requests that do not quite land on a step? */
int wy_clock_is_at(const wy_clock *clock, double t);
/* These steps have been made. */
void wy_clock_arrive(wy_clock *clock, const wy_clock_steps *way, double t);

/* Number of output intervals up to request.stop. */
int64_t wy_output_count(const withy_request *request);
