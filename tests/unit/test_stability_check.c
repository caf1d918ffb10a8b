/* slow under sanitizers
 *
 * test_stability_check.c - the count of unstable directions is right in methods with and without pivots. */
#include "check.h"
#include "random_scene.h"
#include "withy/withy.h"

/* A cantilever column with two bending stiffnesses, pressed along itself; it stays straight. */
static const char column[] =
    "return { rod = { length = 1, stiffness = { stretch = 1e6, shear = 1e6, bend = { 1, 1.1 }, "
    "twist = 1 }, inertia = { mass = 1, rotary = 1e-4 } }, initial = { shape = straight { along = "
    "{ 1, 0, 0 }, normal = { 0, 1, 0 } } }, ends = { start = clamped {}, finish = free { force = { "
    "-1, 0, 0 } } }, path = { from = 1, to = 100, steps = 1 } }";

static int unstable(const char *method, const char *n, const char *bend, double load, char *notes,
                    size_t size) {
    char from[64], to[64];
    snprintf(from, sizeof from, "path.from=%g", load);
    snprintf(to, sizeof to, "path.to=%g", load + 0.01);
    const char *const set[] = {from, to, n, bend};
    withy_scene *scene = NULL;
    withy_static_report report;
    withy_error err = {0};
    const withy_run_setup setup = {.method = method};
    withy_status status =
        withy_scene_read_text(column, strlen(column), "test.lua", set, 4, &scene, &err);
    if (status == WITHY_MISSING) skip();
    if (status == WITHY_OK) status = withy_static(scene, &setup, &report, &err);
    if (status != WITHY_OK) fail_msg("%s: %s", method, err.text);
    const int negative = report.point[0].at.negative;
    if (notes) snprintf(notes, size, "%s", report.notes.text);
    withy_static_free(&report);
    withy_scene_destroy(scene);
    return negative;
}

/* Of each bending stiffness the loads ((2 k - 1) pi/2)^2 EI/L^2 are critical. */
TEST(a_column_far_beyond_its_critical_loads_has_all_its_unstable_directions_in_every_method) {
    static const char *const round = "rod.stiffness.bend=1", *const two =
                                                                 "rod.stiffness.bend={1,1.1}";
    const struct {
        const char *method, *n, *bend;
    } row[] = {{"director", "options.n=16", two},
               {"se3", "options.n=40", two},
               {"fdtd", "options.n=40", two},
               {"cheb", "options.n=24", two},
               {"kirchhoff", "options.n=60", round}};
    static const double load[] = {1, 5, 30, 100};
    for (int m = 0; m < 5; m++)
        for (int k = 0; k < 4; k++) {
            const int got = unstable(row[m].method, row[m].n, row[m].bend, load[k], NULL, 0);
            if (got != 2 * k)
                fail_msg("%s counts %d at %g EI/L^2, not %d", row[m].method, got, load[k], 2 * k);
        }
    printf("0, 2, 4, 6 unstable directions at 1, 5, 30, 100 EI/L^2 in director, se3, fdtd, cheb "
           "and kirchhoff\n");
}

/* Between the critical loads of the two stiffnesses, 2.467 and 2.714: whichever plane cheb computes it in. */
TEST(a_plane_rod_of_cheb_that_would_leave_its_plane_is_not_called_stable) {
    static const char *const bend[] = {"rod.stiffness.bend={1,1.1}", "rod.stiffness.bend={1.1,1}"};
    char notes[2][2048];
    for (int k = 0; k < 2; k++) {
        CHECK(unstable("cheb", "options.n=16", bend[k], 2.6, notes[k], sizeof notes[k]) == 1);
        CHECK(unstable("cheb", "options.n=16", bend[k], 2.4, NULL, 0) == 0);
        CHECK(unstable("cheb", "options.n=16", bend[k], 2.8, NULL, 0) == 2);
    }
    CHECK((strstr(notes[0], "stable in its plane only") != NULL) +
              (strstr(notes[1], "stable in its plane only") != NULL) ==
          1); /* in the other it is the plane that it buckles in */
}

/* The last point, solved by a method on a mesh. */
static int last_stability(const char *text, const char *method, int n, char *notes, size_t size) {
    char mesh[32];
    snprintf(mesh, sizeof mesh, "options.n=%d", n);
    const char *const set[] = {mesh};
    withy_scene *scene = NULL;
    withy_static_report report;
    withy_error err = {0};
    const withy_run_setup setup = {.method = method};
    withy_status status =
        withy_scene_read_text(text, strlen(text), "test.lua", set, 1, &scene, &err);
    if (status == WITHY_MISSING) skip();
    if (status == WITHY_OK) status = withy_static(scene, &setup, &report, &err);
    if (status != WITHY_OK) fail_msg("%s, n = %d: %s", method, n, err.text);
    const int negative = report.point[report.count - 1].at.negative;
    snprintf(notes, size, "%s", report.notes.text);
    withy_static_free(&report);
    withy_scene_destroy(scene);
    return negative;
}

/* 8 turns, pressed from 48 to 28 mm: the lowest mode has 216 Hz there. */
TEST(a_coil_that_is_pressed_together_is_stable_in_cheb_on_every_mesh_as_it_is_in_director) {
    static const char text[] =
        "return { rod = { length = 0.50494, section = circle { diameter = 2e-3 }, material = { "
        "young = 206e9, shear = 79e9, density = 7850 }, rest = helix { radius = 0.01, turns = 8 } "
        "}, ends = { start = clamped {}, finish = clamped { position = function(t) return 0, 0, "
        "0.048 - t * 0.02 end } }, path = { from = 0, to = 1, steps = 1 } }";
    char notes[2048];
    CHECK(last_stability(text, "director", 40, notes, sizeof notes) == 0);
    CHECK(last_stability(text, "cheb", 48, notes, sizeof notes) == 0);
    CHECK(strstr(notes, "zigzag") && strstr(notes, "from node to node"));
}

/* Elements of 18 to 90 m where the line bends within 0.2 m of its ends: up to n = 20 the equations of the mesh have unstable
 * directions (all eigenvalues of the inverse of K, by LAPACK: 10, 15 and 3 of them), which those of the line have not. */
TEST(a_mooring_line_on_a_coarse_mesh_is_not_called_unstable) {
    static const char text[] =
        "return { rod = { length = 700, stiffness = { stretch = 5e8, bend = 1e4, twist = 1e4, "
        "shear = 2e8 }, inertia = { mass = 100, rotary = 1 } }, gravity = { 0, 0, -9.81 }, ends = "
        "{ start = pinned { position = { 0, 0, 0 } }, finish = pinned { position = { 600, 0, 200 } "
        "} } }";
    char notes[2048];
    static const int mesh[] = {8, 14, 20, 40}; /* twice 8 are too few too */
    for (int i = 0; i < 4; i++) {
        const int n = mesh[i], got = last_stability(text, "director", n, notes, sizeof notes);
        CHECK(got == (n < 14 ? -1 : 0));
        CHECK((strstr(notes, "of what makes it unstable by itself") != NULL) == (n < 40));
        CHECK((strstr(notes, "the stability is that of a mesh with") != NULL) == (n > 8 && n < 40));
        CHECK(!strstr(notes, "no stable one was found next to it"));
    }
}

/* Motions nearest to neutral are those of the tail, which is soft and stable; the column below it is not.  And a column so
 * far beyond its loads that the unstable directions are not those nearest to neutral. */
TEST(unstable_directions_beyond_many_soft_motions_are_counted) {
    static const char tail[] =
        "return { rod = { length = 1.5, stiffness = { bend = function(s) return s < 1.05 and 1 or "
        "1e-4 end, twist = 1, stretch = 1e5, shear = 1e5 }, inertia = { mass = 1, rotary = 1e-4 } "
        "}, initial = { shape = straight { from = { 0, 0, 0 }, along = { 0, 0, 1 } } }, ends = { "
        "start = clamped {} }, loads = { point { at = 1, force = { 0, 0, -%g } } }, path = { from "
        "= 0.999, to = 1, steps = 1 } }";
    static const struct {
        const char *method;
        int n;
        double load;
        int requested;
    } row[] = {{"se3", 60, 30, 4}, {"kirchhoff", 60, 30, 4}, {"cheb", 40, 4, 2}, {"se3", 60, 2, 0}};
    static const char *const far[] = {"se3", "kirchhoff", "cheb"};
    char text[1024], notes[2048];
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        snprintf(text, sizeof text, tail, row[k].load);
        const int got = last_stability(text, row[k].method, row[k].n, notes, sizeof notes);
        if (got != row[k].requested)
            fail_msg("%s: %d unstable at %g, want %d", row[k].method, got, row[k].load,
                     row[k].requested);
    }
    for (int m = 0; m < 3; m++) { /* 110 and 400 times the first critical load: 10 and 20 */
        const char *const n = m == 2 ? "options.n=24" : "options.n=64";
        for (int k = 0; k < 2; k++) {
            const int got =
                unstable(far[m], n, "rod.stiffness.bend=1", k ? 986.96 : 271.4, NULL, 0);
            if (got != (k ? 20 : 10)) fail_msg("%s: %d unstable", far[m], got);
        }
    }
}

/* Rods on one pin under dead loads, which hold everything but the spin about their own axis: Newton's changes turn them by
 * 1e-5 of that, moving no place, and were once noted as a residual. */
TEST(a_rod_that_spins_freely_about_itself_is_in_balance) {
    static const struct { int seed, steps; } row[] = {{203, 4}, {204, 2}, {216, 2}};
    static random_scene y;
    const random_view plain = random_plain();
    int neutral = 0;
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        random_recipe r = random_make((uint64_t)row[k].seed, 1);
        random_source source = {(uint64_t)row[k].seed * 7919};
        withy_vec3 *load[] = {&r.gravity, &r.force[0], &r.spread, &r.point};
        random_unit(&source), random_unit(&source);
        const double times = random_size(&source, 1, 30);
        for (int i = 0; i < 4; i++) *load[i] = random_times(times, *load[i]);
        r.bent = 0, r.bend2 = 1, r.drag = 0;
        r.thin = random_size(&source, 1e-5, 1e-3); /* little rotary inertia */
        random_write(&r, &plain, &y);
        y.problem.path = (withy_path){
            .given = 1, .from = 1.0 / row[k].steps, .to = 1, .steps = row[k].steps - 1};
        withy_study study = withy_study_default();
        withy_static_report report;
        withy_error err = {0};
        study.problem = &y.problem, study.option = y.option, study.method = "kirchhoff";
        study.name = "spin", study.option_count = random_options(&r, &plain, "kirchhoff", 0, &y);
        CHECK_OK(withy_study_static(&study, &report, &err));
        neutral += report.point[report.count - 1].at.neutral;
        if (strstr(report.notes.text, "residual is not")) fail_msg("%s", report.notes.text);
        withy_static_free(&report);
    }
    CHECK(neutral == 3); /* or it shows nothing */
}

/* A round rod, bent to a ring between two clamps and twisted, may turn as a whole about their common tangent: at every twist
 * below Michell's it is stable and has this one motion without stiffness, which pivots show or not by their rounding. */
TEST(a_twisted_ring_is_free_to_turn_at_every_twist) {
    static const char text[] =
        "local twist = 2 * math.pi * math.sqrt(3) * 1.345 / 0.789\n"
        "return { rod = { length = 2 * math.pi, stiffness = { bend = 1.345, twist = 0.789 }, "
        "inertia = { mass = 1 } }, initial = { shape = arc { radius = 1, along = { 1, 0, 0 }, "
        "normal = { 0, 1, 0 } } }, ends = { start = clamped {}, finish = clamped { position = { 0, "
        "0, 0 }, tangent = { 1, 0, 0 }, normal = function(t) return 0, math.cos(twist * t), "
        "math.sin(twist * t) end } }, path = { from = 0, to = 0.9, steps = 9 }, method = "
        "\"director\" }";
    static const char *const n[] = {"options.n=24", "options.n=32", "options.n=45"};
    for (int i = 0; i < 3; i++) {
        withy_scene *scene = NULL;
        withy_static_report report;
        withy_error err = {0};
        const withy_run_setup setup = {.method = "director"};
        CHECK_OK(withy_scene_read_text(text, sizeof text - 1, "ring.lua", &n[i], 1, &scene, &err));
        CHECK_OK(withy_static(scene, &setup, &report, &err));
        CHECK(report.count == 10);
        for (int k = 0; k < report.count; k++)
            if (report.point[k].at.negative != 0 || report.point[k].at.neutral != 1)
                fail_msg("%s: %d unstable and %d neutral directions at factor %g", n[i],
                         report.point[k].at.negative, report.point[k].at.neutral,
                         report.point[k].at.factor);
        withy_static_free(&report);
        withy_scene_destroy(scene);
    }
}

RUN(test(a_twisted_ring_is_free_to_turn_at_every_twist),
    test(a_rod_that_spins_freely_about_itself_is_in_balance),
    test(a_coil_that_is_pressed_together_is_stable_in_cheb_on_every_mesh_as_it_is_in_director),
    test(a_mooring_line_on_a_coarse_mesh_is_not_called_unstable),
    test(a_column_far_beyond_its_critical_loads_has_all_its_unstable_directions_in_every_method),
    test(a_plane_rod_of_cheb_that_would_leave_its_plane_is_not_called_stable),
    test(unstable_directions_beyond_many_soft_motions_are_counted))
