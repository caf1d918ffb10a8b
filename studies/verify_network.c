/* verify_network.c - rods, bodies and joints against closed forms, shooting, and chains of bodies by another program.
 *
 * The expected values are those of the acceptance table of docs/theory/network.md; none was made by this program.
 */
#include <math.h>
#include <stdio.h>

#include "network_golden.h"
#include "verify_network.h"

static int started(verify_log *log, const network_problem *x, const char *options,
                   withy_sim **sim) {
    withy_error err = {0};
    if (network_start(x, options, sim, &err) == WITHY_OK) return 1;
    verify_failed(log, "a network", &err);
    return 0;
}

static int rests(verify_log *log, withy_sim *sim, double factor, withy_equilibrium *at) {
    withy_error err = {0};
    if (withy_sim_equilibrium(sim, factor, at, &err) == WITHY_OK) return 1;
    verify_failed(log, "an equilibrium", &err);
    return 0;
}

static int gone(verify_log *log, withy_sim *sim, double t) {
    withy_error err = {0};
    if (withy_sim_advance(sim, t, &err) == WITHY_OK) return 1;
    verify_failed(log, "a motion", &err);
    return 0;
}

static vec3 end_of(withy_sim *sim, int rod, int which) {
    const withy_snapshot *now = withy_sim_sample(sim, rod);
    return now->position[which ? now->count - 1 : 0];
}

/* Of the station of a rod that is nearest to s. */
static vec3 point_at(withy_sim *sim, int rod, double s) {
    const withy_snapshot *now = withy_sim_sample(sim, rod);
    int best = 0;
    for (int i = 0; i < now->count; i++)
        if (fabs(now->s[i] - s) < fabs(now->s[best] - s)) best = i;
    return now->position[best];
}

/* ---- statics ------------------------------------------------------------------------------------------- */

static void diamond(verify_log *log, double pull, const double requested[2]) {
    static network_problem x;
    withy_equilibrium at;
    withy_sim *sim;
    char what[64];
    golden_diamond(&x, pull);
    if (!started(log, &x, "n=6 degree=4 dt=0.1", &sim)) return;
    if (rests(log, sim, 1, &at)) {
        snprintf(what, sizeof what, "diamond, %g EI/L^2 at two corners: along / L", pull);
        verify_near(log, what, "", requested[0], end_of(sim, 1, 1).y - end_of(sim, 0, 0).y, 5e-10,
                    "");
        snprintf(what, sizeof what, "diamond, %g EI/L^2 at two corners: across / L", pull);
        verify_near(log, what, "", requested[1], end_of(sim, 0, 1).x - end_of(sim, 2, 1).x, 5e-10,
                    "");
    }
    withy_sim_destroy(sim);
}

/* omega^2 of the lowest mode; negative where it grows. */
static int lowest(verify_log *log, withy_sim *sim, double *square) {
    withy_error err = {0};
    withy_mode *mode = NULL;
    if (withy_sim_modes(sim, 1, &mode, &err) != WITHY_OK)
        return verify_failed(log, "modes", &err), 0;
    const double omega = 2 * WY_PI * mode[0].frequency, grow = mode[0].growth;
    withy_modes_free(mode, 1);
    *square = omega > 0 ? omega * omega : -grow * grow;
    return 1;
}

/* Where omega^2 of the lowest mode passes zero, from both sides of the expected load. */
static void buckles(verify_log *log, const network_problem *x, const char *options,
                    const char *what, const char *printed, double load, double tolerance) {
    const double side = 1e-4;
    withy_equilibrium at;
    withy_sim *sim;
    double square[2];
    if (!started(log, x, options, &sim)) return;
    for (int i = 0; i < 2; i++)
        if (!rests(log, sim, load * (1 + (i ? side : -side)), &at) ||
            !lowest(log, sim, &square[i])) {
            withy_sim_destroy(sim);
            return;
        }
    const double off = side * (square[0] + square[1]) / (square[0] - square[1]);
    verify_near(log, what, printed, load, load * (1 + off), tolerance * load, "");
    withy_sim_destroy(sim);
}

static void net_sags(verify_log *log) {
    enum { K = 20 };
    static network_problem x;
    static withy_joint joint[K * K];
    static withy_load pull = {.kind = WITHY_LOAD_POINT};
    withy_equilibrium at;
    withy_sim *sim;
    golden_net(&x, K, joint, 5e-3, 1e9);
    pull.from = 9 / (K - 1.), pull.force = withy_field_vector(0, 0, -1e-4);
    x.rod[7].load = &pull, x.rod[7].load_count = 1;
    if (!started(log, &x, "n=19 degree=3 dt=0.1", &sim)) return;
    if (rests(log, sim, 1, &at))
        verify_near(log, "net of 20 x 20, 1e-4 N at a crossing: w [m]", "", -2.397730810e-7,
                    point_at(sim, 7, pull.from).z, 3e-16, "a grillage of exact Timoshenko beams");
    withy_sim_destroy(sim);
}

static void study_statics(verify_log *log) {
    static network_problem x;
    diamond(log, 4, (const double[2]){1.549889633, 1.260806194});
    diamond(log, -4, (const double[2]){1.208335609, 1.589042714});
    golden_right_angle(&x, 1);
    buckles(log, &x, "n=6 degree=4 dt=0.1", "right-angle frame, away from the clamp: P [N]",
            "1.088", 1.0875179379, 1e-7);
    golden_right_angle(&x, -1);
    buckles(log, &x, "n=6 degree=4 dt=0.1", "right-angle frame, towards the clamp: P [N]", "0.6804",
            0.6804274097, 1e-7);
    golden_lee(&x, 1);
    buckles(log, &x, "n=5 degree=4 dt=0.1", "Lee's frame, as stiff sideways: P", "", 1.061778687,
            1e-6);
    net_sags(log);
}

static void frame_modes(verify_log *log, int hinged, int count, const double *requested) {
    static network_problem x;
    withy_error err = {0};
    withy_mode *mode = NULL;
    withy_sim *sim;
    char what[64];
    golden_frame(&x, hinged);
    if (!started(log, &x, "n=8 degree=4 dt=0.1", &sim)) return;
    if (withy_sim_modes(sim, count, &mode, &err) != WITHY_OK) {
        verify_failed(log, "modes", &err);
        count = 0;
    }
    for (int i = 0; i < count; i++) {
        snprintf(what, sizeof what, "two beams, %s: omega_%d L^2 sqrt(mu/EI)",
                 hinged ? "hinge between" : "right angle", i + 1);
        verify_near(log, what, "", requested[i], 2 * WY_PI * mode[i].frequency, 6e-6, "");
    }
    withy_modes_free(mode, count);
    withy_sim_destroy(sim);
}

static void study_modes(verify_log *log) {
    frame_modes(log, 1, 3, (const double[3]){3.516009, 15.41805, 22.03422});
    frame_modes(log, 0, 2, (const double[2]){15.41799, 22.37263});
}

/* ---- motion ---------------------------------------------------------------------------------------------- */

static void pendulum(verify_log *log, const char *options, double young, double requested,
                     double tolerance, const char *what) {
    static network_problem x;
    const vec3 rigid = v3(-1.66211514, 0, -1.04146664);
    withy_sim *sim;
    if (young > 0)
        golden_flexible_pendulum(&x, young);
    else
        golden_rigid_pendulum(&x);
    if (!started(log, &x, options, &sim)) return;
    if (gone(log, sim, 1)) {
        vec3 tip;
        if (young > 0) {
            tip = end_of(sim, 1, 1);
        } else {
            const withy_parts *parts = withy_sim_parts(sim);
            tip = v3_add(parts->body[1].position, q_turn(parts->body[1].frame, v3(0.5, 0, 0)));
        }
        verify_near(log, what, "", requested, v3_norm(v3_sub(tip, rigid)), tolerance, "");
    }
    withy_sim_destroy(sim);
}

static void cantilever(verify_log *log) {
    static network_problem x;
    static const double requested[2][3] = {{2, 4.11525, 0.06926}, {5, 3.11142, 5.47940}};
    withy_sim *sim;
    golden_cantilever(&x);
    network_times(&x, 5, 1);
    if (!started(log, &x, "n=5 degree=4 dt=0.0125 order=4", &sim)) return;
    for (int k = 0; k < 2 && gone(log, sim, requested[k][0]); k++)
        for (int i = 0; i < 2; i++) {
            char what[80];
            snprintf(what, sizeof what, "right-angle cantilever, t = %g: z of the %s",
                     requested[k][0], i ? "tip" : "elbow");
            verify_near(log, what, "", requested[k][1 + i], end_of(sim, i, 1).z, 2e-5,
                        "chains of bodies with spring joints give 4.11527, 0.06927; 3.11163, "
                        "5.47945");
        }
    verify_near(log, "right-angle cantilever: energy after the pulse [J]", "", 114.8803,
                withy_sim_stats(sim).energy_end, 2e-4, "");
    withy_sim_destroy(sim);
}

/* Three half turns of the crank in three seconds, from rest. */
static withy_status crank_angle(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)s, (void)err;
    *out = WY_PI * t * t / 3;
    return WITHY_OK;
}

static void four_bar(verify_log *log, double young, double tolerance) {
    static network_problem x;
    const vec3 requested = v3(0.5104865, 0.5003764, 0);
    withy_sim *sim;
    char what[64];
    golden_four_bar(&x, 0, young);
    x.joint[x.problem.joint_count - 1].drive = (withy_field){.size = 1, .call = crank_angle};
    network_times(&x, 3, 3);
    if (!started(log, &x, "n=2 degree=3 dt=0.001", &sim)) return;
    if (gone(log, sim, 3)) {
        const withy_parts *parts = withy_sim_parts(sim);
        const vec3 arm = v3_sub(x.body[1].position, v3(1, 0, 0));
        const vec3 at = v3_add(parts->body[1].position, q_turn(parts->body[1].frame, arm));
        snprintf(what, sizeof what, "four-bar, E = %g Pa, t = 3: x of B [m]", young);
        verify_near(log, what, "", requested.x, at.x, tolerance, "kinematics of rigid bars");
        snprintf(what, sizeof what, "four-bar, E = %g Pa, t = 3: y of B [m]", young);
        verify_near(log, what, "", requested.y, at.y, tolerance, "kinematics of rigid bars");
        snprintf(what, sizeof what, "four-bar, E = %g Pa: balance of energy", young);
        verify_below(log, what, "", withy_sim_stats(sim).energy_drift, 1e-11, "");
    }
    withy_sim_destroy(sim);
}

static void slider_crank(verify_log *log) {
    static network_problem x;
    static const double pulse[] = {0, 1.07, 1, 1.07, 1.0001, 0};
    withy_sim *sim;
    golden_slider_crank(&x);
    x.joint[0].effort = withy_field_table(1, 3, pulse);
    network_times(&x, 3, 3);
    if (!started(log, &x, "n=2 degree=3 dt=0.001", &sim)) return;
    if (gone(log, sim, 3)) {
        const withy_parts *parts = withy_sim_parts(sim);
        const double a = parts->joint[0].angle, y = 0.3 * sin(a);
        verify_near(log, "slider-crank, t = 3: place of the slider at the angle of its crank [m]",
                    "", 0.3 * cos(a) + sqrt(0.81 - y * y), parts->body[1].position.x, 1.5e-7,
                    "kinematics of rigid bars");
        verify_below(log, "slider-crank: slider off its line [m]", "",
                     hypot(parts->body[1].position.y, parts->body[1].position.z), 1e-13, "");
        verify_below(log, "slider-crank: balance of energy", "", withy_sim_stats(sim).energy_drift,
                     1e-11, "");
    }
    withy_sim_destroy(sim);
}

static void study_motion(verify_log *log) {
    pendulum(log, "dt=0.01", 0, 8.05e-4, 0.01e-4,
             "double pendulum, dt 10 ms: error of the tip [m]");
    pendulum(log, "dt=0.005", 0, 2.01e-4, 0.01e-4,
             "double pendulum, dt 5 ms: error of the tip [m]");
    pendulum(log, "dt=0.0025", 0, 5.01e-5, 0.02e-5,
             "double pendulum, dt 2.5 ms: error of the tip [m]");
    pendulum(log, "dt=0.01 order=4", 0, 2.5e-7, 0.1e-7,
             "double pendulum, order 4, dt 10 ms: error of the tip [m]");
    cantilever(log);
    four_bar(log, 2e11, 1e-6);
    four_bar(log, 2e9, 1e-5);
    slider_crank(log);
}

/* 20 x 20 crossings, held at the corners, fall: the middle falls freely until the pull of the corners is there. */
static void net_falls(verify_log *log, const char *dt, int fine, double requested) {
    enum { K = 20 };
    static network_problem x;
    static withy_joint joint[K * K];
    char options[64], what[80];
    withy_sim *sim;
    golden_net(&x, K, joint, 2e-3, 1e7);
    x.problem.gravity = v3(0, 0, -9.81);
    network_times(&x, 0.2, 0.1);
    snprintf(options, sizeof options, "n=19 degree=3 dt=%s", dt);
    if (!started(log, &x, options, &sim)) return;
    if (gone(log, sim, 0.1) && fine) {
        snprintf(what, sizeof what, "falling net, dt %s s, t = 0.1: z of the middle [m]", dt);
        verify_near(log, what, "", -0.0490492, point_at(sim, 9, 9 / (K - 1.)).z, 1e-7,
                    "free fall: -0.04905");
    }
    if (gone(log, sim, 0.2)) {
        snprintf(what, sizeof what, "falling net, dt %s s, t = 0.2: z of the middle [m]", dt);
        verify_near(log, what, "", requested, point_at(sim, 9, 9 / (K - 1.)).z, 6e-6, "");
        const double a = point_at(sim, 9, 9 / (K - 1.)).z, b = point_at(sim, 10, 10 / (K - 1.)).z;
        verify_below(log, "falling net: its middle is not symmetric by [m]", "", fabs(a - b), 1e-12,
                     "");
    }
    withy_sim_destroy(sim);
}

/* A free network with every kind of joint, 2000 steps: what is kept, over what there is of it. */
static void flies(verify_log *log, const char *mesh, double dt) {
    enum { STEPS = 2000 };
    static network_problem x;
    char options[64], what[96];
    withy_sim *sim;
    double worst[2] = {0};
    golden_all_kinds(&x);
    network_times(&x, STEPS * dt, STEPS * dt);
    snprintf(options, sizeof options, "%s dt=%g", mesh, dt);
    if (!started(log, &x, options, &sim)) return;
    const withy_snapshot first = *withy_sim_sample(sim, 0);
    for (int k = 20; k <= STEPS && gone(log, sim, k * dt); k += 20) {
        const withy_snapshot *now = withy_sim_sample(sim, 0);
        const vec3 off[2] = {v3_sub(now->momentum, first.momentum),
                             v3_sub(now->angular_momentum, first.angular_momentum)};
        const double share[2] = {v3_norm(off[0]) / v3_norm(first.momentum),
                                 v3_norm(off[1]) / v3_norm(first.angular_momentum)};
        for (int i = 0; i < 2; i++)
            if (!(share[i] <= worst[i])) worst[i] = share[i];
    }
    const withy_stats stats = withy_sim_stats(sim);
    const struct {
        const char *name;
        double value, limit;
    } row[4] = {{"energy", stats.energy_drift, 1e-11},
                {"momentum", worst[0], 1e-10},
                {"angular momentum", worst[1], 1e-10},
                {"constraints", stats.constraint_max, 1e-13}};
    for (int i = 0; i < 4; i++) {
        snprintf(what, sizeof what, "every kind of joint, dt %g s, 2000 steps: %s", dt,
                 row[i].name);
        verify_below(log, what, "", row[i].value, row[i].limit, "");
    }
    withy_sim_destroy(sim);
}

/* The rods ring, and where they are in that the step decides: the expected values hold to a tenth. */
static void study_long(verify_log *log) {
    static const struct {
        double young, requested, tolerance;
    } row[3] = {{1e9, 9.9e-4, 1e-5}, {1e10, 9.1e-5, 3e-6}, {1e11, 8.2e-6, 0.8e-6}};
    for (int i = 0; i < 3; i++) {
        char what[80];
        snprintf(what, sizeof what, "flexible pendulum, E = %g Pa: from the rigid tip [m]",
                 row[i].young);
        pendulum(log, "n=4 degree=3 dt=0.001 order=4", row[i].young, row[i].requested,
                 row[i].tolerance, what);
    }
    flies(log, "n=1 degree=3", 1e-4), flies(log, "n=2 degree=1", 1e-3);
    flies(log, "n=1 degree=3", 1e-2), flies(log, "n=1 degree=3", 5e-2);
    net_falls(log, "0.0025", 0, -0.19979);
    net_falls(log, "0.00125", 1, -0.19997);
}

const verify_study verify_network[] = {
    {"network statics", "frames and a net: shapes and buckling loads", study_statics, 0,
     .basis = "shooting; determinant of shooting; a linear grillage of exact Timoshenko beams"},
    {"network modes", "two beams that meet", study_modes, 0,
     .basis = "null space of the constraints, another program; Euler and Bernoulli to 1e-5"},
    {"network motion", "pendulums, a cantilever and mechanisms", study_motion, 0,
     .basis =
         "ODE of rigid bars; chains of bodies with springs; kinematics of rigid bars; balance"},
    {"network energy balance", "one body and one joint: forces, work and losses",
     study_network_ledger_sums, 0, .basis = "closed forms; exact"},
    {"network long", "flexible pendulums; every kind of joint in flight; a net falls", study_long,
     1, .basis = "another program of the same scheme; rigid bars; conservation; free fall"},
    {0},
};
