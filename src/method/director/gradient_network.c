/* gradient_network.c - the exact derivative of a step and of an equilibrium of a network: forward.
 *
 * director/gradient.c (1), (2) with the unknowns of the network: nodes that are no copies, clusters, multipliers.
 * gradient_network.h says what copies, clusters and joints add to the right sides of the rods.  A rod that belongs to
 * no cluster is solved by itself (gradient_chain.c), all others together (gradient_network_matrix.c).
 */
#include <string.h>

#include "method/director/contacts.h"
#include "method/director/gradient_network.h"
#include "method/director/law.h"

/* ---- memory ---------------------------------------------------------------------------------------------------- */

/* What is not differentiated. */
static withy_status can(const wy_network *net, withy_error *err) {
    int sees = 0, spaced = 0, rates = 0, general = 0;
    for (int i = 0; i < net->plan.rods; i++) {
        const wy_director_plan *plan = &net->rod[i].plan;
        sees |= plan->sees, spaced |= plan->spaced, general |= plan->law->general;
        for (int e = 0; e < 2; e++)
            rates |= plan->end[e].rates | wy_network_end_rates(&plan->end[e]);
    }
    const struct {
        int met;
        const char *what;
    } limit[] = {
        {net->touch && !wy_touch_may_idle(&net->touch->plan), "contact, which begins and ends,"},
        {sees, "a load that sees the state"},
        {net->plan.tendons, "a rod with tendons"},
        {general, "a section law that is not linear"},
        {spaced, "damping of the curve (rod.damping.law)"},
        {net->hub.plan.problem->rotating.given, "a rotating frame"},
        {rates, "an end driven by its velocity or spin"}};
    for (size_t i = 0; i < sizeof limit / sizeof *limit; i++)
        if (limit[i].met)
            return wy_fail(err, WITHY_UNSUPPORTED,
                           "director: %s is not differentiated; a fit of this scene takes "
                           "differences (withy fit --differences)",
                           limit[i].what);
    return WITHY_OK;
}

static void take_fields(const wy_network *net, wy_net_fields *f, wy_taker *from) {
    f->member = wy_taker_take(from, (size_t)net->plan.members + 1, sizeof *f->member);
    f->mass = wy_taker_take(from, (size_t)net->plan.clusters + 1, sizeof *f->mass);
    f->first = wy_taker_take(from, (size_t)net->plan.clusters + 1, sizeof *f->first);
}

static void take_by(wy_network *net, wy_taker *from) {
    wy_net_slopes *s = net->slopes;
    const size_t rows = (size_t)s->blocks.rows + 1, clusters = (size_t)net->plan.clusters + 1;
    s->by.member = wy_taker_take(from, (size_t)net->plan.members + 1, sizeof *s->by.member);
    s->by.mass = wy_taker_take(from, clusters, sizeof *s->by.mass);
    s->by.node = wy_taker_take(from, clusters, sizeof *s->by.node);
    s->by.live = wy_taker_take(from, (size_t)s->count + 1, sizeof *s->by.live);
    double **const vector[] = {&s->mu, &s->want, &s->left, &s->best_mu, &s->hub_mu};
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
        *vector[i] = wy_taker_take(from, rows, sizeof **vector[i]);
    s->held = wy_taker_take(from, 6 * clusters, sizeof *s->held);
    s->given = wy_taker_take(from, clusters, sizeof *s->given);
    for (int i = 0; i < net->plan.rods; i++) wy_slope_take_by(&net->rod[i], from);
}

withy_status wy_network_slopes_make(wy_network *net, withy_error *err) {
    const wy_setup *setup = net->hub.setup;
    wy_taker from = {.arena = setup->arena};
    WY_TRY(can(net, err));
    for (int i = 0; i < net->plan.segments; i++) {
        const wy_network_segment *g = &net->plan.segment[i];
        wy_director *rod = &net->rod[g->rod];
        rod->plan.forgets = 0; /* S+ is the start of the step seen from its end */
        if (g->from == 0) WY_TRY(wy_slope_take(rod, wy_segment_alone(g), err));
    }
    wy_net_slopes *s = net->slopes = wy_taker_take(&from, 1, sizeof *s);
    if (!s) return wy_fail(err, WITHY_NO_MEMORY, "director: no memory for derivatives");
    s->count = setup->tangents, s->groups = (s->count + WY_PACK - 1) / WY_PACK;
    s->field = wy_taker_take(&from, (size_t)s->groups + 1, sizeof *s->field);
    s->live = wy_taker_take(&from, (size_t)s->count + 1, sizeof *s->live);
    for (int g = 0; g < s->groups && s->field; g++) take_fields(net, &s->field[g], &from);
    if (from.failed) return wy_fail(err, WITHY_NO_MEMORY, "director: no memory for derivatives");
    WY_TRY(wy_net_pattern(net, err));
    if (!setup->tape) return WITHY_OK;
    take_by(net, &from);
    return wy_net_tape_make(net, &from, err);
}

void wy_network_lay_slopes(wy_network *net, wy_block *state, wy_block *scratch) {
    wy_net_slopes *s = net->slopes;
    if (!s) return;
    const size_t groups = (size_t)s->groups, clusters = (size_t)net->plan.clusters;
    if (!net->hub.setup->tape) {
        s->node = wy_block_take(state, groups * clusters + 1, sizeof *s->node);
        s->side = wy_block_take(scratch, groups * (size_t)wy_net_rows(net) + 1, sizeof *s->side);
    }
    for (int i = 0; i < net->plan.rods; i++) wy_slope_lay(&net->rod[i], state, scratch);
    s->end = state->base ? state->base + state->used : NULL;
    wy_net_lay_matrix(net, scratch);
    wy_net_lay_back(net, scratch);
}

/* ---- right sides --------------------------------------------------------------------------------------------- */

/* What a copy does on its own at the end of the step, (1): (R+ do, R+ dq). */
static void own_change(const wy_network *net, int group, int k, pack change[6]) {
    const wy_net_member *d = &net->slopes->field[group].member[k];
    const tri plus = net->hub.next[net->plan.member[k].cluster].d;
    keep3(change, turned3(plus, of3(d->o))), keep3(change + 3, turned3(plus, of3(d->q)));
}

/* side -= dF/dq+ of what copies do on their own. */
static void take_own(wy_network *net, int group) {
    for (int i = 0; i < net->plan.rods && net->slopes->carried; i++) {
        wy_director *x = &net->rod[i];
        if (x->slopes->alone) continue;
        const wy_slopes *s = x->slopes;
        const int p = x->plan.p, rows = 6 * (p + 1);
        memset(s->change, 0, 6 * (size_t)x->plan.node_count * sizeof *s->change);
        for (int j = 0; j < x->plan.node_count; j++) {
            const int k = net->slopes->rod[i].member[j];
            if (k >= 0) own_change(net, group, k, &s->change[6 * j]);
        }
        for (int e = 0; e < x->plan.n; e++)
            wy_slope_times(
                p, (const double(*)[WY_DIRECTOR_STRIDE]) & s->plus[(size_t)e * (size_t)rows],
                &s->change[6 * e * p], &wy_slope_side(x, group)[6 * e * p]);
        for (int j = 0; j < x->plan.node_count; j++)
            for (int n = 0; n < 36; n++)
                wy_slope_side(x, group)[6 * j + n / 6] -=
                    s->node_plus[j][n / 6][n % 6] * s->change[6 * j + n % 6];
    }
}

/* (2): what copies got, to their clusters. */
static void collect(wy_network *net, int group) {
    const wy_net_slopes *s = net->slopes;
    const double beta = net->hub.step->beta;
    for (int k = 0; k < net->plan.members; k++) {
        const wy_network_member *m = &net->plan.member[k];
        const pack *from = &wy_slope_side(&net->rod[m->rod], group)[6 * m->node];
        pack *to = &wy_net_side(net, group)[6 * m->cluster];
        const wy_slope_node *node = &wy_net_nodes(net, group)[m->cluster];
        const vec3 minus = wy_net_arm(net, k, 0), mean = wy_net_mean_arm(net, k);
        const pack *o = s->field[group].member[k].o;
        pack3 moved = scale3(splat(beta), turned3(net->hub.next[m->cluster].d, of3(o))); /* dpm */
        if (net->hub.step->dynamic) {
            const pack3 before = add3(cross3(of3(node->phi), splat3(minus)),
                                      turned3(net->hub.node[m->cluster].d, of3(o)));
            moved = add3(moved, scale3(splat(1 - beta), before));
        }
        keep3(to, add3(of3(to), of3(from)));
        const pack3 turn =
            sub3(cross3(splat3(mean), of3(from)), cross3(moved, splat3(s->force[k])));
        keep3(to + 3, add3(of3(to + 3), add3(of3(from + 3), turn)));
    }
}

/* Inertia, weight and loads of bodies by the start of the step. */
static void take_clusters(wy_network *net, int group) {
    const int moving = net->hub.step->dynamic;
    for (int c = 0; c < net->plan.clusters; c++) {
        pack *side = &wy_net_side(net, group)[6 * c];
        const wy_slope_node *node = &wy_net_nodes(net, group)[c];
        double a[6][6];
        wy_net_inertia_fields(net, group, c, side);
        if (!moving) continue;
        const wy_slope_inertia own = wy_slope_inertia_of(&net->hub, c);
        wy_slope_take_inertia(&own, node, side);
        wy_net_loads(&net->slopes->back, c, a);
        for (int n = 0; n < 36; n++)
            side[n / 6] -= a[n / 6][n % 6] * (n % 6 < 3 ? node->r[n % 6] : node->phi[n % 6 - 3]);
    }
}

static void take_joints(wy_network *net) {
    for (int i = 0; i < net->plan.joints && net->hub.step->dynamic; i++) {
        const wy_network_joint *j = &net->plan.joint[i];
        double h[WY_PAIR][WY_PAIR] = {{0}};
        wy_network_pull pull[WY_JOINT_LINKS];
        wy_joint_tangent(&net->slopes->back, j, h, pull);
        for (int g = 0; g < net->slopes->groups; g++)
            for (int n = 0; n < WY_PAIR * WY_PAIR; n++) {
                const int to = j->cluster[n / WY_PAIR / 6], by = j->cluster[n % WY_PAIR / 6];
                const int row = n / WY_PAIR % 6, column = n % WY_PAIR % 6;
                if (to < 0 || by < 0) continue;
                const wy_slope_node *node = &wy_net_nodes(net, g)[by];
                wy_net_side(net, g)[6 * to + row] -=
                    h[n / WY_PAIR][n % WY_PAIR] *
                    (column < 3 ? node->r[column] : node->phi[column - 3]);
            }
    }
}

/* What the parameters make of joints, loads and held clusters themselves; of the latter into `side`. */
static withy_status take_explicit(wy_network *net, double t_load, double t_pose, withy_error *err) {
    wy_net_slopes *s = net->slopes;
    const int rows = wy_net_rows(net), clusters = net->plan.clusters;
    double *force = (double *)s->b;
    wy_adjoint_node *held = (wy_adjoint_node *)(void *)s->x;
    for (int k = 0; k < s->count; k++) {
        pack *side = wy_net_side(net, k / WY_PACK);
        const int l = k % WY_PACK;
        if (!s->live[k].at[0]) continue;
        WY_TRY(wy_net_explicit(net, k, t_load, t_pose, force, held, err));
        for (int n = 0; n < rows; n++) side[n][l] -= force[n];
        for (int c = 0; c < clusters; c++)
            if (net->plan.cluster[c].held)
                wy_slope_set(&side[6 * c], l, held[c].r),
                    wy_slope_set(&side[6 * c + 3], l, held[c].phi);
    }
    return WITHY_OK;
}

static withy_status assemble(wy_network *net, double t_load, double t_pose, withy_error *err) {
    wy_net_slopes *s = net->slopes;
    memset(s->side, 0, (size_t)s->groups * (size_t)wy_net_rows(net) * sizeof *s->side);
    for (int i = 0; i < net->plan.rods; i++)
        WY_TRY(wy_slope_assemble(&net->rod[i], t_load, t_pose, err));
    WY_TRY(wy_net_factor(net, err));
    if (net->hub.step->dynamic) wy_net_turn_back(net);
    for (int g = 0; g < s->groups; g++) {
        take_own(net, g);
        collect(net, g);
        take_clusters(net, g);
    }
    take_joints(net);
    for (int g = 0; g < s->groups;
         g++) /* held: where it is told to be, and that by take_explicit */
        for (int c = 0; c < net->plan.clusters; c++)
            if (net->plan.cluster[c].held)
                memset(&wy_net_side(net, g)[6 * c], 0, 6 * sizeof *s->side);
    return take_explicit(net, t_load, t_pose, err);
}

/* ---- solution ---------------------------------------------------------------------------------------------------- */

static void gather(wy_network *net, int group) {
    const wy_net_slopes *s = net->slopes;
    const pack *side = wy_net_side(net, group);
    for (int c = 0; c < net->plan.clusters; c++)
        memcpy(&s->b[wy_blocks_row(&s->blocks, wy_net_cluster_block(net, c))], &side[6 * c],
               6 * sizeof *side);
    for (int k = 0; k < net->plan.links; k++) {
        const wy_network_link *link = &net->plan.link[k];
        if (link->multiplier >= 0)
            s->b[wy_blocks_row(&s->blocks, link->block) + link->lies] =
                side[6 * net->plan.clusters + link->multiplier];
    }
    for (int i = 0; i < net->plan.rods; i++) {
        const wy_director *x = &net->rod[i];
        for (int j = 0; j < x->plan.node_count && !x->slopes->alone; j++) {
            if (s->rod[i].member[j] >= 0) continue;
            pack *to = &s->b[wy_net_row(net, i, j)];
            memcpy(to, &wy_slope_side(x, group)[6 * j], 6 * sizeof *to);
            for (int e = 0; e < 2; e++)
                if (x->plan.end[e].node == j)
                    wy_slope_hold(x, e, &x->slopes->acting[group].end[e], NULL, to);
        }
    }
}

/* The solution to the changes of the nodes of a rod, copies by (1). */
static void scatter(wy_network *net, int group, int rod) {
    const wy_net_slopes *s = net->slopes;
    wy_director *x = &net->rod[rod];
    for (int j = 0; j < x->plan.node_count; j++) {
        const int k = s->rod[rod].member[j];
        pack *to = &x->slopes->change[6 * j];
        const pack *from = &s->x[wy_net_row(net, rod, j)];
        memcpy(to, from, 6 * sizeof *to);
        if (k < 0) continue;
        pack own[6];
        own_change(net, group, k, own);
        const pack3 shift = cross3(of3(from + 3), splat3(wy_net_arm(net, k, 1)));
        keep3(to, add3(of3(to), add3(shift, of3(own)))),
            keep3(to + 3, add3(of3(to + 3), of3(own + 3)));
    }
}

/* The changes of a rod to its derivatives. */
static void keep_rod(wy_director *x, int group, double fault) {
    wy_slope_kept *kept = &x->slopes->kept[group];
    kept->fault = x->step->dynamic ? wy_max(kept->fault, fault) : fault;
    if (x->step->dynamic)
        wy_slope_move(x, group);
    else
        wy_slope_rest(x, group);
}

static void keep_clusters(wy_network *net, int group) {
    const wy_net_slopes *s = net->slopes;
    for (int c = 0; c < net->plan.clusters; c++) {
        wy_slope_node *node = &wy_net_nodes(net, group)[c];
        const pack *change = &s->x[wy_blocks_row(&s->blocks, wy_net_cluster_block(net, c))];
        if (net->hub.step->dynamic) {
            wy_slope_move_node(&net->hub, c, change, node);
            continue;
        }
        memset(node, 0, sizeof *node);
        memcpy(node->r, change, sizeof node->r), memcpy(node->phi, change + 3, sizeof node->phi);
    }
}

static void solve_group(wy_network *net, int group) {
    double fault = 0;
    if (net->slopes->blocks.count) {
        gather(net, group);
        fault = wy_net_solve(net);
    }
    for (int i = 0; i < net->plan.rods; i++) {
        wy_director *x = &net->rod[i];
        if (!x->slopes->alone) scatter(net, group, i);
        keep_rod(x, group, x->slopes->alone ? wy_chain_solve(x, group) : fault);
    }
    keep_clusters(net, group);
}

withy_status wy_net_solve_slopes(wy_network *net, double t_load, double t_pose, withy_error *err) {
    WY_TRY(assemble(net, t_load, t_pose, err));
    for (int g = 0; g < net->slopes->groups; g++) solve_group(net, g);
    return WITHY_OK;
}

static withy_status near_obstacle(double t, withy_error *err) {
    return wy_fail(err, WITHY_UNSUPPORTED,
                   "director: at t = %.6g a rod is near an obstacle, and contact, which begins and "
                   "ends, is not differentiated; a fit of this scene takes differences (withy fit "
                   "--differences)",
                   t);
}

void wy_net_idle(wy_network *net, int idle) {
    if (net->touch) net->touch->idle = idle;
}

withy_status wy_network_slopes_step(wy_network *net, double square, int64_t solves,
                                    withy_error *err) {
    const wy_director_step *step = net->hub.step;
    if (net->touch && !net->touch->idle) return near_obstacle(step->t, err);
    if (net->slopes->tape) return wy_net_tape_record(net, square, solves, err);
    return wy_net_solve_slopes(net, step->t + 0.5 * step->h, step->t + step->h, err);
}

withy_status wy_net_at_rest(wy_network *net, double t, wy_net_job *job, withy_error *err) {
    if (net->touch && !wy_touch_is_clear(net)) return near_obstacle(t, err);
    wy_net_idle(net, 1);
    const withy_status status = job(net, t, t, err);
    wy_net_idle(net, 0);
    return status;
}
