/* fit.c - bounded least squares: change of variables, windows, standard errors, identifiability.
 *
 * A parameter p is varied by u:   z = p, or z = ln p;   z = m + w sin u between two bounds, else z = u.
 * At the minimum, with J = d(r/sigma)/dz, D the lengths of its columns and B = J D^-1,
 *
 *   covariance of z = D^-1 (B^T B)^-1 D^-1,    condition = sqrt of the largest over the least eigenvalue of B^T B.
 *
 * With Q an orthonormal basis of the columns of J, |Q^T r| is the step of Gauss and Newton in standard errors of r = 1: what is
 * left of it at the end tells, whatever the search says of itself, how far the optimum is.
 */

#include "numeric/eigen/eigen.h"
#include "numeric/search/search.h"
#include "study/fit/fit.h"

static const double TOL = 1e-10;
enum { RUNS = 200, AGAIN = 4 };
static const double LOST = 1e-14;   /* of an eigenvalue over the largest: rounding */
static const double EDGE = 1e-6;    /* of the range: room for differences within it */
static const double BOUND = 1e-5;   /* of the range: on the bound */
static const double AWAY = 0.1;     /* standard errors from the optimum: not converged */
static const double EXACT = 1e-7;   /* of the data: a misfit below it is no noise */
static const double AT_REST = 1e-9; /* of u, about a radian in all: not moved */

withy_fit_setup withy_fit_default(void) {
    return (withy_fit_setup){.size = sizeof(withy_fit_setup)};
}

typedef struct fit {
    const withy_fit_setup *setup;
    int rows; /* of the window */
    wy_search_point trial;
    double best[WITHY_FIT_MOST]; /* u with the least sum of the window, or where it starts */
    double sum;                  /* there; INFINITY: not known */
    int again;                   /* 1: only the last window */
} fit;

/* ---- variables ------------------------------------------------------------------------------------ */

static int boxed(const withy_fit_free *f) {
    return isfinite(f->low) && isfinite(f->high);
}
static double to_u(const withy_fit_free *f, double p) {
    if (!boxed(f)) return wy_free_parameter_scale(f, p);
    const double a = wy_free_parameter_scale(f, f->low), b = wy_free_parameter_scale(f, f->high);
    const double x = (2 * wy_free_parameter_scale(f, p) - a - b) / (b - a);
    return asin(fmax(-1 + 1e-4, fmin(1 - 1e-4, x))); /* off the bounds, where sin has no slope */
}
static double to_p(const withy_fit_free *f, double u, double *slope) {
    double z = u, dz = 1;
    if (boxed(f)) {
        const double a = wy_free_parameter_scale(f, f->low),
                     b = wy_free_parameter_scale(f, f->high);
        const double half = 0.5 * (1 - EDGE) * (b - a);
        z = 0.5 * (a + b) + half * sin(u), dz = half * cos(u);
    }
    const double p = wy_free_parameter_at(f, z, slope);
    *slope *= dz; /* dp/du */
    return p;
}

static double sigma_of(const withy_fit_setup *setup, int i) {
    return setup->sigma ? setup->sigma[i] : 1.0;
}

/* Row i of the residuals, of their derivatives by u, or of both; are they numbers? */
static int weigh(const fit *x, int i, double *r, double *jac) {
    const withy_fit_setup *setup = x->setup;
    const double per = 1 / sigma_of(setup, i);
    double *row = jac ? &jac[(size_t)i * (size_t)setup->count] : NULL;
    if (r) r[i] = (r[i] - setup->data[i]) * per;
    int good = !r || isfinite(r[i]);
    for (int k = 0; k < setup->count && row; k++) {
        row[k] *= x->trial.by[k] * per;
        good = good && isfinite(row[k]);
    }
    return good;
}

static void keep_best(fit *x, const double *u, const double *r) {
    double sum = 0;
    for (int i = 0; i < x->rows; i++) sum += r[i] * r[i];
    if (!(sum < x->sum)) return;
    x->sum = sum;
    memcpy(x->best, u, (size_t)x->setup->count * sizeof *u);
}

static int evaluate(void *context, const double *u, double *r, double *jac) {
    fit *x = context;
    withy_error err = {0};
    wy_search_point_at(&x->trial, x->setup->free, x->setup->count, u, to_p);
    withy_status status = x->setup->model(x->setup->context, x->trial.p, x->rows, r, jac, &err);
    for (int i = 0; i < x->rows && status == WITHY_OK; i++)
        if (!weigh(x, i, r, jac))
            status = wy_no_convergence(
                &err, "number %d of the model, or a derivative of it, is not finite", i + 1);
    if (r && status == WITHY_OK) keep_best(x, u, r);
    return wy_search_point_end(&x->trial, status, &err);
}

/* ---- checks ---------------------------------------------------------------------------------------- */

static withy_status check_free(const withy_fit_free *f, withy_error *err) {
    if (!(f->low < f->high))
        return wy_bad_input(err, "%s: its range is empty: %g .. %g", f->name, f->low, f->high);
    return wy_free_parameter_check(f, "the fit", err);
}

static withy_status check(const withy_fit_setup *setup, withy_error *err) {
    if (setup->size != sizeof *setup)
        return wy_bad_input(err, "withy_fit: begin with withy_fit_default()");
    if (!setup->model || !setup->free || !setup->data || setup->count < 1 ||
        setup->count > WITHY_FIT_MOST)
        return wy_bad_input(err, "withy_fit: needs a model, data and 1 .. %d free parameters",
                            WITHY_FIT_MOST);
    if (setup->rows < setup->count)
        return wy_bad_input(
            err, "%d numbers of data do not determine %d parameters: at least as many are needed",
            setup->rows, setup->count);
    for (int k = 0; k < setup->count; k++) WY_TRY(check_free(&setup->free[k], err));
    for (int i = 0; i < setup->rows; i++)
        if (!isfinite(setup->data[i]) || !(sigma_of(setup, i) > 0))
            return wy_bad_input(err,
                                "number %d of the data is %g with a standard deviation of %g: it "
                                "must be finite, and the deviation positive",
                                i + 1, setup->data[i], sigma_of(setup, i));
    return WITHY_OK;
}

/* ---- statistics ------------------------------------------------------------------------------------ */

/* Work of the statistics: B^T B, its eigenvectors and eigenvalues, the lengths of the columns. */
typedef struct spectrum {
    double *a, *vector, *value, *size;
} spectrum;

static void scaled_squares(const double *jac, int rows, int n, spectrum *s) {
    for (int k = 0; k < n; k++) {
        double sum = 0;
        for (int i = 0; i < rows; i++) sum += jac[i * n + k] * jac[i * n + k];
        s->size[k] = sqrt(sum);
    }
    for (int k = 0; k < n; k++)
        for (int c = 0; c < n; c++) {
            double sum = 0;
            for (int i = 0; i < rows; i++) sum += jac[i * n + k] * jac[i * n + c];
            const double of = s->size[k] * s->size[c];
            s->a[k * n + c] = of > 0 ? sum / of : 0.0;
        }
}

/* Covariance of (k, c) in z; lost directions are left out. */
static double covariance(const spectrum *s, int n, int k, int c) {
    double sum = 0;
    for (int e = 0; e < n; e++)
        if (s->value[e] > LOST * s->value[n - 1])
            sum += s->vector[k * n + e] * s->vector[c * n + e] / s->value[e];
    return sum / (s->size[k] * s->size[c]);
}

/* Does a lost direction contain the parameter? */
static int lost(const spectrum *s, int n, int k) {
    int is = !(s->size[k] > 0);
    for (int e = 0; e < n; e++)
        is |= !(s->value[e] > LOST * s->value[n - 1]) && fabs(s->vector[k * n + e]) > 1e-3;
    return is;
}

static void describe(const withy_fit_setup *setup, const spectrum *s, withy_fit_result *out) {
    const int n = setup->count;
    double length = 0;
    for (int k = 0; k < n; k++) {
        const double part = s->size[k] > 0 ? s->vector[k * n] / s->size[k] : 1;
        out->value[k].null = part, length += part * part;
    }
    for (int k = 0; k < n; k++) {
        withy_fit_value *v = &out->value[k];
        const withy_fit_free *f = &setup->free[k];
        const double deviation =
            lost(s, n, k) ? INFINITY : out->scatter * sqrt(covariance(s, n, k, k));
        v->null /= sqrt(length);
        v->error = f->log ? v->value * deviation : deviation;
        wy_free_parameter_interval(f, deviation, v);
        const double a = wy_free_parameter_scale(f, f->low),
                     b = wy_free_parameter_scale(f, f->high),
                     z = wy_free_parameter_scale(f, v->value);
        if (boxed(f)) v->bound = z - a < BOUND * (b - a) ? -1 : b - z < BOUND * (b - a);
    }
    for (int k = 0; k < n; k++)
        for (int c = 0; c < n; c++) {
            const double of = covariance(s, n, k, k) * covariance(s, n, c, c);
            out->correlation[k * n + c] = k == c   ? 1
                                          : of > 0 ? covariance(s, n, k, c) / sqrt(of)
                                                   : 0;
        }
    out->least = s->value[n - 1] > 0 ? sqrt(fmax(s->value[0], 0) / s->value[n - 1]) : 0;
    out->condition = s->value[0] > LOST * s->value[n - 1] ? 1 / out->least : INFINITY;
}

/* |Q^T r|: of the columns of parameters that are free to move; `jac` is lost. */
static double left_over(double *jac, const double *r, int rows, int n,
                        const withy_fit_result *out) {
    static const double KEPT = 1e-6; /* of a column: less is rounding */
    double square = 0;
    for (int k = 0; k < n; k++) {
        double first = 0, length = 0, along = 0;
        for (int i = 0; i < rows; i++) first += jac[i * n + k] * jac[i * n + k];
        for (int c = 0; c < 2 * k; c++) { /* twice: the second time removes the rounding */
            double dot = 0;
            for (int i = 0; i < rows; i++) dot += jac[i * n + k] * jac[i * n + c % k];
            for (int i = 0; i < rows; i++) jac[i * n + k] -= dot * jac[i * n + c % k];
        }
        for (int i = 0; i < rows; i++) length += jac[i * n + k] * jac[i * n + k];
        const int kept = !out->value[k].bound && length > KEPT * KEPT * first;
        const double per = kept ? 1 / sqrt(length) : 0;
        for (int i = 0; i < rows; i++) jac[i * n + k] *= per, along += jac[i * n + k] * r[i];
        square += along * along;
    }
    return sqrt(square);
}

/* How far is the optimum, and did the search come from anywhere else? */
static void find_end(const fit *x, const double *u, const double *r, double *jac,
                     withy_fit_result *out) {
    const withy_fit_setup *setup = x->setup;
    double size = 0;
    for (int i = 0; i < setup->rows; i++) size += pow(setup->data[i] / sigma_of(setup, i), 2);
    const double noise = isfinite(out->scatter) ? out->scatter : 0;
    const double unit = fmax(noise, EXACT * sqrt(size / setup->rows));
    out->away = unit > 0 ? left_over(jac, r, setup->rows, setup->count, out) / unit : 0;
    out->converged = out->converged && out->away <= AWAY;
    for (int k = 0; k < setup->count; k++)
        out->moved |= fabs(u[k] - to_u(&setup->free[k], setup->free[k].value)) > AT_REST;
}

static withy_status judge(fit *x, const double *u, withy_fit_result *out, withy_error *err) {
    const withy_fit_setup *setup = x->setup;
    const int n = setup->count, rows = setup->rows;
    const size_t m = (size_t)rows, c = (size_t)n;
    double *all = wy_alloc(m + m * c + 2 * c * c + 2 * c, sizeof *all);
    if (!all) return wy_no_memory(err, "no memory for the statistics of a fit");
    double *r = all, *jac = r + m;
    spectrum s = {jac + m * c, jac + m * c + c * c, jac + m * c + 2 * c * c,
                  jac + m * c + 2 * c * c + c};
    withy_status status = WITHY_OK;
    if (evaluate(x, u, r, NULL) || evaluate(x, u, NULL, jac)) {
        status = wy_search_point_error(&x->trial, err);
    } else {
        out->runs++, out->jacobians++;
        for (int i = 0; i < rows; i++) out->sum += r[i] * r[i];
        for (int k = 0; k < n; k++) {
            double slope, unit;
            out->value[k].value = to_p(&setup->free[k], u[k], &slope);
            unit = setup->free[k].log ? out->value[k].value : 1;
            for (int i = 0; i < rows; i++) /* by z instead of u */
                jac[i * n + k] *= slope != 0 ? unit / slope : 0;
        }
        out->scatter = setup->sigma ? 1.0 : rows > n ? sqrt(out->sum / (rows - n)) : INFINITY;
        scaled_squares(jac, rows, n, &s);
        wy_symmetric_eigen(n, s.a, s.value, s.vector);
        describe(setup, &s, out);
        find_end(x, u, r, jac, out);
    }
    wy_free(all);
    return status;
}

/* ---- the fit ---------------------------------------------------------------------------------------- */

/* What there is when it is interrupted. */
static void keep_unfinished(const fit *x, withy_fit_result *out) {
    out->sum = x->sum, out->scatter = out->condition = out->away = INFINITY, out->moved = 1;
    for (int k = 0; k < out->count; k++) {
        double slope;
        withy_fit_value *v = &out->value[k];
        v->value = to_p(&x->setup->free[k], x->best[k], &slope);
        v->error = v->high = INFINITY, v->low = -INFINITY;
    }
}

/* sin has no slope at the bounds, so that a search may end on one from which the misfit falls: such parameters are moved inside,
 * and the search continues; 0: there are none. */
static int leave_bounds(fit *x, double *u, withy_fit_result *out) {
    static const double ON = 1e-3, INSIDE = 0.1; /* of u from where sin is 1 */
    const int n = x->setup->count;
    int near = 0, left = 0;
    for (int k = 0; k < n; k++) near |= boxed(&x->setup->free[k]) && fabs(cos(u[k])) < sqrt(2 * ON);
    double *r = near ? wy_alloc((size_t)x->rows * (size_t)(n + 1), sizeof *r) : NULL;
    if (!r) return 0;
    double *jac = r + x->rows;
    const int known = !evaluate(x, u, r, NULL) && !evaluate(x, u, NULL, jac);
    out->runs++, out->jacobians++;
    for (int k = 0; k < n && known; k++) {
        double fall = 0; /* of the misfit with p, times dp/du */
        if (!boxed(&x->setup->free[k]) || !(fabs(cos(u[k])) < sqrt(2 * ON))) continue;
        for (int i = 0; i < x->rows; i++) fall -= r[i] * jac[i * n + k];
        const double side = sin(u[k]) > 0 ? 1 : -1; /* of the range */
        if (!(fall * side * (x->trial.by[k] > 0 ? 1 : -1) < 0)) continue;
        u[k] = side * (0.5 * WY_PI - INSIDE), left = 1;
    }
    wy_free(r);
    return left;
}

static withy_status go(fit *x, double *u, withy_fit_result *out, withy_error *err) {
    const withy_fit_setup *setup = x->setup;
    const int whole = setup->rows, windows = setup->window ? setup->windows : 1;
    for (int i = x->again ? windows - 1 : 0; i < windows; i++) {
        x->rows = setup->window ? setup->window[i] : whole;
        if (x->rows < setup->count) continue;
        const double tol = setup->tol > 0 ? setup->tol : TOL;
        wy_least least = {.model = evaluate,
                          .context = x,
                          .rows = x->rows,
                          .count = setup->count,
                          .tol = i + 1 < windows ? 1e-4 : tol,
                          .most = setup->most ? setup->most : RUNS};
        memcpy(x->best, u, (size_t)setup->count * sizeof *u), x->sum = INFINITY;
        wy_search_end end = wy_least_squares(&least, u);
        out->runs += least.runs, out->jacobians += least.jacobians;
        for (int again = 0; again < AGAIN && end == WY_SEARCH_DONE; again++) {
            const double sum = x->sum;
            double from[WITHY_FIT_MOST];
            memcpy(from, u, (size_t)setup->count * sizeof *u);
            if (!leave_bounds(x, u, out)) break;
            least.runs = least.jacobians = 0;
            end = wy_least_squares(&least, u);
            out->runs += least.runs, out->jacobians += least.jacobians;
            if (x->sum < sum) continue;
            memcpy(u, from, (size_t)setup->count * sizeof *u); /* it was better there */
            break;
        }
        out->converged = end == WY_SEARCH_DONE;
        WY_TRY(wy_search_point_ended(&x->trial, end, "cminpack", "fits need", "a fit", err));
    }
    x->rows = whole;
    return judge(x, u, out, err);
}

withy_status withy_fit(const withy_fit_setup *setup, withy_fit_result *result, withy_error *err) {
    double u[WITHY_FIT_MOST];
    WY_NEED(setup, result);
    *result = (withy_fit_result){0};
    WY_TRY(check(setup, err));
    fit x = {.setup = setup};
    result->count = setup->count;
    result->correlation =
        wy_alloc((size_t)setup->count * (size_t)setup->count, sizeof *result->correlation);
    if (!result->correlation) return wy_no_memory(err, "no memory for a fit");
    for (int k = 0; k < setup->count; k++) u[k] = to_u(&setup->free[k], setup->free[k].value);
    withy_status status = go(&x, u, result, err);
    for (int again = 0; again < AGAIN && status == WITHY_OK && result->away > AWAY; again++) {
        const double sum = result->sum; /* it ended on a slope: with new scales it continues */
        result->sum = 0, result->moved = 0, x.again = 1;
        for (int k = 0; k < setup->count; k++) result->value[k] = (withy_fit_value){0};
        status = go(&x, u, result, err);
        if (!(result->sum < 0.999 * sum)) break;
    }
    if (status == WITHY_INTERRUPTED) keep_unfinished(&x, result);
    return status;
}

void withy_fit_free_result(withy_fit_result *result) {
    if (!result) return;
    wy_free(result->correlation);
    result->correlation = NULL;
}
