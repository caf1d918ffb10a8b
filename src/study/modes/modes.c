/* modes.c - small vibrations of a scene about its equilibrium. */
#include "study/compare/compare.h"
#include "study/equilibrium/equations.h"

/* Stations of all rods, then the bodies. */
static int stations_of(const withy_sim *sim) {
    int count = sim->parts.body_count;
    for (int i = 0; i < sim->problem.rod_count; i++) count += sim->rod[i].snap.count;
    return count;
}

static void name_stations(const withy_sim *sim, withy_mode *mode) {
    int k = 0;
    for (int i = 0; i < sim->problem.rod_count; i++)
        for (int j = 0; j < sim->rod[i].snap.count; j++, k++)
            mode->s[k] = sim->rod[i].snap.s[j], mode->rod[k] = i;
    for (int i = 0; i < sim->parts.body_count; i++, k++) mode->s[k] = 0, mode->rod[k] = -1 - i;
}

/* One block of memory: the modes, then their arrays. */
withy_status wy_modes_take(withy_sim *sim, int total, withy_mode **out, withy_error *err) {
    const int stations = stations_of(sim);
    const size_t count = (size_t)stations, each = 17 * count * sizeof(double);
    const size_t all = (size_t)total * (sizeof(withy_mode) + each);
    char *block = wy_alloc(1, all + sizeof sim->notes);
    withy_mode *mode = *out = (withy_mode *)block;
    if (!block) return wy_no_memory(err, "no memory for %d modes", total);
    for (int i = 0; i < total; i++) {
        double *room = (double *)(block + (size_t)total * sizeof *mode + (size_t)i * each);
        mode[i] = (withy_mode){.count = stations,
                               .total = total,
                               .s = room,
                               .method = sim->method->name,
                               .notes = (withy_notes *)(block + all)};
        withy_vec3 **array[] = {&mode[i].position, &mode[i].shift, &mode[i].turn, &mode[i].shift_im,
                                &mode[i].turn_im};
        for (size_t k = 0; k < sizeof array / sizeof *array; k++)
            *array[k] = (withy_vec3 *)(room + count) + k * count;
        mode[i].rod = (int *)(void *)(room + 16 * count);
        name_stations(sim, &mode[i]);
    }
    memcpy(block + all, &sim->notes, sizeof sim->notes);
    return WITHY_OK;
}

void withy_modes_free(withy_mode *mode, int count) {
    (void)count;
    wy_free(mode);
}

void wy_mode_to_laboratory(const withy_sim *sim, withy_mode *mode) {
    for (int k = 0; k < mode->count; k++)
        mode->position[k] = v3_add(wy_model_origin(sim->setup.model), mode->position[k]);
}

/* A wave of less than four stations.  Displacements over the length of their rod: that of another one changes nothing. */
static int is_zigzag(const withy_sim *sim, const withy_mode *mode) {
    double smooth = 0, rough = 0;
    for (int i = 0; i + 1 < mode->count; i++) {
        if (mode->rod[i] != mode->rod[i + 1] || mode->rod[i] < 0) continue;
        const double length = wy_model_whole(sim->setup.model, mode->rod[i]);
        const double *a[] = {&mode->shift[i].x, &mode->turn[i].x};
        for (int k = 0; k < 6; k++) {
            const double unit = k < 3 ? length : 1.0;
            const double one = a[k / 3][k % 3] / unit, two = a[k / 3][3 + k % 3] / unit;
            smooth += (one + two) * (one + two), rough += (one - two) * (one - two);
        }
    }
    return rough > smooth;
}

/* All that grow are motions of the mesh; this replaces the note on stability about the same ones. */
static void note_zigzags(withy_sim *sim, int count) {
    wy_note_drop(&sim->notes, WY_NOTE_stability_zigzag);
    wy_note(&sim->notes, WY_NOTE(modes_zigzag), sim->method->name, count,
            count == 1 ? "is a zigzag" : "are zigzags", count == 1 ? "it grows" : "they grow",
            wy_sim_mesh(sim), count == 1 ? "it" : "them");
}

/* Is its stability not known? */
static int is_unknown(const withy_notes *notes) {
    static const wy_note_id id[] = {WY_NOTE_stability_unknown, WY_NOTE_stability_mesh,
                                    WY_NOTE_contact_pinched};
    for (size_t i = 0; i < sizeof id / sizeof *id; i++)
        if (wy_note_has(notes, id[i])) return 1;
    return 0;
}

/* What the modes that grow say of the equilibrium, in one message that agrees with its stability:
 * a zigzag is a motion of the mesh, and two meshes may have disagreed. */
static void note_unstable(withy_sim *sim, withy_mode *mode) {
    const char *name = sim->method->name;
    const int n = wy_sim_mesh(sim);
    int grow = 0, zigzag = 0;
    for (int i = 0; i < mode->total; i++) {
        if (mode[i].kind < WITHY_MODE_FLUTTER) continue;
        grow++, zigzag += is_zigzag(sim, &mode[i]);
    }
    const char *s = grow == 1 ? "s" : "";
    if (!grow) return;
    if (zigzag == grow)
        note_zigzags(sim, grow);
    else if (is_unknown(&sim->notes))
        wy_note(&sim->notes, WY_NOTE(modes_grow_unsure), name, grow, s, n);
    else if (zigzag)
        wy_note(&sim->notes, WY_NOTE(modes_grow_some), name, grow, grow - zigzag);
    else
        wy_note(&sim->notes, WY_NOTE(modes_grow), name, grow, s);
    *(withy_notes *)(uintptr_t)mode->notes = sim->notes;
}

withy_status wy_modes_allowed(const withy_sim *sim, int count, withy_error *err) {
    const wy_equations *equations = sim->method->equations;
    if (!equations || !equations->mass)
        return wy_unsupported(err, "%s: the method has no modes; use director", sim->method->name);
    if (equations->has_modes) WY_TRY(equations->has_modes(sim->self, err));
    if (count < 1 || count == WITHY_UP_TO)
        return wy_bad_input(err, "%d modes requested: the number must be at least 1",
                            count == WITHY_UP_TO ? 0 : count);
    return WITHY_OK;
}

withy_status withy_sim_modes(withy_sim *sim, int count, withy_mode **mode, withy_error *err) {
    WY_NEED(sim, mode);
    *mode = NULL;
    WY_TRY(wy_modes_allowed(sim, count, err));
    WY_TRY(wy_modes_find(sim, count, mode, err));
    for (int i = 0; i < (*mode)->total; i++) wy_mode_to_laboratory(sim, &(*mode)[i]);
    note_unstable(sim, *mode);
    return WITHY_OK;
}

static withy_vibration numbers_of(const withy_mode *mode) {
    return (withy_vibration){.damping = mode->damping,
                             .growth = mode->growth,
                             .frequency_error = mode->frequency_error,
                             .damping_error = mode->damping_error,
                             .growth_error = mode->growth_error,
                             .kind = (int)mode->kind};
}

/* The shape of a mode into the snapshots, its displacements in the place of the velocities. */
static void deflect(withy_sim *sim, const withy_mode *mode, int number) {
    int k = 0;
    for (int i = 0; i < sim->problem.rod_count; i++) {
        withy_snapshot *snap = &sim->rod[i].snap;
        snap->t = mode->frequency, snap->step = number;
        snap->vibration = numbers_of(mode);
        for (int j = 0; j < snap->count; j++, k++) {
            snap->position[j] = mode->position[k];
            snap->velocity[j] = mode->shift[k], snap->spin[j] = mode->turn[k];
            snap->shift_im[j] = mode->shift_im[k], snap->turn_im[j] = mode->turn_im[k];
        }
    }
    sim->parts.t = mode->frequency, sim->parts.step = number;
    for (int i = 0; i < sim->parts.body_count; i++, k++) {
        withy_body_state *body = &sim->parts.body[i];
        body->position = mode->position[k];
        body->velocity = mode->shift[k], body->spin = mode->turn[k];
    }
}

/* One snapshot per mode: the rod deflected by the shape, the frequency as time. */
static withy_status write_modes(withy_sim *sim, const withy_study *study, const withy_mode *mode,
                                withy_error *err) {
    const int count = mode[0].total;
    wy_files files = {.at_once = true};
    WY_TRY(wy_sim_sample_all(sim, err));
    for (int i = 0; i < sim->problem.rod_count; i++)
        sim->rod[i].snap.have |= WITHY_HAVE_MODE | (study->error ? WITHY_HAVE_MODE_ERROR : 0);
    withy_status status = wy_files_open(&files, sim, study, "frequency [Hz]", err);
    for (int i = 0; i < count && status == WITHY_OK; i++) {
        deflect(sim, &mode[i], i + 1);
        status = wy_files_write(&files, sim, err);
    }
    return wy_files_close(&files, status, err);
}

/* ---- errors -------------------------------------------------------------------------------------- */

enum { PER_MODE = 3 }; /* frequency, damping, growth */

/* Frequencies, damping ratios and growth as a trace of one record. */
static withy_status trace_modes(const withy_sim *sim, const withy_mode *mode, int count,
                                wy_trace *trace, withy_error *err) {
    WY_TRY(wy_trace_numbers(trace, sim, PER_MODE * count, err));
    for (int i = 0; i < count; i++) {
        const int there = i < mode->total; /* strong damping may hide some */
        trace->value[PER_MODE * i] = there ? mode[i].frequency : NAN;
        trace->value[PER_MODE * i + 1] = there ? mode[i].damping : NAN;
        trace->value[PER_MODE * i + 2] = there ? mode[i].growth : NAN;
    }
    return WITHY_OK;
}

typedef struct mode_request {
    int count;
    withy_mode **mode;
} mode_request;

static withy_status solve_modes(const withy_study *study, void *to, wy_trace *trace,
                                withy_error *err);

/* Who asks for errors is asked in every study that is made for them. */
typedef struct again {
    int count;
    const withy_study *asked;
} again;

static int ask_again(void *context, double t, double stop, int64_t step) {
    const withy_study *asked = ((const again *)context)->asked;
    return asked->progress && asked->progress(asked->context, t, stop, step);
}

/* The same modes at another resolution: as many as the trace is to have. */
static withy_status modes_again(const withy_study *study, wy_trace *trace, withy_error *err) {
    const int count = ((const again *)study->context)->count;
    withy_mode *mode;
    const withy_status status = solve_modes(study, &(mode_request){count, &mode}, trace, err);
    withy_modes_free(mode, count);
    return status;
}

static withy_status find_errors(const withy_study *study, const wy_trace *trace, withy_mode *mode,
                                int count, withy_error *err) {
    wy_error_bars bars;
    withy_study other = *study;
    other.progress = ask_again, other.context = &(again){count, study};
    const withy_status status = wy_refine(&other, trace, 0, modes_again, &bars, err);
    for (int i = 0; i < count && status == WITHY_OK; i++) {
        mode[i].frequency_error = wy_error_bars_at(&bars, 0, PER_MODE * i);
        mode[i].damping_error = wy_error_bars_at(&bars, 0, PER_MODE * i + 1);
        mode[i].growth_error = wy_error_bars_at(&bars, 0, PER_MODE * i + 2);
    }
    wy_error_bars_free(&bars);
    return status;
}

/* ---- a problem ----------------------------------------------------------------------------------- */

static int ask_within(void *context, double t) {
    const withy_study *study = context;
    (void)t;
    return study->progress(study->context, 0.0, 1.0, 0);
}

/* Equilibrium, modes, files; a trace, unless NULL, takes the numbers. */
static withy_status solve_modes(const withy_study *study, void *to, wy_trace *trace,
                                withy_error *err) {
    const int count = ((const mode_request *)to)->count;
    withy_mode **mode = ((const mode_request *)to)->mode;
    withy_sim *sim;
    withy_equilibrium at;
    *mode = NULL;
    WY_TRY(wy_study_sim(study, &sim, err));
    withy_status status = WITHY_OK;
    sim->at_first = !study->problem->path.given;
    if (study->progress)
        sim->interrupt = (wy_interrupt){.ask = ask_within, .context = (void *)study};
    /* an unsupported rod vibrates about its rest shape */
    if (!wy_is_unsupported(study->problem)) status = withy_sim_equilibrium(sim, 1.0, &at, err);
    if (status == WITHY_OK) status = withy_sim_modes(sim, count, mode, err);
    if (status == WITHY_OK && trace)
        status = trace_modes(
            sim, *mode, study->error || count >= WITHY_UP_TO ? (*mode)->total : count, trace, err);
    if (status == WITHY_OK && study->error)
        status = find_errors(study, trace, *mode, (*mode)->total, err);
    if (status == WITHY_OK && (study->output_count || study->record))
        status = write_modes(sim, study, *mode, err);
    withy_sim_destroy(sim);
    if (status != WITHY_OK) {
        withy_modes_free(*mode, count);
        *mode = NULL;
    }
    return status;
}

withy_status withy_study_modes(const withy_study *study, int count, withy_mode **mode,
                               withy_error *err) {
    WY_NEED(study, mode);
    return wy_trace_study(study, solve_modes, &(mode_request){count, mode}, err);
}
