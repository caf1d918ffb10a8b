/* second_adaptive.c - y = (u, v) given to SUNDIALS (second_order.h): explicit Runge-Kutta of order 5 or
 * BDF, with the step chosen from the error.  Prescribed entries are put right in every evaluation.
 */
#include <string.h>

#include "numeric/ode.h"
#include "numeric/second_order.h"

static void pack(const wy_second *x, const double *u, double *y) {
    const wy_second_problem *p = &x->problem;
    for (int f = 0; f < p->fields; f++)
        memcpy(y + f * p->nodes, u + f * p->ld, (size_t)p->nodes * sizeof *y);
}

static void unpack(const wy_second *x, const double *y, double *u) {
    const wy_second_problem *p = &x->problem;
    for (int f = 0; f < p->fields; f++)
        memcpy(u + f * p->ld, y + f * p->nodes, (size_t)p->nodes * sizeof *y);
}

/* u, v of y with the prescribed entries at t; a(t, u, v). */
static withy_status evaluate(wy_second *x, double t, const double *y, withy_error *err) {
    const wy_second_problem *p = &x->problem;
    unpack(x, y, x->u);
    unpack(x, y + x->m, x->v);
    WY_TRY(p->bound(p->self, t, 0, x->u, x->v, err));
    return p->accel(p->self, t, x->u, x->v, x->a, err);
}

static withy_status rate(void *context, double t, const double *y, double *dy, withy_error *err) {
    wy_second *x = context;
    WY_TRY(evaluate(x, t, y, err));
    pack(x, x->v, dy);
    pack(x, x->a, dy + x->m);
    return WITHY_OK;
}

/* A request to stop, or a reason of the problem's own. */
static withy_status stepped(void *context, double t, const double *y, withy_error *err) {
    wy_second *x = context;
    WY_TRY(wy_poll_ask(x->problem.poll, t, err));
    if (!x->problem.stepped) return WITHY_OK;
    WY_TRY(evaluate(x, t, y, err));
    return x->problem.stepped(x->problem.self, t, err);
}

static withy_status matrix(void *context, double t, const double *y, double **column,
                           withy_error *err) {
    wy_second *x = context;
    const int m = x->m;
    double *ru = x->newton.rate_u, *rv = x->newton.rate_v;
    WY_TRY(evaluate(x, t, y, err));
    WY_TRY(x->problem.rates(x->problem.self, t, x->u, x->v, ru, rv, err));
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++) {
            column[j][i] = 0.0, column[j][m + i] = ru[(size_t)i * (size_t)m + (size_t)j];
            column[m + j][i] = i == j, column[m + j][m + i] = rv[(size_t)i * (size_t)m + (size_t)j];
        }
    return WITHY_OK;
}

withy_status wy_second_adaptive_make(wy_second *x, double pace, wy_arena *arena, withy_error *err) {
    const wy_second_problem *p = &x->problem;
    const int stiff = p->kind == WY_SECOND_BDF;
    if (wy_ode_missing())
        return wy_fail(err, WITHY_MISSING,
                       "%s: integrator = \"%s\" needs %s, which this build lacks; use rk4 or radau",
                       p->who, stiff ? "bdf" : "erk", wy_ode_missing());
    double *absolute = wy_arena_take(arena, 2 * (size_t)x->m, sizeof *absolute);
    if (!absolute) return wy_fail(err, WITHY_NO_MEMORY, "%s: no memory", p->who);
    for (int i = 0; i < x->m; i++) {
        absolute[i] = p->absolute * p->unit[i / p->nodes];
        absolute[x->m + i] = absolute[i] * wy_max(pace, 1e-12);
    }
    const wy_ode_problem problem = {.size = 2 * x->m,
                                    .stiff = stiff,
                                    .rate = rate,
                                    .matrix = matrix,
                                    .stepped = stepped,
                                    .context = x,
                                    .relative = p->relative,
                                    .absolute = absolute};
    return wy_ode_make(&problem, &x->ode, err);
}

withy_status wy_second_adaptive_advance(wy_second *x, double t, double to, withy_error *err) {
    pack(x, x->u, x->y);
    pack(x, x->v, x->y + x->m);
    WY_TRY(wy_ode_advance(x->ode, t, to, x->y, &x->state->h, &x->steps, err));
    WY_TRY(evaluate(x, to, x->y, err));
    if (x->problem.projects) x->problem.project(x->problem.self, x->u, x->v);
    return WITHY_OK;
}
