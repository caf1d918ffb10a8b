/* modes.c - small vibrations about an equilibrium.
 *
 * With K the static matrix and B the inertia, K v = omega^2 B v.  Lanczos' iteration on (K + mu
 * B)^-1 B in the inner product of B, with full reorthogonalisation: one factorisation, O(N) per
 * vector.  mu > 0 keeps rigid motions regular; theta = 1/(omega^2 + mu).
 */
#include "method/kirchhoff/kirchhoff.h"

#include <string.h>

/* out = B v: inertia of node j times (dx, w). */
static void inertia_times(const wy_kirchhoff *p, const double *v, double *out) {
    for (int j = 0; j <= p->n; j++) {
        const wy_kirchhoff_end *end = wy_kirchhoff_end_at(p, j);
        const mat3 *f = &p->now->frame[j];
        const vec3 dx = v3_from(&v[9 * j]), w = v3_from(&v[9 * j + 3]);
        vec3 force = v3_scale(p->mass[j], dx), moment = v3(0, 0, 0);
        const vec3 axis[3] = {f->c1, f->c2, f->c3};
        for (int i = 0; i < 3; i++) /* q x (w x q) */
            moment = v3_axpy(moment, p->turn[j][i == 2], v3_axpy(w, -v3_dot(w, axis[i]), axis[i]));
        if (end && end->held) force = v3(0, 0, 0);
        if (end && end->turn == WY_KIRCHHOFF_TURN_FRAME) moment = v3(0, 0, 0);
        if (end && end->turn == WY_KIRCHHOFF_TURN_TANGENT)
            moment = v3_scale(v3_dot(moment, f->c3), f->c3);
        v3_to(force, &out[9 * j]);
        v3_to(moment, &out[9 * j + 3]);
        v3_to(v3(0, 0, 0), &out[9 * j + 6]);
    }
}

/* v = (K + mu B)^-1 b with the factors, scaling rows and columns as the matrix does. */
static void solve_shifted(const wy_kirchhoff *p, const double *b, double *v) {
    for (int j = 0; j <= p->n; j++) {
        const wy_kirchhoff_end *end = wy_kirchhoff_end_at(p, j);
        const vec3 force = v3_scale(p->eta * p->eta / p->stiff, v3_from(&b[9 * j]));
        vec3 moment = v3_scale(p->eta / p->stiff, v3_from(&b[9 * j + 3]));
        moment = m3_tmul(p->now->frame[j], moment);
        if (end && end->turn == WY_KIRCHHOFF_TURN_TANGENT) moment.x = moment.y = 0.0;
        if (j == p->gauge) moment.z = 0.0;
        v3_to(force, &v[9 * j]);
        v3_to(moment, &v[9 * j + 3]);
        v3_to(v3(0, 0, 0), &v[9 * j + 6]);
    }
    wy_banded_solve(&p->work.matrix, v);
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
static double push(const wy_kirchhoff *p, lanczos *z, int k) {
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
static int krylov(const wy_kirchhoff *p, lanczos *z) {
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

static withy_status take_lanczos(wy_kirchhoff *p, int basis, lanczos *z, withy_error *err) {
    const size_t rows = 9 * ((size_t)p->n + 1), size = (size_t)basis;
    const size_t need = 2 * size * rows + 2 * size * size + rows;
    double *room = wy_arena_take(p->setup->arena, need, sizeof *room);
    if (!room) return wy_fail(err, WITHY_NO_MEMORY, "kirchhoff: no memory for %d vectors", basis);
    *z = (lanczos){.rows = (int)rows, .count = basis, .v = room};
    z->bv = z->v + size * rows;
    z->t = z->bv + size * rows;
    z->u = z->t + size * size;
    z->work = z->u + size * size;
    return WITHY_OK;
}

/* Of the Ritz values theta, those that are not noise, as omega^2; the others are put out of reach.
 * */
static void ritz_values(int found, const double *t, double mu, double *omega2) {
    double largest = 0;
    for (int i = 0; i < found; i++) largest = wy_max(largest, fabs(t[i * found + i]));
    for (int i = 0; i < found; i++) {
        const double theta = t[i * found + i];
        omega2[i] = fabs(theta) > 1e-12 * largest ? 1.0 / theta - mu : INFINITY;
    }
}

withy_status wy_kirchhoff_modes(wy_kirchhoff *p, int count, double *omega2, double *shape,
                                withy_error *err) {
    const size_t rows = 9 * ((size_t)p->n + 1);
    const int most = (p->turn[0][0] > 0 ? 6 : 3) * (p->n - 1);
    const int basis = 3 * count + 30 < most ? 3 * count + 30 : most;
    if (count > basis)
        return wy_fail(err, WITHY_BAD_INPUT,
                       "kirchhoff: %d intervals have no %d modes; use more (options.n)", p->n,
                       count);
    lanczos z = {0};
    WY_TRY(take_lanczos(p, basis, &z, err));
    const double mu = wy_kirchhoff_slow_rate(p);
    wy_kirchhoff_static_equations(p, mu);
    wy_kirchhoff_copy(p, p->next, p->now);
    wy_kirchhoff_residual(p);
    if (!wy_kirchhoff_factor(p))
        return wy_fail(err, WITHY_NO_CONVERGENCE, "kirchhoff: the stiffness is singular, no modes");
    const int found = krylov(p, &z);
    if (found < count)
        return wy_fail(err, WITHY_NO_CONVERGENCE, "kirchhoff: only %d of %d modes were found",
                       found, count);
    for (int i = 0; i < found; i++) /* close the gap when the basis ended early */
        for (int k = 0; k < found; k++) z.t[i * found + k] = z.t[i * basis + k];
    jacobi(found, z.t, z.u);
    double *value = z.work; /* the basis is smaller than the number of rows */
    ritz_values(found, z.t, mu, value);
    for (int k = 0; k < count; k++) {
        int best = 0;
        for (int i = 1; i < found; i++)
            if (value[i] < value[best]) best = i;
        omega2[k] = value[best];
        value[best] = INFINITY;
        if (!shape) continue;
        double *out = &shape[(size_t)k * rows];
        memset(out, 0, rows * sizeof *out);
        for (int i = 0; i < found; i++)
            for (size_t r = 0; r < rows; r++)
                out[r] += z.u[i * found + best] * z.v[(size_t)i * rows + r];
    }
    return WITHY_OK;
}

/* ---- the door -------------------------------------------------------------------------------- */

/* now + by * shape, into next with its strains. */
static void deflect(wy_kirchhoff *p, const double *shape, double by) {
    for (int j = 0; j <= p->n; j++) {
        const double *d = &shape[9 * j];
        p->next->x[j] = v3_axpy(p->now->x[j], by, v3_from(d));
        p->next->frame[j] =
            m3_mulm(q_matrix(q_exp(v3_scale(by, v3_from(d + 3)))), p->now->frame[j]);
    }
    wy_kirchhoff_strains(p, p->next);
}

/* v^T C v / (2 omega v^T B v), with v^T B v = 1: C by differences of the strains. */
static double damping_ratio(wy_kirchhoff *p, const double *shape, double omega) {
    if (!p->damped || !(omega > 0)) return 0.0;
    double most = 0, sum = 0;
    for (int i = 0; i < 9 * (p->n + 1); i++)
        if (i % 9 < 6) most = wy_max(most, fabs(shape[i]) * (i % 9 < 3 ? 1.0 / p->length : 1.0));
    const double small = 1e-6 / most;
    deflect(p, shape, small);
    const int direct = p->opt.damping == WY_KIRCHHOFF_DISSERTATION;
    for (int i = 0; i < p->n; i++) {
        const wy_kirchhoff_cell *a = &p->next->cell[i], *b = &p->now->cell[i];
        for (int end = 0; end < 2; end++) {
            const vec3 u = v3_sub(a->u[end], b->u[end]);
            const vec3 e = v3_sub(v3_from(a->e[end]), v3_from(b->e[end]));
            sum += 0.5 * p->eta * p->nu[i + end] * (direct ? v3_dot(u, u) : v3_dot(e, e));
        }
        sum += p->eta * p->nu_twist[i] * (a->tau - b->tau) * (a->tau - b->tau);
    }
    return sum / (small * small) / (2.0 * omega);
}

/* Scale to a largest displacement of a tenth of the length (of pure spin: 0.1 rad), sign positive.
 * */
static double scale_of(const wy_kirchhoff *p, const double *shape) {
    double move = 0, spin = 0, lead = 0;
    for (int j = 0; j <= p->n; j++) {
        const double *d = &shape[9 * j];
        move = wy_max(move, v3_norm(v3_from(d)));
        spin = wy_max(spin, v3_norm(v3_from(d + 3)));
        for (int i = 0; i < 3; i++)
            if (fabs(d[i]) > fabs(lead)) lead = d[i];
    }
    const double size = move > 1e-6 * p->length * spin ? 0.1 * p->length / move : 0.1 / spin;
    return lead < 0 ? -size : size;
}

static void fill_mode(wy_kirchhoff *p, const double *shape, double omega2, withy_mode *mode) {
    const double omega = sqrt(fabs(omega2)), by = scale_of(p, shape);
    const int rigid = fabs(omega2) < 1e-6 * wy_kirchhoff_slow_rate(p);
    mode->frequency = rigid ? 0.0 : (omega2 < 0 ? -omega : omega) / (2.0 * WY_PI);
    mode->damping = rigid ? 0.0 : damping_ratio(p, shape, omega2 > 0 ? omega : 0.0);
    for (int i = 0; i < mode->count; i++) {
        int j = (int)floor(mode->s[i] / p->eta);
        j = j < 0 ? 0 : j >= p->n ? p->n - 1 : j;
        const double f = wy_max(0.0, wy_min(1.0, mode->s[i] / p->eta - j)), g = 1.0 - f;
        const double *a = &shape[9 * j], *b = a + 9;
        mode->shift[i] = v3_scale(by, v3_axpy(v3_scale(g, v3_from(a)), f, v3_from(b)));
        mode->turn[i] = v3_scale(by, v3_axpy(v3_scale(g, v3_from(a + 3)), f, v3_from(b + 3)));
        mode->position[i] = v3_add(mode->shift[i], wy_kirchhoff_position(p, mode->s[i]));
    }
}

withy_status wy_kirchhoff_mode_shapes(void *state, int count, withy_mode *mode, withy_error *err) {
    wy_kirchhoff *p = state;
    const size_t rows = 9 * ((size_t)p->n + 1);
    if (p->massless)
        return wy_fail(err, WITHY_UNSUPPORTED,
                       "kirchhoff: a rod without mass has no modes; give rod.inertia.mass");
    wy_kirchhoff_static_equations(p, 0.0);
    wy_kirchhoff_copy(p, p->next, p->now);
    wy_kirchhoff_residual(p);
    if (!(p->work.residual <= 1e-6))
        return wy_fail(
            err, WITHY_BAD_INPUT,
            "kirchhoff: the spring is not in equilibrium (residual %.1e), so it has no modes; "
            "hold an end, or start from its rest shape",
            p->work.residual);
    double *omega2 = wy_arena_take(p->setup->arena, (size_t)count, sizeof *omega2);
    double *shape = wy_arena_take(p->setup->arena, (size_t)count * rows, sizeof *shape);
    if (!omega2 || !shape)
        return wy_fail(err, WITHY_NO_MEMORY, "kirchhoff: no memory for %d modes", count);
    WY_TRY(wy_kirchhoff_modes(p, count, omega2, shape, err));
    for (int k = 0; k < count; k++) fill_mode(p, &shape[(size_t)k * rows], omega2[k], &mode[k]);
    return WITHY_OK;
}
