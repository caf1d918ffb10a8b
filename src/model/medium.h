/* medium.h - the fluid around rods: how it moves at a place and a time.  Room: src/model.
 *
 * Heights are measured against gravity, from the origin of the laboratory.
 */
#pragma once

#include "model/model.h"

/* A regular wave: the surface is at a cos(theta), theta = k x - omega t + phase. */
typedef struct wy_wave {
    double a, k, omega, phase;
    vec3 along;
    int wheeler;
} wy_wave;

typedef struct wy_medium {
    const withy_medium *given;
    vec3 up; /* against gravity; zero: no gravity                                               */
    int at_rest; /* 1: nothing in it moves                                                          */
    int uniform; /* 1: its velocity is the same everywhere                                          */
    const wy_wave *wave;
    int waves;
    double
        length; /* of the scene: functions are differenced over a small part of it           [m] */
} wy_medium;

/* The fluid at a place. */
typedef struct wy_flow {
    vec3 u;     /* U, its velocity                                                         [m/s] */
    mat3 slope; /* columns dU/dx, dU/dy, dU/dz                                             [1/s] */
    vec3 rate;  /* dU/dt at the place                                                    [m/s^2] */
    double
        height; /* of the place over the surface; -INFINITY: no surface                      [m] */
    vec3 rise;  /* gradient of that                                                          [-] */
    vec3 wind;  /* velocity of the air                                                     [m/s] */
} wy_flow;

/* What a flow is asked for. */
enum {
    WY_FLOW_SLOPES = 1, /* slope and rise               */
    WY_FLOW_RATE = 2,   /* rate, over the time dt       */
    WY_FLOW_STATIC = 4  /* without waves: of equilibria */
};

withy_status wy_medium_flow(const wy_medium *medium, vec3 at, double t, double dt, unsigned asks,
                            wy_flow *out, withy_error *err);

/* Checks, and the waves of a sea as a sum of regular ones. */
withy_status wy_medium_compile(const withy_problem *problem, double length, wy_arena *arena,
                               const wy_medium **medium, withy_error *err);
/* NULL: the scene has no medium. */
const wy_medium *wy_model_medium(const wy_model *model);
/* Of the regular wave of this frequency in water of this depth: omega^2 = g k tanh(k h). */
double wy_wave_number(double omega, double gravity, double depth);

/* ---- how a rod feels it ---- */

typedef struct wy_fluid_at {
    double diameter, area;
} wy_fluid_at;

/* Its resistance at low Reynolds numbers: that given, or of Gray and Hancock. */
withy_viscous wy_rod_viscous(const withy_problem *problem, const withy_rod *rod);
withy_status wy_rod_fluid_at(const withy_rod *rod, double s, wy_fluid_at *out, withy_error *err);
