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

static void take_by(wy_network *net, wy_taker *from) {
    wy_net_slopes *s = net->slopes;
    const size_t rows = (size_t)s->blocks.rows + 1, clusters = (size_t)net->plan.clusters + 1;
    double **const vector[] = {&s->mu, &s->want, &s->left, &s->best_mu};
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
        *vector[i] = wy_taker_take(from, rows, sizeof **vector[i]);
    s->held = wy_taker_take(from, 6 * clusters, sizeof *s->held);
    s->given = wy_taker_take(from, clusters, sizeof *s->given);
    for (int i = 0; i <= net->plan.rods; i++) {
        wy_director *x = wy_net_part(net, i);
        double **const own[] = {&x->slopes->now.mu, &x->slopes->now.side, &x->slopes->now.rest};
        for (size_t n = 0; n < sizeof own / sizeof *own; n++)
            *own[n] = wy_taker_take(from, (size_t)x->slopes->rows + 1, sizeof **own[n]);
        wy_fields_take_by(x, from);
    }
}

withy_status wy_network_slopes_make(wy_network *net, withy_error *err) {
    const wy_setup *setup = net->hub.setup;
    wy_taker from = {.arena = setup->arena};
    WY_TRY(can(net, err));
    WY_TRY(wy_slope_take(&net->hub, 0, err));
    for (int i = 0; i < net->plan.segments; i++) {
        const wy_network_segment *g = &net->plan.segment[i];
        wy_director *rod = &net->rod[g->rod];
        rod->plan.forgets = 0; /* S+ is the start of the step seen from its end */
        if (g->from == 0) WY_TRY(wy_slope_take(rod, wy_segment_alone(g), err));
    }
    wy_net_slopes *s = net->slopes = wy_taker_take(&from, 1, sizeof *s);
    if (!s) return wy_fail(err, WITHY_NO_MEMORY, "director: no memory for derivatives");
    s->count = setup->tangents, s->groups = (s->count + WY_PACK - 1) / WY_PACK;
    WY_TRY(wy_net_pattern(net, err));
    if (!setup->tape) return WITHY_OK;
    take_by(net, &from);
    return wy_net_tape_make(net, &from, err);
}

void wy_network_lay_slopes(wy_network *net, wy_block *state, wy_block *scratch) {
    wy_net_slopes *s = net->slopes;
    if (!s) return;
    for (int i = 0; i <= net->plan.rods; i++) wy_slope_lay(wy_net_part(net, i), state, scratch);
    s->kept = (char *)net->hub.slopes->start;
    s->end = state->base ? state->base + state->used : NULL;
    wy_net_lay_matrix(net, scratch);
    wy_net_lay_back(net, scratch);
}

/* ---- right sides --------------------------------------------------------------------------------------------- */

/* What a copy does on its own at the end of the step, (1): (R+ do, R+ dq). */
static void own_change(const wy_network *net, int group, int k, pack change[6]) {
    const wy_slope_member *d = &net->hub.slopes->field[group].member[k];
    const tri plus = net->hub.next[net->plan.member[k].cluster].d;
    keep3(change, turned3(plus, of3(d->o))), keep3(change + 3, turned3(plus, of3(d->q)));
}

/* side -= dF/dq+ of what copies do on their own. */
static void take_own(wy_network *net, int group) {
    for (int i = 0; i < net->plan.rods && net->slopes->carried; i++) {
        wy_director *x = &net->rod[i];
        if (x->slopes->alone) continue;
        const wy_slopes *s = x->slopes;
        memset(s->change, 0, 6 * (size_t)x->plan.node_count * sizeof *s->change);
        for (int j = 0; j < x->plan.node_count; j++) {
            const int k = wy_net_member(net, i)[j];
            if (k >= 0) own_change(net, group, k, &s->change[6 * j]);
        }
        wy_slope_plus_times(x, s->change, wy_slope_side(x, group));
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
        const vec3 minus = wy_member_arm(net, k, 0), mean = wy_member_mean_arm(net, k);
        const pack *o = net->hub.slopes->field[group].member[k].o;
        pack3 moved = scale3(splat(beta), turned3(net->hub.next[m->cluster].d, of3(o))); /* dpm */
        if (net->hub.step->dynamic) {
            const pack3 before = add3(cross3(of3(node->q + 3), splat3(minus)),
                                      turned3(net->hub.node[m->cluster].d, of3(o)));
            moved = add3(moved, scale3(splat(1 - beta), before));
        }
        keep3(to, add3(of3(to), of3(from)));
        const pack3 turn =
            sub3(cross3(splat3(mean), of3(from)), cross3(moved, splat3(s->force[k])));
        keep3(to + 3, add3(of3(to + 3), add3(of3(from + 3), turn)));
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
        if (!net->hub.slopes->live[k].at[0]) continue;
        WY_TRY(wy_net_explicit(net, k, t_load, t_pose, force, held, err));
        for (int n = 0; n < rows; n++) side[n][l] -= force[n];
        for (int c = 0; c < clusters; c++)
            if (net->plan.cluster[c].held)
                for (int n = 0; n < 6; n++) side[6 * c + n][l] = held[c].q[n];
    }
    return WITHY_OK;
}

static withy_status assemble(wy_network *net, double t_load, double t_pose, withy_error *err) {
    wy_net_slopes *s = net->slopes;
    for (int i = 1; i <= net->plan.rods; i++)
        WY_TRY(wy_slope_assemble(wy_net_part(net, i), t_load, t_pose, err));
    WY_TRY(wy_net_factor(net, err));
    if (net->hub.step->dynamic) wy_net_turn_back(net);
    WY_TRY(wy_slope_assemble(&net->hub, t_load, t_pose, err));
    for (int g = 0; g < s->groups; g++) {
        take_own(net, g);
        collect(net, g);
    }
    if (net->hub.step->dynamic) wy_net_joints(net, 0);
    for (int g = 0; g < s->groups;
         g++) /* held: where it is told to be, and that by take_explicit */
        for (int c = 0; c < net->plan.clusters; c++)
            if (net->plan.cluster[c].held) memset(&wy_net_side(net, g)[6 * c], 0, 6 * sizeof(pack));
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
            if (wy_net_member(net, i)[j] >= 0) continue;
            pack *to = &s->b[wy_net_row(net, i, j)];
            memcpy(to, &wy_slope_side(x, group)[6 * j], 6 * sizeof *to);
            for (int e = 0; e < 2; e++)
                if (x->plan.end[e].node == j)
                    wy_slope_hold_end(x, e, &x->slopes->acting[group].act[e], NULL, to);
        }
    }
}

/* The solution to the changes of the nodes of a rod, copies by (1). */
static void scatter(wy_network *net, int group, int rod) {
    const wy_net_slopes *s = net->slopes;
    wy_director *x = &net->rod[rod];
    for (int j = 0; j < x->plan.node_count; j++) {
        const int k = wy_net_member(net, rod)[j];
        pack *to = &x->slopes->change[6 * j];
        const pack *from = &s->x[wy_net_row(net, rod, j)];
        memcpy(to, from, 6 * sizeof *to);
        if (k < 0) continue;
        pack own[6];
        own_change(net, group, k, own);
        const pack3 shift = cross3(of3(from + 3), splat3(wy_member_arm(net, k, 1)));
        keep3(to, add3(of3(to), add3(shift, of3(own)))),
            keep3(to + 3, add3(of3(to + 3), of3(own + 3)));
    }
}

static void keep_clusters(wy_network *net, int group) {
    const wy_net_slopes *s = net->slopes;
    for (int c = 0; c < net->plan.clusters; c++)
        memcpy(&net->hub.slopes->change[6 * c],
               &s->x[wy_blocks_row(&s->blocks, wy_net_cluster_block(net, c))], 6 * sizeof *s->x);
    wy_slope_keep(&net->hub, group, 0);
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
        wy_slope_keep(x, group, x->slopes->alone ? wy_chain_solve(x, group) : fault);
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
