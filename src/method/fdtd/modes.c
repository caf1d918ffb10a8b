/* modes.c - equilibria by Newton, and small vibrations by shift-invert subspace iteration.
 *
 *   K x = lambda M x,  lambda = (2 pi frequency)^2,   M = diag(rho A h P+, rho J h P-)
 *
 * of the semi-discrete rod: what the scheme does when its step is short.  With y = (K - s M)^-1 M x
 * the projection needs K y, which is M x + s M y exactly: no digits are lost between the lowest
 * frequency and the highest.  Damping ratio: x^T C x/(2 omega x^T M x).
 */
#include <string.h>

#include "method/fdtd/tangent.h"
#include "numeric/symmetric.h"

enum { GUARD = 8, ROUNDS = 200, NEWTON = 60 };

/* Relative change of the wanted eigenvalues: done, or, when it shrinks no further, rounding: the
 * matrix itself knows the lowest one of a thin rod to 1e-8. */
static const double STILL = 1e-12, ROUNDING = 1e-8;
static const double RIGID = 1e-4; /* of the shift */

typedef struct block {
    int count, size;
    double *x, *y, *z;                /* [count][size] */
    double *h, *value, *old, *vector; /* [count][count] */
} block;

static withy_status take_block(const wy_fdtd_tangent *t, int wanted, wy_arena *arena, block *b,
                               withy_error *err) {
    int held = 0;
    for (int e = 0; e < 2; e++) held += 3 * t->g->end[e].holds_position;
    const int most = t->size - held;
    *b = (block){.count = wanted + GUARD < most ? wanted + GUARD : most, .size = t->size};
    if (b->count < wanted)
        return wy_fail(
            err, WITHY_BAD_INPUT,
            "fdtd: %d modes are asked for, but n = %d has only %d; use a larger options.n", wanted,
            t->n, most);
    const size_t all = (size_t)b->count * (size_t)t->size,
                 square = (size_t)b->count * (size_t)b->count;
    b->x = wy_arena_take(arena, all, sizeof *b->x), b->y = wy_arena_take(arena, all, sizeof *b->y);
    b->z = wy_arena_take(arena, all, sizeof *b->z),
    b->h = wy_arena_take(arena, square, sizeof *b->h);
    b->vector = wy_arena_take(arena, square, sizeof *b->vector);
    b->value = wy_arena_take(arena, (size_t)b->count, sizeof *b->value);
    b->old = wy_arena_take(arena, (size_t)b->count, sizeof *b->old);
    if (!b->x || !b->y || !b->z || !b->h || !b->vector || !b->value || !b->old)
        return wy_fail(err, WITHY_NO_MEMORY, "fdtd: no memory for %d modes", wanted);
    return WITHY_OK;
}

static double mass_dot(const wy_fdtd_tangent *t, const double *a, const double *b) {
    double sum = 0;
    for (int k = 0; k < t->size; k++) sum += t->mass[k] * a[k] * b[k];
    return sum;
}

/* Start from smooth and rough shapes of every component; held unknowns stay zero. */
static void seed(const wy_fdtd_tangent *t, block *b) {
    uint32_t noise = 12345;
    for (int m = 0; m < b->count; m++)
        for (int k = 0; k < t->size; k++) {
            noise = noise * 1664525u + 1013904223u;
            const int held = (k < 3 && t->g->end[0].holds_position) ||
                             (k >= 6 * t->n && t->g->end[1].holds_position);
            const double wave = cos(WY_PI * (m / 6) * (k / 6) / t->n);
            const double rough = noise / 4294967296.0 - 0.5;
            const double value = (k % 6 == m % 6) * wave + 0.3 * rough;
            b->x[m * t->size + k] = held ? 0 : value / sqrt(t->mass[k]);
        }
}

/* Make y orthonormal in M; z follows with the same combinations. */
static void orthonormal(const wy_fdtd_tangent *t, block *b) {
    for (int pass = 0; pass < 2; pass++)
        for (int m = 0; m < b->count; m++) {
            double *y = &b->y[m * b->size], *z = &b->z[m * b->size];
            for (int i = 0; i < m; i++) {
                const double c = mass_dot(t, y, &b->y[i * b->size]);
                for (int k = 0; k < b->size; k++) {
                    y[k] -= c * b->y[i * b->size + k];
                    z[k] -= c * b->z[i * b->size + k];
                }
            }
            const double scale = 1 / sqrt(mass_dot(t, y, y));
            for (int k = 0; k < b->size; k++) y[k] *= scale, z[k] *= scale;
        }
}

/* One round; z = M^-1 (K - s M) y carries the exact product. */
static void iterate(wy_fdtd_tangent *t, block *b, double shift) {
    for (int m = 0; m < b->count; m++) {
        double *x = &b->x[m * b->size], *y = &b->y[m * b->size];
        for (int k = 0; k < b->size; k++) y[k] = t->mass[k] * x[k];
        wy_banded_solve(&t->lu, y);
        memcpy(&b->z[m * b->size], x, (size_t)b->size * sizeof *x);
    }
    orthonormal(t, b);
    for (int i = 0; i < b->count; i++)
        for (int j = 0; j < b->count; j++) {
            const double a = mass_dot(t, &b->y[i * b->size], &b->z[j * b->size]);
            const double c = mass_dot(t, &b->y[j * b->size], &b->z[i * b->size]);
            b->h[i * b->count + j] = 0.5 * (a + c) + (i == j ? shift : 0.0);
        }
    memcpy(b->old, b->value, (size_t)b->count * sizeof *b->old);
    wy_symmetric_eigen(b->count, b->h, b->value, b->vector);
    for (int j = 0; j < b->count; j++)
        for (int k = 0; k < b->size; k++) {
            double sum = 0;
            for (int i = 0; i < b->count; i++)
                sum += b->vector[i * b->count + j] * b->y[i * b->size + k];
            b->x[j * b->size + k] = sum;
        }
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* Linear between the neighbours: a picture, not a number. */
static void shape_at(const wy_fdtd_tangent *t, const double *x, double at, vec3 *shift,
                     vec3 *turn) {
    const wy_fdtd_group *g = t->g;
    const double node = wy_min(wy_max(at, 0), t->n), half = wy_min(wy_max(at - 0.5, 0), t->n - 1);
    const int i = wy_min((int)node, t->n - 1), j = wy_min((int)half, t->n - 2);
    const double a = node - i, b = half - j;
    *shift = v3_add(v3_scale(1 - a, v3_from(&x[6 * i])), v3_scale(a, v3_from(&x[6 * i + 6])));
    const vec3 own =
        v3_add(v3_scale(1 - b, v3_from(&x[6 * j + 3])), v3_scale(b, v3_from(&x[6 * j + 9])));
    const int k = j * g->lanes + t->lane;
    *turn = q_turn((quat){g->q[0][k], g->q[1][k], g->q[2][k], g->q[3][k]}, own);
}

static void fill_mode(wy_fdtd_tangent *t, const double *x, double lambda, double floor_value,
                      double *work, withy_mode *mode) {
    const wy_fdtd_group *g = t->g;
    const double length = g->problem->rod[g->rod[t->lane]].length;
    double most = 0, largest = 0, sign = 1;
    for (int k = 0; k < t->size; k++) { /* the mode's largest number is positive */
        const double size = k % 6 < 3 ? x[k] / length : x[k];
        if (fabs(size) > largest) largest = fabs(size), sign = size < 0 ? -1 : 1;
        if (k % 6 < 3) most = wy_max(most, fabs(x[k]) / length);
    }
    if (!(most > 1e-6 * largest)) most = largest;
    for (int i = 0; i < mode->count; i++) {
        vec3 shift, turn;
        const double at = mode->s[i] / length * t->n;
        shape_at(t, x, at, &shift, &turn);
        const int n0 = (int)wy_min(at, t->n - 1), a = n0 * g->lanes + t->lane, b = a + g->lanes;
        const double f = at - n0;
        mode->shift[i] = v3_scale(0.1 * sign / most, shift);
        mode->turn[i] = v3_scale(0.1 * sign / most, turn);
        const vec3 r = v3_add(v3_scale(1 - f, v3(g->r[0][a], g->r[1][a], g->r[2][a])),
                              v3_scale(f, v3(g->r[0][b], g->r[1][b], g->r[2][b])));
        mode->position[i] = v3_add(r, mode->shift[i]);
    }
    const int rigid = fabs(lambda) <= floor_value;
    mode->frequency = rigid ? 0 : (lambda < 0 ? -1 : 1) * sqrt(fabs(lambda)) / (2 * WY_PI);
    wy_fdtd_tangent_times(t, x, 1, work);
    double damping = 0;
    for (int k = 0; k < t->size; k++) {
        const int at = k / 6 * g->lanes + t->lane;
        const double drag = k % 6 < 3 ? g->drag_line[at] : g->drag_turn[at];
        damping += x[k] * (work[k] + drag * x[k]);
    }
    mode->damping = rigid ? 0 : damping / (2 * sqrt(fabs(lambda)) * mass_dot(t, x, x));
}

/* A frequency below that of any held rod: a hundredth of a pinned beam's, squared, downwards. */
static double shift_of(const wy_fdtd_group *g, int lane) {
    const int k = g->n / 2 * g->lanes + lane;
    const double length = g->length[lane], h = length / g->n;
    const double bend = wy_min(g->stiff_node[0][k], g->stiff_node[1][k]);
    const double wave = WY_PI / length, mass = g->mass[k] / h;
    return -0.01 * wave * wave * wave * wave * bend / mass;
}

withy_status wy_fdtd_modes(wy_fdtd_group *g, int lane, wy_arena *arena, int count, withy_mode *mode,
                           withy_error *err) {
    wy_fdtd_tangent t;
    block b;
    const double shift = shift_of(g, lane);
    WY_TRY(wy_fdtd_tangent_make(g, lane, arena, &t, err));
    WY_TRY(take_block(&t, count, arena, &b, err));
    WY_TRY(wy_fdtd_tangent_factor(&t, shift, err));
    seed(&t, &b);
    double last = INFINITY;
    for (int round = 0;; round++) {
        iterate(&t, &b, shift);
        double change = 0;
        for (int i = 0; i < count; i++)
            change = wy_max(change, fabs(b.value[i] - b.old[i]) / wy_max(fabs(b.value[i]), -shift));
        if (round > 2 && (change <= STILL || (change <= ROUNDING && change > 0.5 * last))) break;
        last = change;
        if (round == ROUNDS)
            return wy_fail(
                err, WITHY_NO_CONVERGENCE,
                "fdtd: %d modes have not settled after %d rounds (change %.1e); ask for a "
                "few more or fewer",
                count, ROUNDS, change);
    }
    for (int i = 0; i < count; i++)
        fill_mode(&t, &b.x[i * b.size], b.value[i], -RIGID * shift, b.y, &mode[i]);
    return WITHY_OK;
}

/* ---- equilibrium ----------------------------------------------------------------------------- */

/* Loads at a factor: constants times it, functions of time at t = factor. */
static withy_status set_factor(wy_fdtd_group *g, double factor, withy_error *err) {
    const int64_t step = g->step;
    g->forced = 0;
    g->t = g->factor = factor, g->step = 0; /* so that everything is evaluated afresh */
    withy_status status = wy_fdtd_loads(g, err);
    if (status == WITHY_OK) status = wy_fdtd_ends(g, err);
    g->step = step;
    return status;
}

/* Size of the unbalanced forces, in units of a force over the rod. */
static double unbalanced(const wy_fdtd_tangent *t) {
    const double h = t->g->length[t->lane] / t->n;
    double sum = 0;
    for (int k = 0; k < t->size; k++) {
        const double f = k % 6 < 3 ? t->force[k] : t->force[k] / h;
        sum += f * f;
    }
    return sqrt(sum);
}

withy_status wy_fdtd_equilibrium(wy_fdtd_group *g, int lane, wy_arena *arena, double factor,
                                 withy_equilibrium *point, withy_error *err) {
    wy_fdtd_tangent t;
    WY_TRY(set_factor(g, factor, err));
    WY_TRY(wy_fdtd_tangent_make(g, lane, arena, &t, err));
    double *v = wy_arena_take(arena, (size_t)t.size, sizeof *v);
    if (!v) return wy_fail(err, WITHY_NO_MEMORY, "fdtd: no memory for an equilibrium");
    const double length = g->length[lane];
    double move = INFINITY;
    int round = 0;
    for (; !(move <= 1e-12); round++) {
        if (round == NEWTON)
            return wy_fail(
                err, WITHY_NO_CONVERGENCE,
                "fdtd: no equilibrium after %d Newton steps (still moving by %.1e of the "
                "length); use director, or a smaller load",
                NEWTON, move);
        wy_fdtd_tangent_force(&t);
        const double before = unbalanced(&t);
        memcpy(v, t.force, (size_t)t.size * sizeof *v);
        WY_TRY(wy_fdtd_tangent_factor(&t, 0.0, err));
        wy_banded_solve(&t.lu, v);
        move = 0;
        for (int k = 0; k < t.size; k++)
            move = wy_max(move, k % 6 < 3 ? fabs(v[k]) / length : fabs(v[k]));
        const double most = move > 0.3 ? 0.3 / move : 1.0; /* no step turns a section further */
        for (int k = 0; k < t.size; k++) v[k] *= most;
        wy_fdtd_tangent_move(&t, v);
        WY_TRY(set_factor(g, factor, err));
        wy_fdtd_tangent_force(&t);
        if (move < 1e-9 && unbalanced(&t) >= before) break; /* rounding */
    }
    for (int x = 0; x < (g->n + 1) * g->lanes; x++)
        for (int d = 0; d < 3; d++) g->p[d][x] = g->w[d][x] = 0.0;
    *point = (withy_equilibrium){.factor = factor, .iterations = round, .negative = -1};
    return WITHY_OK;
}
