/* Bodies and joints: what is refused before any method gets it, and with which message. */
#include "check.h"
#include "model/model.h"
#include "withy/withy.h"

static withy_error err;
static withy_rod rod;
static withy_body body[2];
static withy_joint joint[3];
static withy_problem problem;

/* A crank on the ground and a rod from its end: two hinges about z and a slider at the other end. */
static void fresh(void) {
    rod = withy_rod_default();
    rod.name = "coupler", rod.end[0].kind = WITHY_END_FREE;
    rod.initial = (withy_shape){
        .kind = WITHY_SHAPE_STRAIGHT, .from = {0.3, 0, 0}, .along = {1, 0, 0}, .normal = {0, 0, 1}};
    body[0] = (withy_body){
        .name = "crank", .mass = 0.5, .inertia = {1e-3, 4e-3, 4e-3}, .position = {0.15, 0, 0}};
    body[1] =
        (withy_body){.name = "piston", .mass = 1, .inertia = {1, 1, 1}, .position = {1.3, 0, 0}};
    joint[0] = (withy_joint){
        .name = "drive",
        .kind = WITHY_JOINT_HINGE,
        .place = {{.part = WITHY_PART_GROUND}, {.part = WITHY_PART_BODY, .at = {-0.15, 0, 0}}},
        .axis = {0, 0, 2}};
    joint[1] = (withy_joint){
        .kind = WITHY_JOINT_HINGE,
        .place = {{.part = WITHY_PART_BODY, .at = {0.15, 0, 0}}, {.part = WITHY_PART_ROD, .s = 0}},
        .axis = {0, 0, 1}};
    joint[2] = (withy_joint){.kind = WITHY_JOINT_SLIDER,
                             .place = {{.part = WITHY_PART_GROUND, .at = {2, 0, 0}},
                                       {.part = WITHY_PART_BODY, .index = 1}},
                             .axis = {1, 0, 0}};
    problem = withy_problem_default();
    problem.rod = &rod, problem.rod_count = 1;
    problem.body = body, problem.body_count = 2;
    problem.joint = joint, problem.joint_count = 3;
}

static const char *complaint(void) {
    err.text[0] = '\0';
    return withy_problem_check(&problem, &err) == WITHY_OK ? "" : err.text;
}

#define REFUSED(change, message)                                                                   \
    do {                                                                                           \
        fresh(), change;                                                                           \
        CHECK_TEXT(complaint(), message);                                                          \
    } while (0)

TEST(a_body_that_no_body_can_be_is_refused) {
    fresh();
    CHECK_TEXT(complaint(), "");
    REFUSED(body[1].mass = 0, "bodies[2].mass = 0: must be > 0 [kg]");
    REFUSED(body[1].mass = INFINITY, "bodies[2].mass = inf: must be finite and > 0 [kg]");
    REFUSED(body[0].inertia.y = -1, "bodies[1].inertia = -1: must be > 0 [kg m^2]");
    REFUSED(
        body[0].inertia.x = 0.1,
        "bodies[1].inertia = { 0.1, 0.004, 0.004 }: no body has a moment of inertia that is larger "
        "than the sum of the other two");
    REFUSED(
        body[0].frame.w = 2,
        "bodies[1].frame has length 2; it must be a unit quaternion { w, x, y, z } (divide it by "
        "its length)");
    REFUSED(body[1].spin.x = NAN, "bodies[2].spin = nan: must be finite [rad/s]");
    REFUSED(body[1].load_count = 2,
            "bodies[2].loads: has 2 entries and no list; give a list of that many, or the count 0");
}

TEST(a_joint_names_the_part_that_does_not_exist_and_the_place_off_the_rod) {
    REFUSED(joint[1].place[0].index = 7, "joints[2].parts[1]: there is no body 8 (1 .. 2)");
    REFUSED(joint[1].place[1].index = -1, "joints[2].parts[2]: there is no rod 0 (1 .. 1)");
    REFUSED(joint[1].place[1].s = 1.5, "joints[2].at[2] = 1.5: must lie on the rod, 0 .. 1 [m]");
    REFUSED(
        joint[0].place[1].part = WITHY_PART_GROUND,
        "joints[1] joins ground to itself; a joint is between two parts, or two places of a rod");
    REFUSED(joint[1].place[0] = joint[1].place[1],
            "joints[2] joins coupler to itself at one place; a joint is between two parts, or two "
            "places of a rod");
    REFUSED(joint[1].kind = (withy_joint_kind)20,
            "joints[2].kind = 20: must be 0 .. 8, see withy_joint_kind");
}

TEST(a_gap_at_the_start_is_reported_with_its_size_and_the_two_parts) {
    REFUSED(
        body[0].position.y = 0.02,
        "joints[1] \"drive\" (hinge of ground and crank): there is a gap of 0.02 m at t = 0: the "
        "first place is { 0, 0, 0 }, the second { 0, 0.02, 0 }; move a part or a place so that "
        "they meet");
    REFUSED(
        joint[2].place[0].at.z = -0.5,
        "joints[3] (slider of ground and piston): there is a gap of 0.5 m at t = 0: the first "
        "place is { 2, 0, -0.5 }, the second { 1.3, 0, 0 }; move a part or a place so that they "
        "meet");
    REFUSED(
        (joint[2].kind = WITHY_JOINT_LINK, joint[2].axis.x = 0, joint[2].length = 0.6),
        "joints[3] (link of ground and piston): length = 0.6, and its places are 0.7 m apart at t "
        "= 0, 0.1 m off; leave length out to keep their distance, or move a part");
    fresh(); /* a weld keeps any offset */
    joint[2].kind = WITHY_JOINT_WELD, joint[2].axis.x = 0, joint[2].place[0].at.z = -0.5;
    CHECK_TEXT(complaint(), "");
}

TEST(axes_and_laws_that_contradict_the_kind_or_each_other_are_refused) {
    const withy_field one = withy_field_number(1);
    REFUSED(joint[1].axis.z = 0,
            "joints[2].axis = { 0, 0, 0 }: must be 3 numbers { x, y, z }, not all zero");
    REFUSED(
        (joint[1].kind = WITHY_JOINT_UNIVERSAL, joint[1].axis2 = (withy_vec3){0, 0, 1}),
        "joints[2] (universal of crank and coupler): axis and axis2 are at 0 degrees at t = 0; the "
        "axes of a universal joint are at right angles");
    REFUSED((joint[1].kind = WITHY_JOINT_BALL),
            "joints[2] (ball of crank and coupler): a joint of this kind has no axis");
    REFUSED(joint[1].length = 1,
            "joints[2] (hinge of crank and coupler): a joint of this kind has no length");
    REFUSED(joint[1].damping = -1, "joints[2].damping = -1: must be >= 0 [N m s/rad]");
    REFUSED(
        (joint[1].limited = 1, joint[1].limit[0] = 1, joint[1].limit[1] = 2),
        "joints[2] (hinge of crank and coupler): limits = { 1, 2 }: the first must be <= 0 and the "
        "second >= 0, where the joint is at t = 0");
    REFUSED(
        (joint[0].drive = one, joint[0].effort = one),
        "joints[1] \"drive\" (hinge of ground and crank): angle and torque are both given: a joint "
        "has one drive; keep one");
}

TEST(an_axis_of_any_length_is_a_direction) {
    fresh(), joint[1].axis.z = 1e-200;
    CHECK_TEXT(complaint(), "");
    fresh(), joint[1].axis.z = -3e250;
    CHECK_TEXT(complaint(), "");
}

TEST(a_name_that_is_there_twice_is_refused_at_once) {
    REFUSED(joint[1].name = joint[0].name,
            "joints[1] and joints[2] have the same name \"drive\"; give one of them another");
    REFUSED(body[1].name = body[0].name,
            "bodies[1] and bodies[2] have the same name \"crank\"; give one of them another");
}

TEST(two_drives_of_the_same_two_parts_about_one_axis_are_refused) {
    const withy_field one = withy_field_number(1);
    REFUSED(
        (joint[1] = joint[0], joint[0].drive = joint[1].drive = one, joint[1].name = NULL),
        "joints[2] (hinge of ground and crank): joints[1] already drives the same two parts about "
        "the same axis; keep one of the two drives");
}

TEST(a_motion_starts_only_with_velocities_that_agree_and_drives_that_begin_at_zero) {
    wy_arena arena = {0};
    const wy_model *model;
    fresh(), joint[0].drive = withy_field_number(0.3);
    CHECK_OK(wy_model_compile(&problem, NULL, &arena, &model, &err));
    CHECK(wy_model_fits(model, &err) == WITHY_BAD_INPUT);
    CHECK_TEXT(err.text,
               "joints[1] \"drive\" (hinge of ground and crank): angle is 0.3 rad at t = 0; it "
               "is measured from where the parts are then, so it must start at 0");
    fresh(), body[0].spin.z = 2,
             body[0].velocity.y = 0.3; /* turns about the hinge; the rod rests */
    CHECK_OK(wy_model_compile(&problem, NULL, &arena, &model, &err));
    CHECK(wy_model_fits(model, &err) == WITHY_BAD_INPUT);
    CHECK_TEXT(err.text,
               "joints[2] (hinge of crank and coupler): at t = 0 one place moves with { 0, 0.6, "
               "0 } and the other with { 0, 0, 0 } m/s; give the two parts velocities and "
               "spins that agree where they are joined");
    wy_arena_free(&arena);
}

RUN(test(a_body_that_no_body_can_be_is_refused),
    test(a_joint_names_the_part_that_does_not_exist_and_the_place_off_the_rod),
    test(a_gap_at_the_start_is_reported_with_its_size_and_the_two_parts),
    test(axes_and_laws_that_contradict_the_kind_or_each_other_are_refused),
    test(an_axis_of_any_length_is_a_direction), test(a_name_that_is_there_twice_is_refused_at_once),
    test(two_drives_of_the_same_two_parts_about_one_axis_are_refused),
    test(a_motion_starts_only_with_velocities_that_agree_and_drives_that_begin_at_zero))
