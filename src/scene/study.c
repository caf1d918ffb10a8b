/* study.c - studies of a scene: its problem, its options, and the file positions for its messages. */
#include "scene/scene.h"
#include "study/sim.h"

/* Under another method than the scene names: n and dt mean the same everywhere, options of the command
 * line apply to this run (and are refused when the method does not have them); any other option belongs to
 * the method of the scene. */
static int is_meant(const withy_scene *scene, const wy_method *method, const char *name) {
    char path[2 * WITHY_NAME];
    snprintf(path, sizeof path, "options.%s", name);
    if (strcmp(name, "n") == 0 || strcmp(name, "dt") == 0)
        return wy_method_has_option(method, name);
    return wy_scene_overridden(scene, path);
}

/* The options of the scene that apply to the method: [WITHY_SCENE_OPTIONS]; returns how many. */
static withy_status options_for(const withy_scene *scene, const char *method, withy_option *kept,
                                int *count, withy_error *err) {
    int all;
    const withy_option *option = withy_scene_options(scene, &all);
    const char *named = withy_scene_method(scene);
    const wy_method *other = NULL;
    if (method && method[0] && named[0] && strcmp(method, named) != 0)
        WY_TRY(wy_method_find(method, &other, err));
    *count = 0;
    for (int i = 0; i < all && *count < WITHY_SCENE_OPTIONS; i++)
        if (!other || is_meant(scene, other, option[i].name)) kept[(*count)++] = option[i];
    return WITHY_OK;
}

/* "rod", "rods[2]", "bodies[1]": a part of the scene.  What a method lacks has its name in front, and no place: no
 * line is wrong. */
static int is_part(const char *path) {
    return (strncmp(path, "rod", 3) == 0 || strncmp(path, "bodies[", 7) == 0) && !strchr(path, '.');
}

/* A message about a key of the scene gets its line, as data; one about a wrong value also as text. */
static withy_status placed(void *scene, withy_status status, withy_error *err) {
    if (status == WITHY_OK || !err || !err->path[0] || err->line) return status;
    const int is_placed = strncmp(err->text, "--set ", 6) == 0;
    const int is_refused = status == WITHY_UNSUPPORTED && !is_part(err->path);
    if ((status == WITHY_BAD_INPUT || status == WITHY_UNSUPPORTED) && !is_refused && !is_placed)
        wy_scene_place(scene, err);
    else
        wy_scene_point(scene, err->path, err);
    return status;
}

static void listen(void *scene, withy_progress progress, void *context) {
    wy_scene_set_progress(scene, progress, context);
}

static void destroy(void *scene) {
    withy_scene_destroy(scene);
}

withy_status withy_scene_study(const withy_scene *scene, const char *method, withy_option *option,
                               withy_study *study, withy_error *err) {
    WY_NEED(scene, option, study);
    *study = (withy_study){.problem = withy_scene_problem(scene),
                           .method = method ? method : withy_scene_method(scene),
                           .option = option,
                           .name = withy_scene_name(scene),
                           .text = withy_scene_text(scene)};
    study->parameter = wy_scene_parameters(scene, &study->parameter_count);
    study->set = wy_scene_set(scene, &study->source);
    return options_for(scene, method, option, &study->option_count, err);
}

withy_status wy_scene_variant(const withy_scene *scene, const char *method, wy_variant *to,
                              withy_error *err) {
    static const wy_variant_owner owner = {listen, placed, destroy};
    to->by = &owner;
    to->owner = (void *)(uintptr_t)scene; /* its functions ask for progress: they are Lua */
    return withy_scene_study(scene, method, to->option, &to->study, err);
}

withy_status withy_scene_sim_of(const withy_scene *scene, const withy_problem *problem,
                                const char *method, withy_sim **sim, withy_error *err) {
    wy_variant x;
    WY_NEED(sim);
    *sim = NULL;
    WY_NEED(scene, problem);
    WY_TRY(wy_scene_variant(scene, method, &x, err));
    x.study.problem = problem;
    return wy_variant_sim(&x, sim, err);
}

withy_status withy_scene_sim(const withy_scene *scene, const char *method, withy_sim **sim,
                             withy_error *err) {
    WY_NEED(sim);
    *sim = NULL;
    WY_NEED(scene);
    return withy_scene_sim_of(scene, withy_scene_problem(scene), method, sim, err);
}

/* The study of a scene with the files and the progress of a setup. */
static withy_status prepare(const withy_scene *scene, const withy_run_setup *setup, wy_variant *x,
                            withy_error *err) {
    WY_TRY(wy_scene_variant(scene, setup->method, x, err));
    x->study.output = setup->output, x->study.output_count = setup->output_count;
    x->study.progress = setup->progress, x->study.context = setup->context;
    x->study.error = setup->error, x->study.branch = setup->branch;
    x->study.record = setup->record;
    x->study.checkpoint = setup->checkpoint, x->study.resume = setup->resume;
    x->study.sample = setup->sample, x->study.sample_context = setup->sample_context;
    return WITHY_OK;
}

withy_status withy_run(const withy_scene *scene, const withy_run_setup *setup, withy_report *report,
                       withy_error *err) {
    wy_variant x;
    WY_NEED(scene, setup, report);
    *report = (withy_report){0};
    withy_run_setup own = *setup;
    char method[WITHY_NAME];
    WY_TRY(wy_resume_method(&own, method, err));
    WY_TRY(prepare(scene, &own, &x, err));
    return wy_variant_run(&x, &x.study, report, err);
}

withy_status withy_static(const withy_scene *scene, const withy_run_setup *setup,
                          withy_static_report *report, withy_error *err) {
    wy_variant x;
    WY_NEED(scene, setup, report);
    *report = (withy_static_report){0};
    WY_TRY(prepare(scene, setup, &x, err));
    return wy_variant_static(&x, &x.study, report, err);
}

withy_status withy_modes(const withy_scene *scene, int count, const withy_run_setup *setup,
                         withy_mode **mode, withy_error *err) {
    wy_variant x;
    WY_NEED(scene, setup, mode);
    *mode = NULL;
    WY_TRY(prepare(scene, setup, &x, err));
    return wy_variant_modes(&x, &x.study, count, mode, err);
}

withy_status withy_scene_solve(const withy_scene *scene, withy_task task, int count,
                               const withy_run_setup *setup, withy_error *err) {
    withy_report *run;
    withy_static_report path = {0};
    withy_mode *mode = NULL;
    withy_status status;
    switch (task) {
    case WITHY_TASK_RUN:
        run = wy_alloc(1, sizeof *run);
        if (!run) return wy_no_memory(err, "no memory for the report");
        status = withy_run(scene, setup, run, err);
        wy_free(run);
        return status;
    case WITHY_TASK_STATIC:
        status = withy_static(scene, setup, &path, err);
        withy_static_free(&path);
        return status;
    case WITHY_TASK_MODES:
        status = withy_modes(scene, count, setup, &mode, err);
        if (mode) withy_modes_free(mode, mode[0].total);
        return status;
    }
    return wy_bad_input(err, "withy_scene_solve: there is no task %d", (int)task);
}

withy_status withy_check(const withy_scene *scene, const char *method, withy_error *err) {
    WY_NEED(scene);
    withy_sim *sim;
    WY_TRY(withy_scene_sim(scene, method, &sim, err));
    withy_sim_destroy(sim);
    return WITHY_OK;
}

withy_status withy_check_run(const withy_scene *scene, const char *method, withy_error *err) {
    WY_NEED(scene);
    wy_variant x;
    if (!withy_scene_problem(scene)->request.given) return WITHY_OK;
    WY_TRY(wy_scene_variant(scene, method, &x, err));
    return wy_variant_can_run(&x, err);
}
