/* test_sink_hdf5.c - results in HDF5: everything comes back, and nothing is lost by a kill, a full
 * disk or a wrong path. */
#include "check.h"

#ifndef WITHY_HAVE_LIB_HDF5
int main(void) {
    return 0;
}
#else

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "sink_fixture.h"
#include "withy/withy.h"

static withy_error err;

static const withy_probe probes[] = {{"tip", "position", 0, 1.0, 0, WITHY_OF_ROD, 0},
                                     {"a/b \"c\"", "frame", 1, 0.25, 0.5, WITHY_OF_ROD, 0}};

/* ---- round trip ------------------------------------------------------------------------------- */

static void check_snapshot(const withy_snapshot *snap, int rod, int64_t k) {
    int fields, entries;
    const withy_quantity *quantity = withy_quantity_list(WITHY_OF_ROD, &fields);
    const withy_quantity *entry = withy_quantity_list(WITHY_OF_LEDGER, &entries);
    CHECK(snap->t == 0.5 * (double)k);
    CHECK(snap->step == 10 * k);
    for (int q = 0; q < fields; q++) {
        const double *value = withy_quantity_at(&quantity[q], snap, 0);
        for (int i = 0; value && i < snap->count * quantity[q].size; i++)
            CHECK(value[i] == fix_number(q, rod, k, i));
    }
    for (int e = 0; e < entries; e++) {
        double value[WY_QUANTITY_SIZE];
        if (!wy_quantity_in(&entry[e], snap->have)) continue;
        wy_quantity_get(&entry[e], snap, value);
        for (int i = 0; i < entry[e].size; i++) {
            const double expected = fix_number(50 + e, rod, k, i);
            CHECK(value[i] == (entry[e].whole ? floor(expected) : expected));
        }
    }
}

TEST(every_field_of_every_rod_comes_back_bit_for_bit) {
    fix_run run;
    withy_result *result;
    const char *path = fix_path("all.h5");
    fix_make(&run, 3, 7, FIX_ALL);
    CHECK_OK(fix_write(&run, path, 300, "complete", &err));
    CHECK_OK(withy_result_open(path, &result, &err));
    CHECK(withy_result_rods(result) == 3 && withy_result_count(result) == 300);
    for (int64_t k = 299; k >= 0; k -= 23)
        for (int rod = 0; rod < 3; rod++) {
            const withy_snapshot *snap = withy_result_at(result, rod, k, &err);
            CHECK(snap && snap->have == FIX_ALL && snap->count == 7 + rod);
            CHECK(snap->s[snap->count - 1] == 1.0);
            check_snapshot(snap, rod, k);
        }
    withy_result_close(result);
    wy_arena_free(&run.arena);
}

TEST(probes_with_names_that_look_alike_are_kept_apart) {
    static const withy_probe probe[] = {{"a/b", "position", 0, 1.0, 0, WITHY_OF_ROD, 0},
                                        {"a_b", "position", 0, 0.5, 0, WITHY_OF_ROD, 0},
                                        {"probe2", "position", 0, 0.2, 0, WITHY_OF_ROD, 0},
                                        {".", "position", 0, 0.1, 0, WITHY_OF_ROD, 0}};
    fix_run run;
    withy_result *result;
    withy_result_probe found;
    const char *path = fix_path("alike.h5");
    fix_make(&run, 1, 3, FIX_ALL);
    run.meta.request.probe = probe, run.meta.request.probe_count = 4;
    CHECK_OK(fix_write(&run, path, 2, "complete", &err));
    CHECK_OK(withy_result_open(path, &result, &err));
    for (int i = 0; i < 4; i++) {
        CHECK(withy_result_probe_at(result, i, &found));
        CHECK_TEXT(found.name, probe[i].name);
        CHECK_NEAR(found.at, probe[i].at, 0);
    }
    withy_result_close(result);
    wy_arena_free(&run.arena);
}

TEST(texts_come_back) {
    fix_run run;
    withy_result *result;
    const char *path = fix_path("text.h5");
    fix_make(&run, 1, 3, FIX_ALL);
    run.meta.title = "Äquator \"x\"";
    CHECK_OK(fix_write(&run, path, 1, "interrupted", &err));
    CHECK_OK(withy_result_open(path, &result, &err));
    CHECK_TEXT(withy_result_text(result, "title"), "Äquator \"x\"");
    CHECK_TEXT(withy_result_text(result, "method"), "none");
    CHECK_TEXT(withy_result_text(result, "version"), "9.9.9");
    CHECK_TEXT(withy_result_text(result, "scene"), "return {}\n");
    CHECK_TEXT(withy_result_text(result, "scene_name"), "scene.lua");
    CHECK_TEXT(withy_result_text(result, "notes"), "one note\n");
    CHECK_TEXT(withy_result_text(result, "note_data"), "one\tn=1\n");
    CHECK_TEXT(withy_result_text(result, "status"), "interrupted");
    CHECK_TEXT(withy_result_text(result, "nonsense"), "");
    withy_result_close(result);
    wy_arena_free(&run.arena);
}

TEST(absent_fields_stay_absent) {
    fix_run run;
    withy_result *result;
    withy_result_entry entry;
    const char *path = fix_path("some.h5");
    const unsigned have = WITHY_HAVE_POSITION | WITHY_HAVE_BEND | WITHY_HAVE_ENERGY;
    fix_make(&run, 1, 5, have);
    CHECK_OK(fix_write(&run, path, 4, "complete", &err));
    CHECK_OK(withy_result_open(path, &result, &err));
    const withy_snapshot *snap = withy_result_at(result, 0, 3, &err);
    CHECK(snap && snap->have == have);
    CHECK(!snap->velocity && !snap->force);
    check_snapshot(snap, 0, 3);
    CHECK(!withy_result_ledger_at(result, 0, -1, &entry));
    for (int i = 0; withy_result_ledger_at(result, 0, i, &entry); i++)
        CHECK(strcmp(entry.name, "momentum") != 0);
    double value[12];
    CHECK(withy_result_ledger_read(result, 0, "momentum", value, &err) == WITHY_MISSING);
    CHECK_OK(withy_result_ledger_read(result, 0, "bend", value, &err));
    CHECK(value[3] == fix_number(53, 0, 3, 0));
    withy_result_close(result);
    wy_arena_free(&run.arena);
}

TEST(probes_come_back_in_the_order_of_the_scene) {
    fix_run run;
    withy_result *result;
    withy_result_probe probe;
    const char *path = fix_path("probe.h5");
    double t[2000], value[4 * 2000];
    fix_make(&run, 2, 3, FIX_ALL);
    run.meta.request.probe = probes;
    run.meta.request.probe_count = 2;
    CHECK_OK(fix_write(&run, path, 2000, "complete", &err));
    CHECK_OK(withy_result_open(path, &result, &err));
    CHECK(withy_result_probe_at(result, 1, &probe) && !withy_result_probe_at(result, 2, &probe));
    CHECK_TEXT(probe.name, "a/b \"c\"");
    CHECK_TEXT(probe.what, "frame");
    CHECK(probe.rod == 1 && probe.at == 0.25 && probe.size == 4 && probe.count == 2000);
    CHECK_OK(withy_result_probe_read(result, 1, t, value, &err));
    for (int k = 0; k < 2000; k++)
        CHECK(t[k] == 0.5 * k && value[4 * k + 3] == fix_number(91, 0, k, 3));
    withy_result_close(result);
    wy_arena_free(&run.arena);
}

/* Of two rods in line, through which one tendon runs, and another in the first alone. */
static const char two_rods[] = "local r = { length = 0.1, section = circle { diameter = 4e-3 }, "
                               "material = { young = 1e7, poisson = 0.3, "
                               "density = 1000 } } local function rod(name, x, loads, ends) return "
                               "{ name = name, length = r.length, "
                               "section = r.section, material = r.material, initial = { shape = "
                               "straight { from = { x, 0, 0 }, along = { "
                               "1, 0, 0 } } }, loads = loads, ends = ends } end return { rods = { "
                               "rod(\"a\", 0, { tendon { name = \"cable\", "
                               "route = { 5e-3, 0 }, tension = 0.01 }, tendon { route = "
                               "function(s) return 0, 1e-3 + 0.1 * s end, to = "
                               "0.07, tension = 0 } }, { start = clamped {} }), "
                               "rod(\"b\", 0.1, { tendon { continues = \"cable\", "
                               "route = { 5e-3, 0 } } }) }, joints = { weld { parts = { \"a\", "
                               "\"b\" }, at = { 0.1, 0 } } }, time = { stop = "
                               "1e-3 }, method = \"director\", options = { n = 5, dt = 1e-3 } }";

TEST(a_result_says_where_tendons_run_in_their_rods_and_which_one_goes_on_in_another) {
    const char *file = "tendon_test.h5";
    const withy_run_setup setup = {.output = &file, .output_count = 1};
    static withy_report report;
    withy_scene *scene = NULL;
    withy_result *r = NULL;
    withy_result_tendon t[3];
    CHECK_OK(withy_scene_read_text(two_rods, strlen(two_rods), "tendons", NULL, 0, &scene, &err));
    CHECK_OK(withy_run(scene, &setup, &report, &err));
    withy_scene_destroy(scene);
    CHECK_OK(withy_result_open(file, &r, &err));
    CHECK(withy_result_tendons(r) == 3 && !withy_result_tendon_at(r, 3, &t[0]));
    for (int i = 0; i < 3; i++) CHECK(withy_result_tendon_at(r, i, &t[i]) == 1);
    assert_string_equal(t[0].name, "cable");
    assert_string_equal(t[1].name, "tendon2");
    CHECK(t[0].rod == 0 && t[1].rod == 0 && t[2].rod == 1);
    CHECK(t[0].continues == -1 && t[1].continues == -1 && t[2].continues == 0);
    const withy_snapshot *snap = withy_result_at(r, 0, 0, &err);
    CHECK(snap && t[0].count == snap->count && t[1].count >= 3 && t[1].count < snap->count);
    for (int i = 0; i < t[0].count; i++) {
        CHECK_NEAR(t[0].route[i][0], snap->s[i], 1e-15);
        CHECK(t[0].route[i][1] == 5e-3 && t[0].route[i][2] == 0);
    }
    CHECK(t[1].route[0][0] == 0 && t[1].route[t[1].count - 1][0] == 0.07);
    for (int i = 0; i < t[1].count; i++)
        CHECK_NEAR(t[1].route[i][2], 1e-3 + 0.1 * t[1].route[i][0], 1e-15);
    withy_result_close(r);
    remove(file);
}

TEST(a_snapshot_that_lacks_a_field_is_refused) {
    fix_run run;
    void *state;
    const wy_sink *sink;
    fix_make(&run, 1, 3, FIX_ALL);
    CHECK_OK(wy_sink_for("x.h5", &sink, &err));
    CHECK_OK(sink->open(fix_path("lack.h5"), &run.meta, run.first, &state, &err));
    run.snap[0].have &= ~(unsigned)WITHY_HAVE_FORCE;
    CHECK(sink->write(state, 0, &run.snap[0], &err) == WITHY_BAD_INPUT);
    CHECK_OK(sink->close(state, "failed: test", &err));
    wy_arena_free(&run.arena);
}

/* ---- killed ----------------------------------------------------------------------------------- */

static void pause_ms(double ms) {
    const struct timespec time = {.tv_sec = (time_t)(ms / 1000),
                                  .tv_nsec = (long)(1e6 * fmod(ms, 1000))};
    nanosleep(&time, NULL);
}

/* Write for ever in a child, kill it after a while; returns once it has ended.  begun: the while begins when the file
 * is there, however busy the machine is. */
static void write_and_kill(fix_run *run, const char *path, double ms, bool begun) {
    const pid_t child = fork();
    if (child == 0) {
        fix_write(run, path, INT64_MAX, "complete", NULL);
        _exit(0);
    }
    while (begun && access(path, F_OK) != 0) {
        if (waitpid(child, NULL, WNOHANG) != 0) return; /* it has failed */
        pause_ms(1);
    }
    pause_ms(ms);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

TEST(killed_writer_leaves_a_readable_file) {
    int readable = 0, with_many = 0;
    for (int trial = 0; trial < 32; trial++) {
        fix_run run;
        withy_result *result;
        char name[32];
        snprintf(name, sizeof name, "killed%d.h5", trial);
        const char *path = fix_path(name);
        fix_make(&run, 1 + trial % 2, trial % 3 ? 20 : 400, trial % 4 ? FIX_ALL : 1);
        write_and_kill(&run, path, trial % 10 == 9 ? 700 : 4 + 5.3 * trial, trial >= 8);
        wy_arena_free(&run.arena);
        if (access(path, F_OK) != 0) continue; /* too early */
        CHECK_OK(withy_result_open(path, &result, &err));
        CHECK_TEXT(withy_result_text(result, "status"), "running");
        const int64_t count = withy_result_count(result);
        readable++, with_many += count > 1;
        for (int64_t k = count - 1; k >= 0; k -= 1 + count / 20) {
            const withy_snapshot *snap = withy_result_at(result, 0, k, &err);
            CHECK(snap);
            check_snapshot(snap, 0, k);
        }
        withy_result_close(result);
        unlink(path);
    }
    CHECK(readable >= 24);
    CHECK(with_many >= 1);
}

/* More rods than are flushed at once: closed, and killed. */
TEST(all_rows_of_a_network_come_back_and_of_a_killed_one_those_that_were_counted) {
    enum { RODS = FIX_RODS_MOST };
    for (int trial = 0; trial < 4; trial++) {
        fix_run run;
        withy_result *result;
        const char *path = fix_path("network.h5");
        fix_make(&run, RODS, 2, trial ? 1 : FIX_ALL);
        if (trial)
            write_and_kill(&run, path, 150 * trial, true);
        else
            CHECK_OK(fix_write(&run, path, 6, "complete", &err));
        wy_arena_free(&run.arena);
        if (trial && access(path, F_OK) != 0) continue; /* too early */
        CHECK_OK(withy_result_open(path, &result, &err));
        CHECK_TEXT(withy_result_text(result, "status"), trial ? "running" : "complete");
        const int64_t count = withy_result_count(result);
        CHECK(withy_result_rods(result) == RODS && (trial || count == 6));
        for (int rod = 0; rod < RODS && count; rod += trial ? 37 : 1)
            for (int64_t k = 0; k < count; k += 1 + count / 4) {
                const withy_snapshot *snap = withy_result_at(result, rod, k, &err);
                CHECK(snap && snap->count == 2 + rod);
                check_snapshot(snap, rod, k);
            }
        withy_result_close(result);
        unlink(path);
    }
}

TEST(a_result_can_be_read_while_it_is_written) {
    fix_run run;
    void *state;
    const wy_sink *sink;
    withy_result *result;
    const char *path = fix_path("live.h5");
    fix_make(&run, 1, 9, FIX_ALL);
    CHECK_OK(wy_sink_for(path, &sink, &err));
    CHECK_OK(sink->open(path, &run.meta, run.first, &state, &err));
    CHECK_OK(sink->write(state, 0, &run.snap[0], &err));
    CHECK_OK(withy_result_open(path, &result, &err));
    CHECK(withy_result_count(result) == 1);
    CHECK_TEXT(withy_result_text(result, "status"), "running");
    withy_result_close(result);
    CHECK_OK(sink->close(state, "complete", &err));
    wy_arena_free(&run.arena);
}

/* ---- what goes wrong --------------------------------------------------------------------------- */

/* In a child, since the limit cannot be lifted; the exit status counts the failed checks. */
static int write_under_limit(const char *path, int rods, rlim_t limit, int64_t count) {
    const pid_t child = fork();
    if (child == 0) {
        fix_run run;
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){limit, limit});
        fix_make(&run, rods, 50, FIX_ALL);
        const withy_status status = fix_write(&run, path, count, "complete", &err);
        const int good = status == WITHY_IO && strstr(err.text, path) &&
                         strstr(err.text, strerror(EFBIG)) && withy_memory_blocks() > 0;
        _exit(good ? 0 : 1);
    }
    int status;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

TEST(a_full_disk_stops_with_a_sentence_and_no_file_that_claims_to_be_whole) {
    static const rlim_t limit[] = {10, 3000, 30000, 200000, 1000000, 10000000, 3000000};
    for (size_t i = 0; i < sizeof limit / sizeof *limit; i++) {
        withy_result *result;
        char name[32];
        snprintf(name, sizeof name, "full%zu.h5", i);
        const char *path = fix_path(name);
        CHECK(write_under_limit(path, i < 6 ? 1 : 12, limit[i], 100000) == 0);
        if (access(path, F_OK) != 0) continue; /* not even the head fitted: no file at all */
        CHECK_OK(withy_result_open(path, &result, &err));
        CHECK_TEXT(withy_result_text(result, "status"), "failed: writing stopped: File too large");
        const int64_t count = withy_result_count(result);
        if (count > 0) check_snapshot(withy_result_at(result, 0, count - 1, &err), 0, count - 1);
        withy_result_close(result);
    }
}

TEST(an_unwritable_path_is_refused_at_open) {
    fix_run run;
    void *state;
    const wy_sink *sink;
    fix_make(&run, 1, 3, FIX_ALL);
    CHECK_OK(wy_sink_for("x.h5", &sink, &err));
    CHECK(sink->open("/nonexistent/folder/x.h5", &run.meta, run.first, &state, &err) == WITHY_IO);
    CHECK_TEXT(err.text, "/nonexistent/folder/x.h5: cannot be written: No such file or directory; "
                         "make its folder first");
    const char *folder = fix_path("folder.h5");
    mkdir(folder, 0777);
    CHECK(sink->open(folder, &run.meta, run.first, &state, &err) == WITHY_IO);
    CHECK(strstr(err.text, "Is a directory"));
    wy_arena_free(&run.arena);
    CHECK(withy_memory_blocks() == 0);
}

TEST(a_file_that_another_run_writes_is_left_alone) {
    fix_run run;
    void *state, *second;
    const wy_sink *sink;
    const char *path = fix_path("twice.h5");
    fix_make(&run, 1, 3, FIX_ALL);
    CHECK_OK(wy_sink_for(path, &sink, &err));
    CHECK_OK(sink->open(path, &run.meta, run.first, &state, &err));
    CHECK(sink->open(path, &run.meta, run.first, &second, &err) == WITHY_IO);
    CHECK(strstr(err.text, "another program, or another -o, has it open"));
    CHECK_OK(sink->close(state, "complete", &err));
    CHECK_OK(fix_write(&run, path, 2, "complete", &err)); /* and overwritten once it is free */
    wy_arena_free(&run.arena);
}

static void *write_in_thread(void *name) {
    fix_run run;
    withy_error mine = {0};
    fix_make(&run, 2, 12, FIX_ALL);
    const withy_status status = fix_write(&run, name, 3000, "complete", &mine);
    wy_arena_free(&run.arena);
    return status == WITHY_OK ? name : NULL;
}

TEST(four_threads_write_four_files_at_once) {
    char path[4][160];
    pthread_t thread[4];
    for (int i = 0; i < 4; i++) {
        char name[32];
        snprintf(name, sizeof name, "thread%d.h5", i);
        snprintf(path[i], sizeof path[i], "%s", fix_path(name));
        CHECK(pthread_create(&thread[i], NULL, write_in_thread, path[i]) == 0);
    }
    for (int i = 0; i < 4; i++) {
        void *good;
        withy_result *result;
        pthread_join(thread[i], &good);
        CHECK(good);
        CHECK_OK(withy_result_open(path[i], &result, &err));
        check_snapshot(withy_result_at(result, 1, 2999, &err), 1, 2999);
        withy_result_close(result);
    }
}

/* ---- memory ----------------------------------------------------------------------------------- */

TEST(memory_stays_below_150_MB_for_1e5_snapshots_of_200_nodes) {
    const char *path = fix_path("big.h5");
    const pid_t child = fork();
    if (child == 0) {
        fix_run run;
        void *state;
        const wy_sink *sink;
        fix_make(&run, 1, 200, WITHY_HAVE_POSITION | WITHY_HAVE_ENERGY);
        run.meta.request = (withy_request){.stop = 1e5, .output = 1};
        if (wy_sink_for(path, &sink, &err) != WITHY_OK) _exit(1);
        if (sink->open(path, &run.meta, run.first, &state, &err) != WITHY_OK) _exit(2);
        const size_t takes = withy_memory_allocations();
        for (int64_t k = 0; k < 100000; k++) {
            run.snap[0].t = (double)k;
            if (sink->write(state, 0, &run.snap[0], &err) != WITHY_OK) _exit(3);
        }
        if (withy_memory_allocations() != takes) _exit(4); /* writing takes no memory of ours */
        if (sink->close(state, "complete", &err) != WITHY_OK) _exit(5);
#ifndef __SANITIZE_ADDRESS__ /* which needs more itself */
        struct rusage usage;
        getrusage(RUSAGE_SELF, &usage);
        if (usage.ru_maxrss > 150 * 1024) _exit(6);
#endif
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    unlink(path);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
}

static int clean(void **state) {
    (void)state;
    fix_clean();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(every_field_of_every_rod_comes_back_bit_for_bit),
        test(texts_come_back),
        test(probes_with_names_that_look_alike_are_kept_apart),
        test(absent_fields_stay_absent),
        test(probes_come_back_in_the_order_of_the_scene),
        test(a_result_says_where_tendons_run_in_their_rods_and_which_one_goes_on_in_another),
        test(a_snapshot_that_lacks_a_field_is_refused),
        test(killed_writer_leaves_a_readable_file),
        test(a_result_can_be_read_while_it_is_written),
        test(a_full_disk_stops_with_a_sentence_and_no_file_that_claims_to_be_whole),
        test(an_unwritable_path_is_refused_at_open),
        test(a_file_that_another_run_writes_is_left_alone),
        test(four_threads_write_four_files_at_once),
        test(memory_stays_below_150_MB_for_1e5_snapshots_of_200_nodes),
        test(all_rows_of_a_network_come_back_and_of_a_killed_one_those_that_were_counted)};
    return cmocka_run_group_tests(tests, NULL, clean);
}
#endif
