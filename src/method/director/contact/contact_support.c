/* contact_support.c - what touches, and what it touches: supports and their targets.
 *
 * A support is a point of a rod or a body point of a body, a target an obstacle or a body with a shape.  Each is carried by a unit: the node
 * of a rod or a rigid group, whose rows a force on it has; an obstacle is carried by nothing and moves as the scene says.  A body point is a copy
 * in its rigid group as a welded node is, r_k = r + R o (director/network/rigid_group.c); one that slides acts at one place of its bar in a step
 * (src/contact/line_segment.c).
 */
#include "method/director/contact/contacts.h"

/* ---- which there are ------------------------------------------------------------------------------------------------- */

int wy_contacts_body_point_meets(const wy_contacts_plan *plan, int a, int target) {
    const wy_contacts_support *body_point = &plan->support[a];
    const int body = target - plan->obstacles;
    if (body >= 0)
        return plan->bodies_touch && body_point->kind != WY_BODY_POINT_FACE &&
               plan->meets[body_point->of * plan->bodies + body];
    const wy_obstacle *shape = &plan->obstacle[target].shape;
    if (body_point->kind == WY_BODY_POINT_CORNER) return 1;
    return !wy_obstacle_thick(shape) &&
           (body_point->kind == WY_BODY_POINT_FACE || wy_obstacle_convex(shape));
}

wy_contacts_slot wy_contacts_slots(const wy_contacts *contacts) {
    return (wy_contacts_slot){0, -1 - wy_contacts_targets(&contacts->plan), -1};
}

int wy_contacts_next(const wy_contacts *contacts, wy_contacts_slot *at) {
    const wy_contacts_plan *plan = &contacts->plan;
    const int first = -1 - wy_contacts_targets(plan);
    for (; at->a < plan->points + plan->body_points; at->a++, at->b = first, at->near = -1) {
        while (at->near < 0 && ++at->b < 0)
            if (wy_contacts_meets(contacts, at->a, -1 - at->b)) return 1;
        if (!plan->pairs || at->a >= plan->points) continue;
        at->near = at->near < 0 ? contacts->begin[at->a] : at->near + 1;
        if (at->near == contacts->begin[at->a + 1]) continue;
        at->b = contacts->near[at->near].b;
        return 1;
    }
    return 0;
}

/* ---- what they are made of ------------------------------------------------------------------------------------------- */

/* Two balls touch each other with the body points of both, so that their order in the scene does not matter: each has half. */
static double part_of(const wy_contacts_plan *plan, int a, int target) {
    const wy_obstacle_kind own = plan->body[plan->support[a].of].shape.kind;
    return own == WY_OBSTACLE_SPHERE && wy_contacts_shape(plan, target)->kind == own ? 0.5 : 1;
}

double wy_contacts_stiffness(const wy_contacts *contacts, int a, int target) {
    const wy_contacts_plan *plan = &contacts->plan;
    const int body = target - plan->obstacles;
    const double own = body < 0 ? plan->obstacle[target].stiffness : 0,
                 size = wy_contacts_size(plan, a);
    if (a < plan->points) return (own > 0 ? own : plan->point[a].hard) * plan->point[a].share;
    if (body < 0) return (own > 0 ? own : plan->soft) * size;
    return part_of(plan, a, target) * plan->soft * wy_min(size, plan->body[body].size);
}

double wy_contacts_target_stick(const wy_contacts *contacts, int a, int target, int dynamic) {
    const wy_contacts_plan *plan = &contacts->plan;
    double m = plan->support[a].mass;
    if (a >= plan->points &&
        target >= plan->obstacles) /* of the lighter, whichever is listed first */
        m = part_of(plan, a, target) *
            wy_min(m,
                   plan->support[plan->points + plan->body[target - plan->obstacles].first].mass);
    return wy_contacts_stick(contacts, dynamic, m, wy_contacts_stiffness(contacts, a, target));
}

static double damping_of(const wy_contacts_plan *plan, int target) {
    return target < plan->obstacles ? plan->obstacle[target].damping : plan->damping;
}

static wy_contact_law law_of(const wy_contacts *contacts, int dynamic, int a, int target) {
    return wy_contacts_law(contacts, dynamic, a, -1 - target,
                           wy_contacts_stiffness(contacts, a, target),
                           damping_of(&contacts->plan, target));
}

/* Stretch of the spring at the start of the step. */
static vec3 spring_of(const wy_contacts *contacts, int has_friction, int a, int target) {
    const wy_contacts_record *record =
        has_friction ? wy_contacts_find(contacts, a, -1 - target) : NULL;
    return record ? record->z : v3(0, 0, 0);
}

/* ---- where they are -------------------------------------------------------------------------------------------------- */

static int unit_of_body(const wy_contacts_plan *plan, int target) {
    return plan->points + plan->body[target - plan->obstacles].rigid_group;
}

/* Of the coordinates of a unit; a rod that is tied to nothing has its own. */
static vec3 origin_of(const wy_network *net, int unit) {
    const wy_contacts_plan *plan = &net->contacts->plan;
    return unit < plan->points ? net->rod[plan->point[unit].rod].now->origin
                               : net->rigid.now->origin;
}

static vec3 place(const wy_network *net, int unit) {
    return v3_add(origin_of(net, unit), wy_contacts_unit(net, unit)->r);
}

/* How far anything of a support is from the centre of its unit: of a body point, anything of its body. */
static double reach_of(const wy_contacts_plan *plan, int a) {
    return a < plan->points ? wy_contacts_size(plan, a) : plan->body[plan->support[a].of].reach;
}

/* A distance changes by no more than the way; what a function of the scene says may change by more, and is looked up at both ends
 * of the step. */
int wy_contacts_far_obstacle(const wy_contacts *contacts, vec3 r, vec3 dr, double reach,
                             int obstacle) {
    const wy_obstacle *shape = &contacts->plan.obstacle[obstacle].shape;
    if (shape->kind == WY_OBSTACLE_DISTANCE) return 0;
    const vec3 way = v3_sub(dr, v3_sub(contacts->to[obstacle], contacts->at[obstacle]));
    return wy_obstacle_beyond(shape, v3_sub(r, contacts->at[obstacle]),
                              reach + contacts->plan.range + v3_norm(way));
}

int wy_contacts_far(const wy_network *net, int a, int target) {
    const wy_contacts_plan *plan = &net->contacts->plan;
    const int unit = plan->support[a].unit;
    const double reach = reach_of(plan, a);
    const vec3 r = wy_contacts_unit(net, unit)->r, dr = wy_contacts_unit_next(net, unit)->dr;
    if (!net->rigid.step->dynamic) return 0;
    if (target < plan->obstacles)
        return wy_contacts_far_obstacle(net->contacts, place(net, unit), dr, reach, target);
    const int other = unit_of_body(plan, target);
    const vec3 way = v3_sub(dr, wy_contacts_unit_next(net, other)->dr);
    const double far = v3_norm(v3_sub(r, wy_contacts_unit(net, other)->r));
    return far - reach - plan->body[target - plan->obstacles].reach - plan->range > v3_norm(way);
}

static wy_carrier move_of(const wy_network *net, int unit) {
    const wy_director_node *node = wy_contacts_unit(net, unit);
    const wy_director_next *next = wy_contacts_unit_next(net, unit);
    wy_carrier out = {.minus = node->r, .plus = v3_add(node->r, next->dr), .dr = next->dr};
    out.theta = next->theta, out.from = tri_matrix(node->d), out.to = tri_matrix(next->d);
    return out;
}

/* For forces at rest with friction: since the last equilibrium. */
static wy_carrier pose_of(const wy_network *net, int unit) {
    wy_carrier out = move_of(net, unit);
    if (net->rigid.step->dynamic || !net->contacts->plan.has_friction) return out;
    const wy_contacts_slip *slip = &net->contacts->slip[unit];
    out.minus = v3_sub(out.plus, slip->dr), out.dr = slip->dr, out.theta = slip->theta;
    out.from =
        tri_matrix(tri_cayley(v3_scale(-1, slip->theta), wy_contacts_unit_next(net, unit)->d));
    return out;
}

/* In the coordinates of what touches it. */
static wy_carrier obstacle_pose(const wy_network *net, int obstacle, vec3 origin) {
    const vec3 *at = net->contacts->at, *to = net->contacts->to;
    const mat3 axes = m3_identity();
    return (wy_carrier){.minus = v3_sub(at[obstacle], origin),
                        .plus = v3_sub(to[obstacle], origin),
                        .dr = v3_sub(to[obstacle], at[obstacle]),
                        .from = axes,
                        .to = axes};
}

static void find_both(const wy_network *net, int a, int target,
                      wy_carrier (*find)(const wy_network *, int), wy_carrier at[2]) {
    const wy_contacts_plan *plan = &net->contacts->plan;
    at[0] = find(net, plan->support[a].unit);
    at[1] = target < plan->obstacles
                ? obstacle_pose(net, target, origin_of(net, plan->support[a].unit))
                : find(net, unit_of_body(plan, target));
}

void wy_contacts_poses(const wy_network *net, int a, int target, wy_carrier at[2]) {
    find_both(net, a, target, pose_of, at);
}

/* At rest the step is the way since the last equilibrium. */
wy_obstacle_step wy_contacts_obstacle_step(const wy_director *x, int a, int obstacle) {
    const wy_contacts *contacts = x->contacts;
    const wy_contacts_obstacle *w = &contacts->plan.obstacle[obstacle];
    const wy_contacts_point *point = &contacts->plan.point[a];
    const wy_director_node *node = &x->node[point->node];
    const wy_director_next *next = &x->next[point->node];
    const int dynamic = x->step->dynamic;
    wy_obstacle_step step = {.radius = point->radius, .per = dynamic ? x->step->per : 0};
    step.minus = v3_sub(v3_add(x->now->origin, node->r), contacts->at[obstacle]);
    step.shift = v3_sub(contacts->to[obstacle], contacts->at[obstacle]);
    step.plus = v3_add(step.minus, v3_sub(next->dr, step.shift));
    step.theta = next->theta;
    step.law = law_of(contacts, dynamic, a, obstacle);
    step.friction = w->friction, step.forward = w->forward, step.back = w->back;
    step.stick = wy_contacts_stick(contacts, dynamic, point->mass, step.law.stiffness);
    step.directed = w->directed;
    if (step.directed) step.along = tri_matrix(node->d).c3;
    step.z = spring_of(contacts, w->has_friction, a, obstacle);
    if (dynamic || !contacts->plan.has_friction) return step;
    step.minus = v3_sub(step.minus, contacts->slip[a].dr);
    step.theta = contacts->slip[a].theta;
    return step;
}

/* ---- over a step: anything else ---------------------------------------------------------------------------------------- */

wy_support_step wy_contacts_over(const wy_network *net, int a, int target, const wy_carrier at[2]) {
    const wy_contacts *contacts = net->contacts;
    const wy_contacts_plan *plan = &contacts->plan;
    const wy_support *support = &plan->support[a].is;
    const int obstacle = target < plan->obstacles, dynamic = net->rigid.step->dynamic;
    wy_support_step out = {.step = {.per = dynamic ? net->rigid.step->per : 0}};
    out.step.radius = support->radius;
    out.step.law = law_of(contacts, dynamic, a, target);
    out.step.friction = obstacle ? plan->obstacle[target].friction : plan->friction;
    out.step.between = obstacle || a < plan->points ? 0 : 0.5;
    out.step.stick = wy_contacts_target_stick(contacts, a, target, dynamic);
    out.step.z = spring_of(contacts, out.step.friction > 0, a, target);
    wy_support_place(support, wy_contacts_shape(plan, target), at, &out);
    return out;
}

int wy_contacts_beyond(const wy_network *net, int a, int target, const wy_carrier at[2]) {
    const wy_contacts_plan *plan = &net->contacts->plan;
    return a >= plan->points && net->rigid.step->dynamic &&
           wy_support_clear(&plan->support[a].is, wy_contacts_shape(plan, target), at, plan->range);
}

/* ---- gaps -------------------------------------------------------------------------------------------------------------- */

static double obstacle_gap(const wy_network *net, int a, int obstacle, double share,
                           double *grows) {
    const wy_contacts *contacts = net->contacts;
    const wy_director_next *next = wy_contacts_unit_next(net, a);
    const vec3 change = v3_from(next->change), dr = v3_axpy(next->dr, share, change);
    vec3 gradient;
    const double d =
        wy_obstacle_distance(&contacts->plan.obstacle[obstacle].shape,
                             v3_sub(v3_add(place(net, a), dr), contacts->to[obstacle]), &gradient);
    *grows = v3_dot(gradient, change);
    return d - contacts->plan.point[a].radius;
}

double wy_contacts_target_gap(const wy_network *net, int a, int target, double share,
                              double *grows) {
    static const double none[6] = {0};
    const wy_contacts_plan *plan = &net->contacts->plan;
    if (a < plan->points && target < plan->obstacles)
        return obstacle_gap(net, a, target, share, grows);
    const double *change[2] = {wy_contacts_unit_next(net, plan->support[a].unit)->change, none};
    if (target >= plan->obstacles)
        change[1] = wy_contacts_unit_next(net, unit_of_body(plan, target))->change;
    wy_carrier at[2];
    wy_contacts_poses(net, a, target, at);
    return wy_support_gap(&plan->support[a].is, wy_contacts_shape(plan, target), at, change, share,
                          grows);
}

double wy_contacts_gap_now(const wy_network *net, int a, int target) {
    const wy_contacts_plan *plan = &net->contacts->plan;
    const wy_obstacle *shape = wy_contacts_shape(plan, target);
    const int unit = plan->support[a].unit;
    vec3 unused;
    if (a < plan->points && target < plan->obstacles)
        return wy_obstacle_distance(shape, v3_sub(place(net, a), net->contacts->at[target]),
                                    &unused) -
               plan->point[a].radius;
    if (target >= plan->obstacles) {
        const vec3 other = wy_contacts_unit(net, unit_of_body(plan, target))->r;
        const double reach = reach_of(plan, a) + plan->body[target - plan->obstacles].reach;
        if (v3_norm(v3_sub(wy_contacts_unit(net, unit)->r, other)) > reach + plan->range)
            return INFINITY;
    }
    wy_carrier at[2];
    find_both(net, a, target, move_of, at);
    return wy_support_gap_before(&plan->support[a].is, shape, at, plan->range);
}

/* ---- nothing passes through -------------------------------------------------------------------------------------------- */

/* How deep a support may go: by most of its size, and a body point not to the middle of what it touches. */
double wy_contacts_deepest(const wy_contacts_plan *plan, double left, int a, int target) {
    const double size = wy_contacts_size(plan, a);
    if (a < plan->points) return (1 - left) * size;
    return (1 - left) * wy_min(size, 0.5 * wy_obstacle_extent(wy_contacts_shape(plan, target)));
}

vec3 wy_contacts_local_place(const wy_network *net, int a, int target, int plus) {
    const wy_contacts *contacts = net->contacts;
    const wy_contacts_support *support = &contacts->plan.support[a];
    const wy_director_node *own = wy_contacts_unit(net, support->unit);
    const wy_director_next *goes = wy_contacts_unit_next(net, support->unit);
    vec3 r = plus ? v3_add(own->r, goes->dr) : own->r;
    if (support->of >= 0)
        r = v3_add(r, m3_mul(tri_matrix(plus ? goes->d : own->d), support->is.at));
    if (target < contacts->plan.obstacles)
        return v3_sub(v3_add(r, origin_of(net, support->unit)),
                      plus ? contacts->to[target] : contacts->at[target]);
    const int unit = unit_of_body(&contacts->plan, target);
    const wy_director_node *rigid = wy_contacts_unit(net, unit);
    const wy_director_next *next = wy_contacts_unit_next(net, unit);
    return plus ? m3_tmul(tri_matrix(next->d), v3_sub(r, v3_add(rigid->r, next->dr)))
                : m3_tmul(tri_matrix(rigid->d), v3_sub(r, rigid->r));
}

int wy_contacts_pierces(const wy_network *net, int a, int target) {
    const wy_contacts_plan *plan = &net->contacts->plan;
    const wy_obstacle *shape = wy_contacts_shape(plan, target);
    const wy_support *support = &plan->support[a].is;
    wy_carrier at[2];
    if (wy_obstacle_thick(shape) || wy_contacts_far(net, a, target)) return 0;
    find_both(net, a, target, move_of, at);
    const wy_line_segment minus = wy_support_segment(support, at, 0),
                          plus = wy_support_segment(support, at, 1);
    return wy_line_segment_passes(shape, &minus, &plus,
                                  support->radius -
                                      wy_contacts_deepest(plan, WY_CONTACTS_THROUGH, a, target));
}
