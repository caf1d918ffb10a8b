/* step.c - one time step: guess, mixed Newton, halving; order 4; dt = "auto".
 *
 * The unknowns of a step are the increments dr and theta themselves, so that v+ = 2 dr/h - v- loses
 * no digits however small the step; positions are measured from a local origin that follows a rod
 * that flies away.  A step that does not converge from the guess is tried from q+ = q-, and then
 * as two half steps, to any depth up to options.halvings; each part conserves as the whole does.
 */
#include "method/director/director.h"

static const double STEP_DONE = 1e-9;      /* quadratic: the next would be at rounding      */
static const double STEP_STALLED = 1e-7;   /* rounding of a very stiff rod                  */
static const double STEP_ROUNDING = 2e-15; /* an error no one can see                        */
static const double STEP_WILD = 1e8;       /* further than this is no iterate               */
static const double TURN_MOST = 1.0;       /* of one guess or one increment                 */

/* ---- guess ------------------------------------------------------------------------------------- */

/* Weights of `count` past rates at time t: Lagrange polynomial through their mid times. */
static void rate_weights(const wy_director *x, int count, double t, double *weight) {
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

static void set_guess(wy_director *x, int count) {
    double weight[WY_DIRECTOR_HISTORY];
    rate_weights(x, count, x->t + 0.5 * x->h, weight);
    for (int j = 0; j < x->node_count; j++) {
        wy_director_node *node = &x->node[j];
        vec3 dr, theta;
        rate_at(node, count, weight, &dr, &theta);
        theta = v3_scale(x->h, theta);
        const double turn = v3_norm(theta);
        if (turn > TURN_MOST) theta = v3_scale(TURN_MOST / turn, theta);
        node->dr = v3_scale(x->h, dr);
        node->theta = theta;
        node->plus = tri_cayley(theta, node->d);
    }
    for (int i = 0; i < x->n * x->p; i++) {
        wy_director_gauss *gauss = &x->gauss[i];
        for (int k = 0; k < 2; k++)
            gauss->sigma[k] = gauss->c[k] * (gauss->start[k] - gauss->rest[k]);
    }
}

/* After a step: how far each guess would have been off; the best is the next step's. */
static void judge_guesses(wy_director *x) {
    double weight[WY_DIRECTOR_HISTORY][WY_DIRECTOR_HISTORY],
        miss[WY_DIRECTOR_HISTORY + 1] = {0}, way[WY_DIRECTOR_HISTORY + 1] = {0};
    const double t = x->t + 0.5 * x->h, per = 1.0 / (x->length * x->length);
    for (int c = 1; c <= x->history; c++) rate_weights(x, c, t, weight[c - 1]);
    for (int j = 0; j < x->node_count; j++) {
        const wy_director_node *node = &x->node[j];
        for (int c = 0; c <= x->history; c++) {
            vec3 dr = v3(0, 0, 0), theta = dr;
            if (c > 0) rate_at(node, c, weight[c - 1], &dr, &theta);
            dr = v3_axpy(node->dr, -x->h, dr), theta = v3_axpy(node->theta, -x->h, theta);
            const double shift = per * v3_dot(dr, dr);
            way[c] = wy_max(way[c], shift);
            miss[c] = wy_max(miss[c], shift + v3_dot(theta, theta));
        }
    }
    x->guess = 0;
    for (int c = 1; c <= x->history; c++)
        if (miss[c] < (x->guess ? 1.0 : 0.05) * miss[x->guess]) x->guess = c;
    const int best = x->history >= 2 ? 2 : x->history;
    x->error = sqrt(way[best]) / 12.0; /* h^3 r'''/12 against the linear extrapolation; places only:
                                        * fast rotations are not followed for their own sake */
}

static void remember_rates(wy_director *x) {
    const double per = 1.0 / x->h;
    for (int i = WY_DIRECTOR_HISTORY - 1; i > 0; i--) x->rate_time[i] = x->rate_time[i - 1];
    x->rate_time[0] = x->t + 0.5 * x->h;
    for (int j = 0; j < x->node_count; j++) {
        wy_director_node *node = &x->node[j];
        for (int i = WY_DIRECTOR_HISTORY - 1; i > 0; i--) node->rate[i] = node->rate[i - 1];
        node->rate[0].dr = v3_scale(per, node->dr);
        node->rate[0].theta = v3_scale(per, node->theta);
    }
    if (x->history < WY_DIRECTOR_HISTORY) x->history++;
}

/* ---- Newton ------------------------------------------------------------------------------------ */

static double change_size(const wy_director *x, double *turn) {
    double size = 0, most = 0;
    const double per = 1.0 / x->length;
    for (int j = 0; j < x->node_count; j++) {
        const double *c = x->node[j].change;
        const double shift = per * sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
        const double angle = sqrt(c[3] * c[3] + c[4] * c[4] + c[5] * c[5]);
        if (!(shift + angle < STEP_WILD)) return INFINITY; /* NaN too */
        size = wy_max(size, wy_max(shift, angle));
        most = wy_max(most, wy_max(shift, angle));
    }
    *turn = most;
    return size;
}

/* Keep the tangent of an end that may turn about it exactly where it is prescribed. */
static void straighten(wy_director *x) {
    for (int i = 0; i < 2; i++) {
        const wy_director_end *end = &x->end[i];
        if (!end->turns_free) continue;
        wy_director_node *node = &x->node[end->node];
        const mat3 small = m3_between(tri_matrix(node->plus).c3, end->target.c3);
        node->theta = cayley_after(node->theta, cayley_between(m3_identity(), small));
        node->plus = tri_cayley(node->theta, node->d);
    }
}

/* Newton's error squares: size_next = C size^2.  C is measured whenever an iteration follows one that
 * was small already; where it says that the error left is below rounding, the iteration that would
 * only confirm it is spared, except in every eighth solve, which measures C again. */
static void measure_square(wy_director *x, double before, double size) {
    if (!(before < 1e-4) || !(before > 1e-10)) return;
    const double c = size / (before * before);
    x->square = x->square > 0 ? wy_max(c, 0.7 * x->square) : c;
}

static int squared_away(const wy_director *x, double size) {
    return x->square > 0 && x->solves % 8 != 0 && 4 * x->square * size * size <= STEP_ROUNDING;
}

/* Iterate from the guess with `count` past rates; 1 when converged. */
static int newton(wy_director *x, int count) {
    double front[6][WY_DIRECTOR_PANEL], before = INFINITY;
    set_guess(x, count);
    x->solves++;
    for (int k = 1; k <= x->opt.newton_max; k++) {
        double most;
        x->fresh = k == 1 && count >= 2;
        wy_director_sweep(x, front);
        x->fresh = 0;
        wy_director_back(x, (const double(*)[WY_DIRECTOR_PANEL])front);
        const double size = change_size(x, &most);
        x->iterations++;
        if (!(size < STEP_WILD)) return 0;
        const double share = most > TURN_MOST ? TURN_MOST / most : 1.0;
        wy_director_correct(x, share);
        straighten(x);
        measure_square(x, before, size);
        if (size <= STEP_DONE || (k > 1 && squared_away(x, size))) return 1;
        if (size <= STEP_STALLED && size >= 0.3 * before) return 1;
        before = size;
    }
    return 0;
}

/* Solve the step from x->t of length h; the state is untouched until commit. */
static withy_status solve(wy_director *x, double h, int *converged, withy_error *err) {
    x->h = h, x->per = 1.0 / h, x->beta = 0.5, x->xi = 0.5 * x->opt.xi, x->dynamic = 1;
    x->shift = 0.0;
    x->gravity = x->problem->gravity;
    WY_TRY(wy_director_loads_at(x, x->t + 0.5 * h, err));
    WY_TRY(wy_director_ends_at(x, x->t + 0.5 * h, x->t + h, err));
    *converged = newton(x, x->guess);
    if (!*converged && x->guess != 0) *converged = newton(x, 0);
    return WITHY_OK;
}

/* ---- commit ------------------------------------------------------------------------------------- */

/* A rod that has moved on takes its origin along: a shift by whole lengths of all positions. */
static void follow(wy_director *x) {
    const vec3 middle = x->node[x->node_count / 2].r;
    if (!(v3_norm(middle) > 8 * x->length)) return;
    for (int j = 0; j < x->node_count; j++) x->node[j].r = v3_sub(x->node[j].r, middle);
    for (int i = 0; i < 2; i++) x->end[i].spring_r = v3_sub(x->end[i].spring_r, middle);
    for (int i = 0; i < 2; i++) x->end[i].target_r = v3_sub(x->end[i].target_r, middle);
    x->origin = v3_add(x->origin, middle);
}

static void commit_node(wy_director *x, wy_director_node *node) {
    const double per = 1.0 / x->h;
    node->v = v3_sub(v3_scale(2 * per, node->dr), node->v);
    node->w = lane_all(2 * per) * tri_dot(node->d, tri_all(node->theta)) - node->w;
    node->past_dr = v3_scale(per, node->dr), node->past_theta = v3_scale(per, node->theta);
    node->r = v3_add(node->r, node->dr);
    node->d = node->plus = tri_orthonormal(node->plus);
    node->dr = node->theta = v3(0, 0, 0);
    const lane unit = tri_dot(node->d, node->d);
    for (int k = 0; k < 3; k++)
        x->stats->constraint_max = wy_max(x->stats->constraint_max, fabs(unit[k] - 1.0));
}

static void commit(wy_director *x) {
    wy_director_strains(x, 0);
    wy_director_enter(x);
    judge_guesses(x);
    remember_rates(x);
    for (int i = 0; i < 2; i++) {
        wy_director_end *end = &x->end[i];
        const wy_director_node *node = &x->node[end->node];
        const vec3 arm = tri_sum3(tri_scale(vec3_lane(end->arm), wy_director_mid(node)));
        const vec3 way = v3_add(node->dr, v3_cross(node->theta, arm));
        end->u = v3_sub(v3_scale(2.0 / x->h, way), end->u);
    }
    for (int j = 0; j < x->node_count; j++) commit_node(x, &x->node[j]);
    for (int i = 0; i < 2; i++) { /* held is held, to the last digit */
        const wy_director_end *end = &x->end[i];
        wy_director_node *node = &x->node[end->node];
        if (end->holds_position) node->r = end->target_r;
        if (end->holds_frame && !end->turns_free) node->d = node->plus = tri_from(end->target);
    }
    x->t += x->h;
    follow(x);
    wy_director_strains(x, 1);
    wy_director_keep_books(x);
}

/* ---- steps --------------------------------------------------------------------------------------- */

static withy_status stuck(const wy_director *x, double h, withy_error *err) {
    return wy_fail(err, WITHY_NO_CONVERGENCE,
                   "director: no convergence at t = %g with a step of %.3g s after %d halvings and "
                   "%d Newton iterations each; try a smaller dt, more elements (now %d), or a "
                   "little damping",
                   x->t, fabs(h), x->opt.halvings, x->opt.newton_max, x->n);
}

/* K = sin(turn)/h falls again beyond a right angle between two nodes, so a rod that is bent further
 * than the mesh can hold snaps into a fold that costs nothing: a wrong answer with a closed ledger.
 * Find such a fold; the trace of a rotation is 1 + 2 cos(turn). */
static withy_status check_folds(const wy_director *x, withy_error *err) {
    for (int j = 0; j + 1 < x->node_count; j++) {
        const lane own = tri_dot(x->node[j].d, x->node[j + 1].d); /* d_i . d_i of the neighbour */
        const double trace = own[0] + own[1] + own[2];
        if (trace > 1.0) continue;
        return wy_fail(
            err, WITHY_NO_CONVERGENCE,
            "director: at t = %g the rod turns by %.0f degrees between two nodes at s = %.4g, "
            "more than the mesh can hold (90); use more elements (options.n, now %d)",
            x->t, acos(wy_max(-1.0, 0.5 * (trace - 1.0))) * 180.0 / WY_PI, x->s[j], x->n);
    }
    return WITHY_OK;
}

/* dt = "auto" takes back the first part of a step whose error is this many times what it may be. */
static const double AUTO_REFUSE = 4.0, AUTO_SHORTEST = 1e-9; /* of time.output */

static int refuses(wy_director *x, double h, int depth) {
    if (x->opt.dt > 0 || !x->may_refuse || depth > 0) return 0;
    if (h < AUTO_SHORTEST * x->problem->request.output) return 0;
    judge_guesses(x);
    return x->error > AUTO_REFUSE * x->opt.tol;
}

/* One step of length h, in halves if it must be. */
static withy_status step(wy_director *x, double h, int depth, withy_error *err) {
    int converged;
    WY_TRY(solve(x, h, &converged, err));
    if (converged) {
        x->refused = refuses(x, h, depth);
        if (x->refused) return WITHY_OK;
        commit(x);
        return check_folds(x, err);
    }
    if (depth == x->opt.halvings) return stuck(x, h, err);
    x->stats->halvings++;
    WY_TRY(step(x, 0.5 * h, depth + 1, err));
    return step(x, 0.5 * h, depth + 1, err);
}

/* Suzuki's composition: five steps c, c, 1 - 4c, c, c with c = 1/(4 - 4^(1/3)), order 4. */
static withy_status suzuki(wy_director *x, double h, withy_error *err) {
    const double c = 1.0 / (4.0 - cbrt(4.0)), share[5] = {c, c, 1 - 4 * c, c, c};
    for (int i = 0; i < 5 && !x->refused; i++) {
        x->may_refuse = i == 0;
        WY_TRY(step(x, share[i] * h, 0, err));
    }
    return WITHY_OK;
}

static withy_status full_step(wy_director *x, double h, withy_error *err) {
    x->iterations = 0;
    x->refused = 0, x->may_refuse = 1;
    const double end = x->t + h;
    WY_TRY(x->opt.order == 4 ? suzuki(x, h, err) : step(x, h, 0, err));
    if (x->refused) return WITHY_OK;
    x->t = end; /* halves and Suzuki's parts add up to h only to rounding */
    withy_stats *stats = x->stats;
    stats->steps++;
    stats->iterations += x->iterations;
    if (x->iterations > stats->iterations_max) stats->iterations_max = x->iterations;
    return WITHY_OK;
}

/* Period of the first bending mode of a cantilever with the rod's mean section: a scale of time. */
double wy_director_slow_period(const wy_director *x) {
    double mass = 0, soft = 0;
    for (int j = 0; j < x->node_count; j++) mass += x->node[j].mass;
    for (int i = 0; i < x->n * x->p; i++)
        soft += x->gauss[i].weight / wy_min(x->gauss[i].c[1][0], x->gauss[i].c[1][1]);
    const double cube = x->length * x->length * soft; /* L^3/EI */
    return 2 * WY_PI / 3.516 * sqrt(mass * cube);
}

/* dt = "auto": the local error against the linear extrapolation is kept near tol (of L); a step that
 * misses it by far is taken back and tried shorter. */
static withy_status auto_step(wy_director *x, double left, withy_error *err) {
    if (!(x->dt > 0)) x->dt = wy_min(0.01 * wy_director_slow_period(x), x->problem->request.output);
    const double pieces = ceil(left / x->dt - 1e-9);
    double h = left / wy_max(pieces, 1);
    const double power = x->opt.order == 4 ? 0.2 : 1.0 / 3.0;
    x->error = 0;
    WY_TRY(full_step(x, h, err));
    const double grow = 0.9 * pow(x->opt.tol / wy_max(x->error, 1e-3 * x->opt.tol), power);
    x->dt = h * wy_min(2.0, wy_max(0.3, grow));
    x->stats->halvings += x->refused;
    return WITHY_OK;
}

static withy_status start(wy_director *x, withy_error *err) {
    x->started = 1;
    WY_TRY(wy_director_offsets(x, err));
    if (x->settled) { /* after statics: the clock and the books start again */
        x->settled = 0, x->factor = 1.0, x->t = 0.0;
        x->gravity = x->problem->gravity;
        wy_director_open_books(x);
    }
    x->history = 1, x->guess = 1, x->rate_time[0] = 0;
    for (int j = 0; j < x->node_count; j++) {
        wy_director_node *node = &x->node[j];
        node->rate[0].dr = node->v;
        node->rate[0].theta = m3_mul(tri_matrix(node->d), lane_vec3(node->w));
    }
    return WITHY_OK;
}

withy_status wy_director_advance(wy_director *x, double t, withy_error *err) {
    if (!x->started) WY_TRY(start(x, err));
    if (!(t > x->t)) return WITHY_OK;
    if (!(x->opt.dt > 0)) {
        while (t - x->t > 1e-12 * x->problem->request.output) WY_TRY(auto_step(x, t - x->t, err));
        x->t = t;
        return WITHY_OK;
    }
    const double output = x->problem->request.output, begin = x->t;
    const double base = output / wy_max(1, ceil(output / x->opt.dt - 1e-9));
    const double count = wy_max(1, ceil((t - begin) / base - 1e-9));
    for (double k = 1; k <= count; k++) {
        const double end = k < count ? begin + k * ((t - begin) / count) : t;
        WY_TRY(full_step(x, end - x->t, err));
        x->t = end;
    }
    return WITHY_OK;
}
