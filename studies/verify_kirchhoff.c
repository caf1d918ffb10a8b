/* verify_kirchhoff.c - the claims of [KS] (E. D. Fernando's dissertation, chapters 3 to 6) and the
 * numbers of two independent implementations of its corrected scheme.
 *
 * The source prints no numbers; it states propositions, theorems and a Jacobian.  What the method
 * computes is compared with them in verify_kirchhoff_frames.c, and here with closed forms (Love,
 * Thomson) or independent computations.
 */
#include "verify_kirchhoff.h"

#include "energy_of.h"

/* Largest rise of H in a step, and of H + losses - work, both relative to the first H. */
static void watch_energy(verify_log *log, spring *x, double h, int steps, double *rise, double *gap,
                         double *left) {
    const withy_snapshot *snap = step_to(log, x, h);
    *rise = -INFINITY, *gap = 0, *left = NAN;
    if (!snap) return;
    const double start = energy_of(snap), first = snap->conserved;
    double before = start;
    for (int k = 2; k <= steps; k++) {
        if (!(snap = step_to(log, x, k * h))) return;
        *rise = worst_of(*rise, (energy_of(snap) - before) / start);
        *gap = worst_of(*gap, fabs(snap->conserved - first) / start);
        before = energy_of(snap);
    }
    *left = before / start;
}

static void theorem_19(verify_log *log) {
    spring x;
    double rise, gap, left;
    spring_of(&x, .25, 3, .8, WITHY_END_PINNED, WITHY_END_PINNED);
    stretch(&x, .25, 3, 1.3);
    if (open_spring(log, &x, 48, .05, "energy=quadratic ends=strong kappa=pointwise")) {
        watch_energy(log, &x, .05, 1000, &rise, &gap, &left);
        verify_below(log, "undamped, strong ends: drift of H, 1000 steps", "constant", gap, 1e-10,
                     "");
    }
    withy_sim_destroy(x.sim);
    damp(&x, .05);
    if (open_spring(log, &x, 48, .05,
                    "energy=quadratic ends=strong kappa=pointwise damping=dissertation")) {
        watch_energy(log, &x, .05, 1000, &rise, &gap, &left);
        verify_below(log, "damped as in the source: largest rise of H", "<= 0", rise, 1e-13, "");
        verify_below(log, "its loss nu_1 |u_t|^2 + nu_2 tau_t^2 accounts for H", "", gap, 1e-10,
                     "");
    }
    withy_sim_destroy(x.sim);
    if (open_spring(log, &x, 48, .05, "")) {
        watch_energy(log, &x, .05, 1000, &rise, &gap, &left);
        verify_below(log, "our defaults, damped: largest rise of H", "<= 0", rise, 1e-13, "");
        verify_below(log, "our defaults: losses account for H", "", gap, 1e-10, "");
    }
    withy_sim_destroy(x.sim);
}

/* Change of angular momentum of a free, damped, spinning spring over 200 steps. */
static double spin_loss(verify_log *log, const char *words) {
    spring x;
    double change = NAN;
    spring_of(&x, .25, 3, .8, WITHY_END_FREE, WITHY_END_FREE);
    stretch(&x, .25, 3, 1.3);
    damp(&x, .1);
    x.rod.velocity = withy_field_vector(0, .02, 0);
    if (open_spring(log, &x, 32, .1, words)) {
        const withy_snapshot *snap = step_to(log, &x, .1);
        const vec first = snap ? snap->angular_momentum : make(0, 0, 0);
        if (snap && (snap = step_to(log, &x, 20)))
            change = size(plus(snap->angular_momentum, -1, first));
    }
    withy_sim_destroy(x.sim);
    return change;
}

static void momentum(verify_log *log) {
    verify_below(log, "free spring, objective damping: change of L", "",
                 spin_loss(log, "damping=objective"), 1e-11, "");
    verify_near(
        log, "free spring, the source's damping: change of L", "", 1,
        spin_loss(log, "damping=dissertation") > 1e-7, 0,
        "erratum: nu_1 damps x'' - s kappa in the laboratory frame, and with it rigid rotation");
}

/* Motion of a spring at rest in 50 steps of 0.1. */
static double rest_motion(verify_log *log, const char *words, int n) {
    spring x;
    double most = NAN;
    vec first[512];
    spring_of(&x, .25, 3, .8, WITHY_END_PINNED, WITHY_END_PINNED);
    if (open_spring(log, &x, n, .1, words)) {
        const withy_snapshot *snap = step_to(log, &x, 0);
        for (int j = 0; snap && j < snap->count; j++) first[j] = snap->position[j];
        if (snap && (snap = step_to(log, &x, 5))) {
            most = 0;
            for (int j = 0; j < snap->count; j++)
                most = worst_of(most, size(plus(snap->position[j], -1, first[j])));
        }
    }
    withy_sim_destroy(x.sim);
    return most;
}

static void at_rest(verify_log *log) {
    verify_below(log, "discrete kappa, strain energy: motion at rest", "at rest",
                 rest_motion(log, "", 96), 3e-13, "50 steps of 0.1, three turns, N = 96");
    const double coarse = rest_motion(log, "kappa=pointwise energy=quadratic", 48);
    const double fine = rest_motion(log, "kappa=pointwise energy=quadratic", 96);
    verify_near(log, "kappa of (3.4) at the nodes: order of the motion", "at rest", 2,
                log2(coarse / fine), .1,
                "erratum: the sampled rest shape is only second order from a discrete equilibrium");
}

/* ---- statics --------------------------------------------------------------------------------- */

static double love_force(verify_log *log, double radius, double pulled, int n) {
    spring x;
    double force = NAN;
    spring_of(&x, .15, 4, 1 / 1.3, WITHY_END_CLAMPED, WITHY_END_CLAMPED);
    x.rod.initial = helix(radius, pulled);
    x.rod.end[0].frame = frame_at(.15, radius, pulled, 0);
    x.rod.end[1].frame = frame_at(.15, radius, pulled, x.rod.length);
    if (open_spring(log, &x, n, .1, "kappa=pointwise energy=quadratic")) {
        const withy_snapshot *snap = relax(log, &x, 1);
        if (snap) force = snap->reaction[1].z;
    }
    withy_sim_destroy(x.sim);
    return force;
}

static void statics(verify_log *log) {
    const double l = wire_length(.15, 4), twice = asin(2 * sin(.15)), half = asin(.5 * sin(.15));
    const struct {
        const char *name;
        double pulled, exact, discrete;
    } row[] = {{"at twice its length", twice, .1229427687, .1228222},
               {"at a pitch angle of 0.8", .8, .7211092312, .7207736},
               {"at half its length", half, -.0568104616, -.0567569}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char text[96];
        const double radius = l * cos(row[i].pulled) / (8 * PI);
        const double coarse = love_force(log, radius, row[i].pulled, 256);
        const double fine = love_force(log, radius, row[i].pulled, 512);
        snprintf(text, sizeof text, "force %s, N = 512", row[i].name);
        verify_near(log, text, "", row[i].discrete, fine, 2e-7, "");
        snprintf(text, sizeof text, "force %s, N to infinity", row[i].name);
        verify_near(log, text, "Love", row[i].exact, fine + (fine - coarse) / 3, 2e-6, "");
    }
    spring x;
    spring_of(&x, .08, 6, 1 / 1.3, WITHY_END_CLAMPED, WITHY_END_FREE);
    x.problem.gravity = make(0, 0, 1e-6);
    if (open_spring(log, &x, 384, .1, "kappa=pointwise")) {
        const withy_snapshot *snap = relax(log, &x, 0);
        const double before = snap ? snap->position[384].z : NAN;
        snap = snap ? relax(log, &x, 1) : NULL;
        const double soft = cos(.08) * cos(.08) * 1.3 + sin(.08) * sin(.08);
        const double formula = 1e-6 * x.rod.length * x.rod.length * soft / 2;
        if (snap)
            verify_near(log, "sag under own weight / formula, 64 nodes a turn", "", 1.0064,
                        (snap->position[384].z - before) / formula, 2e-4, "");
    }
    withy_sim_destroy(x.sim);
}

/* ---- orders ---------------------------------------------------------------------------------- */

/* The middle of a stretched, damped spring at t = 2. */
static vec middle_at(verify_log *log, double turns, int n, double h) {
    spring x;
    vec at = make(NAN, NAN, NAN);
    spring_of(&x, .25, turns, .8, WITHY_END_PINNED, WITHY_END_PINNED);
    stretch(&x, .25, turns, 1.3);
    damp(&x, .05);
    if (open_spring(log, &x, n, h, "")) {
        const withy_snapshot *snap = step_to(log, &x, 2);
        if (snap) at = snap->position[n / 2];
    }
    withy_sim_destroy(x.sim);
    return at;
}

static double ratio(const vec x[3]) {
    return size(plus(x[0], -1, x[1])) / size(plus(x[1], -1, x[2]));
}

static void orders(verify_log *log) {
    vec x[4];
    for (int k = 0; k < 4; k++) x[k] = middle_at(log, 3, 24, .1 / (1 << k));
    verify_near(log, "time, pinned, N = 24: ratio of differences, h = 0.1, 0.05, 0.025", "", 4,
                ratio(x), .15, "");
    verify_near(log, "the same, h = 0.05, 0.025, 0.0125", "", 4, ratio(x + 1), .15, "");
    for (int k = 0; k < 4; k++) x[k] = middle_at(log, 1, 48 << k, .1);
    verify_near(log, "space, pinned, h = 0.1: the same, N = 48, 96, 192", "", 4, ratio(x), .15, "");
    verify_near(log, "the same, N = 96, 192, 384", "", 4, ratio(x + 1), .15, "");
}

/* ---- frequencies ----------------------------------------------------------------------------- */

/* The mode with the largest mean axial motion. */
static double surge(verify_log *log, double angle, double turns, int n) {
    enum { COUNT = 10 };
    spring x;
    double found = NAN, best = 0;
    spring_of(&x, angle, turns, 1 / 1.3, WITHY_END_CLAMPED, WITHY_END_CLAMPED);
    if (open_spring(log, &x, n, .1, "kappa=pointwise energy=quadratic") && relax(log, &x, 1)) {
        withy_mode *mode;
        withy_error err = {0};
        if (withy_sim_modes(x.sim, COUNT, &mode, &err) != WITHY_OK) {
            verify_failed(log, "modes", &err);
        } else {
            for (int k = 0; k < COUNT; k++) {
                double axial = 0, all = 0;
                for (int j = 0; j < mode[k].count; j++)
                    axial += mode[k].shift[j].z, all += dot(mode[k].shift[j], mode[k].shift[j]);
                if (axial * axial / all > best)
                    best = axial * axial / all, found = 2 * PI * mode[k].frequency;
            }
            withy_modes_free(mode, COUNT);
        }
    }
    withy_sim_destroy(x.sim);
    return found;
}

static void frequencies(verify_log *log) {
    const double coarse = surge(log, .15, 4, 256), fine = surge(log, .15, 4, 512);
    verify_near(log, "surge, four turns, N = 512: error", "", -4.36e-4, fine / .1038803 - 1, 5e-6,
                "against an independent spectral Ritz method: 0.1038803");
    verify_near(log, "surge, four turns, N to infinity", "", .1038803, fine + (fine - coarse) / 3,
                2e-6, "");
    const double rough = surge(log, .04, 14, 448), smooth = surge(log, .04, 14, 896);
    verify_near(log, "surge, fourteen turns / long-wave formula", "", .997,
                (smooth + (smooth - rough) / 3) / (PI / wire_length(.04, 14) * sqrt(1 / 1.3)), 2e-3,
                "(pi/L)(1/r) sqrt(GJ/rho)");
}

const verify_study verify_kirchhoff[] = {
    {"propositions", "propositions 3 to 6: natural frames and transported curvature",
     kirchhoff_propositions, 0, "natural_frame natural_curvature transported_curvature",
     .basis = "closed forms"},
    {"lemma 8", "rates of twist and spin agree", kirchhoff_lemma_8, 0},
    {"theorems 9 and 10", "variation of the twist energy, continuous and discrete",
     kirchhoff_theorems_9_10, 0},
    {"jacobian", "theorems 22 and 23: blocks of the Newton matrix against differences",
     kirchhoff_jacobian, 0, .basis = "central differences"},
    {"multipliers", "alpha, beta and a of a helix held at a pitch angle of 0.8",
     kirchhoff_multipliers, 0, .basis = "closed form of the helix (Love)"},
    {"theorem 19", "monotone Hamiltonian: none gained, none lost unaccounted", theorem_19, 0,
     "telephone_cord conical_spring",
     .basis = "exact balance of energy, a property of the scheme: zero to rounding"},
    {"momentum", "angular momentum and the two forms of damping", momentum, 0,
     .basis = "exact conservation: zero to rounding"},
    {"at rest", "a spring at rest stays at rest", at_rest, 0,
     .basis = "a discrete equilibrium stays; order of the sampling"},
    {"springs", "force and sag of helical springs: Love and Thomson", statics, 0,
     "hanging_spring_wire",
     .basis = "Love and Thomson; values at a finite N: two independent implementations"},
    {"orders", "second order in time and in space", orders, 0,
     .basis = "5.2 and 5.7: a central scheme; another implementation has 4.14 and 4.0"},
    {"surge", "frequencies of helical springs", frequencies, 0, "spring_surge",
     .basis = "an independent spectral Ritz method; long-wave formula"},
    {0}};
