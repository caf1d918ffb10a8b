/* constraint.c - the joints of a problem as links: coordinates with a multiplier or a law.
 *
 * y = xB - xA, x the places; a, b unit vectors fixed in the first and the second part; all scalars of
 * director/network/joint.h:
 *   ball         e_i . y = 0                              (e_i laboratory axes)
 *   hinge        ball, a . b1 = a . b2 = 0                angle: director/network/hinge.c
 *   universal    ball, a . b = 0
 *   slider       a1 . y = a2 . y = 0, a1 . b2 = a2 . b3 = a3 . b1 = 0        travel a3 . y
 *   cylindrical  a1 . y = a2 . y = 0, a3 . b1 = a3 . b2 = 0
 *   planar       a3 . y = 0, a3 . b1 = a3 . b2 = 0
 *   link         y . y/2 = l^2/2, or a spring of the length l
 *   spring       a_i . y and K_i = (a_l . b_k - a_k . b_l)/2 = sin(angle) axis_i, each with a spring
 *
 * F_q += Bbar^T sigma.  Constraint: sigma = lambda, g(q+) = target(t+).  Law: sigma from director/network/joint.c; of
 * a length l the force S enters as sigma = S/lbar on g = l^2/2, since g+ - g- = lbar (l+ - l-).
 */
#include "method/director/network.h"

static const double PLACE_TOLERANCE =
    2e-2; /* of L: places may miss each other, an error of the mesh */

/* ---- scalars of a joint --------------------------------------------------------------------------------- */

/* A vector fixed in a part, given in the laboratory at t = 0. */
static wy_arm fixed(const wy_network *net, const wy_network_joint *j, int side, vec3 v) {
    wy_arm x = {.moves = 0};
    if (j->rigid_group[side] < 0 && j->turned)
        x.o[side] = v;
    else if (j->rigid_group[side] < 0)
        x.k = v;
    else
        x.o[side] = m3_tmul(tri_matrix(net->rigid.plan.first[j->rigid_group[side]].d), v);
    return x;
}

static wy_arm constant(vec3 v) {
    return (wy_arm){.k = v};
}

/* y = xB - xA */
static wy_arm between(const wy_network_joint *j) {
    wy_arm x = {.moves = 0};
    for (int s = 0; s < 2; s++) {
        const double sign = s ? 1 : -1;
        if (j->rigid_group[s] < 0)
            x.moves = sign;
        else
            x.c[s] = sign, x.o[s] = v3_scale(sign, j->o[s]);
    }
    return x;
}

static wy_scalar times(wy_arm u, wy_arm w) {
    return (wy_scalar){.terms = 1, .term = {{1, u, w}}};
}

/* ---- making --------------------------------------------------------------------------------------------- */

typedef struct maker {
    wy_network *net;
    wy_network_joint *joint;
    wy_pair_at start; /* the joint at t = 0 */
    int room;
} maker;

static wy_network_constraint *add_constraint(maker *m, wy_constraint_kind kind, wy_scalar g) {
    wy_network_plan *plan = &m->net->plan;
    wy_network_constraint *constraint = &plan->constraint[plan->constraints++];
    *constraint =
        (wy_network_constraint){.kind = kind, .joint = (int)(m->joint - plan->joint), .g = g};
    constraint->multiplier = constraint->rod = constraint->tendon = -1;
    m->joint->count++;
    return constraint;
}

static void add_lock(maker *m, wy_scalar g, double zero) {
    wy_network_constraint *constraint = add_constraint(m, WY_CONSTRAINT_LOCK, g);
    constraint->zero = zero;
    constraint->multiplier = m->net->plan.multipliers++;
}

static void add_spring(maker *m, wy_scalar g, double spring, double damping) {
    if (!(spring > 0) && !(damping > 0)) return;
    wy_network_constraint *constraint = add_constraint(m, WY_CONSTRAINT_LOCK, g);
    constraint->zero = wy_scalar_value(&g, &m->start);
    constraint->law = (wy_law){.spring = spring, .damping = damping};
}

/* The law, the drive and the effort of a hinge or slider. */
static void add_law(maker *m, wy_network_constraint *constraint) {
    const withy_joint *given = m->joint->given;
    if (given->drive.size) {
        constraint->drive = &given->drive, constraint->silent = 0;
        constraint->multiplier = m->net->plan.multipliers++;
        return;
    }
    constraint->law =
        (wy_law){given->spring,   given->rest,     given->damping,        given->limited,
                 given->limit[0], given->limit[1], given->limit_stiffness};
    if (given->effort.size) constraint->effort = &given->effort;
    constraint->silent =
        !(given->spring > 0) && !(given->damping > 0) && !given->limited && !constraint->effort;
}

static void add_ball(maker *m) {
    const vec3 e[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; i++) add_lock(m, times(between(m->joint), constant(e[i])), 0);
}

/* Two axes across `axis`, the three right handed. */
static mat3 axes_about(vec3 axis) {
    const vec3 a = v3_orthogonal(axis);
    return (mat3){a, v3_cross(axis, a), axis};
}

static void add_parallel(maker *m, mat3 a) {
    const wy_arm axis = fixed(m->net, m->joint, 0, a.c3);
    add_lock(m, times(axis, fixed(m->net, m->joint, 1, a.c1)), 0);
    add_lock(m, times(axis, fixed(m->net, m->joint, 1, a.c2)), 0);
}

static void add_angle(maker *m, mat3 a, int law) {
    wy_network_plan *plan = &m->net->plan;
    const wy_arm turned = fixed(m->net, m->joint, 1, a.c1);
    m->joint->angle = plan->constraints;
    wy_network_constraint *constraint =
        add_constraint(m, WY_CONSTRAINT_ANGLE, times(fixed(m->net, m->joint, 0, a.c2), turned));
    wy_scalar *other = &plan->cosine[plan->cosines++];
    *other = times(fixed(m->net, m->joint, 0, a.c1), turned);
    constraint->other = other;
    constraint->silent = 1;
    if (law) add_law(m, constraint);
}

static void make_hinge(maker *m, mat3 a) {
    add_ball(m);
    add_parallel(m, a);
    add_angle(m, a, 1);
}

static void make_universal(maker *m, mat3 a) {
    add_ball(m);
    const vec3 other = v3_direction(m->joint->given->axis2);
    add_lock(m, times(fixed(m->net, m->joint, 0, a.c3), fixed(m->net, m->joint, 1, other)), 0);
}

/* On the line along the axis. */
static void add_line(maker *m, mat3 a) {
    const wy_arm y = between(m->joint);
    add_lock(m, times(fixed(m->net, m->joint, 0, a.c1), y), 0);
    add_lock(m, times(fixed(m->net, m->joint, 0, a.c2), y), 0);
}

static wy_scalar along(const maker *m, vec3 a) {
    return times(fixed(m->net, m->joint, 0, a), between(m->joint));
}

/* No turn. */
static void add_frame(maker *m, mat3 a) {
    const vec3 v[3] = {a.c1, a.c2, a.c3};
    for (int i = 0; i < 3; i++)
        add_lock(
            m, times(fixed(m->net, m->joint, 0, v[i]), fixed(m->net, m->joint, 1, v[(i + 1) % 3])),
            0);
}

static void make_slider(maker *m, mat3 a) {
    add_line(m, a);
    add_frame(m, a);
    m->joint->travel = m->net->plan.constraints;
    wy_network_constraint *constraint = add_constraint(m, WY_CONSTRAINT_LOCK, along(m, a.c3));
    constraint->zero = wy_scalar_value(&constraint->g, &m->start);
    add_law(m, constraint);
}

static void make_cylindrical(maker *m, mat3 a) {
    add_line(m, a);
    add_parallel(m, a);
    add_angle(m, a, 0);
    m->joint->travel = m->net->plan.constraints;
    wy_network_constraint *constraint = add_constraint(m, WY_CONSTRAINT_LOCK, along(m, a.c3));
    constraint->zero = wy_scalar_value(&constraint->g, &m->start);
    constraint->silent = 1;
}

static void make_planar(maker *m, mat3 a) {
    add_lock(m, along(m, a.c3), 0);
    add_parallel(m, a);
}

static void make_spring(maker *m, mat3 frame) {
    const withy_joint *j = m->joint->given;
    const vec3 v[3] = {frame.c1, frame.c2, frame.c3};
    double k[6], c[6];
    v3_to(j->stretch, k), v3_to(j->turn, k + 3);
    v3_to(j->stretch_damping, c), v3_to(j->turn_damping, c + 3);
    for (int i = 0; i < 3; i++) add_spring(m, along(m, v[i]), k[i], c[i]);
    for (int i = 0; i < 3; i++) {
        const vec3 ak = v[(i + 1) % 3], al = v[(i + 2) % 3];
        const wy_scalar g = {
            .terms = 2,
            .term = {{0.5, fixed(m->net, m->joint, 0, al), fixed(m->net, m->joint, 1, ak)},
                     {-0.5, fixed(m->net, m->joint, 0, ak), fixed(m->net, m->joint, 1, al)}}};
        add_spring(m, g, k[3 + i], c[3 + i]);
    }
}

static withy_status make_constraint(maker *m, withy_error *err) {
    const withy_joint *j = m->joint->given;
    const wy_arm y = between(m->joint);
    wy_scalar g = times(y, y);
    g.term[0].c = 0.5;
    const double placed = sqrt(2 * wy_scalar_value(&g, &m->start));
    const double length = j->length > 0 ? j->length : placed;
    char words[WY_JOINT_WORDS];
    if (!(placed > 1e-9 * m->net->plan.length))
        return wy_bad_input(
            err,
            "%s: its places are at the same point, where a link has no direction; use a ball joint",
            wy_joint_words(m->net->rigid.plan.problem, m->joint->number, words, sizeof words));
    if (!(j->spring > 0)) {
        add_lock(m, g, 0.5 * length * length);
        return WITHY_OK;
    }
    add_constraint(m, WY_CONSTRAINT_LENGTH, g)->law =
        (wy_law){.spring = j->spring, .rest = length, .damping = j->damping};
    return WITHY_OK;
}

/* ---- places ----------------------------------------------------------------------------------------------- */

/* Rigid group, point and frame of one side at t = 0. */
static withy_status find_side(wy_network *net, const withy_place *place, int *rigid_group,
                              wy_pose *at, withy_error *err) {
    if (place->part == WITHY_PART_ROD) {
        const wy_director *rod = &net->rod[place->index];
        const int node = wy_network_node(rod, place->s);
        *rigid_group = net->plan.member[wy_group_node_of(net, place->index, node)].rigid_group;
        *at = (wy_pose){rod->plan.first[node].r, tri_matrix(rod->plan.first[node].d)};
        return WITHY_OK;
    }
    *rigid_group = place->part == WITHY_PART_BODY ? net->plan.body[place->index].rigid_group : -1;
    return wy_model_place(net->rigid.setup->model, net->rigid.plan.problem, place, at, err);
}

/* Kinds with one point: that of the first part, unless the second is the ground; of a line or a plane, the
 * nearest point of it.  What is left is an error of the mesh. */
static withy_status meet(maker *m, vec3 x[2], withy_error *err) {
    const withy_joint_kind kind = m->joint->given->kind;
    const vec3 a = m->joint->axis, y = v3_sub(x[1], x[0]);
    vec3 gap = v3(0, 0, 0);
    if (kind == WITHY_JOINT_BALL || kind == WITHY_JOINT_HINGE || kind == WITHY_JOINT_UNIVERSAL)
        gap = y;
    else if (kind == WITHY_JOINT_SLIDER || kind == WITHY_JOINT_CYLINDRICAL)
        gap = v3_axpy(y, -v3_dot(a, y), a);
    else if (kind == WITHY_JOINT_PLANAR)
        gap = v3_scale(v3_dot(a, y), a);
    char words[WY_JOINT_WORDS];
    if (!(v3_norm(gap) <= PLACE_TOLERANCE * m->net->plan.length))
        return wy_bad_input(
            err, "%s: on this mesh its places are %.3g m apart; use more elements (options.n)",
            wy_joint_words(m->net->rigid.plan.problem, m->joint->number, words, sizeof words),
            v3_norm(gap));
    if (m->joint->rigid_group[1] >= 0)
        x[1] = v3_sub(x[1], gap);
    else
        x[0] = v3_add(x[0], gap);
    return WITHY_OK;
}

static void place_joint(maker *m, const vec3 x[2]) {
    wy_network_joint *j = m->joint;
    for (int s = 0; s < 2; s++) {
        m->start.r[s] = v3(0, 0, 0), m->start.d[s] = m3_identity();
        j->o[s] = x[s];
        if (j->rigid_group[s] < 0) {
            m->start.ground = x[s];
            continue;
        }
        const wy_director_node *node = &m->net->rigid.plan.first[j->rigid_group[s]];
        m->start.r[s] = node->r, m->start.d[s] = tri_matrix(node->d);
        j->o[s] = m3_tmul(m->start.d[s], v3_sub(x[s], node->r));
    }
}

static withy_status make_joint(wy_network *net, int number, withy_error *err) {
    const withy_problem *problem = net->rigid.plan.problem;
    const withy_joint *given = &problem->joint[number];
    wy_network_joint *j = &net->plan.joint[number];
    maker m = {.net = net, .joint = j};
    wy_pose pose[2];
    char words[WY_JOINT_WORDS];
    *j = (wy_network_joint){.given = given, .number = number, .first = net->plan.constraints};
    j->angle = j->travel = -1;
    for (int s = 0; s < 2; s++) {
        WY_TRY(find_side(net, &given->place[s], &j->rigid_group[s], &pose[s], err));
        j->part[s] = wy_network_part(net, &given->place[s]);
        if (given->place[s].part == WITHY_PART_GROUND && given->place[s].path.size)
            j->ground = &given->place[s];
    }
    vec3 x[2] = {pose[0].r, pose[1].r};
    j->axis = v3_is_zero(given->axis) ? given->axis : v3_direction(given->axis);
    if (given->kind != WITHY_JOINT_WELD && j->rigid_group[0] == j->rigid_group[1])
        return wy_bad_input(err,
                            "%s: its two parts are welded together already; remove it or the weld",
                            wy_joint_words(problem, number, words, sizeof words));
    WY_TRY(meet(&m, x, err));
    place_joint(&m, x);
    j->reach = v3_norm(v3_sub(x[1], x[0]));
    const mat3 a = v3_is_zero(j->axis) ? m3_identity() : axes_about(j->axis);
    if (j->rigid_group[0] >= 0) j->axis = m3_tmul(m.start.d[0], j->axis);
    switch (given->kind) {
    case WITHY_JOINT_WELD: break;
    case WITHY_JOINT_BALL: add_ball(&m); break;
    case WITHY_JOINT_HINGE: make_hinge(&m, a); break;
    case WITHY_JOINT_UNIVERSAL: make_universal(&m, a); break;
    case WITHY_JOINT_SLIDER: make_slider(&m, a); break;
    case WITHY_JOINT_CYLINDRICAL: make_cylindrical(&m, a); break;
    case WITHY_JOINT_PLANAR: make_planar(&m, a); break;
    case WITHY_JOINT_SPRING: make_spring(&m, pose[0].frame); break;
    case WITHY_JOINT_LINK: return make_constraint(&m, err);
    }
    return WITHY_OK;
}

/* An end of a rod that is pinned, on a roller or guided, and joined to others as well: a joint to its prescribed
 * position, and to its direction at t = 0. */
static void make_pin(wy_network *net, wy_network_joint *j) {
    static const withy_joint ball = {.kind = WITHY_JOINT_BALL};
    const wy_group_node *k = &net->plan.member[j->number];
    const wy_director *rod = &net->rod[k->rod];
    maker m = {.net = net, .joint = j};
    const vec3 x = rod->plan.first[k->node].r, both[2] = {x, x};
    *j = (wy_network_joint){.given = &ball, .number = -1, .rigid_group = {-1, k->rigid_group}};
    j->part[0] = -1, j->part[1] = net->plan.bodies + (int)(k - net->plan.member);
    j->first = net->plan.constraints, j->angle = j->travel = -1;
    const wy_director_end *end = &rod->plan.end[k->node > 0];
    j->pin = &end->end;
    j->turned = wy_end_holds_direction(j->pin->end) &&
                (j->pin->drives_frame || wy_network_end_rates(end) & 2);
    place_joint(&m, both);
    const mat3 d = tri_matrix(rod->plan.first[k->node].d);
    const vec3 axis[3] = {j->pin->axes.c1, j->pin->axes.c2, j->pin->axes.c3};
    if (j->pin->places == 3) add_ball(&m);
    for (int i = 0; i < j->pin->places && j->pin->slides; i++) add_lock(&m, along(&m, axis[i]), 0);
    if (!wy_end_holds_direction(j->pin->end)) return;
    if (j->pin->turns_free)
        add_parallel(&m, axes_about(d.c3));
    else
        add_frame(&m, d);
}

/* Where a tendon passes the section at node j of a rod, at t = 0. */
static withy_status tendon_point(const wy_director *rod, int node, const withy_load *load, vec3 *at,
                                 withy_error *err) {
    double a[WITHY_FIELD_MAX] = {0};
    WY_TRY(withy_field_at(&load->route, rod->plan.s[node], 0, a, err));
    const mat3 d = tri_matrix(rod->plan.first[node].d);
    *at = v3_axpy(v3_axpy(rod->plan.first[node].r, a[0], d.c1), a[1], d.c2);
    return WITHY_OK;
}

/* One end of a piece of tendon between two rods. */
typedef struct eye {
    int rigid_group, part;
    vec3 at, axis; /* the tendon, and the middle of the section */
} eye;

static withy_status find_eye(const wy_network *net, int rod, const withy_load *load, double s,
                             eye *to, withy_error *err) {
    const wy_director *own = &net->rod[rod];
    const int node = wy_network_node(own, s);
    const int there = fabs(own->plan.s[node] - s) <= 1e-6 * own->plan.length;
    const int member = there ? wy_group_node_of(net, rod, node) : -1;
    if (member < 0)
        return wy_bad_input(err,
                            "rods[%d].loads" WY_KEY
                            ": a tendon continues from here to another rod at s = %g, where "
                            "there is no joint; join the rods there",
                            rod + 1, s);
    to->axis = own->plan.first[node].r;
    to->rigid_group = net->plan.member[member].rigid_group, to->part = net->plan.bodies + member;
    return tendon_point(own, node, load, &to->at, err);
}

/* The straight piece of a tendon from one rod to the next: a length with an effort.  None where both sections
 * belong to one rigid group, or where it goes along both axes through a joint that keeps them together. */
static withy_status make_span(wy_network *net, int rod, int tendon, withy_error *err) {
    static const withy_joint constraint = {.kind = WITHY_JOINT_LINK};
    wy_network_plan *plan = &net->plan;
    wy_network_joint *j = &plan->joint[plan->joints];
    maker m = {.net = net, .joint = j};
    int k;
    const int before = wy_network_tendon_before(net, rod, tendon, &k);
    const withy_load *from = net->rod[before].plan.tendon[k].load;
    const withy_load *load = net->rod[rod].plan.tendon[tendon].load;
    eye a, b;
    WY_TRY(find_eye(net, before, from, from->to, &a, err));
    WY_TRY(find_eye(net, rod, load, load->from, &b, err));
    const double gap = v3_norm(v3_sub(b.at, a.at)), small = 1e-6 * plan->length;
    const double off = wy_max(v3_norm(v3_sub(a.at, a.axis)), v3_norm(v3_sub(b.at, b.axis)));
    if (a.rigid_group == b.rigid_group || (gap <= small && off <= small)) return WITHY_OK;
    if (!(gap > small))
        return wy_bad_input(
            err,
            "rods[%d].loads" WY_KEY ": the tendon that continues \"%.60s\" passes from rods[%d] "
            "to rods[%d] at a single point, next to a joint that may open; leave a gap between "
            "the two rods (a body in between), or weld them",
            rod + 1, load->continues, before + 1, rod + 1);
    plan->joints++;
    *j = (wy_network_joint){
        .given = &constraint, .number = -1, .first = plan->constraints, .reach = gap};
    j->angle = j->travel = -1;
    j->rigid_group[0] = a.rigid_group, j->rigid_group[1] = b.rigid_group;
    j->part[0] = a.part, j->part[1] = b.part;
    place_joint(&m, (const vec3[2]){a.at, b.at});
    const wy_arm y = between(j);
    wy_scalar g = times(y, y);
    g.term[0].c = 0.5;
    wy_network_constraint *own = add_constraint(&m, WY_CONSTRAINT_LENGTH, g);
    own->rod = rod, own->tendon = tendon;
    return WITHY_OK;
}

static withy_status make_spans(wy_network *net, withy_error *err) {
    for (int i = 0; i < net->plan.rods; i++)
        for (int k = 0; k < net->rod[i].plan.tendon_count; k++)
            if (net->rod[i].plan.tendon[k].load->continues) WY_TRY(make_span(net, i, k, err));
    return WITHY_OK;
}

static withy_status list_laws(wy_network *net, withy_error *err) {
    const wy_network_plan *plan = &net->plan;
    net->law =
        wy_arena_alloc(net->rigid.setup->arena, (size_t)plan->constraints + 1, sizeof *net->law);
    net->row =
        wy_arena_alloc(net->rigid.setup->arena, (size_t)plan->multipliers + 1, sizeof *net->row);
    if (!net->law || !net->row) return wy_no_memory(err, "director: no memory for the joints");
    for (int k = 0; k < plan->constraints; k++)
        if (plan->constraint[k].multiplier < 0 && !plan->constraint[k].silent)
            net->law[net->laws++] = k;
    return WITHY_OK;
}

withy_status wy_constraints_make(wy_network *net, withy_error *err) {
    wy_network_plan *plan = &net->plan;
    const int given = net->rigid.plan.problem->joint_count, pins = plan->joints - given;
    plan->constraint = wy_arena_alloc(
        net->rigid.setup->arena, (size_t)(plan->joints + plan->spans) * WY_JOINT_CONSTRAINTS + 1,
        sizeof *plan->constraint);
    plan->cosine =
        wy_arena_alloc(net->rigid.setup->arena, (size_t)plan->joints + 1, sizeof *plan->cosine);
    if (!plan->constraint || !plan->cosine)
        return wy_no_memory(err, "director: no memory for the joints");
    for (int i = 0; i < given; i++) WY_TRY(make_joint(net, i, err));
    for (int i = 0; i < pins; i++) make_pin(net, &plan->joint[given + i]);
    WY_TRY(make_spans(net, err));
    for (int i = 0; i < plan->constraints; i++) {
        const wy_network_constraint *constraint = &plan->constraint[i];
        if (constraint->law.damping > 0) plan->damped = 1;
        if (constraint->drive || constraint->effort) plan->driven = 1;
    }
    for (int i = 0; i < plan->joints; i++)
        if (plan->joint[i].ground) plan->driven = 1;
    return list_laws(net, err);
}

const char *wy_network_words(const wy_network *net, int joint, char *text, size_t size) {
    const wy_network_joint *j = &net->plan.joint[joint];
    if (j->number >= 0) return wy_joint_words(net->rigid.plan.problem, j->number, text, size);
    const wy_group_node *k = &net->plan.member[j->part[1] - net->plan.bodies];
    snprintf(text, size, "rods[%d].ends.%s (pinned)", k->rod + 1, k->node > 0 ? "finish" : "start");
    return text;
}

/* ---- one step ------------------------------------------------------------------------------------------------ */

static withy_status ground_at(const wy_network *net, const wy_network_joint *j, double t, vec3 *at,
                              withy_error *err) {
    wy_pose pose;
    *at = j->rigid_group[0] < 0 ? j->o[0] : j->o[1];
    if (j->pin) {
        const vec3 start =
            *at; /* as placed, which may miss the prescribed one by an error of the mesh */
        wy_pose first;
        WY_TRY(wy_end_pose(j->pin, 0, &first, err));
        const wy_group_node *k = &net->plan.member[j->part[1] - net->plan.bodies];
        WY_TRY(wy_network_end_pose(net, k->rod, k->node > 0, t, &pose, err));
        *at = v3_add(start, v3_sub(pose.r, first.r));
    } else if (j->ground) {
        WY_TRY(wy_model_place_at(net->rigid.setup->model, j->ground, t, at, err));
    }
    *at = v3_sub(*at, net->rigid.now->origin);
    return WITHY_OK;
}

/* The turn of the prescribed axes of an end since t = 0. */
static withy_status axes_at(const wy_network *net, const wy_network_joint *j, double t, mat3 *axes,
                            withy_error *err) {
    const wy_group_node *k = &net->plan.member[j->part[1] - net->plan.bodies];
    wy_pose first, pose;
    WY_TRY(wy_end_pose(j->pin, 0, &first, err));
    WY_TRY(wy_network_end_pose(net, k->rod, k->node > 0, t, &pose, err));
    *axes = m3_mulm(pose.frame, m3_transpose(first.frame));
    return WITHY_OK;
}

static withy_status number_at(const withy_field *field, double t, double factor, double *out,
                              withy_error *err) {
    double value[WITHY_FIELD_MAX] = {0};
    *out = 0;
    if (!field) return WITHY_OK;
    WY_TRY(withy_field_at(field, 0, t, value, err));
    *out = wy_field_varies(field) ? value[0] : factor * value[0];
    return WITHY_OK;
}

withy_status wy_constraints_at(wy_network *net, double t0, double when, double t1,
                               withy_error *err) {
    for (int i = 0; i < net->plan.joints; i++) {
        const wy_network_joint *j = &net->plan.joint[i];
        net->ground[i][0] = net->ground[i][1] = v3(0, 0, 0);
        if (j->rigid_group[0] >= 0 && j->rigid_group[1] >= 0) continue;
        WY_TRY(ground_at(net, j, t0, &net->ground[i][0], err));
        WY_TRY(ground_at(net, j, t1, &net->ground[i][1], err));
        if (!j->turned) continue;
        WY_TRY(axes_at(net, j, t0, &net->axes[i][0], err));
        WY_TRY(axes_at(net, j, t1, &net->axes[i][1], err));
    }
    for (int i = 0; i < net->plan.constraints; i++) {
        const wy_network_constraint *constraint = &net->plan.constraint[i];
        wy_constraint_state *state = &net->state_of[i];
        WY_TRY(number_at(constraint->effort, when, net->rigid.step->factor, &state->effort, err));
        WY_TRY(number_at(constraint->drive, t1, 1.0, &state->target, err));
    }
    wy_network_tendon_efforts(net);
    return WITHY_OK;
}

/* Axes of the ground that turn are those of one more rigid group, whose turns are given: means are plain, so that
 * its rows do exactly the work of what turns it. */
static void turn_ground(const mat3 axes[2], int s, wy_pair_step *at) {
    at->minus.d[s] = axes[0], at->plus.d[s] = axes[1];
    at->mid.d[s] = (mat3){v3_scale(0.5, v3_add(axes[0].c1, axes[1].c1)),
                          v3_scale(0.5, v3_add(axes[0].c2, axes[1].c2)),
                          v3_scale(0.5, v3_add(axes[0].c3, axes[1].c3))};
}

wy_pair_step wy_joint_pair(const wy_network *net, const wy_network_joint *j) {
    const wy_director *rigid = &net->rigid;
    wy_pair_step at = {.beta = rigid->step->beta};
    const vec3 *ground = net->ground[j - net->plan.joint];
    at.minus.ground = ground[0], at.plus.ground = ground[1];
    at.mid.ground = v3_scale(0.5, v3_add(ground[0], ground[1]));
    for (int s = 0; s < 2; s++) {
        const int c = j->rigid_group[s];
        if (c < 0) {
            at.minus.r[s] = at.mid.r[s] = at.plus.r[s] = v3(0, 0, 0);
            at.minus.d[s] = at.mid.d[s] = at.plus.d[s] = m3_identity();
            if (j->turned) turn_ground(net->axes[j - net->plan.joint], s, &at);
            continue;
        }
        at.minus.r[s] = rigid->node[c].r, at.minus.d[s] = tri_matrix(rigid->node[c].d);
        at.plus.r[s] = wy_director_plus_r(rigid, c), at.plus.d[s] = tri_matrix(rigid->next[c].d);
        at.mid.r[s] = wy_director_mid_r(rigid, c),
        at.mid.d[s] = tri_matrix(wy_director_mid(rigid, c));
    }
    if (!rigid->step->dynamic) at.mid = at.plus;
    return at;
}

/* Coordinates at both ends, the rows, the force and its derivative by g+ (or the angle+). */
void wy_constraint_find(const wy_network *net, const wy_network_joint *j, int i,
                        const wy_pair_step *at, wy_constraint_state *out) {
    (void)j;
    const wy_network_constraint *constraint = &net->plan.constraint[i];
    const wy_director_step *step = net->rigid.step;
    double f = 1, df = 0, turn = 0, slope;
    if (constraint->kind == WY_CONSTRAINT_ANGLE) {
        const wy_angle angle = {constraint->other, &constraint->g};
        wy_angle_at a;
        wy_angle_find(&angle, at, &a);
        for (int k = 0; k < WY_PAIR; k++) out->bar[k] = a.row[k], out->plus[k] = a.plus[k];
        turn = a.turn;
        out->before = net->angle[i], out->value = out->before + turn;
        if (step->dynamic) f = wy_angle_factor(turn, &df);
    } else {
        wy_scalar_row(&constraint->g, &at->mid, out->bar);
        wy_scalar_row(&constraint->g, &at->plus, out->plus);
        out->before = wy_scalar_value(&constraint->g, &at->minus) - constraint->zero;
        out->value = wy_scalar_value(&constraint->g, &at->plus) - constraint->zero;
    }
    if (constraint->kind == WY_CONSTRAINT_LENGTH)
        out->before = sqrt(2 * out->before), out->value = sqrt(2 * out->value);
    if (constraint->multiplier >= 0) {
        out->stress = net->lambda[constraint->multiplier], out->slope = 0;
        return;
    }
    const double s = step->dynamic
                         ? wy_law_force(&constraint->law, out->before, out->value, step->per,
                                        out->effort, &slope)
                         : wy_law_static(&constraint->law, out->value, out->effort, &slope);
    out->stress = s * f, out->slope = slope * f + s * df;
    if (constraint->kind != WY_CONSTRAINT_LENGTH) return;
    const double bar = step->dynamic ? 0.5 * (out->before + out->value) : out->value;
    out->stress = s / bar;
    out->slope = (slope / bar - (step->dynamic ? 0.5 : 1.0) * s / (bar * bar)) / out->value;
}

void wy_constraints_begin(wy_network *net) {
    for (int i = 0; i < net->laws; i++) {
        const int k = net->law[i];
        const wy_network_joint *j = &net->plan.joint[net->plan.constraint[k].joint];
        wy_pair_step at = wy_joint_pair(net, j);
        at.mid = at.plus = at.minus; /* springs start from the stress of the state */
        wy_constraint_find(net, j, k, &at, &net->state_of[k]);
        net->state_of[k].sigma = net->state_of[k].stress;
    }
}

int wy_constraints_stopped(const wy_network *net) {
    for (int i = 0; i < net->laws; i++) {
        const wy_constraint_state *state = &net->state_of[net->law[i]];
        if (wy_law_is_stopped(&net->plan.constraint[net->law[i]].law, state->before, state->value))
            return 1;
    }
    return 0;
}

/* The sigma of a multiplier is lambda itself. */
void wy_constraints_correct(wy_network *net, double share) {
    for (int m = 0; m < net->plan.multipliers; m++) net->lambda[m] += share * net->change[m];
    for (int i = 0; i < net->laws; i++) {
        const wy_network_joint *j = &net->plan.joint[net->plan.constraint[net->law[i]].joint];
        wy_constraint_state *state = &net->state_of[net->law[i]];
        double along = 0;
        for (int s = 0; s < 2; s++)
            for (int n = 0; n < 6 && j->rigid_group[s] >= 0; n++)
                along += state->plus[6 * s + n] * net->rigid.next[j->rigid_group[s]].change[n];
        state->sigma += share * (state->stress + state->slope * along - state->sigma);
    }
}
