/* adapt.c - dt = "auto": equal steps, of a length that trials have shown to hold the tolerance.
 *
 * A conserving scheme with equal steps spreads its error evenly over a motion, and the errors of two lengths
 * of steps are in a ratio that can be measured.  So the whole motion up to the horizon (time.stop) is first
 * computed with few, long steps (director/trial.c); from that follow the order and the length of the step.
 * After the horizon, or without one, that is repeated for as long a time again; where an end or a load follows
 * an input, of which the future is not known, for every call of advance.
 *
 * Steps are equal between stops: the ends of spans, and the edges of loads (model/change.c), which
 * no step passes.  A step that does not converge is halved, and the steps after it until CALM were good.
 */
#include <string.h>

#include "method/director/network.h"

/* A step may be longer by this factor, to end at a stop: by order, about the same error more. */
static const double STRETCH[2] = {1.15, 1.07};
static const double SHORTEST = 1e-10; /* step, of the window */
static const double LANDED = 1e-12;   /* of the time: times that are equal */
static const double TOLD = 4;         /* times tol: an error to be told */
enum { CALM = 8, MOST = 1 << 30 };

void wy_director_auto_start(wy_director *x) {
    *x->pace = (wy_director_pace){0};
    *x->map = (wy_change_map){0};
    for (int i = 0; i < x->plan.changes.count; i++) x->range[i] = (wy_change_range){.known = 0};
    wy_director_mark(x, x->home);
}

/* ---- pieces ------------------------------------------------------------------------------------------- */

/* From *t the next piece of the way to `stop`, and by how many equal steps it is made. */
static withy_status choose(wy_director *x, double t, double stop, double steps, double *end,
                           int *count, withy_error *err) {
    const double whole = x->pace->to - x->pace->from, longest = whole / (double)x->pace->first;
    int shape;
    *end = stop;
    WY_TRY(wy_changes_limit(&x->plan.changes, x->range, x->map, t, longest, end, &shape, err));
    double pieces = (*end - t) / whole * steps;
    if (shape) pieces = wy_max(pieces, steps / (double)x->pace->first);
    const double fewer = floor(pieces);
    const double whole_ones = pieces <= STRETCH[x->step->order == 4] * fewer ? fewer : ceil(pieces);
    *count = (int)wy_max(1, wy_min(whole_ones, MOST));
    return WITHY_OK;
}

withy_status wy_director_auto_piece(wy_director *x, double *t, double stop, double steps,
                                    double *made, double *local, withy_error *err) {
    double end;
    int count;
    WY_TRY(choose(x, *t, stop, steps, &end, &count, err));
    const double from = *t, h = (end - from) / count;
    x->step->whole = 1;
    if (!(h > SHORTEST * (x->pace->to - x->pace->from)))
        return wy_network_stuck(wy_network_of(x), h, err);
    for (int i = 0; i < count; i++) {
        if (!x->step->trial) wy_network_keep(wy_network_of(x), 0);
        x->step->t = *t;
        WY_TRY(wy_network_full_step(wy_network_of(x), h, err));
        if (x->step->refused) return WITHY_OK;
        const double error = local ? wy_director_local(x) : 0;
        if (isfinite(error) && local) *local += error;
        *t = i + 1 < count ? from + (i + 1) * h : end, ++*made;
    }
    if (fabs(stop - end) <= LANDED * x->pace->to) *t = stop;
    return WITHY_OK;
}

/* A piece of the motion itself: by shorter steps where they do not converge. */
static withy_status move(wy_director *x, double *t, double stop, withy_error *err) {
    wy_director_pace *pace = x->pace;
    withy_stats *stats = x->setup->stats;
    if (pace->cut > 0 && pace->calm >= CALM) pace->cut--, pace->calm = 0;
    const double steps = ldexp((pace->to - pace->from) / pace->h, (int)pace->cut);
    double made = 0;
    const withy_status status = wy_director_auto_piece(x, t, stop, steps, &made, NULL, err);
    pace->calm += (int64_t)made;
    if (status != WITHY_OK || !x->step->refused) return status;
    wy_network_bring(wy_network_of(x), 0);
    stats->halvings++;
    pace->cut++, pace->calm = 0;
    return WITHY_OK;
}

/* ---- spans ------------------------------------------------------------------------------------------- */

/* A tolerance that is missed is told, once. */
static void tell(wy_director *x, double needed) {
    wy_director_pace *pace = x->pace;
    const double tol = x->plan.opt.tol, error = pace->error / wy_max(pace->size, 1e-300);
    if (pace->told || !(pace->error > TOLD * (tol * pace->size + WY_DIRECTOR_ROUNDING))) return;
    pace->told = 1;
    if (needed > 0)
        wy_note(x->setup->notes, WY_NOTE(step_error_many), pace->to, error, tol,
                (pace->to - pace->from) / needed);
    else
        wy_note(x->setup->notes, WY_NOTE(step_error_grows), pace->to, error, tol);
}

/* A window begins at t: to the horizon, or as long as the future is known; without a horizon each is
 * as long as all before. */
static withy_status begin_window(wy_director *x, double t, double end, withy_error *err) {
    const double horizon = x->plan.horizon;
    double needed;
    x->pace->from = t;
    x->pace->to = x->plan.changes.live ? end : wy_max(end, t < horizon ? horizon : 2 * t);
    WY_TRY(wy_changes_late(&x->plan.changes, x->range, t, &x->pace->to, err));
    WY_TRY(wy_director_try_steps(x, &needed, err));
    tell(x, needed);
    return WITHY_OK;
}

withy_status wy_director_auto_advance(wy_director *x, const wy_span *span, withy_error *err) {
    const double end = wy_span_time(span, span->to), equal = LANDED * end;
    double t = x->step->t;
    if (!(end - t > equal)) return WITHY_OK;
    while (end - t > equal) {
        wy_director_pace *pace = x->pace;
        if (!pace->order || !(pace->to - t > equal)) WY_TRY(begin_window(x, t, end, err));
        x->step->order = (int)pace->order, x->step->trial = 0, x->step->enough = 0;
        const double stop = wy_min(end, pace->to);
        while (stop - t > equal) WY_TRY(move(x, &t, stop, err));
        t = stop;
    }
    return WITHY_OK;
}
