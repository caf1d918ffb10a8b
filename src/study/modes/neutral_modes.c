/* neutral_modes.c - of thin rods the motions that nothing resists, found before their modes.
 *
 * The spin of a round rod about its axis has an inertia of r^2/L^2 of that of its bending: what rounding leaves of its
 * stiffness is then a frequency, and as likely one that grows.  With the M of wy_equations.weigh a spin weighs as much as any
 * motion, and inverse iteration finds K z = 0 to rounding.
 */
#include "study/modes/subspace.h"

static const double RANGE = 10;     /* of the added stiffness: what may be none           */
static const double GAP = 1e-4;     /* of the next one: too, where rounding leaves more   */
static const double AT_REST = 1e-6; /* of theta, which is by far the largest of these     */

/* mu of a vector of the block. */
static double stiffness(const wy_ritz *b, int i) {
    const double theta = b->re[b->rank[i]];
    return theta != 0 ? 1 / theta + b->shift : INFINITY;
}

/* The lowest stiffness that is one, and how many vectors have less. */
static double lowest_of(const wy_ritz *b, int *soft) {
    double none = -RANGE * b->shift, next = 0;
    *soft = 0;
    for (int k = 0; k < b->size; k++) { /* from below: the next one */
        double least = INFINITY;
        int below = 0;
        for (int i = 0; i < b->size; i++) {
            const double mu = fabs(stiffness(b, i));
            if (mu > next) least = wy_min(least, mu);
            below += mu <= next;
        }
        if (next <= none || next <= GAP * least) *soft = below, none = wy_max(none, next);
        next = least;
    }
    next = INFINITY;
    for (int i = 0; i < b->size; i++)
        if (fabs(stiffness(b, i)) > none) next = wy_min(next, fabs(stiffness(b, i)));
    return next;
}

/* A block with all vectors that have no stiffness, and more.  What is added to K has to be above its rounding, which in a
 * taut wire is not that of its bending. */
static withy_status find_soft(wy_static *x, wy_ritz *b, double *lowest, int *soft,
                              withy_error *err) {
    double shift = -x->fine * x->equations->rate(x->self);
    int settled;
    for (int count = x->candidates;; wy_free(b->memory)) {
        WY_TRY(wy_ritz_take(x, count, b, err));
        b->shift = shift;
        WY_TRY(wy_ritz_factor(b, err));
        WY_TRY(wy_ritz_iterate(b, count, AT_REST, &settled, err));
        *lowest = lowest_of(b, soft);
        if (isfinite(*lowest) && x->fine * *lowest > -RANGE * shift)
            shift = -x->fine * *lowest;
        else if (*soft < count || b->size == b->most)
            return WITHY_OK;
        else
            count *= 2;
    }
}

/* z becomes orthonormal to those kept so far, with its own M; returns 0 when nothing is left of it. */
static int orthonormalise(const wy_ritz *b, const double *kept, int count, double *z) {
    const size_t rows = (size_t)b->rows;
    for (int pass = 0; pass < 2; pass++) {
        if (!(wy_ritz_normalise(b, z, 0) > 0)) return 0;
        for (int j = 0; j < count; j++) {
            const double *other = &kept[2 * rows * (size_t)j];
            const double k = wy_ritz_dot(b->rows, z, other + rows);
            for (size_t r = 0; r < rows; r++) z[r] -= k * other[r];
        }
    }
    return wy_ritz_normalise(b, z, 0) > 0;
}

/* Those that by their strains have none. */
static void keep(wy_ritz *b, double lowest, double *to, int *kept) {
    const wy_static *x = b->equilibrium;
    const size_t rows = (size_t)b->rows;
    const double unit = b->shift;
    double terms, error;
    for (int i = 0; i < b->size; i++) {
        double *z = &to[2 * rows * (size_t)*kept];
        b->shift = unit;
        if (!(fabs(stiffness(b, i)) < lowest)) continue;
        b->shift = 0; /* that was in units of the other M */
        memcpy(z, wy_ritz_at(b, b->x, i), rows * sizeof *z);
        if (!orthonormalise(b, to, *kept, z)) continue;
        x->equations->mass(x->self, z, z + rows);
        *kept += fabs(wy_ritz_quotient(b, z, &terms, &error)) <= error;
    }
}

withy_status wy_ritz_neutral(wy_static *x, wy_ritz *b, withy_error *err) {
    wy_ritz own = {.most = b->most};
    double lowest;
    int soft = 0;
    if (!x->exact || !x->equations->weigh || !x->equations->quotient || !x->candidates)
        return WITHY_OK;
    x->equations->weigh(x->self, 1);
    withy_status status = find_soft(x, &own, &lowest, &soft, err);
    x->equations->weigh(x->self, 0);
    if (status == WITHY_OK && soft > 0) {
        b->neutral = wy_alloc(2 * (size_t)soft * (size_t)x->rows, sizeof *b->neutral);
        if (b->neutral)
            keep(&own, lowest, b->neutral, &b->neutrals);
        else
            status = wy_no_memory(err, "%s: no memory for modes", x->sim->method->name);
    }
    wy_ritz_give(&own);
    return status;
}
