/* support.c - a support and the shape that it touches, each carried by something that moves and turns.
 *
 * Forces are those of body.c between the place of the support that acts and the shape; a support that slides on a bar acts at one
 * place of it in a step (line_segment.c).  On what carries the support the force f has the moment arm x f, arm = (R+ + R-) o/2 of the
 * place o in its axes (at rest R+ o).
 */
#include "contact/contact.h"

static const double ROUNDED = 1e-3; /* of the size: of bars that lie flat (line_segment.c) */

static inline wy_line_segment bar(const wy_support *x, const wy_carrier at[2], int plus) {
    const mat3 *own = plus ? &at[0].to : &at[0].from, *other = plus ? &at[1].to : &at[1].from;
    const vec3 way = plus ? v3_sub(at[0].plus, at[1].plus) : v3_sub(at[0].minus, at[1].minus);
    const vec3 y = v3_add(way, m3_mul(*own, x->at));
    return (wy_line_segment){m3_tmul(*other, y), m3_tmul(*other, m3_mul(*own, x->along))};
}

wy_line_segment wy_support_segment(const wy_support *x, const wy_carrier at[2], int plus) {
    return bar(x, at, plus);
}

int wy_support_clear(const wy_support *x, const wy_obstacle *shape, const wy_carrier at[2],
                     double range) {
    const double most = x->radius + range;
    const wy_line_segment minus = bar(x, at, 0);
    if (!wy_line_segment_clear(shape, &minus, most)) return 0;
    const wy_line_segment plus = bar(x, at, 1);
    return wy_line_segment_clear(shape, &plus, most);
}

/* The place that acts; bias: what the gap is more than that of the place. */
static double acts_at(const wy_support *x, const wy_obstacle *shape, const wy_carrier at[2],
                      wy_support_step *c) {
    double *bias = c->step.bias, s[2], least;
    bias[0] = bias[1] = 0;
    if (!(v3_dot(x->along, x->along) > 0)) return 0;
    const wy_line_segment minus = bar(x, at, 0), plus = bar(x, at, 1);
    const double round = ROUNDED * x->size;
    s[1] = wy_line_segment_nearest(shape, &plus, round, &least);
    if (c->step.per == 0) {
        bias[1] = round * s[1] * s[1];
        return s[1];
    }
    if (!c->known)
        c->start = wy_line_segment_nearest(shape, &minus, round, &c->least), c->known = 1;
    s[0] = c->start;
    const double place = wy_line_segment_between(shape, &minus, &plus, s, least - c->least);
    vec3 unused;
    bias[0] = c->least - wy_obstacle_distance(shape, wy_line_segment_point(&minus, place), &unused);
    bias[1] = least - wy_obstacle_distance(shape, wy_line_segment_point(&plus, place), &unused);
    return place;
}

void wy_support_place(const wy_support *x, const wy_obstacle *shape, const wy_carrier at[2],
                      wy_support_step *c) {
    wy_body_step *step = &c->step;
    const vec3 p = v3_axpy(x->at, acts_at(x, shape, at, c), x->along);
    const vec3 from = m3_mul(at[0].from, p), to = m3_mul(at[0].to, p);
    step->y_minus = v3_add(v3_sub(at[0].minus, at[1].minus), from);
    step->dy = v3_add(v3_sub(at[0].dr, at[1].dr), v3_sub(to, from));
    step->y_plus = v3_add(step->y_minus, step->dy);
    step->minus = at[1].from, step->plus = at[1].to;
    step->theta[0] = at[0].theta, step->theta[1] = at[1].theta;
    c->arm = step->per != 0 ? v3_scale(0.5, v3_add(from, to)) : to;
}

/* Forces on the place to those on what carries it. */
static void carry(const wy_support_step *c, double f[WY_BODY_ROWS]) {
    const vec3 moment = v3_cross(c->arm, v3_from(f));
    v3_to(v3_add(v3_from(f + 3), moment), f + 3);
}

/* After a small motion i of its end. */
static void nudge(wy_carrier *at, int i, double h) {
    if (i >= 3) {
        wy_body_turn(v3_scale(h, v3_axis(i - 3)), &at->theta, &at->to);
        return;
    }
    at->plus = v3_axpy(at->plus, h, v3_axis(i)), at->dr = v3_axpy(at->dr, h, v3_axis(i));
}

/* Column j: of f at fixed N by differences, and f by N times dN. */
static void find_slope(const wy_support *x, const wy_obstacle *shape, const wy_carrier at[2],
                       const wy_support_step *now, int j, wy_body_push *out) {
    const double h = 1e-6 * (j % 6 < 3 ? x->size + v3_norm(at[j / 6].dr) : 1);
    double f[2][WY_BODY_ROWS], gap[2];
    for (int side = 0; side < 2; side++) {
        wy_carrier moved[2] = {at[0], at[1]};
        nudge(&moved[j / 6], j % 6, side ? h : -h);
        wy_support_step c = *now;
        wy_support_place(x, shape, moved, &c);
        gap[side] = wy_body_forces(shape, &c.step, out->of_tangent, f[side]);
        carry(&c, f[side]);
    }
    for (int i = 0; i < WY_BODY_ROWS; i++)
        out->slope[i][j] =
            (f[1][i] - f[0][i] + out->per_push[i] * out->steep * (gap[1] - gap[0])) / (2 * h);
}

/* When the shape moves the support moves the other way. */
int wy_support_push(const wy_support *x, const wy_obstacle *shape, const wy_carrier at[2],
                    const wy_support_step *c, int columns, wy_body_push *out) {
    if (!wy_body_push_on(shape, &c->step, out)) return 0;
    carry(c, out->force), carry(c, out->per_push);
    for (int j = 0; j < columns; j++)
        if (j / 3 != 2) find_slope(x, shape, at, c, j, out);
    for (int j = 6; j < columns && j < 9; j++)
        for (int i = 0; i < WY_BODY_ROWS; i++) out->slope[i][j] = -out->slope[i][j - 6];
    return 1;
}

double wy_support_gap(const wy_support *x, const wy_obstacle *shape, wy_carrier at[2],
                      const double *change[2], double share, double *grows) {
    for (int i = 0; i < 2; i++) {
        vec3 unused = v3(0, 0, 0);
        at[i].plus = v3_axpy(at[i].plus, share, v3_from(change[i]));
        wy_body_turn(v3_scale(share, v3_from(change[i] + 3)), &unused, &at[i].to);
    }
    const wy_line_segment own = bar(x, at, 1);
    double least;
    const double s = wy_line_segment_nearest(shape, &own, ROUNDED * x->size, &least);
    vec3 gradient;
    wy_obstacle_distance(shape, wy_line_segment_point(&own, s), &gradient);
    const vec3 p = m3_mul(at[0].to, v3_axpy(x->at, s, x->along));
    const vec3 y = m3_mul(at[1].to, wy_line_segment_point(&own, s));
    vec3 moves = v3_add(v3_from(change[0]), v3_cross(v3_from(change[0] + 3), p));
    moves = v3_sub(moves, v3_add(v3_from(change[1]), v3_cross(v3_from(change[1] + 3), y)));
    *grows = v3_dot(m3_mul(at[1].to, gradient), moves);
    return least - x->radius;
}

double wy_support_gap_before(const wy_support *x, const wy_obstacle *shape, const wy_carrier at[2],
                             double range) {
    const wy_line_segment own = bar(x, at, 0);
    double least;
    if (wy_line_segment_clear(shape, &own, x->radius + range)) return INFINITY;
    wy_line_segment_nearest(shape, &own, ROUNDED * x->size, &least);
    return least - x->radius;
}
