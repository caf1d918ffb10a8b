/* subspace.c - the lowest modes of K x = mu M x by shift-invert subspace iteration.
 *
 * K - shift M is factorised once; a block of vectors is multiplied by A = (K - shift M)^-1 M and turned
 * to the Ritz vectors of the block, in the product of M, until the requested ones have converged.  A block,
 * because a round rod has every bending frequency twice.  The shift is a little below zero, so that
 * rigid motions of a free rod are found as mu = 0.  The eigenvalues of A are
 * theta = 1/(mu - shift): large for the lowest modes, and negative for those below the shift.
 *
 * K of a collocation method, or under loads without potential, is not symmetric: the projected matrix is
 * then a general one, and so are its vectors.  Damping and gyroscopic terms: quadratic.c.
 */
#include "study/modes/subspace.h"

#include "numeric/eigen/eigen.h"
#include "numeric/linear/linear.h"

enum { GUARD = 10, ROUNDS = 300 };
/* of the lowest frequency squared: a fifth of the frequency */
static const double SHIFT = -0.04;
/* Change of theta that is rounding, if so many rounds have made it no smaller: slow convergence makes it a little smaller
 * each time. */
static const double STUCK = 1e-8;
enum { PATIENCE = 6 };
/* of the largest theta: no mode; where their number is known, only what is lost in rounding */
static const double NOISE = 1e-10, LOST = 1e-14;
static const double SOFT = 1e-5; /* of the shift: see has_soft */
/* What rounding does to mu: when it is evaluated through strains (equations->quotient), of the shift, of the
 * terms that may cancel there, which are in balance as far as Newton's method has gone, and of strains; of
 * the shift when it comes from the factors of K. */
static const double ROUND = 1e-9, ROUND_TERMS = 1e-8, ROUND_STRAIN = 10, ROUND_K = 1e-5;
static const double ROUND_EXACT = 1e-10; /* of them, from factors that have all digits */

withy_status wy_ritz_take(wy_static *equilibrium, int count, wy_ritz *b, withy_error *err) {
    const int rows = equilibrium->rows, most = b->most, sure = b->sure;
    const int size = wy_min(count + GUARD + b->neutrals, most);
    const size_t all = (size_t)size * (size_t)rows, square = (size_t)size * (size_t)size;
    *b = (wy_ritz){.equilibrium = equilibrium,
                   .size = size,
                   .rows = rows,
                   .most = most,
                   .sure = sure,
                   .neutral = b->neutral,
                   .neutrals = b->neutrals,
                   .negative = -1};
    b->memory = wy_alloc(2 * all + (size_t)rows + 2 * square + 3 * (size_t)size, sizeof(double));
    if (!b->memory)
        return wy_no_memory(err, "%s: no memory for %d modes", equilibrium->sim->method->name,
                            count);
    b->x = b->memory, b->y = b->x + all, b->mx = b->y + all, b->h = b->mx + rows;
    b->vector = b->h + square, b->re = b->vector + square, b->im = b->re + size;
    b->rank = (int *)(b->im + size);
    return WITHY_OK;
}

void wy_ritz_give(wy_ritz *b) {
    wy_free(b->memory), wy_free(b->neutral);
    b->memory = b->neutral = NULL;
    b->neutrals = 0;
}

static void times_mass(const wy_ritz *b, const double *v, double *mv) {
    b->equilibrium->equations->mass(b->equilibrium->self, v, mv);
}

/* out = A v.  K is rounded, and of a neutral motion with almost no inertia nothing else remains of K - shift M: A of it is
 * known without the factors, and what they make of the rest has none of it. */
static void apply(const wy_ritz *b, const double *v, double *out) {
    double *share = b->vector; /* of the size of the block, and free here */
    times_mass(b, v, out);
    for (int j = 0; j < b->neutrals; j++) {
        const double *z = &b->neutral[2 * (size_t)j * (size_t)b->rows], *mz = z + b->rows;
        share[j] = wy_ritz_dot(b->rows, z, out);
        for (int r = 0; r < b->rows; r++) out[r] -= share[j] * mz[r];
    }
    b->equilibrium->equations->solve(b->equilibrium->self, out);
    for (int j = 0; j < b->neutrals; j++) {
        const double *z = &b->neutral[2 * (size_t)j * (size_t)b->rows], *mz = z + b->rows;
        const double k = share[j] / -b->shift - wy_ritz_dot(b->rows, mz, out);
        for (int r = 0; r < b->rows; r++) out[r] += k * z[r];
    }
}

double wy_ritz_normalise(const wy_ritz *b, double *v, double least) {
    times_mass(b, v, b->mx);
    const double square = wy_ritz_dot(b->rows, v, b->mx);
    const double k = square > least ? 1.0 / sqrt(square) : 0.0;
    for (int r = 0; r < b->rows; r++) v[r] = k > 0 ? k * v[r] : 0.0;
    return k > 0 ? 1 / k : 0.0;
}

/* Gram-Schmidt in the product of M, twice for safety. */
static void orthonormalise(const wy_ritz *b, double *v) {
    for (int i = 0; i < b->size && wy_static_may_continue(b->equilibrium); i++) {
        double *vi = wy_ritz_at(b, v, i);
        wy_ritz_normalise(b, vi, 0);
        for (int pass = 0; pass < 2; pass++) {
            times_mass(b, vi, b->mx);
            for (int j = 0; j < i; j++) {
                const double *vj = wy_ritz_at(b, v, j), k = wy_ritz_dot(b->rows, vj, b->mx);
                for (int r = 0; r < b->rows; r++) vi[r] -= k * vj[r];
            }
            wy_ritz_normalise(b, vi, pass ? 0 : 1e-26);
        }
    }
}

/* Any vectors that are not orthogonal to the requested ones: a fixed congruential sequence, brought into
 * the range of A, where M is definite. */
static void start_block(const wy_ritz *b) {
    wy_static_random_vectors(b->equilibrium, 12345, b->size, b->y);
    for (int i = 0; i < b->size && wy_static_may_continue(b->equilibrium); i++)
        apply(b, wy_ritz_at(b, b->y, i), wy_ritz_at(b, b->x, i));
    orthonormalise(b, b->x);
}

static double size_of(const wy_ritz *b, int i) {
    return hypot(b->re[i], b->im[i]);
}

/* theta that is no mode.  That of a motion without stiffness says nothing of it where it is known to be one. */
static double noise_of(const wy_ritz *b) {
    double most = 0, all = 0;
    for (int i = 0; i < b->size; i++) {
        const int known = b->neutrals && fabs(b->re[i] * b->shift + 1) <= SOFT;
        all = wy_max(all, size_of(b, i));
        if (!known) most = wy_max(most, size_of(b, i));
    }
    return (b->sure ? LOST : NOISE) * (most > 0 ? most : all);
}

/* Lowest mu first: negative theta, then positive ones from the largest down, noise last.  A complex
 * pair stays together, because both have the same size. */
static void rank(const wy_ritz *b) {
    const double noise = noise_of(b);
    for (int i = 0; i < b->size; i++) {
        int at = i;
        for (; at > 0; at--) {
            const int one = b->rank[at - 1];
            const int one_counts = size_of(b, one) > noise, two_counts = size_of(b, i) > noise;
            const int below = b->re[i] < 0;
            const double sign = b->general && below ? -1 : 1;
            const double way =
                b->general ? sign * (size_of(b, i) - size_of(b, one)) : b->re[i] - b->re[one];
            const int before = one_counts != two_counts    ? two_counts
                               : (b->re[one] < 0) != below ? below
                                                           : way > 0;
            if (!before) break;
            b->rank[at] = b->rank[at - 1];
        }
        b->rank[at] = i;
    }
}

int wy_ritz_values(int general, int n, double *h, double *re, double *im, double *vector) {
    if (general) return wy_eigen_general(n, h, re, im, vector);
    for (int i = 0; i < n; i++) /* symmetric but for rounding */
        for (int j = 0; j < i; j++)
            h[i * n + j] = h[j * n + i] = 0.5 * (h[i * n + j] + h[j * n + i]);
    return wy_eigen_symmetric(n, h, re, im, vector);
}

void wy_ritz_vectors(wy_static *equilibrium, int size, int rows, const double *vector,
                     const int *rank, const double *y, double *x) {
    for (int k = 0; k < size && wy_static_may_continue(equilibrium); k++) {
        double *out = &x[(size_t)k * (size_t)rows];
        memset(out, 0, (size_t)rows * sizeof *out);
        for (int j = 0; j < size; j++) {
            const double share = vector[j * size + rank[k]], *from = &y[(size_t)j * (size_t)rows];
            for (int r = 0; r < rows; r++) out[r] += share * from[r];
        }
    }
}

/* theta and the vectors of the projected matrix; 0 when that failed. */
static int project(const wy_ritz *b) {
    const int size = b->size;
    for (int i = 0; i < size && wy_static_may_continue(b->equilibrium); i++) {
        times_mass(b, wy_ritz_at(b, b->x, i), b->mx);
        for (int j = 0; j < size; j++)
            b->h[i * size + j] = wy_ritz_dot(b->rows, b->mx, wy_ritz_at(b, b->y, j));
    }
    return !b->equilibrium->stopped &&
           wy_ritz_values(b->general, size, b->h, b->re, b->im, b->vector);
}

static void turn(const wy_ritz *b) {
    wy_ritz_vectors(b->equilibrium, b->size, b->rows, b->vector, b->rank, b->y, b->x);
}

int wy_ritz_found(const wy_ritz *b) {
    const double noise = noise_of(b);
    int count = 0;
    for (int i = 0; i < b->size; i++) count += size_of(b, i) > noise;
    return count;
}

/* How much the first `count` theta have changed, relatively; old[count] takes the new ones. */
static double changed(const wy_ritz *b, int count, double *old) {
    double most = 0;
    for (int i = 0; i < count; i++) {
        const double now = size_of(b, b->rank[i]), change = fabs(now - old[i]) / now;
        if (!(change <= most)) most = change;
        old[i] = now;
    }
    return most;
}

/* Of a group of which all is held. */
static int is_nothing(const wy_ritz *b) {
    for (int i = 0; i < b->size * b->rows; i++)
        if (b->x[i] != 0) return 0;
    return 1;
}

/* Is one of the modes almost without stiffness?  Its vector must then be better than its theta, because
 * a little of a stiff mode in it is all the stiffness it has. */
static int has_soft(const wy_ritz *b, int count) {
    for (int i = 0; i < count; i++) {
        const double theta = b->re[b->rank[i]];
        if (fabs(1 + theta * b->shift) <= SOFT) return 1; /* mu = shift + 1/theta */
    }
    return 0;
}

/* x then holds the vectors as they are, not orthonormal. */
withy_status wy_ritz_iterate(wy_ritz *b, int count, double equilibrium, int *settled,
                             withy_error *err) {
    double *old = wy_alloc((size_t)count, sizeof *old), least = INFINITY, last = INFINITY;
    int more = 1, since = 0;
    if (!old) return wy_no_memory(err, "no memory for %d modes", count);
    start_block(b);
    *settled = is_nothing(b);
    for (int round = 0; round < ROUNDS && !(round == 0 && *settled); round++) {
        for (int i = 0; i < b->size && wy_static_may_continue(b->equilibrium); i++)
            apply(b, wy_ritz_at(b, b->x, i), wy_ritz_at(b, b->y, i));
        if (!project(b)) break;
        rank(b);
        turn(b);
        const double change = changed(b, wy_min(count, wy_ritz_found(b)), old);
        const double slow = change < last ? wy_max(1, change / (last - change)) : 1;
        since = change < least ? 0 : since + 1;
        least = wy_min(least, change), last = change;
        /* what is left of a change that becomes smaller by a factor a round: the sum of those to come */
        *settled =
            round > 3 && (change * slow <= equilibrium || (change <= STUCK && since >= PATIENCE));
        if (*settled && !(has_soft(b, wy_min(count, wy_ritz_found(b))) && more--)) break;
        if (round + 1 < ROUNDS) orthonormalise(b, b->x);
    }
    wy_free(old);
    return wy_static_interrupted(b->equilibrium, err);
}

double wy_ritz_rate(const wy_static *x) {
    const double own = x->only ? x->layout.groups.one[x->only - 1].frequency_square : 0;
    return own > 0 ? own : x->equations->rate(x->self);
}

/* A shift nearer to zero than that of wy_equations.rate leaves the rounding of K as it is. */
static double round_of(const wy_ritz *b) {
    const wy_static *x = b->equilibrium;
    return wy_max(fabs(b->shift), fabs(wy_ritz_shift(wy_ritz_rate(x))));
}

double wy_ritz_lost(const wy_ritz *b) {
    return ROUND_K * round_of(b);
}

double wy_ritz_quotient(const wy_ritz *b, const double *v, double *terms, double *error) {
    double round;
    const double mu = b->equilibrium->equations->quotient(b->equilibrium->self, v, terms, &round);
    *error = ROUND * round_of(b) + ROUND_TERMS * *terms + ROUND_STRAIN * round;
    return mu;
}

double wy_ritz_mu(wy_ritz *b, int k, double *im, double *error) {
    const wy_equations *equations = b->equilibrium->equations;
    const double scale = round_of(b);
    const double re = b->re[b->rank[k]], i = b->im[b->rank[k]], square = re * re + i * i;
    double terms;
    *im = -i / square;
    *error = wy_ritz_lost(b);
    if (b->general || !equations->quotient) return re / square + b->shift;
    double *v = wy_ritz_at(b, b->x, k);
    wy_ritz_normalise(b, v, 0);
    const double mu = wy_ritz_quotient(b, v, &terms, error);
    if (!b->equilibrium->exact) return mu;
    /* from factors that have all digits, of which strains have too few; neutral is what is so by both */
    *error = fabs(mu) <= *error ? ROUND_K * scale + ROUND_EXACT * terms : ROUND * scale;
    return re / square + b->shift;
}

double wy_ritz_shift(double lowest) {
    return SHIFT * lowest;
}

withy_status wy_ritz_factor(wy_ritz *b, withy_error *err) {
    wy_static *x = b->equilibrium;
    if (b->shift == 0) b->shift = wy_ritz_shift(wy_ritz_rate(x));
    b->general = x->equations->solve_transposed || !x->equations->potential(x->self);
    if (x->equations->begin) x->equations->begin(x->self);
    const withy_status status = wy_static_change(x, b->shift, 1, err);
    b->negative = b->general ? -1 : x->negative;
    if (status != WITHY_NO_CONVERGENCE) return status;
    return wy_fail(err, status, "%s: the stiffness at this shape is singular, so it has no modes",
                   x->sim->method->name);
}
