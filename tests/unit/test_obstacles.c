/* Obstacles in scenes: what they mean, who refuses them, and files and functions that are broken. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "contact/contact.h"
#include "fixture.h"
#include "model/contact.h"
#include "withy/withy.h"

#define ROD                                                                                        \
    "rod = { length = 1, section = circle { diameter = 0.01 }, material = { young = 1e7, poisson " \
    "= 0.3, density = 1000 } }, initial = { shape = straight { from = { 0, 0, 0.1 }, along = { "   \
    "1, "                                                                                          \
    "0, 0 } } }, time = { stop = 0.1 }, "

static withy_status read_scene(const char *rest, withy_scene **scene, withy_error *err) {
    char text[2048];
    snprintf(text, sizeof text, "return { " ROD "%s }", rest);
    return withy_scene_read_text(text, strlen(text), "test.lua", NULL, 0, scene, err);
}

/* Refused, with one message that has `words` in it. */
static void refused(const char *rest, const char *words) {
    withy_scene *scene = NULL;
    withy_error err = {0};
    const withy_status status = read_scene(rest, &scene, &err);
    CHECK(status != WITHY_OK);
    CHECK(strstr(err.text, words) != NULL);
    CHECK(strchr(err.text, '\n') == NULL);
    if (!strstr(err.text, words)) printf("  %s\n  got: %s\n", rest, err.text);
    withy_scene_destroy(scene);
}

TEST(a_scene_without_obstacles_or_contact_asks_for_neither_and_with_them_the_others_refuse) {
    withy_scene *scene = NULL;
    withy_error err = {0};
    CHECK_OK(read_scene("contact = { self = false }", &scene, &err));
    CHECK(scene != NULL && withy_scene_problem(scene)->contact.given);
    CHECK(withy_scene_problem(scene)->contact.no_self == 1);
    CHECK(withy_scene_problem(scene)->contact.no_rods == 0);
    CHECK(withy_check(scene, "cheb", &err) == WITHY_UNSUPPORTED);
    CHECK(strstr(err.text, "does not support contact settings") != NULL);
    withy_scene_destroy(scene);
    CHECK_OK(read_scene("obstacles = { plane {} }", &scene, &err));
    CHECK(withy_check(scene, "se3", &err) == WITHY_UNSUPPORTED);
    CHECK(strstr(err.text, "does not support obstacles") != NULL);
    withy_scene_destroy(scene);
}

TEST(the_constructors_of_bodies_are_those_of_obstacles_and_mean_the_same_sizes) {
    withy_scene *scene = NULL;
    withy_error err = {0};
    CHECK_OK(read_scene(
        "obstacles = { sphere { center = { 0, 0, -1 }, diameter = 0.4 }, sphere { center = { "
        "0, 0, -1 }, radius = 0.2 }, cylinder { point = { 0, 1, 0 }, along = { 0, 0, 2 }, "
        "diameter = 0.2, length = 0.5, friction = 0 }, box { center = { 0, -1, 0 }, size = { "
        "0.1, 0.2, 0.3 } } }, contact = { friction = 0.4 }, bodies = { { mass = 1, inertia "
        "= { 1, 1, 1 }, shape = box { size = { 0.1, 0.2, 0.3 } } } }",
        &scene, &err));
    const withy_problem *p = withy_scene_problem(scene);
    const wy_obstacle_model *o = wy_model_obstacle(p->model);
    CHECK(o[0].shape.radius == 0.2 && o[1].shape.radius == 0.2);
    CHECK(o[0].friction[WITHY_LATERAL] == 0.4 && o[2].friction[WITHY_LATERAL] == 0);
    CHECK(o[2].shape.kind == WY_OBSTACLE_DRUM && o[2].shape.half.z == 0.25);
    wy_obstacle body = {0};
    CHECK(wy_body_surface(&p->body[0], &body));
    for (int k = 0; k < 20; k++) {
        const vec3 x = v3(0.02 * k, 0.3 - 0.03 * k, 0.1), far = v3(0, -1, -0.1);
        vec3 a, b; /* the origin of the model is the start of the rod */
        CHECK_NEAR(wy_obstacle_distance(&body, x, &a),
                   wy_obstacle_distance(&o[3].shape, v3_add(x, far), &b), 1e-15);
    }
    withy_scene_destroy(scene);
}

TEST(a_moving_obstacle_is_shifted_from_where_it_was_at_the_start) {
    withy_scene *scene = NULL;
    withy_error err = {0};
    CHECK_OK(read_scene(
        "obstacles = { plane { point = function(t) return 1 + t, 0, -2 * t end }, plane { point "
        "= signal { { 0, 0, 0, 0 }, { 1, 0, 0, -0.5 } } }, plane {} }",
        &scene, &err));
    const wy_model *model = withy_scene_problem(scene)->model;
    vec3 shift;
    CHECK_OK(wy_model_shift(model, 0, 0.25, &shift, &err));
    CHECK_NEAR(v3_norm(v3_sub(shift, v3(0.25, 0, -0.5))), 0, 1e-15);
    CHECK_OK(wy_model_shift(model, 2, 0.25, &shift, &err));
    CHECK(v3_is_zero(shift) && !wy_model_obstacle(model)[2].moves);
    withy_scene_destroy(scene);
}

TEST(overlaps_at_the_start_are_named_with_place_and_depth_and_a_swallowed_rod_is_refused) {
    withy_scene *scene = NULL;
    withy_error err = {0};
    withy_overlap list[4];
    int count = 0;
    CHECK_OK(read_scene(
        "obstacles = { sphere { name = \"ball\", center = { 0.5, 0, 0.052 }, radius = 0.045 }, "
        "plane {} }",
        &scene, &err));
    CHECK_OK(withy_problem_overlaps(withy_scene_problem(scene), 4, list, &count, &err));
    CHECK(count == 1);
    CHECK_NEAR(list[0].depth, 0.002, 1e-12);
    CHECK(strstr(list[0].text, "ball") && strstr(list[0].text, "s = 0.5 m"));
    withy_scene_destroy(scene);
    refused("obstacles = { plane { point = { 0, 0, 1 } } }", "it starts inside");
    refused("obstacles = { sphere { center = { 0.5, 0, 0 }, radius = 2 } }", "it starts inside");
    refused("obstacles = { sphere { center = { 9, 0, 0 }, radius = 2, inside = true } }",
            "it starts inside");
}

TEST(rods_that_overlap_each_other_or_themselves_at_the_start_are_named) {
    static const char *const text = "local function rod(n, shape) return { name = n, length = 1, "
                                    "section = circle { diameter = 0.02 }, "
                                    "material = { young = 1e6, poisson = 0.3, density = 1000 }, "
                                    "initial = { shape = shape } } end return { "
                                    "rods = { rod(\"one\", straight { from = { 0, 0, 0 }, along = "
                                    "{ 1, 0, 0 } }), rod(\"two\", straight { from = { "
                                    "0.3, -0.5, 0.015 }, along = { 0, 1, 0 } }), rod(\"coil\", "
                                    "helix { radius = 0.05, pitch = 0.016, from = { 5, 0, 0 } "
                                    "}), rod(\"spring\", helix { radius = 0.05, pitch = 0.021, "
                                    "from = { 9, 0, 0 } }) }, contact = {}, time = { stop = "
                                    "1 } }";
    withy_scene *scene = NULL;
    withy_error err = {0};
    withy_overlap list[4];
    int count = 0;
    CHECK_OK(withy_scene_read_text(text, strlen(text), "rods.lua", NULL, 0, &scene, &err));
    CHECK_OK(withy_problem_overlaps(withy_scene_problem(scene), 4, list, &count, &err));
    CHECK(count == 2);
    CHECK(strstr(list[0].text, "one overlaps two by 0.005 m, at s = 0.3 and 0.5 m") != NULL);
    CHECK(strstr(list[1].text, "coil overlaps itself") != NULL);
    CHECK_NEAR(list[1].depth, 0.004, 1e-4);
    withy_scene_destroy(scene);
}

TEST(wrong_values_of_contact_and_obstacles_are_refused_in_one_sentence) {
    refused("obstacles = { sphere { center = { 0, 0, 0 } } }", "needs radius or diameter");
    refused("obstacles = { sphere { radius = 1, diameter = 2 } }", "both radius and diameter");
    refused("obstacles = { sphere { radius = -1 } }", "must be > 0");
    refused("obstacles = { hinge {} }", "must be plane, sphere, cylinder, box, capsule, mesh or");
    refused("obstacles = { capsule { radius = 0.1, length = 0.1 } }", "with the caps");
    refused("obstacles = { cylinder { radius = 1, length = 3, inside = true } }",
            "leave out length");
    refused("obstacles = { box { size = { 1, 1, 1 }, frame = { 1, 1, 0, 0 } } }",
            "unit quaternion");
    refused("obstacles = { plane { friction = { forward = 1 } } }", "friction.back is missing");
    refused("obstacles = { plane { friction = -1 } }", "must be >= 0");
    refused("contact = { law = \"barrier\" }", "a barrier needs where it begins");
    refused("contact = { gap = 1e-4 }", "belongs to law = \"barrier\"");
    refused("contact = { stifness = 1 }", "did you mean \"contact.stiffness\"");
    refused("obstacles = { distance(function(x, y, z) return 0 / 0 end) }", "returned nan");
    refused("obstacles = { distance(function(x, y, z) return x > 0.4 and 0 / 0 or 1 end) }",
            "value at x = 0.40");
    refused("obstacles = { distance(3) }", "distance takes a table");
    refused("obstacles = { mesh { file = \"a.stl\" } }", "this scene is not a file");
    refused("obstacles = { mesh { file = \"../a.stl\" } }", "must not lead out");
    refused("obstacles = { mesh { file = \"/a.stl\" } }", "in the folder of the scene");
    refused("obstacles = { mesh { file = \"a.step\" } }", "must end with .stl or .obj");
}

/* ---- meshes ------------------------------------------------------------------------------------------- */

static const vec3 corner[8] = {{-0.5, -0.4, -0.3}, {0.5, -0.4, -0.3}, {0.5, 0.4, -0.3},
                               {-0.5, 0.4, -0.3},  {-0.5, -0.4, 0.3}, {0.5, -0.4, 0.3},
                               {0.5, 0.4, 0.3},    {-0.5, 0.4, 0.3}};
static const int side[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                                {2, 3, 7}, {2, 7, 6}, {0, 4, 7}, {0, 7, 3}, {1, 2, 6}, {1, 6, 5}};

TEST(the_distance_of_a_box_of_triangles_is_that_of_the_box) {
    wy_arena arena = {0};
    withy_error err = {0};
    const wy_mesh *mesh = NULL;
    CHECK_OK(wy_mesh_make(corner, 8, side, 12, &arena, &mesh, &err));
    const wy_obstacle box = {
        .kind = WY_OBSTACLE_BOX, .frame = m3_identity(), .half = {0.5, 0.4, 0.3}};
    uint64_t seed = 7;
    double worst = 0, turned = 0;
    for (int k = 0; k < 20000; k++) {
        double x[3];
        for (int i = 0; i < 3; i++) x[i] = random_between(&seed, -1, 1);
        vec3 a, b;
        const double d = wy_mesh_distance(mesh, v3_from(x), &a);
        worst = fmax(worst, fabs(d - wy_obstacle_distance(&box, v3_from(x), &b)));
        if (fabs(d) > 1e-3) turned = fmax(turned, v3_norm(v3_sub(a, b)));
    }
    CHECK_NEAR(worst, 0, 1e-15);
    CHECK_NEAR(turned, 0, 1e-12);
    wy_arena_free(&arena);
}

/* The triangles of the box with some of them changed: refused, with these words. */
static void broken(const int (*triangle)[3], int count, const char *words) {
    wy_arena arena = {0};
    withy_error err = {0};
    const wy_mesh *mesh = NULL;
    CHECK(wy_mesh_make(corner, 8, triangle, count, &arena, &mesh, &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, words) != NULL);
    if (!strstr(err.text, words)) printf("  got: %s\n", err.text);
    wy_arena_free(&arena);
}

TEST(a_surface_that_is_open_inside_out_or_flat_is_refused) {
    int t[12][3];
    broken(side, 11, "the surface is open");
    for (int i = 0; i < 12; i++) t[i][0] = side[i][0], t[i][1] = side[i][2], t[i][2] = side[i][1];
    broken((const int(*)[3])t, 12, "inside out");
    memcpy(t, side, sizeof t);
    t[5][1] = 1, t[5][2] = 5, t[5][0] = 0;
    broken((const int(*)[3])t, 12, "twice in the same direction");
    memcpy(t, side, sizeof t);
    t[3][2] = 9;
    broken((const int(*)[3])t, 12, "vertex 10");
    memcpy(t, side, sizeof t);
    t[3][2] = t[3][1];
    broken((const int(*)[3])t, 12, "has no area");
}

TEST(friction_that_depends_on_the_direction_is_refused_between_rods_and_computed_on_obstacles) {
    static const char *const rest[] = {
        "contact = { friction = { forward = 0.1, back = 0.2, lateral = 0.3 } }",
        "contact = { friction = { forward = 0.1, back = 0.2, lateral = 0.3 }, self = false }, "
        "obstacles = { plane {} }",
        "contact = { friction = 0.1 }, obstacles = { plane { friction = { forward = 0.1, back = "
        "0.2, lateral = 0.3 } } }"};
    for (int k = 0; k < 3; k++) {
        withy_scene *scene = NULL;
        withy_sim *sim = NULL;
        withy_error err = {0};
        CHECK_OK(read_scene(rest[k], &scene, &err));
        CHECK((withy_scene_sim(scene, "director", &sim, &err) == WITHY_OK) == (k > 0));
        if (!k) CHECK(strstr(err.text, "two rods that touch have two directions") != NULL);
        withy_sim_destroy(sim);
        withy_scene_destroy(scene);
    }
}

/* ---- the floor ---------------------------------------------------------------------------------------- */

/* The height of the middle at the end of a fall on it. */
static double fallen(const char *rest, char *notes, size_t size) {
    withy_scene *scene = NULL;
    withy_sim *sim = NULL;
    withy_error err = {0};
    char text[512];
    snprintf(text, sizeof text,
             "gravity = { 0, 0, -9.81 }, time = { stop = 0.2 }, options = { n = 4, dt = 2e-3 }, %s",
             rest);
    CHECK_OK(read_scene(text, &scene, &err));
    CHECK_OK(withy_scene_sim(scene, "director", &sim, &err));
    CHECK_OK(withy_sim_advance(sim, 0.2, &err));
    snprintf(notes, size, "%s", withy_sim_notes(sim)->text);
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    const double z = now->position[now->count / 2].z;
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
    return z;
}

TEST(the_floor_of_a_scene_is_a_plane_that_touches_the_surface_and_says_so_and_axis_is_that_of_old) {
    char notes[3][4096];
    const double plane =
        fallen("obstacles = { plane { stiffness = 1e5 } }", notes[0], sizeof *notes);
    const double surface = fallen("floor = { stiffness = 1e5 }", notes[1], sizeof *notes);
    const double axis = fallen("floor = { stiffness = 1e5, axis = true }", notes[2], sizeof *notes);
    CHECK(surface == plane && fabs(axis - plane) > 1e-3);
    CHECK(!strstr(notes[0], "floor") && !strstr(notes[2], "floor.axis"));
    CHECK(strstr(notes[1], "with floor.axis = true the axis of the rod does") != NULL);
    refused("floor = { stiffness = 1e5, damping = 3 }", "give floor.axis = true for this damper");
    refused("rods = { { length = 1, stiffness = { bend = 1 }, inertia = { mass = 1 } } }, rod = "
            "nil, initial = nil, floor = { stiffness = 1e5 }",
            "with axis = true the axis touches it");
}

TEST(
    a_rod_that_sinks_into_the_floor_is_reported_to_raise_its_stiffness_and_not_that_of_the_contact) {
    char notes[2][4096];
    fallen("floor = { stiffness = 10 }", notes[0], sizeof *notes);
    CHECK(strstr(notes[0], "is pressed into obstacles[1] (floor) by") != NULL);
    CHECK(strstr(notes[0], "use a larger stiffness of it") != NULL);
    CHECK(!strstr(notes[0], "contact.stiffness"));
    fallen("contact = { stiffness = 1e-4 }, obstacles = { plane {} }", notes[1], sizeof *notes);
    CHECK(strstr(notes[1], "use a larger contact.stiffness") != NULL);
}

TEST(a_method_without_obstacles_refuses_the_floor_and_accepts_that_of_old) {
    for (int axis = 0; axis < 2; axis++) {
        withy_scene *scene = NULL;
        withy_sim *sim = NULL;
        withy_error err = {0};
        CHECK_OK(read_scene(axis ? "floor = { stiffness = 1e5, axis = true }"
                                 : "floor = { stiffness = 1e5 }",
                            &scene, &err));
        CHECK((withy_scene_sim(scene, "cheb", &sim, &err) == WITHY_OK) == axis);
        if (!axis) CHECK(strstr(err.text, "does not support obstacles") != NULL);
        withy_sim_destroy(sim);
        withy_scene_destroy(scene);
    }
}

/* ---- results ------------------------------------------------------------------------------------------ */

#define DROP                                                                                       \
    "return { rod = { length = 1, section = circle { diameter = 0.01 }, material = { young = "     \
    "1e7, "                                                                                        \
    "poisson = 0.3, density = 1000 } }, initial = { shape = straight { from = { 0, 0, 0.006 }, "   \
    "along = { 1, 0, 0.02 } } }, gravity = { 1, 0, -9.81 }, obstacles = { plane { name = "         \
    "\"floor\", friction = 0.2, stiffness = 1e5 }, sphere { center = { 0, 0, -1 }, radius = 0.2 "  \
    "} }, "                                                                                        \
    "time = { stop = 0.1, output = 0.01 }, probes = { floor = { obstacle = \"floor\", every = "    \
    "0.01 }, "                                                                                     \
    "deep = { obstacle = \"floor\", what = \"depth\", every = 0.01 }, mid = { at = 0.5, what = "   \
    "\"contact\", every = 0.01 } }, method = \"director\", options = { n = 10, dt = 1e-3 } }"

static void run_drop(const char *file) {
    withy_scene *scene = NULL;
    withy_error err = {0};
    static withy_report report;
    const withy_run_setup setup = {.output = &file, .output_count = 1};
    CHECK_OK(withy_scene_read_text(DROP, strlen(DROP), "drop.lua", NULL, 0, &scene, &err));
    CHECK_OK(withy_run(scene, &setup, &report, &err));
    withy_scene_destroy(scene);
}

TEST(a_result_keeps_obstacles_and_contacts_and_their_forces_add_up) {
    const char *file = "obstacle_test.h5";
    withy_error err = {0};
    withy_result *r = NULL;
    withy_obstacle info;
    int met = 0;
    run_drop(file);
    CHECK_OK(withy_result_open(file, &r, &err));
    CHECK(withy_result_obstacles(r) == 2 && withy_result_obstacle_at(r, 1, &info));
    CHECK(info.kind == WITHY_OBSTACLE_SPHERE && info.radius == 0.2);
    CHECK(withy_result_contacts(r) > 0);
    double force[11][3], t[11];
    CHECK_OK(withy_result_probe_read(r, 1, t, &force[0][0],
                                     &err)); /* probes are in order: deep, floor, mid */
    for (int64_t k = 0; k < withy_result_count(r); k++) {
        const withy_parts *parts = withy_result_parts_at(r, k, &err);
        const withy_snapshot *snap = withy_result_at(r, 0, k, &err);
        CHECK(parts != NULL && snap != NULL);
        vec3 sum = v3(0, 0, 0), spread = sum;
        for (int i = 0; i < parts->contact_count; i++) {
            sum = v3_add(sum, parts->contacts[i].force);
            CHECK(parts->contacts[i].of == WITHY_OF_OBSTACLE && parts->contacts[i].index == 0);
            CHECK(parts->contacts[i].friction <= 0.2 * parts->contacts[i].push * (1 + 1e-9));
        }
        for (int i = 0; i < snap->count; i++) {
            const double left = i ? snap->s[i] - snap->s[i - 1] : 0,
                         right = i + 1 < snap->count ? snap->s[i + 1] - snap->s[i] : 0;
            spread = v3_axpy(spread, 0.5 * (left + right), snap->contact[i]);
        }
        met += parts->contact_count > 0;
        CHECK_NEAR(v3_norm(v3_add(sum, parts->obstacle[0].force)), 0, 1e-12);
        CHECK_NEAR(v3_norm(parts->obstacle[1].force), 0, 0);
        CHECK_NEAR(force[k][2], parts->obstacle[0].force.z, 0);
        CHECK((v3_norm(spread) > 0) == (parts->contact_count > 0));
    }
    CHECK(met > 3);
    double lost[11], energy[11];
    CHECK_OK(withy_result_ledger_read(r, 0, "touch_lost", lost, &err));
    CHECK_OK(withy_result_ledger_read(r, 0, "conserved", energy, &err));
    for (int k = 1; k < 11; k++) CHECK(lost[k] >= lost[k - 1]);
    CHECK(lost[10] > 0);
    CHECK_NEAR(energy[10], energy[0], 1e-12);
    CHECK_OK(withy_result_export(r, "obstacle_test.csv", &err));
    withy_result_close(r);
    static const char *const made[] = {"obstacle_test.h5",           "obstacle_test.csv",
                                       "obstacle_test.ledger.csv",   "obstacle_test.probes.csv",
                                       "obstacle_test.contacts.csv", "obstacle_test.obstacles.csv"};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) CHECK(remove(made[i]) == 0);
}

#define DAMPED(what)                                                                               \
    "local function rod(from, along, v) return { length = 1, section = circle { diameter = 0.02 "  \
    "}, "                                                                                          \
    "material = { young = 1e6, poisson = 0.3, density = 1000 }, initial = { shape = straight { "   \
    "from = "                                                                                      \
    "from, along = along }, velocity = { 0, 0, v } } } end return { rods = { rod({ 0, 0, 0.06 }, " \
    "{ 1, "                                                                                        \
    "0, 0 }, -3), rod({ 0.46, -0.4, 0 }, { 0, 1, 0 }, 0) }, " what                                 \
    ", time = { stop = 0.1, output = 0.05 }, method = \"director\", options = { n = 8, dt = 1e-3 " \
    "} }"

/* Names of the point arrays of a piece, one after the other; where the next piece begins. */
static const char *arrays_of(const char *piece, char *names, size_t size) {
    const char *at = strstr(piece, "<PointData>"), *end = strstr(piece, "</PointData>");
    names[0] = '\0';
    for (at = strstr(at, "Name=\""); at && at < end; at = strstr(at + 1, "Name=\"")) {
        const size_t used = strlen(names);
        snprintf(names + used, size - used, "%.*s ", (int)strcspn(at + 6, "\""), at + 6);
    }
    return strstr(end, "<Piece");
}

TEST(the_files_for_paraview_have_a_point_for_each_contact_with_the_arrays_of_the_rods) {
    static char text[200000], names[2][1000];
    run_drop("obstacle_vtk.pvd");
    int with = 0;
    for (int k = 0; k <= 10; k++) {
        char path[64];
        snprintf(path, sizeof path, "obstacle_vtk/%06d.vtp", k);
        FILE *file = fopen(path, "r");
        CHECK(file != NULL);
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        fclose(file), remove(path);
        const char *second = arrays_of(strstr(text, "<Piece"), names[0], sizeof *names);
        CHECK(strstr(names[0], " gap push friction other part ") && strstr(names[0], " contact "));
        if (!second) continue;
        CHECK(arrays_of(second, names[1], sizeof *names) == NULL);
        CHECK_TEXT(names[1], names[0]);
        with++;
    }
    CHECK(with > 3);
    remove("obstacle_vtk.pvd"), rmdir("obstacle_vtk");
}

TEST(a_damped_contact_that_parts_too_fast_to_push_loses_what_it_had_and_the_ledger_sums_close) {
    static const char *const text[] = {
        DAMPED("contact = { damping = 2, friction = 0.3 }"),
        DAMPED("obstacles = { plane { point = { 0, 0, -0.02 }, damping = 2, stiffness = 1e6 } }")};
    for (int k = 0; k < 2; k++) {
        withy_scene *scene = NULL;
        withy_error err = {0};
        static withy_report report;
        const withy_run_setup setup = {0};
        CHECK_OK(
            withy_scene_read_text(text[k], strlen(text[k]), "damped.lua", NULL, 0, &scene, &err));
        CHECK_OK(withy_run(scene, &setup, &report, &err));
        CHECK_BELOW(report.stats.energy_drift, 1e-12);
        withy_scene_destroy(scene);
    }
}

/* A rod of 1 m falls from 0.1 m on what is given. */
static withy_status fall(const char *obstacle, const char *options, withy_report *report,
                         withy_error *err) {
    char text[1024];
    withy_scene *scene = NULL;
    snprintf(
        text, sizeof text,
        "gravity = { 0, 0, -9.81 }, obstacles = { %s }, method = \"director\", options = { %s }",
        obstacle, options);
    CHECK(read_scene(text, &scene, err) == WITHY_OK);
    const withy_run_setup setup = {0};
    memset(report, 0, sizeof *report);
    const withy_status status = withy_run(scene, &setup, report, err);
    withy_scene_destroy(scene);
    return status;
}

/* On shapes whose direction is a quotient of the way, which at rest is rounding alone. */
TEST(a_rod_at_rest_is_pushed_up_by_its_weight_in_every_step_whatever_the_shape_of_what_it_lies_on) {
    static const char *const shape[] = {"plane {",
                                        "box { center = { 0, 0, -0.05 }, size = { 4, 3, 0.1 }, ",
                                        "distance { value = function(x, y, z) return z end, "};
    for (int k = 0; k < 3; k++) {
        char text[512];
        withy_scene *scene = NULL;
        withy_sim *sim = NULL;
        withy_error err = {0};
        withy_equilibrium at;
        snprintf(text, sizeof text,
                 "return { rod = { length = 0.3, section = circle { diameter = 0.02 }, material = "
                 "{ young = 1e8, poisson = 0.3, density = 1000 } }, ends = { start = pinned {} }, "
                 "initial = { shape = straight { from = { 0.1, 0.2, 0.01 }, along = { 1, 0, 0 } } "
                 "}, gravity = { 0, 0, -10 }, obstacles = { %s %s stiffness = 1e6 } }, method = "
                 "\"director\", options = { n = 8, degree = 1, dt = 1e-3 }, time = { stop = 1 } }",
                 shape[k], k ? "frame = { 0.9887710779360422, 0, 0, 0.14943813247359922 }," : "");
        CHECK_OK(withy_scene_read_text(text, strlen(text), "rest.lua", NULL, 0, &scene, &err));
        CHECK_OK(withy_scene_sim(scene, NULL, &sim, &err));
        CHECK_OK(withy_sim_equilibrium(sim, 1, &at, &err));
        for (int i = 1; i <= 10; i++) {
            CHECK_OK(withy_sim_advance(sim, 1e-3 * i, &err));
            const withy_vec3 held = withy_sim_sample(sim, 0)->reaction[0];
            const withy_vec3 on = withy_sim_parts(sim)->obstacle[0].force;
            CHECK_NEAR(held.z - on.z, 10 * 1000 * WY_PI * 1e-4 * 0.3, 1e-6);
            CHECK_NEAR(hypot(on.x, on.y), 0, 1e-6);
        }
        withy_sim_destroy(sim), withy_scene_destroy(scene);
    }
}

TEST(a_distance_function_that_says_no_number_on_the_way_ends_the_run_with_its_sentence) {
    static const char *const bad[] = {"return 0/0", "return -1/0", "error(\"lost\")"};
    for (int k = 0; k < 3; k++) {
        char text[256];
        withy_error err = {0};
        static withy_report report;
        snprintf(text, sizeof text,
                 "distance(function(x, y, z) if z > 0.03 and z < 0.08 then %s end return z end)",
                 bad[k]);
        CHECK(fall(text, "n = 4, dt = 1e-2", &report, &err) == WITHY_BAD_INPUT);
        CHECK(strstr(err.text, "obstacles[1].value at x = ") != NULL);
        char ball[512];
        snprintf(ball, sizeof ball,
                 "%s }, contact = { stiffness = 1e6 }, bodies = { { mass = 1, inertia = { 1, 1, 1 "
                 "}, position = { 5, 0, 0.09 }, shape = sphere { diameter = 0.01 } }",
                 text);
        CHECK(fall(ball, "n = 4, dt = 1e-3", &report, &err) == WITHY_BAD_INPUT);
        CHECK(strstr(err.text, "obstacles[1].value at x = 5, y = 0, z = 0.0") != NULL);
    }
}

TEST(a_distance_function_that_changes_faster_than_the_way_keeps_the_energy_of_the_motion) {
    static const double slope[] = {0.3, 3, 10};
    for (int k = 0; k < 3; k++) {
        char text[256];
        withy_error err = {0};
        static withy_report report;
        snprintf(text, sizeof text,
                 "distance { value = function(x, y, z) return %g * (z - 0.08) + 0.1 * x end, "
                 "stiffness = 1e6 }",
                 slope[k]);
        CHECK_OK(fall(text, "n = 4, dt = 5e-3", &report, &err));
        CHECK_BELOW(report.stats.energy_drift, 1e-12);
    }
}

/* Nodes are 0.25 m apart, the rod is 0.01 m thick. */
TEST(an_obstacle_that_fits_between_two_nodes_is_noted_and_one_that_does_not_is_not) {
    static const struct {
        const char *obstacle;
        int noted;
    } row[] = {{"sphere { center = { 0.4, 0, 0.05 }, radius = 0.01 }", 1},
               {"cylinder { point = { 0.4, 0, 0.05 }, along = { 0, 1, 0 }, radius = 0.01 }", 1},
               {"box { center = { 0.4, 0, -0.5 }, size = { 0.1, 1, 1 } }", 1},
               {"sphere { center = { 0.4, 0, -0.15 }, radius = 0.12 }", 0}, /* 0.24 + 0.01 */
               {"sphere { radius = 0.01 }, plane {}, box { size = { 3, 3, 3 }, inside = true }", 1},
               {"plane {}, sphere { radius = 3, inside = true }", 0}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        withy_error err = {0};
        static withy_report report;
        CHECK_OK(fall(row[k].obstacle, "n = 4, dt = 1e-2", &report, &err));
        CHECK((strstr(report.notes.text, "fits between two nodes") != NULL) == row[k].noted);
    }
}

TEST(what_overlaps_as_it_is_drawn_is_noted_by_a_run_and_what_only_touches_is_not) {
    static const struct {
        const char *rest, *words;
    } row[] = {
        {"obstacles = { plane { point = { 0, 0, 0.1 } } }", "and obstacles[1] overlap by 0.005 m"},
        {"obstacles = { plane { point = { 0, 0, 0.095 } } }", NULL},
        {"obstacles = { sphere { center = { 0.5, 0, 0 }, radius = 0.098, stiffness = 1e3 } }",
         "rods[1] at s = 0.5 and obstacles[1] overlap by 0.003 m"}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        char text[512];
        withy_scene *scene = NULL;
        withy_error err = {0};
        static withy_report report;
        const withy_run_setup setup = {0};
        snprintf(text, sizeof text, "%s, method = \"director\", options = { n = 4, dt = 1e-2 }",
                 row[k].rest);
        CHECK_OK(read_scene(text, &scene, &err));
        CHECK_OK(withy_run(scene, &setup, &report, &err));
        CHECK((strstr(report.notes.text, "in the initial shape") != NULL) ==
              (row[k].words != NULL));
        CHECK(!row[k].words || strstr(report.notes.text, row[k].words) != NULL);
        withy_scene_destroy(scene);
    }
}

/* No stiffness moves a clamp. */
TEST(an_end_that_is_held_inside_the_floor_gets_one_note_and_one_that_sinks_in_deeper_its_own) {
    static const char *const row[] = {"stiffness = 1e5", "stiffness = 1"};
    for (int k = 0; k < 2; k++) {
        char text[700];
        withy_scene *scene = NULL;
        withy_error err = {0};
        static withy_report report;
        const withy_run_setup setup = {0};
        snprintf(text, sizeof text,
                 "return { rod = { length = 1, section = circle { diameter = 0.02 }, material = { "
                 "young = 1e7, poisson = 0.3, density = 1000 } }, initial = { shape = straight { "
                 "from = { 0, 0, -0.005 }, along = { 1, 0, 0 } } }, ends = { start = clamped {} }, "
                 "gravity = { 0, 0, -9.81 }, floor = { normal = { 0, 0, 1 }, %s }, time = { stop = "
                 "0.02 }, method = \"director\", options = { n = 4, dt = 5e-3 } }",
                 row[k]);
        CHECK_OK(withy_scene_read_text(text, strlen(text), "floor.lua", NULL, 0, &scene, &err));
        CHECK_OK(withy_run(scene, &setup, &report, &err));
        CHECK(strstr(report.notes.text, "overlap by 0.015 m in the initial shape") != NULL);
        CHECK((strstr(report.notes.text, "use a larger stiffness") != NULL) == k);
        withy_scene_destroy(scene);
    }
}

TEST(rods_that_overlap_as_they_are_drawn_are_noted_by_a_run) {
    static const char *const text =
        "local function rod(z) return { length = 1, section = circle { diameter = 0.02 }, material "
        "= "
        "{ young = 1e6, poisson = 0.3, density = 1000 }, initial = { shape = straight { from = { "
        "z, "
        "z, z }, along = { 1, 0, 0 } } } } end return { rods = { rod(0), rod(0.009) }, contact = "
        "{}, "
        "time = { stop = 0.01 }, method = \"director\", options = { n = 4, dt = 1e-3 } }";
    withy_scene *scene = NULL;
    withy_error err = {0};
    static withy_report report;
    const withy_run_setup setup = {0};
    CHECK_OK(withy_scene_read_text(text, strlen(text), "rods.lua", NULL, 0, &scene, &err));
    CHECK_OK(withy_run(scene, &setup, &report, &err));
    CHECK(strstr(report.notes.text, "overlap by 0.00727 m in the initial shape") != NULL);
    if (!strstr(report.notes.text, "0.00727")) printf("%s\n", report.notes.text);
    withy_scene_destroy(scene);
}

#define JOINED(rods, joints)                                                                       \
    "local function rod(n, from, along, v) return { name = n, length = 0.3, section = circle { "   \
    "diameter = 0.01 }, material = { young = 1e7, poisson = 0.3, density = 1000 }, initial = { "   \
    "shape = straight { from = from, along = along }, velocity = v } } end return { rods = "       \
    "{ " rods " }, joints = { " joints " }, contact = {}, time = { stop = 0.1, output = 0.1 }, "   \
    "method = \"director\", options = { n = 8, dt = 1e-3 } }"

/* The y or z of the second rod less that of the first after 0.1 s, in the middle or at the end. */
static double apart(const char *text, int axis, int end) {
    withy_scene *scene = NULL;
    withy_error err = {0};
    withy_sim *sim = NULL;
    CHECK_OK(withy_scene_read_text(text, strlen(text), "joined.lua", NULL, 0, &scene, &err));
    const withy_option option[] = {{.name = "n", .number = 8}, {.name = "dt", .number = 1e-3}};
    CHECK_OK(withy_sim_create(withy_scene_problem(scene), "director", option, 2, &sim, &err));
    CHECK_OK(withy_sim_advance(sim, 0.1, &err));
    vec3 at[2];
    for (int rod = 0; rod < 2; rod++) {
        const withy_snapshot *snap = withy_sim_sample(sim, rod);
        at[rod] = snap->position[end ? snap->count - 1 : snap->count / 2];
    }
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
    return v3_get(at[1], axis) - v3_get(at[0], axis);
}

TEST(joined_rods_that_lie_side_by_side_or_overlap_rods_joined_to_others_do_not_pass_through) {
    CHECK(apart(JOINED("rod(\"a\", { 0, 0.1, 0 }, { 1, 0, 0 }, function(s) return 0, 3 * s, 0 "
                       "end), rod(\"b\", { 0, 0.11, 0 }, { 1, 0, 0 }, function(s) return 0, "
                       "-3 * s, 0 end)",
                       "weld { parts = { \"a\", \"b\" }, at = { 0, 0 } }"),
                1, 1) > 0.007);
    CHECK(apart(JOINED("rod(\"a\", { 0, 0, 0 }, { 1, 0, 0 }, { 0, 0, 0.5 }), rod(\"b\", { 0.15, "
                       "-0.15, 0.009 }, { 0, 1, 0 }, { 0, 0, -0.5 }), rod(\"a2\", { 0.3, 0, 0 "
                       "}, { 1, 0, 0 }, { 0, 0, 0.5 }), rod(\"b2\", { 0.15, 0.15, 0.009 }, { 0, "
                       "1, 0 }, { 0, 0, -0.5 })",
                       "ball { parts = { \"a\", \"a2\" }, at = { 0.3, 0 } }, ball { parts = { "
                       "\"b\", \"b2\" }, at = { 0.3, 0 } }"),
                2, 0) > 0.007);
}

RUN(test(friction_that_depends_on_the_direction_is_refused_between_rods_and_computed_on_obstacles),
    test(a_scene_without_obstacles_or_contact_asks_for_neither_and_with_them_the_others_refuse),
    test(the_constructors_of_bodies_are_those_of_obstacles_and_mean_the_same_sizes),
    test(a_moving_obstacle_is_shifted_from_where_it_was_at_the_start),
    test(overlaps_at_the_start_are_named_with_place_and_depth_and_a_swallowed_rod_is_refused),
    test(rods_that_overlap_each_other_or_themselves_at_the_start_are_named),
    test(wrong_values_of_contact_and_obstacles_are_refused_in_one_sentence),
    test(the_distance_of_a_box_of_triangles_is_that_of_the_box),
    test(a_surface_that_is_open_inside_out_or_flat_is_refused),
    test(
        the_floor_of_a_scene_is_a_plane_that_touches_the_surface_and_says_so_and_axis_is_that_of_old),
    test(
        a_rod_that_sinks_into_the_floor_is_reported_to_raise_its_stiffness_and_not_that_of_the_contact),
    test(a_method_without_obstacles_refuses_the_floor_and_accepts_that_of_old),
    test(a_result_keeps_obstacles_and_contacts_and_their_forces_add_up),
    test(the_files_for_paraview_have_a_point_for_each_contact_with_the_arrays_of_the_rods),
    test(a_damped_contact_that_parts_too_fast_to_push_loses_what_it_had_and_the_ledger_sums_close),
    test(
        a_rod_at_rest_is_pushed_up_by_its_weight_in_every_step_whatever_the_shape_of_what_it_lies_on),
    test(a_distance_function_that_says_no_number_on_the_way_ends_the_run_with_its_sentence),
    test(a_distance_function_that_changes_faster_than_the_way_keeps_the_energy_of_the_motion),
    test(an_obstacle_that_fits_between_two_nodes_is_noted_and_one_that_does_not_is_not),
    test(what_overlaps_as_it_is_drawn_is_noted_by_a_run_and_what_only_touches_is_not),
    test(an_end_that_is_held_inside_the_floor_gets_one_note_and_one_that_sinks_in_deeper_its_own),
    test(rods_that_overlap_as_they_are_drawn_are_noted_by_a_run),
    test(joined_rods_that_lie_side_by_side_or_overlap_rods_joined_to_others_do_not_pass_through))
