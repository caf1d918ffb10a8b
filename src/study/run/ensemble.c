/* ensemble.c - see ensemble.h.
 *
 * Every member is opened, goes from stop to stop and is closed as a run of its own (study/run/run.h); only its steps are
 * made together with those of others.  Where a member stops follows from its own study, never from the clock on
 * the wall or from its company: the energy is judged at stops, so that a failure too is the same in any company.
 * Positions that a batch records on the way take the place of samples at stops.
 */
#include "study/run/ensemble.h"

#include "base/thread_pool.h"
#include "study/compare/compare.h"
#include "study/run/run.h"

/* Steps between two stops; records of a probe between them. */
enum { BURST_VECTOR = 1 << 14, BURST_DEVICE = 1 << 16, RECORDS = 4096 };

typedef struct vessel {
    wy_run run;
    wy_trace trace;
    int group; /* -1: it makes its own steps */
    int seat;  /* of the batch of its group  */
} vessel;

typedef struct ensemble {
    wy_arena arena;
    const wy_engine *engine;
    int count;
    vessel *vessel; /* [count] */
    withy_status *status;
    withy_error *error;
    /* the group that is under way */
    withy_batch *batch;
    int *rider; /* [seats] vessels */
    int seats;
    withy_sim **sim; /* [seats] */
    double *t;       /* [seats] */
} ensemble;

/* ---- engines ---------------------------------------------------------------------------------- */

withy_status wy_engine_open(const withy_batch_options *how, wy_engine *engine, withy_error *err) {
    const int threads = how->threads > 0 ? how->threads : wy_threads_available();
    *engine = (wy_engine){.threads = threads, .falls_back = how->engine == WITHY_ENGINE_AUTO};
    if (how->engine == WITHY_ENGINE_VECTOR) return WITHY_OK;
    if (how->engine == WITHY_ENGINE_AUTO && !wy_device_is_gpu(how->device)) return WITHY_OK;
    const withy_status status = wy_device_open(how->device, &engine->device, err);
    return engine->falls_back ? WITHY_OK : status;
}

void wy_engine_close(wy_engine *engine) {
    wy_device_close(engine->device);
    engine->device = NULL;
}

void wy_engine_text(const wy_engine *engine, char *text, size_t size) {
    if (engine->device)
        snprintf(text, size, "OpenCL on %s", wy_on_device.text(engine->device));
    else
        snprintf(text, size, "vectors of eight rods");
}

int wy_engine_has(const char *method) {
    for (int i = 0; i < wy_method_count(); i++)
        if (strcmp(wy_method_at(i)->name, method) == 0) return wy_method_at(i)->batch != NULL;
    return 0;
}

/* ---- opening and closing ------------------------------------------------------------------------ */

static void open_one(void *context, int i) {
    ensemble *f = context;
    f->status[i] = wy_run_open(&f->vessel[i].run, &f->error[i]);
}

static void close_one(void *context, int i) {
    ensemble *f = context;
    f->status[i] = wy_run_close(&f->vessel[i].run, f->status[i], &f->error[i]);
    wy_trace_free(&f->vessel[i].trace);
}

/* ---- groups: what may be in one batch ------------------------------------------------------------ */

enum { ALONE = -1, VECTOR = 0 };

/* Of a member on its own. */
static int forms_group(ensemble *f, int i) {
    const withy_sim *sim = f->vessel[i].run.sim;
    const wy_batch *equations = sim->method->batch;
    wy_device *device = f->engine->device;
    if (!device) return equations ? VECTOR : ALONE;
    if (!equations && !f->engine->falls_back)
        f->status[i] = wy_fail(&f->error[i], WITHY_UNSUPPORTED,
                               "method" WY_KEY
                               " %s is not stepped on a device; use method fdtd, or another engine",
                               sim->method->name);
    if (!equations) return ALONE;
    withy_error own = {0};
    const withy_status status = equations->accept(sim->self, device, &own);
    if (status == WITHY_OK) return VECTOR + 1;
    if (f->engine->falls_back) return VECTOR;
    f->status[i] = status, f->error[i] = own;
    return ALONE;
}

/* On a device members of one group are alike; *groups: the number after the last. */
static void assign_groups(ensemble *f, int *groups) {
    *groups = VECTOR + 1;
    for (int i = 0; i < f->count; i++) {
        vessel *v = &f->vessel[i];
        v->group = f->status[i] == WITHY_OK ? forms_group(f, i) : ALONE;
        if (v->group <= VECTOR) continue;
        const wy_batch *equations = v->run.sim->method->batch;
        v->group = 0;
        for (int k = 0; k < i && !v->group; k++)
            if (f->vessel[k].group > VECTOR &&
                equations->alike(v->run.sim->self, f->vessel[k].run.sim->self))
                v->group = f->vessel[k].group;
        if (!v->group) v->group = (*groups)++;
    }
}

/* Probes that the batch records on the way are not sampled at stops. */
static void hand_over_probes(ensemble *f, int seat) {
    wy_run *run = &f->vessel[f->rider[seat]].run;
    for (int i = 0; i < run->probes.count; i++) {
        const int64_t period = wy_batch_period(f->batch, seat, i);
        const int64_t most = period * wy_batch_room(f->batch, seat);
        run->probes.one[i].apart = period > 0;
        if (period > 0 && most < run->burst) run->burst = most;
    }
}

static withy_status gather(ensemble *f, int group, withy_error *err) {
    wy_device *device = group > VECTOR ? f->engine->device : NULL;
    f->seats = 0, f->batch = NULL;
    for (int i = 0; i < f->count; i++) {
        vessel *v = &f->vessel[i];
        if (v->group != group || f->status[i] != WITHY_OK) continue;
        v->seat = f->seats;
        f->rider[f->seats] = i, f->sim[f->seats++] = v->run.sim;
    }
    if (f->seats == 0) return WITHY_OK;
    WY_TRY(wy_batch_create(f->sim, f->seats, device, f->engine->threads, RECORDS, &f->batch, err));
    for (int k = 0; k < f->seats; k++) hand_over_probes(f, k);
    return WITHY_OK;
}

/* ---- under way ---------------------------------------------------------------------------------- */

/* What was recorded since the last stop, in the order of time. */
static withy_status take_records(ensemble *f, int seat, withy_error *err) {
    wy_run *run = &f->vessel[f->rider[seat]].run;
    const int64_t due = wy_batch_due(f->batch, seat);
    int64_t most = 0;
    for (int64_t k = 0; k == 0 || k < most; k++)
        for (int i = 0; i < run->probes.count; i++) {
            int64_t count;
            const withy_vec3 *place = withy_batch_probe(f->batch, seat, i, &count);
            if (count > most) most = count;
            if (!place || k >= count) continue;
            const double value[3] = {place[k].x, place[k].y, place[k].z};
            WY_TRY(wy_run_put(run, i, due + k * wy_batch_period(f->batch, seat, i), value, err));
        }
    return WITHY_OK;
}

static void arrive_one(void *context, int seat) {
    ensemble *f = context;
    const int i = f->rider[seat];
    if (isnan(f->t[seat])) return;
    f->status[i] = withy_batch_failure(f->batch, seat, &f->error[i]);
    if (f->status[i] == WITHY_OK) f->status[i] = take_records(f, seat, &f->error[i]);
    if (f->status[i] == WITHY_OK) f->status[i] = wy_run_arrive(&f->vessel[i].run, &f->error[i]);
}

/* Where each goes next; 0: all have arrived. */
static int set_aims(ensemble *f) {
    int left = 0;
    for (int k = 0; k < f->seats; k++) {
        const int i = f->rider[k];
        const int goes = f->status[i] == WITHY_OK && wy_run_next(&f->vessel[i].run, &f->t[k]);
        if (!goes) f->t[k] = NAN;
        left += goes;
    }
    return left;
}

static void sail_group(ensemble *f, int group) {
    withy_error err = {0};
    withy_status status = gather(f, group, &err);
    while (status == WITHY_OK && f->batch && set_aims(f)) {
        wy_batch_advance(f->batch, f->t, &err); /* what concerns all is a failure of each */
        wy_threads_run(f->engine->threads, f->seats, arrive_one, f);
    }
    withy_batch_destroy(f->batch);
    for (int k = 0; k < f->seats && status != WITHY_OK; k++)
        f->status[f->rider[k]] = status, f->error[f->rider[k]] = err;
}

/* A member whose method makes its own steps. */
static void sail_alone(ensemble *f, int i) {
    wy_run *run = &f->vessel[i].run;
    for (double t; f->status[i] == WITHY_OK && wy_run_next(run, &t);) {
        f->status[i] = withy_sim_advance(run->sim, t, &f->error[i]);
        if (f->status[i] == WITHY_OK) f->status[i] = wy_run_arrive(run, &f->error[i]);
    }
}

/* ---- the whole ---------------------------------------------------------------------------------- */

static withy_status take(ensemble *f, const withy_study *const *study, int unseen,
                         withy_report *const *report, withy_error *err) {
    const size_t count = (size_t)f->count;
    wy_allocator from = {.arena = &f->arena};
    f->vessel = wy_allocator_alloc(&from, count, sizeof *f->vessel);
    f->rider = wy_allocator_alloc(&from, count, sizeof *f->rider);
    f->sim = wy_allocator_alloc(&from, count, sizeof(withy_sim *));
    f->t = wy_allocator_alloc(&from, count, sizeof *f->t);
    if (from.failed) return wy_no_memory(err, "no memory for %d runs", f->count);
    for (int i = 0; i < f->count; i++) {
        vessel *v = &f->vessel[i];
        f->status[i] = WITHY_OK, f->error[i] = (withy_error){0};
        v->run = (wy_run){.study = study[i], .report = report[i], .unseen = unseen};
        v->run.burst = f->engine->device ? BURST_DEVICE : BURST_VECTOR;
        if (study[i]->error) v->run.trace = &v->trace;
    }
    return WITHY_OK;
}

withy_status wy_ensemble_run(const withy_study *const *study, int count, const wy_engine *engine,
                             int unseen, withy_report *const *report, withy_status *status,
                             withy_error *error, withy_error *err) {
    ensemble f = {.engine = engine, .count = count, .status = status, .error = error};
    int groups;
    const withy_status taken = take(&f, study, unseen, report, err);
    if (taken == WITHY_OK) {
        wy_threads_run(engine->threads, count, open_one, &f);
        assign_groups(&f, &groups);
        for (int g = VECTOR; g < groups; g++) sail_group(&f, g);
        for (int i = 0; i < count; i++)
            if (f.vessel[i].group == ALONE) sail_alone(&f, i);
        wy_threads_run(engine->threads, count, close_one, &f);
    }
    wy_arena_free(&f.arena);
    return taken;
}

withy_status withy_study_run_batch(const withy_study *const *study, int count,
                                   const withy_batch_options *how, withy_report *const *report,
                                   withy_status *status, withy_error *error, withy_error *err) {
    WY_NEED(study, report, status, error);
    withy_batch_options own = withy_batch_default();
    wy_engine engine;
    if (how) memcpy(&own, how, how->size < sizeof own ? how->size : sizeof own);
    if (count < 1)
        return wy_bad_input(err, "withy_study_run_batch: count = %d: needs at least 1", count);
    for (int i = 0; i < count; i++)
        if (!study[i] || !report[i])
            return wy_bad_input(err, "withy_study_run_batch: study[%d] or report[%d] is NULL", i,
                                i);
    WY_TRY(wy_engine_open(&own, &engine, err));
    const withy_status done = wy_ensemble_run(study, count, &engine, 0, report, status, error, err);
    wy_engine_close(&engine);
    return done;
}
