/* test_sweep_engine.c - sweeps of motions whose members are stepped together: the rows are those of single runs, and
 * the file does not depend on threads, on the company of a member or on interruptions. */
#include <stdlib.h>
#include <unistd.h>

#include "base/base.h"
#include "check.h"
#include "withy/withy.h"

static char folder[] = "/tmp/withy-engine-XXXXXX";
#include "in_folder.h"

/* A soft cantilever that falls; damped or not, of another mesh, or refused.  `blow` adds a load that is a function of
 * time, which is not packed. */
static const char text[] =
    "local p = params { young = { 1e6, 1e5, 1e7 }, damp = 0, blow = 0, bad = 0 }\n"
    "assert(p.bad ~= 7, \"no rod of this number\")\n"
    "return { rod = { length = 1, section = circle { diameter = 0.05 }, material = { young = "
    "p.young, shear = p.young / 3, density = 1000 }, damping = { time = 1e-4 * p.damp } },\n"
    "  initial = { shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },\n"
    "  gravity = { 0, 0, -9.81 }, ends = { start = clamped {}, finish = free {} },\n"
    "  loads = p.blow > 0 and { point { at = 0.5, force = function(t) return { 0, p.blow * "
    "math.sin(90 * t), 0 } end } } or nil,\n"
    "  probes = { tip = { at = 1, what = \"position\", every = 1e-3 }, middle = { at = 0.5, what = "
    "\"position\", every = 1e-3 }, speed = { at = 1, what = \"velocity\", every = 2e-3 } },\n"
    "  time = { stop = 0.02, output = 0.01 }, method = \"fdtd\", options = { n = 8 } }";

static const char *const over[] = {"params.young=5e5..2e6:6:log", "params.damp=0,1",
                                   "params.blow=0,2"};
static const char *const requested[] = {"tip.z",       "tip.z:mean",    "middle.z:min",
                                        "speed.z:max", "force.start.z", "energy"};
enum { MEMBERS = 24, WANTS = 6, AXES = 3 };

static withy_sweep_setup setup_of(const char *output) {
    return (withy_sweep_setup){.scene = "fall.lua",
                               .text = text,
                               .over = over,
                               .over_count = AXES,
                               .requested = requested,
                               .requested_count = WANTS,
                               .output = output,
                               .threads = 1};
}

static withy_status sweep(const withy_sweep_setup *setup, withy_sweep_report *report,
                          withy_error *err) {
    const withy_status status = withy_sweep(setup, report, err);
    if (status == WITHY_MISSING) skip(); /* a build without Lua or HDF5 */
    return status;
}

static void same_files(const char *a, const char *b) {
    FILE *one = fopen(a, "rb"), *other = fopen(b, "rb");
    int x, y;
    CHECK(one && other);
    do {
        x = getc(one), y = getc(other);
        CHECK(x == y);
    } while (x != EOF);
    fclose(one), fclose(other);
}

TEST(members_of_a_sweep_under_fdtd_are_stepped_in_vectors_and_give_what_each_gives_alone) {
    const char *a = in_folder("alone.h5"), *b = in_folder("vector.h5");
    withy_error err = {0};
    withy_sweep_report report;
    withy_sweep_file *one, *other;
    withy_sweep_setup setup = setup_of(a);
    setup.engine = "threads";
    CHECK_OK(sweep(&setup, &report, &err));
    CHECK(report.engine[0] == '\0' && report.failed == 0);
    setup.output = b, setup.engine = NULL;
    CHECK_OK(sweep(&setup, &report, &err));
    CHECK(strcmp(report.engine, "vectors of eight rods") == 0 && report.done == MEMBERS);
    CHECK_OK(withy_sweep_open(a, &one, &err));
    CHECK_OK(withy_sweep_open(b, &other, &err));
    double off = 0;
    for (int k = 0; k < WANTS; k++) {
        withy_sweep_column x, y;
        CHECK(withy_sweep_column_at(one, AXES + k, &x));
        CHECK(withy_sweep_column_at(other, AXES + k, &y));
        for (int i = 0; i < MEMBERS; i++)
            off = fmax(off, fabs(x.value[i] - y.value[i]) / fmax(1e-2, fabs(x.value[i])));
    }
    printf("    off by %.1e\n", off);
    CHECK_NEAR(off, 0, 1e-12);
    withy_sweep_close(one), withy_sweep_close(other);
    unlink(a), unlink(b);
}

static int stop_at_nine(void *unused, int64_t done, int64_t failed, int64_t total) {
    (void)unused, (void)failed, (void)total;
    return done >= 9;
}

TEST(the_file_of_a_sweep_in_vectors_is_the_same_for_any_number_of_threads_and_after_a_stop) {
    const char *a = in_folder("one.h5"), *b = in_folder("three.h5");
    withy_error err = {0};
    withy_sweep_report report;
    withy_sweep_setup setup = setup_of(a);
    CHECK_OK(sweep(&setup, &report, &err));
    setup.output = b, setup.threads = 3;
    CHECK_OK(sweep(&setup, &report, &err));
    same_files(a, b);
    unlink(b);
    setup.threads = 1, setup.progress = stop_at_nine; /* other members share a vector then */
    CHECK(sweep(&setup, &report, &err) == WITHY_INTERRUPTED && report.done < MEMBERS);
    setup.threads = 2, setup.progress = NULL, setup.resume = 1;
    CHECK_OK(sweep(&setup, &report, &err));
    CHECK(report.before > 0 && report.done == MEMBERS);
    same_files(a, b);
    setup.engine = "threads";
    CHECK(sweep(&setup, &report, &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "is of another sweep"));
    unlink(a), unlink(b);
}

TEST(a_member_that_fails_in_a_vector_has_its_sentence_and_leaves_the_others_as_they_are) {
    static const char *const some[] = {"params.bad=1,7,2"}, *const sound[] = {"params.bad=1,2"};
    const char *a = in_folder("some.h5"), *b = in_folder("sound.h5"), *message;
    withy_error err = {0};
    withy_sweep_report report;
    withy_sweep_file *file, *other;
    withy_sweep_column x, y;
    withy_sweep_setup setup = setup_of(a);
    setup.over = some, setup.over_count = 1;
    CHECK_OK(sweep(&setup, &report, &err));
    CHECK(report.done == 3 && report.failed == 1 && report.first == 1);
    setup.over = sound, setup.output = b;
    CHECK_OK(sweep(&setup, &report, &err));
    CHECK_OK(withy_sweep_open(a, &file, &err));
    CHECK_OK(withy_sweep_open(b, &other, &err));
    CHECK(withy_sweep_column_at(file, 1, &x));
    CHECK(withy_sweep_column_at(other, 1, &y));
    CHECK(withy_sweep_status(file, 1, &message) == WITHY_BAD_INPUT);
    CHECK(strstr(message, "no rod of this number") && isnan(x.value[1]));
    CHECK(x.value[0] == y.value[0] && x.value[2] == y.value[1]);
    withy_sweep_close(file), withy_sweep_close(other);
    unlink(a), unlink(b);
}

TEST(results_of_members_that_are_stepped_together_are_those_of_withy_run) {
    const char *set[] = {"params.young=7e5", "params.damp=1"};
    static const char *const two[] = {"params.young=7e5,9e5"};
    withy_error err = {0};
    withy_sweep_report report;
    withy_sweep_setup setup = setup_of(in_folder("rows.h5"));
    withy_scene *scene;
    withy_report alone;
    withy_result *result;
    withy_result_probe probe;
    double t[21], value[63];
    int checked = 0;
    char path[256];
    setup.over = two, setup.over_count = 1, setup.set = &set[1], setup.set_count = 1;
    setup.results = folder;
    CHECK_OK(sweep(&setup, &report, &err));
    CHECK_OK(withy_scene_read_text(text, strlen(text), "fall.lua", set, 2, &scene, &err));
    const withy_run_setup plain = {0};
    CHECK_OK(withy_run(scene, &plain, &alone, &err));
    withy_scene_destroy(scene);
    snprintf(path, sizeof path, "%s/000000.h5", folder);
    CHECK_OK(withy_result_open(path, &result, &err));
    for (int i = 0; withy_result_probe_at(result, i, &probe); i++) {
        const int slow = strcmp(probe.name, "speed") == 0;
        CHECK(probe.count == (slow ? 11 : 21));
        CHECK_OK(withy_result_probe_read(result, i, t, value, &err));
        const double *last = &value[3 * (probe.count - 1)];
        for (int k = 0; k < alone.probe_count; k++)
            for (int d = 0; strcmp(alone.probe[k].name, probe.name) == 0 && d < 3; d++) {
                CHECK_NEAR(last[d], alone.probe[k].value[d], 1e-12);
                checked++;
            }
        for (int k = 0; k < probe.count; k++) CHECK_NEAR(t[k], k * (slow ? 2e-3 : 1e-3), 1e-15);
    }
    CHECK(checked == 9);
    withy_result_close(result);
}

TEST(each_mistake_about_an_engine_has_its_sentence) {
    static const struct {
        const char *engine, *method, *message;
        withy_sweep_kind kind;
    } row[] = {
        {"gpu", NULL, "--engine gpu: must be threads, vector, opencl, opencl:N", WITHY_SWEEP_RUN},
        {"opencl:x", NULL, "must be threads, vector, opencl, opencl:N", WITHY_SWEEP_RUN},
        {"vector:1", NULL, "must be threads, vector, opencl, opencl:N", WITHY_SWEEP_RUN},
        {"vector", "director", "and the method of this sweep is another; use --method fdtd",
         WITHY_SWEEP_RUN},
        {"opencl", NULL, "and this is a sweep of equilibria or modes", WITHY_SWEEP_MODES}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        withy_error err = {0};
        withy_sweep_report report;
        withy_sweep_setup setup = setup_of(in_folder("wrong.h5"));
        setup.engine = row[i].engine, setup.method = row[i].method, setup.kind = row[i].kind;
        if (setup.kind == WITHY_SWEEP_MODES) setup.requested_count = 0;
        CHECK(sweep(&setup, &report, &err) == WITHY_BAD_INPUT);
        if (!strstr(err.text, row[i].message))
            fail_msg("%s\n  not in \"%s\"", row[i].message, err.text);
        CHECK(access(in_folder("wrong.h5"), F_OK) != 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test(members_of_a_sweep_under_fdtd_are_stepped_in_vectors_and_give_what_each_gives_alone),
        test(the_file_of_a_sweep_in_vectors_is_the_same_for_any_number_of_threads_and_after_a_stop),
        test(a_member_that_fails_in_a_vector_has_its_sentence_and_leaves_the_others_as_they_are),
        test(results_of_members_that_are_stepped_together_are_those_of_withy_run),
        test(each_mistake_about_an_engine_has_its_sentence)};
    if (!mkdtemp(folder)) return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char command[300];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) != 0 || failed;
}
