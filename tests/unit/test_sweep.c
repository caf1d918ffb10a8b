/* test_sweep.c - sweeps: the rows do not depend on who computes them, failures are rows, and a kill loses only
 * what was in flight.
 *
 * usage: test_sweep [kills] [filter]: at how many moments a sweep is killed (2). */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "check.h"
#include "study/sweep/sweep.h"
#include "withy/withy.h"

static int kills = 2;
static char folder[] = "/tmp/withy-sweep-XXXXXX";
#include "in_folder.h"

/* A cantilever under its weight; bend 0.3 .. is refused by the scene for every hundredth. */
static const char text[] =
    "local p = params { load = { 1, 0, 10 }, bend = 1 }\n"
    "assert(math.floor(p.bend * 100 + 0.5) % 100 ~= 7, \"no rod of this stiffness\")\n"
    "return { rod = { length = 1, stiffness = { bend = p.bend }, inertia = { mass = 1 } },\n"
    "  initial = { shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },\n"
    "  ends = { start = clamped {}, finish = free { force = { 0, 0, -p.load } } },\n"
    "  probes = { tip = { at = 1, what = \"position\", every = 0.01 } },\n"
    "  time = { stop = 0.2, output = 0.1 }, method = \"director\", options = { n = 4, dt = 0.01 } "
    "}";

static withy_sweep_setup setup_of(const char *const *over, int count, const char *output) {
    return (withy_sweep_setup){.scene = "beam.lua",
                               .text = text,
                               .over = over,
                               .over_count = count,
                               .kind = WITHY_SWEEP_STATIC,
                               .output = output,
                               .threads = 1};
}

static withy_status sweep(const withy_sweep_setup *setup, withy_sweep_report *report,
                          withy_error *err) {
    const withy_status status = withy_sweep(setup, report, err);
    if (status == WITHY_MISSING) skip(); /* a build without Lua or HDF5 */
    return status;
}

static char *bytes_of(const char *path, long *size) {
    FILE *file = fopen(path, "rb");
    CHECK(file);
    fseek(file, 0, SEEK_END);
    *size = ftell(file);
    rewind(file);
    char *bytes = malloc((size_t)*size);
    CHECK(bytes && fread(bytes, 1, (size_t)*size, file) == (size_t)*size);
    fclose(file);
    return bytes;
}

/* Not only the rows: every byte. */
static void same_files(const char *a, const char *b) {
    long x, y;
    char *one = bytes_of(a, &x), *other = bytes_of(b, &y);
    CHECK(x == y && memcmp(one, other, (size_t)x) == 0);
    free(one), free(other);
}

/* ---- plans ------------------------------------------------------------------------------------------ */

static wy_sweep_plan plan_of(const char *const *over, int count, const char *sample,
                             wy_arena *arena) {
    wy_sweep_plan plan;
    withy_error err = {0};
    CHECK_OK(wy_sweep_plan_make(&plan, over, count, sample, arena, &err));
    return plan;
}

TEST(a_grid_has_all_combinations_and_its_ends_exactly) {
    static const char *const over[] = {"a=1..3:3", "b=1,10", "c=0.1..100:4:log"};
    wy_arena arena = {0};
    const wy_sweep_plan plan = plan_of(over, 3, NULL, &arena);
    double x[WY_PLAN_AXES];
    CHECK(plan.count == 24);
    wy_sweep_plan_at(&plan, 0, x);
    CHECK(x[0] == 1 && x[1] == 1 && x[2] == 0.1);
    wy_sweep_plan_at(&plan, 23, x);
    CHECK(x[0] == 3 && x[1] == 10 && x[2] == 100);
    wy_sweep_plan_at(&plan, 4 + 2, x); /* the last one varies quickest */
    CHECK(x[0] == 1 && x[1] == 10);
    CHECK_NEAR(x[2], 10, 1e-13);
    wy_arena_free(&arena);
}

/* Of the first 2^k points one is in each of 2^k equal parts, in every dimension. */
TEST(sobol_points_and_latin_hypercubes_fill_every_stratum_once) {
    static const char *const over[] = {"a=0..1", "b=0..1", "c=0..1", "d=0..1", "e=0..1", "f=0..1",
                                       "g=0..1", "h=0..1", "i=0..1", "j=0..1", "k=0..1", "l=0..1",
                                       "m=0..1", "n=0..1", "o=0..1", "p=0..1"};
    static const char *const sample[] = {"sobol:256", "lhs:256", "lhs:256:7"};
    for (int s = 0; s < 3; s++) {
        wy_arena arena = {0};
        const wy_sweep_plan plan = plan_of(over, 16, sample[s], &arena);
        static char seen[16][256];
        memset(seen, 0, sizeof seen);
        for (int64_t i = 0; i < plan.count; i++) {
            double x[WY_PLAN_AXES];
            wy_sweep_plan_at(&plan, i, x);
            for (int k = 0; k < 16; k++) seen[k][(int)(256 * x[k])]++;
        }
        for (int k = 0; k < 16; k++)
            for (int i = 0; i < 256; i++) CHECK(seen[k][i] == 1);
        wy_arena_free(&arena);
    }
}

/* Any box of 2^-a by 2^-b with a + b = 8 holds one of the first 2^8 points of the first two dimensions. */
TEST(the_first_two_dimensions_of_sobol_are_a_net) {
    static const char *const over[] = {"a=0..1", "b=0..1"};
    wy_arena arena = {0};
    const wy_sweep_plan plan = plan_of(over, 2, "sobol:256", &arena);
    for (int a = 0; a <= 8; a++) {
        char seen[256] = {0};
        for (int64_t i = 0; i < 256; i++) {
            double x[WY_PLAN_AXES];
            wy_sweep_plan_at(&plan, i, x);
            seen[(int)(x[0] * (1 << a)) + (1 << a) * (int)(x[1] * (1 << (8 - a)))]++;
        }
        for (int i = 0; i < 256; i++) CHECK(seen[i] == 1);
    }
    wy_arena_free(&arena);
}

TEST(each_mistake_about_a_sweep_has_its_sentence) {
    static const struct {
        const char *over, *sample, *requested, *message;
    } row[] = {
        {"params.load", NULL, NULL, "--over params.load: must be PATH=FROM..TO:COUNT"},
        {"params.load=2..1:5", NULL, NULL, "the range is empty: it ends before it starts"},
        {"params.load=1..1:5", NULL, NULL, "the range is empty: both ends are the same"},
        {"params.load=1..2", NULL, NULL, "the number of values is missing"},
        {"params.load=1..2:0", NULL, NULL, "must be a whole number from 1 to 1000000"},
        {"params.load=-1..2:5:log", NULL, NULL, "must be of positive numbers"},
        {"params.load=1,x", NULL, NULL, "a list of numbers"},
        {"params.load=1,2", "sobol:4", NULL, "a sample needs a range"},
        {"params.load=1..2", "sobel:4", NULL, "must be sobol:COUNT, lhs:COUNT or lhs:COUNT:SEED"},
        {"params.load=1..2", "lhs:0", NULL, "must be a whole number"},
        {"params.laod=1..2:3", NULL, NULL, "has no parameter \"laod\"; did you mean \"load\"?"},
        {"params.load=1..2:3", NULL, "finsh.x",
         "there is no such number; did you mean \"finish\"?"},
        {"params.load=1..2:3", NULL, "finish", "is a vector; which component?"},
        {"params.load=1..2:3", NULL, "finish.w", "has no such quantity or component"},
        {"params.load=1..2:3", NULL, "finish.x:most", "must be last, max, min, mean"},
        {"params.load=1..2:3", NULL, "energy:frequency", "has no frequency"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        withy_error err = {0};
        withy_sweep_report report;
        withy_sweep_setup setup = setup_of(&row[i].over, 1, in_folder("wrong.h5"));
        setup.sample = row[i].sample, setup.requested = &row[i].requested;
        setup.requested_count = row[i].requested != NULL;
        CHECK(sweep(&setup, &report, &err) == WITHY_BAD_INPUT);
        if (!strstr(err.text, row[i].message))
            fail_msg("%s\n  not in \"%s\"", row[i].message, err.text);
        CHECK(access(in_folder("wrong.h5"), F_OK) != 0);
    }
}

static int stop_at_five(void *calls, int64_t done, int64_t failed, int64_t total) {
    CHECK(done == 0 && failed == 0 && total == 500);
    return ++*(int *)calls >= 5;
}

TEST(members_that_cannot_be_read_are_given_up_on_request) {
    static const char *const over[] = {"rod.lenght=1..2:500"};
    withy_error err = {0};
    withy_sweep_report report;
    int calls = 0;
    withy_sweep_setup setup = setup_of(over, 1, in_folder("wrong.h5"));
    setup.progress = stop_at_five, setup.context = &calls;
    CHECK(sweep(&setup, &report, &err) == WITHY_INTERRUPTED && calls == 5);
    CHECK_TEXT(err.text, "stopped on request before the first member");
    CHECK(access(in_folder("wrong.h5"), F_OK) != 0);
}

/* ---- rows ------------------------------------------------------------------------------------------- */

TEST(rows_are_those_of_single_studies_and_failures_have_their_sentence) {
    static const char *const over[] = {"params.bend=0.9..1.1:21"};
    const char *path = in_folder("rows.h5"), *message;
    withy_error err = {0};
    withy_sweep_report report;
    withy_sweep_file *file;
    withy_sweep_column x, z;
    withy_sweep_setup setup = setup_of(over, 1, path);
    const char *requested[] = {"finish.z", "energy"};
    setup.requested = requested, setup.requested_count = 2;
    CHECK_OK(sweep(&setup, &report, &err));
    CHECK(report.total == 21 && report.done == 21 && report.failed == 1 && report.first == 17);
    CHECK_OK(withy_sweep_open(path, &file, &err));
    CHECK(withy_sweep_count(file) == 21 && withy_sweep_is_grid(file));
    CHECK(withy_sweep_column_at(file, 0, &x) && strcmp(x.name, "params.bend") == 0 && x.over);
    CHECK(withy_sweep_column_at(file, 1, &z) && strcmp(z.name, "finish.z") == 0 && !z.over);
    CHECK(withy_sweep_status(file, 17, &message) == WITHY_BAD_INPUT && isnan(z.value[17]));
    CHECK(strstr(message, "no rod of this stiffness"));
    CHECK(withy_sweep_status(file, 3, &message) == WITHY_OK && message[0] == '\0');
    char set[64];
    const char *one = set;
    snprintf(set, sizeof set, "params.bend=%.17g", x.value[3]);
    withy_scene *scene;
    withy_static_report alone;
    const withy_run_setup plain = {0};
    CHECK_OK(withy_scene_read_text(text, strlen(text), "beam.lua", &one, 1, &scene, &err));
    CHECK_OK(withy_static(scene, &plain, &alone, &err));
    CHECK(z.value[3] == alone.point[alone.count - 1].position[1].z);
    withy_static_free(&alone);
    withy_scene_destroy(scene);
    withy_sweep_close(file);
    unlink(path);
}

TEST(runs_give_probes_last_largest_mean_and_at_a_time) {
    static const char *const over[] = {"params.load=1..3:3"};
    static const char *const requested[] = {"tip.z",      "tip.z:max", "tip.z:min", "tip.z:at=0.05",
                                            "tip.z:mean", "tip.norm",  "kinetic"};
    const char *path = in_folder("runs.h5");
    withy_error err = {0};
    withy_sweep_report report;
    withy_sweep_file *file;
    withy_sweep_column c[8];
    withy_sweep_setup setup = setup_of(over, 1, path);
    setup.kind = WITHY_SWEEP_RUN, setup.requested = requested, setup.requested_count = 7;
    CHECK_OK(sweep(&setup, &report, &err));
    CHECK_OK(withy_sweep_open(path, &file, &err));
    for (int i = 0; i < 8; i++) CHECK(withy_sweep_column_at(file, i, &c[i]));
    for (int k = 0; k < 3; k++) {
        CHECK(c[2].value[k] == 0 && c[3].value[k] <= c[1].value[k] && c[3].value[k] < 0);
        CHECK(c[4].value[k] < 0 && c[5].value[k] < 0 && c[5].value[k] > c[3].value[k]);
        CHECK(c[6].value[k] > 0.5 && c[7].value[k] > 0);
    }
    withy_sweep_close(file);
    unlink(path);
}

TEST(modes_are_swept_too) {
    static const char *const over[] = {"params.bend=1,4"};
    const char *path = in_folder("modes.h5");
    withy_error err = {0};
    withy_sweep_report report;
    withy_sweep_file *file;
    withy_sweep_column c;
    const char *none = "params.load=0";
    withy_sweep_setup setup = setup_of(over, 1, path);
    setup.kind = WITHY_SWEEP_MODES, setup.modes = 2, setup.set = &none, setup.set_count = 1;
    CHECK_OK(sweep(&setup, &report, &err));
    CHECK_OK(withy_sweep_open(path, &file, &err));
    CHECK(withy_sweep_column_at(file, 1, &c) && strcmp(c.name, "frequency.1") == 0);
    CHECK_NEAR(c.value[1], 2 * c.value[0], 1e-6 * c.value[1]); /* f ~ sqrt(EI) */
    withy_sweep_close(file);
    unlink(path);
}

TEST(the_file_is_the_same_for_any_number_of_threads) {
    static const char *const over[] = {"params.load=0..3", "params.bend=0.8..2:log"};
    const char *a = in_folder("one.h5"), *b = in_folder("three.h5");
    withy_error err = {0};
    withy_sweep_report report;
    withy_sweep_setup setup = setup_of(over, 2, a);
    setup.sample = "sobol:64";
    CHECK_OK(sweep(&setup, &report, &err));
    setup.output = b, setup.threads = 3;
    CHECK_OK(sweep(&setup, &report, &err));
    same_files(a, b);
    unlink(a), unlink(b);
}

/* ---- stopped and killed ------------------------------------------------------------------------------ */

static int stop_at_ten(void *unused, int64_t done, int64_t failed, int64_t total) {
    (void)unused, (void)failed, (void)total;
    return done >= 10;
}

TEST(a_sweep_that_was_stopped_or_killed_goes_on_to_the_same_file) {
    static const char *const over[] = {"params.load=0..3:10", "params.bend=0.8..2:20"};
    static const char *const other[] = {"params.load=0..3:10", "params.bend=0.8..3:20"};
    const char *whole = in_folder("whole.h5"), *part = in_folder("part.h5");
    withy_error err = {0};
    withy_sweep_report report;
    withy_sweep_setup setup = setup_of(over, 2, whole);
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    CHECK_OK(sweep(&setup, &report, &err));
    clock_gettime(CLOCK_MONOTONIC, &b);
    const double took = (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
    setup.output = part, setup.progress = stop_at_ten;
    CHECK(sweep(&setup, &report, &err) == WITHY_INTERRUPTED && report.done == 10);
    CHECK(strstr(err.text, "stopped on request after 10 of 200 members; --resume continues"));
    setup.progress = NULL, setup.resume = 1;
    CHECK_OK(sweep(&setup, &report, &err));
    CHECK(report.before == 10 && report.done == 200);
    same_files(whole, part);
    setup.over = other;
    CHECK(sweep(&setup, &report, &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "is of another sweep: it has \"over params.bend=0.8..2:20\""));
    setup.over = over;
    srand(3);
    for (int i = 0; i < kills; i++) {
        unlink(part);
        const pid_t child = fork();
        if (child == 0) {
            setup.resume = 0, setup.threads = 2;
            withy_sweep(&setup, &report, &err);
            _exit(0);
        }
        const double after = took * rand() / RAND_MAX;
        const struct timespec nap = {(time_t)after, (long)(1e9 * (after - floor(after)))};
        nanosleep(&nap, NULL);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        setup.resume = access(part, F_OK) == 0;
        CHECK_OK(sweep(&setup, &report, &err));
        same_files(whole, part);
    }
    unlink(whole), unlink(part);
}

/* ---- stopped while members run ------------------------------------------------------------------------ */

/* Motions that take days: only a sweep that asks within its members comes back. */
static const char endless[] =
    "local p = params { load = { 1, 0, 10 } }\n"
    "return { rod = { length = 1, section = circle { diameter = 0.05 }, material = { young = 1e6, "
    "shear = 4e5, density = 1000 } },\n"
    "  initial = { shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },\n"
    "  ends = { start = clamped {}, finish = free {} }, gravity = { 0, 0, -p.load },\n"
    "  time = { stop = 1e6, output = 1e6 }, options = { n = 8 } }";

typedef struct patience {
    int calls, after; /* that were made; after the one that asked to stop */
} patience;

static int give_up(void *context, int64_t done, int64_t failed, int64_t total) {
    enum { ENOUGH = 3 };
    patience *x = context;
    (void)done, (void)failed, (void)total;
    x->after += x->calls++ > ENOUGH;
    return x->calls >= ENOUGH;
}

TEST(a_sweep_stops_while_its_members_run_by_threads_and_in_vectors) {
    static const char *const method[] = {"director", "fdtd", "kirchhoff"};
    const char *over[] = {"params.load=1..9:20"};
    for (size_t i = 0; i < sizeof method / sizeof *method; i++)
        for (int threads = 1; threads <= 3; threads += 2) {
            patience x = {0};
            withy_sweep_report report;
            withy_error err = {0};
            withy_sweep_setup setup = setup_of(over, 1, "endless.h5");
            setup.kind = WITHY_SWEEP_RUN, setup.text = endless, setup.threads = threads;
            setup.method = method[i], setup.progress = give_up, setup.context = &x;
            const withy_status status = sweep(&setup, &report, &err);
            if (status != WITHY_INTERRUPTED) fail_msg("%s: %s", method[i], err.text);
            CHECK(report.done == 0 && report.total == 20);
            CHECK_BELOW(x.after, threads); /* nobody asks again who has been told */
        }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        test(a_grid_has_all_combinations_and_its_ends_exactly),
        test(sobol_points_and_latin_hypercubes_fill_every_stratum_once),
        test(the_first_two_dimensions_of_sobol_are_a_net),
        test(each_mistake_about_a_sweep_has_its_sentence),
        test(members_that_cannot_be_read_are_given_up_on_request),
        test(rows_are_those_of_single_studies_and_failures_have_their_sentence),
        test(runs_give_probes_last_largest_mean_and_at_a_time),
        test(modes_are_swept_too),
        test(the_file_is_the_same_for_any_number_of_threads),
        test(a_sweep_stops_while_its_members_run_by_threads_and_in_vectors),
        test(a_sweep_that_was_stopped_or_killed_goes_on_to_the_same_file)};
    if (argc > 1) kills = atoi(argv[1]);
    if (argc > 2) cmocka_set_test_filter(argv[2]);
    if (!mkdtemp(folder)) return 1;
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failures;
}
