/* verify_network_ledger.c - forces of joints, loads on bodies and what dampers lose, each against a closed form.
 *
 * One body and one joint at a time, so that each part of the balance stands alone: what is missing there changes a
 * balance that a larger mechanism would hide.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "network_golden.h"
#include "verify_network.h"

enum { STEPS = 200 };
static const double H = 1e-3;

/* The parts at t, or NULL and a failing row; without a time to go, at rest. */
static const withy_parts *parts_at(verify_log *log, const network_problem *x, double t,
                                   withy_sim **sim) {
    withy_error err = {0};
    withy_equilibrium at;
    char options[32];
    *sim = NULL;
    snprintf(options, sizeof options, "n=4 degree=2 dt=%g", H);
    if (network_start(x, options, sim, &err) == WITHY_OK &&
        (t > 0 ? withy_sim_advance(*sim, t, &err) : withy_sim_equilibrium(*sim, 1, &at, &err)) ==
            WITHY_OK)
        return withy_sim_parts(*sim);
    verify_failed(log, "one body", &err);
    return NULL;
}

/* A body goes round on a link.  The step turns it by phi with tan(phi/2) = h v/(2 l), from |v| and the radius being
 * kept. */
static void on_a_link(verify_log *log) {
    static network_problem x;
    const double m = 2, l = 0.5, v = 3;
    withy_sim *sim;
    network_begin(&x);
    network_times(&x, STEPS * H, STEPS * H);
    network_body(&x, m, v3(0.01, 0.01, 0.01), v3(l, 0, 0))->velocity = v3(0, v, 0);
    network_join(&x, WITHY_JOINT_LINK, on_ground(0, 0, 0), on_body(0, 0, 0, 0))->length = l;
    const withy_parts *now = parts_at(log, &x, STEPS * H, &sim);
    if (now) {
        const double half = atan(0.5 * H * v / l), f = m * v * v / l, turn = H * v / l;
        const vec3 r = now->body[0].position;
        verify_near(log, "a body on a link: radius [m]", "", l, v3_norm(r), 1e-14, "");
        verify_near(log, "a body on a link: angle [rad]", "", 2 * STEPS * half, atan2(r.y, r.x),
                    1e-11, "");
        verify_near(log, "a body on a link: pull [N]", "", f, v3_norm(now->joint[0].force),
                    f * turn * turn, "m v^2/l, to the second order of the step");
    }
    withy_sim_destroy(sim);
}

/* What hangs at a weld: its weight, and the moment of that about the weld where it is. */
static void on_a_weld(verify_log *log) {
    static network_problem x;
    const double m = 0.2, g = 9.81;
    withy_sim *sim;
    network_begin(&x);
    withy_rod *rod = network_rod(&x, v3(0, 0, 0), v3(0.3, 0, 0), 5e-3, 1e8, 1000);
    rod->end[0].kind = WITHY_END_CLAMPED;
    network_body(&x, m, v3(1e-4, 1e-4, 1e-4), v3(0.4, -0.02, 0.01));
    network_join(&x, WITHY_JOINT_WELD, on_rod(0, 0.3), on_body(0, -0.1, 0.02, -0.01));
    x.problem.gravity = v3(0, 0, -g);
    const withy_parts *now = parts_at(log, &x, 0, &sim);
    if (now) {
        const vec3 weight = v3(0, 0, -m * g), place = now->joint[0].place[1];
        const vec3 arm = v3_sub(now->body[0].position, place);
        verify_below(log, "a body at a weld: force and weight [N]", "",
                     v3_norm(v3_add(now->joint[0].force, weight)), 1e-9 * m * g, "");
        verify_below(log, "a body at a weld: torque and moment of the weight [N m]", "",
                     v3_norm(v3_add(now->joint[0].torque, v3_cross(arm, weight))),
                     1e-9 * m * g * v3_norm(arm), "");
    }
    withy_sim_destroy(sim);
}

/* A body pushed off its centre: v = F t/m; the work of the push is what it gains. */
static void pushed(verify_log *log) {
    static network_problem x;
    static withy_body_load push = {.at = {0.1, 0, 0.05}};
    const double m = 0.5;
    const vec3 f = v3(1, 2, -1);
    withy_sim *sim;
    network_begin(&x);
    network_times(&x, STEPS * H, STEPS * H);
    push.force = withy_field_vector(f.x, f.y, f.z);
    withy_body *body = network_body(&x, m, v3(1e-3, 2e-3, 2.5e-3), v3(0, 0, 0));
    body->load = &push, body->load_count = 1;
    const withy_parts *now = parts_at(log, &x, STEPS * H, &sim);
    if (now) {
        const vec3 expected = v3_scale(0.5 * STEPS * H * STEPS * H / m, f);
        verify_below(log, "a body pushed off its centre: from F t^2/(2 m) [m]", "",
                     v3_norm(v3_sub(now->body[0].position, expected)), 1e-12, "");
        verify_below(log, "a body pushed off its centre: balance of energy", "",
                     withy_sim_stats(sim).energy_drift, 1e-11, "");
    }
    withy_sim_destroy(sim);
}

/* A wheel on a hinge with a damper: I w' = -c w. */
static void damped_wheel(verify_log *log) {
    static network_problem x;
    const double inertia = 2e-3, c = 8e-3, w = 10, t = STEPS * H;
    withy_sim *sim;
    network_begin(&x);
    network_times(&x, t, t);
    network_body(&x, 1, v3(1e-3, 1e-3, inertia), v3(0, 0, 0))->spin = v3(0, 0, w);
    withy_joint *hinge =
        network_join(&x, WITHY_JOINT_HINGE, on_ground(0, 0, 0), on_body(0, 0, 0, 0));
    hinge->axis = v3(0, 0, 1), hinge->damping = c;
    const withy_parts *now = parts_at(log, &x, t, &sim);
    if (now) {
        verify_near(log, "a wheel with a damper: angle [rad]", "",
                    w * inertia / c * (1 - exp(-c * t / inertia)), now->joint[0].angle, 2e-5,
                    "w I/c (1 - exp(-c t/I)); second order in the step");
        verify_below(log, "a wheel with a damper: balance of energy", "",
                     withy_sim_stats(sim).energy_drift, 1e-11, "");
    }
    withy_sim_destroy(sim);
}

void study_network_ledger_sums(verify_log *log) {
    on_a_link(log);
    on_a_weld(log);
    pushed(log);
    damped_wheel(log);
}
