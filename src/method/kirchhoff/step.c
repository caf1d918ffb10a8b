/* step.c - loads, one step, its guards and its ledger.
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

#include "base/account.h"

/* Over two steps a node may turn this far; at pi the reduced equations have spurious roots. */
static const double MOST_TURN = 3.0;
/* A damping torque below this times sigma/L per radian of common spin is rounding. */
static const double LEAST_FELT = 1e-9;

/* ---- loads ----------------------------------------------------------------------------------- */

/* Loads at their points, added to load and couple. */
static withy_status add_loads(wy_kirchhoff *p, const wy_load_points *loads, double t, double factor,
                              withy_error *err) {
    for (int i = 0; i < loads->count; i++) {
        const wy_place at = wy_place_of(loads->point[i].s, p->eta, p->n);
        vec3 force, moment; /* no followers */
        WY_TRY(wy_load_point_value(&loads->point[i], t, factor, &force, &moment, err));
        wy_place_share(at, force, 1.0, p->load);
        wy_place_share(at, moment, 1.0, p->couple);
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
    return add_loads(p, &p->loads[0], t, factor, err);
}

withy_status wy_kirchhoff_pulls(wy_kirchhoff *p, double factor, withy_error *err) {
    return add_loads(p, &p->loads[1], 0.0, factor, err);
}

/* ---- the equations of a step ----------------------------------------------------------------- */

static mat3 m3_combine(double a, mat3 f, double b, mat3 g) {
    return (mat3){v3_axpy(v3_scale(a, f.c1), b, g.c1), v3_axpy(v3_scale(a, f.c2), b, g.c2),
                  v3_axpy(v3_scale(a, f.c3), b, g.c3)};
}

static void first_equations(wy_kirchhoff *p) {
    const double h = p->state->halving.dt[0];
    const int paper = p->opt.start == WY_KIRCHHOFF_PAPER;
    wy_kirchhoff_equations *eq = &p->work.eq;
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

/* A rod that is straight at rest and whose ends may turn has a common spin on which no energy depends.
 * Objective damping does: spinning at the rate phi dissipates sum eta nu |x''|^2 phi^2, and its torques
 * nu (e_1 dot e_2 - e_2 dot e_1) must balance over the whole rod, or an end that is free to turn
 * would be held.  Then no spin may be fixed.  Only where |x''| is too small for that sum to be more
 * than rounding is it replaced by a drag at the gauged node, which counts as loss. */
static void let_spin(wy_kirchhoff *p) {
    wy_kirchhoff_equations *eq = &p->work.eq;
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

void wy_kirchhoff_set_equations(wy_kirchhoff *p, const wy_kirchhoff_level *next) {
    wy_kirchhoff_equations *eq = &p->work.eq;
    *eq = (wy_kirchhoff_equations){.elastic = 1.0,
                                   .mass = p->mass,
                                   .turn = (const double(*)[2])p->turn,
                                   .ahead_x = eq->ahead_x,
                                   .ahead_frame = eq->ahead_frame,
                                   .next = next,
                                   .gauge = p->now->frame};
}

static void set_equations(wy_kirchhoff *p) {
    wy_kirchhoff_equations *eq = &p->work.eq;
    wy_kirchhoff_set_equations(p, p->next);
    if (p->state->halving.step == 0) {
        first_equations(p);
        let_spin(p);
        return;
    }
    const double two = p->state->halving.dt[0] + p->state->halving.dt[1],
                 ratio = p->state->halving.dt[0] / p->state->halving.dt[1];
    eq->inertia = 2.0 / (p->state->halving.dt[0] * two);
    eq->average = 0.5;
    eq->rate = 1.0 / two;
    eq->last = p->last;
    for (int j = 0; j <= p->n; j++) {
        eq->ahead_x[j] = v3_axpy(v3_scale(1.0 + ratio, p->now->x[j]), -ratio, p->last->x[j]);
        eq->ahead_frame[j] = m3_combine(1.0 + ratio, p->now->frame[j], -ratio, p->last->frame[j]);
    }
    let_spin(p);
}

/* x = 2 x_n - x_{n-1}, R = R_n R_{n-1}^T R_n; or the present state. */
static void predict(wy_kirchhoff *p, int stay) {
    for (int j = 0; j <= p->n; j++) {
        const mat3 f = p->now->frame[j];
        p->next->x[j] = stay ? p->now->x[j] : p->work.eq.ahead_x[j];
        p->next->frame[j] = f;
        if (stay || p->state->halving.step == 0) continue;
        const mat3 turn = m3_mulm(f, m3_transpose(p->last->frame[j]));
        p->next->frame[j] = wy_kirchhoff_orthonormal(m3_mulm(turn, f));
    }
}

/* ---- ledger ---------------------------------------------------------------------------------- */

/* w with R+ - R- = w x bar R. */
static vec3 cayley(mat3 to, mat3 from) {
    const quat q = q_from_matrix(m3_mulm(to, m3_transpose(from)));
    return v3_scale(2.0 / q.w, v3(q.x, q.y, q.z));
}

static double loss_of(const wy_kirchhoff *p) {
    const wy_kirchhoff_equations *eq = &p->work.eq;
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

/* Work and loss of the step that leads from last over now to next, H_{n+1/2} - H_{n-1/2}; of the first
 * half step, when there is no last. */
static wy_energy_flows ledger_of(const void *self) {
    const wy_kirchhoff *p = self;
    wy_energy_flows out = {0};
    const wy_kirchhoff_level *a = p->next, *b = p->state->halving.step ? p->last : p->now;
    for (int j = 0; j <= p->n; j++) {
        const wy_kirchhoff_end *end = wy_kirchhoff_end_at(p, j);
        const vec3 dx = v3_sub(a->x[j], b->x[j]), f = v3_sub(p->load[j], p->dead[j]);
        const int couple = !v3_is_zero(p->couple[j]),
                  dragged = p->work.eq.drag > 0 && j == p->gauge;
        out.loads += 0.5 * v3_dot(f, dx);
        if (!couple && !end) continue;
        const vec3 w = cayley(a->frame[j], b->frame[j]);
        out.loads += 0.5 * v3_dot(p->couple[j], w);
        if (end && end->held) out.ends += 0.5 * v3_dot(p->work.balance[j], dx);
        const double turned = 0.5 * v3_dot(p->work.balance[p->n + 1 + j], w);
        if (end && end->turn)
            out.ends += turned;
        else if (dragged)
            out.dissipated -= turned;
    }
    out.dissipated += loss_of(p);
    return out;
}

/* B^-1 a for a frame B that need not be orthonormal. */
static vec3 components(mat3 b, vec3 a) {
    const vec3 n = v3_cross(b.c1, b.c2);
    const double r = 1.0 / v3_dot(n, b.c3);
    return v3(r * v3_dot(a, v3_cross(b.c2, b.c3)), r * v3_dot(a, v3_cross(b.c3, b.c1)),
              r * v3_dot(a, n));
}

/* The multipliers that row (ii) eliminates, [KS] (5.139), (5.140), with B = [bar s1 bar s2 bar t]:
 *
 *     Ft = eta w (alpha bar t + bar s beta),   Gs = eta w (bar t beta^T + bar s a)
 *
 * so that B^-1 Ft = eta w (beta1, beta2, alpha), and B^-1 Gs gives beta again and a.  They are kept with
 * the sign of [EL], n = alpha x' + s beta - (sigma u)', where [KS] adds its constraints to K - P.  A frame that is
 * held has a reaction instead of them: its neighbours give them there. */
static void keep_multipliers(wy_kirchhoff *p) {
    vec3(*m)[2] = p->multiplier;
    for (int j = 0; j <= p->n; j++) {
        const vec3 *f = p->work.force[j];
        const mat3 b = wy_kirchhoff_bar_frame(p, j);
        const double r = -1.0 / (p->eta * wy_kirchhoff_weight(p, j));
        const vec3 g1 = components(b, f[WY_KIRCHHOFF_RAW_S1]);
        const vec3 g2 = components(b, f[WY_KIRCHHOFF_RAW_S2]);
        m[j][0] = v3_scale(r, components(b, f[WY_KIRCHHOFF_RAW_T]));
        m[j][1] = v3_scale(r, v3(g1.x, 0.5 * (g1.y + g2.x), g2.y));
    }
    for (int e = 0; e < 2; e++) {
        const int j = e ? p->n : 0, in = e ? -1 : 1;
        for (int k = 0; k < 2 && p->end[e].turn != WY_KIRCHHOFF_TURN_FREE; k++)
            m[j][k] = v3_axpy(v3_scale(2.0, m[j + in][k]), -1.0, m[j + 2 * in][k]);
    }
}

/* Reactions and forces of the balance just solved.  A row that was kept is zero to rounding. */
void wy_kirchhoff_keep_forces(wy_kirchhoff *p) {
    wy_spline_step_balance *balance = &p->state->balance;
    for (int e = 0; e < 2; e++) {
        const int j = e ? p->n : 0;
        const wy_kirchhoff_end *end = &p->end[e];
        balance->reaction[e] = end->held ? p->work.balance[j] : v3(0, 0, 0);
        balance->reaction_moment[e] = end->turn ? p->work.balance[p->n + 1 + j] : v3(0, 0, 0);
        balance->end[e] = v3_scale(e ? 1.0 : -1.0, v3_add(balance->reaction[e], end->force));
    }
    memcpy(p->sample_pull, p->work.pull, (size_t)p->n * sizeof *p->work.pull);
    keep_multipliers(p);
    balance->known = 1;
}

/* ---- when the step changes, see base/step_halving.c --------------------------------------------------- */

/* c of the step that has been solved; nothing at nodes that are held. */
static void find_nudge(void *self) {
    const wy_kirchhoff *p = self;
    const double r = p->work.eq.rate;
    for (int j = 0; j <= p->n; j++) {
        const wy_kirchhoff_end *end = wy_kirchhoff_end_at(p, j);
        const double move = end && end->held ? 0.0 : r, turn = end && end->turn ? 0.0 : r;
        p->work.nudge_x[j] = v3_scale(move, v3_sub(p->next->x[j], p->last->x[j]));
        p->work.nudge_frame[j] = m3_combine(turn, p->next->frame[j], -turn, p->last->frame[j]);
    }
}

/* (c, x+ - x-)_M / (h_+ + h_-). */
static double nudge_gain(const void *self) {
    const wy_kirchhoff *p = self;
    double sum = 0;
    for (int j = 0; j <= p->n; j++) {
        const mat3 *f = &p->next->frame[j], *g = &p->last->frame[j], *c = &p->work.nudge_frame[j];
        sum += p->mass[j] * v3_dot(p->work.nudge_x[j], v3_sub(p->next->x[j], p->last->x[j]));
        sum += p->turn[j][0] * v3_dot(c->c1, v3_sub(f->c1, g->c1));
        sum += p->turn[j][0] * v3_dot(c->c2, v3_sub(f->c2, g->c2));
        sum += p->turn[j][1] * v3_dot(c->c3, v3_sub(f->c3, g->c3));
    }
    return p->work.eq.rate * sum;
}

static void nudge(void *self, double mu) {
    wy_kirchhoff *p = self;
    wy_kirchhoff_work *w = &p->work;
    const double by = mu * p->state->halving.dt[0];
    for (int j = 0; j <= p->n; j++) {
        w->eq.ahead_x[j] = v3_axpy(w->eq.ahead_x[j], by, w->nudge_x[j]);
        w->eq.ahead_frame[j] = m3_combine(1.0, w->eq.ahead_frame[j], by, w->nudge_frame[j]);
    }
}

/* ---- one step -------------------------------------------------------------------------------- */

static withy_status step_failed(const wy_kirchhoff *p, const wy_kirchhoff_newton *newton,
                                withy_error *err) {
    const double t = wy_halving_time(&p->state->halving) + p->state->halving.dt[0];
    char cuts[32], defect[96];
    wy_halving_cuts(&p->state->halving, cuts, sizeof cuts);
    if (p->work.turned > MOST_TURN)
        return wy_no_convergence(
            err,
            "kirchhoff: a section turns by %.2f rad over two steps at t = %g (step %lld), and near "
            "half a turn the equations have false solutions; use a smaller options.dt (now %g%s)%s",
            p->work.turned, t, (long long)p->state->halving.step + 1, p->state->halving.h, cuts,
            p->opt.ends == WY_KIRCHHOFF_STRONG ? " or options.ends = \"weak\"" : "");
    return wy_no_convergence(
        err,
        "kirchhoff: Newton's corrections are %.1e, tolerance %.1e, after %d iterations at t = %g "
        "(step %lld)%s; use a smaller options.dt (now %g%s)%s",
        newton->norm, p->opt.newton_tol, newton->iterations, t,
        (long long)p->state->halving.step + 1,
        wy_halving_defect(&p->state->halving, defect, sizeof defect), p->state->halving.h, cuts,
        p->damped ? "" : ", or give the rod some damping");
}

static bool solve_counted(wy_kirchhoff *p, wy_kirchhoff_newton *newton) {
    const bool solved = wy_kirchhoff_solve(p, newton);
    p->state->halving.next_iterations += newton->iterations;
    return solved;
}

static bool solve(void *self) {
    wy_kirchhoff_newton newton = {0};
    return solve_counted(self, &newton);
}

/* Solve from the extrapolation; when that fails or jumps to a half turn, from the present state. */
static bool solve_guarded(wy_kirchhoff *p, wy_kirchhoff_newton *newton) {
    const wy_halving_stepper stepper = wy_kirchhoff_stepper(p);
    wy_kirchhoff_work *w = &p->work;
    for (int stay = 0; stay < 2; stay++) {
        predict(p, stay);
        if (stay) memset(p->lambda, 0, ((size_t)p->n + 1) * sizeof *p->lambda);
        bool solved = solve_counted(p, newton);
        if (solved && wy_halving_uneven(stepper.halving))
            solved = wy_halving_match_energy(&stepper);
        w->turned = solved ? wy_kirchhoff_turn_between(p, w->eq.last, p->next) : 0.0;
        if (solved && w->turned <= MOST_TURN) return true;
    }
    return false;
}

/* One step of dt[0] into next. */
static withy_status solve_step(wy_kirchhoff *p, withy_error *err) {
    const wy_halving *halving = &p->state->halving;
    const double t = wy_halving_time(halving);
    wy_kirchhoff_newton newton = {0};
    /* the balance is centred on t_n, that of the one-step start on h/2 */
    const int halfway = halving->step == 0 && p->opt.start == WY_KIRCHHOFF_ONE_STEP;
    const double at = halfway ? t + 0.5 * halving->dt[0] : t;
    if (!p->constant_loads) WY_TRY(wy_kirchhoff_loads(p, at, 1.0, err));
    WY_TRY(wy_kirchhoff_targets(p, t + halving->dt[0], err));
    set_equations(p);
    if (!solve_guarded(p, &newton)) return step_failed(p, &newton, err);
    int cell = 0;
    const double twist = wy_kirchhoff_twist_most(p, p->next, &cell);
    if (!(twist < 0.5 * WY_PI))
        return wy_no_convergence(
            err,
            "kirchhoff: the interval at s = %g is twisted by %.2f rad at t = %g, and the method "
            "cannot resolve more than pi/2; use more intervals (options.n, now %d)",
            p->s[cell], twist, t + halving->dt[0], p->n);
    return WITHY_OK;
}

/* The multipliers are the guess of the next attempt: a failed one leaves them as they were. */
static withy_status attempt(void *self, withy_error *err) {
    wy_kirchhoff *p = self;
    const size_t size = ((size_t)p->n + 1) * sizeof *p->lambda;
    memcpy(p->work.lambda_good, p->lambda, size);
    const withy_status status = solve_step(p, err);
    if (status != WITHY_OK) memcpy(p->lambda, p->work.lambda_good, size);
    return status;
}

static double energy(const void *self, double *scale) {
    const wy_kirchhoff *p = self;
    return wy_kirchhoff_energy(p, p->next, p->now, p->state->halving.dt[0], scale);
}

static void keep(void *self) {
    wy_kirchhoff *p = self;
    wy_halving *halving = &p->state->halving;
    wy_kirchhoff_keep_forces(p);
    if (halving->step > 0) return;
    withy_stats *stats = p->setup->stats; /* H begins with the first half step */
    const wy_energy_flows *first = &halving->next_ledger;
    halving->energy = halving->next_energy - first->ends - first->loads + first->dissipated;
    halving->energy_scale = WY_HALVING_ROUNDING * p->stiff / p->length;
    wy_account_open(stats, halving->energy, halving->energy_scale, 1);
}

/* All levels advance by one; that of the next step is free. */
static double commit(void *self) {
    wy_kirchhoff *p = self;
    const size_t size = (size_t)((char *)p->now->x - (char *)p->next->x);
    memmove(p->now->x, p->next->x, 3 * size);
    return wy_kirchhoff_violation(p, p->now);
}

wy_halving_stepper wy_kirchhoff_stepper(wy_kirchhoff *p) {
    static const wy_halving_calls lends = {attempt,    solve, ledger_of, energy, find_nudge,
                                           nudge_gain, nudge, keep,      commit};
    return (wy_halving_stepper){
        &lends,      p, &p->state->halving, p->setup->stats, p->opt.halvings, p->setup->interrupt,
        p->opt.ahead};
}
