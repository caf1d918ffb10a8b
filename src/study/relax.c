/* relax.c - descent to an equilibrium from a shape that is far from one.
 *
 *   r(x) - mu M (x - x_k) = 0,   x_(k+1) its solution,   k = 0, 1, ...
 *
 * Each solution is a bounded step down the potential: mu falls as long as Newton finds one,
 * and rises when it does not.  Near the equilibrium Newton's method alone finishes.
 */
#include <string.h>

#include "study/door.h"

static const double FIRST = 10.0; /* mu, in units of the lowest frequency squared */
static const double LEAST = 0.1, MOST = 1e12;
static const double NEAR = 1e-2;     /* moved at the least mu: leave the rest to Newton */
static const double TURN_MOST = 2.5; /* of a section in one step down                   */
enum { STEPS = 200, ITERATIONS = 25 };

/* One step down from the saved shape.  *found = 0: there is none for this mu. */
static withy_status step_down(wy_still *x, double mu, int *found, withy_error *err) {
    const wy_door *door = x->door;
    double before = INFINITY;
    int negative;
    *found = 0;
    memset(x->moved, 0, (size_t)x->rows * sizeof *x->moved);
    if (door->begin) door->begin(x->self);
    for (int k = 0; k < ITERATIONS; k++) {
        WY_TRY(door->residual(x->self, x->change, err));
        door->mass(x->self, x->moved, x->side);
        for (int i = 0; i < x->rows; i++) x->change[i] -= mu * x->side[i];
        WY_TRY(door->factor(x->self, -mu, &negative, err));
        door->solve(x->self, x->change);
        x->iterations++;
        const double size = wy_still_size(x, x->change);
        if (!(size < WY_STILL_WILD)) return WITHY_OK;
        wy_still_move(x, size);
        *found = wy_still_done(size, before);
        if (*found) break;
        before = size;
    }
    *found = *found && wy_still_way(x) < TURN_MOST;
    return WITHY_OK;
}

/* Newton from a shape near the equilibrium; the shape is that of before unless it stays near. */
static withy_status finish(wy_still *x, double factor, int *found, withy_error *err) {
    wy_still_save(x);
    WY_TRY(wy_still_newton(x, 0, found, err));
    *found = *found && wy_still_way(x) < 10 * NEAR;
    if (*found) return WITHY_OK;
    wy_still_restore(x);
    return wy_still_load(x, factor, 1, err);
}

withy_status wy_still_relax(wy_still *x, double factor, int *found, withy_error *err) {
    const double unit = x->door->mass ? x->door->rate(x->self) : 0.0;
    double mu = FIRST * unit;
    *found = 0, x->left = 0;
    if (!(unit > 0)) return WITHY_OK;
    WY_TRY(wy_still_load(x, factor, 1, err));
    for (int k = 0; k < STEPS && mu <= MOST * unit; k++) {
        int down;
        wy_still_save(x);
        const withy_status status = step_down(x, mu, &down, err);
        if (status != WITHY_OK && status != WITHY_NO_CONVERGENCE) return status;
        if (status != WITHY_OK || !down) {
            wy_still_restore(x);
            WY_TRY(wy_still_load(x, factor, 1, err));
            mu *= 100;
            continue;
        }
        if (mu <= LEAST * unit && wy_still_way(x) <= NEAR) {
            WY_TRY(finish(x, factor, found, err));
            if (*found) return WITHY_OK;
        }
        mu = wy_max(LEAST * unit, 0.1 * mu);
    }
    return WITHY_OK;
}
