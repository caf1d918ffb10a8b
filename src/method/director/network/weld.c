/* weld.c - the forces in welds, which are no unknowns.
 *
 * Without one weld a rigid group falls into two sides.  What the weld carries is what the side that is not held
 * otherwise misses: its inertia less all that acts on it.  Of welds that close a loop in a rigid group the last
 * ones carry nothing: a rigid loop does not say how its welds share.
 */
#include "method/director/contact/contacts.h"

static int parts_of(const wy_network *net) {
    return net->plan.bodies + net->plan.members;
}

/* Bodies, then members; -1: the ground. */
int wy_network_part(const wy_network *net, const withy_place *place) {
    if (place->part == WITHY_PART_GROUND) return -1;
    if (place->part == WITHY_PART_BODY) return place->index;
    const int node = wy_network_node(&net->rod[place->index], place->s);
    return net->plan.bodies + wy_group_node_of(net, place->index, node);
}

/* ---- sides ------------------------------------------------------------------------------------------------ */

typedef struct maker {
    wy_network *net;
    int *parent;       /* [parts] sets that welds have joined so far */
    int *tree;         /* [joints] 1: the weld joined two sets, or a set to what holds it */
    int *first, *weld; /* [parts + 1], [2 joints] sides of welds of each part */
    int *holder;       /* [rigid groups] the part that is held, or -1 */
    int *mark, *list;  /* [parts] work */
} maker;

static void find_tree(maker *m) {
    const wy_network_plan *plan = &m->net->plan;
    for (int i = 0; i < parts_of(m->net); i++) m->parent[i] = i;
    wy_network_join_places(m->net, m->parent);
    for (int c = 0; c < plan->rigid_groups; c++) {
        const wy_network_rigid_group *held = &plan->rigid_group[c];
        m->holder[c] = held->held && held->rod >= 0 ? plan->bodies + held->member : -1;
    }
    for (int j = 0; j < plan->joints; j++) {
        const wy_network_joint *joint = &plan->joint[j];
        if (joint->given->kind != WITHY_JOINT_WELD) continue;
        const int a = joint->part[0], b = joint->part[1];
        if (a >= 0 && b >= 0) {
            m->tree[j] = wy_part_root(m->parent, a) != wy_part_root(m->parent, b);
            m->parent[wy_part_root(m->parent, a)] = wy_part_root(m->parent, b);
            continue;
        }
        int *holder = &m->holder[wy_network_rigid_group_of(m->net, a >= 0 ? a : b)];
        m->tree[j] = *holder < 0;
        if (*holder < 0) *holder = a >= 0 ? a : b;
    }
}

/* Of each part the sides of its welds (2 joint + side), or of its other joints. */
static void list_sides(maker *m, int welds, int *first, int *side) {
    const wy_network_plan *plan = &m->net->plan;
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < 2 * plan->joints; j++) {
            const wy_network_joint *joint = &plan->joint[j / 2];
            const int part = joint->part[j % 2];
            if (part < 0 || (welds ? !m->tree[j / 2] : joint->count == 0)) continue;
            if (pass)
                side[m->list[part]++] = j;
            else
                first[part + 1]++;
        }
        for (int i = 0; i < parts_of(m->net) && pass == 0; i++) {
            first[i + 1] += first[i];
            m->list[i] = first[i];
        }
    }
}

/* Parts that welds other than j connect with `from`; returns how many, in m->list; stamp: not used before. */
static int reach(maker *m, int from, int j, int stamp) {
    const wy_network_plan *plan = &m->net->plan;
    int count = 0;
    m->list[count++] = from, m->mark[from] = stamp;
    for (int k = 0; k < count; k++) {
        const int part = m->list[k], same = wy_network_same_place(m->net, part);
        if (same >= 0 && m->mark[same] != stamp) m->mark[same] = stamp, m->list[count++] = same;
        for (int w = m->first[part]; w < m->first[part + 1]; w++) {
            const wy_network_joint *weld = &plan->joint[m->weld[w] / 2];
            if (m->weld[w] / 2 == j) continue;
            const int other = weld->part[0] == part ? weld->part[1] : weld->part[0];
            if (other < 0 || m->mark[other] == stamp) continue;
            m->mark[other] = stamp, m->list[count++] = other;
        }
    }
    return count;
}

static withy_status set_side(maker *m, int j, withy_error *err) {
    wy_network_joint *joint = &m->net->plan.joint[j];
    const int a = joint->part[0], b = joint->part[1];
    const int holder = m->holder[wy_network_rigid_group_of(m->net, b >= 0 ? b : a)];
    int count = reach(m, b >= 0 ? b : a, j, 2 * j + 1), holds = 0;
    joint->side_sign = b >= 0 ? 1 : -1;
    for (int i = 0; i < count; i++) holds |= m->list[i] == holder;
    if (a >= 0 && b >= 0 && holds) { /* the other side then */
        count = reach(m, a, j, 2 * j + 2), joint->side_sign = -1;
    }
    joint->side = wy_arena_alloc(m->net->rigid.setup->arena, (size_t)count, sizeof *joint->side);
    if (!joint->side) return wy_no_memory(err, "director: no memory for the welds");
    memcpy(joint->side, m->list, (size_t)count * sizeof *m->list);
    joint->side_count = count;
    return WITHY_OK;
}

withy_status wy_welds_make(wy_network *net, withy_error *err) {
    wy_network_plan *plan = &net->plan;
    const size_t parts = (size_t)parts_of(net) + 2, joints = (size_t)plan->joints + 1;
    wy_allocator from = {.arena = net->rigid.setup->arena};
    maker m = {.net = net,
               .parent = wy_allocator_alloc(&from, parts, sizeof *m.parent),
               .tree = wy_allocator_alloc(&from, joints, sizeof *m.tree),
               .first = wy_allocator_alloc(&from, parts, sizeof *m.first),
               .weld = wy_allocator_alloc(&from, 2 * joints, sizeof *m.weld),
               .holder = wy_allocator_alloc(&from, parts, sizeof *m.holder),
               .mark = wy_allocator_alloc(&from, parts, sizeof *m.mark),
               .list = wy_allocator_alloc(&from, parts, sizeof *m.list)};
    plan->part_first = wy_allocator_alloc(&from, parts, sizeof *plan->part_first);
    plan->part_joint = wy_allocator_alloc(&from, 2 * joints, sizeof *plan->part_joint);
    if (from.failed) return wy_no_memory(err, "director: no memory for the welds");
    find_tree(&m);
    list_sides(&m, 1, m.first, m.weld);
    list_sides(&m, 0, plan->part_first, plan->part_joint);
    for (int j = 0; j < plan->joints; j++)
        if (m.tree[j]) WY_TRY(set_side(&m, j, err));
    return WITHY_OK;
}

/* ---- forces ------------------------------------------------------------------------------------------------- */

/* Its momenta about the local origin, with its rigid group at r, frame, v, spin. */
static void momenta(const wy_network_piece *x, vec3 r, mat3 frame, vec3 v, vec3 spin, vec3 *p,
                    vec3 *l) {
    const vec3 arm = m3_mul(frame, x->o);
    const mat3 axes = m3_mulm(frame, x->q);
    *p = v3_scale(x->mass, v3_add(v, v3_cross(spin, arm)));
    const lane body = x->rotary * vec3_lane(m3_tmul(axes, spin));
    *l = v3_add(v3_cross(v3_add(r, arm), *p), m3_mul(axes, lane_vec3(body)));
}

/* In a turning frame: m W x (W x r) and W x J W (director/rod/rotating.c), about the centre of the rigid group. */
static void add_turning(const wy_network *net, const wy_network_piece *x, int c, vec3 *f, vec3 *l) {
    const wy_director *rigid = &net->rigid;
    const vec3 w = rigid->step->spin;
    const mat3 frame = tri_matrix(wy_director_acting(rigid, c)), axes = m3_mulm(frame, x->q);
    const vec3 arm = m3_mul(frame, x->o);
    const vec3 centre =
        v3_sub(v3_add(rigid->now->origin, wy_director_plus_r(rigid, c)), rigid->plan.about);
    const vec3 force = v3_scale(x->mass, v3_cross(w, v3_cross(w, v3_add(centre, arm))));
    const lane h = x->rotary * vec3_lane(m3_tmul(axes, w));
    *f = v3_add(*f, force);
    *l = v3_add(*l, v3_add(v3_cross(arm, force), v3_cross(w, m3_mul(axes, lane_vec3(h)))));
}

/* Inertia and weight of a part, about the centre of its rigid group in the middle of the step. */
static void add_inertia(const wy_network *net, int part, vec3 *f, vec3 *l) {
    const wy_network_piece x = wy_network_piece_of(net, part);
    const int c = x.rigid_group;
    const wy_director_node *node = &net->rigid.node[c];
    const wy_director_next *next = &net->rigid.next[c];
    const wy_director_step *step = net->rigid.step;
    const mat3 acting = tri_matrix(wy_director_acting(&net->rigid, c));
    const vec3 weight = v3_scale(-x.mass, step->gravity);
    *f = v3_add(*f, weight), *l = v3_add(*l, v3_cross(m3_mul(acting, x.o), weight));
    if (!v3_is_zero(step->spin)) add_turning(net, &x, c, f, l);
    if (!step->dynamic || !wy_rigid_group_moves(net, c)) return;
    const mat3 frame = tri_matrix(node->d), plus = tri_matrix(next->d);
    const lane w = lane_all(2 * step->per) * tri_dot(node->d, tri_all(next->theta)) - node->w;
    vec3 p0, l0, p1, l1;
    momenta(&x, node->r, frame, node->v, m3_mul(frame, lane_vec3(node->w)), &p0, &l0);
    momenta(&x, wy_director_plus_r(&net->rigid, c), plus,
            v3_sub(v3_scale(2 * step->per, next->dr), node->v), m3_mul(plus, lane_vec3(w)), &p1,
            &l1);
    const vec3 force = v3_scale(step->per, v3_sub(p1, p0));
    const vec3 moment = v3_scale(step->per, v3_sub(l1, l0));
    *f = v3_add(*f, force);
    *l = v3_add(*l, v3_sub(moment, v3_cross(wy_director_mid_r(&net->rigid, c), force)));
}

/* Minus all that acts on a part: elements, loads and what touches it. */
static void add_loads(wy_network *net, int part, vec3 *f, vec3 *l) {
    double b[6] = {0};
    if (part < net->plan.bodies)
        wy_network_body_force(net, part, b);
    else
        wy_group_node_force(net, part - net->plan.bodies, b);
    if (net->contacts && part < net->plan.bodies) wy_contacts_body_force(net, part, b);
    *f = v3_add(*f, v3_from(b)), *l = v3_add(*l, v3_from(b + 3));
}

/* Other joints at a part. */
static void add_joints(const wy_network *net, int part, vec3 *f, vec3 *l) {
    const wy_network_plan *plan = &net->plan;
    for (int i = plan->part_first[part]; i < plan->part_first[part + 1]; i++) {
        const wy_network_joint *joint = &plan->joint[plan->part_joint[i] / 2];
        const int s = plan->part_joint[i] % 2;
        for (int k = joint->first; k < joint->first + joint->count; k++) {
            const wy_constraint_state *state = &net->state_of[k];
            if (plan->constraint[k].silent) continue;
            *f = v3_axpy(*f, state->stress, v3_from(&state->bar[6 * s]));
            *l = v3_axpy(*l, state->stress, v3_from(&state->bar[6 * s + 3]));
        }
    }
}

/* The second place from the centre of the rigid group. */
static vec3 place_from(const wy_network *net, const wy_network_joint *weld, int c) {
    const vec3 ground = v3_sub(net->joint[weld - net->plan.joint].ground, net->rigid.now->origin);
    if (weld->part[1] < 0) return v3_sub(ground, wy_director_mid_r(&net->rigid, c));
    return m3_mul(tri_matrix(wy_director_acting(&net->rigid, c)), weld->o[1]);
}

void wy_welds_commit(wy_network *net) {
    const wy_network_plan *plan = &net->plan;
    for (int i = 0; i < plan->joints; i++) {
        const wy_network_joint *weld = &plan->joint[i];
        if (!weld->side_count) continue;
        const int c = wy_network_rigid_group_of(net, weld->side[0]);
        vec3 f = v3(0, 0, 0), l = f;
        for (int k = 0; k < weld->side_count; k++) {
            add_inertia(net, weld->side[k], &f, &l);
            add_loads(net, weld->side[k], &f, &l);
            add_joints(net, weld->side[k], &f, &l);
        }
        const vec3 arm = place_from(net, weld, c);
        net->joint[i].force[0] = v3_scale(weld->side_sign, f);
        net->joint[i].torque[0] = v3_scale(weld->side_sign, v3_sub(l, v3_cross(arm, f)));
    }
}
