/* device.c - rods of many simulations on a device: from their groups to buffers, launches, and back.
 *
 * State and coefficients of a rod are laid out as device_shared.h says, one rod after the other, the nodes
 * of an array side by side, so that neighbouring work-items read neighbouring numbers.  A call writes the
 * state to the device, launches the kernel for as many steps at a time as signals and records have room
 * for, and reads the state back.
 */
#include "base/thread_pool.h"
#include "method/fdtd/batch.h"
#include "method/fdtd/device_shared.h"

/* Steps of a launch, and numbers of signals and of records in one. */
enum { MOST_STEPS = 16384, MOST_STREAM = 1 << 25, MOST_RECORD = 1 << 25 };
/* Work-items of a rod: more need more registers than a multiprocessor has. */
enum { MOST_WIDTH = 256, FEW = 32 };

/* A buffer and its copy on the host. */
typedef struct twin {
    void *host;
    size_t bytes;
    wy_buffer *there;
} twin;

enum { PLAN, OWN, COEF, STATE, STREAM, PATTERN, ROWS, PLACES, RECORD, TWINS };

typedef struct wy_fdtd_device {
    wy_device *device;
    wy_kernel *kernel;
    int n, reach, rich, viscous, drags, live, places;
    int width, items, rods; /* of the kernel */
    int chunk;              /* steps of a launch, at most */
    int state_size;         /* arrays of the state of a rod */
    twin twin[TWINS];
    wy_fdtd_signals *signals; /* [count] */
    double *h, *regular;      /* [count] for which the coefficients there were made */
    withy_error *error;       /* [members] */
    double seconds;
} wy_fdtd_device;

/* ---- what can be done ------------------------------------------------------------------------ */

/* Local numbers of a rod: those that a work-group exchanges. */
static size_t local_bytes(int order, int n) {
    return (order == 2 ? 13 : 18) * (size_t)(n + 1) * sizeof(double);
}

withy_status wy_fdtd_device_accept(const wy_fdtd *x, const wy_device *device, withy_error *err) {
    const size_t room = wy_on_device.local_memory(device),
                 need = local_bytes(x->op.order, x->opt.n);
    if (need > room)
        return wy_unsupported(err,
                              "fdtd: options.n" WY_KEY
                              " = %d at order %d needs %zu bytes of the local memory of %s, which "
                              "has %zu; use a smaller options.n, or another engine",
                              x->opt.n, x->op.order, need, wy_on_device.text(device), room);
    for (int i = 0; i < x->group_count; i++)
        for (int lane = 0; lane < x->group[i].used; lane++)
            WY_TRY(wy_fdtd_signals_accept(&x->group[i], lane, err));
    return WITHY_OK;
}

/* ---- the kernel ------------------------------------------------------------------------------ */

static void choose_shape(const wy_fdtd_batch_data *b, wy_fdtd_device *d) {
    const wy_fdtd *x = b->seat[0].x;
    d->n = x->opt.n, d->reach = x->op.reach;
    d->rich = d->reach > 1;
    for (int i = 0; i < b->count; i++) {
        const wy_fdtd_group *g = b->seat[i].g;
        d->rich |= g->rich, d->viscous |= g->viscous, d->drags |= g->drags;
        d->live |= wy_fdtd_is_live(g);
    }
    d->rich |= d->live;
    const int most = (int)wy_min(MOST_WIDTH, (double)wy_on_device.most_items(d->device));
    d->width = d->n < most ? d->n : most;
    while (d->width > 2 && d->width < d->n && (d->n - 1) % d->width == 0) d->width--;
    d->items = (d->n + d->width - 1) / d->width;
    d->rods = d->width < FEW ? FEW / d->width : 1;
    d->state_size = d->viscous ? STATE_VISCOUS : STATE_PLAIN;
    d->places = 1;
    for (int i = 0; i < b->members; i++)
        if (b->member[i].place_count > d->places) d->places = b->member[i].place_count;
}

static withy_status build_kernel(wy_fdtd_device *d, withy_error *err) {
    char options[512];
    snprintf(options, sizeof options,
             "-cl-std=CL1.2 -w -cl-mad-enable -DN=%d -DREACH=%d -DWIDTH=%d -DITEMS=%d -DRODS=%d "
             "-DRICH=%d -DVISCOUS=%d -DDRAGS=%d -DLIVE=%d -DPLACES=%d",
             d->n, d->reach, d->width, d->items, d->rods, d->rich, d->viscous, d->drags, d->live,
             d->places);
    return wy_on_device.kernel_make(d->device, wy_fdtd_device_source, options, "advance",
                                    &d->kernel, err);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Places of a rod among those of its simulation: all that lie on it. */
static int places_of(const wy_fdtd_batch_data *b, int i) {
    const wy_fdtd_seat *seat = &b->seat[i];
    const wy_batch_member *member = &b->member[seat->member];
    const int rod = seat->g->rod[seat->lane];
    int count = 0;
    for (int k = 0; k < member->place_count; k++) count += member->place[k].rod == rod;
    return count;
}

static int64_t period_of(const wy_fdtd_batch_data *b, int i) {
    const int64_t period = b->member[b->seat[i].member].period;
    return period > 0 ? period : 1;
}

/* Numbers of signals and records that a launch of `steps` needs. */
static void room_for(const wy_fdtd_batch_data *b, const wy_fdtd_device *d, int steps,
                     double *stream, double *record) {
    *stream = *record = 0;
    for (int i = 0; i < b->count; i++) {
        *stream += (double)d->signals[i].width * steps;
        *record += 3.0 * places_of(b, i) * (double)(steps / period_of(b, i) + 1);
    }
}

static withy_status take_twin(wy_fdtd_batch_data *b, wy_fdtd_device *d, int which, double count,
                              size_t size, withy_error *err) {
    twin *t = &d->twin[which];
    const size_t total = (size_t)(count > 1 ? count : 1);
    t->bytes = total * size;
    t->host = wy_arena_alloc(&b->arena, total, size);
    if (!t->host) return wy_no_memory(err, "fdtd: no memory for %zu bytes of a batch", t->bytes);
    return wy_on_device.buffer_make(d->device, t->bytes, &t->there, err);
}

static withy_status take_memory(wy_fdtd_batch_data *b, wy_fdtd_device *d, withy_error *err) {
    const double count = b->count, points = d->n + 1;
    double stream, record, patterns = 0;
    for (int i = 0; i < b->count; i++) patterns += d->signals[i].channels * points;
    d->chunk = MOST_STEPS;
    while (room_for(b, d, d->chunk, &stream, &record),
           d->chunk > 1 && (stream > MOST_STREAM || record > MOST_RECORD))
        d->chunk /= 2;
    WY_TRY(take_twin(b, d, PLAN, count * PLAN_SIZE, sizeof(int), err));
    WY_TRY(take_twin(b, d, OWN, count * OWN_SIZE, sizeof(double), err));
    WY_TRY(take_twin(b, d, COEF, d->rich ? count * COEF_SIZE * points : 1, sizeof(double), err));
    WY_TRY(take_twin(b, d, STATE, count * d->state_size * points, sizeof(double), err));
    WY_TRY(take_twin(b, d, STREAM, stream, sizeof(double), err));
    WY_TRY(take_twin(b, d, PATTERN, patterns, sizeof(double), err));
    WY_TRY(take_twin(b, d, ROWS, ROW_KINDS * points * ROW_SIZE, sizeof(double), err));
    WY_TRY(take_twin(b, d, PLACES, count * d->places * PLACE_SIZE, sizeof(double), err));
    return take_twin(b, d, RECORD, record, sizeof(double), err);
}

static double *numbers(const wy_fdtd_device *d, int which) {
    return d->twin[which].host;
}

static int *plan_of(const wy_fdtd_device *d, int i) {
    return (int *)d->twin[PLAN].host + (size_t)i * PLAN_SIZE;
}

static withy_status send(wy_fdtd_device *d, int which, size_t bytes, withy_error *err) {
    return wy_on_device.buffer_write(d->twin[which].there, d->twin[which].host, bytes, err);
}

/* ---- what never changes ---------------------------------------------------------------------- */

static void fill_rows(wy_fdtd_device *d, const wy_sbp *op) {
    const wy_sbp_rows *kind[ROW_KINDS] = {&op->row_q, &op->row_qt, &op->row_i, &op->row_it};
    for (int k = 0; k < ROW_KINDS; k++)
        for (int i = 0; i < kind[k]->count; i++) {
            double *to = numbers(d, ROWS) + (size_t)(k * (d->n + 1) + i) * ROW_SIZE;
            const wy_sbp_row row = wy_sbp_row_of(kind[k], i);
            to[ROW_FIRST] = row.first, to[ROW_USED] = row.count;
            memcpy(to + ROW_WEIGHT, row.weight, (size_t)row.count * sizeof *to);
        }
}

static void fill_places(const wy_fdtd_batch_data *b, wy_fdtd_device *d, int i) {
    const wy_fdtd_seat *seat = &b->seat[i];
    const wy_batch_member *member = &b->member[seat->member];
    double *to = numbers(d, PLACES) + (size_t)i * (size_t)d->places * PLACE_SIZE;
    for (int k = 0; k < member->place_count; k++) {
        if (member->place[k].rod != seat->g->rod[seat->lane]) continue;
        to[PLACE_FIRST] = wy_fdtd_place_weights(seat->x, member->place[k].rod, member->place[k].s,
                                                to + PLACE_WEIGHT);
        to += PLACE_SIZE;
    }
}

static int end_bits(const wy_fdtd_end *e, int lane) {
    return (e->holds_position ? END_PLACE : 0) | (e->moves ? END_MOVES : 0) |
           (e->holds_direction ? END_FRAME : 0) | (e->turns_free ? END_TURNS : 0) |
           (e->loaded ? END_LOADED : 0) | (e->end[lane].end->follower ? END_FOLLOWS : 0);
}

/* Whole numbers that stay, and the shares of the loads. */
static void fill_plan(const wy_fdtd_batch_data *b, wy_fdtd_device *d) {
    int pattern = 0, stream = 0, record = 0;
    for (int i = 0; i < b->count; i++) {
        const wy_fdtd_seat *seat = &b->seat[i];
        const wy_fdtd_signals *s = &d->signals[i];
        const int length = s->channels * (d->n + 1);
        int *to = plan_of(d, i);
        for (int e = 0; e < 2; e++) {
            to[PLAN_END + e] = end_bits(&seat->g->end[e], seat->lane);
            to[PLAN_POSE + e] = s->pose[e], to[PLAN_PULL + e] = s->pull[e];
        }
        to[PLAN_PROBES] = places_of(b, i),
        to[PLAN_PERIOD] = (int)wy_min((double)period_of(b, i), 1 << 30);
        to[PLAN_RECORD] = record, to[PLAN_STREAM] = stream, to[PLAN_WIDTH] = s->width;
        to[PLAN_CHANNELS] = s->channels, to[PLAN_FIRST] = s->first, to[PLAN_PATTERN] = pattern;
        memcpy(numbers(d, PATTERN) + pattern, s->pattern, (size_t)length * sizeof(double));
        pattern += length, stream += s->width * d->chunk;
        record += 3 * to[PLAN_PROBES] * (int)(d->chunk / period_of(b, i) + 1);
        fill_places(b, d, i);
    }
}

static withy_status make_signals(wy_fdtd_batch_data *b, wy_fdtd_device *d, withy_error *err) {
    for (int i = 0; i < b->count; i++) {
        const wy_fdtd_seat *seat = &b->seat[i];
        WY_TRY(wy_fdtd_signals_make(seat->g, seat->lane, &b->arena, &d->signals[i], err));
    }
    return WITHY_OK;
}

static withy_status set_arguments(wy_fdtd_batch_data *b, wy_fdtd_device *d, withy_error *err) {
    WY_TRY(wy_on_device.kernel_int(d->kernel, 0, b->count, err));
    for (int i = 0; i < TWINS; i++)
        WY_TRY(wy_on_device.kernel_buffer(d->kernel, i + 1, d->twin[i].there, err));
    for (int i = PATTERN; i <= PLACES; i++) WY_TRY(send(d, i, d->twin[i].bytes, err));
    return WITHY_OK;
}

withy_status wy_fdtd_device_make(wy_fdtd_batch_data *b, wy_device *device, withy_error *err) {
    const size_t count = (size_t)b->count;
    wy_fdtd_device *d = wy_arena_alloc(&b->arena, 1, sizeof *d);
    if (!d) return wy_no_memory(err, "fdtd: no memory for a batch");
    b->device = d, d->device = device;
    choose_shape(b, d);
    d->signals = wy_arena_alloc(&b->arena, count, sizeof *d->signals);
    d->h = wy_arena_alloc(&b->arena, count, sizeof *d->h);
    d->regular = wy_arena_alloc(&b->arena, count, sizeof *d->regular);
    if (!d->signals || !d->h || !d->regular)
        return wy_no_memory(err, "fdtd: no memory for %d rods", b->count);
    WY_TRY(make_signals(b, d, err));
    WY_TRY(build_kernel(d, err));
    WY_TRY(take_memory(b, d, err));
    if (d->reach > 1) fill_rows(d, &b->seat[0].x->op);
    fill_plan(b, d);
    return set_arguments(b, d, err);
}

void wy_fdtd_device_free(wy_fdtd_device *d) {
    if (!d) return;
    wy_on_device.kernel_free(d->kernel);
    for (int i = 0; i < TWINS; i++) wy_on_device.buffer_free(d->twin[i].there);
}

double wy_fdtd_device_seconds(const wy_fdtd_device *d) {
    return d->seconds;
}

/* ---- coefficients ---------------------------------------------------------------------------- */

static void copy_in(const wy_fdtd_group *g, int lane, const double *from, double *to) {
    for (int i = 0; i <= g->n; i++) to[i] = from[i * g->lanes + lane];
}

static void copy_in3(const wy_fdtd_group *g, int lane, double *const from[3], double *to) {
    for (int c = 0; c < 3; c++) copy_in(g, lane, from[c], to + c * (g->n + 1));
}

static void fill_coefficients(const wy_fdtd_seat *seat, const wy_fdtd_signals *s, double *to) {
    const wy_fdtd_group *g = seat->g;
    const int points = g->n + 1, lane = seat->lane;
    const wy_fdtd_grid *grid = &g->grid;
    const wy_fdtd_rate *rate = &g->rate;
    copy_in3(g, lane, grid->kn, to + COEF_KN * points);
    copy_in3(g, lane, grid->n0, to + COEF_N0 * points);
    copy_in3(g, lane, grid->km, to + COEF_KM * points);
    copy_in3(g, lane, grid->m0, to + COEF_M0 * points);
    copy_in(g, lane, rate->pe, to + COEF_PE * points);
    copy_in(g, lane, rate->pf, to + COEF_PF * points);
    copy_in3(g, lane, rate->wf, to + COEF_WF * points);
    copy_in3(g, lane, rate->wg, to + COEF_WG * points);
    copy_in3(g, lane, rate->we, to + COEF_WE * points);
    memcpy(to + COEF_LOAD * points, s->base, 3 * (size_t)points * sizeof *to);
    copy_in3(g, lane, g->now.couple, to + COEF_COUPLE * points);
    if (g->viscous) {
        copy_in3(g, lane, rate->cn, to + COEF_CN * points);
        copy_in3(g, lane, rate->cm, to + COEF_CM * points);
    }
    copy_in(g, lane, grid->mass, to + COEF_MASS * points);
    copy_in(g, lane, grid->drag_line, to + COEF_LINE * points);
    copy_in(g, lane, grid->drag_square, to + COEF_SQUARE * points);
}

static void put3(double *to, double *const from[3], int x) {
    for (int c = 0; c < 3; c++) to[c] = from[c][x];
}

static void put_lane3(double *to, double (*from)[WY_FDTD_LANES], int lane) {
    for (int c = 0; c < 3; c++) to[c] = from[c][lane];
}

static void fill_end(const wy_fdtd_seat *seat, const wy_fdtd_signals *s, int e, double *to) {
    const wy_fdtd_group *g = seat->g;
    wy_fdtd_hold *hold = &g->now.hold[e];
    const int lane = seat->lane, i = e ? g->n : 0, x = i * g->lanes + lane;
    to[END_PE] = g->rate.pe[x], to[END_PF] = g->rate.pf[x];
    for (int c = 0; c < 3; c++) to[END_LOAD + c] = s->base[c * (g->n + 1) + i];
    put3(to + END_KM, g->grid.km, x), put3(to + END_M0, g->grid.m0, x);
    if (g->viscous) put3(to + END_CM, g->rate.cm, x);
    put_lane3(to + END_R, hold->r, lane);
    for (int c = 0; c < 4; c++) to[END_Q + c] = hold->q[c][lane];
    put_lane3(to + END_FORCE, hold->force, lane); /* what is not steady comes with the signals */
    to[END_MASS] = g->grid.mass[x];
    to[END_LINE] = g->grid.drag_line[x], to[END_SQUARE] = g->grid.drag_square[x];
}

/* What a uniform round rod has in place of arrays is taken next to its start. */
static void fill_own(const wy_fdtd_seat *seat, const wy_fdtd_signals *s, double *to) {
    const wy_fdtd_group *g = seat->g;
    const int x = g->lanes + seat->lane;
    to[OWN_H] = g->rate.h;
    to[OWN_KN1] = g->grid.kn[0][x], to[OWN_KN3] = g->grid.kn[2][x];
    to[OWN_N03] = g->grid.n0[2][x], to[OWN_PF] = g->rate.pf[x];
    to[OWN_WF1] = g->rate.wf[0][x], to[OWN_WF3] = g->rate.wf[2][x];
    to[OWN_WG] = g->rate.wg[0][x];
    put3(to + OWN_KM, g->grid.km, x);
    for (int c = 0; c < 3; c++) to[OWN_FALL + c] = g->rate.fall[c][seat->lane];
    for (int e = 0; e < 2; e++) fill_end(seat, s, e, to + OWN_END + e * END_SIZE);
}

/* ---- state ----------------------------------------------------------------------------------- */

/* The arrays of a rod as the device has them. */
static int state_arrays(const wy_fdtd_group *g, double *list[STATE_VISCOUS]) {
    const wy_fdtd_now *a = &g->now;
    for (int c = 0; c < 3; c++) {
        list[STATE_R + c] = a->r[c], list[STATE_P + c] = a->p[c], list[STATE_W + c] = a->w[c];
        if (g->viscous) list[STATE_EO + c] = a->eo[c], list[STATE_ZO + c] = a->zo[c];
    }
    for (int c = 0; c < 4; c++) list[STATE_Q + c] = a->q[c];
    return g->viscous ? STATE_VISCOUS : STATE_PLAIN;
}

static double *state_of(const wy_fdtd_device *d, int i) {
    return numbers(d, STATE) + (size_t)i * (size_t)d->state_size * (size_t)(d->n + 1);
}

/* A rod to the buffers of the host. */
static void load_rod(void *context, int i) {
    const wy_fdtd_batch_data *b = context;
    wy_fdtd_device *d = b->device;
    const wy_fdtd_seat *seat = &b->seat[i];
    const size_t points = (size_t)d->n + 1;
    double *list[STATE_VISCOUS], *to = state_of(d, i);
    const int arrays = state_arrays(seat->g, list);
    for (int k = 0; k < arrays; k++) copy_in(seat->g, seat->lane, list[k], to + (size_t)k * points);
    fill_own(seat, &d->signals[i], numbers(d, OWN) + (size_t)i * OWN_SIZE);
    if (d->h[i] == seat->g->rate.h && d->regular[i] == seat->g->rate.regular) return;
    if (d->rich)
        fill_coefficients(seat, &d->signals[i], numbers(d, COEF) + (size_t)i * COEF_SIZE * points);
}

/* And back.  Halves have one number less than nodes. */
static void store_rod(void *context, int i) {
    const wy_fdtd_batch_data *b = context;
    const wy_fdtd_device *d = b->device;
    const wy_fdtd_group *g = b->seat[i].g;
    double *list[STATE_VISCOUS];
    const double *from = state_of(d, i);
    const int arrays = state_arrays(g, list);
    for (int k = 0; k < arrays; k++) {
        const int half = (k >= STATE_Q && k < STATE_EO) || (k >= STATE_EO && k < STATE_ZO);
        const double *x = from + (size_t)k * ((size_t)d->n + 1);
        for (int j = 0; j <= g->n - half; j++) list[k][j * g->lanes + b->seat[i].lane] = x[j];
    }
}

/* ---- launches -------------------------------------------------------------------------------- */

/* One call: how far each rod is. */
typedef struct call {
    wy_fdtd_batch_data *b;
    wy_batch_task *task;
    int64_t done; /* steps of the launches before */
} call;

static int steps_now(const call *c, int i) {
    const wy_batch_task *task = &c->task[c->b->seat[i].member];
    const int64_t left = task->span.to - task->span.from - c->done;
    if (task->status != WITHY_OK || left <= 0) return 0;
    return (int)wy_min((double)left, c->b->device->chunk);
}

/* Steps from the beginning of a launch to its first record. */
static int64_t due_now(const call *c, int i) {
    const int64_t period = period_of(c->b, i), due = c->task[c->b->seat[i].member].due;
    if (due > c->done) return due - c->done;
    return period - (c->done - due) % period;
}

static void plan_rod(const call *c, int i) {
    int *to = plan_of(c->b->device, i);
    to[PLAN_STEPS] = steps_now(c, i);
    to[PLAN_DUE] = (int)wy_min((double)due_now(c, i), 1 << 30);
}

static void evaluate_signals(call *c, int i) {
    wy_fdtd_device *d = c->b->device;
    const wy_fdtd_seat *seat = &c->b->seat[i];
    wy_batch_task *task = &c->task[seat->member];
    const wy_fdtd_signals *s = &d->signals[i];
    double *row = numbers(d, STREAM) + plan_of(d, i)[PLAN_STREAM];
    for (int k = 0; k < steps_now(c, i) && s->width > 0; k++, row += s->width) {
        const double t = wy_span_time(&task->span, task->span.from + c->done + k);
        task->status = wy_fdtd_signals_row(seat->g, seat->lane, s, t, row, &task->error);
        if (task->status != WITHY_OK) return;
    }
}

/* Records of a launch to where the caller needs them. */
static void keep_records(const call *c, int i) {
    const wy_fdtd_batch_data *b = c->b;
    const wy_fdtd_seat *seat = &b->seat[i];
    const wy_batch_member *member = &b->member[seat->member];
    const wy_batch_task *task = &c->task[seat->member];
    const int *plan = plan_of(b->device, i), own = plan[PLAN_PROBES], all = member->place_count;
    const double *from = numbers(b->device, RECORD) + plan[PLAN_RECORD];
    const int64_t period = period_of(b, i), due = due_now(c, i);
    int64_t at = c->done < task->due ? 0 : (c->done - task->due) / period + 1;
    if (own == 0 || !task->record) return;
    for (int64_t k = due; k <= plan[PLAN_STEPS]; k += period, at++)
        for (int place = 0; place < all; place++) {
            if (member->place[place].rod != seat->g->rod[seat->lane]) continue;
            memcpy(task->record + 3 * (at * all + place), from, 3 * sizeof *from);
            from += 3;
        }
}

static withy_status launch(call *c, withy_error *err) {
    wy_fdtd_batch_data *b = c->b;
    wy_fdtd_device *d = b->device;
    double seconds;
    for (int i = 0; i < b->count; i++) evaluate_signals(c, i); /* one thread calls functions */
    for (int i = 0; i < b->count; i++) plan_rod(c, i);
    WY_TRY(send(d, PLAN, d->twin[PLAN].bytes, err));
    if (d->live) WY_TRY(send(d, STREAM, d->twin[STREAM].bytes, err));
    WY_TRY(wy_on_device.kernel_launch(d->kernel, (size_t)((b->count + d->rods - 1) / d->rods),
                                      (size_t)(d->rods * d->width), err));
    WY_TRY(wy_on_device.kernel_wait(d->kernel, &seconds, err));
    d->seconds += seconds;
    if (d->twin[RECORD].bytes <= sizeof(double)) return WITHY_OK;
    WY_TRY(wy_on_device.buffer_read(d->twin[RECORD].there, d->twin[RECORD].host,
                                    d->twin[RECORD].bytes, err));
    for (int i = 0; i < b->count; i++) keep_records(c, i);
    return WITHY_OK;
}

/* Are the coefficients on the device those of the present steps? */
static int is_current(const wy_fdtd_batch_data *b, const wy_fdtd_device *d) {
    for (int i = 0; i < b->count; i++)
        if (d->h[i] != b->seat[i].g->rate.h || d->regular[i] != b->seat[i].g->rate.regular)
            return 0;
    return 1;
}

static withy_status send_all(wy_fdtd_batch_data *b, withy_error *err) {
    wy_fdtd_device *d = b->device;
    const int current = is_current(b, d);
    wy_threads_run(b->threads, b->count, load_rod, b);
    WY_TRY(send(d, STATE, d->twin[STATE].bytes, err));
    WY_TRY(send(d, OWN, d->twin[OWN].bytes, err));
    if (current) return WITHY_OK;
    WY_TRY(send(d, COEF, d->twin[COEF].bytes, err));
    for (int i = 0; i < b->count; i++)
        d->h[i] = b->seat[i].g->rate.h, d->regular[i] = b->seat[i].g->rate.regular;
    return WITHY_OK;
}

withy_status wy_fdtd_device_advance(wy_fdtd_batch_data *b, wy_batch_task *task, withy_error *err) {
    wy_fdtd_device *d = b->device;
    int64_t most = 0;
    for (int i = 0; i < b->members; i++) {
        const int64_t steps = task[i].span.to - task[i].span.from;
        if (task[i].status == WITHY_OK && steps > most) most = steps;
    }
    WY_TRY(send_all(b, err));
    for (call c = {b, task, 0}; c.done < most; c.done += d->chunk) {
        const wy_fdtd *x = b->seat[0].x;
        WY_TRY(wy_interrupt_check(x->setup->interrupt,
                                  wy_span_time(&task[0].span, task[0].span.from), err));
        WY_TRY(launch(&c, err));
    }
    WY_TRY(wy_on_device.buffer_read(d->twin[STATE].there, d->twin[STATE].host, d->twin[STATE].bytes,
                                    err));
    wy_threads_run(b->threads, b->count, store_rod, b);
    return WITHY_OK;
}
