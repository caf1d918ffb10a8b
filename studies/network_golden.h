/* network_golden.h - the networks of the acceptance table (frames, truss, mechanisms, nets, free flight), for
 * its tests, studies and benches.
 */
#pragma once

#include "base/base.h"
#include "base/vec.h"
#include "network_problems.h"

static inline void golden_stiffness(withy_rod *rod, double shear, double stretch, double bend1,
                                    double bend2, double twist) {
    const double k[WITHY_STRAINS] = {shear, shear, stretch, bend1, bend2, twist};
    for (int i = 0; i < WITHY_STRAINS; i++) rod->stiffness[i] = withy_field_number(k[i]);
}

/* Clamped at one end, with joints of many kinds, offsets, and loads that do and do not follow. */
static inline void golden_strained(network_problem *x) {
    network_begin(x);
    x->problem.gravity = v3(0.5, -1, -9.81);
    const vec3 at[4] = {{0, 0, 0}, {0.6, 0.1, 0}, {1, -0.2, 0.3}, {1.5, 0.1, 0.2}};
    for (int i = 0; i < 3; i++) network_rod(x, at[i], at[i + 1], 0.02, 3e6, 1000);
    x->rod[0].end[0].kind = WITHY_END_CLAMPED;
    x->rod[2].end[1].force = withy_field_vector(1, 2, 3), x->rod[2].end[1].follower = 1;
    for (int i = 0; i < 2; i++)
        network_body(x, 0.3, v3(1e-3, 2e-3, 2.5e-3), v3_add(at[i + 1], v3(0.1, 0.05, -0.1)));
    network_body(x, 0.2, v3(1e-3, 1e-3, 1e-3), v3(1.6, 0.3, 0));
    x->push[0] = (withy_body_load){.at = {0.1, 0, 0.05}, .force = withy_field_vector(1, -1, 2)};
    x->push[1] = x->push[0], x->push[1].follower = 1;
    x->push[1].moment = withy_field_vector(0.1, 0.2, -0.1);
    x->body[1].load = x->push, x->body[1].load_count = 2;
    const double l0 = x->rod[0].length, l1 = x->rod[1].length, l2 = x->rod[2].length;
    network_join(x, WITHY_JOINT_WELD, on_rod(0, l0), on_body(0, -0.1, -0.05, 0.1));
    withy_joint *j = network_join(x, WITHY_JOINT_HINGE, on_body(0, -0.1, -0.05, 0.1), on_rod(1, 0));
    j->axis = v3(0.1, 1, 0.3), j->spring = 4, j->rest = 0.3;
    j = network_join(x, WITHY_JOINT_SLIDER, on_rod(1, l1), on_body(1, -0.1, -0.05, 0.1));
    j->axis = v3(1, 0.2, 0), j->spring = 90;
    j = network_join(x, WITHY_JOINT_SPRING, on_body(1, -0.1, -0.05, 0.1), on_rod(2, 0));
    j->stretch = v3(200, 150, 300), j->turn = v3(3, 2, 4);
    j = network_join(x, WITHY_JOINT_UNIVERSAL, on_rod(2, 0.5 * l2), on_body(2, 0, 0, 0));
    const vec3 half = v3_scale(0.5, v3_add(at[2], at[3]));
    j->place[1].at = v3_sub(half, x->body[2].position);
    j->axis = v3(0, 1, 0), j->axis2 = v3(1, 0, 0);
    network_join(x, WITHY_JOINT_LINK, on_ground(1, 1, 1), on_body(2, 0.1, 0, 0))->spring = 60;
    network_join(x, WITHY_JOINT_LINK, on_ground(0, 1, 0), on_rod(1, 0.5 * l1));
    network_times(x, 1, 1);
}

/* Argyris; Simo and Vu-Quoc 1986: a right angle of thin plate, pulled along its first leg. */
static inline void golden_right_angle(network_problem *x, double sign) {
    network_begin(x);
    const double e = 71240, g = e / 2.62, weak = 30 * 0.6 * 0.6 * 0.6 / 12,
                 strong = 0.6 * 27000 / 12;
    const vec3 at[3] = {{0, 0, 0}, {240, 0, 0}, {240, -240, 0}};
    for (int i = 0; i < 2; i++) {
        withy_rod *rod = network_rod(x, at[i], at[i + 1], 1, 1, 1);
        rod->initial.normal = rod->rest.normal = v3(0, 0, 1);
        golden_stiffness(rod, g * 18, e * 18, e * strong, e * weak, g * 4 * weak);
    }
    network_join(x, WITHY_JOINT_WELD, on_rod(0, 240), on_rod(1, 0));
    x->rod[0].end[0].kind = WITHY_END_CLAMPED;
    x->rod[1].end[1].force = withy_field_vector(sign, 0, 0);
}

/* Two bars of 1 m and 1 kg on hinges, from the horizontal. */
static inline void golden_rigid_pendulum(network_problem *x) {
    network_begin(x);
    network_times(x, 1, 1);
    x->problem.gravity = network_vec(0, 0, -9.81);
    for (int i = 0; i < 2; i++)
        network_body(x, 1, network_vec(1e-3, 1. / 12, 1. / 12), network_vec(0.5 + i, 0, 0));
    network_join(x, WITHY_JOINT_HINGE, on_ground(0, 0, 0), on_body(0, -0.5, 0, 0))->axis =
        network_vec(0, 1, 0);
    network_join(x, WITHY_JOINT_HINGE, on_body(0, 0.5, 0, 0), on_body(1, -0.5, 0, 0))->axis =
        network_vec(0, 1, 0);
}

static inline withy_vec3 golden_spinning(withy_vec3 r, withy_vec3 v, withy_vec3 w) {
    return v3_add(v, v3_cross(w, r));
}

static inline withy_status golden_spin_of_rod(void *context, double s, double t, double *out,
                                              withy_error *err) {
    (void)t, (void)err;
    const withy_rod *rod = context;
    const vec3 r = v3_axpy(rod->initial.from, s, rod->initial.along);
    v3_to(golden_spinning(r, v3(0.3, -0.2, 0.5), v3(0.4, 0.7, 2.2)), out);
    return WITHY_OK;
}

/* All parts get the velocity of one rigid motion. */
static inline void golden_spin_all(network_problem *x) {
    for (int i = 0; i < x->problem.rod_count; i++) {
        x->rod[i].velocity =
            (withy_field){.size = 3, .call = golden_spin_of_rod, .context = &x->rod[i]};
        x->rod[i].spin = withy_field_vector(0.4, 0.7, 2.2);
    }
    for (int i = 0; i < x->problem.body_count; i++) {
        x->body[i].spin = network_vec(0.4, 0.7, 2.2);
        x->body[i].velocity =
            golden_spinning(x->body[i].position, v3(0.3, -0.2, 0.5), x->body[i].spin);
    }
}

/* A hub with four rods welded on at an offset, one with a body at its tip. */
static inline void golden_satellite(network_problem *x) {
    network_begin(x);
    network_body(x, 2, network_vec(0.05, 0.06, 0.09), network_vec(0, 0, 0));
    const double c[4] = {1, 0, -1, 0}, s[4] = {0, 1, 0, -1};
    for (int i = 0; i < 4; i++) {
        network_rod(x, network_vec(0.2 * c[i], 0.2 * s[i], 0), network_vec(c[i], s[i], 0), 0.01,
                    1e8, 1000);
        network_join(x, WITHY_JOINT_WELD, on_body(0, 0.2 * c[i], 0.2 * s[i], 0), on_rod(i, 0));
    }
    network_body(x, 0.3, network_vec(1e-3, 2e-3, 1.5e-3), network_vec(1.05, 0.02, 0));
    network_join(x, WITHY_JOINT_WELD, on_rod(0, 0.8), on_body(1, -0.05, -0.02, 0));
    golden_spin_all(x);
}

/* Every kind of joint in one free network: rods and bodies along a zigzag, with closed loops of springs. */
static inline void golden_all_kinds(network_problem *x) {
    network_begin(x);
    const vec3 at[6] = {{0, 0, 0},       {1, 0.2, 0},   {1.8, -0.3, 0.4},
                        {2.6, 0.3, 0.1}, {3.4, 0, 0.5}, {4.1, 0.4, 0}};
    for (int i = 0; i < 5; i++) network_rod(x, at[i], at[i + 1], 0.02, 3e8, 1000);
    for (int i = 0; i < 4; i++)
        network_body(x, 0.4 + 0.1 * i, network_vec(2e-3, 3e-3, 4e-3),
                     v3_add(at[i + 1], v3(0.05, 0.1 * i - 0.1, 0.1)));
    network_body(x, 0.5, network_vec(4e-3, 3e-3, 2e-3), v3(4.3, 0.5, 0.2));
    const double end[5] = {x->rod[0].length, x->rod[1].length, x->rod[2].length, x->rod[3].length,
                           x->rod[4].length};
    withy_joint *j;
    network_join(x, WITHY_JOINT_WELD, on_rod(0, end[0]), on_body(0, -0.05, 0.1, -0.1));
    j = network_join(x, WITHY_JOINT_HINGE, on_body(0, -0.05, 0.1, -0.1), on_rod(1, 0));
    j->axis = network_vec(0.2, 1, 0.4), j->spring = 3, j->rest = 0.2;
    j->limited = 1, j->limit[0] = -0.3, j->limit[1] = 0.25, j->limit_stiffness = 30;
    network_join(x, WITHY_JOINT_BALL, on_rod(1, end[1]), on_body(1, -0.05, 0, -0.1));
    j = network_join(x, WITHY_JOINT_SLIDER, on_body(1, -0.05, 0, -0.1), on_rod(2, 0));
    j->axis = network_vec(1, 0.3, 0), j->spring = 80;
    j = network_join(x, WITHY_JOINT_UNIVERSAL, on_rod(2, end[2]), on_body(2, -0.05, -0.1, -0.1));
    j->axis = network_vec(0, 1, 0), j->axis2 = network_vec(1, 0, 0);
    j = network_join(x, WITHY_JOINT_SPRING, on_body(2, 0.05, -0.1, 0), on_rod(3, 0));
    j->stretch = network_vec(200, 300, 250), j->turn = network_vec(4, 5, 6);
    j = network_join(x, WITHY_JOINT_CYLINDRICAL, on_rod(3, end[3]), on_body(3, -0.05, -0.2, -0.1));
    j->axis = network_vec(0, 0, 1);
    j = network_join(x, WITHY_JOINT_LINK, on_body(3, -0.05, -0.2, -0.1), on_rod(0, 0.5 * end[0]));
    j->spring = 20;
    j = network_join(x, WITHY_JOINT_PLANAR, on_body(3, 0.02, -0.2, -0.1), on_rod(4, 0));
    j->axis = network_vec(0, 1, 1);
    j->place[0].at = v3_sub(at[4], x->body[3].position);
    network_join(x, WITHY_JOINT_LINK, on_rod(4, 0.5 * end[4]), on_body(3, 0, 0.1, 0));
    network_join(x, WITHY_JOINT_LINK, on_rod(4, end[4]), on_body(4, 0, 0, 0));
    golden_spin_all(x);
}

/* Where the circles of radius a about p and b about q meet, above the line from p to q. */
static inline vec3 golden_meet(vec3 p, double a, vec3 q, double b) {
    const vec3 d = v3_sub(q, p);
    const double l = v3_norm(d), x = (a * a - b * b + l * l) / (2 * l), y = sqrt(a * a - x * x);
    return v3(p.x + (x * d.x - y * d.y) / l, p.y + (x * d.y + y * d.x) / l, 0);
}

/* Bars 0.3, 1, 0.7 on ground 1 apart; the crank and the rocker are bodies, the coupler a rod, or (rigid) a
 * body: then three constraints are too many. */
static inline void golden_four_bar(network_problem *x, int rigid, double young) {
    const vec3 a = v3(0.3 * cos(0.4), 0.3 * sin(0.4), 0), c = v3(1, 0, 0),
               b = golden_meet(a, 1, c, 0.7);
    const vec3 half = v3_scale(0.5, a), rocker = v3_scale(0.5, v3_sub(b, c));
    const vec3 z = v3(0, 0, 1);
    network_begin(x);
    network_body(x, 0.5, network_vec(4e-3, 4e-3, 4e-3), half);
    network_body(x, 0.8, network_vec(2e-2, 2e-2, 2e-2), v3_add(c, rocker));
    const vec3 middle = v3_scale(0.5, v3_add(a, b)), arm = v3_scale(0.5, v3_sub(b, a));
    if (rigid) {
        network_body(x, 0.6, network_vec(5e-2, 5e-2, 5e-2), middle);
        network_join(x, WITHY_JOINT_HINGE, on_body(0, half.x, half.y, 0),
                     on_body(2, -arm.x, -arm.y, 0))
            ->axis = z;
        network_join(x, WITHY_JOINT_HINGE, on_body(2, arm.x, arm.y, 0),
                     on_body(1, rocker.x, rocker.y, 0))
            ->axis = z;
    } else {
        const withy_rod *rod = network_rod(x, a, b, 0.01, young, 2000);
        network_join(x, WITHY_JOINT_HINGE, on_body(0, half.x, half.y, 0), on_rod(0, 0))->axis = z;
        network_join(x, WITHY_JOINT_HINGE, on_rod(0, rod->length),
                     on_body(1, rocker.x, rocker.y, 0))
            ->axis = z;
    }
    network_join(x, WITHY_JOINT_HINGE, on_ground(1, 0, 0), on_body(1, -rocker.x, -rocker.y, 0))
        ->axis = z;
    network_join(x, WITHY_JOINT_HINGE, on_ground(0, 0, 0), on_body(0, -half.x, -half.y, 0))->axis =
        z;
}

/* A cantilever of length 1 and EI = 1 under a dead force of 10 across it, welded from pieces; r/L = 2e-4. */
static inline void golden_bent(network_problem *x, int pieces) {
    const double r = 2e-4, ea = 4 / (r * r);
    network_begin(x);
    for (int i = 0; i < pieces; i++)
        golden_stiffness(
            network_rod(x, v3(1. * i / pieces, 0, 0), v3((i + 1.) / pieces, 0, 0), r, 1, 1), ea / 3,
            ea, 1, 1, 0.77);
    x->rod[0].end[0].kind = WITHY_END_CLAMPED;
    x->rod[pieces - 1].end[1].force = withy_field_vector(0, 0, -10);
    for (int i = 0; i + 1 < pieces; i++)
        network_join(x, WITHY_JOINT_WELD, on_rod(i, x->rod[i].length), on_rod(i + 1, 0));
}

/* A square frame with rigid corners, side 1, EI = 1, r/L = 1e-3, pulled apart at two corners. */
static inline void golden_diamond(network_problem *x, double pull) {
    const double h = sqrt(0.5), r = 1e-3, ea = 4 / (r * r);
    const vec3 at[4] = {{0, -h, 0}, {h, 0, 0}, {0, h, 0}, {-h, 0, 0}};
    network_begin(x);
    for (int i = 0; i < 4; i++)
        golden_stiffness(network_rod(x, at[i], at[(i + 1) % 4], r, 1, 1), ea / 3, ea, 1, 1, 0.77);
    for (int i = 0; i < 4; i++)
        network_join(x, WITHY_JOINT_WELD, on_rod(i, x->rod[i].length), on_rod((i + 1) % 4, 0));
    /* held where it stays by symmetry: one corner, which moves along y only, is the origin */
    x->rod[0].end[0].kind = WITHY_END_CLAMPED;
    x->rod[1].end[1].force = withy_field_vector(0, pull, 0);
}

/* von Mises: two bars of EA = 1e3 to a crown at height 0.3, pushed down by a unit force. */
static inline void golden_truss(network_problem *x) {
    network_begin(x);
    for (int i = 0; i < 2; i++)
        golden_stiffness(network_rod(x, v3(i ? 1 : -1, 0, 0), v3(0, 0, 0.3), 0.01, 1, 1), 1e3, 1e3,
                         1e3, 1e3, 1e3);
    for (int i = 0; i < 2; i++)
        network_join(x, WITHY_JOINT_HINGE, on_ground(i ? 1 : -1, 0, 0), on_rod(i, 0))->axis =
            v3(0, 1, 0);
    network_join(x, WITHY_JOINT_HINGE, on_rod(0, x->rod[0].length), on_rod(1, x->rod[1].length))
        ->axis = v3(0, 1, 0);
    x->rod[0].end[1].force = withy_field_vector(0, 0, -1);
}

/* Lee's frame: two legs of 120 on hinges, a force 24 from the corner; out: EI out of its plane and GJ over EI. */
static inline void golden_lee(network_problem *x, double out) {
    const double e = 720, ea = e * 6, ga = 5. / 6 * 6 * e / 2.6, ei = 2 * e;
    network_begin(x);
    network_rod(x, v3(0, 0, 0), v3(0, 120, 0), 1, 1, 1);
    network_rod(x, v3(0, 120, 0), v3(120, 120, 0), 1, 1, 1);
    for (int i = 0; i < 2; i++) {
        x->rod[i].initial.normal = x->rod[i].rest.normal = v3(0, 0, 1);
        golden_stiffness(&x->rod[i], ga, ea, ei, out * ei, out * ei);
    }
    x->load[0] = (withy_load){.kind = WITHY_LOAD_POINT, .from = 24};
    x->load[0].force = withy_field_vector(0, -1, 0);
    x->rod[1].load = x->load, x->rod[1].load_count = 1;
    network_join(x, WITHY_JOINT_WELD, on_rod(0, 120), on_rod(1, 0));
    network_join(x, WITHY_JOINT_HINGE, on_ground(0, 0, 0), on_rod(0, 0))->axis = v3(0, 0, 1);
    network_join(x, WITHY_JOINT_HINGE, on_ground(120, 120, 0), on_rod(1, 120))->axis = v3(0, 0, 1);
}

/* Two beams of length 1, EI = 1 and mass 1 per length, r/L = 1e-3, clamped outside: in one line with a hinge
 * between them, or welded at a right angle.  Out of the plane they are a thousand times stiffer. */
static inline void golden_frame(network_problem *x, int hinged) {
    const double r = 1e-3, ea = 4 / (r * r);
    const vec3 far = hinged ? v3(2, 0, 0) : v3(1, 1, 0);
    network_begin(x);
    for (int i = 0; i < 2; i++) {
        withy_rod *rod = network_rod(x, i ? far : v3(0, 0, 0), v3(1, 0, 0), r, 1, 1);
        rod->initial.normal = rod->rest.normal = v3(0, 0, 1);
        golden_stiffness(rod, ea / 3, ea, 1, 1e3, 1e3);
        const double rho[WITHY_INERTIAS] = {1, 1e-12, 1e-12, 1e-12}; /* as in the table */
        for (int k = 0; k < WITHY_INERTIAS; k++) rod->inertia[k] = withy_field_number(rho[k]);
        rod->end[0].kind = WITHY_END_CLAMPED;
    }
    withy_joint *j = network_join(x, hinged ? WITHY_JOINT_HINGE : WITHY_JOINT_WELD,
                                  on_rod(0, x->rod[0].length), on_rod(1, x->rod[1].length));
    if (hinged) j->axis = v3(0, 0, 1);
}

/* A net of k x k crossings, side 1; joint: room for k k of them.  Rods 0 .. k-1 run along y, k .. 2k-1 along x. */
static inline void golden_net(network_problem *x, int k, withy_joint *joint, double radius,
                              double young) {
    network_begin(x);
    x->problem.joint = joint;
    for (int i = 0; i < 2 * k; i++) {
        const double at = i % k / (k - 1.);
        withy_rod *rod = network_rod(x, i < k ? v3(at, 0, 0) : v3(0, at, 0),
                                     i < k ? v3(at, 1, 0) : v3(1, at, 0), radius, young, 1000);
        rod->material.shear = young / 3, rod->section.shear_factor = 1;
        if (i % k == 0 || i % k == k - 1) rod->end[0].kind = rod->end[1].kind = WITHY_END_CLAMPED;
    }
    for (int i = 0; i < k * k; i++)
        joint[i] = (withy_joint){
            .kind = WITHY_JOINT_WELD,
            .place = {on_rod(i / k, i % k / (k - 1.)), on_rod(k + i % k, i / k / (k - 1.))}};
    x->problem.joint_count = k * k;
}

/* Simo and Vu-Quoc 1988: a right angle of two legs of 10, pulled out of its plane at the elbow. */
static inline void golden_cantilever(network_problem *x) {
    static const double pulse[] = {0, 0, 0, 0, 1, 0, 0, 50, 2, 0, 0, 0};
    network_begin(x);
    for (int i = 0; i < 2; i++) {
        withy_rod *rod = network_rod(x, v3(0, i ? 10 : 0, 0), v3(i ? 10 : 0, 10, 0), 0.1, 1, 1);
        golden_stiffness(rod, 1e6, 1e6, 1e3, 1e3, 1e3);
        const double inertia[WITHY_INERTIAS] = {1, 10, 10, 20};
        for (int k = 0; k < WITHY_INERTIAS; k++) rod->inertia[k] = withy_field_number(inertia[k]);
    }
    x->rod[0].end[0].kind = WITHY_END_CLAMPED;
    x->rod[0].end[1].force = withy_field_table(3, 3, pulse);
    network_join(x, WITHY_JOINT_WELD, on_rod(0, 10), on_rod(1, 0));
}

/* A crank of 0.3 and a rod of 0.9 to a slider on the x axis, driven by a pulse of torque. */
static inline void golden_slider_crank(network_problem *x) {
    static const double pulse[] = {0, 0.8, 1, 0.8, 1.0001, 0};
    const vec3 z = v3(0, 0, 1);
    network_begin(x);
    network_body(x, 0.5, network_vec(4e-3, 4e-3, 4e-3), network_vec(0.15, 0, 0));
    network_body(x, 0.7, network_vec(1e-3, 1e-3, 1e-3), network_vec(1.2, 0, 0));
    network_rod(x, v3(0.3, 0, 0), v3(1.2, 0, 0), 0.01, 2e11, 2000);
    const double length = x->rod[0].length;
    withy_joint *crank =
        network_join(x, WITHY_JOINT_HINGE, on_ground(0, 0, 0), on_body(0, -0.15, 0, 0));
    crank->axis = z, crank->effort = withy_field_table(1, 3, pulse);
    network_join(x, WITHY_JOINT_HINGE, on_body(0, 0.15, 0, 0), on_rod(0, 0))->axis = z;
    network_join(x, WITHY_JOINT_HINGE, on_rod(0, length), on_body(1, 0, 0, 0))->axis = z;
    network_join(x, WITHY_JOINT_SLIDER, on_ground(0, 0, 0), on_body(1, 0, 0, 0))->axis =
        v3(1, 0, 0);
}

/* The rigid double pendulum with rods of radius 0.02 and 1 kg each, and the inertia of thin bars. */
static inline void golden_flexible_pendulum(network_problem *x, double young) {
    network_begin(x);
    network_times(x, 1, 1);
    x->problem.gravity = network_vec(0, 0, -9.81);
    for (int i = 0; i < 2; i++) {
        withy_rod *rod =
            network_rod(x, network_vec(i, 0, 0), network_vec(i + 1, 0, 0), 0.02, young, 1);
        for (int k = 0; k < WITHY_INERTIAS; k++)
            rod->inertia[k] = withy_field_number(k == WITHY_MASS ? 1 : 1e-8);
    }
    network_join(x, WITHY_JOINT_HINGE, on_ground(0, 0, 0), on_rod(0, 0))->axis =
        network_vec(0, 1, 0);
    network_join(x, WITHY_JOINT_HINGE, on_rod(0, 1), on_rod(1, 0))->axis = network_vec(0, 1, 0);
}

/* Two clamped rods that cross, led past each other by 0.02 L; almost no shear. */
static inline void golden_crossed_rods(network_problem *x) {
    const double r = 2e-3, e = 1e9, area = WY_PI * r * r, second = area * r * r / 4;
    network_begin(x);
    for (int i = 0; i < 2; i++) {
        const vec3 along = i ? v3(0, 1, 0) : v3(1, 0, 0);
        const vec3 from = v3_axpy(v3(0, 0, 2 * r * i), -0.5, along);
        withy_rod *rod = network_rod(x, from, v3_add(from, along), r, e, 1000);
        golden_stiffness(rod, 1000 * e * area / 3, e * area, e * second, e * second, e * second);
        for (int k = 0; k < 2; k++) {
            rod->end[k].kind = WITHY_END_CLAMPED;
            rod->end[k].position =
                withy_field_vector((k - 0.5) * along.x, (k - 0.5) * along.y, i ? 2 * r - 0.02 : 0);
        }
    }
    x->problem.contact.given = 1, x->problem.contact.pair = 1e6;
}
