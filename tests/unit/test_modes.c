/* Modes of the true tangent: followers, damping, rotation, every direction, in all methods. */
#include "check.h"
#include "random_number.h"
#include "withy/withy.h"

static const double PI = 3.14159265358979323846;

#define ALONG_X                                                                                    \
    "initial = { shape = straight { from = { 0, 0, 0 }, along = { 1, 0, 0 }, normal = { 0, 1, 0 "  \
    "} } }, "
/* EI = rho A = L = 1, almost without shear and stretch */
#define BEAM                                                                                       \
    "rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e7, shear = 1e7 }, "        \
    "inertia = { mass = 1, rotary = 1e-9 } }, "

static withy_status ask(const char *text, const char *method, int count, withy_mode **mode,
                        withy_error *err) {
    withy_scene *scene = NULL;
    const withy_run_setup setup = {.method = method};
    withy_status status =
        withy_scene_read_text(text, strlen(text), "test.lua", NULL, 0, &scene, err);
    if (status == WITHY_MISSING) skip();
    if (status != WITHY_OK) fail_msg("%s", err->text);
    status = withy_modes(scene, count, &setup, mode, err);
    withy_scene_destroy(scene);
    if (status == WITHY_UNSUPPORTED && strstr(err->text, "without LAPACK")) skip();
    return status;
}

static withy_mode *modes_of(const char *text, const char *method, int count) {
    withy_mode *mode = NULL;
    withy_error err = {0};
    const withy_status status = ask(text, method, count, &mode, &err);
    if (status != WITHY_OK) fail_msg("%s", err.text);
    CHECK_TEXT(mode->method, method);
    return mode;
}

/* ---- Beck's column ----------------------------------------------------------------------------------- */

/* w'''' + P w'' = m w, clamped at 0; at 1 the force follows: w'' = w''' = 0.  With w = A (cosh a s - cos b s) + B
 * (sinh a s / a - sin b s / b) this is the determinant of the two conditions. */
static double beck(double p, double m) {
    const double r = sqrt(0.25 * p * p + m), a = sqrt(r - 0.5 * p), b = sqrt(r + 0.5 * p);
    const double w2[2] = {a * a * cosh(a) + b * b * cos(b), a * sinh(a) + b * sin(b)};
    const double w3[2] = {a * a * a * sinh(a) - b * b * b * sin(b),
                          a * a * cosh(a) + b * b * cos(b)};
    return w2[0] * w3[1] - w2[1] * w3[0];
}

/* The first `count` frequencies of Beck's column [Hz]; returns how many lie below omega = 20. */
static int beck_frequencies(double p, int count, double *hz) {
    int found = 0;
    for (double x = 0.5; x < 20 && found < count; x += 0.01) {
        double low = x, high = x + 0.01;
        if (beck(p, low * low) * beck(p, high * high) > 0) continue;
        for (int k = 0; k < 60; k++) {
            const double middle = 0.5 * (low + high);
            if (beck(p, low * low) * beck(p, middle * middle) <= 0)
                high = middle;
            else
                low = middle;
        }
        hz[found++] = low / (2 * PI);
    }
    return found;
}

static withy_mode *column(double p, const char *method, int count) {
    char text[600];
    snprintf(text, sizeof text,
             "return { " BEAM ALONG_X "ends = { start = clamped {}, finish = free { force = { 0, "
             "0, %.17g }, follower = true } }, path = { to = 1, steps = 1 } }",
             -p);
    return modes_of(text, method, count);
}

TEST(becks_column_has_the_frequencies_of_its_characteristic_equation) {
    double expected[2];
    CHECK(beck_frequencies(19, 2, expected) == 2);
    CHECK_NEAR(expected[0], 1.413, 1e-3);
    CHECK_NEAR(expected[1], 2.121, 1e-3);
    static const struct {
        const char *method;
        double within;
    } by[] = {{"director", 1e-5}, {"cheb", 1e-5}, {"se3", 3e-3}, {"fdtd", 5e-3}};
    for (int i = 0; i < 4; i++) {
        withy_mode *mode = column(19, by[i].method, 4);
        for (int k = 0; k < 4; k++) { /* both planes */
            CHECK_NEAR(mode[k].frequency / expected[k / 2], 1, by[i].within);
            CHECK(mode[k].kind == WITHY_MODE_STABLE && mode[k].growth == 0);
        }
        withy_modes_free(mode, 4);
    }
}

TEST(becks_column_flutters_at_20_05_and_beyond) {
    static const char *const method[] = {"director", "cheb"};
    for (int i = 0; i < 2; i++) {
        double low = 19, high = 21;
        while (high - low > 2e-4) {
            const double p = 0.5 * (low + high);
            withy_mode *mode = column(p, method[i], 1);
            if (mode->kind == WITHY_MODE_FLUTTER)
                high = p;
            else
                low = p;
            withy_modes_free(mode, 1);
        }
        CHECK_NEAR(low, 20.05095, 1e-3);
        printf("%s: flutter between %.5f and %.5f EI/L^2\n", method[i], low, high);
        withy_mode *mode = column(25, method[i], 1);
        CHECK(mode->total == 2 && mode[1].kind == WITHY_MODE_FLUTTER); /* one for each plane */
        CHECK(mode->growth > 1 && mode->damping < 0);
        double im = 0; /* parts of the rod are not in phase */
        for (int k = 0; k < mode->count; k++)
            im = worst_of(im, hypot(mode->shift_im[k].y, mode->shift_im[k].z));
        CHECK(im > 1e-3);
        withy_modes_free(mode, 1);
    }
}

/* Ziegler: damping of the material destabilises; the limit falls to about 10.9 as it becomes small. */
TEST(damping_of_the_material_brings_flutter_forward) {
    char text[600];
    for (int k = 0; k < 2; k++) {
        snprintf(
            text, sizeof text,
            "return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e6, shear "
            "= 1e6 }, inertia = { mass = 1, rotary = 1e-8 }, damping = { bend = 1e-4 } }, " ALONG_X
            "ends = { start = clamped {}, finish = free { force = { 0, 0, %g }, follower = true "
            "} }, path = { to = 1, steps = 1 } }",
            k ? -11.5 : -10.5);
        withy_mode *mode = modes_of(text, "director", 1);
        CHECK((mode->kind == WITHY_MODE_FLUTTER) == k);
        withy_modes_free(mode, 1);
    }
}

/* Leipholz' column: a tangential load along the rod, flutter at 40.05 EI/L^3. */
TEST(a_load_along_the_rod_that_follows_it_makes_it_flutter_or_is_refused) {
    static const char *const method[] = {"director", "cheb", "se3", "fdtd"};
    for (int i = 0; i < 8; i++) {
        char text[600];
        withy_mode *mode = NULL;
        withy_error err = {0};
        snprintf(text, sizeof text,
                 "return { " BEAM ALONG_X "ends = { start = clamped {} }, loads = { distributed { "
                 "force = { 0, 0, %g }, follower = true } }, path = { to = 1, steps = 1 } }",
                 i < 4 ? -39.8 : -40.3);
        const withy_status status = ask(text, method[i % 4], 1, &mode, &err);
        if (i % 4 == 3) {
            CHECK(status == WITHY_UNSUPPORTED && mode == NULL);
            CHECK(strstr(err.text, "modes under loads[1]") && strstr(err.text, "use director"));
            continue;
        }
        CHECK_OK(status);
        CHECK((mode->kind == WITHY_MODE_FLUTTER) == (i >= 4));
        withy_modes_free(mode, 1);
    }
}

/* ---- stability --------------------------------------------------------------------------------------- */

TEST(a_heavy_column_stands_up_to_7_837_and_falls_beyond) {
    static const char *const method[] = {"director", "cheb"};
    for (int i = 0; i < 2; i++) {
        double low = 7.5, high = 8.3;
        while (high - low > 1e-4) {
            const double g = 0.5 * (low + high);
            char text[600];
            snprintf(
                text, sizeof text,
                "return { rod = { length = 1, stiffness = { bend = { 1.3, 1 }, twist = 0.7, "
                "stretch = 1e8, shear = 1e8 }, inertia = { mass = 1, rotary = 1e-6 } }, "
                "initial = { shape = straight { from = { 0, 0, 0 }, along = { 0, 0, 1 }, normal = "
                "{ 0, 1, 0 } } }, ends = { start = clamped {} }, gravity = { 0, 0, %.17g }, time "
                "= { stop = 1 }, options = { n = 8 } }",
                -g);
            withy_mode *mode = modes_of(text, method[i], 1);
            if (mode->kind == WITHY_MODE_DIVERGENCE)
                high = g;
            else
                low = g;
            withy_modes_free(mode, 1);
        }
        CHECK_NEAR(low, 7.8373, 1e-3);
    }
}

/* Clamped - free under 200 EI/L^2: (2k - 1)^2 pi^2/4 < 200 for k = 1 .. 5, in two planes. */
TEST(all_ten_unstable_modes_are_given_however_few_are_requested) {
    static const char *const method[] = {"director", "cheb", "se3", "fdtd"};
    for (int i = 0; i < 4; i++) {
        withy_mode *mode = modes_of("return { " BEAM ALONG_X
                                    "ends = { start = clamped {}, finish = free { force = { -210, "
                                    "0, 0 } } }, path = { to = 1, steps = 1 } }",
                                    method[i], 1);
        CHECK(mode->total == 10);
        for (int k = 0; k < 10; k++) CHECK(mode[k].kind == WITHY_MODE_DIVERGENCE);
        CHECK(strstr(mode->notes->text, "the equilibrium is unstable: 10 of its modes grow"));
        withy_modes_free(mode, 1);
    }
}

/* 8 turns, pressed from 48 to 28 mm: stable, and a zigzag of the mesh grows. */
TEST(a_coil_whose_mesh_alone_is_unstable_is_not_called_unstable_beside_its_modes) {
    withy_mode *mode =
        modes_of("return { rod = { length = 0.50494, section = circle { diameter = 2e-3 }, "
                 "material = { young = 206e9, shear = 79e9, density = 7850 }, rest = helix { "
                 "radius = 0.01, turns = 8 } }, ends = { start = clamped {}, finish = clamped { "
                 "position = function(t) return 0, 0, 0.048 - t * 0.02 end } }, path = { from = "
                 "0, to = 1, steps = 1 }, method = \"cheb\", options = { n = 48 } }",
                 "cheb", 2);
    CHECK(mode[0].kind == WITHY_MODE_DIVERGENCE && mode[1].kind < WITHY_MODE_FLUTTER);
    const char *said = strstr(mode->notes->text, "1 of the modes is a zigzag from node to node");
    CHECK(said && strstr(said, "does not make the equilibrium unstable; more nodes"));
    CHECK(!strstr(mode->notes->text, "is unstable") &&
          !strstr(mode->notes->text, "would be unstable"));
    withy_modes_free(mode, mode->total);
}

/* ---- rotation ---------------------------------------------------------------------------------------- */

/* w'''' - (T w')' = m w, T = W^2 (1 - s^2)/2, by its power series from the clamp: the determinant of w'' = w'''
 * = 0 at the tip. */
static double blade(double square, double m) {
    enum { TERMS = 160 };
    double end[2][2];
    for (int k = 0; k < 2; k++) {
        double a[TERMS + 4] = {0}, two = 0, three = 0;
        a[2 + k] = 1;
        for (int j = 0; j < TERMS; j++)
            a[j + 4] =
                (0.5 * square * ((j + 2) * (j + 1) * a[j + 2] - j * (j + 1) * a[j]) + m * a[j]) /
                ((j + 4.0) * (j + 3) * (j + 2) * (j + 1));
        for (int j = 2; j < TERMS + 4; j++)
            two += j * (j - 1.0) * a[j], three += j * (j - 1.0) * (j - 2) * a[j];
        end[k][0] = two, end[k][1] = three;
    }
    return end[0][0] * end[1][1] - end[0][1] * end[1][0];
}

static double blade_frequency(double spin) {
    double low = 3, high = 20;
    for (double x = low; x < high; x += 0.1)
        if (blade(spin * spin, x * x) * blade(spin * spin, (x + 0.1) * (x + 0.1)) <= 0)
            low = x, high = x + 0.1;
    for (int k = 0; k < 60; k++) {
        const double middle = 0.5 * (low + high);
        if (blade(spin * spin, low * low) * blade(spin * spin, middle * middle) <= 0)
            high = middle;
        else
            low = middle;
    }
    return low;
}

/* Published: 3.6817 at spin 1, 7.3604 at 6, 13.1702 at 12 (Wright et al., J. Appl. Mech. 49, 1982). */
TEST(a_rotating_blade_flaps_as_its_power_series_and_lags_by_the_square_of_the_spin) {
    CHECK_NEAR(blade_frequency(1), 3.6817, 1e-4);
    CHECK_NEAR(blade_frequency(6), 7.3604, 1e-4);
    CHECK_NEAR(blade_frequency(12), 13.1702, 1e-4);
    for (int spin = 1; spin <= 12; spin += spin == 1 ? 5 : 6) {
        char text[600];
        snprintf(
            text, sizeof text,
            "return { " BEAM ALONG_X
            "ends = { start = clamped {} }, rotating = { spin = { 0, 0, %d } }, time = { stop = 1 "
            "}, options = { n = 12 } }",
            spin);
        withy_mode *mode = modes_of(text, "director", 2);
        const double flap = blade_frequency(spin), lag = sqrt(flap * flap - spin * spin);
        CHECK_NEAR(mode[0].frequency * 2 * PI / lag, 1, 1e-4);
        CHECK_NEAR(mode[1].frequency * 2 * PI / flap, 1, 1e-5);
        withy_modes_free(mode, 2);
    }
}

/* A massless shaft would be simpler; of a uniform one, pinned at both ends and turning about its own axis,
 * each bending frequency w becomes w - W and w + W in the frame that turns. */
TEST(a_shaft_that_turns_about_its_own_axis_whirls_forward_and_backward) {
    const double spin = 3, omega = PI * PI;
    withy_mode *mode = modes_of("return { " BEAM ALONG_X
                                "ends = { start = pinned {}, finish = pinned {} }, rotating = { "
                                "spin = { 3, 0, 0 } }, time = { stop = 1 }, options = { n = 8 } }",
                                "director", 3);
    int found[2] = {0};
    for (int k = 0; k < mode->total; k++) {
        found[0] += fabs(2 * PI * mode[k].frequency - (omega - spin)) < 1e-3;
        found[1] += fabs(2 * PI * mode[k].frequency - (omega + spin)) < 1e-3;
    }
    CHECK(found[0] == 1 && found[1] == 1);
    withy_modes_free(mode, 3);
}

TEST(gravity_that_turns_in_the_rotating_frame_is_refused_and_so_is_a_run_in_time) {
    const char *const text = "return { " BEAM ALONG_X
                             "ends = { start = clamped {} }, rotating = { spin = { 0, 0, 1 } }, "
                             "gravity = { 0, 1, 0 }, time = { stop = 1 } }";
    withy_scene *scene = NULL;
    withy_error err = {0};
    const withy_status status =
        withy_scene_read_text(text, strlen(text), "test.lua", NULL, 0, &scene, &err);
    if (status == WITHY_MISSING) skip();
    CHECK(status == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "gravity is not along the axis of the spin"));
    withy_scene_destroy(scene);
    const char *const steady = "return { " BEAM ALONG_X
                               "ends = { start = clamped {} }, rotating = { spin = { 0, 0, 1 } }, "
                               "time = { stop = 1 } }";
    withy_sim *sim = NULL;
    CHECK_OK(withy_scene_read_text(steady, strlen(steady), "test.lua", NULL, 0, &scene, &err));
    CHECK_OK(withy_scene_sim(scene, "director", &sim, &err));
    CHECK(withy_sim_advance(sim, 1, &err) == WITHY_UNSUPPORTED);
    CHECK(strstr(err.text, "is not run in time"));
    withy_sim_destroy(sim);
    static const char *const other[] = {"cheb", "se3", "kirchhoff", "fdtd", "elastica"};
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        CHECK(withy_scene_sim(scene, other[i], &sim, &err) == WITHY_UNSUPPORTED);
        CHECK(strstr(err.text, "does not support a rotating frame; use director"));
    }
    withy_scene_destroy(scene);
}

/* What withy_modes gives, and what the file gives back. */
static void check_kept(const withy_mode *mode, const char *file) {
    withy_result *result = NULL;
    withy_error err = {0};
    double turned = 0;
    CHECK_OK(withy_result_open(file, &result, &err));
    CHECK(withy_result_count(result) == mode->total);
    for (int k = 0; k < mode->total; k++) {
        const withy_snapshot *snap = withy_result_at(result, 0, k, &err);
        CHECK(snap && (snap->have & WITHY_HAVE_MODE) && (snap->have & WITHY_HAVE_MODE_ERROR));
        CHECK(snap->vibration.damping == mode[k].damping);
        CHECK(snap->vibration.growth == mode[k].growth);
        CHECK(snap->vibration.kind == (int)mode[k].kind);
        CHECK(snap->vibration.frequency_error == mode[k].frequency_error);
        CHECK(snap->vibration.growth_error == mode[k].growth_error);
        for (int i = 0; i < snap->count; i++) {
            CHECK(snap->shift_im[i].y == mode[k].shift_im[i].y);
            CHECK(snap->turn_im[i].z == mode[k].turn_im[i].z);
            turned = fmax(turned, fabs(snap->shift_im[i].y) + fabs(snap->shift_im[i].z));
        }
    }
    /* a whirl: its two directions, together L/10 long, pass a quarter of a turn apart */
    CHECK_NEAR(turned, 0.1 / sqrt(2), 1e-9);
    withy_result_close(result);
}

TEST(a_file_of_modes_keeps_damping_growth_kind_errors_and_the_imaginary_parts_of_the_shapes) {
    static const char text[] =
        "return { " BEAM ALONG_X "ends = { start = pinned {}, finish = pinned {} }, rotating = { "
        "spin = { 3, 0, 0 } }, time = { stop = 1 }, options = { n = 6 } }";
    static const char file[] = "modes_result.h5";
    const char *const out[] = {file};
    withy_scene *scene = NULL;
    withy_mode *mode = NULL;
    withy_error err = {0};
    withy_run_setup setup = {.method = "director", .output = out, .output_count = 1, .error = 1};
    withy_status status =
        withy_scene_read_text(text, strlen(text), "test.lua", NULL, 0, &scene, &err);
    if (status == WITHY_MISSING) skip();
    status = withy_modes(scene, 3, &setup, &mode, &err);
    withy_scene_destroy(scene);
    if (status == WITHY_UNSUPPORTED || status == WITHY_MISSING) skip(); /* LAPACK, HDF5 */
    CHECK_OK(status);
    check_kept(mode, file);
    withy_modes_free(mode, 3);
    remove(file);
}

/* ---- cheb -------------------------------------------------------------------------------------------- */

TEST(a_plane_rod_vibrates_out_of_its_plane_too) {
    withy_mode *mode = modes_of(
        "return { rod = { length = 1, stiffness = { bend = { 1, 1e3 }, twist = 1e3, stretch = 1e6, "
        "shear = 1e6 }, inertia = { mass = 1, rotary = 1e-6 } }, " ALONG_X
        "ends = { start = clamped {} }, time = { stop = 1 } }",
        "cheb", 1);
    CHECK_NEAR(mode->frequency, 0.5596, 1e-4);
    withy_modes_free(mode, 1);
}

/* 3.5160/(2 pi) d/4 sqrt(E/rho)/L^2 */
TEST(a_wire_of_a_hundred_thousandth_of_its_length_does_not_drown_in_rounding) {
    for (int k = 0; k < 3; k++) {
        const double d = k == 0 ? 3e-4 : k == 1 ? 1e-4 : 1e-5;
        char text[600];
        snprintf(
            text, sizeof text,
            "return { rod = { length = 1, section = circle { diameter = %g }, material = { young = "
            "2e11, poisson = 0.3, density = 7800 } }, " ALONG_X
            "ends = { start = clamped {} }, time = { stop = 1 } }",
            d);
        withy_mode *mode = modes_of(text, "cheb", 2);
        const double expected = 3.516015268 / (2 * PI) * 0.25 * d * sqrt(2e11 / 7800);
        /* rounding of strains makes a tension of EA times the rounding of 1 */
        const double within = 1e-6 + 16 * 2.2e-16 / (d * d);
        CHECK_NEAR(mode[0].frequency / expected, 1, within);
        CHECK_NEAR(mode[1].frequency / expected, 1, within);
        withy_modes_free(mode, 2);
    }
}

TEST(mass_axial_slows_motion_along_the_rod_and_mass_shear_motion_across_it) {
    static const char *const option[] = {"mass_axial = 1", "mass_axial = 4", "mass_shear = 4"};
    double bend[3], stretch[3];
    for (int k = 0; k < 3; k++) {
        char text[600];
        snprintf(text, sizeof text,
                 "return { rod = { length = 1, stiffness = { bend = 1, twist = 1e3, stretch = 60, "
                 "shear = 1e6 }, inertia = { mass = 1, rotary = 1e-6 } }, " ALONG_X
                 "ends = { start = clamped {} }, time = { stop = 1 }, options = { %s } }",
                 option[k]);
        withy_mode *mode = modes_of(text, "cheb", 6);
        bend[k] = stretch[k] = 0;
        for (int i = 5; i >= 0; i--) {
            const withy_vec3 tip = mode[i].shift[mode[i].count - 1];
            *(fabs(tip.x) > 0.05 ? &stretch[k] : &bend[k]) = mode[i].frequency;
        }
        withy_modes_free(mode, 6);
    }
    CHECK_NEAR(stretch[0], sqrt(60.0) / 4, 1e-6);
    CHECK_NEAR(stretch[1] / stretch[0], 0.5, 1e-9);
    CHECK_NEAR(stretch[2] / stretch[0], 1, 1e-9);
    CHECK_NEAR(bend[1] / bend[0], 1, 1e-9);
    CHECK_NEAR(bend[2] / bend[0], 0.5, 1e-6);
}

TEST(a_mass_beside_the_end_keeps_the_stiffness_of_its_weight) {
    const char *const text = "return { rod = { length = 2, stiffness = { stretch = 12, shear = 4, "
                             "bend = 2.4, twist = 1.6 "
                             "}, inertia = { mass = 1, rotary = { 0.2, 0.2, 0.4 } } }, " ALONG_X
                             "ends = { start = clamped {}, finish = free { mass = 0.7, offset = { "
                             "0, 0, 0.8 } } }, gravity = "
                             "{ 0, -0.5, 0 }, time = { stop = 1 } }";
    withy_mode *one = modes_of(text, "cheb", 4), *two = modes_of(text, "director", 4);
    CHECK_NEAR(2 * PI * one[1].frequency, 0.6406, 1e-4);
    for (int k = 0; k < 4; k++) CHECK_NEAR(one[k].frequency / two[k].frequency, 1, 1e-5);
    withy_modes_free(one, 4);
    withy_modes_free(two, 4);
}

/* ---- the same rod, seen differently -------------------------------------------------------------------- */

static uint32_t seed;

static double chance(double low, double high) {
    random_next(&seed);
    return low + (high - low) * (double)(seed >> 8) / 16777216.0;
}

/* A random cantilever or held rod along `along`, with damping, a tip force and gravity; unit: of length. */
static void write_scene(uint32_t number, const double axis[3][3], double metre, int reversed,
                        char *text, size_t size) {
    seed = number * 2654435761u + 7;
    const double bend = chance(0.5, 2), ratio = chance(1.2, 2.5), time = chance(1e-4, 5e-3);
    const double drag = chance(0, 0.5), force[3] = {chance(-1, 1), chance(-1, 1), chance(-1, 1)};
    const int both = chance(0, 1) < 0.4;
    double f[3] = {0};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) f[i] += axis[k][i] * force[k] * metre;
    const double m2 = metre * metre, m3 = m2 * metre;
    const double *t = axis[0], *n = axis[1], sign = reversed ? -1 : 1, from = reversed ? metre : 0;
    const char *const held = both ? "clamped {}" : "free {}";
    char loads[200];
    snprintf(loads, sizeof loads, "loads = { distributed { force = { %.17g, %.17g, %.17g } } }, ",
             f[0] / metre, f[1] / metre, f[2] / metre);
    snprintf(
        text, size,
        "return { rod = { length = %.17g, stiffness = { bend = { %.17g, %.17g }, twist = %.17g, "
        "stretch = %.17g, shear = %.17g }, inertia = { mass = %.17g, rotary = { %.17g, %.17g, "
        "%.17g "
        "} }, damping = { time = %.17g }, drag = { linear = %.17g } }, initial = { shape = "
        "straight "
        "{ from = { %.17g, %.17g, %.17g }, along = { %.17g, %.17g, %.17g }, normal = { %.17g, "
        "%.17g, "
        "%.17g } } }, ends = { start = %s, finish = %s }, %s time = { stop = 1 } }",
        metre, bend * m3, ratio * bend * m3, 0.8 * bend * m3, 3e3 * metre, 1e3 * metre, 1 / metre,
        1e-3 * metre, 1e-3 * metre, 2e-3 * metre, time, drag / metre, from * t[0], from * t[1],
        from * t[2], sign * t[0], sign * t[1], sign * t[2], n[0], n[1], n[2],
        reversed ? held : "clamped {}", reversed ? "clamped {}" : held, loads);
}

static const double PLAIN[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/* Frequencies and growth rates agree; modes of one frequency may come in any order. */
static void compare(const withy_mode *a, const withy_mode *b, int count, double within) {
    for (int k = 0; k < count; k++) {
        const double size = hypot(a[k].growth, 2 * PI * a[k].frequency);
        CHECK_NEAR(2 * PI * (b[k].frequency - a[k].frequency) / size, 0, within);
        CHECK_NEAR((b[k].growth - a[k].growth) / size, 0, within);
    }
}

TEST(damped_modes_of_random_loaded_rods_agree_in_four_methods) {
    static const struct {
        const char *method;
        double within; /* of second order at default n */
    } by[] = {{"cheb", 2e-5}, {"se3", 6e-3}, {"fdtd", 6e-3}};
    for (uint32_t number = 1; number <= 6; number++) {
        char text[1400];
        write_scene(number, PLAIN, 1, 0, text, sizeof text);
        withy_mode *mode = modes_of(text, "director", 4);
        for (int i = 0; i < 3; i++) {
            withy_mode *other = modes_of(text, by[i].method, 4);
            compare(mode, other, 4, by[i].within);
            withy_modes_free(other, 4);
        }
        withy_modes_free(mode, 4);
    }
}

TEST(modes_do_not_depend_on_direction_handedness_end_or_units) {
    const double c = 0.6, s = 0.8;
    const double turned[3][3] = {{c, s, 0}, {-s * c, c * c, s}, {s * s, -s * c, c}};
    const double mirrored[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, -1}};
    for (uint32_t number = 11; number <= 13; number++) {
        char text[1400];
        write_scene(number, PLAIN, 1, 0, text, sizeof text);
        withy_mode *mode = modes_of(text, "director", 4);
        for (int view = 0; view < 4; view++) {
            write_scene(number,
                        view == 0   ? turned
                        : view == 1 ? mirrored
                                    : PLAIN,
                        view == 2 ? 1000 : 1, view == 3, text, sizeof text);
            withy_mode *other = modes_of(text, "director", 4);
            compare(mode, other, 4, 1e-7);
            withy_modes_free(other, 4);
        }
        withy_modes_free(mode, 4);
    }
}

RUN(test(becks_column_has_the_frequencies_of_its_characteristic_equation),
    test(becks_column_flutters_at_20_05_and_beyond),
    test(damping_of_the_material_brings_flutter_forward),
    test(a_load_along_the_rod_that_follows_it_makes_it_flutter_or_is_refused),
    test(a_heavy_column_stands_up_to_7_837_and_falls_beyond),
    test(all_ten_unstable_modes_are_given_however_few_are_requested),
    test(a_coil_whose_mesh_alone_is_unstable_is_not_called_unstable_beside_its_modes),
    test(a_rotating_blade_flaps_as_its_power_series_and_lags_by_the_square_of_the_spin),
    test(a_shaft_that_turns_about_its_own_axis_whirls_forward_and_backward),
    test(gravity_that_turns_in_the_rotating_frame_is_refused_and_so_is_a_run_in_time),
    test(a_file_of_modes_keeps_damping_growth_kind_errors_and_the_imaginary_parts_of_the_shapes),
    test(a_plane_rod_vibrates_out_of_its_plane_too),
    test(a_wire_of_a_hundred_thousandth_of_its_length_does_not_drown_in_rounding),
    test(mass_axial_slows_motion_along_the_rod_and_mass_shear_motion_across_it),
    test(a_mass_beside_the_end_keeps_the_stiffness_of_its_weight),
    test(damped_modes_of_random_loaded_rods_agree_in_four_methods),
    test(modes_do_not_depend_on_direction_handedness_end_or_units))
