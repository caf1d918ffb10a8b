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
    static const double wanted[3] = {-0.090272662757, -0.064748848626, 1.229736482924};
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
            verify_near(log, what, "", wanted[i], u[i], 3e-12, "");
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
    static const double wanted[LOOKS] = {0.294094, 1.489774, 2.310671, 1.732774, 0.714509};
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
        verify_near(log, what, "", wanted[i], (4 * u[1][i] - u[0][i]) / 3, 2e-6,
                    "both are extrapolated from two steps");
    }
    verify_below(log, "the swinging blade: balance of energy", "", drift, 1e-12, "");
}

#define PROTOTYPE                                                                                  \
    "a converged solution by another program for the same equations, an element with full "        \
    "section matrices"

const verify_study verify_laws[] = {{"blade",
                                     "BeamDyn's composite blade at rest: full 6 x 6 stiffness",
                                     study_blade_at_rest, 0, .basis = PROTOTYPE},
                                    {"swinging blade", "the same, loaded within 0.05 s",
                                     study_blade_in_motion, 0, .basis = PROTOTYPE},
                                    {0}};
