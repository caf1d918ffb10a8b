/* contact_knob.c - what bodies touch obstacles and each other with.
 *
 * Knobs are balls that are fixed in a body: the centre of a sphere, balls along the axis of a capsule, points of the surface of
 * a box or a cylinder, whose edges they round a little.  What fills all that is behind its surface (a plane, a room) is touched
 * by the ends of the axis, the corners and the edges alone, which is all that a body with a convex shape can touch it with;
 * what stands free may meet a body between them, and there are knobs not further apart than the smallest half side.
 */
#include <string.h>

#include "method/director/contacts.h"

static const double ROUNDED =
    1e-2; /* of the smallest half side: the edges of boxes and cylinders */
enum { AROUND = 12, MOST_INTERVALS = 6, KNOBS_MOST = 300 };

/* The knobs of a shape, in its own axes: those that walls touch which fill all behind their surface, then the others. */
typedef struct knobs {
    int count, coarse;
    double radius, size; /* of each; what stiffnesses are multiplied by */
    vec3 at[KNOBS_MOST];
} knobs;

static void add_knob(knobs *x, double a, double b, double c) {
    if (x->count < KNOBS_MOST) x->at[x->count++] = v3(a, b, c);
}

/* Intervals no longer than the smallest half side. */
static int intervals(double length, double size) {
    return (int)wy_max(1, wy_min(MOST_INTERVALS, ceil(length / size * (1 - 1e-9))));
}

static void capsule_knobs(knobs *x, double half) {
    const int n = intervals(2 * half, x->size);
    add_knob(x, 0, 0, -half), add_knob(x, 0, 0, half);
    x->coarse = x->count;
    for (int i = 1; i < n; i++) add_knob(x, 0, 0, half * (2.0 * i / n - 1));
}

/* The corners, then a grid on the faces. */
static void box_knobs(knobs *x, vec3 half) {
    const int n[3] = {intervals(2 * half.x, x->size), intervals(2 * half.y, x->size),
                      intervals(2 * half.z, x->size)};
    const double a = half.x - x->radius, b = half.y - x->radius, c = half.z - x->radius;
    for (int i = 0; i < 8; i++) add_knob(x, i & 1 ? a : -a, i & 2 ? b : -b, i & 4 ? c : -c);
    x->coarse = x->count;
    for (int i = 0; i <= n[0]; i++)
        for (int j = 0; j <= n[1]; j++)
            for (int k = 0; k <= n[2]; k++) {
                const int sides = (i % n[0] == 0) + (j % n[1] == 0) + (k % n[2] == 0);
                if (sides == 0 || sides == 3) continue;
                add_knob(x, a * (2.0 * i / n[0] - 1), b * (2.0 * j / n[1] - 1),
                         c * (2.0 * k / n[2] - 1));
            }
}

/* The edges, then rings on the side and on the ends. */
static void drum_knobs(knobs *x, double radius, double half) {
    const double far = radius - x->radius, c = half - x->radius;
    const int n = intervals(2 * half, x->size), rings = intervals(radius, x->size);
    for (int i = 0; i < 2 * AROUND; i++) {
        const double angle = 2 * WY_PI * (i / 2) / AROUND;
        add_knob(x, far * cos(angle), far * sin(angle), i & 1 ? c : -c);
    }
    x->coarse = x->count;
    for (int i = 0; i < AROUND; i++) {
        const double angle = 2 * WY_PI * i / AROUND;
        for (int k = 1; k < n; k++)
            add_knob(x, far * cos(angle), far * sin(angle), c * (2.0 * k / n - 1));
        for (int k = 2; k < 2 * rings; k++)
            add_knob(x, far * (k / 2) / rings * cos(angle), far * (k / 2) / rings * sin(angle),
                     k & 1 ? c : -c);
    }
    add_knob(x, 0, 0, -c), add_knob(x, 0, 0, c);
}

static void knobs_of(const wy_obstacle *shape, knobs *x) {
    const vec3 half = shape->half;
    x->count = 0, x->size = x->radius = shape->radius;
    if (shape->kind == WY_OBSTACLE_SPHERE) {
        add_knob(x, 0, 0, 0), x->coarse = x->count;
    } else if (shape->kind == WY_OBSTACLE_CAPSULE) {
        capsule_knobs(x, half.z);
    } else if (shape->kind == WY_OBSTACLE_BOX) {
        x->size = wy_min(half.x, wy_min(half.y, half.z)), x->radius = ROUNDED * x->size;
        box_knobs(x, half);
    } else {
        x->size = wy_min(shape->radius, half.z), x->radius = ROUNDED * x->size;
        drum_knobs(x, shape->radius, half.z);
    }
}

static void add_knobs(wy_network *net, int b) {
    wy_touch_plan *plan = &net->touch->plan;
    wy_touch_body *body = &plan->body[b];
    const wy_network_body *own = &net->plan.body[body->body];
    knobs all;
    knobs_of(&body->shape, &all);
    body->first = plan->knobs, body->knobs = all.count, body->size = all.size;
    for (int k = 0; k < all.count; k++)
        plan->knob[plan->knobs++] =
            (wy_touch_knob){.cluster = body->cluster,
                            .body = body->body,
                            .of = b,
                            .fine = k >= all.coarse,
                            .at = v3_add(own->o, m3_mul(own->q, all.at[k])),
                            .radius = all.radius,
                            .size = all.size,
                            .mass = net->hub.plan.problem->body[body->body].mass / all.coarse};
}

/* ---- which bodies touch which ------------------------------------------------------------------------------------ */

/* The gap of a knob and a body as they are drawn. */
static double drawn_gap(const wy_network *net, const wy_touch_knob *knob,
                        const wy_touch_body *body) {
    const wy_director_node *own = &net->hub.plan.first[knob->cluster],
                           *hub = &net->hub.plan.first[body->cluster];
    const vec3 x = v3_add(own->r, m3_mul(tri_matrix(own->d), knob->at));
    vec3 unused;
    return wy_obstacle_distance(&body->shape, m3_tmul(tri_matrix(hub->d), v3_sub(x, hub->r)),
                                &unused) -
           knob->radius;
}

static int drawn_in(const wy_network *net, int i, int j) {
    const wy_touch_plan *plan = &net->touch->plan;
    const wy_touch_body *own = &plan->body[i];
    for (int k = own->first; k < own->first + own->knobs; k++)
        if (drawn_gap(net, &plan->knob[k], &plan->body[j]) < -1e-6 * own->size) return 1;
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

/* The knob of a ball is all of it: it touches what is no ball, and of two balls the first the second. */
static int leads(const wy_touch_plan *plan, int i, int j) {
    const int ball[2] = {plan->body[i].shape.kind == WY_OBSTACLE_SPHERE,
                         plan->body[j].shape.kind == WY_OBSTACLE_SPHERE};
    return ball[0] && ball[1] ? i < j : !ball[1];
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
                           "director: bodies touch obstacles[%d] with a stiffness that nothing "
                           "gives: give contact.stiffness, in N/m^2",
                           w + 1);
    if (plan->clashes && !(plan->soft > 0))
        return wy_fail(
            err, WITHY_BAD_INPUT,
            "director: bodies touch each other with a stiffness that nothing gives: give "
            "contact.stiffness, in N/m^2, or contact.bodies = false");
    return WITHY_OK;
}

/* A body without a shape has no surface to touch with. */
static void tell_shapeless(const wy_network *net) {
    const withy_problem *problem = net->hub.plan.problem;
    for (int i = 0; i < problem->body_count; i++) {
        wy_obstacle unused;
        if (wy_body_surface(&problem->body[i], &unused)) continue;
        wy_note(net->hub.setup->notes,
                "director: bodies[%d] has no shape and touches nothing: obstacles and rods pass "
                "through it; give it one (shape), where that is not meant",
                i + 1);
        return; /* one is enough */
    }
}

withy_status wy_touch_knobs_make(wy_network *net, withy_error *err) {
    wy_touch_plan *plan = &net->touch->plan;
    const withy_problem *problem = net->hub.plan.problem;
    const size_t bodies = (size_t)plan->bodies;
    const int meet = problem->contact.given && bodies > 1;
    wy_taker from = {.arena = net->hub.setup->arena};
    size_t count = 0;
    if (plan->walls || problem->contact.given) tell_shapeless(net);
    if (!bodies || !(plan->walls || meet)) return WITHY_OK;
    for (int b = 0; b < plan->bodies; b++) {
        knobs all;
        knobs_of(&plan->body[b].shape, &all);
        count += (size_t)all.count;
    }
    plan->knob = wy_taker_take(&from, count, sizeof *plan->knob);
    plan->meets = wy_taker_take(&from, bodies * bodies, 1);
    if (from.failed)
        return wy_fail(err, WITHY_NO_MEMORY, "director: no memory for the bodies that touch");
    for (int b = 0; b < plan->bodies; b++) add_knobs(net, b);
    plan->marks += 4 * plan->knobs;
    if (meet) find_meetings(net);
    return find_soft(net, err);
}
