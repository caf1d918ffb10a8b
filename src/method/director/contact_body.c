/* contact_body.c - bodies that touch: nodes of rods against the shapes of bodies.
 *
 * A grip is a node of a rod and a body with a shape: the push of src/contact/body.c on the node and on the cluster of the
 * body, whose shape is kept in the axes of the cluster.  It couples the two, so that the skeleton has all nodes
 * (director/contact_solve.c).
 */
#include <string.h>

#include "method/director/contacts.h"

static const double THROUGH = 0.3; /* of r: an axis that comes closer passes through              */
static const double LEFT = 0.02;   /* of a gap: what a Newton step may leave of it   */

/* ---- the plan -------------------------------------------------------------------------------------------------- */

static withy_status no_memory(withy_error *err) {
    return wy_fail(err, WITHY_NO_MEMORY, "director: no memory for the bodies that touch");
}

static double bounding(const wy_obstacle *shape) {
    switch (shape->kind) {
    case WY_OBSTACLE_BOX: return v3_norm(shape->half);
    case WY_OBSTACLE_CAPSULE: return shape->radius + shape->half.z;
    case WY_OBSTACLE_DRUM: return hypot(shape->radius, shape->half.z);
    default: return shape->radius;
    }
}

static void add_body(wy_network *net, int i, const wy_obstacle *surface) {
    wy_touch_plan *plan = &net->touch->plan;
    const wy_network_body *own = &net->plan.body[i];
    wy_touch_body *body = &plan->body[plan->bodies++];
    *body = (wy_touch_body){.cluster = own->cluster, .body = i, .shape = *surface};
    body->shape.point = own->o, body->shape.frame = own->q;
    body->reach = v3_norm(own->o) + bounding(surface);
}

/* Which of them could only touch by overlapping what they hang on: a joint is inside the surface. */
static void mark_joined(wy_network *net) {
    const wy_touch_plan *plan = &net->touch->plan;
    for (int a = 0; plan->grips && a < plan->points; a++) {
        const wy_touch_point *p = &plan->point[a];
        const wy_director_plan *rod = &net->rod[p->rod].plan;
        const int member = p->node % rod->p == 0 ? wy_network_member_of(net, p->rod, p->node) : -1;
        for (int b = 0; b < plan->bodies; b++) {
            const wy_touch_body *body = &plan->body[b];
            const wy_director_node *hub = &net->hub.plan.first[body->cluster];
            const vec3 y = m3_tmul(tri_matrix(hub->d), v3_sub(rod->first[p->node].r, hub->r));
            const int same = member >= 0 && net->plan.member[member].cluster == body->cluster;
            const int joined = plan->joined[p->rod] == plan->joined[net->plan.rods + body->body];
            vec3 unused;
            const double gap = wy_obstacle_distance(&body->shape, y, &unused) - p->radius;
            plan->never[a * plan->bodies + b] = (char)(same || (joined && gap < 1e-6 * p->radius));
        }
    }
}

withy_status wy_touch_bodies_make(wy_network *net, withy_error *err) {
    if (!net->touch) return WITHY_OK;
    const withy_problem *problem = net->hub.plan.problem;
    wy_touch_plan *plan = &net->touch->plan;
    plan->clusters = net->plan.clusters;
    if (problem->contact.no_bodies) return WITHY_OK;
    wy_taker from = {.arena = net->hub.setup->arena};
    const size_t count = (size_t)problem->body_count;
    plan->body = wy_taker_take(&from, count + 1, sizeof *plan->body);
    if (from.failed) return no_memory(err);
    for (int i = 0; i < problem->body_count; i++) {
        wy_obstacle surface;
        if (wy_body_surface(&problem->body[i], &surface)) add_body(net, i, &surface);
    }
    plan->grips = problem->contact.given && plan->points > 0 ? plan->points * plan->bodies : 0;
    plan->marks += plan->grips ? plan->points : 0;
    plan->never = wy_taker_take(&from, (size_t)plan->grips + 1, 1);
    if (from.failed) return no_memory(err);
    if (plan->bodies) WY_TRY(wy_touch_joined(net, plan, err));
    mark_joined(net);
    for (int i = 0; i < plan->bodies && plan->grips; i++)
        if (wy_touch_tell_small(net, &plan->body[i].shape, "bodies", plan->body[i].body)) break;
    return wy_touch_knobs_make(net, err);
}

/* ---- a grip ------------------------------------------------------------------------------------------------------ */

static int wall_of(const wy_touch *touch, int body) {
    return touch->plan.walls + body;
}

double wy_touch_grip_stiffness(const wy_touch *touch, int a) {
    return touch->plan.point[a].hard * touch->plan.point[a].share;
}

static wy_contact_law law_of(const wy_touch *touch, int dynamic, int a, int b) {
    return wy_touch_law(touch, dynamic, a, -1 - wall_of(touch, b),
                        wy_touch_grip_stiffness(touch, a), touch->plan.damping);
}

static wy_body_step step_of(const wy_network *net, int a, int b) {
    const wy_touch *touch = net->touch;
    const wy_touch_point *p = &touch->plan.point[a];
    const int c = touch->plan.body[b].cluster, dynamic = net->hub.step->dynamic;
    const wy_director *x = &net->rod[p->rod];
    const wy_director_next *own = &x->next[p->node], *hub = &net->hub.next[c];
    wy_body_step step = {.radius = p->radius, .per = dynamic ? net->hub.step->per : 0};
    step.y_minus = v3_sub(x->node[p->node].r, net->hub.node[c].r);
    step.dy = v3_sub(own->dr, hub->dr);
    step.y_plus = v3_add(step.y_minus, step.dy);
    step.minus = tri_matrix(net->hub.node[c].d), step.plus = tri_matrix(hub->d);
    step.theta[0] = own->theta, step.theta[1] = hub->theta;
    step.law = law_of(touch, dynamic, a, b);
    step.friction = touch->plan.friction;
    step.stick = wy_touch_stick(touch, dynamic, p->mass, step.law.stiffness);
    if (step.friction > 0) {
        const wy_touch_mark *mark = wy_touch_find(touch, a, -1 - wall_of(touch, b));
        if (mark) step.z = mark->z;
    }
    if (dynamic || !touch->plan.rubs) return step;
    const wy_touch_way_gone *one = &touch->gone[a], *two = &touch->gone[touch->plan.points + c];
    step.dy = v3_sub(one->dr, two->dr);
    step.theta[0] = one->theta, step.theta[1] = two->theta;
    step.minus = tri_matrix(tri_cayley(v3_scale(-1, two->theta), hub->d));
    return step;
}

/* A distance changes by no more than the way in the axes of the body. */
static int is_far(const wy_network *net, int a, int b) {
    const wy_touch *touch = net->touch;
    if (touch->plan.never[a * touch->plan.bodies + b]) return 1;
    const wy_touch_point *p = &touch->plan.point[a];
    const wy_touch_body *body = &touch->plan.body[b];
    const wy_director *x = &net->rod[p->rod];
    const wy_director_next *hub = &net->hub.next[body->cluster];
    const vec3 y = v3_sub(x->node[p->node].r, net->hub.node[body->cluster].r);
    const double r = p->radius + touch->plan.range, size = v3_norm(y);
    const double way = v3_norm(v3_sub(x->next[p->node].dr, hub->dr));
    const double all = way + v3_norm(hub->theta) * (size + way);
    return net->hub.step->dynamic && size - body->reach - r > all;
}

int wy_touch_grip(const wy_network *net, int k, int slopes, wy_body_push *out) {
    const int bodies = net->touch->plan.bodies, a = k / bodies, b = k % bodies;
    if (is_far(net, a, b)) return 0;
    const wy_body_step step = step_of(net, a, b);
    return wy_body_push_on(&net->touch->plan.body[b].shape, &step, slopes, out);
}

static void add(double *to, const double *from) {
    for (int i = 0; i < 6; i++) to[i] += from[i];
}

void wy_touch_push_bodies(wy_network *net) {
    wy_touch *touch = net->touch;
    memset(touch->hub_force, 0, (size_t)touch->plan.clusters * sizeof *touch->hub_force);
    for (int k = 0; k < touch->plan.grips; k++) {
        wy_body_push push;
        if (!wy_touch_grip(net, k, 0, &push)) continue;
        touch->step->active++;
        if (!touch->grip[k]) touch->grip[k] = 1, touch->step->grew = 1;
        add(touch->force[k / touch->plan.bodies].f, push.force);
        add(touch->hub_force[touch->plan.body[k % touch->plan.bodies].cluster].f, push.force + 6);
    }
    wy_touch_push_clashes(net);
}

/* ---- the books of a step ------------------------------------------------------------------------------------------- */

static void book(const wy_network *net, int a, int b, int *count) {
    wy_touch *touch = net->touch;
    const wy_obstacle *shape = &touch->plan.body[b].shape;
    const wy_body_step step = step_of(net, a, b);
    wy_body_push push = {.push = 0};
    wy_touch_entry entry = {
        .a = a, .b = -1 - wall_of(touch, b), .law = &step.law, .size = step.radius};
    entry.plus = wy_body_gap(shape, &step, &entry.minus);
    entry.before = step.z, entry.stick = step.stick;
    entry.acts = wy_body_push_on(shape, &step, 0, &push);
    entry.push = push.push, entry.lost = push.lost, entry.z = push.z, entry.force = push.on_point;
    wy_touch_enter(touch, net->hub.step->dynamic, &entry, count);
}

void wy_touch_book_grips(const wy_network *net, int a, int *count) {
    wy_touch *touch = net->touch;
    for (int b = touch->plan.grips ? touch->plan.bodies - 1 : -1; b >= 0; b--) {
        if (is_far(net, a, b) && !wy_touch_find(touch, a, -1 - wall_of(touch, b))) continue;
        if (touch->plan.never[a * touch->plan.bodies + b]) continue;
        book(net, a, b, count);
    }
}

double wy_touch_body_energy(const wy_network *net) {
    const wy_touch *touch = net->touch;
    double sum = 0;
    for (int i = 0; i < touch->plan.grips; i++) {
        const int a = i / touch->plan.bodies, b = i % touch->plan.bodies;
        const wy_touch_point *p = &touch->plan.point[a];
        const wy_touch_body *body = &touch->plan.body[b];
        const wy_director_node *hub = &net->hub.node[body->cluster];
        const vec3 y = v3_sub(net->rod[p->rod].node[p->node].r, hub->r);
        const double r = p->radius + touch->plan.range;
        if (touch->plan.never[i] || v3_norm(y) > body->reach + r) continue;
        const wy_contact_law law = law_of(touch, 1, a, b);
        vec3 unused;
        const double d =
            wy_obstacle_distance(&body->shape, m3_tmul(tri_matrix(hub->d), y), &unused);
        sum += wy_contact_law_energy(&law, d - p->radius);
    }
    return sum + wy_touch_knob_energy(net);
}

/* ---- as it is drawn, and nothing passes through ----------------------------------------------------------- */

/* The gap after a share of the changes, and how it grows with them. */
double wy_touch_grip_gap(const wy_network *net, int k, double share, double *grows) {
    const wy_touch *touch = net->touch;
    const int a = k / touch->plan.bodies, b = k % touch->plan.bodies;
    const wy_touch_point *p = &touch->plan.point[a];
    const wy_touch_body *body = &touch->plan.body[b];
    const wy_director *x = &net->rod[p->rod];
    const wy_director_next *own = &x->next[p->node], *hub = &net->hub.next[body->cluster];
    const vec3 turn = v3_scale(share, v3_from(hub->change + 3));
    const mat3 frame = tri_matrix(tri_cayley(turn, hub->d));
    const vec3 moves = v3_sub(v3_from(own->change), v3_from(hub->change));
    vec3 y = v3_sub(x->node[p->node].r, net->hub.node[body->cluster].r), gradient;
    y = v3_axpy(v3_add(y, v3_sub(own->dr, hub->dr)), share, moves);
    const double g = wy_obstacle_distance(&body->shape, m3_tmul(frame, y), &gradient);
    const vec3 relative = v3_sub(moves, v3_cross(v3_from(hub->change + 3), y));
    *grows = v3_dot(m3_mul(frame, gradient), relative);
    return g - p->radius;
}

double wy_touch_cut_bodies(const wy_network *net, double share) {
    const wy_touch_plan *plan = &net->touch->plan;
    double unused;
    for (int k = 0; k < plan->grips; k++) {
        if (plan->never[k]) continue;
        const double least = LEFT * wy_min(plan->range, wy_touch_grip_gap(net, k, 0, &unused));
        while (share > 1e-9 && !(wy_touch_grip_gap(net, k, share, &unused) > least)) share *= 0.7;
    }
    return wy_touch_cut_knobs(net, share);
}

/* Rods and obstacles that bodies are drawn in, deeper than contact can part. */
withy_status wy_touch_bodies_first(wy_network *net, withy_error *err) {
    const wy_touch_plan *plan = &net->touch->plan;
    for (int k = 0; k < plan->grips; k++) {
        const wy_touch_point *p = &plan->point[k / plan->bodies];
        const wy_touch_body *body = &plan->body[k % plan->bodies];
        const wy_director_node *hub = &net->hub.node[body->cluster];
        const vec3 y = v3_sub(net->rod[p->rod].node[p->node].r, hub->r);
        vec3 unused;
        const double d =
            wy_obstacle_distance(&body->shape, m3_tmul(tri_matrix(hub->d), y), &unused);
        if (plan->never[k] || d > plan->law->left * p->radius) continue;
        return wy_fail(
            err, WITHY_BAD_INPUT,
            "director: rods[%d] is drawn %.3g m deep in bodies[%d] at s = %.4g, more than "
            "contact can part: move one of them, or use a smaller radius",
            p->rod + 1, p->radius - d, body->body + 1, net->rod[p->rod].plan.s[p->node]);
    }
    return wy_touch_knobs_first(net, err);
}

int wy_touch_pierced_bodies(const wy_network *net, int lost[2]) {
    const wy_touch *touch = net->touch;
    for (int k = 0; k < touch->plan.grips; k++) {
        const int a = k / touch->plan.bodies, b = k % touch->plan.bodies;
        if (is_far(net, a, b)) continue;
        const wy_touch_body *body = &touch->plan.body[b];
        const wy_touch_point *p = &touch->plan.point[a];
        const wy_director_node *hub = &net->hub.node[body->cluster];
        const wy_director_next *next = &net->hub.next[body->cluster];
        const vec3 y = v3_sub(net->rod[p->rod].node[p->node].r, hub->r);
        const vec3 to = v3_add(y, v3_sub(net->rod[p->rod].next[p->node].dr, next->dr));
        lost[0] = a, lost[1] = -1 - wall_of(touch, b);
        if (wy_touch_passes(&body->shape, m3_tmul(tri_matrix(hub->d), y),
                            m3_tmul(tri_matrix(next->d), to), THROUGH * p->radius))
            return 1;
    }
    return wy_touch_pierced_knobs(net, lost);
}
