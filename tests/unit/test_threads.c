/* test_threads.c - different simulations, scenes, files and lists in several threads at once give the same numbers
 * as alone; check_threads.sh runs it under the thread sanitizer, which reports every race. */
#include <pthread.h>
#include <sys/stat.h>

#include "check.h"
#include "sink_fixture.h"
#include "withy/withy.h"

enum { THREADS = 4, JOBS = 16 };

/* Numbers of one thread, to be compared with those of the others. */
typedef struct task {
    int number;
    uint64_t hash[JOBS];
    int jobs;
    withy_error err;
    char folder[200];
} task;

static bool good(task *t, withy_status status) {
    if (status == WITHY_OK) return true;
    print_message("thread %d: %s\n", t->number, t->err.text);
    return false;
}

static void note(task *t, uint64_t hash) {
    if (t->jobs < JOBS) t->hash[t->jobs++] = hash;
}

/* ---- simulations ------------------------------------------------------------------------------- */

static const struct {
    const char *method, *set[5]; /* a scene of which every number is small */
} small[] = {
    {"elastica", {"options.n=8"}},
    {"kirchhoff", {"options.n=8"}},
    {"director", {"options.n=6"}},
    {"se3", {"options.n=8"}},
    {"cheb", {"options.n=8", "options.dt=1e-5"}},
    {"fdtd", {"options.n=16"}},
};
enum { METHODS = sizeof small / sizeof *small };

static const char rod[] =
    "return { rod = { length = 1, section = circle { diameter = 0.02 },\n"
    "  material = { young = 1e7, shear = 4e6, density = 1000 } },\n"
    "  initial = { shape = straight { from = { 0, 0, 0 }, along = { 1, 0, 0 } } },\n"
    "  ends = { start = clamped {} }, gravity = { 0, 0, -1 },\n"
    "  loads = { point { at = 0.5, force = function(t) return 0, 0, -10 * t end } },\n"
    "  probes = { tip = { at = 1, what = 'position' } }, time = { stop = 1e-3, output = 2e-4 } }";

static withy_scene *scene_of(task *t, int which) {
    withy_scene *scene = NULL;
    char method[64];
    const char *set[6] = {method};
    int count = 1;
    snprintf(method, sizeof method, "method=\"%s\"", small[which].method);
    for (int i = 0; small[which].set[i]; i++) set[count++] = small[which].set[i];
    withy_scene_read_text(rod, sizeof rod - 1, "rod.lua", set, count, &scene, &t->err);
    return scene;
}

/* Run, save, run on, go back, fork. */
static bool drive(task *t, withy_sim *sim) {
    const size_t size = withy_sim_save_size(sim);
    void *held = malloc(size);
    withy_sim *twin = NULL;
    bool fine = held && good(t, withy_sim_advance(sim, 2e-4, &t->err)) &&
                good(t, withy_sim_save(sim, held, size, &t->err)) &&
                good(t, withy_sim_advance(sim, 4e-4, &t->err)) && withy_sim_sample(sim, 0);
    const uint64_t hash = withy_sim_hash(sim);
    fine = fine && good(t, withy_sim_restore(sim, held, size, &t->err)) &&
           good(t, withy_sim_fork(sim, &twin, &t->err)) &&
           good(t, withy_sim_advance(twin, 4e-4, &t->err)) && withy_sim_hash(twin) == hash;
    withy_sim_destroy(twin);
    free(held);
    note(t, hash);
    return fine;
}

static bool simulate(task *t, int which) {
    withy_scene *scene = scene_of(t, which);
    withy_sim *sim = NULL;
    if (!scene) return good(t, WITHY_BAD_INPUT);
    const withy_status status = withy_scene_sim(scene, NULL, &sim, &t->err);
    const bool fine = status == WITHY_MISSING || (good(t, status) && drive(t, sim));
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
    return fine;
}

/* ---- studies and files ------------------------------------------------------------------------- */

static bool read_back(task *t, const char *path) {
    withy_result *result;
    char csv[260];
    snprintf(csv, sizeof csv, "%s/again.csv", t->folder);
    if (!good(t, withy_result_open(path, &result, &t->err))) return false;
    const withy_snapshot *last =
        withy_result_at(result, 0, withy_result_count(result) - 1, &t->err);
    const bool fine = last && good(t, withy_result_export(result, csv, &t->err));
    uint64_t bits = 0;
    if (last) memcpy(&bits, &last->position[last->count - 1].z, sizeof bits);
    note(t, bits);
    withy_result_close(result);
    return fine;
}

static bool study(task *t) {
    withy_scene *scene = scene_of(t, t->number % 2); /* elastica or kirchhoff */
    withy_report *report = calloc(1, sizeof *report);
    char path[3][260];
    const char *const ending[3] = {"h5", "csv", "pvd"};
    const char *output[3];
    int count = 0;
    for (int i = 0; i < 3; i++) {
        withy_sink_info sink;
        snprintf(path[i], sizeof path[i], "%s/run.%s", t->folder, ending[i]);
        for (int k = 0; withy_sink_at(k, &sink); k++)
            if (strcmp(sink.ending + 1, ending[i]) == 0 && !sink.needs) output[count++] = path[i];
    }
    const withy_run_setup setup = {.output = output, .output_count = count, .error = 1};
    bool fine = scene && report && good(t, withy_run(scene, &setup, report, &t->err));
    if (count == 3) fine = fine && read_back(t, path[0]);
    withy_scene_destroy(scene);
    free(report);
    return fine;
}

static withy_status study_of(void *context, const char *method, withy_study *made,
                             withy_error *err) {
    static _Thread_local withy_option option[WITHY_SCENE_OPTIONS];
    return withy_scene_study(context, method, option, made, err);
}

static bool compare(task *t) {
    static const char *const method[] = {"elastica", "kirchhoff"};
    withy_scene *scene = scene_of(t, 0);
    withy_comparison *comparison = NULL;
    const withy_compare_setup setup = {.study = study_of,
                                       .method = method,
                                       .method_count = 2,
                                       .refine = 1,
                                       .accuracy = 1,
                                       .context = scene};
    const bool fine = scene && good(t, withy_compare(&setup, &comparison, &t->err));
    if (fine) note(t, (uint64_t)comparison->pair_count);
    withy_comparison_free(comparison);
    withy_scene_destroy(scene);
    return fine;
}

/* Lists are tables made when they are first asked for, by whichever thread. */
static bool lists(task *t) {
    withy_method_info method;
    withy_sink_info sink;
    uint64_t sum = 0;
    int count;
    for (int i = 0; withy_method_at(i, &method); i++)
        for (const withy_option_info *row = method.options; row->name; row++)
            sum = sum * 31 + strlen(row->name);
    for (int i = 0; withy_sink_at(i, &sink); i++) sum = sum * 31 + strlen(sink.name);
    for (int i = 0; withy_scene_reference(i); i++)
        sum = sum * 31 + strlen(withy_scene_reference(i));
    sum += strlen(withy_quantity_list(WITHY_OF_ROD, &count)->name) + (uint64_t)count;
    double value[64] = {1}, amplitude[64];
    const bool fine = good(t, withy_spectrum(64, value, 1e-3, amplitude, &t->err));
    note(t, sum);
    return fine;
}

static void *work(void *context) {
    task *t = context;
    bool fine = lists(t);
    for (int i = 0; i < METHODS && fine; i++) fine = simulate(t, (i + t->number) % METHODS);
    return fine && study(t) && compare(t) ? t : NULL;
}

/* Threads take the methods in turn, so that different ones run at once; sorted by method. */
static uint64_t hash_of(const task *t, int which) {
    return t->hash[1 + (which - t->number % METHODS + METHODS) % METHODS];
}

TEST(threads_with_their_own_simulations_scenes_and_files_give_the_same_numbers) {
    static task task_of[THREADS];
    pthread_t thread[THREADS];
    void *fine;
    int failed = 0;
    for (int i = 0; i < THREADS; i++) {
        char name[32];
        snprintf(name, sizeof name, "t%d", i);
        task_of[i].number = i;
        snprintf(task_of[i].folder, sizeof task_of[i].folder, "%s", fix_path(name));
        CHECK(mkdir(task_of[i].folder, 0777) == 0);
        CHECK(pthread_create(&thread[i], NULL, work, &task_of[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], &fine);
        failed += fine == NULL;
    }
    CHECK(failed == 0);
    for (int i = 1; i < THREADS; i++) {
        CHECK(task_of[i].hash[0] == task_of[0].hash[0]);
        for (int m = 0; m < METHODS; m++) CHECK(hash_of(&task_of[i], m) == hash_of(&task_of[0], m));
    }
    CHECK(task_of[0].hash[METHODS + 1] == task_of[2].hash[METHODS + 1]);
    CHECK(withy_memory_blocks() == 0);
    fix_clean();
}

/* Many strings: the method itself shares them out among threads. */
static const char strings[] =
    "local rods = {}\n"
    "for i = 1, 24 do rods[i] = { name = 's' .. i, length = 0.65, tension = 60 + i,\n"
    "  section = circle { diameter = 3e-4 }, material = { young = 2e11, poisson = 0.3, density = "
    "7800 },\n"
    "  ends = { start = pinned { position = { 0.01 * i, 0, 0 } },\n"
    "    finish = pinned { position = { 0.01 * i, 0, 0.65 } } },\n"
    "  initial = { shape = pluck { at = 0.1, height = 5e-4, direction = { 0, 1, 0 } } } } end\n"
    "return { rods = rods, time = { stop = 5e-5, output = 5e-5 }, method = 'fdtd' }";

static uint64_t hash_with(int threads) {
    withy_error err;
    char option[32];
    const char *const set[] = {option, "options.n=100", "options.dt=4e-8"};
    withy_scene *scene;
    withy_sim *sim;
    snprintf(option, sizeof option, "options.threads=%d", threads);
    CHECK_OK(withy_scene_read_text(strings, sizeof strings - 1, "s.lua", set, 3, &scene, &err));
    CHECK_OK(withy_scene_sim(scene, NULL, &sim, &err));
    CHECK_OK(withy_sim_advance(sim, 5e-5, &err));
    CHECK(withy_sim_stats(sim).steps > 900); /* worth two threads */
    const uint64_t hash = withy_sim_hash(sim);
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
    return hash;
}

TEST(strings_shared_out_among_threads_give_the_same_numbers) {
    CHECK(hash_with(3) == hash_with(1));
}

RUN(test(threads_with_their_own_simulations_scenes_and_files_give_the_same_numbers),
    test(strings_shared_out_among_threads_give_the_same_numbers))
