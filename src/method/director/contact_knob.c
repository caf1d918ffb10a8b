/* contact_knob.c - what bodies touch obstacles and each other with.
 *
 * Knobs are balls that are fixed in a body, or that slide on a straight piece of it to where they are nearest:
 *   corner  the centre of a sphere, the ends of the axis of a capsule, the corners of a box: all that a convex body can touch a
 *           plane or a room with, which fill all that is behind their surface; of the edge of a cylinder 12 places, between which
 *           it sinks in by up to 1 - cos(pi/12) = 3.4 % of its radius
 *   piece   the axis of a capsule, the edges of a box, the sides of a cylinder, which touch bodies and convex obstacles wherever
 *           they meet: two convex bodies that overlap have an edge of one in the other
 *   face    points of the faces, because the corners of an obstacle have no knobs; not further apart than the smallest half side
 * Edges that are pieces are rounded, so that the nearest point of what they touch is outside of it, where distance is smooth: two
 * edges that cross sink in by (sqrt 2 - 1) of that radius before they touch.
 */
#include <string.h>

#include "method/director/contacts.h"

static const double CORNER = 1e-2; /* of the smallest half side: the radius of the corners */
static const double EDGE = 0.2;    /* and of the edges of boxes and cylinders              */
enum { AROUND = 12, MOST_INTERVALS = 6, KNOBS_MOST = 320 };

typedef struct place {
    wy_knob_kind kind;
    vec3 at, along;
    double radius;
} place;

/* The knobs of a shape, in its own axes. */
typedef struct knobs {
    int count, corners;
    double size;  /* half the smallest side: what stiffnesses are multiplied by */
    double apart; /* points of the faces */
    place one[KNOBS_MOST];
} knobs;

static void add_knob(knobs *x, wy_knob_kind kind, double radius, vec3 at, vec3 along) {
    if (x->count == KNOBS_MOST) return;
    x->one[x->count++] = (place){kind, at, along, radius};
    x->corners += kind == WY_KNOB_CORNER;
}

static void add_point(knobs *x, wy_knob_kind kind, double a, double b, double c) {
    add_knob(x, kind, CORNER * x->size, v3(a, b, c), v3(0, 0, 0));
}

/* Intervals no longer than the smallest half side. */
static int intervals(double length, double size) {
    return (int)wy_max(1, wy_min(MOST_INTERVALS, ceil(length / size * (1 - 1e-9))));
}

static void ball_knobs(knobs *x, const wy_obstacle *shape) {
    add_knob(x, WY_KNOB_CORNER, shape->radius, v3(0, 0, 0), v3(0, 0, 0));
}

/* A ball that slides on its axis touches bodies and convex obstacles; besides, both ends touch everything, and points between them
 * obstacles that stand free.  Where two of these are in one place a capsule is up to twice as stiff as elsewhere: at its ends. */
static void capsule_knobs(knobs *x, const wy_obstacle *shape) {
    const double r = shape->radius, half = shape->half.z;
    const int n = intervals(2 * half, x->size);
    const vec3 none = v3(0, 0, 0);
    x->apart = 2 * half / n;
    add_knob(x, WY_KNOB_CORNER, r, v3(0, 0, -half), none);
    add_knob(x, WY_KNOB_CORNER, r, v3(0, 0, half), none);
    add_knob(x, WY_KNOB_BAR, r, none, v3(0, 0, half));
    for (int i = 1; i < n; i++)
        add_knob(x, WY_KNOB_FACE, r, v3(0, 0, half * (2.0 * i / n - 1)), none);
}

/* Four edges along each axis. */
static void box_edges(knobs *x, vec3 half) {
    const double r = EDGE * x->size;
    for (int i = 0; i < 12; i++) {
        const int k = i / 4;
        double at[3], along[3] = {0, 0, 0};
        at[k] = 0, along[k] = v3_get(half, k) - r;
        at[(k + 1) % 3] = (i & 1 ? 1 : -1) * (v3_get(half, (k + 1) % 3) - r);
        at[(k + 2) % 3] = (i & 2 ? 1 : -1) * (v3_get(half, (k + 2) % 3) - r);
        add_knob(x, WY_KNOB_BAR, r, v3_from(at), v3_from(along));
    }
}

/* Corners and edges, then a grid on the faces. */
static void box_knobs(knobs *x, const wy_obstacle *shape) {
    const vec3 half = shape->half;
    const int n[3] = {intervals(2 * half.x, x->size), intervals(2 * half.y, x->size),
                      intervals(2 * half.z, x->size)};
    const double less = CORNER * x->size, a = half.x - less, b = half.y - less, c = half.z - less;
    for (int i = 0; i < 8; i++)
        add_point(x, WY_KNOB_CORNER, i & 1 ? a : -a, i & 2 ? b : -b, i & 4 ? c : -c);
    box_edges(x, half);
    for (int i = 0; i < 3; i++) x->apart = wy_max(x->apart, 2 * v3_get(half, i) / n[i]);
    for (int i = 0; i <= n[0]; i++)
        for (int j = 0; j <= n[1]; j++)
            for (int k = 0; k <= n[2]; k++) {
                const int sides = (i % n[0] == 0) + (j % n[1] == 0) + (k % n[2] == 0);
                if (sides == 0 || sides == 3) continue;
                add_point(x, WY_KNOB_FACE, a * (2.0 * i / n[0] - 1), b * (2.0 * j / n[1] - 1),
                          c * (2.0 * k / n[2] - 1));
            }
}

/* Both edges; lines along the side, and the axis as that of a capsule inside; rings on the side and on the ends. */
static void drum_knobs(knobs *x, const wy_obstacle *shape) {
    const double radius = shape->radius, half = shape->half.z, r = EDGE * x->size;
    const double far = radius - CORNER * x->size, c = half - CORNER * x->size;
    const int n = intervals(2 * half, x->size), rings = intervals(radius, x->size);
    const vec3 none = v3(0, 0, 0);
    x->apart = wy_max(2 * WY_PI * radius / AROUND, wy_max(2 * half / n, radius / rings));
    if (half > radius) add_knob(x, WY_KNOB_BAR, radius, none, v3(0, 0, half - radius));
    for (int i = 0; i < AROUND; i++) {
        const double u = cos(2 * WY_PI * i / AROUND), v = sin(2 * WY_PI * i / AROUND);
        for (int k = 0; k < 2; k++) add_point(x, WY_KNOB_CORNER, far * u, far * v, k ? c : -c);
        add_knob(x, WY_KNOB_BAR, r, v3((radius - r) * u, (radius - r) * v, 0), v3(0, 0, half - r));
        for (int k = 1; k < n; k++)
            add_point(x, WY_KNOB_FACE, far * u, far * v, c * (2.0 * k / n - 1));
        for (int k = 2; k < 2 * rings; k++) {
            const double part = far * (k / 2) / rings;
            add_point(x, WY_KNOB_FACE, part * u, part * v, k & 1 ? c : -c);
        }
    }
    add_point(x, WY_KNOB_FACE, 0, 0, -c), add_point(x, WY_KNOB_FACE, 0, 0, c);
}

static void knobs_of(const wy_obstacle *shape, knobs *x) {
    static void (*const make[WY_OBSTACLE_KINDS])(knobs *, const wy_obstacle *) = {
        [WY_OBSTACLE_SPHERE] = ball_knobs,
        [WY_OBSTACLE_CAPSULE] = capsule_knobs,
        [WY_OBSTACLE_BOX] = box_knobs,
        [WY_OBSTACLE_DRUM] = drum_knobs};
    x->count = x->corners = 0, x->apart = 0, x->size = 0.5 * wy_obstacle_extent(shape);
    make[shape->kind](x, shape);
}

static void add_knobs(wy_network *net, int b) {
    wy_touch_plan *plan = &net->touch->plan;
    wy_touch_body *body = &plan->body[b];
    const wy_network_body *own = &net->plan.body[body->body];
    const double mass = net->hub.plan.problem->body[body->body].mass;
    knobs all;
    knobs_of(&body->shape, &all);
    body->first = plan->knobs, body->knobs = all.count, body->size = all.size;
    body->apart = all.apart;
    for (int k = 0; k < all.count; k++)
        plan->knob[plan->knobs++] =
            (wy_touch_knob){.cluster = body->cluster,
                            .body = body->body,
                            .of = b,
                            .kind = all.one[k].kind,
                            .at = v3_add(own->o, m3_mul(own->q, all.one[k].at)),
                            .along = m3_mul(own->q, all.one[k].along),
                            .radius = all.one[k].radius,
                            .size = all.size,
                            .mass = mass / all.corners};
}

/* ---- which bodies touch which ------------------------------------------------------------------------------------ */

/* The gap of a knob and a body as they are drawn. */
static double drawn_gap(const wy_network *net, const wy_touch_knob *knob,
                        const wy_touch_body *body) {
    const wy_director_node *own = &net->hub.plan.first[knob->cluster],
                           *hub = &net->hub.plan.first[body->cluster];
    const mat3 axes = tri_matrix(own->d), other = tri_matrix(hub->d);
    const vec3 y = v3_add(v3_sub(own->r, hub->r), m3_mul(axes, knob->at));
    const wy_bar piece = {m3_tmul(other, y), m3_tmul(other, m3_mul(axes, knob->along))};
    double least;
    wy_bar_nearest(&body->shape, &piece, 0, &least);
    return least - knob->radius;
}

static int drawn_in(const wy_network *net, int i, int j) {
    const wy_touch_plan *plan = &net->touch->plan;
    const wy_touch_body *own = &plan->body[i];
    for (int k = own->first; k < own->first + own->knobs; k++)
        if (plan->knob[k].kind != WY_KNOB_FACE &&
            drawn_gap(net, &plan->knob[k], &plan->body[j]) < -1e-6 * own->size)
            return 1;
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

/* Obstacles have no knobs: what is thinner than the way between two points of a face may pass between them. */
static void tell_thin(const wy_network *net) {
    const wy_touch_plan *plan = &net->touch->plan;
    for (int i = 0; i < plan->bodies * plan->walls; i++) {
        const wy_touch_body *body = &plan->body[i / plan->walls];
        const wy_obstacle *shape = &plan->wall[i % plan->walls].shape;
        const double thin = wy_obstacle_extent(shape);
        if (body->shape.kind == WY_OBSTACLE_CAPSULE && wy_obstacle_convex(shape)) continue;
        if (!(thin < body->apart)) continue;
        wy_note(
            net->hub.setup->notes,
            "director: obstacles[%d], %.3g m at its thinnest, fits between two points of a face "
            "of bodies[%d], which are %.3g m apart: it may pass into the body there; where it is a "
            "sphere, box, capsule or cylinder with ends, a body of that shape that is welded to "
            "the ground touches everywhere, else make it thicker",
            i % plan->walls + 1, thin, body->body + 1, body->apart);
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
    tell_thin(net);
    plan->marks += 4 * plan->knobs;
    if (meet) find_meetings(net);
    return find_soft(net, err);
}
