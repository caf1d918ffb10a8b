/* fit_check.c - do the derivatives of a fit hold, and what do differences leave unknown? */
#include "study/fit/fit.h"

static const double NOTHING =
    1e-8; /* of the data: an effect that differences of solutions do not tell from none */

/* ---- do the derivatives hold? ------------------------------------------------------------------------------ */

/* Numbers along a line through p, of which 1 is p. */
typedef struct line {
    wy_fit_state *x;
    const double *p;
    double way[WITHY_FIT_MOST];
} line;

static withy_status along(void *context, const double *q, int rows, double *value,
                          withy_error *err) {
    const line *l = context;
    double p[WITHY_FIT_MOST];
    for (int k = 0; k < l->x->setup->count; k++) p[k] = l->p[k] + (q[0] - 1) * l->way[k];
    return wy_fit_solve(l->x, p, rows, value, err);
}

/* A line on which all parameters have about the same effect, or would have one if their derivative were not 0. */
static void choose_line(line *l, const double *slope, int rows) {
    const withy_scene_fit *setup = l->x->setup;
    double effect[WITHY_FIT_MOST], least = INFINITY;
    const double none = NOTHING * wy_fit_size(l->x, rows);
    for (int k = 0; k < setup->count; k++) {
        double sum = 0;
        for (int i = 0; i < rows; i++) sum += pow(slope[i * setup->count + k], 2);
        l->way[k] = wy_difference_step(&setup->free[k], l->p[k], 1);
        effect[k] = sqrt(sum) * l->way[k];
        if (effect[k] > none) least = wy_min(least, effect[k]);
    }
    for (int k = 0; k < setup->count; k++)
        l->way[k] *= (k % 2 ? -1 : 1) * (effect[k] > none ? least / effect[k] : 1);
}

/* Exact derivatives are those of what is computed: are they those of whole solutions too? */
static withy_status compare_line(wy_fit_state *x, const double *p, int rows, double *slope,
                                 int *holds, withy_error *err) {
    static const double ENOUGH =
        0.05; /* beyond the error that differences estimate of themselves */
    const int n = x->setup->count;
    line l = {.x = x, .p = p};
    const withy_fit_free one = {.value = 1, .low = -1, .high = 3};
    wy_difference d = {
        .free = &one, .count = 1, .threads = x->setup->threads, .model = along, .context = &l};
    const wy_known *here;
    WY_TRY(wy_fit_values(x, p, rows, &here, err));
    double miss = 0, size = 0, *found = wy_alloc((size_t)rows, sizeof *found);
    if (!found) return wy_no_memory(err, "no memory for a fit");
    choose_line(&l, slope, rows);
    const withy_status status =
        wy_difference_find(&d, 1, (const double[]){1}, here->value, rows, found, err);
    wy_difference_free(&d);
    for (int i = 0; i < rows && status == WITHY_OK; i++) {
        double sum = 0;
        for (int k = 0; k < n; k++) sum += slope[i * n + k] * l.way[k];
        miss += (sum - found[i]) * (sum - found[i]);
        size += wy_max(sum * sum, found[i] * found[i]);
    }
    *holds = d.by[0].miss >= 1 || sqrt(miss) <= (ENOUGH + 3 * d.by[0].miss) * sqrt(size) +
                                                    NOTHING * wy_fit_size(x, rows);
    wy_free(found);
    return status;
}

/* Where a solution next to the estimate fails, nothing is known of it: the exact ones stand. */
withy_status wy_fit_check_exact(wy_fit_state *x, const double *p, int rows, int *holds,
                                withy_error *err) {
    double *slope = wy_alloc((size_t)rows * (size_t)x->setup->count, sizeof *slope);
    if (!slope) return wy_no_memory(err, "no memory for a fit");
    withy_status status = wy_fit_slopes(x, p, rows, slope, err);
    if (status == WITHY_OK) status = compare_line(x, p, rows, slope, holds, err);
    wy_free(slope);
    if (status == WITHY_INTERRUPTED || status == WITHY_NO_MEMORY) return status;
    if (status != WITHY_OK) *holds = 1;
    return WITHY_OK;
}

/* From the estimate, by differences. */
withy_status wy_fit_again(wy_fit_state *x, const withy_fit_setup *fit, double *p,
                          withy_fit_result *result, withy_error *err) {
    withy_fit_setup again = *fit;
    withy_fit_free *free = wy_arena_alloc(x->arena, (size_t)fit->count, sizeof *free);
    if (!free) return wy_no_memory(err, "no memory for a fit");
    for (int k = 0; k < fit->count; k++) free[k] = fit->free[k], free[k].value = p[k];
    const int runs = result->runs, jacobians = result->jacobians;
    again.free = free, x->exact = x->rows = 0;
    wy_variants_clear(x->variants);
    wy_note(&x->curve->notes, WY_NOTE(fit_rough));
    withy_fit_free_result(result);
    WY_TRY(withy_fit(&again, result, err));
    result->runs += runs, result->jacobians += jacobians, result->moved = 1;
    for (int k = 0; k < fit->count; k++) p[k] = result->value[k].value;
    return WITHY_OK;
}

/* The grain of the numbers is part of the error of an estimate. */
static void add_grain(withy_fit_value *v, const withy_fit_free *f, double grain) {
    v->error = sqrt(v->error * v->error + grain * grain);
    wy_free_parameter_interval(f, f->log ? v->error / fabs(v->value) : v->error, v);
}

withy_status wy_fit_check_differences(wy_fit_state *x, const double *p, int rows,
                                      withy_fit_result *result, withy_error *err) {
    static const double WORTH = 0.1; /* of a standard error: a note */
    const wy_known *here;
    double *slope = wy_alloc((size_t)rows * (size_t)result->count, sizeof *slope);
    if (!slope) return wy_no_memory(err, "no memory for a fit");
    withy_status status = wy_fit_values(x, p, rows, &here, err);
    if (status == WITHY_OK)
        status = wy_difference_find(&x->difference, 1, p, here->value, rows, slope, err);
    wy_free(slope);
    for (int k = 0; k < result->count && status == WITHY_OK; k++) {
        const wy_difference_by *by = &x->difference.by[k];
        const char *name = x->setup->free[k].name;
        withy_fit_value *v = &result->value[k];
        withy_notes *notes = &x->curve->notes;
        if (by->miss >= 1) v->error = INFINITY;
        if (by->miss < 1 && by->grain > 0) add_grain(v, &x->setup->free[k], by->grain);
        if (by->miss >= 1)
            wy_note(notes, WY_NOTE(fit_error_none), name);
        else if (by->grain > 0)
            wy_note(notes, WY_NOTE(fit_error_grain), name, by->grain);
        else if (by->miss > WORTH)
            wy_note(notes, WY_NOTE(fit_error_rough), name, 100 * by->miss);
    }
    return status == WITHY_INTERRUPTED || status == WITHY_NO_MEMORY ? status : WITHY_OK;
}
