/* output.c - one result file of a simulation that the calling program advances. */
#include "withy/output.h"

#include "study/run/probe.h"

struct withy_output {
    withy_sim *sim;
    wy_files files;
    wy_probes probes;
};

static withy_status open_file(withy_output *output, const char *path, const withy_output_info *info,
                              withy_error *err) {
    const withy_study study = {.problem = &output->sim->problem,
                               .name = info->name,
                               .text = info->text,
                               .output = &path,
                               .output_count = 1};
    WY_TRY(wy_probes_make(output->sim, NULL, &output->probes, err));
    WY_TRY(wy_sim_sample_all(output->sim, err));
    return wy_files_open(&output->files, output->sim, &study, info->axis ? info->axis : "t [s]",
                         err);
}

withy_status withy_output_open(withy_sim *sim, const char *path, const withy_output_info *info,
                               withy_output **output, withy_error *err) {
    WY_NEED(output);
    *output = NULL;
    WY_NEED(sim, path);
    static const withy_output_info nothing = {0};
    withy_output *made = wy_alloc(1, sizeof *made);
    if (!made) return wy_no_memory(err, "no memory for an output");
    made->sim = sim;
    WY_HAND_OVER(open_file(made, path, info ? info : &nothing, err), made, wy_free, output);
}

withy_status withy_output_write(withy_output *output, withy_error *err) {
    WY_NEED(output);
    WY_TRY(wy_sim_sample_all(output->sim, err));
    WY_TRY(wy_files_write(&output->files, output->sim, err));
    return wy_probes_record(&output->probes, output->sim, 0, &output->files, err);
}

withy_status withy_output_close(withy_output *output, withy_status how, withy_error *err) {
    if (!output) return WITHY_OK;
    withy_error own = {0};
    const withy_status status = wy_files_close(&output->files, how, err ? err : &own);
    wy_free(output);
    return status;
}
