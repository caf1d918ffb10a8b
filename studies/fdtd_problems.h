/* fdtd_problems.h - the strings, wires and records that the studies, tests and benchmarks of fdtd
 * share.  Everything is static: include it where it is needed. */
#pragma once

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "withy/withy.h"

#define FD_PI 3.14159265358979323846

/* the violin A string of cases/violin_a_string */
#define FD_LENGTH 0.328
#define FD_DIAMETER 0.3575e-3
#define FD_YOUNG 2.0e11
#define FD_SHEAR (2.0e11 / 2.6)
#define FD_DENSITY 7800.0
#define FD_AREA (FD_PI / 4 * FD_DIAMETER * FD_DIAMETER)
#define FD_SECOND (FD_PI / 64 * FD_DIAMETER * FD_DIAMETER * FD_DIAMETER * FD_DIAMETER)

/* Initial shape of small amplitude: sum of amplitude[k] sin((k + 1) pi s/L) along x. */
typedef struct fd_sines {
    double length;
    int count;
    double amplitude[16];
} fd_sines;

static inline withy_status fd_sines_at(void *context, double s, double t, double *out,
                                       withy_error *err) {
    (void)t, (void)err;
    const fd_sines *x = context;
    out[0] = out[1] = 0, out[2] = s;
    for (int k = 0; k < x->count; k++)
        out[0] += x->amplitude[k] * sin((k + 1) * FD_PI * s / x->length);
    return WITHY_OK;
}

/* A pulse of force, in x and y: amplitude exp(-((s - L/4)/width)^2) sin^2(pi t/time) until t = time
 */
typedef struct fd_pulse {
    double x, y;  /* [N/m] */
    double width; /* 0: 12 mm */
    double time;  /* 0: 0.4 ms */
} fd_pulse;

static inline withy_status fd_pulse_at(void *context, double s, double t, double *out,
                                       withy_error *err) {
    (void)err;
    const fd_pulse *p = context;
    const double width = p->width > 0 ? p->width : 0.012, time = p->time > 0 ? p->time : 4e-4;
    out[0] = out[1] = out[2] = 0;
    if (t >= time) return WITHY_OK;
    const double a = (s - FD_LENGTH / 4) / width, b = sin(FD_PI * t / time);
    const double f = exp(-a * a) * b * b;
    out[0] = p->x * f, out[1] = p->y * f;
    return WITHY_OK;
}

/* A steel string between two ends of one kind, straight along z, under tension. */
static inline withy_rod fd_string(double tension, withy_end_kind kind) {
    withy_rod rod = withy_rod_default();
    rod.name = "string";
    rod.length = FD_LENGTH;
    rod.section.a = withy_field_number(FD_DIAMETER);
    rod.material = (withy_material){FD_YOUNG, FD_SHEAR, FD_DENSITY};
    rod.tension = tension;
    rod.initial =
        (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .along = {0, 0, 1}, .normal = {1, 0, 0}};
    rod.end[0].kind = rod.end[1].kind = kind;
    return rod;
}

static inline void fd_set_sines(withy_rod *rod, fd_sines *sines) {
    sines->length = rod->length;
    rod->initial.kind = WITHY_SHAPE_CURVE;
    rod->initial.position = (withy_field){.size = 3, .call = fd_sines_at, .context = sines};
}

/* A rounded pluck at a fifth of the length. */
static inline void fd_set_pluck(withy_rod *rod, double height) {
    rod->initial.kind = WITHY_SHAPE_PLUCK;
    rod->initial.at = rod->length / 5, rod->initial.height = height;
    rod->initial.direction = (withy_vec3){1, 0, 0};
}

static inline void fd_set_pulse(withy_rod *rod, withy_load *load, fd_pulse *pulse) {
    *load = (withy_load){.kind = WITHY_LOAD_DISTRIBUTED, .to = rod->length};
    load->force = (withy_field){.size = 3, .call = fd_pulse_at, .context = pulse};
    rod->load = load, rod->load_count = 1;
}

/* A soft rod: E = 1e6, nu = 1/2, 1 m long, 50 mm thick. */
static inline withy_rod fd_soft_rod(withy_end_kind start, withy_end_kind finish) {
    withy_rod rod = withy_rod_default();
    rod.name = "soft rod";
    rod.section.a = withy_field_number(0.05);
    rod.material = (withy_material){1e6, 1e6 / 3, 1000};
    rod.initial =
        (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .along = {0, 0, 1}, .normal = {1, 0, 0}};
    rod.end[0].kind = start, rod.end[1].kind = finish;
    return rod;
}

/* How to run it. */
typedef struct fd_run {
    int n, order;
    double dt;           /* 0: auto */
    double stop, output; /* [s] */
    int stations;        /* of the snapshots; 0: nodes */
    int regularised;
    int literal, no_dilation, unsafe, threads;
    withy_vec3 gravity;
} fd_run;

static inline withy_option fd_option(const char *name, double number, const char *text) {
    withy_option o = {.number = number};
    snprintf(o.name, sizeof o.name, "%s", name);
    snprintf(o.word, sizeof o.word, "%s", text);
    return o;
}

static inline withy_status fd_create(const withy_rod *rod, int rods, const fd_run *how,
                                     withy_sim **sim, withy_error *err) {
    withy_problem problem = withy_problem_default();
    problem.rod = rod, problem.rod_count = rods;
    problem.gravity = how->gravity;
    problem.request.stop = how->stop, problem.request.output = how->output;
    problem.request.stations = how->stations;
    withy_option option[8];
    int count = 0;
    option[count++] = fd_option("n", how->n, "");
    option[count++] = fd_option("order", how->order, "");
    if (how->dt > 0) option[count++] = fd_option("dt", how->dt, "");
    if (how->regularised) option[count++] = fd_option("inertia", 0, "regularised");
    if (how->literal) option[count++] = fd_option("scheme", 0, "literal");
    if (how->no_dilation) option[count++] = fd_option("dilation", 0, "off");
    if (how->threads) option[count++] = fd_option("threads", how->threads, "");
    if (how->unsafe) option[count++] = fd_option("safe", 0, "false");
    return withy_sim_create(&problem, "fdtd", option, count, sim, err);
}

/* Record x, y, z of one station of the first rod at k * interval, k = 0 .. count - 1; any of the
 * arrays may be NULL. */
static inline withy_status fd_record(withy_sim *sim, int station, double interval, int count,
                                     double *x, double *y, double *z, withy_error *err) {
    for (int k = 0; k < count; k++) {
        withy_status status = withy_sim_advance(sim, k * interval, err);
        if (status != WITHY_OK) return status;
        const withy_snapshot *snap = withy_sim_sample(sim, 0);
        if (!snap) {
            if (err) snprintf(err->text, sizeof err->text, "not finite at t = %g", k * interval);
            return WITHY_NO_CONVERGENCE;
        }
        if (x) x[k] = snap->position[station].x;
        if (y) y[k] = snap->position[station].y;
        if (z) z[k] = snap->position[station].z;
    }
    return WITHY_OK;
}

/* ---- theory ---------------------------------------------------------------------------------- */

static inline double fd_stretch(double tension) {
    return 1.0 + tension / (FD_YOUNG * FD_AREA);
}

/* Exact frequency [Hz] of partial `partial` of the pinned string: lower root of
 * det [[GA k^2 - mu w^2, -k g], [-k g, EI k^2 + lambda g - rho I w^2]], as in src/model/shape/partial.c. */
static inline double fd_pinned_of(double tension, double partial, double ei) {
    const double stretch = fd_stretch(tension), k = partial * FD_PI * stretch / FD_LENGTH;
    const double ga = FD_SHEAR * FD_AREA, mu = FD_DENSITY * FD_AREA;
    const double ri = FD_DENSITY * FD_SECOND, g = stretch * ga - tension;
    /* mu rI X^2 - (mu B + rI A) X + A B - k^2 g^2 = 0, X = w^2; A B - k^2 g^2 without cancelling */
    const double a = ga * k * k, b = ei * k * k + stretch * g;
    const double c = k * k * (ga * ei * k * k + g * tension);
    const double p = mu * b + ri * a, root = sqrt(p * p - 4 * mu * ri * c);
    return sqrt(2 * c / (p + root)) / (2 * FD_PI);
}

static inline double fd_pinned(double tension, double partial) {
    return fd_pinned_of(tension, partial, FD_YOUNG * FD_SECOND);
}
