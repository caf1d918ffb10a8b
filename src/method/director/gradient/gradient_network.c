/* gradient_network.c - the exact derivative of a step and of an equilibrium of a network: forward.
 *
 * director/gradient/gradient.c (1), (2) with the unknowns of the network: nodes that are no copies, rigid groups, multipliers.
 * gradient_network.h says what copies, rigid groups and joints add to the right sides of the rods.  A rod that belongs to
 * no rigid group is solved by itself (gradient_chain.c), all others together (gradient_network_matrix.c).
 */
#include "method/director/gradient/gradient_network.h"
#include "method/director/contact/contacts.h"
#include "method/director/force/fluid.h"
#include "method/director/law/law.h"

/* ---- memory ---------------------------------------------------------------------------------------------------- */

/* What is not differentiated. */
static const char *fluid_limit(const wy_network *net) {
    const withy_medium *m = &net->rigid.plan.problem->medium;
    if (net->fluid) return "a body in a medium (fluid)";
    for (int i = 0; i < net->plan.rods; i++) {
        const wy_fluid *fluid = net->rod[i].fluid;
        if (wy_is_massless(&net->rod[i].plan)) return "a rod without inertia (rod.viscous.inertia)";
        if (fluid && wy_is_cable(&net->rod[i].plan)) return "a cable in a medium";
        if (fluid && fluid->stirs) return "added mass (rod.fluid.added)";
        if (fluid && m->has_surface) return "a medium with a surface";
        if (fluid && (m->flow || m->profile_count || wy_field_varies(&m->current)))
            return "a current that is no constant";
    }
    return NULL;
}

static withy_status can(const wy_network *net, withy_error *err) {
    const char *law = NULL, *fluid = fluid_limit(net);
    int uses_state = 0, has_damping_in_space = 0, rates = 0, magnets = 0, muscle = 0;
    for (int i = 0; i < net->plan.rods; i++) {
        const wy_director_plan *plan = &net->rod[i].plan;
        uses_state |= plan->uses_state & WY_USES_STATE,
            has_damping_in_space |= plan->has_damping_in_space;
        magnets |= net->rod[i].rare.magnet != NULL;
        if (plan->law->general) law = plan->law->name;
        for (int k = 0; k < plan->tendon_count; k++)
            muscle |= plan->tendon[k].load->kind != WITHY_LOAD_TENDON;
        for (int e = 0; e < 2; e++)
            rates |= plan->end[e].rates | wy_network_end_rates(&plan->end[e]);
    }
    const struct {
        int met;
        const char *what;
    } limit[] = {{uses_state, "a load that depends on the state"},
                 {has_damping_in_space, "damping of the curve (rod.damping.law)"},
                 {net->rigid.plan.problem->rotating.given, "a rotating frame"},
                 {fluid != NULL, fluid},
                 {magnets, "a magnetised rod"},
                 {muscle, "a muscle or a chamber"},
                 {rates, "an end driven by its velocity or spin"}};
    if (law)
        return wy_unsupported(
            err,
            "director: the section law \"%s\" is not differentiated; a fit of this scene "
            "takes differences (withy fit --differences)",
            law);
    for (size_t i = 0; i < sizeof limit / sizeof *limit; i++)
        if (limit[i].met)
            return wy_unsupported(err,
                                  "director: %s is not differentiated; a fit of this scene takes "
                                  "differences (withy fit --differences)",
                                  limit[i].what);
    return WITHY_OK;
}

static void take_by(wy_network *net, wy_allocator *from) {
    wy_net_slopes *s = net->slopes;
    const size_t rows = (size_t)s->blocks.rows + 1,
                 rigid_groups = (size_t)net->plan.rigid_groups + 1;
    double **const vector[] = {&s->mu, &s->requested, &s->left, &s->best_mu};
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
        *vector[i] = wy_allocator_alloc(from, rows, sizeof **vector[i]);
    s->held = wy_allocator_alloc(from, 6 * rigid_groups, sizeof *s->held);
    s->given = wy_allocator_alloc(from, rigid_groups, sizeof *s->given);
    for (int i = 0; i <= net->plan.rods; i++) {
        wy_director *x = wy_net_part(net, i);
        double **const own[] = {&x->slopes->now.mu, &x->slopes->now.side, &x->slopes->now.rest};
        for (size_t n = 0; n < sizeof own / sizeof *own; n++)
            *own[n] = wy_allocator_alloc(from, (size_t)x->slopes->rows + 1, sizeof **own[n]);
        wy_fields_take_by(x, from);
    }
}

withy_status wy_network_slopes_make(wy_network *net, withy_error *err) {
    const wy_setup *setup = net->rigid.setup;
    wy_allocator from = {.arena = setup->arena};
    WY_TRY(can(net, err));
    WY_TRY(wy_slope_take(&net->rigid, 0, err));
    for (int i = 0; i < net->plan.segments; i++) {
        const wy_network_segment *g = &net->plan.segment[i];
        wy_director *rod = &net->rod[g->rod];
        rod->plan.skips_strains = 0; /* S+ is the start of the step seen from its end */
        if (g->from == 0)
            WY_TRY(wy_slope_take(rod, wy_segment_alone(g) && !net->plan.columns, err));
    }
    wy_net_slopes *s = net->slopes = wy_allocator_alloc(&from, 1, sizeof *s);
    if (!s) return wy_no_memory(err, "director: no memory for derivatives");
    s->count = setup->tangents, s->groups = (s->count + WY_PACK - 1) / WY_PACK;
    s->near = wy_allocator_alloc(&from, (size_t)s->count + 1, sizeof *s->near);
    s->near_by = wy_allocator_alloc(&from, (size_t)s->count + 1, sizeof *s->near_by);
    if (from.failed) return wy_no_memory(err, "director: no memory for derivatives");
    WY_TRY(wy_net_pattern(net, err));
    if (!setup->tape) return WITHY_OK;
    take_by(net, &from);
    return wy_net_tape_make(net, &from, err);
}

void wy_network_layout_slopes(wy_network *net, wy_block *state, wy_block *scratch) {
    wy_net_slopes *s = net->slopes;
    if (!s) return;
    for (int i = 0; i <= net->plan.rods; i++) wy_slope_layout(wy_net_part(net, i), state, scratch);
    s->kept = (char *)net->rigid.slopes->start;
    wy_net_layout_matrix(net, scratch);
    wy_net_layout_back(net, scratch);
    wy_net_layout_border(net, scratch);
    wy_net_layout_contacts(net, state, scratch);
    s->end = state->base ? state->base + state->used : NULL;
}

/* ---- right sides --------------------------------------------------------------------------------------------- */

/* What a copy does on its own at the end of the step, (1): (R+ do, R+ dq). */
static void own_change(const wy_network *net, int group, int k, pack change[6]) {
    const wy_slope_member *d = &net->rigid.slopes->field[group].member[k];
    const tri plus = net->rigid.next[net->plan.member[k].rigid_group].d;
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
        wy_net_tendons_miss(net, i, s->change, &net->slopes->gap[group * net->plan.columns]);
    }
}

/* (2): what copies got, to their rigid groups. */
static void collect(wy_network *net, int group) {
    const wy_net_slopes *s = net->slopes;
    const double beta = net->rigid.step->beta;
    for (int k = 0; k < net->plan.members; k++) {
        const wy_group_node *m = &net->plan.member[k];
        if (net->plan.rigid_group[m->rigid_group].held) continue;
        const pack *from = &wy_slope_side(&net->rod[m->rod], group)[6 * m->node];
        pack *to = &wy_net_side(net, group)[6 * m->rigid_group];
        const wy_slope_node *node = &wy_net_nodes(net, group)[m->rigid_group];
        const vec3 minus = wy_group_node_arm(net, k, 0), mean = wy_group_node_mean_arm(net, k);
        const pack *o = net->rigid.slopes->field[group].member[k].o;
        pack3 moved =
            scale3(splat(beta), turned3(net->rigid.next[m->rigid_group].d, of3(o))); /* dpm */
        if (net->rigid.step->dynamic) {
            const pack3 before = add3(cross3(of3(node->q + 3), splat3(minus)),
                                      turned3(net->rigid.node[m->rigid_group].d, of3(o)));
            moved = add3(moved, scale3(splat(1 - beta), before));
        }
        keep3(to, add3(of3(to), of3(from)));
        const pack3 turn =
            sub3(cross3(splat3(mean), of3(from)), cross3(moved, splat3(s->force[k])));
        keep3(to + 3, add3(of3(to + 3), add3(of3(from + 3), turn)));
    }
}

/* What parameter k makes of joints, tendons, loads and held rigid groups themselves; of the latter into `side`. */
static withy_status take_explicit(wy_network *net, int k, double t_load, double t_pose,
                                  withy_error *err) {
    wy_net_slopes *s = net->slopes;
    const int rows = wy_net_rows(net), group = k / WY_PACK, l = k % WY_PACK;
    const double *force = s->given_by;
    wy_adjoint_node *held = (wy_adjoint_node *)(void *)s->x;
    pack *side = wy_net_side(net, group), *gap = &s->gap[group * net->plan.columns];
    WY_TRY(wy_net_explicit(net, k, t_load, t_pose, s->given_by, held, err));
    for (int n = 0; n < rows; n++) side[n][l] -= force[n];
    for (int c = 0; c < net->plan.rigid_groups; c++)
        for (int n = 0; n < 6 && net->plan.rigid_group[c].held; n++)
            side[6 * c + n][l] = held[c].q[n];
    force += rows;
    for (int n = 0; n < net->plan.columns; n++) gap[n][l] += *force++;
    for (int i = 0; i < net->plan.rods && net->plan.tendons; i++)
        for (int n = 0; n < 6 * net->rod[i].plan.node_count; n++)
            wy_slope_side(&net->rod[i], group)[n][l] -= *force++;
    return WITHY_OK;
}

/* Held rigid groups are where they are prescribed, and that by take_explicit. */
static void clear_held(wy_network *net, int group) {
    for (int c = 0; c < net->plan.rigid_groups; c++)
        if (net->plan.rigid_group[c].held)
            memset(&wy_net_side(net, group)[6 * c], 0, 6 * sizeof(pack));
}

static withy_status assemble(wy_network *net, double t_load, double t_pose, withy_error *err) {
    wy_net_slopes *s = net->slopes;
    for (int i = 1; i <= net->plan.rods; i++)
        WY_TRY(wy_slope_assemble(wy_net_part(net, i), t_load, t_pose, err));
    WY_TRY(wy_net_factor(net, err));
    WY_TRY(wy_net_border(net, err));
    if (net->rigid.step->dynamic) wy_net_turn_back(net);
    WY_TRY(wy_slope_assemble(&net->rigid, t_load, t_pose, err));
    memset(s->gap, 0, (size_t)(s->groups * net->plan.columns) * sizeof *s->gap);
    for (int g = 0; g < s->groups; g++) clear_held(net, g);
    for (int k = 0; k < s->count; k++)
        if (net->rigid.slopes->live[k].at[0]) WY_TRY(take_explicit(net, k, t_load, t_pose, err));
    WY_TRY(wy_net_take_contacts(net, t_pose, err));
    for (int g = 0; g < s->groups; g++) {
        take_own(net, g);
        collect(net, g);
    }
    if (net->rigid.step->dynamic) wy_net_joints(net, 0);
    return WITHY_OK;
}

/* ---- solution ---------------------------------------------------------------------------------------------------- */

static void gather(wy_network *net, int group) {
    const wy_net_slopes *s = net->slopes;
    const pack *side = wy_net_side(net, group);
    for (int c = 0; c < net->plan.rigid_groups; c++)
        memcpy(&s->b[wy_blocks_row(&s->blocks, wy_net_rigid_group_block(net, c))], &side[6 * c],
               6 * sizeof *side);
    for (int k = 0; k < net->plan.constraints; k++) {
        const wy_network_constraint *constraint = &net->plan.constraint[k];
        if (constraint->multiplier >= 0)
            s->b[wy_blocks_row(&s->blocks, constraint->block) + constraint->lies] =
                side[6 * net->plan.rigid_groups + constraint->multiplier];
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
        const pack3 shift = cross3(of3(from + 3), splat3(wy_group_node_arm(net, k, 1)));
        keep3(to, add3(of3(to), add3(shift, of3(own)))),
            keep3(to + 3, add3(of3(to + 3), of3(own + 3)));
    }
}

static void keep_rigid_groups(wy_network *net, int group) {
    const wy_net_slopes *s = net->slopes;
    for (int c = 0; c < net->plan.rigid_groups; c++)
        memcpy(&net->rigid.slopes->change[6 * c],
               &s->x[wy_blocks_row(&s->blocks, wy_net_rigid_group_block(net, c))],
               6 * sizeof *s->x);
    wy_slope_keep(&net->rigid, group, 0);
}

static void solve_group(wy_network *net, int group) {
    double fault = 0;
    if (net->slopes->blocks.count) {
        gather(net, group);
        fault = wy_net_solve(net);
        wy_net_border_solve(net, group);
    }
    for (int i = 0; i < net->plan.rods; i++) {
        wy_director *x = &net->rod[i];
        const double own = x->slopes->alone ? wy_chain_solve(x, group) : fault;
        if (!x->slopes->alone) scatter(net, group, i);
        wy_net_stretch(net, i, group);
        wy_slope_keep(x, group, own);
    }
    keep_rigid_groups(net, group);
    wy_net_keep_stretch(net, group);
}

withy_status wy_net_solve_slopes(wy_network *net, double t_load, double t_pose, withy_error *err) {
    WY_TRY(assemble(net, t_load, t_pose, err));
    for (int g = 0; g < net->slopes->groups; g++) solve_group(net, g);
    return WITHY_OK;
}

withy_status wy_network_slopes_step(wy_network *net, double square, int64_t solves,
                                    withy_error *err) {
    const wy_director_step *step = net->rigid.step;
    WY_TRY(wy_net_check_contacts(net, err));
    if (net->slopes->tape) return wy_net_tape_record(net, square, solves, err);
    WY_TRY(wy_net_find_contacts(net, err));
    return wy_net_solve_slopes(net, step->t + 0.5 * step->h, step->t + step->h, err);
}

withy_status wy_net_at_rest(wy_network *net, double t, wy_net_job *job, withy_error *err) {
    WY_TRY(wy_net_check_contacts(net, err));
    WY_TRY(wy_net_find_contacts(net, err));
    return job(net, t, t, err);
}
