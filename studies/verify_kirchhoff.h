/* verify_kirchhoff.h - what the files of the kirchhoff studies share: vectors, and helical springs. */
#pragma once

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "verify.h"

#define PI 3.14159265358979323846

typedef withy_vec3 vec;

static inline vec make(double x, double y, double z) {
    return (vec){x, y, z};
}
static inline vec plus(vec a, double k, vec b) {
    return (vec){a.x + k * b.x, a.y + k * b.y, a.z + k * b.z};
}
static inline double dot(vec a, vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline vec cross(vec a, vec b) {
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double size(vec a) {
    return sqrt(dot(a, a));
}

/* ---- springs --------------------------------------------------------------------------------- */

typedef struct spring {
    withy_rod rod;
    withy_problem problem;
    withy_sim *sim;
} spring;

static inline withy_shape helix(double radius, double angle) {
    return (withy_shape){.kind = WITHY_SHAPE_HELIX,
                         .from = {radius, 0, 0},
                         .along = {0, 0, 1},
                         .normal = {1, 0, 0},
                         .radius = radius,
                         .pitch = 2 * PI * radius * tan(angle)};
}

static inline double wire_length(double angle, double turns) {
    return 2 * PI * turns / cos(angle);
}

static inline void spring_of(spring *x, double angle, double turns, double twist, withy_end_kind a,
                             withy_end_kind b) {
    *x = (spring){.problem = withy_problem_default()};
    x->rod = (withy_rod){.name = "spring", .length = wire_length(angle, turns)};
    x->rod.stiffness[WITHY_BEND1] = x->rod.stiffness[WITHY_BEND2] = withy_field_number(1);
    x->rod.stiffness[WITHY_TWIST] = withy_field_number(twist);
    x->rod.inertia[WITHY_MASS] = withy_field_number(1);
    x->rod.rest = helix(1, angle);
    x->rod.end[0].kind = a, x->rod.end[1].kind = b;
    x->problem.title = "spring";
    x->problem.rod = &x->rod;
}

static inline void stretch(spring *x, double angle, double turns, double by) {
    const double pulled = asin(by * sin(angle));
    x->rod.initial = helix(x->rod.length * cos(pulled) / (2 * PI * turns), pulled);
}

static inline void damp(spring *x, double nu) {
    x->rod.damping[WITHY_BEND1] = x->rod.damping[WITHY_BEND2] = withy_field_number(nu);
    x->rod.damping[WITHY_TWIST] = withy_field_number(nu);
}

/* words: "energy=quadratic kappa=pointwise"; 0 when that failed (a failing row is logged). */
static inline int open_spring(verify_log *log, spring *x, int n, double h, const char *words) {
    withy_option option[8] = {{.name = "n", .number = n}, {.name = "dt", .number = h}};
    int count = 2;
    char copy[256];
    snprintf(copy, sizeof copy, "%s", words);
    for (char *at = copy; *at && count < 8;) {
        char *blank = strchr(at, ' ');
        if (blank) *blank = '\0';
        char *equal = strchr(at, '=');
        *equal = '\0';
        snprintf(option[count].name, WITHY_NAME, "%.63s", at);
        snprintf(option[count++].word, WITHY_NAME, "%.63s", equal + 1);
        at = blank ? blank + 1 : equal + strlen(equal + 1) + 1;
    }
    withy_error err = {0};
    x->problem.request.output = h, x->problem.request.stop = 1e4 * h;
    if (withy_sim_create(&x->problem, "kirchhoff", option, count, &x->sim, &err) == WITHY_OK)
        return 1;
    verify_failed(log, "create", &err);
    return 0;
}

static const withy_snapshot *step_to(verify_log *log, spring *x, double t) {
    withy_error err = {0};
    if (withy_sim_advance(x->sim, t, &err) == WITHY_OK) return withy_sim_sample(x->sim, 0);
    verify_failed(log, "advance", &err);
    return NULL;
}

static const withy_snapshot *relax(verify_log *log, spring *x, double factor) {
    withy_error err = {0};
    withy_equilibrium at;
    if (withy_sim_equilibrium(x->sim, factor, &at, &err) == WITHY_OK)
        return withy_sim_sample(x->sim, 0);
    verify_failed(log, "equilibrium", &err);
    return NULL;
}

/* Material frame at s of the wire bent into (radius, pulled); normals at their rest angle. */
static inline withy_field frame_at(double angle, double radius, double pulled, double s) {
    const double phi = s * cos(pulled) / radius, turned = sin(angle) * cos(angle) * s;
    const vec t = make(-cos(pulled) * sin(phi), cos(pulled) * cos(phi), sin(pulled));
    const vec radial = make(cos(phi), sin(phi), 0), binormal = cross(radial, t);
    const vec d1 = plus(plus(make(0, 0, 0), cos(turned), radial), sin(turned), binormal),
              d2 = cross(t, d1);
    /* quaternion by the trace, or by the largest diagonal entry */
    const double m[3][3] = {{d1.x, d2.x, t.x}, {d1.y, d2.y, t.y}, {d1.z, d2.z, t.z}};
    double q[4];
    q[0] = 1 + m[0][0] + m[1][1] + m[2][2], q[1] = m[2][1] - m[1][2];
    q[2] = m[0][2] - m[2][0], q[3] = m[1][0] - m[0][1];
    for (int i = 0; i < 3 && q[0] < .1; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        if (m[i][i] < m[j][j] || m[i][i] < m[k][k]) continue;
        q[0] = m[k][j] - m[j][k], q[1 + i] = 1 + m[i][i] - m[j][j] - m[k][k];
        q[1 + j] = m[i][j] + m[j][i], q[1 + k] = m[i][k] + m[k][i];
        break;
    }
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return (withy_field){.size = 4,
                         .value = {q[0] / length, q[1] / length, q[2] / length, q[3] / length}};
}

/* The studies of the second file. */
void kirchhoff_propositions(verify_log *log);
void kirchhoff_lemma_8(verify_log *log);
void kirchhoff_theorems_9_10(verify_log *log);
void kirchhoff_jacobian(verify_log *log);
void kirchhoff_multipliers(verify_log *log);
