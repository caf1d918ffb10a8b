/* fit_derivative.c - the numbers of a fit and their derivatives at a set of values: exact, or by differences. */
#include "study/fit/fit.h"

static const double SEED =
    1e-3; /* relative step of set-ups, of which nothing but fields is differenced */

/* ---- numbers ----------------------------------------------------------------------------------------- */

static withy_status solve(wy_fit_state *x, const wy_variant *v, const double *p, int rows,
                          double *value, withy_error *err) {
    withy_sim *sim;
    WY_TRY(wy_variant_sim(v, &sim, err));
    const withy_status status = wy_fit_observe(x, sim, p, rows, value, NULL, err);
    withy_sim_destroy(sim);
    return status;
}

withy_status wy_fit_values(wy_fit_state *x, const double *p, int rows, const wy_known **known,
                           withy_error *err) {
    wy_known *k = wy_variants_at(x->variants, p);
    const wy_variant *v;
    if (k->values < rows) {
        WY_TRY(wy_variants_stopped(x->variants, err));
        WY_TRY(wy_variants_of(x->variants, k, &v, err));
        WY_TRY(solve(x, v, p, rows, k->value, err));
        k->values = rows, k->negative = x->curve->negative;
    }
    x->curve->negative = k->negative;
    *known = k;
    return WITHY_OK;
}

withy_status wy_fit_solve(void *observer, const double *p, int rows, double *value,
                          withy_error *err) {
    const wy_fit_state *x = observer;
    withy_fit_curve curve = *x->curve; /* of this thread: only `negative` is written */
    wy_fit_state own = *x;
    wy_variant *v;
    own.curve = &curve;
    WY_TRY(wy_variants_stopped(x->variants, err));
    WY_TRY(wy_variants_make(x->variants, p, &v, err));
    const withy_status status = solve(&own, v, p, rows, value, err);
    wy_variant_free(v);
    return status;
}

/* ---- derivatives -------------------------------------------------------------------------------------- */

/* Derivatives are those at a fixed share of the length. */
static withy_status same_shares(const wy_fit_state *x, const withy_problem *a,
                                const withy_problem *b, const char *parameter, withy_error *err) {
    if (x->kind == WY_FIT_MODE) return WITHY_OK;
    double *s = wy_alloc(2 * (size_t)x->stations, sizeof *s), *other = s + x->stations;
    if (!s) return wy_no_memory(err, "no memory for a fit");
    withy_status status = wy_fit_places(x, a, s, err);
    if (status == WITHY_OK) status = wy_fit_places(x, b, other, err);
    for (int i = 0; i < x->stations && status == WITHY_OK; i++) {
        const double one = a->rod[x->rod[i]].length, two = b->rod[x->rod[i]].length;
        if (fabs(s[i] / one - other[i] / two) > 1e-12)
            status = wy_unsupported(
                err, "%s moves where the data are observed along the rod, which takes differences",
                parameter);
    }
    wy_free(s);
    return status;
}

static withy_status make_neighbours(const wy_fit_state *x, const withy_problem *here,
                                    const double *p, wy_neighbours *a, withy_error *err) {
    double step[WITHY_FIT_MOST];
    for (int k = 0; k < x->setup->count; k++)
        step[k] = wy_difference_step(&x->setup->free[k], p[k], SEED);
    WY_TRY(wy_neighbours_make(x->variants, p, step, a, err));
    for (int k = 0; k < x->setup->count; k++)
        for (int i = 0; i < 4; i++)
            WY_TRY(same_shares(x, here, a->vary[k].at[i], x->setup->free[k].name, err));
    return WITHY_OK;
}

static withy_status exactly(wy_fit_state *x, wy_known *k, int rows, double *slope,
                            withy_error *err) {
    withy_sim *sim = NULL;
    const wy_variant *v = NULL;
    wy_neighbours *a = wy_alloc(1, sizeof *a);
    if (!a) return wy_no_memory(err, "no memory for a fit");
    withy_status status = wy_variants_of(x->variants, k, &v, err);
    if (status == WITHY_OK) status = make_neighbours(x, v->study.problem, k->p, a, err);
    if (status == WITHY_OK)
        status = withy_gradient_create(v->study.problem, v->study.method, v->study.option,
                                       v->study.option_count, a->vary, x->setup->count, &sim, err);
    if (status == WITHY_OK) status = wy_fit_observe(x, sim, k->p, rows, NULL, slope, err);
    withy_sim_destroy(sim);
    wy_neighbours_free(a, x->setup->count);
    wy_free(a);
    return status;
}

static withy_status differences(wy_fit_state *x, const double *p, int rows, double *slope,
                                withy_error *err) {
    const wy_known *here;
    const int careful = x->rows != rows;
    WY_TRY(wy_fit_values(x, p, rows, &here, err));
    x->rows = rows; /* the steps are known then */
    return wy_difference_find(&x->difference, careful, p, here->value, rows, slope, err);
}

static withy_status slopes_of(wy_fit_state *x, wy_known *k, int rows, double *slope,
                              withy_error *err) {
    if (!x->exact) return differences(x, k->p, rows, slope, err);
    withy_error own = {0};
    const withy_status status = exactly(x, k, rows, slope, &own);
    if (status != WITHY_UNSUPPORTED) {
        if (err) *err = own;
        return status;
    }
    x->exact = 0; /* from now on */
    wy_note(&x->curve->notes, WY_NOTE(differences_taken), own.text);
    return differences(x, k->p, rows, slope, err);
}

withy_status wy_fit_slopes(wy_fit_state *x, const double *p, int rows, double *slope,
                           withy_error *err) {
    wy_variants *v = x->variants;
    wy_known *k = wy_variants_at(v, p);
    if (k->slopes < rows) {
        wy_variants_base(v, k);
        WY_TRY(slopes_of(x, k, rows, v->slope, err));
        k->slopes = rows;
    }
    memcpy(slope, v->slope, (size_t)rows * (size_t)v->count * sizeof *slope);
    return WITHY_OK;
}
