/* resolution_check.h - cheap signs that the mesh or the step of a study cannot carry its answer: one note each.
 *
 * Mesh.  From one node to the next the rod turns by an angle a; a method whose error in a bent rod is
 * (a / wy_method.turn)^order says so beyond 3 %.  Of a rod that is bent more here than there it is the mean
 * over all that it turns, and of a motion the mean over the time: a short sharp bend, as a soft rod has at a clamp
 * while it swings through, moves the rest of it by little.
 * Step.  Positions one step apart show what the step loses of an oscillation, with its mean and its limit
 * (step_error.h), at five stations.  Beyond a tenth of the distance travelled there is a note.
 * Spin.  Where sections turn about the axis, which positions do not show, by more in a step than the method follows
 * (wy_method.spin), there is a note.
 * Cuts.  A step that Newton cannot make is cut; whether it can is decided by rounding.
 * Touch.  Rods that pass through themselves or each other: crossing.h.
 *
 * `--error` measures what these only suspect.
 */
#pragma once

#include "study/run/crossing.h"
#include "study/run/step_error.h"

enum { WY_RESOLUTION_CHECK_STATIONS = 5, WY_RESOLUTION_CHECK_ROOM = WY_STEP_ERROR_ROOM(5, 15) };

typedef struct wy_resolution_check {
    wy_view nodes, stations; /* of the first rod                                        */
    int open;                /* 1: the views are made                                   */
    int moving;              /* 1: a motion, 0: equilibria                              */
    double turn, at;         /* largest angle between two nodes [rad], where [m]        */
    double mesh;             /* error of the bends: sum over the looks, or the largest  */
    int looks;
    wy_step_error lost; /* of the stations, in the room below                      */
    double room[WY_RESOLUTION_CHECK_ROOM];
    withy_vec3 first[WY_RESOLUTION_CHECK_STATIONS];
    double way;           /* distance travelled [m]                                  */
    double spin;          /* most that a section turned about the axis in a step [rad] */
    wy_crossing crossing; /* rods that pass through each other                   */
} wy_resolution_check;

/* For a simulation at its start; moving: its steps are judged too. */
withy_status wy_resolution_check_open(wy_resolution_check *x, withy_sim *sim, int moving,
                                      withy_error *err);
/* Look at the present shape. */
void wy_resolution_check_shape(wy_resolution_check *x, withy_sim *sim);
/* After one step; it stands for `count` of them. */
void wy_resolution_check_step(wy_resolution_check *x, withy_sim *sim, double count);
/* All that it keeps from step to step, as numbers: to continue with in another run. */
enum {
    WY_RESOLUTION_CHECK_LOOKS = 3,  /* a whole number, */
    WY_RESOLUTION_CHECK_FILLED = 5, /* and one of 0 .. WY_STEP_ERROR_RING */
    WY_RESOLUTION_CHECK_SINGLE = 9,
    WY_RESOLUTION_CHECK_NUMBERS =
        WY_RESOLUTION_CHECK_SINGLE + 3 * WY_RESOLUTION_CHECK_STATIONS + WY_RESOLUTION_CHECK_ROOM
};
void wy_resolution_check_save(const wy_resolution_check *x,
                              double number[WY_RESOLUTION_CHECK_NUMBERS]);
void wy_resolution_check_load(wy_resolution_check *x,
                              const double number[WY_RESOLUTION_CHECK_NUMBERS]);
/* How often the step is to be halved until the method follows the spin of its sections; 0: it does. */
int wy_resolution_check_halvings(const wy_resolution_check *x, const withy_sim *sim);
/* The notes, at the end. */
void wy_resolution_check_note(const wy_resolution_check *x, withy_sim *sim);
