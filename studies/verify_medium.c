/* verify_medium.c - rods in water: closed forms, shooting, and solutions of the same equations by programs that share
 * nothing with this one. */
#include <math.h>
#include <stdio.h>

#include "director_problems.h"
#include "model/medium.h"
#include "verify_medium.h"

static const double RHO = 1025, GRAVITY = 9.80665;

static double area_of(double d) {
    return DIRECTOR_PI / 4 * d * d;
}

/* A rod of diameter d with these stiffnesses and this mass, straight along z downwards from the origin, in water. */
static void make_line(director_problem *x, double length, double d, double ei, double ea,
                      double mass) {
    director_plain(x, length, d, 1, 1, 1);
    x->rod.section.kind = WITHY_SECTION_NONE;
    for (int i = WITHY_BEND1; i <= WITHY_TWIST; i++) x->rod.stiffness[i] = withy_field_number(ei);
    if (isfinite(ea)) x->rod.stiffness[WITHY_STRETCH] = withy_field_number(ea);
    x->rod.inertia[WITHY_MASS] = withy_field_number(mass);
    x->rod.fluid = (withy_fluid){.given = 1, .diameter = withy_field_number(d)};
    x->rod.initial.along = (withy_vec3){0, 0, -1}, x->rod.initial.normal = (withy_vec3){1, 0, 0};
    x->problem.gravity = (withy_vec3){0, 0, -GRAVITY};
    x->problem.medium = (withy_medium){.given = 1, .density = RHO};
}

/* A line without bending stiffness. */
static void make_chain(director_problem *x) {
    x->rod.kind = WITHY_CABLE;
    for (int i = WITHY_BEND1; i <= WITHY_TWIST; i++) x->rod.stiffness[i] = (withy_field){.size = 0};
}

static void set_current(director_problem *x, double u, double v, double w) {
    x->problem.medium.current = withy_field_vector(u, v, w);
}

static int rests(verify_log *log, const director_problem *x, const char *options, withy_sim **sim) {
    withy_error err = {0};
    withy_equilibrium at;
    if (director_start(x, options, sim, &err) == WITHY_OK &&
        withy_sim_equilibrium(*sim, 1, &at, &err) == WITHY_OK)
        return 1;
    verify_failed(log, "an equilibrium", &err);
    withy_sim_destroy(*sim);
    return 0;
}

static withy_vec3 tip_of(withy_sim *sim) {
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    return now->position[now->count - 1];
}

static double size_of(withy_vec3 a) {
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

/* ---- steady states ---------------------------------------------------------------------------------------- */

/* A cable of 20 mm that weighs 10 N/m in water. */
static void make_cable(director_problem *x, double length, double ei, double ea,
                       double tangential) {
    make_line(x, length, 0.02, ei, ea, 10 / GRAVITY + RHO * area_of(0.02));
    x->rod.fluid.normal = 1.2, x->rod.fluid.tangential = tangential;
    director_ends(x, WITHY_END_PINNED, WITHY_END_FREE);
    set_current(x, 1.5, 0, 0);
}

static void study_angle(verify_log *log) {
    director_problem x;
    withy_sim *sim;
    make_cable(&x, 50, 1, 1e9, 0);
    if (!rests(log, &x, "n=8", &sim)) return;
    const withy_vec3 r = tip_of(sim);
    verify_near(log, "critical angle of a cable without tangential drag [deg]", "", 33.3298700493,
                atan2(-r.z, r.x) * 180 / DIRECTOR_PI, 2e-8, "");
    withy_sim_destroy(sim);
}

static void towed(verify_log *log, double ea, int chain, const char *words,
                  const double expected[3]) {
    static const char *const name[] = {"layback [m]", "depth [m]", "tension at the ship [N]"};
    director_problem x;
    withy_sim *sim;
    make_cable(&x, 100, 0.1, ea, 0.02);
    if (chain) make_chain(&x);
    x.rod.initial.along = (withy_vec3){sqrt(0.5), 0, -sqrt(0.5)};
    x.rod.initial.normal = (withy_vec3){0, 1, 0};
    x.rod.end[1].force = withy_field_vector(0, 0, -500);
    if (!rests(log, &x, "n=60", &sim)) return;
    const withy_vec3 r = tip_of(sim);
    const double ours[3] = {r.x, -r.z, size_of(withy_sim_sample(sim, 0)->reaction[0])};
    for (int i = 0; i < 3; i++) {
        char what[80];
        snprintf(what, sizeof what, "%s: %s", words, name[i]);
        verify_near(log, what, "", expected[i], ours[i], (chain ? 1e-8 : 1e-6) * expected[i],
                    chain ? "" : "EI 0.1 N m^2 instead of 0 changes it by 4e-7");
    }
    withy_sim_destroy(sim);
}

static void study_towed(verify_log *log) {
    static const double stiff[3] = {69.61296232, 68.26867825, 1257.732053};
    static const double soft[3] = {70.27528677, 68.86135598, 1257.732053};
    towed(log, 1e10, 0, "100 m with 500 N at its end", stiff);
    towed(log, 1e5, 0, "EA = 1e5 N", soft);
    towed(log, 1e5, 1, "EA = 1e5 N, a cable", soft);
}

static void study_cantilever(verify_log *log) {
    static const double expected[2][3] = {{.1215333067, .9915184842, .9748331360},
                                          {.5682945290, .7906237150, .5236122824}};
    static const char *const name[] = {"x/L", "z/L", "force at the root"};
    for (int k = 0; k < 2; k++) {
        const double load = k ? 10 : 1, u = 0.7, d = 0.01, ei = 0.3;
        const double cn = load * 2 * ei / (RHO * d * u * u);
        director_problem x;
        withy_sim *sim;
        make_line(&x, 1, d, ei, INFINITY, 0.1);
        x.problem.gravity = (withy_vec3){0, 0, 0};
        x.rod.initial.along = (withy_vec3){0, 0, 1};
        x.rod.fluid.normal = cn;
        x.rod.stiffness[WITHY_STRETCH] = withy_field_number(1e10 * ei);
        x.rod.stiffness[WITHY_SHEAR1] = x.rod.stiffness[WITHY_SHEAR2] =
            withy_field_number(1e10 * ei);
        director_ends(&x, WITHY_END_CLAMPED, WITHY_END_FREE);
        set_current(&x, u, 0, 0);
        if (!rests(log, &x, "n=10 degree=4", &sim)) return;
        const withy_vec3 r = tip_of(sim);
        const double force = -withy_sim_sample(sim, 0)->reaction[0].x / (load * ei);
        const double ours[3] = {r.x, r.z, force};
        for (int i = 0; i < 3; i++) {
            char what[80];
            snprintf(what, sizeof what, "rho Cn d U^2 L^3/(2 EI) = %g: %s", load, name[i]);
            verify_near(log, what, "", expected[k][i], ours[i], 2e-9, "");
        }
        withy_sim_destroy(sim);
    }
}

static withy_status half_wave(void *context, double s, double t, double *out, withy_error *err) {
    (void)t, (void)err;
    out[0] = *(const double *)context * sin(DIRECTOR_PI * s), out[1] = out[2] = 0;
    return WITHY_OK;
}

/* Deflection of a pinned rod under a half wave of force, in an axial stream of this part of the critical one. */
static int deflection(verify_log *log, double part, double *w) {
    static double force = 1e-6;
    director_problem x;
    withy_sim *sim;
    const double ei = 2, d = 0.02;
    const double critical = DIRECTOR_PI * sqrt(ei / (RHO * area_of(d)));
    make_line(&x, 1, d, ei, 1e8 * ei, 1);
    x.problem.gravity = (withy_vec3){0, 0, 0};
    x.rod.stiffness[WITHY_SHEAR1] = x.rod.stiffness[WITHY_SHEAR2] = withy_field_number(1e9 * ei);
    x.rod.fluid.added_normal = 1;
    x.load[0] = (withy_load){.kind = WITHY_LOAD_DISTRIBUTED, .to = 1};
    x.load[0].force = (withy_field){.size = 3, .call = half_wave, .context = &force};
    x.rod.load_count = 1;
    director_ends(&x, WITHY_END_PINNED, WITHY_END_ROLLER);
    set_current(&x, 0, 0, -part * critical);
    if (!rests(log, &x, "n=8 degree=4", &sim)) return 0;
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    *w = now->position[now->count / 2].x;
    withy_sim_destroy(sim);
    return 1;
}

/* The stream acts as the compression Ma U^2: w = w0/(1 - (U/Uc)^2). */
static void study_stream(verify_log *log) {
    double rest;
    if (!deflection(log, 0, &rest)) return;
    for (int k = 0; k < 2; k++) {
        const double part = k ? 0.95 : 0.5;
        char what[80];
        double w;
        if (!deflection(log, part, &w)) return;
        snprintf(what, sizeof what, "pinned rod buckles at U L sqrt(Ma/EI), found at %g of it",
                 part);
        verify_near(log, what, "", DIRECTOR_PI, part * DIRECTOR_PI / sqrt(1 - rest / w), 1e-7, "");
    }
}

/* ---- modes ------------------------------------------------------------------------------------------------- */

static void study_taut(verify_log *log) {
    director_problem x;
    withy_sim *sim;
    withy_error err = {0};
    withy_mode *mode = NULL;
    make_line(&x, 100, 0.1, 10, 1e12, 20);
    x.problem.gravity = (withy_vec3){0, 0, 0};
    x.rod.fluid.added_normal = 1;
    x.rod.tension = 1e5;
    director_ends(&x, WITHY_END_PINNED, WITHY_END_PINNED);
    if (!rests(log, &x, "n=16 degree=4", &sim)) return;
    if (withy_sim_modes(sim, 2, &mode, &err) == WITHY_OK) /* the first turns about its axis */
        verify_near(log, "taut line of 100 m in water [Hz]", "", .298538954655, mode[1].frequency,
                    5e-8, "");
    else
        verify_failed(log, "modes in water", &err);
    withy_modes_free(mode, 2);
    withy_sim_destroy(sim);
}

/* ---- motion ------------------------------------------------------------------------------------------------ */

static int gone(verify_log *log, withy_sim *sim, double t) {
    withy_error err = {0};
    if (withy_sim_advance(sim, t, &err) == WITHY_OK) return 1;
    verify_failed(log, "a motion", &err);
    return 0;
}

/* L 1, d .05, 1400 in 1000 kg/m^3, Ca 1 and .05, from rest, its tangent 30 degrees below the level. */
static int falls(verify_log *log, double dt, double out[3][3], double *drift) {
    static const double when[3] = {0.5, 1, 2};
    const double d = 0.05, c = sqrt(0.75), a = area_of(d);
    director_problem x;
    withy_sim *sim;
    withy_error err = {0};
    char options[64];
    make_line(&x, 1, d, 1e6, 1e9, 1400 * a);
    x.rod.stiffness[WITHY_SHEAR1] = x.rod.stiffness[WITHY_SHEAR2] = withy_field_number(1e9);
    for (int i = WITHY_ROTARY1; i <= WITHY_ROTARY3; i++)
        x.rod.inertia[i] = withy_field_number(1e-12);
    x.problem.gravity.z = -9.81, x.problem.medium.density = 1000;
    x.rod.fluid.added_normal = 1, x.rod.fluid.added_tangential = 0.05;
    x.rod.initial.from = (withy_vec3){-0.5 * c, 0, 0.25};
    x.rod.initial.along = (withy_vec3){c, 0, -0.5}, x.rod.initial.normal = (withy_vec3){0, 1, 0};
    director_ends(&x, WITHY_END_FREE, WITHY_END_FREE);
    director_times(&x, 2, 0.5);
    snprintf(options, sizeof options, "n=2 degree=4 order=2 dt=%g", dt);
    if (director_start(&x, options, &sim, &err) != WITHY_OK) {
        verify_failed(log, "a rod that falls", &err);
        return 0;
    }
    int fine = 1;
    for (int i = 0; i < 3 && fine; i++) {
        fine = gone(log, sim, when[i]);
        if (!fine) break;
        const withy_snapshot *now = withy_sim_sample(sim, 0);
        const withy_vec3 b = now->position[0], e = now->position[now->count - 1];
        out[i][0] = 0.5 * (b.x + e.x), out[i][1] = 0.5 * (b.z + e.z);
        out[i][2] = atan2(e.z - b.z, e.x - b.x);
    }
    *drift = withy_sim_stats(sim).energy_drift;
    withy_sim_destroy(sim);
    return fine;
}

static void study_falling(verify_log *log) {
    static const double expected[3][3] = {{.0568800355, -.2360619137, -.4767715082},
                                          {.1444543531, -.8806325991, .0552984749},
                                          {.1140249314, -3.3962430204, .1485977495}};
    static const char *const name[] = {"x", "z", "angle"};
    double u[2][3][3], drift = 0;
    if (!falls(log, 1e-3, u[0], &drift) || !falls(log, 5e-4, u[1], &drift)) return;
    for (int i = 0; i < 9; i++) {
        const double ours = (4 * u[1][i / 3][i % 3] - u[0][i / 3][i % 3]) / 3;
        char what[48];
        snprintf(what, sizeof what, "rigid rod at %g s: %s", i / 3 == 2 ? 2 : 0.5 * (1 + i / 3),
                 name[i % 3]);
        verify_near(log, what, "", expected[i / 3][i % 3], ours, 2e-7,
                    "both are extrapolated from two steps");
    }
    verify_below(log, "energy of the falling rod and its fluid", "", drift, 1e-12, "");
}

/* A cylinder sinks level: its last speed, and its first acceleration. */
static void study_sinking(verify_log *log) {
    director_problem x;
    withy_sim *sim;
    withy_error err = {0};
    make_line(&x, 1, 0.02, 1e3, 1e9, 10 / GRAVITY + RHO * area_of(0.02));
    x.rod.fluid.normal = 1.2;
    x.rod.initial.along = (withy_vec3){1, 0, 0}, x.rod.initial.normal = (withy_vec3){0, 1, 0};
    director_ends(&x, WITHY_END_FREE, WITHY_END_FREE);
    director_times(&x, 10, 1);
    if (director_start(&x, "n=2 dt=0.02", &sim, &err) != WITHY_OK) {
        verify_failed(log, "a cylinder that sinks", &err);
        return;
    }
    if (gone(log, sim, 10))
        verify_near(log, "10 N/m, 20 mm, Cn 1.2: last speed [m/s]", "", .90166963467,
                    -withy_sim_sample(sim, 0)->velocity[0].z, 1e-10, "");
    withy_sim_destroy(sim);
}

/* ---- a mooring line with a moving fairlead ------------------------------------------------------------------- */

static withy_status fairlead(void *context, double s, double t, double *out, withy_error *err) {
    const double wave = sin(DIRECTOR_PI * t / 20), ramp = t < 10 ? wave * wave : 1;
    (void)context, (void)s, (void)err;
    out[0] = 200 + 5 * ramp * sin(2 * DIRECTOR_PI * t / 10), out[1] = 0, out[2] = 100;
    return WITHY_OK;
}

static void make_mooring(director_problem *x, int moves, int inertia) {
    make_line(x, 250, 0.1, 1000, 2e7, 50);
    x->rod.damping[WITHY_STRETCH] = withy_field_number(2e6);
    x->rod.fluid.normal = 1.2, x->rod.fluid.tangential = 0.05;
    x->rod.fluid.added_normal = 1, x->rod.fluid.inertia = inertia;
    x->rod.initial = (withy_shape){.kind = WITHY_SHAPE_CATENARY,
                                   .to = {200, 0, 100},
                                   .direction = {0, 0, -1},
                                   .normal = {0, 1, 0}};
    director_ends(x, WITHY_END_PINNED, WITHY_END_PINNED);
    x->rod.end[0].position = withy_field_vector(0, 0, 0);
    x->rod.end[1].position = withy_field_vector(200, 0, 100);
    if (moves) x->rod.end[1].position = (withy_field){.size = 3, .call = fairlead};
    x->rod.settled = 1;
}

static void study_mooring_at_rest(verify_log *log) {
    static const double expected[2][2] = {{42533.9052, 82091.3768}, {45911.3143, 76930.7095}};
    for (int k = -1; k < 2; k++) {
        director_problem x;
        withy_sim *sim;
        char what[80];
        make_mooring(&x, 0, WITHY_INERTIA_ACCELERATION);
        for (int i = WITHY_BEND1; i <= WITHY_TWIST; i++)
            x.rod.stiffness[i] = withy_field_number(100);
        if (k >= 0) set_current(&x, k ? -1 : 1, 0, 0);
        if (!rests(log, &x, "n=60", &sim)) return;
        const withy_vec3 f = withy_sim_sample(sim, 0)->reaction[1];
        if (k < 0) {
            verify_near(log, "in still water: tension at the fairlead [N]", "", 91006.3696,
                        size_of(f), 0.05, "EI 100 N m^2 instead of 0");
        } else {
            snprintf(what, sizeof what, "in a current of %d m/s: force at the fairlead",
                     k ? -1 : 1);
            verify_near(log, what, "", expected[k][0], f.x, 0.05,
                        "along x [N], without the couple of added mass");
            verify_near(log, what, "", expected[k][1], f.z, 0.05, "along z [N]");
        }
        withy_sim_destroy(sim);
    }
}

/* |force| at the fairlead at these times. */
static int pulls(verify_log *log, const director_problem *x, const char *options, int count,
                 const double *when, double *out, double *drift) {
    withy_sim *sim;
    withy_error err = {0};
    int fine = director_start(x, options, &sim, &err) == WITHY_OK;
    if (!fine) verify_failed(log, "a mooring line", &err);
    for (int i = 0; i < count && fine; i++) {
        fine = gone(log, sim, when[i]);
        if (fine) out[i] = size_of(withy_sim_sample(sim, 0)->reaction[1]);
    }
    if (fine) *drift = withy_sim_stats(sim).energy_drift;
    withy_sim_destroy(sim);
    return fine;
}

static void moves(verify_log *log, const director_problem *x, const char *words, double period,
                  int count, const double *when, const double *expected, double tolerance) {
    double u[2][8], drift = 0;
    char options[64], what[96];
    for (int k = 0; k < 2; k++) {
        snprintf(options, sizeof options, "n=40 degree=3 dt=%.17g", period / (k ? 640 : 320));
        if (!pulls(log, x, options, count, when, u[k], &drift)) return;
    }
    for (int i = 0; i < count; i++) {
        snprintf(what, sizeof what, "%s: force at the fairlead at %g s [N]", words, when[i]);
        verify_near(log, what, "", expected[i], (4 * u[1][i] - u[0][i]) / 3,
                    tolerance * expected[i], "extrapolated from two steps");
    }
    snprintf(what, sizeof what, "%s: balance of energy", words);
    verify_below(log, what, "", drift, 1e-9, "");
}

static void study_mooring(verify_log *log) {
    static const double when[6] = {10, 12.5, 15, 17.5, 20, 25};
    static const double expected[2][6] = {
        {111024.29, 79879.35, 75658.10, 97947.21, 110929.11, 75655.34},
        {111038.89, 79851.20, 75655.25, 97945.15, 110942.80, 75652.55}};
    for (int k = 0; k < 2; k++) {
        director_problem x;
        make_mooring(&x, 1, k);
        director_times(&x, 25, 2.5);
        moves(log, &x, k ? "acceleration form" : "conserving form", 10, 6, when, expected[k], 5e-6);
    }
    director_problem x;
    make_mooring(&x, 1, 1), make_chain(&x);
    director_times(&x, 25, 2.5);
    moves(log, &x, "acceleration form, a cable", 10, 6, when, expected[1], 5e-6);
}

static void line_in_waves(verify_log *log, int cable) {
    static const double when[4] = {24, 28, 32, 36};
    static const double expected[4] = {91398.036, 91380.219, 91399.961, 91380.110};
    static const withy_wave wave = {.height = 4, .period = 8, .direction = {1, 0, 0}};
    director_problem x;
    make_mooring(&x, 0, WITHY_INERTIA_ACCELERATION);
    if (cable) make_chain(&x);
    withy_medium *m = &x.problem.medium;
    set_current(&x, 0.5, 0, 0);
    m->has_surface = 1, m->surface = 110, m->depth = 160, m->ramp = 16, m->local = 1;
    m->wave = &wave, m->wave_count = 1;
    director_times(&x, 36, 4);
    moves(log, &x, cable ? "wave and current, a cable" : "wave and current", 8, 4, when, expected,
          5e-6);
}

static void study_mooring_in_waves(verify_log *log) {
    line_in_waves(log, 0), line_in_waves(log, 1);
}

/* ---- waves ---------------------------------------------------------------------------------------------------- */

static const wy_medium *compiled(verify_log *log, const withy_wave *wave, double depth,
                                 withy_problem *problem, wy_arena *arena) {
    const wy_medium *medium = NULL;
    withy_error err = {0};
    *problem = withy_problem_default();
    problem->gravity.z = -GRAVITY;
    problem->medium = (withy_medium){.given = 1,
                                     .density = RHO,
                                     .has_surface = 1,
                                     .depth = depth,
                                     .wave = wave,
                                     .wave_count = 1};
    if (wy_medium_compile(problem, 1, arena, &medium, &err) != WITHY_OK)
        verify_failed(log, "waves", &err);
    return medium;
}

static void study_airy(verify_log *log) {
    static const double height[3] = {2, 0, -10};
    static const double speed[3] = {1.2967246195, 1.2003693795, .8228970725};
    const withy_wave wave = {.height = 4, .period = 10, .direction = {1, 0, 0}, .wheeler = 1};
    withy_problem problem;
    wy_arena arena = {0};
    withy_error err = {0};
    verify_near(log, "wave number, 10 s, 50 m deep [1/m]", "", .0415410006303,
                wy_wave_number(2 * DIRECTOR_PI / 10, GRAVITY, 50), 1e-13, "");
    verify_near(log, "6 s, 30 m deep [1/m]", "", .112093056546,
                wy_wave_number(2 * DIRECTOR_PI / 6, GRAVITY, 30), 1e-12, "");
    const wy_medium *medium = compiled(log, &wave, 50, &problem, &arena);
    for (int i = 0; i < 3 && medium; i++) {
        wy_flow flow;
        char what[64];
        if (wy_medium_flow(medium, (withy_vec3){0, 0, height[i]}, 0, 0, 0, &flow, &err) != WITHY_OK)
            verify_failed(log, "a wave", &err);
        snprintf(what, sizeof what, "Wheeler, speed below the crest at z = %g m [m/s]", height[i]);
        verify_near(log, what, "", speed[i], flow.u.x, 1e-10, "");
    }
    wy_arena_free(&arena);
}

static void study_jonswap(verify_log *log) {
    const withy_wave sea = {.kind = WITHY_WAVE_JONSWAP,
                            .height = 3,
                            .period = 10,
                            .direction = {1, 0, 0},
                            .gamma = 3.3,
                            .components = 64,
                            .wheeler = 1,
                            .seed = 1};
    withy_problem problem;
    wy_arena arena = {0};
    withy_error err = {0};
    const wy_medium *medium = compiled(log, &sea, 50, &problem, &arena);
    wy_flow at[3];
    if (!medium) return;
    if (wy_medium_flow(medium, (withy_vec3){0, 0, 0}, 0, 0, 0, &at[0], &err) != WITHY_OK ||
        wy_medium_flow(medium, (withy_vec3){0, 0, 0}, 100, 0, 0, &at[1], &err) != WITHY_OK ||
        wy_medium_flow(medium, (withy_vec3){30, 0, -5}, 100, 0, 0, &at[2], &err) != WITHY_OK)
        verify_failed(log, "a sea", &err);
    verify_near(log, "first frequency [rad/s]", "", .4578967553, medium->wave[0].omega, 1e-10, "");
    verify_near(log, "first phase", "", 3.559811364735, medium->wave[0].phase, 1e-12, "");
    verify_near(log, "surface at the origin, t = 0 [m]", "", -.5497459748, -at[0].height, 1e-9, "");
    verify_near(log, "t = 100 s [m]", "", 1.4677933553, -at[1].height, 1e-8, "");
    verify_near(log, "velocity at x 30, z -5, t 100 [m/s]", "", .9358061082, at[2].u.x, 1e-8,
                "along x");
    verify_near(log, "velocity at x 30, z -5, t 100 [m/s]", "", .6940454745, at[2].u.z, 1e-8,
                "along z");
    wy_arena_free(&arena);
}

#define APART                                                                                      \
    "another program for the same equations, which shares no code with this one, converged"

const verify_study verify_medium[] = {
    {"critical angle", "a cable in a stream hangs at one angle", study_angle, 0,
     .basis = "closed form: weight and drag across balance"},
    {"towed cable", "layback and depth of a towed cable", study_towed, 0,
     .basis = "integration of the cable's differential equations by another program"},
    {"cantilever in a stream", "a cantilever that bends away from a stream", study_cantilever, 0,
     .basis = "shooting by another program"},
    {"axial stream", "an axial stream buckles a pinned rod", study_stream, 0,
     .basis = "closed form: the compression Ma U^2"},
    {"taut line", "added mass lowers a frequency", study_taut, 0, .basis = "closed form"},
    {"sinking cylinder", "weight against drag", study_sinking, 0, .basis = "closed form"},
    {"falling rod", "a rigid rod in a fluid without drag, by Kirchhoff's equations", study_falling,
     0, .basis = APART},
    {"mooring line at rest", "a catenary in still and moving water", study_mooring_at_rest, 0,
     .basis = APART},
    {"line on a bed", "anchor on the bed, which is nearly rigid", medium_bed, 0,
     .basis =
         "closed form of the elastic catenary on a rigid bed; with EI shooting by another program"},
    {"mooring line", "its fairlead moves", study_mooring, 0, .basis = APART},
    {"mooring line in waves", "its fairlead rests", study_mooring_in_waves, 0, .basis = APART},
    {"Airy waves", "wave numbers and stretched profiles", study_airy, 0, .basis = "closed form"},
    {"JONSWAP", "an irregular sea of 64 waves", study_jonswap, 0,
     .basis = "the same sums by another program"},
    {"thread that relaxes", "without inertia: rates of decay", medium_relaxation, 0,
     .basis = "closed form: roots of the frequency equations"},
    {"thread pulled at its middle", "without inertia: speed and shape", medium_pulled, 0,
     .basis = "shooting by another program"},
    {"thread driven at one end", "without inertia: Wiggins and Goldstein", medium_driven, 0,
     .basis = "closed form of the linear theory"},
    {"thread let go", "without inertia: the energy falls at any step", medium_let_go, 0,
     .basis = "the scheme itself: V+ - V- = -losses"},
    {0}};
