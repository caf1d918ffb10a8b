/* test_cables.c - equilibria of cables, lines and ropes on any mesh, and fdtd's of hanging and bent rods.
 * (slow under sanitizers) */
#include "fixture.h"
#include "withy/withy.h"

/* The last equilibrium of a scene. */
static withy_static_point solve(const char *text, const char *method, const char *const *set,
                                int count) {
    withy_scene *scene = scene_with(text, set, count);
    withy_error err = {0};
    withy_static_report report;
    const withy_run_setup setup = {.method = method};
    const withy_status status = withy_static(scene, &setup, &report, &err);
    if (status != WITHY_OK) fail_msg("%s %s: %s", method, count ? set[0] : "", err.text);
    const withy_static_point last = report.point[report.count - 1];
    withy_static_free(&report);
    withy_scene_destroy(scene);
    return last;
}

/* ---- the elastic catenary ------------------------------------------------------------------------ */

/* Weight w per length, stiffness EA, length L, span, rise.  bed: it lies on a frictionless floor at the level
 * of its lower end as long as it does not hang. */
typedef struct line {
    double w, ea, length, span, rise;
    int bed;
} line;

/* How far the upper end is from its place under horizontal force h and vertical force v there. */
static void miss(const line *x, double h, double v, double out[2]) {
    const double low = x->bed ? 0 : v - x->w * x->length, lies = x->bed ? x->length - v / x->w : 0;
    out[0] = lies + h / x->w * (asinh(v / h) - asinh(low / h)) + h * x->length / x->ea - x->span;
    out[1] = h / x->w * (sqrt(1 + v * v / (h * h)) - sqrt(1 + low * low / (h * h))) +
             (v * v - low * low) / (2 * x->ea * x->w) - x->rise;
}

/* Newton with differences, shortened far from the solution. */
static void hang(const line *x, double *h, double *v) {
    for (int k = 0; k < 200; k++) {
        double r[2], a[2], b[2];
        const double dh = 1e-6 * *h, dv = 1e-6 * *v;
        miss(x, *h, *v, r), miss(x, *h + dh, *v, a), miss(x, *h, *v + dv, b);
        const double ah = (a[0] - r[0]) / dh, av = (b[0] - r[0]) / dv;
        const double bh = (a[1] - r[1]) / dh, bv = (b[1] - r[1]) / dv, d = ah * bv - av * bh;
        const double ch = (bv * r[0] - av * r[1]) / d, cv = (ah * r[1] - bh * r[0]) / d;
        const double most = fmax(fabs(ch / *h), fabs(cv / *v)), share = most > 0.3 ? 0.3 / most : 1;
        *h -= share * ch, *v -= share * cv;
    }
}

/* ---- away from the origin ---------------------------------------------------------------------------- */

#define WIRE(from, to)                                                                             \
    "return { rod = { length = 1, section = circle { diameter = 1e-3 }, material = { young = "     \
    "2e11, shear = 8e10, density = 7800 } }, gravity = { 0, 0, -9.81 }, ends = { start = clamped " \
    "{ position = " from " }, finish = clamped { position = " to " } } }"

/* Steel of 1 mm, 1 m between its clamps: a stretch of 1e-12 is a millionth of its weight. */
TEST(a_wire_of_1_mm_has_the_same_reactions_3_m_away_from_the_origin) {
    static const char *const method[] = {"director", "cheb", "fdtd"};
    const double weight = 7800 * 3.14159265358979 / 4 * 1e-6 * 9.81;
    for (int m = 0; m < 3; m++) {
        const withy_static_point near = solve(WIRE("{ 0, 0, 0 }", "{ 1, 0, 0 }"), method[m], 0, 0),
                                 far = solve(WIRE("{ 3, 3, -3 }", "{ 4, 3, -3 }"), method[m], 0, 0);
        for (int e = 0; e < 2; e++) {
            const withy_vec3 a = near.reaction[e], b = far.reaction[e];
            printf("%s: %.9g along, %.9g up; far away %.9g, %.9g N\n", method[m], a.x, a.z, b.x,
                   b.z);
            CHECK_NEAR(b.x, a.x, 1e-5 * weight);
            CHECK_NEAR(b.y, a.y, 1e-5 * weight);
            CHECK_NEAR(b.z, a.z, 1e-5 * weight);
            CHECK_NEAR(b.z, weight / 2, 1e-5 * weight);
        }
    }
}

/* 700 m of chain from an anchor up to a buoy 600 m away and 200 m higher; no shape is given. */
#define MOORING(floor)                                                                             \
    "return { rod = { length = 700, stiffness = { stretch = 5e8, bend = 1e4, twist = 1e4, shear "  \
    "= 2e8 }, inertia = { mass = 100, rotary = 1 } }, gravity = { 0, 0, -9.81 }, " floor           \
    "ends = { start = pinned { position = { 0, 0, 0 } }, finish = pinned { position = { 600, 0, "  \
    "200 } } } }"

enum { MESHES = 5 };
static const char *const meshes[MESHES] = {"options.n=24", "options.n=36", "options.n=40",
                                           "options.n=80", "options.n=160"};

TEST(a_mooring_line_is_found_on_every_mesh_and_is_the_elastic_catenary) {
    const line x = {981, 5e8, 700, 600, 200, 0};
    double h = 3e5, v = 4.8e5;
    hang(&x, &h, &v);
    for (int k = 0; k < MESHES; k++) {
        const withy_static_point at = solve(MOORING(""), "director", &meshes[k], 1);
        printf("%s: %.1f N along, %.1f N down at the buoy; catenary %.1f, %.1f\n", meshes[k],
               at.reaction[1].x, at.reaction[1].z, h, v);
        CHECK(at.at.negative == 0 && at.at.neutral == 1);
        CHECK_NEAR(at.reaction[1].x, h, 1e-5 * h); /* the bending stiffness */
        CHECK_NEAR(at.reaction[1].z, v, 1e-5 * v);
    }
}

TEST(a_mooring_line_that_lies_on_the_sea_bed_is_found) {
    const line x = {981, 5e8, 700, 600, 200, 1};
    double h = 1.2e5, v = 2.5e5;
    hang(&x, &h, &v);
    const withy_static_point at =
        solve(MOORING("floor = { stiffness = 1e5, axis = true }, "), "director", &meshes[3], 1);
    printf("%.1f N along, %.1f N down at the buoy; catenary from the bed %.1f, %.1f\n",
           at.reaction[1].x, at.reaction[1].z, h, v);
    CHECK(at.at.negative == 0 && at.at.neutral == 1);
    /* it sinks in by 1 cm, and touches between nodes */
    CHECK_NEAR(at.reaction[1].x, h, 1e-3 * h);
    CHECK_NEAR(at.reaction[1].z, v, 1e-3 * v);
}

/* ---- loads out of the plane between pins ------------------------------------------------------------ */

/* A tight conductor of 300 m in a side wind: a catenary in a plane that is turned about the span. */
TEST(a_tight_line_between_pins_is_found_in_a_side_wind) {
    static const char text[] =
        "return { rod = { length = 299.9, stiffness = { stretch = 3.3e7, bend = 214, twist = 170, "
        "shear = 1e7 }, inertia = { mass = 1.628, rotary = 1e-4 } }, gravity = { 0, 0, -9.81 }, "
        "ends = { start = pinned { position = { 0, 0, 0 } }, finish = pinned { position = { 300, "
        "0, 0 } } }, loads = { distributed { force = { 0, 1, 0 } } }, time = { stop = 60, output = "
        "0.1 } }";
    const double weight = 1.628 * 9.81;
    const line x = {hypot(weight, 1), 3.3e7, 299.9, 300, 0, 0};
    double h = 3e4, v = 2.4e3;
    hang(&x, &h, &v);
    static const char *const method[] = {"director", "fdtd", "cheb"};
    for (int k = 0; k < 3; k++) {
        const withy_static_point at = solve(text, method[k], NULL, 0);
        printf("%s: %.2f N along; catenary %.2f\n", method[k], at.reaction[1].x, h);
        CHECK(at.at.negative == 0);
        CHECK_NEAR(at.reaction[1].x, h, 1e-4 * h);
        CHECK_NEAR(at.reaction[1].y, -0.5 * 299.9, 1e-6 * v);
        CHECK_NEAR(at.reaction[1].z, 0.5 * 299.9 * weight, 1e-6 * v);
    }
}

TEST(a_slack_rope_between_pins_is_found_under_a_side_load_from_an_arc) {
    static const char text[] =
        "return { rod = { length = 1.1, section = circle { diameter = 0.006 }, material = { young "
        "= 1e8, poisson = 0.3, density = 1100 } }, gravity = { 0, 0, -9.81 }, initial = static { "
        "shape = arc { radius = 0.7, from = { 0, 0, 0 }, along = { 0.7, 0, -0.7 }, normal = { 0.7, "
        "0, 0.7 } } }, ends = { start = pinned { position = { 0, 0, 0 } }, finish = pinned { "
        "position = { 1, 0, 0 } } }, loads = { distributed { force = { 0, 0.1, 0 } } }, time = { "
        "stop = 1 } }";
    static const char *const method[] = {"director", "fdtd", "cheb"};
    const double weight = 1100 * 9.81 * 3.14159265358979 * 9e-6 * 1.1;
    for (int k = 0; k < 3; k++) {
        const withy_static_point at = solve(text, method[k], NULL, 0);
        printf("%s: %.6f N along\n", method[k], at.reaction[1].x);
        CHECK_NEAR(at.reaction[1].x, 0.156257, 2e-5); /* three methods: it is no catenary */
        CHECK_NEAR(at.reaction[1].y, -0.055, 1e-8);
        CHECK_NEAR(at.reaction[1].z, 0.5 * weight, 1e-8);
    }
}

/* ---- fdtd ------------------------------------------------------------------------------------------- */

TEST(a_rod_on_a_pin_hangs_down_under_fdtd_whatever_its_stiffness_and_direction) {
    static const char text[] =
        "return { rod = { length = 1, stiffness = { stretch = 1e4, shear = 1e4, bend = 1, twist = "
        "1 }, inertia = { mass = 1, rotary = 1e-4 } }, gravity = { 0, 0, -9.81 }, initial = { "
        "shape = straight { along = { 0, 0, -1 } } }, ends = { start = pinned {} } }";
    static const char *const bend[] = {"rod.stiffness.bend=1", "rod.stiffness.bend=1e-3",
                                       "rod.stiffness.bend=1e-5"};
    static const char *const along[] = {"initial.shape.along={0,0,-1}",
                                        "initial.shape.along={1,0,0}",
                                        "initial.shape.along={0.6,0,0.8}"};
    for (int k = 0; k < 9; k++) {
        const char *const set[] = {bend[k / 3], along[k % 3], "options.n=20"};
        const withy_static_point at = solve(text, "fdtd", set, 3);
        CHECK(at.at.negative == 0 && at.at.neutral == 1);
        CHECK_NEAR(at.position[1].z, -1 - 0.5 * 9.81 / 1e4, 1e-9);
        CHECK_NEAR(at.reaction[0].z, 9.81, 1e-9);
    }
}

/* Bathe and Bolourchi's bend of 45 degrees. */
TEST(a_45_degree_bend_is_found_by_fdtd_in_1_5_and_10_load_steps) {
    static const char text[] =
        "return { rod = { length = 100 * math.pi / 4, section = rectangle { width = 1, height = 1 "
        "}, material = { young = 1e7, shear = 5e6, density = 1 }, rest = arc { radius = 100, from "
        "= { 0, 0, 0 }, along = { 0, 1, 0 }, normal = { 1, 0, 0 } } }, ends = { start = clamped "
        "{}, finish = free { force = { 0, 0, 600 } } }, path = { from = 0, to = 1, steps = 1 } }";
    static const char *const steps[] = {"path.steps=1", "path.steps=5", "path.steps=10"};
    const withy_static_point expected = solve(text, "director", NULL, 0);
    for (int k = 0; k < 3; k++) {
        const withy_static_point at = solve(text, "fdtd", &steps[k], 1);
        printf("%s: tip at (%.4f, %.4f, %.4f); director (%.4f, %.4f, %.4f)\n", steps[k],
               at.position[1].x, at.position[1].y, at.position[1].z, expected.position[1].x,
               expected.position[1].y, expected.position[1].z);
        CHECK(at.at.negative == 0);
        CHECK_NEAR(at.position[1].x, expected.position[1].x, 0.01); /* order 2 at its default n */
        CHECK_NEAR(at.position[1].y, expected.position[1].y, 0.01);
        CHECK_NEAR(at.position[1].z, expected.position[1].z, 0.01);
    }
}

RUN(test(a_wire_of_1_mm_has_the_same_reactions_3_m_away_from_the_origin),
    test(a_mooring_line_is_found_on_every_mesh_and_is_the_elastic_catenary),
    test(a_mooring_line_that_lies_on_the_sea_bed_is_found),
    test(a_tight_line_between_pins_is_found_in_a_side_wind),
    test(a_slack_rope_between_pins_is_found_under_a_side_load_from_an_arc),
    test(a_rod_on_a_pin_hangs_down_under_fdtd_whatever_its_stiffness_and_direction),
    test(a_45_degree_bend_is_found_by_fdtd_in_1_5_and_10_load_steps))
