/* verify_closed.c - rods whose end is their start: vibrations, stability, and a shape that writhes. */
#include <math.h>
#include <stdio.h>

#include "director_problems.h"
#include "verify.h"

/* A ring of radius 1, EI = 1 and this GJ, made of a ring (natural) or bent from a straight rod. */
static void make_ring(director_problem *x, double twist, double stiff, int natural) {
    director_plain(x, 2 * DIRECTOR_PI, 1, 1, 1, 1);
    x->rod.section.kind = WITHY_SECTION_NONE;
    for (int i = WITHY_SHEAR1; i <= WITHY_STRETCH; i++)
        x->rod.stiffness[i] = withy_field_number(stiff);
    for (int i = WITHY_BEND1; i <= WITHY_TWIST; i++) x->rod.stiffness[i] = withy_field_number(1);
    x->rod.stiffness[WITHY_TWIST] = withy_field_number(twist);
    x->rod.inertia[WITHY_MASS] = withy_field_number(1);
    x->rod.initial.kind = WITHY_SHAPE_ARC, x->rod.initial.radius = 1;
    x->rod.rest = natural ? x->rod.initial : (withy_shape){.kind = WITHY_SHAPE_STRAIGHT};
    director_ends(x, WITHY_END_FREE, WITHY_END_FREE);
    x->rod.closed = 1;
}

/* Frequencies of the lowest modes that are not neutral [rad/s], each of which comes twice; returns how many are neutral. */
static int frequencies(verify_log *log, const director_problem *x, const char *options, int count,
                       double *omega) {
    enum { MODES = 20 };
    withy_error err = {0};
    withy_sim *sim;
    withy_mode *mode;
    withy_equilibrium at;
    int neutral = 0;
    for (int i = 0; i < count; i++) omega[i] = NAN;
    if (director_start(x, options, &sim, &err) != WITHY_OK ||
        withy_sim_equilibrium(sim, 1, &at, &err) != WITHY_OK ||
        withy_sim_modes(sim, MODES, &mode, &err) != WITHY_OK) {
        verify_failed(log, "modes of a ring", &err);
        withy_sim_destroy(sim);
        return -1;
    }
    for (int i = 0; i < MODES; i++) neutral += mode[i].kind == WITHY_MODE_NEUTRAL;
    for (int i = 0; i < count && neutral + 2 * i < MODES; i++)
        omega[i] = 2 * DIRECTOR_PI * mode[neutral + 2 * i].frequency;
    withy_modes_free(mode, MODES);
    withy_sim_destroy(sim);
    return neutral;
}

/* n (n^2 - 1)/sqrt(n^2 + 1) in its plane, n (n^2 - 1)/sqrt(n^2 + EI/GJ) out of it. */
static void modes(verify_log *log) {
    static const char *const name[] = {"2 out of its plane", "2 in it", "3 out of it", "3 in it"};
    const double ratio = 1.3;
    director_problem x;
    double omega[4];
    make_ring(&x, 1 / ratio, 1e9, 1);
    const int neutral = frequencies(log, &x, "n=36", 4, omega);
    for (int i = 0; i < 4; i++) {
        const double n = 2 + i / 2;
        char words[64];
        snprintf(words, sizeof words, "ring, n = %s [rad/s]", name[i]);
        verify_near(log, words, "", n * (n * n - 1) / sqrt(n * n + (i % 2 ? 1 : ratio)), omega[i],
                    1e-5, "each comes twice");
    }
    verify_near(log, "neutral motions of a natural ring", "", 6, neutral, 0, "rigid ones");
}

/* The square of the lowest frequency goes to zero at EI/GJ sqrt(3): from 1, 2 and 3 % below. */
static void instability(verify_log *log, double ratio) {
    double e[3], square[3], sum = 0;
    const double expected = sqrt(3) * ratio;
    char words[64];
    for (int i = 0; i < 3; i++) {
        director_problem x;
        double omega;
        make_ring(&x, 1 / ratio, 1e6, 0);
        x.rod.excess = e[i] = expected * (1 - 0.01 * (i + 1));
        x.rod.inertia[WITHY_ROTARY1] = x.rod.inertia[WITHY_ROTARY2] = withy_field_number(1e-3);
        x.rod.inertia[WITHY_ROTARY3] = withy_field_number(2e-3);
        const int neutral = frequencies(log, &x, "n=16", 1, &omega);
        if (i == 0)
            verify_near(log, "neutral motions of a ring bent from a straight rod", "", 7, neutral,
                        0, "the sections may turn about their axis too");
        square[i] = omega * omega;
    }
    for (int i = 0; i < 3; i++) {
        const int a = (i + 1) % 3, b = (i + 2) % 3;
        sum += e[i] * square[a] * square[b] / ((square[a] - square[i]) * (square[b] - square[i]));
    }
    snprintf(words, sizeof words, "EI/GJ = %g: excess link at which a ring writhes", ratio);
    verify_near(log, words, "", expected, sum, 5e-5, "extrapolated");
}

static void zajac(verify_log *log) {
    instability(log, 1.3);
    instability(log, 1);
}

/* In units of the length. */
static void writhed(verify_log *log) {
    director_problem x;
    withy_error err = {0};
    withy_equilibrium at;
    withy_sim *sim;
    make_ring(&x, 2, 1e8, 0);
    x.rod.excess = 0.95;
    if (director_start(&x, "n=60", &sim, &err) != WITHY_OK ||
        withy_sim_rest(sim, 1, &at, &err) != WITHY_OK) {
        verify_failed(log, "a ring that writhes", &err);
        withy_sim_destroy(sim);
        return;
    }
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    const withy_energies *e = &now->energy;
    const double energy = e->shear + e->stretch + e->bend + e->twist;
    const double length = 2 * DIRECTOR_PI;
    verify_near(log, "excess 0.95, GJ/EI = 2: energy L/EI", "", 54.36832455, energy * length, 3e-6,
                "");
    verify_near(log, "writhe", "", 0.3264870385, now->writhe, 5e-7, "");
    verify_near(log, "torque L/EI", "", 7.83529496, 4 * DIRECTOR_PI * now->link_twist, 5e-6, "");
    verify_near(log, "excess link", "", 0.95, now->link, 1e-12, "as it was given");
    verify_near(log, "unstable directions", "", 0, at.negative, 0, "");
    withy_sim_destroy(sim);
}

const verify_study verify_closed[] = {
    {"modes of a ring", "frequencies of a natural ring", modes, 0,
     .basis = "closed form of a thin ring"},
    {"Zajac", "where a twisted ring leaves its plane", zajac, 0,
     .basis = "closed form: excess link sqrt(3) EI/GJ"},
    {"writhe", "a ring beyond it", writhed, 0, .cases = "minicircle",
     .basis = "shooting of Kirchhoff's equations over a quarter of the ring by another program"},
    {0}};
