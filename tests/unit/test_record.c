/* test_record.c - a result in memory holds what a file of the same run holds, and functions of the calling
 * program take the place of functions of the scene. */
#include "check.h"
#include "withy/withy.h"

static const char TEXT[] =
    "return { rod = { length = 1, section = circle { diameter = 0.02 },"
    " material = { young = 1e8, shear = 4e7, density = 1000 } }, ends = { start = clamped {} },"
    " initial = { shape = straight { along = { 1, 0, 0 } } }, time = { stop = 0.05, output = 0.01 "
    "},"
    " loads = { distributed { force = function(s, t) return %s end } },"
    " probes = { tip = { what = \"position\", at = 1, every = 2e-3 } },"
    " method = \"director\", options = { n = 4, dt = 1e-3 } }";

static withy_scene *scene_of(const char *force, const withy_host *host, withy_error *err) {
    char text[1024];
    withy_scene *scene = NULL;
    snprintf(text, sizeof text, TEXT, force);
    withy_scene_read_host(text, strlen(text), "scene.lua", NULL, 0, host, &scene, err);
    return scene;
}

/* Positions of the rod at the last time, in a table that the record owns. */
static withy_table run(const withy_scene *scene, withy_record *record, const char *file) {
    withy_error err = {0};
    withy_table position;
    const withy_run_setup setup = {.record = record, .output = &file, .output_count = file != NULL};
    CHECK_OK(withy_scene_solve(scene, WITHY_TASK_RUN, 0, &setup, &err));
    CHECK(strcmp(withy_record_text(record, "status"), "complete") == 0);
    CHECK(withy_record_find(record, WITHY_RECORD_ROD, 0, "position", &position));
    return position;
}

static void same_tables(const withy_record *a, const withy_record *b) {
    for (int of = 0; of < WITHY_RECORD_KINDS; of++) {
        CHECK(withy_record_count(a, of) == withy_record_count(b, of));
        for (int part = 0; part < withy_record_count(a, of); part++) {
            withy_table x, y;
            for (int k = 0; withy_record_table(a, of, part, k, &x); k++) {
                CHECK(withy_record_find(b, of, part, x.name, &y));
                CHECK(x.rows == y.rows && x.stations == y.stations && x.size == y.size);
                const size_t count = (size_t)x.rows * (size_t)x.stations * (size_t)x.size;
                CHECK(memcmp(x.value, y.value, count * sizeof *x.value) == 0);
            }
        }
    }
}

TEST(a_record_equals_the_file_of_the_same_run) {
    withy_error err = {0};
    withy_record *record = withy_record_create(), *read = withy_record_create();
    withy_scene *scene = scene_of("0, 0, -s", NULL, &err);
    const withy_table position = run(scene, record, "record.h5");
    CHECK(position.rows == 6 && position.size == 3);
    withy_table value;
    CHECK(withy_record_find(record, WITHY_RECORD_PROBE, 0, "value", &value) && value.rows == 26);
    CHECK(strcmp(withy_record_name(record, WITHY_RECORD_PROBE, 0), "tip") == 0);
    CHECK_OK(withy_record_read(read, "record.h5", &err));
    same_tables(record, read);
    same_tables(read, record);
    withy_record_destroy(record), withy_record_destroy(read);
    withy_scene_destroy(scene);
    remove("record.h5");
}

TEST(a_record_is_filled_again_by_the_next_study) {
    withy_error err = {0};
    withy_record *record = withy_record_create();
    withy_scene *scene = scene_of("0, 0, -s", NULL, &err);
    const withy_run_setup setup = {.record = record};
    run(scene, record, NULL);
    CHECK_OK(withy_scene_solve(scene, WITHY_TASK_MODES, 3, &setup, &err));
    withy_table t;
    CHECK(withy_record_find(record, WITHY_RECORD_STUDY, 0, "t", &t) && t.rows >= 3);
    CHECK(withy_record_find(record, WITHY_RECORD_LEDGER, 0, "growth", &t));
    CHECK_OK(withy_scene_solve(scene, WITHY_TASK_STATIC, 0, &setup, &err));
    CHECK(withy_record_find(record, WITHY_RECORD_STUDY, 0, "t", &t) && t.rows == 1);
    withy_record_destroy(record);
    withy_scene_destroy(scene);
}

static withy_status answer(void *context, int index, const double *in, int count, double *out,
                           int *got, withy_error *err) {
    (void)context;
    if (index == 2) return err->code = WITHY_BAD_INPUT, strcpy(err->text, "no wind"), err->code;
    out[0] = out[1] = 0, out[2] = -in[0], *got = index == 3 ? 99 : 3;
    return count == 2 ? WITHY_OK : WITHY_BAD_INPUT;
}

TEST(a_function_of_the_program_equals_one_of_the_scene) {
    const withy_host host = {.call = answer};
    withy_error err = {0};
    withy_record *ours = withy_record_create(), *theirs = withy_record_create();
    withy_scene *own = scene_of("host(1, s, t)", &host, &err),
                *lua = scene_of("0, 0, -s", NULL, &err);
    run(own, ours, NULL), run(lua, theirs, NULL);
    same_tables(ours, theirs);
    withy_record_destroy(ours), withy_record_destroy(theirs);
    withy_scene_destroy(own), withy_scene_destroy(lua);
}

TEST(what_such_a_function_does_wrong_is_a_sentence) {
    const withy_host host = {.call = answer};
    static const struct {
        const char *force, *message;
    } row[] = {{"host(2, s, t)", "no wind"},
               {"host(3, s, t)", "returned 99 numbers"},
               {"host({})", "number expected"},
               {"host(1, s, t, {})", "then the state"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        withy_error err = {0};
        CHECK(!scene_of(row[i].force, &host, &err) && err.code == WITHY_BAD_INPUT);
        if (!strstr(err.text, row[i].message)) fail_msg("%s", err.text);
    }
    withy_error err = {0};
    CHECK(!scene_of("host(1, s, t)", NULL, &err)); /* a scene alone has no host */
}

TEST(a_simulation_shows_its_state_where_it_is) {
    withy_error err = {0};
    withy_scene *scene = scene_of("0, 0, -s", NULL, &err);
    withy_sim *sim;
    withy_table a, b;
    CHECK_OK(withy_scene_sim(scene, NULL, &sim, &err));
    CHECK(withy_sim_count(sim, WITHY_RECORD_ROD) == 1 && !withy_sim_count(sim, WITHY_RECORD_BODY));
    CHECK(withy_sim_table(sim, WITHY_RECORD_ROD, 0, 1, &a) && strcmp(a.name, "position") == 0);
    const double before = a.value[3 * a.stations - 1];
    CHECK_OK(withy_sim_advance(sim, 0.05, &err));
    CHECK(withy_sim_table(sim, WITHY_RECORD_ROD, 0, 1, &b) && a.value == b.value);
    CHECK(b.value[3 * b.stations - 1] < before);
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
}

RUN(test(a_record_equals_the_file_of_the_same_run),
    test(a_record_is_filled_again_by_the_next_study),
    test(a_function_of_the_program_equals_one_of_the_scene),
    test(what_such_a_function_does_wrong_is_a_sentence),
    test(a_simulation_shows_its_state_where_it_is))
