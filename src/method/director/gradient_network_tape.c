/* gradient_network_tape.c - the accepted steps of a motion of a network, kept for the way back.
 *
 * As director/gradient_tape.c: of a step the state before it and its increments; a longer motion is cut by checkpoints,
 * from which its steps are made again.
 */
#include <string.h>

#include "method/director/gradient_network.h"

typedef struct increment {
    vec3 dr, theta;
} increment;

static size_t nodes_of(const wy_network *net) {
    size_t nodes = (size_t)net->plan.clusters;
    for (int i = 0; i < net->plan.rods; i++) nodes += (size_t)net->rod[i].plan.node_count;
    return nodes;
}

static size_t padded(size_t bytes) {
    return (bytes + 63) / 64 * 64;
}

withy_status wy_net_tape_make(wy_network *net, wy_taker *from, withy_error *err) {
    wy_block state = {0}, scratch = {0};
    wy_network_lay(net, &state, &scratch); /* its size alone */
    wy_net_tape *tape = wy_taker_take(from, 1, sizeof *tape);
    if (!tape) return wy_fail(err, WITHY_NO_MEMORY, "director: no memory for the way back");
    const size_t whole = tape->whole = padded(net->state_size + 64); /* it may begin anywhere */
    tape->step = whole + padded(nodes_of(net) * sizeof(increment));
    wy_tape_size(&tape->reel, tape->step, whole, from);
    tape->kept = wy_tape_raw(from, (size_t)tape->reel.room, tape->step);
    tape->check = wy_tape_raw(from, (size_t)tape->reel.checks, whole);
    if (from->failed) return wy_fail(err, WITHY_NO_MEMORY, "director: no memory for the way back");
    net->slopes->tape = tape;
    return WITHY_OK;
}

/* ---- forwards -------------------------------------------------------------------------------------------------------- */

static char *slot_of(const wy_network *net, int64_t step) {
    const wy_net_tape *tape = net->slopes->tape;
    return tape->kept + (size_t)(step % tape->reel.room) * tape->step;
}
static char *check_of(const wy_network *net, int64_t segment) {
    return net->slopes->tape->check + (size_t)segment * net->slopes->tape->whole;
}

static const wy_director *part(const wy_network *net, int i) {
    return i ? &net->rod[i - 1] : &net->hub;
}

static void record(const wy_network *net, char *slot) {
    increment *to = (increment *)(void *)(slot + net->slopes->tape->whole);
    memcpy(slot, net->state, net->state_size);
    for (int i = 0; i <= net->plan.rods; i++)
        for (int j = 0; j < part(net, i)->plan.node_count; j++)
            *to++ = (increment){part(net, i)->next[j].dr, part(net, i)->next[j].theta};
}

withy_status wy_net_tape_record(wy_network *net, double square, int64_t solves, withy_error *err) {
    wy_net_tape *tape = net->slopes->tape;
    wy_director_now *now = net->hub.now;
    const wy_director_step *step = net->hub.step;
    const int64_t i = now->taped, segment = i / tape->reel.room;
    WY_TRY(wy_tape_next(&tape->reel, i, &(wy_tape_time){step->t, step->h, square, solves}, err));
    if (i % tape->reel.room == 0) { /* as it was before Newton's method */
        const double after = now->square;
        const int64_t made = now->solves;
        now->square = square, now->solves = solves;
        memcpy(check_of(net, segment), net->state, net->state_size);
        now->square = after, now->solves = made;
        if (net->plan.multipliers) { /* Newton's method begins with those of the step before */
            char *lambda = check_of(net, segment) + ((char *)net->lambda - net->state);
            memcpy(lambda, net->kept, (size_t)net->plan.multipliers * sizeof *net->kept);
        }
    }
    tape->begun = 1;
    record(net, slot_of(net, i));
    now->taped++;
    return WITHY_OK;
}

/* ---- backwards -------------------------------------------------------------------------------------------------------- */

static void open_step(wy_network *net, double t, double h) {
    wy_tape_open_step(&net->hub, t, h);
    for (int i = 0; i < net->plan.rods; i++)
        *net->rod[i].step = (wy_director_step){.factor = 1.0, .dynamic = 1};
    wy_network_share_step(net);
}

static void bring(void *self, int64_t segment) {
    wy_network *net = self;
    memcpy(net->state, check_of(net, segment), net->state_size);
}

static withy_status step_again(void *self, const wy_tape_time *time, withy_error *err) {
    open_step(self, time->t, time->h);
    return wy_network_again(self, time->h, err);
}

/* The step is at hand, as it was before it was committed. */
static withy_status recall(wy_network *net, int64_t step, withy_error *err) {
    const char *slot = slot_of(net, step);
    const wy_tape_time *time = &net->slopes->tape->reel.time[step];
    const increment *from = (const increment *)(const void *)(slot + net->slopes->tape->whole);
    memcpy(net->state, slot, net->state_size);
    open_step(net, time->t, time->h);
    for (int i = 0; i <= net->plan.rods; i++)
        for (int j = 0; j < part(net, i)->plan.node_count; j++, from++) {
            wy_director_next *next = &part(net, i)->next[j];
            next->dr = from->dr, next->theta = from->theta;
            next->d = tri_cayley(from->theta, part(net, i)->node[j].d);
        }
    return wy_network_loads_at(net, time->t, time->t + 0.5 * time->h, time->t + time->h, err);
}

static withy_status step_back(void *self, int64_t step, withy_error *err) {
    wy_network *net = self;
    const wy_tape_time *time = &net->slopes->tape->reel.time[step];
    WY_TRY(recall(net, step, err));
    return wy_net_reverse(net, time->t + 0.5 * time->h, time->t + time->h, err);
}

static void add_pull(void *self, const wy_adjoint_pull *pull) {
    wy_network *net = self;
    wy_slope_add_pull(&net->rod[pull->rod], pull->s, pull->weight);
}

static withy_status reverse(void *self, const wy_adjoint_pull *pull, int count, withy_error *err) {
    static const wy_tape_way way = WY_TAPE_WAY;
    wy_network *net = self;
    wy_net_clear(net);
    return wy_tape_reverse(&net->hub, &net->slopes->tape->reel, &way, pull, count, err);
}

static withy_status reverse_still(void *self, double t, const wy_adjoint_pull *pull, int count,
                                  withy_error *err) {
    wy_network *net = self;
    if (pull) wy_net_clear(net);
    for (int i = 0; pull && i < count; i++) add_pull(net, &pull[i]);
    return wy_net_reverse(net, t, t, err);
}

static int64_t taped(const void *self) {
    return ((const wy_director *)self)->now->taped;
}

static double reverse_sum(const void *self, int k, int moved, int settled) {
    return wy_net_reverse_sum(self, k, moved, settled);
}

static void rewind_to_start(void *self) {
    wy_network *net = self;
    if (net->slopes->tape->begun) bring(net, 0);
}

/* Of its first rod. */
static void fields(const void *self, withy_field_slope *section, withy_node_slope *node) {
    wy_director_adjoint_door.fields(&((const wy_network *)self)->rod[0], section, node);
}

static void counts(const void *self, int *points, int *nodes, double *fault) {
    const wy_network *net = self;
    wy_director_adjoint_door.counts(&net->rod[0], points, nodes, fault);
    *fault = net->slopes->by.fault;
}

const wy_adjoint_door wy_network_adjoint_door = WY_ADJOINT_DOOR;
