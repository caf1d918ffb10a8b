/* verify_contact_motion.c - impacts, restitution, rods that are dragged over rods, and fast crossings. */
#include <math.h>
#include <stdio.h>

#include "base/base.h"
#include "network_golden.h"
#include "verify_contact.h"

static const double R = 0.005, G = 9.81;

/* What an obstacle or a network is run with; NULL: a failing row says why. */
static withy_sim *begin(verify_log *log, const network_problem *x, const char *what, int n,
                        double dt) {
    char options[64];
    withy_error err = {0};
    withy_sim *sim = NULL;
    snprintf(options, sizeof options, "n=%d degree=1 dt=%g", n, dt);
    if (network_start(x, options, &sim, &err) != WITHY_OK) verify_failed(log, what, &err);
    return sim;
}

static const withy_snapshot *go(verify_log *log, withy_sim *sim, int rod, double t) {
    withy_error err = {0};
    if (!sim) return NULL;
    if (withy_sim_advance(sim, t, &err) == WITHY_OK) return withy_sim_sample(sim, rod);
    verify_failed(log, "rods that touch", &err);
    return NULL;
}

/* ---- a rod that falls flat on a floor ----------------------------------------------------------------------- */

/* The change of momentum per mass, of a rod that comes with v; c: damping of the contact. */
static vec3 bounce(verify_log *log, vec3 v, double mu, double c, double dt) {
    static network_problem x;
    const double stop = 0.02 + 4e-3 / fabs(v.z), mass = 0.5 * WY_PI * R * R * 1000;
    const withy_obstacle plane = {.kind = WITHY_OBSTACLE_PLANE,
                                  .stiffness = 1e6,
                                  .own_friction = 1,
                                  .friction = {mu, mu, mu},
                                  .own_damping = 1,
                                  .damping = c};
    network_begin(&x);
    network_times(&x, stop, stop);
    withy_rod *rod = network_rod(&x, v3(-0.25, 0, R + 1e-3), v3(0.25, 0, R + 1e-3), R, 1e7, 1000);
    rod->velocity = withy_field_vector(v.x, v.y, v.z);
    x.problem.obstacle = &plane, x.problem.obstacle_count = 1;
    withy_sim *sim = begin(log, &x, "an impact", 8, dt);
    vec3 out = {NAN, NAN, NAN};
    const withy_snapshot *now = go(log, sim, 0, stop);
    if (now) out = v3_sub(v3_scale(1 / mass, now->momentum), v);
    withy_sim_destroy(sim);
    return out;
}

/* m u du/dd = -K d (1 + c u): the speed e V after an impact with V has g(-e V) = g(V), g(u) = c u - ln(1 + c u). */
static double restitution(double cv) {
    double low = 0, high = 1;
    for (int i = 0; i < 60; i++) {
        const double e = 0.5 * (low + high);
        *(-e * cv - log1p(-e * cv) < cv - log1p(cv) ? &low : &high) = e;
    }
    return low;
}

enum { WALL = 2 }; /* [m/s] */
static withy_status wall_at(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    out[0] = out[1] = 0, out[2] = WALL * t;
    return WITHY_OK;
}

/* A wall comes with V to a rod at rest, which leaves with 2 V: the wall has done the work 2 m V^2. */
static void struck(verify_log *log) {
    static network_problem x;
    const double stop = 0.01, mass = 0.5 * WY_PI * R * R * 1000;
    const withy_obstacle plane = {
        .kind = WITHY_OBSTACLE_PLANE, .stiffness = 1e6, .point = {.size = 3, .call = wall_at}};
    network_begin(&x);
    network_times(&x, stop, stop);
    network_rod(&x, v3(-0.25, 0, R + 1e-3), v3(0.25, 0, R + 1e-3), R, 1e7, 1000);
    x.problem.obstacle = &plane, x.problem.obstacle_count = 1;
    withy_sim *sim = begin(log, &x, "a wall that comes", 8, 1e-4);
    const withy_snapshot *now = go(log, sim, 0, stop);
    if (now) {
        verify_near(log, "struck by a wall that comes with 2 m/s: speed [m/s]", "", 2 * WALL,
                    now->momentum.z / mass, 1e-10,
                    "exact: energy is kept in the frame of the wall");
        verify_below(log, "struck by a wall: balance of energy", "",
                     withy_sim_stats(sim).energy_drift, 2e-12, "exact");
    }
    withy_sim_destroy(sim);
}

void study_impact(verify_log *log) {
    static const double dt[3] = {1e-4, 5e-4, 2e-3}, c[3] = {0.1, 0.3, 1};
    char text[96];
    for (int i = 0; i < 3; i++) {
        const vec3 jump = bounce(log, v3(5, 0, -0.5), 0.3, 0, dt[i]);
        snprintf(text, sizeof text, "impact with mu 0.3, dt %g: ratio of impulses", dt[i]);
        verify_near(log, text, "", 0.3, -jump.x / jump.z, 1e-5, "independent: mu");
    }
    for (int i = 0; i < 6; i++) {
        const double v = i % 2 ? 2 : 0.5, expected = restitution(c[i / 2] * v);
        const vec3 jump = bounce(log, v3(0, 0, -v), 0, c[i / 2], 2e-5);
        snprintf(text, sizeof text, "damping %g s/m, impact with %g m/s: restitution", c[i / 2], v);
        verify_near(log, text, "", expected, jump.z / v - 1, 1e-3, "independent: closed form");
    }
    struck(log);
}

/* ---- rods and rods ----------------------------------------------------------------------------------------------- */

/* Two free rods that meet crosswise, one of them turning: the largest change of energy and of both momenta. */
static void collide(verify_log *log, double dt, int steps, double worst[3]) {
    static network_problem x;
    network_begin(&x);
    network_times(&x, steps * dt, steps * dt);
    withy_rod *a = network_rod(&x, v3(-0.25, 0.02, 0), v3(0.25, 0, 0), 0.005, 1e7, 1000);
    withy_rod *b = network_rod(&x, v3(0.03, -0.2, 0.03), v3(0, 0.2, 0.025), 0.004, 1e7, 1000);
    a->velocity = withy_field_vector(0, 0.3, 0.2), b->velocity = withy_field_vector(0.1, 0, -1);
    b->spin = withy_field_vector(0, 2, 5);
    x.problem.contact.given = 1, x.problem.contact.pair = 5e3;
    withy_sim *sim = begin(log, &x, "two rods", 8, dt);
    const withy_snapshot *now = go(log, sim, 0, 0);
    const vec3 p = now ? now->momentum : v3(0, 0, 0), l = now ? now->angular_momentum : p;
    if ((now = go(log, sim, 0, steps * dt)) != NULL) {
        worst[0] = worst_of(worst[0], withy_sim_stats(sim).energy_drift);
        worst[1] = worst_of(worst[1], v3_norm(v3_sub(now->momentum, p)) / v3_norm(p));
        worst[2] = worst_of(worst[2], v3_norm(v3_sub(now->angular_momentum, l)) / v3_norm(l));
    }
    withy_sim_destroy(sim);
}

/* A rod lies across two rails and is drawn along itself with `part` of what friction can hold: where it is at t. */
static void drag(verify_log *log, double part, const double t[3], double at[3]) {
    static network_problem x;
    const double mu = 0.4;
    network_begin(&x);
    network_times(&x, t[2], t[2]);
    x.problem.gravity = v3(part * mu * G, 0, -G);
    for (int i = 0; i < 2; i++) {
        const double u = i ? 0.1 : -0.1;
        withy_rod *rail = network_rod(&x, v3(u, -0.04, 0), v3(u, 0.04, 0), R, 1e12, 8000);
        rail->end[0].kind = rail->end[1].kind = WITHY_END_CLAMPED;
    }
    const double weight = 0.6 * WY_PI * R * R * 2000 * G, k = 2e5;
    const double z = 2 * R - 0.5 * weight / k;
    network_rod(&x, v3(-0.3, 0.005, z), v3(0.3, 0.005, z), R, 1e12, 2000)->damping_time = 1e-4;
    x.problem.contact = (withy_contact){.given = 1, .no_self = 1, .pair = k, .damping = 1};
    for (int i = 0; i < WITHY_FRICTIONS; i++) x.problem.contact.friction[i] = mu;
    withy_sim *sim = begin(log, &x, "a rod across rails", 32, 1e-3);
    for (int i = 0; i < 3; i++) {
        const withy_snapshot *now = go(log, sim, 2, t[i]);
        at[i] = now ? now->position[now->count / 2].x : NAN;
    }
    withy_sim_destroy(sim);
}

/* A clamped rod, and one that flies at it with 10 m/s in steps of 50 mm, twelve times their thickness. */
static double fast(verify_log *log) {
    static network_problem x;
    double lowest = HUGE_VAL;
    network_begin(&x);
    network_times(&x, 0.05, 0.05);
    for (int i = 0; i < 2; i++) {
        withy_rod *rod = network_rod(&x, i ? v3(0, -0.15, 0.02) : v3(-0.25, 0, 0),
                                     i ? v3(0, 0.15, 0.02) : v3(0.25, 0, 0), 0.002, 1e9, 1000);
        if (i)
            rod->velocity = withy_field_vector(0, 0, -10);
        else
            rod->end[0].kind = rod->end[1].kind = WITHY_END_CLAMPED;
    }
    x.problem.contact.given = 1, x.problem.contact.pair = 1e6;
    withy_sim *sim = begin(log, &x, "a fast crossing", 8, 5e-3);
    for (int i = 1; i <= 10 && sim; i++) {
        double z[2] = {NAN, NAN};
        for (int k = 0; k < 2; k++) {
            const withy_snapshot *now = go(log, sim, k, 5e-3 * i);
            if (now) z[k] = now->position[now->count / 2].z;
        }
        lowest = !(z[1] - z[0] >= lowest) ? z[1] - z[0] : lowest;
    }
    withy_sim_destroy(sim);
    return lowest;
}

void study_pairs(verify_log *log) {
    static const double dt[4] = {1e-4, 1e-3, 5e-3, 2e-2}, holds[3] = {0, 0.4, 0.6},
                        slides[3] = {0.08, 0.18, 0.28};
    static const int steps[4] = {1000, 300, 100, 40};
    double worst[3] = {0}, at[3];
    for (int i = 0; i < 4; i++) collide(log, dt[i], steps[i], worst);
    verify_below(log, "two rods collide, dt 1e-4 to 2e-2: energy", "", worst[0], 2e-12, "");
    verify_below(log, "momentum, relative", "", worst[1], 2e-12, "");
    verify_below(log, "angular momentum, relative", "", worst[2], 2e-12, "");
    verify_below(log, "a fast crossing, 50 mm in a step: how far through [m]", "", -fast(log), 0,
                 "exact");
    drag(log, 0.5, holds, at);
    verify_below(log, "rod across rails, drawn by half of what holds it: creep [m/s]", "",
                 fabs(at[2] - at[1]) / (holds[2] - holds[1]), 1e-8, "exact");
    drag(log, 1.5, slides, at);
    verify_near(log, "drawn by 1.5 of it: a [m/s^2]", "", 0.5 * 0.4 * G,
                (at[2] - 2 * at[1] + at[0]) / 0.01, 1.8e-4 * 0.5 * 0.4 * G,
                "independent: 0.5 mu g");
}
