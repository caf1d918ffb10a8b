/* variant.h - a problem that was made for a set of parameter values, and the study of it. */
#pragma once

#include "study/run/ensemble.h"
#include "study/sweep/output_quantity.h"
#include "withy/scene.h"

/* What the owner of a problem does for its studies. */
typedef struct wy_variant_owner {
    /* While a study lasts, functions of the problem ask `progress` whether to continue; NULL: not. */
    void (*listen)(void *owner, withy_progress progress, void *context);
    /* Put the place in the source of the problem before the message of a failure. */
    withy_status (*place)(void *owner, withy_status status, withy_error *err);
    void (*destroy)(void *owner);
} wy_variant_owner;

typedef struct wy_variant {
    withy_study study; /* without files; its options are: */
    withy_option option[WITHY_SCENE_OPTIONS];
    void *owner;
    const wy_variant_owner *by;
} wy_variant;

/* Makes problems of overrides "path=value"; `make` may be called by several threads at once. */
typedef struct wy_variant_source {
    withy_status (*make)(void *context, const char *const *override, int count, wy_variant *to,
                         withy_error *err);
    void *context;
} wy_variant_source;

withy_status wy_variant_make(const wy_variant_source *from, const char *const *override, int count,
                             wy_variant **out, withy_error *err);
void wy_variant_free(wy_variant *v); /* NULL is fine */

withy_status wy_variant_can_run(const wy_variant *v, withy_error *err);
withy_status wy_variant_sim(const wy_variant *v, withy_sim **sim, withy_error *err);
/* `study`: that of the variant, with files and progress. */
withy_status wy_variant_run(const wy_variant *v, const withy_study *study, withy_report *report,
                            withy_error *err);
withy_status wy_variant_static(const wy_variant *v, const withy_study *study,
                               withy_static_report *report, withy_error *err);
withy_status wy_variant_modes(const wy_variant *v, const withy_study *study, int count,
                              withy_mode **mode, withy_error *err);
/* Runs whose steps are made together (study/run/ensemble.h); study[count]. */
withy_status wy_variant_run_batch(const wy_variant *const *v, const withy_study *const *study,
                                  int count, const wy_engine *engine, int unseen,
                                  withy_report *const *report, withy_status *status,
                                  withy_error *error, withy_error *err);
/* Numbers of a run, of equilibria or of `modes` modes: value[count]. */
withy_status wy_variant_quantities(const wy_variant *v, withy_study *study, withy_sweep_kind kind,
                                   int modes, const wy_output_quantity *requested, int count,
                                   double *value, withy_error *err);
