/* kirchhoff.c - inextensible springs with natural curvature and torsion: cubic splines in s,
 * energy-preserving in t.
 *
 * Source [KS]: E. D. Fernando, Effective numerical methods to model dynamic behavior of springs
 * with torsion, dissertation, University of Missouri 2018, chapters 3-6.
 *
 * A rod with centreline x(s, t), |x'| = 1, and a frame R = [t s1 s2], t = x', has the energies
 *
 *   V = int sigma_1/2 |s^T x'' - kappa|^2 + Ct/2 tau^2 ds,  Ct = 2 sigma_2 = GJ   [KS] (5.66), (5.67)
 *   T = int rho/2 |x_t|^2 + I_d/2 |s_t|^2 ds                                (I_d = 0 in [KS])
 *
 * and makes int T - V dt stationary.  kappa(s) in R^2 is the natural curvature in the natural (untwisted) frame of the rest
 * shape, tau the twist away from it.
 *
 * Discrete: nodes s_j = j eta, eta = L/N; x_j and R_j at levels n; cubic elements
 * (kirchhoff/force.c); bar q = (q+ + q-)/2, dot q = (q+ - q-)/2h.  Per node
 *
 *   (i)   M_j (x+ - 2x + x-)/h^2 + Fx_j - f_j = 0
 *   (ii)  bar t x Ft + bar s1 x Gs1 + bar s2 x Gs2 = 0,  Gs = Fs + I_d eta w_j (s+ - 2s + s-)/h^2
 *   (iii) m_j of the left element = m_j of the right one         (cubic spline; multiplier lambda_j)
 *
 * for x+, R+ in R^3 x SO(3), lambda: 9 per node.  It conserves exactly
 * H_{n+1/2} = T((q+ - q)/h) + (V+ + V)/2, and linear and angular momentum of a free rod.
 *
 * Symbols        here         unit      shape
 *   x            level->x     m         [N+1]
 *   s1, s2, t    level->frame -         [N+1]    columns c1, c2, c3
 *   m, e, u, tau level->cell  1/m       [N]      x'', (s1, s2, t)^T x'' - kappa, x'' - s kappa, twist
 *   kappa        kappa        1/m       [N+1][2]
 *   sigma_1, Ct  sigma, ct    N m^2     [N+1], [N]
 *   nu_1, nu_2   nu, nu_twist N m^2 s   [N+1], [N]
 *   lambda       lambda       N m       [N+1]
 *   M, I_d       mass, turn   kg, kg m^2 [N+1]
 *
 * Map to our convention (d3 along the rod).  s1 = d1, s2 = d2, t = d3 up to the angle of the rest
 * twist (zero unless the rest shape is given by strains).  With omega = (bend1, bend2, twist) in
 * the material frame, d3' = omega x d3 = bend2 d1 - bend1 d2, hence
 *
 *   kappa_1 = d1 . x'' = bend2,    kappa_2 = d2 . x'' = -bend1,    tau = d1' . d2 = twist.
 *
 * Departures from [KS], with reasons:
 *   - x'' = 0 at a moment-free end [KS] (5.30) contradicts x'' = s kappa [KS] (5.69) and is first
 *     order.  Default for springs, ends = "weak": x'' is left free there with its weight 1/2 in V. 
 *     "strong" imposes [KS] (5.69).
 *   - Rows of held ends are replaced by the prescribed values ([KS] (5.106), (5.139) would let them
 *     move), D_2^T W for W D_2^T in [KS] (5.107), (5.110), (5.139), (5.140).
 *   - Energy.  "quadratic" is [KS]'s |x'' - s kappa|^2, (5.66).  The default "strain" is
 *     |(s1, s2, t)^T x'' - kappa|^2 with the means of the strains instead of the means of x'' and
 *     s, so that a spring at rest stays at rest.  "bare" leaves out t . x'': |s^T x'' - kappa|^2
 *     alone has an hourglass mode, t . x'' = +-a at alternating nodes (length moved between
 *     intervals), that costs no energy: a clamped-clamped helix then has a lowest frequency of
 *     0.021 instead of 0.129, whatever N (tests/unit/test_kirchhoff_modes.c).
 *   - The multipliers a, beta, alpha (6 per node) are eliminated: R+ lives on SO(3), (ii) is the
 *     projection that annihilates them.  Spurious roots near half a turn over 2h are guarded
 *     against. tests/unit/kirchhoff_dense.h keeps the multiplier form as an oracle.
 *   - Damping acts on the rate of e (objective) by default; "dissertation" damps u = x'' - s kappa
 *     as [KS] does, which also damps rigid rotation of a strained spring.  e has three components in either
 *     energy: the third, t . x'', vanishes in the rod and is of order eta^2 here, so that its damping
 *     takes of order eta^4 of the loss; it quiets the hourglass mode above.
 * - For a rod that is straight at rest and may turn at both ends no energy depends on a common spin of
 *     all sections, and without damping that of one node is fixed.  Objective damping does depend on it: its
 *     torques must balance over the whole rod, and nothing is fixed then (kirchhoff/step.c).
 *   - Rotary inertia: I_d |s_t|^2/2 is exactly that of a round wire; twist is massless without it.
 *   - kappa = "discrete" makes the sampled rest shape an exact equilibrium (kirchhoff/start.c).
 *   - A step for which Newton fails is cut into halves (step_halving.h); H is kept when the step changes.
 *   - First step: start = "paper" is [KS] (5.143); "one-step" takes means and rates over [0, h] as
 *     elastica.
 *   - A rod that is straight at rest takes the quadratic energy by default, and strong ends
 *     (x'' = 0) when one of its ends is clamped: the scheme is then that of elastica, step by step.
 *     Without a clamp strong ends make the natural spline, whose tangents satisfy
 *     sum_j (-1)^j w_j t_j = 0 identically: |t_j| = 1 is then one condition too many and the matrix
 *     is singular when the rod is straight.  Weak ends have two more tangents and no such mode.
 */
#include "method/kirchhoff/kirchhoff.h"

#define ROW(member, ...) WY_OPTION(wy_kirchhoff_options, member, #member, __VA_ARGS__)
#define WORD(member, words, doc)                                                                   \
    WY_OPTION_WORD(wy_kirchhoff_options, member, #member, words, 0, doc)

static const wy_option option_table[] = {
    ROW(n, "-", "intervals along the rod", 'i', 100, 4, 1e6, NULL),
    ROW(dt, "s", "time step; shortened so that it divides time.output", 'a', 0, 1e-12, 1e12, NULL),
    WORD(ends, "auto|weak|strong",
         "moment-free ends: weak (x'' free) or strong (x'' = s kappa); auto: strong for a rod that "
         "is straight at rest and has a clamped end, else weak"),
    WORD(energy, "auto|strain|quadratic|bare",
         "strain |R^T x'' - kappa|^2, the source's quadratic |x'' - s kappa|^2, or bare |s^T x'' - "
         "kappa|^2, which has a spurious soft mode and is kept for comparison; auto: strain for a "
         "spring, quadratic for a rod that is straight at rest"),
    WORD(kappa, "discrete|pointwise",
         "natural curvature of the discrete rest shape, or of the curve at the nodes"),
    WORD(damping, "objective|dissertation",
         "objective: of the strains and of t . x'', which vanishes with the mesh; or the source's, "
         "which also damps rigid rotation"),
    WORD(start, "one-step|paper",
         "first step: means and rates over it, or the source's equation [KS] (5.143)"),
    ROW(newton_tol, "-",
        "Newton stops when no node moves more than this times the length, nor turns more than this",
        'd', 1e-10, 1e-15, 1e-3, NULL),
    WY_SPLINE_STEP_OPTIONS(wy_kirchhoff_options, 25),
};

/* A rod that does not twist (no twist stiffness given), as in director. */
static const double RIGID_TWIST = 1e4; /* times the bending stiffness */

/* ---- accept ---------------------------------------------------------------------------------- */

static int differ(double a, double b) {
    return !(fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b)));
}

static withy_status accept_section(const withy_rod *rod, double s, withy_error *err) {
    double k[WITHY_STRAINS], rho[WITHY_INERTIAS], c[WITHY_STRAINS];
    WY_TRY(wy_stiffness_at(rod, s, k, err));
    WY_TRY(wy_inertia_at(rod, s, rho, err));
    WY_TRY(wy_damping_at(rod, s, c, err));
    if (differ(k[WITHY_BEND1], k[WITHY_BEND2]) || differ(c[WITHY_BEND1], c[WITHY_BEND2]) ||
        differ(rho[WITHY_ROTARY1], rho[WITHY_ROTARY2]))
        return wy_unsupported(
            err,
            "kirchhoff: the section at s = %g is not the same in both bending directions "
            "(stiffness %g and %g); use a round wire" WY_OR_USE_ANOTHER,
            s, k[WITHY_BEND1], k[WITHY_BEND2]);
    if (!isfinite(k[WITHY_TWIST]) && !wy_shape_is_straight(&rod->rest))
        return wy_unsupported(err, "kirchhoff: a spring needs a twist stiffness; give "
                                   "rod.stiffness.twist, or a section and a material");
    if (rho[WITHY_ROTARY3] > (1 + 1e-9) * (rho[WITHY_ROTARY1] + rho[WITHY_ROTARY2]))
        return wy_unsupported(err,
                              "kirchhoff: the rotary inertia about the tangent (%g) is larger than "
                              "the sum of the other two (%g + %g), which no section has",
                              rho[WITHY_ROTARY3], rho[WITHY_ROTARY1], rho[WITHY_ROTARY2]);
    return WITHY_OK;
}

/* Ends that are held as far apart as the rod is long; where the shape misses them statics decides. */
static withy_status accept_ends(const withy_problem *problem, withy_error *err) {
    double chord;
    WY_TRY(wy_held_chord(problem, &chord, err));
    return wy_kirchhoff_chord(chord, problem->rod[0].length, 0.0, err);
}

static withy_status accept(const withy_problem *problem, withy_error *err) {
    const withy_rod *rod = &problem->rod[0];
    enum { SAMPLES = 5 };
    for (int i = 0; i < SAMPLES; i++)
        WY_TRY(accept_section(rod, rod->length * i / (SAMPLES - 1), err));
    WY_TRY(wy_rod_has_three_strains("kirchhoff", rod, err));
    return accept_ends(problem, err);
}

/* ---- memory ---------------------------------------------------------------------------------- */

withy_status wy_kirchhoff_take(wy_kirchhoff *p, wy_arena *arena, int n, double length,
                               withy_error *err) {
    wy_allocator from = {.arena = arena};
    const size_t nodes = (size_t)n + 1;
    double **number[] = {&p->s,        &p->sigma, &p->nu,        &p->ct,
                         &p->nu_twist, &p->mass,  &p->unit_mass, &p->angle};
    WY_TAKE_EACH(wy_allocator_alloc, &from, number, nodes);
    p->turn = wy_allocator_alloc(&from, nodes, sizeof *p->turn);
    p->no_turn = wy_allocator_alloc(&from, nodes, sizeof *p->no_turn);
    p->kappa = wy_allocator_alloc(&from, nodes, sizeof *p->kappa);
    if (from.failed)
        return wy_no_memory(err, "kirchhoff: no memory for options.n = %d intervals", n);
    p->n = n, p->length = length, p->eta = length / n;
    wy_spline_step_nodes(n, length, p->s);
    for (int j = 0; j <= n; j++) p->unit_mass[j] = wy_kirchhoff_weight(p, j);
    return WITHY_OK;
}

static void layout_work(wy_kirchhoff_work *w, int n, wy_block *scratch) {
    const size_t nodes = (size_t)n + 1;
    double **number[] = {&w->spin_angle, &w->spin_row[0], &w->spin_row[1], &w->spin_row[2]};
    vec3 **vector[] = {&w->eq.ahead_x, &w->lambda_good, &w->nudge_x, &w->pull};
    mat3 **frame[] = {&w->eq.ahead_frame, &w->nudge_frame};
    WY_TAKE_EACH(wy_block_alloc, scratch, number, nodes);
    WY_TAKE_EACH(wy_block_alloc, scratch, vector, nodes);
    WY_TAKE_EACH(wy_block_alloc, scratch, frame, nodes);
    w->force = wy_block_alloc(scratch, nodes, sizeof *w->force);
    w->balance = wy_block_alloc(scratch, 2 * nodes, sizeof(vec3));
    w->rhs = wy_block_alloc(scratch, 9 * nodes, sizeof(double));
    w->spare = wy_block_alloc(scratch, 9 * nodes, sizeof(double));
    w->pose = wy_block_alloc(scratch, nodes, sizeof *w->pose);
    wy_banded_layout(scratch, 9 * (n + 1), 17, 17, 18, &w->matrix);
}

/* A level is contiguous, so that the levels advance by one copy. */
static void layout_levels(wy_kirchhoff *p, wy_block *state) {
    const size_t nodes = (size_t)p->n + 1;
    const size_t size = nodes * (sizeof(vec3) + sizeof(mat3) + sizeof(wy_kirchhoff_cell));
    char *from = wy_block_alloc(state, 4, size);
    p->next = &p->level[0], p->now = &p->level[1], p->last = &p->level[2], p->before = &p->level[3];
    for (int i = 0; from && i < 4; i++, from += size) {
        p->level[i].x = (vec3 *)from;
        p->level[i].frame = (mat3 *)(p->level[i].x + nodes);
        p->level[i].cell = (wy_kirchhoff_cell *)(p->level[i].frame + nodes);
    }
}

static void layout(void *self, wy_block *state, wy_block *scratch) {
    wy_kirchhoff *p = self;
    vec3 **vector[] = {&p->v0,   &p->spin0,  &p->lambda,     &p->dead,
                       &p->load, &p->couple, &p->sample_pull};
    const wy_range row[] = {
        WY_HALVING_ROWS(wy_kirchhoff_state), WY_FLAG(wy_kirchhoff_state, balance.known),
        WY_FLAG(wy_kirchhoff_state, pulled), WY_WHOLE(wy_kirchhoff_state, axis.known, -1, 1),
        WY_RANGE(wy_kirchhoff_state, figure, WY_RANGE_GAP, -DBL_MAX, DBL_MAX)};
    p->state = WY_ALLOC_CHECKED(state, 1, wy_kirchhoff_state, row);
    layout_levels(p, state);
    WY_TAKE_EACH(wy_block_alloc, state, vector, (size_t)p->n + 1);
    p->multiplier = wy_block_alloc(state, (size_t)p->n + 1, sizeof *p->multiplier);
    layout_work(&p->work, p->n, scratch);
}

static const char *wrong(const void *self, const wy_span *at) {
    const wy_halving *halving = &((const wy_kirchhoff *)self)->state->halving;
    return !at || wy_halving_is_at(halving, at->h, at->from) ? NULL : "the count of steps";
}

/* ---- create ---------------------------------------------------------------------------------- */

/* I_s on s1, s2 and I_t on t, so that I_t = J1 - J3/2, I_s = J3/2; a missing J3 is J1 + J2. */
static void read_turn(const withy_rod *rod, const double rho[WITHY_INERTIAS], double ds,
                      double turn[2]) {
    const double j1 = rho[WITHY_ROTARY1];
    const int given =
        rod->section.kind != WITHY_SECTION_NONE || rod->inertia[WITHY_ROTARY3].size > 0;
    const double j3 = given ? rho[WITHY_ROTARY3] : 2.0 * j1;
    turn[0] = 0.5 * ds * j3;
    turn[1] = ds * wy_max(0.0, j1 - 0.5 * j3);
}

/* An equilibrium needs no mass, its iteration does: sigma/L^4 gives slow motion a rate of one. */
static void make_massless(wy_kirchhoff *p) {
    const double l2 = p->length * p->length;
    p->massless = 1;
    p->gravity = v3(0, 0, 0);
    for (int j = 0; j <= p->n; j++) p->mass[j] = p->stiff / (l2 * l2) * p->eta * p->unit_mass[j];
}

static withy_status read_rod(wy_kirchhoff *p, withy_notes *notes, withy_error *err) {
    wy_section_at at = {.stiffness = {0}};
    const double *k = at.stiffness, *rho = at.inertia, *c = at.damping;
    for (int j = 0; j <= p->n; j++) {
        WY_TRY(wy_model_sections(p->setup->model, 0, 1, &p->s[j], &at, err));
        p->sigma[j] = k[WITHY_BEND1], p->nu[j] = c[WITHY_BEND1];
        p->mass[j] = rho[WITHY_MASS] * p->eta * wy_kirchhoff_weight(p, j);
        read_turn(p->rod, rho, p->eta * wy_kirchhoff_weight(p, j), p->turn[j]);
        if (p->nu[j] > 0) p->damped = 1;
    }
    const int no_twist = !isfinite(k[WITHY_TWIST]);
    for (int i = 0; i < p->n; i++) {
        const double middle = 0.5 * (p->s[i] + p->s[i + 1]);
        WY_TRY(wy_model_sections(p->setup->model, 0, 1, &middle, &at, err));
        p->ct[i] = no_twist ? RIGID_TWIST * k[WITHY_BEND1] : k[WITHY_TWIST];
        p->nu_twist[i] = c[WITHY_TWIST];
        if (p->nu_twist[i] > 0) p->damped = 1;
    }
    p->stiff = p->sigma[p->n / 2];
    p->gravity = p->setup->problem->gravity;
    if (!(p->mass[p->n / 2] > 0)) make_massless(p);
    p->mass[0] += p->rod->end[0].mass;
    p->mass[p->n] += p->rod->end[1].mass;
    if (no_twist) wy_note(notes, WY_NOTE(twist_rigid), RIGID_TWIST);
    const int stretches = isfinite(k[WITHY_STRETCH]), shears = isfinite(k[WITHY_SHEAR1]);
    if (stretches || shears)
        wy_note(notes, WY_NOTE(leaves_out), stretches ? "leaves out stretch" : "",
                stretches && shears ? ", " : "", shears ? "leaves out shear" : "");
    return WITHY_OK;
}

static withy_status read_ends(wy_kirchhoff *p, withy_error *err) {
    for (int e = 0; e < 2; e++) {
        wy_kirchhoff_end *end = &p->end[e];
        const withy_end *given = &p->rod->end[e];
        WY_TRY(wy_model_end(p->setup->model, 0, e, &end->end, err));
        const int directed = wy_end_holds_direction(given);
        end->held = wy_end_holds_position(given);
        end->turn = !directed             ? WY_KIRCHHOFF_TURN_FREE
                    : end->end.turns_free ? WY_KIRCHHOFF_TURN_TANGENT
                                          : WY_KIRCHHOFF_TURN_FRAME;
        end->strong = !directed && p->opt.ends == WY_KIRCHHOFF_STRONG;
        end->as_found = wy_end_holds_frame(given) && !given->frame.size && !given->normal.size;
    }
    return WITHY_OK;
}

/* Loads on the whole rod act at the nodes; one on a part of it may lie between two, and acts in the
 * middle of what it covers of each interval, which keeps its force and its moment. */
static withy_status read_loads(wy_kirchhoff *p, withy_error *err) {
    static const double middle = 0.5, whole = 1.0;
    double *share = wy_arena_alloc(p->setup->arena, (size_t)p->n + 1, sizeof *share);
    if (!share) return wy_no_memory(err, "kirchhoff: no memory for the loads");
    for (int j = 0; j <= p->n; j++) share[j] = p->eta * wy_kirchhoff_weight(p, j);
    const wy_load_rule rule = {.cells = p->n,
                               .edge = p->s,
                               .points = 1,
                               .point = &middle,
                               .weight = &whole,
                               .nodes = p->n + 1,
                               .node = p->s,
                               .share = share};
    for (int pull = 0; pull < 2; pull++)
        WY_TRY(wy_model_load_points(p->setup->model, 0, pull, &rule, p->setup->arena,
                                    &p->loads[pull], err));
    p->constant_loads = !wy_has_time_loads(p->rod);
    return WITHY_OK;
}

/* A straight rod as elastica does it; with strong ends only where they make no alternating mode. */
static void choose_scheme(wy_kirchhoff *p) {
    const int straight = wy_shape_is_straight(&p->rod->rest);
    const int directed =
        wy_end_holds_direction(&p->rod->end[0]) || wy_end_holds_direction(&p->rod->end[1]);
    if (p->opt.ends == WY_KIRCHHOFF_ENDS_AUTO)
        p->opt.ends = straight && directed ? WY_KIRCHHOFF_STRONG : WY_KIRCHHOFF_WEAK;
    if (p->opt.energy == WY_KIRCHHOFF_ENERGY_AUTO)
        p->opt.energy = straight ? WY_KIRCHHOFF_QUADRATIC : WY_KIRCHHOFF_STRAIN;
}

static withy_status create(const wy_setup *setup, void **self, withy_error *err) {
    wy_changes changes;
    wy_kirchhoff *p = wy_arena_alloc(setup->arena, 1, sizeof *p);
    if (!p) return wy_no_memory(err, "kirchhoff: no memory for the plan");
    p->setup = setup;
    p->rod = &setup->problem->rod[0];
    p->opt = *(const wy_kirchhoff_options *)setup->options;
    if (setup->problem->rod->damping_law) /* the scene names the law */
        p->opt.damping = setup->problem->rod->damping_law == WITHY_DAMPING_STRAIN
                             ? WY_KIRCHHOFF_OBJECTIVE
                             : WY_KIRCHHOFF_DISSERTATION;
    choose_scheme(p);
    WY_TRY(wy_kirchhoff_take(p, setup->arena, p->opt.n, p->rod->length, err));
    WY_TRY(read_rod(p, setup->notes, err));
    WY_TRY(read_ends(p, err));
    WY_TRY(read_loads(p, err));
    WY_TRY(wy_changes_make(setup->problem, setup->arena, &changes, err));
    p->opt.ahead = !changes.live;
    *self = p;
    return WITHY_OK;
}

/* ---- start ----------------------------------------------------------------------------------- */

/* v0, and the spin of each section: t x v' from the motion of the centreline, plus what is given.
 * */
withy_status wy_kirchhoff_first_velocity(wy_kirchhoff *p, withy_error *err) {
    for (int j = 0; j <= p->n; j++)
        WY_TRY(wy_velocity_at(p->rod, p->s[j], &p->v0[j], &p->spin0[j], err));
    for (int j = 0; j <= p->n && p->rod->spin.size == 0; j++) {
        const int a = j > 0 ? j - 1 : 0, b = j < p->n ? j + 1 : p->n;
        const vec3 slope = v3_scale(1.0 / (p->s[b] - p->s[a]), v3_sub(p->v0[b], p->v0[a]));
        const wy_kirchhoff_end *end = wy_kirchhoff_end_at(p, j);
        p->spin0[j] = end && end->turn ? v3(0, 0, 0) : v3_cross(p->now->frame[j].c3, slope);
    }
    return WITHY_OK;
}

/* An applied moment would spin a rod without support and drag: refuse rather than ignore it. */
static withy_status check_couples(const wy_kirchhoff *p, withy_error *err) {
    int any = wy_has_time_loads(p->rod);
    for (int j = 0; j <= p->n; j++) any |= !v3_is_zero(p->couple[j]);
    if (p->gauge < 0 || !any) return WITHY_OK;
    for (int j = 0; j <= p->n; j++)
        if (!v3_is_zero(p->couple[j]))
            return wy_unsupported(
                err, "kirchhoff: a moment acts on a straight rod that may spin freely and has no "
                     "rotary inertia; clamp an end or give rod.inertia.rotary");
    return WITHY_OK;
}

withy_status wy_kirchhoff_first_loads(wy_kirchhoff *p, withy_error *err) {
    WY_TRY(wy_kirchhoff_loads(p, 0.0, 1.0, err));
    for (int j = 0; j <= p->n; j++) p->dead[j] = v3_scale(p->mass[j], p->gravity);
    return WITHY_OK;
}

/* Does the scheme keep H? */
static int conserves(const wy_kirchhoff *p) {
    int moved = p->damped || !p->constant_loads;
    for (int e = 0; e < 2; e++)
        moved |= p->end[e].end.drives_position || p->end[e].end.drives_frame;
    for (int j = 0; j <= p->n; j++) moved |= !v3_is_zero(p->couple[j]);
    return !moved;
}

static withy_status start(void *self, withy_error *err) {
    wy_kirchhoff *p = self;
    wy_kirchhoff_no_table(p);
    WY_TRY(wy_kirchhoff_begin(p, err));
    WY_TRY(wy_kirchhoff_first_loads(p, err));
    WY_TRY(wy_kirchhoff_first_velocity(p, err));
    WY_TRY(check_couples(p, err));
    p->setup->stats->conserves = conserves(p);
    p->setup->stats->constraint_max = wy_kirchhoff_violation(p, p->now);
    return WITHY_OK;
}

static withy_status preferred_step(void *self, wy_preferred_step *out, withy_error *err) {
    const wy_kirchhoff *p = self;
    (void)err;
    const double rho = p->mass[p->n / 2] / p->eta;
    return wy_prefer_step(out, p->opt.dt, wy_spline_step_step(p->length, rho, p->stiff));
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* The first step is solved now. */
static withy_status set_step(void *self, double h, withy_error *err) {
    wy_kirchhoff *p = self;
    const wy_halving_stepper stepper = wy_kirchhoff_stepper(p);
    const int misses = p->end[0].end.misses || p->end[1].end.misses;
    const int moves = !p->massless && (!misses || p->rod->settled);
    return wy_spline_step_set_step(&stepper, p->setup, "kirchhoff", p->opt.dt, h, moves, err);
}

static withy_status advance(void *self, const wy_span *span, withy_error *err) {
    wy_kirchhoff *p = self;
    const wy_halving_stepper stepper = wy_kirchhoff_stepper(p);
    if (p->massless)
        return wy_unsupported(err,
                              "kirchhoff: a rod without mass cannot move; give rod.inertia.mass, "
                              "or a section and a material (withy static needs none)");
    return wy_halving_advance(&stepper, span->to, err);
}

static int nodes(const void *self, int rod, double *s) {
    const wy_kirchhoff *p = self;
    (void)rod;
    if (s) memcpy(s, p->s, ((size_t)p->n + 1) * sizeof *s);
    return p->n + 1;
}

/* Exact but for Newton's tolerance and rounding. */
static double most_drift(const void *self) {
    const wy_kirchhoff *p = self;
    return p->opt.start == WY_KIRCHHOFF_PAPER ? 0.0 : 1e-4;
}

const wy_method wy_method_kirchhoff = {
    WY_METHOD_COMMON(kirchhoff),
    .summary = "inextensible springs of any rest shape: cubic splines, energy-preserving, O(N)",
    .source = "[KS] Fernando, chapters 3-6, with corrections",
    .can = WY_CAN_LOADED | WY_CAN(TWIST) | WY_CAN(REST) | WY_CAN(VARY) | WY_CAN(STRAIN_LAW) |
           WY_CAN(SPACE_LAW) | WY_CAN(GUIDED) | WY_CAN(MOMENT) | WY_CAN(LUMP) | WY_CAN(SPIN) |
           WY_CAN(SETTLE),
    .rigid = WY_RIGID_LENGTH,
    .order = wy_spline_step_order,
    .turn = 1.85,
    .accept = accept,
    .set_step = set_step,
    .wrong = wrong,
    .equations = &wy_kirchhoff_statics,
    .figure = wy_kirchhoff_figure,
};
