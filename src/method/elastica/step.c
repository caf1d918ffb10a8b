/* step.c - one step of the elastica: loads, ends, the equations (99)-(100), guesses, and
 * the results of the step (reactions, work, energy).  Also the projection of the initial state.
 */
#include "method/elastica/elastica.h"

#include "numeric/interpolate/interpolate.h"

/* ---- loads ----------------------------------------------------------------------------------- */

/* Gauss's rule with two points in each interval, or the part of it that is loaded; for a constant this
 * is the trapezoidal rule of (77). */
static withy_status find_loads(wy_elastica *e, withy_error *err) {
    double point[2], weight[2];
    wy_gauss_points(2, point, weight);
    const wy_load_rule rule = {
        .cells = e->n, .edge = e->s, .points = 2, .point = point, .weight = weight};
    return wy_model_load_points(e->setup->model, 0, 0, &rule, e->setup->arena, &e->loads, err);
}

/* Sum of the loads that are functions (varying = 1) or constants (0), per node and at the ends. */
static withy_status sum_loads(const wy_elastica *e, int varying, double t, vec3 *sum,
                              vec3 *end_force, withy_error *err) {
    for (int i = 0; i < e->loads.count; i++) {
        const wy_load_point *at = &e->loads.point[i];
        const int first = at->s <= 0.0, point = at->load->kind == WITHY_LOAD_POINT;
        vec3 f, moment;
        if (wy_load_varies(at->load) != varying) continue;
        WY_TRY(wy_load_point_value(at, t, 1.0, &f, &moment, err));
        wy_place_share(wy_place_of(at->s, e->eta, e->n), f, e->eta, sum);
        if (point && (first || at->s >= e->length))
            end_force[!first] = v3_add(end_force[!first], f);
    }
    for (int i = 0; i < 2; i++) {
        const withy_field *force = &e->rod->end[i].force;
        if (!force->size || (force->call != NULL) != varying) continue;
        vec3 f, moment;
        WY_TRY(wy_end_load(&e->end[i], t, 1.0, m3_identity(), &f, &moment, err));
        sum[i ? e->n : 0] = v3_axpy(sum[i ? e->n : 0], 1.0 / e->eta, f);
        end_force[i] = v3_add(end_force[i], f);
    }
    return WITHY_OK;
}

withy_status wy_elastica_dead_loads(wy_elastica *e, withy_error *err) {
    WY_TRY(find_loads(e, err));
    return sum_loads(e, 0, 0.0, e->dead, e->dead_end, err);
}

/* All forces of this balance: weight, constant loads, loads at time t. */
static withy_status set_loads(wy_elastica *e, double t, withy_error *err) {
    for (int j = 0; j <= e->n; j++) e->work.load[j] = v3_axpy(e->dead[j], e->mass[j], e->g);
    e->work.end_force[0] = e->dead_end[0], e->work.end_force[1] = e->dead_end[1];
    return sum_loads(e, 1, t, e->work.load, e->work.end_force, err);
}

/* ---- ends ------------------------------------------------------------------------------------ */

withy_status wy_elastica_ends(const wy_elastica *e, double t, vec3 at[2], vec3 z[2],
                              withy_error *err) {
    for (int i = 0; i < 2; i++) {
        wy_pose pose;
        at[i] = z[i] = v3(0, 0, 0);
        if (!e->held[i]) continue;
        WY_TRY(wy_end_pose(&e->end[i], t, &pose, err));
        at[i] = pose.r;
        if (e->spline.clamped[i]) z[i] = v3_scale(i ? -1.0 : 1.0, pose.frame.c3);
    }
    if (!e->held[0] || !e->held[1]) return WITHY_OK;
    const double distance = v3_norm(v3_sub(at[1], at[0]));
    if (!(distance <= e->length * (1.0 + 1e-12)))
        return wy_bad_input(
            err,
            "elastica: at t = %g the ends are held %.9g apart, but the rod is only %.9g "
            "long and does not stretch; move the ends closer or make rod.length larger",
            t, distance, e->length);
    return WITHY_OK;
}

/* Largest load across the line between the ends, relative to the largest load. */
static double transverse_load(const wy_elastica *e, vec3 along) {
    double across = 0, largest = 0;
    for (int j = 1; j < e->n; j++) {
        const vec3 f = e->work.load[j];
        across = wy_max(across, v3_norm(v3_axpy(f, -v3_dot(f, along), along)));
        largest = wy_max(largest, v3_norm(f));
    }
    return largest > 0 ? across / largest : 0.0;
}

int wy_elastica_is_taut(double chord, double length) {
    return !(chord < length * (1.0 - 1e-10));
}

/* As at t = 0 (elastica.c). */
static withy_status check_straight(const wy_elastica *e, double t, const vec3 at[2],
                                   withy_error *err) {
    const vec3 chord = v3_sub(at[1], at[0]);
    const double distance = v3_norm(chord);
    if (!e->held[0] || !e->held[1] || !wy_elastica_is_taut(distance, e->length)) return WITHY_OK;
    if (transverse_load(e, v3_scale(1.0 / distance, chord)) < 1e-9)
        return wy_bad_input(
            err,
            "elastica: at t = %g the rod is straight between its held ends (%.9g apart, rod.length "
            "= %.9g): nothing determines the tension of a rod that does not stretch then; bring "
            "the ends closer together, free one, or use a method that stretches",
            t, distance, e->length);
    return wy_bad_input(
        err,
        "elastica: at t = %g the rod is straight between its held ends (%.9g apart, rod.length = "
        "%.9g) and loaded across: no finite tension carries that in a rod that does not stretch; "
        "bring the ends closer together, free one, or use a method that stretches",
        t, distance, e->length);
}

/* ---- equations ------------------------------------------------------------------------------- */

/* Cure A and the scale of the matrix; see elastica/solve.c. */
static void finish_equations(wy_elastica *e) {
    wy_elastica_equations *eq = &e->work.eq;
    const double eta4 = e->eta * e->eta * e->eta * e->eta, wave = WY_PI / e->length;
    const double inertia = eq->mass == e->unit_mass ? 1.0 : e->rho;
    eq->kq = eq->ke * e->eps + eq->kn * e->nu;
    eq->tau = 1e-4 * wave * wave / (inertia * eq->fa + 16.0 * eq->kq / eta4);
    if (e->opt.cure == WY_ELASTICA_CURE_NONE) eq->tau = 0.0;
    eq->scale = eq->kq + inertia * eq->fa * eta4;
}

/* (99) with levels n-1 and n; steps h_- before and h_+ ahead, equal unless one has been cut. */
static void two_step(wy_elastica *e) {
    wy_elastica_equations *eq = &e->work.eq;
    const double two = e->state->halving.dt[0] + e->state->halving.dt[1],
                 ratio = e->state->halving.dt[0] / e->state->halving.dt[1];
    const double f = 2.0 / (e->state->halving.dt[0] * two);
    eq->fa = f, eq->ke = 0.5, eq->kn = 1.0 / two, eq->ua = 0.5, eq->ff = f;
    for (int j = 0; j <= e->n; j++) {
        const wy_elastica_level *a = e->last, *b = e->now;
        eq->a0[j] = v3_scale(f, v3_axpy(v3_scale(ratio, a->x[j]), -1.0 - ratio, b->x[j]));
        eq->s0[j] =
            v3_scale(e->sigma_at[j] * f, v3_axpy(v3_scale(ratio, a->u[j]), -1.0 - ratio, b->u[j]));
        eq->q0[j] = v3_scale(0.5 * e->eps_at[j] - e->nu_at[j] / two, a->k[j]);
        eq->u0[j] = v3_scale(0.5, a->u[j]);
    }
}

/* The first step: acceleration 2 (x_1 - x_0 - h G)/h^2 in both forms.  One-step: mean and rate over
 * [0, h].  Paper: (99) with (106), x_{-1} = x_1 - 2 h G. */
static void first_step(wy_elastica *e) {
    wy_elastica_equations *eq = &e->work.eq;
    const int paper = e->opt.start == WY_ELASTICA_START_PAPER;
    const double h = e->state->halving.dt[0], f = 2.0 / (h * h);
    const wy_elastica_level *a = e->now, *g = &e->first;
    eq->fa = f, eq->ff = f;
    eq->ke = paper ? 1.0 : 0.5, eq->kn = paper ? 0.0 : 1.0 / h;
    eq->ua = paper ? 1.0 : 0.5;
    for (int j = 0; j <= e->n; j++) {
        const double eps = e->eps_at[j], nu = e->nu_at[j];
        eq->a0[j] = v3_scale(-f, v3_axpy(a->x[j], h, g->x[j]));
        eq->s0[j] = v3_scale(-e->sigma_at[j] * f, v3_axpy(a->u[j], h, g->u[j]));
        eq->q0[j] = paper ? v3_scale(nu - eps * h, g->k[j]) : v3_scale(0.5 * eps - nu / h, a->k[j]);
        eq->u0[j] = paper ? v3_scale(-h, g->u[j]) : v3_scale(0.5, a->u[j]);
    }
}

/* min (x - F)^T W (x - F)/2 subject to the constraints: W (x - F) + D1^T W (alpha u) = 0. */
static void projection(wy_elastica *e) {
    wy_elastica_equations *eq = &e->work.eq;
    eq->mass = e->unit_mass;
    eq->fa = 1.0, eq->ke = eq->kn = 0.0, eq->ua = 1.0, eq->ff = 0.0;
    for (int j = 0; j <= e->n; j++) {
        eq->a0[j] = v3_scale(-1.0, e->now->x[j]);
        eq->s0[j] = eq->q0[j] = eq->u0[j] = e->work.load[j] = v3(0, 0, 0);
    }
    finish_equations(e);
}

/* ---- solving --------------------------------------------------------------------------------- */

/* Put held ends at their prescribed positions and spread the displacement linearly over the rod. */
static void place_ends(wy_elastica *e, const vec3 at[2]) {
    vec3 *x = e->next->x;
    vec3 move[2];
    for (int i = 0; i < 2; i++) move[i] = e->held[i] ? v3_sub(at[i], x[i ? e->n : 0]) : v3(0, 0, 0);
    for (int j = 0; j <= e->n; j++) {
        const double f = (double)j / e->n;
        x[j] = v3_axpy(v3_axpy(x[j], 1.0 - f, move[0]), f, move[1]);
    }
    for (int i = 0; i < 2; i++)
        if (e->held[i]) x[i ? e->n : 0] = at[i]; /* to the last bit */
}

/* Guesses in the order of trust: 2 x_n - x_{n-1} (first step: x_0 + h G), x_n, x_{n-1}. */
static int guess(wy_elastica *e, int number, const vec3 at[2]) {
    if (number > 2 || (number == 2 && e->state->halving.step == 0)) return 0;
    for (int j = 0; j <= e->n; j++) {
        const vec3 now = e->now->x[j];
        const vec3 ahead = e->state->halving.step
                               ? v3_scale(e->state->halving.dt[0] / e->state->halving.dt[1],
                                          v3_sub(now, e->last->x[j]))
                               : v3_scale(e->state->halving.dt[0], e->first.x[j]);
        e->next->x[j] = number == 0 ? v3_add(now, ahead) : number == 1 ? now : e->last->x[j];
    }
    place_ends(e, at);
    memcpy(e->work.alpha, e->alpha_last, (size_t)(e->n + 1) * sizeof *e->work.alpha);
    return 1;
}

static withy_status no_convergence(const wy_elastica *e, double norm, withy_error *err) {
    const wy_halving *halving = &e->state->halving;
    const double t = wy_halving_time(halving) + halving->dt[0];
    char cuts[32], defect[96];
    const char *start = e->state->halving.step == 0 && e->opt.start == WY_ELASTICA_START_PAPER
                            ? ", options.start = \"one-step\""
                            : "";
    const int alternates = !e->pairs && !e->spline.clamped[0] && !e->spline.clamped[1];
    const char *cure = alternates                             ? ", options.cure = \"B\""
                       : e->opt.cure == WY_ELASTICA_CURE_NONE ? ", options.cure = \"A\""
                                                              : "";
    return wy_no_convergence(
        err,
        "elastica: no convergence at t = %g (step %lld): the last Newton correction was "
        "%.1e L, tolerance %.1e L%s; try a smaller options.dt (now %g%s)%s%s, or another "
        "options.n (now %d)",
        t, (long long)e->state->halving.step + 1, norm / e->length, e->opt.newton_tol,
        wy_halving_defect(halving, defect, sizeof defect), e->state->halving.h,
        wy_halving_cuts(halving, cuts, sizeof cuts), start, cure, e->n);
}

/* Reactions of the supports: (99) and its derivative with respect to z leave them at held ends. */
static void store_balance(wy_elastica *e) {
    wy_spline_step_balance *balance = &e->state->balance;
    for (int i = 0; i < 2; i++) {
        const int j = i ? e->n : 0;
        const vec3 none = v3(0, 0, 0);
        const vec3 a = v3_axpy(e->work.eq.a0[j], e->work.eq.fa, e->next->x[j]);
        const double lump = e->rod->end[i].mass;
        balance->reaction[i] = e->held[i] ? v3_scale(e->eta, e->work.residual[j]) : none;
        /* -6 eta p is conjugate to z, and dz = d(angle) x z */
        balance->reaction_moment[i] =
            e->spline.clamped[i] ? v3_cross(e->now->z[i], v3_scale(-6.0 * e->eta, e->work.p[j]))
                                 : none;
        const vec3 outside =
            v3_axpy(v3_add(balance->reaction[i], e->work.end_force[i]), -lump, v3_sub(a, e->g));
        balance->end[i] = i ? outside : v3_scale(-1.0, outside);
    }
    memcpy(e->cell_n, e->work.pull, (size_t)e->n * sizeof *e->cell_n);
    memcpy(e->alpha_last, e->work.alpha, (size_t)(e->n + 1) * sizeof *e->alpha_last);
    balance->known = 1;
}

/* Work and loss of the step from level `from` to `next`.  The scheme's
 * own energy is defined between levels, so a step counts from n-1 to n+1, halved. */
static wy_energy_flows ledger_of(const void *self) {
    const wy_elastica *e = self;
    wy_energy_flows out = {0};
    const wy_elastica_level *a = e->state->halving.step ? e->last : e->now, *b = e->next;
    const double span = e->state->halving.step ? e->state->halving.dt[0] + e->state->halving.dt[1]
                                               : e->state->halving.dt[0];
    double loss = 0, work = 0;
    for (int j = 0; j <= e->n; j++) {
        const vec3 rate = v3_scale(1.0 / span, v3_sub(b->k[j], a->k[j]));
        const vec3 applied = v3_axpy(e->work.load[j], -e->mass[j], e->g);
        loss += wy_elastica_weight(e, j) * e->nu_at[j] * v3_dot(rate, rate);
        work += v3_dot(applied, v3_sub(b->x[j], a->x[j]));
    }
    out.dissipated = 0.5 * span * e->eta * loss;
    out.loads = 0.5 * e->eta * work;
    for (int i = 0; i < 2; i++) {
        const int j = i ? e->n : 0;
        if (e->held[i])
            out.ends += 0.5 * e->eta * v3_dot(e->work.residual[j], v3_sub(b->x[j], a->x[j]));
        if (e->spline.clamped[i])
            out.ends -= 3.0 * e->eta * v3_dot(e->work.p[j], v3_sub(b->z[i], a->z[i]));
    }
    return out;
}

/* c of the step that has been solved; nothing where it is held. */
static void find_nudge(void *self) {
    const wy_elastica *e = self;
    const double r = 1.0 / (e->state->halving.dt[0] + e->state->halving.dt[1]);
    for (int j = 0; j <= e->n; j++) {
        const vec3 none = v3(0, 0, 0), c = v3_scale(r, v3_sub(e->next->x[j], e->last->x[j]));
        const vec3 turn = v3_scale(r, v3_sub(e->next->u[j], e->last->u[j]));
        e->work.nudge_x[j] = wy_elastica_node_held(e, j) ? none : c;
        e->work.nudge_u[j] = wy_spline_clamped(&e->spline, j) ? none : turn;
    }
}

/* (c, x+ - x-)_K / (h_+ + h_-). */
static double nudge_gain(const void *self) {
    const wy_elastica *e = self;
    double sum = 0;
    for (int j = 0; j <= e->n; j++) {
        sum += e->mass[j] * v3_dot(e->work.nudge_x[j], v3_sub(e->next->x[j], e->last->x[j]));
        sum += e->sigma_at[j] * wy_elastica_weight(e, j) *
               v3_dot(e->work.nudge_u[j], v3_sub(e->next->u[j], e->last->u[j]));
    }
    return e->eta * sum / (e->state->halving.dt[0] + e->state->halving.dt[1]);
}

static void nudge(void *self, double mu) {
    wy_elastica *e = self;
    wy_elastica_equations *eq = &e->work.eq;
    const double by = -eq->fa * e->state->halving.dt[0] * mu;
    for (int j = 0; j <= e->n; j++) {
        eq->a0[j] = v3_axpy(eq->a0[j], by, e->work.nudge_x[j]);
        eq->s0[j] = v3_axpy(eq->s0[j], by * e->sigma_at[j], e->work.nudge_u[j]);
    }
}

/* ---- one step -------------------------------------------------------------------------------- */

static bool solve_counted(wy_elastica *e, wy_elastica_newton *newton) {
    const bool solved = wy_elastica_solve(e, newton);
    e->state->halving.next_iterations += newton->iterations;
    return solved;
}

static bool solve(void *self) {
    wy_elastica_newton newton;
    return solve_counted(self, &newton);
}

/* The equations of the step of dt[0], with held ends at `at`. */
static withy_status set_equations(wy_elastica *e, vec3 at[2], withy_error *err) {
    const wy_halving *halving = &e->state->halving;
    const double t = wy_halving_time(halving) + halving->dt[0];
    /* the balance is centred on t_n, that of the one-step start on h/2 */
    const int halfway = halving->step == 0 && e->opt.start == WY_ELASTICA_START_ONE_STEP;
    WY_TRY(wy_elastica_ends(e, t, at, e->next->z, err));
    WY_TRY(set_loads(e, halfway ? 0.5 * t : t - halving->dt[0], err));
    WY_TRY(check_straight(e, t, at, err));
    e->work.eq.mass = e->mass;
    e->work.eq.load = e->work.load;
    if (halving->step == 0)
        first_step(e);
    else
        two_step(e);
    finish_equations(e);
    return WITHY_OK;
}

/* One step of dt[0] into next. */
static withy_status attempt(void *self, withy_error *err) {
    wy_elastica *e = self;
    const wy_halving_stepper stepper = wy_elastica_stepper(e);
    wy_elastica_newton newton = {0};
    vec3 at[2];
    WY_TRY(set_equations(e, at, err));
    for (int number = 0; guess(e, number, at); number++) {
        bool solved = solve_counted(e, &newton);
        if (solved && wy_halving_uneven(stepper.halving))
            solved = wy_halving_match_energy(&stepper);
        if (solved) return WITHY_OK;
    }
    return no_convergence(e, newton.norm, err);
}

static double energy(const void *self, double *scale) {
    const wy_elastica *e = self;
    return wy_elastica_energy(e, e->next, e->now, e->state->halving.dt[0], scale);
}

static void keep(void *self) {
    wy_elastica *e = self;
    store_balance(e);
}

/* All levels advance by one; that of the next step is free. */
static double commit(void *self) {
    wy_elastica *e = self;
    mat3 *frame = &e->state->frame0;
    const size_t size = (size_t)(e->now->x - e->next->x) * sizeof(vec3);
    memmove(e->now->x, e->next->x, 3 * size);
    const vec3 tangent = v3_unit(e->now->u[0]);
    *frame = m3_mulm(m3_between(frame->c3, tangent), *frame);
    *frame = m3_frame(tangent, frame->c1); /* no drift from orthogonality */
    return wy_elastica_violation(e, e->now);
}

wy_halving_stepper wy_elastica_stepper(wy_elastica *e) {
    static const wy_halving_calls lends = {attempt,    solve, ledger_of, energy, find_nudge,
                                           nudge_gain, nudge, keep,      commit};
    return (wy_halving_stepper){&lends,
                                e,
                                &e->state->halving,
                                e->setup->stats,
                                e->opt.halvings,
                                e->setup->interrupt,
                                !e->changes.live};
}

withy_status wy_elastica_project(wy_elastica *e, double *moved, withy_error *err) {
    wy_elastica_newton newton;
    *moved = 0.0;
    if (wy_elastica_violation(e, e->now) <= 1e-14) return WITHY_OK;
    e->next->z[0] = e->now->z[0], e->next->z[1] = e->now->z[1];
    memcpy(e->next->x, e->now->x, (size_t)(e->n + 1) * sizeof *e->next->x);
    e->work.eq.load = e->work.load;
    projection(e);
    memset(e->work.alpha, 0, (size_t)(e->n + 1) * sizeof *e->work.alpha);
    if (!wy_elastica_solve(e, &newton))
        return wy_bad_input(
            err,
            "elastica: found no inextensible curve near the initial shape (|dr/ds| is off "
            "by up to %.2g at the nodes): check that initial.shape is given by arc length "
            "and fits between the ends, or use more intervals (options.n = %d)",
            0.5 * wy_elastica_violation(e, e->now), e->n);
    for (int j = 0; j <= e->n; j++)
        *moved = wy_max(*moved, v3_norm(v3_sub(e->next->x[j], e->now->x[j])));
    memcpy(e->now->x, e->next->x, (size_t)(e->now->x - e->next->x) * sizeof(vec3));
    return WITHY_OK;
}
