/* network_problems.h - networks built in C, for the tests and studies of rods that meet. */
#pragma once

#include <string.h>

#include "director_problems.h"
#include "withy/withy.h"

enum { NETWORK_RODS = 64, NETWORK_BODIES = 16, NETWORK_JOINTS = 128 };

typedef struct network_problem {
    withy_problem problem;
    withy_rod rod[NETWORK_RODS];
    withy_body body[NETWORK_BODIES];
    withy_joint joint[NETWORK_JOINTS];
    withy_load load[4];
    withy_body_load push[4];
} network_problem;

static inline withy_vec3 network_vec(double x, double y, double z) {
    return (withy_vec3){x, y, z};
}

static inline void network_begin(network_problem *x) {
    memset(x, 0, sizeof *x);
    x->problem = withy_problem_default();
    x->problem.rod = x->rod, x->problem.rod_count = 0;
    x->problem.body = x->body, x->problem.joint = x->joint;
}

static inline void network_times(network_problem *x, double stop, double output) {
    x->problem.request.given = 1;
    x->problem.request.stop = stop, x->problem.request.output = output;
}

/* A straight rod from a to b, round, of radius r. */
static inline withy_rod *network_rod(network_problem *x, withy_vec3 a, withy_vec3 b, double radius,
                                     double young, double density) {
    withy_rod *rod = &x->rod[x->problem.rod_count++];
    const withy_vec3 d = {b.x - a.x, b.y - a.y, b.z - a.z};
    *rod = withy_rod_default();
    rod->length = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
    rod->section.kind = WITHY_SECTION_CIRCLE;
    rod->section.a = withy_field_number(2 * radius);
    rod->material.young = young, rod->material.shear = young / 2.6;
    rod->material.density = density;
    rod->initial.kind = rod->rest.kind = WITHY_SHAPE_STRAIGHT;
    rod->initial.from = rod->rest.from = a;
    rod->initial.along = rod->rest.along =
        network_vec(d.x / rod->length, d.y / rod->length, d.z / rod->length);
    rod->end[0].kind = rod->end[1].kind = WITHY_END_FREE;
    return rod;
}

static inline withy_body *network_body(network_problem *x, double mass, withy_vec3 inertia,
                                       withy_vec3 at) {
    withy_body *body = &x->body[x->problem.body_count++];
    body->mass = mass, body->inertia = inertia, body->position = at;
    body->frame = (withy_quat){1, 0, 0, 0};
    return body;
}

static inline withy_place on_rod(int rod, double s) {
    return (withy_place){.part = WITHY_PART_ROD, .index = rod, .s = s};
}
static inline withy_place on_body(int body, double x, double y, double z) {
    return (withy_place){.part = WITHY_PART_BODY, .index = body, .at = {x, y, z}};
}
static inline withy_place on_ground(double x, double y, double z) {
    return (withy_place){.part = WITHY_PART_GROUND, .at = {x, y, z}};
}

static inline withy_joint *network_join(network_problem *x, withy_joint_kind kind, withy_place a,
                                        withy_place b) {
    withy_joint *joint = &x->joint[x->problem.joint_count++];
    joint->kind = kind, joint->place[0] = a, joint->place[1] = b;
    return joint;
}

static inline withy_status network_start(const network_problem *x, const char *options,
                                         withy_sim **sim, withy_error *err) {
    withy_option option[16];
    return withy_sim_create(&x->problem, "director", option, director_parse(options, option, 16),
                            sim, err);
}
