/* batch.c - many simulations advanced together (withy/batch.h). */
#include "withy/batch.h"

#include "base/thread_pool.h"
#include "model/schema/schema.h"
#include "study/run/ensemble.h"

/* A member, its places on the way and where they are recorded. */
typedef struct seat {
    withy_sim *sim;
    wy_clock_steps way;
    wy_batch_place *place; /* [place_count] */
    int *track;            /* [place_count] which probe of the request is recorded there */
    int place_count;
    int64_t period, room; /* steps between two records; records that fit */
    int64_t count;        /* records of the last advance */
    double *record;       /* [room][place_count][3] */
    withy_vec3 *out;      /* [place_count][room] laboratory */
    double t;             /* of the present advance; NAN: none */
} seat;

struct withy_batch {
    wy_arena arena;
    const wy_batch *equations;
    wy_device *device; /* NULL: none */
    int lent;          /* 1: the device belongs to somebody else */
    int64_t most;      /* records of a probe in one advance; 0: those of time.output */
    void *self;        /* of the method; NULL: the members are advanced one by one */
    int count, threads;
    seat *seat;          /* [count] */
    wy_batch_task *task; /* [count] */
    double *t;           /* [count] */
    char engine[300];
};

withy_batch_options withy_batch_default(void) {
    return (withy_batch_options){.size = sizeof(withy_batch_options), .device = -1};
}

int withy_device_name(int index, char *text, size_t size) {
    if (!text || size == 0) return 0;
    return wy_device_name(index, text, size);
}

/* ---- records --------------------------------------------------------------------------------- */

/* Whole steps from one record to the next, 0: not a probe that is recorded on the way. */
static int64_t period_of(const withy_sim *sim, const withy_probe *probe) {
    const double steps = probe->every / withy_sim_step(sim), near = floor(steps + 0.5);
    if (probe->of != WITHY_OF_ROD || strcmp(probe->what, "position") != 0) return 0;
    return near >= 1 && fabs(steps - near) <= 1e-6 * near && near < 1e9 ? (int64_t)near : 0;
}

/* Probes of one interval, that of the first of them; the rest are not recorded. */
static withy_status make_tracks(withy_batch *b, seat *s, withy_error *err) {
    const withy_request *request = &s->sim->problem.request;
    const size_t probes = (size_t)request->probe_count;
    s->place = wy_arena_alloc(&b->arena, probes + 1, sizeof *s->place);
    s->track = wy_arena_alloc(&b->arena, probes + 1, sizeof *s->track);
    if (!s->place || !s->track) return wy_no_memory(err, "no memory for the probes");
    for (int i = 0; i < request->probe_count; i++) {
        const int64_t period = period_of(s->sim, &request->probe[i]);
        if (period == 0 || (s->period > 0 && period != s->period)) continue;
        s->period = period;
        s->place[s->place_count] = (wy_batch_place){request->probe[i].rod, request->probe[i].at};
        s->track[s->place_count] = i;
        s->place_count++;
    }
    if (s->place_count == 0) return WITHY_OK;
    const double each = request->output / (withy_sim_step(s->sim) * (double)s->period);
    s->room = (int64_t)ceil(each) + 1;
    if (b->most > 0 && s->room > b->most) s->room = b->most;
    const size_t total = (size_t)s->room * (size_t)s->place_count;
    s->record = wy_arena_alloc(&b->arena, total, 3 * sizeof *s->record);
    s->out = wy_arena_alloc(&b->arena, total, sizeof *s->out);
    return s->record && s->out ? WITHY_OK : wy_no_memory(err, "no memory for probes");
}

/* Steps from the present to the next multiple of the period. */
static int64_t steps_to_record(const seat *s) {
    return s->period > 0 ? s->period - s->way.span.from % s->period : 0;
}

static withy_status check_room(const seat *s, withy_error *err) {
    const int64_t steps = s->way.span.to - s->way.span.from, due = steps_to_record(s);
    const int64_t records = s->period > 0 && steps >= due ? (steps - due) / s->period + 1 : 0;
    if (records <= s->room) return WITHY_OK;
    return wy_bad_input(err,
                        "withy_batch_advance: %lld records of a probe, but time.output has room "
                        "for %lld; advance by at most time.output = %g at a time",
                        (long long)records, (long long)s->room, s->sim->problem.request.output);
}

static void keep_records(seat *s) {
    const int64_t steps = s->way.span.to - s->way.span.from, due = steps_to_record(s);
    const vec3 origin = wy_model_origin(s->sim->setup.model);
    s->count = s->period > 0 && steps >= due ? (steps - due) / s->period + 1 : 0;
    for (int k = 0; k < s->place_count; k++)
        for (int64_t i = 0; i < s->count; i++)
            s->out[k * s->room + i] =
                v3_add(origin, v3_from(s->record + 3 * (i * s->place_count + k)));
}

const withy_vec3 *withy_batch_probe(const withy_batch *batch, int member, int probe,
                                    int64_t *count) {
    if (count) *count = 0;
    if (!batch || !count || member < 0 || member >= batch->count || !batch->self) return NULL;
    const seat *s = &batch->seat[member];
    for (int k = 0; k < s->place_count; k++)
        if (s->track[k] == probe) {
            *count = s->count;
            return s->out + k * s->room;
        }
    return NULL;
}

/* ---- create ---------------------------------------------------------------------------------- */

static withy_status check_members(const withy_batch *b, withy_error *err) {
    const withy_sim *first = b->seat[0].sim;
    const wy_batch *equations = first->method->batch;
    for (int i = 0; i < b->count; i++) {
        const withy_sim *sim = b->seat[i].sim;
        if (sim->method != first->method || !equations)
            return wy_unsupported(err,
                                  "member %d: method %s is not stepped in batches with others; use "
                                  "method fdtd for all, or advance them one by one",
                                  i + 1, sim->method->name);
        const withy_status status = equations->accept(sim->self, b->device, err);
        if (status != WITHY_OK) return wy_fail_in(err, status, "member %d: ", i + 1);
        if (b->device && !equations->alike(first->self, sim->self))
            return wy_unsupported(err,
                                  "member %d: its grid differs from that of the first; in a batch "
                                  "options.n and options.order are the same for all",
                                  i + 1);
    }
    return WITHY_OK;
}

static withy_status make_self(withy_batch *b, withy_error *err) {
    wy_batch_member *member = wy_alloc((size_t)b->count, sizeof *member);
    if (!member) return wy_no_memory(err, "no memory for a batch");
    for (int i = 0; i < b->count; i++) {
        const seat *s = &b->seat[i];
        member[i] = (wy_batch_member){s->sim->self, s->place_count, s->place, s->period};
    }
    const withy_status status =
        b->equations->create(b->device, member, b->count, b->threads, &b->self, err);
    wy_free(member);
    return status;
}

static withy_status start(withy_batch *b, withy_error *err) {
    WY_TRY(check_members(b, err));
    b->equations = b->seat[0].sim->method->batch;
    return make_self(b, err);
}

static withy_status take_seats(withy_batch *b, withy_sim *const *sim, withy_error *err) {
    b->seat = wy_arena_alloc(&b->arena, (size_t)b->count, sizeof *b->seat);
    b->task = wy_arena_alloc(&b->arena, (size_t)b->count, sizeof *b->task);
    b->t = wy_arena_alloc(&b->arena, (size_t)b->count, sizeof *b->t);
    if (!b->seat || !b->task || !b->t) return wy_no_memory(err, "no memory for a batch");
    for (int i = 0; i < b->count; i++) {
        if (!sim[i]) return wy_bad_input(err, "withy_batch_create: sim[%d] is NULL", i);
        b->seat[i].sim = sim[i];
        WY_TRY(make_tracks(b, &b->seat[i], err));
    }
    return WITHY_OK;
}

static withy_status start_on(withy_batch *b, const wy_engine *engine, withy_error *err) {
    b->device = engine->device;
    wy_engine_text(engine, b->engine, sizeof b->engine);
    if (!b->device)
        wy_append(b->engine, sizeof b->engine, ", %d thread%s", b->threads,
                  b->threads > 1 ? "s" : "");
    return start(b, err);
}

/* A GPU that can do all members, else vectors; or what was asked for. */
static withy_status make(withy_batch *b, withy_sim *const *sim, const withy_batch_options *how,
                         withy_error *err) {
    wy_engine engine;
    withy_error refusal;
    WY_TRY(take_seats(b, sim, err));
    if (how->engine < WITHY_ENGINE_AUTO || how->engine > WITHY_ENGINE_OPENCL)
        return wy_bad_input(err, "withy_batch_create: there is no engine %d", how->engine);
    WY_TRY(wy_engine_open(how, &engine, err));
    const bool falls_back = engine.device && engine.falls_back;
    withy_status status = start_on(b, &engine, falls_back ? &refusal : err);
    if (status == WITHY_OK) return WITHY_OK;
    wy_engine_close(&engine);
    b->device = NULL;
    return falls_back ? start_on(b, &engine, err) : status;
}

withy_status withy_batch_create(withy_sim *const *sim, int count, const withy_batch_options *how,
                                withy_batch **batch, withy_error *err) {
    WY_NEED(batch);
    *batch = NULL;
    WY_NEED(sim);
    withy_batch_options own = withy_batch_default();
    if (how) memcpy(&own, how, how->size < sizeof own ? how->size : sizeof own);
    if (count < 1)
        return wy_bad_input(err, "withy_batch_create: count = %d: needs at least 1", count);
    withy_batch *b = wy_alloc(1, sizeof *b);
    if (!b) return wy_no_memory(err, "no memory for a batch");
    b->count = count, b->threads = own.threads > 0 ? own.threads : wy_threads_available();
    WY_HAND_OVER(make(b, sim, &own, err), b, withy_batch_destroy, batch);
}

withy_status wy_batch_create(withy_sim *const *sim, int count, wy_device *device, int threads,
                             int64_t most, withy_batch **batch, withy_error *err) {
    withy_batch *b = *batch = wy_alloc(1, sizeof *b);
    if (!b) return wy_no_memory(err, "no memory for a batch");
    *b = (withy_batch){
        .count = count, .threads = threads, .device = device, .lent = 1, .most = most};
    withy_status status = take_seats(b, sim, err);
    if (status == WITHY_OK) status = start_on(b, &(wy_engine){device, 0, threads}, err);
    WY_HAND_OVER(status, b, withy_batch_destroy, batch);
}

void withy_batch_destroy(withy_batch *batch) {
    if (!batch) return;
    if (batch->self) batch->equations->destroy(batch->self);
    if (!batch->lent) wy_device_close(batch->device);
    wy_arena arena = batch->arena;
    wy_arena_free(&arena);
    wy_free(batch);
}

const char *withy_batch_engine(const withy_batch *batch) {
    return batch ? batch->engine : "";
}

double withy_batch_seconds(const withy_batch *batch) {
    return batch && batch->self ? batch->equations->seconds(batch->self) : 0.0;
}

/* ---- advance --------------------------------------------------------------------------------- */

static void depart(void *context, int i) {
    withy_batch *b = context;
    seat *s = &b->seat[i];
    wy_batch_task *task = &b->task[i];
    *task = (wy_batch_task){.status = WITHY_INTERRUPTED};
    s->count = 0, s->way = (wy_clock_steps){0};
    if (isnan(s->t)) return; /* it stays where it is */
    task->status = wy_sim_depart(s->sim, s->t, &s->way, &task->error);
    if (task->status == WITHY_OK) task->status = check_room(s, &task->error);
    task->span = s->way.span, task->due = steps_to_record(s), task->record = s->record;
}

static void arrive(void *context, int i) {
    withy_batch *b = context;
    seat *s = &b->seat[i];
    wy_batch_task *task = &b->task[i];
    if (isnan(s->t)) {
        task->status = WITHY_OK;
        return;
    }
    task->status = wy_sim_arrive(s->sim, s->t, &s->way, task->status, &task->error);
    if (task->status == WITHY_OK) keep_records(s);
}

static withy_status first_failure(const withy_batch *b, withy_error *err) {
    for (int i = 0; i < b->count; i++)
        if (b->task[i].status != WITHY_OK) {
            if (err) *err = b->task[i].error;
            return wy_fail_in(err, b->task[i].status, "member %d: ", i + 1);
        }
    return WITHY_OK;
}

withy_status wy_batch_advance(withy_batch *batch, const double *t, withy_error *err) {
    for (int i = 0; i < batch->count; i++) batch->seat[i].t = t[i];
    for (int i = 0; i < batch->count; i++) depart(batch, i); /* may call functions of a scene */
    const withy_status status = batch->equations->advance(batch->self, batch->task, err);
    for (int i = 0; i < batch->count && status != WITHY_OK; i++)
        if (batch->task[i].status == WITHY_OK) {
            batch->task[i].status = status;
            if (err) batch->task[i].error = *err;
        }
    wy_threads_run(batch->threads, batch->count, arrive, batch);
    return status;
}

withy_status withy_batch_advance(withy_batch *batch, double t, withy_error *err) {
    WY_NEED(batch);
    if (isnan(t)) return wy_bad_input(err, "withy_batch_advance: t is not a number; give a time");
    for (int i = 0; i < batch->count; i++) batch->t[i] = t;
    WY_TRY(wy_batch_advance(batch, batch->t, err));
    return first_failure(batch, err);
}

int64_t wy_batch_period(const withy_batch *batch, int member, int probe) {
    const seat *s = &batch->seat[member];
    for (int k = 0; k < s->place_count; k++)
        if (s->track[k] == probe) return s->period;
    return 0;
}

int64_t wy_batch_room(const withy_batch *batch, int member) {
    return batch->seat[member].room;
}

int64_t wy_batch_due(const withy_batch *batch, int member) {
    return steps_to_record(&batch->seat[member]);
}

withy_status withy_batch_failure(const withy_batch *batch, int member, withy_error *err) {
    WY_NEED(batch);
    if (member < 0 || member >= batch->count)
        return wy_bad_input(err, "withy_batch_failure: there is no member %d", member);
    if (err) *err = batch->task[member].error;
    return batch->task[member].status;
}
