/* rigid_group.c - what is rigidly connected: welded nodes of rods, and bodies.
 *
 * A rigid group has one node (r, R, v, W): r the common centre of mass of its bodies and of the lumped masses
 * of its rod nodes, R their common principal axes.  A rod node that belongs to it is a copy,
 *
 *   r_k = r + R o,  d_k = R Q          r_k+ - r_k- = (r+ - r-) + theta x pm,  pm = (p- + p+)/2,  p = R o
 *
 * exactly, and the Cayley vector theta is that of the rigid group.  Inertia is the rigid group's alone, so that no
 * velocity of a copy can ring against another.
 */
#include "method/director/network.h"
#include "numeric/eigen/eigen.h"

/* Joints this close on a rod, of its length, are at the same node: director/rod/mesh.c. */
static const double SAME = 2e-6;
static const double BODY_SHARE = 0.1;       /* of L */
static const double PLACE_TOLERANCE = 2e-2; /* of L or rad: as in director/rod/initial.c */

int wy_network_node(const wy_director *rod, double s) {
    const wy_director_plan *plan = &rod->plan;
    int best = 0;
    for (int e = 0; e <= plan->n; e++)
        if (fabs(plan->start[e] - s) < fabs(plan->start[best] - s)) best = e;
    return fabs(plan->start[best] - s) <= SAME * plan->length ? best * plan->p : -1;
}

int wy_group_node_of(const wy_network *net, int rod, int node) {
    const wy_network_plan *plan = &net->plan;
    return plan->member_at[plan->member_first[rod] + node / net->rod[rod].plan.p];
}

/* ---- copies ------------------------------------------------------------------------------------------- */

typedef void member_job(wy_network *net, const wy_group_node *k);

/* Every member of a rod, in the order of its elements. */
static inline void for_members(wy_network *net, int rod, member_job *job) {
    const int *at = &net->plan.member_at[net->plan.member_first[rod]];
    for (int e = 0; e <= net->rod[rod].plan.n && net->plan.members; e++)
        if (at[e] >= 0) job(net, &net->plan.member[at[e]]);
}

static void follow(wy_network *net, const wy_group_node *k) {
    const wy_director_next *from = &net->rigid.next[k->rigid_group];
    wy_director_next *to = &net->rod[k->rod].next[k->node];
    const vec3 pm = m3_mul(tri_matrix(wy_director_mid(&net->rigid, k->rigid_group)), k->o);
    to->theta = from->theta;
    to->dr = v3_add(from->dr, v3_cross(from->theta, pm));
    to->d = tri_from(m3_mulm(tri_matrix(from->d), k->q));
}

void wy_rod_follows(wy_network *net, int rod) {
    for_members(net, rod, follow);
}

void wy_group_nodes_follow(wy_network *net) {
    for (int i = 0; i < net->plan.rods; i++) wy_rod_follows(net, i);
}

static void settle(wy_network *net, const wy_group_node *k) {
    const wy_director_node *from = &net->rigid.node[k->rigid_group];
    wy_director_node *to = &net->rod[k->rod].node[k->node];
    const mat3 frame = tri_matrix(from->d);
    const vec3 p = m3_mul(frame, k->o), spin = m3_mul(frame, lane_vec3(from->w));
    to->r = v3_add(from->r, p);
    to->d = tri_from(m3_mulm(frame, k->q));
    to->v = v3_add(from->v, v3_cross(spin, p));
    to->w = tri_dot(to->d, tri_all(spin));
}

void wy_rod_settles(wy_network *net, int rod) {
    for_members(net, rod, settle);
}

void wy_group_nodes_settle(wy_network *net) {
    for (int i = 0; i < net->plan.rods; i++) wy_rod_settles(net, i);
}

void wy_group_node_change(const wy_network *net, int member, double change[6]) {
    const wy_group_node *k = &net->plan.member[member];
    const wy_director_next *from = &net->rigid.next[k->rigid_group];
    const vec3 p = m3_mul(tri_matrix(from->d), k->o), turn = v3_from(&from->change[3]);
    v3_to(v3_add(v3_from(from->change), v3_cross(turn, p)), change);
    v3_to(turn, change + 3);
}

/* ---- making ------------------------------------------------------------------------------------------- */

/* The part that is the same place of a closed rod; -1: none. */
int wy_network_same_place(const wy_network *net, int part) {
    const int bodies = net->plan.bodies;
    if (part < bodies) return -1;
    const wy_group_node *k = &net->plan.member[part - bodies];
    const wy_director_plan *rod = &net->rod[k->rod].plan;
    const int last = rod->node_count - 1;
    if (!rod->rod->closed || (k->node > 0 && k->node < last)) return -1;
    return bodies + wy_group_node_of(net, k->rod, last - k->node);
}

/* Which member is at each border of two elements. */
static withy_status take_members(wy_network *net, withy_error *err) {
    const withy_problem *problem = net->rigid.plan.problem;
    wy_network_plan *plan = &net->plan;
    wy_allocator from = {.arena = net->rigid.setup->arena};
    int borders = 0, places = 2 * problem->joint_count;
    for (int i = 0; i < plan->rods; i++) places += problem->rod[i].closed ? 2 : 0;
    plan->member_first =
        wy_allocator_alloc(&from, (size_t)plan->rods + 1, sizeof *plan->member_first);
    for (int i = 0; i < plan->rods && !from.failed; i++) {
        plan->member_first[i] = borders;
        borders += net->rod[i].plan.n + 1;
        plan->member_first[i + 1] = borders;
    }
    plan->member_at = wy_allocator_alloc(&from, (size_t)borders + 1, sizeof *plan->member_at);
    plan->member = wy_allocator_alloc(&from, (size_t)places + 1, sizeof *plan->member);
    if (from.failed) return wy_network_no_memory(err);
    for (int i = 0; i < borders; i++) plan->member_at[i] = -1;
    return WITHY_OK;
}

static void add_member(wy_network *net, int rod, int node) {
    wy_network_plan *plan = &net->plan;
    int *at = &plan->member_at[plan->member_first[rod] + node / net->rod[rod].plan.p];
    if (*at >= 0) return;
    *at = plan->members;
    plan->member[plan->members++] = (wy_group_node){.rod = rod, .node = node, .q = m3_identity()};
}

static withy_status list_members(wy_network *net, withy_error *err) {
    const withy_problem *problem = net->rigid.plan.problem;
    wy_network_plan *plan = &net->plan;
    WY_TRY(take_members(net, err));
    for (int j = 0; j < problem->joint_count; j++)
        for (int i = 0; i < 2; i++) {
            const withy_place *place = &problem->joint[j].place[i];
            if (place->part != WITHY_PART_ROD) continue;
            const wy_director *rod = &net->rod[place->index];
            const int node = wy_network_node(rod, place->s);
            if (node < 0)
                return wy_bad_input(
                    err, "joints[%d]" WY_KEY ": rod %d has no node there; use fewer elements",
                    j + 1, place->index + 1);
            add_member(net, place->index, node);
        }
    for (int i = 0; i < 2 * plan->rods; i++)
        if (problem->rod[i / 2].closed)
            add_member(net, i / 2, i % 2 ? net->rod[i / 2].plan.node_count - 1 : 0);
    return WITHY_OK;
}

/* Which sets of parts are welded to a ground that is not driven: stands[root]. */
static void find_standing(const wy_network *net, int *parent, char *stands) {
    const withy_problem *problem = net->rigid.plan.problem;
    for (int j = 0; j < problem->joint_count; j++)
        for (int s = 0; s < 2 && problem->joint[j].kind == WITHY_JOINT_WELD; s++) {
            const withy_place *ground = &problem->joint[j].place[s];
            const int part = wy_network_part(net, &problem->joint[j].place[1 - s]);
            if (ground->part == WITHY_PART_GROUND && part >= 0)
                stands[wy_part_root(parent, part)] = !ground->path.size;
        }
}

void wy_network_join_places(const wy_network *net, int *parent) {
    for (int i = 0; i < net->plan.bodies + net->plan.members; i++) {
        const int same = wy_network_same_place(net, i);
        if (same >= 0) parent[wy_part_root(parent, i)] = wy_part_root(parent, same);
    }
}

/* Number the sets of parts that welds connect. */
static withy_status number_rigid_groups(wy_network *net, int *parent, withy_error *err) {
    const withy_problem *problem = net->rigid.plan.problem;
    wy_network_plan *plan = &net->plan;
    const int parts = plan->bodies + plan->members;
    for (int i = 0; i < parts; i++) parent[i] = i;
    for (int j = 0; j < problem->joint_count; j++) {
        const withy_joint *joint = &problem->joint[j];
        const int a = wy_network_part(net, &joint->place[0]);
        const int b = wy_network_part(net, &joint->place[1]);
        if (joint->kind == WITHY_JOINT_WELD && a >= 0 && b >= 0)
            parent[wy_part_root(parent, a)] = wy_part_root(parent, b);
    }
    wy_network_join_places(net, parent);
    wy_allocator from = {.arena = net->rigid.setup->arena};
    int *number = wy_allocator_alloc(&from, (size_t)parts + 1, sizeof *number);
    char *stands = wy_allocator_alloc(&from, (size_t)parts + 1, sizeof *stands);
    if (from.failed) return wy_network_no_memory(err);
    find_standing(net, parent, stands);
    for (int i = 0; i < parts; i++) number[i] = -1;
    for (int last = 0; last < 2; last++) { /* those that stand behind the others */
        for (int i = 0; i < parts; i++) {
            const int root = wy_part_root(parent, i);
            if (stands[root] == last && number[root] < 0) number[root] = plan->rigid_groups++;
        }
        if (!last) net->rigid.plan.node_count = plan->rigid_groups;
    }
    for (int i = 0; i < parts; i++)
        *(i < plan->bodies ? &plan->body[i].rigid_group
                           : &plan->member[i - plan->bodies].rigid_group) =
            number[wy_part_root(parent, i)];
    return WITHY_OK;
}

int wy_network_rigid_group_of(const wy_network *net, int part) {
    const int bodies = net->plan.bodies;
    return part < bodies ? net->plan.body[part].rigid_group
                         : net->plan.member[part - bodies].rigid_group;
}

static withy_status list_parts(wy_network *net, withy_error *err) {
    wy_network_plan *plan = &net->plan;
    const int parts = plan->bodies + plan->members;
    wy_allocator from = {.arena = net->rigid.setup->arena};
    const size_t rigid_groups = (size_t)plan->rigid_groups + 2;
    int *first = plan->rigid_group_first = wy_allocator_alloc(&from, rigid_groups, sizeof *first);
    plan->rigid_group_part =
        wy_allocator_alloc(&from, (size_t)parts + 1, sizeof *plan->rigid_group_part);
    if (from.failed) return wy_network_no_memory(err);
    for (int i = 0; i < parts; i++) first[wy_network_rigid_group_of(net, i) + 2]++;
    for (int c = 0; c < plan->rigid_groups; c++) first[c + 2] += first[c + 1];
    for (int i = 0; i < parts; i++)
        plan->rigid_group_part[first[wy_network_rigid_group_of(net, i) + 1]++] = i;
    return WITHY_OK;
}

/* ---- mass ---------------------------------------------------------------------------------------------- */

/* The parts of one rigid group together. */
typedef struct heap {
    double mass, inertia[9];
    vec3 r;
    int parts;
} heap;

static void add_inertia(heap *h, double mass, vec3 r, mat3 axes, lane rotary) {
    const vec3 column[3] = {axes.c1, axes.c2, axes.c3}, away = v3_sub(r, h->r);
    const double a[3] = {away.x, away.y, away.z}, square = v3_dot(away, away);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            h->inertia[3 * i + j] += mass * ((i == j ? square : 0) - a[i] * a[j]);
            for (int k = 0; k < 3; k++) {
                const double d[3] = {column[k].x, column[k].y, column[k].z};
                h->inertia[3 * i + j] += rotary[k] * d[i] * d[j];
            }
        }
}

wy_network_piece wy_network_piece_of(const wy_network *net, int part) {
    const int bodies = net->plan.bodies;
    if (part >= bodies) {
        const wy_group_node *k = &net->plan.member[part - bodies];
        return (wy_network_piece){k->rigid_group, k->mass.mass, k->mass.rotary, k->o, k->q};
    }
    const wy_network_body *own = &net->plan.body[part];
    const withy_body *body = &net->rigid.plan.problem->body[part];
    return (wy_network_piece){own->rigid_group, body->mass, vec3_lane(body->inertia), own->o,
                              own->q};
}

/* Of a part, at t = 0. */
static wy_pose first_of(const wy_network *net, int part) {
    if (part < net->plan.bodies)
        return wy_model_body(net->rigid.setup->model, &net->rigid.plan.problem->body[part]);
    const wy_group_node *k = &net->plan.member[part - net->plan.bodies];
    const wy_director_node *node = &net->rod[k->rod].plan.first[k->node];
    return (wy_pose){node->r, tri_matrix(node->d)};
}

/* Principal axes, right handed. */
static mat3 axes_of(heap *h, lane *rotary) {
    double value[3], v[9];
    wy_symmetric_eigen(3, h->inertia, value, v);
    *rotary = (lane){value[0], value[1], value[2], 0};
    const vec3 a = v3(v[0], v[3], v[6]), b = v3(v[1], v[4], v[7]);
    return (mat3){a, b, v3_cross(a, b)};
}

/* Its node: the centre of mass and the axes; of a single part its own. */
static void place_rigid_group(wy_network *net, heap *h, int c, int only) {
    wy_director_node *node = &net->rigid.plan.first[c];
    wy_director_mass *mass = &net->rigid.plan.mass[c];
    mass->mass = h->mass;
    node->r = h->r;
    if (h->parts > 1 && h->mass > 0) {
        node->d = tri_orthonormal(tri_from(axes_of(h, &mass->rotary)));
    } else {
        node->d = tri_from(first_of(net, only).frame);
        mass->rotary = wy_network_piece_of(net, only).rotary;
    }
}

static withy_status weigh_rigid_groups(wy_network *net, withy_error *err) {
    const wy_network_plan *plan = &net->plan;
    const size_t count = (size_t)plan->rigid_groups + 1;
    heap *h = wy_alloc(count, sizeof *h);
    int *only = wy_alloc(count, sizeof *only);
    if (!h || !only) return wy_free(h), wy_free(only), wy_network_no_memory(err);
    for (int pass = 0; pass < 2; pass++) { /* centres, then moments about them */
        for (int i = 0; i < plan->bodies + plan->members; i++) {
            const wy_network_piece x = wy_network_piece_of(net, i);
            const wy_pose at = first_of(net, i);
            heap *to = &h[x.rigid_group];
            if (pass == 0) {
                to->r = to->parts ? v3_axpy(to->r, x.mass, at.r) : v3_scale(x.mass, at.r);
                to->mass += x.mass, to->parts++, only[x.rigid_group] = i;
            } else {
                add_inertia(to, x.mass, at.r, at.frame, x.rotary);
            }
        }
        for (int c = 0; c < plan->rigid_groups && pass == 0; c++)
            h[c].r = h[c].parts > 1 && h[c].mass > 0 ? v3_scale(1 / h[c].mass, h[c].r)
                                                     : first_of(net, only[c]).r;
    }
    for (int c = 0; c < plan->rigid_groups; c++) place_rigid_group(net, &h[c], c, only[c]);
    wy_free(h), wy_free(only);
    return WITHY_OK;
}

/* In body axes.  What rounding leaves between places that are one is no arm: the force of a taut rod at its end would turn a
 * thin one about itself. */
static vec3 arm_of(const wy_network *net, mat3 frame, vec3 r, vec3 centre) {
    const vec3 away = v3_sub(r, centre);
    const double none = 1e-13 * wy_max(net->plan.length, v3_norm(r));
    return v3_norm(away) <= none ? v3(0, 0, 0) : m3_tmul(frame, away);
}

/* Offsets and rotations of the parts; the mass of nodes goes to their rigid group. */
static void set_offsets(wy_network *net) {
    wy_network_plan *plan = &net->plan;
    for (int i = 0; i < plan->bodies + plan->members; i++) {
        wy_group_node *k = i < plan->bodies ? NULL : &plan->member[i - plan->bodies];
        const wy_director_node *node = &net->rigid.plan.first[wy_network_rigid_group_of(net, i)];
        const mat3 frame = tri_matrix(node->d);
        const wy_pose pose = first_of(net, i);
        *(k ? &k->o : &plan->body[i].o) = arm_of(net, frame, pose.r, node->r);
        *(k ? &k->q : &plan->body[i].q) = m3_mulm(m3_transpose(frame), pose.frame);
        if (!k) continue;
        wy_director_mass *mass = &net->rod[k->rod].plan.mass[k->node];
        mass->mass = 0, mass->rotary = lane_all(0);
    }
}

static withy_status take_rigid(wy_network *net, withy_error *err) {
    wy_director_plan *rigid = &net->rigid.plan;
    const size_t count = (size_t)net->plan.rigid_groups + 1;
    wy_allocator from = {.arena = net->rigid.setup->arena};
    rigid->mass = wy_allocator_alloc(&from, count, sizeof *rigid->mass);
    rigid->first = wy_allocator_alloc(&from, count, sizeof *rigid->first);
    rigid->s = wy_allocator_alloc(&from, count, sizeof *rigid->s);
    net->plan.rigid_group = wy_allocator_alloc(&from, count, sizeof *net->plan.rigid_group);
    if (from.failed) return wy_network_no_memory(err);
    rigid->p = 1;
    return WITHY_OK;
}

withy_status wy_rigid_groups_make(wy_network *net, withy_error *err) {
    const withy_problem *problem = net->rigid.plan.problem;
    wy_network_plan *plan = &net->plan;
    plan->bodies = problem->body_count;
    WY_TRY(list_members(net, err));
    plan->body =
        wy_arena_alloc(net->rigid.setup->arena, (size_t)plan->bodies + 1, sizeof *plan->body);
    const size_t parts = (size_t)(plan->bodies + plan->members) + 1;
    int *parent = wy_arena_alloc(net->rigid.setup->arena, parts, sizeof *parent);
    if (!plan->body || !parent) return wy_network_no_memory(err);
    WY_TRY(number_rigid_groups(net, parent, err));
    WY_TRY(list_parts(net, err));
    WY_TRY(take_rigid(net, err));
    for (int i = 0; i < plan->members; i++) {
        wy_group_node *k = &plan->member[i];
        k->mass = net->rod[k->rod].plan.mass[k->node];
    }
    WY_TRY(weigh_rigid_groups(net, err));
    for (int i = 0; i < plan->bodies; i++) /* in wy_equations.weigh a body is a piece of rod */
        net->rigid.plan.mass[plan->body[i].rigid_group].share +=
            BODY_SHARE * wy_body_group_length(net, i);
    set_offsets(net);
    return WITHY_OK;
}

/* ---- held rigid groups ------------------------------------------------------------------------------------ */

withy_status wy_rigid_group_target(const wy_network *net, int c, double t, wy_pose *to,
                                   withy_error *err) {
    const wy_network_rigid_group *held = &net->plan.rigid_group[c];
    if (held->rod < 0) {
        vec3 at = held->from;
        if (held->ground)
            WY_TRY(wy_model_place_at(net->rigid.setup->model, held->ground, t, &at, err));
        *to = (wy_pose){v3_add(held->r, v3_sub(at, held->from)), held->d};
        return WITHY_OK;
    }
    const wy_director *rod = &net->rod[held->rod];
    const wy_group_node *k = &net->plan.member[held->member];
    const wy_director_end_now *now = &rod->now->end[held->which];
    wy_pose pose;
    WY_TRY(wy_network_end_pose(net, held->rod, held->which, t, &pose, err));
    pose.frame = tri_matrix(tri_cayley(now->offset_turn, tri_from(pose.frame)));
    to->frame = m3_mulm(pose.frame, m3_transpose(k->q));
    to->r = v3_sub(v3_add(pose.r, now->offset_r), m3_mul(to->frame, k->o));
    return WITHY_OK;
}

void wy_rigid_groups_stand(wy_network *net) {
    for (int c = wy_network_moving(net); c < net->plan.rigid_groups; c++)
        net->rigid.next[c] = (wy_director_next){.d = net->rigid.node[c].d};
}

void wy_rigid_groups_stay(wy_network *net) {
    wy_director_zero_increment(&net->rigid);
    wy_rigid_groups_stand(net);
}

withy_status wy_rigid_groups_hold(wy_network *net, double t, withy_error *err) {
    for (int c = wy_network_moving(net); c < net->plan.rigid_groups; c++)
        memset(net->rigid.next[c].change, 0, sizeof net->rigid.next[c].change);
    for (int c = 0; c < wy_network_moving(net); c++) {
        if (!net->plan.rigid_group[c].held) continue;
        wy_director_next *next = &net->rigid.next[c];
        wy_pose to;
        WY_TRY(wy_rigid_group_target(net, c, t, &to, err));
        const vec3 left =
            v3_sub(v3_sub(to.r, net->rigid.now->origin), wy_director_plus_r(&net->rigid, c));
        v3_to(left, next->change);
        v3_to(cayley_between(tri_matrix(next->d), to.frame), next->change + 3);
    }
    return WITHY_OK;
}

void wy_rigid_groups_pin(wy_network *net) {
    for (int c = 0; c < wy_network_moving(net); c++) {
        if (!net->plan.rigid_group[c].held) continue;
        wy_director_node *node = &net->rigid.node[c];
        const double *left = net->rigid.next[c].change;
        node->r = v3_add(node->r, v3_from(left));
        node->d = tri_orthonormal(tri_cayley(v3_from(left + 3), node->d));
    }
}

withy_status wy_rigid_groups_offsets(wy_network *net, withy_error *err) {
    for (int c = 0; c < net->plan.rigid_groups; c++) {
        const wy_network_rigid_group *held = &net->plan.rigid_group[c];
        if (!held->held || held->rod < 0) continue;
        const wy_group_node *k = &net->plan.member[held->member];
        const wy_director *rod = &net->rod[held->rod];
        wy_director_end_now *now = &rod->now->end[held->which];
        wy_pose pose;
        WY_TRY(wy_end_pose(&rod->plan.end[held->which].end, 0, &pose, err));
        const mat3 frame = tri_matrix(net->rigid.node[c].d);
        const vec3 r = v3_add(net->rigid.node[c].r, m3_mul(frame, k->o));
        now->offset_r = v3_sub(v3_add(net->rigid.now->origin, r), pose.r);
        now->offset_turn = cayley_between(pose.frame, m3_mulm(frame, k->q));
        if (!(v3_norm(now->offset_r) <= PLACE_TOLERANCE * rod->plan.length) ||
            !(v3_norm(now->offset_turn) <= PLACE_TOLERANCE))
            return wy_bad_input(err,
                                "director: on n = %d elements rods[%d] misses ends.%s by %.3g m "
                                "and %.3g rad; use more elements (options.n)",
                                rod->plan.n, held->rod + 1, held->which ? "finish" : "start",
                                v3_norm(now->offset_r), v3_norm(now->offset_turn));
    }
    return WITHY_OK;
}

/* ---- velocities at t = 0 ----------------------------------------------------------------------- */

/* v = P/m and W = J^-1 R^T L of the parts, as they are given: where these agree, exactly theirs. */
static void share_momentum(wy_network *net) {
    const wy_network_plan *plan = &net->plan;
    const withy_problem *problem = net->rigid.plan.problem;
    for (int c = 0; c < plan->rigid_groups; c++) {
        net->rigid.node[c].v = v3(0, 0, 0), net->rigid.node[c].w = lane_all(0);
    }
    for (int i = 0; i < plan->bodies + plan->members; i++) {
        const wy_group_node *k = i < plan->bodies ? NULL : &plan->member[i - plan->bodies];
        const wy_network_piece x = wy_network_piece_of(net, i);
        wy_director_node *node = &net->rigid.node[x.rigid_group];
        const mat3 frame = tri_matrix(node->d), axes = m3_mulm(frame, x.q);
        const vec3 p = m3_mul(frame, x.o);
        const wy_director_node *own = k ? &net->rod[k->rod].node[k->node] : NULL;
        const vec3 v = own ? own->v : problem->body[i].velocity;
        const vec3 spin = own ? m3_mul(axes, lane_vec3(own->w)) : problem->body[i].spin;
        const vec3 l = m3_mul(axes, lane_vec3(x.rotary * vec3_lane(m3_tmul(axes, spin))));
        const wy_director_mass *all = &net->rigid.plan.mass[x.rigid_group];
        if (!(all->mass > 0)) continue;
        node->v = v3_axpy(node->v, x.mass / all->mass, v);
        const vec3 body = m3_tmul(frame, v3_axpy(l, x.mass, v3_cross(p, v)));
        node->w +=
            (lane){body.x / all->rotary[0], body.y / all->rotary[1], body.z / all->rotary[2], 0};
    }
}

/* Of a rigid group that is moved: over a small part of a step. */
static withy_status held_velocity(wy_network *net, int c, withy_error *err) {
    const double step = 1e-2 * net->plan.dt;
    wy_director_node *node = &net->rigid.node[c];
    wy_pose at[WY_POSE_RATES];
    vec3 v, spin;
    for (int i = 0; i < WY_POSE_RATES; i++)
        WY_TRY(wy_rigid_group_target(net, c, i * step, &at[i], err));
    wy_director_pose_rate(at, step, &v, &spin);
    node->v = v, node->w = tri_dot(node->d, tri_all(spin));
    return WITHY_OK;
}

withy_status wy_rigid_groups_velocity(wy_network *net, withy_error *err) {
    share_momentum(net);
    for (int c = 0; c < net->plan.rigid_groups; c++) {
        wy_director_node *node = &net->rigid.node[c];
        if (c >= wy_network_moving(net))
            node->v = v3(0, 0, 0), node->w = lane_all(0);
        else if (net->plan.rigid_group[c].held)
            WY_TRY(held_velocity(net, c, err));
        node->rate[0].dr = node->v;
        node->rate[0].theta = m3_mul(tri_matrix(node->d), lane_vec3(node->w));
    }
    return WITHY_OK;
}
