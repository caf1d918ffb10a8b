/* error_bar.c - see compare.h. */
#include "study/compare/compare.h"

static const double TRUSTED = 1.4142135623730951, MOST = 4.0; /* of a ratio */
static const double UNTRUSTED = 3.0;                          /* times the larger difference */
static const double MARGIN = 1.5;                             /* of the coarsest run */
static const double SAFETY = 3.0; /* times what the sum foretells (GCI, order not known) */

double wy_error_bar_ratio(double coarse, double fine, double least, int order) {
    const double most = order > 0 ? ldexp(1.0, order) : INFINITY;
    if (!(coarse > least)) return most; /* both are rounding */
    return fmin(most, coarse / fmax(fine, least));
}

int wy_error_bar_trusted(double ratio) {
    return ratio >= TRUSTED;
}

/* The given run and one that is finer have the number: no order, but a difference. */
static double bar_of_two(int which, double fine) {
    return which == WY_ERROR_BAR_MIDDLE && !isnan(fine) ? UNTRUSTED * fine : INFINITY;
}

double wy_error_bar(int which, double coarse, double fine, double ratio) {
    if (isnan(coarse) || isnan(fine)) return bar_of_two(which, fine);
    if (!wy_error_bar_trusted(ratio)) return UNTRUSTED * fmax(coarse, fine);
    const double likely = isfinite(ratio) ? fmax(fine, coarse / ratio) : fine;
    /* it may fall less than its group does */
    const double own = coarse / likely, r = fmin(fmin(ratio, own), MOST);
    if (!wy_error_bar_trusted(own)) return UNTRUSTED * fmax(coarse, fine);
    const double rest = fmin(SAFETY / (r - 1), UNTRUSTED * r); /* no more than without trust */
    if (which == WY_ERROR_BAR_FINEST) return likely * rest;
    if (which == WY_ERROR_BAR_MIDDLE) return likely * (1 + rest);
    return fmax(coarse, r * fine) * MARGIN * r / (r - 1);
}

void wy_error_bar_window(const double *x, int count, int before, int after, double *largest) {
    int at = -1; /* of the largest so far; looked for again when it leaves the window */
    for (int k = 0; k < count; k++) {
        const int from = k > before ? k - before : 0;
        const int to = k + after < count ? k + after : count - 1;
        if (at >= from && x[to] >= x[at]) at = to;
        if (at < from)
            for (int i = at = from; i <= to; i++)
                if (x[i] > x[at]) at = i;
        largest[k] = x[at];
    }
}
