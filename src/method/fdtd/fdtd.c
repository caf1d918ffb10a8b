/* fdtd.c - geometrically exact rod, explicit: finite differences in time and space.
 *
 * Solves, in material components (r in the laboratory),                     [FD] 3.1.6, corrected
 *
 *   r_t = p                         rho A p_t = (R n)_s + f
 *   R_t = R w^                      rho J w_t = m_s + u x m + v x n - w x rho J w + l
 *   v = R^T r_s,  n = D (v - v0) + D_v v_t,        u = axial(R^T R_s),  m = C (u - u0) + C_v u_t
 *
 * on a staggered grid (fdtd/operator.h) as the exact gradient of a discrete energy, by leapfrog:
 *
 *   V = sum_j h P-_j D (v_j - v0)^2/2 + sum_i h P+_i C (u_i - u0)^2/2
 *   v_j = R(q_j)^T (Q r)_j/(h P-_j),   u_i = 2 Im(a* b)/|a|^2,  a = (I q)_i,  b = (-Q^T q)_i/(h
 * P+_i)
 *
 * Symbols           here            unit     shape
 *   r, p            g->r, g->p      m, m/s   nodes i = 0 .. n; p half a step back
 *   q, w            g->q, g->w      -, 1/s   halves j = 0 .. n-1, material; w half a step back
 *   R n, tau        g->nn, g->tau   N, N m   halves (tau weighted by h P-)
 *   g_b, g_a        g->gb, g->ga    N m      nodes
 *   sigma           op->sigma       -        spectral radius of Q: 2, 7/3, 2.48333
 *   alpha           opt->alpha      -        of the inertia regularisation
 *
 * Departs from [FD]:
 *  - Staggered grid and conservative divergence instead of a collocated grid and the product rule
 *    n_s = D v_s + u x n: that line is not the adjoint of v = R^T r_s, so energy is not kept and
 *    the run dies at a time no step can change (9 ms for a 5 mm pluck).  The "inherent
 *    instability" of [FD] chapter 4 is this, not physics.  `scheme = "literal"` shows it.
 *  - Frames are unit quaternions moved by the Cayley map, never re-orthogonalised.
 *  - All ends (free, pinned, clamped, guided) in any pair; [FD] has only equal ones.
 *  - Kelvin-Voigt damping, drag, rest strains, varying sections, which [FD] does not have.  Strain
 *    rates are differences of strains, (v^n - v^(n-1))/dt: a rigid motion is then never damped.
 *  - [FD] (3.11) has 2 EI for EI and 3.2 has E J for G J; see methods/fdtd.md for the other slips.
 *
 * With rod.tension the ends are the speaking length: the rod has the reference length
 * distance/(1 + T/EA), and arc length s of the problem counts the stretched rod.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "method/fdtd/state.h"
#include "method/fdtd/tangent.h"

#define ROW(name, unit, doc, kind, ...)                                                            \
    { {#name, unit, doc, kind, __VA_ARGS__}, offsetof(wy_fdtd_options, name) }

static const wy_option option_table[] = {
    ROW(n, "-", "intervals", 'i', 64, 4, 100000, NULL),
    ROW(dt, "s", "time step; auto: 0.95 of the stability limit", 'a', 0, 1e-15, 1e6, NULL),
    ROW(order, "-", "order of the differences in space: 2, 4 or 6", 'i', 2, 2, 6, NULL),
    ROW(scheme, "-", "the staggered scheme, or the one printed in the source", 'w', 0, 0, 0,
        "staggered|literal"),
    ROW(inertia, "-",
        "regularised: more rotary inertia, so that the step may follow the longitudinal waves", 'w',
        0, 0, 0, "physical|regularised"),
    ROW(alpha, "-", "regularisation: adds alpha dt^2 GA to rho I", 'd', 0.45, 0, 10, NULL),
    ROW(dilation, "-", "off: no coupling of the transverse directions through the stretch", 'w', 0,
        0, 0, "on|off"),
    ROW(safe, "-", "refuse a step beyond the stability limit", 'b', 1, 0, 0, NULL),
    ROW(threads, "-", "threads over rods; 0: as many as the machine has", 'i', 1, 0, 1024, NULL),
    {{0}, 0},
};

/* How much energy a run that should conserve it may gain before it is called unstable. */
static const double RUNAWAY = 10.0;

enum { RENORMALISE = 1000000, LOOK_AFTER = 64, MOST_THREADS = 64 };

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
            return wy_fail(err, WITHY_UNSUPPORTED,
                           "fdtd: is explicit and needs finite stiffness in shear, stretch and "
                           "twist; give rod.section and rod.material, or rod.stiffness, or use "
                           "elastica or kirchhoff");
    for (int d = WITHY_ROTARY1; d <= WITHY_ROTARY3; d++)
        if (!(rho[d] > 0))
            return wy_fail(err, WITHY_UNSUPPORTED,
                           "fdtd: needs rotary inertia about all axes; give rod.section and "
                           "rod.material, or rod.inertia.rotary, or use elastica");
    if (rod->tension != 0 &&
        (!wy_end_holds_position(&rod->end[0]) || !wy_end_holds_position(&rod->end[1])))
        return wy_fail(err, WITHY_UNSUPPORTED,
                       "fdtd: rod.tension needs both ends held (pinned or clamped); pull at a free "
                       "end with ends.finish.force instead");
    if (rod->initial.kind == WITHY_SHAPE_PLUCK &&
        !(wy_end_holds_position(&rod->end[0]) && wy_end_holds_position(&rod->end[1])))
        return wy_fail(err, WITHY_UNSUPPORTED,
                       "fdtd: a plucked shape needs both ends held (pinned or clamped); use "
                       "initial.shape = curve(...) for others");
    return WITHY_OK;
}

static withy_status accept(const withy_problem *problem, withy_error *err) {
    for (int i = 0; i < problem->rod_count; i++) WY_TRY(accept_rod(&problem->rod[i], err));
    return WITHY_OK;
}

/* ---- create ---------------------------------------------------------------------------------- */

/* Energy of the straight state under its tension: what is not motion. */
static double resting_energy(const wy_fdtd_group *g, int lane) {
    double sum = 0.0;
    if (g->stretch0[lane] == 1.0) return 0.0;
    for (int j = 0; j < g->n; j++) {
        const int k = j * g->lanes + lane;
        const double e = g->stretch0[lane] - g->rest_half[2][k];
        sum += 0.5 * g->stiff_half[2][k] * e * e * wy_fdtd_half_weight(g->op, j);
    }
    return sum * g->length[lane] / g->n;
}

/* Bring the ledger up to date; fails when energy runs away. */
static withy_status look(state *x, withy_error *err) {
    double total = 0.0, motion = 0.0;
    x->looked = x->steps;
    for (int i = 0; i < x->problem->rod_count; i++) {
        wy_fdtd_group *g = &x->group[x->group_of[i]];
        wy_fdtd_observe(g, x->lane_of[i], &x->view);
        const withy_energies *e = &x->view.energy;
        total += x->view.conserved;
        motion += e->kinetic + e->shear + e->stretch + e->bend + e->twist -
                  resting_energy(g, x->lane_of[i]);
        x->stats->constraint_max = wy_max(x->stats->constraint_max, x->view.drift);
    }
    if (x->steps == 0) x->stats->energy_start = total;
    x->stats->energy_end = total;
    if (!isfinite(total))
        return wy_fail(err, WITHY_NO_CONVERGENCE,
                       "fdtd: the energy is not finite at t = %g (step %lld); use a smaller "
                       "options.dt (now %g)",
                       x->t, (long long)x->steps, x->step);
    x->scale = wy_max(x->scale, motion);
    const double off = fabs(total - x->stats->energy_start);
    if (x->scale > 0 && x->closed)
        x->stats->energy_drift = wy_max(x->stats->energy_drift, off / x->scale);
    if (x->closed && x->steps > 0 && off > RUNAWAY * (x->scale - off) && off > 0.5 * x->scale)
        return wy_fail(
            err, WITHY_NO_CONVERGENCE,
            "fdtd: the energy grew to %.3g times what it was at t = %g (step %lld); use a "
            "smaller options.dt (now %g) or a larger options.n",
            x->scale / (x->scale - off), x->t, (long long)x->steps, x->step);
    return WITHY_OK;
}

static withy_status take_arrays(state *x, wy_arena *arena, withy_error *err) {
    const size_t rods = (size_t)x->problem->rod_count;
    x->group = wy_arena_take(arena, rods, sizeof *x->group);
    x->group_of = wy_arena_take(arena, rods, sizeof *x->group_of);
    x->lane_of = wy_arena_take(arena, rods, sizeof *x->lane_of);
    x->reference = wy_arena_take(arena, rods, sizeof *x->reference);
    x->stretch = wy_arena_take(arena, rods, sizeof *x->stretch);
    if (!x->group || !x->group_of || !x->lane_of || !x->reference || !x->stretch)
        return wy_fail(err, WITHY_NO_MEMORY, "fdtd: no memory for %zu rods", rods);
    return wy_fdtd_view_make(&x->view, x->opt.n, arena, err);
}

static withy_status create_staggered(state *x, const wy_setup *setup, withy_error *err) {
    wy_fdtd_form_groups(x);
    /* leapfrog keeps this energy bounded, and exactly only when the motion is linear: the drift is
     * told, but no promise of conservation is made */
    x->closed = wy_fdtd_conserves(x);
    for (int i = 0; i < x->group_count; i++) {
        WY_TRY(wy_fdtd_group_make(&x->group[i], setup, err));
        wy_fdtd_group_set_step(&x->group[i], x->dt);
        WY_TRY(wy_fdtd_group_start(&x->group[i], err));
    }
    return look(x, err);
}

static withy_status create(const wy_setup *setup, void **out, withy_error *err) {
    state *x = wy_arena_take(setup->arena, 1, sizeof *x);
    if (!x) return wy_fail(err, WITHY_NO_MEMORY, "fdtd: no memory for the state");
    x->problem = setup->problem, x->stats = setup->stats, x->arena = setup->arena;
    x->opt = *(const wy_fdtd_options *)setup->options;
    const int order = x->opt.order;
    if (order % 2)
        return wy_fail(err, WITHY_BAD_INPUT, "options.order = %d: must be 2, 4 or 6", order);
    if (x->opt.n < wy_fdtd_least_n(order))
        return wy_fail(err, WITHY_BAD_INPUT,
                       "options.n = %d: order %d needs at least %d intervals, or choose a lower "
                       "options.order",
                       x->opt.n, order, wy_fdtd_least_n(order));
    wy_fdtd_operator_make(order, x->opt.n, &x->op);
    WY_TRY(take_arrays(x, setup->arena, err));
    WY_TRY(wy_fdtd_find_lengths(x, err));
    WY_TRY(wy_fdtd_find_step(x, setup->notes, err));
    WY_TRY(wy_fdtd_note_regularisation(x, setup->notes, err));
    *out = x;
    if (x->opt.scheme == WY_FDTD_STAGGERED) return create_staggered(x, setup, err);
    return wy_fdtd_literal_create(setup, x->dt, &x->literal, err);
}

/* ---- advance --------------------------------------------------------------------------------- */

static void renormalise(wy_fdtd_group *g) {
    for (int k = 0; k < g->n * g->lanes; k++) {
        const quat q = q_unit((quat){g->q[0][k], g->q[1][k], g->q[2][k], g->q[3][k]});
        g->q[0][k] = q.w, g->q[1][k] = q.x, g->q[2][k] = q.y, g->q[3][k] = q.z;
    }
}

static int is_live(const wy_fdtd_group *g) {
    return g->live_loads || g->end[0].moves || g->end[1].moves ||
           (g->end[0].loaded && !g->end[0].steady) || (g->end[1].loaded && !g->end[1].steady);
}

/* `count` steps of one group; its rods do not feel the others, so its memory stays in the cache. */
static withy_status run_group(wy_fdtd_group *g, double from, double dt, int64_t count,
                              withy_error *err) {
    const int live = is_live(g);
    for (int64_t i = 1; i <= count; i++) {
        if (g->drags) wy_fdtd_square_drag(g);
        wy_fdtd_step(g);
        g->step++;
        g->t = from + (double)i * dt;
        if (live) {
            WY_TRY(wy_fdtd_loads(g, err));
            WY_TRY(wy_fdtd_ends(g, err));
        }
        if (g->step % RENORMALISE == 0) renormalise(g);
    }
    return WITHY_OK;
}

/* Groups are handed out one by one; none feels another, so the order does not change a digit. */
typedef struct crew {
    state *x;
    double dt;
    int64_t count;
    atomic_int next;
} crew;

static void *work(void *context) {
    crew *c = context;
    for (int i; (i = atomic_fetch_add(&c->next, 1)) < c->x->group_count;)
        run_group(&c->x->group[i], c->x->t, c->dt, c->count, NULL); /* nothing live: cannot fail */
    return NULL;
}

static int thread_count(const state *x, int64_t count) {
    const long wanted = x->opt.threads ? x->opt.threads : sysconf(_SC_NPROCESSORS_ONLN);
    const double each = (double)count * x->opt.n * x->problem->rod_count / WORTH_A_THREAD;
    for (int i = 0; i < x->group_count;
         i++) /* functions of a scene are called by one thread only */
        if (is_live(&x->group[i])) return 1;
    return (int)wy_max(1,
                       wy_min(wy_min((double)wanted, each), wy_min(x->group_count, MOST_THREADS)));
}

static withy_status run_groups(state *x, double dt, int64_t count, withy_error *err) {
    const int threads = thread_count(x, count);
    if (threads == 1) {
        for (int i = 0; i < x->group_count; i++)
            WY_TRY(run_group(&x->group[i], x->t, dt, count, err));
        return WITHY_OK;
    }
    crew c = {.x = x, .dt = dt, .count = count};
    pthread_t thread[MOST_THREADS];
    int started = 0;
    while (started < threads - 1 && pthread_create(&thread[started], NULL, work, &c) == 0)
        started++;
    work(&c);
    for (int i = 0; i < started; i++) pthread_join(thread[i], NULL);
    return WITHY_OK;
}

static withy_status advance_staggered(state *x, double t, int64_t count, withy_error *err) {
    const double dt = (t - x->t) / (double)count;
    const int changed = fabs(dt / x->step - 1.0) > 1e-6;
    for (int i = 0; i < x->group_count && changed; i++)
        WY_TRY(wy_fdtd_group_change_step(&x->group[i], dt, err));
    if (changed) x->step = dt;
    WY_TRY(run_groups(x, dt, count, err));
    for (int i = 0; i < x->group_count; i++) x->group[i].t = t;
    return WITHY_OK;
}

/* Steps to t: whole regular steps, or, off their grid, equal shorter ones. */
static int64_t count_steps(const state *x, double t) {
    const double steps = (t - x->t) / x->dt, whole = floor(steps + 0.5);
    if (whole >= 1 && fabs(steps - whole) < 1e-6 * wy_max(1.0, 1e-6 * whole)) return (int64_t)whole;
    return (int64_t)ceil(steps);
}

/* After statics: the clock and the books start again, under the full loads. */
static withy_status start_again(state *x, withy_error *err) {
    wy_fdtd_group *g = &x->group[0];
    x->still = 0;
    x->t = g->t = 0.0;
    x->steps = x->looked = g->step = 0;
    x->scale = x->stats->energy_drift = 0.0;
    WY_TRY(wy_fdtd_group_start(g, err));
    return look(x, err);
}

static withy_status advance(void *self, double t, withy_error *err) {
    state *x = self;
    if (x->still) WY_TRY(start_again(x, err));
    const int64_t count = count_steps(x, t);
    if (x->literal)
        WY_TRY(wy_fdtd_literal_advance(x->literal, x->problem->rod_count, t, count, err));
    else
        WY_TRY(advance_staggered(x, t, count, err));
    x->steps += count, x->stats->steps = x->steps;
    x->t = t;
    const double output = x->problem->request.output, k = floor(t / output + 0.5);
    const int landed = fabs(t - k * output) < 0.5 * x->step;
    if (x->literal || (x->steps - x->looked < LOOK_AFTER && !landed)) return WITHY_OK;
    return look(x, err);
}

static double step(const void *self) {
    return ((const state *)self)->dt;
}

/* ---- statics and modes ----------------------------------------------------------------------- */

static withy_status only_one(const state *x, withy_error *err) {
    if (x->literal)
        return wy_fail(err, WITHY_UNSUPPORTED,
                       "fdtd: the literal scheme has no statics and no modes; use options.scheme = "
                       "\"staggered\"");
    if (x->problem->rod_count > 1)
        return wy_fail(err, WITHY_UNSUPPORTED,
                       "fdtd: statics and modes of one rod at a time; take the others out");
    return WITHY_OK;
}

static withy_status equilibrium(void *self, double factor, withy_equilibrium *point,
                                withy_error *err) {
    state *x = self;
    WY_TRY(only_one(x, err));
    for (int i = 0; i < 2; i++) {
        const withy_end *end = &x->problem->rod[0].end[i];
        if (end->position.call || end->tangent.call || end->normal.call || end->frame.call)
            return wy_fail(err, WITHY_UNSUPPORTED,
                           "fdtd: an equilibrium with ends that move along the path is beyond this "
                           "method; use director, kirchhoff or cheb");
    }
    x->still = 1;
    WY_TRY(wy_fdtd_equilibrium(&x->group[0], 0, x->arena, factor, point, err));
    wy_fdtd_observe(&x->group[0], 0, &x->view);
    const withy_energies *e = &x->view.energy;
    point->energy = e->shear + e->stretch + e->bend + e->twist + e->gravity;
    return WITHY_OK;
}

static withy_status modes(void *self, int count, withy_mode *mode, withy_error *err) {
    state *x = self;
    WY_TRY(only_one(x, err));
    return wy_fdtd_modes(&x->group[0], 0, x->arena, count, mode, err);
}

const wy_method wy_method_fdtd = {
    .name = "fdtd",
    .summary = "explicit geometrically exact rod, staggered differences of order 2, 4 or 6",
    .source = "[FD] chapters 3 and 4",
    .can = WY_CAN_RODS | WY_CAN_TWIST | WY_CAN_REST | WY_CAN_VARY | WY_CAN_ORTHO | WY_CAN_GUIDED |
           WY_CAN_FOLLOW | WY_CAN_MOMENT | WY_CAN_DRAG | WY_CAN_LUMP | WY_CAN_TENSION | WY_CAN_SPIN,
    .options = option_table,
    .options_size = sizeof(wy_fdtd_options),
    .accept = accept,
    .create = create,
    .advance_to = advance,
    .nodes = wy_fdtd_nodes,
    .sample = wy_fdtd_sample,
    .step = step,
    .equilibrium = equilibrium,
    .modes = modes,
};
