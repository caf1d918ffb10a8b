/* report.c - velocities and forces at the time of the state.
 *
 * A step gives means over its length: m = (q+ - q-)/h, which belong to its middle, forces likewise.  Of what is reported
 * with the time t of its end:
 *
 *   velocity    v+ of the scheme, of its order.  Motions that the step does not resolve reverse in v from step to step
 *               and never decay.  With d = (v+ - v-)/2 of the last steps, newest first, what v has beyond the line
 *               through the middles of the last two steps is
 *                   z0 = (d0 h1 - d1 h0)/(h0 + h1) = v - (m0 + (m0 - m1) h0/(h0 + h1))                          (1)
 *               Where z reverses in each of the last steps it is left out: what is reported is then the mean of
 *               neighbouring steps, extrapolated to t.  Of a motion with more than four steps to a period z does not.
 *   held ends, and rods without inertia
 *               the line through the last two means, with the slope limited to that of the two before (a kink of what
 *               drives the end does not overshoot).
 *   forces      of ends, joints and tendons likewise, and where they reverse from step to step the line through
 *               the means of neighbouring ones.
 *
 * All are of order 2 at least; v+ with order = 4 of order 4.
 */
#include "method/director/network.h"

/* z of one step is opposite to that of the next and of about its size.  A jump of v gives z = J (1, -1)/4, a peak
 * (1, -2, 1)/4: half the size of the neighbour at most, in one place. */
static const double REVERSES = 0.55, REVERSED = 0.8;

/* Do three differences reverse from one to the next?  0: no .. 1 */
static double reversing(const vec3 z[3]) {
    double least = 1;
    for (int i = 0; i < 2; i++) {
        const double size = wy_max(v3_dot(z[i], z[i]), v3_dot(z[i + 1], z[i + 1]));
        if (!(size > 0)) return 0;
        least = wy_min(least, -v3_dot(z[i], z[i + 1]) / size);
    }
    return wy_max(0, wy_min(1, (least - REVERSES) / (REVERSED - REVERSES)));
}

/* (1) from v and the means of the last steps. */
static vec3 without_reversing(const double h[WY_DIRECTOR_RATES], vec3 v,
                              const vec3 m[WY_DIRECTOR_RATES]) {
    vec3 d[WY_DIRECTOR_RATES], z[WY_DIRECTOR_RATES - 1], w = v;
    for (int i = 0; i < WY_DIRECTOR_RATES; i++) {
        d[i] = v3_sub(w, m[i]);
        w = v3_axpy(v3_scale(2, m[i]), -1, w);
    }
    for (int i = 0; i + 1 < WY_DIRECTOR_RATES; i++) {
        const double both = h[i] + h[i + 1];
        if (!(fabs(both) > 0)) return v;
        z[i] = v3_scale(1 / both, v3_axpy(v3_scale(h[i + 1], d[i]), -h[i], d[i + 1]));
    }
    return v3_axpy(v, -reversing(z), z[0]);
}

/* The time of the state. */
static double time_of(const wy_director_now *now) {
    return now->rate_time[0] + 0.5 * now->rate_step[0];
}

/* From the last `count` means: the last two, with the slope limited. */
static vec3 limited(const wy_director_now *now, double count, const vec3 *m) {
    const double *t = now->rate_time, ahead = time_of(now) - t[0];
    if (!(count >= 2) || !(fabs(t[0] - t[1]) > 0)) return m[0];
    const vec3 slope = v3_scale(1 / (t[0] - t[1]), v3_sub(m[0], m[1]));
    double share = 1;
    if (count >= 3 && fabs(t[1] - t[2]) > 0) {
        const vec3 last = v3_scale(1 / (t[1] - t[2]), v3_sub(m[1], m[2]));
        const double size = v3_dot(slope, slope);
        share = size > 0 ? wy_max(0, wy_min(1, v3_dot(slope, last) / size)) : 0;
    }
    return v3_axpy(m[0], share * ahead, slope);
}

/* The line through the means of neighbouring ones. */
static vec3 averaged(const wy_director_now *now, const vec3 *m) {
    const double *t = now->rate_time, wide = 0.5 * (t[0] - t[2]);
    const vec3 first = v3_scale(0.5, v3_add(m[0], m[1])), next = v3_scale(0.5, v3_add(m[1], m[2]));
    if (!(fabs(wide) > 0)) return first;
    return v3_axpy(first, (time_of(now) - 0.5 * (t[0] + t[1])) / wide, v3_sub(first, next));
}

/* Were the last steps the five of order 4?  What joints and held ends keep is kept by the places: the velocities miss
 * it by e, and e+ = -e- + k h^2, so that a force misses m (e+ - e-)/h.  With equal steps that reverses; of the five it
 * is opposite in the first two and in the last two. */
static int is_composed(const wy_director_now *now) {
    const double *h = now->rate_step;
    return now->passed >= WY_DIRECTOR_PAST && h[2] * h[0] < 0 && h[1] == h[0] && h[3] == h[0] &&
           h[4] == h[0];
}

static vec3 composed(const wy_director_now *now, const vec3 *m) {
    const double *t = now->rate_time, at = 0.5 * (t[0] + t[1]), before = 0.5 * (t[3] + t[4]);
    const vec3 last = v3_scale(0.5, v3_add(m[0], m[1])), first = v3_scale(0.5, v3_add(m[3], m[4]));
    return v3_axpy(last, (time_of(now) - at) / (at - before), v3_sub(last, first));
}

/* After two to four steps what reverses and what grows is not told apart: neighbouring ones are averaged in any case,
 * and the force at the start, m[2] after two, is one that does not reverse. */
static vec3 early(const wy_director_now *now, const vec3 *m) {
    const double *t = now->rate_time, at = 0.5 * (t[0] + t[1]);
    if (now->passed > 3 || !(at > t[2])) return averaged(now, m);
    const vec3 mean = v3_scale(0.5, v3_add(m[0], m[1]));
    return v3_axpy(mean, (time_of(now) - at) / (at - t[2]), v3_sub(mean, m[2]));
}

vec3 wy_director_force_now(const wy_director_now *now, const vec3 m[WY_DIRECTOR_PAST]) {
    if (is_composed(now)) return composed(now, m);
    const int begun = now->rate_step[WY_DIRECTOR_PAST - 1] == 0; /* its start is one of them */
    if (now->passed >= 3 && begun) return early(now, m);
    const vec3 value = limited(now, now->passed, m);
    if (!(now->passed >= WY_DIRECTOR_PAST)) return value;
    vec3 z[WY_DIRECTOR_PAST - 2];
    for (int i = 0; i < WY_DIRECTOR_PAST - 2; i++)
        z[i] = v3_add(v3_axpy(m[i], -2, m[i + 1]), m[i + 2]);
    const double share = reversing(z);
    return share > 0 ? v3_axpy(v3_scale(1 - share, value), share, averaged(now, m)) : value;
}

void wy_director_force_pass(vec3 m[WY_DIRECTOR_PAST]) {
    for (int i = WY_DIRECTOR_PAST - 1; i > 0; i--) m[i] = m[i - 1];
}

/* ---- a node ------------------------------------------------------------------------------------------------- */

static void free_speed(const wy_director *x, int j, vec3 *v, vec3 *spin) {
    const wy_director_node *node = &x->node[j];
    const wy_director_now *now = x->now;
    *v = node->v, *spin = lane_vec3(node->w);
    if (now->passed >= WY_DIRECTOR_PAST) { /* all of them of steps, none of the start */
        vec3 m[WY_DIRECTOR_RATES], turn[WY_DIRECTOR_RATES];
        tri d = node->d;
        for (int i = 0; i < WY_DIRECTOR_RATES; i++) { /* W+ + W- = 2 R^T theta/h: body components */
            const vec3 theta = node->rate[i].theta;
            m[i] = node->rate[i].dr, turn[i] = lane_vec3(tri_dot(d, tri_all(theta)));
            d = tri_cayley(v3_scale(-now->rate_step[i], theta), d);
        }
        *v = without_reversing(now->rate_step, *v, m);
        *spin = without_reversing(now->rate_step, *spin, turn);
    }
    *spin = m3_mul(tri_matrix(node->d), *spin);
}

static void held_speed(const wy_director *x, int j, vec3 *v, vec3 *spin) {
    vec3 m[WY_DIRECTOR_RATES], turn[WY_DIRECTOR_RATES];
    for (int i = 0; i < WY_DIRECTOR_RATES; i++)
        m[i] = x->node[j].rate[i].dr, turn[i] = x->node[j].rate[i].theta;
    *v = limited(x->now, x->now->passed, m), *spin = limited(x->now, x->now->passed, turn);
    const double *h = x->now->rate_step;
    if (!wy_is_massless(&x->plan) || x->now->passed < 4 || h[1] != h[0] || h[2] != h[0]) return;
    *v = averaged(x->now, m), *spin = averaged(x->now, turn); /* what is stiff may reverse */
}

/* What an end prescribes. */
static void end_speed(const wy_director *x, const wy_director_end *end, vec3 *v, vec3 *spin) {
    vec3 moved, turned;
    held_speed(x, end->node, &moved, &turned);
    *v = v3_add(v3_sub(*v, wy_director_held(end, *v)), wy_director_held(end, moved));
    const vec3 d3 = tri_matrix(x->node[end->node].d).c3;
    const double about = v3_dot(d3, v3_sub(*spin, turned));
    if (end->holds_frame) *spin = end->turns_free ? v3_axpy(turned, about, d3) : turned;
}

/* The rigid group of node j of a rod, or -1. */
static int member_of(const wy_director *x, int j) {
    const wy_network_plan *plan = x->within ? &x->within->plan : NULL;
    if (!plan || j % x->plan.p) return -1;
    return plan->member_at[plan->member_first[x->plan.index] + j / x->plan.p];
}

void wy_director_speed(const wy_director *x, int j, vec3 *v, vec3 *spin) {
    const int member = member_of(x, j);
    if (!(x->now->passed >= 1)) { /* not in motion yet */
        *v = x->node[j].rate[0].dr, *spin = x->node[j].rate[0].theta;
    } else if (member >= 0) {
        const wy_group_node *k = &x->within->plan.member[member];
        const wy_director *rigid = &x->within->rigid;
        wy_director_speed(rigid, k->rigid_group, v, spin);
        *v = v3_add(*v, v3_cross(*spin, m3_mul(tri_matrix(rigid->node[k->rigid_group].d), k->o)));
    } else if (wy_is_massless(&x->plan) ||
               (x->network && ((const wy_network *)x)->plan.rigid_group[j].held)) {
        held_speed(x, j, v, spin);
    } else {
        free_speed(x, j, v, spin);
        for (int i = 0; i < 2 && !x->network; i++)
            if (x->plan.end[i].node == j) end_speed(x, &x->plan.end[i], v, spin);
    }
}
