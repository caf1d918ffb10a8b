/* verify_medium_bed.c - mooring lines that lie on the sea bed in part: anchor on the bed, fairlead above. */
#include <math.h>
#include <stdio.h>

#include "director_problems.h"
#include "verify_medium.h"

static const double RHO = 1025, GRAVITY = 9.80665, STIFF = 1e7, RADIUS = 1e-3;

typedef struct line {
    const char *name;
    double length, span, depth, diameter, mass, ea, ei;
    double tension, bed;   /* expected at the fairlead [N], and on the bed [m] */
    double level, upright; /* its components; 0: not compared [N] */
} line;

/* The bed is as stiff as 1e7 N/m^2: a line of 700 N/m sinks 0.07 mm into it. */
static int rests(verify_log *log, const line *l, withy_sim **sim) {
    static withy_obstacle bed;
    director_problem x;
    withy_error err = {0};
    withy_equilibrium at;
    director_plain(&x, l->length, l->diameter, 1, 1, 1);
    x.rod.section.kind = WITHY_SECTION_NONE;
    x.rod.kind = l->ei > 0 ? WITHY_ROD : WITHY_CABLE;
    for (int i = WITHY_BEND1; i <= WITHY_TWIST && l->ei > 0; i++)
        x.rod.stiffness[i] = withy_field_number(l->ei);
    x.rod.stiffness[WITHY_STRETCH] = withy_field_number(l->ea);
    x.rod.inertia[WITHY_MASS] = withy_field_number(l->mass);
    x.rod.fluid = (withy_fluid){.given = 1, .diameter = withy_field_number(l->diameter)};
    x.rod.radius = withy_field_number(RADIUS);
    x.rod.initial = (withy_shape){.kind = WITHY_SHAPE_CATENARY,
                                  .to = {l->span, 0, l->depth},
                                  .direction = {0, 0, -1},
                                  .normal = {0, 1, 0},
                                  .has_bed = 1};
    director_ends(&x, WITHY_END_PINNED, WITHY_END_PINNED);
    x.rod.end[0].position = withy_field_vector(0, 0, 0);
    x.rod.end[1].position = withy_field_vector(l->span, 0, l->depth);
    x.rod.settled = 1;
    bed = (withy_obstacle){.kind = WITHY_OBSTACLE_PLANE,
                           .point = withy_field_vector(0, 0, -RADIUS),
                           .along = {0, 0, 1},
                           .stiffness = STIFF};
    x.problem.obstacle = &bed, x.problem.obstacle_count = 1;
    x.problem.contact = (withy_contact){.given = 1, .no_self = 1, .no_rods = 1};
    x.problem.gravity = (withy_vec3){0, 0, -GRAVITY};
    x.problem.medium = (withy_medium){.given = 1, .density = RHO};
    if (director_start(&x, l->ei > 0 ? "n=120" : "n=40", sim, &err) == WITHY_OK &&
        withy_sim_equilibrium(*sim, 1, &at, &err) == WITHY_OK)
        return 1;
    verify_failed(log, l->name, &err);
    withy_sim_destroy(*sim);
    return 0;
}

static void compare(verify_log *log, const line *l, const char *what, double expected, double ours,
                    double tolerance, const char *note) {
    char words[96];
    snprintf(words, sizeof words, "%s: %s", l->name, what);
    if (expected > 0) verify_near(log, words, "", expected, ours, tolerance, note);
}

void medium_bed(verify_log *log) {
    static const line lines[] = {
        {"OC3", 902.2, 848.67, 250, 0.09, 77.7066, 384.243e6, 0, 911089.01840, 134.78552932,
         736938.85139, 535727.84953},
        {"OC3, EI 1e6", 902.2, 848.67, 250, 0.09, 77.7066, 384.243e6, 1e6, 911076.86437},
        {"OC3, EI 1e8", 902.2, 848.67, 250, 0.09, 77.7066, 384.243e6, 1e8, 909896.40137},
        {"OC4", 835.35, 796.732, 186, 0.0766, 113.35, 753.6e6, 0, 1105373.14233, 242.90687048},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const line *l = &lines[i];
        withy_sim *sim;
        if (!rests(log, l, &sim)) return;
        const withy_vec3 f = withy_sim_sample(sim, 0)->reaction[1];
        const double area = DIRECTOR_PI / 4 * l->diameter * l->diameter;
        const double weight = (l->mass - RHO * area) * GRAVITY;
        compare(log, l, "tension at the fairlead [N]", l->tension, hypot(f.x, f.z),
                2e-5 * l->tension,
                "bed of 1e7 N/m^2 at the nodes of 40 elements, 120 where EI > 0");
        compare(log, l, "along the level [N]", l->level, f.x, 1e-5 * l->level, "");
        compare(log, l, "upright [N]", l->upright, f.z, 1e-5 * l->upright, "");
        compare(log, l, "length that the bed carries [m]", l->bed, l->length - f.z / weight, 0.02,
                "weight less what the fairlead carries");
        withy_sim_destroy(sim);
    }
}
