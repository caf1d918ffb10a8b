/* joint.c - which nodes are one point and which frames are one, from the joints of the problem. */
#include "method/fdtd/state.h"

#include "model/network.h"

typedef wy_fdtd state;

/* How far from a node a place may be, in intervals: rounding. */
static const double AT_NODE = 1e-9;

/* ---- refusals that need the problem alone ------------------------------------------------------------ */

static const withy_end *end_at(const withy_problem *problem, const withy_place *place) {
    const withy_rod *rod = &problem->rod[place->index];
    if (place->part != WITHY_PART_ROD || (place->s > 0 && place->s < rod->length)) return NULL;
    return &rod->end[place->s > 0];
}

/* A weld keeps any offset; here the two are one node. */
static withy_status check_weld(const wy_model *model, const withy_problem *problem, int joint,
                               withy_error *err) {
    const withy_joint *j = &problem->joint[joint];
    char words[WY_JOINT_WORDS];
    wy_pose side[2];
    for (int i = 0; i < 2; i++) WY_TRY(wy_model_place(model, problem, &j->place[i], &side[i], err));
    const double gap = v3_norm(v3_sub(side[1].r, side[0].r)),
                 size = wy_network_size(model, problem);
    if (gap <= 1e-9 * size + 1e-15 * v3_norm(wy_model_origin(model))) return WITHY_OK;
    return wy_unsupported(err,
                          "fdtd: %s: its places are %.3g m apart, and welded nodes must be one "
                          "point; move a part so that they meet" WY_OR_USE_ANOTHER,
                          wy_joint_words(problem, joint, words, sizeof words), gap);
}

withy_status wy_fdtd_accept_joints(const wy_model *model, const withy_problem *problem,
                                   withy_error *err) {
    char words[WY_JOINT_WORDS];
    for (int i = 0; i < problem->joint_count; i++) {
        const withy_joint *j = &problem->joint[i];
        for (int s = 0; s < 2; s++)
            if (j->place[s].part == WITHY_PART_ROD &&
                wy_rod_uses_state(&problem->rod[j->place[s].index]))
                return wy_unsupported(err,
                                      "fdtd: %s: loads that depend on the state of a joined rod "
                                      "are not supported" WY_USE_ANOTHER,
                                      wy_joint_words(problem, i, words, sizeof words));
        if (j->kind != WITHY_JOINT_WELD) continue;
        if (model) WY_TRY(check_weld(model, problem, i, err));
        for (int s = 0; s < 2; s++) {
            const withy_end *end = end_at(problem, &j->place[s]);
            if (end && wy_end_holds_direction(end) && !wy_end_holds_frame(end))
                return wy_unsupported(err,
                                      "fdtd: %s: an end that may turn about its tangent cannot be "
                                      "welded" WY_USE_ANOTHER,
                                      wy_joint_words(problem, i, words, sizeof words));
        }
    }
    for (int i = 0; i < problem->rod_count && problem->joint_count > 0; i++)
        if (problem->rod[i].settled)
            return wy_unsupported(err, "fdtd: a start from the equilibrium of joined rods is not "
                                       "computed" WY_USE_ANOTHER);
    return WITHY_OK;
}

/* ---- members ----------------------------------------------------------------------------------------- */

static withy_status node_of(const state *x, int joint, int side, int *node, withy_error *err) {
    const withy_place *place = &x->problem->joint[joint].place[side];
    const int n = x->opt.n, weld = x->problem->joint[joint].kind == WITHY_JOINT_WELD;
    const double at = place->s / x->problem->rod[place->index].length * n;
    char words[WY_JOINT_WORDS];
    *node = (int)floor(at + 0.5);
    wy_joint_words(x->problem, joint, words, sizeof words);
    if (x->opt.order > 2 && (weld || (*node > 0 && *node < n)))
        return wy_bad_input(err,
                            "options.order" WY_KEY
                            " = %d: %s is %s, for which fdtd has differences of order 2 only; use "
                            "options.order = 2",
                            x->opt.order, words, weld ? "a weld" : "inside a rod");
    if (!(fabs(at - *node) > AT_NODE * n)) return WITHY_OK;
    return wy_bad_input(err,
                        "options.n" WY_KEY
                        " = %d: %s is at s = %g, between two nodes of the rod (the nearest is at s "
                        "= %g); choose options.n so that a node is there, or use director",
                        n, words, place->s, x->problem->rod[place->index].length * *node / n);
}

static withy_status add_member(state *x, int joint, int side, int *index, withy_error *err) {
    wy_fdtd_joints *net = x->joints;
    const withy_place *place = &x->problem->joint[joint].place[side];
    wy_fdtd_member m = {.group = -1,
                        .rod = -1,
                        .end = -1,
                        .shared_point = -1,
                        .joint = joint,
                        .place = side,
                        .turn = {1, 0, 0, 0}};
    if (place->part == WITHY_PART_ROD) {
        m.rod = place->index, m.group = x->group_of[m.rod], m.lane = x->lane_of[m.rod];
        WY_TRY(node_of(x, joint, side, &m.node, err));
        const wy_fdtd_group *g = &x->group[m.group];
        m.x = m.node * g->lanes + m.lane, m.end = wy_fdtd_end_at(g, m.node);
        if (g->joined[m.x]) {
            *index = g->joined[m.x] - 1;
            return WITHY_OK;
        }
        g->joined[m.x] = net->member_count + 1;
        const double s = wy_fdtd_station(g, m.lane, m.node);
        wy_pose pose;
        WY_TRY(wy_model_initial_poses(x->setup->model, m.rod, 1, &s, &pose, err));
        m.turn = q_from_matrix(pose.frame);
    }
    *index = net->member_count;
    net->member[net->member_count++] = m;
    return WITHY_OK;
}

static int holds_position(const state *x, const wy_fdtd_member *m) {
    return m->group < 0 || (m->end >= 0 && x->group[m->group].end[m->end].holds_position);
}

static int holds_frame(const state *x, const wy_fdtd_member *m) {
    return m->group < 0 || (m->end >= 0 && x->group[m->group].end[m->end].holds_direction);
}

static int is_moved(const state *x, const wy_fdtd_member *m) {
    if (m->group < 0) return x->problem->joint[m->joint].place[m->place].path.size > 0;
    return m->end >= 0 && x->group[m->group].end[m->end].moves;
}

/* ---- points and rigid groups ----------------------------------------------------------------------------- */

static void unite(int *up, int a, int b) {
    a = wy_part_root(up, a), b = wy_part_root(up, b);
    up[a > b ? a : b] = a > b ? b : a;
}

/* Members by class: class c has order[first[c]] .. order[first[c + 1] - 1], all in order of their number. */
typedef struct classes {
    int count;
    int *first, *order, *of;
} classes;

static void classify(int count, int *up, classes *c) {
    c->count = 0;
    for (int i = 0; i < count; i++) { /* a root is the least of its class */
        const int root = wy_part_root(up, i);
        c->of[i] = root == i ? c->count++ : c->of[root];
    }
    for (int i = 0; i <= c->count; i++) c->first[i] = 0;
    for (int i = 0; i < count; i++) c->first[c->of[i] + 1]++;
    for (int i = 0; i < c->count; i++) c->first[i + 1] += c->first[i];
    for (int i = count - 1; i >= 0; i--) c->order[--c->first[c->of[i] + 1]] = i;
    for (int i = 0; i < c->count; i++) c->first[i] = c->first[i + 1];
    c->first[c->count] = count;
}

static withy_status make_points(state *x, const classes *c, withy_error *err) {
    wy_fdtd_joints *net = x->joints;
    char words[WY_JOINT_WORDS];
    net->point_count = c->count;
    for (int p = 0; p < c->count; p++) {
        int holders = 0, moved = -1;
        net->point[p] = (wy_fdtd_point){c->first[p], c->first[p + 1] - c->first[p], -1};
        for (int k = c->first[p]; k < c->first[p + 1]; k++) {
            const int i = net->order[k] = c->order[k];
            net->member[i].point = p;
            if (!holds_position(x, &net->member[i])) continue;
            if (holders++ == 0) net->point[p].holder = i;
            if (is_moved(x, &net->member[i])) moved = i;
        }
        if (holders > 1 && moved >= 0) /* one must not move away from the other */
            return wy_bad_input(
                err,
                "fdtd: %s: what it joins is held in two ways, one of which moves; keep one of the "
                "two",
                wy_joint_words(x->problem, net->member[moved].joint, words, sizeof words));
    }
    return WITHY_OK;
}

/* The halves next to a member; one whose frame is held has the springs of a clamped end already. */
static void add_sides(state *x, int index) {
    wy_fdtd_joints *net = x->joints;
    wy_fdtd_member *m = &net->member[index];
    m->side = net->side_count, m->sides = 0;
    if (holds_frame(x, m)) return;
    const wy_fdtd_group *g = &x->group[m->group];
    for (int after = 1; after >= 0; after--) {
        if (m->node == (after ? g->n : 0)) continue;
        net->side[net->side_count++] =
            (wy_fdtd_side){index, m->shared_point, m->x - (after ? 0 : g->lanes),
                           after ? 1.0 : -1.0, m->end < 0 ? 2.0 : 1.0};
        m->sides++;
        net->viscous |= g->viscous;
    }
}

/* A class of one member is not welded. */
static void make_shared_points(state *x, const classes *c) {
    wy_fdtd_joints *net = x->joints;
    for (int p = 0; p < c->count; p++) {
        if (c->first[p + 1] - c->first[p] < 2) continue;
        wy_fdtd_shared_point *shared_point = &net->shared_point[net->shared_point_count];
        *shared_point = (wy_fdtd_shared_point){.first = net->side_count, .holder = -1};
        for (int k = c->first[p]; k < c->first[p + 1]; k++) {
            const int i = c->order[k];
            net->member[i].shared_point = net->shared_point_count;
            add_sides(x, i);
            if (shared_point->holder < 0 && holds_frame(x, &net->member[i]))
                shared_point->holder = i;
        }
        shared_point->count = net->side_count - shared_point->first;
        net->shared_point_count++;
    }
}

/* ---- what carries the force of a joint --------------------------------------------------------------- */

/* Trees of joints, welds first so that moments find a way; the rest close loops. */
static void make_branches(state *x, int *up) {
    wy_fdtd_joints *net = x->joints;
    for (int i = 0; i < net->member_count; i++) up[i] = i;
    for (int i = 0; i < net->joint_count; i++) net->branch[i] = (wy_fdtd_branch){-1, -1};
    for (int ball = 0; ball < 2; ball++)
        for (int i = 0; i < net->joint_count; i++) {
            const int a = net->pair[i][0], b = net->pair[i][1];
            if ((x->problem->joint[i].kind == WITHY_JOINT_BALL) != ball) continue;
            if (wy_part_root(up, a) == wy_part_root(up, b)) continue;
            unite(up, a, b);
            net->branch[i] = (wy_fdtd_branch){a, b}; /* not directed yet */
        }
}

/* Direct the branches away from the first member of each point: leaves are cut off one after the other.
 * degree, sum: number of uncut branches of a member, and the exclusive or of their numbers. */
static void direct_branches(state *x, int *degree, int *sum) {
    wy_fdtd_joints *net = x->joints;
    int used = 0;
    for (int i = 0; i < net->member_count; i++) degree[i] = sum[i] = 0;
    for (int i = 0; i < net->joint_count; i++) {
        if (net->branch[i].child < 0) continue;
        degree[net->branch[i].child]++, sum[net->branch[i].child] ^= i;
        degree[net->branch[i].parent]++, sum[net->branch[i].parent] ^= i;
    }
    for (int p = 0; p < net->point_count; p++) /* roots are never cut */
        degree[net->order[net->point[p].first]] += net->member_count;
    for (int i = 0; i < net->member_count; i++)
        for (int outer = i; degree[outer] == 1;) {
            const int joint = sum[outer];
            wy_fdtd_branch *b = &net->branch[joint];
            const int next = b->child == outer ? b->parent : b->child;
            *b = (wy_fdtd_branch){outer, next};
            net->sweep[used++] = joint;
            degree[outer] = 0, degree[next]--, sum[next] ^= joint;
            outer = next < i ? next : outer; /* one that comes later is cut in its turn */
        }
    net->sweep_count = used;
}

/* ---- all of it --------------------------------------------------------------------------------------- */

static withy_status take(state *x, wy_allocator *from, withy_error *err) {
    const size_t joints = (size_t)x->problem->joint_count, most = 2 * joints;
    wy_fdtd_joints *net = x->joints = wy_allocator_alloc(from, 1, sizeof *net);
    for (int i = 0; i < x->group_count; i++) {
        wy_fdtd_group *g = &x->group[i];
        g->joints = net;
        g->joined =
            wy_allocator_alloc(from, (size_t)(g->n + 1) * (size_t)g->lanes, sizeof *g->joined);
    }
    if (net) {
        int **number[] = {&net->order, &net->sweep};
        WY_TAKE_EACH(wy_allocator_alloc, from, number, most);
        net->joint_count = x->problem->joint_count;
        net->pair = wy_allocator_alloc(from, joints, sizeof *net->pair);
        net->member = wy_allocator_alloc(from, most, sizeof *net->member);
        net->point = wy_allocator_alloc(from, most, sizeof *net->point);
        net->shared_point = wy_allocator_alloc(from, most, sizeof *net->shared_point);
        net->side = wy_allocator_alloc(from, 2 * most, sizeof *net->side);
        net->branch = wy_allocator_alloc(from, most, sizeof *net->branch);
    }
    if (!from->failed) return WITHY_OK;
    return wy_no_memory(err, "fdtd: no memory for %zu joints", joints);
}

withy_status wy_fdtd_joints_make(state *x, withy_error *err) {
    wy_allocator from = {.arena = x->setup->arena};
    const int joints = x->problem->joint_count;
    const size_t most = 2 * (size_t)joints + 1;
    int *up = wy_allocator_alloc(&from, 5 * most, sizeof *up);
    WY_TRY(wy_fdtd_accept_joints(x->setup->model, x->problem, err));
    WY_TRY(take(x, &from, err));
    int(*pair)[2] = x->joints->pair, *frames = up + most;
    classes c = {0, up + 2 * most, up + 3 * most, up + 4 * most};
    for (size_t i = 0; i < most; i++) up[i] = frames[i] = (int)i;
    for (int i = 0; i < joints; i++) {
        const withy_joint *j = &x->problem->joint[i];
        for (int s = 0; s < 2; s++) {
            WY_TRY(add_member(x, i, s, &pair[i][s], err));
            x->joints->moves |= j->place[s].path.size > 0;
        }
        unite(up, pair[i][0], pair[i][1]);
        if (j->kind == WITHY_JOINT_WELD) unite(frames, pair[i][0], pair[i][1]);
    }
    classify(x->joints->member_count, up, &c);
    WY_TRY(make_points(x, &c, err));
    classify(x->joints->member_count, frames, &c);
    make_shared_points(x, &c);
    make_branches(x, up);
    direct_branches(x, c.first, c.order);
    return WITHY_OK;
}

void wy_fdtd_joints_layout(wy_fdtd_joints *net, wy_block *memory, wy_block *scratch) {
    const size_t shared_points = (size_t)net->shared_point_count, sides = (size_t)net->side_count;
    const size_t points = (size_t)net->point_count, members = (size_t)net->member_count;
    net->frame = wy_block_alloc(memory, shared_points, sizeof *net->frame);
    net->zo = wy_block_alloc(memory, sides, sizeof *net->zo);
    net->held = wy_block_alloc(memory, points, sizeof *net->held);
    net->frame_now = wy_block_alloc(scratch, shared_points, sizeof *net->frame_now);
    net->side_now = wy_block_alloc(scratch, sides, sizeof *net->side_now);
    net->point_now = wy_block_alloc(scratch, points, sizeof *net->point_now);
    net->on = wy_block_alloc(scratch, members, sizeof *net->on);
}
