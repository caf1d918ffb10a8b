/* refine.c - see compare.h. */
#include "study/compare/compare.h"

/* Of the size of the rod, and of the largest number of a group: what solvers leave. */
static const double PLACE_FLOOR = 1e-10, OTHER_FLOOR = 1e-9;
enum { TOL_TIMES = 3 };             /* tolerances tried until the steps follow */
enum { FOLLOW_MOST = 6 };           /* halvings of a step that does not follow a spin */
static const double FOLLOWED = 1.5; /* times the difference from steps that do */
enum { SHORTEN = 4 }; /* times that a step is halved until a finer mesh accepts it        */
static const double TOL =
    8.0; /* an adapted step halves when its tolerance falls by this          */

/* The three runs in one direction, mesh or step; `given` is one of them. */
typedef struct runs {
    const wy_trace *given;
    wy_trace made[2]; /* coarser or none, finer; or finer and finest */
    int count;        /* of made                                     */
    int coarser;      /* 1: the first of them is coarser             */
    const double
        *step_error; /* [count * items] of the given run; NULL: of the mesh nothing is known so */
} runs;

/* All that a refinement has in common. */
typedef struct task {
    const withy_study *study;
    const wy_trace *given;
    wy_traced solve;
    withy_error_summary *summary;
    int moving;
} task;

static void note_unknown(withy_error_summary *summary, const char *what, const char *why) {
    wy_note(&summary->notes, WY_NOTE(errors_unknown), what, why);
}

/* ---- one run ------------------------------------------------------------------------------------------ */

static withy_status solve_with(const task *x, const wy_resolution *with, wy_trace *trace,
                               withy_error *err) {
    withy_study study = *x->study;
    study.option = with->option, study.option_count = with->count;
    study.output_count = 0, study.error = 0, study.record = NULL;
    *trace = (wy_trace){0};
    const withy_status status = x->solve(&study, trace, err);
    if (status == WITHY_OK && trace->count != x->given->count)
        return wy_no_convergence(err, "it has %d points instead of %d", trace->count,
                                 x->given->count);
    return status;
}

static void note_run(const task *x, const wy_trace *trace) {
    withy_error_summary *s = x->summary;
    s->runs++;
    s->n[0] = trace->n < s->n[0] ? trace->n : s->n[0];
    s->n[1] = trace->n > s->n[1] ? trace->n : s->n[1];
    s->dt[0] = fmax(s->dt[0], trace->dt), s->dt[1] = fmin(s->dt[1], trace->dt);
}

/* n 2^level; where an explicit method refuses the step on a finer mesh, a shorter one. */
static withy_status mesh_run(const task *x, int level, wy_trace *trace, withy_error *err) {
    wy_resolution with;
    wy_resolution_of(x->study, &with);
    const int n = level < 0 ? (x->given->n + 1) / 2 : x->given->n << level;
    wy_resolution_set(&with, "n", n, "");
    if (n == x->given->n) return wy_bad_input(err, "n = %d cannot be halved", x->given->n);
    withy_status status = WITHY_BAD_INPUT;
    for (int k = 0; k <= SHORTEN && status == WITHY_BAD_INPUT; k++) {
        if (x->moving && x->given->dt > 0)
            wy_resolution_set(&with, "dt", ldexp(x->given->dt, -k), "");
        if (k) wy_trace_free(trace);
        status = solve_with(x, &with, trace, err);
        if (!(x->moving && x->given->dt > 0)) break;
    }
    return status;
}

/* Steps that are not at least this much longer or shorter say nothing of the step. */
static int same_steps(const task *x, const wy_trace *trace) {
    return fabs(log((double)trace->steps / (double)x->given->steps)) < log(1.25);
}

/* A tolerance that the steps follow: a looser or tighter one, a few times. */
static withy_status tol_run(const task *x, int level, wy_trace *trace, withy_error *err) {
    wy_resolution with;
    wy_resolution_of(x->study, &with);
    for (int times = 1; times <= TOL_TIMES; times++) {
        if (times > 1) wy_trace_free(trace);
        wy_resolution_set(&with, "tol", x->given->tol * pow(TOL, -level * times), "");
        WY_TRY(solve_with(x, &with, trace, err));
        if (!same_steps(x, trace)) return WITHY_OK;
    }
    return wy_bad_input(err, "the steps do not follow options.tol; give options.dt");
}

/* dt 2^-level, or another tolerance. */
static withy_status step_run(const task *x, int level, wy_trace *trace, withy_error *err) {
    wy_resolution with;
    if (!(x->given->dt > 0)) return tol_run(x, level, trace, err);
    wy_resolution_of(x->study, &with);
    wy_resolution_set(&with, "dt", ldexp(x->given->dt, -level), "");
    WY_TRY(solve_with(x, &with, trace, err));
    if (same_steps(x, trace))
        return wy_bad_input(err, "the step cannot be longer than the output interval");
    return WITHY_OK;
}

typedef withy_status (*one_run)(const task *x, int level, wy_trace *trace, withy_error *err);

/* A run that is kept; only what stops everything is an error. */
static withy_status try_run(const task *x, one_run run, int level, runs *out, withy_error *err) {
    withy_error why = {0};
    wy_trace *trace = &out->made[out->count];
    const withy_status status = run(x, level, trace, &why);
    if (status == WITHY_OK) {
        out->count++;
        note_run(x, trace);
        return WITHY_OK;
    }
    wy_trace_free(trace);
    if (status == WITHY_INTERRUPTED || status == WITHY_NO_MEMORY) {
        *err = why;
        return status;
    }
    if (level > 0) note_unknown(x->summary, "no finer run", why.text);
    return WITHY_OK;
}

static withy_status three_runs(const task *x, one_run run, runs *out, withy_error *err) {
    *out = (runs){.given = x->given};
    WY_TRY(try_run(x, run, -1, out, err));
    out->coarser = out->count;
    WY_TRY(try_run(x, run, 1, out, err));
    if (!out->coarser && out->count == 1) WY_TRY(try_run(x, run, 2, out, err));
    return WITHY_OK;
}

static void free_runs(runs *x) {
    for (int i = 0; i < x->count; i++) wy_trace_free(&x->made[i]);
}

/* ---- differences ---------------------------------------------------------------------------------- */

static double difference(const wy_trace *a, const wy_trace *b, int k, const wy_item *item) {
    const size_t at = (size_t)k * (size_t)a->width + (size_t)item->first;
    double square = 0;
    for (int c = 0; c < item->size; c++) {
        const double d = a->value[at + (size_t)c] - b->value[at + (size_t)c];
        square += d * d;
    }
    return sqrt(square);
}

/* The largest number of a group, with a moment over the length as a force and the other way round. */
static double group_size(const wy_trace *x, int group) {
    double most = 0;
    for (int i = 0; i < x->items; i++) {
        const int other = x->item[i].group;
        double scale = other == group ? 1.0 : 0.0;
        if (group == WY_TRACE_FORCE && other == WY_TRACE_MOMENT) scale = 1 / x->length;
        if (group == WY_TRACE_MOMENT && other == WY_TRACE_FORCE) scale = x->length;
        for (int k = 0; k < x->count && scale > 0; k++)
            for (int c = 0; c < x->item[i].size; c++)
                most = fmax(most, scale * fabs(x->value[(size_t)k * (size_t)x->width +
                                                        (size_t)(x->item[i].first + c)]));
    }
    return most;
}

static double group_floor(const wy_trace *x, int group) {
    if (group == WY_TRACE_PLACE) return PLACE_FLOOR * fmax(x->length, group_size(x, group));
    return OTHER_FLOOR * group_size(x, group);
}

/* Differences of all items at all records: coarse[item][record], fine. */
typedef struct differences {
    double *coarse, *fine, *work; /* [items * count], [count] */
} differences;

static withy_status take_differences(const wy_trace *x, differences *d, withy_error *err) {
    const size_t all = (size_t)x->items * (size_t)x->count;
    d->coarse = wy_alloc(2 * all + (size_t)x->count, sizeof *d->coarse);
    if (!d->coarse) return wy_no_memory(err, "no memory for error bars");
    d->fine = d->coarse + all, d->work = d->fine + all;
    return WITHY_OK;
}

/* a, b, c from coarse to fine, and which of them is the given one. */
static int in_order(const runs *x, const wy_trace *level[3]) {
    level[0] = x->coarser ? &x->made[0] : x->given;
    level[1] = x->coarser ? x->given : &x->made[0];
    level[2] = &x->made[1];
    return x->coarser ? WY_ERROR_BAR_MIDDLE : WY_ERROR_BAR_COARSEST;
}

/* In a motion errors oscillate: the largest of the last quarter, and of the next time. */
static void fill_one(const wy_trace *a, const wy_trace *b, const wy_item *item, int moving,
                     double *work, double *out) {
    for (int k = 0; k < a->count; k++) work[k] = difference(a, b, k, item);
    const int before = moving ? (a->count / 4 > 2 ? a->count / 4 : 2) : 0;
    wy_error_bar_window(work, a->count, before, moving, out);
}

static double largest_of(const wy_trace *x, const double *list, int group) {
    double most = 0;
    for (int i = 0; i < x->items; i++)
        for (int k = 0; k < x->count && x->item[i].group == group; k++)
            most = fmax(most, list[(size_t)i * (size_t)x->count + (size_t)k]);
    return most;
}

/* ---- bars ------------------------------------------------------------------------------------------ */

/* The step gets at least this wrong, whatever the other runs show: they have outputs only (step_error.c). */
static double least_bar(const runs *x, int k, int i) {
    return x->step_error ? x->step_error[(size_t)k * (size_t)x->given->items + (size_t)i] : 0;
}

/* Bars of one item from three runs, added. */
static void add_bars(const runs *x, const differences *d, int i, int order, wy_error_bars *bars) {
    const wy_trace *level[3], *g = x->given;
    const int which = in_order(x, level), group = g->item[i].group;
    const double ratio =
        wy_error_bar_ratio(largest_of(g, d->coarse, group), largest_of(g, d->fine, group),
                           group_floor(g, group), order);
    if (!wy_error_bar_trusted(ratio)) bars->trusted[i] = 0;
    for (int k = 0; k < g->count; k++) {
        const size_t at = (size_t)i * (size_t)g->count + (size_t)k;
        if (isnan(d->coarse[at]) || isnan(d->fine[at])) bars->trusted[i] = 0;
        bars->bar[(size_t)k * (size_t)bars->items + (size_t)i] +=
            fmax(wy_error_bar(which, d->coarse[at], d->fine[at], ratio), least_bar(x, k, i));
    }
}

/* From the one other run there is, at a third of the trust: three times the difference. */
static void add_rough(const runs *x, int moving, differences *d, int i, wy_error_bars *bars) {
    const wy_trace *g = x->given;
    bars->trusted[i] = 0;
    if (x->count) fill_one(g, &x->made[0], &g->item[i], moving, d->work, d->coarse);
    const int finer = x->count && !x->coarser;
    for (int k = 0; k < g->count; k++) /* NaN: the finer run has it not */
        bars->bar[(size_t)k * (size_t)bars->items + (size_t)i] +=
            finer && !isnan(d->coarse[k]) ? fmax(3 * d->coarse[k], least_bar(x, k, i)) : INFINITY;
}

static double worst_place(const wy_error_bars *bars, const wy_trace *given) {
    double most = 0;
    for (int k = 0; k < given->count; k++)
        for (int i = 0; i < given->place.count; i++)
            most = fmax(most, wy_error_bars_at(bars, k, given->place.first + i));
    return most;
}

/* What the last direction has raised the largest bar of a place by; infinite where nothing is known any more. */
static double raised(const wy_error_bars *bars, const wy_trace *given, double before) {
    const double now = worst_place(bars, given);
    return isfinite(now) ? now - before : INFINITY;
}

/* What one direction contributes. */
static withy_status add_direction(const task *x, one_run run, wy_error_bars *bars, double *part,
                                  withy_error *err) {
    runs made;
    differences d = {0};
    const double before = worst_place(bars, x->given);
    withy_status status = three_runs(x, run, &made, err);
    made.step_error = run == step_run ? x->given->step_error : NULL;
    if (status == WITHY_OK) status = take_differences(x->given, &d, err);
    const wy_trace *g = x->given, *level[3];
    if (status == WITHY_OK && made.count == 2) {
        in_order(&made, level);
        for (int i = 0; i < g->items; i++) {
            const size_t at = (size_t)i * (size_t)g->count;
            fill_one(level[0], level[1], &g->item[i], x->moving, d.work, d.coarse + at);
            fill_one(level[1], level[2], &g->item[i], x->moving, d.work, d.fine + at);
        }
    }
    for (int i = 0; i < g->items && status == WITHY_OK; i++)
        if (made.count == 2)
            add_bars(&made, &d, i, run == mesh_run ? g->order.space : g->order.time, bars);
        else
            add_rough(&made, x->moving, &d, i, bars);
    free_runs(&made);
    wy_free(d.coarse);
    *part = raised(bars, x->given, before);
    return status;
}

/* NaN: the run with steps that follow has it not. */
static double followed(double bar, double difference) {
    return isnan(difference) ? INFINITY : fmax(bar, FOLLOWED * difference);
}

static withy_status run_followed(const task *x, runs *made, withy_error *err) {
    const wy_trace *g = x->given;
    *made = (runs){.given = g};
    if (g->dt > 0 && g->halvings <= FOLLOW_MOST)
        return try_run(x, step_run, g->halvings, made, err);
    note_unknown(x->summary, "sections spin further in a step than the method follows",
                 g->dt > 0
                     ? "the error of that is not known: a check with steps that are short enough "
                       "would take too many; shorten options.dt"
                     : "the error of that is not known with automatic steps; set options.dt");
    return WITHY_OK;
}

/* Sections that spin further in a step than the method follows do so with half and twice the step too, and the runs may be as
 * wrong as each other: one with steps that follow shows it.  Without it nothing is known. */
static withy_status add_followed(const task *x, wy_error_bars *bars, withy_error *err) {
    const wy_trace *g = x->given;
    runs made;
    differences d = {0};
    const double before = worst_place(bars, g);
    if (!g->halvings) return WITHY_OK;
    withy_status status = run_followed(x, &made, err);
    if (status == WITHY_OK) status = take_differences(g, &d, err);
    for (int i = 0; i < g->items && status == WITHY_OK; i++) {
        if (made.count) fill_one(g, &made.made[0], &g->item[i], x->moving, d.work, d.coarse);
        for (int k = 0; k < g->count; k++) {
            double *bar = &bars->bar[(size_t)k * (size_t)bars->items + (size_t)i];
            *bar = made.count ? followed(*bar, d.coarse[k]) : INFINITY;
        }
        bars->trusted[i] = 0;
    }
    free_runs(&made);
    wy_free(d.coarse);
    x->summary->step += raised(bars, g, before);
    return status;
}

static double extent(const wy_trace *x) {
    double most = 0;
    for (int c = 0; c < 3; c++) {
        double low = INFINITY, high = -INFINITY;
        for (int k = 0; k < x->count; k++)
            for (int i = 0; i < x->place.count; i++) {
                const double at =
                    x->value[(size_t)k * (size_t)x->width + (size_t)(x->item[i].first + c)];
                low = fmin(low, at), high = fmax(high, at);
            }
        most = fmax(most, high - low);
    }
    return most;
}

static withy_status all_directions(const task *x, wy_error_bars *bars, withy_error *err) {
    const wy_trace *given = x->given;
    withy_error_summary *s = &bars->summary;
    WY_TRY(add_direction(x, mesh_run, bars, &s->mesh, err));
    if (x->moving && (given->dt > 0 || given->tol > 0))
        WY_TRY(add_direction(x, step_run, bars, &s->step, err));
    WY_TRY(add_followed(x, bars, err));
    for (int i = 0; i < given->items; i++) {
        const double least = group_floor(given, given->item[i].group);
        for (int k = 0; k < given->count; k++)
            bars->bar[(size_t)k * (size_t)bars->items + (size_t)i] += least;
    }
    s->shape = worst_place(bars, given), s->size = extent(given);
    s->trusted = 1;
    for (int i = 0; i < given->place.count; i++) s->trusted &= bars->trusted[i];
    return WITHY_OK;
}

withy_status wy_refine(const withy_study *study, const wy_trace *given, int moving, wy_traced solve,
                       wy_error_bars *bars, withy_error *err) {
    *bars = (wy_error_bars){.count = given->count, .items = given->items};
    bars->summary.n[0] = bars->summary.n[1] = given->n;
    bars->summary.dt[0] = bars->summary.dt[1] = given->dt;
    bars->bar = wy_alloc((size_t)given->count * (size_t)given->items, sizeof *bars->bar);
    bars->trusted = wy_alloc((size_t)given->items, 1);
    withy_status status = WITHY_OK;
    if (!bars->bar || !bars->trusted)
        status = wy_no_memory(err, "no memory for error bars");
    else
        memset(bars->trusted, 1, (size_t)given->items);
    const task x = {study, given, solve, &bars->summary, moving};
    if (status == WITHY_OK) status = all_directions(&x, bars, err);
    return status;
}

void wy_error_bars_free(wy_error_bars *bars) {
    wy_free(bars->bar), wy_free(bars->trusted);
    bars->bar = NULL, bars->trusted = NULL;
}
