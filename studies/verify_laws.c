/* verify_laws.c - sections of other laws than the diagonal linear one, against closed forms and solvers of their own. */
#include <math.h>
#include <stdio.h>

#include "director_problems.h"
#include "verify.h"
#include "withy/math.h"

static withy_vec3 tip_of(withy_sim *sim) {
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    return now->position[now->count - 1];
}

/* ---- a composite blade, coupled ------------------------------------------------------------------------ */

/* BeamDyn's beam [inch, lb] with its axes (1, 2, 3) = (d3, d1, d2); shear1, shear2, stretch, bend1, bend2, twist. */
static const double BLADE[6][6] = {{88.56, 0, 0, 0, 0, 0},
                                   {0, 38.78, 0, 0, 0, 0},
                                   {0, 0, 1368.17, 0, 0, 0},
                                   {0, 0, 0, 59.12, -0.370, 17.61},
                                   {0, 0, 0, -0.370, 141.47, -0.351},
                                   {0, 0, 0, 17.61, -0.351, 16.96}};

/* 150 along axis 3; the first 0.05 s smoothly. */
static withy_status pull(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    out[0] = out[1] = 0, out[2] = 75 * (1 - cos(DIRECTOR_PI * fmin(t, 0.05) / 0.05));
    return WITHY_OK;
}

static void make_blade(director_problem *x, int moves) {
    static const double inertia[4] = {0.08538, 0.004097, 0.010336, 0.014433};
    director_plain(x, 10, 1, 1, 1, 1);
    x->rod.section.kind = WITHY_SECTION_NONE;
    for (int i = 0; i < 6; i++) {
        x->rod.stiffness_matrix[i].size = 6;
        for (int k = 0; k < 6; k++) x->rod.stiffness_matrix[i].value[k] = 1e3 * BLADE[i][k];
    }
    for (int i = 0; i < 4; i++) x->rod.inertia[i] = withy_field_number(inertia[i]);
    director_ends(x, WITHY_END_CLAMPED, WITHY_END_FREE);
    x->rod.end[1].force =
        moves ? (withy_field){.size = 3, .call = pull} : withy_field_vector(0, 0, 150);
    if (moves) director_times(x, 0.5, 0.05);
}

static void study_blade_at_rest(verify_log *log) {
    static const double expected[3] = {-0.090272662757, -0.064748848626, 1.229736482924};
    director_problem x;
    withy_sim *sim;
    withy_equilibrium at;
    withy_error err = {0};
    make_blade(&x, 0);
    if (director_start(&x, "n=8 degree=4", &sim, &err) != WITHY_OK) {
        verify_failed(log, "the blade", &err);
        return;
    }
    if (withy_sim_equilibrium(sim, 1, &at, &err) == WITHY_OK) {
        const withy_vec3 r = tip_of(sim);
        const double u[3] = {r.x - 10, r.y, r.z};
        for (int i = 0; i < 3; i++) {
            char what[32];
            snprintf(what, sizeof what, "tip u%d [in]", i + 1);
            verify_near(log, what, "", expected[i], u[i], 3e-12, "");
        }
    } else {
        verify_failed(log, "the blade at rest", &err);
    }
    withy_sim_destroy(sim);
}

enum { LOOKS = 5 };
static const double LOOK[LOOKS] = {0.05, 0.1, 0.15, 0.2, 0.5};

static int swing(const char *options, double u[LOOKS], double *drift, withy_error *err) {
    director_problem x;
    withy_sim *sim;
    make_blade(&x, 1);
    int fine = director_start(&x, options, &sim, err) == WITHY_OK;
    for (int i = 0; i < LOOKS && fine; i++) {
        fine = withy_sim_advance(sim, LOOK[i], err) == WITHY_OK;
        if (fine) u[i] = tip_of(sim).z, *drift = withy_sim_stats(sim).energy_drift;
    }
    withy_sim_destroy(sim);
    return fine;
}

static void study_blade_in_motion(verify_log *log) {
    static const double expected[LOOKS] = {0.294094, 1.489774, 2.310671, 1.732774, 0.714509};
    double u[2][LOOKS], drift;
    withy_error err = {0};
    if (!swing("n=8 degree=4 dt=2.5e-4", u[0], &drift, &err) ||
        !swing("n=8 degree=4 dt=1.25e-4", u[1], &drift, &err)) {
        verify_failed(log, "the blade in motion", &err);
        return;
    }
    for (int i = 0; i < LOOKS; i++) {
        char what[48];
        snprintf(what, sizeof what, "tip u3 at %g s [in]", LOOK[i]);
        verify_near(log, what, "", expected[i], (4 * u[1][i] - u[0][i]) / 3, 2e-6,
                    "both are extrapolated from two steps");
    }
    verify_below(log, "the swinging blade: balance of energy", "", drift, 1e-12, "");
}

/* ---- what relaxes: a third of the stiffness remains, the rest has gone with exp(-t/2) --------------------- */

static const withy_relaxation TERM = {2.0 / 3, 2};
enum { TIMES = 5 };
static const double TIME[TIMES] = {1, 2, 5, 10, 30};

/* A cantilever whose finish is held far aside from t = 0 on: its force falls as the stiffness does. */
static void study_relaxation(verify_log *log) {
    static const double expected[TIMES] = {.7376871065, .5785862941, .3880566657, .3378252980,
                                           .3333335373};
    director_problem x;
    withy_sim *sim;
    withy_error err = {0};
    director_plain(&x, 0.2, 4e-3, 3e9, 3e9 / 2.7, 1000);
    x.rod.law = (withy_law){WITHY_LAW_VISCOELASTIC, &TERM, 1, WITHY_OF_ALL, WITHY_AT_REST_SUDDEN};
    director_ends(&x, WITHY_END_CLAMPED, WITHY_END_PINNED);
    x.rod.end[1].position = withy_field_vector(0.18, 0.08, 0);
    x.rod.settled = 1;
    director_times(&x, 30, 30);
    int fine = director_start(&x, "n=4 degree=4 dt=1", &sim, &err) == WITHY_OK;
    double first = 0;
    for (int i = -1; i < TIMES && fine; i++) {
        char what[48];
        fine = withy_sim_advance(sim, i < 0 ? 0 : TIME[i], &err) == WITHY_OK;
        if (!fine) break;
        const withy_snapshot *now = withy_sim_sample(sim, 0);
        const withy_vec3 m = now->moment[0];
        const double size = sqrt(m.x * m.x + m.y * m.y + m.z * m.z);
        if (i < 0) {
            first = size;
            continue;
        }
        snprintf(what, sizeof what, "moment at %g s over the first", TIME[i]);
        verify_near(log, what, "", expected[i], size / first, 1e-10, "");
    }
    if (!fine) verify_failed(log, "the cantilever that is held", &err);
    withy_sim_destroy(sim);
}

static int creep(double force, double dt, double w[TIMES + 1], withy_error *err) {
    director_problem x;
    withy_sim *sim;
    char options[64];
    director_plain(&x, 0.2, 4e-3, 3e9, 3e9 / 2.7, 1e-3);
    x.rod.law = (withy_law){WITHY_LAW_VISCOELASTIC, &TERM, 1, WITHY_OF_ALL, WITHY_AT_REST_SUDDEN};
    director_ends(&x, WITHY_END_CLAMPED, WITHY_END_FREE);
    x.rod.end[1].force = withy_field_vector(0, force, 0);
    x.rod.settled = 1;
    director_times(&x, 30, 30);
    snprintf(options, sizeof options, "n=4 degree=4 dt=%g", dt);
    int fine = director_start(&x, options, &sim, err) == WITHY_OK;
    for (int i = 0; i <= TIMES && fine; i++) {
        fine = withy_sim_advance(sim, i ? TIME[i - 1] : 0, err) == WITHY_OK;
        if (fine) w[i] = tip_of(sim).y;
    }
    withy_sim_destroy(sim);
    return fine;
}

static void study_creep(verify_log *log) {
    static const double small[TIMES] = {1.3070365502, 1.5669373789, 2.1308035830, 2.6222487943,
                                        2.9865241060};
    static const double large[TIMES + 1] = {.0633479206, .07808988, .08903046,
                                            0,           .11911981, .12355996};
    double w[2][TIMES + 1];
    char what[64];
    withy_error err = {0};
    if (!creep(1e-6, 0.1, w[0], &err) || !creep(1, 0.1, w[1], &err)) {
        verify_failed(log, "creep", &err);
        return;
    }
    for (int i = 0; i < TIMES; i++) {
        snprintf(what, sizeof what, "small force: compliance at %g s over the first", TIME[i]);
        verify_near(log, what, "", small[i], w[0][i + 1] / w[0][0], 1e-5, "");
    }
    for (int i = 0; i <= TIMES; i++) {
        snprintf(what, sizeof what, "1 N: deflection at %g s [m]", i ? TIME[i - 1] : 0);
        if (large[i] > 0) verify_near(log, what, "", large[i], w[1][i], i ? 2e-6 : 1e-9, "");
    }
}

/* ---- the scheme itself ------------------------------------------------------------------------------------ */

static withy_status tap(void *context, double s, double t, double *out, withy_error *err) {
    const double wave = sin(DIRECTOR_PI * t / 0.02), size = *(const double *)context * wave * wave;
    (void)s, (void)err;
    out[0] = 0.5 * size, out[1] = size, out[2] = 0.2 * size;
    return WITHY_OK;
}

static withy_status twist(void *context, double s, double t, double *out, withy_error *err) {
    const double wave = sin(DIRECTOR_PI * t / 0.02);
    (void)context, (void)s, (void)err;
    out[0] = out[1] = 0, out[2] = 1e-3 * wave * wave;
    return WITHY_OK;
}

static void golden_steps(verify_log *log, const withy_law *law, double shear,
                         const double expected[4]) {
    static double force = 0.35;
    static const char *const name[4] = {"tip x [m]", "tip y [m]", "tip z [m]", "loss [J]"};
    director_problem x;
    withy_sim *sim;
    withy_error err = {0};
    director_plain(&x, 0.1, 0.01, 1e6, shear, 1000);
    x.rod.initial.along = (withy_vec3){0, 0, 1}, x.rod.initial.normal = (withy_vec3){1, 0, 0};
    x.rod.law = *law;
    director_ends(&x, WITHY_END_CLAMPED, WITHY_END_FREE);
    x.rod.end[1].force = (withy_field){.size = 3, .call = tap, .context = &force};
    x.rod.end[1].moment = (withy_field){.size = 3, .call = twist};
    director_times(&x, 0.02, 0.02);
    if (director_start(&x, "n=6 degree=1 dt=5e-4", &sim, &err) == WITHY_OK &&
        withy_sim_advance(sim, 0.02, &err) == WITHY_OK) {
        const withy_vec3 r = tip_of(sim);
        const double ours[4] = {r.x, r.y, r.z, withy_sim_sample(sim, 0)->dissipated};
        for (int i = 0; i < 4; i++)
            verify_near(log, name[i], "", expected[i], ours[i], i < 3 ? 1e-11 : 1e-13, "");
    } else {
        verify_failed(log, "40 steps", &err);
    }
    withy_sim_destroy(sim);
}

static void study_viscoelastic_steps(verify_log *log) {
    static const withy_relaxation term[2] = {{0.3, 0.003}, {0.3, 0.1}};
    static const withy_law law = {WITHY_LAW_VISCOELASTIC, term, 2, WITHY_OF_ALL,
                                  WITHY_AT_REST_RELAXED};
    static const double expected[4] = {.01113549889, .02272304686, .09272256686, 5.6115647608e-04};
    golden_steps(log, &law, 1e6 / 2.6, expected);
}

static void study_rubber_steps(verify_log *log) {
    static const withy_law law = {.kind = WITHY_LAW_RUBBER};
    static const double expected[4] = {.01076909657, .02179154947, .09355623271, 0};
    golden_steps(log, &law, 1e6 / 3, expected);
}

/* ---- a wave in rubber ------------------------------------------------------------------------------------ */

/* The start is pulled out with 0.8 sin^2(pi t/(2 T)), T = 0.5, and 0.8 from then on. */
static withy_status pulled(void *context, double s, double t, double *out, withy_error *err) {
    const double rise = 0.5, first = fmin(t, rise);
    (void)context, (void)s, (void)err;
    out[0] =
        -0.4 * (first - rise / DIRECTOR_PI * sin(DIRECTOR_PI * first / rise)) - 0.8 * (t - first);
    out[1] = out[2] = 0;
    return WITHY_OK;
}

static void study_rubber_wave(verify_log *log) {
    static const double place[2] = {.0206711995, .7986425911},
                        stretch[2] = {1.5613423990, 1.5066056017};
    director_problem x;
    withy_sim *sim;
    withy_error err = {0};
    director_plain(&x, 2.5, sqrt(4 / DIRECTOR_PI), 3, 1, 1);
    x.rod.law = (withy_law){.kind = WITHY_LAW_RUBBER};
    director_ends(&x, WITHY_END_CLAMPED, WITHY_END_CLAMPED);
    x.rod.end[0].position = (withy_field){.size = 3, .call = pulled};
    director_times(&x, 1.2, 1.2);
    if (director_start(&x, "n=100 degree=2 dt=1e-3", &sim, &err) == WITHY_OK &&
        withy_sim_advance(sim, 1.2, &err) == WITHY_OK) {
        const withy_snapshot *now = withy_sim_sample(sim, 0);
        for (int i = 0; i < 2; i++) {
            const int at = (now->count - 1) * (i + 1) / 5;
            char what[64];
            snprintf(what, sizeof what, "where the point %g is at 1.2 s [m]", now->s[at]);
            verify_near(log, what, "", place[i], now->position[at].x, 5e-6,
                        "100 elements, 1200 steps");
            snprintf(what, sizeof what, "its stretch");
            verify_near(log, what, "", stretch[i], 1 + now->shear[at].z, 2e-4,
                        "100 elements, 1200 steps");
        }
        verify_below(log, "balance of energy", "", withy_sim_stats(sim).energy_drift, 1e-12, "");
    } else {
        verify_failed(log, "the wave", &err);
    }
    withy_sim_destroy(sim);
}

/* Resultants: yield strain 0.01 and yield curvature 0.01/R. */
static void study_yielding_steps(verify_log *log) {
    static const double expected[4] = {.01136856617, .02793176994, .08361368908, 1.7694463352e-03};
    const double radius = 0.005, young = 1e6, area = DIRECTOR_PI * radius * radius;
    const double second = 0.25 * area * radius * radius, shear = young / 2.6;
    const double c[6] = {shear * area,   shear * area,   young * area,
                         young * second, young * second, 2 * shear * second};
    withy_law law = {.kind = WITHY_LAW_YIELDING, .hardening = 0.05};
    for (int i = 0; i < 6; i++)
        law.limit[i] = withy_field_number(0.01 * c[i] / (i < 3 ? 1 : radius));
    golden_steps(log, &law, 1e6 / 2.6, expected);
}

#define PROTOTYPE                                                                                  \
    "a converged solution by another program for the same equations, an element with full "        \
    "section matrices"

const verify_study verify_laws[] = {
    {"blade", "BeamDyn's composite blade at rest: full 6 x 6 stiffness", study_blade_at_rest, 0,
     .basis = PROTOTYPE},
    {"swinging blade", "the same, loaded within 0.05 s", study_blade_in_motion, 0,
     .basis = PROTOTYPE},
    {"relaxation", "a cantilever that is held aside, steps of 1 s", study_relaxation, 0,
     .basis = "closed form: the stiffness that remains"},
    {"creep", "a cantilever under a constant force", study_creep, 0,
     .basis = "closed form of the compliance; the large deflection by another program for the "
              "same equations"},
    {"viscoelastic steps", "40 steps of a tapped rod with two terms", study_viscoelastic_steps, 0,
     .basis = PROTOTYPE},
    {"rubber steps", "40 steps of a tapped rod of rubber", study_rubber_steps, 0,
     .basis = PROTOTYPE},
    {"rubber wave", "a bar of rubber whose end is pulled out", study_rubber_wave, 0,
     .basis = "a simple wave: its characteristics are straight lines, the stretch by quadrature"},
    {"yielding steps", "40 steps of a tapped rod whose section yields as a whole",
     study_yielding_steps, 0, .basis = PROTOTYPE},
    {0}};
