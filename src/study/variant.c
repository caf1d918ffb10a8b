/* variant.c - see variant.h. */
#include "study/variant.h"

#include "study/run/run.h"

withy_status wy_variant_make(const wy_variant_source *from, const char *const *override, int count,
                             wy_variant **out, withy_error *err) {
    wy_variant *v = wy_alloc(1, sizeof *v);
    *out = NULL;
    if (!v) return wy_no_memory(err, "no memory for a problem");
    WY_HAND_OVER(from->make(from->context, override, count, v, err), v, wy_free, out);
}

void wy_variant_free(wy_variant *v) {
    if (!v) return;
    v->by->destroy(v->owner);
    wy_free(v);
}

static void begin(const wy_variant *v, const withy_study *study) {
    v->by->listen(v->owner, study->progress, study->context);
}

static withy_status end(const wy_variant *v, withy_status status, withy_error *err) {
    v->by->listen(v->owner, NULL, NULL);
    return v->by->place(v->owner, status, err);
}

withy_status wy_variant_sim(const wy_variant *v, withy_sim **sim, withy_error *err) {
    const withy_study *s = &v->study;
    return v->by->place(
        v->owner, withy_sim_create(s->problem, s->method, s->option, s->option_count, sim, err),
        err);
}

withy_status wy_variant_run(const wy_variant *v, const withy_study *study, withy_report *report,
                            withy_error *err) {
    begin(v, study);
    return end(v, withy_study_run(study, report, err), err);
}

withy_status wy_variant_can_run(const wy_variant *v, withy_error *err) {
    begin(v, &v->study);
    return end(v, wy_run_can_start(&v->study, err), err);
}

withy_status wy_variant_static(const wy_variant *v, const withy_study *study,
                               withy_static_report *report, withy_error *err) {
    begin(v, study);
    return end(v, withy_study_static(study, report, err), err);
}

withy_status wy_variant_modes(const wy_variant *v, const withy_study *study, int count,
                              withy_mode **mode, withy_error *err) {
    return v->by->place(v->owner, withy_study_modes(study, count, mode, err), err);
}

withy_status wy_variant_run_batch(const wy_variant *const *v, const withy_study *const *study,
                                  int count, const wy_engine *engine, int unseen,
                                  withy_report *const *report, withy_status *status,
                                  withy_error *error, withy_error *err) {
    for (int i = 0; i < count; i++) begin(v[i], study[i]);
    const withy_status made =
        wy_ensemble_run(study, count, engine, unseen, report, status, error, err);
    for (int i = 0; i < count; i++) {
        const withy_status own = end(v[i], made == WITHY_OK ? status[i] : WITHY_OK, &error[i]);
        if (made == WITHY_OK) status[i] = own;
    }
    return made;
}

/* ---- numbers of a study --------------------------------------------------------------------------------- */

/* Of a motion, or of a path of equilibria: from its samples and its report. */
static withy_status of_samples(const wy_variant *v, withy_study *study, wy_series *series,
                               int is_run, double *value, withy_error *err) {
    withy_static_report path = {0};
    withy_report *run = wy_alloc(1, sizeof *run);
    if (!run) return wy_no_memory(err, "no memory for a report");
    withy_status status = wy_series_attach(series, study, err);
    if (status == WITHY_OK)
        status =
            is_run ? wy_variant_run(v, study, run, err) : wy_variant_static(v, study, &path, err);
    for (int i = 0; status == WITHY_OK && i < series->count; i++)
        status = is_run ? wy_output_quantity_of_run(series, i, run, &value[i], err)
                        : wy_output_quantity_of_path(series, i, &path, &value[i], err);
    withy_static_free(&path);
    wy_free(run);
    return status;
}

static withy_status of_modes(const wy_variant *v, const withy_study *study, int modes,
                             const wy_output_quantity *requested, int count, double *value,
                             withy_error *err) {
    withy_mode *mode = NULL;
    withy_status status = WITHY_OK;
    WY_TRY(wy_variant_modes(v, study, modes, &mode, err));
    for (int i = 0; status == WITHY_OK && i < count; i++)
        status = wy_output_quantity_of_modes(&requested[i], mode, &value[i], err);
    withy_modes_free(mode, mode[0].total);
    return status;
}

withy_status wy_variant_quantities(const wy_variant *v, withy_study *study, withy_sweep_kind kind,
                                   int modes, const wy_output_quantity *requested, int count,
                                   double *value, withy_error *err) {
    if (kind == WITHY_SWEEP_MODES) return of_modes(v, study, modes, requested, count, value, err);
    wy_series series = {.quantities = requested, .count = count};
    const withy_status status = of_samples(v, study, &series, kind == WITHY_SWEEP_RUN, value, err);
    wy_series_free(&series);
    return status;
}
