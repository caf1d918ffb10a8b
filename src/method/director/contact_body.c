/* contact_body.c - bodies with shapes, the knobs they touch with (src/contact/knob.c), and which of them touch what. */
#include "method/director/contacts.h"

/* ---- bodies and points -------------------------------------------------------------------------------------------- */

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
    for (int a = 0; a < plan->points; a++) {
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

static void add_knobs(wy_network *net, int b) {
    wy_touch_plan *plan = &net->touch->plan;
    wy_touch_body *body = &plan->body[b];
    const wy_network_body *own = &net->plan.body[body->body];
    const double mass = net->hub.plan.problem->body[body->body].mass;
    wy_knobs all;
    wy_knobs_of(&body->shape, &all);
    body->first = plan->knobs, body->knobs = all.count, body->size = all.size;
    body->apart = all.apart;
    for (int k = 0; k < all.count; k++) {
        wy_touch_support *to = &plan->support[plan->points + plan->knobs++];
        *to = (wy_touch_support){.is = all.one[k], .unit = plan->points + body->cluster, .of = b};
        to->is.at = v3_add(own->o, m3_mul(own->q, all.one[k].at));
        to->is.along = m3_mul(own->q, all.one[k].along);
        to->kind = all.kind[k], to->mass = mass / all.corners;
    }
}

/* ---- which bodies touch which ------------------------------------------------------------------------------------ */

static wy_carrier drawn_pose(const wy_network *net, int cluster) {
    const wy_director_node *hub = &net->hub.plan.first[cluster];
    return (wy_carrier){.minus = hub->r, .from = tri_matrix(hub->d)};
}

/* Is a knob of body i in body j as they are drawn? */
static int drawn_in(const wy_network *net, int i, int j) {
    const wy_touch_plan *plan = &net->touch->plan;
    const wy_touch_body *own = &plan->body[i], *other = &plan->body[j];
    const wy_carrier at[2] = {drawn_pose(net, own->cluster), drawn_pose(net, other->cluster)};
    for (int k = own->first; k < own->first + own->knobs; k++) {
        const wy_touch_support *knob = &plan->support[plan->points + k];
        const wy_bar bar = wy_support_bar(&knob->is, at, 0);
        double least;
        if (knob->kind == WY_KNOB_FACE) continue;
        wy_bar_nearest(&other->shape, &bar, 0, &least);
        if (least - knob->is.radius < -1e-6 * own->size) return 1;
    }
    return 0;
}

/* Bodies of one cluster are one; those that are joined and overlap as they are drawn are meant to. */
static int may_meet(const wy_network *net, int i, int j) {
    const wy_touch_plan *plan = &net->touch->plan;
    const int *joined = &plan->joined[net->plan.rods];
    if (plan->body[i].cluster == plan->body[j].cluster) return 0;
    return joined[plan->body[i].body] != joined[plan->body[j].body] ||
           !(drawn_in(net, i, j) || drawn_in(net, j, i));
}

/* The knob of a ball is all of it: what is no ball need not touch it, too. */
static int leads(const wy_touch_plan *plan, int i, int j) {
    return plan->body[i].shape.kind == WY_OBSTACLE_SPHERE ||
           plan->body[j].shape.kind != WY_OBSTACLE_SPHERE;
}

static void find_meetings(wy_network *net) {
    wy_touch_plan *plan = &net->touch->plan;
    for (int i = 0; i < plan->bodies; i++)
        for (int j = 0; j < plan->bodies; j++) {
            if (i == j || !leads(plan, i, j) || !may_meet(net, i, j)) continue;
            plan->meets[i * plan->bodies + j] = 1;
            plan->clashes = 1;
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
                           "director: bodies" WY_KEY
                           " touch obstacles[%d] with a stiffness that nothing "
                           "gives: give contact.stiffness, in N/m^2",
                           w + 1);
    if (plan->clashes && !(plan->soft > 0))
        return wy_fail(err, WITHY_BAD_INPUT,
                       "director: bodies" WY_KEY
                       " touch each other with a stiffness that nothing gives: give "
                       "contact.stiffness, in N/m^2, or contact.bodies = false");
    return WITHY_OK;
}

/* A body without a shape has no surface to touch with. */
static void tell_shapeless(const wy_network *net) {
    const withy_problem *problem = net->hub.plan.problem;
    for (int i = 0; i < problem->body_count; i++) {
        wy_obstacle unused;
        if (wy_body_surface(&problem->body[i], &unused)) continue;
        wy_note(net->hub.setup->notes, WY_NOTE(body_without_shape), i + 1);
        return; /* one is enough */
    }
}

/* Obstacles have no knobs: what is thinner than the way between two points of a face may pass between them. */
static void tell_thin(const wy_network *net) {
    const wy_touch_plan *plan = &net->touch->plan;
    for (int i = 0; i < plan->bodies * plan->walls; i++) {
        const wy_touch_body *body = &plan->body[i / plan->walls];
        const wy_obstacle *shape = &plan->wall[i % plan->walls].shape;
        const double thin = wy_obstacle_extent(shape);
        if (body->shape.kind == WY_OBSTACLE_CAPSULE && wy_obstacle_convex(shape)) continue;
        if (!(thin < body->apart)) continue;
        wy_note(net->hub.setup->notes, WY_NOTE(obstacle_between_points), i % plan->walls + 1, thin,
                body->body + 1, body->apart);
        return; /* one is enough */
    }
}

/* ---- all ----------------------------------------------------------------------------------------------------------- */

/* Points of rods, and the knobs of bodies where there is anything to touch with them. */
static withy_status make_supports(wy_network *net, withy_error *err) {
    wy_touch_plan *plan = &net->touch->plan;
    const withy_problem *problem = net->hub.plan.problem;
    const size_t bodies = (size_t)plan->bodies;
    const int meet = problem->contact.given && bodies > 1, have = plan->walls || meet;
    wy_taker from = {.arena = net->hub.setup->arena};
    size_t count = (size_t)plan->points + 1;
    for (int b = 0; b < plan->bodies && have; b++) {
        wy_knobs all;
        wy_knobs_of(&plan->body[b].shape, &all);
        count += (size_t)all.count;
    }
    plan->support = wy_taker_take(&from, count, sizeof *plan->support);
    plan->meets = wy_taker_take(&from, bodies * bodies + 1, 1);
    if (from.failed) return no_memory(err);
    for (int a = 0; a < plan->points; a++) {
        const double r = plan->point[a].radius;
        plan->support[a] = (wy_touch_support){
            .is = {.radius = r, .size = r}, .unit = a, .of = -1, .mass = plan->point[a].mass};
    }
    for (int b = 0; b < plan->bodies && have; b++) add_knobs(net, b);
    plan->marks += 4 * plan->knobs;
    if (have) tell_thin(net);
    if (meet) find_meetings(net);
    plan->ties = plan->near + plan->grips + (plan->clashes ? plan->bodies * plan->bodies : 0);
    return plan->knobs ? find_soft(net, err) : WITHY_OK;
}

static withy_status make_grips(wy_network *net, withy_error *err) {
    wy_touch_plan *plan = &net->touch->plan;
    plan->grips = plan->points * plan->bodies;
    plan->marks += plan->points;
    plan->never = wy_arena_take(net->hub.setup->arena, (size_t)plan->grips, 1);
    if (!plan->never) return no_memory(err);
    mark_joined(net);
    for (int i = 0; i < plan->bodies; i++)
        if (wy_touch_tell_small(net, &plan->body[i].shape, "bodies", plan->body[i].body)) break;
    return WITHY_OK;
}

withy_status wy_touch_bodies_make(wy_network *net, withy_error *err) {
    if (!net->touch) return WITHY_OK;
    const withy_problem *problem = net->hub.plan.problem;
    wy_touch_plan *plan = &net->touch->plan;
    const int count = problem->contact.no_bodies ? 0 : problem->body_count;
    plan->clusters = net->plan.clusters;
    plan->body = wy_arena_take(net->hub.setup->arena, (size_t)count + 1, sizeof *plan->body);
    if (!plan->body) return no_memory(err);
    for (int i = 0; i < count; i++) {
        wy_obstacle surface;
        if (wy_body_surface(&problem->body[i], &surface)) add_body(net, i, &surface);
    }
    if (plan->bodies) WY_TRY(wy_touch_joined(net, plan, err));
    if (plan->bodies && problem->contact.given && plan->points) WY_TRY(make_grips(net, err));
    if (count && (plan->walls || problem->contact.given)) tell_shapeless(net);
    return make_supports(net, err);
}
