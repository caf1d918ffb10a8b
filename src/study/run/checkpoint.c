/* checkpoint.c - see run.h. */
#include "study/run/run.h"

#include <float.h>

#include "sink/sink.h"

/* The block: head, two numbers per probe, the resolution check, the notes so far, velocities and spins of the last snapshot where it lacks them,
 * the state as withy_sim_save writes it. */
typedef struct head {
    char magic[8];
    int64_t snapshots, done, probes;
    int64_t stations;  /* with velocities at the last snapshot; 0: they are those of the snapshot */
    uint64_t undamped; /* kind of the simulation without its damping */
    uint64_t problem;  /* of its problem alone, from t = 0 on     */
    double output;     /* time between two snapshots [s]          */
    double h;          /* step [s]; 0: it adapts                   */
} head;

typedef struct probe_mark {
    int64_t samples;
    double due;
} probe_mark;

static const char MAGIC[8] = "withy\0r5";

static size_t motion_size(int64_t stations) {
    return 2 * (size_t)stations * sizeof(vec3);
}

static size_t size_of(const withy_sim *sim, const wy_probes *probes, int stations) {
    return sizeof(head) + (size_t)probes->own * sizeof(probe_mark) +
           WY_RESOLUTION_CHECK_NUMBERS * sizeof(double) + sizeof sim->notes +
           motion_size(stations) + withy_sim_save_size(sim);
}

static char *marks_of(char *bytes) {
    return bytes + sizeof(head);
}

static char *checks_of(char *bytes, int64_t probes) {
    return marks_of(bytes) + (size_t)probes * sizeof(probe_mark);
}

static char *notes_of(char *bytes, int64_t probes) {
    return checks_of(bytes, probes) + WY_RESOLUTION_CHECK_NUMBERS * sizeof(double);
}

static char *motion_of(char *bytes, int64_t probes) {
    return notes_of(bytes, probes) + sizeof(withy_notes);
}

static char *state_of(char *bytes, int64_t probes, int64_t stations) {
    return motion_of(bytes, probes) + motion_size(stations);
}

/* What its numbers can be: a hash, which anybody can make, is all that stands before them.  The state itself is checked by
 * withy_sim_restore. */
static withy_status check_numbers(const head *h, const char *bytes, const char *who,
                                  withy_error *err) {
    const wy_range row[] = {{"magic", offsetof(head, magic), sizeof h->magic, WY_RANGE_ANY, 0, 0},
                            WY_WHOLE(head, snapshots, 1, WY_COUNT_MOST),
                            WY_COUNT(head, done),
                            WY_COUNT(head, probes),
                            WY_COUNT(head, stations),
                            WY_RANGE(head, undamped, WY_RANGE_ANY, 0, 0),
                            WY_RANGE(head, problem, WY_RANGE_ANY, 0, 0),
                            WY_REAL(head, output, 0, DBL_MAX),
                            WY_REAL(head, h, 0, DBL_MAX),
                            WY_COUNT(probe_mark, samples),
                            {"resolution_check", WY_RESOLUTION_CHECK_LOOKS * sizeof(double),
                             sizeof(double), WY_RANGE_REAL, 0, INT32_MAX},
                            {"resolution_check", WY_RESOLUTION_CHECK_FILLED * sizeof(double),
                             sizeof(double), WY_RANGE_REAL, 0, WY_STEP_ERROR_RING}};
    enum { HEAD = 9, MARK = 1, CHECKS = 2 };
    const size_t probes = (size_t)h->probes,
                 resolution_check = WY_RESOLUTION_CHECK_NUMBERS * sizeof(double);
    const size_t mark = sizeof *h, check = mark + probes * sizeof(probe_mark);
    const size_t motion = check + resolution_check + sizeof(withy_notes);
    const wy_range_piece piece[] = {{0, 1, sizeof *h, 0, HEAD},
                                    {mark, probes, sizeof(probe_mark), HEAD, MARK},
                                    {check, 1, resolution_check, HEAD + MARK, CHECKS},
                                    {motion, 1, motion_size(h->stations), 0, 0}};
    const wy_ranges all = {(wy_range_piece *)(uintptr_t)piece, (wy_range *)(uintptr_t)row,
                           sizeof piece / sizeof *piece, sizeof row / sizeof *row};
    return wy_ranges_check(&all, bytes, who, err);
}

/* ---- keeping -------------------------------------------------------------------------------------- */

/* Of a single rod: others continue with their own options only (study/run/run.h). */
static int motion_stations(const withy_sim *sim) {
    const int single =
        sim->problem.rod_count == 1 && !sim->problem.body_count && !sim->problem.joint_count;
    return single && sim->method->present ? sim->rod[0].snap.count : 0;
}

void wy_checkpoint_note(wy_checkpoint *k, const withy_sim *sim) {
    if (!k->size || !k->stations) return;
    sim->method->present(sim->self, k->stations, sim->rod[0].snap.s, k->motion,
                         k->motion + k->stations);
}

withy_status wy_checkpoint_open(wy_checkpoint *k, const wy_saved_run *run, const withy_study *study,
                                withy_error *err) {
    if (!(study->checkpoint >= 0))
        return wy_bad_input(err, "checkpoint = %g: must be a time > 0 [s]", study->checkpoint);
    if (!(study->checkpoint > 0) && !study->resume) return WITHY_OK;
    if (study->error)
        return wy_bad_input(err, "--error cannot be used with --checkpoint or --resume: error "
                                 "bars need the whole run; leave out one of them");
    k->every = study->checkpoint > 0 ? study->checkpoint : 60;
    k->next = wy_wall_clock() + k->every;
    k->stations = motion_stations(run->sim);
    k->motion = wy_arena_alloc(&run->sim->arena, 2 * (size_t)k->stations, sizeof *k->motion);
    k->size = size_of(run->sim, run->probes, k->stations);
    k->bytes = wy_arena_alloc(&run->sim->arena, k->size, 1);
    k->samples = wy_arena_alloc(&run->sim->arena, (size_t)run->probes->own, sizeof *k->samples);
    if (!k->bytes || !k->samples || !k->motion)
        return wy_no_memory(err, "no memory for %zu bytes of state", k->size);
    return WITHY_OK;
}

withy_status wy_checkpoint_keep(wy_checkpoint *k, const wy_saved_run *run, wy_files *files,
                                bool last, withy_error *err) {
    if (!k->size) return WITHY_OK;
    const wy_probes *probes = run->probes;
    double number[WY_RESOLUTION_CHECK_NUMBERS];
    head h = {.snapshots = run->base + run->snapshots, .done = run->done, .probes = probes->own};
    h.stations = k->stations;
    h.output = run->sim->problem.request.output, h.h = withy_sim_step(run->sim);
    memcpy(h.magic, MAGIC, sizeof MAGIC);
    WY_TRY(wy_sim_kind_undamped(run->sim, &h.undamped, err));
    WY_TRY(wy_problem_kind_undamped(run->problem, &h.problem, err));
    memcpy(k->bytes, &h, sizeof h);
    for (int i = 0; i < probes->own; i++) {
        const probe_mark mark = {probes->one[i].samples, probes->one[i].due};
        memcpy(marks_of(k->bytes) + (size_t)i * sizeof mark, &mark, sizeof mark);
    }
    wy_resolution_check_save(run->resolution_check, number);
    memcpy(checks_of(k->bytes, h.probes), number, sizeof number);
    withy_notes notes = {{0}, {0}}; /* behind the texts zeros */
    wy_note_join(&notes, &run->sim->notes);
    memcpy(notes_of(k->bytes, h.probes), &notes, sizeof notes);
    if (k->stations) memcpy(motion_of(k->bytes, h.probes), k->motion, motion_size(k->stations));
    WY_TRY(withy_sim_save(run->sim, state_of(k->bytes, h.probes, k->stations),
                          withy_sim_save_size(run->sim), err));
    WY_TRY(wy_files_keep(files, k->bytes, last, err));
    k->next = wy_wall_clock() + k->every;
    return WITHY_OK;
}

withy_status wy_checkpoint_tick(wy_checkpoint *k, const wy_saved_run *run, wy_files *files,
                                withy_error *err) {
    if (!k->size || wy_wall_clock() < k->next) return WITHY_OK;
    return wy_checkpoint_keep(k, run, files, false, err);
}

/* ---- going on -------------------------------------------------------------------------------------- */

static withy_status another(const withy_study *study, const char *what, withy_error *err) {
    return wy_bad_input(err,
                        "%s: its run had another %s; leave out the change: only the end of time "
                        "(time.stop), the damping and the options may differ",
                        study->resume, what);
}

static withy_status check_output(const withy_study *study, withy_error *err) {
    if (study->output_count == 1 && strcmp(study->output[0], study->resume) == 0) return WITHY_OK;
    return wy_bad_input(err,
                        "%s: a resumed run appends to this file and writes no other; leave out "
                        "other outputs, and convert the file with withy export",
                        study->resume);
}

/* The notes of before, and then those of now which are not among them: each once.  They are from a file, and become
 * lines of a text. */
static withy_status take_notes(const char *from, withy_sim *sim, const withy_study *study,
                               withy_error *err) {
    withy_notes kept;
    memcpy(&kept, from, sizeof kept);
    if (!wy_note_valid(&kept))
        return wy_bad_input(err, "%s: the notes in its state are damaged", study->resume);
    wy_note_join(&kept, &sim->notes);
    sim->notes = kept;
    return WITHY_OK;
}

static withy_status check_interval(const head *h, double stop, double output,
                                   const withy_study *study, withy_error *err) {
    if (fabs(h->output - output) <= 1e-12 * h->output) return WITHY_OK;
    return wy_bad_input(err,
                        "%s: it has a snapshot every %.9g s, with time.stop = %.9g it would be "
                        "%.9g; choose a time.stop that is a whole number of intervals",
                        study->resume, h->output, stop, output);
}

/* Is the state one of this run? */
static withy_status check_head(const head *h, size_t size, const wy_checkpoint *k,
                               const wy_saved_run *run, const withy_study *study,
                               withy_error *err) {
    const withy_request *request = &run->sim->problem.request;
    const double step = withy_sim_step(run->sim);
    uint64_t undamped;
    if (size < sizeof *h || memcmp(h->magic, MAGIC, sizeof MAGIC) != 0)
        return wy_bad_input(err, "%s: its state was kept by another version of withy",
                            study->resume);
    WY_TRY(wy_sim_kind_undamped(run->sim, &undamped, err));
    if (undamped != h->undamped) return another(study, "problem or method", err);
    if (h->probes != run->probes->own || h->stations != k->stations || size != k->size)
        return another(study, "probes", err);
    WY_TRY(check_interval(h, request->stop, request->output, study, err));
    if (!(fabs(h->h - step) <= 1e-12 * h->h))
        return wy_bad_input(err,
                            "%s: its steps are %.9g s, now they would be %.9g; set options.dt when "
                            "the first run is made",
                            study->resume, h->h, step);
    return WITHY_OK;
}

/* Has the file what the scene in it makes?  What is copied from it goes into tables of the sizes of the scene. */
static int fits(const withy_result *result, const wy_saved_run *run) {
    const withy_sim *sim = run->sim;
    const wy_probes *probes = run->probes;
    const wy_restart_parts has = wy_restart.count(result);
    int same = has.rods == sim->problem.rod_count && has.bodies == sim->parts.body_count &&
               has.joints == sim->parts.joint_count && has.obstacles == sim->parts.obstacle_count &&
               has.probes == probes->own;
    for (int i = 0; i < probes->own && same; i++)
        same = wy_restart.probe_size(result, i) == probes->one[i].size;
    return same;
}

static withy_status check_fits(const wy_checkpoint *k, const wy_saved_run *run,
                               const withy_study *study, withy_error *err) {
    if (fits(k->result, run)) return WITHY_OK;
    return wy_bad_input(err,
                        "%s: its rods, bodies, joints, obstacles or probes are not those of its "
                        "scene; use the file as it was written",
                        study->resume);
}

/* Is its time between the snapshots that it says? */
static int in_interval(const head *h, const withy_request *request, double t) {
    const double output = request->stop / (double)wy_output_count(request), slack = 1e-6 * output;
    const double from = output * (double)(h->snapshots - 1);
    return t >= from - slack && t <= from + output + slack && (h->done > 0 || t <= from + slack);
}

/* A run that was killed after its last state, before the file said so, has only that left to do. */
static withy_status check_place(const head *h, const wy_checkpoint *k, const wy_saved_run *run,
                                const withy_study *study, withy_error *err) {
    const withy_request *request = &run->sim->problem.request;
    const int64_t last = wy_output_count(request);
    if (!in_interval(h, request, withy_sim_time(run->sim)))
        return wy_bad_input(err,
                            "%s: its state is of t = %.9g, which is not after its snapshot %lld; "
                            "use the file as it was written",
                            study->resume, withy_sim_time(run->sim), (long long)h->snapshots);
    const int complete = strcmp(wy_restart.text(k->result, "status"), "complete") == 0;
    if (h->snapshots == last + 1 && h->done == 0 && !complete) return WITHY_OK;
    if (h->snapshots == last + 1 && h->done == 0)
        return wy_bad_input(err, "%s: is complete, up to t = %.9g; --set time.stop=... runs it on",
                            study->resume, request->stop);
    if (h->snapshots > last)
        return wy_bad_input(err, "%s: has come to t = %.9g; time.stop must be later", study->resume,
                            withy_sim_time(run->sim));
    return WITHY_OK;
}

static withy_status restore_state(const head *h, const char *from, const wy_saved_run *run,
                                  withy_error *err) {
    withy_error own = {0};
    const size_t size = withy_sim_save_size(run->sim);
    char *state = state_of((char *)(uintptr_t)from, h->probes, h->stations);
    if (withy_sim_restore(run->sim, state, size, &own) == WITHY_OK) return WITHY_OK;
    WY_TRY(wy_sim_restore_damped(run->sim, state, size, err));
    wy_note(&run->sim->notes, WY_NOTE(damping_changed), withy_sim_time(run->sim));
    return WITHY_OK;
}

/* ---- on another grid ------------------------------------------------------------------------------ */

/* From the last snapshot to the end; `stop` and `output` are those of the whole. */
static withy_status shorten(withy_request *request, const head *h, const withy_study *study,
                            double *t0, withy_error *err) {
    const int64_t last = wy_output_count(request), left = last - (h->snapshots - 1);
    const double output = request->stop / (double)last;
    WY_TRY(check_interval(h, request->stop, output, study, err));
    *t0 = request->stop * (double)(h->snapshots - 1) / (double)last;
    if (left <= 0)
        return wy_bad_input(err, "%s: is complete, up to t = %.9g; --set time.stop=... runs it on",
                            study->resume, *t0);
    request->stop = output * (double)left, request->output = output;
    return WITHY_OK;
}

withy_status wy_checkpoint_regrid(wy_checkpoint *k, wy_saved_run *run, const withy_study *study,
                                  wy_arena *arena, withy_problem *problem, wy_past *past,
                                  withy_error *err) {
    const void *from;
    size_t size;
    head h = {.done = 0};
    uint64_t undamped, same;
    WY_TRY(wy_restart.open(study->resume, &k->result, &from, &size, err));
    if (size >= sizeof h) memcpy(&h, from, sizeof h);
    WY_TRY(wy_sim_kind_undamped(run->sim, &undamped, err));
    WY_TRY(wy_problem_kind_undamped(run->problem, &same, err));
    const int known = size >= sizeof h && memcmp(h.magic, MAGIC, sizeof MAGIC) == 0;
    if (!known || h.undamped == undamped || h.problem != same || h.snapshots < 2) {
        wy_checkpoint_close(k);
        return WITHY_OK;
    }
    WY_TRY(wy_regrid_check(run->problem, study->resume, err));
    if (h.probes < 0 || h.stations < 0 || (uint64_t)h.probes > size / sizeof(probe_mark) ||
        (uint64_t)h.stations > size / motion_size(1))
        return another(study, "probes", err); /* then what follows does not overflow */
    const size_t before = sizeof h + (size_t)h.probes * sizeof(probe_mark) +
                          WY_RESOLUTION_CHECK_NUMBERS * sizeof(double) + sizeof run->sim->notes;
    if (before + motion_size(h.stations) > size) return another(study, "probes", err);
    WY_TRY(check_numbers(&h, from, study->resume, err));
    const withy_snapshot *then = wy_restart.at(k->result, 0, h.snapshots - 1, err);
    if (!then) return WITHY_IO;
    if (h.stations && h.stations != then->count) return another(study, "stations", err);
    k->notes = (const char *)from + before - sizeof run->sim->notes;
    const vec3 *motion =
        h.stations ? (const vec3 *)(const void *)((const char *)from + before) : NULL;
    double t0 = 0;
    withy_request request = run->problem->request;
    WY_TRY(shorten(&request, &h, study, &t0, err));
    WY_TRY(wy_regrid_problem(run->sim, run->problem, study->resume, k->result, h.snapshots - 1,
                             motion, arena, problem, past, err));
    problem->request = request, past->t = t0;
    k->regrid = 1, run->base = h.snapshots - 1, run->snapshots = 1;
    return WITHY_OK;
}

/* The probes of before, and when they are due next. */
static withy_status regrid_probes(wy_checkpoint *k, wy_saved_run *run, withy_error *err) {
    const double t0 = run->sim->past.t;
    for (int i = 0; i < run->probes->own; i++) {
        wy_probe *w = &run->probes->one[i];
        const double every = w->probe->every;
        WY_TRY(wy_restart.samples(k->result, i, t0, &k->samples[i], err));
        w->samples = k->samples[i];
        if (every > 0) w->due = every * (floor((t0 + 1e-9 * (t0 + every)) / every) + 1);
    }
    return WITHY_OK;
}

withy_status wy_checkpoint_restore(wy_checkpoint *k, wy_saved_run *run, const withy_study *study,
                                   withy_error *err) {
    const void *from;
    size_t size;
    head h = {.done = 0};
    if (!study->resume) return WITHY_OK;
    WY_TRY(check_output(study, err));
    if (k->regrid) {
        WY_TRY(check_fits(k, run, study, err));
        WY_TRY(take_notes(k->notes, run->sim, study, err));
        return regrid_probes(k, run, err);
    }
    WY_TRY(wy_restart.open(study->resume, &k->result, &from, &size, err));
    if (size >= sizeof h) memcpy(&h, from, sizeof h);
    WY_TRY(check_head(&h, size, k, run, study, err));
    WY_TRY(check_numbers(&h, from, study->resume, err));
    WY_TRY(check_fits(k, run, study, err));
    WY_TRY(take_notes(notes_of((char *)(uintptr_t)from, h.probes), run->sim, study, err));
    WY_TRY(restore_state(&h, from, run, err));
    WY_TRY(check_place(&h, k, run, study, err));
    k->from = from;
    if (k->stations)
        memcpy(k->motion, motion_of((char *)(uintptr_t)from, h.probes), motion_size(k->stations));
    run->snapshots = h.snapshots, run->done = h.done;
    for (int i = 0; i < run->probes->own; i++) {
        probe_mark mark;
        memcpy(&mark, marks_of((char *)(uintptr_t)from) + (size_t)i * sizeof mark, sizeof mark);
        run->probes->one[i].samples = k->samples[i] = mark.samples;
        run->probes->one[i].due = mark.due;
    }
    return WITHY_OK;
}

void wy_checkpoint_resolution_check(const wy_checkpoint *k, wy_resolution_check *resolution_check) {
    double number[WY_RESOLUTION_CHECK_NUMBERS];
    head h;
    if (!k->from) return;
    memcpy(&h, k->from, sizeof h);
    memcpy(number, checks_of((char *)(uintptr_t)k->from, h.probes), sizeof number);
    wy_resolution_check_load(resolution_check, number);
}

withy_status wy_checkpoint_copy(wy_checkpoint *k, const wy_saved_run *run, wy_files *files,
                                withy_error *err) {
    if (!k->result) return WITHY_OK;
    const withy_snapshot *grid = k->regrid ? &run->sim->rod[0].snap : NULL;
    if (k->regrid) wy_checkpoint_note(k, run->sim);
    WY_TRY(wy_restart.copy(k->result, run->base + run->snapshots, k->samples, grid, files->sink[0],
                           files->state[0], err));
    return wy_checkpoint_keep(k, run, files, false, err);
}

void wy_checkpoint_close(wy_checkpoint *k) {
    if (k->result) wy_restart.close(k->result);
    k->result = NULL;
}

/* ---- texts ---------------------------------------------------------------------------------------- */

withy_status wy_saved_texts_open(const char *path, wy_saved_texts *texts, withy_error *err) {
    *texts = (wy_saved_texts){0};
    WY_TRY(wy_restart.result(path, &texts->result, err));
    const withy_result *result = texts->result;
    texts->source = wy_restart.text(result, "source"), texts->set = wy_restart.text(result, "set");
    texts->scene = wy_restart.text(result, "scene");
    texts->name = wy_restart.text(result, "scene_name");
    texts->method = wy_restart.text(result, "method");
    if (texts->source[0]) return WITHY_OK;
    wy_saved_texts_close(texts);
    return wy_bad_input(err,
                        "%s: holds no state to continue from; run the scene with --checkpoint "
                        "SECONDS, which keeps them",
                        path);
}

void wy_saved_texts_close(wy_saved_texts *texts) {
    if (texts->result) wy_restart.close(texts->result);
    texts->result = NULL;
}
