/* members.c - an ensemble (withy/ensemble.h): members are states of one simulation, which a method steps together (wy_lockstep),
 * or which are put into a simulation one after the other. */
#include "base/thread_pool.h"
#include "study/run/ensemble.h"

enum { START = 0, KEEP = 1, SHELVES = 2 };

struct withy_ensemble {
    wy_arena arena;
    withy_sim *sim; /* of its own: the scene, compiled */
    withy_ensemble_options how;
    wy_engine engine;
    char text[300];
    const wy_lockstep *calls; /* NULL: one by one */
    void *self;
    int count, threads, actions, width;
    int *field; /* [width] */
    double *zero, *in, *flag;
    char *first; /* the state of sim at the start */
    wy_clock clock;
    double t0;
    int64_t step; /* made since the start */
    int *list[2];
    /* one by one */
    withy_sim **own;     /* [threads] */
    char *bytes;         /* [count][state.used] */
    const double *given; /* [count][actions], NULL: as before */
    double duration;
    withy_status *status;
    withy_error *error;
};

withy_ensemble_options withy_ensemble_default(void) {
    return (withy_ensemble_options){.size = sizeof(withy_ensemble_options), .device = -1};
}

const char *withy_ensemble_engine(const withy_ensemble *x) {
    return x ? x->text : "";
}
int withy_ensemble_width(const withy_ensemble *x) {
    return x ? x->width : 0;
}
int withy_ensemble_count(const withy_ensemble *x) {
    return x ? x->count : 0;
}
double withy_ensemble_seconds(const withy_ensemble *x) {
    return x && x->calls ? x->calls->seconds(x->self) : 0.0;
}

static char *state_of(const withy_ensemble *x, int member) {
    return x->bytes + (size_t)member * x->sim->state.used;
}

/* ---- create --------------------------------------------------------------------------------------- */

static const int WIDTH[] = {3, 9, 3, 3, 6};

static withy_status check_options(withy_ensemble *x, withy_error *err) {
    const withy_ensemble_options *how = &x->how;
    for (int k = 0; k < how->action_count; k++)
        if ((int)how->action[k].on < WITHY_ACTS_REST || how->action[k].on > WITHY_ACTS_INPUT)
            return wy_bad_input(err, "action %d: there is no kind %d", k + 1,
                                (int)how->action[k].on);
    for (int k = 0; k < how->observe_count; k++) {
        const withy_observed *o = &how->observe[k];
        const double length = x->sim->problem.rod[0].length;
        if ((int)o->what < WITHY_OBSERVES_POSITION || o->what > WITHY_OBSERVES_STRAIN)
            return wy_bad_input(err, "observation %d: there is no kind %d", k + 1, (int)o->what);
        if (!(o->s >= 0 && o->s <= length * (1 + 1e-12)))
            return wy_bad_input(err,
                                "observation %d: s = %g: must be in 0 .. %g, along the first rod",
                                k + 1, o->s, length);
        x->width += WIDTH[o->what];
    }
    return WITHY_OK;
}

static withy_status take_memory(withy_ensemble *x, withy_error *err) {
    const size_t count = (size_t)x->count, width = (size_t)x->width;
    wy_allocator from = {.arena = &x->arena};
    x->field = wy_allocator_alloc(&from, width, sizeof *x->field);
    x->zero = wy_allocator_alloc(&from, width + 1, sizeof *x->zero);
    x->in = wy_allocator_alloc(&from, count * (size_t)x->actions, sizeof *x->in);
    x->flag = wy_allocator_alloc(&from, count, sizeof *x->flag);
    x->first = wy_allocator_alloc(&from, x->sim->state.used, 1);
    for (int i = 0; i < 2; i++)
        x->list[i] = wy_allocator_alloc(&from, count + SHELVES, sizeof *x->list[i]);
    if (from.failed) return wy_no_memory(err, "no memory for %d members", x->count);
    memcpy(x->first, x->sim->state.base, x->sim->state.used);
    return WITHY_OK;
}

static void find_fields(withy_ensemble *x) {
    int at = 0;
    for (int k = 0; k < x->how.observe_count; k++) {
        int field[9];
        double zero[9];
        const int size = x->calls->fields(x->self, &x->how.observe[k], field, zero);
        for (int i = 0; i < size; i++, at++) x->field[at] = field[i], x->zero[at] = zero[i];
    }
}

static withy_status start_members(withy_ensemble *x, withy_error *err) {
    const int shelf = x->count + START;
    WY_TRY(x->calls->put(x->self, shelf, x->sim->self, err));
    for (int i = 0; i < x->count; i++) x->list[0][i] = i, x->list[1][i] = shelf;
    return x->calls->copy(x->self, x->list[0], x->list[1], x->count, err);
}

static withy_status make_members(withy_ensemble *x, wy_device *device, withy_error *err) {
    const wy_lockstep_spec spec = {device,        x->count,   SHELVES,   x->threads,
                                   x->how.action, x->actions, x->clock.h};
    x->calls = x->sim->method->lockstep;
    if (!x->calls)
        return wy_unsupported(err,
                              "method" WY_KEY
                              " %s is not stepped in vectors or on a device; use method "
                              "director, or engine = \"auto\"",
                              x->sim->method->name);
    WY_TRY(x->calls->create(x->sim->self, &spec, &x->self, err));
    const withy_status status = start_members(x, err);
    if (status == WITHY_OK) find_fields(x);
    return status;
}

static void drop_members(withy_ensemble *x) {
    if (x->calls) x->calls->destroy(x->self);
    x->calls = NULL, x->self = NULL;
}

/* One simulation for each thread; members are the bytes of states. */
static withy_status make_single(withy_ensemble *x, withy_error *err) {
    wy_allocator from = {.arena = &x->arena};
    const size_t count = (size_t)x->count;
    for (int k = 0; k < x->actions; k++) {
        double value;
        if (x->how.action[k].on != WITHY_ACTS_INPUT)
            return wy_unsupported(
                err,
                "action %d: members that are stepped one by one have named inputs of the scene "
                "alone; give the scene an input",
                k + 1);
        WY_TRY(withy_sim_input_get(x->sim, x->how.action[k].input, &value, err));
    }
    x->bytes = wy_allocator_alloc(&from, count, x->sim->state.used);
    x->own = wy_allocator_alloc(&from, (size_t)x->threads, sizeof(withy_sim *));
    x->status = wy_allocator_alloc(&from, count, sizeof *x->status);
    x->error = wy_allocator_alloc(&from, count, sizeof *x->error);
    if (from.failed) return wy_no_memory(err, "no memory for %d states", x->count);
    for (int i = 0; i < x->threads; i++) WY_TRY(withy_sim_fork(x->sim, &x->own[i], err));
    for (int i = 0; i < x->count; i++) memcpy(state_of(x, i), x->first, x->sim->state.used);
    snprintf(x->text, sizeof x->text, "one by one, %d thread%s", x->threads,
             x->threads > 1 ? "s" : "");
    return WITHY_OK;
}

/* The reason why members are not stepped together goes before that why they cannot be one by one. */
static withy_status choose(withy_ensemble *x, withy_error *err) {
    const withy_batch_options how = {sizeof how, x->how.engine, x->how.device, x->threads};
    const int automatic = x->how.engine == WITHY_ENGINE_AUTO;
    int inputs = 0;
    for (int k = 0; k < x->actions; k++) inputs |= x->how.action[k].on == WITHY_ACTS_INPUT;
    if (automatic && inputs) return make_single(x, err);
    WY_TRY(wy_engine_open(&how, &x->engine, err));
    withy_status status = make_members(x, x->engine.device, err);
    if (status != WITHY_OK && x->engine.device && automatic) {
        drop_members(x), wy_engine_close(&x->engine);
        status = make_members(x, NULL, err);
    }
    wy_engine_text(&x->engine, x->text, sizeof x->text);
    if (!x->engine.device)
        wy_append(x->text, sizeof x->text, ", %d thread%s", x->threads, x->threads > 1 ? "s" : "");
    if (status == WITHY_OK || !automatic || x->actions) return status;
    drop_members(x);
    return make_single(x, err);
}

/* From an equilibrium a motion starts at t = 0. */
static withy_status let_go(withy_sim *sim, withy_error *err) {
    if (!sim->core->equilibrium) return wy_sim_may_start(sim, err);
    WY_TRY(wy_sim_may_start(sim, err));
    WY_TRY(sim->method->equations->let_go(sim->self, 0, err));
    sim->core->equilibrium = 0, sim->core->t = 0;
    sim->core->clock.origin = 0, sim->core->clock.step = 0;
    return WITHY_OK;
}

static withy_status make(withy_ensemble *x, const withy_sim *sim, withy_error *err) {
    WY_TRY(withy_sim_fork(sim, &x->sim, err));
    WY_TRY(let_go(x->sim, err));
    x->clock = x->sim->core->clock, x->t0 = x->sim->core->t;
    x->actions = x->how.action_count;
    if (!(x->clock.h > 0))
        return wy_unsupported(err, "an ensemble has steps of one length: give options.dt");
    WY_TRY(check_options(x, err));
    WY_TRY(take_memory(x, err));
    return choose(x, err);
}

withy_status withy_ensemble_create(const withy_sim *sim, int count,
                                   const withy_ensemble_options *how, withy_ensemble **ensemble,
                                   withy_error *err) {
    WY_NEED(ensemble);
    *ensemble = NULL;
    WY_NEED(sim);
    withy_ensemble_options own = withy_ensemble_default();
    if (how) memcpy(&own, how, how->size < sizeof own ? how->size : sizeof own);
    if (count < 1 || count > (1 << 24))
        return wy_bad_input(err, "withy_ensemble_create: count = %d: must be 1 .. 16777216", count);
    if (own.action_count < 0 || own.action_count > 1024 || (own.action_count && !own.action) ||
        own.observe_count < 0 || own.observe_count > 4096 || (own.observe_count && !own.observe))
        return wy_bad_input(err,
                            "withy_ensemble_create: %d actions, %d observations: at most 1024 and "
                            "4096, with their lists",
                            own.action_count, own.observe_count);
    withy_ensemble *x = wy_alloc(1, sizeof *x);
    if (!x) return wy_no_memory(err, "no memory for an ensemble");
    x->how = own, x->count = count;
    x->threads = own.threads > 0 ? own.threads : wy_threads_available();
    WY_HAND_OVER(make(x, sim, err), x, withy_ensemble_destroy, ensemble);
}

void withy_ensemble_destroy(withy_ensemble *x) {
    if (!x) return;
    drop_members(x);
    for (int i = 0; i < x->threads && x->own; i++) withy_sim_destroy(x->own[i]);
    wy_engine_close(&x->engine);
    withy_sim_destroy(x->sim);
    wy_arena arena = x->arena;
    wy_arena_free(&arena);
    wy_free(x);
}

/* ---- one by one ------------------------------------------------------------------------------------- */

static withy_status step_single(withy_ensemble *x, withy_sim *sim, int i, withy_error *err) {
    memcpy(sim->state.base, state_of(x, i), sim->state.used);
    for (int k = 0; k < x->actions && x->given; k++)
        WY_TRY(withy_sim_input(sim, x->how.action[k].input,
                               x->given[(size_t)i * (size_t)x->actions + (size_t)k], err));
    WY_TRY(withy_sim_advance(sim, sim->core->t + x->duration, err));
    memcpy(state_of(x, i), sim->state.base, sim->state.used);
    return WITHY_OK;
}

static void run_single(void *context, int thread) {
    withy_ensemble *x = context;
    for (int i = thread; i < x->count; i += x->threads)
        if (x->status[i] == WITHY_OK)
            x->status[i] = step_single(x, x->own[thread], i, &x->error[i]);
}

static double *write3(double *to, vec3 a) {
    v3_to(a, to);
    return to + 3;
}

static double *observe_at(const withy_snapshot *snap, const withy_observed *o, double *to) {
    int j = 0;
    for (int k = 1; k < snap->count; k++)
        if (fabs(snap->s[k] - o->s) < fabs(snap->s[j] - o->s)) j = k;
    const mat3 d =
        q_matrix((quat){snap->frame[j].w, snap->frame[j].x, snap->frame[j].y, snap->frame[j].z});
    switch (o->what) {
    case WITHY_OBSERVES_POSITION: return write3(to, snap->position[j]);
    case WITHY_OBSERVES_FRAME: return write3(write3(write3(to, d.c1), d.c2), d.c3);
    case WITHY_OBSERVES_VELOCITY: return write3(to, snap->velocity[j]);
    case WITHY_OBSERVES_SPIN: return write3(to, m3_tmul(d, snap->spin[j]));
    default: return write3(write3(to, snap->shear[j]), snap->bend[j]);
    }
}

static withy_status observe_single(withy_ensemble *x, double *out, withy_error *err) {
    for (int i = 0; i < x->count; i++) {
        memcpy(x->sim->state.base, state_of(x, i), x->sim->state.used);
        const withy_snapshot *snap = withy_sim_sample(x->sim, 0);
        if (!snap) return wy_no_convergence(err, "member %d: a value is not finite", i);
        for (int k = 0; k < x->how.observe_count; k++)
            out = observe_at(snap, &x->how.observe[k], out);
    }
    return WITHY_OK;
}

/* ---- steps ------------------------------------------------------------------------------------------ */

static withy_status whole_steps(const withy_ensemble *x, double duration, int64_t *steps,
                                withy_error *err) {
    const double count = duration / x->clock.h, near = floor(count + 0.5);
    if (!(near >= 1) || !(near < 1e9) || fabs(count - near) > 1e-6 * near)
        return wy_bad_input(
            err,
            "withy_ensemble_step: %.10g s is no whole number of steps of %.10g s; give "
            "a multiple, or another options.dt",
            duration, x->clock.h);
    *steps = (int64_t)near;
    return WITHY_OK;
}

static withy_status check_actions(const withy_ensemble *x, const double *action, withy_error *err) {
    for (int i = 0; i < x->count; i++)
        for (int k = 0; k < x->actions; k++)
            if (!isfinite(action[(size_t)i * (size_t)x->actions + (size_t)k]))
                return wy_bad_input(err, "member %d: action %d is not a finite number", i, k + 1);
    return WITHY_OK;
}

/* As the method has them: all members of an action together. */
static void turn_actions(withy_ensemble *x, const double *action) {
    const size_t count = (size_t)x->count, actions = (size_t)x->actions;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < actions; k++) x->in[k * count + i] = action[i * actions + k];
}

withy_status withy_ensemble_observe(withy_ensemble *x, double *out, withy_error *err) {
    WY_NEED(x, out);
    if (x->width == 0) return WITHY_OK;
    if (!x->calls) return observe_single(x, out, err);
    return x->calls->gather(x->self, x->field, x->zero, x->width, out, err);
}

static withy_status find_failed(withy_ensemble *x, int *failed, withy_error *err) {
    if (!x->calls) {
        for (int i = 0; i < x->count; i++) failed[i] = x->status[i] != WITHY_OK;
        return WITHY_OK;
    }
    const int field = x->calls->failed(x->self);
    const double zero = 0;
    WY_TRY(x->calls->gather(x->self, &field, &zero, 1, x->flag, err));
    for (int i = 0; i < x->count; i++) failed[i] = x->flag[i] != 0;
    return WITHY_OK;
}

withy_status withy_ensemble_step(withy_ensemble *x, double duration, const double *action,
                                 double *out, int *failed, withy_error *err) {
    int64_t steps = 0;
    WY_NEED(x);
    WY_TRY(whole_steps(x, duration, &steps, err));
    if (action) WY_TRY(check_actions(x, action, err));
    if (x->calls) {
        if (action) turn_actions(x, action);
        const wy_span span = {x->t0, x->clock.h, x->step, x->step + steps};
        WY_TRY(x->calls->advance(x->self, &span, x->in, err));
    } else {
        x->given = action, x->duration = duration;
        wy_threads_run(x->threads, x->threads, run_single, x);
    }
    x->step += steps;
    if (out) WY_TRY(withy_ensemble_observe(x, out, err));
    return failed ? find_failed(x, failed, err) : WITHY_OK;
}

static withy_status check_member(const withy_ensemble *x, int member, withy_error *err) {
    if (member >= 0 && member < x->count) return WITHY_OK;
    return wy_bad_input(err, "ensemble: there is no member %d; there are 0 .. %d", member,
                        x->count - 1);
}

withy_status withy_ensemble_failure(withy_ensemble *x, int member, withy_error *err) {
    WY_NEED(x);
    WY_TRY(check_member(x, member, err));
    if (x->calls) return x->calls->failure(x->self, member, err);
    if (err) *err = x->error[member];
    return x->status[member];
}

/* ---- members by themselves ---------------------------------------------------------------------------- */

/* Functions of time are at the time of the ensemble, which is one for all. */
static withy_status check_time(const withy_ensemble *x, double t, withy_error *err) {
    const double now = x->t0 + (double)x->step * x->clock.h;
    if (!x->calls || !x->calls->varies(x->self) || fabs(t - now) <= 1e-9 * x->clock.h)
        return WITHY_OK;
    return wy_unsupported(
        err,
        "ensemble: a member at t = %g among others at t = %g: the scene has functions "
        "of time, which are the same for all; give them as actions",
        t, now);
}

withy_status withy_ensemble_reset(withy_ensemble *x, const int *member, int count,
                                  withy_error *err) {
    WY_NEED(x);
    if (count < 0 || count > x->count || (count > 0 && !member))
        return wy_bad_input(err, "withy_ensemble_reset: count = %d: must be 0 .. %d, with a list",
                            count, x->count);
    for (int i = 0; i < count; i++) WY_TRY(check_member(x, member[i], err));
    WY_TRY(check_time(x, x->t0, err));
    for (int i = 0; i < count; i++) {
        const int at = member[i];
        x->list[0][i] = at, x->list[1][i] = x->count + START;
        for (int k = 0; k < x->actions; k++) x->in[(size_t)k * (size_t)x->count + (size_t)at] = 0;
        if (x->calls) continue;
        x->status[at] = WITHY_OK;
        memcpy(state_of(x, at), x->first, x->sim->state.used);
    }
    if (!x->calls || count == 0) return WITHY_OK;
    return x->calls->copy(x->self, x->list[0], x->list[1], count, err);
}

withy_status withy_ensemble_fork(withy_ensemble *x, int to, int from, withy_error *err) {
    WY_NEED(x);
    WY_TRY(check_member(x, to, err));
    WY_TRY(check_member(x, from, err));
    if (to == from) return WITHY_OK;
    for (int k = 0; k < x->actions; k++) {
        double *in = x->in + (size_t)k * (size_t)x->count;
        in[to] = in[from];
    }
    if (x->calls) return x->calls->copy(x->self, &to, &from, 1, err);
    x->status[to] = x->status[from], x->error[to] = x->error[from];
    memcpy(state_of(x, to), state_of(x, from), x->sim->state.used);
    return WITHY_OK;
}

withy_status withy_ensemble_member(withy_ensemble *x, int member, withy_sim **sim,
                                   withy_error *err) {
    WY_NEED(x, sim);
    *sim = NULL;
    WY_TRY(check_member(x, member, err));
    const char *bytes = x->calls ? x->first : state_of(x, member);
    memcpy(x->sim->state.base, bytes, x->sim->state.used);
    if (x->calls) {
        const double t = x->t0 + (double)x->step * x->clock.h;
        x->sim->core->t = t, x->sim->core->clock.step = x->clock.step + x->step;
        WY_TRY(x->calls->take(x->self, member, x->sim->self, t, err));
    }
    *sim = x->sim;
    return WITHY_OK;
}

withy_status withy_ensemble_put(withy_ensemble *x, int member, withy_error *err) {
    WY_NEED(x);
    WY_TRY(check_member(x, member, err));
    WY_TRY(check_time(x, x->sim->core->t, err));
    if (x->calls) return x->calls->put(x->self, member, x->sim->self, err);
    x->status[member] = WITHY_OK;
    memcpy(state_of(x, member), x->sim->state.base, x->sim->state.used);
    return WITHY_OK;
}
