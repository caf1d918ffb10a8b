/* test_signal.c - tables and named inputs in place of functions of t, in every method. */
#include <stdlib.h>

#include "check.h"
#include "withy/withy.h"

static withy_error err;

/* A cantilever of soft material, pushed across at its free end. */
enum { STEPS = 40, SWITCH = 16 };
static const double H = 1.0 / 1024, PUSH = 0.02;

static const struct {
    const char *method;
    int n;
    int ends; /* 1: a step also evaluates the loads at its end */
} row[] = {{"director", 4, 0},  {"elastica", 8, 0}, {"se3", 8, 0},
           {"kirchhoff", 8, 0}, {"fdtd", 8, 1},     {"cheb", 8, 1}};
enum { METHODS = sizeof row / sizeof *row };

static withy_problem cantilever(withy_rod *rod, withy_field force) {
    withy_problem problem = withy_problem_default();
    const double stiffness[] = {3, 3, 9, 0.4, 0.4, 0.3}, inertia[] = {1, 0.05, 0.05, 0.1};
    *rod = (withy_rod){.name = "rod", .length = 1};
    for (int i = 0; i < WITHY_STRAINS; i++) rod->stiffness[i] = withy_field_number(stiffness[i]);
    for (int i = 0; i < WITHY_INERTIAS; i++) rod->inertia[i] = withy_field_number(inertia[i]);
    rod->initial =
        (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .along = {0, 0, 1}, .normal = {1, 0, 0}};
    rod->end[0].kind = WITHY_END_CLAMPED;
    rod->end[1].force = force;
    problem.rod = rod;
    problem.request = (withy_request){.given = 1, .stop = STEPS * H, .output = STEPS * H};
    return problem;
}

static withy_sim *sim_of(int m, withy_rod *rod, withy_field force) {
    const withy_problem problem = cantilever(rod, force);
    const withy_option option[] = {{.name = "n", .number = row[m].n}, {.name = "dt", .number = H}};
    withy_sim *sim = NULL;
    CHECK_OK(withy_sim_create(&problem, row[m].method, option, 2, &sim, &err));
    return sim;
}

static withy_vec3 tip(withy_sim *sim) {
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    CHECK(now != NULL);
    return now->position[now->count - 1];
}

static void check_same_tip(withy_sim *a, withy_sim *b, double tolerance) {
    const withy_vec3 x = tip(a), y = tip(b);
    CHECK(fabs(x.x) > 1e-7); /* it has moved */
    CHECK_NEAR(x.x, y.x, tolerance * fabs(x.x));
    CHECK_NEAR(x.z, y.z, tolerance);
}

/* ---- tables ------------------------------------------------------------------------------------- */

/* The times are not multiples of a step, so that every branch of the table is used between its rows. */
static const double table[][4] = {
    {0.0021, 0, 0, 0}, {0.0103, 0.02, 0, 0}, {0.0157, -0.01, 0, 0.01}, {0.031, 0.03, 0, 0}};

static withy_status follow_table(void *context, double s, double t, double *out, withy_error *e) {
    (void)context, (void)s, (void)e;
    int i = 0;
    while (i < 3 && t >= table[i + 1][0]) i++;
    for (int k = 0; k < 3; k++) {
        const double *a = table[i], *b = table[i < 3 ? i + 1 : 3];
        out[k] = t <= a[0] || i == 3
                     ? a[1 + k]
                     : a[1 + k] + (t - a[0]) / (b[0] - a[0]) * (b[1 + k] - a[1 + k]);
    }
    return WITHY_OK;
}

TEST(a_table_is_the_function_that_interpolates_it) {
    const withy_field by_table = withy_field_table(3, 4, table[0]);
    for (double t = -0.01; t < 0.05; t += 1e-4) {
        double a[WITHY_FIELD_MAX], b[WITHY_FIELD_MAX];
        CHECK_OK(withy_field_at(&by_table, 0, t, a, &err));
        follow_table(NULL, 0, t, b, &err);
        for (int k = 0; k < 3; k++) CHECK(a[k] == b[k]);
    }
    for (int m = 0; m < METHODS; m++) {
        withy_rod rod[2];
        withy_sim *a = sim_of(m, &rod[0], by_table);
        withy_sim *b = sim_of(m, &rod[1], (withy_field){.size = 3, .call = follow_table});
        CHECK_OK(withy_sim_advance(a, STEPS * H, &err));
        CHECK_OK(withy_sim_advance(b, STEPS * H, &err));
        CHECK(withy_sim_hash(a) == withy_sim_hash(b));
        check_same_tip(a, b, 0);
        withy_sim_destroy(a), withy_sim_destroy(b);
    }
}

/* ---- inputs ------------------------------------------------------------------------------------- */

static withy_field pushed_by(const char *name, double value) {
    return (withy_field){.size = 3, .value = {value, 0, 0}, .input = {name}};
}

static withy_status switched(void *context, double s, double t, double *out, withy_error *e) {
    (void)context, (void)s, (void)e;
    out[0] = t >= (SWITCH - 1e-6) * H ? PUSH : 0, out[1] = out[2] = 0;
    return WITHY_OK;
}

TEST(an_input_that_is_set_between_advances_acts_from_then_on) {
    for (int m = 0; m < METHODS; m++) {
        withy_rod rod[2];
        withy_sim *a = sim_of(m, &rod[0], pushed_by("push", 0));
        withy_sim *b = sim_of(m, &rod[1], (withy_field){.size = 3, .call = switched});
        double value = -1;
        CHECK_TEXT(withy_sim_input_name(a, 0), "push");
        CHECK(!withy_sim_input_name(a, 1) && !withy_sim_input_name(b, 0));
        CHECK_OK(withy_sim_advance(a, SWITCH * H, &err));
        CHECK_NEAR(tip(a).x, 0, 1e-14); /* rounding of the projection of the initial state */
        CHECK_OK(withy_sim_input(a, "push", PUSH, &err));
        CHECK_OK(withy_sim_input_get(a, "push", &value, &err));
        CHECK(value == PUSH);
        CHECK_OK(withy_sim_advance(a, STEPS * H, &err));
        CHECK_OK(withy_sim_advance(b, STEPS * H, &err));
        /* a step that ends at the switch and evaluates loads there uses the new value of the function, but not of the
         * input, which is set later: one step in 24 of a motion that grows no faster than time cubed */
        check_same_tip(a, b, row[m].ends ? 3.0 / (STEPS - SWITCH) : 0);
        withy_sim_destroy(a), withy_sim_destroy(b);
    }
}

TEST(inputs_are_part_of_the_state_and_go_with_save_restore_hash_and_fork) {
    for (int m = 0; m < METHODS; m++) {
        withy_rod rod;
        double value;
        withy_sim *sim = sim_of(m, &rod, pushed_by("push", 0.01)), *copy;
        CHECK_OK(withy_sim_advance(sim, SWITCH * H, &err));
        const uint64_t before = withy_sim_hash(sim);
        CHECK_OK(withy_sim_input(sim, "push", PUSH, &err));
        CHECK(withy_sim_hash(sim) != before);
        const size_t size = withy_sim_save_size(sim);
        void *saved = malloc(size);
        CHECK_OK(withy_sim_save(sim, saved, size, &err));
        CHECK_OK(withy_sim_fork(sim, &copy, &err));
        CHECK_OK(withy_sim_input(sim, "push", -7, &err));
        CHECK_OK(withy_sim_input_get(copy, "push", &value, &err)); /* the copy has its own */
        CHECK(value == PUSH);
        CHECK_OK(withy_sim_restore(sim, saved, size, &err));
        CHECK_OK(withy_sim_input_get(sim, "push", &value, &err));
        CHECK(value == PUSH);
        CHECK_OK(withy_sim_advance(sim, STEPS * H, &err));
        CHECK_OK(withy_sim_advance(copy, STEPS * H, &err));
        CHECK(withy_sim_hash(sim) == withy_sim_hash(copy));
        check_same_tip(sim, copy, 0);
        withy_sim_destroy(sim), withy_sim_destroy(copy);
        free(saved);
    }
}

/* ---- refusals ----------------------------------------------------------------------------------- */

static void refused(const withy_problem *problem, const char *text) {
    withy_sim *sim;
    err.text[0] = '\0';
    CHECK(withy_sim_create(problem, "director", NULL, 0, &sim, &err) == WITHY_BAD_INPUT);
    if (!strstr(err.text, text)) fail_msg("want \"%s\", got \"%s\"", text, err.text);
}

TEST(a_signal_that_cannot_be_followed_is_refused_with_a_sentence) {
    const double falls[][2] = {{0, 1}, {2, 3}, {1, 4}}, wild[][2] = {{0, 1}, {1, NAN}};
    withy_rod rod;
    withy_problem problem = cantilever(&rod, pushed_by("push", 0));
    rod.stiffness[WITHY_BEND1] = withy_field_input("soft", 1);
    refused(&problem, "rod.stiffness.bend is not a function of time");
    problem = cantilever(&rod, pushed_by("", 0));
    refused(&problem, "ends.finish.force: the input of number 1 has no name");
    problem = cantilever(&rod, pushed_by("push", 0));
    rod.end[1].moment = pushed_by("push", 1);
    refused(&problem, "input \"push\" starts at 0 in one place and at 1 in another");
    withy_load load = {.kind = WITHY_LOAD_TENDON, .to = 1};
    problem = cantilever(&rod, (withy_field){0});
    rod.load = &load, rod.load_count = 1;
    load.tension = withy_field_table(1, 3, falls[0]);
    refused(&problem, "row 3 of its table is at t = 1, not after t = 2");
    load.tension = withy_field_table(1, 2, wild[0]);
    refused(&problem, "row 2 of its table has nan");
    load.tension = withy_field_table(1, 0, falls[0]);
    refused(&problem, "its table has 0 rows");
    load.tension = withy_field_table(1, 2, falls[0]);
    load.tension.input[0] = "pull";
    refused(&problem, "is given as more than one of function, table and input");
    load = (withy_load){.kind = WITHY_LOAD_POINT};
    withy_sim *sim = sim_of(0, &rod, pushed_by("push", 0));
    double value;
    CHECK(withy_sim_input(sim, "pusch", 1, &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "did you mean \"push\"?") != NULL);
    CHECK(withy_sim_input(sim, "push", NAN, &err) == WITHY_BAD_INPUT);
    CHECK(withy_sim_input_get(sim, NULL, &value, &err) == WITHY_BAD_INPUT);
    withy_sim_destroy(sim);
}

/* ---- scenes ------------------------------------------------------------------------------------- */

static withy_status read(const char *force, withy_scene **scene) {
    char text[1024];
    snprintf(text, sizeof text,
             "return { rod = { length = 1, stiffness = { bend = 1, twist = 1 }, inertia = { mass = "
             "1 } }, ends = { start = clamped {}, finish = free { force = %s } }, time = { stop = "
             "1, output = 1 } }",
             force);
    *scene = NULL;
    return withy_scene_read_text(text, strlen(text), "scene.lua", NULL, 0, scene, &err);
}

TEST(a_scene_may_write_signals_and_inputs_where_a_function_of_time_may_stand) {
    withy_scene *scene;
    CHECK_OK(read("signal { { 0, 1, 2, 3 }, { 2, { 5, 6, 7 } } }", &scene));
    const withy_field *force = &withy_scene_problem(scene)->rod[0].end[1].force;
    double out[WITHY_FIELD_MAX];
    CHECK(force->size == 3 && force->rows == 2);
    CHECK_OK(withy_field_at(force, 0, 1, out, &err));
    CHECK(out[0] == 3 && out[1] == 4 && out[2] == 5);
    withy_scene_destroy(scene);
    CHECK_OK(read("{ 0, input 'u1', input { 'u2', value = 4 } }", &scene));
    force = &withy_scene_problem(scene)->rod[0].end[1].force;
    CHECK(force->size == 3 && !force->input[0] && force->value[2] == 4);
    CHECK_TEXT(force->input[1], "u1");
    CHECK_TEXT(force->input[2], "u2");
    withy_scene_destroy(scene);
}

static withy_status read_fed(const char *inputs, withy_scene **scene) {
    char set[256];
    snprintf(set, sizeof set, "inputs=%s", inputs);
    const char *const override[] = {set};
    static const char text[] =
        "return { rod = { length = 1, stiffness = { bend = 1, twist = 1 }, inertia = { mass = 1 } "
        "}, ends = { start = clamped {}, finish = free { force = { 7, input 'u1', input 'u2' }, "
        "moment = { 0, 0, input 'u3' } } }, time = { stop = 1, output = 1 } }";
    *scene = NULL;
    return withy_scene_read_text(text, strlen(text), "scene.lua", override, 1, scene, &err);
}

TEST(inputs_of_a_scene_are_numbers_functions_or_tables_and_make_it_one_without_inputs) {
    withy_scene *scene;
    CHECK_OK(read_fed("{ u1 = function(t) return 2 * t end, u2 = signal { { 0, 1 }, { 2, 5 } } }",
                      &scene));
    const withy_end *end = &withy_scene_problem(scene)->rod[0].end[1];
    double out[WITHY_FIELD_MAX];
    CHECK_OK(withy_field_at(&end->force, 0, 1, out, &err));
    CHECK(out[0] == 7 && out[1] == 2 && out[2] == 3);
    CHECK_TEXT(end->moment.input[2], "u3"); /* is still set from outside */
    withy_sim *sim;
    CHECK_OK(withy_scene_sim(scene, "director", &sim, &err));
    CHECK_TEXT(withy_sim_input_name(sim, 0), "u3");
    CHECK(!withy_sim_input_name(sim, 1));
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
    CHECK(read_fed("{ u1 = 2 }", &scene) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "in one vector with the input \"u2\", which is not given"));
    CHECK(read_fed("{ u4 = 2 }", &scene) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "inputs.u4: nothing follows an input of this name"));
    CHECK(read_fed("{ u3 = 'motor' }", &scene) == WITHY_BAD_INPUT);
    CHECK(read_fed("{ u3 = input 'u4' }", &scene) == WITHY_BAD_INPUT);
}

TEST(a_scene_with_a_wrong_signal_is_refused_with_its_place) {
    static const char *const bad[][2] = {
        {"input 'u'", "has 1 number; it must have 3, each a number or an input"},
        {"{ 0, 0, input { 'u', start = 1 } }", "input takes a name"},
        {"{ 0, 0, input(3) }", "input takes a name"},
        {"{ 0, 'x', input 'u' }", "number 2 must be a number or an input"},
        {"signal { { 0, 1 } }", "row 1 of the signal must be { t, { x, y, ... } }"},
        {"signal { { 0, 1, 2, 3 }, { 0, 1, 2, 3 } }", "row 2 of the signal is at t = 0"},
        {"signal {}", "signal takes rows"},
        {"{ 0, 0, 1 } }, start = clamped { tangent = signal { { 0, 0, 0, 1 } }",
         "must have length 1 at all times: give a function of t"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        withy_scene *scene;
        CHECK(read(bad[i][0], &scene) == WITHY_BAD_INPUT);
        if (!strstr(err.text, bad[i][1]) || strncmp(err.text, "scene.lua:", 10) != 0)
            fail_msg("want \"%s\", got \"%s\"", bad[i][1], err.text);
    }
}

/* Each line is an error of the scene unless it holds. */
TEST(signals_can_be_called_added_scaled_and_shifted) {
    static const char text[] =
        "local a, b = signal { { 0, 0 }, { 1, 1 }, { 3, 0 } }, signal { { 0.5, 1 }, { 2, 3 } }\n"
        "local s = 2 * a - b:shift(0.25) / 4 + 1\n"
        "for _, t in ipairs { -1, 0, 0.5, 0.75, 1, 2, 2.25, 3, 9 } do\n"
        "  assert(math.abs(s(t) - (2 * a(t) - b(t - 0.25) / 4 + 1)) < 1e-14) end\n"
        "local v = signal { { 0, { 1, 2, 3 } }, { 1, 4, 5, 6 } } + { 1, 1, 1 }\n"
        "local x, y, z = v(0.5) assert(x == 3.5 and y == 4.5 and z == 5.5)\n"
        "x, y, z = ({ 10, 10, 10 } - v)(-1) assert(x == 8 and y == 7 and z == 6)\n"
        "x = (-v)(2) assert(x == -5)\n"
        "return { rod = { length = 1, stiffness = { bend = 1 }, inertia = { mass = 1 } }, initial "
        "= "
        "{ shape = straight { from = { 2, 3, 4 }, along = { 0, 0, 1 } } }, ends = { start = pinned "
        "{ position = v } }, time = { stop = 1, output = 1 } }";
    withy_scene *scene = NULL;
    CHECK_OK(withy_scene_read_text(text, strlen(text), "scene.lua", NULL, 0, &scene, &err));
    const withy_field *place = &withy_scene_problem(scene)->rod[0].end[0].position;
    CHECK(place->rows == 2 && place->table[1] == 2 && place->table[7] == 7);
    withy_scene_destroy(scene);
}

TEST(arithmetic_of_signals_that_makes_no_sense_is_refused) {
    static const char *const bad[][2] = {
        {"signal { { 0, 1 } } + signal { { 0, 1, 2 } }", "signals of 1 and 2 values"},
        {"signal { { 0, 1 } } + { 1, 2 }", "a number is added, or another signal"},
        {"signal { { 0 / 0, 1 } } + signal { { 0 / 0, 1 } }", "row 1 of a signal must be"},
        {"signal { { 0 } }(1)", "row 1 of a signal must be"},
        {"signal { { 0, 1 } } / 0", "a number that is not 0"},
        {"signal { { 0, 1 } }.shift(1)", "motion:shift(seconds)"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[200];
        withy_scene *scene = NULL;
        snprintf(text, sizeof text, "local s = %s return {}", bad[i][0]);
        CHECK(withy_scene_read_text(text, strlen(text), "scene.lua", NULL, 0, &scene, &err) ==
              WITHY_BAD_INPUT);
        if (!strstr(err.text, bad[i][1])) fail_msg("%s: %s", bad[i][0], err.text);
    }
}

TEST(the_current_of_a_medium_may_be_a_signal_or_inputs) {
    static const char text[] =
        "return { rod = { length = 1, stiffness = { bend = 1 }, inertia = { mass = 1 } }, medium = "
        "{ "
        "density = 1000, current = { 0, 0, 0 } }, time = { stop = 1, output = 1 } }";
    const char *const set[] = {"medium.current=signal { { 0, 1, 2, 3 }, { 1, 4, 5, 6 } }",
                               "medium.current={ 1, input 'u', 3 }"};
    for (int i = 0; i < 2; i++) {
        withy_scene *scene = NULL;
        CHECK_OK(withy_scene_read_text(text, strlen(text), "scene.lua", &set[i], 1, &scene, &err));
        const withy_field *current = &withy_scene_problem(scene)->medium.current;
        CHECK(i ? current->value[2] == 3 && current->input[1] : current->rows == 2);
        withy_scene_destroy(scene);
    }
    const char *const wrong[] = {"medium.current={ 1, 0 }", "medium.current={ 1, 0, 'x' }"};
    for (int i = 0; i < 2; i++) {
        withy_scene *scene = NULL;
        CHECK(withy_scene_read_text(text, strlen(text), "scene.lua", &wrong[i], 1, &scene, &err) ==
              WITHY_BAD_INPUT);
        CHECK(strstr(err.text, "3 numbers { x, y, z }") != NULL);
    }
}

TEST(a_helix_of_a_free_length_gives_the_length_of_its_wire) {
    static const char text[] = "return { rod = { section = circle { diameter = 1e-3 }, material = "
                               "{ young = 2e11, poisson = "
                               "0.3, density = 7800 }, rest = helix { radius = 0.01, turns = 8, "
                               "height = 0.05 } }, time = { "
                               "stop = 1, output = 1 } }";
    withy_scene *scene = NULL;
    const char *const longer[] = {"rod.length=1"};
    CHECK_OK(withy_scene_read_text(text, strlen(text), "scene.lua", NULL, 0, &scene, &err));
    const withy_rod *rod = &withy_scene_problem(scene)->rod[0];
    CHECK_NEAR(rod->length, hypot(2 * 3.14159265358979323846 * 0.01 * 8, 0.05), 1e-14);
    CHECK_NEAR(rod->rest.pitch, 0.05 / 8, 1e-16);
    withy_scene_destroy(scene);
    CHECK(withy_scene_read_text(text, strlen(text), "scene.lua", longer, 1, &scene, &err) ==
          WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "rod.length = 1; leave out one of them"));
}

RUN(test(a_table_is_the_function_that_interpolates_it),
    test(signals_can_be_called_added_scaled_and_shifted),
    test(arithmetic_of_signals_that_makes_no_sense_is_refused),
    test(the_current_of_a_medium_may_be_a_signal_or_inputs),
    test(a_helix_of_a_free_length_gives_the_length_of_its_wire),
    test(an_input_that_is_set_between_advances_acts_from_then_on),
    test(inputs_are_part_of_the_state_and_go_with_save_restore_hash_and_fork),
    test(a_signal_that_cannot_be_followed_is_refused_with_a_sentence),
    test(a_scene_may_write_signals_and_inputs_where_a_function_of_time_may_stand),
    test(inputs_of_a_scene_are_numbers_functions_or_tables_and_make_it_one_without_inputs),
    test(a_scene_with_a_wrong_signal_is_refused_with_its_place))
