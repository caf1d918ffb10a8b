/* modes.c - small vibrations about the present shape.
 *
 *   M x'' = J x,  J the matrix of the balance (cheb/jacobian.c), M the inertia per length:
 *   (J - sigma M)^-1 M x = -mu x,  mu = 1 / (omega^2 + sigma)
 *
 * The lowest modes have the largest mu; they come one by one from power iteration, each taken out of
 * the operator with its left vector before the next (Wielandt).  J is not symmetric, because
 * collocation is not a variational method; left vectors are therefore iterated too.  The shift sigma
 * makes a free rod, whose J is singular, no exception.
 *   damping ratio = -(z.C x) / (2 omega z.M x),  z the left vector of (J + omega^2 M)
 */
#include <string.h>

#include "method/cheb/cheb.h"
#include "method/cheb/frame.h"
#include "numeric/dense.h"

enum { TURNS = 3000 };
static const double CONVERGED = 1e-12;

typedef struct operator{
    const wy_cheb *x;
    int m, nodes, rows;
    double *mass;         /* [n+1][rows][rows] */
    double *visc;         /* [m][m] or NULL */
    double *right, *left; /* [count][m] found so far */
    double *mu, *scale;   /* [count]: mu, left . right */
    int found;
}
operator;

/* ---- inertia --------------------------------------------------------------------------------------- */

static void node_mass(const wy_cheb *x, int i, double *k, int rows) {
    const wy_pose pose = wy_cheb_pose(x, x->u, i);
    const mat3 a = wy_cheb_axes(pose.frame);
    const vec3 axis[3] = {a.c1, a.c2, a.c3};
    double body = 0, inertia[3] = {x->along.turn[0][i], x->along.turn[1][i], x->along.turn[2][i]};
    vec3 c = v3(0, 0, 0);
    for (int e = 0; e < 2; e++) {
        const wy_cheb_end *end = &x->end[e];
        if (i != end->node) continue;
        body = end->mass / end->w0, c = m3_mul(a, end->offset);
        const vec3 j = end->inertia;
        const double n0 = x->plane.normal_in[0], n1 = x->plane.normal_in[1];
        if (x->planar) inertia[0] += (n0 * n0 * j.y + n1 * n1 * j.z) / end->w0;
        for (int r = 0; r < 3 && !x->planar; r++) inertia[r] += (&j.x)[r] / end->w0;
    }
    if (rows == 3) {
        const double cx = v3_dot(c, x->plane.e1), cy = v3_dot(c, x->plane.e2),
                     mass = x->along.mass[0][i] + body;
        const double full[9] = {mass,      0,          -body * cy, 0,         mass,
                                body * cx, -body * cy, body * cx,  inertia[0]};
        memcpy(k, full, sizeof full);
        return;
    }
    const double s[3][3] = {{0, -c.z, c.y}, {c.z, 0, -c.x}, {-c.y, c.x, 0}};
    for (int r = 0; r < 3; r++)
        for (int q = 0; q < 3; q++) {
            k[r * 6 + q] = r == q ? x->along.mass[0][i] + body : 0.0;
            k[r * 6 + 3 + q] = -body * s[r][q], k[(3 + r) * 6 + q] = body * s[r][q];
            double turn = 0;
            for (int l = 0; l < 3; l++) turn += inertia[l] * (&axis[l].x)[r] * (&axis[l].x)[q];
            k[(3 + r) * 6 + 3 + q] = turn;
        }
}

/* out = M v (or M^T v), zero at held rows. */
static void times_mass(const operator* o, const double *v, int transposed, double *out) {
    for (int i = 0; i < o->nodes; i++)
        for (int r = 0; r < o->rows; r++) {
            double sum = 0;
            for (int c = 0; c < o->rows; c++) {
                const int at = transposed ? c * o->rows + r : r * o->rows + c;
                sum += o->mass[i * o->rows * o->rows + at] * v[c * o->nodes + i];
            }
            out[r * o->nodes + i] = sum;
        }
}

static void clear_held(const operator* o, double *v) {
    const int places = o->x->planar ? 2 : 3;
    for (int e = 0; e < 2; e++)
        for (int r = 0; r < o->rows; r++) {
            const wy_cheb_end *end = &o->x->end[e];
            if ((r < places ? end->place : end->turn) != WY_CHEB_LOOSE &&
                !(r >= places && end->rolls))
                v[r * o->nodes + end->node] = 0.0;
        }
}

/* ---- iteration --------------------------------------------------------------------------------------- */

static double dot(int m, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < m; i++) sum += a[i] * b[i];
    return sum;
}

/* v <- A v or A^T v with the modes found taken out; A = -(J - sigma M)^-1 M. */
static void apply(const operator* o, int transposed, double *v, double *work) {
    const wy_cheb_newton *w = o->x->newton;
    const int m = o->m;
    memcpy(work, v, (size_t)m * sizeof *work);
    if (transposed) {
        wy_lu_solve_transposed(m, m, w->matrix, w->pivot, work);
        clear_held(o, work);
        double *out = o->x->newton->step;
        times_mass(o, work, 1, out);
        memcpy(work, out, (size_t)m * sizeof *work);
    } else {
        double *out = o->x->newton->step;
        times_mass(o, work, 0, out);
        clear_held(o, out);
        wy_lu_solve(m, m, w->matrix, w->pivot, out);
        memcpy(work, out, (size_t)m * sizeof *work);
    }
    for (int i = 0; i < m; i++) work[i] = -work[i];
    for (int k = 0; k < o->found; k++) {
        const double *out = (transposed ? o->left : o->right) + (size_t)k * (size_t)m;
        const double *in = (transposed ? o->right : o->left) + (size_t)k * (size_t)m;
        const double part = o->mu[k] / o->scale[k] * dot(m, in, v);
        for (int i = 0; i < m; i++) work[i] -= part * out[i];
    }
    memcpy(v, work, (size_t)m * sizeof *v);
}

/* The dominant vector; returns its eigenvalue. */
static double iterate(const operator* o, int transposed, double *v, double *work) {
    double *old = o->x->newton->next, value = 0;
    unsigned seed = 2463534242u + (unsigned)o->found;
    for (int i = 0; i < o->m; i++)
        seed = seed * 1664525u + 1013904223u, v[i] = (seed >> 8) / 16777216.0;
    for (int turn = 0; turn < TURNS; turn++) {
        const double size = sqrt(dot(o->m, v, v));
        if (!(size > 0)) break;
        for (int i = 0; i < o->m; i++) old[i] = v[i] /= size;
        apply(o, transposed, v, work);
        value = dot(o->m, old, v);
        double off = 0;
        for (int i = 0; i < o->m; i++) off += (v[i] - value * old[i]) * (v[i] - value * old[i]);
        if (sqrt(off) <= CONVERGED * fabs(value)) break;
    }
    const double size = sqrt(dot(o->m, v, v));
    for (int i = 0; i < o->m; i++) v[i] /= size;
    return value;
}

/* ---- a mode as the caller wants it ---------------------------------------------------------------------- */

static double field_at(const wy_cheb *x, const double *v, int field) {
    double sum = 0;
    for (int j = 0; j <= x->grid.n; j++) sum += x->row[j] * v[field * (x->grid.n + 1) + j];
    return sum;
}

static void fill(const operator* o, const double *v, withy_mode *mode) {
    const wy_cheb *x = o->x;
    const double L = x->grid.length;
    double far = 0, turned = 0, sign = 1;
    for (int i = 0; i < mode->count; i++) {
        wy_lagrange_row(x->grid.n, x->grid.x, x->grid.bary, 2 * mode->s[i] / L - 1, x->row);
        if (x->planar) {
            mode->shift[i] =
                v3_axpy(v3_scale(field_at(x, v, 0), x->plane.e1), field_at(x, v, 1), x->plane.e2);
            mode->turn[i] = v3_scale(field_at(x, v, 2), x->plane.normal);
        } else {
            mode->shift[i] = v3(field_at(x, v, 0), field_at(x, v, 1), field_at(x, v, 2));
            mode->turn[i] = v3(field_at(x, v, 3), field_at(x, v, 4), field_at(x, v, 5));
        }
        double r[3] = {0};
        for (int f = 0; f < (x->planar ? 2 : 3); f++)
            for (int j = 0; j <= x->grid.n; j++) r[f] += x->row[j] * x->u[f * x->grid.ld + j];
        mode->position[i] =
            x->planar
                ? v3_axpy(v3_axpy(v3_scale(x->plane.height, x->plane.normal), r[0], x->plane.e1),
                          r[1], x->plane.e2)
                : v3_from(r);
        const vec3 d = mode->shift[i];
        if (v3_norm(d) > far) {
            far = v3_norm(d);
            const double big = fabs(d.x) > fabs(d.y) && fabs(d.x) > fabs(d.z) ? d.x
                               : fabs(d.y) > fabs(d.z)                        ? d.y
                                                                              : d.z;
            sign = big < 0 ? -1 : 1;
        }
        turned = wy_max(turned, v3_norm(mode->turn[i]));
    }
    const double k = sign * (far > 1e-6 * L * turned ? 0.1 * L / far : 0.1 / turned);
    for (int i = 0; i < mode->count; i++) {
        mode->shift[i] = v3_scale(k, mode->shift[i]), mode->turn[i] = v3_scale(k, mode->turn[i]);
        mode->position[i] = v3_add(mode->position[i], mode->shift[i]);
    }
}

static double damping_ratio(const operator* o, const double *right, const double *left,
                            double omega, double *work) {
    const wy_cheb_newton *w = o->x->newton;
    if (!o->visc || !(omega > 0)) return 0.0;
    memcpy(work, left, (size_t)o->m * sizeof *work);
    wy_lu_solve_transposed(o->m, o->m, w->matrix, w->pivot, work);
    clear_held(o, work);
    double loss = 0;
    for (int r = 0; r < o->m; r++)
        loss += work[r] * dot(o->m, o->visc + (size_t)r * (size_t)o->m, right);
    times_mass(o, right, 0, w->step);
    return -loss / (2 * omega * dot(o->m, work, w->step));
}

withy_status wy_cheb_modes(void *state, int count, withy_mode *mode, withy_error *err) {
    wy_cheb *x = state;
    WY_TRY(wy_cheb_newton_make(x, err));
    const int damped = wy_rod_is_damped(x->rod);
    wy_cheb_newton *w = x->newton;
    operator o = {.x = x, .m = w->m, .nodes = x->grid.n + 1, .rows = w->rows};
    const size_t m = (size_t)w->m, k = (size_t)count;
    o.mass = wy_arena_take(x->setup->arena, (size_t)(o.nodes * o.rows * o.rows), sizeof(double));
    o.right = wy_arena_take(x->setup->arena, k * m, sizeof(double));
    o.left = wy_arena_take(x->setup->arena, k * m, sizeof(double));
    o.mu = wy_arena_take(x->setup->arena, 2 * k, sizeof(double));
    double *work = wy_arena_take(x->setup->arena, m, sizeof(double));
    if (damped) o.visc = wy_arena_take(x->setup->arena, m * m, sizeof(double));
    if (!o.mass || !o.right || !o.left || !o.mu || !work || (damped && !o.visc))
        return wy_fail(err, WITHY_NO_MEMORY, "cheb: no memory for %d modes", count);
    o.scale = o.mu + count;
    if (count > o.m / 3)
        return wy_fail(err, WITHY_BAD_INPUT,
                       "cheb: n = %d has no %d modes worth the name; at most %d", x->grid.n, count,
                       o.m / 3);
    memset(x->v, 0, (size_t)x->size * sizeof(double));
    WY_TRY(wy_cheb_accel(x, x->state->t, x->u, x->v, x->a, err));
    WY_TRY(wy_cheb_jacobian(x, x->state->t, x->u, x->v, err));
    if (x->planar) {
        memcpy(w->matrix, x->jac.stiff, m * m * sizeof(double));
        if (damped) memcpy(o.visc, x->jac.visc, m * m * sizeof(double));
    } else {
        wy_cheb_reduce_columns(x, x->u, x->jac.stiff, w->matrix);
        if (damped) wy_cheb_reduce_columns(x, x->u, x->jac.visc, o.visc);
    }
    const double pace = x->omega / ((double)x->grid.n * x->grid.n), sigma = 1e-4 * pace * pace;
    for (int i = 0; i < o.nodes; i++) {
        double *block = o.mass + i * o.rows * o.rows;
        node_mass(x, i, block, o.rows);
        for (int r = 0; r < o.rows; r++)
            for (int c = 0; c < o.rows; c++)
                w->matrix[(size_t)(r * o.nodes + i) * m + (size_t)(c * o.nodes + i)] -=
                    sigma * block[r * o.rows + c];
    }
    wy_cheb_hold_rows(x, x->u, w->matrix);
    if (!wy_lu_factor(w->m, w->m, w->matrix, w->pivot))
        return wy_fail(err, WITHY_NO_CONVERGENCE, "cheb: the matrix of the modes is singular");
    for (int i = 0; i < count; i++) {
        double *right = o.right + (size_t)i * m, *left = o.left + (size_t)i * m;
        const double mu = iterate(&o, 0, right, work);
        iterate(&o, 1, left, work);
        o.mu[i] = mu, o.scale[i] = dot(o.m, left, right);
        o.found = i + 1;
        const double square = 1.0 / mu - sigma;
        /* a rigid motion: nothing but rounding is left */
        const double omega = fabs(square) < 1e-6 * sigma ? 0.0 : sqrt(fabs(square));
        mode[i].frequency = (square < 0 && omega > 0 ? -1 : 1) * omega / (2 * WY_PI);
        mode[i].damping = damping_ratio(&o, right, left, omega, work);
        fill(&o, right, &mode[i]);
    }
    return WITHY_OK;
}
