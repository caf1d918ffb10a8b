/* pair.c - two results at their common times and places, and their distance over time. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "plot/pair.h"

__attribute__((format(printf, 3, 4))) static withy_status fail(withy_error *err, withy_status code,
                                                               const char *format, ...) {
    va_list list;
    va_start(list, format);
    err->code = code;
    vsnprintf(err->text, sizeof err->text, format, list);
    va_end(list);
    return code;
}

/* Two numbers are the same place or moment when they agree to a billionth of the whole. */
static int same(double a, double b, double whole) {
    return fabs(a - b) <= 1e-9 * whole;
}

/* ---- times ------------------------------------------------------------------------------------- */

static double *times_of(withy_result *result, withy_error *err) {
    const int64_t count = withy_result_count(result);
    double *t = calloc((size_t)count + 1, sizeof *t);
    if (!t) fail(err, WITHY_NO_MEMORY, "memory ran out");
    if (t && withy_result_times(result, t, err) != WITHY_OK) free(t), t = NULL;
    return t;
}

static double span_of(const double *t, int64_t count) {
    double most = 0;
    for (int64_t k = 0; k < count; k++) most = fmax(most, fabs(t[k]));
    return most;
}

/* The next snapshot of b at the time of each of a: a path may turn back, so the order counts. */
static void match_times(plot_pair *x, const double *a, const double *b) {
    const int64_t in_a = withy_result_count(x->a), in_b = withy_result_count(x->b);
    const double whole = fmax(span_of(a, in_a), span_of(b, in_b));
    int64_t next = 0;
    for (int64_t k = 0; k < in_a; k++)
        for (int64_t j = next; j < in_b; j++) {
            if (!same(a[k], b[j], whole)) continue;
            x->t[x->count] = a[k], x->at[0][x->count] = k, x->at[1][x->count] = j, x->count++;
            next = j + 1;
            break;
        }
}

static withy_status find_times(plot_pair *x, withy_error *err) {
    const size_t most = (size_t)withy_result_count(x->a) + 1;
    double *a = times_of(x->a, err), *b = a ? times_of(x->b, err) : NULL;
    withy_status status = a && b ? WITHY_OK : err->code;
    x->t = calloc(most, sizeof *x->t);
    for (int i = 0; i < 2; i++) x->at[i] = calloc(most, sizeof *x->at[i]);
    if (status == WITHY_OK && !(x->t && x->at[0] && x->at[1]))
        status = fail(err, WITHY_NO_MEMORY, "memory ran out");
    if (status == WITHY_OK) match_times(x, a, b);
    if (status == WITHY_OK && x->count == 0)
        status =
            fail(err, WITHY_BAD_INPUT,
                 "%s and %s have no time in common (%g to %g, and %g to %g): run both with the "
                 "same time.output",
                 x->name[0], x->name[1], a[0], a[withy_result_count(x->a) - 1], b[0],
                 b[withy_result_count(x->b) - 1]);
    free(a);
    free(b);
    return status;
}

/* ---- places ------------------------------------------------------------------------------------ */

static withy_status find_places(plot_pair *x, int rod, withy_error *err) {
    plot_places *place = &x->rod[rod];
    withy_result_rod a, b;
    withy_result_rod_at(x->a, rod, &a);
    withy_result_rod_at(x->b, rod, &b);
    if (!same(a.length, b.length, a.length))
        return fail(err, WITHY_BAD_INPUT, "rod \"%s\" is %g m long in %s and %g m in %s", a.name,
                    a.length, x->name[0], b.length, x->name[1]);
    const withy_snapshot *one = withy_result_at(x->a, rod, 0, err);
    const withy_snapshot *two = one ? withy_result_at(x->b, rod, 0, err) : NULL;
    if (!two) return err->code;
    place->length = a.length;
    place->s = calloc((size_t)one->count, sizeof *place->s);
    for (int i = 0; i < 2; i++) place->at[i] = calloc((size_t)one->count, sizeof *place->at[i]);
    if (!(place->s && place->at[0] && place->at[1]))
        return fail(err, WITHY_NO_MEMORY, "memory ran out");
    for (int i = 0, next = 0; i < one->count; i++)
        for (int j = next; j < two->count; j++) {
            if (!same(one->s[i], two->s[j], a.length)) continue;
            place->s[place->count] = one->s[i];
            place->at[0][place->count] = i, place->at[1][place->count++] = j, next = j + 1;
            break;
        }
    if (place->count == 0)
        return fail(err, WITHY_BAD_INPUT,
                    "%s and %s have no place on rod \"%s\" in common: give time.stations",
                    x->name[0], x->name[1], a.name);
    return WITHY_OK;
}

/* ---- opening ----------------------------------------------------------------------------------- */

static withy_status check_alike(const plot_pair *x, withy_error *err) {
    const int rods = withy_result_rods(x->a), others = withy_result_rods(x->b);
    if (rods != others || rods == 0)
        return fail(err, WITHY_BAD_INPUT, "%s holds %d rods and %s holds %d: nothing to subtract",
                    x->name[0], rods, x->name[1], others);
    const char *axis = withy_result_text(x->a, "axis"), *other = withy_result_text(x->b, "axis");
    if (strcmp(axis, other) != 0)
        return fail(err, WITHY_BAD_INPUT,
                    "%s is over \"%s\" and %s over \"%s\": nothing to subtract", x->name[0], axis,
                    x->name[1], other);
    if (withy_result_count(x->a) == 0 || withy_result_count(x->b) == 0)
        return fail(err, WITHY_BAD_INPUT, "%s holds no snapshot",
                    x->name[withy_result_count(x->a) ? 1 : 0]);
    return WITHY_OK;
}

withy_status plot_pair_open(plot_pair *x, const char *a, const char *b, withy_error *err) {
    *x = (plot_pair){.name = {a, b}};
    withy_status status = withy_result_open(a, &x->a, err);
    if (status == WITHY_OK) status = withy_result_open(b, &x->b, err);
    if (status == WITHY_OK) status = check_alike(x, err);
    if (status == WITHY_OK) status = find_times(x, err);
    x->rods = status == WITHY_OK ? withy_result_rods(x->a) : 0;
    x->rod = calloc((size_t)x->rods + 1, sizeof *x->rod);
    if (!x->rod) return fail(err, WITHY_NO_MEMORY, "memory ran out");
    for (int rod = 0; rod < x->rods && status == WITHY_OK; rod++) status = find_places(x, rod, err);
    return status;
}

void plot_pair_close(plot_pair *x) {
    for (int rod = 0; x->rod && rod < x->rods; rod++) {
        free(x->rod[rod].s);
        for (int i = 0; i < 2; i++) free(x->rod[rod].at[i]);
    }
    free(x->rod);
    free(x->t);
    for (int i = 0; i < 2; i++) free(x->at[i]);
    withy_result_close(x->a);
    withy_result_close(x->b);
    *x = (plot_pair){0};
}

/* ---- differences ------------------------------------------------------------------------------- */

const double *plot_pair_values(plot_pair *x, int which, int rod, int64_t k, int i,
                               const withy_quantity *q, withy_error *err) {
    const withy_snapshot *snap = withy_result_at(which ? x->b : x->a, rod, x->at[which][k], err);
    if (!snap) return NULL;
    const double *value = (snap->have & q->have) == q->have
                              ? withy_quantity_at(q, snap, x->rod[rod].at[which][i])
                              : NULL;
    if (!value) fail(err, WITHY_BAD_INPUT, "%s does not hold %s", x->name[which], q->name);
    return value;
}

/* One rod at one time: the largest distance, and the integral of its square by the trapezium rule. */
static withy_status distance_of(plot_pair *x, int rod, int64_t k, plot_gap *gap, withy_error *err) {
    const plot_places *place = &x->rod[rod];
    const withy_snapshot *a = withy_result_at(x->a, rod, x->at[0][k], err);
    const withy_snapshot *b = a ? withy_result_at(x->b, rod, x->at[1][k], err) : NULL;
    if (!b) return err->code;
    for (int i = 0; i < place->count; i++) {
        const withy_vec3 p = a->position[place->at[0][i]], q = b->position[place->at[1][i]];
        const double d2 =
            (p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y) + (p.z - q.z) * (p.z - q.z);
        const double left = i ? place->s[i] - place->s[i - 1] : 0;
        const double right = i + 1 < place->count ? place->s[i + 1] - place->s[i] : 0;
        gap->square += 0.5 * (left + right) * d2;
        if (!(sqrt(d2) <= gap->most)) gap->most = sqrt(d2), gap->rod = rod, gap->s = place->s[i];
    }
    return WITHY_OK;
}

withy_status plot_pair_gap(plot_pair *x, int64_t k, plot_gap *gap, withy_error *err) {
    *gap = (plot_gap){.t = x->t[k]};
    for (int rod = 0; rod < x->rods; rod++) {
        const withy_status status = distance_of(x, rod, k, gap, err);
        if (status != WITHY_OK) return status;
    }
    return WITHY_OK;
}
