/* cheb.c - the geometrically exact rod on Chebyshev points, dynamics and equilibrium.
 *
 * Source [CH]: the thesis on elastic rods of docs/sources.md, with corrections (below, in docs/theory/cheb.md
 * and in the notes of `withy verify cheb`).
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
 *   C1, C2   x->along.c1, x->along.c2     N, N m^2 (EA, GA1, GA2), (GJ, EI1, EI2)
 *   g0, kappa0  x->along.g0, x->along.k0  -, 1/m   rest strains: any pre-strain
 *   rhoA, rhoJ  x->along.mass, turn kg/m, kg m
 *   D, w     x->grid          1/m, m   collocation matrix, quadrature weights
 *   k1, k2   drag, drag_spin           external damping: rod.drag.linear, rod.drag.spin
 *
 * Conventions.  [CH] numbers nodes from End (s = smax) to Begin; here node 0 is the start.  [CH] has
 * the first material axis along the rod, A = (d3, d1, d2) of withy (cheb/frame.h).  Same sign of f
 * and m, same scalar-first quaternions.
 *
 * Files: ends, load, planar, spatial (balance of the rod), step and rates (in time), ledger (energy), jacobian and
 * turns, equations and matrix (equilibrium, modes), state_load (loads of the state), sample.  Points and derivative:
 * numeric/transform/transform.h; integrators: numeric/time/second_order.h; is it planar: model/shape/shape.h.
 *
 * Departs from [CH]: stage times; end conditions on Legendre points (G), by penalty (B) or flux (A)
 * instead of one-sided differences, which are only second order; consistent mass scaling; each with
 * an option that restores the form of the thesis where its numbers depend on it.
 */
#include <float.h>

#include "method/cheb/cheb.h"
#include "method/cheb/frame.h"
#include "method/cheb/static.h"
#include "numeric/time/ode.h"

#define ROW(key, unit, doc, kind, field, ...)                                                      \
    WY_OPTION(wy_cheb_options, field, key, unit, doc, kind, __VA_ARGS__)

static const wy_option option_table[] = {
    ROW("n", "-", "degree of the polynomials; n + 1 nodes", 'i', n, 16, 4, 1024, NULL),
    ROW("dt", "s", "time step; auto: 0.9 of the stable one (explicit), time.output (implicit)", 'a',
        dt, 0, 1e-12, 1e6, NULL),
    ROW("integrator", "-",
        "explicit euler rk2 rk3 rk4 ab2 ab3, implicit midpoint alpha radau, adaptive erk bdf", 'w',
        integrator, WY_SECOND_RK4, 0, 0, "euler|rk2|rk3|rk4|ab2|ab3|midpoint|alpha|radau|erk|bdf"),
    ROW("ends", "-",
        "on Legendre points (G, creates no energy); on those of [CH] by flux (A) or penalty (B), "
        "which can; auto: G, or B with expanded",
        'w', ends, WY_CHEB_ENDS_AUTO, 0, 0, "auto|A|B|G"),
    ROW("space", "-", "planar needs everything in one plane; auto: planar where that holds", 'w',
        space, WY_CHEB_AUTO, 0, 0, "auto|planar|spatial"),
    ROW("derivative", "-", "of force and moment: D f, or the chain rule as in [CH] equilibria", 'w',
        expanded, 0, 0, 0, "direct|expanded"),
    ROW("staging", "-", "ends in a stage at its own time, or (thesis) at the end of the step", 'w',
        thesis_staging, 0, 0, 0, "correct|thesis"),
    ROW("mass_axial", "-", "factor on the mass that resists motion along the rod", 'd', mass_axial,
        1, 1e-6, 1e9, NULL),
    ROW("mass_shear", "-", "factor on the mass that resists motion across the rod", 'd', mass_shear,
        1, 1e-6, 1e9, NULL),
    ROW("mass_shear2", "-", "the same along d2, mass_shear then being along d1; 0: mass_shear", 'd',
        mass_shear2, 0, 0, 1e9, NULL),
    ROW("mass_turn", "-", "factor on the rotary inertia", 'd', mass_turn, 1, 1e-6, 1e9, NULL),
    ROW("mass_form", "-", "conservative, or [CH]'s without the rates of the axes", 'w', thesis_mass,
        0, 0, 0, "consistent|thesis"),
    ROW("normalise", "-", "keep quaternions at length 1 after every step", 'b', normalise, 1, 0, 1,
        NULL),
    ROW("rho", "-", "alpha: spectral radius at infinity, 0 damps most, 1 none", 'd', rho, 0.8, 0, 1,
        NULL),
    ROW("tol", "-", "erk, bdf: relative error per step", 'd', tol, 1e-7, 1e-13, 1e-1, NULL),
    ROW("absolute", "-", "erk, bdf: absolute error per step, in lengths of the rod", 'd', absolute,
        1e-9, 1e-16, 1e-1, NULL),
    ROW("newton_tol", "-", "implicit: largest change of the last iteration", 'd', newton_tol, 1e-10,
        1e-15, 1e-2, NULL),
    ROW("newton_max", "-", "implicit: most Newton iterations", 'i', newton_max, 30, 1, 500, NULL),
    ROW("safe", "-", "refuse a step beyond the stability limit, and stop when energy is created",
        'b', safe, 1, 0, 1, NULL),
    {{0}, 0},
};

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
                return wy_unsupported(err,
                                      "cheb: rod.%s" WY_KEY
                                      " is not given or infinite; this rod can shear, stretch and "
                                      "twist, so give every stiffness" WY_OR_USE_ANOTHER,
                                      name[j]);
        for (int j = WITHY_ROTARY1; j <= WITHY_ROTARY3; j++)
            if (!(rho[j] > 0))
                return wy_unsupported(
                    err,
                    "cheb: rod.inertia.rotary" WY_KEY
                    " is %g; the sections need rotary inertia > 0" WY_OR_USE_ANOTHER,
                    rho[j]);
    }
    return WITHY_OK;
}

/* ---- create ----------------------------------------------------------------------------------- */

static withy_status take_along(wy_cheb *x, withy_error *err) {
    const size_t m = (size_t)x->grid.ld;
    wy_cheb_along *r = &x->along;
    wy_allocator from = {.arena = x->setup->arena};
    for (int k = 0; k < 3; k++) {
        double **array[] = {&r->c1[k], &r->c2[k],  &r->h1[k],  &r->h2[k],   &r->g0[k],
                            &r->k0[k], &r->dg0[k], &r->dk0[k], &r->mass[k], &r->turn[k]};
        for (size_t i = 0; i < sizeof array / sizeof *array; i++)
            *array[i] = wy_allocator_alloc(&from, m, sizeof(double));
    }
    r->rho = wy_allocator_alloc(&from, m, sizeof(double));
    for (int k = 0; k < 2; k++) x->initial[k] = wy_allocator_alloc(&from, 7 * m, sizeof(double));
    return from.failed ? wy_no_memory(err, "cheb: no memory for n = %d", x->grid.n) : WITHY_OK;
}

/* M = diag(m_axial, m_t1, m_t2) of [CH] (2.31), as factors. */
static double across_mass(const wy_cheb *x, int axis) {
    return axis == 1 && x->opt.mass_shear2 > 0 ? x->opt.mass_shear2 : x->opt.mass_shear;
}

/* One node in the plane: (along, across) for force, (about the normal) for moment. */
static void planar_section(wy_cheb *x, int i, const wy_section_at *section, const double *e) {
    const double *b = x->plane.across_in, *n = x->plane.normal_in;
    const double *k = section->stiffness, *h = section->damping, *rho = section->inertia;
    wy_cheb_along *r = &x->along;
    r->mass[1][i] = across_mass(x, fabs(b[1]) > fabs(b[0])) * rho[0]; /* b is along one of them */
    r->c1[1][i] = b[0] * b[0] * k[0] + b[1] * b[1] * k[1];
    r->h1[1][i] = b[0] * b[0] * h[0] + b[1] * b[1] * h[1];
    r->g0[1][i] = b[0] * e[0] + b[1] * e[1];
    r->c2[0][i] = n[0] * n[0] * k[3] + n[1] * n[1] * k[4];
    r->h2[0][i] = n[0] * n[0] * h[3] + n[1] * n[1] * h[4];
    r->k0[0][i] = n[0] * e[3] + n[1] * e[4];
    r->turn[0][i] = x->opt.mass_turn * (n[0] * n[0] * rho[1] + n[1] * n[1] * rho[2]);
}

static void spatial_section(wy_cheb *x, int i, const wy_section_at *section, const double *e) {
    const double *k = section->stiffness, *h = section->damping, *rho = section->inertia;
    const double turn = x->opt.mass_turn;
    wy_cheb_along *r = &x->along;
    for (int j = 0; j < 2; j++) {
        r->c1[1 + j][i] = k[j], r->h1[1 + j][i] = h[j], r->g0[1 + j][i] = e[j];
        r->c2[1 + j][i] = k[3 + j], r->h2[1 + j][i] = h[3 + j], r->k0[1 + j][i] = e[3 + j];
        r->mass[1 + j][i] = across_mass(x, j) * rho[0];
        r->turn[1 + j][i] = turn * rho[1 + j];
    }
    r->c2[0][i] = k[5], r->h2[0][i] = h[5], r->k0[0][i] = e[5], r->turn[0][i] = turn * rho[3];
}

static void sections(wy_cheb *x, const wy_section_at *section,
                     const double (*rest)[WITHY_STRAINS]) {
    wy_cheb_along *r = &x->along;
    for (int i = 0; i < x->grid.ld; i++)
        for (int k = 0; k < 3; k++) r->mass[k][i] = r->turn[k][i] = 1.0; /* padding */
    for (int i = 0; i <= x->grid.n; i++) {
        const double *h = section[i].damping, rho = section[i].inertia[WITHY_MASS];
        r->rho[i] = rho;
        for (int j = 0; j < WITHY_STRAINS; j++) r->viscous |= h[j] > 0;
        r->c1[0][i] = section[i].stiffness[2], r->h1[0][i] = h[2], r->g0[0][i] = 1.0 + rest[i][2];
        r->mass[0][i] = x->opt.mass_axial * rho;
        (x->planar ? planar_section : spatial_section)(x, i, &section[i], rest[i]);
    }
    for (int k = 0; k < 3; k++) {
        wy_collocation_derive(&x->grid, 1, r->g0[k], r->dg0[k]);
        wy_collocation_derive(&x->grid, 1, r->k0[k], r->dk0[k]);
    }
    const double across = across_mass(x, 0);
    r->scaled = x->opt.mass_axial != across || across != across_mass(x, 1);
    r->drag = x->rod->drag_linear, r->drag_quadratic = x->rod->drag_quadratic;
    r->drag_spin = x->rod->drag_spin;
    r->resisted =
        x->problem->floor.given || r->drag > 0 || r->drag_quadratic > 0 || r->drag_spin > 0;
}

/* The initial shape and velocity at the nodes; angle or quaternion without jumps along the rod. */
static withy_status initial_state(wy_cheb *x, const wy_pose *pose, withy_error *err) {
    const int ld = x->grid.ld;
    const wy_plane *p = &x->plane;
    for (int i = 0; i <= x->grid.n; i++) {
        vec3 v, spin;
        double *u = x->initial[0] + i, *rate = x->initial[1] + i;
        WY_TRY(wy_velocity_at(x->rod, x->grid.s[i], &v, &spin, err));
        const vec3 r = pose[i].r, d3 = pose[i].frame.c3;
        if (x->planar) {
            u[0] = v3_dot(r, p->e1), u[ld] = v3_dot(r, p->e2);
            rate[0] = v3_dot(v, p->e1), rate[ld] = v3_dot(v, p->e2);
            rate[2 * ld] = v3_dot(spin, p->normal);
            const double angle = atan2(v3_dot(d3, p->e2), v3_dot(d3, p->e1));
            const double near = i ? u[2 * ld - 1] : angle;
            u[2 * ld] = angle + 2 * WY_PI * rint((near - angle) / (2 * WY_PI));
            continue;
        }
        quat q = wy_cheb_quat_of(pose[i].frame);
        if (i) q = q_near(q, quat_at(u - 1, ld, 0));
        put_vec(u, ld, 0, r), put_quat(u, ld, 0, q);
        put_vec(rate, ld, 0, v), put_quat(rate, ld, 0, wy_cheb_et(q, v3_scale(0.5, spin)));
    }
    return WITHY_OK;
}

/* Combinations of options that would leave out a part of the scene. */
static withy_status fitting_options(const wy_cheb *x, withy_error *err) {
    for (int e = 0; e < 2; e++) {
        const int body = x->end[e].body;
        if (body && x->opt.ends == WY_CHEB_ENDS_A)
            return wy_unsupported(err,
                                  "cheb: a body on an end needs options.ends = \"B\" or \"G\"");
        if (body && x->along.scaled)
            return wy_unsupported(
                err, "cheb: a body on an end needs options.mass_axial = mass_shear = mass_shear2");
    }
    if (x->opt.expanded && (x->opt.ends != WY_CHEB_ENDS_B || x->along.viscous))
        return wy_unsupported(
            err, "cheb: options.derivative" WY_KEY
                 " = \"expanded\" goes with ends = \"B\" and without rod.damping; use \"direct\"");
    return WITHY_OK;
}

/* Is the rod planar, and what are its sections? */
static withy_status make_rod(wy_cheb *x, withy_error *err) {
    const int count = x->grid.n + 1;
    wy_arena *arena = x->setup->arena;
    const wy_model *model = x->setup->model;
    wy_allocator from = {.arena = arena};
    wy_pose *pose = wy_allocator_alloc(&from, (size_t)count, sizeof *pose);
    wy_section_at *section = wy_allocator_alloc(&from, (size_t)count, sizeof *section);
    double(*rest)[WITHY_STRAINS] = wy_allocator_alloc(&from, (size_t)count, sizeof *rest);
    if (from.failed) return wy_no_memory(err, "cheb: no memory for the shape");
    WY_TRY(wy_model_initial_poses(model, 0, count, x->grid.s, pose, err));
    WY_TRY(wy_model_sections(model, 0, count, x->grid.s, section, err));
    WY_TRY(wy_model_rest_strains(model, 0, count, x->grid.s, rest, err));
    const wy_stations at = {.count = count,
                            .s = x->grid.s,
                            .pose = pose,
                            .section = section,
                            .rest = (const double(*)[WITHY_STRAINS])rest};
    x->along.slow = wy_slow_motion(x->grid.length, &at);
    int plane = WY_PLANE_NONE;
    if (x->opt.space != WY_CHEB_SPATIAL)
        WY_TRY(wy_plane_find(x->problem, model, 0, &at, &x->plane, &plane, err));
    x->planar = plane == WY_PLANE_FOUND || /* what leaves it is refused when it is read */
                (plane == WY_PLANE_UNLESS && x->opt.space == WY_CHEB_PLANAR);
    /* masses along d1 and d2 that differ pull the rod out of a plane between them */
    if (across_mass(x, 0) != across_mass(x, 1) &&
        fabs(x->plane.across_in[0] * x->plane.across_in[1]) > 1e-9)
        x->planar = 0;
    if (!x->planar && x->opt.space == WY_CHEB_PLANAR)
        return wy_unsupported(err, "cheb: options.space" WY_KEY
                                   " = \"planar\", but shape, ends, loads or sections leave the "
                                   "plane; use \"auto\" or \"spatial\"");
    x->fields = x->planar ? 3 : 7;
    x->size = x->fields * x->grid.ld;
    sections(x, section, at.rest);
    return initial_state(x, pose, err);
}

static withy_status create(const wy_setup *setup, void **self, withy_error *err) {
    wy_cheb *x = wy_arena_alloc(setup->arena, 1, sizeof *x);
    if (!x) return wy_no_memory(err, "cheb: no memory for the method");
    *self = x;
    x->setup = setup, x->problem = setup->problem, x->rod = &setup->problem->rod[0];
    x->opt = *(const wy_cheb_options *)setup->options;
    x->excess = x->opt.normalise ? 0.0 : 1.0;
    if (x->opt.ends == WY_CHEB_ENDS_AUTO)
        x->opt.ends = x->opt.expanded ? WY_CHEB_ENDS_B : WY_CHEB_ENDS_G;
    if (!wy_collocation_make(setup->arena, x->opt.n, x->opt.ends == WY_CHEB_ENDS_G, x->rod->length,
                             &x->grid))
        return wy_no_memory(err, "cheb: no memory for n = %d", x->opt.n);
    WY_TRY(take_along(x, err));
    WY_TRY(make_rod(x, err));
    /* as short as functions of time may vary, as long as rounding in second differences allows */
    x->drive_step = x->opt.dt > 0 ? wy_min(x->opt.dt, 1e-4 * x->along.slow) : 1e-4 * x->along.slow;
    WY_TRY(wy_cheb_ends_make(x, x->initial[0], err));
    WY_TRY(fitting_options(x, err));
    wy_cheb_ledger_make(x);
    if (wy_second_is_implicit(x->opt.integrator) && !wy_collocation_rows(setup->arena, &x->grid))
        return wy_no_memory(err, "cheb: no memory for n = %d", x->opt.n);
    WY_TRY(wy_cheb_motion_make(x, err));
    return wy_cheb_loads_make(x, err);
}

static void layout(void *self, wy_block *state, wy_block *scratch) {
    wy_cheb *x = self;
    const size_t size = (size_t)x->size, ld = (size_t)x->grid.ld;
    const wy_range row[] = {WY_REAL(wy_cheb_state, second.h, 0, DBL_MAX),
                            WY_COUNT(wy_cheb_state, second.history),
                            WY_WHOLE(wy_cheb_state, second.newest, 0, 2),
                            WY_WHOLE(wy_cheb_state, second.order, 0, WY_SECOND_BDF_ORDER),
                            WY_COUNT(wy_cheb_state, second.equal),
                            WY_FLAG(wy_cheb_state, decay_noted),
                            WY_WHOLE(wy_cheb_state, pull, 0, x->loads.equilibrium[1] != NULL)};
    x->state = WY_ALLOC_CHECKED(state, 1, wy_cheb_state, row);
    double **piece[] = {&x->u, &x->v, &x->a, &x->p1, &x->f, &x->df};
    for (size_t i = 0; i < sizeof piece / sizeof *piece; i++) *piece[i] = wy_cheb_take(state, size);
    x->v1 = wy_cheb_take(scratch, size);
    x->load = wy_cheb_take(scratch, size);
    for (int i = 0; i < 7; i++) x->stage[i] = wy_cheb_take(scratch, size);
    x->row = wy_cheb_take(scratch, ld);
    x->second.state = x->state ? &x->state->second : NULL; /* NULL: the pass that counts */
    x->second.u = x->u, x->second.v = x->v, x->second.a = x->a;
    wy_second_layout(&x->second, state, scratch);
    if (wy_second_is_implicit(x->opt.integrator)) wy_cheb_jacobian_layout(x, 1, scratch);
}

/* ---- is n enough? ------------------------------------------------------------------------------- */

void wy_cheb_note_decay(wy_cheb *x) {
    const double TOO_MUCH = 1e-2;
    const double tail = x->state->decay_noted ? 0.0 : wy_cheb_decay(x);
    if (!(tail > TOO_MUCH)) return;
    x->state->decay_noted = 1;
    wy_note(x->setup->notes, WY_NOTE(resolution_cheb), x->grid.n, x->state->t, tail);
}

/* Every fifth of a slow motion and then less and less often, so that neither the outputs nor the length of the
 * run matter. */
static void check_decay(wy_cheb *x) {
    if (x->state->t < x->state->look) return;
    x->state->look = 1.05 * x->state->t + 0.2 * x->along.slow;
    wy_cheb_note_decay(x);
}

/* ---- start, preferred step, advance ------------------------------------------------------------------------- */

withy_status wy_cheb_start_motion(wy_cheb *x, withy_error *err) {
    WY_TRY(wy_cheb_bound(x, 0.0, x->u, x->v, err));
    WY_TRY(wy_cheb_accel(x, 0.0, x->u, x->v, x->a, err));
    wy_cheb_ledger_start(x);
    x->state->look = 0.2 * x->along.slow;
    return WITHY_OK;
}

static withy_status start(void *self, withy_error *err) {
    wy_cheb *x = self;
    memcpy(x->u, x->initial[0], (size_t)x->size * sizeof *x->u);
    memcpy(x->v, x->initial[1], (size_t)x->size * sizeof *x->v);
    x->state->factor = 1.0;
    if (x->rod->settled) return WITHY_OK; /* the distance to its ends is covered by the statics */
    return wy_cheb_start_motion(x, err);
}

static const char *const explicit_name[] = {"euler", "rk2", "rk3", "rk4", "ab2", "ab3"};

/* What is asked for with safe = false: to see it grow. */
static void report_unstable(const wy_cheb *x) {
    wy_note(x->setup->notes, WY_NOTE(step_unstable), x->opt.dt, explicit_name[x->opt.integrator],
            x->opt.n, x->limit);
}

/* The step: as given if stable, else a refusal with the stable step. */
static withy_status preferred_step(void *self, wy_preferred_step *out, withy_error *err) {
    wy_cheb *x = self;
    WY_TRY(wy_cheb_stability(x, err));
    const double dt = x->opt.dt;
    const int explicit_one = wy_second_is_explicit(x->opt.integrator);
    out->dt = dt, out->given = dt > 0;
    out->adaptive = wy_second_is_adaptive(x->opt.integrator);
    if (out->adaptive) return wy_cheb_adaptive_make(x, err);
    if (!explicit_one) return WITHY_OK;
    if (dt == 0.0) out->dt = x->good;
    if (dt > x->limit * (1 + 1e-9)) WY_TRY(wy_cheb_try_step(x, dt, err));
    if (dt <= x->limit * (1 + 1e-9)) return WITHY_OK;
    if (!x->opt.safe) {
        report_unstable(x);
        return WITHY_OK;
    }
    return wy_bad_input(err,
                        "cheb: options.dt" WY_KEY
                        " = %g is unstable: %s with n = %d (largest frequency %.4g rad/s) allows "
                        "%.4g; use that, \"auto\", or integrator = \"radau\"",
                        dt, explicit_name[x->opt.integrator], x->opt.n, x->omega, x->limit);
}

static withy_status finite(const wy_cheb *x, withy_error *err) {
    double sum = 0;
    for (int f = 0; f < x->fields; f++)
        for (int i = 0; i <= x->grid.n; i++) sum += 0.0 * x->u[f * x->grid.ld + i];
    if (sum == 0.0) return WITHY_OK;
    return wy_no_convergence(
        err,
        "cheb: the solution has grown without bound before t = %g; reduce options.dt (now %g; %g "
        "was stable at the start), or use integrator = \"radau\"%s",
        x->state->t, x->state->second.h, x->limit,
        x->opt.ends == WY_CHEB_ENDS_G ? "" : " or options.ends = \"G\"");
}

static withy_status advance(void *self, const wy_span *span, withy_error *err) {
    wy_cheb *x = self;
    for (int64_t k = span->from; k < span->to; k++) {
        const double t = wy_span_time(span, k), end = wy_span_time(span, k + 1);
        if (wy_second_is_adaptive(x->opt.integrator))
            WY_TRY(wy_cheb_adaptive_advance(x, end, err));
        else
            WY_TRY(wy_cheb_step(x, t, span->h, err));
        x->state->t = end;
        WY_TRY(wy_cheb_ledger_step(x, end, err));
        check_decay(x);
    }
    WY_TRY(finite(x, err));
    return wy_cheb_ledger_report(x, err);
}

/* ---- sample and table ---------------------------------------------------------------------------- */

static int nodes(const void *state, int rod, double *s) {
    const wy_cheb *x = state;
    (void)rod;
    for (int i = 0; s && i <= x->grid.n; i++) s[i] = x->grid.s[i];
    return x->grid.n + 1;
}

static void destroy(void *state) {
    wy_cheb *x = state;
    if (x->equilibrium && x->equilibrium->space) destroy(x->equilibrium->space);
    wy_cosine_free(x->grid.fast);
    wy_ode_free(x->second.ode);
}

static double most_drift(const void *self) {
    return ((const wy_cheb *)self)->opt.safe ? WY_CHEB_BOUND : 0.0;
}

static wy_order order(const void *options) {
    static const wy_order row[] = {[WY_SECOND_EULER] = {0, 1, 1.0 / 2},
                                   [WY_SECOND_RK2] = {0, 2, 1.0 / 6},
                                   [WY_SECOND_RK3] = {0, 3, 1.0 / 24},
                                   [WY_SECOND_RK4] = {0, 4, 1.0 / 120},
                                   [WY_SECOND_AB2] = {0, 2, 5.0 / 12},
                                   [WY_SECOND_AB3] = {0, 3, 3.0 / 8},
                                   [WY_SECOND_MIDPOINT] = {0, 2, 1.0 / 12},
                                   [WY_SECOND_ALPHA] = {0, 2, 1.0 / 12},
                                   [WY_SECOND_RADAU] = {0, 5, 0},
                                   [WY_SECOND_ERK] = {0, 4, 0},
                                   [WY_SECOND_BDF] = {0, 4, 0}};
    const wy_cheb_options *opt = options;
    wy_order order = row[opt->integrator];
    /* generalised alpha: of its period, by expansion */
    const double damps = (1 - opt->rho) / (1 + opt->rho);
    if (opt->integrator == WY_SECOND_ALPHA) order.lost += 3.0 / 8 * damps * damps;
    return order;
}

const wy_method wy_method_cheb = {
    WY_METHOD_COMMON(cheb),
    .order = order,
    .summary = "geometrically exact rod, Chebyshev collocation, explicit or implicit, and statics",
    .source = "[CH] chapters 2-5",
    .can = WY_CAN_COSSERAT | WY_CAN(LUMP_TURN) | WY_CAN(SPRING) | WY_CAN(FLOOR) | WY_CAN(DRIVE) |
           WY_CAN(STATE),
    .accept = accept,
    .any_step = 1,
    .equations = &wy_cheb_statics,
    .destroy = destroy,
};
