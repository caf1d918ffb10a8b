/* line_segment.c - a straight piece of a body and a convex shape that it touches where it is nearest.
 *
 * In the axes of the shape the piece is x(s) = at + s along, -1 <= s <= 1, and its gap is the least of
 *   psi(s) = distance(x(s)) + round s^2
 * The small second term makes the place unique where the piece lies flat; towards its ends it makes the gap too large, by up to
 * round (with s^2 - 1 a piece that lies flat would touch too early by as much).  The distance of a convex shape is convex, so that
 * psi' has one root.  Over a step the piece acts at a place between the two: let s-, s+ be the nearest ones and
 *   H(s) = psi+(s) - psi-(s) - (psi+(s+) - psi-(s-)),     H(s-) >= 0 >= H(s+)
 * because both are minima.  At its root the distance of one point of the body changes by as much as the gap does, and the push of
 * that point does the work of the gap (docs/theory/contact.md).
 */
#include "contact/contact.h"

enum { ROUNDS = 90, CUTS = 6 };

vec3 wy_line_segment_point(const wy_line_segment *piece, double s) {
    return v3_axpy(piece->at, s, piece->along);
}

static double distance_at(const wy_obstacle *shape, const wy_line_segment *piece, double s) {
    vec3 unused;
    return wy_obstacle_distance(shape, wy_line_segment_point(piece, s), &unused);
}

/* What a root is looked for of. */
typedef struct of {
    const wy_obstacle *shape;
    const wy_line_segment *one, *two; /* psi' of one; or H of both */
    double round, change;
} of;

static double slope(const of *x, double s) {
    vec3 gradient;
    wy_obstacle_distance(x->shape, wy_line_segment_point(x->one, s), &gradient);
    return v3_dot(gradient, x->one->along) + 2 * x->round * s;
}

static double excess(const of *x, double s) {
    return distance_at(x->shape, x->two, s) - distance_at(x->shape, x->one, s) - x->change;
}

/* Of a function whose values at the ends have two signs: false position, every third time the middle. */
static double root(double (*f)(const of *, double), const of *x, double a, double fa, double b,
                   double fb) {
    for (int i = 0; i < ROUNDS && fabs(b - a) > 1e-15; i++) {
        const double s = i % 3 == 2 ? 0.5 * (a + b) : (a * fb - b * fa) / (fb - fa);
        const double fs = f(x, s);
        if (fs == 0) return s;
        if ((fs < 0) == (fa < 0))
            a = s, fa = fs;
        else
            b = s, fb = fs;
    }
    return fabs(fa) < fabs(fb) ? a : b;
}

/* The distance lies above its tangents: above where those of both ends of a stretch meet, which is halved there. */
int wy_line_segment_clear(const wy_obstacle *shape, const wy_line_segment *bar, double most) {
    const of x = {shape, bar, bar, 0, 0};
    const double middle = distance_at(shape, bar, 0), length = v3_norm(bar->along);
    double s[2] = {-1, 1}, d[2], by[2];
    if (!(length > 0) || middle - length > most) return middle > most;
    if (!(middle > most)) return 0;
    for (int i = 0; i < 2; i++) d[i] = distance_at(shape, bar, s[i]), by[i] = slope(&x, s[i]);
    for (int i = 0; i < CUTS; i++) {
        if (by[0] >= 0) return d[0] > most;
        if (by[1] <= 0) return d[1] > most;
        const double at = (d[1] - d[0] + by[0] * s[0] - by[1] * s[1]) / (by[0] - by[1]);
        if (d[0] + by[0] * (at - s[0]) > most) return 1;
        const double value = distance_at(shape, bar, at), grows = slope(&x, at);
        if (!(value > most)) return 0;
        const int side = grows > 0;
        s[side] = at, d[side] = value, by[side] = grows;
    }
    return 0;
}

double wy_line_segment_nearest(const wy_obstacle *shape, const wy_line_segment *piece, double round,
                               double *least) {
    double s = 0;
    if (v3_dot(piece->along, piece->along) > 0) {
        const of x = {shape, piece, piece, round, 0};
        const double low = slope(&x, -1), high = slope(&x, 1);
        s = low >= 0 ? -1 : high <= 0 ? 1 : root(slope, &x, -1, low, 1, high);
    }
    *least = distance_at(shape, piece, s) + round * s * s;
    return s;
}

double wy_line_segment_between(const wy_obstacle *shape, const wy_line_segment *minus,
                               const wy_line_segment *plus, const double s[2], double change) {
    if (s[0] == s[1]) return s[0];
    const of x = {shape, minus, plus, 0, change};
    const double first = excess(&x, s[0]), last = excess(&x, s[1]);
    if (!(first > 0)) return s[0];
    return last < 0 ? root(excess, &x, s[0], first, s[1], last) : s[1];
}

/* As wy_contacts_passes of a point: the ends move straight, and the distance changes by no more than the longer way. */
int wy_line_segment_passes(const wy_obstacle *shape, const wy_line_segment *minus,
                           const wy_line_segment *plus, double least) {
    const vec3 way = v3_sub(plus->at, minus->at), turn = v3_sub(plus->along, minus->along);
    const double far = wy_max(v3_norm(v3_add(way, turn)), v3_norm(v3_sub(way, turn)));
    double d;
    if (!(far > 0) || wy_obstacle_thick(shape)) return 0;
    /* what a function of the scene says may change by more than the way */
    if (shape->kind != WY_OBSTACLE_DISTANCE && wy_line_segment_clear(shape, minus, least + far))
        return 0;
    wy_line_segment_nearest(shape, minus, 0, &d);
    if (!(d > least)) return 0; /* it was there before */
    for (double t = 0; t < 1;) {
        const wy_line_segment now = {v3_axpy(minus->at, t, way), v3_axpy(minus->along, t, turn)};
        wy_line_segment_nearest(shape, &now, 0, &d);
        if (!(d > least)) return 1;
        t += (d - least + 0.1 * fabs(least)) / far;
    }
    wy_line_segment_nearest(shape, plus, 0, &d);
    return !(d > least);
}
