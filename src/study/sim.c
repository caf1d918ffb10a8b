/* sim.c - one problem under one method. */
#include "study/sim.h"

#include "study/equilibrium/equations.h"

/* The last snapshot must be at stop: make the interval a whole part of it, with a note. */
static void fit_output(withy_sim *sim) {
    withy_request *request = &sim->problem.request;
    const double fitted = request->stop / (double)wy_output_count(request);
    if (fabs(fitted - request->output) > 1e-9 * fitted)
        wy_note(&sim->notes, WY_NOTE(output_fitted), fitted, request->output, request->stop);
    request->output = fitted;
}

static withy_status pick_method(const char *name, const withy_problem *problem,
                                const wy_method **method, withy_error *err) {
    WY_TRY(wy_method_find(name, method, err));
    return wy_method_accepts(*method, problem, err);
}

withy_status wy_view_make(withy_sim *sim, int rod, int count, const double *s, wy_view *view,
                          withy_error *err) {
    double *own = NULL;
    if (!s) {
        const int stations = sim->problem.request.stations;
        count = stations ? stations : sim->method->nodes(sim->self, rod, NULL);
        own = wy_arena_alloc(&sim->arena, (size_t)count, sizeof *own);
        if (!own) return wy_no_memory(err, "no memory for %d stations", count);
        if (!stations) sim->method->nodes(sim->self, rod, own);
        for (int i = 0; stations && i < count; i++)
            own[i] = sim->problem.rod[rod].length * i / (count - 1);
    }
    WY_TRY(wy_snapshot_make(&sim->arena, count, s ? s : own, &view->snap, err));
    return wy_observer_make(&sim->arena, &sim->problem, rod, &view->snap, &view->observer, err);
}

/* Methods compute relative to the origin of the model. */
static void to_laboratory(vec3 origin, withy_snapshot *snap) {
    if (v3_is_zero(origin)) return;
    for (int i = 0; i < snap->count && (snap->have & WITHY_HAVE_POSITION); i++)
        snap->position[i] = v3_add(origin, snap->position[i]);
    if (snap->have & WITHY_HAVE_MOMENTUM)
        snap->angular_momentum = v3_add(snap->angular_momentum, v3_cross(origin, snap->momentum));
}

static void add_past(const wy_past *past, withy_snapshot *snap) {
    snap->t += past->t, snap->conserved_at += past->t, snap->step += past->steps;
    snap->work += past->work, snap->dissipated += past->dissipated;
    snap->conserved += past->dissipated - past->work;
}

const char *wy_view_sample(withy_sim *sim, int rod, wy_view *view) {
    view->snap.have = 0;
    view->snap.t = sim->core->t;
    view->snap.step = sim->core->stats.steps;
    sim->method->sample(sim->self, rod, &view->snap);
    if (sim->core->equilibrium) {
        view->snap.t = view->snap.conserved_at = sim->core->t;
        view->snap.iterations = (int)sim->core->iterations;
    }
    if (sim->past.t > 0) add_past(&sim->past, &view->snap);
    wy_observe(&view->observer, &view->snap);
    to_laboratory(wy_model_origin(sim->setup.model), &view->snap);
    wy_snapshot_find(&view->observer, &view->snap);
    return wy_snapshot_not_finite(&view->snap);
}

static void *keep_core(const withy_sim *sim, wy_block *state) {
    const int solves = sim->method->equations != NULL; /* equilibria */
    const wy_range row[] = {WY_WHOLE(wy_core, clock.step, 0, WY_COUNT_MOST),
                            WY_COUNT(wy_core, stats.steps),
                            WY_COUNT(wy_core, stats.iterations),
                            WY_COUNT(wy_core, stats.halvings),
                            WY_WHOLE(wy_core, stats.iterations_max, 0, INT32_MAX / 2),
                            WY_FLAG(wy_core, stats.conserves),
                            WY_FLAG(wy_core, stats.accounted),
                            WY_WHOLE(wy_core, equilibrium, 0, solves),
                            WY_WHOLE(wy_core, iterations, 0, INT32_MAX / 2),
                            WY_WHOLE(wy_core, negative, -1, INT32_MAX / 2),
                            WY_WHOLE(wy_core, tangent, 0, solves),
                            WY_FLAG(wy_core, mesh_noted)};
    return WY_ALLOC_CHECKED(state, 1, wy_core, row);
}

/* The core comes first, then the blocks of the method. */
static void layout(withy_sim *sim, wy_block *state, wy_block *scratch) {
    const wy_method *method = sim->method;
    sim->core = keep_core(sim, state);
    if (sim->inputs.count) {
        double *now = wy_block_alloc(state, (size_t)sim->inputs.count, sizeof *now);
        if (now) memcpy(now, sim->inputs.start, (size_t)sim->inputs.count * sizeof *now);
        if (now) sim->inputs.now = now;
    }
    if (method->equations)
        sim->tangent = wy_block_alloc(state, (size_t)method->equations->layout(sim->self).rows,
                                      sizeof *sim->tangent);
    if (method->layout) method->layout(sim->self, state, scratch);
}

/* Memory of a block whose size is known.  Scratch need not hold zeros, and a page that is never touched costs
 * nothing; under sanitizers it is filled with rubbish, so that a method that counts on zeros is seen. */
static withy_status take_block(withy_sim *sim, wy_block *block, int is_scratch, withy_error *err) {
    block->base = (is_scratch ? wy_arena_alloc_raw : wy_arena_alloc)(&sim->arena, block->used, 1);
    if (!block->base)
        return wy_no_memory(err, "%s: no memory for %zu bytes of state", sim->method->name,
                            block->used);
#ifdef __SANITIZE_ADDRESS__
    if (is_scratch) memset(block->base, 0xA5, block->used);
#endif
    block->used = 0;
    return WITHY_OK;
}

/* Memory for what the numbers of the state may be: the second pass describes them again. */
static withy_status take_ranges(withy_sim *sim, withy_error *err) {
    wy_ranges *kept = &sim->kept;
    kept->piece = wy_arena_alloc(&sim->arena, (size_t)kept->pieces, sizeof *kept->piece);
    kept->row = wy_arena_alloc(&sim->arena, (size_t)kept->rows, sizeof *kept->row);
    if (!kept->piece || !kept->row)
        return wy_no_memory(err, "%s: no memory for a state", sim->method->name);
    kept->pieces = kept->rows = 0;
    return WITHY_OK;
}

/* initial = static { ... } of any rod, unless the method does that itself. */
static int starts_at_rest(const withy_sim *sim) {
    int settled = 0;
    for (int i = 0; i < sim->problem.rod_count; i++) settled |= sim->problem.rod[i].settled;
    return settled && sim->method->equations && sim->method->equations->pull;
}

/* How far the places of bodies and joints are from the origins that they are measured from. */
static double farthest_place(const withy_problem *problem) {
    double most = 0;
    for (int i = 0; i < problem->body_count; i++)
        most = wy_max(most, v3_norm(problem->body[i].position));
    for (int i = 0; i < 2 * problem->joint_count; i++)
        most = wy_max(most, v3_norm(problem->joint[i / 2].place[i % 2].at));
    return most;
}

/* Of bodies and joints: weights and loads on ways of 1e-13 of the distances, to which joints are closed; springs bent as rods are. */
static double floor_of_parts(const withy_problem *problem) {
    const double far = farthest_place(problem);
    double force = 0, stiff = 0;
    for (int i = 0; i < problem->body_count; i++) {
        const withy_body *body = &problem->body[i];
        force += body->mass * v3_norm(problem->gravity);
        for (int k = 0; k < body->load_count; k++) {
            double at[WITHY_FIELD_MAX] = {0};
            withy_error own;
            if (withy_field_at(&body->load[k].force, 0, 0, at, &own) == WITHY_OK)
                force += v3_norm(v3_from(at));
        }
    }
    for (int i = 0; i < problem->joint_count; i++) {
        const withy_joint *joint = &problem->joint[i];
        const double shift = v3_norm(joint->stretch), turn = v3_norm(joint->turn);
        stiff += turn + (shift + joint->spring) * far * far + joint->spring;
    }
    return 1e-13 * force * far + 1e-21 * stiff;
}

/* What rounding makes: the energy of strains of 3e-11 and of bends of 1e-8 over each rod, and of parts. */
static withy_status find_floor(withy_sim *sim, withy_error *err) {
    sim->setup.floor = floor_of_parts(&sim->problem);
    for (int i = 0; i < sim->problem.rod_count; i++) {
        const double length = sim->problem.rod[i].length, middle = 0.5 * length;
        wy_section_at at;
        WY_TRY(wy_model_sections(sim->setup.model, i, 1, &middle, &at, err));
        const double stretch = at.stiffness[WITHY_STRETCH], bend = at.stiffness[WITHY_BEND1];
        if (isfinite(stretch)) sim->setup.floor += 1e-21 * stretch * length;
        if (isfinite(bend)) sim->setup.floor += 1e-16 * bend / length;
    }
    return WITHY_OK;
}

/* options.n that is not given follows the shapes. */
static withy_status fit_mesh(withy_sim *sim, withy_error *err) {
    for (int i = 0; i < sim->given_count; i++)
        if (strcmp(sim->given[i].name, "n") == 0) return WITHY_OK;
    if (!sim->method->mesh) return WITHY_OK;
    int n = wy_sim_mesh(sim);
    WY_TRY(sim->method->mesh(&sim->setup, &n, err));
    wy_option_set(sim->method, "n", n, sim->options);
    return WITHY_OK;
}

/* The method at t = 0, with the step it will use. */
static withy_status make_state(withy_sim *sim, withy_error *err) {
    const wy_method *method = sim->method;
    sim->setup.problem = &sim->problem, sim->setup.options = sim->options;
    sim->setup.arena = &sim->arena, sim->setup.notes = &sim->notes;
    sim->setup.interrupt = &sim->interrupt;
    sim->setup.horizon = sim->problem.request.given ? sim->problem.request.stop : 0;
    WY_TRY(find_floor(sim, err));
    WY_TRY(fit_mesh(sim, err));
    WY_TRY(method->create(&sim->setup, &sim->self, err));
    sim->state.kept = &sim->kept;
    layout(sim, &sim->state, &sim->scratch);
    WY_TRY(take_ranges(sim, err));
    WY_TRY(take_block(sim, &sim->state, 0, err));
    WY_TRY(take_block(sim, &sim->scratch, 1, err));
    layout(sim, &sim->state, &sim->scratch);
    sim->before = wy_arena_alloc_raw(&sim->arena, sim->state.used, 1);
    if (!sim->before)
        return wy_no_memory(err, "%s: no memory for a copy of the state", method->name);
    sim->setup.stats = &sim->core->stats;
    if (method->start) WY_TRY(method->start(sim->self, err));
    if (starts_at_rest(sim)) WY_TRY(wy_equilibrium_initial(sim, err));
    wy_preferred_step preferred_step = {.adaptive = !method->preferred_step};
    if (method->preferred_step) WY_TRY(method->preferred_step(sim->self, &preferred_step, err));
    sim->core->clock.h = wy_clock_fit(&sim->problem.request, &preferred_step, &sim->notes);
    return method->set_step ? method->set_step(sim->self, sim->core->clock.h, err) : WITHY_OK;
}

int wy_sim_mesh(const withy_sim *sim) {
    char name[WITHY_NAME], value[WITHY_NAME];
    for (int i = 0; withy_sim_option(sim, i, name, value, sizeof name); i++)
        if (strcmp(name, "n") == 0) return (int)strtol(value, NULL, 10);
    return 0;
}

void wy_sim_overwrite_scratch(withy_sim *sim) {
    if (sim->scratch.base) memset(sim->scratch.base, 0xA5, sim->scratch.used);
}

static withy_status build(withy_sim *sim, const char *method, const withy_option *option, int count,
                          int moves, withy_error *err) {
    WY_TRY(
        wy_model_compile(&sim->problem, sim->problem.model, &sim->arena, &sim->setup.model, err));
    WY_TRY(wy_request_check(&sim->problem, err));
    withy_request *request = &sim->problem.request;
    if (wy_is_static(&sim->problem) && !(request->stop > 0)) /* any: it is not run */
        request->stop = request->output = 1.0;
    sim->asked = sim->problem;
    sim->problem.floor.point = v3_sub(sim->asked.floor.point, wy_model_origin(sim->setup.model));
    WY_TRY(wy_signals_bind(&sim->problem, &sim->arena, &sim->inputs, err));
    withy_problem whole = sim->problem;
    whole.model = sim->setup.model; /* places can be judged too */
    WY_TRY(pick_method(method, &whole, &sim->method, err));
    sim->options = wy_arena_alloc(&sim->arena, 1, sim->method->options_size);
    sim->rod = wy_arena_alloc(&sim->arena, (size_t)sim->problem.rod_count, sizeof *sim->rod);
    if (!sim->options || !sim->rod) return wy_no_memory(err, "no memory for the options");
    if (moves || !sim->method->equations) WY_TRY(wy_model_fits(sim->setup.model, err));
    WY_TRY(wy_options_fill(sim->method, option, count, sim->options, err));
    sim->given = wy_arena_alloc(&sim->arena, (size_t)count, sizeof *sim->given);
    if (!sim->given) return wy_no_memory(err, "no memory for the options");
    for (int i = 0; i < count; i++) sim->given[i] = option[i];
    sim->given_count = count;
    wy_units_note(&sim->problem, &sim->notes);
    if (sim->problem.floor.surface) wy_note(&sim->notes, WY_NOTE(floor_surface));
    fit_output(sim);
    WY_TRY(make_state(sim, err));
    for (int i = 0; i < sim->problem.rod_count; i++)
        WY_TRY(wy_view_make(sim, i, 0, NULL, &sim->rod[i], err));
    return wy_parts_make(sim, err);
}

withy_status withy_sim_create(const withy_problem *problem, const char *method,
                              const withy_option *option, int option_count, withy_sim **sim,
                              withy_error *err) {
    return wy_sim_create(problem, method, option, option_count, 0, sim, err);
}

/* Arguments of wy_sim_create. */
typedef struct requested {
    const withy_problem *problem;
    const withy_option *option;
    int option_count, moves, tangents, tape;
} requested;

/* How far a method has come: the scene is wrong, it was asked, it can do all that the scene asks for. */
typedef enum stage { SCENE, ASKED, TAKEN } stage;

static withy_status create_with(const char *method, const requested *x, withy_sim **sim, stage *at,
                                withy_error *err) {
    WY_TRY(withy_kernel(NULL, err));
    withy_sim *made = wy_alloc(1, sizeof *made);
    if (!made) return wy_no_memory(err, "no memory for a simulation");
    made->problem = *x->problem;
    made->setup.tangents = x->tangents, made->setup.tape = x->tape;
    const withy_status status = build(made, method, x->option, x->option_count, x->moves, err);
    *at = !made->method ? SCENE : made->options ? TAKEN : ASKED;
    if (status != WITHY_OK) withy_sim_destroy(made);
    *sim = status == WITHY_OK ? made : NULL;
    return status;
}

/* The first method of the list that takes the whole scene; if there is none, the refusal of the first
 * that can do all that it asks for, or else of the preferred one.  Options are meant for the first that
 * can: another one would understand them differently.  A numerical failure is no refusal. */
static withy_status create_with_first(const requested *x, withy_sim **sim, withy_error *err) {
    withy_error why = {0};
    stage best = SCENE, at = SCENE;
    withy_status first = WITHY_OK;
    const char *refusing = "";
    for (int i = 0; i < wy_method_count(); i++) {
        withy_error own = {0};
        const char *name = wy_method_at(i)->name;
        const withy_status status = create_with(name, x, sim, &at, &own);
        if (status == WITHY_OK && best == TAKEN)
            wy_note(&(*sim)->notes, WY_NOTE(method_chosen), name, refusing, why.text);
        if (status == WITHY_OK) return WITHY_OK;
        if (first == WITHY_OK || at > best) why = own, first = status, best = at, refusing = name;
        const int refused = status == WITHY_BAD_INPUT || status == WITHY_UNSUPPORTED;
        if (at == SCENE || (at == TAKEN && (x->option_count || !refused))) break;
    }
    if (err) *err = why;
    return first;
}

withy_status wy_sim_create(const withy_problem *problem, const char *method,
                           const withy_option *option, int option_count, int moves, withy_sim **sim,
                           withy_error *err) {
    WY_NEED(sim);
    *sim = NULL;
    WY_NEED(problem);
    if (option_count < 0 || (option_count > 0 && !option))
        return wy_bad_input(err, "withy_sim_create: option_count = %d and no options",
                            option_count);
    const requested x = {problem, option, option_count, moves, 0, 0};
    stage at;
    if (!method || !method[0]) return create_with_first(&x, sim, err);
    return create_with(method, &x, sim, &at, err);
}

withy_status wy_sim_create_tangents(const withy_problem *problem, const char *method,
                                    const withy_option *option, int option_count, int tangents,
                                    int tape, withy_sim **sim, withy_error *err) {
    const requested x = {problem, option, option_count, 0, tangents, tape};
    stage at;
    return create_with(method, &x, sim, &at, err);
}

static withy_status find_way(withy_sim *sim, double now, double t, wy_clock_steps *way,
                             withy_error *err) {
    wy_core *core = sim->core;
    if (core->equilibrium || !(now > 0)) WY_TRY(wy_sim_may_start(sim, err));
    if (core->equilibrium) {
        WY_TRY(sim->method->equations->let_go(sim->self, 0, err));
        core->clock.origin = 0, core->clock.step = 0;
    }
    return wy_clock_steps_to(&core->clock, sim->method, now, t, way, err);
}

static double most_drift(const withy_sim *sim) {
    return sim->method->drift ? sim->method->drift(sim->self) : 0.0;
}

/* A motion whose account does not close within the bound of its method is wrong, not a figure. */
static withy_status check_drift(const withy_sim *sim, double t, withy_error *err) {
    const withy_stats *stats = &sim->core->stats;
    const double most = most_drift(sim);
    if (!stats->accounted || !(most > 0) || stats->energy_drift <= most) return WITHY_OK;
    char now[60] = "options.tol, or give options.dt";
    if (sim->core->clock.h > 0)
        snprintf(now, sizeof now, "options.dt (now %.3g)", sim->core->clock.h);
    return wy_no_convergence(
        err,
        "%s: by t = %g the energy balance (energy - work + losses) is off by %.3g J of %.3g J; its "
        "drift of %.1e is more than the %.0e that the method allows: use a smaller %s",
        sim->method->name, t, stats->energy_off, stats->energy_scale, stats->energy_drift, most,
        now);
}

static withy_status check_time(const withy_sim *sim, double now, double t, withy_error *err) {
    if (!(t >= now))
        return wy_bad_input(err, "%s: cannot advance to t = %g, which is before the present t = %g",
                            sim->method->name, t, now);
    if (!isfinite(t))
        return wy_bad_input(err, "%s: cannot advance to t = %g; it must be finite",
                            sim->method->name, t);
    if (t > now && sim->problem.rotating.given)
        return wy_unsupported(err,
                              "%s: a scene in a rotating frame has equilibria and modes, but is "
                              "not run in time; use withy static or withy modes, or remove "
                              "rotating and turn a held end (ends.start.frame as a function of t)",
                              sim->method->name);
    return WITHY_OK;
}

withy_status wy_sim_depart(withy_sim *sim, double t, wy_clock_steps *way, withy_error *err) {
    const double now = sim->core->equilibrium ? 0.0 : sim->core->t;
    *way = (wy_clock_steps){0};
    WY_TRY(check_time(sim, now, t, err));
    if (!(t > now)) return WITHY_OK;
    memcpy(sim->before, sim->state.base, sim->state.used);
    const withy_status status = find_way(sim, now, t, way, err);
    if (status != WITHY_OK) memcpy(sim->state.base, sim->before, sim->state.used);
    return status;
}

/* A step that fails in the middle leaves the rod where no clock points to: take it back. */
withy_status wy_sim_arrive(withy_sim *sim, double t, const wy_clock_steps *way, withy_status made,
                           withy_error *err) {
    wy_core *core = sim->core;
    const double now = core->equilibrium ? 0.0 : core->t;
    if (t > now) {
        if (made == WITHY_OK) {
            wy_clock_arrive(&core->clock, way, t);
            made = check_drift(sim, t, err);
        }
        if (made != WITHY_OK) {
            memcpy(sim->state.base, sim->before, sim->state.used);
            return made;
        }
        core->equilibrium = 0;
    }
    core->t = t;
    return WITHY_OK;
}

withy_status withy_sim_advance(withy_sim *sim, double t, withy_error *err) {
    WY_NEED(sim);
    wy_clock_steps way;
    withy_status made = WITHY_OK;
    WY_TRY(wy_sim_depart(sim, t, &way, err));
    if (way.span.to > way.span.from) made = sim->method->advance(sim->self, &way.span, err);
    return wy_sim_arrive(sim, t, &way, made, err);
}

const withy_snapshot *withy_sim_sample(withy_sim *sim, int rod) {
    if (!sim || rod < 0 || rod >= sim->problem.rod_count) return NULL;
    return wy_view_sample(sim, rod, &sim->rod[rod]) ? NULL : &sim->rod[rod].snap;
}

const withy_parts *withy_sim_parts(withy_sim *sim) {
    if (!sim || !wy_sim_has_parts(sim)) return NULL;
    return wy_parts_sample(sim) ? NULL : &sim->parts;
}

void withy_sim_interrupt(withy_sim *sim, int (*ask)(void *context, double t), void *context) {
    if (sim) sim->interrupt = (wy_interrupt){.ask = ask, .context = context};
}

int withy_interrupt_flag(void *context, double t) {
    (void)t;
    return context ? *(volatile int *)context : 0; /* set by another thread, or by a signal */
}

int withy_sim_at_rest(const withy_sim *sim) {
    return sim && sim->core->equilibrium;
}

double withy_sim_time(const withy_sim *sim) {
    return sim ? sim->core->t : 0.0;
}

double withy_sim_step(const withy_sim *sim) {
    return sim ? sim->core->clock.h : 0.0;
}

const char *withy_sim_method(const withy_sim *sim) {
    return sim ? sim->method->name : "";
}

withy_stats withy_sim_stats(const withy_sim *sim) {
    if (!sim) return (withy_stats){0};
    withy_stats stats = sim->core->stats;
    if (sim->method->energy) stats.energy_end = sim->method->energy(sim->self);
    stats.energy_bound = most_drift(sim);
    return stats;
}

const withy_notes *withy_sim_notes(const withy_sim *sim) {
    static const withy_notes none;
    return sim ? &sim->notes : &none;
}

int withy_sim_option(const withy_sim *sim, int index, char *name, char *value, size_t size) {
    if (!sim || index < 0 || !name || !value || size == 0) return 0;
    return wy_option_text(sim->method, sim->options, index, name, value, size);
}

void withy_sim_destroy(withy_sim *sim) {
    if (!sim) return;
    if (sim->self && sim->method->destroy) sim->method->destroy(sim->self);
    wy_gradient_free(sim->gradient);
    wy_arena arena = sim->arena;
    wy_arena_free(&arena);
    wy_free(sim);
}
