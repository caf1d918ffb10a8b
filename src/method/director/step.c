/* step.c - one time step: guess, mixed Newton, halving; order 4.
 *
 * The unknowns of a step are the increments dr and theta themselves, so that v+ = 2 dr/h - v- loses
 * no digits however small the step; positions are measured from a local origin that follows a rod
 * that flies away.  A step that does not converge from the guess is tried from q+ = q-, and then
 * as two half steps, to any depth up to options.halvings; each part conserves as the whole does.
 */
#include "method/director/network.h"

static const double STEP_DONE = 1e-9;      /* quadratic: the next would be at rounding      */
static const double STEP_STALLED = 1e-7;   /* rounding of a very stiff rod                  */
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
    for (int i = 0; i < x->plan.n * x->plan.p; i++) {
        const wy_director_section *section = &x->plan.section[i];
        for (int k = 0; k < 2; k++)
            x->stress[i].sigma[k] = section->c[k] * (x->strain[i].start[k] - section->rest[k]);
    }
}

void wy_director_guess(wy_director *x, int count) {
    const double h = x->step->h;
    double weight[WY_DIRECTOR_HISTORY];
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

/* After a step: the error each guess would have had; the best one is used for the next step. */
static void judge_guesses(wy_director *x) {
    double miss[WY_DIRECTOR_HISTORY + 1] = {0};
    wy_director_guess_miss(x, miss);
    x->now->guess = wy_director_guess_best((int)x->now->history, miss);
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

void wy_director_absorb(wy_director *x) {
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

int wy_director_squared_away(const wy_director *x, int iteration, double size) {
    const wy_director_now *now = x->now;
    const double enough = wy_max(STEP_ROUNDING, x->step->enough);
    if (iteration == 1 && !(x->step->trial && size < 1e-4)) return 0;
    return now->square > 0 && now->solves % 8 != 0 && 4 * now->square * size * size <= enough;
}

/* Iterate from the guess with `count` past rates. */
static withy_status newton(wy_director *x, int count, int *converged, withy_error *err) {
    double side[6], before = INFINITY;
    wy_director_tendons_back(x, &x->border);
    wy_director_guess(x, count);
    x->now->solves++;
    *converged = 0;
    for (int k = 1; k <= x->plan.opt.newton_max; k++) {
        x->step->fresh = k == 1 && count >= 2;
        x->step->keeps = x->border.count > 0 || (x->tangents && k > 1);
        const withy_status seen = wy_director_see(x, 1, err);
        /* of an iterate that is none yet a function of the state may have no value */
        if (seen == WITHY_BAD_INPUT && (k > 1 || count != 0)) return WITHY_OK;
        WY_TRY(seen);
        wy_director_sweep(x, side);
        x->step->fresh = 0;
        wy_director_back(x, side);
        if (x->border.count && !wy_director_tendons_solve(x)) return WITHY_OK;
        const double size = wy_director_change_size(x);
        x->now->iterations++;
        if (!(size < STEP_WILD)) return WITHY_OK;
        const double share = size > TURN_MOST ? TURN_MOST / size : 1.0;
        wy_director_correct(x, share);
        wy_director_straighten(x);
        if (x->border.count) wy_director_tendons_move(x, &x->border, share);
        wy_director_measure(x->now, before, size);
        *converged =
            (size <= STEP_DONE && (k > 1 || !x->tangents)) || /* factors are kept from 2 on */
            wy_director_squared_away(x, k, size) || (size <= STEP_STALLED && size >= 0.3 * before);
        if (*converged) return wy_director_see(x, 0, err);
        before = size;
    }
    return WITHY_OK;
}

/* Solve the step from step->t of length h; the state is untouched until commit. */
static withy_status solve(wy_director *x, double h, int *converged, withy_error *err) {
    wy_director_step *step = x->step;
    step->h = h, step->per = 1.0 / h, step->beta = 0.5, step->xi = 0.5 * x->plan.opt.xi;
    WY_TRY(wy_director_loads_at(x, step->t + 0.5 * h, err));
    WY_TRY(wy_director_ends_at(x, step->t + 0.5 * h, step->t + h, err));
    wy_director_tendons_keep(x, &x->border);
    const int guess = (int)x->now->guess;
    WY_TRY(newton(x, guess, converged, err));
    if (!*converged && guess != 0) WY_TRY(newton(x, 0, converged, err));
    if (!*converged) wy_director_tendons_back(x, &x->border);
    return WITHY_OK;
}

/* ---- commit ------------------------------------------------------------------------------------- */

/* The origin follows a rod that has moved: a shift by whole lengths of all positions. */
static void follow(wy_director *x) {
    const vec3 middle = x->node[x->plan.node_count / 2].r;
    if (!(v3_norm(middle) > 8 * x->plan.length)) return;
    for (int j = 0; j < x->plan.node_count; j++) x->node[j].r = v3_sub(x->node[j].r, middle);
    for (int i = 0; i < 2; i++) x->now->end[i].spring_r = v3_sub(x->now->end[i].spring_r, middle);
    x->now->origin = v3_add(x->now->origin, middle);
}

static void commit_node(wy_director *x, int j, double per) {
    wy_director_node *node = &x->node[j];
    const wy_director_next *next = &x->next[j];
    node->v = v3_sub(v3_scale(2 * per, next->dr), node->v);
    node->w = lane_all(2 * per) * tri_dot(node->d, tri_all(next->theta)) - node->w;
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
    for (int i = 0; i < 2 && x->plan.node_count; i++) commit_end(x, i); /* a hub may have none */
    for (int j = 0; j < x->plan.node_count; j++) commit_node(x, j, 1.0 / x->step->h);
    for (int i = 0; i < 2; i++) { /* held values are exact to the last digit */
        const wy_director_end *end = &x->plan.end[i];
        const wy_director_end_step *to = &x->step->end[i];
        wy_director_node *node = &x->node[end->node];
        if (end->holds_position) node->r = to->target_r;
        if (end->slides)
            node->r = v3_add(node->r, wy_director_held(end, v3_sub(to->target_r, node->r)));
        if (end->holds_frame && !end->turns_free) node->d = tri_from(to->target);
        if (end->rates) x->now->end[i].driven = to->driven;
    }
}

static void commit(wy_director *x) {
    if (x->plan.damped || x->pull)
        wy_director_strains(x, 0); /* viscous dissipation, lengths of tendons */
    if (!x->step->trial) wy_director_ledger_add(x);
    judge_guesses(x);
    wy_director_keep_rates(x);
    wy_director_keep_nodes(x);
    x->step->t += x->step->h;
    follow(x);
    wy_director_stay(x);
    wy_director_strains(x, 1);
    if (!x->step->trial) wy_director_ledger_close(x);
}

/* ---- steps --------------------------------------------------------------------------------------- */

withy_status wy_director_stuck(const wy_director *x, double h, withy_error *err) {
    if (x->network) return wy_network_stuck((const wy_network *)x, h, err);
    return wy_fail(err, WITHY_NO_CONVERGENCE,
                   "director: no convergence at t = %g with a step of %.3g s after %d halvings and "
                   "%d Newton iterations each; try a smaller dt, more elements (now %d), or a "
                   "little damping",
                   x->step->t, fabs(h), x->plan.opt.halvings, x->plan.opt.newton_max, x->plan.n);
}

/* K = sin(turn)/h falls again beyond a right angle between two nodes, so a rod that is bent further
 * than the mesh can resolve snaps into a fold that costs no energy: a wrong answer with a balanced ledger.
 * Detect such a fold. */
static withy_status check_folds(wy_director *x, withy_error *err) {
    int node;
    const double turn = wy_director_turn(x, &node);
    if (turn < 0.5 * WY_PI) return WITHY_OK;
    if (x->step->whole &&
        fabs(x->step->h) > WY_DIRECTOR_FOLD_SHORT * x->pace->to) { /* perhaps too long a step */
        x->step->refused = 1;
        return WITHY_OK;
    }
    return wy_fail(
        err, WITHY_NO_CONVERGENCE,
        "director: at t = %g the rod turns by %.0f degrees between two nodes at s = %.4g, "
        "more than the mesh can hold (90); use more elements (options.n, now %d)",
        x->step->t, turn * 180.0 / WY_PI, x->plan.s[node], x->plan.n);
}

/* Whether a step that is too long for Newton's method converges in the iterations it has is decided
 * by the last bit; that it was cut then shows in the result, by the error of one such step. */
static void tell_cut(wy_director *x, double h) {
    x->now->cut = 1;
    wy_note(
        x->setup->notes,
        "director: at t = %.4g a step of %.3g s did not converge and was halved; rounding decides "
        "where that happens, and the motion after it depends on it: use a shorter dt or "
        "dt = \"auto\"",
        x->step->t, fabs(h));
}

/* One step of length h, in halves if necessary; dt = "auto" refuses it instead. */
static withy_status step(wy_director *x, double h, int depth, withy_error *err) {
    int converged;
    const double square = x->now->square;
    const int64_t solves = x->now->solves;
    WY_TRY(wy_poll_ask(x->setup->poll, x->step->trial ? x->pace->from : x->step->t, err));
    WY_TRY(solve(x, h, &converged, err));
    if (converged) {
        if (x->slopes && !x->step->trial) WY_TRY(wy_director_slopes_step(x, square, solves, err));
        commit(x);
        return check_folds(x, err);
    }
    if (x->step->whole && depth == WY_DIRECTOR_WHOLE) {
        x->step->refused = 1;
        return WITHY_OK;
    }
    if (depth == x->plan.opt.halvings) return wy_director_stuck(x, h, err);
    x->setup->stats->halvings++;
    if (!x->now->cut && !x->step->whole) tell_cut(x, h);
    WY_TRY(step(x, 0.5 * h, depth + 1, err));
    if (x->step->refused) return WITHY_OK;
    return step(x, 0.5 * h, depth + 1, err);
}

withy_status wy_director_again(wy_director *x, double h, withy_error *err) {
    int converged;
    const double square = x->now->square;
    const int64_t solves = x->now->solves;
    WY_TRY(solve(x, h, &converged, err));
    if (!converged) return wy_director_stuck(x, h, err);
    WY_TRY(wy_director_slopes_step(x, square, solves, err));
    commit(x);
    return WITHY_OK;
}

/* Suzuki's composition: five steps c, c, 1 - 4c, c, c with c = 1/(4 - 4^(1/3)), order 4. */
static withy_status suzuki(wy_director *x, double h, withy_error *err) {
    const double c = 1.0 / (4.0 - cbrt(4.0)), share[5] = {c, c, 1 - 4 * c, c, c};
    for (int i = 0; i < 5 && !x->step->refused; i++) WY_TRY(step(x, share[i] * h, 0, err));
    return WITHY_OK;
}

withy_status wy_director_full_step(wy_director *x, double h, withy_error *err) {
    wy_director_now *now = x->now;
    if (x->network) return wy_network_full_step(wy_network_of(x), h, err);
    now->iterations = 0;
    x->step->refused = 0;
    WY_TRY(x->step->order == 4 ? suzuki(x, h, err) : step(x, h, 0, err));
    withy_stats *stats = x->setup->stats;
    stats->iterations += now->iterations;
    if (x->step->refused || x->step->trial) return WITHY_OK;
    stats->steps++;
    if (now->iterations > stats->iterations_max) stats->iterations_max = (int)now->iterations;
    return WITHY_OK;
}

/* ---- spans of steps --------------------------------------------------------------------------------- */

double wy_director_soft(const wy_director *x) {
    const wy_director_plan *plan = &x->plan;
    double soft = 0;
    for (int i = 0; i < plan->n * plan->p; i++) {
        const wy_director_section *g = &plan->section[i];
        soft += g->weight / wy_min(g->c[1][0], g->c[1][1]);
    }
    return plan->length * plan->length * soft;
}

/* Period of the first bending mode of a cantilever with the rod's mean section: a scale of time. */
double wy_director_slow_period(const wy_director *x) {
    const wy_director_plan *plan = &x->plan;
    double mass = 0;
    for (int j = 0; j < plan->node_count; j++) mass += plan->mass[j].mass;
    return 2 * WY_PI / 3.516 * sqrt(mass * wy_director_soft(x));
}

double wy_director_first_dt(const wy_director *x) {
    return 0.01 * wy_director_slow_period(x);
}

/* The motion starts. */
static withy_status start(wy_director *x, withy_error *err) {
    wy_director_now *now = x->now;
    now->started = 1;
    WY_TRY(wy_director_offsets(x, err));
    wy_director_past_start(now);
    for (int j = 0; j < x->plan.node_count; j++) {
        wy_director_node *node = &x->node[j];
        node->rate[0].dr = node->v;
        node->rate[0].theta = m3_mul(tri_matrix(node->d), lane_vec3(node->w));
    }
    if (x->pace) wy_director_auto_start(x);
    return WITHY_OK;
}

withy_status wy_director_advance(void *self, const wy_span *span, withy_error *err) {
    wy_director *x = self;
    *x->step = (wy_director_step){.factor = 1.0, .dynamic = 1, .order = x->plan.opt.order};
    x->step->gravity = x->plan.problem->gravity;
    if (!x->now->started) WY_TRY(start(x, err));
    x->step->t = wy_span_time(span, span->from);
    if (x->pace) return wy_director_auto_advance(x, span, err);
    for (int64_t k = span->from; k < span->to; k++) {
        x->step->t = wy_span_time(span, k);
        WY_TRY(wy_director_full_step(x, span->h, err));
    }
    return WITHY_OK;
}
