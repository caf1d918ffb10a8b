/* gradient_network_joint.c - rigid groups and joints of a solved step, by both of its ends and by parameters.
 *
 * Joints and loads of bodies depend on q+ and q- alike: seen from its end, with q+ and q- exchanged and -h for h, a
 * step has the same forces, so that their derivative by q- is that by q+ of that step (director/gradient/gradient.c).  A
 * constraint g(q+) = target knows nothing of q-.  The angle of a hinge is arg(c + i s) of the places alone, with whole
 * turns, however it was summed (director/network/hinge.c), and so it is no state of its own here.
 */
#include "method/director/gradient/gradient_network.h"

/* ---- the step seen from its end ------------------------------------------------------------------------------- */

void wy_net_layout_back(wy_network *net, wy_block *scratch) {
    wy_network *back = &net->slopes->back;
    back->angle = wy_block_alloc(scratch, (size_t)net->plan.constraints, sizeof *back->angle);
    back->ground = wy_block_alloc(scratch, (size_t)net->plan.joints, sizeof *back->ground);
    back->axes = wy_block_alloc(scratch, (size_t)net->plan.joints, sizeof *back->axes);
}

void wy_net_turn_back(wy_network *net) {
    wy_network *back = &net->slopes->back;
    const wy_network old = *back;
    *back = *net;
    wy_slope_turn_back(&net->rigid);
    back->rigid = net->rigid.slopes->back;
    back->angle = old.angle, back->ground = old.ground, back->axes = old.axes;
    for (int i = 0; i < net->plan.joints; i++) {
        const wy_network_joint *j = &net->plan.joint[i];
        back->ground[i][0] = net->ground[i][1], back->ground[i][1] = net->ground[i][0];
        back->axes[i][0] = net->axes[i][1], back->axes[i][1] = net->axes[i][0];
        for (int k = j->first; k < j->first + j->count; k++) {
            if (net->plan.constraint[k].kind != WY_CONSTRAINT_ANGLE) continue;
            const wy_pair_step at = wy_joint_pair(net, j);
            wy_constraint_state state = net->state_of[k];
            wy_constraint_find(net, j, k, &at, &state);
            back->angle[k] = state.value;
        }
    }
}

/* ---- (3) --------------------------------------------------------------------------------------------------------- */

void wy_net_joints(wy_network *net, int backwards) {
    const wy_slopes *rigid = net->rigid.slopes;
    for (int i = 0; i < net->plan.joints; i++) {
        const wy_network_joint *j = &net->plan.joint[i];
        double h[WY_PAIR][WY_PAIR] = {{0}};
        wy_constraint_state state[WY_JOINT_CONSTRAINTS];
        wy_joint_tangent(&net->slopes->back, j, h, state);
        for (int n = 0; n < WY_PAIR * WY_PAIR; n++) {
            const int row = n / WY_PAIR, column = n % WY_PAIR;
            const int to = j->rigid_group[row / 6], by = j->rigid_group[column / 6];
            if (to < 0 || by < 0 || net->plan.rigid_group[to].held) continue;
            if (backwards)
                rigid->by.node[by].q[column % 6] -=
                    h[row][column] * rigid->now.mu[6 * to + row % 6];
            for (int g = 0; g < rigid->groups && !backwards; g++)
                wy_net_side(net, g)[6 * to + row % 6] -=
                    h[row][column] * wy_net_nodes(net, g)[by].q[column % 6];
        }
    }
}

void wy_net_loads(const wy_network *net, int c, double a[6][6]) {
    const wy_network_plan *plan = &net->plan;
    double b[6] = {0};
    memset(a, 0, 36 * sizeof **a);
    for (int i = plan->rigid_group_first[c]; i < plan->rigid_group_first[c + 1] && plan->pushes;
         i++)
        if (plan->rigid_group_part[i] < plan->bodies)
            wy_network_body_terms(net, plan->rigid_group_part[i], a, b);
}

/* ---- by a parameter ------------------------------------------------------------------------------------------------ */

/* Nodes and strains over the step, and unknown tensions, where forces are asked of the rods. */
static void lend_rod(const wy_director *x, wy_director *to) {
    const size_t nodes = (size_t)x->plan.node_count;
    memcpy(to->node, x->node, nodes * sizeof *to->node);
    if (to->tendon_stress) {
        wy_director_zero_increment(to);
        wy_director_strains(to, 1);
    }
    memcpy(to->next, x->next, nodes * sizeof *to->next);
    if (to->tendon_stress) wy_director_strains(to, 0);
    for (int k = 0; k < x->plan.tendon_count; k++) to->tension[k] = x->tension[k];
}

/* The state and the step of this network, in one of another value of the parameter. */
static void lend(const wy_network *net, wy_network *to) {
    const size_t rigid_groups = (size_t)net->plan.rigid_groups;
    memcpy(to->rigid.node, net->rigid.node, rigid_groups * sizeof *to->rigid.node);
    memcpy(to->rigid.next, net->rigid.next, rigid_groups * sizeof *to->rigid.next);
    *to->rigid.step = *net->rigid.step;
    to->rigid.now->origin = net->rigid.now->origin;
    if (net->plan.multipliers)
        memcpy(to->lambda, net->lambda, (size_t)net->plan.multipliers * sizeof *to->lambda);
    wy_network_share_step(to);
    for (int i = 0; i < net->plan.rods; i++) {
        to->rod[i].now->pulling = net->rod[i].now->pulling;
        to->rod[i].now->origin = net->rod[i].now->origin;
        if (net->plan.tendons) lend_rod(&net->rod[i], &to->rod[i]);
    }
}

/* arg(c + i s) at the start of the step. */
static double arg_of(const wy_network_constraint *constraint, const wy_pair_at *at) {
    return atan2(wy_scalar_value(&constraint->g, at), wy_scalar_value(constraint->other, at));
}

static void lend_angles(const wy_network *net, wy_network *to) {
    for (int i = 0; i < net->plan.joints; i++) {
        const wy_network_joint *j = &net->plan.joint[i];
        const wy_pair_step at = wy_joint_pair(net, j),
                           other = wy_joint_pair(to, &to->plan.joint[i]);
        for (int k = j->first; k < j->first + j->count; k++) {
            if (net->plan.constraint[k].kind != WY_CONSTRAINT_ANGLE) continue;
            const double more = arg_of(&to->plan.constraint[k], &other.minus) -
                                arg_of(&net->plan.constraint[k], &at.minus);
            to->angle[k] = net->angle[k] + remainder(more, 2 * WY_PI);
        }
    }
}

/* What the stops of a link add to its stress for another value of the parameter: they have corners, and what is differenced
 * must not meet them (gradient_seed.c leaves them out of that law). */
static double stops(const wy_network *here, int k, const wy_network *there,
                    const wy_constraint_state *state) {
    const wy_network_constraint *constraint = &here->plan.constraint[k];
    const wy_network_joint *j = &here->plan.joint[constraint->joint];
    const wy_pair_step at = wy_joint_pair(here, j);
    wy_constraint_state own = here->state_of[k];
    double unused;
    if (!constraint->law.limited) return 0;
    wy_constraint_find(here, j, k, &at, &own);
    const int equilibrium = !here->rigid.step->dynamic;
    const wy_law_at one = {&constraint->law, own.before, own.value},
                    two = {&there->plan.constraint[k].law, state->before, state->value};
    const double f = constraint->kind == WY_CONSTRAINT_ANGLE && !equilibrium
                         ? wy_angle_factor(state->value - state->before, &unused)
                         : 1;
    return f * wy_law_stops_near(&one, &two, equilibrium);
}

/* What tendons do to the nodes of the rods, and what their lengths miss. */
static void tendon_forces(wy_network *net, double *gap, double *line) {
    wy_network_tendon_gaps(net, gap);
    for (int i = 0; i < net->plan.rods; i++) {
        wy_director *x = &net->rod[i];
        const int rows = 6 * x->plan.node_count;
        for (int k = 0; k < x->plan.tendon_count; k++) {
            const double *one = wy_net_tendon_line(net, i, k, 0);
            for (int n = 0; n < rows; n++) line[n] += x->tension[k] * one[n];
        }
        line += rows;
    }
}

/* Residual of joints, loads of bodies and tendons (wy_net_explicit); of `net` with another value of a parameter than that
 * of `here`. */
static void forces(const wy_network *here, wy_network *net, double *f) {
    const wy_network_plan *plan = &net->plan;
    double *gap = &f[wy_net_rows(net)];
    memset(f, 0, (size_t)wy_net_explicit_rows(here) * sizeof *f);
    if (plan->tendons) tendon_forces(net, gap, gap + plan->columns);
    for (int i = 0; i < plan->bodies; i++)
        wy_network_body_force(net, i, &f[6 * plan->body[i].rigid_group]);
    for (int i = 0; i < plan->joints; i++) {
        const wy_network_joint *j = &plan->joint[i];
        const wy_pair_step at = wy_joint_pair(net, j);
        for (int k = j->first; k < j->first + j->count; k++) {
            wy_constraint_state state = net->state_of[k];
            if (plan->constraint[k].silent) continue;
            wy_constraint_find(net, j, k, &at, &state);
            if (plan->constraint[k].multiplier < 0) state.stress += stops(here, k, net, &state);
            for (int n = 0; n < WY_PAIR; n++)
                if (j->rigid_group[n / 6] >= 0)
                    f[6 * j->rigid_group[n / 6] + n % 6] += state.bar[n] * state.stress;
            if (plan->constraint[k].multiplier >= 0)
                f[6 * plan->rigid_groups + plan->constraint[k].multiplier] =
                    state.value - state.target;
        }
    }
}

/* In statics, and in a motion from an equilibrium, ends are where they are prescribed. */
static withy_status target_of(const wy_network *net, wy_network *to, int c, double t, wy_pose *pose,
                              withy_error *err) {
    const wy_network_rigid_group *held = &to->plan.rigid_group[c];
    wy_director_end_now *now = held->rod >= 0 ? &to->rod[held->rod].now->end[held->which] : NULL;
    const int exact = !net->rigid.step->dynamic || net->rigid.plan.problem->rod[0].settled;
    wy_director_end_now keep;
    if (now) keep = *now;
    if (now && exact) now->offset_r = now->offset_turn = v3(0, 0, 0);
    const withy_status status = wy_rigid_group_target(to, c, t, pose, err);
    if (now) *now = keep;
    return status;
}

static withy_status held_slopes(wy_network *net, const wy_slope_live *live, double t,
                                wy_adjoint_node *out, withy_error *err) {
    for (int c = 0; c < net->plan.rigid_groups; c++) {
        vec3 r[4];
        mat3 d[4];
        memset(&out[c], 0, sizeof out[c]);
        if (!net->plan.rigid_group[c].held) continue;
        for (int i = 0; i < 4; i++) {
            wy_pose pose;
            WY_TRY(target_of(net, wy_network_of(live->at[i]), c, t, &pose, err));
            r[i] = pose.r, d[i] = pose.frame;
        }
        v3_to(wy_slope_five3(r, live->step), out[c].q);
        v3_to(wy_slope_turn3(d, live->step), out[c].q + 3);
    }
    return WITHY_OK;
}

/* Is what joints and loads of bodies do in this step smooth in the parameter? */
static void find_rough(wy_slope_live *live) {
    const wy_network *at[4];
    for (int i = 0; i < 4; i++) at[i] = wy_network_of(live->at[i]);
    const wy_network_plan *plan = &at[0]->plan;
    for (int k = 0; k < plan->constraints; k++) {
        double effort[4], target[4];
        for (int i = 0; i < 4; i++)
            effort[i] = at[i]->state_of[k].effort, target[i] = at[i]->state_of[k].target;
        wy_slope_rough(effort, 0, &live->rough), wy_slope_rough(target, 1, &live->rough);
    }
    for (int b = 0; b < plan->bodies && plan->pushes; b++) {
        vec3 force[4], moment[4];
        for (int i = 0; i < 4; i++) {
            double f[6] = {0};
            wy_network_body_force(at[i], b, f);
            force[i] = v3_from(f), moment[i] = v3_from(f + 3);
        }
        wy_slope_rough3(force, 0, &live->rough);
        wy_slope_rough3(moment, v3_norm(force[0]), &live->rough);
    }
}

withy_status wy_net_explicit(wy_network *net, int k, double t_load, double t_pose, double *force,
                             wy_adjoint_node *held, withy_error *err) {
    wy_slope_live *live = &net->rigid.slopes->live[k];
    static const double weight[4] = {1, -8, 8, -1};
    const double t_start = net->rigid.step->dynamic ? net->rigid.step->t : t_load;
    const int rows = wy_net_explicit_rows(net);
    double *one = net->slopes->one;
    memset(force, 0, (size_t)rows * sizeof *force);
    for (int i = 0; i < 4; i++) {
        wy_network *at = wy_network_of(live->at[i]);
        lend(net, at);
        WY_TRY(wy_network_loads_at(at, t_start, t_load, t_pose, err));
        lend_angles(net, at);
        forces(net, at, one);
        for (int n = 0; n < rows; n++) force[n] += weight[i] * one[n] / (12 * live->step);
    }
    find_rough(live);
    return held_slopes(net, live, t_pose, held, err);
}
