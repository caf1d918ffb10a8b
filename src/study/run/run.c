/* run.c - see run.h. */
#include "study/run/run.h"

#include "study/compare/compare.h"

static withy_status write_snapshots(wy_run *x, withy_error *err) {
    WY_TRY(wy_files_write(&x->files, x->sim, err));
    wy_checkpoint_note(&x->checkpoint, x->sim);
    x->at.snapshots++, x->report->snapshots++;
    x->at.done = 0;
    if (!x->trace) return WITHY_OK;
    return wy_trace_add(x->trace, x->sim, withy_sim_stats(x->sim).energy_end, err);
}

static withy_status record(wy_run *x, withy_error *err) {
    return wy_probes_record(&x->probes, x->sim, 0, &x->files, err);
}

/* Grow or shrink the burst so that the callback is called about ten times a second. */
static void fit_burst(wy_run *x, double elapsed) {
    if (elapsed < 0.02 && x->burst < (int64_t)1 << 40) x->burst *= 2;
    if (elapsed > 0.2 && x->burst > 1) x->burst /= 2;
}

/* From within a call of the method. */
static int ask_within(void *context, double t) {
    const wy_run *x = context;
    const withy_study *study = x->study;
    const wy_past *past = &x->sim->past;
    return study->progress(study->context, past->t + t, past->t + x->sim->problem.request.stop,
                           past->steps + x->sim->core->stats.steps);
}

static withy_status ask_user(wy_run *x, withy_error *err) {
    if (x->study->progress && ask_within(x, x->sim->core->t))
        return wy_fail(err, WITHY_INTERRUPTED, "stopped on request at t = %g of %g",
                       wy_sim_now(x->sim), x->sim->past.t + x->sim->problem.request.stop);
    return WITHY_OK;
}

/* A method without a fixed step stops where a probe is due, and nowhere else. */
static double shortest_probe(const wy_run *x, double interval) {
    const withy_request *request = &x->sim->problem.request;
    for (int i = 0; i < request->probe_count; i++) {
        const double every = request->probe[i].every;
        if (every > 0 && every < interval) interval = every;
    }
    return interval;
}

static int64_t whole_in(int64_t x, int64_t least, int64_t most) {
    const int64_t below = x < most ? x : most;
    return below > least ? below : least;
}

/* A few intervals are looked at for signs that mesh or step do not suffice: their last steps one by one,
 * of several intervals in a row where these have only a few steps. */
enum { LOOKS = 16, TOUCHES = 400 };

static void look_at(wy_run *x, int64_t k, int64_t last) {
    const double step = withy_sim_step(x->sim);
    const int64_t total =
        step > 0 ? (int64_t)floor(x->sim->problem.request.output / step + 0.5) : 0;
    const wy_step_error *lost = &x->resolution_check.lost;
    const int64_t alone = lost->rows - 1;
    const int64_t row = total > alone ? 1 : lost->rows / (total > 0 ? total : 1) + (total == alone);
    const int64_t stride = last / LOOKS > 1 ? last / LOOKS : 1;
    x->alone = lost->order && k % stride < row ? whole_in(alone, 1, total) : 0;
    x->stands = total * (stride > row ? stride : 1);
    if (x->at.done == 0 && (k % stride == 0 || k == last))
        wy_resolution_check_shape(&x->resolution_check, x->sim);
}

static int is_finite(const wy_run *x) {
    for (int i = 0; i < x->sim->problem.rod_count; i++)
        if (wy_snapshot_not_finite(&x->sim->rod[i].snap)) return 0;
    return isfinite(withy_sim_stats(x->sim).energy_end);
}

/* Of all rods and bodies; `have`: what every rod has. */
static void sum_energies(const withy_sim *sim, withy_report *report) {
    withy_energies *sum = &report->energy;
    *sum = (withy_energies){.kinetic = sim->parts.kinetic, .gravity = sim->parts.gravity};
    report->have = sim->problem.rod_count ? ~0u : WITHY_HAVE_ENERGY;
    for (int i = 0; i < sim->problem.rod_count; i++) {
        const withy_snapshot *snap = &sim->rod[i].snap;
        report->have &= snap->have;
        sum->kinetic += snap->energy.kinetic, sum->gravity += snap->energy.gravity;
        sum->shear += snap->energy.shear, sum->stretch += snap->energy.stretch;
        sum->bend += snap->energy.bend, sum->twist += snap->energy.twist;
    }
}

/* The numbers of the report, from the present state; a run that ends in numbers that are not finite keeps
 * those of the last snapshot before. */
static void keep_values(wy_run *x) {
    withy_report *report = x->report;
    if (!is_finite(x)) return;
    report->t = wy_sim_now(x->sim);
    report->stats = withy_sim_stats(x->sim);
    sum_energies(x->sim, report);
    report->part_count = wy_sim_report_parts(x->sim, report->part);
    report->sampled = report->t;
    if (x->sim->problem.rod_count == 0) return;
    const withy_snapshot *snap = &x->sim->rod[0].snap;
    report->sampled = snap->t;
    report->position[0] = snap->position[0];
    report->position[1] = snap->position[snap->count - 1];
    memcpy(report->reaction, snap->reaction, sizeof report->reaction);
    memcpy(report->reaction_moment, snap->reaction_moment, sizeof report->reaction_moment);
}

static withy_status begin(wy_run *x, withy_error *err) {
    WY_TRY(write_snapshots(x, err));
    WY_TRY(record(x, err));
    return wy_checkpoint_keep(&x->checkpoint, &x->at, &x->files, false, err);
}

/* ---- from stop to stop ------------------------------------------------------------------------------- */

/* An interval is that from one snapshot to the next. */
static void enter_interval(wy_run *x) {
    const withy_request *request = &x->sim->problem.request;
    const int64_t k = x->at.snapshots;
    x->from = request->stop * (double)(k - 1) / (double)x->last;
    x->to = request->stop * (double)k / (double)x->last;
    look_at(x, k, x->last);
    const double step = withy_sim_step(x->sim);
    const double tick = step > 0 ? step : shortest_probe(x, x->to - x->from);
    const int64_t steps = (int64_t)floor((x->to - x->from) / tick + 0.5);
    x->total = steps > 0 ? steps : 1;
    x->within = 1;
}

static double time_after(const wy_run *x, int64_t done) {
    return done == x->total ? x->to : x->from + (x->to - x->from) * (double)done / (double)x->total;
}

/* In bursts of whole steps when the method has a fixed step: where it pauses cannot change its results. */
int wy_run_next(wy_run *x, double *t) {
    if (x->at.snapshots > x->last) return 0;
    if (!x->within) enter_interval(x);
    const int64_t done = x->at.done;
    x->reach = x->total, *t = x->to;
    if (done >= x->total)
        return 1; /* a state that was kept between the last step and the snapshot */
    const double tick = (x->to - x->from) / (double)x->total;
    int64_t burst = wy_probes_steps(&x->probes, wy_sim_now(x->sim), tick, x->total - done);
    if (burst > x->burst && withy_sim_step(x->sim) > 0) burst = x->burst;
    if (x->trace && x->trace->step_error)
        burst = (int64_t)wy_step_error_skip(&x->trace->judged, (double)done, (double)x->total,
                                            (double)burst, &x->row);
    if (x->alone) burst = whole_in(burst, 1, x->total - x->alone - done);
    x->reach = done + burst;
    *t = time_after(x, x->reach);
    return 1;
}

static withy_status leave_interval(wy_run *x, withy_error *err) {
    const int64_t k = x->at.snapshots;
    x->within = 0;
    WY_TRY(wy_sim_sample_all(x->sim, err));
    keep_values(x);
    if (!x->unseen && (k % (x->last / TOUCHES + 1) == 0 || k == x->last))
        wy_crossing_check(&x->resolution_check.crossing, x->sim);
    return write_snapshots(x, err);
}

withy_status wy_run_put(wy_run *x, int probe, int64_t steps, const double *value,
                        withy_error *err) {
    const double t = x->sim->past.t + time_after(x, x->at.done + steps);
    return wy_probes_put(&x->probes, x->sim, probe, t, value, &x->files, err);
}

withy_status wy_run_arrive(wy_run *x, withy_error *err) {
    const int64_t done = x->reach;
    if (done == x->at.done) return leave_interval(x, err);
    WY_TRY(record(x, err));
    if (x->alone && done >= x->total - x->alone)
        wy_resolution_check_step(&x->resolution_check, x->sim,
                                 done == x->total ? (double)x->stands : 0);
    if (x->row > 0) WY_TRY(wy_trace_step(x->trace, x->sim, x->row, err));
    x->at.done = done;
    WY_TRY(wy_checkpoint_tick(&x->checkpoint, &x->at, &x->files, err));
    WY_TRY(ask_user(x, err));
    return done == x->total ? leave_interval(x, err) : WITHY_OK;
}

/* To the first stop. */
static withy_status set_out(wy_run *x, withy_error *err) {
    x->last = wy_output_count(&x->sim->problem.request);
    keep_values(x);
    WY_TRY(wy_checkpoint_copy(&x->checkpoint, &x->at, &x->files, err));
    if (x->at.snapshots == 0) WY_TRY(begin(x, err));
    const int judged = x->trace && x->study->error && x->trace->count > 0;
    return judged ? wy_trace_judge(x->trace, x->sim, err) : WITHY_OK;
}

static void fill_report(wy_run *x, withy_status status) {
    withy_report *report = x->report;
    keep_values(x);
    report->probe_count = wy_probes_report(&x->probes, report->probe);
    report->status = status;
    report->notes = x->sim->notes;
}

withy_study withy_study_default(void) {
    return (withy_study){0};
}

/* The name in messages of a study without a name. */
const char *wy_study_name(const withy_study *study) {
    if (study->name && study->name[0]) return study->name;
    const char *title = study->problem->title;
    return title && title[0] ? title : "the problem";
}

static withy_status make_sim(const withy_study *study, int moves, withy_sim **sim,
                             withy_error *err) {
    if (!study || !study->problem)
        return wy_bad_input(err, "withy_study: problem is NULL; fill one in");
    if (study->output_count < 0 || (study->output_count > 0 && !study->output))
        return wy_bad_input(err, "withy_study: output_count = %d and no output",
                            study->output_count);
    const wy_sink *sink[WY_FILES_MOST];
    WY_TRY(wy_files_choose(study, moves, sink, err));
    return wy_sim_create(study->problem, study->method, study->option, study->option_count, moves,
                         sim, err);
}

withy_status wy_study_sim(const withy_study *study, withy_sim **sim, withy_error *err) {
    WY_TRY(make_sim(study, 0, sim, err));
    /* what would be done to steps and outputs of a run is not done here */
    wy_note_drop(&(*sim)->notes, WY_NOTE_step_fitted);
    wy_note_drop(&(*sim)->notes, WY_NOTE_output_fitted);
    return WITHY_OK;
}

/* ---- errors ------------------------------------------------------------------------------------------ */

static withy_status trace_run(const withy_study *study, wy_trace *trace, withy_error *err);

/* Bars of the numbers of the report, which are those of the last record. */
static void take_bars(const wy_error_bars *bars, const wy_trace *trace, withy_report *report) {
    const int last = trace->count - 1;
    report->error = bars->summary;
    for (int i = 0; i < 2; i++) {
        const int end = i ? WY_TRACE_STATIONS - 1 : 0;
        report->position_error[i] = wy_error_bars_at(bars, last, trace->place.first + end);
        report->reaction_error[i] = wy_error_bars_at(bars, last, trace->force.first + i);
        report->reaction_moment_error[i] = wy_error_bars_at(bars, last, trace->moment.first + i);
    }
    report->energy_error = wy_error_bars_at(bars, last, trace->energy.first);
    for (int i = 0; i < trace->probe.count && i < WITHY_REPORT_PROBES; i++)
        report->probe_error[i] = wy_error_bars_at(bars, last, trace->probe.first + i);
}

static withy_status find_errors(const wy_run *x, withy_error *err) {
    wy_error_bars bars;
    x->trace->halvings = wy_resolution_check_halvings(&x->resolution_check, x->sim);
    const withy_status status = wy_refine(x->study, x->trace, 1, trace_run, &bars, err);
    if (status == WITHY_OK) take_bars(&bars, x->trace, x->report);
    wy_error_bars_free(&bars);
    return status;
}

/* ---- a whole run ------------------------------------------------------------------------------------- */

static withy_status check_time(const withy_study *study, withy_error *err) {
    if (!study || !study->problem || !wy_is_static(study->problem)) return WITHY_OK;
    const int path = study->problem->path.given;
    return wy_bad_input(
        err,
        "%s: has %s, so there is nothing to run; withy static %s, or give time = { stop = ... }",
        wy_study_name(study), path ? "a path and no time" : "neither time nor path",
        path ? "follows the path" : "finds its equilibrium");
}

/* To where the run is to continue from. */
static withy_status go_back(wy_run *x, withy_error *err) {
    x->probes.sample = x->study->sample, x->probes.context = x->study->sample_context;
    x->at.sim = x->sim, x->at.probes = &x->probes, x->at.resolution_check = &x->resolution_check;
    x->at.problem = x->study->problem;
    WY_TRY(wy_checkpoint_open(&x->checkpoint, &x->at, x->study, err));
    WY_TRY(wy_checkpoint_restore(&x->checkpoint, &x->at, x->study, err));
    x->files.state_size = x->checkpoint.size;
    x->report->snapshots = x->at.base + x->at.snapshots;
    return WITHY_OK;
}

/* A run that is complete, or was stopped on request, can continue from where it is. */
static withy_status keep_end(wy_run *x, withy_status status, withy_error *err) {
    withy_error own = {0};
    if (x->files.count == 0 || x->at.snapshots == 0) return status;
    if (status == WITHY_OK) return wy_checkpoint_keep(&x->checkpoint, &x->at, &x->files, true, err);
    if (status == WITHY_INTERRUPTED)
        wy_checkpoint_keep(&x->checkpoint, &x->at, &x->files, false,
                           &own); /* else the one before */
    return status;
}

/* A simulation that exists; with a trace it is recorded there. */
static withy_status open_run(wy_run *x, withy_error *err) {
    snprintf(x->report->method, sizeof x->report->method, "%s", withy_sim_method(x->sim));
    WY_TRY(wy_probes_make(x->sim, x->study, &x->probes, err));
    WY_TRY(go_back(x, err));
    WY_TRY(wy_sim_sample_all(x->sim, err));
    if (x->trace) WY_TRY(wy_trace_open(x->trace, x->sim, 0, err));
    WY_TRY(wy_resolution_check_open(&x->resolution_check, x->sim, 1, err));
    if (x->unseen) x->resolution_check.lost.order = 0;
    wy_checkpoint_resolution_check(&x->checkpoint, &x->resolution_check);
    const double step = withy_sim_step(x->sim);
    x->files.step = step > 0 ? step : WY_STEP_ADAPTIVE;
    WY_TRY(wy_files_open(&x->files, x->sim, x->study, "t [s]", err));
    return set_out(x, err);
}

/* Where the state that is continued from has another grid: a simulation that begins at its last snapshot. */
static withy_status change_grid(wy_run *x, withy_error *err) {
    withy_problem problem;
    wy_past past = {0};
    if (!x->study->resume) return WITHY_OK;
    x->at.sim = x->sim, x->at.problem = x->study->problem;
    WY_TRY(wy_checkpoint_regrid(&x->checkpoint, &x->at, x->study, &x->arena, &problem, &past, err));
    if (!(past.t > 0)) return WITHY_OK;
    withy_sim_destroy(x->sim);
    x->sim = NULL;
    withy_error own = {0};
    const withy_status status = wy_sim_create(&problem, x->study->method, x->study->option,
                                              x->study->option_count, 1, &x->sim, &own);
    if (status != WITHY_OK)
        return wy_fail(err, status,
                       "%s: with other options it cannot continue from its last snapshot: %s",
                       x->study->resume, own.text);
    WY_TRY(wy_regrid_agrees(x->sim, &past, x->study->resume, err));
    x->sim->past = past;
    wy_note(&x->sim->notes, WY_NOTE(options_changed), past.t);
    return WITHY_OK;
}

withy_status wy_run_open(wy_run *x, withy_error *err) {
    x->start = wy_wall_clock();
    if (!x->burst) x->burst = 1;
    *x->report = (withy_report){0};
    WY_TRY(check_time(x->study, err));
    WY_TRY(make_sim(x->study, 1, &x->sim, err));
    WY_TRY(change_grid(x, err));
    if (x->sim && x->study->progress)
        x->sim->interrupt = (wy_interrupt){.ask = ask_within, .context = x};
    return open_run(x, err);
}

/* Messages of the method count time from where the simulation began. */
static void report_past(double t0, withy_error *err) {
    const size_t used = strlen(err->text);
    snprintf(err->text + used, sizeof err->text - used,
             " (the grid was changed at t = %.9g; times of the method count from there)", t0);
}

withy_status wy_run_close(wy_run *x, withy_status status, withy_error *err) {
    if (!x->sim) wy_checkpoint_close(&x->checkpoint), wy_arena_free(&x->arena);
    if (!x->sim) return status;
    status = keep_end(x, status, err);
    if (is_finite(x)) wy_resolution_check_note(&x->resolution_check, x->sim);
    if (status == WITHY_OK && x->study->error) status = find_errors(x, err);
    status = wy_files_close(&x->files, status, err);
    wy_checkpoint_close(&x->checkpoint);
    fill_report(x, status);
    x->report->elapsed = wy_wall_clock() - x->start;
    if (status != WITHY_OK && x->sim->past.t > 0) report_past(x->sim->past.t, err);
    withy_sim_destroy(x->sim);
    wy_arena_free(&x->arena);
    x->sim = NULL;
    return status;
}

withy_status wy_run_can_start(const withy_study *study, withy_error *err) {
    withy_error own = {0};
    withy_report *report = wy_alloc(1, sizeof *report);
    if (!err) err = &own; /* its text goes into the result files */
    if (!report) return wy_no_memory(err, "no memory for a report");
    wy_run x = {.study = study, .report = report};
    wy_clock_steps way;
    double t;
    withy_status status = wy_run_open(&x, err);
    if (status == WITHY_OK && wy_run_next(&x, &t)) status = wy_sim_depart(x.sim, t, &way, err);
    status = wy_run_close(&x, status, err);
    wy_free(report);
    return status;
}

static withy_status all_stops(wy_run *x, withy_error *err) {
    for (double t; wy_run_next(x, &t);) {
        const double before = wy_wall_clock();
        WY_TRY(withy_sim_advance(x->sim, t, err));
        fit_burst(x, wy_wall_clock() - before);
        WY_TRY(wy_run_arrive(x, err));
    }
    return WITHY_OK;
}

static withy_status run_traced(const withy_study *study, void *report, wy_trace *trace,
                               withy_error *err) {
    wy_run x = {.study = study, .report = report, .trace = trace};
    withy_status status = wy_run_open(&x, err);
    if (status == WITHY_OK) status = all_stops(&x, err);
    return wy_run_close(&x, status, err);
}

static withy_status trace_run(const withy_study *study, wy_trace *trace, withy_error *err) {
    withy_report *report = wy_alloc(1, sizeof *report);
    if (!report) return wy_no_memory(err, "no memory for a report");
    const withy_status status = run_traced(study, report, trace, err);
    wy_free(report);
    return status;
}

withy_status withy_study_run(const withy_study *study, withy_report *report, withy_error *err) {
    WY_NEED(study, report);
    return wy_trace_study(study, run_traced, report, err);
}
