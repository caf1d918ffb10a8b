/* gradient_tape.c - the accepted steps of a motion, kept for the way back.
 *
 * All steps are kept whole as far as memory allows; a longer motion is cut by checkpoints, copies of the state, and
 * only the steps since the last one are here.  The way back makes the others again, from their checkpoint and with
 * the lengths that were accepted, be it after halvings or by dt = "auto": what is differentiated is that list of
 * steps.
 */
#include <string.h>

#include "method/director/gradient.h"

enum {
    TAPE_BYTES = 64 << 20, /* of steps, and as many of checkpoints */
    TAPE_STEPS = 1 << 21,  /* in all */
    TAPE_CHECKS = 1 << 14,
    TAPE_ROOM = 1 << 16,
};

/* ---- memory ------------------------------------------------------------------------------------------- */

void *wy_tape_raw(wy_taker *from, size_t count, size_t size) {
    void *piece = wy_arena_raw(from->arena, count, size);
    if (!piece) from->failed = 1;
    return piece;
}

void wy_tape_size(wy_tape_reel *reel, size_t step, size_t whole, wy_taker *from) {
    reel->room = (int64_t)wy_max(16, wy_min(TAPE_ROOM, (double)(TAPE_BYTES / step)));
    reel->checks = (int64_t)wy_max(16, wy_min(TAPE_CHECKS, (double)(TAPE_BYTES / whole)));
    reel->checks = (int64_t)wy_min((double)reel->checks, (double)(TAPE_STEPS / reel->room + 1));
    reel->time = wy_tape_raw(from, (size_t)(reel->room * reel->checks), sizeof *reel->time);
}

void wy_tape_take_fields(wy_director *x, wy_taker *from) {
    wy_adjoint_fields *by = &x->slopes->by;
    wy_adjoint_now *now = &x->slopes->now;
    const size_t nodes = (size_t)x->plan.node_count, loads = (size_t)x->plan.load.count + 1;
    by->section = wy_taker_take(from, nodes, sizeof *by->section);
    by->size = wy_taker_take(from, (size_t)x->plan.n, sizeof *by->size);
    by->mass = wy_taker_take(from, nodes, sizeof *by->mass);
    by->load = wy_taker_take(from, loads, sizeof *by->load);
    by->node = wy_taker_take(from, nodes, sizeof *by->node);
    by->live = wy_taker_take(from, (size_t)x->slopes->count + 1, sizeof *by->live);
    now->mu = wy_taker_take(from, 6 * nodes, sizeof *now->mu);
    now->side = wy_taker_take(from, 6 * nodes, sizeof *now->side);
    now->rest = wy_taker_take(from, 6 * nodes, sizeof *now->rest);
    now->load = wy_taker_take(from, loads, sizeof *now->load);
}

withy_status wy_tape_make(wy_director *x, wy_taker *from, withy_error *err) {
    const size_t nodes = (size_t)x->plan.node_count;
    wy_director_motion unused;
    wy_block one = {0};
    wy_director_lay_motion(x, &one, &unused);
    const size_t whole = (one.used + 63) / 64 * 64;
    wy_tape *tape = wy_taker_take(from, 1, sizeof *tape);
    if (!tape) return wy_fail(err, WITHY_NO_MEMORY, "director: no memory for the way back");
    const size_t step = sizeof *tape->step + nodes * (sizeof *tape->node + sizeof *tape->strain);
    wy_tape_size(&tape->reel, step, whole, from);
    const size_t room = (size_t)tape->reel.room, checks = (size_t)tape->reel.checks;
    tape->step = wy_tape_raw(from, room, sizeof *tape->step);
    tape->node = wy_tape_raw(from, room * nodes, sizeof *tape->node);
    tape->strain = wy_tape_raw(from, room * nodes, sizeof *tape->strain);
    tape->check = wy_taker_take(from, checks, sizeof *tape->check);
    wy_block block = {.base = wy_tape_raw(from, checks + 1, whole)};
    wy_tape_take_fields(x, from);
    if (from->failed) return wy_fail(err, WITHY_NO_MEMORY, "director: no memory for the way back");
    for (size_t i = 0; i < checks; i++) wy_director_lay_motion(x, &block, &tape->check[i]);
    wy_director_lay_motion(x, &block, &tape->end);
    x->slopes->tape = tape;
    return WITHY_OK;
}

double wy_director_tape_room(const wy_director *x) {
    const wy_tape *tape = x->slopes ? x->slopes->tape : NULL;
    return tape ? (double)(tape->reel.room * tape->reel.checks) : 0;
}

/* ---- forwards ------------------------------------------------------------------------------------------- */

static void record(wy_director *x, wy_tape *tape, int64_t slot) {
    const size_t nodes = (size_t)x->plan.node_count, points = nodes - 1;
    wy_tape_step *step = &tape->step[slot];
    *step = (wy_tape_step){.t = x->step->t, .h = x->step->h, .origin = x->now->origin};
    memcpy(step->end, x->now->end, sizeof step->end);
    for (size_t j = 0; j < nodes; j++) {
        const wy_director_node *node = &x->node[j];
        tape->node[(size_t)slot * nodes + j] =
            (wy_tape_node){node->d, node->w, node->r, node->v, x->next[j].dr, x->next[j].theta};
    }
    memcpy(&tape->strain[(size_t)slot * nodes], x->strain, points * sizeof *x->strain);
}

withy_status wy_tape_next(wy_tape_reel *reel, int64_t step, const wy_tape_time *time,
                          withy_error *err) {
    const int64_t segment = step / reel->room;
    if (segment >= reel->checks)
        return wy_fail(err, WITHY_UNSUPPORTED,
                       "director: a derivative backwards through more than %lld steps needs more "
                       "memory than is used for it; use longer steps, or fewer parameters",
                       (long long)(reel->room * reel->checks));
    if (segment < reel->held) reel->torn = 1; /* after steps that were given up */
    reel->held = segment;
    reel->time[step] = *time;
    return WITHY_OK;
}

withy_status wy_tape_record(wy_director *x, double square, int64_t solves, withy_error *err) {
    wy_tape *tape = x->slopes->tape;
    const int64_t i = x->now->taped, segment = i / tape->reel.room;
    WY_TRY(
        wy_tape_next(&tape->reel, i, &(wy_tape_time){x->step->t, x->step->h, square, solves}, err));
    if (i % tape->reel.room == 0) {
        const wy_director_motion now = wy_director_present(x);
        wy_director_copy(x, &now, &tape->check[segment]);
        tape->check[segment].now->square = square, tape->check[segment].now->solves = solves;
    }
    record(x, tape, i % tape->reel.room);
    x->now->taped++;
    return WITHY_OK;
}

/* ---- backwards ------------------------------------------------------------------------------------------- */

void wy_tape_open_step(wy_director *x, double t, double h) {
    *x->step = (wy_director_step){.factor = 1.0, .dynamic = 1, .order = 2, .t = t, .h = h};
    x->step->per = 1.0 / h, x->step->beta = 0.5, x->step->xi = 0.5 * x->plan.opt.xi;
    x->step->gravity = x->plan.problem->gravity;
}

static void bring(void *self, int64_t segment) {
    const wy_director *x = self;
    const wy_director_motion now = wy_director_present(x);
    wy_director_copy(x, &x->slopes->tape->check[segment], &now);
}

static withy_status step_again(void *self, const wy_tape_time *time, withy_error *err) {
    wy_tape_open_step(self, time->t, time->h);
    return wy_director_again(self, time->h, err);
}

/* The step in this slot is at hand, as it was before it was committed. */
static withy_status recall(wy_director *x, int64_t slot, withy_error *err) {
    const wy_tape *tape = x->slopes->tape;
    const size_t nodes = (size_t)x->plan.node_count, points = nodes - 1;
    const wy_tape_step *step = &tape->step[slot];
    wy_tape_open_step(x, step->t, step->h);
    x->now->origin = step->origin;
    memcpy(x->now->end, step->end, sizeof step->end);
    for (size_t j = 0; j < nodes; j++) {
        const wy_tape_node *from = &tape->node[(size_t)slot * nodes + j];
        wy_director_node *node = &x->node[j];
        wy_director_next *next = &x->next[j];
        node->d = from->d, node->w = from->w, node->r = from->r, node->v = from->v;
        next->dr = from->dr, next->theta = from->theta;
        next->d = tri_cayley(from->theta, from->d);
    }
    memcpy(x->strain, &tape->strain[(size_t)slot * nodes], points * sizeof *x->strain);
    WY_TRY(wy_director_loads_at(x, step->t + 0.5 * step->h, err));
    return wy_director_ends_at(x, step->t + 0.5 * step->h, step->t + step->h, err);
}

void wy_slope_clear(wy_director *x) {
    wy_adjoint_fields *by = &x->slopes->by;
    const size_t nodes = (size_t)x->plan.node_count;
    memset(by->section, 0, nodes * sizeof *by->section);
    memset(by->size, 0, (size_t)x->plan.n * sizeof *by->size);
    memset(by->mass, 0, nodes * sizeof *by->mass);
    memset(by->load, 0, ((size_t)x->plan.load.count + 1) * sizeof *by->load);
    memset(by->end, 0, sizeof by->end);
    memset(by->drag, 0, sizeof by->drag);
    memset(by->node, 0, nodes * sizeof *by->node);
    memset(by->u, 0, sizeof by->u);
    memset(by->live, 0, ((size_t)x->slopes->count + 1) * sizeof *by->live);
    by->gravity = v3(0, 0, 0), by->fault = 0;
}

/* dJ by a position of the rod goes to the nodes of its element. */
void wy_slope_add_pull(wy_director *x, double s, vec3 weight) {
    double value[WY_ELEMENT_NODES];
    const int first = wy_director_place(x, s, value) * x->plan.p;
    for (int a = 0; a <= x->plan.p; a++) {
        wy_adjoint_node *node = &x->slopes->by.node[first + a];
        node->r = v3_axpy(node->r, value[a], weight);
    }
}

static withy_status step_back(void *self, int64_t step, withy_error *err) {
    wy_director *x = self;
    WY_TRY(recall(x, step % x->slopes->tape->reel.room, err));
    return wy_slope_reverse_step(x, err);
}

static void add_pull(void *self, const wy_adjoint_pull *pull) {
    wy_slope_add_pull(self, pull->s, pull->weight);
}

/* Make the steps from a checkpoint to step `to` again. */
static withy_status again(wy_director *x, wy_tape_reel *reel, const wy_tape_way *way,
                          int64_t segment, int64_t to, withy_error *err) {
    way->bring(x, segment);
    x->now->taped = segment * reel->room;
    reel->held = segment;
    for (int64_t i = x->now->taped; i < to; i++) {
        const wy_tape_time *time = &reel->time[i];
        WY_TRY(wy_poll_ask(x->setup->poll, time->t, err));
        x->now->square = time->square, x->now->solves = time->solves;
        WY_TRY(way->step_again(x, time, err));
    }
    reel->torn = 0;
    return WITHY_OK;
}

withy_status wy_tape_reverse(wy_director *x, wy_tape_reel *reel, const wy_tape_way *way,
                             const wy_adjoint_pull *pull, int count, withy_error *err) {
    int at = count - 1;
    for (int64_t i = x->now->taped; i > 0; i--) {
        const int64_t segment = (i - 1) / reel->room;
        if (reel->torn || segment != reel->held) WY_TRY(again(x, reel, way, segment, i, err));
        for (; at >= 0 && pull[at].step >= i; at--) way->add_pull(x, &pull[at]);
        WY_TRY(wy_poll_ask(x->setup->poll, reel->time[i - 1].t, err));
        WY_TRY(way->step_back(x, i - 1, err));
    }
    for (; at >= 0; at--) way->add_pull(x, &pull[at]);
    return WITHY_OK;
}

static withy_status reverse(void *self, const wy_adjoint_pull *pull, int count, withy_error *err) {
    static const wy_tape_way way = WY_TAPE_WAY;
    wy_director *x = self;
    wy_slope_clear(x);
    return wy_tape_reverse(x, &x->slopes->tape->reel, &way, pull, count, err);
}

static withy_status reverse_still(void *self, double t, const wy_adjoint_pull *pull, int count,
                                  withy_error *err) {
    wy_director *x = self;
    if (pull) wy_slope_clear(x);
    for (int i = 0; pull && i < count; i++) add_pull(x, &pull[i]);
    return wy_slope_reverse_still(x, t, err);
}

static int64_t taped(const void *self) {
    return ((const wy_director *)self)->now->taped;
}

static double reverse_sum(const void *self, int k, int moved, int settled) {
    return wy_slope_reverse_sum(self, k, moved, settled);
}

static void rewind_to_start(void *self) {
    if (taped(self) > 0) bring(self, 0);
}

/* ---- what is public ------------------------------------------------------------------------------------- */

static void put6(const lane a[2], double out[6]) {
    for (int i = 0; i < 6; i++) out[i] = a[i / 3][i % 3];
}

static void fields(const void *self, withy_field_slope *section, withy_node_slope *node) {
    const wy_director *x = self;
    const wy_adjoint_fields *by = &x->slopes->by;
    for (int e = 0; e < x->plan.n; e++)
        for (int g = 0; g < x->plan.p; g++) {
            const int i = e * x->plan.p + g;
            withy_field_slope *to = &section[i];
            to->s = x->plan.start[e] + x->plan.size[e] * x->plan.rule->point[g];
            to->length = x->plan.section[i].weight;
            put6(by->section[i].c, to->stiffness), put6(by->section[i].cv, to->damping);
            put6(by->section[i].rest, to->rest);
        }
    for (int j = 0; j < x->plan.node_count; j++) {
        const wy_adjoint_node *from = &by->node[j];
        node[j] = (withy_node_slope){.s = x->plan.s[j],
                                     .mass = by->mass[j].mass,
                                     .force = by->mass[j].force,
                                     .position = from->r,
                                     .turn = from->phi,
                                     .velocity = from->v,
                                     .spin = from->w};
    }
}

static void counts(const void *self, int *points, int *nodes, double *fault) {
    const wy_director *x = self;
    *points = x->plan.n * x->plan.p, *nodes = x->plan.node_count;
    *fault = x->slopes->by.fault;
}

const wy_adjoint_door wy_director_adjoint_door = WY_ADJOINT_DOOR;
