/* files.c - open, write and close the result files, all alike. */
#include "study/run/probe.h"

#include "sink/sink.h"

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

/* A disk may be full for one of the files, and the others are worth the run: it fails with the last of them. */
static withy_status drop_broken(wy_files *files, int broken, const withy_error *why,
                                withy_error *err) {
    int left = 0;
    files->broken[broken] = true;
    if (files->failure.code == WITHY_OK) files->failure = *why;
    for (int i = 0; i < files->count; i++)
        left += !files->broken[i] && files->sink[i] != &wy_record_sink;
    if (left > 0 && why->code == WITHY_IO) return WITHY_OK;
    if (err) *err = why->code == WITHY_IO ? files->failure : *why;
    return why->code;
}

/* `call` for every file that has `member` and can be written. */
#define FOR_FILES(files, member, call)                                                             \
    for (int i = 0; i < (files)->count; i++) {                                                     \
        withy_error why = {0};                                                                     \
        if ((files)->broken[i] || !(files)->sink[i]->member) continue;                             \
        if ((call) != WITHY_OK) WY_TRY(drop_broken(files, i, &why, err));                          \
    }

withy_status wy_files_write(wy_files *files, const withy_sim *sim, withy_error *err) {
    if (wy_sim_has_parts(sim))
        FOR_FILES(files, parts, files->sink[i]->parts(files->state[i], &sim->parts, &why))
    for (int rod = 0; rod < sim->problem.rod_count; rod++)
        FOR_FILES(files, write,
                  files->sink[i]->write(files->state[i], rod, &sim->rod[rod].snap, &why))
    return WITHY_OK;
}

withy_status wy_files_probe(wy_files *files, int probe, double t, const double *value,
                            withy_error *err) {
    FOR_FILES(files, probe, files->sink[i]->probe(files->state[i], probe, t, value, &why))
    return WITHY_OK;
}

withy_status wy_files_keep(wy_files *files, const void *bytes, bool last, withy_error *err) {
    FOR_FILES(files, keep, files->sink[i]->keep(files->state[i], bytes, last, &why))
    return WITHY_OK;
}

/* What the file says of how it ended. */
static const char *end_word(withy_status status, const withy_error *err, char *text, size_t size) {
    if (status == WITHY_OK) return "complete";
    if (status == WITHY_INTERRUPTED) return "interrupted";
    snprintf(text, size, "failed: %s", err->text);
    return text;
}

withy_status wy_files_close(wy_files *files, withy_status status, withy_error *err) {
    char text[WITHY_ERROR_TEXT + 16];
    const char *word = end_word(status, err, text, sizeof text);
    if (status == WITHY_OK && files->failure.code != WITHY_OK)
        status = files->failure.code, *err = files->failure;
    for (int i = 0; i < files->count; i++) {
        withy_error failure = {0};
        const char *how = files->broken[i] ? "failed: writing stopped" : word;
        const withy_status closed = files->sink[i]->close(files->state[i], how, &failure);
        if (closed != WITHY_OK && status == WITHY_OK) status = closed, *err = failure;
    }
    return status;
}
