/* test_scene_reads.c - valid scenes: their values are stored in the problem. */
#include <stdlib.h>
#include <unistd.h>

#include "base/base.h"
#include "check.h"
#include "model/schema/schema.h"
#include "scene/scene.h"
#include "withy/scene.h"

#define ROD "rod = { length = 2, stiffness = { bend = 1 }, inertia = { mass = 1 } }, "
#define TIME "time = { stop = 1 }, "

/* Read a scene that must be good, with up to three overrides. */
static withy_scene *good_set(const char *text, const char *a, const char *b, const char *c) {
    const char *const override[] = {a, b, c};
    withy_scene *scene;
    withy_error err = {0};
    const int count = (a != NULL) + (b != NULL) + (c != NULL);
    const withy_status status =
        withy_scene_read_text(text, strlen(text), "good.lua", override, count, &scene, &err);
    if (status == WITHY_MISSING) skip(); /* a build without Lua */
    CHECK_OK(status);
    return scene;
}

static withy_scene *good(const char *text) {
    return good_set(text, NULL, NULL, NULL);
}

static const withy_rod *rod_of(const withy_scene *scene) {
    return withy_scene_problem(scene)->rod;
}

static withy_vec3 at(const withy_field *field, double s, double t) {
    double x[WITHY_FIELD_MAX] = {0};
    withy_error err = {0};
    CHECK_OK(withy_field_at(field, s, t, x, &err));
    return (withy_vec3){x[0], x[1], x[2]};
}

#define CHECK_VECTOR(got, x_, y_, z_)                                                              \
    do {                                                                                           \
        const withy_vec3 check_v = (got);                                                          \
        CHECK_NEAR(check_v.x, x_, 1e-15);                                                          \
        CHECK_NEAR(check_v.y, y_, 1e-15);                                                          \
        CHECK_NEAR(check_v.z, z_, 1e-15);                                                          \
    } while (0)

/* ---- the two scenes of the design -------------------------------------------------------------- */

static const char clamp_scene[] =
    "-- An elastic rod, clamped and turned at one end, free at the other\n"
    "local w = 4 / 3\n"
    "return {\n"
    "  title   = \"rotating clamp\",\n"
    "  rod     = { length = 3, stiffness = { bend = 1 }, inertia = { mass = 1 }, damping = { bend "
    "= 1 "
    "/ 20 } },\n"
    "  initial = { shape = straight { from = { 0, 0, 0 }, along = { 0, 0, 1 } } },\n"
    "  ends    = {\n"
    "    start  = clamped { position = { 0, 0, 0 }, tangent = function(t) return 0, math.sin(w * "
    "t), "
    "math.cos(w * t) end },\n"
    "    finish = free {},\n"
    "  },\n"
    "  time    = { stop = 10, output = 1 / 6 },\n"
    "  method  = \"elastica\", options = { n = 10, dt = 1 / 6 },\n"
    "}\n";

TEST(scene_of_the_rotating_clamp_is_read_as_it_stands) {
    withy_scene *scene = good(clamp_scene);
    const withy_problem *problem = withy_scene_problem(scene);
    const withy_rod *rod = problem->rod;
    CHECK_TEXT(problem->title, "rotating clamp");
    CHECK(problem->rod_count == 1 && rod->length == 3);
    CHECK(rod->stiffness[WITHY_BEND1].value[0] == 1 && rod->stiffness[WITHY_BEND2].value[0] == 1);
    CHECK(rod->stiffness[WITHY_TWIST].size == 0);
    CHECK(rod->inertia[WITHY_MASS].value[0] == 1 && rod->inertia[WITHY_ROTARY1].size == 0);
    CHECK(rod->damping[WITHY_BEND2].value[0] == 1.0 / 20);
    CHECK(rod->initial.kind == WITHY_SHAPE_STRAIGHT && rod->rest.kind == WITHY_SHAPE_NONE);
    CHECK(rod->end[0].kind == WITHY_END_CLAMPED && rod->end[1].kind == WITHY_END_FREE);
    CHECK_VECTOR(at(&rod->end[0].tangent, 0, 0.5), 0, sin(4.0 / 3 * 0.5), cos(4.0 / 3 * 0.5));
    CHECK(problem->request.stop == 10 && problem->request.output == 1.0 / 6);
    CHECK_TEXT(withy_scene_method(scene), "elastica");
    int count;
    const withy_option *option = withy_scene_options(scene, &count);
    CHECK(count == 2 && option[0].number == 1.0 / 6 && option[1].number == 10);
    CHECK_TEXT(option[1].name, "n");
    CHECK_TEXT(withy_scene_text(scene), clamp_scene);
    withy_scene_destroy(scene);
}

TEST(scene_of_the_violin_string_is_read_as_it_stands) {
    withy_scene *scene = good(
        "local L = 0.328\n"
        "return {\n"
        "  rod     = { length = L, section = circle { diameter = 0.36e-3 },\n"
        "              material = { young = 2.0e11, shear = 7.7e10, density = 7800 }, tension = 65 "
        "},\n"
        "  ends    = { start = pinned { position = { 0, 0, 0 } }, finish = pinned { position = { "
        "0, 0, "
        "L } } },\n"
        "  initial = { shape = pluck { at = L / 5, height = 1e-3, direction = { 1, 0, 0 } } },\n"
        "  time    = { stop = 1.0, output = 1 / 44100 },\n"
        "  probes  = { bridge = { at = 0.1 * L, what = \"position\" } },\n"
        "  method  = \"fdtd\",\n"
        "}\n");
    const withy_problem *problem = withy_scene_problem(scene);
    const withy_rod *rod = problem->rod;
    CHECK_TEXT(problem->title, "good.lua");
    CHECK(rod->section.kind == WITHY_SECTION_CIRCLE && rod->section.a.value[0] == 0.36e-3);
    CHECK(rod->section.shear_factor == 1 && rod->material.shear == 7.7e10 && rod->tension == 65);
    CHECK(rod->initial.kind == WITHY_SHAPE_PLUCK && rod->initial.at == 0.328 / 5);
    CHECK_VECTOR(rod->initial.from, 0, 0, 0);
    CHECK_VECTOR(rod->initial.along, 0, 0, 1);
    CHECK(problem->request.probe_count == 1 && problem->request.probe[0].at == 0.1 * 0.328);
    CHECK_TEXT(problem->request.probe[0].name, "bridge");
    CHECK_TEXT(withy_scene_method(scene), "fdtd");
    withy_scene_destroy(scene);
}

/* ---- functions --------------------------------------------------------------------------------- */

TEST(function_may_return_numbers_or_one_list) {
    withy_scene *scene =
        good("return { " ROD TIME "ends = {\n"
             "  start = pinned { position = function(t) return t, 2 * t, 3 * t end },\n"
             "  finish = free { force = function(t) return { 0, 0, t * t } end } } }");
    CHECK_VECTOR(at(&rod_of(scene)->end[0].position, 0, 2), 2, 4, 6);
    CHECK_VECTOR(at(&rod_of(scene)->end[1].force, 0, 3), 0, 0, 9);
    withy_scene_destroy(scene);
}

TEST(distributed_load_is_a_function_of_s_and_t) {
    withy_scene *scene =
        good("return { " ROD TIME
             "loads = { distributed { force = function(s, t) return s, t, 0 end } } }");
    const withy_load *load = rod_of(scene)->load;
    CHECK(load->kind == WITHY_LOAD_DISTRIBUTED && load->from == 0 && load->to == 2);
    CHECK_VECTOR(at(&load->force, 1.5, 7), 1.5, 7, 0);
    withy_scene_destroy(scene);
}

TEST(function_of_numbers_takes_no_memory) {
    withy_scene *scene = good(clamp_scene);
    const size_t takes = withy_memory_allocations();
    for (int i = 0; i < 10000; i++) at(&rod_of(scene)->end[0].tangent, 0, 1e-3 * i);
    CHECK(withy_memory_allocations() == takes);
    withy_scene_destroy(scene);
}

TEST(function_that_builds_tables_keeps_no_memory) {
    withy_scene *scene = good("return { " ROD TIME "ends = { start = pinned {\n"
                              "  position = function(t) return { t, 0, 0 } end } } }");
    at(&rod_of(scene)->end[0].position, 0, 1);
    const size_t blocks = withy_memory_blocks();
    for (int i = 0; i < 100000; i++) at(&rod_of(scene)->end[0].position, 0, 1);
    CHECK(withy_memory_blocks() < blocks + 20000); /* the collector keeps up */
    withy_scene_destroy(scene);
}

static void check_fails(const withy_field *field, double t, const char *message) {
    withy_error err = {0};
    double x[WITHY_FIELD_MAX];
    CHECK(withy_field_at(field, 0, t, x, &err) == WITHY_BAD_INPUT);
    CHECK_TEXT(err.text, message);
}

TEST(function_that_fails_later_is_named_with_its_time) {
    withy_scene *scene =
        good("return {\n  " ROD TIME "\n  ends = { start = pinned {\n"
             "    position = function(t)\n"
             "      if t == 1 then return 0 end\n"
             "      if t == 2 then return 0, 0, 0 / 0 end\n"
             "      if t == 3 then return 0, 0, {} .. 1 end\n"
             "      while t == 4 do end\n"
             "      if t == 5 then local l = \"x\" while true do l = l .. l end end\n"
             "      return 0, 0, 0 end } } }");
    const withy_field *field = &rod_of(scene)->end[0].position;
    at(field, 0, 0.5);
    check_fails(field, 1,
                "good.lua:4: ends.start.position at t = 1: the function returned 1 number; it must "
                "return 3 numbers");
    check_fails(field, 2,
                "good.lua:4: ends.start.position at t = 2: the function returned nan; its numbers "
                "must be finite");
    check_fails(field, 3,
                "good.lua:7: ends.start.position at t = 3: attempt to concatenate a table value");
    check_fails(field, 4,
                "good.lua:8: ends.start.position at t = 4: stopped after too many instructions; is "
                "there an endless loop?");
    check_fails(field, 5,
                "good.lua:9: ends.start.position at t = 5: stopped, as it uses too much memory; "
                "is there an endless loop?");
    at(field, 0, 0.5); /* and it still works */
    withy_scene_destroy(scene);
}

TEST(random_numbers_are_the_same_every_time) {
    double x[2];
    for (int i = 0; i < 2; i++) {
        withy_scene *scene = good("return { " ROD TIME "gravity = { 0, 0, math.random() } }");
        x[i] = withy_scene_problem(scene)->gravity.z;
        withy_scene_destroy(scene);
    }
    CHECK(x[0] == x[1] && x[0] > 0);
}

/* ---- values that spread or follow -------------------------------------------------------------- */

TEST(stiffness_is_a_number_a_pair_or_a_function) {
    withy_scene *scene = good(
        "return { " TIME "rod = { length = 2, inertia = { mass = function(s) return 1 + s end },\n"
        "  stiffness = { bend = { 1, 2 }, twist = math.huge, shear = function(s) return 3 + s end "
        "},\n"
        "  damping = { bend = function(s) return s, 2 * s end } } }");
    const withy_rod *rod = rod_of(scene);
    CHECK(rod->stiffness[WITHY_BEND1].value[0] == 1 && rod->stiffness[WITHY_BEND2].value[0] == 2);
    CHECK(isinf(rod->stiffness[WITHY_TWIST].value[0]));
    CHECK(at(&rod->stiffness[WITHY_SHEAR1], 0.5, 0).x == 3.5);
    CHECK(at(&rod->stiffness[WITHY_SHEAR2], 0.5, 0).x == 3.5);
    CHECK(at(&rod->damping[WITHY_BEND1], 0.5, 0).x == 0.5);
    CHECK(at(&rod->damping[WITHY_BEND2], 0.5, 0).x == 1);
    CHECK(at(&rod->inertia[WITHY_MASS], 0.5, 0).x == 1.5);
    withy_scene_destroy(scene);
}

TEST(rotary_inertia_about_the_axis_is_the_sum_of_the_others) {
    static const struct {
        const char *rotary;
        double about3;
    } row[] = {{"3", 6},
               {"{ 3, 4, 5 }", 5},
               {"function(s) return 3 end", 6},
               {"function(s) return 3, 4, 5 end", 5}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char text[256];
        snprintf(
            text, sizeof text,
            "return { " TIME
            "rod = { length = 2, stiffness = { bend = 1 }, inertia = { mass = 1, rotary = %s } } }",
            row[i].rotary);
        withy_scene *scene = good(text);
        CHECK(at(&rod_of(scene)->inertia[WITHY_ROTARY1], 1, 0).x == 3);
        CHECK(at(&rod_of(scene)->inertia[WITHY_ROTARY3], 1, 0).x == row[i].about3);
        withy_scene_destroy(scene);
    }
}

TEST(poisson_gives_the_shear_modulus) {
    withy_scene *scene =
        good("return { " TIME "rod = { length = 1, section = tube { outer = 2, inner = 1 },\n"
             "  material = { young = 2.6, poisson = 0.3, density = 1 } } }");
    CHECK_NEAR(rod_of(scene)->material.shear, 1.0, 1e-15);
    withy_scene_destroy(scene);
}

TEST(helix_by_pitch_angle_or_turns_is_the_same_helix) {
    /* radius 0.1, pitch 0.2: a turn takes sqrt((0.2 pi)^2 + 0.2^2) */
    static const char *const by[] = {"pitch = 0.2", "angle = math.atan(0.2 / (0.2 * math.pi))",
                                     "turns = 2 / math.sqrt((0.2 * math.pi)^2 + 0.2^2)"};
    for (int i = 0; i < 6; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 "return { " TIME
                 "rod = { length = 2, stiffness = { bend = 1 }, inertia = { mass = 1 "
                 "},\n rest = helix { radius = 0.1, %s, hand = \"%s\" } } }",
                 by[i / 2], i % 2 ? "left" : "right");
        withy_scene *scene = good(text);
        CHECK(rod_of(scene)->rest.kind == WITHY_SHAPE_HELIX);
        CHECK_NEAR(rod_of(scene)->rest.pitch, i % 2 ? -0.2 : 0.2, 1e-15);
        CHECK_VECTOR(rod_of(scene)->rest.along, 0, 0, 1);
        withy_scene_destroy(scene);
    }
}

TEST(curvature_and_strain_take_a_function_or_a_table) {
    static const struct {
        const char *rest;
        int size;
    } row[] = {{"curvature(function(s) return 0, 1, s end)", 3},
               {"curvature { 0, 1, 2 }", 3},
               {"curvature { strain = { 0, 1, 2 }, along = { 2, 0, 0 } }", 3},
               {"strain(function(s) return 0, 0, 0, 0, 1, s end)", 6},
               {"strain { strain = function(s) return { 0, 1, 0 } end }", 3}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char text[256];
        snprintf(
            text, sizeof text,
            "return { " TIME
            "rod = { length = 2, stiffness = { bend = 1 }, inertia = { mass = 1 },\n rest = %s } }",
            row[i].rest);
        withy_scene *scene = good(text);
        CHECK(rod_of(scene)->rest.kind == WITHY_SHAPE_STRAIN);
        CHECK(rod_of(scene)->rest.strain.size == row[i].size);
        withy_scene_destroy(scene);
    }
}

/* ---- where a rod lies -------------------------------------------------------------------------- */

static void check_straight(const char *ends, withy_vec3 from, withy_vec3 along) {
    char text[512];
    snprintf(text, sizeof text, "return { " ROD TIME "ends = { %s } }", ends);
    withy_scene *scene = good(text);
    const withy_shape *shape = &rod_of(scene)->initial;
    CHECK(shape->kind == WITHY_SHAPE_STRAIGHT);
    CHECK_VECTOR(shape->from, from.x, from.y, from.z);
    CHECK_VECTOR(shape->along, along.x, along.y, along.z);
    withy_scene_destroy(scene);
}

TEST(rod_without_a_shape_lies_straight_as_its_ends_say) {
    check_straight("", (withy_vec3){0, 0, 0}, (withy_vec3){0, 0, 1});
    check_straight("start = pinned { position = { 1, 0, 0 } }", (withy_vec3){1, 0, 0},
                   (withy_vec3){0, 0, 1});
    check_straight(
        "start = pinned { position = { 1, 0, 0 } }, finish = pinned { position = { 1, 2, 0 } }",
        (withy_vec3){1, 0, 0}, (withy_vec3){0, 1, 0});
    check_straight("start = clamped { tangent = { 0, 0.6, 0.8 } }", (withy_vec3){0, 0, 0},
                   (withy_vec3){0, 0.6, 0.8});
    check_straight("finish = clamped { position = { 5, 0, 0 }, tangent = { 1, 0, 0 } }",
                   (withy_vec3){3, 0, 0}, (withy_vec3){1, 0, 0});
    /* half a turn about y: d3 points down */
    check_straight("start = clamped { frame = { 0, 0, 1, 0 } }", (withy_vec3){0, 0, 0},
                   (withy_vec3){0, 0, -1});
    check_straight("start = pinned { position = function(t) return 1 + t, 0, 0 end }",
                   (withy_vec3){1, 0, 0}, (withy_vec3){0, 0, 1});
}

TEST(constructor_without_keys_may_be_a_word) {
    withy_scene *scene =
        good("return { " ROD TIME "ends = { start = clamped, finish = \"guided\" } }");
    CHECK(rod_of(scene)->end[0].kind == WITHY_END_CLAMPED);
    CHECK(rod_of(scene)->end[1].kind == WITHY_END_GUIDED);
    withy_scene_destroy(scene);
}

/* ---- the rest of the vocabulary ---------------------------------------------------------------- */

TEST(ends_carry_bodies_springs_and_followers) {
    withy_scene *scene = good(
        "return { " ROD TIME
        "ends = { start = guided { tangent = { 0, 0, 1 }, normal = { 1, 0, 0 }, "
        "spring = 2 },\n"
        "  finish = free { force = { 0, 0, 1 }, moment = { 1, 0, 0 }, follower = true, mass = 3,\n"
        "    inertia = { 1, 2, 3 }, offset = { 0, 0, 0.1 }, spring_turn = 4 } } }");
    const withy_end *start = &rod_of(scene)->end[0], *finish = &rod_of(scene)->end[1];
    CHECK(start->kind == WITHY_END_GUIDED && start->spring == 2 && start->normal.value[0] == 1);
    CHECK(finish->follower == 1 && finish->mass == 3 && finish->spring_turn == 4);
    CHECK(finish->moment.value[0] == 1);
    CHECK_VECTOR(finish->inertia, 1, 2, 3);
    CHECK_VECTOR(finish->offset, 0, 0, 0.1);
    withy_scene_destroy(scene);
}

TEST(loads_are_points_and_tendons_too) {
    withy_scene *scene = good(
        "return { " ROD TIME "loads = {\n"
        "  point { at = 1, moment = { 0, 0, 1 }, follower = true },\n"
        "  tendon { route = function(s) return 0.01, s end, tension = function(t) return t end },\n"
        "  tendon { route = { 0, 0.01 }, displacement = 0.1, to = 1 } } }");
    const withy_load *load = rod_of(scene)->load;
    CHECK(rod_of(scene)->load_count == 3);
    CHECK(load[0].kind == WITHY_LOAD_POINT && load[0].from == 1 && load[0].to == 1);
    CHECK(load[0].follower && load[0].force.size == 0);
    CHECK(load[1].kind == WITHY_LOAD_TENDON && load[1].to == 2);
    CHECK(at(&load[1].route, 1.5, 0).y == 1.5 && at(&load[1].tension, 0, 4).x == 4);
    CHECK(load[2].displacement.value[0] == 0.1 && load[2].to == 1 && load[2].tension.size == 0);
    withy_scene_destroy(scene);
}

TEST(floor_gravity_drag_and_path_arrive) {
    withy_scene *scene =
        good("return { rod = { length = 2, stiffness = { bend = 1 }, inertia = { mass = 1 },\n"
             "    drag = { linear = 1, quadratic = 2, spin = 3 }, damping = { time = 4 } },\n"
             "  gravity = { 0, 0, -9.81 }, floor = { stiffness = 5, axis = true, normal = { 0, 0, "
             "3 } },\n"
             "  path = { to = 2, arc_length = true }, initial = { velocity = { 1, 0, 0 }, spin = { "
             "0, 1, 0 } } }");
    const withy_problem *problem = withy_scene_problem(scene);
    CHECK_VECTOR(problem->gravity, 0, 0, -9.81);
    CHECK(problem->floor.given && problem->floor.stiffness == 5 && problem->floor.normal.z == 1);
    CHECK(problem->path.given && problem->path.from == 0 && problem->path.to == 2);
    CHECK(problem->path.steps == 10 && problem->path.arc_length == 1);
    CHECK(problem->rod->drag_linear == 1 && problem->rod->drag_quadratic == 2);
    CHECK(problem->rod->drag_spin == 3 && problem->rod->damping_time == 4);
    CHECK(problem->rod->velocity.value[0] == 1 && problem->rod->spin.value[1] == 1);
    withy_scene_destroy(scene);
}

TEST(several_rods_have_their_own_ends_and_are_joined) {
    withy_scene *scene = good(
        "local rods = {}\n"
        "for i = 1, 3 do\n"
        "  rods[i] = { length = i, stiffness = { bend = i }, inertia = { mass = 1 },\n"
        "    ends = { start = pinned { position = { i, 0, 0 } } },\n"
        "    loads = { point { at = i, force = { 0, 0, i } } } }\n"
        "end\n"
        "rods[2].name = \"middle\"\n"
        "return { rods = rods, joints = { { rods = { 1, 3 }, at = { 1, 2.5 }, rigid = true } },\n"
        "  time = { stop = 1 }, probes = { there = { rod = 3, at = 3 } } }\n");
    const withy_problem *problem = withy_scene_problem(scene);
    CHECK(problem->rod_count == 3 && problem->rod[2].length == 3);
    CHECK(problem->rod[2].stiffness[WITHY_BEND1].value[0] == 3);
    CHECK(problem->rod[1].initial.from.x == 2 && problem->rod[1].load[0].force.value[2] == 2);
    CHECK_TEXT(problem->rod[0].name, "rod");
    CHECK_TEXT(problem->rod[1].name, "middle");
    CHECK_TEXT(problem->rod[2].name, "rod3");
    CHECK(problem->joint_count == 1 && problem->joint[0].place[1].index == 2 &&
          problem->joint[0].place[1].s == 2.5);
    CHECK(problem->joint[0].kind == WITHY_JOINT_WELD && problem->request.probe[0].rod == 2);
    withy_scene_destroy(scene);
}

TEST(a_path_takes_stations_without_a_time_to_stop) {
    const char *const path = "return { " ROD "path = { to = 2 }, time = { stations = 161 } }";
    for (int i = 0; i < 2; i++) { /* in the scene, and on top of one that has no time at all */
        withy_scene *scene =
            i ? good_set("return { " ROD "path = { to = 2 } }", "time.stations=161", NULL, NULL)
              : good(path);
        const withy_problem *problem = withy_scene_problem(scene);
        CHECK(problem->path.given && !problem->request.given);
        CHECK(problem->request.stations == 161);
        withy_scene_destroy(scene);
    }
}

TEST(probes_stand_in_the_order_of_the_file) {
    withy_scene *scene =
        good("return { " ROD TIME "probes = {\n"
             "  zeta = { at = 0 },\n  alpha = { at = 1, what = \"bend\", every = 0.1 },\n"
             "  mid = { at = 2 } } }");
    const withy_request *request = &withy_scene_problem(scene)->request;
    CHECK(request->probe_count == 3);
    CHECK_TEXT(request->probe[0].name, "zeta");
    CHECK_TEXT(request->probe[1].name, "alpha");
    CHECK_TEXT(request->probe[1].what, "bend");
    CHECK_TEXT(request->probe[2].name, "mid");
    CHECK_TEXT(request->probe[2].what, "position");
    CHECK(request->output == 0.01);
    withy_scene_destroy(scene);
}

TEST(rounding_does_not_push_a_place_off_the_rod) {
    withy_scene *scene =
        good("local L = 0.7\nreturn { " TIME
             "rod = { length = L, stiffness = { bend = 1 }, inertia = { mass = 1 } },\n"
             "loads = { point { at = L / 3 + L / 3 + L / 3 + 1e-16, force = { 0, 0, 1 } } } }");
    CHECK(rod_of(scene)->load[0].from <= 0.7);
    withy_scene_destroy(scene);
}

TEST(byte_order_mark_is_skipped) {
    withy_scene_destroy(good("\xef\xbb\xbfreturn { " ROD TIME "}"));
}

/* ---- overrides --------------------------------------------------------------------------------- */

TEST(override_is_a_number_an_expression_a_list_or_a_word) {
    withy_scene *scene = good_set(clamp_scene, "time.stop=2 * math.pi", "options.start=paper",
                                  "options.project=false");
    int count;
    const withy_option *option = withy_scene_options(scene, &count);
    CHECK(withy_scene_problem(scene)->request.stop == 2 * WY_PI);
    CHECK(count == 4);
    CHECK_TEXT(option[2].name, "project");
    CHECK_TEXT(option[2].word, "false");
    CHECK_TEXT(option[3].word, "paper");
    withy_scene_destroy(scene);

    scene =
        good_set(clamp_scene, "method=other", "ends.start.position={0, 0, 1}", "title=two words");
    CHECK_TEXT(withy_scene_method(scene), "other");
    CHECK_TEXT(withy_scene_problem(scene)->title, "two words");
    CHECK_VECTOR(at(&rod_of(scene)->end[0].position, 0, 0), 0, 0, 1);
    CHECK(rod_of(scene)->end[0].tangent.call != NULL); /* its neighbours stay */
    withy_scene_destroy(scene);
}

TEST(override_makes_the_tables_on_its_way) {
    withy_scene *scene = good_set(clamp_scene, "rod.drag.linear=3", "ends.finish=pinned",
                                  "loads.1=point { at = 1, force = { 0, 0, 1 } }");
    CHECK(rod_of(scene)->drag_linear == 3 && rod_of(scene)->end[1].kind == WITHY_END_PINNED);
    CHECK(rod_of(scene)->load_count == 1 && rod_of(scene)->load[0].from == 1);
    withy_scene_destroy(scene);
}

TEST(override_reaches_entries_of_lists_and_takes_away) {
    const char *text =
        "return { " ROD TIME "gravity = { 0, 0, 1 }, loads = {\n"
        "  point { at = 1, force = { 0, 0, 1 } }, point { at = 2, force = { 0, 0, 2 } } } }";
    withy_scene *scene = good_set(text, "loads.2.force={0,0,7}", "loads[1].force[3]=5",
                                  "rod.rest=helix{radius=0.01,pitch=0.1}");
    CHECK(rod_of(scene)->load[0].force.value[2] == 5 && rod_of(scene)->load[1].force.value[2] == 7);
    CHECK(rod_of(scene)->rest.kind == WITHY_SHAPE_HELIX);
    withy_scene_destroy(scene);
    scene = good_set(text, "gravity=nil", NULL, NULL);
    CHECK_VECTOR(withy_scene_problem(scene)->gravity, 0, 0, 0);
    withy_scene_destroy(scene);
}

TEST(override_changes_one_place_of_a_table_used_twice) {
    withy_scene *scene = good_set("local e = pinned { position = { 0, 0, 0 } }\n"
                                  "return { " ROD TIME "ends = { start = e, finish = e } }",
                                  "ends.finish.position={0,0,2}", NULL, NULL);
    CHECK_VECTOR(at(&rod_of(scene)->end[0].position, 0, 0), 0, 0, 0);
    CHECK_VECTOR(at(&rod_of(scene)->end[1].position, 0, 0), 0, 0, 2);
    withy_scene_destroy(scene);
}

TEST(override_may_be_a_function) {
    withy_scene *scene =
        good_set(clamp_scene, "ends.start.tangent=function(t) return 0, 0, 1 end", NULL, NULL);
    CHECK_VECTOR(at(&rod_of(scene)->end[0].tangent, 0, 5), 0, 0, 1);
    withy_scene_destroy(scene);
}

/* ---- around it --------------------------------------------------------------------------------- */

TEST(place_of_an_option_is_known_to_other_rooms) {
    char where[256];
    withy_scene *scene = good_set(clamp_scene, "options.start=paper", NULL, NULL);
    CHECK_TEXT(wy_scene_where(scene, "options.n", where, sizeof where), "good.lua:12: ");
    CHECK_TEXT(wy_scene_where(scene, "options.start", where, sizeof where),
               "--set options.start=paper: ");
    CHECK_TEXT(wy_scene_where(scene, "nowhere", where, sizeof where), "good.lua: ");
    withy_scene_destroy(scene);
}

TEST(file_that_cannot_be_read_is_named) {
    withy_scene *scene;
    withy_error err = {0};
    CHECK(withy_scene_read("/nowhere/scene.lua", NULL, 0, &scene, &err) == WITHY_IO);
    CHECK_TEXT(err.text, "/nowhere/scene.lua: cannot be opened: No such file or directory");
    CHECK(scene == NULL);
    CHECK(withy_scene_read("/tmp", NULL, 0, &scene, &err) == WITHY_IO);
    CHECK_TEXT(err.text, "/tmp: cannot be read: Is a directory");
    CHECK(withy_scene_read("/nowhere/scene.lua", NULL, 0, &scene, NULL) == WITHY_IO);
}

TEST(file_that_is_too_long_is_refused) {
    withy_scene *scene;
    withy_error err = {0};
    char name[] = "/tmp/withy_test_scene_XXXXXX";
    const int descriptor = mkstemp(name);
    CHECK(descriptor >= 0 && ftruncate(descriptor, 5 << 20) == 0);
    close(descriptor);
    const withy_status status = withy_scene_read(name, NULL, 0, &scene, &err);
    unlink(name);
    CHECK(status == WITHY_BAD_INPUT);
    CHECK_TEXT(strchr(err.text, ':'), ": longer than 4 MiB; a scene is a small text");
}

TEST(scene_gives_back_all_its_memory) {
    const size_t blocks = withy_memory_blocks();
    withy_scene_destroy(good(clamp_scene));
    withy_scene_destroy(NULL);
    CHECK(withy_memory_blocks() == blocks);
}

/* An allocator that fails after so many pieces. */
static int pieces_left;
static void *take_some(size_t size) {
    return pieces_left-- > 0 ? malloc(size) : NULL;
}

TEST(scene_survives_any_shortage_of_memory) {
    const size_t blocks = withy_memory_blocks();
    int pieces = 0;
    withy_status status;
    do {
        withy_scene *scene;
        withy_error err = {0};
        const char *const override[] = {"rod.drag.linear=3"};
        pieces_left = pieces++;
        withy_memory_hooks(take_some, free);
        status = withy_scene_read_text(clamp_scene, strlen(clamp_scene), "good.lua", override, 1,
                                       &scene, &err);
        withy_scene_destroy(scene);
        withy_memory_hooks(NULL, NULL);
        CHECK(withy_memory_blocks() == blocks);
        if (status == WITHY_MISSING) skip();
        CHECK(status == WITHY_OK || status == WITHY_NO_MEMORY);
    } while (status != WITHY_OK && pieces < 100000);
    CHECK(status == WITHY_OK && pieces > 100);
}

#ifndef WITHY_HAVE_LIB_LUA
#define NO_LUA                                                                                     \
    "good.lua: scene files cannot be read: configured without Lua 5.4 (install liblua5.4-dev and " \
    "configure again)"
#endif

TEST(build_without_lua_says_what_to_install) {
#ifdef NO_LUA
    withy_scene *scene;
    withy_error err = {0};
    CHECK(withy_scene_read_text("", 0, "good.lua", NULL, 0, &scene, &err) == WITHY_MISSING);
    CHECK_TEXT(err.text, NO_LUA);
    CHECK(scene == NULL);
#else
    skip(); /* this build has it */
#endif
}

/* Put the code between the first back quotes of a constructor's text where it belongs. */
static void read_example(const wy_group *group) {
    static const char *const frame[][2] = {
        {"section",
         "rod = { length = 1, material = { young = 1, shear = 1, density = 1 }, section = %.*s }"},
        {"shape", "rod = { length = 1, stiffness = { bend = 1 }, inertia = { mass = 1 } }, "
                  "gravity = { 0, 0, -1 }, initial = { shape = %.*s }"},
        {"initial", "rod = { length = 1, stiffness = { bend = 1 }, inertia = { mass = 1 } }, "
                    "initial = %.*s"},
        {"end", "rod = { length = 1, stiffness = { bend = 1 }, inertia = { mass = 1 } }, "
                "ends = { start = %.*s }"},
        {"load", "rod = { length = 1, stiffness = { bend = 1 }, inertia = { mass = 1 } }, loads = "
                 "{ %.*s }"},
        {"body", "bodies = { { mass = 1, inertia = { 1, 1, 1 }, shape = %.*s } }"},
        {"joint",
         "rods = { { length = 1, stiffness = { bend = 1 }, inertia = { mass = 1 } }, { length = 1, "
         "stiffness = { bend = 1 }, inertia = { mass = 1 }, initial = { shape = straight { from = "
         "{ "
         "0, 0, 1 } } } } }, bodies = { { name = \"hub\", mass = 1, inertia = { 1, 1, 1 }, "
         "position = "
         "{ 0, 0, 1 } }, { name = \"crank\", mass = 1, inertia = { 1, 1, 1 }, position = { 0.1, 0, "
         "0 } "
         "}, { name = \"boom\", mass = 1, inertia = { 1, 1, 1 } }, { name = \"piston\", mass = 1, "
         "inertia = { 1, 1, 1 } } }, joints = { %.*s }"}};
    for (size_t i = 0; i < sizeof frame / sizeof *frame; i++) {
        if (strcmp(frame[i][0], group->family) != 0) continue;
        char format[1024], text[2048];
        const char *code = strstr(group->doc, group->name);
        while (code && code[-1] != '`') code = strstr(code + 1, group->name);
        if (!code) {
            fail_msg("%s has no example", group->name);
            return;
        }
        snprintf(format, sizeof format, "return { " TIME "%s }", frame[i][1]);
        snprintf(text, sizeof text, format, (int)strcspn(code, "`"), code);
        char *given = strstr(text, "length = 1,"); /* or as long as the curve is */
        if (given && strcmp(group->name, "through") == 0) memset(given, ' ', strlen("length = 1,"));
        withy_scene_destroy(good(text));
    }
}

TEST(example_of_every_constructor_on_the_page_is_a_good_scene) {
    int count = 0;
    for (int i = 0; wy_group_at(i); i++)
        if (wy_group_at(i)->family) read_example(wy_group_at(i)), count++;
    CHECK(count >= 37);
}

TEST(reference_page_is_up_to_date) {
    char text[2048];
    FILE *page = fopen(WITHY_SOURCE "/docs/scene.md", "r");
    CHECK(page != NULL);
    int row = 0;
    for (; page && fgets(text, sizeof text, page); row++) {
        text[strcspn(text, "\n")] = '\0';
        const char *line = withy_scene_reference(row);
        CHECK(line != NULL);
        CHECK_TEXT(text, line); /* else: withy list scene > docs/scene.md */
    }
    CHECK(withy_scene_reference(row) == NULL && withy_scene_reference(-1) == NULL);
    if (page) fclose(page);
}

RUN(test(scene_of_the_rotating_clamp_is_read_as_it_stands),
    test(scene_of_the_violin_string_is_read_as_it_stands),
    test(function_may_return_numbers_or_one_list), test(distributed_load_is_a_function_of_s_and_t),
    test(function_of_numbers_takes_no_memory), test(function_that_builds_tables_keeps_no_memory),
    test(function_that_fails_later_is_named_with_its_time),
    test(random_numbers_are_the_same_every_time), test(stiffness_is_a_number_a_pair_or_a_function),
    test(rotary_inertia_about_the_axis_is_the_sum_of_the_others),
    test(poisson_gives_the_shear_modulus), test(helix_by_pitch_angle_or_turns_is_the_same_helix),
    test(curvature_and_strain_take_a_function_or_a_table),
    test(rod_without_a_shape_lies_straight_as_its_ends_say),
    test(constructor_without_keys_may_be_a_word), test(ends_carry_bodies_springs_and_followers),
    test(loads_are_points_and_tendons_too), test(floor_gravity_drag_and_path_arrive),
    test(several_rods_have_their_own_ends_and_are_joined),
    test(a_path_takes_stations_without_a_time_to_stop), test(probes_stand_in_the_order_of_the_file),
    test(rounding_does_not_push_a_place_off_the_rod), test(byte_order_mark_is_skipped),
    test(override_is_a_number_an_expression_a_list_or_a_word),
    test(override_makes_the_tables_on_its_way),
    test(override_reaches_entries_of_lists_and_takes_away),
    test(override_changes_one_place_of_a_table_used_twice), test(override_may_be_a_function),
    test(place_of_an_option_is_known_to_other_rooms), test(file_that_cannot_be_read_is_named),
    test(file_that_is_too_long_is_refused), test(scene_gives_back_all_its_memory),
    test(scene_survives_any_shortage_of_memory), test(build_without_lua_says_what_to_install),
    test(example_of_every_constructor_on_the_page_is_a_good_scene),
    test(reference_page_is_up_to_date))
