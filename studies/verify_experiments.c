/* verify_experiments.c - benchmarks of the field: beams that were measured, and those that other programs are compared by.
 *
 * What the expected values are is in the title and the note of each row: a closed form, a shooting program that shares no
 * code with this one, or numbers that were published.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "verify.h"
#include "withy/math.h"

static const double DEGREE = 3.14159265358979323846 / 180;

/* A scene, and its simulation. */
typedef struct trial {
    withy_scene *scene;
    withy_sim *sim;
} trial;

static void finish(trial *x) {
    withy_sim_destroy(x->sim);
    withy_scene_destroy(x->scene);
    *x = (trial){0};
}

static withy_status start(trial *x, const char *text, const char *name, double value,
                          withy_error *err) {
    char setting[64];
    const char *override[] = {setting};
    snprintf(setting, sizeof setting, "params.%s=%.17g", name, value);
    *x = (trial){0};
    withy_status status =
        withy_scene_read_text(text, strlen(text), "experiment", override, 1, &x->scene, err);
    if (status == WITHY_OK) status = withy_scene_sim(x->scene, "director", &x->sim, err);
    return status;
}

/* The shape of the first rod in equilibrium; NULL: it was not found, and the failure is a row. */
static const withy_snapshot *rest(verify_log *log, trial *x, const char *text, const char *name,
                                  double value) {
    withy_error err = {0};
    withy_equilibrium at;
    withy_status status = start(x, text, name, value, &err);
    if (status == WITHY_OK) status = withy_sim_rest(x->sim, 1, &at, &err);
    if (status == WITHY_OK) return withy_sim_sample(x->sim, 0);
    verify_failed(log, name, &err);
    finish(x);
    return NULL;
}

/* ---- the Princeton beam: Dowell and Traybar 1975, IFToMM benchmark 2016 ----------------------------------- */

/* Chord along z, flap along y; the load at the angle from the chord. */
#define PRINCETON(ANGLE)                                                                           \
    "local p = params { load = 4.448 } local b = math.rad(" ANGLE ") return { "                    \
    "rod = { length = 0.508, stiffness = { bend = { 36.2794, 2.42873 }, twist = 3.10338, "         \
    "stretch = 2.84191e6, shear = { 6.40131e5, 9.03881e5 } }, "                                    \
    "inertia = { mass = 0.1, rotary = { 1e-5, 1e-6, 1.1e-5 } } }, "                                \
    "initial = { shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } } }, "               \
    "ends = { start = clamped {}, "                                                                \
    "finish = free { force = { 0, p.load * math.sin(b), p.load * math.cos(b) } } }, "              \
    "method = 'director', options = { n = 8, degree = 4 } }"

enum { ANGLES = 5, LOADS = 3 };

static void study_princeton(verify_log *log) {
    static const char *const scene[ANGLES] = {PRINCETON("0"), PRINCETON("30"), PRINCETON("45"),
                                              PRINCETON("60"), PRINCETON("90")};
    static const int angle[ANGLES] = {0, 30, 45, 60, 90};
    static const double load[LOADS] = {4.448, 8.896, 13.345};
    /* chord, flap [mm], twist [degrees] */
    static const double expected[ANGLES][LOADS][3] = {
        {{5.3595, 0, 0}, {10.7154, 0, 0}, {16.0651, 0, 0}},
        {{4.7511, 39.9500, .38224}, {10.1473, 79.4572, 1.51147}, {16.7781, 117.9039, 3.32924}},
        {{3.9652, 56.0560, .43597}, {8.8889, 109.0431, 1.66505}, {15.3423, 156.5899, 3.48473}},
        {{2.8622, 68.1301, .37304}, {6.6544, 129.9253, 1.38087}, {11.7165, 181.9234, 2.77663}},
        {{0, 78.0830, 0}, {0, 146.2619, 0}, {0, 200.6953, 0}}};
    static const double half_digit[3] = {6e-5, 6e-5, 6e-6};
    static const char *const what[3] = {"chord [mm]", "flap [mm]", "twist [degrees]"};
    for (int i = 0; i < ANGLES * LOADS; i++) {
        trial x;
        const double force = load[i % LOADS];
        const withy_snapshot *now = rest(log, &x, scene[i / LOADS], "load", force);
        if (!now) return;
        const withy_vec3 r = now->position[now->count - 1];
        const withy_quat q = now->frame[now->count - 1];
        const double turned = atan2(1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z + q.w * q.x));
        const double ours[3] = {1e3 * r.z, 1e3 * r.y, fabs(turned) / DEGREE};
        for (int k = 0; k < 3; k++) {
            char name[64];
            snprintf(name, sizeof name, "%d degrees, %.6g N: %s", angle[i / LOADS], force, what[k]);
            verify_near(log, name, "", expected[i / LOADS][i % LOADS][k], ours[k], half_digit[k],
                        "");
        }
        finish(&x);
    }
}

/* ---- roll-up -------------------------------------------------------------------------------------------------- */

static const char ROLL_UP[] =
    "local p = params { turn = 1 } local L, EI = 10, 100 return { rod = { length = L, "
    "stiffness = { bend = EI, twist = EI, stretch = 1e8, shear = 1e8 }, "
    "inertia = { mass = 1, rotary = { 1e-3, 1e-3, 2e-3 } } }, "
    "initial = { shape = straight { along = { 1, 0, 0 }, normal = { 0, 0, 1 } } }, "
    "ends = { start = clamped {}, finish = free { moment = { 0, -p.turn * math.pi * EI / L, 0 } } "
    "}, "
    "method = 'director', options = { n = 16, degree = 4 } }";

static void study_roll_up(verify_log *log) {
    static const double turn[] = {.4, .8, 1.2, 2};
    for (int i = 0; i < 4; i++) {
        const double angle = turn[i] * 180 * DEGREE;
        trial x;
        const withy_snapshot *now = rest(log, &x, ROLL_UP, "turn", turn[i]);
        if (!now) return;
        const withy_vec3 r = now->position[now->count - 1];
        char name[64];
        snprintf(name, sizeof name, "moment %g pi EI/L: u1/L", turn[i]);
        verify_near(log, name, "", sin(angle) / angle - 1, r.x / 10 - 1, 1e-8, "");
        snprintf(name, sizeof name, "moment %g pi EI/L: u3/L", turn[i]);
        verify_near(log, name, "", (1 - cos(angle)) / angle, r.z / 10, 1e-8, "");
        finish(&x);
    }
}

/* ---- the 45 degree bend: Bathe and Bolourchi 1979 ------------------------------------------------------------- */

static const char BEND[] =
    "local p = params { load = 600 } return { rod = { length = 25 * math.pi, "
    "stiffness = { bend = 1e7 / 12, twist = 1e7 / 12, stretch = 1e7, shear = 5e6 }, "
    "inertia = { mass = 1, rotary = { 0.1, 0.1, 0.2 } }, "
    "rest = arc { radius = 100, along = { 1, 0, 0 }, normal = { 0, 1, 0 } } }, "
    "ends = { start = clamped {}, finish = free { force = { 0, 0, p.load } } }, "
    "method = 'director', options = { n = 12, degree = 4 } }";

static void study_bend(verify_log *log) {
    static const double load[2] = {300, 600};
    static const double expected[2][3] = {{-11.9315556, -7.0445409, 40.1918917},
                                          {-23.5602395, -13.6045213, 53.4748588}};
    const double x0 = 100 * sin(45 * DEGREE), y0 = 100 * (1 - cos(45 * DEGREE));
    for (int i = 0; i < 2; i++) {
        trial x;
        const withy_snapshot *now = rest(log, &x, BEND, "load", load[i]);
        if (!now) return;
        const withy_vec3 r = now->position[now->count - 1];
        const double ours[3] = {r.x - x0, r.y - y0, r.z};
        for (int k = 0; k < 3; k++) {
            char name[64];
            snprintf(name, sizeof name, "tip force %g: u%d", load[i], k + 1);
            verify_near(log, name, "", expected[i][k], ours[k], 1e-6, "");
        }
        finish(&x);
    }
}

/* ---- lateral buckling of the IFToMM beam: Prandtl 1899 -------------------------------------------------------- */

/* Not bent before it buckles: stiff where the load presses. */
static const char BEAM[] =
    "local p = params { stiff = 1e4 } return { rod = { length = 1, "
    "stiffness = { bend = { 60830 * p.stiff, 608.3 }, twist = 877.2, stretch = 73e9, shear = 25e9 "
    "}, "
    "inertia = { mass = 2.68, rotary = { 2233e-6, 22.33e-6, 2255e-6 } } }, "
    "initial = { shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } } }, "
    "ends = { start = clamped {}, finish = free { force = { 0, 0, 1 } } }, "
    "path = { from = 0, to = 6000, steps = 3 }, method = 'director', "
    "options = { n = 8, degree = 4 } }";

static void study_buckling(verify_log *log) {
    withy_study study = withy_study_default();
    withy_static_report report;
    withy_error err = {0};
    trial x;
    withy_status status = start(&x, BEAM, "stiff", 1e4, &err);
    if (status == WITHY_OK) {
        study.problem = withy_scene_problem(x.scene), study.method = "director";
        study.option = withy_scene_options(x.scene, &study.option_count);
        status = withy_study_static(&study, &report, &err);
    }
    if (status != WITHY_OK)
        verify_failed(log, "lateral buckling", &err);
    else
        verify_near(log, "critical tip force [N]", "", 4.0125993436 * sqrt(608.3 * 877.2),
                    report.critical_count == 1 ? report.critical->factor : 0, 0.01, "");
    if (status == WITHY_OK) withy_static_free(&report);
    finish(&x);
}

/* ---- the IFToMM shaft ------------------------------------------------------------------------------------------ */

static const char SHAFT[] =
    "local p = params { disc = 70.573 } local function half(name, from) return { name = name, "
    "length = 3, stiffness = { bend = 354.5e3, twist = 272.7e3, stretch = 313.4e6, shear = 1e13 }, "
    "inertia = { mass = 7800 * math.pi * (0.05 ^ 2 - 0.045 ^ 2), rotary = { 1e-9, 1e-9, 2e-9 } }, "
    "initial = { shape = straight { from = from, along = { 1, 0, 0 }, normal = { 0, 1, 0 } } } } "
    "end "
    "local a, b = half('a', { 0, 0, 0 }), half('b', { 3, 0, 0 }) "
    "a.ends, b.ends = { start = clamped {} }, { finish = clamped {} } return { rods = { a, b }, "
    "bodies = { { name = 'disc', mass = p.disc, inertia = { 1e-6, 1e-6, 1e-6 }, "
    "position = { 3, 0, 0 } } }, "
    "joints = { weld { parts = { 'a', 'disc' }, at = { 3, { 0, 0, 0 } } }, "
    "weld { parts = { 'disc', 'b' }, at = { { 0, 0, 0 }, 0 } } }, "
    "method = 'director', options = { n = 8, degree = 4 } }";

static void study_shaft(verify_log *log) {
    trial x;
    withy_mode *mode = NULL;
    withy_error err = {0};
    if (!rest(log, &x, SHAFT, "disc", 70.573)) return;
    if (withy_sim_modes(x.sim, 2, &mode, &err) != WITHY_OK)
        verify_failed(log, "modes of the shaft", &err);
    else
        verify_near(log, "first frequency, centred disc [rad/s]", "", 57.0736,
                    360 * DEGREE * mode[0].frequency, 6e-5, "no rotary inertia, no shear");
    if (mode) withy_modes_free(mode, mode->total);
    finish(&x);
}

/* ---- a jumper: Lowe and Langley, a test of MoorDyn --------------------------------------------------------------- */

#define JUMPER(ROD, OPTIONS)                                                                       \
    "local p = params { mass = 165 } local w = (p.mass - 1000 * math.pi / 4 * 0.396 ^ 2) * 9.807 " \
    "return { rod = { length = 170, inertia = { mass = p.mass }, " ROD                             \
    ", loads = { distributed { force = { 0, 0, -w } } } }, "                                       \
    "initial = { shape = catenary { direction = { 0, 0, -1 } } }, "                                \
    "ends = { start = pinned { position = { -100, 0, -55 } }, "                                    \
    "finish = pinned { position = { 0, 0, -5 } } }, method = 'director', options = { " OPTIONS     \
    " } }"

static void study_jumper(verify_log *log) {
    static const char *const scene[2] = {
        JUMPER("stiffness = { bend = 120.8e3, twist = 120.8e3, stretch = 5e8 }",
               "n = 20, degree = 3"),
        JUMPER("kind = 'cable', stiffness = { stretch = 5e11 }", "n = 40, degree = 3")};
    static const char *const kind[2] = {"rod", "catenary"};
    static const char *const printed[2][3] = {{"11.40", "24.04", "45.71"}, {"", "", ""}};
    static const double expected[2][3] = {{11.40, 24.04, 45.71}, {11.473, 24.027, 45.723}};
    static const double digit[2] = {6e-3, 6e-4};
    static const char *const what[3] = {"across", "up, bottom", "up, top"};
    for (int i = 0; i < 2; i++) {
        trial x;
        const withy_snapshot *now = rest(log, &x, scene[i], "mass", 165);
        if (!now) return;
        const double ours[3] = {1e-3 * now->reaction[1].x, 1e-3 * now->reaction[0].z,
                                1e-3 * now->reaction[1].z};
        for (int k = 0; k < 3; k++) {
            char name[64];
            snprintf(name, sizeof name, "%s: force %s [kN]", kind[i], what[k]);
            verify_near(log, name, printed[i][k], expected[i][k], ours[k], digit[i],
                        i ? "plain catenary" : "");
        }
        finish(&x);
    }
}

/* ---- a bent rod that is let go: Audoly and Neukirch 2005 --------------------------------------------------------- */

static const char RELEASE[] =
    "local p = params { k = 1e-3 } return { rod = { length = 1, damping = { bend = 2e-4 }, "
    "stiffness = { bend = 1, twist = 1, stretch = 1e8, shear = 1e8 }, "
    "inertia = { mass = 1, rotary = { 1e-7, 1e-7, 2e-7 } }, "
    "rest = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } } }, "
    "initial = { shape = arc { radius = 1 / p.k, along = { 1, 0, 0 }, normal = { 0, 1, 0 } } }, "
    "ends = { start = clamped {} }, time = { stop = 0.01, output = 0.01 }, "
    "method = 'director', options = { n = 40, degree = 3, dt = 2.5e-5 } }";

static double curvature_at(const withy_snapshot *now, double s) {
    const withy_quantity *bend = withy_quantity_find(WITHY_OF_ROD, "bend");
    int i = 0;
    while (i + 2 < now->count && now->s[i + 1] < s) i++;
    const double share = (s - now->s[i]) / (now->s[i + 1] - now->s[i]);
    return (1 - share) * withy_quantity_at(bend, now, i)[1] +
           share * withy_quantity_at(bend, now, i + 1)[1];
}

static void study_release(verify_log *log) {
    static const double s[2] = {0.75, 0.6}, expected[2] = {0.89544477, 1.22199465};
    withy_error err = {0};
    trial x;
    withy_status status = start(&x, RELEASE, "k", 1e-3, &err);
    if (status == WITHY_OK) status = withy_sim_advance(x.sim, 0.01, &err);
    if (status != WITHY_OK) verify_failed(log, "the rod that is let go", &err);
    for (int i = 0; i < 2 && status == WITHY_OK; i++) {
        char name[64];
        snprintf(name, sizeof name, "s = %g: curvature over that at the start", s[i]);
        verify_near(log, name, "", expected[i],
                    curvature_at(withy_sim_sample(x.sim, 0), s[i]) / 1e-3, 1e-4, "40 elements");
    }
    finish(&x);
}

const verify_study verify_experiments[] = {
    {"princeton", "a strip that is loaded askew: tip at five angles and three loads",
     study_princeton, 0, "princeton_beam",
     "a shooting program of its own; the measurements are in figures only"},
    {"roll-up", "a moment at the tip bends a cantilever into circles", study_roll_up, 0, NULL,
     "closed form: part of a circle"},
    {"bend", "an eighth of a circle, loaded across its plane (Bathe and Bolourchi 1979)",
     study_bend, 0, NULL, "a shooting program of its own; 1979: -23.5, -13.4, 53.4"},
    {"lateral buckling", "a narrow beam tips over under a force at its tip", study_buckling, 0,
     NULL, "closed form of Prandtl 1899"},
    {"shaft", "a tube with a disc in its middle, clamped at both ends", study_shaft, 0, NULL,
     "a transcendental equation"},
    {"jumper", "a pipe hangs between two points in water (Lowe and Langley 2006)", study_jumper, 0,
     NULL, "independent: a catenary"},
    {"release", "a bent rod is let go at one end: waves of curvature (Audoly and Neukirch 2005)",
     study_release, 0, NULL, "a sum over the modes of a thin damped beam"},
    {NULL}};
