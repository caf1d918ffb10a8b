/* node.c - what acts on one node, and how the ends are held.
 *
 * Residual (to be zero) of node j, with means over the step:
 *   m (v+ - v-)/h - m g                                       v+ = 2 dr/h - v-
 *   (R+ J W+ - R- J W-)/h                                     W+ = 2 Theta/h - W-, Theta = R-^T theta
 * and the forces of a field: drag, the floor (director/force/force.h).
 * At the ends in addition (c = R o the arm of the lump, x = r + c its position, u its velocity):
 *   lump    F = M (u+ - u-)/h - M g, u+ = 2 (x+ - x-)/h - u-;  force F, moment c x F
 *   spring  k (r - r0); turning: k phi about the axis of the turn from d_i0 to d_i by phi in 0 .. pi
 * The lump is a particle on the end of an arm, so x+ - x- = dr + theta x c exactly, and energy and
 * momenta are conserved as for the nodes.  The turning spring uses the discrete derivative of its potential:
 * V = k phi^2/2 is a function of
 * T = sum d_i . d_i0 = 1 + 2 cos phi, whose increment is T+ - T- = theta . sum mid d_i x d_i0 exactly, so
 * that the moment on the rod
 *   (V+ - V-)/(T+ - T-) sum mid d_i x d_i0 = -k/2 (m/sin m) (e/sin e) sum mid d_i x d_i0,
 *   m = (phi+ + phi-)/2,  e = (phi+ - phi-)/2,
 * conserves energy, and is -k phi times the axis in equilibrium.
 */
#include "method/director/contact/contacts.h"
#include "method/director/force/fluid.h"
#include "method/director/force/force.h"
#include "method/director/rod/rows.h"

static void add_inertia(const wy_director *x, int j, double a[6][6], double b[6]) {
    const wy_director_node *node = &x->node[j];
    const wy_director_next *next = &x->next[j];
    const double per = 1.0 / x->step->h, mass = x->plan.mass[j].mass;
    const lane rotary = x->plan.mass[j].rotary;
    for (int i = 0; i < 3; i++) a[i][i] += 2 * mass * per * per;
    wy_rows_add(b, 0, 2 * mass * per, v3_axpy(v3_scale(-1, node->v), per, next->dr));
    /* R J W at both ends of the step; lanes are body components */
    const lane turn = tri_dot(node->d, tri_all(next->theta));
    const lane w_plus = lane_all(2 * per) * turn - node->w;
    const vec3 plus = tri_sum3(tri_scale(rotary * w_plus, next->d));
    const vec3 minus = tri_sum3(tri_scale(rotary * node->w, node->d));
    wy_rows_add(b, 3, per, v3_sub(plus, minus));
    wy_rows_hat(&a[0][0], 6, 3, 3, -per, plus);
    const mat3 g = wy_director_spin_map(next->theta); /* columns */
    const tri jd = tri_scale(lane_all(2 * per * per) * rotary, node->d);
    const lane row[3] = {tri_sum(tri_scale(next->d.x, jd)), tri_sum(tri_scale(next->d.y, jd)),
                         tri_sum(tri_scale(next->d.z, jd))};
    for (int i = 0; i < 3; i++) {
        const vec3 m = lane_vec3(row[i]);
        a[3 + i][3] += v3_dot(m, g.c1), a[3 + i][4] += v3_dot(m, g.c2);
        a[3 + i][5] += v3_dot(m, g.c3);
    }
}

/* Force on the rod's end is -F: the lump's inertia and weight. */
static void add_lump(const wy_director *x, int which, double a[6][6], double b[6]) {
    const wy_director_end *end = &x->plan.end[which];
    const wy_director_next *next = &x->next[end->node];
    const double beta = x->step->beta, m = end->mass;
    const lane arm = vec3_lane(end->arm);
    const vec3 c = tri_sum3(tri_scale(arm, wy_director_acting(x, end->node)));
    const vec3 c_plus = tri_sum3(tri_scale(arm, next->d));
    vec3 f = v3_scale(-m, x->step->gravity);
    if (x->step->dynamic) {
        const double per = 1.0 / x->step->h, k = 2 * m * per * per;
        const vec3 dx = v3_add(next->dr, v3_cross(next->theta, c));
        f = v3_axpy(f, 2 * m * per, v3_sub(v3_scale(per, dx), x->now->end[which].u));
        for (int i = 0; i < 3; i++) a[i][i] += k;
        wy_rows_hat(&a[0][0], 6, 0, 3, -k, c_plus);
        wy_rows_hat(&a[0][0], 6, 3, 0, k, c);
        wy_rows_hat_product(&a[0][0], 6, 3, 3, -k, c, c_plus);
    }
    wy_rows_add(b, 0, 1, f);
    wy_rows_add(b, 3, 1, v3_cross(c, f));
    wy_rows_hat_product(&a[0][0], 6, 3, 3, beta, f, c_plus);
}

/* Modes: K - shift M. */
static void add_shift(const wy_director *x, int j, const wy_director_end *end, double a[6][6]) {
    const double k = -x->step->shift;
    const tri d = x->next[j].d;
    if (x->step->weighed) {
        const double share = k * x->plan.mass[j].share, length = x->plan.whole;
        for (int i = 0; i < 6; i++)
            a[i][i] += i < 3 ? share : WY_WEIGHT_TURN * length * length * share;
        return;
    }
    for (int i = 0; i < 3; i++) a[i][i] += k * x->plan.mass[j].mass;
    const tri jd = tri_scale(lane_all(k) * wy_director_rotary(x, j), d);
    const lane row[3] = {tri_sum(tri_scale(d.x, jd)), tri_sum(tri_scale(d.y, jd)),
                         tri_sum(tri_scale(d.z, jd))};
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++) a[3 + i][3 + c] += row[i][c];
    if (x->fluid && x->fluid->stirs) wy_added_mass_inertia(x, j, k, a);
    if (!end || !(end->mass > 0)) return;
    const double m = k * end->mass;
    const vec3 arm = tri_sum3(tri_scale(vec3_lane(end->arm), d));
    for (int i = 0; i < 3; i++) a[i][i] += m;
    wy_rows_hat(&a[0][0], 6, 0, 3, -m, arm);
    wy_rows_hat(&a[0][0], 6, 3, 0, m, arm);
    wy_rows_hat_product(&a[0][0], 6, 3, 3, -m, arm, arm);
}

vec3 wy_director_spring_turn(tri d, mat3 home, double *phi) {
    const tri from = tri_from(home);
    const vec3 twice = tri_sum3(tri_cross(from, d)); /* 2 sin(phi) axis */
    const double sine = v3_norm(twice), cosine = lane_sum(tri_dot(d, from)) - 1.0;
    *phi = atan2(sine, cosine);
    return sine > 0 ? v3_scale(1.0 / sine, twice) : twice;
}

/* x/sin x and its derivative; next to half a turn the moment has no direction, and is bounded. */
static double over_sine(double x, double *slope) {
    const double sine = wy_max(sin(x), 1e-9);
    *slope = x < 1e-3 ? x / 3.0 : (sine - x * cos(x)) / (sine * sine);
    return x < 1e-3 ? 1.0 + x * x / 6.0 : x / sine;
}

/* The factor (m/sin m) (e/sin e) of the turning spring and its derivative by phi+. */
static double spring_factor(double minus, double plus, double *slope) {
    double of_sum, of_difference;
    const double apart = 0.5 * (plus - minus);
    const double sum = over_sine(0.5 * (plus + minus), &of_sum);
    const double difference = over_sine(fabs(apart), &of_difference);
    if (apart < 0) of_difference = -of_difference;
    *slope = 0.5 * (of_sum * difference + sum * of_difference);
    return sum * difference;
}

static void add_spring_turn(const wy_director *x, int which, double a[6][6], double b[6]) {
    const wy_director_end *end = &x->plan.end[which];
    const mat3 home = x->now->end[which].spring_d, plus = tri_matrix(x->next[end->node].d);
    double minus, phi, slope;
    const vec3 axis = wy_director_spring_turn(x->next[end->node].d, home, &phi);
    wy_director_spring_turn(x->node[end->node].d, home, &minus);
    const double factor = spring_factor(x->step->dynamic ? minus : phi, phi, &slope);
    if (!x->step->dynamic) slope *= 2.0; /* both angles are that of the iterate */
    const vec3 turn = tri_sum3(tri_cross(wy_director_acting(x, end->node), tri_from(home)));
    const double k = -0.5 * factor * end->spring_turn;
    wy_rows_add(b, 3, k, turn);
    wy_rows_hat_product(&a[0][0], 6, 3, 3, x->step->beta * k, home.c1, plus.c1);
    wy_rows_hat_product(&a[0][0], 6, 3, 3, x->step->beta * k, home.c2, plus.c2);
    wy_rows_hat_product(&a[0][0], 6, 3, 3, x->step->beta * k, home.c3, plus.c3);
    const double more = -0.5 * slope * end->spring_turn;
    const double row[3] = {turn.x, turn.y, turn.z}, column[3] = {axis.x, axis.y, axis.z};
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++) a[3 + i][3 + c] += more * row[i] * column[c];
}

static void add_springs(const wy_director *x, int which, double a[6][6], double b[6]) {
    const wy_director_end *end = &x->plan.end[which];
    const wy_director_end_now *now = &x->now->end[which];
    const double beta = x->step->beta;
    const vec3 r =
        x->step->dynamic ? wy_director_mid_r(x, end->node) : wy_director_plus_r(x, end->node);
    wy_rows_add(b, 0, end->spring, v3_sub(r, now->spring_r));
    for (int i = 0; i < 3; i++) a[i][i] += beta * end->spring;
    if (end->spring_turn > 0) add_spring_turn(x, which, a, b);
}

static void add_end_load(const wy_director *x, int which, double a[6][6], double b[6]) {
    const wy_director_end *end = &x->plan.end[which];
    vec3 force = x->step->end[which].apply.force, moment = x->step->end[which].apply.moment;
    if (wy_end_uses_state(end->end.end)) {
        wy_director_state_load_add(x, x->plan.load.count + which, &a[0][0], 6);
    } else if (end->end.end->follower) {
        const double beta = x->step->beta;
        const tri d = wy_director_acting(x, end->node), plus = x->next[end->node].d;
        wy_rows_hat(&a[0][0], 6, 0, 3, beta, tri_sum3(tri_scale(vec3_lane(force), plus)));
        wy_rows_hat(&a[0][0], 6, 3, 3, beta, tri_sum3(tri_scale(vec3_lane(moment), plus)));
        force = tri_sum3(tri_scale(vec3_lane(force), d));
        moment = tri_sum3(tri_scale(vec3_lane(moment), d));
    }
    wy_rows_add(b, 0, -1, force);
    wy_rows_add(b, 3, -1, moment);
}

void wy_director_node_forces(const wy_director *x, int j, double a[6][6], double b[6]) {
    if (x->plan.forces) wy_forces_add(x, j, a, b);
    if (j > 0 && j < x->plan.node_count - 1) return;
    const wy_director_end *end = &x->plan.end[j > 0];
    if (end->spring > 0 || end->spring_turn > 0) add_springs(x, j > 0, a, b);
    if (end->loaded) add_end_load(x, j > 0, a, b);
}

void wy_director_node_terms(const wy_director *x, int j, double a[6][6], double b[6]) {
    const wy_director_step *step = x->step;
    const double mass = x->plan.mass[j].mass;
    memset(a, 0, 36 * sizeof **a);
    b[0] = -mass * step->gravity.x, b[1] = -mass * step->gravity.y;
    b[2] = -mass * step->gravity.z, b[3] = b[4] = b[5] = 0.0;
    if (step->dynamic && !wy_is_massless(&x->plan)) add_inertia(x, j, a, b);
    if (x->contacts) wy_contacts_node(x, j, a, b);
    const int inner = j > 0 && j<x->plan.node_count - 1, which = j> 0;
    const wy_director_end *end = inner ? NULL : &x->plan.end[which];
    if (!v3_is_zero(step->spin)) wy_director_rotating_terms(x, j, a, b);
    if (step->shift != 0) add_shift(x, j, end, a);
    if (end && end->mass > 0) add_lump(x, which, a, b);
    wy_director_node_forces(x, j, a, b);
}

void wy_director_add_node(const wy_director *x, int j, double *matrix, int stride, int at,
                          int side) {
    double a[6][6], b[6];
    wy_director_node_terms(x, j, a, b);
    for (int i = 0; i < 6; i++) {
        double *row = &matrix[(at + i) * stride];
        for (int k = 0; k < 6; k++) row[at + k] += a[i][k];
        row[side] -= b[i];
    }
}

/* ---- held ends ----------------------------------------------------------------------------------- */

static double row_size(const double *row, int columns) {
    double sum = 0;
    for (int j = 0; j < columns - 1; j++) sum += fabs(row[j]);
    return sum > 0 ? sum : 1.0;
}

/* Row <- size * (increment = remaining); the column stays, so that the other rows include the increment. */
static double hold_row(double *row, int own, int columns, double remaining) {
    const double size = row_size(row, columns);
    for (int j = 0; j < columns; j++) row[j] = 0.0;
    row[own] = size;
    row[columns - 1] = size * remaining;
    return size;
}

/* Rows and columns of the node from `at` on, of its displacement (0) or its rotation (3), into other axes. */
static void turn_axes(mat3 axes, int at, double *matrix, int stride, int rows, int columns) {
    const double q[3][3] = {{axes.c1.x, axes.c2.x, axes.c3.x},
                            {axes.c1.y, axes.c2.y, axes.c3.y},
                            {axes.c1.z, axes.c2.z, axes.c3.z}};
    for (int i = 0; i < rows; i++) {
        double *m = &matrix[i * stride + at];
        const double old[3] = {m[0], m[1], m[2]};
        for (int k = 0; k < 3; k++) m[k] = old[0] * q[0][k] + old[1] * q[1][k] + old[2] * q[2][k];
    }
    double *first = &matrix[at * stride];
    for (int j = 0; j < columns; j++) {
        const double old[3] = {first[j], first[stride + j], first[2 * stride + j]};
        for (int k = 0; k < 3; k++)
            first[k * stride + j] = old[0] * q[0][k] + old[1] * q[1][k] + old[2] * q[2][k];
    }
}

/* What is left of the way of a held end; of one that slides or whose tangent may turn about itself, in its own axes. */
static void way_left(const wy_director *x, int which, double left[6]) {
    const wy_director_end *end = &x->plan.end[which];
    const wy_director_end_step *to = &x->step->end[which];
    const vec3 way = v3_sub(to->target_r, wy_director_plus_r(x, end->node));
    v3_to(end->slides ? m3_tmul(end->track, way) : way, left);
    if (!end->holds_frame) return;
    const mat3 d = tri_matrix(x->next[end->node].d);
    if (end->turns_free)
        v3_to(m3_tmul(to->target, cayley_between(m3_identity(), m3_between(d.c3, to->target.c3))),
              left + 3);
    else
        v3_to(cayley_between(d, to->target), left + 3);
}

void wy_director_hold(wy_director *x, int which, double *matrix, int stride, int at, int rows,
                      int columns) {
    const wy_director_end *end = &x->plan.end[which];
    wy_director_end_step *to = &x->step->end[which];
    double left[6];
    way_left(x, which, left);
    if (end->slides) turn_axes(end->track, at, matrix, stride, rows, columns);
    for (int i = 0; i < end->places; i++)
        to->size[i] = hold_row(&matrix[(at + i) * stride], at + i, columns, left[i]);
    if (!end->holds_frame) return;
    if (end->turns_free) turn_axes(to->target, at + 3, matrix, stride, rows, columns);
    for (int i = 3; i < (end->turns_free ? 5 : 6); i++)
        to->size[i] = hold_row(&matrix[(at + i) * stride], at + i, columns, left[i]);
}

int wy_director_holds(const wy_director_end *end, int k) {
    if (k < 3) return k < end->places;
    return end->holds_frame && (k < 5 || !end->turns_free);
}

void wy_director_own_axes(const wy_director *x, int which, double v[6]) {
    const wy_director_end *end = &x->plan.end[which];
    if (end->slides) v3_to(m3_tmul(end->track, v3_from(v)), v);
    if (end->holds_frame && end->turns_free)
        v3_to(m3_tmul(x->step->end[which].target, v3_from(v + 3)), v + 3);
}

void wy_director_hold_back(const wy_director *x, int which, double v[6]) {
    const wy_director_end *end = &x->plan.end[which];
    if (end->slides) v3_to(m3_mul(end->track, v3_from(v)), v);
    if (end->holds_frame && end->turns_free)
        v3_to(m3_mul(x->step->end[which].target, v3_from(v + 3)), v + 3);
}

void wy_director_hold_gap(const wy_director *x, int which, double side[6]) {
    double left[6];
    way_left(x, which, left);
    wy_director_own_axes(x, which, side);
    for (int i = 0; i < 6; i++)
        if (wy_director_holds(&x->plan.end[which], i)) side[i] = left[i];
    wy_director_hold_back(x, which, side);
}

void wy_director_hold_side(const wy_director *x, int which, const double given[6], double side[6]) {
    double own[6];
    memcpy(own, given, sizeof own);
    wy_director_own_axes(x, which, own), wy_director_own_axes(x, which, side);
    for (int i = 0; i < 6; i++)
        if (wy_director_holds(&x->plan.end[which], i))
            side[i] = x->step->end[which].size[i] * own[i];
}
