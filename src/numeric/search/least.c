/* least.c - the interface to cminpack (lmder).  A point at which the model has no value counts as one with a very
 * large sum of squares, so that the step to it is rejected and a shorter one is tried.
 *
 * lmder takes the length of x for the scale of its first step and of its last: near x = 0, which is the middle of a
 * range, it would end where it starts.  It is given y = 1 + (x - start), so that both scales are 1 wherever that is. */
#include "numeric/search/search.h"

#ifdef WITHY_HAVE_LIB_CMINPACK

#include <cminpack.h>
#include <math.h>
#include <stddef.h>

#include "base/base.h"

static const double WORSE = 1e3; /* times the first residuals: a point without a value */

typedef struct work {
    wy_least *least;
    double *jac;   /* [rows][count] */
    double *start; /* [count] */
    double *x;     /* [count] where the model is asked */
    double worst;
    int begun, failed;
} work;

static int residuals(work *w, double *r) {
    wy_least *least = w->least;
    least->runs++;
    const int failed = least->model(least->context, w->x, r, NULL);
    if (failed == 2) w->failed = WY_SEARCH_STOPPED;
    if (failed && !w->begun) w->failed = WY_SEARCH_NOWHERE;
    if (w->failed) return -1;
    double most = 0;
    for (int i = 0; i < least->rows; i++) {
        if (failed) r[i] = w->worst;
        most = fmax(most, fabs(r[i]));
    }
    if (!w->begun) w->worst = WORSE * (most > 0 ? most : 1), w->begun = 1;
    return 0;
}

static void place(const work *w, const double *y, double *x) {
    for (int k = 0; k < w->least->count; k++) x[k] = w->start[k] + (y[k] - 1);
}

static int call(void *context, int rows, int count, const double *y, double *r, double *jac, int ld,
                int flag) {
    work *w = context;
    place(w, y, w->x);
    if (flag == 1) return residuals(w, r);
    w->least->jacobians++;
    const int failed = w->least->model(w->least->context, w->x, NULL, w->jac);
    if (failed) w->failed = failed == 2 ? WY_SEARCH_STOPPED : WY_SEARCH_NOWHERE;
    if (failed) return -1;
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < count; k++)
            jac[i + (ptrdiff_t)ld * k] = w->jac[(ptrdiff_t)i * count + k];
    return 0;
}

wy_search_end wy_least_squares(wy_least *least, double *x) {
    const size_t m = (size_t)least->rows, n = (size_t)least->count;
    double *all = wy_alloc(2 * m + 2 * m * n + 8 * n, sizeof *all);
    int *pivot = wy_alloc(n, sizeof *pivot);
    wy_search_end end = WY_SEARCH_MEMORY;
    if (all && pivot) {
        double *r = all, *fjac = r + m, *four = fjac + m * n, *jac = four + m, *rest = jac + m * n;
        double *y = rest + 5 * n;
        work w = {.least = least, .jac = jac, .start = rest + 6 * n, .x = rest + 7 * n};
        for (size_t k = 0; k < n; k++) w.start[k] = x[k], y[k] = 1;
        int runs, jacobians;
        const int info =
            lmder(call, &w, least->rows, least->count, y, r, fjac, least->rows, least->tol,
                  least->tol, 0, least->most, rest, 1, 1.0, 0, &runs, &jacobians, pivot, rest + n,
                  rest + 2 * n, rest + 3 * n, rest + 4 * n, four);
        place(&w, y, x);
        end = w.failed ? (wy_search_end)w.failed : info == 5 ? WY_SEARCH_SLOW : WY_SEARCH_DONE;
    }
    wy_free(all);
    wy_free(pivot);
    return end;
}
#endif
