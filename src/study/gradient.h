/* gradient.h - what gradient.c and adjoint.c share. */
#pragma once

#include "study/door.h"
#include "study/sim.h"
#include "withy/gradient.h"

typedef struct wy_gradient {
    int count;
    withy_sim **beside; /* [4 count] set-ups that are asked in each step; NULL: not needed */
    int beside_count;
    vec3 *position, *turn;    /* [stations of the first rod] */
    uint64_t known;           /* hash of the equilibrium whose derivatives are in the state */
    int backwards;            /* 1: for withy_sim_adjoint */
    withy_field_slope *point; /* and its sensitivity */
    withy_node_slope *node;
    int ready; /* 1: they are known */
} wy_gradient;

/* Factors of the present equilibrium. */
withy_status wy_gradient_factor(withy_sim *sim, double factor, double t, int pull,
                                withy_error *err);
