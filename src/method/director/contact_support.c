/* contact_support.c - what touches, and what it touches: supports and their targets.
 *
 * A support is a point of a rod or a knob of a body, a target a wall or a body with a shape.  Each is carried by a unit: the node
 * of a rod or a cluster, whose rows a force on it has; a wall is carried by nothing and moves as the scene says.  A knob is a copy
 * in its cluster as a welded node is, r_k = r + R o (director/cluster.c); one that slides acts at one place of its bar in a step
 * (src/contact/bar.c).
 */
#include "method/director/contacts.h"

/* ---- which there are ------------------------------------------------------------------------------------------------- */

int wy_touch_knob_meets(const wy_touch_plan *plan, int a, int target) {
    const wy_touch_support *knob = &plan->support[a];
    const int body = target - plan->walls;
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
static double part_of(const wy_touch_plan *plan, int a, int target) {
    const wy_obstacle_kind own = plan->body[plan->support[a].of].shape.kind;
    return own == WY_OBSTACLE_SPHERE && wy_touch_shape(plan, target)->kind == own ? 0.5 : 1;
}

double wy_touch_stiffness(const wy_touch *touch, int a, int target) {
    const wy_touch_plan *plan = &touch->plan;
    const int body = target - plan->walls;
    const double own = body < 0 ? plan->wall[target].stiffness : 0, size = wy_touch_size(plan, a);
    if (a < plan->points) return (own > 0 ? own : plan->point[a].hard) * plan->point[a].share;
    if (body < 0) return (own > 0 ? own : plan->soft) * size;
    return part_of(plan, a, target) * plan->soft * wy_min(size, plan->body[body].size);
}

double wy_touch_target_stick(const wy_touch *touch, int a, int target, int dynamic) {
    const wy_touch_plan *plan = &touch->plan;
    double m = plan->support[a].mass;
    if (a >= plan->points && target >= plan->walls) /* of the lighter, whichever is listed first */
        m = part_of(plan, a, target) *
            wy_min(m, plan->support[plan->points + plan->body[target - plan->walls].first].mass);
    return wy_touch_stick(touch, dynamic, m, wy_touch_stiffness(touch, a, target));
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

static int unit_of_body(const wy_touch_plan *plan, int target) {
    return plan->points + plan->body[target - plan->walls].cluster;
}

/* Of the coordinates of a unit; a rod that is tied to nothing has its own. */
static vec3 origin_of(const wy_network *net, int unit) {
    const wy_touch_plan *plan = &net->touch->plan;
    return unit < plan->points ? net->rod[plan->point[unit].rod].now->origin : net->hub.now->origin;
}

static vec3 place(const wy_network *net, int unit) {
    return v3_add(origin_of(net, unit), wy_touch_unit(net, unit)->r);
}

/* How far anything of a support is from the centre of its unit: of a knob, anything of its body. */
static double reach_of(const wy_touch_plan *plan, int a) {
    return a < plan->points ? wy_touch_size(plan, a) : plan->body[plan->support[a].of].reach;
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
    const int unit = plan->support[a].unit;
    const double reach = reach_of(plan, a);
    const vec3 r = wy_touch_unit(net, unit)->r, dr = wy_touch_unit_next(net, unit)->dr;
    if (!net->hub.step->dynamic) return 0;
    if (target < plan->walls)
        return wy_touch_far_wall(net->touch, place(net, unit), dr, reach, target);
    const int other = unit_of_body(plan, target);
    const vec3 way = v3_sub(dr, wy_touch_unit_next(net, other)->dr);
    const double far = v3_norm(v3_sub(r, wy_touch_unit(net, other)->r));
    return far - reach - plan->body[target - plan->walls].reach - plan->range > v3_norm(way);
}

static wy_carrier move_of(const wy_network *net, int unit) {
    const wy_director_node *node = wy_touch_unit(net, unit);
    const wy_director_next *next = wy_touch_unit_next(net, unit);
    wy_carrier out = {.minus = node->r, .plus = v3_add(node->r, next->dr), .dr = next->dr};
    out.theta = next->theta, out.from = tri_matrix(node->d), out.to = tri_matrix(next->d);
    return out;
}

/* For forces at rest with friction: since the last equilibrium. */
static wy_carrier pose_of(const wy_network *net, int unit) {
    wy_carrier out = move_of(net, unit);
    if (net->hub.step->dynamic || !net->touch->plan.rubs) return out;
    const wy_touch_way_gone *gone = &net->touch->gone[unit];
    out.minus = v3_sub(out.plus, gone->dr), out.dr = gone->dr, out.theta = gone->theta;
    out.from = tri_matrix(tri_cayley(v3_scale(-1, gone->theta), wy_touch_unit_next(net, unit)->d));
    return out;
}

/* In the coordinates of what touches it. */
static wy_carrier wall_pose(const wy_network *net, int wall, vec3 origin) {
    const vec3 *at = net->touch->at, *to = net->touch->to;
    const mat3 axes = m3_identity();
    return (wy_carrier){.minus = v3_sub(at[wall], origin),
                        .plus = v3_sub(to[wall], origin),
                        .dr = v3_sub(to[wall], at[wall]),
                        .from = axes,
                        .to = axes};
}

static void find_both(const wy_network *net, int a, int target,
                      wy_carrier (*find)(const wy_network *, int), wy_carrier at[2]) {
    const wy_touch_plan *plan = &net->touch->plan;
    at[0] = find(net, plan->support[a].unit);
    at[1] = target < plan->walls ? wall_pose(net, target, origin_of(net, plan->support[a].unit))
                                 : find(net, unit_of_body(plan, target));
}

void wy_touch_poses(const wy_network *net, int a, int target, wy_carrier at[2]) {
    find_both(net, a, target, pose_of, at);
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

wy_support_step wy_touch_over(const wy_network *net, int a, int target, const wy_carrier at[2]) {
    const wy_touch *touch = net->touch;
    const wy_touch_plan *plan = &touch->plan;
    const wy_support *support = &plan->support[a].is;
    const int wall = target < plan->walls, dynamic = net->hub.step->dynamic;
    wy_support_step out = {.step = {.per = dynamic ? net->hub.step->per : 0}};
    out.step.radius = support->radius;
    out.step.law = law_of(touch, dynamic, a, target);
    out.step.friction = wall ? plan->wall[target].friction : plan->friction;
    out.step.between = wall || a < plan->points ? 0 : 0.5;
    out.step.stick = wy_touch_target_stick(touch, a, target, dynamic);
    out.step.z = spring_of(touch, out.step.friction > 0, a, target);
    wy_support_place(support, wy_touch_shape(plan, target), at, &out);
    return out;
}

int wy_touch_beyond(const wy_network *net, int a, int target, const wy_carrier at[2]) {
    const wy_touch_plan *plan = &net->touch->plan;
    return a >= plan->points && net->hub.step->dynamic &&
           wy_support_clear(&plan->support[a].is, wy_touch_shape(plan, target), at, plan->range);
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

double wy_touch_target_gap(const wy_network *net, int a, int target, double share, double *grows) {
    static const double none[6] = {0};
    const wy_touch_plan *plan = &net->touch->plan;
    if (a < plan->points && target < plan->walls) return wall_gap(net, a, target, share, grows);
    const double *change[2] = {wy_touch_unit_next(net, plan->support[a].unit)->change, none};
    if (target >= plan->walls)
        change[1] = wy_touch_unit_next(net, unit_of_body(plan, target))->change;
    wy_carrier at[2];
    wy_touch_poses(net, a, target, at);
    return wy_support_gap(&plan->support[a].is, wy_touch_shape(plan, target), at, change, share,
                          grows);
}

double wy_touch_gap_now(const wy_network *net, int a, int target) {
    const wy_touch_plan *plan = &net->touch->plan;
    const wy_obstacle *shape = wy_touch_shape(plan, target);
    const int unit = plan->support[a].unit;
    vec3 unused;
    if (a < plan->points && target < plan->walls)
        return wy_obstacle_distance(shape, v3_sub(place(net, a), net->touch->at[target]), &unused) -
               plan->point[a].radius;
    if (target >= plan->walls) {
        const vec3 other = wy_touch_unit(net, unit_of_body(plan, target))->r;
        const double reach = reach_of(plan, a) + plan->body[target - plan->walls].reach;
        if (v3_norm(v3_sub(wy_touch_unit(net, unit)->r, other)) > reach + plan->range)
            return INFINITY;
    }
    wy_carrier at[2];
    find_both(net, a, target, move_of, at);
    return wy_support_gap_before(&plan->support[a].is, shape, at, plan->range);
}

/* ---- nothing passes through -------------------------------------------------------------------------------------------- */

/* How deep a support may go: by most of its size, and a knob not to the middle of what it touches. */
double wy_touch_deepest(const wy_touch_plan *plan, double left, int a, int target) {
    const double size = wy_touch_size(plan, a);
    if (a < plan->points) return (1 - left) * size;
    return (1 - left) * wy_min(size, 0.5 * wy_obstacle_extent(wy_touch_shape(plan, target)));
}

vec3 wy_touch_seen(const wy_network *net, int a, int target, int plus) {
    const wy_touch *touch = net->touch;
    const wy_touch_support *support = &touch->plan.support[a];
    const wy_director_node *own = wy_touch_unit(net, support->unit);
    const wy_director_next *goes = wy_touch_unit_next(net, support->unit);
    vec3 r = plus ? v3_add(own->r, goes->dr) : own->r;
    if (support->of >= 0)
        r = v3_add(r, m3_mul(tri_matrix(plus ? goes->d : own->d), support->is.at));
    if (target < touch->plan.walls)
        return v3_sub(v3_add(r, origin_of(net, support->unit)),
                      plus ? touch->to[target] : touch->at[target]);
    const int unit = unit_of_body(&touch->plan, target);
    const wy_director_node *hub = wy_touch_unit(net, unit);
    const wy_director_next *next = wy_touch_unit_next(net, unit);
    return plus ? m3_tmul(tri_matrix(next->d), v3_sub(r, v3_add(hub->r, next->dr)))
                : m3_tmul(tri_matrix(hub->d), v3_sub(r, hub->r));
}

int wy_touch_pierces(const wy_network *net, int a, int target) {
    const wy_touch_plan *plan = &net->touch->plan;
    const wy_obstacle *shape = wy_touch_shape(plan, target);
    const wy_support *support = &plan->support[a].is;
    wy_carrier at[2];
    if (wy_obstacle_thick(shape) || wy_touch_far(net, a, target)) return 0;
    find_both(net, a, target, move_of, at);
    const wy_bar minus = wy_support_bar(support, at, 0), plus = wy_support_bar(support, at, 1);
    return wy_bar_passes(shape, &minus, &plus,
                         support->radius - wy_touch_deepest(plan, WY_TOUCH_THROUGH, a, target));
}
