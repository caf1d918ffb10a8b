/* elastica_problems.h - the examples of [EL] section 7-8 as problems in C, and a run in one call.
 */
#pragma once

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "check.h"
#include "withy/withy.h"

#define PI 3.14159265358979323846

typedef struct example {
    withy_rod rod;
    withy_load load[2];
    withy_problem problem;
} example;

static inline withy_status put3(double *out, double x, double y, double z) {
    out[0] = x, out[1] = y, out[2] = z;
    return WITHY_OK;
}

static inline withy_field field3(withy_function call) {
    return (withy_field){.size = 3, .call = call};
}

/* A uniform rod with rho = eps = 1, free at both ends, straight along z. */
static inline void plain_rod(example *x, double length, double nu) {
    memset(x, 0, sizeof *x);
    x->rod = (withy_rod){.name = "rod", .length = length};
    x->rod.stiffness[WITHY_BEND1] = x->rod.stiffness[WITHY_BEND2] = withy_field_number(1);
    x->rod.inertia[WITHY_MASS] = withy_field_number(1);
    x->rod.damping[WITHY_BEND1] = x->rod.damping[WITHY_BEND2] = withy_field_number(nu);
    x->rod.initial = (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .along = {0, 0, 1}};
    x->problem = withy_problem_default();
    x->problem.title = "";
    x->problem.gravity = (withy_vec3){0, 0, 0};
}

static inline void finish_example(example *x, double stop, double output) {
    x->problem.rod = &x->rod;
    x->problem.rod_count = 1;
    x->rod.load = x->load;
    x->problem.request.stop = stop;
    x->problem.request.output = output;
    x->problem.request.stations = 0;
}

static inline void initial_curve(example *x, withy_function curve) {
    x->rod.initial = (withy_shape){.kind = WITHY_SHAPE_CURVE, .position = field3(curve)};
}

/* ---- example 1: coil, (107)-(110) ------------------------------------------------------------ */

static withy_status coil(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)t, (void)err;
    const double theta = 1.8, a = sin(theta) * s;
    return put3(out, -sin(a), -cos(a), -cos(theta) * s);
}

static inline void example_1(example *x, double length) {
    plain_rod(x, length, 10);
    initial_curve(x, coil);
    x->rod.end[0].kind = x->rod.end[1].kind = WITHY_END_PINNED;
    finish_example(x, 100, 5);
}

/* ---- example 2: rotating clamp, (111)-(115) -------------------------------------------------- */

static withy_status turning(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    return put3(out, 0, sin(4.0 / 3 * t), cos(4.0 / 3 * t));
}

static inline void example_2(example *x) {
    plain_rod(x, 3, 1.0 / 20);
    x->rod.end[0].kind = WITHY_END_CLAMPED;
    x->rod.end[0].position = withy_field_vector(0, 0, 0);
    x->rod.end[0].tangent = field3(turning);
    finish_example(x, 10, 1.0 / 6);
}

/* ---- example 3: one end oscillates, (116)-(120) ---------------------------------------------- */

static withy_status semicircle(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)t, (void)err;
    return put3(out, sin(s), 0, cos(s));
}
static withy_status oscillating(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    return put3(out, 0, 0, -1 + 0.4 * sin(2 * t));
}

static inline void example_3(example *x) {
    plain_rod(x, PI, 0.2);
    initial_curve(x, semicircle);
    x->rod.end[0].kind = x->rod.end[1].kind = WITHY_END_PINNED;
    x->rod.end[0].position = withy_field_vector(0, 0, 1);
    x->rod.end[1].position = field3(oscillating);
    finish_example(x, 3, 0.02);
}

/* ---- example 4: falling rod, (121)-(125) ----------------------------------------------------- */

static withy_status slightly_bent(void *context, double s, double t, double *out,
                                  withy_error *err) {
    (void)context, (void)t, (void)err;
    return put3(out, 100 * (cos(s / 100) - 1), 0, 100 * sin(s / 100));
}

static inline void example_4(example *x) {
    plain_rod(x, 10, 0.1);
    initial_curve(x, slightly_bent);
    x->rod.end[0].kind = WITHY_END_CLAMPED;
    x->rod.end[0].position = withy_field_vector(0, 0, 0);
    x->rod.end[0].tangent = withy_field_vector(0, 0, 1);
    x->problem.gravity = (withy_vec3){0, 0, -0.2};
    finish_example(x, 40, 0.1);
}

/* ---- section 8: arch, (129)-(132) ------------------------------------------------------------ */

static withy_status arch(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)t, (void)err;
    const double a = (s - 3 * PI) / 4;
    return put3(out, 4 * sin(a), 4 * cos(a) + 2 * sqrt(2), 0);
}

static inline void section_8(example *x) {
    plain_rod(x, 6 * PI, 10);
    initial_curve(x, arch);
    x->rod.end[0].kind = x->rod.end[1].kind = WITHY_END_PINNED;
    finish_example(x, 100, 5);
}

/* ---- running --------------------------------------------------------------------------------- */

/* A simulation; text: "n=10 dt=0.1 start=paper project=false". */
static inline withy_sim *simulate(const example *x, const char *text, withy_error *err) {
    withy_option option[8];
    int count = 0;
    char copy[256];
    snprintf(copy, sizeof copy, "%s", text);
    for (char *word = strtok(copy, " "); word && count < 8; word = strtok(NULL, " ")) {
        char *value = strchr(word, '='), *end;
        *value++ = '\0';
        option[count] = (withy_option){0};
        snprintf(option[count].name, sizeof option[count].name, "%s", word);
        option[count].number = strtod(value, &end);
        if (*end) snprintf(option[count].word, sizeof option[count].word, "%s", value);
        count++;
    }
    withy_sim *sim = NULL;
    withy_sim_create(&x->problem, "elastica", option, count, &sim, err);
    return sim;
}

static inline withy_sim *simulate_ok(const example *x, const char *text) {
    withy_error err = {0};
    withy_sim *sim = simulate(x, text, &err);
    if (!sim) fail_msg("%s", err.text);
    return sim;
}

static inline void go(withy_sim *sim, double t) {
    withy_error err = {0};
    if (withy_sim_advance(sim, t, &err) != WITHY_OK) fail_msg("%s", err.text);
}

static inline const withy_snapshot *now(withy_sim *sim) {
    return withy_sim_sample(sim, 0);
}
