/* Results whose name is taken away while they are written: the run says so, and nothing is lost.
 *
 *     The file, its folder, or another file at its place, at several moments of a run, for every kind of file.
 *     One of several files cannot be written: the others are whole.
 */
#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "withy/withy.h"

static char folder[] = "/tmp/withy_removed_XXXXXX";
#include "in_folder.h"

static const char SCENE[] =
    "return { rod = { length = 1, stiffness = { bend = 1 }, inertia = { mass = 1 } }, initial = { "
    "shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } } }, ends = { start = clamped {} "
    "}, gravity = { 0, 0, -1 }, probes = { tip = { at = 1, what = \"position\" } }, time = { stop "
    "= 0.1, output = 0.01 }, method = \"director\", options = { n = 4, dt = 0.001 } }";

enum { KEEP, REMOVE, REPLACE, FOLDER };

/* ---- what happens to it --------------------------------------------------------------------------- */

static void clear(const char *path) {
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", path);
    CHECK(system(command) == 0);
}

static int is_there(const char *path) {
    struct stat about;
    return stat(path, &about) == 0;
}

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    CHECK(file != NULL);
    fputs(text, file);
    fclose(file);
}

typedef struct hand {
    const char *file;     /* in out/ */
    int does, when, done; /* after so many snapshots, or members */
} hand;

static void act(hand *h, double now) {
    char path[300];
    if (h->done || now < h->when || h->does == KEEP) return;
    h->done = 1;
    snprintf(path, sizeof path, "%s/%s", in_folder("out"), h->file);
    if (h->does == FOLDER) {
        clear(in_folder("out"));
        return;
    }
    clear(path);
    if (h->does == REPLACE) write_text(path, "mine");
}

static int on_step(void *context, double t, double stop, int64_t step) {
    (void)stop, (void)step;
    act(context, 100 * t + 1e-6);
    return 0;
}

static int on_member(void *context, int64_t done, int64_t failed, int64_t total) {
    (void)failed, (void)total;
    act(context, (double)done);
    return 0;
}

/* ---- runs ------------------------------------------------------------------------------------------- */

static void start(void) {
    static int made;
    if (!made++) CHECK(mkdtemp(folder) != NULL);
    clear(in_folder("out")), clear(in_folder("temporary"));
    CHECK(mkdir(in_folder("out"), 0777) == 0 && mkdir(in_folder("temporary"), 0777) == 0);
    setenv("TMPDIR", in_folder("temporary"), 1);
}

static withy_status run(hand *h, withy_error *err) {
    char path[300];
    withy_scene *scene;
    withy_report report;
    start();
    snprintf(path, sizeof path, "%s/%s", in_folder("out"), h->file);
    const char *output[] = {path};
    CHECK(withy_scene_read_text(SCENE, strlen(SCENE), "removed", NULL, 0, &scene, err) == WITHY_OK);
    const withy_run_setup setup = {
        .output = output, .output_count = 1, .progress = on_step, .context = h};
    const withy_status status = withy_run(scene, &setup, &report, err);
    withy_scene_destroy(scene);
    return status;
}

/* The one file of a folder that ends so; NULL: there is none. */
static const char *find(const char *place, const char *ending) {
    static char path[600];
    const char *found = NULL;
    DIR *list = opendir(place);
    for (const struct dirent *entry; list && (entry = readdir(list));) {
        const size_t length = strlen(entry->d_name), size = strlen(ending);
        if (length <= size || strcmp(entry->d_name + length - size, ending) != 0) continue;
        snprintf(path, sizeof path, "%s/%s", place, entry->d_name);
        found = path;
    }
    if (list) closedir(list);
    return found;
}

static int snapshots(const char *path) {
    withy_result *result;
    withy_error err = {0};
    CHECK_OK(withy_result_open(path, &result, &err));
    const int count = (int)withy_result_count(result);
    withy_result_close(result);
    return count;
}

static int is_complete(const char *path) {
    withy_result *result;
    withy_error err = {0};
    CHECK_OK(withy_result_open(path, &result, &err));
    const int is = strcmp(withy_result_text(result, "status"), "complete") == 0;
    withy_result_close(result);
    return is;
}

static int lines(const char *path) {
    FILE *file = fopen(path, "r");
    int count = 0;
    for (int c; file && (c = fgetc(file)) != EOF;) count += c == '\n';
    if (file) fclose(file);
    return count;
}

/* ---- tests ------------------------------------------------------------------------------------------ */

TEST(a_result_that_is_removed_is_there_again_and_the_run_has_failed) {
    for (int when = 1; when < 10; when += 4) {
        hand h = {"o.h5", REMOVE, when, 0};
        withy_error err = {0};
        CHECK(run(&h, &err) == WITHY_IO);
        CHECK(strstr(err.text, "o.h5") && strstr(err.text, "removed"));
        CHECK(snapshots(in_folder("out/o.h5")) == 11);
    }
}

TEST(a_result_whose_folder_is_removed_is_kept_among_temporary_files) {
    const char *name[] = {"o.h5", "o.csv"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        hand h = {name[i], FOLDER, 3, 0};
        withy_error err = {0};
        CHECK(run(&h, &err) == WITHY_IO);
        const char *kept = find(in_folder("temporary"), i ? "o.csv" : ".h5");
        CHECK(kept != NULL && strstr(err.text, kept) != NULL);
        CHECK(i ? lines(kept) > 11 : snapshots(kept) == 11);
        CHECK(!i || lines(find(in_folder("temporary"), "o.ledger.csv")) > 11);
        CHECK(!i || lines(find(in_folder("temporary"), "o.probes.csv")) > 11);
    }
}

TEST(a_file_of_another_that_came_to_the_place_stays) {
    hand h = {"o.h5", REPLACE, 3, 0};
    withy_error err = {0};
    char text[16] = "";
    CHECK(run(&h, &err) == WITHY_IO);
    FILE *file = fopen(in_folder("out/o.h5"), "r");
    CHECK(file && fgets(text, sizeof text, file));
    fclose(file);
    CHECK_TEXT(text, "mine");
    unlink(in_folder("out/o.h5"));
    const char *kept = find(in_folder("out"), ".h5");
    CHECK(kept != NULL && strstr(err.text, kept) != NULL && snapshots(kept) == 11);
}

TEST(no_kind_of_file_is_missing_after_a_success) {
    static const char *const name[] = {"o.h5", "o.csv", "o.pvd", "o.wav"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++)
        for (int does = KEEP; does <= FOLDER; does += does == REMOVE ? 2 : 1)
            for (int when = 0; when < 11; when += 5) {
                char path[300];
                hand h = {name[i], does, when, 0};
                withy_error err = {0};
                const withy_status status = run(&h, &err);
                snprintf(path, sizeof path, "%s/%s", in_folder("out"), name[i]);
                CHECK(status != WITHY_OK || is_there(path));
                CHECK(status == WITHY_OK || err.text[0]);
                if (does == KEEP) CHECK_OK(status);
            }
}

TEST(a_snapshot_that_is_removed_is_missed) {
    hand h = {"o/000002.vtp", REMOVE, 8, 0};
    withy_error err = {0};
    withy_scene *scene;
    withy_report report;
    start();
    const char *output[] = {in_folder("out/o.pvd")};
    CHECK_OK(withy_scene_read_text(SCENE, strlen(SCENE), "removed", NULL, 0, &scene, &err));
    const withy_run_setup setup = {
        .output = output, .output_count = 1, .progress = on_step, .context = &h};
    CHECK(withy_run(scene, &setup, &report, &err) == WITHY_IO);
    withy_scene_destroy(scene);
}

TEST(a_sweep_that_is_removed_is_there_again_and_has_failed) {
    for (int does = REMOVE; does <= FOLDER; does += 2) {
        hand h = {"o.h5", does, 2, 0};
        withy_error err = {0};
        withy_sweep_report report = {0};
        start();
        char path[300];
        snprintf(path, sizeof path, "%s/o.h5", in_folder("out"));
        const char *over[] = {"options.n=4..8:5"}, *requested[] = {"finish.z"};
        const withy_sweep_setup setup = {.scene = "removed",
                                         .text = SCENE,
                                         .kind = WITHY_SWEEP_RUN,
                                         .over = over,
                                         .over_count = 1,
                                         .requested = requested,
                                         .requested_count = 1,
                                         .output = path,
                                         .threads = 1,
                                         .progress = on_member,
                                         .context = &h};
        CHECK(withy_sweep(&setup, &report, &err) == WITHY_IO);
        const char *kept = does == FOLDER ? find(in_folder("temporary"), ".h5") : path;
        withy_sweep_file *sweep;
        CHECK(kept != NULL && strstr(err.text, kept) != NULL);
        CHECK_OK(withy_sweep_open(kept, &sweep, &err));
        withy_sweep_close(sweep);
    }
    clear(folder);
}

/* ---- one of several files ------------------------------------------------------------------------- */

/* A thousand snapshots as .h5 and as tables, which are longer. */
static withy_status run_into_both(withy_error *err) {
    static const char *const set[] = {"time.output=0.0001"};
    static char path[2][300];
    const char *output[] = {path[0], path[1]};
    withy_scene *scene;
    withy_report report;
    for (int i = 0; i < 2; i++)
        snprintf(path[i], sizeof path[i], "%s/o.%s", in_folder("out"), i ? "h5" : "csv");
    CHECK(withy_scene_read_text(SCENE, strlen(SCENE), "removed", set, 1, &scene, err) == WITHY_OK);
    const withy_run_setup setup = {.output = output, .output_count = 2};
    const withy_status status = withy_run(scene, &setup, &report, err);
    withy_scene_destroy(scene);
    return status;
}

TEST(of_two_files_of_which_one_finds_no_room_the_other_is_whole) {
    withy_error err = {0};
    struct stat about[2];
    char path[2][300];
    start();
    CHECK_OK(run_into_both(&err));
    for (int i = 0; i < 2; i++) {
        snprintf(path[i], sizeof path[i], "%s/o.%s", in_folder("out"), i ? "h5" : "csv");
        CHECK(stat(path[i], &about[i]) == 0);
    }
    const rlim_t room = (rlim_t)(about[0].st_size + about[1].st_size) / 2;
    CHECK(about[0].st_size > about[1].st_size);
    const int whole = snapshots(path[1]), rows = lines(path[0]);
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){room, room});
        _exit(run_into_both(&err) == WITHY_IO && strstr(err.text, "o.csv: writing failed") ? 0 : 1);
    }
    int status;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(whole == 1001 && snapshots(path[1]) == whole && is_complete(path[1]));
    CHECK(lines(path[0]) == rows);
}

RUN(test(a_result_that_is_removed_is_there_again_and_the_run_has_failed),
    test(a_result_whose_folder_is_removed_is_kept_among_temporary_files),
    test(a_file_of_another_that_came_to_the_place_stays),
    test(no_kind_of_file_is_missing_after_a_success),
    test(of_two_files_of_which_one_finds_no_room_the_other_is_whole),
    test(a_snapshot_that_is_removed_is_missed),
    test(a_sweep_that_is_removed_is_there_again_and_has_failed))
