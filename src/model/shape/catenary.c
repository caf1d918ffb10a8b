/* catenary.c - CATENARY: how a chain of the rod's length hangs between two points.
 *
 * In the vertical plane through from and to, x to the side and y upwards, with sigma the arc length from
 * the lowest point (which may lie outside):
 *
 *   x = a asinh(sigma/a),   y = sqrt(a^2 + sigma^2),   slope = sigma/a
 *
 * For a chord (h, v) and the length L, sinh(k)/k = sqrt(L^2 - v^2)/h with k = h/(2a), and the middle of
 * the arc has the slope v/sqrt(L^2 - v^2).
 *
 * Points (almost) above each other would fold it into two lines with a kink below.  There it is two
 * straight legs, tangents to a circle at the bottom: just as long, and smooth.
 *
 * Where it would hang below a level bed, it lies on it.  Both hanging legs are those of one a, and leave the bed level.  With
 * v1, v2 the heights of the ends over the bed,
 *
 *   s_i = sqrt(v_i (v_i + 2 a)),   x_i = a acosh(1 + v_i/a),   L - s1 - s2 = h - x1 - x2                          (1)
 *
 * and s_i - x_i falls from v_i to 0 as a grows.
 */
#include "model/shape/shape.h"

static const double FOLD = 1e-3;  /* least radius, of the length, of a catenary          */
static const double ROUND = 0.02; /* radius of the circle instead, of the length         */
static const double ROOM = 0.1;   /* and at most this part of what the rod is too long by */
static const double LEAST = 1e-9; /* a rod is longer than the chord by this part         */

/* ---- catenary ------------------------------------------------------------------------------------ */

/* k > 0 of sinh(k)/k = q > 1, which is convex: Newton's steps from above stay above. */
static double solve_sinh(double q) {
    double k = q < 1.5 ? sqrt(6 * (q - 1)) : log(2 * q) + log(log(2 * q) + 2);
    for (int i = 0; i < 60; i++) {
        const double square = k * k;
        const int small = k < 0.01;
        const double more = small ? square / 6 * (1 + square / 20) : sinh(k) / k - 1;
        const double slope = small ? k / 3 * (1 + square / 10) : (cosh(k) - sinh(k) / k) / k;
        const double step = (more - (q - 1)) / slope;
        k -= step;
        if (!(fabs(step) > 1e-16 * k)) break;
    }
    return k;
}

static void make_catenary(wy_catenary *x, double h, double v) {
    const double l = x->length, wide = sqrt((l - v) * (l + v));
    const double k = solve_sinh(wide / h);
    x->a = 0.5 * h / k;
    /* sigma/a is sinh of the abscissa over a: -k + asinh(v/wide) at the start */
    x->first = x->a * sinh(asinh(v / wide) - k);
}

/* Least radius of curvature between the ends. */
static double least_radius(const wy_catenary *x) {
    const double u0 = x->first / x->a, u1 = u0 + x->length / x->a;
    const double nearest = u0 * u1 < 0 ? 0 : wy_min(fabs(u0), fabs(u1));
    return x->a * (1 + nearest * nearest);
}

/* ---- two legs and a circle -------------------------------------------------------------------------- */

/* Length of the way to (h, v) that passes below a circle of radius r, whose centre is half way to the
 * side and `down` below the start. */
static double way_round(wy_catenary *x, double h, double v, double r, double down) {
    const double near = hypot(0.5 * h, down), far = hypot(0.5 * h, down + v);
    x->leg[0] = sqrt(wy_max((near - r) * (near + r), 0));
    x->leg[1] = sqrt(wy_max((far - r) * (far + r), 0));
    x->angle = atan2(-down, 0.5 * h) - asin(wy_min(r / near, 1));
    x->turn = atan2(down + v, 0.5 * h) + asin(wy_min(r / far, 1)) - x->angle;
    return x->leg[0] + x->leg[1] + r * x->turn;
}

/* 0: there is no room for it. */
static int make_loop(wy_catenary *x, double h, double v, double least) {
    double r = wy_min(ROUND * x->length, ROOM * (x->length - hypot(h, v)));
    const double deep = wy_max(-v, 0);
    while (r > least && !(way_round(x, h, v, r, deep + r * (1 + 1e-9)) < x->length)) r *= 0.5;
    if (!(r > least)) return 0;
    double low = deep + r * (1 + 1e-9), high = low + x->length;
    for (int i = 0; i < 200; i++) {
        const double down = 0.5 * (low + high);
        if (way_round(x, h, v, r, down) < x->length)
            low = down;
        else
            high = down;
    }
    way_round(x, h, v, r, 0.5 * (low + high));
    x->a = r, x->folded = 1;
    return 1;
}

/* ---- on a bed --------------------------------------------------------------------------------------- */

/* By how much a leg is longer than it is wide. */
static double leg_excess(double v, double a) {
    return sqrt(v * (v + 2 * a)) - a * acosh(1 + v / a);
}

static double lowest(const wy_catenary *x) {
    const double end = x->first + x->length;
    if (x->first >= 0) return 0;
    return (end <= 0 ? hypot(x->a, end) : x->a) - hypot(x->a, x->first);
}

/* The bed lies `deep` below the start. */
static withy_status make_laid(wy_catenary *x, double h, double v, double deep, withy_error *err) {
    const double high[2] = {wy_max(0, deep), wy_max(0, deep + v)};
    if (wy_min(deep, deep + v) < -LEAST * x->length)
        return wy_bad_input(err, "an end of the catenary is %.3g m below its bed",
                            -wy_min(deep, deep + v));
    if (lowest(x) >= -high[0] && !x->folded) return WITHY_OK;
    if (!(x->length < h + high[0] + high[1]))
        return wy_bad_input(err,
                            "the rod is so long (%.9g m) that it hangs straight down to the bed "
                            "and lies there in a heap; it must be shorter than %.9g m",
                            x->length, h + high[0] + high[1]);
    double low = 0, top = x->length;
    while (leg_excess(high[0], top) + leg_excess(high[1], top) > x->length - h) top *= 2;
    for (int i = 0; i < 200; i++) {
        const double a = 0.5 * (low + top);
        if (leg_excess(high[0], a) + leg_excess(high[1], a) > x->length - h)
            low = a;
        else
            top = a;
    }
    x->a = top, x->folded = 0;
    for (int i = 0; i < 2; i++) x->leg[i] = sqrt(high[i] * (high[i] + 2 * top));
    x->first = -x->leg[0];
    x->laid = wy_max(0, x->length - x->leg[0] - x->leg[1]);
    return WITHY_OK;
}

/* ---- the curve in its plane ------------------------------------------------------------------------- */

/* Of a point: place from the start, angle of the tangent from the horizontal, curvature. */
typedef struct flat {
    double x, y, angle, bend;
} flat;

static flat on_catenary(const wy_catenary *h, double s) {
    const double a = h->a, u0 = h->first / a, u = u0 + s / a;
    const double r0 = sqrt(1 + u0 * u0), r = sqrt(1 + u * u);
    /* r - r0, and sinh of asinh u - asinh u0, without cancellation */
    const double rise = s / a * (u + u0) / (r + r0);
    const double wide = u * u0 > 0 ? s / a * (u + u0) / (u * r0 + u0 * r) : u * r0 - u0 * r;
    return (flat){a * asinh(wide), a * rise, atan(u), 1 / (a * r * r)};
}

static flat on_loop(const wy_catenary *h, double s) {
    const double r = h->a, start = h->angle, round = r * h->turn;
    if (s <= h->leg[0]) return (flat){s * cos(start), s * sin(start), start, 0};
    const double on = wy_min(s - h->leg[0], round), angle = start + on / r;
    flat p = {h->leg[0] * cos(start), h->leg[0] * sin(start), angle, on < round ? 1 / r : 0};
    p.x += r * (sin(angle) - sin(start)), p.y -= r * (cos(angle) - cos(start));
    const double rest = s - h->leg[0] - on;
    p.x += rest * cos(angle), p.y += rest * sin(angle);
    return p;
}

static flat on_bed(const wy_catenary *h, double s) {
    const double along = wy_min(s - h->leg[0], h->laid);
    if (!(along > 0)) return on_catenary(h, s);
    flat p = on_catenary(h, s - along);
    p.x += along;
    if (along < h->laid) p.angle = p.bend = 0;
    return p;
}

static flat at(const wy_catenary *h, double s) {
    return h->folded ? on_loop(h, s) : h->laid > 0 ? on_bed(h, s) : on_catenary(h, s);
}

/* ---- in space ----------------------------------------------------------------------------------------- */

static vec3 tangent_of(const wy_catenary *h, double angle) {
    return v3_add(v3_scale(cos(angle), h->side), v3_scale(sin(angle), h->up));
}

withy_status wy_catenary_make(double length, const withy_shape *shape, wy_catenary *x,
                              withy_error *err) {
    const vec3 chord = v3_sub(shape->to, shape->from), up = v3_scale(-1, v3_unit(shape->direction));
    const double v = v3_dot(chord, up), distance = v3_norm(chord);
    const vec3 level = v3_axpy(chord, -v, up);
    const double h = v3_norm(level);
    *x = (wy_catenary){.length = length, .up = up};
    if (!(length > distance * (1 + LEAST)))
        return wy_bad_input(err,
                            "from and to are %.9g m apart and the rod is %.9g m long; a catenary "
                            "needs a rod that is longer than that",
                            distance, length);
    const int upright = !(h > 1e-12 * length);
    x->side = upright ? v3_orthogonal(up) : v3_scale(1 / h, level);
    if (!upright) make_catenary(x, h, v);
    const double least = upright ? 0 : least_radius(x);
    if (least < FOLD * length) make_loop(x, upright ? 0 : h, v, least);
    if (shape->has_bed && !upright)
        WY_TRY(make_laid(x, h, v, v3_dot(up, shape->from) - shape->bed, err));
    x->axis = v3_cross(x->side, x->up);
    if (!x->folded) x->angle = at(x, 0).angle;
    const vec3 t = tangent_of(x, x->angle), n = shape->normal;
    const int across = v3_norm(v3_cross(n, t)) > 1e-9 * v3_norm(n);
    x->frame = m3_frame(t, across ? n : v3_orthogonal(t));
    return WITHY_OK;
}

/* The frame turns with the tangent about the normal of the plane. */
wy_pose wy_catenary_pose(const wy_catenary *x, double s) {
    const flat p = at(x, s);
    const mat3 turn = q_matrix(q_exp(v3_scale(p.angle - x->angle, x->axis)));
    return (wy_pose){v3_add(v3_scale(p.x, x->side), v3_scale(p.y, x->up)), m3_mulm(turn, x->frame)};
}

void wy_catenary_strain(const wy_catenary *x, double s, double strain[WITHY_STRAINS]) {
    const vec3 bend = m3_tmul(x->frame, v3_scale(at(x, s).bend, x->axis));
    for (int i = 0; i < WITHY_STRAINS; i++) strain[i] = 0.0;
    strain[WITHY_BEND1] = bend.x, strain[WITHY_BEND2] = bend.y;
}

/* ---- where statics begin ------------------------------------------------------------------------------ */

/* To lead an end of a straight rod to a point that is nearer would compress it, and a rod whose weight is far more
 * than it can bear bends in short waves then, which few meshes hold.  Between two pins it begins as a chain instead. */
static const double CHAIN = 1e3; /* weight over EI/L^2: ends bend within 3 % of the length */

static int is_on_pin(const withy_end *end) {
    return wy_end_holds_position(end) && !wy_end_holds_direction(end) && v3_is_zero(end->offset);
}

static int is_chain(const withy_rod *rod, vec3 gravity, withy_error *err) {
    const double middle = 0.5 * rod->length, l = rod->length;
    wy_section_at at;
    if (wy_sections_at(rod, 1, &middle, &at, err) != WITHY_OK) return 0;
    const double bend = wy_max(at.stiffness[WITHY_BEND1], at.stiffness[WITHY_BEND2]);
    return at.inertia[WITHY_MASS] * v3_norm(gravity) * l * l * l > CHAIN * bend;
}

withy_status wy_rod_catenary(const withy_rod *rod, vec3 gravity, wy_arena *arena, wy_rod_model *out,
                             withy_error *err) {
    const double ends[2] = {0, rod->length};
    const vec3 a = v3_add(out->end[0].r, out->gap[0].shift),
               b = v3_add(out->end[1].r, out->gap[1].shift);
    withy_shape chain = {.kind = WITHY_SHAPE_CATENARY, .from = a, .to = b};
    withy_error own;
    if (!out->misses[0] && !out->misses[1]) return WITHY_OK;
    if (!is_on_pin(&rod->end[0]) || !is_on_pin(&rod->end[1])) return WITHY_OK;
    if (!wy_shape_is_straight(&rod->rest) || !wy_shape_is_straight(wy_initial_shape(rod)))
        return WITHY_OK;
    if (!(v3_norm(gravity) > 0) || !is_chain(rod, gravity, &own)) return WITHY_OK;
    chain.direction = v3_unit(gravity), chain.normal = out->end[0].frame.c1;
    if (!(rod->length > v3_norm(v3_sub(b, a)) * (1 + 2 * LEAST))) return WITHY_OK;
    WY_TRY(wy_curve_make(rod, &chain, arena, &out->initial, err));
    WY_TRY(wy_curve_poses(out->initial, a, 2, ends, out->end, err));
    for (int e = 0; e < 2; e++) {
        out->reach[e] = out->end[e].r;
        out->end[e].r = v3_add(a, out->end[e].r);
        out->move[e] = (wy_gap){0};
    }
    out->moved = 0, out->starts_as_catenary = 1;
    return WITHY_OK;
}
