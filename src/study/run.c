/* run.c - the only loop in the program: advance, sample, observe, write. */
#include <stdio.h>
#include <string.h>

#include "scene/scene.h"
#include "study/files.h"
#include "study/sim.h"
#include "withy/run.h"

enum { MOST_OPTIONS = 64 };

/* One named record: its own view of the rod, and when it is due next. */
typedef struct watch {
    const withy_probe *probe;
    const withy_quantity *quantity;
    wy_view view;
    double due; /* [s]; meaningless when every step is recorded */
} watch;

typedef struct loop {
    const withy_scene *scene;
    const withy_run_setup *setup;
    withy_report *report;
    withy_sim *sim;
    watch *watch; /* [probe_count] */
    wy_files files;
    int64_t burst; /* steps between two looks at the clock and the user */
} loop;

static withy_status write_snapshots(loop *x, withy_error *err) {
    WY_TRY(wy_files_write(&x->files, x->sim, err));
    x->report->snapshots++;
    return WITHY_OK;
}

/* ---- sampling
 * ------------------------------------------------------------------------------------ */

static withy_status not_finite(const loop *x, const char *field, withy_error *err) {
    return wy_fail(err, WITHY_NO_CONVERGENCE,
                   "%s: %s is not finite at t = %g (step %lld); nothing from this time on was "
                   "written; try a smaller options.dt",
                   x->sim->method->name, field, x->sim->core->t,
                   (long long)x->sim->core->stats.steps);
}

static withy_status sample_rods(loop *x, withy_error *err) {
    for (int rod = 0; rod < x->sim->problem.rod_count; rod++) {
        const char *bad = wy_view_sample(x->sim, rod, &x->sim->rod[rod]);
        if (bad) return not_finite(x, bad, err);
    }
    return WITHY_OK;
}

/* Nothing can be seen between two steps: say so rather than record less than was asked for. */
static void note_interval(withy_sim *sim, const withy_probe *probe) {
    const double step = withy_sim_step(sim);
    if (probe->every > 0 && probe->every < step * (1 - 1e-9))
        wy_note(&sim->notes,
                "probes.%s.every = %g is shorter than the step: recorded every %g s; choose a "
                "smaller options.dt",
                probe->name, probe->every, step);
}

static withy_status prepare_watches(loop *x, withy_error *err) {
    const withy_request *request = &x->sim->problem.request;
    x->watch = wy_arena_take(&x->sim->arena, (size_t)request->probe_count, sizeof *x->watch);
    if (!x->watch) return wy_fail(err, WITHY_NO_MEMORY, "no memory for the probes");
    for (int i = 0; i < request->probe_count; i++) {
        watch *w = &x->watch[i];
        w->probe = &request->probe[i];
        w->quantity = withy_quantity_find(w->probe->what);
        if (!w->quantity)
            return wy_fail(err, WITHY_BAD_INPUT,
                           "probes.%s.what = \"%s\": there is no such quantity", w->probe->name,
                           w->probe->what);
        note_interval(x->sim, w->probe);
        WY_TRY(wy_view_make(x->sim, w->probe->rod, 1, &w->probe->at, &w->view, err));
        /* a frame turns strains into forces, so it is always wanted */
        w->view.snap.want =
            w->quantity->have | WITHY_HAVE_FRAME | WITHY_HAVE_SHEAR | WITHY_HAVE_BEND;
    }
    return WITHY_OK;
}

static void remember(withy_report *report, int index, const watch *w, const double *value) {
    if (index >= WITHY_REPORT_PROBES) return;
    report->probe_count = index + 1 > report->probe_count ? index + 1 : report->probe_count;
    snprintf(report->probe[index].name, WITHY_NAME, "%s", w->probe->name);
    report->probe[index].size = w->quantity->size;
    memcpy(report->probe[index].value, value, (size_t)w->quantity->size * sizeof *value);
}

/* Record every probe that is due now. */
static withy_status record(loop *x, withy_error *err) {
    const withy_request *request = &x->sim->problem.request;
    for (int i = 0; i < request->probe_count; i++) {
        watch *w = &x->watch[i];
        const double slack = 1e-9 * (x->sim->core->t + w->probe->every);
        if (w->probe->every > 0 && x->sim->core->t < w->due - slack) continue;
        const char *bad = wy_view_sample(x->sim, w->probe->rod, &w->view);
        if (bad) return not_finite(x, bad, err);
        const double *value = withy_quantity_at(w->quantity, &w->view.snap, 0);
        if (!value)
            return wy_fail(err, WITHY_UNSUPPORTED,
                           "probes.%s.what = \"%s\": method %s does not know it", w->probe->name,
                           w->probe->what, x->sim->method->name);
        remember(x->report, i, w, value);
        WY_TRY(wy_files_probe(&x->files, i, x->sim->core->t, value, err));
        if (w->probe->every > 0)
            w->due = w->probe->every * (floor((x->sim->core->t + slack) / w->probe->every) + 1);
    }
    return WITHY_OK;
}

/* ---- the loop
 * ------------------------------------------------------------------------------------ */

/* How many steps of length h until the next probe is due, at most `left`. */
static int64_t steps_to_next_probe(const loop *x, double h, int64_t left) {
    const withy_request *request = &x->sim->problem.request;
    for (int i = 0; i < request->probe_count; i++) {
        const watch *w = &x->watch[i];
        const double steps = w->probe->every > 0 ? ceil((w->due - x->sim->core->t) / h - 1e-6) : 1;
        if (steps < (double)left) left = steps > 1 ? (int64_t)steps : 1;
    }
    return left;
}

/* Grow or shrink the burst so that the user is heard about ten times a second. */
static void adapt_burst(loop *x, double elapsed) {
    if (elapsed < 0.02 && x->burst < (int64_t)1 << 40) x->burst *= 2;
    if (elapsed > 0.2 && x->burst > 1) x->burst /= 2;
}

static withy_status ask_user(const loop *x, withy_error *err) {
    const withy_run_setup *setup = x->setup;
    const double stop = x->sim->problem.request.stop;
    if (setup->progress &&
        setup->progress(setup->context, x->sim->core->t, stop, x->sim->core->stats.steps))
        return wy_fail(err, WITHY_INTERRUPTED, "stopped on request at t = %g of %g",
                       x->sim->core->t, stop);
    return WITHY_OK;
}

/* A method without a fixed step stops where a probe is due, and nowhere else. */
static double shortest_probe(const loop *x, double interval) {
    const withy_request *request = &x->sim->problem.request;
    for (int i = 0; i < request->probe_count; i++) {
        const double every = request->probe[i].every;
        if (every > 0 && every < interval) interval = every;
    }
    return interval;
}

/* From one snapshot to the next, in bursts of whole steps when the method has a fixed step: where
 * it pauses cannot change its results. */
static withy_status one_interval(loop *x, double from, double to, withy_error *err) {
    const double step = withy_sim_step(x->sim);
    const double tick = step > 0 ? step : shortest_probe(x, to - from);
    const int64_t steps = (int64_t)floor((to - from) / tick + 0.5);
    const int64_t total = steps > 0 ? steps : 1;
    for (int64_t done = 0; done < total;) {
        int64_t burst = steps_to_next_probe(x, (to - from) / (double)total, total - done);
        if (burst > x->burst && step > 0) burst = x->burst;
        done += burst;
        const double t = done == total ? to : from + (to - from) * (double)done / (double)total;
        const double before = wy_wall_clock();
        WY_TRY(withy_sim_advance(x->sim, t, err));
        adapt_burst(x, wy_wall_clock() - before);
        WY_TRY(record(x, err));
        WY_TRY(ask_user(x, err));
    }
    return WITHY_OK;
}

static withy_status all_intervals(loop *x, withy_error *err) {
    const withy_request *request = &x->sim->problem.request;
    const int64_t last = wy_output_count(request);
    WY_TRY(write_snapshots(x, err));
    WY_TRY(record(x, err));
    for (int64_t k = 1; k <= last; k++) {
        const double from = request->stop * (double)(k - 1) / (double)last;
        const double to = request->stop * (double)k / (double)last;
        WY_TRY(one_interval(x, from, to, err));
        WY_TRY(sample_rods(x, err));
        WY_TRY(write_snapshots(x, err));
    }
    return WITHY_OK;
}

/* What the summary tells, from the last good state. */
static void fill_report(loop *x, withy_status status) {
    withy_report *report = x->report;
    const withy_snapshot *snap = &x->sim->rod[0].snap;
    report->status = status;
    report->t = x->sim->core->t;
    report->stats = x->sim->core->stats;
    report->have = snap->have;
    report->energy = snap->energy;
    report->position[0] = snap->position[0];
    report->position[1] = snap->position[snap->count - 1];
    memcpy(report->reaction, snap->reaction, sizeof report->reaction);
    memcpy(report->reaction_moment, snap->reaction_moment, sizeof report->reaction_moment);
    snprintf(report->notes, sizeof report->notes, "%s", withy_sim_notes(x->sim));
}

/* A complaint about an option or the method of the scene begins with its key: put file and line
 * before it. */
static void place_option(const withy_scene *scene, withy_error *err) {
    char where[256], path[2 * WITHY_NAME];
    const size_t length = strcspn(err->text, " :");
    snprintf(path, sizeof path, "%.*s", (int)(length < WITHY_NAME ? length : WITHY_NAME),
             err->text);
    if (strncmp(path, "options.", 8) == 0 || strcmp(path, "method") == 0)
        wy_fail_in(err, err->code, "%s", wy_scene_where(scene, path, where, sizeof where));
}

/* Under another method than the scene names: n and dt mean the same everywhere, what the command line
 * says is meant for this run (and refused when the method does not know it); any other option belongs to
 * the method of the scene. */
static int is_meant(const withy_scene *scene, const wy_method *method, const char *name) {
    char path[2 * WITHY_NAME];
    snprintf(path, sizeof path, "options.%s", name);
    if (strcmp(name, "n") == 0 || strcmp(name, "dt") == 0)
        return wy_method_has_option(method, name);
    return wy_scene_overridden(scene, path);
}

withy_status withy_scene_sim_of(const withy_scene *scene, const withy_problem *problem,
                                const char *method, withy_sim **sim, withy_error *err) {
    int count, kept = 0;
    const withy_option *option = withy_scene_options(scene, &count);
    const char *named = withy_scene_method(scene);
    const wy_method *other;
    withy_option known[MOST_OPTIONS];
    if (method && method[0] && named[0] && strcmp(method, named) != 0) {
        WY_TRY(wy_method_find(method, &other, err));
        for (int i = 0; i < count && kept < MOST_OPTIONS; i++)
            if (is_meant(scene, other, option[i].name)) known[kept++] = option[i];
        option = known, count = kept;
    }
    const withy_status status =
        withy_sim_create(problem, method ? method : named, option, count, sim, err);
    if (status == WITHY_BAD_INPUT && err) place_option(scene, err);
    return status;
}

withy_status withy_scene_sim(const withy_scene *scene, const char *method, withy_sim **sim,
                             withy_error *err) {
    return withy_scene_sim_of(scene, withy_scene_problem(scene), method, sim, err);
}

withy_status withy_run(const withy_scene *scene, const withy_run_setup *setup, withy_report *report,
                       withy_error *err) {
    withy_error own = {0};
    if (!err) err = &own;
    *report = (withy_report){0};
    const double start = wy_wall_clock();
    loop x = {.scene = scene, .setup = setup, .report = report, .burst = 1};
    const withy_problem *problem = withy_scene_problem(scene);
    if (problem->path.given && !problem->request.given)
        return wy_fail(
            err, WITHY_BAD_INPUT,
            "%s: has a path and no time, so there is nothing to run; withy static follows "
            "the path, or give time = { stop = ... }",
            withy_scene_name(scene));
    WY_TRY(withy_scene_sim(scene, setup->method, &x.sim, err));
    snprintf(report->method, sizeof report->method, "%s", withy_sim_method(x.sim));

    withy_status status = prepare_watches(&x, err);
    if (status == WITHY_OK) status = sample_rods(&x, err);
    if (status == WITHY_OK) status = wy_files_open(&x.files, x.sim, scene, setup, "t [s]", err);
    if (status == WITHY_OK) status = all_intervals(&x, err);
    status = wy_files_close(&x.files, status, err);
    fill_report(&x, status);
    report->wall = wy_wall_clock() - start;
    withy_sim_destroy(x.sim);
    return status;
}

withy_status withy_check(const withy_scene *scene, const char *method, withy_error *err) {
    withy_sim *sim;
    WY_TRY(withy_scene_sim(scene, method, &sim, err));
    withy_sim_destroy(sim);
    return WITHY_OK;
}
