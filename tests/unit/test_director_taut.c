/* test_director_taut.c - meshes of taut rods of low bending stiffness: what is refused, what is stopped, what is right.
 *
 * Numbers named golden: the rope by two other discretisations (positions only; collocation), the mooring line by runs of
 * a prototype that fail up to n = 48 and end from n = 50.
 */
#include "fixture.h"
#include "withy/withy.h"

/* 100 m of rope between pins 90 m apart; its end moves from t = 0 on. */
#define ROPE(bend, initial)                                                                        \
    "return { rod = { length = 100, stiffness = { stretch = 1e7, bend = " bend ", twist = " bend   \
    ", shear = 4e6 }, inertia = { mass = 2 } }, gravity = { 0, 0, -9.81 }, "                       \
    "ends = { start = pinned { position = { 0, 0, 0 } }, finish = pinned { position = function(t)" \
    " return 90 + 0.2 * math.sin(t) * math.min(1, t), 0, 0 end } }, initial = " initial            \
    "{ shape = catenary { from = { 0, 0, 0 }, to = { 90, 0, 0 } } }, time = { stop = 1, output = " \
    "0.25 }, probes = { middle = { at = 50, what = 'position' } }, method = 'director', options "  \
    "= { n = 20, dt = 0.02 } }"

static withy_report report;
static withy_error err;

static withy_status run_with(const char *text, const char *const *set, int count) {
    withy_scene *scene = scene_with(text, set, count);
    err = (withy_error){0};
    const withy_status status = withy_run(scene, &(withy_run_setup){0}, &report, &err);
    withy_scene_destroy(scene);
    return status;
}

static withy_status run(const char *text, const char *set) {
    return run_with(text, &set, set != NULL);
}

static withy_status rest(const char *text, const char *set, withy_static_report *out) {
    withy_scene *scene = scene_of(text, set);
    err = (withy_error){0};
    const withy_status status = withy_static(scene, &(withy_run_setup){0}, out, &err);
    withy_scene_destroy(scene);
    return status;
}

/* Golden: the formula gives 0.535 for 20 elements of degree 3. */
TEST(a_rope_is_refused_where_its_mesh_is_unstable_and_moves_where_it_is_not) {
    CHECK(run(ROPE("0.53", "static "), NULL) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "EI = 0.53") && strstr(err.text, "unstable below 0.53"));
    CHECK(report.t == 0);
    CHECK_OK(run(ROPE("0.56", "static "), NULL));
    CHECK(strstr(report.notes.data, "mesh_taut\t"));
}

TEST(a_refused_rope_moves_with_the_elements_that_the_message_names) {
    CHECK(run(ROPE("0.1", "static "), NULL) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "options.n = 32 or more (now 20)"));
    CHECK_OK(run(ROPE("0.1", "static "), "options.n=32"));
}

/* Golden: x and z of the middle at t = 1, without bending by 100 and 200 elements of degrees 3 and 4; the same prototype of this
 * method agrees to 2e-6. */
TEST(a_rope_moves_as_elements_of_positions_alone) {
    static const char *const set[] = {"options.n=50", "options.dt=0.005", "options.order=4"};
    CHECK_OK(run_with(ROPE("0.1", "static "), set, 3));
    CHECK_NEAR(report.probe[0].value[0], 45.05930901, 5e-6);
    CHECK_NEAR(report.probe[0].value[2], -18.96572996, 5e-6);
}

/* From a shape that is no equilibrium, so that the tension is not known when it starts. */
TEST(a_rope_that_becomes_taut_is_stopped_and_keeps_what_was_computed) {
    CHECK(run(ROPE("1e-3", ""), NULL) == WITHY_NO_CONVERGENCE);
    CHECK(strstr(err.text, "at t = ") && strstr(err.text, "options.n = "));
    CHECK(report.snapshots >= 1 && isfinite(report.position[1].x));
}

/* Golden: H of the rope by the element of positions and by collocation. */
TEST(forces_at_rest_are_right_on_a_mesh_that_is_unstable) {
    withy_static_report out;
    CHECK_OK(rest(ROPE("0.1", ""), NULL, &out));
    CHECK_NEAR(out.point[0].reaction[1].x, 1098.122102, 2e-5);
    CHECK(out.point[0].at.negative <= 0); /* not those of the mesh */
    withy_static_free(&out);
}

/* Golden: n = 53 of the formula with the largest tension. */
TEST(a_mooring_line_names_the_elements_that_it_needs) {
    static const char line[] =
        "return { rod = { length = 902.2, stiffness = { stretch = 384.243e6, bend = 1e4, twist = "
        "1e4 }, inertia = { mass = 77.7066 }, radius = 0.045 }, gravity = { 0, 0, -8.98676 }, ends "
        "= { start = pinned { position = { 0, 0, -319.955 } }, finish = pinned { position = { "
        "848.67, 0, -70 } } }, initial = static { shape = catenary {} }, time = { stop = 1, "
        "output = 0.5 } }";
    CHECK(run(line, NULL) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "options.n = 53 or more"));
}

/* A string between two clamps: its directors cannot begin to turn.  Frequency of the string without bending and of its mesh,
 * with the layers next to the clamps that 8 elements do not resolve. */
#define STRING(start, finish)                                                                      \
    "return { rod = { length = 0.65, stiffness = { stretch = 1e4, bend = 1e-6, twist = 1e-6, "     \
    "shear = 4e3 }, inertia = { mass = 4e-4 } }, initial = static { shape = straight { along = { " \
    "1, 0, 0 } } }, ends = { start = " start " {}, finish = " finish                               \
    " { position = { 0.65455, 0, 0 } } }, time = { stop = 0.01, output = 0.005 }, options = { n "  \
    "= 8 } }"

TEST(a_straight_string_is_refused_between_pins_and_not_between_clamps) {
    CHECK_OK(run(STRING("clamped", "clamped"), NULL));
    CHECK(strstr(report.notes.data, "layer_unresolved\t") &&
          !strstr(report.notes.data, "mesh_taut"));
    CHECK(run(STRING("pinned", "pinned"), NULL) == WITHY_BAD_INPUT);
    CHECK(run(STRING("clamped", "pinned"), NULL) == WITHY_BAD_INPUT);
}

/* Rubber, pulled at its end: x = 1 + F/EA, until it shears away at T = GA (1 + T/EA). */
#define RUBBER(force)                                                                              \
    "return { rod = { length = 1, section = circle { diameter = 0.02 }, material = { young = "     \
    "1e6, poisson = 0.5, density = 1000 } }, initial = static { shape = straight { along = { 1, "  \
    "0, 0 } } }, ends = { start = clamped {}, finish = free { force = { " force                    \
    ", 0, 0 } } }, time = { stop = 1e-3 }, method = 'director', options = { n = 32 } }"

TEST(a_thick_rod_is_stretched_to_where_it_shears_away) {
    withy_static_report out;
    CHECK_OK(rest(RUBBER("120"), NULL, &out));
    CHECK_NEAR(out.point[0].position[1].x, 1 + 120 / (1e6 * 3.14159265358979 * 1e-4), 1e-6);
    CHECK(out.point[0].at.negative == 0);
    withy_static_free(&out);
    CHECK_OK(run(RUBBER("120"), NULL));
    CHECK(run(RUBBER("200"), NULL) != WITHY_OK);
    CHECK(strstr(err.text, "shears away"));
}

RUN(test(a_rope_is_refused_where_its_mesh_is_unstable_and_moves_where_it_is_not),
    test(a_refused_rope_moves_with_the_elements_that_the_message_names),
    test(a_rope_moves_as_elements_of_positions_alone),
    test(a_rope_that_becomes_taut_is_stopped_and_keeps_what_was_computed),
    test(forces_at_rest_are_right_on_a_mesh_that_is_unstable),
    test(a_mooring_line_names_the_elements_that_it_needs),
    test(a_straight_string_is_refused_between_pins_and_not_between_clamps),
    test(a_thick_rod_is_stretched_to_where_it_shears_away))
