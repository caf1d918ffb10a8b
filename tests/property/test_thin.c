/* test_thin.c - rods of any thinness, alone, next to obstacles, in networks: the same shapes and frequencies.
 *
 *     test_thin [COUNT [SEED]]      COUNT samples (few in the suite); the seed is the day
 *
 * Without shear and stretch a rod under forces in units of EI/L^2 has a shape that does not depend on its radius, and
 * frequencies in proportion to it.
 * slow under sanitizers
 */
#include "stability_fixture.h"
#include "withy/study.h"

static withy_scene *read_scene(const char *text) {
    withy_scene *scene = NULL;
    withy_error err = {0};
    const withy_status status =
        withy_scene_read_text(text, strlen(text), "test.lua", NULL, 0, &scene, &err);
    if (status == WITHY_MISSING) skip();
    if (status != WITHY_OK) fail_msg("%s\n%s", err.text, text);
    return scene;
}

/* bar: NULL, or their error bars. */
static void find_frequencies(const char *text, int count, double *hz, double *bar) {
    withy_scene *scene = read_scene(text);
    withy_mode *mode = NULL;
    withy_error err = {0};
    const withy_run_setup setup = {.method = "director", .error = bar != NULL};
    if (withy_modes(scene, count, &setup, &mode, &err) != WITHY_OK)
        fail_msg("%s\n%s", err.text, text);
    for (int k = 0; k < count; k++) hz[k] = mode[k].frequency;
    for (int k = 0; k < count && bar; k++) bar[k] = mode[k].frequency_error;
    CHECK(!strstr(mode->notes->text, "rotary inertia")); /* modes have their own */
    withy_modes_free(mode, count);
    withy_scene_destroy(scene);
}

/* ---- cantilevers ------------------------------------------------------------------------------------------- */

typedef struct beam {
    double cut, force[3]; /* where it is cut and welded; in units of EI/L^2 */
    int n;
    int with; /* 1: an obstacle far away, 2: cut in two, 4: a body far away */
} beam;

static void write_beam(const beam *b, double radius, char *text, size_t size) {
    const char *far =
        b->with & 1 ? "obstacles = { plane { point = { 0, 0, -100 }, normal = { 0, 0, 1 } } },"
                    : "";
    const char *body = b->with & 4 ? "bodies = { { name = 'far', mass = 1, inertia = { 1, 1, 1 }, "
                                     "position = { 50, 0, 0 } } },"
                                   : "";
    const char *held =
        b->with & 4 ? "weld { parts = { 'ground', 'far' }, at = { { 50, 0, 0 }, { 0, 0, 0 } } }"
                    : "";
    const char *weld = b->with & 2 ? "weld { parts = { 'a', 'b' }, at = { cut, 0 } }," : "";
    snprintf(
        text, size,
        "local r, cut, E = %.17g, %.17g, 1e9\nlocal k = E * math.pi * r ^ 4 / 4\n"
        "local function rod(name, from, length, n) return { name = name, length = length, section "
        "= circle { diameter "
        "= 2 * r }, material = { young = E, density = 1000, poisson = 0.3 }, initial = { shape = "
        "straight { from = { "
        "from, 0, 0 }, along = { 1, 0, 0 } } } } end\n"
        "local a, b = rod('a', 0, %s), %s\na.ends = { start = clamped {} }\n"
        "%s.ends = { start = %s, finish = free { force = { %.17g * k, %.17g * k, %.17g * k } } }\n"
        "return { rods = { a, b }, %s %s joints = { %s %s }, method = 'director', options = { n = "
        "%d } }",
        radius, b->cut, b->with & 2 ? "cut" : "1", b->with & 2 ? "rod('b', cut, 1 - cut)" : "nil",
        b->with & 2 ? "b" : "a", b->with & 2 ? "nil" : "clamped {}", b->force[0], b->force[1],
        b->force[2], far, body, weld, held, b->n);
}

TEST(cantilevers_down_to_a_hundred_millionth_of_their_length_keep_shape_and_frequencies) {
    static const double RADIUS[] = {1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
    for (int k = 0; k < 2 * wanted; k++) {
        beam b = {.cut = draw(0.2, 0.8), .n = (int)draw(8, 16)};
        double expected[4];
        withy_vec3 tip = {0};
        for (int i = 0; i < 3; i++) b.force[i] = draw(-2, 2);
        for (int i = 0; i < 5; i++)
            for (b.with = 0; b.with < 8; b.with++) {
                char text[4096];
                double hz[4];
                withy_static_report report;
                withy_error err = {0};
                if (b.with & 2 && i == 0) continue; /* another mesh: compared with itself */
                write_beam(&b, RADIUS[i], text, sizeof text);
                if (solve(text, &report, &err) != WITHY_OK) fail_msg("%s\n%s", err.text, text);
                const withy_vec3 end = report.point[report.count - 1].position[1];
                withy_static_free(&report);
                if (i == 0 && b.with == 0) tip = end;
                if (!(b.with & 2)) { /* the first rod is all of it */
                    CHECK_NEAR(end.x, tip.x, 1e-6);
                    CHECK_NEAR(end.y, tip.y, 1e-6);
                    CHECK_NEAR(end.z, tip.z, 1e-6);
                }
                find_frequencies(text, 4, hz, NULL);
                for (int m = 0; m < 4; m++) {
                    const double scaled = hz[m] / RADIUS[i];
                    if (i == 0 && b.with == 0) expected[m] = scaled;
                    const double room = b.with & 2 ? 1e-3 : 1e-6; /* the mesh is another */
                    if (!(fabs(scaled / expected[m] - 1) < room))
                        fail_msg("frequency %d at r = %g: %.9g, want %.9g\n%s", m + 1, RADIUS[i],
                                 scaled, expected[m], text);
                }
            }
    }
}

/* Of the last rod. */
static withy_vec3 tip_of(const beam *b, const withy_static_report *report) {
    if (report->part_count) return report->part[b->with & 2 ? 1 : 0].position[1];
    return report->point[report->count - 1].position[1];
}

/* The tip of the elastica under two units of force, by shooting (an integrator of order 8). */
TEST(the_tip_of_a_cantilever_of_any_thinness_is_that_of_the_elastica) {
    static const double RADIUS[] = {1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
    beam b = {.cut = 0.37, .force = {0, 0, -2}, .n = 16};
    for (int i = 0; i < 5; i++)
        for (b.with = 0; b.with < 8; b.with++) {
            char text[4096];
            withy_static_report report;
            withy_error err = {0};
            write_beam(&b, RADIUS[i], text, sizeof text);
            if (solve(text, &report, &err) != WITHY_OK) fail_msg("%s\n%s", err.text, text);
            const withy_vec3 tip = tip_of(&b, &report);
            withy_static_free(&report);
            const double room = 2e-9 + 4 * RADIUS[i] * RADIUS[i]; /* the mesh; shear and stretch */
            CHECK_NEAR(tip.x, 0.8393582791748, room);
            CHECK_NEAR(tip.z, -0.4934574803967, room);
        }
}

/* ---- a wire ------------------------------------------------------------------------------------------------- */

/* A steel wire of 50 m over a span of 40 m: out of its plane and in it, in turns.  By collocation of the first-order equations
 * with forces and moments as unknowns (Chebyshev, degree 14 on 14 and 18 pieces), from 1 mm up; the last is the wire without
 * bending stiffness, by shooting, from which this one differs by less than 1e-10; between them a polynomial in d^2, d^3, d^4
 * through the three next diameters. */
enum { WIRES = 8, LIST = 6 };
static const struct wire {
    double d, hz[LIST];
} WIRE[WIRES] = {
    {1e-1,
     {0.154551765716, 0.326208926129, 0.397760392981, 0.756655518587, 0.808793783323,
      1.33791862489}},
    {3e-2,
     {0.1539788014, 0.245109032743, 0.3041584838, 0.44425030456, 0.48350343176, 0.667505016425}},
    {1e-2,
     {0.15379097169, 0.236042534285, 0.29379025625, 0.403499590199, 0.44174430607, 0.568455811288}},
    {3e-3,
     {0.15376332245, 0.234958698242, 0.29254196035, 0.398418902962, 0.43653336356, 0.555486245812}},
    {1e-3,
     {0.1537607707, 0.23486287197, 0.2924312115, 0.397966027989, 0.4360682765, 0.554317935638}},
    {3e-4,
     {0.15376047758, 0.23485197166, 0.29241859953, 0.39791445674, 0.436015291, 0.55418473157}},
    {1e-4,
     {0.15376045173, 0.23485101356, 0.29241749053, 0.39790992266, 0.43601063182, 0.5541730177}},
    {1e-6, {0.1537604485, 0.2348508938, 0.2924173519, 0.3979093559, 0.4360100494, 0.5541715534}}};
static const double DIGITS = 2e-9; /* of the table */

static const char FLOOR[] = "floor = { point = { 0, 0, -30 }, stiffness = 1e4 },";

static void wire_frequencies(double d, int n, const char *more, double hz[7], double *bar) {
    char text[1024];
    snprintf(text, sizeof text,
             "return { rod = { length = 50, section = circle { diameter = %.17g }, material = { "
             "young = 2.1e11, density = 7800, poisson = 0.3 } }, initial = { shape = catenary { "
             "from = { 0, 0, 0 }, to = { 40, 0, 0 } } }, ends = { start = pinned { position = { 0, "
             "0, 0 } }, finish = pinned { position = { 40, 0, 0 } } }, %s gravity = { 0, 0, -9.81 "
             "}, options = { n = %d } }",
             d, more, n);
    find_frequencies(text, 7, hz, bar);
}

/* It may spin about itself, and nothing else is among its modes. */
static void check_wire(int which, int n, const char *more) {
    const struct wire *w = &WIRE[which];
    double hz[7], bar[7];
    wire_frequencies(w->d, n, more, hz, bar);
    CHECK(hz[0] == 0);
    for (int k = 0; k < LIST; k++)
        if (!(fabs(hz[k + 1] - w->hz[k]) <= bar[k + 1] + DIGITS * w->hz[k]))
            fail_msg("d = %g, n = %d, %s: frequency %d is %.11g +- %.2g, want %.11g", w->d, n,
                     more[0] ? "floor" : "alone", k + 1, hz[k + 1], bar[k + 1], w->hz[k]);
}

TEST(frequencies_of_a_wire_are_within_their_bars_with_and_without_a_floor) {
    static const int N[] = {8, 16, 32, 64, 128};
    for (int k = 0; k < (wanted > 1 ? WIRES * 5 : 2); k++) {
        const int which = wanted > 1 ? k / 5 : (int)draw(0, WIRES);
        const int n = wanted > 1 ? N[k % 5] : N[(int)draw(0, 3)];
        check_wire(which, n, "");
        check_wire(which, n, FLOOR);
    }
}

TEST(fine_meshes_of_a_wire_of_any_diameter_have_its_frequencies) {
    static const int N[] = {64, 128, 256};
    for (int k = 0; k < (wanted > 1 ? WIRES * 3 : 2); k++) {
        const struct wire *w = &WIRE[wanted > 1 ? k / 3 : (int)draw(0, WIRES)];
        const int n = wanted > 1 ? N[k % 3] : N[(int)draw(0, 2)];
        double hz[7];
        wire_frequencies(w->d, n, "", hz, NULL);
        CHECK(hz[0] == 0);
        for (int m = 0; m < LIST; m++)
            if (!(fabs(hz[m + 1] / w->hz[m] - 1) <= 2 * DIGITS))
                fail_msg("d = %g, n = %d: frequency %d is %.12g, want %.12g", w->d, n, m + 1,
                         hz[m + 1], w->hz[m]);
    }
}

TEST(a_floor_far_below_changes_no_frequency_of_a_wire_of_any_diameter) {
    for (int k = 0; k < 2 + wanted; k++) {
        double alone[7], beside[7];
        const double d = exp(draw(log(1e-6), log(1e-1)));
        const int n = (int)exp(draw(log(8), log(wanted > 1 ? 256 : 64)));
        wire_frequencies(d, n, "", alone, NULL);
        wire_frequencies(d, n, FLOOR, beside, NULL);
        for (int m = 0; m < 7; m++)
            if (!(fabs(beside[m] - alone[m]) <= 1e-12 * alone[m]))
                fail_msg("d = %g, n = %d: frequency %d is %.14g alone, %.14g next to a floor", d, n,
                         m + 1, alone[m], beside[m]);
    }
}

/* ---- straight rods --------------------------------------------------------------------------------------- */

/* A rod that may spin about itself, alone or cut and welded: its finish pulled by 1000 EI/L^2, or held. */
static void write_straight(double radius, double cut, int held, char *text, size_t size) {
    snprintf(
        text, size,
        "local r, cut, held, k = %.17g, %.17g, %s, 1e9 * math.pi * %.17g ^ 4 / 4\n"
        "local function rod(name, from, length) return { name = name, length = length, section "
        "= circle { diameter = 2 * r }, material = { young = 1e9, density = 1000, poisson = "
        "0.3 }, initial = { shape = straight { from = { from, 0, 0 }, along = { 1, 0, 0 } } } "
        "} end\n"
        "local a, b = rod('a', 0, cut), cut < 1 and rod('b', cut, 1 - cut) or nil\n"
        "a.ends = { start = pinned { position = { 0, 0, 0 } } }\n"
        "local last = b or a\nlast.ends = last.ends or {}\n"
        "last.ends.finish = held and pinned { position = { 1, 0, 0 } } or free { force = { "
        "1000 * k, 0, 0 } }\n"
        "return { rods = { a, b }, joints = b and { weld { parts = { 'a', 'b' }, at = { cut, "
        "0 } } }, options = { n = 16 } }",
        radius, cut, held ? "true" : "false", radius);
}

TEST(a_pulled_rod_of_any_thinness_may_spin_and_keeps_its_frequencies) {
    static const double RADIUS[] = {1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
    for (int i = 0; i < 5; i++)
        for (int cut = 0; cut < 2; cut++) {
            char text[2048];
            double hz[4];
            write_straight(RADIUS[i], cut ? 0.3 : 1, 0, text, sizeof text);
            find_frequencies(text, 4, hz, NULL);
            CHECK(hz[0] == 0); /* rounding of its parts' places is no stiffness */
            CHECK_NEAR(hz[1] / RADIUS[i], 3957.41235, 2e-8 * 3957 + 5e-3 * (i == 0));
            CHECK_NEAR(hz[3] / RADIUS[i], 11981.1804, 2e-8 * 11981 + 2e-2 * (i == 0));
        }
}

/* Between two ends that hold it a rod is pulled by EA times the rounding of their distance, which at r/L = 1e-8 is like its
 * buckling load: pi^2 EI/(EA L^2) = 2.5e-16. */
TEST(a_held_rod_is_refused_modes_that_rounding_decides) {
    static const double RADIUS[] = {1e-4, 1e-5, 1e-6, 1e-8};
    static const double ROOM[] = {1e-6, 1e-4, 1e-2, 0};
    for (int i = 0; i < 4; i++)
        for (int cut = 0; cut < 2; cut++) {
            char text[2048];
            withy_mode *mode = NULL;
            withy_error err = {0};
            write_straight(RADIUS[i], cut ? 0.3 : 1, 1, text, sizeof text);
            withy_scene *scene = read_scene(text);
            const withy_run_setup setup = {.method = "director"};
            const withy_status status = withy_modes(scene, 3, &setup, &mode, &err);
            withy_scene_destroy(scene);
            if (ROOM[i] == 0) {
                CHECK(status == WITHY_UNSUPPORTED && strstr(err.text, "rounding of its places"));
                continue;
            }
            CHECK(status == WITHY_OK && mode[0].frequency == 0);
            CHECK(RADIUS[i] > 1e-5 || strstr(mode->notes->text, "rounding of its places"));
            CHECK_NEAR(mode[1].frequency / (785.398163 * RADIUS[i]), 1, ROOM[i]);
            withy_modes_free(mode, 3);
        }
}

int main(int argc, char **argv) {
    begin_samples(argc, argv);
    const struct CMUnitTest tests[] = {
        test(cantilevers_down_to_a_hundred_millionth_of_their_length_keep_shape_and_frequencies),
        test(the_tip_of_a_cantilever_of_any_thinness_is_that_of_the_elastica),
        test(frequencies_of_a_wire_are_within_their_bars_with_and_without_a_floor),
        test(fine_meshes_of_a_wire_of_any_diameter_have_its_frequencies),
        test(a_floor_far_below_changes_no_frequency_of_a_wire_of_any_diameter),
        test(a_pulled_rod_of_any_thinness_may_spin_and_keeps_its_frequencies),
        test(a_held_rod_is_refused_modes_that_rounding_decides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
