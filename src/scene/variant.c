/* variant.c - fits, designs and sweeps of scenes: their problems are the scene, read with other values. */
#include "scene/scene.h"
#include "study/fit/fit.h"
#include "study/sweep/sweep.h"

/* The study of a scene that was read for it. */
static withy_status own(withy_status read, withy_scene *const *scene, const char *method,
                        wy_variant *to, withy_error *err) {
    WY_TRY(read);
    const withy_status status = wy_scene_variant(*scene, method, to, err);
    if (status != WITHY_OK) withy_scene_destroy(*scene);
    return status;
}

static withy_status make_of_fit(void *context, const char *const *override, int count,
                                wy_variant *to, withy_error *err) {
    const withy_scene_fit *x = context;
    withy_scene *scene = NULL;
    return own(x->read(x->context, override, count, &scene, err), &scene, x->method, to, err);
}

static withy_status make_of_design(void *context, const char *const *override, int count,
                                   wy_variant *to, withy_error *err) {
    const withy_scene_minimise *x = context;
    withy_scene *scene = NULL;
    return own(x->read(x->context, override, count, &scene, err), &scene, x->method, to, err);
}

withy_status withy_fit_of_scene(const withy_scene_fit *setup, withy_fit_result *result,
                                withy_fit_curve *curve, withy_error *err) {
    const wy_variant_source source = {make_of_fit, (void *)(uintptr_t)setup};
    return wy_fit_of_variants(setup, &source, result, curve, err);
}

withy_status withy_minimise_scene(const withy_scene_minimise *setup, withy_minimum *minimum,
                                  withy_error *err) {
    const wy_variant_source source = {make_of_design, (void *)(uintptr_t)setup};
    return wy_minimise_variants(setup, &source, minimum, err);
}

/* ---- sweeps ------------------------------------------------------------------------------------------- */

typedef struct sweep {
    const withy_sweep_setup *setup;
    char *loaded; /* the text of the file */
    size_t size;
} sweep;

/* The first call comes before there are threads. */
static withy_status make_of_sweep(void *context, const char *const *override, int count,
                                  wy_variant *to, withy_error *err) {
    enum { MOST = 256 };
    sweep *x = context;
    const withy_sweep_setup *setup = x->setup;
    const char *set[MOST];
    withy_scene *scene = NULL;
    int all = 0;
    if (!setup->text && !x->loaded) WY_TRY(wy_scene_load(setup->scene, &x->loaded, &x->size, err));
    for (int i = 0; i < setup->set_count; i++) set[all++] = setup->set[i];
    for (int i = 0; i < count; i++) set[all++] = override[i];
    const wy_scene_source from = {.text = setup->text ? setup->text : x->loaded,
                                  .size = setup->text ? strlen(setup->text) : x->size,
                                  .name = setup->scene,
                                  .folder_access = !setup->text};
    return own(wy_scene_read_from(&from, set, all, &scene, err), &scene, setup->method, to, err);
}

withy_status withy_sweep(const withy_sweep_setup *setup, withy_sweep_report *report,
                         withy_error *err) {
    sweep x = {.setup = setup};
    const wy_variant_source source = {make_of_sweep, &x};
    const withy_status status = wy_sweep_of_variants(setup, &source, report, err);
    wy_free(x.loaded);
    return status;
}
