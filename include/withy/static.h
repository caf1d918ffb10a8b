/* withy/static.h - equilibria and equilibrium paths.
 *
 * A load factor runs along the path: loads, gravity and end forces that are constant are multiplied
 * by it, functions of time are evaluated at t = factor.
 */
#pragma once

#include "withy/problem.h"
#include "withy/run.h"
#include "withy/scene.h"
#include "withy/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum withy_mark {
    WITHY_POINT,        /* an ordinary point of the path                                         */
    WITHY_POINT_LIMIT,  /* the load factor has turned since the last point                       */
    WITHY_POINT_BRANCH, /* the stability has changed since the last point, the factor not turned */
} withy_mark;

/* One equilibrium. */
typedef struct withy_equilibrium {
    double factor;   /* of the loads                                                             */
    int iterations;  /* of the solver since the last point                                       */
    int negative;    /* negative eigenvalues of the tangent: 0 is stable; -1: not known          */
    withy_mark mark; /* what has been passed since the last point                                */
    double energy;   /* of deformation, gravity and springs                                  [J] */
} withy_equilibrium;

/* Bring the simulation to equilibrium under `factor`, from its present shape, in as many steps as
 * that takes: ends that are functions of time go the way these describe, also through several turns.
 * On failure the shape is that of the last equilibrium found.
 * The time of the simulation is the factor then.  withy_sim_advance starts the clock at 0 again: from
 * this shape, at rest, under the loads in full. */
WITHY_API withy_status withy_sim_equilibrium(withy_sim *sim, double factor,
                                             withy_equilibrium *point, withy_error *err);

/* Go on along the path by `arc` (its sign chooses the direction at the first call), where a change
 * of the factor by `span` counts as much as a displacement by the length of the rod: this passes
 * limit points.  The arc is cut where the path bends; on failure nothing has moved. */
WITHY_API withy_status withy_sim_follow(withy_sim *sim, double arc, double span,
                                        withy_equilibrium *point, withy_error *err);

/* A number that the method knows of the present equilibrium beyond the common ones, e.g. the axial
 * force and stiffness of a helical spring and their classical values.  The texts live as long as
 * the library. */
enum { WITHY_FIGURES = 24 };
typedef struct withy_figure {
    const char *name, *unit, *doc;
    double value;
} withy_figure;

/* Fill *figure for index 0, 1, ...; returns 0 past the last. */
WITHY_API int withy_sim_figure(const withy_sim *sim, int index, withy_figure *figure);

/* One row of the report. */
typedef struct withy_static_point {
    withy_equilibrium at;
    withy_vec3 position[2];        /* ends of the first rod                                 [m]   */
    withy_vec3 reaction[2];        /* force of the supports                                 [N]   */
    withy_vec3 reaction_moment[2]; /*                                                     [N m]   */
    int figure_count;
    withy_figure figure[WITHY_FIGURES];
} withy_static_point;

/* What `withy static` reports: every point of the path, freed by withy_static_free. */
typedef struct withy_static_report {
    withy_status status;
    char method[WITHY_NAME];
    double wall; /* elapsed [s] */
    int64_t iterations;
    int count;                 /* points                                                        */
    withy_static_point *point; /* [count]                                                       */
    char notes[2048];
} withy_static_report;

/* Solve the scene's path (or the one equilibrium under factor 1 when it has none) and write one
 * snapshot per point, with the factor as time. */
WITHY_API withy_status withy_static(const withy_scene *scene, const withy_run_setup *setup,
                                    withy_static_report *report, withy_error *err);
WITHY_API void withy_static_free(withy_static_report *report);

#ifdef __cplusplus
}
#endif
