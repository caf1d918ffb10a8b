/* contact_body.c - bodies that touch: nodes of rods against the shapes of bodies, and bodies against obstacles.
 *
 * A grip is a node of a rod and a body with a shape: the push of src/contact/body.c on the node and on the cluster of the
 * body, whose shape is kept in the axes of the cluster.  It couples the two, so that the skeleton has all nodes
 * (director/contact_solve.c).  A body touches obstacles at its knobs, balls that are fixed in it: the centre of a sphere,
 * the ends of the axis of a capsule, the corners of a box and points around the edges of a cylinder, both rounded a
 * little.  A knob is a copy in its cluster as a welded node is: r_k = r + R o (director/cluster.c).
 */
#include <string.h>

#include "method/director/contacts.h"

static const double ROUNDED =
    1e-2;                          /* of the smallest half side: the edges of boxes and cylinders */
static const double THROUGH = 0.3; /* of r: an axis that comes closer passes through              */
static const double LEFT = 0.02;   /* of a gap: what a Newton step of a barrier may leave of it   */
enum { AROUND = 12, KNOBS_MOST = 2 * AROUND };

/* ---- the plan -------------------------------------------------------------------------------------------------- */

static withy_status no_memory(withy_error *err) {
    return wy_fail(err, WITHY_NO_MEMORY, "director: no memory for the bodies that touch");
}

/* Knobs of a shape, in its own axes: their places and one radius; the size by which stiffnesses are multiplied. */
static int knobs_of(const wy_obstacle *shape, vec3 at[KNOBS_MOST], double *radius, double *size) {
    int count = 0;
    const vec3 half = shape->half;
    *size = *radius = shape->radius;
    if (shape->kind == WY_OBSTACLE_SPHERE) return at[0] = v3(0, 0, 0), 1;
    if (shape->kind == WY_OBSTACLE_CAPSULE)
        return at[0] = v3(0, 0, -half.z), at[1] = v3(0, 0, half.z), 2;
    if (shape->kind == WY_OBSTACLE_BOX) {
        *size = wy_min(half.x, wy_min(half.y, half.z)), *radius = ROUNDED * *size;
        for (int i = 0; i < 8; i++)
            at[count++] =
                v3((i & 1 ? 1 : -1) * (half.x - *radius), (i & 2 ? 1 : -1) * (half.y - *radius),
                   (i & 4 ? 1 : -1) * (half.z - *radius));
        return count;
    }
    *size = wy_min(shape->radius, half.z), *radius = ROUNDED * *size;
    for (int i = 0; i < 2 * AROUND; i++) {
        const double angle = 2 * WY_PI * (i / 2) / AROUND, far = shape->radius - *radius;
        at[count++] = v3(far * cos(angle), far * sin(angle), (i & 1 ? 1 : -1) * (half.z - *radius));
    }
    return count;
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
    vec3 at[KNOBS_MOST];
    double radius, size;
    const int count = plan->walls ? knobs_of(surface, at, &radius, &size) : 0;
    for (int k = 0; k < count; k++)
        plan->knob[plan->knobs++] =
            (wy_touch_knob){.cluster = own->cluster,
                            .body = i,
                            .at = v3_add(own->o, m3_mul(own->q, at[k])),
                            .radius = radius,
                            .size = size,
                            .mass = net->hub.plan.problem->body[i].mass / count};
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

/* Bodies pass through bodies. */
static void tell_bodies(const wy_network *net) {
    const wy_touch_plan *plan = &net->touch->plan;
    for (int i = 0; i < plan->bodies; i++)
        for (int j = 0; j < i; j++) {
            const int rods = net->plan.rods, a = plan->body[i].body, b = plan->body[j].body;
            if (plan->joined[rods + a] == plan->joined[rods + b]) continue;
            wy_note(net->hub.setup->notes,
                    "director: contact of bodies with bodies is not computed: bodies[%d] and "
                    "bodies[%d] pass through each other",
                    b + 1, a + 1);
            return;
        }
}

static withy_status find_soft(wy_network *net, withy_error *err) {
    wy_touch_plan *plan = &net->touch->plan;
    double least = INFINITY;
    plan->soft = net->hub.plan.problem->contact.stiffness;
    for (int a = 0; a < plan->points && !(plan->soft > 0); a++)
        least = wy_min(least, plan->point[a].hard);
    if (!(plan->soft > 0) && isfinite(least)) plan->soft = least;
    for (int w = 0; w < plan->walls && plan->knobs; w++)
        if (!(plan->soft > 0) && !(plan->wall[w].stiffness > 0))
            return wy_fail(err, WITHY_BAD_INPUT,
                           "director: bodies touch obstacles[%d] with a stiffness that nothing "
                           "gives: give contact.stiffness, in N/m^2",
                           w + 1);
    return WITHY_OK;
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
    plan->knob = wy_taker_take(&from, KNOBS_MOST * count + 1, sizeof *plan->knob);
    if (from.failed) return no_memory(err);
    for (int i = 0; i < problem->body_count; i++) {
        wy_obstacle surface;
        if (wy_body_surface(&problem->body[i], &surface)) add_body(net, i, &surface);
    }
    plan->grips = problem->contact.given && plan->points > 0 ? plan->points * plan->bodies : 0;
    plan->marks += 4 * plan->knobs + (plan->grips ? plan->points : 0);
    plan->never = wy_taker_take(&from, (size_t)plan->grips + 1, 1);
    if (from.failed) return no_memory(err);
    if (plan->bodies) WY_TRY(wy_touch_joined(net, plan, err));
    mark_joined(net);
    tell_bodies(net);
    return find_soft(net, err);
}

/* ---- a grip ------------------------------------------------------------------------------------------------------ */

static int wall_of(const wy_touch *touch, int body) {
    return touch->plan.walls + body;
}

static wy_contact_law law_of(const wy_touch *touch, int a) {
    const wy_touch_point *p = &touch->plan.point[a];
    return (wy_contact_law){.stiffness = p->hard * p->share,
                            .range = touch->plan.range,
                            .damping = touch->plan.damping};
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
    step.law = law_of(touch, a);
    step.friction = touch->plan.friction;
    step.stick = wy_touch_stick(touch, dynamic, p->mass, step.law.stiffness);
    if (step.friction > 0) {
        const wy_touch_mark *mark = wy_touch_find(touch, a, -1 - wall_of(touch, b));
        if (mark) step.z = mark->z;
    }
    if (dynamic) return step;
    step.law.mixed = !(step.law.range > 0);
    if (step.law.mixed) step.law.expected = wy_touch_expected(touch, a, -1 - wall_of(touch, b));
    if (!touch->plan.rubs) return step;
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
}

/* ---- a knob ------------------------------------------------------------------------------------------------------ */

static double knob_stiffness(const wy_touch *touch, int k, int wall) {
    const double own = touch->plan.wall[wall].stiffness;
    return (own > 0 ? own : touch->plan.soft) * touch->plan.knob[k].size;
}

static vec3 knob_place(const wy_network *net, int k) {
    const wy_touch_knob *knob = &net->touch->plan.knob[k];
    const wy_director_node *hub = &net->hub.node[knob->cluster];
    return v3_add(net->hub.now->origin, v3_add(hub->r, m3_mul(tri_matrix(hub->d), knob->at)));
}

static wy_obstacle_step knob_step(const wy_network *net, int k, int wall) {
    const wy_touch *touch = net->touch;
    const wy_touch_knob *knob = &touch->plan.knob[k];
    const wy_touch_wall *w = &touch->plan.wall[wall];
    const int dynamic = net->hub.step->dynamic, a = touch->plan.points + k;
    const wy_director_next *hub = &net->hub.next[knob->cluster];
    const double stiffness = knob_stiffness(touch, k, wall);
    const vec3 p = m3_mul(tri_matrix(net->hub.node[knob->cluster].d), knob->at);
    wy_obstacle_step step = {.radius = knob->radius, .per = dynamic ? net->hub.step->per : 0};
    step.minus = v3_sub(knob_place(net, k), touch->at[wall]);
    step.shift = v3_sub(touch->to[wall], touch->at[wall]);
    const vec3 dp = v3_sub(m3_mul(tri_matrix(hub->d), knob->at), p);
    step.plus = v3_add(step.minus, v3_sub(v3_add(hub->dr, dp), step.shift));
    step.theta = hub->theta;
    step.law = (wy_contact_law){.stiffness = stiffness, .range = w->range, .damping = w->damping};
    step.friction = w->friction;
    step.stick = wy_touch_stick(touch, dynamic, knob->mass, stiffness);
    const wy_touch_mark *mark = w->rubs ? wy_touch_find(touch, a, -1 - wall) : NULL;
    if (mark) step.z = mark->z;
    if (dynamic) return step;
    step.law.mixed = !(w->range > 0);
    if (step.law.mixed) step.law.expected = wy_touch_expected(touch, a, -1 - wall);
    if (!touch->plan.rubs) return step;
    const wy_touch_way_gone *gone = &touch->gone[touch->plan.points + knob->cluster];
    const mat3 before = tri_matrix(tri_cayley(v3_scale(-1, gone->theta), hub->d));
    step.minus = v3_sub(step.minus, v3_add(gone->dr, v3_sub(p, m3_mul(before, knob->at))));
    step.theta = gone->theta;
    return step;
}

/* (force, moment) and its slope by (plus, theta) of a knob to those of its cluster by (dr, dphi): dplus = dr + dphi x p+,
 * dtheta = G dphi; moments have pm x force. */
static void to_cluster(const wy_network *net, const wy_touch_knob *knob, vec3 theta,
                       const wy_obstacle_push *push, double a[6][6], double b[6]) {
    const int c = knob->cluster;
    const vec3 p = m3_mul(tri_matrix(net->hub.next[c].d), knob->at);
    const vec3 pm = m3_mul(tri_matrix(wy_director_acting(&net->hub, c)), knob->at);
    const mat3 g = wy_director_spin_map(theta);
    const vec3 column[3] = {g.c1, g.c2, g.c3};
    const double beta = net->hub.step->dynamic ? 0.5 : 1, dot = v3_dot(push->force, p);
    double m[6][6];
    for (int i = 0; i < 6; i++) {
        const vec3 by = v3_from(push->slope[i]), turn = v3_cross(p, by);
        for (int k = 0; k < 3; k++) {
            m[i][k] = v3_get(by, k);
            m[i][3 + k] = v3_dot(v3_from(&push->slope[i][3]), column[k]) + v3_get(turn, k);
        }
    }
    for (int k = 0; k < 6; k++) {
        const vec3 l = v3_cross(pm, v3(m[0][k], m[1][k], m[2][k]));
        for (int i = 0; i < 3; i++) m[3 + i][k] += v3_get(l, i);
    }
    for (int i = 0; i < 3; i++) { /* beta (dphi x p) x f */
        for (int k = 0; k < 3; k++) m[3 + i][3 + k] += beta * v3_get(p, i) * v3_get(push->force, k);
        m[3 + i][3 + i] -= beta * dot;
    }
    for (int i = 0; i < 36; i++) a[i / 6][i % 6] -= m[i / 6][i % 6];
    v3_to(v3_sub(v3_from(b), push->force), b);
    const vec3 moment = v3_add(push->moment, v3_cross(pm, push->force));
    v3_to(v3_sub(v3_from(b + 3), moment), b + 3);
}

void wy_touch_cluster(const wy_network *net, int c, double a[6][6], double b[6]) {
    const wy_touch *touch = net->touch;
    for (int i = 0; i < 6 && touch->plan.grips; i++) b[i] -= touch->hub_force[c].f[i];
    for (int k = 0; k < touch->plan.knobs; k++) {
        if (touch->plan.knob[k].cluster != c) continue;
        for (int wall = 0; wall < touch->plan.walls; wall++) {
            const wy_obstacle_step step = knob_step(net, k, wall);
            wy_obstacle_push push;
            if (!wy_obstacle_push_on(&touch->plan.wall[wall].shape, &step, &push)) continue;
            touch->step->active++;
            to_cluster(net, &touch->plan.knob[k], step.theta, &push, a, b);
        }
    }
}

double wy_touch_body_stick(const wy_touch *touch, const wy_touch_mark *mark, int dynamic) {
    const wy_touch_plan *plan = &touch->plan;
    if (mark->a >= plan->points) {
        const int k = mark->a - plan->points;
        return wy_touch_stick(touch, dynamic, plan->knob[k].mass,
                              knob_stiffness(touch, k, -1 - mark->b));
    }
    return wy_touch_stick(touch, dynamic, plan->point[mark->a].mass,
                          law_of(touch, mark->a).stiffness);
}

/* ---- the books of a step ------------------------------------------------------------------------------------------- */

static double energy_change(const wy_contact_law *law, double minus, double plus) {
    return wy_contact_law_energy(law, plus) - wy_contact_law_energy(law, minus);
}

static int book_grip(const wy_network *net, int a, int b, wy_touch_mark *mark) {
    wy_touch *touch = net->touch;
    const wy_body_step step = step_of(net, a, b);
    const double kept = 0.5 * step.stick * v3_dot(step.z, step.z);
    const int dynamic = net->hub.step->dynamic;
    wy_body_push push;
    double minus;
    const double plus = wy_body_gap(&touch->plan.body[b].shape, &step, &minus);
    const double energy = dynamic ? energy_change(&step.law, minus, plus) : 0;
    if (!wy_body_push_on(&touch->plan.body[b].shape, &step, 0, &push)) {
        touch->now->lost += kept - energy;
        return 0;
    }
    touch->now->lost += push.lost - (dynamic ? push.push * (plus - minus) + energy : 0);
    touch->now->depth = wy_max(touch->now->depth, -plus / step.radius);
    *mark = (wy_touch_mark){.a = a,
                            .b = -1 - wall_of(touch, b),
                            .gap = plus,
                            .push = push.push,
                            .z = push.z,
                            .force = push.on_point};
    return 1;
}

static void take(wy_touch *touch, const wy_touch_mark *mark, int *count) {
    if (*count < touch->plan.marks) touch->fresh[*count] = *mark;
    ++*count;
}

void wy_touch_book_grips(const wy_network *net, int a, int *count) {
    wy_touch *touch = net->touch;
    for (int b = touch->plan.grips ? touch->plan.bodies - 1 : -1; b >= 0; b--) {
        wy_touch_mark mark;
        if (is_far(net, a, b) && !wy_touch_find(touch, a, -1 - wall_of(touch, b))) continue;
        if (touch->plan.never[a * touch->plan.bodies + b]) continue;
        if (book_grip(net, a, b, &mark)) take(touch, &mark, count);
    }
}

static int book_knob(const wy_network *net, int k, int wall, wy_touch_mark *mark) {
    wy_touch *touch = net->touch;
    const wy_obstacle *shape = &touch->plan.wall[wall].shape;
    const wy_obstacle_step step = knob_step(net, k, wall);
    const int dynamic = net->hub.step->dynamic;
    vec3 unused;
    wy_obstacle_push push;
    const double minus = wy_obstacle_distance(shape, step.minus, &unused) - step.radius;
    const double plus = wy_obstacle_distance(shape, step.plus, &unused) - step.radius;
    const double energy = dynamic ? energy_change(&step.law, minus, plus) : 0;
    if (!wy_obstacle_push_on(shape, &step, &push)) {
        touch->now->lost += 0.5 * step.stick * v3_dot(step.z, step.z) - energy;
        return 0;
    }
    touch->now->lost += push.lost - (dynamic ? push.push * (plus - minus) + energy : 0);
    touch->now->work += dynamic ? v3_dot(push.force, step.shift) : 0;
    *mark = (wy_touch_mark){.a = touch->plan.points + k,
                            .b = -1 - wall,
                            .gap = plus,
                            .push = push.push,
                            .z = push.z,
                            .force = push.force};
    return 1;
}

void wy_touch_book_knobs(const wy_network *net, int *count) {
    wy_touch *touch = net->touch;
    for (int k = 0; k < touch->plan.knobs; k++)
        for (int wall = touch->plan.walls - 1; wall >= 0; wall--) {
            wy_touch_mark mark;
            if (book_knob(net, k, wall, &mark)) take(touch, &mark, count);
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
        const wy_contact_law law = law_of(touch, a);
        vec3 unused;
        const double d =
            wy_obstacle_distance(&body->shape, m3_tmul(tri_matrix(hub->d), y), &unused);
        sum += wy_contact_law_energy(&law, d - p->radius);
    }
    for (int i = 0; i < touch->plan.knobs * touch->plan.walls; i++) {
        const int k = i / touch->plan.walls, wall = i % touch->plan.walls;
        const wy_touch_wall *w = &touch->plan.wall[wall];
        const wy_contact_law law = {.stiffness = knob_stiffness(touch, k, wall), .range = w->range};
        vec3 unused;
        const vec3 at = v3_sub(knob_place(net, k), touch->at[wall]);
        const double d = wy_obstacle_distance(&w->shape, at, &unused);
        sum += wy_contact_law_energy(&law, d - touch->plan.knob[k].radius);
    }
    return sum;
}

/* ---- as it is drawn, a barrier, and nothing passes through ----------------------------------------------------------- */

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

double wy_touch_knob_gap(const wy_network *net, int k, int wall, double share, double *grows) {
    const wy_touch *touch = net->touch;
    const wy_touch_knob *knob = &touch->plan.knob[k];
    const wy_director_next *hub = &net->hub.next[knob->cluster];
    const vec3 turn = v3_from(hub->change + 3);
    const vec3 p = m3_mul(tri_matrix(tri_cayley(v3_scale(share, turn), hub->d)), knob->at);
    vec3 x = v3_add(net->hub.now->origin, v3_add(net->hub.node[knob->cluster].r, hub->dr)),
         gradient;
    x = v3_sub(v3_add(v3_axpy(x, share, v3_from(hub->change)), p), touch->to[wall]);
    const double g = wy_obstacle_distance(&touch->plan.wall[wall].shape, x, &gradient);
    *grows = v3_dot(gradient, v3_add(v3_from(hub->change), v3_cross(turn, p)));
    return g - knob->radius;
}

double wy_touch_knob_stiffness(const wy_touch *touch, int k, int wall) {
    return knob_stiffness(touch, k, wall);
}

double wy_touch_grip_stiffness(const wy_touch *touch, int a) {
    return law_of(touch, a).stiffness;
}

double wy_touch_cut_bodies(const wy_network *net, double share) {
    const wy_touch_plan *plan = &net->touch->plan;
    double unused;
    for (int k = 0; k < plan->grips; k++) {
        if (plan->never[k]) continue;
        const double least = LEFT * wy_min(plan->range, wy_touch_grip_gap(net, k, 0, &unused));
        while (share > 1e-9 && !(wy_touch_grip_gap(net, k, share, &unused) > least)) share *= 0.7;
    }
    for (int i = 0; i < plan->knobs * plan->walls; i++) {
        const int k = i / plan->walls, w = i % plan->walls;
        const double least =
            LEFT * wy_min(plan->wall[w].range, wy_touch_knob_gap(net, k, w, 0, &unused));
        while (share > 1e-9 && !(wy_touch_knob_gap(net, k, w, share, &unused) > least))
            share *= 0.7;
    }
    return share;
}

/* Rods and obstacles that bodies are drawn in, deeper than contact can part. */
withy_status wy_touch_bodies_first(const wy_network *net, withy_error *err) {
    const wy_touch_plan *plan = &net->touch->plan;
    const double left = plan->barrier ? 1 : THROUGH;
    for (int k = 0; k < plan->grips; k++) {
        const wy_touch_point *p = &plan->point[k / plan->bodies];
        const wy_touch_body *body = &plan->body[k % plan->bodies];
        const wy_director_node *hub = &net->hub.node[body->cluster];
        const vec3 y = v3_sub(net->rod[p->rod].node[p->node].r, hub->r);
        vec3 unused;
        const double d =
            wy_obstacle_distance(&body->shape, m3_tmul(tri_matrix(hub->d), y), &unused);
        if (plan->never[k] || d > left * p->radius) continue;
        return wy_fail(
            err, WITHY_BAD_INPUT,
            "director: rods[%d] is drawn %.3g m deep in bodies[%d] at s = %.4g, more than "
            "contact can part: move one of them, or use a smaller radius",
            p->rod + 1, p->radius - d, body->body + 1, net->rod[p->rod].plan.s[p->node]);
    }
    for (int i = 0; i < plan->knobs * plan->walls; i++) {
        const wy_touch_knob *knob = &plan->knob[i / plan->walls];
        const int wall = i % plan->walls;
        vec3 unused;
        const double d = wy_obstacle_distance(
            &plan->wall[wall].shape, v3_sub(knob_place(net, i / plan->walls), net->touch->to[wall]),
            &unused);
        if (knob->radius - d < (plan->barrier ? 0 : (1 - THROUGH) * knob->size)) continue;
        return wy_fail(
            err, WITHY_BAD_INPUT,
            "director: bodies[%d] is drawn %.3g m deep in obstacles[%d]: move one of them",
            knob->body + 1, knob->radius - d, wall + 1);
    }
    return WITHY_OK;
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
    for (int i = 0; i < touch->plan.knobs * touch->plan.walls; i++) {
        const int k = i / touch->plan.walls, wall = i % touch->plan.walls;
        const wy_obstacle_step step = knob_step(net, k, wall);
        lost[0] = touch->plan.points + k, lost[1] = -1 - wall;
        if (wy_touch_passes(&touch->plan.wall[wall].shape, step.minus, step.plus,
                            THROUGH * step.radius))
            return 1;
    }
    return 0;
}
