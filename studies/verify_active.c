/* verify_active.c - rods that act: strains at rest that change, muscles, chambers; against closed forms, other loads and another
 * program. */
#include <math.h>
#include <stdio.h>

#include "director_problems.h"
#include "verify.h"
#include "withy/math.h"

static withy_vec3 tip_of(withy_sim *sim) {
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    return now->position[now->count - 1];
}

/* ---- a bent strip -------------------------------------------------------------------------------------- */

/* A bimetal strip of width 10 mm and two layers of d/2 = 0.5 mm each, 0.1 m long: its curvature over d is a rest curvature that
 * follows the temperature, kappa d/(d alpha dT) = 6 (1 + m)^2/(3 (1 + m)^2 + (1 + m n) (m^2 + 1/(m n))), m = 1: ratio of the
 * thicknesses, n: of the moduli. */
static double curvature_of(double n) {
    return 6 * 4 / (3 * 4 + (1 + n) * (1 + 1 / n));
}

static void study_bimetal(verify_log *log) {
    static const double ratio[] = {1, 2, 10}, expected[] = {1.5, 1.45454545, 0.99585062};
    const double length = 0.1, thick = 1e-3, expansion = 17e-6, hot = 400;
    for (int i = 0; i < 3; i++) {
        char what[64];
        director_problem x;
        withy_sim *sim;
        withy_equilibrium at;
        withy_error err = {0};
        director_plain(&x, length, thick, 1e11, 4e10, 8000);
        /* about d2 = z: along x with d1 along y */
        x.rod.heat.expansion = expansion;
        x.rod.heat.gradient =
            (withy_field){.size = 2, .value = {-curvature_of(ratio[i]) / thick * hot}};
        director_ends(&x, WITHY_END_CLAMPED, WITHY_END_FREE);
        snprintf(what, sizeof what, "curvature of the strip, moduli 1 : %g", ratio[i]);
        if (director_start(&x, "n=4", &sim, &err) == WITHY_OK &&
            withy_sim_equilibrium(sim, 1, &at, &err) == WITHY_OK) {
            const withy_vec3 r = tip_of(sim);
            const double k = 2 * atan2(r.y, r.x) / length;
            verify_near(log, what, "", expected[i], k * thick / (expansion * hot), 5e-9,
                        "by its tip");
        } else {
            verify_failed(log, what, &err);
        }
        withy_sim_destroy(sim);
    }
}

/* ---- a heated column ----------------------------------------------------------------------------------- */

/* The factor at which the straight rod loses its stability, bisected. */
static int critical_heat(int clamped, double slender, double *factor, withy_error *err) {
    director_problem x;
    withy_sim *sim;
    withy_equilibrium at;
    director_plain(&x, 1, 4 / slender, 1e9, 1e14, 1000); /* i = d/4 */
    x.rod.heat.expansion = 1;
    x.rod.heat.temperature = withy_field_number(1 / (slender * slender));
    const withy_end_kind kind = clamped ? WITHY_END_CLAMPED : WITHY_END_PINNED;
    director_ends(&x, kind, kind);
    double low = 0, high = clamped ? 60 : 15;
    for (int i = 0; i < 45; i++) {
        const double middle = 0.5 * (low + high);
        if (director_start(&x, "n=8 degree=4", &sim, err) != WITHY_OK) return 0;
        const int fine = withy_sim_equilibrium(sim, middle, &at, err) == WITHY_OK;
        withy_sim_destroy(sim);
        if (!fine) return 0;
        if (at.negative > 0)
            high = middle;
        else
            low = middle;
    }
    *factor = low;
    return 1;
}

static void study_column(verify_log *log) {
    for (int clamped = 0; clamped < 2; clamped++) {
        const double expected = (clamped ? 4 : 1) * DIRECTOR_PI * DIRECTOR_PI, slender = 50;
        withy_error err = {0};
        double factor;
        if (critical_heat(clamped, slender, &factor, &err))
            verify_near(
                log, clamped ? "alpha dT (L/i)^2, clamped ends" : "alpha dT (L/i)^2, pinned ends",
                "", expected, factor, 1e-5 * expected,
                "the walls keep the stretch at 1, and shear is rigid: then the closed form holds "
                "at any L/i");
        else
            verify_failed(log, "the heated column", &err);
    }
}

/* ---- a curvature that moves the rod ---------------------------------------------------------------------- */

static double turn_at(double t) {
    return 3 * sin(6 * t) * t * t;
}

static withy_status curvature_at(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    out[0] = 0, out[1] = turn_at(t), out[2] = 0;
    return WITHY_OK;
}

static withy_status moment_at(void *context, double s, double t, double *out, withy_error *err) {
    const double *bend = context;
    (void)s, (void)err;
    out[0] = 0, out[1] = *bend * turn_at(t), out[2] = 0;
    return WITHY_OK;
}

/* A curvature at rest that is the same along the rod moves it as the moment EI kappa does that turns with its finish. */
static void make_moved(director_problem *x, int by_moment, double *bend) {
    director_plain(x, 1, 0.05, 1e7, 1e7 / 3, 1000);
    *bend = 1e7 * DIRECTOR_PI * pow(0.025, 4) / 4;
    if (by_moment) {
        x->rod.end[1].moment = (withy_field){.size = 3, .call = moment_at, .context = bend};
        x->rod.end[1].follower = 1;
    } else {
        x->rod.rest = (withy_shape){.kind = WITHY_SHAPE_STRAIN,
                                    .along = {1, 0, 0},
                                    .normal = {0, 1, 0},
                                    .strain = {.size = 3, .call = curvature_at},
                                    .in_time = 1};
    }
    director_ends(x, WITHY_END_CLAMPED, WITHY_END_FREE);
    director_times(x, 1, 0.25);
}

enum { INSTANTS = 4 };

static int move(int by_moment, const char *options, withy_vec3 tip[INSTANTS], double *drift,
                withy_error *err) {
    director_problem x;
    withy_sim *sim;
    double bend;
    make_moved(&x, by_moment, &bend);
    int fine = director_start(&x, options, &sim, err) == WITHY_OK;
    for (int i = 0; i < INSTANTS && fine; i++) {
        fine = withy_sim_advance(sim, 0.25 * (i + 1), err) == WITHY_OK;
        if (fine) tip[i] = tip_of(sim), *drift = withy_sim_stats(sim).energy_drift;
    }
    withy_sim_destroy(sim);
    return fine;
}

/* Extrapolated from two steps: a moment acts in the middle of a step, and a curvature by its ends. */
static int move_twice(int by_moment, withy_vec3 tip[INSTANTS], double *drift, withy_error *err) {
    withy_vec3 once[INSTANTS];
    if (!move(by_moment, "n=16 dt=1e-3", once, drift, err) ||
        !move(by_moment, "n=16 dt=5e-4", tip, drift, err))
        return 0;
    for (int i = 0; i < INSTANTS; i++) {
        tip[i].x = (4 * tip[i].x - once[i].x) / 3;
        tip[i].y = (4 * tip[i].y - once[i].y) / 3;
    }
    return 1;
}

static void study_curvature(verify_log *log) {
    withy_vec3 own[INSTANTS], other[INSTANTS];
    double drift = 0, unused = 0;
    withy_error err = {0};
    if (!move_twice(0, own, &drift, &err) || !move_twice(1, other, &unused, &err)) {
        verify_failed(log, "a rod whose curvature changes", &err);
        return;
    }
    for (int i = 0; i < INSTANTS; i++) {
        char what[48];
        snprintf(what, sizeof what, "tip x at %g s [m]", 0.25 * (i + 1));
        verify_near(log, what, "", other[i].x, own[i].x, 2e-9, "");
        snprintf(what, sizeof what, "tip y at %g s [m]", 0.25 * (i + 1));
        verify_near(log, what, "", other[i].y, own[i].y, 2e-9, "");
    }
    verify_below(log, "balance of energy", "", drift, 1e-12, "");
}

/* ---- muscles and chambers --------------------------------------------------------------------------------- */

/* EI = 1, EA = 2000, L = 1, one load at 0.05 along d2: K and Gamma_3 in the middle. */
static int bend(const withy_load *load, double *k, double *stretch, withy_error *err) {
    static const double stiffness[] = {1000, 1000, 2000, 1, 1, 1};
    director_problem x;
    withy_sim *sim;
    withy_equilibrium at;
    director_plain(&x, 1, 0.02, 1e7, 1e7 / 3, 1000);
    x.rod.section.kind = WITHY_SECTION_NONE;
    for (int i = 0; i < 6; i++) x.rod.stiffness[i] = withy_field_number(stiffness[i]);
    x.rod.inertia[WITHY_MASS] = withy_field_number(1);
    director_ends(&x, WITHY_END_CLAMPED, WITHY_END_FREE);
    x.load[0] = *load, x.rod.load_count = 1;
    x.load[0].to = 1, x.load[0].route = (withy_field){.size = 2, .value = {0, 0.05}};
    const int fine = director_start(&x, "n=8", &sim, err) == WITHY_OK &&
                     withy_sim_equilibrium(sim, 1, &at, err) == WITHY_OK;
    if (fine) {
        const withy_snapshot *now = withy_sim_sample(sim, 0);
        const int middle = now->count / 2;
        *k = -now->bend[middle].x, *stretch = 1 + now->shear[middle].z;
    }
    withy_sim_destroy(sim);
    return fine;
}

static void study_bent(verify_log *log) {
    double k, stretch;
    withy_error err = {0};
    const withy_load muscle = {.kind = WITHY_LOAD_MUSCLE,
                               .area = withy_field_number(2e-3),
                               .stress = 1e4,
                               .activation = withy_field_number(1),
                               .length_law = 0.45};
    const withy_load chamber = {.kind = WITHY_LOAD_CHAMBER,
                                .area = withy_field_number(2e-3),
                                .pressure = withy_field_number(1e4)};
    if (bend(&muscle, &k, &stretch, &err)) {
        verify_near(log, "curvature by a muscle [1/m]", "", 0.9829692925, k, 1e-10, "");
        verify_near(log, "its stretch", "", 0.9901703071, stretch, 1e-10, "");
        verify_near(log, "its tension [N]", "", 19.6593858502, 2000 * (1 - stretch), 1e-7,
                    "EA times the stretch");
    } else {
        verify_failed(log, "a rod bent by a muscle", &err);
    }
    if (bend(&chamber, &k, &stretch, &err)) {
        verify_near(log, "curvature by a chamber [1/m]", "", -1, k, 1e-10, "- p A r/EI");
        verify_near(log, "its stretch", "", 1.01, stretch, 1e-12, "1 + p A/EA");
    } else {
        verify_failed(log, "a rod bent by a chamber", &err);
    }
}

/* The arm of an octopus: a wave of a dorsal muscle runs along it, and behind it fibres across stretch it. */
static double radius_at(double s) {
    return 12e-3 * (1 - 0.9 * s / 0.2);
}

static withy_status area_at(void *context, double s, double t, double *out, withy_error *err) {
    (void)t, (void)err;
    out[0] = *(const double *)context * DIRECTOR_PI * radius_at(s) * radius_at(s);
    return WITHY_OK;
}

static withy_status diameter_at(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)t, (void)err;
    out[0] = 2 * radius_at(s);
    return WITHY_OK;
}

static withy_status dorsal_at(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)t, (void)err;
    out[0] = 0.65 * radius_at(s), out[1] = 0;
    return WITHY_OK;
}

static withy_status shorten_at(void *context, double s, double t, double *out, withy_error *err) {
    const double x = (s - 0.25 * t + 0.03) / 0.025;
    (void)context, (void)err;
    out[0] = exp(-x * x);
    return WITHY_OK;
}

static withy_status lengthen_at(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)err;
    out[0] = 0.3 / (1 + exp(-2 * (0.25 * t - 0.03 - s) / 0.02));
    return WITHY_OK;
}

static void study_octopus(verify_log *log) {
    static const double expected[2][2] = {{0.011392, 0.149958}, {0.072272, 0.122419}};
    double share[] = {0.1, 0.25};
    director_problem x;
    withy_sim *sim;
    withy_error err = {0};
    director_plain(&x, 0.2, 0.02, 1e4, 1e4 / 3, 1050);
    x.rod.section.a = (withy_field){.size = 1, .call = diameter_at};
    x.rod.damping_time = 0.02, x.rod.drag_linear = 0.1;
    x.rod.initial.along = (withy_vec3){0, 0, 1}, x.rod.initial.normal = (withy_vec3){1, 0, 0};
    director_ends(&x, WITHY_END_CLAMPED, WITHY_END_FREE);
    director_times(&x, 1, 0.5);
    for (int i = 0; i < 2; i++)
        x.load[i] = (withy_load){.kind = WITHY_LOAD_MUSCLE,
                                 .to = 0.2,
                                 .area = {.size = 1, .call = area_at, .context = &share[i]},
                                 .activation = {.size = 1, .call = i ? lengthen_at : shorten_at},
                                 .stress = 1e4,
                                 .rise = 0.04,
                                 .fall = 0.06,
                                 .length_law = 0.45,
                                 .fastest = 4,
                                 .across = i};
    x.load[0].route = (withy_field){.size = 2, .call = dorsal_at};
    x.rod.load_count = 2;
    int fine = director_start(&x, "n=32 dt=1e-3", &sim, &err) == WITHY_OK;
    for (int i = 0; i < 2 && fine; i++) {
        char what[48];
        fine = withy_sim_advance(sim, 0.5 * (i + 1), &err) == WITHY_OK;
        if (!fine) break;
        const withy_vec3 tip = tip_of(sim);
        snprintf(what, sizeof what, "tip of the arm at %g s, x [m]", 0.5 * (i + 1));
        verify_near(log, what, "", expected[i][0], tip.x, 3e-6, "");
        snprintf(what, sizeof what, "tip of the arm at %g s, z [m]", 0.5 * (i + 1));
        verify_near(log, what, "", expected[i][1], tip.z, 3e-6, "");
    }
    if (fine) {
        verify_near(log, "work of its muscles by 1 s [J]", "", 7.8883e-4 + 5.7452e-4,
                    withy_sim_sample(sim, 0)->active.muscle, 2e-8, "");
        verify_below(log, "its balance of energy", "", withy_sim_stats(sim).energy_drift, 1e-12,
                     "");
    } else {
        verify_failed(log, "the arm of an octopus", &err);
    }
    withy_sim_destroy(sim);
}

const verify_study verify_active[] = {
    {"bimetal", "the curvature of a bimetal strip", study_bimetal, 0, "bimetal",
     .basis = "closed form of Timoshenko (1925)"},
    {"heated column", "a rod between two walls buckles by heat", study_column, 0,
     .basis = "closed form: pi^2 and 4 pi^2"},
    {"curvature in time", "a curvature at rest moves a cantilever", study_curvature, 0,
     .basis = "independent: the same motion by the moment EI "
              "kappa at the free end, which acts by other code"},
    {"muscle and chamber", "a rod that a muscle, or pressure, bends", study_bent, 0,
     "pneumatic_finger", .basis = "closed form: the fixed point lambda = 1 - T/EA - T r^2/EI"},
    {"octopus arm", "muscles along and across, with the laws of Hill", study_octopus, 0,
     "octopus_arm",
     .basis =
         "another program for the same equations, which shares no code with this one, to +-3e-6"},
    {0}};
