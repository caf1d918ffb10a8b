/* reduced_solve.c - Newton's equations of a network: assembled, solved, and spread to the nodes. */
#include <float.h>

#include "method/director/contact/contacts.h"

static const double EPS =
    1e-7; /* of the flexibility that a multiplier acts on: director/linear/reduced.c */

/* The numbers of a large network come from memory: those that are needed soon are asked for. */

/* In three stages, each of which needs what the one before has asked for: where the numbers of a rod are, what its
 * first segment is tied to, and the numbers. */
enum { FETCH_WHERE = 8, FETCH_TIES = 5, FETCH_NUMBERS = 3 }; /* rods ahead */

static void fetch_where(const wy_network *net, int rod, int segment) {
    __builtin_prefetch(&net->rod[rod].next), __builtin_prefetch(&net->rod[rod].plan.n);
    wy_fetch(&net->plan.segment[segment], sizeof *net->plan.segment);
}

static void fetch_ties(const wy_network *net, int segment) {
    const wy_network_segment *g = &net->plan.segment[segment];
    for (int m = 0; m < 2; m++)
        if (g->member[m] >= 0)
            wy_fetch(&net->plan.member[g->member[m]], offsetof(wy_group_node, q));
}

static void fetch_segment(const wy_network *net, int segment) {
    const wy_network_segment *g = &net->plan.segment[segment];
    const wy_director *x = &net->rod[g->rod];
    const size_t nodes = (size_t)(g->to - g->from) * (size_t)x->plan.p;
    wy_fetch(&net->panel[g->panel], wy_segment_panel(net, g) * sizeof *net->panel);
    for (size_t i = 0; i <= nodes; i++)
        wy_fetch(x->next[(size_t)(g->from * x->plan.p) + i].change, sizeof x->next->change);
    for (int m = 0; m < 2; m++)
        if (g->member[m] >= 0)
            wy_fetch(&net->rigid.next[net->plan.member[g->member[m]].rigid_group],
                     sizeof *net->rigid.next);
    if (g->member[0] < 0 || g->member[1] < 0)
        wy_fetch(&net->free_end[g->free_end], offsetof(wy_network_free_end, inverse));
}

/* In the order of the rods. */
static void fetch_forward(const wy_network *net, int rod, int segment) {
    const wy_network_plan *plan = &net->plan;
    if (!plan->streams) return;
    if (rod + FETCH_WHERE < plan->rods && segment + FETCH_WHERE < plan->segments)
        fetch_where(net, rod + FETCH_WHERE, segment + FETCH_WHERE);
    if (segment + FETCH_TIES < plan->segments) fetch_ties(net, segment + FETCH_TIES);
    if (segment + FETCH_NUMBERS < plan->segments) fetch_segment(net, segment + FETCH_NUMBERS);
}

static void fetch_joint(const wy_network *net, int joint) {
    if (joint >= net->plan.joints || !net->plan.streams) return;
    const wy_network_joint *j = &net->plan.joint[joint];
    for (int k = j->first; k < j->first + j->count - j->quiet; k++) {
        wy_fetch(&net->plan.constraint[k], offsetof(wy_network_constraint, g.term[1]));
        wy_fetch(&net->state_of[k], offsetof(wy_constraint_state, bar));
    }
}

/* A 6 x 6 block into the values, of what moves. */
static void add_block(wy_network *net, const double *m, int stride, size_t at, int wide) {
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) net->value[at + (size_t)(i * wide + j)] += m[i * stride + j];
}

static int rigid_group_of(const wy_network *net, int member) {
    return member < 0 ? -1 : net->plan.member[member].rigid_group;
}

static void add_segment(wy_network *net, const wy_network_segment *g) {
    double front[12][WY_SEGMENT_FRONT];
    wy_segment_condense(net, g, front);
    for (int a = 0; a < 2; a++) {
        const int c = rigid_group_of(net, g->member[a]);
        if (!wy_rigid_group_free(net, c)) continue;
        for (int i = 0; i < 6; i++)
            net->side[net->plan.rigid_group[c].row + i] += front[6 * a + i][12];
        for (int b = 0; b < 2; b++) {
            if (wy_rigid_group_moves(net, rigid_group_of(net, g->member[b])))
                add_block(net, &front[6 * a][6 * b], WY_SEGMENT_FRONT, g->at[a][b], g->wide[b]);
        }
    }
}

/* Inertia, weight and loads; a held rigid group has its remaining way as right side. */
static void add_rigid_group(wy_network *net, int c) {
    const wy_network_rigid_group *own = &net->plan.rigid_group[c];
    const wy_blocks *x = &net->plan.reduced;
    const int place = x->place[own->block], wide = x->size[place];
    double a[6][6], b[6];
    if (!own->held) {
        wy_network_rigid_group_terms(net, c, a, b);
        add_block(net, &a[0][0], 6, x->diagonal[place], wide);
    }
    for (int i = 0; i < 6; i++) {
        if (own->held) net->value[x->diagonal[place] + (size_t)(i * wide + i)] = 1;
        net->side[own->row + i] += own->held ? net->rigid.next[c].change[i] : -b[i];
    }
}

/* Bbar^T slope Bplus + H, and the force. */
static void add_law(wy_network *net, const wy_network_joint *j, const wy_constraint_state *state,
                    double h[WY_PAIR][WY_PAIR]) {
    for (int n = 0; n < WY_PAIR; n++)
        for (int m = 0; m < WY_PAIR && state->slope != 0; m++)
            h[n][m] += state->bar[n] * state->slope * state->plus[m];
    for (int s = 0; s < 2; s++) {
        const int c = j->rigid_group[s];
        if (!wy_rigid_group_free(net, c)) continue;
        for (int i = 0; i < 6; i++)
            net->side[net->plan.rigid_group[c].row + i] -= state->bar[6 * s + i] * state->stress;
    }
}

/* The flexibility that the multiplier acts on, of the masses alone. */
static double flexibility(const wy_network *net, int c, const double *row) {
    const wy_director_mass *mass = &net->rigid.plan.mass[c];
    const double h = net->rigid.step->h, k = 0.5 * h * h;
    const double j = wy_min(mass->rotary[0], wy_min(mass->rotary[1], mass->rotary[2]));
    double sum = 0;
    for (int i = 0; i < 3; i++) sum += k * row[i] * row[i] / wy_max(mass->mass, 1e-300);
    for (int i = 3; i < 6; i++) sum += k * row[i] * row[i] / wy_max(j, 1e-300);
    return sum;
}

static void add_multiplier(wy_network *net, const wy_network_joint *j,
                           const wy_network_constraint *constraint,
                           const wy_constraint_state *state) {
    double *side = &net->side[constraint->row], eps = 0;
    if (j->loop && !net->rigid.step->dynamic) { /* director/static/closed_loop.c */
        wy_reduced_off(net, constraint, net->value);
        return;
    }
    *side -= state->value - state->target;
    for (int s = 0; s < 2; s++) {
        const int c = j->rigid_group[s];
        if (!wy_rigid_group_moves(net, c)) continue;
        const double *plus = &state->plus[6 * s], *bar = &state->bar[6 * s];
        const int held = net->plan.rigid_group[c].held;
        for (int i = 0; i < 6; i++) {
            if (!held)
                net->value[j->column[s] + (size_t)(i * j->wide_own + constraint->lies)] += bar[i];
            net->value[j->row[s] + (size_t)(constraint->lies * j->wide[s] + i)] += plus[i];
        }
        if (!held && net->plan.closing.redundant && net->rigid.step->dynamic)
            eps += EPS * flexibility(net, c, plus);
    }
    if (!net->plan.closing.redundant || !net->rigid.step->dynamic) return;
    const wy_blocks *x = &net->plan.reduced;
    const int place = x->place[constraint->block], n = x->size[place];
    net->value[x->diagonal[place] + (size_t)(constraint->lies * n + constraint->lies)] -= eps;
}

static void add_curve(const wy_network_constraint *constraint, const wy_pair_step *at,
                      const wy_constraint_state *state, double h[WY_PAIR][WY_PAIR]) {
    if (constraint->kind == WY_CONSTRAINT_ANGLE) {
        const wy_angle angle = {constraint->other, &constraint->g};
        wy_angle_curve(&angle, at, state->sigma, h);
    } else {
        wy_scalar_curve(&constraint->g, &at->mid, &at->plus, state->sigma, at->beta, h);
    }
}

void wy_reduced_add(wy_network *net, const wy_network_joint *j, const double h[WY_PAIR][WY_PAIR]) {
    for (int s = 0; s < 2; s++)
        for (int t = 0; t < 2; t++)
            if (wy_rigid_group_free(net, j->rigid_group[s]) &&
                wy_rigid_group_moves(net, j->rigid_group[t]))
                add_block(net, &h[6 * s][6 * t], WY_PAIR, j->at[s][t], j->wide[t]);
}

static void add_joint(wy_network *net, const wy_network_joint *j) {
    if (j->count == 0) return; /* a weld */
    const wy_pair_step at = wy_joint_pair(net, j);
    double h[WY_PAIR][WY_PAIR] = {{0}};
    for (int k = j->first; k < j->first + j->count - j->quiet; k++) {
        const wy_network_constraint *constraint = &net->plan.constraint[k];
        wy_constraint_state *state = &net->state_of[k], here;
        if (constraint->silent) continue;
        if (constraint->multiplier >= 0) { /* its rows are not needed again in this iteration */
            here = (wy_constraint_state){.target = state->target,
                                         .sigma = net->lambda[constraint->multiplier]};
            wy_constraint_find(net, j, k, &at, &here);
            state->value = here.value, state->stress = here.stress;
            state = &here;
            add_multiplier(net, j, constraint, state);
        } else {
            wy_constraint_find(net, j, k, &at, state);
        }
        add_law(net, j, state, h);
        add_curve(constraint, &at, state, h);
    }
    wy_reduced_add(net, j, (const double(*)[WY_PAIR])h);
}

void wy_joint_tangent(const wy_network *net, const wy_network_joint *j, double h[WY_PAIR][WY_PAIR],
                      wy_constraint_state *state) {
    const wy_pair_step at = wy_joint_pair(net, j);
    for (int k = 0; k < j->count; k++, state++) {
        const wy_network_constraint *constraint = &net->plan.constraint[j->first + k];
        *state = net->state_of[j->first + k];
        if (constraint->silent) continue;
        wy_constraint_find(net, j, j->first + k, &at, state);
        state->sigma = state->stress;
        add_curve(constraint, &at, state, h);
        for (int n = 0; n < WY_PAIR * WY_PAIR && state->slope != 0; n++)
            h[n / WY_PAIR][n % WY_PAIR] +=
                state->bar[n / WY_PAIR] * state->slope * state->plus[n % WY_PAIR];
    }
}

double wy_constraints_quotient(const wy_network *net, double *terms, double *round) {
    double sum = 0;
    for (int i = 0; i < net->plan.joints; i++) {
        const wy_network_joint *j = &net->plan.joint[i];
        wy_constraint_state state[WY_JOINT_CONSTRAINTS];
        double h[WY_PAIR][WY_PAIR] = {{0}}, u[WY_PAIR] = {0}, own = 0;
        for (int n = 0; n < WY_PAIR; n++)
            if (j->rigid_group[n / 6] >= 0)
                u[n] = net->rigid.next[j->rigid_group[n / 6]].change[n % 6];
        wy_joint_tangent(net, j, h, state);
        for (int n = 0; n < WY_PAIR * WY_PAIR; n++) {
            const double term = u[n / WY_PAIR] * h[n / WY_PAIR][n % WY_PAIR] * u[n % WY_PAIR];
            own += term, *round += DBL_EPSILON * fabs(term);
        }
        sum += own, *terms += fabs(own);
    }
    return sum;
}

/* All that an iteration does with a rod before the reduced system is known, at once: its numbers are fetched once.  Returns
 * the first segment of the next rod. */
static int add_rod(wy_network *net, int rod, double share, int segment, withy_status *status,
                   withy_error *err) {
    wy_director *x = &net->rod[rod];
    if (share > 0) wy_network_move_rod(net, rod, share);
    x->step->negative = 0, x->step->has_stress_of_guess = net->rigid.step->has_stress_of_guess;
    *status = wy_director_state_loads_at(x, 1, err);
    for (int e = 0; wy_network_pairs(net) && e < x->plan.n; e++) wy_contacts_element(net, rod, e);
    if (wy_network_pairs(net)) return 0;
    for (; segment < net->plan.segments && net->plan.segment[segment].rod == rod; segment++)
        add_segment(net, &net->plan.segment[segment]);
    return segment;
}

withy_status wy_reduced_fill(wy_network *net, double share, withy_error *err) {
    const wy_network_plan *plan = &net->plan;
    memset(net->value, 0, plan->reduced.values * sizeof *net->value);
    memset(net->side, 0, (size_t)plan->reduced.rows * sizeof *net->side);
    for (int i = 0, segment = 0; i < plan->rods; i++) {
        withy_status status;
        segment = add_rod(net, i, share, segment, &status, err);
        if (status != WITHY_OK) return status;
    }
    if (plan->streams) wy_stream_end();
    for (int c = 0; c < wy_network_moving(net); c++) add_rigid_group(net, c);
    for (int i = 0; i < plan->joints; i++) {
        fetch_joint(net, i + 2);
        add_joint(net, &plan->joint[i]);
    }
    if (wy_network_pairs(net)) wy_contacts_fill(net);
    return WITHY_OK;
}

static void spread_rigid_group(wy_network *net, int c) {
    if (!net->plan.rigid_group[c].held)
        memcpy(net->rigid.next[c].change, &net->side[net->plan.rigid_group[c].row],
               6 * sizeof(double));
}

static void spread_multipliers(wy_network *net) {
    for (int m = 0; m < net->plan.multipliers; m++) net->change[m] = net->side[net->row[m]];
}

/* net->side, solved, into the changes of rigid groups and multipliers, and from there to all nodes. */
double wy_reduced_spread(wy_network *net) {
    const wy_network_plan *plan = &net->plan;
    for (int c = 0; c < wy_network_moving(net); c++) spread_rigid_group(net, c);
    spread_multipliers(net);
    double size = wy_director_change_size(&net->rigid);
    if (wy_network_pairs(net)) wy_contacts_spread(net);
    for (int i = 0, segment = 0; i < plan->rods; i++) {
        for (;
             !wy_network_pairs(net) && segment < plan->segments && plan->segment[segment].rod == i;
             segment++) {
            fetch_forward(net, i, segment);
            wy_segment_back(net, &plan->segment[segment]);
        }
        size = wy_max(size, wy_director_change_size(&net->rod[i]));
    }
    return size;
}

/* ---- without loops: turn by turn ------------------------------------------------------------------------------ */

static void clear_new(wy_network *net, int turn) {
    const wy_blocks *x = &net->plan.reduced;
    for (int i = net->turn.new_row_first[turn]; i < net->turn.new_row_first[turn + 1]; i++) {
        const int k = net->turn.new_row[i];
        const size_t from = x->diagonal[k], to = k + 1 < x->count ? x->diagonal[k + 1] : x->values;
        memset(&net->value[from], 0, (to - from) * sizeof *net->value);
    }
}

/* The rows that are touched first in a turn are written there, and read only after that. */
static void fetch_turn(const wy_network *net, int turn) {
    const wy_blocks *x = &net->plan.reduced;
    if (turn >= net->turn.count || !net->plan.streams) return;
    for (int i = net->turn.new_row_first[turn]; i < net->turn.new_row_first[turn + 1]; i++) {
        const int k = net->turn.new_row[i];
        const size_t from = x->diagonal[k], to = k + 1 < x->count ? x->diagonal[k + 1] : x->values;
        wy_fetch_own(&net->value[from], (to - from) * sizeof *net->value);
    }
}

/* What wy_blocks_back reads. */
static void fetch_back(const wy_network *net, int k) {
    const wy_blocks *x = &net->plan.reduced;
    if (k < 0 || !net->plan.streams) return;
    for (int a = x->begin[k]; a < x->begin[k + 1]; a++)
        wy_fetch(&net->value[x->upper[a]],
                 (size_t)(x->size[k] * x->size[x->neighbour[a]]) * sizeof *net->value);
}

/* The rods whose turns come before that of rod i of the list. */
static void fetch_back_rods(const wy_network *net, int i) {
    const wy_network_turns *turn = &net->turn;
    if (!net->plan.streams) return;
    if (i >= FETCH_WHERE) {
        const int rod = turn->rod[i - FETCH_WHERE];
        fetch_where(net, rod, turn->segment[rod]);
    }
    if (i >= FETCH_TIES) fetch_ties(net, turn->segment[turn->rod[i - FETCH_TIES]]);
    if (i >= FETCH_NUMBERS) fetch_segment(net, turn->segment[turn->rod[i - FETCH_NUMBERS]]);
}

static void add_joints(wy_network *net, int turn) {
    const wy_network_turns *x = &net->turn;
    for (int i = x->joint_first[turn]; i < x->joint_first[turn + 1]; i++) {
        if (i + 5 < x->joint_first[x->count])
            wy_fetch(&net->plan.joint[x->joint[i + 5]], sizeof *net->plan.joint);
        if (i + 2 < x->joint_first[x->count]) fetch_joint(net, x->joint[i + 2]);
        add_joint(net, &net->plan.joint[x->joint[i]]);
    }
}

/* A batch of turns, so that the code of rods, joints and elimination changes places in the caches once for all of
 * them, and that their rows are still there. */
enum { BATCH_RODS = 16, BATCH_TURNS = 64 };

static int batch_end(const wy_network_turns *turn, int from) {
    int to = from + 1;
    while (to <= turn->count && to - from < BATCH_TURNS &&
           turn->rod_first[to + 1] - turn->rod_first[from] <= BATCH_RODS)
        to++;
    return to;
}

static withy_status add_rods(wy_network *net, double share, int from, int to, withy_error *err) {
    const wy_network_turns *turn = &net->turn;
    for (int k = from; k < to; k++) {
        if (k < turn->count) clear_new(net, k);
        fetch_turn(net, k + 1);
        for (int i = turn->rod_first[k]; i < turn->rod_first[k + 1]; i++) {
            withy_status status;
            add_rod(net, turn->rod[i], share, turn->segment[turn->rod[i]], &status, err);
            if (status != WITHY_OK) return status;
        }
    }
    return WITHY_OK;
}

/* wy_reduced_fill, wy_blocks_factor and the first half of wy_blocks_solve; *regular: 0 where a row is singular. */
static withy_status eliminate(wy_network *net, double share, int *regular, withy_error *err) {
    const wy_network_turns *turn = &net->turn;
    const wy_blocks *x = &net->plan.reduced;
    *regular = 1;
    memset(net->side, 0, (size_t)x->rows * sizeof *net->side);
    for (int from = 0, to; from <= turn->count; from = to) {
        to = batch_end(turn, from);
        const int rows = to < turn->count ? to : turn->count; /* the last turn has none */
        WY_TRY(add_rods(net, share, from, to, err));
        for (int k = from; k < rows; k++)
            if (turn->rigid_group[k] >= 0) add_rigid_group(net, turn->rigid_group[k]);
        for (int k = from; k < rows; k++) add_joints(net, k);
        for (int k = from; k < rows && *regular; k++)
            *regular = wy_blocks_eliminate(x, k, net->value, net->pivot, net->side);
    }
    if (net->plan.streams) wy_stream_end();
    return WITHY_OK;
}

/* The second half, and wy_reduced_spread: the same turns backwards, so that what was written last is read first. */
static double spread_back(wy_network *net) {
    const wy_network_turns *turn = &net->turn;
    const wy_network_plan *plan = &net->plan;
    double size = 0;
    for (int k = turn->count; k >= 0; k--) {
        fetch_back(net, k - 4);
        if (k < turn->count) wy_blocks_back(&plan->reduced, k, net->value, net->side);
        if (k < turn->count && turn->rigid_group[k] >= 0)
            spread_rigid_group(net, turn->rigid_group[k]);
        for (int i = turn->rod_first[k + 1] - 1; i >= turn->rod_first[k]; i--) {
            const int rod = turn->rod[i];
            fetch_back_rods(net, i);
            for (int g = turn->segment[rod]; g < plan->segments && plan->segment[g].rod == rod; g++)
                wy_segment_back(net, &plan->segment[g]);
            size = wy_max(size, wy_director_change_size(&net->rod[rod]));
        }
    }
    spread_multipliers(net);
    return wy_max(size, wy_director_change_size(&net->rigid));
}

withy_status wy_reduced_solve(wy_network *net, double share, double *size, withy_error *err) {
    *size = INFINITY;
    if (net->turn.count) {
        int regular;
        WY_TRY(eliminate(net, share, &regular, err));
        if (regular) *size = spread_back(net);
        return WITHY_OK;
    }
    WY_TRY(wy_reduced_fill(net, share, err));
    const wy_blocks *x = &net->plan.reduced;
    if (x->count) { /* not of rods alone */
        if (!wy_blocks_factor(x, net->value, net->pivot, NULL, NULL)) return WITHY_OK;
        wy_blocks_solve(x, net->value, net->pivot, net->side);
    }
    *size = wy_reduced_spread(net);
    return WITHY_OK;
}
