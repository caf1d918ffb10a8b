/* verify_contact_long.c - ropes on drums, rods in tubes, knots and plectonemes: the cases with other numbers. */
#include <math.h>
#include <stdio.h>

#include "base/base.h"
#include "base/vec.h"
#include "verify_contact.h"

/* ---- capstan ------------------------------------------------------------------------------------------- */

/* Torque about the drum and the moment of friction at the surface of the rope: T ~ e^(l phi) with
 * r mu l^2 + (R + r) l - mu R = 0.  For r = 0 that is Euler's l = mu. */
static double thick_capstan(double mu, double big, double r) {
    const double l =
        (-(big + r) + sqrt((big + r) * (big + r) + 4 * r * mu * mu * big)) / (2 * r * mu);
    return exp(l * WY_PI);
}

/* The same rope as a chain of chords of length h, each turned by d against the last.  At a node, with tensions T-, T+ and
 * shear forces Q-, Q+ of its chords, pushed by N and rubbed by f = mu N, c = cos(d/2), s = sin(d/2):
 * (T+ - T-) c + (Q+ + Q-) s = f,  (T+ + T-) s - (Q+ - Q-) c = N,  (Q+ + Q-) h/2 = r f;  q is the growth of T and Q. */
static double chords_capstan(double mu, double big, double r, double h) {
    const double d = 2 * asin(0.5 * h / (big + r)), c = cos(0.5 * d), s = sin(0.5 * d);
    double low = 1, high = exp(2 * mu * d);
    for (int i = 0; i < 60; i++) {
        const double q = 0.5 * (low + high), f = (q - 1) * c / (1 - 2 * r * s / h);
        const double across = 2 * r * f / (h * (q + 1));
        *(mu * ((q + 1) * s - across * (q - 1) * c) > f ? &low : &high) = q;
    }
    return pow(low, WY_PI / d);
}

void study_capstan(verify_log *log) {
    static const struct {
        double mu;
        int n;
    } row[4] = {{0.1, 120}, {0.6, 120}, {0.6, 240}, {0.6, 480}};
    const double big = 0.05, r = 5e-4, length = WY_PI * (big + r) + 0.06; /* as the case has them */
    for (int i = 0; i < 4; i++) {
        char text[96];
        const double expected = chords_capstan(row[i].mu, big, r, length / row[i].n);
        const double limit = thick_capstan(row[i].mu, big, r);
        snprintf(text, sizeof text, "params.mu=%g options.n=%d", row[i].mu, row[i].n);
        contact_run run = contact_start(log, "capstan", text);
        if (contact_at(&run, 0.4)) {
            const double ratio = -contact_mean(&run, 0.4, 0.6, 1e-3).z - 1;
            snprintf(text, sizeof text, "capstan, half a turn, mu %g, n %d: T2/T1", row[i].mu,
                     row[i].n);
            verify_near(log, text, "", expected, ratio, 1e-4 * expected,
                        "closed form of the chain of chords");
            if (expected < limit * (1 + 5e-5))
                verify_near(log, "the same, against the smooth rope", "", limit, ratio,
                            1e-4 * limit, "closed form; Euler's has no arm r");
        }
        contact_finish(&run);
    }
}

/* ---- helix in a tube ----------------------------------------------------------------------------------- */

static const double CLEARANCE = 0.01;

/* How far up the wall the rod is, at most: 0 at the bottom, pi at the top. */
static double climbed(const withy_snapshot *now) {
    double most = 0;
    for (int i = 0; i < now->count; i++) {
        const double y = now->position[i].y, z = now->position[i].z - CLEARANCE;
        if (hypot(y, z) > 0.5 * CLEARANCE) most = fmax(most, fabs(atan2(y, -z)));
    }
    return most;
}

void study_helix(verify_log *log) {
    const double stop = 60, to = 1.8; /* as the case has it: a load over that of snaking */
    contact_run run = contact_start(log, "helix_in_tube", "params.n=120");
    double side = 0, before = 0, length = 0;
    for (int i = 1; i <= 240 && run.sim; i++) {
        const double t = stop * i / 240, load = 0.9 + (to - 0.9) * fmin(1, t / (0.9 * stop));
        const withy_snapshot *now = contact_at(&run, t);
        if (!now) break;
        if (!(side > 0) && climbed(now) > WY_PI / 2) side = load / sqrt(2);
        if (load < 1.2) before = climbed(now);
        length = climbed(now);
    }
    if (run.sim) {
        verify_near(log, "rod in a tube climbs past its side: F / 2 sqrt(2) sqrt(EI w/c)", "", 1,
                    side, 0.06, "a long rod; this one is 3.85 waves long, between pins");
        verify_below(log, "at 0.85 of that load it snakes: angle up the wall [rad]", "", before,
                     WY_PI / 4, "");
        verify_near(log, "at 1.27 of that load it winds over the top: angle [rad]", "", WY_PI,
                    length, 0.1, "");
    }
    contact_finish(&run);
}

/* ---- knots --------------------------------------------------------------------------------------------- */

/* Of a pull: the shortening e at both ends of a window, the energy U of bending there, and the mean of F e^2. */
typedef struct pulled {
    double e[2], u[2], traction;
    int count;
} pulled;

static double shortening(const contact_run *run, const withy_snapshot *now) {
    const double length = withy_scene_problem(run->scene)->rod[0].length;
    return length - (now->position[now->count - 1].x - now->position[0].x);
}

static pulled pull(verify_log *log, double r, int n) {
    char text[80];
    pulled out = {.count = 0};
    snprintf(text, sizeof text, "params.r=%g params.n=%d", r, n);
    contact_run run = contact_start(log, "trefoil_knot", text);
    for (int i = 1; i <= 100; i++) {
        const withy_snapshot *now = contact_at(&run, 0.01 * i);
        if (!now) break;
        const double e = shortening(&run, now);
        if (e > 0.455 || e < 0.35) continue;
        const int k = out.count++ > 0;
        out.e[k] = e, out.u[k] = now->energy.bend;
        out.traction += -now->reaction[0].x * e * e;
    }
    out.traction /= out.count;
    contact_finish(&run);
    return out;
}

/* The constant of the parabola a + b x + c x^2 that is nearest to four points. */
static double at_zero(const double x[4], const double y[4]) {
    double m[3][4] = {{0}};
    for (int k = 0; k < 4; k++) {
        const double v[3] = {1, x[k], x[k] * x[k]};
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) m[i][j] += v[i] * v[j];
            m[i][3] += v[i] * y[k];
        }
    }
    for (int i = 2; i > 0; i--) /* from below: the constant is left */
        for (int k = 0; k < i; k++) {
            const double f = m[k][i] / m[i][i];
            for (int j = 0; j < 4; j++) m[k][j] -= f * m[i][j];
        }
    return m[0][3] / m[0][0];
}

/* A thin knot is a circle of length e: U = 2 pi^2 B/e and F = -dU/de = 2 pi^2 B/e^2.  Where strands as thick as r
 * pass each other the curvature falls from 1/R to 0 over a length like sqrt(r R): corrections in powers of
 * sqrt(r/e).  F follows the chords of the mesh up and down by some percent; its mean over a pull, which is the
 * energy gained, F e^2 = dU/d(1/e), does not. */
static void knots_tight(verify_log *log) {
    static const struct {
        double r;
        int n;
    } row[4] = {{3e-3, 200}, {1.5e-3, 300}, {7.5e-4, 400}, {3.75e-4, 600}};
    const double limit = 2 * WY_PI * WY_PI;
    double x[4], force[4], energy[4];
    int above = 0;
    for (int i = 0; i < 4; i++) {
        char text[80];
        const pulled at = pull(log, row[i].r, row[i].n);
        const double e = sqrt(at.e[0] * at.e[1]);
        x[i] = sqrt(row[i].r / e);
        force[i] = (at.u[1] - at.u[0]) / (1 / at.e[1] - 1 / at.e[0]);
        energy[i] = 0.5 * (at.u[0] * at.e[0] + at.u[1] * at.e[1]);
        above += force[i] > limit && (i == 0 || force[i] < force[i - 1]);
        snprintf(text, sizeof text, "knot, r/L %g: mean traction over dU/d(1/e)", row[i].r);
        verify_near(log, text, "", 1, at.traction / force[i], 0.04, "");
    }
    verify_near(log, "traction of four knots falls towards 2 pi^2 from above: how many", "", 4,
                above, 0, "");
    verify_near(log, "trefoil knot, r -> 0 from four radii: F e^2/B", "", limit, at_zero(x, force),
                0.03 * limit, "");
    verify_near(log, "trefoil knot, r -> 0 from four radii: U e/B", "", limit, at_zero(x, energy),
                0.01 * limit, "");
}

/* Mean traction at the start between two times. */
static double traction(contact_run *run, double a, double b) {
    double sum = 0;
    for (int i = 1; i <= 40; i++) {
        const withy_snapshot *now = contact_at(run, a + (b - a) * i / 40);
        if (!now) return NAN;
        sum -= now->reaction[0].x / 40;
    }
    return sum;
}

/* Friction holds a knot back while it is pulled tight, and holds it together while it is let out. */
static void knots_rub(verify_log *log) {
    double force[2][2] = {{0}}; /* without and with friction; in and out */
    for (int i = 0; i < 2; i++) {
        contact_run run = contact_start(log, "trefoil_knot",
                                        i ? "params.back=0.06 params.mu=0.1" : "params.back=0.06");
        if (contact_at(&run, 0.6)) force[i][0] = traction(&run, 0.6, 0.8);
        if (contact_at(&run, 1.4)) force[i][1] = traction(&run, 1.4, 1.8);
        contact_finish(&run);
    }
    verify_below(log, "knot pulled tight: traction without friction over that with mu 0.1", "",
                 force[0][0] / force[1][0], 0.8, "1 without hysteresis");
    verify_below(log, "knot let out: traction with mu 0.1 over that without friction", "",
                 force[1][1] / force[0][1], 0.8, "1 without hysteresis");
    verify_below(log, "without friction, out against in at the same e: relative difference", "",
                 fabs(force[0][1] / force[0][0] - 1), 0.3, "e differs by 6 %");
}

void study_knots(verify_log *log) {
    knots_tight(log);
    knots_rub(log);
}

/* ---- plectoneme ---------------------------------------------------------------------------------------- */

/* Two strands at the angle a about a common axis, each at the distance r of it: bending B sin^4 a/(2 r^2) and link
 * sin 2a/(4 pi r) per length.  At tension T the minimum over a, and the exchange with the straight rod, give
 * M = 2 B sin^3 a cos a/(r cos 2a),  T = M sin 2a/(2 r) - B sin^4 a/(2 r^2). */
static double ply_torque(double a, double r) {
    return 2 * pow(sin(a), 3) * cos(a) / (r * cos(2 * a));
}

static double ply_angle(double pull_, double r) {
    double low = 1e-3, high = 0.7;
    for (int i = 0; i < 60; i++) {
        const double a = 0.5 * (low + high);
        const double t = ply_torque(a, r) * sin(2 * a) / (2 * r) - pow(sin(a), 4) / (2 * r * r);
        *(t < pull_ ? &low : &high) = a;
    }
    return low;
}

/* The turns at which the straight rod is no longer stable, under 40 N: q = pi/L of B w'''' - i M w''' - T w'' = 0
 * between a clamp and a guide. */
static void throws_a_loop(verify_log *log) {
    const double expected = 2 * sqrt(40 + WY_PI * WY_PI), c = 0.8;
    contact_run run = contact_start(log, "plectoneme", "loads=nil options.n=40 options.degree=3");
    withy_equilibrium at;
    double low = 0.3, high = 0;
    for (double t = low; t < 1.2 && !(high > 0) && run.sim; t += 0.02) {
        if (!contact_rest(&run, t, &at)) break;
        *(at.negative > 0 ? &high : &low) = t;
    }
    for (int i = 0; i < 12 && run.sim && high > 0; i++) {
        const double t = 0.5 * (low + high);
        if (contact_rest(&run, t, &at)) *(at.negative > 0 ? &high : &low) = t;
    }
    if (run.sim) {
        const double q = 0.5 * (low + high) / 1.5, turns = 8 * q * q * (3 - 2 * q);
        verify_near(log, "twisted rod under 40 B/L^2 throws a loop: torque M L/B", "", expected,
                    2 * WY_PI * c * turns, 2e-4 * expected, "2 sqrt(B T + pi^2 B^2/L^2)");
    }
    contact_finish(&run);
}

void study_plectoneme(verify_log *log) {
    const double r = 5e-3, pull_ = 400, a = ply_angle(pull_, r);
    throws_a_loop(log);
    contact_run run = contact_start(log, "plectoneme", "params.n=400");
    double torque = 0;
    for (int i = 1; i <= 20; i++) {
        const withy_snapshot *now = contact_at(&run, 2.3 + 0.01 * i);
        if (!now) break;
        torque -= now->reaction_moment[0].x / 20;
    }
    if (run.sim)
        verify_near(log, "plectoneme under 400 B/L^2: torque M L/B", "", ply_torque(a, r), torque,
                    0.03 * ply_torque(a, r), "without the energy of the loop at its end");
    contact_finish(&run);
}

/* ---- coiling --------------------------------------------------------------------------------------------- */

/* A thread let down slowly from the height H onto the ground lays itself in circles of the radius R, all in the length
 * (EI/(rho A g))^(1/3): rod that hangs from the axis of the circle and touches the ground along it, without twisting moment
 * and inertia, B t' = M x t, M' = -t x F, F' = w z; at the ground M = B/R z.  Five unknowns (R, F there, length), five
 * conditions at the top, solved by shooting in quadruple precision, apart from this program. */
static double coil_radius(double height) {
    static const double radius[9] = {/* at 6, 7, .. 14; from 11 on by its growth like ln H */
                                     1.21442, 1.24221, 1.26566, 1.28597, 1.30388,
                                     1.3199,  1.3344,  1.3476,  1.3598};
    const int i = height < 13 ? (int)height - 6 : 7;
    return radius[i] + (height - 6 - i) * (radius[i + 1] - radius[i]);
}

/* The curvature of what has just been laid down, over half a centimetre. */
static double laid(const withy_snapshot *now, double r) {
    int last = 6;
    double sum = 0;
    for (int i = 0; i < now->count; i++)
        if (now->position[i].z < 2.5 * r) last = i > 6 ? i : 6;
    for (int i = last - 6; i <= last - 2; i++) sum += hypot(now->bend[i].x, now->bend[i].y) / 5;
    return sum;
}

void study_coiling(verify_log *log) {
    const double r = 1.5e-3, unit = cbrt(4e5 * r * r / 4 / (1180 * 9.81));
    contact_run run =
        contact_start(log, "belt_coiling",
                      "params.belt=0 params.feed=0.05 ends.finish.turn=free contact.friction=1 "
                      "time.stop=20 options.n=320");
    double sum = 0;
    int count = 0;
    for (int i = 1; i <= 195; i++) {
        const withy_snapshot *now = contact_at(&run, 0.1 * i);
        if (!now) break;
        const double height = now->position[now->count - 1].z / unit;
        if (!(height > 6 && height < 14)) continue;
        sum += laid(now, r) * unit * coil_radius(height), count++;
    }
    if (run.sim)
        verify_near(
            log, "thread let down slowly: curvature of its coils times R of theory", "", 1,
            sum / count, 0.05,
            "mean from 14 to 6 lengths above the ground; with friction 0.5 coils open: 0.93");
    contact_finish(&run);
}
