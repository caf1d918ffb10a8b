/* matrix.c - K - shift M of statics and modes, and the products with M and C (cheb/equations.c).
 */
#include "method/cheb/frame.h"
#include "method/cheb/static.h"
#include "numeric/linear/linear.h"

/* Columns of q into columns of dphi. */
static void reduce_columns(const wy_cheb *x, const double *full, double *matrix) {
    const int nodes = x->grid.n + 1, ld = x->grid.ld, m = x->equilibrium->m;
    const double *u = x->u;
    if (x->planar) {
        memcpy(matrix, full, (size_t)m * (size_t)m * sizeof *matrix);
        return;
    }
    for (int r = 0; r < m; r++) {
        const double *from = full + (size_t)r * 7 * (size_t)nodes;
        double *to = matrix + (size_t)r * (size_t)m;
        memcpy(to, from, 3 * (size_t)nodes * sizeof *to);
        for (int j = 0; j < nodes; j++) {
            const double *c = from + 3 * nodes + j;
            const quat q = {0.5 * u[3 * ld + j], 0.5 * u[4 * ld + j], 0.5 * u[5 * ld + j],
                            0.5 * u[6 * ld + j]};
            const vec3 phi = wy_cheb_e(
                q, (quat){c[0], c[nodes], c[2 * nodes], c[3 * nodes]}); /* row times E^T */
            to[3 * nodes + j] = phi.x, to[4 * nodes + j] = phi.y, to[5 * nodes + j] = phi.z;
        }
    }
}

/* Rows and columns of the turn of a rolling end in its axes; m rows of m. */
static void turn_axes(const wy_cheb *x, int e, double *matrix, size_t m) {
    const int nodes = x->grid.n + 1, i = x->end[e].node;
    const mat3 frame = wy_cheb_pose(x, x->u, i).frame;
    double *row[3];
    for (int k = 0; k < 3; k++) row[k] = matrix + (size_t)((3 + k) * nodes + i) * m;
    for (size_t j = 0; j < m; j++) {
        const vec3 a = wy_cheb_to_axes(frame, v3(row[0][j], row[1][j], row[2][j]));
        row[0][j] = a.x, row[1][j] = a.y, row[2][j] = a.z;
    }
    for (size_t r = 0; r < m; r++) {
        double *at = matrix + r * m + (size_t)(3 * nodes + i);
        const vec3 a = wy_cheb_to_axes(frame, v3(at[0], at[nodes], at[2 * nodes]));
        at[0] = a.x, at[nodes] = a.y, at[2 * nodes] = a.z;
    }
}

/* Rows of what is given: dx = r (one = 1), or none. */
static void give_rows(const wy_cheb *x, double one, double *matrix, size_t m) {
    const int nodes = x->grid.n + 1;
    for (int e = 0; e < 2; e++)
        for (int f = 0; f < x->equilibrium->rows; f++) {
            const size_t at = (size_t)(f * nodes + x->end[e].node);
            if (!wy_cheb_is_given(x, e, f)) continue;
            memset(matrix + at * m, 0, m * sizeof *matrix);
            matrix[at * m + at] = one;
        }
}

/* Inertia of node i, bodies at the ends included, in the components of a vector. */
static void node_mass(const wy_cheb *x, int i, double *k) {
    const int n = x->equilibrium->rows;
    if (x->equilibrium->weighed) {
        const double turn = WY_WEIGHT_TURN * x->grid.length * x->grid.length;
        memset(k, 0, (size_t)(n * n) * sizeof *k);
        for (int r = 0; r < n; r++) k[r * n + r] = r < wy_cheb_places(x) ? 1.0 : turn;
        return;
    }
    const wy_pose pose = wy_cheb_pose(x, x->u, i);
    const mat3 a = wy_cheb_axes(pose.frame);
    const vec3 axis[3] = {a.c1, a.c2, a.c3};
    double body = 0, inertia[3];
    vec3 c = v3(0, 0, 0);
    vec3 about[3] = {{0}};
    for (int l = 0; l < 3; l++) inertia[l] = x->along.turn[l][i];
    for (int e = 0; e < 2; e++) {
        const wy_cheb_end *end = &x->end[e];
        if (i != end->node) continue;
        body = end->mass / end->w0, c = m3_mul(a, end->offset);
        if (x->planar) inertia[0] += wy_cheb_body_turn(x, end) / end->w0;
        for (int l = 0; l < 3; l++)
            about[l] = v3_scale(1 / end->w0, m3_mul(a, m3_column(end->inertia, l)));
    }
    memset(k, 0, (size_t)(n * n) * sizeof *k);
    /* A M A^T = across 1 + (along - across) a1 a1^T + (second - across) a3 a3^T */
    const double along = x->along.mass[0][i], across = x->along.mass[1][i];
    const double second = x->planar ? across : x->along.mass[2][i];
    const vec3 own = v3(v3_dot(axis[0], x->plane.e1), v3_dot(axis[0], x->plane.e2), 0);
    const vec3 d = x->planar ? own : axis[0], d2 = x->planar ? own : axis[2];
    for (int r = 0; r < wy_cheb_places(x); r++)
        for (int q = 0; q < wy_cheb_places(x); q++)
            k[r * n + q] = (along - across) * v3_get(d, r) * v3_get(d, q) +
                           (second - across) * v3_get(d2, r) * v3_get(d2, q) +
                           (r == q ? across + body : 0.0);
    if (x->planar) {
        const double cx = v3_dot(c, x->plane.e1), cy = v3_dot(c, x->plane.e2);
        k[2] = k[6] = -body * cy, k[5] = k[7] = body * cx, k[8] = inertia[0];
        return;
    }
    const double s[3][3] = {{0, -c.z, c.y}, {c.z, 0, -c.x}, {-c.y, c.x, 0}};
    for (int r = 0; r < 3; r++)
        for (int q = 0; q < 3; q++) {
            k[r * 6 + 3 + q] = -body * s[r][q], k[(3 + r) * 6 + q] = body * s[r][q];
            for (int l = 0; l < 3; l++)
                k[(3 + r) * 6 + 3 + q] +=
                    (inertia[l] * v3_get(axis[l], r) + v3_get(about[l], r)) * v3_get(axis[l], q);
        }
}

/* M of an end: turns of a rolling one in its axes, nothing in what is given. */
static void end_mass(const wy_cheb *x, int e, double *k) {
    const int n = x->equilibrium->rows;
    if (x->end[e].rolls) {
        const mat3 frame = wy_cheb_pose(x, x->u, x->end[e].node).frame;
        for (int r = 0; r < 6; r++) {
            const vec3 a = wy_cheb_to_axes(frame, v3_from(k + r * 6 + 3));
            k[r * 6 + 3] = a.x, k[r * 6 + 4] = a.y, k[r * 6 + 5] = a.z;
        }
        for (int c = 0; c < 6; c++) {
            const vec3 a = wy_cheb_to_axes(frame, v3(k[18 + c], k[24 + c], k[30 + c]));
            k[18 + c] = a.x, k[24 + c] = a.y, k[30 + c] = a.z;
        }
    }
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++)
            if (wy_cheb_is_given(x, e, r) || wy_cheb_is_given(x, e, c)) k[r * n + c] = 0.0;
}

/* Is v.W (K - shift M) v > 0 for every v, W the weights of quadrature?  Then every lambda of K v = lambda M v
 * has a real part beyond the shift, because W M is symmetric and positive.  Elimination of the symmetric
 * part; h has room for [m][m]. */
static int is_definite(const wy_cheb *x, double *restrict h) {
    const struct wy_cheb_static *w = x->equilibrium;
    const size_t m = (size_t)w->m, nodes = (size_t)x->grid.n + 1;
    for (size_t i = 0; i < m; i++)
        for (size_t j = i; j < m; j++)
            h[i * m + j] = 0.5 * (x->grid.w[i % nodes] * w->matrix[i * m + j] +
                                  x->grid.w[j % nodes] * w->matrix[j * m + i]);
    for (int e = 0; e < 2; e++)
        for (int f = 0; f < w->rows; f++) {
            const size_t at = (size_t)f * nodes + (size_t)x->end[e].node;
            if (!wy_cheb_is_given(x, e, f)) continue;
            for (size_t i = 0; i < at; i++) h[i * m + at] = 0.0;
            for (size_t j = at; j < m; j++) h[at * m + j] = j == at;
        }
    return wy_is_definite(w->m, h);
}

/* M at every node, into w->mass, and - shift M into a matrix with rows of `stride`. */
static void put_masses(const wy_cheb *x, double shift, double *matrix, size_t stride) {
    const struct wy_cheb_static *w = x->equilibrium;
    const int nodes = x->grid.n + 1, n = w->rows;
    for (int i = 0; i < nodes; i++) {
        double k[36];
        node_mass(x, i, k);
        for (int e = 0; e < 2; e++)
            if (i == x->end[e].node) end_mass(x, e, k);
        for (int r = 0; r < n; r++)
            for (int c = 0; c < n; c++) {
                w->mass[(r * n + c) * nodes + i] = k[r * n + c];
                matrix[(size_t)(r * nodes + i) * stride + (size_t)(c * nodes + i)] -=
                    shift * k[r * n + c];
            }
    }
}

/* ---- with the force as an unknown -------------------------------------------------------------------
 *
 * Modes of a thin rod: K in displacements has entries EA D^2, whose rounding exceeds the bending stiffness
 * of a rod with EA L^2/EI > 1e8.  With n = A C1 (A^T p')' next to (dp, dphi), K is that of C1 = 0, and
 *
 *   balance  += D n (force),  p' x n (moment)           dp' + p' x dphi - A C1^-1 A^T n = 0
 *
 * in which EA appears as 1/EA only.  n is scaled by EI/L^2. */

static void put_forces(const wy_cheb *x, double *wide, size_t m) {
    const int nodes = x->grid.n + 1, ld = x->grid.ld;
    const double scale = x->along.c2[1][0] / (x->grid.length * x->grid.length);
    for (int i = 0; i < nodes; i++) {
        const vec3 p = vec_at(x->p1, ld, i);
        const double cross[3][3] = {{0, -p.z, p.y}, {p.z, 0, -p.x}, {-p.y, p.x, 0}};
        const mat3 frame = wy_cheb_axes(wy_cheb_pose(x, x->u, i).frame);
        const vec3 axis[3] = {frame.c1, frame.c2, frame.c3};
        for (int a = 0; a < 3; a++) {
            double *force = wide + (size_t)(a * nodes + i) * m;
            double *moment = wide + (size_t)((3 + a) * nodes + i) * m;
            double *strain = wide + (size_t)((6 + a) * nodes + i) * m;
            for (int k = 0; k < nodes; k++) {
                const double d = x->grid.dr[(size_t)i * (size_t)ld + (size_t)k];
                const double corner = i == k ? wy_cheb_corner(x, a, i) : 0.0;
                force[(6 + a) * nodes + k] -= scale * (d + corner);
                strain[a * nodes + k] += d;
            }
            for (int b = 0; b < 3; b++) {
                moment[(6 + b) * nodes + i] -= scale * cross[a][b];
                strain[(3 + b) * nodes + i] += cross[a][b];
                for (int l = 0; l < 3; l++)
                    strain[(6 + b) * nodes + i] -=
                        scale * v3_get(axis[l], a) * v3_get(axis[l], b) / x->along.c1[l][i];
            }
        }
    }
}

static withy_status factor_mixed(wy_cheb *x, double shift, withy_error *err) {
    struct wy_cheb_static *w = x->equilibrium;
    const size_t m = (size_t)w->m, all = (size_t)w->wide_rows;
    double *c1[3];
    WY_TRY(wy_cheb_static_balance(x, err));
    for (int k = 0; k < 3; k++) c1[k] = x->along.c1[k], x->along.c1[k] = w->none;
    const withy_status status = wy_cheb_jacobian(x, x->state->t, x->u, NULL, err);
    for (int k = 0; k < 3; k++) x->along.c1[k] = c1[k];
    WY_TRY(status);
    reduce_columns(x, x->jac.stiff, w->matrix);
    memset(w->wide, 0, all * all * sizeof *w->wide);
    for (size_t r = 0; r < m; r++)
        for (size_t c = 0; c < m; c++) w->wide[r * all + c] = -w->matrix[r * m + c];
    put_forces(x, w->wide, all);
    for (int e = 0; e < 2; e++)
        if (x->end[e].rolls) turn_axes(x, e, w->wide, all);
    put_masses(x, shift, w->wide, all);
    give_rows(x, 1.0, w->wide, all);
    if (!wy_lu_factor(w->wide_rows, w->wide_rows, w->wide, w->wide_pivot))
        return wy_no_convergence(err, "cheb: the matrix of the rod is singular");
    return WITHY_OK;
}

void wy_cheb_mixed_solve(const wy_cheb *x, double *b) {
    const struct wy_cheb_static *w = x->equilibrium;
    memset(w->wide_side, 0, (size_t)w->wide_rows * sizeof *b);
    memcpy(w->wide_side, b, (size_t)w->m * sizeof *b);
    wy_lu_solve(w->wide_rows, w->wide_rows, w->wide, w->wide_pivot, w->wide_side);
    memcpy(b, w->wide_side, (size_t)w->m * sizeof *b);
}

/* Rows of one size, lengths in units of L: pivots do not depend on the units of the scene. */
static void scale_rows(wy_cheb *x) {
    const struct wy_cheb_static *w = x->equilibrium;
    const size_t m = (size_t)w->m, shifts = (size_t)(wy_cheb_places(x) * (x->grid.n + 1));
    for (size_t i = 0; i < m; i++) {
        double most = 0, *row = w->matrix + i * m;
        for (size_t j = 0; j < m; j++)
            most = wy_max(most, fabs(row[j]) * (j < shifts ? x->grid.length : 1.0));
        w->scale[i] = most > 0 && isfinite(most) ? 1 / most : 1.0;
        for (size_t j = 0; j < m; j++) row[j] *= w->scale[i];
    }
}

withy_status wy_cheb_factor(wy_cheb *x, double shift, int *negative, withy_error *err) {
    struct wy_cheb_static *w = x->equilibrium;
    const size_t m = (size_t)w->m;
    w->visc_made = 0, *negative = -1;
    if (w->mixed) return factor_mixed(x, shift, err);
    WY_TRY(wy_cheb_static_balance(x, err));
    WY_TRY(wy_cheb_jacobian(x, x->state->t, x->u, NULL, err));
    reduce_columns(x, x->jac.stiff, w->matrix);
    for (size_t k = 0; k < m * m; k++) w->matrix[k] = -w->matrix[k];
    for (int e = 0; e < 2; e++)
        if (x->end[e].rolls) turn_axes(x, e, w->matrix, m);
    put_masses(x, shift, w->matrix, m);
    give_rows(x, 1.0, w->matrix, m);
    *negative = is_definite(x, x->jac.stiff) ? 0 : -1; /* their number is found by the modes */
    scale_rows(x);
    if (!wy_lu_factor(w->m, w->m, w->matrix, w->pivot))
        return wy_no_convergence(err, "cheb: the matrix of the rod is singular");
    return WITHY_OK;
}

void wy_cheb_mass(const void *self, const double *v, double *mv) {
    const struct wy_cheb_static *w = ((const wy_cheb *)self)->equilibrium;
    const int n = w->rows, nodes = w->m / n;
    memset(mv, 0, (size_t)w->m * sizeof *mv);
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++) {
            const double *restrict k = w->mass + (r * n + c) * nodes, *restrict in = v + c * nodes;
            double *restrict out = mv + r * nodes;
            for (int i = 0; i < nodes; i++) out[i] += k[i] * in[i];
        }
}

/* C v at the shape that was factored last; its matrix is made at the first use. */
void wy_cheb_damping(const void *self, const double *v, double *cv) {
    wy_cheb *x = (wy_cheb *)self;
    struct wy_cheb_static *w = x->equilibrium;
    const size_t m = (size_t)w->m;
    memset(cv, 0, m * sizeof *cv);
    if (!w->visc) return;
    if (!w->visc_made) {
        if (wy_cheb_jacobian(x, x->state->t, x->u, x->v, NULL) != WITHY_OK) return;
        reduce_columns(x, x->jac.visc, w->visc);
        for (int e = 0; e < 2; e++)
            if (x->end[e].rolls) turn_axes(x, e, w->visc, m);
        give_rows(x, 0.0, w->visc, m);
        w->visc_made = 1;
    }
    for (size_t r = 0; r < m; r++)
        for (size_t c = 0; c < m; c++) cv[r] -= w->visc[r * m + c] * v[c];
}
