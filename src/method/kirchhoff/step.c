/* step.c - loads, one step, its guards and its books.
 *
 * With w the turn over two steps, R+ - R- = w x bar R, the rows of kirchhoff/force.c give
 *
 *     H_{n+1/2} - H_{n-1/2} = - h [ nu_1 sum eta/2 |dot e|^2 + nu_2 eta sum dot tau^2 ]
 *          + 1/2 sum_ends (reaction . (x+ - x-) + reaction moment . w)
 *          + 1/2 sum (f . (x+ - x-) + couple . w)            forces that are not in V
 *
 * exactly, so that work and loss are known to rounding.  w = 2 tan(theta/2) axis (Cayley).
 */
#include "method/kirchhoff/kirchhoff.h"

#include <string.h>

/* Over two steps a node may turn this far; at pi the reduced equations have spurious roots. */
static const double MOST_TURN = 3.0;
/* A damping torque below this times sigma/L per radian of common spin is rounding. */
static const double LEAST_FELT = 1e-9;

/* ---- loads ----------------------------------------------------------------------------------- */

/* Share a point load between the two nodes beside it. */
static void share(const wy_kirchhoff *p, double s, vec3 load, vec3 *node) {
    int j = (int)floor(s / p->eta);
    j = j < 0 ? 0 : j >= p->n ? p->n - 1 : j;
    const double f = wy_max(0.0, wy_min(1.0, s / p->eta - j));
    node[j] = v3_axpy(node[j], 1.0 - f, load);
    node[j + 1] = v3_axpy(node[j + 1], f, load);
}

/* `length` of a load as it is at s, put there: 1 for a point load. */
static withy_status put_load(wy_kirchhoff *p, const withy_load *load, double s, double length,
                             double t, double factor, withy_error *err) {
    const mat3 unused = m3_identity(); /* no followers */
    vec3 force, moment;
    WY_TRY(wy_load_at(load, s, t, factor, unused, &force, &moment, err));
    share(p, s, v3_scale(length, force), p->load);
    share(p, s, v3_scale(length, moment), p->couple);
    return WITHY_OK;
}

/* A load on a part of the rod may lie between two nodes: in each interval it acts in the middle of what
 * it covers there, which keeps its force and its moment. */
static withy_status part_load(wy_kirchhoff *p, const withy_load *load, double t, double factor,
                              withy_error *err) {
    for (int i = 0; i < p->n; i++) {
        const double from = wy_max(load->from, p->s[i]), to = wy_min(load->to, p->s[i + 1]);
        if (to > from) WY_TRY(put_load(p, load, 0.5 * (from + to), to - from, t, factor, err));
    }
    return WITHY_OK;
}

/* The loads of `rod` on the nodes of p, added to load and couple. */
static withy_status add_loads(wy_kirchhoff *p, const withy_rod *rod, double t, double factor,
                              withy_error *err) {
    for (int i = 0; i < rod->load_count; i++) {
        const withy_load *load = &rod->load[i];
        if (load->kind == WITHY_LOAD_POINT)
            WY_TRY(put_load(p, load, load->from, 1.0, t, factor, err));
        else if (wy_load_is_partial(rod, load))
            WY_TRY(part_load(p, load, t, factor, err));
        else
            for (int j = 0; j <= p->n; j++)
                WY_TRY(
                    put_load(p, load, p->s[j], p->eta * wy_kirchhoff_weight(p, j), t, factor, err));
    }
    return WITHY_OK;
}

withy_status wy_kirchhoff_loads(wy_kirchhoff *p, double t, double factor, withy_error *err) {
    for (int j = 0; j <= p->n; j++) {
        p->load[j] = v3_scale(factor * p->mass[j], p->gravity);
        p->couple[j] = v3(0, 0, 0);
    }
    for (int e = 0; e < 2; e++) {
        const int j = e ? p->n : 0;
        vec3 force, moment;
        WY_TRY(wy_end_load(&p->end[e].end, t, factor, m3_identity(), &force, &moment, err));
        p->load[j] = v3_add(p->load[j], force);
        p->couple[j] = v3_add(p->couple[j], moment);
        p->end[e].force = force;
    }
    return add_loads(p, p->rod, t, factor, err);
}

withy_status wy_kirchhoff_pulls(wy_kirchhoff *p, withy_error *err) {
    withy_rod pulled = *p->rod;
    pulled.load = p->rod->pull, pulled.load_count = p->rod->pull_count;
    return add_loads(p, &pulled, 0.0, 1.0, err);
}

/* ---- the equations of a step ----------------------------------------------------------------- */

static mat3 m3_combine(double a, mat3 f, double b, mat3 g) {
    return (mat3){v3_axpy(v3_scale(a, f.c1), b, g.c1), v3_axpy(v3_scale(a, f.c2), b, g.c2),
                  v3_axpy(v3_scale(a, f.c3), b, g.c3)};
}

static void first_equations(wy_kirchhoff *p) {
    const double h = p->pace.dt[0];
    const int paper = p->opt.start == WY_KIRCHHOFF_PAPER;
    wy_kirchhoff_equations *eq = &p->eq;
    eq->inertia = 2.0 / (h * h);
    eq->average = paper ? 1.0 : 0.5;
    eq->rate = paper ? 0.0 : 1.0 / h;
    eq->last = p->now;
    for (int j = 0; j <= p->n; j++) {
        const mat3 f = p->now->frame[j];
        const vec3 w = v3_scale(h, p->spin0[j]);
        eq->ahead_x[j] = v3_axpy(p->now->x[j], h, p->v0[j]);
        eq->ahead_frame[j] =
            (mat3){v3_add(f.c1, v3_cross(w, f.c1)), v3_add(f.c2, v3_cross(w, f.c2)),
                   v3_add(f.c3, v3_cross(w, f.c3))};
    }
}

/* A rod that is straight at rest and whose ends may turn has a common spin that no energy feels.
 * Objective damping does: spinning at the rate phi costs sum eta nu |x''|^2 phi^2, and its torques
 * nu (e_1 dot e_2 - e_2 dot e_1) must balance over the whole rod, or an end that is free to turn
 * would be held.  Then no spin may be fixed.  Only where |x''| is too small for that sum to be more
 * than rounding a drag at the gauged node takes its place; it is booked as loss. */
static void let_spin(wy_kirchhoff *p) {
    wy_kirchhoff_equations *eq = &p->eq;
    if (p->gauge < 0 || p->opt.damping != WY_KIRCHHOFF_OBJECTIVE || !(eq->rate > 0)) return;
    double felt = 0, most = 0;
    for (int i = 0; i < p->n; i++)
        for (int end = 0; end < 2; end++) {
            const double nu = 0.5 * p->eta * p->nu[i + end], *e = p->now->cell[i].e[end];
            felt += nu * eq->rate * (e[0] * e[0] + e[1] * e[1]);
            most = wy_max(most, nu);
        }
    if (!(most > 0)) return;
    eq->spin_felt = 1;
    eq->drag = wy_max(0.0, LEAST_FELT * p->stiff / p->length - felt);
    eq->gauge = eq->last->frame;
}

static void set_equations(wy_kirchhoff *p) {
    wy_kirchhoff_equations *eq = &p->eq;
    *eq = (wy_kirchhoff_equations){.elastic = 1.0,
                                   .mass = p->mass,
                                   .turn = (const double(*)[2])p->turn,
                                   .ahead_x = eq->ahead_x,
                                   .ahead_frame = eq->ahead_frame,
                                   .next = p->next,
                                   .gauge = p->now->frame};
    if (p->step == 0) {
        first_equations(p);
        let_spin(p);
        return;
    }
    const double two = p->pace.dt[0] + p->pace.dt[1], ratio = p->pace.dt[0] / p->pace.dt[1];
    eq->inertia = 2.0 / (p->pace.dt[0] * two);
    eq->average = 0.5;
    eq->rate = 1.0 / two;
    eq->last = p->last;
    for (int j = 0; j <= p->n; j++) {
        eq->ahead_x[j] = v3_axpy(v3_scale(1.0 + ratio, p->now->x[j]), -ratio, p->last->x[j]);
        eq->ahead_frame[j] = m3_combine(1.0 + ratio, p->now->frame[j], -ratio, p->last->frame[j]);
    }
    let_spin(p);
}

/* x = 2 x_n - x_{n-1}, R = R_n R_{n-1}^T R_n; or stay where we are. */
static void predict(wy_kirchhoff *p, int stay) {
    for (int j = 0; j <= p->n; j++) {
        const mat3 f = p->now->frame[j];
        p->next->x[j] = stay ? p->now->x[j] : p->eq.ahead_x[j];
        p->next->frame[j] = f;
        if (stay || p->step == 0) continue;
        const mat3 turn = m3_mulm(f, m3_transpose(p->last->frame[j]));
        p->next->frame[j] = wy_kirchhoff_orthonormal(m3_mulm(turn, f));
    }
}

/* ---- books ----------------------------------------------------------------------------------- */

/* w with R+ - R- = w x bar R. */
static vec3 cayley(mat3 to, mat3 from) {
    const quat q = q_from_matrix(m3_mulm(to, m3_transpose(from)));
    return v3_scale(2.0 / q.w, v3(q.x, q.y, q.z));
}

static double loss_of(const wy_kirchhoff *p) {
    const wy_kirchhoff_equations *eq = &p->eq;
    const int direct = p->opt.damping == WY_KIRCHHOFF_DISSERTATION;
    double sum = 0;
    for (int i = 0; i < p->n; i++) {
        const wy_kirchhoff_cell *a = &eq->next->cell[i], *b = &eq->last->cell[i];
        for (int end = 0; end < 2; end++) {
            const double nu = 0.5 * p->eta * p->nu[i + end];
            const vec3 u = v3_sub(a->u[end], b->u[end]);
            double square = 0;
            for (int k = 0; k < 3; k++)
                square += (a->e[end][k] - b->e[end][k]) * (a->e[end][k] - b->e[end][k]);
            sum += nu * (direct ? v3_dot(u, u) : square);
        }
        const double twist = a->tau - b->tau;
        sum += p->eta * p->nu_twist[i] * twist * twist;
    }
    return 0.5 * eq->rate * sum; /* over the time 1/(2 rate) */
}

/* Work and loss of the step that leads from last over now to next: H_{n+1/2} - H_{n-1/2}. */
static wy_kirchhoff_ledger books_of(const wy_kirchhoff *p) {
    wy_kirchhoff_ledger out = {0};
    const wy_kirchhoff_level *a = p->next, *b = p->last;
    if (p->step == 0) return out; /* H begins with the first half step */
    for (int j = 0; j <= p->n; j++) {
        const wy_kirchhoff_end *end = wy_kirchhoff_end_at(p, j);
        const vec3 dx = v3_sub(a->x[j], b->x[j]), f = v3_sub(p->load[j], p->dead[j]);
        const int couple = !v3_is_zero(p->couple[j]), dragged = p->eq.drag > 0 && j == p->gauge;
        out.loads += 0.5 * v3_dot(f, dx);
        if (!couple && !end) continue;
        const vec3 w = cayley(a->frame[j], b->frame[j]);
        out.loads += 0.5 * v3_dot(p->couple[j], w);
        if (end && end->held) out.ends += 0.5 * v3_dot(p->balance[j], dx);
        const double turned = 0.5 * v3_dot(p->balance[p->n + 1 + j], w);
        if (end && end->turn)
            out.ends += turned;
        else if (dragged)
            out.dissipated -= turned;
    }
    out.dissipated += loss_of(p);
    return out;
}

static void keep_books(wy_kirchhoff *p) {
    const wy_kirchhoff_ledger now = books_of(p);
    p->ledger.loads += now.loads;
    p->ledger.ends += now.ends;
    p->ledger.dissipated += now.dissipated;
}

/* Reactions and forces of the balance just solved.  A row that was kept is zero to rounding. */
void wy_kirchhoff_keep_forces(wy_kirchhoff *p) {
    for (int e = 0; e < 2; e++) {
        const int j = e ? p->n : 0;
        const wy_kirchhoff_end *end = &p->end[e];
        p->reaction[e] = end->held ? p->balance[j] : v3(0, 0, 0);
        p->reaction_moment[e] = end->turn ? p->balance[p->n + 1 + j] : v3(0, 0, 0);
        p->end_pull[e] = v3_scale(e ? 1.0 : -1.0, v3_add(p->reaction[e], end->force));
    }
    memcpy(p->sample_pull, p->pull, (size_t)p->n * sizeof *p->pull);
    p->balanced = 1;
}

/* ---- energy when the step changes ------------------------------------------------------------
 *
 * With w = (x - x-)/h_-, w' = (x+ - x)/h_+ and c = (x+ - x-)/(h_+ + h_-) the equations do not quite
 * keep H when h_+ differs from h_-:
 *
 *     H_+ - H_- = work - loss + (h_- - h_+)/(2 (h_+ + h_-)) |w' - w|^2_M.
 *
 * Adding mu c to the velocity w that the step comes with adds mu |c|^2_M on the right, so that a few
 * corrections of this one number make it exact.  mu is of second order in h, as the step is.
 */

/* c of the step that has been solved; nothing at nodes that are held. */
static void find_nudge(wy_kirchhoff *p) {
    const double r = p->eq.rate;
    for (int j = 0; j <= p->n; j++) {
        const wy_kirchhoff_end *end = wy_kirchhoff_end_at(p, j);
        const double move = end && end->held ? 0.0 : r, turn = end && end->turn ? 0.0 : r;
        p->nudge_x[j] = v3_scale(move, v3_sub(p->next->x[j], p->last->x[j]));
        p->nudge_frame[j] = m3_combine(turn, p->next->frame[j], -turn, p->last->frame[j]);
    }
}

/* (c, x+ - x-)_M / (h_+ + h_-). */
static double nudge_gain(const wy_kirchhoff *p) {
    double sum = 0;
    for (int j = 0; j <= p->n; j++) {
        const mat3 *f = &p->next->frame[j], *g = &p->last->frame[j], *c = &p->nudge_frame[j];
        sum += p->mass[j] * v3_dot(p->nudge_x[j], v3_sub(p->next->x[j], p->last->x[j]));
        sum += p->turn[j][0] * v3_dot(c->c1, v3_sub(f->c1, g->c1));
        sum += p->turn[j][0] * v3_dot(c->c2, v3_sub(f->c2, g->c2));
        sum += p->turn[j][1] * v3_dot(c->c3, v3_sub(f->c3, g->c3));
    }
    return p->eq.rate * sum;
}

/* Solve again until H changes by work and loss only.  Where nothing moves there is nothing to add,
 * and what is missing is left to the drift.  False: Newton fails. */
static bool match_energy(wy_kirchhoff *p, wy_kirchhoff_newton *newton) {
    enum { MOST = 30 };
    double mu = 0, before = 0; /* the last correction, and what was missing before it */
    find_nudge(p);
    for (int k = 0; k < MOST; k++) {
        const wy_kirchhoff_ledger books = books_of(p);
        double scale;
        const double energy = wy_kirchhoff_energy(p, p->next, p->now, p->pace.dt[0], &scale);
        const double due = p->energy + books.ends + books.loads - books.dissipated;
        const double miss = due - energy, gain = wy_pace_slope(nudge_gain(p), mu, before - miss);
        if (fabs(miss) <= 1e-14 * (scale + p->energy_scale) || fabs(miss) > 0.5 * gain) return true;
        mu = miss / gain, before = miss;
        const double by = mu * p->pace.dt[0];
        for (int j = 0; j <= p->n; j++) {
            p->eq.ahead_x[j] = v3_axpy(p->eq.ahead_x[j], by, p->nudge_x[j]);
            p->eq.ahead_frame[j] = m3_combine(1.0, p->eq.ahead_frame[j], by, p->nudge_frame[j]);
        }
        if (!wy_kirchhoff_solve(p, newton)) return false;
        p->iterations += newton->iterations;
    }
    return true;
}

/* ---- one step -------------------------------------------------------------------------------- */

static withy_status step_failed(const wy_kirchhoff *p, const wy_kirchhoff_newton *newton,
                                withy_error *err) {
    const double t = wy_pace_time(&p->pace) + p->pace.dt[0];
    char cuts[32];
    wy_pace_told(&p->pace, cuts, sizeof cuts);
    if (p->turned > MOST_TURN)
        return wy_fail(
            err, WITHY_NO_CONVERGENCE,
            "kirchhoff: a section turns by %.2f rad over two steps at t = %g (step %lld), "
            "and near half a turn the equations have false solutions; use a smaller "
            "options.dt (now %g%s)%s",
            p->turned, t, (long long)p->step + 1, p->pace.h, cuts,
            p->opt.ends == WY_KIRCHHOFF_STRONG ? " or options.ends = \"weak\"" : "");
    return wy_fail(
        err, WITHY_NO_CONVERGENCE,
        "kirchhoff: Newton's corrections are still %.1e > %.1e after %d iterations at t = "
        "%g (step %lld); use a smaller options.dt (now %g%s)%s",
        newton->norm, p->opt.tolerance, newton->iterations, t, (long long)p->step + 1, p->pace.h,
        cuts, p->damped ? "" : ", or give the rod some damping");
}

/* Solve from the extrapolation; when that fails or jumps to a half turn, from standing still. */
static bool solve_guarded(wy_kirchhoff *p, wy_kirchhoff_newton *newton) {
    const int uneven = wy_pace_uneven(&p->pace);
    for (int stay = 0; stay < 2; stay++) {
        predict(p, stay);
        if (stay) memset(p->lambda, 0, ((size_t)p->n + 1) * sizeof *p->lambda);
        bool solved = wy_kirchhoff_solve(p, newton);
        p->iterations += newton->iterations;
        if (solved && uneven) solved = match_energy(p, newton);
        p->turned = solved ? wy_kirchhoff_turn_between(p, p->eq.last, p->next) : 0.0;
        if (solved && p->turned <= MOST_TURN) return true;
    }
    return false;
}

/* One step of dt[0] into next. */
static withy_status try_step(wy_kirchhoff *p, withy_error *err) {
    const double t = wy_pace_time(&p->pace);
    wy_kirchhoff_newton newton = {0};
    if (!p->constant_loads) WY_TRY(wy_kirchhoff_loads(p, t, 1.0, err));
    WY_TRY(wy_kirchhoff_targets(p, t + p->pace.dt[0], err));
    set_equations(p);
    if (!solve_guarded(p, &newton)) return step_failed(p, &newton, err);
    int cell = 0;
    const double twist = wy_kirchhoff_twist_most(p, p->next, &cell);
    if (!(twist < 0.5 * WY_PI))
        return wy_fail(
            err, WITHY_NO_CONVERGENCE,
            "kirchhoff: the interval at s = %g is twisted by %.2f rad at t = %g, and the "
            "method cannot tell more than pi/2; use more intervals (options.n, now %d)",
            p->s[cell], twist, t + p->pace.dt[0], p->n);
    return WITHY_OK;
}

/* A step for which Newton fails is cut into halves, and the steps stay short until they have been
 * easy for a while (commit). */
withy_status wy_kirchhoff_step(wy_kirchhoff *p, withy_error *err) {
    const size_t size = ((size_t)p->n + 1) * sizeof *p->lambda;
    p->iterations = 0;
    memcpy(p->lambda_good, p->lambda, size);
    for (;;) {
        wy_pace_try(&p->pace);
        const withy_status status = try_step(p, err);
        if (status == WITHY_OK) break;
        memcpy(p->lambda, p->lambda_good, size);
        if (status != WITHY_NO_CONVERGENCE || !wy_pace_cut(&p->pace, p->opt.halvings))
            return status;
        p->stats->halvings++;
    }
    keep_books(p);
    wy_kirchhoff_keep_forces(p);
    p->ready = 1;
    p->next_energy = wy_kirchhoff_energy(p, p->next, p->now, p->pace.dt[0], &p->next_scale);
    if (p->step == 0) {
        p->energy = p->next_energy;
        p->energy_scale = wy_max(p->next_scale, 1e-9 * p->stiff / p->length);
        p->stats->energy_start = p->stats->energy_end = p->energy;
    }
    return WITHY_OK;
}

/* next becomes now. */
void wy_kirchhoff_commit(wy_kirchhoff *p) {
    wy_kirchhoff_level *free_level = p->before;
    p->before = p->last, p->last = p->now, p->now = p->next, p->next = free_level;
    p->step++;
    p->ready = 0;
    wy_pace_take(&p->pace, p->iterations);
    p->energy = p->next_energy;
    p->energy_scale = wy_max(p->energy_scale, p->next_scale);
    withy_stats *stats = p->stats;
    stats->steps++;
    stats->iterations += p->iterations;
    if (p->iterations > stats->iterations_max) stats->iterations_max = p->iterations;
    stats->energy_end = p->energy;
    const double drift = fabs(p->energy - stats->energy_start) / p->energy_scale;
    if (!(drift <= stats->energy_drift)) stats->energy_drift = drift;
    const double violation = wy_kirchhoff_violation(p, p->now);
    if (!(violation <= stats->constraint_max)) stats->constraint_max = violation;
}
