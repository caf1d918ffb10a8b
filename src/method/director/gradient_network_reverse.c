/* gradient_network_reverse.c - a step and an equilibrium of a network backwards: derivatives of one number.
 *
 * director/gradient_reverse.c with the unknowns of the network.  With T of a copy, (1) of gradient_network.h, and Tm the
 * same with pm, what is solved for and the multiplier of a copy are
 *
 *   ghat_c += T^T ghat_k,   mu_k = Tm mu_c = (mu_r + mu_phi x pm, mu_phi)
 *   dJ/d(own change of a copy) = ghat_k - (dF/dq+)_k^T mu,   and for its arm  -mu_phi . (dpm x F_r,k)
 */
#include <string.h>

#include "method/director/gradient_network.h"

void wy_net_clear(wy_network *net) {
    wy_net_by *by = &net->slopes->by;
    const size_t clusters = (size_t)net->plan.clusters;
    for (int i = 0; i < net->plan.rods; i++) wy_slope_clear(&net->rod[i]);
    memset(by->member, 0, ((size_t)net->plan.members + 1) * sizeof *by->member);
    memset(by->mass, 0, (clusters + 1) * sizeof *by->mass);
    memset(by->node, 0, (clusters + 1) * sizeof *by->node);
    memset(by->live, 0, ((size_t)net->slopes->count + 1) * sizeof *by->live);
    by->gravity = v3(0, 0, 0), by->fault = 0;
}

/* ---- dJ by what is solved for ------------------------------------------------------------------------------------ */

static double *row_of(const wy_network *net, double *a, int cluster) {
    return &a[wy_blocks_row(&net->slopes->blocks, wy_net_cluster_block(net, cluster))];
}

static void leave_clusters(wy_network *net) {
    wy_net_slopes *s = net->slopes;
    for (int c = 0; c < net->plan.clusters; c++) {
        double *to = row_of(net, s->want, c), six[6];
        wy_adjoint_node *a = &s->by.node[c];
        if (net->hub.step->dynamic) {
            wy_slope_leave_node(&net->hub, c, 2.0 / net->hub.step->h, a, six);
        } else {
            v3_to(a->r, six), v3_to(a->phi, six + 3);
            memset(a, 0, sizeof *a);
        }
        add6(to, 1, v3_from(six), v3_from(six + 3));
    }
}

static void leave_rod(wy_network *net, int rod) {
    wy_net_slopes *s = net->slopes;
    wy_director *x = &net->rod[rod];
    wy_slope_reverse_open(x);
    for (int j = 0; j < x->plan.node_count && !x->slopes->alone; j++) {
        const double *side = &x->slopes->now.side[6 * j];
        const int k = s->rod[rod].member[j];
        double *to = &s->want[wy_net_row(net, rod, j)];
        add6(to, 1, v3_from(side), v3_from(side + 3));
        if (k >= 0) add6(to, 1, v3(0, 0, 0), v3_cross(wy_net_arm(net, k, 1), v3_from(side)));
    }
}

/* ---- the multiplier ---------------------------------------------------------------------------------------------- */

/* Of clusters and joints: what is held apart from the rest. */
static void split_hub(wy_network *net) {
    wy_net_slopes *s = net->slopes;
    const size_t clusters = (size_t)net->plan.clusters;
    memset(s->held, 0, 6 * clusters * sizeof *s->held);
    memset(s->hub_mu, 0, (size_t)wy_net_rows(net) * sizeof *s->hub_mu);
    for (int c = 0; c < net->plan.clusters; c++)
        memcpy(net->plan.cluster[c].held ? &s->held[6 * c] : &s->hub_mu[6 * c],
               row_of(net, s->mu, c), 6 * sizeof *s->mu);
    for (int k = 0; k < net->plan.links; k++) {
        const wy_network_link *link = &net->plan.link[k];
        if (link->multiplier >= 0)
            s->hub_mu[6 * net->plan.clusters + link->multiplier] =
                s->mu[wy_blocks_row(&s->blocks, link->block) + link->lies];
    }
}

/* The multipliers of the nodes of a rod that belongs to clusters. */
static void give_rod(wy_network *net, int rod) {
    const wy_net_slopes *s = net->slopes;
    const wy_director *x = &net->rod[rod];
    for (int j = 0; j < x->plan.node_count; j++) {
        const int k = s->rod[rod].member[j];
        double *mu = &x->slopes->now.mu[6 * j];
        if (k < 0) {
            memcpy(mu, &s->mu[wy_net_row(net, rod, j)], 6 * sizeof *mu);
            continue;
        }
        const double *from = &s->hub_mu[6 * net->plan.member[k].cluster];
        v3_to(v3_add(v3_from(from), v3_cross(v3_from(from + 3), wy_net_mean_arm(net, k))), mu);
        v3_to(v3_from(from + 3), mu + 3);
    }
}

/* What its ends hold apart from the rest; ends that are copies hold nothing. */
static void split_rod(wy_network *net, int rod) {
    wy_director *x = &net->rod[rod];
    if (!x->slopes->alone) give_rod(net, rod);
    for (int e = 0; e < 2; e++) {
        double held[6] = {0};
        if (net->slopes->rod[rod].member[x->plan.end[e].node] < 0) wy_slope_part_held(x, e, held);
        x->slopes->now.end[e].place = v3_from(held), x->slopes->now.end[e].turn = v3_from(held + 3);
    }
}

/* ---- what copies do on their own ----------------------------------------------------------------------------------- */

static void pull_member(wy_network *net, int k) {
    wy_net_slopes *s = net->slopes;
    const wy_network_member *m = &net->plan.member[k];
    wy_director *x = &net->rod[m->rod];
    const int p = x->plan.p, rows = 6 * (p + 1), j = m->node;
    const double *mu = x->slopes->now.mu, beta = net->hub.step->beta;
    double left[6];
    memcpy(left, &x->slopes->now.side[6 * j], sizeof left);
    for (int e = j / p - 1; e <= j / p; e++) { /* the elements on both sides */
        if (e < 0 || e >= x->plan.n) continue;
        double out[6 * WY_ELEMENT_NODES] = {0};
        wy_slope_transposed(
            p, (const double(*)[WY_DIRECTOR_STRIDE]) & x->slopes->plus[(size_t)e * (size_t)rows],
            &mu[6 * e * p], out);
        for (int i = 0; i < 6; i++) left[i] -= out[6 * (j - e * p) + i];
    }
    for (int n = 0; n < 36; n++)
        left[n % 6] -= x->slopes->node_plus[j][n / 6][n % 6] * mu[6 * j + n / 6];
    const mat3 plus = tri_matrix(net->hub.next[m->cluster].d);
    const mat3 minus = tri_matrix(net->hub.node[m->cluster].d);
    const vec3 turn = v3_from(&s->hub_mu[6 * m->cluster + 3]);
    const vec3 couple = v3_cross(s->force[k], turn); /* mu_phi . (a x F) = a . (F x mu_phi) */
    add_to(&s->by.member[k].o, 1, m3_tmul(plus, v3_axpy(v3_from(left), -beta, couple)));
    add_to(&s->by.member[k].o, -(1 - beta), m3_tmul(minus, couple));
    add_to(&s->by.member[k].q, 1, m3_tmul(plus, v3_from(left + 3)));
}

/* ---- the start of the step, and fields -------------------------------------------------------------------------------- */

static void start_clusters(wy_network *net) {
    wy_net_slopes *s = net->slopes;
    for (int c = 0; c < net->plan.clusters; c++) {
        const double *mu = &s->hub_mu[6 * c];
        const vec3 way = v3_from(mu), turn = v3_from(mu + 3);
        wy_adjoint_node *to = &s->by.node[c];
        double a[6][6], out[6] = {0};
        wy_net_inertia_pull(net, c, way, turn);
        if (!net->hub.step->dynamic) continue;
        const wy_slope_inertia own = wy_slope_inertia_of(&net->hub, c);
        add_to(&to->r, own.shift, way), add_to(&to->v, own.speed, way);
        add_to(&to->phi, -1, m3_tmul(own.minus, turn));
        add_to(&to->w, -1, m3_tmul(own.spin, turn));
        wy_net_loads(&s->back, c, a);
        for (int n = 0; n < 36; n++) out[n % 6] += a[n / 6][n % 6] * mu[n / 6];
        add_to(&to->r, -1, v3_from(out)), add_to(&to->phi, -1, v3_from(out + 3));
    }
}

/* pm x F_r of copies by the start. */
static void start_members(wy_network *net) {
    wy_net_slopes *s = net->slopes;
    for (int k = 0; k < net->plan.members; k++) {
        const int c = net->plan.member[k].cluster;
        const vec3 couple = v3_cross(s->force[k], v3_from(&s->hub_mu[6 * c + 3]));
        const vec3 p = wy_net_arm(net, k, 0); /* couple . (dphi x p) = dphi . (p x couple) */
        add_to(&s->by.node[c].phi, -(1 - net->hub.step->beta), v3_cross(p, couple));
    }
}

static void start_joints(wy_network *net) {
    wy_net_slopes *s = net->slopes;
    for (int i = 0; i < net->plan.joints; i++) {
        const wy_network_joint *j = &net->plan.joint[i];
        double h[WY_PAIR][WY_PAIR] = {{0}}, out[WY_PAIR] = {0};
        wy_network_pull pull[WY_JOINT_LINKS];
        wy_joint_tangent(&s->back, j, h, pull);
        for (int n = 0; n < WY_PAIR * WY_PAIR; n++) {
            const int c = j->cluster[n / WY_PAIR / 6];
            if (c >= 0)
                out[n % WY_PAIR] +=
                    h[n / WY_PAIR][n % WY_PAIR] * s->hub_mu[6 * c + n / WY_PAIR % 6];
        }
        for (int a = 0; a < 2; a++) {
            if (j->cluster[a] < 0) continue;
            wy_adjoint_node *to = &s->by.node[j->cluster[a]];
            add_to(&to->r, -1, v3_from(&out[6 * a])),
                add_to(&to->phi, -1, v3_from(&out[6 * a + 3]));
        }
    }
}

static withy_status pull_live(wy_network *net, double t_load, double t_pose, withy_error *err) {
    wy_net_slopes *s = net->slopes;
    wy_adjoint_node *held = s->given;
    for (int k = 0; k < s->count; k++) {
        if (!s->live[k].at[0]) continue;
        WY_TRY(wy_net_explicit(net, k, t_load, t_pose, s->want, held, err));
        for (int n = 0; n < wy_net_rows(net); n++) s->by.live[k] -= s->hub_mu[n] * s->want[n];
        for (int c = 0; c < net->plan.clusters; c++)
            s->by.live[k] += v3_dot(v3_from(&s->held[6 * c]), held[c].r) +
                             v3_dot(v3_from(&s->held[6 * c + 3]), held[c].phi);
    }
    return WITHY_OK;
}

withy_status wy_net_reverse(wy_network *net, double t_load, double t_pose, withy_error *err) {
    wy_net_slopes *s = net->slopes;
    const int moving = net->hub.step->dynamic;
    memset(s->want, 0, (size_t)s->blocks.rows * sizeof *s->want);
    for (int i = 0; i < net->plan.rods; i++) leave_rod(net, i);
    leave_clusters(net);
    WY_TRY(wy_net_factor(net, err));
    if (s->blocks.count) s->by.fault = wy_max(s->by.fault, wy_net_solve_transposed(net));
    for (int i = 0; i < net->plan.rods; i++)
        if (net->rod[i].slopes->alone)
            s->by.fault = wy_max(s->by.fault, wy_chain_solve_transposed(&net->rod[i]));
    split_hub(net);
    for (int i = 0; i < net->plan.rods; i++) split_rod(net, i);
    for (int k = 0; k < net->plan.members && s->carried; k++) pull_member(net, k);
    if (moving) wy_net_turn_back(net);
    start_clusters(net);
    if (moving) start_members(net), start_joints(net);
    for (int i = 0; i < net->plan.rods; i++)
        WY_TRY(wy_slope_reverse_close(&net->rod[i], t_load, t_pose, err));
    return pull_live(net, t_load, t_pose, err);
}

/* ---- a parameter ------------------------------------------------------------------------------------------------------- */

double wy_net_reverse_sum(const wy_network *net, int k, int moved, int settled) {
    const wy_net_slopes *s = net->slopes;
    const wy_net_fields *f = &s->field[k / WY_PACK];
    const int l = k % WY_PACK;
    double sum = s->by.live[k] + wy_slope_dot(s->by.gravity, f->gravity, l);
    for (int i = 0; i < net->plan.rods; i++)
        sum += wy_slope_reverse_sum(&net->rod[i], k, moved, settled);
    for (int i = 0; i < net->plan.members; i++)
        sum += wy_slope_dot(s->by.member[i].o, f->member[i].o, l) +
               wy_slope_dot(s->by.member[i].q, f->member[i].q, l);
    for (int c = 0; c < net->plan.clusters; c++) {
        const wy_adjoint_node *to = &s->by.node[c];
        const wy_slope_node *d = &f->first[c];
        sum += s->by.mass[c].mass * f->mass[c].mass[l];
        for (int i = 0; i < 6; i++) sum += s->by.mass[c].inertia[i] * f->mass[c].inertia[i][l];
        if (moved && !settled)
            sum += wy_slope_dot(to->r, d->r, l) + wy_slope_dot(to->phi, d->phi, l) +
                   wy_slope_dot(to->v, d->v, l) + wy_slope_dot(to->w, d->w, l);
    }
    return sum;
}
