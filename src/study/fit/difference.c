/* difference.c - see fit.h.  The solutions of one gradient are shared by threads. */
#include "study/fit/fit.h"

#include "base/thread_pool.h"

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

/* ---- solutions around a set ------------------------------------------------------------------------------ */

/* A solution with one parameter moved. */
typedef struct wy_difference_point {
    struct wy_difference_point *next;
    int k;
    double to;     /* its value */
    double *value; /* [rows] */
    int known;
    withy_status status;
    withy_error err;
} point;

static void begin(wy_difference *x, const double *p, int rows) {
    const size_t size = (size_t)x->count * sizeof *p;
    if (x->rows == rows && memcmp(x->p, p, size) == 0) return;
    wy_difference_free(x);
    memcpy(x->p, p, size), x->rows = rows;
}

void wy_difference_free(wy_difference *x) {
    wy_arena_free(&x->memory);
    x->point = NULL, x->rows = 0;
}

/* Parameter k moved by `step`; NULL: no memory. */
static point *ask(wy_difference *x, int k, double step) {
    const double to = x->p[k] + step;
    for (point *at = x->point; at; at = at->next)
        if (at->k == k && at->to == to) return at;
    wy_allocator from = {.arena = &x->memory};
    point *at = wy_allocator_alloc(&from, 1, sizeof *at);
    double *value = wy_allocator_alloc(&from, (size_t)x->rows, sizeof *value);
    if (from.failed) return NULL;
    *at = (point){.next = x->point, .k = k, .to = to, .value = value};
    return x->point = at;
}

typedef struct jobs {
    const wy_difference *x;
    point **at;
} jobs;

static void solve_one(void *context, int i) {
    const jobs *d = context;
    point *at = d->at[i];
    double q[WITHY_FIT_MOST];
    memcpy(q, d->x->p, (size_t)d->x->count * sizeof *q);
    q[at->k] = at->to;
    at->status = d->x->model(d->x->context, q, d->x->rows, at->value, &at->err);
}

/* Those that are not known yet, in threads; the first failure, if there is one. */
static withy_status solve_all(wy_difference *x, point *const *requested, int count,
                              withy_error *err) {
    jobs d = {x, wy_alloc((size_t)count, sizeof *d.at)};
    withy_status status = WITHY_OK;
    int left = 0, failed = !d.at;
    for (int i = 0; i < count; i++) failed |= !requested[i];
    for (int i = 0; i < count && !failed; i++)
        if (!requested[i]->known) requested[i]->known = 1, d.at[left++] = requested[i];
    if (failed)
        status = wy_no_memory(err, "no memory for differences");
    else
        wy_threads_run(x->threads > 0 ? x->threads : wy_threads_available(), left, solve_one, &d);
    for (int i = 0; i < left; i++) {
        d.at[i]->known = d.at[i]->status == WITHY_OK;
        if (d.at[i]->known || status != WITHY_OK) continue;
        status = d.at[i]->status;
        if (err) *err = d.at[i]->err;
    }
    wy_free(d.at);
    return status;
}

static withy_status find_plainly(wy_difference *x, double *slope, withy_error *err) {
    const int n = x->count;
    double step[WITHY_FIT_MOST];
    point *requested[2 * WITHY_FIT_MOST] = {NULL};
    for (int k = 0; k < n; k++) {
        step[k] =
            wy_difference_step(&x->free[k], x->p[k], x->by[k].step > 0 ? x->by[k].step : LEAST);
        requested[2 * k] = ask(x, k, step[k]), requested[2 * k + 1] = ask(x, k, -step[k]);
    }
    WY_TRY(solve_all(x, requested, 2 * n, err));
    for (int k = 0; k < n; k++)
        for (int i = 0; i < x->rows; i++)
            slope[(size_t)i * (size_t)n + (size_t)k] =
                0.5 / step[k] * (requested[2 * k]->value[i] - requested[2 * k + 1]->value[i]);
    return WITHY_OK;
}

/* ---- with care ------------------------------------------------------------------------------------------- */

/* Numbers where a parameter is, and at +h, -h, +h/2, -h/2 of it. */
typedef struct stencil {
    const double *here, *at[SIDES];
    int rows;
    double h;
} stencil;

/* Derivative i from the step h / 2^half: side 0 central, 1 forwards, -1 backwards. */
static double quotient(const stencil *a, int side, int half, int i) {
    const double *plus = a->at[2 * half], *minus = a->at[2 * half + 1];
    const double h = half ? 0.5 * a->h : a->h;
    if (side == 0) return (plus[i] - minus[i]) / (2 * h);
    return side > 0 ? (plus[i] - a->here[i]) / h : (a->here[i] - minus[i]) / h;
}

/* By how much the quotients of h and h/2 disagree, over the larger of them; -1: both are nothing. */
static double disagreement(const stencil *a, int side) {
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
static double choose(const stencil *a, int n, int k, double *slope) {
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
static withy_status try_level(wy_difference *x, int level, const double *here, int *of, int *left,
                              double *slope, withy_error *err) {
    static const double part[SIDES] = {1, -1, 0.5, -0.5};
    const int n = x->count, count = *left;
    double step[WITHY_FIT_MOST];
    point *requested[SIDES * WITHY_FIT_MOST] = {NULL};
    for (int c = 0; c < count; c++) {
        step[c] = wy_difference_step(&x->free[of[c]], x->p[of[c]], LEAST * longer[level]);
        for (int i = 0; i < SIDES; i++) requested[SIDES * c + i] = ask(x, of[c], part[i] * step[c]);
    }
    WY_TRY(solve_all(x, requested, SIDES * count, err));
    *left = 0;
    for (int c = 0; c < count; c++) {
        const int k = of[c];
        point *const *at = &requested[SIDES * c];
        const stencil a = {
            here, {at[0]->value, at[1]->value, at[2]->value, at[3]->value}, x->rows, step[c]};
        const double miss = choose(&a, n, k, slope);
        const int flat = miss < 0;
        x->by[k] = (wy_difference_by){.step = LEAST * longer[level],
                                      .grain = level && !flat ? 0.5 * step[c] : 0,
                                      .miss = flat ? 0 : wy_min(miss, 1)};
        if (flat || miss > agree[level]) of[(*left)++] = k;
    }
    return WITHY_OK;
}

static withy_status find_carefully(wy_difference *x, const double *here, double *slope,
                                   withy_error *err) {
    int of[WITHY_FIT_MOST], left = x->count;
    withy_status status = WITHY_OK;
    for (int k = 0; k < left; k++) of[k] = k;
    for (int level = 0; level < LEVELS && left > 0 && status == WITHY_OK; level++)
        status = try_level(x, level, here, of, &left, slope, err);
    for (int c = 0; c < left; c++) /* no step gives one */
        if (x->by[of[c]].miss > 0) x->by[of[c]].miss = 1;
    for (int k = 0; k < x->count; k++) /* nothing changes with it */
        if (x->by[k].miss == 0 && x->by[k].grain == 0) x->by[k].step = 0;
    return status;
}

withy_status wy_difference_find(wy_difference *x, int careful, const double *p, const double *here,
                                int rows, double *slope, withy_error *err) {
    begin(x, p, rows);
    return careful ? find_carefully(x, here, slope, err) : find_plainly(x, slope, err);
}
