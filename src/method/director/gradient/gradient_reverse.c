/* gradient_reverse.c - a step and an equilibrium backwards: derivatives of one number by everything.
 *
 * Let a be dJ/d(state) at the end of a step.  With gradient.c (1), (2), G of the step and c+-  the arm of a lump,
 *
 *   ghat_r = a_r + (2/h) (a_v + a_u),   ghat_phi = a_phi + (2/h) (G^T R- a_W + c+ x a_u)             (1)
 *   B^T mu = ghat,                      B = A, in the held rows the identity                         (2)
 *   a-     = -dF/d(state-)^T mu - ((2/h) (a_v + a_u), (2/h) (G^T R- a_W + c- x a_u), a_v, a_W)       (3)
 *   dJ/dp += -mu . dF/dp + mu . (rate of the held pose)                                              (4)
 *
 * With T of a copy, (1) of gradient_network.h, and Tm the same with pm, what is solved for and the multiplier of a copy are
 *
 *   ghat_c += T^T ghat_k,   mu_k = Tm mu_c = (mu_r + mu_phi x pm, mu_phi)                            (5)
 *   dJ/d(own change of a copy) = ghat_k - (dF/dq+)_k^T mu,   and for its arm  -mu_phi . (dpm x F_r,k)
 *
 * The cost does not depend on the number of parameters: (4) is summed for fields, and a parameter takes its share of them
 * at the end.
 */
#include "method/director/gradient/gradient_network.h"

void wy_net_clear(wy_network *net) {
    for (int i = 0; i <= net->plan.rods; i++) {
        const wy_slopes *s = wy_net_part(net, i)->slopes;
        memset(s->by.all, 0, (size_t)s->at[WY_FIELD_KINDS] * sizeof *s->by.all);
        memset(s->live_by, 0, ((size_t)s->count + 1) * sizeof *s->live_by);
    }
    memset(net->slopes->near_by, 0, ((size_t)net->slopes->count + 1) * sizeof(double));
    wy_net_clear_contacts(net);
    net->slopes->fault = 0;
}

/* ---- the end of the step: (1), and (3) without F -------------------------------------------------------- */

static void leave_node(const wy_director *x, int j, double twice) {
    wy_adjoint_node *a = &x->slopes->by.node[j];
    double *side = &x->slopes->now.side[6 * j];
    const mat3 spin = wy_director_spin_map(x->next[j].theta);
    const vec3 v = v3_from(a->v), w = v3_from(a->w);
    const vec3 turn = m3_tmul(spin, m3_mul(tri_matrix(x->node[j].d), w));
    memcpy(side, a->q, sizeof a->q);
    memset(a, 0, sizeof *a);
    if (!x->step->dynamic) return;
    add6(side, twice, v, turn), add6(a->q, -twice, v, turn);
    v3_to(v3_scale(-1, v), a->v), v3_to(v3_scale(-1, w), a->w);
}

static void leave_lump(const wy_director *x, int which, double twice) {
    wy_adjoint_fields *by = &x->slopes->by;
    const wy_director_end *end = &x->plan.end[which];
    const int j = end->node;
    const vec3 u = v3_scale(twice, v3_from(by->lump[which].u));
    const mat3 plus = tri_matrix(x->next[j].d), minus = tri_matrix(x->node[j].d);
    add6(&x->slopes->now.side[6 * j], 1, u, v3_cross(m3_mul(plus, end->arm), u));
    add6(by->node[j].q, -1, u, v3_cross(m3_mul(minus, end->arm), u));
    add_at(by->end[which].arm, 1, v3_sub(m3_tmul(plus, u), m3_tmul(minus, u)));
    for (int i = 0; i < 3; i++) by->lump[which].u[i] = -by->lump[which].u[i];
}

/* Where a node of a part is in the matrix. */
static int row_of(const wy_network *net, int part, int j) {
    if (part) return wy_net_row(net, part - 1, j);
    return wy_blocks_row(&net->slopes->blocks, wy_net_rigid_group_block(net, j));
}

static void leave(wy_network *net, int part) {
    wy_net_slopes *s = net->slopes;
    wy_director *x = wy_net_part(net, part);
    const double twice = 2.0 / x->step->h;
    wy_slope_plus(x);
    wy_slope_nodes_plus(x);
    for (int j = 0; j < x->slopes->nodes; j++) leave_node(x, j, twice);
    for (int i = 0; i < 2 && part && x->step->dynamic; i++) leave_lump(x, i, twice);
    if (part) wy_net_leave_contacts(net, part - 1);
    for (int j = 0; j < x->slopes->nodes && !x->slopes->alone; j++) { /* (5) */
        const vec3 way = v3_from(&x->slopes->now.side[6 * j]);
        const int k = part ? wy_net_member(net, part - 1)[j] : -1;
        double *to = &s->requested[row_of(net, part, j)];
        add6(to, 1, way, v3_from(&x->slopes->now.side[6 * j + 3]));
        if (k >= 0) add6(to, 1, v3(0, 0, 0), v3_cross(wy_group_node_arm(net, k, 1), way));
    }
}

/* ---- the multiplier ---------------------------------------------------------------------------------------- */

/* Of rigid groups and joints: what is held apart from the rest. */
static void split_rigid(wy_network *net) {
    wy_net_slopes *s = net->slopes;
    double *mu = net->rigid.slopes->now.mu;
    memset(s->held, 0, 6 * (size_t)net->plan.rigid_groups * sizeof *s->held);
    memset(mu, 0, (size_t)wy_net_rows(net) * sizeof *mu);
    for (int c = 0; c < net->plan.rigid_groups; c++)
        memcpy(net->plan.rigid_group[c].held ? &s->held[6 * c] : &mu[6 * c],
               &s->mu[row_of(net, 0, c)], 6 * sizeof *mu);
    for (int k = 0; k < net->plan.constraints; k++) {
        const wy_network_constraint *constraint = &net->plan.constraint[k];
        if (constraint->multiplier >= 0)
            mu[6 * net->plan.rigid_groups + constraint->multiplier] =
                s->mu[wy_blocks_row(&s->blocks, constraint->block) + constraint->lies];
    }
}

/* (5) of the nodes of a rod that belongs to rigid groups. */
static void give_rod(wy_network *net, int rod) {
    const wy_net_slopes *s = net->slopes;
    for (int j = 0; j < net->rod[rod].plan.node_count; j++) {
        const int k = wy_net_member(net, rod)[j];
        double *mu = &net->rod[rod].slopes->now.mu[6 * j];
        const double *from = k < 0
                                 ? &s->mu[wy_net_row(net, rod, j)]
                                 : &net->rigid.slopes->now.mu[6 * net->plan.member[k].rigid_group];
        memcpy(mu, from, 6 * sizeof *mu);
        if (k >= 0) add_at(mu, 1, v3_cross(v3_from(from + 3), wy_group_node_mean_arm(net, k)));
    }
}

void wy_slope_part_held(wy_director *x, int which, double held[6]) {
    double *mu = &x->slopes->now.mu[6 * x->plan.end[which].node];
    v3_to(wy_director_held(&x->plan.end[which], v3_from(mu)), held);
    v3_to(wy_slope_held_turn(x, which, v3_from(mu + 3)), held + 3);
    for (int i = 0; i < 6; i++) mu[i] -= held[i];
}

/* What its ends hold apart from the rest; ends that are copies hold nothing. */
static void split_rod(wy_network *net, int rod) {
    wy_director *x = &net->rod[rod];
    if (!x->slopes->alone) give_rod(net, rod);
    for (int e = 0; e < 2; e++) {
        wy_adjoint_act *to = &x->slopes->now.acting.act[e];
        double held[6] = {0};
        if (wy_net_member(net, rod)[x->plan.end[e].node] < 0) wy_slope_part_held(x, e, held);
        v3_to(v3_from(held), to->place), v3_to(v3_from(held + 3), to->turn);
    }
}

/* ---- (3), (4) ------------------------------------------------------------------------------------------------ */

/* A copy by the start of the step, and what it does on its own. */
static void pull_member(wy_network *net, int k) {
    const wy_group_node *m = &net->plan.member[k];
    const int c = m->rigid_group;
    const wy_slopes *rigid = net->rigid.slopes, *s = net->rod[m->rod].slopes;
    const double beta = net->rigid.step->beta;
    const mat3 plus = tri_matrix(net->rigid.next[c].d), minus = tri_matrix(net->rigid.node[c].d);
    const vec3 couple = v3_cross(net->slopes->force[k], v3_from(&rigid->now.mu[6 * c + 3]));
    double left[6]; /* mu_phi . (a x F) = a . (F x mu_phi) */
    add_at(rigid->by.node[c].q + 3, -(1 - beta), v3_cross(wy_group_node_arm(net, k, 0), couple));
    if (!net->slopes->carried) return;
    for (int i = 0; i < 6; i++)
        left[i] = s->now.side[6 * m->node + i] - s->now.rest[6 * m->node + i];
    wy_adjoint_member *to = &rigid->by.member[k];
    add_at(to->o, 1, m3_tmul(plus, v3_axpy(v3_from(left), -beta, couple)));
    add_at(to->o, -(1 - beta), m3_tmul(minus, couple));
    add_at(to->q, 1, m3_tmul(plus, v3_from(left + 3)));
}

static void pull_members(wy_network *net) {
    for (int i = 0; i < net->plan.rods; i++) {
        const wy_director *x = &net->rod[i];
        if (x->slopes->alone) continue;
        memset(x->slopes->now.rest, 0, 6 * (size_t)x->plan.node_count * sizeof(double));
        if (net->slopes->carried)
            wy_slope_plus_transposed(x, x->slopes->now.mu, x->slopes->now.rest);
        if (net->slopes->carried) wy_net_tendons_transposed(net, i, x->slopes->now.rest);
    }
    for (int k = 0; k < net->plan.members; k++) pull_member(net, k);
}

static void start_elements(wy_director *x) {
    wy_slopes *s = x->slopes;
    const int p = x->plan.p;
    double minus[6 * WY_ELEMENT_NODES][WY_DIRECTOR_STRIDE], out[6 * WY_ELEMENT_NODES];
    for (int e = 0; e < x->plan.n; e++) {
        memset(out, 0, sizeof out);
        wy_director_element(&s->back, e, minus);
        wy_slope_transposed(p, (const double(*)[WY_DIRECTOR_STRIDE])minus, &s->now.mu[6 * e * p],
                            out);
        for (int i = 0; i < 6 * (p + 1); i++) s->by.node[e * p + i / 6].q[i % 6] -= out[i];
    }
}

static withy_status pull_live(wy_director *x, int k, double t_load, double t_pose,
                              withy_error *err) {
    const wy_slopes *s = x->slopes;
    WY_TRY(wy_fields_act_live(x, k, t_load, t_pose, err));
    for (int i = 0; i < s->at[WY_FIELD_hold]; i++)
        s->live_by[k] += s->now.acting.all[i] * s->acting[k / WY_PACK].all[i][k % WY_PACK];
    return WITHY_OK;
}

static withy_status pull_rigid(wy_network *net, int k, double t_load, double t_pose,
                               withy_error *err) {
    const wy_net_slopes *s = net->slopes;
    const wy_slopes *rigid = net->rigid.slopes;
    const double *force = s->given_by;
    double *sum = &rigid->live_by[k];
    WY_TRY(wy_net_explicit(net, k, t_load, t_pose, s->given_by, s->given, err));
    for (int n = 0; n < wy_net_rows(net); n++) *sum -= rigid->now.mu[n] * *force++;
    for (int n = 0; n < net->plan.columns; n++) *sum += s->border.change[n] * *force++;
    for (int i = 0; i < net->plan.rods && net->plan.tendons; i++)
        for (int n = 0; n < 6 * net->rod[i].plan.node_count; n++)
            *sum -= net->rod[i].slopes->now.mu[n] * *force++;
    for (int n = 0; n < 6 * net->plan.rigid_groups; n++)
        *sum += s->held[n] * s->given[n / 6].q[n % 6];
    return WITHY_OK;
}

static withy_status close_part(wy_network *net, int part, double t_load, double t_pose,
                               withy_error *err) {
    wy_director *x = wy_net_part(net, part);
    wy_slopes *s = x->slopes;
    if (x->step->dynamic) {
        wy_slope_turn_back(x);
        start_elements(x);
    }
    for (int e = 0; e < x->plan.n; e++)
        wy_slope_element_pull(x, e, &s->now.mu[6 * e * x->plan.p], &s->by);
    wy_slope_nodes_pull(x);
    wy_fields_act_pull(x);
    for (int k = 0; k < s->count; k++)
        if (s->live[k].at[0])
            WY_TRY(part ? pull_live(x, k, t_load, t_pose, err)
                        : pull_rigid(net, k, t_load, t_pose, err));
    return WITHY_OK;
}

withy_status wy_net_reverse(wy_network *net, double t_load, double t_pose, withy_error *err) {
    wy_net_slopes *s = net->slopes;
    memset(s->requested, 0, (size_t)s->blocks.rows * sizeof *s->requested);
    for (int i = 0; i <= net->plan.rods; i++) leave(net, i);
    WY_TRY(wy_net_factor(net, err));
    if (s->border.count)
        memcpy(s->border.sum, s->requested, (size_t)s->blocks.rows * sizeof(double));
    WY_TRY(wy_net_border(net, err));
    if (s->border.count)
        memcpy(s->requested, s->border.sum, (size_t)s->blocks.rows * sizeof(double));
    if (s->blocks.count) s->fault = wy_max(s->fault, wy_net_solve_transposed(net));
    wy_net_border_solve_transposed(net);
    for (int i = 0; i < net->plan.rods; i++)
        if (net->rod[i].slopes->alone)
            s->fault = wy_max(s->fault, wy_chain_solve_transposed(&net->rod[i]));
    split_rigid(net);
    for (int i = 0; i < net->plan.rods; i++) split_rod(net, i);
    pull_members(net);
    WY_TRY(wy_net_pull_contacts(net, t_pose, err));
    if (net->rigid.step->dynamic) {
        wy_net_turn_back(net);
        wy_net_joints(net, 1);
    }
    for (int i = net->plan.rods; i >= 0; i--) WY_TRY(close_part(net, i, t_load, t_pose, err));
    return WITHY_OK;
}

double wy_net_reverse_sum(const wy_network *net, int k, int moved, int settled) {
    double sum = net->slopes->near_by[k];
    for (int i = 0; i <= net->plan.rods; i++) {
        const wy_slopes *s = wy_net_part((wy_network *)net, i)->slopes;
        const int lives = s->live[k].at[0] != NULL;
        if (lives) sum += s->live_by[k];
        sum += wy_fields_sum(s, k, lives ? s->at[WY_FIELD_section] : 0,
                             s->at[moved && !settled ? WY_FIELD_KINDS : WY_FIELD_node]);
    }
    return sum;
}
