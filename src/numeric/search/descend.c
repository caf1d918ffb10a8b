/* descend.c - the interface to NLopt.
 *
 * Sequential quadratic programming (SLSQP) for up to MANY variables; beyond, where its work of count^3 per step would
 * count, L-BFGS, or with constraints conservative separable approximations (CCSA).  A point at which the model has no
 * value counts as a very bad one, so that a shorter step is tried.  One that has a value and no slopes ends the search:
 * there is no direction to continue in.  The best point that was visited is the answer.
 */
#include "numeric/search/search.h"

#ifdef WITHY_HAVE_LIB_NLOPT

#include <math.h>
#include <nlopt.h>
#include <stddef.h>
#include <string.h>

#include "base/base.h"

enum { MANY = 100 };
static const double WORSE = 10; /* times the worst value so far */

typedef struct work {
    wy_descend *descend;
    nlopt_opt opt;
    double *at, *value, *slope; /* of the last point: [count], [1 + constraints], [..][count] */
    double *best;               /* [count] */
    double unit;                /* of the value: that of the start */
    double worst;
    int known, sloped, begun, failed;
    int led;  /* 1: a point had value and slopes */
    int kept; /* 1: there is a best point */
} work;

static double violation(const wy_descend *d, const double *value) {
    double most = 0;
    for (int i = 0; i < d->constraints; i++)
        most = fmax(most, i < d->equal ? fabs(value[1 + i]) : value[1 + i]);
    return most;
}

/* Is the present point the best so far? */
static void compare(work *w) {
    wy_descend *d = w->descend;
    const double missed = violation(d, w->value), value = w->value[0];
    const int meets = missed <= d->slack, met = d->violation <= d->slack;
    const int better = meets && met ? value < d->best : meets || (!met && missed < d->violation);
    if (w->kept && !better) return;
    d->best = value, d->violation = missed, w->kept = 1;
    memcpy(w->best, w->at, (size_t)d->count * sizeof *w->best);
}

static void no_value(work *w) {
    const wy_descend *d = w->descend;
    for (int i = 0; i <= d->constraints; i++) w->value[i] = i ? 1 : WORSE * w->worst;
    memset(w->slope, 0, (size_t)(d->count * (1 + d->constraints)) * sizeof *w->slope);
    w->sloped = 1;
}

static void evaluate(work *w, const double *x, int sloped) {
    wy_descend *d = w->descend;
    const size_t size = (size_t)d->count * sizeof *x;
    if (!w->known || memcmp(x, w->at, size) != 0) w->known = w->sloped = 0;
    memcpy(w->at, x, size);
    if (!w->known) {
        d->runs++;
        const int failed = d->model(d->context, x, w->value, NULL);
        if (failed == 2) w->failed = WY_SEARCH_STOPPED;
        if (failed && !w->begun) w->failed = WY_SEARCH_NOWHERE;
        if (w->failed) nlopt_force_stop(w->opt);
        if (failed) no_value(w);
        if (!failed) compare(w), w->worst = fmax(w->worst, fabs(w->value[0]));
        if (!w->begun) w->unit = fabs(w->value[0]) > 0 ? fabs(w->value[0]) : 1;
        w->known = w->begun = 1;
    }
    if (!sloped || w->sloped || w->failed) return;
    d->slopes++;
    const int failed = d->model(d->context, x, NULL, w->slope);
    if (!failed) w->led = 1;
    if (failed) { /* slopes of 0 would pass for those of a minimum */
        w->failed = failed == 2 ? WY_SEARCH_STOPPED : w->led ? WY_SEARCH_LOST : WY_SEARCH_NOWHERE;
        memset(w->slope, 0, size * (size_t)(1 + d->constraints));
        nlopt_force_stop(w->opt);
    }
    w->sloped = 1;
}

static double value_of(unsigned count, const double *x, double *slope, void *context) {
    work *w = context;
    evaluate(w, x, slope != NULL);
    for (unsigned k = 0; slope && k < count; k++) slope[k] = w->slope[k] / w->unit;
    return w->value[0] / w->unit;
}

static void some(work *w, int from, unsigned m, double *result, unsigned count, const double *x,
                 double *slope) {
    evaluate(w, x, slope != NULL);
    for (unsigned i = 0; i < m; i++) {
        const size_t row = (size_t)from + 1 + i;
        result[i] = w->value[row];
        for (unsigned k = 0; slope && k < count; k++)
            slope[i * count + k] = w->slope[row * count + k];
    }
}
static void equal_of(unsigned m, double *result, unsigned count, const double *x, double *slope,
                     void *context) {
    some(context, 0, m, result, count, x, slope);
}
static void below_of(unsigned m, double *result, unsigned count, const double *x, double *slope,
                     void *context) {
    some(context, ((work *)context)->descend->equal, m, result, count, x, slope);
}

static nlopt_algorithm algorithm(const wy_descend *d) {
    if (d->count <= MANY || d->equal) return NLOPT_LD_SLSQP;
    return d->constraints ? NLOPT_LD_CCSAQ : NLOPT_LD_LBFGS;
}

static wy_search_end search(work *w, double *x) {
    wy_descend *d = w->descend;
    const unsigned below = (unsigned)(d->constraints - d->equal), equal = (unsigned)d->equal;
    double unused;
    nlopt_set_lower_bounds1(w->opt, 0), nlopt_set_upper_bounds1(w->opt, 1);
    nlopt_set_min_objective(w->opt, value_of, w);
    if (equal) nlopt_add_equality_mconstraint(w->opt, equal, equal_of, w, NULL);
    if (below) nlopt_add_inequality_mconstraint(w->opt, below, below_of, w, NULL);
    nlopt_set_ftol_rel(w->opt, d->tol), nlopt_set_xtol_abs1(w->opt, d->tol);
    nlopt_set_maxeval(w->opt, d->most);
    const nlopt_result result = nlopt_optimize(w->opt, x, &unused);
    if (w->kept) memcpy(x, w->best, (size_t)d->count * sizeof *x);
    if (w->failed && w->failed != WY_SEARCH_LOST) return (wy_search_end)w->failed;
    if (w->failed) return WY_SEARCH_LOST;
    if (result == NLOPT_OUT_OF_MEMORY) return WY_SEARCH_MEMORY;
    if (d->violation > d->slack) return WY_SEARCH_IMPOSSIBLE;
    return result == NLOPT_MAXEVAL_REACHED ? WY_SEARCH_SLOW : WY_SEARCH_DONE;
}

wy_search_end wy_descend_find(wy_descend *descend, double *x) {
    const size_t n = (size_t)descend->count, m = 1 + (size_t)descend->constraints;
    double *all = wy_alloc(2 * n + m + m * n, sizeof *all);
    nlopt_opt opt = all ? nlopt_create(algorithm(descend), (unsigned)n) : NULL;
    wy_search_end end = WY_SEARCH_MEMORY;
    if (opt) {
        work w = {.descend = descend, .opt = opt, .at = all, .best = all + n, .value = all + 2 * n};
        w.slope = w.value + m;
        end = search(&w, x);
        nlopt_destroy(opt);
    }
    wy_free(all);
    return end;
}
#endif
