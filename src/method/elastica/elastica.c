/* elastica.c - inextensible rod without torsion: cubic splines in s, energy-preserving in t.
 *
 * Source [EL]: S. Montgomery-Smith, W. Huang, A numerical method to model dynamic behavior of thin
 * inextensible elastic rods in three dimensions.
 *
 * Solves    rho x_tt + eps x'''' + nu x_t'''' - sigma x_tt'' - (alpha x')' = rho g + f   [EL] (50)
 *           |x'| = 1                                                             [EL] (9)
 * on nodes s_j = j eta, eta = L/N, with u = x', k = x'' of the spline            [EL] (73)-(76)
 *
 *   rho W (x+ - 2 x0 + x-)/h^2 + D2^T W q + D1^T W r = rho W g + f(t_n)          [EL] (99)
 *   q = eps (k+ + k-)/2 + nu (k+ - k-)/2h
 *   r = alpha (u+ + u-)/2 + sigma (u+ - 2 u0 + u-)/h^2
 *   (|u+_j|^2 - 1)/2 = 0                                                         [EL] (100)
 *
 * and conserves, for nu = 0 and fixed ends,
 *   H_n = E((x_n - x_{n-1})/h) + (V(x_n) + V(x_{n-1}))/2                          [EL] (101)
 *
 * Rows: a held end (clamped, pinned) drops its momentum row, a clamped end also its constraint,
 * since u = z there identically.  The dropped rows give the reactions.
 *
 * Symbols       here            unit      shape
 *   x, x', x''  level->x u k    m, -, 1/m [N+1]
 *   z           level->z        -         [2]     clamped tangents, z_N = -x'(L)
 *   alpha       alpha           N         [N+1]   multipliers (beta_J per interval under cure B)
 *   q, W r, p   q rw p          N m ...   [N+1]   see elastica/solve.c
 *   eps         eps_at          N m^2     [N+1]   bending stiffness
 *   nu          nu_at           N m^2 s   [N+1]   Kelvin-Voigt damping of x''
 *   rho, sigma  mass sigma_at   kg/m kg m [N+1]   mass and rotary inertia per length, (12)
 *   F, G        level 0, first  m, m/s    [N+1]   initial position and velocity
 *
 * Departures from [EL], with reasons:
 *   - Signs: (50) is anti-diffusive as printed (nu has the wrong sign, against (49) and (99)); the
 *     alpha terms of (83), (85) contradict (13), (20); (97), (98) lack a factor 1/2, without which
 *     (93)-(96) fail.  Here the scheme is the one Theorem 3 holds for.
 *   - First step.  (106) contains no damping, excites an odd-even oscillation and destroys second
 *     order for nu > 0.  Default start = "one-step": acceleration 2 (x_1 - x_0 - h G)/h^2, means
 *     and rates over [0, h].  start = "paper" gives (106).
 *   - The sampled initial curve violates (100), so that H jumps once, at the second step.  Default:
 *     the initial state is moved onto the constraints (project = true).
 *   - Without a clamped end the constraints have an alternating mode, sum_j (-1)^j W_j x'_j = 0.
 *     Cure A (a small diagonal in the Newton matrix only) leaves the scheme as it is; cure B
 *     removes the mode, see elastica/solve.c.  cure = "auto": B for a rod with no clamped end that
 *     uses the default start and projection; A whenever an end is clamped, or start = "paper" or
 *     project = false ask for the source's own scheme.  With a clamped end both are the same
 *     scheme.
 *   - Solved in O(N) by a banded Newton method instead of dense matrices; see elastica/solve.c.
 *     "Iterations" counts Newton matrices; cheap corrections with an old matrix are not counted.
 *   - A step for which Newton fails is cut into halves; see base/step_halving.h.
 *   - Damping is that of the source: not frame-indifferent, a bent rod that turns is damped.
 *   - Lumped masses at the ends add to W_0 and W_N; point loads are shared between two nodes.
 */
#include "method/elastica/elastica.h"

#include "base/account.h"

#define ROW(member, ...) WY_OPTION(wy_elastica_options, member, #member, __VA_ARGS__)

static const wy_option option_table[] = {
    ROW(n, "-", "intervals along the rod", 'i', 50, 4, 1e5, NULL),
    ROW(dt, "s", "time step; shortened so that it divides time.output", 'a', 0, 1e-12, 1e12, NULL),
    WY_OPTION_WORD(wy_elastica_options, start, "start", "one-step|paper", 0,
                   "first step: with damping, or the source's equation (106)"),
    ROW(project, "-", "move the initial shape onto the constraints", 'b', 1, 0, 1, NULL),
    WY_OPTION_WORD(
        wy_elastica_options, cure, "cure", "auto|none|A|B", 0,
        "cure of the alternating mode; auto: B without a clamped end under the default start "
        "and project, else A"),
    ROW(newton_tol, "-", "Newton stops when no node moves more than this times the length", 'd',
        1e-11, 1e-15, 1e-3, NULL),
    WY_SPLINE_STEP_OPTIONS(wy_elastica_options, 30),
};

/* ---- accept ---------------------------------------------------------------------------------- */

static int differ(double a, double b) {
    return !(fabs(a - b) <= 1e-12 * (fabs(a) + fabs(b)));
}

static withy_status check_alike(const char *what, double a, double b, withy_error *err) {
    if (!differ(a, b)) return WITHY_OK;
    return wy_unsupported(
        err,
        "elastica: does not support two different %s (%g and %g); make them equal, or use a method "
        "with two bending directions (kirchhoff, director)",
        what, a, b);
}

/* A straight rod between two held points would need an infinite tension to carry a load across it, and
 * without one has any tension: rounding over h^2 would be reported. */
static withy_status accept_ends(const withy_problem *problem, withy_error *err) {
    double chord;
    WY_TRY(wy_held_chord(problem, &chord, err));
    if (!wy_elastica_is_taut(chord, problem->rod[0].length)) return WITHY_OK;
    return wy_unsupported(err,
                          "elastica: at t = 0 the rod is straight between its held ends (%.9g "
                          "apart, rod.length = %.9g): nothing determines the tension of a rod that "
                          "does not stretch then, and no finite one carries a load across; bring "
                          "the ends closer together, free one" WY_OR_USE_ANOTHER,
                          chord, problem->rod[0].length);
}

/* What the model has no place for, at one s. */
static withy_status check_section(double s, const double *k, const double *rho, const double *c,
                                  withy_error *err) {
    if (!isfinite(k[WITHY_BEND1]))
        return wy_unsupported(err,
                              "elastica: the rod is rigid in bending at s = %g; give "
                              "rod.stiffness.bend, or a section and a material",
                              s);
    if (!(rho[WITHY_MASS] > 0))
        return wy_unsupported(err,
                              "elastica: needs a mass per length at s = %g; give rod.inertia.mass, "
                              "or a section and a material",
                              s);
    WY_TRY(check_alike("bending stiffnesses", k[WITHY_BEND1], k[WITHY_BEND2], err));
    WY_TRY(check_alike("bending dampings", c[WITHY_BEND1], c[WITHY_BEND2], err));
    return check_alike("rotary inertias", rho[WITHY_ROTARY1], rho[WITHY_ROTARY2], err);
}

static withy_status accept(const withy_problem *problem, withy_error *err) {
    enum { LOOKS = 8 };
    const withy_rod *rod = &problem->rod[0];
    if (problem->path.given)
        return wy_unsupported(err, "elastica: has no static path; give time = { stop = ... } and "
                                   "damping, and let the rod come to rest");
    for (int i = 0; i <= LOOKS; i++) { /* and at every node, once it is known where they are */
        const double s = rod->length * i / LOOKS;
        double k[WITHY_STRAINS], rho[WITHY_INERTIAS], c[WITHY_STRAINS];
        WY_TRY(wy_stiffness_at(rod, s, k, err));
        WY_TRY(wy_inertia_at(rod, s, rho, err));
        WY_TRY(wy_damping_at(rod, s, c, err));
        WY_TRY(check_section(s, k, rho, c, err));
    }
    WY_TRY(wy_rod_has_three_strains("elastica", rod, err));
    return accept_ends(problem, err);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* A level is contiguous, so that the levels advance by one copy. */
static size_t level_size(const wy_elastica *e) {
    return 3 * ((size_t)e->n + 1) + 2;
}

static void view_level(const wy_elastica *e, vec3 *from, wy_elastica_level *v) {
    const size_t nodes = (size_t)e->n + 1;
    if (!from) return; /* while counting */
    v->x = from, v->u = from + nodes, v->k = from + 2 * nodes, v->z = from + 3 * nodes;
}

static withy_status take_plan(wy_elastica *e, wy_arena *arena, withy_error *err) {
    wy_allocator from = {.arena = arena};
    const size_t nodes = (size_t)e->n + 1;
    double **number[] = {&e->s,           &e->mass,     &e->unit_mass,       &e->eps_at,
                         &e->nu_at,       &e->sigma_at, &e->spline.diagonal, &e->spline.lower,
                         &e->spline.upper};
    WY_TAKE_EACH(wy_allocator_alloc, &from, number, nodes);
    e->dead = wy_allocator_alloc(&from, nodes, sizeof *e->dead);
    view_level(e, wy_allocator_alloc(&from, level_size(e), sizeof(vec3)), &e->first);
    if (from.failed)
        return wy_no_memory(err, "elastica: no memory for options.n = %d intervals", e->n);
    wy_spline_step_nodes(e->n, e->length, e->s);
    return WITHY_OK;
}

static void layout_work(const wy_elastica *e, wy_elastica_work *w, wy_block *scratch) {
    const size_t nodes = (size_t)e->n + 1;
    double **number[] = {&w->alpha,     &w->alpha_w, &w->alpha_base,
                         &w->violation, &w->dalpha,  &w->ealpha};
    vec3 **vector[] = {&w->load, &w->eq.a0,  &w->eq.q0,    &w->eq.u0,   &w->eq.s0,
                       &w->q,    &w->rw,     &w->p,        &w->pull,    &w->dx,
                       &w->ex,   &w->x_base, &w->residual, &w->nudge_x, &w->nudge_u};
    WY_TAKE_EACH(wy_block_alloc, scratch, number, nodes);
    WY_TAKE_EACH(wy_block_alloc, scratch, vector, nodes);
    w->pose = wy_block_alloc(scratch, nodes, sizeof *w->pose);
    w->rhs = wy_block_alloc(scratch, 10 * nodes, sizeof *w->rhs);
    /* two nodes of ten rows are filled before the first is handed over */
    wy_banded_layout(scratch, 10 * (e->n + 1), 12, 18, 20, &w->matrix);
    w->fixed =
        wy_block_alloc(scratch, 10 * (size_t)wy_elastica_fixed_nodes(e) * (size_t)w->matrix.width,
                       sizeof *w->fixed);
}

static void layout(void *self, wy_block *state, wy_block *scratch) {
    wy_elastica *e = self;
    const size_t nodes = (size_t)e->n + 1, size = level_size(e);
    const wy_range row[] = {WY_HALVING_ROWS(wy_elastica_state),
                            WY_FLAG(wy_elastica_state, balance.known)};
    e->state = WY_ALLOC_CHECKED(state, 1, wy_elastica_state, row);
    vec3 *levels = wy_block_alloc(state, 4 * size, sizeof *levels);
    e->next = &e->level[0], e->now = &e->level[1], e->last = &e->level[2], e->before = &e->level[3];
    for (size_t i = 0; i < 4; i++) view_level(e, levels ? levels + i * size : NULL, &e->level[i]);
    e->alpha_last = wy_block_alloc(state, nodes, sizeof *e->alpha_last);
    e->cell_n = wy_block_alloc(state, (size_t)e->n, sizeof *e->cell_n);
    layout_work(e, &e->work, scratch);
}

static const char *wrong(const void *self, const wy_span *at) {
    const wy_halving *halving = &((const wy_elastica *)self)->state->halving;
    return !at || wy_halving_is_at(halving, at->h, at->from) ? NULL : "the count of steps";
}

/* ---- create ---------------------------------------------------------------------------------- */

/* rho(s), eps(s), nu(s), sigma(s) at the nodes: [EL] section 3 has constants and calls functions of s easy.  Energy (78)
 * and the equations (99) have them under the sums over the nodes, so that H is conserved as before. */
static withy_status read_nodes(wy_elastica *e, withy_error *err) {
    e->rho = INFINITY, e->eps = e->nu = 0;
    for (int j = 0; j <= e->n; j++) {
        double k[WITHY_STRAINS], rho[WITHY_INERTIAS], c[WITHY_STRAINS];
        WY_TRY(wy_stiffness_at(e->rod, e->s[j], k, err));
        WY_TRY(wy_inertia_at(e->rod, e->s[j], rho, err));
        WY_TRY(wy_damping_at(e->rod, e->s[j], c, err));
        WY_TRY(check_section(e->s[j], k, rho, c, err));
        e->eps_at[j] = k[WITHY_BEND1], e->nu_at[j] = c[WITHY_BEND1];
        e->sigma_at[j] = rho[WITHY_ROTARY1];
        e->unit_mass[j] = wy_elastica_weight(e, j);
        e->mass[j] = rho[WITHY_MASS] * wy_elastica_weight(e, j);
        e->rho = wy_min(e->rho, rho[WITHY_MASS]);
        e->eps = wy_max(e->eps, e->eps_at[j]), e->nu = wy_max(e->nu, e->nu_at[j]);
    }
    e->varies = !wy_rod_is_uniform(e->rod);
    e->mass[0] += e->rod->end[0].mass / e->eta;
    e->mass[e->n] += e->rod->end[1].mass / e->eta;
    return WITHY_OK;
}

static withy_status read_rod(wy_elastica *e, withy_notes *notes, withy_error *err) {
    double k[WITHY_STRAINS];
    WY_TRY(read_nodes(e, err));
    WY_TRY(wy_stiffness_at(e->rod, 0, k, err));
    if (e->nu > 0) wy_note(notes, WY_NOTE(damping_turns));
    const double slender = k[WITHY_STRETCH] * e->length * e->length / e->eps;
    const int shears = isfinite(k[WITHY_SHEAR1]) || isfinite(k[WITHY_SHEAR2]);
    if (isfinite(k[WITHY_STRETCH]))
        wy_note(notes, WY_NOTE(without_stretch), shears ? ", leaves out shear" : "", slender,
                slender < 1e3 ? ", which is small; a method with stretch would differ" : "");
    else if (shears)
        wy_note(notes, WY_NOTE(without_shear));
    return WITHY_OK;
}

static withy_status read_ends(wy_elastica *e, withy_error *err) {
    for (int i = 0; i < 2; i++) {
        WY_TRY(wy_model_end(e->setup->model, 0, i, &e->end[i], err));
        e->held[i] = wy_end_holds_position(e->end[i].end);
        e->spline.clamped[i] = wy_end_clamps(e->end[i].end);
    }
    const int source_scheme = e->opt.start == WY_ELASTICA_START_PAPER || !e->opt.project;
    const int needs_pairs = e->opt.cure == WY_ELASTICA_CURE_B ||
                            (e->opt.cure == WY_ELASTICA_CURE_AUTO && !source_scheme);
    e->pairs = needs_pairs && !e->spline.clamped[0] && !e->spline.clamped[1];
    return WITHY_OK;
}

/* dv/ds of the initial velocity at an end, by differences into the rod. */
static withy_status end_turn(const wy_elastica *e, int which, vec3 *turn, withy_error *err) {
    const double d = 2e-5 * e->length * (which ? -1 : 1);
    vec3 v[3], spin;
    for (int i = 0; i < 3; i++)
        WY_TRY(wy_velocity_at(e->rod, e->end[which].s + i * d, &v[i], &spin, err));
    const vec3 sum = v3_axpy(v3_axpy(v3_scale(-3.0, v[0]), 4.0, v[1]), -1.0, v[2]);
    *turn = v3_scale(0.5 / d, sum);
    return WITHY_OK;
}

/* G of (106) at the nodes. */
static withy_status read_velocity(wy_elastica *e, withy_error *err) {
    for (int j = 0; j <= e->n; j++) {
        vec3 spin;
        WY_TRY(wy_velocity_at(e->rod, e->s[j], &e->first.x[j], &spin, err));
    }
    for (int i = 0; i < 2; i++) {
        vec3 turn;
        if (!e->spline.clamped[i]) continue;
        WY_TRY(end_turn(e, i, &turn, err));
        e->first.z[i] = v3_scale(i ? -1.0 : 1.0, turn);
    }
    wy_elastica_derive(e, &e->first);
    return WITHY_OK;
}

static int drives(const wy_elastica *e) {
    int any = 0;
    for (int i = 0; i < 2; i++)
        any |= (e->held[i] && e->end[i].drives_position) ||
               (e->spline.clamped[i] && e->end[i].drives_frame);
    return any;
}

static withy_status create(const wy_setup *setup, void **self, withy_error *err) {
    const withy_rod *rod = &setup->problem->rod[0];
    wy_elastica *e = wy_arena_alloc(setup->arena, 1, sizeof *e);
    if (!e) return wy_no_memory(err, "elastica: no memory for the plan");
    e->setup = setup, e->rod = rod;
    e->opt = *(const wy_elastica_options *)setup->options;
    e->n = e->opt.n;
    e->length = rod->length, e->eta = rod->length / e->n;
    e->spline.n = e->n, e->spline.eta = e->eta;
    e->g = setup->problem->gravity;
    WY_TRY(take_plan(e, setup->arena, err));
    WY_TRY(read_rod(e, setup->notes, err));
    WY_TRY(read_ends(e, err));
    wy_spline_factor(&e->spline);
    WY_TRY(wy_elastica_dead_loads(e, err));
    WY_TRY(read_velocity(e, err));
    WY_TRY(wy_changes_make(setup->problem, setup->arena, &e->changes, err));
    *self = e;
    return WITHY_OK;
}

/* ---- start ----------------------------------------------------------------------------------- */

/* F of (105) at the nodes. */
static withy_status read_shape(wy_elastica *e, withy_error *err) {
    WY_TRY(wy_model_initial_poses(e->setup->model, 0, e->n + 1, e->s, e->work.pose, err));
    for (int j = 0; j <= e->n; j++) e->now->x[j] = e->work.pose[j].r;
    return WITHY_OK;
}

/* The ends are exactly where they are held. */
static withy_status join_ends(wy_elastica *e, withy_error *err) {
    vec3 at[2];
    WY_TRY(wy_elastica_ends(e, 0.0, at, e->now->z, err));
    for (int i = 0; i < 2; i++)
        if (e->held[i]) e->now->x[i ? e->n : 0] = at[i];
    return WITHY_OK;
}

static void first_energy(wy_elastica *e) {
    withy_stats *stats = e->setup->stats;
    wy_halving *halving = &e->state->halving;
    halving->energy = wy_elastica_initial_energy(e);
    halving->energy_scale = WY_HALVING_ROUNDING * e->eps / e->length;
    wy_account_open(stats, halving->energy, halving->energy_scale, 1);
    stats->constraint_max = wy_elastica_violation(e, e->now);
    stats->conserves = e->nu == 0.0 && !drives(e) && !wy_has_time_loads(e->rod);
}

/* Nothing in the scratch is valid yet. */
static wy_elastica *enter(void *self) {
    wy_elastica *e = self;
    e->work.fixed_fa = e->work.fixed_kq = NAN;
    return e;
}

static withy_status start(void *self, withy_error *err) {
    wy_elastica *e = enter(self);
    double moved = 0;
    WY_TRY(read_shape(e, err));
    WY_TRY(join_ends(e, err));
    wy_elastica_derive(e, e->now);
    if (e->opt.project) WY_TRY(wy_elastica_project(e, &moved, err));
    if (moved > 0.01 * e->length) wy_note(e->setup->notes, WY_NOTE(shape_moved), moved);
    wy_pose first;
    WY_TRY(wy_end_pose(&e->end[0], 0.0, &first, err));
    const vec3 tangent = v3_unit(e->now->u[0]);
    e->state->frame0 = m3_mulm(m3_between(first.frame.c3, tangent), first.frame);
    first_energy(e);
    return WITHY_OK;
}

/* ... or a fiftieth of the time it takes to fall its own length. */
static double automatic_step(const wy_elastica *e) {
    const double bends = wy_spline_step_step(e->length, e->rho, e->eps), g = v3_norm(e->g);
    return g > 0 ? wy_min(bends, 0.02 * sqrt(2.0 * e->length / g)) : bends;
}

static withy_status preferred_step(void *self, wy_preferred_step *out, withy_error *err) {
    const wy_elastica *e = self;
    (void)err;
    return wy_prefer_step(out, e->opt.dt, automatic_step(e));
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* The first step is solved now. */
static withy_status set_step(void *self, double h, withy_error *err) {
    wy_elastica *e = enter(self);
    const wy_halving_stepper stepper = wy_elastica_stepper(e);
    return wy_spline_step_set_step(&stepper, e->setup, "elastica", e->opt.dt, h, 1, err);
}

static withy_status advance(void *self, const wy_span *span, withy_error *err) {
    const wy_halving_stepper stepper = wy_elastica_stepper(enter(self));
    return wy_halving_advance(&stepper, span->to, err);
}

static int nodes(const void *self, int rod, double *s) {
    const wy_elastica *e = self;
    (void)rod;
    for (int j = 0; s && j <= e->n; j++) s[j] = e->s[j];
    return e->n + 1;
}

/* Exact but for Newton's tolerance and rounding; the source's own start moves onto the constraints in
 * the second step, which shows in H. */
static double most_drift(const void *self) {
    const wy_elastica *e = self;
    return e->opt.start == WY_ELASTICA_START_PAPER || !e->opt.project ? 0.0 : 1e-4;
}

const wy_method wy_method_elastica = {
    WY_METHOD_COMMON(elastica),
    .summary = "inextensible rod without torsion: cubic splines, energy-preserving, O(N)",
    .source = "[EL] Montgomery-Smith and Huang, with corrections",
    .can = WY_CAN_LOADED | WY_CAN(LUMP) | WY_CAN(SPACE_LAW) | WY_CAN(VARY),
    .rigid = WY_RIGID_LENGTH,
    .order = wy_spline_step_order,
    .turn = 1.85,
    .accept = accept,
    .set_step = set_step,
    .wrong = wrong,
};
