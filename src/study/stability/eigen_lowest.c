/* eigen_lowest.c - the least stable motions of a shape, by inverse iteration on a block of vectors.
 *
 *   K x = lambda W x,   W: M of wy_equations.weigh
 *
 * In units of wy_static.unit lambda does not depend on the inertia of the rod.  Modes, with its own inertia,
 * are in eigenmodes.c.
 */
#include "numeric/eigen/eigen.h"
#include "study/modes/subspace.h"

enum { GUARD = 4, ROUNDS = 60 };
static const double SETTLED = 1e-5; /* relative change of lambda    */
static const double ROUGHLY = 0.1;  /* likewise, of a stiff motion: that it is stiff is enough */
static const double NOISE = 1e-10;  /* of the largest: no motion    */

typedef struct block {
    wy_static *x;
    int size, rows, general;
    double *v, *y, *side;         /* [size][rows] basis and its image; [rows] */
    double *h, *re, *im, *vector; /* the projected matrix                     */
    int *rank;                    /* lowest lambda first                      */
    int *order;                   /* of v, that nearest to neutral first      */
} block;

static double *at(const block *b, double *of, int i) {
    return &of[(size_t)i * (size_t)b->rows];
}

static void weigh(const block *b, const double *v) {
    b->x->equations->mass(b->x->self, v, b->side);
}

static void orthonormalise(const block *b) {
    for (int i = 0; i < b->size && wy_static_may_continue(b->x); i++) {
        double *v = at(b, b->v, b->order[i]);
        for (int pass = 0; pass < 2; pass++) {
            for (int j = 0; j < i; j++) {
                weigh(b, v);
                const double *other = at(b, b->v, b->order[j]),
                             k = wy_ritz_dot(b->rows, other, b->side);
                for (int r = 0; r < b->rows; r++) v[r] -= k * other[r];
            }
            weigh(b, v);
            const double square = wy_ritz_dot(b->rows, v, b->side);
            for (int r = 0; r < b->rows; r++) v[r] = square > 0 ? v[r] / sqrt(square) : 0.0;
        }
    }
}

static void start(const block *b) {
    wy_static_random_vectors(b->x, 88172645u, b->size, b->y);
    for (int i = 0; i < b->size && wy_static_may_continue(b->x); i++) {
        double *v = at(b, b->v, i);
        b->x->equations->mass(b->x->self, at(b, b->y, i), v);
        b->x->equations->solve(b->x->self, v);
        b->order[i] = i;
    }
    orthonormalise(b);
}

static int project(const block *b) {
    const int n = b->size;
    for (int i = 0; i < n && wy_static_may_continue(b->x); i++) {
        double *y = at(b, b->y, i);
        b->x->equations->mass(b->x->self, at(b, b->v, i), y);
        b->x->equations->solve(b->x->self, y);
    }
    for (int i = 0; i < n; i++) {
        weigh(b, at(b, b->v, i));
        for (int j = 0; j < n; j++) b->h[i * n + j] = wy_ritz_dot(b->rows, b->side, at(b, b->y, j));
    }
    return !b->x->stopped && wy_ritz_values(b->general, n, b->h, b->re, b->im, b->vector);
}

/* Negative 1/lambda first, then from the largest down, noise last. */
static void rank(const block *b) {
    double most = 0;
    for (int i = 0; i < b->size; i++) most = wy_max(most, fabs(b->re[i]));
    for (int i = 0; i < b->size; i++) {
        int k = i;
        for (; k > 0; k--) {
            const double one = b->re[b->rank[k - 1]], two = b->re[i];
            const int one_counts = fabs(one) > NOISE * most, two_counts = fabs(two) > NOISE * most;
            const int before = one_counts != two_counts ? two_counts
                               : (one < 0) != (two < 0) ? two < 0
                                                        : two > one;
            if (!before) break;
            b->rank[k] = b->rank[k - 1];
        }
        b->rank[k] = i;
    }
}

/* A motion without stiffness has all its digits, and rounding puts a share of it into the others, which they lose again where
 * it is the first: the other way round it would get a share of an unstable one, and its stiffness with it. */
static void sort_by_size(const block *b) {
    for (int i = 0; i < b->size; i++) {
        const double size = fabs(b->re[b->rank[i]]);
        int k = i;
        for (; k > 0 && fabs(b->re[b->rank[b->order[k - 1]]]) < size; k--)
            b->order[k] = b->order[k - 1];
        b->order[k] = i;
    }
}

static void turn(const block *b) {
    wy_ritz_vectors(b->x, b->size, b->rows, b->vector, b->rank, b->y, b->v);
    sort_by_size(b);
    orthonormalise(b);
}

/* Those of the first `count` that are motions: next to one without stiffness, stiff ones drown in its rounding. */
static int above_noise(const block *b, int count) {
    double most = 0;
    for (int i = 0; i < b->size; i++) most = wy_max(most, fabs(b->re[i]));
    while (count > 0 && !(fabs(b->re[b->rank[count - 1]]) > NOISE * most)) count--;
    return count;
}

/* The largest change of the values from `from` to `to`, of themselves; rounding decides below `none`. */
static double changes(const block *b, double none, int from, int to, double *old) {
    double most = 0;
    for (int i = from; i < to; i++) {
        const double now = 1 / b->re[b->rank[i]], room = fabs(now) + none;
        const double change = fabs(now - old[i]) / room;
        if (!(change <= most)) most = change;
        old[i] = now;
    }
    return most;
}

/* How many of the first `count` have settled: all, at last those that are motions, or 0. */
static int iterate(const block *b, double none, int count, double *old) {
    int known = 0;
    start(b);
    for (int round = 0; round < ROUNDS; round++) {
        if (!project(b)) return 0;
        rank(b);
        turn(b);
        const int motions = above_noise(b, count);
        const int settled = changes(b, none, 0, motions, old) <= SETTLED;
        const int roughly = changes(b, none, motions, count, old) <= ROUGHLY;
        if (round > 1 && settled && roughly) return count;
        known = settled ? motions : 0;
    }
    return known;
}

void wy_lowest_modes_free(wy_lowest_modes *low) {
    wy_free(low->memory);
    *low = (wy_lowest_modes){0};
}

/* lambda from the strains where the method has them so, else from the factors. */
static double stiffness(const wy_static *x, const block *b, int k, double shift) {
    const wy_equations *equations = x->equations;
    double terms, round;
    if (equations->quotient && !b->general && !x->exact)
        return equations->quotient(x->self, at(b, b->v, k), &terms, &round);
    const double re = b->re[b->rank[k]], im = b->im[b->rank[k]];
    return re / (re * re + im * im) + shift;
}

static withy_status take(wy_static *x, int count, block *b, wy_lowest_modes *low,
                         withy_error *err) {
    const int rows = x->rows, size = count + GUARD < rows ? count + GUARD : rows;
    const size_t all = (size_t)size * (size_t)rows, square = (size_t)size * (size_t)size;
    double *room = wy_alloc(2 * all + (size_t)rows + 2 * square + 5 * (size_t)size, sizeof(double));
    if (!room)
        return wy_no_memory(err, "%s: no memory to judge the stability", x->sim->method->name);
    *b = (block){.x = x, .size = size, .rows = rows, .v = room};
    b->y = b->v + all, b->side = b->y + all, b->h = b->side + rows, b->vector = b->h + square;
    b->re = b->vector + square, b->im = b->re + size;
    b->rank = (int *)(b->im + 3 * size), b->order = b->rank + size;
    *low = (wy_lowest_modes){.memory = room, .vector = room, .lambda = b->im + size};
    return WITHY_OK;
}

withy_status wy_static_lowest(wy_static *x, int count, wy_lowest_modes *low, withy_error *err) {
    block b = {0};
    int negative;
    const double shift = -x->fine * x->unit;
    *low = (wy_lowest_modes){0};
    if (!(x->unit > 0)) return WITHY_OK;
    if (x->equations->begin) x->equations->begin(x->self);
    const withy_status status = x->equations->factor(x->self, shift, &negative, err);
    if (status == WITHY_NO_CONVERGENCE) return WITHY_OK;
    WY_TRY(status);
    const withy_status taken = take(x, count, &b, low, err);
    if (taken != WITHY_OK || !b.rank) return taken;
    b.general = x->equations->solve_transposed || !x->equations->potential(x->self);
    double *old = low->lambda + b.size;
    if (count > b.size) count = b.size;
    low->count = iterate(&b, 0.1 * x->lost * x->unit / SETTLED, count, old);
    for (int k = 0; k < low->count; k++) low->lambda[k] = stiffness(x, &b, k, shift) / x->unit;
    if (x->stopped) wy_lowest_modes_free(low);
    return wy_static_interrupted(x, err);
}
