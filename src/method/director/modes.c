/* modes.c - small vibrations about an equilibrium by shift-invert subspace iteration.
 *
 *   K x = lambda M x,   lambda = (2 pi frequency)^2,   M = diag(m, R J R^T) and the lumps
 *
 * K is the static tangent, symmetric at an equilibrium under conservative loads.  K - shift M is
 * factorised once, in O(n), by the frontal elimination; a block of vectors is multiplied by
 * (K - shift M)^-1 M and turned to the Ritz vectors of the block until the wanted ones stand still.
 * A block, because a round rod has every bending frequency twice.  The shift is a little below zero,
 * so that rigid motions of a free rod are found as frequency 0.
 * Damping ratio: x^T C x / (2 omega x^T M x), C of the viscous strains and the linear drag.
 */
#include <string.h>

#include "method/director/director.h"
#include "numeric/symmetric.h"

enum { GUARD = 10, ROUNDS = 300 };
static const double STILL =
    1e-10; /* relative change of a Ritz value; the quotient then has twice the digits */
static const double REST = 1e-5;  /* of the length: an equilibrium                            */
static const double RIGID = 1e-9; /* of the shift: rounding */

typedef struct block {
    int size, rows;
    double *x, *y, *mx; /* [size][rows] */
    double *h, *value, *vector;
    int *rank; /* [size] largest value first */
} block;

static withy_status take_block(wy_director *x, int count, block *b, withy_error *err) {
    const int rows = 6 * x->plan.node_count;
    b->rows = rows;
    b->size = count + GUARD < rows - 12 ? count + GUARD : rows - 12;
    if (b->size < count)
        return wy_fail(err, WITHY_BAD_INPUT,
                       "director: %d modes are asked for, but %d elements of degree %d have fewer; "
                       "use more elements",
                       count, x->plan.n, x->plan.p);
    const size_t all = (size_t)b->size * (size_t)rows, square = (size_t)b->size * (size_t)b->size;
    b->x = wy_arena_take(x->setup->arena, all, sizeof(double));
    b->y = wy_arena_take(x->setup->arena, all, sizeof(double));
    b->mx = wy_arena_take(x->setup->arena, (size_t)rows, sizeof(double));
    b->h = wy_arena_take(x->setup->arena, square, sizeof(double));
    b->vector = wy_arena_take(x->setup->arena, square, sizeof(double));
    b->value = wy_arena_take(x->setup->arena, (size_t)b->size, sizeof(double));
    b->rank = wy_arena_take(x->setup->arena, (size_t)b->size, sizeof *b->rank);
    if (!b->rank || !b->x || !b->y || !b->mx || !b->h || !b->vector || !b->value)
        return wy_fail(err, WITHY_NO_MEMORY, "director: no memory for %d modes", count);
    return WITHY_OK;
}

/* out = M in; held directions are zero in every vector. */
static void mass_times(const wy_director *x, const double *in, double *out) {
    for (int j = 0; j < x->plan.node_count; j++) {
        const wy_director_node *node = &x->node[j];
        const double *a = &in[6 * j];
        double *b = &out[6 * j];
        for (int k = 0; k < 3; k++) b[k] = x->plan.mass[j].mass * a[k];
        const lane body = tri_dot(node->d, tri_all(v3(a[3], a[4], a[5])));
        v3_to(tri_sum3(tri_scale(x->plan.mass[j].rotary * body, node->d)), &b[3]);
    }
    for (int i = 0; i < 2; i++) {
        const wy_director_end *end = &x->plan.end[i];
        if (!(end->mass > 0)) continue;
        const double *a = &in[6 * end->node];
        double *b = &out[6 * end->node];
        const vec3 arm = tri_sum3(tri_scale(vec3_lane(end->arm), x->node[end->node].d));
        const vec3 shift = v3_add(v3_from(a), v3_cross(v3_from(a + 3), arm));
        const vec3 f = v3_scale(end->mass, shift), l = v3_cross(arm, f);
        v3_to(v3_add(v3_from(b), f), b);
        v3_to(v3_add(v3_from(b + 3), l), b + 3);
    }
}

static double dot(int count, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

/* Take out what the ends hold. */
static void release(const wy_director *x, double *v) {
    for (int i = 0; i < 2; i++) {
        const wy_director_end *end = &x->plan.end[i];
        double *a = &v[6 * end->node];
        if (end->holds_position) a[0] = a[1] = a[2] = 0;
        if (!end->holds_frame) continue;
        const vec3 along = x->step->end[i].target.c3, turn = v3_from(a + 3);
        v3_to(end->turns_free ? v3_scale(v3_dot(along, turn), along) : v3(0, 0, 0), a + 3);
    }
}

/* Gram-Schmidt in the product of M, twice for safety. */
static void orthonormalise(const wy_director *x, block *b, double *v) {
    for (int i = 0; i < b->size; i++) {
        double *vi = &v[(size_t)i * b->rows];
        for (int pass = 0; pass < 2; pass++) {
            mass_times(x, vi, b->mx);
            for (int j = 0; j < i; j++) {
                const double *vj = &v[(size_t)j * b->rows];
                const double k = dot(b->rows, vj, b->mx);
                for (int r = 0; r < b->rows; r++) vi[r] -= k * vj[r];
            }
            mass_times(x, vi, b->mx);
            const double k = 1.0 / sqrt(dot(b->rows, vi, b->mx));
            for (int r = 0; r < b->rows; r++) vi[r] *= k;
        }
    }
}

/* Any vectors that are not orthogonal to what is looked for: a fixed congruential sequence. */
static void start_block(const wy_director *x, block *b) {
    uint32_t seed = 12345;
    for (int i = 0; i < b->size; i++) {
        double *v = &b->x[(size_t)i * b->rows];
        for (int r = 0; r < b->rows; r++) {
            seed = seed * 1664525u + 1013904223u;
            v[r] = ((double)(seed >> 8) / 8388608.0 - 1.0) * (r % 6 < 3 ? x->plan.length : 1.0);
        }
        release(x, v);
    }
    orthonormalise(x, b, b->x);
}

/* The order of the Ritz values by size: 1/(lambda - shift), of either sign. */
static void rank(block *b) {
    for (int i = 0; i < b->size; i++) {
        int at = i;
        for (; at > 0 && fabs(b->value[b->rank[at - 1]]) < fabs(b->value[i]); at--)
            b->rank[at] = b->rank[at - 1];
        b->rank[at] = i;
    }
}

/* x <- Ritz vectors of (K - shift M)^-1 M on the block; value = its eigenvalues, ascending. */
static void one_round(wy_director *x, block *b) {
    const int size = b->size;
    for (int i = 0; i < size; i++) {
        double *y = &b->y[(size_t)i * b->rows];
        mass_times(x, &b->x[(size_t)i * b->rows], y);
        wy_director_solve_again(x, y);
        release(x, y);
    }
    for (int i = 0; i < size; i++) {
        mass_times(x, &b->x[(size_t)i * b->rows], b->mx);
        for (int j = 0; j < size; j++)
            b->h[i * size + j] = dot(b->rows, b->mx, &b->y[(size_t)j * b->rows]);
    }
    for (int i = 0; i < size;
         i++) /* symmetric but for rounding and loads that are not conservative */
        for (int j = 0; j < i; j++)
            b->h[i * size + j] = b->h[j * size + i] =
                0.5 * (b->h[i * size + j] + b->h[j * size + i]);
    wy_symmetric_eigen(size, b->h, b->value, b->vector);
    rank(b);
    for (int k = 0; k < size; k++) { /* closest to the shift first */
        const int i = b->rank[k];
        double *out = &b->x[(size_t)k * b->rows];
        memset(out, 0, (size_t)b->rows * sizeof *out);
        for (int j = 0; j < size; j++) {
            const double share = b->vector[j * size + i];
            const double *y = &b->y[(size_t)j * b->rows];
            for (int r = 0; r < b->rows; r++) out[r] += share * y[r];
        }
    }
    orthonormalise(x, b, b->x);
}

/* First and second variation of the strains (Gamma, K) at one Gauss point along the motion v: with
 * d' = w x d and d'' = w x (w x d), both bilinear forms differentiated twice. */
static void variations(const wy_director *x, const double *v, int e, int g, lane one[2],
                       lane two[2]) {
    tri a = {{0}, {0}, {0}}, b = a, a1 = a, b1 = a, a2 = a, b2 = a;
    vec3 rho = v3(0, 0, 0), rho1 = rho;
    for (int k = 0; k <= x->plan.p; k++) {
        const int j = e * x->plan.p + k;
        const double value = x->plan.rule.value[g][k],
                     slope = x->plan.rule.slope[g][k] / x->plan.size[e];
        const lane n = lane_all(value), m = lane_all(slope);
        const tri w = tri_all(v3_from(&v[6 * j + 3])), d = x->node[j].d;
        const tri d1 = tri_cross(w, d), d2 = tri_cross(w, d1);
        a = tri_axpy(a, n, d), a1 = tri_axpy(a1, n, d1), a2 = tri_axpy(a2, n, d2);
        b = tri_axpy(b, m, d), b1 = tri_axpy(b1, m, d1), b2 = tri_axpy(b2, m, d2);
        rho = v3_axpy(rho, slope, x->node[j].r);
        rho1 = v3_axpy(rho1, slope, v3_from(&v[6 * j]));
    }
    const lane half = lane_all(0.5), twice = lane_all(2.0);
    const tri arm = tri_axpy(tri_all(rho), -x->plan.third, a);
    one[0] = tri_dot(a, tri_all(rho1)) + tri_dot(a1, arm);
    two[0] =
        twice * tri_dot(a1, tri_all(rho1)) + tri_dot(a2, arm) - x->plan.third * tri_dot(a1, a1);
    const tri al = tri_last(a), an = tri_next(a), bl = tri_last(b), bn = tri_next(b);
    one[1] = half * (tri_dot(tri_last(a1), bn) + tri_dot(al, tri_next(b1)) -
                     tri_dot(tri_next(a1), bl) - tri_dot(an, tri_last(b1)));
    two[1] = half * (tri_dot(tri_last(a2), bn) + twice * tri_dot(tri_last(a1), tri_next(b1)) +
                     tri_dot(al, tri_next(b2)) - tri_dot(tri_next(a2), bl) -
                     twice * tri_dot(tri_next(a1), tri_last(b1)) - tri_dot(an, tri_last(b2)));
}

/* x^T C x and x^T K x, from strains: a rigid motion has none, to rounding of the strains, so that
 * the quotient finds frequencies that the factorised matrix no longer resolves. */
static double quotient(const wy_director *x, const double *v, double *damping) {
    double stiff = 0, lost = 0;
    for (int i = 0; i < x->plan.n * x->plan.p; i++) {
        const wy_director_section *gauss = &x->plan.section[i];
        lane one[2], two[2];
        variations(x, v, i / x->plan.p, i % x->plan.p, one, two);
        for (int k = 0; k < 2; k++) {
            const lane stress = gauss->c[k] * (x->strain[i].start[k] - gauss->rest[k]);
            stiff += gauss->weight * lane_sum(gauss->c[k] * one[k] * one[k] + stress * two[k]);
            lost += gauss->weight * lane_sum(gauss->cv[k] * one[k] * one[k]);
        }
    }
    for (int j = 0; j < x->plan.node_count; j++) {
        double a[6][6], b[6];
        wy_director_node_terms(x, j, a, b);
        const double *c = &v[6 * j];
        for (int i = 0; i < 6; i++)
            for (int k = 0; k < 6; k++) stiff += c[i] * a[i][k] * c[k];
        lost += x->plan.mass[j].share * (x->plan.rod->drag_linear * dot(3, c, c) +
                                         x->plan.rod->drag_spin * dot(3, c + 3, c + 3));
    }
    *damping = lost;
    return stiff; /* x^T M x = 1 */
}

/* A largest displacement of L/10 (or, if nothing moves, a largest turn of 0.1), positive. */
static double shape_scale(const wy_director *x, const double *v) {
    double shift = 0, turn = 0, shift_sign = 1, turn_sign = 1;
    for (int i = 0; i < 6 * x->plan.node_count; i++) {
        if (i % 6 < 3 && fabs(v[i]) > fabs(shift))
            shift = fabs(v[i]), shift_sign = v[i] < 0 ? -1 : 1;
        if (i % 6 >= 3 && fabs(v[i]) > fabs(turn)) turn = fabs(v[i]), turn_sign = v[i] < 0 ? -1 : 1;
    }
    if (shift > 1e-6 * turn * x->plan.length) return shift_sign * 0.1 * x->plan.length / shift;
    return turn_sign * 0.1 / turn;
}

static void write_mode(const wy_director *x, const double *v, double origin, withy_mode *mode) {
    double damping, lambda = quotient(x, v, &damping);
    if (fabs(lambda) < RIGID * fabs(origin)) lambda = 0;
    const double omega = sqrt(fabs(lambda));
    mode->frequency = (lambda < 0 ? -1 : 1) * omega / (2 * WY_PI);
    mode->damping = omega > 0 ? damping / (2 * omega) : 0.0;
    const double scale = shape_scale(x, v);
    for (int i = 0; i < mode->count; i++) {
        double value[WY_DIRECTOR_NODE_MAX];
        const int e = wy_director_place(x, mode->s[i], value);
        vec3 r = x->now->origin, shift = v3(0, 0, 0), turn = shift;
        for (int a = 0; a <= x->plan.p; a++) {
            const int j = e * x->plan.p + a;
            r = v3_axpy(r, value[a], x->node[j].r);
            shift = v3_axpy(shift, scale * value[a], v3_from(&v[6 * j]));
            turn = v3_axpy(turn, scale * value[a], v3_from(&v[6 * j + 3]));
        }
        mode->shift[i] = shift, mode->turn[i] = turn;
        mode->position[i] = v3_add(r, shift);
    }
}

/* The Newton increment just computed says how far the present shape is from equilibrium. */
static withy_status at_rest(const wy_director *x, withy_error *err) {
    double most = 0;
    for (int j = 0; j < x->plan.node_count; j++)
        for (int k = 0; k < 6; k++) {
            const double way = fabs(x->next[j].change[k]) / (k < 3 ? x->plan.length : 1.0);
            if (!(way <= most)) most = way;
        }
    if (most <= REST) return WITHY_OK;
    return wy_fail(
        err, WITHY_BAD_INPUT,
        "director: the shape is not an equilibrium (it would move by %.2g of its length), "
        "so it has no modes; start from the rest shape, or hold the rod",
        most);
}

withy_status wy_director_modes(wy_director *x, int count, withy_mode *mode, withy_error *err) {
    block b;
    WY_TRY(wy_director_settle(x, err));
    WY_TRY(take_block(x, count, &b, err));
    const double period = wy_director_slow_period(x);
    if (!(period > 0))
        return wy_fail(err, WITHY_BAD_INPUT,
                       "director: the rod has no mass, so it has no frequencies; give "
                       "rod.inertia.mass or rod.material.density");
    const double omega = 0.2 * 2 * WY_PI / period, shift = -omega * omega;
    double front[6][WY_DIRECTOR_PANEL];
    x->step->shift = shift, x->step->keeps = 1;
    wy_director_sweep(x, front);
    wy_director_back(x, (const double(*)[WY_DIRECTOR_PANEL])front);
    x->step->shift = 0;
    WY_TRY(at_rest(x, err));
    start_block(x, &b);
    int still = 0;
    for (int round = 0; round < ROUNDS && !still; round++) {
        double old[256];
        const int watched = count < 256 ? count : 256;
        for (int i = 0; i < watched; i++) old[i] = b.value[b.rank[i]];
        one_round(x, &b);
        still = round > 3;
        for (int i = 0; i < watched; i++)
            if (!(fabs(b.value[b.rank[i]] - old[i]) <= STILL * fabs(old[i]))) still = 0;
    }
    for (int i = 0; i < count; i++) {
        const double ritz = b.value[b.rank[i]];
        if (!isfinite(ritz) || ritz == 0)
            return wy_fail(err, WITHY_NO_CONVERGENCE, "director: mode %d was not found", i + 1);
        write_mode(x, &b.x[(size_t)i * b.rows], shift, &mode[i]);
    }
    if (!still)
        wy_note(x->setup->notes, "director: the highest of the %d modes have not settled", count);
    return WITHY_OK;
}
