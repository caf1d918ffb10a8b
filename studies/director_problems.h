/* director_problems.h - the problems of the director method in C: for its tests, its studies and its
 * benchmark.  Public interface only.  Scenes S1, S2, S4 are those of the speed comparison. */
#pragma once

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "withy/withy.h"

#define DIRECTOR_PI 3.14159265358979323846

typedef struct director_problem {
    withy_rod rod;
    withy_load load[4];
    withy_problem problem;
    double context[8]; /* for functions of s and t */
} director_problem;

/* Options as "n=20 degree=3 dt=0.01 dt=auto". */
static inline int director_parse(const char *text, withy_option *option, int most) {
    int count = 0;
    char copy[256], *save = NULL;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *word = strtok_r(copy, " ", &save); word && count < most;
         word = strtok_r(NULL, " ", &save)) {
        char *equal = strchr(word, '='), *end;
        if (!equal) continue;
        *equal = 0;
        withy_option *o = &option[count++];
        memset(o, 0, sizeof *o);
        snprintf(o->name, sizeof o->name, "%s", word);
        o->number = strtod(equal + 1, &end);
        if (*end) snprintf(o->word, sizeof o->word, "%s", equal + 1);
    }
    return count;
}

static inline withy_status director_start(const director_problem *x, const char *options,
                                          withy_sim **sim, withy_error *err) {
    withy_option option[16];
    return withy_sim_create(&x->problem, "director", option, director_parse(options, option, 16),
                            sim, err);
}

/* A round rod, straight along x with d1 along y, clamped at the start, free at the finish. */
static inline void director_plain(director_problem *x, double length, double diameter, double young,
                                  double shear, double density) {
    memset(x, 0, sizeof *x);
    x->rod = withy_rod_default();
    x->rod.length = length;
    x->rod.section.a = withy_field_number(diameter);
    x->rod.material = (withy_material){young, shear, density};
    x->rod.initial =
        (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .along = {1, 0, 0}, .normal = {0, 1, 0}};
    x->rod.load = x->load;
    x->problem = withy_problem_default();
    x->problem.title = "";
    x->problem.rod = &x->rod;
}

static inline void director_ends(director_problem *x, withy_end_kind start, withy_end_kind finish) {
    x->rod.end[0].kind = start, x->rod.end[1].kind = finish;
}

static inline void director_times(director_problem *x, double stop, double output) {
    x->problem.request.stop = stop, x->problem.request.output = output;
}

/* Rod T of docs/theory/director.md: L 0.1, D 0.01, E 1e6, G E/3, rho 1000. */
static inline void director_rod_t(director_problem *x) {
    director_plain(x, 0.1, 0.01, 1e6, 1e6 / 3, 1000);
}

/* The same from a strongly bent and twisted shape that is not an equilibrium for any end pair. */
static inline withy_status director_wild(void *context, double s, double t, double *out,
                                         withy_error *err) {
    (void)context, (void)t, (void)err;
    out[0] = 8 * cos(40 * s), out[1] = 12 + 60 * s, out[2] = 10;
    return WITHY_OK;
}

static inline void director_large_motion(director_problem *x, withy_end_kind start,
                                         withy_end_kind finish) {
    director_rod_t(x);
    director_ends(x, start, finish);
    x->rod.initial.kind = WITHY_SHAPE_STRAIN;
    x->rod.initial.strain = (withy_field){.size = 3, .call = director_wild};
    if (start == WITHY_END_FREE && finish == WITHY_END_FREE) {
        x->rod.spin = withy_field_vector(1, 6.4, 2);
        x->rod.velocity = withy_field_vector(0.3, 0.1, -0.2);
    }
}

/* S1: at rest on the arc of curvature pi/4/L at t = 0; S2: straight, gravity along -y. */
static inline void director_s1(director_problem *x) {
    director_rod_t(x);
    x->rod.initial.kind = WITHY_SHAPE_ARC;
    x->rod.initial.radius = 0.4 / DIRECTOR_PI;
    director_times(x, 0.5, 0.05);
}
static inline void director_s2(director_problem *x) {
    director_rod_t(x);
    x->problem.gravity = (withy_vec3){0, -9.81, 0};
    director_times(x, 0.5, 0.05);
}

/* Tip at t = 0.05, 0.10 .. 0.50 s of S1 and S2: converged reference values. */
static const double director_tips[2][10][2] = {{{0.0996686830902, 0.00528398660888},
                                                {0.0924449985385, -0.0331223078297},
                                                {0.0984872424157, -0.0159415720337},
                                                {0.0962881347853, 0.0238779076504},
                                                {0.096357435613, 0.026264800711},
                                                {0.098955748142, -0.0121895991896},
                                                {0.0944243637194, -0.0324248275163},
                                                {0.0999109948451, -0.0010018895895},
                                                {0.0922936688115, 0.0341291577318},
                                                {0.098640246344, 0.0143497350477}},
                                               {{0.0986191146751, -0.0157561834628},
                                                {0.0921124118422, -0.0363585636239},
                                                {0.095447426884, -0.0277057763883},
                                                {0.0999419886392, -0.00337385093523},
                                                {0.0998686343206, -0.00506405991577},
                                                {0.0946207372048, -0.0300623445239},
                                                {0.0924741415128, -0.0354698576126},
                                                {0.0991003056907, -0.0128696411789},
                                                {0.100003833847, -0.00020108201522},
                                                {0.0980102263797, -0.0186744617364}}};

/* Largest tip error over L at the ten instants; scene 1 or 2. */
static inline withy_status director_tip_error(int scene, const char *options, double *error,
                                              withy_error *err) {
    director_problem x;
    withy_sim *sim;
    if (scene == 1)
        director_s1(&x);
    else
        director_s2(&x);
    *error = NAN;
    withy_status status = director_start(&x, options, &sim, err);
    double worst = 0;
    for (int k = 1; k <= 10 && status == WITHY_OK; k++) {
        status = withy_sim_advance(sim, 0.05 * k, err);
        if (status != WITHY_OK) break;
        const withy_snapshot *now = withy_sim_sample(sim, 0);
        const withy_vec3 tip = now->position[now->count - 1];
        const double *expected = director_tips[scene - 1][k - 1];
        const double miss = hypot(tip.x - expected[0], tip.y - expected[1]) / 0.1;
        if (!(miss <= worst)) worst = miss;
    }
    if (status == WITHY_OK) *error = worst;
    withy_sim_destroy(sim);
    return status;
}

/* Test C of se3 (se3_problems.h): a smooth release in the plane x, z, rod along z. */
static inline withy_status director_test_c_strain(void *context, double s, double t, double *out,
                                                  withy_error *err) {
    (void)context, (void)t, (void)err;
    const double length = 0.1, b = 1.875104068711961 / length, bl = 1.875104068711961;
    const double q = (cosh(bl) + cos(bl)) / (sinh(bl) + sin(bl));
    const double half = DIRECTOR_PI / 8 / length;
    const double bend = half * (cosh(b * s) + cos(b * s) - q * (sinh(b * s) + sin(b * s)));
    const double slope = half * b * (sinh(b * s) - sin(b * s) - q * (cosh(b * s) + cos(b * s)));
    const double ratio = 1e6 * 0.005 * 0.005 / 4 / (1e6 / 3); /* EI/GA */
    out[0] = -ratio * slope, out[1] = out[2] = out[3] = 0, out[4] = bend, out[5] = 0;
    return WITHY_OK;
}
static inline void director_test_c(director_problem *x) {
    director_rod_t(x);
    x->rod.initial =
        (withy_shape){.kind = WITHY_SHAPE_STRAIN, .along = {0, 0, 1}, .normal = {1, 0, 0}};
    x->rod.initial.strain = (withy_field){.size = 6, .call = director_test_c_strain};
    director_times(x, 1.0, 0.1);
}

/* S4: L 1, EI 1, round, radius r; along x, d1 along y. */
static inline void director_s4(director_problem *x, double radius) {
    const double young = 4 / (DIRECTOR_PI * radius * radius * radius * radius);
    director_plain(x, 1, 2 * radius, young, young / 3, 1);
}
