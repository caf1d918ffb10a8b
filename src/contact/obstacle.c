/* obstacle.c - a point of a rod that touches an obstacle: gap, push, friction.
 *
 * g = distance of the point from the surface - r.  The force is N d with the discrete gradient d of the distance,
 * d . (x+ - x-) = g+ - g-:
 *   plane             d = n
 *   sphere, cylinder  d = +-(rho+ + rho-)/(|rho+| + |rho-|), rho the way from the centre or the axis: no torque about either
 *   others            d = grad g(xbar) + (g+ - g- - grad g(xbar) . dx) dx/|dx|^2      (Gonzalez)
 * The last term without what is rounding: of a point that all but rests it would be a direction of chance.
 * Friction as in friction.c with the arm -r n.
 */
#include <float.h>

#include "contact/contact.h"

static const double ROUNDED = 32 * DBL_EPSILON; /* of its size: two distances and a difference */

typedef struct found {
    double g;
    vec3 gradient;
} found;

static found plane_at(const wy_obstacle *o, vec3 x) {
    return (found){v3_dot(o->frame.c3, v3_sub(x, o->point)), o->frame.c3};
}

static vec3 from_centre(const wy_obstacle *o, vec3 x) {
    const vec3 d = v3_sub(x, o->point);
    return o->kind == WY_OBSTACLE_CYLINDER ? v3_axpy(d, -v3_dot(o->frame.c3, d), o->frame.c3) : d;
}

static found round_at(const wy_obstacle *o, vec3 x) {
    const vec3 rho = from_centre(o, x);
    const double far = v3_norm(rho), sign = o->inside ? -1 : 1;
    return (found){sign * (far - o->radius), far > 0 ? v3_scale(sign / far, rho) : v3(0, 0, 0)};
}

/* A box, in its own axes: outside, the distance of the nearest point; inside, of the nearest face. */
static found box_at(const wy_obstacle *o, vec3 x) {
    const vec3 d = m3_tmul(o->frame, v3_sub(x, o->point));
    const double way[3] = {fabs(d.x) - o->half.x, fabs(d.y) - o->half.y, fabs(d.z) - o->half.z};
    const double side[3] = {d.x < 0 ? -1 : 1, d.y < 0 ? -1 : 1, d.z < 0 ? -1 : 1};
    double out[3] = {0, 0, 0}, far = 0;
    int near = 0;
    for (int i = 0; i < 3; i++) {
        if (way[i] > way[near]) near = i;
        if (way[i] > 0) out[i] = way[i] * side[i], far += way[i] * way[i];
    }
    far = sqrt(far);
    if (!(far > 0)) out[near] = side[near];
    const double scale = far > 0 ? 1 / far : 1, sign = o->inside ? -1 : 1;
    return (found){
        sign * (far > 0 ? far : way[near]),
        v3_scale(sign, m3_mul(o->frame, v3(scale * out[0], scale * out[1], scale * out[2])))};
}

static found capsule_at(const wy_obstacle *o, vec3 x) {
    const vec3 d = v3_sub(x, o->point);
    const double along = wy_max(-o->half.z, wy_min(o->half.z, v3_dot(o->frame.c3, d)));
    const vec3 rho = v3_axpy(d, -along, o->frame.c3);
    const double far = v3_norm(rho), sign = o->inside ? -1 : 1;
    return (found){sign * (far - o->radius), far > 0 ? v3_scale(sign / far, rho) : v3(0, 0, 0)};
}

/* A cylinder with ends: as the box, of the way from the axis and the way along it. */
static found drum_at(const wy_obstacle *o, vec3 x) {
    const vec3 d = v3_sub(x, o->point);
    const double along = v3_dot(o->frame.c3, d), sign = o->inside ? -1 : 1;
    const vec3 rho = v3_axpy(d, -along, o->frame.c3);
    const double far = v3_norm(rho), way[2] = {far - o->radius, fabs(along) - o->half.z};
    const vec3 out[2] = {far > 0 ? v3_scale(1 / far, rho) : o->frame.c1,
                         v3_scale(along < 0 ? -1 : 1, o->frame.c3)};
    if (!(way[0] > 0 && way[1] > 0)) {
        const int near = way[1] > way[0];
        return (found){sign * way[near], v3_scale(sign, out[near])};
    }
    const double edge = sqrt(way[0] * way[0] + way[1] * way[1]);
    return (found){sign * edge,
                   v3_scale(sign / edge, v3_axpy(v3_scale(way[0], out[0]), way[1], out[1]))};
}

/* The gradient of a function by central differences. */
static found distance_at(const wy_obstacle *o, vec3 x) {
    const vec3 own = m3_tmul(o->frame, v3_sub(x, o->point));
    const double step = 1e-6 * (o->touches + v3_norm(own));
    found out = {o->distance(o->self, own), v3(0, 0, 0)};
    for (int i = 0; i < 3; i++) {
        const vec3 low = v3_axpy(own, -step, v3_axis(i)), high = v3_axpy(own, step, v3_axis(i));
        const double more = o->distance(o->self, high) - o->distance(o->self, low);
        out.gradient = v3_axpy(out.gradient, more / (2 * step), v3_axis(i));
    }
    out.gradient = m3_mul(o->frame, out.gradient);
    return out;
}

static found mesh_at(const wy_obstacle *o, vec3 x) {
    found out;
    out.g = wy_mesh_distance(o->self, m3_tmul(o->frame, v3_sub(x, o->point)), &out.gradient);
    out.gradient = m3_mul(o->frame, out.gradient);
    return out;
}

static found (*const table[WY_OBSTACLE_KINDS])(const wy_obstacle *, vec3) = {
    [WY_OBSTACLE_PLANE] = plane_at,     [WY_OBSTACLE_SPHERE] = round_at,
    [WY_OBSTACLE_CYLINDER] = round_at,  [WY_OBSTACLE_BOX] = box_at,
    [WY_OBSTACLE_CAPSULE] = capsule_at, [WY_OBSTACLE_DISTANCE] = distance_at,
    [WY_OBSTACLE_DRUM] = drum_at,       [WY_OBSTACLE_MESH] = mesh_at,
};

double wy_obstacle_distance(const wy_obstacle *obstacle, vec3 x, vec3 *gradient) {
    const found f = table[obstacle->kind](obstacle, x);
    *gradient = f.gradient;
    return f.g;
}

int wy_obstacle_beyond(const wy_obstacle *o, vec3 x, double least) {
    vec3 unused;
    if (o->kind == WY_OBSTACLE_MESH &&
        wy_mesh_least(o->self, m3_tmul(o->frame, v3_sub(x, o->point))) > least)
        return 1;
    return wy_obstacle_distance(o, x, &unused) > least;
}

int wy_obstacle_thick(const wy_obstacle *o) {
    return o->kind == WY_OBSTACLE_PLANE || o->inside;
}

int wy_obstacle_convex(const wy_obstacle *o) {
    return !o->inside && o->kind != WY_OBSTACLE_DISTANCE && o->kind != WY_OBSTACLE_MESH;
}

double wy_obstacle_between(const wy_obstacle *o, vec3 a, vec3 b) {
    const vec3 way = v3_sub(b, a);
    const double far = 0.5 * v3_norm(way); /* from the nearer end, at most */
    double least = INFINITY;
    vec3 unused;
    if (wy_obstacle_thick(o)) return INFINITY; /* convex: nothing is deeper than the ends */
    if (wy_obstacle_beyond(o, a, far) && wy_obstacle_beyond(o, b, far)) return INFINITY;
    for (int i = 1; i < 4; i++)
        least = wy_min(least, wy_obstacle_distance(o, v3_axpy(a, 0.25 * i, way), &unused));
    return least;
}

double wy_obstacle_extent(const wy_obstacle *o) {
    if (o->inside) return INFINITY;
    switch (o->kind) {
    case WY_OBSTACLE_SPHERE:
    case WY_OBSTACLE_CYLINDER:
    case WY_OBSTACLE_CAPSULE: return 2 * o->radius;
    case WY_OBSTACLE_DRUM: return 2 * wy_min(o->radius, o->half.z);
    case WY_OBSTACLE_BOX: return 2 * wy_min(o->half.x, wy_min(o->half.y, o->half.z));
    case WY_OBSTACLE_MESH: return wy_mesh_extent(o->self);
    default: return INFINITY;
    }
}

/* The discrete gradient. */
static vec3 direction(const wy_obstacle *o, vec3 minus, vec3 plus, double change) {
    if (o->kind == WY_OBSTACLE_PLANE) return o->frame.c3;
    if (o->kind == WY_OBSTACLE_SPHERE || o->kind == WY_OBSTACLE_CYLINDER) {
        const vec3 a = from_centre(o, minus), b = from_centre(o, plus);
        const double sum = v3_norm(a) + v3_norm(b);
        return sum > 0 ? v3_scale((o->inside ? -1 : 1) / sum, v3_add(a, b)) : v3(0, 0, 0);
    }
    const vec3 dx = v3_sub(plus, minus);
    const vec3 grad = table[o->kind](o, v3_scale(0.5, v3_add(minus, plus))).gradient;
    const double far = v3_dot(dx, dx), miss = change - v3_dot(grad, dx);
    const double size = v3_norm(v3_sub(plus, o->point)) + v3_norm(o->half) + o->radius;
    return far > 0 && fabs(miss) > ROUNDED * size ? v3_axpy(grad, miss / far, dx) : grad;
}

vec3 wy_obstacle_direction(const wy_obstacle *obstacle, vec3 minus, vec3 plus, double change) {
    return direction(obstacle, minus, plus, change);
}

typedef double three[3][3];

static vec3 column(three m, int j) {
    return v3(m[0][j], m[1][j], m[2][j]);
}
static void set_column(three m, int j, vec3 v) {
    m[0][j] = v.x, m[1][j] = v.y, m[2][j] = v.z;
}
/* Has it a direction in closed form? */
static int is_closed(const wy_obstacle *o) {
    return o->kind == WY_OBSTACLE_PLANE || o->kind == WY_OBSTACLE_SPHERE ||
           o->kind == WY_OBSTACLE_CYLINDER;
}

/* How the direction changes with x+: closed for what is round, by differences for the rest. */
static void direction_slope(const wy_obstacle *o, const wy_obstacle_step *step, vec3 d, three out) {
    const vec3 a = from_centre(o, step->minus), b = from_centre(o, step->plus);
    const double far = v3_norm(b), sum = v3_norm(a) + far,
                 h = 1e-6 * (step->radius + v3_norm(v3_sub(step->plus, step->minus)));
    const double sign = o->inside ? -1 : 1;
    const int equilibrium = step->per == 0; /* the start of the step moves with its end */
    vec3 unused;
    const double before =
        equilibrium || is_closed(o) ? 0 : wy_obstacle_distance(o, step->minus, &unused);
    for (int j = 0; j < 3; j++) {
        vec3 slope = v3(0, 0, 0);
        if (o->kind == WY_OBSTACLE_SPHERE || o->kind == WY_OBSTACLE_CYLINDER) {
            const vec3 e =
                o->kind == WY_OBSTACLE_CYLINDER ? wy_across(o->frame.c3, v3_axis(j)) : v3_axis(j);
            const double all = equilibrium ? far : sum;
            slope = v3_axpy(v3_scale(sign / all, e), -v3_dot(b, e) / (far * all), d);
        } else if (o->kind != WY_OBSTACLE_PLANE) {
            vec3 side[2];
            for (int k = 0; k < 2; k++) {
                const vec3 x = v3_axpy(step->plus, k ? h : -h, v3_axis(j));
                const double after = equilibrium ? 0 : wy_obstacle_distance(o, x, &unused);
                side[k] = direction(o, equilibrium ? x : step->minus, x, after - before);
            }
            slope = v3_scale(0.5 / h, v3_sub(side[1], side[0]));
        }
        set_column(out, j, slope);
    }
}

static void add_slope(wy_obstacle_push *out, int row, int j, vec3 v) {
    for (int a = 0; a < 3; a++) out->slope[row + a][j] += v3_get(v, a);
}

/* What is left of z* and of a change dz of it: at most mu N/K_t, which changes by mu dN/K_t. */
static vec3 cap(vec3 star, double k, double mu, const wy_obstacle_push *now, vec3 dz, double dpush,
                vec3 *change) {
    const double size = v3_norm(star), limit = mu * now->of_tangent;
    *change = dz;
    if (!(k * size > limit)) return star;
    const vec3 way = v3_scale(1 / size, star);
    *change = v3_axpy(v3_scale(limit / (k * size), wy_across(way, dz)), mu * dpush / k, way);
    return v3_scale(mu * now->push / k, way);
}

/* z+ from z*, and its change: one cap, or one along the rod and one across it. */
static vec3 kept(const wy_obstacle_step *step, const wy_obstacle_push *now, vec3 star, vec3 dz,
                 vec3 dn, double dpush, vec3 *change) {
    const double k = step->stick;
    if (!step->directed) return cap(star, k, step->friction, now, dz, dpush, change);
    const vec3 flat = wy_across(now->normal, step->along); /* a = T d3/|T d3| */
    const double length = v3_norm(flat);
    if (!(length > 1e-6)) return cap(star, k, step->friction, now, dz, dpush, change);
    const vec3 a = v3_scale(1 / length, flat);
    const vec3 dflat = v3_axpy(v3_scale(-v3_dot(now->normal, step->along), dn),
                               -v3_dot(dn, step->along), now->normal);
    const vec3 da = v3_scale(1 / length, wy_across(a, dflat));
    const double za = v3_dot(star, a), dza = v3_dot(dz, a) + v3_dot(star, da);
    const double mu = za > 0 ? step->forward : step->back;
    const vec3 one = v3_scale(za, a), done = v3_axpy(v3_scale(dza, a), za, da);
    vec3 first, second;
    const vec3 x = cap(one, k, mu, now, done, dpush, &first);
    const vec3 y = cap(v3_sub(star, one), k, step->friction, now, v3_sub(dz, done), dpush, &second);
    *change = v3_add(first, second);
    return v3_add(x, y);
}

/* Friction: z* = T (z- + dx - r theta x n), f = -K_t z+, moment -r n x f. */
static void tangential(const wy_obstacle_step *step, three turn, const vec3 *push_row,
                       wy_obstacle_push *out) {
    const vec3 n = out->normal;
    const double r = step->radius, k = step->stick;
    const vec3 dx = v3_sub(step->plus, step->minus), none = v3(0, 0, 0);
    const vec3 y = v3_sub(v3_add(step->z, dx), v3_scale(r, v3_cross(step->theta, n)));
    const vec3 star = wy_across(n, y), arm = v3_scale(-r, n);
    vec3 dkept;
    out->z = kept(step, out, star, none, none, 0, &dkept);
    const vec3 f = v3_scale(-k, out->z);
    for (int j = 0; j < 6; j++) {
        const vec3 dn = j < 3 ? column(turn, j) : none;
        const vec3 dy = j < 3 ? v3_axpy(v3_axis(j), -r, v3_cross(step->theta, dn))
                              : v3_scale(-r, v3_cross(v3_axis(j - 3), n));
        const vec3 dz = v3_axpy(v3_axpy(wy_across(n, dy), -v3_dot(n, y), dn), -v3_dot(dn, y), n);
        kept(step, out, star, dz, dn, j < 3 ? v3_get(*push_row, j) : 0, &dkept);
        const vec3 df = v3_scale(-k, dkept);
        add_slope(out, 0, j, df);
        add_slope(out, 3, j, v3_add(v3_cross(v3_scale(-r, dn), f), v3_cross(arm, df)));
    }
    out->force = v3_add(out->force, f);
    out->moment = v3_cross(arm, f);
    out->kept = 0.5 * k * (v3_dot(out->z, out->z) - v3_dot(step->z, step->z));
    out->lost = -v3_dot(f, v3_sub(y, step->z)) - out->kept;
}

int wy_obstacle_push_on(const wy_obstacle *obstacle, const wy_obstacle_step *step,
                        wy_obstacle_push *out) {
    *out = (wy_obstacle_push){0};
    vec3 before, gradient;
    const double minus = wy_obstacle_distance(obstacle, step->minus, &before) - step->radius;
    double slope;
    out->gap = wy_obstacle_distance(obstacle, step->plus, &gradient) - step->radius;
    out->push = wy_contact_law_push(&step->law, minus, out->gap, step->per, &slope);
    if (!wy_contact_law_acts(&step->law, out->push, step->per)) return 0;
    out->of_tangent = wy_contact_law_tangent(&step->law, out->push, step->per);
    const vec3 from = step->per != 0 ? step->minus : step->plus;
    const vec3 d = direction(obstacle, from, step->plus, step->per != 0 ? out->gap - minus : 0),
               row = v3_scale(slope, gradient);
    three by = {{0}};
    direction_slope(obstacle, step, d, by);
    for (int j = 0; j < 3; j++)
        add_slope(out, 0, j, v3_axpy(v3_scale(out->of_tangent, column(by, j)), v3_get(row, j), d));
    const double size = v3_norm(d);
    out->normal = v3_scale(1 / size, d);
    out->force = v3_scale(out->push, d);
    for (int j = 0; j < 3; j++)
        set_column(by, j, v3_scale(1 / size, wy_across(out->normal, column(by, j))));
    if (step->friction > 0 || (step->directed && step->forward + step->back > 0))
        tangential(step, by, &row, out);
    return 1;
}
