/* network_fixture.h - a network of rods, bodies and joints set going; a failure fails the test. */
#pragma once

#include "check.h"
#include "network_problems.h"

static inline withy_sim *start(const network_problem *x, const char *options) {
    withy_error err = {0};
    withy_sim *sim = NULL;
    CHECK_OK(network_start(x, options, &sim, &err));
    return sim;
}

static inline void go(withy_sim *sim, double t) {
    withy_error err = {0};
    CHECK_OK(withy_sim_advance(sim, t, &err));
}
