/* pendulum_fixture.h - a small result with bodies and joints, for the tests that read results. */
#pragma once

#include "withy/withy.h"

/* A double pendulum of two bars, from the horizontal. */
static const withy_body bar[] = {
    {.name = "upper", .mass = 1, .inertia = {1e-4, 0.08, 0.08}, .position = {0.5, 0, 0}},
    {.name = "lower",
     .mass = 1,
     .inertia = {1e-4, 0.08, 0.08},
     .position = {1.5, 0, 0},
     .size = {3}}};
static const withy_joint hinge[] = {
    {.name = "pivot",
     .kind = WITHY_JOINT_HINGE,
     .place = {{.part = WITHY_PART_GROUND}, {.part = WITHY_PART_BODY, .at = {-0.5, 0, 0}}},
     .axis = {0, 1, 0}},
    {.kind = WITHY_JOINT_HINGE,
     .place = {{.part = WITHY_PART_BODY, .at = {0.5, 0, 0}},
               {.part = WITHY_PART_BODY, .index = 1, .at = {-0.5, 0, 0}}},
     .axis = {0, 1, 0}}};
static const withy_probe probe[] = {{"tip", "position", 0, 0, 0, WITHY_OF_BODY, 1},
                                    {"load", "force", 0, 0, 0, WITHY_OF_JOINT, 0}};

static inline withy_problem pendulum(void) {
    withy_problem problem = withy_problem_default();
    problem.rod = NULL, problem.rod_count = 0;
    problem.body = bar, problem.body_count = 2;
    problem.joint = hinge, problem.joint_count = 2;
    problem.gravity.z = -9.81;
    problem.request =
        (withy_request){.given = 1, .stop = 0.1, .output = 0.05, .probe = probe, .probe_count = 2};
    return problem;
}

/* Run it into a result file. */
static inline withy_status pendulum_run(const char *file, withy_report *report, withy_error *err) {
    const withy_problem problem = pendulum();
    const withy_option dt = {.name = "dt", .number = 0.01};
    const char *const output[] = {file};
    withy_study study = withy_study_default();
    study.problem = &problem, study.method = "director";
    study.option = &dt, study.option_count = 1;
    study.output = output, study.output_count = 1;
    return withy_study_run(&study, report, err);
}
