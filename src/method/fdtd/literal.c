/* literal.c - the scheme of [FD] chapter 3 as printed, corrected only where misprinted.
 *
 * One grid for everything, two time levels, central differences D, product rule.  D is of order 2 as 3.1.4 and 3.2 print
 * it, or of order 6 as (3.21) and chapter 5 claim (options.order); the source does not say which of them it ran:
 *
 *   v = R^T D r,  n = D_s (v - e3),  m = C u
 *   r+   = 2 r - r- + k^2 R (n_s + f)/(rho A),        n_s = D_s D v + u x n      [FD] (3.12), 3.2
 *   w+   = w- + 2 k (rho J)^-1 (C D u + u x m + v x n - w x rho J w)
 *   u+   = u- + 2 k (D w - w x u)
 *   d_k+ = d_k- + 2 k R (w x e_k)
 *
 * Corrected misprints: signs and frames of the torque line, EI for 2 EI in (3.11), G for E in the
 * torsion of 3.2, R p_t for p_t . d_k in the update of r.
 *
 * Ends: a pinned rod is continued beyond its ends by its point reflection, r(-s) = 2 r(0) - r(s), with R,
 * w, v, n even and u, m odd.  Of free ends [FD] says only that both must be free: here n and m are odd about
 * them, w and R even, and r is continued along the end tangent, which is right to the third order in s because
 * r'' and r''' vanish there.  No such continuation exists for other ends.
 *
 * What is wrong with it: the product rule is not the adjoint of v = R^T D r, so no discrete energy
 * exists, and a run of some amplitude diverges whatever the step (docs/theory/fdtd.md).
 *
 * Symbols: x->now.r, x->before.r (r-), w, u, R likewise; k = dt; h = x->h.
 */
#include "method/fdtd/state.h"
#include "numeric/interpolate/interpolate.h"

enum { GHOST = 3 };

typedef wy_fdtd_level level;

static const withy_rod *rod_of(const wy_fdtd_literal *x) {
    return &x->problem->rod[x->rod];
}

/* It evaluates f and l at its nodes. */
static int takes_loads(const withy_rod *rod) {
    for (int i = 0; i < rod->load_count; i++)
        if (rod->load[i].kind != WITHY_LOAD_DISTRIBUTED || wy_load_is_partial(rod, &rod->load[i]))
            return 0;
    for (int e = 0; e < 2; e++)
        if (rod->end[e].moment.size || rod->end[e].force.size || rod->end[e].mass > 0) return 0;
    return 1;
}

static int are_both(const withy_rod *rod, withy_end_kind kind) {
    return rod->end[0].kind == kind && rod->end[1].kind == kind;
}

/* It has two orders, the rotary inertia of the rod and its stretch. */
static withy_status check_options(const wy_fdtd_options *opt, withy_error *err) {
    const char *ignored = opt->inertia != WY_FDTD_PHYSICAL       ? "inertia = \"regularised\""
                          : opt->dilation != WY_FDTD_DILATION_ON ? "dilation = \"off\""
                          : opt->order == 4                      ? "order = 4"
                                                                 : NULL;
    if (ignored)
        return wy_bad_input(err,
                            "fdtd: the literal scheme has no options.%s (its differences are of "
                            "order 2 or 6); leave it out, or use options.scheme = \"staggered\"",
                            ignored);
    if (opt->n < 8)
        return wy_bad_input(err, "options.n" WY_KEY " = %d: the literal scheme needs at least 8",
                            opt->n);
    return WITHY_OK;
}

withy_status wy_fdtd_literal_limit(const withy_problem *problem, const wy_fdtd_options *opt,
                                   wy_fdtd_limit *least, withy_error *err) {
    WY_TRY(check_options(opt, err));
    const double symbol = opt->order == 2 ? 1.0 : 1.58598; /* the largest of D */
    for (int i = 0; i < problem->rod_count; i++) {
        const withy_rod *rod = &problem->rod[i];
        const int pinned = are_both(rod, WITHY_END_PINNED), free = are_both(rod, WITHY_END_FREE);
        if ((!pinned && !free) || rod->end[0].position.call || rod->end[1].position.call)
            return wy_unsupported(err,
                                  "fdtd: the literal scheme supports only two pinned ends that do "
                                  "not move, or two free ones; use options.scheme = \"staggered\"");
        if (wy_rod_is_damped(rod) || !wy_rod_is_uniform(rod) || !wy_shape_is_straight(&rod->rest))
            return wy_unsupported(err, "fdtd: the literal scheme supports only uniform, straight "
                                       "rods without damping; use options.scheme = \"staggered\"");
        if (!takes_loads(rod))
            return wy_unsupported(
                err,
                "fdtd: the literal scheme supports only forces and moments on the whole rod, none "
                "at points, parts or ends, and no bodies; use options.scheme = \"staggered\"");
        double k[WITHY_STRAINS], rho[WITHY_INERTIAS];
        WY_TRY(wy_stiffness_at(rod, 0, k, err));
        WY_TRY(wy_inertia_at(rod, 0, rho, err));
        const double cut = k[WITHY_SHEAR1] / rho[WITHY_ROTARY1];
        const double wave = symbol * opt->n / rod->length;
        const double axial = k[WITHY_STRETCH] / rho[WITHY_MASS] * wave * wave;
        least->dt = wy_min(least->dt, 1.0 / sqrt(cut + axial));
    }
    return WITHY_OK;
}

/* ---- one level ------------------------------------------------------------------------------- */

/* Mirror a field beyond both ends: even keeps its sign, odd changes it. */
static void mirror(vec3 *x, int n, double sign) {
    for (int g = 1; g <= GHOST; g++) {
        x[-g] = v3_scale(sign, x[g]);
        x[n + g] = v3_scale(sign, x[n - g]);
    }
}

static void mirror_all(const wy_fdtd_literal *x, level *a) {
    mirror(a->w, x->n, 1.0), mirror(a->u, x->n, -1.0);
    for (int g = 1; g <= GHOST; g++) {
        const int n = x->n;
        const double way = 2 * g * x->h; /* beyond a free end along its tangent */
        a->r[-g] = x->free ? v3_axpy(a->r[g], -way, a->frame[0].c3)
                           : v3_sub(v3_scale(2, a->r[0]), a->r[g]);
        a->r[n + g] = x->free ? v3_axpy(a->r[n - g], way, a->frame[n].c3)
                              : v3_sub(v3_scale(2, a->r[n]), a->r[n - g]);
        a->frame[-g] = a->frame[g], a->frame[n + g] = a->frame[n - g];
    }
}

/* D: central difference of order 2 or 6. */
static const double DIFFERENCE[2][3] = {{1.0 / 2, 0, 0}, {3.0 / 4, -3.0 / 20, 1.0 / 60}};

static vec3 derivative(const wy_fdtd_literal *x, const vec3 *a, int i) {
    vec3 sum = v3(0, 0, 0);
    for (int l = 0; l < 3; l++)
        sum = v3_axpy(sum, x->difference[l] / x->h, v3_sub(a[i + 1 + l], a[i - 1 - l]));
    return sum;
}

static vec3 times(const double k[3], vec3 a) {
    return v3(k[0] * a.x, k[1] * a.y, k[2] * a.z);
}

typedef struct rates {
    vec3 r, w, u; /* r_tt, w_t, u_t */
    mat3 frame;   /* R_t            */
} rates;

static void strains(wy_fdtd_literal *x, const level *a) {
    for (int i = 0; i <= x->n; i++) x->v[i] = m3_tmul(a->frame[i], derivative(x, a->r, i));
    mirror(x->v, x->n, x->free ? -1.0 : 1.0);
    if (!x->free) return;
    x->v[0] = x->v[x->n] = v3(0, 0, 1); /* n = 0 */
    for (int g = 1; g <= GHOST; g++) x->v[-g].z += 2.0, x->v[x->n + g].z += 2.0;
}

static withy_status rates_at(const wy_fdtd_literal *x, const level *a, int i, double t, rates *out,
                             withy_error *err) {
    const vec3 v = x->v[i], u = a->u[i], w = a->w[i];
    const double *J = &x->rho[WITHY_ROTARY1];
    const vec3 n = times(x->k, v3_sub(v, v3(0, 0, 1))), m = times(x->k + 3, u);
    const vec3 ns = v3_add(times(x->k, derivative(x, x->v, i)), v3_cross(u, n));
    const vec3 ms = times(x->k + 3, derivative(x, a->u, i));
    vec3 load, couple;
    WY_TRY(wy_load_density(rod_of(x), rod_of(x)->length * i / x->n, t, 1.0, a->frame[i], &load,
                           &couple, err));
    load = v3_axpy(load, x->rho[WITHY_MASS], x->problem->gravity);
    out->r = v3_scale(1.0 / x->rho[WITHY_MASS], v3_add(m3_mul(a->frame[i], ns), load));
    vec3 tau = v3_add(v3_add(ms, v3_cross(u, m)), v3_cross(v, n));
    tau = v3_sub(tau, v3_cross(w, times(J, w)));
    tau = v3_add(tau, m3_tmul(a->frame[i], couple));
    out->w = v3(tau.x / J[0], tau.y / J[1], tau.z / J[2]);
    out->u = v3_sub(derivative(x, a->w, i), v3_cross(w, u));
    out->frame = (mat3){m3_mul(a->frame[i], v3_cross(w, v3(1, 0, 0))),
                        m3_mul(a->frame[i], v3_cross(w, v3(0, 1, 0))),
                        m3_mul(a->frame[i], v3_cross(w, v3(0, 0, 1)))};
    return WITHY_OK;
}

static void copy_level(const wy_fdtd_literal *x, level *to, const level *from) {
    const size_t count = (size_t)x->n + 1 + 2 * GHOST;
    memcpy(to->r - GHOST, from->r - GHOST, count * sizeof *to->r);
    memcpy(to->w - GHOST, from->w - GHOST, count * sizeof *to->w);
    memcpy(to->u - GHOST, from->u - GHOST, count * sizeof *to->u);
    memcpy(to->frame - GHOST, from->frame - GHOST, count * sizeof *to->frame);
}

/* One step of k from t; levels stay where they are, so that the state holds no pointers. */
static withy_status literal_step(wy_fdtd_literal *x, double t, double k, withy_error *err) {
    strains(x, &x->now);
    for (int i = 0; i <= x->n; i++) {
        rates rate;
        WY_TRY(rates_at(x, &x->now, i, t, &rate, err));
        const vec3 twice = v3_sub(v3_scale(2, x->now.r[i]), x->before.r[i]);
        x->next.r[i] = v3_axpy(twice, k * k, rate.r);
        x->next.w[i] = v3_axpy(x->before.w[i], 2 * k, rate.w);
        x->next.u[i] = v3_axpy(x->before.u[i], 2 * k, rate.u);
        x->next.frame[i] = m3_axpy(x->before.frame[i], 2 * k, rate.frame);
    }
    if (!x->free) x->next.r[0] = x->now.r[0], x->next.r[x->n] = x->now.r[x->n];
    x->next.u[0] = x->next.u[x->n] = v3(0, 0, 0);
    mirror_all(x, &x->next);
    copy_level(x, &x->before, &x->now);
    copy_level(x, &x->now, &x->next);
    return WITHY_OK;
}

/* ---- the whole rod --------------------------------------------------------------------------- */

static void take_level(wy_block *block, int n, level *a) {
    const size_t count = (size_t)n + 1 + 2 * GHOST;
    vec3 *r = wy_block_alloc(block, count, sizeof *r), *w = wy_block_alloc(block, count, sizeof *w);
    vec3 *u = wy_block_alloc(block, count, sizeof *u);
    mat3 *frame = wy_block_alloc(block, count, sizeof *frame);
    if (r) *a = (level){r + GHOST, w + GHOST, u + GHOST, frame + GHOST};
}

void wy_fdtd_literal_layout(wy_fdtd_literal *x, wy_block *state, wy_block *scratch) {
    take_level(state, x->n, &x->now), take_level(state, x->n, &x->before);
    take_level(scratch, x->n, &x->next);
    x->v = wy_block_alloc(scratch, (size_t)x->n + 1 + 2 * GHOST, sizeof *x->v);
    if (x->v) x->v += GHOST;
}

/* The curvature of the initial frames, by the same differences. */
static void initial_bend(wy_fdtd_literal *x) {
    mirror_all(x, &x->now);
    for (int i = 1; i < x->n; i++) {
        mat3 slope = {0};
        for (int l = 0; l < 3; l++) {
            slope = m3_axpy(slope, x->difference[l] / x->h, x->now.frame[i + 1 + l]);
            slope = m3_axpy(slope, -x->difference[l] / x->h, x->now.frame[i - 1 - l]);
        }
        const mat3 f = x->now.frame[i]; /* axial of R^T R_s */
        x->now.u[i] = v3(v3_dot(f.c3, slope.c2), v3_dot(f.c1, slope.c3), v3_dot(f.c2, slope.c1));
    }
}

withy_status wy_fdtd_literal_make(const wy_setup *setup, int rod, wy_fdtd_literal *x,
                                  withy_error *err) {
    const wy_fdtd_options *opt = setup->options;
    const int n = opt->n;
    *x = (wy_fdtd_literal){.problem = setup->problem, .model = setup->model, .rod = rod, .n = n};
    x->difference = DIFFERENCE[opt->order == 6];
    WY_TRY(wy_stiffness_at(rod_of(x), 0, x->k, err));
    WY_TRY(wy_inertia_at(rod_of(x), 0, x->rho, err));
    x->free = are_both(rod_of(x), WITHY_END_FREE);
    x->h = rod_of(x)->length / (1.0 + rod_of(x)->tension / x->k[WITHY_STRETCH]) / n;
    return WITHY_OK;
}

withy_status wy_fdtd_literal_place(wy_fdtd_literal *x, withy_error *err) {
    wy_arena arena = {0};
    wy_pose *pose;
    const withy_status status =
        wy_fdtd_initial_poses(x->model, rod_of(x), x->rod, x->n, 0, x->n + 1, &arena, &pose, err);
    for (int i = 0; status == WITHY_OK && i <= x->n; i++)
        x->now.r[i] = pose[i].r, x->now.frame[i] = pose[i].frame;
    wy_arena_free(&arena);
    if (status == WITHY_OK) initial_bend(x);
    return status;
}

/* The level before, by a Taylor step back. */
withy_status wy_fdtd_literal_begin(wy_fdtd_literal *x, double dt, withy_error *err) {
    strains(x, &x->now);
    for (int i = 0; i <= x->n; i++) {
        vec3 v, spin;
        rates rate;
        WY_TRY(wy_velocity_at(rod_of(x), rod_of(x)->length * i / x->n, &v, &spin, err));
        const int held = !x->free && (i == 0 || i == x->n);
        if (!held) x->now.w[i] = m3_tmul(x->now.frame[i], spin);
        WY_TRY(rates_at(x, &x->now, i, 0.0, &rate, err));
        const vec3 drifted = v3_axpy(x->now.r[i], -dt, v);
        x->before.r[i] = held ? x->now.r[i] : v3_axpy(drifted, 0.5 * dt * dt, rate.r);
        x->before.w[i] = v3_axpy(x->now.w[i], -dt, rate.w);
        x->before.u[i] = v3_axpy(x->now.u[i], -dt, rate.u);
        x->before.frame[i] = m3_axpy(x->now.frame[i], -dt, rate.frame);
    }
    mirror_all(x, &x->now);
    return WITHY_OK;
}

static int is_dead(const wy_fdtd_literal *x) {
    for (int i = 0; i <= x->n; i++) {
        const double way = v3_norm(v3_sub(x->now.r[i], x->now.r[0]));
        if (!(way <= 10 * rod_of(x)->length) || !isfinite(x->now.w[i].x)) return 1;
    }
    return 0;
}

withy_status wy_fdtd_literal_advance(wy_fdtd_literal *x, const wy_span *span, withy_error *err) {
    for (int64_t k = span->from; k < span->to; k++) {
        WY_TRY(literal_step(x, wy_span_time(span, k), span->h, err));
        if (is_dead(x))
            return wy_no_convergence(err,
                                     "fdtd: the literal scheme has diverged by t = %g; use "
                                     "options.scheme = \"staggered\"",
                                     wy_span_time(span, k + 1));
    }
    return WITHY_OK;
}

/* Strain and kinetic energy by the trapezoidal rule; velocities are half a step old. */
static withy_energies energies(const wy_fdtd_literal *x, double dt) {
    withy_energies e = {0};
    for (int i = 0; i <= x->n; i++) {
        const double weight = 0.5 * x->h * (i == 0 || i == x->n ? 0.5 : 1.0);
        const vec3 v = m3_tmul(x->now.frame[i], derivative(x, x->now.r, i));
        const vec3 g = v3_sub(v, v3(0, 0, 1)), u = x->now.u[i], w = x->now.w[i];
        const vec3 p = v3_scale(1 / dt, v3_sub(x->now.r[i], x->before.r[i]));
        e.shear += weight * (x->k[0] * g.x * g.x + x->k[1] * g.y * g.y);
        e.stretch += weight * x->k[2] * g.z * g.z;
        e.bend += weight * (x->k[3] * u.x * u.x + x->k[4] * u.y * u.y);
        e.twist += weight * x->k[5] * u.z * u.z;
        e.kinetic += weight * (x->rho[WITHY_MASS] * v3_dot(p, p) +
                               v3_dot(times(&x->rho[WITHY_ROTARY1], w), w));
        e.gravity -= 2 * weight * x->rho[WITHY_MASS] * v3_dot(x->problem->gravity, x->now.r[i]);
    }
    return e;
}

double wy_fdtd_literal_energy(const wy_fdtd_literal *x, double dt) {
    const withy_energies e = energies(x, dt);
    return e.kinetic + e.shear + e.stretch + e.bend + e.twist + e.gravity;
}

void wy_fdtd_literal_sample(const wy_fdtd_literal *x, double dt, withy_snapshot *snap) {
    for (int i = 0; i < snap->count; i++) {
        const wy_place at = wy_place_of(snap->s[i], rod_of(x)->length / x->n, x->n);
        const int near = at.f < 0.5 ? at.j : at.j + 1;
        const vec3 old = wy_place_linear(at, x->before.r);
        snap->position[i] = wy_place_linear(at, x->now.r);
        snap->velocity[i] = v3_scale(1 / dt, v3_sub(snap->position[i], old));
        snap->bend[i] = wy_place_linear(at, x->now.u);
        const mat3 turn = x->now.frame[near];
        snap->frame[i] = q_from_matrix(turn);
        const vec3 v = m3_tmul(turn, derivative(x, x->now.r, near));
        snap->shear[i] = v3_sub(v, v3(0, 0, 1));
    }
    snap->energy = energies(x, dt);
    snap->conserved = wy_fdtd_literal_energy(x, dt), snap->conserved_at = snap->t;
    snap->have |= WITHY_HAVE_POSITION | WITHY_HAVE_VELOCITY | WITHY_HAVE_FRAME | WITHY_HAVE_BEND |
                  WITHY_HAVE_SHEAR | WITHY_HAVE_ENERGY | WITHY_HAVE_CONSERVED;
}
