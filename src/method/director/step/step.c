/* step.c - what a time step (director/step/network_step.c) does with one rod: guess, size of a change, commit.
 *
 * The unknowns of a step are the increments dr and theta themselves, so that v+ = 2 dr/h - v- loses
 * no digits however small the step; positions are measured from a local origin that follows what flies away.
 */
#include "method/director/force/fluid.h"
#include "method/director/law/law.h"
#include "method/director/network.h"

static const double STEP_ROUNDING = 2e-15; /* a negligible error */
static const double STEP_WILD = 1e8;       /* a larger one is rejected */
static const double TURN_MOST = 1.0;       /* of one guess or one increment                 */

/* ---- guess ------------------------------------------------------------------------------------- */

/* Weights of `count` past rates at time t: Lagrange polynomial through their mid times. */
static void rate_weights(const wy_director_now *x, int count, double t, double *weight) {
    for (int i = 0; i < count; i++) {
        weight[i] = 1.0;
        for (int k = 0; k < count; k++)
            if (k != i) weight[i] *= (t - x->rate_time[k]) / (x->rate_time[i] - x->rate_time[k]);
    }
}

static void rate_at(const wy_director_node *node, int count, const double *weight, vec3 *dr,
                    vec3 *theta) {
    *dr = *theta = v3(0, 0, 0);
    for (int i = 0; i < count; i++) {
        *dr = v3_axpy(*dr, weight[i], node->rate[i].dr);
        *theta = v3_axpy(*theta, weight[i], node->rate[i].theta);
    }
}

void wy_director_sigma(wy_director *x) {
    for (int i = 0; i < x->plan.n * x->plan.p; i++)
        wy_section_stress_at(x, i, x->strain[i].start, x->stress[i].sigma);
}

void wy_director_guess(wy_director *x, int count) {
    const double h = x->step->h;
    double weight[WY_DIRECTOR_HISTORY];
    if (!x->plan.node_count) return; /* the rigid groups of rods alone */
    rate_weights(x->now, count, x->step->t + 0.5 * h, weight);
    for (int j = 0; j < x->plan.node_count; j++) {
        wy_director_next *next = &x->next[j];
        vec3 dr, theta;
        rate_at(&x->node[j], count, weight, &dr, &theta);
        theta = v3_scale(h, theta);
        const double turn = v3_norm(theta);
        if (turn > TURN_MOST) theta = v3_scale(TURN_MOST / turn, theta);
        next->dr = v3_scale(h, dr);
        next->theta = theta;
        next->d = tri_cayley(theta, x->node[j].d);
    }
    wy_director_sigma(x);
}

void wy_director_guess_miss(const wy_director *x, double miss[WY_DIRECTOR_HISTORY + 1]) {
    const wy_director_now *now = x->now;
    double weight[WY_DIRECTOR_HISTORY][WY_DIRECTOR_HISTORY];
    const double h = x->step->h, t = x->step->t + 0.5 * h;
    const double per = 1.0 / (x->plan.length * x->plan.length);
    const int history = (int)now->history;
    if (!x->plan.node_count) return;
    for (int c = 1; c <= history; c++) rate_weights(now, c, t, weight[c - 1]);
    for (int j = 0; j < x->plan.node_count; j++) {
        const wy_director_next *next = &x->next[j];
        for (int c = 0; c <= history; c++) {
            vec3 dr = v3(0, 0, 0), theta = dr;
            if (c > 0) rate_at(&x->node[j], c, weight[c - 1], &dr, &theta);
            dr = v3_axpy(next->dr, -h, dr), theta = v3_axpy(next->theta, -h, theta);
            miss[c] = wy_max(miss[c], per * v3_dot(dr, dr) + v3_dot(theta, theta));
        }
    }
}

int wy_director_guess_best(int history, const double miss[WY_DIRECTOR_HISTORY + 1]) {
    int best = 0;
    for (int c = 1; c <= history; c++)
        if (miss[c] < (best ? 1.0 : 0.05) * miss[best]) best = c;
    return best;
}

void wy_director_keep_rates(wy_director *x) {
    wy_director_now *now = x->now;
    const double per = 1.0 / x->step->h;
    for (int i = WY_DIRECTOR_PAST - 1; i > 0; i--)
        now->rate_time[i] = now->rate_time[i - 1], now->rate_step[i] = now->rate_step[i - 1];
    now->rate_time[0] = x->step->t + 0.5 * x->step->h, now->rate_step[0] = x->step->h;
    if (now->passed < WY_DIRECTOR_PAST) now->passed += 1;
    for (int j = 0; j < x->plan.node_count; j++) {
        wy_director_node *node = &x->node[j];
        for (int i = WY_DIRECTOR_RATES - 1; i > 0; i--) node->rate[i] = node->rate[i - 1];
        node->rate[0].dr = v3_scale(per, x->next[j].dr);
        node->rate[0].theta = v3_scale(per, x->next[j].theta);
    }
    if (now->history < WY_DIRECTOR_HISTORY) now->history++;
}

void wy_director_past_start(wy_director_now *now) {
    now->history = 1, now->guess = 1;
    now->rate_time[0] = now->rate_step[0] = 0, now->passed = 1;
}

/* ---- Newton ------------------------------------------------------------------------------------ */

static double change_of(const wy_director *x, const double c[6]) {
    const double shift = sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]) / x->plan.length;
    const double angle = sqrt(c[3] * c[3] + c[4] * c[4] + c[5] * c[5]);
    return shift + angle < STEP_WILD ? wy_max(shift, angle) : INFINITY; /* NaN too */
}

double wy_director_change_size(const wy_director *x) {
    double size = 0;
    for (int j = 0; j < x->plan.node_count; j++)
        size = wy_max(size, change_of(x, x->next[j].change));
    return size;
}

/* Keep the tangent of an end that may turn about it exactly where it is prescribed. */
void wy_director_straighten(wy_director *x) {
    for (int i = 0; i < 2; i++) {
        const wy_director_end *end = &x->plan.end[i];
        if (!end->turns_free) continue;
        wy_director_next *next = &x->next[end->node];
        const mat3 small = m3_between(tri_matrix(next->d).c3, x->step->end[i].target.c3);
        next->theta = cayley_after(next->theta, cayley_between(m3_identity(), small));
        next->d = tri_cayley(next->theta, x->node[end->node].d);
    }
}

void wy_director_accept_increment(wy_director *x) {
    for (int i = 0; i < 2; i++) {
        const wy_director_end *end = &x->plan.end[i];
        if (!end->turns_free) continue;
        tri *d = &x->next[end->node].d;
        const mat3 small = m3_between(tri_matrix(*d).c3, x->step->end[i].target.c3);
        *d = tri_cayley(cayley_between(m3_identity(), small), *d);
    }
    for (int j = 0; j < x->plan.node_count; j++) {
        wy_director_node *node = &x->node[j];
        node->r = v3_add(node->r, x->next[j].dr);
        node->d = tri_orthonormal(x->next[j].d);
    }
}

/* Newton's error squares: size_next = C size^2.  C is measured whenever an iteration follows one that
 * was small already; where it shows that the remaining error is below rounding, the iteration that would
 * only confirm it is skipped, except in every eighth solve, which measures C again. */
void wy_director_measure(wy_director_now *x, double before, double size) {
    if (!(before < 1e-4) || !(before > 1e-10)) return;
    const double c = size / (before * before);
    x->square = x->square > 0 ? wy_max(c, 0.7 * x->square) : c;
}

int wy_director_below_rounding(const wy_director *x, int iteration, double size) {
    const wy_director_now *now = x->now;
    const double enough = wy_max(STEP_ROUNDING, x->step->enough);
    if (iteration == 1 && !(x->step->trial && size < 1e-4)) return 0;
    return now->square > 0 && now->solves % 8 != 0 && 4 * now->square * size * size <= enough;
}

/* ---- commit ------------------------------------------------------------------------------------- */

static void commit_node(wy_director *x, int j, double per) {
    wy_director_node *node = &x->node[j];
    const wy_director_next *next = &x->next[j];
    node->v = v3_sub(v3_scale(2 * per, next->dr), node->v);
    node->w = lane_all(2 * per) * tri_dot(node->d, tri_all(next->theta)) - node->w;
    if (wy_is_massless(&x->plan)) /* its velocity is no state: the mean of the step */
        node->v = v3_scale(per, next->dr),
        node->w = lane_all(per) * tri_dot(node->d, tri_all(next->theta));
    node->r = v3_add(node->r, next->dr);
    node->d = tri_orthonormal(next->d);
    withy_stats *stats = x->setup->stats;
    const lane unit = tri_dot(node->d, node->d);
    for (int k = 0; k < 3; k++)
        stats->constraint_max = wy_max(stats->constraint_max, fabs(unit[k] - 1.0));
}

static void commit_end(wy_director *x, int which) {
    const wy_director_end *end = &x->plan.end[which];
    const wy_director_next *next = &x->next[end->node];
    vec3 *u = &x->now->end[which].u;
    const vec3 arm = tri_sum3(tri_scale(vec3_lane(end->arm), wy_director_mid(x, end->node)));
    const vec3 way = v3_add(next->dr, v3_cross(next->theta, arm));
    *u = v3_sub(v3_scale(2.0 / x->step->h, way), *u);
}

void wy_director_keep_nodes(wy_director *x) {
    if (!x->plan.node_count) return; /* there may be no rigid group */
    for (int i = 0; i < 2; i++) commit_end(x, i);
    if (x->u) wy_added_mass_keep(x);
    for (int j = 0; j < x->plan.node_count; j++) commit_node(x, j, 1.0 / x->step->h);
    for (int i = 0; i < 2; i++) { /* held values are exact to the last digit */
        const wy_director_end *end = &x->plan.end[i];
        const wy_director_end_step *to = &x->step->end[i];
        wy_director_node *node = &x->node[end->node];
        if (end->places == 3) node->r = to->target_r;
        if (end->slides)
            node->r = v3_add(node->r, wy_director_held(end, v3_sub(to->target_r, node->r)));
        if (end->holds_frame && !end->turns_free) node->d = tri_from(to->target);
        if (end->rates) x->now->end[i].driven = to->driven;
    }
}

/* ---- scales ------------------------------------------------------------------------------------- */

double wy_director_compliance(const wy_director *x) {
    const wy_director_plan *plan = &x->plan;
    double soft = 0;
    for (int i = 0; i < plan->n * plan->p; i++) {
        const wy_director_section *g = &plan->section[i];
        soft += g->weight / wy_min(g->c[1][0], g->c[1][1]);
    }
    return plan->length * plan->length * soft;
}

/* Period of the first bending mode of a cantilever with the rod's mean section: a scale of time.  Without inertia the time
 * in which it decays. */
double wy_director_slow_period(const wy_director *x) {
    const wy_director_plan *plan = &x->plan;
    double mass = 0, slow = 0;
    for (int j = 0; j < plan->node_count && wy_is_massless(plan); j++)
        slow += x->fluid->node[j].slow[0];
    if (wy_is_massless(plan)) return slow * wy_director_compliance(x) / (3.516 * 3.516);
    for (int j = 0; j < plan->node_count; j++) mass += plan->mass[j].mass;
    return 2 * WY_PI / 3.516 * sqrt(mass * wy_director_compliance(x));
}

double wy_director_first_dt(const wy_director *x) {
    return 0.01 * wy_director_slow_period(x);
}
