/* subspace.c - small vibrations about an equilibrium by shift-invert subspace iteration.
 *
 *   K x = lambda M x,   lambda = (2 pi frequency)^2
 *
 * K - shift M is factorised once; a block of vectors is multiplied by A = (K - shift M)^-1 M and turned
 * to the Ritz vectors of the block, in the product of M, until the wanted ones have converged.  A block,
 * because a round rod has every bending frequency twice.  The shift is a little below zero, so that
 * rigid motions of a free rod are found as frequency 0.  The eigenvalues of A are
 * theta = 1/(lambda - shift): large for the lowest modes, and negative for those below the shift.
 *
 * K of a collocation method, or under loads without potential, is not symmetric: the projected matrix is
 * then a general one, and so are its vectors.
 *
 * Damping ratio: x^T C x / (2 omega x^T M x) in the limit of light damping; z^T C x / (2 omega z^T M x)
 * with the left vector z when K is not symmetric, by the projection of C to the block (see damp).
 */
#include <string.h>

#include "numeric/dense.h"
#include "numeric/eigen.h"
#include "study/door.h"

enum { GUARD = 10, ROUNDS = 300, LOOK = 6 };
static const double SHIFT =
    -0.04; /* of the lowest frequency squared: a fifth of the frequency    */
static const double STILL =
    1e-10; /* relative change of theta                                      */
static const double SIGN =
    1e-4; /* the same when only signs are wanted: K of a slender rod is rounded */
static const double STUCK = 1e-8; /* the same when it stops decreasing: rounding */
static const double REST = 1e-5; /* of the length: an equilibrium                                 */
static const double NOISE =
    1e-10; /* of the largest theta: no mode                                 */
static const double RIGID =
    1e-9; /* of the shift: rounding of strains (door->quotient)            */
static const double RIGID_K =
    1e-5; /* of the shift: rounding of K                                   */
static const double FLUTTER =
    1e-6; /* imaginary part of lambda: more than a pair split by rounding  */

typedef struct block {
    wy_still *still;
    int size, rows;
    int general; /* K is not symmetric */
    int left;    /* the vectors of K^T */
    double shift;
    double *memory;
    double *x, *y, *mx;           /* [size][rows] basis, A x; [rows] M times a vector */
    double *h, *re, *im, *vector; /* the projected matrix, its theta and vectors      */
    int *rank;                    /* [size] order of the modes: lowest first          */
} block;

static withy_status take_block(wy_still *still, int count, block *b, withy_error *err) {
    const int rows = still->rows, size = count + GUARD < rows ? count + GUARD : rows;
    const size_t all = (size_t)size * (size_t)rows, square = (size_t)size * (size_t)size;
    *b = (block){.still = still, .size = size, .rows = rows};
    b->memory = wy_take(2 * all + (size_t)rows + 2 * square + 3 * (size_t)size, sizeof(double));
    if (!b->memory)
        return wy_fail(err, WITHY_NO_MEMORY, "%s: no memory for %d modes", still->sim->method->name,
                       count);
    b->x = b->memory, b->y = b->x + all, b->mx = b->y + all, b->h = b->mx + rows;
    b->vector = b->h + square, b->re = b->vector + square, b->im = b->re + size;
    b->rank = (int *)(b->im + size);
    return WITHY_OK;
}

static double *vector_at(const block *b, double *of, int i) {
    return &of[(size_t)i * (size_t)b->rows];
}

static double dot(int count, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

static void times_mass(const block *b, const double *v, double *mv) {
    b->still->door->mass(b->still->self, v, mv);
}

/* out = A v. */
static void apply(const block *b, const double *v, double *out) {
    const wy_door *door = b->still->door;
    times_mass(b, v, out);
    (b->left ? door->solve_transposed : door->solve)(b->still->self, out);
}

/* Length 1 in the product of M; what has none (there are more vectors than modes) becomes 0. */
static void normalise(const block *b, double *v, double least) {
    times_mass(b, v, b->mx);
    const double square = dot(b->rows, v, b->mx), k = square > least ? 1.0 / sqrt(square) : 0.0;
    for (int r = 0; r < b->rows; r++) v[r] = k > 0 ? k * v[r] : 0.0;
}

/* Gram-Schmidt in the product of M, twice for safety. */
static void orthonormalise(const block *b, double *v) {
    for (int i = 0; i < b->size; i++) {
        double *vi = vector_at(b, v, i);
        normalise(b, vi, 0);
        for (int pass = 0; pass < 2; pass++) {
            times_mass(b, vi, b->mx);
            for (int j = 0; j < i; j++) {
                const double *vj = vector_at(b, v, j), k = dot(b->rows, vj, b->mx);
                for (int r = 0; r < b->rows; r++) vi[r] -= k * vj[r];
            }
            normalise(b, vi, pass ? 0 : 1e-26);
        }
    }
}

/* Any vectors that are not orthogonal to the wanted ones: a fixed congruential sequence, brought into
 * the range of A, where M is definite. */
static void start_block(const block *b) {
    uint32_t seed = 12345;
    for (int i = 0; i < b->size; i++) {
        double *v = vector_at(b, b->y, i);
        for (int r = 0; r < b->rows; r++) {
            seed = seed * 1664525u + 1013904223u;
            v[r] = (double)(seed >> 8) / 8388608.0 - 1.0;
        }
        apply(b, v, vector_at(b, b->x, i));
    }
    orthonormalise(b, b->x);
}

static double largest(const block *b) {
    double most = 0;
    for (int i = 0; i < b->size; i++) most = wy_max(most, hypot(b->re[i], b->im[i]));
    return most;
}

/* Lowest lambda first: negative theta, then positive ones from the largest down, noise last. */
static void rank(const block *b) {
    const double noise = NOISE * largest(b);
    for (int i = 0; i < b->size; i++) {
        int at = i;
        for (; at > 0; at--) {
            const double one = b->re[b->rank[at - 1]], two = b->re[i];
            const int one_counts = fabs(one) > noise, two_counts = fabs(two) > noise;
            const int before = one_counts != two_counts ? two_counts
                               : (one < 0) != (two < 0) ? two < 0
                                                        : two > one;
            if (!before) break;
            b->rank[at] = b->rank[at - 1];
        }
        b->rank[at] = i;
    }
}

/* theta and the vectors of the projected matrix; 0 when that failed. */
static int project(const block *b) {
    const int size = b->size;
    for (int i = 0; i < size; i++) {
        times_mass(b, vector_at(b, b->x, i), b->mx);
        for (int j = 0; j < size; j++)
            b->h[i * size + j] = dot(b->rows, b->mx, vector_at(b, b->y, j));
    }
    if (b->general) return wy_eigen_general(size, b->h, b->re, b->im, b->vector);
    for (int i = 0; i < size; i++) /* symmetric but for rounding */
        for (int j = 0; j < i; j++)
            b->h[i * size + j] = b->h[j * size + i] =
                0.5 * (b->h[i * size + j] + b->h[j * size + i]);
    return wy_eigen_symmetric(size, b->h, b->re, b->im, b->vector);
}

/* x <- Ritz vectors, in the order of the rank. */
static void turn(const block *b) {
    for (int k = 0; k < b->size; k++) {
        double *out = vector_at(b, b->x, k);
        memset(out, 0, (size_t)b->rows * sizeof *out);
        for (int j = 0; j < b->size; j++) {
            const double share = b->vector[j * b->size + b->rank[k]];
            const double *y = vector_at(b, b->y, j);
            for (int r = 0; r < b->rows; r++) out[r] += share * y[r];
        }
    }
}

/* Modes that the mesh has, among those of the block. */
static int found(const block *b) {
    const double noise = NOISE * largest(b);
    int count = 0;
    for (int i = 0; i < b->size; i++) count += fabs(b->re[i]) > noise;
    return count;
}

/* How much the first `count` theta have changed, relatively; old[count] takes the new ones. */
static double changed(const block *b, int count, double *old) {
    double most = 0;
    for (int i = 0; i < count; i++) {
        const double now = b->re[b->rank[i]], change = fabs(now - old[i]) / fabs(now);
        if (!(change <= most)) most = change;
        old[i] = now;
    }
    return most;
}

/* Iterate; *settled: have the first `count` converged?  x then holds the vectors as they are, not
 * orthonormal. */
static withy_status iterate(block *b, int count, double still, int *settled, withy_error *err) {
    double *old = wy_take((size_t)count, sizeof *old), last = INFINITY;
    if (!old) return wy_fail(err, WITHY_NO_MEMORY, "no memory for %d modes", count);
    start_block(b);
    *settled = 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < b->size; i++) apply(b, vector_at(b, b->x, i), vector_at(b, b->y, i));
        if (!project(b)) break;
        rank(b);
        turn(b);
        const double change = changed(b, wy_min(count, found(b)), old);
        *settled = round > 3 && (change <= still || (change <= STUCK && change > 0.5 * last));
        last = change;
        if (*settled) break;
        if (round + 1 < ROUNDS) orthonormalise(b, b->x);
    }
    wy_give(old);
    return WITHY_OK;
}

/* lambda of mode k; *flutters: it is one of a complex pair. */
static double lambda_of(const block *b, int k, int *flutters) {
    const double re = b->re[b->rank[k]], im = b->im[b->rank[k]], square = re * re + im * im;
    *flutters = fabs(im) > FLUTTER * fabs(re);
    return re / square + b->shift;
}

/* The same as accurately as possible; the vector is scaled to v^T M v = 1. */
static double stiffness_of(const block *b, int k, int *flutters) {
    const wy_door *door = b->still->door;
    const int exact = door->quotient && !b->general;
    double *v = vector_at(b, b->x, k), lambda = lambda_of(b, k, flutters);
    normalise(b, v, 0);
    if (exact) lambda = door->quotient(b->still->self, v);
    return fabs(lambda) < (exact ? RIGID : RIGID_K) * fabs(b->shift) ? 0.0 : lambda;
}

/* ---- shapes -------------------------------------------------------------------------------------- */

static double largest_part(vec3 v) {
    const double x = fabs(v.x), y = fabs(v.y), z = fabs(v.z);
    return x >= y && x >= z ? v.x : y >= z ? v.y : v.z;
}

/* The longest of the vectors, and the sign of its largest part. */
static double longest(int count, const withy_vec3 *v, double *sign) {
    double most = 0;
    *sign = 1;
    for (int i = 0; i < count; i++) {
        const double size = v3_norm(v[i]);
        if (size > most * (1 + 1e-9)) most = size, *sign = largest_part(v[i]) < 0 ? -1 : 1;
    }
    return most;
}

/* A largest displacement of L/10 (or, if nothing moves, a largest turn of 0.1), positive. */
static void scale_shape(withy_mode *mode, double length) {
    double sign, turn_sign;
    const double shift = longest(mode->count, mode->shift, &sign);
    const double turn = longest(mode->count, mode->turn, &turn_sign);
    double k = 0;
    if (shift > 1e-6 * turn * length)
        k = sign * 0.1 * length / shift;
    else if (turn > 0)
        k = turn_sign * 0.1 / turn;
    for (int i = 0; i < mode->count; i++) {
        mode->shift[i] = v3_scale(k, mode->shift[i]), mode->turn[i] = v3_scale(k, mode->turn[i]);
        mode->position[i] = v3_add(mode->position[i], mode->shift[i]);
    }
}

/* ---- damping ------------------------------------------------------------------------------------- */

/* x^T C x for every mode of a symmetric K; x^T M x = 1. */
static void damp_symmetric(const block *b, int count, double *loss) {
    for (int i = 0; i < count; i++) {
        const double *x = vector_at(b, b->x, i);
        b->still->door->damping(b->still->self, x, b->mx);
        loss[i] = dot(b->rows, x, b->mx);
    }
}

/* With the block Z of left vectors, which spans what is orthogonal to all other modes: the projection
 * of C is (Z^T M X)^-1 Z^T C X, and its diagonal what damps each mode, also where frequencies are equal. */
static withy_status damp_general(const block *b, int count, double *loss, withy_error *err) {
    const int size = b->size;
    block z;
    int settled = 0, *pivot = b->rank;
    WY_TRY(take_block(b->still, size - GUARD, &z, err));
    z.general = 1, z.left = 1, z.shift = b->shift;
    withy_status status = iterate(&z, count, STILL, &settled, err);
    for (int i = 0; i < size && status == WITHY_OK; i++) {
        times_mass(b, vector_at(b, b->x, i), b->mx);
        for (int j = 0; j < size; j++)
            z.h[j * size + i] = dot(b->rows, vector_at(b, z.x, j), b->mx);
    }
    if (status == WITHY_OK && !(settled && wy_lu_factor(size, size, z.h, pivot)))
        status = wy_fail(err, WITHY_NO_CONVERGENCE, "%s: the damping of the modes was not found",
                         b->still->sim->method->name);
    for (int i = 0; i < count && status == WITHY_OK; i++) {
        b->still->door->damping(b->still->self, vector_at(b, b->x, i), b->mx);
        for (int j = 0; j < size; j++) z.re[j] = dot(b->rows, vector_at(b, z.x, j), b->mx);
        wy_lu_solve(size, size, z.h, pivot, z.re);
        loss[i] = z.re[i];
    }
    wy_give(z.memory);
    return status;
}

/* ---- modes --------------------------------------------------------------------------------------- */

static withy_status no_general(const wy_still *x, withy_error *err) {
    return wy_fail(
        err, WITHY_UNSUPPORTED,
        "%s: modes of equations that are not symmetric need LAPACK, and this build was "
        "configured without LAPACK; install it and configure again, or use director with "
        "loads that have a potential",
        x->sim->method->name);
}

/* The block at the present shape, with K - shift M factorised. */
static withy_status factorise(block *b, withy_error *err) {
    wy_still *x = b->still;
    b->shift = SHIFT * x->door->rate(x->self);
    b->general = x->door->solve_transposed || !x->door->potential(x->self);
    if (b->general && !wy_eigen_has_general()) return no_general(x, err);
    if (x->door->begin) x->door->begin(x->self);
    const withy_status status = wy_still_change(x, b->shift, 1, err);
    if (status != WITHY_NO_CONVERGENCE) return status;
    return wy_fail(err, status, "%s: the stiffness at this shape is singular, so it has no modes",
                   x->sim->method->name);
}

/* The Newton change just computed shows how far the present shape is from equilibrium. */
static withy_status at_rest(const wy_still *x, withy_error *err) {
    const double way = wy_still_size(x, x->change);
    if (way <= REST) return WITHY_OK;
    return wy_fail(
        err, WITHY_BAD_INPUT,
        "%s: the shape is not an equilibrium (it would move by %.2g of its length), so it "
        "has no modes; start from the rest shape, or hold the rod",
        x->sim->method->name, way);
}

static withy_status write_modes(const block *b, int count, withy_mode *mode, withy_error *err) {
    wy_still *x = b->still;
    const wy_door *door = x->door;
    int flutters = 0;
    for (int i = 0; i < count; i++) {
        double *v = vector_at(b, b->x, i);
        int pair;
        const double lambda = stiffness_of(b, i, &pair);
        mode[i].frequency = (lambda < 0 ? -1 : 1) * sqrt(fabs(lambda)) / (2 * WY_PI);
        mode[i].damping = 0;
        door->shape(x->self, v, &mode[i]);
        scale_shape(&mode[i], x->sim->problem.rod[0].length);
        flutters += pair;
    }
    if (flutters)
        wy_note(&x->sim->notes,
                "%s: %d of the %d modes are pairs that gain energy from loads without potential "
                "(flutter); "
                "the frequency given is that of both, without the growth",
                x->sim->method->name, flutters, count);
    if (!door->damping) return WITHY_OK;
    double *loss = wy_take((size_t)count, sizeof *loss);
    if (!loss) return wy_fail(err, WITHY_NO_MEMORY, "no memory for %d modes", count);
    withy_status status = WITHY_OK;
    if (b->general && door->solve_transposed)
        status = damp_general(b, count, loss, err);
    else
        damp_symmetric(b, count, loss);
    for (int i = 0; i < count && status == WITHY_OK; i++) {
        const double omega = 2 * WY_PI * fabs(mode[i].frequency);
        mode[i].damping = omega > 0 ? loss[i] / (2 * omega) : 0.0;
    }
    wy_give(loss);
    return status;
}

static withy_status solve(block *b, int count, withy_mode *mode, withy_error *err) {
    withy_sim *sim = b->still->sim;
    int settled;
    WY_TRY(factorise(b, err));
    WY_TRY(at_rest(b->still, err));
    WY_TRY(iterate(b, count, STILL, &settled, err));
    if (found(b) < count)
        return wy_fail(err, WITHY_BAD_INPUT,
                       "%s: %d modes are requested, but the mesh has only %d; use more nodes "
                       "(options.n, now %d)",
                       sim->method->name, count, found(b), wy_sim_mesh(sim));
    if (!settled)
        wy_note(&sim->notes, "%s: the highest of the %d modes have not converged",
                sim->method->name, count);
    return write_modes(b, count, mode, err);
}

withy_status wy_door_modes(withy_sim *sim, int count, withy_mode *mode, withy_error *err) {
    const wy_core *core = sim->core;
    wy_still *x;
    block b;
    const wy_door *door = sim->method->door;
    if (!(door->rate(sim->self) > 0) || (door->massless && door->massless(sim->self)))
        return wy_fail(
            err, WITHY_BAD_INPUT,
            "%s: the rod has no mass, so it has no frequencies; give rod.inertia.mass or "
            "rod.material.density",
            sim->method->name);
    const double factor = core->still ? core->t : 1.0, t = core->t;
    char *state = wy_take(1, sim->state.used);
    if (!state) return wy_fail(err, WITHY_NO_MEMORY, "no memory for %d modes", count);
    memcpy(state, sim->state.base, sim->state.used);
    withy_status status = wy_still_open(sim, &x, err);
    if (status == WITHY_OK) status = x->door->load(x->self, factor, t, 1, err);
    if (status == WITHY_OK) status = take_block(x, count, &b, err);
    if (status == WITHY_OK) {
        status = solve(&b, count, mode, err);
        wy_give(b.memory);
    }
    memcpy(sim->state.base, state, sim->state.used);
    wy_give(state);
    return status;
}

int wy_door_count(wy_still *x, double least) {
    block b;
    withy_error own;
    int settled = 0, count = 0;
    const double unit = x->door->mass ? x->door->rate(x->self) : 0.0;
    if (!(unit > 0) || take_block(x, LOOK, &b, &own) != WITHY_OK) return -1;
    if (factorise(&b, &own) != WITHY_OK || iterate(&b, LOOK, SIGN, &settled, &own) != WITHY_OK)
        settled = 0;
    const int all = settled ? found(&b) : 0;
    for (int i = 0; i < all; i++) {
        int pair;
        count += stiffness_of(&b, i, &pair) < least * unit;
    }
    wy_give(b.memory);
    return settled && count < LOOK ? count : -1;
}
