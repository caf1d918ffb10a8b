/* fluid.h - how a rod feels the medium: coefficients of its nodes, and the flow at them. */
#pragma once

#include "method/director/director.h"
#include "model/medium.h"

/* Of a node: all times the length that it represents.  The first six are numbers that parameters change (gradient_field.c). */
typedef struct wy_fluid_node {
    double normal,
        tangential;   /* rho d Cn/2, rho pi d Ct/2                                     [kg/m] */
    double slow[3];   /* viscous: across, along [N s/m]; about the axis               [N m s] */
    double displaced; /* mass of the fluid displaced                                     [kg] */
    lane added;       /* Ma: along d1, d2, d3                                            [kg] */
    double radius,
        length; /* of the piece of rod                                              [m] */
} wy_fluid_node;

typedef struct wy_fluid {
    const wy_medium
        *medium;         /* NULL: only viscous                                                  */
    vec3 origin;         /* of the coordinates of the method, in the laboratory                 */
    wy_fluid_node *node; /* [node_count]                                                        */
    int stirs;           /* 1: it has added mass                                                */
    int accelerated;     /* 1: its velocity is no unknown: added mass as a force                */
    int at_rest;         /* 1: the medium is at rest                                            */
    double air;          /* density of the air over that of the medium                          */
} wy_fluid;

int wy_fluid_acts(const wy_director_plan *plan);
int wy_fluid_has_drag(const wy_director_plan *plan); /* has it drag? */
withy_status wy_fluid_make(wy_director *x, const wy_setup *setup, withy_error *err);
/* The flow at all nodes, in a step at the middle of it; at rest without waves, and u from the velocities. */
withy_status wy_fluid_flow(wy_director *x, int slopes, withy_error *err);
/* The motion begins: u from the velocities, in waves too. */
withy_status wy_fluid_begin(wy_director *x, withy_error *err);

/* The wetted part of the section at a node, and its slope by the height. */
double wy_fluid_wet(const wy_director *x, int j, double *slope);
/* At a height z over the surface, of a piece that rises with `rise` (its tangent along the vertical). */
double wy_fluid_wet_piece(double radius, double length, double rise, double z, double *slope);
/* Station i of a snapshot, which has its place, frame and velocity; 0: a function of the scene has no value there. */
int wy_fluid_sample(const wy_director *x, int e, const double *value, int i, withy_snapshot *snap);
/* The axis at a node, in a step the mean of both ends; *size: of the mean before it is made a unit vector. */
vec3 wy_fluid_axis(const wy_director *x, int j, double *size);
/* Of one fluid: drag and viscous resistance D, and its derivatives by w and by t (acting on changes across t). */
typedef struct wy_resistance {
    vec3 force;
    mat3 by_w, by_t;
} wy_resistance;

/* A node, or of a cable a node as it is seen from one of its elements. */
typedef struct wy_fluid_state {
    double share; /* of the node                                                    */
    vec3 t, slip; /* axis; velocity of the node, 0 at rest                          */
    double size;  /* of the axis before it is a unit vector: |r'| of a cable        */
    double wet, by_height, dry;
} wy_fluid_state;

/* Node j; of a cable those of its one or two elements.  Returns how many. */
int wy_fluid_states(const wy_director *x, int j, wy_fluid_state s[2]);
/* In the medium, and in the air where there is any: of the whole node. */
void wy_fluid_resist(const wy_director *x, int j, const wy_fluid_state *s, wy_resistance *wet,
                     wy_resistance *dry);

/* ---- cable_fluid.c: what has to do with the axis, which depends on all nodes of the element ---- */

vec3 wy_cable_axis(const wy_director *x, int e, int a, double *size);
void wy_cable_fluid_add(const wy_director *x, int e, double *matrix, int stride, int column);

/* How U at a node changes with r+: slope, in a step half of it. */
static inline mat3 wy_fluid_slope(const wy_director *x, int j) {
    const double half = x->step->dynamic ? 0.5 : 1.0;
    const mat3 s = x->flow[j].slope;
    return (mat3){v3_scale(half, s.c1), v3_scale(half, s.c2), v3_scale(half, s.c3)};
}

/* ---- force_added_mass.c ---- */

/* What the added mass resists: acceleration of the node less that of the fluid; without a state of its own. */
vec3 wy_added_mass_rate(const wy_director *x, int j);
void wy_added_mass_keep(wy_director *x); /* u+ of the step just solved */
/* a += k M of node j. */
void wy_added_mass_inertia(const wy_director *x, int j, double k, double a[6][6]);
vec3 wy_added_mass_momentum(const wy_director *x, int j);
