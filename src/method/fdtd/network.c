/* network.c - joined rods in motion (docs/theory/fdtd.md, Joints).
 *
 * A point has the mass, the force and the drag of all its nodes; a shared point has no inertia, so that its frame is
 * where the springs of the halves next to it balance, which is the minimum of the discrete energy:
 *
 *   (c, s) = (R Q_k)* q,   z = +-2 s/c,   m = k z + m0            k = C/(h/2): half an interval
 *   on the half   -+(m + m x s/c + s (m.s)/c^2)          on the frame   +-(m - m x s/c + s (m.s)/c^2) = M
 *   sum_k Q_k M_k = 0
 */
#include "method/fdtd/state.h"

#include "model/network.h"
#include "numeric/linear/linear.h"

typedef wy_fdtd state;

static const double DONE =
    1e-13; /* rad, in the search of a frame: it converges at least linearly */

/* ---- frames ------------------------------------------------------------------------------------------ */

/* Stiffness of a side: elastic, and with the viscous one of a step. */
static vec3 stiffness(const wy_fdtd_group *g, const wy_fdtd_side *side, int x, int viscous) {
    const vec3 k = v3_scale(side->share, wy_fdtd_at3(g->grid.km, x));
    if (!viscous || !g->viscous) return k;
    return v3_axpy(k, side->share, wy_fdtd_at3(g->rate.cm, x));
}

/* The spring between a half and the frame of its node. */
static void strain_side(const state *x, int index, quat shared_point, int viscous) {
    const wy_fdtd_joints *net = x->joints;
    const wy_fdtd_side *side = &net->side[index];
    const wy_fdtd_member *member = &net->member[side->member];
    const wy_fdtd_group *g = &x->group[member->group];
    wy_fdtd_side_now *now = &net->side_now[index];
    quat turn = q_mul(q_conj(q_mul(shared_point, member->turn)), wy_fdtd_at4(g->now.q, side->half));
    if (turn.w < 0) turn = (quat){-turn.w, -turn.x, -turn.y, -turn.z};
    const vec3 s = v3_scale(1 / turn.w, v3(turn.x, turn.y, turn.z)); /* s/c */
    now->z = v3_scale(2 * side->sign, s);
    now->m = v3_add(wy_fdtd_times(stiffness(g, side, member->x, 0), now->z),
                    wy_fdtd_at3(g->grid.m0, member->x));
    if (viscous && g->viscous)
        now->m =
            v3_add(now->m, wy_fdtd_times(v3_scale(side->share, wy_fdtd_at3(g->rate.cm, member->x)),
                                         v3_sub(now->z, net->zo[index])));
    const vec3 even = v3_axpy(now->m, v3_dot(now->m, s), s), odd = v3_cross(now->m, s);
    now->torque = v3_scale(-side->sign, v3_add(even, odd));
    now->couple = v3_scale(side->sign, v3_sub(even, odd));
}

/* A couple applied to the end of a rod, in the frame of its shared point. */
static vec3 applied(const state *x, const wy_fdtd_member *member) {
    if (member->group < 0 || member->end < 0) return v3(0, 0, 0);
    const wy_fdtd_group *g = &x->group[member->group];
    if (!g->end[member->end].loaded || g->end[member->end].holds_direction) return v3(0, 0, 0);
    double(*m)[WY_FDTD_LANES] = g->now.hold[member->end].moment;
    const int lane = member->lane;
    return v3_scale(member->end ? 1.0 : -1.0,
                    q_turn(member->turn, v3(m[0][lane], m[1][lane], m[2][lane])));
}

/* a += Q diag(k) Q^T */
static void add_stiffness(quat turn, vec3 k, double a[9]) {
    const mat3 q = q_matrix(turn);
    const vec3 c[3] = {q.c1, q.c2, q.c3};
    const double w[3] = {k.x, k.y, k.z};
    for (int i = 0; i < 9; i++)
        for (int d = 0; d < 3; d++) a[i] += w[d] * v3_get(c[d], i / 3) * v3_get(c[d], i % 3);
}

/* The rest of the balance, and the change of the frame that removes it to first order. */
static vec3 change_of(const state *x, const wy_fdtd_shared_point *shared_point, quat frame,
                      int viscous) {
    const wy_fdtd_joints *net = x->joints;
    vec3 sum = v3(0, 0, 0);
    double a[9] = {0}, b[3];
    int pivot[3];
    for (int i = shared_point->first; i < shared_point->first + shared_point->count; i++) {
        const wy_fdtd_side *side = &net->side[i];
        const wy_fdtd_member *m = &net->member[side->member];
        strain_side(x, i, frame, viscous);
        sum = v3_add(sum, q_turn(m->turn, net->side_now[i].couple));
        if (i == m->side) sum = v3_add(sum, applied(x, m));
        add_stiffness(m->turn, stiffness(&x->group[m->group], side, m->x, viscous), a);
    }
    v3_to(sum, b);
    if (!wy_lu_factor(3, 3, a, pivot)) return v3(NAN, NAN, NAN);
    wy_lu_solve(3, 3, a, pivot, b);
    return v3_from(b);
}

/* The frame that holds a shared point. */
static quat held_frame(const state *x, const wy_fdtd_shared_point *shared_point) {
    const wy_fdtd_member *m = &x->joints->member[shared_point->holder];
    if (m->group < 0) return (quat){1, 0, 0, 0};
    double(*q)[WY_FDTD_LANES] = x->group[m->group].now.hold[m->end].q;
    const int l = m->lane;
    return q_mul((quat){q[0][l], q[1][l], q[2][l], q[3][l]}, q_conj(m->turn));
}

static withy_status find_frame(const state *x, int index, int viscous, withy_error *err) {
    enum { MOST = 100 };
    const wy_fdtd_joints *net = x->joints;
    const wy_fdtd_shared_point *shared_point = &net->shared_point[index];
    quat frame = net->frame[index];
    char words[WY_JOINT_WORDS];
    if (shared_point->holder >= 0) {
        frame = held_frame(x, shared_point);
        for (int i = shared_point->first; i < shared_point->first + shared_point->count; i++)
            strain_side(x, i, frame, viscous);
        net->frame_now[index] = frame;
        return WITHY_OK;
    }
    double size = INFINITY;
    for (int k = 0; k < MOST && size > DONE; k++) {
        const vec3 change = change_of(x, shared_point, frame, viscous);
        size = v3_norm(change);
        frame = q_unit(q_mul(frame, q_exp(v3_scale(size < 1 ? 1 : 1 / size, change))));
    }
    net->frame_now[index] = frame;
    if (size <= DONE) return WITHY_OK;
    return wy_no_convergence(
        err,
        "fdtd: the rods at %s turn so much against each other within one interval that their "
        "common frame is not found; use a larger options.n",
        wy_joint_words(x->problem, net->member[net->side[shared_point->first].member].joint, words,
                       sizeof words));
}

static withy_status find_frames(const state *x, int viscous, withy_error *err) {
    for (int i = 0; i < x->joints->shared_point_count; i++) WY_TRY(find_frame(x, i, viscous, err));
    return WITHY_OK;
}

/* ---- forces ------------------------------------------------------------------------------------------ */

/* The springs of the sides instead of those that the sweeps have put at the nodes (order 2). */
static void turn_halves(state *x) {
    const wy_fdtd_joints *net = x->joints;
    for (int i = 0; i < net->side_count; i++) {
        const wy_fdtd_side *side = &net->side[i];
        const wy_fdtd_member *m = &net->member[side->member];
        wy_fdtd_work *work = &x->group[m->group].work;
        wy_fdtd_put3(side->sign > 0 ? work->gb : work->ga, m->x, net->side_now[i].torque);
    }
    for (int i = 0; i < net->side_count; i++) {
        const int half = net->side[i].half;
        wy_fdtd_group *g = &x->group[net->member[net->side[i].member].group];
        const vec3 both =
            v3_add(wy_fdtd_at3(g->work.gb, half), wy_fdtd_at3(g->work.ga, half + g->lanes));
        wy_fdtd_put3(g->work.turn, half, v3_add(wy_fdtd_at3(g->work.tau, half), both));
    }
}

/* Force on a node without the joints: elastic and applied. */
static vec3 force_on(const state *x, const wy_fdtd_member *m) {
    const wy_fdtd_group *g = &x->group[m->group];
    return v3_add(wy_fdtd_at3(g->work.f, m->x), wy_fdtd_outer_force(g, m->node, m->lane));
}

static double drag_on(const state *x, const wy_fdtd_member *m) {
    const wy_fdtd_grid *grid = &x->group[m->group].grid;
    const double speed =
        x->group[m->group].drags ? v3_norm(wy_fdtd_at3(x->group[m->group].now.p, m->x)) : 0;
    return grid->drag_line[m->x] + grid->drag_square[m->x] * speed;
}

/* Acceleration of a point, and where it is after a step. */
static void accelerate(const state *x, int p) {
    const wy_fdtd_joints *net = x->joints;
    const wy_fdtd_point *point = &net->point[p];
    wy_fdtd_point_now *now = &net->point_now[p];
    double mass = 0, drag = 0;
    vec3 force = v3(0, 0, 0), r = force, v = force;
    for (int k = point->first; k < point->first + point->count; k++) {
        const wy_fdtd_member *m = &net->member[net->order[k]];
        if (m->group < 0) continue;
        const wy_fdtd_group *g = &x->group[m->group];
        r = wy_fdtd_at3(g->now.r, m->x), v = wy_fdtd_at3(g->now.p, m->x);
        mass += g->grid.mass[m->x], drag += drag_on(x, m);
        force = v3_add(force, force_on(x, m));
    }
    const double h = x->now->h, c = 0.5 * h * drag / mass;
    now->rate = v3(0, 0, 0);
    if (point->holder < 0) {
        now->rate = v3_scale(1 / mass, v3_axpy(force, -drag, v));
        now->p = v3_scale(1 / (1 + c), v3_axpy(v3_scale(1 - c, v), h / mass, force));
        now->r = v3_axpy(r, h, now->p);
    } else if (net->member[point->holder].group < 0) {
        now->r = net->held[p];
        now->p = v3_scale(1 / h, v3_sub(now->r, r));
    }
}

/* What the members need of their joints; the one that is held supplies it. */
static void find_needs(const state *x) {
    const wy_fdtd_joints *net = x->joints;
    for (int i = 0; i < net->member_count; i++) {
        const wy_fdtd_member *m = &net->member[i];
        wy_fdtd_load_on *on = &net->on[i];
        on->need = on->turn = v3(0, 0, 0);
        if (m->group < 0) continue;
        const wy_fdtd_group *g = &x->group[m->group];
        const wy_fdtd_point_now *now = &net->point_now[m->point];
        const vec3 drag = v3_scale(-drag_on(x, m), wy_fdtd_at3(g->now.p, m->x));
        on->need = v3_sub(v3_scale(g->grid.mass[m->x], now->rate), v3_add(force_on(x, m), drag));
        if (m->shared_point < 0 || m->sides == 0) continue;
        vec3 couple = q_turn(q_conj(m->turn), applied(x, m)); /* in its own frame */
        for (int k = m->side; k < m->side + m->sides; k++)
            couple = v3_add(couple, net->side_now[k].couple);
        on->turn = v3_scale(-1, q_turn(q_mul(net->frame_now[m->shared_point], m->turn), couple));
    }
}

static void supply_needs(const state *x) {
    const wy_fdtd_joints *net = x->joints;
    for (int p = 0; p < net->point_count; p++) {
        const wy_fdtd_point *point = &net->point[p];
        vec3 sum = v3(0, 0, 0);
        if (point->holder < 0) continue;
        for (int k = point->first; k < point->first + point->count; k++)
            if (net->order[k] != point->holder) sum = v3_add(sum, net->on[net->order[k]].need);
        net->on[point->holder].need = v3_scale(-1, sum);
    }
    for (int h = 0; h < net->shared_point_count; h++) {
        const wy_fdtd_shared_point *shared_point = &net->shared_point[h];
        vec3 sum = v3(0, 0, 0);
        if (shared_point->holder < 0) continue;
        for (int k = shared_point->first; k < shared_point->first + shared_point->count; k++)
            if (net->member[net->side[k].member].side == k)
                sum = v3_add(sum, net->on[net->side[k].member].turn);
        net->on[shared_point->holder].turn = v3_scale(-1, sum);
    }
}

withy_status wy_fdtd_all_forces(state *x, withy_error *err) {
    if (x->joints) WY_TRY(find_frames(x, 1, err));
    for (int i = 0; i < x->group_count; i++) wy_fdtd_forces(&x->group[i]);
    if (!x->joints) return WITHY_OK;
    turn_halves(x);
    for (int p = 0; p < x->joints->point_count; p++) accelerate(x, p);
    find_needs(x), supply_needs(x);
    return WITHY_OK;
}

/* ---- motion ------------------------------------------------------------------------------------------ */

static void put_points(state *x) {
    const wy_fdtd_joints *net = x->joints;
    for (int i = 0; i < net->member_count; i++) {
        const wy_fdtd_member *m = &net->member[i];
        const int holder = net->point[m->point].holder;
        if (m->group < 0) continue;
        wy_fdtd_now *to = &x->group[m->group].now;
        vec3 r = net->point_now[m->point].r, p = net->point_now[m->point].p;
        if (holder >= 0 && net->member[holder].group >= 0) { /* an end that is held */
            const wy_fdtd_now *from = &x->group[net->member[holder].group].now;
            r = wy_fdtd_at3(from->r, net->member[holder].x);
            p = wy_fdtd_at3(from->p, net->member[holder].x);
        }
        wy_fdtd_put3(to->r, m->x, r), wy_fdtd_put3(to->p, m->x, p);
    }
}

static void keep(const wy_fdtd_joints *net) {
    for (int i = 0; i < net->shared_point_count; i++) net->frame[i] = net->frame_now[i];
    for (int i = 0; i < net->side_count; i++) net->zo[i] = net->side_now[i].z;
}

withy_status wy_fdtd_joints_hold(state *x, double t, withy_error *err) {
    const wy_fdtd_joints *net = x->joints;
    for (int p = 0; net && p < net->point_count; p++) {
        const int holder = net->point[p].holder;
        if (holder < 0 || net->member[holder].group >= 0) continue;
        const wy_fdtd_member *m = &net->member[holder];
        WY_TRY(wy_model_place_at(x->setup->model, &x->problem->joint[m->joint].place[m->place],
                                 t + x->now->h, &net->held[p], err));
    }
    return WITHY_OK;
}

withy_status wy_fdtd_network_step(state *x, withy_error *err) {
    wy_fdtd_joints *net = x->joints;
    for (int i = 0; i < x->group_count; i++)
        if (x->group[i].drags) wy_fdtd_square_drag(&x->group[i]);
    WY_TRY(wy_fdtd_all_forces(x, err));
    for (int i = 0; i < x->group_count; i++) wy_fdtd_push(&x->group[i]);
    put_points(x);
    keep(net);
    return WITHY_OK;
}

/* ---- start ------------------------------------------------------------------------------------------- */

/* One place and one velocity for the nodes of a point: that of what holds it, else the common momentum. */
static void gather(state *x, int p) {
    const wy_fdtd_joints *net = x->joints;
    const wy_fdtd_point *point = &net->point[p];
    wy_fdtd_point_now *now = &net->point_now[p];
    const double share = 1.0 / point->count;
    double mass = 0;
    int ground = point->holder >= 0 && net->member[point->holder].group < 0;
    now->r = now->p = v3(0, 0, 0);
    for (int k = point->first; k < point->first + point->count; k++) {
        const wy_fdtd_member *m = &net->member[net->order[k]];
        if (m->group < 0) continue;
        const wy_fdtd_group *g = &x->group[m->group];
        now->r = v3_axpy(now->r, share, wy_fdtd_at3(g->now.r, m->x));
        now->p = v3_axpy(now->p, g->grid.mass[m->x], wy_fdtd_at3(g->now.p, m->x));
        mass += g->grid.mass[m->x];
    }
    now->p = v3_scale(1 / mass, now->p);
    if (ground) now->r = net->held[p]; /* of t = 0: see begin */
}

withy_status wy_fdtd_joints_begin(state *x, withy_error *err) {
    wy_fdtd_joints *net = x->joints;
    const double h = x->now->h;
    if (!net) return WITHY_OK;
    WY_TRY(wy_fdtd_joints_hold(x, -h, err));
    for (int p = 0; p < net->point_count; p++) gather(x, p);
    WY_TRY(wy_fdtd_joints_hold(x, 0, err));
    for (int p = 0; p < net->point_count; p++) {
        const int holder = net->point[p].holder;
        wy_fdtd_point_now *now = &net->point_now[p];
        if (holder < 0 || net->member[holder].group >= 0) continue;
        now->p = v3_scale(1 / h, v3_sub(net->held[p], now->r));
    }
    put_points(x);
    for (int i = 0; i < net->shared_point_count; i++) net->frame[i] = (quat){1, 0, 0, 0};
    if (net->viscous) { /* the strains of a step ago */
        for (int i = 0; i < x->group_count; i++) wy_fdtd_drift(&x->group[i], -h);
        WY_TRY(find_frames(x, 0, err));
        for (int i = 0; i < x->group_count; i++) wy_fdtd_drift(&x->group[i], h);
    } else {
        WY_TRY(find_frames(x, 0, err));
    }
    keep(net);
    return WITHY_OK;
}

/* Another step from here on, with the strains of the present in scratch. */
void wy_fdtd_joints_change_step(state *x, double ratio) {
    const wy_fdtd_joints *net = x->joints;
    for (int i = 0; net && i < net->side_count; i++)
        net->zo[i] = v3_axpy(net->side_now[i].z, ratio, v3_sub(net->zo[i], net->side_now[i].z));
}

/* ---- what is reported -------------------------------------------------------------------------------- */

/* Of the ground: where the other place is, since they are one point. */
static vec3 place_of(const state *x, int joint, int side) {
    const wy_fdtd_joints *net = x->joints;
    const wy_fdtd_member *m = &net->member[net->pair[joint][side]];
    if (m->group < 0) m = &net->member[net->pair[joint][!side]];
    return wy_fdtd_at3(x->group[m->group].now.r, m->x);
}

/* What the child of each joint and all beyond it need, from the leaves on. */
static void carry(const state *x, withy_joint_state *out) {
    const wy_fdtd_joints *net = x->joints;
    for (int k = 0; k < net->sweep_count; k++) {
        const int i = net->sweep[k];
        const wy_fdtd_branch *b = &net->branch[i];
        wy_fdtd_load_on *child = &net->on[b->child], *parent = &net->on[b->parent];
        const double sign = net->pair[i][1] == b->child ? 1 : -1;
        out[i].force = v3_scale(sign, child->need);
        parent->need = v3_add(parent->need, child->need);
        if (x->problem->joint[i].kind != WITHY_JOINT_WELD) continue;
        out[i].torque = v3_scale(sign, child->turn);
        parent->turn = v3_add(parent->turn, child->turn);
    }
}

void wy_fdtd_sample_parts(const void *self, withy_parts *parts) {
    state *x = (state *)self; /* scratch is written */
    parts->kinetic = parts->gravity = parts->springs = 0;
    for (int i = 0; i < parts->obstacle_count; i++) parts->obstacle[i] = (withy_obstacle_state){0};
    for (int rod = 0; rod < x->problem->rod_count && !x->literal; rod++)
        wy_fdtd_contact_parts(&x->group[x->group_of[rod]], x->lane_of[rod], parts);
    if (!x->joints) return;
    for (int i = 0; i < parts->joint_count; i++) parts->joint[i] = (withy_joint_state){0};
    wy_fdtd_ready(x);
    const int known = wy_fdtd_all_forces(x, NULL) == WITHY_OK;
    carry(x, parts->joint);
    for (int i = 0; i < parts->joint_count; i++) {
        for (int s = 0; s < 2; s++) parts->joint[i].place[s] = place_of(x, i, s);
        if (!known) parts->joint[i].force = v3(NAN, NAN, NAN);
    }
}
