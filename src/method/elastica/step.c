/* step.c - one step of the elastica: loads, ends, the equations (99)-(100), guesses, and
 * what the step leaves behind (reactions, work, energy).  Also the projection of the initial state.
 */
#include "method/elastica/elastica.h"

#include <float.h>
#include <string.h>

/* ---- loads ----------------------------------------------------------------------------------- */

/* Share a force between the two nodes of its interval so that force and moment are kept. */
static void add_point(const wy_elastica *e, double s, vec3 force, vec3 *sum) {
    const wy_elastica_place at = wy_elastica_spline_place(e, s);
    sum[at.j] = v3_axpy(sum[at.j], (1.0 - at.f) / e->eta, force);
    sum[at.j + 1] = v3_axpy(sum[at.j + 1], at.f / e->eta, force);
}

/* A distributed load, integrated over each interval (or the part of it that is loaded) by Gauss's
 * rule with two points; for a constant this is the trapezoidal rule of (77). */
static withy_status add_distributed(const wy_elastica *e, const withy_load *load, double t,
                                    vec3 *sum, withy_error *err) {
    const double root = 0.57735026918962576; /* 1 / sqrt 3 */
    for (int j = 0; j < e->n; j++) {
        const double a = wy_max(load->from, j * e->eta), b = wy_min(load->to, (j + 1) * e->eta);
        for (int i = -1; i <= 1 && a < b; i += 2) {
            const double s = 0.5 * (a + b) + 0.5 * i * root * (b - a);
            double f[WITHY_FIELD_MAX] = {0};
            WY_TRY(withy_field_at(&load->force, s, t, f, err));
            add_point(e, s, v3_scale(0.5 * (b - a), v3_from(f)), sum);
        }
    }
    return WITHY_OK;
}

static withy_status add_load(const wy_elastica *e, const withy_load *load, double t, vec3 *sum,
                             vec3 *end_force, withy_error *err) {
    if (load->kind == WITHY_LOAD_DISTRIBUTED) return add_distributed(e, load, t, sum, err);
    double f[WITHY_FIELD_MAX] = {0};
    WY_TRY(withy_field_at(&load->force, load->from, t, f, err));
    add_point(e, load->from, v3_from(f), sum);
    if (load->from <= 0.0) end_force[0] = v3_add(end_force[0], v3_from(f));
    if (load->from >= e->length) end_force[1] = v3_add(end_force[1], v3_from(f));
    return WITHY_OK;
}

/* Sum of the loads that are functions (varying = 1) or constants (0), per node and at the ends. */
static withy_status sum_loads(const wy_elastica *e, int varying, double t, vec3 *sum,
                              vec3 *end_force, withy_error *err) {
    for (int i = 0; i < e->rod->load_count; i++) {
        const withy_load *load = &e->rod->load[i];
        if (load->force.size && (load->force.call != NULL) == varying)
            WY_TRY(add_load(e, load, t, sum, end_force, err));
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
    return sum_loads(e, 0, 0.0, e->dead, e->dead_end, err);
}

/* All forces of this balance: weight, constant loads, loads at time t. */
static withy_status set_loads(wy_elastica *e, double t, withy_error *err) {
    for (int j = 0; j <= e->n; j++) e->load[j] = v3_axpy(e->dead[j], e->mass[j], e->g);
    e->end_force[0] = e->dead_end[0], e->end_force[1] = e->dead_end[1];
    return sum_loads(e, 1, t, e->load, e->end_force, err);
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
        if (e->clamped[i]) z[i] = v3_scale(i ? -1.0 : 1.0, pose.frame.c3);
    }
    if (!e->held[0] || !e->held[1]) return WITHY_OK;
    const double distance = v3_norm(v3_sub(at[1], at[0]));
    if (!(distance <= e->length * (1.0 + 1e-12)))
        return wy_fail(err, WITHY_BAD_INPUT,
                       "elastica: at t = %g the ends are held %.9g apart, but the rod is only %.9g "
                       "long and does not stretch; move the ends closer or make rod.length larger",
                       t, distance, e->length);
    return WITHY_OK;
}

/* Largest load across the line between the ends, relative to the largest load. */
static double transverse_load(const wy_elastica *e, vec3 along) {
    double across = 0, largest = 0;
    for (int j = 1; j < e->n; j++) {
        const vec3 f = e->load[j];
        across = wy_max(across, v3_norm(v3_axpy(f, -v3_dot(f, along), along)));
        largest = wy_max(largest, v3_norm(f));
    }
    return largest > 0 ? across / largest : 0.0;
}

/* A straight rod between two fixed points would need an infinite tension to carry a load across it.
 */
static withy_status check_straight(const wy_elastica *e, double t, const vec3 at[2],
                                   withy_error *err) {
    const vec3 chord = v3_sub(at[1], at[0]);
    const double distance = v3_norm(chord);
    if (!e->held[0] || !e->held[1] || distance < e->length * (1.0 - 1e-10)) return WITHY_OK;
    if (transverse_load(e, v3_scale(1.0 / distance, chord)) < 1e-9) return WITHY_OK;
    return wy_fail(err, WITHY_BAD_INPUT,
                   "elastica: at t = %g the rod is straight between its held ends (%.9g apart, "
                   "rod.length = %.9g) and loaded across: no finite tension carries that in a rod "
                   "that does not stretch; bring the ends closer together, free one, or remove the "
                   "transverse load",
                   t, distance, e->length);
}

withy_status wy_elastica_check_start(wy_elastica *e, withy_error *err) {
    const vec3 at[2] = {e->now->x[0], e->now->x[e->n]};
    WY_TRY(set_loads(e, 0.0, err));
    return check_straight(e, 0.0, at, err);
}

/* ---- equations ------------------------------------------------------------------------------- */

/* Cure A and the scale of the matrix; see elastica/solve.c. */
static void finish_equations(wy_elastica *e) {
    wy_elastica_equations *eq = &e->eq;
    const double eta4 = e->eta * e->eta * e->eta * e->eta, wave = WY_PI / e->length;
    const double inertia = eq->mass == e->unit_mass ? 1.0 : e->rho;
    eq->tau = 1e-4 * wave * wave / (inertia * eq->fa + 16.0 * eq->kq / eta4);
    if (e->opt.cure == WY_ELASTICA_CURE_NONE) eq->tau = 0.0;
    eq->scale = eq->kq + inertia * eq->fa * eta4;
}

/* (99) with levels n-1 and n; steps h_- before and h_+ ahead, equal unless one has been cut. */
static void two_step(wy_elastica *e) {
    wy_elastica_equations *eq = &e->eq;
    const double two = e->pace.dt[0] + e->pace.dt[1], ratio = e->pace.dt[0] / e->pace.dt[1];
    const double f = 2.0 / (e->pace.dt[0] * two), rate = e->nu / two;
    eq->fa = f, eq->kq = 0.5 * e->eps + rate, eq->ua = 0.5, eq->fs = e->sigma * f;
    for (int j = 0; j <= e->n; j++) {
        const wy_elastica_level *a = e->last, *b = e->now;
        eq->a0[j] = v3_scale(f, v3_axpy(v3_scale(ratio, a->x[j]), -1.0 - ratio, b->x[j]));
        eq->s0[j] =
            v3_scale(e->sigma * f, v3_axpy(v3_scale(ratio, a->u[j]), -1.0 - ratio, b->u[j]));
        eq->q0[j] = v3_scale(0.5 * e->eps - rate, a->k[j]);
        eq->u0[j] = v3_scale(0.5, a->u[j]);
    }
}

/* The first step: acceleration 2 (x_1 - x_0 - h G)/h^2 in both forms.  One-step: mean and rate over
 * [0, h].  Paper: (99) with (106), x_{-1} = x_1 - 2 h G. */
static void first_step(wy_elastica *e) {
    wy_elastica_equations *eq = &e->eq;
    const int paper = e->opt.start == WY_ELASTICA_START_PAPER;
    const double h = e->pace.dt[0], f = 2.0 / (h * h), rate = e->nu / h;
    const wy_elastica_level *a = e->now, *g = &e->first;
    eq->fa = f, eq->fs = e->sigma * f;
    eq->kq = paper ? e->eps : 0.5 * e->eps + rate;
    eq->ua = paper ? 1.0 : 0.5;
    for (int j = 0; j <= e->n; j++) {
        eq->a0[j] = v3_scale(-f, v3_axpy(a->x[j], h, g->x[j]));
        eq->s0[j] = v3_scale(-e->sigma * f, v3_axpy(a->u[j], h, g->u[j]));
        eq->q0[j] =
            paper ? v3_scale(e->nu - e->eps * h, g->k[j]) : v3_scale(0.5 * e->eps - rate, a->k[j]);
        eq->u0[j] = paper ? v3_scale(-h, g->u[j]) : v3_scale(0.5, a->u[j]);
    }
}

/* min (x - F)^T W (x - F)/2 subject to the constraints: W (x - F) + D1^T W (alpha u) = 0. */
static void projection(wy_elastica *e) {
    wy_elastica_equations *eq = &e->eq;
    eq->mass = e->unit_mass;
    eq->fa = 1.0, eq->kq = 0.0, eq->ua = 1.0, eq->fs = 0.0;
    for (int j = 0; j <= e->n; j++) {
        eq->a0[j] = v3_scale(-1.0, e->now->x[j]);
        eq->s0[j] = eq->q0[j] = eq->u0[j] = e->load[j] = v3(0, 0, 0);
    }
    finish_equations(e);
}

/* ---- solving --------------------------------------------------------------------------------- */

/* max |dx| that counts as converged; far from the origin rounding is larger. */
static double tolerance_of(const wy_elastica *e) {
    double reach = 0;
    for (int j = 0; j <= e->n; j += e->n) reach = wy_max(reach, v3_norm(e->now->x[j]));
    return e->opt.tolerance * e->length + 1e3 * DBL_EPSILON * reach;
}

/* Put held ends where they belong and spread the move linearly over the rod. */
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
    if (number > 2 || (number == 2 && e->step == 0)) return 0;
    for (int j = 0; j <= e->n; j++) {
        const vec3 now = e->now->x[j];
        const vec3 ahead = e->step
                               ? v3_scale(e->pace.dt[0] / e->pace.dt[1], v3_sub(now, e->last->x[j]))
                               : v3_scale(e->pace.dt[0], e->first.x[j]);
        e->next->x[j] = number == 0 ? v3_add(now, ahead) : number == 1 ? now : e->last->x[j];
    }
    place_ends(e, at);
    memcpy(e->alpha, e->alpha_last, (size_t)(e->n + 1) * sizeof *e->alpha);
    return 1;
}

static withy_status no_convergence(const wy_elastica *e, double t, double norm, withy_error *err) {
    char cuts[32];
    const char *start = e->step == 0 && e->opt.start == WY_ELASTICA_START_PAPER
                            ? ", options.start = \"one-step\""
                            : "";
    const int alternates = !e->pairs && !e->clamped[0] && !e->clamped[1];
    const char *cure = alternates                             ? ", options.cure = \"B\""
                       : e->opt.cure == WY_ELASTICA_CURE_NONE ? ", options.cure = \"A\""
                                                              : "";
    return wy_fail(err, WITHY_NO_CONVERGENCE,
                   "elastica: no convergence at t = %g (step %lld): the last Newton correction was "
                   "%.1e L, wanted %.1e L; try a smaller options.dt (now %g%s)%s%s, or another "
                   "options.n (now %d)",
                   t, (long long)e->step + 1, norm / e->length, e->opt.tolerance, e->pace.h,
                   wy_pace_told(&e->pace, cuts, sizeof cuts), start, cure, e->n);
}

/* Reactions of the supports: (99) and its derivative with respect to z leave them at held ends. */
static void store_balance(wy_elastica *e) {
    for (int i = 0; i < 2; i++) {
        const int j = i ? e->n : 0;
        const vec3 none = v3(0, 0, 0);
        const vec3 a = v3_axpy(e->eq.a0[j], e->eq.fa, e->next->x[j]);
        const double lump = e->rod->end[i].mass;
        e->reaction[i] = e->held[i] ? v3_scale(e->eta, e->residual[j]) : none;
        /* -6 eta p is conjugate to z, and dz = d(angle) x z */
        e->reaction_moment[i] =
            e->clamped[i] ? v3_cross(e->now->z[i], v3_scale(-6.0 * e->eta, e->p[j])) : none;
        const vec3 outside =
            v3_axpy(v3_add(e->reaction[i], e->end_force[i]), -lump, v3_sub(a, e->g));
        e->end_n[i] = i ? outside : v3_scale(-1.0, outside);
    }
    memcpy(e->cell_n, e->pull, (size_t)e->n * sizeof *e->cell_n);
    memcpy(e->alpha_last, e->alpha, (size_t)(e->n + 1) * sizeof *e->alpha_last);
    e->balanced = 1;
}

/* Work and loss of the step from level `from` to `next`: section 2.3 of the notes.  The scheme's
 * own energy lives between levels, so a step counts from n-1 to n+1, halved. */
static wy_elastica_ledger books_of(const wy_elastica *e) {
    wy_elastica_ledger out = {0};
    const wy_elastica_level *a = e->step ? e->last : e->now, *b = e->next;
    const double span = e->step ? e->pace.dt[0] + e->pace.dt[1] : e->pace.dt[0];
    double loss = 0, work = 0;
    for (int j = 0; j <= e->n; j++) {
        const vec3 rate = v3_scale(1.0 / span, v3_sub(b->k[j], a->k[j]));
        const vec3 applied = v3_axpy(e->load[j], -e->mass[j], e->g);
        loss += wy_elastica_weight(e, j) * v3_dot(rate, rate);
        work += v3_dot(applied, v3_sub(b->x[j], a->x[j]));
    }
    out.dissipated = 0.5 * span * e->nu * e->eta * loss;
    out.loads = 0.5 * e->eta * work;
    for (int i = 0; i < 2; i++) {
        const int j = i ? e->n : 0;
        if (e->held[i]) out.ends += 0.5 * e->eta * v3_dot(e->residual[j], v3_sub(b->x[j], a->x[j]));
        if (e->clamped[i]) out.ends -= 3.0 * e->eta * v3_dot(e->p[j], v3_sub(b->z[i], a->z[i]));
    }
    return out;
}

static void add_to_ledger(wy_elastica *e) {
    const wy_elastica_ledger now = books_of(e);
    e->ledger.dissipated += now.dissipated;
    e->ledger.loads += now.loads;
    e->ledger.ends += now.ends;
}

/* ---- energy when the step changes ------------------------------------------------------------
 *
 * With w = (x - x-)/h_-, w' = (x+ - x)/h_+ and c = (x+ - x-)/(h_+ + h_-) the equations do not quite
 * keep H when h_+ differs from h_-:
 *
 *     H_+ - H_- = work - loss + (h_- - h_+)/(2 (h_+ + h_-)) |w' - w|^2_K.
 *
 * Adding mu c to the velocity w that the step comes with adds mu |c|^2_K on the right, so that a few
 * corrections of this one number make it exact.  mu is of second order in h, as the step is.
 */

/* c of the step that has been solved; nothing where it is held. */
static void find_nudge(wy_elastica *e) {
    const double r = 1.0 / (e->pace.dt[0] + e->pace.dt[1]);
    for (int j = 0; j <= e->n; j++) {
        const vec3 none = v3(0, 0, 0), c = v3_scale(r, v3_sub(e->next->x[j], e->last->x[j]));
        const vec3 turn = v3_scale(r, v3_sub(e->next->u[j], e->last->u[j]));
        e->nudge_x[j] = wy_elastica_node_held(e, j) ? none : c;
        e->nudge_u[j] = wy_elastica_node_clamped(e, j) ? none : turn;
    }
}

/* (c, x+ - x-)_K / (h_+ + h_-). */
static double nudge_gain(const wy_elastica *e) {
    double sum = 0;
    for (int j = 0; j <= e->n; j++) {
        sum += e->mass[j] * v3_dot(e->nudge_x[j], v3_sub(e->next->x[j], e->last->x[j]));
        sum += e->sigma * wy_elastica_weight(e, j) *
               v3_dot(e->nudge_u[j], v3_sub(e->next->u[j], e->last->u[j]));
    }
    return e->eta * sum / (e->pace.dt[0] + e->pace.dt[1]);
}

/* Solve again until H changes by work and loss only.  Where nothing moves there is nothing to add,
 * and what is missing is left to the drift.  False: Newton fails. */
static bool match_energy(wy_elastica *e, wy_elastica_newton *newton) {
    enum { MOST = 30 };
    double mu = 0, before = 0; /* the last correction, and what was missing before it */
    find_nudge(e);
    for (int k = 0; k < MOST; k++) {
        const wy_elastica_ledger books = books_of(e);
        const wy_elastica_energy_pair energy =
            wy_elastica_energy(e, e->next, e->now, e->pace.dt[0]);
        const double due = e->energy + books.ends + books.loads - books.dissipated;
        const double miss = due - energy.h;
        const double gain = wy_pace_slope(nudge_gain(e), mu, before - miss);
        if (fabs(miss) <= 1e-14 * (energy.scale + e->energy_scale) || fabs(miss) > 0.5 * gain)
            return true;
        mu = miss / gain, before = miss;
        const double by = -e->eq.fa * e->pace.dt[0] * mu;
        for (int j = 0; j <= e->n; j++) {
            e->eq.a0[j] = v3_axpy(e->eq.a0[j], by, e->nudge_x[j]);
            e->eq.s0[j] = v3_axpy(e->eq.s0[j], by * e->sigma, e->nudge_u[j]);
        }
        if (!wy_elastica_solve(e, tolerance_of(e), newton)) return false;
        e->iterations_next += newton->iterations;
    }
    return true;
}

/* ---- one step -------------------------------------------------------------------------------- */

/* One step of dt[0] into next. */
static withy_status try_step(wy_elastica *e, withy_error *err) {
    const double t = wy_pace_time(&e->pace) + e->pace.dt[0];
    /* the balance is centred on t_n, that of the one-step start on h/2 */
    const int halfway = e->step == 0 && e->opt.start == WY_ELASTICA_START_ONE_STEP;
    const int uneven = wy_pace_uneven(&e->pace);
    vec3 at[2];
    WY_TRY(wy_elastica_ends(e, t, at, e->next->z, err));
    WY_TRY(set_loads(e, halfway ? 0.5 * t : t - e->pace.dt[0], err));
    WY_TRY(check_straight(e, t, at, err));
    e->eq.mass = e->mass;
    e->eq.load = e->load;
    if (e->step == 0)
        first_step(e);
    else
        two_step(e);
    finish_equations(e);
    wy_elastica_newton newton = {0};
    for (int number = 0; guess(e, number, at); number++) {
        bool solved = wy_elastica_solve(e, tolerance_of(e), &newton);
        e->iterations_next += newton.iterations;
        if (solved && uneven) solved = match_energy(e, &newton);
        if (solved) return WITHY_OK;
    }
    return no_convergence(e, t, newton.norm, err);
}

/* A step for which Newton fails is cut into halves, and the steps stay short until they have been
 * easy for a while (commit). */
withy_status wy_elastica_solve_next(wy_elastica *e, withy_error *err) {
    e->iterations_next = 0;
    for (;;) {
        wy_pace_try(&e->pace);
        const withy_status status = try_step(e, err);
        if (status == WITHY_OK) break;
        if (status != WITHY_NO_CONVERGENCE || !wy_pace_cut(&e->pace, e->opt.halvings))
            return status;
        e->stats->halvings++;
    }
    store_balance(e);
    e->ready = 1;
    return WITHY_OK;
}

static void keep_stats(wy_elastica *e) {
    withy_stats *stats = e->stats;
    const wy_elastica_energy_pair energy = wy_elastica_energy(e, e->now, e->last, e->pace.dt[1]);
    e->energy = energy.h;
    e->energy_scale = wy_max(e->energy_scale, wy_max(fabs(energy.h), energy.scale));
    if (e->step == 1) stats->energy_start = energy.h;
    stats->energy_end = energy.h;
    const double drift = fabs(energy.h - stats->energy_start) / e->energy_scale;
    if (!(drift <= stats->energy_drift)) stats->energy_drift = drift;
    stats->steps = e->step;
    stats->iterations += e->iterations;
    if (e->iterations > stats->iterations_max) stats->iterations_max = e->iterations;
    const double violation = wy_elastica_violation(e, e->now);
    if (!(violation <= stats->constraint_max)) stats->constraint_max = violation;
}

void wy_elastica_commit(wy_elastica *e) {
    add_to_ledger(e);
    wy_elastica_level *spare = e->before;
    e->before = e->last, e->last = e->now, e->now = e->next, e->next = spare;
    e->step++;
    e->ready = 0;
    e->iterations = e->iterations_next;
    wy_pace_take(&e->pace, e->iterations);
    const vec3 tangent = v3_unit(e->now->u[0]);
    e->frame0 = m3_mulm(m3_between(e->frame0.c3, tangent), e->frame0);
    e->frame0 = m3_frame(tangent, e->frame0.c1); /* no drift from orthogonality */
    keep_stats(e);
}

withy_status wy_elastica_project(wy_elastica *e, double *moved, withy_error *err) {
    wy_elastica_newton newton;
    *moved = 0.0;
    if (wy_elastica_violation(e, e->now) <= 1e-14) return WITHY_OK;
    e->next->z[0] = e->now->z[0], e->next->z[1] = e->now->z[1];
    memcpy(e->next->x, e->now->x, (size_t)(e->n + 1) * sizeof *e->next->x);
    e->eq.load = e->load;
    projection(e);
    if (!wy_elastica_solve(e, tolerance_of(e), &newton))
        return wy_fail(
            err, WITHY_BAD_INPUT,
            "elastica: found no inextensible curve near the initial shape (|dr/ds| is off "
            "by up to %.2g at the nodes): check that initial.shape is given by arc length "
            "and fits between the ends, or use more intervals (options.n = %d)",
            0.5 * wy_elastica_violation(e, e->now), e->n);
    for (int j = 0; j <= e->n; j++) {
        *moved = wy_max(*moved, v3_norm(v3_sub(e->next->x[j], e->now->x[j])));
        e->alpha[j] = 0.0;
    }
    wy_elastica_level *spare = e->now;
    e->now = e->next, e->next = spare;
    return WITHY_OK;
}
