/* test_scene_state.c - function(s, t, state) in scenes: what it gets, how it fails, what the cases show. */
#include "message/bad_scenes.h"

#define TAIL                                                                                       \
    " time = { stop = 1, output = 0.1 }, method = \"director\", options = { n = 4, dt = 0.05 } "   \
    "}\n"
#define FORCED(force)                                                                              \
    "return {\n"                                                                                   \
    "  rod = { length = 1, stiffness = { bend = 1 }, inertia = { mass = 1, rotary = 1e-3 } },\n"   \
    "  ends = { start = clamped { position = { 2, 0, 0 }, tangent = { 0, 0, 1 },\n"                \
    "           normal = { 1, 0, 0 } }, finish = free {} },\n"                                     \
    "  loads = { distributed { force = " force " } }," TAIL

static withy_scene *read_text(const char *text) {
    withy_error err = {0};
    withy_scene *scene = NULL;
    CHECK_OK(withy_scene_read_text(text, strlen(text), "seen.lua", NULL, 0, &scene, &err));
    return scene;
}

/* Run a text with a method; the message, or "". */
static const char *run_text(const char *text, const char *method, withy_error *err) {
    withy_scene *scene = read_text(text);
    withy_sim *sim = NULL;
    int count;
    const withy_option *option = withy_scene_options(scene, &count);
    *err = (withy_error){0};
    if (withy_sim_create(withy_scene_problem(scene), method, option, count, &sim, err) == WITHY_OK)
        (void)withy_sim_advance(sim, 0.4, err);
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
    return err->text;
}

TEST(a_function_whose_parameters_fit_no_form_is_refused) {
    static const bad_scene row[] = {
        {SCENE("loads = { point { at = 1, force = function(s, t) return 0, 0, s end } },"), NULL,
         "bad.lua:4: loads[1].force: the function has 2 parameters; it must be function(t) or "
         "function(s, t, state)"},
        {SCENE("loads = { distributed { force = function(s, t, a, b) return 0, 0, s end } },"),
         NULL,
         "bad.lua:4: loads[1].force: the function has 4 parameters; it must be function(s, t) or "
         "function(s, t, state)"},
        {SCENE("ends = { finish = free { force = function(s, t, state) return 1 end } },"), NULL,
         "bad.lua:4: ends.finish.force at s = 0, t = 0: the function returned 1 number; it must "
         "return 3 numbers"},
        {SCENE("loads = { distributed { force = function(s, t, state) return state.speed[1], 0, 0 "
               "end } },"),
         NULL,
         "bad.lua:4: loads[1].force at s = 0, t = 0: attempt to index a nil value (field 'speed')"},
    };
    CHECK_BAD_SCENES(row);
}

/* At rest the section at s lies at (2, 0, s), with the axes of the laboratory. */
TEST(the_state_has_position_velocity_frame_and_spin_in_the_laboratory) {
    withy_error err;
    CHECK_TEXT(
        run_text(FORCED("function(s, t, state)\n"
                        "  local r, v, w, f = state.position, state.velocity, state.spin, "
                        "state.frame\n"
                        "  if t > 0 and t < 0.03 then\n"
                        "    assert(math.abs(r[1] - 2) < 1e-6 and math.abs(r[3] - s) < 1e-6)\n"
                        "    assert(math.abs(v[1]) < 1e-6 and math.abs(w[2]) < 1e-6)\n"
                        "    assert(math.abs(f[1][1] - 1) < 1e-6 and math.abs(f[2][2] - 1) < "
                        "1e-6)\n"
                        "    assert(math.abs(f[3][3] - 1) < 1e-6 and #f == 3)\n"
                        "  end\n"
                        "  return 0, 0, 0\nend"),
                 "director", &err),
        "");
}

/* What one call does to the table, the next one does not see. */
TEST(a_function_that_spoils_its_table_gets_a_whole_one_next_time) {
    withy_error err;
    CHECK_TEXT(run_text(FORCED("function(s, t, state)\n"
                               "  local x = state.frame[3][3] + state.velocity[1] + state.spin[2]\n"
                               "  state.frame, state.velocity, state.spin[2] = nil, 3, nil\n"
                               "  return 0.1 * x, 0, 0\nend"),
                        "director", &err),
               "");
}

TEST(a_failure_inside_a_run_is_one_sentence_with_its_place) {
    withy_error err;
    const char *raises = FORCED("function(s, t, state)\n"
                                "  if t > 0.2 then error(\"torn\") end\n  return 0.1, 0, 0\nend");
    CHECK(strstr(run_text(raises, "director", &err), "seen.lua:6: loads[1].force at s = ") ==
          err.text);
    CHECK(strstr(err.text, "t = 0.225: torn") != NULL);
    const char *loops = FORCED("function(s, t, state)\n"
                               "  while t > 0.2 do end\n  return 0.1, 0, 0\nend");
    CHECK(strstr(run_text(loops, "director", &err), "stopped after too many instructions") != NULL);
    const char *infinite = FORCED("function(s, t, state) return t > 0.2 and 1 / 0 or 0, 0, 0 end");
    CHECK(strstr(run_text(infinite, "director", &err), "the function returned inf") != NULL);
}

TEST(methods_without_it_name_those_that_have_it) {
    withy_error err;
    const char *text = FORCED("function(s, t, state) return 0, -state.velocity[2], 0 end");
    CHECK_TEXT(run_text(text, "kirchhoff", &err),
               "kirchhoff: does not support loads that depend on the state of the rod; use "
               "director");
}

/* ---- modes --------------------------------------------------------------------------------------- */

/* Every load with every argument, so that both K and C get something everywhere. */
static const char everything[] =
    "return {\n"
    "  rod = { length = 1, stiffness = { bend = { 1, 1.5 }, twist = 0.8, shear = 300, stretch = "
    "1e3 },\n"
    "          inertia = { mass = 1, rotary = { 5e-3, 6e-3, 8e-3 } } },\n"
    "  initial = { shape = straight { along = { 0, 0, 1 }, normal = { 1, 0, 0 } } },\n"
    "  ends = { start = clamped {}, finish = free {\n"
    "    force = function(s, t, a) return 0.3 * a.frame[1][2] + 0.1, 0.2 * a.position[1],\n"
    "      -0.4 * a.velocity[1] end,\n"
    "    moment = function(s, t, a) return -0.05 * a.spin[1], 0.02 * a.frame[3][1],\n"
    "      -0.03 * a.spin[3] end } },\n"
    "  loads = { distributed {\n"
    "      force = function(s, t, a) local r, v = a.position, a.velocity\n"
    "        return -4 * r[1] - 0.7 * v[1], -2 * r[2] + 0.3 * v[1], -0.1 * v[3] end,\n"
    "      moment = function(s, t, a) local f, w = a.frame, a.spin\n"
    "        return -0.3 * f[3][2] - 0.01 * w[1], 0.2 * f[3][1] - 0.02 * w[2],\n"
    "          -0.1 * f[1][2] - 0.01 * w[3] end },\n"
    "    distributed { from = 0.3, to = 0.8,\n"
    "      force = function(s, t, a) return -a.velocity[1], 0.2 * a.frame[1][2], 0 end } },\n"
    "  time = { stop = 1 } }\n";

static void modes_by(const char *method, double n, double out[4][2]) {
    withy_error err = {0};
    withy_mode *mode = NULL;
    withy_equilibrium point;
    withy_sim *sim = NULL;
    withy_scene *scene = read_text(everything);
    const withy_option option = {.name = "n", .number = n};
    CHECK_OK(withy_sim_create(withy_scene_problem(scene), method, &option, 1, &sim, &err));
    CHECK_OK(withy_sim_equilibrium(sim, 1, &point, &err));
    CHECK_OK(withy_sim_modes(sim, 4, &mode, &err));
    for (int i = 0; i < 4; i++) out[i][0] = mode[i].frequency, out[i][1] = mode[i].damping;
    withy_modes_free(mode, 4);
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
}

TEST(methods_agree_on_the_complex_modes_of_loads_that_see_the_state) {
    double a[4][2], b[4][2], c[4][2];
    modes_by("director", 10, a), modes_by("cheb", 16, b), modes_by("fdtd", 40, c);
    for (int i = 0; i < 4; i++) {
        CHECK(a[i][1] > 0.05);
        CHECK_NEAR(b[i][0], a[i][0], 1e-4 * a[i][0]);
        CHECK_NEAR(b[i][1], a[i][1], 1e-4 * a[i][1]);
        CHECK_NEAR(c[i][0], a[i][0], 5e-3 * a[i][0]);
        CHECK_NEAR(c[i][1], a[i][1], 5e-3 * a[i][1]);
    }
}

/* ---- cases --------------------------------------------------------------------------------------- */

static withy_sim *start_case(const char *name, withy_scene **scene) {
    withy_error err = {0};
    withy_sim *sim = NULL;
    char path[512];
    int count;
    snprintf(path, sizeof path, "%s/cases/%s/scene.lua", WITHY_SOURCE, name);
    CHECK_OK(withy_scene_read(path, NULL, 0, scene, &err));
    const withy_option *option = withy_scene_options(*scene, &count);
    CHECK_OK(withy_sim_create(withy_scene_problem(*scene), withy_scene_method(*scene), option,
                              count, &sim, &err));
    return sim;
}

/* The text of the galloping line with another wind: its growth rate. */
static double growth_at(const char *wind) {
    static char text[8192];
    char path[512];
    withy_error err = {0};
    withy_mode *mode = NULL;
    withy_equilibrium point;
    withy_sim *sim = NULL;
    int option_count;
    snprintf(path, sizeof path, "%s/cases/galloping_line/scene.lua", WITHY_SOURCE);
    FILE *file = fopen(path, "r");
    CHECK(file != NULL);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    char *at = strstr(text, "= 100, 12,");
    CHECK(at != NULL && strlen(wind) == 3);
    memmove(at + 10, at + 9, strlen(at + 9) + 1); /* room for one more digit */
    memcpy(at + 7, wind, 3);
    withy_scene *scene = read_text(text);
    const withy_option *option = withy_scene_options(scene, &option_count);
    CHECK_OK(
        withy_sim_create(withy_scene_problem(scene), "director", option, option_count, &sim, &err));
    CHECK_OK(withy_sim_equilibrium(sim, 1, &point, &err));
    CHECK_OK(withy_sim_modes(sim, 4, &mode, &err));
    double growth = NAN;
    for (int i = 0; i < 4; i++) /* the slowest vertical one */
        if (fabs(mode[i].shift[mode[i].count / 2].z) > 1 && mode[i].frequency < 1)
            growth = mode[i].growth;
    withy_modes_free(mode, 4);
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
    return growth;
}

/* Onset at U = 2 c/(rho D 2) = 6 m/s. */
TEST(a_line_begins_to_gallop_at_the_wind_of_den_hartogs_criterion) {
    CHECK_NEAR(growth_at("5.8"), -0.0025, 3e-4);
    CHECK_NEAR(growth_at("6.2"), 0.0025, 3e-4);
}

/* Den Hartog: (rho U D 2/2 - c)/(2 m) = 0.075 1/s.  The peaks of the middle's vertical velocity. */
TEST(a_line_gallops_with_the_growth_of_den_hartogs_criterion) {
    withy_error err = {0};
    withy_scene *scene;
    withy_sim *sim = start_case("galloping_line", &scene);
    double before[2] = {0}, time[2] = {0}, peak[2] = {0};
    for (int k = 1; k <= 720; k++) {
        CHECK_OK(withy_sim_advance(sim, 0.025 * k, &err));
        const withy_snapshot *snap = withy_sim_sample(sim, 0);
        const double now = snap->velocity[snap->count / 2].z, a = before[0], b = before[1];
        if (b > a && b >= now && b > 0 && k > 120) {
            const double off = 0.5 * (a - now) / (a - 2 * b + now);
            const int first = time[0] == 0;
            time[!first] = 0.025 * (k - 1 + off), peak[!first] = b - 0.25 * (a - now) * off;
        }
        before[0] = b, before[1] = now;
    }
    CHECK(time[1] > time[0] + 10);
    CHECK_NEAR(log(peak[1] / peak[0]) / (time[1] - time[0]), 0.075, 0.0015);
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
}

/* Helmholtz motion: one slip per period of the string; the bow flattens it by less than a percent. */
TEST(a_bowed_string_slips_once_in_every_period) {
    SLOW_UNDER_SANITIZERS;
    withy_error err = {0};
    withy_scene *scene;
    withy_sim *sim = start_case("stick_slip", &scene);
    const double step = 1.0 / 44100;
    double first = 0, last = 0, before = 0, fastest = 0;
    int slips = 0;
    for (int k = 4851; k <= 5733; k++) { /* 0.11 s to 0.13 s */
        CHECK_OK(withy_sim_advance(sim, k * step, &err));
        const withy_snapshot *snap = withy_sim_sample(sim, 0);
        const double now = snap->velocity[6].x; /* 6/50 = 0.12 */
        if (k > 4851 && before >= 0 && now < 0) {
            last = step * (k - 1 + before / (before - now));
            if (slips++ == 0) first = last;
        }
        before = now, fastest = fmin(fastest, now);
    }
    CHECK(slips == 8 || slips == 9);
    CHECK_NEAR((slips - 1) / (last - first), 439.98, 4.4);
    CHECK_NEAR(fastest, -0.1 * 0.88 / 0.12, 0.08);
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
}

RUN(test(a_function_whose_parameters_fit_no_form_is_refused),
    test(the_state_has_position_velocity_frame_and_spin_in_the_laboratory),
    test(a_function_that_spoils_its_table_gets_a_whole_one_next_time),
    test(a_failure_inside_a_run_is_one_sentence_with_its_place),
    test(methods_without_it_name_those_that_have_it),
    test(methods_agree_on_the_complex_modes_of_loads_that_see_the_state),
    test(a_line_begins_to_gallop_at_the_wind_of_den_hartogs_criterion),
    test(a_line_gallops_with_the_growth_of_den_hartogs_criterion),
    test(a_bowed_string_slips_once_in_every_period))
