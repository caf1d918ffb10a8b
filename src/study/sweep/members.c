/* members.c - members of a sweep: a problem of other values, solved, and the numbers that were asked for.
 *
 * A request is NAME[.COMPONENT][:HOW]; each name gives a series over time, load factor or mode, HOW reduces it.
 */
#include "study/sweep/sweep.h"

#include "model/model.h"

/* ---- one member ------------------------------------------------------------------------------------- */

static int ask(void *context, double t, double stop, int64_t step) {
    wy_members *x = context;
    (void)t, (void)stop, (void)step;
    return wy_sweep_ask(x->sweep, x->report, &x->due);
}

/* The problem with the values of a member. */
static withy_status make(const wy_members *x, int64_t index, wy_variant **out, withy_error *err) {
    char over[WY_PLAN_AXES][WY_PLAN_PATH + 32];
    const char *set[WY_PLAN_AXES];
    double value[WY_PLAN_AXES];
    wy_sweep_plan_at(x->plan, index, value);
    for (int i = 0; i < x->plan->axes; i++) {
        snprintf(over[i], sizeof over[i], "%s=%.17g", x->plan->axis[i].path, value[i]);
        set[i] = over[i];
    }
    return wy_variant_make(x->source, set, x->plan->axes, out, err);
}

withy_status wy_member_open(wy_members *x, int64_t index, wy_member *m, withy_error *err) {
    m->variant = index == x->first ? atomic_exchange(&x->variant, NULL) : NULL;
    if (!m->variant) WY_TRY(make(x, index, &m->variant, err));
    m->study = m->variant->study;
    m->study.progress = ask, m->study.context = x;
    if (!x->setup->results) return WITHY_OK;
    snprintf(m->path, sizeof m->path, "%.4000s/%06lld.h5", x->setup->results, (long long)index);
    m->output = m->path, m->study.output = &m->output, m->study.output_count = 1;
    return WITHY_OK;
}

withy_status wy_member_check(const wy_members *x, const double *value, withy_error *err) {
    for (int i = 0; i < x->quantities; i++)
        if (!isfinite(value[i]))
            return wy_no_convergence(err, "%s is not finite", x->requested[i].text);
    return WITHY_OK;
}

static withy_status compute(void *context, int64_t index, double *value, withy_error *err) {
    wy_members *c = context;
    wy_member m;
    const int modes = c->setup->modes > 0 ? c->setup->modes : WITHY_UP_TO + 6;
    WY_TRY(wy_member_open(c, index, &m, err));
    const withy_status status = wy_variant_quantities(m.variant, &m.study, c->setup->kind, modes,
                                                      c->requested, c->quantities, value, err);
    wy_variant_free(m.variant);
    return status == WITHY_OK ? wy_member_check(c, value, err) : status;
}

/* ---- the plan --------------------------------------------------------------------------------------- */

static const char *parameter_at(const void *context, int index) {
    const withy_study *study = context;
    return index < study->parameter_count ? study->parameter[index].name : NULL;
}

/* The parameter that an axis varies; NULL: another key, or none. */
static const withy_parameter *parameter_of(const withy_study *study, const wy_axis *axis) {
    for (int i = 0; i < study->parameter_count; i++)
        if (strncmp(axis->path, "params.", 7) == 0 &&
            strcmp(study->parameter[i].name, axis->path + 7) == 0)
            return &study->parameter[i];
    return NULL;
}

/* A parameter that is not there, or a range beyond its own, is a mistake of all members. */
static withy_status check_axis(const wy_axis *axis, const withy_study *study, withy_error *err) {
    char advice[WITHY_NAME + 32];
    if (strncmp(axis->path, "params.", 7) != 0 || parameter_of(study, axis)) return WITHY_OK;
    const char *name = axis->path + 7;
    return wy_bad_input(
        err, "--over %s: %.200s has no parameter \"%.60s\"%s", axis->path, study->name, name,
        wy_did_you_mean(wy_suggest(name, parameter_at, study), advice, sizeof advice));
}

/* Of several ranks one that stops while it reads would leave the others waiting. */
static int is_to_stop(const wy_members *x) {
    const withy_sweep_setup *setup = x->setup;
    return x->alone && setup->progress && setup->progress(setup->context, 0, 0, x->plan->count);
}

/* A sweep of which no member can be read, as by a key that is not there, is refused before a file is touched; usually
 * the first is read.  Of very many the rows tell. */
static withy_status check_members(wy_members *x, withy_error *err) {
    enum { TRIED = 1000 };
    const wy_sweep_plan *plan = x->plan;
    if (plan->count == 0 || plan->count > TRIED) return WITHY_OK;
    withy_error first = {0};
    for (int64_t k = 0; k < plan->count; k++) {
        withy_error own = {0};
        wy_variant *v;
        const withy_status status = make(x, k, &v, &own);
        if (status == WITHY_OK) x->first = k, x->variant = v;
        if (status != WITHY_BAD_INPUT) return WITHY_OK; /* what else fails, fails in its row */
        if (k == 0) first = own;
        if (is_to_stop(x))
            return wy_fail(err, WITHY_INTERRUPTED, "stopped on request before the first member");
    }
    return wy_bad_input(err, "every member of the sweep is refused; the first: %.900s", first.text);
}

static withy_status choose_quantities(wy_members *x, const withy_problem *problem,
                                      withy_error *err) {
    const withy_sweep_setup *setup = x->setup;
    if (setup->requested_count > WY_SWEEP_QUANTITIES)
        return wy_bad_input(err, "%d numbers are requested (--want), at most %d are possible",
                            setup->requested_count, WY_SWEEP_QUANTITIES);
    withy_error why;
    for (int i = 0; i < setup->requested_count; i++)
        if (wy_output_quantity_read(&x->requested[i], setup->requested[i], setup->kind, problem,
                                    &why) != WITHY_OK)
            return wy_bad_input(err, "--want %s", why.text);
    x->quantities = setup->requested_count;
    if (x->quantities == 0)
        x->quantities = wy_output_quantity_usual(x->requested, setup->kind, problem,
                                                 setup->modes > 0 ? setup->modes : 6);
    for (int i = 0; i < x->quantities; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(x->requested[i].text, x->requested[k].text) == 0)
                return wy_bad_input(err, "--want %s: is given twice; keep one",
                                    x->requested[i].text);
    return WITHY_OK;
}

/* All that decides what the rows are, a line each: the text of the scene, and what it reads besides (table "...", meshes),
 * whose numbers are in its problem. */
static char *describe(const wy_members *x, const char *kind, const withy_study *study,
                      wy_arena *arena) {
    const withy_sweep_setup *setup = x->setup;
    const int source = (int)study->source; /* without what it was read with */
    const char *table = strstr(study->text, "\n-- table \"");
    if (!table) table = "";
    size_t size = (size_t)source + strlen(table) + 1024, used = 0;
    for (int i = 0; i < setup->set_count; i++) size += strlen(setup->set[i]) + 16;
    for (int i = 0; i < setup->over_count; i++) size += strlen(setup->over[i]) + 16;
    for (int i = 0; i < x->quantities; i++) size += 2 * WY_SWEEP_NAME + 64;
    for (int i = 0; i < x->plan->axes; i++) size += WY_SWEEP_NAME + 64;
    char *plan = wy_arena_alloc(arena, size, 1);
    if (!plan) return NULL;
#define ADD(...) used += (size_t)snprintf(plan + used, size - used, __VA_ARGS__)
    ADD("withy %s %s", withy_version(), kind);
    if (setup->kind == WITHY_SWEEP_MODES) ADD(" %d", setup->modes > 0 ? setup->modes : 6);
    ADD("\nmethod %s\nsample %s\n", setup->method ? setup->method : "of the scene",
        setup->sample ? setup->sample : "grid");
    if (x->batched) ADD("engine %s\n", x->maker);
    for (int i = 0; i < setup->over_count; i++) ADD("over %s\n", setup->over[i]);
    for (int i = 0; i < setup->set_count; i++) ADD("set %s\n", setup->set[i]);
    for (int i = 0; i < x->quantities; i++) ADD("want %s\n", x->requested[i].text);
    for (int i = 0; i < x->plan->axes; i++) {
        const withy_parameter *p = parameter_of(study, &x->plan->axis[i]);
        ADD("unit %.40s %s\n", p ? p->unit : "", x->plan->axis[i].path);
    }
    for (int i = 0; i < x->quantities; i++)
        ADD("unit %.40s %s\n", x->requested[i].unit, x->requested[i].text);
    ADD("scene\n%.*s%s", source, study->text, table);
    ADD("\n-- with its tables and meshes: %016llx",
        (unsigned long long)wy_problem_digest(study->problem));
#undef ADD
    return plan;
}

static withy_status make_head(wy_members *x, const withy_study *study, wy_sweep *sweep,
                              wy_arena *arena, withy_error *err) {
    static const char *const kind[] = {"run", "static", "modes"};
    const wy_sweep_plan *plan = x->plan;
    const size_t count = (size_t)plan->count;
    char(*path)[WY_SWEEP_NAME] = wy_arena_alloc(arena, WY_PLAN_AXES, sizeof *path);
    char(*requested)[WY_SWEEP_NAME] = wy_arena_alloc(arena, WY_SWEEP_QUANTITIES, sizeof *requested);
    double *over = wy_arena_alloc(arena, count * (size_t)plan->axes, sizeof *over);
    char *text = describe(x, kind[x->setup->kind], study, arena);
    char *title = wy_arena_text(arena, study->problem->title);
    if (!path || !requested || !over || !text || !title)
        return wy_no_memory(err, "no memory for %lld members", (long long)plan->count);
    for (int i = 0; i < plan->axes; i++) memcpy(path[i], plan->axis[i].path, sizeof *path);
    for (int i = 0; i < x->quantities; i++)
        memcpy(requested[i], x->requested[i].text, sizeof *requested);
    for (size_t k = 0; k < count; k++) {
        double value[WY_PLAN_AXES];
        wy_sweep_plan_at(plan, (int64_t)k, value);
        for (int i = 0; i < plan->axes; i++) over[(size_t)i * count + k] = value[i];
    }
    sweep->head = (wy_sweep_head){.title = title,
                                  .scene_name = x->setup->scene,
                                  .kind = kind[x->setup->kind],
                                  .plan = text,
                                  .grid = !plan->sampled,
                                  .count = plan->count,
                                  .axes = plan->axes,
                                  .quantities = x->quantities,
                                  .path = (const char(*)[WY_SWEEP_NAME])path,
                                  .over = over,
                                  .requested = (const char(*)[WY_SWEEP_NAME])requested};
    return WITHY_OK;
}

static withy_status check_setup(const withy_sweep_setup *setup, withy_error *err) {
    const size_t length = setup->output ? strlen(setup->output) : 0;
    if (length < 4 || strcmp(setup->output + length - 3, ".h5") != 0)
        return wy_bad_input(err, "a sweep is written to an .h5 file; give -o FILE.h5");
    if (!setup->scene || setup->set_count < 0 || setup->set_count > 200 ||
        setup->requested_count < 0 || setup->kind < WITHY_SWEEP_RUN ||
        setup->kind > WITHY_SWEEP_MODES)
        return wy_bad_input(err, "withy_sweep: scene, kind or counts are not valid");
    return WITHY_OK;
}

static withy_status prepare(wy_members *x, wy_sweep_plan *plan, wy_sweep *sweep, wy_arena *arena,
                            withy_error *err) {
    const withy_sweep_setup *setup = x->setup;
    wy_variant *v;
    WY_TRY(check_setup(setup, err));
    WY_TRY(wy_sweep_plan_make(plan, setup->over, setup->over_count, setup->sample, arena, err));
    WY_TRY(wy_variant_make(x->source, NULL, 0, &v, err));
    withy_status status = WITHY_OK;
    for (int i = 0; i < plan->axes && status == WITHY_OK; i++)
        status = check_axis(&plan->axis[i], &v->study, err);
    if (status == WITHY_OK) status = check_members(x, err);
    if (status == WITHY_OK) status = choose_quantities(x, v->study.problem, err);
    if (status == WITHY_OK) status = wy_members_engine(x, v, err);
    if (status == WITHY_OK) status = make_head(x, &v->study, sweep, arena, err);
    wy_variant_free(v);
    return status;
}

static withy_status sweep_with(wy_members *x, wy_sweep_plan *plan, const wy_mpi *ranks,
                               wy_arena *arena, withy_sweep_report *report, withy_error *err) {
    const withy_sweep_setup *setup = x->setup;
    wy_sweep sweep = {.plan = plan,
                      .output = setup->output,
                      .results = setup->results,
                      .resume = setup->resume,
                      .threads = setup->threads,
                      .stop = &x->stop,
                      .busy = &x->busy,
                      .member = compute,
                      .context = x,
                      .progress = setup->progress,
                      .progress_context = setup->context};
    WY_TRY(prepare(x, plan, &sweep, arena, err));
    wy_members_use(x, &sweep);
    x->sweep = &sweep, x->report = report;
    const withy_status status = wy_sweep_run(&sweep, ranks, report, err);
    snprintf(report->engine, sizeof report->engine, "%s", x->maker);
    return status;
}

withy_status wy_sweep_of_variants(const withy_sweep_setup *setup, const wy_variant_source *source,
                                  withy_sweep_report *report, withy_error *err) {
    WY_NEED(setup, report);
    wy_arena arena = {0};
    wy_mpi ranks;
    *report = (withy_sweep_report){.first = -1, .ranks = 1};
    WY_TRY(wy_mpi_start(&ranks, err));
    report->rank = ranks.rank, report->ranks = ranks.count;
    wy_members *x = wy_arena_alloc(&arena, 1, sizeof *x);
    wy_sweep_plan *plan = wy_arena_alloc(&arena, 1, sizeof *plan);
    withy_status status = WITHY_NO_MEMORY;
    if (x && plan) {
        x->setup = setup, x->source = source, x->plan = plan;
        x->alone = ranks.count == 1, x->first = -1;
        atomic_flag_clear(&x->busy);
        status = sweep_with(x, plan, &ranks, &arena, report, err);
        wy_engine_close(&x->engine);
        wy_variant_free(x->variant);
    } else {
        wy_fail(err, status, "no memory for a sweep");
    }
    wy_mpi_end(&ranks);
    wy_arena_free(&arena);
    return status;
}
