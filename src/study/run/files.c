/* files.c - open, write and close the result files, all alike. */
#include "study/run/probe.h"

#include "sink/record.h"

enum { MOST_OPTIONS = 64 };

/* The description stored in the files; arrays from the arena of the simulation. */
static withy_status describe(withy_sim *sim, const withy_study *study, wy_sink_meta *meta,
                             const withy_snapshot ***first, withy_error *err) {
    const withy_problem *problem = &sim->problem;
    const size_t rods = (size_t)problem->rod_count;
    wy_sink_option *option = wy_arena_alloc(&sim->arena, MOST_OPTIONS, sizeof *option);
    const char **name = wy_arena_alloc(&sim->arena, rods, sizeof *name);
    *first = wy_arena_alloc(&sim->arena, rods, sizeof **first);
    if (!*first || !name || !option) return wy_no_memory(err, "no memory for %zu rods", rods);
    int count = 0;
    while (count < MOST_OPTIONS &&
           withy_sim_option(sim, count, option[count].name, option[count].value, WITHY_NAME))
        count++;
    for (size_t i = 0; i < rods; i++)
        (*first)[i] = &sim->rod[i].snap, name[i] = problem->rod[i].name;
    *meta = (wy_sink_meta){.title = problem->title,
                           .method = sim->method->name,
                           .version = withy_version(),
                           .scene_name = study->name,
                           .scene_text = study->text,
                           .notes = sim->notes.text,
                           .note_data = sim->notes.data,
                           .option = option,
                           .option_count = count,
                           .parameter = study->parameter,
                           .parameter_count = study->parameter_count,
                           .request = problem->request,
                           .rod_count = problem->rod_count,
                           .rod_name = name,
                           .rod = problem->rod,
                           .parts = wy_sim_has_parts(sim) ? &sim->parts : NULL,
                           .body = problem->body,
                           .joint = problem->joint,
                           .obstacle = problem->obstacle};
    return WITHY_OK;
}

withy_status wy_files_choose(const withy_study *study, bool moves,
                             const wy_sink *sink[WY_FILES_MOST], withy_error *err) {
    if (study->output_count > WY_FILES_MOST)
        return wy_bad_input(err, "%d result files are requested, at most %d are possible",
                            study->output_count, WY_FILES_MOST);
    for (int i = 0; i < study->output_count; i++) {
        WY_TRY(wy_sink_for(study->output[i], &sink[i], err));
        for (int k = 0; k < i; k++)
            if (strcmp(study->output[k], study->output[i]) == 0)
                return wy_bad_input(err, "%s: named twice as a result file; keep one",
                                    study->output[i]);
        if (sink[i]->check)
            WY_TRY(sink[i]->check(study->output[i], &study->problem->request, moves, err));
    }
    return WITHY_OK;
}

static withy_status choose_sinks(wy_files *files, const withy_study *study, bool moves,
                                 withy_error *err) {
    int keeps = 0;
    WY_TRY(wy_files_choose(study, moves, files->sink, err));
    for (int i = 0; i < study->output_count; i++) keeps += files->sink[i]->keep != NULL;
    if (files->state_size && !keeps)
        return wy_bad_input(
            err, "states are kept in an .h5 file, and none is written; give one (-o FILE.h5)");
    return WITHY_OK;
}

withy_status wy_files_open(wy_files *files, withy_sim *sim, const withy_study *study,
                           const char *axis, withy_error *err) {
    wy_sink_meta meta;
    const withy_snapshot **first;
    WY_TRY(choose_sinks(files, study, strcmp(axis, "t [s]") == 0, err));
    WY_TRY(describe(sim, study, &meta, &first, err));
    meta.axis = axis, meta.step = files->step;
    meta.at_once = files->at_once;
    meta.state_size = files->state_size, meta.set = study->set, meta.source = study->source;
    for (int i = 0; i < study->output_count; i++) {
        WY_TRY(files->sink[i]->open(study->output[i], &meta, first, &files->state[i], err));
        files->count++;
    }
    if (!study->record) return WITHY_OK;
    files->sink[files->count] = &wy_record_sink, files->state[files->count] = study->record;
    WY_TRY(wy_record_sink.open("", &meta, first, &files->state[files->count], err));
    files->count++;
    return WITHY_OK;
}

withy_status wy_files_write(wy_files *files, const withy_sim *sim, withy_error *err) {
    for (int i = 0; i < files->count && wy_sim_has_parts(sim); i++)
        if (files->sink[i]->parts) WY_TRY(files->sink[i]->parts(files->state[i], &sim->parts, err));
    for (int rod = 0; rod < sim->problem.rod_count; rod++)
        for (int i = 0; i < files->count; i++)
            WY_TRY(files->sink[i]->write(files->state[i], rod, &sim->rod[rod].snap, err));
    return WITHY_OK;
}

withy_status wy_files_probe(wy_files *files, int probe, double t, const double *value,
                            withy_error *err) {
    for (int i = 0; i < files->count; i++)
        if (files->sink[i]->probe)
            WY_TRY(files->sink[i]->probe(files->state[i], probe, t, value, err));
    return WITHY_OK;
}

withy_status wy_files_keep(wy_files *files, const void *bytes, bool last, withy_error *err) {
    for (int i = 0; i < files->count; i++)
        if (files->sink[i]->keep) WY_TRY(files->sink[i]->keep(files->state[i], bytes, last, err));
    return WITHY_OK;
}

withy_status wy_files_close(wy_files *files, withy_status status, withy_error *err) {
    char text[WITHY_ERROR_TEXT + 16];
    const char *word = status == WITHY_OK            ? "complete"
                       : status == WITHY_INTERRUPTED ? "interrupted"
                                                     : text;
    snprintf(text, sizeof text, "failed: %s", err->text);
    for (int i = 0; i < files->count; i++) {
        withy_error failure = {0};
        const withy_status closed = files->sink[i]->close(files->state[i], word, &failure);
        if (closed != WITHY_OK && status == WITHY_OK) status = closed, *err = failure;
    }
    return status;
}
