/* free.h - parameters that a search varies: what fit.c and minimise.c share. */
#pragma once

#include <math.h>

#include "base/base.h"
#include "withy/fit.h"

static inline double wy_free_scale(const withy_fit_free *f, double p) { /* z = p, or ln p */
    return f->log ? log(p) : p;
}

/* dp/dz, and p = p(z). */
static inline double wy_free_at(const withy_fit_free *f, double z, double *slope) {
    const double p = f->log ? exp(z) : z;
    *slope = f->log ? p : 1;
    return p;
}

/* Its start and its scale; `what` is searching: "the fit". */
static inline withy_status wy_free_check(const withy_fit_free *f, const char *what,
                                         withy_error *err) {
    if (!(f->value >= f->low && f->value <= f->high))
        return wy_fail(err, WITHY_BAD_INPUT, "%s = %g: %s starts outside its range %g .. %g",
                       f->name, f->value, what, f->low, f->high);
    if (f->log && !(f->low > 0))
        return wy_fail(err, WITHY_BAD_INPUT,
                       "%s: %g .. %g: a logarithmic range begins above 0; leave :log out", f->name,
                       f->low, f->high);
    return WITHY_OK;
}
