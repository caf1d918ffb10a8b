/* Scenes of rods that meet: what is read, and the message of each bad network. */
#include "bad_scenes.h"
#include "withy/problem.h"

#define ROD_OF(name, from, along)                                                                  \
    "{ name = \"" name                                                                             \
    "\", length = 1, stiffness = { bend = 1 }, inertia = { mass = 1 }, initial = "                 \
    "{ shape = straight { from = " from ", along = " along " } } }"
/* A crank on the ground, a rod from its end and a piston; the joints begin on line 7. */
#define NET(joints, more)                                                                          \
    "return {\n  rods = { " ROD_OF(                                                                \
        "coupler", "{ 0.3, 0, 0 }",                                                                \
        "{ 1, 0, 0 }") " },\n"                                                                     \
                       "  bodies = { { name = \"crank\", mass = 0.5, inertia = { 1e-3, 4e-3, "     \
                       "4e-3 }, position = { 0.15, "                                               \
                       "0, 0 } },\n    { name = \"piston\", mass = 1, inertia = { 1, 1, 1 }, "     \
                       "position = { 1.3, 0, 0 } } "                                               \
                       "},\n  time = { stop = 1 },\n  joints = {\n    " joints "\n  },\n  " more   \
                       "\n}\n"
#define DRIVE HINGE("drive")
#define HINGE(name)                                                                                \
    "hinge { name = \"" name                                                                       \
    "\", parts = { \"ground\", \"crank\" }, at = { { 0, 0, 0 }, { -0.15, "                         \
    "0, 0 } "                                                                                      \
    "}, axis = { 0, 0, 1 }, angle = function(t) return t * t end },\n    "

TEST(bad_networks_are_reported_which_part_is_missing_and_which_there_are) {
    static const bad_scene row[] = {
        {NET("ball { parts = { \"crank\", \"cuopler\" }, at = { { 0.15, 0, 0 }, 0 } },", ""), NULL,
         "bad.lua:7: joints[1].parts[2] = \"cuopler\": there is no rod or body of this name; did "
         "you "
         "mean \"coupler\"? there are coupler, crank, piston, ground"},
        {NET("ball { parts = { \"crank\", 1 }, at = { { 0.15, 0, 0 }, 0 } },", ""), NULL,
         "bad.lua:7: joints[1].parts[2] = 1: must be the name of a rod or body, or \"ground\""},
        {NET("ball { parts = \"crank\", at = { { 0.15, 0, 0 }, 0 } },", ""), NULL,
         "bad.lua:7: joints[1].parts = \"crank\": must be two names { \"one\", \"other\" } of rods "
         "or "
         "bodies, or \"ground\""},
        {NET("ball { at = { { 0.15, 0, 0 }, 0 } },", ""), NULL,
         "bad.lua:7: joints[1].parts is missing: give two names { \"one\", \"other\" } (the names "
         "of two "
         "rods or bodies, or \"ground\" for one of them)"},
        {NET("", "probes = { a = { joint = \"drive\", what = \"torque\" } },"), NULL,
         "bad.lua:9: probes.a.joint = \"drive\": there is no joint of this name"},
        {NET(DRIVE, "probes = { a = { joint = \"drive\", what = \"torqe\" } },"), NULL,
         "bad.lua:10: probes.a.what = \"torqe\": is not a quantity of a joint; did you mean "
         "\"torque\"?"},
        {NET("", "probes = { a = { body = \"crank\", at = 0.5 } },"), NULL,
         "bad.lua:9: probes.a has both at and body; keep one"},
        {NET("", "probes = { a = { rod = \"rod\", at = 0.5 } },"), NULL,
         "bad.lua:9: probes.a.rod = \"rod\": there is no rod of this name; there are coupler"},
        {NET("", "probes = { a = { rod = \"coupler\\0x\", at = 0.5 } },"), NULL,
         "bad.lua:9: probes.a.rod = \"coupler\": must not contain a zero byte, which ends a "
         "string"},
        {NET("ball { parts = { \"crank\\0x\", \"coupler\" }, at = { { 0.15, 0, 0 }, 0 } },", ""),
         NULL,
         "bad.lua:7: joints[1].parts[1] = \"crank\": must not contain a zero byte, which ends a "
         "string"},
    };
    CHECK_BAD_SCENES(row);
}

TEST(bad_networks_are_reported_where_a_place_is_off_its_part_and_how_large_a_gap_is) {
    static const bad_scene row[] = {
        {NET("ball { parts = { \"crank\", \"coupler\" }, at = { { 0.15, 0, 0 }, 1.5 } },", ""),
         NULL, "bad.lua:7: joints[1].at[2] = 1.5: must be a number, s on rod coupler, 0 .. 1 [m]"},
        {NET("ball { parts = { \"crank\", \"coupler\" }, at = { 0.15, 0 } },", ""), NULL,
         "bad.lua:7: joints[1].at[1] = 0.15: must be 3 numbers { x, y, z } in the frame of the "
         "body "
         "[m]"},
        {NET(DRIVE "ball { parts = { \"coupler\", \"piston\" }, at = { 1, { 0, 0.02, 0 } } },", ""),
         NULL,
         "bad.lua:8: joints[2] \"joint2\" (ball of coupler and piston): there is a gap of 0.02 m "
         "at t "
         "= 0: the first place is { 1.3, 0, 0 }, the second { 1.3, 0.02, 0 }; move a part or a "
         "place "
         "so that they meet"},
        {NET("link { parts = { \"crank\", \"piston\" }, at = { { 0, 0, 0 }, { 0, 0, 0 } }, length "
             "= 1 "
             "},",
             ""),
         NULL,
         "bad.lua:7: joints[1] \"joint\" (link of crank and piston): length = 1, and its places "
         "are "
         "1.15 m apart at t = 0, 0.15 m off; leave length out to keep their distance, or move a "
         "part"},
    };
    CHECK_BAD_SCENES(row);
}

TEST(joints_with_keys_that_contradict_their_kind_or_each_other_are_refused) {
    static const bad_scene row[] = {
        {NET("hinge { parts = { \"ground\", \"crank\" }, at = { { 0, 0, 0 }, { -0.15, 0, 0 } }, "
             "axis = "
             "{ 0, 0, 1 }, angle = 1, torque = 2 },",
             ""),
         NULL, "bad.lua:7: joints[1] has both angle and torque; keep one"},
        {NET(DRIVE HINGE("again"), ""), NULL,
         "bad.lua:8: joints[2] \"again\" (hinge of ground and crank): joints[1] already drives the "
         "same "
         "two parts about the same axis; keep one of the two drives"},
        {NET("hinge { parts = { \"ground\", \"crank\" }, at = { { 0, 0, 0 }, { -0.15, 0, 0 } }, "
             "axis = "
             "{ 0, 0, 1 }, travel = 1 },",
             ""),
         NULL, "bad.lua:7: joints[1].travel: hinge takes no travel; slider does"},
        {NET("hinge { parts = { \"ground\", \"crank\" }, at = { { 0, 0, 0 }, { -0.15, 0, 0 } } },",
             ""),
         NULL,
         "bad.lua:7: joints[1].axis is missing: give 3 numbers { x, y, z }, not all zero (the "
         "axis of rotation, at t = 0 in the laboratory frame)"},
        {NET("slider { parts = { \"ground\", \"piston\" }, at = { { 0, 0, 0 }, { 0, 0, 0 } }, axis "
             "= { "
             "1, 0, 0 }, limits = { -1, 1 } },",
             ""),
         NULL, "bad.lua:7: joints[1] has limits but no limit_stiffness; give both"},
        {NET("link { parts = { \"ground\", \"piston\" }, at = { { 0, 0, 0 }, { 0, 0, 0 } }, "
             "damping = 1 "
             "},",
             ""),
         NULL, "bad.lua:7: joints[1] has damping but no stiffness; give both"},
        {NET("clamped { },", ""), NULL,
         "bad.lua:7: joints[1] = clamped { ... }: must be hinge, ball, weld, universal, slider, "
         "cylindrical, planar, spring or link { ... }"},
        {NET("", "bodies = { { mass = 1, inertia = { 1, 1, 3 } } },"), NULL,
         "bad.lua:9: bodies[1].inertia = { 1, 1, 3 }: no body has a moment of inertia that is "
         "larger "
         "than the sum of the other two"},
        {NET("", "bodies = { { name = \"ground\", mass = 1, inertia = { 1, 1, 1 } } },"), NULL,
         "bad.lua:9: bodies[1].name = \"ground\": stands for the laboratory in joints; choose "
         "another"},
        {"return {\n  bodies = { { mass = 1, inertia = { 1, 1, 1 } } },\n  time = { stop = 1 },\n  "
         "ends = {},\n}\n",
         NULL, "bad.lua:4: ends belongs to a rod, and the scene has no rod; add rod = { ... }"},
    };
    CHECK_BAD_SCENES(row);
}

TEST(a_network_is_read_as_it_stands) {
    static const char text[] = NET(
        DRIVE
        "weld { parts = { \"coupler\", \"piston\" }, at = { 1, { 0, 0, 0 } } },\n"
        "spring { parts = { \"crank\", \"coupler\" }, at = { { 0.15, 0, 0 }, 0 }, turn = { 1, 2, "
        "3 }, damping = { turn = { 4, 5, 6 } } },\n"
        "slider { name = \"rail\", parts = { \"ground\", \"piston\" }, at = { "
        "function(t) return t, 0, 0 end, { 0, 0, 0 } }, axis = { 2, 0, 0 }, spring = 3, rest = "
        "0.1, limits = { -1, 2 }, limit_stiffness = 9, force = 7 },",
        "probes = { a = { body = \"piston\", what = \"spin\" }, b = { joint = \"rail\", what = "
        "\"travel\" }, c = { rod = \"coupler\", at = 1 } },");
    withy_scene *scene;
    withy_error err = {0};
    const withy_status status =
        withy_scene_read_text(text, strlen(text), "good.lua", NULL, 0, &scene, &err);
    if (status == WITHY_MISSING) skip();
    CHECK_OK(status);
    const withy_problem *problem = withy_scene_problem(scene);
    const withy_joint *joint = problem->joint;
    CHECK(problem->body_count == 2 && problem->joint_count == 4 && problem->rod_count == 1);
    CHECK(joint[0].kind == WITHY_JOINT_HINGE && joint[0].drive.call && joint[0].axis.z == 1);
    CHECK(joint[0].place[0].part == WITHY_PART_GROUND && joint[0].place[1].at.x == -0.15);
    CHECK(joint[1].kind == WITHY_JOINT_WELD && joint[1].place[0].part == WITHY_PART_ROD);
    CHECK(joint[1].place[0].s == 1 && joint[1].place[1].index == 1);
    CHECK(joint[2].turn.y == 2 && joint[2].turn_damping.z == 6);
    CHECK_TEXT(joint[2].name, "joint3");
    CHECK(joint[3].place[0].path.call && joint[3].axis.x == 1 && joint[3].limited == 1);
    CHECK(joint[3].limit[1] == 2 && joint[3].effort.value[0] == 7 && joint[3].spring == 3);
    const withy_probe *probe = problem->request.probe;
    CHECK(probe[0].of == WITHY_OF_BODY && probe[0].index == 1);
    CHECK(probe[1].of == WITHY_OF_JOINT && probe[1].index == 3 && probe[2].of == WITHY_OF_ROD);
    withy_scene_destroy(scene);
}

RUN(test(bad_networks_are_reported_which_part_is_missing_and_which_there_are),
    test(bad_networks_are_reported_where_a_place_is_off_its_part_and_how_large_a_gap_is),
    test(joints_with_keys_that_contradict_their_kind_or_each_other_are_refused),
    test(a_network_is_read_as_it_stands))
