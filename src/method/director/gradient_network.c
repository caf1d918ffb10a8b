/* gradient_network.c - the exact derivative of a step and of an equilibrium of a network: forward.
 *
 * director/gradient.c (1), (2) with the unknowns of the network: nodes that are no copies, clusters, multipliers.
 * Right sides of the rods are those of a single one; gradient_network.h says what copies, clusters and joints add.
 */
#include <string.h>

#include "method/director/contacts.h"
#include "method/director/gradient_network.h"

/* ---- memory ---------------------------------------------------------------------------------------------------- */

static withy_status can(const wy_network *net, withy_error *err) {
    int rates = 0;
    for (int i = 0; i < 2 * net->plan.rods; i++)
        rates |= wy_network_end_rates(&net->rod[i / 2].plan.end[i % 2]);
    const wy_slope_limit limit[] = {{net->touch != NULL, "contact, which begins and ends,"},
                                    {net->plan.tendons, "a network of rods with tendons"},
                                    {net->hub.plan.problem->rotating.given, "a rotating frame"},
                                    {rates, "an end driven by its velocity or spin"}};
    return wy_slope_refuse(limit, sizeof limit / sizeof *limit, err);
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
    for (int i = 0; i < net->plan.rods; i++) wy_tape_take_fields(&net->rod[i], from);
}

withy_status wy_network_slopes_make(wy_network *net, withy_error *err) {
    const wy_setup *setup = net->hub.setup;
    wy_taker from = {.arena = setup->arena};
    WY_TRY(can(net, err));
    for (int i = 0; i < net->plan.rods; i++) {
        net->rod[i].plan.forgets = 0; /* S+ is the start of the step seen from its end */
        WY_TRY(wy_slope_take(&net->rod[i], err));
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

double wy_net_tape_room(const wy_network *net) {
    const wy_net_tape *tape = net->slopes ? net->slopes->tape : NULL;
    return tape ? (double)(tape->reel.room * tape->reel.checks) : 0;
}

void wy_network_lay_slopes(wy_network *net, wy_block *state, wy_block *scratch) {
    wy_net_slopes *s = net->slopes;
    if (!s) return;
    const size_t groups = (size_t)s->groups, clusters = (size_t)net->plan.clusters;
    if (!net->hub.setup->tape) {
        s->node = wy_block_take(state, groups * clusters + 1, sizeof *s->node);
        s->side = wy_block_take(scratch, groups * (size_t)wy_net_rows(net) + 1, sizeof *s->side);
    }
    for (int i = 0; i < net->plan.rods; i++) wy_director_lay_slopes(&net->rod[i], state, scratch);
    s->end = state->base ? state->base + state->used : NULL;
    wy_net_lay_matrix(net, scratch);
    wy_net_lay_back(net, scratch);
}

/* ---- right sides --------------------------------------------------------------------------------------------- */

static pack3 turned(tri d, const pack a[3]) { /* R a */
    return times3(tri_matrix(d), of3(a));
}

/* What a copy does on its own at the end of the step, (1): (R+ do, R+ dq). */
static void own_change(const wy_network *net, int group, int k, pack change[6]) {
    const wy_net_member *d = &net->slopes->field[group].member[k];
    const tri plus = net->hub.next[net->plan.member[k].cluster].d;
    keep3(change, turned(plus, d->o)), keep3(change + 3, turned(plus, d->q));
}

/* side -= dF/dq+ of what copies do on their own. */
static void take_own(wy_network *net, int group) {
    for (int i = 0; i < net->plan.rods && net->slopes->carried; i++) {
        wy_director *x = &net->rod[i];
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
        const vec3 plus = wy_net_arm(net, k, 1), minus = wy_net_arm(net, k, 0);
        const vec3 mean = v3_axpy(v3_scale(beta, plus), 1 - beta, minus);
        const pack *o = s->field[group].member[k].o;
        pack3 moved = scale3(splat(beta), turned(net->hub.next[m->cluster].d, o)); /* dpm */
        if (net->hub.step->dynamic) {
            const pack3 before =
                add3(cross3(of3(node->phi), splat3(minus)), turned(net->hub.node[m->cluster].d, o));
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
        wy_net_joint(&net->slopes->back, j, h, pull);
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

/* Where an end of a rod is held, side becomes what is given there. */
static void hold_end(const wy_director *x, int which, const wy_slope_end *to, pack side[6]) {
    const wy_director_end *end = &x->plan.end[which];
    for (int l = 0; l < WY_PACK; l++) {
        const vec3 r = wy_slope_lane(side, l), turn = wy_slope_lane(side + 3, l);
        const vec3 place = v3_sub(wy_slope_lane(to->place, l), r);
        const vec3 pose = v3_sub(wy_slope_lane(to->turn, l), turn);
        wy_slope_set(side, l, v3_add(r, wy_director_held(end, place)));
        wy_slope_set(side + 3, l, v3_add(turn, wy_net_held_turn(x, which, pose)));
    }
}

static void gather(wy_network *net, int group) {
    const wy_net_slopes *s = net->slopes;
    const pack *side = wy_net_side(net, group);
    for (int c = 0; c < net->plan.clusters; c++)
        memcpy(&s->b[wy_blocks_row(&s->blocks, net->plan.cluster[c].block)], &side[6 * c],
               6 * sizeof *side);
    for (int k = 0; k < net->plan.links; k++) {
        const wy_network_link *link = &net->plan.link[k];
        if (link->multiplier >= 0)
            s->b[wy_blocks_row(&s->blocks, link->block) + link->lies] =
                side[6 * net->plan.clusters + link->multiplier];
    }
    for (int i = 0; i < net->plan.rods; i++) {
        const wy_director *x = &net->rod[i];
        for (int j = 0; j < x->plan.node_count; j++) {
            if (s->rod[i].member[j] >= 0) continue;
            pack *to = &s->b[wy_net_row(net, i, j)];
            memcpy(to, &wy_slope_side(x, group)[6 * j], 6 * sizeof *to);
            for (int e = 0; e < 2; e++)
                if (x->plan.end[e].node == j) hold_end(x, e, &x->slopes->acting[group].end[e], to);
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

static void solve_group(wy_network *net, int group) {
    wy_net_slopes *s = net->slopes;
    gather(net, group);
    const double fault = wy_net_solve(net);
    for (int i = 0; i < net->plan.rods; i++) {
        scatter(net, group, i);
        wy_slope_kept *kept = &net->rod[i].slopes->kept[group];
        if (!net->hub.step->dynamic) kept->fault = 0;
        kept->fault = wy_max(kept->fault, fault);
        if (net->hub.step->dynamic)
            wy_slope_move(&net->rod[i], group);
        else
            wy_slope_rest(&net->rod[i], group);
    }
    for (int c = 0; c < net->plan.clusters; c++) {
        wy_slope_node *node = &wy_net_nodes(net, group)[c];
        const pack *change = &s->x[wy_blocks_row(&s->blocks, net->plan.cluster[c].block)];
        if (!net->hub.step->dynamic) {
            memset(node, 0, sizeof *node);
            memcpy(node->r, change, sizeof node->r),
                memcpy(node->phi, change + 3, sizeof node->phi);
            continue;
        }
        wy_slope_move_node(&net->hub, c, change, node);
    }
}

withy_status wy_network_slopes_step(wy_network *net, double square, int64_t solves,
                                    withy_error *err) {
    const wy_director_step *step = net->hub.step;
    if (net->slopes->tape) return wy_net_tape_record(net, square, solves, err);
    WY_TRY(assemble(net, step->t + 0.5 * step->h, step->t + step->h, err));
    for (int g = 0; g < net->slopes->groups; g++) solve_group(net, g);
    return WITHY_OK;
}

withy_status wy_network_slopes_still(wy_network *net, double t, withy_error *err) {
    WY_TRY(assemble(net, t, t, err));
    for (int g = 0; g < net->slopes->groups; g++) solve_group(net, g);
    return WITHY_OK;
}
