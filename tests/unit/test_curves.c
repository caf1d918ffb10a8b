/* Shapes given by two points and a length, or by points alone: catenary and through. */
#include "check.h"
#include "model/model.h"
#include "withy/withy.h"

enum { STATIONS = 801 };

typedef struct curve {
    withy_rod rod;
    double s[STATIONS];
    wy_pose pose[STATIONS];
    double strain[STATIONS][WITHY_STRAINS];
} curve;

static void follow(const withy_shape *shape, double length, curve *x) {
    withy_error err = {0};
    x->rod = withy_rod_default();
    x->rod.length = length;
    for (int i = 0; i < STATIONS; i++) x->s[i] = length * i / (STATIONS - 1);
    CHECK_OK(wy_shape_poses(&x->rod, shape, STATIONS, x->s, x->pose, &err));
    CHECK_OK(wy_shape_strains(&x->rod, shape, STATIONS, x->s, x->strain, &err));
}

/* Differences of positions are the unit tangent d3, and differences of frames the strain, as well as the
 * differences can tell. */
static void check_frames(const curve *x, double tangent, double turn) {
    const double h = x->s[1];
    for (int i = 2; i < STATIONS - 2; i++) {
        const wy_pose *p = &x->pose[i];
        const vec3 near = v3_scale(8, v3_sub(p[1].r, p[-1].r)), far = v3_sub(p[2].r, p[-2].r);
        CHECK_BELOW(v3_norm(v3_sub(v3_scale(1 / (12 * h), v3_sub(near, far)), p->frame.c3)),
                    tangent);
        CHECK_NEAR(v3_norm(p->frame.c3), 1, 1e-14);
        CHECK_NEAR(v3_dot(p->frame.c1, p->frame.c3), 0, 1e-14);
        const mat3 change = m3_mulm(m3_transpose(p[-1].frame), p[1].frame);
        const vec3 rate = v3_scale(0.5 / h, q_log(q_from_matrix(change)));
        const vec3 bend = v3(x->strain[i][3], x->strain[i][4], x->strain[i][5]);
        CHECK_BELOW(v3_norm(v3_sub(rate, bend)), turn * (1 + v3_norm(bend)));
    }
}

/* ---- catenary -------------------------------------------------------------------------------------- */

static withy_shape hanging(withy_vec3 from, withy_vec3 to) {
    return (withy_shape){
        .kind = WITHY_SHAPE_CATENARY, .from = from, .to = to, .direction = {0, 0, -1}};
}

/* The height above the lowest level is sqrt(a^2 + sigma^2), the slope sigma/a, for one a. */
static void check_equation(const curve *x) {
    const vec3 t0 = x->pose[0].frame.c3, t1 = x->pose[STATIONS - 1].frame.c3;
    const double u0 = t0.z / hypot(t0.x, t0.y), u1 = t1.z / hypot(t1.x, t1.y);
    const double a = x->rod.length / (u1 - u0);
    for (int i = 0; i < STATIONS; i++) {
        const double u = u0 + x->s[i] / a;
        const vec3 d = v3_sub(x->pose[i].r, x->pose[0].r);
        CHECK_NEAR(d.z, a * (sqrt(1 + u * u) - sqrt(1 + u0 * u0)), 1e-12 * (x->rod.length + a));
        CHECK_NEAR(hypot(d.x, d.y), a * (asinh(u) - asinh(u0)), 1e-12 * (x->rod.length + a));
    }
}

TEST(a_catenary_satisfies_its_equation_and_ends_where_it_is_reported) {
    static curve x;
    static const double length[] = {2, 1.3, 1.001, 4, 6};
    static const withy_vec3 to[] = {
        {1, 0, 0}, {0.7, 0.5, -0.4}, {0.6, 0, 0.8}, {0.5, 0.2, -1}, {1, 0, 4.5}};
    for (size_t k = 0; k < sizeof length / sizeof *length; k++) {
        const withy_vec3 from = {3, -2, 1};
        const withy_shape shape = hanging(from, v3_add(from, to[k]));
        follow(&shape, length[k], &x);
        CHECK_BELOW(v3_norm(v3_sub(x.pose[STATIONS - 1].r, shape.to)), 1e-13 * length[k]);
        check_equation(&x);
        check_frames(&x, 1e-5, 2e-3);
    }
}

/* Rotated about the vertical, in other units, and from its other end. */
TEST(a_catenary_does_not_depend_on_axes_units_and_which_end_is_first) {
    static curve x, y;
    const withy_vec3 to = {0.9, 0.2, -0.5};
    withy_shape shape = hanging(v3(0, 0, 0), to);
    follow(&shape, 1.7, &x);
    const quat turn = q_exp(v3(0.3, -0.8, 0.5));
    withy_shape other = shape;
    other.to = v3_scale(1e3, q_turn(turn, to)), other.direction = q_turn(turn, shape.direction);
    follow(&other, 1.7e3, &y);
    for (int i = 0; i < STATIONS; i++)
        CHECK_BELOW(v3_norm(v3_sub(v3_scale(1e-3, y.pose[i].r), q_turn(turn, x.pose[i].r))), 1e-13);
    other = hanging(to, v3(0, 0, 0));
    follow(&other, 1.7, &y);
    for (int i = 0; i < STATIONS; i++)
        CHECK_BELOW(v3_norm(v3_sub(y.pose[STATIONS - 1 - i].r, x.pose[i].r)), 1e-13);
}

TEST(between_points_above_each_other_it_is_as_long_and_smooth) {
    static curve x;
    static const withy_vec3 to[] = {
        {0, 0, 0}, {0, 0, -1}, {0, 0, 1}, {1e-6, 0, 0.5}, {1e-3, 0, -1.2}};
    for (size_t k = 0; k < sizeof to / sizeof *to; k++) {
        const withy_shape shape = hanging(v3(0, 0, 0), to[k]);
        follow(&shape, 2, &x);
        CHECK_BELOW(v3_norm(v3_sub(x.pose[STATIONS - 1].r, to[k])), 1e-13);
        for (int i = 1; i < STATIONS; i++) {
            const vec3 chord = v3_sub(x.pose[i].r, x.pose[i - 1].r);
            CHECK_NEAR(v3_norm(chord) / x.s[1], 1, 3e-3); /* it continues at unit speed */
            CHECK(v3_dot(x.pose[i].frame.c3, x.pose[i - 1].frame.c3) > 0.99);
        }
    }
}

/* From a point on the bed, from one above it, and where the bed is too deep to matter. */
TEST(a_catenary_on_a_bed_lies_on_it_and_leaves_it_level) {
    static curve x, y;
    static const double start[] = {0, 0.3, 0}, bed[] = {-1, -1, -3};
    for (int k = 0; k < 3; k++) {
        withy_shape shape = hanging(v3(2, 1, start[k] - 1), v3(2 + 0.8 * 3, 1 + 0.6 * 3, 0));
        follow(&shape, 3.4, &y);
        shape.has_bed = 1, shape.bed = bed[k];
        follow(&shape, 3.4, &x);
        CHECK_BELOW(v3_norm(v3_sub(x.pose[STATIONS - 1].r, shape.to)), 1e-12);
        check_frames(&x, k < 2 ? 1e-3 : 1e-5, 1);
        int laid = 0;
        for (int i = 0; i < STATIONS; i++) {
            const double high = x.pose[i].r.z - bed[k];
            CHECK(high > -1e-12);
            laid += high < 1e-12;
            if (k == 2) CHECK_BELOW(v3_norm(v3_sub(x.pose[i].r, y.pose[i].r)), 1e-15);
        }
        CHECK(k == 2 ? laid == 0 : laid > 40);
    }
    withy_error err = {0};
    withy_rod rod = withy_rod_default();
    withy_problem problem = withy_problem_default();
    problem.rod = &rod, rod.length = 5;
    rod.initial = hanging(v3(0, 0, 0), v3(3, 0, 1)), rod.initial.has_bed = 1;
    CHECK(withy_problem_check(&problem, &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "in a heap") != NULL);
    rod.length = 3.5, rod.initial.bed = 0.5;
    CHECK(withy_problem_check(&problem, &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "below its bed") != NULL);
}

TEST(a_catenary_needs_a_rod_longer_than_its_chord) {
    withy_error err = {0};
    withy_rod rod = withy_rod_default();
    withy_problem problem = withy_problem_default();
    problem.rod = &rod;
    rod.initial = hanging(v3(0, 0, 0), v3(1.2, 0, 0));
    CHECK(withy_problem_check(&problem, &err) == WITHY_BAD_INPUT);
    CHECK_TEXT(err.text, "initial.shape: from and to are 1.2 m apart and the rod is 1 m long; a "
                         "catenary needs a rod that is longer than that");
}

/* ---- through ---------------------------------------------------------------------------------------- */

static withy_shape through(int count, const withy_vec3 *point) {
    return (withy_shape){.kind = WITHY_SHAPE_THROUGH, .point = point, .point_count = count};
}

static double length_of(const withy_shape *shape) {
    withy_error err = {0};
    double length = 0;
    CHECK_OK(withy_shape_length(shape, &length, &err));
    return length;
}

/* A parabola y = x^2/2 is reproduced by a spline of its own kind; its length has a closed form. */
TEST(through_points_of_a_parabola_in_any_spacing_the_length_is_exact) {
    static const double at[] = {0, 0.5, 1.0};
    withy_vec3 point[3];
    for (int i = 0; i < 3; i++) point[i] = v3(at[i], 0, 0);
    withy_shape shape = through(3, point);
    CHECK_NEAR(length_of(&shape), 1, 1e-14);
    /* chords are equal for points symmetric about the vertex, so u is x: x from -1 to 1 */
    for (int i = 0; i < 3; i++) point[i] = v3(i - 1.0, 0.5 * (i - 1.0) * (i - 1.0), 0);
    shape = through(3, point);
    CHECK_NEAR(length_of(&shape), sqrt(2.0) + asinh(1.0), 1e-13);
}

static withy_vec3 coil(double u) {
    return v3(cos(u), sin(u), 0.2 * u);
}

TEST(through_more_and_more_points_of_a_helix_it_becomes_the_helix) {
    static withy_vec3 point[401];
    static curve x;
    const double exact = 6 * sqrt(1.04);
    double before = INFINITY;
    for (int n = 50; n <= 400; n *= 2) {
        for (int i = 0; i <= n; i++) { /* twice as dense at one end */
            const double u = (double)i / n;
            point[i] = coil(4 * u + 2 * u * u);
        }
        const withy_shape shape = through(n + 1, point);
        const double length = length_of(&shape), error = fabs(length - exact);
        CHECK(error < 0.15 * before); /* fourth order: 1/16 */
        before = error;
        if (n < 400) continue;
        follow(&shape, length, &x);
        for (int i = 0; i < STATIONS; i++)
            CHECK_BELOW(v3_norm(v3_sub(x.pose[i].r, coil(x.s[i] / sqrt(1.04)))), 1e-6);
        check_frames(&x, 1e-7, 1e-4);
        CHECK_NEAR(hypot(x.strain[400][3], x.strain[400][4]), 1 / 1.04, 1e-4);
    }
    CHECK_BELOW(before, 2e-9);
}

/* Equal arcs have equal lengths, to 1e-10, however the points lie. */
TEST(the_parameter_is_the_arc_length_to_1e_10_under_rotation_units_and_reversal) {
    static withy_vec3 point[3][24];
    static curve x[3];
    const quat turn = q_exp(v3(0.4, 1.1, -0.3));
    for (int i = 0; i < 24; i++) {
        const double u = i / 23.0;
        const vec3 p = v3(3 * u + 0.3 * sin(9 * u), cos(5 * u * u), 0.5 * u * u * u);
        point[0][i] = p;
        point[1][i] = v3_scale(1e-3, q_turn(turn, p));
        point[2][23 - i] = p;
    }
    for (int k = 0; k < 3; k++) {
        const withy_shape shape = through(24, point[k]);
        follow(&shape, length_of(&shape), &x[k]);
    }
    CHECK_NEAR(x[1].rod.length * 1e3, x[0].rod.length, 1e-12);
    CHECK_NEAR(x[2].rod.length, x[0].rod.length, 1e-12);
    for (int i = 0; i < STATIONS; i++) {
        const vec3 a = x[0].pose[i].r, b = v3_scale(1e3, x[1].pose[i].r);
        CHECK_BELOW(v3_norm(v3_sub(b, q_turn(turn, a))), 1e-10);
        CHECK_BELOW(v3_norm(v3_sub(x[2].pose[STATIONS - 1 - i].r, a)), 1e-10);
        CHECK_NEAR(v3_norm(x[0].pose[i].frame.c3), 1, 1e-14);
    }
    CHECK_BELOW(v3_norm(v3_sub(x[0].pose[STATIONS - 1].r, point[0][23])), 1e-12);
}

TEST(points_that_do_not_make_the_rods_length_or_coincide_are_refused) {
    withy_error err = {0};
    withy_rod rod = withy_rod_default();
    withy_problem problem = withy_problem_default();
    withy_vec3 point[3] = {{0, 0, 0}, {1, 0, 0}, {1.5, 0, 0}};
    problem.rod = &rod;
    rod.initial = through(3, point);
    CHECK(withy_problem_check(&problem, &err) == WITHY_BAD_INPUT);
    CHECK_TEXT(err.text,
               "initial.shape: the curve through the points is 1.5 m long and rod.length = "
               "1; set rod.length to that (a scene may leave it out) or change the points");
    point[2] = point[1];
    CHECK(withy_problem_check(&problem, &err) == WITHY_BAD_INPUT);
    CHECK_TEXT(err.text, "initial.shape: points 2 and 3 are the same; remove one");
    rod.initial.point_count = 1;
    CHECK(withy_problem_check(&problem, &err) == WITHY_BAD_INPUT);
    CHECK_TEXT(err.text, "initial.shape: a curve through points needs at least 2; it has 1");
}

/* ---- in scenes --------------------------------------------------------------------------------------- */

#define ROD                                                                                        \
    "stiffness = { bend = 1, twist = 1, stretch = 1e4, shear = 1e4 }, inertia = { mass = 1 } }, "

static withy_scene *read_scene(const char *text) {
    withy_error err = {0};
    withy_scene *scene = NULL;
    CHECK_OK(withy_scene_read_text(text, strlen(text), "curves.lua", NULL, 0, &scene, &err));
    return scene;
}

TEST(a_scene_may_leave_the_length_to_the_shape) {
    withy_scene *scene =
        read_scene("return { rod = { " ROD
                   "gravity = { 0, 0, -9.81 }, ends = { start = pinned { position = { 0, "
                   "0, 1 } }, finish = pinned { position = { 2, 0, 1 } } }, initial = static { "
                   "shape = catenary { "
                   "length = 3 } }, loads = { point { at = 3, force = { 0, 0, 1 } } } }");
    const withy_rod *rod = withy_scene_problem(scene)->rod;
    CHECK_NEAR(rod->length, 3, 0);
    CHECK_NEAR(rod->initial.to.x, 2, 0);
    CHECK_NEAR(rod->initial.direction.z, -1, 0);
    withy_scene_destroy(scene);
    scene = read_scene("return { rod = { rest = through { { 0, 0, 0 }, { 3, 0, 4 } }, " ROD
                       "ends = { start = clamped {} } }");
    CHECK_NEAR(withy_scene_problem(scene)->rod->length, 5, 1e-14);
    withy_scene_destroy(scene);
}

RUN(test(a_catenary_satisfies_its_equation_and_ends_where_it_is_reported),
    test(a_catenary_does_not_depend_on_axes_units_and_which_end_is_first),
    test(a_catenary_on_a_bed_lies_on_it_and_leaves_it_level),
    test(between_points_above_each_other_it_is_as_long_and_smooth),
    test(a_catenary_needs_a_rod_longer_than_its_chord),
    test(through_points_of_a_parabola_in_any_spacing_the_length_is_exact),
    test(through_more_and_more_points_of_a_helix_it_becomes_the_helix),
    test(the_parameter_is_the_arc_length_to_1e_10_under_rotation_units_and_reversal),
    test(points_that_do_not_make_the_rods_length_or_coincide_are_refused),
    test(a_scene_may_leave_the_length_to_the_shape))
