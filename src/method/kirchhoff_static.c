/* kirchhoff_static.c - equilibria, and small vibrations about them.
 *
 * Equilibrium: the equations of kirchhoff_force.c with bar q = q, no rates, and in place of inertia
 * the proximal term mu M (x - x_k), k = 0, 1, ...: each solve is a step of steepest descent that
 * cannot run away, mu falls as long as Newton converges and rises when it does not, and at the end it
 * only fixes what nothing else does (the turn of a pinned spring about its chord).
 *
 * Modes: with K the same matrix at an equilibrium and B the inertia, K v = omega^2 B v.  Lanczos'
 * iteration on (K + mu B)^-1 B in the inner product of B, with full reorthogonalisation: one
 * factorisation, O(N) per vector.
 */
#include "method/kirchhoff.h"

#include <string.h>

/* ---- equilibrium --------------------------------------------------------------------------------- */

/* The lowest bending eigenvalue of a rod of this length, sigma/(rho L^4): the unit of mu. */
static double slow_rate(const wy_spring *p) {
    const double rho = p->mass[p->n / 2] / p->eta, l2 = p->length * p->length;
    return p->stiff / (rho * l2 * l2);
}

static void static_equations(wy_spring *p, double mu) {
    const size_t count = (size_t)p->n + 1;
    p->eq = (wy_spring_equations){.inertia = mu,
                                  .average = 1.0,
                                  .elastic = 1.0,
                                  .mass = p->mass,
                                  .turn = (const double(*)[2])p->turn,
                                  .ahead_x = p->eq.ahead_x,
                                  .ahead_frame = p->eq.ahead_frame,
                                  .next = p->next,
                                  .gauge = p->now->frame};
    memcpy(p->eq.ahead_x, p->now->x, count * sizeof *p->now->x);
    memcpy(p->eq.ahead_frame, p->now->frame, count * sizeof *p->now->frame);
}

static void copy_level(const wy_spring *p, wy_spring_level *to, const wy_spring_level *from) {
    const size_t count = (size_t)p->n + 1;
    memcpy(to->x, from->x, count * sizeof *to->x);
    memcpy(to->frame, from->frame, count * sizeof *to->frame);
    memcpy(to->cell, from->cell, (size_t)p->n * sizeof *to->cell);
}

static double moved_between(const wy_spring *p, const wy_spring_level *a,
                            const wy_spring_level *b) {
    double most = 0;
    for (int j = 0; j <= p->n; j++)
        most = wy_max(most, v3_norm(v3_sub(a->x[j], b->x[j])) / p->length);
    return most;
}

/* Loads and prescribed ends under a load factor: constants times it, functions at t = factor. */
static withy_status static_loads(wy_spring *p, double factor, withy_error *err) {
    WY_TRY(wy_spring_loads(p, factor, err));
    for (int j = 0; j <= p->n && p->constant_loads; j++) {
        p->load[j] = v3_scale(factor, p->load[j]);
        p->couple[j] = v3_scale(factor, p->couple[j]);
    }
    for (int e = 0; e < 2 && p->constant_loads; e++)
        p->end[e].force = v3_scale(factor, p->end[e].force);
    for (int j = 0; j <= p->n; j++) p->dead[j] = p->load[j];
    return wy_spring_targets(p, factor, err);
}

/* One proximal solve from now into next; false leaves lambda as it was. */
static bool proximal(wy_spring *p, double mu, int *iterations) {
    wy_spring_newton newton = {0};
    const size_t count = (size_t)p->n + 1;
    vec3 *keep = p->spin0; /* no motion in statics */
    memcpy(keep, p->lambda, count * sizeof *keep);
    static_equations(p, mu);
    copy_level(p, p->next, p->now);
    const bool solved = wy_spring_solve(p, &newton);
    *iterations += newton.iterations;
    int cell = 0;
    if (solved && wy_spring_turn_between(p, p->now, p->next) < 2.5 &&
        wy_spring_twist_most(p, p->next, &cell) < 0.5 * WY_PI)
        return true;
    memcpy(p->lambda, keep, count * sizeof *keep);
    return false;
}

/* Descend until a solve with negligible mu moves nothing. */
static bool relax(wy_spring *p, int *iterations) {
    enum { SOLVES = 200 };
    const double unit = slow_rate(p), least = 0.1 * unit, most = 1e12 * unit;
    double mu = 10.0 * unit;
    for (int k = 0; k < SOLVES; k++) {
        if (!proximal(p, mu, iterations)) {
            mu *= 100.0;
            if (mu > most) return false;
            continue;
        }
        const double moved =
            moved_between(p, p->now, p->next) + wy_spring_turn_between(p, p->now, p->next);
        copy_level(p, p->now, p->next);
        if (mu <= least && moved <= 1e-9) return true;
        mu = wy_max(least, 0.1 * mu);
    }
    return false;
}

/* Forces of the equilibrium in now. */
static void static_forces(wy_spring *p) {
    static_equations(p, 0.0);
    copy_level(p, p->next, p->now);
    wy_spring_residual(p);
    wy_spring_keep_forces(p);
    p->step = 0, p->ready = 0;
    memset(p->v0, 0, ((size_t)p->n + 1) * sizeof *p->v0);
    memset(p->spin0, 0, ((size_t)p->n + 1) * sizeof *p->spin0);
    p->energy = wy_spring_potential(p, p->now);
}

/* Approach the factor in fractions that are halved when the descent fails. */
withy_status wy_spring_relax(wy_spring *p, double factor, int *iterations, withy_error *err) {
    double done = p->factor_known ? p->factor : factor, part = 1.0;
    const double from = done;
    double reached = 0.0;
    *iterations = 0;
    while (reached < 1.0) {
        const double next = wy_min(1.0, reached + part);
        copy_level(p, p->before, p->now);
        WY_TRY(static_loads(p, from + next * (factor - from), err));
        if (relax(p, iterations)) {
            reached = next;
            part *= 2.0;
            continue;
        }
        copy_level(p, p->now, p->before);
        part *= 0.25;
        if (part < 1e-4 || from == factor)
            return wy_fail(
                err, WITHY_NO_CONVERGENCE,
                "kirchhoff: no equilibrium was found at load factor %g (the last one is at "
                "%g); the spring may snap there: take more points of the path, or let it "
                "settle with damping in a run",
                factor, from + reached * (factor - from));
    }
    p->factor = factor, p->factor_known = 1;
    static_forces(p);
    return WITHY_OK;
}

/* ---- modes --------------------------------------------------------------------------------------- */

/* out = B v: inertia of node j times (dx, w). */
static void inertia_times(const wy_spring *p, const double *v, double *out) {
    for (int j = 0; j <= p->n; j++) {
        const wy_spring_end *end = wy_spring_end_at(p, j);
        const mat3 *f = &p->now->frame[j];
        const vec3 dx = v3_from(&v[9 * j]), w = v3_from(&v[9 * j + 3]);
        vec3 force = v3_scale(p->mass[j], dx), moment = v3(0, 0, 0);
        const vec3 axis[3] = {f->c1, f->c2, f->c3};
        for (int i = 0; i < 3; i++) /* q x (w x q) */
            moment = v3_axpy(moment, p->turn[j][i == 2], v3_axpy(w, -v3_dot(w, axis[i]), axis[i]));
        if (end && end->held) force = v3(0, 0, 0);
        if (end && end->turn == WY_TURN_FRAME) moment = v3(0, 0, 0);
        if (end && end->turn == WY_TURN_TANGENT) moment = v3_scale(v3_dot(moment, f->c3), f->c3);
        v3_to(force, &out[9 * j]);
        v3_to(moment, &out[9 * j + 3]);
        v3_to(v3(0, 0, 0), &out[9 * j + 6]);
    }
}

/* v = (K + mu B)^-1 b with the factors, scaling rows and columns as the matrix does. */
static void solve_shifted(const wy_spring *p, const double *b, double *v) {
    for (int j = 0; j <= p->n; j++) {
        const wy_spring_end *end = wy_spring_end_at(p, j);
        const vec3 force = v3_scale(p->eta * p->eta / p->stiff, v3_from(&b[9 * j]));
        vec3 moment = v3_scale(p->eta / p->stiff, v3_from(&b[9 * j + 3]));
        moment = m3_tmul(p->now->frame[j], moment);
        if (end && end->turn == WY_TURN_TANGENT) moment.x = moment.y = 0.0;
        if (j == p->gauge) moment.z = 0.0;
        v3_to(force, &v[9 * j]);
        v3_to(moment, &v[9 * j + 3]);
        v3_to(v3(0, 0, 0), &v[9 * j + 6]);
    }
    wy_banded_solve(&p->matrix, v);
    for (int j = 0; j <= p->n; j++)
        for (int i = 0; i < 9; i++) v[9 * j + i] *= i < 3 ? p->eta : i < 6 ? 1.0 : p->stiff;
}

static double dot(int count, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

/* Eigenvalues (descending) and vectors (columns of u) of a small symmetric matrix, by Jacobi. */
static void jacobi(int n, double *a, double *u) {
    for (int i = 0; i < n * n; i++) u[i] = i % (n + 1) == 0;
    for (int sweep = 0; sweep < 60; sweep++) {
        double off = 0, size = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) *(i == j ? &size : &off) += a[i * n + j] * a[i * n + j];
        if (!(off > 1e-32 * size)) return;
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++) {
                if (a[i * n + j] == 0.0) continue;
                const double angle = 0.5 * atan2(2 * a[i * n + j], a[j * n + j] - a[i * n + i]);
                const double c = cos(angle), s = sin(angle);
                for (int k = 0; k < n; k++) {
                    const double x = a[i * n + k], y = a[j * n + k];
                    a[i * n + k] = c * x - s * y, a[j * n + k] = s * x + c * y;
                }
                for (int k = 0; k < n; k++) {
                    const double x = a[k * n + i], y = a[k * n + j], v = u[k * n + i],
                                 w = u[k * n + j];
                    a[k * n + i] = c * x - s * y, a[k * n + j] = s * x + c * y;
                    u[k * n + i] = c * v - s * w, u[k * n + j] = s * v + c * w;
                }
            }
    }
}

typedef struct lanczos {
    int rows, count;
    double *v, *bv; /* [count][rows] basis and B times it */
    double *t, *u;  /* [count][count] projected matrix, its vectors */
    double *work;   /* [rows] */
} lanczos;

static double start_noise(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 24) - 0.5;
}

/* Make work orthonormal to the first k vectors and store it as vector k; its old length, or 0 when
 * nothing was left. */
static double push(const wy_spring *p, lanczos *z, int k) {
    const int rows = z->rows;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < k; i++) {
            const double along = dot(rows, z->work, &z->bv[(size_t)i * (size_t)rows]);
            for (int r = 0; r < rows; r++) z->work[r] -= along * z->v[i * rows + r];
        }
    double *v = &z->v[(size_t)k * (size_t)rows], *bv = &z->bv[(size_t)k * (size_t)rows];
    inertia_times(p, z->work, bv);
    const double length = sqrt(wy_max(0.0, dot(rows, z->work, bv)));
    if (!(length > 0)) return 0.0;
    for (int r = 0; r < rows; r++) v[r] = z->work[r] / length, bv[r] /= length;
    return length;
}

/* Build the basis; returns how many vectors it has. */
static int krylov(const wy_spring *p, lanczos *z) {
    const int rows = z->rows;
    uint32_t seed = 1;
    for (int r = 0; r < rows; r++) z->work[r] = r % 9 < 6 ? start_noise(&seed) : 0.0;
    inertia_times(p, z->work, z->bv);
    solve_shifted(p, z->bv, z->work); /* into the range, where B is definite */
    double first = push(p, z, 0);
    if (!(first > 0)) return 0;
    for (int k = 0; k < z->count; k++) {
        double *bv = &z->bv[(size_t)k * (size_t)rows];
        solve_shifted(p, bv, z->work);
        for (int i = 0; i <= k; i++)
            z->t[i * z->count + k] = z->t[k * z->count + i] =
                dot(rows, z->work, &z->bv[(size_t)i * (size_t)rows]);
        if (k + 1 == z->count) break;
        const double left = push(p, z, k + 1);
        if (!(left > 1e-13 * first)) return k + 1;
    }
    return z->count;
}

/* The `count` lowest eigenpairs: omega2[count] ascending, shape[count][9(N+1)]. */
withy_status wy_spring_modes(wy_spring *p, wy_arena *arena, int count, double *omega2,
                             double *shape, withy_error *err) {
    const size_t rows = 9 * ((size_t)p->n + 1);
    const int free_turns = p->turn[0][0] > 0 ? 6 : 3;
    int basis = 3 * count + 30;
    if (basis > free_turns * (p->n - 1)) basis = free_turns * (p->n - 1);
    if (count > basis)
        return wy_fail(err, WITHY_BAD_INPUT, "kirchhoff: %d intervals have no %d modes; use more",
                       p->n, count);
    const size_t size = (size_t)basis;
    lanczos z = {.rows = (int)rows, .count = basis};
    z.v = wy_arena_take(arena, size * rows, sizeof *z.v);
    z.bv = wy_arena_take(arena, size * rows, sizeof *z.bv);
    z.t = wy_arena_take(arena, 2 * size * size, sizeof *z.t);
    z.work = wy_arena_take(arena, rows, sizeof *z.work);
    if (!z.v || !z.bv || !z.t || !z.work)
        return wy_fail(err, WITHY_NO_MEMORY, "kirchhoff: no memory for %d modes", count);
    z.u = z.t + size * size;
    const double mu = slow_rate(p); /* keeps rigid motions regular */
    static_equations(p, mu);
    copy_level(p, p->next, p->now);
    wy_spring_residual(p);
    if (!wy_spring_factor(p))
        return wy_fail(err, WITHY_NO_CONVERGENCE, "kirchhoff: the stiffness is singular, no modes");
    const int found = krylov(p, &z);
    if (found < count)
        return wy_fail(err, WITHY_NO_CONVERGENCE, "kirchhoff: only %d of %d modes were found",
                       found, count);
    for (int i = 0; i < found; i++) /* close the gap when the basis ended early */
        for (int k = 0; k < found; k++) z.t[i * found + k] = z.t[i * basis + k];
    jacobi(found, z.t, z.u);
    for (int k = 0; k < count; k++) {
        int best = -1;
        for (int i = 0; i < found; i++)
            if (isfinite(z.t[i * found + i]) &&
                (best < 0 || z.t[i * found + i] > z.t[best * found + best]))
                best = i;
        const double theta = z.t[best * found + best];
        omega2[k] = 1.0 / theta - mu;
        double *out = &shape[(size_t)k * rows];
        for (size_t r = 0; r < rows; r++) out[r] = 0.0;
        for (int i = 0; i < found; i++)
            for (size_t r = 0; r < rows; r++)
                out[r] += z.u[i * found + best] * z.v[(size_t)i * rows + r];
        z.t[best * found + best] = -INFINITY;
    }
    return WITHY_OK;
}
