/* step_size.c - dt = "auto": equal steps, of a length that trials have shown to hold the tolerance.
 *
 * A conserving scheme with equal steps spreads its error evenly over a motion, and the errors of two lengths
 * of steps are in a ratio that can be measured.  So the whole motion up to the horizon (time.stop) is first
 * computed with few, long steps (director/step/step_trial.c); from that follow the order and the length of the step.
 * After the horizon, or without one, that is repeated for as long a time again; where an end or a load follows
 * an input, of which the future is not known, for every call of advance.
 *
 * Steps are equal between stops: the ends of spans, and the edges of loads (model/load/change.c), which
 * no step passes.  A step that does not converge is halved, and the steps after it until CALM were good.
 */
#include "method/director/network.h"

/* A step may be longer by this factor, to end at a stop: by order, about the same error more. */
static const double STRETCH[2] = {1.15, 1.07};
static const double SHORTEST = 1e-10; /* step, of the window */
static const double LANDED = 1e-12;   /* of the time: times that are equal */
static const double REPORTED = 4;     /* times tol: an error to be reported */
enum { CALM = 8, MOST = 1 << 30 };

void wy_director_auto_start(wy_director *x) {
    *x->step_size = (wy_director_step_size){0};
    *x->map = (wy_change_map){0};
    for (int i = 0; i < x->plan.changes.count; i++) x->range[i] = (wy_change_range){.known = 0};
    wy_director_mark(x, x->home);
}

/* ---- pieces ------------------------------------------------------------------------------------------- */

/* From *t the next piece of the way to `stop`, and by how many equal steps it is made. */
static withy_status choose(wy_director *x, double t, double stop, double steps, double *end,
                           int *count, withy_error *err) {
    const double whole = x->step_size->to - x->step_size->from,
                 longest = whole / (double)x->step_size->first;
    int shape;
    *end = stop;
    WY_TRY(wy_changes_limit(&x->plan.changes, x->range, x->map, t, longest, end, &shape, err));
    double pieces = (*end - t) / whole * steps;
    if (shape) pieces = wy_max(pieces, steps / (double)x->step_size->first);
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
    x->step->is_never_halved = 1;
    if (!(h > SHORTEST * (x->step_size->to - x->step_size->from)))
        return wy_network_step_failed(wy_network_of(x), h, err);
    for (int i = 0; i < count; i++) {
        if (!x->step->trial) wy_network_save_copy(wy_network_of(x), 0);
        x->step->t = *t;
        WY_TRY(wy_network_full_step(wy_network_of(x), h, err));
        if (x->step->refused) return WITHY_OK;
        const double error = local ? wy_director_local(x) : 0;
        if (isfinite(error) && local) *local += error;
        *t = i + 1 < count ? from + (i + 1) * h : end, ++*made;
    }
    if (fabs(stop - end) <= LANDED * x->step_size->to) *t = stop;
    return WITHY_OK;
}

/* A piece of the motion itself: by shorter steps where they do not converge. */
static withy_status move(wy_director *x, double *t, double stop, withy_error *err) {
    wy_director_step_size *step_size = x->step_size;
    withy_stats *stats = x->setup->stats;
    if (step_size->cut > 0 && step_size->calm >= CALM) step_size->cut--, step_size->calm = 0;
    const double steps =
        ldexp((step_size->to - step_size->from) / step_size->h, (int)step_size->cut);
    double made = 0;
    const withy_status status = wy_director_auto_piece(x, t, stop, steps, &made, NULL, err);
    step_size->calm += (int64_t)made;
    if (status != WITHY_OK || !x->step->refused) return status;
    wy_network_restore_copy(wy_network_of(x), 0);
    stats->halvings++;
    step_size->cut++, step_size->calm = 0;
    return WITHY_OK;
}

/* ---- spans ------------------------------------------------------------------------------------------- */

/* A tolerance that is missed is reported, once. */
static void report(wy_director *x, double needed) {
    wy_director_step_size *step_size = x->step_size;
    const double tol = x->plan.opt.tol, error = step_size->error / wy_max(step_size->size, 1e-300);
    if (step_size->reported ||
        !(step_size->error > REPORTED * (tol * step_size->size + WY_DIRECTOR_ROUNDING)))
        return;
    step_size->reported = 1;
    if (needed > 0)
        wy_note(x->setup->notes, WY_NOTE(step_error_many), step_size->to, error, tol,
                (step_size->to - step_size->from) / needed);
    else
        wy_note(x->setup->notes, WY_NOTE(step_error_grows), step_size->to, error, tol);
}

/* A window begins at t: to the horizon, or as long as the future is known; without a horizon each is
 * as long as all before. */
static withy_status begin_window(wy_director *x, double t, double end, withy_error *err) {
    const double horizon = x->plan.horizon;
    double needed;
    x->step_size->from = t;
    x->step_size->to = x->plan.changes.live ? end : wy_max(end, t < horizon ? horizon : 2 * t);
    WY_TRY(wy_changes_late(&x->plan.changes, x->range, t, &x->step_size->to, err));
    WY_TRY(wy_director_try_steps(x, &needed, err));
    report(x, needed);
    return WITHY_OK;
}

withy_status wy_director_auto_advance(wy_director *x, const wy_span *span, withy_error *err) {
    const double end = wy_span_time(span, span->to), equal = LANDED * end;
    double t = x->step->t;
    if (!(end - t > equal)) return WITHY_OK;
    while (end - t > equal) {
        wy_director_step_size *step_size = x->step_size;
        if (!step_size->order || !(step_size->to - t > equal)) WY_TRY(begin_window(x, t, end, err));
        x->step->order = (int)step_size->order, x->step->trial = 0, x->step->enough = 0;
        const double stop = wy_min(end, step_size->to);
        while (stop - t > equal) WY_TRY(move(x, &t, stop, err));
        t = stop;
    }
    return WITHY_OK;
}
