/* contact_clash.c - bodies that touch obstacles and each other, by their knobs (director/contact_knob.c).
 *
 * A knob is a copy in its cluster as a welded node is, r_k = r + R o (director/cluster.c), and touches a target as the point of
 * src/contact/body.c does; a wall is a body that moves as the scene says and does not turn.  A knob that slides acts at one point of
 * its bar in a step (src/contact/bar.c).  Targets are numbered as marks have them: walls, then bodies.
 */
#include <stdio.h>

#include "method/director/contacts.h"

static const double THROUGH = 0.3; /* of the size: what is left of it when it passes through      */
static const double LEFT = 0.02;   /* of a gap: what a Newton step may leave of it   */
static const double ROUNDED = 1e-3; /* of the size: of bars that lie flat (bar.c)              */

/* ---- a knob and its target ------------------------------------------------------------------------------------------ */

static const wy_obstacle *shape_of(const wy_touch_plan *plan, int target) {
    return target < plan->walls ? &plan->wall[target].shape
                                : &plan->body[target - plan->walls].shape;
}

/* Two balls touch each other with the knobs of both, so that their order in the scene is nothing: each has half. */
static double part_of(const wy_touch_plan *plan, int k, int target) {
    const wy_obstacle_kind own = plan->body[plan->knob[k].of].shape.kind;
    return target >= plan->walls && own == WY_OBSTACLE_SPHERE && shape_of(plan, target)->kind == own
               ? 0.5
               : 1;
}

double wy_touch_knob_stiffness(const wy_touch *touch, int k, int target) {
    const wy_touch_plan *plan = &touch->plan;
    const double size = plan->knob[k].size;
    if (target >= plan->walls)
        return part_of(plan, k, target) * plan->soft *
               wy_min(size, plan->body[target - plan->walls].size);
    const double own = plan->wall[target].stiffness;
    return (own > 0 ? own : plan->soft) * size;
}

/* K_t, of the lighter of two bodies, whichever is listed first. */
static double stick_of(const wy_touch *touch, int k, int target, int dynamic) {
    const wy_touch_plan *plan = &touch->plan;
    double mass = plan->knob[k].mass;
    if (target >= plan->walls)
        mass = wy_min(mass, plan->knob[plan->body[target - plan->walls].first].mass);
    return wy_touch_stick(touch, dynamic, part_of(plan, k, target) * mass,
                          wy_touch_knob_stiffness(touch, k, target));
}

double wy_touch_body_stick(const wy_touch *touch, const wy_touch_mark *mark, int dynamic) {
    const wy_touch_plan *plan = &touch->plan;
    if (mark->a < plan->points)
        return wy_touch_stick(touch, dynamic, plan->point[mark->a].mass,
                              wy_touch_grip_stiffness(touch, mark->a));
    return stick_of(touch, mark->a - plan->points, -1 - mark->b, dynamic);
}

int wy_touch_knob_meets(const wy_touch *touch, int k, int target) {
    const wy_touch_plan *plan = &touch->plan;
    const wy_touch_knob *knob = &plan->knob[k];
    const int body = target - plan->walls;
    if (body >= 0) return knob->kind != WY_KNOB_FACE && plan->meets[knob->of * plan->bodies + body];
    const wy_obstacle *shape = &plan->wall[target].shape;
    if (knob->kind == WY_KNOB_CORNER) return 1;
    return !wy_obstacle_thick(shape) && (knob->kind == WY_KNOB_FACE || wy_obstacle_convex(shape));
}

/* Is the whole body so far from a target, now and after the step, that nothing needs to be looked up? */
static int is_far(const wy_network *net, int b, int target) {
    const wy_touch *touch = net->touch;
    const wy_touch_plan *plan = &touch->plan;
    const wy_touch_body *own = &plan->body[b];
    const wy_director_node *hub = &net->hub.node[own->cluster];
    const vec3 dr = net->hub.next[own->cluster].dr;
    if (!net->hub.step->dynamic) return 0;
    if (target >= plan->walls) {
        const wy_touch_body *body = &plan->body[target - plan->walls];
        const vec3 other = net->hub.next[body->cluster].dr;
        const double far = v3_norm(v3_sub(hub->r, net->hub.node[body->cluster].r));
        return far - own->reach - body->reach - plan->range > v3_norm(v3_sub(dr, other));
    }
    const wy_touch_wall *w = &plan->wall[target];
    if (w->shape.kind == WY_OBSTACLE_DISTANCE) return 0;
    const vec3 at = v3_sub(v3_add(net->hub.now->origin, hub->r), touch->at[target]);
    const vec3 way = v3_sub(dr, v3_sub(touch->to[target], touch->at[target]));
    return wy_obstacle_beyond(&w->shape, at, own->reach + plan->range + v3_norm(way));
}

/* ---- where they are ------------------------------------------------------------------------------------------------- */

/* A cluster or a wall over the step or the move; for forces at rest with friction, since the last equilibrium. */
typedef struct pose {
    vec3 minus, plus; /* its centre */
    vec3 dr, theta;   /* plus - minus, and the Cayley vector of its turn */
    mat3 from, to;    /* its axes */
} pose;

static pose move_of(const wy_network *net, int c) {
    const wy_director_node *node = &net->hub.node[c];
    const wy_director_next *next = &net->hub.next[c];
    pose out = {.minus = node->r, .plus = v3_add(node->r, next->dr), .dr = next->dr};
    out.theta = next->theta, out.from = tri_matrix(node->d), out.to = tri_matrix(next->d);
    return out;
}

static pose pose_of(const wy_network *net, int c) {
    const wy_director_next *next = &net->hub.next[c];
    pose out = move_of(net, c);
    if (net->hub.step->dynamic || !net->touch->plan.rubs) return out;
    const wy_touch_way_gone *gone = &net->touch->gone[net->touch->plan.points + c];
    out.minus = v3_sub(out.plus, gone->dr), out.dr = gone->dr, out.theta = gone->theta;
    out.from = tri_matrix(tri_cayley(v3_scale(-1, gone->theta), next->d));
    return out;
}

static pose wall_pose(const wy_network *net, int wall) {
    const vec3 *at = net->touch->at, *to = net->touch->to, origin = net->hub.now->origin;
    const mat3 axes = m3_identity();
    return (pose){.minus = v3_sub(at[wall], origin),
                  .plus = v3_sub(to[wall], origin),
                  .dr = v3_sub(to[wall], at[wall]),
                  .from = axes,
                  .to = axes};
}

/* Of a knob and its target. */
static void find_both(const wy_network *net, int k, int target,
                      pose (*find)(const wy_network *, int), pose at[2]) {
    const wy_touch_plan *plan = &net->touch->plan;
    at[0] = find(net, plan->knob[k].cluster);
    at[1] = target < plan->walls ? wall_pose(net, target)
                                 : find(net, plan->body[target - plan->walls].cluster);
}

static void find_poses(const wy_network *net, int k, int target, pose at[2]) {
    find_both(net, k, target, pose_of, at);
}

/* After a small motion i of its end. */
static void nudge(pose *at, int i, double h) {
    if (i >= 3) {
        wy_body_turn(v3_scale(h, v3_axis(i - 3)), &at->theta, &at->to);
        return;
    }
    at->plus = v3_axpy(at->plus, h, v3_axis(i)), at->dr = v3_axpy(at->dr, h, v3_axis(i));
}

/* The knob in the axes of its target. */
static wy_bar bar_at(const wy_touch_knob *knob, vec3 r, mat3 axes, vec3 centre, mat3 other) {
    const vec3 y = v3_add(v3_sub(r, centre), m3_mul(axes, knob->at));
    return (wy_bar){m3_tmul(other, y), m3_tmul(other, m3_mul(axes, knob->along))};
}

static wy_bar bar_before(const wy_touch_knob *knob, const pose at[2]) {
    return bar_at(knob, at[0].minus, at[0].from, at[1].minus, at[1].from);
}
static wy_bar bar_after(const wy_touch_knob *knob, const pose at[2]) {
    return bar_at(knob, at[0].plus, at[0].to, at[1].plus, at[1].to);
}

/* ---- over a step -------------------------------------------------------------------------------------------------------- */

typedef struct clash {
    wy_body_step step;
    vec3 arm;  /* from the centre of the knob's cluster to the point, as the force acts */
    int known; /* the nearest place and the gap at the start of the step */
    double start, least;
} clash;

static int slides(const wy_touch_knob *knob) {
    return v3_dot(knob->along, knob->along) > 0;
}

/* The place of the knob that acts; bias: what its gap is more than that of the place. */
static double place_of(const wy_touch_knob *knob, const wy_obstacle *shape, const pose at[2],
                       int dynamic, clash *c) {
    double *bias = c->step.bias, s[2], least;
    bias[0] = bias[1] = 0;
    if (!slides(knob)) return 0;
    const wy_bar minus = bar_before(knob, at), plus = bar_after(knob, at);
    const double round = ROUNDED * knob->size;
    s[1] = wy_bar_nearest(shape, &plus, round, &least);
    if (!dynamic) {
        bias[1] = round * s[1] * s[1];
        return s[1];
    }
    if (!c->known) c->start = wy_bar_nearest(shape, &minus, round, &c->least), c->known = 1;
    s[0] = c->start;
    const double place = wy_bar_between(shape, &minus, &plus, s, least - c->least);
    vec3 unused;
    bias[0] = c->least - wy_obstacle_distance(shape, wy_bar_point(&minus, place), &unused);
    bias[1] = least - wy_obstacle_distance(shape, wy_bar_point(&plus, place), &unused);
    return place;
}

static void set_law(const wy_network *net, int k, int target, wy_body_step *step) {
    const wy_touch *touch = net->touch;
    const wy_touch_plan *plan = &touch->plan;
    const int wall = target < plan->walls, a = plan->points + k, dynamic = net->hub.step->dynamic;
    const wy_touch_wall *w = wall ? &plan->wall[target] : NULL;
    step->law =
        wy_touch_law(touch, dynamic, a, -1 - target, wy_touch_knob_stiffness(touch, k, target),
                     wall ? w->damping : plan->damping);
    step->friction = wall ? w->friction : plan->friction;
    step->between = wall ? 0 : 0.5;
    step->stick = stick_of(touch, k, target, dynamic);
    const wy_touch_mark *mark = step->friction > 0 ? wy_touch_find(touch, a, -1 - target) : NULL;
    if (mark) step->z = mark->z;
}

static void set_place(const wy_network *net, int k, int target, const pose at[2], clash *out) {
    const wy_touch_plan *plan = &net->touch->plan;
    const wy_touch_knob *knob = &plan->knob[k];
    const int dynamic = net->hub.step->dynamic;
    wy_body_step *step = &out->step;
    const double s = place_of(knob, shape_of(plan, target), at, dynamic, out);
    const vec3 p = v3_axpy(knob->at, s, knob->along);
    const vec3 from = m3_mul(at[0].from, p), to = m3_mul(at[0].to, p);
    step->y_minus = v3_add(v3_sub(at[0].minus, at[1].minus), from);
    step->dy = v3_add(v3_sub(at[0].dr, at[1].dr), v3_sub(to, from));
    step->y_plus = v3_add(step->y_minus, step->dy);
    step->minus = at[1].from, step->plus = at[1].to;
    step->theta[0] = at[0].theta, step->theta[1] = at[1].theta;
    out->arm = dynamic ? v3_scale(0.5, v3_add(from, to)) : to;
}

static clash clash_of(const wy_network *net, int k, int target, const pose at[2]) {
    const double per = net->hub.step->dynamic ? net->hub.step->per : 0;
    clash out = {.step = {.radius = net->touch->plan.knob[k].radius, .per = per}};
    set_law(net, k, target, &out.step);
    set_place(net, k, target, at, &out);
    return out;
}

/* Nothing of the knob touches at either end of the step. */
static int beyond(const wy_touch_plan *plan, int k, int target, const pose at[2]) {
    const wy_touch_knob *knob = &plan->knob[k];
    const wy_obstacle *shape = shape_of(plan, target);
    const double most = knob->radius + plan->range;
    const wy_bar minus = bar_before(knob, at), plus = bar_after(knob, at);
    return wy_bar_clear(shape, &minus, most) && wy_bar_clear(shape, &plus, most);
}

/* ---- forces and their slopes, on both clusters ---------------------------------------------------------------------------- */

/* Those on the point to those on its cluster. */
static void to_cluster(const clash *c, double f[WY_BODY_ROWS]) {
    const vec3 moment = v3_cross(c->arm, v3_from(f));
    v3_to(v3_add(v3_from(f + 3), moment), f + 3);
}

static int push_on(const wy_network *net, int k, int target, const pose at[2], clash *c,
                   wy_body_push *out) {
    const wy_touch_plan *plan = &net->touch->plan;
    if (net->hub.step->dynamic && beyond(plan, k, target, at)) return 0;
    *c = clash_of(net, k, target, at);
    if (!wy_body_push_on(shape_of(plan, target), &c->step, 0, out)) return 0;
    to_cluster(c, out->force), to_cluster(c, out->per_push);
    return 1;
}

/* d(forces) by motion i of both clusters: of f at fixed N by differences, and f by N times dN. */
static void find_slope(const wy_network *net, int k, int target, const pose at[2], const clash *now,
                       const wy_body_push *push, int i, double out[WY_BODY_ROWS]) {
    const wy_obstacle *shape = shape_of(&net->touch->plan, target);
    const double size = net->touch->plan.knob[k].size;
    const double h = 1e-6 * (i % 6 < 3 ? size + v3_norm(at[i / 6].dr) : 1);
    double f[2][WY_BODY_ROWS], gap[2], unused;
    for (int side = 0; side < 2; side++) {
        pose moved[2] = {at[0], at[1]};
        nudge(&moved[i / 6], i % 6, side ? h : -h);
        clash c = *now;
        set_place(net, k, target, moved, &c);
        wy_body_forces(shape, &c.step, push->of_tangent, f[side]);
        to_cluster(&c, f[side]);
        gap[side] = wy_body_gap(shape, &c.step, &unused);
    }
    for (int j = 0; j < WY_BODY_ROWS; j++)
        out[j] =
            (f[1][j] - f[0][j] + push->per_push[j] * push->steep * (gap[1] - gap[0])) / (2 * h);
}

static void add(double *to, const double *from, double sign) {
    for (int i = 0; i < 6; i++) to[i] += sign * from[i];
}

static void push_body(wy_network *net, int i, int j) {
    wy_touch *touch = net->touch;
    const wy_touch_body *own = &touch->plan.body[i];
    const int target = touch->plan.walls + j;
    pose at[2];
    find_poses(net, own->first, target, at);
    for (int k = own->first; k < own->first + own->knobs; k++) {
        wy_body_push push;
        clash c;
        if (!wy_touch_knob_meets(touch, k, target) || !push_on(net, k, target, at, &c, &push))
            continue;
        char *in = &touch->meeting[i * touch->plan.bodies + j];
        touch->step->active++;
        if (!*in) *in = 1, touch->step->grew = 1;
        add(touch->hub_force[own->cluster].f, push.force, 1);
        add(touch->hub_force[touch->plan.body[j].cluster].f, push.force + 6, 1);
    }
}

void wy_touch_push_clashes(wy_network *net) {
    const wy_touch_plan *plan = &net->touch->plan;
    for (int i = 0; i < plan->bodies * plan->bodies && plan->clashes; i++)
        if (plan->meets[i] && !is_far(net, i / plan->bodies, plan->walls + i % plan->bodies))
            push_body(net, i / plan->bodies, i % plan->bodies);
}

int wy_touch_clash_tangent(const wy_network *net, int k, int b, double m[12][13]) {
    const int target = net->touch->plan.walls + b;
    double column[WY_BODY_ROWS];
    wy_body_push push;
    pose at[2];
    clash c;
    if (!wy_touch_knob_meets(net->touch, k, target)) return 0;
    find_poses(net, k, target, at);
    if (!push_on(net, k, target, at, &c, &push)) return 0;
    for (int j = 0; j < WY_BODY_ROWS; j++) {
        find_slope(net, k, target, at, &c, &push, j, column);
        for (int i = 0; i < WY_BODY_ROWS; i++) m[i][j] = -column[i];
        m[j][WY_BODY_ROWS] = 0;
    }
    return 1;
}

double wy_touch_clash_quotient(const wy_network *net, double *terms) {
    const wy_touch_plan *plan = &net->touch->plan;
    double sum = 0, m[12][13];
    for (int k = 0; k < plan->knobs && plan->clashes; k++)
        for (int b = 0; b < plan->bodies; b++) {
            if (!wy_touch_clash_tangent(net, k, b, m)) continue;
            const double *u[2] = {net->hub.next[plan->knob[k].cluster].change,
                                  net->hub.next[plan->body[b].cluster].change};
            double own = 0;
            for (int i = 0; i < 144; i++)
                own += u[i / 72][i / 12 % 6] * m[i / 12][i % 12] * u[i % 12 / 6][i % 6];
            sum += own, *terms += fabs(own);
        }
    return sum;
}

/* ---- a cluster ---------------------------------------------------------------------------------------------------- */

static void wall_on_body(const wy_network *net, int b, int wall, double a[6][6], double r[6]) {
    const wy_touch *touch = net->touch;
    const wy_touch_body *own = &touch->plan.body[b];
    pose at[2];
    find_poses(net, own->first, wall, at);
    for (int k = own->first; k < own->first + own->knobs; k++) {
        wy_body_push push;
        clash c;
        double column[WY_BODY_ROWS];
        if (!wy_touch_knob_meets(touch, k, wall) || !push_on(net, k, wall, at, &c, &push)) continue;
        touch->step->active++;
        add(r, push.force, -1);
        for (int j = 0; j < 6; j++) {
            find_slope(net, k, wall, at, &c, &push, j, column);
            for (int i = 0; i < 6; i++) a[i][j] -= column[i];
        }
    }
}

void wy_touch_cluster(const wy_network *net, int c, double a[6][6], double b[6]) {
    const wy_touch *touch = net->touch;
    const wy_touch_plan *plan = &touch->plan;
    for (int i = 0; i < 6 && (plan->grips || plan->clashes); i++) b[i] -= touch->hub_force[c].f[i];
    for (int i = 0; i < plan->bodies && plan->knobs; i++) {
        if (plan->body[i].cluster != c) continue;
        for (int wall = 0; wall < plan->walls; wall++)
            if (!is_far(net, i, wall)) wall_on_body(net, i, wall, a, b);
    }
}

/* ---- the books of a step -------------------------------------------------------------------------------------------- */

static void book(const wy_network *net, int k, int target, int *count) {
    wy_touch *touch = net->touch;
    const wy_obstacle *shape = shape_of(&touch->plan, target);
    pose at[2];
    find_poses(net, k, target, at);
    if (net->hub.step->dynamic && beyond(&touch->plan, k, target, at) &&
        !wy_touch_find(touch, touch->plan.points + k, -1 - target))
        return;
    const clash c = clash_of(net, k, target, at);
    wy_body_push push = {.push = 0};
    wy_touch_entry entry = {.a = touch->plan.points + k, .b = -1 - target, .law = &c.step.law};
    entry.size = touch->plan.knob[k].size, entry.before = c.step.z, entry.stick = c.step.stick;
    entry.plus = wy_body_gap(shape, &c.step, &entry.minus);
    entry.acts = wy_body_push_on(shape, &c.step, 0, &push);
    entry.push = push.push, entry.lost = push.lost, entry.z = push.z, entry.force = push.on_point;
    if (target < touch->plan.walls) entry.shift = at[1].dr;
    wy_touch_enter(touch, net->hub.step->dynamic, &entry, count);
}

void wy_touch_book_knobs(const wy_network *net, int *count) {
    wy_touch *touch = net->touch;
    const wy_touch_plan *plan = &touch->plan;
    const int targets = wy_touch_targets(plan);
    for (int i = 0; i < plan->knobs * targets; i++) {
        const int k = i / targets, target = targets - 1 - i % targets;
        if (!wy_touch_knob_meets(touch, k, target)) continue;
        if (is_far(net, plan->knob[k].of, target) &&
            !wy_touch_find(touch, plan->points + k, -1 - target))
            continue;
        book(net, k, target, count);
    }
}

/* ---- gaps ------------------------------------------------------------------------------------------------------------ */

/* Of places at the end of the step, and how it grows with what clusters move by. */
static double gap_at(const wy_network *net, int k, int target, const pose at[2],
                     const double *change[2], double *grows) {
    const wy_touch_knob *knob = &net->touch->plan.knob[k];
    const wy_obstacle *shape = shape_of(&net->touch->plan, target);
    const wy_bar bar = bar_after(knob, at);
    double least;
    const double s = wy_bar_nearest(shape, &bar, ROUNDED * knob->size, &least);
    vec3 gradient;
    wy_obstacle_distance(shape, wy_bar_point(&bar, s), &gradient);
    const vec3 p = m3_mul(at[0].to, v3_axpy(knob->at, s, knob->along));
    const vec3 y = m3_mul(at[1].to, wy_bar_point(&bar, s));
    vec3 moves = v3_add(v3_from(change[0]), v3_cross(v3_from(change[0] + 3), p));
    moves = v3_sub(moves, v3_add(v3_from(change[1]), v3_cross(v3_from(change[1] + 3), y)));
    *grows = v3_dot(m3_mul(at[1].to, gradient), moves);
    return least - knob->radius;
}

static void go_on(pose *at, double share, const double change[6]) {
    vec3 unused = v3(0, 0, 0);
    at->plus = v3_axpy(at->plus, share, v3_from(change));
    wy_body_turn(v3_scale(share, v3_from(change + 3)), &unused, &at->to);
}

double wy_touch_knob_gap(const wy_network *net, int k, int target, double share, double *grows) {
    static const double none[6] = {0};
    const wy_touch_plan *plan = &net->touch->plan;
    const double *change[2] = {net->hub.next[plan->knob[k].cluster].change, none};
    if (target >= plan->walls)
        change[1] = net->hub.next[plan->body[target - plan->walls].cluster].change;
    pose at[2];
    find_poses(net, k, target, at);
    for (int i = 0; i < 2; i++) go_on(&at[i], share, change[i]);
    return gap_at(net, k, target, at, change, grows);
}

/* The gap of the state; where it is above `most`, infinite. */
static double gap_now(const wy_network *net, int k, int target, double most) {
    const wy_touch_plan *plan = &net->touch->plan;
    const wy_touch_knob *knob = &plan->knob[k];
    const wy_director_node *own = &net->hub.node[knob->cluster];
    pose at[2] = {{.minus = own->r, .from = tri_matrix(own->d)}};
    if (target < plan->walls) {
        at[1] = wall_pose(net, target);
    } else {
        const wy_director_node *hub = &net->hub.node[plan->body[target - plan->walls].cluster];
        at[1] = (pose){.minus = hub->r, .from = tri_matrix(hub->d)};
    }
    const wy_bar bar = bar_before(knob, at);
    const wy_obstacle *shape = shape_of(plan, target);
    double least;
    if (wy_bar_clear(shape, &bar, knob->radius + most)) return INFINITY;
    wy_bar_nearest(shape, &bar, ROUNDED * knob->size, &least);
    return least - knob->radius;
}

double wy_touch_knob_energy(const wy_network *net) {
    const wy_touch *touch = net->touch;
    const wy_touch_plan *plan = &touch->plan;
    const int targets = wy_touch_targets(plan);
    double sum = 0;
    for (int i = 0; i < plan->knobs * targets; i++) {
        const int k = i / targets, target = i % targets;
        if (!wy_touch_knob_meets(touch, k, target)) continue;
        const wy_contact_law law = wy_touch_law(touch, 1, plan->points + k, -1 - target,
                                                wy_touch_knob_stiffness(touch, k, target), 0);
        sum += wy_contact_law_energy(&law, gap_now(net, k, target, law.range));
    }
    return sum;
}

double wy_touch_cut_knobs(const wy_network *net, double share) {
    const wy_touch_plan *plan = &net->touch->plan;
    const int targets = wy_touch_targets(plan);
    double unused;
    for (int i = 0; i < plan->knobs * targets; i++) {
        const int k = i / targets, target = i % targets;
        if (!wy_touch_knob_meets(net->touch, k, target)) continue;
        const double least =
            LEFT * wy_min(plan->range, wy_touch_knob_gap(net, k, target, 0, &unused));
        while (share > 1e-9 && !(wy_touch_knob_gap(net, k, target, share, &unused) > least))
            share *= 0.7;
    }
    return share;
}

/* ---- as it is drawn, and nothing passes through ------------------------------------------------------------------------ */

/* How deep a knob may go: by most of its size, but not to the middle of what it touches. */
static double deepest(const wy_touch_plan *plan, double left, int k, int target) {
    return (1 - left) *
           wy_min(plan->knob[k].size, 0.5 * wy_obstacle_extent(shape_of(plan, target)));
}

/* "obstacles[2]" or "bodies[2]" */
static const char *target_words(const wy_touch_plan *plan, int target, char *text, size_t size) {
    const int body = target - plan->walls;
    snprintf(text, size, "%s[%d]", body >= 0 ? "bodies" : "obstacles",
             body >= 0 ? plan->body[body].body + 1 : target + 1);
    return text;
}

static void tell_drawn(wy_network *net, int k, int target, double depth) {
    const wy_touch_plan *plan = &net->touch->plan;
    char text[40];
    wy_note(net->hub.setup->notes,
            "director: bodies[%d] is drawn %.3g m deep in %s, half its smallest side being %.3g m: "
            "the push of that overlap acts from the start; move one of them by so much",
            plan->knob[k].body + 1, depth, target_words(plan, target, text, sizeof text),
            plan->knob[k].size);
}

withy_status wy_touch_knobs_first(wy_network *net, withy_error *err) {
    const wy_touch_plan *plan = &net->touch->plan;
    const int targets = wy_touch_targets(plan);
    double most = 0;
    int first[2] = {-1, -1};
    for (int i = 0; i < plan->knobs * targets; i++) {
        const int k = i / targets, target = i % targets;
        char text[40];
        if (!wy_touch_knob_meets(net->touch, k, target)) continue;
        const double depth = -gap_now(net, k, target, 0);
        if (!(depth < deepest(plan, plan->law->left, k, target)))
            return wy_fail(err, WITHY_BAD_INPUT,
                           "director: bodies[%d] is drawn %.3g m deep in %s: move one of them",
                           plan->knob[k].body + 1, depth,
                           target_words(plan, target, text, sizeof text));
        if (depth > WY_TOUCH_DRAWN * plan->knob[k].size && depth > most)
            most = depth, first[0] = k, first[1] = target;
    }
    if (first[0] >= 0) tell_drawn(net, first[0], first[1], most);
    return WITHY_OK;
}

int wy_touch_pierced_knobs(const wy_network *net, int lost[2]) {
    const wy_touch *touch = net->touch;
    const wy_touch_plan *plan = &touch->plan;
    const int targets = wy_touch_targets(plan);
    for (int i = 0; i < plan->knobs * targets; i++) {
        const int k = i / targets, target = i % targets;
        if (!wy_touch_knob_meets(touch, k, target) || is_far(net, plan->knob[k].of, target))
            continue;
        pose at[2];
        find_both(net, k, target, move_of, at);
        const wy_bar minus = bar_before(&plan->knob[k], at), plus = bar_after(&plan->knob[k], at);
        lost[0] = plan->points + k, lost[1] = -1 - target;
        if (wy_bar_passes(shape_of(plan, target), &minus, &plus,
                          plan->knob[k].radius - deepest(plan, THROUGH, k, target)))
            return 1;
    }
    return 0;
}
