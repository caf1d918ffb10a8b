/* static.c - equilibria: damped Newton along a path of load factors (cheb.md section 5).
 *
 *   b(u, t) = 0 at the loose nodes, u given at the held ones
 *   Newton:     J du = -b, u <- u + a du, a halved until |J^-1 b(u + a du)| <= (1 - a/4) |du|
 *               (natural monotonicity: does not depend on the scaling of the equations)
 *   predictor:  the same equations at the present shape, with the new loads and places of the ends
 *   path:       first step a quarter, doubled when Newton took at most 6 iterations, halved when it
 *               failed
 * The update keeps the strains: rotations turn by a dphi on the group, strains grow by their linear
 * change, and the centre line is integrated from them again,
 *
 *     A <- exp(a dphi) A,  gamma <- gamma + a A^T (dp' - dphi x p'),  p' = A gamma
 *
 * so a slender rod is never stretched by a finite turn (p + a dp would stretch it by (a dphi)^2/2,
 * and the stress of that spoils the next matrix: 19 steps instead of 3 for the fibre of 5.3).  What
 * does not close then is the place of a held end, and the next iteration closes it.
 *
 * Departs from [CH] 4.5: its plain Newton from a settled shape needs fictitious inertia to converge;
 * the path does not.  options.settle brings the settling back as a start.
 */
#include <string.h>

#include "method/cheb/cheb.h"
#include "method/cheb/frame.h"
#include "numeric/dense.h"

static const double TURN_MOST = 2.0;       /* rad, of one Newton step */
static const double FRACTION_LEAST = 1e-4; /* of the path */
static const double DAMPING_LEAST = 1.0 / 1024;
static const double STALLED = 1e-6; /* as small as this, and growing: rounding has the word */
enum { FEW = 6 };

static void lay_newton(wy_cheb *x, wy_block *block) {
    wy_cheb_newton *w = x->newton;
    const size_t m = (size_t)w->m, size = (size_t)x->size, n = (size_t)x->grid.n;
    w->matrix = wy_cheb_take(block, m * m);
    w->pivot = wy_block_take(block, m, sizeof *w->pivot);
    w->step = wy_cheb_take(block, m);
    w->next = wy_cheb_take(block, m);
    w->trial = wy_cheb_take(block, size);
    w->saved = wy_cheb_take(block, size);
    w->sum = wy_cheb_take(block, n * n);
    w->sum_pivot = wy_block_take(block, n, sizeof *w->sum_pivot);
    if (!x->implicit) wy_cheb_jacobian_lay(x, wy_rod_is_damped(x->rod), block);
}

withy_status wy_cheb_newton_make(wy_cheb *x, withy_error *err) {
    wy_arena *arena = x->setup->arena;
    WY_TRY(wy_cheb_grid_rows(arena, &x->grid, err));
    if (x->newton) return WITHY_OK;
    wy_cheb_newton *w = wy_arena_take(arena, 1, sizeof *w);
    if (!w) return wy_fail(err, WITHY_NO_MEMORY, "cheb: no memory for statics");
    w->rows = wy_cheb_rows(x);
    w->m = w->rows * (x->grid.n + 1);
    x->newton = w;
    wy_block block = {0};
    lay_newton(x, &block);
    block.base = wy_arena_take(arena, block.used, 1);
    if (!block.base) {
        x->newton = NULL;
        return wy_fail(err, WITHY_NO_MEMORY, "cheb: no memory for statics with n = %d", x->grid.n);
    }
    block.used = 0;
    lay_newton(x, &block);
    w->anchor =
        x->end[0].place == WY_CHEB_LOOSE && x->end[1].place != WY_CHEB_LOOSE ? x->grid.n : 0;
    const size_t skip = w->anchor ? 0 : 1, n = (size_t)x->grid.n;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            w->sum[i * n + j] = x->grid.dr[(i + skip) * (size_t)x->grid.ld + j + skip];
    wy_lu_factor((int)n, (int)n, w->sum, w->sum_pivot);
    return WITHY_OK;
}

/* ---- residual and matrix --------------------------------------------------------------------------- */

/* How far the held entries of node i go from u to w, as (dr, dphi). */
static void held_way(const wy_cheb *x, const double *u, const double *w, int i, double out[6]) {
    const int ld = x->grid.ld;
    for (int f = 0; f < 3; f++) out[f] = w[f * ld + i] - u[f * ld + i];
    if (x->planar) return;
    const quat a = {u[3 * ld + i], u[4 * ld + i], u[5 * ld + i], u[6 * ld + i]};
    const quat b = {w[3 * ld + i], w[4 * ld + i], w[5 * ld + i], w[6 * ld + i]};
    const vec3 phi = q_log(q_mul(b, q_conj(a)));
    out[3] = phi.x, out[4] = phi.y, out[5] = phi.z;
}

/* Put the held ends of u where they belong at t; while settling, the part x->state->factor of the way from
 * the initial shape. */
static withy_status place_ends(const wy_cheb *x, double t, double *u, withy_error *err) {
    const int ld = x->grid.ld;
    WY_TRY(wy_cheb_bound(x, t, u, NULL, err));
    for (int e = 0; e < 2 && x->state->settling; e++) {
        const wy_cheb_end *end = &x->end[e];
        const double *a = x->start_at[e], part = x->state->factor;
        double *at = u + end->node;
        for (int f = 0; f < wy_cheb_places(x) && end->place != WY_CHEB_LOOSE; f++)
            at[f * ld] = a[f] + part * (at[f * ld] - a[f]);
        if (end->turn == WY_CHEB_LOOSE || end->rolls) continue;
        if (x->planar) {
            at[2 * ld] = a[2] + part * (at[2 * ld] - a[2]);
            continue;
        }
        const quat from = {a[3], a[4], a[5], a[6]};
        const quat to = {at[3 * ld], at[4 * ld], at[5 * ld], at[6 * ld]};
        const quat q = q_mul(q_exp(v3_scale(part, q_log(q_mul(to, q_conj(from))))), from);
        at[3 * ld] = q.w, at[4 * ld] = q.x, at[5 * ld] = q.y, at[6 * ld] = q.z;
    }
    return WITHY_OK;
}

/* Functions of time are read at the factor, or at 0 while settling. */
static double time_at(const wy_cheb *x, double factor_there) {
    return x->state->settling ? 0.0 : factor_there;
}

/* The way every held entry still has to go at factor t, into its row of out. */
static withy_status gaps(wy_cheb *x, double t, const double *u, double *out, withy_error *err) {
    const int nodes = x->grid.n + 1, rows = wy_cheb_rows(x);
    double *goal = x->stage[9];
    memcpy(goal, u, (size_t)x->size * sizeof *goal);
    WY_TRY(place_ends(x, t, goal, err));
    for (int e = 0; e < 2; e++) {
        const int i = x->end[e].node;
        double way[6] = {0};
        held_way(x, u, goal, i, way);
        for (int f = 0; f < rows; f++)
            if (wy_cheb_is_held(x, f, i)) out[f * nodes + i] = way[f];
    }
    return WITHY_OK;
}

/* -b at the loose entries, what is left to go at the held ones; a rolling end keeps only the moment
 * about d3. */
static withy_status residual(wy_cheb *x, double t, const double *u, double *out, withy_error *err) {
    const int nodes = x->grid.n + 1, ld = x->grid.ld, rows = wy_cheb_rows(x);
    WY_TRY((x->planar ? wy_cheb_planar_balance : wy_cheb_spatial_balance)(x, t, u, NULL, err));
    for (int f = 0; f < rows; f++)
        for (int i = 0; i < nodes; i++) out[f * nodes + i] = -x->df[f * ld + i];
    WY_TRY(gaps(x, t, u, out, err));
    for (int e = 0; e < 2 && !x->planar; e++) {
        if (!x->end[e].rolls) continue;
        const int i = x->end[e].node;
        const vec3 d3 = wy_cheb_pose(x, u, i).frame.c3;
        double *at = out + 3 * nodes + i;
        const double about = d3.x * at[0] + d3.y * at[nodes] + d3.z * at[2 * nodes];
        at[0] = about,
        at[nodes] = at[2 * nodes] = 0.0; /* rows: moment about d3, dphi.d1, dphi.d2 */
    }
    return WITHY_OK;
}

void wy_cheb_reduce_columns(const wy_cheb *x, const double *u, const double *full, double *matrix) {
    const int nodes = x->grid.n + 1, ld = x->grid.ld, m = 6 * nodes;
    const size_t cols = 7 * (size_t)nodes;
    for (int r = 0; r < m; r++) {
        const double *from = full + (size_t)r * cols;
        double *to = matrix + (size_t)r * (size_t)m;
        memcpy(to, from, 3 * (size_t)nodes * sizeof *to);
        for (int j = 0; j < nodes; j++) {
            const double *c = from + 3 * nodes + j;
            const quat q = {0.5 * u[3 * ld + j], 0.5 * u[4 * ld + j], 0.5 * u[5 * ld + j],
                            0.5 * u[6 * ld + j]};
            const vec3 phi = wy_cheb_e(
                q, (quat){c[0], c[nodes], c[2 * nodes], c[3 * nodes]}); /* row times E^T */
            to[3 * nodes + j] = phi.x, to[4 * nodes + j] = phi.y, to[5 * nodes + j] = phi.z;
        }
    }
}

/* Held rows become dx = given; at a rolling end two rows of the turn become dphi.d1 = dphi.d2 = 0. */
void wy_cheb_hold_rows(const wy_cheb *x, const double *u, double *matrix) {
    const int nodes = x->grid.n + 1, rows = wy_cheb_rows(x), m = rows * nodes;
    for (int f = 0; f < rows; f++)
        for (int e = 0; e < 2; e++) {
            const int i = x->end[e].node;
            double *row = matrix + (size_t)(f * nodes + i) * (size_t)m;
            if (!wy_cheb_is_held(x, f, i)) continue;
            memset(row, 0, (size_t)m * sizeof *row);
            row[f * nodes + i] = 1.0;
        }
    for (int e = 0; e < 2 && !x->planar; e++) {
        if (!x->end[e].rolls) continue;
        const int i = x->end[e].node;
        const mat3 frame = wy_cheb_pose(x, u, i).frame;
        double *row[3];
        for (int k = 0; k < 3; k++) row[k] = matrix + (size_t)((3 + k) * nodes + i) * (size_t)m;
        for (int j = 0; j < m; j++)
            row[0][j] = frame.c3.x * row[0][j] + frame.c3.y * row[1][j] + frame.c3.z * row[2][j];
        for (int k = 1; k < 3; k++) {
            const vec3 d = k == 1 ? frame.c1 : frame.c2;
            memset(row[k], 0, (size_t)m * sizeof(double));
            row[k][3 * nodes + i] = d.x, row[k][4 * nodes + i] = d.y, row[k][5 * nodes + i] = d.z;
        }
    }
}

withy_status wy_cheb_matrix_at(wy_cheb *x, double t, const double *u, withy_error *err) {
    wy_cheb_newton *w = x->newton;
    WY_TRY(wy_cheb_jacobian(x, t, u, NULL, err));
    if (x->planar)
        memcpy(w->matrix, x->jac.stiff, (size_t)w->m * (size_t)w->m * sizeof(double));
    else
        wy_cheb_reduce_columns(x, u, x->jac.stiff, w->matrix);
    return WITHY_OK;
}

static withy_status factor(wy_cheb *x, const double *u, withy_error *err) {
    wy_cheb_newton *w = x->newton;
    wy_cheb_hold_rows(x, u, w->matrix);
    if (!wy_lu_factor(w->m, w->m, w->matrix, w->pivot))
        return wy_fail(
            err, WITHY_NO_CONVERGENCE,
            "cheb: the equilibrium is not unique (singular matrix); hold the rod against "
            "rigid motion, or give the load path smaller steps");
    return WITHY_OK;
}

/* ---- steps ------------------------------------------------------------------------------------------- */

/* One node: the tangent p' after the turn and strain of a step. */
static vec3 planar_slope(const double p1[2], const double dp1[2], double a, double dtheta) {
    /* A(theta + a dtheta) (A^T p' + a A^T (dp' - dtheta R p')): turn the sum, A cancels */
    const double ex = p1[0] + a * (dp1[0] + dtheta * p1[1]);
    const double ey = p1[1] + a * (dp1[1] - dtheta * p1[0]);
    const double c = cos(a * dtheta), s = sin(a * dtheta);
    return v3(c * ex - s * ey, s * ex + c * ey, 0);
}

static void move(const wy_cheb *x, const double *from, double a, const double *du, double *to) {
    const wy_cheb_newton *w = x->newton;
    const int n = x->grid.n, nodes = n + 1, ld = x->grid.ld, places = wy_cheb_places(x);
    double *p1 = x->stage[0], *dp = x->stage[1], *dp1 = x->stage[2], *slope = x->stage[3];
    memcpy(to, from, (size_t)x->size * sizeof *to);
    for (int f = 0; f < places; f++)
        for (int i = 0; i < nodes; i++) dp[f * ld + i] = du[f * nodes + i];
    wy_cheb_derive(&x->grid, places, from, p1);
    wy_cheb_derive(&x->grid, places, dp, dp1);
    for (int i = 0; i < nodes; i++) {
        const vec3 old = v3(p1[i], p1[ld + i], x->planar ? 0 : p1[2 * ld + i]);
        vec3 now;
        if (x->planar) {
            const double turn = du[2 * nodes + i];
            now =
                planar_slope((double[2]){old.x, old.y}, (double[2]){dp1[i], dp1[ld + i]}, a, turn);
            to[2 * ld + i] += a * turn;
        } else {
            const vec3 phi = v3(du[3 * nodes + i], du[4 * nodes + i], du[5 * nodes + i]);
            const vec3 rate = v3(dp1[i], dp1[ld + i], dp1[2 * ld + i]);
            const quat turn = q_exp(v3_scale(a, phi));
            now = q_turn(turn, v3_axpy(old, a, v3_sub(rate, v3_cross(phi, old))));
            double *at = to + 3 * ld + i;
            const quat q = q_unit(q_mul(turn, (quat){at[0], at[ld], at[2 * ld], at[3 * ld]}));
            at[0] = q.w, at[ld] = q.x, at[2 * ld] = q.y, at[3 * ld] = q.z;
        }
        slope[i] = now.x - old.x, slope[ld + i] = now.y - old.y, slope[2 * ld + i] = now.z - old.z;
    }
    const int skip = w->anchor ? 0 : 1;
    for (int f = 0; f < places; f++) { /* integrate the change of p' from the anchor */
        double *change = slope + f * ld + skip;
        const double shift = a * du[f * nodes + w->anchor];
        wy_lu_solve(n, n, w->sum, w->sum_pivot, change);
        for (int i = 0; i < n; i++) to[f * ld + skip + i] += change[i] + shift;
        to[f * ld + w->anchor] += shift;
    }
}

/* Lengths in units of the rod, angles in radians. */
static double size_of(const wy_cheb *x, const double *du, double *largest) {
    const int nodes = x->grid.n + 1, rows = wy_cheb_rows(x), turn = wy_cheb_places(x);
    double sum = 0;
    *largest = 0;
    for (int f = 0; f < rows; f++)
        for (int i = 0; i < nodes; i++) {
            const double d = fabs(du[f * nodes + i]) / (f < turn ? x->grid.length : 1.0);
            sum += d * d;
            *largest = wy_max(*largest, d);
        }
    return sqrt(sum / nodes);
}

/* Newton at fixed t and factor, on x->u.  0 in *done: it failed, try a shorter way. */
static withy_status newton(wy_cheb *x, double t, int *iterations, int *done, withy_error *err) {
    wy_cheb_newton *w = x->newton;
    double largest, before = INFINITY;
    *done = 0;
    for (*iterations = 0; *iterations < x->opt.newton_max;) {
        WY_TRY(residual(x, t, x->u, w->step, err));
        WY_TRY(wy_cheb_matrix_at(x, t, x->u, err));
        if (factor(x, x->u, NULL) != WITHY_OK) return WITHY_OK;
        wy_lu_solve(w->m, w->m, w->matrix, w->pivot, w->step);
        const double size = size_of(x, w->step, &largest);
        ++*iterations, ++w->iterations;
        if (!(largest <= TURN_MOST)) return WITHY_OK;
        if (largest <= x->opt.newton_tol || (largest < STALLED && largest > 0.5 * before)) {
            move(x, x->u, 1.0, w->step, w->trial);
            memcpy(x->u, w->trial, (size_t)x->size * sizeof(double));
            *done = 1;
            return place_ends(x, t, x->u, err);
        }
        before = largest;
        double a = 1.0, unused;
        for (; a >= DAMPING_LEAST; a *= 0.5) {
            move(x, x->u, a, w->step, w->trial);
            WY_TRY(residual(x, t, w->trial, w->next, err));
            wy_lu_solve(w->m, w->m, w->matrix, w->pivot, w->next);
            if (size_of(x, w->next, &unused) <= (1 - a / 4) * size) break;
            x->setup->stats->halvings++;
        }
        if (!(a >= DAMPING_LEAST) && largest > STALLED) return WITHY_OK;
        memcpy(x->u, w->trial, (size_t)x->size * sizeof(double));
    }
    return WITHY_OK;
}

/* Move x->u from the equilibrium at factor `from` towards `to` by the tangent of the path. */
static withy_status predict(wy_cheb *x, double from, double to, withy_error *err) {
    wy_cheb_newton *w = x->newton;
    WY_TRY(residual(x, time_at(x, from), x->u, w->step, err)); /* the balance for the matrix, too */
    WY_TRY(wy_cheb_matrix_at(x, time_at(x, from), x->u, err));
    x->state->factor = to;
    /* at the present shape: -b under the new loads, and the way the held ends have to go */
    WY_TRY(residual(x, time_at(x, to), x->u, w->next, err));
    if (factor(x, x->u, NULL) != WITHY_OK) return WITHY_OK; /* Newton will tell */
    wy_lu_solve(w->m, w->m, w->matrix, w->pivot, w->next);
    double largest;
    size_of(x, w->next, &largest);
    if (!(largest <= TURN_MOST)) return WITHY_OK;
    move(x, x->u, 1.0, w->next, w->trial);
    memcpy(x->u, w->trial, (size_t)x->size * sizeof(double));
    return WITHY_OK;
}

static withy_status no_rates(const wy_cheb *x, withy_error *err) {
    for (int e = 0; e < 2; e++)
        if (x->end[e].place > WY_CHEB_DRIVEN || x->end[e].turn > WY_CHEB_DRIVEN)
            return wy_fail(
                err, WITHY_UNSUPPORTED,
                "cheb: an end driven by its velocity or acceleration has no equilibrium; "
                "give ends.%s.position and frame as functions of the load factor",
                e ? "finish" : "start");
    return WITHY_OK;
}

static withy_status arrive(wy_cheb *x, double factor_now, withy_error *err) {
    x->state->factor = factor_now, x->state->t = time_at(x, factor_now);
    memset(x->v, 0, (size_t)x->size * sizeof(double));
    return wy_cheb_accel(x, x->state->t, x->u, x->v, x->a, err);
}

/* [CH] 5.1.2: let heavily damped motion bring the rod near its equilibrium first. */
static withy_status settle(wy_cheb *x, double t, withy_error *err) {
    enum { TURNS = 400 };
    const double drag = x->along.drag, spin = x->along.drag_spin;
    const double lowest = x->omega / ((double)x->grid.n * x->grid.n);
    double mass = 0, turn = 0;
    for (int i = 0; i <= x->grid.n; i++)
        mass = wy_max(mass, x->along.mass[0][i]), turn = wy_max(turn, x->along.turn[0][i]);
    x->along.drag = 2 * mass * lowest, x->along.drag_spin = 2 * turn * lowest;
    const double h = 0.5 * x->limit;
    withy_status status = wy_cheb_accel(x, t, x->u, x->v, x->a, err);
    for (int k = 0; k < TURNS && status == WITHY_OK && h > 0; k++) {
        for (int i = 0; i < x->size; i++) x->v[i] += h * x->a[i], x->u[i] += h * x->v[i];
        status = wy_cheb_bound(x, t, x->u, NULL, err);
        if (x->opt.normalise) wy_cheb_normalise(x, x->u, x->v);
        if (status == WITHY_OK) status = wy_cheb_accel(x, t, x->u, x->v, x->a, err);
    }
    x->along.drag = drag, x->along.drag_spin = spin;
    return status;
}

withy_status wy_cheb_equilibrium(wy_cheb *x, double target, int *iterations, withy_error *err) {
    WY_TRY(no_rates(x, err));
    WY_TRY(wy_cheb_newton_make(x, err));
    wy_cheb_newton *w = x->newton;
    w->iterations = 0;
    memset(x->v, 0, (size_t)x->size * sizeof(double));
    int done = 0, used = 0;
    if (!x->state->still) { /* the start of the path: the initial shape under no load */
        x->state->still = 1;
        x->state->factor = 0.0;
        if (x->opt.settle) WY_TRY(settle(x, 0.0, err));
        memcpy(w->saved, x->u, (size_t)x->size * sizeof(double));
        WY_TRY(newton(x, 0.0, &used, &done, err));
        if (!done) memcpy(x->u, w->saved, (size_t)x->size * sizeof(double));
        x->state->factor = 0.0;
    }
    const double start = x->state->factor;
    double at = 0.0, step = 0.25; /* fractions of the way */
    while (at < 1.0 || start == target) {
        const double next = wy_min(at + step, 1.0);
        const double from = start + at * (target - start), to = start + next * (target - start);
        memcpy(w->saved, x->u, (size_t)x->size * sizeof(double));
        WY_TRY(predict(x, from, to, err));
        WY_TRY(newton(x, time_at(x, to), &used, &done, err));
        if (done) {
            at = next;
            x->setup->stats->steps++;
            if (used <= FEW) step *= 2.0;
            if (at >= 1.0) break;
            continue;
        }
        memcpy(x->u, w->saved, (size_t)x->size * sizeof(double));
        x->state->factor = from;
        x->setup->stats->halvings++;
        step *= 0.5;
        if (step < FRACTION_LEAST) {
            WY_TRY(arrive(x, from, err));
            return wy_fail(err, WITHY_NO_CONVERGENCE,
                           "cheb: no equilibrium found beyond load factor %g on the way to %g (n = "
                           "%d); give the path more steps, or options.n more points",
                           from, target, x->grid.n);
        }
    }
    *iterations = w->iterations;
    x->setup->stats->iterations += w->iterations;
    if (w->iterations > x->setup->stats->iterations_max)
        x->setup->stats->iterations_max = w->iterations;
    return arrive(x, target, err);
}

withy_status wy_cheb_leave_statics(wy_cheb *x, withy_error *err) {
    const double far = 1e-6; /* of the rod */
    double largest = 0;
    x->state->still = 0;
    memcpy(x->newton->trial, x->u, (size_t)x->size * sizeof(double));
    WY_TRY(wy_cheb_bound(x, 0.0, x->newton->trial, NULL, err));
    for (int i = 0; i < x->size; i++)
        largest = wy_max(largest, fabs(x->newton->trial[i] - x->u[i]) / x->grid.length);
    if (!(largest <= far))
        return wy_fail(
            err, WITHY_BAD_INPUT,
            "cheb: at t = 0 the ends are %.3g of the rod from where the equilibrium under "
            "factor %g has them; start from initial = static instead",
            largest, x->state->factor);
    x->state->t = 0.0;
    x->state->factor = 1.0;
    return wy_cheb_accel(x, 0.0, x->u, x->v, x->a, err);
}

withy_status wy_cheb_settle(wy_cheb *x, withy_error *err) {
    int iterations;
    x->state->settling = x->state->pull = 1;
    const withy_status status = wy_cheb_equilibrium(x, 1.0, &iterations, err);
    if (status != WITHY_OK) return wy_fail_in(err, status, "initial: ");
    x->state->settling = x->state->pull = x->state->still = 0;
    memcpy(x->v, x->initial[1], (size_t)x->size * sizeof(double));
    *x->setup->stats = (withy_stats){0};
    return WITHY_OK;
}
