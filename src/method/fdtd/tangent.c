/* tangent.c - the stiffness matrix of the discrete rod, by complex steps.
 *
 * The kernels evaluate rational functions of r and q; evaluated at x + i h v they give f(x) in the
 * real part and h K v in the imaginary part, with no cancellation: the derivative is exact to
 * rounding however small h is (Squire and Trapp 1998).  This matters: the lowest frequency of a
 * string is 1e-4 of its highest, so a differenced matrix would not hold its first eigenvalue.
 * Columns whose footprints do not meet are found together.
 */
#include "method/fdtd/tangent.h"

#include <complex.h>
#include <string.h>

typedef double complex number;

static const double STEP = 1e-100;

/* The fields of the rod with their derivatives. */
typedef struct fields {
    number (*r)[3], (*q)[4];             /* state */
    number (*nn)[3], (*gb)[4], (*ga)[4]; /* work */
    number (*force)[3], (*torque)[3];    /* result */
} fields;

/* ---- rows ------------------------------------------------------------------------------------ */

static wy_fdtd_row row_of(const wy_fdtd_operator *op,
                          double (*entry)(const wy_fdtd_operator *, int, int), int row,
                          int columns) {
    wy_fdtd_row r = {.first = row - WY_FDTD_REACH > 0 ? row - WY_FDTD_REACH : 0};
    int last = row + WY_FDTD_REACH < columns - 1 ? row + WY_FDTD_REACH : columns - 1;
    while (r.first < last && entry(op, row, r.first) == 0.0) r.first++;
    while (last > r.first && entry(op, row, last) == 0.0) last--;
    r.count = last - r.first + 1;
    for (int c = 0; c < r.count; c++) r.weight[c] = entry(op, row, r.first + c);
    return r;
}

static double qt_entry(const wy_fdtd_operator *op, int i, int j) {
    return wy_fdtd_q_entry(op, j, i);
}

static int is_held(const wy_fdtd_tangent *x, int unknown) {
    const int i = unknown / 6, node = unknown % 6 < 3;
    return node &&
           ((i == 0 && x->g->end[0].holds_position) || (i == x->n && x->g->end[1].holds_position));
}

withy_status wy_fdtd_tangent_make(wy_fdtd_group *g, int lane, wy_arena *arena, wy_fdtd_tangent *x,
                                  withy_error *err) {
    static const int footprint[3] = {4, 12, 18};
    const size_t nodes = (size_t)g->n + 1;
    *x = (wy_fdtd_tangent){.g = g, .lane = lane, .n = g->n, .size = 6 * g->n + 3};
    const int points = footprint[g->op->reach - 1];
    x->band = wy_min(6 * points + 5, x->size - 1);
    x->q = wy_arena_take(arena, nodes, sizeof *x->q);
    x->qt = wy_arena_take(arena, nodes, sizeof *x->qt);
    x->i = wy_arena_take(arena, nodes, sizeof *x->i);
    x->mass = wy_arena_take(arena, (size_t)x->size, sizeof *x->mass);
    x->force = wy_arena_take(arena, (size_t)x->size, sizeof *x->force);
    fields *f = wy_arena_take(arena, 1, sizeof *f);
    number *all = wy_arena_take(arena, nodes, 24 * sizeof *all);
    if (!x->q || !x->qt || !x->i || !x->mass || !x->force || !f || !all)
        return wy_fail(err, WITHY_NO_MEMORY, "fdtd: no memory for a matrix of %d rows", x->size);
    f->r = (number(*)[3])all, f->q = (number(*)[4])(all + 3 * nodes);
    f->nn = (number(*)[3])(all + 7 * nodes), f->gb = (number(*)[4])(all + 10 * nodes);
    f->ga = (number(*)[4])(all + 14 * nodes), f->force = (number(*)[3])(all + 18 * nodes);
    f->torque = (number(*)[3])(all + 21 * nodes);
    x->work = f;
    for (int j = 0; j < g->n; j++) x->q[j] = row_of(g->op, wy_fdtd_q_entry, j, g->n + 1);
    for (int i = 0; i <= g->n; i++) {
        x->qt[i] = row_of(g->op, qt_entry, i, g->n);
        x->i[i] = row_of(g->op, wy_fdtd_i_entry, i, g->n);
    }
    for (int k = 0; k < x->size; k++) {
        const int at = k / 6 * g->lanes + lane, d = k % 6;
        x->mass[k] = d < 3 ? g->mass[at] : g->inertia[d - 3][at];
    }
    return wy_banded_take(arena, x->size, x->band, x->band, 1, &x->lu, err);
}

/* ---- the forces with complex numbers --------------------------------------------------------- */

static void cross(const number a[3], const number b[3], number out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void matrix_of(const number q[4], number R[3][3]) {
    const number w = q[0], x = q[1], y = q[2], z = q[3];
    R[0][0] = 1 - 2 * (y * y + z * z), R[0][1] = 2 * (x * y - w * z), R[0][2] = 2 * (x * z + w * y);
    R[1][0] = 2 * (x * y + w * z), R[1][1] = 1 - 2 * (x * x + z * z), R[1][2] = 2 * (y * z - w * x);
    R[2][0] = 2 * (x * z - w * y), R[2][1] = 2 * (y * z + w * x), R[2][2] = 1 - 2 * (x * x + y * y);
}

/* a* b, and a (0, m) */
static void conj_times(const number a[4], const number b[4], number out[3]) {
    out[0] = a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2];
    out[1] = a[0] * b[2] - a[2] * b[0] - a[3] * b[1] + a[1] * b[3];
    out[2] = a[0] * b[3] - a[3] * b[0] - a[1] * b[2] + a[2] * b[1];
}
static void times_vector(const number a[4], const number m[3], number out[4]) {
    out[0] = -a[1] * m[0] - a[2] * m[1] - a[3] * m[2];
    out[1] = a[0] * m[0] + a[2] * m[2] - a[3] * m[1];
    out[2] = a[0] * m[1] + a[3] * m[0] - a[1] * m[2];
    out[3] = a[0] * m[2] + a[1] * m[1] - a[2] * m[0];
}

/* Stress of a weighted strain: elastic, or viscous (stress free at the present strain). */
static number stress(const wy_fdtd_tangent *x, double *const k[3], double *const k0[3],
                     double *const c[3], int d, int at, number strain, int viscous) {
    const wy_fdtd_group *g = x->g;
    if (!viscous) return k[d][at] * strain + k0[d][at];
    return g->viscous ? c[d][at] * g->dt * (strain - creal(strain)) : 0.0;
}

static void halves(const wy_fdtd_tangent *x, fields *f, int viscous) {
    const wy_fdtd_group *g = x->g;
    for (int j = 0; j < x->n; j++) {
        const int at = j * g->lanes + x->lane;
        const wy_fdtd_row *row = &x->q[j];
        number d[3] = {0}, R[3][3], e[3], n[3];
        for (int c = 0; c < row->count; c++)
            for (int k = 0; k < 3; k++) d[k] += row->weight[c] * f->r[row->first + c][k];
        matrix_of(f->q[j], R);
        for (int k = 0; k < 3; k++) {
            e[k] = R[0][k] * d[0] + R[1][k] * d[1] + R[2][k] * d[2];
            n[k] = stress(x, g->kn, g->n0, g->cn, k, at, e[k], viscous);
        }
        for (int k = 0; k < 3; k++) f->nn[j][k] = R[k][0] * n[0] + R[k][1] * n[1] + R[k][2] * n[2];
        cross(e, n, f->torque[j]);
    }
}

/* Frame and sum of an end node: as held, or as the kernels carry the halves on. */
static int end_frame(const wy_fdtd_tangent *x, int i, number a[4], number b[4]) {
    const int which = i == 0 ? 0 : i == x->n ? 1 : -1;
    if (which < 0 || !x->g->end[which].holds_direction) return which;
    for (int k = 0; k < 4; k++) {
        a[k] = x->g->end[which].q[k][x->lane];
        b[k] += which ? a[k] : -a[k];
    }
    return which;
}

static void nodes(const wy_fdtd_tangent *x, fields *f, int viscous) {
    const wy_fdtd_group *g = x->g;
    for (int i = 0; i <= x->n; i++) {
        const int at = i * g->lanes + x->lane;
        const wy_fdtd_row *qt = &x->qt[i], *mean = &x->i[i];
        number a[4] = {0}, b[4] = {0}, z[3], m[3] = {0}, bm[4];
        for (int k = 0; k < 3; k++) {
            f->force[i][k] = 0;
            for (int c = 0; c < qt->count; c++)
                f->force[i][k] -= qt->weight[c] * f->nn[qt->first + c][k];
        }
        for (int k = 0; k < 4; k++) {
            for (int c = 0; c < qt->count; c++) b[k] -= qt->weight[c] * f->q[qt->first + c][k];
            for (int c = 0; c < mean->count; c++)
                a[k] += mean->weight[c] * f->q[mean->first + c][k];
        }
        const int end = end_frame(x, i, a, b);
        const number scale = 2 / (a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3]);
        conj_times(a, b, z);
        const int free_end = end >= 0 && !g->end[end].holds_direction;
        for (int k = 0; k < 3; k++) {
            z[k] *= scale;
            m[k] = free_end ? (viscous ? 0.0 : g->end[end].moment[k][x->lane])
                            : stress(x, g->km, g->m0, g->cm, k, at, z[k], viscous);
        }
        if (end >= 0 && g->end[end].turns_free) m[2] = 0;
        const number mz = m[0] * z[0] + m[1] * z[1] + m[2] * z[2];
        times_vector(a, m, f->gb[i]);
        times_vector(b, m, bm);
        for (int k = 0; k < 4; k++) {
            f->gb[i][k] *= scale;
            f->ga[i][k] = end >= 0 ? 0.0 : -scale * (bm[k] + mz * a[k]);
        }
    }
}

static void evaluate(const wy_fdtd_tangent *x, int viscous) {
    fields *f = x->work;
    halves(x, f, viscous);
    nodes(x, f, viscous);
    for (int j = 0; j < x->n; j++) { /* Im(q* (Q g_b - I^T g_a))/2 */
        const wy_fdtd_row *row = &x->q[j];
        number G[4] = {0}, half[3];
        for (int k = 0; k < 4; k++)
            for (int c = 0; c < row->count; c++) G[k] += row->weight[c] * f->gb[row->first + c][k];
        for (int i = j - WY_FDTD_REACH > 0 ? j - WY_FDTD_REACH : 0;
             i <= j + WY_FDTD_REACH && i <= x->n; i++) {
            const int c = j - x->i[i].first;
            if (c < 0 || c >= x->i[i].count) continue;
            for (int k = 0; k < 4; k++) G[k] -= x->i[i].weight[c] * f->ga[i][k];
        }
        conj_times(f->q[j], G, half);
        for (int k = 0; k < 3; k++) f->torque[j][k] += 0.5 * half[k];
    }
}

/* The present state, and then a step of v along the imaginary axis. */
static void load_state(const wy_fdtd_tangent *x) {
    const wy_fdtd_group *g = x->g;
    fields *f = x->work;
    for (int i = 0; i <= x->n; i++) {
        const int at = i * g->lanes + x->lane;
        for (int k = 0; k < 3; k++) f->r[i][k] = g->r[k][at];
        for (int k = 0; k < 4 && i < x->n; k++) f->q[i][k] = g->q[k][at];
    }
}

static void perturb(const wy_fdtd_tangent *x, int unknown, double amount) {
    fields *f = x->work;
    const int i = unknown / 6, d = unknown % 6;
    if (d < 3) {
        f->r[i][d] += I * STEP * amount;
        return;
    }
    number m[3] = {0}, turn[4], q[4];
    for (int k = 0; k < 4; k++) q[k] = creal(f->q[i][k]);
    m[d - 3] = 0.5 * amount;
    times_vector(q, m, turn);
    for (int k = 0; k < 4; k++) f->q[i][k] += I * STEP * creal(turn[k]);
}

static number result(const wy_fdtd_tangent *x, int unknown) {
    const fields *f = x->work;
    const int i = unknown / 6, d = unknown % 6;
    return d < 3 ? f->force[i][d] : f->torque[i][d - 3];
}

/* ---- the doors ------------------------------------------------------------------------------- */

void wy_fdtd_tangent_force(wy_fdtd_tangent *x) {
    const wy_fdtd_group *g = x->g;
    load_state(x);
    evaluate(x, 0);
    for (int k = 0; k < x->size; k++) {
        const int i = k / 6, d = k % 6, at = i * g->lanes + x->lane;
        const int end = i == 0 ? 0 : i == x->n ? 1 : -1;
        double f = creal(result(x, k)) + (d < 3 ? g->load[d][at] : g->couple[d - 3][at]);
        if (d < 3 && end >= 0) f += g->end[end].force[d][x->lane];
        x->force[k] = is_held(x, k) ? 0.0 : f;
    }
}

void wy_fdtd_tangent_times(wy_fdtd_tangent *x, const double *v, int viscous, double *y) {
    load_state(x);
    for (int k = 0; k < x->size; k++)
        if (v[k] != 0 && !is_held(x, k)) perturb(x, k, v[k]);
    evaluate(x, viscous);
    for (int k = 0; k < x->size; k++) y[k] = is_held(x, k) ? 0.0 : -cimag(result(x, k)) / STEP;
}

/* Columns far enough apart are found in one evaluation; then rows are handed to the elimination. */
withy_status wy_fdtd_tangent_factor(wy_fdtd_tangent *x, double shift, withy_error *err) {
    const int n = x->size, width = 2 * x->band + 1, apart = 6 * (2 * (x->band / 6) + 2);
    wy_arena arena = {0};
    double *k = wy_arena_take(&arena, (size_t)n * (size_t)width, sizeof *k); /* [row][col - row] */
    if (!k) return wy_fail(err, WITHY_NO_MEMORY, "fdtd: no memory for a matrix of %d rows", n);
    for (int colour = 0; colour < apart && colour < n; colour++) {
        load_state(x);
        for (int c = colour; c < n; c += apart)
            if (!is_held(x, c)) perturb(x, c, 1.0);
        evaluate(x, 0);
        for (int c = colour; c < n; c += apart)
            for (int r = c - x->band; r <= c + x->band && !is_held(x, c); r++)
                if (r >= 0 && r < n && !is_held(x, r))
                    k[(size_t)r * (size_t)width + (size_t)(c - r + x->band)] =
                        -cimag(result(x, r)) / STEP;
    }
    wy_banded_begin(&x->lu);
    bool ok = true;
    for (int r = 0; r < n && ok; r++) {
        double *row = wy_banded_row(&x->lu, r);
        memset(row, 0, (size_t)x->lu.width * sizeof *row);
        for (int c = r - x->band > 0 ? r - x->band : 0; c <= r + x->band && c < n; c++) {
            const double a = k[(size_t)r * (size_t)width + (size_t)(c - r + x->band)];
            const double b = k[(size_t)c * (size_t)width + (size_t)(r - c + x->band)];
            double value = 0.5 * (a + b); /* symmetric at an equilibrium */
            if (c == r) value = is_held(x, r) ? 1.0 : value - shift * x->mass[r];
            *wy_banded_at(&x->lu, r, c) = value;
        }
        ok = wy_banded_eliminate(&x->lu, r + 1);
    }
    wy_arena_free(&arena);
    if (ok) return WITHY_OK;
    return wy_fail(err, WITHY_NO_CONVERGENCE,
                   "fdtd: the stiffness matrix is singular: nothing holds the rod, or it is about "
                   "to buckle");
}

void wy_fdtd_tangent_move(wy_fdtd_tangent *x, const double *v) {
    wy_fdtd_group *g = x->g;
    g->forced = 0;
    for (int i = 0; i <= x->n; i++) {
        const int at = i * g->lanes + x->lane;
        for (int d = 0; d < 3; d++) g->r[d][at] += v[6 * i + d];
        if (i == x->n) break;
        const quat q = {g->q[0][at], g->q[1][at], g->q[2][at], g->q[3][at]};
        const quat t = q_unit(q_mul(q, q_exp(v3_from(&v[6 * i + 3]))));
        g->q[0][at] = t.w, g->q[1][at] = t.x, g->q[2][at] = t.y, g->q[3][at] = t.z;
    }
}
