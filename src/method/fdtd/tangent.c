/* tangent.c - the stiffness matrix of the discrete rod, by complex steps.
 *
 * The kernels evaluate rational functions of r and q; evaluated at x + i h v they give f(x) in the
 * real part and h K v in the imaginary part, with no cancellation: the derivative is exact to
 * rounding however small h is (Squire and Trapp 1998).  This matters: the lowest frequency of a
 * string is 1e-4 of its highest, so a matrix by finite differences would not resolve its first eigenvalue.
 * Columns with disjoint footprints are computed together.
 */
#include "method/fdtd/state.h"

#include <complex.h>
#include <float.h>

#include "numeric/vector/always.h"

/* The formulas of the kernels, of one complex number each. */
#define WY_INLINE WY_ALWAYS
#define splat(a) (a)
#define inverse_root(a) (1 / csqrt(a))
typedef double complex pack;
#include "numeric/vector/formula.inc"

#include "method/fdtd/formula.inc"

typedef pack number;

static const double STEP = 1e-100;

/* The fields of the rod with their derivatives. */
typedef struct fields {
    pack3 *r; /* state */
    pack4 *q;
    pack3 *nn; /* work */
    pack4 *gb, *ga;
    pack3 *force, *torque; /* result */
} fields;

/* ---- memory ---------------------------------------------------------------------------------- */

static int is_held(const wy_fdtd_tangent *x, int unknown) {
    const int end = wy_fdtd_end_at(x->g, unknown / 6);
    return unknown % 6 < 3 && end >= 0 && x->g->end[end].holds_position;
}

double wy_fdtd_mass_of(const wy_fdtd_tangent *x, int unknown) {
    const int i = unknown / 6, d = unknown % 6;
    if (is_held(x, unknown)) return 0.0;
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
    f->r = (pack3 *)all, f->nn = f->r + nodes, f->force = f->nn + nodes;
    f->torque = f->force + nodes, f->q = (pack4 *)(f->torque + nodes);
    f->gb = f->q + nodes, f->ga = f->gb + nodes;
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

static pack3 real3(double *const x[3], int i) {
    return (pack3){x[0][i], x[1][i], x[2][i]};
}

static pack3 lane3(double (*x)[WY_FDTD_LANES]) {
    return (pack3){x[0][0], x[1][0], x[2][0]};
}

static pack3 add_times3(pack3 a, double k, pack3 b) {
    return (pack3){a.x + k * b.x, a.y + k * b.y, a.z + k * b.z};
}

static pack4 add_times4(pack4 a, double k, pack4 b) {
    return (pack4){a.w + k * b.w, a.x + k * b.x, a.y + k * b.y, a.z + k * b.z};
}

static pack4 real_part(pack4 a) {
    return (pack4){creal(a.w), creal(a.x), creal(a.y), creal(a.z)};
}

/* Stress of a weighted strain: elastic, or viscous (stress free at the present strain). */
static pack3 stress(const wy_fdtd_tangent *x, double *const k[3], double *const k0[3],
                    double *const c[3], int at, pack3 e, int viscous) {
    if (!viscous)
        return (pack3){k[0][at] * e.x + k0[0][at], k[1][at] * e.y + k0[1][at],
                       k[2][at] * e.z + k0[2][at]};
    if (!x->g->viscous) return zero3();
    return (pack3){c[0][at] * (e.x - creal(e.x)), c[1][at] * (e.y - creal(e.y)),
                   c[2][at] * (e.z - creal(e.z))};
}

static void halves(const wy_fdtd_tangent *x, fields *f, int viscous) {
    const wy_fdtd_grid *grid = &x->g->grid;
    for (int j = 0; j < x->n; j++) {
        const wy_sbp_row row = wy_sbp_row_of(&x->g->op->row_q, j);
        pack3 d = zero3();
        for (int c = 0; c < row.count; c++) d = add_times3(d, row.weight[c], f->r[row.first + c]);
        const frame R = frame_of(f->q[j]);
        const pack3 e = to_material(R, d),
                    n = stress(x, grid->kn, grid->n0, grid->cn, j, e, viscous);
        f->nn[j] = to_laboratory(R, n);
        f->torque[j] = cross3(e, n);
    }
}

/* Frame of an end node: as held, or as the kernels carry the halves on to it. */
static pack4 end_frame(const wy_fdtd_tangent *x, int end, pack4 carried) {
    const wy_fdtd_hold *hold = &x->g->now.hold[end];
    const pack4 held = {hold->q[0][0], hold->q[1][0], hold->q[2][0], hold->q[3][0]};
    if (!x->g->end[end].holds_direction) {
        const number inverse = inverse_root(re_conj(carried, carried));
        return (pack4){inverse * carried.w, inverse * carried.x, inverse * carried.y,
                       inverse * carried.z};
    }
    return x->g->end[end].turns_free
               ? without_twist(held, ((const fields *)x->work)->q[end ? x->n - 1 : 0])
               : held;
}

/* Order 2: an applied couple is the same vector on the half next to the end, Im(q* g_b)/2 = R(q)^T R(a) m. */
static pack4 carried_couple(const wy_fdtd_tangent *x, int end, pack4 a, pack3 m) {
    const pack4 q = ((const fields *)x->work)->q[end ? x->n - 1 : 0];
    return times_vector(q, scale3(2, to_material(frame_of(q), to_laboratory(frame_of(a), m))));
}

/* Couple and force that act at an end that may turn: dead ones turn against the section, followers
 * with it. */
static void end_load(const wy_fdtd_tangent *x, int end, pack4 a, pack3 *m, pack3 *force) {
    wy_fdtd_hold *hold = &x->g->now.hold[end];
    const withy_end *given =
        x->g->end[end].end[0].end; /* what depends on the state is given as dead */
    const frame now = frame_of(a), was = frame_of(real_part(a));
    const pack3 push = lane3(hold->force), turn = lane3(hold->moment);
    if (given->follower && !wy_end_uses_state(given)) {
        *m = turn, *force = add3(*force, to_laboratory(now, to_material(was, push)));
    } else {
        *m = to_material(now, to_laboratory(was, turn)), *force = add3(*force, push);
    }
}

/* a, b of a node, the frame of an end included. */
static void rows_of(const wy_fdtd_tangent *x, const fields *f, int i, pack4 *a, pack4 *b) {
    const wy_sbp_row qt = wy_sbp_row_of(&x->g->op->row_qt, i);
    const wy_sbp_row mean = wy_sbp_row_of(&x->g->op->row_i, i);
    const int end = wy_fdtd_end_at(x->g, i);
    *a = *b = (pack4){0, 0, 0, 0};
    for (int c = 0; c < qt.count; c++) *b = add_times4(*b, -qt.weight[c], f->q[qt.first + c]);
    for (int c = 0; c < mean.count; c++) *a = add_times4(*a, mean.weight[c], f->q[mean.first + c]);
    if (end < 0) return;
    *a = end_frame(x, end, *a);
    *b = add_times4(*b, end ? 1 : -1, *a);
}

static void node(const wy_fdtd_tangent *x, fields *f, int i, int viscous) {
    const wy_fdtd_group *g = x->g;
    const wy_sbp_row qt = wy_sbp_row_of(&g->op->row_qt, i);
    const int end = wy_fdtd_end_at(g, i), is_free = end >= 0 && !g->end[end].holds_direction;
    pack4 a, b;
    pack3 m = zero3(), *force = &f->force[i];
    *force = zero3();
    for (int c = 0; c < qt.count; c++)
        *force = add_times3(*force, -qt.weight[c], f->nn[qt.first + c]);
    rows_of(x, f, i, &a, &b);
    if (is_free) {
        if (!viscous) end_load(x, end, a, &m, force);
        if (g->end[end].turns_free) m.z = 0;
        const gradients of = end_gradients(a, m, real3(g->grid.km, i), real3(g->grid.m0, i));
        const pack4 none = {0, 0, 0, 0};
        f->gb[i] = g->op->reach == 1 ? carried_couple(x, end, a, m) : of.b;
        f->ga[i] = g->op->reach == 1 ? none : of.a;
        return;
    }
    const pack3 z = scale3(2 / re_conj(a, a), im_conj(a, b));
    m = stress(x, g->grid.km, g->grid.m0, g->grid.cm, i, z, viscous);
    if (end >= 0 && !viscous) *force = add3(*force, lane3(g->now.hold[end].force));
    if (end >= 0 && g->end[end].turns_free) m.z = 0;
    const gradients of = gradients_of(a, b, z, m);
    f->gb[i] = of.b, f->ga[i] = end >= 0 ? (pack4){0, 0, 0, 0} : of.a;
}

static void nodes(const wy_fdtd_tangent *x, fields *f, int viscous) {
    for (int i = 0; i <= x->n; i++) node(x, f, i, viscous);
}

static void evaluate(const wy_fdtd_tangent *x, int viscous) {
    const wy_sbp *op = x->g->op;
    fields *f = x->work;
    halves(x, f, viscous);
    nodes(x, f, viscous);
    for (int j = 0; j < x->n; j++) { /* Im(q* (Q g_b - I^T g_a))/2 */
        const wy_sbp_row row = wy_sbp_row_of(&op->row_q, j), it = wy_sbp_row_of(&op->row_it, j);
        pack4 G = {0, 0, 0, 0};
        for (int c = 0; c < row.count; c++) G = add_times4(G, row.weight[c], f->gb[row.first + c]);
        for (int c = 0; c < it.count; c++) G = add_times4(G, -it.weight[c], f->ga[it.first + c]);
        f->torque[j] = add3(f->torque[j], scale3(0.5, im_conj(f->q[j], G)));
    }
}

/* The numbers of a vector or a quaternion. */
static number *part(void *x) {
    return x;
}

/* The present state, and then a step of v along the imaginary axis. */
static void load_state(const wy_fdtd_tangent *x) {
    const wy_fdtd_now *now = &x->g->now;
    fields *f = x->work;
    for (int i = 0; i <= x->n; i++) {
        f->r[i] = real3(now->r, i);
        if (i < x->n) f->q[i] = (pack4){now->q[0][i], now->q[1][i], now->q[2][i], now->q[3][i]};
    }
}

static void perturb(const wy_fdtd_tangent *x, int unknown, double amount) {
    fields *f = x->work;
    const int i = unknown / 6, d = unknown % 6;
    if (d < 3) {
        part(&f->r[i])[d] += I * STEP * amount;
        return;
    }
    pack3 m = zero3();
    part(&m)[d - 3] = 0.5 * amount;
    const pack4 turn = real_part(times_vector(real_part(f->q[i]), m));
    f->q[i] = (pack4){f->q[i].w + I * STEP * turn.w, f->q[i].x + I * STEP * turn.x,
                      f->q[i].y + I * STEP * turn.y, f->q[i].z + I * STEP * turn.z};
}

static number result(const wy_fdtd_tangent *x, int unknown) {
    const fields *f = x->work;
    const int i = unknown / 6, d = unknown % 6;
    return d < 3 ? part(&f->force[i])[d] : part(&f->torque[i])[d - 3];
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
    const mat3 axes = wy_fdtd_end_frame(x->g, 0, spot->end);
    const vec3 own = v3_scale(spot->end ? 1.0 : -1.0, m3_tmul(axes, v3_from(f + 3)));
    for (int c = 0; c < 3; c++)
        *value += x->torque[(3 * spot->end + c) * x->size + k] * v3_get(own, c);
    return *value != 0;
}

/* The unknowns that a spot depends on. */
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
        const mat3 axes = q_matrix(wy_fdtd_at4(x->g->now.q, i));
        const vec3 axis = d == 3 ? axes.c1 : d == 4 ? axes.c2 : axes.c3;
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
            if (!has_state_load(spot, k) || is_held(x, k)) continue;
            change_of(x, spot, x->slope[s], k, 1, f);
            for (int r = 0; r < 6; r++) sum[r] += v[k] * f[r];
        }
        for (int k = 0; k < x->size; k++)
            if (!is_held(x, k) && row_of(x, spot, k, sum, &value)) y[k] -= value;
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
        if (is_held(x, k)) r[k] = now->hold[i > 0].r[d][0] - now->r[d][i];
    }
}

void wy_fdtd_tangent_damping(wy_fdtd_tangent *x, const double *v, double *y) {
    const wy_fdtd_grid *grid = &x->g->grid;
    load_state(x);
    for (int k = 0; k < x->size; k++)
        if (v[k] != 0 && !is_held(x, k)) perturb(x, k, v[k]);
    evaluate(x, 1);
    for (int k = 0; k < x->size; k++) {
        const double drag = k % 6 < 3 ? grid->drag_line[k / 6] : grid->drag_turn[k / 6];
        y[k] = is_held(x, k) ? 0.0 : drag * v[k] - cimag(result(x, k)) / STEP;
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
            const double one = d * cimag(part(&f->nn[j])[k]) / STEP;
            const double two = -v[6 * j + 3 + k] * cimag(part(&f->torque[j])[k]) / STEP;
            sum += one + two, *terms += fabs(one) + fabs(two);
        }
        for (int k = 0; k < 4; k++) {
            double G = 0;
            for (int c = 0; c < row.count; c++)
                G += row.weight[c] * creal(part(&f->gb[row.first + c])[k]);
            for (int c = 0; c < it.count; c++)
                G -= it.weight[c] * creal(part(&f->ga[it.first + c])[k]);
            const double one = 0.25 * v3_dot(theta, theta) * creal(part(&f->q[j])[k]) * G;
            sum += one, *terms += fabs(one);
        }
    }
    for (int i = 0; i <= x->n; i++) {
        const wy_sbp_row qt = wy_sbp_row_of(&op->row_qt, i);
        const wy_sbp_row mean = wy_sbp_row_of(&op->row_i, i);
        for (int k = 0; k < 4; k++) {
            double a = 0, b = 0;
            for (int c = 0; c < qt.count; c++)
                b -= qt.weight[c] * cimag(part(&f->q[qt.first + c])[k]);
            for (int c = 0; c < mean.count; c++)
                a += mean.weight[c] * cimag(part(&f->q[mean.first + c])[k]);
            const double one = b / STEP * (cimag(part(&f->gb[i])[k]) / STEP);
            const double two = a / STEP * (cimag(part(&f->ga[i])[k]) / STEP);
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
        const int held = is_held(x, r);
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
