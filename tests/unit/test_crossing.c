/* Rods that pass through each other in a scene without contact: one note, and none where they do not. */
#include "check.h"
#include "fixture.h"
#include "withy/withy.h"

typedef struct answer {
    withy_status status;
    char notes[WITHY_NOTES_SIZE];
} answer;

static answer run(const char *text) {
    static withy_report report;
    answer out = {0};
    withy_error err = {0};
    const withy_run_setup setup = {0};
    withy_scene *scene = scene_of(text, NULL);
    out.status = withy_run(scene, &setup, &report, &err);
    if (out.status != WITHY_OK) printf("  %s\n", err.text);
    memcpy(out.notes, report.notes.text, sizeof out.notes);
    withy_scene_destroy(scene);
    return out;
}

static answer solve(const char *text) {
    static withy_static_report report;
    answer out = {0};
    withy_error err = {0};
    const withy_run_setup setup = {0};
    withy_scene *scene = scene_of(text, NULL);
    out.status = withy_static(scene, &setup, &report, &err);
    if (out.status != WITHY_OK) printf("  %s\n", err.text);
    memcpy(out.notes, report.notes.text, sizeof out.notes);
    withy_static_free(&report);
    withy_scene_destroy(scene);
    return out;
}

/* Two rods cross in free flight, or one of them stops short of the other. */
#define CROSSING(stop)                                                                             \
    "local function rod(z, y, v) return { length = 1, section = circle { diameter = 0.02 }, "      \
    "material = { young = "                                                                        \
    "1e7, poisson = 0.3, density = 1000 }, initial = { shape = straight { from = y, along = z }, " \
    "velocity = { 0, "                                                                             \
    "0, v } } } end return { rods = { rod({ 1, 0, 0 }, { 0, 0, 0.1 }, -1), rod({ 0, 1, 0 }, { "    \
    "0.5, -0.5, 0 }, 0) }, "                                                                       \
    "time = { stop = " stop                                                                        \
    ", output = 0.005 }, method = \"director\", options = { n = 10, dt = 0.005 } }"

TEST(two_rods_that_fly_through_each_other_are_noted_and_those_that_do_not_are_not) {
    const answer through = run(CROSSING("0.15")), short_of = run(CROSSING("0.07"));
    CHECK(through.status == WITHY_OK && short_of.status == WITHY_OK);
    CHECK(strstr(through.notes, "rod 1 passes through rod 2") != NULL);
    CHECK(strstr(through.notes, "contact = {} lets them touch") != NULL);
    CHECK(strstr(short_of.notes, "passes through") == NULL);
}

/* A helical spring pressed by `way`: pitch 4 mm, wire 2 mm, 6 turns: solid after 12 mm. */
#define SPRING(way)                                                                                \
    "local L = 6 * math.sqrt((2 * math.pi * 0.01)^2 + 0.004^2) return { rod = { length = L, "      \
    "section = circle { "                                                                          \
    "diameter = 0.002 }, material = { young = 2e11, poisson = 0.3, density = 7800 }, rest = "      \
    "helix { radius = 0.01, "                                                                      \
    "turns = 6 } }, ends = { start = clamped {}, finish = clamped { position = function(t) "       \
    "return 0, 0, 0.024 - t * " way                                                                \
    " end } }, path = { steps = 8 }, method = \"director\", options = { n = 60 } }"

TEST(a_spring_pressed_below_its_solid_length_is_noted_and_above_it_is_not) {
    const answer below = solve(SPRING("0.015")), above = solve(SPRING("0.008"));
    CHECK(below.status == WITHY_OK && above.status == WITHY_OK);
    CHECK(strstr(below.notes, "the rod passes through itself") != NULL);
    CHECK(strstr(above.notes, "passes through") == NULL);
    if (strstr(above.notes, "passes")) printf("%s\n", above.notes);
}

/* A strip bent into more than a circle: its ends pass through each other. */
#define RING(turns)                                                                                \
    "return { rod = { length = 1, section = circle { diameter = 0.02 }, material = { young = "     \
    "1e7, poisson = 0.3, "                                                                         \
    "density = 1000 } }, ends = { start = clamped {}, finish = free { moment = { 0, 2 * math.pi "  \
    "* " turns " * 1e7 * math.pi * 0.02^4 / 64, 0 }, follower = true } }, path = { steps = 6 }, "  \
    "method = \"director\", options "                                                              \
    "= { n = 40 } }"

TEST(a_rod_bent_beyond_a_circle_is_noted_and_short_of_it_is_not) {
    const answer beyond = solve(RING("1.2")), before = solve(RING("0.9"));
    CHECK(beyond.status == WITHY_OK && before.status == WITHY_OK);
    CHECK(strstr(beyond.notes, "the rod passes through itself") != NULL);
    CHECK(strstr(before.notes, "passes through") == NULL);
}

RUN(test(two_rods_that_fly_through_each_other_are_noted_and_those_that_do_not_are_not),
    test(a_spring_pressed_below_its_solid_length_is_noted_and_above_it_is_not),
    test(a_rod_bent_beyond_a_circle_is_noted_and_short_of_it_is_not))
