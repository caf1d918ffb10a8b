/* through.c - THROUGH: a smooth curve through given points, by its arc length.
 *
 * A cubic spline in the sum u of the chords, with continuous curvature; the first two and the last two
 * pieces are one cubic each (not-a-knot), so that no end is bent straight.  Its length is
 * integrated by Gauss's rule, halved until it does not change; the point at an arc length is found by
 * Newton's method.
 */
#include "model/shape/shape.h"
#include "numeric/interpolate/interpolate.h"

enum { RULE = 12, HALVINGS = 10, SEARCHES = 60 };

static const double SAME = 1e-14; /* change of a length, of the whole */
static const double FITS = 1e-9;  /* of the length of the rod from that of the curve */

/* ---- the spline ----------------------------------------------------------------------------------- */

/* Row i of the equations of the second derivatives, with the conditions of the ends inserted. */
static void row_of(const wy_thread *x, int i, double row[3]) {
    const int n = x->count - 1; /* pieces */
    const double h = x->u[i] - x->u[i - 1], k = x->u[i + 1] - x->u[i];
    row[0] = h, row[1] = 2 * (h + k), row[2] = k;
    if (i == 1) row[1] += h * (1 + h / k), row[2] -= h * h / k;
    if (i == n - 1) row[1] += k * (1 + k / h), row[0] -= k * k / h;
    if (n == 2) row[1] = 3 * (h + k); /* a parabola */
}

/* 6 times the change of the slope of the chords at point i. */
static vec3 side_of(const wy_thread *x, int i) {
    const double h = x->u[i] - x->u[i - 1], k = x->u[i + 1] - x->u[i];
    const vec3 right = v3_scale(1 / k, v3_sub(x->point[i + 1], x->point[i]));
    return v3_scale(6, v3_axpy(right, -1 / h, v3_sub(x->point[i], x->point[i - 1])));
}

static void find_ends(wy_thread *x) {
    const int n = x->count - 1;
    vec3 *m = x->bend;
    if (n == 2) m[0] = m[2] = m[1];
    if (n <= 2) return;
    const double first = (x->u[1] - x->u[0]) / (x->u[2] - x->u[1]);
    const double last = (x->u[n] - x->u[n - 1]) / (x->u[n - 1] - x->u[n - 2]);
    m[0] = v3_axpy(v3_scale(1 + first, m[1]), -first, m[2]);
    m[n] = v3_axpy(v3_scale(1 + last, m[n - 1]), -last, m[n - 2]);
}

/* Second derivatives by elimination. */
static withy_status find_bends(wy_thread *x, wy_arena *arena, withy_error *err) {
    const int n = x->count - 1;
    double *pivot = wy_arena_alloc(arena, (size_t)n + 1, sizeof *pivot), row[3], above = 0;
    if (!pivot) return wy_no_memory(err, "no memory for %d points", x->count);
    vec3 *m = x->bend;
    for (int i = 1; i < n; i++) {
        row_of(x, i, row);
        const double share = i > 1 ? row[0] / pivot[i - 1] : 0;
        pivot[i] = row[1] - share * above, above = row[2];
        m[i] = i > 1 ? v3_axpy(side_of(x, i), -share, m[i - 1]) : side_of(x, i);
    }
    for (int i = n - 1; i > 0; i--) {
        row_of(x, i, row);
        if (i < n - 1) m[i] = v3_axpy(m[i], -row[2], m[i + 1]);
        m[i] = v3_scale(1 / pivot[i], m[i]);
    }
    find_ends(x);
    return WITHY_OK;
}

/* r, r' and r'' at u of piece i; any of them may be NULL. */
static void piece_at(const wy_thread *x, int i, double u, vec3 *r, vec3 *d, vec3 *dd) {
    const double h = x->u[i + 1] - x->u[i], b = (u - x->u[i]) / h, a = 1 - b;
    const vec3 *p = &x->point[i], *m = &x->bend[i];
    if (r) {
        *r = v3_add(v3_scale(a, p[0]), v3_scale(b, p[1]));
        *r = v3_axpy(*r, (a * a * a - a) * h * h / 6, m[0]);
        *r = v3_axpy(*r, (b * b * b - b) * h * h / 6, m[1]);
    }
    if (d) {
        *d = v3_scale(1 / h, v3_sub(p[1], p[0]));
        *d = v3_axpy(*d, (1 - 3 * a * a) * h / 6, m[0]);
        *d = v3_axpy(*d, (3 * b * b - 1) * h / 6, m[1]);
    }
    if (dd) *dd = v3_add(v3_scale(a, m[0]), v3_scale(b, m[1]));
}

/* ---- arc length ------------------------------------------------------------------------------------- */

static double gauss(const wy_thread *x, int i, double from, double to) {
    double sum = 0;
    for (int k = 0; k < RULE; k++) {
        vec3 d;
        piece_at(x, i, from + x->rule_at[k] * (to - from), NULL, &d, NULL);
        sum += x->rule_weight[k] * v3_norm(d);
    }
    return sum * (to - from);
}

/* Length from `from` to `to` in piece i: in 1, 2, 4, ... parts until it does not change. */
static double arc_of(const wy_thread *x, int i, double from, double to) {
    double before = gauss(x, i, from, to);
    for (int parts = 2; parts <= 1 << HALVINGS; parts *= 2) {
        double sum = 0;
        for (int k = 0; k < parts; k++)
            sum +=
                gauss(x, i, from + (to - from) * k / parts, from + (to - from) * (k + 1) / parts);
        if (fabs(sum - before) <= SAME * x->u[x->count - 1]) return sum;
        before = sum;
    }
    return before;
}

/* Where in piece i the length from its beginning is `arc`. */
static double place_of(const wy_thread *x, int i, double arc) {
    const double whole = x->arc[i + 1] - x->arc[i];
    double low = x->u[i], high = x->u[i + 1], u = low + arc / whole * (high - low);
    for (int k = 0; k < SEARCHES; k++) {
        vec3 d;
        const double miss = arc_of(x, i, x->u[i], u) - arc;
        piece_at(x, i, u, NULL, &d, NULL);
        if (miss > 0)
            high = u;
        else
            low = u;
        const double next = u - miss / v3_norm(d);
        const double step = (next > low && next < high ? next : 0.5 * (low + high)) - u;
        u += step;
        if (fabs(step) <= 4e-16 * x->u[x->count - 1]) break;
    }
    return u;
}

/* ---- making ------------------------------------------------------------------------------------------- */

static withy_status take_points(const withy_shape *shape, wy_arena *arena, wy_thread *x,
                                withy_error *err) {
    const int count = shape->point_count;
    if (count < 2 || !shape->point)
        return wy_bad_input(err, "a curve through points needs at least 2; it has %d", count);
    *x = (wy_thread){.count = count};
    x->point = wy_arena_alloc(arena, 2 * (size_t)count, sizeof *x->point);
    x->u = wy_arena_alloc(arena, 2 * (size_t)count, sizeof *x->u);
    if (!x->point || !x->u) return wy_no_memory(err, "no memory for %d points", count);
    x->bend = x->point + count, x->arc = x->u + count;
    wy_gauss_points(RULE, x->rule_at, x->rule_weight);
    for (int i = 0; i < count; i++) {
        if (!v3_finite(shape->point[i]))
            return wy_bad_input(err, "point %d is not three finite numbers [m]", i + 1);
        x->point[i] = v3_sub(shape->point[i], shape->point[0]);
        const double chord = i ? v3_norm(v3_sub(x->point[i], x->point[i - 1])) : 0;
        if (i && !(chord > 0))
            return wy_bad_input(err, "points %d and %d are the same; remove one", i, i + 1);
        x->u[i] = i ? x->u[i - 1] + chord : 0;
    }
    return WITHY_OK;
}

static withy_status measure(const withy_shape *shape, wy_arena *arena, wy_thread *x,
                            withy_error *err) {
    WY_TRY(take_points(shape, arena, x, err));
    WY_TRY(find_bends(x, arena, err));
    for (int i = 0; i + 1 < x->count; i++)
        x->arc[i + 1] = x->arc[i] + arc_of(x, i, x->u[i], x->u[i + 1]);
    return WITHY_OK;
}

withy_status wy_thread_make(double length, const withy_shape *shape, wy_arena *arena, wy_thread *x,
                            withy_error *err) {
    WY_TRY(measure(shape, arena, x, err));
    const double own = x->arc[x->count - 1];
    if (!(fabs(own - length) <= FITS * length))
        return wy_bad_input(
            err,
            "the curve through the points is %.12g m long and rod.length = %.12g; set rod.length "
            "to that (a scene may leave it out) or change the points",
            own, length);
    x->per = own / length;
    return WITHY_OK;
}

void wy_thread_at(const wy_thread *x, double s, vec3 *r, vec3 *tangent, vec3 *bend) {
    s *= x->per;
    const int low = wy_place_in(x->arc, 1, x->count, s);
    vec3 d, dd;
    piece_at(x, low, place_of(x, low, wy_max(s - x->arc[low], 0)), r, &d, &dd);
    const double square = v3_dot(d, d);
    *tangent = v3_unit(d);
    *bend = v3_scale(1 / square, v3_axpy(dd, -v3_dot(dd, *tangent), *tangent));
}

withy_status withy_shape_length(const withy_shape *shape, double *length, withy_error *err) {
    WY_NEED(shape, length);
    if (shape->kind != WITHY_SHAPE_THROUGH)
        return wy_bad_input(err, "withy_shape_length: only a curve through points has a length of "
                                 "its own; others are as long as their rod");
    wy_arena arena = {0};
    wy_thread x;
    const withy_status status = measure(shape, &arena, &x, err);
    if (status == WITHY_OK) *length = x.arc[x.count - 1];
    wy_arena_free(&arena);
    return status;
}
