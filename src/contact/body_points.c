/* body_points.c - what bodies touch obstacles and each other with.
 *
 * Body points are balls that are fixed in a body, or that slide on a straight piece of it to where they are nearest:
 *   corner  the centre of a sphere, the ends of the axis of a capsule, the corners of a box: all that a convex body can touch a
 *           plane or a room with, which fill all that is behind their surface; of the edge of a cylinder 12 places, between which
 *           it sinks in by up to 1 - cos(pi/12) = 3.4 % of its radius
 *   piece   the axis of a capsule, the edges of a box, the sides of a cylinder, which touch bodies and convex obstacles wherever
 *           they meet: two convex bodies that overlap have an edge of one in the other
 *   face    points of the faces, because the corners of an obstacle have no body points; not further apart than the smallest half side
 * Edges that are pieces are rounded, so that the nearest point of what they touch is outside of it, where distance is smooth: two
 * edges that cross sink in by (sqrt 2 - 1) of that radius before they touch.
 */
#include "contact/contact.h"

static const double CORNER = 1e-2; /* of the smallest half side: the radius of the corners */
static const double EDGE = 0.2;    /* and of the edges of boxes and cylinders              */
enum { STENCIL = 12, MOST_INTERVALS = 6 };

static void add_body_point(wy_body_points *x, wy_body_point_kind kind, double radius, vec3 at,
                           vec3 along) {
    if (x->count == WY_BODY_POINTS_MAX) return;
    x->kind[x->count] = kind;
    x->one[x->count++] = (wy_support){at, along, radius, x->size};
    x->corners += kind == WY_BODY_POINT_CORNER;
}

static void add_point(wy_body_points *x, wy_body_point_kind kind, double a, double b, double c) {
    add_body_point(x, kind, CORNER * x->size, v3(a, b, c), v3(0, 0, 0));
}

/* Intervals no longer than the smallest half side. */
static int intervals(double length, double size) {
    return (int)wy_max(1, wy_min(MOST_INTERVALS, ceil(length / size * (1 - 1e-9))));
}

static void ball_body_points(wy_body_points *x, const wy_obstacle *shape) {
    add_body_point(x, WY_BODY_POINT_CORNER, shape->radius, v3(0, 0, 0), v3(0, 0, 0));
}

/* A ball that slides on its axis touches bodies and convex obstacles; besides, both ends touch everything, and points between them
 * obstacles that stand free.  Where two of these are in one place a capsule is up to twice as stiff as elsewhere: at its ends. */
static void capsule_body_points(wy_body_points *x, const wy_obstacle *shape) {
    const double r = shape->radius, half = shape->half.z;
    const int n = intervals(2 * half, x->size);
    const vec3 none = v3(0, 0, 0);
    x->apart = 2 * half / n;
    add_body_point(x, WY_BODY_POINT_CORNER, r, v3(0, 0, -half), none);
    add_body_point(x, WY_BODY_POINT_CORNER, r, v3(0, 0, half), none);
    add_body_point(x, WY_BODY_POINT_BAR, r, none, v3(0, 0, half));
    for (int i = 1; i < n; i++)
        add_body_point(x, WY_BODY_POINT_FACE, r, v3(0, 0, half * (2.0 * i / n - 1)), none);
}

/* Four edges along each axis. */
static void box_edges(wy_body_points *x, vec3 half) {
    const double r = EDGE * x->size;
    for (int i = 0; i < 12; i++) {
        const int k = i / 4;
        double at[3], along[3] = {0, 0, 0};
        at[k] = 0, along[k] = v3_get(half, k) - r;
        at[(k + 1) % 3] = (i & 1 ? 1 : -1) * (v3_get(half, (k + 1) % 3) - r);
        at[(k + 2) % 3] = (i & 2 ? 1 : -1) * (v3_get(half, (k + 2) % 3) - r);
        add_body_point(x, WY_BODY_POINT_BAR, r, v3_from(at), v3_from(along));
    }
}

/* Corners and edges, then a grid on the faces. */
static void box_body_points(wy_body_points *x, const wy_obstacle *shape) {
    const vec3 half = shape->half;
    const int n[3] = {intervals(2 * half.x, x->size), intervals(2 * half.y, x->size),
                      intervals(2 * half.z, x->size)};
    const double less = CORNER * x->size, a = half.x - less, b = half.y - less, c = half.z - less;
    for (int i = 0; i < 8; i++)
        add_point(x, WY_BODY_POINT_CORNER, i & 1 ? a : -a, i & 2 ? b : -b, i & 4 ? c : -c);
    box_edges(x, half);
    for (int i = 0; i < 3; i++) x->apart = wy_max(x->apart, 2 * v3_get(half, i) / n[i]);
    for (int i = 0; i <= n[0]; i++)
        for (int j = 0; j <= n[1]; j++)
            for (int k = 0; k <= n[2]; k++) {
                const int sides = (i % n[0] == 0) + (j % n[1] == 0) + (k % n[2] == 0);
                if (sides == 0 || sides == 3) continue;
                add_point(x, WY_BODY_POINT_FACE, a * (2.0 * i / n[0] - 1), b * (2.0 * j / n[1] - 1),
                          c * (2.0 * k / n[2] - 1));
            }
}

/* Both edges; lines along the side, and the axis as that of a capsule inside; rings on the side and on the ends. */
static void drum_body_points(wy_body_points *x, const wy_obstacle *shape) {
    const double radius = shape->radius, half = shape->half.z, r = EDGE * x->size;
    const double far = radius - CORNER * x->size, c = half - CORNER * x->size;
    const int n = intervals(2 * half, x->size), rings = intervals(radius, x->size);
    const vec3 none = v3(0, 0, 0);
    x->apart = wy_max(2 * WY_PI * radius / STENCIL, wy_max(2 * half / n, radius / rings));
    if (half > radius) add_body_point(x, WY_BODY_POINT_BAR, radius, none, v3(0, 0, half - radius));
    for (int i = 0; i < STENCIL; i++) {
        const double u = cos(2 * WY_PI * i / STENCIL), v = sin(2 * WY_PI * i / STENCIL);
        for (int k = 0; k < 2; k++)
            add_point(x, WY_BODY_POINT_CORNER, far * u, far * v, k ? c : -c);
        add_body_point(x, WY_BODY_POINT_BAR, r, v3((radius - r) * u, (radius - r) * v, 0),
                       v3(0, 0, half - r));
        for (int k = 1; k < n; k++)
            add_point(x, WY_BODY_POINT_FACE, far * u, far * v, c * (2.0 * k / n - 1));
        for (int k = 2; k < 2 * rings; k++) {
            const double part = far * (k / 2) / rings;
            add_point(x, WY_BODY_POINT_FACE, part * u, part * v, k & 1 ? c : -c);
        }
    }
    add_point(x, WY_BODY_POINT_FACE, 0, 0, -c), add_point(x, WY_BODY_POINT_FACE, 0, 0, c);
}

void wy_body_points_of(const wy_obstacle *shape, wy_body_points *x) {
    static void (*const make[WY_OBSTACLE_KINDS])(wy_body_points *, const wy_obstacle *) = {
        [WY_OBSTACLE_SPHERE] = ball_body_points,
        [WY_OBSTACLE_CAPSULE] = capsule_body_points,
        [WY_OBSTACLE_BOX] = box_body_points,
        [WY_OBSTACLE_DRUM] = drum_body_points};
    x->count = x->corners = 0, x->apart = 0, x->size = 0.5 * wy_obstacle_extent(shape);
    make[shape->kind](x, shape);
}
