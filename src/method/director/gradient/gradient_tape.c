/* gradient_tape.c - the accepted steps of a motion, kept for the adjoint.
 *
 * Of a step the state before it and its increments.  All steps are kept as far as memory allows; a longer motion is cut
 * by checkpoints, copies of the state, and only the steps since the last one are here.  The adjoint makes the others
 * again, from their checkpoint and with the lengths that were accepted, be it after halvings or by dt = "auto": what is
 * differentiated is that list of steps.
 */
#include "method/director/contact/contacts.h"
#include "method/director/gradient/gradient_network.h"

enum {
    TAPE_BYTES = 96 << 20, /* of steps, and as many of checkpoints; touched as they are used */
    TAPE_STEPS = 1 << 21,  /* in all */
    TAPE_CHECKS = 1 << 14,
    TAPE_ROOM = 1 << 16,
};

typedef struct increment {
    vec3 dr, theta;
} increment;

/* ---- memory ------------------------------------------------------------------------------------------- */

/* Not touched before it is used. */
static void *raw(wy_allocator *from, size_t count, size_t size) {
    void *piece = wy_arena_alloc_raw(from->arena, count, size);
    if (!piece) from->failed = 1;
    return piece;
}

static size_t padded(size_t bytes) {
    return (bytes + 63) / 64 * 64;
}

static size_t nodes_of(const wy_network *net) {
    size_t nodes = (size_t)net->plan.rigid_groups;
    for (int i = 0; i < net->plan.rods; i++) nodes += (size_t)net->rod[i].plan.node_count;
    return nodes;
}

/* Room for steps and checkpoints of so many bytes each. */
static void find_room(wy_net_tape *tape) {
    tape->room = (int64_t)wy_max(16, wy_min(TAPE_ROOM, (double)(TAPE_BYTES / tape->step)));
    tape->checks =
        (int64_t)wy_max(16, wy_min(TAPE_CHECKS, (double)(TAPE_BYTES / tape->state_size)));
    tape->checks = (int64_t)wy_min((double)tape->checks, (double)(TAPE_STEPS / tape->room + 1));
}

withy_status wy_net_tape_make(wy_network *net, wy_allocator *from, withy_error *err) {
    wy_block state = {0}, scratch = {0};
    wy_network_layout(net, &state, &scratch); /* its size alone */
    wy_net_tape *tape = wy_allocator_alloc(from, 1, sizeof *tape);
    if (!tape) return wy_no_memory(err, "director: not enough memory for the adjoint");
    tape->state_size = padded(net->state_size + 64); /* it may begin anywhere */
    tape->step = tape->state_size + padded(nodes_of(net) * sizeof(increment));
    find_room(tape);
    tape->time = raw(from, (size_t)(tape->room * tape->checks), sizeof *tape->time);
    tape->kept = raw(from, (size_t)tape->room, tape->step);
    tape->check = raw(from, (size_t)tape->checks, tape->state_size);
    if (from->failed) return wy_no_memory(err, "director: not enough memory for the adjoint");
    net->slopes->tape = tape;
    return WITHY_OK;
}

double wy_net_tape_room(const wy_network *net) {
    const wy_net_tape *tape = net->slopes ? net->slopes->tape : NULL;
    return tape ? (double)(tape->room * tape->checks) : 0;
}

/* ---- forwards ------------------------------------------------------------------------------------------- */

static char *slot_of(const wy_network *net, int64_t step) {
    const wy_net_tape *tape = net->slopes->tape;
    return tape->kept + (size_t)(step % tape->room) * tape->step;
}
static char *check_of(const wy_network *net, int64_t segment) {
    return net->slopes->tape->check + (size_t)segment * net->slopes->tape->state_size;
}

static void record(wy_network *net, char *slot) {
    increment *to = (increment *)(void *)(slot + net->slopes->tape->state_size);
    memcpy(slot, net->state, net->state_size);
    for (int i = 0; i <= net->plan.rods; i++)
        for (int j = 0; j < wy_net_part(net, i)->plan.node_count; j++)
            *to++ =
                (increment){wy_net_part(net, i)->next[j].dr, wy_net_part(net, i)->next[j].theta};
}

/* The state as it was before Newton's method, which begins with the multipliers and tensions of the step before. */
static void keep_check(wy_network *net, int64_t segment, double square, int64_t solves) {
    wy_director_now *now = net->rigid.now;
    const double after = now->square;
    const int64_t made = now->solves;
    wy_border solved = net->border;
    solved.kept = solved.gap;
    now->square = square, now->solves = solves;
    for (int i = 0; i < net->plan.rods && net->plan.columns; i++) {
        wy_director_tendons_keep(&net->rod[i], &solved);
        wy_director_tendons_back(&net->rod[i], &net->border);
    }
    memcpy(check_of(net, segment), net->state, net->state_size);
    for (int i = 0; i < net->plan.rods && net->plan.columns; i++)
        wy_director_tendons_back(&net->rod[i], &solved);
    now->square = after, now->solves = made;
    if (!net->plan.multipliers) return;
    char *lambda = check_of(net, segment) + ((char *)net->lambda - net->state);
    memcpy(lambda, net->kept, (size_t)net->plan.multipliers * sizeof *net->kept);
}

withy_status wy_net_tape_record(wy_network *net, double square, int64_t solves, withy_error *err) {
    wy_net_tape *tape = net->slopes->tape;
    const wy_director_step *step = net->rigid.step;
    const int64_t i = net->rigid.now->taped, segment = i / tape->room;
    if (segment >= tape->checks)
        return wy_unsupported(
            err,
            "director: a derivative backwards through more than %lld steps needs more "
            "memory than is used for it; use longer steps, or fewer parameters",
            (long long)(tape->room * tape->checks));
    if (segment < tape->held) tape->torn = 1; /* after steps that were given up */
    tape->held = segment;
    tape->time[i] = (wy_tape_time){step->t, step->h, square, solves};
    if (i % tape->room == 0) keep_check(net, segment, square, solves);
    tape->begun = 1;
    record(net, slot_of(net, i));
    net->rigid.now->taped++;
    return WITHY_OK;
}

/* ---- backwards ------------------------------------------------------------------------------------------- */

static void open_step(wy_network *net, const wy_tape_time *time) {
    wy_director *rigid = &net->rigid;
    *rigid->step =
        (wy_director_step){.factor = 1.0, .dynamic = 1, .order = 2, .t = time->t, .h = time->h};
    rigid->step->per = 1.0 / time->h, rigid->step->beta = 0.5,
    rigid->step->xi = 0.5 * rigid->plan.opt.xi;
    rigid->step->gravity = rigid->plan.problem->gravity;
    for (int i = 0; i < net->plan.rods; i++)
        *net->rod[i].step = (wy_director_step){.factor = 1.0, .dynamic = 1};
    wy_network_share_step(net);
    wy_rigid_groups_stand(net);
}

/* Make the steps from a checkpoint to step `to` again. */
static withy_status again(wy_network *net, int64_t segment, int64_t to, withy_error *err) {
    wy_net_tape *tape = net->slopes->tape;
    wy_director_now *now = net->rigid.now;
    memcpy(net->state, check_of(net, segment), net->state_size);
    now->taped = segment * tape->room;
    tape->held = segment;
    for (int64_t i = now->taped; i < to; i++) {
        const wy_tape_time *time = &tape->time[i];
        WY_TRY(wy_interrupt_check(net->rigid.setup->interrupt, time->t, err));
        now->square = time->square, now->solves = time->solves;
        open_step(net, time);
        WY_TRY(wy_network_again(net, time->h, err));
    }
    tape->torn = 0;
    return WITHY_OK;
}

/* The step is at hand, as it was before it was committed. */
static withy_status recall(wy_network *net, int64_t step, withy_error *err) {
    const char *slot = slot_of(net, step);
    const wy_tape_time *time = &net->slopes->tape->time[step];
    const increment *from = (const increment *)(const void *)(slot + net->slopes->tape->state_size);
    memcpy(net->state, slot, net->state_size);
    open_step(net, time);
    for (int i = 0; i <= net->plan.rods; i++)
        for (int j = 0; j < wy_net_part(net, i)->plan.node_count; j++, from++) {
            wy_director_next *next = &wy_net_part(net, i)->next[j];
            next->dr = from->dr, next->theta = from->theta;
            next->d = tri_cayley(from->theta, wy_net_part(net, i)->node[j].d);
        }
    return wy_network_loads_at(net, time->t, time->t + 0.5 * time->h, time->t + time->h, err);
}

/* Of the step at hand; of rods and bodies that touch none is recorded. */
static withy_status find_contacts(wy_network *net, withy_error *err) {
    wy_contacts *contacts = net->contacts;
    if (!contacts) return WITHY_OK;
    const size_t units =
        contacts->plan.pairs ? (size_t)(contacts->plan.points + net->plan.rigid_groups) : 0;
    contacts->idle = 0;
    if (units) memset(contacts->force, 0, units * sizeof *contacts->force);
    WY_TRY(wy_net_find_contacts(net, err));
    contacts->idle = net->slopes->contact_count == 0;
    return WITHY_OK;
}

static withy_status step_back(wy_network *net, int64_t step, withy_error *err) {
    const wy_tape_time *time = &net->slopes->tape->time[step];
    WY_TRY(wy_interrupt_check(net->rigid.setup->interrupt, time->t, err));
    WY_TRY(recall(net, step, err));
    WY_TRY(find_contacts(net, err));
    const withy_status status =
        wy_net_reverse(net, time->t + 0.5 * time->h, time->t + time->h, err);
    if (net->contacts) net->contacts->idle = 0;
    return status;
}

/* dJ by a position of a rod goes to the nodes of its element. */
static void add_pull(wy_network *net, const wy_adjoint_weight *pull) {
    const wy_director *x = &net->rod[pull->rod];
    double value[WY_ELEMENT_NODES];
    const int first = wy_director_place(x, pull->s, value) * x->plan.p;
    for (int a = 0; a <= x->plan.p; a++) {
        wy_adjoint_node *node = &x->slopes->by.node[first + a];
        add_at(node->q, value[a], pull->weight);
    }
}

static withy_status reverse(void *self, const wy_adjoint_weight *pull, int count,
                            withy_error *err) {
    wy_network *net = self;
    wy_net_tape *tape = net->slopes->tape;
    int at = count - 1;
    wy_net_clear(net);
    for (int64_t i = net->rigid.now->taped; i > 0; i--) {
        const int64_t segment = (i - 1) / tape->room;
        if (tape->torn || segment != tape->held) WY_TRY(again(net, segment, i, err));
        for (; at >= 0 && pull[at].step >= i; at--) add_pull(net, &pull[at]);
        WY_TRY(step_back(net, i - 1, err));
    }
    for (; at >= 0; at--) add_pull(net, &pull[at]);
    return WITHY_OK;
}

static withy_status reverse_at_rest(void *self, double t, const wy_adjoint_weight *pull, int count,
                                    withy_error *err) {
    wy_network *net = self;
    if (pull) wy_net_clear(net);
    for (int i = 0; pull && i < count; i++) add_pull(net, &pull[i]);
    return wy_net_at_rest(net, t, wy_net_reverse, err);
}

static int64_t taped(const void *self) {
    return ((const wy_director *)self)->now->taped;
}

static double reverse_sum(const void *self, int k, int moved, int settled) {
    return wy_net_reverse_sum(self, k, moved, settled);
}

static void rewind_to_start(void *self) {
    wy_network *net = self;
    if (net->slopes->tape->begun) memcpy(net->state, check_of(net, 0), net->state_size);
}

/* ---- what is public ------------------------------------------------------------------------------------- */

/* Of the first rod. */
static void fields(const void *self, withy_field_slope *section, withy_node_slope *node) {
    const wy_director *x = ((const wy_network *)self)->rod;
    const wy_adjoint_fields *by = &x->slopes->by;
    for (int e = 0; e < x->plan.n; e++)
        for (int g = 0; g < x->plan.p; g++) {
            const int i = e * x->plan.p + g;
            withy_field_slope *to = &section[i];
            to->s = x->plan.start[e] + x->plan.size[e] * x->plan.rule->point[g];
            to->length = x->plan.section[i].weight;
            memcpy(to->stiffness, by->section[i].c, sizeof to->stiffness);
            memcpy(to->damping, by->section[i].cv, sizeof to->damping);
            memcpy(to->rest, by->section[i].rest, sizeof to->rest);
        }
    for (int j = 0; j < x->plan.node_count; j++) {
        const wy_adjoint_node *from = &by->node[j];
        node[j] = (withy_node_slope){.s = x->plan.s[j],
                                     .mass = by->mass[j].mass,
                                     .force = v3_from(by->mass[j].force),
                                     .position = v3_from(from->q),
                                     .turn = v3_from(from->q + 3),
                                     .velocity = v3_from(from->v),
                                     .spin = v3_from(from->w)};
    }
}

static void counts(const void *self, int *points, int *nodes, double *fault) {
    const wy_network *net = self;
    *points = net->rod[0].plan.n * net->rod[0].plan.p, *nodes = net->rod[0].plan.node_count;
    *fault = net->slopes->fault;
}

const wy_adjoints wy_network_adjoints = {.taped = taped,
                                         .reverse = reverse,
                                         .equilibrium = reverse_at_rest,
                                         .rewind = rewind_to_start,
                                         .sum = reverse_sum,
                                         .counts = counts,
                                         .fields = fields};
