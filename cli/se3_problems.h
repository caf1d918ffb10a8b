/* se3_problems.h - the rod of the notes [SE], its two initial shapes, and runs of method se3. */
#pragma once

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "withy/withy.h"

#define SE3_L 0.1
#define SE3_PI 3.14159265358979323846
#define SE3_EI 4.908738521234052e-4
#define SE3_GA 26.179938779914945

/* Test A: constant curvature pi/(4 L) about d2. */
static inline withy_status se3_shape_a(void *scale, double s, double t, double *out,
                                       withy_error *err) {
    (void)s, (void)t, (void)err;
    const double k = scale ? *(const double *)scale : 1.0;
    for (int i = 0; i < 6; i++) out[i] = 0;
    out[WITHY_BEND2] = k * SE3_PI / (4 * SE3_L);
    return WITHY_OK;
}

/* Test C: the first mode of bending, kappa and gamma = -(EI/GA) kappa', smooth at both ends. */
static inline withy_status se3_shape_c(void *scale, double s, double t, double *out,
                                       withy_error *err) {
    (void)t, (void)err;
    const double k = scale ? *(const double *)scale : 1.0;
    const double b = 1.875104068711961 / SE3_L, l = b * SE3_L, x = b * s;
    const double q = (cosh(l) + cos(l)) / (sinh(l) + sin(l)), a = k * SE3_PI / (8 * SE3_L);
    for (int i = 0; i < 6; i++) out[i] = 0;
    out[WITHY_BEND2] = a * (cosh(x) + cos(x) - q * (sinh(x) + sin(x)));
    out[WITHY_SHEAR1] = -SE3_EI / SE3_GA * a * b * (sinh(x) - sin(x) - q * (cosh(x) + cos(x)));
    return WITHY_OK;
}

/* The rod along z, d1 along x, clamped at the origin. */
static inline withy_rod se3_rod(withy_function shape, double *scale) {
    withy_rod rod = withy_rod_default();
    rod.length = SE3_L;
    rod.section.a = withy_field_number(0.01);
    rod.material = (withy_material){.young = 1e6, .shear = 1e6 / 3, .density = 1000};
    const withy_shape straight = {
        .kind = WITHY_SHAPE_STRAIGHT, .along = {0, 0, 1}, .normal = {1, 0, 0}};
    rod.rest = rod.initial = straight;
    if (shape) {
        rod.initial.kind = WITHY_SHAPE_STRAIN;
        rod.initial.strain = (withy_field){.size = 6, .call = shape, .context = scale};
    }
    return rod;
}

static inline withy_problem se3_problem(const withy_rod *rod, double stop, double output) {
    withy_problem problem = withy_problem_default();
    problem.title = "the rod of the notes";
    problem.rod = rod;
    problem.request.stop = stop;
    problem.request.output = output;
    return problem;
}

/* "n=100 dt=0.01 scheme=notes" as options; returns the count. */
static inline int se3_options_of(const char *text, withy_option *option) {
    int count = 0;
    char copy[256];
    snprintf(copy, sizeof copy, "%s", text);
    for (char *rest = NULL, *word = strtok_r(copy, " ", &rest); word;
         word = strtok_r(NULL, " ", &rest)) {
        char *equal = strchr(word, '=');
        *equal = '\0';
        withy_option *o = &option[count++];
        *o = (withy_option){0};
        snprintf(o->name, sizeof o->name, "%s", word);
        char *end;
        o->number = strtod(equal + 1, &end);
        if (*end) snprintf(o->word, sizeof o->word, "%s", equal + 1);
    }
    return count;
}

static inline withy_status se3_sim(const withy_problem *problem, const char *options,
                                   withy_sim **sim, withy_error *err) {
    withy_option option[16];
    const int count = se3_options_of(options, option);
    return withy_sim_create(problem, "se3", option, count, sim, err);
}

static inline withy_vec3 se3_tip(withy_sim *sim) {
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    return snap ? snap->position[snap->count - 1] : (withy_vec3){NAN, NAN, NAN};
}
