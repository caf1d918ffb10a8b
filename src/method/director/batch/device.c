/* device.c - a batch of rods on a device: buffers and launches for director/batch/device.cl. */
#include "method/director/batch/batch.h"

enum { ITEMS = 32 }; /* of a work-group */

enum {
    STATE,
    WORK,
    PANEL,
    PLAN,
    GIVEN,
    ACTIONS,
    SHAPE,
    TABLE,
    LINE,
    LIST,
    FIELD,
    ZERO,
    OUT,
    BUFFERS
};
enum { STEPS, COPY, COLUMN, GATHER, KERNELS };

typedef struct device {
    const wy_chain *chain;
    wy_device *device;
    int count, shelves, rods;
    wy_buffer *buffer[BUFFERS];
    wy_kernel *kernel[KERNELS];
    double *action; /* [actions][rods] */
    int *list;      /* [2][columns] */
    int observed;   /* room in OUT, FIELD, ZERO */
    double seconds;
} device;

static void destroy(void *engine) {
    device *d = engine;
    if (!d) return;
    for (int i = 0; i < KERNELS; i++) wy_on_device.kernel_free(d->kernel[i]);
    for (int i = 0; i < BUFFERS; i++) wy_on_device.buffer_free(d->buffer[i]);
    wy_free(d->action), wy_free(d->list);
    wy_free(d);
}

static withy_status build(device *d, withy_error *err) {
    static const char *const name[KERNELS] = {"make_steps", "copy_columns", "one_column", "gather"};
    const wy_chain *c = d->chain;
    char options[512];
    for (int i = 0; i < KERNELS; i++) {
        snprintf(options, sizeof options,
                 "-cl-std=CL1.2 -DELEMENTS=%d -DRODS=%d -DMEMBERS=%d -DFIELDS=%d -DACTIONS=%d "
                 "-DHELD0=%d -DHELD1=%d -DLOADS=%d "
                 "-DDRAG=%d -DFLOOR=%d -DNEWTON_MOST=%d -DHALVINGS=%d -DMIXED=1 -DSTEP=%a%s",
                 c->n, d->rods, d->count, c->fields, c->actions, c->held[0], c->held[1], c->loads,
                 c->drag, c->floor, c->newton_most, c->halvings, c->h,
                 i == STEPS ? " -DSTEPS" : "");
        WY_TRY(wy_on_device.kernel_make(d->device, wy_chain_source, options, name[i], &d->kernel[i],
                                        err));
    }
    return WITHY_OK;
}

static withy_status take(device *d, int which, size_t count, size_t size, withy_error *err) {
    return wy_on_device.buffer_make(d->device, (count ? count : 1) * size, &d->buffer[which], err);
}

static withy_status take_memory(device *d, withy_error *err) {
    const wy_chain *c = d->chain;
    const size_t rods = (size_t)d->rods, n = (size_t)c->n, actions = (size_t)c->actions;
    d->action = wy_alloc(actions * rods + 1, sizeof *d->action);
    d->list = wy_alloc(2 * (size_t)(d->count + d->shelves), sizeof *d->list);
    if (!d->action || !d->list)
        return wy_no_memory(err, "director: no memory for %d rods", d->count);
    WY_TRY(take(d, STATE, rods * (size_t)c->fields, sizeof(double), err));
    WY_TRY(take(d, WORK, rods * ((n + 1) * NEXT_SIZE + n * POINT_SIZE), sizeof(double), err));
    WY_TRY(take(d, PANEL, rods * (n + 1) * PANEL_SIZE, sizeof(float), err));
    WY_TRY(take(d, PLAN, (size_t)c->planned, sizeof(double), err));
    WY_TRY(take(d, GIVEN, (size_t)c->given * 64, sizeof(double), err));
    WY_TRY(take(d, ACTIONS, actions * rods, sizeof(double), err));
    WY_TRY(take(d, SHAPE, actions * n, sizeof(double), err));
    WY_TRY(take(d, TABLE, actions * ACTION_SIZE, sizeof(int), err));
    WY_TRY(take(d, LINE, (size_t)c->fields, sizeof(double), err));
    WY_TRY(take(d, LIST, 2 * (size_t)(d->count + d->shelves), sizeof(int), err));
    WY_TRY(wy_on_device.buffer_write(d->buffer[PLAN], c->plan, (size_t)c->planned * sizeof(double),
                                     err));
    WY_TRY(
        wy_on_device.buffer_write(d->buffer[SHAPE], c->shape, actions * n * sizeof(double), err));
    return wy_on_device.buffer_write(d->buffer[TABLE], c->action,
                                     actions * ACTION_SIZE * sizeof(int), err);
}

static withy_status set_buffers(device *d, int kernel, int first, const int *which, int count,
                                withy_error *err) {
    for (int i = 0; i < count; i++)
        WY_TRY(wy_on_device.kernel_buffer(d->kernel[kernel], first + i, d->buffer[which[i]], err));
    return WITHY_OK;
}

static withy_status make(device *d, withy_error *err) {
    static const int steps[] = {STATE, WORK, PANEL, PLAN, GIVEN, ACTIONS, SHAPE, TABLE};
    static const int copy[] = {STATE, LIST}, column[] = {STATE, LINE};
    WY_TRY(build(d, err));
    WY_TRY(take_memory(d, err));
    WY_TRY(set_buffers(d, STEPS, 3, steps, 8, err));
    WY_TRY(set_buffers(d, COPY, 1, copy, 2, err));
    return set_buffers(d, COLUMN, 2, column, 2, err);
}

static withy_status create(const wy_chain *chain, wy_device *on, int count, int shelves,
                           int threads, void **engine, withy_error *err) {
    (void)threads;
    device *d = wy_alloc(1, sizeof *d);
    *engine = NULL;
    if (!d) return wy_no_memory(err, "director: no memory for a batch");
    d->chain = chain, d->device = on, d->count = count, d->shelves = shelves;
    d->rods = (count + shelves + ITEMS - 1) / ITEMS * ITEMS;
    WY_HAND_OVER(make(d, err), d, destroy, engine);
}

static withy_status launch(device *d, int kernel, size_t items, withy_error *err) {
    return wy_on_device.kernel_launch(d->kernel[kernel], (items + ITEMS - 1) / ITEMS, ITEMS, err);
}

static withy_status advance(void *engine, const wy_chain_steps *steps, withy_error *err) {
    device *d = engine;
    const wy_chain *c = d->chain;
    const size_t rows = c->varies ? (size_t)steps->count : 1;
    double seconds;
    for (int k = 0; k < c->actions; k++)
        memcpy(&d->action[(size_t)k * (size_t)d->rods],
               &steps->action[(size_t)k * (size_t)d->count], (size_t)d->count * sizeof *d->action);
    WY_TRY(wy_on_device.buffer_write(d->buffer[ACTIONS], d->action,
                                     (size_t)c->actions * (size_t)d->rods * sizeof *d->action,
                                     err));
    WY_TRY(wy_on_device.buffer_write(d->buffer[GIVEN], steps->row,
                                     rows * (size_t)c->given * sizeof(double), err));
    WY_TRY(wy_on_device.kernel_int(d->kernel[STEPS], 0, (int)steps->count, err));
    WY_TRY(wy_on_device.kernel_int(d->kernel[STEPS], 1, c->varies, err));
    WY_TRY(wy_on_device.kernel_int(d->kernel[STEPS], 2, c->given, err));
    WY_TRY(launch(d, STEPS, (size_t)d->count, err));
    WY_TRY(wy_on_device.kernel_wait(d->kernel[STEPS], &seconds, err));
    d->seconds += seconds;
    return WITHY_OK;
}

static withy_status copy(void *engine, const int *to, const int *from, int count,
                         withy_error *err) {
    device *d = engine;
    if (count == 0) return WITHY_OK;
    memcpy(d->list, to, (size_t)count * sizeof *to);
    memcpy(d->list + count, from, (size_t)count * sizeof *from);
    WY_TRY(
        wy_on_device.buffer_write(d->buffer[LIST], d->list, 2 * (size_t)count * sizeof *to, err));
    WY_TRY(wy_on_device.kernel_int(d->kernel[COPY], 0, count, err));
    return launch(d, COPY, (size_t)count * (size_t)d->chain->fields, err);
}

static withy_status column_of(device *d, int column, int in, withy_error *err) {
    WY_TRY(wy_on_device.kernel_int(d->kernel[COLUMN], 0, column, err));
    WY_TRY(wy_on_device.kernel_int(d->kernel[COLUMN], 1, in, err));
    return launch(d, COLUMN, (size_t)d->chain->fields, err);
}

static withy_status put(void *engine, int column, const double *number, withy_error *err) {
    device *d = engine;
    WY_TRY(wy_on_device.buffer_write(d->buffer[LINE], number,
                                     (size_t)d->chain->fields * sizeof(double), err));
    return column_of(d, column, 1, err);
}

static withy_status take_column(void *engine, int column, double *number, withy_error *err) {
    device *d = engine;
    WY_TRY(column_of(d, column, 0, err));
    return wy_on_device.buffer_read(d->buffer[LINE], number,
                                    (size_t)d->chain->fields * sizeof(double), err);
}

/* Room for so many observed numbers of all members. */
static withy_status make_room(device *d, int count, withy_error *err) {
    static const int all[] = {STATE, FIELD, ZERO, OUT};
    if (count <= d->observed) return WITHY_OK;
    for (int i = FIELD; i <= OUT; i++) {
        wy_on_device.buffer_free(d->buffer[i]);
        d->buffer[i] = NULL;
    }
    d->observed = 0;
    WY_TRY(take(d, FIELD, (size_t)count, sizeof(int), err));
    WY_TRY(take(d, ZERO, (size_t)count, sizeof(double), err));
    WY_TRY(take(d, OUT, (size_t)count * (size_t)d->count, sizeof(double), err));
    d->observed = count;
    return set_buffers(d, GATHER, 1, all, 4, err);
}

static withy_status gather(void *engine, const int *field, const double *zero, int count,
                           double *out, withy_error *err) {
    device *d = engine;
    WY_TRY(make_room(d, count, err));
    WY_TRY(wy_on_device.buffer_write(d->buffer[FIELD], field, (size_t)count * sizeof *field, err));
    WY_TRY(wy_on_device.buffer_write(d->buffer[ZERO], zero, (size_t)count * sizeof *zero, err));
    WY_TRY(wy_on_device.kernel_int(d->kernel[GATHER], 0, count, err));
    WY_TRY(launch(d, GATHER, (size_t)d->count, err));
    return wy_on_device.buffer_read(d->buffer[OUT], out,
                                    (size_t)count * (size_t)d->count * sizeof(double), err);
}

static double seconds(const void *engine) {
    return ((const device *)engine)->seconds;
}

const wy_chain_engine wy_chain_device = {create, destroy,     advance, copy,
                                         put,    take_column, gather,  seconds};
