/* se3_problems.h - the rod of the notes [SE], its two initial shapes, and runs of method se3. */
#pragma once

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "withy/withy.h"
#include "worst.h"

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

/* Tip of the notes' rod at t, or NAN when the run failed. */
static inline withy_vec3 se3_tip_at(withy_function shape, const char *options, double t) {
    const withy_rod rod = se3_rod(shape, NULL);
    const withy_problem problem = se3_problem(&rod, t, t);
    withy_error err = {0};
    withy_sim *sim;
    withy_vec3 tip = {NAN, NAN, NAN};
    if (se3_sim(&problem, options, &sim, &err) != WITHY_OK) return tip;
    if (withy_sim_advance(sim, t, &err) == WITHY_OK) tip = se3_tip(sim);
    withy_sim_destroy(sim);
    return tip;
}

/* ---- truth: planar beam in absolute coordinates, explicit, fine grids -------- */

/* t = 0.1, 0.2 .. 1.0: tip x, z of test A (error about 1e-5) and of test C (2e-7). */
static const double se3_truth_a[10][2] = {{-0.0331225, 0.0924448}, {0.0238766, 0.0962872},
                                          {-0.0121865, 0.0989555}, {-0.0010002, 0.0999102},
                                          {0.0143487, 0.0986394},  {-0.0233848, 0.0970326},
                                          {0.0295942, 0.0950472},  {-0.0312450, 0.0946696},
                                          {0.0318702, 0.0939352},  {-0.0278832, 0.0959502}};
static const double se3_truth_c[10][2] = {{-0.0206945, 0.0974815}, {0.0163231, 0.0984483},
                                          {-0.0096257, 0.0994705}, {0.0015407, 0.0999968},
                                          {0.0067808, 0.0997432},  {-0.0141138, 0.0988456},
                                          {0.0194173, 0.0977895},  {-0.0220204, 0.0971409},
                                          {0.0215968, 0.0972513},  {-0.0182157, 0.0980615}};

/* Largest difference from the truth over t = 0.1 .. 1.0, in x and in z. */
static inline withy_status se3_against_truth(withy_function shape, const double (*truth)[2],
                                             const char *options, double worst[2],
                                             withy_error *err) {
    const withy_rod rod = se3_rod(shape, NULL);
    const withy_problem problem = se3_problem(&rod, 1, 0.1);
    withy_sim *sim;
    withy_status status = se3_sim(&problem, options, &sim, err);
    worst[0] = worst[1] = 0;
    for (int k = 0; k < 10 && status == WITHY_OK; k++) {
        status = withy_sim_advance(sim, 0.1 * (k + 1), err);
        const withy_vec3 tip = se3_tip(sim);
        worst[0] = worst_of(worst[0], fabs(tip.x - truth[k][0]));
        worst[1] = worst_of(worst[1], fabs(tip.z - truth[k][1]));
    }
    withy_sim_destroy(sim);
    return status;
}

/* ---- statics ------------------------------------------------------------------------ */

typedef struct se3_static_case {
    const char *name;
    double force; /* P L^2/EI along x                                                   */
    int follower;
    double moment;      /* about y, times EI/L                                                */
    withy_vec3 gravity; /* [m/s^2]                                                            */
    double tendon;      /* tension at r = (4 mm, 0) [N]                                       */
    withy_vec3 dead;    /* further dead force [N]                                             */
    double mass;        /* at the tip [kg]                                                    */
    withy_vec3 tip;     /* reference: static shooting by DOP853, or closed form               */
} se3_static_case;

#define SE3_NONE                                                                                   \
    { 0, 0, 0 }

static const se3_static_case se3_statics[] = {
    {"dead force 1", 1, 0, 0, SE3_NONE, 0, SE3_NONE, 0, {0.03033497, 0, 0.09432603}},
    {"dead force 2", 2, 0, 0, SE3_NONE, 0, SE3_NONE, 0, {0.04960945, 0, 0.08386685}},
    {"dead force 5", 5, 0, 0, SE3_NONE, 0, SE3_NONE, 0, {0.07187450, 0, 0.06112408}},
    {"dead force 10", 10, 0, 0, SE3_NONE, 0, SE3_NONE, 0, {0.08193799, 0, 0.04435456}},
    {"follower force 1", 1, 1, 0, SE3_NONE, 0, SE3_NONE, 0, {0.03223676, 0, 0.09349372}},
    {"follower force 2", 2, 1, 0, SE3_NONE, 0, SE3_NONE, 0, {0.05764438, 0, 0.07647788}},
    {"follower force 5", 5, 1, 0, SE3_NONE, 0, SE3_NONE, 0, {0.07780857, 0, 0.01644406}},
    {"follower force 10", 10, 1, 0, SE3_NONE, 0, SE3_NONE, 0, {0.05317959, 0, -0.00942949}},
    {"gravity", 0, 0, 0, {-9.81, 0, 0}, 0, SE3_NONE, 0, {-0.01918791, 0, 0.09788886}},
    {"tip moment pi/2",
     0,
     0,
     SE3_PI / 2,
     SE3_NONE,
     0,
     SE3_NONE,
     0,
     {0.0636619772, 0, 0.0636619772}},
    {"tendon 0.3 N", 0, 0, 0, SE3_NONE, 0.3, SE3_NONE, 0, {0.0121158913, 0, 0.0986287655}},
    {"three-dimensional",
     0,
     0,
     0,
     {-3, -5, -7},
     0,
     {0.02, 0.03, -0.01},
     0.002,
     {0.00525475587, 0.00535854382, 0.09955723211}},
};
enum { SE3_STATICS = sizeof se3_statics / sizeof *se3_statics };

/* Solve one; *force and *moment are those of the support on the rod. */
static inline withy_status se3_solve_static(const se3_static_case *expected, const char *options,
                                            withy_vec3 *tip, withy_vec3 *force, withy_vec3 *moment,
                                            withy_error *err) {
    withy_rod rod = se3_rod(NULL, NULL);
    const withy_load tendon = {.kind = WITHY_LOAD_TENDON,
                               .to = SE3_L,
                               .route = {.size = 2, .value = {0.004, 0}},
                               .tension = withy_field_number(expected->tendon)};
    if (expected->tendon > 0) rod.load = &tendon, rod.load_count = 1;
    rod.end[1].force =
        withy_field_vector(expected->force * SE3_EI / (SE3_L * SE3_L) + expected->dead.x,
                           expected->dead.y, expected->dead.z);
    rod.end[1].moment = withy_field_vector(0, expected->moment * SE3_EI / SE3_L, 0);
    rod.end[1].follower = expected->follower;
    rod.end[1].mass = expected->mass;
    withy_problem problem = se3_problem(&rod, 1, 0.1);
    problem.gravity = expected->gravity;
    withy_sim *sim;
    withy_equilibrium at;
    withy_status status = se3_sim(&problem, options, &sim, err);
    if (status == WITHY_OK) status = withy_sim_equilibrium(sim, 1, &at, err);
    if (status == WITHY_OK) {
        const withy_snapshot *snap = withy_sim_sample(sim, 0);
        *tip = snap->position[snap->count - 1];
        *force = snap->reaction[0];
        *moment = snap->reaction_moment[0];
    }
    withy_sim_destroy(sim);
    return status;
}

static inline double se3_distance(withy_vec3 a, withy_vec3 b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

/* ---- dissipation -------------------------------------------------------------------- */

/* Energy factor per period of mode 1 and E(1 s)/E0 of test C from rest, dt = 0.01, 0.005, 0.001. */
typedef struct se3_loss {
    double alpha, period[3], second[3];
} se3_loss;

static const se3_loss se3_losses[] = {
    {0, {0.9458, 0.99212, 0.999934}, {0.7197, 0.9435, 0.99872}},
    {-0.2, {0.9721, 0.99615, 0.999968}, {0.8314, 0.9675, 0.99918}},
    {-0.4, {0.9926, 0.99902, 0.999992}, {0.9359, 0.9872, 0.99959}},
    {-0.5, {1, 1, 1}, {0.9812, 0.9952, 0.99980}},
};
static const double se3_loss_dt[3] = {0.01, 0.005, 0.001};

/* Energy of a run of test C, `scale` times its amplitude, at two times. */
static inline withy_status se3_energies(const char *options, double scale, double t1, double t2,
                                        double energy[2], withy_error *err) {
    const withy_rod rod = se3_rod(se3_shape_c, &scale);
    const withy_problem problem = se3_problem(&rod, t2, t2 - t1 < t1 ? t2 - t1 : t1);
    withy_sim *sim;
    withy_status status = se3_sim(&problem, options, &sim, err);
    const double t[2] = {t1, t2};
    for (int k = 0; k < 2 && status == WITHY_OK; k++) {
        status = withy_sim_advance(sim, t[k], err);
        energy[k] = withy_sim_stats(sim).energy_end;
    }
    withy_sim_destroy(sim);
    return status;
}

/* ---- frequencies of the box scheme ------------------------------------------------------------- */

enum { SE3_MOST_NODES = 401 };

/* Deflection w along x and rotation theta about y at the nodes; as a load: force and moment. */
typedef struct se3_deflection {
    int n;
    double w[SE3_MOST_NODES], theta[SE3_MOST_NODES];
} se3_deflection;

static inline withy_status se3_inertial_force(void *context, double s, double t, double *out,
                                              withy_error *err) {
    (void)t, (void)err;
    const se3_deflection *d = context;
    const int j = (int)floor(s / SE3_L * d->n + 0.5);
    out[0] = 7.853981633974483e-2 * d->w[j], out[1] = out[2] = 0;
    return WITHY_OK;
}

static inline withy_status se3_inertial_moment(void *context, double s, double t, double *out,
                                               withy_error *err) {
    (void)t, (void)err;
    const se3_deflection *d = context;
    const int j = (int)floor(s / SE3_L * d->n + 0.5);
    out[1] = 4.908738521234052e-7 * d->theta[j], out[0] = out[2] = 0;
    return WITHY_OK;
}

/* The kinetic product of the box: means over cells. */
static inline double se3_product(const se3_deflection *a, const se3_deflection *b) {
    double sum = 0;
    for (int j = 0; j < a->n; j++)
        sum += 0.25 * SE3_L / a->n *
               (7.853981633974483e-2 * (a->w[j] + a->w[j + 1]) * (b->w[j] + b->w[j + 1]) +
                4.908738521234052e-7 * (a->theta[j] + a->theta[j + 1]) *
                    (b->theta[j] + b->theta[j + 1]));
    return sum;
}

static inline void se3_combine(se3_deflection *a, double k, const se3_deflection *b, double scale) {
    for (int j = 0; j <= a->n; j++) {
        a->w[j] = scale * (a->w[j] + k * b->w[j]);
        a->theta[j] = scale * (a->theta[j] + k * b->theta[j]);
    }
}

/* Deflection under the inertial load of *d, by the static interface, small enough to be linear. */
static inline withy_status se3_respond(se3_deflection *d, withy_error *err) {
    char options[32];
    snprintf(options, sizeof options, "n=%d", d->n);
    withy_rod rod = se3_rod(NULL, NULL);
    const withy_load load = {.kind = WITHY_LOAD_DISTRIBUTED,
                             .to = SE3_L,
                             .force = {.size = 3, .call = se3_inertial_force, .context = d},
                             .moment = {.size = 3, .call = se3_inertial_moment, .context = d}};
    rod.load = &load, rod.load_count = 1;
    const withy_problem problem = se3_problem(&rod, 1, 1);
    withy_sim *sim;
    withy_equilibrium at;
    withy_status status = se3_sim(&problem, options, &sim, err);
    if (status == WITHY_OK) status = withy_sim_equilibrium(sim, 1, &at, err);
    const withy_snapshot *snap = status == WITHY_OK ? withy_sim_sample(sim, 0) : NULL;
    for (int j = 0; snap && j <= d->n; j++) {
        d->w[j] = snap->position[j].x;
        d->theta[j] = 2 * snap->frame[j].y;
    }
    withy_sim_destroy(sim);
    return status;
}

/* The lowest `count` circular frequencies of the box with n cells, by inverse iteration: exact for
 * the space discretisation, no time step in them. */
static inline withy_status se3_box_frequencies(int n, int count, double *omega, withy_error *err) {
    static se3_deflection mode[3];
    for (int m = 0; m < count; m++) {
        se3_deflection *d = &mode[m];
        d->n = n;
        for (int j = 0; j <= n; j++) {
            const double x = (double)j / n;
            d->w[j] = x * x * cos(3.3 * m * x);
            d->theta[j] = 0;
        }
        for (int k = 0; k < 25; k++) {
            for (int i = 0; i < m; i++)
                se3_combine(d, -se3_product(d, &mode[i]) / se3_product(&mode[i], &mode[i]),
                            &mode[i], 1);
            const double small = 1e-4 / sqrt(se3_product(d, d)); /* deflection about 1e-5 L */
            se3_combine(d, 0, d, small);
            const double before = sqrt(se3_product(d, d));
            const withy_status status = se3_respond(d, err);
            if (status != WITHY_OK) return status;
            omega[m] = sqrt(before / sqrt(se3_product(d, d)));
        }
    }
    return WITHY_OK;
}
