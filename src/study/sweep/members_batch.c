/* members_batch.c - many members of a sweep at once: read, stepped together by an engine (study/run/ensemble.h), reduced to rows. */
#include "base/thread_pool.h"
#include "study/sweep/sweep.h"

/* ---- many members, stepped together ------------------------------------------------------------------ */

enum { UNIT_VECTOR = 32, UNIT_DEVICE = 4096, UNIT_FILES = 256 };

/* A member of a batch. */
typedef struct mate {
    wy_member member;
    wy_series series;
    withy_report report;
} mate;

typedef struct crowd {
    wy_members *x;
    const int64_t *index;
    int count;
    wy_sweep_row *row;
    mate *mate;
    withy_status *status;
    withy_error *error;
} crowd;

static void read_mate(void *context, int i) {
    const crowd *c = context;
    wy_members *x = c->x;
    mate *m = &c->mate[i];
    m->series = (wy_series){.quantities = x->requested, .count = x->quantities};
    c->status[i] = wy_member_open(x, c->index[i], &m->member, &c->error[i]);
    if (c->status[i] != WITHY_OK) return;
    c->status[i] = wy_series_attach(&m->series, &m->member.study, &c->error[i]);
}

static void finish_mate(void *context, int i) {
    const crowd *c = context;
    mate *m = &c->mate[i];
    double *value = c->row[i].value;
    for (int k = 0; c->status[i] == WITHY_OK && k < c->x->quantities; k++)
        c->status[i] =
            wy_output_quantity_of_run(&m->series, k, &m->report, &value[k], &c->error[i]);
    if (c->status[i] == WITHY_OK) c->status[i] = wy_member_check(c->x, value, &c->error[i]);
    wy_sweep_fill(&c->row[i], c->status[i], &c->error[i]);
    wy_series_free(&m->series);
    wy_variant_free(m->member.variant);
}

/* Those that could be read. */
static withy_status run_mates(crowd *c, wy_arena *arena, withy_error *err) {
    const size_t count = (size_t)c->count;
    wy_allocator from = {.arena = arena};
    const wy_variant **variant = wy_allocator_alloc(&from, count, sizeof *variant);
    const withy_study **study = wy_allocator_alloc(&from, count, sizeof *study);
    withy_report **report = wy_allocator_alloc(&from, count, sizeof *report);
    withy_status *status = wy_allocator_alloc(&from, count, sizeof *status);
    withy_error *error = wy_allocator_alloc(&from, count, sizeof *error);
    int *which = wy_allocator_alloc(&from, count, sizeof *which), ready = 0;
    if (from.failed) return wy_no_memory(err, "no memory for %d members", c->count);
    for (int i = 0; i < c->count; i++) {
        if (c->status[i] != WITHY_OK) continue;
        variant[ready] = c->mate[i].member.variant, study[ready] = &c->mate[i].member.study;
        report[ready] = &c->mate[i].report, which[ready++] = i;
    }
    if (ready == 0) return WITHY_OK;
    WY_TRY(wy_variant_run_batch(variant, study, ready, &c->x->engine, !c->x->setup->results, report,
                                status, error, err));
    for (int k = 0; k < ready; k++) c->status[which[k]] = status[k], c->error[which[k]] = error[k];
    return WITHY_OK;
}

static void compute_many(void *context, const int64_t *index, int count, wy_sweep_row *row) {
    wy_arena arena = {0};
    wy_allocator from = {.arena = &arena};
    withy_error err = {0};
    crowd c = {.x = context, .index = index, .count = count, .row = row};
    c.mate = wy_allocator_alloc(&from, (size_t)count, sizeof *c.mate);
    c.status = wy_allocator_alloc(&from, (size_t)count, sizeof *c.status);
    c.error = wy_allocator_alloc(&from, (size_t)count, sizeof *c.error);
    withy_status status = from.failed ? WITHY_NO_MEMORY : WITHY_OK;
    if (from.failed) wy_fail(&err, status, "no memory for %d members", count);
    if (!from.failed) {
        const int threads = c.x->engine.threads;
        wy_threads_run(threads, count, read_mate, &c);
        status = run_mates(&c, &arena, &err);
        for (int i = 0; i < count && status != WITHY_OK; i++)
            if (c.status[i] == WITHY_OK) c.status[i] = status, c.error[i] = err;
        wy_threads_run(threads, count, finish_mate, &c);
    }
    for (int i = 0; i < count && from.failed; i++) wy_sweep_fill(&row[i], status, &err);
    wy_arena_free(&arena);
}

/* ---- the engine ---------------------------------------------------------------------------------------- */

/* "opencl:2" */
static withy_status read_engine(const char *text, withy_batch_options *how, withy_error *err) {
    static const struct {
        const char *name;
        withy_engine engine;
    } list[] = {{"vector", WITHY_ENGINE_VECTOR},
                {"opencl", WITHY_ENGINE_OPENCL},
                {"auto", WITHY_ENGINE_AUTO}};
    const size_t word = strcspn(text, ":");
    char *end;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        if (strlen(list[i].name) != word || strncmp(text, list[i].name, word) != 0) continue;
        how->engine = list[i].engine;
        if (!text[word]) return WITHY_OK;
        const long device = strtol(text + word + 1, &end, 10);
        if (end == text + word + 1 || *end || device < 0 || device > 1000) break;
        how->device = (int)device;
        if (how->engine == WITHY_ENGINE_OPENCL) return WITHY_OK;
    }
    return wy_bad_input(
        err, "--engine %.60s: must be threads, vector, opencl, opencl:N (device N, from 0) or auto",
        text);
}

/* Why members cannot be stepped together; NULL: they can. */
static const char *hindrance(const withy_sweep_setup *setup, const char *method) {
    if (setup->kind != WITHY_SWEEP_RUN) return "this is a sweep of equilibria or modes";
    return wy_engine_has(method) ? NULL : "the method of this sweep is another";
}

withy_status wy_members_engine(wy_members *x, const wy_variant *v, withy_error *err) {
    const char *text = x->setup->engine;
    const char *why = hindrance(x->setup, v->study.method);
    withy_batch_options how = withy_batch_default();
    if (text && strcmp(text, "threads") == 0) return WITHY_OK;
    how.engine = WITHY_ENGINE_VECTOR;
    if (text) WY_TRY(read_engine(text, &how, err));
    if (why && text && how.engine != WITHY_ENGINE_AUTO)
        return wy_bad_input(err,
                            "--engine %.60s: steps motions under method fdtd together, and %s; use "
                            "--method fdtd, or leave --engine out",
                            text, why);
    if (why) return WITHY_OK;
    how.threads = x->setup->threads;
    WY_TRY(wy_engine_open(&how, &x->engine, err));
    if (!x->engine.device) x->engine.threads = 1; /* threads take batches */
    wy_engine_text(&x->engine, x->maker, sizeof x->maker);
    x->batched = 1;
    return WITHY_OK;
}

void wy_members_use(wy_members *x, wy_sweep *sweep) {
    if (!x->batched) return;
    sweep->members = compute_many;
    sweep->unit = !x->engine.device ? UNIT_VECTOR : x->setup->results ? UNIT_FILES : UNIT_DEVICE;
    sweep->apart = x->engine.device != NULL;
}
