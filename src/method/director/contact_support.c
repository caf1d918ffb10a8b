/* contact_support.c - what touches, and what it touches: supports and their targets.
 *
 * A support is a point of a rod or a knob of a body, a target a wall or a body with a shape.  Each is carried by a unit: the node
 * of a rod or a cluster, whose rows a force on it has; a wall is carried by nothing and moves as the scene says.  A knob is a copy
 * in its cluster as a welded node is, r_k = r + R o (director/cluster.c); one that slides acts at one place of its bar in a step
 * (src/contact/bar.c).
 */
#include "method/director/contacts.h"

static const double ROUNDED = 1e-3; /* of the size: of bars that lie flat (bar.c) */

/* ---- which there are ------------------------------------------------------------------------------------------------- */

int wy_touch_meets(const wy_touch *touch, int a, int target) {
    const wy_touch_plan *plan = &touch->plan;
    const int body = target - plan->walls;
    if (a < plan->points) return body < 0 || (plan->grips && !plan->never[a * plan->bodies + body]);
    const wy_touch_knob *knob = &plan->knob[a - plan->points];
    if (body >= 0)
        return plan->clashes && knob->kind != WY_KNOB_FACE &&
               plan->meets[knob->of * plan->bodies + body];
    const wy_obstacle *shape = &plan->wall[target].shape;
    if (knob->kind == WY_KNOB_CORNER) return 1;
    return !wy_obstacle_thick(shape) && (knob->kind == WY_KNOB_FACE || wy_obstacle_convex(shape));
}

wy_touch_slot wy_touch_slots(const wy_touch *touch) {
    return (wy_touch_slot){0, -1 - wy_touch_targets(&touch->plan), -1};
}

int wy_touch_next(const wy_touch *touch, wy_touch_slot *at) {
    const wy_touch_plan *plan = &touch->plan;
    const int first = -1 - wy_touch_targets(plan);
    for (; at->a < plan->points + plan->knobs; at->a++, at->b = first, at->near = -1) {
        while (at->near < 0 && ++at->b < 0)
            if (wy_touch_meets(touch, at->a, -1 - at->b)) return 1;
        if (!plan->pairs || at->a >= plan->points) continue;
        at->near = at->near < 0 ? touch->begin[at->a] : at->near + 1;
        if (at->near == touch->begin[at->a + 1]) continue;
        at->b = touch->near[at->near].b;
        return 1;
    }
    return 0;
}

/* ---- what they are made of ------------------------------------------------------------------------------------------- */

/* Two balls touch each other with the knobs of both, so that their order in the scene is nothing: each has half. */
static double part_of(const wy_touch_plan *plan, int k, int target) {
    const wy_obstacle_kind own = plan->body[plan->knob[k].of].shape.kind;
    return own == WY_OBSTACLE_SPHERE && wy_touch_shape(plan, target)->kind == own ? 0.5 : 1;
}

double wy_touch_stiffness(const wy_touch *touch, int a, int target) {
    const wy_touch_plan *plan = &touch->plan;
    const int k = a - plan->points, body = target - plan->walls;
    const double own = body < 0 ? plan->wall[target].stiffness : 0;
    if (k < 0) return (own > 0 ? own : plan->point[a].hard) * plan->point[a].share;
    if (body < 0) return (own > 0 ? own : plan->soft) * plan->knob[k].size;
    return part_of(plan, k, target) * plan->soft *
           wy_min(plan->knob[k].size, plan->body[body].size);
}

/* Of the lighter of two bodies, whichever is listed first. */
static double mass_of(const wy_touch_plan *plan, int a, int target) {
    const int k = a - plan->points, body = target - plan->walls;
    if (k < 0) return plan->point[a].mass;
    if (body < 0) return plan->knob[k].mass;
    return part_of(plan, k, target) *
           wy_min(plan->knob[k].mass, plan->knob[plan->body[body].first].mass);
}

double wy_touch_target_stick(const wy_touch *touch, int a, int target, int dynamic) {
    return wy_touch_stick(touch, dynamic, mass_of(&touch->plan, a, target),
                          wy_touch_stiffness(touch, a, target));
}

static double damping_of(const wy_touch_plan *plan, int target) {
    return target < plan->walls ? plan->wall[target].damping : plan->damping;
}

static wy_contact_law law_of(const wy_touch *touch, int dynamic, int a, int target) {
    return wy_touch_law(touch, dynamic, a, -1 - target, wy_touch_stiffness(touch, a, target),
                        damping_of(&touch->plan, target));
}

/* Stretch of the spring at the start of the step. */
static vec3 spring_of(const wy_touch *touch, int rubs, int a, int target) {
    const wy_touch_mark *mark = rubs ? wy_touch_find(touch, a, -1 - target) : NULL;
    return mark ? mark->z : v3(0, 0, 0);
}

/* ---- where they are -------------------------------------------------------------------------------------------------- */

static int unit_of(const wy_touch_plan *plan, int a) {
    return a < plan->points ? a : plan->points + plan->knob[a - plan->points].cluster;
}

static int unit_of_body(const wy_touch_plan *plan, int target) {
    return plan->points + plan->body[target - plan->walls].cluster;
}

static const wy_director_node *node_of(const wy_network *net, int unit) {
    const wy_touch_plan *plan = &net->touch->plan;
    if (unit >= plan->points) return &net->hub.node[unit - plan->points];
    return &net->rod[plan->point[unit].rod].node[plan->point[unit].node];
}

const wy_director_next *wy_touch_unit_next(const wy_network *net, int unit) {
    const wy_touch_plan *plan = &net->touch->plan;
    if (unit >= plan->points) return &net->hub.next[unit - plan->points];
    return &net->rod[plan->point[unit].rod].next[plan->point[unit].node];
}

/* Of a unit, in the laboratory. */
static vec3 place(const wy_network *net, int unit) {
    return v3_add(net->hub.now->origin, node_of(net, unit)->r);
}

/* How far anything of a support is from the centre of its unit: of a knob, anything of its body. */
static double reach_of(const wy_touch_plan *plan, int a) {
    return a < plan->points ? plan->point[a].radius
                            : plan->body[plan->knob[a - plan->points].of].reach;
}

/* A distance changes by no more than the way; what a function of the scene says may change by more, and is looked up at both ends
 * of the step. */
int wy_touch_far_wall(const wy_touch *touch, vec3 r, vec3 dr, double reach, int wall) {
    const wy_obstacle *shape = &touch->plan.wall[wall].shape;
    if (shape->kind == WY_OBSTACLE_DISTANCE) return 0;
    const vec3 way = v3_sub(dr, v3_sub(touch->to[wall], touch->at[wall]));
    return wy_obstacle_beyond(shape, v3_sub(r, touch->at[wall]),
                              reach + touch->plan.range + v3_norm(way));
}

int wy_touch_far(const wy_network *net, int a, int target) {
    const wy_touch_plan *plan = &net->touch->plan;
    const int unit = unit_of(plan, a);
    const double reach = reach_of(plan, a);
    const vec3 r = node_of(net, unit)->r, dr = wy_touch_unit_next(net, unit)->dr;
    if (!net->hub.step->dynamic) return 0;
    if (target < plan->walls)
        return wy_touch_far_wall(net->touch, v3_add(net->hub.now->origin, r), dr, reach, target);
    const int other = unit_of_body(plan, target);
    const vec3 way = v3_sub(dr, wy_touch_unit_next(net, other)->dr);
    const double far = v3_norm(v3_sub(r, node_of(net, other)->r));
    return far - reach - plan->body[target - plan->walls].reach - plan->range > v3_norm(way);
}

static wy_touch_pose move_of(const wy_network *net, int unit) {
    const wy_director_node *node = node_of(net, unit);
    const wy_director_next *next = wy_touch_unit_next(net, unit);
    wy_touch_pose out = {.minus = node->r, .plus = v3_add(node->r, next->dr), .dr = next->dr};
    out.theta = next->theta, out.from = tri_matrix(node->d), out.to = tri_matrix(next->d);
    return out;
}

/* For forces at rest with friction: since the last equilibrium. */
static wy_touch_pose pose_of(const wy_network *net, int unit) {
    wy_touch_pose out = move_of(net, unit);
    if (net->hub.step->dynamic || !net->touch->plan.rubs) return out;
    const wy_touch_way_gone *gone = &net->touch->gone[unit];
    out.minus = v3_sub(out.plus, gone->dr), out.dr = gone->dr, out.theta = gone->theta;
    out.from = tri_matrix(tri_cayley(v3_scale(-1, gone->theta), wy_touch_unit_next(net, unit)->d));
    return out;
}

static wy_touch_pose wall_pose(const wy_network *net, int wall) {
    const vec3 *at = net->touch->at, *to = net->touch->to, origin = net->hub.now->origin;
    const mat3 axes = m3_identity();
    return (wy_touch_pose){.minus = v3_sub(at[wall], origin),
                           .plus = v3_sub(to[wall], origin),
                           .dr = v3_sub(to[wall], at[wall]),
                           .from = axes,
                           .to = axes};
}

static void find_both(const wy_network *net, int a, int target,
                      wy_touch_pose (*find)(const wy_network *, int), wy_touch_pose at[2]) {
    const wy_touch_plan *plan = &net->touch->plan;
    at[0] = find(net, unit_of(plan, a));
    at[1] = target < plan->walls ? wall_pose(net, target) : find(net, unit_of_body(plan, target));
}

void wy_touch_poses(const wy_network *net, int a, int target, wy_touch_pose at[2]) {
    find_both(net, a, target, pose_of, at);
}

/* A support in the axes of its unit; a point is in its centre. */
static wy_touch_knob knob_of(const wy_touch_plan *plan, int a) {
    if (a >= plan->points) return plan->knob[a - plan->points];
    const double r = plan->point[a].radius;
    return (wy_touch_knob){.radius = r, .size = r};
}

/* It in the axes of its target. */
static wy_bar bar_at(const wy_touch_knob *knob, vec3 r, mat3 axes, vec3 centre, mat3 other) {
    const vec3 y = v3_add(v3_sub(r, centre), m3_mul(axes, knob->at));
    return (wy_bar){m3_tmul(other, y), m3_tmul(other, m3_mul(axes, knob->along))};
}

static wy_bar bar_before(const wy_touch_knob *knob, const wy_touch_pose at[2]) {
    return bar_at(knob, at[0].minus, at[0].from, at[1].minus, at[1].from);
}
static wy_bar bar_after(const wy_touch_knob *knob, const wy_touch_pose at[2]) {
    return bar_at(knob, at[0].plus, at[0].to, at[1].plus, at[1].to);
}

/* ---- over a step: a point and a wall ----------------------------------------------------------------------------------- */

/* At rest the step is the way since the last equilibrium. */
wy_obstacle_step wy_touch_wall_step(const wy_director *x, int a, int wall) {
    const wy_touch *touch = x->touch;
    const wy_touch_wall *w = &touch->plan.wall[wall];
    const wy_touch_point *point = &touch->plan.point[a];
    const wy_director_node *node = &x->node[point->node];
    const wy_director_next *next = &x->next[point->node];
    const int dynamic = x->step->dynamic;
    wy_obstacle_step step = {.radius = point->radius, .per = dynamic ? x->step->per : 0};
    step.minus = v3_sub(v3_add(x->now->origin, node->r), touch->at[wall]);
    step.shift = v3_sub(touch->to[wall], touch->at[wall]);
    step.plus = v3_add(step.minus, v3_sub(next->dr, step.shift));
    step.theta = next->theta;
    step.law = law_of(touch, dynamic, a, wall);
    step.friction = w->friction, step.forward = w->forward, step.back = w->back;
    step.stick = wy_touch_stick(touch, dynamic, point->mass, step.law.stiffness);
    step.directed = w->directed;
    if (step.directed) step.along = tri_matrix(node->d).c3;
    step.z = spring_of(touch, w->rubs, a, wall);
    if (dynamic || !touch->plan.rubs) return step;
    step.minus = v3_sub(step.minus, touch->gone[a].dr);
    step.theta = touch->gone[a].theta;
    return step;
}

/* ---- over a step: anything else ---------------------------------------------------------------------------------------- */

static int slides(const wy_touch_knob *knob) {
    return v3_dot(knob->along, knob->along) > 0;
}

/* The place of a knob that acts; bias: what its gap is more than that of the place. */
static double place_of(const wy_touch_knob *knob, const wy_obstacle *shape,
                       const wy_touch_pose at[2], int dynamic, wy_touch_over *c) {
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
    const double acts = wy_bar_between(shape, &minus, &plus, s, least - c->least);
    vec3 unused;
    bias[0] = c->least - wy_obstacle_distance(shape, wy_bar_point(&minus, acts), &unused);
    bias[1] = least - wy_obstacle_distance(shape, wy_bar_point(&plus, acts), &unused);
    return acts;
}

void wy_touch_over_place(const wy_network *net, int a, int target, const wy_touch_pose at[2],
                         wy_touch_over *out) {
    const wy_touch_plan *plan = &net->touch->plan;
    const wy_touch_knob knob = knob_of(plan, a);
    const int dynamic = net->hub.step->dynamic;
    wy_body_step *step = &out->step;
    const double s = place_of(&knob, wy_touch_shape(plan, target), at, dynamic, out);
    const vec3 p = v3_axpy(knob.at, s, knob.along);
    const vec3 from = m3_mul(at[0].from, p), to = m3_mul(at[0].to, p);
    step->y_minus = v3_add(v3_sub(at[0].minus, at[1].minus), from);
    step->dy = v3_add(v3_sub(at[0].dr, at[1].dr), v3_sub(to, from));
    step->y_plus = v3_add(step->y_minus, step->dy);
    step->minus = at[1].from, step->plus = at[1].to;
    step->theta[0] = at[0].theta, step->theta[1] = at[1].theta;
    out->arm = dynamic ? v3_scale(0.5, v3_add(from, to)) : to;
}

wy_touch_over wy_touch_over_of(const wy_network *net, int a, int target,
                               const wy_touch_pose at[2]) {
    const wy_touch *touch = net->touch;
    const wy_touch_plan *plan = &touch->plan;
    const int wall = target < plan->walls, dynamic = net->hub.step->dynamic;
    wy_touch_over out = {.step = {.per = dynamic ? net->hub.step->per : 0}};
    out.step.radius = wy_touch_radius(plan, a);
    out.step.law = law_of(touch, dynamic, a, target);
    out.step.friction = wall ? plan->wall[target].friction : plan->friction;
    out.step.between = wall || a < plan->points ? 0 : 0.5;
    out.step.stick = wy_touch_target_stick(touch, a, target, dynamic);
    out.step.z = spring_of(touch, out.step.friction > 0, a, target);
    wy_touch_over_place(net, a, target, at, &out);
    return out;
}

int wy_touch_beyond(const wy_network *net, int a, int target, const wy_touch_pose at[2]) {
    const wy_touch_plan *plan = &net->touch->plan;
    if (a < plan->points || !net->hub.step->dynamic) return 0;
    const wy_touch_knob *knob = &plan->knob[a - plan->points];
    const wy_obstacle *shape = wy_touch_shape(plan, target);
    const double most = knob->radius + plan->range;
    const wy_bar minus = bar_before(knob, at), plus = bar_after(knob, at);
    return wy_bar_clear(shape, &minus, most) && wy_bar_clear(shape, &plus, most);
}

/* ---- gaps -------------------------------------------------------------------------------------------------------------- */

static double wall_gap(const wy_network *net, int a, int wall, double share, double *grows) {
    const wy_touch *touch = net->touch;
    const wy_director_next *next = wy_touch_unit_next(net, a);
    const vec3 change = v3_from(next->change), dr = v3_axpy(next->dr, share, change);
    vec3 gradient;
    const double d =
        wy_obstacle_distance(&touch->plan.wall[wall].shape,
                             v3_sub(v3_add(place(net, a), dr), touch->to[wall]), &gradient);
    *grows = v3_dot(gradient, change);
    return d - touch->plan.point[a].radius;
}

static void go_on(wy_touch_pose *at, double share, const double change[6]) {
    vec3 unused = v3(0, 0, 0);
    at->plus = v3_axpy(at->plus, share, v3_from(change));
    wy_body_turn(v3_scale(share, v3_from(change + 3)), &unused, &at->to);
}

double wy_touch_target_gap(const wy_network *net, int a, int target, double share, double *grows) {
    static const double none[6] = {0};
    const wy_touch_plan *plan = &net->touch->plan;
    if (a < plan->points && target < plan->walls) return wall_gap(net, a, target, share, grows);
    const wy_touch_knob knob = knob_of(plan, a);
    const wy_obstacle *shape = wy_touch_shape(plan, target);
    const double *change[2] = {wy_touch_unit_next(net, unit_of(plan, a))->change, none};
    if (target >= plan->walls)
        change[1] = wy_touch_unit_next(net, unit_of_body(plan, target))->change;
    wy_touch_pose at[2];
    wy_touch_poses(net, a, target, at);
    for (int i = 0; i < 2; i++) go_on(&at[i], share, change[i]);
    const wy_bar bar = bar_after(&knob, at);
    double least;
    const double s = wy_bar_nearest(shape, &bar, ROUNDED * knob.size, &least);
    vec3 gradient;
    wy_obstacle_distance(shape, wy_bar_point(&bar, s), &gradient);
    const vec3 p = m3_mul(at[0].to, v3_axpy(knob.at, s, knob.along));
    const vec3 y = m3_mul(at[1].to, wy_bar_point(&bar, s));
    vec3 moves = v3_add(v3_from(change[0]), v3_cross(v3_from(change[0] + 3), p));
    moves = v3_sub(moves, v3_add(v3_from(change[1]), v3_cross(v3_from(change[1] + 3), y)));
    *grows = v3_dot(m3_mul(at[1].to, gradient), moves);
    return least - knob.radius;
}

double wy_touch_gap_now(const wy_network *net, int a, int target) {
    const wy_touch_plan *plan = &net->touch->plan;
    const wy_obstacle *shape = wy_touch_shape(plan, target);
    vec3 unused;
    if (a < plan->points && target < plan->walls)
        return wy_obstacle_distance(shape, v3_sub(place(net, a), net->touch->at[target]), &unused) -
               plan->point[a].radius;
    if (target >= plan->walls) {
        const vec3 y =
            v3_sub(node_of(net, unit_of(plan, a))->r, node_of(net, unit_of_body(plan, target))->r);
        const double reach = reach_of(plan, a) + plan->body[target - plan->walls].reach;
        if (v3_norm(y) > reach + plan->range) return INFINITY;
    }
    const wy_touch_knob knob = knob_of(plan, a);
    wy_touch_pose at[2];
    find_both(net, a, target, move_of, at);
    const wy_bar bar = bar_before(&knob, at);
    double least;
    if (wy_bar_clear(shape, &bar, knob.radius + plan->range)) return INFINITY;
    wy_bar_nearest(shape, &bar, ROUNDED * knob.size, &least);
    return least - knob.radius;
}

/* ---- nothing passes through -------------------------------------------------------------------------------------------- */

/* How deep a support may go: by most of its size, and a knob not to the middle of what it touches. */
double wy_touch_deepest(const wy_touch_plan *plan, double left, int a, int target) {
    const double size = wy_touch_size(plan, a);
    if (a < plan->points) return (1 - left) * size;
    return (1 - left) * wy_min(size, 0.5 * wy_obstacle_extent(wy_touch_shape(plan, target)));
}

void wy_touch_bars(const wy_network *net, int a, int target, wy_bar *minus, wy_bar *plus) {
    const wy_touch_knob knob = knob_of(&net->touch->plan, a);
    wy_touch_pose at[2];
    find_both(net, a, target, move_of, at);
    *minus = bar_before(&knob, at), *plus = bar_after(&knob, at);
}

int wy_touch_pierces(const wy_network *net, int a, int target) {
    const wy_touch_plan *plan = &net->touch->plan;
    const wy_obstacle *shape = wy_touch_shape(plan, target);
    wy_bar minus, plus;
    if (wy_obstacle_thick(shape) || wy_touch_far(net, a, target)) return 0;
    wy_touch_bars(net, a, target, &minus, &plus);
    return wy_bar_passes(shape, &minus, &plus,
                         wy_touch_radius(plan, a) -
                             wy_touch_deepest(plan, WY_TOUCH_THROUGH, a, target));
}
