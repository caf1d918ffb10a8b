/* test_params.c - parameters and tables of a scene: what they give, what they refuse, in which words. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "withy/withy.h"

#define REST                                                                                       \
    "return { rod = { length = p.length, stiffness = { bend = p.bend }, inertia = { mass = 1 } }," \
    " gravity = { 0, 0, -9.81 }, time = { stop = 0.1 } }"
#define SCENE                                                                                      \
    "local p = params { length = { 2, 1, 4, \"m\", \"of the rod\" }, bend = 3, turns = { value = " \
    "8, "                                                                                          \
    "max = 9 } }\n" REST

static withy_status read_set(const char *text, const char *set, withy_scene **scene,
                             withy_error *err) {
    const withy_status status =
        withy_scene_read_text(text, strlen(text), "p.lua", &set, set ? 1 : 0, scene, err);
    if (status == WITHY_MISSING) skip(); /* a build without Lua */
    return status;
}

TEST(a_parameter_reaches_all_that_the_text_computes_from_it) {
    withy_error err = {0};
    withy_scene *scene;
    withy_parameter p;
    CHECK_OK(read_set(SCENE, "params.length=3", &scene, &err));
    CHECK(withy_scene_problem(scene)->rod[0].length == 3);
    CHECK(withy_scene_parameter(scene, 1, &p) == 1);
    CHECK_TEXT(p.name, "length"); /* bend, length, turns */
    CHECK(p.value == 3 && p.given == 2 && p.min == 1 && p.max == 4);
    CHECK_TEXT(p.unit, "m");
    CHECK_TEXT(p.doc, "of the rod");
    CHECK(withy_scene_parameter(scene, 2, &p) == 1 && p.max == 9 && p.min == -INFINITY);
    CHECK(withy_scene_parameter(scene, 3, &p) == 0);
    CHECK(strstr(withy_scene_text(scene), "-- solved with --set params.length=3"));
    withy_scene_destroy(scene);
}

TEST(a_whole_number_stays_one_and_a_large_one_does_not_overflow) {
    withy_error err = {0};
    withy_scene *scene;
    CHECK_OK(read_set("local p = params { n = 8, young = 2e11 }\n"
                      "assert(math.type(p.n) == \"integer\" and p.young * p.young == 4e22)\n"
                      "return { rod = { length = p.n, stiffness = { bend = 1 }, inertia = { mass = "
                      "1 } }, time = { stop = 1 } }",
                      "params.young=200000000000", &scene, &err));
    withy_scene_destroy(scene);
}

TEST(each_mistake_about_parameters_has_its_sentence) {
    static const struct {
        const char *text, *set, *requested;
    } row[] = {
        {SCENE, "params.lenght=3",
         "--set params.lenght=3: p.lua has no parameter \"lenght\"; did you mean \"length\"? it "
         "has bend, length, turns"},
        {SCENE, "params.length=5", "p.lua: --set params.length=5: must be between 1 and 4 [m]"},
        {SCENE, "params.turns=10", "p.lua: --set params.turns=10: must be at most 9"},
        {SCENE, "params.length={}", "--set params.length={}: a parameter must be a finite number"},
        {SCENE, "params.length.x=1",
         "--set params.length.x=1: a parameter is a number, as in params.wire=3e-3"},
        {"return { rod = { length = 1 } }", "params.a=1",
         "--set params.a=1: p.lua has no parameters; name them with local p = params { a = ... }"},
        {"local p = params { a = { 1, 3, 2 } }", NULL,
         "p.lua:1: params.a: min = 3.0 is above max = 2.0; no value can be in between"},
        {"local p = params { a = { 5, 1, 2 } }", NULL,
         "p.lua:1: params.a = 5.0 must be between 1 and 2"},
        {"local p = params { a = { 1, mim = 0 } }", NULL,
         "p.lua:1: params.a has no \"mim\"; did you mean \"min\"? it is a number or { value, min, "
         "max, unit, doc }"},
        {"local p = params { a = {} }", NULL,
         "p.lua:1: params.a: the value must be a finite number"},
        {"local p = params { 1, 2 }", NULL,
         "p.lua:1: params takes names and numbers: params { wire = 2e-3, coils = 8 }"},
        {"local p = params { [\"a\\0b\"] = 1 }", NULL,
         "p.lua:1: params takes names and numbers: params { wire = 2e-3, coils = 8 }"},
        {"local p = params { a = { 1, [\"min\\0x\"] = 0 } }", NULL,
         "p.lua:1: params.a has no \"min?\"; did you mean \"min\"? it is a number or { value, "
         "min, max, unit, doc }"},
        {"local p = params { a = { 1, unit = \"m\\0x\" } }", NULL,
         "p.lua:1: params.a: unit must not contain a zero byte, which ends a string"},
        {"local u = input \"u\\0x\"", NULL,
         "p.lua:1: input takes a name: input \"u\" or input { \"u\", value = 0 }"},
        {"local p = params { a = 1 } params { b = 1 }", NULL,
         "p.lua:1: params is given twice; keep all parameters in one table"},
        {"local p = params { wire = 1 }\nlocal x = p.wyre", NULL,
         "p.lua:2: params has no \"wyre\"; did you mean \"wire\"?"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        withy_error err = {0};
        withy_scene *scene;
        CHECK(read_set(row[i].text, row[i].set, &scene, &err) == WITHY_BAD_INPUT);
        CHECK_TEXT(err.text, row[i].requested);
    }
}

/* ---- results ----------------------------------------------------------------------------------- */

static char folder[] = "/tmp/withy-params-XXXXXX";

static const char *in_folder(const char *name) {
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void put(const char *name, const char *text) {
    FILE *file = fopen(in_folder(name), "w");
    CHECK(file && fputs(text, file) >= 0);
    fclose(file);
}

TEST(a_result_records_its_parameters) {
    withy_error err = {0};
    withy_scene *scene;
    withy_result *result;
    withy_parameter p;
    static withy_report report;
    const char *path = in_folder("p.h5");
    CHECK_OK(read_set(SCENE, "params.length=3", &scene, &err));
    const withy_run_setup setup = {.output = &path, .output_count = 1};
    const withy_status status = withy_run(scene, &setup, &report, &err);
    withy_scene_destroy(scene);
    if (status == WITHY_MISSING) skip(); /* a build without HDF5 */
    CHECK_OK(status);
    CHECK_OK(withy_result_open(path, &result, &err));
    CHECK(withy_result_parameter(result, 0, &p) && strcmp(p.name, "bend") == 0 && p.value == 3);
    CHECK(withy_result_parameter(result, 1, &p) && strcmp(p.name, "length") == 0 && p.value == 3);
    CHECK(withy_result_parameter(result, 2, &p) && strcmp(p.name, "turns") == 0 && p.value == 8);
    CHECK(!withy_result_parameter(result, 3, &p));
    withy_result_close(result);
    unlink(path);
}

/* ---- tables ------------------------------------------------------------------------------------- */

static const char table_scene[] =
    "local m = table \"m.csv\"\n"
    "assert(type(table.insert) == \"function\")\n"
    "return { rod = { length = m.length[1], stiffness = { bend = 1 }, inertia = { mass = 1 } },\n"
    "  ends = { finish = free { force = { 0, 0, m[2][2] } } }, time = { stop = 1 } }";

static withy_status read_table(const char *numbers, withy_scene **scene, withy_error *err) {
    put("m.csv", numbers);
    put("t.lua", table_scene);
    const withy_status status = withy_scene_read(in_folder("t.lua"), NULL, 0, scene, err);
    if (status == WITHY_MISSING) skip();
    return status;
}

TEST(a_table_gives_rows_and_named_columns) {
    withy_error err = {0};
    withy_scene *scene;
    CHECK_OK(read_table("# measured\nlength [m]; force [N]\n\n2.5; 7\n3; -1\n", &scene, &err));
    const withy_rod *rod = withy_scene_problem(scene)->rod;
    CHECK(rod->length == 2.5 && rod->end[1].force.value[2] == -1);
    CHECK(strstr(withy_scene_text(scene), "-- table \"m.csv\": "));
    withy_scene_destroy(scene);
}

/* Only who asks for that name would get one or the other. */
TEST(two_columns_of_one_name_are_read_by_number) {
    withy_error err = {0};
    withy_scene *scene;
    CHECK_OK(read_table("length,force (left),force (right)\n1,2,3\n4,5,6\n", &scene, &err));
    CHECK(withy_scene_problem(scene)->rod->end[1].force.value[2] == 5);
    withy_scene_destroy(scene);
}

TEST(each_mistake_in_a_table_has_its_sentence) {
    static const struct {
        const char *text, *requested;
    } row[] = {
        {"t,force\ns,N\n0,1\n", "m.csv:2: is a row of units; put them into the names"},
        {"t,force\n0,1\n1,\n", "m.csv:3: column 2 (force) is empty; withy does not guess a "
                               "missing number"},
        {"0,1\n1,nan\n", "m.csv:2: column 2 is nan, not a finite number"},
        {"0,1\n1,x\n", "m.csv:2: column 2 is \"x\", not a number"},
        {"0;1\n1;1,5\n", "m.csv:2: column 2 is \"1,5\", not a number; write a decimal point"},
        {"0,1\n1,2,3\n", "m.csv:2: has 3 columns, the rows before have 2"},
        {"length (wire) [m],force,length (core) [m]\n1,2,3\n4,5,6\n",
         "t.lua:3: m.csv: columns 1 and 3 both have the name length (what is in [] or () is a "
         "unit); take a number by its row and column, as in m[1][3], or change one of the names"},
        {"t,force\n", "m.csv: there is no row of numbers in it"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        withy_error err = {0};
        withy_scene *scene;
        CHECK(read_table(row[i].text, &scene, &err) == WITHY_BAD_INPUT);
        if (!strstr(err.text, row[i].requested))
            fail_msg("%s\n  not in \"%s\"", row[i].requested, err.text);
    }
}

TEST(a_million_rows_are_too_many_and_it_says_so) {
    withy_error err = {0};
    withy_scene *scene;
    char *text = malloc(2000001);
    CHECK(text);
    for (int i = 0; i < 1000000; i++) memcpy(text + 2 * i, "1\n", 2);
    text[2000000] = '\0';
    CHECK(read_table(text, &scene, &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "m.csv:100001: has more than 100000 rows"));
    free(text);
}

TEST(a_table_is_never_read_from_outside_the_folder_of_the_scene) {
    static const char *const name[] = {"../m.csv", "/etc/passwd", ".hidden", "a/b.csv",
                                       "link.csv", ".",           ""};
    char constraint[256];
    snprintf(constraint, sizeof constraint, "%s", in_folder("link.csv"));
    CHECK(symlink("/etc/passwd", constraint) == 0);
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        withy_error err = {0};
        withy_scene *scene;
        char text[512];
        snprintf(text, sizeof text, "local m = table \"%s\"", name[i]);
        put("o.lua", text);
        const withy_status status = withy_scene_read(in_folder("o.lua"), NULL, 0, &scene, &err);
        if (status == WITHY_MISSING) skip();
        CHECK(status == WITHY_BAD_INPUT);
        CHECK(strstr(err.text, "folder of the scene"));
    }
}

static int make_folder(void **unused) {
    (void)unused;
    return mkdtemp(folder) ? 0 : -1;
}

static int drop_folder(void **unused) {
    static const char *const name[] = {"m.csv", "t.lua", "o.lua", "link.csv", "p.h5"};
    (void)unused;
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) unlink(in_folder(name[i]));
    return rmdir(folder);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        test(a_parameter_reaches_all_that_the_text_computes_from_it),
        test(a_whole_number_stays_one_and_a_large_one_does_not_overflow),
        test(each_mistake_about_parameters_has_its_sentence),
        test(a_result_records_its_parameters),
        test(a_table_gives_rows_and_named_columns),
        test(two_columns_of_one_name_are_read_by_number),
        test(each_mistake_in_a_table_has_its_sentence),
        test(a_million_rows_are_too_many_and_it_says_so),
        test(a_table_is_never_read_from_outside_the_folder_of_the_scene)};
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
