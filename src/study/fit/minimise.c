/* minimise.c - the least value of a function of bounded parameters: change of variables, checks, the answer.
 *
 * A parameter is varied by u = (z - a)/(b - a) in 0 .. 1, z = p or ln p, between its bounds a and b.
 */
#include "withy/minimise.h"

#include "base/note.h"
#include "numeric/search/search.h"
#include "study/fit/fit.h"

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
    wy_search_point trial;
    int begun;
    double first;
} search;

static double to_u(const withy_fit_free *f, double p) {
    const double a = wy_free_parameter_scale(f, f->low), b = wy_free_parameter_scale(f, f->high);
    return fmax(0, fmin(1, (wy_free_parameter_scale(f, p) - a) / (b - a)));
}
static double to_p(const withy_fit_free *f, double u, double *slope) {
    const double a = wy_free_parameter_scale(f, f->low), b = wy_free_parameter_scale(f, f->high),
                 way = (1 - 2 * EDGE) * (b - a);
    const double p = wy_free_parameter_at(f, a + EDGE * (b - a) + way * u, slope);
    *slope *= way; /* dp/du */
    return p;
}

static int evaluate(void *context, const double *u, double *value, double *slope) {
    search *x = context;
    const withy_minimise_setup *setup = x->setup;
    const int rows = 1 + setup->constraints, slopes = rows * setup->count;
    withy_error err = {0};
    wy_search_point_at(&x->trial, setup->free, setup->count, u, to_p);
    withy_status status = setup->objective(setup->context, x->trial.p, value, slope, &err);
    int good = 1;
    for (int i = 0; i < rows && value && status == WITHY_OK; i++) good = good && isfinite(value[i]);
    for (int i = 0; i < slopes && slope && status == WITHY_OK; i++) {
        slope[i] *= x->trial.by[i % setup->count];
        good = good && isfinite(slope[i]);
    }
    if (!good)
        status = wy_no_convergence(&err, "the objective, or a derivative of it, is not finite");
    if (value && !x->begun && status == WITHY_OK) x->first = value[0], x->begun = 1;
    return wy_search_point_end(&x->trial, status, &err);
}

static withy_status check_free(const withy_fit_free *f, withy_error *err) {
    if (!isfinite(f->low) || !isfinite(f->high) || !(f->low < f->high))
        return wy_bad_input(
            err, "%s: a design needs a range LOW..HIGH for every parameter; it has %g .. %g",
            f->name, f->low, f->high);
    return wy_free_parameter_check(f, "the search", err);
}

static withy_status check(const withy_minimise_setup *setup, withy_error *err) {
    if (setup->size != sizeof *setup || !setup->objective || !setup->free)
        return wy_bad_input(
            err, "withy_minimise: begin with withy_minimise_default(), and set objective and free");
    if (setup->count < 1 || setup->count > WITHY_FIT_MOST || setup->constraints < 0 ||
        setup->constraints > WITHY_MINIMISE_CONSTRAINTS || setup->equal < 0 ||
        setup->equal > setup->constraints)
        return wy_bad_input(err,
                            "a design takes 1 .. %d free parameters and at most %d constraints",
                            WITHY_FIT_MOST, WITHY_MINIMISE_CONSTRAINTS);
    for (int k = 0; k < setup->count; k++) WY_TRY(check_free(&setup->free[k], err));
    return WITHY_OK;
}

/* What was found is no minimum, and why. */
static void note_end(const search *x, wy_search_end end, withy_minimum *minimum) {
    if (end == WY_SEARCH_SLOW) wy_note(&minimum->notes, WY_NOTE(design_unfinished));
    if (end == WY_SEARCH_LOST) wy_note(&minimum->notes, WY_NOTE(design_lost), x->trial.err.text);
}

static withy_status ended(const search *x, const wy_descend *d, wy_search_end end,
                          withy_error *err) {
    /* no design yet, and why there will be none */
    if (end == WY_SEARCH_LOST && d->violation > d->slack)
        return wy_search_point_error(&x->trial, err);
    if (end != WY_SEARCH_IMPOSSIBLE)
        return wy_search_point_ended(&x->trial, end, "NLopt", "--minimise needs", "a design", err);
    return wy_no_convergence(
        err,
        "no point that meets all constraints was found in %d evaluations; the least violation was "
        "%.3g of a constraint: loosen it, widen the ranges, or start elsewhere (@START)",
        d->runs, d->violation);
}

withy_status withy_minimise(const withy_minimise_setup *setup, withy_minimum *minimum,
                            withy_error *err) {
    double u[WITHY_FIT_MOST], slope;
    WY_NEED(setup, minimum);
    *minimum = (withy_minimum){.negative = -1};
    WY_TRY(check(setup, err));
    search x = {.setup = setup};
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
    note_end(&x, end, minimum);
    for (int k = 0; k < setup->count; k++) {
        minimum->p[k] = to_p(&setup->free[k], u[k], &slope);
        minimum->bound[k] = u[k] < BOUND ? -1 : u[k] > 1 - BOUND;
    }
    return ended(&x, &d, end, err);
}
