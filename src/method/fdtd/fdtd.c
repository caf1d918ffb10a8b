/* fdtd.c - geometrically exact rod, explicit: finite differences in time and space.
 *
 * Solves, in material components (r in the laboratory),                     [FD] 3.1.6, corrected
 *
 *   r_t = p                         rho A p_t = (R n)_s + f
 *   R_t = R w^                      rho J w_t = m_s + u x m + v x n - w x rho J w + l
 *   v = R^T r_s,  n = D (v - v0) + D_v v_t,        u = axial(R^T R_s),  m = C (u - u0) + C_v u_t
 *
 * on a staggered grid (numeric/interpolate/sbp.h) as the exact gradient of a discrete energy, by leapfrog:
 *
 *   V = sum_j h P-_j D (v_j - v0)^2/2 + sum_i h P+_i C (u_i - u0)^2/2
 *   v_j = R(q_j)^T (Q r)_j/(h P-_j),   u_i = 2 Im(a* b)/|a|^2,  a = (I q)_i,  b = (-Q^T q)_i/(h
 * P+_i)
 *
 * Symbols           here            unit     shape
 *   r, p            now.r, now.p    m, m/s   nodes i = 0 .. n; p half a step back
 *   q, w            now.q, now.w    -, 1/s   halves j = 0 .. n-1, material; w half a step back
 *   R n, tau        work.nn, .tau   N, N m   halves (tau weighted by h P-)
 *   g_b, g_a        work.gb, .ga    N m      nodes
 *   sigma           op->sigma       -        spectral radius of Q: 2, 7/3, 2.48333
 *   alpha           inertia_alpha   -        of the inertia regularisation
 *
 * Departs from [FD]:
 *  - Staggered grid and conservative divergence instead of a collocated grid and the product rule
 *    n_s = D v_s + u x n: that line is not the adjoint of v = R^T r_s, so energy is not conserved and
 * the run diverges at a time independent of the step (9 ms for a 5 mm pluck).  The "inherent
 *    instability" of [FD] chapter 4 is this, not physics.  `scheme = "literal"` shows it.
 *  - Frames are unit quaternions moved by the Cayley map, never re-orthogonalised.
 *  - All ends (free, pinned, clamped, guided) in any pair; [FD] has only equal ones.
 *  - Kelvin-Voigt damping, drag, rest strains, varying sections, which [FD] does not have.  Strain
 *    rates are differences of strains, (v^n - v^(n-1))/dt: a rigid motion is then never damped.
 *  - Welds and ball joints (fdtd/joint.c, fdtd/network.c), which [FD] does not have: shared nodes, and
 *    frames without inertia where welded rods balance.
 * - [FD] (3.11) has 2 EI for EI and 3.2 has E J for G J; fdtd/literal.c lists the other misprints.
 *
 * With rod.tension the ends are the speaking length: the rod has the reference length
 * distance/(1 + T/EA), and arc length s of the problem counts the stretched rod.
 */
#include <float.h>

#include "base/account.h"
#include "base/thread_pool.h"
#include "method/fdtd/state.h"

#define ROW(member, ...) WY_OPTION(wy_fdtd_options, member, #member, __VA_ARGS__)

static const wy_option option_table[] = {
    ROW(n, "-", "intervals", 'i', 64, 4, 100000, NULL),
    ROW(dt, "s", "time step; auto: 0.95 of the stability limit", 'a', 0, 1e-15, 1e6, NULL),
    ROW(order, "-",
        "order of the differences in space: 2, 4 or 6; literal: 2 as [FD] 3.2 prints, or 6 as "
        "(3.21)",
        'i', 2, 2, 6, NULL),
    ROW(scheme, "-", "the staggered scheme, or the one printed in the source", 'w', 0, 0, 0,
        "staggered|literal"),
    ROW(inertia, "-",
        "regularised: more rotary inertia, so that the step may follow the longitudinal waves", 'w',
        0, 0, 0, "physical|regularised"),
    ROW(inertia_alpha, "-", "regularised: adds inertia_alpha dt^2 GA to rho I", 'd', 0.45, 0, 10,
        NULL),
    ROW(dilation, "-",
        "off: no coupling of the transverse directions through the stretch; the axial stiffness is "
        "that of rod.tension alone",
        'w', 0, 0, 0, "on|off"),
    ROW(safe, "-", "refuse a step beyond the stability limit", 'b', 1, 0, 0, NULL),
    ROW(threads, "-", "threads over rods; 0: as many as the machine has", 'i', 1, 0, 1024, NULL),
    {{0}, 0},
};

/* Energy that a conserving run may gain before it is reported as unstable. */
static const double RUNAWAY = 10.0;

/* Drift of a run that is right: large motions just below the limit of the step reach 2 % (docs/theory/fdtd.md). */
static const double MOST_DRIFT = 0.05;

/* The energy is checked after 128, 256, ... 2048 steps, and then every 2048: by the count of steps
 * alone, so that a run does not depend on where it pauses. */
enum { RENORMALISE = 1000000, LOOK_FIRST = 128, LOOK_EVERY = 2048 };

/* Node-steps below which a thread costs more than it saves. */
static const double WORTH_A_THREAD = 1e6;

typedef wy_fdtd state;

/* ---- accept ---------------------------------------------------------------------------------- */

static withy_status accept_rod(const withy_rod *rod, withy_error *err) {
    double k[WITHY_STRAINS], rho[WITHY_INERTIAS];
    WY_TRY(wy_stiffness_at(rod, 0, k, err));
    WY_TRY(wy_inertia_at(rod, 0, rho, err));
    for (int d = 0; d < WITHY_STRAINS; d++)
        if (!isfinite(k[d]))
            return wy_unsupported(
                err, "fdtd: is explicit and needs finite stiffness in shear, stretch and twist; "
                     "give rod.section and rod.material, or rod.stiffness" WY_OR_USE_ANOTHER);
    for (int d = WITHY_ROTARY1; d <= WITHY_ROTARY3; d++)
        if (!(rho[d] > 0))
            return wy_unsupported(err,
                                  "fdtd: needs rotary inertia about all axes; give rod.section and "
                                  "rod.material, or rod.inertia.rotary" WY_OR_USE_ANOTHER);
    if (rod->tension != 0 &&
        (!wy_end_holds_position(&rod->end[0]) || !wy_end_holds_position(&rod->end[1])))
        return wy_unsupported(err, "fdtd: rod.tension" WY_KEY
                                   " needs both ends held (pinned or clamped); pull at a free end "
                                   "with ends.finish.force instead");
    if (rod->initial.kind == WITHY_SHAPE_PLUCK &&
        !(wy_end_holds_position(&rod->end[0]) && wy_end_holds_position(&rod->end[1])))
        return wy_unsupported(err, "fdtd: a plucked shape needs both ends held (pinned or "
                                   "clamped); use initial.shape = curve(...) for others");
    return WITHY_OK;
}

static withy_status accept(const withy_problem *problem, withy_error *err) {
    for (int i = 0; i < problem->rod_count; i++) WY_TRY(accept_rod(&problem->rod[i], err));
    WY_TRY(wy_fdtd_accept_contact(problem, err));
    return wy_fdtd_accept_joints(problem->model, problem, err);
}

/* ---- create ---------------------------------------------------------------------------------- */

static withy_status take_arrays(state *x, wy_arena *arena, withy_error *err) {
    const size_t rods = (size_t)x->problem->rod_count;
    wy_allocator from = {.arena = arena};
    int **place[] = {&x->group_of, &x->lane_of};
    double **length[] = {&x->reference, &x->stretch};
    WY_TAKE_EACH(wy_allocator_alloc, &from, place, rods);
    WY_TAKE_EACH(wy_allocator_alloc, &from, length, rods);
    x->group = wy_arena_alloc_raw(arena, rods, sizeof *x->group); /* an eighth of them is used */
    if (from.failed || !x->group) return wy_no_memory(err, "fdtd: no memory for %zu rods", rods);
    return WITHY_OK;
}

/* Without dilation the axial stiffness is that of the tension. */
static withy_status check_dilation(const state *x, withy_error *err) {
    for (int i = 0; i < x->problem->rod_count && x->opt.dilation == WY_FDTD_DILATION_OFF; i++) {
        const double tension = x->problem->rod[i].tension;
        if (!(tension > 0))
            return wy_bad_input(err,
                                "fdtd: options.dilation" WY_KEY
                                " = \"off\" leaves only rod.tension to resist a change of length, "
                                "and it is %g; give rod.tension > 0, or dilation = \"on\"",
                                tension);
    }
    return WITHY_OK;
}

static withy_status create_staggered(state *x, const wy_setup *setup, withy_error *err) {
    WY_TRY(check_dilation(x, err));
    wy_fdtd_form_groups(x);
    /* leapfrog keeps this energy bounded, and exactly only when the motion is linear: the drift is
     * reported, but conservation is not claimed */
    x->closed = wy_fdtd_conserves(x);
    for (int i = 0; i < x->group_count; i++) WY_TRY(wy_fdtd_group_make(&x->group[i], setup, err));
    if (x->problem->joint_count == 0) return WITHY_OK;
    WY_TRY(wy_fdtd_joints_make(x, err));
    if (x->joints->moves) x->closed = 0;
    return WITHY_OK;
}

static withy_status create_literal(state *x, const wy_setup *setup, withy_error *err) {
    const int rods = x->problem->rod_count;
    if (wy_fdtd_has_contacts(x->problem))
        return wy_unsupported(err, "fdtd: the literal scheme does not support obstacles; use "
                                   "options.scheme = \"staggered\"");
    if (x->problem->joint_count > 0)
        return wy_unsupported(
            err,
            "fdtd: the literal scheme does not support joints; use options.scheme = \"staggered\"");
    for (int i = 0; i < rods; i++)
        if (wy_rod_uses_state(&x->problem->rod[i]))
            return wy_unsupported(err,
                                  "fdtd: the literal scheme does not support loads that depend on "
                                  "the state of the rod; use options.scheme = \"staggered\"");
    x->literal = wy_arena_alloc(setup->arena, (size_t)rods, sizeof *x->literal);
    if (!x->literal) return wy_no_memory(err, "fdtd: no memory for %d rods", rods);
    for (int i = 0; i < rods; i++) WY_TRY(wy_fdtd_literal_make(setup, i, &x->literal[i], err));
    return WITHY_OK;
}

static withy_status create(const wy_setup *setup, void **out, withy_error *err) {
    state *x = wy_arena_alloc(setup->arena, 1, sizeof *x);
    if (!x) return wy_no_memory(err, "fdtd: no memory for the method");
    x->problem = setup->problem, x->setup = setup;
    x->opt = *(const wy_fdtd_options *)setup->options;
    const int order = x->opt.order;
    if (order % 2)
        return wy_bad_input(err, "options.order" WY_KEY " = %d: must be 2, 4 or 6", order);
    if (x->opt.n < wy_sbp_least_n(order))
        return wy_bad_input(
            err,
            "options.n" WY_KEY
            " = %d: order %d needs at least %d intervals, or choose a lower options.order",
            x->opt.n, order, wy_sbp_least_n(order));
    wy_sbp_make(order, x->opt.n, &x->op);
    WY_TRY(take_arrays(x, setup->arena, err));
    WY_TRY(wy_fdtd_find_lengths(x, err));
    WY_TRY(wy_fdtd_find_limit(x, err));
    *out = x;
    return x->opt.scheme == WY_FDTD_LITERAL ? create_literal(x, setup, err)
                                            : create_staggered(x, setup, err);
}

static int literal_count(const state *x) {
    return x->literal ? x->problem->rod_count : 0;
}

static void layout(void *self, wy_block *memory, wy_block *scratch) {
    state *x = self;
    const wy_range row[] = {WY_REAL(wy_fdtd_head, h, 0, DBL_MAX),
                            WY_REAL(wy_fdtd_head, regular, 0, DBL_MAX),
                            WY_COUNT(wy_fdtd_head, steps)};
    x->now = WY_ALLOC_CHECKED(memory, 1, wy_fdtd_head, row);
    for (int i = 0; i < x->group_count; i++) wy_fdtd_group_layout(&x->group[i], memory, scratch);
    if (x->joints) wy_fdtd_joints_layout(x->joints, memory, scratch);
    for (int i = 0; i < literal_count(x); i++)
        wy_fdtd_literal_layout(&x->literal[i], memory, scratch);
    wy_fdtd_view_layout(&x->view, x->opt.n, scratch);
}

/* Everything at t = 0; p and w go half a step back when the step is known. */
static withy_status start(void *self, withy_error *err) {
    state *x = self;
    for (int i = 0; i < x->group_count; i++) {
        WY_TRY(wy_fdtd_group_place(&x->group[i], err));
        if (x->group[i].contact) *x->group[i].now.depth = 0;
    }
    for (int i = 0; i < literal_count(x); i++) WY_TRY(wy_fdtd_literal_place(&x->literal[i], err));
    return WITHY_OK;
}

static withy_status preferred_step(void *self, wy_preferred_step *out, withy_error *err) {
    const state *x = self;
    (void)err;
    *out = (wy_preferred_step){.dt = wy_fdtd_requested_step(x), .given = x->opt.dt > 0};
    return WITHY_OK;
}

/* ---- ledger ---------------------------------------------------------------------------------- */

/* Energy of the straight state under its tension: what is not motion. */
static double resting_energy(const wy_fdtd_group *g, int lane) {
    double sum = 0.0;
    if (g->stretch0[lane] == 1.0) return 0.0;
    for (int j = 0; j < g->n; j++) {
        const int k = j * g->lanes + lane;
        const double e = g->stretch0[lane] - g->grid.rest_half[2][k];
        sum += 0.5 * g->grid.stiff_half[2][k] * e * e * wy_sbp_half_weight(g->op, j);
    }
    return sum * g->length[lane] / g->n;
}

/* Of all rods. */
typedef struct sums {
    double energy;    /* kinetic + elastic + gravity                            [J] */
    double conserved; /* less the work of constant forces; staggered in time    [J] */
    double motion;    /* without gravity and the straight state under tension   [J] */
    double drift;     /* how far the frames are from unit length                    */
} sums;

void wy_fdtd_ready(state *x) {
    for (int i = 0; i < x->group_count; i++)
        wy_fdtd_group_ready(&x->group[i], x->now->h, x->now->regular);
}

static sums add_up(state *x) {
    sums out = {0};
    wy_fdtd_ready(x);
    if (wy_fdtd_all_forces(x, NULL) != WITHY_OK) return (sums){NAN, NAN, NAN, NAN};
    for (int i = 0; i < x->group_count; i++) {
        wy_fdtd_group *g = &x->group[i];
        for (int lane = 0; lane < g->used; lane++) {
            wy_fdtd_weigh(g, lane, &x->view);
            const withy_energies *e = &x->view.energy;
            const double own = e->kinetic + e->shear + e->stretch + e->bend + e->twist;
            out.conserved += x->view.conserved;
            out.energy += own + e->gravity + wy_fdtd_contact_energy(g, lane);
            out.motion += own - resting_energy(g, lane);
            out.drift = wy_max(out.drift, x->view.drift);
        }
    }
    return out;
}

static double energy(const void *self) {
    state *x = (state *)self; /* scratch is written */
    double sum = 0;
    if (!x->literal) return add_up(x).energy;
    for (int i = 0; i < literal_count(x); i++)
        sum += wy_fdtd_literal_energy(&x->literal[i], x->now->h);
    return sum;
}

/* Leapfrog keeps its energy within a bound that the step sets, not to rounding. */
static double most_drift(const void *self) {
    return ((const state *)self)->literal ? 0.0 : MOST_DRIFT;
}

/* A rod may come to spin faster than its step allows (fdtd/limit.c): waves of the mesh would grow out of rounding. */
static withy_status look_at_spin(const state *x, double t, withy_error *err) {
    const double h = x->now->h;
    for (int i = 0; i < x->group_count && x->opt.safe; i++) {
        const wy_fdtd_group *g = &x->group[i];
        double rate = 0.0, turn = 0.0;
        for (int k = 0; k < g->n * g->lanes; k++) {
            const wy_fdtd_rate *of = &g->rate;
            const double J[3] = {of->inertia[0][k], of->inertia[1][k], of->inertia[2][k]};
            const double w = fabs(g->now.w[2][k]);
            rate = wy_max(rate, wy_fdtd_gyration(J) * w), turn = wy_max(turn, h * w);
        }
        const double most = wy_fdtd_spun_limit(x->equilibrium, rate, g->viscous);
        if (h > most * (1 + 1e-9))
            return wy_no_convergence(
                err,
                "fdtd: at t = %g a rod spins about its axis by %.3g rad in a step of %.4g s, and "
                "waves of the mesh may grow; at this spin options.dt must be below %.3g",
                t, turn, h, most);
    }
    return WITHY_OK;
}

/* Update the ledger; fails when the energy grows without bound. */
static withy_status look(state *x, double t, withy_error *err) {
    wy_fdtd_head *now = x->now;
    withy_stats *stats = x->setup->stats;
    const sums sum = add_up(x);
    stats->constraint_max = wy_max(stats->constraint_max, sum.drift);
    if (now->steps == 0) {
        now->first = sum.conserved;
        /* many steps of a string: rounding of its strains works against the tension */
        const double rounding = 1e-12 * fabs(sum.energy);
        wy_account_open(stats, sum.energy, x->setup->floor + rounding, x->closed);
    }
    if (!isfinite(sum.energy))
        return wy_no_convergence(err,
                                 "fdtd: the energy is not finite at t = %g (step %lld); use a "
                                 "smaller options.dt (now %g)",
                                 t, (long long)now->steps, now->h);
    const double off = fabs(sum.conserved - now->first);
    wy_account_keep(stats, sum.energy, off, sum.motion);
    const double scale = stats->energy_scale;
    if (x->closed && now->steps > 0 && off > RUNAWAY * (scale - off) && off > 0.5 * scale)
        return wy_no_convergence(err,
                                 "fdtd: the energy grew to %.3g times what it was at t = %g (step "
                                 "%lld); use a smaller options.dt (now %g) or a larger options.n",
                                 scale / (scale - off), t, (long long)now->steps, now->h);
    return look_at_spin(x, t, err);
}

/* The next count of steps after which the energy is checked. */
static int64_t next_look(int64_t steps) {
    int64_t next = LOOK_FIRST;
    while (next <= steps && next < LOOK_EVERY) next *= 2;
    return steps < next ? next : (steps / LOOK_EVERY + 1) * LOOK_EVERY;
}

/* ---- advance --------------------------------------------------------------------------------- */

withy_status wy_fdtd_begin(state *x, withy_error *err) {
    wy_fdtd_head *now = x->now;
    now->steps = 0;
    wy_fdtd_ready(x);
    for (int i = 0; i < x->group_count; i++) WY_TRY(wy_fdtd_group_load(&x->group[i], err));
    WY_TRY(wy_fdtd_joints_begin(x, err));
    for (int i = 0; i < x->group_count; i++) wy_fdtd_group_remember(&x->group[i]);
    if (x->group_count > 0) WY_TRY(wy_fdtd_all_forces(x, err));
    for (int i = 0; i < x->group_count; i++) {
        wy_fdtd_group *g = &x->group[i];
        wy_fdtd_group_kick(g, -0.5 * now->h);
        if (g->spot_count > 0) WY_TRY(wy_fdtd_group_again(g, 0.0, 1, err));
        if (x->opt.safe) WY_TRY(wy_fdtd_state_load_limit(g, x->limit, err));
    }
    for (int i = 0; i < literal_count(x); i++)
        WY_TRY(wy_fdtd_literal_begin(&x->literal[i], now->h, err));
    if (!x->literal) return look(x, 0.0, err);
    wy_account_open(x->setup->stats, energy(x), x->setup->floor, 0);
    return WITHY_OK;
}

static withy_status set_step(void *self, double h, withy_error *err) {
    state *x = self;
    x->now->h = x->now->regular = h;
    WY_TRY(wy_fdtd_note_step(x, h, err));
    return wy_fdtd_begin(x, err);
}

static void renormalise(wy_fdtd_group *g) {
    for (int k = 0; k < g->n * g->lanes; k++)
        wy_fdtd_put4(g->now.q, k, q_unit(wy_fdtd_at4(g->now.q, k)));
}

int wy_fdtd_is_live(const wy_fdtd_group *g) {
    return g->live_loads || g->end[0].moves || g->end[1].moves ||
           (g->end[0].loaded && !g->end[0].steady) || (g->end[1].loaded && !g->end[1].steady);
}

/* Strains of the last step that are in scratch go to the state. */
static void finish_strains(wy_fdtd_group *g, const wy_span *span) {
    if (!g->viscous || (span->to - span->from) % 2 == 0) return;
    wy_fdtd_swap_strains(g);
    wy_fdtd_group_keep_strains(g);
}

/* The steps of one group; its rods are independent of the others, so its memory stays in the cache. */
static withy_status run_group(wy_fdtd_group *g, const wy_span *span, int64_t done,
                              withy_error *err) {
    const int live = wy_fdtd_is_live(g);
    for (int64_t k = span->from + 1; k <= span->to; k++) {
        if (g->drags) wy_fdtd_square_drag(g);
        wy_fdtd_step(g);
        if (live) WY_TRY(wy_fdtd_group_again(g, wy_span_time(span, k), 0, err));
        if ((done + k - span->from) % RENORMALISE == 0) renormalise(g);
    }
    finish_strains(g, span);
    return WITHY_OK;
}

/* The steps of joined rods: all together, one after the other. */
static withy_status run_network(state *x, const wy_span *span, withy_error *err) {
    for (int64_t k = span->from + 1; k <= span->to; k++) {
        const double t = wy_span_time(span, k);
        WY_TRY(wy_fdtd_network_step(x, err));
        for (int i = 0; i < x->group_count; i++) {
            wy_fdtd_group *g = &x->group[i];
            if (wy_fdtd_is_live(g)) WY_TRY(wy_fdtd_group_again(g, t, 0, err));
            if ((x->now->steps + k - span->from) % RENORMALISE == 0) renormalise(g);
        }
        if (x->joints->moves) WY_TRY(wy_fdtd_joints_hold(x, t, err));
    }
    for (int i = 0; i < x->group_count; i++) finish_strains(&x->group[i], span);
    return WITHY_OK;
}

typedef struct job {
    state *x;
    const wy_span *span;
} job;

static void run_quiet(void *context, int i) {
    const job *j = context; /* no time-dependent loads: cannot fail */
    run_group(&j->x->group[i], j->span, j->x->now->steps, NULL);
}

static int thread_count(const state *x, int64_t count) {
    const int requested = x->opt.threads ? x->opt.threads : wy_threads_available();
    const double each = (double)count * x->opt.n * x->problem->rod_count / WORTH_A_THREAD;
    for (int i = 0; i < x->group_count; i++)
        if (wy_fdtd_is_live(&x->group[i]))
            return 1; /* functions of a scene are called by one thread */
    return (int)wy_max(1, wy_min(wy_min(requested, each), x->group_count));
}

static withy_status run_groups(state *x, const wy_span *span, withy_error *err) {
    if (x->joints) return run_network(x, span, err);
    const int threads = thread_count(x, span->to - span->from);
    job j = {x, span};
    if (threads > 1) wy_threads_run(threads, x->group_count, run_quiet, &j);
    for (int i = 0; i < x->group_count && threads == 1; i++)
        WY_TRY(run_group(&x->group[i], span, x->now->steps, err));
    return WITHY_OK;
}

static withy_status change_step(state *x, double t, double h, withy_error *err) {
    if (x->literal)
        return wy_unsupported(err,
                              "fdtd: the literal scheme has two time levels and cannot change its "
                              "step (%.6g to %.6g)",
                              x->now->h, h);
    for (int i = 0; i < x->group_count; i++) WY_TRY(wy_fdtd_group_again(&x->group[i], t, 0, err));
    WY_TRY(wy_fdtd_all_forces(x, err));
    wy_fdtd_joints_change_step(x, h / x->now->h);
    for (int i = 0; i < x->group_count; i++)
        WY_TRY(wy_fdtd_group_change_step(&x->group[i], t, h, err));
    x->now->h = h;
    return wy_fdtd_joints_hold(x, t, err);
}

/* Is a number of an array not finite, or beyond `most`? */
static int is_beyond(const double *value, int count, double most) {
    int beyond = 0;
    for (int k = 0; k < count; k++) beyond |= !(fabs(value[k]) <= most);
    return beyond;
}

/* Numbers below 1e77, so that forces and energies of them are finite too. */
static int is_finite(const state *x) {
    static const double MOST = 1e77;
    int beyond = 0;
    double sum = 0;
    for (int i = 0; i < x->group_count; i++) {
        const wy_fdtd_group *g = &x->group[i];
        const int halves = g->n * g->lanes, nodes = halves + g->lanes;
        for (int c = 0; c < 3; c++)
            beyond |= is_beyond(g->now.r[c], nodes, MOST) | is_beyond(g->now.p[c], nodes, MOST) |
                      is_beyond(g->now.w[c], halves, MOST);
        for (int c = 0; c < 4; c++) beyond |= is_beyond(g->now.q[c], halves, MOST);
    }
    for (int i = 0; i < literal_count(x); i++)
        for (int j = 0; j <= x->literal[i].n; j++)
            sum += 0.0 * v3_dot(x->literal[i].now.r[j], (vec3){1, 1, 1});
    return !beyond && sum == 0.0;
}

/* Does a half turn by more than half a turn in a step?  An unstable step ends there, with finite numbers, since a frame
 * cannot turn by more. */
static int spins(const state *x) {
    int beyond = 0;
    for (int i = 0; i < x->group_count; i++)
        for (int c = 0; c < 3; c++) {
            const wy_fdtd_group *g = &x->group[i];
            beyond |= is_beyond(g->now.w[c], g->n * g->lanes, WY_PI / x->now->h);
        }
    return beyond;
}

/* Between two looks at the energy a step that is too long can end in numbers that are not finite, or mean nothing. */
static withy_status check_finite(const state *x, const wy_span *span, withy_error *err) {
    const double t = wy_span_time(span, span->to);
    if (!is_finite(x))
        return wy_no_convergence(err,
                                 "fdtd: the motion is not finite at t = %g (step %lld); use a "
                                 "smaller options.dt (now %g)",
                                 t, (long long)x->now->steps, x->now->h);
    if (!spins(x)) return WITHY_OK;
    return wy_no_convergence(
        err,
        "fdtd: at t = %g (step %lld) a part of a rod turns by more than half a turn in a step: the "
        "motion is unstable, or spins too fast for its steps; use a smaller options.dt (now %g, "
        "the limit of stability at rest is %.4g)",
        t, (long long)x->now->steps, x->now->h, x->equilibrium);
}

withy_status wy_fdtd_open_span(state *x, const wy_span *span, withy_error *err) {
    wy_fdtd_ready(x);
    if (span->h == x->now->h) return WITHY_OK;
    return change_step(x, wy_span_time(span, span->from), span->h, err);
}

withy_status wy_fdtd_close_span(state *x, const wy_span *span, withy_error *err) {
    wy_fdtd_head *now = x->now;
    const int64_t before = now->steps, after = before + span->to - span->from;
    for (int i = 0; i < x->group_count; i++) {
        wy_fdtd_group *g = &x->group[i];
        if (wy_fdtd_is_live(g))
            WY_TRY(wy_fdtd_group_again(g, wy_span_time(span, span->to), 0, err));
        if (after / RENORMALISE > before / RENORMALISE) renormalise(g);
    }
    now->steps = after, x->setup->stats->steps = after;
    WY_TRY(check_finite(x, span, err));
    return next_look(before) <= after ? look(x, wy_span_time(span, span->to), err) : WITHY_OK;
}

static withy_status advance(void *self, const wy_span *span, withy_error *err) {
    state *x = self;
    wy_fdtd_head *now = x->now;
    WY_TRY(wy_fdtd_open_span(x, span, err));
    for (wy_span part = *span; part.from < span->to; part.from = part.to) {
        const int64_t left = span->to - part.from, look_in = next_look(now->steps) - now->steps;
        part.to = part.from + (left < look_in ? left : look_in);
        WY_TRY(wy_interrupt_check(x->setup->interrupt, wy_span_time(span, part.from), err));
        WY_TRY(run_groups(x, &part, err));
        for (int i = 0; i < literal_count(x); i++)
            WY_TRY(wy_fdtd_literal_advance(&x->literal[i], &part, err));
        now->steps += part.to - part.from, x->setup->stats->steps = now->steps;
        if (look_in <= left && !x->literal) WY_TRY(look(x, wy_span_time(span, part.to), err));
    }
    return check_finite(x, span, err);
}

static int nodes(const void *self, int rod, double *s) {
    const state *x = self;
    for (int i = 0; s && i <= x->opt.n; i++) s[i] = x->problem->rod[rod].length * i / x->opt.n;
    return x->opt.n + 1;
}

static wy_order order(const void *options) {
    return (wy_order){((const wy_fdtd_options *)options)->order, 2, 1.0 / 12};
}

const wy_method wy_method_fdtd = {
    WY_METHOD_COMMON(fdtd),
    .order = order,
    .summary = "explicit geometrically exact rod, staggered differences of order 2, 4 or 6",
    .source = "[FD] chapters 3 and 4",
    .can = WY_CAN_COSSERAT | WY_CAN(RODS) | WY_CAN(JOINTS) | WY_CAN(TENSION) | WY_CAN(STATE) |
           WY_CAN(OBSTACLE) | WY_CAN(CONTACT),
    .turn = 0.61,
    .accept = accept,
    .set_step = set_step,
    .any_step = 1,
    .equations = &wy_fdtd_statics,
    .batch = &wy_fdtd_batch,
    .sample_parts = wy_fdtd_sample_parts,
    .energy = energy,
};
