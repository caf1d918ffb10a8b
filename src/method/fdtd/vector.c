/* vector.c - rods of many simulations eight to a vector: the kernels of fdtd/kernel.c on borrowed groups.
 *
 * Rods of one kind, whose numbers and steps may differ, are copied into the lanes of a group, stepped, and
 * copied back, each when its own steps are made.  Lanes do not depend on each other and every rod takes the
 * kernel of its own kind, so that a result does not depend on the company it was computed in.  Rods whose
 * loads or ends change from step to step are left to their simulation: functions belong to its problem.
 */
#include <stdatomic.h>

#include "base/thread_pool.h"
#include "method/fdtd/batch.h"

/* A rod that is packed. */
typedef struct rider {
    int seat, kind;
    double h;
} rider;

typedef struct wy_fdtd_vector {
    rider *rider; /* [count] by kind, then by step */
    int count;
    int *first; /* [packs + 1] riders of each pack */
    int packs;
    int kinds;
    int *model;           /* [kinds] a seat of the kind */
    wy_fdtd_group *group; /* [threads][kinds] */
    int *alone;           /* [members] 1: left to the simulation */
} wy_fdtd_vector;

static int may_ride(const wy_fdtd *x) {
    if (x->literal || x->joints || wy_fdtd_has_contacts(x->problem)) return 0;
    for (int i = 0; i < x->group_count; i++)
        if (wy_fdtd_is_live(&x->group[i]) || x->group[i].spot_count > 0) return 0;
    return 1;
}

static int is_same(const wy_fdtd_seat *a, const wy_fdtd_seat *b) {
    return a->x->opt.n == b->x->opt.n && a->x->op.order == b->x->op.order &&
           wy_fdtd_same_kind(a->g, b->g);
}

static int kind_of(const wy_fdtd_batch_data *b, wy_fdtd_vector *v, int seat) {
    for (int k = 0; k < v->kinds; k++)
        if (is_same(&b->seat[seat], &b->seat[v->model[k]])) return k;
    v->model[v->kinds] = seat;
    return v->kinds++;
}

static int compare(const void *a, const void *b) {
    const rider *x = a, *y = b;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->h != y->h) return x->h < y->h ? -1 : 1;
    return x->seat < y->seat ? -1 : 1;
}

static void list_riders(const wy_fdtd_batch_data *b, wy_fdtd_vector *v) {
    for (int i = 0; i < b->members; i++) v->alone[i] = !may_ride(b->member[i].self);
    for (int i = 0; i < b->count; i++)
        if (!v->alone[b->seat[i].member])
            v->rider[v->count++] = (rider){i, kind_of(b, v, i), b->seat[i].x->now->h};
    qsort(v->rider, (size_t)v->count, sizeof *v->rider, compare);
    for (int i = 0; i < v->count; v->packs++) {
        const int start = i;
        v->first[v->packs] = start;
        while (i < v->count && i < start + WY_FDTD_LANES &&
               v->rider[i].kind == v->rider[start].kind)
            i++;
        v->first[v->packs + 1] = i;
    }
}

withy_status wy_fdtd_vector_make(wy_fdtd_batch_data *b, withy_error *err) {
    const size_t count = (size_t)b->count + 1;
    wy_allocator from = {&b->arena, 0};
    wy_fdtd_vector *v = wy_arena_alloc(&b->arena, 1, sizeof *v);
    if (!v) return wy_no_memory(err, "fdtd: no memory for a batch");
    v->rider = wy_allocator_alloc(&from, count, sizeof *v->rider);
    v->first = wy_allocator_alloc(&from, count + 1, sizeof *v->first);
    v->model = wy_allocator_alloc(&from, count, sizeof *v->model);
    v->alone = wy_allocator_alloc(&from, (size_t)b->members, sizeof *v->alone);
    if (from.failed) return wy_no_memory(err, "fdtd: no memory for %d rods", b->count);
    b->vector = v;
    list_riders(b, v);
    v->group = wy_arena_alloc(&b->arena, (size_t)(b->threads * v->kinds + 1), sizeof *v->group);
    if (!v->group) return wy_no_memory(err, "fdtd: no memory for a batch");
    for (int i = 0; i < b->threads * v->kinds; i++)
        WY_TRY(
            wy_fdtd_group_borrow(&v->group[i], b->seat[v->model[i % v->kinds]].g, &b->arena, err));
    return WITHY_OK;
}

/* ---- advance --------------------------------------------------------------------------------- */

typedef struct job {
    wy_fdtd_batch_data *b;
    wy_batch_task *task;
    atomic_int *stop; /* set: all are to end */
} job;

static int64_t steps_of(const job *j, const rider *r) {
    const wy_batch_task *task = &j->task[j->b->seat[r->seat].member];
    return task->status == WITHY_OK ? task->span.to - task->span.from : 0;
}

/* Places of a rod after `step` steps, where that is a record. */
static void record(const wy_fdtd_batch_data *b, const wy_batch_task *task, const wy_fdtd_seat *seat,
                   const wy_fdtd_group *g, int lane, int64_t step) {
    const wy_batch_member *member = &b->member[seat->member];
    const int rod = seat->g->rod[seat->lane];
    if (member->place_count == 0 || !task->record || step < task->due) return;
    if ((step - task->due) % member->period != 0) return;
    double *to = task->record + 3 * (step - task->due) / member->period * member->place_count;
    for (int k = 0; k < member->place_count; k++, to += 3) {
        double weight[WY_FDTD_STENCIL];
        if (member->place[k].rod != rod) continue;
        const int first = wy_fdtd_place_weights(seat->x, rod, member->place[k].s, weight);
        vec3 sum = v3(0, 0, 0);
        for (int i = 0; i < WY_FDTD_STENCIL && first + i <= g->n; i++)
            sum = v3_axpy(sum, weight[i], wy_fdtd_at3(g->now.r, (first + i) * g->lanes + lane));
        v3_to(sum, to);
    }
}

/* The next step after k at which a simulation is recorded or has made all its steps. */
static int64_t next_stop(const wy_batch_member *member, const wy_batch_task *task, int64_t steps,
                         int64_t k) {
    if (k >= steps) return INT64_MAX;
    if (member->place_count == 0 || !task->record) return steps;
    const int64_t due = task->due, period = member->period;
    const int64_t next = k < due ? due : due + ((k - due) / period + 1) * period;
    return next < steps ? next : steps;
}

static int64_t next_of_pack(const job *j, const rider *r, int count, int64_t k) {
    int64_t next = INT64_MAX;
    for (int lane = 0; lane < count; lane++) {
        const int member = j->b->seat[r[lane].seat].member;
        const int64_t own =
            next_stop(&j->b->member[member], &j->task[member], steps_of(j, &r[lane]), k);
        if (own < next) next = own;
    }
    return next;
}

static void load_pack(const job *j, wy_fdtd_group *g, const rider *r, int count) {
    for (int lane = 0; lane < WY_FDTD_LANES; lane++) { /* idle lanes repeat the last rod */
        const wy_fdtd_seat *seat = &j->b->seat[r[lane < count ? lane : count - 1].seat];
        wy_fdtd_group_take_lane(g, lane, seat->g, seat->lane);
    }
}

/* Is it to stop?  Every pack asks through one of its simulations. */
static int is_to_stop(const job *j, const rider *r, int64_t k) {
    enum { OFTEN = 64 };
    withy_error unused;
    const wy_fdtd_seat *seat = &j->b->seat[r->seat];
    const wy_span *span = &j->task[seat->member].span;
    if (k % OFTEN == 0 &&
        wy_interrupt_check(seat->x->setup->interrupt, wy_span_time(span, span->from + k),
                           &unused) != WITHY_OK)
        *j->stop = 1;
    return *j->stop;
}

/* The steps of one pack. */
static void run_pack(const job *j, wy_fdtd_group *g, const rider *r, int count) {
    int64_t k = 0, stop;
    load_pack(j, g, r, count);
    while (!*j->stop && (stop = next_of_pack(j, r, count, k)) < INT64_MAX) {
        for (; k < stop; k++) {
            if (is_to_stop(j, r, k)) break;
            if (g->drags) wy_fdtd_square_drag(g);
            wy_fdtd_step(g);
        }
        for (int lane = 0; lane < count && !*j->stop; lane++) {
            const wy_fdtd_seat *seat = &j->b->seat[r[lane].seat];
            if (k > steps_of(j, &r[lane])) continue;
            record(j->b, &j->task[seat->member], seat, g, lane, k);
            if (k == steps_of(j, &r[lane])) wy_fdtd_group_give_lane(g, lane, seat->g, seat->lane);
        }
    }
    if (g->viscous && k % 2) wy_fdtd_swap_strains(g); /* the arrays are at home again */
}

/* Every thread has its own groups and takes packs in turns. */
static void run_share(void *context, int thread) {
    const job *j = context;
    const wy_fdtd_vector *v = j->b->vector;
    for (int i = thread; i < v->packs; i += j->b->threads) {
        const rider *r = &v->rider[v->first[i]];
        run_pack(j, &v->group[thread * v->kinds + r->kind], r, v->first[i + 1] - v->first[i]);
    }
}

/* A simulation that is not packed: its own steps, from record to record. */
withy_status wy_fdtd_vector_run_alone(const wy_fdtd_batch_data *b, int member, wy_batch_task *task,
                                      withy_error *err) {
    const int64_t steps = task->span.to - task->span.from;
    for (int64_t k = 0, stop; k < steps; k = stop) {
        stop = next_stop(&b->member[member], task, steps, k);
        wy_span part = task->span;
        part.from = task->span.from + k, part.to = task->span.from + stop;
        WY_TRY(wy_method_fdtd.advance(b->member[member].self, &part, err));
        for (int i = 0; i < b->count; i++)
            if (b->seat[i].member == member)
                record(b, task, &b->seat[i], b->seat[i].g, b->seat[i].lane, stop);
    }
    return WITHY_OK;
}

int wy_fdtd_vector_is_alone(const wy_fdtd_batch_data *b, int member) {
    return b->vector->alone[member];
}

withy_status wy_fdtd_vector_advance(wy_fdtd_batch_data *b, wy_batch_task *task, withy_error *err) {
    atomic_int stop = 0;
    job j = {b, task, &stop};
    wy_threads_run(b->threads, b->threads, run_share, &j);
    return stop ? wy_fail(err, WITHY_INTERRUPTED, "stopped on request") : WITHY_OK;
}
