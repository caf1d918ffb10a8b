/* reduced.c - the linear system of a network: rigid groups and multipliers.
 *
 * A block row is a free rigid group with the multipliers of one joint: rooted at what is held, a spanning
 * tree of the joints gives each rigid group at most one, whose rows are independent on it, so that the block is
 * regular whatever its order.  The multipliers of a joint that closes a loop are a block of their own,
 * eliminated after both of its rigid groups (numeric/linear/linear.h).
 *
 *   rigid groups     sum of the fronts of segments, inertia, weight, joints:  Bbar^T (dsigma/dg) Bplus + H
 *   multipliers  [ . Bbar^T ; Bplus -eps ]
 *
 * The rows of a rigid group that is driven are those of the identity: its change is what is left of its way.  One that
 * stands has none.
 *
 * Constraints that depend on each other (an all-rigid planar loop), in motion: eps > 0 in the tangent only, so that
 * the residual, and with it the converged constraint, is exact.  Whether there are any is found once, at t = 0,
 * by eliminating [ 1 B^T ; B 0 ] in units of L in the same order.  In statics and modes: director/static/closed_loop.c.
 */
#include <limits.h>

#include "method/director/contact/contacts.h"

static const double REDUNDANT = 1e-9; /* of the unit pivots of that matrix */
static const size_t STAYS = (size_t)4
                            << 20; /* bytes of panels that caches hold in addition to the rest */

/* ---- the tree of joints --------------------------------------------------------------------------------- */

/* Does the joint tie rigid groups by multipliers? */
static int multipliers_of(const wy_network *net, const wy_network_joint *j) {
    int count = 0;
    for (int k = j->first; k < j->first + j->count; k++)
        count += net->plan.constraint[k].multiplier >= 0;
    return count;
}

typedef struct tree {
    int *owner;         /* [joints] rigid group whose block has its multipliers; -1: none yet */
    int *done;          /* [rigid groups] is it in the tree? */
    int *queue;         /* [rigid groups] */
    int *first, *joint; /* [rigid groups + 1], [2 joints] joints of each rigid group */
} tree;

static void list_joints(const wy_network *net, tree *t) {
    const wy_network_plan *plan = &net->plan;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < plan->joints; i++)
            for (int s = 0; s < 2; s++) {
                const int c = plan->joint[i].rigid_group[s];
                if (!wy_rigid_group_free(net, c) || !multipliers_of(net, &plan->joint[i])) continue;
                if (pass == 0)
                    t->first[c + 1]++;
                else
                    t->joint[t->queue[c]++] = i;
            }
        for (int c = 0; c < plan->rigid_groups && pass == 0; c++) {
            t->first[c + 1] += t->first[c];
            t->queue[c] = t->first[c];
        }
    }
}

/* All that hangs on the queue from `from` on. */
static void grow(const wy_network *net, tree *t, int from, int to) {
    for (; from < to; from++) {
        const int c = t->queue[from];
        for (int k = t->first[c]; k < t->first[c + 1]; k++) {
            const wy_network_joint *j = &net->plan.joint[t->joint[k]];
            const int other = j->rigid_group[0] == c ? j->rigid_group[1] : j->rigid_group[0];
            if (!wy_rigid_group_free(net, other) || t->done[other]) continue;
            t->done[other] = 1, t->owner[t->joint[k]] = other;
            t->queue[to++] = other;
        }
    }
}

/* Does a node of a rod belong to it? */
static int has_rod(const wy_network *net, int c) {
    const wy_network_plan *plan = &net->plan;
    for (int i = plan->rigid_group_first[c]; i < plan->rigid_group_first[c + 1]; i++)
        if (plan->rigid_group_part[i] >= plan->bodies) return 1;
    return 0;
}

static void plant(const wy_network *net, tree *t) {
    const wy_network_plan *plan = &net->plan;
    int rooted = 0;
    list_joints(net, t);
    for (int i = 0; i < plan->joints; i++) t->owner[i] = -1;
    for (int i = 0; i < plan->joints; i++) { /* what the ground or a held rigid group holds */
        const wy_network_joint *j = &plan->joint[i];
        const int a = wy_rigid_group_free(net, j->rigid_group[0]),
                  b = wy_rigid_group_free(net, j->rigid_group[1]);
        const int c = j->rigid_group[a ? 0 : 1];
        if (a == b || t->done[c] || !multipliers_of(net, j)) continue;
        t->done[c] = 1, t->owner[i] = c;
        t->queue[rooted++] = c;
    }
    grow(net, t, 0, rooted);
    for (int bodies = 0; bodies < 2;
         bodies++) /* what floats: at rods, which have stiffness, first */
        for (int c = 0; c < plan->rigid_groups; c++) {
            if (!wy_rigid_group_free(net, c) || t->done[c] || (!bodies && !has_rod(net, c)))
                continue;
            t->done[c] = 1;
            t->queue[0] = c;
            grow(net, t, 0, 1);
        }
}

/* ---- pattern ---------------------------------------------------------------------------------------------- */

static int block_of(const wy_network *net, int rigid_group) {
    return rigid_group < 0 ? -1 : net->plan.rigid_group[rigid_group].block;
}

static int member_block(const wy_network *net, int member) {
    return member < 0 ? -1 : block_of(net, net->plan.member[member].rigid_group);
}

/* The blocks: rigid groups, then loops; and where each multiplier is. */
static void number_blocks(wy_network *net, const tree *t, wy_blocks_spec *x) {
    wy_network_plan *plan = &net->plan;
    for (int c = 0; c < plan->rigid_groups; c++) {
        plan->rigid_group[c].block = c < wy_network_moving(net) ? x->count++ : -1;
        if (c < wy_network_moving(net)) x->size[c] = 6;
    }
    for (int i = 0; i < plan->joints; i++) {
        wy_network_joint *j = &plan->joint[i];
        if (!multipliers_of(net, j)) continue;
        j->loop = t->owner[i] < 0;
        const int block = j->loop ? x->count++ : block_of(net, t->owner[i]);
        for (int k = j->first; k < j->first + j->count; k++)
            if (plan->constraint[k].multiplier >= 0)
                plan->constraint[k].block = block, plan->constraint[k].lies = x->size[block]++;
    }
}

void wy_reduced_couple(const wy_network *net, const wy_node_matrix *w, wy_blocks_spec *x) {
    const wy_network_plan *plan = &net->plan;
    for (int i = 0; i < plan->joints; i++) {
        const wy_network_joint *j = &plan->joint[i];
        const int a = wy_node_matrix_rigid_group(net, w, j->rigid_group[0]);
        const int b = wy_node_matrix_rigid_group(net, w, j->rigid_group[1]);
        wy_blocks_couple(x, a, b);
        if (!j->loop) continue;
        for (int k = j->first; k < j->first + j->count; k++)
            if (plan->constraint[k].multiplier >= 0) {
                const int own = plan->constraint[k].block;
                x->after[own][0] = a, x->after[own][1] = b;
                wy_blocks_couple(x, own, a), wy_blocks_couple(x, own, b);
                break;
            }
    }
}

static void pair_blocks(const wy_network *net, wy_blocks_spec *x) {
    const wy_node_matrix none = {.standing = -1};
    for (int i = 0; i < x->count; i++) x->after[i][0] = x->after[i][1] = -1;
    for (int i = 0; i < net->plan.segments && !wy_network_pairs(net); i++)
        wy_blocks_couple(x, member_block(net, net->plan.segment[i].member[0]),
                         member_block(net, net->plan.segment[i].member[1]));
    wy_reduced_couple(net, &none, x);
}

/* ---- places -------------------------------------------------------------------------------------------------- */

static int size_of(const wy_network *net, int block) {
    return block < 0 ? 0 : net->plan.reduced.size[net->plan.reduced.place[block]];
}

static void place_segment(wy_network *net, wy_network_segment *g) {
    for (int a = 0; a < 2; a++) {
        const int i = member_block(net, g->member[a]);
        g->wide[a] = size_of(net, i);
        for (int b = 0; b < 2 && i >= 0; b++) {
            const int k = member_block(net, g->member[b]);
            if (k >= 0) g->at[a][b] = wy_blocks_at(&net->plan.reduced, i, k);
        }
    }
}

static void place_joint(wy_network *net, wy_network_joint *j) {
    const wy_blocks *x = &net->plan.reduced;
    int own = -1;
    for (int k = j->first; k < j->first + j->count; k++) {
        wy_network_constraint *constraint = &net->plan.constraint[k];
        if (constraint->multiplier < 0) continue;
        own = constraint->block;
        constraint->row = net->row[constraint->multiplier] =
            wy_blocks_row(x, own) + constraint->lies;
    }
    j->wide_own = size_of(net, own);
    for (j->quiet = 0; j->quiet < j->count; j->quiet++)
        if (!net->plan.constraint[j->first + j->count - 1 - j->quiet].silent) break;
    for (int a = 0; a < 2; a++) {
        const int i = block_of(net, j->rigid_group[a]);
        j->wide[a] = size_of(net, i);
        if (i < 0) continue;
        if (own >= 0) j->column[a] = wy_blocks_at(x, i, own), j->row[a] = wy_blocks_at(x, own, i);
        for (int b = 0; b < 2; b++) {
            const int k = block_of(net, j->rigid_group[b]);
            if (k >= 0) j->at[a][b] = wy_blocks_at(x, i, k);
        }
    }
}

/* ---- dependent constraints --------------------------------------------------------------------------------- */

void wy_reduced_off(const wy_network *net, const wy_network_constraint *constraint, double *value) {
    int n;
    wy_blocks_diagonal(&net->plan.reduced, value, constraint->block,
                       &n)[constraint->lies * (n + 1)] = -1;
}

void wy_reduced_kinematic(wy_network *net, double *value, int loops) {
    const wy_network_plan *plan = &net->plan;
    memset(value, 0, plan->reduced.values * sizeof *value);
    for (int c = 0; c < plan->rigid_groups; c++) {
        const int b = plan->rigid_group[c].block, n = size_of(net, b);
        for (int i = 0; i < 6 && b >= 0; i++)
            value[wy_blocks_at(&plan->reduced, b, b) + (size_t)(i * n + i)] = 1;
    }
    for (int a = 0; wy_network_pairs(net) && a < net->contacts->plan.points; a++) {
        const int b = net->contacts->plan.block[a], n = size_of(net, b);
        for (int i = 0; i < 6 && b >= 0; i++)
            value[wy_blocks_at(&plan->reduced, b, b) + (size_t)(i * n + i)] = 1;
    }
    for (int i = 0; i < plan->joints; i++) {
        const wy_network_joint *j = &plan->joint[i];
        const wy_pair_step at = wy_joint_pair(net, j);
        for (int k = j->first; k < j->first + j->count; k++) {
            const wy_network_constraint *constraint = &plan->constraint[k];
            wy_constraint_state pull = {0};
            double size = 0;
            if (constraint->multiplier < 0) continue;
            if (j->loop && !loops) {
                wy_reduced_off(net, constraint, value);
                continue;
            }
            wy_constraint_find(net, j, k, &at, &pull);
            for (int n = 0; n < WY_PAIR; n++) {
                if (n % 6 < 3) pull.plus[n] *= plan->length;
                if (wy_rigid_group_free(net, j->rigid_group[n / 6]))
                    size += pull.plus[n] * pull.plus[n];
            }
            for (int n = 0; n < WY_PAIR; n++) {
                const int s = n / 6;
                if (!wy_rigid_group_free(net, j->rigid_group[s])) continue;
                const double v = size > 0 ? pull.plus[n] / sqrt(size) : 0;
                value[j->column[s] + (size_t)(n % 6 * j->wide_own + constraint->lies)] = v;
                value[j->row[s] + (size_t)(constraint->lies * j->wide[s] + n % 6)] = v;
            }
        }
    }
}

static withy_status find_redundant(wy_network *net, withy_error *err) {
    wy_network_plan *plan = &net->plan;
    double least = 1;
    double *value = wy_alloc(plan->reduced.values + 1, sizeof *value);
    int *pivot = wy_alloc((size_t)plan->reduced.rows + 1, sizeof *pivot);
    if (!value || !pivot) return wy_free(value), wy_free(pivot), wy_network_no_memory(err);
    wy_reduced_kinematic(net, value, 1);
    const int regular = wy_blocks_factor(&plan->reduced, value, pivot, NULL, &least);
    plan->closing.redundant = plan->multipliers > 0 && (!regular || !(least > REDUNDANT));
    wy_free(value), wy_free(pivot);
    return WITHY_OK;
}

static withy_status make_blocks(wy_network *net, withy_error *err) {
    wy_network_plan *plan = &net->plan;
    const size_t blocks = (size_t)(plan->rigid_groups + plan->joints) + 1;
    const size_t pairs = (size_t)(plan->segments + 3 * plan->joints) + 1;
    wy_allocator from = {.arena = net->rigid.setup->arena};
    tree t = {.owner = wy_allocator_alloc(&from, blocks, sizeof *t.owner),
              .done = wy_allocator_alloc(&from, blocks, sizeof *t.done),
              .queue = wy_allocator_alloc(&from, blocks, sizeof *t.queue),
              .first = wy_allocator_alloc(&from, blocks + 1, sizeof *t.first),
              .joint = wy_allocator_alloc(&from, 2 * blocks, sizeof *t.joint)};
    wy_blocks_spec x = {.size = wy_allocator_alloc(&from, blocks, sizeof *x.size),
                        .pair = wy_allocator_alloc(&from, pairs, sizeof *x.pair),
                        .after = wy_allocator_alloc(&from, blocks, sizeof *x.after)};
    if (from.failed) return wy_network_no_memory(err);
    plant(net, &t);
    number_blocks(net, &t, &x);
    pair_blocks(net, &x);
    if (!wy_network_pairs(net))
        return wy_blocks_make(&x, net->rigid.setup->arena, &plan->reduced, err);
    WY_TRY(wy_contacts_pattern(net, &x, err));
    return wy_contacts_order(net, err);
}

/* ---- turns ----------------------------------------------------------------------------------------------------- */

static int place_of(const wy_network *net, int block) {
    return block < 0 ? INT_MAX : net->plan.reduced.place[block];
}

/* The turn of a rod: the first block row that one of its segments touches. */
static int rod_turn(const wy_network *net, int *segment, int rod) {
    int turn = net->turn.count;
    for (; *segment < net->plan.segments && net->plan.segment[*segment].rod == rod; ++*segment)
        for (int i = 0; i < 2; i++) {
            const int at = place_of(net, member_block(net, net->plan.segment[*segment].member[i]));
            if (at < turn) turn = at;
        }
    return turn;
}

static int joint_turn(const wy_network *net, const wy_network_joint *j) {
    int turn = INT_MAX;
    for (int s = 0; s < 2; s++) {
        const int at = place_of(net, block_of(net, j->rigid_group[s]));
        if (at < turn) turn = at;
    }
    for (int k = j->first; k < j->first + j->count; k++) {
        const wy_network_constraint *constraint = &net->plan.constraint[k];
        const int at = place_of(net, constraint->multiplier < 0 ? -1 : constraint->block);
        if (at < turn) turn = at;
    }
    return turn;
}

/* Things 0 .. count - 1, each in its turn (-1: in none), turn by turn: list[first[t]] is the first of turn t. */
static void deal(int count, const int *turn_of, int turns, int *first, int *list) {
    for (int i = 0; i < count; i++)
        if (turn_of[i] >= 0) first[turn_of[i] + 1]++;
    for (int t = 0; t < turns; t++) first[t + 1] += first[t];
    for (int i = count - 1; i >= 0; i--) /* the ends move down to the beginnings */
        if (turn_of[i] >= 0) list[--first[turn_of[i] + 1]] = i;
    for (int t = 0; t < turns; t++) first[t] = first[t + 1];
    first[turns] = 0;
    for (int i = 0; i < count; i++) first[turns] += turn_of[i] >= 0;
}

static void deal_rods(wy_network *net, int *turn_of) {
    wy_network_turns *turn = &net->turn;
    const int rods = net->plan.rods;
    for (int i = 0, segment = 0; i < rods; i++) {
        turn->segment[i] = segment;
        turn_of[i] = rod_turn(net, &segment, i);
    }
    deal(rods, turn_of, turn->count + 1, turn->rod_first, turn->rod);
    for (int i = 0; i < rods; i++) turn->next[turn->rod[i]] = i + 1 < rods ? turn->rod[i + 1] : -1;
}

static void contacts(wy_network_turns *turn, int *met, int row, int *count) {
    if (row == INT_MAX || met[row]) return;
    met[row] = 1;
    turn->new_row[(*count)++] = row;
}

/* A turn touches its row, the neighbour of that, and those of all segments of its rods. */
static void deal_new(wy_network *net, int *met) {
    const wy_blocks *x = &net->plan.reduced;
    wy_network_turns *turn = &net->turn;
    int count = 0;
    memset(met, 0, (size_t)x->count * sizeof *met);
    for (int k = 0; k < x->count; k++) {
        turn->new_row_first[k] = count;
        contacts(turn, met, k, &count);
        for (int a = x->begin[k]; a < x->begin[k + 1]; a++)
            contacts(turn, met, x->neighbour[a], &count);
        for (int i = turn->rod_first[k]; i < turn->rod_first[k + 1]; i++) {
            const int rod = turn->rod[i];
            const wy_network_segment *g = &net->plan.segment[turn->segment[rod]];
            for (; g < &net->plan.segment[net->plan.segments] && g->rod == rod; g++)
                for (int m = 0; m < 2; m++)
                    contacts(turn, met, place_of(net, member_block(net, g->member[m])), &count);
        }
    }
    turn->new_row_first[x->count] = count;
}

/* Panels lie in the order of the turns: the processor reads a stream, forwards and then backwards. */
static void order_panels(wy_network *net) {
    wy_network_plan *plan = &net->plan;
    size_t panel = 0;
    for (int i = 0; i < plan->rods; i++)
        for (int k = net->turn.segment[net->turn.rod[i]];
             k < plan->segments && plan->segment[k].rod == net->turn.rod[i]; k++) {
            wy_network_segment *g = &plan->segment[k];
            g->panel = panel;
            panel += wy_segment_panel(net, g);
        }
}

/* The panels of the last turns are the first that are read again: they stay in the caches. */
static void stay_last(wy_network *net) {
    wy_network_plan *plan = &net->plan;
    size_t bytes = 0;
    for (int i = plan->rods - 1; i >= 0; i--)
        for (int k = net->turn.segment[net->turn.rod[i]];
             k < plan->segments && plan->segment[k].rod == net->turn.rod[i]; k++) {
            wy_network_segment *g = &plan->segment[k];
            bytes += wy_segment_panel(net, g) * sizeof(double);
            if (bytes > STAYS) return;
            g->streams = 0;
        }
}

/* No turns where rods touch each other, since the order changes; nor without multipliers: rows of welded rods are so
 * small that passing over them again costs less than another order of the rods. */
static withy_status make_turns(wy_network *net, withy_error *err) {
    const wy_network_plan *plan = &net->plan;
    wy_network_turns *turn = &net->turn;
    if (wy_network_pairs(net) || !plan->multipliers || !wy_blocks_forest(&plan->reduced))
        return WITHY_OK;
    const size_t n = (size_t)plan->reduced.count, rods = (size_t)plan->rods;
    const size_t joints = (size_t)plan->joints, most = n > rods ? n : rods;
    wy_allocator from = {.arena = net->rigid.setup->arena};
    turn->rigid_group = wy_allocator_alloc(&from, n + 1, sizeof *turn->rigid_group);
    turn->new_row_first = wy_allocator_alloc(&from, n + 1, sizeof *turn->new_row_first);
    turn->new_row = wy_allocator_alloc(&from, n + 1, sizeof *turn->new_row);
    turn->rod_first = wy_allocator_alloc(&from, n + 2, sizeof *turn->rod_first);
    turn->rod = wy_allocator_alloc(&from, rods + 1, sizeof *turn->rod);
    turn->joint_first = wy_allocator_alloc(&from, n + 1, sizeof *turn->joint_first);
    turn->joint = wy_allocator_alloc(&from, joints + 1, sizeof *turn->joint);
    turn->segment = wy_allocator_alloc(&from, rods + 1, sizeof *turn->segment);
    turn->next = wy_allocator_alloc(&from, rods + 1, sizeof *turn->next);
    int *work = wy_allocator_alloc(&from, (most > joints ? most : joints) + 1, sizeof *work);
    if (from.failed) return wy_network_no_memory(err);
    turn->count = plan->reduced.count;
    for (int k = 0; k < turn->count; k++) turn->rigid_group[k] = -1;
    for (int c = 0; c < wy_network_moving(net); c++)
        turn->rigid_group[place_of(net, plan->rigid_group[c].block)] = c;
    deal_rods(net, work);
    deal_new(net, work);
    order_panels(net);
    stay_last(net);
    for (int i = 0; i < plan->joints; i++)
        work[i] = plan->joint[i].count ? joint_turn(net, &plan->joint[i]) : -1;
    deal(plan->joints, work, turn->count, turn->joint_first, turn->joint);
    return WITHY_OK;
}

void wy_reduced_places(wy_network *net) {
    wy_network_plan *plan = &net->plan;
    for (int c = 0; c < wy_network_moving(net); c++)
        plan->rigid_group[c].row = wy_blocks_row(&plan->reduced, plan->rigid_group[c].block);
    for (int i = 0; i < plan->joints; i++) place_joint(net, &plan->joint[i]);
}

withy_status wy_reduced_make(wy_network *net, withy_error *err) {
    wy_network_plan *plan = &net->plan;
    WY_TRY(make_blocks(net, err));
    for (int i = 0; i < plan->segments && !wy_network_pairs(net); i++)
        place_segment(net, &plan->segment[i]);
    wy_reduced_places(net);
    return make_turns(net, err);
}

withy_status wy_reduced_check(wy_network *net, withy_error *err) {
    if (!net->plan.multipliers) return WITHY_OK;
    WY_TRY(find_redundant(net, err));
    return wy_loops_start(net, err);
}
