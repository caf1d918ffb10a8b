/* minimise.c - the least value of a function of bounded parameters: change of variables, checks, the answer.
 *
 * A parameter is varied by u = (z - a)/(b - a) in 0 .. 1, z = p or ln p, between its bounds a and b.
 */
#include "withy/minimise.h"

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "numeric/descend.h"
#include "study/free.h"

static const double TOL = 1e-9;
static const double SLACK = 1e-8; /* of a constraint, over its unit */
static const double BOUND = 1e-6; /* of the range: on the bound */
static const double EDGE = 1e-6;  /* of the range: room for differences within it */
enum { RUNS = 500 };

withy_minimise_setup withy_minimise_default(void) {
    return (withy_minimise_setup){.size = sizeof(withy_minimise_setup)};
}

typedef struct search {
    const withy_minimise_setup *setup;
    double *p;       /* [count] */
    withy_error err; /* of the last evaluation that failed */
    withy_status status;
    int begun;
    double first;
} search;

static double to_u(const withy_fit_free *f, double p) {
    const double a = wy_free_scale(f, f->low), b = wy_free_scale(f, f->high);
    return fmax(0, fmin(1, (wy_free_scale(f, p) - a) / (b - a)));
}
static double to_p(const withy_fit_free *f, double u, double *slope) {
    const double a = wy_free_scale(f, f->low), b = wy_free_scale(f, f->high),
                 way = (1 - 2 * EDGE) * (b - a);
    const double p = wy_free_at(f, a + EDGE * (b - a) + way * u, slope);
    *slope *= way; /* dp/du */
    return p;
}

static int evaluate(void *context, const double *u, double *value, double *slope) {
    search *x = context;
    const withy_minimise_setup *setup = x->setup;
    double by[WITHY_FIT_MOST];
    withy_error err = {0};
    for (int k = 0; k < setup->count; k++) x->p[k] = to_p(&setup->free[k], u[k], &by[k]);
    withy_status status = setup->goal(setup->context, x->p, value, slope, &err);
    const int rows = 1 + setup->constraints;
    for (int i = 0; i < rows && value && status == WITHY_OK; i++)
        if (!isfinite(value[i]))
            status = wy_fail(&err, WITHY_NO_CONVERGENCE, "a number of the goal is not finite");
    if (status != WITHY_OK) {
        x->status = status, x->err = err;
        return status == WITHY_INTERRUPTED ? 2 : 1;
    }
    if (value && !x->begun) x->first = value[0], x->begun = 1;
    for (int i = 0; i < rows && slope; i++)
        for (int k = 0; k < setup->count; k++) slope[i * setup->count + k] *= by[k];
    return 0;
}

static withy_status check_free(const withy_fit_free *f, withy_error *err) {
    if (!isfinite(f->low) || !isfinite(f->high) || !(f->low < f->high))
        return wy_fail(err, WITHY_BAD_INPUT,
                       "%s: a design needs a range LOW..HIGH for every parameter; it has %g .. %g",
                       f->name, f->low, f->high);
    return wy_free_check(f, "the search", err);
}

static withy_status check(const withy_minimise_setup *setup, withy_error *err) {
    if (setup->size != sizeof *setup || !setup->goal || !setup->free)
        return wy_fail(err, WITHY_BAD_INPUT,
                       "withy_minimise: begin with withy_minimise_default(), and give goal and "
                       "free");
    if (setup->count < 1 || setup->count > WITHY_FIT_MOST || setup->constraints < 0 ||
        setup->constraints > WITHY_GOAL_CONSTRAINTS || setup->equal < 0 ||
        setup->equal > setup->constraints)
        return wy_fail(err, WITHY_BAD_INPUT,
                       "a design takes 1 .. %d free parameters and at most %d constraints",
                       WITHY_FIT_MOST, WITHY_GOAL_CONSTRAINTS);
    for (int k = 0; k < setup->count; k++) WY_TRY(check_free(&setup->free[k], err));
    return WITHY_OK;
}

static withy_status ended(const search *x, const wy_descend *d, wy_search_end end,
                          withy_error *err) {
    switch (end) {
    case WY_SEARCH_MISSING:
        return wy_fail(err, WITHY_UNSUPPORTED,
                       "this build has no NLopt, which --minimise needs; install it (make setup) "
                       "and build again");
    case WY_SEARCH_MEMORY: return wy_fail(err, WITHY_NO_MEMORY, "no memory for a design");
    case WY_SEARCH_NOWHERE:
    case WY_SEARCH_STOPPED:
        if (err) *err = x->err;
        return x->status;
    case WY_SEARCH_IMPOSSIBLE:
        return wy_fail(err, WITHY_NO_CONVERGENCE,
                       "no point that meets all constraints was found in %d evaluations; the least "
                       "violation was %.3g of a constraint: loosen it, widen the ranges, or start "
                       "elsewhere (@START)",
                       d->runs, d->violation);
    default: return WITHY_OK;
    }
}

withy_status withy_minimise(const withy_minimise_setup *setup, withy_minimum *minimum,
                            withy_error *err) {
    double p[WITHY_FIT_MOST], u[WITHY_FIT_MOST], slope;
    WY_NEED(setup);
    WY_NEED(minimum);
    *minimum = (withy_minimum){.negative = -1};
    WY_TRY(check(setup, err));
    search x = {.setup = setup, .p = p};
    wy_descend d = {.model = evaluate,
                    .context = &x,
                    .count = setup->count,
                    .constraints = setup->constraints,
                    .equal = setup->equal,
                    .tol = setup->tol > 0 ? setup->tol : TOL,
                    .slack = SLACK,
                    .most = setup->most > 0 ? setup->most : RUNS};
    for (int k = 0; k < setup->count; k++) u[k] = to_u(&setup->free[k], setup->free[k].value);
    const wy_search_end end = wy_descend_find(&d, u);
    minimum->count = setup->count, minimum->runs = d.runs, minimum->slopes = d.slopes;
    minimum->value = d.best, minimum->first = x.first, minimum->violation = d.violation;
    minimum->converged = end == WY_SEARCH_DONE;
    for (int k = 0; k < setup->count; k++) {
        minimum->p[k] = to_p(&setup->free[k], u[k], &slope);
        minimum->bound[k] = u[k] < BOUND ? -1 : u[k] > 1 - BOUND;
    }
    return ended(&x, &d, end, err);
}
