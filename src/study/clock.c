/* clock.c - see sim.h. */
#include "study/sim.h"

/* How far from a whole number a ratio of intervals may be and still count as one. */
static const double WHOLE = 1e-9;
/* The same for a requested time, in steps: it may have been computed differently. */
static const double LANDS = 1e-6;

int64_t wy_output_count(const withy_request *request) {
    return (int64_t)ceil(request->stop / request->output - WHOLE);
}

/* Rounding of a time that was computed as a multiple of another, in units of it. */
static const double ROUNDING = 8 * 2.220446049250313e-16;

static int divides_within(double part, double whole, double tolerance) {
    const double ratio = whole / part, near = floor(ratio + 0.5);
    return near >= 1 && fabs(ratio - near) <= tolerance * near;
}

static int divides(double part, double whole) {
    return divides_within(part, whole, WHOLE);
}

/* The longest interval, not shorter than dt, that divides time.output and the intervals of as many
 * probes as possible; a probe with a shorter interval is recorded at every step. */
static double watched_interval(const withy_request *request, double dt) {
    double interval = request->output;
    for (int i = 0; i < request->probe_count; i++) {
        const double every = request->probe[i].every;
        if (every >= dt * (1 - WHOLE) && every < interval && divides(every, interval))
            interval = every;
    }
    return interval;
}

double wy_clock_fit(const withy_request *request, const wy_preferred_step *preferred_step,
                    withy_notes *notes) {
    if (preferred_step->adaptive) return 0.0;
    const double dt = preferred_step->dt > 0 ? preferred_step->dt : request->output;
    const double interval = watched_interval(request, dt);
    if (divides_within(dt, interval, ROUNDING))
        return dt; /* the same to the last bit, whatever is recorded */
    /* What dt lacks would add up from one output to the next: 0.0333333333 becomes 1/30. */
    const int almost = divides(dt, interval);
    const double fitted = interval / (almost ? floor(interval / dt + 0.5) : ceil(interval / dt));
    if (preferred_step->given && !almost)
        wy_note(notes, WY_NOTE(step_fitted), fitted, dt,
                interval == request->output ? "time.output" : "the interval of the probes",
                interval);
    return fitted;
}

static withy_status off_the_grid(const wy_clock *clock, const wy_method *method, double t,
                                 withy_error *err) {
    return wy_bad_input(err,
                        "%s: t = %.9g is not a whole number of steps of %.9g from t = %.9g; choose "
                        "such a time, or choose options.dt so that it is",
                        method->name, t, clock->h, clock->origin);
}

/* Equal steps not longer than h that end between two points of the grid, after which the count restarts
 * there.  A few whole steps and a remainder would give arbitrarily short steps, at which multistep
 * rules lose their history and schemes that march along the rod their accuracy. */
static void odd_steps(const wy_clock *clock, double from, double t, wy_clock_steps *way) {
    const double count = clock->h > 0 ? wy_max(1, ceil((t - from) / clock->h - LANDS)) : 1;
    *way = (wy_clock_steps){{from, (t - from) / count, 0, (int64_t)count}, 1};
}

withy_status wy_clock_steps_to(const wy_clock *clock, const wy_method *method, double now, double t,
                               wy_clock_steps *way, withy_error *err) {
    if (!(clock->h > 0)) {
        odd_steps(clock, now, t, way);
        return WITHY_OK;
    }
    const double steps = (t - clock->origin) / clock->h, near = floor(steps + 0.5);
    if (!(near < 9e15))
        return wy_bad_input(err, "%s: %.3g steps of %.3g s are too many to count", method->name,
                            near, clock->h);
    if (!(fabs(steps - near) <= LANDS + ROUNDING * near)) {
        const wy_span grid = {clock->origin, clock->h, 0, 0};
        if (!method->any_step) return off_the_grid(clock, method, t, err);
        odd_steps(clock, wy_span_time(&grid, clock->step), t, way);
        return WITHY_OK;
    }
    const int64_t to = (int64_t)near > clock->step ? (int64_t)near : clock->step;
    *way = (wy_clock_steps){{clock->origin, clock->h, clock->step, to}, 0};
    return WITHY_OK;
}

int wy_clock_is_at(const wy_clock *clock, double t) {
    const wy_span grid = {clock->origin, clock->h, 0, 0};
    const double miss = LANDS + ROUNDING * (double)clock->step;
    return fabs(wy_span_time(&grid, clock->step) - t) <= miss * clock->h + ROUNDING * fabs(t);
}

void wy_clock_arrive(wy_clock *clock, const wy_clock_steps *way, double t) {
    if (way->odd)
        clock->origin = t, clock->step = 0;
    else
        clock->step = way->span.to;
}
