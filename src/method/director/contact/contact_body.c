/* contact_body.c - bodies with shapes, the body points they touch with (src/contact/body_points.c), and which of them touch what. */
#include "method/director/contact/contacts.h"

/* ---- bodies and points -------------------------------------------------------------------------------------------- */

static withy_status no_memory(withy_error *err) {
    return wy_no_memory(err, "director: no memory for the bodies that touch");
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
    wy_contacts_plan *plan = &net->contacts->plan;
    const wy_network_body *own = &net->plan.body[i];
    wy_contacts_body *body = &plan->body[plan->bodies++];
    *body = (wy_contacts_body){.rigid_group = own->rigid_group, .body = i, .shape = *surface};
    body->shape.point = own->o, body->shape.frame = own->q;
    body->reach = v3_norm(own->o) + bounding(surface);
}

/* Which of them could only touch by overlapping what they hang on: a joint is inside the surface. */
static void mark_joined(wy_network *net) {
    const wy_contacts_plan *plan = &net->contacts->plan;
    for (int a = 0; a < plan->points; a++) {
        const wy_contacts_point *p = &plan->point[a];
        const wy_director_plan *rod = &net->rod[p->rod].plan;
        const int member = p->node % rod->p == 0 ? wy_group_node_of(net, p->rod, p->node) : -1;
        for (int b = 0; b < plan->bodies; b++) {
            const wy_contacts_body *body = &plan->body[b];
            const wy_director_node *rigid = &net->rigid.plan.first[body->rigid_group];
            const vec3 y = m3_tmul(tri_matrix(rigid->d), v3_sub(rod->first[p->node].r, rigid->r));
            const int same =
                member >= 0 && net->plan.member[member].rigid_group == body->rigid_group;
            const int joined = plan->joined[p->rod] == plan->joined[net->plan.rods + body->body];
            vec3 unused;
            const double gap = wy_obstacle_distance(&body->shape, y, &unused) - p->radius;
            plan->never[a * plan->bodies + b] = (char)(same || (joined && gap < 1e-6 * p->radius));
        }
    }
}

static void add_body_points(wy_network *net, int b) {
    wy_contacts_plan *plan = &net->contacts->plan;
    wy_contacts_body *body = &plan->body[b];
    const wy_network_body *own = &net->plan.body[body->body];
    const double mass = net->rigid.plan.problem->body[body->body].mass;
    wy_body_points all;
    wy_body_points_of(&body->shape, &all);
    body->first = plan->body_points, body->body_points = all.count, body->size = all.size;
    body->apart = all.apart;
    for (int k = 0; k < all.count; k++) {
        wy_contacts_support *to = &plan->support[plan->points + plan->body_points++];
        *to = (wy_contacts_support){
            .is = all.one[k], .unit = plan->points + body->rigid_group, .of = b};
        to->is.at = v3_add(own->o, m3_mul(own->q, all.one[k].at));
        to->is.along = m3_mul(own->q, all.one[k].along);
        to->kind = all.kind[k], to->mass = mass / all.corners;
    }
}

/* ---- which bodies touch which ------------------------------------------------------------------------------------ */

static wy_carrier drawn_pose(const wy_network *net, int rigid_group) {
    const wy_director_node *rigid = &net->rigid.plan.first[rigid_group];
    return (wy_carrier){.minus = rigid->r, .from = tri_matrix(rigid->d)};
}

/* Is a body point of body i in body j as they are drawn? */
static int drawn_in(const wy_network *net, int i, int j) {
    const wy_contacts_plan *plan = &net->contacts->plan;
    const wy_contacts_body *own = &plan->body[i], *other = &plan->body[j];
    const wy_carrier at[2] = {drawn_pose(net, own->rigid_group),
                              drawn_pose(net, other->rigid_group)};
    for (int k = own->first; k < own->first + own->body_points; k++) {
        const wy_contacts_support *body_point = &plan->support[plan->points + k];
        const wy_line_segment bar = wy_support_segment(&body_point->is, at, 0);
        double least;
        if (body_point->kind == WY_BODY_POINT_FACE) continue;
        wy_line_segment_nearest(&other->shape, &bar, 0, &least);
        if (least - body_point->is.radius < -1e-6 * own->size) return 1;
    }
    return 0;
}

/* Bodies of one rigid group are one; those that are joined and overlap as they are drawn are meant to. */
static int may_meet(const wy_network *net, int i, int j) {
    const wy_contacts_plan *plan = &net->contacts->plan;
    const int *joined = &plan->joined[net->plan.rods];
    if (plan->body[i].rigid_group == plan->body[j].rigid_group) return 0;
    return joined[plan->body[i].body] != joined[plan->body[j].body] ||
           !(drawn_in(net, i, j) || drawn_in(net, j, i));
}

/* The body point of a ball is all of it: what is no ball need not touch it, too. */
static int leads(const wy_contacts_plan *plan, int i, int j) {
    return plan->body[i].shape.kind == WY_OBSTACLE_SPHERE ||
           plan->body[j].shape.kind != WY_OBSTACLE_SPHERE;
}

static void find_meetings(wy_network *net) {
    wy_contacts_plan *plan = &net->contacts->plan;
    for (int i = 0; i < plan->bodies; i++)
        for (int j = 0; j < plan->bodies; j++) {
            if (i == j || !leads(plan, i, j) || !may_meet(net, i, j)) continue;
            plan->meets[i * plan->bodies + j] = 1;
            plan->bodies_touch = 1;
        }
}

static withy_status find_soft(wy_network *net, withy_error *err) {
    wy_contacts_plan *plan = &net->contacts->plan;
    double least = INFINITY;
    plan->soft = net->rigid.plan.problem->contact.stiffness;
    for (int a = 0; a < plan->points && !(plan->soft > 0); a++)
        least = wy_min(least, plan->point[a].hard);
    if (!(plan->soft > 0) && isfinite(least)) plan->soft = least;
    for (int w = 0; w < plan->obstacles && plan->body_points; w++)
        if (!(plan->soft > 0) && !(plan->obstacle[w].stiffness > 0))
            return wy_bad_input(err,
                                "director: bodies" WY_KEY
                                " and obstacles[%d] can touch, but neither has a stiffness: "
                                "set contact.stiffness, in N/m^2",
                                w + 1);
    if (plan->bodies_touch && !(plan->soft > 0))
        return wy_bad_input(err, "director: bodies" WY_KEY
                                 " can touch each other, but have no stiffness: set "
                                 "contact.stiffness, in N/m^2, or contact.bodies = false");
    return WITHY_OK;
}

/* A body without a shape has no surface to touch with. */
static void report_shapeless(const wy_network *net) {
    const withy_problem *problem = net->rigid.plan.problem;
    for (int i = 0; i < problem->body_count; i++) {
        wy_obstacle unused;
        if (wy_body_surface(&problem->body[i], &unused)) continue;
        wy_note(net->rigid.setup->notes, WY_NOTE(body_without_shape), i + 1);
        return; /* one is enough */
    }
}

/* Obstacles have no body points: what is thinner than the way between two points of a face may pass between them. */
static void report_thin(const wy_network *net) {
    const wy_contacts_plan *plan = &net->contacts->plan;
    for (int i = 0; i < plan->bodies * plan->obstacles; i++) {
        const wy_contacts_body *body = &plan->body[i / plan->obstacles];
        const wy_obstacle *shape = &plan->obstacle[i % plan->obstacles].shape;
        const double thin = wy_obstacle_extent(shape);
        if (body->shape.kind == WY_OBSTACLE_CAPSULE && wy_obstacle_convex(shape)) continue;
        if (!(thin < body->apart)) continue;
        wy_note(net->rigid.setup->notes, WY_NOTE(obstacle_between_points), i % plan->obstacles + 1,
                thin, body->body + 1, body->apart);
        return; /* one is enough */
    }
}

/* ---- all ----------------------------------------------------------------------------------------------------------- */

/* Points of rods, and the body points of bodies where there is anything to touch with them. */
static withy_status make_supports(wy_network *net, withy_error *err) {
    wy_contacts_plan *plan = &net->contacts->plan;
    const withy_problem *problem = net->rigid.plan.problem;
    const size_t bodies = (size_t)plan->bodies;
    const int meet = problem->contact.given && bodies > 1, have = plan->obstacles || meet;
    wy_allocator from = {.arena = net->rigid.setup->arena};
    size_t count = (size_t)plan->points + 1;
    for (int b = 0; b < plan->bodies && have; b++) {
        wy_body_points all;
        wy_body_points_of(&plan->body[b].shape, &all);
        count += (size_t)all.count;
    }
    plan->support = wy_allocator_alloc(&from, count, sizeof *plan->support);
    plan->meets = wy_allocator_alloc(&from, bodies * bodies + 1, 1);
    if (from.failed) return no_memory(err);
    for (int a = 0; a < plan->points; a++) {
        const double r = plan->point[a].radius;
        plan->support[a] = (wy_contacts_support){
            .is = {.radius = r, .size = r}, .unit = a, .of = -1, .mass = plan->point[a].mass};
    }
    for (int b = 0; b < plan->bodies && have; b++) add_body_points(net, b);
    plan->records += 4 * plan->body_points;
    if (have) report_thin(net);
    if (meet) find_meetings(net);
    plan->ties =
        plan->near + plan->body_pairs + (plan->bodies_touch ? plan->bodies * plan->bodies : 0);
    return plan->body_points ? find_soft(net, err) : WITHY_OK;
}

static withy_status make_body_pairs(wy_network *net, withy_error *err) {
    wy_contacts_plan *plan = &net->contacts->plan;
    plan->body_pairs = plan->points * plan->bodies;
    plan->records += plan->points;
    plan->never = wy_arena_alloc(net->rigid.setup->arena, (size_t)plan->body_pairs, 1);
    if (!plan->never) return no_memory(err);
    mark_joined(net);
    for (int i = 0; i < plan->bodies; i++)
        if (wy_contacts_report_thin(net, &plan->body[i].shape, "bodies", plan->body[i].body)) break;
    return WITHY_OK;
}

withy_status wy_contacts_bodies_make(wy_network *net, withy_error *err) {
    if (!net->contacts) return WITHY_OK;
    const withy_problem *problem = net->rigid.plan.problem;
    wy_contacts_plan *plan = &net->contacts->plan;
    const int count = problem->contact.no_bodies ? 0 : problem->body_count;
    plan->rigid_groups = net->plan.rigid_groups;
    plan->body = wy_arena_alloc(net->rigid.setup->arena, (size_t)count + 1, sizeof *plan->body);
    if (!plan->body) return no_memory(err);
    for (int i = 0; i < count; i++) {
        wy_obstacle surface;
        if (wy_body_surface(&problem->body[i], &surface)) add_body(net, i, &surface);
    }
    if (plan->bodies) WY_TRY(wy_contacts_joined(net, plan, err));
    if (plan->bodies && problem->contact.given && plan->points) WY_TRY(make_body_pairs(net, err));
    if (count && (plan->obstacles || problem->contact.given)) report_shapeless(net);
    return make_supports(net, err);
}
