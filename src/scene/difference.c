/* difference.c - see difference.h.  The solutions of one gradient are shared by threads. */
#include "scene/difference.h"

#include <math.h>
#include <string.h>

#include "base/crew.h"

static const double LEAST = 1e-4; /* relative step */
/* Steps that are tried with care, times the least, and how far the differences of a step may disagree. */
enum { LEVELS = 4, SIDES = 4 };
static const double longer[LEVELS] = {1, 10, 100, 400}, agree[LEVELS] = {0.05, 0.25, 0.25, 0.25};
static const double SMOOTH = 0.02; /* central differences that agree so well are extrapolated */
static const double FLAT = 1e-13;  /* of the numbers: no difference at all */

double wy_difference_step(const withy_fit_free *f, double p, double relative) {
    const double range = isfinite(f->high - f->low) ? 1e-3 * (f->high - f->low) : 1e-3;
    const double step = relative * wy_max(fabs(p), range);
    return wy_min(step, wy_min(p - f->low, f->high - p) / 2.5); /* within the bounds */
}

/* One solution each, of parameter `of[i / sides]` moved by part[i % sides] of its step. */
typedef struct jobs {
    const wy_difference *x;
    const double *p;
    const int *of; /* [jobs / sides]; -1: where it is */
    const double *part;
    int sides, rows;
    const double *step;   /* [count] */
    double *value;        /* [jobs][rows] */
    withy_status *status; /* [jobs] */
    withy_error *err;     /* [jobs] */
} jobs;

static void solve_one(void *context, int i) {
    jobs *d = context;
    double q[WITHY_FIT_MOST];
    const int k = d->of[i / d->sides];
    memcpy(q, d->p, (size_t)d->x->reader->count * sizeof *q);
    if (k >= 0) q[k] += d->part[i % d->sides] * d->step[k];
    d->status[i] =
        d->x->model(d->x->context, q, d->rows, &d->value[(size_t)i * (size_t)d->rows], &d->err[i]);
}

/* The first failure, if there is one. */
static withy_status solve_all(jobs *d, int count, withy_error *err) {
    const int threads = d->x->reader->threads;
    d->status = wy_take((size_t)count, sizeof *d->status);
    d->err = wy_take((size_t)count, sizeof *d->err);
    withy_status status =
        d->status && d->err ? WITHY_OK : wy_fail(err, WITHY_NO_MEMORY, "no memory for differences");
    if (status == WITHY_OK)
        wy_crew_run(threads > 0 ? threads : wy_crew_most(), count, solve_one, d);
    for (int i = 0; i < count && status == WITHY_OK; i++)
        if (d->status[i] != WITHY_OK) {
            status = d->status[i];
            if (err) *err = d->err[i];
        }
    wy_give(d->status), wy_give(d->err);
    return status;
}

/* ---- with the steps that are known --------------------------------------------------------------------- */

static withy_status find_plainly(wy_difference *x, const double *p, int rows, double *slope,
                                 withy_error *err) {
    static const double part[2] = {1, -1};
    const int n = x->reader->count;
    const size_t m = (size_t)rows;
    double step[WITHY_FIT_MOST];
    int of[WITHY_FIT_MOST];
    for (int k = 0; k < n; k++) {
        of[k] = k;
        step[k] = wy_difference_step(&x->reader->free[k], p[k],
                                     x->by[k].step > 0 ? x->by[k].step : LEAST);
    }
    jobs d = {x,    p,   of, part, 2, rows, step, wy_take(2 * (size_t)n * m, sizeof *d.value),
              NULL, NULL};
    withy_status status = d.value ? solve_all(&d, 2 * n, err)
                                  : wy_fail(err, WITHY_NO_MEMORY, "no memory for differences");
    for (int k = 0; k < n && status == WITHY_OK; k++) {
        const double *plus = &d.value[2 * (size_t)k * m], *minus = plus + m;
        for (size_t i = 0; i < m; i++)
            slope[i * (size_t)n + (size_t)k] = 0.5 / step[k] * (plus[i] - minus[i]);
    }
    wy_give(d.value);
    return status;
}

/* ---- with care ------------------------------------------------------------------------------------------- */

/* Numbers where a parameter is, and at +h, -h, +h/2, -h/2 of it. */
typedef struct around {
    const double *here, *at[SIDES];
    int rows;
    double h;
} around;

/* Derivative i from the step h / 2^half: side 0 central, 1 forwards, -1 backwards. */
static double quotient(const around *a, int side, int half, int i) {
    const double *plus = a->at[2 * half], *minus = a->at[2 * half + 1];
    const double h = half ? 0.5 * a->h : a->h;
    if (side == 0) return (plus[i] - minus[i]) / (2 * h);
    return side > 0 ? (plus[i] - a->here[i]) / h : (a->here[i] - minus[i]) / h;
}

/* By how much the quotients of h and h/2 disagree, over the larger of them; -1: both are nothing. */
static double disagreement(const around *a, int side) {
    double miss = 0, one = 0, two = 0, size = 0;
    for (int i = 0; i < a->rows; i++) {
        const double x = quotient(a, side, 0, i), y = quotient(a, side, 1, i);
        miss += (x - y) * (x - y), one += x * x, two += y * y;
        size += a->here[i] * a->here[i];
    }
    const double largest = sqrt(wy_max(one, two));
    if (!(largest * a->h > FLAT * sqrt(size))) return -1;
    return sqrt(miss) / largest;
}

/* The best of the three into column k; its disagreement, -1: the numbers do not change at all. */
static double choose(const around *a, int n, int k, double *slope) {
    static const int side[3] = {0, 1, -1};
    int best = -1;
    double least = INFINITY;
    for (int s = 0; s < 3; s++) { /* the central one where it is good enough */
        const double miss = disagreement(a, side[s]);
        if (miss < 0 || (best == 0 && least <= SMOOTH) || !(miss < least)) continue;
        least = miss, best = s;
    }
    for (int i = 0; i < a->rows; i++) {
        const double one = best < 0 ? 0 : quotient(a, side[best], 0, i);
        const double two = best < 0 ? 0 : quotient(a, side[best], 1, i);
        slope[(size_t)i * (size_t)n + (size_t)k] = best != 0         ? two
                                                   : least <= SMOOTH ? (4 * two - one) / 3
                                                                     : one;
    }
    return best < 0 ? -1 : least;
}

/* Parameters of[left] with steps of one level; those that are done leave the list. */
static withy_status try_level(wy_difference *x, const double *p, int rows, int level,
                              const double *here, int *of, int *left, double *slope,
                              withy_error *err) {
    static const double part[SIDES] = {1, -1, 0.5, -0.5};
    const int n = x->reader->count, count = *left;
    const size_t m = (size_t)rows;
    double step[WITHY_FIT_MOST];
    for (int k = 0; k < n; k++)
        step[k] = wy_difference_step(&x->reader->free[k], p[k], LEAST * longer[level]);
    jobs d = {x,     p,    of,   part,
              SIDES, rows, step, wy_take(SIDES * (size_t)count * m, sizeof *d.value),
              NULL,  NULL};
    withy_status status = d.value ? solve_all(&d, SIDES * count, err)
                                  : wy_fail(err, WITHY_NO_MEMORY, "no memory for differences");
    *left = 0;
    for (int c = 0; c < count && status == WITHY_OK; c++) {
        const int k = of[c];
        const double *first = &d.value[SIDES * (size_t)c * m];
        const around a = {here, {first, first + m, first + 2 * m, first + 3 * m}, rows, step[k]};
        const double miss = choose(&a, n, k, slope);
        const int flat = miss < 0;
        x->by[k] = (wy_difference_by){.step = LEAST * longer[level],
                                      .grain = level && !flat ? 0.5 * step[k] : 0,
                                      .miss = flat ? 0 : wy_min(miss, 1)};
        if (flat || miss > agree[level]) of[(*left)++] = k;
    }
    wy_give(d.value);
    return status;
}

static withy_status find_carefully(wy_difference *x, const double *p, int rows, double *slope,
                                   withy_error *err) {
    int of[WITHY_FIT_MOST], left = x->reader->count;
    double *here = wy_take((size_t)rows, sizeof *here);
    if (!here) return wy_fail(err, WITHY_NO_MEMORY, "no memory for differences");
    for (int k = 0; k < left; k++) of[k] = k;
    withy_status status = x->model(x->context, p, rows, here, err);
    for (int level = 0; level < LEVELS && left > 0 && status == WITHY_OK; level++)
        status = try_level(x, p, rows, level, here, of, &left, slope, err);
    for (int c = 0; c < left; c++) /* no step gives one */
        if (x->by[of[c]].miss > 0) x->by[of[c]].miss = 1;
    for (int k = 0; k < x->reader->count; k++) /* nothing changes with it */
        if (x->by[k].miss == 0 && x->by[k].grain == 0) x->by[k].step = 0;
    wy_give(here);
    return status;
}

withy_status wy_difference_find(wy_difference *x, int careful, const double *p, int rows,
                                double *slope, withy_error *err) {
    return careful ? find_carefully(x, p, rows, slope, err) : find_plainly(x, p, rows, slope, err);
}
