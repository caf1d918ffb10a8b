/* Sections, shapes with their frames, ends and the check of a problem. */
#include "check.h"
#include "model/model.h"
#include "numeric/interpolate/interpolate.h"

static withy_error err;

static withy_rod rod_of(withy_section section) {
    withy_rod rod = withy_rod_default();
    rod.section = section;
    rod.section.shear_factor = 1.0;
    rod.material = (withy_material){.young = 3.0, .shear = 1.0, .density = 2.0};
    return rod;
}

TEST(a_circle_has_pi_d4_over_64_and_twice_that_in_torsion) {
    const withy_rod rod =
        rod_of((withy_section){.kind = WITHY_SECTION_CIRCLE, .a = withy_field_number(2.0)});
    double k[WITHY_STRAINS], rho[WITHY_INERTIAS];
    CHECK_OK(wy_stiffness_at(&rod, 0.3, k, &err));
    CHECK_OK(wy_inertia_at(&rod, 0.3, rho, &err));
    CHECK_NEAR(k[WITHY_STRETCH], 3 * WY_PI, 1e-14);
    CHECK_NEAR(k[WITHY_BEND1], 3 * WY_PI / 4, 1e-14);
    CHECK_NEAR(k[WITHY_TWIST], WY_PI / 2, 1e-14);
    CHECK_NEAR(rho[WITHY_MASS], 2 * WY_PI, 1e-14);
    CHECK_NEAR(rho[WITHY_ROTARY3], WY_PI, 1e-14);
}

/* J of a square is 0.1405770 b^4 (Timoshenko and Goodier, table 10); our formula is within 4e-4. */
TEST(a_square_has_the_torsion_constant_of_the_tables) {
    const withy_rod rod = rod_of((withy_section){.kind = WITHY_SECTION_RECTANGLE,
                                                 .a = withy_field_number(1.0),
                                                 .b = withy_field_number(1.0)});
    double k[WITHY_STRAINS];
    CHECK_OK(wy_stiffness_at(&rod, 0, k, &err));
    CHECK_NEAR(k[WITHY_TWIST], 0.1405770, 4e-4);
    CHECK_NEAR(k[WITHY_BEND1], 3.0 / 12, 1e-15);
}

TEST(a_flat_rectangle_bends_more_easily_about_its_width) {
    const withy_rod rod = rod_of((withy_section){.kind = WITHY_SECTION_RECTANGLE,
                                                 .a = withy_field_number(2.0),
                                                 .b = withy_field_number(0.5)});
    double k[WITHY_STRAINS];
    CHECK_OK(wy_stiffness_at(&rod, 0, k, &err));
    CHECK_NEAR(k[WITHY_BEND1], 3 * 2 * 0.125 / 12, 1e-15); /* about d1: width along d1 */
    CHECK_NEAR(k[WITHY_BEND2], 3 * 0.5 * 8 / 12.0, 1e-15);
}

TEST(what_is_not_given_is_rigid_and_what_is_given_overrides) {
    withy_rod rod = {.length = 1};
    rod.stiffness[WITHY_BEND1] = withy_field_number(7);
    double k[WITHY_STRAINS];
    CHECK_OK(wy_stiffness_at(&rod, 0, k, &err));
    CHECK(isinf(k[WITHY_STRETCH]) && k[WITHY_BEND1] == 7);
}

/* Walk the poses of a shape: |r'| = 1, d3 = r', frames orthonormal and without twist. */
static void check_shape(const withy_rod *rod, const withy_shape *shape, double tolerance) {
    enum { N = 401 };
    static double s[N];
    static wy_pose pose[N];
    static double strain[N][WITHY_STRAINS];
    for (int i = 0; i < N; i++) s[i] = rod->length * i / (N - 1);
    CHECK_OK(wy_shape_poses(rod, shape, N, s, pose, &err));
    CHECK_OK(wy_shape_strains(rod, shape, N, s, strain, &err));
    const double h = s[1];
    for (int i = 1; i + 1 < N; i++) {
        const vec3 slope = v3_scale(0.5 / h, v3_sub(pose[i + 1].r, pose[i - 1].r));
        CHECK_NEAR(v3_norm(v3_sub(slope, pose[i].frame.c3)), 0, tolerance);
        const vec3 d1 = v3_scale(0.5 / h, v3_sub(pose[i + 1].frame.c1, pose[i - 1].frame.c1));
        const vec3 d2 = v3_scale(0.5 / h, v3_sub(pose[i + 1].frame.c2, pose[i - 1].frame.c2));
        /* bend1 = d3 . d2', bend2 = d1 . d3' = -d3 . d1', twist = d2 . d1' */
        CHECK_NEAR(v3_dot(d2, pose[i].frame.c3), strain[i][WITHY_BEND1], tolerance);
        CHECK_NEAR(-v3_dot(d1, pose[i].frame.c3), strain[i][WITHY_BEND2], tolerance);
        CHECK_NEAR(v3_dot(d1, pose[i].frame.c2), strain[i][WITHY_TWIST], tolerance);
    }
}

TEST(arc_and_helix_carry_frames_whose_strains_are_their_curvature) {
    withy_rod rod = withy_rod_default();
    rod.length = 5;
    const withy_shape arc = {
        .kind = WITHY_SHAPE_ARC, .radius = 2, .along = {0, 1, 1}, .normal = {1, 0, 0}};
    check_shape(&rod, &arc, 2e-5);
    withy_shape helix = {
        .kind = WITHY_SHAPE_HELIX, .radius = 0.7, .pitch = 1.1, .along = {1, 2, 3}};
    check_shape(&rod, &helix, 2e-4); /* differences of step L/400: (kappa h)^2 / 6 */
    helix.pitch = -1.1;
    check_shape(&rod, &helix, 2e-4);
}

/* x(s) of a helix with radius 1 and climb 1/2, by arc length. */
static withy_status helix_curve(void *context, double s, double t, double *out, withy_error *e) {
    (void)context, (void)t, (void)e;
    const double c = sqrt(1.25), phi = s / c;
    out[0] = cos(phi), out[1] = sin(phi), out[2] = 0.5 * phi;
    return WITHY_OK;
}

TEST(a_curve_carries_the_same_frame_as_the_closed_form_of_a_helix) {
    withy_rod rod = withy_rod_default();
    rod.length = 12;
    const withy_shape exact = {.kind = WITHY_SHAPE_HELIX,
                               .radius = 1,
                               .pitch = WY_PI,
                               .from = {1, 0, 0},
                               .normal = {1, 0, 0}};
    withy_shape curve = {.kind = WITHY_SHAPE_CURVE, .normal = {1, 0, 0}};
    curve.position = (withy_field){.size = 3, .call = helix_curve};
    const double s[] = {0, 3, 12};
    wy_pose a[3], b[3];
    double ka[3][WITHY_STRAINS], kb[3][WITHY_STRAINS];
    CHECK_OK(wy_shape_poses(&rod, &exact, 3, s, a, &err));
    CHECK_OK(wy_shape_poses(&rod, &curve, 3, s, b, &err));
    CHECK_OK(wy_shape_strains(&rod, &exact, 3, s, ka, &err));
    CHECK_OK(wy_shape_strains(&rod, &curve, 3, s, kb, &err));
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(v3_norm(v3_sub(a[i].r, b[i].r)), 0, 1e-13);
        CHECK_NEAR(v3_norm(v3_sub(a[i].frame.c1, b[i].frame.c1)), 0, 1e-8);
        for (int k = 0; k < WITHY_STRAINS; k++) CHECK_NEAR(ka[i][k], kb[i][k], 1e-8);
    }
}

static withy_status helix_strain(void *context, double s, double t, double *out, withy_error *e) {
    const withy_rod *rod = context;
    const withy_shape exact = {.kind = WITHY_SHAPE_HELIX, .radius = 1, .pitch = WY_PI};
    double strain[1][WITHY_STRAINS];
    (void)t;
    WY_TRY(wy_shape_strains(rod, &exact, 1, &s, strain, e));
    for (int i = 0; i < 3; i++) out[i] = strain[0][3 + i];
    return WITHY_OK;
}

TEST(integrating_the_strains_of_a_helix_gives_the_helix) {
    withy_rod rod = withy_rod_default();
    rod.length = 12;
    const withy_shape exact = {.kind = WITHY_SHAPE_HELIX, .radius = 1, .pitch = WY_PI};
    const double s[] = {0, 5, 12};
    wy_pose a[3], b[3];
    CHECK_OK(wy_shape_poses(&rod, &exact, 3, s, a, &err));
    withy_shape strain = {
        .kind = WITHY_SHAPE_STRAIN, .along = a[0].frame.c3, .normal = a[0].frame.c1};
    strain.from = a[0].r;
    strain.strain = (withy_field){.size = 3, .call = helix_strain, .context = &rod};
    CHECK_OK(wy_shape_poses(&rod, &strain, 3, s, b, &err));
    for (int i = 0; i < 3; i++) CHECK_NEAR(v3_norm(v3_sub(a[i].r, b[i].r)), 0, 1e-9);
}

static withy_status stretched_curve(void *context, double s, double t, double *out,
                                    withy_error *e) {
    (void)context, (void)t, (void)e;
    out[0] = 1.3 * s, out[1] = out[2] = 0;
    return WITHY_OK;
}

TEST(a_curve_that_is_not_parametrised_by_arc_length_is_refused_with_its_speed) {
    withy_rod rod = withy_rod_default();
    rod.initial.kind = WITHY_SHAPE_CURVE;
    rod.initial.position = (withy_field){.size = 3, .call = stretched_curve};
    withy_problem problem = withy_problem_default();
    problem.rod = &rod;
    CHECK(withy_problem_check(&problem, &err) == WITHY_BAD_INPUT);
    CHECK_TEXT(err.text,
               "initial.shape: the curve is not parametrised by arc length: it moves 1.3 per "
               "unit of s at s = 0; divide its parameter by that speed or change rod.length");
}

TEST(an_end_without_position_stays_where_the_initial_shape_puts_it) {
    withy_rod rod = withy_rod_default();
    rod.initial =
        (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .from = {1, 2, 3}, .along = {1, 0, 0}};
    rod.end[1].kind = WITHY_END_PINNED;
    wy_end end;
    wy_pose pose;
    CHECK_OK(wy_end_prepare(&rod, 1, &end, &err));
    CHECK_OK(wy_end_pose(&end, 0.7, &pose, &err));
    CHECK_NEAR(v3_norm(v3_sub(pose.r, v3(2, 2, 3))), 0, 1e-15);
}

TEST(a_tangent_that_is_not_unit_is_refused_with_its_length) {
    withy_rod rod = withy_rod_default();
    rod.end[0].tangent = withy_field_vector(0, 0, 1.5);
    withy_problem problem = withy_problem_default();
    problem.rod = &rod;
    CHECK(withy_problem_check(&problem, &err) == WITHY_BAD_INPUT);
    CHECK_TEXT(err.text,
               "ends.start.tangent has length 1.5 at t = 0; it must be a unit vector (divide "
               "it by its length)");
}

TEST(the_default_problem_is_valid_and_a_zeroed_one_is_not) {
    withy_problem problem = withy_problem_default();
    CHECK_OK(withy_problem_check(&problem, &err));
    const withy_problem zero = {0};
    CHECK(withy_problem_check(&zero, &err) == WITHY_BAD_INPUT);
    CHECK_TEXT(err.text, "the problem was not made by withy_problem_default(); start from it");
}

/* ---- what a program, unlike a scene, can get wrong ---------------------------------------------- */

static withy_rod rod_;
static withy_problem problem_;
static withy_load load_;

static withy_problem *fresh(void) {
    rod_ = withy_rod_default();
    problem_ = withy_problem_default();
    problem_.rod = &rod_;
    load_ = (withy_load){.kind = WITHY_LOAD_POINT, .from = 0.5};
    return &problem_;
}

static const char *complaint(void) {
    CHECK(withy_problem_check(&problem_, &err) == WITHY_BAD_INPUT);
    return err.text;
}

TEST(a_normal_along_the_rod_is_refused_however_it_is_rounded) {
    const double k = 1 / sqrt(3.0);
    fresh(), rod_.initial = (withy_shape){.kind = WITHY_SHAPE_STRAIGHT,
                                          .along = {k, k, k},
                                          .normal = {1 / 3.0, 1 / 3.0, 1 / 3.0 + 1e-15}};
    CHECK_TEXT(complaint(),
               "initial.shape.normal (or that of the start, where the shape gives none) "
               "is along the rod; it must point across it");
    fresh(), rod_.rest = (withy_shape){.kind = WITHY_SHAPE_ARC, .radius = 1, .normal = {0, 0, 2}};
    CHECK(strstr(complaint(), "rod.rest.normal"));
    rod_.rest.normal = v3(1, 0, 0);
    CHECK_OK(withy_problem_check(&problem_, &err));
}

TEST(numbers_that_are_not_finite_are_refused_wherever_they_stand) {
    fresh(), rod_.tension = NAN;
    CHECK_TEXT(complaint(), "rod.tension = nan: must be finite [N]");
    fresh(), rod_.inertia[WITHY_MASS] = withy_field_number(INFINITY);
    CHECK_TEXT(complaint(), "rod.inertia.mass: number 1 is inf; it must be finite");
    fresh(), rod_.damping[WITHY_TWIST] = withy_field_number(INFINITY);
    CHECK(strstr(complaint(), "rod.damping.twist: number 1 is inf"));
    fresh(), rod_.end[1].force = withy_field_vector(0, NAN, 0);
    CHECK_TEXT(complaint(), "ends.finish.force: number 2 is nan; it must be finite");
    fresh(), rod_.end[1].offset = v3(INFINITY, 0, 0);
    CHECK(strstr(complaint(), "ends.finish.offset"));
    fresh(), rod_.initial = (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .from = {NAN, 0, 0}};
    CHECK(strstr(complaint(), "initial.shape: has no finite end"));
    fresh(), load_.moment = withy_field_vector(0, 0, INFINITY);
    rod_.load = &load_, rod_.load_count = 1;
    CHECK_TEXT(complaint(), "loads[1].moment: number 3 is inf; it must be finite");
    fresh(), rod_.stiffness[WITHY_STRETCH] = withy_field_number(INFINITY); /* rigid is allowed */
    CHECK_OK(withy_problem_check(&problem_, &err));
}

TEST(a_field_of_the_wrong_size_is_refused) {
    fresh(), rod_.end[1].force = withy_field_number(5);
    CHECK_TEXT(complaint(), "ends.finish.force has 1 numbers; it must have 3");
    fresh(), rod_.velocity = withy_field_number(5);
    CHECK_TEXT(complaint(), "initial.velocity has 1 numbers; it must have 3");
}

TEST(floor_path_and_section_are_checked_as_the_header_says) {
    fresh(), problem_.floor = (withy_floor){.given = 1, .normal = {0, 0, 2}, .stiffness = 1};
    CHECK_TEXT(complaint(),
               "floor.normal has length 2; it must be a unit vector (divide it by its length)");
    problem_.floor.normal = v3(0, 0, 1), problem_.floor.stiffness = 0;
    CHECK_TEXT(complaint(), "floor.stiffness = 0: must be > 0 [N/m^2]");
    fresh(), problem_.path = (withy_path){.given = 1, .to = NAN, .steps = 1};
    CHECK_TEXT(complaint(), "path.to = nan: must be finite [-]");
    fresh(), problem_.path = (withy_path){.given = 1, .to = 1};
    CHECK_TEXT(complaint(), "path.steps = 0: must be >= 1");
    fresh(), rod_.section.shear_factor = 1.2;
    CHECK_TEXT(complaint(), "rod.section.shear_factor = 1.2: must be > 0 and <= 1");
    fresh(), rod_.section.kind = WITHY_SECTION_TUBE, rod_.section.b = withy_field_number(-5e-4);
    CHECK(strstr(complaint(), "the section has size 0.001 by -0.0005"));
}

TEST(a_probe_asks_for_at_most_a_thousand_million_samples) {
    static withy_probe probe = {.name = "tip", .what = "position", .at = 1.0, .every = 1e-30};
    fresh(), problem_.request.probe = &probe, problem_.request.probe_count = 1;
    CHECK_TEXT(complaint(), "probes.tip.every = 1e-30: asks for 1e+30 samples up to time.stop = 1, "
                            "more than 1e+09; choose a longer interval, or 0 for every step");
}

/* ---- load points ------------------------------------------------------------------------------ */

static withy_status growing(void *context, double s, double t, double *out, withy_error *e) {
    (void)context, (void)e;
    out[0] = s * s, out[1] = t, out[2] = 0;
    return WITHY_OK;
}

/* Sum of force, and of s times force, over load points. */
static void sum_points(const wy_load_points *points, double t, double factor, vec3 sum[2]) {
    sum[0] = sum[1] = v3(0, 0, 0);
    for (int i = 0; i < points->count; i++) {
        vec3 f, m;
        CHECK_OK(wy_load_point_at(&points->point[i], t, factor, m3_identity(), &f, &m, &err));
        sum[0] = v3_add(sum[0], f), sum[1] = v3_axpy(sum[1], points->point[i].s, f);
    }
}

TEST(load_points_keep_force_and_lever_of_every_load_wherever_it_begins_and_ends) {
    wy_arena arena = {0};
    double point[2], weight[2];
    const double edge[] = {0, 0.3, 0.35, 1.1, 2};
    const withy_load load[] = {
        {.kind = WITHY_LOAD_DISTRIBUTED,
         .from = 0.31,
         .to = 0.34,
         .force = {.size = 3, .call = growing}},
        {.kind = WITHY_LOAD_DISTRIBUTED, .to = 2, .force = withy_field_vector(0, 0, 5)},
        {.kind = WITHY_LOAD_POINT, .from = 0.35, .force = withy_field_vector(7, 0, 0)},
        {.kind = WITHY_LOAD_POINT, .from = 2, .force = withy_field_vector(0, 0, 1)}};
    wy_gauss_points(2, point, weight);
    const wy_load_rule rule = {4, edge, 2, point, weight, .nodes = 0};
    wy_load_points points;
    CHECK_OK(wy_load_points_make(load, 4, 2, &rule, &arena, &points, &err));
    CHECK(points.count == 2 + 4 * 2 + 2);
    CHECK(points.first[0] == 0 && points.first[4] == points.count);
    vec3 sum[2];
    sum_points(&points, 3, 10, sum);
    const double a = 0.31, b = 0.34;
    CHECK_NEAR(sum[0].x, (b * b * b - a * a * a) / 3 + 70, 1e-13);
    CHECK_NEAR(sum[1].x, (b * b * b * b - a * a * a * a) / 4 + 70 * 0.35, 1e-13);
    CHECK_NEAR(sum[0].y, 3 * (b - a), 1e-15); /* a function of time is not multiplied */
    CHECK_NEAR(sum[0].z, 100 + 10, 1e-12);
    CHECK_NEAR(sum[1].z, 100 + 20, 1e-12);
    for (int cell = 0; cell < 4; cell++)
        for (int i = points.first[cell]; i < points.first[cell + 1]; i++)
            CHECK(points.point[i].cell == cell && points.point[i].s >= edge[cell] &&
                  points.point[i].s <= edge[cell + 1]);
    wy_arena_free(&arena);
}

TEST(a_load_on_the_whole_rod_acts_at_the_nodes_of_a_method_that_asks_for_it) {
    wy_arena arena = {0};
    double point[1], weight[1];
    const double edge[] = {0, 0.5, 1}, share[] = {0.25, 0.5, 0.25};
    const withy_load load[] = {
        {.kind = WITHY_LOAD_DISTRIBUTED, .to = 1, .force = withy_field_vector(4, 0, 0)},
        {.kind = WITHY_LOAD_DISTRIBUTED,
         .from = 0.5,
         .to = 0.6,
         .force = withy_field_vector(0, 1, 0)}};
    wy_gauss_points(1, point, weight);
    wy_load_rule rule = {2, edge, 1, point, weight, 3, edge, share, 0};
    wy_load_points points;
    CHECK_OK(wy_load_points_make(load, 2, 1, &rule, &arena, &points, &err));
    CHECK(points.count == 4 && points.first[2] == 1);
    CHECK(points.point[0].cell == 1 && points.point[0].node == -1);
    CHECK_NEAR(points.point[0].s, 0.55, 1e-15);
    for (int i = 0; i < 3; i++)
        CHECK(points.point[1 + i].node == i && points.point[1 + i].weight == share[i]);
    rule.reach =
        0.25; /* parts at the nodes too, by the integrals of their hats: force and moment are kept */
    CHECK_OK(wy_load_points_make(load, 2, 1, &rule, &arena, &points, &err));
    CHECK(points.count == 5 && points.first[2] == 0);
    CHECK(points.point[3].node == 1 && points.point[4].node == 2);
    CHECK_NEAR(points.point[3].weight, 0.09, 1e-15); /* of the hat of the middle node */
    CHECK_NEAR(points.point[4].weight, 0.01, 1e-15); /* and of the last one           */
    wy_arena_free(&arena);
}

/* ---- walks ------------------------------------------------------------------------------------- */

/* An arc of radius 1 up to s = 1, straight on from there; counts its calls. */
static withy_status counted_curve(void *context, double s, double t, double *out, withy_error *e) {
    (void)t, (void)e;
    ++*(int *)context;
    const double a = s < 1 ? s : 1, more = s < 1 ? 0 : s - 1;
    out[0] = 1 - cos(a) + more * sin(a), out[1] = 0, out[2] = sin(a) + more * cos(a);
    return WITHY_OK;
}

static withy_status counted_strain(void *context, double s, double t, double *out, withy_error *e) {
    (void)t, (void)e;
    ++*(int *)context;
    out[0] = 0, out[1] = s < 1 ? 1 : 0, out[2] = 0;
    return WITHY_OK;
}

/* A walk along a curve takes seven points for the slope and one for the position at each of 513 grid
 * points; along strains, two new ones for each of 2048 steps. */
enum { CURVE_WALK = 8 * 513, STRAIN_WALK = 2 * 2048 + 1 };

static withy_problem counting_problem(withy_rod *rod, int strain, int *calls) {
    withy_problem problem = withy_problem_default();
    *rod = withy_rod_default();
    rod->length = 2;
    rod->rest = (withy_shape){.kind = strain ? WITHY_SHAPE_STRAIN : WITHY_SHAPE_CURVE,
                              .along = {0, 0, 1},
                              .normal = {1, 0, 0}};
    rod->rest.position = (withy_field){.size = 3, .call = counted_curve, .context = calls};
    rod->rest.strain = (withy_field){.size = 3, .call = counted_strain, .context = calls};
    problem.rod = rod;
    *calls = 0;
    return problem;
}

TEST(a_problem_is_walked_at_most_twice_however_many_methods_are_asked) {
    for (int strain = 0; strain < 2; strain++) {
        int calls;
        withy_rod rod;
        wy_arena arena = {0};
        withy_problem problem = counting_problem(&rod, strain, &calls);
        CHECK_OK(wy_model_compile(&problem, NULL, &arena, &problem.model, &err));
        CHECK(calls <= (strain ? STRAIN_WALK : CURVE_WALK));
        double s[101], strains[101][WITHY_STRAINS];
        wy_pose pose[101];
        const int walked = calls;
        for (int i = 0; i <= 100; i++) s[i] = 0.02 * i;
        for (int method = 0; method < 6; method++) {
            const wy_model *model;
            wy_end end;
            const int before = calls;
            CHECK_OK(wy_model_compile(&problem, problem.model, &arena, &model, &err));
            for (int i = 0; i < 2; i++) CHECK_OK(wy_model_end(model, 0, i, &end, &err));
            CHECK(calls == before);
            CHECK_OK(wy_model_rest_strains(model, 0, 101, s, strains, &err));
            CHECK_OK(wy_model_initial_poses(model, 0, 101, s, pose, &err));
            CHECK(calls <=
                  before + (1 + 3) * 101 * strain + 16); /* none but at the jump of a curve */
        }
        CHECK(calls <= walked + (strain ? STRAIN_WALK : CURVE_WALK));
        wy_arena_free(&arena);
    }
}

TEST(neither_the_curvature_nor_the_place_is_smeared_where_it_jumps) {
    int calls;
    withy_rod rod;
    wy_arena arena = {0};
    const wy_model *model;
    double s[5] = {0.3, 0.99, 1.0, 1.01, 1.7}, strain[5][WITHY_STRAINS], expected[3];
    wy_pose pose[5];
    for (int given = 0; given < 2; given++) {
        const withy_problem problem = counting_problem(&rod, given, &calls);
        CHECK_OK(wy_model_compile(&problem, NULL, &arena, &model, &err));
        CHECK_OK(wy_model_initial_poses(model, 0, 5, s, pose, &err));
        CHECK_OK(wy_model_initial_strains(model, 0, 5, s, strain, &err));
        for (int i = 0; i < 5; i++) {
            counted_curve(&calls, s[i], 0, expected, NULL);
            /* Runge and Kutta step over the jump: half a step L/2048 of the bend at most */
            const double tolerance = given ? 2e-4 : 1e-14;
            CHECK_NEAR(pose[i].r.x, expected[0], tolerance);
            CHECK_NEAR(pose[i].r.z, expected[2], tolerance);
            const double away = fabs(s[i] - 1);
            if (given ? away > 0 : away > 6 * 2e-3 * rod.length) /* the seven points */
                CHECK_NEAR(strain[i][WITHY_BEND2], s[i] < 1 ? 1 : 0, given ? 0 : 1e-9);
        }
    }
    wy_arena_free(&arena);
}

TEST(a_model_is_the_same_at_any_stations_and_takes_over_walks_of_the_same_shapes) {
    int calls, before;
    withy_rod rod, stiffer;
    wy_arena arena = {0};
    const wy_model *model, *other;
    const withy_problem problem = counting_problem(&rod, 0, &calls);
    CHECK_OK(wy_model_compile(&problem, NULL, &arena, &model, &err));
    const double s[3] = {0.1234, 0.5, 1.9}, one = 0.5;
    wy_pose three[3], alone, again;
    CHECK_OK(wy_model_initial_poses(model, 0, 3, s, three, &err));
    CHECK_OK(wy_model_initial_poses(model, 0, 1, &one, &alone, &err));
    CHECK(memcmp(&three[1], &alone, sizeof alone) == 0);
    stiffer = rod;
    stiffer.stiffness[WITHY_STRETCH] = withy_field_number(1e9);
    withy_problem changed = problem;
    changed.rod = &stiffer;
    before = calls;
    CHECK_OK(wy_model_compile(&changed, model, &arena, &other, &err));
    CHECK(calls == before);
    CHECK_OK(wy_model_initial_poses(other, 0, 1, &one, &again, &err));
    CHECK(memcmp(&again, &alone, sizeof alone) == 0);
    stiffer.length = 1.9; /* no longer the same shape */
    CHECK_OK(wy_model_compile(&changed, model, &arena, &other, &err));
    CHECK(calls > before);
    wy_arena_free(&arena);
}

TEST(a_count_without_a_list_and_sizes_and_kinds_out_of_range_are_refused_with_a_sentence) {
    withy_rod rod = withy_rod_default();
    withy_problem problem = withy_problem_default();
    withy_load load = {.kind = WITHY_LOAD_DISTRIBUTED};
    problem.rod = &rod;
#define REFUSED(change, message)                                                                   \
    do {                                                                                           \
        const withy_rod rod_before = rod;                                                          \
        const withy_problem before = problem;                                                      \
        change;                                                                                    \
        err.text[0] = 0;                                                                           \
        CHECK(withy_problem_check(&problem, &err) == WITHY_BAD_INPUT);                             \
        if (!strstr(err.text, message)) fail_msg("%s: got \"%s\"", message, err.text);             \
        rod = rod_before, problem = before;                                                        \
    } while (0)
    REFUSED(rod.load_count = 2, "loads: has 2 entries and no list");
    REFUSED(rod.load_count = -1, "loads: has -1 entries");
    REFUSED(rod.pull_count = 1, "initial.loads: has 1 entries");
    REFUSED(problem.joint_count = 3, "joints: has 3 entries");
    REFUSED(problem.request.probe_count = 1, "probes: has 1 entries");
    REFUSED(problem.rod_count = -4, "there is no rod");
    REFUSED(problem.rod = NULL, "there is no rod");
    REFUSED(rod.stiffness[2].size = 99, "rod.stiffness.stretch has 99 numbers");
    REFUSED(rod.section.a.size = -1, "rod.section.diameter has -1 numbers");
    REFUSED(rod.end[1].tangent.size = 99, "ends.finish.tangent has 99 numbers"); /* a free end */
    REFUSED(rod.section.kind = (withy_section_kind)77, "rod.section.kind = 77");
    REFUSED(rod.end[1].kind = (withy_end_kind)9, "ends.finish.kind = 9");
    REFUSED(rod.rest.kind = (withy_shape_kind)50, "rod.rest.kind = 50");
    REFUSED(rod.initial.kind = WITHY_SHAPE_CURVE, "initial.shape: a curve is a function of s");
    REFUSED((load.kind = (withy_load_kind)8, rod.load = &load, rod.load_count = 1),
            "loads[1].kind = 8");
    CHECK(withy_problem_check(NULL, &err) == WITHY_BAD_INPUT);
    double out[WITHY_FIELD_MAX];
    const withy_field wide = {.size = 99};
    CHECK(withy_field_at(&wide, 0, 0, out, &err) == WITHY_BAD_INPUT);
    CHECK_OK(withy_problem_check(&problem, &err));
}

RUN(test(a_circle_has_pi_d4_over_64_and_twice_that_in_torsion),
    test(a_square_has_the_torsion_constant_of_the_tables),
    test(a_flat_rectangle_bends_more_easily_about_its_width),
    test(what_is_not_given_is_rigid_and_what_is_given_overrides),
    test(arc_and_helix_carry_frames_whose_strains_are_their_curvature),
    test(a_curve_carries_the_same_frame_as_the_closed_form_of_a_helix),
    test(integrating_the_strains_of_a_helix_gives_the_helix),
    test(a_curve_that_is_not_parametrised_by_arc_length_is_refused_with_its_speed),
    test(an_end_without_position_stays_where_the_initial_shape_puts_it),
    test(a_tangent_that_is_not_unit_is_refused_with_its_length),
    test(the_default_problem_is_valid_and_a_zeroed_one_is_not),
    test(a_normal_along_the_rod_is_refused_however_it_is_rounded),
    test(numbers_that_are_not_finite_are_refused_wherever_they_stand),
    test(a_field_of_the_wrong_size_is_refused),
    test(floor_path_and_section_are_checked_as_the_header_says),
    test(a_probe_asks_for_at_most_a_thousand_million_samples),
    test(load_points_keep_force_and_lever_of_every_load_wherever_it_begins_and_ends),
    test(a_load_on_the_whole_rod_acts_at_the_nodes_of_a_method_that_asks_for_it),
    test(a_problem_is_walked_at_most_twice_however_many_methods_are_asked),
    test(neither_the_curvature_nor_the_place_is_smeared_where_it_jumps),
    test(a_model_is_the_same_at_any_stations_and_takes_over_walks_of_the_same_shapes),
    test(a_count_without_a_list_and_sizes_and_kinds_out_of_range_are_refused_with_a_sentence))
