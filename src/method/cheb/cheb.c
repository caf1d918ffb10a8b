/* cheb.c - the geometrically exact rod on Chebyshev points, dynamics and equilibrium.
 *
 * Source [CH]: the thesis on elastic rods of docs/sources.md; corrected equations in
 * shared/methods/cheb.md, whose 32 errata are taken in.
 *
 *   f = A C1 (A^T p' - g0)                     internal force, spatial                  (2.29)
 *   m = A C2 (kappa - kappa0)                  internal moment                          (2.32)
 *   rhoA pdd = f' + fbar - k1 pdot                                                      (2.40)
 *   rhoJ Wdot + W x rhoJ W = A^T (m' + p' x f + mbar - k2 omega)                        (2.41)
 *   kappa = 2 G q',  W = 2 G qdot,  omega = 2 E qdot,  A = E G^T                        (2.58-2.76)
 *   qdd = G^T R - (qdot.qdot) q,  R = rhoJ^-1 [A^T(...) - W x rhoJ W] / 2               (2.92-2.93)
 * in the plane (theta instead of q): cheb/planar.c.
 *
 * Symbols    here             unit     meaning
 *   p        u[0..2]          m        centre line, laboratory (in the plane: x, y along e1, e2)
 *   q        u[3..6]          -        quaternion of A (in the plane: theta)
 *   f, m     x->f             N, N m   what the part of larger s exerts on the part of smaller s
 *   C1, C2   x->c1, x->c2     N, N m^2 (EA, GA1, GA2), (GJ, EI1, EI2)
 *   g0, kappa0  x->g0, x->k0  -, 1/m   rest strains: any pre-strain
 *   rhoA, rhoJ  x->mass, turn kg/m, kg m
 *   D, w     x->grid          1/m, m   collocation matrix, quadrature weights
 *   k1, k2   drag, drag_spin           external damping: rod.drag.linear, rod.drag.spin
 *
 * Conventions.  [CH] numbers nodes from End (s = smax) to Begin; here node 0 is the start.  [CH] has
 * the first material axis along the rod, A = (d3, d1, d2) of withy (cheb/frame.h).  Same sign of f
 * and m, same scalar-first quaternions.
 *
 * Files: cheb_grid (points, D), cheb_plane (is it planar?), cheb_ends, cheb_load, cheb_planar,
 * cheb_spatial (balance of the rod), cheb_step (explicit), cheb_implicit, cheb_adaptive (in time),
 * cheb_jacobian, cheb_static (equilibrium), cheb_modes, cheb_sample.
 *
 * Departs from [CH]: stage times; end conditions by penalty (B), flux (A) or on Legendre points (G)
 * instead of one-sided differences, which are only second order; consistent mass scaling; each with
 * an option that brings the thesis back where its numbers depend on it.
 */
#include <stddef.h>

#include "method/cheb/cheb.h"
#include "method/cheb/frame.h"

/* ---- options ---------------------------------------------------------------------------------- */

#define ROW(key, unit, doc, kind, field, value, min, max, words)                                   \
    { {key, unit, doc, kind, value, min, max, words}, offsetof(wy_cheb_options, field) }

static const wy_option option_table[] = {
    ROW("n", "-", "degree of the polynomials; n + 1 nodes", 'i', n, 16, 4, 1024, NULL),
    ROW("dt", "s", "time step; auto: 0.9 of the stable one (explicit), time.output (implicit)", 'a',
        dt, 0, 1e-12, 1e6, NULL),
    ROW("integrator", "-",
        "explicit euler rk2 rk3 rk4 ab2 ab3, implicit midpoint alpha radau, adaptive erk bdf", 'w',
        integrator, WY_CHEB_RK4, 0, 0, "euler|rk2|rk3|rk4|ab2|ab3|midpoint|alpha|radau|erk|bdf"),
    ROW("ends", "-", "loose ends by flux (A), penalty (B) or on Legendre points (G, conserves)",
        'w', ends, WY_CHEB_ENDS_B, 0, 0, "A|B|G"),
    ROW("space", "-", "planar needs everything in one plane; auto finds out", 'w', space,
        WY_CHEB_AUTO, 0, 0, "auto|planar|spatial"),
    ROW("derivative", "-", "of force and moment: D f, or the chain rule as in [CH] equilibria", 'w',
        expanded, 0, 0, 0, "direct|expanded"),
    ROW("staging", "-", "ends in a stage at its own time, or (thesis) at the end of the step", 'w',
        thesis_staging, 0, 0, 0, "correct|thesis"),
    ROW("mass_axial", "-", "factor on the mass that resists motion along the rod", 'd', mass_axial,
        1, 1e-6, 1e9, NULL),
    ROW("mass_shear", "-", "factor on the mass that resists motion across the rod", 'd', mass_shear,
        1, 1e-6, 1e9, NULL),
    ROW("mass_turn", "-", "factor on the rotary inertia", 'd', mass_turn, 1, 1e-6, 1e9, NULL),
    ROW("mass_form", "-", "conservative, or [CH]'s without the rates of the axes", 'w', thesis_mass,
        0, 0, 0, "consistent|thesis"),
    ROW("normalise", "-", "keep quaternions at length 1 after every step", 'b', normalise, 1, 0, 1,
        NULL),
    ROW("rho", "-", "alpha: spectral radius at infinity, 0 damps most, 1 none", 'd', rho, 0.8, 0, 1,
        NULL),
    ROW("tolerance", "-", "erk, bdf: relative error per step", 'd', tolerance, 1e-7, 1e-13, 1e-1,
        NULL),
    ROW("absolute", "-", "erk, bdf: absolute error per step, in lengths of the rod", 'd', absolute,
        1e-9, 1e-16, 1e-1, NULL),
    ROW("newton", "-", "implicit and static: largest change of the last iteration", 'd', newton_tol,
        1e-10, 1e-15, 1e-2, NULL),
    ROW("iterations", "-", "implicit and static: most Newton iterations", 'i', iterations, 30, 1,
        500, NULL),
    ROW("settle", "-", "static: approach by damped motion before Newton", 'b', settle, 0, 0, 1,
        NULL),
    {{0}, 0},
};

/* ---- accept ----------------------------------------------------------------------------------- */

static withy_status accept(const withy_problem *problem, withy_error *err) {
    const withy_rod *rod = &problem->rod[0];
    static const char *const name[] = {"stiffness.shear", "stiffness.shear", "stiffness.stretch",
                                       "stiffness.bend",  "stiffness.bend",  "stiffness.twist"};
    for (int i = 0; i <= 4; i++) {
        double k[WITHY_STRAINS], rho[WITHY_INERTIAS];
        const double s = rod->length * i / 4;
        WY_TRY(wy_stiffness_at(rod, s, k, err));
        WY_TRY(wy_inertia_at(rod, s, rho, err));
        for (int j = 0; j < WITHY_STRAINS; j++)
            if (!isfinite(k[j]))
                return wy_fail(err, WITHY_UNSUPPORTED,
                               "cheb: rod.%s is not given or infinite; this rod can shear, stretch "
                               "and twist, so give every stiffness, or use elastica",
                               name[j]);
        for (int j = WITHY_ROTARY1; j <= WITHY_ROTARY3; j++)
            if (!(rho[j] > 0))
                return wy_fail(err, WITHY_UNSUPPORTED,
                               "cheb: rod.inertia.rotary is %g; the sections need rotary inertia > "
                               "0, or use elastica",
                               rho[j]);
    }
    return WITHY_OK;
}

/* ---- create ----------------------------------------------------------------------------------- */

static withy_status take(wy_arena *arena, size_t count, double **out, withy_error *err) {
    *out = wy_arena_take(arena, count, sizeof **out);
    return *out ? WITHY_OK : wy_fail(err, WITHY_NO_MEMORY, "cheb: no memory for the state");
}

static withy_status take_all(wy_cheb *x, wy_arena *arena, withy_error *err) {
    const size_t m = (size_t)x->grid.ld;
    for (int k = 0; k < 3; k++) {
        double **array[] = {&x->c1[k], &x->c2[k],  &x->h1[k],  &x->h2[k],   &x->g0[k],
                            &x->k0[k], &x->dg0[k], &x->dk0[k], &x->mass[k], &x->turn[k]};
        for (size_t i = 0; i < sizeof array / sizeof *array; i++)
            WY_TRY(take(arena, m, array[i], err));
        WY_TRY(take(arena, 7 * m, &x->old_v[k], err));
        WY_TRY(take(arena, 7 * m, &x->old_a[k], err));
    }
    double **state[] = {&x->u, &x->v, &x->a, &x->p1, &x->f, &x->df, &x->v1};
    for (size_t i = 0; i < sizeof state / sizeof *state; i++)
        WY_TRY(take(arena, 8 * m, state[i], err));
    for (int i = 0; i < 12; i++) WY_TRY(take(arena, 8 * m, &x->stage[i], err));
    WY_TRY(take(arena, m, &x->rho, err));
    return take(arena, m, &x->row, err);
}

/* Sections at the nodes.  In the plane: (along, across) for force, (about the normal) for moment. */
static withy_status sections(wy_cheb *x, withy_error *err) {
    double(*rest)[WITHY_STRAINS] = (double(*)[WITHY_STRAINS])x->stage[0];
    WY_TRY(wy_shape_strains(x->rod, &x->rod->rest, x->grid.n + 1, x->grid.s, rest, err));
    for (int i = 0; i < x->grid.ld; i++)
        for (int k = 0; k < 3; k++) x->mass[k][i] = x->turn[k][i] = 1.0; /* padding */
    const double *b = x->across_in, *n = x->normal_in;
    for (int i = 0; i <= x->grid.n; i++) {
        double k[WITHY_STRAINS], h[WITHY_STRAINS], rho[WITHY_INERTIAS];
        const double s = x->grid.s[i];
        WY_TRY(wy_stiffness_at(x->rod, s, k, err));
        WY_TRY(wy_damping_at(x->rod, s, h, err));
        WY_TRY(wy_inertia_at(x->rod, s, rho, err));
        const double *e = rest[i], axial = x->opt.mass_axial, shear = x->opt.mass_shear;
        const double turn = x->opt.mass_turn;
        x->rho[i] = rho[WITHY_MASS];
        for (int j = 0; j < WITHY_STRAINS; j++) x->viscous |= h[j] > 0;
        x->c1[0][i] = k[2], x->h1[0][i] = h[2], x->g0[0][i] = 1.0 + e[2];
        x->mass[0][i] = axial * rho[0], x->mass[1][i] = x->mass[2][i] = shear * rho[0];
        if (x->planar) {
            x->c1[1][i] = b[0] * b[0] * k[0] + b[1] * b[1] * k[1];
            x->h1[1][i] = b[0] * b[0] * h[0] + b[1] * b[1] * h[1];
            x->g0[1][i] = b[0] * e[0] + b[1] * e[1];
            x->c2[0][i] = n[0] * n[0] * k[3] + n[1] * n[1] * k[4];
            x->h2[0][i] = n[0] * n[0] * h[3] + n[1] * n[1] * h[4];
            x->k0[0][i] = n[0] * e[3] + n[1] * e[4];
            x->turn[0][i] = turn * (n[0] * n[0] * rho[1] + n[1] * n[1] * rho[2]);
            continue;
        }
        for (int j = 0; j < 2; j++) {
            x->c1[1 + j][i] = k[j], x->h1[1 + j][i] = h[j], x->g0[1 + j][i] = e[j];
            x->c2[1 + j][i] = k[3 + j], x->h2[1 + j][i] = h[3 + j], x->k0[1 + j][i] = e[3 + j];
            x->turn[1 + j][i] = turn * rho[1 + j];
        }
        x->c2[0][i] = k[5], x->h2[0][i] = h[5], x->k0[0][i] = e[5], x->turn[0][i] = turn * rho[3];
    }
    for (int k = 0; k < 3; k++) {
        wy_cheb_derive(&x->grid, 1, x->g0[k], x->dg0[k]);
        wy_cheb_derive(&x->grid, 1, x->k0[k], x->dk0[k]);
    }
    x->scaled = x->opt.mass_axial != x->opt.mass_shear;
    return WITHY_OK;
}

/* The initial shape and velocity at the nodes; angle or quaternion without jumps along the rod. */
static withy_status initial_state(wy_cheb *x, const wy_pose *pose, withy_error *err) {
    const int ld = x->grid.ld;
    for (int i = 0; i <= x->grid.n; i++) {
        vec3 v, spin;
        WY_TRY(wy_velocity_at(x->rod, x->grid.s[i], &v, &spin, err));
        const vec3 r = pose[i].r, d3 = pose[i].frame.c3;
        if (x->planar) {
            x->u[i] = v3_dot(r, x->e1), x->u[ld + i] = v3_dot(r, x->e2);
            x->v[i] = v3_dot(v, x->e1), x->v[ld + i] = v3_dot(v, x->e2);
            x->v[2 * ld + i] = v3_dot(spin, x->normal);
            const double angle = atan2(v3_dot(d3, x->e2), v3_dot(d3, x->e1));
            const double near = i ? x->u[2 * ld + i - 1] : angle;
            x->u[2 * ld + i] = angle + 2 * WY_PI * rint((near - angle) / (2 * WY_PI));
            continue;
        }
        quat q = wy_cheb_quat_of(pose[i].frame);
        const double *before = x->u + 3 * ld + i - 1;
        if (i &&
            q.w * before[0] + q.x * before[ld] + q.y * before[2 * ld] + q.z * before[3 * ld] < 0)
            q = (quat){-q.w, -q.x, -q.y, -q.z};
        const quat qd = wy_cheb_et(q, v3_scale(0.5, spin));
        const double u[7] = {r.x, r.y, r.z, q.w, q.x, q.y, q.z};
        const double rate[7] = {v.x, v.y, v.z, qd.w, qd.x, qd.y, qd.z};
        for (int f = 0; f < 7; f++) x->u[f * ld + i] = u[f], x->v[f * ld + i] = rate[f];
    }
    return WITHY_OK;
}

/* The step: as asked if stable, else refuse and say what is. */
static withy_status choose_step(wy_cheb *x, withy_error *err) {
    const double output = x->problem->request.output;
    const int explicit_one = x->opt.integrator <= WY_CHEB_AB3;
    if (x->opt.dt == 0.0) {
        x->opt.dt = explicit_one ? 0.9 * x->limit : output;
    } else if (explicit_one && !(x->opt.dt <= x->limit * (1 + 1e-9))) {
        static const char *const name[] = {"euler", "rk2", "rk3", "rk4", "ab2", "ab3"};
        return wy_fail(err, WITHY_BAD_INPUT,
                       "cheb: options.dt = %g is unstable: %s with n = %d (largest frequency %.4g "
                       "rad/s) allows %.4g; use that, \"auto\", or integrator = \"radau\"",
                       x->opt.dt, name[x->opt.integrator], x->opt.n, x->omega, x->limit);
    }
    return WITHY_OK;
}

static int is_conservative(const wy_cheb *x) {
    if (wy_rod_is_damped(x->rod) || x->problem->floor.damping > 0 || x->rod->load_count > 0)
        return 0;
    for (int e = 0; e < 2; e++) {
        const wy_cheb_end *end = &x->end[e];
        if (end->place >= WY_CHEB_DRIVEN || end->turn >= WY_CHEB_DRIVEN) return 0;
        if (end->end.end->force.size || end->end.end->moment.size) return 0;
    }
    return 1;
}

static void start_ledger(wy_cheb *x) {
    const wy_cheb_energy e = wy_cheb_energies(x);
    x->energy0 = e.total;
    x->conserves = is_conservative(x);
    const withy_energies *k = &e.kind;
    x->energy_scale = fabs(k->kinetic) + fabs(k->shear) + fabs(k->stretch) + fabs(k->bend) +
                      fabs(k->twist) + fabs(k->gravity) + fabs(e.ends);
    x->stats->conserves = 0; /* to the order of the integrator, not to rounding */
    x->stats->energy_start = x->stats->energy_end = e.total;
}

/* Options that would leave out a part of the scene together. */
static withy_status fitting_options(const wy_cheb *x, withy_error *err) {
    for (int e = 0; e < 2; e++) {
        const int body = x->end[e].mass > 0 || !v3_is_zero(x->end[e].inertia);
        if (body && x->opt.ends == WY_CHEB_ENDS_A)
            return wy_fail(err, WITHY_UNSUPPORTED,
                           "cheb: a body on an end needs options.ends = \"B\" or \"G\"");
        if (body && x->scaled)
            return wy_fail(err, WITHY_UNSUPPORTED,
                           "cheb: a body on an end needs options.mass_axial = mass_shear");
    }
    if (x->opt.expanded && (x->opt.ends != WY_CHEB_ENDS_B || x->viscous))
        return wy_fail(err, WITHY_UNSUPPORTED,
                       "cheb: options.derivative = \"expanded\" goes with ends = \"B\" and without "
                       "rod.damping; use \"direct\"");
    return WITHY_OK;
}

static withy_status make_state(wy_cheb *x, wy_arena *arena, withy_error *err) {
    WY_TRY(wy_cheb_grid_make(arena, &x->opt, x->rod->length, &x->grid, err));
    WY_TRY(take_all(x, arena, err));
    wy_pose *pose = wy_arena_take(arena, (size_t)x->grid.n + 1, sizeof *pose);
    if (!pose) return wy_fail(err, WITHY_NO_MEMORY, "cheb: no memory for the shape");
    WY_TRY(wy_shape_poses(x->rod, wy_initial_shape(x->rod), x->grid.n + 1, x->grid.s, pose, err));
    WY_TRY(wy_cheb_plane(x, pose, err));
    x->fields = x->planar ? 3 : 7;
    x->size = x->fields * x->grid.ld;
    WY_TRY(sections(x, err));
    WY_TRY(initial_state(x, pose, err));
    x->drag = x->rod->drag_linear, x->drag_quadratic = x->rod->drag_quadratic;
    x->drag_spin = x->rod->drag_spin;
    const double stop = x->problem->request.stop;
    x->drive_step = x->opt.dt > 0 ? wy_min(x->opt.dt, 1e-4 * stop) : 1e-4 * stop;
    WY_TRY(wy_cheb_ends_make(x, err));
    WY_TRY(fitting_options(x, err));
    WY_TRY(wy_cheb_loads_make(x, arena, err));
    if (x->rod->settled) WY_TRY(wy_cheb_settle(x, err));
    WY_TRY(wy_cheb_bound(x, 0.0, x->u, x->v, err));
    return wy_cheb_accel(x, 0.0, x->u, x->v, x->a, err);
}

static withy_status create(const wy_setup *setup, void **state, withy_error *err) {
    wy_cheb *x = wy_arena_take(setup->arena, 1, sizeof *x);
    if (!x) return wy_fail(err, WITHY_NO_MEMORY, "cheb: no memory for the state");
    *state = x;
    x->problem = setup->problem, x->rod = &setup->problem->rod[0];
    x->opt = *(const wy_cheb_options *)setup->options;
    x->stats = setup->stats, x->notes = setup->notes, x->arena = setup->arena;
    x->looked = -INFINITY;
    x->excess = x->opt.normalise ? 0.0 : 1.0;
    WY_TRY(make_state(x, setup->arena, err));
    WY_TRY(wy_cheb_stability(x, err));
    WY_TRY(choose_step(x, err));
    if (x->opt.integrator >= WY_CHEB_ERK) WY_TRY(wy_cheb_adaptive_make(x, setup->arena, err));
    if (x->opt.integrator >= WY_CHEB_MIDPOINT && x->opt.integrator <= WY_CHEB_RADAU)
        WY_TRY(wy_cheb_implicit_make(x, setup->arena, err));
    start_ledger(x);
    return WITHY_OK;
}

/* ---- advance ---------------------------------------------------------------------------------- */

static void keep_ledger(wy_cheb *x) {
    const wy_cheb_energy e = wy_cheb_energies(x);
    const withy_energies *k = &e.kind;
    const double energy = e.total;
    x->stats->energy_end = energy;
    /* a rod that starts from nothing is measured by what it gains */
    x->energy_scale = wy_max(x->energy_scale, k->kinetic + k->bend + k->stretch);
    if (x->conserves && x->energy_scale > 0)
        x->stats->energy_drift =
            wy_max(x->stats->energy_drift, fabs(energy - x->energy0) / x->energy_scale);
}

/* Say once that the series does not die out. */
static void watch_decay(wy_cheb *x) {
    const double TOO_MUCH = 1e-3;
    if (x->decay_told || x->t < x->looked + 0.02 * x->problem->request.stop) return;
    x->looked = x->t;
    const double tail = wy_cheb_decay(x);
    if (!(tail > TOO_MUCH)) return;
    x->decay_told = 1;
    wy_note(x->notes,
            "cheb: n = %d is not enough: at t = %g the last coefficients of the series are %.1g of "
            "the first; increase options.n",
            x->grid.n, x->t, tail);
}

static withy_status finite(const wy_cheb *x, withy_error *err) {
    double sum = 0;
    for (int f = 0; f < x->fields; f++)
        for (int i = 0; i <= x->grid.n; i++) sum += 0.0 * x->u[f * x->grid.ld + i];
    if (sum == 0.0) return WITHY_OK;
    return wy_fail(
        err, WITHY_NO_CONVERGENCE,
        "cheb: the solution has grown without bound before t = %g; reduce options.dt "
        "(now %g, linear limit %g) or use options.ends = \"G\" or integrator = \"radau\"",
        x->t, x->h, x->limit);
}

static withy_status advance(void *state, double t, withy_error *err) {
    wy_cheb *x = state;
    if (x->is_static) WY_TRY(wy_cheb_leave_statics(x, err));
    if (x->opt.integrator >= WY_CHEB_ERK) {
        WY_TRY(wy_cheb_adaptive_advance(x, t, err));
    } else {
        const double output = x->problem->request.output;
        const double step = output / ceil(output / x->opt.dt - 1e-9);
        const double start = x->t;
        const int64_t count = (int64_t)ceil((t - start) / step - 1e-6);
        const double h = fabs((t - start) / (double)count - step) < 1e-9 * step
                             ? step
                             : (t - start) / (double)count;
        for (int64_t k = 0; k < count; k++) {
            WY_TRY(wy_cheb_step(x, start + (double)k * h, h, err));
            x->stats->steps++;
        }
    }
    x->t = t;
    WY_TRY(finite(x, err));
    keep_ledger(x);
    watch_decay(x);
    return WITHY_OK;
}

/* ---- the other doors ---------------------------------------------------------------------------- */

static int nodes(const void *state, int rod, double *s) {
    const wy_cheb *x = state;
    (void)rod;
    for (int i = 0; s && i <= x->grid.n; i++) s[i] = x->grid.s[i];
    return x->grid.n + 1;
}

static double step(const void *state) {
    const wy_cheb *x = state;
    if (x->opt.integrator >= WY_CHEB_ERK)
        return 0.0; /* none of its own: it stops where it is asked */
    const double output = x->problem->request.output;
    return output / ceil(output / x->opt.dt - 1e-9);
}

static withy_status equilibrium(void *state, double factor, withy_equilibrium *point,
                                withy_error *err) {
    wy_cheb *x = state;
    WY_TRY(wy_cheb_equilibrium(x, factor, &point->iterations, err));
    point->factor = factor;
    point->energy = wy_cheb_energies(x).total;
    x->stats->energy_end = point->energy;
    watch_decay(x);
    return WITHY_OK;
}

static void destroy(void *state) {
    wy_cheb *x = state;
    wy_cosine_free(x->grid.fast);
    wy_cheb_adaptive_free(x);
}

const wy_method wy_method_cheb = {
    .name = "cheb",
    .summary = "geometrically exact rod, Chebyshev collocation, explicit or implicit, and statics",
    .source = "[CH] chapters 2-5",
    .can = WY_CAN_TWIST | WY_CAN_REST | WY_CAN_VARY | WY_CAN_ORTHO | WY_CAN_GUIDED | WY_CAN_FOLLOW |
           WY_CAN_MOMENT | WY_CAN_DRAG | WY_CAN_LUMP | WY_CAN_LUMP_TURN | WY_CAN_SPRING |
           WY_CAN_FLOOR | WY_CAN_SPIN | WY_CAN_SETTLE | WY_CAN_DRIVE,
    .options = option_table,
    .options_size = sizeof(wy_cheb_options),
    .accept = accept,
    .create = create,
    .advance_to = advance,
    .nodes = nodes,
    .sample = wy_cheb_sample,
    .step = step,
    .equilibrium = equilibrium,
    .modes = wy_cheb_modes,
    .destroy = destroy,
};
