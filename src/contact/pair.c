/* pair.c - the push between two segments over a step: exact in energy and both momenta.
 *
 * D^2 is the minimum over (s, t) of functions F of which F+ - F- at the same (s, t) is |x+|^2 - |x-|^2.  On the way
 * from the closest points before to those after,
 *   H(lambda) = |x+(lambda)|^2 - |x-(lambda)|^2 - (D+^2 - D-^2),      H(0) >= 0 >= H(1),
 * since F+ >= D+^2 and F- >= D-^2 everywhere with equality at their own closest points.  At its root
 *   e = (x+ + x-)/(D+ + D-),      e . (dx at lambda) = D+ - D- exactly,
 * so that the force N e at s, -N e at t does the work of the contact's energy; it acts along the line between its
 * two mean points, so that momenta are kept although the contact point slides.
 * Statics: lambda = 1, x- = x+.
 */
#include "contact/contact.h"

typedef struct spans {
    vec3 x0, u, v; /* x(s, t) = x0 + s u - t v */
} spans;

static spans spans_of(const vec3 p[WY_PAIR_POINTS]) {
    return (spans){v3_sub(p[0], p[2]), v3_sub(p[1], p[0]), v3_sub(p[3], p[2])};
}

static vec3 at(const spans *x, double s, double t) {
    return v3_axpy(v3_axpy(x->x0, s, x->u), -t, x->v);
}

static double clamp(double a) {
    return a < 0 ? 0 : a > 1 ? 1 : a;
}

static double square(const spans *x, const double round[2], double s, double t) {
    const vec3 d = at(x, s, t);
    return v3_dot(d, d) + round[0] * (s - 0.5) * (s - 0.5) + round[1] * (t - 0.5) * (t - 0.5);
}

/* The best point of the four edges. */
static void on_edges(const spans *x, const double round[2], double *s, double *t, double *best) {
    const double uu = v3_dot(x->u, x->u) + round[0], vv = v3_dot(x->v, x->v) + round[1];
    const double uv = v3_dot(x->u, x->v);
    const double xu = 0.5 * round[0] - v3_dot(x->x0, x->u),
                 xv = 0.5 * round[1] + v3_dot(x->x0, x->v);
    const double try[4][2] = {{0, clamp(xv / vv)},
                              {1, clamp((xv + uv) / vv)},
                              {clamp(xu / uu), 0},
                              {clamp((xu + uv) / uu), 1}};
    *best = INFINITY;
    for (int i = 0; i < 4; i++) {
        const double f = square(x, round, try[i][0], try[i][1]);
        if (f < *best) *best = f, *s = try[i][0], *t = try[i][1];
    }
}

wy_contact_place wy_pair_closest(const vec3 point[WY_PAIR_POINTS], const double round[2]) {
    const spans x = spans_of(point);
    const double uu = v3_dot(x.u, x.u) + round[0], vv = v3_dot(x.v, x.v) + round[1];
    const double uv = v3_dot(x.u, x.v), det = uu * vv - uv * uv;
    const double xu = 0.5 * round[0] - v3_dot(x.x0, x.u), xv = 0.5 * round[1] + v3_dot(x.x0, x.v);
    double s = (vv * xu + uv * xv) / det, t = (uu * xv + uv * xu) / det, best;
    if (s > 0 && s < 1 && t > 0 && t < 1)
        best = square(&x, round, s, t);
    else
        on_edges(&x, round, &s, &t, &best);
    return (wy_contact_place){s, t, sqrt(best), {s > 0 && s<1, t> 0 && t < 1}};
}

double wy_pair_gap(const wy_contact_pair *pair, const wy_contact_place *place) {
    return place->distance - pair->radius;
}

/* The root of H, a parabola; 1/2 where it is zero all along. */
static double intermediate(const spans *minus, const spans *plus, const wy_contact_step *step,
                           int *moves) {
    const double s = step->before.s, t = step->before.t;
    const double ds = step->after.s - s, dt = step->after.t - t;
    const vec3 y_plus = at(plus, s, t), y_minus = at(minus, s, t);
    const vec3 c_plus = v3_axpy(v3_scale(ds, plus->u), -dt, plus->v);
    const vec3 c_minus = v3_axpy(v3_scale(ds, minus->u), -dt, minus->v);
    const double d_plus = step->after.distance, d_minus = step->before.distance;
    const double c =
        v3_dot(y_plus, y_plus) - v3_dot(y_minus, y_minus) - (d_plus - d_minus) * (d_plus + d_minus);
    const double b = 2 * (v3_dot(y_plus, c_plus) - v3_dot(y_minus, c_minus));
    const double a = v3_dot(c_plus, c_plus) - v3_dot(c_minus, c_minus);
    *moves = -(a + b) > 1e-14 * d_plus * d_plus; /* H(0) - H(1) */
    if (!*moves) return 0.5;
    return clamp(2 * c / (-b + sqrt(wy_max(0, b * b - 4 * a * c))));
}

/* row = k (weight (x) v), or added to it. */
static void row_add(double row[WY_PAIR_ROWS], const double weight[WY_PAIR_POINTS], double k,
                    vec3 v) {
    for (int i = 0; i < WY_PAIR_POINTS; i++) {
        row[3 * i] += k * weight[i] * v.x, row[3 * i + 1] += k * weight[i] * v.y;
        row[3 * i + 2] += k * weight[i] * v.z;
    }
}

static const double along_a[WY_PAIR_POINTS] = {-1, 1, 0, 0},
                    along_b[WY_PAIR_POINTS] = {0, 0, 1, -1};

static void weights(double s, double t, double w[WY_PAIR_POINTS]) {
    w[0] = 1 - s, w[1] = s, w[2] = t - 1, w[3] = -t;
}

/* How the closest points move: [ds dt] = -H^-1 of the rows of the two conditions; held ones stay. */
static void place_rows(const wy_contact_pair *pair, const wy_contact_step *step, const spans *plus,
                       double ds[WY_PAIR_ROWS], double dt[WY_PAIR_ROWS]) {
    const wy_contact_place *p = &step->after;
    const vec3 x = at(plus, p->s, p->t);
    double w[WY_PAIR_POINTS], rs[WY_PAIR_ROWS] = {0}, rt[WY_PAIR_ROWS] = {0};
    weights(p->s, p->t, w);
    row_add(rs, along_a, 1, x), row_add(rs, w, 1, plus->u);
    row_add(rt, along_b, 1, x), row_add(rt, w, -1, plus->v);
    const double uu = v3_dot(plus->u, plus->u) + pair->round[0],
                 vv = v3_dot(plus->v, plus->v) + pair->round[1];
    const double uv = p->free[0] && p->free[1] ? v3_dot(plus->u, plus->v) : 0,
                 det = uu * vv - uv * uv;
    for (int i = 0; i < WY_PAIR_ROWS; i++) {
        ds[i] = p->free[0] ? -(vv * rs[i] + uv * rt[i]) / det : 0;
        dt[i] = p->free[1] ? -(uu * rt[i] + uv * rs[i]) / det : 0;
    }
}

/* Rows of the intermediate point from those of the closest: d(s, t) = lambda d(s+, t+) + (s+ - s-, t+ - t-) dlambda. */
static void middle_rows(const wy_contact_step *step, const spans *minus, const spans *plus,
                        const double distance_row[], int moves, const double ds[],
                        const double dt[], wy_contact_push *out) {
    const double l = out->lambda;
    const vec3 y_plus = at(plus, out->s, out->t), y_minus = at(minus, out->s, out->t);
    const double hs = 2 * (v3_dot(y_plus, plus->u) - v3_dot(y_minus, minus->u));
    const double ht = 2 * (v3_dot(y_minus, minus->v) - v3_dot(y_plus, plus->v));
    const double way_s = step->after.s - step->before.s, way_t = step->after.t - step->before.t;
    const double fall = hs * way_s + ht * way_t;
    double dl[WY_PAIR_ROWS] = {0};
    if (moves && fall != 0) {
        row_add(dl, out->weight, -2 / fall, y_plus);
        for (int i = 0; i < WY_PAIR_ROWS; i++)
            dl[i] -=
                (l * (hs * ds[i] + ht * dt[i]) - 2 * step->after.distance * distance_row[i]) / fall;
    }
    for (int i = 0; i < WY_PAIR_ROWS; i++) {
        out->s_row[i] = l * ds[i] + way_s * dl[i];
        out->t_row[i] = l * dt[i] + way_t * dl[i];
    }
}

/* d(N w (x) e). */
static void slopes(const spans *minus, const spans *plus, double sum, const double distance_row[],
                   wy_contact_push *out) {
    const double n = out->of_tangent, *w = out->weight,
                 e[3] = {out->normal.x, out->normal.y, out->normal.z};
    const vec3 u = v3_scale(1 / sum, v3_add(plus->u, minus->u)),
               v = v3_scale(1 / sum, v3_add(plus->v, minus->v));
    const double us[3] = {u.x, u.y, u.z}, vs[3] = {v.x, v.y, v.z};
    for (int i = 0; i < WY_PAIR_POINTS; i++)
        for (int a = 0; a < 3; a++) {
            const int row = 3 * i + a;
            const double by_s = along_a[i] * e[a] + w[i] * us[a],
                         by_t = along_b[i] * e[a] - w[i] * vs[a];
            for (int j = 0; j < WY_PAIR_ROWS; j++)
                out->slope[row][j] = w[i] * e[a] * (out->push_row[j] - n * distance_row[j] / sum) +
                                     n * (by_s * out->s_row[j] + by_t * out->t_row[j]);
            for (int k = 0; k < WY_PAIR_POINTS; k++)
                out->slope[row][3 * k + a] += n * w[i] * w[k] / sum;
        }
}

/* In statics the step has no start: everything is that of the end. */
static void settle(const wy_contact_step *step, wy_contact_step *now) {
    *now = *step;
    if (step->per != 0) return;
    memcpy(now->minus, step->plus, sizeof now->minus);
    now->before = step->after;
}

int wy_pair_push(const wy_contact_pair *pair, const wy_contact_step *given, wy_contact_push *out) {
    double slope;
    const double g_plus = wy_pair_gap(pair, &given->after);
    out->push = wy_contact_law_push(&pair->law, wy_pair_gap(pair, &given->before), g_plus,
                                    given->per, &slope);
    if (!wy_contact_law_acts(&pair->law, out->push, given->per)) return 0;
    out->of_tangent = wy_contact_law_tangent(&pair->law, out->push, given->per);
    wy_contact_step step;
    settle(given, &step);
    const spans minus = spans_of(step.minus), plus = spans_of(step.plus);
    int moves = 0;
    out->lambda = step.per != 0 ? intermediate(&minus, &plus, &step, &moves) : 1.0;
    out->s = step.before.s + out->lambda * (step.after.s - step.before.s);
    out->t = step.before.t + out->lambda * (step.after.t - step.before.t);
    weights(out->s, out->t, out->weight);
    const double sum = step.after.distance + step.before.distance;
    out->normal = v3_scale(1 / sum, v3_add(at(&plus, out->s, out->t), at(&minus, out->s, out->t)));
    memset(out->force, 0, sizeof out->force);
    row_add(out->force, out->weight, out->push, out->normal);

    double w[WY_PAIR_POINTS], distance_row[WY_PAIR_ROWS] = {0}, ds[WY_PAIR_ROWS], dt[WY_PAIR_ROWS];
    weights(step.after.s, step.after.t, w);
    row_add(distance_row, w, 1 / step.after.distance, at(&plus, step.after.s, step.after.t));
    for (int i = 0; i < WY_PAIR_ROWS; i++) out->push_row[i] = slope * distance_row[i];
    place_rows(pair, &step, &plus, ds, dt);
    middle_rows(&step, &minus, &plus, distance_row, moves, ds, dt, out);
    slopes(&minus, &plus, sum, distance_row, out);
    if (step.per == 0) { /* x- moves with x+ */
        for (int i = 0; i < WY_PAIR_POINTS; i++)
            for (int k = 0; k < WY_PAIR_POINTS; k++)
                for (int a = 0; a < 3; a++)
                    out->slope[3 * i + a][3 * k + a] +=
                        out->of_tangent * out->weight[i] * out->weight[k] / sum;
        for (int i = 0; i < WY_PAIR_ROWS; i++)
            for (int j = 0; j < WY_PAIR_ROWS; j++)
                out->slope[i][j] -= out->weight[i / 3] * v3_get(out->normal, i % 3) *
                                    out->of_tangent * distance_row[j] / sum;
    }
    return 1;
}
