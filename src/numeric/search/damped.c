/* damped.c - see search.h. */
#include "numeric/search/search.h"

/* While corrections with the same matrix shrink this fast they are cheaper than a new matrix. */
static const double CHORD_RATE = 0.05;
/* An old matrix leaves a fixed part of the last correction, not its square: continue until that part,
 * too, is small, so that the constraints hold to rounding. */
static const double CHORD_REST = 1e-4;

/* The fraction of the step; leaves the next correction in the trial one. */
static double damp(const wy_damped *x, double norm, double *next_norm) {
    for (double fraction = 1.0; fraction > 1e-3; fraction *= 0.5) {
        x->move(x->self, fraction, 0);
        *next_norm = x->find(x->self, 1);
        if (*next_norm <= (1.0 - 0.25 * fraction) * norm) return fraction;
    }
    return 0.0;
}

/* Take the trial correction, and further ones with the same matrix.  True: converged. */
static bool chord(const wy_damped *x, double *norm, double next) {
    while (next <= wy_max(CHORD_RATE * *norm, x->tolerance)) {
        const double rest = next * (next / *norm);
        *norm = next;
        x->set_base(x->self);
        x->move(x->self, 1.0, 1);
        if (*norm <= x->tolerance && rest <= CHORD_REST * x->tolerance) return true;
        next = x->find(x->self, 1);
        if (*norm <= x->tolerance && !(next <= 0.5 * *norm)) return true; /* at rounding level */
    }
    return false;
}

bool wy_damped_solve(const wy_damped *x, int *iterations, double *norm) {
    *norm = INFINITY;
    for (*iterations = 0; *iterations < x->most;) {
        ++*iterations;
        if (!x->factor(x->self)) return false;
        x->set_base(x->self);
        *norm = x->find(x->self, 0);
        if (*norm <= x->tolerance) {
            x->move(x->self, 1.0, 0);
            return true;
        }
        double next;
        const double fraction = damp(x, *norm, &next);
        if (fraction == 0.0) return false;
        if (fraction == 1.0 && chord(x, norm, next)) return true;
    }
    return false;
}
