/* batch.c - many simulations of fdtd at once: which may be together, and the interface of the method. */
#include "method/fdtd/batch.h"
#include "base/thread_pool.h"

static withy_status accept(const void *self, const wy_device *device, withy_error *err) {
    const wy_fdtd *x = self;
    if (!device) return WITHY_OK; /* what is not packed is stepped alone */
    const char *special = wy_fdtd_special(x);
    if (special)
        return wy_unsupported(
            err, "fdtd: %s %s not stepped on a device; use %s", special, x->literal ? "is" : "are",
            x->literal ? "options.scheme = \"staggered\", or another engine" : "another engine");
    for (int i = 0; i < x->group_count; i++)
        if (x->group[i].spot_count > 0)
            return wy_unsupported(
                err, "fdtd: loads" WY_KEY
                     " that depend on the state are not stepped on a device; use another engine");
    return wy_fdtd_device_accept(x, device, err);
}

/* Numbers may differ, the grid may not. */
static int alike(const void *self, const void *other) {
    const wy_fdtd *a = self, *b = other;
    return a->opt.n == b->opt.n && a->op.order == b->op.order;
}

static int rods_of(const wy_batch_member *member, int count) {
    int rods = 0;
    for (int i = 0; i < count; i++) rods += ((const wy_fdtd *)member[i].self)->problem->rod_count;
    return rods;
}

static void seat_all(wy_fdtd_batch_data *b) {
    for (int i = 0; i < b->members; i++) {
        wy_fdtd *x = b->member[i].self;
        for (int rod = 0; rod < x->problem->rod_count; rod++)
            b->seat[b->count++] =
                (wy_fdtd_seat){x, &x->group[x->group_of[rod]], x->lane_of[rod], i};
    }
}

static void destroy(void *batch) {
    wy_fdtd_batch_data *b = batch;
    if (!b) return;
    wy_fdtd_device_free(b->device);
    wy_arena arena = b->arena;
    wy_arena_free(&arena);
    wy_free(b);
}

static withy_status make(wy_fdtd_batch_data *b, wy_device *device, const wy_batch_member *member,
                         int count, withy_error *err) {
    const size_t rods = (size_t)rods_of(member, count);
    wy_batch_member *copy = wy_arena_alloc(&b->arena, (size_t)count, sizeof *copy);
    b->seat = wy_arena_alloc(&b->arena, rods, sizeof *b->seat);
    if (!copy || !b->seat)
        return wy_no_memory(err, "fdtd: no memory for a batch of %zu rods", rods);
    memcpy(copy, member, (size_t)count * sizeof *copy);
    b->member = copy, b->members = count;
    for (int i = 0; i < count; i++) wy_fdtd_ready(copy[i].self);
    seat_all(b);
    return device ? wy_fdtd_device_make(b, device, err) : wy_fdtd_vector_make(b, err);
}

static withy_status create(wy_device *device, const wy_batch_member *member, int count, int threads,
                           void **batch, withy_error *err) {
    wy_fdtd_batch_data *b = wy_alloc(1, sizeof *b);
    *batch = NULL;
    if (!b) return wy_no_memory(err, "fdtd: no memory for a batch");
    b->threads = threads;
    WY_HAND_OVER(make(b, device, member, count, err), b, destroy, batch);
}

/* ---- advance --------------------------------------------------------------------------------- */

typedef struct job {
    wy_fdtd_batch_data *b;
    wy_batch_task *task;
} job;

static void open_one(void *context, int i) {
    const job *j = context;
    wy_batch_task *task = &j->task[i];
    if (task->status != WITHY_OK) return;
    task->status = j->b->vector && wy_fdtd_vector_is_alone(j->b, i)
                       ? wy_fdtd_vector_run_alone(j->b, i, task, &task->error)
                       : wy_fdtd_open_span(j->b->member[i].self, &task->span, &task->error);
}

static void close_one(void *context, int i) {
    const job *j = context;
    wy_batch_task *task = &j->task[i];
    if (task->status != WITHY_OK || (j->b->vector && wy_fdtd_vector_is_alone(j->b, i))) return;
    task->status = wy_fdtd_close_span(j->b->member[i].self, &task->span, &task->error);
}

/* Functions of a scene are called by one thread. */
static int threads_of(const wy_fdtd_batch_data *b) {
    for (int i = 0; i < b->count; i++)
        if (wy_fdtd_is_live(b->seat[i].g)) return 1;
    return b->threads;
}

static withy_status advance(void *batch, wy_batch_task *task, withy_error *err) {
    wy_fdtd_batch_data *b = batch;
    job j = {b, task};
    const int threads = threads_of(b);
    wy_threads_run(threads, b->members, open_one, &j);
    if (b->device) WY_TRY(wy_fdtd_device_advance(b, task, err));
    if (b->vector) WY_TRY(wy_fdtd_vector_advance(b, task, err));
    wy_threads_run(threads, b->members, close_one, &j);
    return WITHY_OK;
}

static double seconds(const void *batch) {
    const wy_fdtd_batch_data *b = batch;
    return b->device ? wy_fdtd_device_seconds(b->device) : 0.0;
}

const wy_batch wy_fdtd_batch = {accept, alike, create, advance, seconds, destroy};
