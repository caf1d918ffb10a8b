/* free_parameters.h - parameters that a search varies: what fit.c and minimise.c share. */
#pragma once

#include "base/base.h"
#include "numeric/search/search.h"
#include "withy/fit.h"

static inline double wy_free_parameter_scale(const withy_fit_free *f,
                                             double p) { /* z = p, or ln p */
    return f->log ? log(p) : p;
}

/* dp/dz, and p = p(z). */
static inline double wy_free_parameter_at(const withy_fit_free *f, double z, double *slope) {
    const double p = f->log ? exp(z) : z;
    *slope = f->log ? p : 1;
    return p;
}

/* Its start and its scale; `what` is searching: "the fit". */
static inline withy_status wy_free_parameter_check(const withy_fit_free *f, const char *what,
                                                   withy_error *err) {
    if (!(f->value >= f->low && f->value <= f->high))
        return wy_bad_input(err, "%s = %g: %s starts outside its range %g .. %g", f->name, f->value,
                            what, f->low, f->high);
    if (f->log && !(f->low > 0))
        return wy_bad_input(err, "%s: %g .. %g: a logarithmic range begins above 0; leave :log out",
                            f->name, f->low, f->high);
    return WITHY_OK;
}

/* The interval that holds p with 95 % of a normal distribution, whose standard deviation is that of z. */
static inline void wy_free_parameter_interval(const withy_fit_free *f, double deviation,
                                              withy_fit_value *v) {
    static const double NORMAL_95 = 1.959964;
    const double by = NORMAL_95 * deviation;
    v->low = f->log ? v->value * exp(-by) : v->value - by;
    v->high = f->log ? v->value * exp(by) : v->value + by;
}

/* The point where a search asks its model, and why there was no value when it last failed. */
typedef struct wy_search_point {
    double p[WITHY_FIT_MOST], by[WITHY_FIT_MOST]; /* parameters, and dp/du */
    withy_status status;
    withy_error err;
} wy_search_point;

/* to_p: p(u) and dp/du. */
static inline void wy_search_point_at(wy_search_point *x, const withy_fit_free *free, int count,
                                      const double *u,
                                      double (*to_p)(const withy_fit_free *, double, double *)) {
    for (int k = 0; k < count; k++) x->p[k] = to_p(&free[k], u[k], &x->by[k]);
}

/* What the search is reported: 0, 1: there is no value here, 2: it is to end. */
static inline int wy_search_point_end(wy_search_point *x, withy_status status,
                                      const withy_error *err) {
    if (status == WITHY_OK) return 0;
    x->status = status, x->err = *err;
    return status == WITHY_INTERRUPTED ? 2 : 1;
}

/* Its own message, when that is why a search has ended. */
static inline withy_status wy_search_point_error(const wy_search_point *x, withy_error *err) {
    if (err) *err = x->err;
    return x->status;
}

/* How a search of `what` ended, as far as it does not depend on which: "NLopt", "--minimise needs", "a design". */
static inline withy_status wy_search_point_ended(const wy_search_point *x, wy_search_end end,
                                                 const char *library, const char *needs,
                                                 const char *what, withy_error *err) {
    switch (end) {
    case WY_SEARCH_MISSING:
        return wy_unsupported(
            err, "this build has no %s, which %s; install it (make setup) and build again", library,
            needs);
    case WY_SEARCH_MEMORY: return wy_no_memory(err, "no memory for %s", what);
    case WY_SEARCH_NOWHERE:
    case WY_SEARCH_STOPPED: return wy_search_point_error(x, err);
    default: return WITHY_OK;
    }
}
