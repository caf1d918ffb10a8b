/* test_thin.c - rods of any thinness, alone, beside obstacles, in networks: the same shapes and frequencies.
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

static void find_frequencies(const char *text, int count, double *hz) {
    withy_scene *scene = read_scene(text);
    withy_mode *mode = NULL;
    withy_error err = {0};
    const withy_run_setup setup = {.method = "director"};
    if (withy_modes(scene, count, &setup, &mode, &err) != WITHY_OK)
        fail_msg("%s\n%s", err.text, text);
    for (int k = 0; k < count; k++) hz[k] = mode[k].frequency;
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
        double requested[4];
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
                find_frequencies(text, 4, hz);
                for (int m = 0; m < 4; m++) {
                    const double scaled = hz[m] / RADIUS[i];
                    if (i == 0 && b.with == 0) requested[m] = scaled;
                    const double room = b.with & 2 ? 1e-3 : 1e-6; /* the mesh is another */
                    if (!(fabs(scaled / requested[m] - 1) < room))
                        fail_msg("frequency %d at r = %g: %.9g, want %.9g\n%s", m + 1, RADIUS[i],
                                 scaled, requested[m], text);
                }
            }
    }
}

/* ---- a wire ------------------------------------------------------------------------------------------------- */

/* A steel wire of 1 mm and 50 m over a span of 40 m: by collocation on three meshes, and by an element of its own with
 * forces as unknowns: out of its plane and in it, in turns. */
static const double WIRE[] = {0.1537607707, 0.2348628720, 0.2924312115,
                              0.3979660280, 0.4360682765, 0.5543179356};

static void wire_frequencies(double d, int n, const char *more, double hz[7]) {
    char text[1024];
    snprintf(text, sizeof text,
             "return { rod = { length = 50, section = circle { diameter = %.17g }, material = { "
             "young = 2.1e11, density = "
             "7800, poisson = 0.3 } }, initial = { shape = catenary { from = { 0, 0, 0 }, to = { "
             "40, 0, 0 } } }, ends = { "
             "start = pinned { position = { 0, 0, 0 } }, finish = pinned { position = { 40, 0, 0 } "
             "} }, %s gravity = { 0, "
             "0, -9.81 }, options = { n = %d } }",
             d, more, n);
    find_frequencies(text, 7, hz);
}

static const char FLOOR[] = "floor = { point = { 0, 0, -30 }, stiffness = 1e4 },";

TEST(a_steel_wire_has_its_frequencies_with_and_without_a_floor) {
    static const int N[] = {16, 33, 64};
    for (int i = 0; i < 3; i++) {
        double alone[7], beside[7];
        wire_frequencies(1e-3, N[i], "", alone);
        wire_frequencies(1e-3, N[i], FLOOR, beside);
        CHECK(alone[0] == 0 && beside[0] == 0); /* it may spin about itself */
        for (int k = 0; k < 6; k++) {
            CHECK_NEAR(alone[k + 1], WIRE[k], 1e-6 * WIRE[k]);
            CHECK_NEAR(beside[k + 1], alone[k + 1], 1e-9);
        }
    }
}

TEST(a_floor_far_below_changes_no_frequency_of_a_wire_of_any_diameter) {
    for (int k = 0; k < 2 + wanted; k++) {
        double alone[7], beside[7];
        const double d = exp(draw(log(1e-4), log(1e-1)));
        const int n = (int)exp(draw(log(8), log(128)));
        wire_frequencies(d, n, "", alone);
        wire_frequencies(d, n, FLOOR, beside);
        for (int m = 0; m < 7; m++)
            if (!(fabs(beside[m] - alone[m]) <= 1e-7 * alone[m] + 1e-12))
                fail_msg("d = %g, n = %d: frequency %d is %.10g alone, %.10g beside a floor", d, n,
                         m + 1, alone[m], beside[m]);
    }
}

int main(int argc, char **argv) {
    begin_samples(argc, argv);
    const struct CMUnitTest tests[] = {
        test(cantilevers_down_to_a_hundred_millionth_of_their_length_keep_shape_and_frequencies),
        test(a_steel_wire_has_its_frequencies_with_and_without_a_floor),
        test(a_floor_far_below_changes_no_frequency_of_a_wire_of_any_diameter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
