/* adaptive.c - y = (u, v) given to SUNDIALS: explicit Runge-Kutta of order 5 (erk) or BDF (bdf),
 * with the step chosen from the error.  The ends are put where they belong in every evaluation.
 *
 * Every call of advance begins the integration anew from (t, u, v) and the step size that was last
 * suggested, so that the state is complete; the steps therefore depend on where it lands.
 */
#include <string.h>

#include "method/cheb/cheb.h"
#include "numeric/ode.h"

static int count(const wy_cheb *x) {
    return x->fields * (x->grid.n + 1);
}

static void pack(const wy_cheb *x, const double *u, double *y) {
    const int nodes = x->grid.n + 1;
    for (int f = 0; f < x->fields; f++)
        memcpy(y + f * nodes, u + f * x->grid.ld, (size_t)nodes * sizeof *y);
}

static void unpack(const wy_cheb *x, const double *y, double *u) {
    const int nodes = x->grid.n + 1;
    for (int f = 0; f < x->fields; f++)
        memcpy(u + f * x->grid.ld, y + f * nodes, (size_t)nodes * sizeof *y);
}

/* u, v of y with the ends at t; a(t, u, v). */
static withy_status evaluate(wy_cheb *x, double t, const double *y, withy_error *err) {
    unpack(x, y, x->u);
    unpack(x, y + count(x), x->v);
    WY_TRY(wy_cheb_bound(x, t, x->u, x->v, err));
    return wy_cheb_accel(x, t, x->u, x->v, x->a, err);
}

static withy_status rate(void *context, double t, const double *y, double *dy, withy_error *err) {
    wy_cheb *x = context;
    WY_TRY(evaluate(x, t, y, err));
    pack(x, x->v, dy);
    pack(x, x->a, dy + count(x));
    return WITHY_OK;
}

static withy_status matrix(void *context, double t, const double *y, double **column,
                           withy_error *err) {
    wy_cheb *x = context;
    const int m = count(x);
    const double *ru, *rv;
    WY_TRY(evaluate(x, t, y, err));
    WY_TRY(wy_cheb_rates(x, t, x->u, x->v, &ru, &rv, err));
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++) {
            column[j][i] = 0.0, column[j][m + i] = ru[(size_t)i * (size_t)m + (size_t)j];
            column[m + j][i] = i == j, column[m + j][m + i] = rv[(size_t)i * (size_t)m + (size_t)j];
        }
    return WITHY_OK;
}

/* Absolute errors: lengths in rods, angles in radians, speeds as a wave would change them. */
static void tolerances(const wy_cheb *x, double *absolute) {
    const int nodes = x->grid.n + 1, turn = x->planar ? 2 : 3;
    const double pace = x->omega / ((double)x->grid.n * x->grid.n);
    for (int f = 0; f < x->fields; f++)
        for (int i = 0; i < nodes; i++) {
            const double one = x->opt.absolute * (f < turn ? x->grid.length : 1.0);
            absolute[f * nodes + i] = one;
            absolute[count(x) + f * nodes + i] = one * wy_max(pace, 1e-12);
        }
}

withy_status wy_cheb_adaptive_make(wy_cheb *x, withy_error *err) {
    if (wy_ode_missing())
        return wy_fail(
            err, WITHY_MISSING,
            "cheb: integrator = \"%s\" needs %s, which this build lacks; use rk4 or radau",
            x->opt.integrator == WY_CHEB_ERK ? "erk" : "bdf", wy_ode_missing());
    const size_t size = 2 * (size_t)count(x);
    double *absolute = wy_arena_take(x->setup->arena, size, sizeof *absolute);
    if (!absolute) return wy_fail(err, WITHY_NO_MEMORY, "cheb: no memory");
    tolerances(x, absolute);
    const wy_ode_problem problem = {.size = (int)size,
                                    .stiff = x->opt.integrator == WY_CHEB_BDF,
                                    .rate = rate,
                                    .matrix = matrix,
                                    .context = x,
                                    .relative = x->opt.tol,
                                    .absolute = absolute};
    return wy_ode_make(&problem, &x->adaptive.ode, err);
}

withy_status wy_cheb_adaptive_advance(wy_cheb *x, double t, withy_error *err) {
    const wy_cheb_adaptive *w = &x->adaptive;
    long steps;
    pack(x, x->u, w->y);
    pack(x, x->v, w->y + count(x));
    WY_TRY(wy_ode_advance(w->ode, x->state->t, t, w->y, &x->state->h, &steps, err));
    x->setup->stats->steps += steps;
    WY_TRY(evaluate(x, t, w->y, err));
    if (x->opt.normalise) wy_cheb_normalise(x, x->u, x->v);
    return WITHY_OK;
}
