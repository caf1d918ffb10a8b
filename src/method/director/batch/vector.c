/* vector.c - a batch of rods on the processor: eight to a vector, by several threads (director/batch/chain_step.c). */
#include "base/thread_pool.h"
#include "method/director/batch/batch.h"

enum { LANES = WY_CHAIN_LANES };

typedef struct vector {
    wy_arena arena;
    const wy_chain *chain;
    int count, groups, threads;
    double *plan;   /* [planned][8] */
    double *state;  /* [groups][fields][8]: members, then shelves from a group of their own on */
    double *action; /* [groups][actions][8] */
    double *work;   /* [threads] */
    double *line;   /* [fields] */
    const wy_chain_steps *steps;
} vector;

/* Shelves begin in a group of their own. */
static double *number(const vector *v, int column, int field) {
    const int all = (v->count + LANES - 1) / LANES * LANES;
    const int at = column < v->count ? column : all + column - v->count;
    const size_t group = (size_t)(at / LANES), fields = (size_t)v->chain->fields;
    return &v->state[(group * fields + (size_t)field) * LANES + (size_t)(at % LANES)];
}

static void destroy(void *engine) {
    vector *v = engine;
    if (!v) return;
    wy_arena arena = v->arena;
    wy_arena_free(&arena);
    wy_free(v);
}

/* Vectors lie at multiples of their size. */
static double *take_vectors(wy_allocator *from, size_t count) {
    char *memory = wy_allocator_alloc(from, count * LANES + LANES, sizeof(double));
    const size_t wide = LANES * sizeof(double);
    return memory ? (double *)(memory + (wide - (uintptr_t)memory % wide) % wide) : NULL;
}

static withy_status make(vector *v, int shelves, withy_error *err) {
    const wy_chain *chain = v->chain;
    wy_allocator from = {.arena = &v->arena};
    const size_t groups = (size_t)v->groups, shelf = (size_t)(shelves + LANES - 1) / LANES;
    v->plan = take_vectors(&from, (size_t)chain->planned);
    v->state = take_vectors(&from, (groups + shelf) * (size_t)chain->fields);
    v->action = take_vectors(&from, groups * (size_t)chain->actions);
    v->work = take_vectors(&from, (size_t)v->threads * wy_chain_work(chain) / LANES);
    v->line = wy_allocator_alloc(&from, (size_t)chain->fields, sizeof *v->line);
    if (from.failed) return wy_no_memory(err, "director: no memory for %d rods", v->count);
    for (int f = 0; f < chain->planned; f++)
        for (int i = 0; i < LANES; i++) v->plan[f * LANES + i] = chain->plan[f];
    return WITHY_OK;
}

static withy_status create(const wy_chain *chain, wy_device *device, int count, int shelves,
                           int threads, void **engine, withy_error *err) {
    (void)device;
    vector *v = wy_alloc(1, sizeof *v);
    *engine = NULL;
    if (!v) return wy_no_memory(err, "director: no memory for a batch");
    v->chain = chain, v->count = count, v->groups = (count + LANES - 1) / LANES;
    v->threads = threads < 1 ? 1 : threads < v->groups ? threads : v->groups;
    WY_HAND_OVER(make(v, shelves, err), v, destroy, engine);
}

/* Every threads-th group: which thread makes a step changes nothing. */
static void run(void *context, int thread) {
    vector *v = context;
    const wy_chain *chain = v->chain;
    for (int g = thread; g < v->groups; g += v->threads) {
        const int left = v->count - g * LANES;
        const wy_chain_group group = {
            chain,
            v->plan,
            v->state + (size_t)g * (size_t)chain->fields * LANES,
            v->work + (size_t)thread * wy_chain_work(chain),
            v->action + (size_t)g * (size_t)chain->actions * LANES,
            left < LANES ? left : LANES,
        };
        wy_chain_group_step(&group, v->steps);
    }
}

static withy_status advance(void *engine, const wy_chain_steps *steps, withy_error *err) {
    vector *v = engine;
    (void)err;
    const int actions = v->chain->actions;
    for (int k = 0; k < actions; k++)
        for (int i = 0; i < v->count; i++)
            v->action[(i / LANES * actions + k) * LANES + i % LANES] =
                steps->action[(size_t)k * (size_t)v->count + (size_t)i];
    v->steps = steps;
    wy_threads_run(v->threads, v->threads, run, v);
    return WITHY_OK;
}

static withy_status take(void *engine, int column, double *out, withy_error *err) {
    const vector *v = engine;
    (void)err;
    for (int f = 0; f < v->chain->fields; f++) out[f] = *number(v, column, f);
    return WITHY_OK;
}

static withy_status put(void *engine, int column, const double *in, withy_error *err) {
    const vector *v = engine;
    (void)err;
    for (int f = 0; f < v->chain->fields; f++) *number(v, column, f) = in[f];
    return WITHY_OK;
}

static withy_status copy(void *engine, const int *to, const int *from, int count,
                         withy_error *err) {
    const vector *v = engine;
    for (int i = 0; i < count; i++) {
        take(engine, from[i], v->line, err);
        put(engine, to[i], v->line, err);
    }
    return WITHY_OK;
}

static withy_status gather(void *engine, const int *field, const double *zero, int count,
                           double *out, withy_error *err) {
    const vector *v = engine;
    (void)err;
    for (int i = 0; i < v->count; i++)
        for (int k = 0; k < count; k++) *out++ = *number(v, i, field[k]) - zero[k];
    return WITHY_OK;
}

static double seconds(const void *engine) {
    (void)engine;
    return 0;
}

const wy_chain_engine wy_chain_vector = {create, destroy, advance, copy,
                                         put,    take,    gather,  seconds};
