/* modes.c - small vibrations of a scene about its equilibrium. */
#include "study/door.h"
#include "study/files.h"
#include "study/refine.h"

/* One block of memory per mode holds its four arrays. */
static withy_status take_modes(withy_sim *sim, int count, withy_mode **out, withy_error *err) {
    const withy_snapshot *snap = &sim->rod[0].snap;
    withy_mode *mode = wy_take((size_t)count, sizeof *mode);
    *out = mode;
    for (int i = 0; mode && i < count; i++) {
        double *room = wy_take((size_t)snap->count * 10, sizeof *room);
        if (!room) {
            withy_modes_free(mode, count);
            mode = NULL;
            break;
        }
        mode[i].count = snap->count;
        mode[i].s = room;
        mode[i].position = (withy_vec3 *)(room + snap->count);
        mode[i].shift = mode[i].position + snap->count;
        mode[i].turn = mode[i].shift + snap->count;
        for (int k = 0; k < snap->count; k++) room[k] = snap->s[k];
    }
    if (mode) return WITHY_OK;
    *out = NULL;
    return wy_fail(err, WITHY_NO_MEMORY, "no memory for %d modes", count);
}

void withy_modes_free(withy_mode *mode, int count) {
    for (int i = 0; mode && i < count; i++) wy_give(mode[i].s);
    wy_give(mode);
}

static void sort_modes(withy_mode *mode, int count) {
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && mode[k].frequency < mode[k - 1].frequency; k--) {
            const withy_mode swap = mode[k];
            mode[k] = mode[k - 1], mode[k - 1] = swap;
        }
}

withy_status withy_sim_modes(withy_sim *sim, int count, withy_mode **mode, withy_error *err) {
    WY_NEED(sim);
    WY_NEED(mode);
    *mode = NULL;
    const wy_door *door = sim->method->door;
    if (!door || !door->mass)
        return wy_fail(err, WITHY_UNSUPPORTED, "%s: the method has no modes; use director",
                       sim->method->name);
    if (count < 1)
        return wy_fail(err, WITHY_BAD_INPUT, "%d modes requested: the number must be at least 1",
                       count);
    WY_TRY(take_modes(sim, count, mode, err));
    const withy_status status = wy_door_modes(sim, count, *mode, err);
    if (status != WITHY_OK) {
        withy_modes_free(*mode, count);
        *mode = NULL;
        return status;
    }
    for (int i = 0; i < count; i++)
        for (int k = 0; k < (*mode)[i].count; k++)
            (*mode)[i].position[k] =
                v3_add(wy_model_origin(sim->setup.model), (*mode)[i].position[k]);
    sort_modes(*mode, count);
    return WITHY_OK;
}

/* One snapshot per mode: the rod deflected by the shape, the frequency as time. */
static withy_status write_modes(withy_sim *sim, const withy_study *study, const withy_mode *mode,
                                int count, withy_error *err) {
    wy_files files = {0};
    withy_snapshot *snap = &sim->rod[0].snap;
    const char *bad = wy_view_sample(sim, 0, &sim->rod[0]);
    if (bad)
        return wy_fail(err, WITHY_NO_CONVERGENCE, "%s: %s is not finite", sim->method->name, bad);
    withy_status status = wy_files_open(&files, sim, study, "frequency [Hz]", err);
    for (int i = 0; i < count && status == WITHY_OK; i++) {
        snap->t = mode[i].frequency, snap->step = i + 1;
        for (int k = 0; k < snap->count; k++) {
            snap->position[k] = mode[i].position[k];
            snap->velocity[k] = mode[i].shift[k], snap->spin[k] = mode[i].turn[k];
        }
        status = wy_files_write(&files, sim, err);
    }
    return wy_files_close(&files, status, err);
}

/* ---- errors -------------------------------------------------------------------------------------- */

enum { PER_MODE = 2 }; /* frequency, damping */

/* Frequencies and damping ratios as a trace of one record. */
static withy_status trace_modes(const withy_sim *sim, const withy_mode *mode, int count,
                                wy_trace *trace, withy_error *err) {
    WY_TRY(wy_trace_numbers(trace, sim, PER_MODE * count, err));
    for (int i = 0; i < count; i++)
        trace->value[PER_MODE * i] = mode[i].frequency,
                                trace->value[PER_MODE * i + 1] = mode[i].damping;
    return WITHY_OK;
}

static withy_status solve_modes(const withy_study *study, int count, withy_mode **mode,
                                wy_trace *trace, withy_error *err);

/* The same modes at another resolution: as many as the trace is to have. */
static withy_status modes_again(const withy_study *study, wy_trace *trace, withy_error *err) {
    const int count = *(const int *)study->context;
    withy_mode *mode;
    const withy_status status = solve_modes(study, count, &mode, trace, err);
    withy_modes_free(mode, count);
    return status;
}

static withy_status find_errors(const withy_study *study, const wy_trace *trace, withy_mode *mode,
                                int count, withy_error *err) {
    wy_bars bars;
    withy_study again = *study;
    again.progress = NULL, again.context = &count;
    const withy_status status = wy_refine(&again, trace, 0, modes_again, &bars, err);
    for (int i = 0; i < count && status == WITHY_OK; i++) {
        mode[i].frequency_error = wy_bars_at(&bars, 0, PER_MODE * i);
        mode[i].damping_error = wy_bars_at(&bars, 0, PER_MODE * i + 1);
    }
    wy_bars_free(&bars);
    return status;
}

/* ---- a problem ----------------------------------------------------------------------------------- */

/* Equilibrium, modes, files; a trace, unless NULL, takes the numbers. */
static withy_status solve_modes(const withy_study *study, int count, withy_mode **mode,
                                wy_trace *trace, withy_error *err) {
    withy_sim *sim;
    withy_equilibrium at;
    *mode = NULL;
    WY_TRY(wy_study_sim(study, &sim, err));
    withy_status status = WITHY_OK;
    /* an unsupported rod vibrates about its rest shape */
    if (!wy_floats(study->problem)) status = withy_sim_equilibrium(sim, 1.0, &at, err);
    if (status == WITHY_OK) status = withy_sim_modes(sim, count, mode, err);
    if (status == WITHY_OK && trace) status = trace_modes(sim, *mode, count, trace, err);
    if (status == WITHY_OK && study->error) status = find_errors(study, trace, *mode, count, err);
    if (status == WITHY_OK && study->output_count)
        status = write_modes(sim, study, *mode, count, err);
    withy_sim_destroy(sim);
    if (status != WITHY_OK) {
        withy_modes_free(*mode, count);
        *mode = NULL;
    }
    return status;
}

withy_status withy_study_modes(const withy_study *study, int count, withy_mode **mode,
                               withy_error *err) {
    WY_NEED(study);
    WY_NEED(mode);
    withy_error own = {0};
    if (!err) err = &own;
    if (!mode) return wy_fail(err, WITHY_BAD_INPUT, "withy_study_modes: needs room for the modes");
    wy_trace trace = {0};
    const withy_status status = solve_modes(study, count, mode, study->error ? &trace : NULL, err);
    wy_trace_free(&trace);
    return status;
}
