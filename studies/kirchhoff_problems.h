/* kirchhoff_problems.h - helical springs as problems, for the tests of the kirchhoff method. */
#pragma once

#include "check.h"
#include "method/kirchhoff/kirchhoff.h"
#include "study/sim.h"
#include "withy/withy.h"

/* A helix of wire: radius, pitch angle, turns, stiffnesses, mass and rotary inertia per length. */
typedef struct helix_wire {
    double radius, angle, turns, bend, twist, rho, rotary;
} helix_wire;

static const helix_wire TEST_HELIX = {1, .25, 3, 1, .8, 1, 0}; /* section 3.2 */

/* One spring with its problem; pointers inside, so do not copy. */
typedef struct spring_case {
    withy_rod rod;
    withy_problem problem;
    withy_option option[12];
    int options;
    withy_sim *sim;
    wy_kirchhoff *p;
} spring_case;

static inline double wire_length(helix_wire w) {
    return 2 * WY_PI * w.turns * w.radius / cos(w.angle);
}

/* About the z axis, starting on the x axis; right-handed. */
static inline withy_shape helix_shape(double radius, double angle) {
    return (withy_shape){.kind = WITHY_SHAPE_HELIX,
                         .from = {radius, 0, 0},
                         .along = {0, 0, 1},
                         .normal = {1, 0, 0},
                         .radius = radius,
                         .pitch = 2 * WY_PI * radius * tan(angle)};
}

static inline void spring_option(spring_case *c, const char *name, double number,
                                 const char *word) {
    withy_option *o = &c->option[c->options++];
    *o = (withy_option){.number = number};
    snprintf(o->name, sizeof o->name, "%s", name);
    if (word) snprintf(o->word, sizeof o->word, "%s", word);
}

static inline void spring_of(spring_case *c, helix_wire w, withy_end_kind a, withy_end_kind b,
                             int n, double h) {
    memset(c, 0, sizeof *c);
    c->rod = (withy_rod){.name = "spring", .length = wire_length(w)};
    c->rod.stiffness[WITHY_BEND1] = c->rod.stiffness[WITHY_BEND2] = withy_field_number(w.bend);
    c->rod.stiffness[WITHY_TWIST] = withy_field_number(w.twist);
    c->rod.inertia[WITHY_MASS] = withy_field_number(w.rho);
    if (w.rotary > 0)
        c->rod.inertia[WITHY_ROTARY1] = c->rod.inertia[WITHY_ROTARY2] =
            withy_field_number(w.rotary);
    c->rod.rest = helix_shape(w.radius, w.angle);
    c->rod.end[0].kind = a, c->rod.end[1].kind = b;
    c->problem = withy_problem_default();
    c->problem.title = "spring";
    c->problem.rod = &c->rod;
    c->problem.request.output = h;
    c->problem.request.stop = 1e4 * h;
    spring_option(c, "n", n, NULL);
    spring_option(c, "dt", h, NULL);
}

/* Start from the helix whose axial length is `stretch` times the rest length, turns kept. */
static inline void spring_stretch(spring_case *c, helix_wire w, double stretch) {
    const double angle = asin(stretch * sin(w.angle));
    c->rod.initial = helix_shape(c->rod.length * cos(angle) / (2 * WY_PI * w.turns), angle);
}

static inline void spring_make(spring_case *c) {
    withy_error err = {0};
    CHECK_OK(withy_sim_create(&c->problem, "kirchhoff", c->option, c->options, &c->sim, &err));
    c->p = c->sim->self;
}

static inline void spring_steps(spring_case *c, int steps) {
    withy_error err = {0};
    CHECK_OK(
        withy_sim_advance(c->sim, withy_sim_time(c->sim) + steps * c->p->state->halving.h, &err));
}

static inline void spring_free(spring_case *c) {
    withy_sim_destroy(c->sim);
}

/* Largest distance of a node between two sets of positions. */
static inline double positions_apart(const wy_kirchhoff *p, const vec3 *x, const vec3 *y) {
    double most = 0;
    for (int j = 0; j <= p->n; j++) {
        const double d = v3_norm(v3_sub(x[j], y[j]));
        if (!(d <= most)) most = d;
    }
    return most;
}
