/* verify_elastica.c - the examples, figures and theorem of [EL] reproduced (S. Montgomery-Smith,
 * W. Huang, A numerical method to model dynamic behavior of thin inextensible elastic rods in three
 * dimensions).
 *
 * The source prints few numbers.  "Fixed grid" values are those of an independent implementation of
 * its scheme with its own first step (106) and unprojected initial state; "converged" values are
 * Richardson limits of the corrected scheme.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cases.h"
#include "energy_of.h"
#include "verify.h"

#define PI 3.14159265358979323846

enum { OVERRIDES = 8 };

/* ---- running a case -------------------------------------------------------------------------- */

typedef struct study_run {
    verify_log *log;
    withy_scene *scene;
    withy_sim *sim; /* NULL: failed, and reported */
} study_run;

static const wy_case *find_case(const char *name) {
    for (const wy_case *c = wy_cases; c->name; c++)
        if (strcmp(c->name, name) == 0) return c;
    return NULL;
}

/* Start cases/NAME with overrides "options.n=40 time.stop=20" (separated by blanks). */
static study_run start(verify_log *log, const char *name, const char *overrides) {
    study_run run = {.log = log};
    withy_error err = {.code = WITHY_MISSING};
    const char *list[OVERRIDES];
    char copy[512];
    int count = 0;
    snprintf(copy, sizeof copy, "%s", overrides);
    for (char *at = copy; *at && count < OVERRIDES;) {
        list[count++] = at;
        char *blank = strchr(at, ' ');
        if (!blank) break;
        *blank = '\0';
        at = blank + 1;
    }
    const wy_case *found = find_case(name);
    if (!found) {
        snprintf(err.text, sizeof err.text, "the case \"%s\" is not in this program", name);
    } else if (withy_scene_read_text(found->text, found->size, name, list, count, &run.scene,
                                     &err) == WITHY_OK) {
        int options;
        const withy_option *option = withy_scene_options(run.scene, &options);
        withy_sim_create(withy_scene_problem(run.scene), withy_scene_method(run.scene), option,
                         options, &run.sim, &err);
    }
    if (!run.sim) verify_failed(log, name, &err);
    return run;
}

static void finish(study_run *run) {
    withy_sim_destroy(run->sim);
    withy_scene_destroy(run->scene);
    *run = (study_run){0};
}

/* Advance; NULL when that failed (a failing row is logged). */
static const withy_snapshot *at_time(study_run *run, double t) {
    withy_error err = {0};
    if (!run->sim) return NULL;
    const withy_snapshot *snap = NULL;
    if (withy_sim_advance(run->sim, t, &err) == WITHY_OK) snap = withy_sim_sample(run->sim, 0);
    if (!snap) verify_failed(run->log, "advance", &err);
    return snap;
}

static withy_vec3 station(const withy_snapshot *snap, double s) {
    int best = 0;
    for (int i = 1; snap && i < snap->count; i++)
        if (fabs(snap->s[i] - s) < fabs(snap->s[best] - s)) best = i;
    return snap ? snap->position[best] : (withy_vec3){NAN, NAN, NAN};
}

static double gap(withy_vec3 a, withy_vec3 b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

#define SOURCE_SCHEME "options.start=paper options.project=false"
static const char source_scheme[] = SOURCE_SCHEME;

/* ---- figures --------------------------------------------------------------------------------- */

/* One coordinate at one time on a fixed grid. */
typedef struct sight {
    const char *what; /* NULL past the last */
    double t;
    char axis;
    double expected, tolerance;
} sight;

static double coordinate(withy_vec3 v, char axis) {
    return axis == 'x' ? v.x : axis == 'y' ? v.y : v.z;
}

/* Run a case to the times of the rows and compare the point at s. */
static study_run from_state(verify_log *log, const char *name, const char *overrides, double s,
                            const sight *row, const char *note) {
    study_run run = start(log, name, overrides);
    for (; row->what; row++) {
        const withy_snapshot *snap = at_time(&run, row->t);
        if (!snap) break;
        verify_near(log, row->what, "", row->expected, coordinate(station(snap, s), row->axis),
                    row->tolerance, note);
        note = "";
    }
    return run;
}

/* (4 f(N, h) - f(N/2, 2h))/3 of a point: the limit of a scheme of order 2 in both. */
static withy_vec3 limit_of(verify_log *log, const char *name, const char *const grid[2], double s,
                           double t) {
    withy_vec3 f[2];
    for (int i = 0; i < 2; i++) {
        study_run run = start(log, name, grid[i]);
        f[i] = station(at_time(&run, t), s);
        finish(&run);
    }
    return (withy_vec3){(4 * f[1].x - f[0].x) / 3, (4 * f[1].y - f[0].y) / 3,
                        (4 * f[1].z - f[0].z) / 3};
}

static void figure_1(verify_log *log) {
    static const sight grid[] = {
        {"middle x, t = 25 (N=50, h=2.5)", 25, 'x', 0.621819, 1e-6},
        {"middle y, t = 25", 25, 'y', -2.471498, 1e-6},
        {"middle x, t = 100", 100, 'x', 2.088133, 1e-6},
        {"middle y, t = 100", 100, 'y', -8.299544, 1e-6},
        {0},
    };
    study_run run = from_state(
        log, "coil", "options.start=paper options.project=false options.n=50 options.dt=2.5",
        3 * PI, grid, "the source's scheme, with half its step");
    finish(&run);
    run = start(log, "coil", "options.n=50 options.dt=5");
    const withy_snapshot *snap = at_time(&run, 100);
    if (snap) {
        verify_below(log, "iterations a step, h = 5, default start", "",
                     withy_sim_stats(run.sim).iterations_max, 6,
                     "regression: with the one-step start Newton's method has no trouble at the "
                     "source's step");
        verify_near(log, "middle y, t = 100 (h=5)", "", -8.301115, station(snap, 3 * PI).y, 0.006,
                    "against the converged value");
    }
    finish(&run);
    run = start(log, "coil",
                "options.start=paper options.project=false options.n=50 options.dt=5 "
                "options.halvings=0");
    snap = at_time(&run, 25);
    if (snap)
        verify_near(log, "middle y, t = 25 (h=5, the source's start)", "", -5.419372,
                    station(snap, 3 * PI).y, 1e-6,
                    "regression: of several roots of the first step the one that Newton's method "
                    "finds; -2.65 is right: the source's grid is far from converged");
    finish(&run);
    static const char *const fine[2] = {"options.n=100 options.dt=0.25",
                                        "options.n=200 options.dt=0.125"};
    const withy_vec3 limit = limit_of(log, "coil", fine, 3 * PI, 25);
    verify_near(log, "middle y, t = 25, converged", "", -2.653502, limit.y, 2e-4, "");
}

static void figure_2(verify_log *log) {
    static const sight grid[] = {
        {"tip y, t = 1 (N=10, h=1/6)", 1, 'y', -0.187209416, 1e-8},
        {"tip z, t = 1", 1, 'z', 2.686457288, 1e-8},
        {"tip y, t = 5", 5, 'y', -1.955537290, 1e-8},
        {"tip z, t = 5", 5, 'z', 2.136353469, 1e-8},
        {"tip y, t = 10", 10, 'y', 1.117774772, 1e-8},
        {"tip z, t = 10", 10, 'z', -2.022991593, 1e-8},
        {0},
    };
    study_run run = from_state(
        log, "rotating_clamp", SOURCE_SCHEME " options.n=10 options.dt=0.16666666666666666", 3,
        grid,
        "erratum: the source's grid is too coarse after t = 5: converged tip at t = 10 is "
        "(0.633, -2.194)");
    const withy_snapshot *snap = at_time(&run, 10);
    if (snap) verify_near(log, "H after 60 steps", "", 3.441863703, energy_of(snap), 1e-8, "");
    finish(&run);
    static const char *const fine[2] = {"options.n=80 options.dt=0.005208333333333333",
                                        "options.n=160 options.dt=0.0026041666666666665"};
    const withy_vec3 limit = limit_of(log, "rotating_clamp", fine, 3, 1);
    verify_near(log, "tip y, t = 1, converged", "", -0.222837, limit.y, 1e-5, "");
    verify_near(log, "tip z, t = 1, converged", "", 2.685245, limit.z, 1e-5, "");
}

static void figure_3(verify_log *log) {
    static const sight grid[] = {
        {"middle x, t = 0.6 (N=15, h=0.02)", 0.6, 'x', 1.152034393, 1e-8},
        {"middle z, t = 0.6", 0.6, 'z', 0.096899164, 1e-8},
        {"middle x, t = 3", 3, 'x', 0.961612530, 1e-8},
        {"middle z, t = 3", 3, 'z', -0.214454040, 1e-8},
        {0},
    };
    study_run run = from_state(
        log, "oscillating_end",
        "options.start=paper options.project=false options.n=15 time.stations=3", PI / 2, grid,
        "erratum: 0 <= t <= 3 with h = 0.02 is 150 steps: the source's \"every 15th step up to 30 "
        "steps\" cannot both hold");
    const withy_snapshot *snap = at_time(&run, 3);
    if (snap) verify_near(log, "H after 150 steps", "", 1.705954953, energy_of(snap), 1e-8, "");
    finish(&run);
    static const char *const fine[2] = {"options.n=60 options.dt=0.0025",
                                        "options.n=120 options.dt=0.00125"};
    const withy_vec3 limit = limit_of(log, "oscillating_end", fine, PI / 2, 3);
    verify_near(log, "middle x, t = 3, converged", "", 0.954769, limit.x, 5e-5,
                "the end starts to move with a jump in velocity, so the order in h is lower here");
}

static void figure_4(verify_log *log) {
    static const sight grid[] = {
        {"tip x, t = 10 (N=20, h=0.1)", 10, 'x', -1.654752889, 1e-8},
        {"tip z, t = 10", 10, 'z', 9.038434453, 1e-8},
        {"tip x, t = 20", 20, 'x', -0.195805819, 1e-8},
        {"tip z, t = 20", 20, 'z', -4.587725274, 1e-8},
        {"tip x, t = 40", 40, 'x', 5.745553792, 1e-6},
        {"tip z, t = 40", 40, 'z', -6.636821833, 1e-6},
        {0},
    };
    study_run run =
        from_state(log, "falling_rod", SOURCE_SCHEME " options.n=20 options.dt=0.1", 10, grid, "");
    const withy_snapshot *snap = at_time(&run, 40);
    if (snap) verify_near(log, "H after 400 steps", "", -1.157149744, energy_of(snap), 1e-6, "");
    finish(&run);
    run = start(log, "falling_rod", "options.n=160 options.dt=0.0125");
    snap = at_time(&run, 40);
    if (snap)
        verify_near(log, "tip x, t = 40, fine grid", "", -3.833, station(snap, 10).x, 0.1,
                    "erratum: the source's grid (N=20) ends on the wrong side, at +5.75");
    finish(&run);
    static const char *const fine[2] = {"options.n=80 options.dt=0.0125",
                                        "options.n=160 options.dt=0.00625"};
    const withy_vec3 limit = limit_of(log, "falling_rod", fine, 10, 10);
    verify_near(log, "tip x, t = 10, converged", "", -1.608215, limit.x, 2e-5, "");
    verify_near(log, "tip z, t = 10, converged", "", 8.994414, limit.z, 2e-5, "");
}

/* ---- section 8: elliptic functions ----------------------------------------------------------- */

/* Carlson's R_F and R_D by duplication (NIST DLMF 19.36(i)). */
static double carlson_f(double x, double y, double z) {
    double mean = 0;
    for (int i = 0; i < 40; i++) {
        mean = (x + y + z) / 3;
        const double l = sqrt(x * y) + sqrt(y * z) + sqrt(z * x);
        if (fmax(fabs(x - mean), fmax(fabs(y - mean), fabs(z - mean))) < 1e-4 * mean) break;
        x = (x + l) / 4, y = (y + l) / 4, z = (z + l) / 4;
    }
    const double a = 1 - x / mean, b = 1 - y / mean, c = -a - b;
    const double e2 = a * b - c * c, e3 = a * b * c;
    return (1 - e2 / 10 + e3 / 14 + e2 * e2 / 24 - 3 * e2 * e3 / 44) / sqrt(mean);
}

static double carlson_d(double x, double y, double z) {
    double sum = 0, power = 1, mean = 0;
    for (int i = 0; i < 40; i++) {
        mean = (x + y + 3 * z) / 5;
        const double l = sqrt(x * y) + sqrt(y * z) + sqrt(z * x);
        if (fmax(fabs(x - mean), fmax(fabs(y - mean), fabs(z - mean))) < 1e-4 * mean) break;
        sum += power / (sqrt(z) * (z + l));
        power /= 4;
        x = (x + l) / 4, y = (y + l) / 4, z = (z + l) / 4;
    }
    const double a = 1 - x / mean, b = 1 - y / mean, c = -(a + b) / 3;
    const double e2 = a * b - 6 * c * c, e3 = (3 * a * b - 8 * c * c) * c;
    const double e4 = 3 * (a * b - c * c) * c * c, e5 = a * b * c * c * c;
    const double series =
        1 - 3 * e2 / 14 + e3 / 6 + 9 * e2 * e2 / 88 - 3 * e4 / 22 - 9 * e2 * e3 / 52 + 3 * e5 / 26;
    return 3 * sum + power * series / (mean * sqrt(mean));
}

/* Incomplete integrals with parameter m = k^2, |phi| <= pi/2. */
static double elliptic_f(double phi, double m) {
    const double s = sin(phi), c = cos(phi);
    return s * carlson_f(c * c, 1 - m * s * s, 1);
}
static double elliptic_e(double phi, double m) {
    const double s = sin(phi), c = cos(phi);
    return elliptic_f(phi, m) - m * s * s * s / 3 * carlson_d(c * c, 1 - m * s * s, 1);
}

/* Amplitude: phi with F(phi) = u, |u| <= K, by Newton. */
static double amplitude(double u, double m) {
    double phi = u * PI / 2 / elliptic_f(PI / 2, m);
    for (int i = 0; i < 50; i++) {
        const double s = sin(phi), step = (elliptic_f(phi, m) - u) * sqrt(1 - m * s * s);
        phi -= step;
        if (fabs(step) < 1e-15) break;
    }
    return phi;
}

/* aL/2 = K(m), (2E(m) - K(m))/a = 2 sqrt 2, L = 6 pi. */
static void arch_parameters(double *m, double *a) {
    double low = 0.01, high = 0.8;
    for (int i = 0; i < 100; i++) {
        *m = 0.5 * (low + high);
        const double K = elliptic_f(PI / 2, *m), E = elliptic_e(PI / 2, *m);
        *a = K / (3 * PI);
        if ((2 * E - K) / *a > 2 * sqrt(2))
            low = *m;
        else
            high = *m;
    }
}

/* (128) */
static withy_vec3 arch(double s, double m, double a) {
    const double w = a * (s - 3 * PI), phi = amplitude(w, m);
    return (withy_vec3){(2 * elliptic_e(phi, m) - w) / a, 2 * sqrt(m) * cos(phi) / a, 0};
}

static double arch_difference(const withy_snapshot *snap, double m, double a) {
    double largest = 0;
    for (int i = 0; i < snap->count; i++)
        largest = worst_of(largest, gap(snap->position[i], arch(snap->s[i], m, a)));
    return largest;
}

static void section_8(verify_log *log) {
    double m, a, last = NAN, force[2] = {NAN, NAN}, bend[2] = {NAN, NAN};
    arch_parameters(&m, &a);
    study_run run = start(log, "steady_arch", source_scheme);
    const withy_snapshot *snap = at_time(&run, 100);
    if (snap) {
        verify_near(log, "max difference, N = 50, t = 100", "about 0.003", 0.00296935,
                    arch_difference(snap, m, a), 1e-7, "");
        verify_near(log, "apex y (N=50, h=5)", "", 7.531644039, station(snap, 3 * PI).y, 1e-8,
                    "analytic: 7.53461339");
        verify_near(log, "H after 20 steps", "", 0.456366842, energy_of(snap), 1e-8,
                    "analytic bending energy: 0.45519877");
    }
    finish(&run);
    for (int n = 50; n <= 200; n *= 2) {
        char overrides[96], quantity[64];
        snprintf(overrides, sizeof overrides, "%s options.n=%d time.stop=1000", source_scheme, n);
        run = start(log, "steady_arch", overrides);
        snap = at_time(&run, 1000);
        const double difference = snap ? arch_difference(snap, m, a) : NAN;
        snprintf(quantity, sizeof quantity, "ratio of differences, N = %d to %d", n / 2, n);
        if (n > 50) verify_near(log, quantity, "order 2", 4, last / difference, 0.05, "");
        last = difference;
        if (snap) { /* the pins push with a^2, the apex is bent by 2 sqrt(m) a */
            force[n > 100] = fabs(snap->reaction[0].x);
            bend[n > 100] = fabs(gap(snap->bend[n / 2], (withy_vec3){0, 0, 0}));
        }
        finish(&run);
    }
    const double own_a = sqrt((4 * force[1] - force[0]) / 3);
    const double own_m = pow((4 * bend[1] - bend[0]) / 3 / (2 * own_a), 2);
    verify_near(log, "a from the force of the pins, N to infinity", "0.209749", a, own_a, 5e-7,
                "to the digits printed");
    verify_near(log, "m from the curvature of the apex, N to infinity", "0.624401", m, own_m, 5e-7,
                "m = k^2 in (128)");
}

/* ---- section 9 ------------------------------------------------------------------------------- */

enum { GRIDS = 4, FINEST = 10 << (GRIDS - 1), TIMES = 3 };

/* Err_{r,r+1} of (134) at t = 10, 50, 100 for (M, N) = (50, 10) 2^r. */
static const double err_time[TIMES] = {10, 50, 100};

static double error_of(int r, withy_vec3 shape[GRIDS][TIMES][FINEST + 1], int k) {
    const int n = 10 << r;
    double sum = 0;
    for (int j = 0; j <= n; j++) {
        const double d = gap(shape[r][k][j], shape[r + 1][k][2 * j]);
        sum += (j == 0 || j == n ? 0.5 : 1.0) * d * d;
    }
    return sqrt(sum * 2 * PI / n);
}

static int order_errors(verify_log *log, const char *more, double err[TIMES][GRIDS - 1]) {
    static withy_vec3 shape[GRIDS][TIMES][FINEST + 1];
    for (int r = 0; r < GRIDS; r++) {
        char overrides[256];
        snprintf(
            overrides, sizeof overrides,
            "rod.length=%.17g probes.middle.at=1 time.output=10 options.n=%d options.dt=%.17g%s",
            2 * PI, 10 << r, 2.0 / (1 << r), more);
        study_run run = start(log, "coil", overrides);
        const withy_snapshot *snap = NULL;
        for (int k = 0; k < TIMES && (snap = at_time(&run, err_time[k])); k++)
            memcpy(shape[r][k], snap->position, (size_t)snap->count * sizeof shape[r][k][0]);
        finish(&run);
        if (!snap) return 0;
    }
    for (int k = 0; k < TIMES; k++)
        for (int r = 0; r + 1 < GRIDS; r++) err[k][r] = error_of(r, shape, k);
    return 1;
}

static void section_9(verify_log *log) {
    double err[TIMES][GRIDS - 1];
    if (!order_errors(log, "", err)) return;
    verify_near(log, "Err_01 / Err_12 at t = 100", "about 4", 3.97, err[2][0] / err[2][1], 0.1,
                "one-step start, projected; the source does not state its final time");
    verify_near(log, "Err_12 / Err_23 at t = 100", "about 4", 3.99, err[2][1] / err[2][2], 0.1, "");
}

/* Ratios Err_{r,r+1} / Err_{r+1,r+2} of one start at the three times. */
static void ratio_rows(verify_log *log, const char *start_name, const double expected[TIMES][2],
                       double err[TIMES][GRIDS - 1], const char *note) {
    for (int k = 0; k < TIMES; k++)
        for (int r = 0; r < 2; r++) {
            char quantity[96];
            snprintf(quantity, sizeof quantity, "figure 7, %s: ratio %d at t = %g", start_name,
                     r + 1, err_time[k]);
            verify_near(log, quantity, "about 4", expected[k][r], err[k][r] / err[k][r + 1], 0.03,
                        fabs(expected[k][r] - 4) > 0.5 ? note : "");
        }
}

static void figures_6_7(verify_log *log) {
    static const double clean[TIMES][2] = {{4.37, 4.10}, {4.06, 4.00}, {3.97, 3.99}};
    static const double printed[TIMES][2] = {{5.25, 5.64}, {4.92, 7.26}, {4.17, 4.54}};
    double err[TIMES][GRIDS - 1];
    if (order_errors(log, " options.cure=A", err)) {
        verify_near(log, "figure 6, one-step start: Err_01 at t = 100", "", 0.0463624, err[2][0],
                    1e-6, "with the source's constraints, projected");
        verify_near(log, "figure 6: 4 Err_12 at t = 100", "", 4 * 0.0116912, 4 * err[2][1], 4e-7,
                    "");
        verify_near(log, "figure 6: 16 Err_23 at t = 100", "", 16 * 0.00292851, 16 * err[2][2],
                    2e-6, "");
        ratio_rows(log, "one-step", clean, err, "");
    }
    if (order_errors(log, " options.start=paper options.project=false", err))
        ratio_rows(log, "the source's start", printed, err,
                   "erratum: (106) contains no damping: ratios lie between 1 and 12 over t instead "
                   "of near "
                   "4; 93 of 100 are above it, as the claim of order at least 2 has it");
}

/* ---- Theorem 1 ------------------------------------------------------------------------------- */

/* alpha of the steady arch (128): n = -a^2 e_x is constant, n.x' = alpha + |x''|^2. */
static double arch_alpha(double s, double m, double a) {
    const double c = cos(amplitude(a * (s - 3 * PI), m));
    return -a * a * (1 - 2 * m + 6 * m * c * c);
}

static void arch_multiplier(verify_log *log) {
    double m, a, worst = 0;
    arch_parameters(&m, &a);
    study_run run = start(log, "steady_arch", "options.n=200 time.stop=600");
    const withy_snapshot *snap = at_time(&run, 600);
    for (int j = 0; snap && j < snap->count; j++)
        worst = worst_of(worst, fabs(snap->multiplier[j].z - arch_alpha(snap->s[j], m, a)));
    if (snap)
        verify_below(log, "(25) at rest: alpha of the steady arch, largest error / a^2", "exact",
                     worst / (a * a), 5e-3, "-a^2 (1 - 2 m + 6 m cn^2), N = 200");
    finish(&run);
}

/* A straight rod along x of length 2; the velocity is omega s across, or the end is driven. */
typedef struct straight_run {
    withy_rod rod;
    withy_problem problem;
    withy_sim *sim;
} straight_run;

static withy_status turning(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)t, (void)err;
    out[0] = 0, out[1] = 0.7 * s, out[2] = 0;
    return WITHY_OK;
}
static withy_status dragged(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    out[0] = 2 + 0.15 * t * t, out[1] = out[2] = 0;
    return WITHY_OK;
}

static const withy_snapshot *straight_to(verify_log *log, straight_run *x, double h, double t) {
    const withy_option option[] = {{.name = "n", .number = 32}, {.name = "dt", .number = h}};
    withy_error err = {0};
    x->rod.name = "rod", x->rod.length = 2;
    x->rod.stiffness[WITHY_BEND1] = x->rod.stiffness[WITHY_BEND2] = withy_field_number(1);
    x->rod.inertia[WITHY_MASS] = withy_field_number(1);
    x->rod.initial = (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .along = {1, 0, 0}};
    x->problem = withy_problem_default();
    x->problem.title = "a straight rod", x->problem.rod = &x->rod;
    x->problem.request.stop = t, x->problem.request.output = t;
    if (withy_sim_create(&x->problem, "elastica", option, 2, &x->sim, &err) == WITHY_OK &&
        withy_sim_advance(x->sim, t, &err) == WITHY_OK)
        return withy_sim_sample(x->sim, 0);
    verify_failed(log, "a straight rod", &err);
    return NULL;
}

static void theorem_1(verify_log *log) {
    arch_multiplier(log);
    straight_run spin = {.rod = {.velocity = {.size = 3, .call = turning}}};
    spin.rod.end[0].kind = WITHY_END_PINNED;
    const withy_snapshot *snap = straight_to(log, &spin, 0.005, 1);
    if (snap) {
        verify_near(
            log, "(25): alpha at the pivot of a spinning rod / (rho omega^2 L^2/2)", "", 1,
            snap->multiplier[0].z / (0.49 * 2), 4e-3,
            "erratum: (25) has rho abs(x_t)^2 in print, which would give L^2/6 = 2/3 of it");
        verify_below(log, "(29): alpha at its free end / the same", "0",
                     fabs(snap->multiplier[32].z) / (0.49 * 2), 4e-3, "");
    }
    withy_sim_destroy(spin.sim);
    straight_run drag = {0};
    drag.rod.end[1].kind = WITHY_END_PINNED;
    drag.rod.end[1].position = (withy_field){.size = 3, .call = dragged};
    snap = straight_to(log, &drag, 0.05, 3);
    if (snap)
        verify_near(log, "(28): alpha' at an end that drags the rod / (rho x_tt.x')", "", 1,
                    (snap->multiplier[32].z - snap->multiplier[31].z) / (2.0 / 32) / 0.3, 1e-6,
                    "erratum: (26), (28) have rho x_t.x' in print, here 0.9 instead of 0.3");
    withy_sim_destroy(drag.sim);
}

/* ---- Theorem 3 ------------------------------------------------------------------------------- */

/* Largest |H_n - H_2| over 10^4 steps; *jump = H_2 - H_1. */
static double drift(verify_log *log, const char *name, const char *overrides, double *jump) {
    study_run run = start(log, name, overrides);
    const double h = run.sim ? withy_sim_step(run.sim) : 0;
    double first = NAN, second = NAN, largest = run.sim ? 0 : NAN;
    for (int n = 1; n <= 10000; n++) {
        const withy_snapshot *snap = at_time(&run, n * h);
        if (!snap) break;
        if (n == 1) first = energy_of(snap);
        if (n == 2) second = energy_of(snap);
        if (n > 2) largest = worst_of(largest, fabs(energy_of(snap) - second));
    }
    *jump = second - first;
    finish(&run);
    return largest;
}

static void theorem_3(verify_log *log) {
    double jump;
    const double arch_drift = drift(
        log, "steady_arch",
        "rod.damping.bend=0 time.stop=1000 time.output=0.1 options.n=20 options.dt=0.1", &jump);
    verify_below(log, "drift of H, arch, 10^4 steps", "constant", arch_drift, 1e-10,
                 "projected initial state, nu = 0");
    const double falling_drift = drift(
        log, "falling_rod",
        "rod.damping.bend=0 time.stop=500 time.output=0.05 options.n=20 options.dt=0.05", &jump);
    verify_below(log, "drift of H, falling rod, 10^4 steps", "constant", falling_drift, 1e-10, "");
    const double raw_drift =
        drift(log, "steady_arch",
              "rod.damping.bend=0 time.stop=1000 time.output=0.1 options.n=20 options.dt=0.1 "
              "options.start=paper options.project=false",
              &jump);
    verify_below(log, "drift of H from step 2, source's start", "constant", raw_drift, 1e-10, "");
    verify_near(log, "H_2 - H_1, source's start", "constant", -3.7123e-3, jump, 1e-7,
                "erratum: the theorem needs C(x_0) = 0, which sampling the initial curve does not "
                "give: H jumps "
                "once");
    study_run run = start(log, "falling_rod", "options.n=20 options.dt=0.1");
    double last = INFINITY, rise = 0;
    for (int n = 1; n <= 400; n++) {
        const withy_snapshot *snap = at_time(&run, 0.1 * n);
        if (!snap) break;
        rise = worst_of(rise, energy_of(snap) - last);
        last = energy_of(snap);
    }
    verify_below(log, "largest rise of H with damping", "falls", rise, 1e-12,
                 "erratum: (50), (83), (85) carry sign errors in print; (99) is right");
    finish(&run);
}

/* ---- a clamp at the other end ---------------------------------------------------------------- */

/* Tip of a heavy rod clamped at its start (which = 0) or at its finish, after t = 2. */
static withy_vec3 clamped_tip(verify_log *log, int which) {
    withy_rod rod = withy_rod_default();
    withy_problem problem = withy_problem_default();
    const withy_option option[] = {{.name = "n", .number = 20}, {.name = "dt", .number = 0.02}};
    withy_sim *sim = NULL;
    withy_error err = {0};
    withy_vec3 tip = {NAN, NAN, NAN};
    rod.section.kind = WITHY_SECTION_NONE;
    rod.length = 1;
    rod.stiffness[WITHY_BEND1] = rod.stiffness[WITHY_BEND2] = withy_field_number(1);
    rod.damping[WITHY_BEND1] = rod.damping[WITHY_BEND2] = withy_field_number(0.05);
    rod.inertia[WITHY_MASS] = withy_field_number(1);
    rod.initial = (withy_shape){.kind = WITHY_SHAPE_STRAIGHT,
                                .from = {which ? 1 : 0, 0, 0},
                                .along = {which ? -1 : 1, 0, 0},
                                .normal = {0, 1, 0}};
    rod.end[0].kind = which ? WITHY_END_FREE : WITHY_END_CLAMPED;
    rod.end[1].kind = which ? WITHY_END_CLAMPED : WITHY_END_FREE;
    problem.rod = &rod, problem.rod_count = 1;
    problem.gravity = (withy_vec3){0, 0, -5};
    problem.request = (withy_request){.stop = 2, .output = 2};
    if (withy_sim_create(&problem, "elastica", option, 2, &sim, &err) == WITHY_OK &&
        withy_sim_advance(sim, 2, &err) == WITHY_OK) {
        const withy_snapshot *snap = withy_sim_sample(sim, 0);
        tip = snap->position[which ? 0 : snap->count - 1];
    } else {
        verify_failed(log, "clamped tip", &err);
    }
    withy_sim_destroy(sim);
    return tip;
}

static void reversed(verify_log *log) {
    const withy_vec3 a = clamped_tip(log, 0), b = clamped_tip(log, 1);
    verify_below(log, "tip, clamped at the finish against at the start", "", gap(a, b), 1e-10,
                 "the same rod with s counted from the other end");
}

const verify_study verify_elastica[] = {
    {"figure 1", "a heavily damped coil unravels between two pins", figure_1, 0, "coil",
     .basis = "an independent implementation of the source's scheme on the same grid; converged "
              "values: its Richardson limits"},
    {"figure 2", "a rod turned about one end", figure_2, 0, "rotating_clamp",
     .basis = "an independent implementation of the source's scheme on the same grid; converged "
              "values: its Richardson limits"},
    {"figure 3", "a half circle between two pins, one of which oscillates", figure_3, 0,
     "oscillating_end",
     .basis = "an independent implementation of the source's scheme on the same grid; converged "
              "values: its Richardson limits"},
    {"figure 4", "a slightly bent upright rod falls under gravity", figure_4, 0, "falling_rod",
     .basis = "an independent implementation of the source's scheme on the same grid; converged "
              "values: its Richardson limits"},
    {"section 8", "the steady arch against the analytic elastica", section_8, 0, "steady_arch",
     .basis = "an independent implementation of the source's scheme on the same grid"},
    {"section 9", "order two in space and time", section_9, 0, "coil",
     .basis = "an independent implementation of the source's scheme on the same grid"},
    {"figures 6 and 7", "4^r Err(t) and their ratios over t", figures_6_7, 0, "coil",
     .basis = "an independent implementation of the source's scheme on the same grid"},
    {"theorem 1", "the multiplier alpha against closed forms", theorem_1, 0, "steady_arch",
     .basis = "closed forms of the arch, of a spinning and of a dragged rod"},
    {"theorem 3", "the discrete Hamiltonian is conserved, or falls with damping", theorem_3, 0},
    {"reversed", "a clamp at the last end", reversed, 0,
     .basis = "symmetry: s may be counted from either end"},
    {0},
};
