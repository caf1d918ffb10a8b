/* contact.h - what touches: radii of rods, obstacles, shapes of bodies.  Room: src/model. */
#pragma once

#include "contact/contact.h"
#include "model/model.h"

/* Radius of the surface of a rod at s: given, or of its round section; else a message that asks for it. */
withy_status wy_rod_radius(const withy_rod *rod, double s, double *radius, withy_error *err);
/* Force per depth and length of a rod at s: of the contact, or EA/(pi r^2)  [N/m^2]. */
withy_status wy_rod_hardness(const withy_problem *problem, const withy_rod *rod, double s,
                             double *stiffness, withy_error *err);

/* An obstacle at t = 0, relative to the origin of the model as everywhere.  Then it moves by wy_model_shift, without
 * turning. */
typedef struct wy_obstacle_model {
    wy_obstacle shape;
    int moves; /* 1: it is a function of t                                   */
    double
        friction[WITHY_FRICTIONS]; /* its own, or that of the contact                            */
    double stiffness;              /* its own; 0: wy_rod_hardness                     [N/m^2]    */
    double damping;                /* its own, or that of the contact                 [s/m]      */
} wy_obstacle_model;

/* The law of the contacts of a problem, also where only obstacles are given. */
const wy_contact_kind *wy_contact_law_of(const withy_problem *problem);
int wy_contact_has_friction(const withy_problem *problem); /* is there friction? */
/* [problem->obstacle_count] */
const wy_obstacle_model *wy_model_obstacle(const wy_model *model);
/* How far it has moved from where it was at t = 0. */
withy_status wy_model_shift(const wy_model *model, int obstacle, double t, vec3 *shift,
                            withy_error *err);
/* Where the distance to an obstacle is not a number: what its function says at x, which is relative to the origin of the
 * model and to the motion of the obstacle. */
withy_status wy_model_obstacle_fails(const wy_model *model, int obstacle, vec3 x, withy_error *err);
/* The surface of a body in its own frame, about its centre of mass; 0: it has none, and rods pass through it. */
int wy_body_surface(const withy_body *body, wy_obstacle *out);

/* ---- between the files of src/model ------------------------------------------------------------------- */

/* Check the values of contact and obstacles; no method is needed. */
withy_status wy_contact_check(const withy_problem *problem, withy_error *err);
/* The obstacles of a problem; those of `like`, of `known`, are taken over where they are the same surfaces. */
withy_status wy_obstacles_compile(const withy_problem *problem, vec3 origin,
                                  const withy_problem *like, const wy_obstacle_model *known,
                                  wy_arena *arena, const wy_obstacle_model **out, withy_error *err);
/* Refuses a rod that is drawn inside an obstacle, deeper than it is thick. */
withy_status wy_contact_fits(const wy_model *model, const withy_problem *problem, withy_error *err);
