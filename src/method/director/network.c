/* network.c - the whole: rods, bodies and joints; its plan, its memory, and its start.  One rod is a network too.
 *
 * Parts: rods (one wy_director each, all their nodes), rigid groups (what is rigidly connected, the nodes of
 * one more wy_director, the rigid groups), joints (multipliers and laws between two rigid groups).  Energy and both
 * momenta are exact at any step, as for one rod; docs/theory/network.md has the proofs.
 *
 *   weld      shared unknowns: r_k = r + R o, d_k = R Q, increments exact                (director/network/rigid_group.c)
 *   joints    g = sum c u.w of affine vectors: B(qbar).(q+ - q-) = g+ - g-               (director/network/joint.h)
 *             F_q += B(qbar)^T sigma, constraint g(q+) = target                          (director/network/constraint.c)
 *   segments  chains of elements between rigid groups, condensed to 12 x 12                  (director/linear/segment.c)
 *   reduced system  rigid groups and multipliers, block LU of minimum degree                       (director/linear/reduced.c)
 *   tendons   of given length: their tensions added to the reduced system                        (director/force/network_tendon.c)
 *   contact   with obstacles and of rods; then the reduced system has all nodes                (director/contact/contacts.h)
 *   welds     what a weld carries, from what is behind it                                (director/network/weld.c)
 *   steps     network_step.c, step_size.c, step_trial.c      ledger  network_ledger.c     reports  network_sample.c, report.c
 *   at rest   network_static.c, network_modes.c, closed_loop.c; thin rods and signs: mixed.c, mixed_static.c, inertia.c
 *
 * Symbols    here                                 unit        shape
 *   r R v W  rigid.node[c], rigid.mass[c]             as for a rod  [rigid groups]
 *   o, Q     member[k].o, .q                      m, -        of a copy in its rigid group
 *   lambda   lambda[]                             N or N m    [multipliers], mean over the step
 *   alpha    angle[]                              rad         [links], with all turns
 *   sigma    pull[].sigma                                     independent stress of the mixed Newton
 *
 * Departures from the theory page: none.
 */
#include "method/director/contact/contacts.h"
#include "method/director/gradient/gradient_network.h"
#include "method/director/law/law.h"

static const double PART = 1e-3; /* of time.stop: the step where none is given */

const char *wy_network_rod_words(const wy_network *net, int rod, char *text, size_t size) {
    if (net->plan.rods == 1) return "the rod";
    snprintf(text, size, "rods[%d]", rod + 1);
    return text;
}

withy_status wy_network_no_memory(withy_error *err) {
    return wy_no_memory(err, "director: no memory for the network");
}

/* ---- rods --------------------------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Where joints are inside the rods. */
static withy_status list_places(wy_network *net, withy_error *err) {
    const withy_problem *problem = net->rigid.plan.problem;
    wy_arena *arena = net->rigid.setup->arena;
    int *count = wy_arena_alloc(arena, (size_t)net->plan.rods + 1, sizeof *count);
    if (!count) return wy_network_no_memory(err);
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < 2 * problem->joint_count; j++) {
            const withy_place *place = &problem->joint[j / 2].place[j % 2];
            if (place->part != WITHY_PART_ROD) continue;
            wy_director_plan *rod = &net->rod[place->index].plan;
            const double length = problem->rod[place->index].length, gap = 1e-6 * length;
            if (place->s <= gap || place->s >= length - gap) continue;
            if (pass == 0) {
                count[place->index]++;
                continue;
            }
            double *s = (double *)rod->joint_s;
            if (!s)
                rod->joint_s = s = wy_arena_alloc(arena, (size_t)count[place->index], sizeof *s);
            if (!s) return wy_network_no_memory(err);
            int known = 0;
            for (int i = 0; i < rod->joint_count; i++) known |= fabs(s[i] - place->s) <= gap;
            if (!known) s[rod->joint_count++] = place->s;
        }
    for (int i = 0; i < net->plan.rods; i++) {
        wy_director_plan *rod = &net->rod[i].plan;
        if (rod->joint_count + 2 > WY_DIRECTOR_BREAKS)
            return wy_unsupported(err, "rods[%d]" WY_KEY ": %d joints on one rod; at most %d",
                                  i + 1, rod->joint_count, WY_DIRECTOR_BREAKS - 2);
        if (rod->joint_count)
            qsort((void *)rod->joint_s, (size_t)rod->joint_count, sizeof(double), by_value);
    }
    return WITHY_OK;
}

/* The arrays of all rods, each in one piece, as state and scratch are (director/rod/plan.inc). */
static withy_status pack_rods(wy_network *net, withy_error *err) {
    if (!wy_director_pack(net->rod, net->plan.rods, net->rigid.setup->arena))
        return wy_network_no_memory(err);
    for (int i = 0; i < net->plan.rods; i++) {
        wy_director_plan *rod = &net->rod[i].plan;
        net->plan.tendons += rod->tendon_count;
        if (rod->p == net->rod[0].plan.p) rod->rule = net->rod[0].plan.rule;
        rod->skips_strains = !rod->damped && !rod->tendon_count && !rod->law->general;
    }
    return WITHY_OK;
}

/* 1: contact of parts, or a tendon that continues in another rod, compares their coordinates. */
static int touches_others(const wy_network *net) {
    const withy_problem *problem = net->rigid.plan.problem;
    const withy_contact *contact = &problem->contact;
    int found = contact->given && ((problem->rod_count > 1 && !contact->no_rods) ||
                                   (problem->body_count && !contact->no_bodies));
    for (int i = 0; i < problem->rod_count; i++)
        for (int k = 0; k < problem->rod[i].load_count; k++)
            found |= problem->rod[i].load[k].continues != NULL;
    return found;
}

static withy_status make_rods(wy_network *net, withy_error *err) {
    const wy_setup *setup = net->rigid.setup;
    net->rod = wy_arena_alloc(setup->arena, (size_t)net->plan.rods + 1, sizeof *net->rod);
    if (!net->rod) return wy_network_no_memory(err);
    WY_TRY(list_places(net, err));
    const int together = touches_others(net);
    for (int i = 0; i < net->plan.rods; i++) {
        net->rod[i].plan.index = i, net->rod[i].within = net;
        net->rod[i].plan.lone = !together && !wy_rod_is_joined(setup->problem, i);
        WY_TRY(wy_director_make_rod(setup, &net->rod[i], err));
        net->plan.length = wy_max(net->plan.length, net->rod[i].plan.whole);
        net->plan.damped |= net->rod[i].plan.damped;
    }
    return pack_rods(net, err);
}

/* Without rods: the reach of the bodies. */
static void measure_bodies(wy_network *net) {
    const withy_problem *problem = net->rigid.plan.problem;
    double *length = &net->plan.length;
    if (*length > 0) return;
    for (int i = 0; i < problem->body_count; i++) {
        const withy_body *body = &problem->body[i];
        const double largest = wy_max(body->inertia.x, wy_max(body->inertia.y, body->inertia.z));
        *length = wy_max(*length, sqrt(largest / body->mass));
    }
    for (int j = 0; j < 2 * problem->joint_count; j++) {
        const withy_place *place = &problem->joint[j / 2].place[j % 2];
        if (place->part == WITHY_PART_BODY) *length = wy_max(*length, v3_norm(place->at));
    }
}

/* ---- what is held -------------------------------------------------------------------------------------------- */

static int is_moved(const wy_director_end *end) {
    return wy_network_end_rates(end) || end->end.drives_position || end->end.drives_frame;
}

/* An end that is held where what it is welded to is held already: nothing is added, unless it is moved. */
static withy_status held_twice(wy_network *net, const wy_group_node *k, int which, int moved,
                               withy_error *err) {
    const wy_network_rigid_group *by = &net->plan.rigid_group[k->rigid_group];
    const wy_director_end *first = by->rod >= 0 ? &net->rod[by->rod].plan.end[by->which] : NULL;
    const char *const end = which ? "finish" : "start";
    char holder[64] = "the ground";
    if (by->rod >= 0)
        snprintf(holder, sizeof holder, "rods[%d].ends.%s", by->rod + 1,
                 by->which ? "finish" : "start");
    if (moved || by->ground || (first && is_moved(first)))
        return wy_bad_input(err,
                            "rods[%d].ends.%s" WY_KEY
                            ": is rigidly connected with %s, which holds both; move one "
                            "of them and leave the other free",
                            k->rod + 1, end, holder);
    if (!net->plan.twice++) /* once: a net may have many such corners */
        wy_note(net->rigid.setup->notes, WY_NOTE(reaction_shared), k->rod + 1, end, holder);
    return WITHY_OK;
}

/* An end of a rod that belongs to a rigid group is not held by the rod: it holds the rigid group (clamped), or a
 * joint to the ground does (pinned, guided, on a roller). */
static withy_status hold_end(wy_network *net, int member, int which, withy_error *err) {
    wy_network_plan *plan = &net->plan;
    const wy_group_node *k = &plan->member[member];
    wy_director_end *end = &net->rod[k->rod].plan.end[which];
    wy_network_rigid_group *rigid_group = &plan->rigid_group[k->rigid_group];
    const int holds = end->places || end->holds_frame;
    const int clamps = end->places == 3 && end->holds_frame && !end->turns_free;
    if (end->turns_free && end->holds_frame && (end->end.drives_frame || end->rates & 2))
        return wy_unsupported(
            err,
            "rods[%d].ends.%s" WY_KEY ": where a joint is, director turns an end only if it may "
            "not turn about itself (turn = \"free\"); leave that out, or weld the end to "
            "a body on a driven hinge",
            k->rod + 1, which ? "finish" : "start");
    const int moved = end->rates || is_moved(end);
    if (moved) plan->driven = 1;
    end->places = end->slides = end->holds_frame = end->turns_free = end->rates = 0;
    if (holds && rigid_group->held) return held_twice(net, k, which, moved, err);
    if (!holds) return WITHY_OK;
    if (clamps)
        *rigid_group =
            (wy_network_rigid_group){.held = 1, .rod = k->rod, .which = which, .member = member};
    else
        plan->joint[plan->joints++].number = member;
    return WITHY_OK;
}

/* Place `side` of a weld is the ground.  Of two grounds that move, or one of them, no rigid group can follow both. */
static withy_status hold_by_ground(wy_network *net, int joint, int side, withy_error *err) {
    const withy_problem *problem = net->rigid.plan.problem;
    const withy_place *place = problem->joint[joint].place, *ground = &place[side];
    const int c = wy_network_rigid_group_of(net, wy_network_part(net, &place[1 - side]));
    wy_network_rigid_group *held = &net->plan.rigid_group[c];
    char words[WY_JOINT_WORDS];
    wy_pose at;
    if (held->held && (held->ground || ground->path.size))
        return wy_bad_input(err,
                            "%s: another weld holds the same parts to the ground, and one of the "
                            "two places moves; remove one of the welds",
                            wy_joint_words(problem, joint, words, sizeof words));
    WY_TRY(wy_model_place(net->rigid.setup->model, problem, ground, &at, err));
    *held = (wy_network_rigid_group){.held = 1, .rod = -1, .from = at.r};
    held->ground = ground->path.size ? ground : NULL;
    held->r = net->rigid.plan.first[c].r;
    held->d = tri_matrix(net->rigid.plan.first[c].d);
    return WITHY_OK;
}

static withy_status hold_rigid_groups(wy_network *net, withy_error *err) {
    const withy_problem *problem = net->rigid.plan.problem;
    wy_network_plan *plan = &net->plan;
    plan->joints = problem->joint_count;
    plan->joint = wy_arena_alloc(net->rigid.setup->arena,
                                 (size_t)(plan->joints + plan->members + plan->spans) + 1,
                                 sizeof *plan->joint);
    if (!plan->joint) return wy_network_no_memory(err);
    for (int j = 0; j < problem->joint_count; j++)
        for (int s = 0; s < 2 && problem->joint[j].kind == WITHY_JOINT_WELD; s++)
            if (problem->joint[j].place[s].part == WITHY_PART_GROUND)
                WY_TRY(hold_by_ground(net, j, s, err));
    for (int i = 0; i < plan->members; i++) {
        const wy_group_node *k = &plan->member[i];
        const int last = net->rod[k->rod].plan.node_count - 1;
        if (k->node == 0 || k->node == last) WY_TRY(hold_end(net, i, k->node > 0, err));
    }
    return WITHY_OK;
}

/* A constraint between two things that are held, or nothing to move, has no solution. */
static withy_status check_joints(const wy_network *net, withy_error *err) {
    const wy_network_plan *plan = &net->plan;
    for (int i = 0; i < plan->joints; i++) {
        const wy_network_joint *j = &plan->joint[i];
        int ties = 0, loose = 0;
        for (int k = j->first; k < j->first + j->count; k++)
            ties |= plan->constraint[k].multiplier >= 0;
        for (int s = 0; s < 2; s++)
            loose |= j->rigid_group[s] >= 0 && !plan->rigid_group[j->rigid_group[s]].held;
        char words[WY_JOINT_WORDS];
        if (ties && !loose)
            return wy_bad_input(
                err, "%s: both of its parts are held already; remove it, or what holds one of them",
                wy_network_words(net, i, words, sizeof words));
    }
    return WITHY_OK;
}

/* [bytes] of panels beyond which they go past the caches: the second level of most processors has 1 to 2 MB. */
static const size_t STREAMS = (size_t)8 << 20;
static const size_t FETCHES = (size_t)1 << 19;

/* ---- segments -------------------------------------------------------------------------------------------------- */

static void add_segment(wy_network *net, int rod, int from, int to, const int member[2]) {
    wy_network_plan *plan = &net->plan;
    const size_t p = (size_t)net->rod[rod].plan.p, n = (size_t)(to - from);
    wy_network_segment *g = &plan->segment[plan->segments++];
    *g = (wy_network_segment){.rod = rod, .from = from, .to = to, .free_end = plan->free_ends};
    g->member[0] = member[0], g->member[1] = member[1];
    plan->free_ends += member[0] < 0 || member[1] < 0;
    g->panel = plan->panels, g->keep = plan->keeps;
    plan->panels += wy_segment_panel(net, g);
    plan->keeps += n * p * 6 * (p + (wy_segment_alone(g) ? 1 : 2)) * 6;
}

static withy_status cut_rods(wy_network *net, withy_error *err) {
    wy_network_plan *plan = &net->plan;
    plan->segment = wy_arena_alloc(net->rigid.setup->arena,
                                   (size_t)(plan->rods + plan->members) + 1, sizeof *plan->segment);
    if (!plan->segment) return wy_network_no_memory(err);
    for (int i = 0; i < plan->rods; i++) {
        const int *at = &plan->member_at[plan->member_first[i]], n = net->rod[i].plan.n;
        int from = 0;
        for (int e = 1; e <= n; e++) {
            if (e < n && at[e] < 0) continue;
            add_segment(net, i, from, e, (const int[2]){at[from], at[e]});
            from = e;
        }
    }
    size_t bytes = 0;
    for (int i = 0; i < plan->segments; i++)
        if (!wy_segment_alone(&plan->segment[i]))
            bytes += wy_segment_panel(net, &plan->segment[i]) * sizeof(double);
    plan->streams = (bytes > FETCHES) + (bytes > STREAMS);
    for (int i = 0; i < plan->segments; i++) plan->segment[i].streams = bytes > STREAMS;
    return WITHY_OK;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

/* Nothing holds it: the origin may follow.  A rod that is tied to nothing has an origin of its own. */
static int floats(const wy_network *net) {
    const wy_network_plan *plan = &net->plan;
    for (int i = 0; i < plan->joints; i++)
        if (plan->joint[i].rigid_group[0] < 0 || plan->joint[i].rigid_group[1] < 0) return 0;
    for (int c = 0; c < plan->rigid_groups; c++)
        if (plan->rigid_group[c].held) return 0;
    for (int i = 0; i < 2 * plan->rods; i++) {
        const wy_director_plan *rod = &net->rod[i / 2].plan;
        const wy_director_end *end = &rod->end[i % 2];
        if (!rod->lone && (end->places || end->spring > 0 || end->spring_turn > 0)) return 0;
    }
    return 1;
}

static withy_status list_pushes(wy_network *net, withy_error *err) {
    const withy_problem *problem = net->rigid.plan.problem;
    wy_network_plan *plan = &net->plan;
    for (int i = 0; i < problem->body_count; i++) plan->pushes += problem->body[i].load_count;
    plan->push =
        wy_arena_alloc(net->rigid.setup->arena, (size_t)plan->pushes + 1, sizeof *plan->push);
    plan->push_first = wy_arena_alloc(net->rigid.setup->arena, (size_t)problem->body_count + 1,
                                      sizeof *plan->push_first);
    if (!plan->push || !plan->push_first) return wy_network_no_memory(err);
    for (int i = 0, n = 0; i < problem->body_count; i++) {
        for (int k = 0; k < problem->body[i].load_count; k++, n++)
            plan->push[n][0] = i, plan->push[n][1] = k;
        plan->push_first[i + 1] = n;
    }
    return WITHY_OK;
}

static withy_status make_plan(wy_network *net, withy_error *err) {
    WY_TRY(list_pushes(net, err));
    WY_TRY(make_rods(net, err));
    measure_bodies(net);
    WY_TRY(wy_groups_find(net, err));
    WY_TRY(wy_contacts_make(net, err));
    WY_TRY(wy_network_tendons_make(net, err));
    net->rigid.plan.length = net->rigid.plan.whole = net->plan.length;
    WY_TRY(wy_rigid_groups_make(net, err));
    WY_TRY(wy_contacts_bodies_make(net, err));
    WY_TRY(hold_rigid_groups(net, err));
    WY_TRY(wy_constraints_make(net, err));
    WY_TRY(wy_welds_make(net, err));
    WY_TRY(check_joints(net, err));
    WY_TRY(cut_rods(net, err));
    WY_TRY(wy_reduced_make(net, err));
    WY_TRY(wy_groups_make(net, err));
    net->plan.floats = floats(net);
    return WITHY_OK;
}

static void layout_all(void *self, wy_block *room) {
    wy_network_layout(self, room, room);
}

/* The check needs state and scratch: memory of its own. */
static withy_status check_constraints(wy_network *net, withy_error *err) {
    void *memory = wy_block_create(layout_all, net);
    if (!memory) return wy_network_no_memory(err);
    *net->rigid.step = (wy_director_step){.h = 1, .beta = 1, .factor = 1};
    const size_t rigid_groups = (size_t)net->plan.rigid_groups;
    memcpy(net->rigid.node, net->rigid.plan.first, rigid_groups * sizeof *net->rigid.node);
    wy_rigid_groups_stay(net);
    withy_status status = wy_constraints_at(net, 0, 0, 0, err);
    if (status == WITHY_OK) status = wy_reduced_check(net, err);
    wy_free(memory);
    return status;
}

/* The step, or about one: what is resolved where there is no step yet. */
static double scale_of_time(const wy_network *net) {
    const double dt = net->rigid.plan.opt.dt, stop = net->rigid.setup->problem->request.stop;
    return dt > 0 ? dt : PART * (stop > 0 ? stop : 1);
}

/* Order 4 goes back in time, and gains nothing where something touches: trials see that (director/step/step_trial.c) where contact can
 * be idle. */
static void choose_order(wy_network *net) {
    int *order = &net->rigid.plan.opt.order;
    int one_way = net->rigid.plan.opt.dt > 0 || net->plan.damped ||
                  (net->contacts && !wy_contacts_may_idle(&net->contacts->plan));
    for (int i = 0; i < net->plan.rods; i++)
        one_way |= net->rod[i].plan.damped || net->rod[i].plan.uses_state & WY_USES_STATE;
    if (*order == 0 && one_way) *order = 2;
}

static withy_status check_order(const wy_network *net, withy_error *err) {
    if (net->rigid.plan.opt.order != 4) return WITHY_OK;
    if (net->plan.damped)
        return wy_bad_input(
            err, "options.order" WY_KEY
                 " = 4: not possible with damping, drag or yielding, because each step contains a "
                 "substep backwards in time; use order = 2");
    for (int i = 0; i < net->plan.rods; i++)
        if (net->rod[i].plan.uses_state & WY_USES_STATE)
            return wy_bad_input(err,
                                "options.order" WY_KEY
                                " = 4: not possible with a load that depends on the state (a "
                                "drag, say), because each step contains a substep backwards in "
                                "time; use order = 2");
    return WITHY_OK;
}

withy_status wy_network_make(const wy_setup *setup, wy_director **rigid, withy_error *err) {
    wy_network *net = wy_arena_alloc(setup->arena, 1, sizeof *net);
    if (!net) return wy_network_no_memory(err);
    *rigid = &net->rigid;
    net->rigid.setup = setup, net->rigid.network = 1;
    net->rigid.plan.problem = setup->problem;
    net->rigid.plan.opt = *(const wy_director_options *)setup->options;
    net->plan.dt = scale_of_time(net);
    net->plan.rods = setup->problem->rod_count;
    net->rigid.plan.about = v3_sub(setup->problem->rotating.about, wy_model_origin(setup->model));
    WY_TRY(make_plan(net, err));
    choose_order(net);
    WY_TRY(wy_director_horizon(&net->rigid, err));
    if (wy_network_pairs(net) && net->plan.columns)
        return wy_unsupported(
            err, "director: tendons of given length and contact of rods together are not "
                 "computed; give their tension, or contact.self = contact.rods = false");
    WY_TRY(check_order(net, err));
    return check_constraints(net, err);
}

void wy_network_layout(void *self, wy_block *state, wy_block *scratch) {
    wy_network *net = self;
    const wy_network_plan *plan = &net->plan;
    const size_t rigid_groups = (size_t)plan->rigid_groups + 1,
                 constraints = (size_t)plan->constraints;
    const size_t before = state->used;
    net->state = state->base ? state->base + before : NULL;
    net->rigid.now = wy_director_keep_now(state, wy_net_tape_room(net));
    net->rigid.node = wy_block_alloc(state, rigid_groups, sizeof *net->rigid.node);
    net->now = wy_block_alloc(state, 1, sizeof *net->now);
    net->joint = wy_block_alloc(state, (size_t)plan->joints, sizeof *net->joint);
    net->lambda = wy_block_alloc(state, (size_t)plan->multipliers, sizeof *net->lambda);
    net->angle = wy_block_alloc(state, constraints, sizeof *net->angle);
    wy_director_layout_state(net->rod, plan->rods, state);

    net->rigid.step = wy_block_alloc(scratch, 1, sizeof *net->rigid.step);
    net->rigid.next = wy_block_alloc(scratch, rigid_groups, sizeof *net->rigid.next);
    wy_director_layout(net->rod, plan->rods, WY_BLOCK_ITERATE, scratch);
    net->state_of = wy_block_alloc(scratch, constraints, sizeof *net->state_of);
    net->ground = wy_block_alloc(scratch, (size_t)plan->joints, sizeof *net->ground);
    net->axes = wy_block_alloc(scratch, (size_t)plan->joints, sizeof *net->axes);
    net->free_end = wy_block_alloc(scratch, (size_t)plan->free_ends, sizeof *net->free_end);
    net->panel = wy_block_alloc(scratch, plan->panels, sizeof *net->panel);
    net->keep = wy_block_alloc(scratch, plan->keeps + 2, sizeof *net->keep);
    for (int i = 0; i < plan->segments && net->panel; i++) {
        const wy_network_segment *g = &plan->segment[i];
        if (!wy_segment_alone(g)) continue;
        net->rod[g->rod].panel = &net->panel[g->panel], net->rod[g->rod].keep = &net->keep[g->keep];
    }
    const size_t values = wy_network_pairs(net) ? net->contacts->plan.values : plan->reduced.values;
    net->value = wy_block_alloc(scratch, values, sizeof *net->value);
    net->pivot = wy_block_alloc(scratch, (size_t)plan->reduced.rows, sizeof *net->pivot);
    net->side = wy_block_alloc(scratch, (size_t)plan->reduced.rows, sizeof *net->side);
    net->change = wy_block_alloc(scratch, (size_t)plan->multipliers, sizeof *net->change);
    net->kept = wy_block_alloc(scratch, (size_t)plan->multipliers, sizeof *net->kept);
    int nodes = 1;
    for (int i = 0; i < plan->rods; i++)
        if (net->rod[i].plan.node_count > nodes) nodes = net->rod[i].plan.node_count;
    for (int i = 0; i < 2; i++)
        net->line[i] = wy_block_alloc(scratch, 6 * (size_t)nodes, sizeof *net->line[i]);
    net->load = wy_block_alloc(scratch, (size_t)plan->pushes, sizeof *net->load);
    wy_border_layout(&net->border, plan->columns, wy_network_rows(net), scratch);
    if (net->contacts) wy_contacts_layout(net->contacts, state, scratch);
    wy_network_layout_slopes(net, state, scratch);
    net->state_size = state->used - before;
    wy_director_layout_auto(&net->rigid, state, scratch);
    for (int i = 0; i < 2 && !(net->rigid.plan.opt.dt > 0); i++)
        net->copy[i] = wy_block_alloc(scratch, net->state_size, 1);
}

const char *wy_network_state_error(const void *self, const wy_span *at) {
    const wy_network *net = self;
    const char *what = wy_director_state_error(&net->rigid, at);
    for (int i = 0; i < net->plan.rods && !what; i++)
        what = wy_director_state_error(&net->rod[i], at);
    return what || !net->contacts ? what : wy_contacts_state_error(net);
}

/* ---- t = 0 ----------------------------------------------------------------------------------------------------------- */

static int conserves(const wy_network *net) {
    int quiet = !net->plan.damped && !net->plan.driven;
    for (int i = 0; i < net->plan.rods; i++) quiet &= wy_director_conserves(&net->rod[i].plan);
    for (int i = 0; i < net->plan.bodies; i++) {
        const withy_body *body = &net->rigid.plan.problem->body[i];
        for (int k = 0; k < body->load_count; k++)
            quiet &= !body->load[k].follower && !wy_field_varies(&body->load[k].force) &&
                     !wy_field_varies(&body->load[k].moment);
    }
    return quiet;
}

withy_status wy_network_let_go(wy_network *net, int moving, withy_error *err) {
    net->rigid.step->t = 0; /* ends that are given by their rates are driven on from there */
    for (int i = 0; i < net->plan.rods && moving; i++)
        WY_TRY(wy_director_velocities(&net->rod[i], err));
    if (moving) WY_TRY(wy_rigid_groups_velocity(net, err));
    wy_group_nodes_settle(net);
    *net->rigid.step =
        (wy_director_step){.h = 1.0, .beta = 1.0, .factor = 1.0, .begins = moving == WY_BEGINS};
    net->rigid.step->gravity = net->rigid.plan.problem->gravity;
    wy_rigid_groups_stay(net);
    wy_network_share_step(net);
    for (int i = 0; i < net->plan.rods; i++) {
        wy_director *rod = &net->rod[i];
        wy_director_zero_increment(rod);
        wy_director_strains(rod, 1);
    }
    if (net->contacts) WY_TRY(wy_contacts_start(net, err));
    WY_TRY(wy_network_loads_at(net, 0, 0, 0, err));
    for (int i = 0; i < net->plan.joints; i++) net->joint[i].ground = net->ground[i][1];
    for (int i = 0; i < net->plan.rods; i++) {
        WY_TRY(wy_director_state_loads_at(&net->rod[i], 0, err));
        wy_director_reactions(&net->rod[i]);
    }
    wy_network_ledger_open(net);
    net->rigid.setup->stats->conserves = conserves(net);
    return WITHY_OK;
}

withy_status wy_network_start(void *self, withy_error *err) {
    wy_network *net = self;
    const size_t rigid_groups = (size_t)net->plan.rigid_groups;
    memcpy(net->rigid.node, net->rigid.plan.first, rigid_groups * sizeof *net->rigid.node);
    if (net->contacts) wy_contacts_clear(net->contacts);
    for (int i = 0; i < net->plan.rods; i++) wy_director_place_first(&net->rod[i]);
    WY_TRY(wy_rigid_groups_offsets(net, err));
    return wy_network_let_go(net, WY_BEGINS, err);
}
