/* test_restart.c - a run that was killed with kill -9 continues to the same file, for all six methods.
 *
 * usage: test_restart [moments] [filter]: how many moments are tried per method (3; 50 takes a minute). */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "check.h"
#include "withy/withy.h"

static int moments = 2;
static char folder[] = "/tmp/withy-restart-XXXXXX";

#include "in_folder.h"

/* A swinging rod with a probe at each step and one now and then; some methods need more.  The last two, of one rod
 * that may touch something, are computed as a network is. */
static const struct {
    const char *method, *extra;
} row[] = {{"director", "options = { n = 8, dt = 2e-3 }"},
           {"elastica", "options = { n = 16, dt = 2e-3 }"},
           {"se3", "options = { n = 16, dt = 2e-3 }"},
           {"kirchhoff", "options = { n = 16, dt = 2e-3 }"},
           {"fdtd", "options = { n = 16 }"},
           {"cheb", "options = { n = 10, dt = 4e-5 }"},
           {"director", "contact = { self = true }, options = { n = 8, dt = 2e-3 }"},
           {"director", "obstacles = { plane { point = { 0, 0, -0.02 }, stiffness = 1e3 } }, "
                        "options = { n = 8, dt = 2e-3 }"}};
enum { ROWS = sizeof row / sizeof *row, METHODS = ROWS - 2 };

static withy_scene *scene_of(int i, double stop) {
    char text[2048];
    withy_scene *scene;
    withy_error err = {0};
    snprintf(text, sizeof text,
             "local p = params { gravity = 9.81 }\n"
             "return { rod = { length = 1, section = circle { diameter = 0.02 },\n"
             "  material = { young = 1e7, poisson = 0.3, density = 1000 }, damping = { bend = "
             "1e-4 } },\n"
             "  initial = { shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },\n"
             "  ends = { start = clamped {}, finish = free {} }, gravity = { 0, 0, -p.gravity },\n"
             "  time = { stop = %g, output = 0.01 }, method = \"%s\", %s,\n"
             "  probes = { tip = { at = 1, what = \"position\" },\n"
             "             slow = { at = 0.5, what = \"velocity\", every = 0.004 } } }",
             stop, row[i].method, row[i].extra);
    const withy_status status =
        withy_scene_read_text(text, strlen(text), "swing.lua", NULL, 0, &scene, &err);
    if (status == WITHY_MISSING) skip(); /* a build without Lua */
    CHECK_OK(status);
    return scene;
}

/* Asked after the last step before a snapshot, with its time, and before the snapshot is written. */
static int is_reached(void *context, double t, double stop, int64_t steps) {
    (void)stop, (void)steps;
    return t >= *(const double *)context;
}

static withy_status run_until(const withy_scene *scene, const char *path, const char *resume,
                              const double *until, withy_error *err) {
    static withy_report report;
    const withy_run_setup setup = {.output = &path,
                                   .output_count = 1,
                                   .checkpoint = 2e-3,
                                   .resume = resume,
                                   .progress = until ? is_reached : NULL,
                                   .context = (void *)(uintptr_t)until};
    const withy_status status = withy_run(scene, &setup, &report, err);
    if (status == WITHY_MISSING) skip(); /* a build without HDF5 or SUNDIALS */
    return status;
}

static withy_status run_to(const withy_scene *scene, const char *path, const char *resume,
                           withy_error *err) {
    return run_until(scene, path, resume, NULL, err);
}

/* ---- the content of two files ------------------------------------------------------------------- */

static void same_numbers(const double *a, const double *b, int count, const char *what) {
    if (!a && !b) return;
    CHECK(a && b);
    if (memcmp(a, b, sizeof *a * (size_t)count) != 0) fail_msg("%s differs", what);
}

static void same_snapshots(withy_result *a, withy_result *b, int64_t k) {
    withy_error err = {0};
    int count;
    const withy_quantity *quantity = withy_quantity_list(WITHY_OF_ROD, &count);
    const withy_snapshot *x = withy_result_at(a, 0, k, &err), *y = withy_result_at(b, 0, k, &err);
    CHECK(x && y && x->count == y->count && x->have == y->have && x->step == y->step);
    CHECK(memcmp(&x->t, &y->t, sizeof x->t) == 0);
    for (int q = 0; q < count; q++)
        if ((x->have & quantity[q].have) == quantity[q].have)
            same_numbers(withy_quantity_at(&quantity[q], x, 0),
                         withy_quantity_at(&quantity[q], y, 0), x->count * quantity[q].size,
                         quantity[q].name);
}

static void same_ledgers(withy_result *a, withy_result *b) {
    withy_error err = {0};
    withy_result_entry entry;
    const size_t count = (size_t)withy_result_count(a);
    for (int i = 0; withy_result_ledger_at(a, 0, i, &entry); i++) {
        const size_t size = count * (size_t)entry.size;
        double *x = calloc(size, sizeof *x), *y = calloc(size, sizeof *y);
        CHECK_OK(withy_result_ledger_read(a, 0, entry.name, x, &err));
        CHECK_OK(withy_result_ledger_read(b, 0, entry.name, y, &err));
        same_numbers(x, y, (int)size, entry.name);
        free(x), free(y);
    }
}

static void same_probes(withy_result *a, withy_result *b) {
    withy_error err = {0};
    withy_result_probe p, q;
    for (int i = 0; withy_result_probe_at(a, i, &p); i++) {
        CHECK(withy_result_probe_at(b, i, &q) && p.count == q.count && p.size == q.size);
        const size_t count = (size_t)p.count, size = (size_t)p.size;
        double *t = calloc(2 * count, sizeof *t), *x = calloc(2 * count * size, sizeof *x);
        CHECK_OK(withy_result_probe_read(a, i, t, x, &err));
        CHECK_OK(withy_result_probe_read(b, i, t + count, x + count * size, &err));
        same_numbers(t, t + count, (int)count, "time of a probe");
        same_numbers(x, x + count * size, (int)(count * size), p.name);
        free(t), free(x);
    }
}

static void same_files(const char *one, const char *other) {
    static const char *const text[] = {"title", "method",     "status", "scene", "source",
                                       "set",   "scene_name", "notes",  "hash"};
    withy_error err = {0};
    withy_result *a, *b;
    CHECK_OK(withy_result_open(one, &a, &err));
    CHECK_OK(withy_result_open(other, &b, &err));
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        CHECK_TEXT(withy_result_text(b, text[i]), withy_result_text(a, text[i]));
    CHECK(strlen(withy_result_text(a, "hash")) == 16);
    CHECK(withy_result_count(a) == withy_result_count(b));
    for (int64_t k = 0; k < withy_result_count(a); k++) same_snapshots(a, b, k);
    same_ledgers(a, b);
    same_probes(a, b);
    withy_result_close(a), withy_result_close(b);
}

/* ---- killed --------------------------------------------------------------------------------------- */

static void nap(double seconds) {
    const struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    nanosleep(&t, NULL);
}

/* Run in a process of its own, which is killed after so long. */
static void run_and_kill(int i, double stop, const char *path, const char *resume, double after) {
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        withy_error err = {0};
        withy_scene *scene = NULL;
        if (resume)
            withy_scene_resume(path, NULL, 0, &scene, &err);
        else
            scene = scene_of(i, stop);
        if (scene) run_to(scene, path, resume, &err);
        _exit(0);
    }
    nap(after);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

static void go_on(const char *path, int i, double stop) {
    withy_error err = {0};
    withy_scene *scene;
    if (access(path, F_OK) != 0) { /* killed before there was a file: begin again */
        scene = scene_of(i, stop);
        CHECK_OK(run_to(scene, path, NULL, &err));
    } else {
        CHECK_OK(withy_scene_resume(path, NULL, 0, &scene, &err));
        const withy_status status = run_to(scene, path, path, &err);
        if (status != WITHY_OK && !strstr(err.text, "is complete")) fail_msg("%s", err.text);
    }
    withy_scene_destroy(scene);
}

/* A kill can cut a write where a page of the system ends.  Object headers (version 2) and the blocks of extensible arrays are
 * written again while a file grows; object headers have their size after the prefix, index blocks 298 bytes, array headers 72,
 * data blocks of 16 elements, the smallest, 150. */
static size_t structure_size(const unsigned char *at) {
    static const struct {
        const char *signature;
        size_t size;
    } fixed[] = {{"EAHD", 72}, {"EAIB", 298}, {"EADB", 150}};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (memcmp(at, fixed[i].signature, 4) == 0) return fixed[i].size;
    if (memcmp(at, "OHDR", 4) != 0 || at[4] != 2) return 0;
    const size_t prefix = 6 + (at[5] & 0x20 ? 16 : 0) + (at[5] & 0x10 ? 4 : 0);
    const size_t width = (size_t)1 << (at[5] & 3);
    size_t messages = 0;
    for (size_t i = width; i-- > 0;) messages = messages << 8 | at[prefix + i];
    return prefix + width + messages + 4;
}

TEST(no_structure_that_is_written_again_lies_in_two_pages_of_a_file) {
    enum { PAGE = 4096 };
    static unsigned char bytes[1 << 22];
    const char *path = in_folder("pages.h5");
    withy_error err = {0};
    withy_scene *scene = scene_of(0, 0.5);
    CHECK_OK(run_to(scene, path, NULL, &err));
    withy_scene_destroy(scene);
    FILE *file = fopen(path, "rb");
    CHECK(file);
    const size_t count = fread(bytes, 1, sizeof bytes - 512, file);
    CHECK(fclose(file) == 0 && count < sizeof bytes - 512);
    int found = 0;
    for (size_t at = 0; at + 4 < count; at++) {
        const size_t size = structure_size(bytes + at);
        if (size == 0) continue;
        found++;
        if (size <= PAGE && at / PAGE != (at + size - 1) / PAGE)
            fail_msg("%.4s at byte %zu, of %zu bytes", (const char *)bytes + at, at, size);
    }
    CHECK(found > 50);
    unlink(path);
}

TEST(a_run_killed_at_any_moment_goes_on_to_the_same_file_for_all_methods) {
    srand(7);
    for (int i = 0; i < ROWS; i++) {
        const double stop = 0.2;
        withy_error err = {0};
        const char *whole = in_folder("whole.h5"), *part = in_folder("part.h5");
        withy_scene *scene = scene_of(i, stop);
        struct timespec a, b;
        clock_gettime(CLOCK_MONOTONIC, &a);
        const withy_status status = run_to(scene, whole, NULL, &err);
        clock_gettime(CLOCK_MONOTONIC, &b);
        withy_scene_destroy(scene);
        if (status != WITHY_OK) fail_msg("%s: %s", row[i].method, err.text);
        const double took = (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
        for (int k = 0; k < moments; k++) {
            unlink(part);
            run_and_kill(i, stop, part, NULL, took * rand() / RAND_MAX);
            if (access(part, F_OK) == 0) /* and once more, on its way */
                run_and_kill(i, stop, part, part, 0.5 * took * rand() / RAND_MAX);
            go_on(part, i, stop);
            same_files(whole, part);
        }
        unlink(whole), unlink(part);
    }
}

TEST(a_state_kept_between_the_last_step_and_its_snapshot_goes_on_to_the_same_file) {
    for (int i = 0; i < ROWS; i++) {
        withy_error err = {0};
        const char *whole = in_folder("whole.h5"), *part = in_folder("part.h5");
        const double stop = 0.05, until = 0.03 - 1e-12;
        withy_scene *scene = scene_of(i, stop);
        CHECK_OK(run_to(scene, whole, NULL, &err));
        CHECK(run_until(scene, part, NULL, &until, &err) == WITHY_INTERRUPTED);
        withy_scene_destroy(scene);
        withy_result *result;
        CHECK_OK(withy_result_open(part, &result, &err));
        CHECK(withy_result_count(result) == 3); /* 0, 0.01, 0.02: the next is still to be written */
        withy_result_close(result);
        go_on(part, i, stop);
        same_files(whole, part);
        unlink(whole), unlink(part);
    }
}

/* Put a text where another one of the same length is in a file. */
static void replace(const char *path, const char *old, const char *now, size_t size) {
    FILE *file = fopen(path, "r+b");
    static char bytes[1 << 20];
    CHECK(file);
    const size_t count = fread(bytes, 1, sizeof bytes, file);
    size_t at = 0;
    while (at + size <= count && memcmp(bytes + at, old, size) != 0) at++;
    CHECK(at + size <= count && fseek(file, (long)at, SEEK_SET) == 0);
    CHECK(fwrite(now, 1, size, file) == size && fclose(file) == 0);
}

TEST(a_run_killed_after_its_last_state_has_only_to_say_that_it_is_complete) {
    withy_error err = {0};
    const char *whole = in_folder("whole.h5"), *part = in_folder("part.h5");
    for (int k = 0; k < ROWS; k += ROWS - 1) {
        for (int i = 0; i < 2; i++) {
            withy_scene *scene = scene_of(k, 0.2);
            CHECK_OK(run_to(scene, i ? part : whole, NULL, &err));
            withy_scene_destroy(scene);
        }
        replace(part, "complete\0", "running\0\0", 9);
        go_on(part, k, 0.2);
        same_files(whole, part);
        unlink(whole), unlink(part);
    }
}

/* ---- longer, with another damping, refused --------------------------------------------------------- */

static withy_status resume_with(const char *path, const char *set, withy_error *err) {
    withy_scene *scene;
    *err = (withy_error){0};
    WY_TRY(withy_scene_resume(path, &set, 1, &scene, err));
    const withy_status status = run_to(scene, path, path, err);
    withy_scene_destroy(scene);
    return status;
}

TEST(a_complete_run_goes_on_to_a_later_end_as_if_it_had_not_stopped) {
    for (int i = 0; i < ROWS; i++) {
        withy_error err = {0};
        const char *brief = in_folder("brief.h5"), *whole = in_folder("whole.h5");
        withy_result *a, *b;
        withy_scene *scene = scene_of(i, 0.05);
        CHECK_OK(run_to(scene, brief, NULL, &err));
        withy_scene_destroy(scene);
        CHECK_OK(resume_with(brief, "time.stop=0.1", &err));
        scene = scene_of(i, 0.1);
        CHECK_OK(run_to(scene, whole, NULL, &err));
        withy_scene_destroy(scene);
        CHECK_OK(withy_result_open(brief, &a, &err));
        CHECK_OK(withy_result_open(whole, &b, &err));
        CHECK(withy_result_count(a) == 11 && withy_result_count(b) == 11);
        const withy_snapshot *x = withy_result_at(a, 0, 10, &err),
                             *y = withy_result_at(b, 0, 10, &err);
        for (int k = 0; k < x->count; k++) CHECK_NEAR(x->position[k].z, y->position[k].z, 1e-9);
        withy_result_close(a), withy_result_close(b);
        unlink(brief), unlink(whole);
    }
}

/* The tip at the end of a file that was written on two grids, and the times of its snapshots. */
static withy_vec3 last_tip(const char *path, double stop, double changed) {
    withy_error err = {0};
    withy_result *result;
    char note[80];
    CHECK_OK(withy_result_open(path, &result, &err));
    const int64_t count = withy_result_count(result);
    for (int64_t k = 0; k < count; k++)
        CHECK_NEAR(withy_result_at(result, 0, k, &err)->t, 0.01 * (double)k, 1e-9);
    CHECK_NEAR(0.01 * (double)(count - 1), stop, 1e-9);
    withy_result_probe tip;
    CHECK(withy_result_probe_at(result, 1, &tip) && tip.count == (int64_t)(stop / 0.004 + 1.5));
    snprintf(note, sizeof note, "the options change at t = %g", changed);
    CHECK(strstr(withy_result_text(result, "notes"), note));
    const withy_snapshot *snap = withy_result_at(result, 0, count - 1, &err);
    const withy_vec3 r = snap->position[snap->count - 1];
    withy_result_close(result);
    return r;
}

/* Coarse, and from the middle on as fine as the bar compares with. */
TEST(a_run_goes_on_on_a_finer_grid_within_the_error_bar) {
    static const char *const fine[METHODS] = {"options.n=16", "options.n=32", "options.n=32",
                                              "options.n=32", "options.n=32", "options.n=12"};
    for (int i = 0; i < METHODS; i++) {
        withy_error err = {0};
        static withy_report whole;
        const int brief = i == METHODS - 1; /* cheb makes many steps */
        const double half = SANITIZED || brief ? 0.1 : 0.2;
        char stop[32];
        snprintf(stop, sizeof stop, "time.stop=%g", 2 * half);
        const char *path = in_folder("coarse.h5"), *const set[] = {stop, fine[i],
                                                                   "options.dt=2e-5"};
        withy_scene *scene = scene_of(i, half);
        CHECK_OK(run_to(scene, path, NULL, &err));
        withy_scene_destroy(scene);
        CHECK_OK(withy_scene_resume(path, set, brief ? 3 : 2, &scene, &err));
        CHECK_OK(run_to(scene, path, path, &err));
        withy_scene_destroy(scene);
        const withy_vec3 a = last_tip(path, 2 * half, half);
        unlink(path);
        if (SANITIZED) continue; /* a shorter run is not judged */
        scene = scene_of(i, 2 * half);
        CHECK_OK(withy_run(scene, &(withy_run_setup){.error = 1}, &whole, &err));
        withy_scene_destroy(scene);
        const withy_vec3 b = whole.position[1];
        const double apart =
            sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
        print_message("%s: %.2e m apart, bar %.2e m\n", row[i].method, apart,
                      whole.position_error[1]);
        CHECK(apart <= whole.position_error[1]);
    }
}

TEST(a_run_that_cannot_change_its_grid_says_why_and_its_file_stays) {
    static const char text[] =
        "return { rod = { length = 1, stiffness = { bend = 1 }, inertia = { mass = 1 } },\n"
        "  initial = { shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },\n"
        "  ends = { start = clamped {}, finish = free { spring = 1 } }, gravity = { 0, 0, -1 },\n"
        "  time = { stop = 0.05, output = 0.01 }, options = { n = 4, dt = 0.01 },\n"
        "  method = \"director\" }";
    withy_error err = {0};
    withy_scene *scene;
    withy_result *result;
    const char *path = in_folder("own.h5"), *const set[] = {"time.stop=0.1", "options.n=8"};
    CHECK_OK(withy_scene_read_text(text, strlen(text), "spring.lua", NULL, 0, &scene, &err));
    CHECK_OK(run_to(scene, path, NULL, &err));
    withy_scene_destroy(scene);
    CHECK_OK(withy_scene_resume(path, set, 2, &scene, &err));
    CHECK(run_to(scene, path, path, &err) == WITHY_BAD_INPUT);
    CHECK(
        strstr(err.text, "a run with a spring to an initial place continues with its own options"));
    withy_scene_destroy(scene);
    CHECK_OK(withy_result_open(path, &result, &err));
    CHECK(withy_result_count(result) == 6);
    withy_result_close(result);
    unlink(path);
    for (int i = METHODS; i < ROWS; i++) {
        scene = scene_of(i, 0.05);
        CHECK_OK(run_to(scene, path, NULL, &err));
        withy_scene_destroy(scene);
        const char *const finer[] = {"time.stop=0.1", "options.n=16"};
        CHECK_OK(withy_scene_resume(path, finer, 2, &scene, &err));
        CHECK(run_to(scene, path, path, &err) == WITHY_BAD_INPUT);
        CHECK(strstr(err.text, "a run with contact continues with its own options"));
        withy_scene_destroy(scene);
        unlink(path);
    }
    scene = scene_of(0, 0.05);
    CHECK_OK(run_to(scene, path, NULL, &err));
    withy_scene_destroy(scene);
    CHECK(resume_with(path, "options.n=32", &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "is complete, up to t = 0.05; --set time.stop=... runs it on"));
    unlink(path);
}

TEST(the_damping_and_the_options_may_change_and_nothing_else) {
    withy_error err = {0};
    const char *path = in_folder("damped.h5");
    withy_result *result;
    withy_scene *scene = scene_of(0, 0.05);
    CHECK_OK(run_to(scene, path, NULL, &err));
    withy_scene_destroy(scene);
    CHECK(resume_with(path, "rod.length=2", &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "--set rod.length=2: the state in "));
    CHECK(resume_with(path, "params.gravity=1", &err) == WITHY_BAD_INPUT);
    CHECK(resume_with(path, "time.stop=0.05", &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "is complete, up to t = 0.05"));
    CHECK(resume_with(path, "time.stop=0.03", &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "time.stop must be later"));
    CHECK(resume_with(path, "time.stop=0.055", &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "a whole number of intervals"));
    const char *const change[] = {"time.stop=0.1", "rod.damping.bend=0.02"};
    CHECK_OK(withy_scene_resume(path, change, 2, &scene, &err));
    CHECK_OK(run_to(scene, path, path, &err));
    withy_scene_destroy(scene);
    CHECK_OK(withy_result_open(path, &result, &err));
    double loss[11] = {0};
    CHECK(withy_result_count(result) == 11);
    CHECK_OK(withy_result_ledger_read(result, 0, "dissipated", loss, &err));
    /* 200 times the damping on a rod that is bent faster and faster */
    CHECK(loss[5] > 0 && loss[10] > 50 * loss[5]);
    withy_result_close(result);
    unlink(path);
}

TEST(a_result_without_states_says_how_to_keep_them) {
    withy_error err = {0};
    static withy_report report;
    const char *path = in_folder("plain.h5");
    withy_scene *scene = scene_of(0, 0.02);
    const withy_run_setup setup = {.output = &path, .output_count = 1};
    const withy_status status = withy_run(scene, &setup, &report, &err);
    if (status == WITHY_MISSING) skip();
    CHECK_OK(status);
    withy_scene_destroy(scene);
    CHECK(withy_scene_resume(path, NULL, 0, &scene, &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "holds no state to continue from; run the scene with --checkpoint"));
    unlink(path);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        test(no_structure_that_is_written_again_lies_in_two_pages_of_a_file),
        test(a_run_killed_at_any_moment_goes_on_to_the_same_file_for_all_methods),
        test(a_state_kept_between_the_last_step_and_its_snapshot_goes_on_to_the_same_file),
        test(a_run_killed_after_its_last_state_has_only_to_say_that_it_is_complete),
        test(a_complete_run_goes_on_to_a_later_end_as_if_it_had_not_stopped),
        test(a_run_goes_on_on_a_finer_grid_within_the_error_bar),
        test(a_run_that_cannot_change_its_grid_says_why_and_its_file_stays),
        test(the_damping_and_the_options_may_change_and_nothing_else),
        test(a_result_without_states_says_how_to_keep_them)};
    if (argc > 1) moments = atoi(argv[1]);
    if (argc > 2) cmocka_set_test_filter(argv[2]);
    if (!mkdtemp(folder)) return 1;
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failures;
}
