/* cheb_problems.h - rods for the tests of cheb: the stubby rod of [CH] 5.1 with any ends. */
#pragma once

#include <stdlib.h>

#include "base/vec.h"
#include "check.h"
#include "method/cheb/cheb.h"
#include "study/sim.h"
#include "withy/withy.h"

#define PI 3.14159265358979323846

typedef struct cheb_problem {
    withy_rod rod;
    withy_problem problem;
    withy_load load;
} cheb_problem;

static inline void stubby(cheb_problem *x, double second) {
    const double stiffness[] = {4, 4, 12, 12 * second, 12 * second, 4 * 2 * second};
    const double inertia[] = {1, second, second, 2 * second};
    memset(x, 0, sizeof *x);
    x->problem = withy_problem_default();
    x->rod = withy_rod_default();
    x->rod.section.kind = WITHY_SECTION_NONE;
    x->rod.length = 2;
    for (int i = 0; i < WITHY_STRAINS; i++) x->rod.stiffness[i] = withy_field_number(stiffness[i]);
    for (int i = 0; i < WITHY_INERTIAS; i++) x->rod.inertia[i] = withy_field_number(inertia[i]);
    x->rod.initial =
        (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .along = {1, 0, 0}, .normal = {0, 1, 0}};
    x->rod.end[0].kind = WITHY_END_CLAMPED;
    x->problem.rod = &x->rod;
    x->problem.request = (withy_request){.stop = 1, .output = 1};
}

/* options: "n=16 ends=G" */
static inline withy_status cheb_try(cheb_problem *x, const char *options, withy_sim **sim,
                                    withy_error *err) {
    withy_option option[12] = {{{0}, 0, {0}}};
    char copy[256];
    int count = 0;
    snprintf(copy, sizeof copy, "%s", options);
    for (char *at = strtok(copy, " "); at && count < 12; at = strtok(NULL, " ")) {
        char *value = strchr(at, '='), *end;
        *value++ = '\0';
        snprintf(option[count].name, WITHY_NAME, "%s", at);
        option[count].number = strtod(value, &end);
        if (*end) snprintf(option[count].word, WITHY_NAME, "%s", value);
        count++;
    }
    x->problem.rod = &x->rod;
    if (x->load.force.size || x->load.moment.size) x->rod.load = &x->load, x->rod.load_count = 1;
    return withy_sim_create(&x->problem, "cheb", option, count, sim, err);
}

static inline withy_sim *cheb_make(cheb_problem *x, const char *options) {
    withy_error err = {0};
    withy_sim *sim = NULL;
    CHECK_OK(cheb_try(x, options, &sim, &err));
    return sim;
}

static inline const withy_snapshot *cheb_go(withy_sim *sim, double t) {
    withy_error err = {0};
    CHECK_OK(withy_sim_advance(sim, t, &err));
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    CHECK(snap != NULL);
    return snap;
}

static inline const withy_snapshot *cheb_balance(withy_sim *sim, double factor) {
    withy_error err = {0};
    withy_equilibrium point;
    CHECK_OK(withy_sim_equilibrium(sim, factor, &point, &err));
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    CHECK(snap != NULL);
    return snap;
}

static inline withy_vec3 tip_of(const withy_snapshot *snap) {
    return snap->position[snap->count - 1];
}
