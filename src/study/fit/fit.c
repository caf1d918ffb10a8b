/* fit.c - the parameters of a problem from data: its model is made, solved and observed where the data are. */
#include "study/fit/fit.h"

static const double GROWN = 1e3;    /* lengths per relative change: a note */
static const double HOPELESS = 1e5; /* no standard errors */

static int stage_of(const wy_fit_state *x, int rows) {
    int stage = 0;
    while (stage + 1 < x->windows && x->window[stage] < rows) stage++;
    return stage;
}

static double misfit(const wy_fit_state *x, int rows, const double *value) {
    double sum = 0;
    for (int i = 0; i < rows; i++) sum += pow(value[i] - x->curve->data[i], 2);
    return sum;
}

/* What a parameter without effect has for derivatives is rounding, from which an error would follow. */
static void drop_rounding(const wy_fit_state *x, const double *p, int rows, double *slope) {
    static const double ROUNDING = 1e-10;
    const int n = x->setup->count;
    for (int k = 0; k < n; k++) {
        const withy_fit_free *f = &x->setup->free[k];
        const double range = f->high - f->low, all = isfinite(range) ? range : 0;
        double sum = 0;
        for (int i = 0; i < rows; i++) sum += pow(slope[i * n + k], 2);
        if (sqrt(sum) * wy_max(fabs(p[k]), all) > ROUNDING * wy_fit_size(x, rows)) continue;
        for (int i = 0; i < rows; i++) slope[i * n + k] = 0;
    }
}

static withy_status model(void *context, const double *p, int rows, double *value, double *slope,
                          withy_error *err) {
    wy_fit_state *x = context;
    const wy_known *known;
    if (value) {
        WY_TRY(wy_fit_values(x, p, rows, &known, err));
        memcpy(value, known->value, (size_t)rows * sizeof *value);
        wy_search_record_try(&x->best, stage_of(x, rows), 0, misfit(x, rows, value), p);
        return WITHY_OK;
    }
    WY_TRY(wy_fit_slopes(x, p, rows, slope, err));
    drop_rounding(x, p, rows, slope);
    return WITHY_OK;
}

/* ---- the fit ------------------------------------------------------------------------------------------ */

withy_scene_fit withy_scene_fit_default(void) {
    return (withy_scene_fit){.size = sizeof(withy_scene_fit), .windows = 1, .threads = 1};
}

static withy_status take_curve(wy_fit_state *x, withy_error *err) {
    withy_fit_curve *c = x->curve;
    const size_t rows = (size_t)x->table.rows, columns = (size_t)wy_fit_numbers(x);
    c->rows = x->table.rows, c->columns = wy_fit_numbers(x);
    double *all =
        wy_alloc(rows + 2 * rows * columns + columns * WITHY_NAME / sizeof(double), sizeof *all);
    if (!all) return wy_no_memory(err, "no memory for the data");
    c->memory = all, c->at = all, c->data = all + rows, c->model = c->data + rows * columns;
    c->name = (char(*)[WITHY_NAME])(void *)(c->model + rows * columns);
    for (size_t k = 0; k < columns; k++)
        snprintf(c->name[k], sizeof c->name[k], "%.60s", x->table.name[k + 1]);
    for (size_t i = 0; i < rows; i++) {
        c->at[i] = x->table.value[i * (columns + 1)];
        for (size_t k = 0; k < columns; k++)
            c->data[i * columns + k] = x->table.value[i * (columns + 1) + k + 1];
    }
    return WITHY_OK;
}

/* How much of the data to fit first. */
static void set_windows(wy_fit_state *x) {
    const int count = x->kind == WY_FIT_MOTION ? x->setup->windows : 1;
    for (int i = 0; i < count; i++) {
        const int rows = x->table.rows >> (count - 1 - i), before = x->windows - 1;
        if (rows > 0 && (before < 0 || rows * wy_fit_numbers(x) > x->window[before]))
            x->window[x->windows++] = rows * wy_fit_numbers(x);
    }
}

/* Where it begins: free[count], and how many windows are done. */
static withy_status begin(wy_fit_state *x, const wy_variant *v, withy_fit_free *free, int *done,
                          withy_error *err) {
    const withy_scene_fit *setup = x->setup;
    double p[WITHY_FIT_MOST];
    WY_TRY(wy_search_record_open(&x->best, x->variants, setup->best, setup->resume, x->arena, err));
    wy_search_record_line(&x->best, "fit\nsigma %.15g\nwindows %d\ndifferences %d\n", setup->sigma,
                          setup->windows, setup->differences);
    wy_search_record_describe(&x->best, v, setup->data, setup->data_size);
    WY_TRY(wy_search_record_start(&x->best, setup->resume, x->windows, p, done, err));
    for (int k = 0; k < setup->count; k++) free[k] = setup->free[k], free[k].value = p[k];
    return WITHY_OK;
}

static void judge(wy_fit_state *x, withy_fit_result *result) {
    for (int k = 0; k < result->count && x->curve->growth > HOPELESS; k++)
        result->value[k].error = INFINITY;
    if (x->curve->growth > GROWN)
        wy_note(&x->curve->notes, WY_NOTE(fit_amplified), x->curve->growth,
                x->curve->growth > HOPELESS
                    ? "no standard errors are given; use a shorter part of it"
                    : "use a shorter part of it, or a little damping");
}

/* The data, and the settings of the search, of the problem where it begins; done: windows that are fitted already. */
static withy_status prepare(wy_fit_state *x, withy_fit_free *free, int *done, withy_error *err) {
    const int n = x->setup->count;
    double start[WITHY_FIT_MOST];
    wy_variant *v;
    for (int k = 0; k < n; k++) start[k] = x->setup->free[k].value;
    WY_TRY(wy_variants_make(x->variants, start, &v, err));
    const withy_problem *problem = v->study.problem;
    withy_status status = problem->rod_count > 0 ? wy_fit_read(x, problem, err)
                                                 : wy_bad_input(err, "a fit needs a rod");
    if (status == WITHY_OK) status = take_curve(x, err);
    if (status == WITHY_OK) set_windows(x);
    if (status == WITHY_OK) status = begin(x, v, free, done, err);
    if (status == WITHY_OK)
        status = wy_variants_room(x->variants, x->table.rows * wy_fit_numbers(x), 1, x->arena, err);
    wy_variant_free(v);
    return status;
}

/* After the search: do its derivatives hold, what is the error, and what is the model at the estimate? */
static withy_status finish(wy_fit_state *x, const withy_fit_setup *fit, withy_fit_result *result,
                           withy_error *err) {
    const int rows = fit->rows;
    const wy_known *known;
    double p[WITHY_FIT_MOST];
    int holds = 1;
    for (int k = 0; k < result->count; k++) p[k] = result->value[k].value;
    if (x->exact) WY_TRY(wy_fit_check_exact(x, p, rows, &holds, err));
    if (!holds) WY_TRY(wy_fit_again(x, fit, p, result, err));
    x->curve->exact = x->exact;
    if (!x->exact) WY_TRY(wy_fit_check_differences(x, p, rows, result, err));
    judge(x, result);
    WY_TRY(wy_fit_values(x, p, rows, &known, err));
    memcpy(x->curve->model, known->value, (size_t)rows * sizeof *known->value);
    return WITHY_OK;
}

static withy_status fit_problem(wy_fit_state *x, withy_fit_result *result, withy_error *err) {
    const withy_scene_fit *setup = x->setup;
    int done = 0;
    withy_fit_free *free = wy_arena_alloc(x->arena, (size_t)setup->count, sizeof *free);
    if (!free) return wy_no_memory(err, "no memory for a fit");
    WY_TRY(prepare(x, free, &done, err));
    const int rows = x->table.rows * wy_fit_numbers(x);
    double *sigma = setup->sigma > 0 ? wy_arena_alloc(x->arena, (size_t)rows, sizeof *sigma) : NULL;
    if (setup->sigma > 0 && !sigma) return wy_no_memory(err, "no memory for the data");
    for (int i = 0; i < rows && sigma; i++) sigma[i] = setup->sigma;
    withy_fit_setup fit = withy_fit_default();
    fit.model = model, fit.context = x, fit.free = free, fit.count = setup->count;
    fit.data = x->curve->data, fit.sigma = sigma, fit.rows = rows;
    fit.window = x->window + done, fit.windows = x->windows - done;
    x->exact = !setup->differences && !x->others;
    if (x->others && !setup->differences) wy_note(&x->curve->notes, WY_NOTE(fit_others));
    WY_TRY(withy_fit(&fit, result, err));
    if (setup->resume) result->moved = 1; /* from where it started at first */
    return finish(x, &fit, result, err);
}

withy_status wy_fit_of_variants(const withy_scene_fit *setup, const wy_variant_source *source,
                                withy_fit_result *result, withy_fit_curve *curve,
                                withy_error *err) {
    WY_NEED(setup, result, curve);
    *result = (withy_fit_result){0};
    *curve = (withy_fit_curve){.negative = -1};
    if (setup->size != sizeof *setup || !setup->read || !setup->data || !setup->free)
        return wy_bad_input(err, "withy_fit_of_scene: begin with withy_scene_fit_default(), and "
                                 "give read, data and free");
    if (setup->count < 1 || setup->count > WITHY_FIT_MOST || setup->windows < 1 ||
        setup->windows > 16 || !(setup->sigma >= 0))
        return wy_bad_input(err,
                            "a fit takes 1 .. %d free parameters, 1 .. 16 windows and a standard "
                            "deviation of 0 or more",
                            WITHY_FIT_MOST);
    wy_arena arena = {0};
    wy_variants variants = WY_VARIANTS_OF(setup, source);
    wy_fit_state x = {.setup = setup, .variants = &variants, .curve = curve, .arena = &arena};
    x.difference = (wy_difference){.free = setup->free,
                                   .count = setup->count,
                                   .threads = setup->threads,
                                   .model = wy_fit_solve,
                                   .context = &x};
    const withy_status status = fit_problem(&x, result, err);
    result->readings = variants.made;
    wy_difference_free(&x.difference);
    wy_variants_close(&variants);
    wy_arena_free(&arena);
    return status;
}

void withy_fit_curve_free(withy_fit_curve *curve) {
    if (!curve) return;
    wy_free(curve->memory);
    curve->memory = NULL;
}
