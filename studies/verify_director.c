/* verify_director.c - the acceptance numbers of the director method and its conservation properties.
 *
 * The "source" column gives numbers of a plain prototype.  Where they were
 * made with strains that withy corrects by default (see docs/theory/director.md, section 4), the
 * row is computed with options.plain = true, and the number of the default is given next to it.
 */
#include "damped.h"
#include "director_problems.h"
#include "director_sweep.h"
#include "timoshenko.h"
#include "verify.h"

static const withy_end_kind kind[4] = {WITHY_END_CLAMPED, WITHY_END_PINNED, WITHY_END_FREE,
                                       WITHY_END_GUIDED};
static const char *const kind_name[4] = {"clamped", "pinned", "free", "guided"};

static double distance(withy_vec3 a, withy_vec3 b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}
static double size(withy_vec3 a) {
    return distance(a, (withy_vec3){0, 0, 0});
}

/* ---- conservation ------------------------------------------------------------------------------ */

typedef struct drifts {
    withy_status status;
    withy_error err;
    double energy, momentum, angular; /* largest, relative */
} drifts;

static drifts drift_of(int a, int b, const char *mesh, double dt, int steps) {
    drifts out = {0};
    director_problem x;
    withy_sim *sim;
    char options[128];
    director_large_motion(&x, kind[a], kind[b]);
    director_times(&x, steps * dt, dt);
    snprintf(options, sizeof options, "%s dt=%g", mesh, dt);
    out.status = director_start(&x, options, &sim, &out.err);
    if (out.status != WITHY_OK) return out;
    const withy_snapshot first = *withy_sim_sample(sim, 0);
    for (int k = 1; k <= steps && out.status == WITHY_OK; k++) {
        out.status = withy_sim_advance(sim, k * dt, &out.err);
        if (k % 10 || size(first.momentum) == 0) continue;
        const withy_snapshot *now = withy_sim_sample(sim, 0);
        out.momentum =
            worst_of(out.momentum, distance(now->momentum, first.momentum) / size(first.momentum));
        /* far away the moment of the momentum about the origin is the larger part */
        const double scale = size(first.angular_momentum) +
                             size(now->position[now->count / 2]) * size(first.momentum);
        out.angular =
            worst_of(out.angular, distance(now->angular_momentum, first.angular_momentum) / scale);
    }
    out.energy = withy_sim_stats(sim).energy_drift;
    withy_sim_destroy(sim);
    return out;
}

static void drift_row(verify_log *log, int a, int b, const char *mesh, double dt, int steps,
                      double limit, const char *source) {
    char name[96];
    drifts d = drift_of(a, b, mesh, dt, steps);
    snprintf(name, sizeof name, "energy, %s-%s, dt %g, %d steps", kind_name[a], kind_name[b], dt,
             steps);
    if (d.status != WITHY_OK) {
        verify_failed(log, name, &d.err);
        return;
    }
    verify_below(log, name, source, d.energy, limit, "");
    if (a != 2 || b != 2) return;
    verify_below(log, "linear momentum", source, d.momentum, limit, "");
    verify_below(log, "angular momentum", source, d.angular, limit, "over |L| + |r| |p|");
}

static void conservation(verify_log *log) {
    drift_row(log, 0, 2, "n=20 degree=1", 1e-3, 10000, 2e-12, "2e-12");
    drift_row(log, 0, 0, "n=20 degree=1", 1e-3, 10000, 2e-12, "2e-12");
    drift_row(log, 1, 1, "n=5 degree=3", 1e-3, 10000, 2e-12, "2e-12");
    drift_row(log, 2, 2, "n=20 degree=1", 1e-3, 10000, 5e-12, "5e-12");
}

/* Every end pair, every step from 1e-5 to 0.1 s, 10^4 steps. */
static void all_pairs(verify_log *log) {
    static const double dt[5] = {1e-5, 1e-4, 1e-3, 1e-2, 1e-1};
    for (int a = 0; a < 4; a++)
        for (int b = a; b < 4; b++)
            for (int k = 0; k < 5; k++)
                drift_row(log, a, b, b % 2 ? "n=12 degree=1" : "n=4 degree=3", dt[k], 10000, 1e-10,
                          "");
}

/* ---- trajectories ------------------------------------------------------------------------------ */

static void test_c_row(verify_log *log, const char *options, withy_vec3 *tip) {
    director_problem x;
    withy_sim *sim;
    withy_error err = {0};
    director_test_c(&x);
    *tip = (withy_vec3){NAN, NAN, NAN};
    if (director_start(&x, options, &sim, &err) != WITHY_OK ||
        withy_sim_advance(sim, 1.0, &err) != WITHY_OK) {
        verify_failed(log, options, &err);
    } else {
        const withy_snapshot *now = withy_sim_sample(sim, 0);
        *tip = now->position[now->count - 1];
    }
    withy_sim_destroy(sim);
}

static void test_c(verify_log *log) {
    const withy_vec3 truth = {-0.0182157, 0, 0.0980617};
    withy_vec3 tip;
    test_c_row(log, "n=4 degree=4 order=4 dt=5e-4", &tip);
    verify_near(log, "tip x at 1 s, degree 4, n 4, order 4", "-0.0182157", truth.x, tip.x, 5e-7,
                "");
    verify_near(log, "tip z", "0.0980617", truth.z, tip.z, 5e-7, "");
    test_c_row(log, "n=80 degree=1 dt=2.5e-4 plain=true", &tip);
    verify_near(log, "error/L, degree 1, n 80, plain", "2.1e-4", 2.1e-4, distance(tip, truth) / 0.1,
                5e-5, "");
    test_c_row(log, "n=80 degree=1 dt=2.5e-4", &tip);
    verify_below(log, "error/L, degree 1, n 80, corrected", "", distance(tip, truth) / 0.1, 3e-4,
                 "");
}

static void tip_row(verify_log *log, int scene, const char *options, const char *source,
                    double expected, double tolerance) {
    withy_error err = {0};
    double error;
    char name[96];
    snprintf(name, sizeof name, "S%d, %s", scene, options);
    if (director_tip_error(scene, options, &error, &err) != WITHY_OK)
        verify_failed(log, name, &err);
    else
        verify_near(log, name, source, expected, error, tolerance, "");
}

static void trajectories(verify_log *log) {
    tip_row(log, 2, "n=3 degree=3 order=4 dt=2.5e-3 plain=true", "9.7e-5", 9.7e-5, 1e-5);
    tip_row(log, 2, "n=3 degree=3 order=4 dt=2.5e-3", "", 1.02e-4, 1e-5);
    tip_row(log, 1, "n=3 degree=4 dt=1e-4 plain=true", "9.6e-4", 9.6e-4, 1e-4);
    tip_row(log, 1, "n=3 degree=4 dt=1e-4", "", 1.28e-3, 1e-4);
}

/* ---- exact solutions ----------------------------------------------------------------------------- */

static withy_status rise(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    out[0] = out[1] = 0, out[2] = 0.5 * 9.81 * t * t;
    return WITHY_OK;
}

static void accelerated_clamp(verify_log *log) {
    director_problem driven, heavy;
    withy_sim *a = NULL, *b = NULL;
    withy_error err = {0};
    double worst = 0;
    director_rod_t(&driven);
    driven.rod.end[0].position = (withy_field){.size = 3, .call = rise};
    director_rod_t(&heavy);
    heavy.problem.gravity = (withy_vec3){0, 0, -9.81};
    director_times(&driven, 0.5, 0.001);
    director_times(&heavy, 0.5, 0.001);
    withy_status status = director_start(&driven, "n=6 degree=2 dt=1e-3", &a, &err);
    if (status == WITHY_OK) status = director_start(&heavy, "n=6 degree=2 dt=1e-3", &b, &err);
    for (int k = 1; k <= 500 && status == WITHY_OK; k++) {
        status = withy_sim_advance(a, 0.001 * k, &err);
        if (status == WITHY_OK) status = withy_sim_advance(b, 0.001 * k, &err);
        if (status != WITHY_OK) break;
        const withy_snapshot *x = withy_sim_sample(a, 0), *y = withy_sim_sample(b, 0);
        withy_vec3 tip = x->position[x->count - 1];
        tip.z -= x->position[0].z;
        worst = worst_of(worst, distance(tip, y->position[y->count - 1]) / 0.1);
    }
    if (status != WITHY_OK)
        verify_failed(log, "accelerating clamp", &err);
    else
        verify_below(log, "accelerating clamp against gravity, tip/L", "", worst, 1e-11,
                     "independent: the same rod in another frame of reference: zero");
    withy_sim_destroy(a);
    withy_sim_destroy(b);
}

static void follower_work(verify_log *log) {
    director_problem x;
    withy_sim *sim;
    withy_error err = {0};
    director_rod_t(&x);
    x.rod.end[1].force = withy_field_vector(0, 0.02, 0);
    x.rod.end[1].follower = 1;
    director_times(&x, 1, 1e-3);
    withy_status status = director_start(&x, "n=6 degree=3 dt=1e-3", &sim, &err);
    if (status == WITHY_OK) status = withy_sim_advance(sim, 1.0, &err);
    if (status != WITHY_OK)
        verify_failed(log, "follower work", &err);
    else
        verify_below(log, "follower work against energy", "", withy_sim_stats(sim).energy_drift,
                     1e-12, "independent: exact balance: zero");
    withy_sim_destroy(sim);
}

/* The clamp turns its rod about y, to and fro: quaternion of the angle sin 3t. */
static withy_status turning(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    /* d3 along x, d1 along y at t = 0: (1 + j + k + i)/2, then the turn about y */
    const double c = cos(0.5 * sin(3 * t)), d = sin(0.5 * sin(3 * t));
    out[0] = 0.5 * (c - d), out[1] = 0.5 * (c + d), out[2] = 0.5 * (c + d), out[3] = 0.5 * (c - d);
    return WITHY_OK;
}

static void turned_clamp(verify_log *log) {
    director_problem x;
    withy_sim *sim;
    withy_error err = {0};
    director_rod_t(&x);
    x.rod.end[0].frame = (withy_field){.size = 4, .call = turning};
    director_times(&x, 1, 1e-2);
    withy_status status = director_start(&x, "n=6 degree=3 dt=2e-3", &sim, &err);
    if (status == WITHY_OK) status = withy_sim_advance(sim, 1.0, &err);
    if (status != WITHY_OK) {
        verify_failed(log, "turned clamp", &err);
    } else {
        verify_below(log, "work of a clamp that is turned against energy", "",
                     withy_sim_stats(sim).energy_drift, 1e-11, "independent: exact balance: zero");
    }
    withy_sim_destroy(sim);
}

static void exact(verify_log *log) {
    accelerated_clamp(log);
    follower_work(log);
    turned_clamp(log);
}

static void damping(verify_log *log) {
    damped_rows(log, "director", "n=24 degree=2 dt=0.002", 1e-4, 1e-12);
}

/* ---- statics --------------------------------------------------------------------------------------- */

static withy_snapshot solve(verify_log *log, const director_problem *x, const char *options,
                            double factor, withy_sim **sim, withy_equilibrium *at) {
    withy_error err = {0};
    static const withy_snapshot none = {0};
    if (director_start(x, options, sim, &err) != WITHY_OK ||
        withy_sim_equilibrium(*sim, factor, at, &err) != WITHY_OK) {
        verify_failed(log, options, &err);
        return none;
    }
    return *withy_sim_sample(*sim, 0);
}

static void dead_forces(verify_log *log) {
    static const struct {
        double force, w, u;
        const char *w_text, *u_text;
    } row[4] = {{1, 0.30172077, 0.05643324, "0.3017", "0.0564"},
                {2, 0.49345748, 0.16064170, "0.4935", "0.1606"},
                {5, 0.71379152, 0.38762839, "0.7138", "0.3876"},
                {10, 0.81060902, 0.55499560, "0.8106", "0.5550"}};
    for (int k = 0; k < 4; k++) {
        director_problem x;
        withy_sim *sim = NULL;
        withy_equilibrium at;
        char name[64];
        director_s4(&x, 1e-4);
        x.rod.end[1].force = withy_field_vector(0, row[k].force, 0);
        const withy_snapshot now = solve(log, &x, "n=8 degree=4", 1, &sim, &at);
        if (now.count) {
            const withy_vec3 tip = now.position[now.count - 1];
            snprintf(name, sizeof name, "P L^2/EI = %g: w/L", row[k].force);
            verify_near(log, name, row[k].w_text, row[k].w, tip.y, 2e-7, "elliptic integrals");
            verify_near(log, "u/L", row[k].u_text, row[k].u, 1 - tip.x, 2e-7, "");
        }
        withy_sim_destroy(sim);
    }
}

static void circle(verify_log *log) {
    director_problem x;
    withy_sim *sim = NULL;
    withy_equilibrium at;
    director_s4(&x, 0.01);
    x.rod.end[1].moment = withy_field_vector(0, 0, 2 * DIRECTOR_PI);
    const withy_snapshot now = solve(log, &x, "n=8 degree=4", 1, &sim, &at);
    if (now.count) {
        const withy_quat a = now.frame[0], b = now.frame[now.count - 1];
        const double same = fabs(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z);
        const withy_quat d = {a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z,
                              a.w * b.x - a.x * b.w - a.y * b.z + a.z * b.y,
                              a.w * b.y + a.x * b.z - a.y * b.w - a.z * b.x,
                              a.w * b.z - a.x * b.y + a.y * b.x - a.z * b.w};
        const double angle = 2 * atan2(sqrt(d.x * d.x + d.y * d.y + d.z * d.z), same);
        verify_near(log, "full circle, degree 4, n 8: tip angle", "4.4e-7", 4.4e-7, angle, 1e-7,
                    "");
    }
    withy_sim_destroy(sim);
}

static void column(verify_log *log) {
    director_problem x;
    withy_sim *sim = NULL;
    withy_equilibrium at = {0};
    director_s4(&x, 1e-3);
    x.rod.end[1].force = withy_field_vector(-10, 0, 0);
    const withy_snapshot now = solve(log, &x, "n=20 degree=1", 1, &sim, &at);
    if (now.count)
        verify_near(log, "straight column at 10 EI/L^2: negative pivots", "2", 2, at.negative, 0,
                    "");
    withy_sim_destroy(sim);
}

static void page_force(verify_log *log) {
    director_problem x;
    withy_sim *sim = NULL;
    withy_equilibrium at;
    director_s4(&x, 1e-4);
    x.rod.end[1].force = withy_field_vector(0, 10, 0);
    const withy_snapshot now = solve(log, &x, "n=8 degree=4", 1, &sim, &at);
    if (now.count) {
        verify_near(log, "P = 10, r/L 1e-4, degree 4, n 8: w/L", "0.81060907", 0.81060907,
                    now.position[now.count - 1].y, 1e-7, "");
        verify_near(log, "u/L", "0.55499561", 0.55499561, 1 - now.position[now.count - 1].x, 1e-7,
                    "");
    }
    withy_sim_destroy(sim);
}

static void statics(verify_log *log) {
    page_force(log);
    dead_forces(log);
    circle(log);
    column(log);
}

/* ---- modes ------------------------------------------------------------------------------------------ */

static void wire(verify_log *log) {
    static const double expected[3] = {25.3252, 158.7035, 444.346};
    static const char *const text[3] = {"25.3252", "158.7035", "444.346"};
    director_problem x;
    withy_sim *sim;
    withy_mode *mode;
    withy_error err = {0};
    director_plain(&x, 0.1, 0.3575e-3, 2e11, 7.7e10, 7800);
    if (director_start(&x, "n=200 degree=1", &sim, &err) != WITHY_OK ||
        withy_sim_modes(sim, 6, &mode, &err) != WITHY_OK) {
        verify_failed(log, "steel wire", &err);
        withy_sim_destroy(sim);
        return;
    }
    for (int i = 0; i < 3; i++)
        verify_near(log, "steel wire, n 200 [Hz]", text[i], expected[i], mode[2 * i].frequency,
                    1e-4 * expected[i], "each comes twice");
    withy_modes_free(mode, 6);
    withy_sim_destroy(sim);
}

static void beams(verify_log *log) {
    static const char *const pair[4] = {"cf", "ff", "pp", "cc"};
    const double area = DIRECTOR_PI * 0.25e-4, second = DIRECTOR_PI / 64 * 1e-8;
    const beam b = {0.1, 1e6 * second, 1e6 / 3 * area, 1000 * area, 1000 * second};
    for (int e = 0; e < 4; e++) {
        director_problem x;
        withy_sim *sim;
        withy_mode *mode;
        withy_error err = {0};
        double expected[5];
        char name[64];
        beam_frequencies(&b, pair[e], 5, expected);
        director_rod_t(&x);
        for (int i = 0; i < 2; i++)
            x.rod.end[i].kind = pair[e][i] == 'c' ? kind[0] : pair[e][i] == 'p' ? kind[1] : kind[2];
        if (director_start(&x, "n=24 degree=3", &sim, &err) != WITHY_OK ||
            withy_sim_modes(sim, 24, &mode, &err) != WITHY_OK) {
            verify_failed(log, pair[e], &err);
            withy_sim_destroy(sim);
            continue;
        }
        for (int k = 0; k < 5; k++) { /* the nearest: torsion and stretch lie between */
            double best = INFINITY;
            for (int i = 0; i < 24; i++)
                if (fabs(mode[i].frequency - expected[k]) < fabs(best - expected[k]))
                    best = mode[i].frequency;
            snprintf(name, sizeof name, "Timoshenko %s, mode %d [Hz]", pair[e], k + 1);
            verify_near(log, name, "", expected[k], best, 1e-6 * expected[k],
                        "transcendental equation");
        }
        withy_modes_free(mode, 24);
        withy_sim_destroy(sim);
    }
}

static void modes(verify_log *log) {
    wire(log);
    beams(log);
}

/* ---- meshes of taut rods ------------------------------------------------------------------------------ */

enum { TAUT_N = 8 };
static const double TAUT_DIAMETER = 1e-4;

/* Is a rod between two pins, stretched by e, a stable equilibrium on this mesh?  It always is one. */
static withy_status taut_is_stable(int degree, double e, int *stable, withy_error *err) {
    director_problem x;
    withy_sim *sim;
    withy_equilibrium at;
    char options[32];
    director_plain(&x, 1, TAUT_DIAMETER, 1e9, 1e12, 1000);
    director_ends(&x, WITHY_END_PINNED, WITHY_END_PINNED);
    x.rod.end[1].position = withy_field_vector(1 + e, 0, 0);
    snprintf(options, sizeof options, "n=%d degree=%d", TAUT_N, degree);
    withy_status status = director_start(&x, options, &sim, err);
    if (status == WITHY_OK) status = withy_sim_equilibrium(sim, 1, &at, err);
    *stable = status == WITHY_OK && at.negative == 0;
    withy_sim_destroy(sim);
    return status;
}

/* EI = T h^2 e/(2 p^2 (p + 1)) with T = EA e: where the first unstable direction appears. */
static void taut(verify_log *log) {
    static const char *const text[4] = {"4", "24", "72", "160"};
    static const char *const name[4] = {"T h^2 e/EI, degree 1", "T h^2 e/EI, degree 2",
                                        "T h^2 e/EI, degree 3", "T h^2 e/EI, degree 4"};
    for (int p = 1; p <= 4; p++) {
        const double closed = 2.0 * p * p * (p + 1), ratio = 4.0 / TAUT_N / TAUT_DIAMETER;
        double low = 0.7 * sqrt(closed) / ratio, high = 1.4 * sqrt(closed) / ratio;
        withy_error err = {0};
        withy_status status = WITHY_OK;
        for (int k = 0; k < 24 && status == WITHY_OK; k++) {
            int stable;
            const double middle = 0.5 * (low + high);
            status = taut_is_stable(p, middle, &stable, &err);
            *(stable ? &low : &high) = middle;
        }
        if (status != WITHY_OK)
            verify_failed(log, name[p - 1], &err);
        else
            verify_near(log, name[p - 1], text[p - 1], closed, low * low * ratio * ratio,
                        1e-3 * closed, "16 (e h/d)^2 at the change");
    }
}

/* ---- never NaN ---------------------------------------------------------------------------------------- */

static void sweep(verify_log *log, int steps) {
    double worst = 0;
    int ended = 0, reported = 0, finite = 0;
    for (int row = 0; row < DIRECTOR_SWEEP; row++) {
        const director_sweep_row out = director_sweep_run(row, steps);
        ended += out.status == WITHY_OK;
        reported += out.status == WITHY_OK || out.text[0];
        finite += out.finite;
        worst = worst_of(worst, out.drift);
    }
    verify_near(log, "completed, or stopped with a stated reason, of 64", "64", 64, reported, 0,
                "");
    verify_below(log, "stopped: the mesh is too coarse for the shape", "", 64 - ended, 16,
                 "soft rods that crumple under gravity");
    verify_near(log, "rods without a NaN, of 64", "64", 64, finite, 0, "");
    verify_below(log, "ledger, largest of all", "1e-10", worst, 1e-10, "");
}
static void never_nan(verify_log *log) {
    sweep(log, 10);
}
static void never_nan_long(verify_log *log) {
    sweep(log, 200);
}

const verify_study verify_director[] = {
    {"conservation", "rod T in large motion: energy and momenta", conservation, 0, "flying_rod",
     .basis = "exact conservation, a property of the scheme: zero to rounding"},
    {"test C", "a smooth release, against explicit integration on 1600 points", test_c, 0},
    {"trajectories", "largest tip error over L, t = 0.05 .. 0.5 s, of S1 and S2", trajectories, 0,
     "release heavy_cantilever"},
    {"exact", "exact discrete solutions", exact, 0},
    {"damping", "stretch and twist of a damped rod, and what it loses", damping, 0,
     .basis = "closed form of the damped wave equation; exact balance of energy"},
    {"statics", "closed forms and numbers of docs/theory/director.md", statics, 0,
     "follower_force snap_arch", .basis = "elliptic integrals"},
    {"modes", "Timoshenko frequencies and a steel wire", modes, 0,
     .basis = "transcendental equation of the Timoshenko beam"},
    {"taut", "the mesh of a taut rod: where its first unstable direction appears", taut, 0,
     .basis = "closed form of the energy of a zigzag of the directors"},
    {"never nan", "64 rods, E 1e4 .. 2e11 Pa, r 1e-5 .. 0.1 m, dt 1e-6 .. 0.1 s", never_nan, 0},
    {"all pairs", "every end pair, dt 1e-5 .. 0.1 s, 10^4 steps", all_pairs, 1,
     .basis = "exact conservation, a property of the scheme: zero to rounding"},
    {"never nan, long", "the same 64 rods, 200 steps each", never_nan_long, 1},
    {0},
};
