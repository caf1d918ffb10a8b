/* tangent.c - the stiffness matrix of the discrete rod, by complex steps.
 *
 * The kernels evaluate rational functions of r and q; evaluated at x + i h v they give f(x) in the
 * real part and h K v in the imaginary part, with no cancellation: the derivative is exact to
 * rounding however small h is (Squire and Trapp 1998).  This matters: the lowest frequency of a
 * string is 1e-4 of its highest, so a matrix by finite differences would not resolve its first eigenvalue.
 * Columns with disjoint footprints are computed together.
 */
#include "method/fdtd/tangent.h"

#include <float.h>

#include "numeric/vector/complex.h"

typedef wy_complex number;

static const double STEP = 1e-100;

/* The fields of the rod with their derivatives. */
typedef struct fields {
    number (*r)[3], (*q)[4];             /* state */
    number (*nn)[3], (*gb)[4], (*ga)[4]; /* work */
    number (*force)[3], (*torque)[3];    /* result */
} fields;

/* ---- memory ---------------------------------------------------------------------------------- */

int wy_fdtd_is_held(const wy_fdtd_tangent *x, int unknown) {
    const int end = wy_fdtd_end_at(x->g, unknown / 6);
    return unknown % 6 < 3 && end >= 0 && x->g->end[end].holds_position;
}

double wy_fdtd_mass_of(const wy_fdtd_tangent *x, int unknown) {
    const int i = unknown / 6, d = unknown % 6;
    if (wy_fdtd_is_held(x, unknown)) return 0.0;
    if (x->weighed) {
        const double length = x->g->length[0], share = length / x->n;
        return d < 3 ? share : WY_WEIGHT_TURN * length * length * share;
    }
    return d < 3 ? x->g->grid.mass[i] : x->g->rate.inertia[d - 3][i];
}

withy_status wy_fdtd_tangent_make(wy_fdtd_group *g, wy_arena *arena, wy_fdtd_tangent **out,
                                  withy_error *err) {
    static const int footprint[3] = {4, 12, 18};
    const int size = 6 * g->n + 3, band = wy_min(6 * footprint[g->op->reach - 1] + 5, size - 1);
    const size_t nodes = (size_t)g->n + 1, width = 2 * (size_t)band + 1;
    wy_fdtd_tangent *x = wy_arena_alloc(arena, 1, sizeof *x);
    double *matrix = wy_arena_alloc(arena, (size_t)size * width, sizeof *matrix);
    fields *f = wy_arena_alloc(arena, 1, sizeof *f);
    number *all = wy_arena_alloc(arena, nodes, 24 * sizeof *all);
    if (!x || !matrix || !f || !all)
        return wy_no_memory(err, "fdtd: no memory for a matrix of %d rows", size);
    *x = (wy_fdtd_tangent){.g = g, .n = g->n, .size = size, .band = band, .matrix = matrix};
    f->r = (number(*)[3])all, f->q = (number(*)[4])(all + 3 * nodes);
    f->nn = (number(*)[3])(all + 7 * nodes), f->gb = (number(*)[4])(all + 10 * nodes);
    f->ga = (number(*)[4])(all + 14 * nodes), f->force = (number(*)[3])(all + 18 * nodes);
    f->torque = (number(*)[3])(all + 21 * nodes);
    x->work = f;
    if (g->spot_count > 0) {
        x->slope = wy_arena_alloc(arena, (size_t)g->spot_count, sizeof *x->slope);
        x->torque = wy_arena_alloc(arena, 7 * (size_t)size, sizeof *x->torque);
        if (!x->slope || !x->torque)
            return wy_no_memory(err, "fdtd: no memory for a matrix of %d rows", size);
    }
    *out = x;
    return wy_banded_take(arena, size, band, band, 1, &x->lu, err);
}

/* ---- the forces with complex numbers --------------------------------------------------------- */

/* Stress of a weighted strain: elastic, or viscous (stress free at the present strain). */
static number stress(const wy_fdtd_tangent *x, double *const k[3], double *const k0[3],
                     double *const c[3], int d, int at, number strain, int viscous) {
    if (!viscous) return k[d][at] * strain + k0[d][at];
    return x->g->viscous ? c[d][at] * (strain - creal(strain)) : 0.0;
}

static void halves(const wy_fdtd_tangent *x, fields *f, int viscous) {
    const wy_fdtd_group *g = x->g;
    for (int j = 0; j < x->n; j++) {
        const wy_sbp_row row = wy_sbp_row_of(&g->op->row_q, j);
        number d[3] = {0}, R[3][3], e[3], n[3];
        for (int c = 0; c < row.count; c++)
            for (int k = 0; k < 3; k++) d[k] += row.weight[c] * f->r[row.first + c][k];
        wy_complex_matrix(f->q[j], R);
        for (int k = 0; k < 3; k++) {
            e[k] = R[0][k] * d[0] + R[1][k] * d[1] + R[2][k] * d[2];
            n[k] = stress(x, g->grid.kn, g->grid.n0, g->grid.cn, k, j, e[k], viscous);
        }
        for (int k = 0; k < 3; k++) f->nn[j][k] = R[k][0] * n[0] + R[k][1] * n[1] + R[k][2] * n[2];
        wy_complex_cross(e, n, f->torque[j]);
    }
}

/* Frame of an end node: as held, or as the kernels carry the halves on. */
static void end_frame(const wy_fdtd_tangent *x, int end, number a[4]) {
    const wy_fdtd_hold *hold = &x->g->now.hold[end];
    const number *q = ((const fields *)x->work)->q[end ? x->n - 1 : 0];
    number turn[3], c = 0, held[4];
    if (!x->g->end[end].holds_direction) {
        const number over = 1 / csqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3]);
        for (int k = 0; k < 4; k++) a[k] *= over;
        return;
    }
    for (int k = 0; k < 4; k++) held[k] = a[k] = hold->q[k][0], c += held[k] * q[k];
    if (x->g->end[end].turns_free) { /* turned about its own d3 until there is no twist */
        wy_complex_conj_times(held, q, turn);
        const number size = csqrt(c * c + turn[2] * turn[2]), w = c / size, z = turn[2] / size;
        a[0] = held[0] * w - held[3] * z, a[1] = held[1] * w + held[2] * z;
        a[2] = held[2] * w - held[1] * z, a[3] = held[3] * w + held[0] * z;
    }
}

/* Order 2: an applied couple is the same vector on the half beside the end, Im(q* g_b)/2 = R(q)^T R(a) m. */
static void carry_couple(const wy_fdtd_tangent *x, int end, const number a[4], const number m[3],
                         number gb[4]) {
    const number *q = ((const fields *)x->work)->q[end ? x->n - 1 : 0];
    number from[3][3], to[3][3], own[3] = {0};
    wy_complex_matrix(a, from), wy_complex_matrix(q, to);
    for (int k = 0; k < 3; k++)
        for (int d = 0; d < 3; d++)
            for (int e = 0; e < 3; e++) own[k] += 2 * to[d][k] * from[d][e] * m[e];
    wy_complex_times_vector(q, own, gb);
}

/* Couple and force that act at an end that may turn: dead ones turn against the section, followers
 * with it. */
static void end_load(const wy_fdtd_tangent *x, int end, const number a[4], number m[3],
                     number force[3]) {
    const wy_fdtd_hold *hold = &x->g->now.hold[end];
    const withy_end *given = x->g->end[end].end[0].end; /* what sees the state is given as dead */
    const int follower = given->follower && !wy_end_uses_state(given);
    number real[4], now[3][3], was[3][3];
    for (int k = 0; k < 4; k++) real[k] = creal(a[k]);
    wy_complex_matrix(a, now), wy_complex_matrix(real, was);
    for (int k = 0; k < 3; k++) {
        m[k] = follower ? hold->moment[k][0] : 0.0;
        for (int d = 0; d < 3; d++)
            for (int e = 0; e < 3; e++) {
                if (follower) force[k] += now[k][d] * was[e][d] * hold->force[e][0];
                if (!follower) m[k] += now[d][k] * was[d][e] * hold->moment[e][0];
            }
        if (!follower) force[k] += hold->force[k][0];
    }
}

/* z and b of an inner node that has the strain of an applied couple. */
static void strain_of_couple(const wy_fdtd_tangent *x, int i, const number a[4], const number m[3],
                             number z[3], number b[4]) {
    number half[3];
    for (int k = 0; k < 3; k++) {
        z[k] = (m[k] - x->g->grid.m0[k][i]) / x->g->grid.km[k][i];
        half[k] = 0.5 * z[k];
    }
    wy_complex_times_vector(a, half, b);
}

static void nodes(const wy_fdtd_tangent *x, fields *f, int viscous) {
    const wy_fdtd_group *g = x->g;
    for (int i = 0; i <= x->n; i++) {
        const wy_sbp_row qt = wy_sbp_row_of(&g->op->row_qt, i);
        const wy_sbp_row mean = wy_sbp_row_of(&g->op->row_i, i);
        const int end = wy_fdtd_end_at(g, i);
        number a[4] = {0}, b[4] = {0}, z[3], m[3] = {0}, bm[4];
        for (int k = 0; k < 3; k++) {
            f->force[i][k] = 0;
            for (int c = 0; c < qt.count; c++)
                f->force[i][k] -= qt.weight[c] * f->nn[qt.first + c][k];
        }
        for (int k = 0; k < 4; k++) {
            for (int c = 0; c < qt.count; c++) b[k] -= qt.weight[c] * f->q[qt.first + c][k];
            for (int c = 0; c < mean.count; c++) a[k] += mean.weight[c] * f->q[mean.first + c][k];
        }
        if (end >= 0) {
            end_frame(x, end, a);
            for (int k = 0; k < 4; k++) b[k] += end ? a[k] : -a[k];
        }
        const number scale = 2 / (a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3]);
        const int free_end = end >= 0 && !g->end[end].holds_direction;
        wy_complex_conj_times(a, b, z);
        for (int k = 0; k < 3; k++) {
            z[k] *= scale;
            if (!free_end)
                m[k] = stress(x, g->grid.km, g->grid.m0, g->grid.cm, k, i, z[k], viscous);
        }
        if (end >= 0 && !viscous) {
            if (free_end)
                end_load(x, end, a, m, f->force[i]);
            else
                for (int k = 0; k < 3; k++) f->force[i][k] += g->now.hold[end].force[k][0];
        }
        if (end >= 0 && g->end[end].turns_free) m[2] = 0;
        if (free_end) strain_of_couple(x, i, a, m, z, b);
        const number mz = m[0] * z[0] + m[1] * z[1] + m[2] * z[2];
        wy_complex_times_vector(a, m, f->gb[i]);
        wy_complex_times_vector(b, m, bm);
        for (int k = 0; k < 4; k++) {
            f->gb[i][k] *= scale;
            f->ga[i][k] = end >= 0 && !free_end ? 0.0 : -scale * (bm[k] + mz * a[k]);
        }
        if (free_end && g->op->reach == 1) {
            carry_couple(x, end, a, m, f->gb[i]);
            for (int k = 0; k < 4; k++) f->ga[i][k] = 0.0;
        }
    }
}

static void evaluate(const wy_fdtd_tangent *x, int viscous) {
    const wy_sbp *op = x->g->op;
    fields *f = x->work;
    halves(x, f, viscous);
    nodes(x, f, viscous);
    for (int j = 0; j < x->n; j++) { /* Im(q* (Q g_b - I^T g_a))/2 */
        const wy_sbp_row row = wy_sbp_row_of(&op->row_q, j), it = wy_sbp_row_of(&op->row_it, j);
        number G[4] = {0}, half[3];
        for (int k = 0; k < 4; k++) {
            for (int c = 0; c < row.count; c++) G[k] += row.weight[c] * f->gb[row.first + c][k];
            for (int c = 0; c < it.count; c++) G[k] -= it.weight[c] * f->ga[it.first + c][k];
        }
        wy_complex_conj_times(f->q[j], G, half);
        for (int k = 0; k < 3; k++) f->torque[j][k] += 0.5 * half[k];
    }
}

/* The present state, and then a step of v along the imaginary axis. */
static void load_state(const wy_fdtd_tangent *x) {
    const wy_fdtd_now *now = &x->g->now;
    fields *f = x->work;
    for (int i = 0; i <= x->n; i++) {
        for (int k = 0; k < 3; k++) f->r[i][k] = now->r[k][i];
        for (int k = 0; k < 4 && i < x->n; k++) f->q[i][k] = now->q[k][i];
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
    wy_complex_times_vector(q, m, turn);
    for (int k = 0; k < 4; k++) f->q[i][k] += I * STEP * creal(turn[k]);
}

static number result(const wy_fdtd_tangent *x, int unknown) {
    const fields *f = x->work;
    const int i = unknown / 6, d = unknown % 6;
    return d < 3 ? f->force[i][d] : f->torque[i][d - 3];
}

/* ---- loads that depend on the state ------------------------------------------------------------------- */

/* What a spot's (force, moment) adds to row k of the residual; 0: nothing. */
static int row_of(const wy_fdtd_tangent *x, const wy_fdtd_spot *spot, int k, const double f[6],
                  double *value) {
    const int i = k / 6, d = k % 6;
    *value = 0;
    for (int a = 0; a < 2; a++) {
        if (d < 3 && spot->node[a] == i) *value += spot->n[a] * f[d];
        if (d < 3 || spot->end >= 0 || spot->half[a] != i) continue;
        const vec3 own = m3_tmul(q_matrix(wy_fdtd_at4(x->g->now.q, i)), v3_from(f + 3));
        *value += spot->share[a] * v3_get(own, d - 3);
    }
    if (spot->end < 0 || x->g->end[spot->end].holds_direction) return *value != 0;
    const mat3 frame = wy_fdtd_end_frame(x->g, 0, spot->end);
    const vec3 own = v3_scale(spot->end ? 1.0 : -1.0, m3_tmul(frame, v3_from(f + 3)));
    for (int c = 0; c < 3; c++)
        *value += x->torque[(3 * spot->end + c) * x->size + k] * v3_get(own, c);
    return *value != 0;
}

/* The unknowns that a spot sees. */
static int has_state_load(const wy_fdtd_spot *spot, int k) {
    const int i = k / 6, *at = k % 6 < 3 ? spot->node : spot->half;
    return at[0] == i || at[1] == i;
}

/* d(force, moment) of a spot with unknown k, or with its rate. */
static void change_of(const wy_fdtd_tangent *x, const wy_fdtd_spot *spot,
                      double (*slope)[WY_STATE_LOAD], int k, int rate, double out[6]) {
    const int i = k / 6, d = k % 6, first = rate ? WY_STATE_LOAD_SPEED : 0;
    double with[6] = {0};
    for (int a = 0; a < 2; a++) {
        if (d < 3 && spot->node[a] == i) with[d] += spot->n[a];
        if (d < 3 || spot->half[a] != i) continue;
        const mat3 frame = q_matrix(wy_fdtd_at4(x->g->now.q, i));
        const vec3 axis = d == 3 ? frame.c1 : d == 4 ? frame.c2 : frame.c3;
        for (int c = 0; c < 3; c++) with[3 + c] += spot->h[a] * v3_get(axis, c);
    }
    for (int r = 0; r < 6; r++) {
        out[r] = 0;
        for (int c = 0; c < 6; c++) out[r] += slope[r][first + c] * with[c];
    }
}

/* What a unit moment on an end does: the residual is quadratic in it, so that a central difference is
 * exact. */
static void find_torques(wy_fdtd_tangent *x) {
    double *below = x->torque + 6 * (size_t)x->size;
    for (int c = 0; c < 6; c++) {
        double *moment = &x->g->now.hold[c / 3].moment[c % 3][0], *to = x->torque + c * x->size;
        const double was = *moment, unit = fabs(was) + 1.0;
        *moment = was + unit;
        wy_fdtd_tangent_force(x, to);
        *moment = was - unit;
        wy_fdtd_tangent_force(x, below);
        *moment = was;
        for (int k = 0; k < x->size; k++) to[k] = (to[k] - below[k]) / (2 * unit);
    }
}

static void state_load_damping(const wy_fdtd_tangent *x, const double *v, double *y) {
    for (int s = 0; s < x->g->spot_count; s++) {
        const wy_fdtd_spot *spot = &x->g->spot[s];
        double sum[6] = {0}, f[6], value;
        for (int k = 0; k < x->size; k++) {
            if (!has_state_load(spot, k) || wy_fdtd_is_held(x, k)) continue;
            change_of(x, spot, x->slope[s], k, 1, f);
            for (int r = 0; r < 6; r++) sum[r] += v[k] * f[r];
        }
        for (int k = 0; k < x->size; k++)
            if (!wy_fdtd_is_held(x, k) && row_of(x, spot, k, sum, &value)) y[k] -= value;
    }
}

/* K = -dr/dx: their share. */
static withy_status add_state_loads(wy_fdtd_tangent *x, withy_error *err) {
    const size_t width = 2 * (size_t)x->band + 1;
    if (x->g->spot_count == 0) return WITHY_OK;
    WY_TRY(wy_fdtd_state_load_slopes(x->g, x->t, x->factor, x->slope, err));
    find_torques(x);
    for (int s = 0; s < x->g->spot_count; s++) {
        const wy_fdtd_spot *spot = &x->g->spot[s];
        for (int c = 0; c < x->size; c++) {
            double f[6], value;
            if (!has_state_load(spot, c)) continue;
            change_of(x, spot, x->slope[s], c, 0, f);
            for (int r = c - x->band > 0 ? c - x->band : 0; r <= c + x->band && r < x->size; r++)
                if (row_of(x, spot, r, f, &value))
                    x->matrix[(size_t)r * width + (size_t)(c - r + x->band)] -= value;
        }
    }
    return WITHY_OK;
}

/* ---- what the interface needs --------------------------------------------------------------------- */

void wy_fdtd_tangent_force(wy_fdtd_tangent *x, double *r) {
    const wy_fdtd_now *now = &x->g->now;
    load_state(x);
    evaluate(x, 0);
    for (int k = 0; k < x->size; k++) {
        const int i = k / 6, d = k % 6;
        r[k] = creal(result(x, k)) + (d < 3 ? now->load[d][i] : now->couple[d - 3][i]);
        if (wy_fdtd_is_held(x, k)) r[k] = now->hold[i > 0].r[d][0] - now->r[d][i];
    }
}

void wy_fdtd_tangent_damping(wy_fdtd_tangent *x, const double *v, double *y) {
    const wy_fdtd_grid *grid = &x->g->grid;
    load_state(x);
    for (int k = 0; k < x->size; k++)
        if (v[k] != 0 && !wy_fdtd_is_held(x, k)) perturb(x, k, v[k]);
    evaluate(x, 1);
    for (int k = 0; k < x->size; k++) {
        const double drag = k % 6 < 3 ? grid->drag_line[k / 6] : grid->drag_turn[k / 6];
        y[k] = wy_fdtd_is_held(x, k) ? 0.0 : drag * v[k] - cimag(result(x, k)) / STEP;
    }
    state_load_damping(x, v, y);
}

/* Summation by parts leaves strains of v only, so that a rigid motion gives zero to rounding:
 *
 *   v K v = (Q r_v).dN - theta.d(e x n) + d(-Q^T q).dg_b + d(I q).dg_a + |theta|^2 <q, G>/4,
 *
 * d: change along v, dq = q theta/2, G = Q g_b - I^T g_a. */
double wy_fdtd_tangent_quotient(wy_fdtd_tangent *x, const double *v, double *terms, double *round) {
    const wy_sbp *op = x->g->op;
    const fields *f = x->work;
    const double h = x->g->length[0] / x->n;
    double sum = 0;
    *terms = *round = 0;
    load_state(x);
    for (int k = 0; k < x->size; k++)
        if (v[k] != 0) perturb(x, k, v[k]);
    halves(x, x->work, 0), nodes(x, x->work, 0);
    for (int j = 0; j < x->n; j++) {
        const wy_sbp_row row = wy_sbp_row_of(&op->row_q, j), it = wy_sbp_row_of(&op->row_it, j);
        const vec3 theta = v3_from(&v[6 * j + 3]);
        *round += DBL_EPSILON * x->g->grid.kn[2][j] * h * h * v3_dot(theta, theta);
        for (int k = 0; k < 3; k++) {
            double d = 0;
            for (int c = 0; c < row.count; c++) d += row.weight[c] * v[6 * (row.first + c) + k];
            const double one = d * cimag(f->nn[j][k]) / STEP;
            const double two = -v[6 * j + 3 + k] * cimag(f->torque[j][k]) / STEP;
            sum += one + two, *terms += fabs(one) + fabs(two);
        }
        for (int k = 0; k < 4; k++) {
            double G = 0;
            for (int c = 0; c < row.count; c++) G += row.weight[c] * creal(f->gb[row.first + c][k]);
            for (int c = 0; c < it.count; c++) G -= it.weight[c] * creal(f->ga[it.first + c][k]);
            const double one = 0.25 * v3_dot(theta, theta) * creal(f->q[j][k]) * G;
            sum += one, *terms += fabs(one);
        }
    }
    for (int i = 0; i <= x->n; i++) {
        const wy_sbp_row qt = wy_sbp_row_of(&op->row_qt, i);
        const wy_sbp_row mean = wy_sbp_row_of(&op->row_i, i);
        for (int k = 0; k < 4; k++) {
            double a = 0, b = 0;
            for (int c = 0; c < qt.count; c++) b -= qt.weight[c] * cimag(f->q[qt.first + c][k]);
            for (int c = 0; c < mean.count; c++)
                a += mean.weight[c] * cimag(f->q[mean.first + c][k]);
            const double one = b / STEP * (cimag(f->gb[i][k]) / STEP);
            const double two = a / STEP * (cimag(f->ga[i][k]) / STEP);
            sum += one + two, *terms += fabs(one) + fabs(two);
        }
    }
    return sum;
}

/* Columns far enough apart are found in one evaluation. */
static void fill_matrix(wy_fdtd_tangent *x) {
    const int n = x->size, apart = 6 * (2 * (x->band / 6) + 2);
    const size_t width = 2 * (size_t)x->band + 1;
    for (int colour = 0; colour < apart && colour < n; colour++) {
        load_state(x);
        for (int c = colour; c < n; c += apart) perturb(x, c, 1.0);
        evaluate(x, 0);
        for (int c = colour; c < n; c += apart)
            for (int r = c - x->band > 0 ? c - x->band : 0; r <= c + x->band && r < n; r++)
                x->matrix[(size_t)r * width + (size_t)(c - r + x->band)] =
                    -cimag(result(x, r)) / STEP;
    }
}

withy_status wy_fdtd_tangent_factor(wy_fdtd_tangent *x, double shift, withy_error *err) {
    const int n = x->size;
    const size_t width = 2 * (size_t)x->band + 1;
    fill_matrix(x);
    WY_TRY(add_state_loads(x, err));
    wy_banded_begin(&x->lu);
    bool ok = true;
    for (int r = 0; r < n && ok; r++) {
        const int held = wy_fdtd_is_held(x, r);
        double *row = wy_banded_row(&x->lu, r);
        memset(row, 0, (size_t)x->lu.width * sizeof *row);
        for (int c = r - x->band > 0 ? r - x->band : 0; c <= r + x->band && c < n && !held; c++)
            *wy_banded_at(&x->lu, r, c) = x->matrix[(size_t)r * width + (size_t)(c - r + x->band)];
        if (held)
            *wy_banded_at(&x->lu, r, r) = 1.0;
        else
            *wy_banded_at(&x->lu, r, r) -= shift * wy_fdtd_mass_of(x, r);
        ok = wy_banded_eliminate(&x->lu, r + 1);
    }
    if (ok) return WITHY_OK;
    return wy_no_convergence(err, "fdtd: the stiffness matrix is singular: the rod is not "
                                  "supported, or it is about to buckle");
}
