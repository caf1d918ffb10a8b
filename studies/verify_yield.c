/* verify_yield.c - materials that yield or transform, against closed forms and quadratures: what remains after unloading. */
#include <math.h>
#include <stdio.h>

#include "director_problems.h"
#include "verify.h"
#include "withy/math.h"

static const withy_snapshot *now_of(withy_sim *sim) {
    return withy_sim_sample(sim, 0);
}

static withy_status rest_at(withy_sim *sim, double factor, withy_error *err) {
    withy_equilibrium at;
    return withy_sim_equilibrium(sim, factor, &at, err);
}

/* What stays of bend1, bend2 or twist, mean over the rod: where a moment hardly grows any more, that at one place is left to
 * rounding. */
static double mean_set(const withy_snapshot *now, int component) {
    const withy_quantity *what = withy_quantity_find(WITHY_OF_ROD, "set");
    double sum = 0;
    for (int i = 1; i < now->count; i++)
        sum += 0.5 * (now->s[i] - now->s[i - 1]) *
               (withy_quantity_at(what, now, i)[component] +
                withy_quantity_at(what, now, i - 1)[component]);
    return sum / now->s[now->count - 1];
}

/* ---- a bar in torsion, perfectly plastic ----------------------------------------------------------------- */

/* The finish turned by t about the bar, which is along x. */
static withy_status turned(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    out[0] = 0, out[1] = cos(t), out[2] = sin(t);
    return WITHY_OK;
}

/* Torque at the angle, and when the bar is turned back to where it is said to stay. */
static int wring(int fibres, double angle, double back, double torque[2], withy_error *err) {
    director_problem x;
    withy_sim *sim;
    director_plain(&x, 1, 10e-3, 208e9, 80e9, 7800);
    x.rod.law = (withy_law){.kind = WITHY_LAW_PLASTIC, .yield = 5e8 * sqrt(3), .fibres = fibres};
    director_ends(&x, WITHY_END_CLAMPED, WITHY_END_CLAMPED);
    x.rod.end[1].position = withy_field_vector(1, 0, 0);
    x.rod.end[1].tangent = withy_field_vector(1, 0, 0);
    x.rod.end[1].normal = (withy_field){.size = 3, .call = turned};
    int fine = director_start(&x, "n=16 degree=3", &sim, err) == WITHY_OK;
    for (int i = 0; i <= 20 && fine; i++) fine = rest_at(sim, angle * i / 20, err) == WITHY_OK;
    if (fine) torque[0] = now_of(sim)->reaction_moment[1].x;
    fine = fine && rest_at(sim, back, err) == WITHY_OK;
    if (fine) torque[1] = now_of(sim)->reaction_moment[1].x;
    withy_sim_destroy(sim);
    return fine;
}

static void study_torsion(verify_log *log) {
    static const double expected[2] = {126.80907847, 130.38836697};
    static const double stays[2] = {.8854166667, 3.3398437500};
    withy_error err = {0};
    char what[80];
    double torque[2];
    for (int i = 0; i < 2; i++) {
        const double angle = 2.5 * (i + 1);
        if (!wring(4096, angle, stays[i], torque, &err)) {
            verify_failed(log, "the bar in torsion", &err);
            return;
        }
        snprintf(what, sizeof what, "turned by %g rad: torque [N m]", angle);
        verify_near(log, what, "", expected[i], torque[0], 1e-3, "4096 fibres");
        snprintf(what, sizeof what, "turned back to %.6g rad: torque [N m]", stays[i]);
        verify_near(log, what, "", 0, torque[1], 1e-3, "4096 fibres");
    }
    if (!wring(128, 2.5, .885366, torque, &err)) return;
    verify_near(log, "the same with 128 fibres: torque [N m]", "", 126.8131, torque[0], 5e-5,
                "independent: another program with the same 128 fibres");
    verify_near(log, "turned back to 0.885366 rad: torque [N m]", "", 0, torque[1], 5e-5,
                "independent: another program with the same 128 fibres");
}

/* ---- a wire on a mandrel ------------------------------------------------------------------------------------ */

static withy_status around(void *context, double s, double t, double *out, withy_error *err) {
    const double k = *(const double *)context * t, length = 0.01;
    (void)s, (void)err;
    out[0] = k > 0 ? sin(k * length) / k : length, out[2] = 0;
    out[1] = k > 0 ? 2 * sin(0.5 * k * length) * sin(0.5 * k * length) / k : 0;
    return WITHY_OK;
}

static withy_status along(void *context, double s, double t, double *out, withy_error *err) {
    const double turn = *(const double *)context * t * 0.01;
    (void)s, (void)err;
    out[0] = cos(turn), out[1] = sin(turn), out[2] = 0;
    return WITHY_OK;
}

static withy_status across(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)t, (void)err;
    out[0] = out[1] = 0, out[2] = 1;
    return WITHY_OK;
}

/* A wire of 2 mm, bent to a circle on it; moment over that at yield, and the inner diameter of the coil set free. */
static int wind(int fibres, double mandrel, double *moment, double *diameter, withy_error *err) {
    director_problem x;
    withy_sim *sim;
    double kappa = 2 / (mandrel + 2e-3);
    const double most = DIRECTOR_PI / 32 * 8e-9 * 1.5e9;
    director_plain(&x, 0.01, 2e-3, 200e9, 80e9, 7800);
    x.rod.initial.normal = (withy_vec3){0, 0, 1};
    x.rod.law = (withy_law){.kind = WITHY_LAW_PLASTIC, .yield = 1.5e9, .fibres = fibres};
    director_ends(&x, WITHY_END_CLAMPED, WITHY_END_CLAMPED);
    x.rod.end[1].position = (withy_field){.size = 3, .call = around, .context = &kappa};
    x.rod.end[1].tangent = (withy_field){.size = 3, .call = along, .context = &kappa};
    x.rod.end[1].normal = (withy_field){.size = 3, .call = across};
    int fine = director_start(&x, "n=8 degree=4", &sim, err) == WITHY_OK;
    for (int i = 0; i <= 20 && fine; i++) fine = rest_at(sim, i / 20.0, err) == WITHY_OK;
    if (fine) *moment = fabs(now_of(sim)->reaction_moment[0].z) / most;
    if (fine) *diameter = 2 / fabs(mean_set(now_of(sim), 0)) - 2e-3;
    withy_sim_destroy(sim);
    return fine;
}

static void study_mandrel(verify_log *log) {
    static const double mandrel[2] = {20e-3, 100e-3};
    static const double expected[2][2] = {{1.6918813050, 23.56891438e-3},
                                          {1.5762391860, 254.86968291e-3}};
    withy_error err = {0};
    for (int i = 0; i < 2; i++) {
        double moment, diameter;
        char what[80];
        if (!wind(4096, mandrel[i], &moment, &diameter, &err)) {
            verify_failed(log, "the wire on a mandrel", &err);
            return;
        }
        snprintf(what, sizeof what, "mandrel of %g mm: moment over that at yield",
                 1e3 * mandrel[i]);
        verify_near(log, what, "", expected[i][0], moment, 1e-4, "4096 fibres");
        snprintf(what, sizeof what, "mandrel of %g mm: inner diameter when free [m]",
                 1e3 * mandrel[i]);
        verify_near(log, what, "", expected[i][1], diameter, 2e-4 * expected[i][1], "4096 fibres");
    }
}

/* ---- a strip that is loaded at its tip and unloaded ---------------------------------------------------------- */

typedef struct strip {
    double loaded[4], free[3], lost; /* x, y [m], angle [rad], moment [N m]; x, y, angle */
} strip;

static void read_tip(withy_sim *sim, double tip[3]) {
    const withy_snapshot *now = now_of(sim);
    const withy_vec3 r = now->position[now->count - 1];
    const withy_quat q = now->frame[now->count - 1]; /* d3 = (2 (xz + wy), 2 (yz - wx), ..) */
    tip[0] = r.x, tip[1] = r.y;
    tip[2] = atan2(q.y * q.z - q.w * q.x, q.x * q.z + q.w * q.y);
}

static int bend_strip(const withy_law *law, double young, double force, strip *out,
                      withy_error *err) {
    enum { STEPS = 20 };
    director_problem x;
    withy_sim *sim;
    director_plain(&x, 0.5, 10e-3, young, young / 2.6, 7800);
    x.rod.section.kind = WITHY_SECTION_RECTANGLE, x.rod.section.b = withy_field_number(5e-3);
    x.rod.initial.normal = (withy_vec3){0, 0, 1};
    x.rod.law = *law;
    director_ends(&x, WITHY_END_CLAMPED, WITHY_END_FREE);
    x.rod.end[1].force = withy_field_vector(0, force, 0);
    int fine = director_start(&x, "n=40 degree=4", &sim, err) == WITHY_OK;
    for (int i = 0; i <= 2 * STEPS && fine; i++) {
        fine = rest_at(sim, (i <= STEPS ? i : 2 * STEPS - i) / (double)STEPS, err) == WITHY_OK;
        if (!fine) break;
        if (i == STEPS) read_tip(sim, out->loaded);
        if (i == STEPS) out->loaded[3] = fabs(now_of(sim)->reaction_moment[0].z);
        if (i == 2 * STEPS) read_tip(sim, out->free), out->lost = now_of(sim)->dissipated;
    }
    withy_sim_destroy(sim);
    return fine;
}

static void study_strip(verify_log *log) {
    static const double loaded[4] = {.4900334965, .0911383166, .2715237544, 22.0515073441};
    static const double left[3] = {.4999818515, .0042007503, .0088626133};
    static const char *const what[4] = {"x [m]", "y [m]", "angle [rad]",
                                        "moment at the clamp [N m]"};
    withy_law law = {.kind = WITHY_LAW_PLASTIC, .yield = 400e6, .layers = 4096};
    withy_error err = {0};
    strip out;
    char name[64];
    if (!bend_strip(&law, 200e9, 45, &out, &err)) {
        verify_failed(log, "the strip", &err);
        return;
    }
    for (int i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "loaded: %s", what[i]);
        verify_near(log, name, "", loaded[i], out.loaded[i], 1e-5 * fabs(loaded[i]), "4096 layers");
    }
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "unloaded: %s", what[i]);
        verify_near(log, name, "", left[i], out.free[i], 1e-6, "4096 layers");
    }
}

static void study_superelastic(verify_log *log) {
    static const double loaded[3] = {.3859708521, .2888612579, .9297716525};
    static const char *const what[3] = {"x [m]", "y [m]", "angle [rad]"};
    withy_law law = {.kind = WITHY_LAW_SUPERELASTIC,
                     .forward = 400e6,
                     .reverse = 150e6,
                     .slope = 1e9,
                     .strain = 0.5,
                     .layers = 4096};
    withy_error err = {0};
    strip out;
    char name[64];
    if (!bend_strip(&law, 50e9, 55, &out, &err)) {
        verify_failed(log, "the strip", &err);
        return;
    }
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "loaded: %s", what[i]);
        verify_near(log, name, "", loaded[i], out.loaded[i], 1e-5 * fabs(loaded[i]), "4096 layers");
    }
    verify_near(log, "a cycle loses [J]", "", .169587407, out.lost, 2e-6, "4096 layers");
    verify_below(log, "it goes back to its shape: distance of the tip [m]", "",
                 hypot(out.free[0] - 0.5, out.free[1]), 1e-9, "");
}

const verify_study verify_yield[] = {
    {"torsion", "a round bar wrung twice and four times as far as it is elastic", study_torsion, 0,
     .basis = "closed form of perfectly plastic torsion"},
    {"mandrel", "a spring wire bent round a mandrel, and set free", study_mandrel, 0,
     .basis = "closed form of perfectly plastic bending"},
    {"strip", "a strip of steel loaded at its tip, and unloaded", study_strip, 0,
     .basis = "shooting with the moment of a rectangle in closed form"},
    {"superelastic strip", "the same of nitinol", study_superelastic, 0,
     .basis = "shooting with the moment of a rectangle by quadrature"},
    {0}};
