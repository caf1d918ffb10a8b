/* second_adaptive.c - y = (u, v) with the step chosen from the error (second_order.h): explicit Runge-Kutta of
 * order 5 by SUNDIALS, or BDF (second_bdf.c).  Prescribed entries are put right in every evaluation.
 */
#include "numeric/time/ode.h"
#include "numeric/time/second_order.h"

void wy_second_pack(const wy_second *x, const double *u, double *y) {
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

withy_status wy_second_rate(void *context, double t, const double *y, double *dy,
                            withy_error *err) {
    wy_second *x = context;
    WY_TRY(evaluate(x, t, y, err));
    wy_second_pack(x, x->v, dy);
    wy_second_pack(x, x->a, dy + x->m);
    return WITHY_OK;
}

/* A request to stop, or a reason of the problem's own. */
withy_status wy_second_stepped(void *context, double t, const double *y, withy_error *err) {
    wy_second *x = context;
    WY_TRY(wy_interrupt_check(x->problem.interrupt, t, err));
    if (!x->problem.stepped) return WITHY_OK;
    WY_TRY(evaluate(x, t, y, err));
    return x->problem.stepped(x->problem.self, t, err);
}

withy_status wy_second_matrices(wy_second *x, double t, const double *y, withy_error *err) {
    WY_TRY(evaluate(x, t, y, err));
    return x->problem.rates(x->problem.self, t, x->u, x->v, x->newton.rate_u, x->newton.rate_v,
                            err);
}

withy_status wy_second_adaptive_make(wy_second *x, double halving, wy_arena *arena,
                                     withy_error *err) {
    const wy_second_problem *p = &x->problem;
    x->halving = wy_max(halving, 1e-12);
    if (p->kind == WY_SECOND_BDF) return WITHY_OK;
    if (wy_ode_missing())
        return wy_fail(err, WITHY_MISSING,
                       "%s: integrator = \"erk\" needs %s, which this build lacks; use rk4 or bdf",
                       p->who, wy_ode_missing());
    double *absolute = wy_arena_alloc(arena, 2 * (size_t)x->m, sizeof *absolute);
    if (!absolute) return wy_no_memory(err, "%s: no memory", p->who);
    for (int i = 0; i < x->m; i++) {
        absolute[i] = p->absolute * p->unit[i / p->nodes];
        absolute[x->m + i] = absolute[i] * x->halving;
    }
    const wy_ode_problem problem = {.size = 2 * x->m,
                                    .rate = wy_second_rate,
                                    .stepped = wy_second_stepped,
                                    .context = x,
                                    .relative = p->relative,
                                    .absolute = absolute};
    return wy_ode_make(&problem, &x->ode, err);
}

static withy_status by_sundials(wy_second *x, double t, double to, withy_error *err) {
    wy_second_pack(x, x->u, x->y);
    wy_second_pack(x, x->v, x->y + x->m);
    return wy_ode_advance(x->ode, t, to, x->y, &x->state->h, &x->steps, err);
}

withy_status wy_second_adaptive_advance(wy_second *x, double t, double to, withy_error *err) {
    const int bdf = x->problem.kind == WY_SECOND_BDF;
    WY_TRY((bdf ? wy_second_bdf_advance : by_sundials)(x, t, to, err));
    WY_TRY(evaluate(x, to, x->y, err));
    if (x->problem.projects) x->problem.project(x->problem.self, x->u, x->v);
    if (bdf) wy_second_pack(x, x->u, x->old), wy_second_pack(x, x->v, x->old + x->m);
    return WITHY_OK;
}
